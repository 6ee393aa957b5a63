//! The crew's steps with a crew of people, and what players are allowed to do.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{Game, HouseRules, Library};
use craps_table::{
    Actor, Called, Code, Command, Crew, Event, Manner, NewDice, NoRollReason, PassGround, Refusal, Role, Stage, Table,
};

fn table(book: &str, game: Game) -> Table {
    // Without a draw, which has its own steps.
    house(book, game, &[("offer", "all"), ("power_odds.offered", "no")])
}

/// A table of a house with these choices, and three players.
fn house(book: &str, game: Game, choices: &[(&str, &str)]) -> Table {
    seated(&Library::shipped(), book, game, choices)
}

fn seated(library: &Library, book: &str, game: Game, choices: &[(&str, &str)]) -> Table {
    let law = library.book(book).unwrap();
    let mut house = HouseRules::plain(book, law.sample_day);
    house.game = Some(game);
    choices.iter().for_each(|(key, value)| house.set(key, value).unwrap());
    let mut table = Table::open(law.admit(&house).unwrap()).unwrap();
    for seat in [1, 2, 3] {
        table
            .run(
                Actor::staff(Role::Box),
                &Command::Join { seat, name: format!("seat {seat}"), money: "1000".parse().unwrap() },
            )
            .unwrap();
    }
    table
}

fn bet(table: &Table, seat: u8, name: &str, amount: &str) -> Command {
    Command::Bet {
        seat,
        slot: table.board().named(name).unwrap(),
        amount: amount.parse().unwrap(),
        manner: Manner::default(),
    }
}

fn refused(table: &mut Table, actor: Actor, command: &Command) -> Refusal {
    table.run(actor, command).unwrap_err()
}

#[test]
fn a_crew_of_people_opens_offers_and_throws_step_by_step() {
    let mut table = table("pa", Game::Craps).with_crew(Crew::People);
    let (stick, boxperson) = (Actor::staff(Role::Stick), Actor::staff(Role::Box));
    let pass = bet(&table, 2, "pass", "10");
    assert!(refused(&mut table, Actor::player(2), &pass).code.name() == "table-not-open");
    assert!(
        refused(&mut table, boxperson, &Command::OpenTable { dice: 4 }).cites().to_string().contains("PA 623a.7(a)")
    );
    table.run(boxperson, &Command::OpenTable { dice: 5 }).unwrap();
    assert!(refused(&mut table, stick, &Command::OfferDice { seat: 2 }).code == Code::NotNext { next: Some(1) });
    table.run(stick, &Command::OfferDice { seat: 1 }).unwrap();
    table.run(Actor::player(1), &Command::DeclineDice { seat: 1 }).unwrap();
    table.run(stick, &Command::OfferDice { seat: 2 }).unwrap();
    assert!(table.run(Actor::player(3), &Command::TakeDice { seat: Some(3), decisions_only: false }).is_err());
    table.run(Actor::player(2), &Command::TakeDice { seat: Some(2), decisions_only: false }).unwrap();
    assert!(refused(&mut table, Actor::player(2), &Command::Release).cites().to_string().contains("PA 623a.8(a)"));
    table.run(Actor::player(2), &pass).unwrap();
    assert!(refused(&mut table, stick, &Command::Throw { dice: "4-2".parse().unwrap() }).code == Code::NotReleased);
    table.run(Actor::player(2), &Command::Release).unwrap();
    let late = bet(&table, 1, "field", "5");
    assert!(refused(&mut table, Actor::player(1), &late).code == Code::DiceInAir);
    let events = table.run(stick, &Command::Throw { dice: "4-2".parse().unwrap() }).unwrap();
    assert!(events.contains(&Event::Called { total: craps_dice::Total::Six }));
    assert_eq!(table.stage(), Stage::Betting);
    table.run(stick, &Command::NewDice { reason: NewDice::find("chipped").unwrap(), dice: 5 }).unwrap();
    assert_eq!(table.dice().sets, 2);
    assert!(
        refused(&mut table, Actor::player(1), &Command::OrderOff { ground: PassGround::Delay })
            .cites()
            .to_string()
            .contains("PA 623a.10(a)(2)")
    );
    table.run(boxperson, &Command::OrderOff { ground: PassGround::Delay }).unwrap();
    assert_eq!(table.stage(), Stage::Offering(None));
}

#[test]
fn the_shaker_is_inspected_closed_and_started_in_order() {
    let mut table = table("nj-automated", Game::Automated).with_crew(Crew::People);
    let (floor, dealer) = (Actor::staff(Role::Floor), Actor::staff(Role::Dealer));
    assert!(table.run(dealer, &Command::OpenTable { dice: 2 }).is_err());
    assert!(
        refused(&mut table, dealer, &Command::Inspect { test_rolls: 1 }).cites().to_string().contains("NJ 1A.5(a)")
    );
    assert!(table.run(floor, &Command::Inspect { test_rolls: 0 }).is_err());
    table.run(floor, &Command::Inspect { test_rolls: 1 }).unwrap();
    let dice = if table.run(dealer, &Command::OpenTable { dice: 2 }).is_ok() { 2 } else { 5 };
    if dice == 5 {
        table.run(dealer, &Command::OpenTable { dice }).unwrap();
    }
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    table.run(dealer, &Command::OfferDice { seat: 1 }).unwrap();
    table.run(Actor::player(1), &Command::TakeDice { seat: Some(1), decisions_only: false }).unwrap();
    assert!(table.run(Actor::player(1), &Command::Release).is_err(), "no more bets is called first");
    table.run(dealer, &Command::CloseBets).unwrap();
    let late = bet(&table, 2, "field", "5");
    assert!(refused(&mut table, Actor::player(2), &late).cites().to_string().contains("NJ 1A"));
    table.run(Actor::player(1), &Command::Release).unwrap();
    assert!(
        table.run(dealer, &Command::NoRoll { reason: NoRollReason::Improper, caller: Some(Role::Dealer) }).is_err()
    );
    table.run(dealer, &Command::NoRoll { reason: NoRollReason::Malfunction, caller: None }).unwrap();
    assert_eq!(table.stage(), Stage::Betting, "a void round decides nothing");
}

#[test]
fn an_automatic_crew_does_the_ordinary_acts_by_itself() {
    let mut table = table("nj", Game::Craps);
    table.run(Actor::player(2), &bet(&table.clone(), 2, "pass", "10")).unwrap();
    let events = table.run(Actor::staff(Role::Machine), &Command::Throw { dice: "3-4".parse().unwrap() }).unwrap();
    let acts: Vec<&Event> = events.iter().take(6).collect();
    assert!(
        matches!(
            acts[..],
            [
                Event::Opened { dice: 5 },
                Event::DiceOffered { seat: 1 },
                Event::DiceDeclined { seat: 1 },
                Event::DiceOffered { seat: 2 },
                Event::DiceTaken { seat: Some(2), .. },
                Event::Released
            ]
        ),
        "{acts:?}"
    );
}

#[test]
fn an_automatic_crew_closes_the_bets_where_the_book_has_it_done_before_the_roll() {
    let closes = |table: &mut Table| {
        let throw = Command::Throw { dice: "3-4".parse().unwrap() };
        table.run(Actor::staff(Role::Machine), &throw).unwrap().contains(&Event::BetsClosed)
    };
    let mut shaker = table("nj-automated", Game::Automated);
    shaker.run(Actor::player(1), &bet(&shaker.clone(), 1, "pass", "10")).unwrap();
    assert!(closes(&mut shaker));
    let mut craps = table("nj", Game::Craps);
    craps.run(Actor::player(1), &bet(&craps.clone(), 1, "pass", "10")).unwrap();
    assert!(!closes(&mut craps));
}

/// The side bets that a roll closes for the rest of the hand.
fn closed_by(window: &str, dice: &str) -> Vec<&'static str> {
    let mut table = house("co", Game::Craps, &[("ride.offered", "yes"), ("ride.window", window)]);
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    let throw = Command::Throw { dice: dice.parse().unwrap() };
    let events = table.run(Actor::staff(Role::Machine), &throw).unwrap();
    let closed = |event: &Event| match event {
        Event::SideBetClosed { wager } => Some(wager.wager().slug),
        _ => None,
    };
    events.iter().filter_map(closed).collect()
}

#[test]
fn a_side_bet_is_announced_as_closed_when_its_window_ends() {
    let ride = ["ride-the-line"];
    assert_eq!(closed_by("until_point_established", "2-2"), ride, "a point is set");
    assert_eq!(closed_by("until_first_counted", "2-2"), [""; 0], "nothing has counted yet");
    assert_eq!(closed_by("until_first_counted", "3-4"), ride, "the first win counts");
    assert_eq!(closed_by("until_point_established", "1-1"), [""; 0], "no point is set");
}

#[test]
fn replaying_the_events_gives_the_same_table() {
    let mut table = table("co", Game::Craps);
    let mut log: Vec<Event> = Vec::new();
    let empty = Table::open(table.rules().clone()).unwrap();
    for seat in [1, 2, 3] {
        log.push(Event::Joined { seat, name: format!("seat {seat}"), money: "1000".parse().unwrap() });
    }
    for (seat, name, amount) in
        [(1, "pass", "10"), (2, "dont-pass", "20"), (3, "bonus-make-em-all", "5"), (1, "fire", "5"), (2, "hard-6", "5")]
    {
        let command = bet(&table, seat, name, amount);
        log.extend(table.run(Actor::player(seat), &command).unwrap());
    }
    for dice in ["4-2", "3-3", "1-1"] {
        log.extend(
            table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice.parse().unwrap() }).unwrap_or_default(),
        );
    }
    let mut copy = empty;
    log.iter().for_each(|event| copy.apply(event));
    assert_eq!(copy.seats().collect::<Vec<_>>(), table.seats().collect::<Vec<_>>());
    assert_eq!((copy.phase(), copy.shooter(), copy.throws()), (table.phase(), table.shooter(), table.throws()));
}

#[test]
fn legal_moves_agree_with_what_is_decided() {
    let mut table = table("md", Game::Craps);
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    table.run(Actor::staff(Role::Stick), &Command::Throw { dice: "5-4".parse().unwrap() }).unwrap();
    let mut open = 0;
    for legal in table.legal(1) {
        let slot = legal.slot;
        let amount = match &legal.terms {
            Ok(terms) => terms
                .multiple
                .times((terms.min.minor().unsigned_abs()).div_ceil(terms.multiple.minor()).max(1))
                .unwrap(),
            Err(_) => "30".parse().unwrap(),
        };
        let command = Command::Bet { seat: 1, slot, amount, manner: Manner::default() };
        let decided = table.decide(Actor::player(1), &command, &mut Vec::new());
        let name = &table.board().slot(slot).name;
        assert_eq!(decided.is_ok(), legal.terms.is_ok(), "{name}: {decided:?}");
        open += usize::from(decided.is_ok());
    }
    assert!(open > 40, "{open}");
}

#[test]
fn only_those_who_may_rule_on_money_and_a_ruling_is_an_event() {
    let mut table = table("pa", Game::Craps);
    let command = Command::Rule { seat: 1, amount: "14".parse().unwrap(), reason: "short paid".into() };
    assert!(table.run(Actor::staff(Role::Dealer), &command).is_err());
    let events = table.run(Actor::staff(Role::Box), &command).unwrap();
    assert!(matches!(events[..], [Event::Ruled { seat: 1, .. }]));
    assert_eq!(table.seat(1).unwrap().rail.to_string(), "1014");
    assert!(table.is_conserved());
}

#[test]
fn a_player_cannot_act_for_another_seat() {
    let mut table = table("pa", Game::Craps);
    let command = bet(&table, 2, "pass", "10");
    assert!(refused(&mut table, Actor::player(1), &command).code == Code::NotYourSeat { own: 1, seat: Some(2) });
    let slot = table.board().named("pass").unwrap();
    assert!(table.run(Actor::player(2), &Command::Call { seat: 2, slot, called: Called::Off }).is_err());
}

#[test]
fn dice_are_changed_after_a_day() {
    let mut people = table("pa", Game::Craps).with_crew(Crew::People);
    people.run(Actor::staff(Role::Box), &Command::OpenTable { dice: 5 }).unwrap();
    people.run(Actor::staff(Role::Stick), &Command::OfferDice { seat: 1 }).unwrap();
    people.run(Actor::player(1), &Command::TakeDice { seat: Some(1), decisions_only: false }).unwrap();
    people.run(Actor::player(1), &bet(&people.clone(), 1, "pass", "10")).unwrap();
    people.run(Actor::staff(Role::Box), &Command::NoteHours { hours: 24 }).unwrap();
    assert!(refused(&mut people, Actor::player(1), &Command::Release).cites().to_string().contains("PA 623a.7(d)"));
    people.run(Actor::staff(Role::Stick), &Command::NewDice { reason: NewDice::Daily, dice: 5 }).unwrap();
    people.run(Actor::player(1), &Command::Release).unwrap();
    let mut machine = table("pa", Game::Craps);
    machine.run(Actor::player(1), &bet(&machine.clone(), 1, "pass", "10")).unwrap();
    machine.run(Actor::staff(Role::Machine), &Command::Throw { dice: "4-2".parse().unwrap() }).unwrap();
    machine.run(Actor::staff(Role::Machine), &Command::NoteHours { hours: 30 }).unwrap();
    let events = machine.run(Actor::staff(Role::Machine), &Command::Throw { dice: "5-4".parse().unwrap() }).unwrap();
    assert!(events.contains(&Event::DiceChanged { reason: NewDice::Daily, dice: 5 }));
}

#[test]
fn surveillance_is_told_when_four_points_are_made_with_fire_bets_up() {
    let mut table = table("nj", Game::Craps);
    for command in [bet(&table, 1, "pass", "10"), bet(&table, 1, "fire", "5")] {
        table.run(Actor::player(1), &command).unwrap();
    }
    let mut told = Vec::new();
    for dice in ["2-2", "1-3", "1-4", "2-3", "1-5", "2-4", "2-6", "3-5"] {
        let events = table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice.parse().unwrap() }).unwrap();
        told.push(events.contains(&Event::SurveillanceTold));
        if !matches!(table.phase(), craps_wagers::Phase::Point(_)) {
            table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
        }
    }
    assert_eq!(told, [false, false, false, false, false, false, false, true]);
}

#[test]
fn surveillance_is_not_told_when_no_fire_bet_is_up() {
    let mut table = table("nj", Game::Craps);
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    for dice in ["2-2", "1-3", "1-4", "2-3", "1-5", "2-4", "2-6", "3-5"] {
        let events = table.run(Actor::staff(Role::Stick), &Command::Throw { dice: dice.parse().unwrap() }).unwrap();
        assert!(!events.contains(&Event::SurveillanceTold), "{dice}");
        if !matches!(table.phase(), craps_wagers::Phase::Point(_)) {
            table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
        }
    }
}

#[test]
fn losers_are_taken_first_where_the_book_says_so() {
    let order = |book: &str| {
        let mut table = table(book, Game::Craps);
        for name in ["pass", "field"] {
            table.run(Actor::player(1), &bet(&table.clone(), 1, name, "10")).unwrap();
        }
        let throw = Command::Throw { dice: "3-4".parse().unwrap() };
        let events = table.run(Actor::staff(Role::Stick), &throw).unwrap();
        let settled = |event: &Event| match event {
            Event::Settled { slot, .. } => Some(table.board().slot(*slot).name.clone()),
            _ => None,
        };
        events.iter().filter_map(settled).collect::<Vec<_>>()
    };
    assert_eq!(order("co"), ["field", "pass"]);
    assert_eq!(order("nj"), ["pass", "field"], "the book has no order, so it is that of the table");
}

/// The book of this test limits the age of dice, and lets players add to a pass bet while a point is on.
#[test]
fn a_late_line_bet_doesn_t_change_old_dice_during_a_hand() {
    let mut sources = Library::shipped_sources();
    let line = sources.iter_mut().find(|source| source.path == "nj/wagers/line.toml").unwrap();
    line.text = line.text.replacen("\"as_make\"", "\"standing\"", 1);
    let procedure = sources.iter_mut().find(|source| source.path == "nj/procedure.toml").unwrap();
    procedure.text.push_str("[[rule]]\ntopic = \"dice.change_hours\"\nis = 24\ncite = \"NJ 1.7(a)\"\n");
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut table = seated(&library, "nj", Game::Craps, &[]);
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    table.run(Actor::staff(Role::Machine), &Command::Throw { dice: "4-2".parse().unwrap() }).unwrap();
    table.run(Actor::staff(Role::Machine), &Command::NoteHours { hours: 30 }).unwrap();
    let slot = table.board().named("pass").unwrap();
    let manner = Manner { late: Some(vec![Role::Dealer, Role::Box]), ..Manner::default() };
    let late = Command::Bet { seat: 1, slot, amount: "10".parse().unwrap(), manner };
    let events = table.run(Actor::player(1), &late).unwrap();
    assert!(matches!(events[..], [Event::BetPlaced { .. }]), "{events:?}");
    let events = table.run(Actor::staff(Role::Machine), &Command::Throw { dice: "4-4".parse().unwrap() }).unwrap();
    assert!(matches!(events[0], Event::DiceChanged { .. }), "the next roll does: {events:?}");
}

#[test]
fn a_crew_of_people_voids_a_roll_only_once_the_dice_are_released() {
    let mut table = table("pa", Game::Craps).with_crew(Crew::People);
    let (stick, boxperson) = (Actor::staff(Role::Stick), Actor::staff(Role::Box));
    let void = Command::NoRoll { reason: NoRollReason::Cocked, caller: Some(Role::Box) };
    assert!(refused(&mut table, boxperson, &void).code == Code::NotReleased);
    assert_eq!(table.stage(), Stage::Closed, "nobody opened the table");
    table.run(boxperson, &Command::OpenTable { dice: 5 }).unwrap();
    assert!(refused(&mut table, boxperson, &void).code == Code::NotReleased);
    table.run(stick, &Command::OfferDice { seat: 1 }).unwrap();
    table.run(Actor::player(1), &Command::TakeDice { seat: Some(1), decisions_only: false }).unwrap();
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    table.run(Actor::player(1), &Command::Release).unwrap();
    table.run(boxperson, &void).unwrap();
    assert_eq!(table.stage(), Stage::Betting);
}

#[test]
fn nobody_passes_the_dice_or_closes_the_table_while_the_dice_are_in_the_air() {
    let mut table = table("nj", Game::Craps).with_crew(Crew::People);
    let (stick, boxperson) = (Actor::staff(Role::Stick), Actor::staff(Role::Box));
    table.run(boxperson, &Command::OpenTable { dice: 5 }).unwrap();
    table.run(stick, &Command::OfferDice { seat: 1 }).unwrap();
    table.run(Actor::player(1), &Command::TakeDice { seat: Some(1), decisions_only: false }).unwrap();
    table.run(Actor::player(1), &bet(&table.clone(), 1, "pass", "10")).unwrap();
    table.run(Actor::player(1), &Command::Release).unwrap();
    for (actor, command) in [
        (Actor::player(1), Command::PassDice),
        (boxperson, Command::OrderOff { ground: PassGround::Delay }),
        (stick, Command::NewDice { reason: NewDice::Unfit, dice: 5 }),
    ] {
        let refusal = refused(&mut table, actor, &command);
        assert!(refusal.code == Code::DiceInAir, "{command:?}: {refusal}");
    }
    table.run(stick, &Command::Throw { dice: "4-2".parse().unwrap() }).unwrap();
    assert_eq!(table.stage(), Stage::Betting);
}
