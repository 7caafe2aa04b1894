//! What is not known about a call, forgotten before it is judged.

use holdpoint_core::assess::Assessment;

fn forget(mut assessment: Assessment) -> Assessment {
    assessment.unknowns.clear();
    assessment.operations.clear();
    assessment
}

fn main() {
    let _ = forget;
}
