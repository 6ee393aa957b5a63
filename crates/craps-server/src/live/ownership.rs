//! Who opened a table, who sits where, and what they brought.

use super::{By, Entry, Live};
use craps_money::Money;
use craps_table::{Actor, Command, Event, Role, SeatId};
use std::collections::{BTreeMap, BTreeSet};

/// Who a table belongs to, seat by seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ownership {
    /// The person who opened the table; none for tables that a server opens unasked.
    opener: Option<String>,
    /// Who sits where, and whether it is a program.
    seats: BTreeMap<SeatId, (String, bool)>,
    /// Everybody who has ever had a seat: what they played stays readable to them.
    sat: BTreeSet<String>,
    /// What each of them brought, less what they took away.
    brought: BTreeMap<String, Money>,
}

/// How somebody stands at a table, compared with what they brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// If every bet were lost.
    pub at_worst: Money,
    /// With every bet at its face.
    pub at_face: Money,
}

impl Ownership {
    pub(super) fn opened_by(opener: Option<String>) -> Ownership {
        Ownership { opener, ..Ownership::default() }
    }

    /// The person who opened the table.
    #[must_use]
    pub fn opener(&self) -> Option<&str> {
        self.opener.as_deref()
    }

    /// Who sits where, and whether it is a program.
    #[must_use]
    pub fn seats(&self) -> &BTreeMap<SeatId, (String, bool)> {
        &self.seats
    }

    /// The seat that somebody has.
    #[must_use]
    pub fn seat_of(&self, who: &str) -> Option<SeatId> {
        self.seats.iter().find(|(_, (owner, _))| owner == who).map(|(seat, _)| *seat)
    }

    /// Has somebody ever had a seat here?
    #[must_use]
    pub fn has_sat(&self, who: &str) -> bool {
        self.sat.contains(who)
    }

    /// Folds the events of an order; the seats that are free again.
    pub(super) fn seated(&mut self, by: &By, events: &[Event]) -> Vec<SeatId> {
        let mut left = Vec::new();
        for event in events {
            match (event, by) {
                // People whom the staff seats act through the staff.
                (Event::Joined { seat, .. }, By { who: Some(who), actor: Actor { role: Role::Player, .. }, bot }) => {
                    self.seats.insert(*seat, (who.clone(), *bot));
                    self.sat.insert(who.clone());
                }
                (Event::Left { seat }, _) => {
                    // A guest has no limits to count for.
                    if let Some((guest, _)) = self.seats.remove(seat).filter(|(who, _)| who.starts_with("g:")) {
                        self.brought.remove(&guest);
                    }
                    left.push(*seat);
                }
                _ => {}
            }
        }
        left
    }

    /// Counts what an order brought to the table or took away, for the person who sits there.
    pub(super) fn bring(&mut self, entry: &Entry, commands: &[Command], more: Money) {
        let seat = commands.iter().find_map(Command::seat);
        let owner = seat.and_then(|seat| self.seats.get(&seat)).map(|(who, _)| who.clone());
        let owner = owner.or_else(|| entry.by.who.clone().filter(|_| entry.by.actor.role == Role::Player));
        if let Some(owner) = owner.filter(|_| more.minor() != 0) {
            let brought = self.brought.entry(owner).or_default();
            *brought = brought.plus(more).unwrap_or(*brought);
        }
    }
}

impl Live {
    /// Who this table belongs to.
    #[must_use]
    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// Who sits at a seat.
    #[must_use]
    pub fn owner(&self, seat: SeatId) -> Option<&str> {
        self.ownership.seats.get(&seat).map(|(who, _)| who.as_str())
    }

    /// Does a program play at this seat?
    #[must_use]
    pub fn is_bot(&self, seat: SeatId) -> bool {
        self.ownership.seats.get(&seat).is_some_and(|(_, bot)| *bot)
    }

    /// The seat that somebody has.
    #[must_use]
    pub fn seat_of(&self, who: &str) -> Option<SeatId> {
        self.ownership.seat_of(who)
    }

    /// The first seat that nobody has.
    #[must_use]
    pub fn free_seat(&self) -> Option<SeatId> {
        (1..=self.table.places()).find(|seat| self.table.seat(*seat).is_none())
    }

    /// What somebody who sits here brought, less what they took away.
    #[must_use]
    pub fn brought_by(&self, who: &str) -> Option<Money> {
        self.ownership.brought.get(who).copied()
    }

    /// How somebody stands at this table: what they have here less what they brought, with chips on the felt as lost and at their face.
    #[must_use]
    pub fn standing(&self, who: &str) -> Standing {
        let seat = self.seat_of(who).and_then(|seat| self.table.seat(seat));
        let felt = seat.map_or(0, |seat| seat.bets.standing().map(|(_, bet)| i128::from(bet.stake.minor())).sum());
        let rail = seat.map_or(0, |seat| i128::from(seat.rail.minor()));
        let brought = self.ownership.brought.get(who).map_or(0, |brought| i128::from(brought.minor()));
        let money = |minor: i128| Money::from_minor(i64::try_from(minor).unwrap_or(i64::MIN));
        Standing { at_worst: money(rail - brought), at_face: money(rail + felt - brought) }
    }
}
