use crate::{Throw, Total};

/// A set of totals.
///
/// ```
/// use craps_dice::{Total, TotalSet};
/// let craps = TotalSet::of(&[Total::Two, Total::Three, Total::Twelve]);
/// assert!(craps.contains(Total::Three));
/// assert_eq!(craps.throws().ways(), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TotalSet(u16);

impl TotalSet {
    /// The set of exactly these totals.
    #[must_use]
    pub const fn of(totals: &[Total]) -> TotalSet {
        let (mut bits, mut at) = (0, 0);
        while at < totals.len() {
            bits |= 1 << totals[at] as u16;
            at += 1;
        }
        TotalSet(bits)
    }

    /// Is the total in it?
    #[must_use]
    pub const fn contains(self, total: Total) -> bool {
        self.0 & (1 << total as u16) != 0
    }

    /// The throws that make one of its totals.
    #[must_use]
    pub const fn throws(self) -> ThrowSet {
        let (mut bits, mut at) = (0, 0);
        while at < 21 {
            if self.contains(Throw::ALL[at].total()) {
                bits |= 1 << at;
            }
            at += 1;
        }
        ThrowSet(bits)
    }
}

/// A set of throws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ThrowSet(u32);

impl ThrowSet {
    /// The set of exactly these throws.
    #[must_use]
    pub const fn of(throws: &[Throw]) -> ThrowSet {
        let (mut bits, mut at) = (0, 0);
        while at < throws.len() {
            bits |= 1 << throws[at].index();
            at += 1;
        }
        ThrowSet(bits)
    }

    /// What is in either set.
    #[must_use]
    pub const fn or(self, other: ThrowSet) -> ThrowSet {
        ThrowSet(self.0 | other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: ThrowSet) -> ThrowSet {
        ThrowSet(self.0 & !other.0)
    }

    /// Is the throw in it?
    #[must_use]
    pub const fn contains(self, throw: Throw) -> bool {
        self.0 & (1 << throw.index()) != 0
    }

    /// In how many of the 36 ways a throw of the set falls.
    #[must_use]
    pub fn ways(self) -> u32 {
        self.iter().map(Throw::ways).sum()
    }

    /// Its throws, in the order of [`Throw::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Throw> {
        Throw::ALL.into_iter().filter(move |throw| self.contains(*throw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hard;

    #[test]
    fn the_easy_ways_are_the_total_without_the_pair() {
        let six = TotalSet::of(&[Total::Six]).throws();
        let easy = six.without(ThrowSet::of(&[Hard::Six.pair()]));
        assert_eq!(easy.iter().map(|t| t.to_string()).collect::<Vec<_>>(), ["1-5", "2-4"]);
        assert_eq!((easy.ways(), six.ways()), (4, 5));
        assert_eq!(easy.or(ThrowSet::of(&[Hard::Six.pair()])), six);
    }
}
