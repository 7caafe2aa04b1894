//! A small world to attack: a component, two publishers, and a signer that knows nothing of the crate's own
//! writer.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use holdpoint_signing::{
    CONTRACT, Digest, FormatError, SecretKey, Statement, Threshold, TrustSet, TrustedKey, Verified, VerifyError, verify,
};
use std::error::Error;
use std::num::NonZeroU8;

pub(crate) type Outcome = Result<(), Box<dyn Error>>;

pub(crate) const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0 the rest of a component, every byte of which is signed for";
pub(crate) const NOT_BEFORE_S: u64 = 1_700_000_000;
pub(crate) const NOW_S: u64 = 1_800_000_000;
pub(crate) const EXPIRES_S: u64 = 1_900_000_000;
pub(crate) const IN_TOTO: &str = "application/vnd.in-toto+json";

/// The secret whose seed is 32 times `fill`.
pub(crate) fn secret(fill: u8) -> Result<SecretKey, FormatError> {
    format!("holdpoint-ed25519-secret:{}", STANDARD.encode([fill; 32])).parse()
}

/// A statement about [`COMPONENT`] under the name `shell`.
pub(crate) fn statement() -> Result<Statement, FormatError> {
    Ok(Statement {
        name: "shell".parse()?,
        component: Digest::of(COMPONENT),
        version: "0.1.0".parse()?,
        release: 1,
        contract: CONTRACT.parse()?,
        not_before_s: NOT_BEFORE_S,
        expires_s: Some(EXPIRES_S),
        required_features: vec![],
    })
}

/// An entry of a trust set.
pub(crate) fn entry(publisher: &str, secret: &SecretKey, names: &[&str]) -> Result<TrustedKey, FormatError> {
    Ok(TrustedKey {
        publisher: publisher.parse()?,
        key: secret.public_key(),
        names: names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
    })
}

/// A trust set in which `shell` needs `distinct_keys` of `entries`.
pub(crate) fn trust(entries: Vec<TrustedKey>, distinct_keys: u8) -> Result<TrustSet, Box<dyn Error>> {
    let rule = Threshold { names: "shell".parse()?, distinct_keys: NonZeroU8::try_from(distinct_keys)? };
    Ok(TrustSet::new(entries, vec![rule])?)
}

/// The usual trust set: one publisher, one key (seed 1), the name `shell`.
pub(crate) fn acme() -> Result<TrustSet, Box<dyn Error>> {
    trust(vec![entry("acme", &secret(1)?, &["shell"])?], 1)
}

/// Verifies [`COMPONENT`] at [`NOW_S`].
pub(crate) fn verify_now(envelope: &str, trust: &TrustSet) -> Result<Verified, VerifyError> {
    verify(COMPONENT, envelope, trust, NOW_S)
}

/// Signs any bytes as any type with the seeds, straight from the DSSE document and without the crate's
/// writer.
///
/// Each signature comes with its own `keyid`.
pub(crate) fn envelope(payload_type: &str, payload: &str, signers: &[(&str, u8)]) -> String {
    let signatures: Vec<String> = signers
        .iter()
        .map(|(keyid, fill)| {
            let sig = STANDARD.encode(raw_signature(payload_type, payload, *fill));
            format!(r#"{{"keyid":"{keyid}","sig":"{sig}"}}"#)
        })
        .collect();
    format!(
        r#"{{"payload":"{}","payloadType":"{payload_type}","signatures":[{}]}}"#,
        STANDARD.encode(payload),
        signatures.join(",")
    )
}

/// An Ed25519 signature over DSSE's encoding.
pub(crate) fn raw_signature(payload_type: &str, payload: &str, fill: u8) -> [u8; 64] {
    use ed25519_dalek::Signer as _;
    let message = format!("DSSEv1 {} {payload_type} {} {payload}", payload_type.len(), payload.len());
    ed25519_dalek::SigningKey::from_bytes(&[fill; 32]).sign(message.as_bytes()).to_bytes()
}

/// The payload inside an envelope.
pub(crate) fn payload_of(envelope: &str) -> Result<String, Box<dyn Error>> {
    let json: serde_json::Value = serde_json::from_str(envelope)?;
    let payload = json.get("payload").and_then(|payload| payload.as_str()).ok_or("no payload")?;
    Ok(String::from_utf8(STANDARD.decode(payload)?)?)
}
