//! The command lines of `config` and `safety`. These comments are the help texts.

use crate::args::SessionArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Tell everything that is wrong with the configuration, and what a layer may not loosen.
    Check {
        /// Only this file, as the user's. [default: every layer in force in the current folder]
        file: Option<PathBuf>,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what a key of the user's file holds, as TOML.
    Get {
        /// The key, such as `safety.level`.
        key: String,
        /// The file. [default: config.toml in the state folder]
        #[arg(long)]
        config: Option<PathBuf>,
    },
    /// Set a key of the user's file, and keep everything else in it. What would not check is not written.
    Set {
        /// The key, such as `safety.principals."mcp:claude-code".level`.
        key: String,
        /// The value: TOML, or a text as it is.
        value: String,
        /// The file. [default: config.toml in the state folder]
        #[arg(long)]
        config: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SafetyCommand {
    /// Print everything that decides for a principal, with where each rule was written.
    Explain(ExplainArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The principal, such as `mcp:claude-code`.
    #[arg(long, default_value = "cli")]
    pub(crate) principal: String,
    /// Only what is held still about this resource, such as `host:db1 > service:web`.
    #[arg(long)]
    pub(crate) resource: Option<String>,
    /// A configuration file.
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// Print as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
