//! The DSSE envelope (secure-systems-lab/dsse, `protocol.md` 1.0.0): bytes, their type, and signatures over
//! both.
//!
//! It must never hand out a payload that no given key has signed, and must never let a `keyid` decide
//! anything.

use crate::json::{self, Object};
use crate::key::SignatureBytes;
use crate::limits::{ENVELOPE_BYTES_MAX, KEY_HINT_BYTES_MAX, SIGNATURES_MAX};
use crate::{FormatError, PublicKey, VerifyError};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The only type of payload that this crate signs and accepts.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// The envelope as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct EnvelopeJson {
    pub(crate) payload: String,
    pub(crate) payload_type: String,
    pub(crate) signatures: Vec<Object<SignatureJson>>,
}

/// A signature as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignatureJson {
    #[serde(default)]
    pub(crate) keyid: String,
    pub(crate) sig: String,
}

/// An envelope of the right shape and type. Nothing in it is trusted yet, and its payload cannot be seen.
#[derive(Debug)]
pub(crate) struct Envelope {
    payload: Vec<u8>,
    signatures: Vec<SignatureBytes>,
}

/// A payload that at least one of the given keys has signed.
#[derive(Debug)]
pub(crate) struct Signed<'k> {
    /// The signed bytes.
    pub(crate) payload: Vec<u8>,
    /// The keys that signed them, each once. Never empty.
    pub(crate) keys: BTreeSet<&'k PublicKey>,
}

impl Envelope {
    /// Reads the shape: size, JSON, bounds, base64. Key ids are measured and dropped.
    pub(crate) fn parse(text: &str) -> Result<Envelope, VerifyError> {
        if text.len() > ENVELOPE_BYTES_MAX {
            return Err(VerifyError::TooLarge { what: "envelope", bytes_max: ENVELOPE_BYTES_MAX });
        }
        let wire: EnvelopeJson = json::read("envelope", text.as_bytes()).map_err(VerifyError::MalformedEnvelope)?;
        let envelope = Envelope::from_json(&wire).map_err(VerifyError::MalformedEnvelope)?;
        if wire.payload_type != PAYLOAD_TYPE {
            return Err(VerifyError::WrongPayloadType);
        }
        Ok(envelope)
    }

    fn from_json(wire: &EnvelopeJson) -> Result<Envelope, FormatError> {
        if wire.signatures.len() > SIGNATURES_MAX {
            return Err(FormatError::TooMany { what: "signatures", max: SIGNATURES_MAX });
        }
        let payload = decode(&wire.payload)
            .ok_or(FormatError::Rule { what: "`payload`", rule: "canonical base64 with padding" })?;
        let signatures = wire.signatures.iter().map(signature).collect::<Result<_, _>>()?;
        Ok(Envelope { payload, signatures })
    }

    /// Tries every key on every signature and gives the payload out if one of them holds.
    ///
    /// The signed type is the constant of this crate, not the envelope's field, so a signature that was made
    /// over the same bytes as another type can never count here.
    pub(crate) fn open<'k>(self, keys: &BTreeSet<&'k PublicKey>) -> Result<Signed<'k>, VerifyError> {
        let message = pae(PAYLOAD_TYPE, &self.payload);
        let signed = |key: &&PublicKey| self.signatures.iter().any(|sig| key.verifies(&message, sig));
        let keys: BTreeSet<&PublicKey> = keys.iter().copied().filter(signed).collect();
        if keys.is_empty() {
            return Err(VerifyError::NoTrustedSignature);
        }
        Ok(Signed { payload: self.payload, keys })
    }
}

fn signature(Object(wire): &Object<SignatureJson>) -> Result<SignatureBytes, FormatError> {
    if wire.keyid.len() > KEY_HINT_BYTES_MAX {
        return Err(FormatError::TooMany { what: "bytes of `keyid`", max: KEY_HINT_BYTES_MAX });
    }
    decode(&wire.sig)
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(FormatError::Rule { what: "`sig`", rule: "64 bytes in canonical base64 with padding" })
}

/// DSSE's pre-authentication encoding: what is signed. The lengths make it injective, so no type and payload
/// can be shifted into another pair with the same bytes.
pub(crate) fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    let mut encoded = head.into_bytes();
    encoded.extend_from_slice(payload);
    encoded
}

/// Decodes either alphabet, as DSSE demands, but never a mixture, missing padding or stray bits.
fn decode(text: &str) -> Option<Vec<u8>> {
    let engine = if text.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    engine.decode(text).ok()
}

#[cfg(test)]
mod tests;
