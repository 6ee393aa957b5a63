//! The charts: net results roll by roll, the histogram, sessions that ended early, and session lengths.

#![allow(clippy::float_arithmetic, reason = "places on a drawing")]

use super::bins::bins;
use super::draw::{Anchor, Scale, Svg, apart, escaped, style};
use super::figures::{
    Amount, Figure, Measure, count, extent, figures, gain, grouped, percent, plain, quantile_name, short_money,
};
use super::{Setting, Versus};
use crate::answer::{Answer, Z, counted, real};

/// The area for the curves inside a drawing.
#[derive(Debug, Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Position of a drawing inside another. None if it stands alone.
pub(super) type Place = Option<(f64, f64)>;

fn along(frame: Frame, low: f64, high: f64) -> Scale {
    Scale::new(low, high, frame.left, frame.right - frame.left)
}

/// Returns the space for the numbers on the left of a drawing.
fn margin(scale: &Scale, about: u32, name: &dyn Fn(f64) -> String) -> f64 {
    /// Width of a digit.
    const FIGURE: f64 = 7.2;
    let longest = scale.ticks(about).into_iter().map(|tick| name(tick).chars().count()).max().unwrap_or(0);
    FIGURE * real(i64::try_from(longest).unwrap_or(0)) + 18.0
}

/// Formats a share for an axis.
fn axis_share(share: f64) -> String {
    format!("{} %", plain(share * 100.0))
}

/// Draws lines and numbers on the left.
fn y_axis(svg: &mut Svg, frame: Frame, scale: &Scale, about: u32, name: &dyn Fn(f64) -> String) {
    for tick in scale.ticks(about) {
        let y = scale.place(tick);
        svg.line("hair", (frame.left, y), (frame.right, y));
        svg.text("t2", (frame.left - 8.0, y + 4.0), Anchor::End, &name(tick));
    }
}

/// Draws numbers below.
fn x_axis(svg: &mut Svg, frame: Frame, scale: &Scale, about: u32, name: &dyn Fn(f64) -> String) {
    svg.line("edge", (frame.left, frame.bottom), (frame.right, frame.bottom));
    for tick in scale.ticks(about) {
        let x = scale.place(tick);
        svg.line("edge", (x, frame.bottom), (x, frame.bottom + 4.0));
        svg.text("t2", (x, frame.bottom + 18.0), Anchor::Middle, &name(tick));
    }
}

/// Formats money for an axis, from minor units.
fn axis_money(minor: f64) -> String {
    gain(rounded(minor))
}

/// Rounds to the nearest whole number. Numbers in a drawing are far from the limits of the type.
#[allow(clippy::cast_possible_truncation, reason = "a saturating cast is fine for a label")]
fn rounded(number: f64) -> i64 {
    number.round() as i64
}

/// A hatched fill for the outer band, so that it can be told apart without color.
const HATCH: &str = "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
    patternTransform=\"rotate(45)\"><rect class=\"f1\" width=\"6\" height=\"6\"/>\
    <rect class=\"f1h\" width=\"1.4\" height=\"6\" fill-opacity=\".6\"/></pattern></defs>\n";

/// The quantiles of the five lines of the fan.
const BANDS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Adds the start: the net result is zero before the first roll.
fn from_the_start(fan: &[(u32, [i64; 5])]) -> Vec<(u32, [i64; 5])> {
    let start = fan.first().is_some_and(|(throw, _)| *throw > 0).then_some((0, [0; 5]));
    start.into_iter().chain(fan.iter().copied()).collect()
}

/// Draws the net result by roll: the 5, 25, 50, 75 and 95 % quantiles.
pub(super) fn fan(answer: &Answer, size: (f64, f64), place: Place) -> String {
    let (width, height) = size;
    let (top, bottom) = (14.0, height - 42.0);
    let points = &from_the_start(&answer.fan);
    let last = points.last().map_or(0, |(throw, _)| *throw);
    let limits = [answer.plan.stop, answer.plan.goal].into_iter().flatten();
    let all = points.iter().flat_map(|(_, band)| band.iter().copied()).chain(limits).chain([0]);
    let (low, high) = all.fold((0, 0), |(low, high), net| (net.min(low), net.max(high)));
    let y = Scale::rounded(real(low), real(high), 5, bottom, top - bottom);
    let frame = Frame { left: margin(&y, 5, &axis_money), right: width - 118.0, top, bottom };
    let x = along(frame, 0.0, f64::from(last.max(1)));
    let mut svg = Svg::default();
    svg.raw(HATCH);
    let line = |band: usize| -> Vec<(f64, f64)> {
        points.iter().map(|(throw, nets)| (x.place(f64::from(*throw)), y.place(real(nets[band])))).collect()
    };
    let between = |low: usize, high: usize| -> Vec<(f64, f64)> {
        let mut around = line(high);
        around.extend(line(low).into_iter().rev());
        around
    };
    y_axis(&mut svg, frame, &y, 5, &axis_money);
    svg.raw("<g fill=\"url(#hatch)\">").path("outer", &between(0, 4), true).raw("</g>\n");
    svg.path("f2", &between(1, 3), true);
    svg.path("fl", &line(0), false).path("fl", &line(4), false);
    let even = y.place(0.0);
    svg.line("zero", (frame.left, even), (frame.right, even));
    svg.path("fm", &line(2), false);
    for (limit, class, name) in [(answer.plan.stop, "loss limit", "stop"), (answer.plan.goal, "win limit", "goal")] {
        let Some(limit) = limit else { continue };
        let at = y.place(real(limit));
        svg.line(class, (frame.left, at), (frame.right, at));
        let above = if limit > 0 { -5.0 } else { 14.0 };
        let text = format!("{name} {}", gain(limit));
        svg.text(if limit > 0 { "tw" } else { "tl" }, (frame.left + 8.0, at + above), Anchor::Start, &text);
    }
    x_axis(&mut svg, frame, &x, 7, &|throw| grouped(throw, 0));
    svg.text("t3", (frame.right + 22.0, frame.bottom + 18.0), Anchor::Start, "rolls");
    if let Some((_, nets)) = points.last() {
        let order = [4, 3, 2, 1, 0];
        let places = order.map(|band| y.place(real(nets[band])) + 4.0).to_vec();
        for (place, band) in apart(places, 16.0, frame.top + 4.0, frame.bottom + 2.0).into_iter().zip(order) {
            svg.label((frame.right + 8.0, place), &quantile_name(BANDS[band]), &gain(nets[band]));
        }
    }
    hits(&mut svg, answer, frame, &x, &y);
    let words = format!(
        "Net result by roll: the band that holds 90 of 100 sessions, the one that holds 50, and the median. {}",
        points.last().map_or(String::new(), |(throw, nets)| format!("After {throw} rolls: {}.", told(nets)))
    );
    svg.whole(size, place, &words)
}

fn told(nets: &[i64; 5]) -> String {
    let one = |(band, net): (f64, &i64)| format!("{} {}", quantile_name(band), gain(*net));
    BANDS.into_iter().zip(nets).rev().map(one).collect::<Vec<_>>().join(", ")
}

/// Adds places to hover over: a line through all five curves with their values.
fn hits(svg: &mut Svg, answer: &Answer, frame: Frame, x: &Scale, y: &Scale) {
    const MOST: usize = 90;
    let every = answer.fan.len().div_ceil(MOST).max(1);
    let shown: Vec<&(u32, [i64; 5])> = answer.fan.iter().step_by(every).collect();
    let half = (frame.right - frame.left) / real(i64::try_from(shown.len().max(1)).unwrap_or(1)) / 2.0;
    for (throw, nets) in shown {
        let at = x.place(f64::from(*throw));
        let (from, to) = ((at - half).max(frame.left), (at + half).min(frame.right));
        svg.raw("<g class=\"at\">");
        svg.bar(
            "hit",
            (from, frame.top),
            (to - from, frame.bottom - frame.top),
            &format!("After {throw} rolls\n{}", told(nets).replace(", ", "\n")),
        );
        svg.line("edge cut", (at, frame.top), (at, frame.bottom));
        for net in nets {
            svg.dot("dot", (at, y.place(real(*net))), 3.4);
        }
        svg.raw("</g>\n");
    }
}

/// Draws the histogram of net results.
pub(super) fn histogram(answer: &Answer, size: (f64, f64), place: Place) -> String {
    let (width, height) = size;
    let (top, bottom) = (34.0, height - 30.0);
    let bins = bins(&answer.nets, answer.groups(60));
    let (low, high) = bins.ends();
    let y = Scale::rounded(0.0, bins.highest().max(1e-9), 4, bottom, top - bottom);
    let frame = Frame { left: margin(&y, 4, &axis_share), right: width - 16.0, top, bottom };
    let x = along(frame, real(low), real(high));
    let mut svg = Svg::default();
    y_axis(&mut svg, frame, &y, 4, &axis_share);
    for bin in bins.bins.iter().filter(|bin| bin.share > 0.0) {
        let (from, to) = (x.place(real(bin.from)), x.place(real(bin.from.saturating_add(bins.width))));
        let (gap, top) = (((to - from) * 0.14).min(2.0), y.place(bin.share));
        let last = short_money(bin.from.saturating_add(bins.width));
        let title = format!("{} to below {last}: {}", short_money(bin.from), percent(bin.share, 3));
        let class = if bin.from < 0 { "bb" } else { "ba" };
        svg.bar(class, (from + gap / 2.0, top), (to - from - gap, frame.bottom - top), &title);
    }
    let even = x.place(0.0);
    if (frame.left..=frame.right).contains(&even) {
        svg.line("edge", (even, frame.top - 14.0), (even, frame.bottom));
        let even_or_ahead = 1.0 - answer.p_behind;
        svg.text("t2", (even - 8.0, frame.top - 6.0), Anchor::End, &format!("behind {}", percent(answer.p_behind, 1)));
        let text = format!("even or ahead {}", percent(even_or_ahead, 1));
        svg.text("t2", (even + 8.0, frame.top - 6.0), Anchor::Start, &text);
    }
    x_axis(&mut svg, frame, &x, 6, &axis_money);
    let (below, above) = bins.beyond;
    if below > 0.0 {
        let text = format!("← {} below", percent(below, 3));
        svg.text("t3", (frame.left + 4.0, frame.top + 14.0), Anchor::Start, &text);
    }
    if above > 0.0 {
        svg.text("t3", (frame.right, frame.top + 14.0), Anchor::End, &format!("{} above →", percent(above, 3)));
    }
    let words = format!(
        "Histogram of net results in steps of {}: {} of sessions end behind.",
        short_money(bins.width),
        percent(answer.p_behind, 2)
    );
    svg.whole(size, place, &words)
}

/// Checks whether enough sessions ended early to draw a curve. Otherwise returns a sentence to show instead.
pub(super) fn ends_early(answer: &Answer) -> Result<(), String> {
    /// Only a part of a sample is followed roll by roll, so rarer endings would hardly be seen.
    const RARE: f64 = 0.005;
    let (down, up) = (answer.p_stop + answer.p_broke, answer.p_goal);
    if down <= 0.0 && up <= 0.0 {
        return Err("No session ended at a stop, at a goal or broke.".to_owned());
    }
    if answer.is_sampled() && down.max(up) < RARE {
        let name = if answer.plan.stop.is_some() { "stopped or broke" } else { "broke" };
        let goal = if up > 0.0 { format!(", {} at the goal", percent(up, 2)) } else { String::new() };
        return Err(format!("{} ended {name}{goal}: too few for a curve.", percent(down, 2)));
    }
    Ok(())
}

/// Draws the share of sessions that are stopped or broke, and that have reached their goal, by roll.
pub(super) fn ruin(answer: &Answer, size: (f64, f64), place: Place) -> String {
    let (width, height) = size;
    let (top, bottom) = (14.0, height - 30.0);
    let last = answer.ruin.last().map_or(0, |(throw, ..)| *throw);
    let highest = answer.ruin.iter().map(|(_, gone, there)| gone.max(*there)).fold(0.0, f64::max);
    let y = Scale::rounded(0.0, highest.max(1e-6), 4, bottom, top - bottom);
    let frame = Frame { left: margin(&y, 4, &axis_share), right: width - 132.0, top, bottom };
    let x = along(frame, 0.0, f64::from(last.max(1)));
    let mut svg = Svg::default();
    y_axis(&mut svg, frame, &y, 4, &axis_share);
    let line = |of: &dyn Fn(&(u32, f64, f64)) -> f64| -> Vec<(f64, f64)> {
        answer.ruin.iter().map(|point| (x.place(f64::from(point.0)), y.place(of(point)))).collect()
    };
    let below = |mut line: Vec<(f64, f64)>| {
        let ends = line.first().copied().zip(line.last().copied());
        line.extend(ends.into_iter().flat_map(|(first, last)| [(last.0, frame.bottom), (first.0, frame.bottom)]));
        line
    };
    // No session has ended before the first roll.
    let whole = |line: Vec<(f64, f64)>| [(frame.left, frame.bottom)].into_iter().chain(line).collect::<Vec<_>>();
    let gone = whole(line(&|point| point.1));
    let there = whole(line(&|point| point.2));
    let mut ends = Vec::new();
    if answer.plan.goal.is_some() {
        svg.path("wa", &below(there.clone()), true).path("win", &there, false);
        ends.push((answer.p_goal, "at the goal"));
    }
    svg.path("la", &below(gone.clone()), true).path("loss", &gone, false);
    let name = if answer.plan.stop.is_some() { "stopped or broke" } else { "broke" };
    // These shares come from all sessions; the curve can come from fewer.
    ends.push((answer.p_stop + answer.p_broke, name));
    ends.sort_by(|one, other| other.0.total_cmp(&one.0));
    let places = ends.iter().map(|(share, _)| y.place(*share) + 4.0).collect();
    for (place, (share, name)) in apart(places, 32.0, frame.top + 4.0, frame.bottom - 10.0).into_iter().zip(&ends) {
        svg.text("t1 tb", (frame.right + 8.0, place), Anchor::Start, &percent(*share, 2));
        svg.text("t2", (frame.right + 8.0, place + 15.0), Anchor::Start, name);
    }
    x_axis(&mut svg, frame, &x, 6, &|throw| grouped(throw, 0));
    svg.text("t3", (frame.right + 20.0, frame.bottom + 18.0), Anchor::Start, "rolls");
    let told: Vec<String> = ends.iter().map(|(share, name)| format!("{} {name}", percent(*share, 2))).collect();
    svg.whole(size, place, &format!("Sessions that ended early, by roll; at the end {}.", told.join(", ")))
}

/// Returns the share of sessions that played all their rolls.
pub(super) fn played_out(answer: &Answer) -> f64 {
    answer.lengths.iter().filter(|(throws, _)| *throws >= answer.plan.throws).map(|(_, share)| share).sum()
}

/// Draws the lengths of sessions that ended early. They would be invisible beside those that played all their rolls.
pub(super) fn lengths(answer: &Answer, size: (f64, f64), place: Place) -> String {
    let (width, height) = size;
    let (top, bottom) = (14.0, height - 30.0);
    let early = answer.lengths.iter().filter(|(throws, _)| *throws < answer.plan.throws);
    let early: Vec<(i64, f64)> = early.map(|(throws, share)| (i64::from(*throws), *share)).collect();
    let bins = bins(&early, answer.groups(60));
    let last = i64::from(answer.plan.throws).max(bins.ends().1);
    let y = Scale::rounded(0.0, bins.highest().max(1e-9), 3, bottom, top - bottom);
    let frame = Frame { left: margin(&y, 3, &axis_share), right: width - 70.0, top, bottom };
    let x = along(frame, 0.0, real(last));
    let mut svg = Svg::default();
    y_axis(&mut svg, frame, &y, 4, &axis_share);
    for bin in bins.bins.iter().filter(|bin| bin.share > 0.0) {
        let (from, to) = (x.place(real(bin.from)), x.place(real(bin.from.saturating_add(bins.width))));
        let (gap, top) = (((to - from) * 0.14).min(2.0), y.place(bin.share));
        let title = format!("{} rolls or more, below {}: {}", bin.from, bin.from + bins.width, percent(bin.share, 3));
        svg.bar("bb", (from + gap / 2.0, top), (to - from - gap, frame.bottom - top), &title);
    }
    x_axis(&mut svg, frame, &x, 6, &|throw| grouped(throw, 0));
    svg.text("t3", (frame.right + 20.0, frame.bottom + 18.0), Anchor::Start, "rolls");
    let words = format!(
        "Number of rolls in sessions that ended early; all sessions average {}.",
        grouped(answer.throws_mean, 1)
    );
    svg.whole(size, place, &words)
}

/// Returns the cards above the charts: title, value and note.
pub(super) fn cards(answer: &Answer, pace: u32) -> Vec<(String, String, String)> {
    let all = figures(answer, pace);
    let limits = answer.plan.stop.is_some() || answer.plan.goal.is_some();
    let wanted = if limits {
        [
            (Measure::Mean, "Average result"),
            (Measure::LossPerHour, "Loss per hour"),
            (Measure::Ahead, "Ended ahead"),
            (Measure::ReachedGoal, "Reached the goal"),
            (Measure::Stopped, "Stopped"),
            (Measure::Rolls, "Length of play"),
        ]
    } else {
        [
            (Measure::Mean, "Average result"),
            (Measure::Deviation, "Swing, one sd"),
            (Measure::LossPerHour, "Loss per hour"),
            (Measure::Ahead, "Ended ahead"),
            (Measure::Doubled, "Doubled"),
            (Measure::Broke, "Broke"),
        ]
    };
    let card = |(id, title): (Measure, &str)| {
        let figure = all.iter().find(|figure| figure.id == id)?;
        let value = match figure.value {
            Amount::Money(minor) | Amount::Fine(minor) => super::figures::money(minor),
            Amount::Share(share) => percent(share, 1),
            Amount::Throws(throws) => grouped(throws, 1),
        };
        Some((title.to_owned(), value, under(figure, pace)))
    };
    wanted.into_iter().filter_map(card).collect()
}

/// Returns the small text under a card's number.
fn under(figure: &Figure, pace: u32) -> String {
    let exact = match figure.value {
        Amount::Money(minor) | Amount::Fine(minor) => super::figures::exact_money(minor),
        Amount::Share(share) => percent(share, 6),
        Amount::Throws(throws) => format!("{} rolls", grouped(throws, 4)),
    };
    let error = figure.error().map_or(exact, |error| format!("± {error}"));
    if figure.id == Measure::LossPerHour { format!("{error} · {pace} rolls") } else { error }
}

/// Returns one picture with all charts, to be shown by itself.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// let answer = seated.request().run()?;
/// let picture = craps_sim::report::picture(&answer, &seated.setting(&answer, "my program".into(), 100));
/// assert!(picture.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn picture(answer: &Answer, setting: &Setting) -> String {
    const WIDTH: f64 = 1200.0;
    const EDGE: f64 = 24.0;
    let mut svg = Svg::default();
    let height = 830.0;
    svg.rect("bg", (0.0, 0.0), (WIDTH, height), 0.0);
    svg.text("t1 t0", (EDGE, 44.0), Anchor::Start, &setting.strategy);
    let mut under = vec![format!("{}, {}", setting.book_name, setting.as_of)];
    under.extend(extent(answer));
    under.push(format!("{} form", answer.form.word()));
    svg.text("t2", (EDGE, 66.0), Anchor::Start, &under.join(" · "));
    if answer.partial {
        let text = format!("stopped after {} of {} sessions", count(answer.sessions), count(answer.asked));
        svg.text("tl tb", (WIDTH - EDGE, 44.0), Anchor::End, &text);
    }
    let cards = cards(answer, setting.pace);
    let wide = (WIDTH - EDGE * 2.0 - 12.0 * 5.0) / 6.0;
    let mut left = EDGE;
    for (title, value, note) in cards {
        svg.rect("box", (left, 84.0), (wide, 78.0), 12.0);
        svg.text("t3 tc", (left + 14.0, 106.0), Anchor::Start, &title.to_uppercase());
        svg.text("t1 tv", (left + 14.0, 131.0), Anchor::Start, &value);
        svg.text("t3", (left + 14.0, 150.0), Anchor::Start, &note);
        left += wide + 12.0;
    }
    let (middle, half) = (WIDTH / 2.0, (WIDTH - EDGE * 2.0 - 12.0) / 2.0);
    svg.rect("box", (EDGE, 174.0), (WIDTH - EDGE * 2.0, 352.0), 12.0);
    svg.text("t1 th", (EDGE + 16.0, 200.0), Anchor::Start, "Net result by roll");
    svg.raw(&fan(answer, (WIDTH - EDGE * 2.0 - 16.0, 312.0), Some((EDGE + 4.0, 210.0))));
    svg.rect("box", (EDGE, 538.0), (half, 262.0), 12.0);
    svg.text("t1 th", (EDGE + 16.0, 564.0), Anchor::Start, "Net results");
    svg.raw(&histogram(answer, (half - 16.0, 220.0), Some((EDGE + 4.0, 572.0))));
    svg.rect("box", (middle + 6.0, 538.0), (half, 262.0), 12.0);
    svg.text("t1 th", (middle + 22.0, 564.0), Anchor::Start, "Sessions that ended early");
    match ends_early(answer) {
        Ok(()) => svg.raw(&ruin(answer, (half - 16.0, 220.0), Some((middle + 10.0, 572.0)))),
        Err(words) => svg.text("t2", (middle + 22.0, 594.0), Anchor::Start, &words),
    };
    svg.text("t3", (EDGE, 818.0), Anchor::Start, &setting.command);
    let words = format!("{}: results of sessions", setting.strategy);
    let whole = svg.whole((WIDTH, height), None, &words);
    whole.replacen("\">\n", &format!("\">\n<title>{}</title>\n<style>{}</style>\n", escaped(&words), style()), 1)
}

/// Returns the mean difference of two on the same dice, and half of its interval, which is zero if both are exact.
pub(super) fn difference(versus: &Versus<'_>) -> (f64, f64) {
    let (one, other) = (versus.one.0, versus.other.0);
    if !one.is_sampled() && !other.is_sampled() {
        return (one.mean - other.mean, 0.0);
    }
    (versus.difference.mean, Z * versus.difference.sd / counted(versus.difference.sessions.max(1)).sqrt())
}
