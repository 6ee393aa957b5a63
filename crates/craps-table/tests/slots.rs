//! Sets of slots behave as ordinary sets.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_table::{NARROW, SlotId, Slots};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Slots in which the four words of a set are often alike, since operations that confuse words differ only there.
fn places() -> impl Strategy<Value = BTreeSet<usize>> {
    let alike = (0usize..3, prop::collection::vec(0usize..4, 0..4))
        .prop_map(|(bit, words)| words.into_iter().map(|word| 64 * word + bit).collect());
    prop_oneof![alike, prop::collection::btree_set(0usize..256, 0..12)]
}

fn set(places: &BTreeSet<usize>) -> Slots {
    places.iter().map(|place| SlotId::ALL[*place]).collect()
}

proptest! {
    #[test]
    fn sets_of_slots_are_sets(one in places(), other in places(), many in 0u32..6) {
        let (a, b) = (set(&one), set(&other));
        prop_assert_eq!(a.and(b), set(&one.intersection(&other).copied().collect()));
        prop_assert_eq!(a.or(b), set(&one.union(&other).copied().collect()));
        prop_assert_eq!(a.without(b), set(&one.difference(&other).copied().collect()));
        prop_assert_eq!(a.meets(b), !one.is_disjoint(&other));
        prop_assert_eq!(a.meets_in(b, true), !one.is_disjoint(&other));
        let first: BTreeSet<usize> = one.iter().copied().filter(|place| *place < NARROW).collect();
        prop_assert_eq!(a.meets_in(b, false), !first.is_disjoint(&other));
        prop_assert_eq!(a.iter().map(SlotId::index).collect::<Vec<_>>(), one.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!((a.len() as usize, a.is_empty()), (one.len(), one.is_empty()));
        prop_assert_eq!(a.fewer_than(many), one.len() < many as usize);
        for place in 0..256 {
            prop_assert_eq!(a.contains(SlotId::ALL[place]), one.contains(&place));
            let (mut more, mut less) = (a, a);
            more.insert(SlotId::ALL[place]);
            less.remove(SlotId::ALL[place]);
            prop_assert_eq!((more, less), (a.or(set(&[place].into())), a.without(set(&[place].into()))));
        }
    }
}

/// Two words of a set with the same bits in common don't cancel each other.
#[test]
fn sets_meet_in_two_places_as_in_one() {
    for places in [[0, 64], [0, 128], [64, 192], [128, 192]] {
        let both = set(&places.into());
        assert!(both.meets(both) && both.meets_in(both, true), "{places:?}");
        assert_eq!(both.meets_in(both, false), places.iter().any(|place| *place < NARROW), "{places:?}");
    }
}
