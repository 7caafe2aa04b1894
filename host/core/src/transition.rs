//! Changing a toggle. Loosening passes five gates in a fixed order; tightening passes none.
//!
//! Nothing here reads a clock, a password or a file: the caller says what time it is and whether the password was right,
//! and writes every outcome down before it tells anybody.

use crate::grant::{Cap, GRANT_NAMES_MAX, GRANT_USES_MAX, Subject, Terms, subject};
use crate::paths::AbsPath;
use crate::registry::{CapShape, Reauth, SafetyToggle, ToggleState};
use crate::toggle::ToggleKey;
use crate::words::{Word, words};
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// Why a loosening is refused, in the order in which it is looked at.
    Refusal {
        Cooldown = "cooldown", PasteDetected = "paste_detected", PhraseMismatch = "phrase_mismatch",
        ReauthMissing = "reauth_missing", CapRequired = "cap_required",
        TermsUnfit = "terms_unfit",
    }
}

words! {
    /// How the phrase came in.
    Typing { Typed = "typed", Pasted = "pasted" }
}

words! {
    /// Whether the operator's password was checked for this request. A session is not enough.
    Password { NotGiven = "not-given", Right = "right" }
}

/// A toggle as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whether it gates.
    pub state: ToggleState,
    /// When it was last loosened, in milliseconds since the Unix epoch.
    pub last_loosened_ms: Option<u64>,
    /// The limits that came with it.
    pub terms: Terms,
}

impl Record {
    /// How every toggle starts.
    pub const START: Record = Record {
        state: ToggleState::Restrictive,
        last_loosened_ms: None,
        terms: Terms { cap: None, only: Vec::new(), budget: None, hours: None },
    };
}

/// What an operator gives to loosen a toggle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loosening {
    /// The phrase as it was typed.
    pub phrase: String,
    /// How it came in.
    pub typing: Typing,
    /// Whether the password was checked.
    pub password: Password,
    /// The limits.
    pub terms: Terms,
}

/// Seconds until a toggle may be loosened again, rounded up. A clock that went back does not shorten the wait.
pub fn cooldown_left_s(toggle: &SafetyToggle, record: &Record, now_ms: u64) -> u32 {
    let Some(last_ms) = record.last_loosened_ms else { return 0 };
    let whole_ms = u64::from(toggle.declaration().cooldown_s).saturating_mul(1_000);
    let left_ms = whole_ms.saturating_sub(now_ms.saturating_sub(last_ms));
    u32::try_from(left_ms.div_ceil(1_000)).unwrap_or(u32::MAX)
}

/// What a toggle is after loosening it, or the first gate that refuses.
pub fn loosen(toggle: &SafetyToggle, record: &Record, asked: &Loosening, now_ms: u64) -> Result<Record, Refusal> {
    let declaration = toggle.declaration();
    if cooldown_left_s(toggle, record, now_ms) > 0 {
        return Err(Refusal::Cooldown);
    }
    if asked.typing == Typing::Pasted {
        return Err(Refusal::PasteDetected);
    }
    if asked.phrase.trim() != declaration.phrase {
        return Err(Refusal::PhraseMismatch);
    }
    if declaration.reauth == Reauth::Required && asked.password != Password::Right {
        return Err(Refusal::ReauthMissing);
    }
    let terms = &asked.terms;
    let cap = fitting_cap(declaration.cap.as_ref(), terms.cap.as_ref())?;
    if !is_fit(&declaration.key, terms) {
        return Err(Refusal::TermsUnfit);
    }
    Ok(Record { state: ToggleState::Permissive, last_loosened_ms: Some(now_ms), terms: Terms { cap, ..terms.clone() } })
}

/// What a toggle is after tightening it. When it was last loosened stays, so that the wait cannot be cut short.
pub fn tighten(record: &Record) -> Record {
    Record { state: ToggleState::Restrictive, last_loosened_ms: record.last_loosened_ms, terms: Terms::default() }
}

fn fitting_cap(shape: Option<&CapShape>, cap: Option<&Cap>) -> Result<Option<Cap>, Refusal> {
    match (shape, cap) {
        (None, _) => Ok(None),
        (Some(CapShape::Daily { least, .. }), Some(Cap::Daily(count))) if (1..=GRANT_USES_MAX).contains(count) => {
            if count < least {
                Err(Refusal::TermsUnfit)
            } else {
                Ok(Some(Cap::Daily(*count)))
            }
        }
        (Some(CapShape::List { .. }), Some(Cap::List(names))) if is_list(names) => Ok(Some(Cap::List(names.clone()))),
        (Some(CapShape::Daily { .. } | CapShape::List { .. }), Some(Cap::Daily(_) | Cap::List(_)) | None) => {
            Err(Refusal::CapRequired)
        }
    }
}

fn is_list(names: &[String]) -> bool {
    !names.is_empty() && names.len() <= GRANT_NAMES_MAX && names.iter().all(|name| crate::call::is_name(name))
}

/// Whether the limits beyond the cap can be held: names of something that the toggle is about, and a number of uses.
fn is_fit(key: &str, terms: &Terms) -> bool {
    let subject = ToggleKey::from_word(key).and_then(subject);
    let fits = |name: &String| match subject {
        Some(Subject::Step(_)) => true,
        Some(Subject::Place) => AbsPath::parse(name).is_some(),
        Some(Subject::Tool) => name.contains('/'),
        None => false,
    };
    // Uses of a toggle that a vocabulary declared are not counted.
    let is_counted = ToggleKey::from_word(key).is_some();
    let named = terms.only.is_empty() || (is_list(&terms.only) && terms.only.iter().all(fits));
    named && terms.budget.is_none_or(|uses| is_counted && (1..=GRANT_USES_MAX).contains(&uses))
}

#[cfg(test)]
#[path = "transition_tests.rs"]
mod tests;
