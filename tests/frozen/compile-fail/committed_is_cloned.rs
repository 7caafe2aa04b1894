//! A permission kept for a second call.

use holdpoint_core::authorize::Committed;

fn keep(committed: &Committed) -> Committed {
    committed.clone()
}

fn main() {
    let _ = keep;
}
