//! Trust documents: who may speak for which names, signed by root keys, one version after the other.
//!
//! It must never follow a version that the root keys of the version before it have not signed, and never hand out what a
//! document says before that.

use crate::envelope::{Envelope, Kind};
use crate::json::{self, Object};
use crate::limits::{PUBLISHERS_MAX, ROOT_KEYS_MAX};
use crate::trusted::{RevocationsJson, at_most, check_times, distinct, in_range};
use crate::{Digest, DocumentError, FormatError, PublicKey, PublisherEntry, Revocations};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::num::NonZeroU8;

/// `_type` of every trust document. A change of the fields is a new type.
pub const DOCUMENT_TYPE: &str = "https://holdpoint.dev/trust/v1";

/// What an authority says about publishers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustDocument {
    /// Names the line of documents: [`authority_of`] the root keys of version 1. It never changes.
    pub authority: Digest,
    /// Grows by one with every document.
    pub version: u64,
    /// First second (since 1970, UTC) at which it holds.
    pub not_before_s: u64,
    /// First second at which it no longer holds.
    pub expires_s: u64,
    /// The keys that sign this document and the next one.
    pub root_keys: Vec<PublicKey>,
    /// How many of them have to.
    pub root_distinct_keys: NonZeroU8,
    /// The publishers.
    pub publishers: Vec<PublisherEntry>,
    /// What was taken back.
    pub revoked: Revocations,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentJson {
    #[serde(rename = "_type")]
    document_type: String,
    authority: Digest,
    version: u64,
    not_before_s: u64,
    expires_s: u64,
    root_keys: Vec<PublicKey>,
    root_distinct_keys: NonZeroU8,
    publishers: Vec<Object<PublisherEntry>>,
    revoked: Object<RevocationsJson>,
}

/// The name of the line of documents that begins with these root keys.
pub fn authority_of(root_keys: &[PublicKey], root_distinct_keys: NonZeroU8) -> Digest {
    let mut bytes = b"holdpoint authority 1\0".to_vec();
    bytes.push(root_distinct_keys.get());
    for key in root_keys.iter().collect::<BTreeSet<_>>() {
        bytes.extend_from_slice(key.as_bytes());
    }
    Digest::of(&bytes)
}

/// A document whose root signatures hold. Only the functions of this module make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rooted(TrustDocument);

impl Rooted {
    /// What it says.
    pub fn document(&self) -> &TrustDocument {
        &self.0
    }

    /// The publishers, none of which is trusted for longer than the document holds.
    pub fn publishers(&self) -> impl Iterator<Item = PublisherEntry> {
        self.0.publishers.iter().map(|entry| PublisherEntry {
            not_before_s: entry.not_before_s.max(self.0.not_before_s),
            expires_s: entry.expires_s.min(self.0.expires_s),
            ..entry.clone()
        })
    }
}

impl TrustDocument {
    fn parse(payload: &[u8]) -> Result<TrustDocument, FormatError> {
        let wire: DocumentJson = json::read("trust document", payload)?;
        if wire.document_type != DOCUMENT_TYPE {
            return Err(FormatError::Rule { what: "`_type` of the trust document", rule: DOCUMENT_TYPE });
        }
        let document = TrustDocument {
            authority: wire.authority,
            version: wire.version,
            not_before_s: wire.not_before_s,
            expires_s: wire.expires_s,
            root_keys: wire.root_keys,
            root_distinct_keys: wire.root_distinct_keys,
            publishers: wire.publishers.into_iter().map(|Object(entry)| entry).collect(),
            revoked: wire.revoked.0.into(),
        };
        document.check()?;
        Ok(document)
    }

    /// Writes the payload to sign. It is refused if it would be refused when it is read.
    #[cfg(feature = "sign")]
    pub(crate) fn to_payload(&self) -> Result<String, FormatError> {
        self.check()?;
        let document = self.clone();
        let wire = DocumentJson {
            document_type: DOCUMENT_TYPE.to_owned(),
            authority: document.authority,
            version: document.version,
            not_before_s: document.not_before_s,
            expires_s: document.expires_s,
            root_keys: document.root_keys,
            root_distinct_keys: document.root_distinct_keys,
            publishers: document.publishers.into_iter().map(Object).collect(),
            revoked: Object(document.revoked.into()),
        };
        json::write("trust document", &wire)
    }

    /// The rules that no single field can carry.
    fn check(&self) -> Result<(), FormatError> {
        at_most("root keys", self.root_keys.len(), ROOT_KEYS_MAX)?;
        at_most("publishers", self.publishers.len(), PUBLISHERS_MAX)?;
        in_range("version", [self.version])?;
        check_times(self.not_before_s, self.expires_s)?;
        if distinct(&self.root_keys) < usize::from(self.root_distinct_keys.get()) {
            return Err(FormatError::Rule {
                what: "`root_distinct_keys`",
                rule: "at most the number of different keys",
            });
        }
        if self.version == 0 {
            return Err(FormatError::Rule { what: "`version`", rule: "1 or more" });
        }
        if self.version == 1 && self.authority != authority_of(&self.root_keys, self.root_distinct_keys) {
            return Err(FormatError::Rule { what: "`authority` of version 1", rule: "the digest of its root keys" });
        }
        let names: BTreeSet<_> = self.publishers.iter().map(|entry| &entry.publisher).collect();
        if names.len() != self.publishers.len() {
            return Err(FormatError::Rule { what: "each publisher", rule: "named once" });
        }
        self.publishers.iter().try_for_each(PublisherEntry::check)?;
        self.revoked.check()
    }

    fn root_set(&self) -> BTreeSet<&PublicKey> {
        self.root_keys.iter().collect()
    }

    /// Enough of these root keys are among those that signed.
    fn check_signed(&self, by: &BTreeSet<&PublicKey>) -> Result<(), DocumentError> {
        let (needed, found) = (usize::from(self.root_distinct_keys.get()), self.root_set().intersection(by).count());
        if found < needed { Err(DocumentError::TooFewRootKeys { needed, found }) } else { Ok(()) }
    }

    fn check_time(&self, now_s: u64) -> Result<(), DocumentError> {
        if now_s < self.not_before_s {
            return Err(DocumentError::NotYetValid { not_before_s: self.not_before_s, now_s });
        }
        if now_s >= self.expires_s {
            return Err(DocumentError::Expired { expires_s: self.expires_s, now_s });
        }
        Ok(())
    }
}

/// Takes the first document of an authority that the operator named: its root keys are the ones that `authority` is made
/// of, and enough of them signed. It holds at `now_s`, in seconds since 1970.
pub fn verify_first(envelope: &str, root_keys: &[PublicKey], now_s: u64) -> Result<Rooted, DocumentError> {
    let signed = Envelope::parse(Kind::Trust, envelope)?.open(&root_keys.iter().collect())?;
    let document = TrustDocument::parse(&signed.payload).map_err(DocumentError::Malformed)?;
    if document.root_set() != root_keys.iter().collect() {
        return Err(DocumentError::OtherRootKeys);
    }
    document.check_signed(&signed.keys)?;
    document.check_time(now_s)?;
    Ok(Rooted(document))
}

/// Takes a document that was taken before, for instance from a folder: its signatures hold still, whatever time it is.
pub fn verify_own(envelope: &str, root_keys: &[PublicKey]) -> Result<Rooted, DocumentError> {
    let signed = Envelope::parse(Kind::Trust, envelope)?.open(&root_keys.iter().collect())?;
    let document = TrustDocument::parse(&signed.payload).map_err(DocumentError::Malformed)?;
    if document.root_set() != root_keys.iter().collect() {
        return Err(DocumentError::OtherRootKeys);
    }
    document.check_signed(&signed.keys)?;
    Ok(Rooted(document))
}

/// Takes the document that follows `before`: the next version of the same authority, signed by enough root keys of the
/// version before and of its own, with all that was revoked. It holds at `now_s`.
pub fn verify_next(envelope: &str, before: &Rooted, now_s: u64) -> Result<Rooted, DocumentError> {
    let before = before.document();
    let parsed = Envelope::parse(Kind::Trust, envelope)?;
    // The own keys are only known once the keys that are trusted already have signed.
    let signed = parsed.clone().open(&before.root_set())?;
    before.check_signed(&signed.keys)?;
    let document = TrustDocument::parse(&signed.payload).map_err(DocumentError::Malformed)?;
    let own = document.root_set();
    document.check_signed(&parsed.open(&own)?.keys)?;
    if document.authority != before.authority {
        return Err(DocumentError::OtherAuthority);
    }
    let expected = before.version.saturating_add(1);
    if document.version != expected {
        return Err(DocumentError::WrongVersion { expected, found: document.version });
    }
    let (last, found) = (before.revoked.sequence, document.revoked.sequence);
    let same = document.revoked == before.revoked;
    if found < last || (found == last && !same) || !document.revoked.holds_all_of(&before.revoked) {
        return Err(DocumentError::ReplayedRevocations { last, found });
    }
    document.check_time(now_s)?;
    Ok(Rooted(document))
}
