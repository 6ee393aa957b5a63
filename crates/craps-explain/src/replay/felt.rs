//! What stands on the felt, and what has changed there since the roll before.

use super::view::{is_not, is_zero};
use crate::view::{AfterWinView, BetView, CalledView, gathered};
use craps_table::{Bet, SeatId, SlotId, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// A bet that is not as it was. What is left out is as usual.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FeltChange {
    /// Whose.
    pub seat: SeatId,
    /// Its code.
    pub bet: String,
    /// What is at risk now; nothing where the bet is gone.
    pub stake: i64,
    /// A coupon that rides on it.
    #[serde(skip_serializing_if = "is_zero")]
    pub coupon: i64,
    /// Commission paid with it.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// What it was called, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<CalledView>,
    /// What becomes of it when it wins, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_win: Option<AfterWinView>,
    /// What it has gathered: the marks that are lit for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gathered: Vec<String>,
    /// The next throw leaves it alone.
    #[serde(skip_serializing_if = "is_not")]
    pub off: bool,
}

impl FeltChange {
    /// A bet as it stands now; gone where none does.
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

/// A bet as far as it is shown, and whether it is off.
pub(super) type Stands = (Bet, bool);

/// Everything on the felt.
pub(super) fn felt(table: &Table) -> BTreeMap<(SeatId, SlotId), Stands> {
    let shown = |seat: SeatId, slot: SlotId, bet: &Bet| {
        // Whether it has seen a throw or a point is the table's to know.
        let bet = Bet { thrown: false, point_set: false, ..*bet };
        ((seat, slot), (bet, !table.works(seat, slot)))
    };
    let seats = table.seats();
    seats.flat_map(|(seat, player)| player.bets.standing().map(move |(slot, bet)| shown(seat, slot, bet))).collect()
}

/// What is not as it was.
pub(super) fn changes(
    table: &Table,
    then: &BTreeMap<(SeatId, SlotId), Stands>,
    now: &BTreeMap<(SeatId, SlotId), Stands>,
) -> Vec<FeltChange> {
    let gone = then.keys().filter(|at| !now.contains_key(at)).map(|at| (*at, None));
    let other = now.iter().filter(|(at, stands)| then.get(at) != Some(stands)).map(|(at, stands)| (*at, Some(stands)));
    gone.chain(other).map(|(at, stands)| FeltChange::new(table, at, stands)).collect()
}
