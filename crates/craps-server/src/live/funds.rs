//! Where the chips and coupons on a rail come from, and where they go. At a practice table the server mints them, up to a limit. At other tables the
//! staff hands them out, or they come from the player's own purse.

use super::purse::{Moved, NotMoved};
use super::{By, Deed, Live};
use craps_money::Money;
use craps_table::{Event, Role, SeatId, SlotId, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Practice chips that one person can bring to a table, less what they took away, in cents.
pub const PRACTICE_MOST: Money = Money::from_minor(100_000_000);

/// Chips and coupons that a row brought to a rail, or took away from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Funds {
    /// The player's seat.
    pub seat: SeatId,
    /// Where they came from, or went.
    pub from: Source,
    /// Value of the chips. With a minus they were taken away.
    pub chips: Money,
    /// Coupons that were put on bets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coupons: Vec<Money>,
    /// Coupons that were taken back from bets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub back: Vec<Money>,
}

/// Where chips and coupons come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// The server made them for practice.
    Practice,
    /// The person of the staff who did the row handed them out.
    Staff,
    /// The purse of the player.
    Purse {
        /// Id of the account.
        who: String,
        /// Number of the row in the purse's log.
        row: u64,
    },
}

/// What a deed moves between a rail and the world outside of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// The player's seat.
    pub seat: SeatId,
    /// Value of the chips that come. With a minus they go.
    pub chips: Money,
    /// Coupons that are put on bets.
    pub coupons: Vec<Money>,
    /// Coupons that are taken back from bets.
    pub back: Vec<Money>,
}

/// Who has to pay for a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payer {
    /// The server, with practice chips.
    Practice,
    /// The staff.
    Staff,
    /// The purse of this account.
    Purse(String),
}

/// Why chips or coupons can't come to a rail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotFunded {
    /// The purse doesn't have it.
    #[error("{0} A cashier can add to it.")]
    Purse(NotMoved),
    /// Guests have no purse.
    #[error("At this table chips come from an account. Sign in, or buy chips from the staff.")]
    NoPurse,
    /// There are enough practice chips.
    #[error("You can bring at most ${PRACTICE_MOST} in practice chips to a table.")]
    Practice,
    /// A bet has a coupon already.
    #[error("There is a coupon on this bet already.")]
    OneCoupon,
}

/// Returns the coupons on the layout, by bet.
fn coupons(table: &Table) -> BTreeMap<(SeatId, SlotId), Money> {
    let of = |(id, seat): (SeatId, &craps_table::Seat)| {
        let standing = seat.bets.standing().filter(|(_, bet)| bet.coupon.minor() > 0);
        standing.map(|(slot, bet)| ((id, slot), bet.coupon)).collect::<Vec<_>>()
    };
    table.seats().flat_map(of).collect()
}

impl Live {
    /// Returns what a deed moves between a rail and the world outside. None if it moves nothing.
    ///
    /// # Errors
    /// When it puts a second coupon on a bet.
    pub fn flow(&self, by: &By, deed: &Deed) -> Result<Option<Flow>, NotFunded> {
        if !self.may_flow(deed) {
            return Ok(None);
        }
        let mut after = self.clone();
        after.apply(self.seq + 1, "", &super::Entry::new(by.clone(), deed.clone()));
        let (before, now) = (self.table.accounts().came_in, after.table.accounts().came_in);
        let chips = now.minus(before).unwrap_or_default();
        let (was, is) = (coupons(&self.table), coupons(&after.table));
        let mut flow = Flow { seat: 0, chips, coupons: Vec::new(), back: Vec::new() };
        let mut seats: Vec<SeatId> = deed.events().iter().filter_map(brings).collect();
        for (place, value) in &is {
            match was.get(place) {
                Some(before) if before == value => {}
                Some(_) => return Err(NotFunded::OneCoupon),
                None => {
                    seats.push(place.0);
                    flow.coupons.push(*value);
                }
            }
        }
        for (place, value) in was.iter().filter(|(place, _)| !is.contains_key(*place)) {
            seats.push(place.0);
            flow.back.push(*value);
        }
        if let Deed::Undone { seat, .. } = deed {
            seats.push(*seat);
        }
        flow.seat = seats.first().copied().unwrap_or_default();
        let nothing = chips.minor() == 0 && flow.coupons.is_empty() && flow.back.is_empty();
        Ok((!nothing).then_some(flow))
    }

    /// Can a deed move chips or coupons between a rail and the world outside? Most can't, and then nothing has to be tried.
    fn may_flow(&self, deed: &Deed) -> bool {
        let has_coupon = |seat: SeatId, slot: SlotId| {
            let bet = self.table.seat(seat).and_then(|seat| seat.bets.get(slot));
            bet.is_some_and(|bet| bet.coupon.minor() > 0)
        };
        let moves = |event: &Event| match event {
            Event::BetPlaced { bet, .. } => bet.coupon.minor() > 0,
            Event::TakenDown { seat, slot, .. } => has_coupon(*seat, *slot),
            event => brings(event).is_some(),
        };
        match deed {
            Deed::Ordered { events, .. } | Deed::Approved { events, .. } => events.iter().any(moves),
            Deed::Undone { rows, .. } => self.undoes(rows, moves),
            // A roll decides bets. What it does with coupons stays at the table.
            _ => false,
        }
    }

    /// Returns who pays for what a person moves at a seat, or gets it. The staff can record what players do, and then the staff pays. What goes out
    /// belongs to the player, also if the staff records it.
    ///
    /// # Errors
    /// When a player has no purse.
    pub fn payer(&self, by: &By, flow: &Flow) -> Result<Payer, NotFunded> {
        if self.opening.practice {
            return Ok(Payer::Practice);
        }
        let seat = flow.seat;
        let goes_out = flow.chips.minor() < 0 || !flow.back.is_empty();
        if let (Some(owner), true) = (self.owner(seat).filter(|owner| owner.starts_with("a:")), goes_out) {
            return Ok(Payer::Purse(owner.to_owned()));
        }
        let joins = self.table.seat(seat).is_none();
        let own = by.actor.role == Role::Player && (joins || self.owner(seat) == by.who.as_deref());
        match &by.who {
            Some(who) if own && who.starts_with("a:") => Ok(Payer::Purse(who.clone())),
            _ if own => Err(NotFunded::NoPurse),
            _ => Ok(Payer::Staff),
        }
    }

    /// Checks that practice chips stay within the limit.
    ///
    /// # Errors
    /// When the person would have brought more than that.
    pub fn is_within_practice(&self, by: &By, flow: &Flow) -> Result<(), NotFunded> {
        let owner = self.owner(flow.seat).or(by.who.as_deref());
        let brought = owner.and_then(|who| self.brought_by(who)).unwrap_or_default();
        let given: i64 = flow.coupons.iter().map(|coupon| coupon.minor()).sum();
        let sum = i128::from(brought.minor()) + i128::from(flow.chips.minor()) + i128::from(given);
        let comes = flow.chips.minor() > 0 || given > 0;
        if comes && sum > i128::from(PRACTICE_MOST.minor()) { Err(NotFunded::Practice) } else { Ok(()) }
    }
}

impl Flow {
    /// Returns the movement of the player's purse.
    #[must_use]
    pub fn of_purse(&self, table: &str, row: u64) -> Moved {
        let chips = Money::from_minor(self.chips.minor().saturating_neg());
        Moved::Table { table: table.to_owned(), row, chips, used: self.coupons.clone(), back: self.back.clone() }
    }

    /// Returns the same as a part of a row.
    #[must_use]
    pub fn funds(self, from: Source) -> Funds {
        let Flow { seat, chips, coupons, back } = self;
        Funds { seat, from, chips, coupons, back }
    }
}

/// Returns the seat to which an event brings chips, or from which it takes them away.
fn brings(event: &Event) -> Option<SeatId> {
    match event {
        Event::Joined { seat, money, .. } if money.minor() != 0 => Some(*seat),
        Event::BoughtIn { seat, .. } | Event::Left { seat } => Some(*seat),
        _ => None,
    }
}
