//! A person at a terminal: asks for lines and passwords, and tells typing from pasting. Nothing here works through a pipe,
//! so nothing here can be answered by a program that only writes to one.

use crate::exit::{Exit, Failure};
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// A line that is there sooner than this after it was asked for was not typed.
const LINE_MS_MIN: u64 = 50;
/// Milliseconds that the quickest typist needs for a character, on average over a line.
const CHARACTER_MS_MIN: u64 = 15;
/// Characters that may arrive at once when a person types: a key that repeats, or a machine that is busy. More of them are
/// a paste if they are half of the line or more.
const BURST_CHARACTERS_MAX: usize = 4;
/// Longest line, in characters.
const LINE_CHARACTERS_MAX: usize = 1_024;
/// What a terminal sends around pasted text once it was asked to.
const PASTE_STARTS: &[u8] = b"\x1b[200~";
const ASK_FOR_PASTE_MARKS: &str = "\x1b[?2004h";
const END_PASTE_MARKS: &str = "\x1b[?2004l";

/// How a line came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Key by key.
    Typed,
    /// All at once.
    Pasted,
}

/// What is shown while a line is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Echo {
    Shown,
    Hidden,
}

/// The terminal of this process.
pub(crate) struct Terminal {
    before: Termios,
}

impl Terminal {
    /// The terminal, if both standard input and standard error are one.
    pub(crate) fn open() -> Option<Terminal> {
        let both = termios::isatty(std::io::stdin()) && termios::isatty(std::io::stderr());
        let before = termios::tcgetattr(std::io::stdin()).ok().filter(|_| both)?;
        Some(Terminal { before })
    }

    /// Shows a text.
    pub(crate) fn show(&self, text: &str) {
        let mut screen = std::io::stderr().lock();
        // There is nobody to tell if that fails.
        let _ = screen.write_all(text.as_bytes()).and_then(|()| screen.flush());
    }

    /// Asks for a line.
    pub(crate) fn line(&self, question: &str) -> Result<(String, Arrival), Failure> {
        self.ask(question, Echo::Shown)
    }

    /// Asks for a line that is not shown.
    pub(crate) fn hidden_line(&self, question: &str) -> Result<String, Failure> {
        self.ask(question, Echo::Hidden).map(|(line, _)| line)
    }

    /// Hands keys over one by one until it is dropped. What was typed before is thrown away. The key that interrupts is
    /// handed over as well: a program that it ended here would leave the terminal behind like this.
    fn key_by_key(&self) -> Result<KeyByKey<'_>, Failure> {
        let mut keys = self.before.clone();
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        termios::tcsetattr(std::io::stdin(), OptionalActions::Flush, &keys)
            .map_err(|error| gone(&std::io::Error::from(error).to_string()))?;
        self.show(ASK_FOR_PASTE_MARKS);
        Ok(KeyByKey(self))
    }

    fn ask(&self, question: &str, echo: Echo) -> Result<(String, Arrival), Failure> {
        let _keys = self.key_by_key()?;
        self.show(question);
        let asked = Instant::now();
        let mut line = Line::default();
        let mut bytes = [0_u8; 256];
        while line.end.is_none() {
            let count = std::io::stdin().lock().read(&mut bytes).map_err(|error| gone(&error.to_string()))?;
            match bytes.get(..count) {
                Some([]) | None => return Err(gone("the terminal was closed")),
                Some(arrived) => self.show(&line.take(arrived, echo)),
            }
        }
        self.show("\n");
        match line.end {
            Some(End::Given) => Ok((line.text.clone(), line.arrival(asked.elapsed()))),
            Some(End::Broken) | None => Err(Failure::new(Exit::Usage, "stopped", "nothing was changed")),
        }
    }
}

/// A terminal that hands keys over one by one.
struct KeyByKey<'a>(&'a Terminal);

impl Drop for KeyByKey<'_> {
    fn drop(&mut self) {
        self.0.show(END_PASTE_MARKS);
        // A terminal that has gone away needs nothing put back.
        let _ = termios::tcsetattr(std::io::stdin(), OptionalActions::Flush, &self.0.before);
    }
}

fn gone(what: &str) -> Failure {
    Failure::new(Exit::Usage, format!("the answer cannot be read: {what}"), "nothing was changed")
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Given,
    Broken,
}

/// A line while it is typed.
#[derive(Debug, Default)]
struct Line {
    text: String,
    marked: bool,
    largest_burst: usize,
    end: Option<End>,
}

impl Line {
    /// Takes what arrived at once, and returns what to show.
    fn take(&mut self, arrived: &[u8], echo: Echo) -> String {
        self.marked |= arrived.windows(PASTE_STARTS.len()).any(|window| window == PASTE_STARTS);
        self.largest_burst = self.largest_burst.max(arrived.len());
        let mut shown = String::new();
        for byte in arrived {
            match *byte {
                b'\r' | b'\n' => self.end = Some(End::Given),
                // Ctrl-C, and Ctrl-D on an empty line.
                0x03 => self.end = Some(End::Broken),
                0x04 if self.text.is_empty() => self.end = Some(End::Broken),
                0x7f | 0x08 => shown.push_str(if self.text.pop().is_some() { "\x08 \x08" } else { "" }),
                byte if byte.is_ascii_graphic() || byte == b' ' => shown.push_str(self.add(char::from(byte))),
                _ => {}
            }
            if self.end.is_some() {
                break;
            }
        }
        match echo {
            Echo::Shown => shown,
            Echo::Hidden => String::new(),
        }
    }

    /// Adds a character, unless the line is full, and returns what was added.
    fn add(&mut self, character: char) -> &str {
        let before = self.text.len();
        if before < LINE_CHARACTERS_MAX {
            self.text.push(character);
        }
        self.text.get(before..).unwrap_or("")
    }

    fn arrival(&self, elapsed: Duration) -> Arrival {
        let characters = u64::try_from(self.text.len()).unwrap_or(u64::MAX);
        let least_ms = LINE_MS_MIN.max(characters.saturating_mul(CHARACTER_MS_MIN));
        let too_fast = elapsed.as_millis() < u128::from(least_ms);
        let half = self.largest_burst.saturating_mul(2) >= self.text.len();
        let burst = self.largest_burst > BURST_CHARACTERS_MAX && half;
        if self.marked || burst || too_fast { Arrival::Pasted } else { Arrival::Typed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(chunks: &[&[u8]]) -> Line {
        let mut line = Line::default();
        chunks.iter().for_each(|chunk| drop(line.take(chunk, Echo::Shown)));
        line
    }

    #[test]
    fn keys_make_a_line_and_a_correction_counts() {
        let line = typed(&[b"O", b"p", b"x", b"\x7f", b"e", b"n", b"\r"]);
        assert_eq!((line.text.as_str(), line.end), ("Open", Some(End::Given)));
        assert_eq!(line.arrival(Duration::from_secs(2)), Arrival::Typed);
        assert_eq!(typed(&[b"a", b"\x03"]).end, Some(End::Broken));
        assert_eq!(typed(&[b"\x04"]).end, Some(End::Broken));
    }

    #[test]
    fn what_arrives_at_once_or_too_fast_was_pasted() {
        let long = Duration::from_secs(9);
        assert_eq!(typed(&[b"Open the door\r"]).arrival(long), Arrival::Pasted);
        assert_eq!(typed(&[b"\x1b[200~", b"a", b"\r"]).arrival(long), Arrival::Pasted);
        // A machine that was busy for a moment hands over some keys together.
        assert_eq!(typed(&[b"Open t", b"h", b"e", b" ", b"d", b"o", b"o", b"r", b"\r"]).arrival(long), Arrival::Typed);
        assert_eq!(typed(&[b"Open the", b" ", b"d", b"o", b"o", b"r", b"\r"]).arrival(long), Arrival::Pasted);
        let keys: Vec<&[u8]> = b"Open the door\r".chunks(1).collect();
        assert_eq!(typed(&keys).arrival(Duration::from_millis(13 * CHARACTER_MS_MIN - 1)), Arrival::Pasted);
        assert_eq!(typed(&keys).arrival(Duration::from_millis(13 * CHARACTER_MS_MIN)), Arrival::Typed);
        assert_eq!(typed(&[b"a", b"\r"]).arrival(Duration::from_millis(LINE_MS_MIN - 1)), Arrival::Pasted);
    }

    #[test]
    fn a_hidden_line_shows_nothing_and_a_line_is_bounded() {
        let mut line = Line::default();
        assert_eq!(line.take(b"se\x7f", Echo::Hidden), "");
        let mut long = Line::default();
        long.take("x".repeat(LINE_CHARACTERS_MAX + 1).as_bytes(), Echo::Shown);
        assert_eq!(long.text.len(), LINE_CHARACTERS_MAX);
    }
}
