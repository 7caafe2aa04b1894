//! Undoes escapes in a text: percent, backslash and HTML. Each function says `None` where there is nothing to undo.

use alloc::string::String;
use alloc::vec::Vec;

/// Names of HTML that stand for a character a secret or a sentence may hold.
const ENTITIES: &[(&[u8], char)] = &[
    (b"amp", '&'),
    (b"lt", '<'),
    (b"gt", '>'),
    (b"quot", '"'),
    (b"apos", '\''),
    (b"nbsp", ' '),
    (b"Tab", '\t'),
    (b"NewLine", '\n'),
    (b"shy", '\u{ad}'),
    (b"ZeroWidthSpace", '\u{200b}'),
    (b"zwnj", '\u{200c}'),
    (b"zwj", '\u{200d}'),
    (b"lowbar", '_'),
    (b"hyphen", '-'),
    (b"dash", '-'),
    (b"period", '.'),
    (b"colon", ':'),
    (b"sol", '/'),
    (b"plus", '+'),
    (b"equals", '='),
    (b"num", '#'),
    (b"percnt", '%'),
    (b"bsol", '\\'),
    (b"lsqb", '['),
    (b"lbrack", '['),
    (b"rsqb", ']'),
    (b"rbrack", ']'),
    (b"vert", '|'),
    (b"verbar", '|'),
];
/// Digits of a numeric entity that are read; more leading zeros than that hide nothing that a browser would show.
const ENTITY_DIGITS_MAX: usize = 32;

/// Undoes one escape at the start of the bytes: what it stands for, and what is behind it.
type Undo = for<'a> fn(&'a [u8], &mut Vec<u8>) -> Option<&'a [u8]>;

/// Undoes `%HH`.
pub(crate) fn percent(text: &str) -> Option<String> {
    undo(text, b'%', |bytes, out| {
        let [b'%', high, low, rest @ ..] = bytes else { return None };
        out.push(byte_of(&[*high, *low], 16)?);
        Some(rest)
    })
}

/// Undoes backslashes as in `$'..'` of bash, in JSON and in most languages. An unknown escape is the character itself.
pub(crate) fn backslash(text: &str) -> Option<String> {
    undo(text, b'\\', |bytes, out| {
        let (b'\\', rest) = bytes.split_first()? else { return None };
        let (escape, rest) = rest.split_first()?;
        match escape {
            b'\n' => Some(rest),
            b'\r' => Some(rest.strip_prefix(b"\n").unwrap_or(rest)),
            b'n' => plain(out, b'\n', rest),
            b't' => plain(out, b'\t', rest),
            b'r' => plain(out, b'\r', rest),
            b'a' | b'b' | b'e' | b'E' | b'f' | b'v' => plain(out, b' ', rest),
            b'x' => number(rest, 2, 16, out).or_else(|| plain(out, b'x', rest)),
            b'0'..=b'7' => number(bytes.get(1..)?, 3, 8, out),
            b'u' => unicode(rest, 4, out).or_else(|| plain(out, b'u', rest)),
            b'U' => unicode(rest, 8, out).or_else(|| plain(out, b'U', rest)),
            other => plain(out, *other, rest),
        }
    })
}

/// Undoes numeric entities of HTML and the names of [`ENTITIES`], with and without the semicolon.
pub(crate) fn html(text: &str) -> Option<String> {
    undo(text, b'&', |bytes, out| {
        let rest = match bytes {
            [b'&', b'#', b'x' | b'X', rest @ ..] => entity_number(rest, 16, out)?,
            [b'&', b'#', rest @ ..] => entity_number(rest, 10, out)?,
            [b'&', rest @ ..] => {
                let (name, character) = ENTITIES.iter().find(|(name, _)| rest.starts_with(name))?;
                push(*character, out);
                rest.get(name.len()..)?
            }
            _ => return None,
        };
        Some(rest.strip_prefix(b";").unwrap_or(rest))
    })
}

fn undo(text: &str, mark: u8, undo: Undo) -> Option<String> {
    let mut rest = text.as_bytes();
    if !rest.contains(&mark) {
        return None;
    }
    let mut out = Vec::with_capacity(rest.len());
    let mut undone = 0_usize;
    while let Some((first, behind)) = rest.split_first() {
        let next = if *first == mark { undo(rest, &mut out) } else { None };
        rest = if let Some(next) = next {
            undone = undone.saturating_add(1);
            next
        } else {
            out.push(*first);
            behind
        };
    }
    (undone > 0).then(|| String::from_utf8_lossy(&out).into_owned())
}

fn plain<'a>(out: &mut Vec<u8>, byte: u8, rest: &'a [u8]) -> Option<&'a [u8]> {
    out.push(byte);
    Some(rest)
}

/// The digits at the start, at most so many, as one number; and what is behind them.
fn digits(bytes: &[u8], most: usize, radix: u32) -> Option<(u32, &[u8])> {
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
    let count = bytes.iter().take(most).take_while(is_digit).count();
    let (digits, rest) = bytes.split_at_checked(count).filter(|_| count > 0)?;
    let add = |sum: u32, byte: &u8| sum.saturating_mul(radix).saturating_add(digit(*byte, radix));
    Some((digits.iter().fold(0, add), rest))
}

fn digit(byte: u8, radix: u32) -> u32 {
    char::from(byte).to_digit(radix).unwrap_or(0)
}

fn byte_of(pair: &[u8], radix: u32) -> Option<u8> {
    let (value, rest) = digits(pair, 2, radix)?;
    u8::try_from(value).ok().filter(|_| rest.is_empty())
}

/// A byte by its number. `\400` and more wrap around, as they do in bash.
fn number<'a>(bytes: &'a [u8], most: usize, radix: u32, out: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (value, rest) = digits(bytes, most, radix)?;
    out.push(u8::try_from(value & 0xff).ok()?);
    Some(rest)
}

/// A character by its number, in braces or not, also as two halves of UTF-16.
fn unicode<'a>(bytes: &'a [u8], most: usize, out: &mut Vec<u8>) -> Option<&'a [u8]> {
    if let Some(inside) = bytes.strip_prefix(b"{") {
        let (code, rest) = digits(inside, 8, 16)?;
        push(char::from_u32(code)?, out);
        return rest.strip_prefix(b"}");
    }
    let (code, rest) = digits(bytes, most, 16)?;
    if let 0xD800..=0xDBFF = code
        && let Some((low @ 0xDC00..=0xDFFF, behind)) = rest.strip_prefix(b"\\u").and_then(|rest| digits(rest, 4, 16))
    {
        let high = code.saturating_sub(0xD800).saturating_mul(0x400);
        push(char::from_u32(high.saturating_add(low.saturating_sub(0xDC00)).saturating_add(0x1_0000))?, out);
        return Some(behind);
    }
    push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), out);
    Some(rest)
}

fn entity_number<'a>(bytes: &'a [u8], radix: u32, out: &mut Vec<u8>) -> Option<&'a [u8]> {
    let (code, rest) = digits(bytes, ENTITY_DIGITS_MAX, radix)?;
    push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), out);
    Some(rest)
}

fn push(character: char, out: &mut Vec<u8>) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
#[path = "unescape_tests.rs"]
mod tests;
