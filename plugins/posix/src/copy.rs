//! cp, mv, ln, install: sources and a destination, or sources and `-t folder`.
//!
//! A link is another name for what it leads to: whoever may write through the one may write the other, so a link is
//! reported as a change of its target.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::arrive::{Folder, arrive, below, folder};
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE, ACT_DELETE, ACT_DESTROY, ACT_UPDATE, Opt, Program, Role, Slot, Tag};
use crate::walk::{Item, Walked, walk};
use crate::words::{Arg, in_folder, parent};

/// Options that keep what the destination held; an ending for its name asks for that as well.
const BACKUP: &[&str] = &["-b", "--backup", "-S", "--suffix"];

/// Devices that hold nothing, or only noise.
const VOID: &[&str] = &["full", "null", "random", "urandom", "zero"];

/// What becomes of the sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    Copied,
    Moved,
    /// Moved onto a device, which keeps nothing that could be moved back.
    Lost,
    HardLinked,
    /// The link holds the text, which is read relative to the link's folder.
    Symlinked,
    /// The link leads to what the text names from here.
    SymlinkedFromHere,
}

/// Where the sources go.
struct Plan<'a> {
    sources: Vec<Arg<'a>>,
    destination: Arg<'a>,
    folder: Folder,
}

/// Reads the command. The table's first operand role is that of the sources.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let has_mode =
        walked.items.iter().any(|item| matches!(item, Item::Option { option: Opt { role: Role::Mode(_), .. }, .. }));
    if has_mode {
        generic::operands(&mut report, call, &walked);
    } else if let Some(plan) = plan(&mut report, call, &walked) {
        carry_out(&mut report, call, &walked, &plan);
    }
    report.finish()
}

fn plan<'a>(report: &mut Report, call: &Call<'_>, walked: &Walked<'a>) -> Option<Plan<'a>> {
    let mut sources = walked.operands();
    let target = walked.items.iter().rev().find_map(|item| match *item {
        Item::Option { option, value, .. } if is_tag(option, Tag::TargetDir) => value,
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => None,
    });
    if let Some(destination) = target {
        return Some(Plan { sources, destination, folder: Folder::Yes });
    }
    let Some(last) = sources.pop() else {
        if !walked.has_any(&["--help", "--version"]) {
            report.doubt(Reason::MalformedArgument, call.own_span);
        }
        return None;
    };
    if sources.is_empty() {
        // `ln target` makes a link of the same name here; the others need a destination.
        return match call.program.name {
            "ln" => Some(Plan { sources: vec![last], destination: last.renamed("."), folder: Folder::Yes }),
            _ if last.is_uncertain() => Some(Plan { sources, destination: last, folder: Folder::Maybe }),
            _ => {
                report.doubt(Reason::MalformedArgument, call.own_span);
                None
            }
        };
    }
    let place = if has_tag(walked, Tag::NoTargetDir) { Folder::No } else { folder(last, sources.len()) };
    Some(Plan { sources, destination: last, folder: place })
}

fn carry_out(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>, plan: &Plan<'_>) {
    let manner = manner(call, walked, plan);
    // Whatever is moved may be a folder, and goes with everything in it.
    let moves = matches!(manner, Manner::Moved | Manner::Lost);
    let spread = if moves || walked.is_recursive() { Spread::Tree } else { Spread::Single };
    let source_role = call.program.spec.operands.first().map_or(Role::Text, |slot: &Slot| slot.role);
    for source in &plan.sources {
        match manner {
            Manner::Copied | Manner::Moved => report.role(source_role, *source, spread),
            Manner::Lost => report.act(&ACT_DELETE, *source, Spread::Tree),
            Manner::HardLinked => report.act(&ACT_UPDATE, *source, spread),
            Manner::SymlinkedFromHere => report.act(&ACT_UPDATE, *source, Spread::Tree),
            Manner::Symlinked => leads_to(report, *source, plan),
        }
    }
    // An uncertain last word may hold further sources.
    if plan.destination.is_uncertain() && plan.folder == Folder::Maybe {
        report.role(source_role, plan.destination, spread);
    }
    // With their folders the names are not the last ones.
    if walked.has_any(&["--parents"]) && call.program.name == "cp" {
        for source in &plan.sources {
            below(report, plan.destination, *source);
        }
        return report.act(&ACT_CREATE, plan.destination, Spread::Tree);
    }
    if manner == Manner::Copied && plan.folder != Folder::Yes && plan.sources.iter().any(|source| is_void(*source)) {
        report.act(&ACT_DESTROY, plan.destination, Spread::Single);
    }
    let before = report.len();
    arrive(report, &plan.sources, plan.destination, plan.folder, spread);
    if walked.has_any(BACKUP) {
        report.backups(before);
    }
}

/// Whether a command that runs for each of many files, `{}` among its words, moves them to a name that is not shown to
/// be a folder.
pub(crate) fn moves_onto_one_name(command: &[Arg<'_>]) -> bool {
    let Some((first, args)) = command.split_first() else {
        return false;
    };
    let name = first.known().map(|path| path.rsplit('/').next().unwrap_or(path));
    let Some(program) = name.filter(|name| *name == "mv").and_then(Program::named) else {
        return false;
    };
    let walked = walk(program, args);
    let operands = walked.operands();
    let into_folder = walked.items.iter().any(|item| match item {
        Item::Option { option, .. } => is_tag(option, Tag::TargetDir),
        Item::Plus(_) | Item::Operand(_) => false,
    });
    let keeps = walked.has_any(BACKUP) || walked.has_any(&["-n", "--no-clobber"]);
    operands
        .last()
        .is_some_and(|last| !into_folder && !keeps && !last.text.contains("{}") && folder(*last, 1) != Folder::Yes)
}

/// Whether a file has no content of its own, so that a copy only takes away what was there.
pub(crate) fn is_void(source: Arg<'_>) -> bool {
    let name = source.text.rsplit('/').next().unwrap_or_default();
    source.kind == WordKind::Exact
        && source.text.starts_with('/')
        && VOID.contains(&name)
        && source.text.contains("/dev/")
}

fn manner(call: &Call<'_>, walked: &Walked<'_>, plan: &Plan<'_>) -> Manner {
    let onto_device = plan.destination.known().is_some_and(|path| path.starts_with("/dev/"));
    match call.program.name {
        "mv" if onto_device => Manner::Lost,
        "mv" => Manner::Moved,
        _ if has_tag(walked, Tag::Symlink) && has_tag(walked, Tag::FromHere) => Manner::SymlinkedFromHere,
        _ if has_tag(walked, Tag::Symlink) => Manner::Symlinked,
        "ln" => Manner::HardLinked,
        _ if has_tag(walked, Tag::HardLink) => Manner::HardLinked,
        _ => Manner::Copied,
    }
}

/// Reports what a symbolic link gives another name to. The link lies in the destination or beside it.
fn leads_to(report: &mut Report, target: Arg<'_>, plan: &Plan<'_>) {
    let mut folders = Vec::new();
    if plan.folder != Folder::Yes {
        folders.push(parent(plan.destination));
    }
    if plan.folder != Folder::No {
        folders.push(plan.destination);
    }
    if target.text.starts_with('/') {
        folders.truncate(1);
    }
    for folder in folders {
        let (text, kind) = in_folder(folder, target);
        report.act(&ACT_UPDATE, Arg { text: &text, kind, span: target.span }, Spread::Tree);
    }
}

fn has_tag(walked: &Walked<'_>, tag: Tag) -> bool {
    walked.items.iter().any(|item| matches!(item, Item::Option { option, .. } if is_tag(option, tag)))
}

fn is_tag(option: &Opt, tag: Tag) -> bool {
    matches!(option.role, Role::Tag(own) if own == tag)
}
