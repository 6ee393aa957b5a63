use crate::NotMoney;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// Minor units (cents) in one unit of money (a dollar).
const MINOR: i64 = 100;

/// An amount of money in minor units (cents). It can be negative.
///
/// ```
/// use craps_money::Money;
/// let amount: Money = "12.50".parse()?;
/// assert_eq!(amount.minor(), 1250);
/// assert_eq!(amount.to_string(), "12.50");
/// assert_eq!(Money::from_minor(1200).to_string(), "12");
/// assert!("12.5".parse::<Money>().is_err());
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(i64);

impl Money {
    /// An amount of zero.
    pub const ZERO: Money = Money(0);

    /// Makes an amount from minor units.
    #[must_use]
    pub const fn from_minor(minor: i64) -> Money {
        Money(minor)
    }

    /// The amount in minor units.
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// Returns the sum, or `None` on overflow.
    #[must_use]
    pub fn plus(self, other: Money) -> Option<Money> {
        self.0.checked_add(other.0).map(Money)
    }

    /// Returns the difference, or `None` on overflow.
    #[must_use]
    pub fn minus(self, other: Money) -> Option<Money> {
        self.0.checked_sub(other.0).map(Money)
    }

    /// Returns true if the amount is a whole number of dollars.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.0 % MINOR == 0
    }
}

impl fmt::Display for Money {
    /// Writes whole amounts without decimals, and others with two decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minor = self.0.unsigned_abs();
        let (whole, rest) = (minor / MINOR.unsigned_abs(), minor % MINOR.unsigned_abs());
        let sign = if self.0 < 0 { "-" } else { "" };
        if rest == 0 { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{rest:02}") }
    }
}

impl FromStr for Money {
    type Err = NotMoney;

    /// Reads digits, optionally with two decimals. A sign is an error.
    fn from_str(text: &str) -> Result<Money, NotMoney> {
        let wrong = || NotMoney::new("an amount such as 25 or 12.50", text);
        let digits = |t: &str| if t.bytes().all(|b| b.is_ascii_digit()) { t.parse::<i64>().ok() } else { None };
        let (whole, cents) = match text.split_once('.') {
            None => (digits(text), Some(0)),
            Some((whole, cents)) if cents.len() == 2 => (digits(whole), digits(cents)),
            Some(_) => return Err(wrong()),
        };
        whole
            .zip(cents)
            .and_then(|(whole, cents)| whole.checked_mul(MINOR)?.checked_add(cents))
            .map(Money)
            .ok_or_else(wrong)
    }
}

/// An amount at risk on a bet. It is always above zero.
///
/// ```
/// use craps_money::{Money, Stake};
/// assert!(Stake::new(Money::ZERO).is_none());
/// assert_eq!(Stake::whole(5).unwrap().to_string(), "5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Money", into = "Money")]
pub struct Stake(NonZeroU64);

impl Stake {
    /// Returns the amount as a stake, or `None` if it isn't above zero.
    #[must_use]
    pub fn new(amount: Money) -> Option<Stake> {
        u64::try_from(amount.0).ok().and_then(NonZeroU64::new).map(Stake)
    }

    /// Makes a stake of this many dollars.
    ///
    /// # Errors
    /// When `units` is zero.
    pub fn whole(units: u32) -> Result<Stake, NotMoney> {
        Stake::new(Money(i64::from(units) * MINOR)).ok_or_else(|| NotMoney::new("an amount above zero", units))
    }

    /// The stake as an amount.
    #[must_use]
    pub fn money(self) -> Money {
        // A stake is made from a Money, so it always fits in one.
        Money(i64::try_from(self.0.get()).unwrap_or(i64::MAX))
    }

    /// The stake in minor units.
    #[must_use]
    pub const fn minor(self) -> u64 {
        self.0.get()
    }

    /// Returns true if this is a whole multiple of the other amount, such as a chip.
    #[must_use]
    pub const fn is_multiple_of(self, other: Stake) -> bool {
        self.minor().is_multiple_of(other.minor())
    }

    /// Returns the smallest amount that is a whole multiple of both, or `None` on overflow.
    ///
    /// ```
    /// use craps_money::Stake;
    /// let (dollar, chip): (Stake, Stake) = ("1".parse()?, "1.50".parse()?);
    /// assert_eq!(dollar.common_multiple(chip), "3".parse().ok());
    /// # Ok::<(), craps_money::NotMoney>(())
    /// ```
    #[must_use]
    pub fn common_multiple(self, other: Stake) -> Option<Stake> {
        let (mut a, mut b) = (self.minor(), other.minor());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        self.times(other.minor() / a)
    }

    /// Returns `factor` times the stake, or `None` if that is zero or overflows.
    #[must_use]
    pub fn times(self, factor: u64) -> Option<Stake> {
        let minor = self.minor().checked_mul(factor)?;
        Stake::new(Money(i64::try_from(minor).ok()?))
    }
}

impl fmt::Display for Stake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.money().fmt(f)
    }
}

impl TryFrom<Money> for Stake {
    type Error = NotMoney;

    fn try_from(amount: Money) -> Result<Stake, NotMoney> {
        Stake::new(amount).ok_or_else(|| NotMoney { expected: "an amount above zero", found: amount.to_string() })
    }
}

impl From<Stake> for Money {
    fn from(stake: Stake) -> Money {
        stake.money()
    }
}

impl FromStr for Stake {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Stake, NotMoney> {
        Stake::new(text.parse()?).ok_or_else(|| NotMoney::new("an amount above zero", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_that_is_not_an_amount_is_refused() {
        for text in ["", ".", "-5", "+5", "1.5", "1.555", "1e3", "12,00", "92233720368547758.08", "५"] {
            assert!(text.parse::<Money>().is_err(), "{text}");
        }
        assert!("0".parse::<Stake>().is_err());
    }

    #[test]
    fn amounts_are_written_with_their_sign() {
        let texts = [0, 5, 100, -1, -250].map(|minor| Money::from_minor(minor).to_string());
        assert_eq!(texts, ["0", "0.05", "1", "-0.01", "-2.50"]);
        assert_eq!(Money::from("12.50".parse::<Stake>().unwrap()), Money::from_minor(1250));
    }

    proptest! {
        #[test]
        fn the_common_multiple_is_the_first_multiple_of_both(a in 1u64..200, b in 1u64..200) {
            let stake = |minor: u64| Stake::new(Money::from_minor(i64::try_from(minor).unwrap())).unwrap();
            let first = (1..).map(|times| a * times).find(|minor| minor.is_multiple_of(b)).unwrap();
            prop_assert_eq!(stake(a).common_multiple(stake(b)), Some(stake(first)));
        }

        #[test]
        fn an_amount_prints_to_what_reads_back(minor in 0..=i64::MAX) {
            let amount = Money::from_minor(minor);
            prop_assert_eq!(amount.to_string().parse::<Money>().unwrap(), amount);
        }

        #[test]
        fn sums_that_do_not_fit_are_none(a in any::<i64>(), b in any::<i64>()) {
            prop_assert_eq!(Money(a).plus(Money(b)).map(Money::minor), a.checked_add(b));
            prop_assert_eq!(Money(a).minus(Money(b)).map(Money::minor), a.checked_sub(b));
        }
    }
}
