//! The shape of the table files. It holds data only; what the data means is decided in `emit`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The file of roles.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roles {
    /// Programs with a parser of their own, plus `table` and `inert`.
    pub handlers: Vec<String>,
    /// Option meanings that only a handler understands: `risky` or `harmless`.
    pub tag: BTreeMap<String, String>,
    /// What an option value or operand does.
    pub act: BTreeMap<String, Act>,
}

/// One act: the fields of an operation that do not depend on the word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    pub verb: String,
    pub kind: String,
    pub effect: String,
    #[serde(default)]
    pub access: Option<String>,
    #[serde(default)]
    pub scope: Option<String>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub traits: Vec<String>,
    #[serde(default)]
    pub dash: bool,
}

/// A file of programs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub program: Vec<Program>,
}

/// One program, or several that share a table.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Names, separated by spaces.
    pub names: String,
    /// Where the table was taken from.
    pub source: String,
    #[serde(default)]
    pub handler: Option<String>,
    /// Role name to option names. A suffix tells the argument: `=` required, `?` optional, `!` none.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    #[serde(default)]
    pub operands: String,
    #[serde(default)]
    pub bare: String,
    #[serde(default)]
    pub always: String,
    /// Options that replace what the operands mean.
    #[serde(default)]
    pub mode: Vec<Mode>,
    /// Meanings of a first operand that names a sub-command.
    #[serde(default)]
    pub sub: Vec<Sub>,
    /// Options after which the first operand is no pattern or script.
    #[serde(default)]
    pub pattern_from: String,
    /// `strict`: options stop at the first operand. The default is GNU permutation.
    #[serde(default)]
    pub order: Order,
    /// Whether `-5` is a number.
    #[serde(default)]
    pub numeric: bool,
    /// The role of words that start with `+`.
    #[serde(default)]
    pub plus: Option<String>,
    #[serde(default)]
    pub obligations: Vec<String>,
}

/// Where options may stand.
#[derive(Deserialize, Clone, Copy, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    #[default]
    Permute,
    Strict,
}

/// A meaning of the operands chosen by options.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    pub options: String,
    #[serde(default)]
    pub operands: String,
    #[serde(default)]
    pub bare: String,
    #[serde(default)]
    pub always: String,
}

/// A meaning of the operands chosen by the first operand.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Sub {
    pub names: String,
    #[serde(default)]
    pub operands: String,
    #[serde(default)]
    pub bare: String,
    #[serde(default)]
    pub always: String,
}
