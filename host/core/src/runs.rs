//! Finds base64 and hexadecimal inside a text and decodes it, whatever stands before it and however it is broken over
//! lines.

use alloc::string::String;
use alloc::vec::Vec;

/// Fewest characters of base64 that are looked at.
pub(crate) const BASE64_RUN_MIN: usize = 16;
/// Fewest hexadecimal digits that are looked at.
pub(crate) const HEX_RUN_MIN: usize = 32;
/// Fewest characters in a row that are kept of bytes that are not text as a whole.
const READABLE_RUN_MIN: usize = 8;
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
    let code = |filler| Code { value: sextet, bits: 6, group: 4, run_min: BASE64_RUN_MIN, filler };
    let mut texts = decoded(text, &code(Filler::None));
    texts.extend(decoded(text, &code(Filler::LineBreak)));
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
                out.push('\n');
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
    let mut filled = Filler::None;
    for byte in text.bytes().chain([0]) {
        let value = (code.value)(byte);
        match value {
            Some(value) if gap.is_empty() || fills(&gap, code.filler) => {
                filled = if gap.is_empty() || run.is_empty() { filled } else { code.filler };
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
        if done.len() >= code.run_min && filled == code.filler {
            runs.push(done);
        }
        gap.clear();
        filled = Filler::None;
        run.extend(value);
    }
    runs
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

/// What can be read of bytes. Zero bytes are dropped, so that UTF-16 is read as well; of bytes that are not text, what
/// stands in a row is kept, because a secret may lie in a binary file.
pub(crate) fn readable(bytes: &[u8]) -> Option<String> {
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

fn is_unreadable(character: char) -> bool {
    character == char::REPLACEMENT_CHARACTER || (character.is_control() && !character.is_ascii_whitespace())
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
