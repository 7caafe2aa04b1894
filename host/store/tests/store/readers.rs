//! Reading by day, by key and by recent days: bounded, and never silently shorter than what was asked for.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use crate::transitions::{denied, loosened};
use holdpoint_core::journal::{LINE_BYTES_MAX, Line};
use holdpoint_core::json::Json;
use holdpoint_store::read::{READ_BYTES_MAX, READ_LINES_MAX};
use holdpoint_store::{
    Answer, Counts, Cut, Day, Decisions, Filter, Member, Stream, Transition, Transitions, answer, count_for, read_day,
    tail, tail_recent_days,
};
use std::io::Write;

fn places(answer: &Answer) -> Vec<(&str, u64)> {
    answer.entries.iter().map(|entry| (entry.file.as_str(), entry.line)).collect()
}

/// Three transitions on each of four days.
fn four_days() -> Scratch {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    for day in 0..4 {
        let other = Transition { key: "code.auto_push".into(), ..loosened("c") };
        transitions.append(&[loosened("a"), denied("b"), other], START_MS + day * DAY_MS).unwrap();
    }
    scratch
}

#[test]
fn a_day_is_read_from_its_first_line_to_its_last() {
    let scratch = four_days();
    let day = Day::parse("2027-01-16").unwrap();
    let found = read_day(&scratch.state, Stream::Transitions, day).unwrap();
    assert_eq!(places(&found), [("2027-01-16.jsonl", 1), ("2027-01-16.jsonl", 2), ("2027-01-16.jsonl", 3)]);
    assert_eq!(found.cut, None);
    let none = read_day(&scratch.state, Stream::Transitions, Day::LAST).unwrap();
    assert_eq!(none, Answer { entries: Vec::new(), cut: None });
    assert_eq!(read_day(&scratch.state, Stream::Decisions, day).unwrap().entries, []);
}

#[test]
fn a_tail_has_the_newest_lines_of_one_key_or_of_all() {
    let scratch = four_days();
    let newest = |key, limit| tail(&scratch.state, Stream::Transitions, key, limit).unwrap();
    assert_eq!(places(&newest(None, 2)), [("2027-01-18.jsonl", 2), ("2027-01-18.jsonl", 3)]);
    let pushes = newest(Some("code.auto_push"), 2);
    assert_eq!(places(&pushes), [("2027-01-17.jsonl", 3), ("2027-01-18.jsonl", 3)]);
    assert_eq!(pushes.cut, None, "fewer were asked for");
    assert_eq!(newest(Some("code.auto_push"), 100).entries.len(), 4);
    assert_eq!(newest(Some("no.such_key"), 100).entries, []);
    assert_eq!(newest(None, 0).entries, []);
}

#[test]
fn recent_days_count_back_from_today_and_hide_no_day_to_come() {
    let scratch = four_days();
    let lines = |days, now_ms| {
        let found = tail_recent_days(&scratch.state, Stream::Transitions, days, now_ms).unwrap();
        found.entries.len()
    };
    let last_ms = START_MS + 3 * DAY_MS;
    assert_eq!([0, 1, 2, 4, 5, u32::MAX].map(|days| lines(days, last_ms)), [0, 3, 6, 12, 12, 12]);
    assert_eq!(lines(1, START_MS), 12, "the clock went back three days");
    assert_eq!(lines(1, last_ms + DAY_MS), 0);
}

#[test]
fn transitions_of_a_key_are_counted_by_result() {
    let scratch = four_days();
    let counts = |key| count_for(&scratch.state, key).unwrap();
    assert_eq!(counts("email.auto_send"), Counts { ok: 4, denied: 4, cut: None });
    assert_eq!(counts("code.auto_push"), Counts { ok: 4, denied: 0, cut: None });
    assert_eq!(counts("no.such_key"), Counts::default());
    assert_eq!(count_for(&Scratch::new().state, "code.auto_push").unwrap(), Counts::default());
}

#[test]
fn more_transitions_are_counted_than_one_answer_may_have() {
    let scratch = Scratch::new();
    Transitions::of(&scratch.state).append(&vec![loosened("a"); READ_LINES_MAX + 1], START_MS).unwrap();
    let counts = count_for(&scratch.state, "email.auto_send").unwrap();
    assert_eq!(counts, Counts { ok: READ_LINES_MAX as u64 + 1, denied: 0, cut: None });
}

#[test]
fn every_member_picks_the_lines_that_have_it() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let with = |member: Member, value: &str| Line::new(Json::object([(member.as_str(), Json::text(value))])).unwrap();
    let lines: Vec<Line> =
        Member::ALL.into_iter().flat_map(|member| [with(member, "yes"), with(member, "no")]).collect();
    decisions.append(&lines, START_MS).unwrap();
    for (index, member) in Member::ALL.into_iter().enumerate() {
        let found = answer(&scratch.state, Stream::Decisions, &Filter::all().with(member, "yes")).unwrap();
        assert_eq!(places(&found), [(FIRST_FILE, 2 * index as u64 + 1)], "{member:?}");
    }
    let both = Filter::all().with(Member::Actor, "yes").with(Member::Tool, "yes");
    assert_eq!(answer(&scratch.state, Stream::Decisions, &both).unwrap().entries, []);
}

#[test]
fn an_answer_that_leaves_lines_out_says_so_and_a_whole_one_does_not() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    decisions.append(&vec![line("next"); READ_LINES_MAX], START_MS + DAY_MS).unwrap();
    let all = || answer(&scratch.state, Stream::Decisions, &Filter::all()).unwrap();
    assert_eq!((all().entries.len(), all().cut), (READ_LINES_MAX, None));
    decisions.append(&[line("over")], START_MS + 2 * DAY_MS).unwrap();
    assert_eq!((all().entries.len(), all().cut), (READ_LINES_MAX, Some(Cut::Lines)));
    let as_many = Filter::last(READ_LINES_MAX);
    assert_eq!(answer(&scratch.state, Stream::Decisions, &as_many).unwrap().cut, None, "no more were asked for");
    assert!(Cut::Lines.text().contains("10000"));
}

#[test]
fn text_that_a_terminal_obeys_is_escaped_in_a_line_and_read_back_as_it_was() {
    let scratch = Scratch::new();
    let hostile = "\u{9b}2J \u{202e}evil \u{200b} \u{e0041} \u{7f} \u{e9}";
    Decisions::of(&scratch.state).append(&[line(hostile)], START_MS).unwrap();
    let entries = holdpoint_store::read(&scratch.state, Stream::Decisions, &Filter::last(1)).unwrap();
    assert_eq!(entries[0].value["note"], hostile);
    let shown = "\\u009b2J \\u202eevil \\u200b \\udb40\\udc41 \\u007f \u{e9}";
    assert!(entries[0].text.contains(shown), "{}", entries[0].text);
    assert!(holdpoint_store::verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn an_answer_that_is_cut_by_its_bytes_has_no_gap() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let long = line(&"n".repeat(LINE_BYTES_MAX - 2_048));
    let most = READ_BYTES_MAX / (LINE_BYTES_MAX - 2_048) - 2;
    // The short lines would fit behind the long one that does not.
    decisions.append(&[line("short"), long.clone(), long.clone()], START_MS).unwrap();
    decisions.append(&vec![long; most], START_MS + DAY_MS).unwrap();
    let found = answer(&scratch.state, Stream::Decisions, &Filter::all()).unwrap();
    assert_eq!(found.cut, Some(Cut::Bytes));
    let expected_first = (FIRST_FILE, 3);
    assert_eq!(places(&found).first(), Some(&expected_first));
    assert_eq!(found.entries.len(), most + 1);
    let newest = answer(&scratch.state, Stream::Decisions, &Filter::last(most)).unwrap();
    assert_eq!((newest.entries.len(), newest.cut), (most, None));
}

#[test]
fn a_line_that_is_too_long_to_be_read_is_told_with_its_place() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    transitions.append(&[loosened("a")], START_MS).unwrap();
    transitions.append(&[loosened("b")], START_MS + DAY_MS).unwrap();
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(format!("{}\n", "x".repeat(LINE_BYTES_MAX + 1)).as_bytes()).unwrap();
    let cut = Some(Cut::Unreadable { file: FIRST_FILE.into(), line: 2 });
    let found = answer(&scratch.state, Stream::Transitions, &Filter::all()).unwrap();
    assert_eq!(places(&found), [(FIRST_FILE, 1), ("2027-01-16.jsonl", 1)]);
    assert_eq!(found.cut, cut);
    assert!(cut.as_ref().unwrap().text().contains("from line 2 on"));
    assert_eq!(count_for(&scratch.state, "email.auto_send").unwrap(), Counts { ok: 2, denied: 0, cut });
}
