use craps_law::Cites;
use std::fmt;

/// Why the table does not do what it was asked: a value, with the words that forbid it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, and what would do.
    pub message: String,
    /// By which words.
    pub cites: Cites,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, cites: &Cites) -> Refusal {
        Refusal { message: message.into(), cites: cites.clone() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.cites)
    }
}

impl std::error::Error for Refusal {}
