use crate::NotMoney;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The odds that a bet pays. "7 to 6" pays seven for every six staked, and the player keeps the stake. "30 for 1" pays thirty for
/// every one staked, and the thirty include the stake. "29 to 1" and "30 for 1" are different values although they pay the same.
///
/// ```
/// use craps_money::Odds;
/// let to: Odds = "29 to 1".parse()?;
/// let four: Odds = "30 for 1".parse()?;
/// assert_eq!(to.net(), four.net());
/// assert_ne!(to, four);
/// assert_eq!(four.to_string(), "30 for 1");
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Odds {
    wording: Wording,
    win: u32,
    per: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Wording {
    To,
    For,
}

impl Odds {
    /// Makes odds of `win` to `per`, or `None` if either is zero.
    #[must_use]
    pub const fn to(win: u32, per: u32) -> Option<Odds> {
        if win == 0 || per == 0 { None } else { Some(Odds { wording: Wording::To, win, per }) }
    }

    /// Makes odds of `win` for `per`, or `None` if `per` is zero or if they would return less than the stake.
    #[must_use]
    pub const fn for_(win: u32, per: u32) -> Option<Odds> {
        if per == 0 || win < per { None } else { Some(Odds { wording: Wording::For, win, per }) }
    }

    /// Returns the win per unit staked, without the stake, as a fraction in lowest terms.
    #[must_use]
    pub const fn net(self) -> (u32, u32) {
        let win = match self.wording {
            Wording::To => self.win,
            Wording::For => self.win - self.per,
        };
        let common = gcd(win, self.per);
        (win / common, self.per / common)
    }

    /// Returns the average of two odds, worded as "to". It is what two equal stakes at these odds pay together. `None` on overflow, or
    /// if neither pays anything.
    ///
    /// ```
    /// use craps_money::Odds;
    /// let (raised, listed): (Odds, Odds) = ("45 to 1".parse()?, "30 to 1".parse()?);
    /// assert_eq!(raised.mean(listed).unwrap().to_string(), "75 to 2");
    /// assert_eq!(raised.mean(raised).unwrap().to_string(), "45 to 1");
    /// # Ok::<(), craps_money::NotMoney>(())
    /// ```
    #[must_use]
    pub fn mean(self, other: Odds) -> Option<Odds> {
        let ((a, b), (c, d)) = (self.net(), other.net());
        let win = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
        let per = b.checked_mul(d)?.checked_mul(2)?;
        let common = gcd(win, per);
        Odds::to(win / common, per / common)
    }

    /// Compares two odds by what they pay net, so that "29 to 1" equals "30 for 1".
    #[must_use]
    pub fn cmp_net(self, other: Odds) -> Ordering {
        let ((a, b), (c, d)) = (self.net(), other.net());
        (u64::from(a) * u64::from(d)).cmp(&(u64::from(c) * u64::from(b)))
    }
}

const fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.wording {
            Wording::To => "to",
            Wording::For => "for",
        };
        write!(f, "{} {word} {}", self.win, self.per)
    }
}

impl TryFrom<String> for Odds {
    type Error = NotMoney;

    fn try_from(text: String) -> Result<Odds, NotMoney> {
        text.parse()
    }
}

impl From<Odds> for String {
    fn from(odds: Odds) -> String {
        odds.to_string()
    }
}

impl FromStr for Odds {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Odds, NotMoney> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |t: &str| t.parse::<u32>().ok().filter(|_| t.bytes().all(|b| b.is_ascii_digit()));
        match words[..] {
            [win, "to", per] => number(win).zip(number(per)).and_then(|(win, per)| Odds::to(win, per)),
            [win, "for", per] => number(win).zip(number(per)).and_then(|(win, per)| Odds::for_(win, per)),
            _ => None,
        }
        .ok_or_else(|| NotMoney::new("a price such as \"7 to 6\" or \"30 for 1\"", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_includes_the_stake_and_to_does_not() {
        assert_eq!("7 for 1".parse::<Odds>().unwrap().net(), (6, 1));
        assert_eq!("7 to 1".parse::<Odds>().unwrap().net(), (7, 1));
        assert_eq!("1 for 1".parse::<Odds>().unwrap().net(), (0, 1));
        assert_eq!("10 to 4".parse::<Odds>().unwrap().net(), (5, 2));
    }

    #[test]
    fn prices_compare_by_what_they_pay() {
        let (a, b) = ("1000 for 1".parse::<Odds>().unwrap(), "999 to 1".parse::<Odds>().unwrap());
        assert_eq!(a.cmp_net(b), Ordering::Equal);
        assert_eq!("9 to 5".parse::<Odds>().unwrap().cmp_net("2 to 1".parse().unwrap()), Ordering::Less);
        assert_eq!("2 to 1".parse::<Odds>().unwrap().cmp_net("7 to 3".parse().unwrap()), Ordering::Less);
        assert_eq!("7 to 3".parse::<Odds>().unwrap().cmp_net("2 to 1".parse().unwrap()), Ordering::Greater);
        assert_eq!("3 to 2".parse::<Odds>().unwrap().cmp_net("5 to 4".parse().unwrap()), Ordering::Greater);
        assert_eq!("1 to 3".parse::<Odds>().unwrap().cmp_net("1 to 2".parse().unwrap()), Ordering::Less);
    }

    #[test]
    fn the_mean_of_two_prices_is_in_lowest_terms() {
        let mean = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| text.parse::<Odds>().unwrap());
            a.mean(b).map(|mean| mean.to_string())
        };
        assert_eq!(mean("45 to 1", "30 to 1").as_deref(), Some("75 to 2"));
        assert_eq!(mean("22 to 1", "30 to 1").as_deref(), Some("26 to 1"));
        assert_eq!(mean("7 to 6", "9 to 5").as_deref(), Some("89 to 60"));
        assert_eq!(mean("4000000000 to 1", "4000000000 to 1"), None);
    }

    #[test]
    fn a_price_is_written_as_it_is_read() {
        for text in ["7 to 6", "30 for 1"] {
            let odds = Odds::try_from(text.to_owned()).unwrap();
            assert_eq!((String::from(odds), odds.to_string()), (text.to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn text_that_is_not_odds_is_refused() {
        for text in ["7", "7:6", "7 to", "0 to 1", "7 to 0", "0 for 1", "1 for 2", "-7 to 6", "7 too 6", "+7 to 6"] {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
    }
}
