//! Hours hold when they say, and a grant covers what it names.

use super::*;
use std::string::ToString;

const MINUTE_MS: u64 = 60_000;
/// 2026-11-30 was a Monday.
const MONDAY_MS: u64 = 1_795_996_800_000;

fn at(day: u64, hour: u64, minute: u64) -> u64 {
    let minutes = day.saturating_mul(1_440).saturating_add(hour.saturating_mul(60)).saturating_add(minute);
    MONDAY_MS.saturating_add(minutes.saturating_mul(MINUTE_MS))
}

#[test]
fn hours_hold_from_their_first_minute_to_the_one_before_their_last() {
    let hours = Hours::parse("mon-fri 09:00-17:00").unwrap();
    assert!(!hours.hold(at(0, 8, 59)) && hours.hold(at(0, 9, 0)));
    assert!(hours.hold(at(4, 16, 59)) && !hours.hold(at(4, 17, 0)));
    assert!(!hours.hold(at(5, 12, 0)) && !hours.hold(at(6, 12, 0)) && hours.hold(at(7, 12, 0)));
}

#[test]
fn hours_past_midnight_belong_to_the_day_on_which_they_began() {
    let hours = Hours::parse("fri 22:00-06:00").unwrap();
    assert!(hours.hold(at(4, 22, 0)) && hours.hold(at(5, 5, 59)));
    assert!(!hours.hold(at(4, 5, 0)) && !hours.hold(at(5, 6, 0)) && !hours.hold(at(5, 22, 0)));
    assert!(!Hours::parse("thu 22:00-06:00").unwrap().hold(0), "it begins in the evening");
    assert!(!Hours::parse("wed 22:00-06:00").unwrap().hold(0), "there is no day before the first");
}

#[test]
fn hours_are_read_as_they_are_written_and_anything_else_is_refused() {
    for (text, written) in [
        ("mon-fri 09:00-17:00", "mon,tue,wed,thu,fri 09:00-17:00"),
        ("sat,sun 10:30-12:00", "sat,sun 10:30-12:00"),
        ("00:00-24:00", "mon,tue,wed,thu,fri,sat,sun 00:00-24:00"),
        ("mon, wed-thu 22:00-06:00", "mon,wed,thu 22:00-06:00"),
    ] {
        let hours = Hours::parse(text).unwrap();
        assert_eq!(hours.to_string(), written);
        assert_eq!(Hours::parse(written), Some(hours));
    }
    for text in [
        "",
        "mon",
        "mon 9:00-17:00",
        "+9:00-17:00",
        "mon 09:00",
        "mon 09:60-10:00",
        "mon 24:01-10:00",
        "mon 24:00-10:00",
        "fri-mon 09:00-10:00",
        "someday 09:00-10:00",
        "mon 09:00-09:00",
        "mon 09:00-10:00-11:00",
        "Mon 09:00-10:00",
        "mon,, 09:00-10:00",
    ] {
        assert_eq!(Hours::parse(text), None, "{text}");
    }
}

#[test]
fn loosened_toggles_keep_one_grant_each() {
    let grant =
        |uses| Grant { terms: Terms { budget: Some(uses), ..Terms::default() }, since_ms: 1, ..Grant::default() };
    let loosened = Loosened::NONE
        .with(ToggleKey::NetAllowOutbound, grant(1))
        .with(ToggleKey::CodeAutoPush, grant(2))
        .with(ToggleKey::NetAllowOutbound, grant(3));
    assert_eq!(loosened.grant(ToggleKey::NetAllowOutbound), Some(&grant(3)));
    assert_eq!(loosened.keys(), Permissive::of(&[ToggleKey::NetAllowOutbound, ToggleKey::CodeAutoPush]));
    let rest = loosened.without(Permissive::of(&[ToggleKey::CodeAutoPush]));
    assert_eq!(rest.keys(), Permissive::of(&[ToggleKey::NetAllowOutbound]));
    assert_eq!(rest.grant(ToggleKey::CodeAutoPush), None);
}
