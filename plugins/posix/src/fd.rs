//! fd: options and search paths, then possibly a command that runs for what was found.

use holdpoint_guest::{Finding, Reason, Word, WordKind, WorkingDir};

use crate::Call;
use crate::copy;
use crate::generic;
use crate::report::Spread;
use crate::table::{ACT_DELETE, ACT_LIST_TREE, Opt, Role, Tag};
use crate::walk::Item;
use crate::words::{Arg, escape_glob};

/// Placeholders for parts of a found path.
const PLACEHOLDERS: &[&str] = &["{}", "{.}", "{/}", "{//}", "{/.}"];

/// Reads the command up to `-x` by the table, and the rest as a command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    // Behind `--` a word that looks like the option is a name. If an option took that `--` as its value, the table finds
    // the option behind it and doubts.
    let mut options = call.args.iter().take_while(|arg| arg.known() != Some("--"));
    let at = options.position(|arg| {
        matches!(arg.known(), Some("-x" | "-X" | "--exec" | "--exec-batch"))
            || arg.known().is_some_and(|text| text.starts_with("--exec=") || text.starts_with("--exec-batch="))
    });
    let (before, command) = call.args.split_at(at.unwrap_or(call.args.len()));
    let walked = generic::start(&mut report, call, before);
    let mut paths: Vec<Arg<'_>> = walked.operands().into_iter().skip(1).collect();
    for item in &walked.items {
        if let Item::Option { option: Opt { name, role, .. }, value, at } = *item {
            match (role, value) {
                // A cluster such as `-Hx` hides where the command starts.
                (Role::Tag(Tag::Command), _) => report.doubt(Reason::UnsupportedSyntax, at.span),
                (_, Some(value)) if matches!(*name, "--search-path" | "-C" | "--base-directory") => paths.push(value),
                _ => {}
            }
        }
    }
    if paths.is_empty() {
        paths.push(Arg { text: ".", kind: WordKind::Exact, span: call.own_span });
    }
    for path in &paths {
        report.act(&ACT_LIST_TREE, *path, Spread::Tree);
    }
    if let Some((option, words)) = command.split_first() {
        let attached = option.text.find('=').map(|at| option.tail(at.saturating_add(1)));
        let words: Vec<Arg<'_>> = attached.into_iter().chain(words.iter().copied()).collect();
        let rebased = walked.has_any(&["-C", "--base-directory"]);
        run(&mut report, *option, &words, &paths, if rebased { WorkingDir::Unknown } else { WorkingDir::Same });
    }
    report.finish()
}

fn run(report: &mut crate::report::Report, option: Arg<'_>, words: &[Arg<'_>], paths: &[Arg<'_>], cwd: WorkingDir) {
    let mut argv = Vec::new();
    let mut placed = false;
    for arg in words {
        if arg.known() == Some(";") {
            return report.doubt(Reason::UnsupportedSyntax, arg.span);
        }
        if arg.kind != WordKind::Exact {
            report.doubt(Reason::DynamicWord, arg.span);
        }
        if arg.text == "{}" {
            placed = true;
            argv.extend(paths.iter().map(|path| found(*path, *arg)));
        } else if PLACEHOLDERS.iter().any(|placeholder| arg.text.contains(placeholder)) {
            placed = true;
            argv.push(Word::dynamic(arg.text, arg.span));
        } else {
            argv.push(Word { kind: arg.kind, text: arg.text.to_owned(), origin: arg.span });
        }
    }
    // One after the other the files take the same name, and only the last is left.
    let batch = option.text.starts_with("-X") || option.text.starts_with("--exec-batch");
    let names_each = words.last().is_some_and(|last| PLACEHOLDERS.iter().any(|part| last.text.contains(part)));
    if placed && !batch && !names_each && copy::moves_onto_one_name(words) {
        paths.iter().for_each(|path| report.act(&ACT_DELETE, *path, Spread::Tree));
    }
    if argv.is_empty() {
        return report.doubt(Reason::MalformedArgument, option.span);
    }
    if !placed {
        argv.extend(paths.iter().map(|path| found(*path, option)));
    }
    report.invoke(argv, cwd, option.span);
}

fn found(path: Arg<'_>, at: Arg<'_>) -> Word {
    let folder = match path.kind {
        WordKind::Exact => escape_glob(path.text),
        WordKind::Glob => path.text.to_owned(),
        WordKind::Dynamic => return Word::dynamic("{}", at.span),
    };
    Word { kind: WordKind::Glob, text: format!("{}/**", folder.trim_end_matches('/')), origin: at.span }
}
