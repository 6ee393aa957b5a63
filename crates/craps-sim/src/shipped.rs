//! The strategies that come with the program.

use crate::language::{Mistakes, Script};
use craps_law::Source;

/// Names and texts.
const ALL: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/strategies.rs"));

/// A strategy that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// What it is asked for by.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Shipped {
    /// All of them, by name.
    ///
    /// ```
    /// use craps_sim::shipped::Shipped;
    /// assert!(Shipped::all().any(|strategy| strategy.name == "molly"));
    /// ```
    pub fn all() -> impl Iterator<Item = Shipped> {
        ALL.iter().map(|(name, text)| Shipped { name, text })
    }

    /// The one of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Shipped> {
        Shipped::all().find(|shipped| shipped.name == name)
    }

    /// Its text under the name of its file, as [`crate::seated::Seated::new`] takes it.
    #[must_use]
    pub fn text_source(&self) -> Source {
        Source { path: self.source(), text: self.text.to_owned() }
    }

    /// The name of its file, for telling where something is.
    #[must_use]
    pub fn source(&self) -> String {
        format!("{}.strategy", self.name)
    }

    /// It, read.
    ///
    /// # Errors
    /// Everything that is wrong with it; a test sees to it that nothing is.
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
