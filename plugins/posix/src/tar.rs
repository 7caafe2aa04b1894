//! tar: an archive and a mode; several options run programs.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{
    ACT_APPEND, ACT_CREATE_TREE, ACT_DELETE, ACT_FETCH, ACT_READ, ACT_SEND, ACT_WRITE, Act, Role, Tag, Takes,
};
use crate::walk::{Item, Walked};
use crate::words::Arg;

/// Checkpoint actions that only print, beep or wait.
const CHECKPOINT_PRINTS: &[&str] = &["bell", "dot", "echo", "sleep", "totals", "wait"];

/// What the options say.
#[derive(Default)]
struct Said<'a> {
    archives: Vec<Arg<'a>>,
    folder: Option<Arg<'a>>,
    creates: bool,
    updates: bool,
    extracts: bool,
    lists: bool,
    to_output: bool,
    removes: bool,
    names_file: bool,
}

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let args = new_style(call);
    let walked = generic::start(&mut report, call, &args);
    let said = read_options(&mut report, &walked);
    let operands = walked.operands();
    if !(said.creates || said.updates || said.extracts || said.lists) {
        if !walked.has_any(&["--help", "--version", "--usage", "--show-defaults", "-?"]) {
            report.doubt(Reason::MalformedArgument, call.own_span);
        }
        return report.finish();
    }
    archives(&mut report, &walked, &said);
    if said.creates || said.updates {
        members(&mut report, &said, &operands);
    }
    if said.extracts && !said.to_output {
        extraction(&mut report, call, &walked, &said);
    }
    // Lines of a file of names that start with a dash are options, which can run a program.
    if said.names_file && !walked.has_any(&["--verbatim-files-from", "--null"]) {
        report.unseen_code(call.own_span);
    }
    report.finish()
}

fn read_options<'a>(report: &mut Report, walked: &Walked<'a>) -> Said<'a> {
    let mut said = Said::default();
    for item in &walked.items {
        let Item::Option { option, value, at } = *item else {
            continue;
        };
        let Role::Tag(tag) = option.role else { continue };
        match (tag, value) {
            (Tag::Archive, Some(value)) => said.archives.push(value),
            (Tag::Directory, Some(value)) => said.folder = Some(join(report, said.folder, value)),
            (Tag::MakeArchive, _) if matches!(option.name, "-c" | "--create") => said.creates = true,
            (Tag::MakeArchive, _) => said.updates = true,
            (Tag::Extract, _) => said.extracts = true,
            (Tag::ShowArchive, _) => said.lists = true,
            (Tag::Stdout, _) => said.to_output = true,
            (Tag::RemoveSource, _) => said.removes = true,
            (Tag::Script, _) => report.unseen_code(at.span),
            (Tag::FilesFrom, Some(value)) => {
                said.names_file = true;
                report.act(&ACT_READ, value, Spread::Single);
            }
            (Tag::Command, Some(value)) => checkpoint(report, value),
            _ => report.doubt(Reason::UnknownOption, at.span),
        }
    }
    said
}

/// `tar xzf a.tgz -C d` is `tar -x -z -f a.tgz -C d`: letters of the first word take the words after it in turn.
fn new_style<'a>(call: &Call<'a>) -> Vec<Arg<'a>> {
    let Some((first, rest)) = call.args.split_first() else {
        return Vec::new();
    };
    let Some(letters) = first.known().filter(|text| !text.starts_with('-')) else {
        return call.args.clone();
    };
    let mut args = Vec::new();
    let mut rest = rest.iter().copied();
    for letter in letters.chars() {
        let mut name = String::from("-");
        name.push(letter);
        match call.program.option(&name) {
            Some(option) => {
                args.push(first.renamed(option.name));
                if option.takes == Takes::Required {
                    args.extend(rest.next());
                }
            }
            // The walk turns the whole word into a doubt.
            None => args.push(first.renamed("--unknown-letter")),
        }
    }
    args.extend(rest);
    args
}

fn checkpoint(report: &mut Report, value: Arg<'_>) {
    let Some(text) = value.known() else {
        return report.doubt(Reason::DynamicWord, value.span);
    };
    let (name, argument) = text.split_once('=').unwrap_or((text, ""));
    match name {
        "exec" => report.source(argument, value.span),
        "ttyout" => {}
        _ if CHECKPOINT_PRINTS.contains(&name) => {}
        _ => report.doubt(Reason::MalformedArgument, value.span),
    }
}

fn archives(report: &mut Report, walked: &Walked<'_>, said: &Said<'_>) {
    for archive in &said.archives {
        let before = archive.text.split(':').next().unwrap_or("");
        let remote = archive.text.contains(':') && !before.contains('/') && !walked.has_any(&["--force-local"]);
        if remote && archive.kind != WordKind::Dynamic {
            let host = before.rsplit('@').next().unwrap_or(before);
            let act = if said.creates || said.updates { &ACT_SEND } else { &ACT_FETCH };
            report.act(act, Arg { text: host, ..*archive }, Spread::Single);
            continue;
        }
        let acts: [(bool, &Act); 3] =
            [(said.creates, &ACT_WRITE), (said.updates, &ACT_APPEND), (said.extracts || said.lists, &ACT_READ)];
        for (_, act) in acts.iter().filter(|(applies, _)| *applies) {
            report.act(act, *archive, Spread::Single);
        }
    }
}

/// The files put into an archive, relative to the folder of `-C`.
fn members(report: &mut Report, said: &Said<'_>, operands: &[Arg<'_>]) {
    for operand in operands {
        let text = match said.folder {
            Some(folder) if !operand.text.starts_with('/') => {
                format!("{}/{}", folder.text.trim_end_matches('/'), operand.text)
            }
            Some(_) | None => operand.text.to_owned(),
        };
        let kind = said.folder.map_or(operand.kind, |folder| worse(folder.kind, operand.kind));
        let arg = Arg { text: &text, kind, span: operand.span };
        report.act(&ACT_READ, arg, Spread::Tree);
        if said.removes {
            report.act(&ACT_DELETE, arg, Spread::Tree);
        }
    }
}

fn extraction(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>, said: &Said<'_>) {
    let here = Arg { text: ".", kind: WordKind::Exact, span: call.own_span };
    let mut folder = said.folder.unwrap_or(here);
    // Absolute names, and names that are rewritten, may lie anywhere.
    if walked.has_any(&["-P", "--absolute-names", "--transform", "--xform"]) {
        folder = Arg { kind: WordKind::Dynamic, ..folder };
    }
    // The folder of `--one-top-level` lies below, unless its name leads elsewhere.
    let leads_away = |item: &Item<'_>| match item {
        Item::Option { option, value: Some(value), .. } if option.name == "--one-top-level" => {
            value.kind != WordKind::Exact || value.text.starts_with('/') || value.text.contains("..")
        }
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => false,
    };
    if walked.items.iter().any(leads_away) {
        folder = Arg { kind: WordKind::Dynamic, ..folder };
    }
    report.act(&ACT_CREATE_TREE, folder, Spread::Tree);
    if walked.has_any(&["--recursive-unlink"]) {
        report.act(&ACT_DELETE, folder, Spread::Tree);
    }
}

/// `-C a -C b` is `a/b`; only a single or an absolute folder is followed.
fn join<'a>(report: &mut Report, before: Option<Arg<'a>>, folder: Arg<'a>) -> Arg<'a> {
    if before.is_some() && !(folder.kind == WordKind::Exact && folder.text.starts_with('/')) {
        report.doubt(Reason::UnsupportedSyntax, folder.span);
    }
    folder
}

/// The less certain of two kinds. A pattern and a text joined are a pattern, as long as the text has none.
fn worse(one: WordKind, other: WordKind) -> WordKind {
    match (one, other) {
        (WordKind::Dynamic, _) | (_, WordKind::Dynamic) => WordKind::Dynamic,
        (WordKind::Glob, WordKind::Glob) => WordKind::Glob,
        (WordKind::Exact, WordKind::Exact) => WordKind::Exact,
        // An exact part would need escapes, so the joined name is left open.
        (WordKind::Glob, WordKind::Exact) | (WordKind::Exact, WordKind::Glob) => WordKind::Dynamic,
    }
}
