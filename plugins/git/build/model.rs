//! The shape of the table files. It holds data only; what the data means is decided in `emit`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// All tables.
pub(crate) struct Tables {
    pub(crate) acts: Acts,
    /// Options by command, as git lists them.
    pub(crate) listed: BTreeMap<String, Listed>,
    pub(crate) commands: Commands,
}

/// The file of acts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Acts {
    pub(crate) act: BTreeMap<String, Act>,
}

/// The fields of an operation that do not depend on a word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    pub(crate) verb: String,
    pub(crate) kind: String,
    #[serde(default = "none")]
    pub(crate) effect: String,
    #[serde(default = "one")]
    pub(crate) scope: String,
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) traits: Vec<String>,
}

fn none() -> String {
    "none".to_owned()
}

fn one() -> String {
    "one".to_owned()
}

/// Options, separated by spaces, by how they take a value.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Listed {
    pub(crate) flag: String,
    pub(crate) value: String,
    pub(crate) attached: String,
    pub(crate) hidden: String,
    /// Options whose value is a file that is read.
    #[serde(rename = "order-file")]
    pub(crate) order_file: String,
}

/// The file of commands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Commands {
    pub(crate) group: BTreeMap<String, Listed>,
    pub(crate) command: Vec<Command>,
}

/// One or more commands that are read alike.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Command {
    pub(crate) names: String,
    pub(crate) runs: Runs,
    #[serde(default)]
    pub(crate) handler: Option<String>,
    #[serde(default)]
    pub(crate) order: Order,
    pub(crate) rest: Option<Rest>,
    #[serde(default)]
    pub(crate) uses: String,
    #[serde(default)]
    pub(crate) flag: String,
    #[serde(default)]
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) attached: String,
    #[serde(default)]
    pub(crate) unknown: String,
    #[serde(default)]
    pub(crate) role: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) does: String,
    #[serde(default)]
    pub(crate) operands: String,
    #[serde(default)]
    pub(crate) bare: String,
    #[serde(default)]
    pub(crate) mode: Vec<Mode>,
}

/// What of the repository may start a program.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Runs {
    Nothing,
    Config,
    Hooks,
}

/// Where options may stand.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    #[default]
    Permute,
    Strict,
}

/// What options are that nothing else explains.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rest {
    Harmless,
}

/// Acts that options put in place of the usual ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mode {
    pub(crate) options: String,
    #[serde(default)]
    pub(crate) does: String,
    #[serde(default)]
    pub(crate) operands: String,
    #[serde(default)]
    pub(crate) bare: String,
    #[serde(default)]
    pub(crate) alone: bool,
}
