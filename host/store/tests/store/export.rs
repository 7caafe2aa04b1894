//! Exports: what they hold, what their check sees without the store, and when there is none.

use crate::asking::asking;
use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use crate::transitions::{denied, loosened};
use holdpoint_core::approval::Via;
use holdpoint_core::asking::Strength;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::{Head, LINE_BYTES_MAX, Line};
use holdpoint_core::json::Json;
use holdpoint_core::ports::Approvals as _;
use holdpoint_core::ports::{Meter, Settled};
use holdpoint_core::posture::Freeze;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::uses::Use;
use holdpoint_store::content::Content;
use holdpoint_store::document::{ANCHORS_MAX, DocumentError, HEADER_BYTES_MAX};
use holdpoint_store::export::ExportError;
use holdpoint_store::{Answerer, Approvals, Frozen, Holds, Says, Step, Trust, TrustChange};
use holdpoint_store::{
    Counting, Day, Decisions, ExportReport, Range, Stream, Transitions, Uses, export, verify, verify_export,
};
use std::io::{self, Write};

fn try_export(scratch: &Scratch, stream: Stream, range: Range) -> Result<(ExportReport, String), ExportError> {
    let mut document = Vec::new();
    let report = export(&scratch.state, stream, range, &mut document)?;
    Ok((report, String::from_utf8(document).unwrap()))
}

fn numbers(first: u64, last: u64) -> Range {
    Range::Numbers { first, last: Some(last) }
}

fn days(since: &str, until: &str) -> Range {
    Range::Days { since: Day::parse(since), until: Day::parse(until) }
}

/// The document of some decisions.
fn decisions_of(scratch: &Scratch, range: Range) -> String {
    try_export(scratch, Stream::Decisions, range).unwrap().1
}

/// Six decisions over three days, and a transition behind the second and the fourth of them.
fn filled() -> Scratch {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let transitions = Transitions::of(&scratch.state);
    for (number, day) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (6, 3)] {
        decisions.append(&[line(&format!("note {number}"))], START_MS + day * DAY_MS).unwrap();
        if number == 2 || number == 4 {
            transitions.append(&[loosened("a"), denied("b")], START_MS + day * DAY_MS).unwrap();
        }
    }
    scratch
}

fn check(document: &str) -> Result<ExportReport, DocumentError> {
    verify_export(document.as_bytes())
}

/// The number of the document's line at which a change is seen.
fn seen_at(document: &str) -> Option<u64> {
    match check(document).unwrap_err() {
        DocumentError::Line { line, .. } => Some(line),
        DocumentError::Short { .. } => None,
        DocumentError::Io(error) => panic!("{error}"),
    }
}

fn lines(document: &str) -> Vec<&str> {
    document.split_inclusive('\n').collect()
}

/// The document with another first line, whose hash is right.
fn with_header(document: &str, change: impl Fn(&str) -> String) -> String {
    let (header, rest) = document.split_once('\n').unwrap();
    let (body, _) = header.rsplit_once(",\"hash\":").unwrap();
    let body = change(body);
    let hash = Digest::of_parts("holdpoint export 1", &[body.as_bytes()]);
    format!("{body},\"hash\":\"{hash}\"}}\n{rest}")
}

#[test]
fn a_document_has_the_lines_byte_for_byte_and_verifies_without_the_store() {
    let scratch = filled();
    let (report, document) = try_export(&scratch, Stream::Decisions, Range::ALL).unwrap();
    let files = [FIRST_FILE, "2027-01-16.jsonl", "2027-01-18.jsonl"];
    let whole: String =
        files.iter().map(|name| std::fs::read_to_string(scratch.file(Stream::Decisions, name)).unwrap()).collect();
    assert_eq!(document.split_once('\n').unwrap().1, whole);
    assert_eq!(check(&document).unwrap(), report);
    assert_eq!(report.before, Head::START);
    assert_eq!(report.after, verify(&scratch.state).unwrap().decisions.head);
    assert_eq!(report.anchors.iter().map(|anchor| anchor.seq).collect::<Vec<_>>(), [2, 4]);
    drop(scratch);
    assert!(check(&document).is_ok());
}

#[test]
fn a_range_is_given_by_days_or_by_numbers() {
    let scratch = filled();
    let range = |range| {
        let (report, document) = try_export(&scratch, Stream::Decisions, range).unwrap();
        assert_eq!(check(&document).unwrap(), report, "{range:?}");
        let anchors: Vec<u64> = report.anchors.iter().map(|anchor| anchor.seq).collect();
        (report.before.seq + 1, report.after.seq, anchors)
    };
    assert_eq!(range(numbers(1, 6)), (1, 6, vec![2, 4]));
    assert_eq!(range(numbers(3, 3)), (3, 3, vec![]));
    assert_eq!(range(numbers(4, 5)), (4, 5, vec![4]));
    assert_eq!(range(Range::Numbers { first: 5, last: None }), (5, 6, vec![]));
    assert_eq!(range(days("2027-01-16", "2027-01-17")), (3, 5, vec![4]));
    assert_eq!(range(days("", "2027-01-16")), (1, 5, vec![2, 4]));
    assert_eq!(range(days("2027-01-17", "")), (6, 6, vec![]));
}

#[test]
fn transitions_are_exported_the_same_way() {
    let scratch = filled();
    let (report, document) = try_export(&scratch, Stream::Transitions, numbers(2, 4)).unwrap();
    assert_eq!((report.stream, report.anchors.len()), (Stream::Transitions, 0));
    assert_eq!(check(&document).unwrap(), report);
    assert_eq!(lines(&document).len(), 4);
}

/// A line of each stream, as its writer makes it, and the settling of a use.
fn of_every_stream() -> Scratch {
    let scratch = Scratch::new();
    let uses = Uses::of(&scratch.state, Counting::Take);
    let wanted = [Use { key: ToggleKey::EmailAutoSend, count: 1, daily: Some(9), budget: None }];
    uses.reserve(&wanted, "a", START_MS).unwrap();
    uses.settle("a", Settled::Done, START_MS).unwrap();
    let content = Content::of(&scratch.state);
    content.confirm(&["other".to_owned()], "cli", START_MS).unwrap();
    content.confirm(&["digest".to_owned()], "cli", START_MS).unwrap();
    let (binding, judged) = asking("rm a", "run", Strength::Keypress, START_MS);
    let id = Approvals::of(&scratch.state).open(&binding, &judged).unwrap().id;
    let who = Answerer { by: "ana".to_owned(), via: Via::Terminal, strength: Strength::Keypress };
    Approvals::of(&scratch.state).answer(&id, &Says::Allow, &who, START_MS).unwrap();
    let freeze = Freeze { by: "ana".to_owned(), why: "incident".to_owned(), since_ms: START_MS };
    Holds::of(&scratch.state).freeze(&Frozen { freeze, owner: None }, START_MS).unwrap();
    Holds::of(&scratch.state).thaw("ana", "over", START_MS).unwrap();
    let floor = |release: u64| Step::Floor { name: "acme-sql".to_owned(), release };
    let floors = Trust::of(&scratch.state).change("ana", START_MS, |_| vec![floor(1), floor(2)]).unwrap();
    assert!(matches!(floors, TrustChange::Done(_)));
    Decisions::of(&scratch.state).append(&[line("one"), line("two")], START_MS).unwrap();
    Transitions::of(&scratch.state).append(&[loosened("a"), denied("b")], START_MS).unwrap();
    scratch
}

#[test]
fn every_stream_is_exported_and_none_passes_for_another() {
    let scratch = of_every_stream();
    for stream in Stream::ALL {
        let (report, document) = try_export(&scratch, stream, Range::ALL).unwrap();
        assert_eq!(check(&document).unwrap(), report);
        assert_eq!((report.stream, lines(&document).len()), (stream, 3));
        for other in Stream::ALL {
            let name = |stream: Stream| format!("\"stream\":\"{}\"", stream.folder_name());
            let relabelled = with_header(&document, |body| body.replacen(&name(stream), &name(other), 1));
            let seen = (other != stream).then_some(2);
            assert_eq!(
                check(&relabelled).is_err().then(|| seen_at(&relabelled).unwrap()),
                seen,
                "{stream:?} {other:?}"
            );
        }
    }
}

#[test]
fn a_line_of_no_known_stream_proves_nothing() {
    let text = |text: &str| Json::text(text);
    let anchor = || Json::object([("seq", Json::count(0)), ("hash", text(&Digest::ZERO.hex()))]);
    let lines = [
        Json::object([("note", text("no kind"))]),
        Json::object([("kind", text("unheard of"))]),
        Json::object([("kind", Json::Null), ("anchor", anchor())]),
        Json::object([("kind", text("decision")), ("anchor", anchor())]),
        Json::object([("anchor", text("none"))]),
    ];
    for line in lines {
        let scratch = Scratch::new();
        Decisions::of(&scratch.state).append(&[Line::new(line.clone()).unwrap()], START_MS).unwrap();
        let document = decisions_of(&scratch, Range::ALL);
        let expected = "line 2 of the document is from no stream that this version knows";
        assert_eq!(check(&document).unwrap_err().to_string(), expected, "{line:?}");
    }
}

#[test]
fn a_range_without_lines_or_past_the_end_is_refused() {
    let scratch = filled();
    let refused = |range| {
        let error = try_export(&scratch, Stream::Decisions, range).unwrap_err();
        assert!(!error.help().is_empty());
        error.to_string()
    };
    let empty = "none of the decisions is in the range: their numbers go up to 6";
    assert_eq!(refused(days("2027-01-17", "2027-01-17")), empty);
    assert_eq!(refused(Range::Numbers { first: 7, last: None }), empty);
    assert_eq!(refused(numbers(5, 7)), "the decisions end with number 6, and number 7 was asked for");
    for range in [numbers(5, 4), numbers(0, 0), days("2027-01-16", "2027-01-15"), days("", "2026-01-01")] {
        assert!(refused(range).starts_with("none of the decisions"), "{range:?}");
    }
    let none = try_export(&Scratch::new(), Stream::Decisions, Range::ALL).unwrap_err();
    assert!(matches!(none, ExportError::Empty { end: 0, .. }));
}

#[test]
fn a_broken_chain_is_exported_only_in_front_of_the_break() {
    let scratch = filled();
    let path = scratch.file(Stream::Decisions, "2027-01-16.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("note 4", "note 9")).unwrap();
    for range in [Range::ALL, numbers(4, 4), numbers(6, 6), days("2027-01-16", ""), days("2027-01-18", "")] {
        let error = try_export(&scratch, Stream::Decisions, range).unwrap_err();
        let expected = "line 2 of the decisions' `2027-01-16.jsonl` does not match its own hash: \
                        nothing behind it can be proved";
        assert_eq!(error.to_string(), expected, "{range:?}");
    }
    for range in [numbers(1, 3), days("", "2027-01-15")] {
        assert!(check(&decisions_of(&scratch, range)).is_ok(), "{range:?}");
    }
}

#[test]
fn a_torn_end_is_not_exported() {
    let scratch = filled();
    let path = scratch.file(Stream::Decisions, "2027-01-18.jsonl");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(b"{\"seq\":7").unwrap();
    assert_eq!(check(&decisions_of(&scratch, Range::ALL)).unwrap().after.seq, 6);
}

#[test]
fn decisions_that_were_replaced_or_cut_off_behind_a_transition_are_refused() {
    let scratch = filled();
    let lost = |scratch: &Scratch, range| match try_export(scratch, Stream::Decisions, range) {
        Err(ExportError::LostAnchor { seq }) => Some(seq),
        Err(error) => panic!("{error}"),
        Ok(_) => None,
    };
    for name in ["2027-01-16.jsonl", "2027-01-18.jsonl"] {
        std::fs::remove_file(scratch.file(Stream::Decisions, name)).unwrap();
    }
    assert_eq!(lost(&scratch, Range::ALL), Some(4), "two are left, and four were there");
    assert_eq!(lost(&scratch, numbers(1, 2)), None);
    std::fs::remove_dir_all(scratch.file(Stream::Decisions, "")).unwrap();
    Decisions::of(&scratch.state).append(&[line("made up"), line("later"), line("x"), line("y")], START_MS).unwrap();
    assert_eq!(lost(&scratch, Range::ALL), Some(2));
}

#[test]
fn a_change_of_any_byte_is_seen() {
    let scratch = filled();
    for (stream, range) in [(Stream::Decisions, numbers(2, 4)), (Stream::Transitions, numbers(2, 3))] {
        let document = try_export(&scratch, stream, range).unwrap().1.into_bytes();
        for index in 0..document.len() {
            for flip in [1, 0x20, 0x80] {
                let mut changed = document.clone();
                changed[index] ^= flip;
                assert!(verify_export(changed.as_slice()).is_err(), "byte {index}, {flip}");
            }
        }
    }
}

#[test]
fn a_document_that_ends_early_is_seen_wherever_it_ends() {
    let document = decisions_of(&filled(), numbers(2, 4));
    for length in 0..document.len() {
        assert!(verify_export(document.as_bytes().get(..length).unwrap()).is_err(), "{length}");
    }
    let short = lines(&document)[..3].concat();
    let expected = "the document ends behind number 3, and its first line promises numbers up to 4";
    assert_eq!(check(&short).unwrap_err().to_string(), expected);
    assert!(!check(&short).unwrap_err().help().is_empty());
}

#[test]
fn a_line_that_is_removed_repeated_moved_or_added_is_seen_at_its_place() {
    let scratch = filled();
    let document = decisions_of(&scratch, numbers(2, 5));
    let whole = lines(&document);
    for index in 1..whole.len() {
        let mut removed = whole.clone();
        removed.remove(index);
        let last = index == whole.len() - 1;
        assert_eq!(seen_at(&removed.concat()), (!last).then_some(index as u64 + 1), "removed {index}");
        let mut repeated = whole.clone();
        repeated.insert(index, whole[index]);
        assert_eq!(seen_at(&repeated.concat()), Some(index as u64 + 2), "repeated {index}");
        for other in index + 1..whole.len() {
            let mut swapped = whole.clone();
            swapped.swap(index, other);
            assert_eq!(seen_at(&swapped.concat()), Some(index as u64 + 1), "swapped {index} and {other}");
        }
    }
    // Lines of the same journal that were not asked for, and what is no line.
    let all = decisions_of(&scratch, Range::ALL);
    let (first, sixth) = (lines(&all)[1], lines(&all)[6]);
    assert_eq!(seen_at(&format!("{document}{sixth}")), Some(6));
    assert_eq!(seen_at(&[&[whole[0], first], &whole[1..]].concat().concat()), Some(2));
    assert_eq!(seen_at(&format!("{document}\n")), Some(6));
    assert_eq!(seen_at(&document.replace('\n', "\r\n")), Some(1));
    assert_eq!(seen_at(&whole[1..].concat()), Some(1), "no first line");
    assert_eq!(seen_at(""), Some(1));
}

#[test]
fn a_first_line_that_is_made_up_with_a_right_hash_is_seen_at_the_lines() {
    let scratch = filled();
    let document = decisions_of(&scratch, numbers(2, 5));
    assert!(check(&with_header(&document, str::to_owned)).is_ok(), "the hash is that of the first line");
    let zeros = "0".repeat(64);
    let report = check(&document).unwrap();
    let made_up: [(&str, &str, String, Option<u64>); 8] = [
        ("stream", "\"decisions\"", "\"transitions\"".into(), Some(2)),
        ("first", "\"first\":2", "\"first\":1".into(), Some(2)),
        ("first", "\"first\":2", "\"first\":0".into(), Some(1)),
        ("last", "\"last\":5", "\"last\":4".into(), Some(5)),
        ("last", "\"last\":5", "\"last\":6".into(), None),
        ("before", &report.before.hash.hex(), zeros.clone(), Some(2)),
        ("after", &report.after.hash.hex(), zeros.clone(), Some(5)),
        ("anchor", &report.anchors[1].hash.hex(), zeros, Some(4)),
    ];
    for (what, from, to, expected) in made_up {
        let changed = with_header(&document, |body| body.replacen(from, &to, 1));
        assert_ne!(changed, document, "{what}");
        assert_eq!(seen_at(&changed), expected, "{what}");
    }
    for (from, to) in [("{\"holdpoint_export\":1", "{\"holdpoint_export\":2"), (",\"first\"", ", \"first\"")] {
        assert_eq!(seen_at(&with_header(&document, |body| body.replacen(from, to, 1))), Some(1), "{to}");
    }
}

#[test]
fn anchors_of_a_first_line_that_are_out_of_order_or_outside_prove_nothing() {
    let document = decisions_of(&filled(), numbers(2, 5));
    let anchors = |text: &str| {
        with_header(&document, |body| format!("{},\"anchors\":[{text}]", body.split_once(",\"anchors\"").unwrap().0))
    };
    let zeros = "0".repeat(64);
    for seq in [0, 1, 6] {
        assert_eq!(seen_at(&anchors(&format!("{{\"seq\":{seq},\"hash\":\"{zeros}\"}}"))), Some(1), "{seq}");
    }
    let anchor = |head: &Head| format!("{{\"seq\":{},\"hash\":\"{}\"}}", head.seq, head.hash);
    let right = check(&document).unwrap().anchors;
    let backwards = format!("{},{}", anchor(&right[1]), anchor(&right[0]));
    assert_eq!(seen_at(&anchors(&backwards)), Some(1));
}

#[test]
fn lines_just_over_their_bounds_are_refused_without_being_held() {
    let document = decisions_of(&filled(), numbers(2, 5));
    let whole = lines(&document);
    let error = |document: &str| check(document).unwrap_err().to_string();
    assert_eq!(error(&"x".repeat(HEADER_BYTES_MAX + 1)), "line 1 of the document is too long");
    assert_eq!(
        error(&format!("{}\n", "x".repeat(HEADER_BYTES_MAX))),
        "line 1 of the document is not the first line of an export"
    );
    let over = |bytes: usize| format!("{}{}\n", whole[0], "x".repeat(bytes));
    assert_eq!(error(&over(LINE_BYTES_MAX + 1)), "line 2 of the document is too long");
    assert_eq!(error(&over(LINE_BYTES_MAX)), "line 2 of the document is not a journal line");
}

#[test]
fn of_one_anchor_too_many_the_newest_are_kept() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let transitions = Transitions::of(&scratch.state);
    for _ in 0..=ANCHORS_MAX {
        decisions.append(&[line("one")], START_MS).unwrap();
        transitions.append(&[denied("b")], START_MS).unwrap();
    }
    let (report, document) = try_export(&scratch, Stream::Decisions, Range::ALL).unwrap();
    assert_eq!(report.anchors.len(), ANCHORS_MAX);
    assert_eq!(report.anchors[0].seq, 2);
    assert_eq!(check(&document).unwrap(), report);
}

#[test]
fn a_place_that_takes_no_more_bytes_makes_the_export_fail() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let scratch = filled();
    let bytes = decisions_of(&scratch, Range::ALL).len();
    assert!(export(&scratch.state, Stream::Decisions, Range::ALL, &mut Full(bytes)).is_ok());
    for room in [0, 10, bytes / 2, bytes - 1] {
        let error = export(&scratch.state, Stream::Decisions, Range::ALL, &mut Full(room)).unwrap_err();
        assert!(matches!(error, ExportError::Write(_)), "{error}");
    }
}
