//! Finds where hands begin and end in a log. A hand ends with a seven-out, or when an order between rolls passes the dice after at least one roll.
//! At a table with a shaker, a seven on the come-out roll also passes the dice, but it doesn't end the hand.

use super::{Deed, faces};
use craps_table::Event;
use craps_wagers::Phase;
use serde::{Deserialize, Serialize};

/// Counts hands row by row. If the dice come from secrets, these are also the numbers of the secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandCount {
    /// Number of the hand that is being played, from 1.
    pub number: u32,
    /// How many rolls it has had.
    pub throws: u32,
}

impl Default for HandCount {
    fn default() -> HandCount {
        HandCount { number: 1, throws: 0 }
    }
}

impl HandCount {
    /// Counts the next row; `phase` is the table's phase before it. Returns whether the row ends the hand.
    pub fn ends<B>(&mut self, phase: Phase, deed: &Deed<B>) -> bool {
        let over = match deed {
            Deed::Thrown { faces: dice, .. } => {
                self.throws += 1;
                faces(*dice).is_some_and(|dice| phase.is_lost_by(dice))
            }
            Deed::Ordered { events, .. } | Deed::Undone { events, .. } => {
                self.throws > 0 && events.iter().any(|event| matches!(event, Event::DicePassed))
            }
            _ => false,
        };
        if over {
            *self = HandCount { number: self.number.saturating_add(1), throws: 0 };
        }
        over
    }
}
