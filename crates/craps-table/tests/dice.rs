//! The crew's work with the dice: how many a set has, when a new set comes, and when a table closes.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{Answer, Game, HouseRules, Library, TableRules};
use craps_table::{Actor, Code, Command, Crew, Event, Manner, NewDice, Refusal, Role, Table};

/// A book, a game, and how many dice a set has: at least or exactly that many.
const SETS: [(&str, Game, u8, bool); 5] = [
    ("pa", Game::Craps, 5, false),
    ("md", Game::Craps, 5, false),
    ("nj", Game::Craps, 5, false),
    ("nj-automated", Game::Automated, 2, true),
    ("co", Game::Craps, 5, false),
];

fn table(rules: &TableRules) -> Table {
    let mut table = Table::open(rules.clone()).unwrap().with_crew(Crew::People);
    if rules.game == Game::Automated {
        table.apply(&Event::Inspected);
    }
    table
}

fn rules(book: &str, game: Game) -> TableRules {
    let library = Library::shipped();
    let law = library.book(book).unwrap();
    let mut house = HouseRules::plain(book, law.sample_day);
    house.game = Some(game);
    law.admit(&house).unwrap()
}

/// Gives a command to a table, in the first role that may give it.
fn order(table: &mut Table, command: &Command) -> Result<(), Refusal> {
    let may = |role: &Role| table.entitled(Actor::staff(*role), command).is_ok();
    let role = Role::ALL.into_iter().filter(|role| *role != Role::Player).find(may).unwrap();
    table.run(Actor::staff(role), command).map(drop)
}

#[test]
fn a_set_has_as_many_dice_as_the_book_says() {
    for (book, game, size, exactly) in SETS {
        let rules = rules(book, game);
        for dice in 0..10 {
            let lawful = if exactly { dice == size } else { dice >= size };
            let opened = order(&mut table(&rules), &Command::OpenTable { dice });
            assert_eq!(opened.is_ok(), lawful, "{book}: {dice} dice: {opened:?}");
            let mut open = table(&rules);
            open.apply(&Event::Opened { dice: size });
            let changed = order(&mut open, &Command::NewDice { reason: NewDice::Daily, dice });
            assert_eq!(changed.is_ok(), lawful, "{book}: {dice} new dice: {changed:?}");
        }
    }
}

#[test]
fn new_dice_come_for_the_reasons_of_the_book() {
    let words = [
        (NewDice::Reopened, "table_reopened"),
        (NewDice::Lost, "lost_off_table"),
        (NewDice::Tampered, "tampering_signs"),
        (NewDice::Unfit, "unfit"),
    ];
    let mut refused = 0;
    for (book, game, dice, _) in SETS {
        let mut rules = rules(book, game);
        // Every book with a list has all four reasons, so leave one out.
        if let Some(Answer::Words(all)) = rules.rules.get_mut("dice.new_set_when").map(|fact| &mut fact.is.answer) {
            all.retain(|word| word != "unfit");
        }
        let listed = rules.rules.get("dice.new_set_when").map(|fact| &fact.is.answer);
        for (reason, word) in words {
            let lawful = match listed {
                Some(Answer::Words(all)) => all.iter().any(|known| known == word),
                _ => true,
            };
            refused += u32::from(!lawful);
            let mut open = table(&rules);
            open.apply(&Event::Opened { dice });
            let changed = order(&mut open, &Command::NewDice { reason, dice });
            assert_eq!(changed.is_ok(), lawful, "{book}: {word}: {changed:?}");
        }
    }
    assert!(refused > 0, "some book has a list");
}

#[test]
fn a_table_closes_only_without_bets() {
    let rules = rules("nj", Game::Craps);
    let mut open = table(&rules);
    open.apply(&Event::Opened { dice: 5 });
    open.apply(&Event::Joined { seat: 1, name: "Ann".into(), money: "100".parse().unwrap() });
    let mut empty = open.clone();
    order(&mut empty, &Command::CloseTable).unwrap();
    assert_ne!(empty.stage(), open.stage());
    let slot = open.board().named("pass").unwrap();
    let bet = Command::Bet { seat: 1, slot, amount: "10".parse().unwrap(), manner: Manner::default() };
    open.run(Actor::player(1), &bet).unwrap();
    assert_eq!(order(&mut open, &Command::CloseTable).unwrap_err().code, Code::BetsStand);
}
