//! The bets on the felt, and what changed there since the roll before.

use super::view::{is_not, is_zero};
use crate::view::{AfterWinView, BetView, CalledView, gathered};
use craps_table::{Bet, SeatId, SlotId, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// A bet that changed. Fields that are left out have their defaults. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FeltChange {
    /// The player's seat.
    pub seat: SeatId,
    /// Code of the bet, such as `PL6`.
    pub bet: String,
    /// Amount on the bet now. Zero if the bet is gone.
    pub stake: i64,
    /// Value of the coupons on it.
    #[serde(skip_serializing_if = "is_zero")]
    pub coupon: i64,
    /// Commission that has been paid up front.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// Whether the player turned it on or off. None for the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<CalledView>,
    /// What happens to it when it wins. None for the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_win: Option<AfterWinView>,
    /// Marks that are lit for a side bet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gathered: Vec<String>,
    /// True if the bet is off for the next roll.
    #[serde(skip_serializing_if = "is_not")]
    pub off: bool,
}

impl FeltChange {
    /// Creates the change for a bet as it is now. `stands` is None if the bet is gone.
    fn new(table: &Table, (seat, slot): (SeatId, SlotId), stands: Option<&Stands>) -> FeltChange {
        let code = &table.board().slot(slot).code;
        let gone = (Bet::default(), false);
        let (bet, off) = stands.unwrap_or(&gone);
        let view = BetView::new(code, bet);
        FeltChange {
            seat,
            bet: view.bet,
            stake: view.stake,
            coupon: view.coupon,
            commission: view.commission,
            called: Some(view.called).filter(|called| *called != CalledView::Standard),
            after_win: Some(view.after_win).filter(|after| *after != AfterWinView::Usual),
            gathered: gathered(table, slot, bet),
            off: *off,
        }
    }
}

/// A bet without its hidden fields, and whether it is off.
pub(super) type Stands = (Bet, bool);

/// Returns all bets on the felt.
pub(super) fn felt(table: &Table) -> BTreeMap<(SeatId, SlotId), Stands> {
    let shown = |seat: SeatId, slot: SlotId, bet: &Bet| {
        // These two fields are only for the table and aren't shown.
        let bet = Bet { thrown: false, point_set: false, ..*bet };
        ((seat, slot), (bet, !table.works(seat, slot)))
    };
    let seats = table.seats();
    seats.flat_map(|(seat, player)| player.bets.standing().map(move |(slot, bet)| shown(seat, slot, bet))).collect()
}

/// Returns the bets that changed between `then` and `now`.
pub(super) fn changes(
    table: &Table,
    then: &BTreeMap<(SeatId, SlotId), Stands>,
    now: &BTreeMap<(SeatId, SlotId), Stands>,
) -> Vec<FeltChange> {
    let gone = then.keys().filter(|at| !now.contains_key(at)).map(|at| (*at, None));
    let other = now.iter().filter(|(at, stands)| then.get(at) != Some(stands)).map(|(at, stands)| (*at, Some(stands)));
    gone.chain(other).map(|(at, stands)| FeltChange::new(table, at, stands)).collect()
}
