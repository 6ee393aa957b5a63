//! A lookup table for hands: what each roll in each phase does to a hand, computed once with [`Hand`] itself.

use super::Dealer;
use super::effects::RollEffects;
use crate::board::Board;
use crate::hand::{Hand, Shooter};
use crate::slots::Slots;
use craps_dice::{Point, Throw, Total};
use craps_law::TableRules;
use craps_wagers::Phase;
use std::ops::Deref;

/// Size of an array that is indexed by [`phase_index`].
pub const PHASE_ROOM: usize = 16;

/// Returns the index of a phase in lookup tables.
#[must_use]
#[inline]
pub const fn phase_index(phase: Phase) -> usize {
    phase_place(phase) as usize
}

const fn phase_place(phase: Phase) -> u8 {
    match phase {
        Phase::ComeOut => 0,
        Phase::ComeDecisionOnly => 1,
        Phase::Point(point) => point.value(),
    }
}

/// Iterates over all phases.
pub(super) fn phases() -> impl Iterator<Item = Phase> {
    [Phase::ComeOut, Phase::ComeDecisionOnly].into_iter().chain(Point::ALL.map(Phase::Point))
}

/// What a roll does to a hand with one shooter. It is half a cache line, so that all of them fit in the processor's fastest cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub struct HandRoll {
    /// The [first slots](crate::NARROW) whose bets the roll can change. [`RollEffects`] has all of them.
    changes_first: [u64; 2],
    place: u16,
    next: Phase,
    next_place: u8,
    total: Total,
    /// `comes_out` sets [`Hand::came_out`]. `keeps_point` is false if the roll clears [`Hand::point_set`].
    comes_out: bool,
    keeps_point: bool,
    /// Does the roll set a point?
    pub sets_point: bool,
    /// Does the roll set a point at a table with bets that record it?
    pub is_minded: bool,
    /// Does the roll make the point?
    pub makes_point: bool,
    /// Is the roll a seven-out?
    pub sevens_out: bool,
    /// Does the shooter give up the dice after the roll?
    pub gives_up: bool,
}

impl HandRoll {
    fn new(board: &Board, rules: &TableRules, on_any_seven: bool, phase: Phase, throw: Throw) -> HandRoll {
        let rolled = |came_out: bool, point_set: bool| {
            let hand = Hand { phase, shooter: Some(Shooter::Seat(1)), came_out, point_set, ..Hand::NEW };
            // A simulated hand never has rolls for come decisions only.
            hand.rolled(throw).entered(hand.next_phase(throw, rules.points, true))
        };
        let hand = Hand { phase, shooter: Some(Shooter::Seat(1)), ..Hand::NEW };
        let after = rolled(false, false);
        let sets_point = hand.sets_point(after.phase);
        HandRoll {
            changes_first: board.effects.roll(phase, throw).changes().halves()[0],
            place: u16::try_from(RollEffects::place(phase, throw)).unwrap_or_default(),
            next: after.phase,
            next_place: phase_place(after.phase),
            total: throw.total(),
            comes_out: after.came_out,
            keeps_point: rolled(true, true).point_set,
            sets_point: after.point_set,
            is_minded: sets_point && !board.until_first_point().is_empty(),
            makes_point: phase.is_made_by(throw),
            sevens_out: phase.is_lost_by(throw),
            gives_up: hand.is_given_up_by(throw, on_any_seven),
        }
    }

    /// Can the roll change one of these bets? `WIDE` says whether [the board is wide](Board::is_wide).
    #[must_use]
    #[inline(always)]
    pub fn changes<const WIDE: bool>(&self, bets: Slots, dealer: &Dealer<'_>) -> bool {
        if WIDE {
            return bets.meets(dealer.roll_at(self.place()).changes());
        }
        let ([[a, b], _], [c, d]) = (bets.halves(), self.changes_first);
        a & c | b & d != 0
    }

    /// Returns the index of the roll's effects on bets, for [`super::Dealer::roll_at`].
    #[must_use]
    #[inline]
    pub fn place(&self) -> usize {
        usize::from(self.place)
    }
}

/// A hand that never has rolls for come decisions only, with the index of its phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuickHand {
    hand: Hand,
    place: u8,
}

impl From<Hand> for QuickHand {
    fn from(hand: Hand) -> QuickHand {
        QuickHand { hand, place: phase_place(hand.phase) }
    }
}

impl Deref for QuickHand {
    type Target = Hand;

    #[inline]
    fn deref(&self) -> &Hand {
        &self.hand
    }
}

impl QuickHand {
    /// Returns the [`phase_index`] of the hand's phase.
    #[must_use]
    #[inline]
    pub fn phase_index(&self) -> usize {
        usize::from(self.place) % PHASE_ROOM
    }

    /// Updates the hand after a settled roll. The shooter still has the dice.
    #[inline(always)]
    pub fn roll(&mut self, roll: &HandRoll) {
        let hand = &mut self.hand;
        hand.phase = roll.next;
        hand.previous = Some(roll.total);
        hand.came_out |= roll.comes_out;
        hand.point_set = hand.point_set & roll.keeps_point | roll.sets_point;
        self.place = roll.next_place;
    }

    /// Updates the hand after the shooter gave up the dice.
    #[inline]
    pub fn pass(&mut self) {
        self.hand = self.hand.passed();
    }

    /// Updates the hand after somebody took the dice.
    #[inline]
    pub fn take(&mut self, by: Shooter) {
        self.hand = self.hand.taken(by, self.hand.phase);
    }
}

/// Size of an array for the 36 ways that two dice fall. It is a power of two, so that an index can be masked instead of checked.
const WAY_ROOM: usize = 64;

/// What each of the 36 ways that two dice can fall does to a hand in each phase.
#[derive(Debug, Clone)]
pub struct HandRolls([[HandRoll; WAY_ROOM]; PHASE_ROOM]);

impl HandRolls {
    /// Builds the lookup table for a board. A way is numbered by its index in `ways`.
    #[must_use]
    pub fn new(board: &Board, rules: &TableRules, on_any_seven: bool, ways: &[Throw; 36]) -> HandRolls {
        let roll = |phase, way: usize| HandRoll::new(board, rules, on_any_seven, phase, ways[way % ways.len()]);
        let come_out = std::array::from_fn(|way| roll(Phase::ComeOut, way));
        let mut all = [come_out; PHASE_ROOM];
        for phase in phases() {
            all[phase_index(phase)] = std::array::from_fn(|way| roll(phase, way));
        }
        HandRolls(all)
    }

    /// Returns what one of the ways does to a hand.
    #[must_use]
    #[inline]
    pub fn get(&self, hand: &QuickHand, way: usize) -> &HandRoll {
        &self.0[hand.phase_index()][way % WAY_ROOM]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::SeatBets;
    use crate::{After, Bet, SlotId, Verdict};
    use craps_dice::Die;
    use craps_law::{HouseRules, Library};
    use std::collections::BTreeSet;

    #[test]
    fn every_phase_has_a_place_of_its_own() {
        let places: BTreeSet<usize> = phases().map(phase_index).collect();
        assert_eq!(places.len(), phases().count());
        assert!(places.iter().all(|place| *place < PHASE_ROOM));
    }

    /// The lookup table agrees with [`Hand`] for every possible hand.
    #[test]
    fn rolls_that_are_looked_up_are_those_of_the_fold() {
        let library = Library::shipped();
        let ways: Vec<Throw> =
            Die::ALL.into_iter().flat_map(|one| Die::ALL.map(|other| Throw::new(one, other))).collect();
        let ways: [Throw; 36] = ways.try_into().unwrap();
        for book in ["nj", "nj-automated", "co-crapless"] {
            let book = library.book(book).unwrap();
            let rules = book.admit(&HouseRules::plain(&book.id, book.sample_day)).unwrap();
            let board = Board::new(&rules).unwrap();
            for on_any_seven in [false, true] {
                let rolls = HandRolls::new(&board, &rules, on_any_seven, &ways);
                for (phase, (way, dice)) in phases().flat_map(|phase| (0..).zip(ways).map(move |roll| (phase, roll))) {
                    for (came_out, point_set) in [(false, false), (false, true), (true, false), (true, true)] {
                        let hand = Hand { phase, shooter: Some(Shooter::Seat(1)), came_out, point_set, ..Hand::NEW };
                        let next = hand.next_phase(dice, rules.points, true);
                        let mut looked_up = QuickHand::from(hand);
                        let roll = rolls.get(&looked_up, way);
                        looked_up.roll(roll);
                        assert_eq!(*looked_up, hand.rolled(dice).entered(next), "{dice} in {hand:?}");
                        assert_eq!(looked_up, QuickHand::from(*looked_up));
                        assert_eq!(roll.sets_point, hand.sets_point(next));
                        assert_eq!(roll.gives_up, hand.is_given_up_by(dice, on_any_seven));
                        let [mut passed, mut taken] = [looked_up; 2];
                        passed.pass();
                        taken.take(Shooter::Dealer);
                        assert_eq!(*passed, looked_up.passed());
                        assert_eq!(*taken, looked_up.taken(Shooter::Dealer, looked_up.phase));
                    }
                }
            }
        }
    }

    /// A plain table of New Jersey.
    fn plain() -> (Board, TableRules) {
        let library = Library::shipped();
        let book = library.book("nj").unwrap();
        let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
        (Board::new(&rules).unwrap(), rules)
    }

    /// Notes whether a roll did anything to a bet.
    struct Touched(bool);

    impl crate::Sink for Touched {
        fn settled(&mut self, _: SlotId, _: &Bet, _: Verdict, _: After) {
            self.0 = true;
        }

        fn made_again(&mut self, _: SlotId, _: &Bet) {
            self.0 = true;
        }
    }

    /// A roll changes the bets that a dealer settles or moves when they are the only ones on the table.
    #[test]
    fn a_roll_changes_the_bets_that_the_dealer_touches() {
        let (board, rules) = plain();
        let dealer = Dealer::new(&board, &rules);
        let (mut seen, mut pairs) = (0, 0);
        for (phase, dice) in phases().flat_map(|phase| Throw::ALL.map(|dice| (phase, dice))) {
            let roll = HandRoll::new(&board, &rules, false, phase, dice);
            assert_eq!(roll.place(), RollEffects::place(phase, dice));
            // Bets that gather progress and bets that are off change only sometimes.
            let plain = |slot: &SlotId| !board.gathering().contains(*slot) && !board.off_on_come_out().contains(*slot);
            for slot in board.slots().map(|(slot, _)| slot).filter(plain) {
                let mut bets = SeatBets::default();
                bets.make(slot, "60".parse().unwrap());
                let (mut touched, alone) = (Touched(false), bets.slots());
                dealer.settle(dealer.roll_at(roll.place()), &mut bets, &mut touched);
                let name = &board.slot(slot).name;
                assert_eq!(dealer.roll_at(roll.place()).changes().contains(slot), touched.0, "{name} {dice} {phase:?}");
                assert_eq!(roll.changes::<false>(alone, &dealer), touched.0, "{name} {dice} {phase:?}");
                assert_eq!(roll.changes::<true>(alone, &dealer), touched.0, "{name} {dice} {phase:?}");
                seen += usize::from(touched.0);
            }
            // Two bets 64 slots apart have the same bit in different words.
            let changes = dealer.roll_at(roll.place()).changes();
            for (one, other) in changes.iter().filter_map(|slot| Some((slot, SlotId(slot.0.checked_add(64)?)))) {
                pairs += usize::from(changes.contains(other));
                assert!(roll.changes::<false>([one, other].into_iter().collect(), &dealer), "{one:?} {dice} {phase:?}");
            }
        }
        assert!(seen > 1_000 && pairs > 100, "{seen} {pairs}");
    }

    /// Place bets are off on a come-out roll. A come bet that moves meanwhile leaves its old slot.
    #[test]
    fn a_bet_moves_also_while_others_are_off() {
        let (board, rules) = plain();
        let dealer = Dealer::new(&board, &rules);
        let [come, six, place] = ["come", "come-6", "place-win-5"].map(|name| board.named(name).unwrap());
        let mut bets = SeatBets::default();
        [come, place].into_iter().for_each(|slot| bets.make(slot, "60".parse().unwrap()));
        dealer.settle(dealer.roll(Phase::ComeOut, "4-2".parse().unwrap()), &mut bets, &mut Touched(false));
        assert_eq!(bets.slots(), [six, place].into_iter().collect());
    }
}
