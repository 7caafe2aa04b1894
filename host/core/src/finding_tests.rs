//! Every bound of a finding refuses an answer just over it, and no span or index may lie.

use super::*;
use crate::action::{ArgWord, SourceText, ToolAction, WorkingDir};
use crate::json::Json;
use crate::operation::{Access, Certainty, Effect, ObligationKind, Scope, Segment, Traits};
use alloc::string::{String, ToString};
use alloc::vec;

const SPAN: Span = Span { part: 0, start: 0, end: 2 };

fn about() -> Action {
    Action::Source(SourceText { language: "bash".into(), text: "l\u{e9}s".into(), cwd: WorkingDir::Same })
}

fn declared() -> Declared {
    Declared::new([(Verb::Get, Some(TargetKind::File)), (Verb::Nothing, None)])
        .with_obligations([ObligationKind::CleanEnv])
        .with_escapes([Escape::Env])
}

fn operation() -> Operation {
    Operation {
        verb: Verb::Get,
        native: "cat".into(),
        target: vec![Segment { kind: TargetKind::File, name: "f".into(), certainty: Certainty::Exact }],
        access: Access::Read,
        effect: Effect::None,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 1 },
    }
}

fn program(words: usize, stdin: Input) -> Delegate {
    let word = ArgWord { certainty: Certainty::Exact, text: "w".into(), origin: Span { part: 0, start: 0, end: 1 } };
    let invocation = Invocation { argv: vec![word; words], env: vec![], cwd: WorkingDir::Same, stdin };
    Delegate { action: Action::Program(invocation), origin: Span { part: 0, start: 0, end: 1 } }
}

fn check(finding: Finding) -> Result<(), Fault> {
    finding.check(&about(), &declared())
}

fn with_operations(operations: Vec<Operation>) -> Finding {
    Finding { operations, ..Finding::default() }
}

fn with_delegates(delegates: Vec<Delegate>) -> Finding {
    Finding { delegates, ..Finding::default() }
}

#[test]
fn an_empty_finding_is_no_answer() {
    assert_eq!(check(Finding::default()), Err(Fault::Empty));
    assert_eq!(check(with_operations(vec![operation()])), Ok(()));
}

#[test]
fn each_count_just_over_its_bound_is_refused() {
    assert_eq!(check(with_operations(vec![operation(); OPERATIONS_MAX])), Ok(()));
    assert_eq!(check(with_operations(vec![operation(); OPERATIONS_MAX + 1])), Err(Fault::OverBound));
    let deep = |count| {
        let segment = operation().target.remove(0);
        check(with_operations(vec![Operation { target: vec![segment; count], ..operation() }]))
    };
    assert_eq!(deep(SEGMENTS_MAX), Ok(()));
    assert_eq!(deep(SEGMENTS_MAX + 1), Err(Fault::OverBound));
    let delegates = |count| check(with_delegates(vec![program(1, Input::Empty); count]));
    assert_eq!(delegates(DELEGATES_MAX), Ok(()));
    assert_eq!(delegates(DELEGATES_MAX + 1), Err(Fault::OverBound));
    let doubt = Doubt { reason: Reason::ParserError, origin: Span { part: 0, start: 0, end: 0 } };
    let doubts = |count| check(Finding { doubts: vec![doubt; count], ..Finding::default() });
    assert_eq!(doubts(DOUBTS_MAX), Ok(()));
    assert_eq!(doubts(DOUBTS_MAX + 1), Err(Fault::OverBound));
    let obligation = Obligation { kind: ObligationKind::CleanEnv, amount: 0 };
    let obligations =
        |count| check(Finding { obligations: vec![obligation; count], ..with_operations(vec![operation()]) });
    assert_eq!(obligations(OBLIGATIONS_MAX), Ok(()));
    assert_eq!(obligations(OBLIGATIONS_MAX + 1), Err(Fault::OverBound));
    let query = FactQuery { kind: crate::action::FactKind::PathKind, subject: String::new() };
    let queries = |count| check(Finding { facts_needed: vec![query.clone(); count], ..Finding::default() });
    assert_eq!(queries(QUERIES_MAX), Ok(()));
    assert_eq!(queries(QUERIES_MAX + 1), Err(Fault::OverBound));
}

#[test]
fn each_text_just_over_its_bound_is_refused() {
    let named = |bytes: usize| check(with_operations(vec![Operation { native: "n".repeat(bytes), ..operation() }]));
    assert_eq!(named(TEXT_BYTES_MAX - 1), Ok(()));
    assert_eq!(named(TEXT_BYTES_MAX), Err(Fault::OverBound));
    let source = |bytes: usize| {
        let text = SourceText { language: "bash".into(), text: "x".repeat(bytes), cwd: WorkingDir::Same };
        check(with_delegates(vec![Delegate { action: Action::Source(text), origin: SPAN_EMPTY }]))
    };
    assert_eq!(source(SOURCE_BYTES_MAX), Ok(()));
    assert_eq!(source(SOURCE_BYTES_MAX + 1), Err(Fault::OverBound));
    let words = |count| check(with_delegates(vec![program(count, Input::Empty)]));
    assert_eq!(words(WORDS_MAX), Ok(()));
    assert_eq!(words(WORDS_MAX + 1), Err(Fault::OverBound));
    assert_eq!(words(0), Err(Fault::NoWords));
}

#[test]
fn every_text_of_a_program_counts_and_just_over_the_bound_is_refused() {
    let word = |text: String| ArgWord { certainty: Certainty::Exact, text, origin: Span { part: 0, start: 0, end: 1 } };
    let long = |bytes: usize| "x".repeat(bytes);
    let (program_name, variable) = (word(String::from("p")), String::from("V"));
    let plain =
        Invocation { argv: vec![program_name.clone()], env: vec![], cwd: WorkingDir::Same, stdin: Input::Empty };
    type Filled<'a> = &'a dyn Fn(usize) -> Invocation;
    let fillings: [Filled<'_>; 5] = [
        &|bytes| Invocation { argv: vec![program_name.clone(), word(long(bytes))], ..plain.clone() },
        &|bytes| Invocation { env: vec![(variable.clone(), word(long(bytes - 1)))], ..plain.clone() },
        &|bytes| Invocation { cwd: WorkingDir::Path(long(bytes)), ..plain.clone() },
        &|bytes| Invocation { stdin: Input::Text(long(bytes)), ..plain.clone() },
        &|bytes| Invocation { stdin: Input::File(word(long(bytes))), ..plain.clone() },
    ];
    for (index, filled) in fillings.iter().enumerate() {
        let delegate = |bytes| Delegate { action: Action::Program(filled(bytes)), origin: SPAN_EMPTY };
        assert_eq!(check(with_delegates(vec![delegate(INVOCATION_BYTES_MAX - 1)])), Ok(()), "{index}");
        assert_eq!(check(with_delegates(vec![delegate(INVOCATION_BYTES_MAX)])), Err(Fault::OverBound), "{index}");
    }
    let lying = ArgWord { origin: Span { part: 1, start: 0, end: 0 }, ..program_name.clone() };
    let from_a_file = Invocation { stdin: Input::File(lying), ..plain };
    let delegate = Delegate { action: Action::Program(from_a_file), origin: SPAN_EMPTY };
    assert_eq!(check(with_delegates(vec![delegate])), Err(Fault::BadSpan));
}

#[test]
fn the_arguments_of_tools_count_as_text_of_the_finding() {
    let tool = |bytes: usize| {
        let arguments = crate::json::Json::object([("k", crate::json::Json::text("x".repeat(bytes)))]);
        let action = Action::Tool(crate::action::ToolAction { server: String::new(), name: "T".into(), arguments });
        Delegate { action, origin: SPAN_EMPTY }
    };
    let half = TEXT_BYTES_MAX / 2 - 2;
    assert_eq!(check(with_delegates(vec![tool(half), tool(half)])), Ok(()));
    assert_eq!(check(with_delegates(vec![tool(half), tool(half + 1)])), Err(Fault::OverBound));
}

const SPAN_EMPTY: Span = Span { part: 0, start: 0, end: 0 };

#[test]
fn a_span_outside_the_text_or_inside_a_character_is_refused() {
    let spanned = |origin| check(with_operations(vec![Operation { origin, ..operation() }]));
    let span = |part, start, end| Span { part, start, end };
    assert_eq!(spanned(span(0, 0, 4)), Ok(()));
    for lie in [SPAN, span(0, 0, 5), span(1, 0, 0), span(0, 3, 1), span(0, u32::MAX, u32::MAX)] {
        assert_eq!(spanned(lie), Err(Fault::BadSpan), "{lie:?}");
    }
}

#[test]
fn an_index_past_the_delegates_is_refused() {
    assert_eq!(check(with_delegates(vec![program(1, Input::OutputOf(0))])), Ok(()));
    assert_eq!(check(with_delegates(vec![program(1, Input::OutputOf(1))])), Err(Fault::BadIndex));
}

#[test]
fn an_operation_that_contradicts_itself_is_refused_although_it_was_declared() {
    let pairs = [(Verb::Send, Some(TargetKind::File)), (Verb::Get, Some(TargetKind::File))];
    let refused = |operation| with_operations(vec![operation]).check(&about(), &Declared::new(pairs));
    assert_eq!(
        refused(Operation { verb: Verb::Send, access: Access::Write, ..operation() }),
        Err(Fault::Contradiction)
    );
    assert_eq!(refused(Operation { native: "git-push".into(), ..operation() }), Err(Fault::Contradiction));
    assert_eq!(refused(operation()), Ok(()));
}

#[test]
fn an_operation_that_was_not_declared_is_refused() {
    let undeclared = Operation { verb: Verb::Delete, ..operation() };
    assert_eq!(check(with_operations(vec![undeclared])), Err(Fault::Undeclared));
    let obligation = |kind| Obligation { kind, amount: 0 };
    let under = |kind| check(Finding { obligations: vec![obligation(kind)], ..with_operations(vec![operation()]) });
    assert_eq!(under(ObligationKind::CleanEnv), Ok(()));
    assert_eq!(under(ObligationKind::DryRun), Err(Fault::UndeclaredObligation));
    let out = |escape| check(Finding { escapes: Escapes::of(&[escape]), ..with_operations(vec![operation()]) });
    assert_eq!(out(Escape::Env), Ok(()));
    assert_eq!(out(Escape::Privilege), Err(Fault::UndeclaredEscape));
    assert_eq!(Fault::Undeclared.to_string(), "undeclared-operation");
}

#[test]
fn a_tool_that_was_declared_to_do_less_does_not_do_the_rest() {
    let pair = |operation: &Operation| (operation.verb, operation.kind());
    let (reads, deletes) =
        (Operation { verb: Verb::Get, ..operation() }, Operation { verb: Verb::Delete, ..operation() });
    let call = |name: &str| {
        let tool = ToolAction { server: "s".into(), name: name.into(), arguments: Json::object([]) };
        Action::Tool(tool)
    };
    let declared = Declared::new([pair(&reads), pair(&deletes)]).with_tool("s", "peek", [pair(&reads)]);
    assert!(declared.covers(&call("peek"), &reads) && !declared.covers(&call("peek"), &deletes));
    assert!(declared.covers(&call("other"), &deletes), "a tool of which nothing more is said may do all of it");
    let wider = Declared::new([pair(&reads)]).with_tool("s", "peek", [pair(&reads), pair(&deletes)]);
    assert!(!wider.covers(&call("peek"), &deletes), "nothing gets wider by what is said of a tool");
    assert_eq!(declared.of_tool("s", "peek").collect::<alloc::vec::Vec<_>>(), [pair(&reads)]);
}
