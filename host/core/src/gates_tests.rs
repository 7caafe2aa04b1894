//! Each toggle stops something while it is restrictive, and nothing of it once it is permissive.

use super::*;
use crate::action::ToolAction;
use crate::declared::{DeclaredGate, DeclaredKey};
use crate::digest::Digest;
use crate::finding::Finding;
use crate::grant::Loosened;
use crate::json::Json;
use crate::judge::judge;
use crate::level::Level;
use crate::operation::{Access, Certainty, ObligationKind, Operation, Scope, Segment, Span, Traits};
use crate::paths::AbsPath;
use crate::run::{Catalogue, Listed};
use crate::scene::Scene;
use crate::toggle::Permissive;
use crate::words::WordSet;
use alloc::vec;

fn operation(verb: Verb, kind: TargetKind, name: &str) -> Operation {
    let looks = matches!(verb, Verb::Get | Verb::List);
    Operation {
        verb,
        native: "x".into(),
        target: vec![Segment { kind, name: name.into(), certainty: Certainty::Exact }],
        access: if looks { Access::Read } else { Access::Write },
        effect: if looks { Effect::None } else { Effect::Reversible },
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    }
}

fn standing(run: Run, permissive: Permissive) -> Standing {
    let path = |text| AbsPath::parse(text).unwrap();
    Standing {
        level: Level::Unrestricted,
        loosened: permissive.into(),
        declared: Vec::new(),
        denied: crate::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: crate::posture::Posture::FREE,
        advice: Vec::new(),
        scene: Scene {
            cwd: Some(path("/w")),
            workspace: vec![path("/w")],
            home: Some(path("/home/u")),
            protected: vec![path("/s")],
        },
        run,
        proof: crate::proof::Proof::of_host(),
    }
}

fn call(route: Route, operations: Vec<Operation>) -> Assessment {
    let tool = ToolAction { server: "s".into(), name: "t".into(), arguments: Json::Object(vec![]) };
    let mut assessment = Assessment::new(Action::Tool(tool), AbsPath::parse("/w"), route);
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

/// A call that only this toggle has something against, in a run where it has.
fn stopped_by(key: ToggleKey) -> (Assessment, Run) {
    let run = Run::default();
    let direct = |operation: Operation| call(Route::Direct, vec![operation]);
    let alone = Run { driver: Driver::Autonomous, ..Run::default() };
    match key {
        ToggleKey::EmailAutoSend => (direct(operation(Verb::Send, TargetKind::Mailbox, "me")), run),
        ToggleKey::EmailRecipientAllowlist => (direct(operation(Verb::Send, TargetKind::Recipient, "x@y")), run),
        ToggleKey::CodeAutoCommit => (direct(operation(Verb::Create, TargetKind::GitCommit, "c")), run),
        ToggleKey::CodeAutoPush => (direct(operation(Verb::Update, TargetKind::GitRemote, "origin")), run),
        ToggleKey::CodeAllowCorePatch => {
            let core_roots = vec![AbsPath::parse("/w/agent").unwrap()];
            (direct(operation(Verb::Update, TargetKind::File, "agent/core.py")), Run { core_roots, ..alone })
        }
        ToggleKey::ToolsBypassCatalogGate => {
            let catalogue = Some(catalogue("other", None));
            (direct(operation(Verb::Get, TargetKind::File, "a")), Run { catalogue, ..run })
        }
        ToggleKey::AgentBypassPlanMode => {
            (direct(operation(Verb::Update, TargetKind::File, "a")), Run { mode: Mode::Planning, ..run })
        }
        ToggleKey::TestsAllowRedCommit => {
            let commit = direct(operation(Verb::Create, TargetKind::GitCommit, "c"));
            (commit, Run { tests: Some(TestStatus::Failing), ..run })
        }
        ToggleKey::SelfmodEnabled => (direct(operation(Verb::Create, TargetKind::SelfModification, "p")), run),
        ToggleKey::SelfmodAutoApply => (direct(operation(Verb::Approve, TargetKind::SelfModification, "p")), run),
        ToggleKey::SelfmodKillSwitch => {
            (direct(operation(Verb::Get, TargetKind::File, "a")), Run { stop: Stop::Engaged, ..run })
        }
        ToggleKey::ShellAllowDestructiveFlags => {
            let deletes = operation(Verb::Delete, TargetKind::File, "a");
            (call(Route::Shell, vec![Operation { effect: Effect::Irreversible, ..deletes }]), run)
        }
        ToggleKey::ShellAllowOutsideWorkspace => (direct(operation(Verb::Update, TargetKind::File, "/srv/a")), run),
        ToggleKey::NetAllowOutbound => {
            let connects = operation(Verb::Connect, TargetKind::Host, "h");
            (direct(Operation { traits: Traits::of(&[Trait::Network]), ..connects }), run)
        }
        ToggleKey::NetAllowBrowserAutoActions => {
            (direct(operation(Verb::Update, TargetKind::BrowserElement, "button")), run)
        }
        ToggleKey::MemoryPersistEverything => (direct(operation(Verb::Create, TargetKind::MemoryEntry, "fact")), run),
        ToggleKey::DreamsWriteDuringActiveSession => {
            let behind =
                Run { driver: Driver::Background, session: Session::Live, memory_kinds: vec!["fact".into()], ..run };
            (direct(operation(Verb::Update, TargetKind::MemoryEntry, "fact")), behind)
        }
        ToggleKey::VaultAutoGrantCapabilities => {
            (direct(operation(Verb::Grant, TargetKind::VaultCapability, "read")), run)
        }
        ToggleKey::AutonomousRaiseDailyOpCap => {
            let operations_today = AUTONOMOUS_OPERATIONS_MAX;
            (direct(operation(Verb::Update, TargetKind::File, "a")), Run { operations_today, ..alone })
        }
        ToggleKey::VoiceAlwaysListening => (direct(operation(Verb::Use, TargetKind::Microphone, "default")), run),
    }
}

fn catalogue(tool: &str, schema: Option<&[u8]>) -> Catalogue {
    let schema = schema.map(Digest::of_file);
    Catalogue { tools: vec![Listed { server: "s".into(), tool: tool.into(), schema }] }
}

fn everything() -> Permissive {
    WordSet::of(ToggleKey::ALL)
}

fn everything_but(key: ToggleKey) -> Permissive {
    ToggleKey::ALL.iter().copied().filter(|other| *other != key).fold(Permissive::EMPTY, Permissive::with)
}

#[test]
fn each_toggle_stops_a_call_while_it_is_restrictive_and_lets_it_be_judged_on_once_permissive() {
    for key in ToggleKey::ALL.iter().copied() {
        let (assessment, run) = stopped_by(key);
        let loose = judge(&assessment, &standing(run.clone(), everything()));
        assert_eq!(loose.decision(), Decision::Allow, "{key}: {loose:?}");
        let tight = judge(&assessment, &standing(run, everything_but(key)));
        assert_eq!(tight.decision(), while_restrictive(key), "{key}");
        assert_eq!(tight.leading().map(|reason| reason.rule), Some(Rule::Toggle(key)));
    }
}

#[test]
fn what_the_host_tells_decides_and_what_it_does_not_tell_is_not_held_against_a_call() {
    for key in [
        ToggleKey::CodeAllowCorePatch,
        ToggleKey::ToolsBypassCatalogGate,
        ToggleKey::AgentBypassPlanMode,
        ToggleKey::TestsAllowRedCommit,
        ToggleKey::SelfmodKillSwitch,
        ToggleKey::DreamsWriteDuringActiveSession,
        ToggleKey::AutonomousRaiseDailyOpCap,
    ] {
        let (assessment, _) = stopped_by(key);
        let judged = judge(&assessment, &standing(Run::default(), everything_but(key)));
        assert_eq!(judged.decision(), Decision::Allow, "{key}");
    }
}

#[test]
fn a_listed_tool_is_denied_once_its_schema_is_another_or_is_not_known() {
    let pinned = catalogue("t", Some(b"1"));
    let judged = |schema: Option<&[u8]>, permissive| {
        let run = Run { catalogue: Some(pinned.clone()), schema: schema.map(Digest::of_file), ..Run::default() };
        judge(&call(Route::Direct, vec![operation(Verb::Get, TargetKind::File, "a")]), &standing(run, permissive))
    };
    let tight = || everything_but(ToggleKey::ToolsBypassCatalogGate);
    assert_eq!(judged(Some(b"1"), tight()).decision(), Decision::Allow);
    for (schema, said) in [(Some(&b"2"[..]), "has changed since it was approved"), (None, "is not known")] {
        let verdict = judged(schema, tight());
        assert_eq!(verdict.decision(), Decision::Deny);
        assert!(verdict.leading().is_some_and(|reason| reason.detail.contains(said)), "{verdict:?}");
        assert_eq!(judged(schema, everything()).decision(), Decision::Allow);
    }
}

#[test]
fn whoever_writes_the_schema_of_a_tool_goes_past_the_catalogue_even_where_none_is_kept() {
    let key = ToggleKey::ToolsBypassCatalogGate;
    let judged = |verb| {
        let about = call(Route::Direct, vec![operation(verb, TargetKind::ToolSchema, "s/t")]);
        judge(&about, &standing(Run::default(), everything_but(key)))
    };
    for verb in [Verb::Create, Verb::Update, Verb::Delete] {
        let verdict = judged(verb);
        assert_eq!(verdict.leading().map(|reason| reason.rule), Some(Rule::Toggle(key)));
        assert_eq!(verdict.decision(), Decision::Deny);
    }
    assert_eq!(judged(Verb::Get).decision(), Decision::Allow, "reading one changes nothing");
}

#[test]
fn a_recipient_is_listed_by_the_whole_address() {
    let run = Run { recipients: vec!["Bob@Example.com".into()], ..Run::default() };
    let to = |name: &str, certainty| {
        let mut sends = operation(Verb::Send, TargetKind::Recipient, name);
        sends.target[0].certainty = certainty;
        let permissive = everything_but(ToggleKey::EmailRecipientAllowlist);
        judge(&call(Route::Direct, vec![sends]), &standing(run.clone(), permissive)).decision()
    };
    assert_eq!(to("bob@example.com", Certainty::Exact), Decision::Allow);
    for name in ["bob@example.com.evil", "rob@example.com", ""] {
        assert_eq!(to(name, Certainty::Exact), Decision::Ask, "{name}");
    }
    assert_eq!(to("bob@example.com", Certainty::Dynamic), Decision::Ask);
}

#[test]
fn one_operation_past_the_daily_number_is_denied_and_looking_does_not_count() {
    let alone = |operations_today| Run { driver: Driver::Autonomous, operations_today, ..Run::default() };
    let decide = |verb, operations_today| {
        let permissive = everything_but(ToggleKey::AutonomousRaiseDailyOpCap);
        let assessment = call(Route::Direct, vec![operation(verb, TargetKind::File, "a")]);
        judge(&assessment, &standing(alone(operations_today), permissive)).decision()
    };
    assert_eq!(decide(Verb::Update, AUTONOMOUS_OPERATIONS_MAX - 1), Decision::Allow);
    assert_eq!(decide(Verb::Update, AUTONOMOUS_OPERATIONS_MAX), Decision::Deny);
    assert_eq!(decide(Verb::Get, AUTONOMOUS_OPERATIONS_MAX), Decision::Allow);
}

#[test]
fn a_held_key_and_a_reviewed_kind_are_let_through() {
    let listens = call(Route::Direct, vec![operation(Verb::Use, TargetKind::Microphone, "m")]);
    let held = Run { gesture: Gesture::Held, ..Run::default() };
    assert_eq!(judge(&listens, &standing(held, Permissive::EMPTY)).decision(), Decision::Allow);
    let keeps = call(Route::Direct, vec![operation(Verb::Create, TargetKind::MemoryEntry, "fact")]);
    let reviewed = Run { memory_kinds: vec!["fact".into()], ..Run::default() };
    assert_eq!(judge(&keeps, &standing(reviewed, Permissive::EMPTY)).decision(), Decision::Allow);
}

#[test]
fn a_toggle_of_a_vocabulary_gates_what_it_says_until_it_is_loosened_and_takes_nothing_from_the_core() {
    let gate = DeclaredGate {
        verdict: Decision::Deny,
        actions: vec![(Verb::Update, Some(TargetKind::File)), (Verb::Delete, None)],
        effect_min: Effect::Reversible,
    };
    let key = DeclaredKey::new("notes.rewrite").unwrap();
    let toggle = Restrictive { key, gate, label: "Rewrite notes".into() };
    let with = |declared| Standing { declared, ..standing(Run::default(), everything()) };
    let updates = || call(Route::Direct, vec![operation(Verb::Update, TargetKind::File, "a")]);
    let verdict = judge(&updates(), &with(vec![toggle.clone()]));
    assert_eq!(verdict.decision(), Decision::Deny);
    assert_eq!(verdict.leading().map(|reason| reason.rule.as_str()), Some("notes.rewrite"));
    assert_eq!(judge(&updates(), &with(vec![])).decision(), Decision::Allow);
    let creates = call(Route::Direct, vec![operation(Verb::Create, TargetKind::File, "a")]);
    assert_eq!(judge(&creates, &with(vec![toggle.clone()])).decision(), Decision::Allow, "it does not say so");
    let mut looks = operation(Verb::Update, TargetKind::File, "a");
    looks.effect = Effect::None;
    let looks = call(Route::Direct, vec![looks]);
    assert_eq!(judge(&looks, &with(vec![toggle.clone()])).decision(), Decision::Allow, "less than its effect");
    let tight = Standing { loosened: Loosened::NONE, ..with(vec![toggle]) };
    let outside = call(Route::Direct, vec![operation(Verb::Create, TargetKind::File, "/srv/a")]);
    assert_eq!(judge(&outside, &tight).decision(), Decision::Ask, "the core's own toggles gate as before");
}

#[test]
fn a_toggle_that_is_set_to_deny_denies_what_it_gates_and_nothing_once_it_is_permissive() {
    for key in ToggleKey::ALL.iter().copied() {
        let (assessment, run) = stopped_by(key);
        let denied = Permissive::EMPTY.with(key);
        let alone = everything_but(key);
        let verdict = judge(&assessment, &Standing { denied, ..standing(run.clone(), alone) });
        assert_eq!(verdict.decision(), Decision::Deny, "{key}");
        assert_eq!(verdict.leading().map(|reason| reason.rule), Some(Rule::Toggle(key)));
        let others = everything_but(key);
        let free = judge(&assessment, &Standing { denied: others, ..standing(run.clone(), alone) });
        assert_eq!(free.decision(), while_restrictive(key), "{key}");
        if key != ToggleKey::AutonomousRaiseDailyOpCap {
            let loosened = judge(&assessment, &Standing { denied, ..standing(run, everything()) });
            assert_eq!(loosened.decision(), Decision::Allow, "{key}");
        }
    }
}
