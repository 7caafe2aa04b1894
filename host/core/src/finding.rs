//! What a vocabulary answers about one action, and the bounds the core holds it to.

use crate::action::{Action, FactQuery, Input, Invocation, WorkingDir};
use crate::kinds;
use crate::operation::{Escape, Escapes, Obligation, ObligationKind, Operation, Span, TargetKind, Verb};
use crate::words::{WordSet, words};
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
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
/// Most bytes of all texts of one program: words, variables, folder and standard input.
pub const INVOCATION_BYTES_MAX: usize = 256 << 10;
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

/// What a vocabulary declared in its signed manifest: pairs of verb and target kind, obligations, and ways out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    pairs: Pairs,
    obligations: WordSet<ObligationKind>,
    escapes: Escapes,
    tools: BTreeMap<(String, String), Pairs>,
}

/// Pairs of verb and kind of the target; no kind stands for an operation without target.
type Pairs = BTreeSet<(Verb, Option<TargetKind>)>;

impl Declared {
    /// The declaration of these pairs.
    pub fn new(pairs: impl IntoIterator<Item = (Verb, Option<TargetKind>)>) -> Declared {
        Declared { pairs: pairs.into_iter().collect(), ..Declared::default() }
    }

    /// The same with these obligations.
    pub fn with_obligations(self, obligations: impl IntoIterator<Item = ObligationKind>) -> Declared {
        let obligations = obligations.into_iter().fold(self.obligations, WordSet::with);
        Declared { obligations, ..self }
    }

    /// The same with these ways out.
    pub fn with_escapes(self, escapes: impl IntoIterator<Item = Escape>) -> Declared {
        let escapes = escapes.into_iter().fold(self.escapes, WordSet::with);
        Declared { escapes, ..self }
    }

    /// The same where calls of one tool lead to these pairs only. Nothing gets wider by it.
    pub fn with_tool(
        mut self,
        server: &str,
        name: &str,
        pairs: impl IntoIterator<Item = (Verb, Option<TargetKind>)>,
    ) -> Declared {
        self.tools.insert((server.into(), name.into()), pairs.into_iter().collect());
        self
    }

    /// What calls of a tool may lead to.
    pub fn of_tool(&self, server: &str, name: &str) -> impl Iterator<Item = (Verb, Option<TargetKind>)> {
        let own = self.narrowed(server, name);
        self.pairs.iter().filter(move |pair| own.is_none_or(|own| own.contains(pair))).copied()
    }

    /// Whether an operation was declared for an action.
    pub fn covers(&self, action: &Action, operation: &Operation) -> bool {
        let pair = (operation.verb, operation.kind());
        let own = match action {
            Action::Tool(tool) => self.narrowed(&tool.server, &tool.name),
            Action::Source(_) | Action::Program(_) => None,
        };
        self.pairs.contains(&pair) && own.is_none_or(|own| own.contains(&pair))
    }

    fn narrowed(&self, server: &str, name: &str) -> Option<&Pairs> {
        if self.tools.is_empty() { None } else { self.tools.get(&(server.into(), name.into())) }
    }
}

words! {
    /// Why a finding counts as no answer.
    Fault {
        Empty = "empty-finding", OverBound = "finding-over-bound", BadSpan = "invalid-span",
        BadIndex = "invalid-index", Undeclared = "undeclared-operation",
        UndeclaredObligation = "undeclared-obligation", UndeclaredEscape = "undeclared-escape", NoWords = "program-without-words",
        Contradiction = "contradictory-operation",
    }
}

impl Finding {
    /// Checks the finding against the action it is about, against what the vocabulary declared, and against itself.
    pub fn check(&self, action: &Action, declared: &Declared) -> Result<(), Fault> {
        self.check_counts()?;
        let parts = Parts { texts: action.parts() };
        for operation in &self.operations {
            parts.check(operation.origin)?;
            if !declared.covers(action, operation) {
                return Err(Fault::Undeclared);
            }
            if kinds::of_operation(operation).is_some() {
                return Err(Fault::Contradiction);
            }
        }
        if kinds::of_natives(&self.operations).is_some() {
            return Err(Fault::Contradiction);
        }
        if self.obligations.iter().any(|obligation| !declared.obligations.contains(obligation.kind)) {
            return Err(Fault::UndeclaredObligation);
        }
        if self.escapes.iter().any(|escape| !declared.escapes.contains(escape)) {
            return Err(Fault::UndeclaredEscape);
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
        let words = invocation.argv.len().max(invocation.env.len());
        if words > WORDS_MAX || invocation_text_bytes(invocation) > INVOCATION_BYTES_MAX {
            return Err(Fault::OverBound);
        }
        if let Input::OutputOf(index) = invocation.stdin
            && usize::try_from(index).map_or(true, |index| index >= self.delegates.len())
        {
            return Err(Fault::BadIndex);
        }
        let file = match &invocation.stdin {
            Input::File(word) => Some(word),
            Input::Inherited
            | Input::Empty
            | Input::Text(_)
            | Input::OutputOf(_)
            | Input::External
            | Input::Unknown => None,
        };
        let words = invocation.argv.iter().chain(invocation.env.iter().map(|(_, value)| value)).chain(file);
        words.map(|word| word.origin).try_for_each(|origin| parts.check(origin))
    }

    /// Bytes of all texts.
    pub(crate) fn text_bytes(&self) -> usize {
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
        Action::Tool(tool) => {
            let arguments = tool.arguments.text_bytes();
            tool.server.len().saturating_add(tool.name.len()).saturating_add(arguments)
        }
        Action::Source(source) => {
            let texts = [source.text.len(), source.language.len(), folder_text_bytes(&source.cwd)];
            texts.into_iter().fold(0, usize::saturating_add)
        }
        Action::Program(invocation) => invocation_text_bytes(invocation),
    }
}

fn invocation_text_bytes(invocation: &Invocation) -> usize {
    let words = invocation.argv.iter().map(|word| word.text.len());
    let env = invocation.env.iter().map(|(name, value)| name.len().saturating_add(value.text.len()));
    let stdin = match &invocation.stdin {
        Input::Text(text) => text.len(),
        Input::File(word) => word.text.len(),
        Input::Inherited | Input::Empty | Input::OutputOf(_) | Input::External | Input::Unknown => 0,
    };
    words.chain(env).chain([stdin, folder_text_bytes(&invocation.cwd)]).fold(0, usize::saturating_add)
}

fn folder_text_bytes(folder: &WorkingDir) -> usize {
    match folder {
        WorkingDir::Path(path) => path.len(),
        WorkingDir::Same | WorkingDir::Unknown => 0,
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
