//! What was recorded once, kept for a second call.

use holdpoint_core::authorize::Recorded;

fn keep(recorded: &Recorded) -> Recorded {
    recorded.clone()
}

fn main() {
    let _ = keep;
}
