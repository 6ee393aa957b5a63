//! The results of a run: a strategy played many times at one table, or solved exactly.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::control::Controlled;
use crate::engine::Plan;
use craps_table::Refusal;
use std::fmt;

/// How an answer was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Played roll by roll with the code that settles real games.
    Engine,
    /// Played on a table of all positions that the engine can be in.
    Tabulated,
    /// Solved on that table: no dice and no error.
    Exact,
}

impl Form {
    /// Returns the name of the form, as on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Form::Engine => "engine",
            Form::Tabulated => "tabulated",
            Form::Exact => "exact",
        }
    }
}

/// The results of a run. Money is in minor units, net of the buy-in, with open bets at face value.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// How the answer was computed.
    pub form: Form,
    /// Why this form was used.
    pub why_form: String,
    /// Buy-in and limits of each session.
    pub plan: Plan,
    /// Seed of the dice.
    pub seed: u64,
    /// Number of sessions played. Zero in an exact answer.
    pub sessions: u64,
    /// Number of sessions requested.
    pub asked: u64,
    /// True if the run was stopped before all of them were played.
    pub partial: bool,
    /// Total number of rolls. Zero in an exact answer.
    pub throws: u64,
    /// Duration of the run in seconds.
    pub seconds: f64,
    /// Time spent on playing sessions, in seconds.
    pub playing: f64,
    /// Number of positions in the table. None without a table.
    pub states: Option<usize>,
    /// Mean net result of a session.
    pub mean: f64,
    /// Mean with the luck of each roll taken out. None in an exact answer, which has no luck in it.
    pub controlled: Option<Controlled>,
    /// Standard deviation of the net result from session to session.
    pub sd: f64,
    /// Share of sessions that ended below zero.
    pub p_behind: f64,
    /// Share of sessions that ended above zero.
    pub p_ahead: f64,
    /// Share of sessions that ended with twice the buy-in or more.
    pub p_double: f64,
    /// Share of sessions that ended at the stop.
    pub p_stop: f64,
    /// Share of sessions that ended at the goal.
    pub p_goal: f64,
    /// Share of sessions that ended without chips for a bet.
    pub p_broke: f64,
    /// Mean number of rolls in a session.
    pub throws_mean: f64,
    /// Quantiles of the net result: 1, 5, 10, 25, 50, 75, 90, 95 and 99 %.
    pub quantiles: Vec<(f64, i64)>,
    /// Each net result with its share of sessions, lowest first.
    pub nets: Vec<(i64, f64)>,
    /// Number of sessions behind the fan and the ruin curve. Zero in an exact answer.
    pub followed: u64,
    /// Number of rolls, and the 5, 25, 50, 75 and 95 % quantiles of the net result after them. A finished session keeps its result.
    pub fan: Vec<(u32, [i64; 5])>,
    /// The first session: number of rolls, and the net result after them.
    pub path: Vec<(u32, i64)>,
    /// Number of rolls, the share of sessions stopped or broke by then, and the share at the goal.
    pub ruin: Vec<(u32, f64, f64)>,
    /// Number of rolls, and the share of sessions that took this many.
    pub lengths: Vec<(u32, f64)>,
    /// Number of sessions behind the worst drop and the figures by wager. Zero in an exact answer.
    pub seen: u64,
    /// Worst drop from a peak: its mean, and the drop that 95 % of sessions don't exceed. None in an exact answer.
    pub drawdown: Option<(f64, i64)>,
    /// Intervals of the worst drop and of the net result by wager, with the names they have in the JSON document.
    pub seen_intervals: Vec<(String, Interval)>,
    /// Slug of the wager, mean net result per session, and mean stake resolved per session.
    pub by_wager: Vec<(String, f64, f64)>,
    /// What the table refused, each rule once.
    pub refusals: Vec<Refused>,
    /// Features of the table that the simulation leaves out.
    pub notes: Vec<String>,
}

/// A refusal by the table, and the first bet it applied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Name of the bet.
    pub bet: String,
    /// What the table said, with its citations.
    pub refusal: Refusal,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.bet, self.refusal)
    }
}

/// A 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    pub(crate) fn around(middle: f64, error: f64) -> Interval {
        Interval { low: middle - Z * error, high: middle + Z * error }
    }

    /// Returns half of the width.
    #[must_use]
    pub fn half(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Standard errors on each side of a 95 % interval.
pub(crate) const Z: f64 = 1.959_963_984_540_054;
/// Default pace of a table, in rolls per hour.
pub const PACE: u32 = 100;

/// Converts a whole number to a float. It is exact, because all counts and amounts here are far below 2^53.
#[must_use]
pub(crate) fn real(number: i64) -> f64 {
    number as f64
}

/// Converts a count to a float, like [`real`].
#[must_use]
pub(crate) fn counted(number: u64) -> f64 {
    number as f64
}

impl Answer {
    /// Returns true if the answer comes from a sample, so that its figures have an error.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.form != Form::Exact
    }

    /// Returns the number of sessions in the sample. None if the answer is exact or no session was played.
    fn sample(&self) -> Option<f64> {
        (self.is_sampled() && self.sessions > 0).then(|| counted(self.sessions))
    }

    /// Returns the standard error of the mean.
    #[must_use]
    pub fn mean_error(&self) -> Option<f64> {
        self.sample().map(|sample| self.sd / sample.sqrt())
    }

    /// Returns the interval of the mean.
    #[must_use]
    pub fn mean_interval(&self) -> Option<Interval> {
        self.mean_error().map(|error| Interval::around(self.mean, error))
    }

    /// Returns the interval of the mean without luck.
    #[must_use]
    pub fn controlled_interval(&self) -> Option<Interval> {
        self.controlled.map(|controlled| Interval::around(controlled.mean, controlled.error))
    }

    /// Returns the standard error of the standard deviation. It uses the fourth moment, because craps results aren't normal.
    #[must_use]
    pub fn sd_error(&self) -> Option<f64> {
        let sample = self.sample()?;
        if self.sd <= 0.0 {
            return Some(0.0);
        }
        let square = self.sd * self.sd;
        let fourth: f64 = self.nets.iter().map(|(net, share)| share * (real(*net) - self.mean).powi(4)).sum();
        Some(((fourth - square * square).max(0.0) / sample).sqrt() / (2.0 * self.sd))
    }

    /// Returns the interval of the standard deviation.
    #[must_use]
    pub fn sd_interval(&self) -> Option<Interval> {
        self.sd_error().map(|error| Interval::around(self.sd, error))
    }

    /// Returns the Wilson interval of a share of sessions. It also works for shares close to 0 and 1.
    #[must_use]
    pub fn share_interval(&self, share: f64) -> Option<Interval> {
        let sample = self.sample()?;
        let square = Z * Z;
        let middle = (share + square / (2.0 * sample)) / (1.0 + square / sample);
        let inside = share * (1.0 - share) / sample + square / (4.0 * sample * sample);
        let half = Z / (1.0 + square / sample) * inside.max(0.0).sqrt();
        Some(Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
    }

    /// Returns the interval of a quantile by its rank, without assuming a shape of the distribution.
    #[must_use]
    pub fn quantile_interval(&self, quantile: f64) -> Option<Interval> {
        let sample = self.sample()?;
        let half = Z * (quantile * (1.0 - quantile) / sample).sqrt();
        let (low, high) = (self.quantile(quantile - half)?, self.quantile(quantile + half)?);
        Some(Interval { low: real(low), high: real(high) })
    }

    /// Returns the lowest net result that at least this share of sessions doesn't exceed.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Option<i64> {
        /// Allows for rounding errors in sums of shares.
        const SLACK: f64 = 1e-12;
        let mut sum = 0.0;
        let reached = self.nets.iter().find(|(_, share)| {
            sum += share;
            sum + SLACK >= quantile
        });
        reached.or(self.nets.last()).map(|(net, _)| *net)
    }

    /// Returns the interval of the mean number of rolls.
    #[must_use]
    pub fn throws_interval(&self) -> Option<Interval> {
        let sample = self.sample()?;
        let off = |throws: u32| (f64::from(throws) - self.throws_mean).powi(2);
        let variance: f64 = self.lengths.iter().map(|(throws, share)| share * off(*throws)).sum();
        Some(Interval::around(self.throws_mean, (variance / sample).sqrt()))
    }

    /// Returns the loss per hour at this many rolls per hour: the mean loss per roll, times the rolls.
    #[must_use]
    pub fn loss_per_hour(&self, pace: u32) -> Option<f64> {
        (self.throws_mean > 0.0).then(|| -self.mean / self.throws_mean * f64::from(pace))
    }

    /// Returns the interval of the loss per hour. It ignores the error of the session length, which hardly matters.
    #[must_use]
    pub fn loss_per_hour_interval(&self, pace: u32) -> Option<Interval> {
        let loss = self.loss_per_hour(pace)?;
        Some(Interval::around(loss, self.mean_error()? / self.throws_mean * f64::from(pace)))
    }

    /// Returns the share lost of the money resolved on each wager. Positive is in favor of the house. None if nothing was resolved.
    #[must_use]
    pub fn edges(&self) -> Vec<(&str, Option<f64>)> {
        let edge = |net: f64, resolved: f64| (resolved > 0.0).then(|| tidy(-net / resolved));
        self.by_wager.iter().map(|(slug, net, resolved)| (slug.as_str(), edge(*net, *resolved))).collect()
    }

    /// Returns the number of groups for a chart, at most `most`. With few sessions, more groups would show chance instead of shape.
    #[must_use]
    pub(crate) fn groups(&self, most: usize) -> usize {
        match self.sample() {
            None => most,
            // One and a half times Rice's rule.
            Some(sample) => (16..most)
                .find(|groups| real(i64::try_from(*groups).unwrap_or(0)) >= 3.0 * sample.cbrt())
                .unwrap_or(most),
        }
    }

    /// Returns the rolls played per second. None if no time was measured.
    #[must_use]
    pub fn throws_per_second(&self) -> Option<f64> {
        (self.throws > 0 && self.playing > 0.0).then(|| counted(self.throws) / self.playing)
    }
}

/// Turns negative zero into zero.
pub(crate) fn tidy(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

/// Sentences that say what the figures mean. They are printed with every answer.
pub const DEFINITIONS: [&str; 5] = [
    "Results are net of the buy-in: chips in the rail and on the felt when the session ends, minus the buy-in.",
    "Bets still open at the end count at face value.",
    "Behind means a net result below zero, ahead means above zero; exactly even is neither.",
    "Stop, goal and broke say why a session ended: at its stop, at its goal, or without chips for a bet and with none on the felt.",
    "The edge by wager is the share lost of the money resolved on it in the session; bets returned or still open don't count.",
];

/// Explains intervals.
pub const INTERVALS: &str = "Figures after ± are 95 % intervals of the sample; each whole session counts once.";

/// Explains the average without luck.
pub const LUCK: &str = "The average without luck takes out of each roll the difference between its result and its exact average at that \
                        moment. That difference averages zero, so the average stays the same, usually with a much smaller error.";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An answer with two results: -100 in one of four sessions, 100 in the others.
    pub(crate) fn small() -> Answer {
        Answer {
            form: Form::Engine,
            why_form: "asked for".to_owned(),
            plan: Plan { buy_in: 10_000, throws: 10, stop: None, goal: None },
            seed: 7,
            sessions: 100,
            asked: 100,
            partial: false,
            throws: 1_000,
            seconds: 0.5,
            playing: 0.5,
            states: None,
            mean: 50.0,
            controlled: Some(Controlled { mean: 48.0, error: 0.5, sessions: 100 }),
            sd: 86.602_540_378_443_86,
            p_behind: 0.25,
            p_ahead: 0.75,
            p_double: 0.0,
            p_stop: 0.0,
            p_goal: 0.0,
            p_broke: 0.0,
            throws_mean: 10.0,
            quantiles: [1, 5, 10, 25, 50, 75, 90, 95, 99]
                .map(|percent| (f64::from(percent) / 100.0, if percent <= 25 { -100 } else { 100 }))
                .to_vec(),
            nets: vec![(-100, 0.25), (100, 0.75)],
            followed: 100,
            fan: vec![(0, [0; 5]), (10, [-100, -100, 100, 100, 100])],
            path: vec![(10, 100)],
            ruin: vec![(0, 0.0, 0.0), (10, 0.0, 0.0)],
            lengths: vec![(10, 1.0)],
            seen: 100,
            drawdown: None,
            seen_intervals: Vec::new(),
            by_wager: vec![("pass".to_owned(), 50.0, 500.0), ("field".to_owned(), 0.0, 0.0)],
            refusals: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn errors_shrink_with_the_root_of_the_sample() {
        let answer = small();
        near(answer.mean_error().unwrap(), 8.660_254_037_844_386);
        let more = Answer { sessions: 400, ..answer };
        near(more.mean_error().unwrap(), 4.330_127_018_922_193);
    }

    #[test]
    fn the_error_of_the_deviation_follows_the_fourth_moment() {
        // Two values, p = 1/4 and 3/4, 200 apart: fourth moment 200^4 pq(1 - 3pq), square of the variance 200^4 (pq)^2.
        let (answer, pq) = (small(), 3.0 / 16.0);
        let variance_of_square = 200f64.powi(4) * (pq * (1.0 - 3.0 * pq) - pq * pq) / 100.0;
        near(answer.sd_error().unwrap(), variance_of_square.sqrt() / (2.0 * answer.sd));
    }

    #[test]
    fn an_exact_answer_has_no_intervals() {
        let exact = Answer { form: Form::Exact, sessions: 0, throws: 0, ..small() };
        assert_eq!(exact.mean_interval(), None);
        assert_eq!(exact.sd_interval(), None);
        assert_eq!(exact.share_interval(0.25), None);
        assert_eq!(exact.quantile_interval(0.5), None);
        assert_eq!(exact.throws_interval(), None);
        assert_eq!(exact.throws_per_second(), None);
    }

    #[test]
    fn a_share_of_nothing_still_has_an_interval() {
        let none = small().share_interval(0.0).unwrap();
        // Wilson: z^2 / (n + z^2).
        near(none.low, 0.0);
        near(none.high, Z * Z / (100.0 + Z * Z));
        let all = small().share_interval(1.0).unwrap();
        near(all.low, 1.0 - none.high);
        near(all.high, 1.0);
    }

    #[test]
    fn quantiles_are_results_that_happened() {
        let answer = small();
        assert_eq!([0.0, 0.25, 0.26, 1.0].map(|at| answer.quantile(at).unwrap()), [-100, -100, 100, 100]);
        assert_eq!(answer.quantile_interval(0.25).unwrap(), Interval { low: -100.0, high: 100.0 });
    }

    #[test]
    fn an_edge_is_of_what_was_resolved_and_nothing_resolved_has_none() {
        assert_eq!(small().edges(), [("pass", Some(-0.1)), ("field", None)]);
    }

    #[test]
    fn an_hour_costs_the_throws_of_an_hour() {
        let answer = small();
        near(answer.loss_per_hour(100).unwrap(), -500.0);
        near(answer.loss_per_hour_interval(100).unwrap().half(), Z * 86.602_540_378_443_86);
        assert_eq!(Answer { throws_mean: 0.0, ..answer }.loss_per_hour(100), None);
    }
}
