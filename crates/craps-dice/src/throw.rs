use crate::{Die, NotDice, Total};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One roll of the two dice, ignoring which die is which. There are 21 such rolls, and each can happen in one or two of the 36 ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Throw {
    low: Die,
    high: Die,
}

impl Throw {
    /// Makes a roll from two faces, in either order.
    #[must_use]
    pub const fn new(one: Die, other: Die) -> Throw {
        if one as u8 <= other as u8 { Throw { low: one, high: other } } else { Throw { low: other, high: one } }
    }

    /// All 21 rolls, in the order 1-1, 1-2, … 6-6.
    pub const ALL: [Throw; 21] = {
        let mut all = [Throw { low: Die::One, high: Die::One }; 21];
        let (mut low, mut at) = (0, 0);
        while low < 6 {
            let mut high = low;
            while high < 6 {
                all[at] = Throw { low: Die::ALL[low], high: Die::ALL[high] };
                at += 1;
                high += 1;
            }
            low += 1;
        }
        all
    };

    /// The lower face.
    #[must_use]
    pub const fn low(self) -> Die {
        self.low
    }

    /// The higher face.
    #[must_use]
    pub const fn high(self) -> Die {
        self.high
    }

    /// The sum of the two dice.
    #[must_use]
    pub const fn total(self) -> Total {
        Total::ALL[(self.low as usize + self.high as usize) - 2]
    }

    /// Returns true if both dice show the same face.
    #[must_use]
    pub const fn is_hard(self) -> bool {
        self.low as u8 == self.high as u8
    }

    /// The number of ways, out of 36, to make this roll: 1 for a pair, otherwise 2.
    #[must_use]
    pub const fn ways(self) -> u32 {
        if self.is_hard() { 1 } else { 2 }
    }

    /// The index of this roll in [`Throw::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        let (low, high) = (self.low as usize - 1, self.high as usize - 1);
        low * 6 - low * (low + 1) / 2 + high
    }
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.low, self.high)
    }
}

impl FromStr for Throw {
    type Err = NotDice;

    /// Reads `4-2` or `2-4`.
    fn from_str(text: &str) -> Result<Throw, NotDice> {
        let die = |t: &str| t.parse().ok().and_then(Die::from_pips);
        text.split_once('-')
            .and_then(|(one, other)| Some(Throw::new(die(one)?, die(other)?)))
            .ok_or_else(|| NotDice { expected: "two dice such as 4-2", found: text.to_owned() })
    }
}

impl TryFrom<String> for Throw {
    type Error = NotDice;

    fn try_from(text: String) -> Result<Throw, NotDice> {
        text.parse()
    }
}

impl From<Throw> for String {
    fn from(throw: Throw) -> String {
        throw.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_21_throws_make_36_ways_and_know_their_place() {
        assert_eq!(Throw::ALL.iter().map(|t| t.ways()).sum::<u32>(), crate::WAYS);
        for (at, throw) in Throw::ALL.into_iter().enumerate() {
            assert_eq!(throw.index(), at);
            assert_eq!(throw.to_string().parse(), Ok(throw));
            assert_eq!(Throw::new(throw.high(), throw.low()), throw);
        }
    }

    #[test]
    fn ways_of_a_total_are_the_ways_of_its_throws() {
        for total in Total::ALL {
            let ways: u32 = Throw::ALL.iter().filter(|t| t.total() == total).map(|t| t.ways()).sum();
            assert_eq!(ways, total.ways());
        }
    }

    #[test]
    fn text_that_is_no_throw_says_what_was_expected() {
        let error = "0-7".parse::<Throw>().unwrap_err();
        assert_eq!(error.to_string(), "expected two dice such as 4-2, found `0-7`");
    }
}
