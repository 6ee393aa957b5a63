//! Checks that every game and every house must pass.

use craps_law::{HouseRules, Library, Source};
use craps_notation::{Act, Dice, Game, HouseFiles, Line, Names, Op, Outcome, play, read};
use craps_table::{SeatId, Table};
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

/// Parses a text. An error must point at a position inside the text.
pub fn read_or_told(text: &str) -> Option<Vec<Game>> {
    match read(text) {
        Ok(games) => Some(games),
        Err(error) => {
            let line = text.split('\n').nth(error.place.line - 1);
            let columns = line.map_or(0, |line| line.chars().count() + 1);
            assert!((1..=columns).contains(&error.place.column), "no such place in the text: {error}");
            assert!(!error.message.is_empty(), "an error without a message");
            None
        }
    }
}

/// Plays a text that parses. The printed game must parse and balance. For some texts it must also agree with itself and print the same again,
/// by codes or by slugs.
pub fn played(text: &str, files: HouseFiles<'_>) -> bool {
    let Some(games) = read_or_told(text) else { return false };
    let names = if text.len().is_multiple_of(2) { Names::Codes } else { Names::Slugs };
    let Ok(first) = play(&LIBRARY, &games, names, files) else { return false };
    let printed: String = first.iter().map(|game| game.filled.as_str()).collect();
    let again = read(&printed).unwrap_or_else(|error| panic!("printed but malformed: {error}\n{printed}"));
    balances(&again);
    if !text.len().is_multiple_of(3) {
        return true;
    }
    let second = play(&LIBRARY, &again, names, files)
        .unwrap_or_else(|error| panic!("printed but unplayable: {error:?}\n{printed}"));
    let difference = second.iter().flat_map(|game| &game.differences).next();
    assert!(difference.is_none(), "what was printed differs from itself: {difference:?}\n{printed}");
    let twice: String = second.iter().map(|game| game.filled.as_str()).collect();
    assert!(twice == printed, "printed differently the second time:\n{printed}\n{twice}");
    true
}

/// Checks the accounts of a printed game from its text alone: what a seat bought in for and won must be in its rail and on the felt.
pub fn balances(games: &[Game]) {
    let mut seats_tag = String::new();
    for game in games {
        if let Some(tag) = game.tags.iter().rfind(|tag| tag.name == "Seats") {
            seats_tag.clone_from(&tag.text);
        }
        if !game.lines.iter().any(|line| matches!(line, Line::End { .. })) {
            continue;
        }
        let mut own: BTreeMap<SeatId, i128> = BTreeMap::new();
        for entry in seats_tag.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (seat, money) =
                (entry.split_whitespace().next().unwrap(), entry.split_whitespace().next_back().unwrap());
            own.insert(seat.parse().unwrap(), i128::from(money.parse::<craps_money::Money>().unwrap().minor()));
        }
        let mut now: BTreeMap<SeatId, i128> = BTreeMap::new();
        for line in &game.lines {
            match line {
                Line::Roll(roll) => {
                    for (seat, change) in changes(roll) {
                        *own.entry(seat).or_default() += change;
                    }
                }
                Line::Procedure { act, refused: false, .. } => match act {
                    Act::Join(seat, _, money) => *own.entry(*seat).or_default() += i128::from(money.minor()),
                    Act::BuyIn(seat, money) => *own.entry(*seat).or_default() += i128::from(money.minor()),
                    Act::Rule(_, seat, money, _) => *own.entry(*seat).or_default() += i128::from(money.minor()),
                    Act::Leave(seat) => {
                        own.remove(seat);
                    }
                    // The text doesn't say how much commission goes back, so nothing is compared.
                    Act::Withdraw(_) => return,
                    _ => {}
                },
                Line::End { rails, .. } => {
                    for (seat, rail) in rails {
                        assert!(rail.minor() >= 0, "seat {seat} owes");
                        *now.entry(*seat).or_default() += i128::from(rail.minor());
                    }
                }
                Line::Open { bets, .. } => {
                    for (seat, _, stake) in bets {
                        *now.entry(*seat).or_default() += i128::from(stake.minor());
                    }
                }
                _ => {}
            }
        }
        assert!(own == now, "the accounts don't balance: by the game {own:?}, in rails and on the felt {now:?}");
    }
}

/// Returns what a roll adds to each seat's money, in cents.
pub fn changes(roll: &craps_notation::Roll) -> Vec<(SeatId, i128)> {
    let minor = |money: Option<craps_money::Money>| i128::from(money.unwrap_or_default().minor());
    let mut all = Vec::new();
    for action in roll.actions.iter().filter(|action| !action.refused) {
        match action.op {
            Op::Add(_, charge) => {
                all.push((action.seat, minor(action.cash.map(craps_money::Stake::money)) - minor(charge)));
            }
            Op::Remove(_, charge) => all.push((action.seat, minor(charge))),
            Op::Call(_) | Op::Tell(_) => {}
        }
    }
    for result in roll.results.iter().flatten() {
        let change = match result.outcome {
            Outcome::Won(paid, commission) => {
                assert!(paid.minor() > 0, "seat {} won nothing", result.seat);
                i128::from(paid.minor()) - i128::from(commission.minor())
            }
            Outcome::Lost(stake) => -i128::from(stake.minor()),
            Outcome::Returned | Outcome::Moved(_) => 0,
        };
        all.push((result.seat, change));
    }
    if matches!(roll.dice, Dice::NoRoll { .. }) {
        assert!(roll.results.iter().flatten().next().is_none(), "a no roll decided a bet");
    }
    all
}

/// Reads a house file. If it parses, checks it against its book; if it is lawful, opens a table and plays a game by it.
pub fn judged(text: &str) -> bool {
    let source = Source { path: "house.toml".to_owned(), text: text.to_owned() };
    let house = match HouseRules::parse(&source) {
        Ok(house) => house,
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error without a message");
            return false;
        }
    };
    let Some(book) = LIBRARY.book(&house.book) else { return false };
    match book.admit(&house) {
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a problem");
            assert!(problems.iter().all(|problem| !problem.to_string().is_empty()), "a problem without a message");
            false
        }
        Ok(rules) => {
            assert!(Table::open(rules).is_ok(), "admitted, but no layout holds its bets");
            let game = house.game.map(|game| format!("[Game \"{}\"]", game.word())).unwrap_or_default();
            let text = format!(
                "[CGN \"1\"][Rules \"{} as-of {}\"][House \"file:house.toml\"]{game}[Seats \"1 Ann 9000\"]\n{SCRIPT}",
                house.book, house.as_of
            );
            played(&text, &|_| Ok(source.clone()))
        }
    }
}

/// A hand with bets on every part of the layout.
pub const SCRIPT: &str = "\
1. 1:P+20 1:F+20 1:A7+20 1:HN+20 1:WW+20 1:CE+20 1:FIRE+5 1:ALL+5 1:HOT+5 1:SHARP+5 1:RIDE+5 1:LUCKY+5 1:JACK+5 1:DOX+5 | 4-2
2. 1:PO+25 1:C+20 1:PL8+30 1:BY4+40 1:LY10+80 1:H8+20 1:PX5+40 1:BIG6+20 1:S678+20 1:HP13+20 | 5-4
3. 1:C9O+20 1:DC+20 1:BY4-20 1:H8!off 1:PL8!up | 4-4
4. 1:DC8O+30 1:UN7+20 1:OV7+20 | 3-3
5. 1:DP+20 1:H8!on | 6-6
6. 1:P+20 1:PL8-30 | 3-1
7. 1:DPO+40 | 5-2
";
