//! What commands and events are about, and the names of roles and reasons.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_money::{Money, Stake};
use craps_table::{After, AfterWin, Bet, Called, Command, Event, Manner, NewDice, NoRollReason, Role, SlotId, Verdict};
use std::collections::BTreeSet;

#[test]
fn names_are_different_and_find_what_they_name() {
    let mut names = BTreeSet::new();
    for role in Role::EVERY {
        assert!(names.insert(role.name()) && role.name().len() > 2);
        assert_eq!(Role::find(role.name()), Role::ALL.contains(&role).then_some(role));
    }
    for reason in NoRollReason::ALL {
        assert!(names.insert(reason.name()) && reason.name().len() > 2);
        assert_eq!(NoRollReason::find(reason.name()), Some(reason));
    }
    for reason in NewDice::ALL {
        assert!(names.insert(reason.name()) && reason.name().len() > 2);
        assert_eq!(NewDice::find(reason.name()), Some(reason));
    }
    assert_eq!((Role::find("shooter"), NoRollReason::find("late"), NewDice::find("old")), (None, None, None));
    for unfit in ["chipped", "marked", "scratched"] {
        assert_eq!(NewDice::find(unfit), Some(NewDice::Unfit));
    }
    // Logs have these names, so they stay.
    assert_eq!((Role::Box.name(), NoRollReason::Cocked.name(), NewDice::Daily.name()), ("box", "cocked", "daily"));
}

#[test]
fn commands_about_a_bet_name_it() {
    let (seat, slot, amount) = (2, SlotId::ALL[9], Stake::whole(10).unwrap());
    let bet: Command = Command::Bet { seat, slot, amount, manner: Manner::default() };
    let in_flight = Command::InFlight { command: Box::new(bet.clone()) };
    let about = [
        bet,
        in_flight,
        Command::TakeDown { seat, slot, amount },
        Command::Call { seat, slot, called: Called::Off },
        Command::Tell { seat, slot, after_win: AfterWin::Down },
    ];
    for command in about {
        assert_eq!(command.slot(), Some(slot), "{command:?}");
    }
    assert_eq!(Command::<SlotId>::PassDice.slot(), None);
}

#[test]
fn events_that_move_money_name_the_seat() {
    let (seat, slot, bet) = (4, SlotId::ALL[1], Bet::of(Money::from_minor(500)));
    let settled: Event = Event::Settled { seat, slot, bet, verdict: Verdict::Lost, after: After::Down };
    let taken = Event::TakenDown { seat, slot, left: None, returned: bet.stake, refunded: Money::ZERO };
    for event in [settled, taken] {
        assert_eq!(event.moves_money_of(), Some(seat), "{event:?}");
    }
    let told: Event = Event::Told { seat, slot, bet };
    assert_eq!(told.moves_money_of(), None);
    assert_eq!(Event::<SlotId>::SurveillanceTold.moves_money_of(), None);
}

#[test]
fn events_name_their_slots() {
    let [slot, to] = [SlotId::ALL[1], SlotId::ALL[200]];
    let (seat, bet) = (4, Bet::of(Money::from_minor(500)));
    let slots = |event: Event| event.slots().collect::<Vec<_>>();
    assert_eq!(slots(Event::Told { seat, slot, bet }), [slot]);
    assert_eq!(slots(Event::Advanced { seat, slot, bet }), [slot]);
    let settled = |verdict: Verdict, after: After| Event::Settled { seat, slot, bet, verdict, after };
    assert_eq!(slots(settled(Verdict::Lost, After::Down)), [slot]);
    assert_eq!(slots(settled(Verdict::Moved { to }, After::Down)), [slot, to]);
    assert_eq!(slots(settled(Verdict::Returned, After::Stands(to, bet))), [slot, to]);
    assert_eq!(slots(Event::SurveillanceTold), []);
}
