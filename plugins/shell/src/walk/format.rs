//! Formats of `printf` and escapes of `echo -e`: the text that they print.
//!
//! It must never print another text than each of the shells would: where they differ, the text is not known.

use super::Dialect;

/// Bytes of text that are put together; what is longer is not known.
const TEXT_BYTES_MAX: usize = 32 * 1024;

/// How an octal number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Zeros {
    /// `\101`, as in a format.
    None,
    /// `\0101`, as with `echo -e` and `%b`.
    Lead,
}

/// What becomes of what stands behind an escape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    Printed,
    /// `\c` ends all output.
    LeftOut,
}

/// A piece of a format.
enum Piece {
    Text(String),
    /// `%s`.
    Word,
    /// `%b`.
    Escaped,
    /// `%d` and `%i`.
    Number,
    /// `%c`.
    Letter,
}

/// What `printf` prints; `None` where that is not known.
pub(super) fn formatted(format: &str, words: &[&str], dialect: Dialect) -> Option<String> {
    let pieces = pieces(format, dialect)?;
    let takes = pieces.iter().filter(|piece| !matches!(piece, Piece::Text(_))).count();
    let mut printed = String::new();
    let mut left = words;
    loop {
        for piece in &pieces {
            let word = match piece {
                Piece::Text(text) => {
                    printed.push_str(text);
                    continue;
                }
                Piece::Word | Piece::Escaped | Piece::Number | Piece::Letter => {
                    let (first, rest) = left.split_first().unwrap_or((&"", &[]));
                    left = rest;
                    *first
                }
            };
            match piece {
                Piece::Text(_) => {}
                Piece::Word => printed.push_str(word),
                Piece::Letter => printed.push(word.chars().next().filter(char::is_ascii)?),
                Piece::Number => printed.push_str(&number(word)?),
                Piece::Escaped => match escaped(word, Zeros::Lead, dialect)? {
                    (text, Rest::Printed) => printed.push_str(&text),
                    (text, Rest::LeftOut) => return Some(printed + &text),
                },
            }
        }
        if printed.len() > TEXT_BYTES_MAX {
            return None;
        }
        // The format is used again as long as there are words.
        if left.is_empty() || takes == 0 {
            return Some(printed);
        }
    }
}

/// A plain decimal number as it is printed. One with a zero in front is octal, and nothing at all is zero.
fn number(word: &str) -> Option<String> {
    match word {
        "" => Some("0".to_owned()),
        _ if word != "0" && word.starts_with('0') => None,
        _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
            word.parse::<i64>().ok().map(|number| number.to_string())
        }
        _ => None,
    }
}

/// The pieces of a format; `None` where one is not understood, such as one with a width.
fn pieces(format: &str, dialect: Dialect) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    loop {
        let (text, after) = rest.split_once('%').map_or((rest, None), |(text, after)| (text, Some(after)));
        let (text, end) = escaped(text, Zeros::None, dialect)?;
        // In a format, shells differ about `\c`.
        if end == Rest::LeftOut {
            return None;
        }
        pieces.push(Piece::Text(text));
        let Some(after) = after else { return Some(pieces) };
        let letter = after.chars().next()?;
        pieces.push(match letter {
            '%' => Piece::Text("%".to_owned()),
            's' => Piece::Word,
            'b' => Piece::Escaped,
            'd' | 'i' => Piece::Number,
            'c' => Piece::Letter,
            _ => return None,
        });
        rest = after.get(letter.len_utf8()..)?;
    }
}

/// A text with its escapes replaced; `None` where shells differ about one, or where it is no text.
pub(super) fn escaped(text: &str, zeros: Zeros, dialect: Dialect) -> Option<(String, Rest)> {
    let mut printed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        printed.push_str(rest.get(..at)?);
        let after = rest.get(at.saturating_add(1)..)?;
        let letter = after.chars().next()?;
        let behind = after.get(letter.len_utf8()..)?;
        let plain = match letter {
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '\\' => '\\',
            // Not every shell knows these.
            'e' | 'E' | 'x' if dialect == Dialect::Posix => return None,
            'e' | 'E' => '\x1b',
            'c' => return Some((printed, Rest::LeftOut)),
            'x' => {
                rest = coded(behind, 16, 2, &mut printed)?;
                continue;
            }
            '0' if zeros == Zeros::Lead => {
                rest = coded(behind, 8, 3, &mut printed)?;
                continue;
            }
            '0'..='7' if zeros == Zeros::None => {
                rest = coded(after, 8, 3, &mut printed)?;
                continue;
            }
            _ => return None,
        };
        printed.push(plain);
        rest = behind;
    }
    printed.push_str(rest);
    Some((printed, Rest::Printed))
}

/// Prints the character whose number stands first in `text`, and says what follows. One that is no text is not known.
fn coded<'t>(text: &'t str, base: u32, digits_max: usize, printed: &mut String) -> Option<&'t str> {
    let digits = text.chars().take(digits_max).take_while(|letter| letter.is_digit(base)).count();
    let (number, rest) = text.split_at_checked(digits)?;
    let code = u8::from_str_radix(number, base).ok().filter(|code| code.is_ascii() && *code != 0)?;
    printed.push(char::from(code));
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify;
    use crate::testing::{bash, show};

    #[test]
    fn a_format_prints_its_words() {
        for (format, words, expected) in [
            ("%s-%s", &["a", "b"][..], "a-b"),
            ("%s\\n", &["a", "b"], "a\nb\n"),
            ("%s %s;", &["a", "b", "c"], "a b;c ;"),
            ("x", &["a"], "x"),
            ("%s%%\\t%s", &["a"], "a%\t"),
            ("%b", &["a\\nb\\0101"], "a\nbA"),
            ("%b%s", &["a\\cb", "c"], "a"),
            ("\\x72\\155 -rf", &[], "rm -rf"),
            ("%d%c", &["12", "xy"], "12x"),
            ("%s", &[], ""),
        ] {
            assert_eq!(formatted(format, words, Dialect::Bash).as_deref(), Some(expected), "{format}");
        }
    }

    #[test]
    fn what_shells_print_differently_is_not_known() {
        for (format, words) in [
            ("%5s", &["a"][..]),
            ("%q", &["a"]),
            ("%(x)T", &[]),
            ("%d", &["0x10"]),
            ("%d", &["010"]),
            ("%", &[]),
            ("a\\", &[]),
            ("\\u0041", &[]),
            ("\\xff", &[]),
            ("\\c", &[]),
            ("%b", &["\\q"]),
            ("%c", &[""]),
        ] {
            assert_eq!(formatted(format, words, Dialect::Bash), None, "{format}");
        }
        assert_eq!(formatted("\\x41", &[], Dialect::Posix), None);
    }

    #[test]
    fn what_is_printed_reaches_the_program_behind_the_pipe() {
        for (text, printed) in [
            ("printf '%s-%s' a b | x", "a-b"),
            ("printf '%b' 'a\\nb' | x", "a\nb"),
            ("printf '\\x72m -rf %s\\n' / | x", "rm -rf /\n"),
            ("echo -e 'a\\tb\\x41' | x", "a\tbA\n"),
            ("echo -ne 'a\\n' | x", "a\n"),
            ("echo -e 'a\\cb' c | x", "a"),
            ("echo -eE 'a' | x", "a\n"),
        ] {
            let found = show(&classify(&bash(text)));
            assert!(found.contains(&format!("-> x <text {printed:?}")), "{text}\n{found}");
        }
        for text in ["echo -eE 'a\\n' | x", "printf -- -a | x", "printf '%s' $y | x", "printf %5d 1 | x"] {
            let found = show(&classify(&bash(text)));
            assert!(found.contains("-> x <external"), "{text}\n{found}");
        }
    }
}
