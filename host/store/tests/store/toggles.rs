//! Toggles: changed under a lock, written down before anybody is told, and read back from nothing but the record.

use crate::scratch::{DAY_MS, START_MS, Scratch};
use holdpoint_core::grant::{Cap, Hours, Terms};
use holdpoint_core::registry::{Registry, SafetyToggle, ToggleState, own_registry};
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::transition::{Loosening, Password, Record, Refusal, Typing};
use holdpoint_store::toggles::LOOK_BACK_MS;
use holdpoint_store::{By, Change, Changed, Filter, Stream, ToggleStates, Transition, Transitions, read, verify};

const KEY: &str = "code.auto_push";

fn registry() -> Registry {
    own_registry().unwrap()
}

fn toggle(key: &str) -> SafetyToggle {
    registry().get(key).unwrap().clone()
}

fn asked(key: &str) -> Loosening {
    let phrase = toggle(key).declaration().phrase.to_string();
    Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms: Terms::default() }
}

fn loosening(key: &str) -> Change {
    Change::Loosen(asked(key))
}

fn by() -> By {
    By { actor: "operator".into(), ..By::default() }
}

fn change(scratch: &Scratch, key: &str, change: &Change, now_ms: u64) -> Changed {
    Transitions::of(&scratch.state).change(&registry(), &toggle(key), change, &by(), now_ms).unwrap()
}

fn states(scratch: &Scratch, now_ms: u64) -> ToggleStates {
    Transitions::of(&scratch.state).toggles(&registry(), now_ms)
}

fn loosened(scratch: &Scratch, now_ms: u64) -> Permissive {
    states(scratch, now_ms).loosened(now_ms).keys()
}

fn lines(scratch: &Scratch) -> Vec<(String, String, String)> {
    let entries = read(&scratch.state, Stream::Transitions, &Filter::last(1_000)).unwrap();
    let text = |entry: &holdpoint_store::Entry, key: &str| entry.value[key].as_str().unwrap_or("").to_owned();
    entries.iter().map(|entry| (text(entry, "key"), text(entry, "result"), text(entry, "reason"))).collect()
}

#[test]
fn a_loosened_toggle_is_permissive_for_every_process_and_tightening_ends_it() {
    let scratch = Scratch::new();
    assert_eq!(states(&scratch, START_MS), ToggleStates::default());
    assert!(matches!(change(&scratch, KEY, &loosening(KEY), START_MS), Changed::Done(Record { .. })));
    assert_eq!(loosened(&scratch, START_MS), Permissive::of(&[ToggleKey::CodeAutoPush]));
    change(&scratch, KEY, &Change::Tighten, START_MS + 1);
    assert_eq!(loosened(&scratch, START_MS + 1), Permissive::EMPTY);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn every_refusal_is_written_down_with_its_reason_and_changes_nothing() {
    let scratch = Scratch::new();
    let right = asked(KEY);
    let wrong = [
        (Loosening { typing: Typing::Pasted, ..right.clone() }, Refusal::PasteDetected),
        (Loosening { phrase: "push".into(), ..right.clone() }, Refusal::PhraseMismatch),
        (Loosening { password: Password::NotGiven, ..right.clone() }, Refusal::ReauthMissing),
    ];
    for (asked, expected) in &wrong {
        let changed = change(&scratch, KEY, &Change::Loosen(asked.clone()), START_MS);
        assert_eq!(changed, Changed::Refused { refusal: *expected, wait_s: 0 });
    }
    change(&scratch, KEY, &Change::Loosen(right.clone()), START_MS);
    let again = change(&scratch, KEY, &Change::Loosen(right), START_MS + 1_000);
    assert_eq!(again, Changed::Refused { refusal: Refusal::Cooldown, wait_s: 119 });
    let told: Vec<String> =
        lines(&scratch).into_iter().map(|(_, result, reason)| format!("{result} {reason}")).collect();
    let expected =
        ["denied paste_detected", "denied phrase_mismatch", "denied reauth_missing", "ok loosen", "denied cooldown"];
    assert_eq!(told, expected);
}

#[test]
fn a_denied_line_never_loosens_and_holds_neither_phrase_nor_cap() {
    let scratch = Scratch::new();
    let asked = asked(KEY);
    let secret = "my secret phrase in the wrong field";
    change(&scratch, KEY, &Change::Loosen(Loosening { phrase: secret.into(), ..asked }), START_MS);
    assert_eq!(loosened(&scratch, START_MS), Permissive::EMPTY);
    let entries = read(&scratch.state, Stream::Transitions, &Filter::last(1)).unwrap();
    assert!(!entries[0].text.contains(secret) && entries[0].value.get("cap").is_none(), "{}", entries[0].text);
    assert_eq!(entries[0].value["phrase_hash"].as_str().map(str::len), Some(64));
}

#[test]
fn a_loosening_runs_out_after_seven_days_and_one_of_the_future_never_counts() {
    let scratch = Scratch::new();
    change(&scratch, KEY, &loosening(KEY), START_MS);
    let loose = |now_ms| loosened(&scratch, now_ms) != Permissive::EMPTY;
    assert!(loose(START_MS + LOOK_BACK_MS - 1));
    assert!(!loose(START_MS + LOOK_BACK_MS));
    assert!(!loose(START_MS - 1), "the clock went back behind the loosening");
    assert_eq!(LOOK_BACK_MS, 7 * DAY_MS);
}

#[test]
fn a_loosening_by_a_clock_that_is_ahead_begins_the_wait_unless_that_clock_was_wrong() {
    for (ahead_ms, expected) in [(1, true), (LOOK_BACK_MS - 1, true), (LOOK_BACK_MS, false)] {
        let scratch = Scratch::new();
        change(&scratch, KEY, &loosening(KEY), START_MS + ahead_ms);
        let again = change(&scratch, KEY, &loosening(KEY), START_MS);
        let waits = again == Changed::Refused { refusal: Refusal::Cooldown, wait_s: 120 };
        assert_eq!(waits, expected, "{ahead_ms}: {again:?}");
    }
}

#[test]
fn reset_tightens_what_a_clock_that_is_ahead_loosened() {
    for ahead_ms in [1, LOOK_BACK_MS] {
        let scratch = Scratch::new();
        change(&scratch, KEY, &loosening(KEY), START_MS + ahead_ms);
        let transitions = Transitions::of(&scratch.state);
        assert_eq!(transitions.reset(&registry(), &by(), START_MS).unwrap(), [KEY]);
        assert_eq!(transitions.reset(&registry(), &by(), START_MS).unwrap(), [""; 0]);
        assert_eq!(loosened(&scratch, START_MS + ahead_ms), Permissive::EMPTY);
    }
}

#[test]
fn a_broken_chain_makes_everything_restrictive_says_where_and_cannot_be_loosened() {
    let scratch = Scratch::new();
    change(&scratch, KEY, &loosening(KEY), START_MS);
    change(&scratch, "net.allow_outbound", &loosening("net.allow_outbound"), START_MS);
    let path = scratch.file(Stream::Transitions, "2027-01-15.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("operator", "intruder", 1)).unwrap();
    let found = states(&scratch, START_MS);
    assert_eq!(found.loosened(START_MS).keys(), Permissive::EMPTY);
    assert!(found.problem.as_deref().is_some_and(|problem| problem.contains("line 1")), "{found:?}");
    let later_ms = START_MS + DAY_MS;
    let denied = Transitions::of(&scratch.state).change(&registry(), &toggle(KEY), &loosening(KEY), &by(), later_ms);
    assert!(denied.unwrap_err().cause.contains("restrictive"));
    assert!(matches!(change(&scratch, KEY, &Change::Tighten, later_ms), Changed::Done(_)), "tightening always works");
}

#[test]
fn a_record_that_cannot_be_read_means_restrictive() {
    let scratch = Scratch::new();
    change(&scratch, KEY, &loosening(KEY), START_MS);
    let audit = scratch.state.path().join("audit");
    std::fs::rename(audit.join("transitions"), audit.join("away")).unwrap();
    std::fs::write(audit.join("transitions"), "").unwrap();
    let found = states(&scratch, START_MS);
    assert!(found.problem.is_some(), "{found:?}");
    assert_eq!(loosened(&scratch, START_MS), Permissive::EMPTY);
}

#[test]
fn reset_tightens_everything_at_once_and_nothing_twice() {
    let scratch = Scratch::new();
    for key in [KEY, "net.allow_outbound"] {
        change(&scratch, key, &loosening(key), START_MS);
    }
    let transitions = Transitions::of(&scratch.state);
    let reset = || transitions.reset(&registry(), &by(), START_MS + 1).unwrap();
    assert_eq!(reset(), ["code.auto_push", "net.allow_outbound"]);
    assert_eq!(reset(), [""; 0]);
    assert_eq!(loosened(&scratch, START_MS + 1), Permissive::EMPTY);
    assert_eq!(lines(&scratch).iter().filter(|(_, _, reason)| reason == "tighten").count(), 2);
}

#[test]
fn of_many_that_loosen_at_once_one_does_and_the_others_meet_the_cooldown() {
    let scratch = Scratch::new();
    let outcomes: Vec<Changed> = std::thread::scope(|scope| {
        let asks: Vec<_> = (0..24).map(|_| scope.spawn(|| change(&scratch, KEY, &loosening(KEY), START_MS))).collect();
        asks.into_iter().map(|ask| ask.join().unwrap()).collect()
    });
    let done = outcomes.iter().filter(|changed| matches!(changed, Changed::Done(_))).count();
    assert_eq!((done, lines(&scratch).len()), (1, 24));
    assert_eq!(states(&scratch, START_MS).record(KEY).state, ToggleState::Permissive);
}

#[test]
fn the_limits_of_a_loosening_are_read_back_as_they_were_given() {
    let scratch = Scratch::new();
    let hours = Hours::parse("mon-fri 09:00-17:00");
    let terms = Terms { only: vec!["docs.example".into()], budget: Some(3), hours, cap: None };
    let asked = Loosening { terms: terms.clone(), ..asked("net.allow_outbound") };
    change(&scratch, "net.allow_outbound", &Change::Loosen(asked), START_MS);
    assert_eq!(states(&scratch, START_MS).record("net.allow_outbound").terms, terms);
    let mail = Terms { cap: Some(Cap::Daily(20)), ..Terms::default() };
    let asked = Loosening {
        phrase: toggle("email.auto_send").declaration().phrase.to_string(),
        terms: mail.clone(),
        ..self::asked(KEY)
    };
    change(&scratch, "email.auto_send", &Change::Loosen(asked), START_MS);
    assert_eq!(states(&scratch, START_MS).record("email.auto_send").terms, mail);
    let entries = read(&scratch.state, Stream::Transitions, &Filter::last(2)).unwrap();
    assert_eq!(entries[0].value["hours"], "mon,tue,wed,thu,fri 09:00-17:00");
    assert_eq!(entries[1].value["cap"]["int_value"], 20);
    assert!(entries[1].value.get("only").is_none());
}

#[test]
fn outside_its_hours_a_loosened_toggle_is_restrictive() {
    let scratch = Scratch::new();
    // 2027-01-15, a Friday, at eight in the morning.
    let hours = Hours::parse("fri 09:00-17:00");
    change(
        &scratch,
        KEY,
        &Change::Loosen(Loosening { terms: Terms { hours, ..Terms::default() }, ..asked(KEY) }),
        START_MS,
    );
    let hour_ms = 60 * 60 * 1_000;
    assert_eq!(loosened(&scratch, START_MS), Permissive::EMPTY);
    assert_eq!(loosened(&scratch, START_MS + 2 * hour_ms), Permissive::of(&[ToggleKey::CodeAutoPush]));
    assert_eq!(loosened(&scratch, START_MS + 10 * hour_ms), Permissive::EMPTY);
    assert_eq!(
        states(&scratch, START_MS).permissive_keys(),
        [KEY],
        "it comes back by itself, so a list has to show it"
    );
}

#[test]
fn a_loosening_without_the_limit_it_needs_never_counts() {
    let scratch = Scratch::new();
    let line = |cap| Transition { cap, ..crate::transitions::loosened("x") };
    Transitions::of(&scratch.state).append(&[Transition { at_ms: START_MS, ..line(None) }], START_MS).unwrap();
    assert_eq!(loosened(&scratch, START_MS), Permissive::EMPTY);
    let list = holdpoint_store::Cap { name: "x".into(), int_value: None, list_value: Some(vec!["a".into()]) };
    Transitions::of(&scratch.state).append(&[Transition { at_ms: START_MS, ..line(Some(list)) }], START_MS).unwrap();
    assert_eq!(loosened(&scratch, START_MS), Permissive::EMPTY);
}
