//! Who settles: goes through the bets that a roll changes, and tells a sink.

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

/// Where a come bet that has won is made again, and as what.
type Again = Option<(SlotId, Bet)>;

/// A bet that is paid: its rank, the prize, what that comes to, and what becomes of the bet.
struct Won<'a> {
    rank: Rank,
    prize: Prize,
    paid: Money,
    then: &'a AfterPay,
}

/// Who settles at a table: what holds for every bet alike.
#[derive(Debug, Clone, Copy)]
pub struct Dealer<'a> {
    board: &'a Board,
    rules: &'a TableRules,
    selection: &'a Selection,
}

impl<'a> Dealer<'a> {
    /// At a table without a draw.
    #[must_use]
    pub fn new(board: &'a Board, rules: &'a TableRules) -> Dealer<'a> {
        Dealer { board, rules, selection: &[] }
    }

    /// After a draw.
    #[must_use]
    pub fn with_draw(self, selection: &'a Selection) -> Dealer<'a> {
        Dealer { selection, ..self }
    }

    /// What a roll does in a phase.
    #[must_use]
    #[inline]
    pub fn roll(&self, phase: Phase, throw: Throw) -> &'a RollEffects {
        self.board.effects.roll(phase, throw)
    }

    /// What the roll in a place does, which [`RollEffects::place`] gave.
    #[must_use]
    #[inline]
    pub fn roll_at(&self, place: usize) -> &'a RollEffects {
        self.board.effects.roll_at(place)
    }

    /// Settles one roll for one seat. Nothing is allocated.
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

    /// Settles at a table that is wide or is not.
    #[inline(always)]
    fn settle_in<const WIDE: bool>(&self, roll: &RollEffects, bets: &mut SeatBets, sink: &mut impl Sink) {
        let may_be_held = self.board.effects.may_be_held.or(bets.called_off());
        if !matches!(roll.phase, Phase::Point(_)) && bets.slots().meets_in(may_be_held, WIDE) {
            self.settle_but_held::<WIDE>(roll, bets, sink);
        } else {
            self.settle_all::<WIDE>(roll, Slots::NONE, bets, sink);
        }
    }

    /// Settles on a come-out with bets that may be off. Rare enough that the ordinary roll is better without it.
    #[inline(never)]
    fn settle_but_held<const WIDE: bool>(&self, roll: &RollEffects, bets: &mut SeatBets, sink: &mut impl Sink) {
        let off = self.board.off(roll.phase, bets);
        self.settle_all::<WIDE>(roll, off, bets, sink);
    }

    /// Settles every bet that the roll changes and that is not off.
    #[inline(always)]
    fn settle_all<const WIDE: bool>(&self, roll: &RollEffects, off: Slots, bets: &mut SeatBets, sink: &mut impl Sink) {
        let open = bets.slots().and(roll.decides()).within::<WIDE>();
        let moving = bets.slots().and(roll.moves()).without(off).within::<WIDE>();
        // What is decided stands no more, and what stays up is put there again: so the set is written once and not bet by bet.
        if off.is_empty() {
            bets.no_longer(open.or(moving));
        }
        let mut again = None;
        // The first slot comes first, so bets are settled in printing order.
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
        // Bets are decided first and move afterwards: an old bet may be won on the number that a new one goes to.
        if !off.is_empty() {
            bets.no_longer(moving);
        }
        for slot in moving.iter() {
            let to = roll.goes_to(slot);
            bets.shift(slot, to);
            let bet = *bets.at(to);
            sink.settled(slot, &bet, Verdict::Moved { to }, After::Stands(to, bet));
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

    /// A bet that is off is not decided, and odds follow their bet: while it is off and stands, so do they. Odds that are off themselves go
    /// back when the bet in front of them is decided.
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

    /// A bet that gathers something is stepped from what it has.
    fn step(&self, roll: &RollEffects, bets: &mut SeatBets, slot: SlotId, again: &mut Again, sink: &mut impl Sink) {
        let wager = self.board.rules(self.rules, slot);
        let bet = *bets.at(slot);
        match wager.machine.step(bet.progress, roll.phase, roll.throw) {
            // It takes what it has gathered along.
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

    /// What a draw before the throw has raised the prize of a rank to, if it has.
    #[inline]
    fn raised(&self, slot: SlotId, rank: Rank) -> Option<Prize> {
        if self.selection.is_empty() {
            return None;
        }
        let wager = self.board.rules(self.rules, slot);
        self.rules.raised(wager.wager, wager.broken_down, rank, self.selection)
    }

    /// A win that the board lists.
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
        // Most wins are plain, at a price known by heart. The others go the long way.
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

    /// A win of which something is to be thought: some ranks give nothing, some no more than the stake, and of some there is commission.
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
        // A part may win and the whole still come out even, or a rank may be worth just the stake.
        if matches!(prize, Prize::Push) || (paid == Money::ZERO && then.of_parts) {
            return give_back(bets, slot, sink);
        }
        let commission = if then.commission { self.commission(slot, &bet, paid) } else { Default::default() };
        pay(roll, bets, slot, bet, Won { rank: win.rank, prize, paid, then }, commission, again, sink);
    }

    /// The commission taken from a win, and the commission due at once for the bet that stays up.
    pub(crate) fn commission(&self, slot: SlotId, bet: &Bet, paid: Money) -> (Money, Money) {
        let wager = self.board.rules(self.rules, slot);
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
    let to = then.again[usize::from(roll.no_point_next)];
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
