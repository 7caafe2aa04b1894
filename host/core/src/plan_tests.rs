//! A plan binds its steps and their order, and nothing that is denied can be part of one.

use super::*;
use crate::assess::{Assessment, Route};
use crate::authorize::{Stamp, Who};
use crate::call::ToolCall;
use crate::level::Level;
use crate::proof::Transport;
use crate::verdict::{About, Reason, Rule, Verdict};
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;

fn step(command: &str, decision: Decision, strength: Strength) -> Judged {
    let call = ToolCall::new("", "Bash", Json::object([("command", Json::text(command))]), "/w").unwrap();
    let assessment = Assessment::new(call.action(), None, Route::Direct);
    let reason = Reason::new(Rule::Level, decision, About::Call, "because".into()).at_least(strength);
    Judged {
        stamp: Stamp { correlation_id: "c-1".into(), at_ms: 1_000 },
        who: Who {
            principal: "embed:x".into(),
            level: Level::Guarded,
            run: "run-1".into(),
            call: String::new(),
            via: Transport::Embedded,
        },
        call: Some(call),
        assessment: Some(assessment),
        verdict: Verdict::new(vec![reason], Vec::new()),
        sources: Vec::new(),
        hypothetical: Vec::new(),
        uses: Vec::new(),
        still_needed: Vec::new(),
        policy: Digest::of_file(b"policy"),
        consent: None,
        challenge: None,
    }
}

fn asks(command: &str) -> Judged {
    step(command, Decision::Ask, Strength::Keypress)
}

#[test]
fn a_plan_binds_each_question_of_its_steps_and_wants_the_strongest_answer() {
    let steps =
        [asks("a"), step("b", Decision::Allow, Strength::Keypress), step("c", Decision::Ask, Strength::Password)];
    let plan = Plan::of(&steps).unwrap();
    assert_eq!(plan.strength(), Strength::Password);
    let own: Vec<Digest> = [&steps[0], &steps[2]].map(|step| Binding::of(step).unwrap().digest()).into();
    assert_eq!(plan.steps(), own);
    assert!(!own.contains(&plan.digest()), "a plan is no step");
}

#[test]
fn what_nobody_can_answer_is_no_plan() {
    assert_eq!(Plan::of(&[]), Err(NoPlan::Length));
    let many = |count: usize| Plan::of(&vec![asks("a"); count]).map(|plan| plan.steps().len());
    assert_eq!(many(PLAN_STEPS_MAX), Ok(PLAN_STEPS_MAX));
    assert_eq!(many(PLAN_STEPS_MAX + 1), Err(NoPlan::Length));
    let denied = step("b", Decision::Deny, Strength::Keypress);
    assert_eq!(Plan::of(&[asks("a"), denied]), Err(NoPlan::Denied(1)));
    assert_eq!(Plan::of(&[step("a", Decision::Allow, Strength::Keypress)]), Err(NoPlan::NothingAsked));
    for change in [|who: &mut Who| who.run = "run-2".into(), |who: &mut Who| who.principal = "embed:y".into()] {
        let mut other = asks("b");
        change(&mut other.who);
        assert_eq!(Plan::of(&[asks("a"), other]), Err(NoPlan::SeveralRuns));
    }
}

#[test]
fn a_refused_step_says_what_of_its_plan_has_happened() {
    let denied = step("b", Decision::Deny, Strength::Keypress);
    let document = refusal_within(&denied, &["c-0".into()], 2);
    assert_eq!(document.get("ran"), Some(&Json::Array(vec![Json::text("c-0")])));
    assert_eq!(document.get("skipped"), Some(&Json::count(2)));
    assert_eq!(document.get("decision"), Some(&Json::text("deny")));
    assert_eq!(refusal_within(&asks("a"), &[], 0), Json::Null, "what is not denied is not refused");
}

proptest! {
    #[test]
    fn another_step_or_another_order_is_another_plan(
        left in proptest::collection::vec("[a-c]", 1..5),
        right in proptest::collection::vec("[a-c]", 1..5),
    ) {
        let digest = |commands: &[String]| {
            let steps: Vec<Judged> = commands.iter().map(|command| asks(command)).collect();
            Plan::of(&steps).unwrap().digest()
        };
        prop_assert_eq!(digest(&left) == digest(&right), left == right);
    }
}
