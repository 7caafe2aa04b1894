//! The whole policy as a committed table: what is decided, and which rule is named for it.

use crate::expect::expect_file;
use crate::fixtures::{call, operation, run, segment, standing};
use crate::violations::{pushes, sends, unwritten, violations};
use holdpoint_core::action::{Action, ToolAction};
use holdpoint_core::assess::{Assessment, Cause, Route};
use holdpoint_core::digest::Digest;
use holdpoint_core::finding::Finding;
use holdpoint_core::floor::Invariant;
use holdpoint_core::json::Json;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::{Criticality, Level};
use holdpoint_core::operation::{Effect, Obligation, ObligationKind, Operation, TargetKind, Trait, Traits, Verb};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::run::{AUTONOMOUS_OPERATIONS_MAX, Catalogue, Driver, Listed, Mode, Run, Session, Stop, TestStatus};
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::verdict::Decision;
use holdpoint_core::words::{Word, WordSet};
use std::fmt::Write;

const MEANING: &str = "the table says what every level, toggle and rule of the floor decides. A changed line is a changed \
     policy: the commit says why, and the line belongs into CHANGELOG.md in the words of an operator";

const WIDTHS: [usize; 4] = [41, 26, 14, 14];

/// A call that runs one program through a route and performs these operations.
fn performs(route: Route, operations: Vec<Operation>) -> Assessment {
    let mut assessment = call();
    let node = run(&mut assessment, &["x"], route);
    assessment.admit(node, Finding { operations, ..Finding::default() });
    assessment
}

pub(crate) fn runs(argv: &[&str]) -> Assessment {
    let mut assessment = call();
    let node = run(&mut assessment, argv, Route::Shell);
    let nothing = operation(Verb::Nothing, TargetKind::ShellState, "", Effect::None);
    assessment.admit(node, Finding { operations: vec![nothing], ..Finding::default() });
    assessment
}

fn fails(route: Route) -> Assessment {
    let mut assessment = performs(route, vec![file(Verb::Get, "a", Effect::None)]);
    assessment.fail(1, Cause::NoClaimant);
    assessment
}

pub(crate) fn file(verb: Verb, name: &str, effect: Effect) -> Operation {
    operation(verb, TargetKind::File, name, effect)
}

pub(crate) fn everything_but(key: Option<ToggleKey>) -> Permissive {
    let others: Vec<ToggleKey> = ToggleKey::ALL.iter().copied().filter(|other| Some(*other) != key).collect();
    WordSet::of(&others)
}

fn row(table: &mut String, columns: &[&str], assessment: &Assessment, standing: &Standing) {
    let verdict = judge(assessment, standing);
    let rule = verdict.leading().map_or("-", |reason| reason.rule.as_str());
    for (column, width) in columns.iter().zip(WIDTHS) {
        write!(table, "{column:<width$}").unwrap();
    }
    writeln!(table, "{:<7}{rule}", verdict.decision().as_str()).unwrap();
}

fn levels(table: &mut String) {
    table.push_str("\n[levels: effect on a resource, every toggle permissive]\n");
    for level in Level::ALL {
        for effect in Effect::ALL {
            for criticality in Criticality::ALL {
                let mut operation = file(Verb::Update, "a", *effect);
                if *criticality == Criticality::Production {
                    operation.target.insert(0, segment(TargetKind::Host, "h"));
                }
                let columns = [level.as_str(), effect.as_str(), criticality.as_str()];
                let assessment = performs(Route::Direct, vec![operation]);
                row(table, &columns, &assessment, &standing(*level, everything_but(None)));
            }
        }
        let unknown = [level.as_str(), "not understood", "-"];
        row(table, &unknown, &fails(Route::Direct), &standing(*level, everything_but(None)));
        let nothing = [level.as_str(), "nothing is known", "-"];
        row(table, &nothing, &call(), &standing(*level, everything_but(None)));
    }
}

fn resources(table: &mut String) {
    table.push_str("\n[resources: a reversible operation, every toggle permissive, guarded]\n");
    for kind in TargetKind::ALL {
        let operation = operation(Verb::Update, *kind, "a", Effect::Reversible);
        let assessment = performs(Route::Direct, vec![operation]);
        row(table, &[kind.as_str()], &assessment, &standing(Level::Guarded, everything_but(None)));
    }
}

pub(crate) fn shell(operation: Operation) -> Assessment {
    performs(Route::Shell, vec![operation])
}

/// What a toggle gates, and beside it what it must leave alone.
fn representatives(key: ToggleKey) -> Vec<(&'static str, Assessment)> {
    match key {
        ToggleKey::CodeAutoCommit => {
            let commit = |verb, effect| shell(operation(verb, TargetKind::GitCommit, "c", effect));
            vec![
                ("commit", commit(Verb::Create, Effect::Reversible)),
                ("read a commit", commit(Verb::Get, Effect::None)),
            ]
        }
        ToggleKey::CodeAutoPush => {
            let remote = |verb, effect| {
                let mut remote = operation(verb, TargetKind::GitRemote, "origin", effect);
                remote.target.push(segment(TargetKind::GitRef, "main"));
                shell(remote)
            };
            vec![
                ("push", remote(Verb::Update, Effect::Reversible)),
                ("list a remote", remote(Verb::List, Effect::None)),
            ]
        }
        ToggleKey::ShellAllowDestructiveFlags => destructive(),
        ToggleKey::ShellAllowOutsideWorkspace => {
            let write = |name| shell(file(Verb::Update, name, Effect::Reversible));
            let read = |name| shell(file(Verb::Get, name, Effect::None));
            vec![
                ("write outside", write("/srv/a")),
                ("write a public place", write("/usr/a")),
                ("read a private place", read("/srv/a")),
                ("read a public place", read("/usr/a")),
                ("write inside", write("a")),
            ]
        }
        ToggleKey::NetAllowOutbound => {
            let connect = Operation {
                traits: Traits::of(&[Trait::Network]),
                ..operation(Verb::Connect, TargetKind::Service, "s", Effect::None)
            };
            let stay = operation(Verb::Connect, TargetKind::Service, "s", Effect::None);
            vec![("reach another machine", shell(connect)), ("stay on this machine", shell(stay))]
        }
        ToggleKey::CodeAllowCorePatch => {
            vec![("write the agent", update("agent/core.py")), ("write beside it", update("a"))]
        }
        ToggleKey::AgentBypassPlanMode | ToggleKey::SelfmodKillSwitch | ToggleKey::AutonomousRaiseDailyOpCap => {
            vec![("write a file", update("a")), ("read a file", shell(file(Verb::Get, "a", Effect::None)))]
        }
        ToggleKey::TestsAllowRedCommit => {
            vec![("commit", about(Verb::Create, TargetKind::GitCommit)), ("write a file", update("a"))]
        }
        ToggleKey::EmailAutoSend
        | ToggleKey::EmailRecipientAllowlist
        | ToggleKey::ToolsBypassCatalogGate
        | ToggleKey::SelfmodEnabled
        | ToggleKey::SelfmodAutoApply
        | ToggleKey::NetAllowBrowserAutoActions
        | ToggleKey::MemoryPersistEverything
        | ToggleKey::DreamsWriteDuringActiveSession
        | ToggleKey::VaultAutoGrantCapabilities
        | ToggleKey::VoiceAlwaysListening => of_agents(key),
    }
}

/// A call of a tool that does this to something of a kind.
pub(crate) fn about(verb: Verb, kind: TargetKind) -> Assessment {
    let effect = if matches!(verb, Verb::Get | Verb::List) { Effect::None } else { Effect::Reversible };
    performs(Route::Direct, vec![operation(verb, kind, "a", effect)])
}

/// A call of a tool of the host that looks at a file.
fn of_tool(name: &str) -> Assessment {
    let tool = ToolAction { server: String::new(), name: name.into(), arguments: Json::object([]) };
    let mut assessment = Assessment::new(Action::Tool(tool), AbsPath::parse("/home/u/proj"), Route::Direct);
    assessment.admit(0, Finding { operations: vec![file(Verb::Get, "a", Effect::None)], ..Finding::default() });
    assessment
}

fn of_agents(key: ToggleKey) -> Vec<(&'static str, Assessment)> {
    match key {
        ToggleKey::EmailAutoSend => vec![
            ("send mail", about(Verb::Send, TargetKind::Mailbox)),
            ("draft mail", about(Verb::Create, TargetKind::Mailbox)),
        ],
        ToggleKey::EmailRecipientAllowlist => vec![("send to somebody", about(Verb::Send, TargetKind::Recipient))],
        ToggleKey::SelfmodEnabled | ToggleKey::SelfmodAutoApply => vec![
            ("propose a change", about(Verb::Create, TargetKind::SelfModification)),
            ("apply a change", about(Verb::Approve, TargetKind::SelfModification)),
        ],
        ToggleKey::NetAllowBrowserAutoActions => vec![
            ("click", about(Verb::Update, TargetKind::BrowserElement)),
            ("look at a page", about(Verb::Get, TargetKind::BrowserElement)),
        ],
        ToggleKey::MemoryPersistEverything | ToggleKey::DreamsWriteDuringActiveSession => vec![
            ("remember", about(Verb::Create, TargetKind::MemoryEntry)),
            ("recall", about(Verb::Get, TargetKind::MemoryEntry)),
        ],
        ToggleKey::VaultAutoGrantCapabilities => vec![
            ("grant a right", about(Verb::Grant, TargetKind::VaultCapability)),
            ("list rights", about(Verb::List, TargetKind::VaultCapability)),
        ],
        ToggleKey::VoiceAlwaysListening => vec![("listen", about(Verb::Use, TargetKind::Microphone))],
        ToggleKey::ToolsBypassCatalogGate => {
            vec![
                ("a tool outside", of_tool("other")),
                ("a tool of the catalogue", of_tool("listed")),
                ("a tool that changed", of_tool("pinned")),
                ("rewrite a schema", about(Verb::Update, TargetKind::ToolSchema)),
                ("read a schema", about(Verb::Get, TargetKind::ToolSchema)),
            ]
        }
        _ => Vec::new(),
    }
}

/// A run in which the toggle has something to say.
fn run_of(key: ToggleKey) -> Run {
    let quiet = Run::default();
    match key {
        ToggleKey::CodeAllowCorePatch => {
            let core_roots = AbsPath::parse("/home/u/proj/agent").into_iter().collect();
            Run { driver: Driver::Autonomous, core_roots, ..quiet }
        }
        ToggleKey::ToolsBypassCatalogGate => {
            let listed = |tool: &str, schema| Listed { server: String::new(), tool: tool.into(), schema };
            let approved = Some(Digest::of_file(b"as it was approved"));
            let tools = vec![listed("listed", None), listed("pinned", approved)];
            Run { catalogue: Some(Catalogue { tools }), schema: Some(Digest::of_file(b"as it is now")), ..quiet }
        }
        ToggleKey::AgentBypassPlanMode => Run { mode: Mode::Planning, ..quiet },
        ToggleKey::TestsAllowRedCommit => Run { tests: Some(TestStatus::Unknown), ..quiet },
        ToggleKey::SelfmodKillSwitch => Run { stop: Stop::Engaged, ..quiet },
        ToggleKey::AutonomousRaiseDailyOpCap => {
            Run { driver: Driver::Autonomous, operations_today: AUTONOMOUS_OPERATIONS_MAX, ..quiet }
        }
        ToggleKey::DreamsWriteDuringActiveSession => {
            Run { driver: Driver::Background, session: Session::Live, ..quiet }
        }
        _ => quiet,
    }
}

fn destructive() -> Vec<(&'static str, Assessment)> {
    let lose = || file(Verb::Delete, "a", Effect::Irreversible);
    let update = |name| shell(file(Verb::Update, name, Effect::Reversible));
    vec![
        ("lose a file, shell", shell(lose())),
        ("lose a file, tool", performs(Route::Direct, vec![lose()])),
        ("unknown effect, shell", shell(file(Verb::Exec, "a", Effect::Unknown))),
        ("not understood, shell", fails(Route::Shell)),
        ("write what runs later", update(".envrc")),
        ("write a file", update("a")),
    ]
}

fn toggles(table: &mut String) {
    table.push_str("\n[toggles: every other toggle permissive]\n");
    let all = ToggleKey::ALL.iter().flat_map(|key| representatives(*key).into_iter().map(|row| (*key, row)));
    for (key, (what, assessment)) in all {
        let states =
            [("restrictive", Some(key), None), ("denied", Some(key), Some(key)), ("permissive", None, Some(key))];
        for (state, restrictive, denied) in states {
            for level in Level::ALL {
                let columns = [key.as_str(), what, state, level.as_str()];
                let denied = denied.map_or(WordSet::EMPTY, |key| WordSet::EMPTY.with(key));
                let standing = Standing { denied, run: run_of(key), ..standing(*level, everything_but(restrictive)) };
                row(table, &columns, &assessment, &standing);
            }
        }
    }
}

pub(crate) fn update(name: &str) -> Assessment {
    shell(file(Verb::Update, name, Effect::Reversible))
}

/// What looks like a violation and is none.
fn near_misses() -> Vec<(&'static str, Assessment)> {
    let image = operation(Verb::Create, TargetKind::Filesystem, "disk.img", Effect::Reversible);
    vec![
        ("ask for a verdict", runs(&["holdpoint", "check", "x"])),
        ("read the wiring", shell(file(Verb::Get, ".claude/settings.json", Effect::None))),
        ("write no device", update("/dev/null")),
        ("format a file", shell(image)),
        ("send an identifier", sends("id=AKIAIOSFODNN7EXAMPL")),
        ("overwrite a topic branch", pushes("topic", Effect::Irreversible)),
        ("push to main", pushes("main", Effect::Reversible)),
    ]
}

fn floor(table: &mut String) {
    table.push_str("\n[floor: every toggle permissive]\n");
    for case in violations() {
        for level in Level::ALL {
            let columns = [case.invariant.as_str(), case.what, level.as_str()];
            row(table, &columns, &case.assessment, &case.standing(standing(*level, everything_but(None))));
        }
    }
    let unwritten = unwritten();
    let said = unwritten.judged().verdict.leading().map_or("-", |reason| reason.rule.as_str());
    let columns = [Invariant::AuditLogging.as_str(), "write nothing down", "-"];
    for (column, width) in columns.iter().zip(WIDTHS) {
        write!(table, "{column:<width$}").unwrap();
    }
    writeln!(table, "{:<7}{said}", unwritten.judged().verdict.decision().as_str()).unwrap();
    for (what, assessment) in near_misses() {
        let columns = ["-", what, Level::Trusted.as_str()];
        row(table, &columns, &assessment, &standing(Level::Trusted, everything_but(None)));
    }
}

fn obligations(table: &mut String) {
    table.push_str("\n[obligations: an operation without effect, every toggle permissive, guarded]\n");
    for kind in ObligationKind::ALL {
        let mut assessment = performs(Route::Shell, vec![file(Verb::Get, "a", Effect::None)]);
        let obligations = vec![Obligation { kind: *kind, amount: 0 }];
        let operations = vec![file(Verb::Get, "a", Effect::None)];
        assessment.admit(1, Finding { operations, obligations, ..Finding::default() });
        let honoured = standing(Level::Guarded, everything_but(None));
        row(table, &[kind.as_str(), "seen to"], &assessment, &honoured);
        let others: Vec<ObligationKind> = ObligationKind::ALL.iter().copied().filter(|other| other != kind).collect();
        let careless = Standing { honours: WordSet::of(&others), ..honoured };
        row(table, &[kind.as_str(), "not seen to"], &assessment, &careless);
    }
}

fn table() -> String {
    let mut table =
        "# What is decided, and the rule that is named for it. Written by tests/frozen; read every changed line.\n"
            .into();
    levels(&mut table);
    resources(&mut table);
    toggles(&mut table);
    floor(&mut table);
    obligations(&mut table);
    table
}

#[test]
fn the_policy_is_what_the_table_says() {
    expect_file("matrix.txt", &table(), MEANING);
}

#[test]
fn the_table_leaves_no_word_of_the_policy_out() {
    fn missing<T: Word>(table: &str) -> Vec<&'static str> {
        let named = |word: &str| table.lines().any(|line| line.split("  ").any(|column| column.trim() == word));
        T::ALL.iter().map(|word| word.as_str()).filter(|word| !named(word)).collect()
    }
    let table = table();
    let all = [
        missing::<ToggleKey>(&table),
        missing::<Invariant>(&table),
        missing::<Effect>(&table),
        missing::<Level>(&table),
        missing::<Criticality>(&table),
        missing::<TargetKind>(&table),
        missing::<ObligationKind>(&table),
        missing::<Decision>(&table),
    ];
    assert_eq!(all.concat(), Vec::<&str>::new(), "help: add a representative to tests/frozen/tests/it/matrix.rs");
}

#[test]
fn every_toggle_and_every_rule_of_the_floor_leads_somewhere_in_the_table() {
    let table = table();
    let leads = |rule: &str| table.lines().any(|line| line.ends_with(&format!(" {rule}")));
    let rules = ToggleKey::ALL.iter().map(|key| key.as_str());
    let silent: Vec<&str> =
        rules.chain(Invariant::ALL.iter().map(|invariant| invariant.as_str())).filter(|rule| !leads(rule)).collect();
    assert_eq!(
        silent,
        Vec::<&str>::new(),
        "these rules are never the reason of anything: their representative is wrong"
    );
}
