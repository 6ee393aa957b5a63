//! Lookup tables that make settling fast. They contain no rules of the game: the effects of rolls are computed once from the wagers' own steps, and
//! the rolls of a hand from [`crate::Hand`]. You can understand the table without this module.

mod by_heart;
mod dealer;
mod effects;
mod fronts;
mod rolls;
mod seat_bets;

pub(crate) use by_heart::paid;
pub use dealer::Dealer;
pub(crate) use effects::Effects;
pub use effects::RollEffects;
pub use fronts::{Bare, FrontGroup, Fronts};
pub use rolls::{HandRoll, HandRolls, PHASE_ROOM, QuickHand, phase_index};
pub use seat_bets::SeatBets;
