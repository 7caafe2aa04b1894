//! The shape of the table files. It holds data only; what the data means is decided in `emit`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The file of roles.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Roles {
    /// Programs with a parser of their own, plus `table` and `inert`.
    pub(crate) handlers: Vec<String>,
    /// Option meanings that only a handler understands: `risky` or `harmless`.
    pub(crate) tag: BTreeMap<String, String>,
    /// What an option value or operand does.
    pub(crate) act: BTreeMap<String, Act>,
}

/// One act: the fields of an operation that do not depend on the word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    pub(crate) verb: String,
    pub(crate) kind: String,
    pub(crate) effect: String,
    #[serde(default)]
    pub(crate) access: Option<String>,
    #[serde(default)]
    pub(crate) scope: Option<String>,
    #[serde(default)]
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) traits: Vec<String>,
    #[serde(default)]
    pub(crate) dash: bool,
}

/// A file of programs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    pub(crate) program: Vec<Program>,
}

/// One program, or several that share a table.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    /// Names, separated by spaces.
    pub(crate) names: String,
    /// Where the table was taken from.
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) handler: Option<String>,
    /// Role name to option names. A suffix tells the argument: `=` required, `?` optional, `!` none, `>` the
    /// next word whatever follows the letter, `*` the next words up to an option or `@`.
    #[serde(default)]
    pub(crate) options: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) operands: String,
    #[serde(default)]
    pub(crate) bare: String,
    #[serde(default)]
    pub(crate) always: String,
    /// Options that replace what the operands mean.
    #[serde(default)]
    pub(crate) mode: Vec<Mode>,
    /// Meanings of a first operand that names a sub-command.
    #[serde(default)]
    pub(crate) sub: Vec<Sub>,
    /// Options after which the first operand is no pattern or script.
    #[serde(default)]
    pub(crate) pattern_from: String,
    /// Options with which the program asks on standard input, where an answer can be a command.
    #[serde(default)]
    pub(crate) commands_from_input: String,
    /// Options whose value is an ending: what is written is also written, or replaced, under its name with the ending.
    #[serde(default)]
    pub(crate) suffix_from: String,
    /// `strict`: options stop at the first operand. The default is GNU permutation.
    #[serde(default)]
    pub(crate) order: Order,
    /// Whether `-5` is a number.
    #[serde(default)]
    pub(crate) numeric: bool,
    /// The role of words that start with `+`.
    #[serde(default)]
    pub(crate) plus: Option<String>,
    #[serde(default)]
    pub(crate) obligations: Vec<String>,
    /// Variables that the program takes options, settings or programs from. A closing `*` stands for any end.
    #[serde(default)]
    pub(crate) env: String,
    /// Whether a word that starts with `@` names a file of further options.
    #[serde(default)]
    pub(crate) response: bool,
}

/// Where options may stand.
#[derive(Deserialize, Clone, Copy, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    #[default]
    Permute,
    Strict,
}

/// What brings the usual meaning back beside a mode.
#[derive(Deserialize, Clone, Copy, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Yields {
    #[default]
    Never,
    /// An option of the role `operate` that stands after the options of the mode.
    After,
    /// An option of the role `operate` anywhere.
    Any,
    /// Any other option.
    Beside,
    /// Nothing is needed: the mode comes on top of the usual meaning.
    Always,
}

/// A meaning of the operands chosen by options.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mode {
    #[serde(default)]
    pub(crate) options: String,
    /// Options that choose the mode and have a role of their own.
    #[serde(default)]
    pub(crate) also: String,
    /// Whether other modes mean nothing beside it.
    #[serde(default)]
    pub(crate) alone: bool,
    #[serde(default)]
    pub(crate) yields: Yields,
    #[serde(default)]
    pub(crate) operands: String,
    #[serde(default)]
    pub(crate) bare: String,
    #[serde(default)]
    pub(crate) always: String,
}

/// A meaning of the operands chosen by the first operand.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sub {
    pub(crate) names: String,
    #[serde(default)]
    pub(crate) operands: String,
    #[serde(default)]
    pub(crate) bare: String,
    #[serde(default)]
    pub(crate) always: String,
}
