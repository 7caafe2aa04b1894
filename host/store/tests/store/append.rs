//! Appending: days, torn ends, several writers, and what makes an append fail.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use holdpoint_core::ports::Journal;
use holdpoint_store::{Decisions, Repair, Stream, verify};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;

fn append_bytes(scratch: &Scratch, name: &str, bytes: &[u8]) {
    let path = scratch.file(Stream::Decisions, name);
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn lines_are_on_disk_in_a_private_file_of_their_day() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let journal: &dyn Journal = &decisions;
    journal.append(&[line("one"), line("two")], START_MS).unwrap();
    journal.append(&[], START_MS).unwrap();
    assert_eq!(scratch.notes(), ["one", "two"]);
    assert_eq!(scratch.names(), [FIRST_FILE, "lock"]);
    for (name, mode) in [("", 0o700), ("lock", 0o600), (FIRST_FILE, 0o600)] {
        let metadata = std::fs::metadata(scratch.file(Stream::Decisions, name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o7777, mode, "{name}");
    }
}

#[test]
fn the_chain_goes_on_over_days_and_a_clock_that_goes_back() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one")], START_MS).unwrap();
    decisions.append(&[line("two")], START_MS + 3 * DAY_MS).unwrap();
    decisions.append(&[line("three")], START_MS).unwrap();
    let appended = Decisions::of(&scratch.state).append(&[line("four")], START_MS + 4 * DAY_MS).unwrap();
    assert_eq!(scratch.notes(), ["one", "two", "three", "four"]);
    let names = [FIRST_FILE, "2027-01-18.jsonl", "2027-01-19.jsonl", "lock"];
    assert_eq!(scratch.names(), names);
    let verification = verify(&scratch.state).unwrap();
    assert!(verification.is_intact(), "{verification:?}");
    assert_eq!(verification.decisions.head, appended.head);
    assert_eq!((verification.decisions.files, verification.decisions.lines), (3, 4));
}

#[test]
fn a_lost_or_wrong_hint_in_the_lock_changes_nothing() {
    for hint in ["", "2027-01-1", "2019-01-01", "2099-01-01", "nonsense--"] {
        for days_back in [0, 1, 2] {
            let scratch = Scratch::new();
            let decisions = Decisions::of(&scratch.state);
            decisions.append(&[line("one")], START_MS).unwrap();
            decisions.append(&[line("two")], START_MS + DAY_MS).unwrap();
            std::fs::write(scratch.file(Stream::Decisions, "lock"), hint).unwrap();
            let at_ms = START_MS + DAY_MS - days_back * DAY_MS;
            decisions.append(&[line("three")], at_ms).unwrap();
            assert_eq!(scratch.notes(), ["one", "two", "three"], "{hint}");
            assert!(verify(&scratch.state).unwrap().is_intact(), "{hint}");
            let names = [FIRST_FILE, "2027-01-16.jsonl", "lock"];
            assert_eq!(scratch.names(), names, "{hint}");
        }
    }
}

#[test]
fn a_torn_end_is_moved_aside_and_reported() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one")], START_MS).unwrap();
    append_bytes(&scratch, FIRST_FILE, b"{\"seq\":2,\"pre");
    let torn = verify(&scratch.state).unwrap();
    assert!(torn.is_intact());
    assert_eq!(torn.decisions.torn_tail.unwrap().bytes, 13);

    let repair =
        |number: u32| Repair { file: FIRST_FILE.into(), moved_to: format!("torn-2027-01-15-{number}"), bytes: 13 };
    let appended = decisions.append(&[line("two")], START_MS).unwrap();
    assert_eq!(appended.repairs, [repair(1)]);
    // On the next day, the end of the file before is settled first.
    append_bytes(&scratch, FIRST_FILE, b"{\"seq\":3,\"pre");
    decisions.append(&[line("three")], START_MS + DAY_MS).unwrap();
    assert_eq!(decisions.take_repairs(), [repair(1), repair(2)]);
    assert_eq!(decisions.take_repairs(), []);

    assert_eq!(scratch.notes(), ["one", "two", "three"]);
    let moved = std::fs::read(scratch.file(Stream::Decisions, "torn-2027-01-15-2")).unwrap();
    assert_eq!(moved, b"{\"seq\":3,\"pre");
    let verification = verify(&scratch.state).unwrap();
    assert!(verification.is_intact(), "{verification:?}");
    assert_eq!(verification.decisions.torn_tail, None);
    assert_eq!(verification.decisions.torn_files.len(), 2);
}

#[test]
fn a_file_that_holds_nothing_but_a_torn_line_goes_on_from_the_day_before() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one")], START_MS).unwrap();
    decisions.append(&[line("two")], START_MS + DAY_MS).unwrap();
    std::fs::write(scratch.file(Stream::Decisions, "2027-01-16.jsonl"), "{\"seq\"").unwrap();
    let appended = decisions.append(&[line("three")], START_MS + DAY_MS).unwrap();
    assert_eq!(appended.repairs.len(), 1);
    assert_eq!(scratch.notes(), ["one", "three"]);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn a_damaged_last_line_is_never_continued() {
    let check = |damage: &dyn Fn(&str) -> String, expected: &str| {
        let scratch = Scratch::new();
        let decisions = Decisions::of(&scratch.state);
        decisions.append(&[line("one"), line("two")], START_MS).unwrap();
        let path = scratch.file(Stream::Decisions, FIRST_FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, damage(&text)).unwrap();
        for at_ms in [START_MS, START_MS + DAY_MS] {
            let failure = decisions.append(&[line("three")], at_ms).unwrap_err();
            assert!(failure.cause.contains(expected), "{}", failure.cause);
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), damage(&text));
    };
    let damaged = "the journal's last line is damaged";
    check(&|text| text.replace("two", "too"), damaged);
    check(&|text| format!("{text}\n"), damaged);
    check(&|text| format!("{text}nonsense\n"), damaged);
    check(&|text| format!("{text}{}\n", "x".repeat(300_000)), "too long");
    check(&|text| format!("{text}{}", "x".repeat(300_000)), "too long");
    check(&|text| format!("{text}{}", "x".repeat(3_000_000)), "too long");
    check(&|_| "x".repeat(300_000), "too long");
}

#[test]
fn the_longest_line_fits_and_the_next_one_finds_it() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    for note_bytes in [8_000, 8_100, 8_192, 66_000, 260_900] {
        decisions.append(&[line(&"n".repeat(note_bytes))], START_MS).unwrap();
    }
    append_bytes(&scratch, FIRST_FILE, &vec![b'{'; 262_144]);
    let appended = decisions.append(&[line("last")], START_MS).unwrap();
    assert_eq!(appended.head.seq, 6);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn many_writers_at_once_keep_their_batches_whole() {
    let scratch = Scratch::new();
    let shared = Decisions::of(&scratch.state);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (state, shared) = (&scratch.state, &shared);
            scope.spawn(move || {
                for batch in 0..10 {
                    let lines = ["a", "b", "c"].map(|part| line(&format!("{writer} {batch} {part}")));
                    // Half of the writers have a descriptor of their own, as other processes do.
                    let own = Decisions::of(state);
                    let decisions = if writer % 2 == 0 { shared } else { &own };
                    decisions.append(&lines, START_MS + batch * DAY_MS / 2).unwrap();
                }
            });
        }
    });
    assert!(verify(&scratch.state).unwrap().is_intact());
    let notes = scratch.notes();
    assert_eq!(notes.len(), 120);
    for batch in notes.chunks(3) {
        let starts: Vec<&str> = batch.iter().map(|note| note.rsplit_once(' ').unwrap().0).collect();
        assert!(starts.iter().all(|start| *start == starts[0]), "{batch:?}");
    }
}

#[test]
fn a_folder_that_cannot_hold_a_stream_makes_the_append_fail() {
    let check = |spoil: &dyn Fn(&Scratch), expected: &str| {
        let scratch = Scratch::new();
        spoil(&scratch);
        let failure = Decisions::of(&scratch.state).append(&[line("one")], START_MS).unwrap_err();
        assert!(failure.cause.contains(expected), "{}", failure.cause);
    };
    let audit = |scratch: &Scratch| scratch.state.path().join("audit");
    let decisions = |scratch: &Scratch| scratch.file(Stream::Decisions, "");
    check(&|scratch| std::fs::write(audit(scratch), "").unwrap(), "Not a directory");
    check(&|scratch| std::os::unix::fs::symlink(scratch.outside.path(), audit(scratch)).unwrap(), "Not a directory");
    check(
        &|scratch| {
            std::fs::create_dir(audit(scratch)).unwrap();
            std::fs::set_permissions(audit(scratch), PermissionsExt::from_mode(0o777)).unwrap();
        },
        "other users can write",
    );
    check(
        &|scratch| {
            std::fs::create_dir_all(decisions(scratch)).unwrap();
            for folder in [audit(scratch), decisions(scratch)] {
                std::fs::set_permissions(folder, PermissionsExt::from_mode(0o700)).unwrap();
            }
            let elsewhere = scratch.outside.path().join("elsewhere");
            std::os::unix::fs::symlink(elsewhere, scratch.file(Stream::Decisions, FIRST_FILE)).unwrap();
        },
        "symbolic link",
    );
    check(
        &|scratch| {
            Decisions::of(&scratch.state).append(&[line("zero")], START_MS).unwrap();
            let file = scratch.file(Stream::Decisions, FIRST_FILE);
            std::fs::set_permissions(file, PermissionsExt::from_mode(0o622)).unwrap();
        },
        "is not a private regular file",
    );
}
