//! The betting window: how long bets stay open after a roll before the shooter can roll again. It is a courtesy of the table, not a law. A player who
//! needs more time says so once, everyone can say that they are ready, and a player who is alone never waits.

use super::{Deed, HostCode, Live};
use craps_table::{SeatId, Shooter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Allowed lengths of a betting window, in seconds.
pub const WINDOW: std::ops::RangeInclusive<u16> = 5..=300;
/// How many times the normal time a player can ask for.
pub const TIMES: [u8; 3] = [1, 2, 4];

/// How much time a player needs, and whether they are ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// How many times the normal time they need: 1, 2 or 4.
    pub times: u8,
    /// They have made their bets for the next roll.
    pub ready: bool,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { times: 1, ready: false }
    }
}

/// A betting window at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Normal length in seconds.
    pub seconds: u16,
    /// The window is this many times as long for the players who are seated now.
    pub times: u8,
    /// Milliseconds until the dice can be rolled.
    pub left: i64,
    /// Seats that aren't ready, not counting the shooter.
    pub waiting_for: Vec<SeatId>,
}

/// The pace of each player, and when the window opened.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Clock {
    pace: BTreeMap<SeatId, Pace>,
    /// In ticks, which only the program that is running understands.
    #[serde(skip)]
    opened_at: i64,
}

impl Clock {
    pub(super) fn paced(&mut self, seat: SeatId, pace: Pace) {
        self.pace.insert(seat, pace);
    }

    /// Forgets a player who left.
    pub(super) fn forget(&mut self, seat: SeatId) {
        self.pace.remove(&seat);
    }

    /// Marks everyone as not ready after a roll.
    pub(super) fn thrown(&mut self) {
        self.pace.values_mut().for_each(|pace| pace.ready = false);
    }
}

impl Live {
    /// Returns how much time a seat needs, and whether it is ready.
    #[must_use]
    pub fn pace(&self, seat: SeatId) -> Pace {
        self.clock.pace.get(&seat).copied().unwrap_or_default()
    }

    /// Returns the betting window at a moment. None if the table has no betting clock.
    #[must_use]
    pub fn window_at(&self, now: i64) -> Option<Window> {
        let seconds = self.opening.window?;
        let seats = || self.ownership.seats().keys().copied();
        let times = seats().map(|seat| self.pace(seat).times).max().unwrap_or(1);
        let shooter = match self.table.shooter().or_else(|| self.table.implied_shooter()) {
            Some(Shooter::Seat(seat)) => Some(seat),
            _ => None,
        };
        let waiting_for: Vec<SeatId> =
            seats().filter(|seat| Some(*seat) != shooter && !self.pace(*seat).ready).collect();
        let whole = i64::from(seconds) * i64::from(times) * 1_000;
        let left = if waiting_for.is_empty() { 0 } else { (self.clock.opened_at + whole - now).clamp(0, whole) };
        Some(Window { seconds, times, left, waiting_for })
    }

    /// Returns when bets opened, in ticks: at the last roll, or when the server began to serve this table.
    #[must_use]
    pub fn opened_at(&self) -> i64 {
        self.clock.opened_at
    }

    /// Opens the betting window at `at`. The caller supplies the time, in ticks.
    pub fn open_from(&mut self, at: i64) {
        self.clock.opened_at = at;
    }

    /// Checks that a player can roll at this moment.
    ///
    /// # Errors
    /// While other players can still bet.
    pub fn may_throw_at(&self, now: i64) -> Result<(), HostCode> {
        match self.window_at(now) {
            Some(Window { left, .. }) if left > 0 => Err(HostCode::BetsOpen { seconds: (left + 999) / 1_000 }),
            _ => Ok(()),
        }
    }

    /// Decides a change of a player's pace.
    ///
    /// # Errors
    /// When the table has no betting clock, or `times` isn't allowed.
    pub fn take_pace(&self, pace: Pace) -> Result<Deed, HostCode> {
        if self.opening.window.is_none() {
            return Err(HostCode::NoClock);
        }
        if !TIMES.contains(&pace.times) {
            return Err(HostCode::BadPace { found: pace.times });
        }
        Ok(Deed::Paced(pace))
    }
}
