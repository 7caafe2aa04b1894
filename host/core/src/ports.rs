//! What the core sees of the rim: traits, and nothing else.

use crate::action::{Action, Fact};
use crate::approval::{Binding, Challenge, Consent};
use crate::authorize::Judged;
use crate::finding::Finding;
use crate::journal::Line;
use crate::plan::Plan;
use crate::toggle::Permissive;
use crate::uses::Use;
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

words! {
    /// What became of a call whose uses were counted.
    Settled { Done = "done", NotDone = "not-done" }
}

/// Why uses could not be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// These toggles have too little left.
    UsedUp(Permissive),
    /// Nothing can be counted, so all of these are used up, whatever day it is.
    NotCounted(Permissive),
}

impl Shortage {
    /// The toggles.
    pub fn keys(self) -> Permissive {
        match self {
            Shortage::UsedUp(keys) | Shortage::NotCounted(keys) => keys,
        }
    }
}

/// Counts the uses of loosened toggles. Only `holdpoint-store`, hosts and tests implement it.
pub trait Meter {
    /// Takes all uses of a call or none, and returns only when that is on disk. `reference` names the call.
    fn reserve(&self, uses: &[Use], reference: &str, at_ms: u64) -> Result<(), Shortage>;

    /// Says what became of the call. The uses of one that did not happen are given back.
    fn settle(&self, reference: &str, settled: Settled, at_ms: u64) -> Result<(), NotDurable>;
}

/// How a wait ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waited {
    /// Its time is over.
    Over,
    /// Somebody took the action back, or everything was frozen: who, as one phrase.
    TakenBack(String),
}

/// Lets an action wait in which somebody can take it back. Only hosts and tests implement it.
pub trait Undo {
    /// The longest time that an action can wait, in milliseconds.
    fn longest_ms(&self) -> u64;

    /// Waits for so many milliseconds, or until somebody takes back the action that `reference` names. Where nobody can tell
    /// whether somebody did, somebody did.
    fn wait(&self, reference: &str, window_ms: u64) -> Waited;
}

/// Keeps questions that wait for somebody outside the run, and their answers. Only `holdpoint-store`, hosts and tests
/// implement it.
pub trait Approvals {
    /// Takes what was kept as an answer to exactly this question, if there is something: it is durable that it was taken
    /// before it is returned, and nobody gets it again. Where that cannot be said, there is none.
    fn redeem(&self, binding: &Binding, reference: &str, at_ms: u64) -> Option<Consent>;

    /// Keeps a question for somebody to answer. The same question that is waiting already is not asked twice. `None` where
    /// it cannot be kept.
    fn open(&self, binding: &Binding, judged: &Judged) -> Option<Challenge>;

    /// Keeps a plan for somebody to answer as a whole: `steps` are what it was made of. Its steps are taken one after the
    /// other, in their order. `None` where it cannot be kept, as where nothing keeps plans.
    fn open_plan(&self, _plan: &Plan, _steps: &[Judged]) -> Option<Challenge> {
        None
    }
}
