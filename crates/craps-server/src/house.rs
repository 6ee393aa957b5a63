//! Houses in requests: a sample, the text of a file, or a book with keys.

use crate::error::ApiError;
use axum::http::StatusCode;
use craps_explain::NotExplained;
use craps_law::{Game, HouseRules, Library, Problem, Source};
use craps_notation::{Place, Unplayable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A house. Give one of `sample`, `toml` or `book`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct House {
    /// Name of a sample house. `GET /houses` lists them.
    pub sample: Option<String>,
    /// Text of a house file.
    pub toml: Option<String>,
    /// Id of a rule book, such as `pa`.
    pub book: Option<String>,
    /// With `book`: the day of the law, such as `2023-10-01`. The default is the book's sample day.
    pub as_of: Option<String>,
    /// With `book`: the game. The default is the book's first game.
    pub game: Option<String>,
    /// With `book`: the choices of the house, by key.
    #[serde(default)]
    pub keys: BTreeMap<String, Value>,
}

/// The value of a house key. Write a number that isn't whole as text, so that it stays exact.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
#[schema(as = HouseValue)]
pub enum Value {
    /// Text, also for numbers such as `"0.25"`.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// Yes or no.
    YesNo(bool),
    /// Several values.
    List(Vec<String>),
}

impl Value {
    fn text(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Whole(number) => number.to_string(),
            Value::YesNo(yes) => (if *yes { "yes" } else { "no" }).to_owned(),
            Value::List(items) => items.join(","),
        }
    }
}

/// A sample house that comes with the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SampleHouse)]
pub struct Sample {
    /// Name to use in requests.
    pub sample: String,
    /// Display name of the house.
    pub name: String,
    /// Id of its rule book, such as `pa`.
    pub book: String,
    /// The day of the law for its rules.
    pub as_of: String,
    /// Its game. None means the book's first game.
    pub game: Option<&'static str>,
    /// The choices of the house, by key.
    pub keys: BTreeMap<String, String>,
}

/// Returns the name of a sample's file without `.toml`.
fn stem(source: &Source) -> &str {
    source.path.strip_suffix(".toml").unwrap_or(&source.path)
}

/// Returns the sample houses whose books are loaded.
#[must_use]
pub fn samples(library: &Library) -> Vec<Sample> {
    let sample = |source: &Source| {
        let house = library.house(source, None).ok()?;
        Some(Sample {
            sample: stem(source).to_owned(),
            name: house.name.clone().unwrap_or_else(|| stem(source).to_owned()),
            book: house.book.clone(),
            as_of: house.as_of.to_string(),
            game: house.game.map(|game| game.word()),
            keys: house.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        })
    };
    HouseRules::samples().iter().filter_map(sample).collect()
}

/// Creates the error for malformed input.
fn ill_formed(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "malformed", message)
}

impl House {
    /// Returns the rules of the house. They are well formed, but not yet checked against the law.
    ///
    /// # Errors
    /// When none or several of the three are given, or something is malformed or doesn't exist.
    pub fn rules(&self, library: &Library) -> Result<HouseRules, ApiError> {
        let with_book = self.as_of.is_some() || self.game.is_some() || !self.keys.is_empty();
        match (&self.sample, &self.toml, &self.book) {
            (Some(name), None, None) if !with_book => {
                let source = HouseRules::samples().into_iter().find(|source| stem(source) == name);
                let unknown =
                    || ApiError::not_found(format!("There is no sample house `{name}`. `GET /houses` lists them."));
                library.house(&source.ok_or_else(unknown)?, None).map_err(|error| ill_formed(error.to_string()))
            }
            (None, Some(text), None) if !with_book => {
                let source = Source { path: "house".to_owned(), text: text.clone() };
                library.house(&source, None).map_err(|error| ill_formed(error.to_string()))
            }
            (None, None, Some(id)) => self.by_book(library, id),
            _ => Err(ApiError::bad_request(
                "house: expected one of `sample`, `toml`, or `book` with `as_of`, `game` and `keys`",
            )),
        }
    }

    fn by_book(&self, library: &Library, id: &str) -> Result<HouseRules, ApiError> {
        let book = library.named(id).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
        let day = self.as_of.as_deref().map(str::parse).transpose();
        let day = day.map_err(|error: craps_law::NotADay| ill_formed(format!("as_of: {error}")))?;
        let mut house = HouseRules::under(book, day.unwrap_or(book.sample_day));
        if let Some(name) = &self.game {
            let words: Vec<&str> = Game::ALL.iter().map(|game| game.word()).collect();
            let unknown = || ill_formed(format!("game: expected one of {}, found `{name}`", words.join(", ")));
            house.game = Some(Game::find(name).ok_or_else(unknown)?);
        }
        for (key, value) in &self.keys {
            house.set(key, &value.text()).map_err(|error| ill_formed(error.to_string()))?;
        }
        Ok(house)
    }
}

/// Creates the error for an unlawful house, with every problem.
pub(crate) fn unlawful(problems: &[Problem]) -> ApiError {
    let words = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unlawful", format!("The house is unlawful: {words}"))
}

/// Creates the error for a malformed game, with line and column.
pub(crate) fn malformed(place: Place, message: &str) -> ApiError {
    let Place { line, column } = place;
    ill_formed(format!("line {line}, column {column}: {message}"))
}

/// Creates the error for a game that can't be played.
pub(crate) fn unplayable(error: Unplayable) -> ApiError {
    match error {
        Unplayable::Malformed(place, message) => malformed(place, &message),
        Unplayable::Unlawful(_, problems) => unlawful(&problems),
    }
}

impl From<NotExplained> for ApiError {
    fn from(error: NotExplained) -> ApiError {
        match error {
            NotExplained::Unplayable(error) => unplayable(error),
            NotExplained::Missing(message) => ApiError::not_found(message),
            NotExplained::TooLong { .. } => {
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", error.to_string())
            }
        }
    }
}
