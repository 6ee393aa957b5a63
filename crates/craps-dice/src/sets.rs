use crate::{NotDice, Throw, Total};
use std::fmt;
use std::str::FromStr;

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
    /// Returns the set of exactly these totals.
    #[must_use]
    pub const fn of(totals: &[Total]) -> TotalSet {
        let (mut bits, mut at) = (0, 0);
        while at < totals.len() {
            bits |= 1 << totals[at] as u16;
            at += 1;
        }
        TotalSet(bits)
    }

    /// Returns true if the total is in the set.
    #[must_use]
    pub const fn contains(self, total: Total) -> bool {
        self.0 & (1 << total as u16) != 0
    }

    /// Returns the set with this total added.
    #[must_use]
    pub const fn with(self, total: Total) -> TotalSet {
        TotalSet(self.0 | 1 << total as u16)
    }

    /// Returns the totals that are in both sets.
    #[must_use]
    pub const fn and(self, other: TotalSet) -> TotalSet {
        TotalSet(self.0 & other.0)
    }

    /// Returns true if the set has no totals.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of totals in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Iterates over the totals, low to high.
    pub fn iter(self) -> impl Iterator<Item = Total> {
        Total::ALL.into_iter().filter(move |total| self.contains(*total))
    }

    /// Returns all rolls that make one of the totals.
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

impl FromIterator<Total> for TotalSet {
    fn from_iter<I: IntoIterator<Item = Total>>(totals: I) -> TotalSet {
        totals.into_iter().fold(TotalSet::default(), TotalSet::with)
    }
}

impl fmt::Display for TotalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals: Vec<String> = self.iter().map(|total| total.to_string()).collect();
        f.write_str(&totals.join(" "))
    }
}

impl FromStr for TotalSet {
    type Err = NotDice;

    /// Reads totals separated by spaces: `2 3 12`.
    fn from_str(text: &str) -> Result<TotalSet, NotDice> {
        text.split_whitespace().map(str::parse).collect()
    }
}

/// A set of rolls.
///
/// ```
/// use craps_dice::ThrowSet;
/// let easy_six: ThrowSet = "6 !3-3".parse()?;
/// assert_eq!(easy_six.ways(), 4);
/// # Ok::<(), craps_dice::NotDice>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ThrowSet(u32);

impl FromStr for ThrowSet {
    type Err = NotDice;

    /// Reads totals and rolls separated by spaces. A `!` removes a total or a roll: `4 7 !2-2`.
    fn from_str(text: &str) -> Result<ThrowSet, NotDice> {
        text.split_whitespace().try_fold(ThrowSet::default(), |set, word| {
            let (out, name) = word.strip_prefix('!').map_or((false, word), |name| (true, name));
            let one = match name.parse::<Throw>() {
                Ok(throw) => ThrowSet::of(&[throw]),
                Err(_) => TotalSet::of(&[name.parse::<Total>().map_err(|_| NotDice {
                    expected: "totals such as 7 or dice such as 3-3",
                    found: word.to_owned(),
                })?])
                .throws(),
            };
            Ok(if out { set.without(one) } else { set.or(one) })
        })
    }
}

impl FromIterator<Throw> for ThrowSet {
    fn from_iter<I: IntoIterator<Item = Throw>>(throws: I) -> ThrowSet {
        throws.into_iter().fold(ThrowSet::default(), |set, throw| set.or(ThrowSet::of(&[throw])))
    }
}

impl ThrowSet {
    /// Returns the set of exactly these rolls.
    #[must_use]
    pub const fn of(throws: &[Throw]) -> ThrowSet {
        let (mut bits, mut at) = (0, 0);
        while at < throws.len() {
            bits |= 1 << throws[at].index();
            at += 1;
        }
        ThrowSet(bits)
    }

    /// Returns the rolls that are in either set.
    #[must_use]
    pub const fn or(self, other: ThrowSet) -> ThrowSet {
        ThrowSet(self.0 | other.0)
    }

    /// Returns the rolls that are in this set but not in the other.
    #[must_use]
    pub const fn without(self, other: ThrowSet) -> ThrowSet {
        ThrowSet(self.0 & !other.0)
    }

    /// Returns true if the roll is in the set.
    #[must_use]
    pub const fn contains(self, throw: Throw) -> bool {
        self.0 & (1 << throw.index()) != 0
    }

    /// Returns true if the set has no rolls.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of different rolls in the set, 0 to 21.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the two sets share a roll.
    #[must_use]
    pub const fn meets(self, other: ThrowSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of ways, out of 36, to roll something in the set.
    #[must_use]
    pub fn ways(self) -> u32 {
        self.iter().map(Throw::ways).sum()
    }

    /// Iterates over the rolls, in the order of [`Throw::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Throw> {
        Throw::ALL.into_iter().filter(move |throw| self.contains(*throw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hard;

    #[test]
    fn sets_are_read_as_they_are_written() {
        let craps: TotalSet = "12 2 3".parse().unwrap();
        assert_eq!(craps, TotalSet::of(&[Total::Two, Total::Three, Total::Twelve]));
        assert_eq!((craps.to_string().as_str(), craps.len()), ("2 3 12", 3));
        assert!(!craps.is_empty() && TotalSet::default().is_empty());
        assert_eq!(craps.and("3 4".parse().unwrap()).to_string(), "3");
        let lost: ThrowSet = "4 7 !2-2".parse().unwrap();
        assert_eq!((lost.len(), lost.ways()), (4, 8));
        assert!(lost.meets("3-1".parse().unwrap()) && !lost.meets("2-2".parse().unwrap()));
        assert!(!lost.is_empty() && ThrowSet::default().is_empty());
        assert_eq!(lost.iter().collect::<ThrowSet>(), lost);
        assert!("4 13".parse::<ThrowSet>().is_err() && "1".parse::<TotalSet>().is_err());
    }

    #[test]
    fn the_easy_ways_are_the_total_without_the_pair() {
        let six = TotalSet::of(&[Total::Six]).throws();
        let easy = six.without(ThrowSet::of(&[Hard::Six.pair()]));
        assert_eq!(easy.iter().map(|t| t.to_string()).collect::<Vec<_>>(), ["1-5", "2-4"]);
        assert_eq!((easy.ways(), six.ways()), (4, 5));
        assert_eq!(easy.or(ThrowSet::of(&[Hard::Six.pair()])), six);
    }
}
