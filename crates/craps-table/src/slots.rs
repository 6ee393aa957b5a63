//! Places for bets, and sets of them.

use serde::{Deserialize, Serialize};

/// A place for one bet: a wager, and the number it stands on where that is part of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SlotId(pub(crate) u8);

impl SlotId {
    /// Its place in the layout.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        // A layout has at most 128 places, and whoever reads this knows it.
        (self.0 & 127) as usize
    }

    /// Every place that a layout may have.
    pub const ALL: [SlotId; 128] = {
        let mut all = [SlotId(0); 128];
        let mut at = 0;
        while at < 128 {
            all[at as usize] = SlotId(at);
            at += 1;
        }
        all
    };

    /// Which of a set's two words it is in, and its bit there.
    #[inline]
    const fn bit(self) -> (usize, u64) {
        ((self.0 >> 6 & 1) as usize, 1 << (self.0 & 63))
    }
}

/// A set of slots: two words, so that nothing is shifted over more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots([u64; 2]);

impl Slots {
    /// No slot.
    pub const NONE: Slots = Slots([0; 2]);

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

    /// Are there fewer than so many? Cheaper than counting, for a few.
    #[must_use]
    #[inline]
    pub const fn fewer_than(self, many: u32) -> bool {
        if many == 0 {
            return false;
        }
        // Takes out so many but one, without asking whether there are any: then none may be left.
        let ([mut low, mut high], mut more) = (self.0, many - 1);
        while more > 0 {
            high = if low == 0 { high & high.wrapping_sub(1) } else { high };
            low &= low.wrapping_sub(1);
            more -= 1;
        }
        low | high == 0
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Are there none?
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// The slots in both.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Slots) -> Slots {
        Slots([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    /// The slots in either.
    #[must_use]
    #[inline]
    pub const fn or(self, other: Slots) -> Slots {
        Slots([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// The slots that are not among the others.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Slots) -> Slots {
        Slots([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    /// The slots so far before them.
    #[must_use]
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a double word are words")]
    pub const fn ahead(self, distance: u32) -> Slots {
        let Slots([low, high]) = self;
        let both = (low as u128 | (high as u128) << 64) >> (distance & 127);
        Slots([both as u64, (both >> 64) as u64])
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

    /// Them, in the order of the layout.
    #[inline]
    pub const fn iter(self) -> SlotsIter {
        SlotsIter { bits: self.0[0], next: self.0[1], first: 0 }
    }
}

/// The slots of a set, in the order of the layout.
#[derive(Debug, Clone)]
pub struct SlotsIter {
    /// What is left of the word at hand, and the word after it.
    bits: u64,
    next: u64,
    /// The first slot of the word at hand.
    first: u8,
}

impl Iterator for SlotsIter {
    type Item = SlotId;

    #[inline]
    fn next(&mut self) -> Option<SlotId> {
        if self.bits == 0 {
            if self.next == 0 {
                return None;
            }
            (self.bits, self.next, self.first) = (self.next, 0, 64);
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

    #[test]
    fn a_set_gives_back_what_was_put_in_in_order() {
        let put = [3u8, 0, 127, 64, 63, 65];
        let all: Slots = put.into_iter().map(SlotId).collect();
        let back: Vec<u8> = all.iter().map(|slot| slot.0).collect();
        assert_eq!(back, [0, 3, 63, 64, 65, 127]);
        assert_eq!(all.len(), 6);
        let mut less = all;
        less.remove(SlotId(64));
        assert!(!less.contains(SlotId(64)) && less.contains(SlotId(65)) && all.contains(SlotId(64)));
        assert_eq!(all.without(less).iter().collect::<Vec<_>>(), [SlotId(64)]);
        assert!(all.meets(less) && !less.and(all.without(less)).meets(all));
    }
}
