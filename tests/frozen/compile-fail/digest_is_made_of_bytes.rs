//! A digest of nothing.

use holdpoint_core::digest::Digest;

fn main() {
    let _ = Digest([0; 32]);
}
