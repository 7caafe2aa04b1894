//! Heads of other streams in the decisions: each decision names where the transitions, the uses, the content
//! that gave orders, the questions, the freezes and the trust end, so that none of them can be cut off or deleted unseen.
//!
//! A head that was named and is not there any more is named again by every later decision, so that no call can cover up
//! what was lost, and a file that is put back heals it. Must never name a head that is not on disk, and never wait for
//! another stream under the lock of the decisions: who writes a transition waits for the decisions under its own.
//!
//! What this cannot see: somebody who may write all the files and takes back the decisions and all other streams to the
//! same instant. Nor a program from before there were heads that decides last: its line names none.

use crate::chain::{Newest, Trouble, newest, newest_by_hint};
use crate::day::Day;
use crate::lines::{Found, Lines, Snapshot};
use crate::storage::{Opened, Storage, StoredFile, read_up_to};
use crate::streams::Stream;
use crate::verify::Walk;
use holdpoint_core::journal::{self, Head};
use serde_json::Value;
use std::io;

/// The streams whose heads every decision names.
pub(crate) const NAMED: [Stream; 6] =
    [Stream::Transitions, Stream::Uses, Stream::Content, Stream::Approvals, Stream::Holds, Stream::Trust];
/// A stream whose head does not fit could be cut off unseen.
const _: () = assert!(NAMED.len() <= journal::HEADS_MAX);
/// Bytes at the end of a file in which a head is looked for first.
const NEAR_BYTES: u64 = 8 << 10;

/// What the newest decision says about another stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    stream: Stream,
    /// The head, which is the start where no decision names one.
    pub(crate) head: Head,
    /// The daily file of the decision.
    file: String,
    /// A time that has passed, by what the decisions say, in milliseconds since the Unix epoch.
    pub(crate) passed_ms: u64,
}

impl Named {
    /// What the newest decision names. Has to be asked before the other stream is read: that one only grows.
    pub(crate) fn by<S: Storage>(decisions: &S, stream: Stream) -> Result<Named, Trouble> {
        let _lock = decisions.lock_to_read().map_err(Trouble::io("lock"))?;
        Ok(match newest(decisions)? {
            Some(newest) => {
                let passed_ms = passed_ms(&newest.line, &newest.name);
                Named { stream, head: named(&newest.line, stream), file: newest.name, passed_ms }
            }
            None => Named { stream, head: Head::START, file: String::new(), passed_ms: 0 },
        })
    }

    /// That it is not there, in words.
    pub(crate) fn lost(&self) -> String {
        let Named { stream, head, file, passed_ms: _ } = self;
        let name = stream.folder_name();
        format!(
            "the last line of the decisions' `{file}` names number {} of the {name}, which is not there: the {name} were \
             cut off or replaced",
            head.seq
        )
    }
}

/// Hands over every line of a stream from a day on. It fails where a line does not verify, where `take` cannot take one, and
/// where the head is not there that a decision names: then nobody can tell what the stream said.
pub(crate) fn read_since<S: Storage>(
    storage: &S,
    named: &Named,
    snapshot: Snapshot,
    since: Day,
    mut take: impl FnMut(&Walk<'_, S>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut walk = Walk::since(storage, snapshot, since).map_err(Trouble::io("read"))?;
    let start = walk.head();
    let mut is_there = start == named.head;
    while walk.advance().map_err(Trouble::io("read"))? {
        take(&walk)?;
        is_there |= walk.head() == named.head;
    }
    if let Some(found) = walk.first_break() {
        return Err(Trouble::damaged(&found.file, &format!("line {} {}", found.line, found.what.text())));
    }
    // It can lie in front of what was read, if nothing was written for long.
    let is_earlier = named.head.seq < start.seq;
    if is_there || (is_earlier && holds_anywhere(storage, named.head).map_err(Trouble::io("read"))?) {
        Ok(())
    } else {
        Err(Trouble::damaged(named.stream.folder_name(), &named.lost()))
    }
}

/// A time that has passed. A clock that was set back writes on in the newest file, so the start of its day counts as well.
fn passed_ms(line: &[u8], file: &str) -> u64 {
    let said = serde_json::from_slice(line).ok().and_then(|line| at_ms(&line)).unwrap_or(0);
    said.max(Day::of_file_name(file).map_or(0, Day::start_ms))
}

/// The time that a line says it was written at, to the nearest millisecond.
pub(crate) fn at_ms(line: &Value) -> Option<u64> {
    Some((line.get("ts")?.as_f64()? * 1_000.0).round() as u64)
}

/// The head of a stream that a decision names.
pub(crate) fn named(line: &[u8], stream: Stream) -> Head {
    let line = std::str::from_utf8(line).ok();
    line.and_then(|line| journal::named_head(line, stream.folder_name())).unwrap_or(Head::START)
}

/// The end of a stream, as it was while nobody appended to it.
pub(crate) struct Looked<'s, S: Storage> {
    stream: Stream,
    storage: &'s S,
    /// `None` if there is no line, or it cannot be read. Neither tells anything new.
    newest: Option<Newest<S::File>>,
}

impl<'s, S: Storage> Looked<'s, S> {
    /// Looks at the end of a stream. The caller does not hold the lock of the decisions.
    pub(crate) fn at(stream: Stream, storage: &'s S) -> Looked<'s, S> {
        let look = || {
            let lock = storage.lock_to_read().map_err(Trouble::io("lock"))?;
            lock.map_or(Ok(None), |lock| newest_by_hint(storage, &lock))
        };
        Looked { stream, storage, newest: look().unwrap_or(None) }
    }

    /// What a decision names that follows `last`. Nothing is waited for: what was named before never changes.
    pub(crate) fn after(&self, last: &[u8]) -> Result<(&'static str, Head), Trouble> {
        let before = named(last, self.stream);
        let newer = self.newest.as_ref().filter(|newest| newest.head.seq > before.seq);
        let head = match newer {
            // Where it cannot be told, nothing new is named.
            Some(newest) if holds(self.storage, newest, before).unwrap_or(false) => {
                // Whoever wrote it may have been killed in front of the sync.
                newest.file.sync_data().map_err(Trouble::Sync)?;
                newest.head
            }
            Some(_) | None => before,
        };
        Ok((self.stream.folder_name(), head))
    }
}

fn holds<S: Storage>(storage: &S, newest: &Newest<S::File>, wanted: Head) -> Result<bool, Trouble> {
    if wanted == Head::START {
        return Ok(true);
    }
    match holds_near_end(newest, wanted).map_err(Trouble::io("read"))? {
        Some(found) => Ok(found),
        None => holds_anywhere(storage, wanted).map_err(Trouble::io("read")),
    }
}

/// Whether one of the last lines is the wanted one; `None` if it would be further in front.
pub(crate) fn holds_near_end<F: StoredFile>(newest: &Newest<F>, wanted: Head) -> io::Result<Option<bool>> {
    let bytes = newest.bytes.min(NEAR_BYTES);
    let mut buffer = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
    let end = read_up_to(&newest.file, newest.bytes - bytes, &mut buffer)?;
    // The last part is empty, and the first one is the end of a line or one that can be read all the same.
    let lines = end.split(|byte| *byte == b'\n').rev().skip(1);
    let found = lines.map_while(head_of).find(|head| head.seq <= wanted.seq);
    Ok(found.map(|head| head == wanted))
}

/// Whether a stream has a line that leaves this head. Files are looked at from the newest one on, and only the first line
/// of those that begin behind it.
pub(crate) fn holds_anywhere<S: Storage>(storage: &S, wanted: Head) -> io::Result<bool> {
    if wanted == Head::START {
        return Ok(true);
    }
    for day in crate::chain::days_of(&storage.names()?).into_iter().rev() {
        let Some(opened) = storage.open(&day.file_name())? else { continue };
        if let Some(found) = holds_in(opened, wanted)? {
            return Ok(found);
        }
    }
    Ok(false)
}

/// `None` if the file begins behind the wanted line, or has none.
fn holds_in<F: StoredFile>(opened: Opened<F>, wanted: Head) -> io::Result<Option<bool>> {
    let mut lines = Lines::new(opened.file, opened.bytes);
    let mut behind = None;
    while lines.advance()? == Found::Line {
        match head_of(lines.line()) {
            Some(head) if head.seq < wanted.seq => behind = Some(false),
            Some(head) if head.seq == wanted.seq => return Ok(Some(head == wanted)),
            Some(_) => return Ok(behind),
            None => return Ok(Some(false)),
        }
    }
    Ok(behind)
}

fn head_of(line: &[u8]) -> Option<Head> {
    std::str::from_utf8(line).ok().and_then(|line| journal::head_of(line).ok())
}
