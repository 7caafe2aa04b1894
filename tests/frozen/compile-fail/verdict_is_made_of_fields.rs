//! A verdict whose decision does not follow from its reasons.

use holdpoint_core::verdict::{Decision, Verdict};

fn main() {
    let _ = Verdict { decision: Decision::Allow, reasons: Vec::new(), obligations: Vec::new() };
}
