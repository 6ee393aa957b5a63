use crate::{Money, Odds, Stake};

/// What a table does when its chips can't pay a bet exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoundingRule {
    /// The table refuses a stake that can't be paid exactly.
    ExactOrRefuse,
    /// The payout is rounded up to the lowest chip.
    Up,
    /// The payout is rounded down to the lowest chip.
    Down,
}

/// How rounding up treats a payout in whole dollars that isn't a whole number of chips (such as $9 with $5 chips).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WholeDollars {
    /// It is paid exactly, because the rule covers only payouts that aren't whole dollars.
    Exact,
    /// It is rounded up like any other payout.
    Rounded,
}

/// How a table rounds payouts.
///
/// ```
/// use craps_money::{Rounding, RoundingRule, Stake, WholeDollars};
/// let quarters = Rounding { rule: RoundingRule::Up, whole_dollars: WholeDollars::Exact, chip: "0.25".parse()? };
/// let paid = quarters.payout(Stake::whole(10)?, "2 to 3".parse()?)?;
/// assert_eq!((paid.paid.to_string(), paid.is_rounded()), ("6.75".to_owned(), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rounding {
    /// Whether a stake that can't be paid exactly is refused or rounded up.
    pub rule: RoundingRule,
    /// Whether rounding up leaves payouts in whole dollars alone.
    pub whole_dollars: WholeDollars,
    /// The value of the smallest chip at the table.
    pub chip: Stake,
}

/// Why a stake can't be taken at given odds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unpayable {
    /// The stake is not made of whole chips.
    #[error("{stake} isn't a whole number of {chip} chips")]
    NotInChips {
        /// The amount of the bet.
        stake: Stake,
        /// The value of the smallest chip.
        chip: Stake,
    },
    /// The payout isn't a whole number of chips.
    #[error("{stake} at {odds} can't be paid evenly in {chip} chips; bet a multiple of {multiple}")]
    NotExact {
        /// The amount of the bet.
        stake: Stake,
        /// The odds that the bet pays.
        odds: Odds,
        /// The value of the smallest chip.
        chip: Stake,
        /// The smallest stake that can be paid exactly. Its multiples can be too.
        multiple: Stake,
    },
    /// The payout overflows a [`Money`].
    #[error("the payout of {stake} at {odds} is too large")]
    TooMuch {
        /// The amount of the bet.
        stake: Stake,
        /// The odds that the bet pays.
        odds: Odds,
    },
}

/// What a winning bet is paid, not counting the stake itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Payout {
    /// The exact payout in minor units, as numerator and denominator.
    pub exact: (u128, u32),
    /// The amount paid, after rounding.
    pub paid: Money,
}

impl Payout {
    /// Returns true if the amount paid differs from the exact payout.
    #[must_use]
    pub fn is_rounded(&self) -> bool {
        u128::try_from(self.paid.minor()).ok() != Some(self.exact.0 / u128::from(self.exact.1))
            || !self.exact.0.is_multiple_of(u128::from(self.exact.1))
    }
}

impl Rounding {
    /// Returns the rule that refuses stakes that can't be paid exactly, with this smallest chip.
    #[must_use]
    pub const fn exact(chip: Stake) -> Rounding {
        Rounding { rule: RoundingRule::ExactOrRefuse, whole_dollars: WholeDollars::Exact, chip }
    }

    /// Returns the smallest stake that can be paid exactly at these odds. Its multiples can be too. `None` on overflow.
    #[must_use]
    pub fn exact_multiple(&self, odds: Odds) -> Option<Stake> {
        self.chip.times(u64::from(odds.net().1))
    }

    /// Returns what the stake is paid when it wins.
    ///
    /// # Errors
    /// When the stake isn't in whole chips, can't be paid exactly under [`RoundingRule::ExactOrRefuse`], or the payout is too large.
    pub fn payout(&self, stake: Stake, odds: Odds) -> Result<Payout, Unpayable> {
        let (chip, too_much) = (self.chip, Unpayable::TooMuch { stake, odds });
        if !stake.is_multiple_of(chip) {
            return Err(Unpayable::NotInChips { stake, chip });
        }
        let (win, per) = odds.net();
        let exact = (u128::from(stake.minor()) * u128::from(win), per);
        let (whole, rest) = (exact.0 / u128::from(per), exact.0 % u128::from(per));
        let in_chips = rest == 0 && whole.is_multiple_of(u128::from(chip.minor()));
        let paid = |minor: u128| i64::try_from(minor).map(Money::from_minor).map_err(|_| too_much.clone());
        match self.rule {
            _ if in_chips => Ok(Payout { exact, paid: paid(whole)? }),
            RoundingRule::ExactOrRefuse => {
                let multiple = self.exact_multiple(odds).ok_or(too_much)?;
                Err(Unpayable::NotExact { stake, odds, chip, multiple })
            }
            RoundingRule::Down => {
                let chip = u128::from(chip.minor());
                Ok(Payout { exact, paid: paid(whole / chip * chip)? })
            }
            RoundingRule::Up => {
                let exactly = paid(whole)?;
                if rest == 0 && exactly.is_whole() && self.whole_dollars == WholeDollars::Exact {
                    return Ok(Payout { exact, paid: exactly });
                }
                let chips = exact.0.div_ceil(u128::from(per) * u128::from(chip.minor()));
                Ok(Payout { exact, paid: paid(chips * u128::from(chip.minor()))? })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn up(chip: &str) -> Rounding {
        Rounding { rule: RoundingRule::Up, whole_dollars: WholeDollars::Exact, chip: chip.parse().unwrap() }
    }

    /// Worked examples: stake, odds, lowest chip, and the amount paid.
    #[test]
    fn payouts_round_up_to_the_lowest_chip_unless_whole() {
        let rows = [
            ("5", "7 to 6", "1", "6"),
            ("5", "7 to 6", "0.25", "6"),
            ("5", "7 to 6", "5", "10"),
            ("10", "2 to 3", "1", "7"),
            ("10", "2 to 3", "0.25", "6.75"),
            ("10", "2 to 3", "5", "10"),
            ("3", "9 to 5", "1", "6"),
            ("3", "9 to 5", "0.25", "5.50"),
            ("5", "9 to 5", "1", "9"),
            ("5", "9 to 5", "5", "9"),
        ];
        for (stake, odds, chip, paid) in rows {
            let payout = up(chip).payout(stake.parse().unwrap(), odds.parse().unwrap()).unwrap();
            assert_eq!(payout.paid.to_string(), paid, "{stake} at {odds} in {chip}");
        }
        let rounded = Rounding { whole_dollars: WholeDollars::Rounded, ..up("5") };
        assert_eq!(rounded.payout("5".parse().unwrap(), "9 to 5".parse().unwrap()).unwrap().paid.to_string(), "10");
        assert!(up("5").payout("3".parse().unwrap(), "9 to 5".parse().unwrap()).is_err());
    }

    /// Odds, and the smallest number of dollars that they pay exactly.
    #[test]
    fn the_smallest_exact_stake_is_the_denominator_in_chips() {
        let dollars = Rounding::exact(Stake::whole(1).unwrap());
        let rows =
            [("9 to 5", 5), ("7 to 6", 6), ("5 to 11", 11), ("5 to 8", 8), ("4 to 5", 5), ("2 to 1", 1), ("3 to 2", 2)];
        for (odds, units) in rows {
            assert_eq!(dollars.exact_multiple(odds.parse().unwrap()), Stake::whole(units).ok(), "{odds}");
        }
        let error = dollars.payout("10".parse().unwrap(), "7 to 6".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "10 at 7 to 6 can't be paid evenly in 1 chips; bet a multiple of 6");
    }

    proptest! {
        #[test]
        fn rounding_up_never_underpays_and_never_overpays_a_chip(chips in 1u64..1_000_000, chip in 1i64..1000, win in 1u32..1000, per in 1u32..100) {
            let rounding = Rounding { rule: RoundingRule::Up, whole_dollars: WholeDollars::Rounded, chip: Stake::new(Money::from_minor(chip)).unwrap() };
            let stake = rounding.chip.times(chips).unwrap();
            let payout = rounding.payout(stake, Odds::to(win, per).unwrap()).unwrap();
            let paid = u128::try_from(payout.paid.minor()).unwrap() * u128::from(payout.exact.1);
            prop_assert!(paid >= payout.exact.0);
            prop_assert!(paid - payout.exact.0 < u128::from(rounding.chip.minor()) * u128::from(payout.exact.1));
            prop_assert_eq!(payout.is_rounded(), paid != payout.exact.0);
        }

        #[test]
        fn exact_or_refuse_takes_just_the_multiples(chips in 1u64..10_000, win in 1u32..1000, per in 1u32..100) {
            let rounding = Rounding::exact(Stake::whole(1).unwrap());
            let odds = Odds::to(win, per).unwrap();
            let stake = rounding.chip.times(chips).unwrap();
            let multiple = rounding.exact_multiple(odds).unwrap();
            prop_assert_eq!(rounding.payout(stake, odds).is_ok(), stake.is_multiple_of(multiple));
        }
    }
}
