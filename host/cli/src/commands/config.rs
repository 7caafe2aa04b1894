//! `config`: tells what is wrong, and reads and sets one key.

use crate::config::{Configured, of_files, registry, user_file};
use crate::config_args::ConfigCommand;
use crate::exit::{Exit, Failure};
use crate::{home, output};
use holdpoint_store::config::{Config, Edited, File, Layer, Presence, Problem, get, load, set};
use serde_json::{Value, json};
use std::path::Path;

/// Runs a `config` command.
pub(crate) fn run(command: ConfigCommand) -> Result<Exit, Failure> {
    match command {
        ConfigCommand::Check { file, json } => {
            let config = read(file.as_deref())?;
            if json {
                output::data(&(document(&config).to_string() + "\n"))?
            } else {
                tell(&config)?
            }
            Ok(if config.problems.is_empty() { Exit::Done } else { Exit::Configuration })
        }
        ConfigCommand::Get { key, config } => {
            let file = user_file(&home::state_path()?, config.as_deref());
            let held = get(&file.path, &key).map_err(|problem| failure(&[problem]))?;
            let held = held.ok_or_else(|| {
                let what = format!("`{key}` is not set in `{}`", file.path.display());
                Failure::new(Exit::Configuration, what, "`holdpoint safety explain` shows what holds instead")
            })?;
            output::data(&(output::visible_lines(&held) + "\n"))?;
            Ok(Exit::Done)
        }
        ConfigCommand::Set { key, value, config } => {
            let state = home::state_path()?;
            let file = user_file(&state, config.as_deref());
            if config.is_none() {
                home::open_or_create()?;
            }
            let files = of_files(Vec::new(), &registry(&state)?);
            let edited = set(&file.path, &key, &value, &files).map_err(|problems| failure(&problems))?;
            output::note(match edited {
                Edited::Written => "written",
                Edited::Unchanged => "unchanged",
            });
            Ok(Exit::Done)
        }
    }
}

fn read(file: Option<&Path>) -> Result<Config, Failure> {
    let state = home::state_path()?;
    let registry = registry(&state)?;
    match file {
        Some(path) => {
            let file = File { layer: Layer::User, path: path.to_owned(), presence: Presence::Required };
            Ok(load(&of_files(vec![file], &registry)))
        }
        None => {
            let current = std::env::current_dir().map_err(|error| Failure::internal(error.to_string()))?;
            Ok(Configured::read(&state, None, Some(&current), &registry).config)
        }
    }
}

/// Problems as one failure, each with its place and help.
fn failure(problems: &[Problem]) -> Failure {
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Failure::new(Exit::Configuration, told.join("\n"), "nothing was changed")
}

fn tell(config: &Config) -> Result<(), Failure> {
    for problem in &config.problems {
        output::note(&format!("error: {}", output::visible_lines(&problem.to_string())));
    }
    for ignored in &config.ignored {
        output::note(&format!("ignored: {}", output::visible(&format!("{}: {}", ignored.source, ignored.what))));
    }
    if config.problems.is_empty() {
        output::data("the configuration checks\n")
    } else {
        output::note("until this is mended everybody observes and nothing is changed");
        Ok(())
    }
}

fn document(config: &Config) -> Value {
    json!({ "schema": 1, "problems": problems(config), "ignored": ignored(config) })
}

/// What is wrong, as JSON.
pub(crate) fn problems(config: &Config) -> Vec<Value> {
    let one = |problem: &Problem| {
        json!({ "file": problem.file, "line": problem.line, "column": problem.column, "what": problem.what,
            "help": problem.help })
    };
    config.problems.iter().map(one).collect()
}

/// What a layer may not loosen, as JSON.
pub(crate) fn ignored(config: &Config) -> Vec<Value> {
    let layer = |layer: Layer| layer.to_string();
    let one = |ignored: &holdpoint_store::config::Ignored| json!({ "layer": layer(ignored.layer), "what": ignored.what, "source": ignored.source });
    config.ignored.iter().map(one).collect()
}
