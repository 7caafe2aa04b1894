//! Reading lines back for a person. Must never be taken for a check: nothing here verifies the chain.

use crate::day::Day;
use crate::disk::Disk;
use crate::error::StoreError;
use crate::folder::StateFolder;
use crate::lines::{self, Found, Lines};
use crate::storage::Storage;
use crate::streams::Stream;
use serde_json::Value;
use std::collections::VecDeque;
use std::io;

/// Most lines of one answer.
pub const READ_LINES_MAX: usize = 10_000;
/// Most bytes of lines that are held for one answer.
pub const READ_BYTES_MAX: usize = 64 << 20;

/// Which lines are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The newest ones of all that match, at most [`READ_LINES_MAX`].
    pub last: usize,
    /// Not before this day.
    pub since: Option<Day>,
    /// Not after this day.
    pub until: Option<Day>,
    /// Members that must be these strings, such as `key` or `correlation_id`.
    pub members: Vec<(String, String)>,
}

impl Filter {
    /// The newest lines, whatever they are.
    pub fn last(last: usize) -> Filter {
        Filter { last, since: None, until: None, members: Vec::new() }
    }

    fn takes_day(&self, day: Day) -> bool {
        self.since.is_none_or(|since| since <= day) && self.until.is_none_or(|until| day <= until)
    }

    fn takes(&self, value: &Value) -> bool {
        self.members.iter().all(|(name, wanted)| value.get(name).and_then(Value::as_str) == Some(wanted))
    }
}

/// A line of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The daily file.
    pub file: String,
    /// The number of the line in it, from 1.
    pub line: u64,
    /// The line as it is.
    pub text: String,
    /// The line as JSON; `Null` if it is damaged.
    pub value: Value,
}

/// The newest lines of a stream that a filter takes, the newest last.
pub fn read(folder: &StateFolder, stream: Stream, filter: &Filter) -> Result<Vec<Entry>, StoreError> {
    read_storage(&Disk::new(folder, stream), filter).map_err(|source| StoreError::Io {
        doing: "read the journal in",
        path: folder.path().into(),
        source,
    })
}

/// As [`read`], from any storage.
pub fn read_storage<S: Storage>(storage: &S, filter: &Filter) -> io::Result<Vec<Entry>> {
    let mut wanted = Kept { lines_max: filter.last.min(READ_LINES_MAX), bytes_max: READ_BYTES_MAX };
    let mut entries = VecDeque::new();
    let files = lines::snapshot(storage)?.files;
    for (day, bytes) in files.into_iter().rev().filter(|(day, _)| filter.takes_day(*day)) {
        if wanted.lines_max == 0 {
            break;
        }
        let Some(opened) = storage.open(&day.file_name())? else {
            continue;
        };
        let found = read_file(Lines::new(opened.file, bytes), &day.file_name(), filter, &wanted)?;
        for entry in found.into_iter().rev() {
            wanted.lines_max = wanted.lines_max.saturating_sub(1);
            wanted.bytes_max = wanted.bytes_max.saturating_sub(entry.text.len());
            entries.push_front(entry);
        }
    }
    Ok(entries.into())
}

/// How much may still be kept.
struct Kept {
    lines_max: usize,
    bytes_max: usize,
}

/// The newest matching lines of one file. A line that is too long ends it.
fn read_file<F: crate::storage::StoredFile>(
    mut lines: Lines<F>,
    file: &str,
    filter: &Filter,
    kept: &Kept,
) -> io::Result<VecDeque<Entry>> {
    let mut entries: VecDeque<Entry> = VecDeque::new();
    let mut kept_bytes = 0;
    let mut line = 0;
    while lines.advance()? == Found::Line {
        line += 1;
        let value = serde_json::from_slice(lines.line()).unwrap_or(Value::Null);
        if !filter.takes(&value) {
            continue;
        }
        let text = String::from_utf8_lossy(lines.line()).into_owned();
        kept_bytes += text.len();
        entries.push_back(Entry { file: file.into(), line, text, value });
        while entries.len() > kept.lines_max || kept_bytes > kept.bytes_max {
            let dropped = entries.pop_front().map_or(0, |entry| entry.text.len());
            kept_bytes = kept_bytes.saturating_sub(dropped);
        }
    }
    Ok(entries)
}
