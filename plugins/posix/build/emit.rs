//! Checks the tables and writes them as Rust text. It must never write a table it has a question about.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::model::{Act, Order, Program, Roles, Yields};

/// How an option takes its argument.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    Required,
    Optional,
    Next,
    List,
}

/// What an option can do if a word turns out to be it. Ordered: the worst counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Danger {
    Harmless,
    Writes,
    Leaves,
}

impl Danger {
    fn text(self) -> &'static str {
        match self {
            Danger::Harmless => "Danger::Harmless",
            Danger::Writes => "Danger::Writes",
            Danger::Leaves => "Danger::Leaves",
        }
    }
}

/// A role as Rust text, with what the checks need to know about it.
struct Role {
    text: String,
    takes: Takes,
    danger: Danger,
}

/// The whole generated module.
pub(crate) fn module(roles: &Roles, programs: &BTreeMap<String, Program>) -> Result<String, String> {
    let mut text = String::new();
    if let Some(name) = roles.tag.keys().find(|name| roles.act.contains_key(*name)) {
        return Err(format!("`{name}` is an act and a tag"));
    }
    enumeration(&mut text, "Handler", "How a program is read.", roles.handlers.iter());
    enumeration(&mut text, "Tag", "Meaning of an option that only a handler understands.", roles.tag.keys());
    for (name, act) in &roles.act {
        write_act(&mut text, name, act);
    }
    let names: Vec<String> = roles.act.keys().map(|name| format!("&{}", constant(name))).collect();
    let _ = writeln!(text, "/// All acts.\n#[cfg(test)]\npub(crate) static ACTS: &[&Act] = &[{}];", names.join(", "));
    let _ = writeln!(text, "/// All programs, sorted by name.\npub(crate) static PROGRAMS: &[Program] = &[");
    for (name, program) in programs {
        let written = write_program(roles, name, program).map_err(|error| format!("program `{name}`: {error}"))?;
        text.push_str(&written);
    }
    text.push_str("];\n");
    Ok(text)
}

fn enumeration<'a>(text: &mut String, name: &str, doc: &str, cases: impl Iterator<Item = &'a String>) {
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

fn write_act(text: &mut String, name: &str, act: &Act) {
    let traits = act.traits.iter().fold("Traits::empty()".to_owned(), |all, one| {
        format!("{all}.union(Traits::{})", one.to_uppercase().replace('-', "_"))
    });
    let optional = |value: &Option<String>, path: &str| {
        value.as_ref().map_or("None".to_owned(), |value| format!("Some({path}::{})", camel(value)))
    };
    let _ = writeln!(
        text,
        "/// `{name}`.\npub(crate) static {}: Act = Act {{ verb: Verb::{}, kind: TargetKind::{}, effect: Effect::{}, access: {}, \
         scope: {}, name: {:?}, traits: {traits}, dash: Dash::{} }};",
        constant(name),
        camel(&act.verb),
        camel(&act.kind),
        camel(&act.effect),
        optional(&act.access, "Access"),
        optional(&act.scope, "Scope"),
        act.name,
        if act.dash { "Stream" } else { "File" },
    );
}

fn role(roles: &Roles, name: &str) -> Result<Role, String> {
    let made = |text: &str, takes, danger| Role { text: text.to_owned(), takes, danger };
    match name {
        "flag" => return Ok(made("Role::Flag", Takes::Nothing, Danger::Harmless)),
        "recursive" => return Ok(made("Role::Recursive", Takes::Nothing, Danger::Harmless)),
        "operate" => return Ok(made("Role::Operate", Takes::Nothing, Danger::Harmless)),
        "mode-bits" => return Ok(made("Role::ModeBits", Takes::Required, Danger::Writes)),
        "prefix" => return Ok(made("Role::Prefix", Takes::Required, Danger::Writes)),
        // A word that turns out to be an option of such a mode is reported as an operand, which takes in as much.
        "stem" => return Ok(made("Role::Stem", Takes::Required, Danger::Harmless)),
        "neighbours" => return Ok(made("Role::Neighbours", Takes::Required, Danger::Harmless)),
        "folders" => return Ok(made("Role::Folders", Takes::Required, Danger::Harmless)),
        "list-file" => return Ok(made("Role::ListFile", Takes::Required, Danger::Harmless)),
        "hosts-file" => return Ok(made("Role::HostsFile", Takes::Required, Danger::Leaves)),
        "display" => return Ok(made("Role::Display", Takes::Required, Danger::Leaves)),
        "name-part" => return Ok(made("Role::NamePart", Takes::Required, Danger::Writes)),
        "account" => return Ok(made("Role::Account", Takes::Required, Danger::Leaves)),
        "text" => return Ok(made("Role::Text", Takes::Required, Danger::Harmless)),
        "exec-shell" => return Ok(made("Role::ExecShell", Takes::Required, Danger::Leaves)),
        "exec-on-files" => return Ok(made("Role::ExecOnFiles", Takes::Required, Danger::Leaves)),
        "exec-program" => return Ok(made("Role::ExecProgram", Takes::Required, Danger::Leaves)),
        _ => {}
    }
    if let Some(act) = roles.act.get(name) {
        let text = format!("Role::Act(&{})", constant(name));
        return Ok(Role { text, takes: Takes::Required, danger: act_danger(act) });
    }
    let text = format!("Role::Tag(Tag::{})", camel(name));
    match roles.tag.get(name).map(String::as_str) {
        Some("leaves") => Ok(made(&text, Takes::Required, Danger::Leaves)),
        Some("writes") => Ok(made(&text, Takes::Required, Danger::Writes)),
        Some("harmless") => Ok(made(&text, Takes::Required, Danger::Harmless)),
        Some(other) => Err(format!("tag `{name}` is `{other}`, not `leaves`, `writes` or `harmless`")),
        None => Err(format!("unknown role `{name}`")),
    }
}

/// What reaches another machine or is more than a file leaves the folder that a file name stands in.
fn act_danger(act: &Act) -> Danger {
    let changes = act.effect != "none";
    if act.traits.iter().any(|name| name == "network") || (changes && act.kind != "file") {
        Danger::Leaves
    } else if changes {
        Danger::Writes
    } else {
        Danger::Harmless
    }
}

/// The option's own name and how it takes its argument, from a table word such as `--color?`.
fn option_word(word: &str, usual: Takes) -> Result<(&str, Takes), String> {
    let (name, takes) = match word.char_indices().next_back() {
        Some((at, '=')) => (word.split_at(at).0, Takes::Required),
        // `-?` and `-!` are options of their own.
        Some((at, '?')) if at > 1 => (word.split_at(at).0, Takes::Optional),
        Some((at, '>')) if at > 1 => (word.split_at(at).0, Takes::Next),
        Some((at, '*')) if at > 1 => (word.split_at(at).0, Takes::List),
        Some((at, '!')) if at > 1 => (word.split_at(at).0, Takes::Nothing),
        _ => (word, usual),
    };
    let well_formed = name.len() > 1 && (name.starts_with('-') || name.starts_with('+'));
    if well_formed { Ok((name, takes)) } else { Err(format!("`{word}` is no option")) }
}

fn write_program(roles: &Roles, name: &str, program: &Program) -> Result<String, String> {
    let mut options: BTreeMap<&str, String> = BTreeMap::new();
    let mut danger = Danger::Harmless;
    for (role_name, words) in &program.options {
        let role = role(roles, role_name)?;
        danger = danger.max(role.danger);
        add_options(&mut options, words, &role)?;
    }
    let mut modes = String::new();
    for (index, mode) in program.mode.iter().enumerate() {
        let (spec, mode_danger) = spec(roles, &mode.operands, &mode.bare, &mode.always)?;
        danger = danger.max(mode_danger);
        let role = Role { text: format!("Role::Mode({index})"), takes: Takes::Nothing, danger: mode_danger };
        add_options(&mut options, &mode.options, &role)?;
        let also = own_options(&options, &mode.also)?;
        let rank = if mode.alone { "Alone" } else { "Equal" };
        let yields = yields(mode.yields);
        let _ = write!(modes, "Mode {{ spec: {spec}, also: &{also}, rank: Rank::{rank}, yields: Yields::{yields} }}, ");
    }
    let mut subs: BTreeMap<&str, String> = BTreeMap::new();
    for sub in &program.sub {
        let (spec, _) = spec(roles, &sub.operands, &sub.bare, &sub.always)?;
        for name in sub.names.split_whitespace() {
            let text = format!("Sub {{ name: {name:?}, spec: {spec} }}");
            if subs.insert(name, text).is_some() {
                return Err(format!("sub-command `{name}` stands twice"));
            }
        }
    }
    let handler = program.handler.as_deref().unwrap_or("table");
    if !roles.handlers.iter().any(|known| known == handler) {
        return Err(format!("unknown handler `{handler}`"));
    }
    let plus = match &program.plus {
        None => "None".to_owned(),
        Some(name) => {
            let role = role(roles, name)?;
            danger = danger.max(role.danger);
            format!("Some({})", role.text)
        }
    };
    let own = |names: &'_ str| own_options(&options, names);
    let pattern_from = own(&program.pattern_from)?;
    let suffix_from = own(&program.suffix_from)?;
    let commands_from_input = own(&program.commands_from_input)?;
    // A word that turns out to be such an option must be a doubt.
    if commands_from_input != "[]" && danger < Danger::Leaves {
        return Err("options in commands_from_input run commands, but none of its options leaves the folder".to_owned());
    }
    let obligations: String =
        program.obligations.iter().map(|name| format!("ObligationKind::{}, ", camel(name))).collect();
    let (spec, _) = spec(roles, &program.operands, &program.bare, &program.always)?;
    let join = |map: BTreeMap<&str, String>| map.into_values().collect::<Vec<_>>().join(", ");
    Ok(format!(
        "Program {{ name: {name:?}, handler: Handler::{}, options: &[{}], spec: {spec}, modes: &[{modes}], \
         subs: &[{}], pattern_from: &{pattern_from}, suffix_from: &{suffix_from}, \
         commands_from_input: &{commands_from_input}, order: Order::{}, digits: Digits::{}, plus: {plus}, \
         obligations: &[{obligations}], env: &{:?}, response: Response::{}, danger: {} }},\n",
        camel(handler),
        join(options),
        join(subs),
        if program.order == Order::Strict { "Strict" } else { "Permute" },
        if program.numeric { "Number" } else { "Options" },
        program.env.split_whitespace().collect::<Vec<_>>(),
        if program.response { "Files" } else { "No" },
        danger.text(),
    ))
}

/// A list of options of a program as Rust text.
fn own_options(options: &BTreeMap<&str, String>, names: &str) -> Result<String, String> {
    let names: Vec<&str> = names.split_whitespace().collect();
    match names.iter().find(|name| !options.contains_key(**name)) {
        Some(missing) => Err(format!("`{missing}` is no option of it")),
        None => Ok(format!("{names:?}")),
    }
}

fn yields(yields: Yields) -> &'static str {
    match yields {
        Yields::Never => "Never",
        Yields::After => "After",
        Yields::Any => "Any",
        Yields::Beside => "Beside",
        Yields::Always => "Always",
    }
}

fn add_options<'a>(all: &mut BTreeMap<&'a str, String>, words: &'a str, role: &Role) -> Result<(), String> {
    for word in words.split_whitespace() {
        let (name, takes) = option_word(word, role.takes)?;
        let takes = match takes {
            Takes::Nothing => "Nothing",
            Takes::Required => "Required",
            Takes::Optional => "Optional",
            Takes::Next => "Next",
            Takes::List => "List",
        };
        let text = format!(
            "Opt {{ name: {name:?}, takes: Takes::{takes}, role: {}, danger: {} }}",
            role.text,
            role.danger.text()
        );
        if all.insert(name, text).is_some() {
            return Err(format!("option `{name}` stands twice"));
        }
    }
    Ok(())
}

/// A meaning of operands as Rust text, and the worst of it.
fn spec(roles: &Roles, operands: &str, bare: &str, always: &str) -> Result<(String, Danger), String> {
    let mut danger = Danger::Harmless;
    let mut slots = String::new();
    let mut stars = 0;
    for word in operands.split_whitespace() {
        let (name, count) = word.strip_suffix('*').map_or((word, "One"), |name| (name, "Many"));
        stars += usize::from(count == "Many");
        let role = role(roles, name)?;
        danger = danger.max(role.danger);
        let _ = write!(slots, "Slot {{ role: {}, count: Count::{count} }}, ", role.text);
    }
    if stars > 1 {
        return Err(format!("operands `{operands}` have two open ends"));
    }
    let mut fixed = |words: &str| -> Result<String, String> {
        let mut text = String::new();
        for word in words.split_whitespace() {
            let (name, target) = word.split_once(':').map_or((word, None), |(name, target)| (name, Some(target)));
            let act = roles.act.get(name).ok_or_else(|| format!("unknown act `{name}`"))?;
            danger = danger.max(act_danger(act));
            let _ = write!(text, "Fixed {{ act: &{}, name: {target:?} }}, ", constant(name));
        }
        Ok(text)
    };
    let (bare, always) = (fixed(bare)?, fixed(always)?);
    Ok((format!("Spec {{ operands: &[{slots}], bare: &[{bare}], always: &[{always}] }}"), danger))
}
