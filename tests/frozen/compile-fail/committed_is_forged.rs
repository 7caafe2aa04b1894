//! A permission made without a record on disk.

use holdpoint_core::authorize::{Committed, Judged};

fn forge(judged: Judged) -> Committed {
    Committed { judged }
}

fn main() {
    let _ = forge;
}
