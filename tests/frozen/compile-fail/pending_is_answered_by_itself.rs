//! A question turned into an authorization without a person.

use holdpoint_core::authorize::{Authorized, Pending};

fn answer(pending: Pending) -> Authorized {
    Authorized { judged: pending.judged }
}

fn main() {
    let _ = answer;
}
