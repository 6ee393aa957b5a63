//! Felt strings: real positions, corrupted ones and arbitrary texts, set up on tables of every book.

use crate::check::LIBRARY;
use crate::make::{chance, pick, shuffled, tokens, word};
use crate::run::target;
use craps_dice::Throw;
use craps_law::{Game, HouseRules};
use craps_money::{Money, Stake};
use craps_notation::{felt_string, set_up};
use craps_table::{Actor, Called, Command, Manner, Role, SeatId, SlotId, Table};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::LazyLock;

/// Tables of every book for every game it has, with the fewest and with the most bets on offer.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for book in &LIBRARY.books {
        for game in [Game::Craps, Game::MiniCraps, Game::Automated, Game::Electronic, Game::Hybrid] {
            for keys in [&[][..], &[("offer", "all")], &[("offer", "all"), ("off_calls_any", "yes"), ("chip", "0.25")]]
            {
                let mut house = HouseRules::plain(&book.id, book.sample_day);
                house.game = Some(game);
                let set = keys.iter().all(|(key, value)| house.set(key, value).is_ok());
                if let Ok(rules) = book.admit(&house).map_err(|_| ())
                    && set
                {
                    all.push(Table::open(rules).unwrap());
                }
            }
        }
    }
    assert!(all.len() >= LIBRARY.books.len(), "a book without a table");
    all
});

fn dice(rng: &mut ChaCha8Rng) -> Throw {
    *pick(rng, &Throw::ALL)
}

/// Makes bets within their terms, calls and rolls. Refused commands are ignored.
fn play_on(rng: &mut ChaCha8Rng, table: &mut Table, rounds: u32) {
    let slots: Vec<SlotId> = table.board().slots().map(|(slot, _)| slot).collect();
    let pass = table.board().named("P");
    for _ in 0..rounds {
        let seats: Vec<SeatId> = table.seats().map(|(seat, _)| seat).collect();
        if seats.is_empty() {
            return;
        }
        for tried in 0..rng.random_range(1..8) {
            let seat = *pick(rng, &seats);
            let slot = pass.filter(|_| tried == 0).unwrap_or_else(|| *pick(rng, &slots));
            let command = match rng.random_range(0..12) {
                0 => Command::Call { seat, slot, called: *pick(rng, &[Called::On, Called::Off, Called::Standard]) },
                1 => {
                    let standing = table.seat(seat).and_then(|placed| placed.bets.get(slot)).map(|bet| bet.stake);
                    let Some(amount) = standing.and_then(Stake::new) else { continue };
                    Command::TakeDown { seat, slot, amount }
                }
                _ => {
                    let Ok(terms) = table.terms(seat, slot, None) else { continue };
                    let times = terms.min.minor().unsigned_abs().div_ceil(terms.multiple.minor()).max(1);
                    let Some(amount) = terms.multiple.times(times + rng.random_range(0..3)) else { continue };
                    Command::Bet { seat, slot, amount, manner: Manner::default() }
                }
            };
            let _ = table.run(Actor::player(seat), &command);
        }
        if chance(rng, 20) {
            let _ = table.run(Actor::staff(Role::Stick), &Command::PassDice);
        }
        if chance(rng, 6) {
            let seat = Some(*pick(rng, &seats));
            let _ = table.run(Actor::staff(Role::Stick), &Command::TakeDice { seat, decisions_only: true });
        }
        let _ = table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice(rng) });
    }
}

/// Plays to a position and returns its felt string, which must be possible to set up.
fn position(rng: &mut ChaCha8Rng, empty: &Table) -> String {
    let mut table = empty.clone();
    for _ in 0..rng.random_range(0..4) {
        let money = Money::from_minor(rng.random_range(0..400_000));
        let join = Command::Join { seat: rng.random_range(1..17), name: "x".to_owned(), money };
        let _ = table.run(Actor::staff(Role::Box), &join);
    }
    let rounds = rng.random_range(0..12);
    play_on(rng, &mut table, rounds);
    let text = felt_string(&table, rounds + 1);
    let set = set_up(empty, &text);
    assert!(set.is_ok(), "a position from play can't be set up: {text}\n{set:?}");
    text
}

#[rustfmt::skip]
const FELT_WORDS: &[&str] = &[
    "r1", "r4", "_out", "_come", "_pt6", "_pt2", "_pt11", "_s0", "_s1", "_sd", "_s16", "_1", "_1.500", "_2.12p50", "_0.5", "_17.5",
    ".P~10", ".PO~10", ".DP~10", ".DPO~12", ".C~10", ".C8~10", ".C8O~10", ".DC4O~10", ".PUT6~10", ".PUT6O~10", ".PL6~6", ".PL6~7",
    ".BY4~20", ".LY4~40", ".H8~5", ".HN~4", ".WW~5", ".F~5", ".FIRE~5", ".SM~5", ".TL~5", ".ALL~5", ".DOX~5", ".HOT~5", ".LUCKY~5",
    ".JACK~5", ".SHARP~5", ".RIDE~5", "-on", "-off", "-p0", "-p1", "-p16", "-p518", "-p8191", "-p65535", "_fire.4.9", "_small.2.5",
    "_tall.9", "_ology.2.12", "_hot.13.22", "_lucky.518", "_jackpot.3", "_sharp.9", "_ride.11", "0", "1", "7", "10000000000000",
    "92233720368547758p07", "99999999999999999999", "4294967295", "~", ".", "_", "-", "p", "\u{e9}", "\0", "\u{967}", "\n",
];

fn arbitrary(rng: &mut ChaCha8Rng) -> String {
    let mut text = if chance(rng, 2) { "r4_out_s1_1.500".to_owned() } else { String::new() };
    for _ in 0..rng.random_range(0..12) {
        match rng.random_range(0..8) {
            0 => text.push(char::from_u32(rng.random_range(0..0x11_0000)).unwrap_or('\u{fffd}')),
            _ => text.push_str(word(rng, FELT_WORDS)),
        }
    }
    text
}

fn spoilt(rng: &mut ChaCha8Rng, text: &str) -> String {
    let pieces: Vec<&str> = match rng.random_range(0..4) {
        0 => text.split_inclusive('_').collect(),
        1 => text.split_inclusive('.').collect(),
        2 => text.split_inclusive(|_| true).collect(),
        _ => tokens(text),
    };
    shuffled(rng, pieces.into_iter().map(str::to_owned).collect(), FELT_WORDS)
}

/// Makes a text: the index of a table in the list, and a felt string for it.
fn made(rng: &mut ChaCha8Rng) -> String {
    let at = rng.random_range(0..TABLES.len());
    let text = if chance(rng, 4) { arbitrary(rng) } else { position(rng, &TABLES[at]) };
    let text = if chance(rng, 4) { text } else { spoilt(rng, &text) };
    format!("{at} {text}")
}

/// Checks a felt string. If it can be set up, it must print, set up again and print the same. No cent may be missing, and the game must go on.
fn placed(text: &str) -> bool {
    let Some((at, felt)) = text.split_once(' ') else { return false };
    let Some(empty) = at.parse::<usize>().ok().and_then(|at| TABLES.get(at)) else { return false };
    let (roll, events) = match set_up(empty, felt) {
        Ok(set) => set,
        Err(error) => {
            let columns = felt.chars().count() + 1;
            assert!(error.place.line == 1 && (1..=columns).contains(&error.place.column), "no such place: {error}");
            assert!(!error.message.is_empty(), "an error without a message");
            return false;
        }
    };
    let set = |events: &[craps_table::Event]| {
        let mut table = empty.clone();
        events.iter().for_each(|event| table.apply(event));
        assert!(table.is_conserved(), "set up, but money is missing");
        table
    };
    let mut table = set(&events);
    let printed = felt_string(&table, roll);
    let (again, events) =
        set_up(empty, &printed).unwrap_or_else(|error| panic!("printed but malformed: {error}\n{printed}"));
    let twice = felt_string(&set(&events), again);
    assert!(twice == printed, "printed differently the second time:\n{printed}\n{twice}");
    for (seat, placed) in table.seats() {
        assert!(placed.rail >= Money::ZERO, "seat {seat} owes");
        assert_eq!((table.legal(seat).len(), table.outcomes(seat).len()), (table.board().slots().count(), 21));
    }
    // The seed comes from the text, so the same text is always played the same way.
    let seed = felt.bytes().fold(7u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    play_on(&mut ChaCha8Rng::seed_from_u64(seed), &mut table, 5);
    true
}

#[test]
fn felt_strings_are_set_up_printed_and_played_on_without_a_panic() {
    target("felt strings", 2_000, 5, made, &placed);
}
