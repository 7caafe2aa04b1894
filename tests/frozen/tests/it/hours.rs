//! Hours of the week against a calendar that colours every single minute, and their text against itself.

use holdpoint_core::grant::{Hours, Weekday};
use holdpoint_core::words::Word;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const MINUTE_MS: u64 = 60_000;
const DAY_MIN: usize = 24 * 60;
const WEEK_MIN: usize = 7 * DAY_MIN;
/// What is looked at: whole weeks, so that every day and every midnight comes up twice.
const WEEKS: usize = 2;
/// Weeks after the epoch in which a look may begin. The last lies after the year 3000.
const FIRST_WEEKS: std::ops::Range<usize> = 1..60_000;
/// The epoch was a Thursday at midnight; the first Monday came so many days later.
const FIRST_MONDAY: usize = 4;

/// Hours as the text of the design has them: days, from when, until when.
#[derive(Clone, Debug)]
struct Plan {
    days: Vec<Weekday>,
    from_min: usize,
    to_min: usize,
}

impl Plan {
    fn text(&self) -> String {
        let days: Vec<&str> = self.days.iter().map(|day| day.as_str()).collect();
        format!("{} {}-{}", days.join(","), time(self.from_min), time(self.to_min))
    }

    /// Two weeks from a Monday on, minute by minute. The day before belongs to them too: its hours may go past midnight.
    fn calendar(&self) -> Vec<bool> {
        let mut minutes = vec![false; WEEKS * WEEK_MIN];
        let last_sunday_and_all = std::iter::once(-1_i64).chain(0..(WEEKS * 7) as i64);
        for day in last_sunday_and_all {
            if !self.days.contains(&Weekday::ALL[day.rem_euclid(7) as usize]) {
                continue;
            }
            let mut minute = day * DAY_MIN as i64 + self.from_min as i64;
            // A clock that runs from the one time until it shows the other.
            loop {
                if let Some(place) = usize::try_from(minute).ok().and_then(|place| minutes.get_mut(place)) {
                    *place = true;
                }
                minute += 1;
                if minute.rem_euclid(DAY_MIN as i64) as usize == self.to_min % DAY_MIN {
                    break;
                }
            }
        }
        minutes
    }
}

fn time(minute: usize) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

fn some_minute() -> impl Strategy<Value = usize> {
    prop_oneof![0..DAY_MIN, select(vec![0, 1, 59, 60, DAY_MIN - 1])]
}

fn some_plan() -> impl Strategy<Value = Plan> {
    let to = prop_oneof![4 => some_minute(), 1 => Just(DAY_MIN)];
    let plan = (subsequence(Weekday::ALL, 1..=7), some_minute(), to);
    let plan = plan.prop_map(|(days, from_min, to_min)| Plan { days, from_min, to_min });
    plan.prop_filter("hours that end where they begin are none", |plan| plan.from_min != plan.to_min)
}

/// What somebody might type: words and numbers of hours, in any order and number.
fn some_typing() -> impl Strategy<Value = String> {
    let pieces = vec![
        "mon", "fri", "sun", "Mon", "-", ",", " ", ":", "00", "9", "09", "24", "23", "59", "60", "+9", "09:00",
        "17:00", "24:00", "mon-fri ", "sat,sun ", "-17:30",
    ];
    proptest::collection::vec(select(pieces), 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn hours_hold_in_exactly_the_minutes_of_the_calendar(
        plan in some_plan(),
        week in FIRST_WEEKS,
        within_ms in 0..MINUTE_MS,
    ) {
        let hours = Hours::parse(&plan.text()).unwrap();
        let first_min = ((FIRST_MONDAY + week * 7) * DAY_MIN) as u64;
        for (minute, expected) in plan.calendar().into_iter().enumerate() {
            let at_ms = (first_min + minute as u64) * MINUTE_MS + within_ms;
            prop_assert_eq!(hours.hold(at_ms), expected, "{} in minute {} of the two weeks", plan.text(), minute);
        }
    }

    #[test]
    fn the_text_of_hours_is_read_as_the_same_hours(plan in some_plan()) {
        let hours = Hours::parse(&plan.text()).unwrap();
        prop_assert_eq!(Hours::parse(&hours.to_string()), Some(hours));
        prop_assert_eq!(hours.to_string(), plan.text());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn whatever_is_taken_for_hours_is_written_as_the_same_hours(typed in some_typing()) {
        if let Some(hours) = Hours::parse(&typed) {
            prop_assert_eq!(Hours::parse(&hours.to_string()), Some(hours), "{:?}", typed);
        }
    }
}

#[test]
fn a_range_of_days_is_each_of_them_and_no_days_are_every_day() {
    let days = |days: &str| Hours::parse(&format!("{days} 09:00-17:00"));
    for (first, from) in Weekday::ALL.iter().enumerate() {
        for (last, to) in Weekday::ALL.iter().enumerate() {
            let listed: Vec<&str> = (first..=last).map(|day| Weekday::ALL[day].as_str()).collect();
            let expected = (first <= last).then(|| days(&listed.join(",")).unwrap());
            assert_eq!(days(&format!("{from}-{to}")), expected, "{from}-{to}");
        }
    }
    assert_eq!(Hours::parse("09:00-17:00"), days("mon-sun"));
}
