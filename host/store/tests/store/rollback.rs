//! Streams that are cut off, replaced or deleted: seen by a check, and by every call that would gain from it.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use holdpoint_core::grant::Terms;
use holdpoint_core::journal::Head;
use holdpoint_core::ports::{Meter, Shortage};
use holdpoint_core::registry::own_registry;
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::transition::{Loosening, Password, Typing};
use holdpoint_core::uses::{Budget, Use};
use holdpoint_core::words::Word;
use holdpoint_store::{By, Change, Counting, Decisions, Stream, ToggleStates, Transitions, Uses, verify};

const KEY: ToggleKey = ToggleKey::CodeAutoPush;

fn change(scratch: &Scratch, wanted: &str, at_ms: u64) {
    let registry = own_registry().unwrap();
    let toggle = registry.get(KEY.as_str()).unwrap();
    let phrase = toggle.declaration().phrase.to_string();
    let asked =
        |phrase| Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms: Terms::default() };
    let change = match wanted {
        "tighten" => Change::Tighten,
        "loosen" => Change::Loosen(asked(phrase)),
        _ => Change::Loosen(asked("a wrong phrase".to_owned())),
    };
    // A change can be refused without a line, which is for the caller to see.
    let _ = Transitions::of(&scratch.state).change(&registry, toggle, &change, &By::default(), at_ms);
}

fn states(scratch: &Scratch, now_ms: u64) -> ToggleStates {
    Transitions::of(&scratch.state).toggles(&own_registry().unwrap(), now_ms)
}

fn is_loose(scratch: &Scratch, now_ms: u64) -> bool {
    states(scratch, now_ms).loosened(now_ms).keys() == Permissive::of(&[KEY])
}

fn decide(scratch: &Scratch, at_ms: u64) {
    Decisions::of(&scratch.state).append(&[line("decided")], at_ms).unwrap();
}

fn wanted() -> Vec<Use> {
    vec![Use { key: KEY, count: 1, daily: None, budget: Some(Budget { uses: 5, since_ms: START_MS }) }]
}

fn take(scratch: &Scratch, at_ms: u64) -> bool {
    Uses::of(&scratch.state, Counting::Take).reserve(&wanted(), &format!("call {at_ms}"), at_ms).is_ok()
}

/// Takes the last line of a file away and returns the whole text.
fn cut_last_line(scratch: &Scratch, stream: Stream, name: &str) -> String {
    let path = scratch.file(stream, name);
    let text = std::fs::read_to_string(&path).unwrap();
    let last = text.trim_end().rfind('\n').map_or(0, |line_feed| line_feed + 1);
    std::fs::write(&path, text.get(..last).unwrap()).unwrap();
    text
}

/// Loosened, tightened, and a decision behind that.
fn tightened() -> Scratch {
    let scratch = Scratch::new();
    decide(&scratch, START_MS);
    change(&scratch, "loosen", START_MS);
    assert!(is_loose(&scratch, START_MS));
    change(&scratch, "tighten", START_MS + 1);
    decide(&scratch, START_MS + 2);
    assert!(!is_loose(&scratch, START_MS + 3) && states(&scratch, START_MS + 3).problem.is_none());
    assert!(verify(&scratch.state).unwrap().is_intact());
    scratch
}

#[test]
fn a_tightening_that_is_cut_off_is_seen_and_leaves_the_toggle_restrictive() {
    let scratch = tightened();
    cut_last_line(&scratch, Stream::Transitions, FIRST_FILE);
    let states = states(&scratch, START_MS + 3);
    let expected = "the last line of the decisions' `2027-01-15.jsonl` names number 2 of the transitions, which is not \
                    there: the transitions were cut off or replaced: every toggle is restrictive";
    assert_eq!(states.problem.as_deref(), Some(expected));
    assert!(!is_loose(&scratch, START_MS + 3));
    let verification = verify(&scratch.state).unwrap();
    assert!(!verification.is_intact());
    let lost = verification.first_lost_head.unwrap();
    assert_eq!((lost.file.as_str(), lost.line, lost.stream, lost.head.seq), (FIRST_FILE, 2, Stream::Transitions, 2));
}

#[test]
fn no_later_call_and_no_later_transition_covers_up_what_was_cut_off() {
    let scratch = tightened();
    let text = cut_last_line(&scratch, Stream::Transitions, FIRST_FILE);
    for step in 3..20 {
        decide(&scratch, START_MS + step);
        change(&scratch, "wrong", START_MS + step);
        change(&scratch, "tighten", START_MS + step);
        decide(&scratch, START_MS + step + DAY_MS * (step / 10));
        assert!(states(&scratch, START_MS + step).problem.is_some(), "{step}");
        assert!(!verify(&scratch.state).unwrap().is_intact(), "{step}");
    }
    std::fs::write(scratch.file(Stream::Transitions, FIRST_FILE), text).unwrap();
    assert_eq!(states(&scratch, START_MS + 30).problem, None, "what is put back is there again");
    assert!(verify(&scratch.state).unwrap().first_lost_head.is_none());
}

#[test]
fn transitions_that_are_deleted_or_made_anew_are_seen() {
    for made_anew in [false, true] {
        let scratch = tightened();
        std::fs::remove_dir_all(scratch.file(Stream::Transitions, "")).unwrap();
        if made_anew {
            let other = Scratch::new();
            for (step, wanted) in ["tighten", "tighten", "loosen"].into_iter().enumerate() {
                change(&other, wanted, START_MS + step as u64);
            }
            std::fs::rename(other.file(Stream::Transitions, ""), scratch.file(Stream::Transitions, "")).unwrap();
        }
        for step in 3..6 {
            assert!(states(&scratch, START_MS + step).problem.is_some(), "{made_anew} {step}");
            assert!(!is_loose(&scratch, START_MS + step));
            decide(&scratch, START_MS + step);
        }
        assert!(!verify(&scratch.state).unwrap().is_intact());
    }
}

#[test]
fn uses_that_are_deleted_or_cut_off_mean_used_up() {
    let whole = Scratch::new();
    for day in 0..3 {
        assert!(take(&whole, START_MS + day * DAY_MS));
        decide(&whole, START_MS + day * DAY_MS);
    }
    assert!(verify(&whole.state).unwrap().is_intact());
    let files = [FIRST_FILE, "2027-01-16.jsonl", "2027-01-17.jsonl"];
    let at_ms = START_MS + 2 * DAY_MS;
    for gone in [&files[..], &files[..1], &files[1..2], &files[2..], &files[..2], &files[1..]] {
        let kept: Vec<Vec<u8>> =
            files.iter().map(|name| std::fs::read(whole.file(Stream::Uses, name)).unwrap()).collect();
        gone.iter().for_each(|name| std::fs::remove_file(whole.file(Stream::Uses, name)).unwrap());
        for look in [Counting::Look, Counting::Take] {
            let reserved = Uses::of(&whole.state, look).reserve(&wanted(), "later", at_ms);
            assert_eq!(reserved.map_err(Shortage::keys), Err(Permissive::of(&[KEY])), "{gone:?}");
        }
        assert_eq!(Uses::of(&whole.state, Counting::Look).today(KEY, at_ms).is_none(), gone != &files[..1]);
        decide(&whole, at_ms);
        assert!(!take(&whole, at_ms), "a decision does not cover it up: {gone:?}");
        assert!(!verify(&whole.state).unwrap().is_intact(), "{gone:?}");
        for (name, bytes) in files.iter().zip(kept) {
            std::fs::write(whole.file(Stream::Uses, name), bytes).unwrap();
        }
    }
    assert!(take(&whole, at_ms), "what is put back is there again");
    decide(&whole, at_ms);
    cut_last_line(&whole, Stream::Uses, files[2]);
    assert!(!take(&whole, at_ms));
    assert!(!verify(&whole.state).unwrap().is_intact());
}

#[test]
fn a_use_long_ago_is_found_in_front_of_what_is_counted() {
    let scratch = Scratch::new();
    assert!(take(&scratch, START_MS));
    decide(&scratch, START_MS);
    // Uses without a decision behind them, as calls leave them that were killed.
    for day in 1..4 {
        assert!(take(&scratch, START_MS + day * DAY_MS), "{day}");
    }
    let daily = [Use { key: KEY, count: 1, daily: Some(1), budget: None }];
    let uses = Uses::of(&scratch.state, Counting::Look);
    assert_eq!(uses.reserve(&daily, "x", START_MS + 9 * DAY_MS), Ok(()));
    std::fs::remove_file(scratch.file(Stream::Uses, FIRST_FILE)).unwrap();
    assert!(uses.reserve(&daily, "x", START_MS + 9 * DAY_MS).is_err());
}

#[test]
fn a_decision_names_what_is_far_in_front_of_the_end_of_a_stream_and_many_lines_later() {
    let scratch = tightened();
    for step in 0..400 {
        change(&scratch, "tighten", START_MS + 10 + step * DAY_MS / 200);
    }
    decide(&scratch, START_MS + 3 * DAY_MS);
    let text = std::fs::read_to_string(scratch.file(Stream::Decisions, "2027-01-18.jsonl")).unwrap();
    assert!(text.contains("\"heads\":{\"transitions\":{\"seq\":402,"), "{text}");
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn a_record_from_before_there_were_heads_goes_on_and_is_guarded_from_then_on() {
    let scratch = Scratch::new();
    decide(&scratch, START_MS);
    let (old, _) = line("old").seal(Head::START);
    std::fs::write(scratch.file(Stream::Decisions, FIRST_FILE), old + "\n").unwrap();
    change(&scratch, "loosen", START_MS);
    assert!(verify(&scratch.state).unwrap().first_lost_head.is_none());
    assert!(is_loose(&scratch, START_MS));
    change(&scratch, "tighten", START_MS + 1);
    decide(&scratch, START_MS + 2);
    cut_last_line(&scratch, Stream::Transitions, FIRST_FILE);
    assert!(!is_loose(&scratch, START_MS + 3) && states(&scratch, START_MS + 3).problem.is_some());
}

#[test]
fn a_lock_that_is_deleted_or_names_another_day_hides_nothing() {
    for hint in [None, Some("2027-01-15"), Some("2027-01-14"), Some("nonsense")] {
        let scratch = tightened();
        change(&scratch, "tighten", START_MS + DAY_MS);
        decide(&scratch, START_MS + DAY_MS);
        std::fs::remove_file(scratch.file(Stream::Transitions, "2027-01-16.jsonl")).unwrap();
        for stream in [Stream::Decisions, Stream::Transitions] {
            match hint {
                None => std::fs::remove_file(scratch.file(stream, "lock")).unwrap(),
                Some(hint) => std::fs::write(scratch.file(stream, "lock"), hint).unwrap(),
            }
        }
        assert!(states(&scratch, START_MS + DAY_MS).problem.is_some(), "{hint:?}");
        decide(&scratch, START_MS + DAY_MS);
        assert!(states(&scratch, START_MS + DAY_MS).problem.is_some(), "{hint:?}");
    }
}
