//! Refusals: the reason why the table doesn't do something, on which ground, and what it would accept instead.

mod code;
mod instead;
mod words;

use craps_law::{Cites, SetBy};
use craps_wagers::{Name, WagerId};
use std::fmt;

pub use code::{Code, ComeRolls, Locked, Opens};
pub use instead::Instead;

/// The table's answer to a command that it doesn't accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What the refusal is based on.
    pub ground: Ground,
    /// What is wrong, with the values for the sentence.
    pub code: Code,
    /// Alternatives. The table accepts each of them that is a command, in its current state.
    pub instead: Vec<Instead>,
}

/// What a refusal is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// The law, with the sections that say so.
    Law(Cites),
    /// A rule of the house, with its key in the house rules, such as `limits.min`.
    House {
        /// The key in the house rules.
        key: String,
    },
    /// The procedure of this program, where the law and the house say nothing.
    Procedure,
    /// It is impossible: there is no such bet, or not enough chips.
    Impossible,
}

impl Ground {
    /// Returns the stable name of the ground, for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Ground::Law(_) => "law",
            Ground::House { .. } => "house",
            Ground::Procedure => "procedure",
            Ground::Impossible => "impossible",
        }
    }

    /// Returns the law as ground. If there is nothing to cite, returns the program's procedure.
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

/// A bet as named in sentences: a wager, and its number if it has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BetAt {
    /// The wager of the bet.
    pub wager: WagerId,
    /// The number of a come bet that has moved, or of its odds.
    pub number: Option<craps_dice::Point>,
}

impl BetAt {
    /// Returns the code of the bet, such as `PL6`.
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
    /// Creates a refusal on this ground, without alternatives.
    #[must_use]
    pub fn new(ground: Ground, code: Code) -> Refusal {
        Refusal { ground, code, instead: Vec::new() }
    }

    /// Creates a refusal by law. If there is nothing to cite, the ground is the program's procedure.
    #[must_use]
    pub fn law(cites: &Cites, code: Code) -> Refusal {
        Refusal::new(Ground::law(cites), code)
    }

    /// Creates a refusal by a house rule.
    #[must_use]
    pub fn house(key: &str, code: Code) -> Refusal {
        Refusal::new(Ground::House { key: key.to_owned() }, code)
    }

    /// Creates a refusal by the procedure of this program.
    #[must_use]
    pub fn procedure(code: Code) -> Refusal {
        Refusal::new(Ground::Procedure, code)
    }

    /// Creates a refusal of something impossible.
    #[must_use]
    pub fn impossible(code: Code) -> Refusal {
        Refusal::new(Ground::Impossible, code)
    }

    /// Adds alternatives to the refusal.
    #[must_use]
    pub fn or(mut self, instead: impl IntoIterator<Item = Instead>) -> Refusal {
        self.instead.extend(instead);
        self
    }

    /// Do both refusals come from the same rule? Amounts and bets are ignored.
    #[must_use]
    pub fn is_alike(&self, other: &Refusal) -> bool {
        self.ground == other.ground && (self.code.name() == other.code.name() || matches!(self.ground, Ground::Law(_)))
    }

    /// Returns the sections of the law that refuse. Empty if the ground isn't the law.
    #[must_use]
    pub fn cites(&self) -> &Cites {
        static NONE: Cites = Cites(Vec::new());
        match &self.ground {
            Ground::Law(cites) => cites,
            _ => &NONE,
        }
    }

    /// Returns the key of the house rule that refuses. None if the ground isn't a house rule.
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
