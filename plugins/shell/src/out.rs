//! Collects the finding and keeps it inside the bounds of the contract. It must never drop an operation or a delegate
//! without leaving a doubt in its place.

use holdpoint_guest::{
    Action, Delegate, Doubt, Escapes, FactKind, FactQuery, Finding, Invocation, Operation, Reason, SourceText, Span,
    WorkingDir,
};

use crate::limits::{ARGV_BYTES_MAX, ARGV_WORDS_MAX, DELEGATES_MAX, DOUBTS_MAX, OPERATIONS_MAX, SOURCE_BYTES_MAX};

/// The finding while it grows.
#[derive(Default)]
pub(crate) struct Out {
    finding: Finding,
}

/// How much had been found at some moment.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    operations: usize,
    delegates: usize,
    doubts: usize,
}

impl Out {
    /// The finished finding.
    pub(crate) fn into_finding(self) -> Finding {
        self.finding
    }

    /// Adds an operation unless the same one is there already.
    pub(crate) fn operation(&mut self, operation: Operation) {
        if self.finding.operations.len() >= OPERATIONS_MAX {
            self.doubt(Reason::OverBound, operation.origin);
        } else if !self.finding.operations.contains(&operation) {
            self.finding.operations.push(operation);
        }
    }

    /// Adds a doubt unless the same one is there already.
    pub(crate) fn doubt(&mut self, reason: Reason, origin: Span) {
        let doubt = Doubt { reason, origin };
        if self.finding.doubts.len() < DOUBTS_MAX && !self.finding.doubts.contains(&doubt) {
            self.finding.doubts.push(doubt);
        }
    }

    /// Adds a delegate and says at which index it stands.
    pub(crate) fn delegate(&mut self, action: Action, origin: Span) -> Option<u32> {
        let index = self.finding.delegates.len();
        if index >= DELEGATES_MAX || is_too_big(&action) {
            self.doubt(Reason::OverBound, origin);
            return None;
        }
        self.finding.delegates.push(Delegate { action, origin });
        u32::try_from(index).ok()
    }

    /// Adds a program as a delegate.
    pub(crate) fn program(&mut self, invocation: Invocation, origin: Span) -> Option<u32> {
        self.delegate(Action::Program(invocation), origin)
    }

    /// Adds a text in a language as a delegate.
    pub(crate) fn source(&mut self, language: &str, text: &str, cwd: WorkingDir, origin: Span) {
        let source = SourceText { language: language.to_owned(), text: text.to_owned(), cwd };
        self.delegate(Action::Source(source), origin);
    }

    /// Adds escapes.
    pub(crate) fn escapes(&mut self, escapes: Escapes) {
        self.finding.escapes |= escapes;
    }

    /// Asks the host for a fact, once.
    pub(crate) fn need(&mut self, kind: FactKind) {
        let query = FactQuery { kind, subject: String::new() };
        if !self.finding.facts_needed.contains(&query) {
            self.finding.facts_needed.push(query);
        }
    }

    /// How much has been found so far.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            operations: self.finding.operations.len(),
            delegates: self.finding.delegates.len(),
            doubts: self.finding.doubts.len(),
        }
    }

    /// Forgets what was found since `mark`, for a part that is walked again under weaker assumptions.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.finding.operations.truncate(mark.operations);
        self.finding.delegates.truncate(mark.delegates);
        self.finding.doubts.truncate(mark.doubts);
    }

    /// Whether nothing at all has been said yet.
    pub(crate) fn is_silent(&self) -> bool {
        let found = &self.finding;
        found.operations.is_empty()
            && found.delegates.is_empty()
            && found.doubts.is_empty()
            && found.facts_needed.is_empty()
    }
}

fn is_too_big(action: &Action) -> bool {
    match action {
        Action::Program(invocation) => {
            let words: usize = invocation.argv.iter().map(|word| word.text.len()).sum();
            let env: usize = invocation.env.iter().map(|binding| binding.name.len() + binding.value.text.len()).sum();
            invocation.argv.len() > ARGV_WORDS_MAX || words + env > ARGV_BYTES_MAX
        }
        Action::Source(source) => source.text.len() > SOURCE_BYTES_MAX,
        Action::Tool(_) => false,
    }
}
