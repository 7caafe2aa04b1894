//! `operator set-password`: the password that loosening asks for again.

use crate::exit::{Exit, Failure};
use crate::terminal::Terminal;
use crate::{gate, home, output};
use holdpoint_store::StateFolder;
use holdpoint_store::operator::{Attempt, check_password, is_set, set_password};

/// Sets the password, once the one before was given.
pub(crate) fn set() -> Result<Exit, Failure> {
    let terminal = Terminal::open().ok_or_else(|| {
        Failure::usage("a password is set at a terminal", "run this where standard input and error are a terminal")
    })?;
    let state = home::open_or_create()?;
    if is_set(&state)? {
        confirm(&terminal, &state, "current password: ")?;
    }
    let password = terminal.hidden_line("new password: ")?;
    if terminal.hidden_line("once more: ")? != password {
        return Err(Failure::usage("the two are not the same", "nothing was changed"));
    }
    set_password(&state, &password)
        .map_err(|error| Failure::usage(error.to_string(), "choose another one; nothing was changed"))?;
    output::note("the operator's password is set");
    Ok(Exit::Done)
}

/// Asks for the password and checks it.
pub(crate) fn confirm(terminal: &Terminal, state: &StateFolder, question: &str) -> Result<(), Failure> {
    let password = terminal.hidden_line(question)?;
    match check_password(state, &password, gate::now_ms())? {
        Attempt::Right => Ok(()),
        Attempt::Wrong => Err(Failure::new(Exit::Denied, "the password is not right", "nothing was changed")),
        Attempt::TooSoon { wait_ms } => {
            let wait_s = wait_ms.div_ceil(1_000);
            let help = format!("wait {wait_s} s and try again");
            Err(Failure::new(Exit::Denied, "too many passwords were not right", help))
        }
        Attempt::NotSet => {
            Err(Failure::new(Exit::Configuration, "no operator password is set", "`holdpoint operator set-password`"))
        }
    }
}
