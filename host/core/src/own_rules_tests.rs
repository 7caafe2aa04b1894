//! Ways to the gate that name none of its files to a program that is understood, and ordinary work beside them.

use super::*;
use crate::action::{ArgWord, SourceText, ToolAction, WorkingDir};
use crate::assess::{Route, SCRIPTS_MAX, Script};
use crate::finding::{Delegate, Finding};
use crate::floor::{Invariant, violations};
use crate::grant::Loosened;
use crate::json::Json;
use crate::judge::Standing;
use crate::level::Level;
use crate::operation::{Access, Effect, ObligationKind, Scope, Span, Traits, Verb};
use crate::proof::Proof;
use crate::run::Run;
use crate::toggle::ToggleKey;
use crate::words::{Word, WordSet};

const SPAN: Span = Span { part: 0, start: 0, end: 0 };

fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).unwrap()
}

fn standing() -> Standing {
    Standing {
        level: Level::Unrestricted,
        loosened: Loosened::from(WordSet::of(ToggleKey::ALL)),
        declared: Vec::new(),
        denied: crate::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: alloc::vec::Vec::new(),
        posture: crate::posture::Posture::FREE,
        advice: alloc::vec::Vec::new(),
        scene: Scene {
            cwd: Some(path("/home/u/proj")),
            workspace: alloc::vec![path("/home/u/proj")],
            home: Some(path("/home/u")),
            protected: alloc::vec![path("/home/u/.hold"), path("/opt/bin/holdpoint")],
        },
        run: Run::default(),
        proof: Proof::of_host(),
    }
}

fn line() -> Assessment {
    let source = SourceText { language: "bash".into(), text: "x".into(), cwd: WorkingDir::Same };
    Assessment::new(Action::Source(source), Some(path("/home/u/proj")), Route::Direct)
}

fn runs(assessment: &mut Assessment, words: &[&str], stdin: Input) -> NodeId {
    let certainty = |text: &str| if text.contains('*') { Certainty::Glob } else { Certainty::Exact };
    let word = |text: &&str| ArgWord { certainty: certainty(text), text: (*text).into(), origin: SPAN };
    let argv = words.iter().map(word).collect();
    let invocation = Invocation { argv, env: Vec::new(), cwd: WorkingDir::Same, stdin };
    let delegates = alloc::vec![Delegate { action: Action::Program(invocation), origin: SPAN }];
    assessment.admit(0, Finding { delegates, ..Finding::default() })[0]
}

/// A line that runs a program which no vocabulary knows.
fn unknown(words: &[&str]) -> Assessment {
    let mut assessment = line();
    let node = runs(&mut assessment, words, Input::Empty);
    assessment.fail(node, Cause::NoClaimant);
    assessment
}

fn operation(verb: Verb, kind: TargetKind, name: &str) -> Operation {
    let certainty = if name.starts_with('$') { Certainty::Dynamic } else { Certainty::Exact };
    let looks = matches!(verb, Verb::Get | Verb::List);
    Operation {
        verb,
        native: "x".into(),
        target: alloc::vec![Segment { kind, name: name.into(), certainty }],
        access: if looks { Access::Read } else { Access::Write },
        effect: if looks { Effect::None } else { Effect::Irreversible },
        scope: Scope::Selection,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

fn does(operations: Vec<Operation>) -> Assessment {
    let mut assessment = line();
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

fn changes_the_gate(assessment: &Assessment) -> bool {
    let met = |invariant| !violations(invariant, assessment, &standing()).is_empty();
    met(Invariant::ProtectedPath) || met(Invariant::OwnLevel)
}

#[test]
fn a_path_of_the_gate_s_own_goes_to_no_program_that_nobody_understands() {
    for word in [
        "/home/u/.hold",
        "/home/u/.hold/audit/x",
        "~/.hold",
        "$HOME/.hold",
        "${HOME}/.hold/x",
        "../.hold",
        "/home/u/x/../.hold",
        "/home//u/./.hold",
        "--prefix=/home/u/.hold",
        "-C/home/u/.hold",
        "dir:/home/u/.hold",
        "@/home/u/.hold/x",
        "file:///home/u/.hold",
        "shutil.rmtree('/home/u/.hold')",
        "import os; os.remove(\"/opt/bin/holdpoint\")",
        "/home/u/.hol*",
        "/home/u/.hold/*",
    ] {
        assert!(changes_the_gate(&unknown(&["tool", word])), "{word}");
        assert!(changes_the_gate(&unknown(&["tool", "sub", "--", word])), "{word}");
    }
    for word in [
        "/home/u/.holder",
        "/home/u/.hold-2/x",
        "/home/u",
        "..",
        "/opt/bin",
        "/mnt/home/u/.hold",
        "hold",
        ".hold",
        "the holdpoint of /home/u/proj",
        "x/*",
    ] {
        assert!(!changes_the_gate(&unknown(&["tool", word])), "{word}");
    }
    let mut fed = line();
    let node = runs(&mut fed, &["python3", "-"], Input::Text("rmtree('/home/u/.hold')\n".into()));
    fed.fail(node, Cause::NoClaimant);
    assert!(changes_the_gate(&fed));
    let mut known = line();
    runs(&mut known, &["cat", "/home/u/.hold/audit"], Input::Empty);
    assert!(!changes_the_gate(&known), "what a vocabulary understands is judged by its operations");
}

#[test]
fn a_pattern_of_any_depth_is_every_file_by_chance_and_none_in_particular() {
    assert!(!changes_the_gate(&unknown(&["md5", "/**"])));
    assert!(!changes_the_gate(&unknown(&["md5", "/home/**/*"])));
    assert!(changes_the_gate(&unknown(&["md5", "/home/u/.ho*"])));
}

#[test]
fn in_the_gate_s_own_folder_a_plain_word_is_no_path_of_it() {
    let source = SourceText { language: "bash".into(), text: "x".into(), cwd: WorkingDir::Same };
    let mut assessment = Assessment::new(Action::Source(source), Some(path("/home/u/.hold/src")), Route::Direct);
    let node = runs(&mut assessment, &["cargo", "test"], Input::Empty);
    assessment.fail(node, Cause::NoClaimant);
    assert!(!changes_the_gate(&assessment));
}

#[test]
fn a_tool_that_nobody_understands_gets_no_path_of_the_gate_s_own_and_prose_is_none() {
    let tool = |text: &str| {
        let arguments = Json::object([("a", Json::text(text))]);
        let action = ToolAction { server: "fs".into(), name: "remove".into(), arguments };
        let mut assessment = Assessment::new(Action::Tool(action), Some(path("/home/u/proj")), Route::Direct);
        assessment.fail(0, Cause::NoClaimant);
        changes_the_gate(&assessment)
    };
    assert!(tool("/home/u/.hold/audit"));
    assert!(tool("file:///home/u/.hold"));
    assert!(!tool("The state lies in /home/u/.hold and is private."));
    assert!(!tool("/home/u/proj/a"));
}

#[test]
fn the_gate_s_own_program_is_not_run_by_one_that_nobody_understands() {
    assert!(changes_the_gate(&unknown(&["npx", "holdpoint", "toggle", "loosen", "email.auto_send"])));
    assert!(changes_the_gate(&unknown(&["mise", "exec", "--", "/opt/x/holdpoint", "hook", "install"])));
    for words in [
        &["npx", "holdpoint", "check", "ls"][..],
        &["git", "commit", "-m", "holdpoint toggle: say more"],
        &["git", "add", "holdpoint", "README.md"],
        &["cargo", "run", "-p", "holdpoint-cli"],
    ] {
        assert!(!changes_the_gate(&unknown(words)), "{words:?}");
    }
}

#[test]
fn a_process_or_service_of_the_gate_is_not_ended_by_its_name() {
    let ends = |kind, name: &str| changes_the_gate(&does(alloc::vec![operation(Verb::Delete, kind, name)]));
    for name in ["holdpoint", "Holdpoint", "^holdpoint$", "[h]oldpoint", "holdp", "holdp.*", "/opt/bin/holdpoint hook"]
    {
        assert!(ends(TargetKind::Process, name), "{name}");
    }
    for name in ["1234", "", "node", "holdpoint-web", "old", "$PID", "vault"] {
        assert!(!ends(TargetKind::Process, name), "{name}");
    }
    assert!(ends(TargetKind::Service, "holdpoint.service"));
    assert!(!ends(TargetKind::Service, "nginx"));
    let looks = operation(Verb::Get, TargetKind::Process, "holdpoint");
    assert!(!changes_the_gate(&does(alloc::vec![looks])), "looking at it ends nothing");
}

#[test]
fn what_was_looked_up_by_the_gate_s_name_is_not_ended() {
    let call = |words: &[&str], operations: Vec<Operation>| {
        let mut assessment = does(operations);
        runs(&mut assessment, words, Input::Empty);
        changes_the_gate(&assessment)
    };
    let looks = || operation(Verb::Get, TargetKind::Process, "x");
    let ends = |name: &str| operation(Verb::Delete, TargetKind::Process, name);
    assert!(call(&["pidof", "holdpoint"], alloc::vec![looks(), ends("$(pidof holdpoint)")]));
    assert!(call(&["grep", "[h]oldpoint"], alloc::vec![looks(), ends("")]));
    assert!(!call(&["pidof", "holdpoint"], alloc::vec![looks()]));
    assert!(!call(&["pidof", "node"], alloc::vec![looks(), ends("$(pidof node)")]));
    assert!(!call(&["grep", "holdpoint"], alloc::vec![ends("$PID")]), "nothing was looked up");
    assert!(!call(&["pidof", "holdpoint"], alloc::vec![looks(), ends("12")]), "a number that somebody wrote");
}

#[test]
fn a_script_that_runs_later_is_held_to_the_rules_about_the_gate_and_to_no_other() {
    let writes = |script: Assessment| {
        let mut assessment = does(alloc::vec![operation(Verb::Create, TargetKind::File, "x.sh")]);
        assessment.arrange(Script { node: 0, does: script });
        (changes_the_gate(&assessment), assessment.is_known())
    };
    let mut loosens = line();
    runs(&mut loosens, &["holdpoint", "toggle", "loosen"], Input::Empty);
    assert_eq!(writes(loosens), (true, true));
    assert_eq!(writes(does(alloc::vec![operation(Verb::Delete, TargetKind::File, "/home/u/.hold")])), (true, true));
    assert_eq!(writes(does(alloc::vec![operation(Verb::Delete, TargetKind::Process, "holdpoint")])), (true, true));
    assert_eq!(writes(unknown(&["rimraf", "/home/u/.hold"])), (true, true));
    assert_eq!(writes(does(alloc::vec![operation(Verb::Delete, TargetKind::File, "/usr/lib")])), (false, true));
    assert_eq!(writes(unknown(&["make"])), (false, true), "what is not understood of it is no unknown of the call");
}

#[test]
fn one_script_too_many_is_unknown() {
    let mut assessment = does(alloc::vec![operation(Verb::Create, TargetKind::File, "x.sh")]);
    for _ in 0..SCRIPTS_MAX {
        assessment.arrange(Script { node: 0, does: line() });
    }
    assert!(assessment.is_known());
    assessment.arrange(Script { node: 0, does: line() });
    assert!(!assessment.is_known());
    assert_eq!(assessment.scripts().len(), SCRIPTS_MAX);
}
