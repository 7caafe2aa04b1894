//! How every toggle stands, worked out from the lines of the transitions and from nothing else.
//!
//! Must never take a line for looser than it is: what cannot be read as a loosening is none, and what cannot be read as a
//! bound is a closed one.

use crate::toggle_lines::{LIFT, bound_of, terms_of};
use crate::transition::{Transition, TransitionResult};
use holdpoint_core::bound::{Bound, Bounded, Layer, Reach, Within};
use holdpoint_core::grant::{Grant, Loosened};
use holdpoint_core::registry::{Registry, ToggleState};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::transition::{self as gate, Record};
use holdpoint_core::words::Word;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Milliseconds after which a loosening no longer counts, so that nothing stays loose because it was forgotten.
pub const LOOK_BACK_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// The member of a line that a layer above the user wrote.
pub(crate) const LAYER: &str = "layer";

/// The bound that one layer sets to one toggle. At first it is open, and nobody has set it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerBound {
    /// The bound.
    pub bounded: Bounded,
    /// Who set it.
    pub actor: String,
    /// When, in milliseconds since the Unix epoch, as far as the line says.
    pub set_ms: Option<u64>,
}

/// How every toggle stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToggleStates {
    records: BTreeMap<String, Record>,
    bounds: BTreeMap<(String, Layer), LayerBound>,
    /// Toggles that were loosened by a clock that is ahead of this one. They turn permissive when it is reached.
    to_come: BTreeSet<String>,
    /// Why everything is restrictive although the transitions may say otherwise.
    pub problem: Option<String>,
}

impl ToggleStates {
    /// How one toggle stands.
    pub fn record(&self, key: &str) -> Record {
        self.records.get(key).cloned().unwrap_or(Record::START)
    }

    /// The bound that a layer sets to a toggle.
    pub fn bound(&self, key: &str, layer: Layer) -> LayerBound {
        self.bounds.get(&(key.to_owned(), layer)).cloned().unwrap_or_default()
    }

    /// What all layers above the user leave of a toggle.
    pub fn reach(&self, key: &str) -> Reach {
        let bounds = Layer::ALL.iter().map(|layer| self.bound(key, *layer).bounded.bound.reach());
        bounds.fold(Bound::Open.reach(), |reach, bound| reach.meet(&bound))
    }

    /// What the core's toggles let through at this instant. Outside its hours a toggle is restrictive.
    pub fn loosened(&self, now_ms: u64) -> Loosened {
        ToggleKey::ALL.iter().fold(Loosened::NONE, |loosened, key| match self.in_force(key.as_str(), now_ms) {
            Some((record, within)) => {
                let since_ms = record.last_loosened_ms.unwrap_or(now_ms);
                loosened.with(*key, Grant { terms: record.terms.clone(), since_ms, within })
            }
            None => loosened,
        })
    }

    /// Whether a toggle is permissive at this instant, whoever declared it.
    pub fn is_loosened(&self, key: &str, now_ms: u64) -> bool {
        self.in_force(key, now_ms).is_some()
    }

    /// The keys of all toggles that are permissive, within their hours or not, and that no bound closes.
    pub fn permissive_keys(&self) -> Vec<String> {
        self.user_permissive().filter(|key| self.reach(key) != Reach::Nothing).cloned().collect()
    }

    /// The keys of all toggles that the user loosened, or that will turn permissive by themselves.
    pub(crate) fn to_be_tightened(&self) -> Vec<String> {
        let keys: BTreeSet<&String> = self.user_permissive().chain(&self.to_come).collect();
        keys.into_iter().cloned().collect()
    }

    fn user_permissive(&self) -> impl Iterator<Item = &String> {
        let is_loose = |record: &Record| record.state == ToggleState::Permissive;
        self.records.iter().filter(move |(_, record)| is_loose(record)).map(|(key, _)| key)
    }

    /// The loosening of a toggle and what the layers above leave of it, if that is anything at this instant.
    fn in_force(&self, key: &str, now_ms: u64) -> Option<(&Record, Within)> {
        let record = self.records.get(key).filter(|record| record.state == ToggleState::Permissive)?;
        let within = match self.reach(key) {
            Reach::Nothing => return None,
            Reach::Within(within) => within,
        };
        let in_hours = record.terms.hours.is_none_or(|hours| hours.hold(now_ms)) && within.hold(now_ms);
        in_hours.then_some((record, within))
    }

    pub(crate) fn restrictive(problem: String) -> ToggleStates {
        ToggleStates { problem: Some(problem), ..ToggleStates::default() }
    }

    /// These, or nothing but the problem if there is one.
    pub(crate) fn unless_a_problem(self) -> ToggleStates {
        match self.problem {
            Some(problem) => ToggleStates::restrictive(problem),
            None => self,
        }
    }

    /// Goes on to the next line.
    pub(crate) fn take(&mut self, line: &Value, registry: &Registry, now_ms: u64) {
        match line.get(LAYER) {
            Some(layer) => self.take_bound(layer, line, registry, now_ms),
            None => self.take_change(line, registry, now_ms),
        }
    }

    /// A line of a layer. One that cannot be read closes the toggle, and one of a layer that nobody knows counts as of the
    /// widest.
    fn take_bound(&mut self, layer: &Value, line: &Value, registry: &Registry, now_ms: u64) {
        let text = |member: &str| line.get(member).and_then(Value::as_str);
        if text("result") == Some(TransitionResult::Denied.as_str()) {
            return;
        }
        let Some(key) = text("key") else {
            self.problem = Some("a bound does not say of which toggle it is: every toggle is restrictive".to_owned());
            return;
        };
        let Some(toggle) = registry.get(key) else { return };
        let layer = layer.as_str().and_then(Layer::from_word).unwrap_or(Layer::Organisation);
        let read = Transition::of_line(line);
        let bound = read.as_ref().and_then(|transition| bound_of(toggle, transition)).unwrap_or(Bound::Closed);
        let lifted = read.as_ref().filter(|transition| transition.reason == LIFT);
        let lifted_ms =
            lifted.map(|transition| transition.at_ms).filter(|at_ms| Made::at(*at_ms, now_ms).is_waited_for());
        let last_lifted_ms = lifted_ms.or(self.bound(key, layer).bounded.last_lifted_ms);
        let set_ms = read.map(|transition| transition.at_ms);
        let actor = text("actor").unwrap_or_default().to_owned();
        let bounded = Bounded { bound, last_lifted_ms };
        self.bounds.insert((key.to_owned(), layer), LayerBound { bounded, actor, set_ms });
    }

    fn take_change(&mut self, line: &Value, registry: &Registry, now_ms: u64) {
        let Some(transition) = Transition::of_line(line) else { return };
        let Some(toggle) = registry.get(&transition.key).filter(|_| transition.result == TransitionResult::Ok) else {
            return;
        };
        let to = ToggleState::from_word(&transition.to_state);
        let loosened = (to == Some(ToggleState::Permissive)).then(|| Made::at(transition.at_ms, now_ms));
        self.to_come.remove(&transition.key);
        let record = match loosened {
            Some(Made::Counts) => {
                // Without the limits it was granted with, it was never granted.
                let terms = terms_of(toggle, &transition);
                let state = if terms.is_some() { ToggleState::Permissive } else { ToggleState::Restrictive };
                Record { state, last_loosened_ms: Some(transition.at_ms), terms: terms.unwrap_or_default() }
            }
            Some(Made::Ahead) => {
                self.to_come.insert(transition.key.clone());
                Record { last_loosened_ms: Some(transition.at_ms), ..Record::START }
            }
            Some(Made::FarAhead) => {
                self.to_come.insert(transition.key.clone());
                gate::tighten(&self.record(&transition.key))
            }
            Some(Made::Over) | None => gate::tighten(&self.record(&transition.key)),
        };
        self.records.insert(transition.key, record);
    }
}

/// What a loosening is worth now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// The toggle is permissive.
    Counts,
    /// It was so long ago that it no longer counts.
    Over,
    /// Its time is still to come. It gates, for such a time would never run out, but the wait has begun: two processes that
    /// read the clock before they wait for the lock may write in the other order.
    Ahead,
    /// Its time is so far ahead that a clock was wrong. A wait for it would not end.
    FarAhead,
}

impl Made {
    /// Whether the wait for the next one runs from its time.
    fn is_waited_for(self) -> bool {
        match self {
            Made::Counts | Made::Ahead => true,
            Made::Over | Made::FarAhead => false,
        }
    }

    fn at(at_ms: u64, now_ms: u64) -> Made {
        match now_ms.checked_sub(at_ms) {
            Some(age_ms) if age_ms < LOOK_BACK_MS => Made::Counts,
            Some(_) => Made::Over,
            None if at_ms.saturating_sub(now_ms) < LOOK_BACK_MS => Made::Ahead,
            None => Made::FarAhead,
        }
    }
}
