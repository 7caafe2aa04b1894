//! A bound without the limits that somebody set.

use holdpoint_core::bound::Within;

fn forge() -> Within {
    Within { lists: Default::default(), daily: None, hours: Default::default() }
}

fn main() {
    let _ = forge;
}
