//! What a good signature does not buy: other names, other times, other hosts.

use crate::support::{
    COMPONENT, EXPIRES_S, IN_TOTO, NOT_BEFORE_S, NOW_S, Outcome, acme, entry, envelope, payload_of, secret, statement,
    trust, verify_now,
};
use holdpoint_signing::{
    Digest, FormatError, KNOWN_FEATURES, Pin, Statement, TrustSet, VerifyError, VocabularyName, sign, verify,
    verify_pinned,
};

#[test]
fn a_statement_holds_from_its_first_second_until_before_its_last() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    let at = |now_s| Ok::<_, Box<dyn std::error::Error>>(verify(COMPONENT, &signed, &acme()?, now_s));
    for now_s in [NOT_BEFORE_S, EXPIRES_S - 1] {
        assert!(at(now_s)?.is_ok(), "{now_s}");
    }
    for now_s in [0, NOT_BEFORE_S - 1] {
        assert_eq!(at(now_s)?, Err(VerifyError::NotYetValid { not_before_s: NOT_BEFORE_S, now_s }));
    }
    for now_s in [EXPIRES_S, u64::MAX] {
        assert_eq!(at(now_s)?, Err(VerifyError::Expired { expires_s: EXPIRES_S, now_s }));
    }
    Ok(())
}

#[test]
fn a_publisher_cannot_sign_for_ever() -> Outcome {
    let endless = Statement { expires_s: None, ..statement()? };
    assert_eq!(verify_now(&sign(&endless, &[&secret(1)?])?, &acme()?), Err(VerifyError::NoExpiry));
    Ok(())
}

#[test]
fn a_pinned_component_keeps_the_times_it_has() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    let pin = Pin { component: Digest::of(COMPONENT), key: secret(1)?.public_key() };
    let at = |now_s| verify_pinned(COMPONENT, &signed, &pin, now_s);
    assert!(at(NOW_S).is_ok());
    assert!(matches!(at(EXPIRES_S), Err(VerifyError::Expired { .. })));
    assert!(matches!(at(NOT_BEFORE_S - 1), Err(VerifyError::NotYetValid { .. })));
    Ok(())
}

#[test]
fn a_publisher_cannot_speak_for_a_name_that_is_not_theirs() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    for names in [&["git"][..], &["shell-*"], &["shel"], &["shells", "s-*"], &[]] {
        let set = TrustSet::new(vec![entry("acme", &secret(1)?, names)?], vec![])?;
        assert_eq!(verify_now(&signed, &set), Err(VerifyError::WrongName { name: "shell".parse()? }));
    }
    for names in [&["shell"][..], &["git", "sh*"]] {
        let set = TrustSet::new(vec![entry("acme", &secret(1)?, names)?], vec![])?;
        assert!(verify_now(&signed, &set).is_ok());
    }
    Ok(())
}

#[test]
fn a_vocabulary_for_another_contract_is_refused() -> Outcome {
    for contract in ["holdpoint:vocabulary@0.2.0", "holdpoint:vocabulary", "other:vocabulary@0.1.0"] {
        let other = Statement { contract: contract.parse()?, ..statement()? };
        let refused = verify_now(&sign(&other, &[&secret(1)?])?, &acme()?);
        assert_eq!(refused, Err(VerifyError::WrongContract { contract: other.contract }));
    }
    Ok(())
}

#[test]
fn a_vocabulary_that_requires_an_unknown_feature_is_refused() -> Outcome {
    assert!(!KNOWN_FEATURES.contains(&"time-travel"));
    let other = Statement { required_features: vec!["time-travel".parse()?], ..statement()? };
    let refused = verify_now(&sign(&other, &[&secret(1)?])?, &acme()?);
    assert_eq!(refused, Err(VerifyError::UnknownFeature { feature: "time-travel".parse()? }));
    Ok(())
}

#[test]
fn the_subject_and_the_predicate_cannot_name_two_vocabularies() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    let two = payload.replacen("shell", "git", 1);
    let set = trust(vec![entry("acme", &secret(1)?, &["shell", "git"])?], 1)?;
    let refused = verify_now(&envelope(IN_TOTO, &two, &[("", 1)]), &set);
    assert!(matches!(refused, Err(VerifyError::BadStatement(_))), "{refused:?}");
    Ok(())
}

#[test]
fn every_refusal_says_what_to_do_next() -> Outcome {
    let (name, digest) = ("shell".parse::<VocabularyName>()?, Digest::of(b""));
    let reason = FormatError::Rule { what: "`payload`", rule: "something else" };
    let refusals = [
        VerifyError::TooLarge { what: "component", bytes_max: 1 },
        VerifyError::MalformedEnvelope(reason.clone()),
        VerifyError::WrongPayloadType { wanted: holdpoint_signing::PAYLOAD_TYPE },
        VerifyError::NoTrustedSignature,
        VerifyError::BadStatement(reason),
        VerifyError::WrongContract { contract: "other".parse()? },
        VerifyError::UnknownFeature { feature: "other".parse()? },
        VerifyError::WrongDigest { stated: digest, found: digest },
        VerifyError::NotPinned { pinned: digest, found: digest },
        VerifyError::WrongName { name: name.clone() },
        VerifyError::ThresholdNotReached { name, needed: 2, found: 1 },
        VerifyError::NotYetValid { not_before_s: 2, now_s: 1 },
        VerifyError::Expired { expires_s: 1, now_s: 2 },
        VerifyError::NoExpiry,
    ];
    for refusal in refusals {
        for text in [refusal.to_string(), refusal.help().to_owned()] {
            assert!(text.starts_with(|first: char| first.is_ascii_lowercase()), "{text}");
            assert!(!text.ends_with('.'), "{text}");
        }
    }
    Ok(())
}
