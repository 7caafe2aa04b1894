//! `doctor`: what is in force, and what does not protect.

use crate::exit::{Exit, Failure};
use crate::installed::Installed;
use crate::{embedded, gate, home, output};
use holdpoint_core::floor;
use holdpoint_runtime::Limits;
use holdpoint_store::{StateFolder, Transitions, frozen_digest, verify};
use std::fmt::Write;

/// Shows the state of the gate. Ends with a failure if something that should hold does not.
pub(crate) fn run() -> Result<Exit, Failure> {
    let mut out = head();
    let vocabularies = embedded_lines(&mut out);
    let state = state_lines(&mut out);
    let _ = writeln!(out, "limits: {:?}", Limits::DEFAULT);
    let _ = writeln!(out, "floor, which nothing switches off:");
    for (rule, sentence) in floor::rules() {
        let _ = writeln!(out, "  {rule}: {sentence}");
    }
    out.push_str(NOT_PROTECTED);
    output::data(&out)?;
    Ok(vocabularies.max_of(state))
}

/// The version with what was built into it.
pub(crate) fn version() -> Result<Exit, Failure> {
    let mut out = head();
    let exit = embedded_lines(&mut out);
    output::data(&out)?;
    Ok(exit)
}

fn head() -> String {
    format!("holdpoint {}\nfrozen core, store and contract: sha256:{}\n", env!("CARGO_PKG_VERSION"), frozen_digest())
}

const NOT_PROTECTED: &str = "\
not protected:
  a program under the same user can write whatever this user can write, the state folder included:
  run the agent as another user, or keep the state folder where it cannot reach
  compiled code is kept under a key of this user: that stops damage and other users, not this user
  what an allowed program does by itself is not seen; the system's own permissions are the boundary
";

impl Exit {
    fn max_of(self, other: Exit) -> Exit {
        if self == Exit::Done { other } else { self }
    }
}

fn embedded_lines(out: &mut String) -> Exit {
    let mut exit = Exit::Done;
    if embedded::COMPONENTS.is_empty() {
        let _ = writeln!(out, "vocabularies of this binary: none; every call is unknown");
        return Exit::Plugin;
    }
    let _ = writeln!(out, "vocabularies of this binary:");
    for component in embedded::COMPONENTS {
        let name = component.vocabulary().map(|vocabulary| vocabulary.manifest.name);
        let name = name.unwrap_or_else(|error| error);
        match embedded::verify(component) {
            Ok(()) => {
                let _ = writeln!(out, "  {name} sha256:{} signature holds", component.digest);
            }
            Err(error) => {
                exit = Exit::Plugin;
                let _ = writeln!(out, "  {name}: {error}");
            }
        }
    }
    exit
}

fn state_lines(out: &mut String) -> Exit {
    let path = match home::state_path() {
        Ok(path) => path,
        Err(failure) => {
            let _ = writeln!(out, "state: {}", failure.what);
            return failure.exit;
        }
    };
    if !path.exists() {
        let _ = writeln!(out, "state: {} is not there yet; `check` and `hook install` make it", path.display());
        return Exit::Done;
    }
    match StateFolder::open(&path) {
        Ok(state) => {
            let _ = writeln!(out, "state: {} is private to this user", path.display());
            toggle_lines(out, &state);
            installed_lines(out, &state).max_of(audit_lines(out, &state))
        }
        Err(error) => {
            let _ = writeln!(out, "state: {error}\n  help: {}", error.help());
            Exit::Configuration
        }
    }
}

/// A chain of transitions that is broken ends the command through the audit; here it only says what follows from it.
fn toggle_lines(out: &mut String, state: &StateFolder) {
    let Ok(registry) = super::toggle::registry(Some(state)) else { return };
    let states = Transitions::of(state).toggles_of_chain(&registry, gate::now_ms());
    let loosened = states.permissive_keys();
    let keys = if loosened.is_empty() { "none".to_owned() } else { loosened.join(", ") };
    let _ = writeln!(out, "loosened toggles: {keys}");
    if let Some(problem) = &states.problem {
        let _ = writeln!(out, "  {}", output::visible_lines(problem));
    }
}

fn installed_lines(out: &mut String, state: &StateFolder) -> Exit {
    match Installed::of(state) {
        Ok(installed) => {
            let _ = writeln!(out, "installed vocabularies: {}", installed.records.len());
            match gate::vocabularies(state)
                .and_then(|all| all.load_all().map_err(|_| Failure::new(Exit::Plugin, all.degraded().join("; "), "")))
            {
                Ok(()) => Exit::Done,
                Err(failure) => {
                    let _ = writeln!(out, "  {}", failure.what);
                    failure.exit
                }
            }
        }
        Err(failure) => {
            let _ = writeln!(out, "installed vocabularies: {}", failure.what);
            failure.exit
        }
    }
}

fn audit_lines(out: &mut String, state: &StateFolder) -> Exit {
    match verify(state) {
        Ok(verification) => {
            out.push_str(&super::audit::as_text(&verification));
            if verification.is_intact() { Exit::Done } else { Exit::Audit }
        }
        Err(error) => {
            let _ = writeln!(out, "audit: {error}");
            Exit::Audit
        }
    }
}
