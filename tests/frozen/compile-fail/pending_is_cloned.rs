//! One question answered as two.

use holdpoint_core::authorize::Pending;

fn keep(pending: &Pending) -> Pending {
    pending.clone()
}

fn main() {
    let _ = keep;
}
