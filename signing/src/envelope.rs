//! The DSSE envelope (secure-systems-lab/dsse, `protocol.md` 1.0.0): bytes, their type, and signatures over
//! both.
//!
//! It must never hand out a payload that no given key has signed, and must never let a `keyid` decide
//! anything.

use crate::json::{self, Object};
use crate::key::SignatureBytes;
use crate::limits::{ENVELOPE_BYTES_MAX, KEY_HINT_BYTES_MAX, SIGNATURES_MAX, TRUST_ENVELOPE_BYTES_MAX};
use crate::{FormatError, PublicKey, VerifyError};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The type of payload of a statement about a component.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
/// The type of payload of a trust document.
pub const TRUST_PAYLOAD_TYPE: &str = "application/vnd.holdpoint.trust+json";
/// The type of payload of a delegation.
pub const DELEGATION_PAYLOAD_TYPE: &str = "application/vnd.holdpoint.delegation+json";

/// What a payload is. A signature holds for one of them only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A statement about a component.
    Statement,
    /// A trust document.
    Trust,
    /// A delegation.
    Delegation,
}

impl Kind {
    pub(crate) fn payload_type(self) -> &'static str {
        match self {
            Kind::Statement => PAYLOAD_TYPE,
            Kind::Trust => TRUST_PAYLOAD_TYPE,
            Kind::Delegation => DELEGATION_PAYLOAD_TYPE,
        }
    }

    /// Bytes of an envelope's text.
    fn bytes_max(self) -> usize {
        match self {
            Kind::Statement | Kind::Delegation => ENVELOPE_BYTES_MAX,
            Kind::Trust => TRUST_ENVELOPE_BYTES_MAX,
        }
    }
}

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
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    kind: Kind,
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
    pub(crate) fn parse(kind: Kind, text: &str) -> Result<Envelope, VerifyError> {
        if text.len() > kind.bytes_max() {
            return Err(VerifyError::TooLarge { what: "envelope", bytes_max: kind.bytes_max() });
        }
        let wire: EnvelopeJson = json::read("envelope", text.as_bytes()).map_err(VerifyError::MalformedEnvelope)?;
        let envelope = Envelope::from_json(kind, &wire).map_err(VerifyError::MalformedEnvelope)?;
        if wire.payload_type != kind.payload_type() {
            return Err(VerifyError::WrongPayloadType { wanted: kind.payload_type() });
        }
        Ok(envelope)
    }

    fn from_json(kind: Kind, wire: &EnvelopeJson) -> Result<Envelope, FormatError> {
        if wire.signatures.len() > SIGNATURES_MAX {
            return Err(FormatError::TooMany { what: "signatures", max: SIGNATURES_MAX });
        }
        let payload = decode(&wire.payload)
            .ok_or(FormatError::Rule { what: "`payload`", rule: "canonical base64 with padding" })?;
        let signatures = wire.signatures.iter().map(signature).collect::<Result<_, _>>()?;
        Ok(Envelope { kind, payload, signatures })
    }

    /// Tries every key on every signature and gives the payload out if one of them holds.
    ///
    /// The signed type is the constant of this crate, not the envelope's field, so a signature that was made
    /// over the same bytes as another type can never count here.
    pub(crate) fn open<'k>(self, keys: &BTreeSet<&'k PublicKey>) -> Result<Signed<'k>, VerifyError> {
        let message = pae(self.kind.payload_type(), &self.payload);
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
