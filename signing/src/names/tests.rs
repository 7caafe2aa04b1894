//! The rules of the short texts, at their edges.

use super::*;

fn refused<T: FromStr<Err = FormatError>>(text: &str) -> bool {
    matches!(text.parse::<T>(), Err(FormatError::Rule { .. }))
}

#[test]
fn a_name_is_a_short_slug() {
    for good in ["a", "7", "git", "acme-sql", "a--b", &"n".repeat(NAME_BYTES_MAX)] {
        assert_eq!(good.parse::<VocabularyName>().map(|name| name.to_string()), Ok(good.to_owned()));
    }
    let over = "n".repeat(NAME_BYTES_MAX + 1);
    for bad in ["", "-git", "git-", "-", "Git", "git ", "g_t", "../x", "git\n", "git\u{0}", "g\u{456}t", over.as_str()]
    {
        assert!(refused::<VocabularyName>(bad), "{bad:?}");
        assert!(refused::<Publisher>(bad), "{bad:?}");
        assert!(refused::<FeatureName>(bad), "{bad:?}");
    }
}

#[test]
fn versions_and_contracts_are_plain_ascii() {
    let longest = "1".repeat(VERSION_BYTES_MAX);
    for good in ["0.1.0", "1.0.0-rc.1+build5", longest.as_str()] {
        assert!(!refused::<Version>(good), "{good:?}");
    }
    let over = "1".repeat(VERSION_BYTES_MAX + 1);
    for bad in ["", "v1", "1 0", "1\u{1b}[2J", over.as_str()] {
        assert!(refused::<Version>(bad), "{bad:?}");
    }
    let longest = "c".repeat(CONTRACT_BYTES_MAX);
    for good in ["holdpoint:vocabulary@0.1.0", longest.as_str()] {
        assert!(!refused::<ContractId>(good), "{good:?}");
    }
    let over = "c".repeat(CONTRACT_BYTES_MAX + 1);
    for bad in ["", "Holdpoint:vocabulary", "a b", "a\u{7f}", over.as_str()] {
        assert!(refused::<ContractId>(bad), "{bad:?}");
    }
}

#[test]
fn a_pattern_is_a_name_or_a_prefix_and_covers_nothing_else() -> Result<(), FormatError> {
    let cases: [(&str, &[&str], &[&str]); 3] = [
        ("git", &["git"], &["git-lfs", "gi", "github"]),
        ("acme-*", &["acme-sql", "acme-x"], &["acme", "acmesql", "x-acme-sql"]),
        ("git*", &["git", "github"], &["gi", "agit"]),
    ];
    for (pattern, covered, others) in cases {
        let parsed: NamePattern = pattern.parse()?;
        assert_eq!(parsed.to_string(), pattern);
        for name in covered {
            assert!(parsed.covers(&name.parse()?), "{pattern} {name}");
        }
        for name in others {
            assert!(!parsed.covers(&name.parse()?), "{pattern} {name}");
        }
    }
    Ok(())
}

#[test]
fn a_pattern_for_every_name_is_refused() {
    let over = format!("{}*", "n".repeat(NAME_BYTES_MAX + 1));
    for bad in ["", "*", "**", "-*", "a*b", "*a", "a**", "A*", "a?", over.as_str()] {
        assert!(refused::<NamePattern>(bad), "{bad:?}");
    }
}
