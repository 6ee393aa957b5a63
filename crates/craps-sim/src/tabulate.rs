//! The tabulated form: walks the engine and the strategy once through every position they can reach. After that a roll is a look-up.
//!
//! The bankroll isn't part of a position. A table is valid while the player's chips cover the strategy's bets, and it records how much that takes.

use crate::engine::{Counter, Rules, Seat, Strategy};
use craps_dice::Total;
use craps_table::{Bet, Hand, SlotId, Slots};
use craps_wagers::{Progress, WagerId};
use std::collections::HashMap;
use std::fmt;

/// What one of the 36 dice combinations does in a position: the next position, and the change of the net result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// Index of the next position.
    pub next: u32,
    /// Change of the net result in minor units.
    pub delta: i64,
}

/// Every position of a strategy at a table, with what each roll does there.
#[derive(Debug, Clone)]
pub struct Tabulation {
    /// 36 transitions for each position. The first position is the start.
    pub turns: Vec<[Transition; 36]>,
    /// True for the positions in which the strategy quits.
    pub quits: Vec<bool>,
    /// Most chips that the strategy's orders take at one time, commission included.
    pub need: i64,
    /// Largest amount on the felt before the strategy plays.
    pub felt: i64,
    /// Every change of the net result is a multiple of this.
    pub unit: i64,
    /// For each position: what the next roll does to each bet, and how much is resolved on it. Sums over the 36 dice combinations, in minor units.
    pub by_slot: Vec<Vec<(SlotId, i64, i64)>>,
}

/// Why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTabulated {
    /// The strategy reads its money.
    ReadsMoney,
    /// There are more positions than this cap.
    TooMany(usize),
}

impl fmt::Display for NotTabulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTabulated::ReadsMoney => f.write_str("the strategy reads its money, which isn't part of a position"),
            NotTabulated::TooMany(cap) => write!(f, "there are more than {cap} positions"),
        }
    }
}

impl std::error::Error for NotTabulated {}

/// A position between two rolls, before the strategy plays: everything that can affect what follows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Position<M> {
    bets: Vec<(SlotId, Bet)>,
    hand: Hand,
    stand_in: bool,
    trackers: Vec<(WagerId, Progress)>,
    counters: [u32; 5],
    last: Option<(Slots, Slots, Vec<i64>)>,
    memory: M,
}

/// Which parts of a position matter. Parts that are never read are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Detail {
    /// The shooter, and what betting windows read besides the phase.
    windows: bool,
    /// The wagers whose trackers betting windows read.
    trackers: Vec<WagerId>,
    /// What bets remember of rolls and points since they were made.
    changes: bool,
    caps: [u32; 5],
    last: bool,
    total: bool,
}

/// Walks every position and returns the table.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::tabulate::tabulate;
/// let table = tabulate(&seated.rules, &seated.program, 1_000)?;
/// assert_eq!(table.folded().states(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the strategy reads its money, or there are more positions than `cap`.
pub fn tabulate<S: Strategy>(rules: &Rules, strategy: &S, cap: usize) -> Result<Tabulation, NotTabulated> {
    let reads = strategy.reads();
    if reads.money {
        return Err(NotTabulated::ReadsMoney);
    }
    let mut caps = [0; 5];
    for (counter, cap) in &reads.counters {
        caps[*counter as usize] = *cap;
    }
    let by_shooter = caps[Counter::ShooterThrows as usize]
        + caps[Counter::ShooterPoints as usize]
        + caps[Counter::BetsThisShooter as usize];
    let detail = Detail {
        windows: by_shooter > 0,
        trackers: Vec::new(),
        changes: false,
        caps,
        last: reads.last_throw,
        total: reads.last_total,
    };
    let mut walk = Walk { seat: Seat::new(rules, RICH), strategy, detail };
    loop {
        match walk.all(cap)? {
            Some(table) => return Ok(table),
            None => walk.detail = walk.found(),
        }
    }
}

/// More than any strategy bets.
const RICH: i64 = 10_000_000_000_000;

/// Each pair of numbers once, with the index of the swapped dice: first the pairs whose dice differ, then the doubles.
const WAYS_ONCE: [(usize, usize); 21] = {
    let mut all = [(0, 0); 21];
    let (mut low, mut at) = (0, 0);
    while low < 6 {
        let mut high = low + 1;
        while high < 6 {
            all[at] = (low * 6 + high, high * 6 + low);
            (high, at) = (high + 1, at + 1);
        }
        all[15 + low] = (low * 7, low * 7);
        low += 1;
    }
    all
};

struct Walk<'e, S: Strategy> {
    seat: Seat<'e>,
    strategy: &'e S,
    detail: Detail,
}

impl<S: Strategy> Walk<'_, S> {
    /// Returns the detail with everything added that has turned out to be read.
    fn found(&self) -> Detail {
        Detail {
            windows: self.detail.windows || self.seat.asked_windows(),
            trackers: self.seat.asked_trackers(),
            changes: self.detail.changes || self.seat.changed_bets(),
            ..self.detail.clone()
        }
    }

    /// Returns the whole table. None if something turned out to be read that `detail` leaves out; then the walk has to start over.
    fn all(&mut self, cap: usize) -> Result<Option<Tabulation>, NotTabulated> {
        self.seat.begin(RICH);
        let first = self.position(&S::Memory::default());
        let mut places: HashMap<Position<S::Memory>, u32> = HashMap::from([(first.clone(), 0)]);
        let mut open = vec![first];
        let mut table =
            Tabulation { turns: Vec::new(), quits: Vec::new(), need: 0, felt: 0, unit: 0, by_slot: Vec::new() };
        while let Some(position) = open.get(table.turns.len()).cloned() {
            let mut memory = position.memory.clone();
            self.take_up(&position);
            self.seat.till.forget();
            let before = self.seat.net();
            let standing = self.seat.till.felt();
            self.strategy.play(&mut memory, &mut self.seat);
            let (charge, ordered) = (before - self.seat.net(), self.seat.till.felt() - standing);
            table.need = table.need.max(ordered + charge);
            table.felt = table.felt.max(standing);
            table.quits.push(self.seat.quits);
            let played = self.position(&memory);
            let after = (self.seat.till.rail, self.seat.till.worth);
            // Commission is paid once, whichever way the dice fall.
            self.seat.till.multiply(18);
            let mut turns = [Transition { next: 0, delta: 0 }; 36];
            for (way, turned) in WAYS_ONCE {
                // Dice that differ can fall in two ways. Once all of those have been rolled, their results count twice.
                if way == 0 {
                    self.seat.till.multiply(2);
                }
                self.take_up(&played);
                (self.seat.till.rail, self.seat.till.worth) = after;
                self.seat.throw(way);
                let next = self.position(&memory);
                let delta = self.seat.net() - before;
                let place = match places.get(&next) {
                    Some(place) => *place,
                    None => {
                        let place = u32::try_from(open.len()).unwrap_or(u32::MAX);
                        if open.len() >= cap {
                            return Err(NotTabulated::TooMany(cap));
                        }
                        places.insert(next.clone(), place);
                        open.push(next);
                        place
                    }
                };
                (turns[way], turns[turned]) = (Transition { next: place, delta }, Transition { next: place, delta });
                table.unit = gcd(table.unit, delta);
            }
            table.turns.push(turns);
            table.by_slot.push(self.seat.till.moved());
            if self.found() != self.detail {
                return Ok(None);
            }
        }
        table.unit = table.unit.max(1);
        Ok(Some(table))
    }

    /// Returns the position of the seat, with the parts that `detail` includes.
    fn position(&self, memory: &S::Memory) -> Position<S::Memory> {
        let seat = &self.seat;
        let bet = |(slot, bet): (SlotId, &Bet)| {
            let kept = if self.detail.changes { *bet } else { Bet { thrown: false, point_set: false, ..*bet } };
            (slot, kept)
        };
        // Betting windows only ask whether the previous roll was a seven.
        let previous = match seat.hand.previous {
            Some(total) if self.detail.total || total == Total::Seven => Some(total),
            total => total.map(|_| Total::Two),
        };
        let hand = match (self.detail.windows, self.detail.total) {
            (true, _) => Hand { previous, ..*seat.hand },
            (false, true) => Hand { phase: seat.hand.phase, previous, ..Hand::NEW },
            (false, false) => Hand { phase: seat.hand.phase, ..Hand::NEW },
        };
        let mut counters = seat.counters;
        for (counter, cap) in counters.iter_mut().zip(self.detail.caps) {
            *counter = (*counter).min(cap);
        }
        let last = self.detail.last.then(|| {
            let (won, lost) = seat.last_throw();
            (won, lost, won.iter().map(|slot| seat.last_win(slot)).collect())
        });
        Position {
            bets: seat.bets.standing().map(bet).collect(),
            hand,
            stand_in: self.detail.windows && seat.stand_in,
            trackers: seat.trackers.iter().filter(|(wager, _)| self.detail.trackers.contains(wager)).collect(),
            counters,
            last,
            memory: memory.clone(),
        }
    }

    /// Puts the seat into a position, with plenty of chips.
    fn take_up(&mut self, position: &Position<S::Memory>) {
        self.seat.begin(RICH);
        for (slot, bet) in &position.bets {
            self.seat.bets.put(*slot, *bet);
            self.seat.till.worth += bet.stake.minor();
        }
        (self.seat.hand, self.seat.stand_in) = (position.hand.into(), position.stand_in);
        for (wager, progress) in &position.trackers {
            self.seat.trackers.set(*wager, *progress);
        }
        self.seat.counters = position.counters;
        if let Some((won, lost, wins)) = &position.last {
            self.seat.set_last_throw(*won, *lost, wins);
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Tabulation {
    /// Returns the number of positions.
    #[must_use]
    pub fn states(&self) -> usize {
        self.turns.len()
    }

    /// Merges positions in which every roll has the same results and leads to the same positions.
    #[must_use]
    pub fn folded(&self) -> Tabulation {
        // Positions with different results by bet stay separate, because those results are reported.
        let mut marks = HashMap::new();
        let mut class: Vec<u32> = Vec::with_capacity(self.turns.len());
        for (quits, by_slot) in self.quits.iter().zip(&self.by_slot) {
            let place = u32::try_from(marks.len()).unwrap_or(u32::MAX);
            class.push(*marks.entry((*quits, by_slot.as_slice())).or_insert(place));
        }
        let mut count = 0;
        loop {
            let mut seen: HashMap<(u32, Vec<(u32, i64)>), u32> = HashMap::new();
            let next: Vec<u32> = self
                .turns
                .iter()
                .zip(&class)
                .map(|(turns, own)| {
                    let does = turns.iter().map(|turn| (class[turn.next as usize], turn.delta)).collect();
                    let place = u32::try_from(seen.len()).unwrap_or(u32::MAX);
                    *seen.entry((*own, does)).or_insert(place)
                })
                .collect();
            let found = seen.len();
            class = next;
            if found == count {
                break;
            }
            count = found;
        }
        let mut table = Tabulation {
            turns: Vec::new(),
            quits: Vec::new(),
            by_slot: Vec::new(),
            need: self.need,
            felt: self.felt,
            unit: self.unit,
        };
        for (at, own) in class.iter().enumerate() {
            // Classes are numbered in order of appearance, so each new one is the next.
            if *own as usize == table.turns.len() {
                table.turns.push(self.turns[at].map(|turn| Transition { next: class[turn.next as usize], ..turn }));
                table.quits.push(self.quits[at]);
                table.by_slot.push(self.by_slot[at].clone());
            }
        }
        table
    }
}
