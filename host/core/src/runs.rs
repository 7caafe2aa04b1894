//! Finds base64 and hexadecimal inside a text and decodes it, whatever stands before it and however it is broken over
//! lines.

use crate::fold::fold;
use alloc::string::String;
use alloc::vec::Vec;

/// Fewest characters of base64 that are looked at.
pub(crate) const BASE64_RUN_MIN: usize = 16;
/// Fewest hexadecimal digits that are looked at.
pub(crate) const HEX_RUN_MIN: usize = 32;
/// Fewest characters in a row that are kept of bytes that are not text as a whole.
const READABLE_RUN_MIN: usize = 8;
/// Longest run that is also read without its first and its last line.
const EDGED_RUN_MAX: usize = 16 << 10;
/// So many units of UTF-16 are read to see whether the rest is worth it.
const WIDE_SAMPLE: usize = 32;
/// Stands behind each piece, so that no run reaches from one into the next.
pub(crate) const BETWEEN_PIECES: &str = ";\n";
/// One character in so many may be none of text in a text.
const UNREADABLE_SHARE: usize = 4;

/// What may stand between two characters of one run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filler {
    /// Nothing.
    None,
    /// A line break with blanks around it.
    LineBreak,
    /// Blanks, colons and commas, as between the bytes of a dump.
    Separators,
}

/// A way to write bytes with few characters.
struct Code {
    value: fn(u8) -> Option<u8>,
    bits: u32,
    /// After so many characters the bytes start over.
    group: usize,
    run_min: usize,
    filler: Filler,
}

/// What the runs of base64 stand for, one text for each place in a group at which they may start. A letter that stands
/// before a run, such as in `key/c2s...`, only moves that place.
pub(crate) fn base64(text: &str) -> Vec<String> {
    let code = |value, filler| Code { value, bits: 6, group: 4, run_min: BASE64_RUN_MIN, filler };
    let mut texts = decoded(text, &code(sextet, Filler::None));
    texts.extend(decoded(text, &code(sextet, Filler::LineBreak)));
    // What is glued to a run with a slash or a dash would put nonsense right before what the run says.
    if text.contains(['+', '/', '-', '_']) {
        texts.extend(decoded(text, &code(plain_sextet, Filler::None)));
    }
    texts
}

/// What the runs of hexadecimal digits stand for.
pub(crate) fn hex(text: &str) -> Vec<String> {
    let code = |filler| Code { value: nibble, bits: 4, group: 2, run_min: HEX_RUN_MIN, filler };
    let mut texts = decoded(text, &code(Filler::None));
    texts.extend(decoded(text, &code(Filler::Separators)));
    texts
}

/// Standard and url-safe base64 at once: the two characters in which they differ never mean something else.
fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => byte.checked_sub(b'A'),
        b'a'..=b'z' => byte.checked_sub(b'a').and_then(|place| place.checked_add(26)),
        b'0'..=b'9' => byte.checked_sub(b'0').and_then(|place| place.checked_add(52)),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn plain_sextet(byte: u8) -> Option<u8> {
    sextet(byte).filter(|_| byte.is_ascii_alphanumeric())
}

fn nibble(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn decoded(text: &str, code: &Code) -> Vec<String> {
    let runs = runs(text, code);
    let shifted = |shift: usize| {
        let mut out = String::new();
        for run in &runs {
            if let Some(piece) = readable(&bytes(run.get(shift..).unwrap_or(&[]), code)) {
                out.push_str(&piece);
                out.push_str(BETWEEN_PIECES);
            }
        }
        out
    };
    (0..code.group).map(shifted).filter(|out| !out.is_empty()).collect()
}

/// The values of each run. With a filler, only runs that hold some: the others are found without.
fn runs(text: &str, code: &Code) -> Vec<Vec<u8>> {
    let mut runs = Vec::new();
    let mut run: Vec<u8> = Vec::new();
    let mut gap: Vec<u8> = Vec::new();
    // Where the second and the last line of the run start.
    let mut lines: Option<(usize, usize)> = None;
    for byte in text.bytes().chain([0]) {
        let value = (code.value)(byte);
        match value {
            Some(value) if gap.is_empty() || fills(&gap, code.filler) => {
                if !gap.is_empty() && !run.is_empty() {
                    lines = Some((lines.map_or(run.len(), |(second, _)| second), run.len()));
                }
                gap.clear();
                run.push(value);
                continue;
            }
            None if byte != 0 && code.filler != Filler::None && is_gap(byte) => {
                gap.push(byte);
                continue;
            }
            Some(_) | None => {}
        }
        let done = core::mem::take(&mut run);
        match (code.filler, lines.take()) {
            (Filler::None, _) => runs.push(done),
            (Filler::LineBreak, Some((second, last))) => {
                runs.extend(without_edges(&done, second, last));
                runs.push(done);
            }
            (Filler::Separators, Some(_)) => runs.push(done),
            (Filler::LineBreak | Filler::Separators, None) => {}
        }
        gap.clear();
        run.extend(value);
    }
    runs.retain(|run| run.len() >= code.run_min);
    runs
}

/// The run without its first line, without its last and without both: they may be words that only stand around it.
fn without_edges(run: &[u8], second: usize, last: usize) -> Vec<Vec<u8>> {
    if run.len() > EDGED_RUN_MAX {
        return Vec::new();
    }
    [run.get(second..), run.get(..last), run.get(second..last)].into_iter().flatten().map(<[u8]>::to_vec).collect()
}

fn is_gap(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b':' | b',')
}

fn fills(gap: &[u8], filler: Filler) -> bool {
    match filler {
        Filler::None => false,
        Filler::LineBreak => gap.contains(&b'\n') && gap.iter().all(u8::is_ascii_whitespace),
        Filler::Separators => true,
    }
}

/// The bytes that the values stand for, eight bits each. Bits that are left over are dropped.
fn bytes(values: &[u8], code: &Code) -> Vec<u8> {
    let whole = |group: &[u8]| {
        let bits = group.iter().fold(0_u32, |bits, value| bits.wrapping_shl(code.bits) | u32::from(*value));
        let count = u32::try_from(group.len()).unwrap_or(0).saturating_mul(code.bits);
        let bytes = count.wrapping_shr(3);
        let bits = bits.wrapping_shl(32_u32.saturating_sub(count));
        bits.to_be_bytes().into_iter().take(usize::try_from(bytes).unwrap_or(0))
    };
    values.chunks(code.group).flat_map(whole).collect()
}

/// What can be read of bytes: as UTF-16, and else as UTF-8 without zero bytes. Of bytes that are not text, what stands in
/// a row is kept, because a secret may lie in a binary file.
pub(crate) fn readable(bytes: &[u8]) -> Option<String> {
    if let Some(wide) = [u16::from_le_bytes, u16::from_be_bytes].into_iter().find_map(|unit| wide(bytes, unit)) {
        return Some(wide);
    }
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    let (all, bad) = text.chars().fold((0_usize, 0_usize), |(all, bad), character| {
        (all.saturating_add(1), bad.saturating_add(usize::from(is_unreadable(character))))
    });
    if bad.saturating_mul(UNREADABLE_SHARE) <= all {
        return Some(text.into_owned()).filter(|text| !text.is_empty());
    }
    let kept: Vec<&str> = text
        .split(is_unreadable)
        .filter(|piece| piece.chars().take(READABLE_RUN_MIN).count() == READABLE_RUN_MIN)
        .collect();
    Some(kept.join("\u{fffd}")).filter(|text| !text.is_empty())
}

/// The bytes as UTF-16, if nearly all of it is ASCII to a reader. Text that is not UTF-16 is Chinese when read as such.
fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units = || bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let read = |count: usize| -> String {
        let characters = core::char::decode_utf16(units().take(count));
        characters.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    let is_ascii = |text: &str| {
        let strange = fold(text).chars().filter(|character| !character.is_ascii()).count();
        !text.is_empty() && strange.saturating_mul(UNREADABLE_SHARE) <= text.chars().count()
    };
    is_ascii(&read(WIDE_SAMPLE))
        .then(|| read(bytes.len()))
        .filter(|text| is_ascii(text) && text.contains(|character| character != '\0'))
}

fn is_unreadable(character: char) -> bool {
    character == char::REPLACEMENT_CHARACTER || (character.is_control() && !character.is_ascii_whitespace())
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
