//! A plan of steps that nobody judged.

use holdpoint_core::asking::Strength;
use holdpoint_core::digest::Digest;
use holdpoint_core::plan::Plan;

fn forge(digest: Digest) -> Plan {
    Plan { digest, strength: Strength::Keypress, steps: Vec::new() }
}

fn main() {
    let _ = forge;
}
