//! Changing toggles and the bounds on them. The transitions are the only record of their state: what the chain does not say
//! is restrictive, and so is everything from the first line on that does not verify.

use crate::chain::Trouble;
use crate::heads::Named;
use crate::kept::{self, Kept};
use crate::lines::{self, Snapshot};
use crate::storage::Storage;
use crate::streams::{Stream, Transitions};
use crate::toggle_lines::Request;
use crate::transition::Requester;
use crate::verify::Walk;
use holdpoint_core::bound::{Bounded, Layer};
use holdpoint_core::grant::Terms;
use holdpoint_core::journal::Head;
use holdpoint_core::ports::NotDurable;
use holdpoint_core::registry::{Registry, SafetyToggle, ToggleState, own_registry};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::transition::{Loosening, Record, Refusal};
use holdpoint_core::words::Word;
use std::fmt::Display;

pub use crate::toggle_states::{LOOK_BACK_MS, LayerBound, ToggleStates};

/// Who tightens a toggle whose budget is used up.
const BUDGET_ACTOR: &str = "holdpoint";
/// Why.
const BUDGET_REASON: &str = "budget_used_up";

/// Who changes a toggle, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct By {
    /// The person, as the transport knows them.
    pub actor: String,
    /// Where the request came from.
    pub requester: Requester,
}

/// What is to become of a toggle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It stops gating.
    Loosen(Loosening),
    /// It gates again.
    Tighten,
    /// A layer lets nobody below loosen it beyond these terms; without any, not at all.
    Bound {
        /// Whose bound it is.
        layer: Layer,
        /// What it leaves.
        terms: Terms,
    },
    /// A layer lets those below loosen it within the terms that are asked for, or without its bound where there are none.
    Lift {
        /// Whose bound it is.
        layer: Layer,
        /// What the operator gives.
        asked: Loosening,
    },
}

impl Change {
    /// Whether anything could be looser afterwards than a record that cannot be read says.
    fn may_loosen(&self) -> bool {
        match self {
            Change::Loosen(_) | Change::Lift { .. } => true,
            Change::Tighten => false,
            Change::Bound { terms, .. } => *terms != Terms::default(),
        }
    }
}

/// What became of it. Both are on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It stands like this now.
    Done(Record),
    /// Its bound is this one now.
    Bounded(Bounded),
    /// It stands as before.
    Refused {
        /// The gate that refused.
        refusal: Refusal,
        /// Seconds until it may be asked again.
        wait_s: u32,
    },
}

impl<S: Storage> Transitions<S> {
    /// How every toggle stands, from what is kept of the transitions where that is enough, else from all of them.
    pub fn toggles(&self, registry: &Registry, now_ms: u64) -> ToggleStates {
        if let Some(states) = self.kept_states(registry, now_ms) {
            return states;
        }
        let (states, kept) = self.walked(registry, now_ms);
        if let Some((kept, head)) = kept {
            kept.write(self.storage(), self.key(), head);
        }
        states
    }

    fn kept_states(&self, registry: &Registry, now_ms: u64) -> Option<ToggleStates> {
        let found = kept::find(self.storage(), self.key())?;
        // In this order what a decision names is in the transitions.
        let named = self.named(Stream::Transitions).ok()?;
        let head = kept::certain_head(self.storage(), named.head).ok()??;
        let mut states = ToggleStates::default();
        for line in found.lines(head, now_ms)? {
            states.take(&serde_json::from_slice(line).ok()?, registry, now_ms);
        }
        Some(states.unless_a_problem())
    }

    /// The same from all transitions, whatever is kept of them, so that damage of any line shows. Nothing is written.
    pub fn toggles_of_chain(&self, registry: &Registry, now_ms: u64) -> ToggleStates {
        self.walked(registry, now_ms).0
    }

    /// The states, and what is to be kept if nothing is wrong.
    fn walked(&self, registry: &Registry, now_ms: u64) -> (ToggleStates, Option<(Kept, Head)>) {
        // In this order what a decision names is in the snapshot.
        let named = self.named(Stream::Transitions);
        let read = || Ok::<_, Trouble>((named?, lines::snapshot(self.storage()).map_err(Trouble::io("read"))?));
        match read() {
            Ok((named, snapshot)) => self.states(&named, snapshot, registry, now_ms),
            Err(trouble) => (ToggleStates::restrictive(unreadable(&trouble)), None),
        }
    }

    /// Changes one toggle, or writes down why not. Nobody else can change any in between.
    pub fn change(
        &self,
        registry: &Registry,
        toggle: &SafetyToggle,
        change: &Change,
        by: &By,
        now_ms: u64,
    ) -> Result<Changed, NotDurable> {
        let mut changed = None;
        let make = || {
            let states = self.states_under_lock(registry, now_ms)?;
            let (line, outcome) = Request { toggle, states: &states, by, now_ms }.decide(change);
            // A broken chain keeps everything restrictive, so a loosening would be told and have no effect, and nobody can
            // tell whether a bound is narrower than the one before.
            if let (true, Some(problem)) = (change.may_loosen(), states.problem) {
                return Err(Trouble::damaged("transitions", &problem));
            }
            changed = Some(outcome);
            Ok(vec![line])
        };
        self.append_made(now_ms, make)?;
        changed.ok_or_else(|| NotDurable { cause: "nothing was changed".to_owned() })
    }

    /// Tightens every toggle that is permissive, or would turn so by itself, all at once; returns their keys.
    pub fn reset(&self, registry: &Registry, by: &By, now_ms: u64) -> Result<Vec<String>, NotDurable> {
        let mut tightened = Vec::new();
        let make = || {
            let states = self.states_under_lock(registry, now_ms)?;
            tightened = states.to_be_tightened();
            let toggles = tightened.iter().filter_map(|key| registry.get(key));
            let line = |toggle| Request { toggle, states: &states, by, now_ms }.decide(&Change::Tighten).0;
            Ok(toggles.map(line).collect())
        };
        self.append_made(now_ms, make)?;
        Ok(tightened)
    }

    /// Tightens a toggle whose budget is used up, unless somebody has loosened it again in the meantime.
    pub(crate) fn end_budget(&self, key: ToggleKey, since_ms: Option<u64>, now_ms: u64) -> Result<(), NotDurable> {
        let make = || {
            let registry = own_registry().map_err(|_| Trouble::damaged("transitions", "the toggles are not fit"))?;
            let states = self.states_under_lock(&registry, now_ms)?;
            let record = states.record(key.as_str());
            let same = record.state == ToggleState::Permissive && record.last_loosened_ms == since_ms;
            let by = By { actor: BUDGET_ACTOR.to_owned(), ..By::default() };
            let ended = |toggle| Request { toggle, states: &states, by: &by, now_ms }.tighten(BUDGET_REASON).0;
            Ok(registry.get(key.as_str()).filter(|_| same).map(ended).into_iter().collect())
        };
        Ok(self.append_made(now_ms, make).map(|_| ())?)
    }

    fn states_under_lock(&self, registry: &Registry, now_ms: u64) -> Result<ToggleStates, Trouble> {
        let snapshot = lines::snapshot_under_lock(self.storage()).map_err(Trouble::io("read"))?;
        Ok(self.states(&self.named(Stream::Transitions)?, snapshot, registry, now_ms).0)
    }

    fn states(
        &self,
        named: &Named,
        snapshot: Snapshot,
        registry: &Registry,
        now_ms: u64,
    ) -> (ToggleStates, Option<(Kept, Head)>) {
        let (mut states, mut kept) = (ToggleStates::default(), Kept::at(now_ms));
        let mut walk = Walk::new(self.storage(), snapshot);
        let mut is_there = walk.head() == named.head;
        loop {
            match walk.advance() {
                Ok(true) => {
                    if let Ok(line) = serde_json::from_slice(walk.line()) {
                        states.take(&line, registry, now_ms);
                        kept.take(walk.line(), &line);
                    }
                    is_there |= walk.head() == named.head;
                }
                Ok(false) => break,
                Err(error) => return (ToggleStates::restrictive(unreadable(&error)), None),
            }
        }
        if let Some(found) = walk.first_break() {
            let place = format!("line {} of the transitions' `{}`", found.line, found.file);
            let problem = format!("{place} {}: every toggle is restrictive", found.what.text());
            return (ToggleStates::restrictive(problem), None);
        }
        if is_there {
            (states.unless_a_problem(), Some((kept, walk.head())))
        } else {
            (ToggleStates::restrictive(format!("{}: every toggle is restrictive", named.lost())), None)
        }
    }
}

fn unreadable(error: &impl Display) -> String {
    format!("the transitions cannot be read ({error}): every toggle is restrictive")
}
