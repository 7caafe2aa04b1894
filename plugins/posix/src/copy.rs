//! cp, mv, ln, install: sources and a destination, or sources and `-t folder`.

use holdpoint_guest::{Finding, Reason};

use crate::Call;
use crate::chmod;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE, ACT_DELETE, Opt, Role, Slot, Tag};
use crate::walk::{Item, Walked};
use crate::words::Arg;

/// Reads the command. The table's first operand role is that of the sources.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let has_mode =
        walked.items.iter().any(|item| matches!(item, Item::Option { option: Opt { role: Role::Mode(_), .. }, .. }));
    if has_mode {
        generic::operands(&mut report, call, &walked);
    } else {
        copy(&mut report, call, &walked);
    }
    let sets_user = walked.items.iter().any(|item| match item {
        Item::Option { option, value: Some(value), .. } => is_tag(option, Tag::ModeBits) && chmod::sets_user(*value),
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => false,
    });
    if sets_user { chmod::privileged(report.finish()) } else { report.finish() }
}

fn copy(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>) {
    let spread = if walked.is_recursive() { Spread::Tree } else { Spread::Single };
    let mut sources = walked.operands();
    let folder = walked.items.iter().rev().find_map(|item| match *item {
        Item::Option { option, value, .. } if is_tag(option, Tag::TargetDir) => value,
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => None,
    });
    let asked_for_help = walked.has_any(&["--help", "--version"]);
    let destination = match (folder, sources.len()) {
        (Some(folder), _) => folder,
        (None, 0) if asked_for_help => return,
        (None, 0) => return report.doubt(Reason::MalformedArgument, call.own_span),
        // `ln target` makes a link of the same name here; the others need a destination.
        (None, 1) => match sources.first() {
            Some(only) if call.program.name == "ln" || only.is_uncertain() => here(*only),
            _ => return report.doubt(Reason::MalformedArgument, call.own_span),
        },
        (None, _) => match sources.pop() {
            Some(last) => last,
            None => return,
        },
    };
    let symbolic =
        walked.items.iter().any(|item| matches!(item, Item::Option { option, .. } if is_tag(option, Tag::Symlink)));
    let source_role = call.program.spec.operands.first().map_or(Role::Text, |slot: &Slot| slot.role);
    // What is moved onto a device is gone: the device keeps nothing that could be moved back.
    let lost = call.program.name == "mv" && destination.known().is_some_and(|path| path.starts_with("/dev/"));
    for source in &sources {
        if lost {
            report.act(&ACT_DELETE, *source, Spread::Tree);
            continue;
        }
        // The target of a symbolic link is text, relative to the link.
        if !symbolic || source.text.starts_with('/') {
            report.role(source_role, *source, spread);
        }
    }
    // An uncertain last word may hold further sources.
    if destination.is_uncertain() && folder.is_none() {
        report.role(source_role, destination, spread);
    }
    let many = sources.len() > 1 || sources.iter().any(|source| source.is_uncertain());
    report.act(&ACT_CREATE, destination, if many { Spread::Tree } else { spread });
}

fn is_tag(option: &Opt, tag: Tag) -> bool {
    matches!(option.role, Role::Tag(own) if own == tag)
}

/// The name that a link to `target` gets in the working folder.
fn here(target: Arg<'_>) -> Arg<'_> {
    match target.known() {
        Some(text) => target.renamed(text.trim_end_matches('/').rsplit('/').next().unwrap_or(text)),
        None => target,
    }
}
