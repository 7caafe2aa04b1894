//! What somebody would do who wants to be trusted without leave: trust documents, delegations, revocations and floors.

use crate::support::{COMPONENT, EXPIRES_S, NOT_BEFORE_S, NOW_S, Outcome, envelope, payload_of, secret, statement};
use holdpoint_signing::limits::{
    KEYS_PER_PUBLISHER_MAX, PATTERNS_PER_KEY_MAX, PUBLISHERS_MAX, REVOKED_MAX, ROOT_KEYS_MAX, TRUST_ENVELOPE_BYTES_MAX,
};
use holdpoint_signing::{
    DELEGATION_PAYLOAD_TYPE, Delegation, Digest, DocumentError, FormatError, PAYLOAD_TYPE, PublicKey, PublisherEntry,
    ReleaseId, Revocations, Rooted, SecretKey, SignError, Statement, TRUST_PAYLOAD_TYPE, Trust, TrustDocument,
    VerifyError, authority_of, sign, sign_delegation, sign_trust, still_trusted, verify_delegation, verify_first,
    verify_next, verify_own, verify_trusted,
};
use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroU8;

type Made<T> = Result<T, Box<dyn Error>>;

/// Seeds of the root keys of the first version.
const ROOT: [u8; 2] = [91, 92];

fn keys(seeds: &[u8]) -> Result<Vec<PublicKey>, FormatError> {
    seeds.iter().map(|seed| Ok(secret(*seed)?.public_key())).collect()
}

fn secrets(seeds: &[u8]) -> Result<Vec<SecretKey>, FormatError> {
    seeds.iter().map(|seed| secret(*seed)).collect()
}

fn publisher(name: &str, seeds: &[u8], names: &[&str], distinct_keys: u8) -> Made<PublisherEntry> {
    Ok(PublisherEntry {
        publisher: name.parse()?,
        keys: keys(seeds)?,
        names: names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
        distinct_keys: NonZeroU8::try_from(distinct_keys)?,
        not_before_s: NOT_BEFORE_S,
        expires_s: EXPIRES_S,
    })
}

/// Version 1: two root keys that both sign, and one publisher of `shell`.
fn first() -> Made<TrustDocument> {
    let (root_keys, root_distinct_keys) = (keys(&ROOT)?, NonZeroU8::try_from(2)?);
    Ok(TrustDocument {
        authority: authority_of(&root_keys, root_distinct_keys),
        version: 1,
        not_before_s: NOT_BEFORE_S,
        expires_s: EXPIRES_S,
        root_keys,
        root_distinct_keys,
        publishers: vec![publisher("acme", &[1, 2], &["shell", "acme-*"], 1)?],
        revoked: Revocations { sequence: 1, components: vec![Digest::of(b"bad")], ..Revocations::default() },
    })
}

fn signed(document: &TrustDocument, seeds: &[u8]) -> Made<String> {
    let secrets = secrets(seeds)?;
    Ok(sign_trust(document, &secrets.iter().collect::<Vec<_>>())?)
}

fn rooted() -> Made<Rooted> {
    Ok(verify_first(&signed(&first()?, &ROOT)?, &keys(&ROOT)?, NOW_S)?)
}

fn second() -> Made<TrustDocument> {
    Ok(TrustDocument { version: 2, ..first()? })
}

fn trust(entries: Vec<PublisherEntry>, revoked: Revocations) -> Made<Trust> {
    Ok(Trust::new(entries, vec![revoked], BTreeMap::new())?)
}

fn shell_signed(seeds: &[u8]) -> Made<String> {
    let secrets = secrets(seeds)?;
    Ok(sign(&statement()?, &secrets.iter().collect::<Vec<_>>())?)
}

/// Whether the component is accepted now, which is the same as whether it would still be.
fn verified(trust: &Trust, envelope: &str) -> Result<(), VerifyError> {
    let accepted = verify_trusted(COMPONENT, envelope, trust, NOW_S).map(|_| ());
    assert_eq!(still_trusted(Digest::of(COMPONENT), envelope, trust, NOW_S), accepted);
    accepted
}

#[test]
fn a_publisher_of_a_signed_document_may_speak_for_its_names() -> Outcome {
    let rooted = rooted()?;
    let trust = trust(rooted.publishers().collect(), rooted.document().revoked.clone())?;
    verified(&trust, &shell_signed(&[1])?)?;
    assert_eq!(verify_own(&signed(&first()?, &ROOT)?, &keys(&ROOT)?)?, rooted);
    Ok(())
}

#[test]
fn a_document_counts_only_with_the_root_keys_that_were_named() -> Outcome {
    let forged = TrustDocument { root_keys: keys(&[3, 4])?, ..first()? };
    let forged = TrustDocument { authority: authority_of(&forged.root_keys, forged.root_distinct_keys), ..forged };
    let refused = verify_first(&signed(&forged, &[3, 4])?, &keys(&ROOT)?, NOW_S);
    assert_eq!(refused, Err(DocumentError::Envelope(VerifyError::NoTrustedSignature)));
    let both = signed(&forged, &[3, 4, ROOT[0]])?;
    assert_eq!(verify_first(&both, &keys(&ROOT)?, NOW_S), Err(DocumentError::OtherRootKeys));
    Ok(())
}

#[test]
fn one_root_key_used_twice_is_one_signature() -> Outcome {
    let one = signed(&first()?, &ROOT[..1])?;
    let too_few = Err(DocumentError::TooFewRootKeys { needed: 2, found: 1 });
    assert_eq!(verify_first(&one, &keys(&ROOT)?, NOW_S), too_few);
    let twice = envelope(TRUST_PAYLOAD_TYPE, &payload_of(&one)?, &[("a", ROOT[0]), ("b", ROOT[0])]);
    assert_eq!(verify_first(&twice, &keys(&ROOT)?, NOW_S), too_few);
    let listed_twice = TrustDocument { root_keys: keys(&[ROOT[0], ROOT[0]])?, ..first()? };
    assert!(matches!(signed(&listed_twice, &ROOT[..1]), Err(error) if error.is::<SignError>()));
    Ok(())
}

#[test]
fn one_key_under_two_publishers_is_one_signature() -> Outcome {
    let two = vec![publisher("acme", &[1, 2], &["shell"], 2)?, publisher("beta", &[1], &["shell"], 1)?];
    let trust = trust(two, Revocations::default())?;
    let refused = verified(&trust, &shell_signed(&[1])?);
    assert!(matches!(refused, Err(VerifyError::ThresholdNotReached { needed: 2, found: 1, .. })), "{refused:?}");
    verified(&trust, &shell_signed(&[1, 2])?)?;
    assert!(publisher("acme", &[1, 1], &["shell"], 2)?.check().is_err(), "a key that is listed twice is one key");
    Ok(())
}

#[test]
fn the_next_version_needs_the_root_keys_before_it_and_its_own() -> Outcome {
    let rooted = rooted()?;
    let next = TrustDocument { root_keys: keys(&[93, 94])?, ..second()? };
    for (seeds, is_enough) in
        [(&[91, 92, 93, 94][..], true), (&[91, 92], false), (&[93, 94], false), (&[91, 93, 94], false)]
    {
        let taken = verify_next(&signed(&next, seeds)?, &rooted, NOW_S);
        assert_eq!(taken.is_ok(), is_enough, "{seeds:?}: {taken:?}");
    }
    Ok(())
}

#[test]
fn a_rollback_to_an_older_version_or_a_skipped_one_is_refused() -> Outcome {
    let rooted = verify_next(&signed(&second()?, &ROOT)?, &rooted()?, NOW_S)?;
    for version in [1, 2, 4] {
        let other = TrustDocument { version, ..first()? };
        let refused = verify_next(&signed(&other, &ROOT)?, &rooted, NOW_S);
        assert_eq!(refused, Err(DocumentError::WrongVersion { expected: 3, found: version }));
    }
    Ok(())
}

#[test]
fn a_frozen_document_is_refused_once_its_time_is_over() -> Outcome {
    let text = signed(&first()?, &ROOT)?;
    let at = |now_s| verify_first(&text, &keys(&ROOT).unwrap_or_default(), now_s);
    assert!(at(EXPIRES_S - 1).is_ok() && at(NOT_BEFORE_S).is_ok());
    assert!(matches!(at(EXPIRES_S), Err(DocumentError::Expired { .. })));
    assert!(matches!(at(NOT_BEFORE_S - 1), Err(DocumentError::NotYetValid { .. })));
    let trust = trust(rooted()?.publishers().collect(), Revocations::default())?;
    let statement = Statement { expires_s: Some(EXPIRES_S * 2), ..statement()? };
    let forever = sign(&statement, &[&secret(1)?])?;
    verify_trusted(COMPONENT, &forever, &trust, EXPIRES_S - 1)?;
    let refused = verify_trusted(COMPONENT, &forever, &trust, EXPIRES_S);
    assert_eq!(refused, Err(VerifyError::NoTrustedSignature), "what an expired document says counts no more");
    Ok(())
}

#[test]
fn a_replayed_list_of_revocations_is_refused() -> Outcome {
    let newer = Revocations { sequence: 5, publishers: vec!["mole".parse()?], ..first()?.revoked };
    let next = TrustDocument { revoked: newer.clone(), ..second()? };
    let rooted = verify_next(&signed(&next, &ROOT)?, &rooted()?, NOW_S)?;
    let old = first()?.revoked;
    let silent = Revocations { publishers: vec![], ..newer.clone() };
    let dropped = Revocations { sequence: 6, components: vec![], ..newer.clone() };
    for replayed in [old, silent, dropped] {
        let third = TrustDocument { version: 3, revoked: replayed, ..first()? };
        let refused = verify_next(&signed(&third, &ROOT)?, &rooted, NOW_S);
        assert!(matches!(refused, Err(DocumentError::ReplayedRevocations { last: 5, .. })), "{refused:?}");
    }
    let third = TrustDocument { version: 3, revoked: newer, ..first()? };
    assert!(verify_next(&signed(&third, &ROOT)?, &rooted, NOW_S).is_ok());
    Ok(())
}

#[test]
fn a_payload_of_another_type_counts_as_none() -> Outcome {
    let document = payload_of(&signed(&first()?, &ROOT)?)?;
    for kind in [PAYLOAD_TYPE, DELEGATION_PAYLOAD_TYPE] {
        let relabelled = envelope(kind, &document, &[("", ROOT[0]), ("", ROOT[1])]);
        let refused = verify_first(&relabelled, &keys(&ROOT)?, NOW_S);
        assert!(matches!(refused, Err(DocumentError::Envelope(VerifyError::WrongPayloadType { .. }))), "{refused:?}");
        // The signature is over the type, so naming the right one later does not help.
        let renamed = relabelled.replace(kind, TRUST_PAYLOAD_TYPE);
        let refused = verify_first(&renamed, &keys(&ROOT)?, NOW_S);
        assert_eq!(refused, Err(DocumentError::Envelope(VerifyError::NoTrustedSignature)));
    }
    let trust = trust(first()?.publishers, Revocations::default())?;
    let as_document = envelope(TRUST_PAYLOAD_TYPE, &payload_of(&shell_signed(&[1])?)?, &[("", 1)]);
    assert!(matches!(verified(&trust, &as_document), Err(VerifyError::WrongPayloadType { .. })));
    Ok(())
}

fn delegation(to: PublisherEntry) -> Made<Delegation> {
    Ok(Delegation { authority: first()?.authority, from: "acme".parse()?, to })
}

fn delegated(delegation: &Delegation, seeds: &[u8]) -> Made<Result<PublisherEntry, DocumentError>> {
    let secrets = secrets(seeds)?;
    let text = sign_delegation(delegation, &secrets.iter().collect::<Vec<_>>())?;
    Ok(verify_delegation(&text, &rooted()?, &Trust::default(), NOW_S))
}

#[test]
fn a_delegation_only_narrows() -> Outcome {
    let to = publisher("labs", &[7], &["acme-labs-*", "shell"], 1)?;
    assert_eq!(delegated(&delegation(to.clone())?, &[1])?, Ok(to.clone()));
    for (wider, what) in [
        (PublisherEntry { names: vec!["acme*".parse()?], ..to.clone() }, "names"),
        (PublisherEntry { names: vec!["git".parse()?], ..to.clone() }, "names"),
        (PublisherEntry { expires_s: EXPIRES_S + 1, ..to.clone() }, "expires_s"),
        (PublisherEntry { not_before_s: NOT_BEFORE_S - 1, ..to.clone() }, "not_before_s"),
    ] {
        assert_eq!(delegated(&delegation(wider)?, &[1])?, Err(DocumentError::Wider { what }));
    }
    let taken = PublisherEntry { publisher: "acme".parse()?, ..to };
    assert_eq!(delegated(&delegation(taken)?, &[1])?, Err(DocumentError::NameTaken));
    Ok(())
}

#[test]
fn a_delegation_cannot_lower_the_threshold_of_who_delegates() -> Outcome {
    let document = TrustDocument { publishers: vec![publisher("acme", &[1, 2], &["shell"], 2)?], ..first()? };
    let rooted = verify_first(&signed(&document, &ROOT)?, &keys(&ROOT)?, NOW_S)?;
    let of = |distinct_keys, seeds: &[u8]| -> Made<Result<PublisherEntry, DocumentError>> {
        let to = publisher("labs", &[7, 8], &["shell"], distinct_keys)?;
        let secrets = secrets(seeds)?;
        let text = sign_delegation(&delegation(to)?, &secrets.iter().collect::<Vec<_>>())?;
        Ok(verify_delegation(&text, &rooted, &Trust::default(), NOW_S))
    };
    assert!(of(2, &[1, 2])?.is_ok());
    assert_eq!(of(1, &[1, 2])?, Err(DocumentError::Wider { what: "distinct_keys" }));
    assert_eq!(of(2, &[1])?, Err(DocumentError::TooFewKeys { needed: 2, found: 1 }));
    Ok(())
}

#[test]
fn a_delegation_of_one_document_does_not_count_under_another() -> Outcome {
    let to = publisher("labs", &[7], &["shell"], 1)?;
    let elsewhere = Delegation { authority: Digest::of(b"another authority"), ..delegation(to.clone())? };
    assert_eq!(delegated(&elsewhere, &[1])?, Err(DocumentError::OtherAuthority));
    // The publisher of that name in another document has other keys.
    let refused = delegated(&delegation(to.clone())?, &[5])?;
    assert_eq!(refused, Err(DocumentError::Envelope(VerifyError::NoTrustedSignature)));
    let stranger = Delegation { from: "beta".parse()?, ..delegation(to)? };
    assert_eq!(delegated(&stranger, &[1])?, Err(DocumentError::UnknownPublisher));
    Ok(())
}

#[test]
fn a_revoked_publisher_or_key_delegates_nothing() -> Outcome {
    let text = sign_delegation(&delegation(publisher("labs", &[7], &["shell"], 1)?)?, &[&secret(1)?])?;
    let by_name = Revocations { publishers: vec!["acme".parse()?], ..Revocations::default() };
    let by_key = Revocations { keys: vec![secret(1)?.public_key().id()], ..Revocations::default() };
    for revoked in [by_name, by_key] {
        let refused = verify_delegation(&text, &rooted()?, &trust(vec![], revoked)?, NOW_S);
        assert_eq!(refused, Err(DocumentError::Envelope(VerifyError::NoTrustedSignature)));
    }
    Ok(())
}

#[test]
fn a_component_of_one_release_with_the_signature_of_another_is_refused() -> Outcome {
    let trust = trust(first()?.publishers, Revocations::default())?;
    let newer = [COMPONENT, b" release 2"].concat();
    let statement = Statement { component: Digest::of(&newer), release: 2, ..statement()? };
    let of_newer = sign(&statement, &[&secret(1)?])?;
    verify_trusted(&newer, &of_newer, &trust, NOW_S)?;
    let mixed = [(COMPONENT, of_newer), (&newer[..], shell_signed(&[1])?)];
    for (component, envelope) in mixed {
        let refused = verify_trusted(component, &envelope, &trust, NOW_S);
        assert!(matches!(refused, Err(VerifyError::WrongDigest { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn a_publisher_does_not_speak_for_another_name() -> Outcome {
    let trust = trust(vec![publisher("acme", &[1], &["acme-*", "shel", "shell-2"], 1)?], Revocations::default())?;
    let refused = verified(&trust, &shell_signed(&[1])?);
    assert!(matches!(refused, Err(VerifyError::WrongName { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn what_was_revoked_is_refused_whoever_signs_it() -> Outcome {
    let entries = vec![publisher("acme", &[1, 2], &["shell"], 1)?, publisher("beta", &[3], &["shell"], 1)?];
    let release = ReleaseId { name: "shell".parse()?, release: 1 };
    let none = Revocations::default;
    for (revoked, left) in [
        (Revocations { components: vec![Digest::of(COMPONENT)], ..none() }, &[][..]),
        (Revocations { releases: vec![release], ..none() }, &[]),
        (Revocations { publishers: vec!["acme".parse()?], ..none() }, &[3]),
        (Revocations { keys: vec![secret(1)?.public_key().id()], ..none() }, &[2, 3]),
    ] {
        let trust = trust(entries.clone(), revoked)?;
        for seed in [1, 2, 3] {
            assert_eq!(verified(&trust, &shell_signed(&[seed])?).is_ok(), left.contains(&seed), "{seed} {trust:?}");
        }
    }
    Ok(())
}

#[test]
fn taking_trust_away_never_lets_anything_through_that_was_refused() -> Outcome {
    let strict = publisher("acme", &[1, 2], &["shell"], 2)?;
    let loose = publisher("beta", &[3], &["shell"], 1)?;
    let by_one = shell_signed(&[3])?;
    let gone = PublisherEntry { expires_s: NOW_S, ..strict.clone() };
    let revoked = Revocations { publishers: vec!["acme".parse()?], ..Revocations::default() };
    for trust in [
        trust(vec![strict.clone(), loose.clone()], Revocations::default())?,
        trust(vec![gone, loose.clone()], Revocations::default())?,
        trust(vec![strict, loose], revoked)?,
    ] {
        let refused = verified(&trust, &by_one);
        assert!(matches!(refused, Err(VerifyError::ThresholdNotReached { .. })), "{refused:?}");
    }
    Ok(())
}

#[test]
fn a_release_below_the_floor_is_refused_and_one_at_it_is_not() -> Outcome {
    for (floor, is_accepted) in [(0, true), (1, true), (2, false)] {
        let floors = BTreeMap::from([("shell".parse()?, floor)]);
        let trust = Trust::new(first()?.publishers, vec![], floors)?;
        let taken = verified(&trust, &shell_signed(&[1])?);
        assert_eq!(taken.is_ok(), is_accepted, "{taken:?}");
    }
    Ok(())
}

#[test]
fn trust_data_just_over_a_bound_is_refused() -> Outcome {
    let many = |count: usize| -> Made<Vec<u8>> { Ok((1..=u8::try_from(count)?).collect()) };
    let one = publisher("acme", &[1], &["shell"], 1)?;
    let fits = |document: &TrustDocument| signed(document, &ROOT).is_ok();

    for (count, is_fit) in [(KEYS_PER_PUBLISHER_MAX, true), (KEYS_PER_PUBLISHER_MAX + 1, false)] {
        assert_eq!(publisher("acme", &many(count)?, &["shell"], 1)?.check().is_ok(), is_fit);
    }
    for (count, is_fit) in [(PATTERNS_PER_KEY_MAX, true), (PATTERNS_PER_KEY_MAX + 1, false)] {
        assert_eq!(publisher("acme", &[1], &vec!["shell"; count], 1)?.check().is_ok(), is_fit);
    }
    for (count, is_fit) in [(PUBLISHERS_MAX, true), (PUBLISHERS_MAX + 1, false)] {
        let named = |index: usize| Ok(PublisherEntry { publisher: format!("p{index}").parse()?, ..one.clone() });
        let publishers = (0..count).map(named).collect::<Result<Vec<_>, FormatError>>()?;
        assert_eq!(fits(&TrustDocument { publishers, ..first()? }), is_fit);
    }
    for (count, is_fit) in [(ROOT_KEYS_MAX, true), (ROOT_KEYS_MAX + 1, false)] {
        let root_keys = keys(&many(count)?)?;
        let authority = authority_of(&root_keys, NonZeroU8::MIN);
        let document = TrustDocument { authority, root_keys, root_distinct_keys: NonZeroU8::MIN, ..first()? };
        assert_eq!(fits(&document), is_fit);
    }
    for (count, is_fit) in [(REVOKED_MAX, true), (REVOKED_MAX + 1, false)] {
        let each = [
            Revocations { keys: vec![secret(1)?.public_key().id(); count], ..Revocations::default() },
            Revocations { publishers: vec!["acme".parse()?; count], ..Revocations::default() },
            Revocations { components: vec![Digest::of(b""); count], ..Revocations::default() },
            Revocations {
                releases: vec![ReleaseId { name: "shell".parse()?, release: 1 }; count],
                ..Revocations::default()
            },
        ];
        assert!(each.iter().all(|revoked| revoked.check().is_ok() == is_fit));
    }
    Ok(())
}

#[test]
fn the_largest_trust_document_fits_its_envelope_and_one_byte_more_is_refused() -> Outcome {
    let longest = format!("{}*", "n".repeat(holdpoint_signing::limits::NAME_BYTES_MAX));
    let seeds: Vec<u8> = (1..=u8::try_from(KEYS_PER_PUBLISHER_MAX)?).collect();
    let named =
        |index: usize| publisher(&format!("p{index:0>63}"), &seeds, &[longest.as_str(); PATTERNS_PER_KEY_MAX], 1);
    let revoked = Revocations {
        sequence: 1,
        keys: vec![secret(1)?.public_key().id(); REVOKED_MAX],
        publishers: vec!["p".repeat(64).parse()?; REVOKED_MAX],
        components: vec![Digest::of(b""); REVOKED_MAX],
        releases: vec![ReleaseId { name: "n".repeat(64).parse()?, release: (1 << 53) - 1 }; REVOKED_MAX],
    };
    let publishers = (0..PUBLISHERS_MAX).map(named).collect::<Made<Vec<_>>>()?;
    let text = signed(&TrustDocument { publishers, revoked, ..first()? }, &ROOT)?;
    let fitting = format!("{text}{}", " ".repeat(TRUST_ENVELOPE_BYTES_MAX - text.len()));
    verify_first(&fitting, &keys(&ROOT)?, NOW_S)?;
    let refused = verify_first(&format!("{fitting} "), &keys(&ROOT)?, NOW_S);
    assert!(matches!(refused, Err(DocumentError::Envelope(VerifyError::TooLarge { .. }))), "{refused:?}");
    Ok(())
}
