//! The first-party components that this binary carries, pinned by digest and signed with a key that exists no more.

use holdpoint_core::digest::Digest;
use holdpoint_runtime::{Manifest, Source, Vocabulary};
use holdpoint_signing::{Pin, PublicKey, verify_pinned};

/// One component and what belongs to it.
pub(crate) struct Embedded {
    pub(crate) component: &'static [u8],
    pub(crate) signature: &'static str,
    pub(crate) manifest: &'static [u8],
    pub(crate) digest: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

impl Embedded {
    /// The vocabulary, which is verified when its bytes are needed.
    pub(crate) fn vocabulary(&'static self) -> Result<Vocabulary, String> {
        let manifest = Manifest::of_json(self.manifest).map_err(|error| error.to_string())?;
        let digest = Digest::from_hex(self.digest).ok_or("the pinned digest is not one")?;
        Ok(Vocabulary { manifest, digest, refused: None, source: Box::new(EmbeddedSource(self)) })
    }
}

struct EmbeddedSource(&'static Embedded);

impl Source for EmbeddedSource {
    fn verified_bytes(&self) -> Result<Vec<u8>, String> {
        verify(self.0)?;
        Ok(self.0.component.to_vec())
    }
}

/// Verifies a component as any other is verified, against the digest and the release key this binary is built with.
pub(crate) fn verify(embedded: &Embedded) -> Result<(), String> {
    let key: PublicKey = RELEASE_KEY.parse().map_err(|error| format!("release key: {error}"))?;
    let digest = Digest::from_hex(embedded.digest).ok_or("the pinned digest is not one")?;
    let pin = Pin { component: holdpoint_signing::Digest::from_bytes(*digest.bytes()), key };
    // A pinned component does not expire, so the time does not matter.
    let now_s = 0;
    verify_pinned(embedded.component, embedded.signature, &pin, now_s).map(|_| ()).map_err(|error| error.to_string())
}

/// The vocabularies of this binary.
pub(crate) fn vocabularies() -> Result<Vec<Vocabulary>, String> {
    COMPONENTS.iter().map(Embedded::vocabulary).collect()
}
