//! Puts together the options of one command: what git lists, what a person adds, and what they mean.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Command, Listed, Tables};

/// One option in the making.
#[derive(Clone)]
pub(crate) struct Opt {
    pub(crate) takes: &'static str,
    /// Rust text.
    pub(crate) role: String,
}

/// What it is if a name is given a meaning and git lists no such option.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Missing {
    IsMistake,
    /// Commands that share a table do not share every option.
    IsFine,
}

/// The role of an option that nobody has judged.
pub(crate) const UNJUDGED: &str = "Role::Unjudged";
/// The role of an option that changes nothing.
const HARMLESS: &str = "Role::Harmless";

/// What is collected for one command.
pub(crate) struct Options {
    pub(crate) all: BTreeMap<String, Opt>,
    /// Names that `--no-` may stand before.
    negated: BTreeSet<String>,
}

impl Options {
    /// The options of the command `name`, whose table in options.toml has the same name with a space.
    pub(crate) fn of(tables: &Tables, command: &Command, name: &str, missing: Missing) -> Result<Options, String> {
        let mut options = Options { all: BTreeMap::new(), negated: BTreeSet::new() };
        let rest = if command.rest.is_some() { HARMLESS } else { UNJUDGED };
        for used in command.uses.split_whitespace() {
            let listed = match used.strip_prefix("opt:") {
                Some(title) => tables.listed.get(&title.replace('+', " ")),
                None => tables.commands.group.get(used),
            };
            options.list(listed.ok_or_else(|| format!("`{used}` is no group"))?, rest);
        }
        if let Some(listed) = tables.listed.get(&name.replace('/', " ")) {
            options.list(listed, rest);
        }
        let own = Listed {
            flag: command.flag.clone(),
            value: command.value.clone(),
            attached: command.attached.clone(),
            ..Listed::default()
        };
        options.list(&own, HARMLESS);
        options.mean(UNJUDGED, &command.unknown, missing)?;
        Ok(options)
    }

    fn list(&mut self, listed: &Listed, role: &str) {
        for (takes, words) in [
            ("Nothing", &listed.flag),
            ("Required", &listed.value),
            ("Optional", &listed.attached),
            ("Optional", &listed.hidden),
            ("Required", &listed.order_file),
        ] {
            for word in words.split_whitespace() {
                let (word, takes) = word.strip_suffix('=').map_or((word, takes), |word| (word, "Required"));
                let name = word.replace("[no-]", "");
                if name != word {
                    self.negated.insert(name.clone());
                }
                let name = if name == "-NUM" { "-#".to_owned() } else { name };
                let is_file = std::ptr::eq(words, &listed.order_file);
                let role = if is_file { "Role::Act(&ACT_SEE_PATH)" } else { role };
                self.all.insert(name, Opt { takes, role: role.to_owned() });
            }
        }
    }

    /// Gives `words` a role. `missing` says what a name is that is not listed.
    pub(crate) fn mean(&mut self, role: &str, words: &str, missing: Missing) -> Result<(), String> {
        let mut unlisted = Vec::new();
        for word in words.split_whitespace() {
            match self.all.get_mut(word) {
                Some(option) => role.clone_into(&mut option.role),
                None => unlisted.push(word),
            }
        }
        if unlisted.is_empty() || missing == Missing::IsFine {
            Ok(())
        } else {
            Err(format!("options {unlisted:?} are not listed"))
        }
    }

    /// Adds what `--no-` makes of names. It takes back what is harmless to take back, and nothing else.
    pub(crate) fn negate(&mut self, is_taken_back: impl Fn(&str) -> bool) {
        for name in &self.negated {
            let negated = name.replacen("--", "--no-", 1);
            let Some(option) = self.all.get(name) else { continue };
            let role = if is_taken_back(&option.role) { HARMLESS } else { UNJUDGED };
            self.all.entry(negated).or_insert(Opt { takes: "Nothing", role: role.to_owned() });
        }
    }
}
