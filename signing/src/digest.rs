//! SHA-256 digests of whole files. This module must never hash a part of anything.

use crate::FormatError;
use crate::json::text_in_json;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// A SHA-256 digest. Its text form is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Hashes all of `bytes`.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Takes a digest that was computed elsewhere, for instance at build time.
    pub const fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Digest, FormatError> {
        let mut bytes = [0; 32];
        let read = hex::decode_to_slice(text, &mut bytes);
        let digest = Digest(bytes);
        // Writing it again also refuses upper case, so that a digest has one spelling.
        if read.is_err() || digest.to_string() != text {
            return Err(FormatError::Rule { what: "digest", rule: "64 lower-case hexadecimal digits" });
        }
        Ok(digest)
    }
}

text_in_json!(Digest);
