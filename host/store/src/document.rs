//! Exported lines as one document, and its check, which needs nothing but the document.
//!
//! The first line says what follows: the stream, the first and the last number, the hash in front of the first line and
//! the one that the last line leaves. Then come the lines, byte for byte. Nothing between the two hashes can be changed,
//! left out, added or moved without being seen.
//!
//! What the check cannot know: whether the two hashes are those of the journal. Somebody who makes up every line can make
//! up the hashes too. Compare the last one with what `holdpoint audit verify` printed or a transition anchored.

use crate::streams::Stream;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::{self, Head, LINE_BYTES_MAX};
use serde_json::Value;
use std::io::{self, BufRead, Read};

/// Most bytes of the first line.
pub const HEADER_BYTES_MAX: usize = 256 << 10;
/// Most anchors in the first line. The newest are kept: each binds all lines in front of it.
pub const ANCHORS_MAX: usize = 1_000;

const DOMAIN: &str = "holdpoint export 1";

/// What an intact document holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// The stream that the lines are from.
    pub stream: Stream,
    /// What the line in front of the first one left behind.
    pub before: Head,
    /// What the last line leaves behind.
    pub after: Head,
    /// Heads of the decisions among the lines that transitions name. None for transitions.
    pub anchors: Vec<Head>,
}

/// Why a document proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// It cannot be read.
    #[error("cannot read the document: {0}")]
    Io(#[from] io::Error),
    /// A line is not what it was when it was exported.
    #[error("line {line} of the document {what}")]
    Line {
        /// Its number in the document, from 1.
        line: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Lines are missing at the end.
    #[error("the document ends behind number {found}, and its first line promises numbers up to {promised}")]
    Short {
        /// The number of the last line that is there.
        found: u64,
        /// The number of the last line that should be.
        promised: u64,
    },
}

impl DocumentError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            DocumentError::Io(_) => "check the path and the permissions of the document",
            DocumentError::Line { .. } | DocumentError::Short { .. } => {
                "ask for the document again, and for it to be sent as a file that no program rewrites"
            }
        }
    }
}

/// Checks a document from its first line to its last, in constant memory.
pub fn verify_export(document: impl BufRead) -> Result<ExportReport, DocumentError> {
    let mut document = Document { reader: document, line: Vec::new(), number: 0 };
    let report = document.header()?;
    let mut anchors = report.anchors.iter().peekable();
    let mut head = report.before;
    while document.advance(LINE_BYTES_MAX)? {
        if head.seq >= report.after.seq {
            return Err(document.wrong("stands behind the last line that the first one promises"));
        }
        let line = std::str::from_utf8(&document.line).map_err(|_| journal::Broken::Shape);
        let next = line.and_then(|line| journal::follow(head, line));
        head = next.map_err(|broken| document.wrong(broken.text()))?;
        match Stream::of_line(&document.line) {
            Some(stream) if stream == report.stream => {}
            Some(_) => return Err(document.wrong("is from another stream than the first one says")),
            None => return Err(document.wrong("is from no stream that this version knows")),
        }
        if anchors.next_if(|anchor| anchor.seq == head.seq).is_some_and(|anchor| *anchor != head) {
            return Err(document.wrong("is not the one that a transition names"));
        }
    }
    if head.seq < report.after.seq {
        return Err(DocumentError::Short { found: head.seq, promised: report.after.seq });
    }
    if head != report.after {
        return Err(document.wrong("does not leave the hash that the first line promises"));
    }
    Ok(report)
}

fn are_in_order(report: &ExportReport) -> bool {
    let ends = report.anchors.first().is_none_or(|first| report.before.seq < first.seq)
        && report.anchors.last().is_none_or(|last| last.seq <= report.after.seq);
    ends && report.anchors.is_sorted_by(|earlier, later| earlier.seq < later.seq)
}

/// A document that is read line by line.
struct Document<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Document<R> {
    /// Goes on to the next line; `false` at the end.
    fn advance(&mut self, bytes_max: usize) -> Result<bool, DocumentError> {
        self.line.clear();
        self.number += 1;
        let with_line_feed = bytes_max as u64 + 1;
        Read::by_ref(&mut self.reader).take(with_line_feed).read_until(b'\n', &mut self.line)?;
        if self.line.pop_if(|last| *last == b'\n').is_some() {
            Ok(true)
        } else if self.line.is_empty() {
            self.number -= 1;
            Ok(false)
        } else if self.line.len() > bytes_max {
            Err(self.wrong("is too long"))
        } else {
            Err(self.wrong("is cut off"))
        }
    }

    fn header(&mut self) -> Result<ExportReport, DocumentError> {
        let found = self.advance(HEADER_BYTES_MAX)?;
        let report = read_header(&self.line).filter(|_| found);
        let report = report.ok_or(DocumentError::Line { line: 1, what: "is not the first line of an export" })?;
        // Written again, so that there is one spelling only and its hash is checked.
        if header(&report).as_bytes() != self.line {
            return Err(self.wrong("does not match its own hash"));
        }
        // Otherwise one could be passed over below.
        if !are_in_order(&report) {
            return Err(self.wrong("names anchors that are not among its lines, in their order"));
        }
        Ok(report)
    }

    fn wrong(&self, what: &'static str) -> DocumentError {
        DocumentError::Line { line: self.number, what }
    }
}

/// The first line of a document, without its line feed.
pub(crate) fn header(report: &ExportReport) -> String {
    let ExportReport { stream, before, after, anchors } = report;
    let anchor = |anchor: &Head| format!("{{\"seq\":{},\"hash\":\"{}\"}}", anchor.seq, anchor.hash);
    let anchors: Vec<String> = anchors.iter().map(anchor).collect();
    let body = format!(
        "{{\"holdpoint_export\":1,\"stream\":\"{}\",\"first\":{},\"last\":{},\"before\":\"{}\",\"after\":\"{}\",\
         \"anchors\":[{}]",
        stream.folder_name(),
        before.seq.saturating_add(1),
        after.seq,
        before.hash,
        after.hash,
        anchors.join(",")
    );
    let hash = Digest::of_parts(DOMAIN, &[body.as_bytes()]);
    format!("{body},\"hash\":\"{hash}\"}}")
}

fn read_header(line: &[u8]) -> Option<ExportReport> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let number = |name: &str| value.get(name)?.as_u64();
    let hash = |value: &Value, name: &str| Digest::from_hex(value.get(name)?.as_str()?);
    let stream = value.get("stream")?.as_str()?;
    let anchor = |anchor: &Value| Some(Head { seq: anchor.get("seq")?.as_u64()?, hash: hash(anchor, "hash")? });
    let anchors: Option<Vec<Head>> = value.get("anchors")?.as_array()?.iter().map(anchor).collect();
    Some(ExportReport {
        stream: Stream::ALL.into_iter().find(|known| known.folder_name() == stream)?,
        before: Head { seq: number("first")?.checked_sub(1)?, hash: hash(&value, "before")? },
        after: Head { seq: number("last")?, hash: hash(&value, "after")? },
        anchors: anchors?,
    })
}
