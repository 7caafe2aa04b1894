//! The `holdpoint` command. This file only starts things; one file a command does the work.

mod approval_args;
mod args;
mod audit_args;
mod commands;
mod config;
mod config_args;
mod embedded;
mod exit;
mod gate;
mod home;
mod identity;
mod installed;
mod notify;
mod output;
mod render;
mod terminal;
mod toggle_args;
mod trust_args;
mod trusted;
mod worktree;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run(std::env::args_os()).into()
}
