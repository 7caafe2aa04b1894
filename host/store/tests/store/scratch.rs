//! What the tests share: a state folder to be thrown away, and lines to put into it.

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_store::{Filter, StateFolder, Stream, read};
use std::path::PathBuf;
use tempfile::TempDir;

pub(crate) const DAY_MS: u64 = 86_400_000;
/// 2027-01-15, 08:00 UTC.
pub(crate) const START_MS: u64 = 1_800_000_000_000;
pub(crate) const FIRST_FILE: &str = "2027-01-15.jsonl";

pub(crate) struct Scratch {
    pub(crate) state: StateFolder,
    pub(crate) outside: TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let outside = tempfile::tempdir().unwrap();
        let state = StateFolder::create(&outside.path().join("state")).unwrap();
        Scratch { state, outside }
    }

    pub(crate) fn file(&self, stream: Stream, name: &str) -> PathBuf {
        self.state.path().join("audit").join(stream.folder_name()).join(name)
    }

    /// The notes of all decisions.
    pub(crate) fn notes(&self) -> Vec<String> {
        let entries = read(&self.state, Stream::Decisions, &Filter::last(1_000)).unwrap();
        let note = |entry: &holdpoint_store::Entry| entry.value["note"].as_str().unwrap().to_owned();
        entries.iter().map(note).collect()
    }

    /// The names in the folder of the decisions.
    pub(crate) fn names(&self) -> Vec<String> {
        let folder = std::fs::read_dir(self.file(Stream::Decisions, "")).unwrap();
        let mut names: Vec<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }
}

pub(crate) fn line(note: &str) -> Line {
    Line::new(Json::object([("kind", Json::text("decision")), ("note", Json::text(note))])).unwrap()
}
