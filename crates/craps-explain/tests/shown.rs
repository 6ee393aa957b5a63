//! The texts that a page shows of odds.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_explain::odds::{OddsAsk, Staked, priced};
use craps_explain::shown::{ShownOdds, ShownRecord};
use craps_law::Library;
use craps_money::Stake;
use craps_odds::Solver;

fn ask(book: &str, wager: &str) -> OddsAsk {
    OddsAsk { books: vec![book.to_owned()], wagers: vec![wager.to_owned()], ..OddsAsk::default() }
}

fn records(ask: &OddsAsk) -> Vec<ShownRecord> {
    let (library, mut solver) = (Library::shipped(), Solver::default());
    let rows = priced(&mut solver, &library, ask).unwrap().rows;
    rows.iter().map(|row| row.shown_record(&mut solver, ask)).collect()
}

fn shown(book: &str, wager: &str) -> Vec<ShownOdds> {
    records(&ask(book, wager)).into_iter().map(|record| record.shown).collect()
}

/// Returns the payout in full and in a few words of the first price with this pay table.
fn pays(book: &str, wager: &str, table: Option<&str>) -> (Option<String>, String) {
    let all = shown(book, wager);
    let one = all.into_iter().find(|shown| shown.table.as_deref() == table);
    let one = one.unwrap_or_else(|| panic!("{book} has no {wager} with table {table:?}"));
    (one.pays, one.short)
}

#[test]
fn a_payout_is_the_books_and_has_a_short_form() {
    let full = |text: &str| Some(text.to_owned());
    assert_eq!(pays("nj", "place-win-6", None), (full("7 to 6"), "7 to 6".to_owned()));
    assert_eq!(pays("pa", "any-seven", None), (full("4 to 1"), "4 to 1".to_owned()));
    assert_eq!(pays("md", "any-seven", Some("26 to 5")), (full("26 to 5"), "26 to 5".to_owned()));
    let field = "2: 2 to 1; 3: 1 to 1; 4: 1 to 1; 9: 1 to 1; 10: 1 to 1; 11: 1 to 1; 12: 2 to 1";
    assert_eq!(pays("nj", "field", None), (full(field), "≤ 2 to 1".to_owned()));
    let fire = "4: 25 for 1; 5: 250 for 1; 6: 1000 for 1";
    assert_eq!(pays("co", "fire", Some("FB-1")), (full(fire), "≤ 1000 for 1".to_owned()));
}

#[test]
fn odds_have_the_number_they_are_on_and_its_payout() {
    let all = shown("nj", "pass-odds");
    let rows: Vec<_> = all.iter().map(|one| (one.wager.as_str(), one.number, one.short.as_str())).collect();
    assert_eq!(rows[..2], [("pass-odds", Some(4), "2 to 1"), ("pass-odds", Some(5), "3 to 2")]);
    assert!(all.iter().all(|one| one.pays.as_ref() == Some(&one.short) && one.code == all[0].code));
    let come = shown("nj", "come-odds-10");
    assert_eq!((come.len(), come[0].number, come[0].code.as_str()), (1, Some(10), "C10O"));
    assert_eq!(shown("nj", "place-win-6")[0].number, None, "the number is part of the wager");
}

#[test]
fn the_highest_of_several_payouts_is_the_highest_win() {
    for record in records(&OddsAsk::default()) {
        let ShownOdds { pays: Some(pays), short, .. } = &record.shown else { continue };
        let odds = |text: &str| text.parse::<craps_money::Odds>().ok();
        let prizes: Vec<_> = pays.split("; ").filter_map(|one| odds(one.rsplit(": ").next()?)).collect();
        match short.strip_prefix("≤ ") {
            None => assert!(prizes.iter().all(|prize| prize.to_string() == *short), "{pays}: {short}"),
            Some(top) => {
                let top = odds(top).unwrap();
                assert!(prizes.iter().all(|prize| prize.cmp_net(top).is_le()), "{pays}: {short}");
                assert!(prizes.contains(&top) && prizes.iter().any(|prize| *prize != top), "{pays}: {short}");
            }
        }
    }
}

#[test]
fn a_bet_without_a_payout_of_its_own_shows_how_it_is_settled_or_what_it_wins() {
    assert_eq!(pays("nj", "horn", None), (None, "by parts".to_owned()));
    let raised: Vec<_> = shown("pa", "any-seven").into_iter().filter(|one| one.raised).collect();
    assert!(!raised.is_empty());
    for one in raised {
        assert!(one.pays.is_none() && one.short.starts_with("wins "), "{one:?}");
    }
}

#[test]
fn a_commission_is_given_in_words() {
    let all = shown("pa", "buy-4");
    let words: Vec<_> = all.iter().filter_map(|one| one.commission.as_ref()).collect();
    assert!(words.iter().any(|one| one.words == "5% of the stake, up front" && one.when == "up front"), "{words:?}");
    assert!(words.iter().any(|one| one.words == "5% of the stake, on a win" && one.rate == "5%"), "{words:?}");
    assert!(shown("pa", "pass").iter().all(|one| one.commission.is_none()));
}

#[test]
fn a_price_names_only_the_readings_it_depends_on() {
    let library = Library::shipped();
    for record in records(&OddsAsk::default()) {
        let book = library.book(&record.record.book).unwrap();
        for reading in &record.shown.readings {
            assert!(book.readings.contains_key(reading), "{}: {reading}", book.id);
        }
    }
    let readings = |book: &str, wager: &str, is_it: fn(&ShownOdds) -> bool| {
        shown(book, wager).into_iter().find(is_it).map(|one| one.readings).unwrap()
    };
    let when = |one: &ShownOdds| one.commission.as_ref().map(|commission| commission.when.clone());
    let found: Vec<_> = shown("pa", "buy-4").iter().map(|one| (when(one), one.readings.clone())).collect();
    assert_eq!(found[0], (Some("up front".to_owned()), vec![]));
    assert_eq!(found[1], (Some("on a win".to_owned()), vec!["A-55".to_owned(), "A-56".to_owned()]));
    assert_eq!(readings("md", "any-seven", |one| one.table.is_some()), ["A-54"]);
    assert!(readings("pa", "any-seven", |one| one.table.is_none()).is_empty());
}

#[test]
fn a_refused_stake_has_its_reason_apart_from_its_sections() {
    let stake = |minor: i64| Stake::new(craps_money::Money::from_minor(minor)).unwrap();
    let staked = Staked { amount: stake(7_00), chip: stake(100) };
    let refused = records(&OddsAsk { stake: Some(staked), ..ask("pa", "place-win-6") });
    let (record, shown) = (&refused[0].record, refused[0].shown.refused.as_ref().unwrap());
    let cite = shown.cite.as_ref().unwrap();
    assert_eq!(record.refused.as_ref().unwrap(), &format!("{} [{cite}]", shown.words));
    assert!(!shown.words.contains('[') && cite.starts_with("PA "), "{shown:?}");
}
