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
    "session.undo_s = 1",
    "session.undo_s = 5",
    "safety.principals.\"mcp:x\".level = \"unrestricted\"",
    "safety.principals.\"mcp:x\".attestation = \"accepted\"",
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
    standing_of(config, "mcp:x", level, driver)
}

fn standing_of(config: &Config, principal: &str, level: Level, driver: Driver) -> Standing {
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
    config.bind(principal, standing)
}

/// How long every change waits, and whether a claim of anybody is worth something.
fn around(config: &Config) -> (u64, bool) {
    let claims = ["mcp", "mcp:x", "cli", "hook:codex"].iter().any(|principal| config.accepts_attestation(principal));
    (config.posture.undo_window_ms, claims)
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

#[test]
fn no_line_of_a_repository_shortens_a_wait_or_makes_a_claim_worth_something() {
    let with = |line: &str| {
        let user = format!("{USER}session.undo_s = 3\n");
        around(&Scratch::new().with(Layer::User, &user).with(Layer::Repository, line).load())
    };
    let before = with("");
    assert_eq!(before, (3_000, false));
    for line in LINES {
        let after = with(line);
        assert!(after.0 >= before.0 && !after.1, "{line}: {after:?}");
    }
}

/// Entries that an operator may have written about a way in, a name, or everybody.
const ENTRIES: &[&str] = &["", "mcp", "mcp:x", "mcp:x:y", "mcp:other", "cli", "hook", "hook:codex", "embed:x"];

fn levels(entries: &[(&str, Level)]) -> Config {
    let mut text = String::new();
    for (index, (whose, level)) in entries.iter().enumerate() {
        // An entry stands once in a file, so each has a layer's file of its own kind only once.
        if entries.iter().take(index).any(|(earlier, _)| earlier == whose) {
            continue;
        }
        let key = if whose.is_empty() { "safety.level".into() } else { format!("safety.principals.\"{whose}\".level") };
        text.push_str(&format!("{key} = \"{level}\"\n"));
    }
    Scratch::new().with(Layer::User, &text).load()
}

fn cells_of(config: &Config, principal: &str) -> Vec<(Decision, u32)> {
    let met = |call: &Assessment| {
        let standing = standing_of(config, principal, Level::Unrestricted, Driver::Person);
        let verdict = judge(call, &standing);
        (verdict.decision(), verdict.strength().map_or(0, Word::ordinal))
    };
    calls().iter().map(met).collect()
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

    #[test]
    fn whoever_takes_a_name_is_let_do_no_more_than_without_one(
        entries in proptest::collection::vec((proptest::sample::select(ENTRIES), proptest::sample::select(Level::ALL)), 0..6),
        way_in in proptest::sample::select(&["mcp", "hook", "cli", "embed"][..]),
        name in proptest::sample::select(&["x", "x:y", "x:y:z", "other", "codex", "new", "observe", "X"][..]),
    ) {
        let config = levels(&entries);
        prop_assert!(config.problems.is_empty(), "{:?}", config.problems);
        let named = format!("{way_in}:{name}");
        for default in Level::ALL {
            prop_assert!(config.level(&named, *default) <= config.level(way_in, *default), "{named}: {entries:?}");
        }
        prop_assert!(is_no_milder(&cells_of(&config, way_in), &cells_of(&config, &named)), "{named}: {entries:?}");
    }
}
