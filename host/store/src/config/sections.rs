//! The sections of a file, one function each.

use crate::config::checks;
use crate::config::entries::Settings;
use crate::config::problem::Problem;
use crate::config::reader::Reader;
use crate::config::text::{Text, quoted};
use crate::config::tree::{Held, Node, parse};
use crate::config::{LIST_ENTRIES_MAX, PRINCIPALS_MAX, Sourced, UNDO_S_MAX, WAIT_S_MAX, nearest, values};
use holdpoint_core::asking::Answer;
use holdpoint_core::call::is_name;
use holdpoint_core::level::{Criticality, Level};
use holdpoint_core::operation::{Effect, Scope, TargetKind, Verb};
use holdpoint_core::posture::{PATTERNS_MAX, Pin, WRITE_VERBS_MAX, Weight};
use holdpoint_core::resource::ResourcePattern;
use holdpoint_core::rungs::{RUNGS_MAX, Rung};
use std::path::Path;

/// The sections of a file.
const SECTIONS: &[&str] =
    &["safety", "pins", "resources", "rungs", "session", "toggles", "lists", "approvals", "notify"];
/// Members of the sections.
const SAFETY: &[&str] = &["level", "principals"];
const PRINCIPAL: &[&str] = &["level", "attestation"];
const PIN: &[&str] = &["resource"];
const RESOURCE: &[&str] = &["match", "criticality"];
const RUNG: &[&str] =
    &["verb", "native", "kind", "effect", "scope", "criticality", "observe", "guarded", "trusted", "unrestricted"];
const SESSION: &[&str] = &["access", "allow_writes", "undo_s"];
const LISTS: &[&str] = &["recipients", "memory_kinds", "core_roots", "catalogue"];
const APPROVALS: &[&str] = &["wait_s"];
const NOTIFY: &[&str] = &["webhook"];
/// What a principal's name starts with: the way in. What follows behind a colon is a name that a caller may give itself.
const WAYS_IN: &[&str] = &["agent", "cli", "console", "embed", "hook", "mcp", "tui"];
/// What a claim of a principal may count as.
const ATTESTATION: &[&str] = &["accepted"];
/// What a toggle may say in place of asking.
const TOGGLE: &[&str] = &["deny"];

/// What surrounds the reading of a file.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The home folder that `~/` stands for.
    pub(crate) home: Option<&'a Path>,
    /// The keys of all toggles.
    pub(crate) toggles: &'a [String],
}

/// Reads a file: what it says as far as it can be read, and everything that is wrong.
pub(crate) fn read(text: &Text, known: Known<'_>) -> (Settings, Vec<Problem>) {
    let root = match parse(text) {
        Ok(root) => root,
        Err(problem) => return (Settings::default(), vec![problem]),
    };
    let mut reader = Reader { text, problems: Vec::new() };
    let mut settings = Settings::default();
    for (key, node) in reader.members(&root, "the file") {
        match key.name.as_str() {
            "safety" => safety(&mut reader, node, &mut settings),
            "pins" => settings.pins = pins(&mut reader, node, known.home),
            "resources" => settings.weights = resources(&mut reader, node, known.home),
            "rungs" => settings.rungs = rungs(&mut reader, node),
            "session" => session(&mut reader, node, &mut settings),
            "toggles" => toggles(&mut reader, node, "", known.toggles, &mut settings.denied),
            "lists" => lists(&mut reader, node, known.home, &mut settings),
            "approvals" => approvals(&mut reader, node, &mut settings),
            "notify" => notify(&mut reader, node, &mut settings),
            _ => reader.unknown(key, SECTIONS),
        }
    }
    (settings, reader.problems)
}

fn safety(reader: &mut Reader<'_>, node: &Node, settings: &mut Settings) {
    for (key, node) in reader.members(node, "safety") {
        match key.name.as_str() {
            "level" => level(reader, node, None, settings),
            "principals" => principals(reader, node, settings),
            _ => reader.unknown(key, SAFETY),
        }
    }
}

fn level(reader: &mut Reader<'_>, node: &Node, principal: Option<&str>, settings: &mut Settings) {
    if let Some(level) = reader.word::<Level>(node, "level") {
        settings.levels.push((principal.map(str::to_owned), reader.sourced(node, level)));
    }
}

fn principals(reader: &mut Reader<'_>, node: &Node, settings: &mut Settings) {
    let members = reader.members(node, "safety.principals");
    if let Some((over, _)) = members.get(PRINCIPALS_MAX) {
        reader.wrong(
            &over.at,
            format!("there are over {PRINCIPALS_MAX} principals"),
            format!("{PRINCIPALS_MAX} is the most"),
        );
    }
    for (key, node) in members.iter().take(PRINCIPALS_MAX) {
        let way_in = key.name.split(':').next().unwrap_or_default();
        if !WAYS_IN.contains(&way_in) || !is_name(&key.name) || key.name.ends_with(':') {
            let what = format!("{} names no principal, so the entry can never match", quoted(&key.name));
            let help = format!(
                "write a way in, or one with a name such as `mcp:claude-code`; {}",
                nearest::help(way_in, WAYS_IN)
            );
            reader.wrong(&key.at, what, help);
        }
        let members = reader.members(node, &key.name);
        if members.is_empty() {
            reader.wrong(&key.at, format!("{} says nothing", quoted(&key.name)), "set `level`, or take the entry out");
        }
        for (member, node) in members {
            match member.name.as_str() {
                "level" => level(reader, node, Some(&key.name), settings),
                "attestation" => {
                    if reader.one_of(node, "attestation", ATTESTATION).is_some() {
                        settings.attestations.push(reader.sourced(node, key.name.clone()));
                    }
                }
                _ => reader.unknown(member, PRINCIPAL),
            }
        }
    }
}

fn pins(reader: &mut Reader<'_>, node: &Node, home: Option<&Path>) -> Vec<Pin> {
    let mut pins: Vec<Pin> = Vec::new();
    for entry in reader.list(node, "pins", PATTERNS_MAX) {
        let mut resource = None;
        for (key, node) in reader.members(entry, "pins") {
            match key.name.as_str() {
                "resource" => resource = Some((node, pattern(reader, node, "resource", home))),
                _ => reader.unknown(key, PIN),
            }
        }
        match resource {
            None => {
                reader.wrong(&entry.at, "the pin has no `resource`", "write what is pinned, such as `file:/srv/prod`")
            }
            Some((_, None)) => {}
            Some((node, Some(resource))) => match pins.iter().find(|pin| pin.resource.covers(&resource)) {
                Some(earlier) => {
                    let what =
                        format!("`{resource}` is pinned already by `{}` at {}", earlier.resource, earlier.source);
                    reader.wrong(&node.at, what, "take one of them out");
                }
                None => pins.push(Pin { resource, source: reader.source(&entry.at) }),
            },
        }
    }
    pins
}

fn pattern(reader: &mut Reader<'_>, node: &Node, name: &str, home: Option<&Path>) -> Option<ResourcePattern> {
    let text = reader.string(node, name)?;
    match values::pattern(text, home) {
        Ok(pattern) => Some(pattern),
        Err(problem) => {
            let kinds: Vec<&str> = <TargetKind as holdpoint_core::words::Word>::ALL
                .iter()
                .map(|kind| holdpoint_core::words::Word::as_str(*kind))
                .collect();
            let help = format!("write `KIND:NAME`, with `>` between steps; kinds: *, {}", kinds.join(", "));
            reader.wrong(&node.at, format!("{} is no pattern: {problem}", quoted(text)), help);
            None
        }
    }
}

fn resources(reader: &mut Reader<'_>, node: &Node, home: Option<&Path>) -> Vec<Weight> {
    let mut weights: Vec<Weight> = Vec::new();
    let mut places = Vec::new();
    for entry in reader.list(node, "resources", PATTERNS_MAX) {
        let (mut resource, mut criticality) = (None, None);
        for (key, node) in reader.members(entry, "resources") {
            match key.name.as_str() {
                "match" => resource = Some(pattern(reader, node, "match", home)),
                "criticality" => criticality = Some(reader.word::<Criticality>(node, "criticality")),
                _ => reader.unknown(key, RESOURCE),
            }
        }
        if resource.is_none() {
            reader.wrong(&entry.at, "the entry has no `match`", "write which resources, such as `host:*.example.org`");
        }
        if criticality.is_none() {
            reader.wrong(&entry.at, "the entry has no `criticality`", "write `production` or `ordinary`");
        }
        if let (Some(Some(resource)), Some(Some(criticality))) = (resource, criticality) {
            weights.push(Weight { resource, criticality, source: reader.source(&entry.at) });
            places.push(entry.at.clone());
        }
    }
    checks::weights(reader, &weights, &places);
    weights
}

fn rungs(reader: &mut Reader<'_>, node: &Node) -> Vec<Rung> {
    let mut rungs: Vec<Rung> = Vec::new();
    let mut places = Vec::new();
    for entry in reader.list(node, "rungs", RUNGS_MAX) {
        let before = reader.problems.len();
        let rung = rung(reader, entry);
        if reader.problems.len() == before {
            rungs.push(rung);
            places.push(entry.at.clone());
        }
    }
    checks::rungs(reader, &rungs, &places);
    rungs
}

fn rung(reader: &mut Reader<'_>, entry: &Node) -> Rung {
    let mut rung = Rung {
        verb: None,
        native: None,
        kind: None,
        effect_min: Effect::None,
        scope_min: Scope::One,
        criticality_min: Criticality::Ordinary,
        says: [Answer::Allow; 4],
        source: reader.source(&entry.at),
    };
    let mut told = [None; 4];
    for (key, node) in reader.members(entry, "rungs") {
        match key.name.as_str() {
            "verb" => rung.verb = reader.word::<Verb>(node, "verb"),
            "native" => rung.native = value(reader, node, "native", values::entry),
            "kind" => rung.kind = reader.word::<TargetKind>(node, "kind"),
            "effect" => rung.effect_min = reader.word(node, "effect").unwrap_or(Effect::None),
            "scope" => rung.scope_min = reader.word(node, "scope").unwrap_or(Scope::One),
            "criticality" => rung.criticality_min = reader.word(node, "criticality").unwrap_or(Criticality::Ordinary),
            name => match level_slot(&mut told, name) {
                Some(slot) => *slot = reader.word::<Answer>(node, "answer"),
                None => reader.unknown(key, RUNG),
            },
        }
    }
    rung.says = Rung::filled(told);
    rung
}

fn level_slot<'a>(told: &'a mut [Option<Answer>; 4], name: &str) -> Option<&'a mut Option<Answer>> {
    let level = <Level as holdpoint_core::words::Word>::from_word(name)?;
    told.get_mut(usize::try_from(holdpoint_core::words::Word::ordinal(level)).ok()?)
}

/// A value with a form of its own.
fn value<T>(reader: &mut Reader<'_>, node: &Node, name: &str, of: impl Fn(&str) -> Result<T, String>) -> Option<T> {
    let text = reader.string(node, name)?;
    match of(text) {
        Ok(value) => Some(value),
        Err(problem) => {
            reader.wrong(&node.at, format!("{} cannot stand in `{name}`: {problem}", quoted(text)), help_for(name));
            None
        }
    }
}

fn help_for(name: &str) -> &'static str {
    match name {
        "catalogue" => "write `SERVER/TOOL` or `SERVER/TOOL@sha256:…`; nothing before the `/` for a tool of the host",
        "core_roots" => "write an absolute path, or one that starts with `~/`",
        "webhook" => "write an https URL, or an http URL of this machine",
        _ => "write one line of text",
    }
}

fn session(reader: &mut Reader<'_>, node: &Node, settings: &mut Settings) {
    for (key, node) in reader.members(node, "session") {
        match key.name.as_str() {
            "access" => settings.session = reader.word(node, "access").map(|access| reader.sourced(node, access)),
            "allow_writes" => {
                let words = entries(reader, node, "allow_writes", WRITE_VERBS_MAX, values::entry);
                let words = words.into_iter().map(|word| word.value).collect();
                settings.writes = Some(reader.sourced(node, words));
            }
            "undo_s" => settings.undo_s = seconds(reader, node, "undo_s", UNDO_S_MAX),
            _ => reader.unknown(key, SESSION),
        }
    }
}

/// The entries of a list, each once.
fn entries<T: PartialEq>(
    reader: &mut Reader<'_>,
    node: &Node,
    name: &str,
    most: usize,
    of: impl Fn(&str) -> Result<T, String>,
) -> Vec<Sourced<T>> {
    let mut found: Vec<Sourced<T>> = Vec::new();
    for entry in reader.list(node, name, most) {
        let Some(value) = value(reader, entry, name, &of) else { continue };
        match found.iter().find(|earlier| earlier.value == value) {
            Some(earlier) => {
                let what = format!("the entry stands in `{name}` already, at {}", earlier.source);
                reader.wrong(&entry.at, what, "take one of them out");
            }
            None => found.push(reader.sourced(entry, value)),
        }
    }
    found
}

/// A toggle's key has dots, and so have TOML's tables: both ways of writing it are taken.
fn toggles(reader: &mut Reader<'_>, node: &Node, before: &str, known: &[String], denied: &mut Vec<Sourced<String>>) {
    for (key, node) in reader.members(node, "toggles") {
        let name = format!("{before}{}", key.name);
        if matches!(node.value, Held::Table(_)) {
            toggles(reader, node, &format!("{name}."), known, denied);
        } else if !known.contains(&name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            reader.wrong(&key.at, format!("there is no toggle {}", quoted(&name)), nearest::help(&name, &known));
        } else if let Some(earlier) = denied.iter().find(|denied| denied.value == name) {
            let what = format!("`{name}` is set already, at {}", earlier.source);
            reader.wrong(&key.at, what, "take one of them out");
        } else if reader.one_of(node, "verdict", TOGGLE).is_some() {
            denied.push(reader.sourced(node, name));
        }
    }
}

fn lists(reader: &mut Reader<'_>, node: &Node, home: Option<&Path>, settings: &mut Settings) {
    let lists = &mut settings.lists;
    let most = LIST_ENTRIES_MAX;
    for (key, node) in reader.members(node, "lists") {
        match key.name.as_str() {
            "recipients" => lists.recipients = entries(reader, node, "recipients", most, values::entry),
            "memory_kinds" => lists.memory_kinds = entries(reader, node, "memory_kinds", most, values::entry),
            "core_roots" => {
                lists.core_roots = entries(reader, node, "core_roots", most, |text| values::folder(text, home));
            }
            "catalogue" => {
                lists.catalogue = Some(entries(reader, node, "catalogue", most, values::tool));
                settings.catalogue_source = Some(reader.source(&node.at));
            }
            _ => reader.unknown(key, LISTS),
        }
    }
}

fn approvals(reader: &mut Reader<'_>, node: &Node, settings: &mut Settings) {
    for (key, node) in reader.members(node, "approvals") {
        match key.name.as_str() {
            "wait_s" => settings.wait_s = seconds(reader, node, "wait_s", WAIT_S_MAX),
            _ => reader.unknown(key, APPROVALS),
        }
    }
}

/// A time from one second to the most.
fn seconds(reader: &mut Reader<'_>, node: &Node, name: &str, most: u32) -> Option<Sourced<u32>> {
    let seconds = match node.value {
        Held::Number(number) => u32::try_from(number).ok().filter(|seconds| (1..=most).contains(seconds)),
        Held::Text(_) | Held::List(_) | Held::Table(_) | Held::Other(_) => None,
    };
    if seconds.is_none() {
        reader.wrong(
            &node.at,
            format!("`{name}` is no time that can be waited"),
            format!("write seconds, 1 to {most}"),
        );
    }
    seconds.map(|seconds| reader.sourced(node, seconds))
}

fn notify(reader: &mut Reader<'_>, node: &Node, settings: &mut Settings) {
    for (key, node) in reader.members(node, "notify") {
        match key.name.as_str() {
            "webhook" => {
                settings.webhook = value(reader, node, "webhook", values::webhook).map(|url| reader.sourced(node, url));
            }
            _ => reader.unknown(key, NOTIFY),
        }
    }
}
