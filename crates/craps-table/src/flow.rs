//! The money that moves when something happens to a bet.

use crate::bets::Bet;
use crate::settle::{After, Verdict};
use craps_money::Money;

/// Money that moves between a player's chips, the felt, the bank and commission, in cents. The four amounts add up to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flow {
    /// Change of the chips in the player's rail.
    pub rail: i64,
    /// Change of the chips on the felt.
    pub felt: i64,
    /// Change of the bank.
    pub bank: i64,
    /// Change of the commission.
    pub commission: i64,
}

impl Flow {
    /// Returns the flow for a bet that was made or raised.
    #[must_use]
    #[inline]
    pub const fn placed(staked: Money, commission: Money) -> Flow {
        let (felt, commission) = (staked.minor(), commission.minor());
        Flow { rail: felt.wrapping_add(commission).wrapping_neg(), felt, bank: 0, commission }
    }

    /// Returns the flow for a bet, or a part of one, that came down.
    #[must_use]
    #[inline]
    pub const fn taken_down(returned: Money, refunded: Money) -> Flow {
        let (back, refunded) = (returned.minor(), refunded.minor());
        Flow {
            rail: back.wrapping_add(refunded),
            felt: back.wrapping_neg(),
            bank: 0,
            commission: refunded.wrapping_neg(),
        }
    }

    /// Returns the flow for a bet that was decided, credited or moved.
    #[must_use]
    #[inline(always)]
    pub const fn settled(bet: &Bet, verdict: &Verdict, after: &After) -> Flow {
        let stays = match after {
            After::Down => 0,
            After::Stands(_, next) => next.stake.minor(),
        };
        let back = bet.stake.minor().wrapping_sub(stays);
        let (paid, commission, lost) = match verdict {
            Verdict::Won { paid, commission, .. } => (paid.minor(), commission.minor(), false),
            Verdict::Credited { paid, .. } => (paid.minor(), 0, false),
            Verdict::Lost => (0, 0, true),
            Verdict::Returned | Verdict::Moved { .. } => (0, 0, false),
        };
        let (to_rail, to_bank) = if lost { (0, back) } else { (back, 0) };
        Flow {
            rail: paid.wrapping_sub(commission).wrapping_add(to_rail),
            felt: back.wrapping_neg(),
            bank: to_bank.wrapping_sub(paid),
            commission,
        }
    }

    /// Returns what the player won. Negative for a loss.
    #[must_use]
    #[inline(always)]
    pub const fn net(&self) -> i64 {
        self.rail.wrapping_add(self.felt)
    }

    /// Do the four amounts add up to zero? If not, one of them overflowed.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        [self.rail, self.felt, self.bank, self.commission].into_iter().map(i128::from).sum::<i128>() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slots::SlotId;
    use craps_law::Prize;
    use craps_wagers::Rank;
    use proptest::prelude::*;

    fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    proptest! {
        /// No result of a bet creates or loses money, and an overflow is detected.
        #[test]
        fn money_that_goes_somewhere_comes_from_somewhere(
            stake in 0i64..1_000_000, paid in 0i64..1_000_000, fee in 0i64..1_000, stays in 0i64..1_000_000,
            far in any::<bool>(),
        ) {
            let bet = Bet { stake: money(stake), ..Bet::default() };
            let next = Bet { stake: money(stays), ..Bet::default() };
            let won = Verdict::Won { rank: Rank::WIN, prize: Prize::Push, paid: money(paid), commission: money(fee) };
            let credited = Verdict::Credited { rank: Rank::WIN, paid: money(paid) };
            let moved = Verdict::Moved { to: SlotId(3) };
            for verdict in [won, credited, Verdict::Lost, Verdict::Returned, moved] {
                for after in [After::Down, After::Stands(SlotId(1), next)] {
                    let flow = Flow::settled(&bet, &verdict, &after);
                    prop_assert!(flow.is_balanced());
                    prop_assert_eq!(flow.net(), -(flow.bank + flow.commission));
                }
            }
            prop_assert!(Flow::placed(money(stake), money(fee)).is_balanced());
            prop_assert!(Flow::taken_down(money(stake), money(fee)).is_balanced());
            let most = if far { i64::MAX } else { i64::MAX - stake };
            let too_much = Flow::taken_down(money(most), money(stake.max(1) + i64::from(!far)));
            prop_assert_eq!(too_much.is_balanced(), i128::from(most) + i128::from(stake.max(1) + i64::from(!far)) <= i128::from(i64::MAX));
        }
    }

    #[test]
    fn a_bet_that_stays_up_is_paid_and_a_lost_one_goes_to_the_bank() {
        let bet = Bet { stake: money(1_200), ..Bet::default() };
        let won = Verdict::Won { rank: Rank::WIN, prize: Prize::Push, paid: money(1_400), commission: money(100) };
        let up = Flow::settled(&bet, &won, &After::Stands(SlotId(0), bet));
        assert_eq!(up, Flow { rail: 1_300, felt: 0, bank: -1_400, commission: 100 });
        let down = Flow::settled(&bet, &won, &After::Down);
        assert_eq!(down, Flow { rail: 2_500, felt: -1_200, bank: -1_400, commission: 100 });
        let lost = Flow::settled(&bet, &Verdict::Lost, &After::Down);
        assert_eq!(lost, Flow { rail: 0, felt: -1_200, bank: 1_200, commission: 0 });
        let back = Flow::settled(&bet, &Verdict::Returned, &After::Down);
        assert_eq!(back, Flow { rail: 1_200, felt: -1_200, bank: 0, commission: 0 });
    }
}
