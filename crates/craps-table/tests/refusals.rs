//! Checks the ground, sentence and alternatives of refusals at every kind of table, and that every code occurs.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{Answer, Call, HouseRules, Library, Multiple, OnOff, TableRules, Works};
use craps_money::{Money, Stake};
use craps_table::{
    Actor, AfterWin, Called, Code, Command, Crew, Event, Events, Ground, Instead, Manner, NewDice, NoRollReason,
    PassGround, Refusal, Role, Stage, Table,
};
use std::collections::{BTreeMap, BTreeSet};

fn stake(text: &str) -> Stake {
    text.parse().unwrap()
}

/// A table for each sample house and crew. It has two players, and the second has few chips.
fn tables() -> Vec<Table> {
    let library = Library::shipped();
    let mut all = Vec::new();
    for source in HouseRules::samples() {
        let house = library.house(&source, None).unwrap();
        let rules = library.book(&house.book).unwrap().admit(&house).unwrap();
        for crew in [Crew::Automatic, Crew::People] {
            let mut table = Table::open(rules.clone()).unwrap().with_crew(crew);
            for (seat, money) in [(1, "100000"), (2, "40")] {
                table.apply(&Event::Joined { seat, name: format!("seat {seat}"), money: money.parse().unwrap() });
            }
            all.push(table);
        }
    }
    all
}

/// Commands of every kind. The table refuses most of them.
fn commands(table: &Table) -> Vec<Command> {
    let mut all = vec![
        Command::Join { seat: 1, name: "Bo".into(), money: Money::ZERO },
        Command::Join { seat: 99, name: "Bo".into(), money: Money::ZERO },
        Command::Join { seat: 3, name: "Bo".into(), money: Money::from_minor(-1) },
        Command::Join { seat: 3, name: "Bo".into(), money: Money::from_minor(i64::MAX) },
        Command::Leave { seat: 1 },
        Command::Leave { seat: 3 },
        Command::Inspect { test_rolls: 0 },
        Command::OpenTable { dice: 1 },
        Command::OpenTable { dice: 5 },
        Command::OpenTable { dice: 2 },
        Command::CloseTable,
        Command::CloseBets,
        Command::Release,
        Command::OrderPass,
        Command::OrderOff { ground: PassGround::Delay },
        Command::Nominate { seat: 1, shooter: 2 },
        Command::Withdraw { seat: 1 },
        Command::PassDice,
        Command::Draw { selection: Vec::new() },
        Command::Throw { dice: "1-1".parse().unwrap() },
        Command::Rule { seat: 1, amount: Money::from_minor(100), reason: String::new() },
        Command::Rule { seat: 2, amount: Money::from_minor(-100_000_000), reason: "a mistake".into() },
        Command::NameFaces { dice: "1-1".parse().unwrap(), reason: "cocked".into() },
    ];
    let wagers = || table.board().slots().map(|(_, place)| place.wager);
    all.extend(wagers().map(|wager| Command::Draw { selection: vec![(wager, 99)] }));
    for request in 1..4 {
        all.extend([true, false].map(|agrees| Command::Answer { request, agrees }));
    }
    for seat in [1, 2, 3] {
        all.extend([Command::OfferDice { seat }, Command::DeclineDice { seat }]);
    }
    for seat in [None, Some(1), Some(2)] {
        all.extend([false, true].map(|decisions_only| Command::TakeDice { seat, decisions_only }));
    }
    all.extend(NewDice::ALL.map(|reason| Command::NewDice { reason, dice: 5 }));
    for caller in [None, Some(Role::Box), Some(Role::Stick)] {
        all.extend(NoRollReason::ALL.map(|reason| Command::NoRoll { reason, caller }));
    }
    let manner = Manner::default();
    let manners = [
        manner.clone(),
        Manner { late: Some(Vec::new()), ..manner.clone() },
        Manner { late: Some(vec![Role::Dealer, Role::Box, Role::Floor]), ..manner.clone() },
        Manner { cash: Some(stake("5")), ..manner.clone() },
        Manner { coupon: Some(stake("5")), ..manner.clone() },
        Manner { coupon: Some(stake("500")), ..manner.clone() },
    ];
    for (slot, _) in table.board().slots() {
        for seat in [1, 2] {
            for amount in ["0.01", "1", "5", "7", "100", "90000", "9000000000"].map(stake) {
                all.push(Command::Bet { seat, slot, amount, manner: manner.clone() });
                all.push(Command::TakeDown { seat, slot, amount });
            }
            for manner in &manners {
                all.push(Command::Bet { seat, slot, amount: stake("30"), manner: manner.clone() });
            }
            all.extend([Called::On, Called::Off].map(|called| Command::Call { seat, slot, called }));
            let tell = Command::Tell { seat, slot, after_win: AfterWin::Down };
            all.extend([Command::InFlight { command: Box::new(tell.clone()) }, tell]);
        }
    }
    all
}

fn actors() -> Vec<Actor> {
    let staff = [Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Machine, Role::Surveillance];
    let mut all: Vec<Actor> = staff.map(Actor::staff).into();
    all.extend([Actor::player(1), Actor::player(2), Actor::shooter()]);
    all
}

/// The refusals seen so far.
#[derive(Default)]
struct Seen {
    codes: BTreeMap<&'static str, String>,
    tried: usize,
}

impl Seen {
    fn look(&mut self, table: &Table, refusal: Refusal) {
        let (sentence, place) = (refusal.sentence(), &table.rules().book);
        let first = sentence.chars().next().unwrap();
        assert!(first.is_uppercase() || first.is_ascii_digit() || first == '$', "{place}: {sentence}");
        assert!(sentence.ends_with('.') && !sentence.contains("  "), "{place}: {sentence}");
        let (cited, keyed) = (!refusal.cites().0.is_empty(), refusal.key().is_some());
        let expected = match &refusal.ground {
            Ground::Law(_) => (true, false),
            Ground::House { .. } => (false, true),
            Ground::Procedure | Ground::Impossible => (false, false),
        };
        assert_eq!((cited, keyed), expected, "{place}: {refusal:?}");
        for (actor, command) in refusal.instead.iter().filter_map(Instead::command) {
            let taken = table.decide(actor, &command, &mut Events::new());
            assert_eq!(taken, Ok(()), "{place}: {refusal} offers {command:?}");
            self.tried += 1;
        }
        self.codes.entry(refusal.code.name()).or_insert(sentence);
    }

    /// Tries all commands with all actors at a table in its current state.
    fn probe(&mut self, table: &Table) {
        let all = commands(table);
        for actor in actors() {
            // Only players try bets. Staff try the few other commands.
            let own = |command: &&Command| actor.role == Role::Player || command.slot().is_none();
            for command in all.iter().filter(own) {
                if let Err(refusal) = table.decide(actor, command, &mut Events::new()) {
                    self.look(table, refusal);
                }
            }
        }
    }
}

/// Plays a few rolls and calls `look` along the way. Refused commands are skipped.
fn walk(mut table: Table, look: &mut dyn FnMut(&Table)) {
    look(&table);
    let every: Vec<_> = table.board().slots().map(|(slot, _)| slot).collect();
    let people = table.crew() == Crew::People;
    let (stick, boxperson) = (Actor::staff(Role::Stick), Actor::staff(Role::Box));
    let run = |table: &mut Table, actor: Actor, command: &Command| table.run(actor, command).is_ok();
    let every_staff = [Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Machine].map(Actor::staff);
    let staffed = |table: &mut Table, command: &Command| every_staff.iter().any(|actor| run(table, *actor, command));
    staffed(&mut table, &Command::Inspect { test_rolls: 9 });
    look(&table);
    for dice in [5, 2] {
        staffed(&mut table, &Command::OpenTable { dice });
    }
    look(&table);
    for (roll, dice) in ["1-3", "6-6", "2-3", "5-2", "5-5", "6-1"].into_iter().enumerate() {
        if matches!(table.stage(), Stage::Offering(_)) && people {
            for seat in [1, 2] {
                staffed(&mut table, &Command::OfferDice { seat });
                run(&mut table, Actor::player(seat), &Command::TakeDice { seat: Some(seat), decisions_only: false });
            }
        }
        for slot in &every {
            let bet = Command::Bet { seat: 1, slot: *slot, amount: stake("60"), manner: Manner::default() };
            run(&mut table, Actor::player(1), &bet);
        }
        look(&table);
        if roll == 3 {
            staffed(&mut table, &Command::NoteHours { hours: 1_000 });
            look(&table);
            staffed(&mut table, &Command::NewDice { reason: NewDice::Daily, dice: 5 });
        }
        if roll == 2 {
            staffed(&mut table, &Command::Draw { selection: Vec::new() });
            look(&table);
        }
        if people {
            staffed(&mut table, &Command::CloseBets);
            look(&table);
            let released = run(&mut table, Actor::shooter(), &Command::Release);
            let _ = released || staffed(&mut table, &Command::Release);
            look(&table);
        }
        let throw = Command::Throw { dice: dice.parse().unwrap() };
        let _ = run(&mut table, stick, &throw) || run(&mut table, boxperson, &throw) || staffed(&mut table, &throw);
    }
    look(&table);
}

/// Tables that the walk does not come to: the dice decide only come bets, a draw stands, a book lists few reasons for new dice, no number
/// takes odds, and bets that are off on the come-out roll can't be turned on.
fn rare() -> Vec<Table> {
    let library = Library::shipped();
    let rules_of = |name: &str, offer: &str| {
        let book = library.named(name).unwrap();
        let mut house = HouseRules::plain(name, book.sample_day);
        house.set("offer", offer).unwrap();
        book.admit(&house).unwrap()
    };
    let run = |table: &mut Table, actor, command: Command| {
        table.run(actor, &command).unwrap();
    };
    let seated = |rules: TableRules| {
        let mut table = Table::open(rules).unwrap();
        let join = Command::Join { seat: 1, name: "Ann".into(), money: "1000".parse().unwrap() };
        run(&mut table, Actor::staff(Role::Box), join);
        table
    };
    let bet = |table: &mut Table, name: &str| {
        let slot = table.board().named(name).unwrap();
        let command = Command::Bet { seat: 1, slot, amount: stake("10"), manner: Manner::default() };
        run(table, Actor::player(1), command);
    };
    let roll = |table: &mut Table, dice: &str| {
        run(table, Actor::staff(Role::Stick), Command::Throw { dice: dice.parse().unwrap() });
    };
    let mut deciding = seated(rules_of("nj", "all"));
    bet(&mut deciding, "pass");
    roll(&mut deciding, "4-2");
    bet(&mut deciding, "come");
    roll(&mut deciding, "4-1");
    roll(&mut deciding, "3-3");
    run(&mut deciding, Actor::player(1), Command::TakeDice { seat: Some(1), decisions_only: true });
    let automatic = deciding.clone();
    let deciding = deciding.with_crew(Crew::People);

    let mut drawn = seated(rules_of("pa", "power_odds"));
    let level = (drawn.rules().modifiers[0].lines[0].is.wagers[0], 0);
    run(&mut drawn, Actor::staff(Role::Machine), Command::Draw { selection: vec![level] });

    let mut rules = rules_of("pa", "buy");
    rules.rules.get_mut("dice.new_set_when").unwrap().is.answer = Answer::Words(vec!["unfit".to_owned()]);
    for wager in &mut rules.wagers {
        if let Some(odds) = &mut wager.odds {
            odds.multiple = Multiple::each(&[], 0);
        }
        wager.works.is = Works { come_out: OnOff::Off, call: Call::None };
    }
    let mut strict = seated(rules);
    bet(&mut strict, "pass");
    roll(&mut strict, "4-2");
    // A call that waits for one of two people, and a late bet that one of two people has confirmed.
    let mut asked = seated(rules_of("nj", "all"));
    bet(&mut asked, "pass");
    bet(&mut asked, "hard-8");
    let hard = asked.board().named("hard-8").unwrap();
    asked = asked.with_crew(Crew::People);
    for event in [Event::Opened { dice: 5 }, Event::DiceTaken { seat: Some(1), phase: craps_wagers::Phase::ComeOut }] {
        asked.apply(&event);
    }
    run(&mut asked, Actor::player(1), Command::Call { seat: 1, slot: hard, called: Called::On });
    asked.apply(&Event::Released);
    let field = asked.board().named("field").unwrap();
    let late = Command::Bet { seat: 1, slot: field, amount: stake("10"), manner: Manner::default() };
    run(&mut asked, Actor::staff(Role::Dealer), late);
    vec![automatic, deciding, drawn, strict, asked]
}

#[test]
fn every_code_comes_up_and_every_refusal_is_sound() {
    let mut seen = Seen::default();
    let mut looked = BTreeSet::new();
    for table in tables() {
        // One house of each book is enough, with a draw and without one.
        let draws = table.rules().modifiers.is_empty();
        if looked.insert((table.rules().book.clone(), table.crew() == Crew::People, draws)) {
            walk(table.clone(), &mut |table| seen.probe(table));
        }
        for id in craps_wagers::Catalogue::current().all().filter(|id| table.rules().wager(*id).is_none()) {
            seen.look(&table, table.not_offered(id));
        }
    }
    for table in rare() {
        seen.probe(&table);
    }
    assert!(seen.tried > 1_000, "only {} alternatives were tried", seen.tried);
    // Only a session with an automatic crew uses this code, never a table.
    let elsewhere = ["crew-only"];
    let missing: Vec<&&str> =
        Code::NAMES.iter().filter(|name| !seen.codes.contains_key(**name) && !elsewhere.contains(name)).collect();
    assert!(missing.is_empty(), "never refused: {missing:?}\nseen: {:#?}", seen.codes);
}

#[test]
fn sentences_are_plain_and_their_advice_is_right() {
    let library = Library::shipped();
    let book = library.named("pa").unwrap();
    let mut house = HouseRules::plain("pa", book.sample_day);
    house.set("limits.min", "15").unwrap();
    let mut table = Table::open(book.admit(&house).unwrap()).unwrap();
    let join = Command::Join { seat: 1, name: "Ann".into(), money: "500".parse().unwrap() };
    table.run(Actor::staff(Role::Box), &join).unwrap();
    let slot = |table: &Table, name: &str| table.board().named(name).unwrap();
    let bet = |table: &Table, name: &str, amount: &str| {
        let slot = slot(table, name);
        Command::Bet { seat: 1, slot, amount: stake(amount), manner: Manner::default() }
    };
    let said = |table: &Table, command: &Command| {
        table.decide(Actor::player(1), command, &mut Events::new()).unwrap_err().to_string()
    };
    assert_eq!(said(&table, &bet(&table, "pass", "5")), "Table minimum is $15. [house rule limits.min]");
    let six = table.decide(Actor::player(1), &bet(&table, "place-win-6", "5"), &mut Events::new()).unwrap_err();
    assert_eq!(six.sentence(), "$5 on Place 6 can't be paid evenly. Bet $18 or $24.");
    assert_eq!((six.ground.name(), six.code.name()), ("law", "not-payable"));
    assert_eq!(six.instead.iter().map(Instead::text).collect::<Vec<_>>(), ["Bet $18", "Bet $24"]);
    assert_eq!(six.instead[0].say().as_deref(), Some("PL6 18"));
    assert!(said(&table, &bet(&table, "pass-odds", "15")).starts_with("Odds need a point first. ["));
    let throw = Command::Throw { dice: "2-2".parse().unwrap() };
    let nobody = table.decide(Actor::staff(Role::Stick), &throw, &mut Events::new()).unwrap_err();
    assert_eq!(nobody.sentence(), "Make a pass or don't pass bet to shoot.");
    assert_eq!(nobody.instead.iter().filter_map(Instead::say).collect::<Vec<_>>(), ["P 15", "DP 15"]);
    table.run(Actor::player(1), &bet(&table, "pass", "15")).unwrap();
    table.run(Actor::staff(Role::Stick), &throw).unwrap();
    assert!(said(&table, &bet(&table, "dont-pass", "15")).starts_with("You can bet Don't Pass only before a come-out"));
    table.run(Actor::player(1), &bet(&table, "field", "15")).unwrap();
    let off = Command::Call { seat: 1, slot: slot(&table, "field"), called: Called::Off };
    assert_eq!(
        said(&table, &off),
        "This table doesn't let you turn bets off. You can take it down. [house rule off_calls_any]"
    );
    let down = Command::TakeDown { seat: 1, slot: slot(&table, "pass"), amount: stake("15") };
    assert!(said(&table, &down).starts_with("Pass Line stays up once its point is set. ["));
}

#[test]
fn a_refusal_blames_the_law_only_where_the_law_decides() {
    let library = Library::shipped();
    let table = |name: &str| {
        let book = library.named(name).unwrap();
        let house = HouseRules::plain(name, book.sample_day);
        let mut table = Table::open(book.admit(&house).unwrap()).unwrap();
        let join = Command::Join { seat: 1, name: "Ann".into(), money: "500".parse().unwrap() };
        table.run(Actor::staff(Role::Box), &join).unwrap();
        table
    };
    let wager = |slug: &str| craps_wagers::Catalogue::current().find(slug).unwrap();
    let pa = table("pa");
    let ground = |refusal: Refusal| (refusal.ground.name(), refusal.key().map(str::to_owned));
    assert_eq!(ground(pa.not_offered(wager("fire"))), ("house", Some("fire.offered".to_owned())));
    assert_eq!(ground(pa.not_offered(wager("big-6"))).0, "law");
    // Every shipped book lets a house decide whether players turn bets off. A book that does not is cited.
    let off = |rules: TableRules| {
        let mut table = Table::open(rules).unwrap();
        let join = Command::Join { seat: 1, name: "Ann".into(), money: "500".parse().unwrap() };
        table.run(Actor::staff(Role::Box), &join).unwrap();
        let slot = table.board().named("field").unwrap();
        let bet = Command::Bet { seat: 1, slot, amount: stake("10"), manner: Manner::default() };
        table.run(Actor::player(1), &bet).unwrap();
        let off = Command::Call { seat: 1, slot, called: Called::Off };
        table.decide(Actor::player(1), &off, &mut Events::new()).unwrap_err()
    };
    let rules = pa.rules().clone();
    assert_eq!(ground(off(rules.clone())), ("house", Some("off_calls_any".to_owned())));
    let never = off(TableRules { off_calls_any: None, ..rules });
    assert_eq!(never.sentence(), "Field can't be turned off. You can take it down.");
    assert_eq!(ground(never), ("law", None));
    // Which seat a player has is the program's own record.
    let other = Command::Leave { seat: 2 };
    assert_eq!(ground(pa.decide(Actor::player(1), &other, &mut Events::new()).unwrap_err()).0, "procedure");
}
