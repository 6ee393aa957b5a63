//! Amounts: limits, multiples, and what is offered instead of an amount that doesn't fit.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

mod seated;

use craps_law::Raise;
use craps_table::{Actor, Code, Command, Ground, Instead, Refusal, Table};
use seated::{bet, roll};

/// A table of a house with these choices, and a player with plenty of chips.
fn table(book: &str, choices: &[(&str, &str)]) -> Table {
    seated::table(seated::rules(book, choices), "1000000")
}

/// The amounts that the table offers instead.
fn offered(refusal: &Refusal) -> Vec<String> {
    let amount = |instead: &Instead| match instead.command() {
        Some((_, Command::Bet { amount, .. })) => Some(amount.money().to_string()),
        _ => None,
    };
    refusal.instead.iter().filter_map(amount).collect()
}

#[test]
fn the_nearest_amounts_within_the_limits_are_offered() {
    let mut table = table("nj", &[("limits.min", "10"), ("limits.max", "100")]);
    let mut instead = |name: &str, amount: &str| offered(&bet(&mut table, name, amount).unwrap_err());
    assert_eq!(instead("pass", "5"), ["10"]);
    assert_eq!(instead("pass", "101"), ["100"]);
    // The 6 and 8 pay 7 to 6.
    assert_eq!(instead("place-win-6", "13"), ["12", "18"]);
    assert_eq!(instead("place-win-6", "7"), ["12", "18"]);
    assert_eq!(instead("place-win-6", "6"), ["12"]);
    assert_eq!(instead("place-win-6", "97"), ["96"]);
    assert_eq!(instead("place-win-6", "5000"), ["96"]);
}

#[test]
fn amounts_to_add_are_worded_as_such() {
    let mut table = table("nj", &[]);
    let texts = |refusal: Refusal| refusal.instead.iter().map(Instead::text).collect::<Vec<_>>();
    assert_eq!(texts(bet(&mut table, "place-win-6", "13").unwrap_err()), ["Bet $12", "Bet $18"]);
    bet(&mut table, "place-win-6", "12").unwrap();
    assert_eq!(texts(bet(&mut table, "place-win-6", "7").unwrap_err()), ["Add $6", "Add $12"]);
}

#[test]
fn a_table_with_one_amount_offers_that_amount() {
    let mut table = table("nj", &[("limits.min", "25"), ("limits.max", "25")]);
    assert_eq!(offered(&bet(&mut table, "pass", "30").unwrap_err()), ["25"]);
    // No multiple of 6 fits.
    assert_eq!(offered(&bet(&mut table, "place-win-6", "30").unwrap_err()), Vec::<String>::new());
    bet(&mut table, "pass", "25").unwrap();
}

/// The house is the ground of a maximum only where its own maximum is the lower one.
#[test]
fn the_lower_of_two_limits_on_odds_is_the_ground() {
    let ground = |max: &str| {
        let mut table = table("co", &[("limits.min", "5"), ("limits.max", max)]);
        bet(&mut table, "pass", "10").unwrap();
        roll(&mut table, "2-2");
        let terms = table.terms(1, table.board().named("pass-odds").unwrap(), None).unwrap();
        let most = terms.max.unwrap().to_string();
        (most, matches!(terms.max_by, Ground::House { ref key } if key == "limits.max"))
    };
    let (free, by_house) = ground("100000");
    assert!(!by_house, "{free}");
    assert_eq!(ground(&free), (free.clone(), false), "the same limit twice");
    assert_eq!(ground("20"), ("20".to_owned(), true));
}

#[test]
fn odds_that_the_book_never_lets_a_player_raise_stay_as_they_are() {
    let mut rules = seated::rules("nj", &[("odds.k", "10")]);
    let odds = rules.wagers.iter_mut().find(|wager| wager.wager.wager().slug == "pass-odds").unwrap();
    odds.raise.is = Raise::Never;
    let mut table = seated::table(rules, "1000");
    bet(&mut table, "pass", "10").unwrap();
    roll(&mut table, "2-2");
    bet(&mut table, "pass-odds", "10").unwrap();
    let refusal = bet(&mut table, "pass-odds", "10").unwrap_err();
    assert!(matches!(refusal.code, Code::NoRaise { moved: false, .. }), "{refusal}");
}

#[test]
fn a_limit_is_of_the_table_or_of_a_group_of_bets() {
    let mut table = table(
        "nj",
        &[("limits.min", "10"), ("limits.max", "100"), ("limits.prop.min", "2"), ("limits.prop.max", "50")],
    );
    let mut told = |name: &str, amount: &str| bet(&mut table, name, amount).unwrap_err().sentence();
    assert_eq!(told("pass", "5"), "Table minimum is $10.");
    assert_eq!(told("pass", "101"), "Table maximum is $100.");
    assert_eq!(told("any-seven", "1"), "Minimum on Any Seven is $2.");
    assert_eq!(told("any-seven", "51"), "Maximum on Any Seven is $50 now.");
}

#[test]
fn an_alternative_says_what_to_do_with_which_bet() {
    let mut table = table("nj", &[("limits.min", "10")]);
    let slot = table.board().named("pass").unwrap();
    let instead = bet(&mut table, "pass", "5").unwrap_err().instead.remove(0);
    assert_eq!((instead.op(), instead.bet().unwrap().code()), ("bet", table.board().slot(slot).code.as_str().into()));
    assert_eq!(instead.amount().unwrap().to_string(), "10");
    bet(&mut table, "pass", "10").unwrap();
    let down = Command::TakeDown { seat: 1, slot, amount: "20".parse().unwrap() };
    let instead = table.run(Actor::player(1), &down).unwrap_err().instead.remove(0);
    assert_eq!(
        (instead.op(), instead.bet().is_some(), instead.amount().unwrap().to_string()),
        ("down", true, "10".to_owned())
    );
}
