//! Reading and bounding trust sets, and what they answer.

use super::*;

const KEY: &str = "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

fn good() -> String {
    format!(
        r#"{{"schema":1,"keys":[{{"publisher":"acme","key":"{KEY}","names":["acme-*","git"]}},{{"publisher":"beta","key":"{KEY}","names":["git"]}}],"thresholds":[{{"names":"acme-*","distinct_keys":2}},{{"names":"acme-sql","distinct_keys":3}}]}}"#
    )
}

#[test]
fn a_trust_set_survives_its_text() -> Result<(), FormatError> {
    let set = TrustSet::from_json(&good())?;
    assert_eq!(set.to_json()?, good());
    assert_eq!(set.keys().len(), 2);
    assert_eq!(set.thresholds().len(), 2);
    assert_eq!(TrustSet::default(), TrustSet::from_json(r#"{"schema":1,"keys":[]}"#)?);
    Ok(())
}

#[test]
fn the_largest_threshold_that_covers_a_name_counts() -> Result<(), FormatError> {
    let set = TrustSet::from_json(&good())?;
    for (name, needed) in [("git", 1), ("acme-web", 2), ("acme-sql", 3)] {
        assert_eq!(set.distinct_keys_needed(&name.parse()?), needed, "{name}");
    }
    Ok(())
}

#[test]
fn a_key_speaks_through_every_entry_that_covers_the_name() -> Result<(), FormatError> {
    let set = TrustSet::from_json(&good())?;
    let publishers = |name: &str| -> Result<Vec<String>, FormatError> {
        Ok(set.publishers(&KEY.parse()?, &name.parse()?).iter().map(ToString::to_string).collect())
    };
    assert_eq!(publishers("git")?, ["acme", "beta"]);
    assert_eq!(publishers("acme-sql")?, ["acme"]);
    assert!(publishers("shell")?.is_empty());
    Ok(())
}

#[test]
fn a_text_of_another_shape_is_refused() {
    let changes = [
        (r#""schema":1,"#, ""),
        (r#""schema":1"#, r#""schema":2"#),
        (r#""schema":1"#, r#""schema":1,"schema":1"#),
        (r#""schema":1"#, r#""schema":1,"default":"allow""#),
        (r#""publisher":"acme","#, ""),
        (r#""publisher":"acme""#, r#""publisher":"acme","threshold":0"#),
        (r#""publisher":"acme""#, r#""publisher":"ACME""#),
        (r#""acme-*","git""#, r#""*""#),
        ("11qYAYKx", "AAAAAAAA"),
        (r#""distinct_keys":2"#, r#""distinct_keys":0"#),
        (r#""distinct_keys":2"#, r#""distinct_keys":17"#),
        (r#""distinct_keys":2"#, r#""distinct_keys":256"#),
        (r#"{"names":"acme-*","distinct_keys":2}"#, r#"["acme-*",2]"#),
    ];
    for (from, to) in changes {
        let changed = good().replacen(from, to, 1);
        assert_ne!(changed, good(), "{from}");
        assert!(TrustSet::from_json(&changed).is_err(), "{changed}");
    }
}

#[test]
fn a_trust_set_just_over_a_bound_is_refused() -> Result<(), FormatError> {
    let git: NamePattern = "git".parse()?;
    let key = TrustedKey { publisher: "acme".parse()?, key: KEY.parse()?, names: vec![git.clone()] };
    let many_names = |count| TrustedKey { names: vec![git.clone(); count], ..key.clone() };
    let rule = Threshold { names: "git".parse()?, distinct_keys: NonZeroU8::MIN };
    let build = |keys, thresholds| TrustSet::new(keys, thresholds);

    assert!(build(vec![key.clone(); TRUSTED_KEYS_MAX], vec![rule.clone(); THRESHOLDS_MAX]).is_ok());
    assert!(build(vec![many_names(PATTERNS_PER_KEY_MAX)], vec![]).is_ok());
    for refused in [
        build(vec![key.clone(); TRUSTED_KEYS_MAX + 1], vec![]),
        build(vec![], vec![rule; THRESHOLDS_MAX + 1]),
        build(vec![many_names(PATTERNS_PER_KEY_MAX + 1)], vec![]),
    ] {
        assert!(matches!(refused, Err(FormatError::TooMany { .. })), "{refused:?}");
    }
    let spaces = " ".repeat(TRUST_SET_BYTES_MAX - good().len());
    assert!(TrustSet::from_json(&format!("{}{spaces}", good())).is_ok());
    assert!(TrustSet::from_json(&format!("{}{spaces} ", good())).is_err());
    Ok(())
}

/// The largest set that is allowed must fit the largest text that is read.
#[test]
fn the_largest_trust_set_fits_its_text() -> Result<(), FormatError> {
    let longest: NamePattern = format!("{}*", "n".repeat(crate::limits::NAME_BYTES_MAX)).parse()?;
    let key = TrustedKey {
        publisher: "p".repeat(crate::limits::NAME_BYTES_MAX).parse()?,
        key: KEY.parse()?,
        names: vec![longest.clone(); PATTERNS_PER_KEY_MAX],
    };
    let rule = Threshold { names: longest, distinct_keys: NonZeroU8::MIN };
    let set = TrustSet::new(vec![key; TRUSTED_KEYS_MAX], vec![rule; THRESHOLDS_MAX])?;
    assert_eq!(TrustSet::from_json(&set.to_json()?)?, set);
    Ok(())
}
