//! Who confirmed which request. Where a book wants several confirmations, they come from different people.

use super::{By, HostCode, Live};
use craps_table::{Command, Event};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// People who confirmed requests that still wait, by the number of the request.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Confirmations(BTreeMap<u32, Vec<String>>);

impl Confirmations {
    /// Applies the events of a row.
    pub(super) fn follow(&mut self, by: &By, events: &[Event]) {
        for event in events {
            match event {
                Event::Confirmed { number, .. } => self.0.entry(*number).or_default().extend(by.who.clone()),
                Event::RequestEnded { number, .. } => drop(self.0.remove(number)),
                _ => {}
            }
        }
    }
}

impl Live {
    /// Checks that nobody confirms a request a second time, in another role.
    ///
    /// # Errors
    /// When this person has confirmed one of these requests before.
    pub fn is_another_person(&self, by: &By, commands: &[Command]) -> Result<(), HostCode> {
        let confirmed = |request: &u32| {
            let people = self.confirmations.0.get(request);
            people.zip(by.who.as_ref()).is_some_and(|(people, who)| people.contains(who))
        };
        let again = |command: &Command| match command {
            Command::Answer { request, agrees: true } => confirmed(request),
            _ => false,
        };
        if commands.iter().any(again) { Err(HostCode::OwnConfirmation) } else { Ok(()) }
    }
}
