//! The end of a daily file, found by reading backwards: its cost does not depend on the size of the file.
//!
//! Must never take bytes after the last line feed for a line: nobody was told that they are written.

use crate::chain::Trouble;
use crate::storage::{Opened, StoredFile, read_up_to};
use holdpoint_core::journal::{self, Head, LINE_BYTES_MAX};

/// Bytes that are read first. Most lines are shorter.
const TAIL_BYTES_FIRST: u64 = 8 << 10;
/// Most bytes that are read: a torn line after a whole one, and the line feed before it.
const TAIL_BYTES_MAX: u64 = 2 * (LINE_BYTES_MAX as u64 + 1) + 1;
/// How much more is read at each further try.
const TAIL_GROWTH: u64 = 8;

/// The end of a file.
#[derive(Debug)]
pub(crate) struct Tail {
    /// What the last whole line leaves behind; `None` if there is no whole line.
    pub(crate) head: Option<Head>,
    /// That line, without its line feed.
    pub(crate) line: Vec<u8>,
    /// Bytes up to and with the last line feed.
    pub(crate) whole_bytes: u64,
    /// What comes after it.
    pub(crate) torn: Vec<u8>,
}

/// Reads the end of a file.
pub(crate) fn read<F: StoredFile>(opened: &Opened<F>, name: &str) -> Result<Tail, Trouble> {
    let mut window = TAIL_BYTES_FIRST;
    loop {
        let window_bytes = window.min(opened.bytes);
        let start = opened.bytes - window_bytes;
        let mut buffer = vec![0; usize::try_from(window_bytes).unwrap_or(usize::MAX)];
        let bytes = read_up_to(&opened.file, start, &mut buffer).map_err(Trouble::io("read"))?;
        if bytes.len() as u64 != window_bytes {
            return Err(Trouble::damaged(name, "became shorter while it was read"));
        }
        let extent = if start == 0 { Extent::FromStart } else { Extent::End };
        if let Some((line, torn)) = split(bytes, extent) {
            let head = match line {
                Some(line) => Some(head_of(line, name)?),
                None => None,
            };
            let torn = torn.to_vec();
            let whole_bytes = opened.bytes - torn.len() as u64;
            let line = line.unwrap_or_default().to_vec();
            return Ok(Tail { head, line, whole_bytes, torn });
        }
        if extent == Extent::FromStart || window >= TAIL_BYTES_MAX {
            return Err(Trouble::damaged(name, "ends in a line that is too long"));
        }
        window = (window * TAIL_GROWTH).min(TAIL_BYTES_MAX);
    }
}

/// How much of a file has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    FromStart,
    /// Its end only.
    End,
}

/// The last whole line, if there is one, and what follows its line feed. `None` if more has to be read to tell.
fn split(bytes: &[u8], extent: Extent) -> Option<(Option<&[u8]>, &[u8])> {
    let is_line_feed = |byte: &u8| *byte == b'\n';
    let Some(line_end) = bytes.iter().rposition(is_line_feed) else {
        let short = bytes.len() <= LINE_BYTES_MAX;
        return (extent == Extent::FromStart && short).then_some((None, bytes));
    };
    let (before, rest) = bytes.split_at_checked(line_end)?;
    let (_, torn) = rest.split_first()?;
    let line = match before.iter().rposition(is_line_feed) {
        Some(line_feed) => before.get(line_feed + 1..),
        None => (extent == Extent::FromStart).then_some(before),
    };
    let short = |line: &[u8]| line.len() <= LINE_BYTES_MAX && torn.len() <= LINE_BYTES_MAX;
    line.filter(|line| short(line)).map(|line| (Some(line), torn))
}

fn head_of(line: &[u8], name: &str) -> Result<Head, Trouble> {
    let head = std::str::from_utf8(line).map_err(|_| journal::Broken::Shape).and_then(journal::head_of);
    head.map_err(|broken| Trouble::Damaged {
        file: name.into(),
        what: format!("the journal's last line is damaged: it {}", broken.text()),
    })
}
