//! UTC dates as the names of daily files. Must never read a clock.

use std::fmt;

/// Milliseconds of a day.
pub const DAY_MS: u64 = 86_400_000;
/// Bytes of a date's text.
pub const DAY_TEXT_BYTES: usize = 10;
/// The last year whose dates sort as text.
const YEAR_MAX: u64 = 9_999;

/// A UTC date from 1970-01-01 to 9999-12-31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    // The order of the fields is the order of dates.
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    /// The last date there is.
    pub const LAST: Day = Day { year: 9_999, month: 12, day: 31 };

    /// The date at this many milliseconds after the Unix epoch; [`Day::LAST`] for anything later.
    pub fn at(at_ms: u64) -> Day {
        // Years are counted from March, so that the leap day is the last of its year; 400 years are one era.
        let days = at_ms / DAY_MS + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let (month, next_year) =
            if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
        let year = era * 400 + year_of_era + next_year;
        match (u16::try_from(year), u8::try_from(month), u8::try_from(day)) {
            (Ok(year), Ok(month), Ok(day)) if u64::from(year) <= YEAR_MAX => Day { year, month, day },
            _ => Day::LAST,
        }
    }

    /// Its first millisecond after the Unix epoch.
    pub fn start_ms(self) -> u64 {
        let (month, year) = (u64::from(self.month), u64::from(self.year));
        let (month_from_march, year) = if month > 2 { (month - 3, year) } else { (month + 9, year.saturating_sub(1)) };
        let (era, year_of_era) = (year / 400, year % 400);
        let day_of_year = (153 * month_from_march + 2) / 5 + u64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        (era * 146_097 + day_of_era).saturating_sub(719_468) * DAY_MS
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Day> {
        let mut parts = text.split('-');
        let year = number(parts.next()?, 4)?;
        let month = u8::try_from(number(parts.next()?, 2)?).ok()?;
        let day = u8::try_from(number(parts.next()?, 2)?).ok()?;
        let exists = parts.next().is_none() && (1..=12).contains(&month) && (1..=31).contains(&day);
        exists.then_some(Day { year, month, day })
    }

    /// The name of this day's file.
    pub fn file_name(self) -> String {
        format!("{self}.jsonl")
    }

    /// The day whose file has this name.
    pub fn of_file_name(name: &str) -> Option<Day> {
        name.strip_suffix(".jsonl").and_then(Day::parse)
    }
}

fn number(text: &str, digits: usize) -> Option<u16> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_known_instants_are_right() {
        let check = |at_ms: u64, expected: &str| assert_eq!(Day::at(at_ms).to_string(), expected);
        check(0, "1970-01-01");
        check(DAY_MS - 1, "1970-01-01");
        check(DAY_MS, "1970-01-02");
        check(951_782_400_000, "2000-02-29");
        check(951_868_800_000, "2000-03-01");
        check(1_709_164_800_000, "2024-02-29");
        check(1_767_225_599_999, "2025-12-31");
        check(1_767_225_600_000, "2026-01-01");
        check(4_107_542_400_000, "2100-03-01");
        check(253_402_300_799_999, "9999-12-31");
        check(253_402_300_800_000, "9999-12-31");
        check(u64::MAX, "9999-12-31");
    }

    #[test]
    fn every_day_of_four_hundred_years_follows_the_one_before_and_reads_back() {
        let mut previous = Day::at(0);
        for days in 1..146_097 {
            let day = Day::at(days * DAY_MS);
            assert!(previous < day, "{previous} {day}");
            assert!(previous.to_string() < day.to_string());
            assert_eq!(Day::of_file_name(&day.file_name()), Some(day));
            previous = day;
        }
        assert_eq!(previous.to_string(), "2369-12-31");
    }

    #[test]
    fn names_that_are_not_dates_are_no_days() {
        for name in [
            "",
            "lock",
            "2026-1-01",
            "2026-13-01",
            "2026-00-01",
            "2026-01-32",
            "2026-01-01-1",
            "+026-01-01",
            "2026-01-01 ",
        ] {
            assert_eq!(Day::parse(name), None, "{name}");
        }
        assert_eq!(Day::of_file_name("2026-01-01"), None);
        assert_eq!(Day::of_file_name("torn-2026-01-01-1"), None);
    }
}
