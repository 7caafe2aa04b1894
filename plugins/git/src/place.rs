//! Where a command works, and what its words name there. It must never take a pattern of git's own for a name.

use holdpoint_guest::{Scope, Segment, TargetKind, WordKind, WorkingDir};

use crate::words::Arg;

/// Signs that git takes for a pattern in a path.
const PATHSPEC_SIGNS: &[char] = &['*', '?', '[', '\\'];
/// Signs that no name of a branch holds, or that make it another revision.
const NO_NAME_SIGNS: &[char] = &[':', '+', '*', '?', '[', '^', '~', '\\', ' ', '@'];

/// The folder a command works in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Folder {
    /// Where the command itself runs.
    Same,
    /// A path, relative to where the command runs unless absolute.
    At(String),
    Unknown,
}

impl Folder {
    /// The folder after `-C arg`.
    pub(crate) fn moved(&self, arg: Arg<'_>) -> Folder {
        match (self, arg.known()) {
            (folder, Some("")) => folder.clone(),
            (Folder::Unknown, Some(path)) if !path.starts_with('/') => Folder::Unknown,
            (folder, Some(path)) => Folder::At(folder.path(path)),
            (_, None) => Folder::Unknown,
        }
    }

    /// `path` as seen from where the command runs.
    pub(crate) fn path(&self, path: &str) -> String {
        match self {
            Folder::At(folder) if !path.starts_with('/') => match path {
                "." | "" => folder.clone(),
                path => format!("{}/{path}", folder.trim_end_matches('/')),
            },
            Folder::Same | Folder::At(_) | Folder::Unknown => path.to_owned(),
        }
    }

    /// The folder itself.
    pub(crate) fn segment(&self) -> Segment {
        match self {
            Folder::Same | Folder::At(_) => Segment::file(self.path(".")),
            Folder::Unknown => Segment::unknown(TargetKind::File),
        }
    }

    /// Where a program runs that the command starts.
    pub(crate) fn working_dir(&self) -> WorkingDir {
        match self {
            Folder::Same => WorkingDir::Same,
            Folder::At(path) => WorkingDir::Path(path.clone()),
            Folder::Unknown => WorkingDir::Unknown,
        }
    }

    /// What a path of a command names, and how much that is. Paths may be patterns, and may be meant from the top.
    pub(crate) fn pathspec(&self, arg: Arg<'_>) -> (Segment, Scope) {
        if *self == Folder::Unknown && !arg.text.starts_with('/') {
            return (Segment::unknown(TargetKind::File), Scope::Unknown);
        }
        match arg.kind {
            WordKind::Dynamic => {
                (Segment { kind: TargetKind::File, name: arg.text.to_owned(), certainty: arg.kind }, Scope::Unknown)
            }
            WordKind::Glob => {
                let name = self.path(arg.text);
                (Segment { kind: TargetKind::File, name, certainty: WordKind::Glob }, Scope::Selection)
            }
            WordKind::Exact if arg.text.starts_with(':') => (self.segment(), Scope::AllInParent),
            WordKind::Exact => match arg.text.find(PATHSPEC_SIGNS) {
                None => (Segment::file(self.path(arg.text)), Scope::One),
                // What such a pattern matches lies below the last folder in front of its first sign.
                Some(at) => {
                    let fixed = arg.text.get(..at).unwrap_or_default();
                    let folder =
                        fixed.rsplit_once('/').map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder });
                    (Segment::file(self.path(folder)), Scope::AllInParent)
                }
            },
        }
    }
}

/// A branch or tag by its name; what stands for another one, or for several, is not known.
pub(crate) fn git_ref(arg: Arg<'_>) -> Segment {
    let is_name =
        |text: &&str| !text.is_empty() && !text.contains(NO_NAME_SIGNS) && !text.starts_with('-') && *text != "HEAD";
    match arg.known().filter(is_name) {
        Some(name) => Segment::exact(TargetKind::GitRef, name),
        None => Segment::unknown(TargetKind::GitRef),
    }
}

/// The path in a word that may be a revision: behind a colon, or because it looks like no revision.
pub(crate) fn path_in(arg: Arg<'_>) -> Option<Arg<'_>> {
    if arg.kind == WordKind::Dynamic {
        return None;
    }
    if let Some((revision, path)) = arg.text.split_once(':') {
        let at = revision.len().saturating_add(1);
        return (!revision.is_empty() && !path.is_empty()).then(|| arg.tail(at));
    }
    let is_range =
        arg.text.contains("..") && arg.text != ".." && !arg.text.starts_with("../") && !arg.text.contains("/../");
    let looks_so = arg.kind == WordKind::Glob || arg.text.starts_with(['/', '~']) || arg.text.contains('.');
    (looks_so && !is_range && !arg.text.contains(['^', '@'])).then_some(arg)
}
