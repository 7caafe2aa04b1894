//! SHA-256 digests. A digest of one thing can never be mistaken for one of another: each use has its own domain.

use alloc::string::String;
use core::fmt;
use core::fmt::Write;
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest before the first line of a journal.
    pub const ZERO: Digest = Digest([0; 32]);

    /// The plain digest of a file.
    pub fn of_file(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The digest of parts in a domain. Parts are length-prefixed, so no two lists of parts share a digest by
    /// concatenation.
    pub fn of_parts(domain: &str, parts: &[&[u8]]) -> Digest {
        let mut hasher = Sha256::new();
        for part in core::iter::once(domain.as_bytes()).chain(parts.iter().copied()) {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        Digest(hasher.finalize().into())
    }

    /// The raw bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Lowercase hexadecimal.
    pub fn hex(&self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// Reads 64 lowercase hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Digest> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0_u8; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let [high, low] = pair else { return None };
            *byte = nibble(*high)?.checked_shl(4)? | nibble(*low)?;
        }
        Some(Digest(bytes))
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => digit.checked_sub(b'0'),
        b'a'..=b'f' => digit.checked_sub(b'a')?.checked_add(10),
        _ => None,
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.hex())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_round_trips_and_refuses_everything_else() {
        let digest = Digest::of_file(b"abc");
        assert_eq!(digest.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(Digest::from_hex(&digest.hex()), Some(digest));
        assert_eq!(Digest::from_hex(&digest.hex().to_uppercase()), None);
        assert_eq!(Digest::from_hex("ba"), None);
    }

    #[test]
    fn moving_a_byte_between_parts_changes_the_digest() {
        let one = Digest::of_parts("d", &[b"ab", b"c"]);
        assert_ne!(one, Digest::of_parts("d", &[b"a", b"bc"]));
        assert_ne!(one, Digest::of_parts("e", &[b"ab", b"c"]));
    }
}
