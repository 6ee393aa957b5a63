//! The one function that settles. The table's sink writes events, `outcomes` sums thirty-six of them, and a simulation adds money.

use crate::bets::{AfterWin, Bet, SeatBets};
use crate::layout::{Effect, Layout};
use crate::slots::{SlotId, Slots};
use crate::till::paid;
use craps_dice::Throw;
use craps_law::{Prize, TableRules};
use craps_money::{Money, Stake, Timing};
use craps_wagers::{Phase, Rank, Step, WagerId};

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
    let (changes, effects) = layout.turn(phase, throw);
    let mut open = bets.slots().and(changes);
    if open.is_empty() {
        return;
    }
    let off = match phase {
        Phase::Point(_) => Slots::NONE,
        _ => layout.off_on_come_out.without(bets.called_on).or(bets.called_off),
    };
    let settling = Settling { layout, rules, phase, throw, selection, off };
    let mut moving = Slots::NONE;
    let mut again = None;
    // The first slot comes first, so bets are settled in printing order.
    while let Some(slot) = open.pop() {
        let effect = effects[slot.index()];
        if !off.is_empty() && settling.is_held(bets, slot, effect, sink) {
            continue;
        }
        match effect {
            Effect::Stand => {}
            Effect::Won(place) => again = settling.win_by_layout(bets, slot, place, sink).or(again),
            Effect::Lost => lose(bets, slot, sink),
            Effect::Pushed => give_back(bets, slot, sink),
            Effect::MoveTo(_) => moving.insert(slot),
            Effect::Stepped => again = settling.step(bets, slot, sink).or(again),
        }
    }
    // Bets are decided first and move afterwards: an old bet may be won on the number that a new one goes to.
    while let Some(slot) = moving.pop() {
        if let Effect::MoveTo(to) = effects[slot.index()] {
            let bet = *bets.at(slot);
            bets.clear(slot);
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

#[inline]
fn lose(bets: &mut SeatBets, slot: SlotId, sink: &mut impl Sink) {
    sink.settled(slot, bets.at(slot), Verdict::Lost, After::Down);
    bets.clear(slot);
}

#[inline]
fn give_back(bets: &mut SeatBets, slot: SlotId, sink: &mut impl Sink) {
    sink.settled(slot, bets.at(slot), Verdict::Returned, After::Down);
    bets.clear(slot);
}

/// One throw being settled: what holds for every bet alike.
struct Settling<'a> {
    layout: &'a Layout,
    rules: &'a TableRules,
    phase: Phase,
    throw: Throw,
    selection: &'a Selection,
    /// The slots that are off.
    off: Slots,
}

impl Settling<'_> {
    /// A bet that is off is not decided, and odds follow their bet: while it is off and stands, so do they. Odds that are off themselves go
    /// back when the bet in front of them is decided.
    fn is_held(&self, bets: &mut SeatBets, slot: SlotId, effect: Effect, sink: &mut impl Sink) -> bool {
        let front = self.layout.slot(slot).front;
        if front.is_some_and(|front| self.off.contains(front)) {
            return true;
        }
        let is_off = self.off.contains(slot);
        if is_off && front.is_some() && matches!(effect, Effect::Won(_) | Effect::Lost) {
            give_back(bets, slot, sink);
        }
        is_off
    }

    /// A bet that gathers something is stepped from what it has.
    #[inline(never)]
    fn step(&self, bets: &mut SeatBets, slot: SlotId, sink: &mut impl Sink) -> Option<(SlotId, Bet)> {
        let wager = self.layout.rules(self.rules, slot);
        let bet = *bets.at(slot);
        match wager.machine.step(bet.progress, self.phase, self.throw) {
            // It takes what it has gathered along.
            Step::Stand(progress) => bets.put(slot, Bet { progress, ..bet }),
            Step::Won(rank) => {
                let prize = self.raised(slot, rank).or_else(|| wager.prizes.is.of(rank));
                let won = prize.and_then(|prize| paid(prize, riding(&bet)?, &self.rules.rounding));
                return self.win(bets, slot, rank, prize, won, sink);
            }
            Step::Lost => lose(bets, slot, sink),
            Step::Pushed => give_back(bets, slot, sink),
            Step::Credited(rank, progress) => {
                let prize = wager.prizes.is.of(rank);
                let won = prize.and_then(|prize| paid(prize, riding(&bet)?, &self.rules.rounding));
                let next = Bet { progress, thrown: true, ..bet };
                bets.put(slot, next);
                let verdict = Verdict::Credited { rank, paid: won.unwrap_or_default() };
                sink.settled(slot, &bet, verdict, After::Stands(slot, next));
            }
        }
        None
    }

    /// What a draw before the throw has raised the prize of a rank to, if it has.
    #[inline]
    fn raised(&self, slot: SlotId, rank: Rank) -> Option<Prize> {
        if self.selection.is_empty() {
            return None;
        }
        let wager = self.layout.rules(self.rules, slot);
        self.rules.raised(wager.wager, wager.broken_down, rank, self.selection)
    }

    /// A win that the layout lists.
    #[inline]
    fn win_by_layout(
        &self,
        bets: &mut SeatBets,
        slot: SlotId,
        place: u16,
        sink: &mut impl Sink,
    ) -> Option<(SlotId, Bet)> {
        let win = self.layout.win_at(place);
        let (mut prize, mut by_heart) = (win.prize, Some(win.by_heart));
        if let Some(raised) = self.raised(slot, win.rank) {
            (prize, by_heart) = (Some(raised), None);
        }
        let stake = riding(bets.at(slot));
        let known = stake.zip(by_heart).and_then(|(stake, by_heart)| by_heart.pay(stake));
        let won = known.or_else(|| paid(prize?, stake?, &self.rules.rounding));
        self.win(bets, slot, win.rank, prize, won, sink)
    }

    /// Pays a bet, and leaves it up where it stays up; the bet that a come bet is made again as is handed back.
    #[inline]
    fn win(
        &self,
        bets: &mut SeatBets,
        slot: SlotId,
        rank: Rank,
        prize: Option<Prize>,
        won: Option<Money>,
        sink: &mut impl Sink,
    ) -> Option<(SlotId, Bet)> {
        let Some(prize) = prize else {
            lose(bets, slot, sink);
            return None;
        };
        let standing = self.layout.standing(slot);
        let paid = won.unwrap_or_default();
        // A part may win and the whole still come out even, or a rank may be worth just the stake.
        if matches!(prize, Prize::Push) || (paid == Money::ZERO && standing.of_parts) {
            give_back(bets, slot, sink);
            return None;
        }
        let bet = *bets.at(slot);
        let (taken, due_again) =
            if standing.commission { self.commission(slot, &bet, paid) } else { Default::default() };
        let stays = match bet.after_win {
            AfterWin::Up => true,
            AfterWin::Down => false,
            AfterWin::Usual => standing.stays_up,
        };
        bets.clear(slot);
        let to = if stays { standing.again[self.no_point_next()] } else { None };
        // What it was told to do when it wins holds on.
        let fresh = Bet { stake: bet.stake, commission: due_again, after_win: bet.after_win, ..Bet::default() };
        if to == Some(slot) {
            bets.put(slot, fresh);
            let commission = taken.plus(due_again).unwrap_or(taken);
            sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission }, After::Stands(slot, fresh));
            return None;
        }
        sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission: taken }, After::Down);
        to.map(|to| (to, fresh))
    }

    /// Is the next phase one without a point? As a place in [`crate::layout::Standing::again`].
    fn no_point_next(&self) -> usize {
        usize::from(!matches!(self.phase.after(self.throw, self.rules.points), Phase::Point(_)))
    }

    /// The commission taken from a win, and the commission due at once for the bet that stays up.
    fn commission(&self, slot: SlotId, bet: &Bet, paid: Money) -> (Money, Money) {
        let wager = self.layout.rules(self.rules, slot);
        let due = |timing: Timing| match (&wager.commission, Stake::new(bet.stake)) {
            (Some(fact), Some(stake)) if fact.is.timing == timing => fact.is.due(stake, paid, self.rules.rounding.chip),
            _ => Money::ZERO,
        };
        (due(Timing::OnWin), due(Timing::UpFront))
    }
}

/// What is paid on: the stake, a coupon riding along.
fn riding(bet: &Bet) -> Option<Money> {
    bet.stake.plus(bet.coupon)
}
