//! A game's text plays back to the same game.

use crate::drive::{drive, each_game};
use craps_law::Library;
use craps_notation::{Names, Played, events_of, felt_string, play, read, set_up};
use craps_table::{Command, Event, Events, Shooter, Table};
use craps_testkit::record::Record;
use craps_testkit::{House, source_of};
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

fn played(text: &str, names: Names) -> Played {
    let read = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut all = play(&LIBRARY, &read, names, &source_of).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    all.remove(0)
}

fn events_in(text: &str) -> Events {
    let read = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut all = events_of(&LIBRARY, &read, &source_of).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    all.remove(0)
}

/// Returns the first lines in which two texts differ.
fn first_unlike(one: &str, other: &str) -> Option<String> {
    let lines = one
        .lines()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(other.lines().map(Some).chain(std::iter::repeat(None)));
    let at = lines.take_while(|pair| *pair != (None, None)).find(|(one, other)| one != other);
    at.map(|(one, other)| format!("{} / {}", one.unwrap_or("nothing"), other.unwrap_or("nothing")))
}

/// The text of a game, all its events after the first players had sat down, and everyone's chips at its end.
struct Written {
    text: String,
    events: Events,
    rails: String,
}

/// Plays a game and writes it down. Only whole rolls are written, so everything ends with the last roll.
fn written(house: &House, seed: u64) -> Written {
    let (mut record, mut seated) = (Record::new(house), true);
    let (mut events, mut whole, mut rails) = (Events::new(), 0, String::new());
    drive(house, seed, 40, |before, _, command, ran, after| {
        record.note(before, command);
        seated &= matches!(command, Command::Join { .. });
        if !seated {
            events.extend(ran.iter().flatten().cloned());
        }
        if matches!(command, Command::Throw { .. } | Command::NoRoll { .. }) {
            let all: Vec<String> = after.seats().map(|(seat, placed)| format!("{seat}:{}", placed.rail)).collect();
            (whole, rails) = (events.len(), format!("# end {}", all.join(" ")));
        }
    });
    events.truncate(whole);
    Written { text: record.text(), events, rails }
}

#[test]
fn a_game_written_down_is_filled_checked_and_filled_again_alike() {
    each_game(11, |house, seed| {
        let Written { text, rails, .. } = written(house, seed);
        let place = format!("{} seed {seed}", house.file);
        for names in [Names::Codes, Names::Slugs] {
            let filled = played(&text, names).filled;
            let end = filled.lines().find(|line| line.starts_with("# end"));
            assert_eq!(end, Some(rails.as_str()), "{place}\n{text}");
            let again = played(&filled, names);
            assert!(again.differences.is_empty(), "{place}: {:#?}\n{filled}", again.differences);
            assert_eq!(first_unlike(&filled, &again.filled), None, "{place}\n{text}");
        }
    });
}

/// Returns all events with their shooters, except for how the shooters got the dice. A printed game names its shooters, where in the original the
/// crew opened the table and offered the dice around.
fn without_offers(events: &[Event]) -> Vec<(Option<Shooter>, &Event)> {
    let (mut shooter, mut all) = (None, Vec::new());
    for event in events {
        match event {
            Event::Inspected | Event::Opened { .. } | Event::DiceOffered { .. } | Event::DiceDeclined { .. } => {}
            Event::DicePassed => shooter = None,
            Event::DiceTaken { seat, .. } => shooter = Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
            Event::Thrown { .. } | Event::NoRoll { .. } => all.push((shooter, event)),
            _ => all.push((None, event)),
        }
    }
    all
}

/// Describes the first difference between two lists.
fn first_difference<T: PartialEq + std::fmt::Debug>(one: &[T], other: &[T]) -> Option<String> {
    let at = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))?;
    Some(format!("event {at}: {:?} / {:?}", one.get(at), other.get(at)))
}

#[test]
fn printing_then_reading_gives_the_same_events() {
    each_game(11, |house, seed| {
        let Written { text, events, .. } = written(house, seed);
        let place = format!("{} seed {seed}", house.file);
        assert_eq!(first_difference(&events, &events_in(&text)), None, "{place}\n{text}");
        let names = if seed % 2 == 0 { Names::Codes } else { Names::Slugs };
        let filled = played(&text, names).filled;
        let difference = first_difference(&without_offers(&events), &without_offers(&events_in(&filled)));
        assert_eq!(difference, None, "{place}\n{filled}");
    });
}

/// Describes how two positions differ in what a felt string holds: everything except commissions, coupons and what bets were told to do.
fn another_position(one: &Table, other: &Table) -> Option<String> {
    if (one.phase(), one.shooter()) != (other.phase(), other.shooter()) {
        return Some(format!("{:?} {:?} / {:?} {:?}", one.phase(), one.shooter(), other.phase(), other.shooter()));
    }
    if let Some(rules) = one.rules().wagers.iter().find(|rules| one.tracker(rules.wager) != other.tracker(rules.wager))
    {
        return Some(format!("the markers of {}", rules.wager));
    }
    if !one
        .seats()
        .map(|(seat, placed)| (seat, placed.rail))
        .eq(other.seats().map(|(seat, placed)| (seat, placed.rail)))
    {
        return Some("seats or chips".to_owned());
    }
    let all = one.seats().flat_map(|(seat, _)| one.board().slots().map(move |(slot, place)| (seat, slot, place)));
    let bet =
        |table: &Table, seat, slot| table.seat(seat)?.bets.get(slot).map(|bet| (bet.stake, bet.called, bet.progress));
    let differs = all.filter(|(seat, slot, _)| bet(one, *seat, *slot) != bet(other, *seat, *slot));
    let mut differs = differs.map(|(seat, slot, place)| {
        format!("{seat}:{}: {:?} / {:?}", place.code, bet(one, seat, slot), bet(other, seat, slot))
    });
    differs.next()
}

#[test]
fn a_position_printed_and_set_up_is_the_same_position() {
    let mut positions = 0;
    each_game(8, |house, seed| {
        let mut count = seed;
        drive(house, seed, 60, |_, _, _, _, after| {
            count += 1;
            if count % 12 != 0 {
                return;
            }
            positions += 1;
            let (text, mut copy) = (felt_string(after, 7), house.table());
            let place = format!("{} seed {seed}\n{text}", house.file);
            let (roll, events) = set_up(&copy, &text).unwrap_or_else(|error| panic!("{place}\n{error}"));
            events.iter().for_each(|event| copy.apply(event));
            assert_eq!(another_position(after, &copy), None, "{place}");
            assert_eq!(felt_string(&copy, roll), text, "{place}");
            assert!(copy.is_conserved(), "{place}");
        });
    });
    assert!(positions > 500, "only {positions} positions");
}
