//! Tables with a crew of people: what a player asks for waits for the people whom the book names, and each step of the procedure has its moment.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{Answer, Game, HouseRules, Library, TableRules};
use craps_table::{
    Actor, Bet, Called, Code, ComeRolls, Command, Crew, Event, Manner, Needs, NoRollReason, PassGround, Refusal,
    RequestEnd, Role, SeatId, Shooter, Stage, Table, Verdict,
};
use craps_wagers::Phase;

const DEALER: Actor = Actor::staff(Role::Dealer);
const STICK: Actor = Actor::staff(Role::Stick);
const BOX: Actor = Actor::staff(Role::Box);
const FLOOR: Actor = Actor::staff(Role::Floor);

fn rules(book: &str, game: Game, choices: &[(&str, &str)]) -> TableRules {
    let library = Library::shipped();
    let law = library.book(book).unwrap();
    let mut house = HouseRules::plain(book, law.sample_day);
    house.game = Some(game);
    choices.iter().for_each(|(key, value)| house.set(key, value).unwrap());
    law.admit(&house).unwrap()
}

/// An open table with three players, each with $1,000, and a crew of people.
fn opened(rules: TableRules) -> Table {
    let mut table = Table::open(rules).unwrap().with_crew(Crew::People);
    let dice = if table.is_automated() { 2 } else { 5 };
    for seat in 1..=3 {
        table.apply(&Event::Joined { seat, name: format!("seat {seat}"), money: "1000".parse().unwrap() });
    }
    table.apply(&Event::Opened { dice });
    table
}

fn bet(table: &Table, seat: SeatId, name: &str, amount: &str) -> Command {
    spoken(table, seat, name, amount, Manner::default())
}

fn spoken(table: &Table, seat: SeatId, name: &str, amount: &str, manner: Manner) -> Command {
    Command::Bet { seat, slot: table.board().named(name).unwrap(), amount: amount.parse().unwrap(), manner }
}

fn run(table: &mut Table, actor: Actor, command: &Command) -> Vec<Event> {
    table.run(actor, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"))
}

fn refused(table: &Table, actor: Actor, command: &Command) -> Refusal {
    table.decide(actor, command, &mut Vec::new()).unwrap_err()
}

fn answer(request: u32, agrees: bool) -> Command {
    Command::Answer { request, agrees }
}

/// Gives the dice to a seat, which bets the pass line.
fn shoots(table: &mut Table, seat: SeatId) {
    let pass = bet(table, seat, "pass", "10");
    run(table, Actor::player(seat), &pass);
    table.apply(&Event::DiceTaken { seat: Some(seat), phase: table.phase() });
}

fn roll(table: &mut Table, dice: &str) -> Vec<Event> {
    run(table, Actor::shooter(), &Command::Release);
    run(table, STICK, &Command::Throw { dice: dice.parse().unwrap() })
}

fn up(table: &Table, seat: SeatId, name: &str) -> Option<Bet> {
    table.seat(seat).unwrap().bets.get(table.board().named(name).unwrap()).copied()
}

/// W7: a call counts when a dealer has placed the button.
#[test]
fn a_call_waits_for_the_dealers_button() {
    for (book, cite) in
        [("pa", "PA 623a.3(a)(5)"), ("md", "MD Ch.3 §A(5)(a)"), ("nj", "NJ 1.3(e)"), ("co", "CO 30-2305(5)")]
    {
        let mut table = opened(rules(book, Game::Craps, &[]));
        let place = bet(&table, 1, "place-win-6", "12");
        run(&mut table, Actor::player(1), &place);
        shoots(&mut table, 1);
        let slot = table.board().named("place-win-6").unwrap();
        let on = Command::Call { seat: 1, slot, called: Called::On };
        let asked = run(&mut table, Actor::player(1), &on);
        assert!(matches!(&asked[..], [Event::Requested { number: 1, .. }]), "{book}: {asked:?}");
        assert!(!table.works(1, slot), "{book}: no button, no effect");
        assert!(table.waits_by(&on).to_string().contains(cite), "{book}: {}", table.waits_by(&on));
        // The player can't place the button, nor can somebody whom the book doesn't name.
        for actor in [Actor::player(1), Actor::player(2), FLOOR] {
            let refusal = refused(&table, actor, &answer(1, true));
            assert_eq!(refusal.code.name(), "not-their-request", "{book}");
            assert!(!refusal.cites().0.is_empty(), "{book}: {refusal}");
        }
        let mut turned_down = table.clone();
        run(&mut turned_down, DEALER, &answer(1, false));
        assert!(turned_down.requests().is_empty() && !turned_down.works(1, slot), "{book}");
        let mut too_late = table.clone();
        let events = roll(&mut too_late, "4-2");
        assert!(events.contains(&Event::RequestEnded { number: 1, how: RequestEnd::TooLate }), "{book}");
        assert!(up(&too_late, 1, "place-win-6").is_some(), "{book}: the bet was off, so the six didn't pay it");
        run(&mut table, DEALER, &answer(1, true));
        assert!(table.works(1, slot) && table.requests().is_empty(), "{book}");
        // A dealer who places the button without being asked twice does both steps at once.
        let off = Command::Call { seat: 1, slot, called: Called::Standard };
        run(&mut table, Actor::player(1), &off);
        run(&mut table, DEALER, &on);
        assert!(table.works(1, slot), "{book}");
    }
}

/// W8: spoken cash is confirmed and changed first, and no machine takes it.
#[test]
fn spoken_cash_waits_for_the_dealer_and_is_not_for_machines() {
    let cash = || Manner { cash: Some("50".parse().unwrap()), ..Manner::default() };
    for book in ["pa", "md", "nj"] {
        let mut table = opened(rules(book, Game::Craps, &[]));
        let said = spoken(&table, 1, "field", "50", cash());
        run(&mut table, Actor::player(1), &said);
        assert_eq!((up(&table, 1, "field"), table.accounts().came_in), (None, "3000".parse().unwrap()), "{book}");
        let done = run(&mut table, DEALER, &answer(1, true));
        let bought = done.iter().position(|event| matches!(event, Event::BoughtIn { .. })).unwrap();
        let placed = done.iter().position(|event| matches!(event, Event::BetPlaced { .. })).unwrap();
        assert!(bought < placed, "{book}: the cash is changed before the bet counts");
        assert_eq!(table.seat(1).unwrap().rail.to_string(), "1000", "{book}");
    }
    let mut electronic = opened(rules("pa", Game::Electronic, &[]));
    electronic = electronic.with_crew(Crew::Automatic);
    let refusal = refused(&electronic, Actor::player(1), &spoken(&electronic, 1, "field", "50", cash()));
    assert_eq!(refusal.code.name(), "not-by-speech");
    assert_eq!(refusal.cites().to_string(), "PA 623b.2(c), PA 623b.4(c)");
}

/// W9: each person confirms a bet in flight for themselves.
#[test]
fn a_bet_in_flight_is_confirmed_by_each_person() {
    for (game, second, cite) in
        [(Game::Craps, BOX, "NJ 1.3(a)1, NJ 1.3(a)2"), (Game::MiniCraps, FLOOR, "NJ 1.3(a)1, NJ 1.3(a)2")]
    {
        let mut table = opened(rules("nj", game, &[]));
        shoots(&mut table, 1);
        run(&mut table, Actor::shooter(), &Command::Release);
        let both = Manner { late: Some(vec![Role::Dealer, second.role]), ..Manner::default() };
        let refusal = refused(&table, DEALER, &spoken(&table, 2, "field", "5", both));
        assert_eq!(refusal.code, Code::NotTheirCall { role: Role::Dealer, caller: second.role });
        let late = bet(&table, 2, "field", "5");
        run(&mut table, DEALER, &late);
        let request = &table.requests()[0];
        assert_eq!(request.needs, Needs { by: vec![Role::Dealer, second.role], all: true });
        assert_eq!(request.confirmed, [Role::Dealer]);
        assert_eq!(table.waits_by(&request.command).to_string(), cite);
        assert_eq!(refused(&table, DEALER, &answer(1, true)).code.name(), "confirmed-already");
        let mut alone = table.clone();
        run(&mut alone, STICK, &Command::Throw { dice: "5-4".parse().unwrap() });
        assert_eq!(alone.seat(2).unwrap().rail.to_string(), "1000", "one confirmation isn't enough");
        run(&mut table, second, &answer(1, true));
        run(&mut table, STICK, &Command::Throw { dice: "5-4".parse().unwrap() });
        assert_eq!(table.seat(2).unwrap().rail.to_string(), "1005");
    }
    // A roll that doesn't count ends such a request too: the dice came to rest.
    let mut table = opened(rules("nj", Game::Craps, &[]));
    shoots(&mut table, 1);
    run(&mut table, Actor::shooter(), &Command::Release);
    let late = bet(&table, 2, "field", "5");
    run(&mut table, DEALER, &late);
    let cash = Command::BuyIn { seat: 3, money: "100".parse().unwrap() };
    run(&mut table, Actor::player(3), &cash);
    run(&mut table, BOX, &Command::NoRoll { reason: NoRollReason::EndMissed, caller: Some(Role::Box) });
    let left: Vec<u32> = table.requests().iter().map(|request| request.number).collect();
    assert_eq!(left, [2], "the buy-in still waits");
    // In Colorado one is enough, and the stickperson is a dealer.
    for confirms in [DEALER, STICK, BOX] {
        let mut table = opened(rules("co", Game::Craps, &[]));
        shoots(&mut table, 1);
        run(&mut table, Actor::shooter(), &Command::Release);
        let late = bet(&table, 2, "field", "5");
        run(&mut table, Actor::player(2), &late);
        assert!(up(&table, 2, "field").is_none());
        run(&mut table, confirms, &answer(1, true));
        assert!(up(&table, 2, "field").is_some(), "{confirms:?}");
    }
    // Pennsylvania takes none.
    let mut table = opened(rules("pa", Game::Craps, &[]));
    shoots(&mut table, 1);
    run(&mut table, Actor::shooter(), &Command::Release);
    let refusal = refused(&table, Actor::player(2), &bet(&table, 2, "field", "5"));
    assert!(refusal.cites().to_string().contains("PA 623a.4(a)"), "{refusal}");
}

/// W10: at small and automated tables a player who bet stays seated until the roll is over.
#[test]
fn players_who_bet_stay_seated_until_the_roll_is_over() {
    for (book, game, cite) in [
        ("pa", Game::MiniCraps, "PA 623a.4(e)"),
        ("md", Game::MiniCraps, "MD Ch.4 §F"),
        ("nj", Game::MiniCraps, "NJ 1.3(f)"),
        ("nj-automated", Game::Automated, "NJ 1A.4(b)"),
    ] {
        let mut table = opened(rules(book, game, &[])).with_crew(Crew::Automatic);
        let field = bet(&table, 2, "field", "5");
        run(&mut table, Actor::player(2), &field);
        let slot = table.board().named("field").unwrap();
        run(&mut table, Actor::player(2), &Command::TakeDown { seat: 2, slot, amount: "5".parse().unwrap() });
        let refusal = refused(&table, Actor::player(2), &Command::Leave { seat: 2 });
        assert_eq!((refusal.code.name(), refusal.cites().to_string().contains(cite)), ("stay-seated", true), "{book}");
        assert!(table.decide(Actor::player(3), &Command::Leave { seat: 3 }, &mut Vec::new()).is_ok(), "{book}");
        let pass = bet(&table, 1, "pass", "10");
        run(&mut table, Actor::player(1), &pass);
        run(&mut table, Actor::staff(Role::Machine), &Command::Throw { dice: "4-2".parse().unwrap() });
        assert!(table.decide(Actor::player(2), &Command::Leave { seat: 2 }, &mut Vec::new()).is_ok(), "{book}");
    }
    let mut standing = opened(rules("pa", Game::Craps, &[])).with_crew(Crew::Automatic);
    let field = bet(&standing, 2, "field", "5");
    run(&mut standing, Actor::player(2), &field);
    let slot = standing.board().named("field").unwrap();
    run(&mut standing, Actor::player(2), &Command::TakeDown { seat: 2, slot, amount: "5".parse().unwrap() });
    run(&mut standing, Actor::player(2), &Command::Leave { seat: 2 });
}

/// W11: an improper roll is called by those who find it improper, not by everybody who may call no roll.
#[test]
fn an_improper_roll_is_called_by_the_people_whom_the_book_names() {
    let improper = |role: Role| Command::NoRoll { reason: NoRollReason::Improper, caller: Some(role) };
    let rail = |role: Role| Command::NoRoll { reason: NoRollReason::CupOrRail, caller: Some(role) };
    for (book, game, may, not) in [
        ("pa", Game::MiniCraps, Role::Dealer, Role::Floor),
        ("md", Game::MiniCraps, Role::Stick, Role::Floor),
        ("nj", Game::MiniCraps, Role::Dealer, Role::Floor),
        ("co", Game::Craps, Role::Stick, Role::Dealer),
    ] {
        let mut table = opened(rules(book, game, &[]));
        shoots(&mut table, 1);
        run(&mut table, Actor::shooter(), &Command::Release);
        assert!(table.decide(Actor::staff(may), &improper(may), &mut Vec::new()).is_ok(), "{book}");
        let refusal = refused(&table, Actor::staff(not), &improper(not));
        assert!(!refusal.cites().0.is_empty(), "{book}: {refusal}");
        assert!(table.decide(Actor::staff(not), &rail(not), &mut Vec::new()).is_ok(), "{book}: other grounds");
    }
}

/// W13: the draw comes after the bets and before the roll, also where people roll.
#[test]
fn the_draw_is_made_before_people_roll() {
    let mut table = opened(rules("pa", Game::Craps, &[("power_odds.offered", "yes")]));
    shoots(&mut table, 1);
    let seven = bet(&table, 2, "any-seven", "5");
    run(&mut table, Actor::player(2), &seven);
    let refusal = refused(&table, Actor::shooter(), &Command::Release);
    assert_eq!((refusal.code.name(), refusal.cites().to_string().as_str()), ("draw-first", "PA 623b.5(c)"));
    run(&mut table, STICK, &Command::CloseBets);
    assert!(table.waits_for_draw());
    let wager = table.board().slot(table.board().named("any-seven").unwrap()).wager;
    run(&mut table, Actor::staff(Role::Machine), &Command::Draw { selection: vec![(wager, 1)] });
    assert_eq!(table.selection(), [(wager, 1)]);
    assert!(table.decide(Actor::player(2), &bet(&table, 2, "field", "5"), &mut Vec::new()).is_err());
    roll(&mut table, "5-2");
    assert_eq!(table.seat(2).unwrap().rail.to_string(), "1040", "8 to 1, not 4 to 1");
    // With an automatic crew, too, the draw closes the bets.
    let mut table = opened(rules("pa", Game::Craps, &[("power_odds.offered", "yes")])).with_crew(Crew::Automatic);
    run(&mut table, Actor::staff(Role::Machine), &Command::Draw { selection: Vec::new() });
    assert_eq!(refused(&table, Actor::player(1), &bet(&table, 1, "pass", "10")).code.name(), "draw-stands");
}

/// Plays to a come-out roll with a come bet left on the 5. Seat 1 has rolled.
fn come_bet_left(mut table: Table) -> Table {
    shoots(&mut table, 1);
    roll(&mut table, "4-2");
    let come = bet(&table, 1, "come", "10");
    run(&mut table, Actor::player(1), &come);
    roll(&mut table, "4-1");
    roll(&mut table, "3-3");
    table
}

/// W16: rolls for come bets only follow an offer of the dice to everybody else.
#[test]
fn rolls_for_come_bets_follow_offers_to_everybody() {
    for (book, cite) in [("pa", "PA 623a.10(b)"), ("md", "MD Ch.10 §B"), ("nj", "NJ 1.11(b)"), ("co", "CO 30-2313(2)")]
    {
        let mut table = come_bet_left(opened(rules(book, Game::Craps, &[])));
        let only = Command::TakeDice { seat: Some(1), decisions_only: true };
        let refusal = refused(&table, Actor::player(1), &only);
        assert_eq!(refusal.code, Code::NoComeRolls { why: ComeRolls::NotOffered }, "{book}");
        assert!(refusal.cites().to_string().starts_with(cite), "{book}: {refusal}");
        run(&mut table, Actor::shooter(), &Command::PassDice);
        for seat in [2, 3] {
            run(&mut table, STICK, &Command::OfferDice { seat });
            assert!(
                table.decide(Actor::player(1), &only, &mut Vec::new()).is_err(),
                "{book}: seat {seat} may want them"
            );
            run(&mut table, Actor::player(seat), &Command::DeclineDice { seat });
        }
        // Somebody who hasn't rolled can't take them without a line bet.
        let other = Command::TakeDice { seat: Some(2), decisions_only: true };
        let refusal = refused(&table, Actor::player(2), &other);
        assert_eq!(refusal.code, Code::NoComeRolls { why: ComeRolls::NotLastShooter }, "{book}");
        run(&mut table, Actor::player(1), &only);
        assert_eq!(table.phase(), Phase::ComeDecisionOnly, "{book}");
        roll(&mut table, "4-1");
        assert_eq!(table.phase(), Phase::ComeOut, "{book}: the come bet is decided");
    }
}

/// A player who has just taken the dice can't roll without a line bet either.
#[test]
fn a_new_shooter_cannot_roll_for_come_bets_only() {
    let mut table = come_bet_left(opened(rules("pa", Game::Craps, &[]))).with_crew(Crew::Automatic);
    run(&mut table, STICK, &Command::TakeDice { seat: Some(2), decisions_only: false });
    let refusal = refused(&table, STICK, &Command::TakeDice { seat: Some(2), decisions_only: true });
    assert_eq!(refusal.code, Code::NoComeRolls { why: ComeRolls::NotLastShooter });
}

/// W17: an order to give up the dice names one of the text's grounds, and the log keeps it.
#[test]
fn a_shooter_is_ordered_off_on_a_ground() {
    for (book, cite) in
        [("pa", "PA 623a.10(a)(2)"), ("md", "MD Ch.10 §A(2)"), ("nj", "NJ 1.11(a)2"), ("co", "CO 30-2313(1)(b)")]
    {
        let mut table = opened(rules(book, Game::Craps, &[]));
        shoots(&mut table, 1);
        let refusal = refused(&table, BOX, &Command::OrderPass);
        assert_eq!(refusal.code.name(), "no-pass-ground", "{book}");
        assert!(refusal.cites().to_string().contains(cite), "{book}: {refusal}");
        let events = run(&mut table, BOX, &Command::OrderOff { ground: PassGround::InvalidRolls });
        let kept = Event::OrderedOff { by: Role::Box, ground: Some(PassGround::InvalidRolls) };
        assert_eq!(events[0], kept, "{book}");
    }
    // The shaker can't be rolled invalidly again and again.
    let mut table = opened(rules("nj-automated", Game::Automated, &[]));
    shoots(&mut table, 1);
    let invalid = Command::OrderOff { ground: PassGround::InvalidRolls };
    assert_eq!(refused(&table, FLOOR, &invalid).code.name(), "no-pass-ground");
    run(&mut table, FLOOR, &Command::OrderOff { ground: PassGround::Breach });
}

/// W19: the shaker is only for players with a line bet.
#[test]
fn the_shaker_is_offered_only_to_players_with_a_line_bet() {
    let mut table = opened(rules("nj-automated", Game::Automated, &[]));
    let refusal = refused(&table, DEALER, &Command::OfferDice { seat: 1 });
    assert!(refusal.cites().to_string().contains("NJ 1A.5(b)"), "{refusal}");
    let pass = bet(&table, 2, "pass", "10");
    run(&mut table, Actor::player(2), &pass);
    run(&mut table, DEALER, &Command::OfferDice { seat: 2 });
    let take = |seat| Command::TakeDice { seat: Some(seat), decisions_only: false };
    let slot = table.board().named("pass").unwrap();
    let mut without = table.clone();
    run(&mut without, Actor::player(2), &Command::TakeDown { seat: 2, slot, amount: "10".parse().unwrap() });
    let refusal = refused(&without, Actor::player(2), &take(2));
    assert_eq!(refusal.code, Code::CannotShoot { seat: 2 });
    assert!(refusal.cites().to_string().contains("NJ 1A.5(b)"), "{refusal}");
    run(&mut table, Actor::player(2), &take(2));
}

/// W23: cash goes through the crew.
#[test]
fn a_buy_in_waits_for_the_people_who_take_cash() {
    for (book, cite) in [("co", "CO 30-2319, CO 30-2302(5)"), ("pa", "")] {
        let mut table = opened(rules(book, Game::Craps, &[]));
        let million = Command::BuyIn { seat: 1, money: "1000000".parse().unwrap() };
        run(&mut table, Actor::player(1), &million);
        assert_eq!(table.seat(1).unwrap().rail.to_string(), "1000", "{book}");
        assert_eq!(table.waits_by(&million).to_string(), cite);
        assert!(table.decide(FLOOR, &answer(1, true), &mut Vec::new()).is_err(), "{book}");
        // It waits over a roll, and ends when the player leaves.
        shoots(&mut table, 2);
        roll(&mut table, "6-5");
        assert_eq!(table.requests().len(), 1, "{book}");
        run(&mut table, DEALER, &answer(1, true));
        assert_eq!(table.seat(1).unwrap().rail.to_string(), "1001000", "{book}");
        let join = Command::Join { seat: 4, name: "Di".into(), money: "200".parse().unwrap() };
        run(&mut table, Actor::player(4), &join);
        assert_eq!(table.seat(4).unwrap().rail.to_string(), "0", "{book}: the first buy-in waits as well");
        let left = run(&mut table, Actor::player(4), &Command::Leave { seat: 4 });
        assert!(left.contains(&Event::RequestEnded { number: 2, how: RequestEnd::Left }), "{book}");
    }
}

/// Logs from before requests existed: what players did took effect at once.
#[test]
fn a_table_without_requests_does_everything_at_once() {
    let mut table = opened(rules("nj", Game::Craps, &[])).without_requests();
    let place = bet(&table, 1, "place-win-6", "12");
    run(&mut table, Actor::player(1), &place);
    shoots(&mut table, 1);
    let slot = table.board().named("place-win-6").unwrap();
    run(&mut table, Actor::player(1), &Command::Call { seat: 1, slot, called: Called::On });
    assert!(table.works(1, slot));
    run(&mut table, Actor::player(1), &Command::BuyIn { seat: 1, money: "50".parse().unwrap() });
    let join = Command::Join { seat: 4, name: "Di".into(), money: "200".parse().unwrap() };
    run(&mut table, Actor::player(4), &join);
    assert_eq!(table.seat(4).unwrap().rail.to_string(), "200");
    run(&mut table, Actor::shooter(), &Command::Release);
    let both = Manner { late: Some(vec![Role::Dealer, Role::Box]), ..Manner::default() };
    let late = spoken(&table, 2, "field", "5", both);
    run(&mut table, DEALER, &late);
    assert!(up(&table, 2, "field").is_some() && table.requests().is_empty());
}

/// W14 and W15: Fire can be called off until the initial point, and is paid last, by position.
#[test]
fn fire_in_colorado_is_called_off_early_and_paid_last() {
    let fire = rules("co", Game::Craps, &[("offer", "fire"), ("fire.table", "FB-3"), ("fire.amount", "1..10")]);
    let mut table = opened(fire).with_crew(Crew::Automatic);
    for seat in [2, 1] {
        let fire = bet(&table, seat, "fire", "5");
        run(&mut table, Actor::player(seat), &fire);
    }
    let slot = table.board().named("fire").unwrap();
    let pass = bet(&table, 1, "pass", "10");
    run(&mut table, Actor::player(1), &pass);
    let off = Command::Call { seat: 1, slot, called: Called::Off };
    assert!(table.decide(Actor::player(1), &off, &mut Vec::new()).is_ok());
    let throw = |table: &mut Table, dice: &str| {
        run(table, Actor::staff(Role::Machine), &Command::Throw { dice: dice.parse().unwrap() })
    };
    throw(&mut table, "2-2");
    let refusal = refused(&table, Actor::player(1), &off);
    assert!(refusal.cites().to_string().contains("CO 30-2399.01(4)"), "{refusal}");
    throw(&mut table, "3-1");
    for (point, made) in [("4-1", "3-2"), ("4-2", "5-1")] {
        let pass = bet(&table, 1, "pass", "10");
        run(&mut table, Actor::player(1), &pass);
        throw(&mut table, point);
        throw(&mut table, made);
    }
    for (name, amount) in [("pass", "10"), ("dont-pass", "10")] {
        let line = bet(&table, 3, name, amount);
        run(&mut table, Actor::player(3), &line);
    }
    run(&mut table, STICK, &Command::TakeDice { seat: Some(1), decisions_only: false });
    let pass = bet(&table, 1, "pass", "10");
    run(&mut table, Actor::player(1), &pass);
    throw(&mut table, "5-4");
    let events = throw(&mut table, "5-2");
    let settled: Vec<(SeatId, bool, bool)> = events
        .iter()
        .filter_map(|event| match event {
            Event::Settled { seat, slot: at, verdict, .. } => Some((*seat, *verdict == Verdict::Lost, *at == slot)),
            _ => None,
        })
        .collect();
    let expected = [(1, true, false), (3, true, false), (3, false, false), (1, false, true), (2, false, true)];
    assert_eq!(settled, expected, "losers, then winners, then Fire by position");
}

/// A new shooter finds Fire open if nobody has a Fire bet up, although the last shooter's points were marked.
#[test]
fn a_new_shooter_opens_fire_when_nobody_has_it() {
    let mut table = opened(rules("pa", Game::Craps, &[("offer", "fire")])).with_crew(Crew::Automatic);
    let throw = |table: &mut Table, dice: &str| {
        run(table, Actor::staff(Role::Machine), &Command::Throw { dice: dice.parse().unwrap() });
    };
    let pass = bet(&table, 1, "pass", "10");
    run(&mut table, Actor::player(1), &pass);
    throw(&mut table, "2-2");
    throw(&mut table, "3-1");
    assert!(table.decide(Actor::player(2), &bet(&table, 2, "fire", "5"), &mut Vec::new()).is_err());
    let events = run(&mut table, Actor::shooter(), &Command::PassDice);
    assert!(matches!(&events[..], [Event::DicePassed, Event::TrackersCleared { .. }]), "{events:?}");
    let fire = bet(&table, 2, "fire", "5");
    run(&mut table, Actor::player(2), &fire);
    // A Fire bet that is carried over keeps its points.
    let pass = bet(&table, 2, "pass", "10");
    run(&mut table, Actor::player(2), &pass);
    throw(&mut table, "2-2");
    throw(&mut table, "3-1");
    let events = run(&mut table, Actor::shooter(), &Command::PassDice);
    assert_eq!(events, [Event::DicePassed]);
    assert!(table.decide(Actor::player(3), &bet(&table, 3, "fire", "5"), &mut Vec::new()).is_err());
}

/// W18: five dice or more make a set.
#[test]
fn a_set_of_six_dice_is_lawful() {
    for book in ["pa", "md", "nj", "co"] {
        let mut table = Table::open(rules(book, Game::Craps, &[])).unwrap().with_crew(Crew::People);
        assert!(!refused(&table, BOX, &Command::OpenTable { dice: 4 }).cites().0.is_empty(), "{book}");
        run(&mut table, BOX, &Command::OpenTable { dice: 6 });
        assert_eq!(table.stage(), Stage::Offering(None));
    }
}

/// W12: only the excess that exact payment needs may pass the posted maximum in New Jersey.
#[test]
fn odds_in_new_jersey_stay_within_the_posted_maximum_but_for_the_excess() {
    let house = [("limits.min", "5"), ("limits.max", "105"), ("odds.k", "100")];
    let mut table = opened(rules("nj", Game::Craps, &house)).with_crew(Crew::Automatic);
    let pass = bet(&table, 1, "pass", "10");
    run(&mut table, Actor::player(1), &pass);
    run(&mut table, Actor::staff(Role::Machine), &Command::Throw { dice: "4-1".parse().unwrap() });
    let refusal = refused(&table, Actor::player(1), &bet(&table, 1, "pass-odds", "1000"));
    assert_eq!((refusal.code.name(), refusal.key()), ("above-maximum", Some("limits.max")));
    let odds = bet(&table, 1, "pass-odds", "106");
    run(&mut table, Actor::player(1), &odds);
    assert!(table.decide(Actor::player(1), &bet(&table, 1, "pass-odds", "2"), &mut Vec::new()).is_err());
}

/// Changes the answer of a topic, or adds one.
fn answered(mut rules: TableRules, topic: &str, answer: Answer) -> TableRules {
    let mut fact = rules.rules.values().next().unwrap().clone();
    fact.is.topic = topic.to_owned();
    fact.is.answer = answer;
    rules.rules.insert(topic.to_owned(), fact);
    rules
}

fn word(word: &str) -> Answer {
    Answer::Word(word.to_owned())
}

/// Words that none of the five American texts uses.
#[test]
fn books_may_settle_bets_beyond_the_limits() {
    let limits = [("limits.min", "10"), ("limits.max", "100")];
    let plain = || rules("nj", Game::Craps, &limits);
    let over = answered(plain(), "limits.over", word("settled_up_to_maximum"));
    let mut table = opened(over).with_crew(Crew::Automatic);
    let field = bet(&table, 1, "field", "150");
    run(&mut table, Actor::player(1), &field);
    let pass = bet(&table, 1, "pass", "10");
    run(&mut table, Actor::player(1), &pass);
    let mut lost = table.clone();
    run(&mut table, Actor::staff(Role::Machine), &Command::Throw { dice: "5-4".parse().unwrap() });
    assert_eq!(table.seat(1).unwrap().rail.to_string(), "1090", "paid on 100 only");
    run(&mut lost, Actor::staff(Role::Machine), &Command::Throw { dice: "4-1".parse().unwrap() });
    assert_eq!(lost.seat(1).unwrap().rail.to_string(), "890", "collected 100 only");
    let under = answered(plain(), "limits.under", word("settled_once_then_returned"));
    let mut table = opened(under).with_crew(Crew::Automatic);
    for command in [bet(&table, 1, "field", "4"), bet(&table, 1, "pass", "10")] {
        run(&mut table, Actor::player(1), &command);
    }
    run(&mut table, Actor::staff(Role::Machine), &Command::Throw { dice: "5-4".parse().unwrap() });
    assert_eq!(table.seat(1).unwrap().rail.to_string(), "994", "settled once");
    let field = bet(&table, 1, "field", "4");
    run(&mut table, Actor::player(1), &field);
    let other = bet(&table, 2, "field", "4");
    run(&mut table, Actor::player(2), &other);
    run(&mut table, Actor::staff(Role::Machine), &Command::Throw { dice: "4-1".parse().unwrap() });
    let rails: Vec<String> = table.seats().map(|(_, seat)| seat.rail.to_string()).collect();
    assert_eq!(rails, ["994", "996", "1000"], "the second one is returned, and the other player's first one is lost");
}

#[test]
fn books_may_limit_what_a_table_pays_on_one_roll() {
    let limited = answered(rules("nj", Game::Craps, &[]), "settle.payout_limit", Answer::Count(500));
    let limited = answered(limited, "settle.payout_limit_above", Answer::Count(20));
    let mut table = opened(limited).with_crew(Crew::Automatic);
    for command in [bet(&table, 1, "craps-12", "10"), bet(&table, 2, "craps-12", "30"), bet(&table, 1, "pass", "10")] {
        run(&mut table, Actor::player(command.seat().unwrap()), &command);
    }
    let any = bet(&table, 3, "any-craps", "10");
    run(&mut table, Actor::player(3), &any);
    run(&mut table, Actor::staff(Role::Machine), &Command::Throw { dice: "6-6".parse().unwrap() });
    // 300 and 900 are due at 30 to 1; 500 are paid in proportion. 7 to 1 isn't long.
    let rails: Vec<String> = table.seats().map(|(_, seat)| seat.rail.to_string()).collect();
    assert_eq!(rails, ["1115", "1375", "1070"]);
}

#[test]
fn bets_may_stay_open_until_the_dice_rest() {
    let open = answered(rules("nj", Game::Craps, &[]), "bets.deadline", word("when_dice_rest"));
    let mut table = opened(answered(open, "bets.in_flight_covers", word("everything")));
    shoots(&mut table, 1);
    let field = bet(&table, 2, "field", "5");
    run(&mut table, Actor::player(2), &field);
    run(&mut table, Actor::shooter(), &Command::Release);
    let slot = table.board().named("field").unwrap();
    run(&mut table, Actor::player(2), &Command::TakeDown { seat: 2, slot, amount: "5".parse().unwrap() });
    let seven = bet(&table, 2, "any-seven", "5");
    run(&mut table, Actor::player(2), &seven);
    run(&mut table, STICK, &Command::Throw { dice: "5-2".parse().unwrap() });
    assert_eq!(table.seat(2).unwrap().rail.to_string(), "1020");
}

/// Offers the dice to everybody, and everybody declines them.
fn nobody_takes_the_dice(table: &mut Table) {
    for seat in 1..=3 {
        run(table, STICK, &Command::OfferDice { seat });
        run(table, Actor::player(seat), &Command::DeclineDice { seat });
    }
}

#[test]
fn the_stickperson_may_roll_for_the_bets_that_are_left() {
    let rolls = answered(
        rules("md", Game::Craps, &[("lay.offered", "yes")]),
        "offer.nobody_accepts",
        word("stickperson_throws"),
    );
    let mut table = opened(rolls);
    let house = Command::TakeDice { seat: None, decisions_only: false };
    assert_eq!(refused(&table, STICK, &house).code.name(), "not-next", "nobody was offered the dice");
    nobody_takes_the_dice(&mut table);
    assert_eq!(refused(&table, STICK, &house).code.name(), "nothing-left");
    let place = bet(&table, 2, "place-win-6", "12");
    run(&mut table, Actor::player(2), &place);
    assert_eq!(refused(&table, STICK, &house).code.name(), "nothing-left", "a place bet is off with the puck off");
    let lay = bet(&table, 2, "lay-6", "60");
    run(&mut table, Actor::player(2), &lay);
    run(&mut table, STICK, &house);
    run(&mut table, STICK, &Command::Release);
    run(&mut table, STICK, &Command::Throw { dice: "4-1".parse().unwrap() });
    assert_eq!(table.phase(), Phase::ComeDecisionOnly, "the house sets no point");
    run(&mut table, STICK, &Command::Release);
    run(&mut table, STICK, &Command::Throw { dice: "3-3".parse().unwrap() });
    assert_eq!((table.phase(), table.shooter()), (Phase::ComeOut, None), "the lay bet was the last one");
}

#[test]
fn the_stickperson_plays_out_a_point() {
    let rolls = answered(
        rules("md", Game::Craps, &[("lay.offered", "yes")]),
        "offer.nobody_accepts",
        word("stickperson_throws"),
    );
    let mut table = opened(rolls).with_crew(Crew::Automatic);
    let throw = |table: &mut Table, dice: &str| {
        run(table, Actor::staff(Role::Machine), &Command::Throw { dice: dice.parse().unwrap() });
    };
    for command in [bet(&table, 1, "pass", "10"), bet(&table, 2, "lay-6", "60")] {
        run(&mut table, Actor::player(command.seat().unwrap()), &command);
    }
    throw(&mut table, "3-1");
    run(&mut table, Actor::shooter(), &Command::PassDice);
    run(&mut table, STICK, &Command::TakeDice { seat: None, decisions_only: false });
    throw(&mut table, "2-2");
    assert_eq!(table.seat(1).unwrap().rail.to_string(), "1010", "the point is made");
    assert_eq!(table.phase(), Phase::ComeDecisionOnly, "the lay bet is left");
    let pass = bet(&table, 3, "pass", "10");
    run(&mut table, Actor::player(3), &pass);
    assert_eq!((table.phase(), table.shooter()), (Phase::ComeOut, None), "a line bet ends the rolls of the house");
}

#[test]
fn a_player_may_name_another_shooter_if_the_boxperson_allows_it() {
    let named = answered(rules("nj", Game::Craps, &[]), "shooter.may_nominate", word("if_boxperson_allows"));
    let mut automatic = opened(named.clone()).with_crew(Crew::Automatic);
    run(&mut automatic, Actor::player(1), &Command::Nominate { seat: 1, shooter: 3 });
    assert_eq!(automatic.shooter(), Some(Shooter::Seat(3)), "nobody has to agree");
    let with_bet = answered(named.clone(), "offer.eligible", word("player_with_line_bet"));
    let automatic = opened(with_bet).with_crew(Crew::Automatic);
    let nominated = refused(&automatic, Actor::player(1), &Command::Nominate { seat: 1, shooter: 3 });
    assert_eq!(nominated.code.name(), "cannot-shoot");
    let mut table = opened(named);
    run(&mut table, STICK, &Command::OfferDice { seat: 1 });
    run(&mut table, Actor::player(1), &Command::Nominate { seat: 1, shooter: 3 });
    assert_eq!(table.stage(), Stage::Offering(Some(1)));
    run(&mut table, BOX, &answer(1, true));
    assert_eq!(table.stage(), Stage::Offering(Some(3)));
    let plain = opened(rules("nj", Game::Craps, &[]));
    assert_eq!(refused(&plain, Actor::player(1), &Command::Nominate { seat: 1, shooter: 3 }).code.name(), "no-nominee");
}

#[test]
fn players_may_withdraw_after_a_power_failure() {
    let failing = answered(
        rules("nj", Game::Craps, &[]),
        "irregularities.power_failure_before_outcome",
        word("players_may_withdraw_all"),
    );
    let void = Answer::Words(vec!["off_table".to_owned(), "power_failure".to_owned()]);
    let mut table = opened(answered(failing, "invalid.automatic", void));
    shoots(&mut table, 1);
    roll(&mut table, "4-2");
    let withdraw = Command::Withdraw { seat: 1 };
    assert_eq!(refused(&table, Actor::player(1), &withdraw).code.name(), "no-power-failure");
    run(&mut table, Actor::shooter(), &Command::Release);
    run(&mut table, STICK, &Command::NoRoll { reason: NoRollReason::PowerFailure, caller: None });
    run(&mut table, Actor::player(1), &withdraw);
    assert_eq!(table.seat(1).unwrap().rail.to_string(), "1000", "also a contract bet");
}

/// With excess on a bet, the order of payment is still the book's.
#[test]
fn fire_is_paid_last_also_when_a_bet_is_above_the_maximum() {
    let choices = [("offer", "fire"), ("fire.table", "FB-3"), ("fire.amount", "1..10"), ("limits.max", "50")];
    let over = answered(rules("co", Game::Craps, &choices), "limits.over", word("settled_up_to_maximum"));
    let mut table = opened(over).with_crew(Crew::Automatic);
    let throw = |table: &mut Table, dice: &str| {
        run(table, Actor::staff(Role::Machine), &Command::Throw { dice: dice.parse().unwrap() })
    };
    for seat in 1..=2 {
        for command in [bet(&table, seat, "fire", "5"), bet(&table, seat, "pass", "10")] {
            run(&mut table, Actor::player(seat), &command);
        }
    }
    for (point, made) in [("4-2", "3-3"), ("4-1", "3-2"), ("3-1", "2-2"), ("4-4", "5-3")] {
        throw(&mut table, point);
        throw(&mut table, made);
        let again = bet(&table, 1, "pass", "10");
        run(&mut table, Actor::player(1), &again);
    }
    throw(&mut table, "5-4");
    let field = bet(&table, 2, "any-seven", "80");
    run(&mut table, Actor::player(2), &field);
    let settled: Vec<(SeatId, String)> = throw(&mut table, "5-2")
        .iter()
        .filter_map(|event| match event {
            Event::Settled { seat, slot, .. } => Some((*seat, table.board().slot(*slot).name.clone())),
            _ => None,
        })
        .collect();
    let names: Vec<(SeatId, &str)> = settled.iter().map(|(seat, name)| (*seat, name.as_str())).collect();
    assert_eq!(names, [(1, "pass"), (2, "any-seven"), (1, "fire"), (2, "fire")]);
}

/// Bets that can be called both ways are off on any roll.
#[test]
fn a_bet_may_be_called_off_with_a_point_on() {
    let mut both = rules("nj", Game::Craps, &[]);
    for wager in &mut both.wagers {
        if wager.wager.wager().slug == "place-win-6" {
            wager.works.is.call = craps_law::Call::Both;
        }
    }
    let mut table = opened(both).with_crew(Crew::Automatic);
    let throw = |table: &mut Table, dice: &str| {
        run(table, Actor::staff(Role::Machine), &Command::Throw { dice: dice.parse().unwrap() });
    };
    for command in [bet(&table, 1, "pass", "10"), bet(&table, 1, "place-win-6", "12")] {
        run(&mut table, Actor::player(1), &command);
    }
    throw(&mut table, "4-1");
    let slot = table.board().named("place-win-6").unwrap();
    run(&mut table, Actor::player(1), &Command::Call { seat: 1, slot, called: Called::Off });
    throw(&mut table, "4-2");
    assert_eq!(table.seat(1).unwrap().rail.to_string(), "978", "off: the six doesn't pay");
    throw(&mut table, "5-2");
    assert!(up(&table, 1, "place-win-6").is_some(), "off: the seven doesn't take it");
}
