//! Laws that every game obeys, tried on random games at every sample house. `BOXPERSON_GAMES` asks for more games than the usual few.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::Library;
use craps_money::{Money, Stake};
use craps_notation::{Names, Played, play, read};
use craps_table::{Actor, Command, Event, Events, Manner, Refusal, SeatId, Shooter, SlotId, Table};
use craps_testkit::generate::Generator;
use craps_testkit::record::Record;
use craps_testkit::{House, sample_houses, source_of};
use craps_wagers::Family;

/// How many games a law is tried on.
fn games(usual: u64) -> u64 {
    std::env::var("BOXPERSON_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Every house in turn, with a seed for each game.
fn each_game(usual: u64, mut one: impl FnMut(&House, u64)) {
    let houses = sample_houses();
    for seed in 0..games(usual) {
        let at = usize::try_from(seed).unwrap() % houses.len();
        one(&houses[at], seed);
    }
}

type Ran = Result<Events, Refusal>;

/// Plays a game and shows each command with what came of it and the table before and after.
fn drive(house: &House, seed: u64, throws: u32, see: impl FnMut(&Table, Actor, &Command, &Ran, &Table)) -> Table {
    drive_without(house, seed, throws, |_, _| false, see)
}

/// The same without the commands that are left out.
fn drive_without(
    house: &House,
    seed: u64,
    throws: u32,
    left_out: impl Fn(&Table, &Command) -> bool,
    mut see: impl FnMut(&Table, Actor, &Command, &Ran, &Table),
) -> Table {
    let (mut table, mut generator) = (house.table(), Generator::new(seed));
    while table.throws() < throws && !generator.is_stuck() {
        let (actor, command) = generator.next(&table);
        if left_out(&table, &command) {
            continue;
        }
        let before = table.clone();
        let ran = table.run(actor, &command);
        see(&before, actor, &command, &ran, &table);
    }
    table
}

/// Where two tables differ in anything that can be seen of them.
fn unlike(one: &Table, other: &Table) -> Option<String> {
    let trackers = |table: &Table| -> Vec<_> {
        table.rules().wagers.iter().map(|rules| (rules.wager, table.tracker(rules.wager))).collect()
    };
    if one.phase() != other.phase() || one.shooter() != other.shooter() || one.throws() != other.throws() {
        let show = |table: &Table| format!("{:?} {:?} {}", table.phase(), table.shooter(), table.throws());
        return Some(format!("{} / {}", show(one), show(other)));
    }
    if trackers(one) != trackers(other) {
        return Some(format!("trackers {:?} / {:?}", trackers(one), trackers(other)));
    }
    if one.seats().count() != other.seats().count() {
        return Some("different seats are taken".to_owned());
    }
    one.seats().find_map(|(seat, placed)| {
        let same = other.seat(seat)?;
        (placed != same).then(|| format!("seat {seat}: rail {} / {}", placed.rail, same.rail))
    })
}

#[test]
fn replaying_the_events_gives_the_same_table_which_goes_on_alike() {
    each_game(44, |house, seed| {
        let mut replayed = house.table();
        let end = drive(house, seed, 120, |before, actor, command, ran, after| {
            if let Some(what) = unlike(before, &replayed) {
                panic!("{} seed {seed}, before {command:?}: {what}", house.file);
            }
            // What is not to be seen must be the same too: both decide alike.
            let mut decided = Events::new();
            let again = replayed.decide(actor, command, &mut decided);
            match (ran, again) {
                (Ok(events), Ok(())) => assert_eq!(events, &decided, "{} seed {seed}", house.file),
                (Err(one), Err(other)) => assert_eq!(one, &other, "{} seed {seed}", house.file),
                (one, other) => panic!("{} seed {seed}, {command:?}: {one:?} / {other:?}", house.file),
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

#[test]
fn a_refused_command_leaves_no_trace() {
    let mut refusals = 0;
    each_game(33, |house, seed| {
        drive(house, seed, 120, |before, actor, command, ran, after| {
            let Err(refusal) = ran else { return };
            refusals += 1;
            assert_eq!(unlike(before, after), None, "{} seed {seed}: {command:?}", house.file);
            assert!(!refusal.message.is_empty());
            // What was in the caller's buffer stays there, and nothing joins it; asked again, the answer is the same.
            let mut events = vec![Event::SurveillanceTold];
            assert_eq!(after.decide(actor, command, &mut events).as_ref(), Err(refusal), "{} seed {seed}", house.file);
            assert_eq!(events, [Event::SurveillanceTold], "{} seed {seed}: {command:?}", house.file);
        });
    });
    assert!(refusals > 100, "only {refusals} refusals were seen");
}

fn bet(table: &Table, seat: SeatId, slot: SlotId, amount: i64) -> Option<Result<(), Refusal>> {
    let amount = Stake::new(Money::from_minor(amount))?;
    let command = Command::Bet { seat, slot, amount, manner: Manner::default() };
    Some(table.decide(Actor::player(seat), &command, &mut Events::new()))
}

/// Tries a place of the layout with amounts inside its terms and just outside of them.
fn try_terms(table: &Table, seat: SeatId, slot: SlotId) -> Result<bool, String> {
    let rail = table.seat(seat).unwrap().rail.minor();
    let name = &table.layout().slot(slot).name;
    let Ok(terms) = table.terms(seat, slot, None) else {
        for amount in [100, 500, 3_000] {
            if bet(table, seat, slot, amount).is_some_and(|decided| decided.is_ok()) {
                return Err(format!("{name}: closed by its terms, but {amount} is taken"));
            }
        }
        return Ok(false);
    };
    let multiple = i64::try_from(terms.multiple.minor()).unwrap();
    let standing = terms.standing.minor();
    let (min, max) = (terms.min.minor(), terms.max.map(Money::minor));
    let up = |amount: i64| (amount + multiple - 1) / multiple * multiple;
    let least = up(min.max(standing + 1));
    let mut inside = vec![least, least + multiple, least + 7 * multiple];
    inside.extend(max.map(|max| max / multiple * multiple));
    for total in inside {
        let amount = total - standing;
        // Commission comes on top of the bet: at most five in a hundred.
        let fits = total >= least && max.is_none_or(|max| total <= max) && amount + amount / 20 <= rail;
        if fits && let Some(Err(refusal)) = bet(table, seat, slot, amount) {
            return Err(format!("{name}: {terms:?} let it come to {total}, but {refusal}"));
        }
    }
    let mut outside = vec![least + 1, standing + rail + multiple];
    outside.extend(max.map(|max| up(max + 1)));
    outside.extend((standing == 0 && multiple < min).then_some((min - 1) / multiple * multiple));
    for total in outside {
        let is_multiple = total % multiple == 0;
        let lawful = is_multiple && total >= min && max.is_none_or(|max| total <= max) && total - standing <= rail;
        if !lawful && bet(table, seat, slot, total - standing).is_some_and(|decided| decided.is_ok()) {
            return Err(format!("{name}: {total} is outside of {terms:?}, but taken"));
        }
    }
    Ok(true)
}

#[test]
fn terms_agree_with_decide() {
    let (mut open, mut shut) = (0, 0);
    each_game(33, |house, seed| {
        let mut count = 0;
        drive(house, seed, 100, |before, _, _, _, _| {
            count += 1;
            // Everything on the layout every so often, and some of it all the time.
            for (at, (slot, _)) in before.layout().slots().enumerate() {
                if (at + count) % 16 != 0 {
                    continue;
                }
                for (seat, _) in before.seats() {
                    match try_terms(before, seat, slot) {
                        Ok(true) => open += 1,
                        Ok(false) => shut += 1,
                        Err(what) => panic!("{} seed {seed}, {:?}, seat {seat}: {what}", house.file, before.phase()),
                    }
                }
            }
        });
    });
    assert!(open > 1_000 && shut > 1_000, "{open} open, {shut} shut");
}

/// The settlements of a batch of events, without those of one seat.
fn of_others(events: &[Event], dropped: SeatId) -> Vec<Event> {
    let others = |event: &&Event| matches!(event, Event::Settled { seat, .. } if *seat != dropped);
    events.iter().filter(others).cloned().collect()
}

/// The seat a command is for.
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
    each_game(44, |house, seed| {
        // One seat makes every bet but line and come bets, by which it could come to shoot; then the same game without it.
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
                Command::Bet { slot, .. } => table.layout().slot(*slot).wager.wager().family == Family::Line,
                Command::TakeDice { .. } => true,
                _ => false,
            };
            // Dice passed in mid-hand go to the next seat, whatever it has bet: who shoots is given here, so they stay.
            // At an automated table whoever rolled a seven may go on only if nobody else is there.
            let automated = house.rules.game == craps_law::Game::Automated;
            // A shooter who leaves passes the dice too.
            let given = match command {
                Command::Leave { seat } => table.shooter() == Some(Shooter::Seat(seat)),
                Command::PassDice => true,
                Command::TakeDice { .. } => automated,
                _ => false,
            };
            if (own && shoots) || given {
                continue;
            }
            let ran = table.run(actor, &command);
            if own {
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
        for (seat, placed) in without.seats() {
            assert_eq!(Some(placed), table.seat(seat), "{} seed {seed}, seat {seat}", house.file);
        }
    });
    assert!(settled > 1_000, "only {settled} settlements were compared");
}

fn played(text: &str, names: Names) -> Played {
    let read = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut all =
        play(&Library::shipped(), &read, names, &source_of).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    all.remove(0)
}

/// The first line in which two texts differ.
fn first_unlike(one: &str, other: &str) -> Option<String> {
    let lines = one
        .lines()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(other.lines().map(Some).chain(std::iter::repeat(None)));
    let at = lines.take_while(|pair| *pair != (None, None)).find(|(one, other)| one != other);
    at.map(|(one, other)| format!("{} / {}", one.unwrap_or("nothing"), other.unwrap_or("nothing")))
}

#[test]
fn a_game_written_down_is_filled_checked_and_filled_again_alike() {
    each_game(66, |house, seed| {
        let mut record = Record::new(house);
        // Only whole rolls are written down, so the rails are those after the last of them.
        let mut rails = String::new();
        // Left out until they are mended: `fill` announces throws for decisions only once, however often the same shooter begins
        // them; and it prints who has the shaker behind the line that passes it on.
        let automated = house.rules.game == craps_law::Game::Automated;
        let known = |_: &Table, command: &Command| match command {
            Command::TakeDice { decisions_only, .. } => *decisions_only,
            Command::PassDice => automated,
            _ => false,
        };
        drive_without(house, seed, 40, known, |before, _, command, _, after| {
            record.note(before, command);
            if matches!(command, Command::Throw { .. } | Command::NoRoll { .. }) {
                let all: Vec<String> = after.seats().map(|(seat, placed)| format!("{seat}:{}", placed.rail)).collect();
                rails = format!("# end {}", all.join(" "));
            }
        });
        let place = format!("{} seed {seed}", house.file);
        for names in [Names::Codes, Names::Slugs] {
            let filled = played(&record.text(), names).filled;
            let end = filled.lines().find(|line| line.starts_with("# end"));
            assert_eq!(end, Some(rails.as_str()), "{place}\n{}", record.text());
            let again = played(&filled, names);
            assert!(again.differences.is_empty(), "{place}: {:#?}\n{filled}", again.differences);
            assert_eq!(first_unlike(&filled, &again.filled), None, "{place}\n{}", record.text());
        }
    });
}
