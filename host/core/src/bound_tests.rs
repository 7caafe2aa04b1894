//! A bound has the shape of its toggle, narrowing is told from widening, and only lifting meets the gates.

use super::*;
use crate::grant::{GRANT_NAMES_MAX, GRANT_USES_MAX};
use crate::registry::own_registry;
use crate::transition::{Loosening, Password, Record, Refusal, Typing, lift, lift_left_s, loosen, narrow};
use alloc::vec;

const NOW_MS: u64 = 1_800_000_000_000;

fn toggle(key: &str) -> SafetyToggle {
    own_registry().unwrap().get(key).unwrap().clone()
}

fn only(names: &[&str]) -> Terms {
    Terms { only: names.iter().map(|name| (*name).into()).collect(), ..Terms::default() }
}

fn daily(count: u64) -> Terms {
    Terms { cap: Some(Cap::Daily(count)), ..Terms::default() }
}

fn within_hours(text: &str) -> Terms {
    Terms { hours: Hours::parse(text), ..Terms::default() }
}

fn narrowed(key: &str, from: Bound, terms: &Terms) -> Result<Bound, Refusal> {
    let bounded = Bounded { bound: from, last_lifted_ms: Some(7) };
    let after = narrow(&toggle(key), &bounded, terms)?;
    assert_eq!(after.last_lifted_ms, Some(7), "the wait for lifting it stays");
    Ok(after.bound)
}

fn asked(key: &str, terms: Terms) -> Loosening {
    let phrase = toggle(key).declaration().phrase.clone().into_owned();
    Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms }
}

#[test]
fn a_bound_without_limits_is_closed_and_narrower_than_any_other() {
    let key = "net.allow_outbound";
    for from in [Bound::Open, Bound::Within(only(&["a.example"])), Bound::Closed] {
        assert_eq!(narrowed(key, from, &Terms::default()), Ok(Bound::Closed));
    }
    assert_eq!(narrowed(key, Bound::Closed, &only(&["a.example"])), Err(Refusal::WiderBound));
}

#[test]
fn a_bound_that_leaves_anything_more_is_wider() {
    let check = |key: &str, from: &Terms, to: &Terms, narrower: bool| {
        let expected = if narrower { Ok(Bound::Within(to.clone())) } else { Err(Refusal::WiderBound) };
        assert_eq!(narrowed(key, Bound::Within(from.clone()), to), expected, "{key} {from:?} {to:?}");
    };
    let hosts = only(&["a.example", "b.example"]);
    check("net.allow_outbound", &hosts, &hosts, true);
    check("net.allow_outbound", &hosts, &only(&["A.example"]), true);
    check("net.allow_outbound", &hosts, &only(&["a.example", "c.example"]), false);
    check("net.allow_outbound", &hosts, &within_hours("mon 09:00-17:00"), false);
    check("shell.allow_outside_workspace", &only(&["/srv"]), &only(&["/srv/a/../b"]), true);
    check("shell.allow_outside_workspace", &only(&["/srv/a"]), &only(&["/srv"]), false);
    check("tools.bypass_catalog_gate", &only(&["s/t"]), &only(&["S/t"]), false);
    check("email.auto_send", &daily(20), &daily(20), true);
    check("email.auto_send", &daily(20), &daily(21), false);
    check("email.auto_send", &daily(20), &within_hours("09:00-17:00"), false);
    check("code.auto_push", &within_hours("mon-fri 09:00-17:00"), &within_hours("tue 10:00-17:00"), true);
    check("code.auto_push", &within_hours("mon-fri 09:00-17:00"), &within_hours("sat 10:00-11:00"), false);
    check("code.auto_push", &within_hours("mon 22:00-06:00"), &within_hours("tue 00:00-06:00"), true);
    check("code.auto_push", &within_hours("mon 22:00-06:00"), &within_hours("tue 22:00-06:00"), false);
    check("code.auto_push", &within_hours("00:00-24:00"), &within_hours("sun 22:00-06:00"), true);
}

#[test]
fn terms_that_a_bound_of_the_toggle_cannot_have_are_unfit() {
    let names = |count: usize| only(&vec!["a.example"; count]);
    assert!(narrowed("net.allow_outbound", Bound::Open, &names(GRANT_NAMES_MAX)).is_ok());
    assert!(narrowed("email.auto_send", Bound::Open, &daily(GRANT_USES_MAX)).is_ok());
    for (key, terms) in [
        ("net.allow_outbound", names(GRANT_NAMES_MAX + 1)),
        ("net.allow_outbound", daily(1)),
        ("net.allow_outbound", Terms { budget: Some(1), ..Terms::default() }),
        ("email.auto_send", daily(0)),
        ("email.auto_send", daily(GRANT_USES_MAX + 1)),
        ("email.auto_send", Terms { cap: Some(Cap::List(vec!["a@b".into()])), ..Terms::default() }),
        ("email.auto_send", only(&["a@b.example"])),
        ("autonomous.raise_daily_op_cap", daily(200)),
    ] {
        assert_eq!(narrowed(key, Bound::Open, &terms), Err(Refusal::TermsUnfit), "{key} {terms:?}");
    }
}

#[test]
fn lifting_meets_every_gate_of_loosening() {
    let key = "code.auto_push";
    let closed = Bounded { bound: Bound::Closed, last_lifted_ms: None };
    let lifted = |bounded: &Bounded, asked: Loosening| lift(&toggle(key), bounded, &asked, NOW_MS);
    let right = || asked(key, Terms::default());
    let open = Bounded { bound: Bound::Open, last_lifted_ms: Some(NOW_MS) };
    assert_eq!(lifted(&closed, right()), Ok(open.clone()));
    let recent = Bounded { last_lifted_ms: Some(NOW_MS - 1), ..closed.clone() };
    assert_eq!(lifted(&recent, right()), Err(Refusal::Cooldown));
    assert_eq!((lift_left_s(&toggle(key), &recent, NOW_MS), lift_left_s(&toggle(key), &closed, NOW_MS)), (120, 0));
    for (asked, refusal) in [
        (Loosening { typing: Typing::Pasted, ..right() }, Refusal::PasteDetected),
        (Loosening { phrase: "push".into(), ..right() }, Refusal::PhraseMismatch),
        (Loosening { password: Password::NotGiven, ..right() }, Refusal::ReauthMissing),
        (Loosening { terms: daily(5), ..right() }, Refusal::TermsUnfit),
    ] {
        assert_eq!(lifted(&closed, asked), Err(refusal));
    }
    let hours = within_hours("mon 09:00-17:00");
    let partly = lifted(&closed, asked(key, hours.clone())).unwrap();
    assert_eq!(partly, Bounded { bound: Bound::Within(hours), ..open });
}

#[test]
fn a_closed_bound_refuses_a_loosening_before_anything_else_is_looked_at() {
    let key = "code.auto_push";
    let worst = Loosening { phrase: "x".into(), typing: Typing::Pasted, ..asked(key, daily(0)) };
    let recent = Record { last_loosened_ms: Some(NOW_MS), ..Record::START };
    for (record, asked) in [(&Record::START, &asked(key, Terms::default())), (&recent, &worst)] {
        assert_eq!(loosen(&toggle(key), record, &Reach::Nothing, asked, NOW_MS), Err(Refusal::Bound));
    }
}
