//! The one function that settles. The table's sink writes events, `outcomes` sums thirty-six of them, and the simulator will add money.

use crate::bets::{AfterWin, Bet, SeatBets};
use crate::layout::{Effect, Layout, SlotId, payout};
use craps_dice::Throw;
use craps_law::{Prize, TableRules, WagerRules};
use craps_money::{Money, Stake, Timing};
use craps_wagers::{Family, Phase, Progress, Rank, Step, WagerId};

/// What became of one bet on one throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Won: the rank, the prize, what it was paid before commission, and the commission taken from it.
    Won {
        /// The rank.
        rank: Rank,
        /// What the rank is worth.
        prize: Prize,
        /// Net of the stake, before commission.
        paid: Money,
        /// Commission taken from the win.
        commission: Money,
    },
    /// Lost: the stake goes to the bank.
    Lost,
    /// Void, or odds that were off when their bet was decided: the stake goes back to the rail.
    Returned,
    /// A rank that gives the stake back and leaves the bet: the stake is credited and staked again.
    Credited {
        /// The rank.
        rank: Rank,
        /// Net of the stake.
        paid: Money,
    },
    /// A come or don't come bet went to its number.
    Moved {
        /// The slot it went to.
        to: SlotId,
    },
}

/// Where the bet is after its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Its stake is off the felt.
    Down,
    /// It stands as this bet in this slot.
    Stands(SlotId, Bet),
}

/// Takes note of what is settled, bet by bet.
pub trait Sink {
    /// A bet was decided, credited or moved.
    fn settled(&mut self, slot: SlotId, bet: &Bet, verdict: Verdict, after: After);

    /// A bet that won on its number was made again where such bets begin.
    fn made_again(&mut self, slot: SlotId, bet: &Bet);
}

/// The levels that a draw before the throw gave to wagers.
pub type Selection = [(WagerId, usize)];

/// Settles one throw for one seat. Nothing is allocated.
pub fn settle(
    layout: &Layout,
    rules: &TableRules,
    bets: &mut SeatBets,
    phase: Phase,
    throw: Throw,
    selection: &Selection,
    sink: &mut impl Sink,
) {
    let come_out = !matches!(phase, Phase::Point(_));
    let next_phase = phase.after(throw, rules.points);
    let off = if come_out { (layout.off_on_come_out & !bets.called_on) | bets.called_off } else { 0 };
    let standing = bets.active();
    let mut open = standing & layout.masks[crate::layout::row(phase)][throw.index()];
    let mut moving = 0;
    let mut again = None;
    while open != 0 {
        // The lowest bit is the first slot, so bets are settled in printing order.
        let Ok(place) = u8::try_from(open.trailing_zeros()) else { break };
        open &= open - 1;
        let slot = SlotId::at(place);
        let Some(bet) = bets.get(slot).copied() else { continue };
        // Odds follow their bet: while it is off and stands, so do they.
        if layout.slot(slot).front.is_some_and(|front| off & front.bit() != 0) {
            continue;
        }
        if off & slot.bit() != 0 {
            // A bet that is off is not stepped; odds that are off go back when the bet in front of them is decided.
            if layout.slot(slot).front.is_some()
                && matches!(layout.effect_of(slot, phase, throw), Effect::Won(_) | Effect::Lost)
            {
                bets.take(slot);
                sink.settled(slot, &bet, Verdict::Returned, After::Down);
            }
            continue;
        }
        let wager = layout.rules(rules, slot);
        match layout.effect_of(slot, phase, throw) {
            Effect::Stand => {}
            Effect::Won(rank) => {
                again = win(layout, rules, bets, slot, bet, rank, next_phase, selection, sink).or(again)
            }
            Effect::Lost => lose(bets, slot, &bet, sink),
            Effect::Pushed => give_back(bets, slot, &bet, sink),
            Effect::MoveTo(_) => moving |= slot.bit(),
            Effect::Stepped => match wager.machine.step(bet.progress, phase, throw) {
                Step::Stand(progress) => advance(bets, slot, bet, progress),
                Step::Won(rank) => {
                    again = win(layout, rules, bets, slot, bet, rank, next_phase, selection, sink).or(again)
                }
                Step::Lost => lose(bets, slot, &bet, sink),
                Step::Pushed => give_back(bets, slot, &bet, sink),
                Step::Credited(rank, progress) => {
                    let paid = wager.prizes.is.of(rank).and_then(|prize| money(prize, &bet, rules)).unwrap_or_default();
                    let next = Bet { progress, thrown: true, ..bet };
                    bets.put(slot, next);
                    sink.settled(slot, &bet, Verdict::Credited { rank, paid }, After::Stands(slot, next));
                }
            },
        }
    }
    // Bets are decided first and move afterwards: an old bet may be won on the number that a new one goes to.
    while moving != 0 {
        let Ok(place) = u8::try_from(moving.trailing_zeros()) else { break };
        moving &= moving - 1;
        let slot = SlotId::at(place);
        if let (Effect::MoveTo(to), Some(bet)) = (layout.effect_of(slot, phase, throw), bets.take(slot)) {
            bets.put(to, bet);
            sink.settled(slot, &bet, Verdict::Moved { to }, After::Stands(to, bet));
        }
    }
    // Last of all a come bet that was told to stay up goes back to where come bets begin, now that the place is free.
    if let Some((slot, bet)) = again {
        bets.put(slot, bet);
        sink.made_again(slot, &bet);
    }
}

/// A side bet that goes on takes its progress along.
fn advance(bets: &mut SeatBets, slot: SlotId, bet: Bet, progress: Progress) {
    bets.put(slot, Bet { progress, ..bet });
}

fn lose(bets: &mut SeatBets, slot: SlotId, bet: &Bet, sink: &mut impl Sink) {
    bets.take(slot);
    sink.settled(slot, bet, Verdict::Lost, After::Down);
}

fn give_back(bets: &mut SeatBets, slot: SlotId, bet: &Bet, sink: &mut impl Sink) {
    bets.take(slot);
    sink.settled(slot, bet, Verdict::Returned, After::Down);
}

/// What a bet is paid at a prize, a coupon riding along; none if it could not have been taken.
fn money(prize: Prize, bet: &Bet, rules: &TableRules) -> Option<Money> {
    let stake = Stake::new(bet.stake.plus(bet.coupon)?)?;
    payout(prize, stake, rules).ok()
}

#[expect(clippy::too_many_arguments, reason = "one call of one function, kept apart for reading")]
fn win(
    layout: &Layout,
    rules: &TableRules,
    bets: &mut SeatBets,
    slot: SlotId,
    bet: Bet,
    rank: Rank,
    next_phase: Phase,
    selection: &Selection,
    sink: &mut impl Sink,
) -> Option<(SlotId, Bet)> {
    let wager = layout.rules(rules, slot);
    let Some(prize) = prize_of(rules, wager, rank, selection) else {
        lose(bets, slot, &bet, sink);
        return None;
    };
    let paid = money(prize, &bet, rules).unwrap_or_default();
    // A part may win and the whole still come out even, or a rank may be worth just the stake.
    if matches!(prize, Prize::Push)
        || (paid == Money::ZERO && wager.wager.wager().ranks == craps_wagers::Ranks::OfParts)
    {
        give_back(bets, slot, &bet, sink);
        return None;
    }
    let stake = Stake::new(bet.stake);
    let due = |timing: Timing| match (&wager.commission, stake) {
        (Some(fact), Some(stake)) if fact.is.timing == timing => fact.is.due(stake, paid, rules.rounding.chip),
        _ => Money::ZERO,
    };
    let taken = due(Timing::OnWin);
    let again = due(Timing::UpFront);
    let stays = match bet.after_win {
        AfterWin::Up => true,
        AfterWin::Down => false,
        AfterWin::Usual => wager.stays_up,
    };
    bets.take(slot);
    let next = stays.then(|| made_again(layout, slot, next_phase, &bet, again)).flatten();
    match next {
        Some((to, next)) if to == slot => {
            bets.put(to, next);
            let commission = taken.plus(again).unwrap_or(taken);
            sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission }, After::Stands(to, next));
            None
        }
        elsewhere => {
            sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission: taken }, After::Down);
            elsewhere
        }
    }
}

/// The bet that a winning bet left up is made again as; none where it could not be made now. What it was told to do holds on.
fn made_again(layout: &Layout, slot: SlotId, next_phase: Phase, bet: &Bet, commission: Money) -> Option<(SlotId, Bet)> {
    let place = layout.slot(slot);
    let family = place.wager.wager().family;
    let to = match family {
        // A come bet is made again in the come area, while a point is still on.
        Family::Line if place.number.is_some() => layout.find(place.wager, None)?,
        _ => slot,
    };
    let point_on = matches!(next_phase, Phase::Point(_));
    let allowed = match family {
        Family::Line if place.wager.wager().code.contains('#') => point_on,
        Family::Line => !point_on,
        Family::Odds | Family::Shooter => false,
        _ => true,
    };
    let fresh = Bet { stake: bet.stake, commission, after_win: bet.after_win, ..Bet::default() };
    allowed.then_some((to, fresh))
}

/// The prize of a rank on this throw: the book's, or the level a draw raised it to.
fn prize_of(rules: &TableRules, wager: &WagerRules, rank: Rank, selection: &Selection) -> Option<Prize> {
    let base = wager.prizes.is.of(rank);
    if selection.is_empty() {
        return base;
    }
    rules.raised(wager.wager, wager.broken_down, rank, selection).or(base)
}
