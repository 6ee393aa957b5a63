//! The one function that settles. The table's sink writes events, `outcomes` sums thirty-six of them, and a simulation adds money.

use crate::bets::{AfterWin, Bet, SeatBets};
use crate::layout::{Effect, Layout, Standing, Turn, Win};
use crate::slots::{SlotId, Slots};
use crate::till::paid;
use craps_dice::Throw;
use craps_law::{Prize, TableRules};
use craps_money::{Money, Stake, Timing};
use craps_wagers::{Phase, Rank, Step, WagerId};
use serde::{Deserialize, Serialize};

/// What became of one bet on one throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Verdict<B = SlotId> {
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
        to: B,
    },
}

/// Where the bet is after its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum After<B = SlotId> {
    /// Its stake is off the felt.
    Down,
    /// It stands as this bet in this slot.
    Stands(B, Bet),
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
    Dealer { layout, rules, selection }.settle(layout.turn(phase, throw), bets, sink);
}

#[inline]
fn lose(bets: &mut SeatBets, slot: SlotId, sink: &mut impl Sink) {
    sink.settled(slot, bets.at(slot), Verdict::Lost, After::Down);
    bets.lift(slot);
}

#[inline]
fn give_back(bets: &mut SeatBets, slot: SlotId, sink: &mut impl Sink) {
    sink.settled(slot, bets.at(slot), Verdict::Returned, After::Down);
    bets.lift(slot);
}

/// Where a come bet that has won is made again, and as what.
type Again = Option<(SlotId, Bet)>;

/// A bet that is paid: its rank, the prize, what that comes to, and what becomes of the bet.
struct Won<'a> {
    rank: Rank,
    prize: Prize,
    paid: Money,
    standing: &'a Standing,
}

/// Who settles at a table: what holds for every bet alike.
#[derive(Debug, Clone, Copy)]
pub struct Dealer<'a> {
    layout: &'a Layout,
    rules: &'a TableRules,
    selection: &'a Selection,
}

impl<'a> Dealer<'a> {
    /// What a throw does: the turn in a place, which [`Turn::place`] gave.
    #[must_use]
    #[inline]
    pub fn turn_at(&self, place: usize) -> &'a Turn {
        self.layout.turn_at(place)
    }

    /// At a table without a draw.
    #[must_use]
    pub fn new(layout: &'a Layout, rules: &'a TableRules) -> Dealer<'a> {
        Dealer { layout, rules, selection: &[] }
    }

    /// Settles one throw for one seat. Nothing is allocated.
    #[inline(always)]
    pub fn settle(&self, turn: &Turn, bets: &mut SeatBets, sink: &mut impl Sink) {
        let may_be_held = self.layout.held_on_come_out.or(bets.called_off);
        if !matches!(turn.phase, Phase::Point(_)) && bets.slots().meets(may_be_held) {
            self.settle_but_held(turn, bets, sink);
        } else {
            self.settle_all(turn, Slots::NONE, bets, sink);
        }
    }

    /// Settles on a come-out with bets that may be off. Rare enough that the ordinary throw is better without it.
    #[inline(never)]
    fn settle_but_held(&self, turn: &Turn, bets: &mut SeatBets, sink: &mut impl Sink) {
        let off = self.layout.off_on_come_out.without(bets.called_on).or(bets.called_off);
        self.settle_all(turn, off, bets, sink);
    }

    /// Settles every bet that the throw changes and that is not off.
    #[inline(always)]
    fn settle_all(&self, turn: &Turn, off: Slots, bets: &mut SeatBets, sink: &mut impl Sink) {
        let open = bets.slots().and(turn.decides);
        let moving = bets.slots().and(turn.moves).without(off);
        // What is decided stands no more, and what stays up is put there again: so the set is written once and not bet by bet.
        if off.is_empty() {
            bets.no_longer(open.or(moving));
        }
        let mut again = None;
        // The first slot comes first, so bets are settled in printing order.
        for slot in open.iter() {
            let effect = turn.effects[slot.index()];
            if !off.is_empty() && self.is_held(off, bets, slot, effect, sink) {
                continue;
            }
            if let Some(place) = effect.win() {
                self.win(turn, bets, slot, place, &mut again, sink);
            } else if effect == Effect::LOST {
                lose(bets, slot, sink);
            } else {
                self.decide(effect, turn, bets, slot, &mut again, sink);
            }
        }
        // Bets are decided first and move afterwards: an old bet may be won on the number that a new one goes to.
        if !off.is_empty() {
            bets.no_longer(moving);
        }
        for slot in moving.iter() {
            if let Some(to) = turn.effects[slot.index()].goes_to() {
                bets.shift(slot, to);
                let bet = *bets.at(to);
                sink.settled(slot, &bet, Verdict::Moved { to }, After::Stands(to, bet));
            }
        }
        // Last of all a come bet that was told to stay up goes back to where come bets begin, now that the place is free.
        if let Some((slot, bet)) = again {
            bets.put(slot, bet);
            sink.made_again(slot, &bet);
        }
    }

    /// What is neither lost nor simply won.
    #[inline(never)]
    fn decide(
        &self,
        effect: Effect,
        turn: &Turn,
        bets: &mut SeatBets,
        slot: SlotId,
        again: &mut Again,
        sink: &mut impl Sink,
    ) {
        if effect == Effect::PUSHED {
            give_back(bets, slot, sink);
        } else if effect == Effect::STEPPED {
            self.step(turn, bets, slot, again, sink);
        }
    }

    /// A bet that is off is not decided, and odds follow their bet: while it is off and stands, so do they. Odds that are off themselves go
    /// back when the bet in front of them is decided.
    fn is_held(&self, off: Slots, bets: &mut SeatBets, slot: SlotId, effect: Effect, sink: &mut impl Sink) -> bool {
        let front = self.layout.slot(slot).front;
        if front.is_some_and(|front| off.contains(front)) {
            return true;
        }
        let is_off = off.contains(slot);
        let goes_back = front.is_some() && (effect.win().is_some() || effect == Effect::LOST);
        if !is_off || goes_back {
            bets.not_there(slot);
        }
        if is_off && goes_back {
            give_back(bets, slot, sink);
        }
        is_off
    }

    /// A bet that gathers something is stepped from what it has.
    fn step(&self, turn: &Turn, bets: &mut SeatBets, slot: SlotId, again: &mut Again, sink: &mut impl Sink) {
        let wager = self.layout.rules(self.rules, slot);
        let bet = *bets.at(slot);
        match wager.machine.step(bet.progress, turn.phase, turn.throw) {
            // It takes what it has gathered along.
            Step::Stand(progress) => bets.put(slot, Bet { progress, ..bet }),
            Step::Won(rank) => {
                let win = self.layout.win_by(slot, rank, self.rules);
                self.win_the_long_way(turn, bets, slot, &win, again, sink);
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
    #[inline(always)]
    fn win(&self, turn: &Turn, bets: &mut SeatBets, slot: SlotId, place: u8, again: &mut Again, sink: &mut impl Sink) {
        let win = self.layout.win_at(slot, place);
        // Most wins are plain, at a price known by heart. The others go the long way.
        let stake = bets.stake(slot);
        if win.plain
            && !bets.is_marked(slot)
            && self.selection.is_empty()
            && let Some(paid) = win.by_heart.pay(stake)
        {
            let bet = Bet { stake, ..Bet::default() };
            let won = Won { rank: win.rank, prize: win.prize.unwrap_or(Prize::Push), paid, standing: &win.standing };
            pay(turn, bets, slot, bet, won, Default::default(), again, sink);
        } else {
            self.win_the_long_way(turn, bets, slot, win, again, sink);
        }
    }

    /// A win of which something is to be thought: some ranks give nothing, some no more than the stake, and of some there is commission.
    #[inline(never)]
    fn win_the_long_way(
        &self,
        turn: &Turn,
        bets: &mut SeatBets,
        slot: SlotId,
        win: &Win,
        again: &mut Again,
        sink: &mut impl Sink,
    ) {
        let raised = self.raised(slot, win.rank);
        let Some(prize) = raised.or(win.prize) else { return lose(bets, slot, sink) };
        let (standing, bet) = (&win.standing, *bets.at(slot));
        let stake = riding(&bet);
        let known = if raised.is_none() { stake.and_then(|stake| win.by_heart.pay(stake)) } else { None };
        let paid = known.or_else(|| paid(prize, stake?, &self.rules.rounding)).unwrap_or_default();
        // A part may win and the whole still come out even, or a rank may be worth just the stake.
        if matches!(prize, Prize::Push) || (paid == Money::ZERO && standing.of_parts) {
            return give_back(bets, slot, sink);
        }
        let commission = if standing.commission { self.commission(slot, &bet, paid) } else { Default::default() };
        pay(turn, bets, slot, bet, Won { rank: win.rank, prize, paid, standing }, commission, again, sink);
    }

    /// The commission taken from a win, and the commission due at once for the bet that stays up.
    pub(crate) fn commission(&self, slot: SlotId, bet: &Bet, paid: Money) -> (Money, Money) {
        let wager = self.layout.rules(self.rules, slot);
        let due = |timing: Timing| match (&wager.commission, Stake::new(bet.stake)) {
            (Some(fact), Some(stake)) if fact.is.timing == timing => fact.is.due(stake, paid, self.rules.rounding.chip),
            _ => Money::ZERO,
        };
        (due(Timing::OnWin), due(Timing::UpFront))
    }
}

/// Pays a bet, less the commission taken from the win, and leaves it up where it stays up, with the commission due for that; a come
/// bet is made again elsewhere.
#[expect(clippy::too_many_arguments, reason = "all that a payment hangs on, handed over in registers")]
#[inline(always)]
fn pay(
    turn: &Turn,
    bets: &mut SeatBets,
    slot: SlotId,
    bet: Bet,
    Won { rank, prize, paid, standing }: Won<'_>,
    (taken, due_again): (Money, Money),
    again: &mut Again,
    sink: &mut impl Sink,
) {
    let stays = match bet.after_win {
        AfterWin::Up => true,
        AfterWin::Down => false,
        AfterWin::Usual => standing.stays_up,
    };
    if !stays {
        bets.lift(slot);
        return sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission: taken }, After::Down);
    }
    let to = standing.again[usize::from(turn.no_point_next)];
    // What it was told to do when it wins holds on.
    let fresh = Bet { stake: bet.stake, commission: due_again, after_win: bet.after_win, ..Bet::default() };
    if to == Some(slot) {
        bets.put(slot, fresh);
        let commission = taken.plus(due_again).unwrap_or(taken);
        let verdict = Verdict::Won { rank, prize, paid, commission };
        return sink.settled(slot, &bet, verdict, After::Stands(slot, fresh));
    }
    bets.lift(slot);
    sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission: taken }, After::Down);
    if let Some(to) = to {
        *again = Some((to, fresh));
    }
}

/// What is paid on: the stake, a coupon riding along.
fn riding(bet: &Bet) -> Option<Money> {
    bet.stake.plus(bet.coupon)
}
