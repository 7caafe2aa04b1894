//! Checks the tables and writes them as Rust text. It must never write a table it has a question about.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::model::{Act, Command, Mode, Order, Runs, Tables};
use crate::options::{Missing, Options, UNJUDGED};

/// Commands with a reader of their own.
const HANDLERS: &[&str] =
    &["table", "bisect-run", "checkout", "clone", "config", "fetch", "foreach", "push", "remote-url"];
/// Meanings of options that only a handler understands.
const MARKS: &[&str] =
    &["delete", "dry", "edit", "every", "file", "force", "global", "mirror", "read", "system", "write"];
/// Roles of words and values that are no acts.
const WORDS: &[&str] = &["text", "rev", "far", "shell", "helper", "pair", "strategy"];

/// The whole generated module.
pub(crate) fn module(tables: &Tables) -> Result<String, String> {
    let mut text = String::new();
    enumeration(&mut text, "Handler", "How a command is read.", HANDLERS);
    enumeration(&mut text, "Mark", "What only a handler understands.", MARKS);
    for (name, act) in &tables.acts.act {
        write_act(&mut text, name, act)?;
    }
    let names: Vec<String> = tables.acts.act.keys().map(|name| format!("&{}", constant(name))).collect();
    let _ = writeln!(text, "/// All acts.\n#[cfg(test)]\npub(crate) static ACTS: &[&Act] = &[{}];", names.join(", "));
    let mut commands = BTreeMap::new();
    let mut problems = Vec::new();
    for command in &tables.commands.command {
        for name in names_of(&command.names) {
            match write_command(tables, command, &name) {
                Ok(written) => {
                    if commands.insert(name.clone(), written).is_some() {
                        problems.push(format!("`{name}` has two tables"));
                    }
                }
                Err(problem) => problems.push(format!("`{name}`: {problem}")),
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("; "));
    }
    let _ = writeln!(text, "/// All commands, sorted by name.\npub(crate) static COMMANDS: &[Command] = &[");
    commands.values().for_each(|command| text.push_str(command));
    text.push_str("];\n");
    Ok(text)
}

/// The names in a table word: `stash/pop|drop` is two.
fn names_of(words: &str) -> Vec<String> {
    let each = |word: &str| -> Vec<String> {
        match word.split_once('/') {
            Some((parent, subs)) => subs.split('|').map(|sub| format!("{parent}/{sub}")).collect(),
            None => vec![word.to_owned()],
        }
    };
    words.split_whitespace().flat_map(each).collect()
}

fn enumeration(text: &mut String, name: &str, doc: &str, cases: &[&str]) {
    let _ = writeln!(text, "/// {doc}\n#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub(crate) enum {name} {{");
    for case in cases {
        let _ = writeln!(text, "    /// `{case}`.\n    {},", camel(case));
    }
    text.push_str("}\n");
}

fn camel(name: &str) -> String {
    let upper = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('-').map(upper).collect()
}

fn constant(name: &str) -> String {
    format!("ACT_{}", name.to_uppercase().replace('-', "_"))
}

fn write_act(text: &mut String, name: &str, act: &Act) -> Result<(), String> {
    let traits = act.traits.iter().fold("Traits::empty()".to_owned(), |all, one| {
        format!("{all}.union(Traits::{})", one.to_uppercase().replace('-', "_"))
    });
    let kind = match act.kind.as_str() {
        "none" => "None".to_owned(),
        kind => format!("Some(TargetKind::{})", camel(kind)),
    };
    if kind == "None" && (act.effect != "none" || act.name.is_some()) {
        return Err(format!("act `{name}` has no target, so it has neither effect nor name"));
    }
    let _ = writeln!(
        text,
        "/// `{name}`.\npub(crate) static {}: Act = Act {{ verb: Verb::{}, kind: {kind}, effect: Effect::{}, \
         scope: Scope::{}, name: {:?}, traits: {traits} }};",
        constant(name),
        camel(&act.verb),
        camel(&act.effect),
        camel(&act.scope),
        act.name,
    );
    Ok(())
}

/// A role as Rust text.
fn role(tables: &Tables, name: &str) -> Result<String, String> {
    if tables.acts.act.contains_key(name) {
        return Ok(format!("Role::Act(&{})", constant(name)));
    }
    match name.strip_prefix("mark-") {
        Some(mark) if MARKS.contains(&mark) => Ok(format!("Role::Mark(Mark::{})", camel(mark))),
        None if WORDS.contains(&name) => Ok(format!("Role::{}", camel(name))),
        Some(_) | None => Err(format!("unknown role `{name}`")),
    }
}

fn write_command(tables: &Tables, command: &Command, name: &str) -> Result<String, String> {
    let missing = if names_of(&command.names).len() > 1 { Missing::IsFine } else { Missing::IsMistake };
    let mut options = Options::of(tables, command, name, missing)?;
    for (role_name, words) in &command.role {
        options.mean(&role(tables, role_name)?, words, missing)?;
    }
    let mut alone = BTreeSet::new();
    let mut modes = String::new();
    for (index, mode) in command.mode.iter().enumerate() {
        let text = format!("Role::Mode({index})");
        options.mean(&text, &mode.options, missing)?;
        let rank = if mode.alone { "Alone" } else { "Equal" };
        let _ = write!(modes, "Mode {{ spec: {}, rank: Rank::{rank} }}, ", mode_spec(tables, mode)?);
        if mode.alone {
            alone.insert(text);
        }
    }
    // Nothing but a trial is left if it is taken back, and what nobody judged may do anything.
    options.negate(|role| role != UNJUDGED && role != "Role::Mark(Mark::Dry)" && !alone.contains(role));
    let handler = command.handler.as_deref().unwrap_or("table");
    if !HANDLERS.contains(&handler) {
        return Err(format!("unknown handler `{handler}`"));
    }
    let mut text = String::new();
    for (option, entry) in &options.all {
        let _ = write!(text, "Opt {{ name: {option:?}, takes: Takes::{}, role: {} }}, ", entry.takes, entry.role);
    }
    let runs = match command.runs {
        Runs::Nothing => "Nothing",
        Runs::Config => "Config",
        Runs::Hooks => "Hooks",
    };
    Ok(format!(
        "Command {{ name: {name:?}, handler: Handler::{}, runs: Runs::{runs}, order: Order::{}, spec: {}, \
         modes: &[{modes}], options: &[{text}] }},\n",
        camel(handler),
        if command.order == Order::Strict { "Strict" } else { "Permute" },
        spec(tables, &command.does, &command.operands, &command.bare)?,
    ))
}

fn mode_spec(tables: &Tables, mode: &Mode) -> Result<String, String> {
    spec(tables, &mode.does, &mode.operands, &mode.bare)
}

/// A meaning of words as Rust text.
fn spec(tables: &Tables, does: &str, operands: &str, bare: &str) -> Result<String, String> {
    let fixed = |words: &str| -> Result<String, String> {
        let one = |name: &str| match tables.acts.act.get(name) {
            Some(act) if act.name.is_some() || act.kind == "none" => Ok(format!("&{}", constant(name))),
            Some(_) => Err(format!("act `{name}` needs a word")),
            None => Err(format!("unknown act `{name}`")),
        };
        Ok(words.split_whitespace().map(one).collect::<Result<Vec<_>, _>>()?.join(", "))
    };
    let mut slots = Vec::new();
    for word in operands.split_whitespace() {
        let (name, count) = word.strip_suffix('*').map_or((word, "One"), |name| (name, "Many"));
        slots.push(format!("Slot {{ role: {}, count: Count::{count} }}", role(tables, name)?));
    }
    if operands.matches('*').count() > 1 {
        return Err(format!("operands `{operands}` have two open ends"));
    }
    Ok(format!("Spec {{ does: &[{}], bare: &[{}], operands: &[{}] }}", fixed(does)?, fixed(bare)?, slots.join(", ")))
}
