//! An authorization put among what is recorded without its record.

use holdpoint_core::authorize::{Authorized, Recorded};

fn skip(authorized: Authorized) -> Recorded {
    Recorded::Committed(authorized)
}

fn main() {
    let _ = skip;
}
