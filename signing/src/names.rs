//! The short texts of statements and trust sets as types whose values cannot be wrong.
//!
//! A text must never reach a message, a path or a comparison before it has passed its rule here: no control
//! character, no letter outside ASCII and no upper case in names, so two names that look alike are alike.

use crate::FormatError;
use crate::json::text_in_json;
use crate::limits::{CONTRACT_BYTES_MAX, NAME_BYTES_MAX, VERSION_BYTES_MAX};
use std::fmt;
use std::str::FromStr;

/// Declares a text type: its rule in words, its size and the check.
macro_rules! text_type {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:expr, $bytes_max:expr, $holds:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = FormatError;

            fn from_str(text: &str) -> Result<$name, FormatError> {
                let holds: fn(&str) -> bool = $holds;
                if text.len() > $bytes_max || !holds(text) {
                    return Err(FormatError::Rule { what: $what, rule: $rule });
                }
                Ok($name(text.to_owned()))
            }
        }

        text_in_json!($name);
    };
}

const SLUG_RULE: &str = "1 to 64 characters of `a-z`, `0-9` and `-`, with a letter or digit at both ends";

text_type! {
    /// The name of a vocabulary, for instance `shell`.
    VocabularyName, "vocabulary name", SLUG_RULE, NAME_BYTES_MAX, is_slug
}

text_type! {
    /// The operator's name for whoever holds a key. It comes from the trust set, never from a signed file.
    Publisher, "publisher", SLUG_RULE, NAME_BYTES_MAX, is_slug
}

text_type! {
    /// The name of a host feature without which a vocabulary must not be loaded.
    FeatureName, "feature name", SLUG_RULE, NAME_BYTES_MAX, is_slug
}

text_type! {
    /// A version for people to read. Nothing is ordered by it; that is what the release number is for.
    Version, "version", "1 to 64 characters of `0-9`, `A-Z`, `a-z`, `.`, `+` and `-`, with a digit first",
    VERSION_BYTES_MAX, is_version
}

text_type! {
    /// The id of a plugin contract, for instance `holdpoint:vocabulary@0.1.0`.
    ContractId, "contract", "1 to 128 characters of `a-z`, `0-9`, `:`, `/`, `@`, `.` and `-`",
    CONTRACT_BYTES_MAX, is_contract
}

fn is_slug(text: &str) -> bool {
    is_slug_start(text) && !text.ends_with('-')
}

fn is_slug_start(text: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    !text.is_empty() && text.bytes().all(allowed) && !text.starts_with('-')
}

fn is_version(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    text.bytes().all(allowed) && text.starts_with(|first: char| first.is_ascii_digit())
}

fn is_contract(text: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b':' | b'/' | b'@' | b'.' | b'-');
    !text.is_empty() && text.bytes().all(allowed)
}

/// Which vocabulary names a rule is about: one name (`git`), or all that start alike (`acme-*`).
///
/// A lone `*` is refused. A key that may speak for every name should be a decision, not a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern(Shape);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Exact(VocabularyName),
    Prefix(String),
}

impl NamePattern {
    /// Whether the pattern covers `name`.
    pub fn covers(&self, name: &VocabularyName) -> bool {
        match &self.0 {
            Shape::Exact(exact) => exact == name,
            Shape::Prefix(prefix) => name.as_str().starts_with(prefix),
        }
    }

    /// Whether every name that this pattern covers is covered by the other one.
    pub fn is_within(&self, other: &NamePattern) -> bool {
        match (&self.0, &other.0) {
            (Shape::Exact(name), _) => other.covers(name),
            (Shape::Prefix(prefix), Shape::Prefix(around)) => prefix.starts_with(around),
            (Shape::Prefix(_), Shape::Exact(_)) => false,
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Shape::Exact(exact) => write!(formatter, "{exact}"),
            Shape::Prefix(prefix) => write!(formatter, "{prefix}*"),
        }
    }
}

impl FromStr for NamePattern {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<NamePattern, FormatError> {
        let Some(prefix) = text.strip_suffix('*') else {
            return Ok(NamePattern(Shape::Exact(text.parse()?)));
        };
        if prefix.len() > NAME_BYTES_MAX || !is_slug_start(prefix) {
            return Err(FormatError::Rule {
                what: "name pattern",
                rule: "a vocabulary name, or the first characters of one followed by `*`",
            });
        }
        Ok(NamePattern(Shape::Prefix(prefix.to_owned())))
    }
}

text_in_json!(NamePattern);

#[cfg(test)]
mod tests;
