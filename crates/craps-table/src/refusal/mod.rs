//! Why the table does not do something, as a value: on what ground, which code, and what it would take instead.

mod code;
mod instead;
mod words;

use craps_law::{Cites, SetBy};
use craps_wagers::{Name, WagerId};
use std::fmt;

pub use code::{Code, ComeRolls, Locked, Opens};
pub use instead::Instead;

/// Why the table does not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What stands behind it.
    pub ground: Ground,
    /// What is wrong, with the values that the sentence needs.
    pub code: Code,
    /// What the table would take instead. Every command among them is accepted as the table stands.
    pub instead: Vec<Instead>,
}

/// What stands behind a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// The law, with the sections that say so.
    Law(Cites),
    /// A rule of the house, with its key in the house rules, such as `limits.min`.
    House {
        /// The key.
        key: String,
    },
    /// The procedure of this program.
    Procedure,
    /// It cannot be done: no such bet, not enough chips.
    Impossible,
}

impl Ground {
    /// Its name for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Ground::Law(_) => "law",
            Ground::House { .. } => "house",
            Ground::Procedure => "procedure",
            Ground::Impossible => "impossible",
        }
    }

    /// The law where sections say so. Where there is none to cite, it is the program's own procedure.
    #[must_use]
    pub fn law(cites: &Cites) -> Ground {
        if cites.0.is_empty() { Ground::Procedure } else { Ground::Law(cites.clone()) }
    }
}

impl From<&SetBy> for Ground {
    fn from(by: &SetBy) -> Ground {
        match by {
            SetBy::Law(cites) => Ground::law(cites),
            SetBy::House(key) => Ground::House { key: key.clone() },
        }
    }
}

/// A bet as sentences name it: a wager, and the number it has moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BetAt {
    /// The wager.
    pub wager: WagerId,
    /// The number of a come bet that has moved, or of its odds.
    pub number: Option<craps_dice::Point>,
}

impl BetAt {
    /// The short name of the bet, such as `PL6`.
    #[must_use]
    pub fn code(&self) -> String {
        let own = |name: &Name| name.number == self.number;
        self.wager.wager().names().into_iter().find(own).map_or_else(String::new, |name| name.code)
    }
}

impl fmt::Display for BetAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.wager.wager().name;
        match self.number {
            Some(number) => write!(f, "{name} {number}"),
            None => f.write_str(name),
        }
    }
}

impl Refusal {
    /// A refusal on some ground.
    #[must_use]
    pub fn new(ground: Ground, code: Code) -> Refusal {
        Refusal { ground, code, instead: Vec::new() }
    }

    /// A refusal by law. Where there is nothing to cite, it is the program's own procedure.
    #[must_use]
    pub fn law(cites: &Cites, code: Code) -> Refusal {
        Refusal::new(Ground::law(cites), code)
    }

    /// A refusal by a house rule.
    #[must_use]
    pub fn house(key: &str, code: Code) -> Refusal {
        Refusal::new(Ground::House { key: key.to_owned() }, code)
    }

    /// A refusal by the procedure of this program.
    #[must_use]
    pub fn procedure(code: Code) -> Refusal {
        Refusal::new(Ground::Procedure, code)
    }

    /// A refusal of what cannot be done.
    #[must_use]
    pub fn impossible(code: Code) -> Refusal {
        Refusal::new(Ground::Impossible, code)
    }

    /// The same, with what would be taken instead.
    #[must_use]
    pub fn or(mut self, instead: impl IntoIterator<Item = Instead>) -> Refusal {
        self.instead.extend(instead);
        self
    }

    /// Is it the same rule that refuses, whatever the amount or the bet?
    #[must_use]
    pub fn is_alike(&self, other: &Refusal) -> bool {
        self.ground == other.ground && (self.code.name() == other.code.name() || matches!(self.ground, Ground::Law(_)))
    }

    /// The sections that say so. Empty unless the law refuses.
    #[must_use]
    pub fn cites(&self) -> &Cites {
        static NONE: Cites = Cites(Vec::new());
        match &self.ground {
            Ground::Law(cites) => cites,
            _ => &NONE,
        }
    }

    /// The key of the house rule. None unless the house refuses.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match &self.ground {
            Ground::House { key } => Some(key),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence())?;
        match &self.ground {
            Ground::Law(cites) => write!(f, " [{cites}]"),
            Ground::House { key } => write!(f, " [house rule {key}]"),
            Ground::Procedure | Ground::Impossible => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}
