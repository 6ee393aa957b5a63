//! Precomputed prices, so that an ordinary win is paid with one multiplication. Other wins are computed from the price itself. A test compares both.

use craps_law::Prize;
use craps_money::{Money, Rounding, Stake};

/// A precomputed price: every `multiple` cents of the stake win `win` cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByHeart {
    /// The smallest stake that is paid exactly, in cents. Zero if the price can't be precomputed.
    multiple: u64,
    /// 2^64 divided by `multiple`, rounded up. Replaces a division.
    inverse: u64,
    /// What the smallest stake wins, in cents.
    win: i64,
}

/// Only stakes below this use the precomputed price. Up to there the inverse gives an exact quotient and no product overflows.
const MOST: u64 = 1 << 32;

impl ByHeart {
    const NOTHING: ByHeart = ByHeart { multiple: 0, inverse: 0, win: 0 };

    pub(crate) fn new(prize: Prize, rounding: &Rounding) -> ByHeart {
        let (num, den) = prize.net();
        let chip = rounding.chip.minor();
        let multiple = chip.checked_mul(den).filter(|multiple| (2..MOST).contains(multiple));
        let win =
            i64::try_from(chip).ok().and_then(|chip| chip.checked_mul(num)).filter(|win| i32::try_from(*win).is_ok());
        match (multiple, win) {
            (Some(multiple), Some(win)) => ByHeart { multiple, inverse: u64::MAX / multiple + 1, win },
            _ => ByHeart::NOTHING,
        }
    }

    /// Returns what a stake wins (without the stake), if the precomputed price applies. A stake of zero wins zero.
    #[inline]
    pub(crate) fn pay(&self, stake: Money) -> Option<Money> {
        let minor = u64::try_from(stake.minor()).ok().filter(|minor| *minor < MOST)?;
        let times = u64::try_from((u128::from(minor) * u128::from(self.inverse)) >> 64).ok()?;
        let exact = times * self.multiple == minor;
        exact.then(|| Money::from_minor(i64::try_from(times).unwrap_or_default() * self.win))
    }
}

/// Returns what a stake wins at a prize (without the stake). None if a bet of this stake can't be paid.
pub(crate) fn paid(prize: Prize, stake: Money, rounding: &Rounding) -> Option<Money> {
    prize.settle(Stake::new(stake)?, rounding).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use craps_money::{Odds, RoundingRule, WholeDollars};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_known_by_heart_is_what_the_price_comes_to(
            minor in prop_oneof![1i64..200_000, 1i64..i64::MAX],
            chip in prop_oneof![Just(1i64), Just(25), Just(100), Just(500), 1i64..10_000],
            (win, per) in (1u32..2_000, 1u32..50),
            (units, of) in (1u8..4, 4u8..6),
            part in any::<bool>(),
            up in any::<bool>(),
        ) {
            let rule = if up { RoundingRule::Up } else { RoundingRule::ExactOrRefuse };
            let rounding = Rounding { rule, whole_dollars: WholeDollars::Exact, chip: Stake::new(Money::from_minor(chip)).unwrap() };
            let odds = Odds::to(win, per).unwrap();
            let prize = if part { Prize::Part { units, of, odds } } else { Prize::Paid(odds) };
            let stake = Money::from_minor(minor);
            // Also test a stake that is a multiple, because random ones rarely are.
            let whole = Money::from_minor(minor % 1_000 * chip * i64::from(per) * i64::from(of));
            for stake in [stake, whole] {
                if let Some(known) = ByHeart::new(prize, &rounding).pay(stake) && stake > Money::ZERO {
                    prop_assert_eq!(Some(known), paid(prize, stake, &rounding));
                }
            }
        }
    }

    #[test]
    fn ordinary_stakes_are_known_by_heart() {
        let dollars = Rounding::exact(Stake::whole(1).unwrap());
        let six = ByHeart::new(Prize::Paid("7 to 6".parse().unwrap()), &dollars);
        assert_eq!(six.pay("12".parse().unwrap()), Some("14".parse().unwrap()));
        assert_eq!(six.pay("10".parse().unwrap()), None);
        let even = ByHeart::new(Prize::Paid("1 to 1".parse().unwrap()), &Rounding::exact("0.02".parse().unwrap()));
        let most = i64::try_from(MOST).unwrap();
        assert_eq!([most - 2, most].map(|minor| even.pay(Money::from_minor(minor)).is_some()), [true, false]);
    }
}
