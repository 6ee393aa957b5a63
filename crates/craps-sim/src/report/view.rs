//! The JSON document. Other programs rely on its names: add new ones, but don't rename any.

#![allow(clippy::float_arithmetic, reason = "minor units to dollars")]

use super::bins::{Bins, bins};
use super::figures::MINOR;
use super::values::field;
use super::{Setting, Versus};
use crate::answer::{Answer, DEFINITIONS, Interval, LUCK, real, tidy};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// An answer as a JSON document. Money is in dollars, not in minor units.
#[derive(Debug, Serialize)]
pub struct View {
    form: &'static str,
    sessions: u64,
    throws: u64,
    mean: f64,
    sd: f64,
    p_behind: f64,
    p_stop: f64,
    p_goal: f64,
    throws_mean: f64,
    quantiles: Pairs<f64>,
    edge_by_wager: Pairs<Option<f64>>,
    throws_per_second: Option<f64>,
    states: Option<usize>,
    // The fields above are the stable interface; those below are extra.
    why_form: String,
    strategy: String,
    book: String,
    as_of: String,
    seed: u64,
    asked: u64,
    partial: bool,
    seconds: f64,
    buy_in: f64,
    most_throws: u32,
    stop: Option<f64>,
    goal: Option<f64>,
    p_ahead: f64,
    p_double: f64,
    p_broke: f64,
    loss_per_hour: Option<f64>,
    pace: u32,
    drawdown: Option<Drawdown>,
    net_by_wager: Pairs<f64>,
    resolved_by_wager: Pairs<f64>,
    /// Both ends of each 95 % interval, if the answer was sampled.
    intervals: Pairs<[f64; 2]>,
    refusals: Vec<Refusal>,
    definitions: Vec<&'static str>,
    /// Mean with the luck of each roll taken out, its standard error, and its number of sessions. None if the answer is exact.
    mean_controlled: Option<f64>,
    mean_controlled_error: Option<f64>,
    mean_controlled_sessions: Option<u64>,
    /// Number of sessions behind the drawdown and the figures by wager, and behind the curves.
    sessions_seen: u64,
    sessions_followed: u64,
    notes: Vec<String>,
    command: String,
    curves: Curves,
}

/// Data for the charts.
#[derive(Debug, Serialize)]
struct Curves {
    /// Number of rolls, and the 5, 25, 50, 75 and 95 % quantiles of the net result after them.
    fan: Vec<(u32, [f64; 5])>,
    /// Number of rolls, the share of sessions stopped or broke by then, and the share at the goal.
    ruin: Vec<(u32, f64, f64)>,
    /// Net results in bins.
    histogram: Grouped,
    /// Number of rolls in sessions that ended early, in bins.
    lengths: Grouped,
    /// One session, roll by roll.
    path: Path,
}

/// A distribution in bins of the same width.
#[derive(Debug, Serialize)]
struct Grouped {
    width: f64,
    /// Start and share of each bin.
    bins: Vec<(f64, f64)>,
    /// Shares below the first bin and above the last.
    below: f64,
    above: f64,
}

impl Grouped {
    /// Converts bins. `unit` is how many of the bins' numbers make one of the document's.
    fn new(groups: &Bins, unit: f64) -> Grouped {
        let (below, above) = groups.beyond;
        let bin = |bin: &super::bins::Bin| (tidy(real(bin.from) / unit), bin.share);
        Grouped { width: real(groups.width) / unit, bins: groups.bins.iter().map(bin).collect(), below, above }
    }
}

/// One session, numbered from one: numbers of rolls, and the net result after them.
#[derive(Debug, Serialize)]
struct Path {
    session: u64,
    nets: Vec<(u32, f64)>,
}

fn curves(answer: &Answer) -> Curves {
    /// Maximum number of bins in a chart.
    const MOST: usize = 60;
    let early = answer.lengths.iter().filter(|(throws, _)| *throws < answer.plan.throws);
    let early: Vec<(i64, f64)> = early.map(|(throws, share)| (i64::from(*throws), *share)).collect();
    let money = |net: i64| units(real(net));
    Curves {
        fan: answer.fan.iter().map(|(throw, nets)| (*throw, nets.map(money))).collect(),
        ruin: answer.ruin.clone(),
        histogram: Grouped::new(&bins(&answer.nets, answer.groups(MOST)), MINOR),
        lengths: Grouped::new(&bins(&early, answer.groups(MOST)), 1.0),
        path: Path { session: 1, nets: answer.path.iter().map(|(throw, net)| (*throw, money(*net))).collect() },
    }
}

#[derive(Debug, Serialize)]
struct Drawdown {
    mean: f64,
    worst_of_95: f64,
}

#[derive(Debug, Serialize)]
struct Refusal {
    bet: String,
    message: String,
    cite: String,
}

/// Names and values, serialized as a map in this order.
#[derive(Debug)]
struct Pairs<T>(Vec<(String, T)>);

impl<T: Serialize> Serialize for Pairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

fn units(minor: f64) -> f64 {
    tidy(minor / MINOR)
}

/// Returns the JSON document of an answer.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// let answer = seated.request().run()?;
/// let document = craps_sim::report::view(&answer, &seated.setting(&answer, "my program".into(), 100));
/// // It serializes.
/// fn is_document(_: &impl serde::Serialize) {}
/// is_document(&document);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn view(answer: &Answer, setting: &Setting) -> View {
    let plan = &answer.plan;
    let quantiles = answer.quantiles.iter().map(|(at, net)| (field(*at), units(real(*net)))).collect();
    let by_wager = |of: &dyn Fn(&(String, f64, f64)) -> f64| {
        Pairs(answer.by_wager.iter().map(|wager| (wager.0.clone(), units(of(wager)))).collect())
    };
    View {
        form: answer.form.word(),
        sessions: answer.sessions,
        throws: answer.throws,
        mean: units(answer.mean),
        sd: units(answer.sd),
        p_behind: tidy(answer.p_behind),
        p_stop: tidy(answer.p_stop),
        p_goal: tidy(answer.p_goal),
        throws_mean: answer.throws_mean,
        quantiles: Pairs(quantiles),
        edge_by_wager: Pairs(answer.edges().into_iter().map(|(slug, edge)| (slug.to_owned(), edge)).collect()),
        throws_per_second: answer.throws_per_second(),
        states: answer.states,
        why_form: answer.why_form.clone(),
        strategy: setting.strategy.clone(),
        book: setting.book.clone(),
        as_of: setting.as_of.clone(),
        seed: answer.seed,
        asked: answer.asked,
        partial: answer.partial,
        seconds: answer.seconds,
        buy_in: units(real(plan.buy_in)),
        most_throws: plan.throws,
        stop: plan.stop.map(|stop| units(real(stop))),
        goal: plan.goal.map(|goal| units(real(goal))),
        p_ahead: tidy(answer.p_ahead),
        p_double: tidy(answer.p_double),
        p_broke: tidy(answer.p_broke),
        loss_per_hour: answer.loss_per_hour(setting.pace).map(units),
        pace: setting.pace,
        drawdown: answer.drawdown.map(|(mean, worst)| Drawdown { mean: units(mean), worst_of_95: units(real(worst)) }),
        net_by_wager: by_wager(&|wager| wager.1),
        resolved_by_wager: by_wager(&|wager| wager.2),
        intervals: Pairs(intervals(answer)),
        refusals: answer
            .refusals
            .iter()
            .map(|refused| Refusal {
                bet: refused.bet.clone(),
                message: refused.refusal.sentence(),
                cite: refused.refusal.cites().to_string(),
            })
            .collect(),
        definitions: DEFINITIONS.into_iter().chain(answer.controlled.map(|_| LUCK)).collect(),
        mean_controlled: answer.controlled.map(|controlled| units(controlled.mean)),
        mean_controlled_error: answer.controlled.map(|controlled| units(controlled.error)),
        mean_controlled_sessions: answer.controlled.map(|controlled| controlled.sessions),
        sessions_seen: answer.seen,
        sessions_followed: answer.followed,
        notes: answer.notes.clone(),
        command: setting.command.clone(),
        curves: curves(answer),
    }
}

fn intervals(answer: &Answer) -> Vec<(String, [f64; 2])> {
    let money = |interval: Interval| [units(interval.low), units(interval.high)];
    let plain = |interval: Interval| [interval.low, interval.high];
    let share = |share: f64| answer.share_interval(share).map(plain);
    let all = [
        ("mean", answer.mean_interval().map(money)),
        ("mean_controlled", answer.controlled_interval().map(money)),
        ("sd", answer.sd_interval().map(money)),
        ("p_behind", share(answer.p_behind)),
        ("p_ahead", share(answer.p_ahead)),
        ("p_double", share(answer.p_double)),
        ("p_stop", share(answer.p_stop)),
        ("p_goal", share(answer.p_goal)),
        ("p_broke", share(answer.p_broke)),
        ("throws_mean", answer.throws_interval().map(plain)),
    ];
    let all = all.into_iter().map(|(name, interval)| (name.to_owned(), interval));
    let quantile =
        |(at, _): &(f64, i64)| (format!("quantile_{}", field(*at)), answer.quantile_interval(*at).map(money));
    let seen = answer.seen_intervals.iter().map(|(name, interval)| (name.clone(), Some(money(*interval))));
    let quantiles = answer.quantiles.iter().map(quantile);
    all.chain(quantiles).chain(seen).filter_map(|(name, interval)| Some((name, interval?))).collect()
}

/// A duel as a JSON document.
#[derive(Debug, Serialize)]
pub struct DuelView {
    one: View,
    other: View,
    /// Number of sessions that both played side by side.
    sessions: u64,
    difference_mean: f64,
    difference_sd: f64,
    /// Both ends of the 95 % interval of the difference, if it was sampled.
    difference_interval: Option<[f64; 2]>,
    /// Mean difference with the luck of each roll taken out, its standard error, and its number of sessions.
    difference_controlled: Option<f64>,
    difference_controlled_error: Option<f64>,
    difference_controlled_sessions: Option<u64>,
}

/// Returns the JSON document of a duel.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{Unwatched, duel};
/// use craps_sim::report::{Versus, duel_view};
/// let (one, other) = (seated.request().with_sessions(100).with_seed(1), seated.request().with_sessions(100));
/// let both = duel(&one, &other, &Unwatched)?;
/// let setting = seated.setting(&both.one, "my program".into(), 100);
/// let pair = Versus { one: (&both.one, &setting), other: (&both.other, &setting), difference: both.difference };
/// fn is_document(_: &impl serde::Serialize) {}
/// is_document(&duel_view(&pair));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn duel_view(versus: &Versus<'_>) -> DuelView {
    let (mean, half) = super::charts::difference(versus);
    let controlled = versus.difference.controlled;
    DuelView {
        one: view(versus.one.0, versus.one.1),
        other: view(versus.other.0, versus.other.1),
        sessions: versus.difference.sessions,
        difference_mean: units(mean),
        difference_sd: units(versus.difference.sd),
        difference_interval: (half > 0.0).then(|| [units(mean - half), units(mean + half)]),
        difference_controlled: controlled.map(|controlled| units(controlled.mean)),
        difference_controlled_error: controlled.map(|controlled| units(controlled.error)),
        difference_controlled_sessions: controlled.map(|controlled| controlled.sessions),
    }
}
