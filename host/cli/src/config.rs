//! Which configuration files there are for a call, and what follows from them for whoever calls.

use crate::args::SessionArgs;
use crate::commands::toggle;
use crate::exit::Failure;
use holdpoint::core::approval::Attesting;
use holdpoint::core::judge::Standing;
use holdpoint::core::posture::{Posture, SessionAccess, WriteScope};
use holdpoint_core::registry::Registry;
use holdpoint_store::StateFolder;
use holdpoint_store::config::{Config, File, Files, Layer, Presence, REPOSITORY_FILE, USER_FILE, load};
use std::path::{Path, PathBuf};

/// The file of whoever administers the machine.
const SYSTEM_FILE: &str = "/etc/holdpoint/config.toml";

/// What was configured, and the files that say so.
pub(crate) struct Configured {
    pub(crate) config: Config,
    pub(crate) files: Files,
}

impl Configured {
    /// Reads all layers. The user's file is the one that is named, else the one in the state folder.
    pub(crate) fn read(
        state: &Path,
        named: Option<&Path>,
        workspace: Option<&Path>,
        registry: &Registry,
    ) -> Configured {
        let files = files(state, named, workspace, registry);
        Configured { config: load(&files), files }
    }

    /// The files that belong to the gate: those that were named, and those that are there.
    pub(crate) fn protected(&self) -> Vec<PathBuf> {
        let is_own = |file: &&File| file.presence == Presence::Required || file.path.exists();
        self.files.files.iter().filter(is_own).map(|file| file.path.clone()).collect()
    }

    /// A principal's standing under the configuration and what the session was started with. Both only take away.
    pub(crate) fn bind(&self, principal: &str, session: &SessionArgs, standing: Standing) -> Standing {
        let mut standing = self.config.bind(principal, standing);
        session.narrow(&mut standing.posture);
        standing
    }

    /// What claims of a principal are worth.
    pub(crate) fn attesting(&self, principal: &str) -> Attesting {
        if self.config.accepts_attestation(principal) { Attesting::Accepted } else { Attesting::Refused }
    }

    /// What is wrong and what was ignored, a line each.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let problems = self.config.problems.iter().map(|problem| format!("configuration {}", problem.line()));
        let ignored = self.config.ignored.iter().map(|ignored| format!("{}: {}", ignored.source, ignored.what));
        problems.chain(ignored)
    }
}

impl SessionArgs {
    /// Takes away from what an operator holds still anyway.
    pub(crate) fn narrow(&self, posture: &mut Posture) {
        if self.read_only {
            posture.session = SessionAccess::ReadOnly;
        }
        if let Some(words) = &self.allow_writes {
            let writes = std::mem::take(&mut posture.writes);
            posture.writes = writes.narrowed(WriteScope::Only(words.clone()));
        }
    }

    /// The same as a command line says it, one argument each.
    pub(crate) fn words(&self) -> Vec<String> {
        let read_only = self.read_only.then(|| "--read-only".to_owned());
        let writes = self.allow_writes.as_ref().map(|words| format!("--allow-writes={}", words.join(",")));
        read_only.into_iter().chain(writes).collect()
    }
}

/// The user's file.
pub(crate) fn user_file(state: &Path, named: Option<&Path>) -> File {
    match named {
        Some(path) => File { layer: Layer::User, path: path.to_owned(), presence: Presence::Required },
        None => File { layer: Layer::User, path: state.join(USER_FILE), presence: Presence::Optional },
    }
}

fn files(state: &Path, named: Option<&Path>, workspace: Option<&Path>, registry: &Registry) -> Files {
    let optional = |layer, path| File { layer, path, presence: Presence::Optional };
    let repository = workspace.map(|folder| optional(Layer::Repository, folder.join(REPOSITORY_FILE)));
    let system = optional(Layer::System, PathBuf::from(SYSTEM_FILE));
    of_files([system, user_file(state, named)].into_iter().chain(repository).collect(), registry)
}

/// These files, with what they are read with.
pub(crate) fn of_files(files: Vec<File>, registry: &Registry) -> Files {
    let toggles = registry.toggles().iter().map(|toggle| toggle.declaration().key.clone().into_owned()).collect();
    Files { files, home: std::env::home_dir(), toggles }
}

/// Every toggle that a configuration may name.
pub(crate) fn registry(state: &Path) -> Result<Registry, Failure> {
    let state = if state.exists() { Some(StateFolder::open(state)?) } else { None };
    toggle::registry(state.as_ref())
}
