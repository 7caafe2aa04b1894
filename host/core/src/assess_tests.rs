//! Every bound of an assessment, with an input just over it: the call is unknown then, never less judged.

use super::*;
use crate::action::{Invocation, SourceText};
use crate::finding::{Delegate, Doubt};
use crate::operation::{Access, Effect, Scope, Traits, Verb};
use alloc::string::String;
use alloc::vec;

const ORIGIN: Span = Span { part: 0, start: 0, end: 0 };

fn source(text: String) -> Action {
    Action::Source(SourceText { language: "bash".into(), text, cwd: WorkingDir::Same })
}

fn fresh() -> Assessment {
    Assessment::new(source(String::new()), None, Route::Direct)
}

fn operation() -> Operation {
    Operation {
        verb: Verb::Nothing,
        native: "true".into(),
        target: vec![],
        access: Access::Read,
        effect: Effect::None,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: ORIGIN,
    }
}

fn doing(count: usize) -> Finding {
    Finding { operations: vec![operation(); count], ..Finding::default() }
}

fn leading_to(count: usize) -> Finding {
    let delegate = Delegate { action: source(String::new()), origin: ORIGIN };
    Finding { delegates: vec![delegate; count], ..Finding::default() }
}

fn over_bound(assessment: &Assessment) -> bool {
    assessment.unknowns().iter().any(|unknown| unknown.cause == Cause::OverBound)
}

#[test]
fn one_action_too_many_is_unknown() {
    let mut assessment = fresh();
    assert_eq!(assessment.admit(0, leading_to(NODES_MAX - 1)).len(), NODES_MAX - 1);
    assert!(!over_bound(&assessment));
    assert_eq!(assessment.admit(1, leading_to(1)), []);
    assert!(over_bound(&assessment));
    assert_eq!(assessment.nodes().len(), NODES_MAX);
}

#[test]
fn one_step_too_deep_is_unknown() {
    let mut assessment = fresh();
    let deepest = (0..DEPTH_MAX).fold(0, |node, _| assessment.admit(node, leading_to(1)).pop().unwrap());
    assert!(!over_bound(&assessment));
    assert_eq!(assessment.admit(deepest, leading_to(1)), []);
    assert!(over_bound(&assessment));
}

#[test]
fn one_operation_too_many_is_unknown() {
    let mut assessment = fresh();
    assessment.admit(0, doing(OPERATIONS_MAX));
    assert!(assessment.is_known());
    assessment.admit(0, doing(1));
    assert!(over_bound(&assessment) && !assessment.is_known());
    assert_eq!(assessment.operations().len(), OPERATIONS_MAX);
}

#[test]
fn one_doubt_too_many_is_dropped_and_the_call_stays_unknown() {
    let mut assessment = fresh();
    let doubt = Doubt { reason: Reason::ParserError, origin: ORIGIN };
    assessment.admit(0, Finding { doubts: vec![doubt; UNKNOWNS_MAX + 1], ..Finding::default() });
    assert_eq!(assessment.unknowns().len(), UNKNOWNS_MAX);
    assessment.admit(0, doing(1));
    assert!(!assessment.is_known());
}

#[test]
fn one_byte_of_text_too_many_is_unknown() {
    let text = |bytes: usize| {
        let delegate = Delegate { action: source("x".repeat(bytes)), origin: ORIGIN };
        Finding { delegates: vec![delegate], ..Finding::default() }
    };
    let mut assessment = fresh();
    let most = CALL_TEXT_BYTES_MAX - "bash".len();
    assert_eq!(assessment.admit(0, text(most)).len(), 1);
    assert!(!over_bound(&assessment));
    assert_eq!(assessment.admit(0, text(0)), []);
    assert!(over_bound(&assessment));
}

#[test]
fn a_program_runs_where_its_producer_says() {
    let mut assessment = Assessment::new(source(String::new()), AbsPath::parse("/w"), Route::Direct);
    let within = |cwd: WorkingDir| {
        let invocation = Invocation { argv: vec![], env: vec![], cwd, stdin: crate::action::Input::Empty };
        Finding {
            delegates: vec![Delegate { action: Action::Program(invocation), origin: ORIGIN }],
            ..Finding::default()
        }
    };
    let told = |assessment: &mut Assessment, cwd| {
        let node = assessment.admit(0, within(cwd)).pop().unwrap();
        assessment.node(node).and_then(|node| node.cwd.as_ref().map(AbsPath::text))
    };
    assert_eq!(told(&mut assessment, WorkingDir::Same).as_deref(), Some("/w"));
    assert_eq!(told(&mut assessment, WorkingDir::Path("a/../b".into())).as_deref(), Some("/w/b"));
    assert_eq!(told(&mut assessment, WorkingDir::Path("/x".into())).as_deref(), Some("/x"));
    assert_eq!(told(&mut assessment, WorkingDir::Unknown), None);
}
