//! The felt string: printed from a table, set up on another, and the same again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{HouseRules, Library};
use craps_notation::{felt_string, set_up};
use craps_table::{Actor, Command, Manner, Role, Table};

fn table(book: &str, house: &[(&str, &str)]) -> Table {
    let library = Library::shipped();
    let law = library.book(book).unwrap();
    let mut rules = HouseRules::plain(book, law.sample_day);
    for (key, value) in house {
        rules.set(key, value).unwrap();
    }
    Table::open(law.admit(&rules).unwrap()).unwrap()
}

fn bet(table: &mut Table, seat: u8, name: &str, amount: &str) {
    let slot = table.layout().named(name).unwrap();
    let command = Command::Bet { seat, slot, amount: amount.parse().unwrap(), manner: Manner::default() };
    table.run(Actor::player(seat), &command).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
}

fn throw(table: &mut Table, dice: &str) {
    table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice.parse().unwrap() }).unwrap();
}

/// The sample position of the design, before roll 4.
#[test]
fn the_sample_hand_before_roll_four() {
    let mut hand = table("pa", &[("odds.k", "3-4-5"), ("limits.min", "5"), ("limits.max", "5000")]);
    for (seat, money) in [(1, "500"), (3, "300")] {
        hand.run(Actor::staff(Role::Box), &Command::Join { seat, name: "x".into(), money: money.parse().unwrap() })
            .unwrap();
    }
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
    let text = "r4_pt6_s1_1.379.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5_3.230.DP~10.DPO~60";
    assert_eq!(felt_string(&hand, 4), text);
    let mut copy = table("pa", &[("odds.k", "3-4-5"), ("limits.min", "5"), ("limits.max", "5000")]);
    let (roll, events) = set_up(&copy, text).unwrap();
    events.iter().for_each(|event| copy.apply(event));
    assert_eq!((roll, felt_string(&copy, roll)), (4, text.to_owned()));
    assert!(copy.is_conserved());
    // What each throw would bring seat 1: the exposure of the design's sample, with five on the field.
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
    hand.run(Actor::staff(Role::Box), &Command::Join { seat: 2, name: "x".into(), money: "100.50".parse().unwrap() })
        .unwrap();
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
    assert_eq!(text, "r4_pt9_s2_2.94p50.P~5.FIRE~1.SHARP~3.SM~2_fire.4_sharp.1_ride.1_bonus.4.9");
    let mut copy = table("co", &house);
    let (roll, events) = set_up(&copy, &text).unwrap();
    events.iter().for_each(|event| copy.apply(event));
    assert_eq!(felt_string(&copy, roll), text);
    let slot = copy.layout().named("FIRE").unwrap();
    assert_eq!(
        copy.seat(2).unwrap().bets.get(slot).unwrap().progress,
        hand.seat(2).unwrap().bets.get(slot).unwrap().progress
    );
}

#[test]
fn what_is_no_felt_string_is_told_with_its_column() {
    let empty = table("pa", &[]);
    for (text, column, expected) in [
        ("", 1, "expected a felt string"),
        ("x4_out_s0", 1, "expected r and the number"),
        ("r4_pt7_s0", 4, "expected pt and the point"),
        ("r4_out_s1_1.50.ZZ~5", 11, "this table has no bet `ZZ`"),
        ("r4_out_s1_1.5x", 11, "expected an amount"),
        ("r4_out_s1_fires.4", 11, "expected a seat or the markers"),
    ] {
        let error = set_up(&empty, text).unwrap_err();
        assert_eq!(error.place.column, column, "{text}: {error}");
        assert!(error.message.contains(expected), "{text}: {error}");
    }
}
