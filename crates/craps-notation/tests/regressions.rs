//! Games that once gave wrong results, found by vectors, the reference model and fuzzing. They must stay right.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::Library;
use craps_notation::{Names, play, read};

#[test]
fn what_once_went_wrong_stays_right() {
    let games = read(include_str!("regressions.cgn")).unwrap();
    let played = play(&Library::shipped(), &games, Names::Codes, &craps_notation::no_house_files).unwrap();
    let differences: Vec<_> = played.iter().flat_map(|game| &game.differences).collect();
    assert!(differences.is_empty(), "{differences:#?}");
}
