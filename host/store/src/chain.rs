//! Appending to a stream: the only code that adds bytes to it.
//!
//! A stream is one chain of lines over daily files, in the order of their names. Its folder also has `lock`, whose
//! content is the newest day as a hint, and `torn-DAY-N`, what a crash left behind. Must never acknowledge a line that
//! is not on disk, and never continue a chain whose end does not verify.
//!
//! INVARIANT (durable start): a daily file that is not empty has a durable name, and its day is at most the hint that
//! is on disk. Both are made durable before the first byte of a file is written, so that the common append needs one
//! sync only.
//!
//! INVARIANT (durable predecessor): a line goes to disk no later than the one that follows it. In one file one sync
//! covers both; across files the older one is synced first.
//!
//! What is taken for granted: bytes added to a file reach the disk in order, and a disk that reports a failed sync still
//! lets the file be cut back. Without the second, another process could go on behind a line that the system has dropped.

use crate::day::{DAY_TEXT_BYTES, Day};
use crate::storage::{Opened, Storage, StoredFile, read_up_to, write_all};
use crate::tail::{self, Tail};
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::{Head, Line, Opening};
use holdpoint_core::ports::NotDurable;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Most bytes of one batch of lines.
pub const BATCH_BYTES_MAX: usize = 64 << 20;
/// Most files of torn bytes for one day.
pub const TORN_FILES_MAX: u32 = 1_000;
/// Most repairs that are kept until somebody asks for them.
pub const REPAIRS_MAX: usize = 100;

/// The digest of the frozen files that this program was built from: `sha256sum` over their list, as the frozen tests
/// write it.
pub fn frozen_digest() -> Digest {
    Digest::from_hex(env!("HOLDPOINT_FROZEN")).unwrap_or(Digest::ZERO)
}

/// Bytes that a crash left behind a stream's last line. They were never acknowledged, and were moved aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The daily file.
    pub file: String,
    /// The file that has the bytes now.
    pub moved_to: String,
    /// How many.
    pub bytes: u64,
}

/// What an append did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Where the chain ends now.
    pub head: Head,
    /// What had to be moved aside first.
    pub repairs: Vec<Repair>,
}

/// Why an append failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("cannot {doing} the journal: {source}")]
    Io { doing: &'static str, source: io::Error },
    #[error("the journal did not reach the disk: {0}")]
    Sync(io::Error),
    #[error("`{file}`: {what}")]
    Damaged { file: String, what: String },
    #[error("an earlier line did not reach the disk, and since then nothing is certain; start again")]
    Poisoned,
    #[error("more than {BATCH_BYTES_MAX} bytes at once")]
    TooMuch,
    #[error("more than {TORN_FILES_MAX} torn ends in one day; look at the disk")]
    TooManyTorn,
    #[error("the transition is too long to be written down")]
    TransitionTooLong,
    #[error("the line is too long to be written down")]
    LineTooLong,
}

impl Trouble {
    pub(crate) fn io(doing: &'static str) -> impl FnOnce(io::Error) -> Trouble {
        move |source| Trouble::Io { doing, source }
    }

    pub(crate) fn damaged(file: &str, what: &str) -> Trouble {
        Trouble::Damaged { file: file.into(), what: what.into() }
    }
}

impl From<Trouble> for NotDurable {
    fn from(trouble: Trouble) -> NotDurable {
        NotDurable { cause: trouble.to_string() }
    }
}

/// One chain of lines in one folder.
#[derive(Debug)]
pub(crate) struct Chain<S> {
    storage: S,
    /// After a failed sync the system may have dropped what it failed to write, so nothing can be known any more.
    poisoned: AtomicBool,
    repairs: Mutex<Vec<Repair>>,
}

/// Where the next line goes.
struct End<F> {
    file: F,
    bytes: u64,
    head: Head,
    /// The line that the next one follows; empty if there is none.
    last: Vec<u8>,
}

/// The newest file that has a line, and its end.
pub(crate) struct Newest<F> {
    pub(crate) file: F,
    pub(crate) name: String,
    /// Bytes up to and with the last line feed.
    pub(crate) bytes: u64,
    /// What the last line leaves behind.
    pub(crate) head: Head,
    /// That line.
    pub(crate) line: Vec<u8>,
}

/// Names of other streams, and where they end.
pub(crate) type NamedHeads = Vec<(&'static str, Head)>;

/// A day's file without a torn end.
struct Settled<F> {
    file: F,
    bytes: u64,
    /// What its last line leaves behind; `None` if it has no line.
    head: Option<Head>,
    /// That line.
    last: Vec<u8>,
}

impl<S: Storage> Chain<S> {
    pub(crate) fn new(storage: S) -> Chain<S> {
        Chain { storage, poisoned: AtomicBool::new(false), repairs: Mutex::new(Vec::new()) }
    }

    pub(crate) fn storage(&self) -> &S {
        &self.storage
    }

    /// Repairs since the last time this was asked.
    pub(crate) fn take_repairs(&self) -> Vec<Repair> {
        std::mem::take(&mut self.repairs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Appends the lines that `make` returns once nobody else can append.
    pub(crate) fn append(
        &self,
        at_ms: u64,
        make: impl FnOnce() -> Result<Vec<Line>, Trouble>,
    ) -> Result<Appended, Trouble> {
        self.append_naming(at_ms, make, |_| Ok(Vec::new()))
    }

    /// The same with the heads of other streams in every line. `name` gets the line in front of the first one.
    pub(crate) fn append_naming(
        &self,
        at_ms: u64,
        make: impl FnOnce() -> Result<Vec<Line>, Trouble>,
        name: impl FnOnce(&[u8]) -> Result<NamedHeads, Trouble>,
    ) -> Result<Appended, Trouble> {
        let mut repairs = Vec::new();
        let result = self.append_locked(at_ms, make, name, &mut repairs);
        let mut kept = self.repairs.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(repairs.iter().cloned());
        kept.truncate(REPAIRS_MAX);
        if matches!(result, Err(Trouble::Sync(_))) {
            self.poisoned.store(true, Ordering::SeqCst);
        }
        result.map(|head| Appended { head, repairs })
    }

    fn append_locked(
        &self,
        at_ms: u64,
        make: impl FnOnce() -> Result<Vec<Line>, Trouble>,
        name: impl FnOnce(&[u8]) -> Result<NamedHeads, Trouble>,
        repairs: &mut Vec<Repair>,
    ) -> Result<Head, Trouble> {
        let lock = self.storage.lock().map_err(Trouble::io("lock"))?;
        if self.poisoned.load(Ordering::SeqCst) {
            return Err(Trouble::Poisoned);
        }
        let lines = make()?;
        let end = self.end(&lock, Day::at(at_ms), repairs)?;
        let (text, head) = seal(&lines, &end, &name(&end.last)?)?;
        write(&end, text.as_bytes())?;
        Ok(head)
    }

    /// The head of the lines that are on disk, whatever a crash left behind them.
    pub(crate) fn durable_head(&self) -> Result<Head, Trouble> {
        let _lock = self.storage.lock().map_err(Trouble::io("lock"))?;
        let Some(newest) = newest(&self.storage)? else {
            return Ok(Head::START);
        };
        newest.file.sync_data().map_err(Trouble::Sync)?;
        Ok(newest.head)
    }

    /// Finds the end of the chain, in a file of today or of a later day.
    fn end(&self, lock: &S::File, today: Day, repairs: &mut Vec<Repair>) -> Result<End<S::File>, Trouble> {
        if let Some(newest) = read_hint(lock)?.filter(|newest| *newest >= today)
            && let Some(settled) = self.settle(newest, repairs)?
            && let Some(head) = settled.head
        {
            return Ok(End { file: settled.file, bytes: settled.bytes, head, last: settled.last });
        }
        self.start_day(lock, today, repairs)
    }

    /// Finds the end of the chain by looking at all files, and makes the start of a day's file durable.
    fn start_day(&self, lock: &S::File, today: Day, repairs: &mut Vec<Repair>) -> Result<End<S::File>, Trouble> {
        let days = days_in(&self.storage)?;
        let day = days.last().map_or(today, |newest| today.max(*newest));
        let mut of_day = None;
        let mut head = Head::START;
        let mut last = Vec::new();
        for earlier in days.into_iter().rev() {
            let Some(mut settled) = self.settle(earlier, repairs)? else {
                continue;
            };
            settled.file.sync_data().map_err(Trouble::Sync)?;
            let found = settled.head;
            last = std::mem::take(&mut settled.last);
            if earlier == day {
                of_day = Some(settled);
            }
            if let Some(found) = found {
                head = found;
                break;
            }
        }
        write_hint(lock, day)?;
        let (file, bytes) = match of_day {
            Some(settled) => (settled.file, settled.bytes),
            None => (self.storage.create(&day.file_name()).map_err(Trouble::io("create a file of"))?, 0),
        };
        self.storage.sync_folder().map_err(Trouble::Sync)?;
        Ok(End { file, bytes, head, last })
    }

    /// Opens a day's file and moves a torn end aside. `None` if there is no such file.
    fn settle(&self, day: Day, repairs: &mut Vec<Repair>) -> Result<Option<Settled<S::File>>, Trouble> {
        let name = day.file_name();
        let Some(opened) = self.storage.open(&name).map_err(Trouble::io("open"))? else {
            return Ok(None);
        };
        let tail = tail::read(&opened, &name)?;
        if !tail.torn.is_empty() {
            repairs.push(self.move_aside(day, &opened, &tail)?);
        }
        Ok(Some(Settled { file: opened.file, bytes: tail.whole_bytes, head: tail.head, last: tail.line }))
    }

    fn move_aside(&self, day: Day, opened: &Opened<S::File>, tail: &Tail) -> Result<Repair, Trouble> {
        let (torn, moved_to) = self.create_torn(day)?;
        write_all(&torn, 0, &tail.torn).map_err(Trouble::io("move a torn end of"))?;
        torn.sync_data().map_err(Trouble::Sync)?;
        self.storage.sync_folder().map_err(Trouble::Sync)?;
        opened.file.set_len(tail.whole_bytes).map_err(Trouble::io("cut a torn end of"))?;
        // No sync: if a crash undoes the cut, the torn end has no line feed and is moved aside once more.
        Ok(Repair { file: day.file_name(), moved_to, bytes: tail.torn.len() as u64 })
    }

    fn create_torn(&self, day: Day) -> Result<(S::File, String), Trouble> {
        for number in 1..=TORN_FILES_MAX {
            let name = format!("torn-{day}-{number}");
            match self.storage.create(&name) {
                Ok(file) => return Ok((file, name)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Trouble::io("move a torn end of")(error)),
            }
        }
        Err(Trouble::TooManyTorn)
    }
}

/// The days that have a file, in order.
fn days_in<S: Storage>(storage: &S) -> Result<Vec<Day>, Trouble> {
    let names = storage.names().map_err(Trouble::io("list"))?;
    Ok(days_of(&names))
}

/// The newest file with a line, for a caller that keeps appends away. What a crash left behind the line is left there.
pub(crate) fn newest<S: Storage>(storage: &S) -> Result<Option<Newest<S::File>>, Trouble> {
    for day in days_in(storage)?.into_iter().rev() {
        if let Some(newest) = newest_of(storage, day)? {
            return Ok(Some(newest));
        }
    }
    Ok(None)
}

/// The same without a look at all names. It may be too old where somebody has changed the hint.
pub(crate) fn newest_by_hint<S: Storage>(storage: &S, lock: &S::File) -> Result<Option<Newest<S::File>>, Trouble> {
    if let Some(day) = read_hint(lock)?
        && let Some(newest) = newest_of(storage, day)?
    {
        return Ok(Some(newest));
    }
    newest(storage)
}

fn newest_of<S: Storage>(storage: &S, day: Day) -> Result<Option<Newest<S::File>>, Trouble> {
    let name = day.file_name();
    let Some(opened) = storage.open(&name).map_err(Trouble::io("open"))? else {
        return Ok(None);
    };
    let Tail { head, line, whole_bytes: bytes, .. } = tail::read(&opened, &name)?;
    Ok(head.map(|head| Newest { file: opened.file, name, bytes, head, line }))
}

/// The days among the names of files, in order.
pub(crate) fn days_of(names: &[String]) -> Vec<Day> {
    let mut days: Vec<Day> = names.iter().filter_map(|name| Day::of_file_name(name)).collect();
    days.sort_unstable();
    days
}

fn seal<F>(lines: &[Line], end: &End<F>, heads: &[(&str, Head)]) -> Result<(String, Head), Trouble> {
    let frozen = frozen_digest();
    let mut text = String::new();
    let mut head = end.head;
    for line in lines {
        let is_first = end.bytes == 0 && text.is_empty();
        let (line, next) = line.seal_with(head, &Opening { frozen: is_first.then_some(&frozen), heads });
        text.push_str(&line);
        text.push('\n');
        head = next;
        if text.len() > BATCH_BYTES_MAX {
            return Err(Trouble::TooMuch);
        }
    }
    Ok((text, head))
}

fn write<F: StoredFile>(end: &End<F>, text: &[u8]) -> Result<(), Trouble> {
    if text.is_empty() {
        return Ok(());
    }
    let written = write_all(&end.file, end.bytes, text)
        .map_err(Trouble::io("write"))
        .and_then(|()| end.file.sync_data().map_err(Trouble::Sync));
    if written.is_err() {
        // Best effort: what stays is either a torn end, which the next append moves aside, or whole lines of a call
        // that was refused. The sync keeps the rest of a longer batch from showing up behind a shorter one.
        let _ = end.file.set_len(end.bytes).and_then(|()| end.file.sync_data());
    }
    written
}

/// The newest day as far as the lock knows; anything unreadable is no hint.
fn read_hint(lock: &impl StoredFile) -> Result<Option<Day>, Trouble> {
    let mut buffer = [0; DAY_TEXT_BYTES];
    let bytes = read_up_to(lock, 0, &mut buffer).map_err(Trouble::io("read the lock of"))?;
    Ok(std::str::from_utf8(bytes).ok().and_then(Day::parse))
}

fn write_hint(lock: &impl StoredFile, day: Day) -> Result<(), Trouble> {
    write_all(lock, 0, day.to_string().as_bytes()).map_err(Trouble::io("write the lock of"))?;
    lock.sync_data().map_err(Trouble::Sync)
}
