use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::str::FromStr;

/// A calendar date.
///
/// ```
/// use craps_law::Day;
/// let day: Day = "2023-10-01".parse()?;
/// assert!(day < "2024-09-04".parse()?);
/// assert!("2023-02-30".parse::<Day>().is_err());
/// # Ok::<(), craps_law::NotADay>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// The error for a text that is not a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a date such as 2023-10-01, found `{0}`")]
pub struct NotADay(pub String);

impl Day {
    fn new(year: u16, month: u8, day: u8) -> Option<Day> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            1..=12 => 31,
            _ => return None,
        };
        (1..=length).contains(&day).then_some(Day { year, month, day })
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Day, NotADay> {
        let number = |part: &str, digits: usize| {
            let well_formed = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
            part.parse::<u16>().ok().filter(|_| well_formed)
        };
        let read = || {
            let [year, month, day] = text.split('-').collect::<Vec<_>>()[..] else { return None };
            Day::new(number(year, 4)?, u8::try_from(number(month, 2)?).ok()?, u8::try_from(number(day, 2)?).ok()?)
        };
        read().ok_or_else(|| NotADay(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Day {
    /// Reads a bare TOML date.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
        toml::value::Datetime::deserialize(deserializer)?.to_string().parse().map_err(de::Error::custom)
    }
}

/// The days on which something applies: from the first day up to, but not including, the end day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Days {
    /// First day on which it applies. `None`: it has no first day.
    pub from: Option<Day>,
    /// First day on which it no longer applies. `None`: it doesn't end.
    pub until: Option<Day>,
}

impl Days {
    /// All days, without start or end.
    pub const ALWAYS: Days = Days { from: None, until: None };

    /// Returns true when it applies on this day. Always true for `None`.
    #[must_use]
    pub fn hold(&self, on: Option<Day>) -> bool {
        on.is_none_or(|on| self.from.is_none_or(|from| from <= on) && self.until.is_none_or(|until| on < until))
    }

    /// Returns true when the span contains no day.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!((self.from, self.until), (Some(from), Some(until)) if until <= from)
    }

    /// Returns true when the two spans share a day.
    #[must_use]
    pub fn overlap(&self, other: &Days) -> bool {
        let before =
            |end: Option<Day>, start: Option<Day>| matches!((end, start), (Some(end), Some(start)) if end <= start);
        !before(self.until, other.from) && !before(other.until, self.from)
    }

    /// Returns the days that both spans share. The result can be empty.
    #[must_use]
    pub fn and(&self, other: &Days) -> Days {
        Days {
            from: self.from.max(other.from),
            until: match (self.until, other.until) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.until) {
            (None, None) => f.write_str("always"),
            (Some(from), None) => write!(f, "from {from}"),
            (None, Some(until)) => write!(f, "until {until}"),
            (Some(from), Some(until)) => write!(f, "{from} to {until}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(from: &str, until: &str) -> Days {
        Days { from: from.parse().ok(), until: until.parse().ok() }
    }

    #[test]
    fn the_first_day_is_in_and_the_expiry_day_is_out() {
        let temporary = days("2021-09-04", "2024-09-04");
        for (day, holds) in [("2021-09-03", false), ("2021-09-04", true), ("2024-09-03", true), ("2024-09-04", false)] {
            assert_eq!(temporary.hold(day.parse().ok()), holds, "{day}");
        }
        assert!(temporary.hold(None));
    }

    #[test]
    fn spans_that_only_touch_do_not_overlap() {
        assert!(!days("2020-01-01", "2021-01-01").overlap(&days("2021-01-01", "")));
        assert!(days("2020-01-01", "2021-01-02").overlap(&days("2021-01-01", "")));
        assert!(days("", "").overlap(&days("2021-01-01", "2021-01-02")));
        assert_eq!(days("2020-01-01", "").and(&days("", "2021-01-01")), days("2020-01-01", "2021-01-01"));
    }

    #[test]
    fn a_span_is_empty_when_it_ends_on_or_before_its_first_day() {
        assert!(days("2021-09-04", "2021-09-03").is_empty());
        assert!(days("2021-09-04", "2021-09-04").is_empty());
        assert!(!days("2021-09-04", "2021-09-05").is_empty());
        for open in [days("2021-09-04", ""), days("", "2021-09-04"), Days::ALWAYS] {
            assert!(!open.is_empty(), "{open}");
        }
    }

    #[test]
    fn leap_days_exist_only_in_leap_years() {
        assert!("2024-02-29".parse::<Day>().is_ok());
        for text in ["2023-02-29", "1900-02-29", "2023-13-01", "2023-00-10", "23-01-01", "2023-1-1", "2023-01-01T10:00"]
        {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }
}
