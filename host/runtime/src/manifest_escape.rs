//! The ways out that a vocabulary lists of its own: words by which a call reaches past what it is meant for. What is listed
//! is all that its findings may name, and each row has an example that shows what becomes of it.

use crate::manifest::ManifestError;
use holdpoint_core::operation::Escape;
use holdpoint_core::words::Word;
use serde::{Deserialize, Serialize};

/// Most rows of one manifest.
pub(crate) const ESCAPES_MAX: usize = 64;
/// Longest text of a row, in bytes.
pub(crate) const ESCAPE_TEXT_BYTES_MAX: usize = 200;

/// A way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EscapeEntry {
    /// Its kind, a word of the contract.
    pub kind: String,
    /// How it is written, for people.
    pub words: String,
    /// A shell line that takes it.
    pub example: String,
}

/// The kinds of all rows.
pub(crate) fn kinds(rows: &[EscapeEntry]) -> Result<Vec<Escape>, ManifestError> {
    let wrong = |problem: String| ManifestError::Wrong { field: "escapes", problem };
    if rows.len() > ESCAPES_MAX {
        return Err(wrong(format!("holds over {ESCAPES_MAX} rows")));
    }
    let kind = |row: &EscapeEntry| {
        for text in [&row.words, &row.example] {
            if text.is_empty() || text.len() > ESCAPE_TEXT_BYTES_MAX || text.chars().any(char::is_control) {
                return Err(wrong(format!("holds a text that is not one line of 1 to {ESCAPE_TEXT_BYTES_MAX} bytes")));
            }
        }
        Escape::from_word(&row.kind).ok_or_else(|| wrong(format!("holds `{}`, which is no way out", row.kind)))
    };
    rows.iter().map(kind).collect()
}
