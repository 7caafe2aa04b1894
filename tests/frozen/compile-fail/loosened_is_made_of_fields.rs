//! Loosened toggles of which one has two grants.

use holdpoint_core::grant::{Grant, Loosened};
use holdpoint_core::toggle::ToggleKey;

fn forge(grant: Grant) -> Loosened {
    Loosened { grants: vec![(ToggleKey::EmailAutoSend, grant.clone()), (ToggleKey::EmailAutoSend, grant)] }
}

fn main() {
    let _ = forge;
}
