//! What the chain of trust comes down to: who may speak for which names now. Texts of the chain get their meaning here.
//!
//! Must never leave something out that cannot be read: a revocation that is skipped would let something back in.

use crate::exit::{Exit, Failure};
use crate::gate;
use holdpoint_core::ports::NotDurable;
use holdpoint_signing::limits::INTEGER_MAX;
use holdpoint_signing::{
    DocumentError, FormatError, NamePattern, PublicKey, PublisherEntry, ReleaseId, Revocations, Rooted, Trust,
    Verified, VerifyError, VocabularyName, still_trusted, verify_delegation, verify_own, verify_trusted,
};
use holdpoint_store::{Generations, Revocation, StateFolder, TrustState, TrustedPublisher};
use std::collections::BTreeMap;
use std::num::NonZeroU8;

/// The publisher that stands for every key that an operator named at an install.
pub(crate) const PINNED: &str = "pinned";

/// The chain of trust, and what it says.
pub(crate) struct Trusted {
    pub(crate) said: TrustState,
    pub(crate) document: Option<Rooted>,
    /// The publishers of the operator, of the document and of delegations.
    pub(crate) entries: Vec<PublisherEntry>,
    revoked: Vec<Revocations>,
    floors: BTreeMap<VocabularyName, u64>,
    /// The time by which everything is judged: never before one that was seen.
    pub(crate) now_s: u64,
}

/// Why a chain of trust, or what it names, cannot be used.
pub(crate) fn unusable(problem: &str) -> Failure {
    let help = "`holdpoint audit verify`; put `audit/trust` and `vocabularies` back as they were";
    Failure::new(Exit::Plugin, format!("the trust cannot be used: {problem}"), help)
}

pub(crate) fn not_read(failure: NotDurable) -> Failure {
    unusable(&failure.cause)
}

fn format(error: FormatError) -> Failure {
    unusable(&error.to_string())
}

impl Trusted {
    /// Reads the chain of a state folder.
    pub(crate) fn of(state: &StateFolder) -> Result<Trusted, Failure> {
        let said = holdpoint_store::Trust::of(state).state().map_err(not_read)?;
        Trusted::by(said, &Generations::of(state))
    }

    /// What a chain comes down to.
    pub(crate) fn by(said: TrustState, kept: &Generations) -> Result<Trusted, Failure> {
        let now_s = gate::now_ms().max(said.passed_ms) / 1_000;
        let floor = |(name, release): (&String, &u64)| Ok((name.parse()?, *release));
        let floors = said.floors.iter().map(floor).collect::<Result<_, FormatError>>().map_err(format)?;
        let revoked = revocations(&said).map_err(format)?;
        let entries = said.publishers.values().map(entry).collect::<Result<_, _>>().map_err(format)?;
        let mut trusted = Trusted { said, document: None, entries, revoked: vec![revoked], floors, now_s };
        trusted.take_document(kept)?;
        Ok(trusted)
    }

    fn take_document(&mut self, kept: &Generations) -> Result<(), Failure> {
        let Some(named) = &self.said.document else { return Ok(()) };
        let keys = named.root_keys.iter().map(|key| key.parse()).collect::<Result<Vec<PublicKey>, _>>();
        let text = text_of(kept, &named.digest)?;
        let document = verify_own(&text, &keys.map_err(format)?).map_err(|error| unusable(&error.to_string()))?;
        self.revoked.push(document.document().revoked.clone());
        self.entries.extend(document.publishers());
        let trust = self.trust(None)?;
        for digest in &self.said.delegations {
            // One that does not hold any more gives nobody anything.
            match verify_delegation(&text_of(kept, digest)?, &document, &trust, self.now_s) {
                Ok(entry) => self.entries.push(entry),
                Err(_) => continue,
            }
        }
        self.document = Some(document);
        Ok(())
    }

    /// Who may speak: those who are trusted, or whoever has the key that was named for one component.
    pub(crate) fn trust(&self, pin: Option<(&PublicKey, &VocabularyName)>) -> Result<Trust, Failure> {
        let entries = match pin {
            None => self.entries.clone(),
            Some((key, name)) => vec![PublisherEntry {
                publisher: PINNED.parse().map_err(format)?,
                keys: vec![key.clone()],
                names: vec![name.as_str().parse::<NamePattern>().map_err(format)?],
                distinct_keys: NonZeroU8::MIN,
                not_before_s: 0,
                expires_s: INTEGER_MAX,
            }],
        };
        Trust::new(entries, self.revoked.clone(), self.floors.clone()).map_err(format)
    }

    /// Whether anybody was ever trusted here. From then on a key that is named at an install does not count.
    pub(crate) fn names_publishers(&self) -> bool {
        !self.said.publishers.is_empty() || self.said.document.is_some()
    }

    /// Verifies a component. A pin is a key and the name it may speak for.
    pub(crate) fn verify(
        &self,
        component: &[u8],
        envelope: &str,
        pin: Option<(&PublicKey, &VocabularyName)>,
    ) -> Result<Verified, Failure> {
        verify_trusted(component, envelope, &self.trust(pin)?, self.now_s).map_err(refused)
    }

    /// Why a component that was verified before is not accepted any more.
    pub(crate) fn objection(
        &self,
        component: holdpoint_signing::Digest,
        envelope: &str,
        pin: Option<(&PublicKey, &VocabularyName)>,
    ) -> Option<String> {
        let trust = match self.trust(pin) {
            Ok(trust) => trust,
            Err(failure) => return Some(failure.what),
        };
        still_trusted(component, envelope, &trust, self.now_s).err().map(|error| error.to_string())
    }
}

fn refused(error: VerifyError) -> Failure {
    Failure::new(Exit::Plugin, error.to_string(), error.help())
}

/// A document or delegation that is not taken.
pub(crate) fn not_taken(error: DocumentError) -> Failure {
    Failure::new(Exit::Plugin, error.to_string(), error.help())
}

fn text_of(kept: &Generations, digest: &holdpoint_core::digest::Digest) -> Result<String, Failure> {
    let bytes = kept.blob(digest).map_err(not_read)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| unusable(&format!("`vocabularies/generations/sha256-{digest}` is missing or was changed")))
}

/// A publisher as the chain writes it.
pub(crate) fn said(entry: &PublisherEntry) -> TrustedPublisher {
    TrustedPublisher {
        publisher: entry.publisher.to_string(),
        keys: entry.keys.iter().map(ToString::to_string).collect(),
        names: entry.names.iter().map(ToString::to_string).collect(),
        distinct_keys: u64::from(entry.distinct_keys.get()),
        not_before_s: entry.not_before_s,
        expires_s: entry.expires_s,
    }
}

/// A publisher as the chain says it.
pub(crate) fn entry(said: &TrustedPublisher) -> Result<PublisherEntry, FormatError> {
    let wrong = FormatError::Rule { what: "`distinct_keys`", rule: "1 or more" };
    let distinct_keys = u8::try_from(said.distinct_keys).ok().and_then(NonZeroU8::new).ok_or(wrong)?;
    let entry = PublisherEntry {
        publisher: said.publisher.parse()?,
        keys: said.keys.iter().map(|key| key.parse()).collect::<Result<_, _>>()?,
        names: said.names.iter().map(|names| names.parse()).collect::<Result<_, _>>()?,
        distinct_keys,
        not_before_s: said.not_before_s,
        expires_s: said.expires_s,
    };
    entry.check()?;
    Ok(entry)
}

fn revocations(said: &TrustState) -> Result<Revocations, FormatError> {
    let mut revoked = Revocations::default();
    for one in &said.revoked {
        match one {
            Revocation::Publisher(name) => revoked.publishers.push(name.parse()?),
            Revocation::Key(id) => revoked.keys.push(id.parse()?),
            Revocation::Component(digest) => revoked.components.push(digest.parse()?),
            Revocation::Release(name, release) => {
                revoked.releases.push(ReleaseId { name: name.parse()?, release: *release });
            }
        }
    }
    Ok(revoked)
}
