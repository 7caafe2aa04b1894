//! The state of every toggle, as the transitions left it. There is no other record of it: what the chain does not say is
//! restrictive, and so is everything from the first line on that does not verify.

use crate::chain::Trouble;
use crate::heads::Named;
use crate::lines::{self, Snapshot};
use crate::storage::Storage;
use crate::streams::{Stream, Transitions};
use crate::transition::{Cap, Limits, Requester, Transition, TransitionResult};
use crate::verify::Walk;
use holdpoint_core::digest::Digest;
use holdpoint_core::grant::{Cap as CapValue, Grant, Hours, Loosened, Terms};
use holdpoint_core::ports::NotDurable;
use holdpoint_core::registry::{CapShape, Registry, SafetyToggle, ToggleState, own_registry};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::transition::{self as gate, Loosening, Record, Refusal, cooldown_left_s};
use holdpoint_core::words::Word;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Milliseconds after which a loosening no longer counts, so that nothing stays loose because it was forgotten.
pub const LOOK_BACK_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// Who tightens a toggle whose budget is used up.
const BUDGET_ACTOR: &str = "holdpoint";
/// Why.
const BUDGET_REASON: &str = "budget_used_up";

/// How every toggle stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToggleStates {
    records: BTreeMap<String, Record>,
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

    /// What the core's toggles let through at this instant. Outside its hours a toggle is restrictive.
    pub fn loosened(&self, now_ms: u64) -> Loosened {
        ToggleKey::ALL.iter().fold(Loosened::NONE, |loosened, key| match self.records.get(key.as_str()) {
            Some(record) if is_in_force(record, now_ms) => {
                let since_ms = record.last_loosened_ms.unwrap_or(now_ms);
                loosened.with(*key, Grant { terms: record.terms.clone(), since_ms })
            }
            Some(_) | None => loosened,
        })
    }

    /// Whether a toggle is permissive at this instant, whoever declared it.
    pub fn is_loosened(&self, key: &str, now_ms: u64) -> bool {
        self.records.get(key).is_some_and(|record| is_in_force(record, now_ms))
    }

    /// The keys of all toggles that are permissive, within their hours or not.
    pub fn permissive_keys(&self) -> Vec<String> {
        let loose = |(key, record): (&String, &Record)| (record.state == ToggleState::Permissive).then(|| key.clone());
        self.records.iter().filter_map(loose).collect()
    }

    fn restrictive(problem: String) -> ToggleStates {
        ToggleStates { problem: Some(problem), ..ToggleStates::default() }
    }

    fn take(&mut self, line: &[u8], registry: &Registry, now_ms: u64) {
        let read = serde_json::from_slice(line).ok().and_then(|line| Transition::of_line(&line));
        let Some(transition) = read else { return };
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

/// Whether a toggle is permissive and within its hours.
fn is_in_force(record: &Record, now_ms: u64) -> bool {
    record.state == ToggleState::Permissive && record.terms.hours.is_none_or(|hours| hours.hold(now_ms))
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
    fn at(at_ms: u64, now_ms: u64) -> Made {
        match now_ms.checked_sub(at_ms) {
            Some(age_ms) if age_ms < LOOK_BACK_MS => Made::Counts,
            Some(_) => Made::Over,
            None if at_ms.saturating_sub(now_ms) < LOOK_BACK_MS => Made::Ahead,
            None => Made::FarAhead,
        }
    }
}

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
}

/// What became of it. Both are on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It stands like this now.
    Done(Record),
    /// It stands as before.
    Refused {
        /// The gate that refused.
        refusal: Refusal,
        /// Seconds until it may be asked again.
        wait_s: u32,
    },
}

impl<S: Storage> Transitions<S> {
    /// How every toggle stands.
    pub fn toggles(&self, registry: &Registry, now_ms: u64) -> ToggleStates {
        // In this order what a decision names is in the snapshot.
        let named = self.named(Stream::Transitions);
        let read = || Ok::<_, Trouble>((named?, lines::snapshot(self.storage()).map_err(Trouble::io("read"))?));
        match read() {
            Ok((named, snapshot)) => self.states(&named, snapshot, registry, now_ms),
            Err(trouble) => ToggleStates::restrictive(unreadable(&trouble)),
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
            let record = states.record(&toggle.declaration().key);
            let (line, outcome) = decide(toggle, &record, change, by, now_ms);
            // A broken chain keeps everything restrictive, so a loosening would be told and have no effect.
            if let (Change::Loosen(_), Some(problem)) = (change, states.problem) {
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
            let keys: BTreeSet<String> =
                states.permissive_keys().into_iter().chain(states.to_come.iter().cloned()).collect();
            tightened = keys.into_iter().collect();
            let toggles = tightened.iter().filter_map(|key| registry.get(key));
            let line = |toggle: &SafetyToggle| {
                let record = states.record(&toggle.declaration().key);
                decide(toggle, &record, &Change::Tighten, by, now_ms).0
            };
            Ok(toggles.map(line).collect())
        };
        self.append_made(now_ms, make)?;
        Ok(tightened)
    }

    /// Tightens a toggle whose budget is used up, unless somebody has loosened it again in the meantime.
    pub(crate) fn end_budget(&self, key: ToggleKey, since_ms: Option<u64>, now_ms: u64) -> Result<(), NotDurable> {
        let make = || {
            let registry = own_registry().map_err(|_| Trouble::damaged("transitions", "the toggles are not fit"))?;
            let record = self.states_under_lock(&registry, now_ms)?.record(key.as_str());
            let same = record.state == ToggleState::Permissive && record.last_loosened_ms == since_ms;
            let by = By { actor: BUDGET_ACTOR.to_owned(), ..By::default() };
            let ended = |toggle| Transition {
                reason: BUDGET_REASON.to_owned(),
                ..decide(toggle, &record, &Change::Tighten, &by, now_ms).0
            };
            Ok(registry.get(key.as_str()).filter(|_| same).map(ended).into_iter().collect())
        };
        Ok(self.append_made(now_ms, make).map(|_| ())?)
    }

    fn states_under_lock(&self, registry: &Registry, now_ms: u64) -> Result<ToggleStates, Trouble> {
        let snapshot = lines::snapshot_under_lock(self.storage()).map_err(Trouble::io("read"))?;
        Ok(self.states(&self.named(Stream::Transitions)?, snapshot, registry, now_ms))
    }

    fn states(&self, named: &Named, snapshot: Snapshot, registry: &Registry, now_ms: u64) -> ToggleStates {
        let mut states = ToggleStates::default();
        let mut walk = Walk::new(self.storage(), snapshot);
        let mut is_there = walk.head() == named.head;
        loop {
            match walk.advance() {
                Ok(true) => {
                    states.take(walk.line(), registry, now_ms);
                    is_there |= walk.head() == named.head;
                }
                Ok(false) => break,
                Err(error) => return ToggleStates::restrictive(unreadable(&error)),
            }
        }
        if let Some(found) = walk.first_break() {
            let place = format!("line {} of the transitions' `{}`", found.line, found.file);
            return ToggleStates::restrictive(format!("{place} {}: every toggle is restrictive", found.what.text()));
        }
        if is_there {
            states
        } else {
            ToggleStates::restrictive(format!("{}: every toggle is restrictive", named.lost()))
        }
    }
}

fn unreadable(error: &impl Display) -> String {
    format!("the transitions cannot be read ({error}): every toggle is restrictive")
}

/// The line of a change, and what becomes of it.
fn decide(toggle: &SafetyToggle, record: &Record, change: &Change, by: &By, now_ms: u64) -> (Transition, Changed) {
    let line = |to: ToggleState, result, reason: &str| Transition {
        at_ms: now_ms,
        actor: by.actor.clone(),
        key: toggle.declaration().key.to_string(),
        from_state: record.state.as_str().to_owned(),
        to_state: to.as_str().to_owned(),
        result,
        reason: reason.to_owned(),
        cap: None,
        limits: Limits::default(),
        phrase_hash: None,
        requester: by.requester.clone(),
    };
    let asked = match change {
        Change::Tighten => {
            let line = line(ToggleState::Restrictive, TransitionResult::Ok, "tighten");
            return (line, Changed::Done(gate::tighten(record)));
        }
        Change::Loosen(asked) => asked,
    };
    let phrase_hash = Some(Digest::of_parts("holdpoint phrase 1", &[asked.phrase.as_bytes()]));
    match gate::loosen(toggle, record, asked, now_ms) {
        Ok(after) => {
            let cap = after.terms.cap.as_ref().and_then(|cap| cap_line(toggle, cap));
            let limits = limits_line(&after.terms);
            let line = line(ToggleState::Permissive, TransitionResult::Ok, "loosen");
            (Transition { cap, limits, phrase_hash, ..line }, Changed::Done(after))
        }
        Err(refusal) => {
            let wait_s = cooldown_left_s(toggle, record, now_ms);
            let line = line(ToggleState::Permissive, TransitionResult::Denied, refusal.as_str());
            (Transition { phrase_hash, ..line }, Changed::Refused { refusal, wait_s })
        }
    }
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
fn terms_of(toggle: &SafetyToggle, line: &Transition) -> Option<Terms> {
    let cap = match (toggle.declaration().cap.as_ref(), &line.cap) {
        (None, None) => None,
        (Some(CapShape::Daily { .. }), Some(Cap { int_value: Some(count), .. })) => Some(CapValue::Daily(*count)),
        (Some(CapShape::List { .. }), Some(Cap { list_value: Some(names), .. })) => Some(CapValue::List(names.clone())),
        (Some(CapShape::Daily { .. } | CapShape::List { .. }), _) | (None, Some(_)) => return None,
    };
    let Limits { only, budget, hours } = line.limits.clone();
    let hours = match hours {
        None => None,
        Some(text) => Some(Hours::parse(&text)?),
    };
    Some(Terms { cap, only, budget, hours })
}
