//! The decision whether a component may be loaded, and the proof of it.
//!
//! There is one path. It must never look at a payload before a signature over it holds, must never warn
//! instead of refusing, and must never be told what time it is by anything but its argument.

use crate::envelope::{Envelope, Kind};
use crate::limits::COMPONENT_BYTES_MAX;
use crate::{Digest, KeyId, Pin, PublicKey, Publisher, Statement, Trust, TrustSet, VerifyError, VocabularyName};
use std::collections::BTreeSet;

/// The plugin contract that this build speaks.
pub const CONTRACT: &str = "holdpoint:vocabulary@0.1.0";
/// The features that a statement may require of this build.
pub const KNOWN_FEATURES: &[&str] = &[];

/// The proof that a component passed every check. Only [`verify`] and [`verify_pinned`] make one.
///
/// It is about the bytes that were passed in. Load those bytes, not the file again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    statement: Statement,
    signers: Vec<Signer>,
    grounds: Grounds,
}

/// A key that signed and may speak for the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signer {
    /// The key's id.
    pub key_id: KeyId,
    /// The operator's names for its holder; empty for a pin, which has none.
    pub publishers: Vec<Publisher>,
}

/// Why the signing keys were trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grounds {
    /// The operator's trust set says so.
    TrustSet,
    /// The component is pinned by digest.
    Pin,
}

impl Verified {
    /// What the publisher said.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The SHA-256 of the component, equal in file and statement.
    pub fn component_digest(&self) -> Digest {
        self.statement.component
    }

    /// The keys that signed and may speak for the name, each once.
    pub fn signers(&self) -> &[Signer] {
        &self.signers
    }

    /// Why they were trusted.
    pub fn grounds(&self) -> Grounds {
        self.grounds
    }
}

/// Decides whether the operator's trust set lets `component` be loaded at `now_s`, in seconds since 1970.
pub fn verify(component: &[u8], envelope: &str, trust: &TrustSet, now_s: u64) -> Result<Verified, VerifyError> {
    check(File::Whole(component), envelope, Authority::TrustSet(trust), now_s)
}

/// Decides whether `component` is the pinned one. A pin binds one file, so its statement may go without an
/// expiry and its name needs no leave; everything else is as in [`verify`].
pub fn verify_pinned(component: &[u8], envelope: &str, pin: &Pin, now_s: u64) -> Result<Verified, VerifyError> {
    check(File::Whole(component), envelope, Authority::Pin(pin), now_s)
}

/// The one path: size, envelope, payload type, signatures, statement, file, leave to speak, time.
fn check(file: File<'_>, envelope: &str, authority: Authority<'_>, now_s: u64) -> Result<Verified, VerifyError> {
    if file.bytes() > COMPONENT_BYTES_MAX {
        return Err(VerifyError::TooLarge { what: "component", bytes_max: COMPONENT_BYTES_MAX });
    }
    let signed = Envelope::parse(Kind::Statement, envelope)?.open(&authority.keys())?;
    let statement = Statement::parse(&signed.payload).map_err(VerifyError::BadStatement)?;
    check_needs(&statement)?;
    authority.check_file(file.digest(), statement.component)?;
    authority.check_history(&statement)?;
    let signers = authority.signers(&signed.keys, &statement.name)?;
    check_time(statement.not_before_s, authority.expiry_s(&statement)?, now_s)?;
    Ok(Verified { statement, signers, grounds: authority.grounds() })
}

/// Decides whether the operator's trust lets `component` be loaded at `now_s`, in seconds since 1970: who may speak for
/// the name at that time, what was revoked, and which releases are too old.
pub fn verify_trusted(component: &[u8], envelope: &str, trust: &Trust, now_s: u64) -> Result<Verified, VerifyError> {
    let set = trust.set_at(now_s).map_err(VerifyError::Trust)?;
    check(File::Whole(component), envelope, Authority::Trust { trust, set: &set }, now_s)
}

/// Decides whether a component that was verified before would still be accepted, by the digest that it had. It gives no
/// proof: whoever loads the component asks for one with its bytes.
pub fn still_trusted(component: Digest, envelope: &str, trust: &Trust, now_s: u64) -> Result<(), VerifyError> {
    let set = trust.set_at(now_s).map_err(VerifyError::Trust)?;
    check(File::Known(component), envelope, Authority::Trust { trust, set: &set }, now_s).map(|_| ())
}

/// A component, or the digest that it had.
#[derive(Clone, Copy)]
enum File<'a> {
    Whole(&'a [u8]),
    Known(Digest),
}

impl File<'_> {
    fn bytes(self) -> usize {
        match self {
            File::Whole(bytes) => bytes.len(),
            File::Known(_) => 0,
        }
    }

    fn digest(self) -> Digest {
        match self {
            File::Whole(bytes) => Digest::of(bytes),
            File::Known(digest) => digest,
        }
    }
}

fn check_needs(statement: &Statement) -> Result<(), VerifyError> {
    if statement.contract.as_str() != CONTRACT {
        return Err(VerifyError::WrongContract { contract: statement.contract.clone() });
    }
    let mut features = statement.required_features.iter();
    match features.find(|feature| !KNOWN_FEATURES.contains(&feature.as_str())) {
        Some(feature) => Err(VerifyError::UnknownFeature { feature: feature.clone() }),
        None => Ok(()),
    }
}

fn check_time(not_before_s: u64, expires_s: Option<u64>, now_s: u64) -> Result<(), VerifyError> {
    if now_s < not_before_s {
        return Err(VerifyError::NotYetValid { not_before_s, now_s });
    }
    match expires_s {
        Some(expires_s) if now_s >= expires_s => Err(VerifyError::Expired { expires_s, now_s }),
        Some(_) | None => Ok(()),
    }
}

/// What trust rests on. The two kinds differ only in the answers below.
#[derive(Clone, Copy)]
enum Authority<'a> {
    TrustSet(&'a TrustSet),
    Trust { trust: &'a Trust, set: &'a TrustSet },
    Pin(&'a Pin),
}

impl<'a> Authority<'a> {
    fn grounds(self) -> Grounds {
        match self {
            Authority::TrustSet(_) | Authority::Trust { .. } => Grounds::TrustSet,
            Authority::Pin(_) => Grounds::Pin,
        }
    }

    /// Every key whose signature counts at all, each once.
    fn keys(self) -> BTreeSet<&'a PublicKey> {
        match self {
            Authority::TrustSet(set) | Authority::Trust { set, .. } => {
                set.keys().iter().map(|entry| &entry.key).collect()
            }
            Authority::Pin(pin) => BTreeSet::from([&pin.key]),
        }
    }

    /// The file is the one that the statement is about and, if there is a pin, the pinned one.
    fn check_file(self, found: Digest, stated: Digest) -> Result<(), VerifyError> {
        if found != stated {
            return Err(VerifyError::WrongDigest { stated, found });
        }
        match self {
            Authority::Pin(pin) if found != pin.component => {
                Err(VerifyError::NotPinned { pinned: pin.component, found })
            }
            Authority::Pin(_) | Authority::TrustSet(_) | Authority::Trust { .. } => Ok(()),
        }
    }

    /// Nothing of this component was revoked, and no newer release was in force.
    fn check_history(self, statement: &Statement) -> Result<(), VerifyError> {
        match self {
            Authority::Trust { trust, .. } => trust.check_history(statement),
            Authority::TrustSet(_) | Authority::Pin(_) => Ok(()),
        }
    }

    /// The keys among `signed` that may speak for `name`, if they are enough.
    fn signers(self, signed: &BTreeSet<&PublicKey>, name: &VocabularyName) -> Result<Vec<Signer>, VerifyError> {
        let trust = match self {
            Authority::TrustSet(set) | Authority::Trust { set, .. } => set,
            Authority::Pin(_) => {
                return Ok(signed.iter().map(|key| Signer { key_id: key.id(), publishers: vec![] }).collect());
            }
        };
        let signers: Vec<Signer> = signed
            .iter()
            .map(|key| Signer { key_id: key.id(), publishers: trust.publishers(key, name) })
            .filter(|signer| !signer.publishers.is_empty())
            .collect();
        if signers.is_empty() {
            return Err(VerifyError::WrongName { name: name.clone() });
        }
        let (needed, found) = (trust.distinct_keys_needed(name), signers.len());
        if found < needed {
            return Err(VerifyError::ThresholdNotReached { name: name.clone(), needed, found });
        }
        Ok(signers)
    }

    /// The statement's expiry. Only a pin may go without one; if there is one, it counts for both.
    fn expiry_s(self, statement: &Statement) -> Result<Option<u64>, VerifyError> {
        match (self, statement.expires_s) {
            (Authority::TrustSet(_) | Authority::Trust { .. }, None) => Err(VerifyError::NoExpiry),
            (Authority::Pin(_), None) => Ok(None),
            (Authority::TrustSet(_) | Authority::Trust { .. } | Authority::Pin(_), Some(expires_s)) => {
                Ok(Some(expires_s))
            }
        }
    }
}
