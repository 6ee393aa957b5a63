//! Bets race against the lock of the dice. A bet whose row comes before the row that closes the bets is settled by that roll; any other is refused
//! or waits for the next roll. Between the two rows nothing is bet.
//!
//! `BOXPERSON_RACES` sets the number of races: of bets that are on their way at the same time as a roll of their table.

use crate::house::{LIBRARY, Place, ask, opening, wish};
use craps_server::audit::Auditor;
use craps_server::live::pit::{NotDone, Pit, now};
use craps_server::live::{BetName, By, Deed, DiceFrom};
use craps_store::{Row, Store};
use craps_table::{Crew, Event, SeatId, Shooter};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const SEATS: SeatId = 4;
/// Chips that a player gets at the start and every so many rounds, in cents.
const CHIPS: i64 = 1_000_000;
const REFILL: u64 = 400;

/// A small generator of random numbers, so that a run can be repeated as far as the scheduler allows.
#[derive(Clone)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// Waits a moment of random length, often none.
    async fn waits(&mut self) {
        match self.below(8) {
            0 => tokio::time::sleep(Duration::from_micros(self.below(3_000))).await,
            1..=3 => {}
            _ => {
                for _ in 0..self.below(40) {
                    tokio::task::yield_now().await;
                }
            }
        }
    }
}

/// What the players of a table heard.
#[derive(Default)]
struct Heard {
    races: u64,
    /// Rows of the field bets that were acknowledged, with their seats.
    bets: BTreeMap<u64, SeatId>,
    /// Rows that closed the bets, and rows of the rolls, as the shooters were told.
    rolls: BTreeMap<u64, u64>,
    /// Bets that came before the lock of their round, and after it.
    before: u64,
    after: u64,
    refused: BTreeMap<&'static str, u64>,
    wrong: Vec<String>,
}

fn who(seat: SeatId) -> String {
    format!("player {seat}")
}

async fn bet(pit: Pit, table: String, seat: SeatId, mut chance: Chance) -> (SeatId, Result<u64, NotDone>) {
    chance.waits().await;
    let done = pit.ask(&table, ask(&who(seat), seat, wish::talk("field 5"))).await;
    (seat, done.map(|done| done.rows[0].row.seq))
}

/// Plays so many rounds at a table of its own.
async fn play(pit: Pit, table: String, rounds: u64, seed: u64) -> (String, Heard) {
    pit.open(&table, opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    let (mut chance, mut heard) = (Chance(seed), Heard::default());
    for seat in 1..=SEATS {
        pit.ask(&table, ask(&who(seat), seat, wish::join(&who(seat), CHIPS))).await.unwrap();
    }
    let mut round = 0;
    while round < rounds {
        if round % REFILL == REFILL - 1 {
            for seat in 1..=SEATS {
                pit.ask(&table, ask(&who(seat), seat, wish::buy_in(CHIPS))).await.unwrap();
            }
        }
        let shooter = pit.look(&table, |live| live.table().implied_shooter()).await.unwrap();
        // Without a line bet nobody shoots.
        let shooter = if let Some(Shooter::Seat(seat)) = shooter { seat } else { 1 };
        let mut bets = JoinSet::new();
        for seat in 1..=SEATS {
            bets.spawn(bet(pit.clone(), table.clone(), seat, Chance(chance.below(u64::MAX))));
        }
        chance.waits().await;
        let roll = pit.ask(&table, ask(&who(shooter), shooter, wish::plain("roll"))).await;
        let rolled = match roll {
            Ok(done) => {
                let row = |is: fn(&Deed<BetName>) -> bool| {
                    done.rows.iter().find(|told| is(&told.entry.did)).map(|told| told.row.seq)
                };
                let closed = row(|did| matches!(did, Deed::Closed { .. }));
                let thrown = row(|did| matches!(did, Deed::Thrown { .. }));
                heard.rolls.extend(closed.zip(thrown));
                closed
            }
            // A new shooter needs a line bet first. That isn't a race.
            Err(NotDone::Refused(_)) => {
                let _ = pit.ask(&table, ask(&who(shooter), shooter, wish::talk("pass 5"))).await;
                None
            }
            Err(error) => panic!("{table}: {error}"),
        };
        while let Some(done) = bets.join_next().await {
            heard.races += u64::from(rolled.is_some());
            match done.unwrap() {
                (seat, Ok(row)) => {
                    heard.before += u64::from(rolled.is_some_and(|closed| row < closed));
                    heard.after += u64::from(rolled.is_some_and(|closed| row > closed));
                    heard.bets.insert(row, seat);
                }
                (_, Err(NotDone::Refused(refused))) => *heard.refused.entry(refused.code()).or_default() += 1,
                (_, Err(error)) => panic!("{table}: {error}"),
            }
        }
        round += u64::from(rolled.is_some());
    }
    (table, heard)
}

/// What is open at a table, read from its log.
#[derive(Default)]
struct Open {
    /// Stakes on the field since the last roll, by seat.
    field: HashMap<SeatId, i64>,
    /// The row that closed the bets.
    closed: Option<u64>,
    bets: u64,
}

fn is_field(slot: &BetName) -> bool {
    matches!(slot, BetName::Code(code) if code == "F")
}

impl Heard {
    /// Compares a row of the log with what the players heard.
    fn row(&mut self, open: &mut Open, row: &Row) {
        let seq = row.seq;
        let Some(told) = craps_server::live::pit::told(row.clone()) else {
            return self.wrong.push(format!("row {seq} is unreadable"));
        };
        match &told.entry.did {
            Deed::Closed { .. } => open.closed = Some(seq),
            Deed::Thrown { events, .. } => {
                let Some(closed) = open.closed.take() else {
                    return self.wrong.push(format!("row {seq}: a roll without a lock"));
                };
                if self.rolls.get(&closed) != Some(&seq) {
                    self.wrong.push(format!("row {seq}: nobody was told of this roll"));
                }
                let mut settled = HashMap::new();
                for event in events {
                    if let Event::Settled { seat, slot, bet, .. } = event
                        && is_field(slot)
                    {
                        settled.insert(*seat, bet.stake.minor());
                    }
                }
                if settled != open.field {
                    self.wrong.push(format!("row {seq}: {:?} was bet and {settled:?} was settled", open.field));
                }
                open.field.clear();
            }
            did => {
                for event in did.events() {
                    let Event::BetPlaced { seat, slot, staked, .. } = event else { continue };
                    if open.closed.is_some() {
                        self.wrong.push(format!("row {seq}: seat {seat} bet after the lock"));
                    }
                    if is_field(slot) {
                        *open.field.entry(*seat).or_default() += staked.minor();
                        open.bets += 1;
                        if self.bets.remove(&seq) != Some(*seat) {
                            self.wrong.push(format!("row {seq}: seat {seat} wasn't told that it bet"));
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_bet_slips_in_after_the_lock() {
    let races: u64 =
        std::env::var("BOXPERSON_RACES").map_or(600, |text| text.parse().expect("BOXPERSON_RACES: a number"));
    let tables = (races / 200).clamp(2, 40);
    let rounds = races.div_ceil(tables * u64::from(SEATS));
    let (place, start) = (Place::new(), Instant::now());
    let pit = place.pit().await;
    let mut plays = JoinSet::new();
    for table in 0..tables {
        plays.spawn(play(pit.clone(), format!("table-{table:02}"), rounds, table + 1));
    }
    let mut heard: BTreeMap<String, Heard> = plays.join_all().await.into_iter().collect();
    pit.close().await;
    let took = start.elapsed();

    let store = Store::open(&place.db).await.unwrap();
    let mut open: HashMap<String, Open> = HashMap::new();
    let mut auditor = Auditor::new(&LIBRARY);
    let verified = store.verify_with(&[], None, |row| {
        auditor.row(row);
        if let Some(heard) = heard.get_mut(&row.table) {
            let open = open.entry(row.table.clone()).or_default();
            heard.row(open, row);
        }
    });
    let verified = verified.await.unwrap();
    let mut wrong: Vec<String> = verified.findings.iter().map(ToString::to_string).collect();
    wrong.extend(auditor.finish().findings.iter().map(ToString::to_string));
    let mut refused: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut raced, mut rolls, mut lost, mut before, mut after) = (0, 0, 0, 0, 0);
    for (table, heard) in heard {
        (raced, rolls, lost) = (raced + heard.races, rolls + heard.rolls.len(), lost + heard.bets.len());
        (before, after) = (before + heard.before, after + heard.after);
        wrong
            .extend(heard.bets.keys().map(|row| format!("{table}, row {row}: a bet was acknowledged and isn't there")));
        wrong.extend(heard.wrong.into_iter().map(|wrong| format!("{table}, {wrong}")));
        heard.refused.into_iter().for_each(|(code, count)| *refused.entry(code).or_default() += count);
    }
    let bets: u64 = open.values().map(|open| open.bets).sum();
    println!(
        "races: {raced} bets against {rolls} locks at {tables} tables in {:.0} s: {bets} bets stored, {before} before the lock of their round and {after} after its roll, \
         refused {refused:?}, {lost} lost, {} rows; wrong: {}",
        took.as_secs_f64(),
        verified.rows,
        wrong.len()
    );
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(20)]);
    assert!(raced >= races && before > 0 && after > 0, "{raced} {before} {after}");
}
