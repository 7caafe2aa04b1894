//! Laws that hold for every input, tried on random ones.

use crate::support::{COMPONENT, NOW_S, acme, entry, secret, statement, trust, verify_now};
use holdpoint_signing::{Digest, SecretKey, Statement, TrustSet, VerifyError, sign, verify};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::error::Error;

fn failed(error: impl Into<Box<dyn Error>>) -> TestCaseError {
    TestCaseError::fail(error.into().to_string())
}

fn secrets(fills: &[u8]) -> Result<Vec<SecretKey>, TestCaseError> {
    fills.iter().map(|fill| secret(*fill).map_err(failed)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is signed for and trusted is verified, and says what was signed.
    #[test]
    fn what_is_signed_is_what_is_verified(
        component in proptest::collection::vec(any::<u8>(), 0..200),
        name in "[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?",
        version in "[0-9][0-9A-Za-z.+-]{0,63}",
        release in 0..=holdpoint_signing::limits::INTEGER_MAX,
        not_before_s in 0..=NOW_S,
        lasts_s in 1..=NOW_S,
    ) {
        let said = Statement {
            name: name.parse().map_err(failed)?,
            component: Digest::of(&component),
            version: version.parse().map_err(failed)?,
            release,
            not_before_s,
            expires_s: Some(NOW_S + lasts_s),
            ..statement().map_err(failed)?
        };
        let secret = secret(1).map_err(failed)?;
        let keys = vec![entry("acme", &secret, &[&name]).map_err(failed)?];
        let set = TrustSet::new(keys, vec![]).map_err(failed)?;
        let signed = sign(&said, &[&secret]).map_err(failed)?;
        let verified = verify(&component, &signed, &set, NOW_S).map_err(failed)?;
        prop_assert_eq!(verified.statement(), &said);
    }

    /// A threshold is reached if and only if that many distinct keys are both listed and signing, however
    /// often each is listed or signs.
    #[test]
    fn a_threshold_counts_distinct_keys(
        listed in proptest::collection::vec(1_u8..6, 1..8),
        signing in proptest::collection::btree_set(1_u8..6, 1..5),
        needed in 1_u8..5,
    ) {
        let entries = secrets(&listed)?
            .iter()
            .enumerate()
            .map(|(index, secret)| entry(&format!("p{index}"), secret, &["shell"]).map_err(failed))
            .collect::<Result<Vec<_>, _>>()?;
        let set = trust(entries, needed).map_err(failed)?;
        let signing: Vec<u8> = signing.into_iter().collect();
        let keys = secrets(&signing)?;
        let signed = sign(&statement().map_err(failed)?, &keys.iter().collect::<Vec<_>>()).map_err(failed)?;
        let counting = listed.iter().filter(|fill| signing.contains(fill)).collect::<BTreeSet<_>>().len();
        match verify_now(&signed, &set) {
            Ok(verified) => {
                prop_assert!(counting >= usize::from(needed));
                prop_assert_eq!(verified.signers().len(), counting);
            }
            Err(VerifyError::ThresholdNotReached { found, .. }) => {
                prop_assert!(counting < usize::from(needed));
                prop_assert_eq!(found, counting);
            }
            Err(VerifyError::NoTrustedSignature) => prop_assert_eq!(counting, 0),
            Err(other) => return Err(failed(other)),
        }
    }

    /// No text makes the reader do anything but refuse.
    #[test]
    fn any_text_is_refused_without_a_panic(text in ".{0,300}") {
        prop_assert!(verify_now(&text, &acme().map_err(failed)?).is_err());
    }

    /// Bytes of an honest envelope, overwritten at random: refused, or the same meaning.
    #[test]
    fn an_overwritten_envelope_is_refused_or_means_the_same(
        overwrites in proptest::collection::vec((any::<prop::sample::Index>(), 0x20_u8..0x7f), 1..4),
    ) {
        let honest = sign(&statement().map_err(failed)?, &[&secret(1).map_err(failed)?]).map_err(failed)?;
        let mut bytes = honest.clone().into_bytes();
        for (index, byte) in overwrites {
            let at = index.index(bytes.len());
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        let set = acme().map_err(failed)?;
        let changed = String::from_utf8(bytes).map_err(failed)?;
        if let Ok(verified) = verify(COMPONENT, &changed, &set, NOW_S) {
            prop_assert_eq!(verified, verify_now(&honest, &set).map_err(failed)?);
        }
    }
}
