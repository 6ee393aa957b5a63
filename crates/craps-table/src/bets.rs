//! Bets, and the instructions that players give for them.

use craps_money::Money;
use craps_wagers::Progress;
use serde::{Deserialize, Serialize};

/// Whether a player has turned a bet on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Called {
    /// Neither. The bet works by default, as the book says.
    #[default]
    Standard,
    /// Turned on for the come-out roll.
    On,
    /// Turned off.
    Off,
}

/// What to do with a bet when it wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterWin {
    /// The default for the wager.
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
    /// Amount on the bet.
    pub stake: Money,
    /// Value of the match-play coupons on the bet.
    pub coupon: Money,
    /// Commission that has been paid up front.
    pub commission: Money,
    /// Progress of a side bet, such as the points made so far. Other bets have none.
    pub progress: Progress,
    /// Whether the player turned it on or off.
    pub called: Called,
    /// What to do with it when it wins.
    pub after_win: AfterWin,
    /// Has there been a roll since it was made? Recorded only for bets with progress.
    pub thrown: bool,
    /// Has a point been set since it was made? Recorded only for bets that could be taken down until then.
    pub point_set: bool,
}

impl Bet {
    /// Creates a plain bet of this amount.
    #[must_use]
    pub fn of(stake: Money) -> Bet {
        Bet { stake, ..Bet::default() }
    }
}
