//! Keys are read and set without losing anything of the file.

use crate::config::Scratch;
use holdpoint_store::config::{Edited, Layer, get, set};
use std::os::unix::fs::PermissionsExt;

const FILE: &str = "# how careful to be\nsafety.level = \"guarded\" # for now\n\n[lists]\n# who\nrecipients = [\n  \"a\", # amy\n]\n\n[[pins]]\nresource = \"host:h\"\n";

#[test]
fn setting_a_key_keeps_comments_and_order() {
    let scratch = Scratch::new().with(Layer::User, FILE);
    let path = scratch.path(Layer::User);
    assert_eq!(set(&path, "safety.level", "observe", &scratch.files), Ok(Edited::Written));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), FILE.replace("guarded", "observe"));
    assert_eq!(set(&path, "safety.level", "\"observe\"", &scratch.files), Ok(Edited::Unchanged));
    assert_eq!(set(&path, "safety.principals.\"mcp:x\".level", "observe", &scratch.files), Ok(Edited::Written));
    assert_eq!(set(&path, "approvals.wait_s", "60", &scratch.files), Ok(Edited::Written));
    let config = scratch.load();
    assert_eq!(config.problems, Vec::new());
    assert_eq!(config.levels.len(), 2);
    assert_eq!(config.wait_s.map(|wait| wait.value), Some(60));
    for part in ["# how careful to be", "# for now", "# who", "# amy"] {
        assert!(std::fs::read_to_string(&path).unwrap().contains(part), "{part}");
    }
}

#[test]
fn a_value_that_would_not_check_is_not_written() {
    let scratch = Scratch::new().with(Layer::User, FILE);
    let path = scratch.path(Layer::User);
    for (key, value) in [
        ("safety.level", "observ"),
        ("safety.levle", "observe"),
        ("approvals.wait_s", "86401"),
        ("pins", "[]"),
        ("safety.level.x", "1"),
        ("", "1"),
        ("a.b.c.d.e.f.g.h.i", "1"),
    ] {
        assert!(set(&path, key, value, &scratch.files).is_err(), "{key} {value}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), FILE, "{key}");
    }
}

#[test]
fn a_file_that_is_not_there_is_made_for_its_owner_only() {
    let scratch = Scratch::new();
    let path = scratch.path(Layer::User);
    assert_eq!(get(&path, "safety.level"), Ok(None));
    assert_eq!(set(&path, "safety.level", "guarded", &scratch.files), Ok(Edited::Written));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "[safety]\nlevel = \"guarded\"\n");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(scratch.folder.path()).unwrap().count(), 1);
}

#[test]
fn a_key_is_read_as_the_file_has_it() {
    let scratch = Scratch::new().with(Layer::User, FILE);
    let path = scratch.path(Layer::User);
    for (key, value) in [
        ("safety.level", Some("\"guarded\"")),
        ("pins.0.resource", Some("\"host:h\"")),
        ("pins.0", Some("resource = \"host:h\"")),
        ("pins.1", None),
        ("safety.principals", None),
        ("lists.recipients.0", Some("\"a\"")),
    ] {
        let got = get(&path, key).unwrap();
        assert_eq!(got.as_deref(), value, "{key}");
    }
    assert!(get(&path, "a..b").is_err());
}
