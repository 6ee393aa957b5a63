//! Seats don't affect each other's results.

use crate::drive::each_game;
use craps_table::{Command, Event, Role, SeatId};
use craps_testkit::generate::Generator;
use craps_wagers::Family;
/// Returns the settlements among the events, without those of one seat.
fn of_others(events: &[Event], dropped: SeatId) -> Vec<Event> {
    let others = |event: &&Event| matches!(event, Event::Settled { seat, .. } if *seat != dropped);
    events.iter().filter(others).cloned().collect()
}

/// Returns the seat that a command is for.
fn seat_of(command: &Command) -> Option<SeatId> {
    match command {
        Command::Bet { seat, .. }
        | Command::TakeDown { seat, .. }
        | Command::Call { seat, .. }
        | Command::Tell { seat, .. }
        | Command::BuyIn { seat, .. }
        | Command::Leave { seat }
        | Command::Join { seat, .. }
        | Command::Rule { seat, .. } => Some(*seat),
        Command::TakeDice { seat, .. } => *seat,
        _ => None,
    }
}

#[test]
fn seats_do_not_touch_each_others_settlements() {
    let mut settled = 0;
    each_game(8, |house, seed| {
        // Where the house rolls for the bets that are left, whether it rolls depends on everybody's bets.
        if house.table().house_roller() == Some(Role::Stick) {
            return;
        }
        // One seat makes all kinds of bets except line and come bets, which could make it the shooter. In a second game it makes none.
        let (mut table, mut without, mut generator) = (house.table(), house.table(), Generator::new(seed));
        let mut dropped = None;
        while table.throws() < 100 && !generator.is_stuck() {
            let (actor, command) = generator.next(&table);
            let seat = seat_of(&command);
            if matches!(command, Command::Join { .. }) && dropped.is_none() {
                dropped = seat;
            }
            let own = seat.is_some() && seat == dropped;
            let shoots = match &command {
                Command::Bet { slot, .. } => table.board().slot(*slot).wager.wager().family == Family::Line,
                Command::TakeDice { .. } => true,
                _ => false,
            };
            if own && shoots {
                continue;
            }
            let ran = table.run(actor, &command);
            if own {
                // The seat is taken in both games, because the next shooter depends on who is there.
                if matches!(command, Command::Join { .. } | Command::Leave { .. }) && ran.is_ok() {
                    without.run(actor, &command).unwrap();
                }
                continue;
            }
            let again = without.run(actor, &command);
            match (&ran, &again) {
                (Ok(one), Ok(other)) => {
                    let dropped = dropped.unwrap_or(0);
                    assert_eq!(of_others(one, dropped), of_others(other, dropped), "{} seed {seed}", house.file);
                    settled += of_others(one, dropped).len();
                }
                (Err(_), Err(_)) => {}
                (one, other) => panic!("{} seed {seed}, {command:?}: {one:?} / {other:?}", house.file),
            }
        }
        for (seat, placed) in without.seats().filter(|(seat, _)| Some(*seat) != dropped) {
            assert_eq!(Some(placed), table.seat(seat), "{} seed {seed}, seat {seat}", house.file);
        }
    });
    assert!(settled > 1_000, "only {settled} settlements were compared");
}
