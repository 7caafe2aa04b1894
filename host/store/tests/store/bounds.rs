//! Bounds of the layers above the user: narrowed at once, lifted with the whole ceremony, and read back from the record.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch};
use holdpoint_core::bound::{Bound, Layer};
use holdpoint_core::grant::{Cap, Hours, Terms};
use holdpoint_core::journal::{Head, Line};
use holdpoint_core::json::Json;
use holdpoint_core::registry::{SafetyToggle, own_registry};
use holdpoint_core::report;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::transition::{Loosening, Password, Refusal, Typing};
use holdpoint_core::words::Word;
use holdpoint_store::{By, Change, Changed, Decisions, Filter, Stream, ToggleStates, Transitions, read, verify};

const PUSH: &str = "code.auto_push";
const MAIL: &str = "email.auto_send";
const NET: &str = "net.allow_outbound";

fn toggle(key: &str) -> SafetyToggle {
    own_registry().unwrap().get(key).unwrap().clone()
}

fn only(names: &[&str]) -> Terms {
    Terms { only: names.iter().map(|name| (*name).into()).collect(), ..Terms::default() }
}

fn daily(count: u64) -> Terms {
    Terms { cap: Some(Cap::Daily(count)), ..Terms::default() }
}

fn asked(key: &str, terms: Terms) -> Loosening {
    let phrase = toggle(key).declaration().phrase.to_string();
    Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms }
}

fn loosen(key: &str, terms: Terms) -> Change {
    Change::Loosen(asked(key, terms))
}

fn bound(layer: Layer, terms: Terms) -> Change {
    Change::Bound { layer, terms }
}

fn lift(key: &str, layer: Layer, terms: Terms) -> Change {
    Change::Lift { layer, asked: asked(key, terms) }
}

fn change(scratch: &Scratch, key: &str, change: &Change, now_ms: u64) -> Changed {
    let by = By { actor: "root".into(), ..By::default() };
    Transitions::of(&scratch.state).change(&own_registry().unwrap(), &toggle(key), change, &by, now_ms).unwrap()
}

fn states(scratch: &Scratch, now_ms: u64) -> ToggleStates {
    Transitions::of(&scratch.state).toggles(&own_registry().unwrap(), now_ms)
}

fn is_loose(scratch: &Scratch, key: &str, now_ms: u64) -> bool {
    let states = states(scratch, now_ms);
    let loosened = states.loosened(now_ms).grant(ToggleKey::from_word(key).unwrap()).is_some();
    assert_eq!(states.is_loosened(key, now_ms), loosened);
    loosened
}

/// Layer, result and reason of every line.
fn told(scratch: &Scratch) -> Vec<String> {
    let entries = read(&scratch.state, Stream::Transitions, &Filter::last(1_000)).unwrap();
    let text = |entry: &holdpoint_store::Entry, key: &str| entry.value[key].as_str().unwrap_or("-").to_owned();
    let line = |entry| ["layer", "from_state", "to_state", "result", "reason"].map(|key| text(entry, key)).join(" ");
    entries.iter().map(line).collect()
}

#[test]
fn a_closed_bound_ends_a_loosening_refuses_the_next_and_is_lifted_with_the_ceremony() {
    let scratch = Scratch::new();
    change(&scratch, PUSH, &loosen(PUSH, Terms::default()), START_MS);
    assert!(is_loose(&scratch, PUSH, START_MS));
    change(&scratch, PUSH, &bound(Layer::Team, Terms::default()), START_MS + 1);
    assert!(!is_loose(&scratch, PUSH, START_MS + 1));
    assert_eq!(states(&scratch, START_MS + 1).permissive_keys(), [""; 0]);
    let set = states(&scratch, START_MS + 1).bound(PUSH, Layer::Team);
    assert_eq!((set.bounded.bound, set.actor.as_str(), set.set_ms), (Bound::Closed, "root", Some(START_MS + 1)));
    let later_ms = START_MS + DAY_MS;
    let refused = change(&scratch, PUSH, &loosen(PUSH, Terms::default()), later_ms);
    assert_eq!(refused, Changed::Refused { refusal: Refusal::Bound, wait_s: 0 });
    let hasty = Loosening { typing: Typing::Pasted, ..asked(PUSH, Terms::default()) };
    let pasted = Change::Lift { layer: Layer::Team, asked: hasty };
    change(&scratch, PUSH, &pasted, later_ms);
    assert!(!is_loose(&scratch, PUSH, later_ms));
    change(&scratch, PUSH, &lift(PUSH, Layer::Team, Terms::default()), later_ms);
    assert!(is_loose(&scratch, PUSH, later_ms));
    change(&scratch, PUSH, &bound(Layer::Team, Terms::default()), later_ms + 1);
    let hasty = change(&scratch, PUSH, &lift(PUSH, Layer::Team, Terms::default()), later_ms + 1_000);
    assert_eq!(hasty, Changed::Refused { refusal: Refusal::Cooldown, wait_s: 119 });
    let expected = [
        "- restrictive permissive ok loosen",
        "team open closed ok bound",
        "- permissive permissive denied bound",
        "team closed open denied paste_detected",
        "team closed open ok lift",
        "team open closed ok bound",
        "team closed open denied cooldown",
    ];
    assert_eq!(told(&scratch), expected);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn a_loosening_reaches_as_far_as_every_layer_lets_it() {
    let scratch = Scratch::new();
    change(&scratch, MAIL, &bound(Layer::Organisation, daily(20)), START_MS);
    let hours = Terms { hours: Hours::parse("fri 09:00-17:00"), ..Terms::default() };
    change(&scratch, MAIL, &bound(Layer::Team, hours), START_MS);
    change(&scratch, MAIL, &loosen(MAIL, daily(50)), START_MS);
    assert!(!is_loose(&scratch, MAIL, START_MS), "it is eight in the morning");
    let nine_ms = START_MS + 60 * 60 * 1_000;
    let grant = states(&scratch, nine_ms).loosened(nine_ms).grant(ToggleKey::EmailAutoSend).cloned().unwrap();
    assert_eq!((grant.daily(), grant.terms), (Some(20), daily(50)));
}

#[test]
fn narrowing_is_one_step_and_a_wider_bound_is_refused_and_written_down() {
    let scratch = Scratch::new();
    let hosts = |names| bound(Layer::Organisation, only(names));
    for names in [&["a.example", "b.example"][..], &["b.example"]] {
        assert!(matches!(change(&scratch, NET, &hosts(names), START_MS), Changed::Bounded(_)));
    }
    let wider = Changed::Refused { refusal: Refusal::WiderBound, wait_s: 0 };
    assert_eq!(change(&scratch, NET, &hosts(&["a.example"]), START_MS), wider);
    let unfit = Changed::Refused { refusal: Refusal::TermsUnfit, wait_s: 0 };
    assert_eq!(change(&scratch, NET, &bound(Layer::Organisation, daily(3)), START_MS), unfit);
    let of = |layer| states(&scratch, START_MS).bound(NET, layer).bounded.bound;
    assert_eq!((of(Layer::Organisation), of(Layer::Team)), (Bound::Within(only(&["b.example"])), Bound::Open));
    change(&scratch, NET, &lift(NET, Layer::Organisation, only(&["a.example"])), START_MS);
    assert_eq!(
        states(&scratch, START_MS).bound(NET, Layer::Organisation).bounded.bound,
        Bound::Within(only(&["a.example"]))
    );
    assert!(told(&scratch).iter().any(|line| line == "organisation within within denied wider_bound"));
}

#[test]
fn a_bound_never_runs_out_and_a_reset_leaves_it() {
    let scratch = Scratch::new();
    change(&scratch, PUSH, &loosen(PUSH, Terms::default()), START_MS);
    change(&scratch, PUSH, &bound(Layer::Organisation, Terms::default()), START_MS);
    let by = By { actor: "root".into(), ..By::default() };
    let transitions = Transitions::of(&scratch.state);
    assert_eq!(
        transitions.reset(&own_registry().unwrap(), &by, START_MS).unwrap(),
        [PUSH],
        "lifting must not revive it"
    );
    for now_ms in [0, START_MS, START_MS + 400 * DAY_MS] {
        assert_eq!(states(&scratch, now_ms).bound(PUSH, Layer::Organisation).bounded.bound, Bound::Closed);
    }
}

#[test]
fn behind_a_broken_chain_a_bound_can_only_be_closed() {
    let scratch = Scratch::new();
    change(&scratch, PUSH, &loosen(PUSH, Terms::default()), START_MS);
    change(&scratch, NET, &bound(Layer::Team, Terms::default()), START_MS);
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("root", "toor", 1)).unwrap();
    let later_ms = START_MS + DAY_MS;
    let transitions = Transitions::of(&scratch.state);
    let make =
        |asked: Change| transitions.change(&own_registry().unwrap(), &toggle(NET), &asked, &By::default(), later_ms);
    assert!(make(bound(Layer::Team, only(&["a.example"]))).is_err());
    assert!(make(lift(NET, Layer::Team, Terms::default())).is_err());
    assert!(make(bound(Layer::Team, Terms::default())).is_ok());
}

/// Puts lines with these members behind a loosening of each toggle, as a chain that verifies.
fn written(scratch: &Scratch, lines: &[&[(&str, Json)]]) {
    for key in [PUSH, NET] {
        change(scratch, key, &loosen(key, Terms::default()), START_MS);
    }
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let mut text = std::fs::read_to_string(&path).unwrap();
    let last = holdpoint_core::journal::head_of(text.lines().next_back().unwrap()).unwrap();
    lines.iter().fold(last, |head: Head, members| {
        let members = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let (line, head) = Line::new(Json::Object(members)).unwrap().seal(head);
        text.push_str(&(line + "\n"));
        head
    });
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_line_that_cannot_be_read_as_a_bound_closes_the_toggle() {
    let word = Json::text;
    let whole = [
        ("ts", report::timestamp(START_MS)),
        ("actor", word("a")),
        ("key", word(PUSH)),
        ("layer", word("team")),
        ("from_state", word("closed")),
        ("to_state", word("open")),
        ("result", word("ok")),
        ("reason", word("lift")),
    ];
    let scratch = Scratch::new();
    written(&scratch, &[&whole]);
    assert!(is_loose(&scratch, PUSH, START_MS) && is_loose(&scratch, NET, START_MS), "nothing is wrong with it");
    for (member, value) in [
        ("layer", word("division")),
        ("layer", Json::Null),
        ("to_state", word("wide open")),
        ("to_state", word("within")),
        ("result", word("perhaps")),
        ("ts", Json::Null),
        ("hours", word("at night")),
        ("only", word("everything")),
        ("budget", Json::count(3)),
        ("cap", word("many")),
    ] {
        let mut line: Vec<(&str, Json)> = whole.iter().filter(|(own, _)| *own != member).cloned().collect();
        line.push((member, value));
        let scratch = Scratch::new();
        written(&scratch, &[&line]);
        assert!(!is_loose(&scratch, PUSH, START_MS), "{member}");
        assert!(is_loose(&scratch, NET, START_MS), "{member}: another toggle has nothing to do with it");
    }
    let denied: Vec<(&str, Json)> = whole.iter().filter(|(own, _)| *own != "result").cloned().collect();
    let denied = [&denied[..], &[("result", word("denied")), ("hours", word("at night"))]].concat();
    let keyless: Vec<(&str, Json)> = whole.iter().filter(|(own, _)| *own != "key").cloned().collect();
    for (line, loose) in [(denied, true), (keyless, false)] {
        let scratch = Scratch::new();
        written(&scratch, &[&line]);
        assert_eq!((is_loose(&scratch, PUSH, START_MS), is_loose(&scratch, NET, START_MS)), (loose, loose), "{line:?}");
    }
}

#[test]
fn decisions_that_name_a_bound_which_was_cut_off_leave_everything_restrictive() {
    let scratch = Scratch::new();
    change(&scratch, PUSH, &loosen(PUSH, Terms::default()), START_MS);
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let before = std::fs::read(&path).unwrap();
    change(&scratch, PUSH, &bound(Layer::Team, Terms::default()), START_MS + 1);
    Decisions::of(&scratch.state).append(&[crate::scratch::line("x")], START_MS + 2).unwrap();
    std::fs::write(&path, before).unwrap();
    assert!(!is_loose(&scratch, PUSH, START_MS + 3));
    assert!(states(&scratch, START_MS + 3).problem.is_some());
}
