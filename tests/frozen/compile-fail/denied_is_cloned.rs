//! One refusal recorded as two.

use holdpoint_core::authorize::Denied;

fn keep(denied: &Denied) -> Denied {
    denied.clone()
}

fn main() {
    let _ = keep;
}
