//! Handing lines of a stream to somebody who can check them without the store. Must never write a line that does not
//! verify, nor one in front of it unseen: every export walks the chain from its start.

use crate::anchor;
use crate::day::Day;
use crate::disk::Disk;
use crate::document::{self, ANCHORS_MAX, ExportReport};
use crate::folder::StateFolder;
use crate::lines::{self, Snapshot};
use crate::streams::Stream;
use crate::verify::{Break, Walk};
use holdpoint_core::journal::Head;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;

/// Which lines are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Those in the files of these days, both included.
    Days {
        /// Not before this day.
        since: Option<Day>,
        /// Not after this day.
        until: Option<Day>,
    },
    /// Those with these numbers, both included.
    Numbers {
        /// The first one.
        first: u64,
        /// The last one; without it, all that are there.
        last: Option<u64>,
    },
}

impl Range {
    /// The whole stream.
    pub const ALL: Range = Range::Days { since: None, until: None };

    fn takes(self, day: Day, seq: u64) -> bool {
        match self {
            Range::Days { since, until } => {
                since.is_none_or(|since| since <= day) && until.is_none_or(|until| day <= until)
            }
            Range::Numbers { first, last } => first <= seq && last.is_none_or(|last| seq <= last),
        }
    }

    /// Whether no line behind this one is in it.
    fn ends_before(self, day: Day, next_seq: u64) -> bool {
        match self {
            Range::Days { until, .. } => until.is_some_and(|until| until < day),
            Range::Numbers { last, .. } => last.is_some_and(|last| last < next_seq),
        }
    }
}

/// Why nothing was exported, or not all.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The journal cannot be read.
    #[error("cannot read the journal in `{}`: {source}", path.display())]
    Read {
        /// The state folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The document cannot be written. What is there of it does not verify.
    #[error("cannot write the document: {0}")]
    Write(io::Error),
    /// No line is in the range.
    #[error("none of the {} is in the range: their numbers go up to {end}", stream.folder_name())]
    Empty {
        /// The stream.
        stream: Stream,
        /// The number of its last line that was looked at.
        end: u64,
    },
    /// The range ends behind the stream.
    #[error("the {} end with number {end}, and number {last} was asked for", stream.folder_name())]
    PastEnd {
        /// The stream.
        stream: Stream,
        /// The number that was asked for.
        last: u64,
        /// The number of its last line.
        end: u64,
    },
    /// The chain is broken in the range or in front of it.
    #[error(
        "line {} of the {}' `{}` {}: nothing behind it can be proved",
        at.line, stream.folder_name(), at.file, at.what.text()
    )]
    Broken {
        /// The stream.
        stream: Stream,
        /// Where.
        at: Break,
    },
    /// A transition names a decision that is not there.
    #[error("number {seq} of the decisions, which a transition names, is missing or was replaced")]
    LostAnchor {
        /// The number.
        seq: u64,
    },
    /// The lines changed while they were exported. What is written of the document does not verify.
    #[error("the {} changed while they were exported", stream.folder_name())]
    Changed {
        /// The stream.
        stream: Stream,
    },
}

impl ExportError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            ExportError::Read { .. } => "check the disk and the permissions of the state folder",
            ExportError::Write(_) => "check the place that the document is written to, and remove what is there of it",
            ExportError::Empty { .. } | ExportError::PastEnd { .. } => {
                "`holdpoint audit show --json` shows the numbers and days that are there"
            }
            ExportError::Broken { .. } | ExportError::LostAnchor { .. } => {
                "`holdpoint audit verify` shows what is broken; export the lines in front of it by their numbers"
            }
            ExportError::Changed { .. } => "find out who writes to the journal besides holdpoint, then export again",
        }
    }
}

/// Writes the lines of a range as a document that [`document::verify_export`] checks. On an error, what was written is of
/// no use.
pub fn export(
    folder: &StateFolder,
    stream: Stream,
    range: Range,
    out: &mut impl Write,
) -> Result<ExportReport, ExportError> {
    Export { folder, disk: Disk::new(folder, stream), stream, range }.run(out)
}

/// One export.
struct Export<'a> {
    folder: &'a StateFolder,
    disk: Disk,
    stream: Stream,
    range: Range,
}

impl Export<'_> {
    fn run(&self, out: &mut impl Write) -> Result<ExportReport, ExportError> {
        // In this order every anchor of the one snapshot is in the other.
        let transitions = Disk::new(self.folder, Stream::Transitions);
        let anchors = match self.stream {
            Stream::Decisions => lines::settled(&transitions).map_err(self.unreadable())?,
            Stream::Transitions
            | Stream::Uses
            | Stream::Content
            | Stream::Approvals
            | Stream::Holds
            | Stream::Trust => Snapshot::default(),
        };
        let snapshot = lines::settled(&self.disk).map_err(self.unreadable())?;
        let report = self.measure(snapshot.clone(), Anchors::new(Walk::new(&transitions, anchors)))?;
        self.write(snapshot, &report, out)?;
        Ok(report)
    }

    /// Walks to the end of the range and finds where it begins and ends.
    fn measure(&self, snapshot: Snapshot, mut named: Anchors<'_>) -> Result<ExportReport, ExportError> {
        let mut walk = Walk::new(&self.disk, snapshot);
        let mut found: Option<(Head, Head)> = None;
        let mut anchors = VecDeque::new();
        while !self.is_behind(&walk) {
            let before = walk.head();
            if !walk.advance().map_err(self.unreadable())? {
                break;
            }
            let head = walk.head();
            if !walk.day().is_some_and(|day| self.range.takes(day, head.seq)) {
                continue;
            }
            found = Some((found.map_or(before, |(first, _)| first), head));
            let Some(anchor) = named.at(head.seq).map_err(self.unreadable())? else {
                continue;
            };
            if anchor != head {
                return Err(ExportError::LostAnchor { seq: head.seq });
            }
            anchors.push_back(anchor);
            if anchors.len() > ANCHORS_MAX {
                anchors.pop_front();
            }
        }
        let end = walk.head().seq;
        let stream = self.stream;
        if !self.is_behind(&walk)
            && let Some(at) = walk.first_break()
        {
            return Err(ExportError::Broken { stream, at });
        }
        let (before, after) = found.ok_or(ExportError::Empty { stream, end })?;
        if !self.is_behind(&walk)
            && let Some(seq) = named.beyond(end).map_err(self.unreadable())?
        {
            return Err(ExportError::LostAnchor { seq });
        }
        match self.range {
            Range::Numbers { last: Some(last), .. } if end < last => Err(ExportError::PastEnd { stream, last, end }),
            Range::Numbers { .. } | Range::Days { .. } => {
                Ok(ExportReport { stream, before, after, anchors: anchors.into() })
            }
        }
    }

    /// Whether the walk has left the range behind, so that it does not matter what follows.
    fn is_behind(&self, walk: &Walk<'_, Disk>) -> bool {
        walk.day().is_some_and(|day| self.range.ends_before(day, walk.head().seq.saturating_add(1)))
    }

    /// Walks once more and writes. The lines are checked again, so that none can change in between.
    fn write(&self, snapshot: Snapshot, report: &ExportReport, out: &mut impl Write) -> Result<(), ExportError> {
        let mut line = document::header(report).into_bytes();
        line.push(b'\n');
        out.write_all(&line).map_err(ExportError::Write)?;
        let mut walk = Walk::new(&self.disk, snapshot);
        while walk.head().seq < report.after.seq && walk.advance().map_err(self.unreadable())? {
            if walk.head().seq > report.before.seq {
                out.write_all(walk.line()).and_then(|()| out.write_all(b"\n")).map_err(ExportError::Write)?;
            }
        }
        out.flush().map_err(ExportError::Write)?;
        if walk.head() == report.after { Ok(()) } else { Err(ExportError::Changed { stream: self.stream }) }
    }

    fn unreadable(&self) -> impl Fn(io::Error) -> ExportError {
        |source| ExportError::Read { path: self.folder.path().into(), source }
    }
}

/// What the transitions name, in the order of the numbers. Behind a break there is none.
struct Anchors<'s> {
    transitions: Walk<'s, Disk>,
    next: Option<Head>,
}

impl<'s> Anchors<'s> {
    fn new(transitions: Walk<'s, Disk>) -> Anchors<'s> {
        Anchors { transitions, next: None }
    }

    /// What is named at this number. Numbers never go back.
    fn at(&mut self, seq: u64) -> io::Result<Option<Head>> {
        while self.next.is_none_or(|next| next.seq < seq) {
            if !self.transitions.advance()? {
                return Ok(None);
            }
            self.next = anchor::of_line(&serde_json::from_slice(self.transitions.line()).unwrap_or_default());
        }
        Ok(self.next.filter(|next| next.seq == seq))
    }

    /// A number behind the last one there is that is named all the same.
    fn beyond(&mut self, end: u64) -> io::Result<Option<u64>> {
        self.at(end.saturating_add(1))?;
        Ok(self.next.map(|next| next.seq).filter(|seq| *seq > end))
    }
}
