//! Houses as they are asked for: a sample, a file's text, or a book with keys.

use crate::error::ApiError;
use axum::http::StatusCode;
use craps_explain::NotExplained;
use craps_law::{Game, HouseRules, Library, Problem, Source};
use craps_notation::{Place, Unplayable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A house: one of `sample`, `toml` or `book`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct House {
    /// A sample house, by the name that `GET /houses` lists.
    pub sample: Option<String>,
    /// A house file, as text.
    pub toml: Option<String>,
    /// A book.
    pub book: Option<String>,
    /// With a book: the day, such as `2023-10-01`; without it the book's sample day.
    pub as_of: Option<String>,
    /// With a book: the game; without it the book's first.
    pub game: Option<String>,
    /// With a book: what the house chooses, key by key.
    #[serde(default)]
    pub keys: BTreeMap<String, Value>,
}

/// The value of a house key. A number that is not whole is written as text, so that no cent of it is lost.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
#[schema(as = HouseValue)]
pub enum Value {
    /// As text.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// Yes or no.
    YesNo(bool),
    /// Several.
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

/// A sample house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SampleHouse)]
pub struct Sample {
    /// What it is asked for by.
    pub sample: String,
    /// What it calls itself.
    pub name: String,
    /// Its book.
    pub book: String,
    /// The day its rules are for.
    pub as_of: String,
    /// Its game.
    pub game: Option<&'static str>,
    /// What it chooses, key by key.
    pub keys: BTreeMap<String, String>,
}

/// The name of a sample's file, without its ending.
fn stem(source: &Source) -> &str {
    source.path.strip_suffix(".toml").unwrap_or(&source.path)
}

/// The sample houses of books that are there.
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

/// What is malformed.
fn ill_formed(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "malformed", message)
}

impl House {
    /// Its rules, well formed; whether they are lawful is the book's to say.
    ///
    /// # Errors
    /// When it names nothing, or several things, or something is malformed or not there.
    pub fn rules(&self, library: &Library) -> Result<HouseRules, ApiError> {
        let with_book = self.as_of.is_some() || self.game.is_some() || !self.keys.is_empty();
        match (&self.sample, &self.toml, &self.book) {
            (Some(name), None, None) if !with_book => {
                let source = HouseRules::samples().into_iter().find(|source| stem(source) == name);
                let unknown =
                    || ApiError::not_found(format!("no sample house is called `{name}`: `GET /houses` lists them"));
                library.house(&source.ok_or_else(unknown)?, None).map_err(|error| ill_formed(error.to_string()))
            }
            (None, Some(text), None) if !with_book => {
                let source = Source { path: "house".to_owned(), text: text.clone() };
                library.house(&source, None).map_err(|error| ill_formed(error.to_string()))
            }
            (None, None, Some(id)) => self.by_book(library, id),
            _ => Err(ApiError::bad_request(
                "a house is one of: `sample`, `toml`, or `book` with `as_of`, `game` and `keys`",
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
            house.set(key, &value.text()).map_err(ill_formed)?;
        }
        Ok(house)
    }
}

/// A house that may not play so, as an error: every problem with its words.
pub(crate) fn unlawful(problems: &[Problem]) -> ApiError {
    let words = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unlawful", format!("the house is unlawful: {words}"))
}

/// A malformed game, with the place of the mistake.
pub(crate) fn malformed(place: Place, message: &str) -> ApiError {
    let Place { line, column } = place;
    ill_formed(format!("line {line}, column {column}: {message}"))
}

/// A game that cannot be played.
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
