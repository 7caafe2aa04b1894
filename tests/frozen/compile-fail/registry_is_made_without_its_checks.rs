//! A registry in which two toggles may share a key.

use holdpoint_core::registry::{Registry, SafetyToggle};

fn forge(toggles: Vec<SafetyToggle>) -> Registry {
    Registry { toggles }
}

fn main() {
    let _ = forge;
}
