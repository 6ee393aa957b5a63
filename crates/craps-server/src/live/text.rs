//! A live table's game in the notation, row by row of its log.

use super::opening::session;
use super::{Deed, Entry, NotOpened, Opening, faces};
use craps_law::Library;
use craps_notation::Session;
use craps_table::{Actor, Command, Event, Refusal, Shooter};
use std::collections::BTreeMap;

/// The game that a log tells.
#[derive(Debug, Clone)]
pub struct Written {
    session: Session,
    /// What was done since the last throw, row by row: some of it may be taken back.
    since: Vec<(u64, Actor, Vec<Command>)>,
    /// Rulings that wait for a second person.
    proposed: BTreeMap<u64, (Actor, Command)>,
}

impl Written {
    /// The game of a table that has just been opened.
    ///
    /// # Errors
    /// When its rules are not to be had here.
    pub fn open(library: &Library, opening: &Opening) -> Result<Written, NotOpened> {
        Written::with_tags(library, opening, &[])
    }

    /// The same, with more tags at its head.
    pub(super) fn with_tags(
        library: &Library,
        opening: &Opening,
        more: &[(&'static str, String)],
    ) -> Result<Written, NotOpened> {
        let session = session(library, opening, more)?;
        Ok(Written { session, since: Vec::new(), proposed: BTreeMap::new() })
    }

    /// Writes what the next row did.
    ///
    /// # Errors
    /// When the game cannot have gone so: the log says other than the law.
    pub fn row(&mut self, row: u64, entry: &Entry) -> Result<(), Refusal> {
        match &entry.did {
            Deed::Ordered { commands, .. } => {
                let no_roll = commands.iter().any(|command| matches!(command, Command::NoRoll { .. }));
                self.since.push((row, entry.by.actor, commands.clone()));
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

    /// Gives the dice to whoever threw, where the game would have given them to another.
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

    /// Somebody is there when the text begins.
    pub(super) fn seated(&mut self, join: &Command) -> Result<(), Refusal> {
        self.session.command(join)
    }

    /// Hands everything since the last throw to the session.
    fn write(&mut self) -> Result<(), Refusal> {
        for (_, actor, commands) in std::mem::take(&mut self.since) {
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

    /// The game so far, filled in; what was done since the last throw stands in a comment at its end.
    ///
    /// # Errors
    /// When what was done since the last throw cannot have been.
    pub fn text(mut self) -> Result<String, Refusal> {
        self.write()?;
        Ok(self.session.text())
    }

    /// The table as the game has it after the last throw.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// What players do, whoever wrote it down for them.
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
            | Command::TakeDice { .. }
    )
}
