use crate::Points;
use craps_dice::{Point, Throw, Total};
use serde::{Deserialize, Serialize};

/// Where the game stands before a throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No point is set: the next throw is a come-out.
    ComeOut,
    /// This point is set.
    Point(Point),
    /// Throws without a line bet, only to decide come and don't come bets that are left.
    ComeDecisionOnly,
}

impl Phase {
    /// The phase after a valid throw.
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

    /// Does the throw make the point?
    #[must_use]
    pub fn is_made_by(self, throw: Throw) -> bool {
        matches!(self, Phase::Point(point) if point.total() == throw.total())
    }

    /// Is the throw a loser seven: a seven while a point is set?
    #[must_use]
    pub fn is_lost_by(self, throw: Throw) -> bool {
        matches!(self, Phase::Point(_)) && throw.total() == Total::Seven
    }
}
