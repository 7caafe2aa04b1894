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

/// The manual page.
pub(crate) fn man() -> Result<Exit, Failure> {
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut text);
    rendered.map_err(|error| Failure::internal(error.to_string()))?;
    print(text)
}

fn print(text: Vec<u8>) -> Result<Exit, Failure> {
    let text = String::from_utf8(text).map_err(|error| Failure::internal(error.to_string()))?;
    output::data(&text)?;
    Ok(Exit::Done)
}
