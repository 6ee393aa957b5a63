//! What every roll does to every slot, expanded once from `step()`.

use super::by_heart::ByHeart;
use super::rolls::{PHASE_ROOM, phase_index, phases};
use crate::board::{Board, Slot};
use crate::slots::{MOST_SLOTS, SlotId, Slots};
use crate::trackers::gathers;
use craps_dice::Throw;
use craps_law::{Prize, TableRules, WagerRules};
use craps_wagers::{Family, Mechanic, Phase, Progress, Rank, Ranks, Step};

/// What a roll does to a slot whose bet has no progress beyond its slot. One byte, so that all that a roll does to the slots that are bet most
/// is in one line of a processor's cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effect(u8);

impl Effect {
    pub(super) const STAND: Effect = Effect(0);
    pub(super) const LOST: Effect = Effect(1);
    pub(super) const PUSHED: Effect = Effect(2);
    /// The bet's own progress decides: it is stepped.
    pub(super) const STEPPED: Effect = Effect(3);
    /// From here on it is won.
    const WON: u8 = 4;

    /// Won: by the win in this place among the slot's wins, if there is room to say so.
    fn won(place: usize) -> Option<Effect> {
        u8::try_from(place).ok()?.checked_add(Effect::WON).map(Effect)
    }

    /// Is it won, and if so by which of the slot's wins?
    #[inline]
    pub(super) const fn win(self) -> Option<u8> {
        self.0.checked_sub(Effect::WON)
    }
}

/// A roll in a phase, and what it does. What a simulated roll needs first stands first, in one line of a processor's cache with the slots
/// that are bet most.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct RollEffects {
    /// The first of the slots whose bets it can decide, and of those whose bets go to a number.
    decides_first: [u64; 2],
    moves_first: [u64; 2],
    pub(super) phase: Phase,
    pub(super) throw: Throw,
    /// Is there no point after it?
    pub(super) no_point_next: bool,
    /// For each slot what becomes of it; for one whose bet goes to a number, where that is.
    effects: [u8; MOST_SLOTS],
    /// The others of those slots.
    decides_others: [u64; 2],
    moves_others: [u64; 2],
}

impl RollEffects {
    /// Its place among all of a board.
    #[must_use]
    #[inline]
    pub fn place(phase: Phase, throw: Throw) -> usize {
        phase_index(phase) * Throw::ALL.len() + throw.index()
    }

    /// The slots whose bets it can change.
    #[must_use]
    #[inline]
    pub fn changes(&self) -> Slots {
        self.decides().or(self.moves())
    }

    /// The slots whose bets it can decide.
    #[inline(always)]
    pub(super) const fn decides(&self) -> Slots {
        Slots::of_halves(self.decides_first, self.decides_others)
    }

    /// The slots whose bets go to a number.
    #[inline(always)]
    pub(super) const fn moves(&self) -> Slots {
        Slots::of_halves(self.moves_first, self.moves_others)
    }

    /// What becomes of a slot that does not go to a number.
    #[inline]
    pub(super) const fn effect(&self, slot: SlotId) -> Effect {
        Effect(self.effects[slot.index()])
    }

    /// Where a bet goes that goes to a number.
    #[inline]
    pub(super) const fn goes_to(&self, slot: SlotId) -> SlotId {
        SlotId(self.effects[slot.index()])
    }

    /// Before it is known what becomes of any slot.
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
        }
    }
}

/// One way of one slot to win.
#[derive(Debug, Clone, Copy)]
pub(super) struct Win {
    pub(super) rank: Rank,
    /// What the book gives for it; nothing means that it loses.
    pub(super) prize: Option<Prize>,
    pub(super) by_heart: ByHeart,
    /// Is the bet just paid its prize, whatever the stake: no push, no commission, no parts to set against each other?
    pub(super) plain: bool,
    /// What becomes of a bet in the slot that wins.
    pub(super) then: AfterPay,
}

/// What becomes of a bet in a slot that wins, as far as the slot decides it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AfterPay {
    /// Does it stay up unless it was told otherwise?
    pub(super) stays_up: bool,
    /// Is there commission to think of?
    pub(super) commission: bool,
    /// Can parts of it win and the whole still come out even?
    pub(super) of_parts: bool,
    /// Where it is made again while a point is on, and while none is; none where it cannot be.
    pub(super) again: [Option<SlotId>; 2],
}

/// Everything that every roll does in every phase.
#[derive(Debug, Clone)]
pub(crate) struct Effects {
    /// Phase by phase, the 21 throws of each.
    rolls: Vec<RollEffects>,
    /// The wins of all slots, and where those of each begin.
    wins: Vec<Win>,
    first_wins: Box<[u16; MOST_SLOTS]>,
    /// Bets that may not work on a come-out: those that are off without a call, and odds, which follow the bet in front of them.
    pub(super) may_be_held: Slots,
}

/// What a step comes to while the effects are found.
enum Found {
    Effect(Effect),
    /// It goes to a number.
    Moves(SlotId),
    /// It wins by a rank that is yet to become one of the wins.
    Won(Rank),
}

impl Effects {
    /// Before anything is known.
    pub(crate) fn none() -> Effects {
        Effects { rolls: Vec::new(), wins: Vec::new(), first_wins: Box::new([0; MOST_SLOTS]), may_be_held: Slots::NONE }
    }

    pub(crate) fn new(board: &Board, rules: &TableRules) -> Effects {
        // Some places belong to no phase: what stands there is never read.
        let nowhere = RollEffects::empty(Phase::ComeOut, Throw::ALL[0], rules);
        let mut rolls = vec![nowhere; PHASE_ROOM * Throw::ALL.len()];
        for (phase, throw) in each_roll() {
            rolls[RollEffects::place(phase, throw)] = RollEffects::empty(phase, throw, rules);
        }
        let odds: Slots = board.slots().filter(|(_, slot)| slot.front.is_some()).map(|(id, _)| id).collect();
        let mut effects = Effects { rolls, may_be_held: board.off_on_come_out().or(odds), ..Effects::none() };
        for (id, slot) in board.slots() {
            // A board has 256 slots at most, and a wager 256 ranks.
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

    /// The effect of winning by a rank: one of the wins of the slot, whose effects are being found.
    fn won(&mut self, board: &Board, slot: SlotId, rank: Rank, rules: &TableRules) -> Effect {
        let first = usize::from(self.first_wins[slot.index()]);
        let known = self.wins[first..].iter().position(|win| win.rank == rank);
        let at = known.unwrap_or_else(|| {
            self.wins.push(Win::new(board, slot, rank, rules));
            self.wins.len() - 1 - first
        });
        Effect::won(at).unwrap_or(Effect::STEPPED)
    }

    /// One of the wins of a slot.
    #[inline]
    pub(super) fn win_at(&self, slot: SlotId, place: u8) -> &Win {
        &self.wins[usize::from(self.first_wins[slot.index()]) + usize::from(place)]
    }

    /// What a roll does in a phase.
    #[inline]
    pub(super) fn roll(&self, phase: Phase, throw: Throw) -> &RollEffects {
        self.roll_at(RollEffects::place(phase, throw))
    }

    /// The roll in a place, which [`RollEffects::place`] gave.
    #[inline]
    pub(super) fn roll_at(&self, place: usize) -> &RollEffects {
        &self.rolls[place]
    }
}

/// Every phase with every throw.
fn each_roll() -> impl Iterator<Item = (Phase, Throw)> {
    phases().flat_map(|phase| Throw::ALL.map(|throw| (phase, throw)))
}

impl Win {
    /// What winning by a rank means in a slot.
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
        let again = match slot.wager.wager().family {
            // A come bet is made again in the come area, while a point is still on; a line bet before one is.
            Family::Line if slot.travels() => [board.find(slot.wager, None), None],
            Family::Line => [None, Some(id)],
            Family::Odds | Family::Shooter => [None, None],
            _ => [Some(id), Some(id)],
        };
        AfterPay {
            stays_up: wager.stays_up,
            commission: wager.commission.is_some(),
            of_parts: slot.wager.wager().ranks == Ranks::OfParts,
            again,
        }
    }
}

/// What a roll in a phase does to a bet in a slot.
fn found(board: &Board, slot: &Slot, wager: &WagerRules, phase: Phase, throw: Throw) -> Found {
    let machine = &wager.machine;
    if gathers(machine) {
        return Found::Effect(Effect::STEPPED);
    }
    let progress = match (machine.mechanic, slot.number, phase) {
        // A pass bet stands on the table's point; a come bet on its slot's number.
        (Mechanic::Line { .. }, None, Phase::Point(point)) if !slot.travels() => machine.on(point),
        (Mechanic::Line { .. } | Mechanic::Behind(..), Some(number), _) => machine.on(number),
        // Odds behind the line have no number in their name: theirs is the point.
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
