//! A toggle that nobody checked: it could have no warning, no phrase and no wait.

use holdpoint_core::registry::{Declaration, SafetyToggle};

fn forge(declaration: Declaration) -> SafetyToggle {
    SafetyToggle { declaration, invariants: Vec::new() }
}

fn main() {
    let _ = forge;
}
