//! Public keys: their text form, their id, and the one signature check of this crate.
//!
//! It must never accept a key or a signature that has a second spelling, because thresholds count keys by
//! their bytes.

use crate::json::text_in_json;
use crate::{Digest, FormatError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

const PUBLIC_KEY_PREFIX: &str = "holdpoint-ed25519:";

/// The bytes of an Ed25519 signature.
pub(crate) type SignatureBytes = [u8; ed25519_dalek::SIGNATURE_LENGTH];

/// An Ed25519 public key that a single secret can stand behind.
///
/// INVARIANT (prime-order key): the point is in the prime-order group and is not the identity. Honest key
/// generation gives nothing else. It excludes keys that verify almost anything (small order) and the other
/// seven keys which the owner of a secret could derive from it and sign for (mixed order), and with them
/// every non-canonical encoding. So two keys with different bytes are two keys.
///
/// The text form is `holdpoint-ed25519:` and the standard base64 of the 32 bytes.
#[derive(Clone)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Takes the 32 bytes of RFC 8032, section 5.1.5.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<PublicKey, FormatError> {
        match VerifyingKey::from_bytes(bytes) {
            Ok(key) if !key.is_weak() && key.to_edwards().is_torsion_free() => Ok(PublicKey(key)),
            Ok(_) | Err(_) => {
                Err(FormatError::Rule { what: "public key", rule: "a point of the prime-order group of Ed25519" })
            }
        }
    }

    /// The public half of a secret. It is a multiple of the base point, so the invariant holds.
    #[cfg(feature = "sign")]
    pub(crate) fn of_secret(secret: &ed25519_dalek::SigningKey) -> PublicKey {
        PublicKey(secret.verifying_key())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The id under which envelopes and records name this key.
    pub fn id(&self) -> KeyId {
        KeyId(Digest::of(self.as_bytes()))
    }

    /// Whether `signature` is this key's over `message`. Strict: the scalar is reduced, the nonce point is
    /// not of small order, and the equation holds without the cofactor, so every implementation that is as
    /// strict agrees.
    pub(crate) fn verifies(&self, message: &[u8], signature: &SignatureBytes) -> bool {
        self.0.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &PublicKey) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for PublicKey {}

impl PartialOrd for PublicKey {
    fn partial_cmp(&self, other: &PublicKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PublicKey {
    fn cmp(&self, other: &PublicKey) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&text_of_32_bytes(PUBLIC_KEY_PREFIX, self.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<PublicKey, FormatError> {
        let bytes = read_32_bytes(PUBLIC_KEY_PREFIX, text).ok_or(FormatError::Rule {
            what: "public key",
            rule: "`holdpoint-ed25519:` followed by 32 bytes in standard base64",
        })?;
        PublicKey::from_bytes(&bytes)
    }
}

text_in_json!(PublicKey);

/// The SHA-256 of a public key's 32 bytes, as lower-case hexadecimal digits.
///
/// Inside an envelope it is a hint that nothing depends on. Outside it is a short name for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(Digest);

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for KeyId {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<KeyId, FormatError> {
        text.parse().map(KeyId)
    }
}

text_in_json!(KeyId);

/// The text form of a key: what it is, then its bytes.
pub(crate) fn text_of_32_bytes(prefix: &str, bytes: &[u8; 32]) -> String {
    let mut text = String::from(prefix);
    STANDARD.encode_string(bytes, &mut text);
    text
}

/// Reads a key's text form. The bytes may be a secret, so no copy stays behind.
pub(crate) fn read_32_bytes(prefix: &str, text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let bytes = Zeroizing::new(STANDARD.decode(text.strip_prefix(prefix)?).ok()?);
    let mut array = Zeroizing::new([0; 32]);
    if bytes.len() != array.len() {
        return None;
    }
    array.copy_from_slice(&bytes);
    Some(array)
}

#[cfg(test)]
mod tests;
