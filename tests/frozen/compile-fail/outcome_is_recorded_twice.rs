//! One outcome recorded as two permissions.

use holdpoint_core::authorize::{Outcome, Recorded, record, record_all};
use holdpoint_core::ports::Journal;

fn twice(outcome: Outcome, journal: &dyn Journal) -> (Recorded, Vec<Recorded>) {
    (record(outcome, journal), record_all(vec![outcome], journal))
}

fn main() {
    let _ = twice;
}
