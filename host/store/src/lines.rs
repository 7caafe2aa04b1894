//! Reading a stream from its first line to its last, in constant memory.
//!
//! Must never hold more than one line and one buffer, whatever a file contains.

use crate::chain::{Trouble, days_of};
use crate::day::Day;
use crate::storage::{Storage, StoredFile};
use crate::tail;
use holdpoint_core::journal::LINE_BYTES_MAX;
use std::io;

/// Bytes that are read at once.
const READ_BYTES: usize = 64 << 10;

/// The files of a stream at an instant, by day, with their sizes.
#[derive(Clone, Default)]
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

/// As [`snapshot`], without what a crash left behind the last line. An append moves that aside and writes where it was,
/// so a reader that takes more than the whole lines could see one that is not on disk yet.
pub(crate) fn settled<S: Storage>(storage: &S) -> io::Result<Snapshot> {
    let _lock = storage.lock_to_read()?;
    let mut snapshot = snapshot_under_lock(storage)?;
    if let Some((day, bytes)) = snapshot.files.last_mut()
        && let Some(opened) = storage.open(&day.file_name())?
    {
        match tail::read(&opened, &day.file_name()) {
            Ok(tail) => *bytes = tail.whole_bytes,
            Err(Trouble::Io { source, .. }) => return Err(source),
            // Nothing is appended behind a damaged line.
            Err(_) => {}
        }
    }
    Ok(snapshot)
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
    /// Up to here all lines were found.
    whole_bytes: u64,
    buffer: Vec<u8>,
    used: usize,
    line: Vec<u8>,
}

impl<F: StoredFile> Lines<F> {
    pub(crate) fn new(file: F, bytes: u64) -> Lines<F> {
        Lines::starting_at(0, file, bytes)
    }

    /// The lines from an offset on, at which one starts.
    pub(crate) fn starting_at(offset: u64, file: F, bytes: u64) -> Lines<F> {
        Lines { file, bytes, offset, whole_bytes: offset, buffer: Vec::new(), used: 0, line: Vec::new() }
    }

    /// Where the line ends that was found last, with its line feed.
    pub(crate) fn whole_bytes(&self) -> u64 {
        self.whole_bytes
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
                self.whole_bytes += self.line.len() as u64 + 1;
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
        let left = usize::try_from(self.bytes.saturating_sub(self.offset)).unwrap_or(usize::MAX);
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
