//! An authorization made without a verdict.

use holdpoint_core::authorize::{Authorized, Judged};

fn forge(judged: Judged) -> Authorized {
    Authorized { judged }
}

fn main() {
    let _ = forge;
}
