//! What the shell itself remembers between two commands of a text: working folder, exported variables, functions,
//! aliases. A subshell works on a copy.

use holdpoint_guest::{Binding, WordKind, WorkingDir};

use crate::limits::FOLDERS_MAX;
use crate::word::Positional;

/// A folder in which the next command may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folder {
    /// Where the text itself runs.
    Same,
    /// Absolute, or relative to where the text itself runs.
    Path(String),
    Unknown,
}

impl Folder {
    /// The folder reached from here by `cd target`.
    pub(crate) fn enter(&self, target: &str) -> Folder {
        match self {
            _ if target.starts_with('/') => Folder::Path(tidy(target)),
            Folder::Same => match tidy(target) {
                path if path == "." => Folder::Same,
                path => Folder::Path(path),
            },
            Folder::Path(path) => Folder::Path(tidy(&format!("{path}/{target}"))),
            Folder::Unknown => Folder::Unknown,
        }
    }

    /// What the contract calls this folder.
    pub(crate) fn working_dir(&self) -> WorkingDir {
        match self {
            Folder::Same => WorkingDir::Same,
            Folder::Path(path) => WorkingDir::Path(path.clone()),
            Folder::Unknown => WorkingDir::Unknown,
        }
    }
}

/// Removes `.`, doubled slashes and, as the shell does by default, a folder followed by `..`.
fn tidy(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => drop(kept.pop()),
            ".." if path.starts_with('/') => {}
            _ => kept.push(part),
        }
    }
    match (path.starts_with('/'), kept.is_empty()) {
        (true, _) => format!("/{}", kept.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => kept.join("/"),
    }
}

/// The folders in which the next command may run. Empty where the next command is never reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folders(Vec<Folder>);

impl Folders {
    /// Exactly this folder.
    pub(crate) fn only(folder: Folder) -> Folders {
        Folders(vec![folder])
    }

    /// Not reached.
    pub(crate) fn none() -> Folders {
        Folders(Vec::new())
    }

    /// Either of both.
    pub(crate) fn or(&self, other: &Folders) -> Folders {
        let mut all = self.0.clone();
        all.extend(other.0.iter().filter(|folder| !self.0.contains(folder)).cloned());
        if all.len() > FOLDERS_MAX { Folders::only(Folder::Unknown) } else { Folders(all) }
    }

    /// What becomes of each.
    pub(crate) fn map(&self, change: impl Fn(&Folder) -> Folder) -> Folders {
        self.0.iter().map(change).fold(Folders::none(), |all, folder| all.or(&Folders::only(folder)))
    }

    /// The alternatives; a command that is never reached is judged as if it ran somewhere.
    pub(crate) fn reached(&self) -> Vec<Folder> {
        if self.0.is_empty() { vec![Folder::Unknown] } else { self.0.clone() }
    }
}

/// Whether a definition is certain to be in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Certain,
    Possible,
}

/// Whether the shell ends at the first failure (`set -e`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFailure {
    Continue,
    Exit,
}

/// Whether plain assignments reach programs (`set -a`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    Declared,
    All,
}

/// A variable that has one known value wherever it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Whether the value is a pattern.
    pub(crate) kind: WordKind,
    pub(crate) from: From,
}

/// Where a variable got its one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// It is one of the words of a loop, which may be names of files with any character in them.
    Loop,
    /// An assignment. A pattern stands for a value that the shell neither splits nor matches.
    Assignment,
}

/// What the shell remembers.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) env: Vec<Binding>,
    pub(crate) functions: Vec<(String, Certainty)>,
    pub(crate) aliases: Vec<String>,
    pub(crate) constants: Vec<Constant>,
    /// Variables that were given a value.
    pub(crate) rebound: Vec<String>,
    pub(crate) on_failure: OnFailure,
    pub(crate) export: Export,
    pub(crate) positional: Positional,
    /// What `set` certainly made them, if its words are known.
    pub(crate) arguments: Option<Vec<String>>,
}

impl State {
    /// The state at the start of a text.
    pub(crate) fn new(positional: Positional) -> State {
        State {
            env: Vec::new(),
            functions: Vec::new(),
            aliases: Vec::new(),
            constants: Vec::new(),
            rebound: Vec::new(),
            on_failure: OnFailure::Continue,
            export: Export::Declared,
            positional,
            arguments: None,
        }
    }

    /// Remembers an exported variable.
    pub(crate) fn set_env(&mut self, binding: Binding) {
        self.unset_env(&binding.name);
        self.env.push(binding);
    }

    /// Forgets an exported variable.
    pub(crate) fn unset_env(&mut self, name: &str) {
        self.env.retain(|known| known.name != name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_joined_as_cd_joins_them() {
        let start = Folder::Same;
        assert_eq!(start.enter("a/../b/./c"), Folder::Path("b/c".into()));
        assert_eq!(start.enter("."), Folder::Same);
        assert_eq!(start.enter("../../x"), Folder::Path("../../x".into()));
        assert_eq!(start.enter("/a").enter("../b"), Folder::Path("/b".into()));
        assert_eq!(start.enter("/../.."), Folder::Path("/".into()));
        assert_eq!(Folder::Unknown.enter("a"), Folder::Unknown);
        assert_eq!(Folder::Unknown.enter("/a"), Folder::Path("/a".into()));
    }

    #[test]
    fn too_many_alternatives_are_unknown() {
        let mut folders = Folders::only(Folder::Same);
        for name in ["a", "b", "c"] {
            folders = folders.or(&Folders::only(Folder::Path(name.into())));
        }
        assert_eq!(folders, Folders::only(Folder::Unknown));
    }
}
