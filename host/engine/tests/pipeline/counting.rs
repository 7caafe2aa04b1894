//! What a call takes of a limit.

use crate::fakes::*;
use holdpoint::core::assess::Route;
use holdpoint::core::authorize::Recorded;
use holdpoint::core::finding::Finding;
use holdpoint::core::grant::{Cap, Grant, Loosened, Terms};
use holdpoint::core::level::Level;
use holdpoint::core::operation::{Access, Certainty, Effect, Operation, Segment, TargetKind, Traits, Verb};
use holdpoint::core::ports::{Journal, Meter, NotDurable, Settled, Shortage};
use holdpoint::core::run::Driver;
use holdpoint::core::toggle::{Permissive, ToggleKey};
use holdpoint::core::uses::Use;
use holdpoint::core::verdict::{Remedy, Rule};
use holdpoint::core::words::{Word, WordSet};
use holdpoint::{Caller, CapabilitySnapshot, Holdpoint, Uncounted};
use std::sync::{Arc, Mutex};

/// Has room for so many uses, and writes down what it was told.
#[derive(Clone, Default)]
struct Room(Arc<Mutex<(u64, Vec<String>)>>);

impl Meter for Room {
    fn reserve(&self, uses: &[Use], reference: &str, _at_ms: u64) -> Result<(), Shortage> {
        let keys = uses.iter().fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key));
        let mut state = self.0.lock().map_err(|_| Shortage::NotCounted(keys))?;
        let wanted: u64 = uses.iter().map(|wanted| wanted.count).sum();
        state.1.push(format!("{wanted} for {reference}"));
        state.0 = state.0.checked_sub(wanted).ok_or(Shortage::UsedUp(keys))?;
        Ok(())
    }

    fn settle(&self, reference: &str, settled: Settled, _at_ms: u64) -> Result<(), NotDurable> {
        let mut state = self.0.lock().map_err(|_| NotDurable { cause: "poisoned".to_owned() })?;
        state.1.push(format!("{settled} {reference}"));
        Ok(())
    }
}

/// Decides a call that reaches another machine, with the network loosened for two uses a day.
fn reaches(room: &Room, journal: impl Journal + Send + Sync + 'static, change: fn(&mut Caller)) -> Recorded {
    let answer: Answer = |_, _| {
        let traits = Traits::of(&[holdpoint::core::operation::Trait::Network]);
        Ok(Finding { operations: vec![Operation { traits, ..nothing() }], ..Finding::default() })
    };
    counts(answer, room, journal, change)
}

/// Decides a call that runs code.
fn runs(room: &Room, change: fn(&mut Caller)) -> Recorded {
    let answer: Answer = |_, _| {
        let target = vec![Segment { kind: TargetKind::Code, name: "x".to_owned(), certainty: Certainty::Exact }];
        let (access, effect) = (Access::Write, Effect::Reversible);
        let operation = Operation { verb: Verb::Exec, target, access, effect, ..nothing() };
        Ok(Finding { operations: vec![operation], ..Finding::default() })
    };
    counts(answer, room, Lines::default(), change)
}

#[expect(clippy::expect_used, reason = "a gate of the test that lacks a part fails the test")]
fn counts(
    answer: Answer,
    room: &Room,
    journal: impl Journal + Send + Sync + 'static,
    change: fn(&mut Caller),
) -> Recorded {
    let gate = Holdpoint::builder()
        .vocabularies(claims(Route::Direct), Fake(answer))
        .journal(journal)
        .meter(room.clone())
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_host())
        .build()
        .expect("nothing is missing");
    let mut caller = caller(Level::Unrestricted);
    let terms = Terms { cap: Some(Cap::Daily(2)), ..Terms::default() };
    caller.standing.loosened =
        Loosened::NONE.with(ToggleKey::NetAllowOutbound, Grant { terms, since_ms: 0, ..Grant::default() });
    change(&mut caller);
    gate.decide(caller, call("T"))
}

fn told(room: &Room) -> Vec<String> {
    room.0.lock().map(|state| state.1.clone()).unwrap_or_default()
}

#[test]
fn what_a_call_takes_of_a_limit_is_taken_before_it_happens_and_stands_in_its_record() {
    let room = Room(Arc::new(Mutex::new((1, Vec::new()))));
    let first = reaches(&room, Lines::default(), |_| {});
    assert!(matches!(first, Recorded::Committed(_)), "{first:?}");
    assert_eq!(first.judged().uses.iter().map(|taken| taken.count).collect::<Vec<_>>(), [1]);
    let second = reaches(&room, Lines::default(), |_| {});
    assert!(matches!(second, Recorded::Pending(_)), "{second:?}");
    let rule = second.judged().verdict.leading().map(|reason| reason.rule);
    assert_eq!(rule, Some(Rule::Toggle(ToggleKey::NetAllowOutbound)), "it is judged as if the toggle were restrictive");
    assert!(second.judged().uses.is_empty());
}

#[test]
fn what_is_not_let_through_takes_nothing_or_gives_it_back() {
    let room = Room(Arc::new(Mutex::new((1, Vec::new()))));
    let asked = reaches(&room, Lines::default(), |caller| caller.standing.loosened = Loosened::NONE);
    assert!(matches!(asked, Recorded::Pending(_)) && told(&room).is_empty());
    let lost = reaches(&room, Fails, |_| {});
    assert!(matches!(lost, Recorded::Denied(_)), "{lost:?}");
    let reference = lost.judged().stamp.correlation_id.clone();
    assert_eq!(told(&room), [format!("1 for {reference}"), format!("not-done {reference}")]);
}

#[test]
fn a_host_that_counts_nothing_meets_the_question() {
    assert_eq!(Uncounted.reserve(&[], "x", 0), Err(Shortage::NotCounted(Permissive::EMPTY)));
    let key = ToggleKey::NetAllowOutbound;
    let wanted = Use { key, count: 1, daily: Some(9), budget: None };
    assert_eq!(Uncounted.reserve(&[wanted], "x", 0), Err(Shortage::NotCounted(Permissive::of(&[key]))));
}

#[test]
fn who_has_used_up_a_day_is_told_when_the_next_one_begins() {
    let remedy = |left, change: fn(&mut Caller)| {
        let room = Room(Arc::new(Mutex::new((left, Vec::new()))));
        reaches(&room, Lines::default(), change).judged().verdict.remedy()
    };
    let denied: fn(&mut Caller) = |caller| caller.standing.denied = Permissive::of(&[ToggleKey::NetAllowOutbound]);
    assert_eq!(remedy(1, denied), None, "there is one left");
    assert_eq!(remedy(0, denied), Some(Remedy::Wait { retry_after_s: 86_400 }), "the clock stands at midnight");
    let never: fn(&mut Caller) = |caller| {
        caller.standing.denied = Permissive::of(&[ToggleKey::NetAllowOutbound]);
        caller.standing.loosened = Loosened::NONE;
    };
    assert_eq!(remedy(0, never), Some(Remedy::Human), "nothing was used up");
    let alone: fn(&mut Caller) = |caller| {
        let all: Loosened = WordSet::of(ToggleKey::ALL).into();
        caller.standing.loosened = all.without(Permissive::of(&[ToggleKey::AutonomousRaiseDailyOpCap]));
        caller.standing.run.driver = Driver::Autonomous;
        caller.standing.run.operations_today = 1_000_000;
    };
    let room = Room(Arc::new(Mutex::new((9, Vec::new()))));
    let told = runs(&room, alone).judged().verdict.remedy();
    assert_eq!(told, Some(Remedy::Wait { retry_after_s: 86_400 }), "the host counted them");
}

#[test]
fn a_decision_asks_whether_the_old_loosening_it_rests_on_is_still_needed() {
    let room = || Room(Arc::new(Mutex::new((9, Vec::new()))));
    let asked = |change: fn(&mut Caller)| reaches(&room(), Lines::default(), change).judged().still_needed.clone();
    let key = ToggleKey::NetAllowOutbound;
    assert_eq!(asked(|_| {}), [key]);
    let supposed: fn(&mut Caller) = |caller| caller.hypothetical = vec!["net.allow_outbound".to_owned()];
    assert_eq!(asked(supposed), [], "nobody loosened it");
    let stopped: fn(&mut Caller) = |caller| caller.standing.loosened = Loosened::NONE;
    assert_eq!(asked(stopped), [], "it was not let through");
}
