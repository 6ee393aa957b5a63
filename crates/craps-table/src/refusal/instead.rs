//! What the table would take instead of what it refused.

use super::{BetAt, Opens};
use crate::command::{Command, Manner, SeatId};
use crate::decide::Actor;
use crate::slots::SlotId;
use craps_money::Stake;

/// Something the table would take instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// Bet this much.
    Bet {
        /// Who.
        seat: SeatId,
        /// Where.
        slot: SlotId,
        /// On what.
        bet: BetAt,
        /// How much to put down.
        amount: Stake,
        /// Does a bet stand there already?
        adds: bool,
    },
    /// Take this much down.
    TakeDown {
        /// Who.
        seat: SeatId,
        /// Where.
        slot: SlotId,
        /// What.
        bet: BetAt,
        /// How much.
        amount: Stake,
        /// Is that the whole bet?
        all: bool,
    },
    /// Wait until the bet opens.
    Wait(Opens),
}

impl Instead {
    /// The command that does it and who gives it; none for waiting.
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

    /// What it does, for programs.
    #[must_use]
    pub const fn op(&self) -> &'static str {
        match self {
            Instead::Bet { .. } => "bet",
            Instead::TakeDown { .. } => "down",
            Instead::Wait(_) => "wait",
        }
    }

    /// On which bet; none for waiting.
    #[must_use]
    pub const fn bet(&self) -> Option<BetAt> {
        match self {
            Instead::Bet { bet, .. } | Instead::TakeDown { bet, .. } => Some(*bet),
            Instead::Wait(_) => None,
        }
    }

    /// How much; none for waiting.
    #[must_use]
    pub const fn amount(&self) -> Option<Stake> {
        match self {
            Instead::Bet { amount, .. } | Instead::TakeDown { amount, .. } => Some(*amount),
            Instead::Wait(_) => None,
        }
    }
}
