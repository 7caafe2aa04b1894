//! The few file operations that a stream needs, as traits, so that tests can break each of them.
//!
//! Must never decide anything: which file, which offset and what a failure means is the business of [`crate::chain`].

use std::io;

/// A file and its size when it was opened.
#[derive(Debug)]
pub struct Opened<F> {
    /// The file.
    pub file: F,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// The folder of one stream.
pub trait Storage {
    /// A file in it.
    type File: StoredFile;

    /// Waits until nobody else holds the lock. It is held until the returned file, the lock itself, is dropped.
    fn lock(&self) -> io::Result<Self::File>;

    /// As [`Storage::lock`], but shared with other readers. `None` if nothing has ever been written.
    fn lock_to_read(&self) -> io::Result<Option<Self::File>>;

    /// The names of all files, in any order.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Opens a file to read and write it; `None` if it is not there.
    fn open(&self, name: &str) -> io::Result<Option<Opened<Self::File>>>;

    /// Creates an empty file; an existing one is an error of kind `AlreadyExists`.
    fn create(&self, name: &str) -> io::Result<Self::File>;

    /// Gives a file another name, in place of a file that has it.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Makes the folder, and the names in it, durable.
    fn sync_folder(&self) -> io::Result<()>;
}

/// A file of a stream.
pub trait StoredFile {
    /// Reads at an offset. Fewer bytes than asked for are no error, none means the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Writes at an offset. Fewer bytes than given are no error.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize>;

    /// Cuts the file to a size.
    fn set_len(&self, bytes: u64) -> io::Result<()>;

    /// Makes the content and the size durable.
    fn sync_data(&self) -> io::Result<()>;
}

/// Reads until the buffer is full or the file ends; returns what was read.
pub(crate) fn read_up_to<'b>(file: &impl StoredFile, offset: u64, buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read_at(offset + filled as u64, rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(buffer.get(..filled).unwrap_or_default())
}

/// Writes all bytes at an offset.
pub(crate) fn write_all(file: &impl StoredFile, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let mut written = 0;
    while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
        match file.write_at(offset + written as u64, rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
