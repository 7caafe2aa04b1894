//! `xargs`: runs a command with words that it reads. What they are is not known, so they are words that may be anything.

use holdpoint_guest::{Binding, Effect, Input, Invocation, Reason, Span, Verb, Word, WorkingDir};

use super::env::report;
use super::options::{Parsed, Table, parse};
use super::{Run, on_file};
use crate::out::Out;

const OPTIONS: Table = Table {
    flags: "0oprtx",
    valued: "adEILnPs",
    optional: "eil",
    long_flags: &[
        "eof",
        "exit",
        "help",
        "interactive",
        "max-lines",
        "no-run-if-empty",
        "null",
        "open-tty",
        "replace",
        "show-limits",
        "verbose",
        "version",
    ],
    long_valued: &["arg-file", "delimiter", "max-args", "max-chars", "max-procs", "process-slot-var"],
};

/// Judges `xargs`.
pub(crate) fn xargs(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&OPTIONS, run.words, out) else {
        return;
    };
    if parsed.has(&["help", "version"]) {
        return run.nothing(out);
    }
    if let Some(file) = parsed.value(&["a", "arg-file"]) {
        out.operation(on_file(Verb::Get, run.name, Effect::None, file));
    }
    let default = [Word::exact("echo", run.origin)];
    let command = if parsed.operands.is_empty() { &default } else { parsed.operands };
    let mut argv: Vec<Word> = command.to_vec();
    let (mark, appends) = placement(&parsed);
    if let Some(mark) = &mark {
        for word in argv.iter_mut().filter(|word| word.text.contains(mark)) {
            *word = Word::dynamic(word.text.clone(), word.origin);
        }
    }
    if appends == Appends::Words {
        argv.push(Word::dynamic("{}", Span { start: 0, end: 0, ..run.origin }));
    }
    if argv.first().is_some_and(|head| !head.is_exact()) {
        return out.doubt(Reason::DynamicWord, run.origin);
    }
    let from_elsewhere = parsed.has(&["a", "arg-file", "o", "open-tty"]);
    let stdin = if from_elsewhere { run.input() } else { Input::Empty };
    let mut env = run.inherited_env();
    if let Some(slot) = parsed.value(&["process-slot-var"]) {
        let Some(name) = slot.known() else {
            return out.doubt(Reason::DynamicWord, slot.origin);
        };
        report(run, name, None, slot, out);
        env.retain(|binding| binding.name != name);
        env.push(Binding { name: name.to_owned(), value: Word::dynamic(format!("${name}"), slot.origin) });
    }
    out.program(Invocation { argv, env, cwd: WorkingDir::Same, stdin }, run.origin);
}

/// Whether words that are read stand at the end of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Appends {
    Words,
    Nothing,
}

/// Where words that are read are put: in place of a mark, at the end, or both where the last of several options decides,
/// which versions of the program do not see alike.
fn placement(parsed: &Parsed<'_>) -> (Option<String>, Appends) {
    let replaced = parsed.given.iter().rev().find(|given| matches!(&*given.name, "I" | "i" | "replace"));
    let Some(given) = replaced else {
        return (None, Appends::Words);
    };
    let mark = given.value.as_ref().map_or("{}", |word| word.known().unwrap_or(""));
    let appends = if parsed.has(&["L", "l", "n", "max-lines", "max-args"]) { Appends::Words } else { Appends::Nothing };
    (Some(mark.to_owned()), appends)
}
