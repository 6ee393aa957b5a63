//! The bets of one seat, stored so that making, finding and clearing them is fast.

use crate::bets::{Bet, Called};
use crate::board::Board;
use crate::event::Event;
use crate::flow::Flow;
use crate::settle::After;
use crate::slots::{MOST_SLOTS, SlotId, Slots};
use craps_money::Money;
use serde::{Deserialize, Serialize};

/// Is this a plain bet, with nothing set but its stake?
#[inline]
fn is_plain(bet: &Bet) -> bool {
    *bet == Bet { stake: bet.stake, ..Bet::default() }
}

/// All bets of one seat. A slot without a bet always holds the default `Bet`, with a stake of zero.
#[derive(Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(SlotId, Bet)>", into = "Vec<(SlotId, Bet)>")]
pub struct SeatBets {
    standing: Slots,
    /// Slots with bets that aren't plain. There are few of them. For all others only the stake is written.
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

    /// Copies only the parts where either side has bets.
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
    /// Returns the bet in a slot, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: SlotId) -> Option<&Bet> {
        self.standing.contains(slot).then(|| &self.bets[slot.index()])
    }

    /// Puts a bet into a slot without any checks. [`crate::Table::terms`] says whether a bet is allowed.
    #[inline]
    pub fn put(&mut self, slot: SlotId, bet: Bet) {
        self.standing.insert(slot);
        if is_plain(&bet) && !self.marked.contains(slot) {
            self.bets[slot.index()].stake = bet.stake;
        } else {
            self.mark(slot, bet);
        }
    }

    /// Puts a bet into a slot if the new or the old bet there isn't plain.
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

    /// Resets a slot to the default bet.
    #[inline(never)]
    fn wipe(&mut self, slot: SlotId) {
        self.bets[slot.index()] = Bet::default();
        self.marked.remove(slot);
        self.is_any_marked = !self.marked.is_empty();
        self.called_on.remove(slot);
        self.called_off.remove(slot);
    }

    /// Makes a bet or adds to it. `commission` is the total paid on the bet.
    #[inline]
    pub fn add(&mut self, slot: SlotId, amount: Money, commission: Money) {
        let bet = *self.at(slot);
        let stake = bet.stake.plus(amount).unwrap_or(bet.stake);
        self.put(slot, Bet { stake, commission, ..bet });
    }

    /// Makes a plain bet in a slot that has no bet.
    #[inline]
    pub fn make(&mut self, slot: SlotId, stake: Money) {
        self.standing.insert(slot);
        self.bets[slot.index()].stake = stake;
    }

    /// Returns the contents of a slot, also if its bet was removed from the set. The default bet if the slot is empty.
    #[inline]
    pub(super) fn at(&self, slot: SlotId) -> &Bet {
        &self.bets[slot.index()]
    }

    /// Returns the stake in a slot. Zero if there is no bet.
    #[must_use]
    #[inline]
    pub fn stake(&self, slot: SlotId) -> Money {
        self.at(slot).stake
    }

    /// Is any bet not plain?
    #[must_use]
    #[inline]
    pub fn are_marked(&self) -> bool {
        self.is_any_marked
    }

    /// Is the bet in a slot not plain?
    #[inline]
    pub(super) fn is_marked(&self, slot: SlotId) -> bool {
        self.marked.contains(slot)
    }

    /// Removes slots from the set of bets that are up. The caller must then lift, shift or put back each of these bets.
    #[inline]
    pub(super) fn no_longer(&mut self, slots: Slots) {
        self.standing = self.standing.without(slots);
    }

    /// Like [`SeatBets::no_longer`] for one slot.
    #[inline]
    pub(super) fn not_there(&mut self, slot: SlotId) {
        self.standing.remove(slot);
    }

    /// Clears the chips of a bet that was removed from the set.
    #[inline]
    pub(super) fn lift(&mut self, slot: SlotId) {
        self.bets[slot.index()].stake = Money::ZERO;
        if self.marked.contains(slot) {
            self.wipe(slot);
        }
    }

    /// Removes the bet of a slot.
    #[inline]
    fn clear(&mut self, slot: SlotId) {
        self.not_there(slot);
        self.lift(slot);
    }

    /// Moves a bet that was removed from the set to another slot.
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

    /// Removes all bets.
    pub fn clear_all(&mut self) {
        for slot in self.standing.iter() {
            self.clear(slot);
        }
    }

    /// Removes the bet of a slot and returns it.
    #[inline]
    pub fn take(&mut self, slot: SlotId) -> Option<Bet> {
        let bet = self.get(slot).copied();
        self.clear(slot);
        bet
    }

    /// Returns the slots whose bets the player turned on.
    #[inline]
    pub(crate) fn called_on(&self) -> Slots {
        self.called_on
    }

    /// Returns the slots whose bets the player turned off.
    #[inline]
    pub(crate) fn called_off(&self) -> Slots {
        self.called_off
    }

    /// Returns the slots with a bet.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> Slots {
        self.standing
    }

    /// Returns a reference to the slots with a bet, for reading only a part of the set.
    #[must_use]
    #[inline]
    pub fn slots_ref(&self) -> &Slots {
        &self.standing
    }

    /// Updates the bets after a point was set. All bets go back to their default, on or off. Bets that could be taken down until a point record it.
    #[inline]
    pub fn point_set(&mut self, board: &Board) {
        for slot in self.minding(board).iter() {
            let point_set = board.until_first_point().contains(slot);
            self.mark(slot, Bet { called: Called::Standard, point_set, ..*self.at(slot) });
        }
    }

    /// Returns the bets that change when a point is set.
    #[inline]
    fn minding(&self, board: &Board) -> Slots {
        self.standing.and(self.called_on.or(self.called_off).or(board.until_first_point()))
    }

    /// Does any bet change when a point is set?
    pub(crate) fn minds_point(&self, board: &Board) -> bool {
        !self.minding(board).is_empty()
    }

    /// Does any bet record the next roll?
    pub(crate) fn minds_roll(&self, board: &Board) -> bool {
        self.standing.meets(board.gathering())
    }

    /// Updates the bets after a roll. Bets with progress record it.
    pub fn thrown(&mut self, board: &Board) {
        for slot in self.standing.and(board.gathering()).iter() {
            self.mark(slot, Bet { thrown: true, ..*self.at(slot) });
        }
    }

    /// Iterates over the bets that are up, in board order.
    pub fn standing(&self) -> impl Iterator<Item = (SlotId, &Bet)> {
        self.standing.iter().map(|slot| (slot, &self.bets[slot.index()]))
    }

    /// Does the seat have no bets?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    /// Applies an event to the bets of this seat, and returns the money that it moves.
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

    /// Every slot can hold a bet, the last one included.
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

    fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    #[test]
    fn only_a_bet_with_more_than_a_stake_is_marked() {
        let (plain, off) = (SlotId(3), SlotId(70));
        let mut bets = SeatBets::default();
        bets.put(plain, Bet::of(money(500)));
        assert!(!bets.are_marked() && !bets.is_marked(plain));
        bets.put(off, Bet { called: Called::Off, ..Bet::of(money(500)) });
        assert!(bets.are_marked() && bets.is_marked(off) && !bets.is_marked(plain));
        bets.put(off, Bet::of(money(500)));
        assert!(!bets.are_marked() && bets.called_off().is_empty());
    }

    #[test]
    fn seats_are_equal_when_their_bets_are() {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let hash = |bets: &SeatBets| {
            let mut hasher = DefaultHasher::new();
            bets.hash(&mut hasher);
            hasher.finish()
        };
        let with = |slot: u8, minor: i64| SeatBets::from(vec![(SlotId(slot), Bet::of(money(minor)))]);
        let (one, same) = (with(3, 500), with(3, 500));
        assert_eq!((&one, hash(&one)), (&same, hash(&same)));
        for other in [with(3, 600), with(4, 500), SeatBets::default()] {
            assert_ne!(one, other);
            assert_ne!(hash(&one), hash(&other));
        }
    }

    #[test]
    fn bets_are_made_raised_and_taken_down() {
        let (slot, other) = (SlotId(9), SlotId(130));
        let mut bets = SeatBets::default();
        bets.make(slot, money(500));
        assert_eq!(bets.get(slot), Some(&Bet::of(money(500))));
        bets.add(slot, money(300), money(25));
        bets.add(other, money(100), Money::ZERO);
        assert_eq!(bets.get(slot), Some(&Bet { commission: money(25), ..Bet::of(money(800)) }));
        assert_eq!(*bets.slots_ref(), [slot, other].into_iter().collect());
        assert_eq!(bets.take(slot), Some(Bet { commission: money(25), ..Bet::of(money(800)) }));
        assert_eq!(
            (bets.take(slot), bets.slots(), bets.stake(slot)),
            (None, [other].into_iter().collect(), Money::ZERO)
        );
    }

    #[test]
    fn a_roll_is_recorded_by_bets_with_progress() {
        use craps_law::{HouseRules, Library};
        let library = Library::shipped();
        let book = library.book("nj").unwrap();
        let mut house = HouseRules::plain("nj", book.sample_day);
        house.set("offer", "all").unwrap();
        let board = Board::new(&book.admit(&house).unwrap()).unwrap();
        let [pass, fire] = ["pass", "fire"].map(|name| board.named(name).unwrap());
        let mut bets = SeatBets::default();
        [pass, fire].into_iter().for_each(|slot| bets.make(slot, money(500)));
        bets.thrown(&board);
        assert_eq!([pass, fire].map(|slot| bets.get(slot).unwrap().thrown), [false, true]);
    }
}
