//! A hand: the phase, the point, the shooter and how the dice go round, without the chips. The table folds it from events, and the simulator
//! folds it roll by roll; nothing else says how a hand goes on.

use crate::command::SeatId;
use crate::refusal::Opens;
use craps_dice::{Throw, Total};
use craps_law::{Make, Window};
use craps_wagers::{Phase, Points};
use serde::{Deserialize, Serialize};

/// Who throws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shooter {
    /// A player.
    Seat(SeatId),
    /// The dealer, where a shaker lets the dealer.
    Dealer,
}

impl Shooter {
    /// The one who takes the dice at a seat; no seat is the dealer.
    #[must_use]
    pub fn at(seat: Option<SeatId>) -> Shooter {
        seat.map_or(Shooter::Dealer, Shooter::Seat)
    }

    /// The seat of a player.
    #[must_use]
    pub const fn seat(self) -> Option<SeatId> {
        match self {
            Shooter::Seat(seat) => Some(seat),
            Shooter::Dealer => None,
        }
    }
}

/// What becomes of the dice when rolling for come decisions only ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterDecisions {
    /// The shooter bet the line and keeps the dice.
    Kept,
    /// Somebody else bet the line: the dice go round.
    Passed,
    /// No come bet is left: the shooter keeps the dice only with a line bet.
    KeptWithLineBet,
}

/// The game at a table without its chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// Where the game stands.
    pub phase: Phase,
    /// Who has the dice.
    pub shooter: Option<Shooter>,
    /// Who had them before.
    pub last_shooter: Option<Shooter>,
    /// Has the shooter thrown a come-out of their own?
    pub came_out: bool,
    /// Has a point been set since the last seven-out?
    pub point_set: bool,
    /// The total of the roll before.
    pub previous: Option<Total>,
    /// Rolling for come decisions only is over: its shooter did not want the line, and has the dice only with a line bet now.
    pub declined: bool,
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::NEW
    }
}

impl Hand {
    /// Nobody has thrown yet.
    pub const NEW: Hand = Hand {
        phase: Phase::ComeOut,
        shooter: None,
        last_shooter: None,
        came_out: false,
        point_set: false,
        previous: None,
        declined: false,
    };

    // What happens to it.

    /// Somebody has the dice and throws in this phase. A player who goes on with the dice is no new shooter.
    #[must_use]
    #[inline]
    pub fn taken(self, by: Shooter, phase: Phase) -> Hand {
        let came_out = self.came_out && self.shooter == Some(by);
        Hand { shooter: Some(by), came_out, phase, ..self }
    }

    /// The shooter gave up the dice.
    #[must_use]
    #[inline]
    pub fn passed(self) -> Hand {
        Hand { last_shooter: self.shooter, shooter: None, ..self }
    }

    /// A seat did not want the dice that were offered to it.
    #[must_use]
    pub fn declined_by(self, seat: SeatId) -> Hand {
        Hand { last_shooter: Some(Shooter::Seat(seat)), ..self }
    }

    /// Rolling for come decisions only ended before the dice decided every come bet.
    #[must_use]
    pub fn decisions_over(self, dice: AfterDecisions) -> Hand {
        let over = Hand { phase: Phase::ComeOut, ..self };
        match dice {
            AfterDecisions::Kept => over,
            AfterDecisions::Passed => over.passed(),
            AfterDecisions::KeptWithLineBet => Hand { declined: true, ..over },
        }
    }

    /// The dice came to rest.
    #[must_use]
    pub fn rolled(self, dice: Throw) -> Hand {
        Hand {
            came_out: self.came_out || self.phase == Phase::ComeOut,
            point_set: self.point_set && !self.phase.is_lost_by(dice),
            previous: Some(dice.total()),
            ..self
        }
    }

    /// The roll is settled, and this phase follows.
    #[must_use]
    pub fn entered(self, phase: Phase) -> Hand {
        Hand {
            phase,
            point_set: self.point_set || self.sets_point(phase),
            declined: self.phase == Phase::ComeDecisionOnly && phase == Phase::ComeOut,
            ..self
        }
    }

    // What is to be seen.

    /// The phase that follows a roll. Rolling for come decisions only is over when no come bet is left.
    #[must_use]
    pub fn next_phase(self, dice: Throw, points: Points, come_bets_left: bool) -> Phase {
        match self.phase {
            Phase::ComeDecisionOnly if !come_bets_left => Phase::ComeOut,
            phase => phase.after(dice, points),
        }
    }

    /// Is a point set if this phase follows?
    #[must_use]
    pub fn sets_point(self, next: Phase) -> bool {
        matches!((self.phase, next), (Phase::ComeOut, Phase::Point(_)))
    }

    /// Does the shooter give up the dice after this roll? With a shaker it may be any seven, and the dealer throws once.
    #[must_use]
    pub fn is_given_up_by(self, dice: Throw, on_any_seven: bool) -> bool {
        match on_any_seven {
            true => dice.total() == Total::Seven || self.shooter == Some(Shooter::Dealer),
            false => self.phase.is_lost_by(dice),
        }
    }

    /// Is the next come-out the first of its shooter?
    #[must_use]
    #[inline]
    pub fn is_new_shooters(self) -> bool {
        self.shooter.is_none() || !self.came_out
    }

    /// Was the roll before a seven, or was there none?
    #[must_use]
    #[inline]
    pub fn is_after_seven(self) -> bool {
        self.previous.is_none_or(|total| total == Total::Seven)
    }

    /// Is this the moment at which such a bet may be made?
    ///
    /// # Errors
    /// When it is not: when the bet opens.
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

    /// Does what [`Hand::allows`] says of such a bet hang on nothing but the phase?
    #[must_use]
    pub fn allows_by_phase(make: &Make) -> bool {
        let plain =
            matches!(make.window, Window::AnyTime | Window::BehindPoint | Window::BeforeComeOut | Window::PointOn);
        plain && !make.fresh
    }

    // How the dice go round.

    /// The seats, which are in order, from the left of the last shooter round the table. The last shooter's own comes last.
    pub fn round<'s>(&self, seats: &'s [SeatId]) -> impl Iterator<Item = SeatId> + Clone + use<'s> {
        let last = self.shooter.or(self.last_shooter).and_then(Shooter::seat).unwrap_or_default();
        let (up_to_last, after) = seats.split_at(seats.partition_point(|seat| *seat <= last));
        after.iter().chain(up_to_last).copied()
    }

    /// Who throws next when nobody was named: the next seat round the table that has the bet a shooter must have, for the others declined.
    /// In mid-hand the dice go to another seat where there is one, with such a bet or without. With a shaker the dealer throws if nobody
    /// else does.
    pub fn next_shooter(
        &self,
        seats: &[SeatId],
        has_shaker: bool,
        may_shoot: impl Fn(SeatId) -> bool,
    ) -> Option<Shooter> {
        let round = self.round(seats);
        let mid_hand = matches!(self.phase, Phase::Point(_)) && !has_shaker;
        // A shaker is given up after any seven, so another has it next; somebody alone at the table goes on.
        let rolled_seven = has_shaker && self.previous == Some(Total::Seven) && seats.len() > 1;
        let gave_up = self.last_shooter.and_then(Shooter::seat).filter(|_| mid_hand || rolled_seven);
        let others = || round.clone().filter(|seat| Some(*seat) != gave_up);
        let willing = others().find(|seat| may_shoot(*seat));
        let anybody = || if mid_hand { others().next().or_else(|| round.clone().next()) } else { None };
        willing.or_else(anybody).map(Shooter::Seat).or(if has_shaker { Some(Shooter::Dealer) } else { None })
    }
}

/// What a betting window asks of the bet itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowFacts {
    /// Is it a pass or don't pass bet?
    pub is_line: bool,
    /// Is it a side bet on what the shooter does?
    pub is_side: bool,
    /// Has the tracker that governs its window recorded nothing?
    pub empty: bool,
}
