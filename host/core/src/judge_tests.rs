//! What each stage says about one operation, and that hiding something never helps.

use super::*;
use crate::action::{Action, ArgWord, Input, Invocation, SourceText, WorkingDir};
use crate::assess::{Cause, Route};
use crate::finding::Finding;
use crate::floor::Invariant;
use crate::operation::{Access, Certainty, Operation, Scope, Segment, Span, TargetKind, Trait, Traits, Verb};
use crate::paths::AbsPath;
use crate::toggle::ToggleKey;
use crate::words::Word;
use alloc::vec;

const SPAN: Span = Span { part: 0, start: 0, end: 0 };

fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).unwrap()
}

fn standing(level: Level) -> Standing {
    Standing {
        level,
        loosened: Loosened::NONE,
        declared: Vec::new(),
        denied: crate::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: crate::posture::Posture::FREE,
        advice: Vec::new(),
        scene: Scene {
            cwd: Some(path("/home/u/proj")),
            workspace: vec![path("/home/u/proj")],
            home: Some(path("/home/u")),
            protected: vec![path("/home/u/.local/state/holdpoint"), path("/usr/local/bin/holdpoint")],
        },
        run: crate::run::Run::default(),
        proof: crate::proof::Proof::of_host(),
    }
}

fn loose(level: Level) -> Standing {
    Standing { loosened: WordSet::of(crate::toggle::ToggleKey::ALL).into(), ..standing(level) }
}

fn operation(verb: Verb, kind: TargetKind, name: &str, effect: Effect) -> Operation {
    let certainty = if name.contains('*') { Certainty::Glob } else { Certainty::Exact };
    let access = if matches!(verb, Verb::Get | Verb::List) { Access::Read } else { Access::Write };
    Operation {
        verb,
        native: "x".into(),
        target: vec![Segment { kind, name: name.into(), certainty }],
        access,
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

fn file(verb: Verb, name: &str, effect: Effect) -> Operation {
    operation(verb, TargetKind::File, name, effect)
}

fn recursive(name: &str) -> Operation {
    Operation { scope: Scope::AllInParent, ..file(Verb::Delete, name, Effect::Irreversible) }
}

fn assessment(operations: Vec<Operation>) -> Assessment {
    let source = SourceText { language: "bash".into(), text: "x".into(), cwd: WorkingDir::Same };
    let mut assessment = Assessment::new(Action::Source(source), Some(path("/home/u/proj")), Route::Shell);
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

fn verdict(operation: Operation, standing: &Standing) -> (Decision, &'static str) {
    let verdict = judge(&assessment(vec![operation]), standing);
    let words = ToggleKey::ALL.iter().map(|key| (Rule::Toggle(*key), key.as_str()));
    let floor = Invariant::ALL.iter().map(|invariant| (Rule::Floor(*invariant), invariant.as_str()));
    let others = [(Rule::Level, "safety.level"), (Rule::Obligation, "obligation.not-honoured")];
    let mut known = words.chain(floor).chain(others);
    let led = verdict.leading().and_then(|leading| known.find(|(rule, _)| *rule == leading.rule));
    (verdict.decision(), led.map_or("", |(_, word)| word))
}

#[test]
fn ordinary_work_in_the_workspace_is_allowed_at_guarded() {
    let guarded = standing(Level::Guarded);
    for operation in [
        file(Verb::Get, "src/main.rs", Effect::None),
        file(Verb::Update, "src/main.rs", Effect::Reversible),
        file(Verb::Get, "/usr/include/stdio.h", Effect::None),
        file(Verb::Update, "/dev/null", Effect::Reversible),
    ] {
        assert_eq!(verdict(operation.clone(), &guarded).0, Decision::Allow, "{operation:?}");
    }
}

#[test]
fn what_cannot_be_undone_or_told_is_asked() {
    let guarded = standing(Level::Guarded);
    let destructive = (Decision::Ask, "shell.allow_destructive_flags");
    assert_eq!(verdict(recursive("build"), &guarded), destructive);
    assert_eq!(verdict(operation(Verb::Exec, TargetKind::Code, "a.sh", Effect::Unknown), &guarded), destructive);
    assert_eq!(verdict(recursive("build"), &loose(Level::Trusted)), (Decision::Ask, "safety.level"));
    assert_eq!(verdict(recursive("build"), &loose(Level::Unrestricted)).0, Decision::Allow);
}

#[test]
fn writes_outside_the_workspace_and_private_reads_are_asked() {
    let guarded = standing(Level::Guarded);
    let outside = (Decision::Ask, "shell.allow_outside_workspace");
    assert_eq!(verdict(file(Verb::Update, "/tmp/x", Effect::Reversible), &guarded), outside);
    assert_eq!(verdict(file(Verb::Update, "../x", Effect::Reversible), &guarded), outside);
    assert_eq!(verdict(file(Verb::Get, "/home/u/.ssh/id_rsa", Effect::None), &guarded), outside);
    assert_eq!(verdict(file(Verb::Get, "/etc/shadow", Effect::None), &guarded), outside);
    assert_eq!(verdict(file(Verb::Get, "/home/u/proj-evil/x", Effect::None), &guarded), outside);
}

#[test]
fn a_file_that_runs_later_is_asked_even_inside_the_workspace() {
    for name in [".git/hooks/post-checkout", ".vscode/tasks.json", ".envrc", "sub/.npmrc"] {
        let (decision, _) = verdict(file(Verb::Update, name, Effect::Reversible), &standing(Level::Guarded));
        assert_eq!(decision, Decision::Ask, "{name}");
    }
}

#[test]
fn the_network_is_asked() {
    let fetch = Operation {
        traits: Traits::of(&[Trait::Network]),
        ..operation(Verb::Connect, TargetKind::Host, "h.example", Effect::None)
    };
    assert_eq!(verdict(fetch, &standing(Level::Trusted)), (Decision::Ask, "net.allow_outbound"));
}

#[test]
fn the_floor_holds_at_every_level_and_with_every_toggle_loosened() {
    let fork_bomb =
        Operation { scope: Scope::Root, ..operation(Verb::Create, TargetKind::Process, "", Effect::Irreversible) };
    let floor = [
        (recursive("/"), "floor.system-deletion"),
        (recursive("/x"), "floor.system-deletion"),
        (recursive("/home/u"), "floor.system-deletion"),
        (recursive("/home/u/*"), "floor.system-deletion"),
        (recursive(".."), "floor.system-deletion"),
        (recursive("/usr/lib"), "floor.system-deletion"),
        (recursive("C:$GetCurrent"), "floor.system-deletion"),
        (Operation { scope: Scope::Selection, ..recursive("/") }, "floor.system-deletion"),
        (
            operation(Verb::Create, TargetKind::Filesystem, "/dev/sdb1", Effect::Irreversible),
            "floor.filesystem-formatting",
        ),
        (file(Verb::Update, "/dev/sda", Effect::Reversible), "floor.raw-device-write"),
        (file(Verb::Update, "/dev/mapper/vg-root", Effect::Reversible), "floor.raw-device-write"),
        (fork_bomb, "floor.process-exhaustion"),
        (operation(Verb::Configure, TargetKind::Machine, "", Effect::Irreversible), "floor.machine-halt"),
        (file(Verb::Update, ".claude/settings.json", Effect::Reversible), "floor.protected-path"),
        (file(Verb::Delete, "/home/u/.local/state/holdpoint/audit", Effect::Irreversible), "floor.protected-path"),
        (recursive("/home/u/.local/state"), "floor.protected-path"),
        (recursive("/home/u/.local/*"), "floor.protected-path"),
        (file(Verb::Update, "/usr/local/bin/holdpoint", Effect::Reversible), "floor.protected-path"),
    ];
    for (operation, rule) in floor {
        for level in Level::ALL {
            let verdict = judge(&assessment(vec![operation.clone()]), &loose(*level));
            let spoke = verdict.reasons().iter().any(|reason| reason.rule.as_str() == rule);
            assert!(spoke && verdict.decision() == Decision::Deny, "{operation:?} at {level}: {verdict:?}");
        }
    }
}

#[test]
fn reading_what_is_protected_is_not_tampering() {
    let copy = file(Verb::Get, "/home/u/.claude/settings.json", Effect::None);
    assert_eq!(verdict(copy, &loose(Level::Guarded)).0, Decision::Allow);
}

#[test]
fn an_agent_may_not_run_the_gate_s_own_program() {
    let run = |words: &[&str]| {
        let argv = words.iter().map(|word| ArgWord { certainty: Certainty::Exact, text: (*word).into(), origin: SPAN });
        let invocation =
            Invocation { argv: argv.collect(), env: vec![], cwd: WorkingDir::Same, stdin: Input::Inherited };
        let assessment = Assessment::new(Action::Program(invocation), None, Route::Shell);
        let verdict = judge(&assessment, &loose(Level::Unrestricted));
        verdict.decision()
    };
    assert_eq!(run(&["holdpoint", "plugin", "install", "x"]), Decision::Deny);
    assert_eq!(run(&["/opt/holdpoint", "audit"]), Decision::Deny);
    assert_eq!(run(&["holdpoint", "--help", "toggle"]), Decision::Deny);
    for talk in [&["holdpoint"][..], &["holdpoint", "--version"], &["holdpoint", "--help"]] {
        assert_ne!(run(talk), Decision::Deny, "it only tells about itself");
    }
    assert_ne!(run(&["holdpoint", "check", "ls"]), Decision::Deny);
}

#[test]
fn hiding_a_command_never_turns_a_question_into_an_allow() {
    let mut known = assessment(vec![file(Verb::Get, "a", Effect::None)]);
    known.fail(0, Cause::NoClaimant);
    for level in [Level::Guarded, Level::Trusted] {
        assert_eq!(judge(&known, &loose(level)).decision(), Decision::Ask);
    }
    let nothing = assessment(vec![]);
    assert_eq!(judge(&nothing, &loose(Level::Guarded)).decision(), Decision::Ask);
    assert_eq!(judge(&nothing, &loose(Level::Observe)).decision(), Decision::Deny);
}

#[test]
fn an_obligation_that_the_caller_does_not_see_to_is_a_question() {
    let obligation = crate::operation::Obligation { kind: ObligationKind::CleanEnv, amount: 0 };
    let mut assessment = assessment(vec![]);
    let finding = Finding {
        operations: vec![file(Verb::Get, "a", Effect::None)],
        obligations: vec![obligation],
        ..Finding::default()
    };
    assessment.admit(0, finding);
    assert_eq!(judge(&assessment, &standing(Level::Guarded)).decision(), Decision::Allow);
    let careless = Standing { honours: WordSet::EMPTY, ..standing(Level::Guarded) };
    let verdict = judge(&assessment, &careless);
    assert_eq!(verdict.leading().map(|reason| reason.rule), Some(Rule::Obligation));
}

#[test]
fn a_read_of_everything_below_a_folder_is_as_private_as_the_most_private_file_in_it() {
    let guarded = standing(Level::Guarded);
    for name in ["/", "/etc", "/etc/ssh", "/proc"] {
        let read = Operation { scope: Scope::AllInParent, ..file(Verb::Get, name, Effect::None) };
        assert_eq!(verdict(read, &guarded).0, Decision::Ask, "{name}");
    }
    for pattern in ["/etc/*hadow", "/etc/s[h]*adow", "/var/log/aut?.*", "/proc/self/root/etc/sh*"] {
        assert_eq!(verdict(file(Verb::Get, pattern, Effect::None), &guarded).0, Decision::Ask, "{pattern}");
    }
}

#[test]
fn a_pattern_that_may_be_a_system_folder_or_a_device_is_denied() {
    let loose = loose(Level::Unrestricted);
    let denied = |operation: Operation, rule: &str| {
        let verdict = judge(&assessment(vec![operation.clone()]), &loose);
        let spoke = verdict.reasons().iter().any(|reason| reason.rule.as_str() == rule);
        assert!(spoke && verdict.decision() == Decision::Deny, "{operation:?}: {verdict:?}");
    };
    for name in ["/h*", "/us*", "/*oot", "/home/*", "/home/u*", "/proc/self/root/etc"] {
        denied(recursive(name), "floor.system-deletion");
    }
    for name in ["/d*/sda", "/proc/1/root/dev/sda"] {
        denied(file(Verb::Update, name, Effect::Reversible), "floor.raw-device-write");
    }
}

#[test]
fn what_lies_in_the_workspace_is_no_system_folder_wherever_the_workspace_is() {
    let mut standing = loose(Level::Trusted);
    standing.scene.workspace = vec![path("/app")];
    standing.scene.cwd = Some(path("/app"));
    assert_eq!(verdict(recursive("/app/*"), &standing).0, Decision::Ask);
    assert_eq!(verdict(recursive("/app"), &standing).0, Decision::Deny);
}

#[test]
fn filling_the_whole_workspace_may_bring_files_that_run_later() {
    let fill = |name: &str| Operation { scope: Scope::AllInParent, ..file(Verb::Create, name, Effect::Reversible) };
    assert_eq!(verdict(fill("."), &standing(Level::Guarded)).0, Decision::Ask);
    assert_eq!(verdict(fill("out"), &standing(Level::Guarded)).0, Decision::Allow);
}

#[test]
fn what_is_not_understood_is_asked_at_every_level_with_every_toggle_loosened() {
    let mut hidden = assessment(vec![file(Verb::Get, "a", Effect::None)]);
    hidden.fail(0, Cause::NoClaimant);
    assert_eq!(judge(&hidden, &loose(Level::Unrestricted)).decision(), Decision::Ask);
}

#[test]
fn what_runs_in_everybody_s_name_is_asked_at_trusted_too() {
    let mut trusted = loose(Level::Trusted);
    trusted.loosened = WordSet::of(&[crate::toggle::ToggleKey::ShellAllowOutsideWorkspace]).into();
    for name in ["/usr/local/bin/git", "/usr/lib/x.so", "/etc/rc3.d/x", "/home/u/.local/bin/ls", "/home/u/.gdbinit"] {
        assert_eq!(verdict(file(Verb::Update, name, Effect::Reversible), &trusted).0, Decision::Ask, "{name}");
    }
    for name in ["/tmp/x", "/home/u/notes.txt", "/home/u/.cache/x/y", "/var/tmp/x"] {
        assert_eq!(verdict(file(Verb::Update, name, Effect::Reversible), &trusted).0, Decision::Allow, "{name}");
    }
}

#[test]
fn a_write_to_a_place_that_is_not_known_may_be_any_write() {
    let mut trusted = loose(Level::Trusted);
    trusted.loosened = WordSet::of(&[crate::toggle::ToggleKey::ShellAllowOutsideWorkspace]).into();
    for name in ["/dev/fd/../cwd/.claude/settings.json", "/proc/self/cwd/x"] {
        assert_eq!(verdict(file(Verb::Update, name, Effect::Reversible), &trusted).0, Decision::Ask, "{name}");
        assert_eq!(verdict(file(Verb::Get, name, Effect::None), &standing(Level::Guarded)).0, Decision::Ask, "{name}");
    }
}

#[test]
fn rights_that_are_given_away_and_switches_of_the_kernel_are_not_reversible() {
    let given = Operation {
        traits: Traits::of(&[Trait::Privilege]),
        access: Access::Permissions,
        ..file(Verb::Update, "x", Effect::Reversible)
    };
    assert_eq!(verdict(given, &standing(Level::Guarded)).0, Decision::Ask);
    let opened = Operation { access: Access::Permissions, ..file(Verb::Update, "/etc", Effect::Reversible) };
    assert_eq!(verdict(opened, &loose(Level::Trusted)).0, Decision::Ask);
    let halted = verdict(file(Verb::Update, "/proc/sysrq-trigger", Effect::Reversible), &loose(Level::Unrestricted));
    assert_eq!(halted, (Decision::Deny, "floor.machine-halt"));
    let setting = verdict(file(Verb::Update, "/proc/sys/vm/swappiness", Effect::Reversible), &loose(Level::Trusted));
    assert_eq!(setting.0, Decision::Ask);
}

#[test]
fn an_operator_can_let_every_change_wait_and_no_reading() {
    let posture = crate::posture::Posture { undo_window_ms: 5_000, ..crate::posture::Posture::FREE };
    let waits = |honours| Standing { posture: posture.clone(), honours, ..standing(Level::Guarded) };
    let writes = || assessment(vec![file(Verb::Update, "a", Effect::Reversible)]);
    let all = WordSet::of(ObligationKind::ALL);
    let verdict = judge(&writes(), &waits(all));
    assert_eq!((verdict.decision(), verdict.undo_window_ms()), (Decision::Allow, 5_000));
    let verdict = judge(&writes(), &waits(WordSet::EMPTY));
    assert_eq!(verdict.decision(), Decision::Ask, "nobody lets it wait");
    let reads = judge(&assessment(vec![file(Verb::Get, "a", Effect::None)]), &waits(WordSet::EMPTY));
    assert_eq!((reads.decision(), reads.undo_window_ms()), (Decision::Allow, 0));
    let mut unknown = writes();
    unknown.fail(0, Cause::NoClaimant);
    assert_eq!(judge(&unknown, &waits(all)).undo_window_ms(), 5_000, "what is not understood may change something");
    let free = Standing { posture: crate::posture::Posture::FREE, ..waits(all) };
    assert_eq!(judge(&writes(), &free).undo_window_ms(), 0);
}

#[test]
fn a_way_out_that_nobody_follows_is_a_question_at_every_level_and_is_never_a_way_past_a_denial() {
    use crate::operation::Escapes;
    let call = |escapes: Escapes| {
        let action = Action::Source(SourceText { language: "bash".into(), text: "x".into(), cwd: WorkingDir::Same });
        let mut assessment = Assessment::new(action, None, Route::Direct);
        let operations = vec![file(Verb::Get, "/home/u/proj/a", Effect::None)];
        assessment.admit(0, Finding { operations, escapes, ..Finding::default() });
        assessment
    };
    for level in Level::ALL {
        let says = |escape| judge(&call(Escapes::of(&[escape])), &loose(*level)).decision();
        for escape in Escape::ALL.iter().filter(|escape| **escape != Escape::OsCommand) {
            assert!(says(*escape) >= Decision::Ask, "{escape} at {level}");
        }
        assert_eq!(says(Escape::OsCommand), Decision::Allow, "what is handed on is judged as itself");
        assert_eq!(judge(&call(Escapes::EMPTY), &loose(*level)).decision(), Decision::Allow);
    }
}
