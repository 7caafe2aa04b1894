//! The files of the repository and what a guard has to say about them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A text file of the repository.
pub(crate) struct Source {
    /// Relative to the root, with slashes.
    pub(crate) path: String,
    /// Its content.
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    /// Whether the path leads through one of these folders, or is one of these files.
    pub(crate) fn is_under(&self, places: &[&str]) -> bool {
        places
            .iter()
            .any(|place| self.path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

/// Every text file that git tracks or would track.
pub(crate) fn text_files() -> Vec<Source> {
    let list = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("these guards need git to know which files belong to the repository");
    assert!(list.status.success(), "git ls-files: {}", String::from_utf8_lossy(&list.stderr));
    let mut paths: Vec<String> =
        list.stdout.split(|byte| *byte == 0).map(|path| String::from_utf8_lossy(path).into_owned()).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| !path.is_empty());
    // A file that is deleted but still in the index cannot be read, and a binary one is no text.
    let read = |path: &String| fs::read_to_string(root().join(path)).ok().filter(|text| !text.contains('\0'));
    paths.iter().filter_map(|path| read(path).map(|text| Source::new(path, &text))).collect()
}

/// Every Rust file that is part of the product or of its tests.
pub(crate) fn rust_files() -> Vec<Source> {
    let folders = ["host", "guest-sdk", "plugins", "signing", "tests"];
    let files: Vec<Source> =
        text_files().into_iter().filter(|file| file.path.ends_with(".rs") && file.is_under(&folders)).collect();
    assert!(files.len() > 50, "only {} Rust files were found: the guards look at the wrong place", files.len());
    files
}

/// What a guard objects to.
#[derive(Default)]
pub(crate) struct Objections {
    lines: Vec<String>,
}

impl Objections {
    /// Objects to a line of a file, counted from 1.
    pub(crate) fn at(&mut self, path: &str, line: usize, what: &str) {
        self.lines.push(format!("{path}:{line}: {what}"));
    }

    /// Objects to something that has no line.
    pub(crate) fn to(&mut self, subject: &str, what: &str) {
        self.lines.push(format!("{subject}: {what}"));
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// Fails with all objections and what to do about them.
    pub(crate) fn none_or(self, help: &str) {
        let Objections { lines } = self;
        assert!(lines.is_empty(), "\n\n{}\n\nhelp: {help}\n", lines.join("\n"));
    }
}
