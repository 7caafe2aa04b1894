//! One file a command. A command does its work and says how it ends.

mod annotations;
mod approvals;
mod attest;
mod audit;
mod audit_export;
mod bench;
mod check;
mod completions;
mod config;
mod content;
mod context;
mod demo;
mod doctor;
pub(crate) mod freeze;
mod hook;
mod hook_install;
mod key;
mod operator;
mod plugin;
mod plugin_build;
mod plugin_change;
mod safety;
mod safety_text;
pub(crate) mod toggle;
mod toggle_text;
mod trust;
mod trust_text;
pub(crate) mod undo;

use crate::args::{Cli, Command, HookCommand, HookInstallCommand, KeyCommand, OperatorCommand, PluginCommand};
use crate::exit::{Exit, Failure};
use crate::{gate, notify, output};
use clap::Parser;
use std::ffi::OsString;

/// Runs the command line.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|first| first == gate::COMPILE) {
        return compile();
    }
    if arguments.get(1).is_some_and(|first| first == notify::NOTIFY) {
        return notify::send();
    }
    // A hook is a start of its own: whatever goes wrong in it must read as "block".
    if arguments.get(1).is_some_and(|first| first == "hook") {
        hook::block_on_panic();
    }
    if asks_for_verbose_version(&arguments) {
        return doctor::version().unwrap_or_else(|failure| output::failure(&failure));
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match dispatch(cli.command) {
        Ok(exit) => exit,
        Err(failure) => output::failure(&failure),
    }
}

/// `--version --verbose`, in either order and alone.
fn asks_for_verbose_version(arguments: &[OsString]) -> bool {
    let is = |names: [&str; 2], word: &OsString| names.iter().any(|name| word == name);
    let (version, verbose) = (["--version", "-V"], ["--verbose", "-v"]);
    match arguments {
        [_, first, second] => {
            (is(version, first) && is(verbose, second)) || (is(verbose, first) && is(version, second))
        }
        _ => false,
    }
}

fn dispatch(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Demo => demo::run(),
        Command::Check(args) => check::check(&args),
        Command::Explain(args) => check::explain(&args),
        Command::Hook(HookCommand::ClaudeCode(args)) => Ok(hook::claude_code(&args)),
        Command::Hook(HookCommand::Install(HookInstallCommand::ClaudeCode(args))) => hook_install::claude_code(&args),
        Command::Plugin(PluginCommand::Build { folder, out }) => plugin_build::run(&folder, out),
        Command::Plugin(command) => plugin::run(command),
        Command::Key(KeyCommand::New { file }) => key::new(&file),
        Command::Toggle(command) => toggle::run(command),
        Command::Trust(command) => trust::run(command),
        Command::Approvals(command) => approvals::run(command),
        Command::Attest(args) => attest::run(&args),
        Command::Undo(args) => undo::run(&args),
        Command::Freeze(args) => freeze::freeze(&args),
        Command::Thaw(args) => freeze::thaw(&args),
        Command::Config(command) => config::run(command),
        Command::Safety(command) => safety::run(command),
        Command::Content(command) => content::run(command),
        Command::Operator(OperatorCommand::SetPassword) => operator::set(),
        Command::Audit(command) => audit::run(command),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor => doctor::run(),
        Command::Completions { shell } => completions::completions(shell),
        Command::Man { command } => completions::man(&command),
    }
}

/// Help and version go to standard output and are no failure.
fn usage(error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    if error.use_stderr() {
        output::note(text.trim_end());
        Exit::Usage
    } else {
        output::data(&text).map_or_else(|failure| output::failure(&failure), |()| Exit::Done)
    }
}

fn compile() -> Exit {
    match holdpoint_runtime::compile_from_stdin(&holdpoint_runtime::Limits::DEFAULT) {
        Ok(()) => Exit::Done,
        Err(error) => output::failure(&Failure::internal(error.to_string())),
    }
}
