//! The figures of an answer, and how numbers are written.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::answer::{Answer, Interval, real};

/// Minor units in one dollar.
pub(super) const MINOR: f64 = 100.0;

/// One figure of an answer, such as "Average result".
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// What it measures.
    pub(super) id: Measure,
    /// Label that players read.
    pub(super) name: String,
    /// Value with its unit.
    pub(super) value: Amount,
    /// 95 % interval. None if the figure is exact.
    pub(super) interval: Option<Interval>,
}

/// What a figure measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measure {
    /// Mean result of a session.
    Mean,
    /// Mean result with the luck of the dice removed.
    MeanWithoutLuck,
    /// Standard deviation of the result.
    Deviation,
    /// Expected loss in an hour.
    LossPerHour,
    /// Share of sessions that ended with a win.
    Ahead,
    /// Share of sessions that ended with a loss.
    Behind,
    /// Share of sessions that doubled the buy-in.
    Doubled,
    /// Share of sessions that ended at the stop.
    Stopped,
    /// Share of sessions that ended at the goal.
    ReachedGoal,
    /// Share of sessions that ended without money.
    Broke,
    /// Mean number of rolls.
    Rolls,
    /// Result that this share of sessions doesn't exceed.
    Quantile(f64),
}

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Amount {
    /// Money in minor units.
    Money(f64),
    /// Money in minor units, precise enough for more digits.
    Fine(f64),
    /// Share of sessions, from 0 to 1.
    Share(f64),
    /// Number of rolls.
    Throws(f64),
}

impl Figure {
    fn new(id: Measure, name: impl Into<String>, value: Amount, interval: Option<Interval>) -> Figure {
        Figure { id, name: name.into(), value, interval }
    }

    /// Returns the value as text, with as many digits as are significant.
    pub(super) fn shown(&self) -> String {
        match (self.value, self.interval.is_some()) {
            (Amount::Money(minor), true) => money(minor),
            (Amount::Money(minor), false) => exact_money(minor),
            (Amount::Fine(minor), _) => fine_money(minor),
            (Amount::Share(share), true) => percent(share, 2),
            (Amount::Share(share), false) => percent(share, 6),
            (Amount::Throws(throws), true) => grouped(throws, 2),
            (Amount::Throws(throws), false) => grouped(throws, 4),
        }
    }

    /// Returns half of the interval as text. None if the figure is exact.
    pub(super) fn error(&self) -> Option<String> {
        let half = self.interval?.half();
        Some(match self.value {
            Amount::Money(_) => grouped(half / MINOR, 2),
            Amount::Fine(_) => grouped(half / MINOR, 4),
            Amount::Share(_) => grouped(half * 100.0, 2),
            Amount::Throws(_) => grouped(half, 2),
        })
    }

    /// Returns both ends of the interval as text.
    pub(super) fn ends(&self) -> Option<(String, String)> {
        let Interval { low, high } = self.interval?;
        Some(match self.value {
            Amount::Money(_) => (money(low), money(high)),
            Amount::Fine(_) => (fine_money(low), fine_money(high)),
            Amount::Share(_) => (percent(low, 2), percent(high, 2)),
            Amount::Throws(_) => (grouped(low, 2), grouped(high, 2)),
        })
    }
}

/// Returns the figures of an answer, the most important first.
pub(super) fn figures(answer: &Answer, pace: u32) -> Vec<Figure> {
    let share =
        |id: Measure, name: &str, share: f64| Figure::new(id, name, Amount::Share(share), answer.share_interval(share));
    let mut figures =
        vec![Figure::new(Measure::Mean, "Average result", Amount::Money(answer.mean), answer.mean_interval())];
    figures.extend(answer.controlled.map(|controlled| {
        Figure::new(
            Measure::MeanWithoutLuck,
            "Average without luck",
            Amount::Fine(controlled.mean),
            answer.controlled_interval(),
        )
    }));
    figures.push(Figure::new(Measure::Deviation, "Standard deviation", Amount::Money(answer.sd), answer.sd_interval()));
    if let Some(loss) = answer.loss_per_hour(pace) {
        let name = format!("Loss per hour of {pace} rolls");
        figures.push(Figure::new(Measure::LossPerHour, name, Amount::Money(loss), answer.loss_per_hour_interval(pace)));
    }
    figures.push(share(Measure::Ahead, "Ended ahead", answer.p_ahead));
    figures.push(share(Measure::Behind, "Ended behind", answer.p_behind));
    figures.push(share(Measure::Doubled, "Doubled the buy-in", answer.p_double));
    if answer.plan.stop.is_some() {
        figures.push(share(Measure::Stopped, "Ended at the stop", answer.p_stop));
    }
    if answer.plan.goal.is_some() {
        figures.push(share(Measure::ReachedGoal, "Ended at the goal", answer.p_goal));
    }
    figures.push(share(Measure::Broke, "Ended broke", answer.p_broke));
    figures.push(Figure::new(
        Measure::Rolls,
        "Average rolls a session",
        Amount::Throws(answer.throws_mean),
        answer.throws_interval(),
    ));
    figures
}

/// Returns the quantiles as figures.
pub(super) fn quantiles(answer: &Answer) -> Vec<Figure> {
    let figure = |(at, net): &(f64, i64)| {
        Figure::new(
            Measure::Quantile(*at),
            quantile_name(*at),
            Amount::Money(real(*net)),
            answer.quantile_interval(*at),
        )
    };
    answer.quantiles.iter().map(figure).collect()
}

/// Returns the label of a quantile: "median" or a percentage.
pub(super) fn quantile_name(at: f64) -> String {
    if at == 0.5 { "median".to_owned() } else { format!("{} %", plain(at * 100.0)) }
}

/// Formats a number without trailing zeros.
pub(super) fn plain(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Formats money to the cent, with the sign before the dollar. From $100,000 on it shows whole dollars.
pub(super) fn money(minor: f64) -> String {
    let places = if minor.abs() >= 100_000.0 * MINOR { 0 } else { 2 };
    signed(minor / MINOR, places)
}

/// Formats money that is known more precisely than to the cent.
pub(super) fn fine_money(minor: f64) -> String {
    signed(minor / MINOR, 4)
}

/// Formats money of an exact answer, to the millionth.
pub(super) fn exact_money(minor: f64) -> String {
    if minor.abs() >= 1e6 * MINOR { signed(minor / MINOR, 2) } else { signed(minor / MINOR, 6) }
}

/// Formats money without cents if it is a whole amount.
pub(super) fn short_money(minor: i64) -> String {
    signed(real(minor) / MINOR, if minor % 100 == 0 { 0 } else { 2 })
}

/// Like [`short_money`], with a plus sign for gains.
pub(super) fn gain(minor: i64) -> String {
    if minor > 0 { format!("+{}", short_money(minor)) } else { short_money(minor) }
}

fn signed(number: f64, places: usize) -> String {
    let text = grouped(number.abs(), places);
    let says_nothing = !text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    if number < 0.0 && !says_nothing { format!("-${text}") } else { format!("${text}") }
}

/// Formats a share as a percentage.
pub(super) fn percent(share: f64, places: usize) -> String {
    format!("{} %", grouped(share * 100.0, places))
}

/// Formats a number with commas between thousands.
pub(super) fn grouped(number: f64, places: usize) -> String {
    if !number.is_finite() {
        return "-".to_owned();
    }
    let text = format!("{:.places$}", number.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut digits = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            digits.push(',');
        }
        digits.push(digit);
    }
    let sign = if number < 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { "-" } else { "" };
    if rest.is_empty() { format!("{sign}{digits}") } else { format!("{sign}{digits}.{rest}") }
}

/// Formats a count with commas between thousands.
pub(super) fn count(number: u64) -> String {
    grouped(crate::answer::counted(number), 0)
}

/// Formats a large number in short, such as "1.2 M".
pub(super) fn rough(number: f64) -> String {
    let scales = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    match scales.iter().find(|(scale, _)| number >= *scale) {
        Some((scale, letter)) => format!("{:.1}{letter}", number / scale),
        None => format!("{number:.0}"),
    }
}

/// Says how many sessions the figures come from, if that isn't the same for all of them.
pub(super) fn rest(answer: &Answer) -> Option<String> {
    if !answer.is_sampled() {
        return None;
    }
    let mut curves = vec!["the curves by roll"];
    if answer.controlled.is_some() {
        curves.insert(0, "the average without luck");
    }
    let by_wager = "the worst drop and the figures by wager";
    let (all, followed) = (count(answer.sessions), count(answer.followed));
    Some(if answer.followed == answer.sessions {
        format!("All figures come from all {all} sessions.")
    } else if answer.seen == answer.followed {
        format!(
            "The first {followed} sessions were followed roll by roll. They give {}, {by_wager}; all other figures come from all {all}.",
            curves.join(", ")
        )
    } else {
        format!(
            "The first {followed} sessions were followed roll by roll. They give {}; all other figures come from all {all}.",
            curves.join(" and ")
        )
    })
}

/// Says what was played: sessions, rolls, buy-in, limits and seed.
pub(super) fn extent(answer: &Answer) -> Vec<String> {
    let plan = &answer.plan;
    let mut parts = Vec::new();
    if answer.is_sampled() {
        let of = if answer.partial { format!(" of {}", count(answer.asked)) } else { String::new() };
        parts.push(format!("{}{of} sessions", count(answer.sessions)));
    } else {
        parts.push("every session".to_owned());
    }
    let most = if plan.stop.is_some() || plan.goal.is_some() { "at most " } else { "" };
    parts.push(format!("{most}{} rolls", count(u64::from(plan.throws))));
    parts.push(format!("buy-in {}", short_money(plan.buy_in)));
    parts.extend(plan.stop.map(|stop| format!("stop {}", short_money(stop))));
    parts.extend(plan.goal.map(|goal| format!("goal {}", gain(goal))));
    if answer.is_sampled() {
        parts.push(format!("seed {}", answer.seed));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::small;

    #[test]
    fn money_has_its_sign_before_the_unit_and_its_thousands_apart() {
        assert_eq!(money(-291.778_5), "-$2.92");
        assert_eq!(money(123_456_789.0), "$1,234,568");
        assert_eq!(money(-0.2), "$0.00");
        assert_eq!(exact_money(-291.778_5), "-$2.917785");
        assert_eq!(short_money(-150_000), "-$1,500");
        assert_eq!(short_money(1_250), "$12.50");
        assert_eq!(gain(30_000), "+$300");
    }

    #[test]
    fn figures_carry_the_digits_they_are_good_for() {
        let sampled = small();
        let mean = &figures(&sampled, 100)[0];
        assert_eq!((mean.shown(), mean.error().unwrap()), ("$0.50".to_owned(), "0.17".to_owned()));
        let exact = Answer { form: crate::answer::Form::Exact, ..sampled };
        let behind = figures(&exact, 100).into_iter().find(|figure| figure.id == Measure::Behind).unwrap();
        assert_eq!((behind.shown(), behind.error()), ("25.000000 %".to_owned(), None));
    }

    #[test]
    fn limits_are_named_only_where_they_are() {
        let mut answer = small();
        assert_eq!(extent(&answer).join(", "), "100 sessions, 10 rolls, buy-in $100, seed 7");
        answer.plan.stop = Some(-5_000);
        answer.partial = true;
        answer.asked = 4_000;
        assert_eq!(
            extent(&answer).join(", "),
            "100 of 4,000 sessions, at most 10 rolls, buy-in $100, stop -$50, seed 7"
        );
    }

    #[test]
    fn what_rests_on_fewer_sessions_says_so() {
        let all = small();
        assert_eq!(rest(&all).unwrap(), "All figures come from all 100 sessions.");
        let engine = Answer { sessions: 50_000, followed: 10_000, seen: 50_000, ..small() };
        assert_eq!(
            rest(&engine).unwrap(),
            "The first 10,000 sessions were followed roll by roll. They give the average without luck and the curves by roll; all other figures come from all 50,000."
        );
        let table = Answer { seen: 10_000, ..engine };
        assert!(
            rest(&table).unwrap().contains("the figures by wager; all other figures come from all 50,000"),
            "{:?}",
            rest(&table)
        );
        assert_eq!(rest(&Answer { form: crate::answer::Form::Exact, ..table }), None);
    }

    #[test]
    fn numbers_lose_digits_that_say_nothing() {
        assert_eq!([5.0, 2.5, 0.0, 99.9].map(plain), ["5", "2.5", "0", "99.9"]);
        assert_eq!(quantile_name(0.5), "median");
        assert_eq!(quantile_name(0.95), "95 %");
        assert_eq!([950.0, 1_234.0, 5.4e7, 2e9].map(rough), ["950", "1.2 k", "54.0 M", "2.0 G"]);
    }
}
