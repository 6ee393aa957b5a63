use crate::{Die, NotDice, Throw};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The sum of two dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[expect(missing_docs, reason = "the names are the sums")]
pub enum Total {
    Two = 2,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Eleven,
    Twelve,
}

impl Total {
    /// All eleven totals, low to high.
    pub const ALL: [Total; 11] = [
        Total::Two,
        Total::Three,
        Total::Four,
        Total::Five,
        Total::Six,
        Total::Seven,
        Total::Eight,
        Total::Nine,
        Total::Ten,
        Total::Eleven,
        Total::Twelve,
    ];

    /// The sum as a number.
    #[must_use]
    pub const fn value(self) -> u8 {
        self as u8
    }

    /// Returns the total with this value, or `None` if two dice can't make it.
    #[must_use]
    pub const fn from_value(value: u8) -> Option<Total> {
        if value >= 2 && value <= 12 { Some(Total::ALL[value as usize - 2]) } else { None }
    }

    /// The number of ways, out of 36, to roll this total.
    ///
    /// ```
    /// use craps_dice::Total;
    /// assert_eq!(Total::ALL.map(Total::ways), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    /// ```
    #[must_use]
    pub const fn ways(self) -> u32 {
        6 - (self as u32).abs_diff(7)
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl FromStr for Total {
    type Err = NotDice;

    fn from_str(text: &str) -> Result<Total, NotDice> {
        text.parse()
            .ok()
            .and_then(Total::from_value)
            .ok_or_else(|| NotDice { expected: "a total from 2 to 12", found: text.to_owned() })
    }
}

impl TryFrom<u8> for Total {
    type Error = NotDice;

    fn try_from(value: u8) -> Result<Total, NotDice> {
        Total::from_value(value).ok_or_else(|| NotDice { expected: "a total from 2 to 12", found: value.to_string() })
    }
}

impl From<Total> for u8 {
    fn from(it: Total) -> u8 {
        it.value()
    }
}

/// A number that a bet can be on: any total except seven.
///
/// ```
/// use craps_dice::{Point, Total};
/// assert_eq!(Point::new(Total::Seven), None);
/// assert_eq!(Point::BOX.len(), 6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[expect(missing_docs, reason = "the names are the numbers")]
pub enum Point {
    Two = 2,
    Three = 3,
    Four = 4,
    Five = 5,
    Six = 6,
    Eight = 8,
    Nine = 9,
    Ten = 10,
    Eleven = 11,
    Twelve = 12,
}

impl Point {
    /// Every number except seven, low to high.
    pub const ALL: [Point; 10] = [
        Point::Two,
        Point::Three,
        Point::Four,
        Point::Five,
        Point::Six,
        Point::Eight,
        Point::Nine,
        Point::Ten,
        Point::Eleven,
        Point::Twelve,
    ];

    /// The six numbers that have a box on every layout.
    pub const BOX: [Point; 6] = [Point::Four, Point::Five, Point::Six, Point::Eight, Point::Nine, Point::Ten];

    /// Returns the point with this total, or `None` for seven.
    #[must_use]
    pub const fn new(total: Total) -> Option<Point> {
        Point::from_value(total.value())
    }

    /// Returns the point with this value, or `None` for seven or a number that two dice can't make.
    #[must_use]
    pub const fn from_value(value: u8) -> Option<Point> {
        match value {
            2..=6 => Some(Point::ALL[value as usize - 2]),
            8..=12 => Some(Point::ALL[value as usize - 3]),
            _ => None,
        }
    }

    /// The point as a number, such as 6.
    #[must_use]
    pub const fn value(self) -> u8 {
        self as u8
    }

    /// The total of the dice that makes this point.
    #[must_use]
    pub const fn total(self) -> Total {
        Total::ALL[self as usize - 2]
    }

    /// Returns true if the number has a box on every layout (4, 5, 6, 8, 9, 10).
    #[must_use]
    pub const fn is_box(self) -> bool {
        matches!(self as u8, 4..=10)
    }

    /// The index of this point in [`Point::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        let value = self as usize;
        if value < 7 { value - 2 } else { value - 3 }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl FromStr for Point {
    type Err = NotDice;

    fn from_str(text: &str) -> Result<Point, NotDice> {
        text.parse()
            .ok()
            .and_then(Point::from_value)
            .ok_or_else(|| NotDice { expected: "a number from 2 to 12 other than 7", found: text.to_owned() })
    }
}

impl TryFrom<u8> for Point {
    type Error = NotDice;

    fn try_from(value: u8) -> Result<Point, NotDice> {
        Point::from_value(value)
            .ok_or_else(|| NotDice { expected: "a number from 2 to 12 other than 7", found: value.to_string() })
    }
}

impl From<Point> for u8 {
    fn from(it: Point) -> u8 {
        it.value()
    }
}

/// A number that has both a hard way and an easy way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the numbers")]
pub enum Hard {
    Four = 4,
    Six = 6,
    Eight = 8,
    Ten = 10,
}

impl Hard {
    /// The four hardways, low to high.
    pub const ALL: [Hard; 4] = [Hard::Four, Hard::Six, Hard::Eight, Hard::Ten];

    /// The number as a point.
    #[must_use]
    pub const fn point(self) -> Point {
        match self {
            Hard::Four => Point::Four,
            Hard::Six => Point::Six,
            Hard::Eight => Point::Eight,
            Hard::Ten => Point::Ten,
        }
    }

    /// The pair of dice that makes the number the hard way, such as 2-2.
    #[must_use]
    pub const fn pair(self) -> Throw {
        match self {
            Hard::Four => Throw::new(Die::Two, Die::Two),
            Hard::Six => Throw::new(Die::Three, Die::Three),
            Hard::Eight => Throw::new(Die::Four, Die::Four),
            Hard::Ten => Throw::new(Die::Five, Die::Five),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_total_but_seven_is_a_point_and_goes_there_and_back() {
        for total in Total::ALL {
            match Point::new(total) {
                Some(point) => {
                    assert_eq!(point.total(), total);
                    assert_eq!(Point::ALL[point.index()], point);
                    assert_eq!(point.to_string().parse(), Ok(point));
                }
                None => assert_eq!(total, Total::Seven),
            }
        }
        assert!("7".parse::<Point>().is_err());
        assert!("13".parse::<Total>().is_err());
    }

    #[test]
    fn a_hard_pair_makes_its_number() {
        for hard in Hard::ALL {
            assert!(hard.pair().is_hard());
            assert_eq!(hard.pair().total(), hard.point().total());
        }
    }

    #[test]
    fn box_numbers_are_the_six_with_a_box() {
        assert_eq!(Point::ALL.into_iter().filter(|p| p.is_box()).collect::<Vec<_>>(), Point::BOX);
    }
}
