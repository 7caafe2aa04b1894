//! The forms in which a text may hide something: itself, and what it says once escapes, base64, hexadecimal digits and
//! look-alike letters are undone, also several on top of each other. All bounds are here, and whoever asks is told when
//! one was hit.

pub use crate::fold::fold;
use crate::fold::unseen_bytes;
use crate::words::words;
use crate::{runs, unescape};
use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

/// Longest text that is decoded, in bytes.
pub const INPUT_BYTES_MAX: usize = 4 << 20;
/// Most encodings on top of each other that are undone.
pub const DEPTH_MAX: usize = 4;
/// Most forms of one text.
pub const FORMS_MAX: usize = 256;
/// Most bytes of all forms of one text together.
pub const FORMS_BYTES_MAX: usize = 16 << 20;
/// Shortest decoded form in bytes that counts as hidden too deep. Shorter ones come of random letters and hold no secret.
const DEEP_BYTES_MIN: usize = 16;

words! {
    /// Whether everything was decoded.
    Completeness {
        /// Nothing is left that could be undone.
        Complete = "complete",
        /// There is more behind [`DEPTH_MAX`] encodings.
        TooDeep = "too-deep",
        /// The text or its forms are more than is looked at.
        TooMuch = "too-much",
    }
}

/// What a text may say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text itself first, and then each other form once. Empty if the text is longer than [`INPUT_BYTES_MAX`].
    pub forms: Vec<String>,
    /// Whether these are all.
    pub completeness: Completeness,
}

/// Every form of a text within the bounds.
pub fn decode(text: &str) -> Decoded {
    let mut search = Search { forms: Vec::new(), bytes: 0, frontier: Vec::new(), full: None };
    if text.len() > INPUT_BYTES_MAX {
        return Decoded { forms: search.forms, completeness: Completeness::TooMuch };
    }
    search.add(text.to_owned());
    for _ in 0..DEPTH_MAX {
        for index in core::mem::take(&mut search.frontier) {
            let decoded = search.forms.get(index).map(|form| undone(form)).unwrap_or_default();
            decoded.into_iter().for_each(|form| search.add(form));
        }
    }
    let completeness = match search.full {
        Some(Full) => Completeness::TooMuch,
        None if search.goes_deeper() => Completeness::TooDeep,
        None => Completeness::Complete,
    };
    Decoded { forms: search.forms, completeness }
}

/// What one encoding less makes of a form.
fn undone(form: &str) -> Vec<String> {
    let mut forms: Vec<String> =
        [unescape::percent(form), unescape::backslash(form), unescape::html(form)].into_iter().flatten().collect();
    forms.extend(runs::base64(form));
    forms.extend(runs::hex(form));
    forms
}

/// A bound was hit.
struct Full;

struct Search {
    forms: Vec<String>,
    bytes: usize,
    /// The forms to decode next, folded, because no encoding is written with anything but ASCII.
    frontier: Vec<usize>,
    full: Option<Full>,
}

impl Search {
    /// Adds a form as it is and as a reader sees it.
    fn add(&mut self, form: String) {
        if self.full.is_some() || self.forms.contains(&form) {
            return;
        }
        let folded = match fold(&form) {
            Cow::Borrowed(_) => None,
            Cow::Owned(folded) => Some(folded).filter(|folded| *folded != form),
        };
        let Some(folded) = folded else { return self.keep_to_decode(form) };
        let unseen = unseen_bytes(&form).map(|bytes| runs::readable(&bytes));
        self.keep(form);
        self.keep_to_decode(folded);
        for unseen in unseen.into_iter().flatten() {
            self.keep_to_decode(fold(&unseen).into_owned());
        }
    }

    fn keep_to_decode(&mut self, form: String) {
        if !self.forms.contains(&form) {
            self.frontier.push(self.forms.len());
            self.keep(form);
        }
    }

    fn keep(&mut self, form: String) {
        let bytes = self.bytes.saturating_add(form.len());
        if self.forms.len() >= FORMS_MAX || bytes > FORMS_BYTES_MAX {
            self.full = Some(Full);
            return;
        }
        self.bytes = bytes;
        self.forms.push(form);
    }

    /// Whether the last forms say something else once more is undone.
    fn goes_deeper(&self) -> bool {
        let is_new = |form: &String| {
            let folded = fold(form);
            folded.len() >= DEEP_BYTES_MIN && !self.forms.iter().any(|known| *known == *folded)
        };
        self.frontier.iter().filter_map(|index| self.forms.get(*index)).any(|form| undone(form).iter().any(is_new))
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
