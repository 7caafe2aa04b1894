//! Simple commands: a call of a function, a builtin of the shell, or a program that another vocabulary judges.

use holdpoint_guest::{Binding, Invocation, Operation, Reason, Span, Word, WordKind};
use shuck_ast::SimpleCommand;

use super::{Flow, Stdin, Walker};
use crate::builtins;
use crate::state::{Certainty, Folder, Folders};
use crate::word::{Defaults, Zone};

/// A folder, and the words and variables of a command in it.
type Reading = (Folder, Vec<Word>, Vec<Binding>);

/// A call of a builtin.
pub(crate) struct Call<'c> {
    pub(crate) name: &'c str,
    /// The arguments, in the first folder that the command may run in.
    pub(crate) args: &'c [Word],
    /// The environment of a program that the builtin starts.
    pub(crate) env: &'c [Binding],
    pub(crate) origin: Span,
    pub(crate) folders: &'c Folders,
    pub(crate) stdin: &'c Stdin,
}

/// Which kinds of commands a name may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    All,
    /// After `command`: no function.
    NoFunction,
    /// After `builtin`.
    BuiltinOnly,
}

impl Walker<'_> {
    /// Walks a simple command.
    pub(crate) fn simple(&mut self, command: &SimpleCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        self.counters.visit();
        let has_name = command.name.span.start.offset() < command.name.span.end.offset();
        if has_name {
            self.note_name(command.name.span.slice(self.source));
            self.visit_word(&command.name, Zone::Bare, folders);
        }
        for word in &command.args {
            self.visit_word(word, Zone::Bare, folders);
        }
        self.visit_assignments(&command.assignments, folders);
        if !has_name && command.args.is_empty() {
            self.plain_assignments(&command.assignments, folders);
            return Flow::same(folders);
        }
        let origin = self.extent(command);
        let mut argvs = self.readings(command, folders);
        // A default is one of the values that a variable may have, and the only one that the text shows.
        if self.source.contains("${") {
            self.defaults = Defaults::Taken;
            let mut taken = self.readings(command, folders);
            self.defaults = Defaults::Open;
            taken.retain(|reading| !argvs.contains(reading));
            argvs.extend(taken);
        }
        self.passing_assignments(&command.assignments, folders);
        self.dispatch(argvs, origin, folders, stdin, Lookup::All)
    }

    /// The words and the environment of a command in each folder that it may run in.
    fn readings(&mut self, command: &SimpleCommand, folders: &Folders) -> Vec<Reading> {
        let mut readings = Vec::new();
        for folder in folders.reached() {
            let mut argv = self.argument(&command.name, &folder);
            for word in &command.args {
                argv.extend(self.argument(word, &folder));
            }
            let env = self.bindings(&command.assignments, &folder);
            readings.push((folder, argv, env));
        }
        readings
    }

    /// From the first word to the last.
    fn extent(&self, command: &SimpleCommand) -> Span {
        let first = command.name.span;
        let last = command.args.last().map_or(first, |word| word.span);
        let start = if first.start.offset() < first.end.offset() { first } else { last };
        self.place.at(start.start.offset(), last.end.offset())
    }

    /// Decides what the first word means.
    fn dispatch(
        &mut self,
        argvs: Vec<Reading>,
        origin: Span,
        folders: &Folders,
        stdin: &Stdin,
        lookup: Lookup,
    ) -> Flow {
        self.printed = None;
        let first = argvs.first().map(|(_, argv, env)| (argv.split_first(), env.as_slice()));
        let Some((Some((head, args)), env)) = first else {
            // Everything expanded to nothing.
            self.out.operation(Operation::nothing("", origin));
            return Flow::same(folders);
        };
        let Some(name) = head.known().filter(|name| !name.is_empty()).map(str::to_owned) else {
            self.out.doubt(Reason::DynamicWord, head.origin);
            return Flow::same(folders);
        };
        let mut called = None;
        if lookup == Lookup::All {
            self.notes_call(&name, origin);
            match self.shadowed(&name) {
                Some(Certainty::Certain) => return self.called(&name, origin, folders),
                Some(Certainty::Possible) => called = Some(self.called(&name, origin, folders)),
                None => {}
            }
            if self.state.aliases.contains(&name) {
                self.out.doubt(Reason::UnsupportedSyntax, head.origin);
            }
        }
        let flow = if builtins::is_builtin(&name) {
            let args = agreed(args, &argvs);
            let call = Call { name: &name, args: &args, env, origin, folders, stdin };
            builtins::run(self, &call)
        } else if lookup == Lookup::BuiltinOnly {
            self.out.doubt(Reason::UnknownProgram, origin);
            Flow::same(folders)
        } else {
            self.copies(&name, args, folders, stdin);
            self.started(argvs, origin, folders, stdin)
        };
        match called {
            Some(called) => Flow { ok: flow.ok.or(&called.ok), failed: flow.failed.or(&called.failed), program: None },
            None => flow,
        }
    }

    /// Starts a program in each folder that it may run in.
    fn started(&mut self, argvs: Vec<Reading>, origin: Span, folders: &Folders, stdin: &Stdin) -> Flow {
        if let Some((_, argv, _)) = argvs.first() {
            self.starts_without_end(argv, stdin, origin);
        }
        let mut program = None;
        for (index, (folder, argv, env)) in argvs.into_iter().enumerate() {
            let invocation = Invocation { argv, env, cwd: folder.working_dir(), stdin: stdin.input(index) };
            let place = self.out.program(invocation, origin);
            program = if index == 0 { place } else { program.filter(|_| place.is_some()) };
        }
        Flow { program, ..Flow::same(folders) }
    }

    /// Runs words as a command of their own (`command`, `builtin`, `exec`).
    pub(crate) fn run_words(&mut self, words: &[Word], call: &Call<'_>, lookup: Lookup) -> Flow {
        let argvs = call.folders.reached().into_iter().map(|folder| (folder, words.to_vec(), call.env.to_vec()));
        let argvs: Vec<_> = argvs.collect();
        self.dispatch(argvs, call.origin, call.folders, call.stdin, lookup)
    }
}

/// The arguments of a builtin as far as they are the same in all readings.
fn agreed(args: &[Word], readings: &[Reading]) -> Vec<Word> {
    let same = |index: usize, word: &Word| readings.iter().all(|(_, argv, _)| argv.get(index + 1) == Some(word));
    let is_aligned = readings.iter().all(|(_, argv, _)| argv.len() == args.len() + 1);
    let word = |(index, word): (usize, &Word)| {
        let certain = is_aligned && same(index, word);
        if certain { word.clone() } else { Word::dynamic(word.text.clone(), word.origin) }
    };
    args.iter().enumerate().map(word).collect()
}

/// Whether a word may be an option once it is expanded.
pub(crate) fn may_be_option(word: &Word) -> bool {
    match word.kind {
        WordKind::Exact => word.text.starts_with('-'),
        WordKind::Glob => word.text.starts_with(['*', '?', '[', '-']),
        WordKind::Dynamic => true,
    }
}
