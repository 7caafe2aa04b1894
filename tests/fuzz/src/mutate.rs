//! Seeded mutations of examples, for machines without libFuzzer. The same seed gives the same inputs everywhere.

use holdpoint_tests_sim::seeded::Seeded;

/// Most bytes of a mutated input.
pub const INPUT_BYTES_MAX: usize = 4_096;
/// Most changes that one input gets.
const CHANGES_MAX: u64 = 8;

/// Bytes that mean something to one parser or another.
const TOKENS: &[&str] = &[
    "\0",
    "\n",
    "\r",
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "${",
    "}",
    "\\",
    "<<",
    ">&",
    "|&",
    ";;",
    "[[",
    "((",
    "$'",
    "*",
    "**",
    "?",
    "[",
    "../",
    "/",
    "-",
    "--",
    "=",
    ":",
    ",",
    "{",
    "\u{feff}",
    "\u{202e}",
    "\u{200b}",
    "é",
    "\u{1f600}",
    "9007199254740993",
    "-0",
    "1e999",
    "\\ud800",
    "null",
];

/// One input made from the examples.
pub fn input(examples: &[&str], random: &mut Seeded) -> Vec<u8> {
    let mut bytes = pick(examples, random).as_bytes().to_vec();
    for _ in 0..=random.below(CHANGES_MAX) {
        change(&mut bytes, examples, random);
        bytes.truncate(INPUT_BYTES_MAX);
    }
    bytes
}

fn pick<'a>(texts: &[&'a str], random: &mut Seeded) -> &'a str {
    let index = usize::try_from(random.below(texts.len() as u64)).unwrap_or(0);
    texts.get(index).copied().unwrap_or("")
}

fn place(bytes: &[u8], random: &mut Seeded) -> usize {
    usize::try_from(random.below(bytes.len() as u64 + 1)).unwrap_or(0)
}

fn change(bytes: &mut Vec<u8>, examples: &[&str], random: &mut Seeded) {
    let (one, other) = (place(bytes, random), place(bytes, random));
    let (start, end) = (one.min(other), one.max(other));
    match random.below(7) {
        0 => {
            let bit = 1_u8 << random.below(8);
            if let Some(byte) = bytes.get_mut(start) {
                *byte ^= bit;
            }
        }
        1 => bytes.truncate(end),
        2 => drop(bytes.drain(start..end)),
        3 => {
            let copy = bytes.get(start..end).unwrap_or(&[]).to_vec();
            bytes.splice(start..start, copy);
        }
        4 => {
            let rest = pick(examples, random).as_bytes();
            let from = place(rest, random);
            bytes.truncate(start);
            bytes.extend_from_slice(rest.get(from..).unwrap_or(&[]));
        }
        // A nest of one token, since depth is what recursion fears.
        5 => {
            let count = usize::try_from(random.below(200)).unwrap_or(0);
            bytes.splice(start..start, pick(TOKENS, random).repeat(count).into_bytes());
        }
        _ => drop(bytes.splice(start..start, pick(TOKENS, random).bytes())),
    }
}
