//! zip: an archive whose name may get an ending, and files that are read or, with `-m`, moved into it.
//!
//! It must never take the words of a command for all files that `-m` deletes: the archive may name them.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE, ACT_DELETE, ACT_READ};
use crate::walk::{Item, Walked};
use crate::words::{Arg, GLOB_SIGNS, escape_glob, last_name};

/// Options that name another archive to write.
const OUT: &[&str] = &["-O", "--out", "--output-file"];
/// Options that name a log.
const LOG: &[&str] = &["-lf", "--logfile-path"];
/// Options that make it delete what it has packed.
const MOVES: &[&str] = &["-m", "--move"];
/// Options that split the archive into parts.
const SPLITS: &[&str] = &["-s", "--split-size"];
/// Options with which the names of the files come from standard input.
const NAMES_FROM_INPUT: &[&str] = &["-@", "--names-stdin"];
/// Options with which the files come from elsewhere than the operands: standard input, or a search below this folder.
const NAMES_ELSEWHERE: &[&str] = &["-@", "--names-stdin", "-R", "--recurse-patterns"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::everything(&mut report, call);
    let operands = walked.operands();
    let out = walked.items.iter().filter_map(|item| match *item {
        Item::Option { option, value, .. } if OUT.contains(&option.name) => value,
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => None,
    });
    for name in operands.first().copied().into_iter().chain(out) {
        archive(&mut report, &walked, name);
    }
    for item in &walked.items {
        if let Item::Option { option, value: Some(value), at } = *item {
            // In `-O=a` the sign is no part of the name.
            if value.span.part == at.span.part && value.text.starts_with('=') {
                report.doubt(Reason::MalformedArgument, value.span);
            }
            if LOG.contains(&option.name) {
                ending(&mut report, value, ".log");
            }
        }
    }
    let here = Arg { text: ".", kind: WordKind::Exact, span: call.own_span };
    if walked.has_any(NAMES_FROM_INPUT) {
        report.act(&ACT_READ, here.hidden(), Spread::Tree);
    } else if walked.has_any(NAMES_ELSEWHERE) {
        report.act(&ACT_READ, here, Spread::Tree);
    }
    let files = operands.get(1..).unwrap_or_default();
    if walked.has_any(MOVES) && (files.is_empty() || walked.has_any(NAMES_ELSEWHERE) || files.iter().any(is_pattern)) {
        let names = Arg { text: "-", kind: WordKind::Dynamic, span: call.own_span };
        report.act(&ACT_DELETE, names, Spread::Tree);
    }
    report.finish()
}

/// Reports a file whose last name gets an ending if it has no dot; that of a pattern need not stand in the name.
fn ending(report: &mut Report, name: Arg<'_>, ending: &str) {
    let bare = last_name(name).is_some_and(|last| name.kind == WordKind::Glob || !last.text.contains('.'));
    if bare && name.text != "-" {
        let text = format!("{}{ending}", name.text.trim_end_matches('/'));
        report.act(&ACT_CREATE, Arg { text: &text, ..name }, Spread::Single);
    }
}

/// An archive, and its parts, which end in a number.
fn archive(report: &mut Report, walked: &Walked<'_>, name: Arg<'_>) {
    ending(report, name, ".zip");
    if !walked.has_any(SPLITS) || name.text == "-" {
        return;
    }
    let stem = name.text.rsplit_once('.').map_or(name.text, |(stem, _)| stem);
    let pattern = match name.kind {
        WordKind::Exact => format!("{}.z*", escape_glob(stem)),
        // The dot of a pattern need not be the one of the ending.
        WordKind::Glob => format!("{}*", name.text.split(GLOB_SIGNS).next().unwrap_or_default()),
        WordKind::Dynamic => return,
    };
    report.act(&ACT_CREATE, Arg { text: &pattern, kind: WordKind::Glob, span: name.span }, Spread::Single);
}

/// zip looks in the archive for names that match a word with such signs, and then packs the files of those names.
fn is_pattern(arg: &Arg<'_>) -> bool {
    arg.kind == WordKind::Exact && arg.text.contains(['*', '?', '['])
}
