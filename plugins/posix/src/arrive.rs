//! Where files arrive: under the destination's name, or below it under their own if it is a folder.
//!
//! It must never report only one of the two while the command does not tell which.

use crate::report::{Report, Spread};
use crate::table::ACT_CREATE;
use crate::words::{Arg, in_folder, last_name};

/// Whether a destination is a folder that takes what arrives under its own name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Folder {
    Yes,
    Maybe,
    No,
}

/// What the text says about a destination that takes `count` sources.
pub(crate) fn folder(destination: Arg<'_>, count: usize) -> Folder {
    let last = destination.text.rsplit('/').next().unwrap_or_default();
    let shown = destination.known().is_some() && matches!(last, "" | "." | "..");
    if shown || count > 1 { Folder::Yes } else { Folder::Maybe }
}

/// Reports a file that is made below `destination` under the whole path of `source`.
pub(crate) fn below(report: &mut Report, destination: Arg<'_>, source: Arg<'_>) {
    // What stands before such a part is no part of the path.
    let at = source.text.find("/./").map_or(0, |at| at.saturating_add(3));
    let path = source.tail(at);
    let path = path.tail(path.text.len().saturating_sub(path.text.trim_start_matches('/').len()));
    if path.text.is_empty() {
        return;
    }
    let (text, kind) = in_folder(destination, path);
    report.act(&ACT_CREATE, Arg { text: &text, kind, span: destination.span }, Spread::Single);
}

/// Reports what is made when `sources` arrive at `destination`. A source without a last name brings its content.
pub(crate) fn arrive(report: &mut Report, sources: &[Arg<'_>], destination: Arg<'_>, folder: Folder, spread: Spread) {
    if folder == Folder::No {
        return report.act(&ACT_CREATE, destination, spread);
    }
    let names: Vec<Option<Arg<'_>>> = sources.iter().map(|source| last_name(*source)).collect();
    let all_named = names.iter().all(Option::is_some);
    if !all_named || destination.is_uncertain() {
        return report.act(&ACT_CREATE, destination, Spread::Tree);
    }
    if folder == Folder::Maybe {
        report.act(&ACT_CREATE, destination, spread);
        // What lies below the destination is taken in already.
        if spread == Spread::Tree {
            return;
        }
    }
    for name in names.into_iter().flatten() {
        let (text, kind) = in_folder(destination, name);
        report.act(&ACT_CREATE, Arg { text: &text, kind, span: destination.span }, spread);
    }
}
