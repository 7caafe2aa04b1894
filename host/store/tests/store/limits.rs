//! Every limit of the store, with an input just over it. None of them loses what is on disk already.

use crate::scratch::{FIRST_FILE, START_MS, Scratch, line};
use holdpoint_core::journal::LINE_BYTES_MAX;
use holdpoint_store::chain::{BATCH_BYTES_MAX, REPAIRS_MAX, TORN_FILES_MAX};
use holdpoint_store::disk::FILES_MAX;
use holdpoint_store::read::{READ_BYTES_MAX, READ_LINES_MAX};
use holdpoint_store::{Decisions, Filter, Stream, read, verify};
use std::fs::{File, OpenOptions};
use std::io::Write;

/// Bytes of a line around its note, well over what they are.
const AROUND_BYTES: usize = 2_048;

fn tear(scratch: &Scratch) {
    let path = scratch.file(Stream::Decisions, FIRST_FILE);
    OpenOptions::new().append(true).open(path).unwrap().write_all(b"{").unwrap();
}

fn filled() -> (Scratch, Decisions) {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("first")], START_MS).unwrap();
    (scratch, decisions)
}

#[test]
fn a_batch_just_over_its_bytes_is_refused_whole() {
    let (scratch, decisions) = filled();
    let long = line(&"n".repeat(LINE_BYTES_MAX - AROUND_BYTES));
    let over = BATCH_BYTES_MAX / (LINE_BYTES_MAX - AROUND_BYTES) + 1;
    let failed = decisions.append(&vec![long; over], START_MS).unwrap_err();
    assert!(failed.cause.contains("bytes at once"), "{failed:?}");
    assert_eq!(scratch.notes(), ["first"]);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn one_torn_end_too_many_in_a_day_is_refused() {
    let (scratch, decisions) = filled();
    for number in 1..TORN_FILES_MAX {
        File::create(scratch.file(Stream::Decisions, &format!("torn-2027-01-15-{number}"))).unwrap();
    }
    tear(&scratch);
    decisions.append(&[line("fits")], START_MS).unwrap();
    tear(&scratch);
    let failed = decisions.append(&[line("over")], START_MS).unwrap_err();
    assert!(failed.cause.contains("torn ends"), "{failed:?}");
    assert_eq!(scratch.notes(), ["first", "fits"]);
}

#[test]
fn one_repair_too_many_is_made_and_not_kept() {
    let (scratch, decisions) = filled();
    for _ in 0..=REPAIRS_MAX {
        tear(&scratch);
        decisions.append(&[line("next")], START_MS).unwrap();
    }
    assert_eq!(decisions.take_repairs().len(), REPAIRS_MAX);
    assert_eq!(scratch.notes().len(), REPAIRS_MAX + 2);
}

#[test]
fn no_answer_has_more_lines_than_its_bound() {
    let (scratch, decisions) = filled();
    decisions.append(&vec![line("next"); READ_LINES_MAX], START_MS).unwrap();
    let entries = read(&scratch.state, Stream::Decisions, &Filter::last(usize::MAX)).unwrap();
    assert_eq!(entries.len(), READ_LINES_MAX);
    assert_eq!(entries.first().map(|entry| entry.line), Some(2), "the newest ones are kept");
}

#[test]
fn no_answer_holds_more_bytes_than_its_bound() {
    let (scratch, decisions) = filled();
    let long = line(&"n".repeat(LINE_BYTES_MAX - AROUND_BYTES));
    let half = BATCH_BYTES_MAX / LINE_BYTES_MAX / 2 + 1;
    for _ in 0..2 {
        decisions.append(&vec![long.clone(); half], START_MS).unwrap();
    }
    let entries = read(&scratch.state, Stream::Decisions, &Filter::last(READ_LINES_MAX)).unwrap();
    let bytes: usize = entries.iter().map(|entry| entry.text.len()).sum();
    assert!(bytes <= READ_BYTES_MAX && bytes > READ_BYTES_MAX - LINE_BYTES_MAX, "{bytes}");
}

#[test]
fn one_file_too_many_in_the_folder_is_an_error() {
    let (scratch, _) = filled();
    // The folder itself and the one around it are read as well.
    let present = scratch.names().len() + 2;
    for number in present..FILES_MAX {
        File::create(scratch.file(Stream::Decisions, &format!("x{number}"))).unwrap();
    }
    assert!(verify(&scratch.state).unwrap().is_intact());
    File::create(scratch.file(Stream::Decisions, "over")).unwrap();
    assert!(verify(&scratch.state).is_err());
    assert!(read(&scratch.state, Stream::Decisions, &Filter::last(1)).is_err());
}
