//! A token that is there without anybody having judged anything.

use holdpoint_core::authorize::{Authorized, Committed, Denied, Outcome, Pending, Recorded};

fn main() {
    let _ = Authorized::default();
    let _ = Committed::default();
    let _ = Denied::default();
    let _ = Pending::default();
    let _ = Outcome::default();
    let _ = Recorded::default();
}
