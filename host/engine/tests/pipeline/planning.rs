//! Plans: proposed as a whole, carried out step by step, and stopped by whatever changes in between.

use crate::fakes::{Answer, Fails, Fake, Lines, Still, call, caller, claims, nothing};
use holdpoint::core::approval::{Binding, Challenge, Consent, Redeemed, Via};
use holdpoint::core::asking::Channel;
use holdpoint::core::asking::Strength;
use holdpoint::core::assess::Route;
use holdpoint::core::authorize::Judged;
use holdpoint::core::digest::Digest;
use holdpoint::core::finding::Finding;
use holdpoint::core::json::Json;
use holdpoint::core::level::Level;
use holdpoint::core::operation::{Access, Certainty, Effect, Operation, Segment, TargetKind, Verb};
use holdpoint::core::outcome::Became;
use holdpoint::core::plan::{NoPlan, PLAN_STEPS_MAX, Plan};
use holdpoint::core::ports::{Approvals, Journal};
use holdpoint::core::posture::Freeze;
use holdpoint::core::verdict::Rule;
use holdpoint::{Call, Caller, CapabilitySnapshot, Holdpoint, Stopped, Uncounted};
use std::sync::{Arc, Mutex};

/// Something irreversible, which the level guarded asks about. What it is called with is its target.
const ASKS: Answer = |action, _| {
    let name = action.summary();
    let target = vec![Segment { kind: TargetKind::Code, name, certainty: Certainty::Exact }];
    let (access, effect) = (Access::Write, Effect::Irreversible);
    let operation = Operation { verb: Verb::Exec, target, access, effect, ..nothing() };
    Ok(Finding { operations: vec![operation], ..Finding::default() })
};

/// A yes to every plan at once, whose steps are given out in their order.
#[derive(Clone, Default)]
struct Yes(Arc<Mutex<Vec<Digest>>>);

impl Approvals for Yes {
    fn redeem(&self, binding: &Binding, _reference: &str, _at_ms: u64) -> Option<Consent> {
        let mut steps = self.0.lock().ok()?;
        if steps.first() != Some(&binding.digest()) {
            return None;
        }
        steps.remove(0);
        Some(Consent::Approved(Redeemed {
            id: "p".to_owned(),
            binding: binding.digest(),
            step: Some(1),
            strength: Strength::Password,
            by: "ana".to_owned(),
            via: Via::Terminal,
            asked_ms: 0,
            answered_ms: 0,
            expires_ms: u64::MAX,
        }))
    }

    fn open(&self, _binding: &Binding, _judged: &Judged) -> Option<Challenge> {
        None
    }

    fn open_plan(&self, plan: &Plan, _steps: &[Judged]) -> Option<Challenge> {
        *self.0.lock().ok()? = plan.steps().to_vec();
        Some(Challenge { id: "p".to_owned(), strength: plan.strength(), asked_ms: 0, expires_ms: 1 })
    }
}

#[expect(clippy::expect_used, reason = "a gate of the test that lacks a part fails the test")]
fn gate(yes: &Yes, journal: impl Journal + Send + Sync + 'static) -> Holdpoint {
    Holdpoint::builder()
        .vocabularies(claims(Route::Direct), Fake(ASKS))
        .journal(journal)
        .meter(Uncounted)
        .surroundings(Still)
        .approvals(yes.clone())
        .snapshot(CapabilitySnapshot::of_tools([("", "T")]))
        .build()
        .expect("nothing is missing")
}

fn nobody() -> Caller {
    Caller { channel: Channel::Nobody, ..caller(Level::Guarded) }
}

fn step(name: &str) -> Call {
    Call { arguments: Json::object([("name", Json::text(name))]), ..call("T") }
}

fn steps(names: &[&str]) -> Vec<Call> {
    names.iter().map(|name| step(name)).collect()
}

#[test]
fn a_plan_is_asked_as_a_whole_and_each_step_happens_once_in_its_order() {
    let yes = Yes::default();
    let gate = gate(&yes, Lines::default());
    let proposed = gate.propose(&nobody(), steps(&["a", "b"]));
    assert_eq!(proposed.question.map(|kept| kept.map(|kept| kept.id)), Ok(Some("p".to_owned())));
    let mut did = Vec::new();
    let run = gate.carry_out(nobody, steps(&["a", "b"]), |committed| {
        did.push(committed.judged().call.as_ref().and_then(|call| call.tool().arguments.get("name").cloned()));
        Became::Completed
    });
    assert_eq!(did, [Some(Json::text("a")), Some(Json::text("b"))]);
    assert!(run.stopped.is_none() && run.ran.len() == 2 && run.skipped == 0, "{run:?}");
    let again = gate.carry_out(nobody, steps(&["a", "b"]), |_| Became::Completed);
    assert!(again.ran.is_empty() && again.skipped == 1, "it is worth one run: {again:?}");
}

#[test]
fn a_freeze_between_two_steps_stops_the_rest_and_the_refusal_says_what_ran() {
    let yes = Yes::default();
    let gate = gate(&yes, Lines::default());
    let _ = gate.propose(&nobody(), steps(&["a", "b", "c"]));
    let mut asked = 0;
    let caller = || {
        asked += 1;
        let mut caller = nobody();
        let freeze = Freeze { by: "ana".to_owned(), why: "incident 7".to_owned(), since_ms: 0 };
        caller.standing.posture.freeze = (asked > 1).then_some(freeze);
        caller
    };
    let run = gate.carry_out(caller, steps(&["a", "b", "c"]), |_| Became::Completed);
    assert_eq!((run.ran.len(), run.skipped), (1, 1));
    let refusal = run.refusal();
    assert_eq!(refusal.get("rule"), Some(&Json::text(Rule::Frozen.as_str())));
    assert_eq!(refusal.get("ran"), Some(&Json::Array(vec![Json::text("c")])), "{refusal:?}");
    assert_eq!(refusal.get("skipped"), Some(&Json::count(1)));
}

#[test]
fn a_step_that_did_not_happen_is_the_last_of_its_plan() {
    let yes = Yes::default();
    let gate = gate(&yes, Lines::default());
    let _ = gate.propose(&nobody(), steps(&["a", "b"]));
    let run = gate.carry_out(nobody, steps(&["a", "b"]), |_| Became::Skipped);
    assert!(matches!(run.stopped, Some(Stopped::NotDone(_))) && run.ran.is_empty() && run.skipped == 1, "{run:?}");
}

#[test]
fn a_step_whose_record_fails_does_not_happen() {
    let yes = Yes::default();
    let gate = gate(&yes, Fails);
    let _ = gate.propose(&nobody(), steps(&["a"]));
    let run = gate.carry_out(nobody, steps(&["a"]), |_| panic!("nothing may happen that is not written down"));
    assert!(matches!(run.stopped, Some(Stopped::Recorded(_))) && run.ran.is_empty());
}

#[test]
fn a_step_that_changed_or_came_too_early_is_not_covered() {
    for names in [["b", "a"], ["a2", "b"]] {
        let yes = Yes::default();
        let gate = gate(&yes, Lines::default());
        let _ = gate.propose(&nobody(), steps(&["a", "b"]));
        let run = gate.carry_out(nobody, steps(&names), |_| Became::Completed);
        assert!(run.ran.is_empty() && run.stopped.is_some(), "{names:?}");
    }
}

#[test]
fn what_nobody_could_answer_is_not_asked() {
    let gate = gate(&Yes::default(), Lines::default());
    let long = gate.propose(&nobody(), vec![step("a"); PLAN_STEPS_MAX + 1]);
    assert_eq!(long.question, Err(NoPlan::Length));
    let denied = gate.propose(&nobody(), vec![step("a"), call("none-such")]);
    assert_eq!(denied.question, Err(NoPlan::Denied(1)));
}
