//! Several errors as one.

use crate::{LawError, Problem};
use std::fmt;
use std::ops::Deref;

/// A list of errors as one error. It derefs to a slice and prints one error per line.
///
/// ```
/// use craps_law::{HouseRules, Library};
/// fn open(odds: &str) -> Result<(), Box<dyn std::error::Error>> {
///     let library = Library::shipped();
///     let book = library.named("pa")?;
///     let mut house = HouseRules::plain("pa", book.sample_day);
///     house.set("odds.k", odds)?;
///     book.admit(&house)?;
///     Ok(())
/// }
/// assert!(open("20").unwrap_err().to_string().starts_with("odds.k: "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors<E>(Vec<E>);

/// All problems of a house that its book doesn't allow.
pub type Problems = Errors<Problem>;
/// All mistakes in the files of the books.
pub type LawErrors = Errors<LawError>;

impl<E> Errors<E> {
    /// Returns the errors as a `Vec`.
    #[must_use]
    pub fn into_vec(self) -> Vec<E> {
        self.0
    }
}

impl<E> From<Vec<E>> for Errors<E> {
    fn from(all: Vec<E>) -> Errors<E> {
        Errors(all)
    }
}

impl<E> Deref for Errors<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.0
    }
}

impl<E> IntoIterator for Errors<E> {
    type Item = E;
    type IntoIter = std::vec::IntoIter<E>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Errors<E> {
    type Item = &'a E;
    type IntoIter = std::slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<E: fmt::Display> fmt::Display for Errors<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            let line = if at == 0 { "" } else { "\n" };
            write!(f, "{line}{error}")?;
        }
        Ok(())
    }
}

impl<E: std::error::Error> std::error::Error for Errors<E> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> LawErrors {
        vec![LawError::of("pa/book.toml", "one"), LawError::of("md/book.toml", "two")].into()
    }

    #[test]
    fn several_errors_are_printed_one_on_each_line() {
        assert_eq!(two().to_string(), "pa/book.toml: one\nmd/book.toml: two");
        assert_eq!(LawErrors::from(vec![LawError::of("pa/book.toml", "one")]).to_string(), "pa/book.toml: one");
        assert_eq!(LawErrors::from(Vec::new()).to_string(), "");
    }

    #[test]
    fn each_error_can_be_taken_out_in_order() {
        let expected = [LawError::of("pa/book.toml", "one"), LawError::of("md/book.toml", "two")];
        assert_eq!(two().into_vec(), expected);
        assert_eq!(two().into_iter().collect::<Vec<_>>(), expected);
        let mut seen = Vec::new();
        for error in &two() {
            seen.push(error.clone());
        }
        assert_eq!(seen, expected);
    }
}
