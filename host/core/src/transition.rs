//! Changing a toggle. Loosening passes five gates in a fixed order; tightening passes none.
//!
//! Nothing here reads a clock, a password or a file: the caller says what time it is and whether the password was right,
//! and writes every outcome down before it tells anybody.

use crate::bound::{Bound, Bounded, Reach};
use crate::grant::{Cap, GRANT_NAMES_MAX, GRANT_USES_MAX, Subject, Terms, subject};
use crate::paths::AbsPath;
use crate::registry::{CapShape, Declaration, Reauth, SafetyToggle, ToggleState};
use crate::toggle::ToggleKey;
use crate::words::{Word, words};
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// Why a loosening is refused, in the order in which it is looked at. The last is for bounds alone.
    Refusal {
        /// A layer above the user keeps the toggle closed.
        Bound = "bound",
        Cooldown = "cooldown", PasteDetected = "paste_detected", PhraseMismatch = "phrase_mismatch",
        ReauthMissing = "reauth_missing", CapRequired = "cap_required",
        TermsUnfit = "terms_unfit",
        /// The bound would be wider than the one that there is.
        WiderBound = "wider_bound",
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
    wait_s(toggle, record.last_loosened_ms, now_ms)
}

/// Seconds until a bound may be lifted again, by the same rule.
pub fn lift_left_s(toggle: &SafetyToggle, bounded: &Bounded, now_ms: u64) -> u32 {
    wait_s(toggle, bounded.last_lifted_ms, now_ms)
}

fn wait_s(toggle: &SafetyToggle, last_ms: Option<u64>, now_ms: u64) -> u32 {
    let Some(last_ms) = last_ms else { return 0 };
    let whole_ms = u64::from(toggle.declaration().cooldown_s).saturating_mul(1_000);
    let left_ms = whole_ms.saturating_sub(now_ms.saturating_sub(last_ms));
    u32::try_from(left_ms.div_ceil(1_000)).unwrap_or(u32::MAX)
}

/// What a toggle is after loosening it within what the layers above leave, or the first gate that refuses.
pub fn loosen(
    toggle: &SafetyToggle,
    record: &Record,
    reach: &Reach,
    asked: &Loosening,
    now_ms: u64,
) -> Result<Record, Refusal> {
    if *reach == Reach::Nothing {
        return Err(Refusal::Bound);
    }
    pass_gates(toggle, record.last_loosened_ms, toggle.declaration().reauth, asked, now_ms)?;
    let declaration = toggle.declaration();
    let terms = &asked.terms;
    let cap = fitting_cap(declaration.cap.as_ref(), terms.cap.as_ref())?;
    if !is_fit(&declaration.key, terms) {
        return Err(Refusal::TermsUnfit);
    }
    Ok(Record { state: ToggleState::Permissive, last_loosened_ms: Some(now_ms), terms: Terms { cap, ..terms.clone() } })
}

/// What a bound is after lifting it, as far as the terms that are asked for or altogether, or the first gate that refuses.
pub fn lift(toggle: &SafetyToggle, bounded: &Bounded, asked: &Loosening, now_ms: u64) -> Result<Bounded, Refusal> {
    // A bound of a layer is not the user's own, so it always wants the password.
    pass_gates(toggle, bounded.last_lifted_ms, Reauth::Required, asked, now_ms)?;
    let bound = match asked.terms == Terms::default() {
        true => Bound::Open,
        false => Bound::of(toggle, asked.terms.clone()).ok_or(Refusal::TermsUnfit)?,
    };
    Ok(Bounded { bound, last_lifted_ms: Some(now_ms) })
}

/// What a bound is after narrowing it. There is no friction: all that is refused are terms that the toggle cannot have, and
/// such as would loosen.
pub fn narrow(toggle: &SafetyToggle, bounded: &Bounded, terms: &Terms) -> Result<Bounded, Refusal> {
    let bound = Bound::of(toggle, terms.clone()).ok_or(Refusal::TermsUnfit)?;
    if !bound.reach().is_within(&bounded.bound.reach(), &toggle.declaration().key) {
        return Err(Refusal::WiderBound);
    }
    Ok(Bounded { bound, last_lifted_ms: bounded.last_lifted_ms })
}

/// The gates of everything that loosens.
fn pass_gates(
    toggle: &SafetyToggle,
    last_ms: Option<u64>,
    reauth: Reauth,
    asked: &Loosening,
    now_ms: u64,
) -> Result<(), Refusal> {
    let declaration = toggle.declaration();
    if wait_s(toggle, last_ms, now_ms) > 0 {
        return Err(Refusal::Cooldown);
    }
    if asked.typing == Typing::Pasted {
        return Err(Refusal::PasteDetected);
    }
    if asked.phrase.trim() != declaration.phrase {
        return Err(Refusal::PhraseMismatch);
    }
    if reauth == Reauth::Required && asked.password != Password::Right {
        return Err(Refusal::ReauthMissing);
    }
    Ok(())
}

/// What a toggle is after tightening it. When it was last loosened stays, so that the wait cannot be cut short.
pub fn tighten(record: &Record) -> Record {
    Record { state: ToggleState::Restrictive, last_loosened_ms: record.last_loosened_ms, terms: Terms::default() }
}

/// Whether a bound of this toggle can have these terms: a cap of the toggle's shape, if any, and no budget.
pub(crate) fn is_fit_bound(declaration: &Declaration, terms: &Terms) -> bool {
    let shape = declaration.cap.as_ref();
    let cap = terms.cap.as_ref().is_none_or(|cap| matches!(fitting_cap(shape, Some(cap)), Ok(Some(_))));
    cap && terms.budget.is_none() && is_fit(&declaration.key, terms)
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
