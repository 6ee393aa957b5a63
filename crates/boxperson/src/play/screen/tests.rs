//! The screen without a terminal.

use super::state::Screen;
use super::theme::{Depth, Theme};
use crate::play::dice::DiceSource;
use crate::play::house;
use crate::play::rail::{Rail, Ways};
use craps_law::Library;
use std::path::Path;
use std::sync::OnceLock;

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::shipped)
}

/// Every sample house that is lawful, and every book.
pub(super) fn houses() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../houses");
    let mut all: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .filter(|path| path.ends_with(".toml"))
        .collect();
    assert!(all.len() > 8, "houses/ is not where it was");
    all.extend(library().books.iter().map(|book| book.id.clone()));
    all
}

/// A table at a house, with dice from a seed, at which this was said.
fn seated(name: &str, seats: &str, seed: u64, ways: Ways, said: &[&str]) -> Rail<'static> {
    let house = house::named(library(), name).unwrap();
    let session = crate::play::open(library(), name, &house, seats, DiceSource::Seed(seed)).unwrap();
    let mut rail = Rail::new(library(), session, ways, None);
    for line in said {
        rail.hear(line).unwrap();
    }
    rail
}

/// A table with one player at which this was said.
pub(super) fn rail(house: &str, said: &[&str]) -> Rail<'static> {
    seated(house, "1 You 500", 7, Ways::default(), said)
}

/// Throws these dice.
pub(super) fn throws(rail: &mut Rail<'_>, dice: &[&str]) {
    for dice in dice {
        rail.throw(dice.parse().unwrap()).unwrap();
    }
}
