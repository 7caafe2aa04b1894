//! Uses: taken before the call, given back if it did not happen, and never more than there are.

use crate::scratch::{DAY_MS, START_MS, Scratch};
use holdpoint_core::grant::Terms;
use holdpoint_core::journal::{Line, head_of};
use holdpoint_core::json::{Json, Number};
use holdpoint_core::ports::{Meter, Settled, Shortage};
use holdpoint_core::registry::own_registry;
use holdpoint_core::report;
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::transition::{Loosening, Password, Typing};
use holdpoint_core::uses::{Budget, Use};
use holdpoint_core::words::Word;
use holdpoint_store::{By, Change, Counting, Filter, Stream, Transitions, Uses, read};

const KEY: ToggleKey = ToggleKey::EmailAutoSend;

fn daily(count: u64, limit: u64) -> Vec<Use> {
    vec![Use { key: KEY, count, daily: Some(limit), budget: None }]
}

fn take(scratch: &Scratch, uses: &[Use], reference: &str, at_ms: u64) -> bool {
    let reserved = Uses::of(&scratch.state, Counting::Take).reserve(uses, reference, at_ms);
    let keys = uses.iter().fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key));
    assert!(reserved.is_ok() || reserved.map_err(Shortage::keys) == Err(keys), "{reserved:?}");
    reserved.is_ok()
}

#[test]
fn a_daily_cap_holds_over_processes_and_starts_again_with_the_utc_day() {
    let scratch = Scratch::new();
    assert!(take(&scratch, &daily(2, 3), "a", START_MS));
    assert!(!take(&scratch, &daily(2, 3), "b", START_MS + 1), "all of a call or nothing of it");
    assert!(take(&scratch, &daily(1, 3), "c", START_MS + 2));
    assert!(!take(&scratch, &daily(1, 3), "d", START_MS + 3));
    assert_eq!(Uses::of(&scratch.state, Counting::Look).today(KEY, START_MS + 4), Some(3));
    let midnight_ms = START_MS - START_MS % DAY_MS + DAY_MS;
    assert!(!take(&scratch, &daily(1, 3), "e", midnight_ms - 1));
    assert!(take(&scratch, &daily(3, 3), "f", midnight_ms));
    assert!(!take(&scratch, &daily(1, 3), "g", midnight_ms + 1));
}

#[test]
fn what_did_not_happen_is_given_back_and_what_did_is_not() {
    let scratch = Scratch::new();
    let uses = Uses::of(&scratch.state, Counting::Take);
    assert!(take(&scratch, &daily(1, 2), "a", START_MS) && take(&scratch, &daily(1, 2), "b", START_MS));
    uses.settle("a", Settled::Done, START_MS).unwrap();
    assert!(!take(&scratch, &daily(1, 2), "c", START_MS));
    uses.settle("b", Settled::NotDone, START_MS).unwrap();
    assert!(take(&scratch, &daily(1, 2), "c", START_MS));
    uses.settle("nobody", Settled::NotDone, START_MS).unwrap();
    uses.settle("b", Settled::NotDone, START_MS).unwrap();
    assert!(!take(&scratch, &daily(1, 2), "d", START_MS), "nothing is given back twice");
}

#[test]
fn of_many_calls_at_once_as_many_get_through_as_the_cap_says() {
    let scratch = Scratch::new();
    let taken: usize = std::thread::scope(|scope| {
        let take = |index: usize| take(&scratch, &daily(1, 10), &format!("c{index}"), START_MS);
        let calls: Vec<_> = (0..40).map(|index| scope.spawn(move || take(index))).collect();
        calls.into_iter().map(|call| usize::from(call.join().unwrap())).sum()
    });
    assert_eq!(taken, 10);
}

#[test]
fn looking_takes_nothing_and_makes_nothing() {
    let scratch = Scratch::new();
    let look = Uses::of(&scratch.state, Counting::Look);
    assert_eq!(look.reserve(&daily(3, 3), "a", START_MS), Ok(()));
    look.settle("a", Settled::NotDone, START_MS).unwrap();
    assert!(!scratch.file(Stream::Uses, "").exists());
    assert!(take(&scratch, &daily(3, 3), "b", START_MS));
    assert_eq!(look.reserve(&daily(1, 3), "c", START_MS), Err(Shortage::UsedUp(Permissive::of(&[KEY]))));
    assert_eq!(read(&scratch.state, Stream::Uses, &Filter::last(9)).unwrap().len(), 1);
}

#[test]
fn a_stream_that_is_broken_means_used_up() {
    let scratch = Scratch::new();
    assert!(take(&scratch, &daily(1, 9), "a", START_MS) && take(&scratch, &daily(1, 9), "b", START_MS));
    let file = scratch.file(Stream::Uses, "2027-01-15.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("\"count\":1", "\"count\":0", 1)).unwrap();
    assert!(!take(&scratch, &daily(1, 9), "c", START_MS));
    assert_eq!(
        Uses::of(&scratch.state, Counting::Look).reserve(&daily(1, 9), "d", START_MS),
        Err(Shortage::NotCounted(Permissive::of(&[KEY])))
    );
    assert_eq!(Uses::of(&scratch.state, Counting::Look).today(KEY, START_MS), None);
}

/// One use, and a line behind it with these members, all of it whole.
fn with_line(members: Json) -> Scratch {
    let scratch = Scratch::new();
    assert!(take(&scratch, &daily(1, 9), "a", START_MS));
    let file = scratch.file(Stream::Uses, "2027-01-15.jsonl");
    let whole = std::fs::read_to_string(&file).unwrap();
    let head = head_of(whole.trim_end()).unwrap();
    let (line, _) = Line::new(members).unwrap().seal(head);
    std::fs::write(&file, format!("{whole}{line}\n")).unwrap();
    scratch
}

#[test]
fn a_line_that_cannot_be_read_as_a_use_uses_everything_up_while_its_day_counts() {
    let members = || {
        vec![
            ("ts", report::timestamp(START_MS)),
            ("kind", Json::text("use")),
            ("correlation_id", Json::text("b")),
            ("key", Json::text(KEY.as_str())),
            ("count", Json::count(1)),
        ]
    };
    let settled = vec![
        ("ts", report::timestamp(START_MS)),
        ("kind", Json::text("settled")),
        ("correlation_id", Json::text("a")),
        ("settled", Json::text("not-done")),
    ];
    let object = |members: Vec<(&str, Json)>| {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let fits = |members: Vec<(&str, Json)>| {
        let scratch = with_line(object(members));
        let look = Uses::of(&scratch.state, Counting::Look);
        assert!(take(&scratch, &daily(1, 9), "later", START_MS + DAY_MS), "the next day does not count it");
        let fits = look.reserve(&daily(1, 9), "c", START_MS + 1).is_ok();
        assert!(look.today(KEY, START_MS + 1).is_some() || !fits);
        fits
    };
    assert!(fits(members()) && fits(settled.clone()));
    let changed = |line: &[(&'static str, Json)], name: &str, value: Option<Json>| {
        let others = line.iter().filter(|(own, _)| *own != name).cloned();
        let own = line.iter().find(|(own, _)| *own == name).map(|(own, _)| *own);
        others.chain(own.zip(value)).collect::<Vec<_>>()
    };
    for name in ["ts", "kind", "correlation_id", "key", "count"] {
        assert!(!fits(changed(&members(), name, None)), "{name} is missing");
        assert!(!fits(changed(&members(), name, Some(Json::Null))), "{name} is null");
    }
    for name in ["ts", "kind", "key", "count"] {
        assert!(!fits(changed(&members(), name, Some(Json::text("unheard of")))), "{name} is unknown");
    }
    for name in ["kind", "correlation_id", "settled"] {
        assert!(!fits(changed(&settled, name, None)), "{name} is missing");
    }
    for name in ["kind", "settled"] {
        assert!(!fits(changed(&settled, name, Some(Json::text("unheard of")))), "{name} is unknown");
    }
    let negative = Json::Number(Number::integer(-1).unwrap());
    assert!(!fits(changed(&members(), "count", Some(negative.clone()))));
    assert!(!fits(changed(&members(), "ts", Some(negative))));
    let most = Json::count(u64::MAX);
    assert!(
        !fits(changed(&members(), "count", Some(most))),
        "a count that is written as text is read, and is the most"
    );
}

#[test]
fn a_budget_counts_from_the_loosening_on_and_tightens_the_toggle_when_it_is_used_up() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    let registry = own_registry().unwrap();
    let toggle = registry.get("code.auto_push").unwrap();
    let loosen = |now_ms| {
        let phrase = toggle.declaration().phrase.to_string();
        let terms = Terms { budget: Some(3), ..Terms::default() };
        let asked = Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms };
        transitions.change(&registry, toggle, &Change::Loosen(asked), &By::default(), now_ms).unwrap();
    };
    let key = ToggleKey::CodeAutoPush;
    let budget = |since_ms| vec![Use { key, count: 1, daily: None, budget: Some(Budget { uses: 3, since_ms }) }];
    let is_loose = |now_ms| transitions.toggles(&registry, now_ms).loosened(now_ms).grant(key).is_some();
    loosen(START_MS);
    assert!(
        take(&scratch, &budget(START_MS), "a", START_MS) && take(&scratch, &budget(START_MS), "b", START_MS + DAY_MS)
    );
    assert!(is_loose(START_MS + DAY_MS));
    assert!(take(&scratch, &budget(START_MS), "c", START_MS + 2 * DAY_MS));
    assert!(!is_loose(START_MS + 2 * DAY_MS), "the last use ends it");
    assert!(!take(&scratch, &budget(START_MS), "d", START_MS + 2 * DAY_MS), "a process that has not heard of it yet");
    let entries = read(&scratch.state, Stream::Transitions, &Filter::last(1)).unwrap();
    assert_eq!(
        (&entries[0].value["reason"], &entries[0].value["actor"]),
        (&"budget_used_up".into(), &"holdpoint".into())
    );
    let again_ms = START_MS + 3 * DAY_MS;
    loosen(again_ms);
    assert!(take(&scratch, &budget(again_ms), "e", again_ms), "a new loosening has a new budget");
    assert!(is_loose(again_ms), "the old budget does not end the new loosening");
}
