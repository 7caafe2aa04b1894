//! What the core sees of the rim: traits, and nothing else.

use crate::action::{Action, Fact};
use crate::finding::Finding;
use crate::journal::Line;
use crate::words::words;
use alloc::string::String;

words! {
    /// Why a classifier gave no answer.
    Failure {
        Unavailable = "classifier-unavailable", Trapped = "classifier-trapped", OutOfFuel = "classifier-out-of-fuel",
        Deadline = "classifier-deadline", OverMemory = "classifier-over-memory", Output = "classifier-output-refused",
    }
}

/// Asks one vocabulary about one action. A failure counts as unknown.
pub trait Classifier {
    /// Makes the vocabulary with this index ready to be asked, which may take long the first time.
    fn prepare(&self, _vocabulary: usize) {}

    /// The answer of the vocabulary with this index in the routes.
    fn classify(&self, vocabulary: usize, action: &Action, facts: &[Fact]) -> Result<Finding, Failure>;
}

/// The lines could not be made durable. The caller answers with a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotDurable {
    /// What failed, for the person who operates the gate.
    pub cause: String,
}

/// Where decisions become durable. Only `holdpoint-store` and tests implement it.
pub trait Journal {
    /// Appends all lines as of `at_ms` milliseconds after the Unix epoch, and returns only when they are on disk.
    fn append(&self, lines: &[Line], at_ms: u64) -> Result<(), NotDurable>;
}
