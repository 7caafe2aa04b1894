//! Where state lives, and the ways of opening it.

use crate::exit::{Exit, Failure};
use holdpoint_store::StateFolder;
use std::path::{Path, PathBuf};

/// The state folder of a person's own commands: `HOLDPOINT_HOME`, else the folder for state of the user.
pub(crate) fn state_path() -> Result<PathBuf, Failure> {
    if let Some(home) = std::env::var_os("HOLDPOINT_HOME").filter(|home| !home.is_empty()) {
        return Ok(PathBuf::from(home));
    }
    let under = |folder: PathBuf| folder.join("holdpoint");
    if let Some(state) = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|state| state.is_absolute()) {
        return Ok(under(state));
    }
    match std::env::home_dir() {
        Some(home) => Ok(under(home.join(".local/state"))),
        None => Err(Failure::new(
            Exit::Configuration,
            "no home folder is known",
            "set HOLDPOINT_HOME to an absolute folder",
        )),
    }
}

/// The state folder, made on first use.
pub(crate) fn open_or_create() -> Result<StateFolder, Failure> {
    let path = state_path()?;
    if path.exists() { Ok(StateFolder::open(&path)?) } else { create(&path) }
}

/// Makes a state folder and the folders above it.
pub(crate) fn create(path: &Path) -> Result<StateFolder, Failure> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| Failure::file(parent, &error))?;
    }
    Ok(StateFolder::create(path)?)
}

/// The folder inside the state folder for compiled code, made on first use.
pub(crate) fn folder_in(state: &StateFolder, name: &str) -> Result<PathBuf, Failure> {
    use std::os::unix::fs::DirBuilderExt;
    let path = state.path().join(name);
    match std::fs::DirBuilder::new().mode(0o700).create(&path) {
        Ok(()) => Ok(path),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(path),
        Err(error) => Err(Failure::new(
            Exit::Configuration,
            format!("`{}`: {error}", path.display()),
            "make the state folder writable for this user",
        )),
    }
}
