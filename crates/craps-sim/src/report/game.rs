//! One session as a game in the notation, played again at a real table. The table repeats what the engine did with its own code, and any
//! disagreement is an error.

use crate::dice::{Stream, WAYS};
use crate::engine::{PLAYER, Plan, Rules, STAND_IN, Seat, Strategy};
use craps_law::Library;
use craps_money::{Money, Stake};
use craps_notation::{NoHouseFile, Session, Unplayable};
use craps_table::{Command, Manner, Refusal, Shooter, SlotId};
use craps_wagers::{Phase, Side};
use std::fmt;

/// Buy-in of the stand-in: more than it ever needs. Its money doesn't count.
const ENOUGH: i64 = 100_000_000;

/// Why a session couldn't be written down.
#[derive(Debug)]
pub enum NotWritten {
    /// The table can't be opened.
    Unplayable(Unplayable),
    /// The table refuses what the engine did before this roll, so one of the two is wrong.
    Refused(u32, Refusal),
    /// After this roll the engine and the table have different results, in this order.
    Differs(u32, i64, i64),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritten::Unplayable(why) => write!(f, "the table can't be opened: {why:?}"),
            NotWritten::Refused(throw, refusal) => write!(f, "before roll {throw} the table refuses: {refusal}"),
            NotWritten::Differs(throw, engine, table) => {
                let money = |minor: &i64| Money::from_minor(*minor);
                write!(f, "after roll {throw} the engine has {}, the table {}", money(engine), money(table))
            }
        }
    }
}

impl std::error::Error for NotWritten {}

/// Which session to write down.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Tags of the game, such as rules and house, without its seats.
    pub tags: &'a [(&'a str, &'a str)],
    /// Seed of the dice.
    pub seed: u64,
    /// Number of the session.
    pub number: u64,
    /// Buy-in and limits of the session.
    pub plan: &'a Plan,
}

/// Plays a session and returns it in the notation.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::report::{Told, game};
/// let rules = seated.rules_tag();
/// let house = seated.house.tag();
/// let tags = [("Rules", rules.as_str()), ("House", house.as_str())];
/// let text = game(&library, &seated.rules, &seated.program, &Told { tags: &tags, seed: 7, number: 0, plan: &seated.plan })?;
/// assert!(text.contains("\n1. "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the table can't be opened, or disagrees with the engine.
pub fn game<S: Strategy>(
    library: &Library,
    rules: &Rules,
    strategy: &S,
    told: &Told<'_>,
) -> Result<String, NotWritten> {
    let plan = told.plan;
    let seats = format!("{PLAYER} Player {}", Money::from_minor(plan.buy_in));
    let tags: Vec<(&str, &str)> = told.tags.iter().copied().chain([("Seats", seats.as_str())]).collect();
    let no_files = |name: &str| Err(NoHouseFile(format!("a session must name its house in full, not as file:{name}")));
    let mut session = Session::open(library, &tags, &no_files).map_err(NotWritten::Unplayable)?;
    let mut stream = Stream::new(told.seed, told.number);
    let mut seat = Seat::new(rules, plan.buy_in);
    seat.written = Some(Vec::new());
    let mut memory = S::Memory::default();
    for throw in 1..=plan.throws {
        strategy.play(&mut memory, &mut seat);
        let ordered = seat.written.as_mut().map(std::mem::take).unwrap_or_default();
        if seat.quits || (seat.short && seat.bets.is_empty()) {
            break;
        }
        let way = stream.way();
        seat.throw(way);
        let thrower = seat.hand.shooter.or(seat.hand.last_shooter);
        let refused = |refusal| NotWritten::Refused(throw, refusal);
        for command in &ordered {
            session.command(command).map_err(refused)?;
        }
        hand_over(&mut session, thrower == Some(Shooter::Seat(STAND_IN))).map_err(refused)?;
        session.throw(WAYS[way]).map_err(refused)?;
        let (engine, table) = (seat.net() + plan.buy_in, worth(&session));
        if engine != table {
            return Err(NotWritten::Differs(throw, engine, table));
        }
        let net = seat.net();
        if plan.stop.is_some_and(|stop| net <= stop) || plan.goal.is_some_and(|goal| net >= goal) {
            break;
        }
    }
    Ok(session.text())
}

/// Returns the player's chips in the rail and on the felt.
fn worth(session: &Session) -> i64 {
    let player = session.table().seats().find(|(id, _)| *id == PLAYER);
    player.map_or(0, |(_, seat)| {
        let stakes = seat.bets.slots().iter().filter_map(|slot| seat.bets.get(slot)).map(|bet| bet.stake.minor());
        let felt: i64 = stakes.sum();
        seat.rail.minor() + felt
    })
}

/// Makes sure that the right player rolls. The stand-in sits down when it is first needed, and bets the minimum on the line.
fn hand_over(session: &mut Session, stand_in: bool) -> Result<(), Refusal> {
    let taker = if stand_in { STAND_IN } else { PLAYER };
    if stand_in {
        if !session.table().seats().any(|(id, _)| id == STAND_IN) {
            let (name, money) = ("Stand-in".to_owned(), Money::from_minor(ENOUGH));
            session.command(&Command::Join { seat: STAND_IN, name, money })?;
        }
        if session.table().phase() == Phase::ComeOut
            && let Some((slot, amount)) = line(session)
        {
            session.command(&Command::Bet { seat: STAND_IN, slot, amount, manner: Manner::default() })?;
        }
    }
    if session.table().shooter() == Some(Shooter::Seat(taker)) {
        return Ok(());
    }
    let take = |seat| Command::TakeDice { seat, decisions_only: false };
    match session.command(&take(Some(taker))) {
        // At tables where the shaker is given up after every seven, the dealer rolls between two hands of the stand-in.
        Err(refusal) if stand_in => session.command(&take(None)).map_err(|_| refusal),
        done => done,
    }
}

/// Returns the line bet that the stand-in still has to make.
fn line(session: &Session) -> Option<(SlotId, Stake)> {
    let table = session.table();
    let with_the_shooter = |slot: &SlotId| table.board().slot(*slot).wager.wager().side() == Some(Side::Right);
    let slot = table.board().line().iter().find(with_the_shooter)?;
    let (_, seat) = table.seats().find(|(id, _)| *id == STAND_IN)?;
    if seat.bets.get(slot).is_some() {
        return None;
    }
    let least = table.terms(STAND_IN, slot, None).ok()?.min;
    Some((slot, Stake::new(least.max(Money::from_minor(100)))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::shipped::Shipped;
    use craps_law::HouseRules;

    /// Writes down sessions of every shipped strategy: the table refuses nothing the engine did, and gets the same results.
    #[test]
    fn the_table_does_what_the_engine_did() {
        let library = Library::shipped();
        for shipped in Shipped::all() {
            let script = shipped.script().unwrap();
            let book = library.book(script.book.as_deref().unwrap_or("nj-automated")).unwrap();
            let mut house = HouseRules::plain(&book.id, book.sample_day);
            let offer = script.house.as_deref().and_then(|house| house.strip_prefix("offer="));
            let offer = offer.filter(|offer| *offer != "power_odds").map(str::to_owned);
            let (rules_tag, mut house_tag) = (craps_notation::RulesTag::of(&house).to_string(), String::new());
            if let Some(offer) = offer {
                house.set("offer", &offer).unwrap();
                house_tag = format!("offer={offer}");
            }
            // Not every book offers everything.
            let Ok(admitted) = book.admit(&house) else { continue };
            let rules = Rules::new(admitted).unwrap();
            let Ok(program) = script.at(rules.board(), rules.table()) else { continue };
            let plan = Plan { buy_in: program.buy_in(), throws: 60, stop: program.stop(), goal: program.goal() };
            let tags = [("Rules", rules_tag.as_str()), ("House", house_tag.as_str())];
            for number in 0..3 {
                let told = Told { tags: &tags, seed: 3, number, plan: &plan };
                let text = game(&library, &rules, &program, &told)
                    .unwrap_or_else(|error| panic!("{} {number}: {error}", shipped.name));
                let outcome = Engine::new(&rules, &program).session(3, number, &plan);
                assert!(text.contains(&format!("\n{}. ", outcome.throws)), "{}: {text}", shipped.name);
            }
        }
    }
}
