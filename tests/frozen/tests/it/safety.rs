//! Who may do what to which resource, as a committed table: files of layers are read, bound to whoever calls, and judged.

use crate::expect::expect_file;
use crate::fixtures::{call, operation, run, segment, standing};
use crate::matrix::{everything_but, file};
use holdpoint_core::assess::{Assessment, Cause, Route};
use holdpoint_core::finding::Finding;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::Level;
use holdpoint_core::operation::{Effect, Operation, TargetKind, Verb};
use holdpoint_core::posture::Freeze;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::verdict::Decision;
use holdpoint_core::words::Word;
use holdpoint_store::config::{Config, File, Files, Layer, Presence, default_level, load};
use std::fmt::Write;
use tempfile::TempDir;

const MEANING: &str = "the table says what every principal meets at every level, on every kind of resource. A changed line is \
     a changed policy: the commit says why";

/// Whoever calls, and the level that their host gives them; without one, their way in decides.
const PRINCIPALS: &[(&str, Option<Level>)] = &[
    ("host", Some(Level::Unrestricted)),
    ("cli", None),
    ("hook:codex", None),
    ("mcp", None),
    ("mcp:claude-code", None),
    ("embed:x", None),
];
const CELL_WIDTH: usize = 24;
const LABEL_WIDTHS: [usize; 3] = [14, 26, 16];

/// Files of layers in a scratch folder.
pub(crate) fn configured(layers: &[(Layer, &str)]) -> Config {
    let folder = TempDir::with_prefix("holdpoint-safety-").unwrap();
    let write = |(layer, text): &(Layer, &str)| {
        let path = folder.path().join(format!("{layer}.toml"));
        std::fs::write(&path, text).unwrap();
        File { layer: *layer, path, presence: Presence::Required }
    };
    let toggles = ToggleKey::ALL.iter().map(|key| key.as_str().to_owned()).collect();
    load(&Files { files: layers.iter().map(write).collect(), home: None, toggles })
}

fn level_of(config: &Config, (principal, host): (&str, Option<Level>)) -> Level {
    config.level(principal, host.unwrap_or_else(|| default_level(principal)))
}

/// Something that an operator says, and a resource that is meant by it.
struct Resource {
    name: &'static str,
    /// What the user's file says beyond the levels.
    user: &'static str,
    /// What is changed.
    target: fn(Effect) -> Operation,
    frozen: Option<&'static str>,
}

const fn resource(name: &'static str, user: &'static str, target: fn(Effect) -> Operation) -> Resource {
    Resource { name, user, target, frozen: None }
}

fn in_project(name: &'static str, effect: Effect) -> Operation {
    let verb = if effect == Effect::None { Verb::Get } else { Verb::Update };
    file(verb, name, effect)
}

fn on_host(name: &'static str, effect: Effect) -> Operation {
    let verb = if effect == Effect::None { Verb::Get } else { Verb::Update };
    let mut operation = operation(verb, TargetKind::Service, "web", effect);
    operation.target.insert(0, segment(TargetKind::Host, name));
    operation
}

const PINNED: &str = "pins = [{ resource = \"file:/home/u/proj/keep\" }]\n";

const RESOURCES: &[Resource] = &[
    resource("ordinary", "", |effect| in_project("a", effect)),
    resource(
        "production",
        "resources = [{ match = \"file:/home/u/proj/prod\", criticality = \"production\" }]\n",
        |effect| in_project("prod/a", effect),
    ),
    resource("remote, matched by nothing", "", |effect| on_host("db1", effect)),
    resource(
        "remote, ordinary",
        "resources = [{ match = \"host:staging\", criticality = \"ordinary\" }]\n",
        |effect| on_host("staging", effect),
    ),
    resource("pinned", PINNED, |effect| in_project("keep", effect)),
    resource("below a pin", PINNED, |effect| in_project("keep/a/b", effect)),
    resource("beside a pin", PINNED, |effect| in_project("keep2", effect)),
    resource("above a pin", "pins = [{ resource = \"host:db1 > service:web\" }]\n", |effect| {
        let verb = if effect == Effect::None { Verb::Get } else { Verb::Delete };
        operation(verb, TargetKind::Host, "db1", effect)
    }),
    Resource { frozen: Some("incident 7"), ..resource("frozen", "", |effect| in_project("a", effect)) },
    resource("session reads only", "session.access = \"read-only\"\n", |effect| in_project("a", effect)),
    resource("outside the write scope", "session.allow_writes = [\"send\"]\n", |effect| in_project("a", effect)),
    resource("within the write scope", "session.allow_writes = [\"update\"]\n", |effect| in_project("a", effect)),
    resource("changes can be taken back", "session.undo_s = 3\n", |effect| in_project("a", effect)),
    resource("configuration unreadable", "oops\n", |effect| in_project("a", effect)),
];

/// What is asked of a resource: an effect, or something that nobody understands.
fn calls(resource: &Resource) -> Vec<(&'static str, Assessment)> {
    let performs = |operation: Operation| {
        let mut assessment = call();
        let node = run(&mut assessment, &["x"], Route::Direct);
        assessment.admit(node, Finding { operations: vec![operation], ..Finding::default() });
        assessment
    };
    let mut calls: Vec<(&str, Assessment)> =
        Effect::ALL.iter().map(|effect| (effect.as_str(), performs((resource.target)(*effect)))).collect();
    let mut unknown = performs((resource.target)(Effect::None));
    unknown.fail(1, Cause::NoClaimant);
    calls.push(("not understood", unknown));
    calls
}

fn stands(config: &Config, resource: &Resource, who: (&str, Option<Level>)) -> Standing {
    let mut standing = standing(who.1.unwrap_or_else(|| default_level(who.0)), everything_but(None));
    standing.posture.freeze = resource.frozen.map(|why| Freeze { by: "cli".into(), why: why.into(), since_ms: 0 });
    config.bind(who.0, standing)
}

fn cell(assessment: &Assessment, standing: &Standing) -> String {
    let verdict = judge(assessment, standing);
    let rule = verdict.leading().map_or("", |reason| reason.rule.as_str());
    let obligations = verdict.obligations().iter().map(|obligation| format!(" +{}", obligation.kind));
    let cell = format!("{} {rule}", verdict.decision());
    let bound = if verdict.decision() == Decision::Allow { obligations.collect() } else { String::new() };
    cell.trim_end().to_owned() + &bound
}

fn line(table: &mut String, labels: &[&str], cells: impl Iterator<Item = String>) {
    let mut line = String::new();
    for (label, width) in labels.iter().zip(LABEL_WIDTHS) {
        write!(line, "{label:<width$} ").unwrap();
    }
    for cell in cells {
        write!(line, "{cell:<CELL_WIDTH$} ").unwrap();
    }
    writeln!(table, "{}", line.trim_end()).unwrap();
}

fn names() -> impl Iterator<Item = String> {
    PRINCIPALS.iter().map(|(name, _)| (*name).to_owned())
}

/// A configuration and what it makes of everybody's level.
const CONFIGURATIONS: &[(&str, &[(Layer, &str)])] = &[
    ("nothing is configured", &[]),
    ("safety.level = observe", &[(Layer::User, "safety.level = \"observe\"")]),
    ("safety.level = guarded", &[(Layer::User, "safety.level = \"guarded\"")]),
    ("safety.level = trusted", &[(Layer::User, "safety.level = \"trusted\"")]),
    ("safety.level = unrestricted", &[(Layer::User, "safety.level = \"unrestricted\"")]),
    ("the example of the paper", &[(Layer::User, PAPER)]),
    ("a name that is looser than its way in", &[(Layer::User, LOOSER)]),
    ("the system observes", &[(Layer::System, "safety.level = \"observe\""), (Layer::User, PAPER)]),
    ("a repository tightens mcp", &[(Layer::Repository, "safety.principals.mcp.level = \"observe\"")]),
    ("a repository would loosen", &[(Layer::User, PAPER), (Layer::Repository, "safety.level = \"unrestricted\"")]),
    ("a word is misspelt", &[(Layer::User, "safety.level = \"observ\"")]),
    ("a repository is unreadable", &[(Layer::User, PAPER), (Layer::Repository, "oops")]),
];
const PAPER: &str = "safety.level = \"trusted\"\nsafety.principals.mcp.level = \"guarded\"\n\
                     safety.principals.\"mcp:claude-code\".level = \"observe\"\n";
const LOOSER: &str = "safety.principals.mcp.level = \"observe\"\n\
                      safety.principals.\"mcp:claude-code\".level = \"unrestricted\"\n";

/// One configuration with what it comes to for everybody.
fn row(name: &str, cells: Vec<String>) -> String {
    let cells: String = cells.iter().map(|cell| format!("{cell:<17}")).collect();
    format!("{name:<39}{}\n", cells.trim_end())
}

fn levels(table: &mut String) {
    table.push_str("\n[effective levels]\n");
    table.push_str(&row("configuration", names().collect()));
    for (name, layers) in CONFIGURATIONS {
        let config = configured(layers);
        let levels = PRINCIPALS.iter().map(|who| level_of(&config, *who).as_str().to_owned());
        table.push_str(&row(name, levels.collect()));
    }
}

/// What a claim of a principal is worth under each configuration.
fn claims(table: &mut String) {
    table.push_str("\n[a claim that somebody agreed]\n");
    table.push_str(&row("configuration", names().collect()));
    let mcp = "safety.principals.mcp.attestation = \"accepted\"\n";
    let named = "safety.principals.\"mcp:claude-code\".attestation = \"accepted\"\n";
    let configurations: [(&str, Vec<(Layer, &str)>); 5] = [
        ("nothing is configured", vec![]),
        ("mcp accepted", vec![(Layer::User, mcp)]),
        ("mcp:claude-code accepted", vec![(Layer::User, named)]),
        ("a repository would", vec![(Layer::User, ""), (Layer::Repository, mcp)]),
        ("a word is misspelt", vec![(Layer::User, mcp), (Layer::Repository, "safety.levle = \"observe\"\n")]),
    ];
    for (name, layers) in configurations {
        let config = configured(&layers);
        let worth = |principal: &str| if config.accepts_attestation(principal) { "answers levels" } else { "nothing" };
        table.push_str(&row(name, PRINCIPALS.iter().map(|(principal, _)| worth(principal).to_owned()).collect()));
    }
}

fn cells(table: &mut String) {
    table.push_str(
        "\n[level, resource and effect: every toggle permissive, `mcp:claude-code` held to observe by name]\n",
    );
    line(table, &["level", "resource", "effect"], names());
    for level in Level::ALL {
        for resource in RESOURCES {
            let named = "safety.principals.\"mcp:claude-code\".level = \"observe\"";
            let user = format!("safety.level = \"{level}\"\n{named}\n{}", resource.user);
            let config = configured(&[(Layer::User, &user)]);
            for (effect, assessment) in calls(resource) {
                let cells = PRINCIPALS.iter().map(|who| cell(&assessment, &stands(&config, resource, *who)));
                line(table, &[level.as_str(), resource.name, effect], cells);
            }
        }
    }
}

#[test]
fn whoever_calls_meets_on_every_resource_what_the_table_says() {
    let mut table =
        "# What every principal meets. Written by tests/frozen out of files of layers; read every changed line.\n"
            .into();
    levels(&mut table);
    claims(&mut table);
    cells(&mut table);
    expect_file("safety-matrix.txt", &table, MEANING);
}

/// Every cell with what it belongs to.
fn every_cell(mut look: impl FnMut(&Resource, Level, (&'static str, Option<Level>), &str, Decision, &str)) {
    for level in Level::ALL {
        for resource in RESOURCES {
            let user = format!("safety.level = \"{level}\"\n{}", resource.user);
            let config = configured(&[(Layer::User, &user)]);
            for (effect, assessment) in calls(resource) {
                for who in PRINCIPALS {
                    let standing = stands(&config, resource, *who);
                    let verdict = judge(&assessment, &standing);
                    let rule = verdict.leading().map_or("", |reason| reason.rule.as_str());
                    look(resource, standing.level, *who, effect, verdict.decision(), rule);
                }
            }
        }
    }
}

#[test]
fn what_is_held_still_is_never_changed_whoever_asks_at_whatever_level() {
    let held = ["pinned", "below a pin", "above a pin", "frozen", "session reads only", "outside the write scope"];
    let mut seen = 0;
    every_cell(|resource, level, (who, _), effect, decision, rule| {
        let changes = Effect::from_word(effect).is_some_and(|effect| effect != Effect::None);
        if held.contains(&resource.name) && changes {
            seen += 1;
            assert_eq!(decision, Decision::Deny, "{} {level} {who} {effect}", resource.name);
            assert_ne!(rule, "safety.level", "{} {level} {who} {effect}: the hold is named", resource.name);
        }
    });
    assert_eq!(seen, held.len() * Level::ALL.len() * (Effect::ALL.len() - 1) * PRINCIPALS.len());
}

#[test]
fn an_unreadable_configuration_is_observe_for_everybody_and_names_itself() {
    every_cell(|resource, level, (who, _), effect, decision, rule| {
        if resource.name == "configuration unreadable" {
            assert_eq!(level, Level::Observe, "{who}");
            let wanted = if effect == "none" { Decision::Allow } else { Decision::Deny };
            assert_eq!((decision, rule == "gate.configuration"), (wanted, effect != "none"), "{who} {effect}: {rule}");
        }
    });
}

#[test]
fn beside_a_pin_nothing_is_held() {
    let mut seen = 0;
    every_cell(|resource, level, _, _, decision, _| {
        if resource.name == "beside a pin" && level == Level::Unrestricted {
            seen += 1;
            assert!(decision <= Decision::Ask);
        }
    });
    assert!(seen > 0);
}
