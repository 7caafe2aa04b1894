//! A refusal that no verdict says.

use holdpoint_core::authorize::{Denied, Judged};

fn forge(judged: Judged) -> Denied {
    Denied { judged }
}

fn main() {
    let _ = forge;
}
