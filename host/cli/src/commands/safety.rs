//! `safety explain`: everything that decides for a principal, with where each rule was written.

use crate::commands::{config, freeze, safety_text};
use crate::config::{Configured, registry};
use crate::config_args::{ExplainArgs, SafetyCommand};
use crate::exit::{Exit, Failure};
use crate::{embedded, gate, home, output};
use holdpoint::core::level::{Criticality, Level, rung};
use holdpoint::core::operation::{
    Access, Certainty, Effect, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use holdpoint::core::posture::{Freeze, WriteScope};
use holdpoint::core::resource::ResourcePattern;
use holdpoint::core::rungs::Rung;
use holdpoint::core::words::Word;
use holdpoint_core::assess::Assessed;
use holdpoint_core::gates::while_restrictive;
use holdpoint_core::glob::has_wildcard;
use holdpoint_core::paths::Place;
use holdpoint_core::registry::{Registry, SafetyToggle};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_runtime::Manifest;
use holdpoint_store::config::{Config, LevelEntry, default_level};
use holdpoint_store::{Frozen, StateFolder, Transitions};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Runs a `safety` command.
pub(crate) fn run(command: SafetyCommand) -> Result<Exit, Failure> {
    let SafetyCommand::Explain(args) = command;
    let document = document(&args)?;
    if args.json {
        output::data(&(document.to_string() + "\n"))?;
    } else {
        output::data(&output::visible_lines(&safety_text::text(&document)))?;
    }
    Ok(Exit::Done)
}

fn document(args: &ExplainArgs) -> Result<Value, Failure> {
    let state = home::state_path()?;
    let registry = registry(&state)?;
    let current = std::env::current_dir().map_err(|error| Failure::internal(error.to_string()))?;
    let configured = Configured::read(&state, args.config.as_deref(), Some(&current), &registry);
    let config = &configured.config;
    let default = default_level(&args.principal);
    let decided = config.decided(&args.principal, default);
    let entry = |entry: &LevelEntry| {
        json!({ "principal": entry.principal, "level": entry.level.as_str(), "layer": entry.layer.to_string(),
            "source": entry.source, "decides": decided.by == Some(entry) })
    };
    let manifests = manifests(&state)?;
    let rungs = gate::rungs_of(manifests.iter())?;
    let attestation = if config.accepts_attestation(&args.principal) { "accepted" } else { "refused" };
    Ok(json!({
        "schema": 1,
        "principal": args.principal,
        "level": decided.level.as_str(),
        "default_level": default.as_str(),
        "decided_by": decided.by.map_or("default", |entry| &entry.source),
        "entries": config.matching(&args.principal).map(entry).collect::<Vec<_>>(),
        "attestation": attestation,
        "default_rungs": default_rungs(),
        "rungs": rungs.iter().chain(&config.rungs).map(rung_value).collect::<Vec<_>>(),
        "vocabularies": manifests.iter().map(|manifest| format!("{} {}", manifest.name, manifest.version)).collect::<Vec<_>>(),
        "held": held(config, args, &state)?,
        "toggles": toggles(config, &registry, &manifests, &state)?,
        "problems": config::problems(config),
        "ignored": config::ignored(config),
    }))
}

/// What each level says to each effect on each kind of resource, where no other rung says more.
fn default_rungs() -> Vec<Value> {
    let mut rows = Vec::new();
    for effect in Effect::ALL {
        for criticality in Criticality::ALL {
            let mut row = Map::new();
            row.insert("effect".to_owned(), json!(effect.as_str()));
            row.insert("criticality".to_owned(), json!(criticality.as_str()));
            for level in Level::ALL {
                row.insert(level.as_str().to_owned(), json!(rung(*level, *effect, *criticality).as_str()));
            }
            rows.push(Value::Object(row));
        }
    }
    rows
}

fn rung_value(rung: &Rung) -> Value {
    let says =
        Level::ALL.iter().zip(rung.says).map(|(level, answer)| (level.as_str().to_owned(), json!(answer.as_str())));
    json!({
        "verb": rung.verb.map(Word::as_str), "native": rung.native, "kind": rung.kind.map(Word::as_str),
        "effect": rung.effect_min.as_str(), "scope": rung.scope_min.as_str(),
        "criticality": rung.criticality_min.as_str(), "says": says.collect::<Map<String, Value>>(),
        "source": rung.source,
    })
}

/// The manifests in force.
fn manifests(state: &Path) -> Result<Vec<Manifest>, Failure> {
    let mut all = embedded::vocabularies().map_err(Failure::internal)?;
    if state.exists() {
        all.extend(gate::installed_in(&StateFolder::open(state)?)?);
    }
    Ok(all.into_iter().map(|vocabulary| vocabulary.manifest).collect())
}

/// Everything that is held still: by the configuration, by what the session would be started with, and by a freeze.
fn held(config: &Config, args: &ExplainArgs, state: &Path) -> Result<Value, Failure> {
    let mut posture = config.posture.clone();
    args.session.narrow(&mut posture);
    let said = if args.session.words().is_empty() { None } else { Some("the command line") };
    let sources: Vec<&str> = config.session_sources.iter().map(String::as_str).chain(said).collect();
    let resource = args.resource.as_deref();
    let about = resource.map(assessed).transpose()?;
    let applies = |pattern: &ResourcePattern| about.as_ref().is_none_or(|assessed| pattern.may_touch(assessed));
    let pins = posture.pins.iter().filter(|pin| applies(&pin.resource));
    let weights = posture.weights.iter().filter(|weight| applies(&weight.resource));
    let writes = match &posture.writes {
        WriteScope::All => Value::Null,
        WriteScope::Only(words) => json!(words),
    };
    Ok(json!({
        "resource": resource,
        "criticality": about.as_ref().map(|assessed| posture.criticality(assessed).as_str()),
        "pins": pins.map(|pin| json!({ "resource": pin.resource.to_string(), "source": pin.source })).collect::<Vec<_>>(),
        "weights": weights
            .map(|weight| {
                json!({ "match": weight.resource.to_string(), "criticality": weight.criticality.as_str(),
                    "source": weight.source })
            })
            .collect::<Vec<_>>(),
        "session": posture.session.as_str(),
        "allow_writes": writes,
        "session_sources": sources,
        "freeze": frozen(state)?,
        "unreadable": posture.unreadable,
    }))
}

/// The freeze that is in force: who, why, since when in milliseconds after the Unix epoch, and the number of the process
/// that it ends with; `null` for a member where a person ends it, and for the whole where nothing is frozen.
fn frozen(state: &Path) -> Result<Value, Failure> {
    if !state.exists() {
        return Ok(Value::Null);
    }
    let told = |frozen: Frozen| {
        let Freeze { by, why, since_ms } = frozen.freeze;
        json!({ "by": by, "why": why, "since_ms": since_ms, "while_pid": frozen.owner.map(|owner| owner.pid) })
    };
    Ok(freeze::in_force(&StateFolder::open(state)?).map_or(Value::Null, told))
}

/// A change of a resource, to see what is held still about it.
fn assessed(text: &str) -> Result<Assessed, Failure> {
    let help = "write it as a pattern: `file:/srv/prod`, `host:db1 > service:web`";
    let unfit = |what: &str| Failure::usage(format!("`{text}` names no resource: {what}"), help);
    ResourcePattern::parse(text).map_err(|error| unfit(error.as_str()))?;
    let segment = |step: &str| {
        let (kind, name) = step.trim().split_once(':')?;
        let certainty = if has_wildcard(name) { Certainty::Glob } else { Certainty::Exact };
        let kind = TargetKind::from_word(kind.trim()).unwrap_or(TargetKind::Unknown);
        Some(Segment { kind, name: name.trim().to_owned(), certainty })
    };
    let target: Option<Vec<Segment>> = text.split('>').map(segment).collect();
    let target = target.ok_or_else(|| unfit("a step has no kind"))?;
    let file = target.first().filter(|first| first.kind == TargetKind::File);
    let place = file.map(|file| Place::resolve(&file.name, file.certainty, None));
    let operation = Operation {
        verb: Verb::Update,
        native: String::new(),
        target,
        access: Access::Write,
        effect: Effect::Reversible,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    };
    Ok(Assessed { node: 0, operation, place })
}

fn toggles(config: &Config, registry: &Registry, manifests: &[Manifest], state: &Path) -> Result<Vec<Value>, Failure> {
    let now_ms = gate::now_ms();
    let states =
        if state.exists() { Some(Transitions::of(&StateFolder::open(state)?).toggles(registry, now_ms)) } else { None };
    let one = |toggle: &SafetyToggle| {
        let declaration = toggle.declaration();
        let key = &*declaration.key;
        let is_loosened = states.as_ref().is_some_and(|states| states.is_loosened(key, now_ms));
        let declared = declaration.gate.as_ref().map(|gate| gate.verdict);
        let own = ToggleKey::from_word(key).map(while_restrictive).or(declared);
        let source = config.denied.iter().find(|denied| denied.value == key).map(|denied| denied.source.as_str());
        let says = if source.is_some() { Some("deny") } else { own.map(Word::as_str) };
        let declares = |manifest: &&Manifest| manifest.toggles.iter().any(|toggle| toggle.key == key);
        let declared_by = manifests.iter().find(declares).map_or("core", |manifest| manifest.name.as_str());
        json!({ "key": key, "declared_by": declared_by, "state": if is_loosened { "permissive" } else { "restrictive" },
            "while_restrictive": says, "source": source })
    };
    Ok(registry.toggles().iter().map(one).collect())
}
