//! Collects what a command does into a finding. It must never drop something it was told: what does not fit becomes a
//! doubt.

use holdpoint_guest::{
    Access, Action, Doubt, Effect, Finding, Input, Invocation, ObligationKind, Operation, Reason, Scope, Segment,
    SourceText, Span, TargetKind, Traits, Verb, Word, WordKind, WorkingDir,
};

use crate::beside;
use crate::chmod;
use crate::hosts;
use crate::table::{ACT_CODE_FILE, ACT_CREATE, ACT_QUERY, ACT_READ, ACT_SEND, Act, Dash, Fixed, Program, Role};
use crate::words::{Arg, escape_glob, whole_folder};

/// Operations in a finding; the contract allows 1,024.
const OPERATIONS_MAX: usize = 1_000;
/// Delegates in a finding; the contract allows 512.
const DELEGATES_MAX: usize = 500;
/// Doubts in a finding; the contract allows 64.
const DOUBTS_MAX: usize = 60;
/// Bytes of a command line handed on; the contract allows 64 KiB.
const SOURCE_BYTES_MAX: usize = 60_000;

/// Whether operands stand for themselves or for everything below them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spread {
    Single,
    Tree,
}

/// The name in a table for what no table can name.
const UNKNOWN_NAME: &str = "?";

/// A finding in the making.
pub(crate) struct Report {
    native: &'static str,
    finding: Finding,
    own_span: Span,
    /// Whether something is made that gives whoever runs it the rights of its owner.
    privileged: bool,
    /// Endings under which what is written is written too.
    endings: Vec<(String, Span)>,
}

impl Report {
    /// An empty report for a program whose name stands at `own_span`.
    pub(crate) fn new(program: &'static Program, own_span: Span) -> Report {
        let mut finding = Finding::default();
        for kind in program.obligations {
            finding = finding.with_obligation(*kind);
        }
        Report { native: program.name, finding, own_span, privileged: false, endings: Vec::new() }
    }

    /// The place of the program's name.
    pub(crate) fn own_span(&self) -> Span {
        self.own_span
    }

    /// Adds an operation.
    pub(crate) fn operation(&mut self, operation: Operation) {
        self.finding.operations.push(operation);
    }

    /// Adds a doubt.
    pub(crate) fn doubt(&mut self, reason: Reason, span: Span) {
        self.finding.doubts.push(Doubt { reason, origin: span });
    }

    /// Adds doubts.
    pub(crate) fn doubts(&mut self, doubts: Vec<Doubt>) {
        self.finding.doubts.extend(doubts);
    }

    /// Adds an obligation once.
    pub(crate) fn oblige(&mut self, kind: ObligationKind) {
        if self.finding.obligations.iter().all(|known| known.kind != kind) {
            let finding = std::mem::take(&mut self.finding);
            self.finding = finding.with_obligation(kind);
        }
    }

    /// Reports `act` on what `arg` names.
    pub(crate) fn act(&mut self, act: &Act, arg: Arg<'_>, spread: Spread) {
        if act.dash == Dash::Stream && arg.known() == Some("-") {
            return;
        }
        // A name that the command does not show carries something out to whoever answers for the name.
        let act = if std::ptr::eq(act, &ACT_QUERY) && arg.is_uncertain() { &ACT_SEND } else { act };
        let named = act.name.is_some() || act.kind == TargetKind::Machine;
        if arg.text.is_empty() && !named {
            return self.doubt(Reason::MalformedArgument, arg.span);
        }
        let (segment, scope) = target(act, arg, spread);
        let mut operation =
            Operation::new(act.verb, self.native, act.effect, arg.span).on(segment).with_traits(traits(act, arg));
        operation.scope = act.scope.unwrap_or(Scope::One).max(scope);
        // Each file had rights of its own. What a tree of them is set to tells nobody what they were.
        if act.access == Some(Access::Permissions) && spread == Spread::Tree {
            operation.effect = operation.effect.max(Effect::Irreversible);
        }
        if let Some(access) = act.access {
            operation.access = access;
        }
        self.operation(operation);
    }

    /// The number of operations so far.
    pub(crate) fn len(&self) -> usize {
        self.finding.operations.len()
    }

    /// Reports the backups of files that were made since there were `since` operations: each lies beside its file, under
    /// the same name with something after it.
    pub(crate) fn backups(&mut self, since: usize) {
        let made = self.finding.operations.iter().skip(since).filter(|operation| operation.verb == Verb::Create);
        let made: Vec<(Segment, Span)> =
            made.filter_map(|operation| Some((operation.target.last()?.clone(), operation.origin))).collect();
        for (file, span) in made {
            beside::longer(self, Arg { text: &file.name, kind: file.certainty, span });
        }
    }

    /// Reports something done to a thing that no word names.
    pub(crate) fn fixed(&mut self, fixed: &Fixed) {
        let span = self.own_span;
        let text = fixed.name.unwrap_or("");
        if text.is_empty() && fixed.act.name.is_none() {
            return self.unnamed(fixed.act, span);
        }
        let kind = match text {
            UNKNOWN_NAME => WordKind::Dynamic,
            _ if text.contains('*') => WordKind::Glob,
            _ => WordKind::Exact,
        };
        self.act(fixed.act, Arg { text, kind, span }, Spread::Single);
    }

    /// Reports `act` on everything of its kind, or on the only one.
    pub(crate) fn unnamed(&mut self, act: &Act, span: Span) {
        let segment = Segment::exact(act.kind, "");
        let mut operation = Operation::new(act.verb, self.native, act.effect, span).on(segment).with_traits(act.traits);
        operation.scope = match act.kind {
            TargetKind::Machine | TargetKind::Terminal | TargetKind::Schedule | TargetKind::ShellState => Scope::One,
            TargetKind::Host
            | TargetKind::File
            | TargetKind::Filesystem
            | TargetKind::Mount
            | TargetKind::Process
            | TargetKind::Environment
            | TargetKind::User
            | TargetKind::Credential
            | TargetKind::Service
            | TargetKind::Package
            | TargetKind::SystemSetting
            | TargetKind::Code
            | TargetKind::GitCommit
            | TargetKind::GitRef
            | TargetKind::GitRemote
            | TargetKind::MemoryEntry
            | TargetKind::VaultCapability
            | TargetKind::Microphone
            | TargetKind::BrowserElement
            | TargetKind::SelfModification
            | TargetKind::Application
            | TargetKind::PersonalData
            | TargetKind::ToolSchema
            | TargetKind::Mailbox
            | TargetKind::Recipient
            | TargetKind::Unknown => Scope::Root,
        };
        if let Some(access) = act.access {
            operation.access = access;
        }
        self.operation(operation);
    }

    /// Reports what a role says about a word. Modes and tags are the business of the caller.
    pub(crate) fn role(&mut self, role: Role, arg: Arg<'_>, spread: Spread) {
        match role {
            Role::Flag
            | Role::Recursive
            | Role::Folders
            | Role::Text
            | Role::Mode(_)
            | Role::Operate
            | Role::Tag(_) => {}
            Role::ModeBits if chmod::may_set_user(arg) => self.privileged = true,
            Role::ModeBits => {}
            Role::Prefix => self.prefix(arg),
            Role::Stem => beside::stem(self, arg, spread),
            Role::Neighbours => beside::neighbours(self, arg, spread),
            // A slash puts the files elsewhere.
            Role::NamePart if arg.is_uncertain() || arg.text.contains('/') => {
                self.doubt(Reason::MalformedArgument, arg.span);
            }
            Role::NamePart => {}
            Role::Account => hosts::account(self, arg),
            Role::Display => hosts::display(self, arg),
            Role::ListFile => {
                self.act(&ACT_READ, arg, Spread::Single);
                self.act(&ACT_READ, arg.hidden(), Spread::Single);
            }
            Role::HostsFile => {
                self.act(&ACT_READ, arg, Spread::Single);
                self.act(&ACT_SEND, arg.hidden(), Spread::Single);
            }
            Role::Act(act) => self.act(act, arg, spread),
            Role::ExecShell => self.shell(arg),
            Role::ExecProgram => self.program(arg, &[]),
            // It runs on files that no word names.
            Role::ExecOnFiles => self.program(arg, &[Word::dynamic("{}", arg.span)]),
        }
    }

    /// Reports files whose names start with the word.
    fn prefix(&mut self, arg: Arg<'_>) {
        let pattern = match arg.kind {
            WordKind::Exact => format!("{}*", escape_glob(arg.text)),
            WordKind::Glob | WordKind::Dynamic => arg.text.to_owned(),
        };
        let kind = if arg.kind == WordKind::Dynamic { WordKind::Dynamic } else { WordKind::Glob };
        self.act(&ACT_CREATE, Arg { text: &pattern, kind, span: arg.span }, Spread::Single);
    }

    /// Hands a command line to the shell vocabulary.
    pub(crate) fn shell(&mut self, arg: Arg<'_>) {
        match arg.known() {
            Some(text) => self.source(text, arg.span),
            None => self.doubt(Reason::DynamicWord, arg.span),
        }
    }

    /// Hands the text of a command line to the shell vocabulary.
    pub(crate) fn source(&mut self, text: &str, span: Span) {
        if text.trim().is_empty() {
            return self.doubt(Reason::MalformedArgument, span);
        }
        let source = SourceText { language: "bash".to_owned(), text: text.to_owned(), cwd: WorkingDir::Same };
        self.delegate(Action::Source(source), text.len(), span);
    }

    /// Hands on a program given as one text that the tool splits at spaces without a shell, and to which it adds `more`.
    pub(crate) fn program(&mut self, arg: Arg<'_>, more: &[Word]) {
        let Some(text) = arg.known() else {
            return self.doubt(Reason::DynamicWord, arg.span);
        };
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " ._-/=+,:@%".contains(letter);
        let mut words: Vec<Word> = text.split_whitespace().map(|word| Word::exact(word, arg.span)).collect();
        if words.is_empty() || !text.chars().all(is_plain) {
            return self.doubt(Reason::MalformedArgument, arg.span);
        }
        words.extend_from_slice(more);
        self.invoke(words, WorkingDir::Same, arg.span);
    }

    /// Hands on a program with its words.
    pub(crate) fn invoke(&mut self, argv: Vec<Word>, cwd: WorkingDir, span: Span) {
        let bytes = argv.iter().map(|word| word.text.len()).sum();
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

    /// Reports code that runs and that the request does not show.
    pub(crate) fn unseen_code(&mut self, span: Span) {
        let operation = Operation::new(Verb::Exec, self.native, Effect::Unknown, span)
            .on(Segment::unknown(TargetKind::Code))
            .reaching(Scope::Unknown)
            .with_traits(Traits::RUNS_CODE);
        self.operation(operation);
    }

    /// Reports a file whose content is run.
    pub(crate) fn code_file(&mut self, arg: Arg<'_>) {
        self.act(&ACT_CODE_FILE, arg, Spread::Single);
    }

    /// Notes an ending under which what is written is written too, or which is taken off its name.
    pub(crate) fn ending(&mut self, arg: Arg<'_>) {
        match arg.known() {
            Some(text) if !text.contains('/') => self.endings.push((text.to_owned(), arg.span)),
            Some(_) | None => self.doubt(Reason::MalformedArgument, arg.span),
        }
    }

    /// Reports what is written under a name that is put together: operands and endings may make a name that neither
    /// shows.
    fn put_together(&mut self) {
        let written = |operation: &&Operation| {
            operation.effect != Effect::None && matches!(operation.verb, Verb::Create | Verb::Update)
        };
        let files = self.finding.operations.iter().filter(written).filter_map(|operation| operation.target.last());
        let files = files.filter(|target| target.kind == TargetKind::File && target.certainty == WordKind::Exact);
        let names: Vec<String> = files.map(|target| target.name.trim_end_matches('/').to_owned()).collect();
        for (ending, span) in std::mem::take(&mut self.endings) {
            for name in names.iter().filter(|name| !beside::names_nothing(name)) {
                let longer = format!("{name}{ending}");
                let shorter = name.strip_suffix(ending.as_str()).filter(|rest| !rest.is_empty());
                for text in std::iter::once(longer.as_str()).chain(shorter) {
                    self.act(&ACT_CREATE, Arg { text, kind: WordKind::Exact, span }, Spread::Single);
                }
            }
        }
    }

    /// The finding. A command about which nothing was said does nothing.
    pub(crate) fn finish(mut self) -> Finding {
        self.put_together();
        let finding = &mut self.finding;
        if finding.operations.is_empty() && finding.delegates.is_empty() && finding.doubts.is_empty() {
            finding.operations.push(Operation::nothing(self.native, self.own_span));
        }
        if finding.operations.len() > OPERATIONS_MAX {
            finding.operations.truncate(OPERATIONS_MAX);
            finding.doubts.insert(0, Doubt { reason: Reason::OverBound, origin: self.own_span });
        }
        finding.doubts.truncate(DOUBTS_MAX);
        if self.privileged { chmod::privileged(self.finding) } else { self.finding }
    }
}

/// Names of the machine itself.
const THIS_MACHINE: &[&str] = &["127.0.0.1", "::1", "[::1]", "localhost"];

/// Whether a host is the machine itself.
pub(crate) fn is_this_machine(host: Arg<'_>) -> bool {
    host.known().is_some_and(|host| THIS_MACHINE.contains(&host))
}

/// The traits of `act` on what the word names: nothing that goes to this machine goes over a network.
fn traits(act: &Act, arg: Arg<'_>) -> Traits {
    if act.kind == TargetKind::Host && is_this_machine(arg) {
        act.traits.difference(Traits::NETWORK)
    } else {
        act.traits
    }
}

/// What a word names under `act`, and how much that is.
fn target(act: &Act, arg: Arg<'_>, spread: Spread) -> (Segment, Scope) {
    if let Some(name) = act.name {
        return (Segment::exact(act.kind, name), Scope::One);
    }
    if act.kind == TargetKind::Machine {
        return (Segment::exact(act.kind, ""), Scope::One);
    }
    let segment = Segment { kind: act.kind, name: arg.text.to_owned(), certainty: arg.kind };
    match (arg.kind, spread) {
        (WordKind::Dynamic, _) => (segment, Scope::Unknown),
        (WordKind::Exact, Spread::Single) => (segment, Scope::One),
        (WordKind::Exact, Spread::Tree) => (segment, Scope::AllInParent),
        (WordKind::Glob, _) if act.kind == TargetKind::File => match (whole_folder(arg.text), spread) {
            (Some(folder), _) => (Segment::file(folder), Scope::AllInParent),
            (None, Spread::Single) => (segment, Scope::Selection),
            (None, Spread::Tree) => (segment, Scope::AllInParent),
        },
        (WordKind::Glob, _) => (segment, Scope::Selection),
    }
}
