//! Everything the command prints goes through here: data to standard output, all else to standard error. Text that an
//! agent chose is made visible first, so it can neither move the cursor nor hide.

use crate::exit::{Exit, Failure};
use std::io::{ErrorKind, Write};

/// For whom data is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A person.
    Text,
    /// A program.
    Json,
}

/// Whether somebody still reads standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Somebody may.
    There,
    /// Nobody does any more.
    Gone,
}

/// Writes data to standard output. A reader that has gone away ends the command quietly.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    data_to_reader(text).map(|_| ())
}

/// The same for a command that goes on as long as somebody reads.
pub(crate) fn data_to_reader(text: &str) -> Result<Reader, Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::internal(format!("cannot write to standard output: {error}"))),
    }
}

/// Fails where standard output leads nowhere. The runtime opens the null device in place of a closed output, so writing
/// there would succeed, and a host that reads no answer takes silence for consent.
pub(crate) fn leads_somewhere() -> Result<(), Failure> {
    let about = |file: &dyn std::os::fd::AsFd| rustix::fs::fstat(file.as_fd()).map_err(std::io::Error::from);
    let unknown = |error: std::io::Error| Failure::internal(format!("standard output: {error}"));
    let null = std::fs::File::open("/dev/null").map_err(unknown)?;
    let (out, null) = (about(&std::io::stdout()).map_err(unknown)?, about(&null).map_err(unknown)?);
    if out.st_rdev == null.st_rdev && out.st_mode == null.st_mode {
        return Err(Failure::usage("standard output is closed or the null device", "the answer is read from there"));
    }
    Ok(())
}

/// Writes the one answer of a protocol. A reader that has gone away did not get it, and that is a failure.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::internal(format!("the answer cannot be written: {error}")))
}

/// Writes a line for a person to standard error. There is nobody to tell if that fails.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Tells a failure and gives its exit code.
pub(crate) fn failure(failure: &Failure) -> Exit {
    note(&format!("error: {}", visible(&failure.what)));
    if !failure.help.is_empty() {
        note(&format!("  help: {}", failure.help));
    }
    failure.exit
}

/// The text on one line, with every character that is not simply shown replaced by its escape. A line feed is none of them:
/// behind one, a text of an agent would look like a line of ours.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_hidden(character) {
            out.push(character);
        } else {
            out.extend(character.escape_unicode());
        }
    }
    out
}

/// The same for a text that this program made of several lines. Whatever an agent chose was made visible in it before.
pub(crate) fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Control characters, and those that change direction, join, or take no room. Source: Unicode 16, general categories Cc
/// and Cf, and the default-ignorable code points that are commonly used to hide text.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible_and_plain_text_stays() {
        assert_eq!(visible("ls \u{1b}[2J\u{202e}x\u{200b}"), "ls \\u{1b}[2J\\u{202e}x\\u{200b}");
        assert_eq!(visible("d\u{e9}j\u{e0} vu\nline"), "d\u{e9}j\u{e0} vu\\u{a}line");
    }
}
