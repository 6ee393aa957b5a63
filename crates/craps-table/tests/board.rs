//! The bets of a table, and the ones nearest to a bet that it doesn't have.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{HouseRules, Library, TableRules};
use craps_table::Board;
use craps_wagers::Catalogue;

/// New Jersey's rules with everything that a house may offer.
fn rules() -> TableRules {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    let mut house = HouseRules::plain("nj", book.sample_day);
    house.set("offer", "all").unwrap();
    book.admit(&house).unwrap()
}

#[test]
fn a_table_without_wagers_has_no_bets() {
    let mut rules = rules();
    assert!(!Board::new(&rules).unwrap().is_empty());
    rules.wagers.clear();
    assert!(Board::new(&rules).unwrap().is_empty());
}

#[test]
fn the_nearest_bets_are_on_the_same_number_or_else_of_the_same_family() {
    let board = Board::new(&rules()).unwrap();
    let near = |slug: &str| -> Vec<&str> {
        let ids = board.near(Catalogue::built_in().find(slug).unwrap());
        ids.into_iter().map(|id| board.slot(id).name.as_str()).collect()
    };
    assert_eq!(near("put-6"), ["place-win-6", "buy-6", "lay-6", "place-lose-6", "hard-6"]);
    assert_eq!(near("put-5"), ["place-win-5", "buy-5", "lay-5", "place-lose-5"]);
    // No bet of this table is on the 2 or the 12 until it is decided.
    assert!(near("place-win-12").iter().all(|name| name.starts_with("place-win-")), "{:?}", near("place-win-12"));
    // Names of one-roll bets, nearest first.
    let over = near("over-7");
    assert!(over.contains(&"field") && !over.contains(&"pass") && over.len() > 10, "{over:?}");
    assert_eq!(over[0], "field");
}

#[test]
fn boards_have_slots_for_the_points_of_the_game() {
    let library = Library::shipped();
    for book in &library.books {
        let rules = book.admit(&HouseRules::plain(&book.id, book.sample_day)).unwrap();
        let board = Board::new(&rules).unwrap();
        assert!(!board.is_empty() && board.len() == board.slots().count());
        let all = rules.points.all();
        for (_, slot) in board.slots() {
            assert!(slot.number.is_none_or(|number| all.contains(&number)), "{}: {}", book.id, slot.name);
        }
    }
}
