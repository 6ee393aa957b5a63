//! The effect of every roll on every slot, computed once from `step()`.

use super::by_heart::ByHeart;
use super::rolls::{PHASE_ROOM, phase_index, phases};
use crate::board::{Board, Slot};
use crate::slots::{MOST_SLOTS, SlotId, Slots};
use crate::trackers::gathers;
use craps_dice::Throw;
use craps_law::{Prize, TableRules, WagerRules};
use craps_wagers::{Family, Mechanic, Phase, Progress, Rank, Ranks, Step};

/// The effect of a roll on a slot. It is one byte, so that the effects on the most common slots fit in one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effect(u8);

impl Effect {
    pub(super) const STAND: Effect = Effect(0);
    pub(super) const LOST: Effect = Effect(1);
    pub(super) const PUSHED: Effect = Effect(2);
    /// Depends on the bet's progress: the bet must be stepped.
    pub(super) const STEPPED: Effect = Effect(3);
    /// This value and all higher ones are wins.
    const WON: u8 = 4;

    /// Returns the effect for the win at this index among the slot's wins. None if the index is too large for a byte.
    fn won(place: usize) -> Option<Effect> {
        u8::try_from(place).ok()?.checked_add(Effect::WON).map(Effect)
    }

    /// Returns the index among the slot's wins, if the effect is a win.
    #[inline]
    pub(super) const fn win(self) -> Option<u8> {
        self.0.checked_sub(Effect::WON)
    }
}

/// The effects of one roll in one phase. What a simulated roll needs first comes first, in one cache line with the effects on the most common slots.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct RollEffects {
    /// The first half of the slots that it can decide. `moves_first` is the same for bets that move to a number.
    decides_first: [u64; 2],
    moves_first: [u64; 2],
    pub(super) phase: Phase,
    pub(super) throw: Throw,
    /// True if no point is on after the roll.
    pub(super) no_point_next: bool,
    /// The effect on each slot. For a bet that moves to a number: the slot that it moves to.
    effects: [u8; MOST_SLOTS],
    /// The second half of the slots that it can decide, and of those that move.
    decides_others: [u64; 2],
    moves_others: [u64; 2],
    /// Makes the size an odd number of cache lines. With an even number, the first lines of all rolls would share half of the cache.
    spread: [u8; 64],
}

impl RollEffects {
    /// Returns the index of a roll among all rolls of a board.
    #[must_use]
    #[inline]
    pub fn place(phase: Phase, throw: Throw) -> usize {
        phase_index(phase) * Throw::ALL.len() + throw.index()
    }

    /// Returns the slots whose bets the roll can change.
    #[must_use]
    #[inline]
    pub fn changes(&self) -> Slots {
        self.decides().or(self.moves())
    }

    /// Returns the slots whose bets the roll can decide.
    #[inline(always)]
    pub(super) const fn decides(&self) -> Slots {
        Slots::of_halves(self.decides_first, self.decides_others)
    }

    /// Returns the slots whose bets move to a number.
    #[inline(always)]
    pub(super) const fn moves(&self) -> Slots {
        Slots::of_halves(self.moves_first, self.moves_others)
    }

    /// Returns the effect on a slot whose bet doesn't move.
    #[inline]
    pub(super) const fn effect(&self, slot: SlotId) -> Effect {
        Effect(self.effects[slot.index()])
    }

    /// Returns the slot that a moving bet goes to.
    #[inline]
    pub(super) const fn goes_to(&self, slot: SlotId) -> SlotId {
        SlotId(self.effects[slot.index()])
    }

    /// Creates a roll without effects.
    fn empty(phase: Phase, throw: Throw, rules: &TableRules) -> RollEffects {
        RollEffects {
            decides_first: [0; 2],
            moves_first: [0; 2],
            phase,
            throw,
            no_point_next: !matches!(phase.after(throw, rules.points), Phase::Point(_)),
            effects: [Effect::STAND.0; MOST_SLOTS],
            decides_others: [0; 2],
            moves_others: [0; 2],
            spread: [0; 64],
        }
    }
}

const _: () = assert!(size_of::<RollEffects>() / 64 % 2 == 1);

/// One way in which a slot can win.
#[derive(Debug, Clone, Copy)]
pub(super) struct Win {
    pub(super) rank: Rank,
    /// The prize in the book. None means that the bet loses.
    pub(super) prize: Option<Prize>,
    pub(super) by_heart: ByHeart,
    /// True if the win only needs its prize: no push, no commission, no parts that can cancel out.
    pub(super) plain: bool,
    /// What happens to the bet after the win.
    pub(super) then: AfterPay,
}

/// What happens to a winning bet, as far as it depends on the slot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AfterPay {
    /// Does the bet stay up by default?
    pub(super) stays_up: bool,
    /// Does the wager have commission?
    pub(super) commission: bool,
    /// Does the bet have parts, so that a win of one can equal the loss of the others?
    pub(super) of_parts: bool,
    /// For odds behind a bet that can be made at any time: that bet. They stay up only if it does.
    pub(super) with: Option<SlotId>,
    /// The slot in which the bet is made again if a point is on after the roll, and if none is. None if it can't be made again.
    pub(super) again: [Option<SlotId>; 2],
}

/// The effects of all rolls in all phases.
#[derive(Debug, Clone)]
pub(crate) struct Effects {
    /// All phases in order, with 21 rolls each.
    rolls: Vec<RollEffects>,
    /// The wins of all slots. `first_wins` has the index at which the wins of each slot begin.
    wins: Vec<Win>,
    first_wins: Box<[u16; MOST_SLOTS]>,
    /// Bets that may be off on a come-out roll: those that are off by default, and odds, which are off with the bet in front of them.
    pub(super) may_be_held: Slots,
}

/// The outcome of a step while the effects are computed.
enum Found {
    Effect(Effect),
    /// The bet moves to this slot.
    Moves(SlotId),
    /// The bet wins at this rank, which isn't in the list of wins yet.
    Won(Rank),
}

impl Effects {
    /// Creates empty effects.
    pub(crate) fn none() -> Effects {
        Effects { rolls: Vec::new(), wins: Vec::new(), first_wins: Box::new([0; MOST_SLOTS]), may_be_held: Slots::NONE }
    }

    pub(crate) fn new(board: &Board, rules: &TableRules) -> Effects {
        // Some indexes belong to no phase. Their entries are never read.
        let nowhere = RollEffects::empty(Phase::ComeOut, Throw::ALL[0], rules);
        let mut rolls = vec![nowhere; PHASE_ROOM * Throw::ALL.len()];
        for (phase, throw) in each_roll() {
            rolls[RollEffects::place(phase, throw)] = RollEffects::empty(phase, throw, rules);
        }
        let odds: Slots = board.slots().filter(|(_, slot)| slot.front.is_some()).map(|(id, _)| id).collect();
        let mut effects = Effects { rolls, may_be_held: board.off_on_come_out().or(odds), ..Effects::none() };
        for (id, slot) in board.slots() {
            // A board has at most 256 slots, and a wager at most 256 ranks.
            effects.first_wins[id.index()] = u16::try_from(effects.wins.len()).unwrap_or(u16::MAX);
            for (phase, throw) in each_roll() {
                let found = found(board, slot, board.rules(rules, id), phase, throw);
                let effect = match found {
                    Found::Effect(effect) => effect,
                    Found::Won(rank) => effects.won(board, id, rank, rules),
                    Found::Moves(to) => {
                        let roll = &mut effects.rolls[RollEffects::place(phase, throw)];
                        roll.effects[id.index()] = to.0;
                        let moves = roll.moves().or(Slots::from_iter([id]));
                        [roll.moves_first, roll.moves_others] = moves.halves();
                        continue;
                    }
                };
                let roll = &mut effects.rolls[RollEffects::place(phase, throw)];
                roll.effects[id.index()] = effect.0;
                if effect != Effect::STAND {
                    let decides = roll.decides().or(Slots::from_iter([id]));
                    [roll.decides_first, roll.decides_others] = decides.halves();
                }
            }
        }
        effects
    }

    /// Returns the effect of a win at a rank, and adds the win to the list of this slot if it is new.
    fn won(&mut self, board: &Board, slot: SlotId, rank: Rank, rules: &TableRules) -> Effect {
        let first = usize::from(self.first_wins[slot.index()]);
        let known = self.wins[first..].iter().position(|win| win.rank == rank);
        let at = known.unwrap_or_else(|| {
            self.wins.push(Win::new(board, slot, rank, rules));
            self.wins.len() - 1 - first
        });
        Effect::won(at).unwrap_or(Effect::STEPPED)
    }

    /// Returns a win of a slot by its index.
    #[inline]
    pub(super) fn win_at(&self, slot: SlotId, place: u8) -> &Win {
        &self.wins[usize::from(self.first_wins[slot.index()]) + usize::from(place)]
    }

    /// Returns the effects of a roll in a phase.
    #[inline]
    pub(super) fn roll(&self, phase: Phase, throw: Throw) -> &RollEffects {
        self.roll_at(RollEffects::place(phase, throw))
    }

    /// Returns the effects of the roll at an index from [`RollEffects::place`].
    #[inline]
    pub(super) fn roll_at(&self, place: usize) -> &RollEffects {
        &self.rolls[place]
    }
}

/// Iterates over all phases with all rolls.
fn each_roll() -> impl Iterator<Item = (Phase, Throw)> {
    phases().flat_map(|phase| Throw::ALL.map(|throw| (phase, throw)))
}

impl Win {
    /// Describes a win at a rank in a slot.
    pub(super) fn new(board: &Board, slot: SlotId, rank: Rank, rules: &TableRules) -> Win {
        let wager = board.rules(rules, slot);
        let prize = wager.prizes.is.of(rank);
        let by_heart = ByHeart::new(prize.unwrap_or(Prize::Push), &rules.rounding);
        let then = AfterPay::new(board, slot, wager);
        let pays = prize.is_some_and(|prize| prize != Prize::Push);
        Win { rank, prize, by_heart, plain: pays && !then.commission && !then.of_parts, then }
    }
}

impl AfterPay {
    fn new(board: &Board, id: SlotId, wager: &WagerRules) -> AfterPay {
        let slot = board.slot(id);
        let with = slot.front.filter(|front| board.slot(*front).wager.wager().family != Family::Line);
        let again = match slot.wager.wager().family {
            // A come bet is made again in the come area if a point is on, and a line bet if no point is on.
            Family::Line if slot.travels() => [board.find(slot.wager, None), None],
            Family::Line => [None, Some(id)],
            // Odds behind a bet that can be made at any time are made again with it.
            Family::Odds if with.is_some() => [Some(id), Some(id)],
            Family::Odds | Family::Shooter => [None, None],
            _ => [Some(id), Some(id)],
        };
        AfterPay {
            with,
            stays_up: wager.stays_up,
            commission: wager.commission.is_some(),
            of_parts: slot.wager.wager().ranks == Ranks::OfParts,
            again,
        }
    }
}

/// Computes what a roll in a phase does to a bet in a slot.
fn found(board: &Board, slot: &Slot, wager: &WagerRules, phase: Phase, throw: Throw) -> Found {
    let machine = &wager.machine;
    if gathers(machine) {
        return Found::Effect(Effect::STEPPED);
    }
    let progress = match (machine.mechanic, slot.number, phase) {
        // A pass bet is on the table's point, a come bet on the number of its slot.
        (Mechanic::Line { .. }, None, Phase::Point(point)) if !slot.travels() => machine.on(point),
        (Mechanic::Line { .. } | Mechanic::Behind(..), Some(number), _) => machine.on(number),
        // Odds behind a line bet have no number in their name. They are on the point.
        (Mechanic::Behind(..), None, Phase::Point(point)) => machine.on(point),
        (Mechanic::Behind(..), None, _) => return Found::Effect(Effect::STAND),
        _ => Progress::FRESH,
    };
    let effect = match machine.step(progress, phase, throw) {
        Step::Stand(next) if slot.travels() && slot.number.is_none() => {
            let to = machine.number(next).and_then(|number| board.find(slot.wager, Some(number)));
            return to.map_or(Found::Effect(Effect::STAND), Found::Moves);
        }
        Step::Stand(_) | Step::Credited(..) => Effect::STAND,
        Step::Won(rank) => return Found::Won(rank),
        Step::Lost => Effect::LOST,
        Step::Pushed => Effect::PUSHED,
    };
    Found::Effect(effect)
}
