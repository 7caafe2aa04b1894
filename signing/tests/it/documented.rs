//! The example in the README, byte for byte, so that another implementation can start from it.

use crate::support::Outcome;
use holdpoint_signing::{
    CONTRACT, Delegation, Digest, FormatError, PublisherEntry, Revocations, SecretKey, Statement, TrustDocument,
    TrustSet, authority_of, sign, sign_delegation, sign_trust, verify,
};
use std::num::NonZeroU8;

const README: &str = include_str!("../../README.md");

/// The fenced block that follows the marker.
fn block(marker: &str) -> Result<&'static str, String> {
    let (_, rest) = README.split_once(marker).ok_or(format!("no {marker}"))?;
    let (_, rest) = rest.split_once("```").and_then(|(_, rest)| rest.split_once('\n')).ok_or("no block")?;
    let (block, _) = rest.split_once("\n```").ok_or("no end of block")?;
    Ok(block)
}

#[test]
fn the_documented_envelope_is_what_is_written_and_verified() -> Outcome {
    let component = b"\0asm\x0d\0\x01\0";
    let statement = Statement {
        name: "shell".parse()?,
        component: Digest::of(component),
        version: "0.1.0".parse()?,
        release: 1,
        contract: CONTRACT.parse()?,
        not_before_s: 1_700_000_000,
        expires_s: Some(1_900_000_000),
        required_features: vec![],
    };
    let secret: SecretKey = block("<!-- example: secret -->")?.parse()?;
    let envelope = sign(&statement, &[&secret])?;
    assert_eq!(envelope, block("<!-- example: envelope -->")?);
    assert_eq!(crate::support::payload_of(&envelope)?, block("<!-- example: payload -->")?);
    assert_eq!(secret.public_key().to_string(), block("<!-- example: public key -->")?);

    let trust = TrustSet::from_json(block("<!-- example: trust set -->")?)?;
    assert_eq!(verify(component, &envelope, &trust, 1_800_000_000)?.statement(), &statement);
    Ok(())
}

#[test]
fn the_trust_document_and_the_delegation_of_the_readme_are_what_is_written() -> Outcome {
    let secret: SecretKey = block("<!-- example: secret -->")?.parse()?;
    let key = secret.public_key();
    let one = NonZeroU8::MIN;
    let publisher = |name: &str, names: &[&str]| -> Result<PublisherEntry, FormatError> {
        Ok(PublisherEntry {
            publisher: name.parse()?,
            keys: vec![key.clone()],
            names: names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
            distinct_keys: one,
            not_before_s: 1_700_000_000,
            expires_s: 1_900_000_000,
        })
    };
    let authority = authority_of(std::slice::from_ref(&key), one);
    let document = TrustDocument {
        authority,
        version: 1,
        not_before_s: 1_700_000_000,
        expires_s: 1_900_000_000,
        root_keys: vec![key.clone()],
        root_distinct_keys: one,
        publishers: vec![publisher("acme", &["shell", "acme-*"])?],
        revoked: Revocations::default(),
    };
    let written = crate::support::payload_of(&sign_trust(&document, &[&secret])?)?;
    assert_eq!(written, block("<!-- example: trust document -->")?);
    let delegation = Delegation { authority, from: "acme".parse()?, to: publisher("acme-tools", &["acme-tools-*"])? };
    let written = crate::support::payload_of(&sign_delegation(&delegation, &[&secret])?)?;
    assert_eq!(written, block("<!-- example: delegation -->")?);
    Ok(())
}
