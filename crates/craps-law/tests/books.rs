//! What holds for every book that ships, whichever there are.

use craps_law::{HouseRules, Library};

#[test]
fn every_book_verifies() {
    let findings: Vec<String> =
        Library::shipped().books.iter().flat_map(|book| book.verify()).map(|finding| finding.to_string()).collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn a_house_that_names_nothing_may_play_by_every_book() {
    for book in Library::shipped().books {
        let house = HouseRules::plain(&book.id, book.sample_day);
        let rules = book.admit(&house).unwrap_or_else(|problems| panic!("{}: {problems:?}", book.id));
        assert!(rules.wagers.len() > 40, "{}", book.id);
    }
}
