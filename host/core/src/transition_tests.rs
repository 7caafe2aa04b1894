//! Loosening meets five gates in their order; tightening meets none.

use super::*;
use crate::bound::Within;
use crate::registry::{Category, Declaration, own_registry};
use crate::run::AUTONOMOUS_OPERATIONS_MAX;
use alloc::borrow::Cow;
use alloc::vec;

const NOW_MS: u64 = 1_800_000_000_000;

fn toggle(cap: Option<CapShape>) -> SafetyToggle {
    let declaration = Declaration {
        key: Cow::Borrowed("a.b"),
        label: Cow::Borrowed("label"),
        category: Category::Comms,
        default_state: ToggleState::Restrictive,
        description: Cow::Borrowed("description"),
        warning: ["one", "two", "three", "four", "five"].map(Cow::Borrowed).to_vec(),
        phrase: Cow::Borrowed("Open the door wide"),
        reauth: Reauth::Required,
        cooldown_s: 120,
        cap,
        invariants: vec![Cow::Borrowed("floor.own-level")],
        gate: None,
    };
    SafetyToggle::new(declaration).unwrap()
}

fn daily() -> Option<CapShape> {
    Some(CapShape::Daily { name: Cow::Borrowed("a day"), least: 1, proposal: 50, notes: Cow::Borrowed("notes") })
}

fn asked() -> Loosening {
    Loosening {
        phrase: "Open the door wide".into(),
        typing: Typing::Typed,
        password: Password::Right,
        terms: capped(Some(Cap::Daily(5))),
    }
}

fn open() -> Reach {
    Reach::Within(Within::default())
}

fn capped(cap: Option<Cap>) -> Terms {
    Terms { cap, ..Terms::default() }
}

fn refusal(asked: &Loosening, record: &Record) -> Option<Refusal> {
    loosen(&toggle(daily()), record, &open(), asked, NOW_MS).err()
}

#[test]
fn what_passes_every_gate_is_permissive_with_its_cap() {
    let record = loosen(&toggle(daily()), &Record::START, &open(), &asked(), NOW_MS).unwrap();
    let expected = Record { state: ToggleState::Permissive, last_loosened_ms: Some(NOW_MS), terms: asked().terms };
    assert_eq!(record, expected);
    let spaced = Loosening { phrase: "  Open the door wide\n".into(), ..asked() };
    assert_eq!(refusal(&spaced, &Record::START), None);
}

#[test]
fn each_gate_refuses_in_its_order() {
    let recent = Record { last_loosened_ms: Some(NOW_MS - 1), ..Record::START };
    let mut worst =
        Loosening { phrase: "open".into(), typing: Typing::Pasted, password: Password::NotGiven, terms: capped(None) };
    assert_eq!(refusal(&worst, &recent), Some(Refusal::Cooldown));
    assert_eq!(refusal(&worst, &Record::START), Some(Refusal::PasteDetected));
    worst.typing = Typing::Typed;
    assert_eq!(refusal(&worst, &Record::START), Some(Refusal::PhraseMismatch));
    worst.phrase = asked().phrase;
    assert_eq!(refusal(&worst, &Record::START), Some(Refusal::ReauthMissing));
    worst.password = Password::Right;
    assert_eq!(refusal(&worst, &Record::START), Some(Refusal::CapRequired));
    let unfit = Terms { only: vec!["x".into()], ..capped(Some(Cap::Daily(1))) };
    worst.terms = unfit;
    assert_eq!(refusal(&worst, &Record::START), Some(Refusal::TermsUnfit));
    worst.terms = capped(Some(Cap::Daily(1)));
    assert_eq!(refusal(&worst, &Record::START), None);
}

#[test]
fn a_phrase_is_compared_with_regard_to_case() {
    for phrase in ["open the door wide", "Open the door", "Open  the door wide", ""] {
        assert_eq!(
            refusal(&Loosening { phrase: phrase.into(), ..asked() }, &Record::START),
            Some(Refusal::PhraseMismatch)
        );
    }
}

#[test]
fn a_cap_has_the_shape_that_the_toggle_wants() {
    let with = |cap| refusal(&Loosening { terms: capped(Some(cap)), ..asked() }, &Record::START);
    assert_eq!(with(Cap::Daily(GRANT_USES_MAX)), None);
    for cap in [Cap::Daily(0), Cap::Daily(GRANT_USES_MAX + 1), Cap::List(vec!["a".into()])] {
        assert_eq!(with(cap), Some(Refusal::CapRequired));
    }
    let list = toggle(Some(CapShape::List { name: Cow::Borrowed("n"), notes: Cow::Borrowed("notes") }));
    let listed = |names: Vec<String>| {
        loosen(&list, &Record::START, &open(), &Loosening { terms: capped(Some(Cap::List(names))), ..asked() }, NOW_MS)
            .err()
    };
    assert_eq!(listed(vec!["a@b".into(); GRANT_NAMES_MAX]), None);
    for names in [vec![], vec![String::new()], vec!["a\n".into()], vec!["a".into(); GRANT_NAMES_MAX + 1]] {
        assert_eq!(listed(names), Some(Refusal::CapRequired));
    }
    let capless = loosen(&toggle(None), &Record::START, &open(), &asked(), NOW_MS).unwrap();
    assert_eq!(capless.terms.cap, None, "a cap that nobody asked for is not kept");
}

#[test]
fn a_cooldown_runs_from_the_last_loosening_and_no_clock_cuts_it_short() {
    let left = |last_ms| cooldown_left_s(&toggle(None), &Record { last_loosened_ms: last_ms, ..Record::START }, NOW_MS);
    assert_eq!(left(None), 0);
    assert_eq!(left(Some(NOW_MS)), 120);
    assert_eq!(left(Some(NOW_MS - 1)), 120);
    assert_eq!(left(Some(NOW_MS - 119_001)), 1);
    assert_eq!(left(Some(NOW_MS - 120_000)), 0);
    assert_eq!(left(Some(NOW_MS + 1_000_000)), 120, "the clock went back");
}

#[test]
fn tightening_always_works_clears_the_cap_and_keeps_the_cooldown() {
    let loose = loosen(&toggle(daily()), &Record::START, &open(), &asked(), NOW_MS).unwrap();
    let tight = tighten(&loose);
    assert_eq!(
        tight,
        Record { state: ToggleState::Restrictive, last_loosened_ms: Some(NOW_MS), terms: Terms::default() }
    );
    assert_eq!(refusal(&asked(), &tight), Some(Refusal::Cooldown));
    assert_eq!(tighten(&Record::START), Record::START);
}

#[test]
fn limits_that_could_not_be_held_are_refused() {
    let own = own_registry().unwrap();
    let refused = |key: &str, terms: Terms| {
        let toggle = own.get(key).unwrap();
        let phrase = toggle.declaration().phrase.as_ref().into();
        loosen(toggle, &Record::START, &open(), &Loosening { phrase, terms, ..asked() }, NOW_MS).err()
    };
    let only = |names: &[&str]| Terms { only: names.iter().map(|name| (*name).into()).collect(), ..Terms::default() };
    assert_eq!(refused("net.allow_outbound", only(&["docs.example"])), None);
    assert_eq!(refused("shell.allow_destructive_flags", only(&["/w/build"])), None);
    assert_eq!(refused("tools.bypass_catalog_gate", only(&["server/tool"])), None);
    for (key, name) in [
        ("shell.allow_destructive_flags", "build"),
        ("tools.bypass_catalog_gate", "tool"),
        ("code.auto_commit", "anything"),
        ("net.allow_outbound", ""),
    ] {
        assert_eq!(refused(key, only(&[name])), Some(Refusal::TermsUnfit), "{key} {name}");
    }
    let names = Terms { only: vec!["h".into(); GRANT_NAMES_MAX + 1], ..Terms::default() };
    assert_eq!(refused("net.allow_outbound", names), Some(Refusal::TermsUnfit));
    let budget = |uses| refused("code.auto_commit", Terms { budget: Some(uses), ..Terms::default() });
    assert_eq!(budget(GRANT_USES_MAX), None);
    assert_eq!((budget(0), budget(GRANT_USES_MAX + 1)), (Some(Refusal::TermsUnfit), Some(Refusal::TermsUnfit)));
}

#[test]
fn a_number_that_would_tighten_instead_of_raising_is_unfit() {
    let registry = own_registry().unwrap();
    let toggle = registry.get("autonomous.raise_daily_op_cap").unwrap();
    let refused = |count| {
        let phrase = toggle.declaration().phrase.clone().into_owned();
        let asked = Loosening { phrase, terms: capped(Some(Cap::Daily(count))), ..asked() };
        loosen(toggle, &Record::START, &open(), &asked, NOW_MS).err()
    };
    assert_eq!(AUTONOMOUS_OPERATIONS_MAX, 200);
    for count in [1, 199, 200] {
        assert_eq!(refused(count), Some(Refusal::TermsUnfit), "{count}");
    }
    assert_eq!((refused(201), refused(GRANT_USES_MAX)), (None, None));
    assert_eq!((refused(0), refused(GRANT_USES_MAX + 1)), (Some(Refusal::CapRequired), Some(Refusal::CapRequired)));
}
