//! Builders for findings. They only spare typing: everything they make can be written as a plain record.

use crate::{
    Access, Action, Delegate, Doubt, Effect, Escapes, FactKind, Finding, Input, Obligation, ObligationKind, Operation,
    Reason, Request, Scope, Segment, Span, TargetKind, Traits, Verb, Word, WordKind,
};

impl Span {
    /// The start of the first part, for what has no better place.
    pub const WHOLE: Span = Span { part: 0, start: 0, end: 0 };

    /// All of part `part`, whose text is `text`.
    pub fn part(part: usize, text: &str) -> Span {
        Span { part: narrow(part), start: 0, end: narrow(text.len()) }
    }

    /// Bytes `start..end` of part 0, the text of a `source` action.
    pub fn bytes(start: usize, end: usize) -> Span {
        Span { part: 0, start: narrow(start), end: narrow(end) }
    }
}

/// Texts are far below 4 GiB by contract; a larger offset becomes one that the host refuses.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl Word {
    /// A word whose text is known.
    pub fn exact(text: impl Into<String>, origin: Span) -> Word {
        Word { kind: WordKind::Exact, text: text.into(), origin }
    }

    /// A word whose value is not known before the command runs; `source` is its source text.
    pub fn dynamic(source: impl Into<String>, origin: Span) -> Word {
        Word { kind: WordKind::Dynamic, text: source.into(), origin }
    }

    /// Whether the text is the word.
    pub fn is_exact(&self) -> bool {
        self.kind == WordKind::Exact
    }

    /// The text, if it is the word.
    pub fn known(&self) -> Option<&str> {
        self.is_exact().then_some(self.text.as_str())
    }
}

impl Segment {
    /// A step of kind `kind` whose name is known.
    pub fn exact(kind: TargetKind, name: impl Into<String>) -> Segment {
        Segment { kind, name: name.into(), certainty: WordKind::Exact }
    }

    /// A file or folder whose path is known.
    pub fn file(path: impl Into<String>) -> Segment {
        Segment::exact(TargetKind::File, path)
    }

    /// A step named by a word of the command, as certain as the word is.
    pub fn named(kind: TargetKind, word: &Word) -> Segment {
        Segment { kind, name: word.text.clone(), certainty: word.kind }
    }

    /// A step whose name is not known.
    pub fn unknown(kind: TargetKind) -> Segment {
        Segment { kind, name: String::new(), certainty: WordKind::Dynamic }
    }
}

impl Operation {
    /// An operation with the access level that usually goes with `verb`, scope `one`, no trait and no target.
    pub fn new(verb: Verb, native: impl Into<String>, effect: Effect, origin: Span) -> Operation {
        Operation {
            verb,
            native: native.into(),
            target: Vec::new(),
            access: usual_access(verb),
            effect,
            scope: Scope::One,
            traits: Traits::empty(),
            origin,
        }
    }

    /// The explicit statement that an action does nothing that outlives it.
    pub fn nothing(native: impl Into<String>, origin: Span) -> Operation {
        Operation::new(Verb::Nothing, native, Effect::None, origin)
    }

    /// Adds a step to the target, root first.
    pub fn on(mut self, segment: Segment) -> Operation {
        self.target.push(segment);
        self
    }

    /// Sets the scope.
    pub fn reaching(mut self, scope: Scope) -> Operation {
        self.scope = scope;
        self
    }

    /// Sets the access level.
    pub fn accessing(mut self, access: Access) -> Operation {
        self.access = access;
        self
    }

    /// Adds traits.
    pub fn with_traits(mut self, traits: Traits) -> Operation {
        self.traits |= traits;
        self
    }
}

fn usual_access(verb: Verb) -> Access {
    match verb {
        Verb::List | Verb::Nothing => Access::List,
        Verb::Get | Verb::Watch | Verb::Use | Verb::Connect | Verb::Download => Access::Read,
        Verb::Create
        | Verb::Update
        | Verb::Patch
        | Verb::Delete
        | Verb::Deletecollection
        | Verb::Exec
        | Verb::Begin
        | Verb::Commit
        | Verb::Rollback
        | Verb::Lock
        | Verb::Configure
        | Verb::Upload
        | Verb::Send => Access::Write,
        Verb::Impersonate | Verb::Bind | Verb::Escalate | Verb::Approve | Verb::Sign | Verb::Grant | Verb::Revoke => {
            Access::Permissions
        }
        Verb::Unknown => Access::Unknown,
    }
}

impl Default for Finding {
    /// A finding that says nothing yet. The host counts it as unknown until something is added.
    fn default() -> Finding {
        Finding {
            operations: Vec::new(),
            delegates: Vec::new(),
            obligations: Vec::new(),
            escapes: Escapes::empty(),
            facts_needed: Vec::new(),
            doubts: Vec::new(),
        }
    }
}

impl Finding {
    /// A finding with one doubt, which makes the action unknown.
    pub fn doubtful(reason: Reason, origin: Span) -> Finding {
        Finding::default().with_doubt(reason, origin)
    }

    /// Adds an operation.
    pub fn with_operation(mut self, operation: Operation) -> Finding {
        self.operations.push(operation);
        self
    }

    /// Adds a doubt.
    pub fn with_doubt(mut self, reason: Reason, origin: Span) -> Finding {
        self.doubts.push(Doubt { reason, origin });
        self
    }

    /// Adds an action that another vocabulary may judge.
    pub fn with_delegate(mut self, action: Action, origin: Span) -> Finding {
        self.delegates.push(Delegate { action, origin });
        self
    }

    /// Adds an obligation without an amount.
    pub fn with_obligation(mut self, kind: ObligationKind) -> Finding {
        self.obligations.push(Obligation { kind, amount: 0 });
        self
    }

    /// Adds escapes.
    pub fn with_escapes(mut self, escapes: Escapes) -> Finding {
        self.escapes |= escapes;
        self
    }
}

impl Request {
    /// The answer to a fact that needs no subject, if the host gave it.
    pub fn fact(&self, kind: FactKind) -> Option<&str> {
        self.facts
            .iter()
            .find(|fact| fact.query.kind == kind && fact.query.subject.is_empty())
            .map(|fact| fact.answer.as_str())
    }
}

impl Input {
    /// Whether a program that reads its standard input receives something that the request does not show.
    pub fn is_unseen(&self) -> bool {
        match self {
            Input::Inherited | Input::Empty | Input::Text(_) | Input::File(_) => false,
            Input::OutputOf(_) | Input::External | Input::Unknown => true,
        }
    }
}
