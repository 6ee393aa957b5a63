//! The betting window of a table: for how long bets stay open after a throw before whoever has the dice may throw again. It is the table's own
//! courtesy, not a law: somebody who needs longer says so once, everybody may say that they are ready, and alone nobody waits.

use super::{Deed, Live};
use craps_table::{Refusal, SeatId, Shooter};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How short and how long a betting window is, in seconds.
pub const WINDOW: std::ops::RangeInclusive<u16> = 5..=300;
/// So many times as long as the others somebody may need.
pub const TIMES: [u8; 3] = [1, 2, 4];

/// How a player takes the betting window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// So many times as long they need.
    pub times: u8,
    /// They have bet what they want to before the next throw.
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
    /// How long it is, in seconds, where nobody needs longer.
    pub seconds: u16,
    /// So many times as long it is for those who sit here.
    pub times: u8,
    /// For how many milliseconds nobody throws.
    pub left: i64,
    /// Who is not ready, but for whoever has the dice.
    pub waiting_for: Vec<SeatId>,
}

/// How players take the betting window, and since when it is open.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    pace: BTreeMap<SeatId, Pace>,
    opened_at: i64,
}

impl Clock {
    pub(super) fn paced(&mut self, seat: SeatId, pace: Pace) {
        self.pace.insert(seat, pace);
    }

    /// A player left.
    pub(super) fn forget(&mut self, seat: SeatId) {
        self.pace.remove(&seat);
    }

    /// Nobody is ready for the next throw yet.
    pub(super) fn thrown(&mut self) {
        self.pace.values_mut().for_each(|pace| pace.ready = false);
    }
}

impl Live {
    /// How a seat takes the betting window.
    #[must_use]
    pub fn pace(&self, seat: SeatId) -> Pace {
        self.clock.pace.get(&seat).copied().unwrap_or_default()
    }

    /// The betting window at a moment, where the table has one.
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

    /// When bets were opened: the time of the last throw, or when this table was last begun to be served.
    #[must_use]
    pub fn opened_at(&self) -> i64 {
        self.clock.opened_at
    }

    /// Bets are open from now on. What time it is, is for whoever has a clock to say.
    pub fn open_from(&mut self, at: i64) {
        self.clock.opened_at = at;
    }

    /// May a player have the dice thrown at this moment?
    ///
    /// # Errors
    /// While others may still bet.
    pub fn may_throw_at(&self, now: i64) -> Result<(), Refusal> {
        match self.window_at(now) {
            Some(Window { left, .. }) if left > 0 => {
                let seconds = (left + 999) / 1_000;
                let plural = if seconds == 1 { "" } else { "s" };
                let words =
                    format!("Bets are open for another {seconds} second{plural}, or until everybody is ready to roll.");
                Err(self.refusal("bets-open", &words))
            }
            _ => Ok(()),
        }
    }

    /// A player says how they take the window.
    ///
    /// # Errors
    /// When the table has none, or nobody may take so long.
    pub fn take_pace(&self, pace: Pace) -> Result<Deed, Refusal> {
        if self.opening.window.is_none() {
            return Err(self.refusal("no-clock", "This table has no betting clock."));
        }
        if !TIMES.contains(&pace.times) {
            let words = format!("times: expected one of 1, 2, 4, found {}", pace.times);
            return Err(self.refusal("bad-pace", &words));
        }
        Ok(Deed::Paced(pace))
    }
}
