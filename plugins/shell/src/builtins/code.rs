//! Builtins that run their arguments: as code, as a file, as a command.

use holdpoint_guest::{Effect, Operation, Reason, Segment, Span, TargetKind, Traits, Verb, Word};

use crate::place::joined;
use crate::state::{Folder, Folders, OnFailure};
use crate::streams;
use crate::walk::{Call, Flow, Lookup, Walker, in_folder};
use crate::wrap::is_name_of;

/// `eval`: the words, joined by spaces, are code.
pub(crate) fn eval(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let words = match call.args.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        Some(_) | None => call.args,
    };
    let Some(text) = literal(walker, words) else {
        return Flow::same(&Folders::only(Folder::Unknown));
    };
    if text.trim().is_empty() {
        walker.out.operation(Operation::nothing(call.name, call.origin));
        return Flow::same(call.folders);
    }
    walker.walk_code(&text, extent(words, call.origin), call.folders)
}

/// The words joined by spaces, if all are known; a doubt otherwise.
fn literal(walker: &mut Walker<'_>, words: &[Word]) -> Option<String> {
    let mut text = String::new();
    for word in words {
        let Some(known) = word.known() else {
            walker.out.doubt(Reason::DynamicWord, word.origin);
            return None;
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(known);
    }
    Some(text)
}

fn extent(words: &[Word], fallback: Span) -> Span {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => joined(first.origin, last.origin),
        _ => fallback,
    }
}

/// What code between commands may hold that changes how later commands are read here.
const CHANGES: &[&str] = &["cd", "pushd", "popd", "set", "eval", "()", "function", "alias", "source", ". "];

/// `trap`: code that runs later, in whatever folder the shell is then.
pub(crate) fn trap(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let words = match call.args.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        Some(_) | None => call.args,
    };
    walker.shell_state(call.name, "", call.origin);
    let Some((code, signals)) = words.split_first() else {
        return Flow::same(call.folders);
    };
    match code.known() {
        Some("-l" | "-p" | "-" | "") => {}
        // A number first, or a single word, resets a signal.
        Some(_) if signals.is_empty() => {}
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
        Some(text) => {
            let folders = if walker.changes_folder() { Folders::only(Folder::Unknown) } else { call.folders.clone() };
            // Whatever runs between commands may change what they mean; at the end of the shell nothing follows.
            let at_end = signals.iter().all(|signal| matches!(signal.known(), Some("EXIT" | "0")));
            if !at_end && CHANGES.iter().any(|change| text.contains(change)) {
                walker.out.doubt(Reason::UnsupportedSyntax, code.origin);
            }
            walker.isolated(|walker| walker.walk_code(text, code.origin, &folders));
        }
        None => walker.out.doubt(Reason::DynamicWord, code.origin),
    }
    Flow::same(call.folders)
}

/// `source` and `.`: the file is code that the request does not show.
pub(crate) fn source(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let file = call.args.iter().find(|word| word.known() != Some("--"));
    for folder in call.folders.reached() {
        let target = match file {
            Some(file) => streams::code(in_folder(file, &folder)),
            None => Segment::unknown(TargetKind::Code),
        };
        let external = if target.name.is_empty() { Traits::EXTERNAL_CONTENT } else { Traits::empty() };
        let operation = Operation::new(Verb::Exec, call.name, Effect::Unknown, call.origin)
            .on(target)
            .with_traits(Traits::RUNS_CODE | external);
        walker.out.operation(operation);
    }
    // The file may define functions and variables and may change the folder.
    walker.state.constants.clear();
    walker.state.functions.clear();
    walker.state.rebound.push("TMPDIR".to_owned());
    walker.state.on_failure = OnFailure::Continue;
    Flow::same(&Folders::only(Folder::Unknown))
}

/// `exec`: replaces the shell by a program, or only redirects.
pub(crate) fn exec(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let mut words = call.args;
    let mut name = None;
    while let Some((first, rest)) = words.split_first() {
        match first.known() {
            Some("--") => {
                words = rest;
                break;
            }
            Some("-a") => {
                name = rest.first();
                words = rest.get(1..).unwrap_or_default();
            }
            Some("-c") => words = rest,
            // `-l` among them: a shell that is told a name with a dash reads the files of a login.
            Some(text) if text.starts_with('-') => {
                walker.out.doubt(Reason::UnknownOption, first.origin);
                return Flow::same(call.folders);
            }
            Some(_) | None => break,
        }
    }
    // A program may act by the name that it is told, as `busybox` and the shells do.
    if let (Some(name), Some(program)) = (name, words.first())
        && !is_name_of(name, program)
    {
        walker.out.doubt(Reason::UnknownProgram, name.origin);
    }
    if words.is_empty() {
        walker.shell_state(call.name, "", call.origin);
        return Flow::same(call.folders);
    }
    walker.run_program(words, call)
}

/// `command`: describes a command with `-v`, otherwise runs it without functions.
pub(crate) fn command(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let mut words = call.args;
    while let Some((first, rest)) = words.split_first() {
        match first.known() {
            Some("--") => {
                words = rest;
                break;
            }
            Some("-p") => words = rest,
            Some("-v" | "-V" | "-pv" | "-pV") => {
                walker.out.operation(Operation::nothing(call.name, call.origin));
                return Flow::same(call.folders);
            }
            Some(text) if text.starts_with('-') => {
                walker.out.doubt(Reason::UnknownOption, first.origin);
                return Flow::same(call.folders);
            }
            Some(_) | None => break,
        }
    }
    if words.is_empty() {
        walker.out.operation(Operation::nothing(call.name, call.origin));
        return Flow::same(call.folders);
    }
    walker.run_words(words, call, Lookup::NoFunction)
}

/// `builtin`.
pub(crate) fn builtin(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let words = match call.args.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        Some(_) | None => call.args,
    };
    if words.is_empty() {
        walker.out.operation(Operation::nothing(call.name, call.origin));
        return Flow::same(call.folders);
    }
    walker.run_words(words, call, Lookup::BuiltinOnly)
}
