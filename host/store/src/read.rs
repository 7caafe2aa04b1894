//! Reading lines back for a person. Must never be taken for a check: nothing here verifies the chain.
//!
//! An answer is bounded, and says so when a bound made it shorter than what was asked for.

use crate::day::{DAY_MS, Day};
use crate::disk::Disk;
use crate::error::StoreError;
use crate::folder::StateFolder;
use crate::lines::{self, Found, Lines, Snapshot};
use crate::storage::{Storage, StoredFile};
use crate::streams::Stream;
use serde_json::Value;
use std::collections::VecDeque;
use std::io;

pub use crate::filter::{Filter, Member};

/// Most lines of one answer.
pub const READ_LINES_MAX: usize = 10_000;
/// Most bytes of lines that are held for one answer.
pub const READ_BYTES_MAX: usize = 64 << 20;

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

/// Lines that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The newest one last.
    pub entries: Vec<Entry>,
    /// Why lines that were asked for are not among them.
    pub cut: Option<Cut>,
}

/// Why an answer is not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// There are more than [`READ_LINES_MAX`] lines: the oldest ones are left out.
    Lines,
    /// They have more than [`READ_BYTES_MAX`] bytes: the oldest ones are left out.
    Bytes,
    /// A line is too long to be one. The rest of its file was not read.
    Unreadable {
        /// The daily file.
        file: String,
        /// The number of the line in it, from 1.
        line: u64,
    },
}

impl Cut {
    /// In words, as a sentence of its own.
    pub fn text(&self) -> String {
        match self {
            Cut::Lines => format!("Only the newest {READ_LINES_MAX} lines are shown; ask for fewer days or one key."),
            Cut::Bytes => {
                format!("Only the newest {} MiB are shown; ask for fewer days or one key.", READ_BYTES_MAX >> 20)
            }
            Cut::Unreadable { file, line } => {
                format!("`{file}` was not read from line {line} on, which is too long; see `holdpoint audit verify`.")
            }
        }
    }
}

/// How often a key was changed, and how often that was denied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Transitions that took place.
    pub ok: u64,
    /// Transitions that were denied.
    pub denied: u64,
    /// Why there may be more.
    pub cut: Option<Cut>,
}

/// The newest lines of a stream that a filter takes, the newest last. [`answer`] also says whether they are all.
pub fn read(folder: &StateFolder, stream: Stream, filter: &Filter) -> Result<Vec<Entry>, StoreError> {
    answer(folder, stream, filter).map(|answer| answer.entries)
}

/// The newest lines of a stream that a filter takes.
pub fn answer(folder: &StateFolder, stream: Stream, filter: &Filter) -> Result<Answer, StoreError> {
    answer_storage(&Disk::new(folder, stream), filter).map_err(|source| failed(folder, source))
}

/// The lines in the file of one day.
pub fn read_day(folder: &StateFolder, stream: Stream, day: Day) -> Result<Answer, StoreError> {
    answer(folder, stream, &Filter { since: Some(day), until: Some(day), ..Filter::all() })
}

/// The newest lines, or the newest ones about one key.
pub fn tail(folder: &StateFolder, stream: Stream, key: Option<&str>, limit: usize) -> Result<Answer, StoreError> {
    let newest = Filter::last(limit);
    answer(folder, stream, &key.into_iter().fold(newest, |filter, key| filter.with(Member::Key, key)))
}

/// The lines in the files of the last days, today included. A file of a day to come is taken too: a clock that was wrong
/// must not hide what was written then.
pub fn tail_recent_days(folder: &StateFolder, stream: Stream, days: u32, now_ms: u64) -> Result<Answer, StoreError> {
    let Some(days_before) = days.checked_sub(1) else {
        return Ok(Answer { entries: Vec::new(), cut: None });
    };
    let since = Day::at(now_ms.saturating_sub(u64::from(days_before) * DAY_MS));
    answer(folder, stream, &Filter { since: Some(since), ..Filter::all() })
}

/// How often a key was changed. Every transition is counted, however many there are.
pub fn count_for(folder: &StateFolder, key: &str) -> Result<Counts, StoreError> {
    let filter = Filter::all().with(Member::Key, key);
    count_storage(&Disk::new(folder, Stream::Transitions), &filter).map_err(|source| failed(folder, source))
}

/// As [`read`], from any storage.
pub fn read_storage<S: Storage>(storage: &S, filter: &Filter) -> io::Result<Vec<Entry>> {
    answer_storage(storage, filter).map(|answer| answer.entries)
}

/// As [`answer`], from any storage.
pub fn answer_storage<S: Storage>(storage: &S, filter: &Filter) -> io::Result<Answer> {
    answer_snapshot(storage, lines::snapshot(storage)?, filter)
}

/// The newest lines of these files that a filter takes.
pub(crate) fn answer_snapshot<S: Storage>(storage: &S, snapshot: Snapshot, filter: &Filter) -> io::Result<Answer> {
    let mut newest = Newest::new(filter);
    let files = snapshot.files.into_iter().rev().filter(|(day, _)| filter.takes_day(*day));
    for (day, bytes) in files {
        if newest.is_full() {
            break;
        }
        if let Some(opened) = storage.open(&day.file_name())? {
            newest.begin_older_file();
            each_match(Lines::new(opened.file, bytes), &day.file_name(), filter, &mut newest)?;
        }
    }
    Ok(newest.answer())
}

fn count_storage<S: Storage>(storage: &S, filter: &Filter) -> io::Result<Counts> {
    let mut counts = Counts::default();
    for (day, bytes) in lines::snapshot(storage)?.files {
        if let Some(opened) = storage.open(&day.file_name())? {
            each_match(Lines::new(opened.file, bytes), &day.file_name(), filter, &mut counts)?;
        }
    }
    Ok(counts)
}

fn failed(folder: &StateFolder, source: io::Error) -> StoreError {
    StoreError::Io { doing: "read the journal in", path: folder.path().into(), source }
}

/// What is done with the lines that match.
trait Matches {
    fn take(&mut self, entry: Entry);
    /// The rest of the file cannot be read.
    fn cut(&mut self, cut: Cut);
}

/// Hands over the matching lines of one file. A line that is too long ends it.
fn each_match<F: StoredFile>(
    mut lines: Lines<F>,
    file: &str,
    filter: &Filter,
    matches: &mut impl Matches,
) -> io::Result<()> {
    let mut line = 0;
    loop {
        line += 1;
        match lines.advance()? {
            Found::Line => {}
            Found::TooLong => {
                matches.cut(Cut::Unreadable { file: file.into(), line });
                return Ok(());
            }
            Found::Torn(_) | Found::End => return Ok(()),
        }
        if let Some(entry) = entry_of(lines.line(), file, line, filter) {
            matches.take(entry);
        }
    }
}

/// A line as an entry, if the filter takes it.
pub(crate) fn entry_of(bytes: &[u8], file: &str, line: u64, filter: &Filter) -> Option<Entry> {
    let value = serde_json::from_slice(bytes).unwrap_or(Value::Null);
    let text = || String::from_utf8_lossy(bytes).into_owned();
    filter.takes(&value).then(|| Entry { file: file.into(), line, text: text(), value })
}

impl Matches for Counts {
    fn take(&mut self, entry: Entry) {
        match entry.value.get(Member::Result.as_str()).and_then(Value::as_str) {
            Some("ok") => self.ok += 1,
            Some("denied") => self.denied += 1,
            Some(_) | None => {}
        }
    }

    fn cut(&mut self, cut: Cut) {
        self.cut = self.cut.take().or(Some(cut));
    }
}

/// The newest matching lines, while files are read from the newest to the oldest. What is kept has no gap.
struct Newest {
    newer: VecDeque<Entry>,
    /// Those of the file that is being read.
    entries: VecDeque<Entry>,
    lines_left: usize,
    bytes_left: usize,
    /// What it means that no line is left: that all is found, or that a bound was reached.
    at_last: Option<Cut>,
    dropped: Option<Cut>,
    unreadable: Option<Cut>,
}

impl Newest {
    fn new(filter: &Filter) -> Newest {
        Newest {
            newer: VecDeque::new(),
            entries: VecDeque::new(),
            lines_left: filter.last.min(READ_LINES_MAX),
            bytes_left: READ_BYTES_MAX,
            at_last: (filter.last > READ_LINES_MAX).then_some(Cut::Lines),
            dropped: None,
            unreadable: None,
        }
    }

    fn has_all(&self) -> bool {
        self.lines_left == 0 && self.at_last.is_none()
    }

    /// Whether older files have nothing to add.
    fn is_full(&self) -> bool {
        self.dropped.is_some() || self.has_all()
    }

    fn begin_older_file(&mut self) {
        while let Some(entry) = self.entries.pop_back() {
            self.newer.push_front(entry);
        }
    }

    /// Whether there was one.
    fn drop_oldest(&mut self) -> bool {
        let Some(entry) = self.entries.pop_front() else { return false };
        self.lines_left += 1;
        self.bytes_left += entry.text.len();
        true
    }

    fn answer(mut self) -> Answer {
        self.begin_older_file();
        let all = self.has_all();
        // What was dropped on the way to a whole answer is older than all that was asked for.
        let dropped = self.dropped.filter(|_| !all);
        Answer { entries: self.newer.into(), cut: self.unreadable.or(dropped) }
    }
}

impl Matches for Newest {
    fn take(&mut self, entry: Entry) {
        if self.lines_left == 0 {
            self.dropped = self.dropped.take().or_else(|| self.at_last.clone());
            if !self.drop_oldest() {
                return;
            }
        }
        while self.bytes_left < entry.text.len() {
            self.dropped = self.dropped.take().or(Some(Cut::Bytes));
            if !self.drop_oldest() {
                return;
            }
        }
        self.lines_left -= 1;
        self.bytes_left -= entry.text.len();
        self.entries.push_back(entry);
    }

    fn cut(&mut self, cut: Cut) {
        self.unreadable = self.unreadable.take().or(Some(cut));
    }
}
