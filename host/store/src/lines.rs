//! Reading a stream from its first line to its last, in constant memory.
//!
//! Must never hold more than one line and one buffer, whatever a file contains.

use crate::chain::days_of;
use crate::day::Day;
use crate::storage::{Storage, StoredFile};
use holdpoint_core::journal::LINE_BYTES_MAX;
use std::io;

/// Bytes that are read at once.
const READ_BYTES: usize = 64 << 10;

/// The files of a stream at an instant, by day, with their sizes.
pub(crate) struct Snapshot {
    pub(crate) files: Vec<(Day, u64)>,
    pub(crate) torn_files: Vec<String>,
}

/// Takes the files as they are while nobody appends. Appends may go on afterwards: they only add bytes.
pub(crate) fn snapshot<S: Storage>(storage: &S) -> io::Result<Snapshot> {
    let _lock = storage.lock_to_read()?;
    snapshot_under_lock(storage)
}

/// The same for a caller that already keeps appends away.
pub(crate) fn snapshot_under_lock<S: Storage>(storage: &S) -> io::Result<Snapshot> {
    let names = storage.names()?;
    let mut files = Vec::new();
    for day in days_of(&names) {
        if let Some(opened) = storage.open(&day.file_name())? {
            files.push((day, opened.bytes));
        }
    }
    let mut torn_files: Vec<String> = names.into_iter().filter(|name| name.starts_with("torn-")).collect();
    torn_files.sort_unstable();
    Ok(Snapshot { files, torn_files })
}

/// What was found where a line could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A line.
    Line,
    /// This many bytes without a line feed.
    Torn(u64),
    /// More bytes than a line may have.
    TooLong,
    /// The end of the file.
    End,
}

/// The lines of one file.
pub(crate) struct Lines<F> {
    file: F,
    /// Up to here the file is read; later bytes belong to later appends.
    bytes: u64,
    offset: u64,
    buffer: Vec<u8>,
    used: usize,
    line: Vec<u8>,
}

impl<F: StoredFile> Lines<F> {
    pub(crate) fn new(file: F, bytes: u64) -> Lines<F> {
        Lines { file, bytes, offset: 0, buffer: Vec::new(), used: 0, line: Vec::new() }
    }

    /// The line that was found last, without its line feed.
    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Goes on to the next line.
    pub(crate) fn advance(&mut self) -> io::Result<Found> {
        self.line.clear();
        loop {
            let unused = self.buffer.get(self.used..).unwrap_or_default();
            let line_feed = unused.iter().position(|byte| *byte == b'\n');
            let part = unused.get(..line_feed.unwrap_or(unused.len())).unwrap_or_default();
            if self.line.len() + part.len() > LINE_BYTES_MAX {
                return Ok(Found::TooLong);
            }
            self.line.extend_from_slice(part);
            if let Some(line_feed) = line_feed {
                self.used += line_feed + 1;
                return Ok(Found::Line);
            }
            if !self.fill()? {
                return Ok(match self.line.len() {
                    0 => Found::End,
                    torn => Found::Torn(torn as u64),
                });
            }
        }
    }

    /// Reads the next bytes in place of the used ones; `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let left = usize::try_from(self.bytes - self.offset).unwrap_or(usize::MAX);
        self.buffer.resize(left.min(READ_BYTES), 0);
        self.used = 0;
        let filled = loop {
            match self.file.read_at(self.offset, &mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.buffer.truncate(filled);
        self.offset += filled as u64;
        Ok(filled > 0)
    }
}
