//! The folder of a stream, or of vocabularies, on a real disk. Must never follow a symlink or open what is not a private regular file.

use crate::folder::{self, FILE_MODE, StateFolder};
use crate::storage::{Opened, Storage, StoredFile};
use crate::streams::Stream;
use rustix::fs::{Dir, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

const AUDIT_FOLDER: &str = "audit";
const LOCK_FILE: &str = "lock";
/// Most files in the folder of one stream: more than 80 years of days.
pub const FILES_MAX: usize = 1 << 15;
const FILE_FLAGS: OFlags = OFlags::RDWR.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// A folder in a folder of the state folder, opened when it is first needed.
#[derive(Debug)]
pub struct Disk {
    state: StateFolder,
    outer: &'static str,
    inner: &'static str,
    folders: OnceLock<Folders>,
}

#[derive(Debug)]
struct Folders {
    outer: OwnedFd,
    inner: OwnedFd,
}

impl Disk {
    /// The folder of this stream. Nothing is touched yet, so a disk that cannot be written shows at the append.
    pub fn new(state: &StateFolder, stream: Stream) -> Disk {
        Disk::at(state, AUDIT_FOLDER, stream.folder_name())
    }

    /// A folder in a folder of the state folder.
    pub(crate) fn at(state: &StateFolder, outer: &'static str, inner: &'static str) -> Disk {
        Disk { state: state.clone(), outer, inner, folders: OnceLock::new() }
    }

    /// The folders, created if they are missing.
    fn folders(&self) -> io::Result<&Folders> {
        if let Some(folders) = self.folders.get() {
            return Ok(folders);
        }
        let outer = folder::create_below(self.state.as_fd(), self.outer)?;
        let inner = folder::create_below(outer.as_fd(), self.inner)?;
        Ok(self.folders.get_or_init(|| Folders { outer, inner }))
    }

    /// The folders, if they are there.
    fn existing_folders(&self) -> io::Result<Option<&Folders>> {
        if let Some(folders) = self.folders.get() {
            return Ok(Some(folders));
        }
        let Some(outer) = folder::open_below(self.state.as_fd(), self.outer)? else {
            return Ok(None);
        };
        let Some(inner) = folder::open_below(outer.as_fd(), self.inner)? else {
            return Ok(None);
        };
        Ok(Some(self.folders.get_or_init(|| Folders { outer, inner })))
    }
}

impl Storage for Disk {
    type File = File;

    fn lock(&self) -> io::Result<File> {
        let folder = &self.folders()?.inner;
        let lock = match rustix::fs::openat(folder, LOCK_FILE, FILE_FLAGS, Mode::empty()) {
            Ok(lock) => File::from(lock),
            Err(Errno::NOENT) => create_or_open(folder, LOCK_FILE)?,
            Err(errno) => return Err(errno.into()),
        };
        wait_for(&lock, FlockOperation::LockExclusive)?;
        Ok(lock)
    }

    fn lock_to_read(&self) -> io::Result<Option<File>> {
        let Some(folders) = self.existing_folders()? else {
            return Ok(None);
        };
        match rustix::fs::openat(&folders.inner, LOCK_FILE, FILE_FLAGS, Mode::empty()) {
            Ok(lock) => {
                let lock = File::from(lock);
                wait_for(&lock, FlockOperation::LockShared)?;
                Ok(Some(lock))
            }
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let Some(folders) = self.existing_folders()? else {
            return Ok(Vec::new());
        };
        let mut names = Vec::new();
        for entry in Dir::read_from(&folders.inner)? {
            let entry = entry?;
            if names.len() >= FILES_MAX {
                return Err(io::Error::other("too many files in the folder"));
            }
            // A name that is not UTF-8 is none of ours.
            if let Ok(name) = entry.file_name().to_str() {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    fn open(&self, name: &str) -> io::Result<Option<Opened<File>>> {
        let Some(folders) = self.existing_folders()? else {
            return Ok(None);
        };
        let file = match rustix::fs::openat(&folders.inner, name, FILE_FLAGS, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        let stat = rustix::fs::fstat(&file)?;
        let regular = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        match u64::try_from(stat.st_size) {
            Ok(bytes) if regular && folder::is_private(&stat) => Ok(Some(Opened { file: file.into(), bytes })),
            _ => Err(io::Error::other(format!("`{name}` is not a private regular file"))),
        }
    }

    fn create(&self, name: &str) -> io::Result<File> {
        create(&self.folders()?.inner, name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let folder = &self.folders()?.inner;
        Ok(rustix::fs::renameat(folder, from, folder, to)?)
    }

    fn sync_folder(&self) -> io::Result<()> {
        let folders = self.folders()?;
        // The folders above may be just as new.
        rustix::fs::fsync(&folders.inner)?;
        rustix::fs::fsync(&folders.outer)?;
        rustix::fs::fsync(&self.state)?;
        Ok(())
    }
}

/// Creates a private file below a folder.
pub(crate) fn create(folder: impl AsFd, name: &str) -> io::Result<File> {
    let flags = FILE_FLAGS.union(OFlags::CREATE).union(OFlags::EXCL);
    let file = rustix::fs::openat(folder, name, flags, FILE_MODE)?;
    // The mode argument is narrowed by umask, which must not lock ourselves out.
    rustix::fs::fchmod(&file, FILE_MODE)?;
    Ok(file.into())
}

/// Opens a file, and creates it if it is missing, whoever is faster.
pub(crate) fn create_or_open(folder: impl AsFd, name: &str) -> io::Result<File> {
    match create(&folder, name) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let file = rustix::fs::openat(folder, name, FILE_FLAGS, Mode::empty())?;
            Ok(file.into())
        }
        result => result,
    }
}

/// Waits for a lock on an open file.
pub(crate) fn wait_for(lock: &File, operation: FlockOperation) -> io::Result<()> {
    loop {
        match rustix::fs::flock(lock, operation) {
            Err(Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

impl StoredFile for File {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        FileExt::write_at(self, bytes, offset)
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        File::set_len(self, bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        File::sync_data(self)
    }
}
