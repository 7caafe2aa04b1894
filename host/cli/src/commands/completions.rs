//! Completions and the manual page, from the same source as the help texts.

use crate::args::Cli;
use crate::exit::{Exit, Failure};
use crate::output;
use clap::CommandFactory;

/// Completions for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "holdpoint", &mut text);
    print(text)
}

/// The manual page of the command that these words name.
pub(crate) fn man(words: &[String]) -> Result<Exit, Failure> {
    let mut top = Cli::command();
    // Building gives every command below its full name.
    top.build();
    let page = words.iter().try_fold(&top, |command, word| {
        let known = || command.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>().join(", ");
        command.find_subcommand(word).filter(|found| !found.is_hide_set()).ok_or_else(|| {
            let help = if known().is_empty() { "it has no commands below it".to_owned() } else { known() };
            Failure::usage(format!("`{}` has no command `{word}`", command.get_name()), format!("commands: {help}"))
        })
    })?;
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(page.clone()).render(&mut text);
    rendered.map_err(|error| Failure::internal(error.to_string()))?;
    print(text)
}

fn print(text: Vec<u8>) -> Result<Exit, Failure> {
    let text = String::from_utf8(text).map_err(|error| Failure::internal(error.to_string()))?;
    output::data(&text)?;
    Ok(Exit::Done)
}
