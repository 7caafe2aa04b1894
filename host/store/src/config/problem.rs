//! What is wrong with a configuration, with the place and what to do.

use std::fmt;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The line itself with a mark below what is meant; empty where there is none.
    pub excerpt: String,
    /// What is wrong: lower case, no full stop.
    pub what: String,
    /// What to do.
    pub help: String,
}

impl Problem {
    /// Something about a file as a whole.
    pub(crate) fn of_file(file: &str, what: impl Into<String>, help: &str) -> Problem {
        Problem {
            file: file.to_owned(),
            line: 0,
            column: 0,
            excerpt: String::new(),
            what: what.into(),
            help: help.to_owned(),
        }
    }

    /// One line, without anything of the file but the place.
    pub fn line(&self) -> String {
        match self.line {
            0 => format!("{}: {}", self.file, self.what),
            line => format!("{}:{line}:{}: {}", self.file, self.column, self.what),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.line())?;
        if !self.excerpt.is_empty() {
            write!(formatter, "\n{}", self.excerpt)?;
        }
        if self.help.is_empty() { Ok(()) } else { write!(formatter, "\n  help: {}", self.help) }
    }
}
