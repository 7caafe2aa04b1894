//! A question made of a digest, so that a yes to something else would answer it.

use holdpoint_core::approval::Binding;
use holdpoint_core::asking::Strength;
use holdpoint_core::digest::Digest;

fn forge(digest: Digest) -> Binding {
    Binding { digest, strength: Strength::Keypress }
}

fn main() {
    let _ = forge;
}
