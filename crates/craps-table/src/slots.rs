//! Slots for bets, and sets of slots.

use serde::{Deserialize, Serialize};

/// Maximum number of slots at a table.
pub const MOST_SLOTS: usize = 256;

/// The place of one bet on the board: a wager, plus its number if it is part of the bet's name, such as come on the 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotId(pub(crate) u8);

impl SlotId {
    /// Returns the position of the slot on the board, from 0.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All slots that a board can have.
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

    /// Returns the word of [`Slots`] that holds the slot, and its bit in that word.
    #[inline]
    const fn bit(self) -> (usize, u64) {
        ((self.0 >> 6) as usize, 1 << (self.0 & 63))
    }
}

/// Most tables have at most this many slots. A table with more is called wide.
pub const NARROW: usize = 128;

/// Number of words in a set of slots.
pub(crate) const WORDS: usize = MOST_SLOTS / 64;

/// A set of slots, one bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots([u64; WORDS]);

impl Slots {
    /// The empty set.
    pub const NONE: Slots = Slots([0; WORDS]);

    /// Is the slot in the set?
    #[must_use]
    #[inline]
    pub const fn contains(&self, slot: SlotId) -> bool {
        let (word, bit) = slot.bit();
        self.0[word] & bit != 0
    }

    /// Do the two sets have a slot in common?
    #[must_use]
    #[inline]
    pub const fn meets(self, other: Slots) -> bool {
        !self.and(other).is_empty()
    }

    /// Like [`Slots::meets`], but looks only at the [first slots](NARROW) unless `is_wide` is true.
    #[must_use]
    #[inline(always)]
    pub const fn meets_in(self, other: Slots, is_wide: bool) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        let first = a & e | b & f;
        if is_wide { first | c & g | d & h != 0 } else { first != 0 }
    }

    /// Drops the slots beyond the [first ones](NARROW) unless `WIDE`, so that the compiler skips these words.
    #[inline(always)]
    pub(crate) const fn within<const WIDE: bool>(self) -> Slots {
        let [a, b, c, d] = self.0;
        if WIDE { Slots([a, b, c, d]) } else { Slots([a, b, 0, 0]) }
    }

    /// Returns the words of the [first slots](NARROW) and the words of the rest.
    #[inline(always)]
    pub(crate) const fn halves(self) -> [[u64; 2]; 2] {
        let [a, b, c, d] = self.0;
        [[a, b], [c, d]]
    }

    /// Builds a set from the two halves.
    #[inline(always)]
    pub(crate) const fn of_halves([a, b]: [u64; 2], [c, d]: [u64; 2]) -> Slots {
        Slots([a, b, c, d])
    }

    /// Returns one word of the set.
    #[inline]
    pub(crate) const fn word(&self, at: usize) -> u64 {
        self.0[at % WORDS]
    }

    /// Does the set have fewer than `many` slots? Cheaper than counting if `many` is small.
    #[must_use]
    #[inline]
    pub const fn fewer_than(self, many: u32) -> bool {
        let [mut first, b, c, d] = self.0;
        if b | c | d != 0 || many == 0 {
            return self.len() < many;
        }
        // Clears the lowest `many - 1` bits that are set. If no bit is left, there were fewer than `many`.
        let mut more = many - 1;
        while more > 0 {
            first &= first.wrapping_sub(1);
            more -= 1;
        }
        first == 0
    }

    /// Returns the number of slots in the set.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// Is the set empty?
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    /// Returns the slots that are in both sets.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Slots) -> Slots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Slots([a & e, b & f, c & g, d & h])
    }

    /// Returns the slots that are in either set.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Slots) -> Slots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Slots([a | e, b | f, c | g, d | h])
    }

    /// Returns the slots of this set that are not in `other`.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Slots) -> Slots {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Slots([a & !e, b & !f, c & !g, d & !h])
    }

    /// Adds a slot.
    #[inline]
    pub const fn insert(&mut self, slot: SlotId) {
        let (word, bit) = slot.bit();
        self.0[word] |= bit;
    }

    /// Removes a slot.
    #[inline]
    pub const fn remove(&mut self, slot: SlotId) {
        let (word, bit) = slot.bit();
        self.0[word] &= !bit;
    }

    /// Iterates over the slots in board order.
    #[inline]
    pub const fn iter(self) -> SlotsIter {
        let [bits, a, b, c] = self.0;
        SlotsIter { bits, next: [a, b, c], first: 0 }
    }
}

/// Iterator over the slots of a set, in board order.
#[derive(Debug, Clone)]
pub struct SlotsIter {
    /// The rest of the current word. `next` has the words after it.
    bits: u64,
    next: [u64; WORDS - 1],
    /// The first slot of the current word.
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
        // A word has 64 bits, so the position of a bit fits in a byte.
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
