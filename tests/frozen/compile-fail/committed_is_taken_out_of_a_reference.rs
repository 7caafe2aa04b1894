//! A permission acted on twice through a reference to what was recorded.

use holdpoint_core::authorize::{Committed, Recorded};

fn act(_: Committed) {}

fn again(recorded: &Recorded) {
    if let Recorded::Committed(committed) = recorded {
        act(*committed);
    }
}

fn main() {
    let _ = again;
}
