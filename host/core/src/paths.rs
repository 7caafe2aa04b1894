//! Paths as text: resolved against a folder, compared by whole names, never by prefix of characters. Nothing here looks
//! at a file system, so a symbolic link cannot be seen; whoever opens the file must resolve again.

use crate::glob::{self, Reach, has_wildcard, matches_everything, unescape};
use crate::operation::Certainty;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// Most names of one path.
const NAMES_MAX: usize = 256;

/// An absolute path without `.`, `..` or empty names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AbsPath {
    names: Vec<String>,
}

impl AbsPath {
    /// Reads an absolute path.
    pub fn parse(text: &str) -> Option<AbsPath> {
        let root = AbsPath { names: Vec::new() };
        if text.starts_with('/') { root.join(text) } else { None }
    }

    /// This folder's `relative`, or `relative` itself if it is absolute. `None` for a NUL or too many names.
    pub fn join(&self, relative: &str) -> Option<AbsPath> {
        if relative.contains('\0') {
            return None;
        }
        let mut names = if relative.starts_with('/') { Vec::new() } else { self.names.clone() };
        for name in relative.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    names.pop();
                }
                plain => names.push(plain.to_owned()),
            }
        }
        (names.len() <= NAMES_MAX).then_some(AbsPath { names })
    }

    /// The names, root first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names as a pattern that matches only them.
    pub fn pattern(&self) -> Vec<String> {
        self.names.iter().map(|name| glob::escape(name)).collect()
    }

    /// Whether this is `folder` or lies in it.
    pub fn is_within(&self, folder: &AbsPath) -> bool {
        self.names.starts_with(&folder.names)
    }

    /// The same for a folder that is written as a path. It makes nothing, so that lists of folders cost no allocation.
    pub fn is_under(&self, folder: &str) -> bool {
        let mut own = self.names.iter();
        folder.split('/').filter(|name| !name.is_empty()).all(|name| own.next().is_some_and(|own| own == name))
    }

    /// The folder that it lies in; `None` for the root.
    pub fn parent(&self) -> Option<AbsPath> {
        let (_, above) = self.names.split_last()?;
        Some(AbsPath { names: above.to_vec() })
    }

    /// The text, with a leading slash.
    pub fn text(&self) -> String {
        alloc::format!("/{}", self.names.join("/"))
    }
}

/// Where an operation's file is, as far as the text tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// This path.
    Exact(AbsPath),
    /// What matches `rest`, name by name, in `folder`. `**` as a name is any number of names.
    Pattern {
        /// The folder in front of the first name with a wildcard.
        folder: AbsPath,
        /// The names from there on, with wildcards.
        rest: Vec<String>,
    },
    /// Any path at all.
    Anywhere,
}

impl Place {
    /// Resolves a name as a vocabulary gave it, in the folder the action runs in.
    pub fn resolve(name: &str, certainty: Certainty, cwd: Option<&AbsPath>) -> Place {
        let base = match (cwd, name.starts_with('/')) {
            (_, true) => AbsPath { names: Vec::new() },
            (Some(cwd), false) => cwd.clone(),
            (None, false) => return Place::Anywhere,
        };
        match certainty {
            Certainty::Dynamic => Place::Anywhere,
            Certainty::Exact => follow(&base, name.split('/')).map_or(Place::Anywhere, Place::Exact),
            Certainty::Glob => resolve_pattern(name, &base),
        }
    }

    /// Whether the place, or with `Reach::Below` anything below it, may be `path`.
    pub fn may_be(&self, path: &AbsPath, reach: Reach) -> bool {
        match (self, reach) {
            (Place::Anywhere, _) => false,
            (Place::Exact(own), Reach::Itself) => own == path,
            (Place::Exact(own), Reach::Below) => path.is_within(own),
            (Place::Pattern { .. }, _) => self.meets(&path.pattern(), reach),
        }
    }

    /// Whether the place, or with `Reach::Below` anything below it, may match a pattern of names. A place that may be
    /// anywhere meets nothing in particular.
    pub fn meets(&self, pattern: &[String], reach: Reach) -> bool {
        self.pattern().is_some_and(|own| glob::paths_meet(&own, pattern, reach))
    }

    /// The names of the place as a pattern; `None` if it may be anywhere.
    pub fn pattern(&self) -> Option<Vec<String>> {
        match self {
            Place::Anywhere => None,
            Place::Exact(own) => Some(own.pattern()),
            Place::Pattern { folder, rest } => Some(folder.pattern().into_iter().chain(rest.iter().cloned()).collect()),
        }
    }

    /// Whether the place is certainly `folder` or in it.
    pub fn is_within(&self, folder: &AbsPath) -> bool {
        match self {
            Place::Anywhere => false,
            Place::Exact(own) => own.is_within(folder),
            Place::Pattern { folder: own, .. } => own.is_within(folder),
        }
    }

    /// The same for a folder that is written as a path.
    pub fn is_under(&self, folder: &str) -> bool {
        match self {
            Place::Anywhere => false,
            Place::Exact(own) | Place::Pattern { folder: own, .. } => own.is_under(folder),
        }
    }

    /// Whether the place may lie in `folder`.
    pub fn may_be_within(&self, folder: &AbsPath) -> bool {
        if let Place::Exact(own) = self {
            return own.is_within(folder);
        }
        let mut inside = folder.pattern();
        inside.push("**".to_owned());
        self.meets(&inside, Reach::Itself)
    }

    /// The deepest folder that the place certainly lies in or is, and whether the place is that folder as a whole: a
    /// pattern whose last name matches everything stands for the folder it is in.
    pub fn whole_folder(&self) -> Option<&AbsPath> {
        match self {
            Place::Anywhere => None,
            Place::Exact(own) => Some(own),
            Place::Pattern { folder, rest } => rest.iter().all(|name| matches_everything(name)).then_some(folder),
        }
    }

    /// The text for a person.
    pub fn text(&self) -> String {
        match self {
            Place::Anywhere => "(any path)".to_owned(),
            Place::Exact(own) => own.text(),
            Place::Pattern { folder, rest } if folder.names.is_empty() => {
                alloc::format!("/{}", rest.join("/"))
            }
            Place::Pattern { folder, rest } => alloc::format!("{}/{}", folder.text(), rest.join("/")),
        }
    }
}

/// A path of another operating system, such as `C:\Windows`, that names a drive or a folder directly on one.
pub fn is_windows_system_folder(name: &str) -> bool {
    let mut characters = name.chars();
    let drive = characters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    if !drive || characters.next() != Some(':') {
        return false;
    }
    let names = characters.as_str().split(['\\', '/']).filter(|name| !matches!(*name, "" | "." | "*" | "*.*"));
    names.count() <= 1
}

/// Follows names from a folder. `None` where the way leads over a link of the kernel whose end cannot be told: the working
/// folder or an open file of a process. The root of a process is taken for the root.
fn follow<'a>(base: &'a AbsPath, names: impl Iterator<Item = &'a str>) -> Option<AbsPath> {
    let mut path = AbsPath { names: Vec::new() };
    for name in base.names.iter().map(String::as_str).chain(names) {
        let leaves_link = name == ".." && path.names.len() == 2 && is_open_files(&path);
        if (leads_on(&path) || leaves_link) && !matches!(name, "" | ".") {
            return None;
        }
        path = path.join(if name.is_empty() { "." } else { name })?;
        match path.names.as_slice() {
            [proc, _, link] if proc == "proc" && link == "root" => path = AbsPath { names: Vec::new() },
            [proc, _, link] if proc == "proc" && PROCESS_LINKS.contains(&link.as_str()) => return None,
            _ => {}
        }
    }
    Some(path)
}

/// Links of a process under `/proc` that lead to somewhere else.
const PROCESS_LINKS: &[&str] = &["cwd", "fd", "exe", "task", "map_files"];

/// Whether the path is a link of `/dev` into the open files of the process: what comes after it is somewhere else.
fn leads_on(path: &AbsPath) -> bool {
    match path.names.as_slice() {
        [dev, link] if dev == "dev" => matches!(link.as_str(), "stdin" | "stdout" | "stderr"),
        [_, _, _] => is_open_files(path),
        _ => false,
    }
}

/// Whether the path is `/dev/fd` or in it.
fn is_open_files(path: &AbsPath) -> bool {
    matches!(path.names.as_slice(), [dev, fd, ..] if dev == "dev" && fd == "fd")
}

fn resolve_pattern(name: &str, base: &AbsPath) -> Place {
    let mut names = name.split('/').peekable();
    let mut plain = Vec::new();
    while let Some(name) = names.next_if(|name| !has_wildcard(name)) {
        plain.push(unescape(name));
    }
    let Some(folder) = follow(base, plain.iter().map(String::as_str)) else { return Place::Anywhere };
    let rest: Vec<String> = names.filter(|name| !matches!(*name, "" | ".")).map(ToOwned::to_owned).collect();
    if rest.iter().any(|name| name == "..") || rest.len() > NAMES_MAX {
        return Place::Anywhere;
    }
    if rest.is_empty() {
        return Place::Exact(folder);
    }
    let place = Place::Pattern { folder, rest };
    if may_lead_on(&place) { Place::Anywhere } else { place }
}

/// Whether what a pattern matches may lie behind a link of the kernel.
fn may_lead_on(place: &Place) -> bool {
    let Some(names) = place.pattern() else { return true };
    let meets = |index: usize, wanted: &str| names.get(index).is_some_and(|name| glob::names_meet(name, wanted));
    let link = |index| PROCESS_LINKS.iter().chain(&["root"]).any(|link| meets(index, link));
    let of_process = meets(0, "proc") && link(2);
    let of_device = meets(0, "dev") && meets(1, "fd") && names.len() > 3;
    of_process || of_device
}

#[cfg(test)]
#[path = "paths_tests.rs"]
mod tests;
