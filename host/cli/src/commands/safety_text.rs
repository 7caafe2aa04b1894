//! What `safety explain` says, as text.

use crate::commands::toggle_text::time;
use serde_json::Value;
use std::fmt::Write;

/// What equal names do not promise.
const NAMES: &str = "the names of levels are shared; what a vocabulary's rungs say at them is its own, so equal rung names in \
two vocabularies do not promise equal meaning";
/// What no level is.
const NO_BOUNDARY: &str =
    "a level is a guardrail against mistakes and no boundary: whoever holds credentials can act without holdpoint";

/// The document as text.
pub(crate) fn text(document: &Value) -> String {
    let mut out = String::new();
    let say = |key: &str| word(&document[key]);
    let _ = writeln!(out, "principal {}: level {} (decided by {})", say("principal"), say("level"), say("decided_by"));
    let _ = writeln!(out, "  {:<14} by default for this way in", say("default_level"));
    for entry in list(&document["entries"]) {
        let whose = entry["principal"].as_str().unwrap_or("everybody");
        let decides = if entry["decides"] == true { "  <- decides" } else { "" };
        let level = word(&entry["level"]);
        let _ =
            writeln!(out, "  {level:<14} for {whose}, {} ({}){decides}", word(&entry["source"]), word(&entry["layer"]));
    }
    let _ = writeln!(out, "  the least of all that match holds; a name that a caller gives itself only adds matches");
    let _ = writeln!(out, "  {NO_BOUNDARY}");
    let _ = writeln!(out, "  claims in place of an answer: {}", say("attestation"));
    rungs(&mut out, document);
    held(&mut out, &document["held"]);
    toggles(&mut out, document);
    for problem in list(&document["problems"]) {
        let place = format!("{}:{}", word(&problem["file"]), problem["line"]);
        let _ = writeln!(out, "error: {place}: {}\n  help: {}", word(&problem["what"]), word(&problem["help"]));
    }
    for ignored in list(&document["ignored"]) {
        let _ = writeln!(out, "ignored: {}: {}", word(&ignored["source"]), word(&ignored["what"]));
    }
    out
}

fn rungs(out: &mut String, document: &Value) {
    let columns = ["observe", "guarded", "trusted", "unrestricted"];
    let row = |says: &Value| columns.map(|level| format!("{:<13}", says.get(level).map_or("-", word))).concat();
    let head = columns.map(|level| format!("{level:<13}")).concat();
    let _ = writeln!(out, "rungs: what a level says, where nothing else says more (core)");
    let _ = writeln!(out, "  {:<14}{:<12}{}", "effect", "resource", head.trim_end());
    for rung in list(&document["default_rungs"]) {
        let (effect, criticality) = (word(&rung["effect"]), word(&rung["criticality"]));
        let _ = writeln!(out, "  {effect:<14}{criticality:<12}{}", row(rung).trim_end());
    }
    for rung in list(&document["rungs"]) {
        let picks = ["verb", "native", "kind", "effect", "scope", "criticality"];
        let picks = picks.iter().filter_map(|pick| Some(format!("{pick} {}", rung[pick].as_str()?)));
        let answers = &rung["says"];
        let says = columns.map(|level| format!("{level} {}", answers.get(level).map_or("-", word)));
        let (source, picks) = (word(&rung["source"]), picks.collect::<Vec<_>>().join(", "));
        let _ = writeln!(out, "  {source}: at least {picks}: {}", says.join(", "));
    }
    let names: Vec<&str> = list(&document["vocabularies"]).iter().filter_map(Value::as_str).collect();
    let _ = writeln!(out, "  vocabularies: {}\n  {NAMES}", names.join(", "));
}

fn held(out: &mut String, held: &Value) {
    let _ = writeln!(out, "held still, whatever the level:");
    if let (Some(resource), Some(criticality)) = (held["resource"].as_str(), held["criticality"].as_str()) {
        let _ = writeln!(out, "  {resource} counts as {criticality}");
    }
    if let Some(problem) = held["unreadable"].as_str() {
        let _ = writeln!(out, "  everything: the configuration cannot be read: {problem}");
    }
    let freeze = &held["freeze"];
    if let (Some(by), Some(since_ms)) = (freeze["by"].as_str(), freeze["since_ms"].as_u64()) {
        let ends = freeze["while_pid"].as_u64().map_or_else(
            || "until a person thaws".to_owned(),
            |pid| format!("until a person thaws or process {pid} ends"),
        );
        let _ =
            writeln!(out, "  frozen: everything, by {by} since {}, {ends}: {}", time(since_ms), word(&freeze["why"]));
    }
    for pin in list(&held["pins"]) {
        let _ = writeln!(out, "  pinned: {} ({})", word(&pin["resource"]), word(&pin["source"]));
    }
    for weight in list(&held["weights"]) {
        let (name, criticality) = (word(&weight["match"]), word(&weight["criticality"]));
        let _ = writeln!(out, "  {criticality}: {name} ({})", word(&weight["source"]));
    }
    let words: Vec<&str> = list(&held["allow_writes"]).iter().filter_map(Value::as_str).collect();
    let writes =
        if held["allow_writes"].is_null() { "all that the level lets through".to_owned() } else { words.join(", ") };
    let sources: Vec<&str> = list(&held["session_sources"]).iter().filter_map(Value::as_str).collect();
    let by = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join(", ")) };
    let _ = writeln!(out, "  session: {}; writes: {writes}{by}", word(&held["session"]));
}

fn toggles(out: &mut String, document: &Value) {
    let _ = writeln!(out, "toggles, and what each says while it is restrictive:");
    for toggle in list(&document["toggles"]) {
        let (key, state) = (word(&toggle["key"]), word(&toggle["state"]));
        let source = toggle["source"].as_str().unwrap_or_else(|| word(&toggle["declared_by"]));
        let _ = writeln!(out, "  {key:<42}{state:<13}{:<6}({source})", word(&toggle["while_restrictive"]));
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}
