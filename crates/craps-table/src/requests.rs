//! Requests: what a player asks for at a table with a crew of people, and what takes effect only when somebody in the crew confirms it. A player calls
//! a bet on and the dealer places the button; a player speaks a bet and the dealer repeats it and changes the cash.

use crate::command::{Command, Role};
use crate::slots::SlotId;
use serde::{Deserialize, Serialize};

/// Who must confirm a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// The roles that the book names.
    pub by: Vec<Role>,
    /// True if each of them must confirm it, false if one of them is enough.
    pub all: bool,
}

impl Needs {
    /// One of these roles is enough.
    #[must_use]
    pub const fn any(by: Vec<Role>) -> Needs {
        Needs { by, all: false }
    }

    /// Do these confirmations suffice?
    ///
    /// ```
    /// use craps_table::{Needs, Role};
    /// let both = Needs { by: vec![Role::Dealer, Role::Box], all: true };
    /// assert!(!both.are_met(&[Role::Dealer]) && both.are_met(&[Role::Box, Role::Dealer]));
    /// assert!(Needs::any(vec![Role::Dealer, Role::Box]).are_met(&[Role::Box]));
    /// ```
    #[must_use]
    pub fn are_met(&self, confirmed: &[Role]) -> bool {
        let has = |role: &Role| confirmed.contains(role);
        if self.all { self.by.iter().all(has) } else { self.by.iter().any(has) }
    }

    /// Returns the roles that can still confirm.
    #[must_use]
    pub fn missing(&self, confirmed: &[Role]) -> Vec<Role> {
        self.by.iter().copied().filter(|role| !confirmed.contains(role)).collect()
    }

    /// Returns the roles as words: `the dealer and the boxperson`, `the dealer or the boxperson`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let titles: Vec<&str> = self.by.iter().map(|role| role.title()).collect();
        let word = if self.all { "and" } else { "or" };
        match &titles[..] {
            [] => "nobody".to_owned(),
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
        }
    }
}

/// A request that waits for the crew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request<B = SlotId> {
    /// Number of the request at this table, from 1.
    pub number: u32,
    /// The command that the player gave.
    pub command: Command<B>,
    /// Who must confirm it.
    pub needs: Needs,
    /// Who has confirmed it.
    pub confirmed: Vec<Role>,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestEnd {
    /// It was confirmed and took effect.
    Done,
    /// The crew turned it down.
    TurnedDown,
    /// The player took it back.
    TakenBack,
    /// The dice came to rest before it was confirmed, so it has no effect.
    TooLate,
    /// The player left.
    Left,
}

impl RequestEnd {
    /// Returns the name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RequestEnd::Done => "done",
            RequestEnd::TurnedDown => "turned-down",
            RequestEnd::TakenBack => "taken-back",
            RequestEnd::TooLate => "too-late",
            RequestEnd::Left => "left",
        }
    }
}
