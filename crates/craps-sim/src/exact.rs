//! The exact form: the table of positions with probabilities instead of dice. It carries the distribution of the net result from roll to roll.

#![allow(clippy::float_arithmetic, reason = "probabilities; money stays in whole units")]

use crate::engine::Plan;
use crate::tabulate::Tabulation;
use craps_table::SlotId;
use std::fmt;

/// The exact results of a strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// Net results in minor units with their probabilities, lowest first.
    pub nets: Vec<(i64, f64)>,
    /// Probability of ending at the stop.
    pub stop: f64,
    /// Probability of ending at the goal.
    pub goal: f64,
    /// Probability that the strategy quits.
    pub quit: f64,
    /// Mean number of rolls.
    pub throws_mean: f64,
    /// Number of rolls, and the probability that a session has ended by then at the stop and at the goal.
    pub over: Vec<(u32, f64, f64)>,
    /// Number of rolls, and the distribution of the net result after them.
    pub along: Vec<(u32, Vec<(i64, f64)>)>,
    /// Net result of each bet per session, and the amount resolved on it, in minor units.
    pub by_slot: Vec<(SlotId, f64, f64)>,
}

/// A move to another position that some of the 36 dice combinations make, and its probability.
#[derive(Debug, Clone, Copy)]
struct Step {
    next: usize,
    delta: i64,
    cells: isize,
    chance: f64,
}

/// Probabilities of the net results in one position. Only the cells from `from` to `to` are in use.
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
    /// The player might not have the chips for the strategy's bets. The table isn't valid then.
    Short {
        /// Buy-in that is always enough, in minor units.
        need: i64,
    },
    /// The distribution has too many cells to compute.
    TooWide,
}

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotExact::Short { need } => {
                let need = craps_money::Money::from_minor(*need);
                write!(f, "the player could run short of chips; a buy-in of ${need} is always enough")
            }
            NotExact::TooWide => f.write_str("there are too many positions and results; sample sessions instead"),
        }
    }
}

impl std::error::Error for NotExact {}

/// Maximum number of cells over all positions.
const MOST_CELLS: usize = 400_000_000;

/// Carries the distribution through all rolls of the plan.
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
/// When the player might not have the chips for the strategy's bets, or there are too many cells.
pub fn exact(table: &Tabulation, plan: &Plan) -> Result<Exact, NotExact> {
    let unit = table.unit;
    let deltas = || table.turns.iter().flatten().map(|turn| turn.delta / unit);
    let (down, up) = (deltas().min().unwrap_or(0).min(0), deltas().max().unwrap_or(0).max(0));
    let throws = i64::from(plan.throws);
    // A session ends at the first result past the stop or the goal, so no result is further past it than one roll.
    let lowest = plan.stop.map_or(down * throws, |stop| (stop.div_euclid(unit) + down).max(down * throws));
    let highest = plan.goal.map_or(up * throws, |goal| (goal.div_euclid(unit) + 1 + up).min(up * throws));
    // Before the strategy plays, the player's chips are the buy-in plus the net result, minus the bets on the felt.
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
    // Sessions end in cells below `stop`, and in cells at `goal` or above.
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

/// Ends the sessions in a range of cells and returns their probability.
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

/// The means over a number of rolls. They are computed from the table alone, without the distribution, so there is no limit on its width.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// Mean net result in minor units.
    pub mean: f64,
    /// Standard deviation of the net result, in minor units.
    pub sd: f64,
    /// Mean number of rolls. Lower than requested if the strategy quits.
    pub throws_mean: f64,
    /// Net result of each bet per session, and the amount resolved on it, in minor units.
    pub by_slot: Vec<(SlotId, f64, f64)>,
}

/// Carries the probability of each position and the first two moments of the net result there through this many rolls. There is no stop and no
/// goal, and the player never runs short of chips.
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

/// Returns the net result per roll in the long run, when the start of a session no longer matters, and the amount resolved per roll, in minor
/// units. None if the strategy can quit, because there is no long run then, or if the result doesn't converge.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{exact::long_run, tabulate::tabulate};
/// let table = tabulate(&seated.rules, &seated.program, 1_000)?;
/// let (net, resolved) = long_run(&table).unwrap();
/// // The house edge of the line is 7/495 of the money resolved.
/// assert!((net / resolved + 7.0 / 495.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn long_run(table: &Tabulation) -> Option<(f64, f64)> {
    /// How many rolls pass between checks for convergence, and when to give up.
    const LOOK: u32 = 100;
    const LONGEST: u32 = 200_000;
    /// A change too small to matter.
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

/// Merges dice combinations that lead to the same position with the same change into one step.
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

/// Converts an amount to a float. It is exact, because amounts at a table are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
pub(crate) fn approx(amount: i64) -> f64 {
    amount as f64
}

impl Exact {
    /// Returns the mean net result in minor units.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.nets.iter().map(|(net, chance)| approx(*net) * chance).sum()
    }

    /// Returns the standard deviation of the net result, in minor units.
    #[must_use]
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        self.nets.iter().map(|(net, chance)| (approx(*net) - mean).powi(2) * chance).sum::<f64>().sqrt()
    }

    /// Returns the probability of being behind at the end.
    #[must_use]
    pub fn behind(&self) -> f64 {
        self.nets.iter().filter(|(net, _)| *net < 0).map(|(_, chance)| chance).sum()
    }
}
