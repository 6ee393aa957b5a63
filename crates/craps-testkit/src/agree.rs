//! Plays random games and compares the table with the [reference model](crate::model) after every command.

use crate::House;
use crate::generate::Generator;
use crate::model::{MadeAgain, Model, Outcome, Phase, Settlement, Settlements};
use crate::record::Record;
use craps_law::Game;
use craps_table::{After, Command, Event, Shooter, Table, Verdict};
use craps_wagers::Family;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Counts of what a comparison covered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of rolls that counted.
    pub throws: u64,
    /// Number of commands, including refused ones.
    pub commands: u64,
    /// Number of refused commands.
    pub refused: u64,
    /// Number of bets decided, credited or moved.
    pub settled: u64,
    /// Pairs of wager and outcome that occurred, such as `("come", "won")`.
    pub seen: BTreeSet<(&'static str, &'static str)>,
}

impl Tally {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: Tally) {
        self.throws += other.throws;
        self.commands += other.commands;
        self.refused += other.refused;
        self.settled += other.settled;
        self.seen.extend(other.seen);
    }
}

/// The first difference between the table and the reference model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// File name of the house.
    pub house: String,
    /// Seed of the game.
    pub seed: u64,
    /// Description of the difference.
    pub what: String,
    /// Text of the game up to the difference.
    pub game: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, seed {}: {}\n{}", self.house, self.seed, self.what, self.game)
    }
}

/// Plays `throws` rolls at a house from a seed. If nobody can roll anymore, a new game begins.
///
/// # Errors
/// Returns the first difference.
pub fn agree(house: &House, seed: u64, throws: u64) -> Result<Tally, Box<Difference>> {
    let mut tally = Tally::default();
    for game in 0.. {
        if tally.throws >= throws {
            break;
        }
        tally.add(one_game(house, seed.wrapping_add(game << 40), throws - tally.throws)?);
    }
    Ok(tally)
}

fn one_game(house: &House, seed: u64, throws: u64) -> Result<Tally, Box<Difference>> {
    let (mut table, mut generator, mut record) = (house.table(), Generator::new(seed), Record::new(house));
    let mut model = Model::new(table.rules(), table.board());
    let mut tally = Tally::default();
    while tally.throws < throws && !generator.is_stuck() {
        let (actor, command) = generator.next(&table);
        record.note(&table, &command);
        tally.commands += 1;
        let shooter = table.shooter();
        let checked = odds_terms(&table, &model, &command);
        // A table panics if its money doesn't add up. Report that as a difference, together with the game.
        let ran = catch_unwind(AssertUnwindSafe(|| table.run(actor, &command)));
        let compared = checked.and_then(|()| match ran {
            Ok(Ok(events)) => follow(&table, &mut model, &command, &events, shooter, &mut tally),
            Ok(Err(_)) => {
                tally.refused += 1;
                Ok(())
            }
            Err(_) => Err(format!("the table stopped at {command:?}")),
        });
        if let Err(what) = compared {
            return Err(Box::new(Difference { house: house.file.clone(), seed, what, game: record.trace() }));
        }
    }
    Ok(tally)
}

/// Checks that the table's maximum odds are what the model computes.
fn odds_terms(table: &Table, model: &Model, command: &Command) -> Result<(), String> {
    let Command::Bet { seat, slot, .. } = command else { return Ok(()) };
    if table.board().slot(*slot).wager.wager().family != Family::Odds {
        return Ok(());
    }
    let Ok(terms) = table.terms(*seat, *slot, None) else { return Ok(()) };
    let most = terms.max.map(craps_money::Money::minor);
    let ours = model.odds_most(*seat, slot.index());
    if most == ours { Ok(()) } else { Err(format!("{}: maximum {ours:?}, table {most:?}", model.name(slot.index()))) }
}

fn follow(
    table: &Table,
    model: &mut Model,
    command: &Command,
    events: &[Event],
    shooter: Option<Shooter>,
    tally: &mut Tally,
) -> Result<(), String> {
    model.note(command, events)?;
    if let Command::Throw { dice } = command {
        let before = model.phase();
        let (expected, again) = model.throw((dice.low().pips(), dice.high().pips()));
        let found = settlements(events);
        tally.throws += 1;
        tally.settled += u64::try_from(found.len()).unwrap_or(0);
        tally.seen.extend(found.iter().map(|((_, spot), settlement)| (model.wager(*spot), word(settlement.outcome))));
        compare(model, &expected, &found)?;
        if again != made_again(events) {
            return Err(format!("made again: model {again:?}, table {:?}", made_again(events)));
        }
        tally.seen.extend(again.keys().map(|(_, spot)| (model.wager(*spot), "made again")));
        passes(table, events, before, dice.total().value(), shooter)?;
    }
    if Phase::of(table.phase()) != model.phase() {
        return Err(format!("phase: model {:?}, table {:?}", model.phase(), table.phase()));
    }
    let rails: Vec<_> = model.rails().collect();
    let theirs: Vec<_> = table.seats().map(|(seat, placed)| (seat, placed.rail.minor())).collect();
    if rails != theirs {
        return Err(format!("chips: model {rails:?}, table {theirs:?}"));
    }
    for (seat, placed) in table.seats() {
        for (slot, _) in table.board().slots() {
            if let Some(what) = model.differs(seat, slot, placed.bets.get(slot)) {
                return Err(what);
            }
        }
    }
    Ok(())
}

/// Checks when the dice pass. The shooter loses the dice on a seven-out. With a shaker, a player loses it on any seven, and the dealer after one roll
/// (`docs/rules.md`, A roll). A stickperson who rolls for the bets that are left gives them up when none is.
fn passes(table: &Table, events: &[Event], before: Phase, total: u8, shooter: Option<Shooter>) -> Result<(), String> {
    let taken = events.iter().find_map(|event| match event {
        Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
        _ => None,
    });
    let by = taken.or(shooter);
    let lost = total == 7 && matches!(before, Phase::Point(_));
    let automated = table.rules().game == Game::Automated;
    // At a table without a shaker, the house rolls until no bet is left for it.
    let is_over = by == Some(Shooter::Dealer) && table.phase() == craps_wagers::Phase::ComeOut;
    let expected = if automated { total == 7 || by == Some(Shooter::Dealer) } else { lost || is_over };
    if table.shooter().is_none() == expected {
        Ok(())
    } else {
        Err(format!("the dice pass: model {expected}, table {}", table.shooter().is_none()))
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won { .. } => "won",
        Outcome::Lost => "lost",
        Outcome::Returned => "returned",
        Outcome::Credited(_) => "credited",
        Outcome::Moved(_) => "moved",
        Outcome::Unpayable => "unpayable",
    }
}

fn settlements(events: &[Event]) -> Settlements {
    let settled = events.iter().filter_map(|event| match event {
        Event::Settled { seat, slot, verdict, after, .. } => Some((seat, slot, verdict, after)),
        _ => None,
    });
    let translated = settled.map(|(seat, slot, verdict, after)| {
        let outcome = match verdict {
            Verdict::Won { paid, commission, .. } => {
                Outcome::Won { paid: paid.minor(), commission: commission.minor() }
            }
            Verdict::Lost => Outcome::Lost,
            Verdict::Returned => Outcome::Returned,
            Verdict::Credited { paid, .. } => Outcome::Credited(paid.minor()),
            Verdict::Moved { to } => Outcome::Moved(to.index()),
        };
        let stands = match after {
            After::Down => None,
            After::Stands(to, bet) => Some((to.index(), bet.stake.minor())),
        };
        ((*seat, slot.index()), Settlement { outcome, stands })
    });
    translated.collect()
}

/// Returns the bets that a roll itself made again.
fn made_again(events: &[Event]) -> MadeAgain {
    let placed = events.iter().filter_map(|event| match event {
        Event::BetPlaced { seat, slot, staked, commission, .. } => {
            Some(((*seat, slot.index()), (staked.minor(), commission.minor())))
        }
        _ => None,
    });
    placed.collect()
}

fn compare(model: &Model, expected: &Settlements, found: &Settlements) -> Result<(), String> {
    let keys: BTreeSet<_> = expected.keys().chain(found.keys()).collect();
    for key in keys {
        let (ours, theirs) = (expected.get(key), found.get(key));
        if ours != theirs {
            let (seat, spot) = key;
            return Err(format!("seat {seat} {}: model {ours:?}, table {theirs:?}", model.name(*spot)));
        }
    }
    Ok(())
}
