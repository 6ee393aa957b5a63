//! Runs a strategy: picks the form, plays the sessions on the requested number of threads, and puts the answer together.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::answer::{Answer, Form, Interval, Refused, Z, counted, real};
use crate::control::{Control, Controlled, Sums};
use crate::engine::{End, Engine, Plan, Rules, SessionOutcome, Strategy};
use crate::exact::{Exact, NotExact, exact};
use crate::lookup::Lookup;
use crate::tabulate::{NotTabulated, Tabulation, tabulate};
use craps_table::{Refusal, SlotId};
use craps_wagers::WagerId;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Which form to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The best form available.
    #[default]
    Auto,
    /// Roll by roll with the engine.
    Engine,
    /// Look-ups in the table of positions.
    Tabulated,
    /// The exact answer.
    Exact,
}

/// What to run.
///
/// ```
/// use craps_law::Library;
/// use craps_sim::seated::{At, Seated, Terms, shipped};
/// use craps_sim::{Choice, Form, Request};
/// let molly = shipped("molly")?.text_source();
/// let seated = Seated::new(&Library::shipped(), &molly, At::default(), &Terms::default())?;
/// let answer = Request::new(&seated.rules, &seated.program)
///     .with_plan(seated.plan)
///     .with_sessions(200)
///     .with_choice(Choice::Engine)
///     .run()?;
/// assert_eq!((answer.form, answer.sessions), (Form::Engine, 200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Request<'a, S: Strategy> {
    /// Rules of the table.
    pub rules: &'a Rules,
    /// The strategy to play.
    pub strategy: &'a S,
    /// Buy-in and limits of each session.
    pub plan: Plan,
    /// Number of sessions to play.
    pub sessions: u64,
    /// Seed of the dice.
    pub seed: u64,
    /// Number of threads to use.
    pub threads: usize,
    /// The form to run.
    pub choice: Choice,
    /// True if the first refusal should end the run.
    pub strict: bool,
}

impl<'a, S: Strategy> Request<'a, S> {
    /// Requests 10,000 sessions of the default plan, on one thread, in the best form available.
    #[must_use]
    pub fn new(rules: &'a Rules, strategy: &'a S) -> Request<'a, S> {
        Request {
            rules,
            strategy,
            plan: Plan::default(),
            sessions: 10_000,
            seed: 1,
            threads: 1,
            choice: Choice::Auto,
            strict: false,
        }
    }

    /// Changes the plan.
    #[must_use]
    pub fn with_plan(self, plan: Plan) -> Request<'a, S> {
        Request { plan, ..self }
    }

    /// Changes the number of sessions.
    #[must_use]
    pub fn with_sessions(self, sessions: u64) -> Request<'a, S> {
        Request { sessions, ..self }
    }

    /// Changes the seed of the dice.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Request<'a, S> {
        Request { seed, ..self }
    }

    /// Changes the number of threads. The answer doesn't depend on it.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Request<'a, S> {
        Request { threads, ..self }
    }

    /// Changes the form.
    #[must_use]
    pub fn with_choice(self, choice: Choice) -> Request<'a, S> {
        Request { choice, ..self }
    }

    /// Makes the first refusal end the run.
    #[must_use]
    pub fn strictly(self) -> Request<'a, S> {
        Request { strict: true, ..self }
    }

    /// Runs the request without a watcher.
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(&self) -> Result<Answer, NotRun> {
        run(self, &Unwatched)
    }
}

/// Follows the progress of a run and can stop it.
pub trait Watch: Sync {
    /// Called when this many more sessions and rolls have been played.
    fn advanced(&self, sessions: u64, throws: u64);

    /// Returns true if the run should stop. Sessions that have started are played to their end.
    fn stops(&self) -> bool;
}

/// A watcher that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn advanced(&self, _: u64, _: u64) {}

    fn stops(&self) -> bool {
        false
    }
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq)]
pub enum NotRun {
    /// The request has nothing to play.
    Nothing,
    /// The strategy can't be tabulated.
    NotTabulated(NotTabulated),
    /// There is no exact answer.
    NotExact(NotExact),
    /// A roll can change the net result by more than the table can hold.
    TooLarge,
    /// The house refuses a bet, and the request is strict.
    Refused(Refused),
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRun::Nothing => f.write_str(
                "nothing to play: sessions, rolls and buy-in must be above zero, and the goal above the stop",
            ),
            NotRun::NotTabulated(why) => write!(f, "this strategy can't be tabulated: {why}; use the engine form"),
            NotRun::NotExact(why) => write!(f, "no exact answer: {why}"),
            NotRun::TooLarge => f.write_str(
                "this strategy can't be tabulated: a roll can change more than a table holds; use the engine form",
            ),
            NotRun::Refused(refusal) => write!(f, "the house refuses {refusal}"),
        }
    }
}

impl std::error::Error for NotRun {}

/// Maximum number of positions if a table was requested, and before `Choice::Auto` falls back to the engine.
const MOST_STATES: usize = 200_000;
const ENOUGH_STATES: usize = 40_000;
/// Maximum effort for an exact answer under `Choice::Auto`: cells times rolls.
const WORTH: f64 = 4e10;
/// Limits on the rolls and sessions that are followed one by one, for figures that session results alone don't give.
const FOLLOWED_THROWS: u64 = 1_000_000;
const FOLLOWED: u64 = 10_000;
const FOLLOWED_LEAST: u64 = 20;

/// Runs a request.
///
/// ```
/// use craps_law::Library;
/// use craps_sim::seated::{At, Seated, Terms, shipped};
/// use craps_sim::{Form, Unwatched, run};
/// let flat = shipped("pass-flat")?.text_source();
/// let terms = Terms { throws: 20, ..Terms::default() };
/// let seated = Seated::new(&Library::shipped(), &flat, At::default(), &terms)?;
/// let answer = run(&seated.request(), &Unwatched)?;
/// assert_eq!(answer.form, Form::Exact);
/// assert!(answer.p_ahead > 0.0 && answer.p_behind > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the requested form isn't possible, there is nothing to play, or the house refuses a bet and the request is strict.
pub fn run<S: Strategy>(request: &Request<'_, S>, watch: &dyn Watch) -> Result<Answer, NotRun> {
    let plan = &request.plan;
    let upside_down = plan.stop.zip(plan.goal).is_some_and(|(stop, goal)| stop >= goal);
    if plan.throws == 0 || request.sessions == 0 || plan.buy_in <= 0 || upside_down {
        return Err(NotRun::Nothing);
    }
    if request.strict {
        refused(request)?;
    }
    let start = Instant::now();
    let walked = |cap| Some(tabulate(request.rules, request.strategy, cap).map(|table| table.folded()));
    let table = match request.choice {
        Choice::Engine => None,
        Choice::Auto => walked(ENOUGH_STATES),
        Choice::Tabulated | Choice::Exact => walked(MOST_STATES),
    };
    let mut answer = match (request.choice, table) {
        (Choice::Engine, _) | (_, None) => sampled(request, &Way::Engine, "as requested".to_owned(), watch),
        (Choice::Auto, Some(Err(why))) => {
            sampled(request, &Way::Engine, format!("{why}, so the engine plays it"), watch)
        }
        (_, Some(Err(why))) => return Err(NotRun::NotTabulated(why)),
        (Choice::Tabulated, Some(Ok(table))) => {
            let lookup = Lookup::new(&table).ok_or(NotRun::TooLarge)?;
            sampled(request, &Way::Table(&table, &lookup), "as requested".to_owned(), watch)
        }
        (Choice::Exact, Some(Ok(table))) => {
            let truth = exact(&table, plan).map_err(NotRun::NotExact)?;
            solved(request, &table, &truth, "as requested".to_owned())
        }
        (Choice::Auto, Some(Ok(table))) => match worth_solving(&table, plan).then(|| exact(&table, plan)) {
            Some(Ok(truth)) => solved(
                request,
                &table,
                &truth,
                "every position can be computed, and the chips always cover the bets".to_owned(),
            ),
            failed => {
                let why = match failed {
                    Some(Err(NotExact::Short { .. })) => "the player could run short of chips, so sessions are sampled",
                    _ => "there are too many possible results, so sessions are sampled",
                };
                match Lookup::new(&table) {
                    Some(lookup) => sampled(request, &Way::Table(&table, &lookup), why.to_owned(), watch),
                    None => sampled(
                        request,
                        &Way::Engine,
                        format!("{why}; a roll can change more than a table holds"),
                        watch,
                    ),
                }
            }
        },
    };
    if !answer.is_sampled() {
        watch.advanced(request.sessions, 0);
    }
    answer.seconds = start.elapsed().as_secs_f64();
    Ok(answer)
}

/// Plays some sessions to see whether the house refuses anything.
fn refused<S: Strategy>(request: &Request<'_, S>) -> Result<(), NotRun> {
    let mut engine = Engine::new(request.rules, request.strategy);
    for number in 0..request.sessions.min(200) {
        engine.session(request.seed, number, &request.plan);
        if let Some(first) = named(request.rules, engine.seat().refusals()).into_iter().next() {
            return Err(NotRun::Refused(first));
        }
    }
    Ok(())
}

/// Adds the names of the bets to refusals.
fn named(rules: &Rules, refusals: &[(SlotId, Refusal)]) -> Vec<Refused> {
    let one = |(slot, refusal): &(SlotId, Refusal)| Refused {
        bet: rules.board().slot(*slot).name.clone(),
        refusal: refusal.clone(),
    };
    refusals.iter().map(one).collect()
}

fn worth_solving(table: &Tabulation, plan: &Plan) -> bool {
    let span = table.turns.iter().flatten().map(|turn| turn.delta.abs()).max().unwrap_or(0) / table.unit;
    let wide = match (plan.stop, plan.goal) {
        (Some(stop), Some(goal)) => (goal - stop) / table.unit + 2 * span,
        _ => span.saturating_mul(i64::from(plan.throws)),
    };
    let states = i64::try_from(table.states()).unwrap_or(i64::MAX);
    real(wide) * real(states) * f64::from(plan.throws) * 4.0 < WORTH
}

/// How sessions are played.
enum Way<'t> {
    Engine,
    Table(&'t Tabulation, &'t Lookup),
}

/// The share of sessions that the reported worst drop covers.
const WORST: f64 = 0.95;

/// The results of some sessions. Tallies can be joined.
#[derive(Debug, Clone, Default)]
struct Tally {
    sessions: u64,
    throws: u64,
    nets: BTreeMap<i64, u64>,
    ends: [u64; 5],
    lengths: BTreeMap<u32, u64>,
    seen: Seen,
    refusals: Vec<(SlotId, Refusal)>,
}

/// What only the engine sees of some sessions: the worst drop of each, the net result of each bet and the amount resolved on it.
#[derive(Debug, Clone, Default)]
struct Seen {
    sessions: u64,
    falls: BTreeMap<i64, u64>,
    bets: BTreeMap<SlotId, (i64, i64)>,
    /// Sum of the squared net results per session of each wager.
    squares: BTreeMap<WagerId, i128>,
}

impl Seen {
    fn add(&mut self, rules: &Rules, outcome: &SessionOutcome, moved: &[(SlotId, i64, i64)]) {
        self.sessions += 1;
        *self.falls.entry(outcome.drawdown).or_default() += 1;
        for (slot, net, resolved) in moved {
            let own = self.bets.entry(*slot).or_default();
            (own.0, own.1) = (own.0 + net, own.1 + resolved);
        }
        let mut brought: BTreeMap<WagerId, i128> = BTreeMap::new();
        for (slot, net, _) in moved {
            *brought.entry(rules.board().slot(*slot).wager).or_default() += i128::from(*net);
        }
        brought.into_iter().for_each(|(wager, net)| *self.squares.entry(wager).or_default() += net * net);
    }

    fn join(&mut self, other: Seen) {
        self.sessions += other.sessions;
        other.falls.into_iter().for_each(|(fall, count)| *self.falls.entry(fall).or_default() += count);
        for (slot, (net, resolved)) in other.bets {
            let own = self.bets.entry(slot).or_default();
            (own.0, own.1) = (own.0 + net, own.1 + resolved);
        }
        other.squares.into_iter().for_each(|(wager, square)| *self.squares.entry(wager).or_default() += square);
    }

    /// Returns the worst drops with their share of sessions, smallest first.
    fn falls(&self) -> Vec<(i64, f64)> {
        let all = counted(self.sessions.max(1));
        self.falls.iter().map(|(fall, count)| (*fall, counted(*count) / all)).collect()
    }

    /// Returns the mean of the worst drops, and the drop that 95 of 100 sessions don't exceed.
    fn drawdown(&self) -> Option<(f64, i64)> {
        let falls = self.falls();
        let mean = falls.iter().map(|(fall, share)| real(*fall) * share).sum();
        (self.sessions > 0).then(|| (mean, quantile(&falls, WORST)))
    }

    /// Returns the intervals of the worst drops, and of the net result of each wager, whose means are given.
    fn intervals(&self, by_wager: &[(String, f64, f64)]) -> Vec<(String, Interval)> {
        let Some((mean, _)) = self.drawdown() else { return Vec::new() };
        let (all, falls) = (counted(self.sessions), self.falls());
        let variance: f64 = falls.iter().map(|(fall, share)| (real(*fall) - mean).powi(2) * share).sum();
        let half = Z * (WORST * (1.0 - WORST) / all).sqrt();
        let (low, high) = (quantile(&falls, WORST - half), quantile(&falls, WORST + half));
        let worst = [
            ("drawdown_mean".to_owned(), Interval::around(mean, (variance / all).sqrt())),
            ("drawdown_95".to_owned(), Interval { low: real(low), high: real(high) }),
        ];
        let brought = by_wager.iter().filter_map(|(slug, mean, _)| {
            let (_, square) = self.squares.iter().find(|(wager, _)| wager.to_string() == *slug)?;
            // A float is precise enough here: an interval only shows a few digits of these sums.
            #[allow(clippy::cast_precision_loss, reason = "an interval has three digits that matter")]
            let variance = (*square as f64 / all - mean * mean).max(0.0);
            Some((format!("net {slug}"), Interval::around(*mean, (variance / all).sqrt())))
        });
        worst.into_iter().chain(brought).collect()
    }
}

impl Tally {
    fn add(&mut self, outcome: &SessionOutcome) {
        self.sessions += 1;
        self.throws += u64::from(outcome.throws);
        *self.nets.entry(outcome.net).or_default() += 1;
        self.ends[place(outcome.end)] += 1;
        *self.lengths.entry(outcome.throws).or_default() += 1;
    }

    fn join(&mut self, other: Tally) {
        self.sessions += other.sessions;
        self.throws += other.throws;
        other.nets.into_iter().for_each(|(net, count)| *self.nets.entry(net).or_default() += count);
        self.ends.iter_mut().zip(other.ends).for_each(|(own, more)| *own += more);
        other.lengths.into_iter().for_each(|(throws, count)| *self.lengths.entry(throws).or_default() += count);
        self.seen.join(other.seen);
        for (slot, refusal) in other.refusals {
            if !self.refusals.iter().any(|(_, known)| known.is_alike(&refusal)) {
                self.refusals.push((slot, refusal));
            }
        }
    }
}

fn place(end: End) -> usize {
    match end {
        End::Throws => 0,
        End::Stop => 1,
        End::Goal => 2,
        End::Quit => 3,
        End::Broke => 4,
    }
}

/// Returns how many sessions a thread takes at once: about 200,000 rolls.
fn block(plan: &Plan) -> u64 {
    (200_000 / u64::from(plan.throws.max(1))).clamp(8, 4_096).next_multiple_of(8)
}

fn sampled<S: Strategy>(request: &Request<'_, S>, way: &Way<'_>, why: String, watch: &dyn Watch) -> Answer {
    let start = Instant::now();
    let whole = Mutex::new(Tally::default());
    in_blocks(request, request.sessions, watch, |blocks| {
        let mut engine = Engine::new(request.rules, request.strategy);
        let mut own = Tally::default();
        for (first, count) in blocks {
            let before = own.throws;
            play(request, way, &mut engine, first, count, &mut own);
            watch.advanced(count, own.throws - before);
        }
        own.refusals = engine.seat().refusals().to_vec();
        if let Ok(mut whole) = whole.lock() {
            whole.join(own);
        }
    });
    let playing = start.elapsed().as_secs_f64();
    let mut tally = whole.into_inner().unwrap_or_default();
    let along = along(request, tally.sessions);
    let (form, states) = match way {
        Way::Engine => (Form::Engine, None),
        Way::Table(table, _) => {
            // A table only knows money. The sessions that were followed provide the rest.
            tally.seen = along.seen;
            (Form::Tabulated, Some(table.states()))
        }
    };
    let mut answer = of_tally(request, &tally, form, why);
    answer.partial = tally.sessions < request.sessions;
    answer.playing = playing;
    answer.states = states;
    answer.controlled = along.luckless.mean();
    answer.followed = along.sessions;
    (answer.fan, answer.ruin, answer.path) = (along.fan, along.ruin, along.path);
    answer
}

/// Hands out sessions to threads in blocks, given as the first number and the count. A thread finishes each block it takes, so a stopped run has
/// played all sessions up to some number, and at least one block.
fn in_blocks<S: Strategy>(
    request: &Request<'_, S>,
    sessions: u64,
    watch: &dyn Watch,
    work: impl Fn(&mut dyn Iterator<Item = (u64, u64)>) + Sync,
) {
    let size = block(&request.plan);
    let next = AtomicU64::new(0);
    let take = || {
        if watch.stops() && next.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let first = next.fetch_add(size, Ordering::Relaxed);
        (first < sessions).then(|| (first, size.min(sessions - first)))
    };
    let all = || work(&mut std::iter::from_fn(take));
    std::thread::scope(|scope| {
        for _ in 1..request.threads.max(1) {
            scope.spawn(all);
        }
        all();
    });
}

/// Plays a block of sessions into a tally. Sessions that fall below the line of a table are played again from their start by the engine.
fn play<S: Strategy>(
    request: &Request<'_, S>,
    way: &Way<'_>,
    engine: &mut Engine<'_, S>,
    first: u64,
    count: u64,
    tally: &mut Tally,
) {
    let plan = &request.plan;
    match way {
        Way::Engine => {
            for number in first..first + count {
                engine.forget();
                let outcome = engine.session(request.seed, number, plan);
                tally.seen.add(request.rules, &outcome, &engine.moved());
                tally.add(&outcome);
            }
        }
        Way::Table(table, lookup) => {
            // Below this the player might not have the chips for the strategy's bets.
            let line = table.need + table.felt - plan.buy_in;
            let deepest = table.turns.iter().flatten().map(|turn| turn.delta).min().unwrap_or(0);
            let line = (deepest.saturating_mul(i64::from(plan.throws)) <= line).then_some(line);
            lookup.sessions(request.seed, first, count, plan, line, |number, outcome| {
                let outcome =
                    if outcome.end == End::Broke { engine.session(request.seed, number, plan) } else { outcome };
                tally.add(&outcome);
            });
        }
    }
}

/// The quantiles that are reported.
const QUANTILES: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/// Returns the lowest net result that at least this share of sessions doesn't exceed.
fn quantile(nets: &[(i64, f64)], share: f64) -> i64 {
    let mut sum = 0.0;
    for (net, chance) in nets {
        sum += chance;
        if sum >= share - 1e-12 {
            return *net;
        }
    }
    nets.last().map_or(0, |(net, _)| *net)
}

fn of_tally<S: Strategy>(request: &Request<'_, S>, tally: &Tally, form: Form, why: String) -> Answer {
    let sessions = counted(tally.sessions.max(1));
    let share = |count: u64| counted(count) / sessions;
    let nets: Vec<(i64, f64)> = tally.nets.iter().map(|(net, count)| (*net, share(*count))).collect();
    let lengths = tally.lengths.iter().map(|(throws, count)| (*throws, share(*count))).collect();
    let seen = counted(tally.seen.sessions.max(1));
    let mut by_wager: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (slot, (net, resolved)) in &tally.seen.bets {
        let own = by_wager.entry(wager(request.rules, *slot)).or_default();
        (own.0, own.1) = (own.0 + real(*net) / seen, own.1 + real(*resolved) / seen);
    }
    let mut answer = base(request, form, why, nets);
    answer.sessions = tally.sessions;
    answer.throws = tally.throws;
    answer.p_stop = share(tally.ends[place(End::Stop)]);
    answer.p_goal = share(tally.ends[place(End::Goal)]);
    answer.p_broke = share(tally.ends[place(End::Broke)]);
    answer.throws_mean = counted(tally.throws) / sessions;
    answer.lengths = lengths;
    answer.seen = tally.seen.sessions;
    answer.drawdown = tally.seen.drawdown();
    answer.by_wager = by_wager.into_iter().map(|(wager, (net, resolved))| (wager, net, resolved)).collect();
    answer.seen_intervals = tally.seen.intervals(&answer.by_wager);
    answer.refusals = named(request.rules, &tally.refusals);
    answer
}

fn wager(rules: &Rules, slot: SlotId) -> String {
    rules.board().slot(slot).wager.to_string()
}

/// Fills in what follows from the distribution of net results alone.
fn base<S: Strategy>(request: &Request<'_, S>, form: Form, why: String, nets: Vec<(i64, f64)>) -> Answer {
    let sum =
        |keep: &dyn Fn(i64) -> bool| nets.iter().filter(|(net, _)| keep(*net)).map(|(_, chance)| chance).sum::<f64>();
    let mean: f64 = nets.iter().map(|(net, chance)| real(*net) * chance).sum();
    let variance: f64 = nets.iter().map(|(net, chance)| (real(*net) - mean).powi(2) * chance).sum();
    Answer {
        form,
        why_form: why,
        plan: request.plan,
        seed: request.seed,
        sessions: 0,
        asked: request.sessions,
        partial: false,
        throws: 0,
        seconds: 0.0,
        playing: 0.0,
        states: None,
        mean,
        controlled: None,
        sd: variance.sqrt(),
        p_behind: sum(&|net| net < 0),
        p_ahead: sum(&|net| net > 0),
        p_double: sum(&|net| net >= request.plan.buy_in),
        p_stop: 0.0,
        p_goal: 0.0,
        p_broke: 0.0,
        throws_mean: 0.0,
        quantiles: QUANTILES.map(|share| (share, quantile(&nets, share))).to_vec(),
        nets,
        followed: 0,
        fan: Vec::new(),
        path: Vec::new(),
        ruin: Vec::new(),
        lengths: Vec::new(),
        seen: 0,
        drawdown: None,
        seen_intervals: Vec::new(),
        by_wager: Vec::new(),
        refusals: Vec::new(),
        notes: request.rules.table().modifiers.iter().map(|modifier| undrawn(&modifier.name)).collect(),
    }
}

/// Returns the note about a feature that raises payouts at random. No book says how likely that is.
fn undrawn(name: &str) -> String {
    format!(
        "{name}: the simulation never raises a payout, because the operator sets the chances and no book states them. Every payout is the ordinary one."
    )
}

fn solved<S: Strategy>(request: &Request<'_, S>, table: &Tabulation, truth: &Exact, why: String) -> Answer {
    let mut answer = base(request, Form::Exact, why, truth.nets.clone());
    answer.states = Some(table.states());
    (answer.p_stop, answer.p_goal) = (truth.stop, truth.goal);
    answer.throws_mean = truth.throws_mean;
    answer.ruin.clone_from(&truth.over);
    let five = |nets: &[(i64, f64)]| [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| quantile(nets, share));
    answer.fan = truth.along.iter().map(|(throw, nets)| (*throw, five(nets))).collect();
    let mut by_wager: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (slot, net, resolved) in &truth.by_slot {
        let own = by_wager.entry(wager(request.rules, *slot)).or_default();
        (own.0, own.1) = (own.0 + net, own.1 + resolved);
    }
    answer.by_wager = by_wager.into_iter().map(|(wager, (net, resolved))| (wager, net, resolved)).collect();
    let mut engine = Engine::new(request.rules, request.strategy);
    for number in 0..FOLLOWED_LEAST {
        engine.session(request.seed, number, &request.plan);
    }
    let times = times(&request.plan);
    let each = |throws, net| {
        if times.binary_search(&throws).is_ok() {
            answer.path.push((throws, net));
        }
    };
    engine.watched(request.seed, 0, &request.plan, |_| {}, each);
    answer.refusals = named(request.rules, engine.seat().refusals());
    answer
}

/// How many times along the way a followed session is recorded.
const LOOKS: u32 = 50;

/// The figures from sessions that are followed roll by roll.
struct Along {
    sessions: u64,
    fan: Vec<(u32, [i64; 5])>,
    path: Vec<(u32, i64)>,
    ruin: Vec<(u32, f64, f64)>,
    luckless: Sums,
    seen: Seen,
}

/// Returns the maximum number of sessions to follow.
fn followed(plan: &Plan) -> u64 {
    (FOLLOWED_THROWS / u64::from(plan.throws.max(1))).clamp(FOLLOWED_LEAST, FOLLOWED)
}

/// Returns the numbers of rolls after which sessions are recorded.
fn times(plan: &Plan) -> Vec<u32> {
    let look = (plan.throws / LOOKS).max(1);
    (1..=plan.throws).filter(|throw| throw % look == 0 || *throw == plan.throws).collect()
}

/// The sessions that one thread follows roll by roll.
struct Following {
    /// Numbers of rolls after which sessions are recorded. `nets` holds the net results found then.
    times: Vec<u32>,
    nets: Vec<Vec<i64>>,
    /// The net results of session 0 at these times.
    path: Vec<(u32, i64)>,
    /// How many sessions had ended at the stop or broke by then, and how many at the goal.
    over: Vec<(u64, u64)>,
    luckless: Sums,
    seen: Seen,
}

impl Following {
    fn new(plan: &Plan) -> Following {
        let times = times(plan);
        let (nets, over) = (vec![Vec::new(); times.len()], vec![(0, 0); times.len()]);
        Following { times, nets, path: Vec::new(), over, luckless: Sums::default(), seen: Seen::default() }
    }

    fn session<S: Strategy>(
        &mut self,
        control: &mut Control,
        engine: &mut Engine<'_, S>,
        request: &Request<'_, S>,
        number: u64,
    ) {
        let mut at = 0;
        engine.forget();
        let (outcome, without_luck) = control.session(engine, request.seed, number, &request.plan, |throws, net| {
            if self.times.get(at) == Some(&throws) {
                self.nets[at].push(net);
                at += 1;
                if number == 0 {
                    self.path.push((throws, net));
                }
            }
        });
        self.luckless.add(without_luck);
        self.seen.add(request.rules, &outcome, &engine.moved());
        // A finished session keeps its result.
        for (time, over) in self.over.iter_mut().enumerate().filter(|(time, _)| self.times[*time] >= outcome.throws) {
            if time >= at {
                self.nets[time].push(outcome.net);
            }
            over.0 += u64::from(matches!(outcome.end, End::Stop | End::Broke));
            over.1 += u64::from(outcome.end == End::Goal);
        }
    }

    fn join(&mut self, other: Following) {
        self.nets.iter_mut().zip(other.nets).for_each(|(own, more)| own.extend(more));
        self.path.extend(other.path);
        self.over.iter_mut().zip(other.over).for_each(|(own, more)| *own = (own.0 + more.0, own.1 + more.1));
        self.luckless.join(other.luckless);
        self.seen.join(other.seen);
    }
}

/// Follows the first of these sessions roll by roll. It isn't watched, because it is quick.
fn along<S: Strategy>(request: &Request<'_, S>, played: u64) -> Along {
    let sessions = played.min(followed(&request.plan));
    let whole = Mutex::new(Following::new(&request.plan));
    in_blocks(request, sessions, &Unwatched, |blocks| {
        let mut engine = Engine::new(request.rules, request.strategy);
        let mut control = Control::default();
        let mut own = Following::new(&request.plan);
        for (first, count) in blocks {
            (first..first + count).for_each(|number| own.session(&mut control, &mut engine, request, number));
        }
        if let Ok(mut whole) = whole.lock() {
            whole.join(own);
        }
    });
    let Following { times, nets, path, over, luckless, seen } =
        whole.into_inner().unwrap_or_else(|_| Following::new(&request.plan));
    let share = |count: u64| counted(count) / counted(sessions.max(1));
    // Selects the quantiles without sorting: there are many times, and many results at each.
    let five = |mut nets: Vec<i64>| {
        let last = nets.len().saturating_sub(1);
        [5, 25, 50, 75, 95].map(|percent| {
            let place = last * percent / 100;
            if nets.is_empty() { 0 } else { *nets.select_nth_unstable(place).1 }
        })
    };
    let fan = times.iter().zip(nets).map(|(throw, nets)| (*throw, five(nets))).collect();
    let ruin = times.iter().zip(over).map(|(throw, (down, up))| (*throw, share(down), share(up))).collect();
    Along { sessions, fan, path, ruin, luckless, seen }
}

/// Two strategies played on the same dice.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// Results of the first strategy.
    pub one: Answer,
    /// Results of the second strategy.
    pub other: Answer,
    /// Net result of the first minus that of the second.
    pub difference: Difference,
}

/// The net result of one strategy minus that of another, session by session on the same dice, in minor units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Number of sessions that both played side by side.
    pub sessions: u64,
    /// Mean of the difference.
    pub mean: f64,
    /// Standard deviation of the difference.
    pub sd: f64,
    /// Mean with the luck of each roll taken out. None if both answers are exact.
    pub controlled: Option<Controlled>,
}

/// Plays two strategies on the same dice: first each by itself, then both side by side with the engine, session by session.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{Unwatched, duel};
/// let other = Seated::new(&library, &shipped("field")?.text_source(), At::default(), &Terms::default())?;
/// let both = duel(&seated.request().with_sessions(300), &other.request().with_sessions(300), &Unwatched)?;
/// assert!(both.difference.sessions > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`run`], for either of the two.
pub fn duel<A: Strategy, B: Strategy>(
    one: &Request<'_, A>,
    other: &Request<'_, B>,
    watch: &dyn Watch,
) -> Result<Duel, NotRun> {
    let answers = (run(one, watch)?, run(other, watch)?);
    let whole = Mutex::new((0u64, 0i128, 0i128));
    in_blocks(one, one.sessions, watch, |blocks| {
        let (mut first, mut second) = (Engine::new(one.rules, one.strategy), Engine::new(other.rules, other.strategy));
        let (mut count, mut sum, mut squares) = (0, 0, 0);
        for (begin, many) in blocks {
            let mut throws = 0;
            for number in begin..begin + many {
                let (a, b) =
                    (first.session(one.seed, number, &one.plan), second.session(one.seed, number, &other.plan));
                let difference = i128::from(a.net - b.net);
                throws += u64::from(a.throws) + u64::from(b.throws);
                (sum, squares) = (sum + difference, squares + difference * difference);
            }
            count += many;
            watch.advanced(many, throws);
        }
        if let Ok(mut whole) = whole.lock() {
            *whole = (whole.0 + count, whole.1 + sum, whole.2 + squares);
        }
    });
    let (sessions, sum, squares) = whole.into_inner().unwrap_or_default();
    let count = counted(sessions.max(1));
    let mean = sum as f64 / count;
    let sd = (squares as f64 / count - mean * mean).max(0.0).sqrt();
    let controlled = if answers.0.is_sampled() || answers.1.is_sampled() {
        luckless(one, other, sessions.min(followed(&one.plan)))
    } else {
        None
    };
    Ok(Duel { one: answers.0, other: answers.1, difference: Difference { sessions, mean, sd, controlled } })
}

/// Returns the mean difference of the first sessions without their luck.
fn luckless<A: Strategy, B: Strategy>(
    one: &Request<'_, A>,
    other: &Request<'_, B>,
    sessions: u64,
) -> Option<Controlled> {
    let (mut first, mut second) = (Engine::new(one.rules, one.strategy), Engine::new(other.rules, other.strategy));
    let (mut for_first, mut for_second) = (Control::default(), Control::default());
    let mut sums = Sums::default();
    for number in 0..sessions {
        let (_, a) = for_first.session(&mut first, one.seed, number, &one.plan, |_, _| {});
        let (_, b) = for_second.session(&mut second, one.seed, number, &other.plan, |_, _| {});
        sums.add(a - b);
    }
    sums.mean()
}
