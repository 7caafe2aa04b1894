//! unzip, 7z and ar: an archive, what to do with it, and a folder that files go to.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::input::{self, Given};
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE_TREE, ACT_READ, ACT_WRITE, Opt, Role, Tag};
use crate::walk::Item;
use crate::words::Arg;

/// Starts of 7z switches that choose names, formats and output; the rest is not understood.
const SEVEN_ZIP_SWITCHES: &[&str] =
    &["-ai", "-an", "-ao", "-ax", "-b", "-i", "-m", "-o", "-p", "-r", "-slt", "-so", "-ss", "-t", "-v", "-x", "-y"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    match call.program.name {
        "ar" => ar(&mut report, call),
        name if name.starts_with("7z") => seven_zip(&mut report, call),
        _ => unzip(&mut report, call),
    }
    report.finish()
}

fn here<'a>(call: &Call<'_>) -> Arg<'a> {
    Arg { text: ".", kind: WordKind::Exact, span: call.own_span }
}

/// unzip makes files unless it lists or prints.
fn unzip(report: &mut Report, call: &Call<'_>) {
    let walked = generic::start(report, call, &call.args);
    generic::operands(report, call, &walked);
    let mut folder = here(call);
    let mut extracts = !walked.operands().is_empty();
    for item in &walked.items {
        if let Item::Option { option: Opt { role: Role::Tag(tag), .. }, value, .. } = *item {
            match (tag, value) {
                (Tag::Directory, Some(value)) => folder = value,
                (Tag::ShowArchive | Tag::Stdout, _) => extracts = false,
                _ => {}
            }
        }
    }
    // `-:` allows names with `..`, so the files may go anywhere.
    if walked.has_any(&["-:", "-^"]) {
        folder = Arg { kind: WordKind::Dynamic, ..folder };
    }
    if extracts {
        report.act(&ACT_CREATE_TREE, folder, Spread::Tree);
        // It asks before it replaces a file, and an answer can be a new name, which may lie anywhere.
        if !walked.has_any(&["-n", "-o"]) && input::given(call) == Given::Fed {
            report.doubt(Reason::UnsupportedSyntax, call.own_span);
        }
    }
}

/// `ar KEY [POSITION] ARCHIVE FILE ..`: the key is one word of letters, with or without a dash.
fn ar(report: &mut Report, call: &Call<'_>) {
    let Some((key, rest)) = call.args.split_first() else {
        return report.doubt(Reason::MalformedArgument, call.own_span);
    };
    // Such a word names a file of further words.
    for arg in call.args.iter().filter(|arg| arg.text.starts_with('@')) {
        report.doubt(Reason::UnsupportedSyntax, arg.span);
    }
    let Some(letters) = key.known().map(|text| text.trim_start_matches('-')) else {
        return report.doubt(Reason::DynamicWord, key.span);
    };
    if matches!(letters, "V" | "version" | "help") {
        return;
    }
    if letters.is_empty() || !letters.chars().all(|letter| "abcDdfilmNoOpPqrSstTuUvVx".contains(letter)) {
        return report.doubt(Reason::UnknownOption, key.span);
    }
    // A position or a count stands before the archive.
    let skipped = usize::from(letters.contains(['a', 'b', 'i'])).saturating_add(usize::from(letters.contains('N')));
    let mut operands = rest.iter().skip(skipped);
    let Some(archive) = operands.next() else {
        return report.doubt(Reason::MalformedArgument, key.span);
    };
    let looks = letters.contains(['t', 'p']);
    let extracts = letters.contains('x');
    report.act(if looks || extracts { &ACT_READ } else { &ACT_WRITE }, *archive, Spread::Single);
    if extracts {
        report.act(&ACT_CREATE_TREE, here(call), Spread::Tree);
    }
    for member in operands.filter(|_| letters.contains(['r', 'q'])) {
        report.act(&ACT_READ, *member, Spread::Single);
    }
    if rest.iter().any(|arg| arg.may_be_option() || arg.text.starts_with('-')) {
        report.doubt(Reason::DynamicWord, key.span);
    }
}

/// `-i!name` and `-ai!name` name files and archives; `-i@list`, `-x@list` and the like name a list of names.
fn switch_names(report: &mut Report, switch: Arg<'_>) {
    if !["-ai", "-ax", "-i", "-x"].iter().any(|start| switch.text.starts_with(start)) {
        return;
    }
    match switch.text.find(['!', '@']) {
        Some(at) if switch.text.get(at..).is_some_and(|rest| rest.starts_with('!')) => {
            if switch.text.starts_with("-i") || switch.text.starts_with("-ai") {
                let name = switch.tail(at.saturating_add(1));
                let open = name.text.contains(['*', '?']);
                let kind = if open { name.kind.max(WordKind::Glob) } else { name.kind };
                report.act(&ACT_READ, Arg { kind, ..name }, Spread::Tree);
            }
        }
        Some(_) | None => report.doubt(Reason::UnsupportedSyntax, switch.span),
    }
}

/// `7z COMMAND [SWITCH ..] ARCHIVE FILE ..`.
fn seven_zip(report: &mut Report, call: &Call<'_>) {
    let mut words = Vec::new();
    let mut folder = here(call);
    for arg in &call.args {
        if arg.may_be_option() {
            report.doubt(Reason::DynamicWord, arg.span);
        } else if arg.text.starts_with('@') {
            report.doubt(Reason::UnsupportedSyntax, arg.span);
        } else if !arg.text.starts_with('-') {
            words.push(*arg);
        } else if !SEVEN_ZIP_SWITCHES.iter().any(|start| arg.text.starts_with(start)) {
            report.doubt(Reason::UnknownOption, arg.span);
        } else if arg.text.starts_with("-o") {
            folder = arg.tail(2);
        } else {
            switch_names(report, *arg);
        }
    }
    let [command, rest @ ..] = words.as_slice() else {
        return;
    };
    let Some((archive, files)) = rest.split_first() else {
        return match command.known() {
            Some("b" | "i" | "h") => {}
            Some(_) | None => report.doubt(Reason::MalformedArgument, command.span),
        };
    };
    match command.known() {
        Some("l" | "t" | "h") => report.act(&ACT_READ, *archive, Spread::Single),
        Some("e" | "x") => {
            report.act(&ACT_READ, *archive, Spread::Single);
            report.act(&ACT_CREATE_TREE, folder, Spread::Tree);
        }
        Some("a" | "u") => {
            report.act(&ACT_WRITE, *archive, Spread::Single);
            files.iter().for_each(|file| report.act(&ACT_READ, *file, Spread::Tree));
            // Without names it packs whatever lies here.
            if files.is_empty() {
                report.act(&ACT_READ, here(call), Spread::Tree);
            }
        }
        Some("d" | "rn") => report.act(&ACT_WRITE, *archive, Spread::Single),
        Some("b" | "i") => {}
        Some(_) | None => report.doubt(Reason::UnknownOption, command.span),
    }
}
