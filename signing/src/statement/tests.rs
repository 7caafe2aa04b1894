//! The shapes that are no statement. A signature over one of them changes nothing.

use super::*;
use crate::limits::NAME_BYTES_MAX;

const GOOD: &str = r#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"shell","digest":{"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}],"predicateType":"https://holdpoint.dev/vocabulary/v1","predicate":{"name":"shell","version":"0.1.0","release":7,"contract":"holdpoint:vocabulary@0.1.0","not_before_s":1000,"expires_s":2000,"required_features":["a-b"]}}"#;

fn good() -> Result<Statement, FormatError> {
    Ok(Statement {
        name: "shell".parse()?,
        component: Digest::of(b""),
        version: "0.1.0".parse()?,
        release: 7,
        contract: crate::CONTRACT.parse()?,
        not_before_s: 1000,
        expires_s: Some(2000),
        required_features: vec!["a-b".parse()?],
    })
}

#[test]
fn a_statement_is_read_field_by_field() -> Result<(), FormatError> {
    assert_eq!(Statement::parse(GOOD.as_bytes())?, good()?);
    let endless = GOOD.replace(r#""expires_s":2000,"#, "");
    assert_eq!(Statement::parse(endless.as_bytes())?, Statement { expires_s: None, ..good()? });
    Ok(())
}

#[cfg(feature = "sign")]
#[test]
fn a_statement_is_written_in_one_way() -> Result<(), FormatError> {
    assert_eq!(good()?.to_payload()?, GOOD);
    Ok(())
}

#[test]
fn a_document_of_another_shape_is_refused() {
    let changes = [
        ("Statement/v1", "Statement/v0.1"),
        ("vocabulary/v1", "vocabulary/v2"),
        (r#""name":"shell","version""#, r#""name":"git","version""#),
        (r#""name":"shell","digest""#, r#""name":"Shell","digest""#),
        (r#"{"sha256""#, r#"{"sha512""#),
        (r#"{"sha256""#, r#"{"sha1":"","sha256""#),
        ("e3b0c442", "E3B0C442"),
        ("e3b0c442", "e3b0c4"),
        ("e3b0c442", "e3b0c4422"),
        (r#""subject":["#, r#""subject":[],"x":["#),
        (r#"}}],"predicateType""#, r#"}},{"name":"shell","digest":{"sha256":""}}],"predicateType""#),
        (r#""release":7"#, r#""release":-7"#),
        (r#""release":7"#, r#""release":7.0"#),
        (r#""release":7"#, r#""release":"7""#),
        (r#""release":7"#, r#""release":7,"release":7"#),
        (r#""release":7"#, r#""release":7,"rel\u0065ase":8"#),
        (r#""release":7"#, r#""release":9007199254740992"#),
        (r#""release":7"#, r#""release":18446744073709551616"#),
        (r#""release":7,"#, ""),
        (r#""expires_s":2000"#, r#""expires_s":null"#),
        (r#""expires_s":2000"#, r#""expires_s":1000"#),
        (r#""expires_s":2000"#, r#""expires_s":9007199254740992"#),
        (r#""not_before_s":1000"#, r#""not_before_s":2000"#),
        (r#"["a-b"]"#, r#"["A-b"]"#),
        (r#"["a-b"]"#, "null"),
        (r#""predicate":{"#, r#""predicate":{"allow":true,"#),
        (r#"{"_type""#, r#"{"extra":0,"_type""#),
        (
            r#"{"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#,
            "[\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"]",
        ),
    ];
    for (from, to) in changes {
        let changed = GOOD.replacen(from, to, 1);
        assert_ne!(changed, GOOD, "{from}");
        assert!(Statement::parse(changed.as_bytes()).is_err(), "{changed}");
    }
    for end in 0..GOOD.len() {
        assert!(Statement::parse(GOOD.as_bytes().get(..end).unwrap_or_default()).is_err(), "first {end} bytes");
    }
    assert!(Statement::parse(format!("{GOOD}0").as_bytes()).is_err());
    assert!(Statement::parse(b"\xff").is_err());
}

#[test]
fn a_statement_just_over_a_bound_is_refused() {
    let features = |count: usize| format!("[{}]", vec![r#""a-b""#; count].join(","));
    let name = |len: usize| "n".repeat(len);
    let accepted = [
        GOOD.replace(r#"["a-b"]"#, &features(FEATURES_MAX)),
        GOOD.replace("shell", &name(NAME_BYTES_MAX)),
        GOOD.replace(r#""release":7"#, r#""release":9007199254740991"#),
    ];
    let refused = [
        GOOD.replace(r#"["a-b"]"#, &features(FEATURES_MAX + 1)),
        GOOD.replace("shell", &name(NAME_BYTES_MAX + 1)),
        GOOD.replace(r#""release":7"#, r#""release":9007199254740992"#),
    ];
    for text in accepted {
        assert!(Statement::parse(text.as_bytes()).is_ok(), "{text}");
    }
    for text in refused {
        assert!(Statement::parse(text.as_bytes()).is_err(), "{text}");
    }
}
