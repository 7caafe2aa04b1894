//! cpio: names come from standard input or from the archive, and an archive may lie on another machine.
//!
//! It must never trust the names in an archive: unless told otherwise, cpio follows absolute ones.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_APPEND, ACT_CREATE_TREE, ACT_FETCH, ACT_READ, ACT_SEND, Opt, Role, Tag};
use crate::walk::{Item, Walked};
use crate::words::Arg;

/// What the archive is for.
enum Use {
    Made,
    Read,
}

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let lists = has_tag(&walked, Tag::ShowArchive);
    let extracts = has_tag(&walked, Tag::Extract) && !lists;
    let makes = has_tag(&walked, Tag::MakeArchive);
    for item in &walked.items {
        let Item::Option { option: Opt { role: Role::Tag(tag), .. }, value, at } = *item else {
            continue;
        };
        if *tag == Tag::Archive
            && let Some(value) = value
        {
            archive(&mut report, &walked, value, if makes { Use::Made } else { Use::Read });
        }
        // It renames as a person or a file says, or reaches another machine through a program.
        if *tag == Tag::Script {
            report.unseen_code(at.span);
        }
    }
    if extracts && !has_tag(&walked, Tag::Stdout) {
        extraction(&mut report, call, &walked);
    }
    if has_tag(&walked, Tag::PassThrough) {
        for folder in walked.operands() {
            report.act(&ACT_CREATE_TREE, folder, Spread::Tree);
        }
    }
    // The names of what is read stand in the input.
    if makes || has_tag(&walked, Tag::PassThrough) {
        let names = Arg { text: "-", kind: WordKind::Dynamic, span: call.own_span };
        // A link is another name for the file, through which it can be written.
        let links = !makes && walked.has_any(&["-l", "--link"]);
        report.act(if links { &ACT_APPEND } else { &ACT_READ }, names, Spread::Tree);
    }
    report.finish()
}

fn archive(report: &mut Report, walked: &Walked<'_>, value: Arg<'_>, used: Use) {
    let (far, here) = match used {
        Use::Made => (&ACT_SEND, &ACT_APPEND),
        Use::Read => (&ACT_FETCH, &ACT_READ),
    };
    let host = value.text.split_once(':').map(|(host, _)| host).filter(|host| !host.contains('/'));
    match host {
        Some(host) if value.kind != WordKind::Dynamic && !walked.has_any(&["--force-local"]) => {
            let host = Arg { text: host.rsplit('@').next().unwrap_or(host), ..value };
            report.act(far, host, Spread::Single);
            report.doubt(Reason::UnsupportedSyntax, value.span);
        }
        Some(_) | None => report.act(here, value, Spread::Single),
    }
}

fn extraction(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>) {
    let stays = walked.has_any(&["--no-absolute-filenames"]) && !walked.has_any(&["--absolute-filenames"]);
    let mut folder = Arg { text: ".", kind: WordKind::Exact, span: call.own_span };
    for item in &walked.items {
        if let Item::Option { option, value: Some(value), .. } = *item
            && matches!(option.role, Role::Tag(Tag::Directory))
        {
            folder = value;
        }
    }
    let kind = if stays { folder.kind } else { WordKind::Dynamic };
    report.act(&ACT_CREATE_TREE, Arg { kind, ..folder }, Spread::Tree);
}

fn has_tag(walked: &Walked<'_>, tag: Tag) -> bool {
    walked
        .items
        .iter()
        .any(|item| matches!(item, Item::Option { option, .. } if matches!(option.role, Role::Tag(own) if own == tag)))
}
