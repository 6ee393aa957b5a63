use crate::slots::{SlotId, Slots};

/// Bets behind which odds may stand, so arranged that all that stand without odds are found at once.
#[derive(Debug, Clone)]
pub struct Fronts {
    /// Odds on all numbers of a kind are equally far behind, so there is seldom more than the first.
    first: Group,
    others: Vec<Group>,
}

/// Bets in one word of a set, with their odds in one word, and equally far from them there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Group {
    fronts: u64,
    word: u8,
    odds_word: u8,
    /// By how many bits the odds are further left, or further right.
    left: u8,
    right: u8,
}

impl Group {
    #[inline]
    fn bare(&self, standing: &Slots) -> u64 {
        let odds = standing.word(usize::from(self.odds_word)) >> (self.left & 63) << (self.right & 63);
        standing.word(usize::from(self.word)) & self.fronts & !odds
    }

    #[inline]
    fn each(&self, standing: &Slots, tell: &mut impl FnMut(SlotId)) {
        let mut bare = self.bare(standing);
        while bare != 0 {
            let place = bare.trailing_zeros().to_le_bytes()[0];
            tell(SlotId(self.word << 6 | place));
            bare &= bare - 1;
        }
    }
}

impl Fronts {
    /// From bets and the odds behind them.
    pub(crate) fn new(pairs: impl Iterator<Item = (SlotId, SlotId)>) -> Fronts {
        let mut groups: Vec<Group> = Vec::new();
        for (front, odds) in pairs {
            let (at, odds_at) = (front.0 & 63, odds.0 & 63);
            let group = Group {
                fronts: 0,
                word: front.0 >> 6,
                odds_word: odds.0 >> 6,
                left: odds_at.saturating_sub(at),
                right: at.saturating_sub(odds_at),
            };
            match groups.iter_mut().find(|known| Group { fronts: 0, ..**known } == group) {
                Some(known) => known.fronts |= 1 << at,
                None => groups.push(Group { fronts: 1 << at, ..group }),
            }
        }
        let mut groups = groups.into_iter();
        Fronts { first: groups.next().unwrap_or_default(), others: groups.collect() }
    }

    /// Tells of those that stand without odds, where these bets stand.
    #[inline]
    pub fn each_bare(&self, standing: Slots, mut tell: impl FnMut(SlotId)) {
        self.first.each(&standing, &mut tell);
        self.others.iter().for_each(|group| group.each(&standing, &mut tell));
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
            // A bet has odds in one place.
            let once: Vec<(SlotId, SlotId)> = pairs.iter().enumerate()
                .filter(|(at, (front, _))| !pairs[..*at].iter().any(|(known, _)| known == front)).map(|(_, pair)| *pair).collect();
            let bare: BTreeSet<SlotId> =
                once.iter().filter(|(_, odds)| !standing.contains(*odds)).map(|(front, _)| *front).collect();
            let mut found = BTreeSet::new();
            Fronts::new(once.into_iter()).each_bare(standing, |slot| assert!(found.insert(slot)));
            prop_assert_eq!(found, bare);
        }
    }
}
