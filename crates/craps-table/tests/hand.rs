//! How a hand continues: trackers, betting windows, bets that are off, rolling for come decisions only, and the accounts.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{Answer, Game, HouseRules, Library, TableRules, Window};
use craps_money::Money;
use craps_table::{
    Actor, After, AfterDecisions, Called, Command, Event, Events, Manner, Refusal, Role, SeatId, Shooter, Table,
};
use craps_wagers::{Phase, Progress};

fn rules(book: &str, game: Option<Game>) -> TableRules {
    let library = Library::shipped();
    let law = library.book(book).unwrap();
    let mut house = HouseRules::plain(book, law.sample_day);
    house.game = game;
    house.set("offer", "all").unwrap();
    law.admit(&house).unwrap()
}

fn table(rules: TableRules) -> Table {
    let mut table = Table::open(rules).unwrap();
    for seat in [1, 2] {
        let join = Command::Join { seat, name: format!("seat {seat}"), money: "1000".parse().unwrap() };
        table.run(Actor::staff(Role::Box), &join).unwrap();
    }
    table
}

fn bet(table: &mut Table, seat: SeatId, name: &str, amount: &str) -> Result<Events, Refusal> {
    let slot = table.board().named(name).unwrap();
    let command = Command::Bet { seat, slot, amount: amount.parse().unwrap(), manner: Manner::default() };
    table.run(Actor::player(seat), &command)
}

fn roll(table: &mut Table, dice: &str) -> Events {
    table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice.parse().unwrap() }).unwrap()
}

/// A table after the point was made: seat 1 has a come bet on 5 with odds, and no line bet.
fn with_a_come_bet(rules: TableRules) -> Table {
    let mut table = table(rules);
    bet(&mut table, 1, "pass", "10").unwrap();
    roll(&mut table, "4-2");
    bet(&mut table, 1, "come", "10").unwrap();
    roll(&mut table, "4-1");
    bet(&mut table, 1, "come-odds-5", "10").unwrap();
    roll(&mut table, "3-3");
    assert_eq!(table.phase(), Phase::ComeOut);
    table
}

#[test]
fn odds_behind_a_bet_that_was_called_off_are_off() {
    let mut rules = rules("pa", None);
    rules.off_calls_any = Some(true);
    let mut table = with_a_come_bet(rules);
    let [come, odds] = ["come-5", "come-odds-5"].map(|name| table.board().named(name).unwrap());
    // The odds are turned on, so only the bet in front can turn them off.
    let call = |slot, called| Command::Call { seat: 1, slot, called };
    table.run(Actor::player(1), &call(odds, Called::On)).unwrap();
    assert!(table.works(1, come) && table.works(1, odds));
    table.run(Actor::player(1), &call(come, Called::Off)).unwrap();
    assert!(!table.works(1, come) && !table.works(1, odds));
    // Settling agrees: a seven takes neither, and a 5 pays neither.
    for dice in ["4-3", "3-2"] {
        let mut copy = table.clone();
        bet(&mut copy, 1, "pass", "10").unwrap();
        roll(&mut copy, dice);
        let bets = &copy.seat(1).unwrap().bets;
        assert!(bets.get(come).is_some() && bets.get(odds).is_some(), "{dice}");
    }
    bet(&mut table, 1, "pass", "10").unwrap();
    roll(&mut table, "2-2");
    assert!(table.works(1, come) && table.works(1, odds));
}

#[test]
fn rolling_for_come_decisions_only_ends_by_an_event() {
    let take = Command::TakeDice { seat: Some(1), decisions_only: true };
    let mut table = with_a_come_bet(rules("pa", None));
    table.run(Actor::player(1), &take).unwrap();
    assert_eq!(table.phase(), Phase::ComeDecisionOnly);
    let over = |events: &[Event]| {
        let of = |event: &Event| if let Event::DecisionsOver { dice } = event { Some(*dice) } else { None };
        events.iter().find_map(of)
    };
    let (mut own, mut other) = (table.clone(), table.clone());
    assert_eq!(over(&bet(&mut own, 1, "pass", "10").unwrap()), Some(AfterDecisions::Kept));
    assert_eq!((own.phase(), own.shooter()), (Phase::ComeOut, Some(Shooter::Seat(1))));
    assert_eq!(over(&bet(&mut other, 2, "pass", "10").unwrap()), Some(AfterDecisions::Passed));
    assert_eq!((other.phase(), other.shooter()), (Phase::ComeOut, None));
    // A line bet without that event ends nothing, because applying events decides nothing.
    let events = bet(&mut table.clone(), 2, "pass", "10").unwrap();
    let mut folded = table.clone();
    events.iter().filter(|event| !matches!(event, Event::DecisionsOver { .. })).for_each(|event| folded.apply(event));
    assert_eq!(folded.phase(), Phase::ComeDecisionOnly);
    // A don't come bet can be taken down. Without come bets there is nothing left to decide.
    let mut wrong = self::table(rules("pa", None));
    bet(&mut wrong, 1, "pass", "10").unwrap();
    roll(&mut wrong, "4-2");
    bet(&mut wrong, 1, "dont-come", "10").unwrap();
    roll(&mut wrong, "4-1");
    roll(&mut wrong, "3-3");
    wrong.run(Actor::player(1), &take).unwrap();
    let slot = wrong.board().named("dont-come-5").unwrap();
    let lower = |amount: &str| Command::TakeDown { seat: 1, slot, amount: amount.parse().unwrap() };
    assert_eq!(over(&wrong.clone().run(Actor::player(1), &lower("5")).unwrap()), None);
    assert_eq!(over(&wrong.run(Actor::player(1), &lower("10")).unwrap()), Some(AfterDecisions::KeptWithLineBet));
    assert_eq!((wrong.phase(), wrong.shooter(), wrong.hand().declined), (Phase::ComeOut, Some(Shooter::Seat(1)), true));
}

#[test]
fn a_log_that_does_not_tell_of_it_is_folded_the_same() {
    for seat in [1, 2] {
        let mut table = with_a_come_bet(rules("co", None));
        table.run(Actor::player(1), &Command::TakeDice { seat: Some(1), decisions_only: true }).unwrap();
        let (mut told, mut logged) = (table.clone(), table.clone());
        let mut events = bet(&mut told, seat, "pass", "10").unwrap();
        events.extend(roll(&mut told, "4-4"));
        let before = table.as_told_before(&events);
        assert!(before.len() < events.len() && before != events);
        before.iter().for_each(|event| logged.apply_logged(event));
        assert_eq!((logged.hand(), logged.accounts(), logged.stage()), (told.hand(), told.accounts(), told.stage()));
        // A complete log is not applied twice.
        let mut again = table.clone();
        events.iter().for_each(|event| again.apply_logged(event));
        assert_eq!(again.state(), told.state());
    }
}

#[test]
fn every_side_bet_has_a_tracker_of_its_own() {
    let id = |slug: &str| craps_wagers::Catalogue::built_in().find(slug).unwrap();
    let [small, tall, all] = ["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"].map(id);
    let mut table = table(rules("co", None));
    bet(&mut table, 1, "pass", "10").unwrap();
    roll(&mut table, "4-4");
    let is_empty = |table: &Table, wager| table.tracker(wager) == Progress::FRESH;
    assert!(is_empty(&table, small) && !is_empty(&table, tall) && !is_empty(&table, all));
    for dice in ["1-1", "1-2", "2-2", "4-1"] {
        roll(&mut table, dice);
        assert!(!is_empty(&table, small), "{dice}");
    }
    roll(&mut table, "5-1");
    // Small is complete and starts over. The others continue.
    assert!(is_empty(&table, small) && !is_empty(&table, tall) && !is_empty(&table, all));
    roll(&mut table, "4-3");
    assert!(is_empty(&table, tall) && is_empty(&table, all));
}

#[test]
fn a_window_reads_the_tracker_that_governs_it() {
    // If the table offers the wager that their entries name, they share its tracker. Otherwise each has its own.
    let side_bets = ["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"];
    let with = |together: bool| {
        let mut rules = rules("co", None);
        for wager in rules.wagers.iter_mut().filter(|wager| side_bets.contains(&wager.wager.wager().slug)) {
            wager.make.is.window = craps_law::Window::TrackerEmpty;
            wager.make.is.fresh = false;
        }
        if !together {
            rules.wagers.retain(|wager| wager.wager.wager().slug != "bonus-make-em-all");
        }
        let mut table = table(rules);
        bet(&mut table, 1, "pass", "10").unwrap();
        roll(&mut table, "4-4");
        ["bonus-all-small", "bonus-all-tall"].map(|name| bet(&mut table, 1, name, "5").is_ok())
    };
    assert_eq!(with(true), [false, false]);
    assert_eq!(with(false), [true, false]);
}

#[test]
fn surveillance_is_told_of_any_product_whose_book_wants_it() {
    let mut rules = rules("co", None);
    let told = self::rules("nj", None).rules.remove("fire.surveillance_points").unwrap();
    rules.rules.insert("sharp_shooter.surveillance_points".to_owned(), told);
    let mut table = table(rules);
    bet(&mut table, 1, "pass", "10").unwrap();
    bet(&mut table, 1, "sharp-shooter", "5").unwrap();
    // The same point four times. Fire would count it only once.
    let mut told = Vec::new();
    for dice in ["4-4", "4-4", "4-4", "4-4", "4-4", "4-4", "4-4", "4-4", "4-4", "4-4"] {
        told.push(roll(&mut table, dice).contains(&Event::SurveillanceTold));
        if table.phase() == Phase::ComeOut {
            bet(&mut table, 1, "pass", "10").unwrap();
        }
    }
    assert_eq!(told, [false, false, false, false, false, false, false, true, false, false]);
}

#[test]
fn the_book_says_how_many_seats_there_are() {
    for (game, topic, usual) in [(Some(Game::MiniCraps), "table.seats_mini", 9), (Some(Game::Craps), "table.seats", 16)]
    {
        let mut rules = rules("pa", game);
        assert_eq!(Table::open(rules.clone()).unwrap().places(), usual);
        // Without a choice of the house, the book decides.
        rules.seats = None;
        // The book has no answer for a full-size table, so this borrows the one for a small table.
        let mut answer = rules.rules.get("table.seats_mini").unwrap().clone();
        answer.is.answer = Answer::Count(7);
        rules.rules.insert(topic.to_owned(), answer);
        let mut table = table(rules.clone());
        assert_eq!(table.places(), 7);
        let join = |seat| Command::Join { seat, name: "Eve".into(), money: "10".parse().unwrap() };
        let refusal = table.run(Actor::staff(Role::Box), &join(8)).unwrap_err();
        assert!(refusal.sentence().contains("seats are 1 to 7"), "{refusal}");
        assert!(table.run(Actor::staff(Role::Box), &join(7)).is_ok());
        rules.rules.remove(topic);
        assert_eq!(Table::open(rules).unwrap().places(), usual);
    }
}

#[test]
fn money_that_cannot_be_held_is_noticed_for_good() {
    let mut table = table(rules("pa", None));
    assert!(table.is_conserved());
    let most = Money::from_minor(i64::MAX);
    table.apply(&Event::BoughtIn { seat: 1, money: most });
    assert!(!table.is_conserved());
    table.apply(&Event::BoughtIn { seat: 1, money: Money::from_minor(-1) });
    assert!(!table.is_conserved());
}

#[test]
fn a_shooter_who_takes_the_dice_again_keeps_them() {
    let mut table = table(rules("nj", None));
    bet(&mut table, 1, "pass", "10").unwrap();
    let take = Command::TakeDice { seat: Some(1), decisions_only: false };
    assert!(!table.run(Actor::player(1), &take).unwrap().is_empty());
    assert_eq!(table.shooter(), Some(Shooter::Seat(1)));
    assert!(table.run(Actor::player(1), &take).unwrap().is_empty(), "nothing happens");
}

#[test]
fn a_shooter_needs_the_bet_that_the_book_names() {
    let shoots_with = |answer: &str| {
        let mut rules = rules("nj", None);
        rules.rules.get_mut("shooter.must_bet").unwrap().is.answer = Answer::Word(answer.into());
        let table = table(rules);
        let names = table.shoots_with().iter().map(|slot| table.board().slot(slot).name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(shoots_with("pass"), ["pass"]);
    assert_eq!(shoots_with("pass_or_dont_pass"), ["pass", "dont-pass"]);
}

#[test]
fn a_shooter_without_a_line_bet_is_told_which_one_the_book_wants() {
    let told = |book: &str| {
        let mut table = table(rules(book, None));
        let throw = Command::Throw { dice: "2-2".parse().unwrap() };
        table.run(Actor::staff(Role::Stick), &throw).unwrap_err().to_string()
    };
    assert!(told("co").starts_with("Make a pass or don't pass bet to shoot."), "{}", told("co"));
    assert!(told("co-crapless").starts_with("Make a pass bet to shoot."), "{}", told("co-crapless"));
}

/// A book may let players make come bets at any time, also while other bets are off.
#[test]
fn a_come_bet_moves_on_a_come_out_roll_while_other_bets_are_off() {
    let mut rules = rules("nj", None);
    let come = rules.wagers.iter_mut().find(|wager| wager.wager.wager().slug == "come").unwrap();
    come.make.is.window = Window::AnyTime;
    let mut table = table(rules);
    for name in ["pass", "come", "place-win-9"] {
        bet(&mut table, 1, name, "10").unwrap();
    }
    roll(&mut table, "4-4");
    let bets = table.seat(1).unwrap().bets.standing();
    let names: Vec<&str> = bets.map(|(slot, _)| table.board().slot(slot).name.as_str()).collect();
    assert_eq!(names, ["pass", "come-8", "place-win-9"]);
}

#[test]
fn a_bet_that_is_paid_and_stays_records_the_roll() {
    let mut table = table(rules("pa", Some(Game::Electronic)));
    bet(&mut table, 1, "pass", "10").unwrap();
    bet(&mut table, 1, "lucky-shooter", "5").unwrap();
    let events = roll(&mut table, "3-4");
    let lucky = table.board().named("lucky-shooter").unwrap();
    let stands = events.iter().find_map(|event| match event {
        Event::Settled { slot, after: After::Stands(_, bet), .. } if *slot == lucky => Some(bet.thrown),
        _ => None,
    });
    assert_eq!(stands, Some(true));
}
