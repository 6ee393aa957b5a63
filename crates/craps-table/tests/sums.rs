//! Amounts that would overflow are refused before anything happens. A table in which a sum overflowed anyway reports it.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{HouseRules, Library};
use craps_money::{Money, Stake};
use craps_table::{Actor, Bet, Command, Event, Manner, Role, SeatId, Table};

/// Maximum money that can come to a table, in cents.
const MOST: i64 = 1_000_000_000_000_000;

fn table(seats: &[(SeatId, i64)]) -> Table {
    let library = Library::shipped();
    let law = library.book("pa").unwrap();
    let mut table = Table::open(law.admit(&HouseRules::plain("pa", law.sample_day)).unwrap()).unwrap();
    for (seat, minor) in seats {
        let join = Command::Join { seat: *seat, name: format!("seat {seat}"), money: Money::from_minor(*minor) };
        table.run(Actor::staff(Role::Box), &join).unwrap();
    }
    table
}

fn rule(table: &mut Table, seat: SeatId, minor: i64) -> Result<(), String> {
    let amount = Money::from_minor(minor);
    let rule = Command::Rule { seat, amount, reason: "a mistake".to_owned() };
    table.run(Actor::staff(Role::Floor), &rule).map(|_| ()).map_err(|refusal| refusal.code.name().to_owned())
}

#[test]
fn a_ruling_that_the_bank_cannot_hold_is_refused() {
    let mut table = table(&[(1, 0), (2, 0)]);
    // Each player could hold all of it, but the bank can't pay both.
    for seat in [1, 2] {
        for _ in 0..8_000 {
            if let Err(message) = rule(&mut table, seat, MOST) {
                assert!(message == "too-much-money", "{message}");
                assert_eq!(seat, 2);
                assert!(table.is_conserved());
                let paid = table.seats().map(|(_, seat)| i128::from(seat.rail.minor())).sum::<i128>();
                assert_eq!(paid, -i128::from(table.accounts().bank.minor()));
                return;
            }
        }
    }
    panic!("the bank paid more than it can count");
}

#[test]
fn a_bet_is_refused_where_a_throw_could_bring_more_than_can_be_held() {
    let mut table = table(&[(1, 0), (2, MOST / 1_000)]);
    let big: Stake = "100000000000".parse().unwrap();
    let bet = |table: &Table| Command::Bet {
        seat: 2,
        slot: table.board().named("pass").unwrap(),
        amount: big,
        manner: Manner::default(),
    };
    let mut calm = table.clone();
    let placed = bet(&calm);
    assert!(calm.run(Actor::player(2), &placed).is_err(), "the player doesn't have enough chips");
    rule(&mut table, 2, MOST / 2).unwrap();
    let placed = bet(&table);
    calm = table.clone();
    calm.run(Actor::player(2), &placed).unwrap();
    // The bank has paid so much that it couldn't also pay this bet.
    let mut last = MOST;
    while last > 0 {
        while rule(&mut table, 1, last).is_ok() {}
        last /= 10;
    }
    let refusal = table.run(Actor::player(2), &placed).unwrap_err();
    assert!(refusal.code.name() == "too-much-money", "{refusal}");
    assert!(table.is_conserved());
}

#[test]
fn a_throw_is_refused_before_the_dice_are_known() {
    let mut table = table(&[(1, 0), (2, MOST / 1_000)]);
    let pass = table.board().named("pass").unwrap();
    let amount = "1000000000".parse().unwrap();
    table.run(Actor::player(2), &Command::Bet { seat: 2, slot: pass, amount, manner: Manner::default() }).unwrap();
    let mut last = MOST;
    while last > 0 {
        while rule(&mut table, 1, last).is_ok() {}
        last /= 10;
    }
    let before = table.state().clone();
    for dice in ["1-1", "3-4", "2-2"] {
        let throw = Command::Throw { dice: dice.parse().unwrap() };
        let refusal = table.run(Actor::staff(Role::Stick), &throw).unwrap_err();
        assert!(refusal.code.name() == "too-much-money", "{refusal}");
        assert_eq!(*table.state(), before);
    }
}

#[test]
fn a_table_that_met_a_sum_it_cannot_hold_does_not_count_right_any_more() {
    let mut table = table(&[(1, 500)]);
    let bought = Event::BoughtIn { seat: 1, money: Money::from_minor(i64::MAX) };
    table.apply(&bought);
    assert!(!table.is_conserved(), "the same amount is missing on both sides");
    // Saving and loading the state doesn't clear the error.
    let kept = serde_json::to_string(table.state()).unwrap();
    let again = table.clone().with_state(serde_json::from_str(&kept).unwrap());
    assert!(!again.is_conserved());
}

#[test]
fn two_wrong_sums_that_cancel_are_still_reported() {
    let mut table = table(&[(1, 500)]);
    let slot = table.board().named("pass").unwrap();
    let (most, cents) = (Money::from_minor(i64::MAX), Money::from_minor);
    table.apply(&Event::TakenDown { seat: 1, slot, left: None, returned: most, refunded: cents(1) });
    let bet = Bet { stake: Money::ZERO, ..Bet::default() };
    table.apply(&Event::BetPlaced { seat: 1, slot, bet, staked: most, commission: cents(2) });
    let sum = table.seat(1).unwrap().rail.minor() + table.accounts().bank.minor() + table.accounts().commission.minor();
    assert_eq!(sum, 500, "the sums agree");
    assert!(!table.is_conserved());
}

#[test]
fn a_bet_may_win_as_much_as_can_come_to_a_table() {
    let table = table(&[(1, MOST)]);
    // It pays 4 to 1.
    let slot = table.board().named("any-seven").unwrap();
    let bet = |minor: i64| {
        let amount = Stake::new(Money::from_minor(minor)).unwrap();
        let command = Command::Bet { seat: 1, slot, amount, manner: Manner::default() };
        table.clone().run(Actor::player(1), &command).map(drop).map_err(|refusal| refusal.code.name())
    };
    assert_eq!(bet(MOST / 4), Ok(()));
    assert_eq!(bet(MOST / 4 + 100), Err("too-much-money"));
}

#[test]
fn a_bet_is_refused_where_only_its_win_would_be_too_much() {
    let mut table = table(&[(1, 0), (2, MOST / 1_000)]);
    let mut last = MOST;
    while last > 1_000_000_000 {
        while rule(&mut table, 1, last).is_ok() {}
        last /= 10;
    }
    // The bank can pay a little more.
    let bet = |name: &str, dollars: u32| {
        let slot = table.board().named(name).unwrap();
        let amount = Stake::whole(dollars).unwrap();
        let command = Command::Bet { seat: 2, slot, amount, manner: Manner::default() };
        table.clone().run(Actor::player(2), &command).map(drop).map_err(|refusal| refusal.code.name())
    };
    let sizes = || (0..23).map(|power| 1 << power);
    let even = sizes().rfind(|dollars| bet("pass", *dollars).is_ok()).unwrap();
    let thirty = sizes().rfind(|dollars| bet("craps-2", *dollars).is_ok()).unwrap();
    assert!(thirty < even, "{thirty} at 30 to 1, {even} at 1 to 1");
    assert_eq!(bet("craps-2", even), Err("too-much-money"));
}
