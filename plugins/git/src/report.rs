//! Collects what a command does into a finding. It must never drop something it was told: what does not fit becomes a
//! doubt.

use holdpoint_guest::{
    Action, Doubt, Effect, Escapes, Finding, Input, Invocation, Obligation, ObligationKind, Operation, Reason, Scope,
    Segment, SourceText, Span, TargetKind, Traits, Verb, Word, WordKind,
};

use crate::place::{Folder, git_ref};
use crate::table::{ACT_CODE, Act};
use crate::words::Arg;

/// Operations in a finding; the contract allows 1,024.
const OPERATIONS_MAX: usize = 1_000;
/// Delegates in a finding; the contract allows 512.
const DELEGATES_MAX: usize = 500;
/// Doubts in a finding; the contract allows 64.
const DOUBTS_MAX: usize = 60;
/// Obligations in a finding; the contract allows 32, and there are two of ours.
const OBLIGATIONS_MAX: usize = 2;
/// Bytes of a command line handed on; the contract allows 64 KiB.
const SOURCE_BYTES_MAX: usize = 60_000;

/// A finding in the making.
pub(crate) struct Report {
    native: String,
    pub(crate) folder: Folder,
    own_span: Span,
    finding: Finding,
}

impl Report {
    /// An empty report of what `native` does in `folder`.
    pub(crate) fn new(native: String, folder: Folder, own_span: Span) -> Report {
        Report { native, folder, own_span, finding: Finding::default() }
    }

    /// The place of the command's name.
    pub(crate) fn own_span(&self) -> Span {
        self.own_span
    }

    /// Adds a doubt.
    pub(crate) fn doubt(&mut self, reason: Reason, span: Span) {
        self.finding.doubts.push(Doubt { reason, origin: span });
    }

    /// Adds an obligation once.
    pub(crate) fn oblige(&mut self, kind: ObligationKind) {
        let known = self.finding.obligations.iter().any(|known| known.kind == kind);
        if !known && self.finding.obligations.len() < OBLIGATIONS_MAX {
            self.finding.obligations.push(Obligation { kind, amount: 0 });
        }
    }

    /// Adds ways in which text leaves its place.
    pub(crate) fn escapes(&mut self, escapes: Escapes) {
        self.finding.escapes |= escapes;
    }

    /// Adds an operation of this command on `target`, root first.
    pub(crate) fn operation(&mut self, act: &Act, target: Vec<Segment>, scope: Scope, span: Span) {
        let mut operation = Operation::new(act.verb, self.native.as_str(), act.effect, span)
            .reaching(act.scope.max(scope))
            .with_traits(act.traits);
        operation.target = target;
        self.finding.operations.push(operation);
    }

    /// Reports an act that no word is needed for.
    pub(crate) fn fixed(&mut self, act: &Act) {
        let span = self.own_span;
        match (act.kind, act.name) {
            (None, _) => self.operation(act, Vec::new(), Scope::One, span),
            (Some(_), None) => self.doubt(Reason::MalformedArgument, span),
            (Some(TargetKind::File), Some(".")) => {
                let folder = self.folder.segment();
                self.operation(act, vec![folder], Scope::One, span);
                self.tracked(act, span);
            }
            (Some(kind), Some("?")) => self.below(act, Segment::unknown(kind), Scope::One, span),
            (Some(kind), Some(name)) => self.below(act, Segment::exact(kind, name), Scope::One, span),
        }
    }

    /// A selection that nobody names is what commits hold, so a commit may bring a file that the gate keeps. Only a host that
    /// looked into them could tell.
    fn tracked(&mut self, act: &Act, span: Span) {
        if act.scope == Scope::Selection && act.effect != Effect::None {
            self.doubt(Reason::MissingFact, span);
        }
    }

    /// Reports an act on what a word names.
    pub(crate) fn act(&mut self, act: &Act, arg: Arg<'_>) {
        match act.kind {
            _ if act.name.is_some() => self.fixed(act),
            None => self.fixed(act),
            Some(_) if arg.text.is_empty() => self.doubt(Reason::MalformedArgument, arg.span),
            Some(TargetKind::File) => {
                let (segment, scope) = self.folder.pathspec(arg);
                // As a path of git the folder of the repository stands for what is tracked in it.
                let (act, scope) = match act.verb == Verb::Update && segment == self.folder.segment() {
                    true => (Act { scope: Scope::Selection, ..*act }, Scope::Selection),
                    false => (*act, scope),
                };
                self.operation(&act, vec![segment], scope, arg.span);
                self.tracked(&act, arg.span);
            }
            Some(TargetKind::GitRef) => self.below(act, git_ref(arg), Scope::One, arg.span),
            Some(kind) => {
                let segment = Segment { kind, name: arg.text.to_owned(), certainty: arg.kind };
                self.below(act, segment, Scope::One, arg.span);
            }
        }
    }

    /// Reports an act on something in the repository: its folder is a step of the way.
    fn below(&mut self, act: &Act, segment: Segment, scope: Scope, span: Span) {
        let target = match segment.kind {
            TargetKind::GitCommit | TargetKind::GitRef | TargetKind::GitRemote => vec![self.folder.segment(), segment],
            _ => vec![segment],
        };
        self.operation(act, target, scope, span);
    }

    /// Reports code that runs and that the request does not show as a whole.
    pub(crate) fn unseen_code(&mut self, span: Span) {
        let unknown = vec![Segment::unknown(TargetKind::Code)];
        self.operation(&ACT_CODE, unknown, Scope::Unknown, span);
    }

    /// Reports a command line that runs and is given more than its words.
    pub(crate) fn helper(&mut self, arg: Arg<'_>) {
        self.unseen_code(arg.span);
        self.shell(arg);
    }

    /// Hands a command line on.
    pub(crate) fn shell(&mut self, arg: Arg<'_>) {
        self.escapes(Escapes::OS_COMMAND);
        match arg.known() {
            Some(text) => self.source(text, arg.span),
            None => self.doubt(Reason::DynamicWord, arg.span),
        }
    }

    /// Hands the text of a command line on.
    pub(crate) fn source(&mut self, text: &str, span: Span) {
        if text.trim().is_empty() {
            return self.doubt(Reason::MalformedArgument, span);
        }
        let cwd = self.folder.working_dir();
        let source = SourceText { language: "bash".to_owned(), text: text.to_owned(), cwd };
        self.delegate(Action::Source(source), text.len(), span);
    }

    /// Hands a program with its words on.
    pub(crate) fn invoke(&mut self, args: &[Arg<'_>], span: Span) {
        let word = |arg: &Arg<'_>| Word { kind: arg.kind, text: arg.text.to_owned(), origin: arg.span };
        let argv: Vec<Word> = args.iter().map(word).collect();
        let bytes = argv.iter().map(|word| word.text.len()).sum();
        let cwd = self.folder.working_dir();
        let invocation = Invocation { argv, env: Vec::new(), cwd, stdin: Input::External };
        self.delegate(Action::Program(invocation), bytes, span);
    }

    fn delegate(&mut self, action: Action, bytes: usize, span: Span) {
        if bytes > SOURCE_BYTES_MAX || self.finding.delegates.len() >= DELEGATES_MAX {
            return self.doubt(Reason::OverBound, span);
        }
        let finding = std::mem::take(&mut self.finding);
        self.finding = finding.with_delegate(action, span);
    }

    /// The finding. A command about which nothing was said does nothing.
    pub(crate) fn finish(mut self) -> Finding {
        let finding = &mut self.finding;
        if finding.operations.is_empty() && finding.delegates.is_empty() && finding.doubts.is_empty() {
            finding.operations.push(Operation::nothing(self.native.as_str(), self.own_span));
        }
        if finding.operations.len() > OPERATIONS_MAX {
            finding.operations.truncate(OPERATIONS_MAX);
            finding.doubts.insert(0, Doubt { reason: Reason::OverBound, origin: self.own_span });
        }
        finding.doubts.truncate(DOUBTS_MAX);
        self.finding
    }
}

/// An act that no table holds.
pub(crate) const fn act(verb: Verb, kind: TargetKind, effect: Effect, traits: Traits) -> Act {
    Act { verb, kind: Some(kind), effect, scope: Scope::One, name: None, traits }
}

/// Whether a word is exactly known.
pub(crate) fn is_exact(arg: Arg<'_>) -> bool {
    arg.kind == WordKind::Exact
}
