//! Uses of loosened toggles: what calls took of a daily cap or a budget, over all processes and restarts.
//!
//! A use is taken before the call and given back if the call did not happen, so that calls at the same time cannot pass a
//! limit together. Must never count less than what was taken: where the stream cannot be read, everything is used up.

use crate::chain::{Chain, Trouble};
use crate::day::Day;
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::heads::{Named, read_since};
use crate::lines;
use crate::storage::Storage;
use crate::streams::{Stream, Transitions};
use crate::transition::count_of;
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::ports::{Meter, NotDurable, Settled, Shortage};
use holdpoint_core::report;
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::uses::Use;
use holdpoint_core::words::Word;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a line that takes.
pub(crate) const USE: &str = "use";
/// The kind of a line that says what became of what was taken.
pub(crate) const SETTLED: &str = "settled";

/// Whether counting also takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Uses are written down.
    Take,
    /// Uses are only compared with their limits, for a call that is judged and not carried out.
    Look,
}

/// The stream of uses.
#[derive(Debug)]
pub struct Uses<S = Disk> {
    chain: Chain<S>,
    transitions: Transitions<S>,
    counting: Counting,
}

impl Uses<Disk> {
    /// The uses of a state folder. Nothing is touched before the first one.
    pub fn of(folder: &StateFolder, counting: Counting) -> Uses {
        Uses::over(Disk::new(folder, Stream::Uses), Transitions::of(folder), counting)
    }
}

/// What was taken of one toggle, by the call that took it.
type Taken = BTreeMap<String, Vec<(ToggleKey, u64, u64)>>;

impl<S: Storage> Uses<S> {
    /// The uses in this storage. A budget that is used up is told to the transitions.
    pub fn over(storage: S, transitions: Transitions<S>, counting: Counting) -> Uses<S> {
        Uses { chain: Chain::new(storage), transitions, counting }
    }

    /// How many uses of a toggle count on the UTC day of `now_ms`; `None` where that cannot be told.
    pub fn today(&self, key: ToggleKey, now_ms: u64) -> Option<u64> {
        let day = Day::at(now_ms);
        let named = self.transitions.named(Stream::Uses).ok()?;
        let snapshot = lines::snapshot(self.chain.storage()).ok()?;
        let taken = taken(self.chain.storage(), &named, snapshot, day).ok()?;
        Some(count(&taken, key, |at_ms| Day::at(at_ms) == day))
    }

    /// Takes the uses, or returns the toggles that have too few left.
    fn take(&self, uses: &[Use], reference: &str, at_ms: u64) -> Result<Permissive, NotDurable> {
        let mut used_up = Permissive::EMPTY;
        let mut make = || {
            let taken = self.taken_since_any(uses, at_ms)?;
            let short = uses.iter().filter(|wanted| !fits(&taken, wanted, at_ms));
            used_up = short.fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key));
            let line = |wanted: &Use| use_line(wanted, reference, at_ms).ok_or(Trouble::LineTooLong);
            match (self.counting, used_up.is_empty()) {
                (Counting::Take, true) => uses.iter().map(line).collect(),
                (Counting::Take, false) | (Counting::Look, _) => Ok(Vec::new()),
            }
        };
        match self.counting {
            Counting::Take => self.chain.append(at_ms, make).map(|_| ())?,
            Counting::Look => make().map(|_| ())?,
        }
        Ok(used_up)
    }

    fn taken_since_any(&self, uses: &[Use], at_ms: u64) -> Result<Taken, Trouble> {
        let since_ms = uses.iter().filter_map(|wanted| wanted.budget).map(|budget| budget.since_ms).min();
        let since = Day::at(since_ms.unwrap_or(at_ms).min(at_ms));
        // In this order what a decision names is in the snapshot.
        let named = self.transitions.named(Stream::Uses)?;
        let snapshot = match self.counting {
            Counting::Take => lines::snapshot_under_lock(self.chain.storage()),
            Counting::Look => lines::snapshot(self.chain.storage()),
        };
        taken(self.chain.storage(), &named, snapshot.map_err(Trouble::io("read"))?, since)
    }

    /// Tightens every toggle whose budget this call has used up. Where that cannot be written down, the count alone
    /// keeps the toggle from being used.
    fn end_budgets(&self, uses: &[Use], at_ms: u64) {
        let budgeted = uses.iter().filter(|taken| taken.budget.is_some());
        let Ok(taken) = self.taken_since_any(uses, at_ms) else { return };
        let ended = budgeted.filter(|used| !fits(&taken, &Use { count: 1, daily: None, ..(*used).clone() }, at_ms));
        for used in ended {
            let since_ms = used.budget.map(|budget| budget.since_ms);
            let _ = self.transitions.end_budget(used.key, since_ms, at_ms);
        }
    }
}

impl<S: Storage> Meter for Uses<S> {
    fn reserve(&self, uses: &[Use], reference: &str, at_ms: u64) -> Result<(), Shortage> {
        let all = || uses.iter().fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key));
        match self.take(uses, reference, at_ms) {
            Ok(used_up) if used_up.is_empty() => {
                if self.counting == Counting::Take {
                    self.end_budgets(uses, at_ms);
                }
                Ok(())
            }
            Ok(used_up) => Err(Shortage::UsedUp(used_up)),
            Err(_) => Err(Shortage::NotCounted(all())),
        }
    }

    fn settle(&self, reference: &str, settled: Settled, at_ms: u64) -> Result<(), NotDurable> {
        match self.counting {
            Counting::Look => Ok(()),
            Counting::Take => {
                let line = settled_line(reference, settled, at_ms).ok_or(Trouble::LineTooLong)?;
                self.chain.append(at_ms, || Ok(vec![line])).map(|_| ()).map_err(NotDurable::from)
            }
        }
    }
}

/// A line of the stream.
enum Read {
    Use { reference: String, of: (ToggleKey, u64, u64) },
    Settled { reference: String, settled: Settled },
}

impl Read {
    fn of(line: &[u8]) -> Option<Read> {
        let line: Value = serde_json::from_slice(line).ok()?;
        let text = |member: &str| line.get(member).and_then(Value::as_str);
        let reference = text("correlation_id")?.to_owned();
        match text("kind")? {
            USE => {
                let key = ToggleKey::from_word(text("key")?)?;
                let count = count_of(line.get("count")?)?;
                let seconds = line.get("ts")?.as_f64().filter(|seconds| *seconds >= 0.0)?;
                Some(Read::Use { reference, of: (key, count, (seconds * 1_000.0).round() as u64) })
            }
            SETTLED => Some(Read::Settled { reference, settled: Settled::from_word(text("settled")?)? }),
            _ => None,
        }
    }
}

/// Everything that was taken from a day on and not given back.
fn taken<S: Storage>(storage: &S, named: &Named, snapshot: lines::Snapshot, since: Day) -> Result<Taken, Trouble> {
    let mut taken = Taken::new();
    let mut returned = BTreeSet::new();
    read_since(storage, named, snapshot, since, |walk| {
        match Read::of(walk.line()) {
            Some(Read::Use { reference, of }) => taken.entry(reference).or_default().push(of),
            Some(Read::Settled { reference, settled: Settled::NotDone }) => drop(returned.insert(reference)),
            Some(Read::Settled { settled: Settled::Done, .. }) => {}
            // Something was taken, and nobody can tell how much.
            None => return Err(walk.unreadable("is neither a use nor what became of one")),
        }
        Ok(())
    })?;
    taken.retain(|reference, _| !returned.contains(reference));
    Ok(taken)
}

fn count(taken: &Taken, key: ToggleKey, counts: impl Fn(u64) -> bool) -> u64 {
    let of_key = taken.values().flatten().filter(|(own, _, at_ms)| *own == key && counts(*at_ms));
    of_key.fold(0, |sum, (_, count, _)| sum.saturating_add(*count))
}

fn fits(taken: &Taken, wanted: &Use, at_ms: u64) -> bool {
    let today = Day::at(at_ms);
    let within = |limit: u64, used: u64| used.saturating_add(wanted.count) <= limit;
    let daily = wanted.daily.is_none_or(|limit| within(limit, count(taken, wanted.key, |at| Day::at(at) == today)));
    let budget = wanted
        .budget
        .is_none_or(|budget| within(budget.uses, count(taken, wanted.key, |at_ms| at_ms >= budget.since_ms)));
    daily && budget
}

fn use_line(taken: &Use, reference: &str, at_ms: u64) -> Option<Line> {
    Line::new(Json::object([
        ("ts", report::timestamp(at_ms)),
        ("kind", Json::text(USE)),
        ("correlation_id", Json::text(reference)),
        ("key", Json::text(taken.key.as_str())),
        ("count", Json::count(taken.count)),
    ]))
}

fn settled_line(reference: &str, settled: Settled, at_ms: u64) -> Option<Line> {
    Line::new(Json::object([
        ("ts", report::timestamp(at_ms)),
        ("kind", Json::text(SETTLED)),
        ("correlation_id", Json::text(reference)),
        ("settled", Json::text(settled.as_str())),
    ]))
}
