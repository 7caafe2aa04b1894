//! Files: components, lines of the journal, names of days, paths.

use crate::text;
use holdpoint_core::glob::{Reach, paths_meet};
use holdpoint_core::journal::{Head, follow, head_of};
use holdpoint_core::paths::AbsPath;
use holdpoint_runtime::{Limits, Manifest, prove};
use holdpoint_store::Day;

pub(crate) const COMPONENTS: &[&str] = &["\0asm\r\0\x01\0", "\0asm\x01\0\0\0", "\0asm\r\0\x01\0\0\x04\x01x\0\0"];
pub(crate) const JOURNAL_LINES: &[&str] = &[
    r#"{"seq":1,"prev":"0000000000000000000000000000000000000000000000000000000000000000","note":"x","hash":"0000000000000000000000000000000000000000000000000000000000000000"}"#,
];
pub(crate) const DAYS: &[&str] = &["2026-11-30", "2026-11-30.jsonl", "9999-12-31", "2024-02-29"];
pub(crate) const PATHS: &[&str] =
    &["/a/../b/./c//d\0../e", "/proc/self/cwd/x\0/dev/fd/3", "/a/*/[b-d]?/**\0/a/x/c1/y", "/home/u/.ssh\0~/x"];

pub(crate) fn component(bytes: &[u8]) {
    if let Ok(proof) = prove(bytes, &Limits::DEFAULT) {
        assert_eq!(prove(bytes, &Limits::DEFAULT).map(|again| again.digest()).ok(), Some(proof.digest()));
    }
    if let Ok(manifest) = Manifest::of_component(bytes) {
        assert!(manifest.check().is_ok());
    }
}

/// A line that was never sealed is followed only by breaking the hash.
pub(crate) fn journal_line(bytes: &[u8]) {
    let Some(line) = text(bytes) else { return };
    if let Ok(head) = follow(Head::START, line) {
        assert_eq!(head_of(line), Ok(head));
        assert_eq!(head.seq, 1);
    }
}

pub(crate) fn day(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Some(day) = Day::parse(text) {
        assert_eq!(day.to_string(), text);
        assert_eq!(Day::of_file_name(&day.file_name()), Some(day));
    }
    if let Some(day) = Day::of_file_name(text) {
        assert_eq!(day.file_name(), text);
    }
}

/// A path has no step up left in it, and what a path joins is absolute again.
pub(crate) fn path(bytes: &[u8]) {
    let Some((first, second)) = text(bytes).and_then(|text| text.split_once('\0')) else { return };
    let Some(folder) = AbsPath::parse(first) else { return };
    let clean = |path: &AbsPath| {
        assert!(path.names().iter().all(|name| !matches!(name.as_str(), "" | "." | "..") && !name.contains('/')));
        assert_eq!(AbsPath::parse(&path.text()).as_ref(), Some(path));
    };
    clean(&folder);
    if let Some(joined) = folder.join(second) {
        clean(&joined);
        let names = |path: &AbsPath| path.names().to_vec();
        let (one, other) = (names(&folder), names(&joined));
        assert_eq!(paths_meet(&one, &other, Reach::Itself), paths_meet(&other, &one, Reach::Itself));
    }
}
