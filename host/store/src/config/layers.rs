//! The layers together. What tightens adds up; what widens counts from the system and the user only.

use crate::config::entries::Settings;
use crate::config::files::{self, Files};
use crate::config::problem::Problem;
use crate::config::sections::{self, Known};
use crate::config::{Config, Layer, LevelEntry, Sourced, is_under};
use holdpoint_core::level::{Criticality, Level};
use holdpoint_core::posture::{SessionAccess, WriteScope};

/// Something that a layer tried to loosen, to no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Who wrote it.
    pub layer: Layer,
    /// What it says and why it does not count.
    pub what: String,
    /// Where, as `FILE:LINE`.
    pub source: String,
}

/// A level and what decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided<'a> {
    /// The effective level.
    pub level: Level,
    /// The first entry that says so; `None` where the default is as low.
    pub by: Option<&'a LevelEntry>,
}

/// The level that a principal has where nothing is configured for it, by its way in: a person's own command line and
/// console trust, what an agent speaks over is guarded, and a program that embeds the gate observes until its host says
/// more.
pub fn default_level(principal: &str) -> Level {
    match principal.split(':').next().unwrap_or_default() {
        "cli" | "tui" | "console" => Level::Trusted,
        "hook" | "mcp" | "agent" => Level::Guarded,
        _ => Level::Observe,
    }
}

impl Config {
    /// The entries that apply to a principal.
    pub fn matching<'a>(&'a self, principal: &'a str) -> impl Iterator<Item = &'a LevelEntry> {
        self.levels
            .iter()
            .filter(move |entry| entry.principal.as_deref().is_none_or(|named| is_under(principal, named)))
    }

    /// The least of a default and of every entry that applies.
    pub fn decided(&self, principal: &str, default: Level) -> Decided<'_> {
        if !self.problems.is_empty() {
            return Decided { level: Level::Observe, by: None };
        }
        let least = Decided { level: default, by: None };
        let applies = |named: &str| is_under(principal, named);
        let matching = self.levels.iter().filter(|entry| entry.principal.as_deref().is_none_or(applies));
        matching.fold(least, |least, entry| {
            if entry.level < least.level { Decided { level: entry.level, by: Some(entry) } } else { least }
        })
    }
}

/// Reads all layers.
pub fn load(files: &Files) -> Config {
    let mut config = Config::default();
    for file in &files.files {
        let text = match files::read(file) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(problem) => {
                config.problems.push(problem);
                continue;
            }
        };
        let known = Known { home: files.home.as_deref(), toggles: &files.toggles };
        let (settings, problems) = sections::read(&text, known);
        config.problems.extend(problems);
        join(&mut config, settings, file.layer);
    }
    if let Some(first) = config.problems.first() {
        config.posture.unreadable = Some(first.line());
        narrow(&mut config);
    }
    config
}

/// Where something cannot be read, nothing that widens counts.
fn narrow(config: &mut Config) {
    config.attestations.clear();
    config.lists.recipients.clear();
    config.lists.memory_kinds.clear();
    config.posture.weights.retain(|weight| weight.criticality == Criticality::Production);
}

/// Adds what a file says.
fn join(config: &mut Config, settings: Settings, layer: Layer) {
    let Settings {
        levels,
        attestations,
        pins,
        weights,
        rungs,
        session,
        writes,
        undo_s,
        denied,
        lists,
        catalogue_source,
        wait_s,
        webhook,
    } = settings;
    for (principal, level) in levels {
        join_level(config, layer, principal, level);
    }
    config.posture.pins.extend(pins);
    config.rungs.extend(rungs);
    config.denied.extend(denied);
    for weight in weights {
        if layer == Layer::Repository && weight.criticality == Criticality::Ordinary {
            ignore(config, layer, format!("`{}` as ordinary", weight.resource), weight.source);
        } else {
            config.posture.weights.push(weight);
        }
    }
    join_session(config, layer, session, writes);
    if let Some(undo_s) = undo_s {
        let window_ms = u64::from(undo_s.value).saturating_mul(1_000);
        config.posture.undo_window_ms = config.posture.undo_window_ms.max(window_ms);
        config.session_sources.push(undo_s.source);
    }
    // More places of the agent's own program only mean more that it may not touch.
    config.lists.core_roots.extend(lists.core_roots);
    let widening = Widening { attestations, recipients: lists.recipients, memory_kinds: lists.memory_kinds, webhook };
    join_widening(config, layer, widening);
    match lists.catalogue {
        None => {}
        Some(tools) if layer == Layer::Repository => {
            let what = format!("a catalogue of {} tools", tools.len());
            ignore(config, layer, what, catalogue_source.unwrap_or_default());
        }
        Some(tools) => config.lists.catalogue.get_or_insert_default().extend(tools),
    }
    if let Some(wait_s) = wait_s {
        let is_shorter = config.wait_s.as_ref().is_none_or(|own| wait_s.value < own.value);
        if is_shorter {
            config.wait_s = Some(wait_s);
        } else if config.wait_s.as_ref().is_some_and(|own| wait_s.value > own.value) {
            ignore(config, layer, format!("a question waits {} seconds", wait_s.value), wait_s.source);
        }
    }
}

/// What lets more through the more there is of it.
struct Widening {
    attestations: Vec<Sourced<String>>,
    recipients: Vec<Sourced<String>>,
    memory_kinds: Vec<Sourced<String>>,
    webhook: Option<Sourced<String>>,
}

fn join_widening(config: &mut Config, layer: Layer, widening: Widening) {
    let Widening { attestations, recipients, memory_kinds, webhook } = widening;
    if layer != Layer::Repository {
        config.attestations.extend(attestations);
        config.lists.recipients.extend(recipients);
        config.lists.memory_kinds.extend(memory_kinds);
        config.webhooks.extend(webhook);
        return;
    }
    let named = |what: &str, entries: Vec<Sourced<String>>| {
        entries.into_iter().map(|entry| (format!("{what} `{}`", entry.value), entry.source)).collect::<Vec<_>>()
    };
    let attempts = [
        named("attestation accepted of", attestations),
        named("recipient", recipients),
        named("kind of memory", memory_kinds),
        named("webhook", webhook.into_iter().collect()),
    ];
    for (what, source) in attempts.into_iter().flatten() {
        ignore(config, layer, what, source);
    }
}

/// A level joins by minimum, so one that is higher than what is there already was meant to loosen.
fn join_level(config: &mut Config, layer: Layer, principal: Option<String>, level: Sourced<Level>) {
    let name = principal.as_deref().unwrap_or_default();
    let earlier = config.levels.iter().filter(|entry| entry.layer != layer);
    let least = earlier
        .filter(|entry| entry.principal.as_deref().is_none_or(|named| is_under(name, named)))
        .map(|entry| entry.level)
        .min();
    let never = layer == Layer::Repository && level.value == Level::Unrestricted;
    if never || least.is_some_and(|least| least < level.value) {
        let whose = principal.as_deref().map_or_else(String::new, |name| format!(" of `{name}`"));
        ignore(config, layer, format!("the level {}{whose}", level.value), level.source.clone());
    }
    config.levels.push(LevelEntry { layer, principal, level: level.value, source: level.source });
}

fn join_session(
    config: &mut Config,
    layer: Layer,
    session: Option<Sourced<SessionAccess>>,
    writes: Option<Sourced<Vec<String>>>,
) {
    if let Some(session) = session {
        match session.value {
            SessionAccess::ReadOnly => {
                config.posture.session = SessionAccess::ReadOnly;
                config.session_sources.push(session.source);
            }
            SessionAccess::Full if config.posture.session == SessionAccess::ReadOnly || layer == Layer::Repository => {
                ignore(config, layer, "a session with full access".to_owned(), session.source);
            }
            SessionAccess::Full => {}
        }
    }
    let Some(writes) = writes else { return };
    let before = std::mem::take(&mut config.posture.writes);
    for word in writes.value.iter().filter(|word| !before.names(word)) {
        ignore(config, layer, format!("writes by `{word}`"), writes.source.clone());
    }
    config.posture.writes = before.narrowed(WriteScope::Only(writes.value));
    config.session_sources.push(writes.source);
}

fn ignore(config: &mut Config, layer: Layer, what: String, source: String) {
    let why = match layer {
        Layer::Repository => "a repository may only tighten",
        Layer::System | Layer::User => "the system's configuration allows less",
    };
    config.ignored.push(Ignored { layer, what: format!("{what} is ignored: {why}"), source });
}

/// What is wrong with the text of a file, as if it stood at a path.
pub(crate) fn problems_of(body: &str, path: &std::path::Path, files: &Files) -> Vec<Problem> {
    let text = crate::config::text::Text { file: files::name(path), body: body.to_owned() };
    sections::read(&text, Known { home: files.home.as_deref(), toggles: &files.toggles }).1
}
