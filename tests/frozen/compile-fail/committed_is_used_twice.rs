//! One permission acted on two times.

use holdpoint_core::authorize::Committed;

fn act(_: Committed) {}

fn twice(committed: Committed) {
    act(committed);
    act(committed);
}

fn main() {
    let _ = twice;
}
