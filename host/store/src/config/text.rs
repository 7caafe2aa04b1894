//! The text of one file: from a span of bytes to line, column and an excerpt.

use crate::config::problem::Problem;
use std::ops::Range;

/// Most characters of a line that are shown.
const SHOWN_CHARACTERS_MAX: usize = 120;
/// Characters that are shown before what is meant, where a line is cut.
const SHOWN_BEFORE: usize = 40;
/// Most characters of a word of the file that a sentence repeats.
const WORD_CHARACTERS_MAX: usize = 80;

/// The text of one file.
pub(crate) struct Text {
    pub(crate) file: String,
    pub(crate) body: String,
}

impl Text {
    /// Where a span starts, as `FILE:LINE`.
    pub(crate) fn source(&self, at: &Range<usize>) -> String {
        format!("{}:{}", self.file, self.place(at.start).0)
    }

    /// Something that is wrong in a span.
    pub(crate) fn problem(&self, at: &Range<usize>, what: String, help: String) -> Problem {
        let (line, column) = self.place(at.start);
        let excerpt = self.excerpt(at, line, column);
        Problem { file: self.file.clone(), line, column, excerpt, what, help }
    }

    /// Line and column, both from 1.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = self.body.get(..at).unwrap_or(&self.body);
        let line = before.matches('\n').count().saturating_add(1);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count().saturating_add(1);
        (line, column)
    }

    fn excerpt(&self, at: &Range<usize>, line: usize, column: usize) -> String {
        let Some(whole) = self.body.lines().nth(line.saturating_sub(1)) else { return String::new() };
        let before = column.saturating_sub(1);
        let skipped =
            if whole.chars().count() > SHOWN_CHARACTERS_MAX { before.saturating_sub(SHOWN_BEFORE) } else { 0 };
        let shown: String = whole.chars().skip(skipped).take(SHOWN_CHARACTERS_MAX).map(plain).collect();
        let marked = self.body.get(at.clone()).unwrap_or_default().lines().next().unwrap_or_default().chars().count();
        let left = before.saturating_sub(skipped);
        let room = shown.chars().count().saturating_sub(left);
        let marks = "^".repeat(marked.min(room).max(1));
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        format!(" {number} | {shown}\n {margin} | {}{marks}", " ".repeat(left))
    }
}

/// A character that takes one place and moves nothing.
fn plain(character: char) -> char {
    if character == '\t' {
        ' '
    } else if character.is_control() {
        '\u{fffd}'
    } else {
        character
    }
}

/// What a parser says, as one line in which nothing of the file moves or hides.
pub(crate) fn sentence(message: &str) -> String {
    message.replace('\n', "; ").chars().map(plain).collect()
}

/// A word of a file as sentences repeat it.
pub(crate) fn quoted(word: &str) -> String {
    let shown: String = word.chars().take(WORD_CHARACTERS_MAX).flat_map(char::escape_debug).collect();
    let rest = if word.chars().count() > WORD_CHARACTERS_MAX { "…" } else { "" };
    format!("`{shown}{rest}`")
}
