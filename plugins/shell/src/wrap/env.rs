//! `env`: sets variables, may change the folder, then runs a command. `-S` splits one word into several.

use holdpoint_guest::{
    Binding, Effect, Escapes, Operation, Reason, Segment, TargetKind, Traits, Verb, Word, WordKind, WorkingDir,
};

use super::Run;
use super::options::{Table, parse};
use crate::limits::CODE_LEVELS_MAX;
use crate::names::{is_inert_value, is_influential};
use crate::out::Out;
use crate::word::is_name;

const OPTIONS: Table = Table {
    flags: "i0v",
    valued: "uCSa",
    optional: "",
    long_flags: &[
        "block-signal",
        "debug",
        "default-signal",
        "help",
        "ignore-environment",
        "ignore-signal",
        "list-signal-handling",
        "null",
        "version",
    ],
    long_valued: &["argv0", "chdir", "split-string", "unset"],
};

/// Judges `env`.
pub(crate) fn env(run: &Run<'_>, out: &mut Out) {
    let mut words = run.words.to_vec();
    let mut cwd = WorkingDir::Same;
    let mut env = run.inherited_env();
    let mut argv0 = None;
    for _ in 0..=CODE_LEVELS_MAX {
        let Some(parsed) = parse(&OPTIONS, &words, out) else {
            return;
        };
        if parsed.has(&["help", "version"]) {
            return run.nothing(out);
        }
        if parsed.has(&["i", "ignore-environment"]) {
            env.clear();
        }
        argv0 = parsed.value(&["a", "argv0"]).cloned().or(argv0);
        if let Some(folder) = parsed.value(&["C", "chdir"]) {
            cwd = folder.known().map_or(WorkingDir::Unknown, |path| WorkingDir::Path(path.to_owned()));
        }
        for given in parsed.given.iter().filter(|given| matches!(&*given.name, "u" | "unset")) {
            let name = given.value.as_ref().and_then(Word::known).unwrap_or("");
            env.retain(|binding| binding.name != name);
            report(run, name, None, &given.word, out);
        }
        let split = parsed.given.iter().rev().find(|given| matches!(&*given.name, "S" | "split-string"));
        let Some(split) = split.and_then(|given| given.value.clone()) else {
            return command(run, parsed.operands, argv0.as_ref(), cwd, env, out);
        };
        let Some(mut parts) = split_words(&split) else {
            return out.doubt(Reason::UnsupportedSyntax, split.origin);
        };
        parts.extend_from_slice(parsed.operands);
        words = parts;
    }
    out.doubt(Reason::OverBound, run.origin);
}

fn command(
    run: &Run<'_>,
    operands: &[Word],
    argv0: Option<&Word>,
    cwd: WorkingDir,
    mut env: Vec<Binding>,
    out: &mut Out,
) {
    let mut rest = operands;
    // A lone dash means an empty environment.
    if let Some((first, after)) = rest.split_first()
        && first.known() == Some("-")
    {
        env.clear();
        rest = after;
    }
    while let Some((first, after)) = rest.split_first() {
        let Some((name, value)) = assignment(first) else {
            if first.is_exact() {
                break;
            }
            return out.doubt(Reason::DynamicWord, first.origin);
        };
        report(run, &name, value.known(), first, out);
        env.retain(|binding| binding.name != name);
        env.push(Binding { name, value });
        rest = after;
    }
    if rest.is_empty() {
        let operation = Operation::new(Verb::List, run.name, Effect::None, run.origin)
            .on(Segment::unknown(TargetKind::Environment))
            .with_traits(Traits::SENSITIVE);
        return out.operation(operation);
    }
    // A program may act by the name that it is told, as `busybox` and the shells do.
    if let (Some(name), Some(program)) = (argv0, rest.first())
        && !is_name_of(name, program)
    {
        out.doubt(Reason::UnknownProgram, name.origin);
    }
    run.inner_in(rest, cwd, env, out);
}

/// Whether a name that a program is told is the one that it has anyway.
pub(crate) fn is_name_of(name: &Word, program: &Word) -> bool {
    let last = |word: &'_ Word| word.known().map(|path| path.rsplit('/').next().unwrap_or(path).to_owned());
    last(name).is_some_and(|name| last(program) == Some(name))
}

/// The variable that a `NAME=VALUE` word sets. The value may be unknown as long as the word surely is one word.
pub(super) fn assignment(word: &Word) -> Option<(String, Word)> {
    let (name, value) = word.text.split_once('=')?;
    match word.kind {
        WordKind::Exact => Some((name.to_owned(), Word::exact(value, word.origin))),
        // Whatever it matches, each word sets the same variable.
        WordKind::Glob => is_name(name).then(|| (name.to_owned(), Word::dynamic(value, word.origin))),
        WordKind::Dynamic => {
            let inner = value.strip_prefix('"')?.strip_suffix('"')?;
            let one_word = is_name(name) && !inner.contains(['"', '@', '*', '`', '\\']);
            one_word.then(|| (name.to_owned(), Word::dynamic(value, word.origin)))
        }
    }
}

/// Reports that a variable of the inner command is set or removed.
pub(super) fn report(run: &Run<'_>, name: &str, value: Option<&str>, word: &Word, out: &mut Out) {
    let steers = is_influential(name) && !value.is_some_and(|value| is_inert_value(name, value));
    if steers {
        out.escapes(Escapes::ENV);
    }
    let effect = if steers { Effect::Unknown } else { Effect::None };
    let target = Segment::exact(TargetKind::Environment, name);
    out.operation(Operation::new(Verb::Configure, run.name, effect, word.origin).on(target));
}

/// Splits as `env -S` does, as far as no escape and no variable is used.
fn split_words(word: &Word) -> Option<Vec<Word>> {
    let text = word.known()?;
    if text.contains(['\\', '$', '#']) {
        return None;
    }
    let mut words = Vec::new();
    let mut current: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(current.take().map(|text| Word::exact(text, word.origin))),
            '\'' | '"' => {
                let rest = characters.as_str();
                let end = rest.find(character)?;
                current.get_or_insert_default().push_str(rest.get(..end)?);
                characters = rest.get(end + 1..)?.chars();
            }
            other => current.get_or_insert_default().push(other),
        }
    }
    words.extend(current.map(|text| Word::exact(text, word.origin)));
    Some(words)
}
