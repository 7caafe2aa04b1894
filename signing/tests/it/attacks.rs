//! What somebody would do who wants a component loaded that nobody trusted has signed for.

use crate::support::{
    COMPONENT, IN_TOTO, NOW_S, Outcome, acme, entry, envelope, payload_of, secret, statement, trust, verify_now,
};
use holdpoint_signing::{Digest, Grounds, Pin, Statement, VerifyError, sign, verify, verify_pinned};

#[test]
fn an_honest_component_is_verified() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    let verified = verify_now(&signed, &acme()?)?;
    assert_eq!(verified.statement(), &statement()?);
    assert_eq!(verified.component_digest(), Digest::of(COMPONENT));
    assert_eq!(verified.grounds(), Grounds::TrustSet);
    let [signer] = verified.signers() else {
        return Err("one signer".into());
    };
    assert_eq!(signer.key_id, secret(1)?.public_key().id());
    assert_eq!(signer.publishers, ["acme".parse()?]);
    Ok(())
}

#[test]
fn a_component_with_one_appended_byte_is_refused() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    for byte in 0..=u8::MAX {
        let appended = [COMPONENT, &[byte]].concat();
        let refused = verify(&appended, &signed, &acme()?, NOW_S);
        assert!(matches!(refused, Err(VerifyError::WrongDigest { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn a_component_cut_at_any_length_is_refused() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    for len in 0..COMPONENT.len() {
        let cut = COMPONENT.get(..len).unwrap_or_default();
        let refused = verify(cut, &signed, &acme()?, NOW_S);
        assert!(matches!(refused, Err(VerifyError::WrongDigest { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn a_component_with_any_flipped_bit_is_refused() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    for flipped in with_each_bit_flipped(COMPONENT) {
        let refused = verify(&flipped, &signed, &acme()?, NOW_S);
        assert!(matches!(refused, Err(VerifyError::WrongDigest { .. })), "{refused:?}");
    }
    Ok(())
}

/// A flip in a `keyid` changes a hint and nothing else. Every other flip is refused, wherever it is.
#[test]
fn an_envelope_with_a_flipped_bit_is_refused_or_means_the_same() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    let honest = verify_now(&signed, &acme()?)?;
    let key_id = secret(1)?.public_key().id().to_string();
    let hint = signed.find(&key_id).ok_or("no key id")?;
    let hint = hint..hint + key_id.len();
    let mut accepted = 0;
    for (index, flipped) in with_each_bit_flipped(signed.as_bytes()).enumerate() {
        let Ok(text) = String::from_utf8(flipped) else {
            continue;
        };
        if let Ok(verified) = verify_now(&text, &acme()?) {
            assert_eq!(verified, honest);
            assert!(hint.contains(&(index / 8)), "byte {}", index / 8);
            accepted += 1;
        }
    }
    assert!(accepted > 0, "the hint is not tried");
    Ok(())
}

#[test]
fn an_envelope_cut_at_any_length_is_malformed() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    for len in 0..signed.len() {
        let refused = verify_now(signed.get(..len).unwrap_or_default(), &acme()?);
        assert!(matches!(refused, Err(VerifyError::MalformedEnvelope(_))), "{refused:?}");
    }
    Ok(())
}

#[test]
fn an_envelope_without_signatures_is_refused() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    assert_eq!(verify_now(&envelope(IN_TOTO, &payload, &[]), &acme()?), Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn a_signature_by_another_key_is_refused_even_under_the_trusted_keys_id() -> Outcome {
    let signed = sign(&statement()?, &[&secret(2)?])?;
    assert_eq!(verify_now(&signed, &acme()?), Err(VerifyError::NoTrustedSignature));
    let trusted_id = secret(1)?.public_key().id().to_string();
    let relabelled = signed.replace(&secret(2)?.public_key().id().to_string(), &trusted_id);
    assert_ne!(relabelled, signed);
    assert_eq!(verify_now(&relabelled, &acme()?), Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn nobody_is_trusted_by_an_empty_trust_set() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    assert_eq!(verify_now(&signed, &trust(vec![], 1)?), Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn a_good_signature_counts_under_any_key_id_or_none() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    let wrong_id = secret(2)?.public_key().id().to_string();
    for keyid in ["", "nonsense", wrong_id.as_str()] {
        assert!(verify_now(&envelope(IN_TOTO, &payload, &[(keyid, 1)]), &acme()?).is_ok(), "{keyid:?}");
    }
    Ok(())
}

#[test]
fn another_payload_type_is_refused_although_it_is_signed() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    for payload_type in ["application/json", "application/vnd.in-toto+json ", "Application/vnd.in-toto+json", ""] {
        let refused = verify_now(&envelope(payload_type, &payload, &[("", 1)]), &acme()?);
        assert_eq!(refused, Err(VerifyError::WrongPayloadType { wanted: IN_TOTO }), "{payload_type:?}");
    }
    Ok(())
}

#[test]
fn a_signature_made_for_another_payload_type_does_not_count_for_a_statement() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    let relabelled = envelope("application/json", &payload, &[("", 1)]).replace("application/json", IN_TOTO);
    assert_eq!(verify_now(&relabelled, &acme()?), Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn a_signature_over_the_payload_alone_does_not_count() -> Outcome {
    use base64::Engine as _;
    use ed25519_dalek::Signer as _;
    let signed = sign(&statement()?, &[&secret(1)?])?;
    let payload = payload_of(&signed)?;
    let bare = ed25519_dalek::SigningKey::from_bytes(&[1; 32]).sign(payload.as_bytes()).to_bytes();
    let honest = crate::support::raw_signature(IN_TOTO, &payload, 1);
    let base64 = base64::engine::general_purpose::STANDARD;
    let swapped = signed.replace(&base64.encode(honest), &base64.encode(bare));
    assert_ne!(swapped, signed);
    assert_eq!(verify_now(&swapped, &acme()?), Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn the_signature_of_one_statement_does_not_count_for_another() -> Outcome {
    let older = sign(&statement()?, &[&secret(1)?])?;
    let newer = sign(&Statement { release: 2, ..statement()? }, &[&secret(1)?])?;
    let mut spliced: serde_json::Value = serde_json::from_str(&newer)?;
    let donor: serde_json::Value = serde_json::from_str(&older)?;
    let object = spliced.as_object_mut().ok_or("no object")?;
    object.insert("signatures".to_owned(), donor.get("signatures").ok_or("no signatures")?.clone());
    assert_eq!(verify_now(&spliced.to_string(), &acme()?), Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn the_statement_of_another_component_does_not_cover_this_one() -> Outcome {
    let other = Statement { component: Digest::of(b"another component"), ..statement()? };
    let refused = verify_now(&sign(&other, &[&secret(1)?])?, &acme()?);
    let (stated, found) = (other.component, Digest::of(COMPONENT));
    assert_eq!(refused, Err(VerifyError::WrongDigest { stated, found }));
    Ok(())
}

#[test]
fn a_signed_payload_that_is_no_statement_is_refused() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    for bad in [
        String::new(),
        "{}".to_owned(),
        format!("{payload} {payload}"),
        payload.replace("Statement/v1", "Statement/v2"),
        payload.replace(r#""release":1"#, r#""release":1,"release":2"#),
        payload.replace(r#""release":1"#, r#""release":1,"decision":"allow""#),
    ] {
        let refused = verify_now(&envelope(IN_TOTO, &bad, &[("", 1)]), &acme()?);
        assert!(matches!(refused, Err(VerifyError::BadStatement(_))), "{refused:?}");
    }
    Ok(())
}

/// The payload is no JSON at all, but that must not be known before somebody trusted has signed it.
#[test]
fn an_unsigned_payload_is_not_even_read() -> Outcome {
    let refused = verify_now(&envelope(IN_TOTO, "\u{0}not json", &[("", 2)]), &acme()?);
    assert_eq!(refused, Err(VerifyError::NoTrustedSignature));
    Ok(())
}

#[test]
fn a_key_listed_twice_does_not_reach_a_threshold_of_two() -> Outcome {
    let twice = vec![entry("acme", &secret(1)?, &["shell"])?, entry("acme-too", &secret(1)?, &["shell"])?];
    let refused = verify_now(&sign(&statement()?, &[&secret(1)?])?, &trust(twice, 2)?);
    let name = "shell".parse()?;
    assert_eq!(refused, Err(VerifyError::ThresholdNotReached { name, needed: 2, found: 1 }));
    Ok(())
}

#[test]
fn one_key_that_signs_twice_under_two_key_ids_does_not_reach_a_threshold_of_two() -> Outcome {
    let both = vec![entry("acme", &secret(1)?, &["shell"])?, entry("beta", &secret(2)?, &["shell"])?];
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    let (one, two) = (secret(1)?.public_key().id().to_string(), secret(2)?.public_key().id().to_string());
    for signers in [[(one.as_str(), 1), (two.as_str(), 1)], [("", 1), ("", 1)], [(one.as_str(), 1), (one.as_str(), 1)]]
    {
        let refused = verify_now(&envelope(IN_TOTO, &payload, &signers), &trust(both.clone(), 2)?);
        assert!(matches!(refused, Err(VerifyError::ThresholdNotReached { needed: 2, found: 1, .. })));
    }
    Ok(())
}

#[test]
fn a_trusted_key_for_another_name_does_not_help_to_reach_a_threshold() -> Outcome {
    let keys = vec![entry("acme", &secret(1)?, &["shell"])?, entry("beta", &secret(2)?, &["git", "shell-*"])?];
    let signed = sign(&statement()?, &[&secret(1)?, &secret(2)?])?;
    let refused = verify_now(&signed, &trust(keys, 2)?);
    assert!(matches!(refused, Err(VerifyError::ThresholdNotReached { needed: 2, found: 1, .. })), "{refused:?}");
    Ok(())
}

#[test]
fn two_distinct_keys_reach_a_threshold_of_two_among_useless_signatures() -> Outcome {
    let keys = vec![entry("acme", &secret(1)?, &["shell"])?, entry("beta", &secret(2)?, &["sh*"])?];
    let signed = sign(&statement()?, &[&secret(3)?, &secret(2)?, &secret(4)?, &secret(1)?])?;
    let verified = verify_now(&signed, &trust(keys, 2)?)?;
    let mut publishers: Vec<String> =
        verified.signers().iter().flat_map(|signer| &signer.publishers).map(ToString::to_string).collect();
    publishers.sort();
    assert_eq!(publishers, ["acme", "beta"]);
    Ok(())
}

#[test]
fn a_pin_accepts_one_file_and_one_key() -> Outcome {
    let endless = Statement { expires_s: None, ..statement()? };
    let signed = sign(&endless, &[&secret(1)?])?;
    let pin = Pin { component: Digest::of(COMPONENT), key: secret(1)?.public_key() };
    let verified = verify_pinned(COMPONENT, &signed, &pin, NOW_S)?;
    assert_eq!(verified.grounds(), Grounds::Pin);
    assert!(verified.signers().iter().all(|signer| signer.publishers.is_empty()));

    let other_key = Pin { key: secret(2)?.public_key(), ..pin.clone() };
    assert_eq!(verify_pinned(COMPONENT, &signed, &other_key, NOW_S), Err(VerifyError::NoTrustedSignature));
    let changed = [COMPONENT, b"\0"].concat();
    let refused = verify_pinned(&changed, &signed, &pin, NOW_S);
    assert!(matches!(refused, Err(VerifyError::WrongDigest { .. })), "{refused:?}");
    Ok(())
}

/// The release key has signed another file as well. It is still not the pinned one.
#[test]
fn a_pin_refuses_another_file_that_its_own_key_has_signed() -> Outcome {
    let other = b"an older component";
    let signed = sign(&Statement { component: Digest::of(other), ..statement()? }, &[&secret(1)?])?;
    let pin = Pin { component: Digest::of(COMPONENT), key: secret(1)?.public_key() };
    let (pinned, found) = (pin.component, Digest::of(other));
    assert_eq!(verify_pinned(other, &signed, &pin, NOW_S), Err(VerifyError::NotPinned { pinned, found }));
    Ok(())
}

fn with_each_bit_flipped(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    (0..bytes.len() * 8).map(|bit| {
        let mut flipped = bytes.to_vec();
        if let Some(byte) = flipped.get_mut(bit / 8) {
            *byte ^= 1 << (bit % 8);
        }
        flipped
    })
}
