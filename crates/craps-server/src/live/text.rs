//! Writes a live table's game in the notation, from the rows of its log.

use super::opening::session;
use super::{Deed, Entry, NotOpened, Opening, faces};
use craps_law::Library;
use craps_money::Money;
use craps_notation::Session;
use craps_table::{Actor, Command, Event, Manner, Refusal, RequestEnd, Shooter, Table};
use std::collections::BTreeMap;

/// The game so far, built row by row.
#[derive(Debug, Clone)]
pub struct Written {
    session: Session,
    /// What was done since the last roll, row by row. Some of it may still be taken back.
    since: Vec<(u64, Actor, Vec<Command>)>,
    /// Rulings that wait for a second person.
    proposed: BTreeMap<u64, (Actor, Command)>,
    /// Requests that wait for the crew.
    requests: BTreeMap<u32, Command>,
}

impl Written {
    /// Starts the game of a table that has just been opened.
    ///
    /// # Errors
    /// When its rules can't be loaded here.
    pub fn open(library: &Library, opening: &Opening) -> Result<Written, NotOpened> {
        Written::with_tags(library, opening, &[])
    }

    /// Starts the game with more tags in its header.
    pub(super) fn with_tags(
        library: &Library,
        opening: &Opening,
        more: &[(&'static str, String)],
    ) -> Result<Written, NotOpened> {
        let session = session(library, opening, more)?;
        Ok(Written { session, since: Vec::new(), proposed: BTreeMap::new(), requests: BTreeMap::new() })
    }

    /// Begins anew with a table as it is now, when nothing was done since the last roll. The text before it is dropped.
    pub fn begin_at(&mut self, table: &Table) {
        self.session.begin_at(table.state());
        self.since.clear();
        self.proposed.clear();
        self.requests.clear();
    }

    /// Adds the next row.
    ///
    /// # Errors
    /// When the law doesn't allow what the row says.
    pub fn row(&mut self, row: u64, entry: &Entry) -> Result<(), Refusal> {
        match &entry.did {
            Deed::Ordered { commands, events } => {
                let no_roll = commands.iter().any(|command| matches!(command, Command::NoRoll { .. }));
                let done = self.done(commands, events);
                self.since.push((row, entry.by.actor, done));
                if no_roll {
                    return self.write();
                }
            }
            Deed::Undone { rows, .. } => self.since.retain(|(row, ..)| !rows.contains(row)),
            Deed::Proposed { ruling } => {
                self.proposed.insert(row, (entry.by.actor, ruling.clone()));
            }
            Deed::Rejected { row } => {
                self.proposed.remove(row);
            }
            Deed::Approved { row: proposed, .. } => {
                let ruling = self.proposed.remove(proposed);
                self.since.extend(ruling.map(|(actor, ruling)| (row, actor, vec![ruling])));
            }
            Deed::Drawn { draw, .. } => {
                self.write()?;
                self.session.command(draw)?;
            }
            Deed::Thrown { faces: dice, draw, events, .. } => {
                self.write()?;
                self.hand_over(events)?;
                if let Some(Command::Draw { selection }) = draw {
                    self.session.draw(selection)?;
                }
                if let Some(dice) = faces(*dice) {
                    self.session.throw(dice)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the commands of an order that took effect. What waits for the crew takes effect with the row that confirms it.
    fn done(&mut self, commands: &[Command], events: &[Event]) -> Vec<Command> {
        let asked = |command: &Command| {
            events.iter().any(|event| matches!(event, Event::Requested { command: of, .. } if same(of, command)))
        };
        let mut done: Vec<Command> = Vec::new();
        for command in commands {
            match command {
                Command::Join { seat, name, money } => {
                    let waits = events.iter().any(|event| matches!(event, Event::Requested { .. }));
                    let money = if waits { Money::ZERO } else { *money };
                    done.push(Command::Join { seat: *seat, name: name.clone(), money });
                }
                command if asked(command) => {}
                command => done.push(command.clone()),
            }
        }
        for event in events {
            match event {
                Event::Requested { number, command, .. } => {
                    self.requests.insert(*number, (**command).clone());
                }
                Event::Confirmed { number, by } => {
                    if let Some(Command::Bet { manner: Manner { late: Some(roles), .. }, .. }) =
                        self.requests.get_mut(number)
                    {
                        roles.push(*by);
                    }
                }
                Event::RequestEnded { number, how } => {
                    done.extend(self.requests.remove(number).filter(|_| *how == RequestEnd::Done));
                }
                _ => {}
            }
        }
        done
    }

    /// Gives the dice to the player who rolled, if the game would have given them to another.
    fn hand_over(&mut self, events: &[Event]) -> Result<(), Refusal> {
        let taker = events.iter().find_map(|event| match event {
            Event::DiceTaken { seat, .. } => Some(*seat),
            _ => None,
        });
        match taker {
            Some(seat)
                if self.session.table().implied_shooter() != Some(seat.map_or(Shooter::Dealer, Shooter::Seat)) =>
            {
                self.session.command(&Command::TakeDice { seat, decisions_only: false })
            }
            _ => Ok(()),
        }
    }

    /// Adds a player who is already there when the text begins.
    pub(super) fn seated(&mut self, join: &Command) -> Result<(), Refusal> {
        self.session.command(join)
    }

    /// Adds a request that waits for the crew when the text begins.
    pub(super) fn waits(&mut self, number: u32, command: Command) {
        self.requests.insert(number, command);
    }

    /// Passes everything since the last roll to the session.
    fn write(&mut self) -> Result<(), Refusal> {
        let since = std::mem::take(&mut self.since);
        // Players' orders that are possible together are tried once, and not again with each order.
        let all: Vec<Command> = since.iter().flat_map(|(.., commands)| commands).cloned().collect();
        if all.iter().all(is_players) && self.session.order(&all).is_ok() {
            return Ok(());
        }
        for (_, actor, commands) in since {
            let (own, staff): (Vec<Command>, Vec<Command>) = commands.into_iter().partition(is_players);
            self.session.order(&own)?;
            for command in &staff {
                match command {
                    Command::NoRoll { reason, caller } => self.session.no_roll(*reason, *caller)?,
                    command => self.session.staff(actor.role, command)?,
                }
            }
        }
        Ok(())
    }

    /// Returns the text of the game so far, with results filled in. What was done since the last roll is in a comment at the end.
    ///
    /// # Errors
    /// When the law doesn't allow what was done since the last roll.
    pub fn text(mut self) -> Result<String, Refusal> {
        self.write()?;
        Ok(self.session.text())
    }

    /// Returns the session: the table as it was after the last roll.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// Is this the command of a request? A late bet is requested without the roles that confirm it.
fn same(request: &Command, command: &Command) -> bool {
    match (request, command) {
        (
            Command::Bet { seat, slot, amount, manner },
            Command::Bet { seat: other_seat, slot: other_slot, amount: other_amount, manner: other },
        ) => {
            let plain = |manner: &Manner| Manner { late: None, ..manner.clone() };
            (seat, slot, amount, plain(manner)) == (other_seat, other_slot, other_amount, plain(other))
        }
        (request, command) => request == command,
    }
}

/// Is it a player's command, even if the staff recorded it?
fn is_players(command: &Command) -> bool {
    matches!(
        command,
        Command::Bet { .. }
            | Command::TakeDown { .. }
            | Command::Call { .. }
            | Command::Tell { .. }
            | Command::Join { .. }
            | Command::BuyIn { .. }
            | Command::Leave { .. }
            | Command::PassDice
            | Command::Nominate { .. }
            | Command::Withdraw { .. }
            | Command::TakeDice { .. }
    )
}
