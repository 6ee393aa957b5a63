//! The felt string is printed from one table and set up on another, where it prints the same again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Game, HouseRules, Library};
use craps_notation::{felt_string, set_up};
use craps_table::{Actor, Called, Command, Manner, Role, Table};

fn table(book: &str, house: &[(&str, &str)]) -> Table {
    table_for(None, book, house)
}

fn table_for(game: Option<Game>, book: &str, house: &[(&str, &str)]) -> Table {
    let library = Library::shipped();
    let law = library.book(book).unwrap();
    let mut rules = HouseRules::plain(book, law.sample_day);
    rules.game = game;
    for (key, value) in house {
        rules.set(key, value).unwrap();
    }
    Table::open(law.admit(&rules).unwrap()).unwrap()
}

fn bet(table: &mut Table, seat: u8, name: &str, amount: &str) {
    let slot = table.board().named(name).unwrap();
    let command = Command::Bet { seat, slot, amount: amount.parse().unwrap(), manner: Manner::default() };
    table.run(Actor::player(seat), &command).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
}

fn join(table: &mut Table, seat: u8, money: &str) {
    let command = Command::Join { seat, name: "x".into(), money: money.parse().unwrap() };
    table.run(Actor::staff(Role::Box), &command).unwrap();
}

fn throw(table: &mut Table, dice: &str) {
    table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice.parse().unwrap() }).unwrap();
}

/// A sample hand with two players, before roll 4.
#[test]
fn the_sample_hand_before_roll_four() {
    let mut hand = table("pa", &[("odds.k", "3-4-5"), ("limits.min", "5"), ("limits.max", "5000")]);
    join(&mut hand, 1, "500");
    join(&mut hand, 3, "300");
    bet(&mut hand, 1, "P", "10");
    bet(&mut hand, 3, "DP", "10");
    throw(&mut hand, "4-2");
    for (seat, name, amount) in [(1, "PO", "50"), (1, "C", "10"), (3, "DPO", "60")] {
        bet(&mut hand, seat, name, amount);
    }
    throw(&mut hand, "5-3");
    for (name, amount) in [("C8O", "50"), ("PL5", "10"), ("H8", "5")] {
        bet(&mut hand, 1, name, amount);
    }
    throw(&mut hand, "3-2");
    let text = "f2_r4_pt6_s1_1.379.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5_3.230.DP~10.DPO~60";
    assert_eq!(felt_string(&hand, 4), text);
    let mut copy = table("pa", &[("odds.k", "3-4-5"), ("limits.min", "5"), ("limits.max", "5000")]);
    let (roll, events) = set_up(&copy, text).unwrap();
    events.iter().for_each(|event| copy.apply(event));
    assert_eq!((roll, felt_string(&copy, roll)), (4, text.to_owned()));
    assert!(copy.is_conserved());
    // What each roll would win or lose for seat 1, with $5 on the field.
    bet(&mut copy, 1, "F", "5");
    let net = |dice: &str| {
        copy.outcomes(1).into_iter().find(|outcome| outcome.dice == dice.parse().unwrap()).unwrap().net.to_string()
    };
    assert_eq!((net("6-1").as_str(), net("6-2").as_str(), net("4-4").as_str()), ("-140", "60", "110"));
}

#[test]
fn markers_of_side_bets_are_carried_along() {
    let house = [("offer", "bonus,sharp_shooter,ride"), ("fire.table", "FB-3")];
    let mut hand = table("co", &house);
    join(&mut hand, 2, "100.50");
    for (name, amount) in [("P", "5"), ("FIRE", "1"), ("SM", "2"), ("SHARP", "3")] {
        bet(&mut hand, 2, name, amount);
    }
    for dice in ["2-2", "1-3", "4-5"] {
        throw(&mut hand, dice);
        if dice == "1-3" {
            bet(&mut hand, 2, "P", "5");
        }
    }
    let text = felt_string(&hand, 4);
    assert_eq!(text, "f2_r4_pt9_s2_2.94p50.P~5.FIRE~1.SHARP~3.SM~2_FIRE.4_SHARP.1_RIDE.1_SM.4_TL.9_ALL.4x9");
    let mut copy = table("co", &house);
    let (roll, events) = set_up(&copy, &text).unwrap();
    events.iter().for_each(|event| copy.apply(event));
    assert_eq!(felt_string(&copy, roll), text);
    // A string of version 1 describes the same position, and is written back as version 2.
    let old = "r4_pt9_s2_2.94p50.P~5.FIRE~1.SHARP~3.SM~2_fire.4_sharp.1_ride.1_small.4_tall.9";
    let mut from_old = table("co", &house);
    let (_, events) = set_up(&from_old, old).unwrap();
    events.iter().for_each(|event| from_old.apply(event));
    assert_eq!(felt_string(&from_old, roll), text);
    let slot = copy.board().named("FIRE").unwrap();
    assert_eq!(
        copy.seat(2).unwrap().bets.get(slot).unwrap().progress,
        hand.seat(2).unwrap().bets.get(slot).unwrap().progress
    );
}

/// Prints a position, sets it up and prints it again. All bets, chips and trackers must be the same.
fn comes_back(hand: &Table, house: &dyn Fn() -> Table, roll: u32) -> String {
    let (text, mut copy) = (felt_string(hand, roll), house());
    let (_, events) = set_up(&copy, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    events.iter().for_each(|event| copy.apply(event));
    assert_eq!(felt_string(&copy, roll), text);
    for (seat, placed) in hand.seats() {
        assert_eq!(copy.seat(seat).unwrap().rail, placed.rail, "{text}");
        for (slot, place) in hand.board().slots() {
            let of = |table: &Table| table.seat(seat)?.bets.get(slot).map(|bet| (bet.stake, bet.called, bet.progress));
            assert_eq!(of(&copy), of(hand), "{text}: {}", place.code);
        }
    }
    for rules in &hand.rules().wagers {
        assert_eq!(copy.tracker(rules.wager), hand.tracker(rules.wager), "{text}: {}", rules.wager);
    }
    text
}

#[test]
fn a_call_made_while_a_point_is_on_is_kept() {
    let house = || table("pa", &[]);
    let mut hand = house();
    join(&mut hand, 1, "100");
    bet(&mut hand, 1, "P", "5");
    throw(&mut hand, "4-2");
    bet(&mut hand, 1, "H8", "5");
    let slot = hand.board().named("H8").unwrap();
    hand.run(Actor::player(1), &Command::Call { seat: 1, slot, called: Called::On }).unwrap();
    assert_eq!(comes_back(&hand, &house, 2), "f2_r2_pt6_s1_1.90.P~5.H8~5-on");
}

/// Bets without markers on the felt, and a side bet made after its tracker had started.
#[test]
fn every_side_bet_keeps_what_it_has_gathered() {
    let house = || table_for(Some(Game::Electronic), "pa", &[("offer", "lucky_shooter,hot_shooter")]);
    let mut hand = house();
    join(&mut hand, 1, "100");
    for (name, amount) in [("P", "5"), ("LUCKY", "5"), ("JACK", "5")] {
        bet(&mut hand, 1, name, amount);
    }
    throw(&mut hand, "4-2");
    throw(&mut hand, "4-4");
    assert_eq!(comes_back(&hand, &house, 3), "f2_r3_pt6_s1_1.85.P~5.LUCKY~5.JACK~5_LUCKY.6x8_JACK.1");
    // The second eight ends the run and the bet. Its markers start over.
    throw(&mut hand, "5-3");
    assert_eq!(comes_back(&hand, &house, 4), "f2_r4_pt6_s1_1.85.P~5.JACK~5_JACK.2");
    // Side bets made after their trackers had started. The last text is version 1, which packed the point and the numbers of a run.
    for text in [
        "f2_r4_pt6_s1_1.90.P~5.LUCKY~5-gnone.JACK~5-g1_LUCKY.6x8_JACK.3",
        "r4_pt6_s1_1.90.P~5.LUCKY~5-p0.JACK~5-p2_lucky.518_jackpot.4",
    ] {
        let (roll, events) = set_up(&house(), text).unwrap();
        let mut other = house();
        events.iter().for_each(|event| other.apply(event));
        assert_eq!(comes_back(&other, &house, roll), "f2_r4_pt6_s1_1.90.P~5.LUCKY~5-gnone.JACK~5-g1_LUCKY.6x8_JACK.3");
    }
}

#[test]
fn what_is_no_felt_string_is_told_with_its_column() {
    let empty = table("pa", &[]);
    for (text, column, expected) in [
        ("", 1, "expected a felt string"),
        ("x4_out_s0", 1, "expected r and the number"),
        ("r0_out_s0", 1, "expected r and the number"),
        ("r4_pt7_s0", 4, "expected pt and the point"),
        ("r4_out_x1_1.50", 8, "expected s and the shooter"),
        ("r4_out_s1_1.50.ZZ~5", 16, "this table has no bet `ZZ`"),
        ("r4_out_s1_1.50.P~5.P", 20, "expected code~amount"),
        ("r4_out_s1_1.50.P~5-up", 16, "expected -on or -off once"),
        ("r4_out_s1_1.5x", 13, "expected an amount"),
        ("r4_out_s1_fires.4", 11, "expected a seat or the markers"),
        ("f3_r4_out_s0", 1, "expected f2, or r for a string of version 1"),
        ("f2", 1, "expected a felt string"),
        ("f2_r4_pt7_s0", 7, "expected pt and the point"),
        ("f2_r4_out_s1_fire.4", 14, "expected a seat, or a side bet"),
        ("f2_r4_out_s1_1.50.P~5-p4", 19, "expected -on or -off once"),
    ] {
        let error = set_up(&empty, text).unwrap_err();
        assert_eq!(error.place.column, column, "{text}: {error}");
        assert!(error.message.contains(expected), "{text}: {error}");
    }
}

/// Each text is a valid felt string that describes an impossible position.
#[test]
fn what_no_table_could_have_come_to_is_refused_with_its_column() {
    let house = [("offer", "all"), ("fire.table", "A"), ("bonus.table", "1"), ("limits.max", "5000")];
    let (pa, crapless) = (table("pa", &house), table("co-crapless", &[]));
    let automated = table("nj-automated", &[]);
    let electronic = table_for(Some(Game::Electronic), "pa", &[("offer", "lucky_shooter")]);
    for (table, text, column, expected) in [
        (&pa, "r4_pt2_s0", 4, "2 can't be a point at this table"),
        (&pa, "r4_out_s0_0.50", 11, "The seats are 1 to 16."),
        (&pa, "r4_out_s0_17.50", 11, "The seats are 1 to 16."),
        (&pa, "r4_out_s0_1.50_1.50", 16, "Seat 1 is taken."),
        (&pa, "r4_out_s2_1.50", 8, "Nobody is at seat 2."),
        (&pa, "r4_out_sd_1.50", 8, "The dealer doesn't roll at this table."),
        (&pa, "r4_out_s0_1.-5.P~10", 13, "expected an amount"),
        (&pa, "r4_out_s0_1.99999999999999", 11, "more money than this table can handle"),
        (&pa, "r4_out_s0_1.9000000000000_2.9000000000000", 27, "more money than this table can handle"),
        (&pa, "r4_out_s0_1.92233720368547758.P~10", 11, "the amounts are too large"),
        (&pa, "r4_out_s0_1.0.N12~9000000000000", 15, "is too large"),
        (&pa, "r4_out_s0_1.50.P~0", 16, "expected an amount above zero, found `P~0`"),
        (&pa, "r4_out_s0_1.50.P~5.DP~5.P~5", 25, "a seat can have only one P bet"),
        (&pa, "r4_out_s0_1.50.P~0p01", 16, "0.01 is not a multiple of 1"),
        (&pa, "r4_out_s0_1.50.PL6~7", 16, "7"),
        (&pa, "r4_pt6_s0_1.50.PO~10", 16, "PO needs a P bet at the same seat"),
        (&pa, "r4_pt6_s0_1.50.C8O~10.C9~5", 16, "C8O needs a C8 bet at the same seat"),
        (&pa, "r4_out_s0_1.50.P~5.PO~10", 20, "PO needs a point, and none is on"),
        (&pa, "r4_out_s0_1.50.P~5-off", 16, "doesn't let you turn bets off"),
        (&pa, "r4_out_s0_1.50.P~5-on", 16, "this bet is always on"),
        (&pa, "r4_out_s0_1.50.H8~5-on-off", 16, "once"),
        (&pa, "r4_out_s0_1.50.P~5-p4", 16, "`P` has no progress"),
        (&pa, "r4_come_s1_1.50", 4, "No come or don't come bet is left to decide."),
        (&pa, "r4_come_s1_1.50.P~5.C8~5", 4, "`come` is not possible while there is a line bet"),
        (&pa, "r4_come_s0", 4, "The dealer doesn't roll at this table."),
        (&automated, "r4_come_s1_1.50.C8~5", 4, "no rolls for come bets only"),
        (&pa, "r4_pt6_s1_1.50.FIRE~5-p8", 16, "FIRE: no rolls lead to the progress `8`"),
        (&pa, "r4_pt6_s1_1.50.SM~5-p124", 16, "SM: no rolls lead to the progress `124`"),
        (&pa, "f2_r4_pt6_s1_1.50.SM~5-g2x3x4x5x6", 19, "SM: expected some of the totals 2, 3, 4, 5, 6"),
        (&pa, "f2_r4_pt6_s1_1.50_FIRE.2", 19, "FIRE: expected some of the totals"),
        (&pa, "f2_r4_pt6_s1_1.50_FIRE.4_FIRE.5", 26, "appears twice"),
        (&pa, "f2_r4_pt6_s1_1.50_HOT.11", 19, "HOT: expected dice such as 13x22"),
        (&pa, "f2_r4_pt6_s1_1.50_SHARP.3", 19, "expected a seat, or a side bet"),
        (&pa, "r4_pt6_s1_1.50_fire.2", 21, "`2` is not a marker of fire"),
        (&pa, "r4_pt6_s1_1.50_fire.4_fire.5", 23, "appear twice"),
        (&pa, "r4_pt6_s1_1.50_fire", 16, "expected at least one marker of fire"),
        (&pa, "r4_pt6_s1_1.50_small.2.8", 24, "`8` is not a marker of small"),
        (&pa, "r4_pt6_s1_1.50_tall.7", 21, "`7` is not a marker of tall"),
        (&pa, "r4_pt6_s1_1.50_small.2.3.4.5.6_tall.8.9.10.11.12", 16, "these markers of bonus-make-em-all"),
        (&pa, "r4_pt6_s1_1.50_hot.11", 20, "`11` is not a marker of hot"),
        (&electronic, "r4_pt6_s1_1.50_lucky.7", 16, "no rolls lead to these markers of lucky-shooter"),
        (&pa, "r4_pt6_s1_1.50_sharp.3", 16, "this table doesn't offer sharp-shooter"),
        (&crapless, "r4_pt2_s1_1.50.P~5_fire.4", 20, "this table doesn't offer fire"),
    ] {
        let error = match set_up(table, text) {
            Err(error) => error,
            Ok(_) => panic!("{text}: taken"),
        };
        assert!(error.message.contains(expected), "{text}: {error}");
        assert_eq!(error.place.column, column, "{text}: {error}");
    }
    for (table, text) in [
        (&crapless, "r4_pt2_s1_1.50.P~5"),
        (&automated, "r4_out_sd_1.50.P~5"),
        (&pa, "r4_come_s1_1.50.C8~5"),
        (&pa, "r4_come_s0_1.50.C8~5"),
        (&pa, "r4_pt6_s0_16.50.P~5.PO~10.H8~5-on_fire.4.10_small.2.3.4.5.6_tall.9_hot.13.22"),
    ] {
        set_up(table, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}
