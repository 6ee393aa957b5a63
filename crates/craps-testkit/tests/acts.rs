//! A topic that claims to act does: another answer changes what a table does, or how its layout is drawn. The test plays the same commands under a book
//! and under the same book with another answer, until the two do something different. What a refusal cites doesn't count.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::{
    Answer, Dated, Days, Fact, Game, HouseRules, Library, Mark, Rule, RuleBook, TableRules, Topic, TopicKind,
};
use craps_layout::{Layout, Sign, Template};
use craps_money::{Money, Stake};
use craps_table::{
    Actor, AfterWin, Called, Command, Crew, Event, Events, Manner, NewDice, NoRollReason, PassGround, Role, SeatId,
    SlotId, Table,
};
use craps_wagers::Family;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// How many steps a game has, and how many commands are tried in each.
const STEPS: usize = 120;
const TRIED: usize = 40;
/// How many games are played at each table.
const GAMES: u64 = 6;

/// A small random number generator, so that both tables see the same commands.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

fn stake(text: &str) -> Stake {
    text.parse().unwrap()
}

/// Returns a random command of somebody. Most of them are refused.
fn command(random: &mut Random, table: &Table) -> (Actor, Command) {
    let staff = [Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Machine];
    let seat: SeatId = random.one(&[1, 1, 2, 3]);
    let who = random.below(3);
    let actor = if who == 0 { Actor::staff(random.one(&staff)) } else { Actor::player(seat) };
    let crew = Actor::staff(random.one(&staff));
    let dice = format!("{}-{}", 1 + random.below(6), 1 + random.below(6)).parse().unwrap();
    let slots: Vec<SlotId> = table.board().slots().map(|(slot, _)| slot).collect();
    let line: Vec<SlotId> =
        ["pass", "dont-pass", "come", "fire", "field"].iter().filter_map(|name| table.board().named(name)).collect();
    let slot = if random.below(3) == 0 { random.one(&line) } else { random.one(&slots) };
    let amount = stake(random.one(&["1", "4", "5", "6", "10", "30", "60", "7000"]));
    match random.below(30) {
        0..=8 => {
            let late = match random.below(8) {
                0 => Some(Vec::new()),
                1 => Some(vec![random.one(&[Role::Dealer, Role::Stick, Role::Box])]),
                2 => Some(vec![Role::Dealer, Role::Box, Role::Stick]),
                _ => None,
            };
            let some = |random: &mut Random| (random.below(8) == 0).then(|| stake("10"));
            let (cash, coupon) = (some(random), some(random));
            (actor, Command::Bet { seat, slot, amount, manner: Manner { late, cash, coupon } })
        }
        9 => (actor, Command::TakeDown { seat, slot, amount }),
        10 => (actor, Command::Call { seat, slot, called: random.one(&[Called::On, Called::Off]) }),
        11 => (actor, Command::Tell { seat, slot, after_win: AfterWin::Up }),
        12 => (actor, Command::InFlight { command: Box::new(Command::TakeDown { seat, slot, amount }) }),
        13 => {
            let seat = random.one(&[1, 4, 9, 10, 16, 17]);
            (crew, Command::Join { seat, name: "Di".to_owned(), money: stake("500").money() })
        }
        14 => (
            actor,
            random.one(&[
                Command::Leave { seat },
                Command::Withdraw { seat },
                Command::BuyIn { seat, money: stake("10") },
            ]),
        ),
        15 => (actor, Command::Nominate { seat, shooter: random.one(&[1, 2, 3]) }),
        16 => (
            crew,
            random.one(&[
                Command::Inspect { test_rolls: 1 },
                Command::Inspect { test_rolls: 0 },
                Command::Inspect { test_rolls: 2 },
            ]),
        ),
        17 => (crew, Command::OpenTable { dice: random.one(&[2, 4, 5, 6]) }),
        18 => (crew, random.one(&[Command::CloseTable, Command::NoteHours { hours: 8 }])),
        19 => (crew, Command::NewDice { reason: random.one(&NewDice::ALL), dice: 5 }),
        20 => (crew, Command::OfferDice { seat }),
        21 => (actor, Command::DeclineDice { seat }),
        22 => {
            let house = random.below(4) == 0;
            let decisions_only = random.below(2) == 0;
            let by = if house { crew } else { actor };
            (by, Command::TakeDice { seat: (!house).then_some(seat), decisions_only })
        }
        23 => (crew, random.one(&[Command::CloseBets, Command::Draw { selection: Vec::new() }])),
        24 => (random.one(&[Actor::shooter(), actor, crew]), Command::Release),
        25 => (random.one(&[Actor::shooter(), actor]), Command::PassDice),
        26 => (crew, Command::OrderOff { ground: random.one(&PassGround::ALL) }),
        27 => {
            let caller = random.one(&[None, Some(crew.role)]);
            (crew, Command::NoRoll { reason: random.one(&NoRollReason::ALL), caller })
        }
        28 => match random.below(3) {
            0 => (crew, Command::NameFaces { dice, reason: "cocked".to_owned() }),
            1 => (crew, Command::Rule { seat, amount: Money::from_minor(100), reason: "short".to_owned() }),
            _ => (crew, Command::Answer { request: 1 + u32::try_from(random.below(6)).unwrap(), agrees: true }),
        },
        _ => (crew, Command::Throw { dice }),
    }
}

/// What a table does, in steps. Each is a number that depends on everything that the table did, but not on what it cites.
type Done = Box<dyn Iterator<Item = u64>>;

fn opened(rules: &TableRules, crew: Crew) -> Table {
    let mut table = Table::open(rules.clone()).unwrap().with_crew(crew);
    for seat in 1..=3 {
        table.apply(&Event::Joined { seat, name: format!("seat {seat}"), money: stake("20000").money() });
    }
    table
}

/// Returns what the table would do with a command, as a number, and the events if it accepts it.
fn tried(table: &Table, actor: Actor, command: &Command) -> (u64, Option<Events>) {
    let (mut done, mut events) = (DefaultHasher::new(), Events::new());
    match table.decide(actor, command, &mut events) {
        Ok(()) => format!("{events:?}").hash(&mut done),
        Err(refusal) => {
            format!("{:?}", refusal.code).hash(&mut done);
            return (done.finish(), None);
        }
    }
    (done.finish(), Some(events))
}

/// Plays a game of random commands.
fn random_game(rules: &TableRules, crew: Crew, game: u64) -> Done {
    let mut table = opened(rules, crew);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (game + 1));
    Box::new((0..STEPS).map(move |_| {
        let mut all = DefaultHasher::new();
        let mut accepted: Vec<Events> = Vec::new();
        for _ in 0..TRIED {
            let (actor, command) = command(&mut random, &table);
            let (done, events) = tried(&table, actor, &command);
            done.hash(&mut all);
            accepted.extend(events.filter(|events| !events.is_empty()));
        }
        // Half of the steps are something else than a bet, if anything else is possible.
        let other: Vec<Events> = accepted.iter().filter(|events| !events.iter().any(is_bet)).cloned().collect();
        let from = if random.below(2) == 0 && !other.is_empty() { &other } else { &accepted };
        if !from.is_empty() {
            random.one(from).iter().for_each(|event| table.apply(event));
        }
        all.finish()
    }))
}

fn is_bet(event: &Event) -> bool {
    matches!(
        event,
        Event::BetPlaced { .. }
            | Event::Told { .. }
            | Event::TakenDown { .. }
            | Event::BoughtIn { .. }
            | Event::Joined { .. }
    )
}

/// Tries to make every bet in every manner, before the first roll.
fn every_bet(rules: &TableRules, crew: Crew) -> Done {
    let table = opened(rules, crew);
    let plain = Manner::default();
    let manners = [
        Manner { cash: Some(stake("10")), ..plain.clone() },
        Manner { coupon: Some(stake("10")), ..plain.clone() },
        Manner { late: Some(vec![Role::Dealer, Role::Stick, Role::Box]), ..plain },
    ];
    let slots: Vec<SlotId> = table.board().slots().map(|(slot, _)| slot).collect();
    let bets = slots.into_iter().flat_map(move |slot| {
        let bet = move |manner: Manner| Command::Bet { seat: 1, slot, amount: stake("10"), manner };
        manners.clone().map(bet)
    });
    Box::new(bets.map(move |bet| tried(&table, Actor::player(1), &bet).0))
}

/// Leaves a come bet up without a point, at a table with a crew of people. Then the last shooter wants to roll for it at once.
fn come_bet_left(rules: &TableRules) -> Done {
    let mut table = opened(rules, Crew::People);
    let bet = |name: &str| {
        let slot = table.board().named(name).unwrap();
        Command::Bet { seat: 1, slot, amount: stake("10"), manner: Manner::default() }
    };
    let roll = |dice: &str| [Command::Release, Command::Throw { dice: dice.parse().unwrap() }];
    let (dice, seat) = (if rules.game == Game::Automated { 2 } else { 5 }, Some(1));
    let first = [
        Command::Inspect { test_rolls: 1 },
        Command::OpenTable { dice },
        bet("pass"),
        Command::OfferDice { seat: 1 },
        Command::TakeDice { seat, decisions_only: false },
    ];
    let then = [Command::PassDice, Command::TakeDice { seat, decisions_only: true }];
    let come = [bet("come")];
    let commands = first.into_iter().chain(roll("4-2")).chain(come).chain(roll("4-1")).chain(roll("3-3")).chain(then);
    let staff = [Role::Dealer, Role::Stick, Role::Box, Role::Floor].map(Actor::staff);
    let actors: Vec<Actor> = [Actor::player(1), Actor::shooter()].into_iter().chain(staff).collect();
    Box::new(commands.collect::<Vec<_>>().into_iter().map(move |command| {
        let mut all = DefaultHasher::new();
        for actor in &actors {
            let (done, events) = tried(&table, *actor, &command);
            done.hash(&mut all);
            if let Some(events) = events {
                events.iter().for_each(|event| table.apply(event));
                break;
            }
        }
        all.finish()
    }))
}

/// Plays a hand of four points with every side bet, and long odds on a twelve before it. Then a hand that ends at once.
fn long_hand(rules: &TableRules) -> Done {
    let mut table = opened(rules, Crew::Automatic);
    let throws = ["6-6", "4-2", "3-3", "4-1", "3-2", "3-1", "2-2", "4-4", "5-3", "5-4", "5-2", "4-2", "5-2"];
    Box::new(throws.into_iter().map(move |dice| {
        let mut all = DefaultHasher::new();
        let sides = table.board().slots().filter(|(_, slot)| slot.wager.wager().family == Family::Shooter);
        let mut slots: Vec<(SlotId, &str)> = sides.map(|(slot, _)| (slot, "5")).collect();
        for (name, amount) in [("pass", "10"), ("craps-12", "30"), ("any-seven", "5")] {
            slots.extend(table.board().named(name).map(|slot| (slot, amount)));
        }
        let mut commands: Vec<(Actor, Command)> = Vec::new();
        for seat in 1..=2 {
            let bet = |(slot, amount): &(SlotId, &str)| {
                let manner = Manner::default();
                (Actor::player(seat), Command::Bet { seat, slot: *slot, amount: stake(amount), manner })
            };
            commands.extend(slots.iter().map(bet));
        }
        commands.push((Actor::staff(Role::Machine), Command::Throw { dice: dice.parse().unwrap() }));
        for (actor, command) in commands {
            let (done, events) = tried(&table, actor, &command);
            done.hash(&mut all);
            events.iter().flatten().for_each(|event| table.apply(event));
        }
        all.finish()
    }))
}

/// Draws the layout.
fn drawn(book: &RuleBook, rules: &TableRules) -> Option<String> {
    Layout::new(&Template::of(rules).ok()?, book, rules, &Sign::default()).ok().map(|layout| layout.svg())
}

/// Other answers to a topic than the one that is given. None stands for a book that doesn't answer.
fn others(topic: &Topic, answer: Option<&Answer>) -> Vec<Option<Answer>> {
    let mut all: Vec<Option<Answer>> = match topic.kind {
        TopicKind::YesNo => [true, false].map(|yes| Some(Answer::YesNo(yes))).into(),
        TopicKind::Count => {
            let count = if let Some(Answer::Count(count)) = answer { *count } else { 1 };
            [1, count.saturating_sub(1), count + 1, count * 20].map(|count| Some(Answer::Count(count))).into()
        }
        TopicKind::Word => topic.words.iter().map(|word| Some(Answer::Word(word.clone()))).collect(),
        TopicKind::Words => {
            let single = topic.words.iter().map(|word| Some(Answer::Words(vec![word.clone()])));
            single.chain([Some(Answer::Words(topic.words.clone()))]).collect()
        }
        TopicKind::Text => vec![Some(Answer::Word("other".to_owned()))],
    };
    all.push(None);
    all.retain(|other| other.as_ref() != answer);
    all
}

/// Returns a book with another answer.
fn answered(book: &RuleBook, topic: &str, answer: Option<Answer>) -> RuleBook {
    let mut book = book.clone();
    let known = book.rules.remove(topic).and_then(|dated| dated.0.into_iter().next());
    if let Some(answer) = answer {
        let cites = known.map(|fact| fact.cites).unwrap_or_default();
        let is = Rule { topic: topic.to_owned(), answer, note: None };
        let fact = Fact { is, cites, days: Days::ALWAYS, readings: Vec::new(), switch: None };
        book.rules.insert(topic.to_owned(), Dated(vec![fact]));
    }
    book
}

/// Do two books do something different at a table for this game?
fn differ(own: &RuleBook, other: &RuleBook, game: Game, games: u64) -> bool {
    let mut house = HouseRules::practice(own).unwrap();
    house.game = Some(game);
    let rules = own.admit(&house).unwrap();
    // A book that no longer admits the house has changed what happens.
    let Ok(changed) = other.admit(&house) else { return true };
    let with = |play: &dyn Fn(&TableRules) -> Done| play(&rules).ne(play(&changed));
    let crews = [Crew::People, Crew::Automatic];
    drawn(own, &rules) != drawn(other, &changed)
        || crews.into_iter().any(|crew| with(&|rules| every_bet(rules, crew)))
        || with(&|rules| long_hand(rules))
        || with(&|rules| come_bet_left(rules))
        || (0..games).any(|game| crews.into_iter().any(|crew| with(&|rules| random_game(rules, crew, game))))
}

/// Does another answer to a topic change what happens under some book? Topics that no book answers are tried under all books.
fn changes(books: &[RuleBook], topic: &Topic) -> bool {
    let answers = |book: &&RuleBook| book.rules.contains_key(&topic.name);
    let mut known: Vec<&RuleBook> = books.iter().filter(answers).collect();
    if known.is_empty() {
        known = books.iter().collect();
    }
    // A few games are enough for most topics, so they are played everywhere first.
    [1, GAMES].into_iter().any(|games| {
        known.iter().any(|book| {
            let answer = book.rules.get(&topic.name).and_then(|dated| dated.0.first()).map(|fact| &fact.is.answer);
            others(topic, answer).into_iter().any(|other| {
                let changed = answered(book, &topic.name, other);
                book.games.iter().any(|fact| differ(book, &changed, fact.is, games))
            })
        })
    })
}

/// The payout limit of a roll has two topics that only work together.
fn with_payout_limit(book: &RuleBook) -> RuleBook {
    let book = answered(book, "settle.payout_limit", Some(Answer::Count(500)));
    answered(&book, "settle.payout_limit_above", Some(Answer::Count(20)))
}

#[test]
fn every_topic_that_acts_changes_what_happens() {
    let library = Library::shipped();
    let limited: Vec<RuleBook> = library.books.iter().map(with_payout_limit).collect();
    let compared = |topic: &&Topic| !topic.same_as.is_empty() || !topic.plays.is_empty() || topic.always.is_some();
    let acts = |topic: &&Topic| topic.mark == Mark::Acts && !compared(topic);
    let is_idle = |topic: &&Topic| {
        let limit = topic.name.starts_with("settle.payout_limit");
        !changes(if limit { &limited } else { &library.books }, topic)
    };
    let idle: Vec<&str> =
        library.topics.values().filter(acts).filter(is_idle).map(|topic| topic.name.as_str()).collect();
    assert!(idle.is_empty(), "these topics claim to act, but another answer changes nothing: {idle:#?}");
}
