//! A decision changed after it was made.

use holdpoint_core::verdict::{Decision, Verdict};

fn soften(mut verdict: Verdict) -> Verdict {
    verdict.decision = Decision::Allow;
    verdict
}

fn main() {
    let _ = soften;
}
