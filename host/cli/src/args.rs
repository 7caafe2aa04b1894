//! The command line. These comments are the help texts.

use crate::approval_args::{ApprovalsCommand, AttestArgs, FreezeArgs, ThawArgs, UndoArgs};
use crate::audit_args::AuditCommand;
use crate::config_args::{ConfigCommand, SafetyCommand};
use crate::toggle_args::ToggleCommand;
use crate::trust_args::TrustCommand;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Keeps AI agents inside the limits their operators chose.
#[derive(Debug, Parser)]
#[command(name = "holdpoint", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, or allowed; 10 denied; 11 a person has to answer; 20 a plugin or signature was refused;
21 the audit chain is broken; 22 the configuration or state folder is not usable; 1 internal; 2 usage.
State lives in HOLDPOINT_HOME, else in the user's state folder.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show one allowed, one asked and one denied call, then verify the audit chain.
    Demo,
    /// Judge a shell line or a tool call. No effect beyond an audit line.
    Check(CheckArgs),
    /// Judge like `check` and show every action, operation and reason.
    Explain(CheckArgs),
    /// Answer the hooks of an agent host.
    #[command(subcommand)]
    Hook(HookCommand),
    /// Build, inspect, sign, verify and install vocabularies.
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Make keys for signing vocabularies.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Say who may speak for which vocabularies, and take it back.
    #[command(subcommand)]
    Trust(TrustCommand),
    /// Show, loosen and tighten what agents need a person for.
    #[command(subcommand)]
    Toggle(ToggleCommand),
    /// Check, read and set the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Show how careful a principal has to be, and why.
    #[command(subcommand)]
    Safety(SafetyCommand),
    /// The operator of this gate.
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// Questions of agents that wait for a person.
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    /// Answer a question with a claim that somebody agreed, where an operator accepts claims.
    Attest(AttestArgs),
    /// Take back an action that waits before it happens.
    Undo(UndoArgs),
    /// Stop every change, over all processes, until somebody thaws.
    Freeze(FreezeArgs),
    /// End the freeze. At a terminal.
    Thaw(ThawArgs),
    /// Content from outside that gave orders to an agent.
    #[command(subcommand)]
    Content(ContentCommand),
    /// Show and verify the record of decisions.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Measure decisions in this process, and a cold hook against `/bin/true`.
    Bench(BenchArgs),
    /// Show what is in force, and what does not protect.
    Doctor,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of a command.
    Man {
        /// The command. [default: holdpoint itself]
        command: Vec<String>,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  holdpoint check 'rm -rf build'\n  holdpoint check --tool Read --arguments '{\"file_path\":\"x\"}'\n  holdpoint check --batch calls.jsonl"
)]
pub(crate) struct CheckArgs {
    /// The server that offers the tool.
    #[arg(long, default_value = "")]
    pub(crate) server: String,
    /// The tool.
    #[arg(long, default_value = "Bash")]
    pub(crate) tool: String,
    /// The level to judge at: observe, guarded, trusted, unrestricted. [default: guarded]
    #[arg(long)]
    pub(crate) level: Option<String>,
    /// The principal to judge for.
    #[arg(long, default_value = "agent")]
    pub(crate) principal: String,
    /// The folder the call starts in. [default: the current folder]
    #[arg(long)]
    pub(crate) cwd: Option<PathBuf>,
    /// The folder the agent works in. [default: the current folder]
    #[arg(long)]
    pub(crate) workspace: Option<PathBuf>,
    /// A configuration file.
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// Judge as if this toggle were permissive. May be repeated. Such decisions are marked in the audit.
    #[arg(long, value_name = "KEY")]
    pub(crate) loosen: Vec<String>,
    /// Judge as if the host said this about the run, such as `mode=planning`. May be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) context: Vec<String>,
    /// Print the decision as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Judge one JSON call a line, and print one decision a line in the same order. `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["line", "arguments"])]
    pub(crate) batch: Option<PathBuf>,
    /// The arguments of the tool, as a JSON object.
    #[arg(long, value_name = "JSON", conflicts_with = "line")]
    pub(crate) arguments: Option<String>,
    /// The shell line, as one argument.
    #[arg(allow_hyphen_values = true)]
    pub(crate) line: Option<String>,
}

/// What the session may do at all. It only takes away.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SessionArgs {
    /// Deny every change.
    #[arg(long)]
    pub(crate) read_only: bool,
    /// Deny every change but those of these verbs, native words or tools, with commas between.
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub(crate) allow_writes: Option<Vec<String>>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Answer one `PreToolUse` or `PostToolUse` event of Claude Code from standard input.
    ClaudeCode(HookArgs),
    /// Put the hook into the settings of an agent host.
    #[command(subcommand)]
    Install(HookInstallCommand),
}

#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The state folder. It must exist; the environment is not asked.
    #[arg(long)]
    pub(crate) state: PathBuf,
    /// The folder the agent works in. [default: CLAUDE_PROJECT_DIR, which the host sets]
    #[arg(long)]
    pub(crate) workspace: Option<PathBuf>,
    /// A configuration file.
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookInstallCommand {
    /// Claude Code.
    ClaudeCode(HookInstallArgs),
}

#[derive(Debug, Args)]
pub(crate) struct HookInstallArgs {
    /// Show the change, and change nothing.
    #[arg(long, conflicts_with = "write")]
    pub(crate) print: bool,
    /// Make the change, and keep the settings as they were beside it.
    #[arg(long)]
    pub(crate) write: bool,
    /// The settings file. [default: .claude/settings.json in the current folder]
    #[arg(long)]
    pub(crate) settings: Option<PathBuf>,
    /// The state folder the hook will use. [default: HOLDPOINT_HOME, else the user's state folder]
    #[arg(long)]
    pub(crate) state: Option<PathBuf>,
    /// The configuration file the hook will use.
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Build a vocabulary crate into a component that holds its manifest.
    Build {
        /// The folder of the crate, with vocabulary.toml.
        folder: PathBuf,
        /// Where to put the component. [default: NAME.wasm in the current folder]
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Show what a component says of itself and the proof that it can only answer.
    Inspect {
        /// The component.
        file: PathBuf,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the MCP annotations of every tool that a vocabulary in force knows, for servers that offer them.
    Annotations {
        /// The vocabulary's name.
        name: String,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sign a component. The signature goes beside it.
    Sign {
        /// The component.
        file: PathBuf,
        /// The file with the secret key.
        #[arg(long)]
        key: PathBuf,
        /// Days until the signature expires. 0 is never, which only a binary that pins the component accepts.
        #[arg(long, default_value_t = 365)]
        valid_days: u64,
    },
    /// Verify a component and its signature against the trust, or against a public key.
    Verify {
        /// The component.
        file: PathBuf,
        /// A public key, `holdpoint-ed25519:…`. [default: whoever `holdpoint trust` says]
        #[arg(long)]
        key: Option<String>,
    },
    /// Put a signed vocabulary in force.
    Install {
        /// The component.
        file: PathBuf,
        /// A public key to trust for this one component, for development. Only while `holdpoint trust` names nobody.
        #[arg(long)]
        key: Option<String>,
        /// Where nobody can be asked: NAME@DIGEST as shown, to approve exactly this component.
        #[arg(long, value_name = "NAME@DIGEST")]
        approve: Option<String>,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the vocabularies in force.
    List {
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Take an installed vocabulary out of force.
    Remove {
        /// Its name.
        name: String,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show what installing a component would change. Nothing is changed.
    Diff {
        /// The component.
        file: PathBuf,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Put an earlier generation of installed vocabularies in force again.
    Activate {
        /// Its number.
        number: u64,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Put the generation before the one in force in force again. A floor may forbid it.
    Rollback {
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the generation in force and what of it is refused.
    Status {
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key pair: the secret key goes to a new file, the public key to standard output.
    New {
        /// The file for the secret key. It must not exist.
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContentCommand {
    /// List what nobody has confirmed yet.
    List {
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Confirm one piece of content: its sessions ask no more because of it.
    Confirm {
        /// Its digest, as the list shows it.
        digest: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum OperatorCommand {
    /// Set the password that loosening a toggle asks for again.
    SetPassword,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// A file with one shell line a line. [default: a built-in sample]
    #[arg(long)]
    pub(crate) lines: Option<PathBuf>,
    /// Rounds over the lines in this process.
    #[arg(long, default_value_t = 20)]
    pub(crate) rounds: u32,
    /// Cold processes, each next to a `/bin/true`.
    #[arg(long, default_value_t = 40)]
    pub(crate) cold: u32,
    /// Print as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
