//! Programs that run other programs: each hands on the inner command, so that whoever knows it judges it, and says what
//! it does itself. A wrapper must never end the analysis with an answer weaker than that of the inner command.

mod env;
mod multi;
mod options;
mod plain;
mod remote;
mod shells;
mod trace;
mod users;
mod windows;
mod xargs;

pub(crate) use env::is_name_of;

use holdpoint_guest::{
    Binding, Effect, Input, Invocation, Operation, Reason, Request, Segment, Span, TargetKind, Traits, Verb, Word,
    WordKind, WorkingDir,
};

use crate::limits::SOURCE_BYTES_MAX;
use crate::out::Out;

/// A wrapper's command line.
pub(crate) struct Run<'r> {
    /// The name it was found by.
    pub(crate) name: &'r str,
    /// The words after the name.
    pub(crate) words: &'r [Word],
    pub(crate) invocation: &'r Invocation,
    /// All of the command line.
    pub(crate) origin: Span,
}

type Judge = fn(&Run<'_>, &mut Out);

/// Every program of this vocabulary and what judges it. Sorted.
pub(crate) const PROGRAMS: &[(&str, Judge)] = &[
    ("bash", shells::bash),
    ("busybox", multi::applet),
    ("chroot", users::chroot),
    ("chrt", plain::chrt),
    ("cmd", windows::cmd),
    ("cmd.exe", windows::cmd),
    ("dash", shells::posix),
    ("doas", users::doas),
    ("env", env::env),
    ("fish", shells::other),
    ("flock", plain::flock),
    ("ionice", plain::ionice),
    ("ksh", shells::other),
    ("ltrace", trace::ltrace),
    ("nice", plain::nice),
    ("nohup", plain::nohup),
    ("nsenter", users::nsenter),
    ("parallel", multi::parallel),
    ("powershell", shells::other),
    ("pwsh", shells::other),
    ("script", plain::script),
    ("setsid", plain::setsid),
    ("sh", shells::posix),
    ("ssh", remote::ssh),
    ("stdbuf", plain::stdbuf),
    ("strace", trace::strace),
    ("su", users::su),
    ("sudo", users::sudo),
    ("taskset", plain::taskset),
    ("time", plain::time),
    ("timeout", plain::timeout),
    ("toybox", multi::applet),
    ("unshare", users::unshare),
    ("watch", plain::watch),
    ("xargs", xargs::xargs),
    ("zsh", shells::other),
];

/// Judges a command line of one of the programs above.
pub(crate) fn classify(invocation: &Invocation, _request: &Request, out: &mut Out) {
    // Spans count within this request, wherever the words came from.
    let place = |(index, word): (usize, &Word)| Word { origin: Span::part(index, &word.text), ..word.clone() };
    let argv: Vec<Word> = invocation.argv.iter().enumerate().map(place).collect();
    let Some((head, words)) = argv.split_first() else {
        return out.doubt(Reason::MalformedArgument, Span::WHOLE);
    };
    let name = head.known().map(|path| path.rsplit('/').next().unwrap_or(path));
    let judge = name.and_then(|name| {
        let index = PROGRAMS.binary_search_by_key(&name, |(known, _)| known).ok()?;
        PROGRAMS.get(index)
    });
    match judge {
        Some((name, judge)) => judge(&Run { name, words, invocation, origin: head.origin }, out),
        None => out.doubt(Reason::UnknownProgram, head.origin),
    }
    if out.is_silent() {
        out.operation(Operation::nothing(name.unwrap_or(""), head.origin));
    }
}

impl Run<'_> {
    /// The standard input that a program started by this one sees.
    fn input(&self) -> Input {
        match &self.invocation.stdin {
            // The index counts in the finding of somebody else.
            Input::OutputOf(_) => Input::External,
            // The name of the file was written in another request.
            Input::File(word) => Input::File(Word { origin: Span::WHOLE, ..word.clone() }),
            Input::Inherited | Input::Empty | Input::Text(_) | Input::External | Input::Unknown => {
                self.invocation.stdin.clone()
            }
        }
    }

    /// Hands on `words` as a command of their own, in the same folder with the same input.
    fn inner(&self, words: &[Word], out: &mut Out) {
        self.inner_in(words, WorkingDir::Same, self.inherited_env(), out);
    }

    /// The variables that were set for the wrapper. Where they were written is a place in another request, so it is not
    /// handed on.
    fn inherited_env(&self) -> Vec<Binding> {
        let mut env = self.invocation.env.clone();
        env.iter_mut().for_each(|binding| binding.value.origin = Span::WHOLE);
        env
    }

    /// Hands on `words` as a command in another folder or environment.
    fn inner_in(&self, words: &[Word], cwd: WorkingDir, env: Vec<Binding>, out: &mut Out) {
        match words.first() {
            Some(head) if head.known().is_some_and(|text| !text.is_empty()) => {
                let invocation = Invocation { argv: words.to_vec(), env, cwd, stdin: self.input() };
                out.program(invocation, head.origin);
            }
            Some(head) => out.doubt(Reason::DynamicWord, head.origin),
            None => out.doubt(Reason::MalformedArgument, self.origin),
        }
    }

    /// Hands on a text that a shell runs.
    fn shell_text(&self, word: &Word, cwd: WorkingDir, out: &mut Out) {
        match word.known() {
            Some(text) if text.len() <= SOURCE_BYTES_MAX => out.source("sh", text, cwd, word.origin),
            Some(_) => out.doubt(Reason::OverBound, word.origin),
            None => unseen_code(self.name, Segment::named(TargetKind::Code, word), word.origin, out),
        }
    }

    /// Hands on words that the program joins by spaces and gives to a shell.
    fn joined_text(&self, words: &[Word], language: &str, cwd: WorkingDir, out: &mut Out) {
        let mut text = String::new();
        for word in words {
            let Some(known) = word.known() else {
                unseen_code(self.name, Segment::named(TargetKind::Code, word), word.origin, out);
                return out.doubt(Reason::DynamicWord, word.origin);
            };
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(known);
        }
        match (words.first(), words.last()) {
            (Some(first), Some(_)) if !text.is_empty() => out.source(language, &text, cwd, first.origin),
            _ => out.doubt(Reason::MalformedArgument, self.origin),
        }
    }

    /// Says that the program only prints something about itself.
    fn nothing(&self, out: &mut Out) {
        out.operation(Operation::nothing(self.name, self.origin));
    }

    /// A wrapper without a command would start a shell that reads what nobody has seen.
    fn starts_shell(&self, out: &mut Out) {
        match self.input() {
            Input::Text(text) => out.source("sh", &text, WorkingDir::Same, self.origin),
            Input::File(word) => unseen_code(self.name, Segment::named(TargetKind::Code, &word), self.origin, out),
            Input::Empty => self.nothing(out),
            Input::Inherited | Input::OutputOf(_) | Input::External | Input::Unknown => {
                unseen_code(self.name, Segment::unknown(TargetKind::Code), self.origin, out);
            }
        }
    }
}

/// Code is run that the request does not show.
fn unseen_code(native: &str, target: Segment, origin: Span, out: &mut Out) {
    let external = if target.name.is_empty() { Traits::EXTERNAL_CONTENT } else { Traits::empty() };
    out.operation(
        Operation::new(Verb::Exec, native, Effect::Unknown, origin)
            .on(target)
            .with_traits(Traits::RUNS_CODE | external),
    );
}

/// An operation on a file that a word names.
fn on_file(verb: Verb, native: &str, effect: Effect, word: &Word) -> Operation {
    let scope = match word.kind {
        WordKind::Exact => holdpoint_guest::Scope::One,
        WordKind::Glob => holdpoint_guest::Scope::Selection,
        WordKind::Dynamic => holdpoint_guest::Scope::Unknown,
    };
    Operation::new(verb, native, effect, word.origin).on(Segment::named(TargetKind::File, word)).reaching(scope)
}

#[cfg(test)]
mod tests;
