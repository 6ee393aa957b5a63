use crate::slots::{SlotId, Slots};

/// Bets behind which odds may stand: how far behind, and which bets those are. Odds on all numbers of a kind are equally far behind, so there
/// is seldom more than the first.
#[derive(Debug, Clone)]
pub struct Fronts {
    first: (u8, Slots),
    others: Vec<(u8, Slots)>,
}

impl Fronts {
    /// From bets and the odds behind them. Odds print after the bet in front of them.
    pub(crate) fn new(pairs: impl Iterator<Item = (SlotId, SlotId)>) -> Fronts {
        let mut fronts: Vec<(u8, Slots)> = Vec::new();
        for (front, odds) in pairs {
            let Some(distance) = odds.0.checked_sub(front.0) else { continue };
            match fronts.iter_mut().find(|(known, _)| *known == distance) {
                Some((_, fronts)) => fronts.insert(front),
                None => fronts.push((distance, Slots::from_iter([front]))),
            }
        }
        let mut fronts = fronts.into_iter();
        Fronts { first: fronts.next().unwrap_or_default(), others: fronts.collect() }
    }

    /// Those that stand without odds, where these bets stand.
    #[must_use]
    #[inline]
    pub fn bare(&self, standing: Slots) -> Slots {
        let bare = |(distance, fronts): &(u8, Slots)| standing.and(*fronts).without(standing.ahead(*distance));
        self.others.iter().map(bare).fold(bare(&self.first), Slots::or)
    }
}
