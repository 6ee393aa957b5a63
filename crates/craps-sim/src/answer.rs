//! What a run came to: the result of playing one way at one table many times over, or of solving it.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::control::Controlled;
use crate::engine::Plan;
use craps_table::Refusal;
use std::fmt;

/// How an answer was got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Played throw by throw with the code that settles real games.
    Engine,
    /// Played on a table of all states that the engine can be in.
    Tabulated,
    /// Solved on that table: no dice, no error.
    Exact,
}

impl Form {
    /// Its word, as on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Form::Engine => "engine",
            Form::Tabulated => "tabulated",
            Form::Exact => "exact",
        }
    }
}

/// What a run came to. Money is in minor units, net of the buy-in, with open bets at face value.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Which way it was got.
    pub form: Form,
    /// Why that way.
    pub why_form: String,
    /// How long a session went on.
    pub plan: Plan,
    /// The seed of the dice.
    pub seed: u64,
    /// Sessions that were played to their end; none where it is exact.
    pub sessions: u64,
    /// Sessions that were asked for.
    pub asked: u64,
    /// Was it stopped before all of them were played?
    pub partial: bool,
    /// Throws altogether; none where it is exact.
    pub throws: u64,
    /// How long it took.
    pub seconds: f64,
    /// How long the sessions alone took.
    pub playing: f64,
    /// How many states its table has, where there is one.
    pub states: Option<usize>,
    /// The mean net result.
    pub mean: f64,
    /// The same with the luck of each throw taken out of it; none where it is exact, for no luck is in it.
    pub controlled: Option<Controlled>,
    /// Its standard deviation from session to session.
    pub sd: f64,
    /// The share of sessions that ended below nothing.
    pub p_behind: f64,
    /// The share that ended above nothing.
    pub p_ahead: f64,
    /// The share that ended with twice the buy-in or more.
    pub p_double: f64,
    /// The share that ended at the stop.
    pub p_stop: f64,
    /// The share that ended at the goal.
    pub p_goal: f64,
    /// The share that ended with nothing to bet with.
    pub p_broke: f64,
    /// The mean number of throws of a session.
    pub throws_mean: f64,
    /// Quantiles of the net result: 1 5 10 25 50 75 90 95 99 %.
    pub quantiles: Vec<(f64, i64)>,
    /// Net results and the share of each, lowest first.
    pub nets: Vec<(i64, f64)>,
    /// The sessions that the fan and the ruin curve rest on; none where they are exact.
    pub followed: u64,
    /// After so many throws: the 5 25 50 75 95 % of the net result. A session that is over keeps what it had.
    pub fan: Vec<(u32, [i64; 5])>,
    /// The first session as it went: after so many throws, its net result.
    pub path: Vec<(u32, i64)>,
    /// After so many throws: the share stopped or broke by then, and the share at its goal.
    pub ruin: Vec<(u32, f64, f64)>,
    /// Throws played and the share of sessions, in bins.
    pub lengths: Vec<(u32, f64)>,
    /// The sessions that the worst fall and the figures by wager rest on; none where they are exact.
    pub seen: u64,
    /// The worst fall from a height, where it was sampled: its mean, and what 95 % stay below.
    pub drawdown: Option<(f64, i64)>,
    /// The intervals of the worst fall and of the net result by wager, by the names that the document has for them.
    pub seen_intervals: Vec<(String, Interval)>,
    /// Wager, mean net result per session, and mean stake resolved per session.
    pub by_wager: Vec<(String, f64, f64)>,
    /// What the table refused, once for each rule.
    pub refusals: Vec<Refused>,
    /// What the table has that is not played here.
    pub notes: Vec<String>,
}

/// Something that the table refused, and the bet that it was first said of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The name of the bet.
    pub bet: String,
    /// Why.
    pub refusal: Refusal,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.bet, self.refusal)
    }
}

/// Between these a figure lies, in 95 of 100 samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    pub(crate) fn around(middle: f64, error: f64) -> Interval {
        Interval { low: middle - Z * error, high: middle + Z * error }
    }

    /// Half of its width.
    #[must_use]
    pub fn half(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// How many standard errors hold 95 of 100.
pub(crate) const Z: f64 = 1.959_963_984_540_054;
/// How fast a table is thrown at where nobody says otherwise, in throws per hour.
pub const PACE: u32 = 100;

/// An exact whole number as a float: all counts and amounts here are far below 2^53.
#[must_use]
pub(crate) fn real(number: i64) -> f64 {
    number as f64
}

/// The same of a count.
#[must_use]
pub(crate) fn counted(number: u64) -> f64 {
    number as f64
}

impl Answer {
    /// Was it sampled, so that its figures have an error?
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.form != Form::Exact
    }

    /// The sessions it was sampled from; none where it is exact or nothing was played.
    fn sample(&self) -> Option<f64> {
        (self.is_sampled() && self.sessions > 0).then(|| counted(self.sessions))
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn mean_error(&self) -> Option<f64> {
        self.sample().map(|sample| self.sd / sample.sqrt())
    }

    /// The interval of the mean.
    #[must_use]
    pub fn mean_interval(&self) -> Option<Interval> {
        self.mean_error().map(|error| Interval::around(self.mean, error))
    }

    /// The interval of the mean without luck.
    #[must_use]
    pub fn controlled_interval(&self) -> Option<Interval> {
        self.controlled.map(|controlled| Interval::around(controlled.mean, controlled.error))
    }

    /// The standard error of the standard deviation, by the fourth moment: results of craps are not normal.
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

    /// The interval of the standard deviation.
    #[must_use]
    pub fn sd_interval(&self) -> Option<Interval> {
        self.sd_error().map(|error| Interval::around(self.sd, error))
    }

    /// The interval of a share of sessions, after Wilson: right also where hardly any or nearly all are counted.
    #[must_use]
    pub fn share_interval(&self, share: f64) -> Option<Interval> {
        let sample = self.sample()?;
        let square = Z * Z;
        let middle = (share + square / (2.0 * sample)) / (1.0 + square / sample);
        let inside = share * (1.0 - share) / sample + square / (4.0 * sample * sample);
        let half = Z / (1.0 + square / sample) * inside.max(0.0).sqrt();
        Some(Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
    }

    /// The interval of a quantile, by its rank: no shape of the results is assumed.
    #[must_use]
    pub fn quantile_interval(&self, quantile: f64) -> Option<Interval> {
        let sample = self.sample()?;
        let half = Z * (quantile * (1.0 - quantile) / sample).sqrt();
        let (low, high) = (self.quantile(quantile - half)?, self.quantile(quantile + half)?);
        Some(Interval { low: real(low), high: real(high) })
    }

    /// The lowest net result that this share of sessions does not exceed.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Option<i64> {
        /// Shares that were added up differ from what they add up to by no more.
        const SLACK: f64 = 1e-12;
        let mut sum = 0.0;
        let reached = self.nets.iter().find(|(_, share)| {
            sum += share;
            sum + SLACK >= quantile
        });
        reached.or(self.nets.last()).map(|(net, _)| *net)
    }

    /// The interval of the mean number of throws.
    #[must_use]
    pub fn throws_interval(&self) -> Option<Interval> {
        let sample = self.sample()?;
        let off = |throws: u32| (f64::from(throws) - self.throws_mean).powi(2);
        let variance: f64 = self.lengths.iter().map(|(throws, share)| share * off(*throws)).sum();
        Some(Interval::around(self.throws_mean, (variance / sample).sqrt()))
    }

    /// What an hour costs at so many throws per hour: the mean loss of a throw, times the throws.
    #[must_use]
    pub fn loss_per_hour(&self, pace: u32) -> Option<f64> {
        (self.throws_mean > 0.0).then(|| -self.mean / self.throws_mean * f64::from(pace))
    }

    /// The interval of that; the throws of a session hardly add to it.
    #[must_use]
    pub fn loss_per_hour_interval(&self, pace: u32) -> Option<Interval> {
        let loss = self.loss_per_hour(pace)?;
        Some(Interval::around(loss, self.mean_error()? / self.throws_mean * f64::from(pace)))
    }

    /// What each wager lost of each unit resolved on it; above nothing is for the house.
    #[must_use]
    pub fn edges(&self) -> Vec<(&str, Option<f64>)> {
        let edge = |net: f64, resolved: f64| (resolved > 0.0).then(|| tidy(-net / resolved));
        self.by_wager.iter().map(|(slug, net, resolved)| (slug.as_str(), edge(*net, *resolved))).collect()
    }

    /// Into how many groups its results go in a picture, at most so many: with few sessions more of them would show chance, not shape.
    #[must_use]
    pub(crate) fn groups(&self, most: usize) -> usize {
        match self.sample() {
            None => most,
            // Rice's rule and half as many again.
            Some(sample) => (16..most)
                .find(|groups| real(i64::try_from(*groups).unwrap_or(0)) >= 3.0 * sample.cbrt())
                .unwrap_or(most),
        }
    }

    /// How fast it was played.
    #[must_use]
    pub fn throws_per_second(&self) -> Option<f64> {
        (self.throws > 0 && self.playing > 0.0).then(|| counted(self.throws) / self.playing)
    }
}

/// Nothing has no sign.
pub(crate) fn tidy(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

/// What the figures mean, in sentences: printed with every answer.
pub const DEFINITIONS: [&str; 5] = [
    "A result is net of the buy-in: what is on the rail and on the felt when the session ends, less what was brought.",
    "Bets that are still open when it ends count at face value.",
    "Behind is a net result below nothing, ahead one above nothing; exactly even is neither.",
    "Stop, goal and broke are why a session ended: at its stop, at its goal, or without chips for a bet and none on the felt.",
    "The edge by wager is what was lost of each unit resolved on it within the session; bets returned or still open are left out.",
];

/// What intervals mean.
pub const INTERVALS: &str =
    "Figures after ± are 95 % intervals of the sample; each session is a whole one, and counted once.";

/// What the mean without luck means.
pub const LUCK: &str = "The mean without luck takes from each throw what it brought beyond its exact mean at that moment: in the mean that \
                        is nothing, so it is the same mean, as a rule with far less chance in it.";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An answer with few results: -100 in one of four sessions, else 100.
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
