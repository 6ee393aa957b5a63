//! Runs a way of playing: picks the form, plays the sessions on as many threads as are wanted, and puts the answer together.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::answer::{Answer, Form, counted, real};
use crate::engine::{End, Engine, Outcome, Plan, Rules, Strategy};
use crate::exact::{Exact, NotExact, exact};
use crate::lookup::Lookup;
use crate::tabulate::{NotTabulated, Tabulation, tabulate};
use craps_table::{Refusal, SlotId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Which form is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The best that there is.
    #[default]
    Auto,
    /// The engine.
    Engine,
    /// The table of positions.
    Tabulated,
    /// The exact answer.
    Exact,
}

/// What is to be run.
#[derive(Debug)]
pub struct Request<'a, S: Strategy> {
    /// The table.
    pub rules: &'a Rules,
    /// The way of playing.
    pub strategy: &'a S,
    /// How long a session goes on.
    pub plan: Plan,
    /// How many sessions.
    pub sessions: u64,
    /// The seed of their dice.
    pub seed: u64,
    /// On how many threads.
    pub threads: usize,
    /// In which form.
    pub choice: Choice,
    /// Is a refusal the end of it?
    pub strict: bool,
}

/// Sees a run go on, and may stop it.
pub trait Watch: Sync {
    /// So many more sessions and throws have been played.
    fn advanced(&self, sessions: u64, throws: u64);

    /// Is it to stop? Sessions that have begun are played to their end.
    fn stops(&self) -> bool;
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn advanced(&self, _: u64, _: u64) {}

    fn stops(&self) -> bool {
        false
    }
}

/// Why nothing was run.
#[derive(Debug, Clone, PartialEq)]
pub enum NotRun {
    /// Nothing was asked for.
    Nothing,
    /// There is no table of positions.
    NotTabulated(NotTabulated),
    /// There is no exact answer.
    NotExact(NotExact),
    /// A change of money is too large for the table.
    TooLarge,
    /// The house refuses something, and that was to be the end of it.
    Refused(Refusal),
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRun::Nothing => {
                f.write_str("nothing to play: sessions and throws are above zero, and a goal above a stop")
            }
            NotRun::NotTabulated(why) => write!(f, "it cannot be tabulated: {why}; the engine plays it"),
            NotRun::NotExact(NotExact::Short { need }) => {
                write!(
                    f,
                    "no exact answer: the rail could run short; a buy-in of {} never does",
                    craps_money::Money::from_minor(*need)
                )
            }
            NotRun::NotExact(NotExact::TooWide) => {
                f.write_str("no exact answer: there are too many positions and results; a sample answers")
            }
            NotRun::TooLarge => {
                f.write_str("it cannot be tabulated: one throw may change more than a table holds; the engine plays it")
            }
            NotRun::Refused(refusal) => write!(f, "the house refuses: {refusal}"),
        }
    }
}

impl std::error::Error for NotRun {}

/// The most positions that are walked before the engine is taken instead.
const MOST_STATES: usize = 200_000;
/// Where an exact answer is worth its while: cells times throws.
const WORTH: f64 = 4e10;
/// How many sessions are played by the engine besides, where the form itself does not see what each bet brings or how far it fell.
const BESIDES: u64 = 2_000;

/// Runs it.
///
/// # Errors
/// When the form that is wanted cannot be had, or nothing was asked for, or the house refuses and that is not to be.
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
    let table = match request.choice {
        Choice::Engine => None,
        _ => Some(tabulate(request.rules, request.strategy, MOST_STATES).map(|table| table.folded())),
    };
    let mut answer = match (request.choice, table) {
        (Choice::Engine, _) | (_, None) => sampled(request, &Way::Engine, "the engine was asked for".to_owned(), watch),
        (Choice::Auto, Some(Err(why))) => sampled(request, &Way::Engine, format!("{why}: the engine plays it"), watch),
        (_, Some(Err(why))) => return Err(NotRun::NotTabulated(why)),
        (Choice::Tabulated, Some(Ok(table))) => {
            let lookup = Lookup::new(&table).ok_or(NotRun::TooLarge)?;
            sampled(request, &Way::Table(&table, &lookup), "the table was asked for".to_owned(), watch)
        }
        (Choice::Exact, Some(Ok(table))) => {
            let truth = exact(&table, plan).map_err(NotRun::NotExact)?;
            solved(request, &table, &truth, "the exact answer was asked for".to_owned())
        }
        (Choice::Auto, Some(Ok(table))) => match worth_solving(&table, plan).then(|| exact(&table, plan)) {
            Some(Ok(truth)) => solved(
                request,
                &table,
                &truth,
                "every position can be walked, and the rail never runs short".to_owned(),
            ),
            failed => {
                let why = match failed {
                    Some(Err(NotExact::Short { .. })) => "the rail may run short, which no exact answer covers",
                    _ => "too many results to carry along: a sample answers",
                };
                match Lookup::new(&table) {
                    Some(lookup) => sampled(request, &Way::Table(&table, &lookup), why.to_owned(), watch),
                    None => sampled(
                        request,
                        &Way::Engine,
                        format!("{why}; a throw may change more than a table holds"),
                        watch,
                    ),
                }
            }
        },
    };
    answer.seconds = start.elapsed().as_secs_f64();
    Ok(answer)
}

/// Plays some sessions only to see what the house refuses.
fn refused<S: Strategy>(request: &Request<'_, S>) -> Result<(), NotRun> {
    let mut engine = Engine::new(request.rules, request.strategy);
    for number in 0..request.sessions.min(200) {
        engine.session(request.seed, number, &request.plan);
        if let Some(refusal) = engine.seat().refusals().first() {
            return Err(NotRun::Refused(refusal.clone()));
        }
    }
    Ok(())
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

/// By what sessions are played.
enum Way<'t> {
    Engine,
    Table(&'t Tabulation, &'t Lookup),
}

/// What some sessions came to, ready to be put together with others.
#[derive(Debug, Clone, Default)]
struct Tally {
    sessions: u64,
    throws: u64,
    nets: BTreeMap<i64, u64>,
    ends: [u64; 5],
    lengths: BTreeMap<u32, u64>,
    drawdowns: Vec<i64>,
    bets: BTreeMap<SlotId, (i64, i64)>,
    /// Sessions over which bets and drawdowns were seen.
    seen: u64,
    refusals: Vec<Refusal>,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
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
        self.drawdowns.extend(other.drawdowns);
        for (slot, (net, resolved)) in other.bets {
            let own = self.bets.entry(slot).or_default();
            (own.0, own.1) = (own.0 + net, own.1 + resolved);
        }
        self.seen += other.seen;
        for refusal in other.refusals {
            if !self.refusals.iter().any(|known| known.cites == refusal.cites) {
                self.refusals.push(refusal);
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

/// How many sessions a thread takes up at once: some tens of thousands of throws.
fn block(plan: &Plan) -> u64 {
    (200_000 / u64::from(plan.throws.max(1))).clamp(8, 4_096).next_multiple_of(8)
}

fn sampled<S: Strategy>(request: &Request<'_, S>, way: &Way<'_>, why: String, watch: &dyn Watch) -> Answer {
    let (plan, size) = (&request.plan, block(&request.plan));
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let whole = Mutex::new(Tally::default());
    let work = || {
        let mut engine = Engine::new(request.rules, request.strategy);
        let mut own = Tally::default();
        loop {
            let first = next.fetch_add(size, Ordering::Relaxed);
            if first >= request.sessions || stopped.load(Ordering::Relaxed) {
                break;
            }
            let count = size.min(request.sessions - first);
            let before = (own.sessions, own.throws);
            play(request, way, &mut engine, first, count, &mut own);
            watch.advanced(own.sessions - before.0, own.throws - before.1);
            if watch.stops() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        own.refusals = engine.seat().refusals().to_vec();
        if let Ok(mut whole) = whole.lock() {
            whole.join(own);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..request.threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let tally = whole.into_inner().unwrap_or_default();
    let states = match way {
        Way::Engine => None,
        Way::Table(table, _) => Some(table.states()),
    };
    let form = if states.is_some() { Form::Tabulated } else { Form::Engine };
    let mut answer = of_tally(request, &tally, form, why);
    answer.partial = tally.sessions < request.sessions;
    answer.states = states;
    (answer.fan, answer.ruin) = along(request, plan);
    answer
}

/// Plays a block of sessions into a tally. By the table, those that fall below its line are played again by the engine from their start.
fn play<S: Strategy>(
    request: &Request<'_, S>,
    way: &Way<'_>,
    engine: &mut Engine<'_, S>,
    first: u64,
    count: u64,
    tally: &mut Tally,
) {
    let plan = &request.plan;
    let by_engine = |engine: &mut Engine<'_, S>, number: u64, tally: &mut Tally| {
        engine.forget();
        let outcome = engine.session(request.seed, number, plan);
        tally.drawdowns.push(outcome.drawdown);
        for (slot, net, resolved) in engine.moved() {
            let own = tally.bets.entry(slot).or_default();
            (own.0, own.1) = (own.0 + net, own.1 + resolved);
        }
        tally.seen += 1;
        outcome
    };
    match way {
        Way::Engine => {
            for number in first..first + count {
                let outcome = by_engine(engine, number, tally);
                tally.add(&outcome);
            }
        }
        Way::Table(table, lookup) => {
            // Below this the rail might not cover what the strategy orders.
            let line = table.need + table.felt - plan.buy_in;
            let deepest = table.turns.iter().flatten().map(|turn| turn.delta).min().unwrap_or(0);
            let line = (deepest.saturating_mul(i64::from(plan.throws)) <= line).then_some(line);
            lookup.sessions(request.seed, first, count, plan, line, |number, outcome| {
                let outcome =
                    if outcome.end == End::Broke { engine.session(request.seed, number, plan) } else { outcome };
                tally.add(&outcome);
            });
            for number in first..(first + count).min(BESIDES) {
                by_engine(engine, number, tally);
            }
        }
    }
}

/// The quantiles that are told.
const QUANTILES: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/// The net result below which a share of sessions lies.
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
    let seen = counted(tally.seen.max(1));
    let mut by_wager: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (slot, (net, resolved)) in &tally.bets {
        let own = by_wager.entry(wager(request.rules, *slot)).or_default();
        (own.0, own.1) = (own.0 + real(*net) / seen, own.1 + real(*resolved) / seen);
    }
    let mut falls = tally.drawdowns.clone();
    falls.sort_unstable();
    let worst = falls.get(falls.len().saturating_sub(1) * 95 / 100).copied();
    let fall = falls.iter().map(|fall| real(*fall)).sum::<f64>() / counted(falls.len().max(1) as u64);
    let mut answer = base(request, form, why, nets);
    answer.sessions = tally.sessions;
    answer.throws = tally.throws;
    answer.p_stop = share(tally.ends[place(End::Stop)]);
    answer.p_goal = share(tally.ends[place(End::Goal)]);
    answer.p_broke = share(tally.ends[place(End::Broke)]);
    answer.throws_mean = counted(tally.throws) / sessions;
    answer.lengths = lengths;
    answer.drawdown = worst.map(|worst| (fall, worst));
    answer.by_wager = by_wager.into_iter().map(|(wager, (net, resolved))| (wager, net, resolved)).collect();
    answer.refusals.clone_from(&tally.refusals);
    answer
}

fn wager(rules: &Rules, slot: SlotId) -> String {
    rules.layout().slot(slot).wager.to_string()
}

/// What follows from the distribution of net results alone.
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
        states: None,
        mean,
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
        fan: Vec::new(),
        ruin: Vec::new(),
        lengths: Vec::new(),
        drawdown: None,
        by_wager: Vec::new(),
        refusals: Vec::new(),
    }
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
    for number in 0..BESIDES.min(50) {
        engine.session(request.seed, number, &request.plan);
    }
    answer.refusals = engine.seat().refusals().to_vec();
    answer
}

/// How many sessions are followed throw by throw for the fan, and at how many throws they are looked at.
const FOLLOWED: u64 = 1_000;
const LOOKS: u32 = 50;

type Fan = Vec<(u32, [i64; 5])>;
type Ruin = Vec<(u32, f64, f64)>;

/// The net result along the way, from some sessions that are followed throw by throw.
fn along<S: Strategy>(request: &Request<'_, S>, plan: &Plan) -> (Fan, Ruin) {
    let mut engine = Engine::new(request.rules, request.strategy);
    let look = (plan.throws / LOOKS).max(1);
    let times: Vec<u32> = (1..=plan.throws).filter(|throw| throw % look == 0 || *throw == plan.throws).collect();
    let mut nets: Vec<Vec<i64>> = vec![Vec::new(); times.len()];
    let mut over = vec![(0u64, 0u64); times.len()];
    let sessions = request.sessions.min(FOLLOWED);
    for number in 0..sessions {
        let mut at = 0;
        let outcome = engine.followed(request.seed, number, plan, |throws, net| {
            if times.get(at) == Some(&throws) {
                nets[at].push(net);
                at += 1;
            }
        });
        // A session that is over keeps what it had.
        for (time, over) in over.iter_mut().enumerate().filter(|(time, _)| times[*time] >= outcome.throws) {
            if time >= at {
                nets[time].push(outcome.net);
            }
            over.0 += u64::from(matches!(outcome.end, End::Stop | End::Broke));
            over.1 += u64::from(outcome.end == End::Goal);
        }
    }
    let share = |count: u64| counted(count) / counted(sessions.max(1));
    let five = |nets: &mut Vec<i64>| {
        nets.sort_unstable();
        [5, 25, 50, 75, 95].map(|percent| nets.get(nets.len().saturating_sub(1) * percent / 100).copied().unwrap_or(0))
    };
    let fan = times.iter().zip(&mut nets).map(|(throw, nets)| (*throw, five(nets))).collect();
    let ruin = times.iter().zip(over).map(|(throw, (down, up))| (*throw, share(down), share(up))).collect();
    (fan, ruin)
}

/// Two ways of playing on the same dice.
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// What the one came to.
    pub one: Answer,
    /// What the other came to.
    pub other: Answer,
    /// The mean of the one's net result less the other's, session by session.
    pub difference_mean: f64,
    /// Its standard deviation.
    pub difference_sd: f64,
}

/// Plays two ways on the same dice, session by session, by the engine.
///
/// # Errors
/// When nothing was asked for.
pub fn duel<A: Strategy, B: Strategy>(
    one: &Request<'_, A>,
    other: &Request<'_, B>,
    watch: &dyn Watch,
) -> Result<Duel, NotRun> {
    let answers = (run(one, watch)?, run(other, watch)?);
    let (mut first, mut second) = (Engine::new(one.rules, one.strategy), Engine::new(other.rules, other.strategy));
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0u64);
    for number in 0..one.sessions.min(other.sessions) {
        let net = first.session(one.seed, number, &one.plan).net - second.session(one.seed, number, &other.plan).net;
        sum += real(net);
        squares += real(net) * real(net);
        count += 1;
        if number % 256 == 0 && watch.stops() {
            break;
        }
    }
    let mean = sum / counted(count.max(1));
    let sd = (squares / counted(count.max(1)) - mean * mean).max(0.0).sqrt();
    Ok(Duel { one: answers.0, other: answers.1, difference_mean: mean, difference_sd: sd })
}
