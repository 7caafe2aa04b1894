//! The line of a change to a toggle or to a bound, and what a line says of them.

use crate::toggle_states::{LayerBound, ToggleStates};
use crate::toggles::{By, Change, Changed};
use crate::transition::{Cap, Limits, Transition, TransitionResult};
use holdpoint_core::bound::{Bound, Layer};
use holdpoint_core::digest::Digest;
use holdpoint_core::grant::{Cap as CapValue, Hours, Terms};
use holdpoint_core::registry::{CapShape, SafetyToggle, ToggleState};
use holdpoint_core::transition::{self as gate, Loosening, Refusal, cooldown_left_s, lift_left_s};
use holdpoint_core::words::Word;

/// The reasons of changes that were made.
const LOOSEN: &str = "loosen";
const TIGHTEN: &str = "tighten";
const BOUND: &str = "bound";
pub(crate) const LIFT: &str = "lift";

/// A change that somebody asks for.
pub(crate) struct Request<'r> {
    pub(crate) toggle: &'r SafetyToggle,
    pub(crate) states: &'r ToggleStates,
    pub(crate) by: &'r By,
    pub(crate) now_ms: u64,
}

impl Request<'_> {
    /// The line of a change, and what becomes of it.
    pub(crate) fn decide(&self, change: &Change) -> (Transition, Changed) {
        match change {
            Change::Loosen(asked) => self.loosen(asked),
            Change::Tighten => self.tighten(TIGHTEN),
            Change::Bound { layer, terms } => self.narrow(*layer, terms),
            Change::Lift { layer, asked } => self.lift(*layer, asked),
        }
    }

    /// Tightening, for this reason.
    pub(crate) fn tighten(&self, reason: &str) -> (Transition, Changed) {
        let record = self.states.record(self.key());
        let line = self.line(record.state.as_str(), ToggleState::Restrictive.as_str(), reason);
        (line, Changed::Done(gate::tighten(&record)))
    }

    fn loosen(&self, asked: &Loosening) -> (Transition, Changed) {
        let (toggle, record) = (self.toggle, self.states.record(self.key()));
        let line = |reason| Transition {
            phrase_hash: Some(phrase_hash(asked)),
            ..self.line(record.state.as_str(), ToggleState::Permissive.as_str(), reason)
        };
        match gate::loosen(toggle, &record, &self.states.reach(self.key()), asked, self.now_ms) {
            Ok(after) => (self.limited(line(LOOSEN), &after.terms), Changed::Done(after)),
            Err(refusal) => {
                let wait_s = cooldown_left_s(toggle, &record, self.now_ms);
                (denied(line(refusal.as_str())), Changed::Refused { refusal, wait_s })
            }
        }
    }

    fn narrow(&self, layer: Layer, terms: &Terms) -> (Transition, Changed) {
        let before = self.states.bound(self.key(), layer);
        match gate::narrow(self.toggle, &before.bounded, terms) {
            Ok(after) => (self.bound_line(layer, &before, &after.bound, BOUND), Changed::Bounded(after)),
            Err(refusal) => {
                let asked = Bound::of(self.toggle, terms.clone()).unwrap_or(Bound::Closed);
                (self.bound_denied(layer, &before, &asked, refusal), Changed::Refused { refusal, wait_s: 0 })
            }
        }
    }

    fn lift(&self, layer: Layer, asked: &Loosening) -> (Transition, Changed) {
        let before = self.states.bound(self.key(), layer);
        let (line, changed) = match gate::lift(self.toggle, &before.bounded, asked, self.now_ms) {
            Ok(after) => (self.bound_line(layer, &before, &after.bound, LIFT), Changed::Bounded(after)),
            Err(refusal) => {
                let wait_s = lift_left_s(self.toggle, &before.bounded, self.now_ms);
                (self.bound_denied(layer, &before, &Bound::Open, refusal), Changed::Refused { refusal, wait_s })
            }
        };
        (Transition { phrase_hash: Some(phrase_hash(asked)), ..line }, changed)
    }

    fn bound_line(&self, layer: Layer, before: &LayerBound, after: &Bound, reason: &str) -> Transition {
        let line = self.line(before.bounded.bound.word(), after.word(), reason);
        let line = Transition { layer: Some(layer), ..line };
        match after {
            Bound::Within(terms) => self.limited(line, terms),
            Bound::Open | Bound::Closed => line,
        }
    }

    fn bound_denied(&self, layer: Layer, before: &LayerBound, asked: &Bound, refusal: Refusal) -> Transition {
        let line = self.line(before.bounded.bound.word(), asked.word(), refusal.as_str());
        denied(Transition { layer: Some(layer), ..line })
    }

    fn key(&self) -> &str {
        &self.toggle.declaration().key
    }

    fn line(&self, from: &str, to: &str, reason: &str) -> Transition {
        Transition {
            at_ms: self.now_ms,
            actor: self.by.actor.clone(),
            key: self.key().to_owned(),
            layer: None,
            from_state: from.to_owned(),
            to_state: to.to_owned(),
            result: TransitionResult::Ok,
            reason: reason.to_owned(),
            cap: None,
            limits: Limits::default(),
            phrase_hash: None,
            requester: self.by.requester.clone(),
        }
    }

    fn limited(&self, line: Transition, terms: &Terms) -> Transition {
        let cap = terms.cap.as_ref().and_then(|cap| cap_line(self.toggle, cap));
        Transition { cap, limits: limits_line(terms), ..line }
    }
}

fn denied(line: Transition) -> Transition {
    Transition { result: TransitionResult::Denied, ..line }
}

fn phrase_hash(asked: &Loosening) -> Digest {
    Digest::of_parts("holdpoint phrase 1", &[asked.phrase.as_bytes()])
}

fn limits_line(terms: &Terms) -> Limits {
    Limits { only: terms.only.clone(), budget: terms.budget, hours: terms.hours.map(|hours| hours.to_string()) }
}

fn cap_line(toggle: &SafetyToggle, cap: &CapValue) -> Option<Cap> {
    let name = match toggle.declaration().cap.as_ref()? {
        CapShape::Daily { name, .. } | CapShape::List { name, .. } => name.to_string(),
    };
    Some(match cap {
        CapValue::Daily(count) => Cap { name, int_value: Some(*count), list_value: None },
        CapValue::List(names) => Cap { name, int_value: None, list_value: Some(names.clone()) },
    })
}

/// The limits of a loosening as its line has them; `None` where they are not those that the toggle requires.
pub(crate) fn terms_of(toggle: &SafetyToggle, line: &Transition) -> Option<Terms> {
    let terms = limits_of(toggle, line)?;
    (terms.cap.is_some() == toggle.declaration().cap.is_some()).then_some(terms)
}

/// The bound that a line says; `None` where it says none that the toggle can have.
pub(crate) fn bound_of(toggle: &SafetyToggle, line: &Transition) -> Option<Bound> {
    let terms = limits_of(toggle, line)?;
    let bound = match line.to_state.as_str() {
        "open" if terms == Terms::default() => Bound::Open,
        _ => Bound::of(toggle, terms)?,
    };
    (bound.word() == line.to_state).then_some(bound)
}

/// The limits of a line, with a cap of the toggle's shape or none.
fn limits_of(toggle: &SafetyToggle, line: &Transition) -> Option<Terms> {
    let cap = match (toggle.declaration().cap.as_ref(), &line.cap) {
        (_, None) => None,
        (Some(CapShape::Daily { .. }), Some(Cap { int_value: Some(count), .. })) => Some(CapValue::Daily(*count)),
        (Some(CapShape::List { .. }), Some(Cap { list_value: Some(names), .. })) => Some(CapValue::List(names.clone())),
        (Some(CapShape::Daily { .. } | CapShape::List { .. }) | None, Some(_)) => return None,
    };
    let Limits { only, budget, hours } = line.limits.clone();
    let hours = match hours {
        None => None,
        Some(text) => Some(Hours::parse(&text)?),
    };
    Some(Terms { cap, only, budget, hours })
}
