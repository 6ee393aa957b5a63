//! A table with one player, for tests.

use craps_law::{HouseRules, Library, TableRules};
use craps_table::{Actor, Command, Manner, Refusal, Role, Table};

/// The rules of a house with these choices.
pub fn rules(book: &str, choices: &[(&str, &str)]) -> TableRules {
    let library = Library::shipped();
    let book = library.book(book).unwrap();
    let mut house = HouseRules::plain(&book.id, book.sample_day);
    choices.iter().for_each(|(key, value)| house.set(key, value).unwrap());
    book.admit(&house).unwrap()
}

/// A table with a player in seat 1 who has this much.
pub fn table(rules: TableRules, money: &str) -> Table {
    let mut table = Table::open(rules).unwrap();
    let join = Command::Join { seat: 1, name: "Ann".into(), money: money.parse().unwrap() };
    table.run(Actor::staff(Role::Box), &join).unwrap();
    table
}

/// The player bets an amount.
pub fn bet(table: &mut Table, name: &str, amount: &str) -> Result<(), Refusal> {
    let slot = table.board().named(name).unwrap();
    let command = Command::Bet { seat: 1, slot, amount: amount.parse().unwrap(), manner: Manner::default() };
    table.run(Actor::player(1), &command).map(drop)
}

/// The dice fall like this.
pub fn roll(table: &mut Table, dice: &str) {
    table.run(Actor::staff(Role::Machine), &Command::Throw { dice: dice.parse().unwrap() }).unwrap();
}
