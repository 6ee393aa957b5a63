//! What makes settling fast, behind one door. Nothing here says how the game goes: effects are expanded once from the wagers' own steps, and
//! a hand's rolls from the one fold of a hand. A reader of the table does not need any of it.

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
