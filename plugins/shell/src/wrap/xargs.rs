//! `xargs`: runs a command with words that it reads. What they are is not known, so they are words that may be anything.

use holdpoint_guest::{Effect, Input, Invocation, Span, Verb, Word, WorkingDir};

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
    match replaced(&parsed) {
        Some(mark) => {
            for word in &mut argv {
                if word.text.contains(&mark) {
                    *word = Word::dynamic(word.text.clone(), word.origin);
                }
            }
        }
        None => argv.push(Word::dynamic("{}", Span { start: 0, end: 0, ..run.origin })),
    }
    if argv.first().is_some_and(|head| !head.is_exact()) {
        return out.doubt(holdpoint_guest::Reason::DynamicWord, run.origin);
    }
    let from_elsewhere = parsed.has(&["a", "arg-file", "o", "open-tty"]);
    let stdin = if from_elsewhere { run.input() } else { Input::Empty };
    let env = run.inherited_env();
    out.program(Invocation { argv, env, cwd: WorkingDir::Same, stdin }, run.origin);
}

/// The text that stands for a word that was read.
fn replaced(parsed: &Parsed<'_>) -> Option<String> {
    let given = parsed.given.iter().rev().find(|given| matches!(&*given.name, "I" | "i" | "replace"))?;
    let mark = given.value.as_ref().map_or("{}", |word| word.known().unwrap_or(""));
    Some(mark.to_owned())
}
