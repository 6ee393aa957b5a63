//! Settles the bets that a roll changes, and reports each to a sink.

use super::SeatBets;
use super::by_heart::paid;
use super::effects::{AfterPay, Effect, RollEffects, Win};
use crate::bets::{AfterWin, Bet};
use crate::board::{Board, Working};
use crate::settle::{After, Selection, Sink, Verdict};
use crate::slots::{SlotId, Slots};
use craps_dice::Throw;
use craps_law::{Prize, TableRules};
use craps_money::{Money, Stake, Timing};
use craps_wagers::{Phase, Rank, Step};

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

/// The slot and bet of a come bet that won and is made again, if there is one.
type Again = Option<(SlotId, Bet)>;

/// A win to pay: its rank, its prize, the payout, and what happens to the bet.
struct Won<'a> {
    rank: Rank,
    prize: Prize,
    paid: Money,
    then: &'a AfterPay,
}

/// Settles rolls at a table. Holds what is the same for all bets.
#[derive(Debug, Clone, Copy)]
pub struct Dealer<'a> {
    board: &'a Board,
    rules: &'a TableRules,
    selection: &'a Selection,
}

impl<'a> Dealer<'a> {
    /// Creates a dealer for a table without a draw.
    #[must_use]
    pub fn new(board: &'a Board, rules: &'a TableRules) -> Dealer<'a> {
        Dealer { board, rules, selection: &[] }
    }

    /// Returns the dealer with the prices of a draw.
    #[must_use]
    pub fn with_draw(self, selection: &'a Selection) -> Dealer<'a> {
        Dealer { selection, ..self }
    }

    /// Returns the effects of a roll in a phase.
    #[must_use]
    #[inline]
    pub fn roll(&self, phase: Phase, throw: Throw) -> &'a RollEffects {
        self.board.effects.roll(phase, throw)
    }

    /// Returns the effects of the roll at an index from [`RollEffects::place`].
    #[must_use]
    #[inline]
    pub fn roll_at(&self, place: usize) -> &'a RollEffects {
        self.board.effects.roll_at(place)
    }

    /// Settles one roll for one seat, without allocating memory.
    #[inline(always)]
    pub fn settle(&self, roll: &RollEffects, bets: &mut SeatBets, sink: &mut impl Sink) {
        if self.board.is_wide() {
            self.settle_wide(roll, bets, sink);
        } else {
            self.settle_in::<false>(roll, bets, sink);
        }
    }

    #[inline(never)]
    fn settle_wide(&self, roll: &RollEffects, bets: &mut SeatBets, sink: &mut impl Sink) {
        self.settle_in::<true>(roll, bets, sink);
    }

    /// Like [`Dealer::settle`] for a caller that knows whether [the board is wide](Board::is_wide).
    #[inline(always)]
    pub fn settle_in<const WIDE: bool>(&self, roll: &RollEffects, bets: &mut SeatBets, sink: &mut impl Sink) {
        let is_held = match roll.phase {
            // Few bets are marked, and fewer can be turned off while a point is on.
            Phase::Point(_) => bets.are_marked() && !bets.called_off().and(self.board.off_any_time()).is_empty(),
            _ => bets.slots().meets_in(self.board.effects.may_be_held.or(bets.called_off()), WIDE),
        };
        if is_held {
            self.settle_but_held::<WIDE>(roll, bets, sink);
        } else {
            self.settle_all::<WIDE>(roll, Slots::NONE, bets, sink);
        }
    }

    /// Settles a roll without a point when some bets may be off. It is rare, so it is kept out of the ordinary path.
    #[inline(never)]
    fn settle_but_held<const WIDE: bool>(&self, roll: &RollEffects, bets: &mut SeatBets, sink: &mut impl Sink) {
        let off = self.board.off(roll.phase, bets);
        self.settle_all::<WIDE>(roll, off, bets, sink);
    }

    /// Settles every bet that the roll changes and that isn't off.
    #[inline(always)]
    fn settle_all<const WIDE: bool>(&self, roll: &RollEffects, off: Slots, bets: &mut SeatBets, sink: &mut impl Sink) {
        let open = bets.slots().and(roll.decides()).within::<WIDE>();
        let moving = bets.slots().and(roll.moves()).without(off).within::<WIDE>();
        // All decided bets are removed from the set at once, which is faster than one by one. Bets that stay up are put back.
        if off.is_empty() {
            bets.no_longer(open.or(moving));
        }
        let mut again = None;
        // Slots are visited in order, so bets are settled in printing order.
        for slot in open.iter() {
            let effect = roll.effect(slot);
            if !off.is_empty() && self.is_held(off, bets, slot, effect, sink) {
                continue;
            }
            if let Some(place) = effect.win() {
                self.win(roll, bets, slot, place, &mut again, sink);
            } else if effect == Effect::LOST {
                lose(bets, slot, sink);
            } else {
                self.decide(effect, roll, bets, slot, &mut again, sink);
            }
        }
        // Bets are decided before others move, because an old bet can win on the number that a new one moves to.
        if !off.is_empty() {
            bets.no_longer(moving);
        }
        for slot in moving.iter() {
            let to = roll.goes_to(slot);
            bets.shift(slot, to);
            let bet = *bets.at(to);
            sink.settled(slot, &bet, Verdict::Moved { to }, After::Stands(to, bet));
        }
        // A come bet that stays up after its win goes back to the come area last, when that slot is free.
        if let Some((slot, bet)) = again {
            bets.put(slot, bet);
            sink.made_again(slot, &bet);
        }
    }

    /// Settles a bet that neither loses nor wins directly: a push, or a bet with progress.
    #[inline(never)]
    fn decide(
        &self,
        effect: Effect,
        roll: &RollEffects,
        bets: &mut SeatBets,
        slot: SlotId,
        again: &mut Again,
        sink: &mut impl Sink,
    ) {
        if effect == Effect::PUSHED {
            give_back(bets, slot, sink);
        } else if effect == Effect::STEPPED {
            self.step(roll, bets, slot, again, sink);
        }
    }

    /// Returns true if the bet is off and so isn't decided. Odds are off when the bet in front of them is off. Odds that are off themselves are
    /// returned when the bet in front of them is decided.
    fn is_held(&self, off: Slots, bets: &mut SeatBets, slot: SlotId, effect: Effect, sink: &mut impl Sink) -> bool {
        let goes_back = self.board.slot(slot).front.is_some() && (effect.win().is_some() || effect == Effect::LOST);
        match self.board.working(slot, off) {
            Working::FrontOff => true,
            Working::Off => {
                if goes_back {
                    bets.not_there(slot);
                    give_back(bets, slot, sink);
                }
                true
            }
            Working::On => {
                bets.not_there(slot);
                false
            }
        }
    }

    /// Settles a bet with progress by taking one step from its current progress.
    fn step(&self, roll: &RollEffects, bets: &mut SeatBets, slot: SlotId, again: &mut Again, sink: &mut impl Sink) {
        let wager = self.board.rules(self.rules, slot);
        let bet = *bets.at(slot);
        match wager.machine.step(bet.progress, roll.phase, roll.throw) {
            // The bet keeps its new progress.
            Step::Stand(progress) => bets.put(slot, Bet { progress, ..bet }),
            Step::Won(rank) => {
                let win = Win::new(self.board, slot, rank, self.rules);
                self.win_the_long_way(roll, bets, slot, &win, again, sink);
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

    /// Returns the prize of a rank if a draw raised it for this roll.
    #[inline]
    fn raised(&self, slot: SlotId, rank: Rank) -> Option<Prize> {
        if self.selection.is_empty() {
            return None;
        }
        let wager = self.board.rules(self.rules, slot);
        self.rules.raised(wager.wager, wager.broken_down, rank, self.selection)
    }

    /// Pays a win that is listed in the effects.
    #[inline(always)]
    fn win(
        &self,
        roll: &RollEffects,
        bets: &mut SeatBets,
        slot: SlotId,
        place: u8,
        again: &mut Again,
        sink: &mut impl Sink,
    ) {
        let win = self.board.effects.win_at(slot, place);
        // Fast path: most wins are plain and have a precomputed price.
        let stake = bets.stake(slot);
        if win.plain
            && !bets.is_marked(slot)
            && self.selection.is_empty()
            && let Some(paid) = win.by_heart.pay(stake)
        {
            let bet = Bet { stake, ..Bet::default() };
            let won = Won { rank: win.rank, prize: win.prize.unwrap_or(Prize::Push), paid, then: &win.then };
            pay(roll, bets, slot, bet, won, Default::default(), again, sink);
        } else {
            self.win_the_long_way(roll, bets, slot, win, again, sink);
        }
    }

    /// Pays a win that isn't plain. Some ranks pay nothing, some return only the stake, and some wins have commission.
    #[inline(never)]
    fn win_the_long_way(
        &self,
        roll: &RollEffects,
        bets: &mut SeatBets,
        slot: SlotId,
        win: &Win,
        again: &mut Again,
        sink: &mut impl Sink,
    ) {
        let raised = self.raised(slot, win.rank);
        let Some(prize) = raised.or(win.prize) else { return lose(bets, slot, sink) };
        let (then, bet) = (&win.then, *bets.at(slot));
        let stake = riding(&bet);
        let known = if raised.is_none() { stake.and_then(|stake| win.by_heart.pay(stake)) } else { None };
        let paid = known.or_else(|| paid(prize, stake?, &self.rules.rounding)).unwrap_or_default();
        // The prize can be just the stake, or a part can win exactly what the other parts lose.
        if matches!(prize, Prize::Push) || (paid == Money::ZERO && then.of_parts) {
            return give_back(bets, slot, sink);
        }
        let commission = if then.commission { self.commission(slot, &bet, paid) } else { Default::default() };
        pay(roll, bets, slot, bet, Won { rank: win.rank, prize, paid, then }, commission, again, sink);
    }

    /// Returns the commission taken from a win, and the commission due up front for a bet that stays up.
    pub(crate) fn commission(&self, slot: SlotId, bet: &Bet, paid: Money) -> (Money, Money) {
        let wager = self.board.rules(self.rules, slot);
        let due = |timing: Timing| match (&wager.commission, Stake::new(bet.stake)) {
            (Some(fact), Some(stake)) if fact.is.timing == timing => fact.is.due(stake, paid, self.rules.rounding.chip),
            _ => Money::ZERO,
        };
        (due(Timing::OnWin), due(Timing::UpFront))
    }
}

/// Pays a win, minus commission. Then leaves the bet up, takes it down, or (for a come bet that stays up) makes it again in the come area.
#[expect(clippy::too_many_arguments, reason = "all inputs of a payment, passed in registers for speed")]
#[inline(always)]
fn pay(
    roll: &RollEffects,
    bets: &mut SeatBets,
    slot: SlotId,
    bet: Bet,
    Won { rank, prize, paid, then }: Won<'_>,
    (taken, due_again): (Money, Money),
    again: &mut Again,
    sink: &mut impl Sink,
) {
    let stays = match bet.after_win {
        AfterWin::Up => true,
        AfterWin::Down => false,
        AfterWin::Usual => then.stays_up,
    };
    if !stays {
        bets.lift(slot);
        return sink.settled(slot, &bet, Verdict::Won { rank, prize, paid, commission: taken }, After::Down);
    }
    // Bets are settled in order, so the bet in front of odds is already back up if it stays.
    let to =
        then.again[usize::from(roll.no_point_next)].filter(|_| then.with.is_none_or(|front| bets.get(front).is_some()));
    // The player's instruction for wins stays in effect.
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

/// Returns the amount that is paid on: the stake plus coupons.
fn riding(bet: &Bet) -> Option<Money> {
    bet.stake.plus(bet.coupon)
}
