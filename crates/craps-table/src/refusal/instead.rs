//! Alternatives to a refused command.

use super::{BetAt, Opens};
use crate::command::{Command, Manner, SeatId};
use crate::decide::Actor;
use crate::slots::SlotId;
use craps_money::Stake;

/// Something the table would accept instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// Bet this much.
    Bet {
        /// The player's seat.
        seat: SeatId,
        /// The slot of the bet.
        slot: SlotId,
        /// The bet as named in sentences.
        bet: BetAt,
        /// Amount to put down, not counting what is already up.
        amount: Stake,
        /// True if this adds to a bet that is already up.
        adds: bool,
    },
    /// Take this much down.
    TakeDown {
        /// The player's seat.
        seat: SeatId,
        /// The slot of the bet.
        slot: SlotId,
        /// The bet as named in sentences.
        bet: BetAt,
        /// Amount to take down.
        amount: Stake,
        /// True if that is the whole bet.
        all: bool,
    },
    /// Wait until the bet can be made.
    Wait(Opens),
}

impl Instead {
    /// Returns the command and the actor to give it. None for waiting.
    #[must_use]
    pub fn command(&self) -> Option<(Actor, Command)> {
        match self {
            Instead::Bet { seat, slot, amount, .. } => Some((
                Actor::player(*seat),
                Command::Bet { seat: *seat, slot: *slot, amount: *amount, manner: Manner::default() },
            )),
            Instead::TakeDown { seat, slot, amount, .. } => {
                Some((Actor::player(*seat), Command::TakeDown { seat: *seat, slot: *slot, amount: *amount }))
            }
            Instead::Wait(_) => None,
        }
    }

    /// Returns the kind of alternative, for programs: `bet`, `down` or `wait`.
    #[must_use]
    pub const fn op(&self) -> &'static str {
        match self {
            Instead::Bet { .. } => "bet",
            Instead::TakeDown { .. } => "down",
            Instead::Wait(_) => "wait",
        }
    }

    /// Returns the bet. None for waiting.
    #[must_use]
    pub const fn bet(&self) -> Option<BetAt> {
        match self {
            Instead::Bet { bet, .. } | Instead::TakeDown { bet, .. } => Some(*bet),
            Instead::Wait(_) => None,
        }
    }

    /// Returns the amount. None for waiting.
    #[must_use]
    pub const fn amount(&self) -> Option<Stake> {
        match self {
            Instead::Bet { amount, .. } | Instead::TakeDown { amount, .. } => Some(*amount),
            Instead::Wait(_) => None,
        }
    }
}
