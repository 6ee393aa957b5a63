//! The summary for a terminal: a chart, the figures and the wagers, in a hundred columns and without color.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use super::bins::{Bins, bins};
use super::charts::difference;
use super::draw::Scale;
use super::figures::{
    Figure, MINOR, count, exact_money, extent, figures, fine_money, gain, grouped, money, percent, quantiles, rest,
    rough, short_money,
};
use super::{Setting, Versus};
use crate::answer::{Answer, DEFINITIONS, INTERVALS, LUCK, Z, counted, real};
use crate::control::Controlled;
use crate::run::Difference;
use std::fmt::Write as _;

/// Maximum width of a line.
const WIDTH: usize = 100;
/// Rows and columns of the chart, and the space for its numbers.
const ROWS: u32 = 8;
const COLUMNS: usize = 84;
const MARGIN: usize = 10;

/// Returns the summary of an answer.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// let answer = seated.request().run()?;
/// let text = craps_sim::report::summary(&answer, &seated.setting(&answer, "my program".into(), 100));
/// assert!(text.contains("exact"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn summary(answer: &Answer, setting: &Setting) -> String {
    let mut out = head(answer, setting);
    out.push('\n');
    out.push_str(&chart(answer));
    out.push('\n');
    out.push_str(&table(answer, setting.pace));
    out.push('\n');
    out.push_str(&spread(answer));
    if !answer.by_wager.is_empty() {
        out.push('\n');
        out.push_str(&wagers(answer, setting));
    }
    out.push_str(&refusals(answer));
    out.push('\n');
    out.push_str(&wrapped(&definitions(answer), ""));
    if !setting.command.is_empty() {
        out.push_str(&format!("Run again: {}\n", setting.command));
    }
    out
}

fn head(answer: &Answer, setting: &Setting) -> String {
    let place = format!("{}, {}", setting.book_name, setting.as_of);
    let room = WIDTH.saturating_sub(setting.strategy.chars().count() + place.chars().count());
    let mut out = if room >= 2 {
        format!("{}{}{place}\n", setting.strategy, " ".repeat(room))
    } else {
        format!("{}\n{place}\n", setting.strategy)
    };
    out.push_str(&wrapped(&extent(answer).join(" · "), ""));
    let mut how = format!("{} form: {}", answer.form.word(), answer.why_form);
    if let Some(states) = answer.states {
        how.push_str(&format!("; {} positions", count(u64::try_from(states).unwrap_or(u64::MAX))));
    }
    if let Some(rate) = answer.throws_per_second() {
        how.push_str(&format!("; {} rolls at {} per second", rough(counted(answer.throws)), rough(rate)));
    }
    out.push_str(&wrapped(&how, ""));
    if answer.partial {
        let text = format!(
            "PARTIAL: stopped after {} of {} sessions; only whole sessions count, so the figures aren't biased.",
            count(answer.sessions),
            count(answer.asked)
        );
        out.push_str(&wrapped(&text, ""));
    }
    out
}

/// Draws a histogram with block characters.
fn chart(answer: &Answer) -> String {
    let bins = bins(&answer.nets, answer.groups(COLUMNS));
    let each = (COLUMNS / bins.bins.len().max(1)).clamp(1, 6);
    let highest = bins.highest();
    if highest <= 0.0 {
        return String::new();
    }
    let mut out = String::new();
    for row in (0..ROWS).rev() {
        // The share at the top of the row, labeled on every other row.
        let label = if row % 2 == 1 {
            format!("{} %", plain_share(highest * f64::from(row + 1) / f64::from(ROWS)))
        } else {
            String::new()
        };
        let mut line = format!("{label:>width$} │", width = MARGIN - 2);
        for bin in &bins.bins {
            let level = bin.share / highest * f64::from(ROWS) - f64::from(row);
            let block = block(level, row == 0 && bin.share > 0.0);
            (0..each).for_each(|_| line.push(block));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push_str(&axis(&bins, each, answer));
    out
}

/// Formats a share as a percentage with two significant digits.
fn plain_share(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 10.0 { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

/// Returns a block of a height in eighths. Something that is there is always visible.
fn block(level: f64, is_there: bool) -> char {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let eighths = (0..8u32).filter(|eighth| level * 8.0 >= f64::from(*eighth) + 0.5).count();
    BLOCKS[eighths.max(usize::from(is_there))]
}

/// Draws the axis below the chart, with round amounts.
fn axis(bins: &Bins, each: usize, answer: &Answer) -> String {
    let columns = bins.bins.len() * each;
    let (low, high) = bins.ends();
    let wide = real(i64::try_from(columns).unwrap_or(0));
    let scale = Scale::new(real(low), real(high), 0.0, wide);
    let mut line: Vec<char> = std::iter::once('└').chain(std::iter::repeat_n('─', columns)).collect();
    let mut labels = vec![' '; columns + MARGIN + 20];
    let mut free = 0;
    let about = u32::try_from(columns / 13).unwrap_or(6).max(1);
    for tick in scale.ticks(about) {
        let at = column(scale.place(tick)).min(columns);
        if at > 0 {
            line[at] = '┴';
        }
        let text = gain(whole(tick));
        let start = (MARGIN - 1 + at).saturating_sub(text.chars().count() / 2);
        if start >= free && start + text.chars().count() <= WIDTH {
            for (place, letter) in text.chars().enumerate() {
                labels[start + place] = letter;
            }
            free = start + text.chars().count() + 1;
        }
    }
    let labels: String = labels.into_iter().collect();
    let mut out =
        format!("{:>width$}{}\n{}\n", "", line.iter().collect::<String>(), labels.trim_end(), width = MARGIN - 1);
    let mut notes = format!("each bar is {} wide", short_money(bins.width));
    let (below, above) = bins.beyond;
    if below > 0.0 {
        notes.push_str(&format!("; {} further left", percent(below, 2)));
    }
    if above > 0.0 {
        notes.push_str(&format!("; {} further right", percent(above, 2)));
    }
    let title = if answer.is_sampled() { "net result, share of sessions" } else { "net result, exact probability" };
    out.push_str(&wrapped(&format!("{title}; {notes}"), &" ".repeat(MARGIN)));
    out
}

/// Rounds to a column of the terminal. Places left of the first column count as the first.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and the chart's width")]
fn column(place: f64) -> usize {
    place.round().max(0.0) as usize
}

/// Rounds to the nearest whole number.
#[allow(clippy::cast_possible_truncation, reason = "a saturating cast is fine for a label")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// Formats the figures in two columns.
fn table(answer: &Answer, pace: u32) -> String {
    let mut all: Vec<(String, String)> =
        figures(answer, pace).iter().map(|figure| (figure.name.clone(), told(figure))).collect();
    if let Some((mean, worst)) = answer.drawdown {
        all.push(("Worst drop from a peak".to_owned(), format!("{}, 95 %: {}", money(mean), short_money(worst))));
    }
    let half = all.len().div_ceil(2);
    let (left, right) = all.split_at(half);
    let name = left.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let value = left.iter().map(|(_, value)| value.chars().count()).max().unwrap_or(0);
    let other = right.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (at, (left_name, left_value)) in left.iter().enumerate() {
        let mut line = format!("  {left_name:<name$}  {left_value:<value$}");
        if let Some((right_name, right_value)) = right.get(at) {
            line.push_str(&format!("   {right_name:<other$}  {right_value}"));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Formats a figure with its error.
fn told(figure: &Figure) -> String {
    figure.error().map_or_else(|| figure.shown(), |error| format!("{} ± {error}", figure.shown()))
}

/// Formats the quantiles side by side.
fn spread(answer: &Answer) -> String {
    let all = quantiles(answer);
    let value = |figure: &Figure| match figure.value {
        super::figures::Amount::Money(minor) => short_money(whole(minor)),
        _ => String::new(),
    };
    let cell = |text: String| format!("{text:>10}");
    let names: String = all.iter().map(|figure| cell(figure.name.clone())).collect();
    let values: String = all.iter().map(|figure| cell(value(figure))).collect();
    format!("  Share of sessions that end with this net result or less:\n{names}\n{values}\n")
}

/// Formats the cost of each wager.
fn wagers(answer: &Answer, setting: &Setting) -> String {
    const NAME: usize = 36;
    let header = ["net", "resolved", "edge here", "exact edge"];
    // With a table of positions, bets are only seen in the followed sessions.
    let title = match answer.seen < answer.sessions {
        true => format!("By wager, first {} sessions", count(answer.seen)),
        false => "Per session, by wager".to_owned(),
    };
    let mut out = format!("  {title:<NAME$}");
    header.iter().for_each(|text| out.push_str(&format!("{text:>15}")));
    out.push('\n');
    let money = |minor: f64| if answer.is_sampled() { money(minor) } else { exact_money(minor) };
    for ((slug, net, resolved), (_, edge)) in answer.by_wager.iter().zip(answer.edges()) {
        let name: String = setting.name(slug).chars().take(NAME - 1).collect();
        let exact = setting.wager(slug).and_then(|played| played.edge.clone()).map(|(_, percent)| percent);
        let cells = [
            money(*net),
            money(*resolved),
            edge.map_or(String::new(), |edge| percent(edge, 3)),
            exact.unwrap_or_default(),
        ];
        let cells: String = cells.iter().map(|cell| format!("{cell:>15}")).collect();
        let _ = writeln!(out, "  {name:<NAME$}{}", cells.trim_end());
    }
    out
}

/// Lists what the house refused.
fn refusals(answer: &Answer) -> String {
    if answer.refusals.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n  Refused at this table, each rule once:\n");
    for refusal in &answer.refusals {
        out.push_str(&wrapped(&refusal.to_string(), "    "));
    }
    out
}

fn definitions(answer: &Answer) -> String {
    let mut sentences: Vec<String> = answer.notes.clone();
    sentences.extend(DEFINITIONS.map(str::to_owned));
    if answer.is_sampled() {
        sentences.push(INTERVALS.to_owned());
    }
    if answer.controlled.is_some() {
        sentences.push(LUCK.to_owned());
    }
    sentences.extend(rest(answer));
    sentences.join(" ")
}

/// Returns the comparison of two strategies on the same dice.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// use craps_sim::{Unwatched, duel};
/// use craps_sim::report::{Versus, versus};
/// let (one, other) = (seated.request().with_sessions(100).with_seed(1), seated.request().with_sessions(100));
/// let both = duel(&one, &other, &Unwatched)?;
/// let setting = seated.setting(&both.one, "my program".into(), 100);
/// let pair = Versus { one: (&both.one, &setting), other: (&both.other, &setting), difference: both.difference };
/// assert!(versus(&pair).starts_with("Same dice for both\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn versus(versus: &Versus<'_>) -> String {
    let (one, one_setting) = versus.one;
    let (other, other_setting) = versus.other;
    let mut out = String::from("Same dice for both\n");
    let name = |setting: &Setting| format!("{}, {}", setting.strategy, setting.book);
    let (first, second) = (name(one_setting), name(other_setting));
    let (one_figures, other_figures) = (figures(one, one_setting.pace), figures(other, other_setting.pace));
    let clipped = |text: &str| text.chars().take(32).collect::<String>();
    let _ = writeln!(out, "  {:<30}{:>33}{:>33}", "", clipped(&first), clipped(&second));
    for figure in &one_figures {
        let other = other_figures.iter().find(|other| other.id == figure.id).map(told).unwrap_or_default();
        let _ = writeln!(out, "  {:<30}{:>33}{other:>33}", figure.name, told(figure));
    }
    out.push('\n');
    out.push_str(&wrapped(&verdict(versus), "  "));
    out
}

/// Returns the result of a duel in sentences.
pub(super) fn verdict(versus: &Versus<'_>) -> String {
    let (mean, half) = difference(versus);
    let (one, other) = (versus.one.1, versus.other.1);
    let names = |setting: &Setting| match one.strategy == other.strategy {
        true => setting.book_name.clone(),
        false => setting.strategy.clone(),
    };
    let sampled = versus.one.0.is_sampled() || versus.other.0.is_sampled();
    let shown = if sampled {
        format!("{} ± {}", money(mean), grouped(half / MINOR, 2))
    } else {
        format!("{} exactly", exact_money(mean))
    };
    let Difference { sessions, sd, controlled, .. } = versus.difference;
    let mut told = format!(
        "{} minus {}, session by session on the same dice: {shown} (standard deviation {}, {} sessions side by side).",
        names(one),
        names(other),
        money(sd),
        count(sessions)
    );
    // The estimate with the smaller error decides which one does better.
    let (mut mean, mut half) = (mean, half);
    if let Some(Controlled { mean: without_luck, error, sessions }) = controlled {
        let around = Z * error;
        told.push_str(&format!(
            " Without luck: {} ± {} (the first {} sessions).",
            fine_money(without_luck),
            grouped(around / MINOR, 4),
            count(sessions)
        ));
        if around < half {
            (mean, half) = (without_luck, around);
        }
    }
    let (better, worse) = if mean >= 0.0 { (names(one), names(other)) } else { (names(other), names(one)) };
    if half > 0.0 && mean.abs() <= half {
        format!("{told} The interval contains zero: these sessions don't show which is better.")
    } else if mean == 0.0 {
        format!("{told} On average they do equally well.")
    } else {
        format!("{told} On average {better} does better than {worse}.")
    }
}

/// Breaks a text into lines.
fn wrapped(text: &str, indent: &str) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{indent}{line}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Form;
    use crate::answer::tests::small;
    use crate::report::tests::{played, setting};

    #[test]
    fn a_summary_fits_a_hundred_columns_and_says_what_it_means() {
        let wide = played("press").nets.into_iter().map(|(net, share)| (net, share * 0.9992)).collect::<Vec<_>>();
        let tails = [vec![(-90_000_000, 0.000_4)], wide, vec![(90_000_000, 0.000_4)]].concat();
        let exact = Answer { form: Form::Exact, ..played("molly") };
        for answer in [small(), played("pass"), exact, Answer { nets: tails, sessions: 1_000_000, ..small() }] {
            let text = summary(&answer, &setting());
            for line in text.lines().filter(|line| !line.starts_with("Run again: ")) {
                assert!(line.chars().count() <= WIDTH, "{line}");
                assert_eq!(line, line.trim_end());
            }
            assert!(text.contains("net of the buy-in") && text.contains("face value"), "{text}");
        }
    }

    #[test]
    fn a_run_that_was_stopped_says_so() {
        let answer = Answer { partial: true, asked: 1_000, ..small() };
        let text = summary(&answer, &setting());
        assert!(text.contains("PARTIAL: stopped after 100 of 1,000 sessions"), "{text}");
    }

    #[test]
    fn the_fullest_group_reaches_the_top_and_a_rare_one_is_seen() {
        let nets = vec![(-200, 0.001), (-100, 0.499), (100, 0.5)];
        let chart = chart(&Answer { nets, ..small() });
        let top = chart.lines().next().unwrap();
        assert!(top.contains('█'), "{chart}");
        let bottom = chart.lines().nth(7).unwrap();
        assert!(bottom.contains('▁'), "{chart}");
    }

    #[test]
    fn a_duel_says_whether_it_tells_the_two_apart() {
        let (one, other, setting) = (small(), Answer { mean: 40.0, ..small() }, setting());
        let difference = Difference { sessions: 100, mean: 1_000.0, sd: 100.0, controlled: None };
        let mut duel = Versus { one: (&one, &setting), other: (&other, &setting), difference };
        assert!(verdict(&duel).contains("does better"), "{}", verdict(&duel));
        assert!(verdict(&duel).contains("100 sessions side by side"), "{}", verdict(&duel));
        duel.difference.mean = 10.0;
        assert!(verdict(&duel).contains("don't show which is better"));
        // Without luck the same sessions can show which is better.
        duel.difference.controlled = Some(Controlled { mean: 12.0, error: 1.0, sessions: 100 });
        assert!(verdict(&duel).contains("Without luck: $0.1200 ± 0.0196") && verdict(&duel).contains("does better"));
        assert!(versus(&duel).lines().all(|line| line.chars().count() <= WIDTH));
    }
}
