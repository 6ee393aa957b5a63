//! Permissions: every role with every verb at every kind of table, compared with the books and with the regulations.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{Answer, Fact, Game, HouseRules, Library, Rule, TableRules};
use craps_money::Money;
use craps_table::{
    Actor, AfterWin, Called, Code, Command, Crew, Event, Events, Manner, NewDice, NoRollReason, PassGround, Refusal,
    Role, SlotId, Table, Verb,
};
use craps_wagers::Phase;
use std::collections::BTreeSet;

/// Every kind of table in the books.
const TABLES: [(&str, Game); 11] = [
    ("pa", Game::Craps),
    ("pa", Game::MiniCraps),
    ("pa", Game::Electronic),
    ("pa", Game::Hybrid),
    ("md", Game::Craps),
    ("md", Game::MiniCraps),
    ("nj", Game::Craps),
    ("nj", Game::MiniCraps),
    ("nj-automated", Game::Automated),
    ("co", Game::Craps),
    ("co-crapless", Game::Craps),
];

fn rules(library: &Library, book: &str, game: Game, keys: &[(&str, &str)]) -> TableRules {
    let law = library.book(book).unwrap();
    let mut house = HouseRules::plain(book, law.sample_day);
    house.game = Some(game);
    for (key, value) in keys {
        house.set(key, value).unwrap();
    }
    law.admit(&house).unwrap()
}

/// A new table with three players.
fn table(rules: &TableRules, crew: Crew) -> Table {
    let mut table = Table::open(rules.clone()).unwrap().with_crew(crew);
    for seat in 1..=3 {
        table.apply(&Event::Joined { seat, name: format!("seat {seat}"), money: "1000".parse().unwrap() });
    }
    table
}

fn slot(table: &Table, name: &str) -> SlotId {
    table.board().named(name).unwrap()
}

fn bet(table: &Table, seat: u8, name: &str, amount: &str) -> Command {
    let amount = amount.parse().unwrap();
    Command::Bet { seat, slot: slot(table, name), amount, manner: Manner::default() }
}

/// Brings a table to the point where a verb can be used. Returns the command, and whether the game has such a command.
fn due(table: &mut Table, verb: Verb, role: Role) -> (Command, bool) {
    let automated = table.rules().game == Game::Automated;
    let dice = if automated { 2 } else { 5 };
    let drawn = !table.rules().modifiers.is_empty();
    if verb == Verb::OpenTable {
        if automated {
            table.apply(&Event::Inspected);
        }
        return (Command::OpenTable { dice }, true);
    }
    if verb == Verb::Inspect {
        return (Command::Inspect { test_rolls: 1 }, automated);
    }
    table.apply(&Event::Opened { dice });
    let named = slot(table, "place-win-6");
    // A table can close only without bets.
    for name in ["pass", "place-win-6"].iter().filter(|_| verb != Verb::CloseTable) {
        table.run(Actor::player(1), &bet(table, 1, name, "12")).unwrap();
    }
    let (seat, taken) = (1, Event::DiceTaken { seat: Some(1), phase: Phase::ComeOut });
    let thrown = |table: &mut Table| {
        for event in [&taken, &Event::BetsClosed, &Event::Released] {
            table.apply(event);
        }
    };
    let command = match verb {
        Verb::Join => Command::Join { seat: 4, name: "Di".into(), money: "100".parse().unwrap() },
        Verb::BuyIn => Command::BuyIn { seat, money: "100".parse().unwrap() },
        Verb::Leave => Command::Leave { seat: 3 },
        Verb::Bet => bet(table, 1, "field", "5"),
        Verb::TakeDown => Command::TakeDown { seat, slot: named, amount: "12".parse().unwrap() },
        Verb::Call => Command::Call { seat, slot: named, called: Called::On },
        Verb::Tell => Command::Tell { seat, slot: named, after_win: AfterWin::Down },
        Verb::TakeDice | Verb::DeclineDice => {
            table.apply(&Event::DiceOffered { seat });
            match verb {
                Verb::TakeDice => Command::TakeDice { seat: Some(seat), decisions_only: false },
                _ => Command::DeclineDice { seat },
            }
        }
        Verb::Release => {
            table.apply(&taken);
            if automated || drawn {
                table.apply(&Event::BetsClosed);
            }
            if drawn {
                table.apply(&Event::Drawn { selection: Vec::new() });
            }
            Command::Release
        }
        Verb::PassDice | Verb::OrderPass => {
            table.apply(&taken);
            if verb == Verb::PassDice { Command::PassDice } else { Command::OrderOff { ground: PassGround::Delay } }
        }
        Verb::CloseTable => Command::CloseTable,
        Verb::NewDice => Command::NewDice { reason: NewDice::Daily, dice },
        Verb::NoteHours => Command::NoteHours { hours: 1 },
        Verb::OfferDice => Command::OfferDice { seat },
        Verb::CloseBets => {
            table.apply(&taken);
            return (Command::CloseBets, automated || drawn);
        }
        Verb::Draw => return (Command::Draw { selection: Vec::new() }, drawn),
        Verb::Throw => {
            thrown(table);
            Command::Throw { dice: "4-2".parse().unwrap() }
        }
        Verb::VoidRoll | Verb::NoRoll | Verb::Dispute => {
            thrown(table);
            let reason = match verb {
                Verb::VoidRoll if automated => NoRollReason::NotFlat,
                Verb::VoidRoll => NoRollReason::OffTable,
                Verb::NoRoll if automated => NoRollReason::Improper,
                Verb::NoRoll => NoRollReason::NotTogether,
                _ => NoRollReason::Dispute,
            };
            let caller = (verb != Verb::VoidRoll).then_some(role);
            // Dice in a shaker lie flat or don't count, so there are no disputes over their faces.
            return (Command::NoRoll { reason, caller }, !(automated && verb == Verb::Dispute));
        }
        Verb::Rule => Command::Rule { seat, amount: "5".parse().unwrap(), reason: "short paid".into() },
        Verb::Nominate => Command::Nominate { seat, shooter: 2 },
        Verb::Answer => Command::Answer { request: 1, agrees: true },
        Verb::OpenTable | Verb::Inspect => unreachable!(),
    };
    (command, true)
}

/// An actor in a role. A player sits at the seat of the command, or at the shooter's seat if it names none.
fn actor(role: Role, command: &Command) -> Actor {
    if role == Role::Player { Actor::player(command.seat().unwrap_or(1)) } else { Actor::staff(role) }
}

/// Looks up the answer for a verb at a kind of table in the book itself.
fn answer<'a>(library: &'a Library, book: &str, game: Game, verb: Verb) -> &'a Fact<Rule> {
    let law = library.book(book).unwrap();
    let on = |topic: String| law.rules.get(&topic)?.on(Some(law.sample_day));
    let kind = match game {
        Game::MiniCraps => Some("mini"),
        Game::Electronic => Some("electronic"),
        Game::Hybrid => Some("hybrid"),
        Game::Craps | Game::Automated => None,
    };
    let own = kind.and_then(|kind| on(format!("may.{}_{kind}", verb.name())));
    own.or_else(|| on(format!("may.{}", verb.name())))
        .unwrap_or_else(|| panic!("{book} does not say who may {}", verb.phrase()))
}

/// The words that books use for a role.
fn words(role: Role) -> &'static [&'static str] {
    match role {
        // In these tests the player who acts has the dice.
        Role::Player => &["player", "shooter"],
        Role::Dealer => &["dealer", "any_licensed_employee"],
        Role::Stick => &["stickperson", "any_licensed_employee"],
        Role::Box => &["boxperson", "any_licensed_employee"],
        Role::Floor => &["floorperson", "pit_supervisor", "any_licensed_employee"],
        Role::Employee => &["any_licensed_employee"],
        Role::Machine => &["machine"],
        Role::Surveillance | Role::Director | Role::Auditor => &[],
    }
}

fn named(fact: &Fact<Rule>, role: Role) -> bool {
    let Answer::Words(named) = &fact.is.answer else { panic!("{}: not a list", fact.is.topic) };
    named.iter().any(|word| words(role).contains(&word.as_str()))
}

/// One try of a command at a table where it can be used.
struct Try {
    table: Table,
    actor: Actor,
    command: Command,
    /// Does the game have this command?
    possible: bool,
    decided: Result<Events, Refusal>,
}

fn tried(fresh: &Table, role: Role, verb: Verb) -> Try {
    let mut table = fresh.clone();
    let (command, possible) = due(&mut table, verb, role);
    let actor = actor(role, &command);
    let mut events = Events::new();
    let decided = table.decide(actor, &command, &mut events).map(|()| events);
    Try { table, actor, command, possible, decided }
}

#[test]
fn every_role_with_every_verb_at_every_table_may_what_the_book_says() {
    let library = Library::shipped();
    let (mut accepted, mut refused) = (0, 0);
    for (book, game) in TABLES {
        let fresh = table(&rules(&library, book, game, &[("offer", "all")]), Crew::People);
        // No book says who names a shooter or who answers a request: the request itself names them.
        let verbs = || Verb::ALL.into_iter().filter(|verb| !matches!(verb, Verb::Nominate | Verb::Answer));
        for (role, verb) in Role::EVERY.into_iter().flat_map(|role| verbs().map(move |verb| (role, verb))) {
            let (fact, place) =
                (answer(&library, book, game, verb), format!("{book} {game}: {} {}", role.name(), verb.name()));
            let Try { table, actor, command, possible, decided } = tried(&fresh, role, verb);
            let kind = if verb == Verb::VoidRoll { Verb::NoRoll } else { verb };
            assert_eq!(command.verb(), kind, "{place}");
            let may = named(fact, role);
            let entitled = table.entitled(actor, &command);
            assert_eq!(entitled.is_ok(), may, "{place}: {entitled:?}");
            assert_eq!(decided.is_ok(), may && possible, "{place}: {decided:?}");
            if may {
                accepted += 1;
                continue;
            }
            refused += 1;
            let refusal = decided.unwrap_err();
            assert_eq!(Err(&refusal), entitled.as_ref().map(|_| ()), "{place}: permission is checked first");
            assert_eq!(*refusal.cites(), fact.cites, "{place}");
            assert!(!refusal.cites().0.is_empty(), "{place}");
        }
    }
    assert!(accepted > 450 && refused > 1_900, "{accepted} accepted, {refused} refused");
}

#[test]
fn a_refusal_names_those_who_may() {
    let library = Library::shipped();
    let fresh = table(&rules(&library, "pa", Game::Craps, &[]), Crew::People);
    let said = |role: Role, verb: Verb| tried(&fresh, role, verb).decided.unwrap_err().sentence();
    assert_eq!(
        said(Role::Dealer, Verb::NoRoll),
        "The dealer can't call no roll; the boxperson or the stickperson can."
    );
    assert_eq!(
        said(Role::Stick, Verb::OrderPass),
        "The stickperson can't order the shooter to give up the dice; the boxperson can."
    );
    assert_eq!(said(Role::Floor, Verb::Inspect), "The floorperson can't inspect the shaker; nobody here can.");
    assert_eq!(
        said(Role::Surveillance, Verb::Rule),
        "Surveillance can't rule on a payment; the boxperson or the floorperson can."
    );
}

#[test]
fn the_regulations_say_so() {
    use Game::{Automated, Craps, Electronic, Hybrid, MiniCraps};
    use Role::{Auditor, Box, Dealer, Employee, Floor, Machine, Player, Stick, Surveillance};
    const MAY: bool = true;
    const NOT: bool = false;
    // Taken from the texts of the regulations, not from the books.
    let expected = [
        ("pa", Craps, Stick, Verb::OfferDice, MAY, "PA 623a.7(b)(1)"),
        ("pa", Craps, Dealer, Verb::OfferDice, NOT, "PA 623a.7(b)(1)"),
        ("pa", MiniCraps, Dealer, Verb::OfferDice, MAY, "PA 623a.7(b)(2)"),
        ("pa", Craps, Player, Verb::TakeDice, MAY, "PA 623a.7(c)"),
        ("pa", Craps, Box, Verb::TakeDice, NOT, "PA 623a.7(c)"),
        ("pa", Craps, Box, Verb::NoRoll, MAY, "PA 623a.8(e)(1)"),
        ("pa", Craps, Stick, Verb::NoRoll, MAY, "PA 623a.8(e)(1)"),
        ("pa", Craps, Floor, Verb::NoRoll, NOT, "PA 623a.8(e)(1)"),
        ("pa", MiniCraps, Floor, Verb::NoRoll, MAY, "PA 623a.8(e)(2)"),
        ("pa", MiniCraps, Box, Verb::NoRoll, NOT, "PA 623a.8(e)(2)"),
        ("pa", Craps, Stick, Verb::Throw, MAY, "PA 623a.9(a)"),
        ("pa", Craps, Box, Verb::Throw, NOT, "PA 623a.9(a)"),
        ("pa", MiniCraps, Dealer, Verb::Throw, MAY, "PA 623a.9(a)"),
        ("pa", Craps, Box, Verb::Dispute, MAY, "PA 623a.9(c)(1)"),
        ("pa", Craps, Stick, Verb::Dispute, NOT, "PA 623a.9(c)(1)"),
        ("pa", MiniCraps, Floor, Verb::Dispute, MAY, "PA 623a.9(c)(2)"),
        ("pa", Craps, Box, Verb::OrderPass, MAY, "PA 623a.10(a)(2)"),
        ("pa", Craps, Floor, Verb::OrderPass, NOT, "PA 623a.10(a)(2)"),
        ("pa", MiniCraps, Dealer, Verb::OrderPass, MAY, "PA 623a.10(a)(2)"),
        ("pa", Craps, Player, Verb::PassDice, MAY, "PA 623a.10(a)"),
        ("pa", Craps, Machine, Verb::Draw, MAY, "PA 623b.5(c)"),
        ("pa", Craps, Box, Verb::Draw, NOT, "PA 623b.5(c)"),
        ("pa", Electronic, Player, Verb::Bet, MAY, "PA 623b.2(c)"),
        ("pa", Electronic, Dealer, Verb::Bet, NOT, "PA 623b.2(c)"),
        ("pa", Hybrid, Dealer, Verb::Bet, NOT, "PA 623b.4(c)"),
        ("pa", Hybrid, Stick, Verb::Throw, MAY, "PA 623a.9(a)"),
        ("md", Craps, Stick, Verb::OfferDice, MAY, "MD Ch.7 §B(1)(a)"),
        ("md", MiniCraps, Dealer, Verb::OfferDice, MAY, "MD Ch.7 §B(2)(a)"),
        ("md", Craps, Floor, Verb::NoRoll, NOT, "MD Ch.8 §E(1)"),
        ("md", MiniCraps, Dealer, Verb::NoRoll, MAY, "MD Ch.8 §E(2)"),
        ("md", MiniCraps, Dealer, Verb::Dispute, NOT, "MD Ch.9 §E(2)"),
        ("md", Craps, Box, Verb::OrderPass, MAY, "MD Ch.10 §A(2)"),
        ("md", Craps, Auditor, Verb::Throw, NOT, "MD Ch.9 §A"),
        ("nj", Craps, Player, Verb::Release, MAY, "NJ 1.8"),
        ("nj", Craps, Stick, Verb::Release, NOT, "NJ 1.8"),
        ("nj", Craps, Box, Verb::Dispute, MAY, "NJ 1.10(a)2.i"),
        ("nj", MiniCraps, Box, Verb::Dispute, NOT, "NJ 1.10(a)2.ii"),
        ("nj", MiniCraps, Dealer, Verb::OrderPass, MAY, "NJ 1.11(a)2"),
        ("nj-automated", Automated, Floor, Verb::Inspect, MAY, "NJ 1A.5(a)"),
        ("nj-automated", Automated, Dealer, Verb::Inspect, NOT, "NJ 1A.5(a)"),
        ("nj-automated", Automated, Dealer, Verb::OfferDice, MAY, "NJ 1A.5(b)"),
        ("nj-automated", Automated, Dealer, Verb::TakeDice, MAY, "NJ 1A.5(b)2"),
        ("nj-automated", Automated, Dealer, Verb::CloseBets, MAY, "NJ 1A.5(c)"),
        ("nj-automated", Automated, Floor, Verb::CloseBets, NOT, "NJ 1A.5(c)"),
        ("nj-automated", Automated, Player, Verb::Release, MAY, "NJ 1A.5(d)"),
        ("nj-automated", Automated, Dealer, Verb::Throw, MAY, "NJ 1A.5(e)"),
        ("nj-automated", Automated, Floor, Verb::NoRoll, MAY, "NJ 1A.8(c)"),
        ("nj-automated", Automated, Dealer, Verb::NoRoll, NOT, "NJ 1A.8(c)"),
        ("nj-automated", Automated, Floor, Verb::OrderPass, MAY, "NJ 1A.7(a)3"),
        ("nj-automated", Automated, Dealer, Verb::OrderPass, NOT, "NJ 1A.7(a)3"),
        ("nj-automated", Automated, Dealer, Verb::Bet, MAY, "NJ 1A.4(c)"),
        ("co", Craps, Employee, Verb::NoRoll, MAY, "CO 30-2311(5)"),
        ("co", Craps, Dealer, Verb::NoRoll, MAY, "CO 30-2311(5)"),
        ("co", Craps, Player, Verb::NoRoll, NOT, "CO 30-2311(5)"),
        ("co", Craps, Machine, Verb::NoRoll, NOT, "CO 30-2311(5)"),
        ("co", Craps, Surveillance, Verb::NoRoll, NOT, "CO 30-2311(5)"),
        ("co", Craps, Dealer, Verb::Rule, NOT, "CO 30-2318"),
        ("co", Craps, Box, Verb::Rule, MAY, "CO 30-2318"),
        ("co", Craps, Floor, Verb::Rule, MAY, "CO 30-2318"),
        ("co", Craps, Box, Verb::OrderPass, MAY, "CO 30-2313(1)(b)"),
        ("co", Craps, Stick, Verb::Bet, MAY, "CO 30-2302(5)"),
        ("co-crapless", Craps, Stick, Verb::Throw, MAY, "CO 30-2312(1)"),
        ("co-crapless", Craps, Dealer, Verb::Dispute, NOT, "CO 30-2318"),
    ];
    let library = Library::shipped();
    for (book, game, role, verb, may, cite) in expected {
        let fresh = table(&rules(&library, book, game, &[("offer", "all")]), Crew::People);
        let decided = tried(&fresh, role, verb).decided;
        let place = format!("{book} {game}: {} {}", role.name(), verb.name());
        assert_eq!(decided.is_ok(), may, "{place}: {decided:?}");
        let cites =
            decided.err().map_or_else(|| answer(&library, book, game, verb).cites.clone(), |no| no.cites().clone());
        assert!(cites.iter().any(|known| known.as_str() == cite), "{place}: {cites}");
    }
}

#[test]
fn an_automatic_crew_does_the_ordinary_work_and_leaves_judgement_to_people() {
    use Verb::*;
    let library = Library::shipped();
    let reports = [Join, TakeDice, DeclineDice, Release, Throw, VoidRoll];
    let work = [OpenTable, CloseTable, Inspect, NewDice, NoteHours, OfferDice, CloseBets];
    for (book, game) in TABLES {
        let fresh = table(&rules(&library, book, game, &[("offer", "all")]), Crew::People);
        let verbs = || Verb::ALL.into_iter().filter(|verb| !matches!(verb, Verb::Nominate | Verb::Answer));
        for (role, verb) in Role::EVERY.into_iter().flat_map(|role| verbs().map(move |verb| (role, verb))) {
            let Try { actor, command, .. } = tried(&fresh, role, verb);
            let mut table = fresh.clone().with_crew(Crew::Automatic);
            table.apply(&Event::DiceTaken { seat: Some(1), phase: Phase::ComeOut });
            let staff = matches!(role, Role::Dealer | Role::Stick | Role::Box | Role::Floor);
            let by_itself = match role {
                Role::Machine => reports.contains(&verb) || work.contains(&verb),
                _ => staff && reports.contains(&verb),
            };
            let may = named(answer(&library, book, game, verb), role) || by_itself;
            let entitled = table.entitled(actor, &command);
            assert_eq!(entitled.is_ok(), may, "{book} {game}: {} {}: {entitled:?}", role.name(), verb.name());
        }
    }
}

#[test]
fn every_verb_has_its_topic_in_every_book_and_every_topic_its_verb() {
    let library = Library::shipped();
    let names: BTreeSet<&str> = Verb::ALL.iter().map(|verb| verb.name()).collect();
    assert_eq!(names.len(), Verb::ALL.len());
    let kinds = ["_mini", "_electronic", "_hybrid"];
    for topic in library.topics.keys().filter_map(|topic| topic.strip_prefix("may.")) {
        let verb = kinds.iter().find_map(|kind| topic.strip_suffix(kind)).unwrap_or(topic);
        assert!(names.contains(verb), "may.{topic} is about no verb");
        let answered = library.books.iter().any(|book| book.rules.contains_key(&format!("may.{topic}")));
        assert!(answered, "no book answers may.{topic}");
    }
    let asked = || Verb::ALL.into_iter().filter(|verb| !matches!(verb, Verb::Nominate | Verb::Answer));
    for (book, verb) in library.books.iter().flat_map(|book| asked().map(move |verb| (book, verb))) {
        // A book may be silent. Then the usual crew does it, and `law verify` says so.
        let Some(dated) = book.rules.get(&format!("may.{}", verb.name())) else { continue };
        // Also on days before and after the temporary rules.
        for day in [book.sample_day, "2018-01-01".parse().unwrap(), "2027-01-01".parse().unwrap()] {
            assert!(dated.on(Some(day)).is_some(), "{} {} on {day}", book.id, verb.name());
        }
    }
}

#[test]
fn games_know_the_roles_that_have_a_part_in_them() {
    let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    assert_eq!(names, ["player", "dealer", "stick", "box", "floor", "employee", "rng"]);
    for role in [Role::Surveillance, Role::Director, Role::Auditor] {
        assert_eq!(Role::find(role.name()), None);
        assert!(Role::EVERY.contains(&role));
    }
}

#[test]
fn a_player_acts_for_their_own_seat_and_throws_with_their_own_dice() {
    let library = Library::shipped();
    for (book, game) in TABLES {
        let fresh = table(&rules(&library, book, game, &[]), Crew::People);
        for verb in Verb::ALL.into_iter().filter(|verb| !matches!(verb, Verb::Answer | Verb::Nominate)) {
            let Try { command, table, .. } = tried(&fresh, Role::Player, verb);
            let refusal = table.entitled(Actor::player(2), &command).unwrap_err();
            let own_record = matches!(refusal.code, Code::NotYourSeat { .. } | Code::NoSeat);
            assert_eq!(refusal.cites().0.is_empty(), own_record, "{book} {game} {}: {refusal}", verb.name());
            // A player without a seat can only act as the shooter.
            let unseated = table.entitled(Actor::shooter(), &command).is_ok();
            assert_eq!(unseated, matches!(verb, Verb::Release | Verb::PassDice), "{book} {game} {}", verb.name());
        }
    }
    let mut table = table(&rules(&library, "pa", Game::Craps, &[]), Crew::People);
    table.apply(&Event::Opened { dice: 5 });
    let refusal = table.run(Actor::player(1), &Command::PassDice).unwrap_err();
    assert_eq!(refusal.to_string(), "Seat 1 doesn't have the dice. [PA 623a.10(a)]");
    // A floorperson with a seat number is still no player.
    let floor = Actor { role: Role::Floor, seat: Some(1) };
    assert!(table.entitled(floor, &bet(&table, 1, "pass", "10")).is_err());
    // A command given while the dice are in the air needs the same permission as at any other time.
    let slot = slot(&table, "field");
    let down = Command::TakeDown { seat: 2, slot, amount: "5".parse().unwrap() };
    let tried = Command::InFlight { command: Box::new(down) };
    assert!(table.run(Actor::player(1), &tried).unwrap_err().sentence().contains("can't act for seat 2"));
}

#[test]
fn the_dealer_who_operates_the_shaker_is_its_shooter() {
    let library = Library::shipped();
    let mut table = table(&rules(&library, "nj-automated", Game::Automated, &[]), Crew::People);
    let dealer = Actor::staff(Role::Dealer);
    for event in
        [Event::Opened { dice: 2 }, Event::DiceTaken { seat: Some(1), phase: Phase::ComeOut }, Event::BetsClosed]
    {
        table.apply(&event);
    }
    let refusal = table.entitled(dealer, &Command::Release).unwrap_err();
    assert_eq!(refusal.to_string(), "The dealer can't roll the dice; the shooter can. [NJ 1A.5(d)]");
    table.apply(&Event::DiceTaken { seat: None, phase: Phase::ComeOut });
    assert_eq!(table.entitled(dealer, &Command::Release), Ok(()));
    assert!(table.entitled(Actor::player(1), &Command::Release).is_err());
}

#[test]
fn a_house_narrows_the_callers_and_may_do_without_a_stickperson() {
    let library = Library::shipped();
    let call =
        |role: Role| (Actor::staff(role), Command::NoRoll { reason: NoRollReason::Improper, caller: Some(role) });
    let named = table(&rules(&library, "co", Game::Craps, &[("no_roll.callers", "box,stick")]), Crew::People);
    for (role, may) in [(Role::Box, true), (Role::Stick, true), (Role::Dealer, false), (Role::Employee, false)] {
        let (actor, command) = call(role);
        assert_eq!(named.entitled(actor, &command).is_ok(), may, "{role:?}");
    }
    for (word, may) in [("yes", true), ("no", false)] {
        let table = table(&rules(&library, "md", Game::MiniCraps, &[("mini.stickperson", word)]), Crew::People);
        let (stick, dealer) = (Actor::staff(Role::Stick), Actor::staff(Role::Dealer));
        for command in
            [call(Role::Stick).1, Command::OfferDice { seat: 1 }, Command::Throw { dice: "4-2".parse().unwrap() }]
        {
            assert_eq!(table.entitled(stick, &command).is_ok(), may, "{word} {command:?}");
        }
        assert_eq!(table.entitled(dealer, &Command::OfferDice { seat: 1 }), Ok(()));
    }
}

#[test]
fn nobody_calls_no_roll_in_the_name_of_another() {
    let library = Library::shipped();
    let people = table(&rules(&library, "pa", Game::Craps, &[]), Crew::People);
    let command = Command::NoRoll { reason: NoRollReason::Improper, caller: Some(Role::Box) };
    let refusal = people.entitled(Actor::staff(Role::Dealer), &command).unwrap_err();
    assert!(refusal.sentence().contains("can't call it for the boxperson"), "{refusal}");
    assert!(people.entitled(Actor::staff(Role::Box), &command).is_ok());
    // A record written by a machine must name the caller.
    let machine = people.clone().with_crew(Crew::Automatic);
    assert!(machine.entitled(Actor::staff(Role::Stick), &command).is_ok());
    assert!(machine.entitled(Actor::player(1), &command).is_err(), "a player can't report a call");
    let off_table = Command::NoRoll { reason: NoRollReason::OffTable, caller: Some(Role::Player) };
    assert!(machine.entitled(Actor::player(1), &off_table).is_err(), "a player can't void a roll");
    let unnamed = Command::NoRoll { reason: NoRollReason::Improper, caller: None };
    assert!(machine.entitled(Actor::staff(Role::Stick), &unnamed).is_err());
    let dispute = |caller| Command::NoRoll { reason: NoRollReason::Dispute, caller };
    assert!(machine.entitled(Actor::staff(Role::Stick), &dispute(None)).is_ok(), "anybody can have decided it");
    assert!(machine.entitled(Actor::staff(Role::Stick), &dispute(Some(Role::Stick))).is_err());
}

#[test]
fn a_ruling_has_an_author_and_a_reason_and_is_put_right_by_another() {
    let library = Library::shipped();
    let at = rules(&library, "nj", Game::Craps, &[]);
    let mut table = table(&at, Crew::People);
    let dollars = |dollars: i64| Money::from_minor(100 * dollars);
    let rule = |amount: i64, reason: &str| Command::Rule { seat: 1, amount: dollars(amount), reason: reason.into() };
    for empty in ["", "  "] {
        let refusal = table.run(Actor::staff(Role::Box), &rule(14, empty)).unwrap_err();
        assert_eq!(refusal.to_string(), "Give a reason.");
    }
    let before = table.seat(1).unwrap().rail;
    let mut log = table.run(Actor::staff(Role::Box), &rule(14, "short paid on 5")).unwrap();
    assert_ne!(table.seat(1).unwrap().rail, before);
    // A mistake isn't erased. A second event takes back what the first gave, and both stay in the log.
    log.extend(table.run(Actor::staff(Role::Floor), &rule(-14, "was paid in full, see the recording")).unwrap());
    assert_eq!(
        log,
        [
            Event::Ruled { by: Role::Box, seat: 1, amount: dollars(14), reason: "short paid on 5".into() },
            Event::Ruled {
                by: Role::Floor,
                seat: 1,
                amount: dollars(-14),
                reason: "was paid in full, see the recording".into()
            },
        ]
    );
    assert_eq!(table.seat(1).unwrap().rail, before);
    assert!(table.is_conserved());
    let mut replayed = self::table(&at, Crew::People);
    log.iter().for_each(|event| replayed.apply(event));
    assert_eq!(replayed.seats().collect::<Vec<_>>(), table.seats().collect::<Vec<_>>());
}

#[test]
fn a_disputed_face_is_named_or_the_throw_voided_by_those_who_decide() {
    let library = Library::shipped();
    // PA 623a.9(c)(1) and (2), NJ 1.10(a)2: boxperson, at mini-craps the floorperson; CO 30-2318: boxman or pit supervisor.
    for (book, game, decides, other) in [
        ("pa", Game::Craps, Role::Box, Role::Stick),
        ("pa", Game::MiniCraps, Role::Floor, Role::Dealer),
        ("md", Game::MiniCraps, Role::Floor, Role::Stick),
        ("nj", Game::Craps, Role::Box, Role::Floor),
        ("co", Game::Craps, Role::Floor, Role::Dealer),
    ] {
        let at = rules(&library, book, game, &[]);
        let mut table = table(&at, Crew::People);
        let (void, _) = due(&mut table, Verb::Dispute, decides);
        assert_eq!(void.verb(), Verb::Dispute);
        let dice = "4-2".parse().unwrap();
        let name = |reason: &str| Command::NameFaces { dice, reason: reason.into() };
        assert!(table.run(Actor::staff(other), &name("the die leans on a chip")).is_err(), "{book} {game}");
        assert!(table.run(Actor::staff(decides), &name("")).unwrap_err().sentence().contains("reason"));
        let mut voided = table.clone();
        assert!(voided.run(Actor::staff(decides), &void).is_ok(), "{book} {game}");
        assert_eq!(voided.throws(), 0);
        let events = table.run(Actor::staff(decides), &name("the die leans on a chip")).unwrap();
        assert!(matches!(&events[0], Event::FacesNamed { by, reason, .. } if *by == decides && !reason.is_empty()));
        assert!(events.contains(&Event::Thrown { dice }));
        assert_eq!(table.throws(), 1);
    }
    // Dice in a shaker can only be declared void: NJ 1A.8(c).
    let mut table = table(&rules(&library, "nj-automated", Game::Automated, &[]), Crew::People);
    due(&mut table, Verb::Dispute, Role::Floor);
    let name = Command::NameFaces { dice: "4-2".parse().unwrap(), reason: "so it lay".into() };
    let refusal = table.run(Actor::staff(Role::Floor), &name).unwrap_err();
    assert_eq!(refusal.to_string(), "A disputed roll can only be voided. [NJ 1A.8(c)]");
}

#[test]
fn an_order_to_give_up_the_dice_says_who_gave_it() {
    let library = Library::shipped();
    let order =
        tried(&table(&rules(&library, "pa", Game::MiniCraps, &[]), Crew::People), Role::Dealer, Verb::OrderPass);
    assert_eq!(
        order.decided.unwrap(),
        [Event::OrderedOff { by: Role::Dealer, ground: Some(PassGround::Delay) }, Event::DicePassed]
    );
}

#[test]
fn a_player_who_does_the_crew_s_work_is_told_whose_work_it_is() {
    let library = Library::shipped();
    let table = table(&rules(&library, "pa", Game::Craps, &[]), Crew::People);
    for seat in [None, Some(1)] {
        let player = Actor { role: Role::Player, seat };
        let refusal = table.entitled(player, &Command::CloseTable).unwrap_err();
        assert!(matches!(refusal.code, Code::NotAllowedRole { role: Role::Player, .. }), "{seat:?}: {refusal}");
    }
}

#[test]
fn a_player_without_a_seat_number_is_the_shooter_of_a_table_that_has_none_yet() {
    let library = Library::shipped();
    let mut table = table(&rules(&library, "pa", Game::Craps, &[]), Crew::Automatic);
    let player = Actor { role: Role::Player, seat: None };
    assert_eq!(table.shooter(), None);
    assert_eq!(table.entitled(player, &Command::Release), Ok(()));
    let refusal = table.entitled(Actor::player(1), &Command::Release).unwrap_err();
    assert!(matches!(refusal.code, Code::NotShooter { seat: 1 }), "{refusal}");
    table.run(Actor::player(2), &bet(&table.clone(), 2, "pass", "10")).unwrap();
    table.run(Actor::staff(Role::Machine), &Command::Throw { dice: "2-2".parse().unwrap() }).unwrap();
    assert_eq!(table.entitled(player, &Command::Release), Ok(()));
    assert_eq!(table.entitled(Actor::player(2), &Command::Release), Ok(()));
    assert!(table.entitled(Actor::player(1), &Command::Release).is_err());
}
