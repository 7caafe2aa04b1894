//! A claim handed to the judgement, where it could turn a denial around.

use holdpoint_core::approval::Attestation;
use holdpoint_core::assess::Assessment;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::verdict::Verdict;

fn forge(assessment: &Assessment, standing: &Standing, claim: Attestation) -> Verdict {
    judge(assessment, standing, claim)
}

fn main() {
    let _ = forge;
}
