use craps_money::{Money, Odds, Rounding, Stake, Unpayable};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a rank pays. A rank without a prize loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prize {
    /// The stake is returned.
    Push,
    /// The stake is paid at these odds.
    Paid(Odds),
    /// One part of a composite is paid at these odds and the other parts are lost.
    Part {
        /// Units bet on this part.
        units: u8,
        /// Units bet in total.
        of: u8,
        /// Odds paid on this part.
        odds: Odds,
    },
}

impl Prize {
    /// Returns the net result per unit staked as a fraction (numerator, denominator).
    ///
    /// ```
    /// use craps_law::Prize;
    /// let horn_on_twelve = Prize::Part { units: 1, of: 4, odds: "30 to 1".parse()? };
    /// assert_eq!(horn_on_twelve.net(), (27, 4));
    /// # Ok::<(), craps_money::NotMoney>(())
    /// ```
    #[must_use]
    pub fn net(&self) -> (i64, u64) {
        match self {
            Prize::Push => (0, 1),
            Prize::Paid(odds) => {
                let (win, per) = odds.net();
                (i64::from(win), u64::from(per))
            }
            Prize::Part { units, of, odds } => {
                let (win, per) = odds.net();
                let lost = i64::from(*of) - i64::from(*units);
                (i64::from(*units) * i64::from(win) - lost * i64::from(per), u64::from(*of) * u64::from(per))
            }
        }
    }

    /// Returns the smallest stake in chips. Every valid stake is a multiple of it. A composite must split into whole chips. If `exactly` is
    /// true, the payout must come out even as well.
    ///
    /// ```
    /// use craps_law::Prize;
    /// let six = Prize::Paid("7 to 6".parse()?);
    /// assert_eq!((six.fewest_chips(true), six.fewest_chips(false)), (6, 1));
    /// let whirl = Prize::Part { units: 2, of: 5, odds: "15 to 4".parse()? };
    /// assert_eq!((whirl.fewest_chips(true), whirl.fewest_chips(false)), (10, 5));
    /// # Ok::<(), craps_money::NotMoney>(())
    /// ```
    #[must_use]
    pub fn fewest_chips(&self, exactly: bool) -> u64 {
        let per = |odds: &Odds| if exactly { u64::from(odds.net().1) } else { 1 };
        match self {
            Prize::Push => 1,
            Prize::Paid(odds) => per(odds),
            Prize::Part { units, of, odds } => u64::from(*of) * per(odds) / gcd(per(odds), u64::from(*units)),
        }
    }

    /// Returns the net result of a stake under a rounding rule. A composite is split, and the winning part is rounded by itself.
    ///
    /// # Errors
    /// When the stake can't be split into whole chips or can't be paid.
    pub fn settle(&self, stake: Stake, rounding: &Rounding) -> Result<Money, Unpayable> {
        match self {
            Prize::Push => Ok(Money::ZERO),
            Prize::Paid(odds) => Ok(rounding.payout(stake, *odds)?.paid),
            Prize::Part { units, of, odds } => {
                let chip = rounding.chip;
                let splits = |chip: Stake| chip.times(u64::from(*of)).is_some_and(|whole| stake.is_multiple_of(whole));
                if !splits(chip) {
                    let multiple = chip.times(u64::from(*of)).unwrap_or(chip);
                    return Err(if stake.is_multiple_of(chip) {
                        Unpayable::NotExact { stake, odds: *odds, chip, multiple }
                    } else {
                        Unpayable::NotInChips { stake, chip }
                    });
                }
                let too_much = Unpayable::TooMuch { stake, odds: *odds };
                let part = i64::try_from(stake.minor() / u64::from(*of) * u64::from(*units))
                    .ok()
                    .and_then(|minor| Stake::new(Money::from_minor(minor)))
                    .ok_or_else(|| too_much.clone())?;
                let lost = stake.money().minus(part.money()).ok_or_else(|| too_much.clone())?;
                rounding.payout(part, *odds)?.paid.minus(lost).ok_or(too_much)
            }
        }
    }
}

impl Prize {
    /// Returns the odds that are paid. `None` for a push.
    #[must_use]
    pub const fn odds(&self) -> Option<Odds> {
        match self {
            Prize::Push => None,
            Prize::Paid(odds) | Prize::Part { odds, .. } => Some(*odds),
        }
    }

    /// Writes payouts in a few words: the odds if all are the same, otherwise the highest after `≤`. `None` if nothing is paid.
    ///
    /// ```
    /// use craps_law::Prize;
    /// let (even, double) = (Prize::Paid("1 to 1".parse()?), Prize::Paid("2 to 1".parse()?));
    /// assert_eq!(Prize::in_short([even, even]).as_deref(), Some("1 to 1"));
    /// assert_eq!(Prize::in_short([even, double, Prize::Push]).as_deref(), Some("≤ 2 to 1"));
    /// assert_eq!(Prize::in_short([Prize::Push]), None);
    /// # Ok::<(), craps_money::NotMoney>(())
    /// ```
    #[must_use]
    pub fn in_short(prizes: impl IntoIterator<Item = Prize>) -> Option<String> {
        let all: Vec<Odds> = prizes.into_iter().filter_map(|prize| prize.odds()).collect();
        let (first, rest) = all.split_first()?;
        if rest.iter().all(|odds| odds == first) {
            return Some(first.to_string());
        }
        let highest = rest.iter().fold(first, |best, odds| if odds.cmp_net(*best).is_gt() { odds } else { best });
        Some(format!("≤ {highest}"))
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Prize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Prize::Push => f.write_str("push"),
            Prize::Paid(odds) => odds.fmt(f),
            Prize::Part { units, of, odds } => write!(f, "{odds} on {units}/{of}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(units: u8, of: u8, odds: &str) -> Prize {
        Prize::Part { units, of, odds: odds.parse().unwrap() }
    }

    /// Net results of composites for the smallest stake, worked out by hand.
    #[test]
    fn composites_net_what_the_winning_part_pays_less_the_rest() {
        let dollars = Rounding::exact(Stake::whole(1).unwrap());
        let rows = [
            (part(1, 2, "7 to 1"), 2, 6),
            (part(1, 2, "15 to 1"), 2, 14),
            (part(1, 4, "30 to 1"), 4, 27),
            (part(1, 4, "15 to 1"), 4, 12),
            (part(2, 5, "30 to 1"), 5, 57),
            (part(1, 5, "30 to 1"), 5, 26),
            (part(2, 5, "15 to 1"), 5, 27),
            (part(1, 5, "15 to 1"), 5, 11),
            (part(1, 5, "4 to 1"), 5, 0),
        ];
        for (prize, stake, net) in rows {
            let money = prize.settle(Stake::whole(stake).unwrap(), &dollars).unwrap();
            assert_eq!(money, Money::from_minor(net * 100), "{prize}");
            let (num, den) = prize.net();
            assert_eq!(num * i64::from(stake), net * i64::try_from(den).unwrap(), "{prize}");
        }
        assert!(part(1, 4, "30 to 1").settle(Stake::whole(6).unwrap(), &dollars).is_err());
    }
}
