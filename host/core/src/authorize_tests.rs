//! No path leads from a failure to a permission.

use super::*;
use crate::action::{Action, SourceText, WorkingDir};
use crate::assess::Route;
use crate::journal::Line;
use core::cell::RefCell;

struct Memory {
    lines: RefCell<Vec<Line>>,
    fails: Option<&'static str>,
}

impl Journal for Memory {
    fn append(&self, lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        match self.fails {
            Some(cause) => Err(NotDurable { cause: cause.into() }),
            None => {
                self.lines.borrow_mut().extend(lines.iter().cloned());
                Ok(())
            }
        }
    }
}

fn judged(decision: Decision) -> Judged {
    let source = SourceText { language: "bash".into(), text: "ls".into(), cwd: WorkingDir::Same };
    let reason = Reason::new(Rule::Level, decision, About::Call, "because".into());
    Judged {
        stamp: Stamp { correlation_id: "c-1".into(), at_ms: 1_000 },
        who: Who {
            principal: "agent".into(),
            level: Level::Guarded,
            run: "run".into(),
            call: "call".into(),
            via: crate::proof::Transport::Hook,
        },
        call: None,
        assessment: Some(Assessment::new(Action::Source(source), None, Route::Shell)),
        verdict: Verdict::new(alloc::vec![reason], Vec::new()),
        sources: Vec::new(),
        hypothetical: Vec::new(),
        uses: Vec::new(),
        policy: crate::digest::Digest::ZERO,
        consent: None,
        challenge: None,
        still_needed: Vec::new(),
    }
}

fn recorded(decision: Decision, channel: Channel, fails: Option<&'static str>) -> (Recorded, usize) {
    let memory = Memory { lines: RefCell::new(Vec::new()), fails };
    let recorded = record(authorize(judged(decision), channel), &memory);
    (recorded, memory.lines.into_inner().len())
}

#[test]
fn every_outcome_is_recorded_before_it_is_told() {
    for decision in [Decision::Allow, Decision::Ask, Decision::Deny] {
        let (outcome, lines) = recorded(decision, Channel::Terminal, None);
        assert_eq!(lines, 1);
        assert_eq!(outcome.judged().verdict.decision(), decision);
    }
}

#[test]
fn a_record_that_is_not_durable_turns_every_outcome_into_a_denial() {
    for decision in [Decision::Allow, Decision::Ask, Decision::Deny] {
        let (outcome, _) = recorded(decision, Channel::Terminal, Some("disk full"));
        assert!(matches!(outcome, Recorded::Denied(_)), "{decision}");
        assert_eq!(outcome.judged().verdict.decision(), Decision::Deny);
    }
}

#[test]
fn outcomes_that_are_recorded_together_fail_together() {
    let outcomes = || [Decision::Allow, Decision::Ask].map(|one| authorize(judged(one), Channel::Terminal));
    let failing = Memory { lines: RefCell::new(Vec::new()), fails: Some("read-only") };
    let recorded = record_all(outcomes().into(), &failing);
    assert!(recorded.iter().all(|outcome| matches!(outcome, Recorded::Denied(_))));
    let working = Memory { lines: RefCell::new(Vec::new()), fails: None };
    assert!(matches!(record_all(outcomes().into(), &working)[..], [Recorded::Committed(_), Recorded::Pending(_)]));
}

#[test]
fn a_question_that_nobody_can_be_asked_is_a_denial_with_a_remedy() {
    let (outcome, _) = recorded(Decision::Ask, Channel::Nobody, None);
    assert!(matches!(outcome, Recorded::Denied(_)));
    let leading = outcome.judged().verdict.leading().map(|reason| reason.rule);
    assert_eq!(leading, Some(Rule::NoPerson));
    assert!(matches!(recorded(Decision::Allow, Channel::Nobody, None).0, Recorded::Committed(_)));
}

#[test]
fn a_refusal_document_says_whether_to_give_up() {
    let (outcome, _) = recorded(Decision::Deny, Channel::Terminal, None);
    let document = report::document(outcome.judged());
    let refusal = document.get("refusal").unwrap();
    assert_eq!(refusal.get("remedy").and_then(|remedy| remedy.as_text()), Some("human"));
    assert_eq!(refusal.get("retryable"), Some(&crate::json::Json::Bool(false)));
    assert_eq!(refusal.get("correlation_id").and_then(|id| id.as_text()), Some("c-1"));
    let (allowed, _) = recorded(Decision::Allow, Channel::Terminal, None);
    assert_eq!(report::document(allowed.judged()).get("refusal"), Some(&crate::json::Json::Null));
}
