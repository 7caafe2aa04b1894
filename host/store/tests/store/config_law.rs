//! The law of layers: whatever a repository's file says, nothing is judged more mildly than without it.

use crate::config::Scratch;
use holdpoint_core::action::{Action, Input, Invocation, WorkingDir};
use holdpoint_core::assess::{Assessment, Route};
use holdpoint_core::finding::Finding;
use holdpoint_core::grant::Loosened;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::Level;
use holdpoint_core::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::posture::Posture;
use holdpoint_core::proof::Proof;
use holdpoint_core::run::{Driver, Run};
use holdpoint_core::scene::Scene;
use holdpoint_core::verdict::Decision;
use holdpoint_core::words::{Word, WordSet};
use holdpoint_store::config::{Config, Layer};
use proptest::prelude::*;

/// Lines that a repository may hold: some tighten, some try to loosen, some are wrong.
const LINES: &[&str] = &[
    "safety.level = \"unrestricted\"",
    "safety.level = \"guarded\"",
    "safety.principals.mcp.level = \"unrestricted\"",
    "safety.principals.mcp.level = \"observe\"",
    "safety.principals.mcp.attestation = \"accepted\"",
    "pins = [{ resource = \"file:/w/keep\" }]",
    "pins = []",
    "resources = [{ match = \"file:/w\", criticality = \"production\" }]",
    "resources = [{ match = \"*:**\", criticality = \"ordinary\" }]",
    "resources = [{ match = \"host:staging\", criticality = \"ordinary\" }]",
    "rungs = [{ verb = \"delete\", unrestricted = \"deny\" }]",
    "rungs = [{ verb = \"delete\", observe = \"allow\", unrestricted = \"allow\" }]",
    "rungs = [{ effect = \"reversible\", guarded = \"type-name\" }]",
    "session.access = \"full\"",
    "session.access = \"read-only\"",
    "session.allow_writes = [\"delete\", \"update\", \"send\"]",
    "session.allow_writes = []",
    "toggles.\"email.recipient_allowlist\" = \"deny\"",
    "toggles.\"email.recipient_allowlist\" = \"allow\"",
    "lists.recipients = [\"eve@example.org\"]",
    "lists.memory_kinds = [\"secret\"]",
    "lists.core_roots = [\"/w/agent\"]",
    "lists.catalogue = [\"/Bash\"]",
    "lists.catalogue = []",
    "approvals.wait_s = 86400",
    "notify.webhook = \"https://example.org\"",
    "oops",
    "[oops]",
];

const USER: &str = "safety.level = \"trusted\"\nresources = [{ match = \"host:staging\", criticality = \"ordinary\" }]\n\
                    pins = [{ resource = \"file:/w/pinned\" }]\nlists.recipients = [\"amy@example.org\"]\n\
                    lists.memory_kinds = [\"note\"]\nsession.allow_writes = [\"update\", \"delete\", \"send\", \"create\"]\n";

const SPAN: Span = Span { part: 0, start: 0, end: 0 };

fn operation(verb: Verb, kind: TargetKind, name: &str, effect: Effect) -> Operation {
    Operation {
        verb,
        native: "x".into(),
        target: vec![Segment { kind, name: name.into(), certainty: Certainty::Exact }],
        access: if effect == Effect::None { Access::Read } else { Access::Write },
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

/// Calls of one operation, and one of which nothing is known.
fn calls() -> Vec<Assessment> {
    use {Effect as E, TargetKind as K};
    let operations = [
        operation(Verb::Get, K::File, "/w/pinned/x", E::None),
        operation(Verb::Update, K::File, "/w/pinned/x", E::Reversible),
        operation(Verb::Update, K::File, "/w/free", E::Reversible),
        operation(Verb::Delete, K::File, "/w/free", E::Irreversible),
        operation(Verb::Delete, K::Host, "staging", E::Reversible),
        operation(Verb::Update, K::Host, "prod", E::Reversible),
        operation(Verb::Send, K::Recipient, "eve@example.org", E::Reversible),
        operation(Verb::Send, K::Recipient, "amy@example.org", E::Reversible),
        operation(Verb::Create, K::MemoryEntry, "secret", E::Reversible),
        operation(Verb::Update, K::File, "/w/agent/main", E::Reversible),
        operation(Verb::Update, K::File, "/w/free", E::Unknown),
    ];
    let empty = || {
        let invocation = Invocation { argv: Vec::new(), env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Empty };
        Assessment::new(Action::Program(invocation), AbsPath::parse("/w"), Route::Direct)
    };
    let one = |operation| {
        let mut assessment = empty();
        assessment.admit(0, Finding { operations: vec![operation], ..Finding::default() });
        assessment
    };
    operations.into_iter().map(one).chain([empty()]).collect()
}

fn standing(config: &Config, level: Level, driver: Driver) -> Standing {
    let workspace = AbsPath::parse("/w").unwrap();
    let standing = Standing {
        level,
        loosened: Loosened::NONE,
        declared: Vec::new(),
        denied: WordSet::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: Posture::FREE,
        advice: Vec::new(),
        scene: Scene { cwd: Some(workspace.clone()), workspace: vec![workspace], ..Scene::default() },
        run: Run { driver, ..Run::default() },
        proof: Proof::of_host(),
    };
    config.bind("mcp:x", standing)
}

/// Every cell: call, level and driver, with how strong the question is.
fn cells(config: &Config) -> Vec<(Decision, u32)> {
    let mut cells = Vec::new();
    for call in calls() {
        for level in Level::ALL {
            for driver in [Driver::Person, Driver::Autonomous] {
                let verdict = judge(&call, &standing(config, *level, driver));
                cells.push((verdict.decision(), verdict.strength().map_or(0, Word::ordinal)));
            }
        }
    }
    cells
}

fn judged(repository: &str) -> Vec<(Decision, u32)> {
    cells(&Scratch::new().with(Layer::User, USER).with(Layer::Repository, repository).load())
}

fn is_no_milder(before: &[(Decision, u32)], after: &[(Decision, u32)]) -> bool {
    let pairs = || before.iter().zip(after);
    // A denial asks nothing, so only between two questions does the strength count.
    before.len() == after.len()
        && pairs().all(|(before, after)| {
            before.0 < after.0 || (before.0 == after.0 && (before.0 != Decision::Ask || before.1 <= after.1))
        })
}

#[test]
fn the_cells_hold_every_decision_so_that_the_law_says_something() {
    let cells = judged("");
    for decision in Decision::ALL {
        assert!(cells.iter().any(|cell| cell.0 == *decision), "{decision}");
    }
    let user = |text: &str| self::cells(&Scratch::new().with(Layer::User, text).load());
    // The same lines loosen where they come from the user.
    assert!(!is_no_milder(&user(""), &user("lists.recipients = [\"eve@example.org\"]")));
    assert!(!is_no_milder(&user(""), &user("resources = [{ match = \"host:prod\", criticality = \"ordinary\" }]")));
}

#[test]
fn no_single_line_of_a_repository_loosens_any_cell() {
    let before = judged("");
    for line in LINES {
        assert!(is_no_milder(&before, &judged(line)), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_further_line_of_a_repository_loosens_any_cell(
        lines in proptest::collection::vec(proptest::sample::select(LINES), 0..6),
        more in proptest::sample::select(LINES),
    ) {
        let before = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let first = judged(&before);
        prop_assert!(is_no_milder(&first, &judged(&format!("{before}{more}\n"))), "{before}+ {more}");
    }
}
