//! An authorization kept for a second call.

use holdpoint_core::authorize::Authorized;

fn keep(authorized: &Authorized) -> Authorized {
    authorized.clone()
}

fn main() {
    let _ = keep;
}
