//! The bets of one seat, stored so that they are made, found and cleared with as little as it takes.

use crate::bets::{Bet, Called};
use crate::board::Board;
use crate::event::Event;
use crate::flow::Flow;
use crate::settle::After;
use crate::slots::{MOST_SLOTS, SlotId, Slots};
use craps_money::Money;
use serde::{Deserialize, Serialize};

/// Is there nothing to say of a bet but what is at stake?
#[inline]
fn is_plain(bet: &Bet) -> bool {
    *bet == Bet { stake: bet.stake, ..Bet::default() }
}

/// All bets of one seat. Where none stands, the place is wiped: the stake is nothing, and nothing else is said.
#[derive(Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(SlotId, Bet)>", into = "Vec<(SlotId, Bet)>")]
pub struct SeatBets {
    standing: Slots,
    /// Bets of which there is more to say than what is at stake: few, and the others are made and cleared with one stroke.
    marked: Slots,
    is_any_marked: bool,
    called_on: Slots,
    called_off: Slots,
    bets: [Bet; MOST_SLOTS],
}

impl Default for SeatBets {
    fn default() -> SeatBets {
        SeatBets {
            bets: [Bet::default(); MOST_SLOTS],
            standing: Slots::NONE,
            marked: Slots::NONE,
            is_any_marked: false,
            called_on: Slots::NONE,
            called_off: Slots::NONE,
        }
    }
}

impl Clone for SeatBets {
    fn clone(&self) -> SeatBets {
        let SeatBets { standing, marked, is_any_marked, called_on, called_off, bets } = *self;
        SeatBets { standing, marked, is_any_marked, called_on, called_off, bets }
    }

    /// Copies only where bets stand, here or there.
    fn clone_from(&mut self, source: &SeatBets) {
        let either = self.standing.or(source.standing);
        for (word, (own, others)) in self.bets.chunks_mut(64).zip(source.bets.chunks(64)).enumerate() {
            if either.word(word) != 0 {
                own.copy_from_slice(others);
            }
        }
        (self.standing, self.marked, self.is_any_marked) = (source.standing, source.marked, source.is_any_marked);
        (self.called_on, self.called_off) = (source.called_on, source.called_off);
    }
}

impl PartialEq for SeatBets {
    fn eq(&self, other: &SeatBets) -> bool {
        self.standing == other.standing && self.standing().eq(other.standing())
    }
}

impl Eq for SeatBets {}

impl std::hash::Hash for SeatBets {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.standing.hash(state);
        self.standing().for_each(|(_, bet)| bet.hash(state));
    }
}

impl From<Vec<(SlotId, Bet)>> for SeatBets {
    fn from(standing: Vec<(SlotId, Bet)>) -> SeatBets {
        let mut bets = SeatBets::default();
        standing.into_iter().for_each(|(slot, bet)| bets.put(slot, bet));
        bets
    }
}

impl From<SeatBets> for Vec<(SlotId, Bet)> {
    fn from(bets: SeatBets) -> Vec<(SlotId, Bet)> {
        bets.standing().map(|(slot, bet)| (slot, *bet)).collect()
    }
}

impl SeatBets {
    /// The bet in a slot, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: SlotId) -> Option<&Bet> {
        self.standing.contains(slot).then(|| &self.bets[slot.index()])
    }

    /// Puts a bet into a slot. Nothing is judged here: whether it may be made is for [`crate::Table::terms`] to say.
    #[inline]
    pub fn put(&mut self, slot: SlotId, bet: Bet) {
        self.standing.insert(slot);
        if is_plain(&bet) && !self.marked.contains(slot) {
            self.bets[slot.index()].stake = bet.stake;
        } else {
            self.mark(slot, bet);
        }
    }

    /// Puts a bet into a slot of which there is more to say.
    #[inline(never)]
    fn mark(&mut self, slot: SlotId, bet: Bet) {
        self.wipe(slot);
        self.bets[slot.index()] = bet;
        if !is_plain(&bet) {
            self.marked.insert(slot);
            self.is_any_marked = true;
        }
        match bet.called {
            Called::Standard => {}
            Called::On => self.called_on.insert(slot),
            Called::Off => self.called_off.insert(slot),
        }
    }

    /// Forgets what there was to say of a bet.
    #[inline(never)]
    fn wipe(&mut self, slot: SlotId) {
        self.bets[slot.index()] = Bet::default();
        self.marked.remove(slot);
        self.is_any_marked = !self.marked.is_empty();
        self.called_on.remove(slot);
        self.called_off.remove(slot);
    }

    /// Makes a bet or adds to it. The commission is all that has been paid on it.
    #[inline]
    pub fn add(&mut self, slot: SlotId, amount: Money, commission: Money) {
        let bet = *self.at(slot);
        let stake = bet.stake.plus(amount).unwrap_or(bet.stake);
        self.put(slot, Bet { stake, commission, ..bet });
    }

    /// Makes a bet in a slot in which none stands, without commission.
    #[inline]
    pub fn make(&mut self, slot: SlotId, stake: Money) {
        self.standing.insert(slot);
        self.bets[slot.index()].stake = stake;
    }

    /// The bet in a slot in which one stands.
    #[inline]
    pub(super) fn at(&self, slot: SlotId) -> &Bet {
        &self.bets[slot.index()]
    }

    /// What stands in a slot; nothing where no bet does.
    #[must_use]
    #[inline]
    pub fn stake(&self, slot: SlotId) -> Money {
        self.at(slot).stake
    }

    /// Is there more to say of any bet than what is at stake?
    #[must_use]
    #[inline]
    pub fn are_marked(&self) -> bool {
        self.is_any_marked
    }

    /// Is there more to say of the bet in a slot than what is at stake?
    #[inline]
    pub(super) fn is_marked(&self, slot: SlotId) -> bool {
        self.marked.contains(slot)
    }

    /// These bets no longer stand: each of them is then lifted, shifted or put there again.
    #[inline]
    pub(super) fn no_longer(&mut self, slots: Slots) {
        self.standing = self.standing.without(slots);
    }

    /// The same of one bet.
    #[inline]
    pub(super) fn not_there(&mut self, slot: SlotId) {
        self.standing.remove(slot);
    }

    /// Lifts the chips of a bet that no longer stands.
    #[inline]
    pub(super) fn lift(&mut self, slot: SlotId) {
        self.bets[slot.index()].stake = Money::ZERO;
        if self.marked.contains(slot) {
            self.wipe(slot);
        }
    }

    /// Clears a slot.
    #[inline]
    fn clear(&mut self, slot: SlotId) {
        self.not_there(slot);
        self.lift(slot);
    }

    /// Moves a bet that no longer stands in one slot to another.
    #[inline]
    pub(super) fn shift(&mut self, from: SlotId, to: SlotId) {
        if self.marked.contains(from) || self.marked.contains(to) {
            self.mark(to, *self.at(from));
        } else {
            self.bets[to.index()].stake = self.stake(from);
        }
        self.standing.insert(to);
        self.lift(from);
    }

    /// Clears every slot.
    pub fn clear_all(&mut self) {
        for slot in self.standing.iter() {
            self.clear(slot);
        }
    }

    /// Takes the bet out of a slot.
    #[inline]
    pub fn take(&mut self, slot: SlotId) -> Option<Bet> {
        let bet = self.get(slot).copied();
        self.clear(slot);
        bet
    }

    /// The bets that were called on.
    #[inline]
    pub(crate) fn called_on(&self) -> Slots {
        self.called_on
    }

    /// The bets that were called off.
    #[inline]
    pub(crate) fn called_off(&self) -> Slots {
        self.called_off
    }

    /// The slots in which a bet stands.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> Slots {
        self.standing
    }

    /// The same where they are, for looking at a part of them.
    #[must_use]
    #[inline]
    pub fn slots_ref(&self) -> &Slots {
        &self.standing
    }

    /// A point was set: it ends every call, and bets that could be taken down until then remember it.
    #[inline]
    pub fn point_set(&mut self, board: &Board) {
        let minding = self.standing.and(self.called_on.or(self.called_off).or(board.until_first_point()));
        for slot in minding.iter() {
            let point_set = board.until_first_point().contains(slot);
            self.mark(slot, Bet { called: Called::Standard, point_set, ..*self.at(slot) });
        }
    }

    /// A roll was made: bets that gather remember it.
    pub fn thrown(&mut self, board: &Board) {
        for slot in self.standing.and(board.gathering()).iter() {
            self.mark(slot, Bet { thrown: true, ..*self.at(slot) });
        }
    }

    /// The bets that stand, in the order of the board.
    pub fn standing(&self) -> impl Iterator<Item = (SlotId, &Bet)> {
        self.standing.iter().map(|slot| (slot, &self.bets[slot.index()]))
    }

    /// Is there no bet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    /// Folds what an event does to the bets of this seat, and says what money it moves.
    pub fn follow(&mut self, event: &Event) -> Flow {
        match event {
            Event::BetPlaced { slot, bet, staked, commission, .. } => {
                self.put(*slot, *bet);
                Flow::placed(*staked, *commission)
            }
            Event::TakenDown { slot, left, returned, refunded, .. } => {
                match left {
                    Some(bet) => self.put(*slot, *bet),
                    None => self.clear(*slot),
                }
                Flow::taken_down(*returned, *refunded)
            }
            Event::Told { slot, bet, .. } | Event::Advanced { slot, bet, .. } => {
                self.put(*slot, *bet);
                Flow::default()
            }
            Event::Settled { slot, bet, verdict, after, .. } => {
                self.clear(*slot);
                if let After::Stands(to, next) = after {
                    self.put(*to, *next);
                }
                Flow::settled(bet, verdict, after)
            }
            _ => Flow::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last slot of a board holds a bet like the first.
    #[test]
    fn bets_stand_in_every_slot() {
        let mut bets = SeatBets::default();
        for (slot, minor) in SlotId::ALL.into_iter().zip(1..) {
            let called = if minor % 3 == 0 { Called::Off } else { Called::Standard };
            bets.put(slot, Bet { called, ..Bet::of(Money::from_minor(minor)) });
        }
        assert_eq!(bets.standing().map(|(_, bet)| bet.stake.minor()).sum::<i64>(), 256 * 257 / 2);
        let copy = bets.clone();
        assert_eq!(copy, bets);
        assert_eq!(copy.called_off(), bets.called_off());
        let mut other = SeatBets::default();
        other.make(SlotId(200), Money::from_minor(7));
        other.clone_from(&bets);
        assert_eq!(other, bets);
        bets.clear_all();
        assert_eq!((bets.is_empty(), bets.called_off(), bets.are_marked()), (true, Slots::NONE, false));
        assert!(SlotId::ALL.into_iter().all(|slot| bets.stake(slot) == Money::ZERO));
        assert_eq!(SeatBets::from(Vec::from(copy.clone())), copy);
    }
}
