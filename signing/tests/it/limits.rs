//! Inputs at a bound, and just over it.

use crate::support::{COMPONENT, IN_TOTO, NOW_S, Outcome, acme, envelope, payload_of, secret, statement, verify_now};
use holdpoint_signing::limits::{COMPONENT_BYTES_MAX, ENVELOPE_BYTES_MAX, KEY_HINT_BYTES_MAX, SIGNATURES_MAX};
use holdpoint_signing::{Digest, FormatError, Statement, VerifyError, sign, verify};

#[test]
fn an_envelope_just_over_its_bound_is_refused() -> Outcome {
    let signed = sign(&statement()?, &[&secret(1)?])?;
    let fitting = format!("{signed}{}", " ".repeat(ENVELOPE_BYTES_MAX - signed.len()));
    assert!(verify_now(&fitting, &acme()?).is_ok());
    let refused = verify_now(&format!("{fitting} "), &acme()?);
    assert_eq!(refused, Err(VerifyError::TooLarge { what: "envelope", bytes_max: ENVELOPE_BYTES_MAX }));
    Ok(())
}

#[test]
fn a_component_just_over_its_bound_is_refused_before_it_is_hashed() -> Outcome {
    let over = vec![0; COMPONENT_BYTES_MAX + 1];
    let refused = verify(&over, "", &acme()?, NOW_S);
    assert_eq!(refused, Err(VerifyError::TooLarge { what: "component", bytes_max: COMPONENT_BYTES_MAX }));
    let refused = verify(over.get(1..).unwrap_or_default(), "", &acme()?, NOW_S);
    assert!(matches!(refused, Err(VerifyError::MalformedEnvelope(_))), "{refused:?}");
    Ok(())
}

#[test]
fn one_signature_too_many_is_refused() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    assert!(verify_now(&envelope(IN_TOTO, &payload, &[("", 1); SIGNATURES_MAX]), &acme()?).is_ok());
    let refused = verify_now(&envelope(IN_TOTO, &payload, &[("", 1); SIGNATURES_MAX + 1]), &acme()?);
    let reason = FormatError::TooMany { what: "signatures", max: SIGNATURES_MAX };
    assert_eq!(refused, Err(VerifyError::MalformedEnvelope(reason)));
    Ok(())
}

#[test]
fn a_key_id_one_byte_too_long_is_refused() -> Outcome {
    let payload = payload_of(&sign(&statement()?, &[&secret(1)?])?)?;
    let longest = "k".repeat(KEY_HINT_BYTES_MAX);
    assert!(verify_now(&envelope(IN_TOTO, &payload, &[(&longest, 1)]), &acme()?).is_ok());
    let refused = verify_now(&envelope(IN_TOTO, &payload, &[(&format!("{longest}k"), 1)]), &acme()?);
    assert!(matches!(refused, Err(VerifyError::MalformedEnvelope(FormatError::TooMany { .. }))), "{refused:?}");
    Ok(())
}

#[test]
fn the_largest_statement_fits_an_envelope_with_the_most_signatures() -> Outcome {
    let longest = "n".repeat(holdpoint_signing::limits::NAME_BYTES_MAX);
    let largest = Statement {
        name: longest.parse()?,
        component: Digest::of(COMPONENT),
        version: "1".repeat(holdpoint_signing::limits::VERSION_BYTES_MAX).parse()?,
        release: holdpoint_signing::limits::INTEGER_MAX,
        contract: "c".repeat(holdpoint_signing::limits::CONTRACT_BYTES_MAX).parse()?,
        not_before_s: 0,
        expires_s: Some(holdpoint_signing::limits::INTEGER_MAX),
        required_features: vec![longest.parse()?; holdpoint_signing::limits::FEATURES_MAX],
    };
    let secrets = (1..=SIGNATURES_MAX)
        .map(|fill| secret(u8::try_from(fill)?).map_err(Into::into))
        .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    let signed = sign(&largest, &secrets.iter().collect::<Vec<_>>())?;
    assert!(signed.len() <= ENVELOPE_BYTES_MAX);
    let refused = verify_now(&signed, &acme()?);
    assert!(matches!(refused, Err(VerifyError::WrongContract { .. })), "{refused:?}");
    Ok(())
}
