//! `hook install`: shows the change to an agent host's settings, and makes it only when told to.

use crate::args::{HookInstallArgs, SessionArgs};
use crate::config::{of_files, registry, user_file};
use crate::exit::{Exit, Failure};
use crate::{gate, home, installed, output};
use holdpoint_store::StateFolder;
use holdpoint_store::config::load;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Seconds the host waits for the hook. Longer than the hook's own deadline, so that the hook answers first.
const HOST_TIMEOUT_S: u64 = 30;
/// The end of the name under which the settings are kept as they were.
const BACKUP: &str = ".before-holdpoint";
/// What every command line of this hook holds, by which an earlier one is found.
const OWN_PART: &str = " hook claude-code --state ";

/// Claude Code.
pub(crate) fn claude_code(args: &HookInstallArgs) -> Result<Exit, Failure> {
    if !args.print && !args.write {
        return Err(Failure::usage("nothing was asked for", "pass --print to see the change or --write to make it"));
    }
    let current = std::env::current_dir().map_err(|error| Failure::internal(error.to_string()))?;
    let settings = current.join(args.settings.clone().unwrap_or_else(|| PathBuf::from(".claude/settings.json")));
    let state = match &args.state {
        Some(state) => current.join(state),
        None => home::state_path()?,
    };
    let before = read(&settings)?;
    let config = args.config.as_ref().map(|config| current.join(config));
    let after = with_hook(before.clone(), &command(&state, config.as_deref(), &args.session)?)?;
    show(&settings, &before, &after)?;
    let files = of_files(vec![user_file(&state, config.as_deref())], &registry(&state)?);
    if let Some(problem) = load(&files).problems.first() {
        let help = "with this file every write would be refused; `holdpoint config check` tells more";
        return Err(Failure::new(Exit::Configuration, problem.to_string(), help));
    }
    if args.write {
        let state = if state.exists() { StateFolder::open(&state)? } else { home::create(&state)? };
        // Compiling now means that the first call does not wait for it.
        let vocabularies = gate::vocabularies(&state)?;
        output::note("compiling the vocabularies …");
        vocabularies.load_all().map_err(|_| {
            Failure::new(Exit::Plugin, vocabularies.degraded().join("; "), "`holdpoint doctor` tells more")
        })?;
        write(&settings, &after)?;
        output::note(&format!("written: {}", settings.display()));
    }
    Ok(Exit::Done)
}

fn read(settings: &Path) -> Result<Value, Failure> {
    match std::fs::read_to_string(settings) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| {
            Failure::usage(format!("`{}` is not JSON: {error}", settings.display()), "mend the file first")
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(json!({})),
        Err(error) => Err(Failure::file(settings, &error)),
    }
}

/// The hook's command line, with absolute paths: what the agent can change about its surroundings must not matter.
fn command(state: &Path, config: Option<&Path>, session: &SessionArgs) -> Result<String, Failure> {
    let program = gate::own_program()?;
    let path = |path: &Path| {
        let text = path.to_str().ok_or_else(|| Failure::usage("a path is not UTF-8", ""))?;
        Ok::<_, Failure>(quoted(text))
    };
    let config = config.map(|config| Ok::<_, Failure>(format!(" --config {}", path(config)?))).transpose()?;
    // What a session may do is part of the wiring, where no call reaches it.
    let session: String = session.words().iter().map(|word| format!(" {}", quoted(word))).collect();
    Ok(format!("{}{OWN_PART}{}{}{session}", path(&program)?, path(state)?, config.unwrap_or_default()))
}

/// A word that a shell reads as it is.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The events that this hook answers, and for which tools: a decision in front of every one, and a look at what those bring
/// in that may reach the outside, or that a person let go ahead.
const EVENTS: &[(&str, &str)] = &[("PreToolUse", "*"), ("PostToolUse", "*")];

/// The settings with this hook, once, in front of every tool and behind it.
fn with_hook(mut settings: Value, command: &str) -> Result<Value, Failure> {
    let shape = |what: &str| {
        Failure::usage(format!("`{what}` in the settings has another shape than the host's"), "mend the file first")
    };
    let top = settings.as_object_mut().ok_or_else(|| shape("the document"))?;
    let hooks = top.entry("hooks").or_insert_with(|| json!({})).as_object_mut().ok_or_else(|| shape("hooks"))?;
    for (event, matcher) in EVENTS {
        let entries = hooks.entry(*event).or_insert_with(|| json!([]));
        let entries = entries.as_array_mut().ok_or_else(|| shape(&format!("hooks.{event}")))?;
        entries.retain_mut(|entry| !was_only_ours(entry));
        entries.push(json!({
            "matcher": matcher,
            "hooks": [{ "type": "command", "command": command, "timeout": HOST_TIMEOUT_S, "onFailure": "block" }],
        }));
    }
    Ok(settings)
}

/// Takes this hook out of an entry. True where nothing else was in it; hooks of others stay.
fn was_only_ours(event: &mut Value) -> bool {
    let Some(hooks) = event.get_mut("hooks").and_then(Value::as_array_mut) else { return false };
    let before = hooks.len();
    let is_ours =
        |hook: &Value| hook.get("command").and_then(Value::as_str).is_some_and(|text| text.contains(OWN_PART));
    hooks.retain(|hook| !is_ours(hook));
    hooks.is_empty() && before > 0
}

fn show(path: &Path, before: &Value, after: &Value) -> Result<(), Failure> {
    let (old, new) = (pretty(before)?, pretty(after)?);
    let mut text = format!("--- {}\n+++ {}\n", path.display(), path.display());
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(left, right)| left == right).count();
    let rest = old.len().min(new.len()).saturating_sub(same_start);
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(left, right)| left == right).count();
    let middle = |lines: &[&str], sign: char| {
        let changed = lines.iter().take(lines.len().saturating_sub(same_end)).skip(same_start);
        changed.map(|line| format!("{sign}{line}\n")).collect::<String>()
    };
    text.push_str(&middle(&old, '-'));
    text.push_str(&middle(&new, '+'));
    output::data(&text)
}

fn pretty(value: &Value) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| Failure::internal(error.to_string()))
}

fn write(path: &Path, settings: &Value) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    }
    // Settings that are a link stay one: what it leads to is changed.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut backup = path.as_os_str().to_owned();
    backup.push(BACKUP);
    let backup = PathBuf::from(backup);
    if path.exists() && !backup.exists() {
        std::fs::copy(path, &backup).map_err(|error| Failure::file(&backup, &error))?;
    }
    installed::write(path, pretty(settings)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str = "'/x/holdpoint' hook claude-code --state '/s'";

    #[test]
    fn the_hook_stands_once_and_everything_else_stays() {
        let before =
            json!({ "model": "m", "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [] }], "Stop": [] } });
        let once = with_hook(before, COMMAND).unwrap();
        let twice = with_hook(once.clone(), COMMAND).unwrap();
        assert_eq!(once, twice);
        assert_eq!(once["model"], "m");
        assert_eq!(once["hooks"]["PreToolUse"].as_array().unwrap().len(), 2);
        assert_eq!(once["hooks"]["PreToolUse"][1]["hooks"][0]["onFailure"], "block");
    }

    #[test]
    fn what_the_session_may_do_stands_in_the_wiring_and_is_read_back_as_it_was_said() {
        let words = |text: &str| Some(text.split(',').map(str::to_owned).collect());
        let cells = [
            (SessionArgs::default(), ""),
            (SessionArgs { read_only: true, allow_writes: None }, " '--read-only'"),
            (
                SessionArgs { read_only: false, allow_writes: words("dlq_delete,it's") },
                " '--allow-writes=dlq_delete,it'\\''s'",
            ),
        ];
        for (session, written) in cells {
            let command = command(Path::new("/s"), Some(Path::new("/c d")), &session).unwrap();
            assert!(
                command.ends_with(&format!(" hook claude-code --state '/s' --config '/c d'{written}")),
                "{command}"
            );
        }
    }

    #[test]
    fn a_hook_of_somebody_else_in_the_same_entry_stays() {
        let other = json!({ "type": "command", "command": "lint" });
        let shared = json!({ "matcher": "Bash", "hooks": [other, { "type": "command", "command": COMMAND }] });
        let after = with_hook(json!({ "hooks": { "PreToolUse": [shared] } }), COMMAND).unwrap();
        assert_eq!(after["hooks"]["PreToolUse"][0]["hooks"], json!([other]));
        assert_eq!(after["hooks"]["PreToolUse"][1]["hooks"][0]["command"], COMMAND);
    }

    #[test]
    fn settings_of_another_shape_are_not_touched() {
        for strange in [json!([]), json!({ "hooks": [] }), json!({ "hooks": { "PreToolUse": {} } })] {
            assert!(with_hook(strange, COMMAND).is_err());
        }
    }
}
