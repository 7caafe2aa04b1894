//! One authorization recorded as two.

use holdpoint_core::authorize::{Authorized, Outcome, Recorded, record};
use holdpoint_core::ports::Journal;

fn twice(authorized: Authorized, journal: &dyn Journal) -> [Recorded; 2] {
    let first = record(Outcome::Authorized(authorized), journal);
    let second = record(Outcome::Authorized(authorized), journal);
    [first, second]
}

fn main() {
    let _ = twice;
}
