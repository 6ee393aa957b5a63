//! The exact form: the table of positions with chances instead of dice. The distribution of the net result is carried from throw to throw.

#![allow(clippy::float_arithmetic, reason = "chances; the money stays in whole units")]

use crate::engine::Plan;
use crate::tabulate::Tabulation;
use craps_table::SlotId;
use std::fmt;

/// What a strategy comes to, exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// The net results in minor units with their chances, lowest first.
    pub nets: Vec<(i64, f64)>,
    /// The chance to end by the stop, by the goal, and by quitting.
    pub stop: f64,
    /// By the goal.
    pub goal: f64,
    /// By quitting.
    pub quit: f64,
    /// The mean number of throws.
    pub throws_mean: f64,
    /// The chance that a session is over after so many throws: stopped, and at the goal.
    pub over: Vec<(u32, f64, f64)>,
    /// The distribution along the way, at some throws.
    pub along: Vec<(u32, Vec<(i64, f64)>)>,
    /// What each bet brings in a session, and how much is resolved on it, in minor units.
    pub by_slot: Vec<(SlotId, f64, f64)>,
}

/// A change of position that some of the 36 ways make, and the chance of it.
#[derive(Debug, Clone, Copy)]
struct Step {
    next: usize,
    delta: i64,
    cells: isize,
    chance: f64,
}

/// The mass of one position over the cells of the net result; only a span of them is in use.
#[derive(Debug, Clone, Default)]
struct Mass {
    cells: Vec<f64>,
    from: usize,
    to: usize,
}

impl Mass {
    fn clear(&mut self) {
        self.cells[self.from..self.to].fill(0.0);
        (self.from, self.to) = (self.cells.len(), 0);
    }

    fn add(&mut self, source: &Mass, shift: isize, chance: f64) {
        let (from, to) = (source.from.saturating_add_signed(shift), source.to.saturating_add_signed(shift));
        for (cell, mass) in self.cells[from..to].iter_mut().zip(&source.cells[source.from..source.to]) {
            *cell += chance * mass;
        }
        (self.from, self.to) = (self.from.min(from), self.to.max(to));
    }
}

/// How many times along the way the distribution is kept.
const LOOKS: u32 = 50;

/// Why there is no exact answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotExact {
    /// The rail may be too short for what the strategy orders: the table does not hold there.
    Short {
        /// What the player would have to bring.
        need: i64,
    },
    /// The distribution has more cells than are worth walking.
    TooWide,
}

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotExact::Short { need } => {
                let need = craps_money::Money::from_minor(*need);
                write!(f, "the rail could run short; a buy-in of {need} never does")
            }
            NotExact::TooWide => f.write_str("there are too many positions and results; a sample answers"),
        }
    }
}

impl std::error::Error for NotExact {}

/// The most cells, over all positions.
const MOST_CELLS: usize = 400_000_000;

/// Carries the distribution through all throws of the plan.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{Plan, exact::exact, tabulate::tabulate};
/// let table = tabulate(&seated.rules, &seated.program, 1_000)?.folded();
/// let answer = exact(&table, &Plan::default().with_throws(20))?;
/// assert!(answer.behind() > 0.0 && answer.behind() < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the rail might not cover what the strategy orders, or there is too much to carry.
pub fn exact(table: &Tabulation, plan: &Plan) -> Result<Exact, NotExact> {
    let unit = table.unit;
    let deltas = || table.turns.iter().flatten().map(|turn| turn.delta / unit);
    let (down, up) = (deltas().min().unwrap_or(0).min(0), deltas().max().unwrap_or(0).max(0));
    let throws = i64::from(plan.throws);
    // A session ends at the first result past the stop or the goal, so that none is further away than one throw.
    let lowest = plan.stop.map_or(down * throws, |stop| (stop.div_euclid(unit) + down).max(down * throws));
    let highest = plan.goal.map_or(up * throws, |goal| (goal.div_euclid(unit) + 1 + up).min(up * throws));
    // Before the strategy plays the rail holds the buy-in and the net result, less what is on the felt.
    let lowest_alive = plan.stop.map_or(lowest, |stop| lowest.max(stop.div_euclid(unit)));
    let need = table.need + table.felt - lowest_alive * unit;
    if plan.buy_in < need {
        return Err(NotExact::Short { need });
    }
    let width = usize::try_from(highest - lowest + 1).map_err(|_| NotExact::TooWide)?;
    if width.saturating_mul(table.states()) > MOST_CELLS {
        return Err(NotExact::TooWide);
    }
    let origin = usize::try_from(-lowest).map_err(|_| NotExact::TooWide)?;
    let cell = |net: i64| usize::try_from(net.div_euclid(unit) - lowest).unwrap_or(0);
    // Cells at or below the first and at or above the second are over.
    let stop = plan.stop.map(|stop| cell(stop.max(lowest * unit)) + 1);
    let goal = plan.goal.map(|goal| {
        usize::try_from(goal.div_euclid(unit) + i64::from(goal.rem_euclid(unit) != 0) - lowest).unwrap_or(0)
    });
    let steps = steps(table);
    let blank = || Mass { cells: vec![0.0; width], from: width, to: 0 };
    let mut now: Vec<Mass> = (0..table.states()).map(|_| blank()).collect();
    let mut next = now.clone();
    let mut ended = blank();
    now[0].cells[origin] = 1.0;
    (now[0].from, now[0].to) = (origin, origin + 1);
    let mut answer = Exact {
        nets: Vec::new(),
        stop: 0.0,
        goal: 0.0,
        quit: 0.0,
        throws_mean: 0.0,
        over: Vec::new(),
        along: Vec::new(),
        by_slot: Vec::new(),
    };
    let mut visits = vec![0.0; table.states()];
    let look = (plan.throws / LOOKS).max(1);
    for throw in 1..=plan.throws {
        let mut alive = 0.0;
        for (position, mass) in now.iter_mut().enumerate() {
            if mass.from >= mass.to {
                continue;
            }
            let sum: f64 = mass.cells[mass.from..mass.to].iter().sum();
            if table.quits[position] {
                answer.quit += sum;
                ended.add(mass, 0, 1.0);
                mass.clear();
                continue;
            }
            alive += sum;
            visits[position] += sum;
            for step in &steps[position] {
                next[step.next].add(mass, step.cells, step.chance);
            }
            mass.clear();
        }
        answer.throws_mean += alive;
        std::mem::swap(&mut now, &mut next);
        for mass in now.iter_mut().filter(|mass| mass.from < mass.to) {
            if let Some(stop) = stop.filter(|stop| mass.from < *stop) {
                answer.stop += take(mass, mass.from, stop.min(mass.to), &mut ended);
                mass.from = mass.from.max(stop);
            }
            if let Some(goal) = goal.filter(|goal| mass.to > *goal) {
                answer.goal += take(mass, goal.max(mass.from), mass.to, &mut ended);
                mass.to = mass.to.min(goal);
            }
        }
        if throw % look == 0 || throw == plan.throws {
            answer.over.push((throw, answer.stop, answer.goal));
            answer.along.push((throw, distribution(&now, &ended, lowest, unit)));
        }
    }
    answer.nets = distribution(&now, &ended, lowest, unit);
    answer.by_slot = by_slot(table, &visits);
    Ok(answer)
}

/// Ends the sessions in a span of cells.
fn take(mass: &mut Mass, from: usize, to: usize, ended: &mut Mass) -> f64 {
    let mut sum = 0.0;
    for at in from..to {
        let gone = std::mem::take(&mut mass.cells[at]);
        ended.cells[at] += gone;
        sum += gone;
    }
    if from < to {
        (ended.from, ended.to) = (ended.from.min(from), ended.to.max(to));
    }
    sum
}

fn distribution(now: &[Mass], ended: &Mass, lowest: i64, unit: i64) -> Vec<(i64, f64)> {
    let all = || now.iter().chain([ended]).filter(|mass| mass.from < mass.to);
    let from = all().map(|mass| mass.from).min().unwrap_or(0);
    let to = all().map(|mass| mass.to).max().unwrap_or(0);
    let mut sums = vec![0.0; to.saturating_sub(from)];
    for mass in all() {
        for (sum, cell) in sums[mass.from - from..mass.to - from].iter_mut().zip(&mass.cells[mass.from..mass.to]) {
            *sum += cell;
        }
    }
    let nets = (i64::try_from(from).unwrap_or(0)..).map(|at| (lowest + at) * unit);
    nets.zip(sums).filter(|(_, chance)| *chance > 0.0).collect()
}

/// What so many throws come to in the mean: of a table alone, without the distribution, so that no width is too much.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// The mean net result in minor units.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The mean number of throws: fewer than asked for where the strategy quits.
    pub throws_mean: f64,
    /// What each bet brings in a session, and how much is resolved on it, in minor units.
    pub by_slot: Vec<(SlotId, f64, f64)>,
}

/// Carries the chance of each position with the first two moments of the net result there, through so many throws. There is no stop and no
/// goal, and the rail is never short.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{exact::moments, tabulate::tabulate};
/// let table = tabulate(&seated.rules, &seated.program, 1_000)?;
/// assert!(moments(&table, 100).mean < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn moments(table: &Tabulation, throws: u32) -> Moments {
    let steps = steps(table);
    let mut now = vec![[0.0f64; 3]; table.states()];
    let mut next = now.clone();
    let mut ended = [0.0f64; 3];
    let mut visits = vec![0.0; table.states()];
    now[0][0] = 1.0;
    for _ in 0..throws {
        for (position, moments) in now.iter_mut().enumerate().filter(|(_, moments)| moments[0] > 0.0) {
            let [chance, sum, square] = std::mem::take(moments);
            if table.quits[position] {
                ended.iter_mut().zip([chance, sum, square]).for_each(|(all, more)| *all += more);
                continue;
            }
            visits[position] += chance;
            for step in &steps[position] {
                let (to, delta) = (&mut next[step.next], approx(step.delta));
                to[0] += step.chance * chance;
                to[1] += step.chance * (sum + delta * chance);
                to[2] += step.chance * (square + delta * (2.0 * sum + delta * chance));
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    let total = |at: usize| ended[at] + now.iter().map(|moments| moments[at]).sum::<f64>();
    let mean = total(1);
    Moments {
        mean,
        sd: (total(2) - mean * mean).max(0.0).sqrt(),
        throws_mean: visits.iter().sum(),
        by_slot: by_slot(table, &visits),
    }
}

/// What one throw brings in the long run, when it no longer matters how a session began, and how much is resolved on it, in minor units;
/// none where the strategy may quit, for then there is no long run, and none where it does not settle.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{exact::long_run, tabulate::tabulate};
/// let table = tabulate(&seated.rules, &seated.program, 1_000)?;
/// let (net, resolved) = long_run(&table).unwrap();
/// // The edge of the line, 7/495 of what is resolved.
/// assert!((net / resolved + 7.0 / 495.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn long_run(table: &Tabulation) -> Option<(f64, f64)> {
    /// How often it is looked whether anything still changes, and how long it is waited for.
    const LOOK: u32 = 100;
    const LONGEST: u32 = 200_000;
    /// A change that nobody sees.
    const SETTLED: f64 = 1e-9;
    if table.quits.contains(&true) {
        return None;
    }
    let steps = steps(table);
    let mean = |steps: &Vec<Step>| steps.iter().map(|step| approx(step.delta) * step.chance).sum::<f64>();
    let means: Vec<f64> = steps.iter().map(mean).collect();
    let resolved = |moved: &Vec<(SlotId, i64, i64)>| approx(moved.iter().map(|(_, _, of)| of).sum()) / 36.0;
    let resolved: Vec<f64> = table.by_slot.iter().map(resolved).collect();
    let weighted = |chances: &[f64], of: &[f64]| chances.iter().zip(of).map(|(chance, of)| chance * of).sum::<f64>();
    let mut now = vec![0.0; table.states()];
    let mut next = now.clone();
    now[0] = 1.0;
    let mut before = f64::INFINITY;
    for throw in 1..=LONGEST {
        for (chance, steps) in now.iter_mut().zip(&steps).filter(|(chance, _)| **chance > 0.0) {
            let chance = std::mem::take(chance);
            steps.iter().for_each(|step| next[step.next] += step.chance * chance);
        }
        std::mem::swap(&mut now, &mut next);
        if throw % LOOK == 0 {
            let rate = weighted(&now, &means);
            if (rate - before).abs() < SETTLED {
                return Some((rate, weighted(&now, &resolved)));
            }
            before = rate;
        }
    }
    None
}

/// Ways that lead to the same position with the same change are one step.
fn steps(table: &Tabulation) -> Vec<Vec<Step>> {
    let position = |turns: &[crate::tabulate::Transition; 36]| {
        let mut steps: Vec<(u32, i64, u32)> = Vec::new();
        for turn in turns {
            match steps.iter_mut().find(|(next, delta, _)| (*next, *delta) == (turn.next, turn.delta)) {
                Some((_, _, ways)) => *ways += 1,
                None => steps.push((turn.next, turn.delta, 1)),
            }
        }
        let step = |(next, delta, ways): (u32, i64, u32)| Step {
            next: next as usize,
            delta,
            cells: isize::try_from(delta / table.unit).unwrap_or(0),
            chance: f64::from(ways) / 36.0,
        };
        steps.into_iter().map(step).collect()
    };
    table.turns.iter().map(position).collect()
}

fn by_slot(table: &Tabulation, visits: &[f64]) -> Vec<(SlotId, f64, f64)> {
    let mut sums: Vec<(SlotId, f64, f64)> = Vec::new();
    for (moved, visits) in table.by_slot.iter().zip(visits) {
        for (slot, net, resolved) in moved {
            let (net, resolved) = (approx(*net) * visits / 36.0, approx(*resolved) * visits / 36.0);
            match sums.iter_mut().find(|(known, ..)| known == slot) {
                Some((_, nets, all)) => {
                    *nets += net;
                    *all += resolved;
                }
                None => sums.push((*slot, net, resolved)),
            }
        }
    }
    sums.sort_by_key(|(slot, ..)| *slot);
    sums
}

/// A whole amount as a float: amounts at a table are far below what a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
pub(crate) fn approx(amount: i64) -> f64 {
    amount as f64
}

impl Exact {
    /// The mean net result in minor units.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.nets.iter().map(|(net, chance)| approx(*net) * chance).sum()
    }

    /// Its standard deviation.
    #[must_use]
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        self.nets.iter().map(|(net, chance)| (approx(*net) - mean).powi(2) * chance).sum::<f64>().sqrt()
    }

    /// The chance to be behind at the end.
    #[must_use]
    pub fn behind(&self) -> f64 {
        self.nets.iter().filter(|(net, _)| *net < 0).map(|(_, chance)| chance).sum()
    }
}
