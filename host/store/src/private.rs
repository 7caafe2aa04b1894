//! Small private files in a folder of the state folder, each replaced as a whole.
//!
//! Must never follow a link, and never use a file that another user could have made or read.

use crate::disk;
use crate::error::StoreError;
use crate::folder::{self, FILE_MODE, StateFolder};
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

const LOCK_FILE: &str = ".lock";
const NEW_FILE: &str = ".new";

/// A folder of private files.
pub(crate) struct PrivateFolder<'a> {
    state: &'a StateFolder,
    name: &'static str,
    folder: OwnedFd,
}

/// Keeps other processes away until it is dropped.
pub(crate) struct Locked(#[expect(dead_code, reason = "the lock is held by the open file")] File);

impl PrivateFolder<'_> {
    /// Opens the folder, and makes it if it is missing.
    pub(crate) fn open<'a>(state: &'a StateFolder, name: &'static str) -> Result<PrivateFolder<'a>, StoreError> {
        let failed = |source| StoreError::Io { doing: "open", path: state.path().join(name), source };
        let folder = folder::create_below(state.as_fd(), name).map_err(failed)?;
        Ok(PrivateFolder { state, name, folder })
    }

    /// Waits until no other process has the folder locked.
    pub(crate) fn lock(&self) -> Result<Locked, StoreError> {
        let failed = |source| StoreError::Io { doing: "lock", path: self.path(LOCK_FILE), source };
        let lock = disk::create_or_open(&self.folder, LOCK_FILE).map_err(failed)?;
        disk::wait_for(&lock, FlockOperation::LockExclusive).map_err(failed)?;
        Ok(Locked(lock))
    }

    /// What a file holds; `None` if there is none.
    pub(crate) fn read(&self, name: &str, bytes_max: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let failed = |source| StoreError::Io { doing: "read", path: self.path(name), source };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.folder, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(self.refused(name, "is a symbolic link")),
            Err(errno) => return Err(failed(errno.into())),
        };
        let stat = rustix::fs::fstat(&file).map_err(|errno| failed(errno.into()))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(self.refused(name, "is not a file"));
        }
        if stat.st_uid != rustix::process::geteuid().as_raw() {
            return Err(self.refused(name, "belongs to another user"));
        }
        if Mode::from_raw_mode(stat.st_mode) != FILE_MODE {
            return Err(self.refused(name, "has a mode other than 0600"));
        }
        let mut bytes = Vec::new();
        let most = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
        (&file).take(most).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > bytes_max { Err(self.refused(name, "is too long")) } else { Ok(Some(bytes)) }
    }

    /// Writes a file beside its place and moves it there when it is on disk, so that nobody sees half of it.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.write(name, bytes);
        written.map_err(|source| StoreError::Io { doing: "write", path: self.path(name), source })
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.folder, NEW_FILE, AtFlags::empty()) {
            // What a crash left behind was never in use.
            Ok(()) | Err(Errno::NOENT) => {}
            Err(errno) => return Err(errno.into()),
        }
        let mut file = disk::create(&self.folder, NEW_FILE)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        rustix::fs::renameat(&self.folder, NEW_FILE, &self.folder, name)?;
        rustix::fs::fsync(&self.folder)?;
        rustix::fs::fsync(self.state)?;
        Ok(())
    }

    /// A file that is not fit to be used.
    pub(crate) fn refused(&self, name: &str, what: &'static str) -> StoreError {
        StoreError::SecretFile { path: self.path(name), what }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.state.path().join(self.name).join(name)
    }
}
