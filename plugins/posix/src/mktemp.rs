//! mktemp: a new empty file or folder under a name that nobody has. In the folder for temporary files it takes nothing
//! from anybody.

use holdpoint_guest::{Effect, Finding, Operation, Reason, Verb, WordKind};

use crate::Call;
use crate::generic;
use crate::report::Spread;
use crate::table::{ACT_CREATE, Role, Tag};
use crate::walk::Item;
use crate::words::{Arg, in_folder};

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
    if kind == WordKind::Exact && is_temporary(&text) {
        report.operation(Operation::new(Verb::Create, "mktemp", Effect::None, call.own_span));
    } else {
        report.act(&ACT_CREATE, Arg { text: &text, kind, span: template.unwrap_or(folder).span }, Spread::Single);
    }
    report.finish()
}

/// Whether a path lies directly in the folder for temporary files.
fn is_temporary(path: &str) -> bool {
    let name = path.strip_prefix(TEMPORARY).and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|name| !name.is_empty() && name != ".." && !name.contains('/'))
}
