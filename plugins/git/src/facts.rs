//! What a command needs to know about the repository. It must never take a missing answer for a good one.

use holdpoint_guest::{FactKind, FactQuery, Request};

use crate::checkout;
use crate::globals::Globals;
use crate::table::{Handler, Runs};
use crate::{Found, repository_folder};

/// The answer for a repository that starts no program of its own.
const PLAIN: &str = "plain";
/// The answer for one that starts programs only as hooks.
const HOOKS: &str = "hooks";
/// The answer for a path that leads to nothing.
const MISSING: &str = "missing";

/// What the host told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    repository: Option<String>,
    path: Option<String>,
}

impl Told {
    /// Whether nothing of the repository starts a program in a command that may run this much.
    pub(crate) fn is_plain(&self, runs: Runs) -> bool {
        match self.repository.as_deref() {
            Some(PLAIN) => true,
            Some(HOOKS) => runs < Runs::Hooks,
            Some(_) | None => false,
        }
    }

    /// Whether the word that may be a path is none.
    pub(crate) fn is_no_path(&self) -> bool {
        self.path.as_deref() == Some(MISSING)
    }
}

/// What was told, or what has to be asked first.
pub(crate) fn ask(found: &Found<'_>, globals: &Globals<'_>, request: &Request) -> Result<Told, Vec<FactQuery>> {
    let mut needed = Vec::new();
    let mut answer = |kind: FactKind, subject: Option<String>| {
        let subject = subject?;
        let known = request.facts.iter().find(|fact| fact.query.kind == kind && fact.query.subject == subject);
        if known.is_none() {
            needed.push(FactQuery { kind, subject });
        }
        known.map(|fact| fact.answer.clone())
    };
    let asks = found.command.runs > Runs::Nothing;
    let repository = answer(FactKind::WorkingTree, repository_folder(globals).filter(|_| asks));
    let path = match found.command.handler {
        Handler::Checkout => checkout::doubtful_path(found.command, &found.words).map(|path| globals.folder.path(path)),
        _ => None,
    };
    let path = answer(FactKind::PathKind, path);
    if needed.is_empty() { Ok(Told { repository, path }) } else { Err(needed) }
}
