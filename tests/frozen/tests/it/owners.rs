//! That nothing which guards the rest is without somebody who has to read a change of it.

use crate::digest::FROZEN;
use crate::tree::{Objections, Source, root};
use std::fs;

const FILE: &str = "CODEOWNERS";
/// What needs owners besides the frozen files. The lints of the workspace stand in the two manifests at the root.
const GUARDS: &[&str] = &["wit", "signing", "tests/frozen", "deny.toml", "Cargo.toml", "clippy.toml", FILE];

/// The lines that name a place: line number, place, owners.
fn lines(file: &Source) -> Vec<(usize, &str, Vec<&str>)> {
    let lines = file.text.lines().enumerate();
    let named = lines.filter_map(|(index, line)| {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        words.next().map(|place| (index + 1, place, words.collect()))
    });
    named.collect()
}

fn unowned(file: &Source, places: &[&str], objections: &mut Objections) {
    let lines = lines(file);
    for (line, place, owners) in &lines {
        if owners.is_empty() || !owners.iter().all(|owner| owner.starts_with('@') && owner.len() > 1) {
            objections.at(&file.path, *line, &format!("`{place}` has no owners, so nobody has to read it"));
        }
        // Other patterns could take a place away from the line that was written for it.
        if !place.starts_with('/') || place.contains(['*', '?', '[', '!']) {
            objections.at(&file.path, *line, &format!("`{place}` is not a plain place from the root on"));
        } else if !root().join(place.trim_matches('/')).exists() {
            objections.at(&file.path, *line, &format!("`{place}` does not exist"));
        }
    }
    for place in places {
        let within = |line: &&(usize, &str, Vec<&str>)| Source::new(place, "").is_under(&[line.1.trim_matches('/')]);
        if !lines.iter().any(|line| within(&line)) {
            objections.to(&file.path, &format!("`{place}` stands in no line"));
        }
    }
}

#[test]
fn everything_that_guards_the_rest_has_owners() {
    let text = fs::read_to_string(root().join(FILE)).unwrap_or_default();
    let mut objections = Objections::default();
    unowned(&Source::new(FILE, &text), &[FROZEN, GUARDS].concat(), &mut objections);
    objections.none_or("write `/PLACE/ @OWNER` into CODEOWNERS, or change FROZEN and GUARDS in a commit of their own");
}

#[test]
fn a_place_without_owners_is_seen() {
    for (text, expected) in [
        ("/host/core/ @a\n/wit/ @b # why\n# /x", 0),
        ("/host/ @a\n/wit @b", 0),
        ("/host/core/ @a", 1),
        ("/host/core/ @a\n/wit/", 1),
        ("/host/core/ a\n/wit/ @", 2),
        ("/host/core/ @a\n/wit/ @b\n/host/nothing/ @c\n*.rs @d\n/host/core/* @e", 3),
        ("", 2),
    ] {
        let mut objections = Objections::default();
        unowned(&Source::new(FILE, text), &["host/core/src", "wit/0.1.0"], &mut objections);
        assert_eq!(objections.count(), expected, "{text}");
    }
}
