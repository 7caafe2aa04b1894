//! Paths as text: resolved against a folder, compared by whole names, never by prefix of characters. Nothing here looks
//! at a file system, so a symbolic link cannot be seen; whoever opens the file must resolve again.

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

    /// Whether this is `folder` or lies in it.
    pub fn is_within(&self, folder: &AbsPath) -> bool {
        self.names.starts_with(&folder.names)
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
            Certainty::Exact => base.join(name).map_or(Place::Anywhere, Place::Exact),
            Certainty::Glob => resolve_pattern(name, &base),
        }
    }

    /// Whether the place, or with `Reach::Below` anything below it, may be `path`.
    pub fn may_be(&self, path: &AbsPath, reach: Reach) -> bool {
        match self {
            Place::Anywhere => false,
            Place::Exact(own) => match reach {
                Reach::Itself => own == path,
                Reach::Below => path.is_within(own),
            },
            Place::Pattern { folder, rest } => {
                path.is_within(folder) && {
                    let names = path.names.get(folder.names.len()..).unwrap_or(&[]);
                    names_match(rest, names, reach)
                }
            }
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

    /// Whether the place may lie in `folder`.
    pub fn may_be_within(&self, folder: &AbsPath) -> bool {
        match self {
            Place::Anywhere => false,
            Place::Exact(own) => own.is_within(folder),
            Place::Pattern { folder: own, rest } => {
                own.is_within(folder)
                    || (folder.is_within(own) && {
                        let names = folder.names.get(own.names.len()..).unwrap_or(&[]);
                        starts_match(rest, names)
                    })
            }
        }
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

/// Whether an operation stops at its target or takes everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The target only.
    Itself,
    /// The target and everything in it.
    Below,
}

fn resolve_pattern(name: &str, base: &AbsPath) -> Place {
    let mut folder = base.clone();
    let mut names = name.split('/').peekable();
    while let Some(plain) = names.next_if(|name| !has_wildcard(name)) {
        match folder.join(&unescape(plain)) {
            Some(deeper) if !plain.is_empty() => folder = deeper,
            Some(_) => {}
            None => return Place::Anywhere,
        }
    }
    let rest: Vec<String> = names.filter(|name| !matches!(*name, "" | ".")).map(ToOwned::to_owned).collect();
    if rest.iter().any(|name| name == "..") || rest.len() > NAMES_MAX {
        return Place::Anywhere;
    }
    if rest.is_empty() { Place::Exact(folder) } else { Place::Pattern { folder, rest } }
}

fn has_wildcard(name: &str) -> bool {
    let mut escaped = false;
    name.chars().any(|character| {
        let wild = !escaped && matches!(character, '*' | '?' | '[');
        escaped = !escaped && character == '\\';
        wild
    })
}

fn unescape(name: &str) -> String {
    let mut characters = name.chars();
    let mut plain = String::with_capacity(name.len());
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next().unwrap_or('\\') } else { character });
    }
    plain
}

fn matches_everything(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| matches!(character, '*' | '.')) && name.contains('*')
}

/// Whether the pattern may match a path of these names, or with `Reach::Below` a folder above it.
fn names_match(rest: &[String], names: &[String], reach: Reach) -> bool {
    match (rest.split_first(), names.split_first()) {
        (None, None) => true,
        (None, Some(_)) => reach == Reach::Below,
        (Some((pattern, deeper)), _) if pattern == "**" => {
            names_match(deeper, names, reach)
                || names.split_first().is_some_and(|(_, below)| names_match(rest, below, reach))
        }
        (Some(_), None) => false,
        (Some((pattern, deeper)), Some((name, below))) => {
            name_matches(pattern, name) && names_match(deeper, below, reach)
        }
    }
}

/// Whether the pattern may match something that lies in a folder of these names.
fn starts_match(rest: &[String], names: &[String]) -> bool {
    match (rest.split_first(), names.split_first()) {
        (None, Some(_)) => false,
        (_, None) => true,
        (Some((pattern, _)), _) if pattern == "**" => true,
        (Some((pattern, deeper)), Some((name, below))) => name_matches(pattern, name) && starts_match(deeper, below),
    }
}

/// Matches one name as a shell does. A set `[...]` counts as any character: reading it exactly could only let less
/// through where letting through is the safe direction.
pub fn name_matches(pattern: &str, name: &str) -> bool {
    let hidden = name.starts_with('.');
    if hidden && matches!(pattern.chars().next(), Some('*' | '?' | '[')) && pattern != "**" {
        return false;
    }
    let pattern: Vec<Piece> = pieces(pattern);
    let name: Vec<char> = name.chars().collect();
    // One row of the usual table: whether the pattern so far matches the first n characters.
    let mut row: Vec<bool> = core::iter::once(true).chain(name.iter().map(|_| false)).collect();
    for piece in pattern {
        let mut next = alloc::vec![false; row.len()];
        match piece {
            Piece::Any => {
                let mut seen = false;
                for (place, reached) in next.iter_mut().zip(&row) {
                    seen |= *reached;
                    *place = seen;
                }
            }
            Piece::One | Piece::Literal(_) => {
                let steps = row.iter().zip(&name).zip(next.iter_mut().skip(1));
                for ((reached, character), place) in steps {
                    *place = *reached && (piece == Piece::One || piece == Piece::Literal(*character));
                }
            }
        }
        row = next;
    }
    row.last().copied().unwrap_or(false)
}

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Any,
    One,
    Literal(char),
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        out.push(match character {
            '*' => Piece::Any,
            '?' => Piece::One,
            '[' => match characters.as_str().char_indices().skip(1).find(|(_, next)| *next == ']') {
                Some((end, _)) => {
                    characters = characters.as_str().get(end..).unwrap_or("").chars();
                    characters.next();
                    Piece::One
                }
                None => Piece::Literal('['),
            },
            '\\' => Piece::Literal(characters.next().unwrap_or('\\')),
            plain => Piece::Literal(plain),
        });
    }
    out
}

#[cfg(test)]
#[path = "paths_tests.rs"]
mod tests;
