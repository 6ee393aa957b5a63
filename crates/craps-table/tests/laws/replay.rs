//! The state of a table follows from its events alone: replayed from the beginning, from a snapshot, or with refusals in between.

use crate::drive::{decide_unlike, drive, each_game, unlike};
use craps_table::{Event, Events, Ground, Instead, Table};
use craps_testkit::House;
use craps_testkit::generate::Generator;

#[test]
fn replaying_the_events_gives_the_same_table_which_goes_on_alike() {
    each_game(8, |house, seed| {
        let mut replayed = house.table();
        let end = drive(house, seed, 60, |before, actor, command, ran, after| {
            if let Some(what) = unlike(before, &replayed).or_else(|| decide_unlike(before, &replayed, actor, command)) {
                panic!("{} seed {seed}, before {command:?}: {what}", house.file);
            }
            for event in ran.iter().flatten() {
                replayed.apply(event);
            }
            assert!(after.is_conserved(), "{} seed {seed}: money is missing after {command:?}", house.file);
            assert!(replayed.is_conserved(), "{} seed {seed}", house.file);
        });
        assert_eq!(unlike(&end, &replayed), None, "{} seed {seed}", house.file);
    });
}

fn fold(mut table: Table, events: &[Event]) -> Table {
    events.iter().for_each(|event| table.apply(event));
    table
}

/// Describes what a seat can do at one of two tables but not at the other.
fn allow_unlike(one: &Table, other: &Table) -> Option<String> {
    let seat = one.seats().map(|(seat, _)| seat).find(|seat| one.legal(*seat) != other.legal(*seat))?;
    Some(format!("seat {seat} can do different things"))
}

/// Plays the same game at two tables from here on, and describes their first difference.
fn go_on_unlike(one: &Table, other: &Table, seed: u64) -> Option<String> {
    let (mut one, mut other, mut generator) = (one.clone(), other.clone(), Generator::new(seed));
    for step in 0..80 {
        if let Some(found) = if step % 20 == 0 { allow_unlike(&one, &other) } else { None } {
            return Some(found);
        }
        let (actor, command) = generator.next(&one);
        let found = decide_unlike(&one, &other, actor, &command).or_else(|| {
            let _ = (one.run(actor, &command), other.run(actor, &command));
            unlike(&one, &other)
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Plays a game and takes a snapshot of the table during a random command, between any two of its events. Returns the snapshot, its position
/// and all events.
fn snapshot_of(house: &House, seed: u64) -> (Table, usize, Events) {
    let (mut events, mut chance) = (Events::new(), Generator::new(!seed));
    let (mut snapshot, mut commands) = ((house.table(), 0), 0);
    drive(house, seed, 60, |before, _, _, ran, _| {
        let new: &[Event] = ran.as_deref().unwrap_or_default();
        commands += 1;
        // Every command has the same chance, although the number of commands isn't known yet.
        if chance.number(0..commands) == 0 {
            let within = usize::try_from(chance.number(0..u64::try_from(new.len()).unwrap() + 1)).unwrap();
            snapshot = (fold(before.clone(), &new[..within]), events.len() + within);
        }
        events.extend_from_slice(new);
    });
    (snapshot.0, snapshot.1, events)
}

#[test]
fn a_snapshot_and_the_events_after_it_are_the_whole_game_replayed() {
    let mut within = 0;
    each_game(8, |house, seed| {
        let (snapshot, at, events) = snapshot_of(house, seed);
        within += usize::from(at > 0 && at < events.len());
        let (early, late) = events.split_at(at);
        let whole = fold(house.table(), &events);
        let place = format!("{} seed {seed}, snapshot at event {at} of {}", house.file, events.len());
        let replayed = fold(snapshot.clone(), late);
        assert_eq!(unlike(&replayed, &whole), None, "{place}");
        assert_eq!(go_on_unlike(&replayed, &whole, seed), None, "{place}");
        // Playing on from the snapshot has not changed it.
        let begun = fold(house.table(), early);
        assert_eq!(unlike(&snapshot, &begun), None, "{place}");
        assert_eq!(go_on_unlike(&snapshot, &begun, seed), None, "{place}");
    });
    assert!(within > 30, "only {within} snapshots were taken in the middle of a game");
}

#[test]
fn a_refused_command_leaves_no_trace() {
    let (mut refusals, mut offered) = (0, 0);
    each_game(6, |house, seed| {
        drive(house, seed, 60, |before, actor, command, ran, after| {
            let Err(refusal) = ran else { return };
            refusals += 1;
            assert_eq!(unlike(before, after), None, "{} seed {seed}: {command:?}", house.file);
            // The caller's buffer stays as it was, and asking again gives the same answer.
            let mut events = vec![Event::SurveillanceTold];
            assert_eq!(after.decide(actor, command, &mut events).as_ref(), Err(refusal), "{} seed {seed}", house.file);
            assert_eq!(events, [Event::SurveillanceTold], "{} seed {seed}: {command:?}", house.file);
            assert!(!refusal.sentence().is_empty(), "{} seed {seed}: {command:?} without a reason", house.file);
            let cited = refusal.cites().iter().next().is_some();
            let by_law = matches!(refusal.ground, Ground::Law(_));
            assert_eq!(cited, by_law, "{} seed {seed}: {command:?}: only the law cites law: {refusal}", house.file);
            for (by, other) in refusal.instead.iter().filter_map(Instead::command) {
                let taken = after.decide(by, &other, &mut Vec::new());
                assert_eq!(taken, Ok(()), "{} seed {seed}: {refusal} offers {other:?}", house.file);
                offered += 1;
            }
        });
    });
    assert!(refusals > 100, "only {refusals} refusals were seen");
    assert!(offered > 20, "only {offered} alternatives were tried");
}
