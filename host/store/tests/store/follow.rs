//! Following a stream: every line once and in order, whatever happens to the files.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use crate::transitions::{denied, loosened};
use holdpoint_core::journal::LINE_BYTES_MAX;
use holdpoint_store::follow::FOLLOW_BYTES_MAX;
use holdpoint_store::read::{Cut, READ_LINES_MAX};
use holdpoint_store::{Decisions, Entry, Filter, Follow, Member, Stream, Transitions, verify};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

fn notes(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.value["note"].as_str().unwrap()).collect()
}

fn new_notes(follow: &mut Follow) -> Vec<String> {
    notes(&follow.poll().unwrap()).into_iter().map(str::to_owned).collect()
}

fn follow(scratch: &Scratch, last: usize) -> (Vec<Entry>, Follow) {
    let (answer, follow) = Follow::of(&scratch.state, Stream::Decisions, Filter::last(last)).unwrap();
    (answer.entries, follow)
}

fn append_bytes(scratch: &Scratch, name: &str, bytes: &[u8]) {
    let path = scratch.file(Stream::Decisions, name);
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn only_what_comes_after_the_end_is_new_and_each_line_once() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one"), line("two")], START_MS).unwrap();
    let (first, mut follow) = follow(&scratch, 0);
    assert_eq!(first, []);
    assert_eq!(new_notes(&mut follow), [""; 0]);
    decisions.append(&[line("three")], START_MS).unwrap();
    decisions.append(&[line("four"), line("five")], START_MS).unwrap();
    let new = follow.poll().unwrap();
    assert_eq!(notes(&new), ["three", "four", "five"]);
    let places: Vec<(&str, u64)> = new.iter().map(|entry| (entry.file.as_str(), entry.line)).collect();
    assert_eq!(places, [(FIRST_FILE, 3), (FIRST_FILE, 4), (FIRST_FILE, 5)]);
    assert_eq!(new_notes(&mut follow), [""; 0]);
}

#[test]
fn the_last_lines_come_first_and_then_the_new_ones() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one"), line("two")], START_MS).unwrap();
    decisions.append(&[line("three")], START_MS + DAY_MS).unwrap();
    let (first, mut follow) = follow(&scratch, 2);
    assert_eq!(notes(&first), ["two", "three"]);
    decisions.append(&[line("four")], START_MS + DAY_MS).unwrap();
    assert_eq!(new_notes(&mut follow), ["four"]);
}

#[test]
fn a_stream_that_does_not_exist_yet_is_followed_from_its_first_line() {
    let scratch = Scratch::new();
    let (first, mut follow) = follow(&scratch, 10);
    assert_eq!((first.len(), new_notes(&mut follow).len()), (0, 0));
    Decisions::of(&scratch.state).append(&[line("one")], START_MS).unwrap();
    assert_eq!(new_notes(&mut follow), ["one"]);
}

#[test]
fn the_change_of_the_day_loses_nothing_even_over_several_files_at_once() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one")], START_MS).unwrap();
    let (_, mut follow) = follow(&scratch, 0);
    decisions.append(&[line("two")], START_MS).unwrap();
    for (note, day) in [("three", 1), ("four", 1), ("five", 4)] {
        decisions.append(&[line(note)], START_MS + day * DAY_MS).unwrap();
    }
    let new = follow.poll().unwrap();
    assert_eq!(notes(&new), ["two", "three", "four", "five"]);
    assert_eq!((new[2].file.as_str(), new[2].line), ("2027-01-16.jsonl", 2));
    // A clock that goes back writes into the newest file.
    decisions.append(&[line("six")], START_MS).unwrap();
    assert_eq!(new_notes(&mut follow), ["six"]);
}

#[test]
fn a_line_without_its_line_feed_is_left_until_it_is_whole() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one"), line("two")], START_MS).unwrap();
    let path = scratch.file(Stream::Decisions, FIRST_FILE);
    let whole = std::fs::read(&path).unwrap();
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    std::fs::write(&path, &whole[..second]).unwrap();
    let (_, mut follow) = follow(&scratch, 0);
    for part in whole[second..].chunks(40) {
        assert_eq!(new_notes(&mut follow), [""; 0]);
        append_bytes(&scratch, FIRST_FILE, part);
    }
    assert_eq!(new_notes(&mut follow), ["two"]);
}

#[test]
fn a_torn_end_that_is_moved_aside_is_never_seen_and_its_place_not_twice() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&[line("one")], START_MS).unwrap();
    // Longer than the lines that will stand in its place.
    append_bytes(&scratch, FIRST_FILE, &[b'{'; 5_000]);
    let (first, mut from_torn) = follow(&scratch, 5);
    assert_eq!(notes(&first), ["one"]);
    assert_eq!(new_notes(&mut from_torn), [""; 0]);
    decisions.append(&[line("two")], START_MS).unwrap();
    assert_eq!(new_notes(&mut from_torn), ["two"]);
    append_bytes(&scratch, FIRST_FILE, b"{\"seq\":3");
    assert_eq!(new_notes(&mut from_torn), [""; 0]);
    decisions.append(&[line("three")], START_MS + DAY_MS).unwrap();
    assert_eq!(new_notes(&mut from_torn), ["three"]);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn a_filter_picks_among_the_new_lines_too() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    transitions.append(&[loosened("a"), denied("b"), denied("c")], START_MS).unwrap();
    let filter = Filter::last(1).with(Member::Result, "denied");
    let (first, mut follow) = Follow::of(&scratch.state, Stream::Transitions, filter).unwrap();
    let actors = |entries: &[Entry]| -> Vec<String> {
        entries.iter().map(|entry| entry.value["actor"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(actors(&first.entries), ["c"]);
    transitions.append(&[denied("d"), loosened("e")], START_MS + DAY_MS).unwrap();
    assert_eq!(actors(&follow.poll().unwrap()), ["d"]);
    transitions.append(&[loosened("f")], START_MS + DAY_MS).unwrap();
    assert_eq!(follow.poll().unwrap(), []);
}

#[test]
fn one_look_holds_no_more_than_its_bound_and_one_line_and_the_next_has_the_rest() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let (_, mut follow) = follow(&scratch, 0);
    let count = FOLLOW_BYTES_MAX as usize / LINE_BYTES_MAX * 3;
    let long = "n".repeat(LINE_BYTES_MAX - 2_048);
    for number in 0..count {
        decisions.append(&[line(&format!("{number} {long}"))], START_MS + number as u64 / 7 * DAY_MS).unwrap();
    }
    let mut numbers = Vec::new();
    loop {
        let new = follow.poll().unwrap();
        let bytes: usize = new.iter().map(|entry| entry.text.len()).sum();
        assert!(bytes <= FOLLOW_BYTES_MAX as usize + LINE_BYTES_MAX, "{bytes}");
        if new.is_empty() {
            break;
        }
        numbers.extend(notes(&new).into_iter().map(|note| note.split_once(' ').unwrap().0.parse::<usize>().unwrap()));
    }
    assert_eq!(numbers, (0..count).collect::<Vec<_>>());
    // Lines that do not match are passed over in one poll, however many they are.
    let filter = Filter::last(0).with(Member::Actor, "somebody");
    let (_, mut picky) = Follow::of(&scratch.state, Stream::Decisions, filter).unwrap();
    decisions.append(&vec![line(&long); count], START_MS + 9 * DAY_MS).unwrap();
    assert_eq!(picky.poll().unwrap(), []);
    assert_eq!(picky.poll().unwrap(), []);
}

#[test]
fn a_start_that_is_cut_by_a_bound_says_so() {
    let scratch = Scratch::new();
    Decisions::of(&scratch.state).append(&vec![line("n"); READ_LINES_MAX + 1], START_MS).unwrap();
    let (answer, _) = Follow::of(&scratch.state, Stream::Decisions, Filter::all()).unwrap();
    assert_eq!(answer.cut, Some(Cut::Lines));
}

#[test]
fn a_file_that_shrinks_or_disappears_or_has_an_endless_line_is_an_error_with_a_place() {
    let check = |damage: &dyn Fn(&Scratch), expected: &str| {
        let scratch = Scratch::new();
        let decisions = Decisions::of(&scratch.state);
        decisions.append(&[line("one")], START_MS).unwrap();
        let (_, mut follow) = follow(&scratch, 0);
        decisions.append(&[line("two")], START_MS).unwrap();
        assert_eq!(new_notes(&mut follow), ["two"]);
        damage(&scratch);
        for _ in 0..2 {
            let error = follow.poll().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert!(error.to_string().contains(expected), "{error}");
        }
    };
    let path = |scratch: &Scratch| scratch.file(Stream::Decisions, FIRST_FILE);
    check(&|scratch| std::fs::write(path(scratch), "").unwrap(), "became shorter");
    check(&|scratch| append_bytes(scratch, FIRST_FILE, &vec![b'x'; LINE_BYTES_MAX + 1]), "line 3 of");
    check(&|scratch| std::fs::remove_file(path(scratch)).unwrap(), "disappeared");
}

#[test]
fn lines_in_front_of_damage_are_handed_over_before_it_is_told() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let (_, mut follow) = follow(&scratch, 0);
    decisions.append(&[line("one")], START_MS).unwrap();
    append_bytes(&scratch, FIRST_FILE, &vec![b'x'; LINE_BYTES_MAX + 1]);
    assert_eq!(new_notes(&mut follow), ["one"]);
    assert!(follow.poll().is_err());
}
