//! Files that a program makes beside the one it was given: packed, unpacked, rejected, kept as a backup.
//!
//! It must never name fewer files than the program may make: where the ending is not sure, the name ends in a star.

use holdpoint_guest::WordKind;

use crate::report::{Report, Spread};
use crate::table::{ACT_APPEND, ACT_CREATE, ACT_CREATE_TREE};
use crate::words::{Arg, GLOB_SIGNS, escape_glob, parent, whole_folder};

/// Endings that unpackers take off a name or replace, in lower case; case does not matter to them. They stand after one
/// of [`SEPARATORS`].
const PACKED: &[&str] = &[
    "bz", "bz2", "gz", "lz", "lz4", "lzma", "lzo", "taz", "tbz", "tbz2", "tgz", "tlz", "txz", "tz2", "tzst", "xz", "z",
    "zip", "zst", "zz",
];
/// What stands before such an ending: gzip knows `a.gz`, `a-gz`, `a_z`.
const SEPARATORS: &[char] = &['.', '-', '_'];

/// Reports that `arg` is replaced by a file beside it, whose name is the same but for its ending.
pub(crate) fn stem(report: &mut Report, arg: Arg<'_>, spread: Spread) {
    report.act(&ACT_APPEND, arg, spread);
    let text = arg.text.trim_end_matches('/');
    let pattern = match arg.kind {
        WordKind::Exact if arg.text == "-" || names_nothing(text) => return,
        WordKind::Exact => format!("{}*", escape_glob(unpacked(text).unwrap_or(text))),
        // The whole folder is reported already.
        WordKind::Glob if whole_folder(arg.text).is_some() => return,
        WordKind::Glob => pattern_stem(text),
        WordKind::Dynamic => return,
    };
    made(report, &pattern, arg);
}

/// Reports that `arg` is replaced by a file in its folder, under any name.
pub(crate) fn neighbours(report: &mut Report, arg: Arg<'_>, spread: Spread) {
    report.act(&ACT_APPEND, arg, spread);
    if arg.text != "-" && !arg.text.is_empty() && arg.kind != WordKind::Dynamic {
        report.act(&ACT_CREATE_TREE, parent(arg), Spread::Tree);
    }
}

/// Reports files whose names are that of `arg` with something after it.
pub(crate) fn longer(report: &mut Report, arg: Arg<'_>) {
    let text = arg.text.trim_end_matches('/');
    match arg.kind {
        WordKind::Exact if names_nothing(text) => {}
        WordKind::Exact => made(report, &format!("{}*", escape_glob(text)), arg),
        WordKind::Glob => made(report, &format!("{text}*"), arg),
        // A name that is not known is reported already, as any name.
        WordKind::Dynamic => {}
    }
}

fn made(report: &mut Report, pattern: &str, arg: Arg<'_>) {
    report.act(&ACT_CREATE, Arg { text: pattern, kind: WordKind::Glob, span: arg.span }, Spread::Single);
}

/// Whether a path ends in a name that a file beside it cannot share.
pub(crate) fn names_nothing(text: &str) -> bool {
    matches!(text.rsplit('/').next().unwrap_or_default(), "" | "." | "..")
}

/// The name without the ending of a packed file.
fn unpacked(text: &str) -> Option<&str> {
    let (rest, ending) = text.rsplit_once(SEPARATORS)?;
    PACKED.contains(&ending.to_ascii_lowercase().as_str()).then_some(rest)
}

/// A pattern for everything that files matching `pattern` may be packed or unpacked to.
fn pattern_stem(pattern: &str) -> String {
    let (folder, name) = pattern.rfind('/').map_or(("", pattern), |at| pattern.split_at(at.saturating_add(1)));
    let (before, ending) = name.rsplit_once(SEPARATORS).unwrap_or((name, ""));
    let sure = !ending.is_empty() && !ending.contains(GLOB_SIGNS) && !before.ends_with('\\');
    let stem = match unpacked(name) {
        Some(rest) if sure => rest,
        None if sure => name,
        // The ending may be hidden in the pattern, so only what stands before its first sign is certain.
        Some(_) | None => {
            let shown = name.split(GLOB_SIGNS).next().unwrap_or_default();
            shown.rsplit_once(SEPARATORS).map_or(shown, |(rest, _)| rest)
        }
    };
    format!("{folder}{stem}*")
}
