//! A hand: the phase, the point, the shooter and how the dice go around, without the chips. The table updates it from events, and the simulator from
//! rolls. The rules for how a hand continues are only here.

use crate::command::SeatId;
use crate::refusal::Opens;
use craps_dice::{Throw, Total};
use craps_law::{Make, Window};
use craps_wagers::{Phase, Points};
use serde::{Deserialize, Serialize};

/// The person who rolls the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shooter {
    /// The player at this seat.
    Seat(SeatId),
    /// The dealer, at a table with a shaker.
    Dealer,
}

impl Shooter {
    /// Returns the shooter at a seat. None means the dealer.
    #[must_use]
    pub fn at(seat: Option<SeatId>) -> Shooter {
        seat.map_or(Shooter::Dealer, Shooter::Seat)
    }

    /// Returns the shooter's seat. None for the dealer.
    #[must_use]
    pub const fn seat(self) -> Option<SeatId> {
        match self {
            Shooter::Seat(seat) => Some(seat),
            Shooter::Dealer => None,
        }
    }
}

/// What happens to the dice when rolling for come decisions only ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterDecisions {
    /// The shooter made a line bet and keeps the dice.
    Kept,
    /// Another player made a line bet. The dice go around.
    Passed,
    /// No come bet is left. The shooter keeps the dice only with a line bet.
    KeptWithLineBet,
}

/// The state of the game without chips: phase, shooter and the last roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// Phase of the next roll.
    pub phase: Phase,
    /// The shooter. None while nobody has the dice.
    pub shooter: Option<Shooter>,
    /// The shooter before, or the last player who declined the dice.
    pub last_shooter: Option<Shooter>,
    /// Has the shooter made a come-out roll?
    pub came_out: bool,
    /// Has a point been set since the last seven-out?
    pub point_set: bool,
    /// Total of the last roll. None before the first roll.
    pub previous: Option<Total>,
    /// True after rolling for come decisions only. The shooter had no line bet, and keeps the dice now only with one.
    pub declined: bool,
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::NEW
    }
}

impl Hand {
    /// A new game, before the first roll.
    pub const NEW: Hand = Hand {
        phase: Phase::ComeOut,
        shooter: None,
        last_shooter: None,
        came_out: false,
        point_set: false,
        previous: None,
        declined: false,
    };

    // Changes. Each returns the new hand.

    /// Returns the hand after somebody took the dice to roll in this phase. A player who already had the dice doesn't become a new shooter.
    #[must_use]
    #[inline]
    pub fn taken(self, by: Shooter, phase: Phase) -> Hand {
        let came_out = self.came_out && self.shooter == Some(by);
        Hand { shooter: Some(by), came_out, phase, ..self }
    }

    /// Returns the hand after the shooter gave up the dice.
    #[must_use]
    #[inline]
    pub fn passed(self) -> Hand {
        Hand { last_shooter: self.shooter, shooter: None, ..self }
    }

    /// Returns the hand after a seat declined the dice.
    #[must_use]
    pub fn declined_by(self, seat: SeatId) -> Hand {
        Hand { last_shooter: Some(Shooter::Seat(seat)), ..self }
    }

    /// Returns the hand after rolling for come decisions only ended before the dice decided all come bets.
    #[must_use]
    pub fn decisions_over(self, dice: AfterDecisions) -> Hand {
        let over = Hand { phase: Phase::ComeOut, ..self };
        match dice {
            AfterDecisions::Kept => over,
            AfterDecisions::Passed => over.passed(),
            AfterDecisions::KeptWithLineBet => Hand { declined: true, ..over },
        }
    }

    /// Returns the hand after a roll. Call [`Hand::entered`] next.
    #[must_use]
    pub fn rolled(self, dice: Throw) -> Hand {
        Hand {
            came_out: self.came_out || self.phase == Phase::ComeOut,
            point_set: self.point_set && !self.phase.is_lost_by(dice),
            previous: Some(dice.total()),
            ..self
        }
    }

    /// Returns the hand after the roll was settled, in its next phase.
    #[must_use]
    pub fn entered(self, phase: Phase) -> Hand {
        Hand {
            phase,
            point_set: self.point_set || self.sets_point(phase),
            declined: self.phase == Phase::ComeDecisionOnly && phase == Phase::ComeOut,
            ..self
        }
    }

    // Questions about the hand.

    /// Returns the phase after a roll. Rolling for come decisions only ends when no come bet is left.
    #[must_use]
    pub fn next_phase(self, dice: Throw, points: Points, come_bets_left: bool) -> Phase {
        match self.phase {
            Phase::ComeDecisionOnly if !come_bets_left => Phase::ComeOut,
            phase => phase.after(dice, points),
        }
    }

    /// Is a point set if `next` is the next phase?
    #[must_use]
    pub fn sets_point(self, next: Phase) -> bool {
        matches!((self.phase, next), (Phase::ComeOut, Phase::Point(_)))
    }

    /// Does the shooter give up the dice after this roll? With `on_any_seven` they do after any seven, and the dealer does after every roll.
    #[must_use]
    pub fn is_given_up_by(self, dice: Throw, on_any_seven: bool) -> bool {
        match on_any_seven {
            true => dice.total() == Total::Seven || self.shooter == Some(Shooter::Dealer),
            false => self.phase.is_lost_by(dice),
        }
    }

    /// Is the next come-out roll the first one of its shooter?
    #[must_use]
    #[inline]
    pub fn is_new_shooters(self) -> bool {
        self.shooter.is_none() || !self.came_out
    }

    /// Was the last roll a seven? Also true before the first roll.
    #[must_use]
    #[inline]
    pub fn is_after_seven(self) -> bool {
        self.previous.is_none_or(|total| total == Total::Seven)
    }

    /// Checks whether a bet with this betting window can be made now.
    ///
    /// # Errors
    /// When it can't. The error says when the bet opens.
    pub fn allows(self, make: &Make, bet: WindowFacts) -> Result<(), Opens> {
        let WindowFacts { is_line, is_side, empty } = bet;
        if is_side && self.phase == Phase::ComeDecisionOnly {
            return Err(Opens::OrdinaryRolls);
        }
        let come_out = self.phase == Phase::ComeOut || (self.phase == Phase::ComeDecisionOnly && is_line);
        let new_shooter = come_out && self.is_new_shooters();
        let after_seven = come_out && self.is_after_seven();
        let (open, opens) = match make.window {
            Window::AnyTime | Window::BehindPoint => (true, Opens::PointOn),
            Window::BeforeComeOut => (come_out, Opens::ComeOut),
            Window::PointOn => (matches!(self.phase, Phase::Point(_)), Opens::PointOn),
            Window::NewShooter => (new_shooter, Opens::NewShooter),
            Window::AfterSeven => (after_seven, Opens::AfterSeven),
            Window::NewShooterOrAfterSeven => (new_shooter || after_seven, Opens::NewShooterOrAfterSeven),
            Window::TrackerEmpty => (empty, Opens::NothingRecorded),
            Window::ComeOutTrackerEmpty => (come_out && empty, Opens::ComeOutNothingRecorded),
            Window::UntilPointEstablished => (come_out && empty && !self.point_set, Opens::UntilPoint),
            Window::BeforeFirstComeOut => (new_shooter && empty, Opens::FirstRoll),
            Window::UntilFirstCounted => (empty, Opens::NothingCounted),
        };
        match (open, make.fresh && !empty) {
            (false, _) => Err(opens),
            (true, true) => Err(Opens::MarkersOff),
            (true, false) => Ok(()),
        }
    }

    /// Does the answer of [`Hand::allows`] depend only on the phase?
    #[must_use]
    pub fn allows_by_phase(make: &Make) -> bool {
        let plain =
            matches!(make.window, Window::AnyTime | Window::BehindPoint | Window::BeforeComeOut | Window::PointOn);
        plain && !make.fresh
    }

    // How the dice go around the table.

    /// Returns the seats in the order in which the dice go around: from the left of the last shooter, whose own seat comes last. `seats` must be
    /// sorted.
    pub fn round<'s>(&self, seats: &'s [SeatId]) -> impl Iterator<Item = SeatId> + Clone + use<'s> {
        let last = self.shooter.or(self.last_shooter).and_then(Shooter::seat).unwrap_or_default();
        let (up_to_last, after) = seats.split_at(seats.partition_point(|seat| *seat <= last));
        after.iter().chain(up_to_last).copied()
    }

    /// Returns who shoots next if nobody takes the dice explicitly: the next seat with a bet that a shooter must have. Seats without one count as
    /// declining. While a point is on, the dice go to another seat if there is one, even without such a bet. With a shaker, the dealer rolls if no
    /// player can.
    pub fn next_shooter(
        &self,
        seats: &[SeatId],
        has_shaker: bool,
        may_shoot: impl Fn(SeatId) -> bool,
    ) -> Option<Shooter> {
        let round = self.round(seats);
        let mid_hand = matches!(self.phase, Phase::Point(_)) && !has_shaker;
        // The shaker moves to another player after any seven, but a player alone at the table keeps it.
        let rolled_seven = has_shaker && self.previous == Some(Total::Seven) && seats.len() > 1;
        let gave_up = self.last_shooter.and_then(Shooter::seat).filter(|_| mid_hand || rolled_seven);
        let others = || round.clone().filter(|seat| Some(*seat) != gave_up);
        let willing = others().find(|seat| may_shoot(*seat));
        let anybody = || if mid_hand { others().next().or_else(|| round.clone().next()) } else { None };
        willing.or_else(anybody).map(Shooter::Seat).or(if has_shaker { Some(Shooter::Dealer) } else { None })
    }
}

/// What a betting window needs to know about a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowFacts {
    /// Is it a pass or don't pass bet?
    pub is_line: bool,
    /// Is it a side bet on the shooter's hand?
    pub is_side: bool,
    /// Is the tracker that controls its window empty? Also true if it has no tracker.
    pub empty: bool,
}
