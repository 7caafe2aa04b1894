//! Checking the streams from the first line to the last, that every anchor is in the decisions, and that every head which
//! a decision names is in its stream.
//!
//! Must never repair or write anything, and never stop at the first stream that is broken.

use crate::anchor;
use crate::chain::Trouble;
use crate::day::Day;
use crate::disk::Disk;
use crate::error::StoreError;
use crate::folder::StateFolder;
use crate::heads::{NAMED, named};
use crate::lines::{self, Found, Lines, Snapshot};
use crate::storage::{Opened, Storage};
use crate::streams::Stream;
use crate::tail;
use holdpoint_core::journal::{self, Broken, Head};
use std::io;

/// What a check of the streams found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The stream of decisions.
    pub decisions: StreamReport,
    /// The stream of transitions.
    pub transitions: StreamReport,
    /// The stream of uses.
    pub uses: StreamReport,
    /// The stream of content that gave orders, which nothing anchors either.
    pub content: StreamReport,
    /// The stream of questions and answers.
    pub approvals: StreamReport,
    /// The stream of freezes.
    pub holds: StreamReport,
    /// The stream of trust.
    pub trust: StreamReport,
    /// Anchors that were found in the decisions.
    pub anchors: u64,
    /// The first one that was not.
    pub first_lost_anchor: Option<LostAnchor>,
    /// The first head of another stream that a decision names and that is not there.
    pub first_lost_head: Option<LostHead>,
}

/// What a check of one stream found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// Daily files.
    pub files: u64,
    /// Lines that verify.
    pub lines: u64,
    /// What the last of them leaves behind.
    pub head: Head,
    /// What a crash left behind the last line: never acknowledged, moved aside by the next append.
    pub torn_tail: Option<TornTail>,
    /// The names of files to which such bytes were moved.
    pub torn_files: Vec<String>,
    /// The first line that does not verify.
    pub first_break: Option<Break>,
}

/// Bytes behind the last line feed of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornTail {
    /// The daily file.
    pub file: String,
    /// How many.
    pub bytes: u64,
}

/// A line that does not verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The daily file.
    pub file: String,
    /// The number of the line in it, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: What,
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It is not the next line of the chain.
    Broken(Broken),
    /// It has more bytes than a line may have.
    TooLong,
    /// The file ends in the middle of it, although later files exist.
    Torn,
    /// It is a transition without an anchor.
    NoAnchor,
}

impl What {
    /// In words that follow the place of the line.
    pub fn text(self) -> &'static str {
        match self {
            What::Broken(broken) => broken.text(),
            What::TooLong => "is too long",
            What::Torn => "is cut off, although later files exist",
            What::NoAnchor => "does not name the head of the decisions",
        }
    }
}

/// A transition that names a decision which is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostAnchor {
    /// The daily file of the transition.
    pub file: String,
    /// The number of the line in it, from 1.
    pub line: u64,
    /// What it names.
    pub anchor: Head,
}

/// A decision that names a line of another stream which is not there: that stream was cut off or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostHead {
    /// The daily file of the decision.
    pub file: String,
    /// The number of the line in it, from 1.
    pub line: u64,
    /// The other stream.
    pub stream: Stream,
    /// What it names.
    pub head: Head,
}

impl Verification {
    /// Whether nothing is broken or missing. A torn tail is neither.
    pub fn is_intact(&self) -> bool {
        self.decisions.first_break.is_none()
            && self.transitions.first_break.is_none()
            && self.uses.first_break.is_none()
            && self.content.first_break.is_none()
            && self.approvals.first_break.is_none()
            && self.holds.first_break.is_none()
            && self.trust.first_break.is_none()
            && self.first_lost_anchor.is_none()
            && self.first_lost_head.is_none()
    }
}

/// Checks the streams of a state folder.
pub fn verify(folder: &StateFolder) -> Result<Verification, StoreError> {
    verify_storages(|stream| Disk::new(folder, stream)).map_err(|source| StoreError::Io {
        doing: "read the journal in",
        path: folder.path().into(),
        source,
    })
}

/// Checks the streams in these storages.
pub fn verify_storages<S: Storage>(storage: impl Fn(Stream) -> S) -> io::Result<Verification> {
    let decisions = storage(Stream::Decisions);
    let transitions = storage(Stream::Transitions);
    let first_lost_head = first_lost_head(&decisions, &storage)?;
    // In this order every anchor of the one snapshot is in the other.
    let mut transitions = Walk::new(&transitions, lines::snapshot(&transitions)?);
    let mut decisions = Walk::new(&decisions, lines::snapshot(&decisions)?);
    let mut anchors = 0;
    let mut first_lost_anchor = None;
    while transitions.advance()? {
        let Some(anchor) = transitions.anchor() else {
            transitions.break_here(What::NoAnchor);
            break;
        };
        while decisions.head.seq < anchor.seq && decisions.advance()? {}
        if decisions.head == anchor {
            anchors += 1;
        } else if first_lost_anchor.is_none() {
            let (file, line) = transitions.place();
            first_lost_anchor = Some(LostAnchor { file, line, anchor });
        }
    }
    while decisions.advance()? {}
    Ok(Verification {
        decisions: decisions.report(),
        transitions: transitions.report(),
        uses: report_of(&storage(Stream::Uses))?,
        content: report_of(&storage(Stream::Content))?,
        approvals: report_of(&storage(Stream::Approvals))?,
        holds: report_of(&storage(Stream::Holds))?,
        trust: report_of(&storage(Stream::Trust))?,
        anchors,
        first_lost_anchor,
        first_lost_head,
    })
}

fn report_of<S: Storage>(storage: &S) -> io::Result<StreamReport> {
    let mut walk = Walk::new(storage, lines::snapshot(storage)?);
    while walk.advance()? {}
    Ok(walk.report())
}

/// The first head that a decision names and that is not in its stream. Behind a break in that stream nothing is there.
fn first_lost_head<S: Storage>(decisions: &S, storage: impl Fn(Stream) -> S) -> io::Result<Option<LostHead>> {
    // In this order every head that a decision of the snapshot names is in the streams.
    let mut decisions = Walk::new(decisions, lines::snapshot(decisions)?);
    let storages = NAMED.map(storage);
    let mut walks = Vec::new();
    for storage in &storages {
        walks.push(Walk::new(storage, lines::snapshot(storage)?));
    }
    while decisions.advance()? {
        for (stream, walk) in NAMED.into_iter().zip(&mut walks) {
            let head = named(decisions.line(), stream);
            while walk.head().seq < head.seq && walk.advance()? {}
            // A line from before there were heads names none.
            if head != Head::START && walk.head() != head {
                let (file, line) = decisions.place();
                return Ok(Some(LostHead { file, line, stream, head }));
            }
        }
    }
    Ok(None)
}

/// A walk along a chain, from its start to its end or its first break.
pub(crate) struct Walk<'s, S: Storage> {
    storage: &'s S,
    snapshot: Snapshot,
    /// Files that were begun.
    begun: usize,
    lines: Option<Lines<S::File>>,
    line_number: u64,
    line_count: u64,
    /// What the next line has to follow.
    head: Head,
    torn_tail: Option<TornTail>,
    first_break: Option<Break>,
}

impl<'s, S: Storage> Walk<'s, S> {
    pub(crate) fn new(storage: &'s S, snapshot: Snapshot) -> Walk<'s, S> {
        Walk {
            storage,
            snapshot,
            begun: 0,
            lines: None,
            line_number: 0,
            line_count: 0,
            head: Head::START,
            torn_tail: None,
            first_break: None,
        }
    }

    /// A walk from the file of a day on. Of what lies before only the last line is read, which the first one has to follow,
    /// so that no file can be missing in between.
    pub(crate) fn since(storage: &'s S, mut snapshot: Snapshot, since: Day) -> io::Result<Walk<'s, S>> {
        let earlier: Vec<(Day, u64)> = snapshot.files.iter().copied().filter(|(day, _)| *day < since).collect();
        snapshot.files.retain(|(day, _)| *day >= since);
        let mut walk = Walk::new(storage, snapshot);
        for (day, bytes) in earlier.into_iter().rev() {
            let name = day.file_name();
            let Some(opened) = storage.open(&name)? else { continue };
            let tail = tail::read(&Opened { file: opened.file, bytes }, &name).map_err(|trouble| match trouble {
                Trouble::Io { source, .. } => source,
                damaged => io::Error::other(damaged.to_string()),
            })?;
            if let Some(head) = tail.head {
                walk.head = head;
                break;
            }
        }
        Ok(walk)
    }

    /// Goes on to the next line that verifies; `false` at the end and at a break.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        while self.first_break.is_none() {
            let Some(lines) = &mut self.lines else {
                if !self.begin_next_file()? {
                    return Ok(false);
                }
                continue;
            };
            let found = lines.advance()?;
            self.line_number += 1;
            match found {
                Found::Line => {
                    let line = std::str::from_utf8(lines.line()).map_err(|_| Broken::Shape);
                    match line.and_then(|line| journal::follow(self.head, line)) {
                        Ok(head) => {
                            self.head = head;
                            self.line_count += 1;
                            return Ok(true);
                        }
                        Err(broken) => self.break_here(What::Broken(broken)),
                    }
                }
                Found::TooLong => self.break_here(What::TooLong),
                Found::Torn(bytes) if self.begun == self.snapshot.files.len() => {
                    let (file, _) = self.place();
                    self.torn_tail = Some(TornTail { file, bytes });
                    self.lines = None;
                }
                Found::Torn(_) => self.break_here(What::Torn),
                Found::End => self.lines = None,
            }
        }
        Ok(false)
    }

    fn begin_next_file(&mut self) -> io::Result<bool> {
        let Some((day, bytes)) = self.snapshot.files.get(self.begun) else {
            return Ok(false);
        };
        let opened = self.storage.open(&day.file_name())?;
        let opened = opened.ok_or_else(|| io::Error::other(format!("the file of {day} disappeared")))?;
        self.lines = Some(Lines::new(opened.file, *bytes));
        self.begun += 1;
        self.line_number = 0;
        Ok(true)
    }

    /// What the current line leaves behind.
    pub(crate) fn head(&self) -> Head {
        self.head
    }

    /// The current line, without its line feed.
    pub(crate) fn line(&self) -> &[u8] {
        self.lines.as_ref().map_or(&[], Lines::line)
    }

    /// The day of the file that was begun last.
    pub(crate) fn day(&self) -> Option<Day> {
        let index = self.begun.checked_sub(1)?;
        self.snapshot.files.get(index).map(|(day, _)| *day)
    }

    /// The first line that does not verify.
    pub(crate) fn first_break(&self) -> Option<Break> {
        self.first_break.clone()
    }

    /// The file and the number of the current line.
    fn place(&self) -> (String, u64) {
        (self.day().map_or_else(String::new, Day::file_name), self.line_number)
    }

    /// That the current line, which verifies, is none that can be taken.
    pub(crate) fn unreadable(&self, what: &str) -> Trouble {
        let (file, line) = self.place();
        Trouble::damaged(&file, &format!("line {line} {what}"))
    }

    fn break_here(&mut self, what: What) {
        let (file, line) = self.place();
        self.first_break = Some(Break { file, line, what });
    }

    fn anchor(&self) -> Option<Head> {
        anchor::of_line(&serde_json::from_slice(self.line()).ok()?)
    }

    fn report(self) -> StreamReport {
        StreamReport {
            files: self.snapshot.files.len() as u64,
            lines: self.line_count,
            head: self.head,
            torn_tail: self.torn_tail,
            torn_files: self.snapshot.torn_files,
            first_break: self.first_break,
        }
    }
}
