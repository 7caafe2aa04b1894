//! Every bound of this crate, next to each other. An input over a bound is refused, never cut.
//!
//! This module must hold nothing but constants.

/// Bytes of a component. The loader's own limit may be lower; this one bounds the hashing.
pub const COMPONENT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Bytes of an envelope's text.
pub const ENVELOPE_BYTES_MAX: usize = 64 * 1024;
/// Signatures in an envelope, and so the largest threshold that can be met.
pub const SIGNATURES_MAX: usize = 16;
/// Bytes of a `keyid`. It is a hint of foreign shape, so only its size matters.
pub const KEY_HINT_BYTES_MAX: usize = 128;

/// Bytes of the name of a vocabulary, a publisher or a feature.
pub const NAME_BYTES_MAX: usize = 64;
/// Bytes of a version.
pub const VERSION_BYTES_MAX: usize = 64;
/// Bytes of a contract id.
pub const CONTRACT_BYTES_MAX: usize = 128;
/// Required features in a statement.
pub const FEATURES_MAX: usize = 16;
/// Largest release number or time. Every JSON reader gives the same number up to here (RFC 8259, section 6).
pub const INTEGER_MAX: u64 = (1 << 53) - 1;

/// Bytes of a trust set's text.
pub const TRUST_SET_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Entries in a trust set. With [`SIGNATURES_MAX`] it bounds the signature checks that one envelope can
/// cause.
pub const TRUSTED_KEYS_MAX: usize = 256;
/// Name patterns of one trusted key.
pub const PATTERNS_PER_KEY_MAX: usize = 64;
/// Threshold rules in a trust set.
pub const THRESHOLDS_MAX: usize = 64;

/// Bytes of the envelope around a trust document.
pub const TRUST_ENVELOPE_BYTES_MAX: usize = 3 * 1024 * 1024;
/// Root keys of a trust document.
pub const ROOT_KEYS_MAX: usize = SIGNATURES_MAX;
/// Publishers of a trust document, or of an operator's trust.
pub const PUBLISHERS_MAX: usize = 64;
/// Keys of one publisher.
pub const KEYS_PER_PUBLISHER_MAX: usize = SIGNATURES_MAX;
/// Entries in each list of what was revoked.
pub const REVOKED_MAX: usize = 4_096;
/// Delegations of an operator's trust.
pub const DELEGATIONS_MAX: usize = 64;

/// Bytes of a reason that a JSON reader gave. It may quote the input, which can be hostile.
pub const REASON_BYTES_MAX: usize = 160;
