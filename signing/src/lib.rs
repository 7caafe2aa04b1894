//! Signed statements about vocabulary components: what a signature says, who may say it, and whether it
//! holds.
//!
//! A component is one file. Beside it lies a second, small file: a DSSE envelope around an in-toto statement
//! that names the SHA-256 of the *whole* component. [`verify`] is the only way to a [`Verified`], and whoever
//! loads a component asks for one. The byte format, the keys and the exact promises are in this crate's
//! `README.md`.
//!
//! The crate must never read a clock, a file, the network or the environment, must never offer a way to skip
//! a check, and must never interpret a payload before a trusted key's signature over it has been found good.
//! Randomness exists only behind the cargo feature `sign`, which makes keys and signatures and which the
//! deciding host never enables.
#![forbid(unsafe_code)]

mod delegation;
mod digest;
mod document;
mod envelope;
mod error;
mod json;
mod key;
pub mod limits;
mod names;
#[cfg(feature = "sign")]
mod sign;
mod statement;
mod trust;
mod trusted;
mod verify;

pub use delegation::{DELEGATION_TYPE, Delegation, verify_delegation};
pub use digest::Digest;
pub use document::{DOCUMENT_TYPE, Rooted, TrustDocument, authority_of, verify_first, verify_next, verify_own};
pub use envelope::{DELEGATION_PAYLOAD_TYPE, PAYLOAD_TYPE, TRUST_PAYLOAD_TYPE};
pub use error::{DocumentError, FormatError, VerifyError};
pub use key::{KeyId, PublicKey};
pub use names::{ContractId, FeatureName, NamePattern, Publisher, Version, VocabularyName};
#[cfg(feature = "sign")]
pub use sign::{SecretKey, SignError, sign, sign_delegation, sign_trust};
pub use statement::{PREDICATE_TYPE, STATEMENT_TYPE, Statement};
pub use trust::{Pin, Threshold, TrustSet, TrustedKey};
pub use trusted::{PublisherEntry, ReleaseId, Revocations, Trust};
pub use verify::{
    CONTRACT, Grounds, KNOWN_FEATURES, Signer, Verified, still_trusted, verify, verify_pinned, verify_trusted,
};
