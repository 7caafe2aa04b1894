//! An authorization taken for a permission before it is recorded.

use holdpoint_core::authorize::{Authorized, Committed};

fn act(_: Committed) {}

fn too_early(authorized: Authorized) {
    act(authorized);
}

fn main() {
    let _ = too_early;
}
