//! Exit codes and failures. The codes are part of the stable interface and only ever grow.

use std::process::ExitCode;

/// How the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; for `check`, allowed.
    Done = 0,
    /// Something failed that should not have.
    Internal = 1,
    /// The command line cannot be understood. Also what a hook's host reads as "block".
    Usage = 2,
    /// Denied.
    Denied = 10,
    /// A person has to answer.
    Asked = 11,
    /// A plugin or a signature was refused.
    Plugin = 20,
    /// The audit chain is broken.
    Audit = 21,
    /// The configuration or the state folder is not usable.
    Configuration = 22,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A failure with its next step.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// What failed and where: lower case, no full stop.
    pub(crate) what: String,
    /// What to do next; empty where there is nothing to say.
    pub(crate) help: String,
}

impl Failure {
    pub(crate) fn new(exit: Exit, what: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { exit, what: what.into(), help: help.into() }
    }

    pub(crate) fn internal(what: impl Into<String>) -> Failure {
        Failure::new(Exit::Internal, what, "")
    }

    pub(crate) fn usage(what: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, what, help)
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> Failure {
        Failure::new(Exit::Usage, format!("`{}`: {error}", path.display()), "check the path and its permissions")
    }
}

impl From<holdpoint_store::StoreError> for Failure {
    fn from(error: holdpoint_store::StoreError) -> Failure {
        Failure::new(Exit::Configuration, error.to_string(), error.help())
    }
}
