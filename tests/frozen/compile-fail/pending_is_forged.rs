//! A question that nobody's verdict asks.

use holdpoint_core::authorize::{Judged, Pending};

fn forge(judged: Judged) -> Pending {
    Pending { judged }
}

fn main() {
    let _ = forge;
}
