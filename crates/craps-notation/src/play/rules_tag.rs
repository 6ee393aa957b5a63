//! The tag `Rules` of a game: which book applies, as of which day.

use craps_law::{Day, HouseRules};
use std::fmt;
use std::str::FromStr;

/// The book and the day of the law, as the header of a game writes them.
///
/// ```
/// use craps_notation::RulesTag;
/// let tag: RulesTag = "pa as-of 2023-10-01".parse()?;
/// assert_eq!(tag.book, "pa");
/// assert_eq!(tag.to_string(), "pa as-of 2023-10-01");
/// assert!("pa".parse::<RulesTag>().is_err());
/// # Ok::<(), craps_notation::NotARulesTag>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesTag {
    /// Id of the book.
    pub book: String,
    /// The day whose law applies.
    pub as_of: Day,
}

/// The error for a text that is not a book and a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotARulesTag(String);

impl fmt::Display for NotARulesTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotARulesTag {}

impl RulesTag {
    /// Returns the book and the day of a house.
    #[must_use]
    pub fn of(house: &HouseRules) -> RulesTag {
        RulesTag { book: house.book.clone(), as_of: house.as_of }
    }
}

impl fmt::Display for RulesTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as-of {}", self.book, self.as_of)
    }
}

impl FromStr for RulesTag {
    type Err = NotARulesTag;

    fn from_str(text: &str) -> Result<RulesTag, NotARulesTag> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [book, "as-of", day] = words[..] else {
            let expected = "expected a book and a day such as \"pa as-of 2023-10-01\"";
            return Err(NotARulesTag(format!("{expected}, found \"{text}\"")));
        };
        let as_of = day.parse().map_err(|error: craps_law::NotADay| NotARulesTag(error.to_string()))?;
        Ok(RulesTag { book: book.to_owned(), as_of })
    }
}
