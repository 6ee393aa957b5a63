//! Odds multiples.

use craps_dice::Point;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// An odds multiple for each number, such as 3-4-5 times odds.
///
/// ```
/// use craps_dice::Point;
/// use craps_law::Multiple;
/// let three_four_five: Multiple = "3-4-5".parse()?;
/// assert_eq!(three_four_five.on(Point::Nine), Some(4));
/// assert_eq!("10".parse::<Multiple>()?.on(Point::Four), Some(10));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiple(BTreeMap<Point, u32>);

impl Multiple {
    /// Makes the same multiple for each of these numbers.
    #[must_use]
    pub fn each(points: &[Point], times: u32) -> Multiple {
        Multiple(points.iter().map(|point| (*point, times)).collect())
    }

    /// Returns the multiple on a number, if one is set.
    #[must_use]
    pub fn on(&self, point: Point) -> Option<u32> {
        self.0.get(&point).copied()
    }

    /// Iterates over the numbers and their multiples.
    pub fn iter(&self) -> impl Iterator<Item = (Point, u32)> {
        self.0.iter().map(|(point, times)| (*point, *times))
    }

    /// Fills in the numbers that are not set from another multiple.
    #[must_use]
    pub fn or(mut self, other: &Multiple) -> Multiple {
        for (point, times) in other.iter() {
            self.0.entry(point).or_insert(times);
        }
        self
    }

    /// Returns a copy in which 2, 3, 11 and 12 get the multiple of the 4 unless they are set.
    #[must_use]
    pub(crate) fn everywhere(&self) -> Multiple {
        let mut all = self.clone();
        if let Some(times) = self.on(Point::Four) {
            for number in Point::ALL.into_iter().filter(|number| !number.is_box()) {
                all.0.entry(number).or_insert(times);
            }
        }
        all
    }

    pub(crate) fn set(&mut self, point: Point, times: u32) {
        self.0.insert(point, times);
    }
}

impl FromStr for Multiple {
    type Err = String;

    fn from_str(text: &str) -> Result<Multiple, String> {
        let number = |t: &str| t.trim().parse::<u32>().map_err(|_| format!("`{t}` is not a multiple"));
        let pairs =
            |times: [u32; 3]| Point::BOX.into_iter().zip([times[0], times[1], times[2], times[2], times[1], times[0]]);
        if text.contains(':') {
            let pair = |item: &str| {
                let (point, times) = item
                    .split_once(':')
                    .ok_or_else(|| format!("`{item}` has no number: expected a form such as 4:3"))?;
                Ok((point.trim().parse::<Point>().map_err(|error| error.to_string())?, number(times)?))
            };
            let pairs: Vec<(Point, u32)> = text.split(',').map(pair).collect::<Result<_, String>>()?;
            let all: BTreeMap<Point, u32> = pairs.iter().copied().collect();
            return if all.len() == pairs.len() {
                Ok(Multiple(all))
            } else {
                Err(format!("`{text}` has a number twice"))
            };
        }
        match text.split('-').collect::<Vec<_>>()[..] {
            [all] => {
                let times = number(all)?;
                Ok(Multiple(Point::BOX.into_iter().map(|point| (point, times)).collect()))
            }
            [outer, middle, inner] => Ok(Multiple(pairs([number(outer)?, number(middle)?, number(inner)?]).collect())),
            _ => Err(format!("`{text}` is not a multiple")),
        }
    }
}

impl fmt::Display for Multiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(|(point, times)| format!("{point}:{times}")).collect();
        f.write_str(&items.join(","))
    }
}
