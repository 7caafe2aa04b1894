//! unzip: makes files below a folder, unless it only lists.

use holdpoint_guest::{Finding, WordKind};

use crate::Call;
use crate::generic;
use crate::report::Spread;
use crate::table::{ACT_CREATE_TREE, Opt, Role, Tag};
use crate::walk::Item;
use crate::words::Arg;

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    generic::operands(&mut report, call, &walked);
    let mut folder = Arg { text: ".", kind: WordKind::Exact, span: call.own_span };
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
    }
    report.finish()
}
