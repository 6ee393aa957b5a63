//! What a player asks for at a table with a crew of people, and what waits for the crew. With an automatic crew nothing waits.

use super::Actor;
use super::roles::own_topic;
use crate::bets::Called;
use crate::command::{Command, Manner, Role, SeatId, Verb};
use crate::crew::{Crew, Stage};
use crate::event::{Event, Events};
use crate::refusal::{Code, Refusal};
use crate::requests::{Needs, Request, RequestEnd};
use crate::table::Table;
use craps_law::Cites;
use craps_money::{Money, Stake};
use craps_wagers::Family;

impl Table {
    /// Returns the requests that wait for the crew, oldest first.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.state.requests
    }

    /// Returns the sections of the law that make a request wait. Empty if that is this program's own procedure.
    #[must_use]
    pub fn waits_by(&self, command: &Command) -> Cites {
        let topic = match command {
            // What may be done with a side bet stands with the side bet.
            Command::Call { slot, .. } if self.board().slot(*slot).wager.wager().family == Family::Shooter => {
                return self.board().rules(self.rules(), *slot).works.cites.clone();
            }
            Command::Call { called: Called::Off, .. } if self.rules().rules.contains_key("working.call_off") => {
                "working.call_off"
            }
            Command::Call { .. } => "working.call_on",
            Command::Bet { manner: Manner { late: Some(_), .. }, .. } => "bets.in_flight",
            Command::Bet { .. } => "bets.spoken_with_cash",
            Command::Nominate { .. } => "shooter.may_nominate",
            _ => "cash.taken_by",
        };
        self.cites(&own_topic(self.rules(), topic))
    }

    /// Returns who must confirm a command before it takes effect. None if it takes effect at once.
    fn needs(&self, actor: Actor, command: &Command) -> Option<Needs> {
        if self.crew != Crew::People || self.at_once {
            return None;
        }
        let by_staff = |verb: Verb| Some(Needs::any(self.staff_for(verb))).filter(|needs| !needs.by.is_empty());
        let needs = match command {
            Command::Call { called, .. } if *called != Called::Standard => by_staff(Verb::Call),
            Command::Bet { .. } if self.is_late() => self.late_needs(),
            Command::Bet { manner: Manner { cash: Some(_), .. }, .. } => by_staff(Verb::Bet),
            Command::BuyIn { .. } => {
                let named: Vec<Role> = self.who("cash.taken_by").into_iter().filter_map(Role::of).collect();
                if named.is_empty() { by_staff(Verb::BuyIn) } else { Some(Needs::any(named)) }
            }
            Command::Nominate { .. } => self.nomination(),
            _ => None,
        }?;
        (!needs.are_met(&[actor.role])).then_some(needs)
    }

    /// Are the dice in the air at a table where bets closed when they were rolled?
    pub(super) fn is_late(&self) -> bool {
        let waits = self.crew == Crew::People && !self.at_once;
        waits && self.stage() == Stage::InFlight && !self.bets_close_at_rest()
    }

    /// Decides a command that may have to wait: carries it out, or records the request.
    pub(super) fn asked(&self, actor: Actor, command: &Command, events: &mut Events) -> Result<(), Refusal> {
        self.own_confirmation(actor, command)?;
        let Some(needs) = self.needs(actor, command) else {
            return self.carried_out(actor, &self.confirmed_by(command, &[actor.role]), events);
        };
        // What could never be accepted is refused now, not when it is confirmed.
        self.carried_out(actor, &self.confirmed_by(command, &needs.by), &mut Events::new())?;
        let number = self.state.requested + 1;
        let command = self.confirmed_by(command, &[]);
        events.push(Event::Requested { number, command: Box::new(command), needs: needs.clone() });
        if needs.by.contains(&actor.role) {
            events.push(Event::Confirmed { number, by: actor.role });
        }
        Ok(())
    }

    /// Checks that nobody confirms a late bet for somebody else. A crew of people confirms it one by one.
    fn own_confirmation(&self, actor: Actor, command: &Command) -> Result<(), Refusal> {
        let Command::Bet { manner: Manner { late: Some(named), .. }, .. } = command else { return Ok(()) };
        match named.iter().find(|role| **role != actor.role) {
            Some(caller) if self.crew == Crew::People && !self.at_once => {
                Err(Refusal::procedure(Code::NotTheirCall { role: actor.role, caller: *caller }))
            }
            _ => Ok(()),
        }
    }

    /// Returns a late bet with the roles that have confirmed it. Other commands stay as they are.
    fn confirmed_by(&self, command: &Command, roles: &[Role]) -> Command {
        match command {
            Command::Bet { seat, slot, amount, manner } if self.is_late() && self.late_needs().is_some() => {
                let manner = Manner { late: Some(roles.to_vec()), ..manner.clone() };
                Command::Bet { seat: *seat, slot: *slot, amount: *amount, manner }
            }
            command => command.clone(),
        }
    }

    /// Decides the answer to a request. The last confirmation carries it out.
    pub(super) fn answer(&self, actor: Actor, number: u32, agrees: bool, events: &mut Events) -> Result<(), Refusal> {
        let waiting = self.requests().iter().find(|request| request.number == number);
        let request = waiting.ok_or_else(|| Refusal::procedure(Code::NoSuchRequest { request: number }))?;
        let cites = self.waits_by(&request.command);
        let Request { command, needs, confirmed, .. } = request;
        if actor.role == Role::Player && actor.seat.is_some() && actor.seat == command.seat() && !agrees {
            events.push(Event::RequestEnded { number, how: RequestEnd::TakenBack });
            return Ok(());
        }
        // Somebody in a higher position may stand in, where the book says so.
        let stands_for = |needed: &&Role| **needed == actor.role || self.acts_for(actor.role, **needed);
        let missing = needs.by.iter().filter(|role| !confirmed.contains(role)).find(stands_for);
        let Some(role) = missing.or_else(|| needs.by.iter().find(stands_for)).copied() else {
            return Err(Refusal::law(&cites, Code::NotTheirRequest { role: actor.role, needs: needs.clone() }));
        };
        if !agrees {
            events.push(Event::RequestEnded { number, how: RequestEnd::TurnedDown });
            return Ok(());
        }
        if confirmed.contains(&role) {
            let missing = needs.missing(confirmed);
            return Err(Refusal::law(&cites, Code::ConfirmedAlready { role, missing }));
        }
        events.push(Event::Confirmed { number, by: role });
        let all: Vec<Role> = confirmed.iter().copied().chain([role]).collect();
        if needs.are_met(&all) {
            events.push(Event::RequestEnded { number, how: RequestEnd::Done });
            self.carried_out(actor, &self.confirmed_by(command, &all), events)?;
        }
        Ok(())
    }

    /// Returns the first buy-in of a player who joins, as a request of its own where cash goes through the crew.
    pub(super) fn first_buy_in(&self, actor: Actor, seat: SeatId, money: Money) -> Option<(Command, Needs)> {
        let command = Command::BuyIn { seat, money: Stake::new(money)? };
        Some((command.clone(), self.needs(actor, &command)?))
    }

    /// Ends the requests that the roll overtook.
    pub(super) fn lapsed(&self, events: &mut Events) {
        let ended = |request: &Request| Event::RequestEnded { number: request.number, how: RequestEnd::TooLate };
        events.extend(
            self.requests().iter().filter(|request| !matches!(request.command, Command::BuyIn { .. })).map(ended),
        );
    }

    /// Ends the requests for bets on a roll that didn't count. The dice are no longer in the air.
    pub(super) fn late_lapsed(&self, events: &mut Events) {
        let late =
            |request: &&Request| matches!(request.command, Command::Bet { manner: Manner { late: Some(_), .. }, .. });
        let ended = |request: &Request| Event::RequestEnded { number: request.number, how: RequestEnd::TooLate };
        events.extend(self.requests().iter().filter(late).map(ended));
    }

    /// Ends the requests of a player who leaves.
    pub(super) fn dropped(&self, seat: SeatId, events: &mut Events) {
        let own = self.requests().iter().filter(|request| request.command.seat() == Some(seat));
        events.extend(own.map(|request| Event::RequestEnded { number: request.number, how: RequestEnd::Left }));
    }
}
