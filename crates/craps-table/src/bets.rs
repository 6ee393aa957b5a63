//! Bets, and what players say of them.

use craps_money::Money;
use craps_wagers::Progress;
use serde::{Deserialize, Serialize};

/// What a player has called a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Called {
    /// Nothing: it works as the book has it.
    #[default]
    Standard,
    /// On.
    On,
    /// Off.
    Off,
}

/// What a player wants done with a bet that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterWin {
    /// What is usual for such a bet.
    #[default]
    Usual,
    /// Leave it up.
    Up,
    /// Take it down.
    Down,
}

/// One player's chips on one wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bet {
    /// What is at risk.
    pub stake: Money,
    /// A match-play coupon that rides on it.
    pub coupon: Money,
    /// Commission paid with it.
    pub commission: Money,
    /// What it has gathered; only side bets gather anything beyond their slot.
    pub progress: Progress,
    /// What it was called.
    pub called: Called,
    /// What becomes of it when it wins.
    pub after_win: AfterWin,
    /// Has there been a throw since it was made?
    pub thrown: bool,
    /// Has a point been set since it was made? Told only of bets that could be taken down until then.
    pub point_set: bool,
}

impl Bet {
    /// A bet of which there is nothing to say but what is at stake.
    #[must_use]
    pub fn of(stake: Money) -> Bet {
        Bet { stake, ..Bet::default() }
    }
}
