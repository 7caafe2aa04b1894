//! What was judged taken out of a refusal to be judged anew.

use holdpoint_core::authorize::{Denied, Judged};

fn open(denied: Denied) -> Judged {
    denied.judged
}

fn main() {
    let _ = open;
}
