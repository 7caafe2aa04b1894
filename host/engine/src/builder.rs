//! Putting a gate together. What is missing is an error here, never a default that judges less.

use crate::claims::Claims;
use crate::classify::FactProvider;
use crate::pipeline::{self, Call, Caller, Request};
use crate::snapshot::CapabilitySnapshot;
use holdpoint_core::authorize::{Judged, Recorded};
use holdpoint_core::json::Json;
use holdpoint_core::outcome::Execution;
use holdpoint_core::ports::{Approvals, Classifier, Journal, Meter, NotDurable, Settled, Shortage, Undo};
use holdpoint_core::toggle::Permissive;
use holdpoint_core::uses::Use;

/// The clock and the source of names, which the core does not have.
pub trait Surroundings: Send + Sync {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
    /// A fresh name for a decision. It must not repeat.
    fn correlation_id(&self) -> String;
}

/// Tells somebody outside of what is on disk. It must neither fail nor delay a decision.
pub trait Notifier: Send + Sync {
    /// Sends a document: the shape is that of [`notice`](holdpoint_core::notice::notice).
    fn tell(&self, notice: &Json);
}

/// A gate that is missing a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// Nothing that could tell what a call means.
    NoClassifier,
    /// Nothing that makes decisions durable.
    NoJournal,
    /// Nothing that counts the uses of loosened toggles.
    NoMeter,
    /// No clock.
    NoSurroundings,
    /// No list of tools.
    NoSnapshot,
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let missing = match self {
            BuildError::NoClassifier => "vocabularies: call `vocabularies`",
            BuildError::NoJournal => "a journal: call `journal`",
            BuildError::NoMeter => "a meter: call `meter`",
            BuildError::NoSurroundings => "a clock: call `surroundings`",
            BuildError::NoSnapshot => "the tools of the run: call `snapshot`",
        };
        write!(formatter, "the gate has no {missing}")
    }
}

impl std::error::Error for BuildError {}

/// A meter for hosts that loosen no toggle with a limit: it counts nothing, so whatever has to be counted is used up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uncounted;

impl Meter for Uncounted {
    fn reserve(&self, uses: &[Use], _reference: &str, _at_ms: u64) -> Result<(), Shortage> {
        Err(Shortage::NotCounted(uses.iter().fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key))))
    }

    fn settle(&self, _reference: &str, _settled: Settled, _at_ms: u64) -> Result<(), NotDurable> {
        Ok(())
    }
}

/// A gate. Everything it was built with is fixed.
pub struct Holdpoint {
    claims: Claims,
    classifier: Box<dyn Classifier + Send + Sync>,
    journal: Box<dyn Journal + Send + Sync>,
    meter: Box<dyn Meter + Send + Sync>,
    surroundings: Box<dyn Surroundings>,
    facts: Option<Box<dyn FactProvider>>,
    approvals: Option<Box<dyn Approvals + Send + Sync>>,
    undo: Option<Box<dyn Undo + Send + Sync>>,
    notifier: Option<Box<dyn Notifier>>,
    snapshot: CapabilitySnapshot,
    problem: Option<String>,
}

impl Holdpoint {
    /// Starts putting a gate together.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Judges one call, records the outcome, and returns it.
    pub fn decide(&self, caller: Caller, call: Call) -> Recorded {
        pipeline::run(self, caller, Request::Call(call))
    }

    /// Judges one call without recording it. Nothing that was rehearsed can be carried out.
    pub fn rehearse(&self, caller: Caller, call: Call) -> Judged {
        pipeline::rehearse(self, caller, Request::Call(call))
    }

    /// Judges several requests and records their outcomes with one append.
    pub fn decide_all(&self, requests: Vec<(Caller, Request)>) -> Vec<Recorded> {
        pipeline::run_all(self, requests)
    }

    /// Says what became of a call that was let through, on the chain of its decision. What it took of a limit is given back
    /// if it did not happen.
    pub fn report(&self, execution: &Execution) -> Result<(), NotDurable> {
        let at_ms = self.surroundings.now_ms();
        let reference = &execution.reference.correlation_id;
        if !reference.is_empty() {
            self.meter.settle(reference, execution.became.settled(), at_ms)?;
        }
        self.journal.append(&[execution.line(at_ms)], at_ms)
    }

    pub(crate) fn claims(&self) -> &Claims {
        &self.claims
    }

    pub(crate) fn classifier(&self) -> &dyn Classifier {
        &*self.classifier
    }

    pub(crate) fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    pub(crate) fn meter(&self) -> &dyn Meter {
        &*self.meter
    }

    pub(crate) fn surroundings(&self) -> &dyn Surroundings {
        &*self.surroundings
    }

    pub(crate) fn facts(&self) -> Option<&dyn FactProvider> {
        self.facts.as_deref()
    }

    pub(crate) fn approvals(&self) -> Option<&(dyn Approvals + Send + Sync)> {
        self.approvals.as_deref()
    }

    pub(crate) fn undo(&self) -> Option<&(dyn Undo + Send + Sync)> {
        self.undo.as_deref()
    }

    pub(crate) fn notifier(&self) -> Option<&dyn Notifier> {
        self.notifier.as_deref()
    }

    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    pub(crate) fn snapshot(&self) -> &CapabilitySnapshot {
        &self.snapshot
    }
}

/// The parts of a gate.
#[derive(Default)]
pub struct Builder {
    vocabularies: Option<(Claims, Box<dyn Classifier + Send + Sync>)>,
    journal: Option<Box<dyn Journal + Send + Sync>>,
    meter: Option<Box<dyn Meter + Send + Sync>>,
    surroundings: Option<Box<dyn Surroundings>>,
    facts: Option<Box<dyn FactProvider>>,
    approvals: Option<Box<dyn Approvals + Send + Sync>>,
    undo: Option<Box<dyn Undo + Send + Sync>>,
    notifier: Option<Box<dyn Notifier>>,
    snapshot: Option<CapabilitySnapshot>,
    problem: Option<String>,
}

impl Builder {
    /// What tells what a call means, and who claims which calls.
    pub fn vocabularies(mut self, claims: Claims, classifier: impl Classifier + Send + Sync + 'static) -> Builder {
        self.vocabularies = Some((claims, Box::new(classifier)));
        self
    }

    /// What makes decisions durable.
    pub fn journal(mut self, journal: impl Journal + Send + Sync + 'static) -> Builder {
        self.journal = Some(Box::new(journal));
        self
    }

    /// What counts the uses of loosened toggles.
    pub fn meter(mut self, meter: impl Meter + Send + Sync + 'static) -> Builder {
        self.meter = Some(Box::new(meter));
        self
    }

    /// The clock and the source of names.
    pub fn surroundings(mut self, surroundings: impl Surroundings + 'static) -> Builder {
        self.surroundings = Some(Box::new(surroundings));
        self
    }

    /// What tells live state. Without it, whatever depends on live state is unknown.
    pub fn facts(mut self, facts: impl FactProvider + 'static) -> Builder {
        self.facts = Some(Box::new(facts));
        self
    }

    /// What keeps questions for somebody outside the run. Without it, only a channel of the call itself can answer.
    pub fn approvals(mut self, approvals: impl Approvals + Send + Sync + 'static) -> Builder {
        self.approvals = Some(Box::new(approvals));
        self
    }

    /// What lets an action wait so that somebody can take it back. Without it, nobody can, and whatever has to wait is a
    /// question.
    pub fn undo(mut self, undo: impl Undo + Send + Sync + 'static) -> Builder {
        self.undo = Some(Box::new(undo));
        self
    }

    /// Whom to tell of questions and of claims that were taken for an answer.
    pub fn notifier(mut self, notifier: impl Notifier + 'static) -> Builder {
        self.notifier = Some(Box::new(notifier));
        self
    }

    /// Which tools exist.
    pub fn snapshot(mut self, snapshot: CapabilitySnapshot) -> Builder {
        self.snapshot = Some(snapshot);
        self
    }

    /// Refuses every call, for this reason: something that decisions depend on cannot be read.
    pub fn out_of_order(mut self, problem: &str) -> Builder {
        self.problem = Some(problem.to_owned());
        self
    }

    /// The gate, if nothing is missing.
    pub fn build(self) -> Result<Holdpoint, BuildError> {
        let (claims, classifier) = self.vocabularies.ok_or(BuildError::NoClassifier)?;
        Ok(Holdpoint {
            claims,
            classifier,
            journal: self.journal.ok_or(BuildError::NoJournal)?,
            meter: self.meter.ok_or(BuildError::NoMeter)?,
            surroundings: self.surroundings.ok_or(BuildError::NoSurroundings)?,
            facts: self.facts,
            approvals: self.approvals,
            undo: self.undo,
            notifier: self.notifier,
            snapshot: self.snapshot.ok_or(BuildError::NoSnapshot)?,
            problem: self.problem,
        })
    }
}
