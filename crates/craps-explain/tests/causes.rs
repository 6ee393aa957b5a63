//! Checks that every result has the right cause.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_explain::{Cause, WhyCard};
use craps_law::{Library, Source};
use craps_notation::{Line, NoHouseFile, Steps, no_house_files, nth, read, titles};
use craps_odds::Solver;
use craps_table::Verdict;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns code, cause and citation of each result of the last roll of a game.
fn why(rules: &str, rolls: &str) -> Vec<(String, String, String)> {
    let library = Library::shipped();
    let text = format!("[CGN \"1\"] {rules} [Seats \"1 Ann 5000\"]\n{rolls}\n");
    let games = read(&text).unwrap();
    let (game, tags) = nth(&games, 1).unwrap();
    let mut steps = Steps::open(&library, game, &tags, &no_house_files, None).unwrap();
    let mut last = None;
    for line in &game.lines {
        last = steps.line(line).unwrap().or(last);
    }
    let last = last.unwrap();
    assert!(last.acts.iter().all(|act| act.refused.is_none()), "{:?}", last.acts);
    let at = (last.before.rules(), last.before.board());
    let mut solver = Solver::default();
    let card = |one| WhyCard::new(&library, &mut solver, at, 1, one);
    let cards: Vec<WhyCard> = last.results.iter().map(card).collect();
    cards.into_iter().map(|card| (card.bet, card.cause.to_string(), card.cite)).collect()
}

#[track_caller]
fn is_why(rolls: &str, bet: &str, cause: &str) {
    let found = why("[Rules \"pa as-of 2023-10-01\"]", rolls);
    let own = found.iter().find(|(code, ..)| code == bet);
    assert_eq!(own.map(|(_, cause, _)| cause.as_str()), Some(cause), "{found:?}");
}

#[test]
fn line_and_come_bets_are_decided_by_their_first_roll_or_by_their_number() {
    is_why("1. 1:P+10 | 5-6 |", "P", "11 on the come-out roll");
    is_why("1. 1:P+10 | 6-6 |", "P", "craps 12 on the come-out roll");
    is_why("1. 1:DP+10 | 3-4 |", "DP", "7 on the come-out roll");
    is_why("1. 1:P+10 | 4-2 |\n2. | 3-3 |", "P", "the 6 came before the seven");
    is_why("1. 1:P+10 | 4-2 |\n2. | 3-4 |", "P", "the seven came before the 6");
    is_why("1. 1:DP+10 | 4-2 |\n2. | 3-3 |", "DP", "the 6 came before the seven");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:C+10 | 1-2 |", "C", "craps 3 on its first roll");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:C+10 | 4-4 |", "C", "the 8 is its number now");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:C+10 | 4-4 |\n3. | 6-1 |", "C8", "the seven came before the 8");
}

#[test]
fn numbers_and_hardways_race_the_seven() {
    is_why("1. 1:P+10 | 4-2 |\n2. 1:PL8+12 | 4-4 |", "PL8", "the 8 came before the seven");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:PL8+12 | 6-1 |", "PL8", "the seven came before the 8");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:H8+5 | 5-3 |", "H8", "the 8 came as 3-5, but only 4-4 wins");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:H8+5 | 4-4 |", "H8", "4-4 came before a seven or any other 8");
    is_why("1. 1:P+10 | 4-2 |\n2. 1:H8+5 | 6-1 |", "H8", "the seven came before the 8");
}

#[test]
fn one_roll_bets_hit_their_set_or_miss_it() {
    is_why("1. 1:P+10 1:F+5 | 3-4 |", "F", "it doesn't win on 3-4");
    is_why("1. 1:P+10 1:F+5 | 1-2 |", "F", "it wins on 1-2");
}

#[test]
fn a_barred_total_is_named_with_its_section_and_not_with_that_of_the_offer() {
    let found = why("[Rules \"pa as-of 2023-10-01\"]", "1. 1:DP+10 | 6-6 |");
    assert_eq!(found[0].1, "12 is barred");
    assert_eq!(found[0].2, "PA 623a.3(a)(2)(iii)");
}

#[test]
fn odds_that_come_back_say_whether_they_were_called_off() {
    // The come odds are off on the come-out roll that decides their come bet.
    let rolls = "1. 1:P+10 | 4-2 |\n2. 1:C+10 | 4-4 |\n3. 1:C8O+10 | 3-3 |\n4. 1:P+10 | 3-4 |";
    let found = why("[Rules \"co as-of 2021-06-01\"]", rolls);
    let odds = found.iter().find(|(bet, ..)| bet == "C8O").unwrap();
    assert_eq!(odds.1, "the odds were off on the come-out roll that decided their bet");
    assert!(odds.2.contains("CO 30-2305(5)"), "{odds:?}");
    let rolls = "1. 1:P+10 | 6-4 |\n2. 1:DC+10 | 5-3 |\n3. 1:DC8O+60 | 5-5 |\n4. 1:P+10 1:DC8O!off | 6-1 |";
    let found = why("[Rules \"pa as-of 2023-10-01\"] [House \"off_calls_any=yes\"]", rolls);
    let odds = found.iter().find(|(bet, ..)| bet == "DC8O").unwrap();
    assert_eq!(odds.1, "the odds were turned off when their bet was decided");
}

/// Returns the game files with the worked examples of all books.
fn vectors() -> Vec<PathBuf> {
    let books = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks");
    let entries = |path: &Path| -> Vec<PathBuf> {
        fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    };
    let folders = entries(&books).into_iter().map(|book| book.join("vectors"));
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| entries(&folder))
        .filter(|path| path.extension().is_some_and(|end| end == "cgn"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_result_of_every_worked_game_has_a_cause_that_fits_its_verdict() {
    let library = Library::shipped();
    let (mut kinds, mut results) = (BTreeSet::new(), 0);
    for path in vectors() {
        let beside = |name: &str| {
            let path = path.parent().unwrap().join(name);
            let text = fs::read_to_string(&path).map_err(|error| NoHouseFile(error.to_string()))?;
            Ok(Source { path: name.to_owned(), text })
        };
        let games = read(&fs::read_to_string(&path).unwrap()).unwrap();
        for number in 1..=titles(&games).len() {
            let (game, tags) = nth(&games, number).unwrap();
            let Ok(mut steps) = Steps::open(&library, game, &tags, &beside, None) else { continue };
            for line in &game.lines {
                let Some(step) = steps.line(line).unwrap().filter(|_| matches!(line, Line::Roll(_))) else { continue };
                let (rules, layout) = (step.before.rules(), step.before.board());
                for one in &step.results {
                    let cause = Cause::new(layout.rules(rules, one.slot), layout, one);
                    let code = &layout.slot(one.slot).code;
                    let told = format!("{} game {number}: {code} {:?}: {cause}", path.display(), one.verdict);
                    let returned = matches!(
                        cause,
                        Cause::Barred(_) | Cause::OddsOff { .. } | Cause::PaysTheStake(_) | Cause::PartsEven(_)
                    );
                    assert_eq!(returned, one.verdict == Verdict::Returned, "{told}");
                    assert!(!matches!(cause, Cause::Roll(_) | Cause::Void(_)), "no cause is named: {told}");
                    kinds.insert(format!("{cause:?}").split([' ', '(']).next().unwrap().to_owned());
                    results += 1;
                }
            }
        }
    }
    assert!(results > 1_000, "{results}");
    assert!(kinds.len() >= 15, "{kinds:?}");
}
