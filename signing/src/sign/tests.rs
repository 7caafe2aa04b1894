//! Secrets: the published signatures come out of the published seeds, and no secret slips out.

use super::*;
use crate::{Digest, Statement};
use std::error::Error;

/// RFC 8032, section 7.1, TEST 1 to 3: seed, public key, message, signature.
#[rustfmt::skip]
const RFC_8032: [[&str; 4]; 3] = [
    ["9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"],
    ["4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"],
    ["c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"],
];

fn secret_from_hex(seed: &str) -> Result<SecretKey, Box<dyn Error>> {
    Ok(format!("{SECRET_KEY_PREFIX}{}", STANDARD.encode(hex::decode(seed)?)).parse()?)
}

fn statement() -> Result<Statement, FormatError> {
    Ok(Statement {
        name: "shell".parse()?,
        component: Digest::of(b"component"),
        version: "0.1.0".parse()?,
        release: 1,
        contract: crate::CONTRACT.parse()?,
        not_before_s: 0,
        expires_s: None,
        required_features: vec![],
    })
}

#[test]
fn the_seeds_of_rfc_8032_give_its_keys_and_signatures() -> Result<(), Box<dyn Error>> {
    for [seed, public, message, signature] in RFC_8032 {
        let secret = secret_from_hex(seed)?;
        assert_eq!(hex::encode(secret.public_key().as_bytes()), public);
        assert_eq!(hex::encode(secret.0.sign(&hex::decode(message)?).to_bytes()), signature);
    }
    Ok(())
}

#[test]
fn a_secret_shows_only_its_public_half_when_it_is_printed() -> Result<(), Box<dyn Error>> {
    let secret = SecretKey::generate()?;
    let printed = format!("{secret:?}");
    assert_eq!(printed, format!("SecretKey(of {})", secret.public_key()));
    assert!(!printed.contains(secret.to_secret_text().trim_start_matches(SECRET_KEY_PREFIX)));
    Ok(())
}

#[test]
fn a_secret_survives_its_text_and_no_two_are_alike() -> Result<(), Box<dyn Error>> {
    let (one, two) = (SecretKey::generate()?, SecretKey::generate()?);
    assert_eq!(one.to_secret_text().parse::<SecretKey>()?.public_key(), one.public_key());
    assert_ne!(one.public_key(), two.public_key());
    assert!(one.public_key().to_string().parse::<SecretKey>().is_err());
    assert!(one.to_secret_text().parse::<PublicKey>().is_err());
    Ok(())
}

#[test]
fn signing_with_no_key_too_many_or_one_key_twice_is_refused() -> Result<(), Box<dyn Error>> {
    let keys = (0..=SIGNATURES_MAX).map(|_| SecretKey::generate()).collect::<Result<Vec<_>, _>>()?;
    let keys: Vec<&SecretKey> = keys.iter().collect();
    let statement = statement()?;
    assert!(matches!(sign(&statement, &[]), Err(SignError::KeyCount { found: 0 })));
    assert!(matches!(sign(&statement, &keys), Err(SignError::KeyCount { found: 17 })));
    assert!(sign(&statement, keys.get(1..).unwrap_or_default()).is_ok());
    let [first, second, ..] = keys.as_slice() else {
        return Ok(());
    };
    assert!(matches!(sign(&statement, &[first, second, first]), Err(SignError::SameKey(_))));
    Ok(())
}

#[test]
fn a_statement_that_readers_refuse_is_not_signed() -> Result<(), Box<dyn Error>> {
    let secret = SecretKey::generate()?;
    let ends_before_it_starts = Statement { not_before_s: 5, expires_s: Some(5), ..statement()? };
    let refused = sign(&ends_before_it_starts, &[&secret]);
    assert!(matches!(refused, Err(SignError::Statement(FormatError::Rule { .. }))), "{refused:?}");
    Ok(())
}
