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
    /// The envelope carries something else than an in-toto statement.
    #[error("the signature file does not carry a statement of type `{}`", crate::PAYLOAD_TYPE)]
    WrongPayloadType,
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
    /// The statement never ends, which only a pinned component may do.
    #[error("the statement has no expiry")]
    NoExpiry,
}

impl VerifyError {
    /// The next step for the person who reads the message.
    pub fn help(&self) -> &'static str {
        match self {
            VerifyError::TooLarge { .. } => "check that this is the right file; bounds cannot be raised",
            VerifyError::MalformedEnvelope(_) => "get the `.sig` file again from where the component came from",
            VerifyError::WrongPayloadType => {
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
            VerifyError::NoExpiry => "ask the publisher to sign again with an expiry",
        }
    }
}
