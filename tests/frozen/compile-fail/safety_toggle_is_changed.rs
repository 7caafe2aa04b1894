//! A toggle made easier after it was checked.

use holdpoint_core::registry::SafetyToggle;

fn soften(mut toggle: SafetyToggle) -> SafetyToggle {
    toggle.declaration.cooldown_s = 0;
    toggle
}

fn main() {
    let _ = soften;
}
