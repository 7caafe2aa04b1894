//! Following a stream: the lines that are appended from now on, each once, over the change of the day's file.
//!
//! Must never hand over a line that its append may still take back, nor wait: who follows decides when to look again.

use crate::chain::days_of;
use crate::day::Day;
use crate::disk::Disk;
use crate::filter::Filter;
use crate::folder::StateFolder;
use crate::lines::{self, Found, Lines};
use crate::read::{Answer, Entry, answer_snapshot, entry_of};
use crate::storage::Storage;
use crate::streams::Stream;
use std::io;

/// Bytes after which a look stops at the end of a line. The stream is locked while they are read.
pub const FOLLOW_BYTES_MAX: u64 = 1 << 20;

/// A place in a stream behind which lines are new.
#[derive(Debug)]
pub struct Follow<S = Disk> {
    storage: S,
    filter: Filter,
    /// `None` in front of the first file.
    place: Option<Place>,
}

/// The end of what was handed over.
#[derive(Clone, Copy, Debug)]
struct Place {
    day: Day,
    bytes: u64,
    lines: u64,
}

/// What one look found.
struct Look {
    entries: Vec<Entry>,
    reached: Reached,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    End,
    Bound,
}

impl Follow<Disk> {
    /// The newest lines that the filter takes, and a follower for those that come after them. `Filter::last(0)` starts at
    /// the end. The filter's days limit only the lines to start with.
    pub fn of(folder: &StateFolder, stream: Stream, filter: Filter) -> io::Result<(Answer, Follow)> {
        Follow::over(Disk::new(folder, stream), filter)
    }
}

impl<S: Storage> Follow<S> {
    /// As [`Follow::of`], in any storage.
    pub fn over(storage: S, filter: Filter) -> io::Result<(Answer, Follow<S>)> {
        let snapshot = lines::settled(&storage)?;
        let place = match snapshot.files.last() {
            Some((day, bytes)) => Some(end_of(&storage, *day, *bytes)?),
            None => None,
        };
        let answer = answer_snapshot(&storage, snapshot, &filter)?;
        Ok((answer, Follow { storage, filter, place }))
    }

    /// The lines that were appended since the last time this was asked, the newest last. None means that there are none
    /// yet; otherwise there may be more at once. A line that is still being written is left for the next time.
    pub fn poll(&mut self) -> io::Result<Vec<Entry>> {
        loop {
            let look = self.look()?;
            if !look.entries.is_empty() || look.reached == Reached::End {
                return Ok(look.entries);
            }
        }
    }

    /// Reads at most [`FOLLOW_BYTES_MAX`] and the rest of a line. Under the lock no append is half done, so
    /// a line that is whole stays.
    fn look(&mut self) -> io::Result<Look> {
        let _lock = self.storage.lock_to_read()?;
        let days = days_of(&self.storage.names()?);
        if let Some(place) = self.place.filter(|place| !days.contains(&place.day)) {
            return Err(damaged(format!("`{}` disappeared while it was followed", place.day.file_name())));
        }
        let mut entries = Vec::new();
        let mut bytes_left = FOLLOW_BYTES_MAX;
        for day in days {
            let start = match self.place {
                Some(place) if day < place.day => continue,
                Some(place) if day == place.day => place,
                Some(_) | None => Place { day, bytes: 0, lines: 0 },
            };
            let taken = match self.take_file(start, bytes_left, &mut entries) {
                // The next look meets the same error. Until then no line is lost.
                Err(_) if !entries.is_empty() => return Ok(Look { entries, reached: Reached::Bound }),
                taken => taken?,
            };
            bytes_left = bytes_left.saturating_sub(taken);
            if bytes_left == 0 {
                return Ok(Look { entries, reached: Reached::Bound });
            }
        }
        Ok(Look { entries, reached: Reached::End })
    }

    /// Takes the lines of one file behind a place, and returns how many bytes they have.
    fn take_file(&mut self, start: Place, bytes_max: u64, entries: &mut Vec<Entry>) -> io::Result<u64> {
        let name = start.day.file_name();
        let opened = self.storage.open(&name)?;
        let opened = opened.ok_or_else(|| damaged(format!("`{name}` disappeared while it was followed")))?;
        if opened.bytes < start.bytes {
            return Err(damaged(format!("`{name}` became shorter while it was followed")));
        }
        let mut lines = Lines::starting_at(start.bytes, opened.file, opened.bytes);
        let mut place = start;
        self.place = Some(place);
        while place.bytes - start.bytes < bytes_max {
            match lines.advance()? {
                Found::Line => {}
                Found::TooLong => return Err(too_long(&name, place.lines + 1)),
                Found::Torn(_) | Found::End => break,
            }
            place = Place { bytes: lines.whole_bytes(), lines: place.lines + 1, ..place };
            self.place = Some(place);
            entries.extend(entry_of(lines.line(), &name, place.lines, &self.filter));
        }
        Ok(place.bytes - start.bytes)
    }
}

/// The place behind the whole lines of a file. They are counted, so that the next ones get their numbers.
fn end_of<S: Storage>(storage: &S, day: Day, bytes: u64) -> io::Result<Place> {
    let name = day.file_name();
    let opened = storage.open(&name)?;
    let opened = opened.ok_or_else(|| damaged(format!("`{name}` disappeared while it was read")))?;
    let mut lines = Lines::new(opened.file, bytes);
    let mut count = 0;
    loop {
        match lines.advance()? {
            Found::Line => count += 1,
            Found::TooLong => return Err(too_long(&name, count + 1)),
            Found::Torn(_) | Found::End => return Ok(Place { day, bytes: lines.whole_bytes(), lines: count }),
        }
    }
}

fn too_long(name: &str, line: u64) -> io::Error {
    damaged(format!("line {line} of `{name}` is too long; see `holdpoint audit verify`"))
}

fn damaged(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
