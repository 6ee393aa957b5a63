//! Plays games to test a law on, and compares two tables.

use craps_table::{Actor, Command, Events, Refusal, Table};
use craps_testkit::generate::Generator;
use craps_testkit::{House, sample_houses};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static HOUSES: LazyLock<Vec<House>> = LazyLock::new(sample_houses);

/// Returns the number of games per book.
fn games(usual: u64) -> u64 {
    std::env::var("BOXPERSON_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Calls `one` for the games of every book, spread over its houses, each with its seed.
pub fn each_game(usual: u64, mut one: impl FnMut(&House, u64)) {
    let mut books: BTreeMap<&str, Vec<&House>> = BTreeMap::new();
    for house in &*HOUSES {
        books.entry(&house.rules.book).or_default().push(house);
    }
    for houses in books.values() {
        for (seed, house) in (0..games(usual)).zip(houses.iter().cycle()) {
            one(house, seed);
        }
    }
}

pub type Ran = Result<Events, Refusal>;

/// Plays a game, and calls `see` for each command with its result and the table before and after.
pub fn drive(
    house: &House,
    seed: u64,
    throws: u32,
    mut see: impl FnMut(&Table, Actor, &Command, &Ran, &Table),
) -> Table {
    let (mut table, mut generator) = (house.table(), Generator::new(seed));
    while table.throws() < throws && !generator.is_stuck() {
        let (actor, command) = generator.next(&table);
        let before = table.clone();
        let ran = table.run(actor, &command);
        see(&before, actor, &command, &ran, &table);
    }
    table
}

/// Describes how the whole states of two tables differ.
pub fn unlike(one: &Table, other: &Table) -> Option<String> {
    (one.state() != other.state()).then(|| format!("{:#?}\n/\n{:#?}", one.state(), other.state()))
}

/// Describes how two tables decide a command differently. This reveals differences in their hidden state.
pub fn decide_unlike(one: &Table, other: &Table, actor: Actor, command: &Command) -> Option<String> {
    let decided = |table: &Table| {
        let mut events = Events::new();
        table.decide(actor, command, &mut events).map(|()| events)
    };
    let (one, other) = (decided(one), decided(other));
    (one != other).then(|| format!("{command:?}: {one:?} / {other:?}"))
}
