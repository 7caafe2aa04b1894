//! The operator's trust as a whole: who may speak for which names and for how long, what was revoked, and which releases
//! are too old.
//!
//! It must never get wider by taking something away: the threshold of a publisher that was revoked or whose time is over
//! still counts for its names.

use crate::json::Object;
use crate::limits::{
    INTEGER_MAX, KEYS_PER_PUBLISHER_MAX, PATTERNS_PER_KEY_MAX, PUBLISHERS_MAX, REVOKED_MAX, SIGNATURES_MAX,
};
use crate::{
    Digest, FormatError, KeyId, NamePattern, PublicKey, Publisher, Statement, Threshold, TrustSet, TrustedKey,
    VerifyError, VocabularyName,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU8;

/// A publisher: its keys, the names they may speak for, how many of them have to sign, and for how long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublisherEntry {
    /// The operator's name for it.
    pub publisher: Publisher,
    /// Its keys.
    pub keys: Vec<PublicKey>,
    /// The names they may speak for.
    pub names: Vec<NamePattern>,
    /// Distinct keys that have to sign.
    pub distinct_keys: NonZeroU8,
    /// First second (since 1970, UTC) at which it is trusted.
    pub not_before_s: u64,
    /// First second at which it no longer is.
    pub expires_s: u64,
}

impl PublisherEntry {
    /// The rules that no single field can carry. One key that stands there twice is one key.
    pub fn check(&self) -> Result<(), FormatError> {
        at_most("keys of a publisher", self.keys.len(), KEYS_PER_PUBLISHER_MAX)?;
        at_most("names of a publisher", self.names.len(), PATTERNS_PER_KEY_MAX)?;
        at_most("distinct keys of a threshold", usize::from(self.distinct_keys.get()), SIGNATURES_MAX)?;
        check_times(self.not_before_s, self.expires_s)?;
        if self.names.is_empty() {
            return Err(FormatError::Rule { what: "`names` of a publisher", rule: "at least one" });
        }
        if distinct(&self.keys) < usize::from(self.distinct_keys.get()) {
            return Err(FormatError::Rule { what: "`distinct_keys`", rule: "at most the number of different keys" });
        }
        Ok(())
    }

    /// Whether everything that this entry lets through is let through by the other one.
    pub fn is_within(&self, other: &PublisherEntry) -> bool {
        let named = |name: &NamePattern| other.names.iter().any(|around| name.is_within(around));
        self.keys.iter().all(|key| other.keys.contains(key))
            && self.names.iter().all(named)
            && self.distinct_keys >= other.distinct_keys
            && self.not_before_s >= other.not_before_s
            && self.expires_s <= other.expires_s
    }

    fn is_valid_at(&self, now_s: u64) -> bool {
        self.not_before_s <= now_s && now_s < self.expires_s
    }
}

/// One release of one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseId {
    /// The vocabulary's name.
    pub name: VocabularyName,
    /// The release number.
    pub release: u64,
}

/// What was taken back. The number grows with every change of the lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revocations {
    /// Grows with every change, so that an old list cannot be handed out again.
    pub sequence: u64,
    /// Keys, by id.
    pub keys: Vec<KeyId>,
    /// Publishers.
    pub publishers: Vec<Publisher>,
    /// Components, by the SHA-256 of the whole file.
    pub components: Vec<Digest>,
    /// Releases.
    pub releases: Vec<ReleaseId>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevocationsJson {
    sequence: u64,
    keys: Vec<KeyId>,
    publishers: Vec<Publisher>,
    components: Vec<Digest>,
    releases: Vec<Object<ReleaseId>>,
}

impl From<RevocationsJson> for Revocations {
    fn from(wire: RevocationsJson) -> Revocations {
        let RevocationsJson { sequence, keys, publishers, components, releases } = wire;
        let releases = releases.into_iter().map(|Object(release)| release).collect();
        Revocations { sequence, keys, publishers, components, releases }
    }
}

impl From<Revocations> for RevocationsJson {
    fn from(revoked: Revocations) -> RevocationsJson {
        let Revocations { sequence, keys, publishers, components, releases } = revoked;
        let releases = releases.into_iter().map(Object).collect();
        RevocationsJson { sequence, keys, publishers, components, releases }
    }
}

impl Revocations {
    /// Checks the bounds.
    pub fn check(&self) -> Result<(), FormatError> {
        at_most("revoked keys", self.keys.len(), REVOKED_MAX)?;
        at_most("revoked publishers", self.publishers.len(), REVOKED_MAX)?;
        at_most("revoked components", self.components.len(), REVOKED_MAX)?;
        at_most("revoked releases", self.releases.len(), REVOKED_MAX)?;
        let numbers = self.releases.iter().map(|release| release.release).chain([self.sequence]);
        in_range("number of a revocation", numbers)
    }

    /// Whether this list says all that the other one says.
    pub(crate) fn holds_all_of(&self, other: &Revocations) -> bool {
        other.keys.iter().all(|key| self.keys.contains(key))
            && other.publishers.iter().all(|publisher| self.publishers.contains(publisher))
            && other.components.iter().all(|component| self.components.contains(component))
            && other.releases.iter().all(|release| self.releases.contains(release))
    }
}

/// Who may speak for which names, what was revoked, and the least release of each name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    entries: Vec<PublisherEntry>,
    revoked: Vec<Revocations>,
    floors: BTreeMap<VocabularyName, u64>,
}

impl Trust {
    /// A trust within its bounds. What any of the lists revokes is revoked.
    pub fn new(
        entries: Vec<PublisherEntry>,
        revoked: Vec<Revocations>,
        floors: BTreeMap<VocabularyName, u64>,
    ) -> Result<Trust, FormatError> {
        at_most("publishers", entries.len(), PUBLISHERS_MAX.saturating_mul(2))?;
        entries.iter().try_for_each(PublisherEntry::check)?;
        revoked.iter().try_for_each(Revocations::check)?;
        Ok(Trust { entries, revoked, floors })
    }

    /// All publishers, whether or not they are trusted now.
    pub fn entries(&self) -> &[PublisherEntry] {
        &self.entries
    }

    /// Whether a publisher was revoked.
    pub fn is_publisher_revoked(&self, publisher: &Publisher) -> bool {
        self.revoked.iter().any(|revoked| revoked.publishers.contains(publisher))
    }

    /// Whether a key was revoked.
    pub fn is_key_revoked(&self, key: &KeyId) -> bool {
        self.revoked.iter().any(|revoked| revoked.keys.contains(key))
    }

    /// The least release of a name that is accepted.
    pub fn floor(&self, name: &VocabularyName) -> u64 {
        self.floors.get(name).copied().unwrap_or(0)
    }

    /// Who may speak for which names at `now_s`, in seconds since 1970.
    pub fn set_at(&self, now_s: u64) -> Result<TrustSet, FormatError> {
        let mut keys: Vec<TrustedKey> = Vec::new();
        let mut thresholds: Vec<Threshold> = Vec::new();
        for entry in &self.entries {
            // INVARIANT (never wider): a threshold outlives the keys that it was made for.
            for names in &entry.names {
                let rule = Threshold { names: names.clone(), distinct_keys: entry.distinct_keys };
                if entry.distinct_keys.get() > 1 && !thresholds.contains(&rule) {
                    thresholds.push(rule);
                }
            }
            if !entry.is_valid_at(now_s) || self.is_publisher_revoked(&entry.publisher) {
                continue;
            }
            for key in entry.keys.iter().filter(|key| !self.is_key_revoked(&key.id())) {
                let (publisher, names) = (entry.publisher.clone(), entry.names.clone());
                keys.push(TrustedKey { publisher, key: key.clone(), names });
            }
        }
        TrustSet::new(keys, thresholds)
    }

    /// Nothing about the statement was revoked, and its release is not too old.
    pub(crate) fn check_history(&self, statement: &Statement) -> Result<(), VerifyError> {
        let release = ReleaseId { name: statement.name.clone(), release: statement.release };
        for revoked in &self.revoked {
            if revoked.components.contains(&statement.component) {
                return Err(VerifyError::Revoked { what: "component" });
            }
            if revoked.releases.contains(&release) {
                return Err(VerifyError::Revoked { what: "release" });
            }
        }
        let floor = self.floor(&statement.name);
        if statement.release < floor {
            let (name, release) = (statement.name.clone(), statement.release);
            return Err(VerifyError::BelowFloor { name, release, floor });
        }
        Ok(())
    }
}

/// Different keys in a list.
pub(crate) fn distinct(keys: &[PublicKey]) -> usize {
    keys.iter().collect::<std::collections::BTreeSet<_>>().len()
}

pub(crate) fn at_most(what: &'static str, count: usize, max: usize) -> Result<(), FormatError> {
    if count > max { Err(FormatError::TooMany { what, max }) } else { Ok(()) }
}

pub(crate) fn in_range(what: &'static str, numbers: impl IntoIterator<Item = u64>) -> Result<(), FormatError> {
    let over = numbers.into_iter().any(|number| number > INTEGER_MAX);
    if over { Err(FormatError::TooLargeNumber { what }) } else { Ok(()) }
}

pub(crate) fn check_times(not_before_s: u64, expires_s: u64) -> Result<(), FormatError> {
    in_range("time", [not_before_s, expires_s])?;
    let ordered = not_before_s < expires_s;
    if ordered { Ok(()) } else { Err(FormatError::Rule { what: "`expires_s`", rule: "later than `not_before_s`" }) }
}
