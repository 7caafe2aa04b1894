//! Rules that look at the caller, at the run and at what a call would send.

use super::fakes::{Answer, Fakes};
use super::*;
use crate::action::{Action, ArgWord, Input, Invocation, ToolAction, WorkingDir};
use crate::assess::{Cause, Route};
use crate::finding::{Delegate, Finding};
use crate::grant::Loosened;
use crate::json::Json;
use crate::judge::judge;
use crate::level::Level;
use crate::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Trait, Traits, Verb,
};
use crate::paths::AbsPath;
use crate::proof::{Evidence, Proof, Transport};
use crate::registry::{Category, Declaration, Reauth, ToggleState, own_registry};
use crate::run::Run;
use crate::scene::Scene;
use crate::toggle::ToggleKey;
use crate::words::WordSet;
use alloc::borrow::Cow;
use alloc::vec;

const SPAN: Span = Span { part: 0, start: 0, end: 0 };
const SECRET: &str = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";

fn standing(run: Run, proof: Proof) -> Standing {
    let path = |text| AbsPath::parse(text).unwrap();
    Standing {
        level: Level::Unrestricted,
        loosened: Loosened::from(WordSet::of(ToggleKey::ALL)),
        declared: Vec::new(),
        denied: crate::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: crate::posture::Posture::FREE,
        advice: Vec::new(),
        scene: Scene { cwd: Some(path("/w")), workspace: vec![path("/w")], home: None, protected: vec![path("/s")] },
        run,
        proof,
    }
}

fn known() -> Standing {
    standing(Run::default(), Proof::of_host())
}

fn operation(verb: Verb, kinds: &[TargetKind], name: &str, effect: Effect) -> Operation {
    let step = |kind: &TargetKind| Segment { kind: *kind, name: name.into(), certainty: Certainty::Exact };
    Operation {
        verb,
        native: "x".into(),
        target: kinds.iter().map(step).collect(),
        access: if effect == Effect::None { Access::Read } else { Access::Write },
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

fn connects() -> Operation {
    let traits = Traits::of(&[Trait::Network]);
    Operation { traits, ..operation(Verb::Connect, &[TargetKind::Host], "h", Effect::None) }
}

fn call(arguments: Json, operations: Vec<Operation>) -> Assessment {
    let tool = ToolAction { server: "s".into(), name: "t".into(), arguments };
    let mut assessment = Assessment::new(Action::Tool(tool), AbsPath::parse("/w"), Route::Direct);
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

fn plain(operations: Vec<Operation>) -> Assessment {
    call(Json::Object(vec![]), operations)
}

fn writes() -> Assessment {
    plain(vec![operation(Verb::Update, &[TargetKind::File], "a", Effect::Reversible)])
}

fn looks() -> Assessment {
    plain(vec![operation(Verb::Get, &[TargetKind::File], "a", Effect::None)])
}

fn broken(assessment: &Assessment, standing: &Standing) -> Option<Invariant> {
    let rule = judge(assessment, standing).leading()?.rule;
    let invariant = Invariant::ALL.iter().copied().find(|invariant| rule == Rule::Floor(*invariant));
    assert!(invariant.is_some(), "{rule:?} came first");
    invariant
}

#[test]
fn nobody_changes_anything_unknown_and_anybody_may_look() {
    let nobody = |transport| standing(Run::default(), Proof { transport, evidence: WordSet::EMPTY });
    for transport in Transport::ALL.iter().copied() {
        assert_eq!(broken(&writes(), &nobody(transport)), Some(Invariant::Authentication), "{transport}");
        assert_eq!(broken(&looks(), &nobody(transport)), None, "{transport}");
    }
    let mut unknown = looks();
    unknown.fail(0, Cause::NoClaimant);
    assert!(!violations(Invariant::Authentication, &unknown, &nobody(Transport::Hook)).is_empty());
}

#[test]
fn a_session_without_its_token_changes_nothing() {
    let console = |evidence: &[Evidence]| {
        standing(Run::default(), Proof { transport: Transport::Console, evidence: WordSet::of(evidence) })
    };
    let (session, token) = (Evidence::ConsoleSession, Evidence::CsrfToken);
    assert_eq!(broken(&writes(), &console(&[session])), Some(Invariant::OwnPage));
    assert_eq!(broken(&looks(), &console(&[session])), None);
    assert_eq!(broken(&writes(), &console(&[session, token])), None);
}

#[test]
fn a_credential_does_not_leave_in_whatever_part_it_stands() {
    let arguments = |text: &str| Json::object([("a", Json::Array(vec![Json::text(text)]))]);
    assert_eq!(broken(&call(arguments(SECRET), vec![connects()]), &known()), Some(Invariant::SecretScrub));
    assert_eq!(broken(&call(arguments("hello"), vec![connects()]), &known()), None);
    let stays = operation(Verb::Get, &[TargetKind::File], "a", Effect::None);
    assert_eq!(broken(&call(arguments(SECRET), vec![stays]), &known()), None, "it stays here");
    let key = |key: &str, value: &str| Json::Object(vec![(key.into(), Json::text(value))]);
    let (start, end) = SECRET.split_at(20);
    for hidden in [key(SECRET, "1"), key("d", SECRET), key(start, end)] {
        assert_eq!(broken(&call(hidden, vec![connects()]), &known()), Some(Invariant::SecretScrub));
    }
    let mail = operation(Verb::Send, &[TargetKind::Mailbox], "me", Effect::Irreversible);
    assert_eq!(broken(&call(arguments(SECRET), vec![mail]), &known()), Some(Invariant::SecretScrub));
    let word = |text: &str| ArgWord { certainty: Certainty::Exact, text: text.into(), origin: SPAN };
    let program = |argv: &str, env: &str, stdin: Input| {
        let env = vec![("X".into(), word(env))];
        let invocation = Invocation { argv: vec![word("send"), word(argv)], env, cwd: WorkingDir::Same, stdin };
        let mut assessment = plain(vec![]);
        let delegates = vec![Delegate { action: Action::Program(invocation), origin: SPAN }];
        let node = assessment.admit(0, Finding { delegates, ..Finding::default() })[0];
        assessment.admit(node, Finding { operations: vec![connects()], ..Finding::default() });
        assessment
    };
    assert_eq!(broken(&program("a", "b", Input::Text("c".into())), &known()), None);
    for assessment in [
        program(SECRET, "b", Input::Empty),
        program("a", SECRET, Input::Empty),
        program("a", "b", Input::Text(SECRET.into())),
    ] {
        assert_eq!(broken(&assessment, &known()), Some(Invariant::SecretScrub));
    }
}

#[test]
fn only_overwriting_the_main_branch_of_a_remote_is_reserved() {
    let push = |branch: &str, effect| {
        let mut push = operation(Verb::Update, &[TargetKind::GitRemote], "origin", effect);
        push.target.push(Segment { kind: TargetKind::GitRef, name: branch.into(), certainty: Certainty::Exact });
        plain(vec![push])
    };
    for branch in ["main", "master", "refs/heads/main", "Main"] {
        assert_eq!(broken(&push(branch, Effect::Irreversible), &known()), Some(Invariant::ForcePush), "{branch}");
        assert_eq!(broken(&push(branch, Effect::Reversible), &known()), None, "{branch}");
    }
    assert_eq!(broken(&push("topic", Effect::Irreversible), &known()), None);
    assert_eq!(broken(&push("mainline", Effect::Irreversible), &known()), None);
    let local = operation(Verb::Update, &[TargetKind::GitRef], "main", Effect::Irreversible);
    assert_eq!(broken(&plain(vec![local]), &known()), None);
    let bare = operation(Verb::Update, &[TargetKind::GitRemote], "origin", Effect::Irreversible);
    assert_eq!(broken(&plain(vec![bare]), &known()), Some(Invariant::ForcePush), "nobody can tell which branch");
}

#[test]
fn after_content_that_gives_orders_only_side_effects_ask() {
    let heard = standing(Run { unconfirmed_content: vec!["d".into()], ..Run::default() }, Proof::of_host());
    assert_eq!(broken(&writes(), &heard), Some(Invariant::InjectionScan));
    assert_eq!(broken(&looks(), &heard), None);
    assert_eq!(judge(&writes(), &heard).decision(), Decision::Ask);
}

/// A toggle that names one invariant.
fn naming(invariants: &[&'static str]) -> Result<SafetyToggle, crate::registry::Unfit> {
    SafetyToggle::new(Declaration {
        key: Cow::Borrowed("made.up"),
        label: Cow::Borrowed("label"),
        category: Category::Comms,
        default_state: ToggleState::Restrictive,
        description: Cow::Borrowed("description"),
        warning: ["one", "two", "three", "four", "five"].map(Cow::Borrowed).to_vec(),
        phrase: Cow::Borrowed("Open the door wide"),
        reauth: Reauth::NotNeeded,
        cooldown_s: 60,
        cap: None,
        invariants: invariants.iter().copied().map(Cow::Borrowed).collect(),
        gate: None,
    })
}

#[test]
fn the_first_violation_of_what_a_toggle_names_stops_and_an_unknown_name_is_an_error_at_load() {
    let heard = Run { unconfirmed_content: vec!["d".into()], ..Run::default() };
    let nobody = standing(heard, Proof { transport: Transport::Console, evidence: WordSet::EMPTY });
    let both = naming(&["prompt_injection_external_content_scan", "authentication_required"]).unwrap();
    let stopped = first_violation(&both, &writes(), &nobody).unwrap();
    assert_eq!(stopped.rule, Rule::Floor(Invariant::InjectionScan));
    assert_eq!(first_violation(&both, &writes(), &known()), None);
    assert_eq!(first_violation(&naming(&["audit_logging"]).unwrap(), &writes(), &nobody), None);
    assert!(naming(&["authentication_requierd"]).is_err());
}

#[test]
fn a_toggle_cannot_disable_an_invariant_by_naming_another_one() {
    let harmless = naming(&["audit_logging"]).unwrap();
    let nobody = standing(Run::default(), Proof { transport: Transport::Console, evidence: WordSet::EMPTY });
    assert_eq!(first_violation(&harmless, &writes(), &nobody), None);
    assert_eq!(judge(&writes(), &nobody).decision(), Decision::Deny, "judging runs every one of them");
}

#[test]
fn rules_are_asked_in_the_order_in_which_a_toggle_names_them_and_none_behind_the_first_violation() {
    let names = [Invariant::AuditLogging, Invariant::OwnPage, Invariant::SecretScrub, Invariant::Authentication];
    let spelled: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    let (toggle, backwards) = (naming(&spelled).unwrap(), naming(&spelled.iter().rev().copied().collect::<Vec<_>>()));
    for (stops, name) in names.iter().enumerate() {
        let answer = |other: &Invariant| (*other, if other == name { Answer::Violated } else { Answer::Holds });
        let fakes = Fakes::new(&names.map(|other| answer(&other)));
        let stopped = first_violation(&toggle, &looks(), &known()).map(|reason| reason.rule);
        assert_eq!((stopped, fakes.asked().as_slice()), (Some(Rule::Floor(*name)), &names[..=stops]));
        first_violation(backwards.as_ref().unwrap(), &looks(), &known()).unwrap();
        assert!(fakes.asked().iter().eq(names[stops..].iter().rev()), "the order is the toggle's and not the list's");
    }
}

#[test]
fn of_several_violations_only_the_first_is_told_and_without_one_every_named_rule_was_asked() {
    let toggle = naming(&["secret_scrub_block", "authentication_required"]).unwrap();
    let both = [Invariant::SecretScrub, Invariant::Authentication];
    let fakes = Fakes::new(&both.map(|invariant| (invariant, Answer::Violated)));
    let stopped = first_violation(&toggle, &looks(), &known()).unwrap();
    assert_eq!((stopped.rule, fakes.asked()), (Rule::Floor(both[0]), vec![both[0]]));
    let fakes = Fakes::new(&both.map(|invariant| (invariant, Answer::Holds)));
    assert_eq!((first_violation(&toggle, &looks(), &known()), fakes.asked()), (None, both.to_vec()));
}

#[test]
fn judging_asks_every_rule_once_whatever_another_says() {
    for answer in [Answer::Violated, Answer::Holds] {
        let all: Vec<(Invariant, Answer)> = Invariant::ALL.iter().map(|invariant| (*invariant, answer)).collect();
        let fakes = Fakes::new(&all);
        let verdict = judge(&looks(), &known());
        assert_eq!(fakes.asked(), Invariant::ALL);
        let said = verdict.reasons().iter().filter(|reason| matches!(reason.rule, Rule::Floor(_))).count();
        assert_eq!(said, if answer == Answer::Violated { Invariant::ALL.len() } else { 0 });
    }
}

#[test]
fn a_made_up_rule_goes_with_the_test_that_made_it_up() {
    let toggle = naming(&["authentication_required"]).unwrap();
    let nobody = standing(Run::default(), Proof { transport: Transport::Console, evidence: WordSet::EMPTY });
    let fakes = Fakes::new(&[(Invariant::Authentication, Answer::Holds)]);
    assert_eq!(first_violation(&toggle, &writes(), &nobody), None);
    drop(fakes);
    assert!(first_violation(&toggle, &writes(), &nobody).is_some());
}

#[test]
fn every_toggle_of_the_core_is_audited_and_needs_a_known_caller() {
    for toggle in own_registry().unwrap().toggles() {
        for invariant in [Invariant::Authentication, Invariant::AuditLogging] {
            assert!(toggle.invariants().contains(&invariant), "{}", toggle.declaration().key);
        }
    }
}

#[test]
fn an_agent_asks_the_gate_under_no_other_name_and_in_no_batch() {
    let runs = |words: &[&str]| {
        let word = |text: &&str| ArgWord { certainty: Certainty::Exact, text: (*text).into(), origin: SPAN };
        let argv = words.iter().map(word).collect();
        let invocation = Invocation { argv, env: vec![], cwd: WorkingDir::Same, stdin: Input::Empty };
        let mut assessment = plain(vec![operation(Verb::Get, &[TargetKind::File], "a", Effect::None)]);
        let delegates = vec![Delegate { action: Action::Program(invocation), origin: SPAN }];
        assessment.admit(0, Finding { delegates, ..Finding::default() });
        broken(&assessment, &known())
    };
    assert_eq!(runs(&["holdpoint", "check", "ls"]), None);
    for words in [
        &["holdpoint", "check", "--principal", "hook:claude-code", "ls"][..],
        &["holdpoint", "check", "--principal=x", "ls"],
        &["/opt/holdpoint", "explain", "--batch", "/dev/zero"],
        &["holdpoint", "toggle", "list"],
    ] {
        assert_eq!(runs(words), Some(Invariant::OwnLevel), "{words:?}");
    }
}

#[test]
fn no_agent_changes_the_environment_of_the_gate_or_of_what_it_is_put_in_front_of() {
    let sets = |name: &str| {
        let set = operation(Verb::Configure, &[TargetKind::Environment], name, Effect::Unknown);
        broken(&plain(vec![set]), &known())
    };
    let brings = |name: &str| {
        let word = |text: &str| ArgWord { certainty: Certainty::Exact, text: text.into(), origin: SPAN };
        let env = vec![(name.into(), word("/x"))];
        let invocation = Invocation { argv: vec![word("ls")], env, cwd: WorkingDir::Same, stdin: Input::Empty };
        let mut assessment = plain(vec![operation(Verb::Get, &[TargetKind::File], "a", Effect::None)]);
        let delegates = vec![Delegate { action: Action::Program(invocation), origin: SPAN }];
        assessment.admit(0, Finding { delegates, ..Finding::default() });
        broken(&assessment, &known())
    };
    for name in ["HOLDPOINT_HOME", "HOLDPOINT_ANYTHING", "CLAUDE_PROJECT_DIR", "CODEX_HOME"] {
        assert_eq!((sets(name), brings(name)), (Some(Invariant::OwnLevel), Some(Invariant::OwnLevel)), "{name}");
    }
    for name in ["PATH", "HOME", "MY_HOLDPOINT_HOME", "HOLDPOINT"] {
        assert_eq!((sets(name), brings(name)), (None, None), "{name}");
    }
    let list = operation(Verb::List, &[TargetKind::Environment], "HOLDPOINT_HOME", Effect::None);
    assert_eq!(broken(&plain(vec![list]), &known()), None, "looking changes nothing");
}

#[test]
fn a_pattern_that_may_be_the_switch_of_the_machine_is_it() {
    let writes = |name: &str, certainty| {
        let mut write = operation(Verb::Update, &[TargetKind::File], name, Effect::Reversible);
        write.target[0].certainty = certainty;
        broken(&plain(vec![write]), &known())
    };
    assert_eq!(writes("/proc/sysrq-trigge?", Certainty::Glob), Some(Invariant::MachineHalt));
    assert_eq!(writes("/proc/sysrq-trigger", Certainty::Exact), Some(Invariant::MachineHalt));
    assert_eq!(writes("/w/sysrq-trigge?", Certainty::Glob), None);
}
