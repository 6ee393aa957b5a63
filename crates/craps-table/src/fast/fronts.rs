use crate::slots::{SlotId, Slots};

/// Bets that can have odds behind them, arranged so that bets without odds are found with a few bit operations. The distance from a bet to its odds
/// is usually the same for all numbers of a wager, so there is seldom more than one group.
#[derive(Debug, Clone)]
pub struct Fronts(Vec<FrontGroup>);

/// Bets in one word of a set whose odds are in one word too, all at the same distance in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontGroup {
    fronts: u64,
    word: u8,
    odds_word: u8,
    /// How many bits the odds are to the left of the bet, or to the right. One of the two is zero.
    left: u8,
    right: u8,
}

impl FrontGroup {
    /// Returns the bets of this group without odds, given the slots with a bet.
    #[must_use]
    #[inline]
    pub fn bare(&self, standing: &Slots) -> Bare {
        let odds = standing.word(usize::from(self.odds_word)) >> (self.left & 63) << (self.right & 63);
        Bare { bits: standing.word(usize::from(self.word)) & self.fronts & !odds, first: self.word << 6 }
    }
}

/// Iterator over bets without odds.
#[derive(Debug, Clone, Copy)]
pub struct Bare {
    bits: u64,
    first: u8,
}

impl Iterator for Bare {
    type Item = SlotId;

    #[inline]
    fn next(&mut self) -> Option<SlotId> {
        let place = if self.bits == 0 { return None } else { self.bits.trailing_zeros().to_le_bytes()[0] };
        self.bits &= self.bits - 1;
        Some(SlotId(self.first | place))
    }
}

impl Fronts {
    /// Builds the groups from pairs of a bet and its odds.
    pub(crate) fn new(pairs: impl Iterator<Item = (SlotId, SlotId)>) -> Fronts {
        let mut groups: Vec<FrontGroup> = Vec::new();
        for (front, odds) in pairs {
            let (at, odds_at) = (front.0 & 63, odds.0 & 63);
            let group = FrontGroup {
                fronts: 0,
                word: front.0 >> 6,
                odds_word: odds.0 >> 6,
                left: odds_at.saturating_sub(at),
                right: at.saturating_sub(odds_at),
            };
            match groups.iter_mut().find(|known| FrontGroup { fronts: 0, ..**known } == group) {
                Some(known) => known.fronts |= 1 << at,
                None => groups.push(FrontGroup { fronts: 1 << at, ..group }),
            }
        }
        Fronts(groups)
    }

    /// Iterates over the groups.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = &FrontGroup> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn bets_without_odds_are_found_wherever_they_stand(
            pairs in proptest::collection::vec((any::<u8>(), any::<u8>()), 0..12),
            standing in proptest::collection::btree_set(any::<u8>(), 0..80),
        ) {
            let standing: Slots = standing.into_iter().chain(pairs.iter().map(|(front, _)| *front)).map(SlotId).collect();
            let pairs: Vec<(SlotId, SlotId)> = pairs.into_iter().map(|(front, odds)| (SlotId(front), SlotId(odds))).collect();
            // A bet has only one slot for its odds.
            let once: Vec<(SlotId, SlotId)> = pairs.iter().enumerate()
                .filter(|(at, (front, _))| !pairs[..*at].iter().any(|(known, _)| known == front)).map(|(_, pair)| *pair).collect();
            let bare: BTreeSet<SlotId> =
                once.iter().filter(|(_, odds)| !standing.contains(*odds)).map(|(front, _)| *front).collect();
            let mut found = BTreeSet::new();
            Fronts::new(once.into_iter()).groups().flat_map(|group| group.bare(&standing)).for_each(|slot| assert!(found.insert(slot)));
            prop_assert_eq!(found, bare);
        }
    }
}
