//! Who may speak for which vocabulary names: the operator's trust set, and the pins of a build.
//!
//! It must never count entries: a threshold is about distinct keys, whatever ids, publishers or lists they
//! appear under.

use crate::json::{self, Object};
use crate::limits::{PATTERNS_PER_KEY_MAX, SIGNATURES_MAX, THRESHOLDS_MAX, TRUST_SET_BYTES_MAX, TRUSTED_KEYS_MAX};
use crate::{Digest, FormatError, NamePattern, PublicKey, Publisher, VocabularyName};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU8;

/// The layout of the JSON that this crate reads and writes.
const SCHEMA: u32 = 1;

/// A key, its holder, and the names it may speak for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The operator's name for the holder.
    pub publisher: Publisher,
    /// The key.
    pub key: PublicKey,
    /// The names it may speak for.
    pub names: Vec<NamePattern>,
}

/// How many distinct keys have to sign for some names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// The names that the rule is about.
    pub names: NamePattern,
    /// Distinct keys that have to sign.
    pub distinct_keys: NonZeroU8,
}

/// The operator's trusted keys and thresholds. The empty set trusts nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Object<TrustSetJson>", into = "Object<TrustSetJson>")]
pub struct TrustSet {
    keys: Vec<TrustedKey>,
    thresholds: Vec<Threshold>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustSetJson {
    schema: u32,
    keys: Vec<Object<TrustedKey>>,
    #[serde(default)]
    thresholds: Vec<Object<Threshold>>,
}

impl TrustSet {
    /// Builds a trust set within its bounds.
    pub fn new(keys: Vec<TrustedKey>, thresholds: Vec<Threshold>) -> Result<TrustSet, FormatError> {
        if keys.len() > TRUSTED_KEYS_MAX {
            return Err(FormatError::TooMany { what: "trusted keys", max: TRUSTED_KEYS_MAX });
        }
        if thresholds.len() > THRESHOLDS_MAX {
            return Err(FormatError::TooMany { what: "thresholds", max: THRESHOLDS_MAX });
        }
        if keys.iter().any(|entry| entry.names.len() > PATTERNS_PER_KEY_MAX) {
            return Err(FormatError::TooMany { what: "names of a trusted key", max: PATTERNS_PER_KEY_MAX });
        }
        if thresholds.iter().any(|rule| usize::from(rule.distinct_keys.get()) > SIGNATURES_MAX) {
            return Err(FormatError::TooMany { what: "distinct keys of a threshold", max: SIGNATURES_MAX });
        }
        Ok(TrustSet { keys, thresholds })
    }

    /// Reads the JSON form.
    pub fn from_json(text: &str) -> Result<TrustSet, FormatError> {
        if text.len() > TRUST_SET_BYTES_MAX {
            return Err(FormatError::TooMany { what: "bytes of the trust set", max: TRUST_SET_BYTES_MAX });
        }
        json::read("trust set", text.as_bytes())
    }

    /// Writes the JSON form.
    pub fn to_json(&self) -> Result<String, FormatError> {
        json::write("trust set", self)
    }

    /// The trusted keys, in the operator's order.
    pub fn keys(&self) -> &[TrustedKey] {
        &self.keys
    }

    /// The thresholds, in the operator's order.
    pub fn thresholds(&self) -> &[Threshold] {
        &self.thresholds
    }

    /// Distinct keys that have to sign for `name`: the largest number among the rules that cover it, or one.
    pub fn distinct_keys_needed(&self, name: &VocabularyName) -> usize {
        let rules = self.thresholds.iter().filter(|rule| rule.names.covers(name));
        rules.map(|rule| usize::from(rule.distinct_keys.get())).max().unwrap_or(1)
    }

    /// The holders through whom `key` may speak for `name`, each once. None means that it may not.
    pub(crate) fn publishers(&self, key: &PublicKey, name: &VocabularyName) -> Vec<Publisher> {
        let speaks = |entry: &&TrustedKey| entry.key == *key && entry.names.iter().any(|it| it.covers(name));
        let mut publishers: Vec<Publisher> =
            self.keys.iter().filter(speaks).map(|entry| entry.publisher.clone()).collect();
        publishers.sort();
        publishers.dedup();
        publishers
    }
}

impl TryFrom<Object<TrustSetJson>> for TrustSet {
    type Error = FormatError;

    fn try_from(Object(wire): Object<TrustSetJson>) -> Result<TrustSet, FormatError> {
        if wire.schema != SCHEMA {
            return Err(FormatError::Rule { what: "`schema` of the trust set", rule: "1" });
        }
        let keys = wire.keys.into_iter().map(|Object(key)| key).collect();
        TrustSet::new(keys, wire.thresholds.into_iter().map(|Object(rule)| rule).collect())
    }
}

impl From<TrustSet> for Object<TrustSetJson> {
    fn from(set: TrustSet) -> Object<TrustSetJson> {
        Object(TrustSetJson {
            schema: SCHEMA,
            keys: set.keys.into_iter().map(Object).collect(),
            thresholds: set.thresholds.into_iter().map(Object).collect(),
        })
    }
}

/// A component that a build carries or knows, by digest, with the key that signed it for that build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// The SHA-256 of the whole component file.
    pub component: Digest,
    /// The key of the release; its secret was thrown away after signing.
    pub key: PublicKey,
}

#[cfg(test)]
mod tests;
