//! Places for bets, and sets of them.

use serde::{Deserialize, Serialize};

/// How many slots a table can have.
pub const MOST_SLOTS: usize = 256;

/// A place for one bet: a wager, and the number it stands on where that is part of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotId(pub(crate) u8);

impl SlotId {
    /// Its place on the board.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every place that a board may have.
    pub const ALL: [SlotId; MOST_SLOTS] = {
        let mut all = [SlotId(0); MOST_SLOTS];
        let mut at: u8 = 0;
        loop {
            all[at as usize] = SlotId(at);
            if at == u8::MAX {
                break;
            }
            at += 1;
        }
        all
    };

    /// Which of a set's words it is in, and its bit there.
    #[inline]
    const fn bit(self) -> (usize, u64) {
        ((self.0 >> 6) as usize, 1 << (self.0 & 63))
    }
}

/// How many slots most tables do with: a table with more is wide.
pub const NARROW: usize = 128;

/// How many words a set of slots takes.
pub(crate) const WORDS: usize = MOST_SLOTS / 64;

/// A set of slots, one bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots([u64; WORDS]);

impl Slots {
    /// No slot.
    pub const NONE: Slots = Slots([0; WORDS]);

    /// Is the slot among them?
    #[must_use]
    #[inline]
    pub const fn contains(&self, slot: SlotId) -> bool {
        let (word, bit) = slot.bit();
        self.0[word] & bit != 0
    }

    /// Is any slot in both?
    #[must_use]
    #[inline]
    pub const fn meets(self, other: Slots) -> bool {
        !self.and(other).is_empty()
    }

    /// The same, where it is known whether there are slots beyond the [first ones](NARROW).
    #[must_use]
    #[inline(always)]
    pub const fn meets_in(self, other: Slots, is_wide: bool) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        let first = a & e | b & f;
        if is_wide { first | c & g | d & h != 0 } else { first != 0 }
    }

    /// Them, where none are beyond the [first ones](NARROW) unless the table is wide: fewer words are looked at.
    #[inline(always)]
    pub(crate) const fn within<const WIDE: bool>(self) -> Slots {
        let [a, b, c, d] = self.0;
        if WIDE { Slots([a, b, c, d]) } else { Slots([a, b, 0, 0]) }
    }

    /// The [first ones](NARROW) and the others.
    #[inline(always)]
    pub(crate) const fn halves(self) -> [[u64; 2]; 2] {
        let [a, b, c, d] = self.0;
        [[a, b], [c, d]]
    }

    /// Those of both halves.
    #[inline(always)]
    pub(crate) const fn of_halves([a, b]: [u64; 2], [c, d]: [u64; 2]) -> Slots {
        Slots([a, b, c, d])
    }

    /// One word of them.
    #[inline]
    pub(crate) const fn word(&self, at: usize) -> u64 {
        self.0[at % WORDS]
    }

    /// Are there fewer than so many? Cheaper than counting, for a few.
    #[must_use]
    #[inline]
    pub const fn fewer_than(self, many: u32) -> bool {
        let [mut first, b, c, d] = self.0;
        if b | c | d != 0 || many == 0 {
            return self.len() < many;
        }
        // Takes out so many but one, without asking whether there are any: then none may be left.
        let mut more = many - 1;
        while more > 0 {
            first &= first.wrapping_sub(1);
            more -= 1;
        }
        first == 0
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// Are there none?
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    /// The slots in both.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Slots) -> Slots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Slots([a & e, b & f, c & g, d & h])
    }

    /// The slots in either.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Slots) -> Slots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Slots([a | e, b | f, c | g, d | h])
    }

    /// The slots that are not among the others.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Slots) -> Slots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Slots([a & !e, b & !f, c & !g, d & !h])
    }

    /// Adds one.
    #[inline]
    pub const fn insert(&mut self, slot: SlotId) {
        let (word, bit) = slot.bit();
        self.0[word] |= bit;
    }

    /// Takes one out.
    #[inline]
    pub const fn remove(&mut self, slot: SlotId) {
        let (word, bit) = slot.bit();
        self.0[word] &= !bit;
    }

    /// Them, in the order of the board.
    #[inline]
    pub const fn iter(self) -> SlotsIter {
        let [bits, a, b, c] = self.0;
        SlotsIter { bits, next: [a, b, c], first: 0 }
    }
}

/// The slots of a set, in the order of the board.
#[derive(Debug, Clone)]
pub struct SlotsIter {
    /// What is left of the word at hand, and the words after it.
    bits: u64,
    next: [u64; WORDS - 1],
    /// The first slot of the word at hand.
    first: u8,
}

impl Iterator for SlotsIter {
    type Item = SlotId;

    #[inline]
    fn next(&mut self) -> Option<SlotId> {
        while self.bits == 0 {
            let [next, a, b] = self.next;
            if next | a | b == 0 {
                return None;
            }
            (self.bits, self.next, self.first) = (next, [a, b, 0], self.first + 64);
        }
        // A word has 64 bits, so the place of one fits a byte.
        let place = self.bits.trailing_zeros().to_le_bytes()[0];
        self.bits &= self.bits - 1;
        Some(SlotId(self.first | place))
    }
}

impl FromIterator<SlotId> for Slots {
    fn from_iter<I: IntoIterator<Item = SlotId>>(slots: I) -> Slots {
        let mut all = Slots::NONE;
        slots.into_iter().for_each(|slot| all.insert(slot));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(slots: &[u8]) -> Slots {
        slots.iter().copied().map(SlotId).collect()
    }

    #[test]
    fn a_set_gives_back_what_was_put_in_in_order() {
        let all = set(&[3, 0, 127, 64, 63, 65, 128, 255, 191, 192]);
        let back: Vec<u8> = all.iter().map(|slot| slot.0).collect();
        assert_eq!(back, [0, 3, 63, 64, 65, 127, 128, 191, 192, 255]);
        assert_eq!(all.len(), 10);
        let mut less = all;
        less.remove(SlotId(64));
        assert!(!less.contains(SlotId(64)) && less.contains(SlotId(65)) && all.contains(SlotId(64)));
        assert_eq!(all.without(less).iter().collect::<Vec<_>>(), [SlotId(64)]);
        assert!(all.meets(less) && !less.and(all.without(less)).meets(all));
        assert_eq!(SlotId::ALL.into_iter().collect::<Slots>().len(), 256);
        assert!(SlotId::ALL.iter().enumerate().all(|(at, slot)| slot.index() == at));
    }

    #[test]
    fn slots_far_apart_do_not_hide_each_other() {
        let far = set(&[200]);
        assert!(!far.is_empty() && far.meets(set(&[1, 200])) && !far.meets(set(&[72, 136, 8])));
        assert!(far.meets_in(set(&[1, 200]), true) && set(&[1, 100]).meets_in(set(&[100]), false));
        assert_eq!((set(&[3, 127, 128]).within::<false>(), far.within::<true>()), (set(&[3, 127]), far));
        for slot in SlotId::ALL {
            assert_eq!(Slots::from_iter([slot]).iter().collect::<Vec<_>>(), [slot]);
        }
    }

    #[test]
    fn a_few_are_told_from_more() {
        for (slots, count) in [(&[][..], 0), (&[255], 1), (&[1, 2], 2), (&[0, 64, 128], 3), (&[7, 8, 9, 250], 4)] {
            for many in 0..6 {
                assert_eq!(set(slots).fewer_than(many), count < many, "{slots:?} fewer than {many}");
            }
        }
    }
}
