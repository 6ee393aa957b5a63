//! The strategies that come with the program.

use crate::language::{Mistakes, Script};
use craps_law::Source;

/// Name and text of each strategy, sorted by name.
const ALL: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/strategies.rs"));

/// A strategy that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Name of the strategy file without its extension, such as "molly".
    pub name: &'static str,
    /// Contents of the strategy file.
    pub text: &'static str,
}

impl Shipped {
    /// Iterates over all shipped strategies, sorted by name.
    ///
    /// ```
    /// use craps_sim::shipped::Shipped;
    /// assert!(Shipped::all().any(|strategy| strategy.name == "molly"));
    /// ```
    pub fn all() -> impl Iterator<Item = Shipped> {
        ALL.iter().map(|(name, text)| Shipped { name, text })
    }

    /// Returns the strategy with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Shipped> {
        Shipped::all().find(|shipped| shipped.name == name)
    }

    /// Returns the text together with its file name, as [`crate::seated::Seated::new`] takes it.
    #[must_use]
    pub fn text_source(&self) -> Source {
        Source { path: self.source(), text: self.text.to_owned() }
    }

    /// Returns the file name, such as "molly.strategy". Error messages use it.
    #[must_use]
    pub fn source(&self) -> String {
        format!("{}.strategy", self.name)
    }

    /// Parses the strategy.
    ///
    /// # Errors
    /// All mistakes in the text. A test makes sure that shipped strategies have none.
    pub fn script(&self) -> Result<Script, Mistakes> {
        Script::read(&self.source(), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_can_be_read_and_says_what_it_is() {
        assert!(Shipped::all().count() >= 25);
        for shipped in Shipped::all() {
            let script = shipped.script().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
            assert!(!script.about.is_empty() && !script.from.is_empty(), "{}", shipped.name);
        }
    }
}
