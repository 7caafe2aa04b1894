//! Delegations: a publisher of a trust document lets somebody else speak for some of its names. They only narrow.
//!
//! It must never give more than the publisher has itself, and never be handed on: who was delegated to delegates nothing.

use crate::envelope::{Envelope, Kind};
use crate::json::{self, Object};
use crate::{Digest, DocumentError, FormatError, Publisher, PublisherEntry, Rooted, Trust};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// `_type` of every delegation. A change of the fields is a new type.
pub const DELEGATION_TYPE: &str = "https://holdpoint.dev/delegation/v1";

/// What a publisher hands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delegation {
    /// The line of documents in which the publisher stands.
    pub authority: Digest,
    /// The publisher that delegates.
    pub from: Publisher,
    /// To whom, and what.
    pub to: PublisherEntry,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DelegationJson {
    #[serde(rename = "_type")]
    delegation_type: String,
    authority: Digest,
    from: Publisher,
    to: Object<PublisherEntry>,
}

impl Delegation {
    fn parse(payload: &[u8]) -> Result<Delegation, FormatError> {
        let wire: DelegationJson = json::read("delegation", payload)?;
        if wire.delegation_type != DELEGATION_TYPE {
            return Err(FormatError::Rule { what: "`_type` of the delegation", rule: DELEGATION_TYPE });
        }
        let Object(to) = wire.to;
        to.check()?;
        Ok(Delegation { authority: wire.authority, from: wire.from, to })
    }

    /// Writes the payload to sign. It is refused if it would be refused when it is read.
    #[cfg(feature = "sign")]
    pub(crate) fn to_payload(&self) -> Result<String, FormatError> {
        self.to.check()?;
        let Delegation { authority, from, to } = self.clone();
        let delegation_type = DELEGATION_TYPE.to_owned();
        json::write("delegation", &DelegationJson { delegation_type, authority, from, to: Object(to) })
    }

    /// What of it is wider than what the publisher has.
    fn wider_than(&self, from: &PublisherEntry) -> Option<&'static str> {
        let to = &self.to;
        let named = |name| from.names.iter().any(|around| crate::NamePattern::is_within(name, around));
        if !to.names.iter().all(named) {
            return Some("names");
        }
        if to.distinct_keys < from.distinct_keys {
            return Some("distinct_keys");
        }
        if to.expires_s > from.expires_s {
            return Some("expires_s");
        }
        (to.not_before_s < from.not_before_s).then_some("not_before_s")
    }
}

/// Takes a delegation of a publisher in `document`, signed by enough of that publisher's keys that are trusted at `now_s`,
/// in seconds since 1970. `trust` says which of them were revoked.
pub fn verify_delegation(
    envelope: &str,
    document: &Rooted,
    trust: &Trust,
    now_s: u64,
) -> Result<PublisherEntry, DocumentError> {
    let live: BTreeMap<Publisher, PublisherEntry> = document
        .publishers()
        .filter(|entry| !trust.is_publisher_revoked(&entry.publisher))
        .map(|entry| (entry.publisher.clone(), entry))
        .collect();
    let usable = |key: &&crate::PublicKey| !trust.is_key_revoked(&key.id());
    let keys: BTreeSet<_> = live.values().flat_map(|entry| &entry.keys).filter(usable).collect();
    let signed = Envelope::parse(Kind::Delegation, envelope)?.open(&keys)?;
    let delegation = Delegation::parse(&signed.payload).map_err(DocumentError::Malformed)?;
    if delegation.authority != document.document().authority {
        return Err(DocumentError::OtherAuthority);
    }
    let from = live.get(&delegation.from).ok_or(DocumentError::UnknownPublisher)?;
    let found = from.keys.iter().collect::<BTreeSet<_>>().intersection(&signed.keys).count();
    let needed = usize::from(from.distinct_keys.get());
    if found < needed {
        return Err(DocumentError::TooFewKeys { needed, found });
    }
    // A name that stands for somebody already would get keys that nobody gave it.
    if live.contains_key(&delegation.to.publisher) {
        return Err(DocumentError::NameTaken);
    }
    if let Some(what) = delegation.wider_than(from) {
        return Err(DocumentError::Wider { what });
    }
    if now_s < delegation.to.not_before_s {
        return Err(DocumentError::NotYetValid { not_before_s: delegation.to.not_before_s, now_s });
    }
    if now_s >= delegation.to.expires_s {
        return Err(DocumentError::Expired { expires_s: delegation.to.expires_s, now_s });
    }
    Ok(delegation.to)
}
