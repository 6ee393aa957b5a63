use crate::{Money, NotMoney, Stake};
use std::fmt;
use std::str::FromStr;

/// A percentage, in hundredths of a percent.
///
/// ```
/// use craps_money::Rate;
/// let rate: Rate = "4.5%".parse()?;
/// assert_eq!(rate.to_string(), "4.5%");
/// assert_eq!(rate.fraction(), (450, 10_000));
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u32);

impl Rate {
    const WHOLE: u32 = 10_000;

    /// The rate as numerator and denominator.
    #[must_use]
    pub const fn fraction(self) -> (u32, u32) {
        (self.0, Rate::WHOLE)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole}%"),
            (whole, rest) if rest % 10 == 0 => write!(f, "{whole}.{}%", rest / 10),
            (whole, rest) => write!(f, "{whole}.{rest:02}%"),
        }
    }
}

impl FromStr for Rate {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Rate, NotMoney> {
        let digits = |t: &str| if t.bytes().all(|b| b.is_ascii_digit()) { t.parse::<u32>().ok() } else { None };
        text.strip_suffix('%')
            .and_then(|number| {
                let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
                let hundredths = match rest.len() {
                    1 => digits(rest)? * 10,
                    2 => digits(rest)?,
                    _ => return None,
                };
                digits(whole)?.checked_mul(100)?.checked_add(hundredths)
            })
            .filter(|hundredths| *hundredths <= Rate::WHOLE)
            .map(Rate)
            .ok_or_else(|| NotMoney::new("a rate such as 5% or 4.5%", text))
    }
}

/// What the commission is a percentage of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// The amount staked.
    Stake,
    /// The amount that could be won.
    Win,
}

/// When the commission is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timing {
    /// When the bet is made.
    UpFront,
    /// When the bet wins.
    OnWin,
}

/// The house's charge for paying true odds (the vig).
///
/// ```
/// use craps_money::{Base, Commission, Money, Stake, Timing};
/// let lay = Commission::new("5%".parse()?, Base::Win, Timing::UpFront);
/// let due = lay.due(Stake::whole(40)?, Money::from_minor(20_00), Stake::whole(1)?);
/// assert_eq!(due, Money::from_minor(1_00));
/// assert_eq!(lay.to_string(), "up-front of win at 5%");
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commission {
    /// The percentage charged, such as 5%.
    pub rate: Rate,
    /// Whether the percentage is of the stake or of the win.
    pub base: Base,
    /// Whether it's charged with the bet or only on a win.
    pub timing: Timing,
    /// The base counts in whole steps of this amount: with 5% and $20 it's $1 for each full $20. `None`: every cent counts.
    pub each: Option<Stake>,
    /// The smallest charge, also where the rate gives less.
    pub least: Money,
}

impl Commission {
    /// Creates a commission that charges the rate on every cent, with no smallest charge.
    #[must_use]
    pub const fn new(rate: Rate, base: Base, timing: Timing) -> Commission {
        Commission { rate, base, timing, each: None, least: Money::ZERO }
    }

    /// Returns the charge on a whole bet: the rate times the base, rounded down to whole chips so that it never exceeds the rate, but no less than the
    /// smallest charge.
    ///
    /// ```
    /// use craps_money::{Base, Commission, Money, Stake, Timing};
    /// let plain = Commission::new("5%".parse()?, Base::Stake, Timing::UpFront);
    /// let stepped = Commission { each: Some(Stake::whole(20)?), least: Money::from_minor(1_00), ..plain };
    /// let due = |stake: u32| Ok::<_, craps_money::NotMoney>(stepped.due(Stake::whole(stake)?, Money::ZERO, "0.05".parse()?).to_string());
    /// assert_eq!((due(10)?, due(39)?, due(40)?), ("1".to_owned(), "1".to_owned(), "2".to_owned()));
    /// # Ok::<(), craps_money::NotMoney>(())
    /// ```
    #[must_use]
    pub fn due(&self, stake: Stake, win: Money, chip: Stake) -> Money {
        let base = match self.base {
            Base::Stake => u128::from(stake.minor()),
            Base::Win => u128::try_from(win.minor()).unwrap_or(0),
        };
        let base = self.each.map_or(base, |each| base / u128::from(each.minor()) * u128::from(each.minor()));
        let (rate, whole) = self.rate.fraction();
        let chips = base * u128::from(rate) / (u128::from(whole) * u128::from(chip.minor()));
        // A rate is at most 100%, so the charge is at most the base and fits in a Money.
        Money::from_minor(i64::try_from(chips * u128::from(chip.minor())).unwrap_or(i64::MAX)).max(self.least)
    }
}

impl fmt::Display for Commission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timing = match self.timing {
            Timing::UpFront => "up-front",
            Timing::OnWin => "on-win",
        };
        let base = match self.base {
            Base::Stake => "stake",
            Base::Win => "win",
        };
        write!(f, "{timing} of {base} at {}", self.rate)?;
        if let Some(each) = self.each {
            write!(f, " of each {each}")?;
        }
        if self.least > Money::ZERO {
            write!(f, ", at least {}", self.least)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Worked examples at 5%: (bet, win, base, charge with a one-cent chip).
    #[test]
    fn charges_of_the_worked_examples() {
        let rows = [
            (20, 40, Base::Stake, "1"),
            (40, 20, Base::Win, "1"),
            (40, 20, Base::Stake, "2"),
            (60, 50, Base::Win, "2.50"),
            (60, 50, Base::Stake, "3"),
            (20, 120, Base::Stake, "1"),
        ];
        for (stake, win, base, charge) in rows {
            let commission = Commission::new("5%".parse().unwrap(), base, Timing::UpFront);
            let due = commission.due(
                Stake::whole(stake).unwrap(),
                Money::from_minor(i64::from(win) * 100),
                "0.01".parse().unwrap(),
            );
            assert_eq!(due.to_string(), charge, "{stake} winning {win}");
        }
    }

    #[test]
    fn text_that_is_not_a_rate_is_refused() {
        for text in ["5", "%", "101%", "5.555%", "-1%", "5 %", "100.01%"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
        assert_eq!("0%".parse::<Rate>().unwrap().to_string(), "0%");
        assert_eq!("4.25%".parse::<Rate>().unwrap().to_string(), "4.25%");
    }

    #[test]
    fn a_commission_is_written_with_its_timing_base_and_rate() {
        let written = |rate: &str, base, timing| Commission::new(rate.parse().unwrap(), base, timing).to_string();
        assert_eq!(written("5%", Base::Stake, Timing::UpFront), "up-front of stake at 5%");
        assert_eq!(written("4.5%", Base::Win, Timing::OnWin), "on-win of win at 4.5%");
    }

    proptest! {
        #[test]
        fn a_rate_prints_to_what_reads_back(hundredths in 0u32..=10_000) {
            let rate = Rate(hundredths);
            let text = rate.to_string();
            prop_assert_eq!(text.parse::<Rate>().unwrap(), rate);
            prop_assert!(!text.contains('.') || !text.ends_with("0%"), "{}", text);
        }

        #[test]
        fn the_charge_is_in_chips_and_never_above_the_rate(minor in 1i64..1_000_000_000, chip in 1i64..10_000, rate in 0u32..=10_000) {
            let stake = Stake::new(Money::from_minor(minor)).unwrap();
            let chip = Stake::new(Money::from_minor(chip)).unwrap();
            let due = Commission::new(Rate(rate), Base::Stake, Timing::OnWin).due(stake, Money::ZERO, chip);
            prop_assert_eq!(due.minor() % i64::try_from(chip.minor()).unwrap(), 0);
            prop_assert!(i128::from(due.minor()) * 10_000 <= i128::from(minor) * i128::from(rate));
        }
    }
}
