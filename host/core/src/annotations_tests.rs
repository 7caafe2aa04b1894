//! Annotations only tighten.

use super::*;
use crate::action::{Action, ToolAction};
use crate::assess::Route;
use crate::finding::Finding;
use crate::judge::{Standing, judge};
use crate::level::Level;
use crate::operation::{Access, Certainty, Operation, Scope, Segment, Span, TargetKind, Traits, Verb};
use crate::toggle::ToggleKey;
use crate::verdict::Decision;
use crate::words::{Word, WordSet};
use alloc::vec;
use proptest::prelude::*;

fn assessment(effect: Effect) -> Assessment {
    let tool = ToolAction { server: "s".into(), name: "t".into(), arguments: Json::object([]) };
    let mut assessment = Assessment::new(Action::Tool(tool), None, Route::Direct);
    let target = vec![Segment { kind: TargetKind::File, name: "/w/a".into(), certainty: Certainty::Exact }];
    let (verb, access) = match effect {
        Effect::None => (Verb::Get, Access::Read),
        Effect::Reversible | Effect::Irreversible | Effect::Unknown => (Verb::Update, Access::Write),
    };
    let operation = Operation {
        verb,
        native: "x".into(),
        target,
        access,
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    };
    assessment.admit(0, Finding { operations: vec![operation], ..Finding::default() });
    assessment
}

fn standing(level: Level) -> Standing {
    Standing {
        level,
        loosened: WordSet::of(ToggleKey::ALL).into(),
        declared: vec![],
        denied: WordSet::EMPTY,
        honours: WordSet::EMPTY,
        rungs: vec![],
        posture: crate::posture::Posture::FREE,
        advice: vec![],
        scene: crate::scene::Scene {
            cwd: crate::paths::AbsPath::parse("/w"),
            workspace: vec![crate::paths::AbsPath::parse("/w").unwrap()],
            home: None,
            protected: vec![],
        },
        run: crate::run::Run::default(),
        proof: crate::proof::Proof::of_host(),
    }
}

fn decide(effect: Effect, told: Json, level: Level) -> Decision {
    judge(&annotated(assessment(effect), Annotations::read(&told)), &standing(level)).decision()
}

fn hint(name: &str, value: Json) -> Json {
    Json::object([(name, value)])
}

#[test]
fn a_tool_that_says_it_destroys_is_asked_about_though_its_vocabulary_says_reversible() {
    assert_eq!(decide(Effect::Reversible, Json::object([]), Level::Guarded), Decision::Allow);
    assert_eq!(decide(Effect::Reversible, hint("destructiveHint", Json::Bool(true)), Level::Guarded), Decision::Ask);
    assert_eq!(decide(Effect::None, hint("readOnlyHint", Json::Bool(false)), Level::Observe), Decision::Deny);
    let strange = hint("destructiveHint", Json::text("true"));
    assert_eq!(decide(Effect::Reversible, strange, Level::Guarded), Decision::Ask, "it is taken as it may be meant");
}

#[test]
fn a_tool_that_says_it_only_reads_is_taken_at_no_word() {
    for harmless in [
        hint("readOnlyHint", Json::Bool(true)),
        hint("destructiveHint", Json::Bool(false)),
        hint("idempotentHint", Json::Bool(true)),
        Json::text("readOnly"),
        Json::Null,
    ] {
        assert_eq!(Annotations::read(&harmless), Annotations::default(), "{harmless:?}");
    }
}

#[test]
fn a_tool_that_says_it_reaches_out_is_one_that_uses_the_network() {
    let told = Annotations::read(&hint("openWorldHint", Json::Bool(true)));
    let known = annotated(assessment(Effect::None), told);
    assert!(known.operations().iter().all(|assessed| assessed.operation.traits.contains(Trait::Network)));
}

#[test]
fn what_is_said_of_a_tool_is_the_worst_of_what_it_may_do() {
    let said = |pairs: &[(Verb, Option<TargetKind>)]| {
        let document = produced(pairs.iter().copied(), "T");
        let hint = |name| document.get(name) == Some(&Json::Bool(true));
        [hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"), hint("openWorldHint")]
    };
    let (file, host) = (Some(TargetKind::File), Some(TargetKind::Host));
    assert_eq!(said(&[(Verb::Get, file), (Verb::Nothing, None)]), [true, false, true, false]);
    assert_eq!(said(&[(Verb::Get, file), (Verb::Create, file)]), [false, false, false, false]);
    assert_eq!(said(&[(Verb::Get, file), (Verb::Update, file)]), [false, true, false, false]);
    assert_eq!(said(&[(Verb::Download, host)]), [false, true, false, true]);
    assert!(said(&[(Verb::Get, Some(TargetKind::Unknown))])[3]);
    assert_eq!(said(&[]), [false, true, false, true], "of what is not known the worst is said");
    let read_back = Annotations::read(&produced([(Verb::Delete, file)].into_iter(), "T"));
    assert_eq!((read_back.destroys, read_back.changes), (Stated::Yes, Stated::Yes));
}

fn value() -> impl Strategy<Value = Json> {
    prop_oneof![Just(Json::Null), any::<bool>().prop_map(Json::Bool), Just(Json::text("x"))]
}

proptest! {
    #[test]
    fn whatever_a_server_says_never_makes_a_decision_looser(
        hints in proptest::collection::vec(
            (proptest::sample::select(&["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "x"][..]), value()),
            0..5,
        ),
        effect in proptest::sample::select(Effect::ALL),
        level in proptest::sample::select(Level::ALL),
    ) {
        let told = Json::Object(hints.into_iter().map(|(name, value)| (name.into(), value)).collect());
        prop_assert!(decide(effect, told, level) >= decide(effect, Json::Null, level));
    }
}
