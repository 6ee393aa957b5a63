//! Places for bets, and sets of them.

/// A place for one bet: a wager, and the number it stands on where that is part of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    pub fn all() -> impl Iterator<Item = SlotId> {
        (0..128).map(SlotId)
    }

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
    pub const fn contains(self, slot: SlotId) -> bool {
        let (word, bit) = slot.bit();
        self.0[word] & bit != 0
    }

    /// Is any slot in both?
    #[must_use]
    #[inline]
    pub const fn meets(self, other: Slots) -> bool {
        !self.and(other).is_empty()
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

    /// Takes out the first, in the order of the layout.
    #[inline]
    pub fn pop(&mut self) -> Option<SlotId> {
        let word = usize::from(self.0[0] == 0);
        let bits = self.0[word];
        if bits == 0 {
            return None;
        }
        self.0[word] = bits & (bits - 1);
        // A word has 64 bits, so the place of one fits a byte.
        let place = bits.trailing_zeros().to_le_bytes()[0];
        Some(SlotId(place | if word == 0 { 0 } else { 64 }))
    }

    /// Them, in the order of the layout.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = SlotId> {
        let mut left = self;
        std::iter::from_fn(move || left.pop())
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
