//! Published DSSE vectors, and the shapes that are no envelope.

use super::*;
use std::error::Error;

/// The example of secure-systems-lab/dsse, `protocol.md`, "Test Vectors".
#[test]
fn the_encoding_is_the_one_of_the_protocol_document() {
    let encoded = pae("http://example.com/HelloWorld", b"hello world");
    assert_eq!(encoded, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
}

#[test]
fn lengths_are_counted_in_bytes_and_nothing_is_left_out_for_empty_parts() {
    // From secure-systems-lab/dsse, `testvectors/vectors.json` at 82043adf: non-ascii-payload-type,
    // empty-payload.
    assert!(pae("application/vnd.ex\u{e4}mple+json", b"{}").starts_with(b"DSSEv1 29 application/"));
    assert_eq!(pae(PAYLOAD_TYPE, b""), b"DSSEv1 28 application/vnd.in-toto+json 0 ");
    assert_eq!(pae("", b""), b"DSSEv1 0  0 ");
}

/// The keys of RFC 8032, TEST 1 and 2, with which the DSSE vectors are signed.
fn keys() -> Result<[PublicKey; 2], FormatError> {
    Ok([
        "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=".parse()?,
        "holdpoint-ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=".parse()?,
    ])
}

const PAYLOAD: &str = "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==";
const SIG_A: &str = "2WAfaHm5jluo0w+0rk8uVkluELJYWjSmU9x7EUzx+AyteDGJ4/nqyJXfmAUVFIAoQafWm7AxBZNw5M9ixNHiCA==";
const SIG_B: &str = "c1+67/aT0yqEpwx8PsVY3MLHsj9D0CZ014/Fv/QlG59P+9CobUZ7xECJ/V3USG0Ob9CiE5LjReEZUzNF2l7eBw==";

fn text(payload: &str, payload_type: &str, signatures: &[(&str, &str)]) -> Result<String, FormatError> {
    let signature =
        |&(keyid, sig): &(&str, &str)| Object(SignatureJson { keyid: keyid.to_owned(), sig: sig.to_owned() });
    let (payload, payload_type) = (payload.to_owned(), payload_type.to_owned());
    let signatures = signatures.iter().map(signature).collect();
    json::write("envelope", &EnvelopeJson { payload, payload_type, signatures })
}

/// Opens an envelope with both keys and says which of them signed.
fn signers(text: &str) -> Result<Vec<PublicKey>, Box<dyn Error>> {
    let keys = keys()?;
    let signed = Envelope::parse(Kind::Statement, text)?.open(&keys.iter().collect())?;
    Ok(signed.keys.into_iter().cloned().collect())
}

/// secure-systems-lab/dsse, `testvectors/vectors.json` at 82043adf: single-signature, threshold-two-*.
#[test]
fn the_published_signatures_count_once_for_each_distinct_key() -> Result<(), Box<dyn Error>> {
    let [a, b] = keys()?;
    let mut both = vec![a.clone(), b];
    both.sort();
    assert_eq!(signers(&text(PAYLOAD, PAYLOAD_TYPE, &[("A", SIG_A)])?)?, std::slice::from_ref(&a));
    assert_eq!(signers(&text(PAYLOAD, PAYLOAD_TYPE, &[("A", SIG_A), ("B", SIG_B)])?)?, both);
    assert_eq!(signers(&text(PAYLOAD, PAYLOAD_TYPE, &[("A", SIG_A), ("A", SIG_A)])?)?, [a]);
    let without_ids = format!(
        r#"{{"payload":"{PAYLOAD}","payloadType":"{PAYLOAD_TYPE}","signatures":[{{"sig":"{SIG_A}"}},{{"sig":"{SIG_B}"}}]}}"#
    );
    assert_eq!(signers(&without_ids)?, both);
    Ok(())
}

/// The same file: url-safe-base64 and empty-payload.
#[test]
fn both_alphabets_and_an_empty_payload_are_read() -> Result<(), Box<dyn Error>> {
    let [a, _] = keys()?;
    let url_safe = "P-_KHICeR7tI6S_YyejJTRtrXhcQyQ2LYPaL8h90KjC9qN8HU_svOQ6TuDOT1HIrsGW886DbWNWcCmX5twLrAw==";
    assert_eq!(signers(&text("-_-_Pj8=", PAYLOAD_TYPE, &[("A", url_safe)])?)?, std::slice::from_ref(&a));
    let empty = "gSggCAaTLTYyRH6FIDBem6meyIynsYy8RTHVzwx9tnTb7Bg/1jMWnuVgI/gffqmbsC2VX5/jHfkkDqsj7CDbDg==";
    assert_eq!(signers(&text("", PAYLOAD_TYPE, &[("A", empty)])?)?, [a]);
    Ok(())
}

/// The same file: payload-type-swapped and empty-payload-type. The second is a good signature over the empty
/// type.
#[test]
fn another_payload_type_is_refused_whether_or_not_it_is_signed() -> Result<(), Box<dyn Error>> {
    let over_empty_type = "iC3q/+3Rm0+lpAJRueDmDh15PnwCfxKmS0NAfKsbv+zgulXQC/WM9trc+j1XEqlwDIg/vf/uNfebeD6sxInrDg==";
    for (payload_type, sig) in [("application/vnd.example.other+json", SIG_A), ("", over_empty_type)] {
        let refused = Envelope::parse(Kind::Statement, &text(PAYLOAD, payload_type, &[("A", sig)])?);
        assert!(matches!(refused, Err(VerifyError::WrongPayloadType { .. })));
    }
    let keys = keys()?;
    let relabelled = Envelope::parse(Kind::Statement, &text(PAYLOAD, PAYLOAD_TYPE, &[("A", over_empty_type)])?)?;
    assert!(matches!(relabelled.open(&keys.iter().collect()), Err(VerifyError::NoTrustedSignature)));
    Ok(())
}

#[test]
fn base64_has_one_spelling_in_each_alphabet() {
    for (good, bytes) in [("", &b""[..]), ("AA==", b"\0"), ("+/8=", b"\xfb\xff"), ("-_8=", b"\xfb\xff")] {
        assert_eq!(decode(good).as_deref(), Some(bytes), "{good:?}");
    }
    for bad in ["AA", "AA=", "AB==", "AA==\n", " AA==", "AA==AA==", "+_8=", "-/8=", "A", "====", "A\u{e4}A="] {
        assert_eq!(decode(bad), None, "{bad:?}");
    }
}

#[test]
fn a_text_of_another_shape_is_malformed() {
    let good = format!(
        r#"{{"payload":"{PAYLOAD}","payloadType":"{PAYLOAD_TYPE}","signatures":[{{"keyid":"","sig":"{SIG_A}"}}]}}"#
    );
    assert!(Envelope::parse(Kind::Statement, &good).is_ok());
    let bad = [
        String::new(),
        "null".to_owned(),
        "{}".to_owned(),
        format!("{good}{good}"),
        format!("{good}x"),
        format!("\u{feff}{good}"),
        format!("[{good}]"),
        good.replace(r#""payload":"#, r#""payload":"","payload":"#),
        good.replace(r#""keyid":"","#, r#""keyid":"","keyid":"","#),
        good.replace(r#""keyid":"","#, r#""keyid":"","cert":"","#),
        good.replace(r#""keyid":"""#, r#""keyid":null"#),
        good.replace(r#"{"payload""#, r#"{"extra":1,"payload""#),
        good.replace("payloadType", "payloadtype"),
        good.replace("==", "="),
        good.replace(SIG_A, "AA=="),
        good.replace(SIG_A, ""),
        // The fields in order of declaration, as arrays.
        format!(r#"["{PAYLOAD}","{PAYLOAD_TYPE}",[{{"sig":"{SIG_A}"}}]]"#),
        good.replace(&format!(r#"{{"keyid":"","sig":"{SIG_A}"}}"#), &format!(r#"["","{SIG_A}"]"#)),
    ];
    for text in bad {
        let refused = Envelope::parse(Kind::Statement, &text);
        assert!(matches!(refused, Err(VerifyError::MalformedEnvelope(_))), "{refused:?} for {text}");
    }
}

#[test]
fn a_reason_shows_no_control_character_of_a_hostile_file() {
    let hostile = format!(r#"{{"{}\u001b[2J\u202e":1}}"#, "x".repeat(1000));
    let Err(VerifyError::MalformedEnvelope(FormatError::Json { reason, .. })) =
        Envelope::parse(Kind::Statement, &hostile)
    else {
        return assert_eq!(hostile, "refused");
    };
    assert!(reason.len() <= crate::limits::REASON_BYTES_MAX);
    assert!(reason.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{reason:?}");
    let Err(error) = Envelope::parse(Kind::Statement, "{\"\\u001b[2J\":1}") else {
        return assert_eq!("accepted", "refused");
    };
    assert!(error.to_string().contains("?[2J"), "{error}");
}
