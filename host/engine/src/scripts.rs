//! Scripts that a call writes and that run later, by themselves or by their name: what they come down to is kept with the
//! action that writes them. The content of any other file is data, so a guide may name every command there is.
//!
//! Only commands of a shell are read, in files that are known to hold them. A program in another language, or a script that
//! is put together in another call, is not seen.

use crate::recipes::{self, Form};
use holdpoint_core::action::{Action, Input, Invocation};
use holdpoint_core::assess::{Assessed, Assessment, Cause, NodeId, Route};
use holdpoint_core::finding::SOURCE_BYTES_MAX;
use holdpoint_core::json::Json;
use holdpoint_core::operation::{Certainty, TargetKind};
use holdpoint_core::paths::Place;
use holdpoint_core::places;
use holdpoint_core::scene::Scene;

/// Most texts of one call that are read as scripts.
pub(crate) const TEXTS_MAX: usize = 32;
/// Arguments of editing tools that hold what is taken away.
const TAKEN_AWAY: &[&str] = &["old_string"];
/// Options behind which programs take a command, such as `npx -c`.
const TAKES_COMMAND: &[&str] = &["-c", "--call", "--command"];

/// A text that runs later, and the action that writes it.
#[derive(Debug, PartialEq)]
pub(crate) struct Later {
    pub(crate) node: NodeId,
    /// Commands of a shell, one a line.
    pub(crate) commands: String,
}

/// Every text of the call that runs later, and the actions that write more than is looked at.
pub(crate) fn find(assessment: &Assessment, scene: &Scene) -> (Vec<Later>, Vec<NodeId>) {
    let mut found: Vec<Later> = Vec::new();
    let mut lost = Vec::new();
    let written = assessment.operations().iter().filter(|assessed| {
        let operation = &assessed.operation;
        operation.writes() && !operation.removes()
    });
    let mut take = |node: NodeId, commands: String| {
        if commands.trim().is_empty() || found.iter().any(|known| known.node == node && known.commands == commands) {
            return;
        }
        if commands.len() > SOURCE_BYTES_MAX || found.len() >= TEXTS_MAX {
            lost.push(node);
        } else {
            found.push(Later { node, commands });
        }
    };
    for assessed in written {
        let named = form_of(assessed, scene);
        for content in contents(assessment, assessed) {
            if let Some(form) = named.or_else(|| recipes::by_first_line(&content)) {
                take(assessed.node, recipes::commands(form, &content));
            }
        }
    }
    for (node, invocation) in unknown_programs(assessment) {
        commands_in_words(invocation).into_iter().for_each(|commands| take(node, commands));
    }
    (found, lost)
}

/// How commands stand in the file that is written, by what it is.
fn form_of(assessed: &Assessed, scene: &Scene) -> Option<Form> {
    if assessed.operation.kind() == Some(TargetKind::Schedule) {
        return Some(Form::Schedule);
    }
    let path = match assessed.place.as_ref()? {
        Place::Exact(path) => path,
        Place::Pattern { .. } | Place::Anywhere => return None,
    };
    let names: Vec<String> = path.names().iter().map(|name| name.to_ascii_lowercase()).collect();
    let settings = || if places::persists(assessed, scene) { recipes::of_settings(&names) } else { None };
    recipes::by_name(&names).or_else(settings)
}

/// What may be written: the arguments of a tool but for what is taken away, or what the programs of a shell line are fed
/// and print.
fn contents(assessment: &Assessment, assessed: &Assessed) -> Vec<String> {
    let Some(node) = assessment.node(assessed.node) else { return Vec::new() };
    let path = assessed.operation.target.first().map_or("", |step| step.name.as_str());
    match (&node.action, node.route) {
        (Action::Tool(tool), Route::Direct) => added(&tool.arguments).into_iter().filter(|text| text != path).collect(),
        // Which command writes into which file is not told apart within a line.
        (Action::Tool(_) | Action::Source(_) | Action::Program(_), _) => {
            assessment.nodes().iter().flat_map(|node| fed_and_printed(&node.action)).collect()
        }
    }
}

/// Every text of a document that is not taken away.
fn added(document: &Json) -> Vec<String> {
    match document {
        Json::Text(text) => vec![text.clone()],
        Json::Array(items) => items.iter().flat_map(added).collect(),
        Json::Object(members) => {
            let kept = members.iter().filter(|(key, _)| !TAKEN_AWAY.contains(&key.as_str()));
            kept.flat_map(|(_, value)| added(value)).collect()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
    }
}

fn program(action: &Action) -> Option<&Invocation> {
    match action {
        Action::Program(invocation) => Some(invocation),
        Action::Tool(_) | Action::Source(_) => None,
    }
}

/// What a program is fed, and what the lines of a shell print by its own commands.
fn fed_and_printed(action: &Action) -> Vec<String> {
    match action {
        Action::Program(Invocation { stdin: Input::Text(text), .. }) => vec![text.clone()],
        Action::Program(_) => Vec::new(),
        Action::Source(source) => recipes::printed(&source.text),
        Action::Tool(tool) => added(&tool.arguments).iter().flat_map(|text| recipes::printed(text)).collect(),
    }
}

fn unknown_programs(assessment: &Assessment) -> impl Iterator<Item = (NodeId, &Invocation)> {
    let unknown = |node: NodeId| {
        assessment.unknowns().iter().any(|unknown| unknown.node == node && unknown.cause == Cause::NoClaimant)
    };
    let programs = assessment.nodes().iter().enumerate().filter(move |(id, _)| unknown(*id));
    programs.filter_map(|(id, node)| Some((id, program(&node.action)?)))
}

/// Commands that a program which nobody understands is given: behind `-c`, and in an alias that starts with `!`.
fn commands_in_words(invocation: &Invocation) -> Vec<String> {
    let words: Vec<&str> = invocation.argv.iter().map(|word| word.text.as_str()).collect();
    let exact = invocation.argv.iter().all(|word| word.certainty == Certainty::Exact);
    let behind = words.windows(2).filter_map(|pair| match pair {
        [option, command] if TAKES_COMMAND.contains(option) => Some(*command),
        _ => None,
    });
    let alias = words.iter().filter_map(|word| match word.split_once('!') {
        Some(("", command)) => Some(command),
        Some((name, command)) if name.ends_with('=') => Some(command),
        Some(_) | None => None,
    });
    let script = words.iter().filter_map(|word| word.strip_prefix("scripts.")?.split_once('=').map(|(_, text)| text));
    if exact { behind.chain(alias).chain(script).map(str::to_owned).collect() } else { Vec::new() }
}

#[cfg(test)]
#[path = "scripts_tests.rs"]
mod tests;
