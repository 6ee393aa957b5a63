//! Several houses of one casino, in one file.

use super::{HouseRules, Shape, day_in};
use crate::{Day, LawError, Library, Source};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The houses of one casino. The law wants some of their choices to be the same: [`RuleBook::uniform`](crate::RuleBook::uniform)
/// compares them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Casino {
    /// Name of the casino.
    pub name: Option<String>,
    /// Houses with the names that problems use: the path in the list, or the name of the house.
    pub houses: Vec<(String, HouseRules)>,
}

impl Casino {
    /// Returns the paths of the house files that a casino file lists. `None` when the text is no casino file.
    ///
    /// # Errors
    /// When the text is no TOML, or the list is not a list of paths.
    pub fn files(source: &Source) -> Result<Option<Vec<String>>, LawError> {
        let file = DeTable::parse(&source.text).map_err(|error| LawError::toml(source, &error))?;
        let Some(casino) = file.get_ref().get("casino") else { return Ok(None) };
        let DeValue::Table(casino) = casino.get_ref() else {
            return Err(wrong(source, casino, "a table [casino]"));
        };
        let Some(houses) = casino.get("houses") else { return Ok(Some(Vec::new())) };
        let DeValue::Array(paths) = houses.get_ref() else {
            return Err(wrong(source, houses, "a list of house files"));
        };
        let path = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(path) => Ok(path.to_string()),
            _ => Err(wrong(source, value, "the path of a house file in quotes")),
        };
        paths.iter().map(path).collect::<Result<_, _>>().map(Some)
    }
}

impl Library {
    /// Reads a casino file: the house files that it lists, whose texts are `files` in the same order, and its own `[[house]]` tables.
    /// `as_of` replaces the days in the files.
    ///
    /// # Errors
    /// At the first mistake in one of the files, or when a book is unknown.
    pub fn casino(&self, source: &Source, files: &[Source], as_of: Option<Day>) -> Result<Casino, LawError> {
        let paths = Casino::files(source)?.unwrap_or_default();
        let mut houses: Vec<(String, HouseRules)> = Vec::new();
        for (path, file) in paths.into_iter().zip(files) {
            houses.push((path, self.house(file, as_of)?));
        }
        let file = DeTable::parse(&source.text).map_err(|error| LawError::toml(source, &error))?;
        let mut shape = Shape { choices: "keys", header: "[house.keys]", book: None, as_of: None };
        let mut name = None;
        for (key, value) in file.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("casino", DeValue::Table(casino)) => name = about(source, casino, &mut shape)?,
                ("house", DeValue::Array(_)) => {}
                ("house", _) => return Err(wrong(source, value, "[[house]] tables")),
                (other, _) => {
                    let message = format!("unknown key `{other}`: expected [casino] or [[house]]");
                    return Err(LawError::at(source, key.span(), message));
                }
            }
        }
        let own = match file.get_ref().get("house").map(Spanned::get_ref) {
            Some(DeValue::Array(own)) => own.iter().collect(),
            _ => Vec::new(),
        };
        for value in own {
            let DeValue::Table(table) = value.get_ref() else {
                return Err(wrong(source, value, "a [[house]] table"));
            };
            let house = HouseRules::read_table(source, table, as_of, Arc::clone(self.keys()), &shape)?;
            if let Err(unknown) = self.named(&house.book) {
                return Err(house.unknown_book(source, unknown));
            }
            let Some(name) = house.name.clone() else {
                let message = "a [[house]] needs a `name`, so that problems can name it";
                return Err(LawError::at(source, value.span(), message));
            };
            houses.push((name, house));
        }
        if houses.is_empty() {
            let message = "no houses: list house files in `houses`, or add [[house]] tables";
            return Err(LawError::of(&source.path, message));
        }
        Ok(Casino { name, houses })
    }
}

/// Reads what a casino file says about the casino: its name, and the book and day of houses that name none.
fn about(source: &Source, casino: &DeTable<'_>, shape: &mut Shape<'_>) -> Result<Option<String>, LawError> {
    let mut name = None;
    for (key, value) in casino {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("name", DeValue::String(text)) => name = Some(text.to_string()),
            ("book", DeValue::String(text)) => shape.book = Some((text.to_string(), value.span())),
            ("name" | "book", _) => return Err(wrong(source, value, "a string in quotes")),
            ("as_of", _) => shape.as_of = Some(day_in(source, value)?),
            ("houses", _) => {}
            (other, _) => {
                let message = format!("unknown key `{other}`: expected name, houses, book or as_of");
                return Err(LawError::at(source, key.span(), message));
            }
        }
    }
    Ok(name)
}

fn wrong(source: &Source, value: &Spanned<DeValue<'_>>, expected: &str) -> LawError {
    LawError::at(source, value.span(), format!("expected {expected}, found `{}`", &source.text[value.span()]))
}
