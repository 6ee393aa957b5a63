use crate::Points;
use craps_dice::{Point, Throw, Total};
use serde::{Deserialize, Serialize};

/// The phase of the game before a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No point is set, and the next roll is a come-out roll.
    ComeOut,
    /// This point is set.
    Point(Point),
    /// Nobody has a line bet. The rolls only decide the come and don't come bets that are left.
    ComeDecisionOnly,
}

impl Phase {
    /// Returns the phase after a valid roll.
    ///
    /// ```
    /// use craps_dice::Point;
    /// use craps_wagers::{Phase, Points};
    /// let six = Phase::ComeOut.after("4-2".parse()?, Points::Box);
    /// assert_eq!(six, Phase::Point(Point::Six));
    /// assert_eq!(six.after("4-3".parse()?, Points::Box), Phase::ComeOut);
    /// assert_eq!(Phase::ComeOut.after("1-1".parse()?, Points::Box), Phase::ComeOut);
    /// # Ok::<(), craps_dice::NotDice>(())
    /// ```
    #[must_use]
    pub fn after(self, throw: Throw, points: Points) -> Phase {
        match self {
            Phase::ComeOut => points.set_by(throw.total()).map_or(Phase::ComeOut, Phase::Point),
            Phase::Point(_) if self.is_made_by(throw) || self.is_lost_by(throw) => Phase::ComeOut,
            Phase::Point(_) | Phase::ComeDecisionOnly => self,
        }
    }

    /// Returns true if the roll makes the point.
    #[must_use]
    pub fn is_made_by(self, throw: Throw) -> bool {
        matches!(self, Phase::Point(point) if point.total() == throw.total())
    }

    /// Returns true if the roll is a seven-out: a seven while a point is set.
    #[must_use]
    pub fn is_lost_by(self, throw: Throw) -> bool {
        matches!(self, Phase::Point(_)) && throw.total() == Total::Seven
    }
}
