//! Making keys and signatures, for publishers and release builds (cargo feature `sign`).
//!
//! It must never write a statement that verification would call malformed, must never print a secret unasked,
//! and must never be part of the deciding host.

use crate::envelope::{EnvelopeJson, Kind, SignatureJson, pae};
use crate::json::{self, Object};
use crate::key::{read_32_bytes, text_of_32_bytes};
use crate::limits::SIGNATURES_MAX;
use crate::{Delegation, FormatError, KeyId, PublicKey, Statement, TrustDocument};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

const SECRET_KEY_PREFIX: &str = "holdpoint-ed25519-secret:";

/// An Ed25519 secret key: a 32-byte seed, wiped from memory when dropped.
///
/// The text form is `holdpoint-ed25519-secret:` and the standard base64 of the seed. There is no `Display`,
/// so that it takes a named call to write it out.
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// Makes a key from the operating system's randomness.
    pub fn generate() -> Result<SecretKey, SignError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut_slice()).map_err(SignError::Randomness)?;
        Ok(SecretKey(SigningKey::from_bytes(&seed)))
    }

    /// The public half.
    pub fn public_key(&self) -> PublicKey {
        PublicKey::of_secret(&self.0)
    }

    /// The text form, wiped when dropped. Whoever reads it can sign.
    pub fn to_secret_text(&self) -> Zeroizing<String> {
        Zeroizing::new(text_of_32_bytes(SECRET_KEY_PREFIX, self.0.as_bytes()))
    }
}

impl FromStr for SecretKey {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<SecretKey, FormatError> {
        let seed = read_32_bytes(SECRET_KEY_PREFIX, text).ok_or(FormatError::Rule {
            what: "secret key",
            rule: "`holdpoint-ed25519-secret:` followed by 32 bytes in standard base64",
        })?;
        Ok(SecretKey(SigningKey::from_bytes(&seed)))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKey(of {})", self.public_key())
    }
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The statement would be refused by every reader.
    #[error("the statement cannot be signed: {0}")]
    Statement(#[source] FormatError),
    /// There is no key to sign with, or more than an envelope may hold.
    #[error("an envelope holds 1 to {SIGNATURES_MAX} signatures, asked for {found}")]
    KeyCount {
        /// Keys that were given.
        found: usize,
    },
    /// A key was given twice. It would count once, so this is a mistake worth showing.
    #[error("the key with the id {0} is given twice")]
    SameKey(KeyId),
    /// The operating system gave no randomness.
    #[error("no randomness for a new key")]
    Randomness(#[source] getrandom::Error),
}

/// Signs `statement` with every key and returns the text of the envelope.
///
/// ```
/// use holdpoint_signing::*;
///
/// let component = b"\0asm";
/// let secret = SecretKey::generate()?;
/// let statement = Statement {
///     name: "shell".parse()?,
///     component: Digest::of(component),
///     version: "0.1.0".parse()?,
///     release: 1,
///     contract: CONTRACT.parse()?,
///     not_before_s: 0,
///     expires_s: None,
///     required_features: vec![],
/// };
/// let envelope = sign(&statement, &[&secret])?;
///
/// let pin = Pin { component: Digest::of(component), key: secret.public_key() };
/// assert_eq!(verify_pinned(component, &envelope, &pin, 1_800_000_000)?.statement(), &statement);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sign(statement: &Statement, keys: &[&SecretKey]) -> Result<String, SignError> {
    sign_payload(Kind::Statement, &statement.to_payload().map_err(SignError::Statement)?, keys)
}

/// Signs a trust document with every key and returns the text of the envelope.
pub fn sign_trust(document: &TrustDocument, keys: &[&SecretKey]) -> Result<String, SignError> {
    sign_payload(Kind::Trust, &document.to_payload().map_err(SignError::Statement)?, keys)
}

/// Signs a delegation with every key and returns the text of the envelope.
pub fn sign_delegation(delegation: &Delegation, keys: &[&SecretKey]) -> Result<String, SignError> {
    sign_payload(Kind::Delegation, &delegation.to_payload().map_err(SignError::Statement)?, keys)
}

fn sign_payload(kind: Kind, payload: &str, keys: &[&SecretKey]) -> Result<String, SignError> {
    if keys.is_empty() || keys.len() > SIGNATURES_MAX {
        return Err(SignError::KeyCount { found: keys.len() });
    }
    let message = pae(kind.payload_type(), payload.as_bytes());
    let mut seen = BTreeSet::new();
    let mut signatures = Vec::with_capacity(keys.len());
    for key in keys {
        let id = key.public_key().id();
        if !seen.insert(id) {
            return Err(SignError::SameKey(id));
        }
        let sig = STANDARD.encode(key.0.sign(&message).to_bytes());
        signatures.push(Object(SignatureJson { keyid: id.to_string(), sig }));
    }
    let payload_type = kind.payload_type().to_owned();
    let envelope = EnvelopeJson { payload: STANDARD.encode(payload), payload_type, signatures };
    json::write("envelope", &envelope).map_err(SignError::Statement)
}

#[cfg(test)]
mod tests;
