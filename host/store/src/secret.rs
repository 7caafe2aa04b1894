//! Secrets of the state folder: made once from the system's random source, whoever asks first.
//!
//! Must never print one, and never use one that another user could have made or read.

use crate::disk;
use crate::error::StoreError;
use crate::folder::{self, FILE_MODE, StateFolder};
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};

/// Bytes of a secret.
pub const SECRET_BYTES: usize = 32;
const NAME_BYTES_MAX: usize = 64;
const SECRETS_FOLDER: &str = "secrets";
const LOCK_FILE: &str = ".lock";
const NEW_FILE: &str = ".new";

/// The secret with this name. The first caller makes it; all callers, in any process, get the same bytes.
pub fn secret(state: &StateFolder, name: &str) -> Result<[u8; SECRET_BYTES], StoreError> {
    check_name(name)?;
    let failed = |doing: &'static str| {
        let path = state.path().join(SECRETS_FOLDER).join(name);
        move |source| StoreError::Io { doing, path, source }
    };
    let folder = folder::create_below(state.as_fd(), SECRETS_FOLDER).map_err(failed("open"))?;
    if let Some(secret) = read(state, &folder, name)? {
        return Ok(secret);
    }
    let lock = disk::create_or_open(&folder, LOCK_FILE).map_err(failed("lock"))?;
    disk::wait_for(&lock, FlockOperation::LockExclusive).map_err(failed("lock"))?;
    // Another process may have made it while this one waited.
    if let Some(secret) = read(state, &folder, name)? {
        return Ok(secret);
    }
    let mut secret = [0; SECRET_BYTES];
    getrandom::fill(&mut secret).map_err(StoreError::Random)?;
    write(state, &folder, name, &secret).map_err(failed("write"))?;
    Ok(secret)
}

fn check_name(name: &str) -> Result<(), StoreError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let starts_well = name.starts_with(|first: char| first.is_ascii_lowercase());
    if starts_well && name.len() <= NAME_BYTES_MAX && name.bytes().all(plain) {
        Ok(())
    } else {
        Err(StoreError::SecretName { name: name.into() })
    }
}

fn read(state: &StateFolder, folder: &OwnedFd, name: &str) -> Result<Option<[u8; SECRET_BYTES]>, StoreError> {
    let path = || state.path().join(SECRETS_FOLDER).join(name);
    let refused = |what| StoreError::SecretFile { path: path(), what };
    let failed = |source| StoreError::Io { doing: "read", path: path(), source };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match rustix::fs::openat(folder, name, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(refused("is a symbolic link")),
        Err(errno) => return Err(failed(errno.into())),
    };
    let stat = rustix::fs::fstat(&file).map_err(|errno| failed(errno.into()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(refused("is not a file"));
    }
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(refused("belongs to another user"));
    }
    if Mode::from_raw_mode(stat.st_mode) != FILE_MODE {
        return Err(refused("has a mode other than 0600"));
    }
    if u64::try_from(stat.st_size) != Ok(SECRET_BYTES as u64) {
        return Err(refused("does not have 32 bytes"));
    }
    let mut secret = [0; SECRET_BYTES];
    file.read_exact(&mut secret).map_err(failed)?;
    Ok(Some(secret))
}

/// Writes a secret beside its place and moves it there when it is on disk, so that nobody sees half of it.
fn write(state: &StateFolder, folder: &OwnedFd, name: &str, secret: &[u8]) -> io::Result<()> {
    match rustix::fs::unlinkat(folder, NEW_FILE, AtFlags::empty()) {
        // What a crash left behind was never anybody's secret.
        Ok(()) | Err(Errno::NOENT) => {}
        Err(errno) => return Err(errno.into()),
    }
    let mut file = disk::create(folder, NEW_FILE)?;
    file.write_all(secret)?;
    file.sync_all()?;
    rustix::fs::renameat(folder, NEW_FILE, folder, name)?;
    rustix::fs::fsync(folder)?;
    rustix::fs::fsync(state)?;
    Ok(())
}
