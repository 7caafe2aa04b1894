//! Compiled code on disk. Compiled code is code: whoever can change it decides what runs in this process. So an entry is
//! read from an owner-only folder, without following links, and only if its keyed hash holds.
//!
//! This stops corruption and other users. It does not stop the same user, who can read the key as well.

use holdpoint_core::digest::Digest;
use rustix::fs::{AtFlags, Mode, OFlags, openat};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use wasmtime::Engine;
use wasmtime::component::Component;

const MAC_BYTES: usize = 32;
/// Bytes that are hashed at a time: small enough to stay in a processor's cache.
const CHUNK_BYTES: usize = 128 << 10;
/// Entries that this process has begun to write.
static WRITES: AtomicU64 = AtomicU64::new(0);

/// Why an entry is not used. The component is then compiled again from its signed bytes.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// No entry, or it cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Not a plain file of this user that others cannot write.
    #[error("the entry is not a private file of this user")]
    NotPrivate,
    /// The folder is not this user's own, or others may write it.
    #[error("the folder is not private to this user")]
    FolderNotPrivate,
    /// The keyed hash does not hold.
    #[error("the entry is damaged, or was made with another key, engine or configuration")]
    Damaged,
    /// The engine does not take it.
    #[error("the engine does not take the entry: {0}")]
    Refused(String),
}

/// A folder of compiled code.
pub struct Cache {
    folder: OwnedFd,
    key: [u8; 32],
}

/// What an entry was made from and for. All of it goes into the keyed hash.
#[derive(Clone, Copy)]
pub(crate) struct EntryId {
    pub(crate) component: Digest,
    pub(crate) compatibility: u64,
}

impl EntryId {
    fn file_name(self) -> String {
        format!("{}-{:016x}.cwasm", self.component, self.compatibility)
    }
}

impl Cache {
    /// The cache in `folder`, which the caller has checked to be private.
    pub fn new(folder: OwnedFd, key: [u8; 32]) -> Cache {
        Cache { folder, key }
    }

    /// Opens the cache in `folder`, which must exist and be this user's own.
    pub fn open(folder: &Path, key: [u8; 32]) -> Result<Cache, CacheError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::open(folder, flags, Mode::empty()).map_err(std::io::Error::from)?;
        let about = rustix::fs::fstat(&folder).map_err(std::io::Error::from)?;
        let private = about.st_uid == rustix::process::geteuid().as_raw() && about.st_mode & 0o022 == 0;
        if private { Ok(Cache::new(folder, key)) } else { Err(CacheError::FolderNotPrivate) }
    }

    pub(crate) fn load(&self, engine: &Engine, id: EntryId) -> Result<Component, CacheError> {
        // Not blocking: an open of a pipe would otherwise wait for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.folder, id.file_name(), flags, Mode::empty()).map_err(std::io::Error::from)?;
        let mut file = File::from(file);
        let about = file.metadata()?;
        let private =
            about.is_file() && about.uid() == rustix::process::geteuid().as_raw() && about.mode() & 0o022 == 0;
        if !private {
            return Err(CacheError::NotPrivate);
        }
        let code_bytes = about.len().checked_sub(MAC_BYTES as u64).ok_or(CacheError::Damaged)?;
        let found = self.hash(id, &mut (&mut file).take(code_bytes))?;
        let mut mac = [0_u8; MAC_BYTES];
        file.read_exact(&mut mac)?;
        // blake3 compares hashes in constant time.
        if found != blake3::Hash::from_bytes(mac) {
            return Err(CacheError::Damaged);
        }
        map(engine, &file)
    }

    pub(crate) fn store(&self, id: EntryId, artefact: &[u8]) -> Result<(), CacheError> {
        let mac = self.hash(id, &mut &*artefact)?;
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let unique = format!("{}.{}.{number}", id.file_name(), std::process::id());
        // INVARIANT (an entry has one writer): the file is new, so no other thread or process writes to it, not even after
        // it has its final name. A file of this name is a dead process's.
        let _ = rustix::fs::unlinkat(&self.folder, unique.as_str(), AtFlags::empty());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = openat(&self.folder, unique.as_str(), flags, mode).map_err(std::io::Error::from)?;
        let mut file = File::from(file);
        let written =
            file.write_all(artefact).and_then(|()| file.write_all(mac.as_bytes())).and_then(|()| file.sync_data());
        let renamed = written.and_then(|()| {
            rustix::fs::renameat(&self.folder, unique.as_str(), &self.folder, id.file_name()).map_err(Into::into)
        });
        if renamed.is_err() {
            // The name is this write's own, and what stays behind is in nobody's way.
            let _ = rustix::fs::unlinkat(&self.folder, unique.as_str(), AtFlags::empty());
        }
        Ok(renamed?)
    }

    fn hash(&self, id: EntryId, code: &mut dyn Read) -> Result<blake3::Hash, CacheError> {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(b"holdpoint compiled code 1");
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.update(id.component.bytes());
        hasher.update(&id.compatibility.to_be_bytes());
        let mut chunk = vec![0_u8; CHUNK_BYTES];
        loop {
            let read = code.read(&mut chunk)?;
            match chunk.get(..read) {
                Some([]) | None => return Ok(hasher.finalize()),
                Some(bytes) => hasher.update(bytes),
            };
        }
    }
}

/// Takes compiled code that was made just now and could not be kept.
pub(crate) fn load_unkept(engine: &Engine, artefact: &[u8]) -> Result<Component, CacheError> {
    let memory =
        rustix::fs::memfd_create("holdpoint", rustix::fs::MemfdFlags::CLOEXEC).map_err(std::io::Error::from)?;
    let mut file = File::from(memory);
    file.write_all(artefact)?;
    file.seek(SeekFrom::Start(0))?;
    map(engine, &file)
}

/// Maps compiled code. The only unsafe call of the crate.
#[expect(unsafe_code, reason = "wasmtime cannot check compiled code; both callers pass what this user compiled")]
fn map(engine: &Engine, file: &File) -> Result<Component, CacheError> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: `deserialize_file` demands bytes that wasmtime wrote and that do not change while they are mapped. `load`
    // has checked a keyed hash over all of them through this very descriptor, and the file lies in a folder only this
    // user can write, where entries are replaced by rename and never written in place. `load_unkept` has just received
    // them from the compiler and holds the only descriptor.
    let component = unsafe { Component::deserialize_file(engine, path) };
    component.map_err(|error| CacheError::Refused(format!("{error:#}")))
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
