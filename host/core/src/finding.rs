//! What a vocabulary answers about one action, and the bounds the core holds it to.

use crate::action::{Action, FactQuery, Input, Invocation};
use crate::operation::{Escapes, Obligation, Operation, Span, TargetKind, Verb};
use crate::words::words;
use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// Most operations of one finding.
pub const OPERATIONS_MAX: usize = 1_024;
/// Most steps on the way to one target.
pub const SEGMENTS_MAX: usize = 8;
/// Most delegates of one finding.
pub const DELEGATES_MAX: usize = 512;
/// Most obligations of one finding.
pub const OBLIGATIONS_MAX: usize = 32;
/// Most doubts of one finding.
pub const DOUBTS_MAX: usize = 64;
/// Most questions of one finding.
pub const QUERIES_MAX: usize = 16;
/// Most words of one program.
pub const WORDS_MAX: usize = 4_096;
/// Most bytes of all texts of one finding.
pub const TEXT_BYTES_MAX: usize = 1 << 20;
/// Most bytes of one source text.
pub const SOURCE_BYTES_MAX: usize = 64 << 10;

words! {
    /// Why something was not understood, as the vocabulary says it.
    Reason {
        UnsupportedSyntax = "unsupported-syntax", ParserError = "parser-error",
        ParserDisagreement = "parser-disagreement", OverBound = "over-bound", UnknownLanguage = "unknown-language",
        UnknownProgram = "unknown-program", UnknownOption = "unknown-option", UnknownTool = "unknown-tool",
        DynamicWord = "dynamic-word", MalformedArgument = "malformed-argument", MissingFact = "missing-fact",
    }
}

/// An action that the vocabulary cannot judge and another one may.
#[derive(Clone, Debug, PartialEq)]
pub struct Delegate {
    /// What would be done.
    pub action: Action,
    /// Where it stands in the action that was asked about.
    pub origin: Span,
}

/// Something that was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    /// Why.
    pub reason: Reason,
    /// Where.
    pub origin: Span,
}

/// The answer of one vocabulary about one action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// What would be done.
    pub operations: Vec<Operation>,
    /// What others may know more about.
    pub delegates: Vec<Delegate>,
    /// What must hold for the answer to be true.
    pub obligations: Vec<Obligation>,
    /// Ways out of the place a text was meant for.
    pub escapes: Escapes,
    /// What must be known first.
    pub facts_needed: Vec<FactQuery>,
    /// What was not understood.
    pub doubts: Vec<Doubt>,
}

impl Default for Escapes {
    fn default() -> Escapes {
        Escapes::EMPTY
    }
}

/// The pairs of verb and target kind that a vocabulary declared in its signed manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    pairs: BTreeSet<(Verb, Option<TargetKind>)>,
}

impl Declared {
    /// The declaration of these pairs.
    pub fn new(pairs: impl IntoIterator<Item = (Verb, Option<TargetKind>)>) -> Declared {
        Declared { pairs: pairs.into_iter().collect() }
    }

    /// Whether an operation was declared.
    pub fn covers(&self, operation: &Operation) -> bool {
        self.pairs.contains(&(operation.verb, operation.kind()))
    }
}

words! {
    /// Why a finding counts as no answer.
    Fault {
        Empty = "empty-finding", OverBound = "finding-over-bound", BadSpan = "invalid-span",
        BadIndex = "invalid-index", Undeclared = "undeclared-operation", NoWords = "program-without-words",
    }
}

impl Finding {
    /// Checks the finding against the action it is about and against what the vocabulary declared.
    pub fn check(&self, action: &Action, declared: &Declared) -> Result<(), Fault> {
        self.check_counts()?;
        let parts = Parts { texts: action.parts() };
        for operation in &self.operations {
            parts.check(operation.origin)?;
            if !declared.covers(operation) {
                return Err(Fault::Undeclared);
            }
        }
        self.doubts.iter().try_for_each(|doubt| parts.check(doubt.origin))?;
        for delegate in &self.delegates {
            parts.check(delegate.origin)?;
            self.check_delegate(&delegate.action, &parts)?;
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), Fault> {
        let bounds = [
            (self.operations.len(), OPERATIONS_MAX),
            (self.delegates.len(), DELEGATES_MAX),
            (self.obligations.len(), OBLIGATIONS_MAX),
            (self.doubts.len(), DOUBTS_MAX),
            (self.facts_needed.len(), QUERIES_MAX),
            (self.operations.iter().map(|operation| operation.target.len()).max().unwrap_or(0), SEGMENTS_MAX),
            (self.text_bytes(), TEXT_BYTES_MAX),
        ];
        if bounds.iter().any(|(count, most)| count > most) {
            return Err(Fault::OverBound);
        }
        let silent = self.operations.is_empty()
            && self.delegates.is_empty()
            && self.doubts.is_empty()
            && self.facts_needed.is_empty();
        if silent { Err(Fault::Empty) } else { Ok(()) }
    }

    fn check_delegate(&self, action: &Action, parts: &Parts<'_>) -> Result<(), Fault> {
        match action {
            Action::Tool(tool) => tool.arguments.check_bounds().map_err(|_| Fault::OverBound),
            Action::Source(source) if source.text.len() > SOURCE_BYTES_MAX => Err(Fault::OverBound),
            Action::Source(_) => Ok(()),
            Action::Program(invocation) => self.check_invocation(invocation, parts),
        }
    }

    fn check_invocation(&self, invocation: &Invocation, parts: &Parts<'_>) -> Result<(), Fault> {
        if invocation.argv.is_empty() {
            return Err(Fault::NoWords);
        }
        if invocation.argv.len() > WORDS_MAX || invocation.env.len() > WORDS_MAX {
            return Err(Fault::OverBound);
        }
        if let Input::OutputOf(index) = invocation.stdin
            && usize::try_from(index).map_or(true, |index| index >= self.delegates.len())
        {
            return Err(Fault::BadIndex);
        }
        let words = invocation.argv.iter().chain(invocation.env.iter().map(|(_, value)| value));
        words.map(|word| word.origin).try_for_each(|origin| parts.check(origin))
    }

    fn text_bytes(&self) -> usize {
        let operations = self.operations.iter().flat_map(|operation| {
            let names = operation.target.iter().map(|segment| segment.name.len());
            names.chain([operation.native.len()])
        });
        let delegates = self.delegates.iter().map(|delegate| action_text_bytes(&delegate.action));
        let queries = self.facts_needed.iter().map(|query| query.subject.len());
        operations.chain(delegates).chain(queries).fold(0, usize::saturating_add)
    }
}

fn action_text_bytes(action: &Action) -> usize {
    match action {
        // The arguments have bounds of their own.
        Action::Tool(tool) => tool.server.len().saturating_add(tool.name.len()),
        Action::Source(source) => source.text.len().saturating_add(source.language.len()),
        Action::Program(invocation) => {
            let words = invocation.argv.iter().map(|word| word.text.len());
            let env = invocation.env.iter().map(|(name, value)| name.len().saturating_add(value.text.len()));
            words.chain(env).fold(0, usize::saturating_add)
        }
    }
}

/// The texts of an action's parts, found once for all spans of a finding.
struct Parts<'a> {
    texts: Vec<Cow<'a, str>>,
}

impl Parts<'_> {
    fn check(&self, span: Span) -> Result<(), Fault> {
        let place = || {
            let text = self.texts.get(usize::try_from(span.part).ok()?)?;
            text.get(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?)
        };
        place().map(|_| ()).ok_or(Fault::BadSpan)
    }
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
