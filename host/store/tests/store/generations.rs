//! Generations on disk: found by digest or not at all, and what is kept counts only for who has the key.

use crate::scratch::Scratch;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Head;
use holdpoint_store::generations::{BLOB_BYTES_MAX, FOLDER};
use holdpoint_store::{Current, Generation, Generations, Refused};
use std::path::PathBuf;

fn place(scratch: &Scratch, name: &str) -> PathBuf {
    scratch.state.path().join(FOLDER).join("generations").join(name)
}

fn current() -> Current {
    Current {
        head: Head { seq: 7, hash: Digest::of_file(b"line") },
        generation: Some(Generation { number: 3, digest: Digest::of_file(b"index") }),
        refused: vec![Refused { name: "acme-sql".to_owned(), why: "its publisher was revoked".to_owned() }],
        passed_ms: 1_800_000_000_123,
        until_ms: u64::MAX,
    }
}

#[test]
fn a_file_is_found_by_its_digest_and_only_whole() {
    let scratch = Scratch::new();
    let generations = Generations::of(&scratch.state);
    assert!(generations.is_empty().unwrap());
    assert!(!place(&scratch, "").exists(), "looking makes nothing");
    let digest = generations.put_blob(b"a component").unwrap();
    assert_eq!(digest, Digest::of_file(b"a component"));
    assert_eq!(generations.blob(&digest).unwrap().as_deref(), Some(&b"a component"[..]));
    assert_eq!(generations.blob(&Digest::of_file(b"other")).unwrap(), None);
    std::fs::write(place(&scratch, &format!("sha256-{digest}")), b"a component!").unwrap();
    assert_eq!(generations.blob(&digest).unwrap(), None, "changed");
    generations.put_blob(b"a component").unwrap();
    assert!(generations.blob(&digest).unwrap().is_some(), "it is written again");
}

#[test]
fn an_index_counts_only_with_the_digest_that_was_in_force() {
    let scratch = Scratch::new();
    let generations = Generations::of(&scratch.state);
    let generation = generations.put(1, b"index").unwrap();
    assert_eq!(generations.index(&generation).unwrap().as_deref(), Some(&b"index"[..]));
    let other = Generation { digest: Digest::of_file(b"other"), ..generation };
    assert_eq!(generations.index(&other).unwrap(), None);
    assert_eq!(generations.index(&Generation { number: 2, ..generation }).unwrap(), None);
}

#[test]
fn what_is_kept_counts_only_as_it_was_written_and_in_its_own_folder() {
    let scratch = Scratch::new();
    let generations = Generations::of(&scratch.state);
    assert_eq!(generations.current(), None);
    generations.keep(&current());
    assert_eq!(generations.current(), Some(current()));
    let none = Current { generation: None, refused: vec![], ..current() };
    generations.keep(&none);
    assert_eq!(generations.current(), Some(none));
    let text = std::fs::read_to_string(place(&scratch, "current")).unwrap();
    let elsewhere = Scratch::new();
    Generations::of(&elsewhere.state).keep(&current());
    for changed in
        [text.replace("null", "{}"), text.replace("\"seq\":7", "\"seq\":8"), text.get(..70).unwrap().to_owned()]
    {
        assert_ne!(changed, text);
        std::fs::write(place(&scratch, "current"), changed).unwrap();
        assert_eq!(generations.current(), None);
    }
    std::fs::write(place(&elsewhere, "current"), text).unwrap();
    assert_eq!(Generations::of(&elsewhere.state).current(), None, "another folder has another key");
}

#[test]
fn a_link_or_a_file_of_others_is_never_read() {
    let scratch = Scratch::new();
    let generations = Generations::of(&scratch.state);
    let digest = generations.put_blob(b"bytes").unwrap();
    let file = place(&scratch, &format!("sha256-{digest}"));
    let outside = scratch.outside.path().join("bytes");
    std::fs::rename(&file, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &file).unwrap();
    assert!(generations.blob(&digest).is_err());
}

#[test]
fn a_file_just_over_its_bound_is_not_written() {
    let scratch = Scratch::new();
    let bytes = vec![0; usize::try_from(BLOB_BYTES_MAX).unwrap() + 1];
    assert!(Generations::of(&scratch.state).put_blob(&bytes).is_err());
    assert!(Generations::of(&scratch.state).put(1, &bytes).is_err());
    assert!(!place(&scratch, "").exists());
}
