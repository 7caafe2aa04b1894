//! What can be wrong, in words for the person who has to act on it.
//!
//! A message must never carry text from an unsigned file unless it has passed a rule that leaves only plain
//! letters.

use crate::limits::INTEGER_MAX;
use crate::{ContractId, Digest, FeatureName, VocabularyName};

/// Why a text is not the key, name, digest, statement or trust set that it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// A value breaks the rule of its type.
    #[error("{what} must be {rule}")]
    Rule {
        /// The value.
        what: &'static str,
        /// What it has to be.
        rule: &'static str,
    },
    /// A list or a text is over its bound.
    #[error("{what}: more than {max}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The largest accepted count, from [`crate::limits`].
        max: usize,
    },
    /// A number is over the largest that all JSON readers agree on.
    #[error("{what}: more than {INTEGER_MAX}")]
    TooLargeNumber {
        /// The field.
        what: &'static str,
    },
    /// The JSON has another shape: a key is missing, unknown or doubled, or a value has the wrong type.
    #[error("{what} cannot be read: {reason}")]
    Json {
        /// The document.
        what: &'static str,
        /// The reader's words, cut and in plain ASCII.
        reason: String,
    },
}

/// Why a component is refused. One variant for each cause; all of them mean that it must not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The component or the envelope is over its bound and was not looked at.
    #[error("the {what} has more than {bytes_max} bytes")]
    TooLarge {
        /// `component` or `envelope`.
        what: &'static str,
        /// The bound, from [`crate::limits`].
        bytes_max: usize,
    },
    /// The envelope is not a DSSE envelope of the shape that this crate writes.
    #[error("the signature file is malformed: {0}")]
    MalformedEnvelope(#[source] FormatError),
    /// The envelope carries something else.
    #[error("the signature file does not carry a payload of type `{wanted}`")]
    WrongPayloadType {
        /// The type that is wanted here.
        wanted: &'static str,
    },
    /// No signature in the envelope is one of a trusted key over this payload.
    #[error("no signature by a trusted key")]
    NoTrustedSignature,
    /// The signed payload is not a statement about a vocabulary.
    #[error("the signed statement is malformed: {0}")]
    BadStatement(#[source] FormatError),
    /// The statement is for a contract that this build does not speak.
    #[error("the vocabulary is built for the contract `{contract}`, this build speaks `{}`", crate::CONTRACT)]
    WrongContract {
        /// The contract that the statement names.
        contract: ContractId,
    },
    /// The statement requires something that this build does not have.
    #[error("the vocabulary requires the feature `{feature}`, which this build does not have")]
    UnknownFeature {
        /// The first such feature.
        feature: FeatureName,
    },
    /// The component is not the file that the statement is about: cut, extended, changed or another one.
    #[error("the component's digest is {found}, the statement is about {stated}")]
    WrongDigest {
        /// The digest in the statement.
        stated: Digest,
        /// The digest of the file.
        found: Digest,
    },
    /// The component is signed for, but it is not the one that is pinned.
    #[error("the component's digest is {found}, pinned is {pinned}")]
    NotPinned {
        /// The pinned digest.
        pinned: Digest,
        /// The digest of the file.
        found: Digest,
    },
    /// The keys that signed are trusted, but for other names.
    #[error("no key that signed may speak for the vocabulary `{name}`")]
    WrongName {
        /// The name in the statement.
        name: VocabularyName,
    },
    /// Too few distinct keys that may speak for the name have signed.
    #[error("the vocabulary `{name}` needs signatures by {needed} distinct keys, found {found}")]
    ThresholdNotReached {
        /// The name in the statement.
        name: VocabularyName,
        /// Distinct keys that the trust set asks for.
        needed: usize,
        /// Distinct keys that signed and may speak for the name.
        found: usize,
    },
    /// The statement's time has not come.
    #[error("the statement holds from {not_before_s} on, now is {now_s} (seconds since 1970)")]
    NotYetValid {
        /// First second at which the statement holds.
        not_before_s: u64,
        /// The time that was passed in.
        now_s: u64,
    },
    /// The statement's time is over.
    #[error("the statement held until {expires_s}, now is {now_s} (seconds since 1970)")]
    Expired {
        /// First second at which the statement no longer holds.
        expires_s: u64,
        /// The time that was passed in.
        now_s: u64,
    },
    /// The operator's trust is over a bound.
    #[error("the trust cannot be used: {0}")]
    Trust(#[source] FormatError),
    /// The statement never ends, which only a pinned component may do.
    #[error("the statement has no expiry")]
    NoExpiry,
    /// The operator, or whoever the operator trusts, took this component or release back.
    #[error("the {what} was revoked")]
    Revoked {
        /// `component` or `release`.
        what: &'static str,
    },
    /// A newer release of the name was in force before.
    #[error("release {release} of `{name}` is below the floor, which is {floor}")]
    BelowFloor {
        /// The name in the statement.
        name: VocabularyName,
        /// The release in the statement.
        release: u64,
        /// The least release that is accepted.
        floor: u64,
    },
}

impl VerifyError {
    /// The next step for the person who reads the message.
    pub fn help(&self) -> &'static str {
        match self {
            VerifyError::TooLarge { .. } => "check that this is the right file; bounds cannot be raised",
            VerifyError::MalformedEnvelope(_) => "get the `.sig` file again from where the component came from",
            VerifyError::WrongPayloadType { .. } => {
                "use the `.sig` file that was made for this component, not another document's"
            }
            VerifyError::NoTrustedSignature => {
                "compare the publisher's key with the trust set over a second channel before adding it"
            }
            VerifyError::BadStatement(_) => "ask the publisher to sign again; this build cannot tell what was meant",
            VerifyError::WrongContract { .. } => "get the release of the vocabulary that matches this build",
            VerifyError::UnknownFeature { .. } => "update this build, or get an older release of the vocabulary",
            VerifyError::WrongDigest { .. } => {
                "get component and `.sig` again from the same release; do not load this file"
            }
            VerifyError::NotPinned { .. } => "reinstall: this build accepts only the components it was built with",
            VerifyError::WrongName { .. } => "if this publisher may speak for the name, add it to the key's `names`",
            VerifyError::ThresholdNotReached { .. } => {
                "ask the other key holders to sign; one key counts once, however often it signed"
            }
            VerifyError::NotYetValid { .. } => "check this machine's clock, or wait",
            VerifyError::Expired { .. } => "get a newer release, or check this machine's clock",
            VerifyError::Trust(_) => "revoke publishers that are not needed any more",
            VerifyError::Revoked { .. } => "get a newer release; what was revoked stays revoked",
            VerifyError::BelowFloor { .. } => "get a release at or above the floor; a floor never goes down",
            VerifyError::NoExpiry => "ask the publisher to sign again with an expiry",
        }
    }
}

/// Why a trust document or a delegation is not taken. All of them mean that nothing changes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The envelope does not hold.
    #[error(transparent)]
    Envelope(#[from] VerifyError),
    /// What was signed is not a document of this kind.
    #[error("the signed document is malformed: {0}")]
    Malformed(#[source] FormatError),
    /// The document names other root keys than those that were given.
    #[error("the document has other root keys than those that were given")]
    OtherRootKeys,
    /// Too few distinct root keys signed.
    #[error("the document needs signatures by {needed} distinct root keys, found {found}")]
    TooFewRootKeys {
        /// Keys that are needed.
        needed: usize,
        /// Keys that signed.
        found: usize,
    },
    /// Too few distinct keys of the publisher signed.
    #[error("the delegation needs signatures by {needed} distinct keys of the publisher, found {found}")]
    TooFewKeys {
        /// Keys that are needed.
        needed: usize,
        /// Keys that signed.
        found: usize,
    },
    /// The document belongs to another line of documents.
    #[error("the document is of another authority")]
    OtherAuthority,
    /// The document is not the next one.
    #[error("the document is version {found}, next is version {expected}")]
    WrongVersion {
        /// The version that is next.
        expected: u64,
        /// The version of the document.
        found: u64,
    },
    /// The list of what was revoked is an old one, or something is missing in it.
    #[error("the list of revocations is number {found} and does not follow number {last}")]
    ReplayedRevocations {
        /// The number of the list before.
        last: u64,
        /// The number of this list.
        found: u64,
    },
    /// The publisher is not in the document, or was revoked.
    #[error("the publisher that delegates is not trusted")]
    UnknownPublisher,
    /// The name is that of another publisher.
    #[error("the publisher that is delegated to has the name of another one")]
    NameTaken,
    /// The delegation gives more than the publisher has.
    #[error("the delegation's `{what}` is wider than the publisher's own")]
    Wider {
        /// The field.
        what: &'static str,
    },
    /// Its time has not come.
    #[error("the document holds from {not_before_s} on, now is {now_s} (seconds since 1970)")]
    NotYetValid {
        /// First second at which it holds.
        not_before_s: u64,
        /// The time that was passed in.
        now_s: u64,
    },
    /// Its time is over.
    #[error("the document held until {expires_s}, now is {now_s} (seconds since 1970)")]
    Expired {
        /// First second at which it no longer holds.
        expires_s: u64,
        /// The time that was passed in.
        now_s: u64,
    },
}

impl DocumentError {
    /// The next step for the person who reads the message.
    pub fn help(&self) -> &'static str {
        match self {
            DocumentError::Envelope(error) => error.help(),
            DocumentError::Malformed(_) => "ask whoever signed it to sign again; this build cannot tell what was meant",
            DocumentError::OtherRootKeys => "compare the root keys with the authority over a second channel",
            DocumentError::TooFewRootKeys { .. } => "ask the other root key holders to sign; one key counts once",
            DocumentError::TooFewKeys { .. } => "ask the publisher's other key holders to sign; one key counts once",
            DocumentError::OtherAuthority => "use a document of the authority that is trusted",
            DocumentError::WrongVersion { .. } => "apply every version in its order; an older one is never taken",
            DocumentError::ReplayedRevocations { .. } => "get the newest document; what was revoked stays revoked",
            DocumentError::UnknownPublisher => "trust the publisher first",
            DocumentError::NameTaken => "ask for a delegation under a name of its own",
            DocumentError::Wider { .. } => "ask the publisher for a delegation that only narrows",
            DocumentError::NotYetValid { .. } => "check this machine's clock, or wait",
            DocumentError::Expired { .. } => "get a newer document, or check this machine's clock",
        }
    }
}
