//! A claim past its bound, or of no words at all.

use holdpoint_core::approval::Attestation;

fn forge() -> Attestation {
    Attestation { claim: String::new() }
}

fn main() {
    let _ = forge;
}
