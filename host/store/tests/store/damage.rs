//! Damage that a check has to see, and where it says that it is.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use crate::transitions::loosened;
use holdpoint_core::journal::Broken;
use holdpoint_store::verify::{Break, What};
use holdpoint_store::{Decisions, StateFolder, Stream, Transitions, Verification, verify};

const SECOND_FILE: &str = "2027-01-16.jsonl";

/// Three decisions, a transition, two decisions on the next day, a transition.
fn filled() -> Scratch {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let transitions = Transitions::of(&scratch.state);
    let notes = ["one", "two", "three"].map(line);
    decisions.append(&notes, START_MS).unwrap();
    transitions.append(&[loosened("first")], START_MS).unwrap();
    let notes = ["four", "five"].map(line);
    decisions.append(&notes, START_MS + DAY_MS).unwrap();
    transitions.append(&[loosened("second")], START_MS + DAY_MS).unwrap();
    scratch
}

fn change(scratch: &Scratch, stream: Stream, name: &str, change: impl Fn(&str) -> String) {
    let path = scratch.file(stream, name);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, change(&text)).unwrap();
}

fn without_line(text: &str, number: usize) -> String {
    let lines = text.split_inclusive('\n').enumerate();
    lines.filter(|(index, _)| index + 1 != number).map(|(_, line)| line).collect()
}

fn check(damage: impl Fn(&Scratch), expected: Option<(&str, u64, What)>) -> Verification {
    let scratch = filled();
    assert!(verify(&scratch.state).unwrap().is_intact());
    damage(&scratch);
    let verification = verify(&scratch.state).unwrap();
    assert!(!verification.is_intact());
    let expected = expected.map(|(file, line, what)| Break { file: file.into(), line, what });
    assert_eq!(verification.decisions.first_break, expected);
    verification
}

#[test]
fn an_intact_record_is_counted_in_full() {
    let verification = verify(&filled().state).unwrap();
    assert_eq!((verification.decisions.files, verification.decisions.lines), (2, 5));
    assert_eq!((verification.transitions.files, verification.transitions.lines), (2, 2));
    assert_eq!(verification.anchors, 2);
    assert_eq!(verification.decisions.head.seq, 5);
}

#[test]
fn a_folder_without_a_record_is_intact_and_stays_untouched() {
    let scratch = Scratch::new();
    let state = StateFolder::open(scratch.state.path()).unwrap();
    assert!(verify(&state).unwrap().is_intact());
    assert_eq!(scratch.state.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_changed_line_is_named() {
    let hash = What::Broken(Broken::Hash);
    check(
        |scratch| change(scratch, Stream::Decisions, FIRST_FILE, |text| text.replace("two", "too")),
        Some((FIRST_FILE, 2, hash)),
    );
    check(
        |scratch| change(scratch, Stream::Decisions, SECOND_FILE, |text| text.replace("five", "nine")),
        Some((SECOND_FILE, 2, hash)),
    );
    assert_eq!(hash.text(), "does not match its own hash");
}

#[test]
fn a_line_that_is_missing_or_moved_is_named() {
    let chain = What::Broken(Broken::Chain);
    check(
        |scratch| change(scratch, Stream::Decisions, FIRST_FILE, |text| without_line(text, 2)),
        Some((FIRST_FILE, 2, chain)),
    );
    check(
        |scratch| change(scratch, Stream::Decisions, SECOND_FILE, |text| without_line(text, 1)),
        Some((SECOND_FILE, 1, chain)),
    );
    check(
        |scratch| std::fs::remove_file(scratch.file(Stream::Decisions, FIRST_FILE)).unwrap(),
        Some((SECOND_FILE, 1, chain)),
    );
}

#[test]
fn what_is_not_a_line_is_named() {
    let with = |bytes: &'static [u8]| {
        move |scratch: &Scratch| {
            let path = scratch.file(Stream::Decisions, FIRST_FILE);
            let mut text = std::fs::read(&path).unwrap();
            text.extend_from_slice(bytes);
            std::fs::write(&path, text).unwrap();
        }
    };
    check(with(b"\n"), Some((FIRST_FILE, 4, What::Broken(Broken::Shape))));
    check(with(b"\xff\n"), Some((FIRST_FILE, 4, What::Broken(Broken::Shape))));
    check(with(b"{\"seq\":4"), Some((FIRST_FILE, 4, What::Torn)));
    check(with(&[b'x'; 300_000]), Some((FIRST_FILE, 4, What::TooLong)));
}

#[test]
fn decisions_that_were_cut_off_are_missed_by_the_transition_that_saw_them() {
    // The chain itself is whole each time: only the anchors tell.
    let cut = check(|scratch| change(scratch, Stream::Decisions, SECOND_FILE, |text| without_line(text, 2)), None);
    let lost = cut.first_lost_anchor.unwrap();
    assert_eq!((lost.file.as_str(), lost.line, lost.anchor.seq), (SECOND_FILE, 1, 5));
    assert_eq!(cut.anchors, 1);

    let all = check(|scratch| std::fs::remove_dir_all(scratch.file(Stream::Decisions, "")).unwrap(), None);
    assert_eq!(all.first_lost_anchor.unwrap().anchor.seq, 3);
    assert_eq!(all.anchors, 0);
}

#[test]
fn decisions_that_were_written_anew_are_missed_too() {
    let replaced = check(
        |scratch| {
            std::fs::remove_dir_all(scratch.file(Stream::Decisions, "")).unwrap();
            let notes = ["one", "two", "other", "four", "five", "six"].map(line);
            Decisions::of(&scratch.state).append(&notes, START_MS).unwrap();
        },
        None,
    );
    assert_eq!(replaced.first_lost_anchor.unwrap().anchor.seq, 3);
}

#[test]
fn a_changed_transition_is_named() {
    let verification = check(
        |scratch| {
            change(scratch, Stream::Transitions, FIRST_FILE, |text| text.replace("permissive", "restrictive"));
        },
        None,
    );
    let first_break = verification.transitions.first_break.unwrap();
    assert_eq!((first_break.file.as_str(), first_break.line), (FIRST_FILE, 1));
    assert_eq!(first_break.what, What::Broken(Broken::Hash));
}
