//! What is held still wins over every level and toggle, and reading stays free.

use super::*;
use crate::action::{Action, Input, Invocation, WorkingDir};
use crate::assess::{Cause, Route};
use crate::finding::Finding;
use crate::grant::Loosened;
use crate::judge::{Standing, judge};
use crate::level::Level;
use crate::operation::{Access, Certainty, ObligationKind, Scope, Segment, Span, TargetKind, Traits, Verb};
use crate::paths::AbsPath;
use crate::scene::Scene;
use crate::verdict::Remedy;
use crate::words::WordSet;
use alloc::vec;

const SPAN: Span = Span { part: 0, start: 0, end: 0 };

fn standing(posture: Posture) -> Standing {
    let workspace = AbsPath::parse("/w").unwrap();
    Standing {
        level: Level::Unrestricted,
        loosened: Loosened::from(WordSet::of(crate::toggle::ToggleKey::ALL)),
        declared: Vec::new(),
        denied: crate::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture,
        advice: Vec::new(),
        scene: Scene { cwd: Some(workspace.clone()), workspace: vec![workspace], ..Scene::default() },
        run: crate::run::Run::default(),
        proof: crate::proof::Proof::of_host(),
    }
}

fn operation(verb: Verb, access: Access, effect: Effect, name: &str) -> Operation {
    Operation {
        verb,
        native: "tee".into(),
        target: vec![Segment { kind: TargetKind::File, name: name.into(), certainty: Certainty::Exact }],
        access,
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

fn write(name: &str) -> Operation {
    operation(Verb::Update, Access::Write, Effect::Reversible, name)
}

fn read(name: &str) -> Operation {
    operation(Verb::Get, Access::Read, Effect::None, name)
}

fn assessment(operations: Vec<Operation>) -> Assessment {
    let invocation = Invocation { argv: Vec::new(), env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Empty };
    let mut assessment = Assessment::new(Action::Program(invocation), AbsPath::parse("/w"), Route::Direct);
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

fn leading(posture: Posture, operations: Vec<Operation>) -> Option<(Rule, Decision, Remedy)> {
    let verdict = judge(&assessment(operations), &standing(posture));
    verdict.leading().map(|reason| (reason.rule, reason.decision, reason.remedy.clone()))
}

fn pins(text: &str) -> Vec<Pin> {
    vec![Pin { resource: ResourcePattern::parse(text).unwrap(), source: "config.toml:3".into() }]
}

fn freeze() -> Freeze {
    Freeze { by: "ana".into(), why: "incident 7".into(), since_ms: 1 }
}

#[test]
fn a_pin_wins_over_every_level_and_toggle_and_leaves_reading_alone() {
    let pinned = || Posture { pins: pins("file:/w/prod"), ..Posture::FREE };
    let denied = Some((Rule::Pinned, Decision::Deny, Remedy::Config));
    assert_eq!(leading(pinned(), vec![write("prod/a")]), denied);
    assert_eq!(leading(pinned(), vec![read("x"), write("/w/prod")]), denied);
    assert_eq!(leading(pinned(), vec![write("other")]), None);
    assert_eq!(leading(pinned(), vec![read("prod/a")]), None);
}

#[test]
fn a_freeze_stops_every_change_and_asks_nobody() {
    let frozen = || Posture { freeze: Some(freeze()), ..Posture::FREE };
    assert_eq!(leading(frozen(), vec![write("a")]), Some((Rule::Frozen, Decision::Deny, Remedy::Human)));
    assert_eq!(leading(frozen(), vec![read("a")]), None);
}

#[test]
fn a_configuration_that_cannot_be_read_stops_every_change_and_no_reading() {
    let broken = || Posture { unreadable: Some("config.toml:2:1: no such key".into()), ..Posture::FREE };
    let denied = Some((Rule::Configuration, Decision::Deny, Remedy::Config));
    assert_eq!(leading(broken(), vec![write("a")]), denied);
    assert_eq!(leading(broken(), vec![read("a")]), None);
}

#[test]
fn what_is_not_understood_may_change_something() {
    let mut unknown = assessment(vec![read("a")]);
    unknown.fail(0, Cause::NoClaimant);
    for (posture, rule) in [
        (Posture { freeze: Some(freeze()), ..Posture::FREE }, Rule::Frozen),
        (Posture { session: SessionAccess::ReadOnly, ..Posture::FREE }, Rule::ReadOnlySession),
        (Posture { writes: WriteScope::Only(Vec::new()), ..Posture::FREE }, Rule::WriteScope),
    ] {
        let verdict = judge(&unknown, &standing(posture));
        assert_eq!(verdict.leading().map(|reason| (reason.rule, reason.decision)), Some((rule, Decision::Deny)));
    }
}

#[test]
fn a_session_that_reads_only_changes_nothing() {
    let posture = || Posture { session: SessionAccess::ReadOnly, ..Posture::FREE };
    let denied = Some((Rule::ReadOnlySession, Decision::Deny, Remedy::Human));
    assert_eq!(leading(posture(), vec![write("a")]), denied);
    assert_eq!(leading(posture(), vec![read("a")]), None);
}

#[test]
fn writes_are_limited_to_the_listed_verbs_native_words_or_tools() {
    let only = |word: &str| Posture { writes: WriteScope::Only(vec![word.into()]), ..Posture::FREE };
    assert_eq!(leading(only("update"), vec![write("a")]), None);
    assert_eq!(leading(only("tee"), vec![write("a")]), None);
    let denied = Some((Rule::WriteScope, Decision::Deny, Remedy::Config));
    assert_eq!(leading(only("delete"), vec![write("a")]), denied);
    assert_eq!(leading(only("delete"), vec![read("a")]), None);
}

#[test]
fn pins_speak_before_a_freeze_and_a_freeze_before_the_session() {
    let all = Posture {
        pins: pins("file:/w/prod"),
        freeze: Some(freeze()),
        session: SessionAccess::ReadOnly,
        writes: WriteScope::Only(Vec::new()),
        ..Posture::FREE
    };
    let verdict = judge(&assessment(vec![write("prod/a")]), &standing(all));
    let rules: Vec<Rule> = verdict.reasons().iter().map(|reason| reason.rule).take(4).collect();
    assert_eq!(rules, [Rule::Pinned, Rule::Frozen, Rule::ReadOnlySession, Rule::WriteScope]);
}

#[test]
fn production_wins_wherever_both_may_be_meant() {
    let weight = |text: &str, criticality| Weight {
        resource: ResourcePattern::parse(text).unwrap(),
        criticality,
        source: "config.toml:1".into(),
    };
    let posture = Posture {
        weights: vec![
            weight("file:/w", Criticality::Ordinary),
            weight("file:/w/prod", Criticality::Production),
            weight("host:*.staging.example", Criticality::Ordinary),
        ],
        ..Posture::FREE
    };
    let of = |operation: Operation| {
        let assessment = assessment(vec![operation]);
        posture.criticality(&assessment.operations()[0])
    };
    assert_eq!(of(write("a")), Criticality::Ordinary);
    assert_eq!(of(write("prod/a")), Criticality::Production);
    let host = |name: &str, certainty| Operation {
        target: vec![Segment { kind: TargetKind::Host, name: name.into(), certainty }],
        ..write("a")
    };
    assert_eq!(of(host("db.staging.example", Certainty::Exact)), Criticality::Ordinary);
    assert_eq!(of(host("db.example", Certainty::Exact)), Criticality::Production);
    assert_eq!(of(host("db.staging.example", Certainty::Dynamic)), Criticality::Production);
}

#[test]
fn a_narrowed_scope_holds_what_both_hold() {
    let only = |words: &[&str]| WriteScope::Only(words.iter().map(|word| (*word).into()).collect());
    assert_eq!(only(&["delete", "send"]).narrowed(only(&["send", "create"])), only(&["send"]));
    assert_eq!(WriteScope::All.narrowed(only(&["send"])), only(&["send"]));
    assert_eq!(only(&["send"]).narrowed(WriteScope::All), only(&["send"]));
    assert_eq!(only(&["send"]).narrowed(only(&[])), only(&[]));
    assert_eq!(WriteScope::All.narrowed(WriteScope::All), WriteScope::All);
}
