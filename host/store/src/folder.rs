//! The state folder: a private folder of the effective user that is opened once and then used by descriptor.
//!
//! Must never follow a symlink at or below it, and never use a folder that another user could change.

use crate::error::StoreError;
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::fs::DirBuilder;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Permission bits of every folder made here.
pub(crate) const FOLDER_MODE: Mode = Mode::RWXU;
/// Permission bits of every file made here.
pub(crate) const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);
const OTHERS_WRITE: Mode = Mode::WGRP.union(Mode::WOTH);
const FOLDER_FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// An open state folder that is fit to hold state. Clones share the descriptor.
#[derive(Clone, Debug)]
pub struct StateFolder {
    descriptor: Arc<OwnedFd>,
    path: PathBuf,
}

impl StateFolder {
    /// Opens an existing state folder.
    pub fn open(path: &Path) -> Result<StateFolder, StoreError> {
        let path = plain(path)?;
        let descriptor = match rustix::fs::open(&path, FOLDER_FLAGS, Mode::empty()) {
            Ok(descriptor) => descriptor,
            Err(errno) => return Err(why_not_opened(path, errno)),
        };
        let stat = rustix::fs::fstat(&descriptor).map_err(|errno| io_error("inspect", &path, errno))?;
        let user = rustix::process::geteuid().as_raw();
        let mode = permissions(&stat);
        if stat.st_uid != user {
            let owner = stat.st_uid;
            return Err(StoreError::WrongOwner { path, owner, user });
        }
        if mode.intersects(OTHERS_WRITE) {
            let mode = mode.as_raw_mode();
            return Err(StoreError::WritableByOthers { path, mode });
        }
        Ok(StateFolder { descriptor: Arc::new(descriptor), path })
    }

    /// Creates a state folder and the folders above it that are missing, all private; then opens it. One that exists
    /// already is opened as it is.
    pub fn create(path: &Path) -> Result<StateFolder, StoreError> {
        let path = plain(path)?;
        if let Some(parent) = path.parent() {
            let mut builder = DirBuilder::new();
            builder.recursive(true).mode(0o700);
            builder.create(parent).map_err(|source| StoreError::Io { doing: "create", path: parent.into(), source })?;
        }
        match rustix::fs::mkdir(&path, FOLDER_MODE) {
            Ok(()) => {}
            Err(Errno::EXIST) => return StateFolder::open(&path),
            Err(errno) => return Err(io_error("create", &path, errno)),
        }
        let folder = StateFolder::open(&path)?;
        rustix::fs::fchmod(&folder.descriptor, FOLDER_MODE)
            .and_then(|()| rustix::fs::openat(&folder.descriptor, "..", FOLDER_FLAGS, Mode::empty()))
            .and_then(rustix::fs::fsync)
            .map_err(|errno| io_error("create", &path, errno))?;
        Ok(folder)
    }

    /// Where it is, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl AsFd for StateFolder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

/// The path without what would make the last component be followed: a final slash or dot.
fn plain(path: &Path) -> Result<PathBuf, StoreError> {
    if path.is_absolute() && path.file_name().is_some() {
        Ok(path.components().collect())
    } else {
        Err(StoreError::NotAbsolute { path: path.into() })
    }
}

fn io_error(doing: &'static str, path: &Path, errno: Errno) -> StoreError {
    StoreError::Io { doing, path: path.into(), source: errno.into() }
}

/// Looks again, only to say what is wrong: the answer to this second look never opens anything.
fn why_not_opened(path: PathBuf, errno: Errno) -> StoreError {
    match errno {
        Errno::NOENT => StoreError::Missing { path },
        Errno::NOTDIR | Errno::LOOP => {
            let stat = rustix::fs::statat(CWD, &path, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
            match stat.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
                Ok(FileType::Symlink) => StoreError::Symlink { path },
                Ok(_) => StoreError::NotAFolder { path },
                Err(_) => io_error("open", &path, errno),
            }
        }
        _ => io_error("open", &path, errno),
    }
}

fn permissions(stat: &Stat) -> Mode {
    Mode::from_raw_mode(stat.st_mode)
}

/// Opens a folder below another one, by one name; `None` if it is not there.
pub(crate) fn open_below(parent: BorrowedFd<'_>, name: &str) -> io::Result<Option<OwnedFd>> {
    let folder = match rustix::fs::openat(parent, name, FOLDER_FLAGS, Mode::empty()) {
        Ok(folder) => folder,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(errno.into()),
    };
    let stat = rustix::fs::fstat(&folder)?;
    if is_private(&stat) { Ok(Some(folder)) } else { Err(io::Error::other("other users can write to this folder")) }
}

/// Opens a folder below another one, by one name, and creates it if it is missing.
pub(crate) fn create_below(parent: BorrowedFd<'_>, name: &str) -> io::Result<OwnedFd> {
    if let Some(folder) = open_below(parent, name)? {
        return Ok(folder);
    }
    let created = match rustix::fs::mkdirat(parent, name, FOLDER_MODE) {
        Ok(()) => true,
        // Another process was faster; the folder is judged like any other.
        Err(Errno::EXIST) => false,
        Err(errno) => return Err(errno.into()),
    };
    let folder = open_below(parent, name)?.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    if created {
        rustix::fs::fchmod(&folder, FOLDER_MODE)?;
    }
    Ok(folder)
}

/// Whether something belongs to the effective user and nobody else may write to it.
pub(crate) fn is_private(stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw() && !permissions(stat).intersects(OTHERS_WRITE)
}
