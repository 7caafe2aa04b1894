//! Where versions of foreign crates stand, and that each says why it is there.

use crate::metadata::members;
use crate::tree::{Objections, Source, root};
use std::fs;

/// Fewest words that count as a reason.
const REASON_WORDS_MIN: usize = 2;

/// One assignment of a table: where it starts, its text with all continued lines, and what follows the last `#`.
struct Entry {
    line: usize,
    text: String,
    comment: String,
}

/// The entries of every table whose name the filter takes.
fn entries(manifest: &str, takes: impl Fn(&str) -> bool) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut inside = false;
    let mut open = 0_usize;
    for (index, line) in manifest.lines().enumerate() {
        let (code, comment) = split_comment(line);
        if open == 0 && code.starts_with('[') {
            inside = takes(code.trim_matches(['[', ']']));
            continue;
        }
        if !inside || code.is_empty() {
            continue;
        }
        match entries.last_mut().filter(|_| open > 0) {
            Some(entry) => {
                entry.text.push_str(code);
                entry.comment = comment.into();
            }
            None => entries.push(Entry { line: index + 1, text: code.into(), comment: comment.into() }),
        }
        open += code.matches(['[', '{']).count();
        open = open.saturating_sub(code.matches([']', '}']).count());
    }
    entries
}

/// Code and comment of a line, without the spaces around them.
fn split_comment(line: &str) -> (&str, &str) {
    let mut quoted = false;
    let start = line.char_indices().find(|(_, character)| {
        quoted ^= *character == '"';
        *character == '#' && !quoted
    });
    let (code, comment) = line.split_at(start.map_or(line.len(), |(index, _)| index));
    (code.trim(), comment.trim_start_matches('#').trim())
}

fn is_dependency_table(name: &str) -> bool {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    kinds.contains(&name) || kinds.iter().any(|kind| name.ends_with(&format!(".{kind}")))
}

fn inherits(manifest: &Source, objections: &mut Objections) {
    for entry in entries(&manifest.text, is_dependency_table) {
        let (name, value) = entry.text.split_once('=').unwrap_or((&entry.text, ""));
        let inherited = name.trim().ends_with(".workspace") && value.trim() == "true";
        let spaced = value.replace(' ', "");
        if !inherited && !spaced.starts_with("{workspace=true") {
            objections.at(&manifest.path, entry.line, &format!("`{}` has a version of its own", name.trim()));
        }
    }
    for (index, line) in manifest.text.lines().enumerate() {
        let table = split_comment(line).0.trim_matches(['[', ']']);
        let single = ["dependencies.", "dev-dependencies.", "build-dependencies."];
        if line.starts_with('[') && single.iter().any(|kind| table.starts_with(kind)) {
            objections.at(&manifest.path, index + 1, "a dependency is written as a table of its own");
        }
    }
}

fn reasons(manifest: &Source, objections: &mut Objections) {
    let listed = entries(&manifest.text, |table| table == "workspace.dependencies");
    assert!(!listed.is_empty(), "{} has no [workspace.dependencies]", manifest.path);
    for entry in listed {
        let (name, value) = entry.text.split_once('=').unwrap_or((&entry.text, ""));
        let ours = value.replace(' ', "").starts_with("{path=");
        if !ours && entry.comment.split_whitespace().count() < REASON_WORDS_MIN {
            objections.at(&manifest.path, entry.line, &format!("`{}` does not say why it is here", name.trim()));
        }
    }
}

fn manifest(path: &str) -> Source {
    Source::new(path, &fs::read_to_string(root().join(path)).unwrap())
}

#[test]
fn every_dependency_of_every_member_is_inherited_from_the_workspace() {
    let mut objections = Objections::default();
    for member in members() {
        inherits(&manifest(&member.manifest), &mut objections);
    }
    objections.none_or("put the version into [workspace.dependencies] of Cargo.toml and write `NAME.workspace = true`");
}

#[test]
fn every_foreign_dependency_says_why_it_is_here() {
    let mut objections = Objections::default();
    reasons(&manifest("Cargo.toml"), &mut objections);
    objections.none_or("end the line with `# why this crate is needed`");
}

#[test]
fn a_version_of_its_own_is_seen_however_it_is_written() {
    let good = "[dependencies]\na.workspace = true # b = \"1\"\nb = { workspace = true, features = [\n \"c\",\n] }\n";
    let bad =
        "[dependencies]\na = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\nb = { version = \"1\" }\n[dependencies.c]\n";
    for (text, expected) in [(good, 0), (bad, 3)] {
        let mut objections = Objections::default();
        inherits(&Source::new("Cargo.toml", text), &mut objections);
        assert_eq!(objections.count(), expected, "{text}");
    }
}

#[test]
fn a_missing_reason_is_seen() {
    let text =
        "[workspace.dependencies]\na = \"1\"\nb = \"#\" # short\nc = \"1\" # reads the tables\nd = { path = \"d\" }\n";
    let mut objections = Objections::default();
    reasons(&Source::new("Cargo.toml", text), &mut objections);
    assert_eq!(objections.count(), 2);
}
