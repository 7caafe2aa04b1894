//! A permission for one call turned into one for another.

use holdpoint_core::authorize::{Committed, Judged};

fn swap(mut committed: Committed, other: Judged) -> Committed {
    committed.judged = other;
    committed
}

fn main() {
    let _ = swap;
}
