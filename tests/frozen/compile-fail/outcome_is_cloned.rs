//! An outcome kept to be recorded a second time.

use holdpoint_core::authorize::Outcome;

fn keep(outcome: &Outcome) -> Outcome {
    outcome.clone()
}

fn main() {
    let _ = keep;
}
