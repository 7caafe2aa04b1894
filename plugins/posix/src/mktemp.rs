//! mktemp: a new empty file or folder under a name that nobody has. In the folder for temporary files it takes nothing
//! from anybody.

use holdpoint_guest::{Effect, Finding, Operation, Reason, Verb, WordKind};

use crate::Call;
use crate::generic;
use crate::report::Spread;
use crate::table::{ACT_CREATE, Role, Tag};
use crate::walk::Item;
use crate::words::{Arg, escape_glob, in_folder};

/// The folder for temporary files. A variable that moves it is a doubt for every program.
const TEMPORARY: &str = "/tmp";
/// The name a new file gets without a template.
const TEMPLATE: &str = "tmp.XXXXXXXXXX";

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let operands = walked.operands();
    if let Some(more) = operands.get(1) {
        report.doubt(Reason::MalformedArgument, more.span);
    }
    let dry = walked
        .items
        .iter()
        .any(|item| matches!(item, Item::Option { option, .. } if matches!(option.role, Role::Tag(Tag::DryRun))));
    if dry || walked.has_any(&["--help", "--version"]) {
        return report.finish();
    }
    let at = Arg { text: TEMPLATE, kind: WordKind::Exact, span: call.own_span };
    let template = operands.first().copied();
    // `-p` without a value, `-t`, and no template at all stand for the folder for temporary files.
    let mut folder = (template.is_none() || walked.has_any(&["-t"])).then(|| at.renamed(TEMPORARY));
    for item in &walked.items {
        if let Item::Option { option, value, .. } = *item
            && matches!(option.role, Role::Tag(Tag::Directory))
        {
            folder = Some(value.unwrap_or(at.renamed(TEMPORARY)));
        }
    }
    let folder = folder.unwrap_or(at.renamed("."));
    let (text, kind) = in_folder(folder, template.unwrap_or(at));
    let suffix = walked.items.iter().rev().find_map(|item| match *item {
        Item::Option { option, value, .. } if option.name == "--suffix" => value,
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => None,
    });
    if kind == WordKind::Exact && is_temporary(&text) {
        report.operation(Operation::new(Verb::Create, "mktemp", Effect::None, call.own_span));
    } else {
        let (text, kind) = filled(&text, kind, suffix);
        report.act(&ACT_CREATE, Arg { text: &text, kind, span: template.unwrap_or(folder).span }, Spread::Single);
    }
    report.finish()
}

/// The name that a template becomes: chance puts a letter in the place of each of its last `X`s.
fn filled(template: &str, kind: WordKind, suffix: Option<Arg<'_>>) -> (String, WordKind) {
    if kind != WordKind::Exact {
        // A pattern may hide the letters that are replaced, so that only its folder is known.
        return (template.to_owned(), WordKind::Dynamic);
    }
    let name_at = template.rfind('/').map_or(0, |at| at.saturating_add(1));
    let end = template.rfind('X').map_or(template.len(), |at| at.saturating_add(1)).max(name_at);
    let (before, after) = template.split_at(end);
    let (folder, name) = before.split_at(name_at);
    let start = name.trim_end_matches('X');
    let letters = "?".repeat(name.len().saturating_sub(start.len()));
    let ending = suffix.map_or("", |suffix| suffix.text);
    let text = [escape_glob(folder), escape_glob(start), letters, escape_glob(after), escape_glob(ending)].concat();
    (text, WordKind::Glob)
}

/// Whether a path lies directly in the folder for temporary files.
fn is_temporary(path: &str) -> bool {
    let name = path.strip_prefix(TEMPORARY).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|name| !name.is_empty() && name != ".." && !name.contains('/'))
}
