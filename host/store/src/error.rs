//! What can go wrong with the state folder, in words for the person who operates the gate. Must never hold a secret.

use std::io;
use std::path::PathBuf;

/// Why the state folder, or something in it, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The path depends on the current folder, or does not end in a name.
    #[error("the state folder `{}` is not an absolute path that ends in a name", path.display())]
    NotAbsolute {
        /// The path as given.
        path: PathBuf,
    },
    /// Nothing is there.
    #[error("the state folder `{}` does not exist", path.display())]
    Missing {
        /// The path as given.
        path: PathBuf,
    },
    /// Something else is there.
    #[error("the state folder `{}` is not a folder", path.display())]
    NotAFolder {
        /// The path as given.
        path: PathBuf,
    },
    /// A symbolic link is there.
    #[error("the state folder `{}` is a symbolic link", path.display())]
    Symlink {
        /// The path as given.
        path: PathBuf,
    },
    /// Another user could change it.
    #[error("the state folder `{}` belongs to user {owner}, not to user {user} who runs this", path.display())]
    WrongOwner {
        /// The path as given.
        path: PathBuf,
        /// The number of the user it belongs to.
        owner: u32,
        /// The number of the effective user.
        user: u32,
    },
    /// Other users may write into it.
    #[error("the state folder `{}` has mode {mode:04o}, so other users can write to it", path.display())]
    WritableByOthers {
        /// The path as given.
        path: PathBuf,
        /// Its permission bits.
        mode: rustix::fs::RawMode,
    },
    /// Any other failure.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A name that is not plain.
    #[error("`{name}` cannot name a secret")]
    SecretName {
        /// The name as given.
        name: String,
    },
    /// A secret that somebody else may have made or read.
    #[error("the secret `{}` {what}", path.display())]
    SecretFile {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The system gave no random bytes.
    #[error("the system gave no random bytes: {0}")]
    Random(getrandom::Error),
}

impl StoreError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            StoreError::NotAbsolute { .. } => "give the whole path, starting with `/`".into(),
            StoreError::Missing { .. } => {
                "`holdpoint check` and `holdpoint hook install` make it; or correct the path".into()
            }
            StoreError::NotAFolder { .. } => "move what is there away, or choose another path".into(),
            StoreError::Symlink { path } => match std::fs::read_link(path) {
                Ok(target) => format!("name the folder it points to: `{}`", target.display()),
                Err(_) => "name the folder it points to".into(),
            },
            StoreError::WrongOwner { owner, .. } => {
                format!("run as user {owner}, or choose a folder of your own")
            }
            StoreError::WritableByOthers { path, .. } => {
                format!("check that nobody changed it, then `chmod 700 {}`", path.display())
            }
            StoreError::Io { .. } => "check the disk and the permissions of the state folder".into(),
            StoreError::SecretName { .. } => {
                "use at most 64 lowercase letters, digits and hyphens, starting with a letter".into()
            }
            StoreError::SecretFile { path, .. } => {
                format!("remove `{}`; a new one is made when it is needed", path.display())
            }
            StoreError::Random(_) => "check that the system's random source works".into(),
        }
    }
}
