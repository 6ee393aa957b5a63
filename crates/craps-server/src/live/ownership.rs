//! Who opened a table, who sits where, and what they bought in for.

use super::{By, Entry, Live};
use craps_money::Money;
use craps_table::{Actor, Command, Event, Role, SeatId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who opened a table and who has which seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ownership {
    /// The person who opened the table. None for tables that the server opened by itself.
    opener: Option<String>,
    by_player: bool,
    /// Who sits where, and whether it is a program.
    seats: BTreeMap<SeatId, (String, bool)>,
    /// Everyone who has ever had a seat at a private table. They can always read what they played. None for a public table.
    sat: Option<BTreeSet<String>>,
    /// Buy-ins of each person, less what they took away. People who left with exactly what they had brought aren't in it.
    brought: BTreeMap<String, Money>,
    /// Guests in `brought` who have left, in the order in which they did. Only the last [`GUESTS_MOST`] are remembered.
    left: VecDeque<String>,
}

/// How many guests who have left are remembered with what they brought. Accounts are always remembered. A guest who is forgotten is like a new guest,
/// and anybody can become one.
pub const GUESTS_MOST: usize = 1_000;

/// How far ahead or behind a person is at a table, compared with their buy-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Net result if every bet on the layout lost, and every bet that waits for the crew.
    pub at_worst: Money,
    /// Net result with every bet on the layout at its stake.
    pub at_face: Money,
}

impl Ownership {
    pub(super) fn opened_by(by: &By, private: bool) -> Ownership {
        let (opener, by_player) = (by.who.clone(), by.actor.role == Role::Player);
        Ownership { opener, by_player, sat: private.then(BTreeSet::new), ..Ownership::default() }
    }

    /// Did a player open the table, and not the staff or the server?
    #[must_use]
    pub fn is_by_player(&self) -> bool {
        self.by_player
    }

    /// Returns the person who opened the table.
    #[must_use]
    pub fn opener(&self) -> Option<&str> {
        self.opener.as_deref()
    }

    /// Returns who sits where, and whether it is a program.
    #[must_use]
    pub fn seats(&self) -> &BTreeMap<SeatId, (String, bool)> {
        &self.seats
    }

    /// Returns the seat of an account or guest.
    #[must_use]
    pub fn seat_of(&self, who: &str) -> Option<SeatId> {
        self.seats.iter().find(|(_, (owner, _))| owner == who).map(|(seat, _)| *seat)
    }

    /// Has this account or guest ever had a seat at this private table? At a public table nobody has to know.
    #[must_use]
    pub fn has_sat(&self, who: &str) -> bool {
        self.sat.as_ref().is_some_and(|sat| sat.contains(who))
    }

    /// Returns everyone who has ever had a seat at this private table.
    pub fn visitors(&self) -> impl Iterator<Item = &str> {
        self.sat.iter().flatten().map(String::as_str)
    }

    /// Applies the events of an order. Returns the seats that became free.
    pub(super) fn seated(&mut self, by: &By, events: &[Event]) -> Vec<SeatId> {
        let mut left = Vec::new();
        for event in events {
            match (event, by) {
                // Players who were seated by the staff act through the staff.
                (Event::Joined { seat, .. }, By { who: Some(who), actor: Actor { role: Role::Player, .. }, bot }) => {
                    self.seats.insert(*seat, (who.clone(), *bot));
                    if let Some(sat) = &mut self.sat {
                        sat.insert(who.clone());
                    }
                    self.left.retain(|known| known != who);
                }
                (Event::Left { seat }, _) => {
                    if let Some((who, _)) = self.seats.remove(seat) {
                        self.has_left(who);
                    }
                    left.push(*seat);
                }
                _ => {}
            }
        }
        left
    }

    /// Forgets what a person brought who leaves with the same, and the guest who left first if there are too many.
    fn has_left(&mut self, who: String) {
        match self.brought.get(&who) {
            Some(brought) if brought.minor() == 0 => {
                self.brought.remove(&who);
            }
            Some(_) if who.starts_with("g:") => self.left.push_back(who),
            _ => {}
        }
        while self.left.len() > GUESTS_MOST {
            if let Some(first) = self.left.pop_front() {
                self.brought.remove(&first);
            }
        }
    }

    /// Adds what an order brought to the table or took away to the total of the person in that seat.
    pub(super) fn bring(&mut self, entry: &Entry, commands: &[Command], more: Money) {
        let moved = |event: &Event| matches!(event, Event::BoughtIn { .. }).then(|| event.moves_money_of()).flatten();
        let seat = commands.iter().find_map(Command::seat).or_else(|| entry.did.events().iter().find_map(moved));
        let owner = seat.and_then(|seat| self.seats.get(&seat)).map(|(who, _)| who.clone());
        let owner = owner.or_else(|| entry.by.who.clone().filter(|_| entry.by.actor.role == Role::Player));
        self.add(owner, more);
    }

    /// Adds what came to a seat, or with a minus what an undone order takes back, to the total of the person in that seat.
    pub(super) fn bring_to(&mut self, seat: SeatId, more: Money) {
        self.add(self.seats.get(&seat).map(|(who, _)| who.clone()), more);
    }

    fn add(&mut self, owner: Option<String>, more: Money) {
        if let Some(owner) = owner.filter(|_| more.minor() != 0) {
            let brought = self.brought.entry(owner).or_default();
            *brought = brought.plus(more).unwrap_or(*brought);
        }
    }
}

impl Live {
    /// Returns who opened this table and who has which seat.
    #[must_use]
    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// Returns the account or guest in a seat.
    #[must_use]
    pub fn owner(&self, seat: SeatId) -> Option<&str> {
        self.ownership.seats.get(&seat).map(|(who, _)| who.as_str())
    }

    /// Is the player in this seat a program?
    #[must_use]
    pub fn is_bot(&self, seat: SeatId) -> bool {
        self.ownership.seats.get(&seat).is_some_and(|(_, bot)| *bot)
    }

    /// Returns the seat of an account or guest.
    #[must_use]
    pub fn seat_of(&self, who: &str) -> Option<SeatId> {
        self.ownership.seat_of(who)
    }

    /// Returns the first free seat.
    #[must_use]
    pub fn free_seat(&self) -> Option<SeatId> {
        (1..=self.table.places()).find(|seat| self.table.seat(*seat).is_none())
    }

    /// Returns a person's buy-ins less what they took away.
    #[must_use]
    pub fn brought_by(&self, who: &str) -> Option<Money> {
        self.ownership.brought.get(who).copied()
    }

    /// Returns how far ahead or behind a person is at this table: what they have here less their buy-ins.
    #[must_use]
    pub fn standing(&self, who: &str) -> Standing {
        let seat = self.seat_of(who).and_then(|seat| self.table.seat(seat));
        let felt = seat.map_or(0, |seat| seat.bets.standing().map(|(_, bet)| i128::from(bet.stake.minor())).sum());
        let rail = seat.map_or(0, |seat| i128::from(seat.rail.minor()));
        let brought = self.ownership.brought.get(who).map_or(0, |brought| i128::from(brought.minor()));
        let own = self.table.requests().iter().filter(|request| request.command.seat() == self.seat_of(who));
        let waits: i128 = if seat.is_some() { own.map(|request| asked_for(&request.command)).sum() } else { 0 };
        let money = |minor: i128| Money::from_minor(i64::try_from(minor).unwrap_or(i64::MIN));
        Standing { at_worst: money(rail - waits - brought), at_face: money(rail + felt - brought) }
    }
}

/// Returns how much a bet that waits for the crew would move from the rail. Zero for other requests.
pub(super) fn asked_for(command: &Command) -> i128 {
    match command {
        Command::Bet { amount, .. } => i128::from(amount.money().minor()),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sits down at seat 1 with so much, and leaves with so much.
    fn visit(owners: &mut Ownership, who: &str, brings: i64, takes: i64) {
        let by = By::person(who, Actor::player(1));
        let joined = Event::Joined { seat: 1, name: String::new(), money: Money::from_minor(brings) };
        owners.add(Some(who.to_owned()), Money::from_minor(brings));
        owners.seated(&by, &[joined]);
        owners.bring_to(1, Money::from_minor(-takes));
        owners.seated(&by, &[Event::Left { seat: 1 }]);
    }

    #[test]
    fn only_the_last_guests_who_left_are_remembered() {
        let mut owners = Ownership::opened_by(&By::machine(), false);
        visit(&mut owners, "a:ann", 500, 100);
        visit(&mut owners, "g:first", 500, 100);
        visit(&mut owners, "g:even", 500, 500);
        for number in 0..GUESTS_MOST - 1 {
            visit(&mut owners, &format!("g:{number}"), 300, 0);
        }
        let brought = |owners: &Ownership, who: &str| owners.brought.get(who).map(|brought| brought.minor());
        assert_eq!((brought(&owners, "g:first"), brought(&owners, "g:even")), (Some(400), None));
        // Who comes back is remembered like one who left just now.
        visit(&mut owners, "g:first", 500, 100);
        visit(&mut owners, "g:last", 300, 0);
        assert_eq!((brought(&owners, "g:first"), brought(&owners, "g:0")), (Some(800), None));
        for number in 0..5 * GUESTS_MOST {
            visit(&mut owners, &format!("g:more {number}"), 300, 0);
        }
        assert_eq!((brought(&owners, "g:first"), brought(&owners, "a:ann")), (None, Some(400)));
        assert_eq!((owners.brought.len(), owners.left.len()), (GUESTS_MOST + 1, GUESTS_MOST));
        assert_eq!((owners.sat.as_ref(), owners.visitors().count()), (None, 0));

        let mut private = Ownership::opened_by(&By::machine(), true);
        visit(&mut private, "g:first", 500, 500);
        assert!(private.has_sat("g:first") && !private.has_sat("g:last"));
    }
}
