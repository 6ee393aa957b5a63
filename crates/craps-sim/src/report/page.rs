//! The self-contained HTML page: no scripts, and nothing to download.

#![allow(clippy::float_arithmetic, reason = "lengths of bars")]

use super::charts::{cards, ends_early, fan, histogram, lengths, played_out, ruin};
use super::draw::{escaped, style};
use super::figures::{
    count, exact_money, extent, figures, grouped, money, percent, quantiles, rest, rough, short_money,
};
use super::text::verdict;
use super::{Setting, Versus};
use crate::answer::{Answer, DEFINITIONS, INTERVALS, LUCK, counted};
use crate::language::{Keyword, keyword, uncommented};
use std::fmt::Write as _;

/// Returns the page of an answer, or of two on the same dice.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// let answer = seated.request().run()?;
/// let page = craps_sim::report::page(&answer, &seated.setting(&answer, "my program".into(), 100), None);
/// assert!(page.starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn page(answer: &Answer, setting: &Setting, against: Option<&Versus<'_>>) -> String {
    let title = escaped(&setting.strategy);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Boxperson lab</title>\n\
         <style>\n{STYLE}{}</style>\n</head>\n<body>\n",
        style()
    );
    out.push_str(&header(answer, setting));
    out.push_str("<main>\n");
    out.push_str(&row_of_cards(answer, setting));
    out.push_str("<div class=\"cols\">\n<div class=\"wide\">\n");
    out.push_str(&charts(answer));
    if let Some(versus) = against {
        out.push_str(&duel(versus));
    }
    out.push_str(&table_of_figures(answer, setting));
    out.push_str(&table_of_quantiles(answer));
    out.push_str("</div>\n<div class=\"side\">\n");
    out.push_str(&strategy(setting));
    out.push_str(&wagers(answer, setting));
    out.push_str(&refusals(answer));
    out.push_str(&house(answer, setting));
    out.push_str(&law(setting));
    out.push_str("</div>\n</div>\n");
    out.push_str(&footer(answer, setting));
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// A panel with a heading and a remark beside it.
fn panel(title: &str, remark: &str, body: &str) -> String {
    let remark =
        if remark.is_empty() { String::new() } else { format!("<span class=\"muted\">{}</span>", escaped(remark)) };
    format!("<section class=\"panel\"><div class=\"hd\"><h2>{}</h2>{remark}</div>\n{body}</section>\n", escaped(title))
}

/// The logo: a die on a green square.
const MARK: &str = "<svg viewBox=\"0 0 24 24\" width=\"24\" height=\"24\" aria-hidden=\"true\"><rect width=\"24\" height=\"24\" rx=\"6\" fill=\"#0E5747\"/>\
<rect x=\"5\" y=\"5\" width=\"14\" height=\"14\" rx=\"3\" fill=\"none\" stroke=\"#F4EDDF\" stroke-width=\"1.6\"/>\
<circle cx=\"9\" cy=\"9\" r=\"1.4\" fill=\"#F4EDDF\"/><circle cx=\"12\" cy=\"12\" r=\"1.4\" fill=\"#FFD27A\"/><circle cx=\"15\" cy=\"15\" r=\"1.4\" fill=\"#F4EDDF\"/></svg>";

fn header(answer: &Answer, setting: &Setting) -> String {
    let mut out = format!(
        "<header><div class=\"brand\">{MARK}Boxperson <span>lab</span></div>\n<h1>{}</h1>\n<p class=\"about\">{}</p>\n<ul class=\"pills\">\n",
        escaped(&setting.strategy),
        escaped(&setting.about)
    );
    let mut pills = vec![format!("{}, {}", setting.book_name, setting.as_of)];
    pills.extend(extent(answer));
    for pill in pills {
        let _ = writeln!(out, "<li>{}</li>", escaped(&pill));
    }
    let _ = writeln!(out, "<li class=\"on\">{} form</li>\n</ul>", answer.form.word());
    if answer.partial {
        let _ = writeln!(
            out,
            "<p class=\"partial\"><b>Partial.</b> Stopped after {} of {} sessions. Only whole sessions count, so the figures \
             aren't biased; their intervals are wider.</p>",
            count(answer.sessions),
            count(answer.asked)
        );
    }
    out.push_str("</header>\n");
    out
}

fn row_of_cards(answer: &Answer, setting: &Setting) -> String {
    let mut out = String::from("<div class=\"cards\">\n");
    for (title, value, note) in cards(answer, setting.pace) {
        let _ = writeln!(
            out,
            "<div class=\"panel card\"><h3>{}</h3><b>{}</b><span>{}</span></div>",
            escaped(&title),
            escaped(&value),
            escaped(&note)
        );
    }
    out.push_str("</div>\n");
    out
}

fn charts(answer: &Answer) -> String {
    let key = "<ul class=\"key\"><li><i class=\"k1\"></i>the middle 90 % of sessions</li><li><i class=\"k2\"></i>the middle 50 %</li>\
               <li><i class=\"k3\"></i>median</li><li><i class=\"k4\"></i>even</li></ul>\n";
    let of = match answer.followed < answer.sessions {
        true => format!("; the first {} sessions", count(answer.followed)),
        false => String::new(),
    };
    let mut out = panel(
        "Net result by roll",
        &format!("chips in the rail and on the felt, minus the buy-in; a finished session keeps its result{of}"),
        &format!("<div class=\"scroll\">{}</div>{key}", fan(answer, (860.0, 360.0), None)),
    );
    let mut pair = panel("Net results", "share of sessions", &histogram(answer, (450.0, 240.0), None));
    let over = match ends_early(answer) {
        Ok(()) => ruin(answer, (450.0, 240.0), None),
        Err(words) => format!("<p class=\"body\">{}</p>\n", escaped(&words)),
    };
    pair.push_str(&panel("Sessions that ended early", &format!("by roll{of}"), &over));
    let _ = write!(out, "<div class=\"pair\">\n{pair}</div>\n");
    // If nearly all sessions play all their rolls, there is nothing to see.
    if answer.lengths.len() > 1 && played_out(answer) < 0.98 {
        let all = percent(played_out(answer), 1);
        let mean = grouped(answer.throws_mean, 1);
        let mean = format!("{mean} rolls on average; {all} play all {}, the others:", answer.plan.throws);
        out.push_str(&panel(
            "Length of play",
            &mean,
            &format!("<div class=\"scroll\">{}</div>", lengths(answer, (860.0, 180.0), None)),
        ));
    }
    out
}

fn duel(versus: &Versus<'_>) -> String {
    let (one, other) = (versus.one, versus.other);
    let name = |setting: &Setting| format!("{}, {}", setting.strategy, setting.book_name);
    let mut out = format!(
        "<div class=\"scroll\"><table><thead><tr><th></th><th class=\"n\">{}</th><th class=\"n\">{}</th></tr></thead><tbody>\n",
        escaped(&name(one.1)),
        escaped(&name(other.1))
    );
    let others = figures(other.0, other.1.pace);
    for figure in figures(one.0, one.1.pace) {
        let second = others.iter().find(|other| other.id == figure.id).map(|other| other.shown()).unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&figure.name),
            escaped(&figure.shown()),
            escaped(&second)
        );
    }
    let _ = writeln!(out, "</tbody></table></div>\n<p class=\"body\">{}</p>", escaped(&verdict(versus)));
    panel("Same-dice duel", "the first minus the second, session by session", &out)
}

fn table_of_figures(answer: &Answer, setting: &Setting) -> String {
    let sampled = answer.is_sampled();
    let ends = if sampled { "<th class=\"n\" colspan=\"2\">95 % interval</th>" } else { "" };
    let mut out = format!(
        "<div class=\"scroll\"><table><thead><tr><th>Figure</th><th class=\"n\">Value</th>{ends}</tr></thead><tbody>\n"
    );
    for figure in figures(answer, setting.pace) {
        let ends = figure.ends().map_or(String::new(), |(low, high)| {
            format!("<td class=\"n muted\">{}</td><td class=\"n muted\">{}</td>", escaped(&low), escaped(&high))
        });
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\"><b>{}</b></td>{ends}</tr>",
            escaped(&figure.name),
            escaped(&figure.shown())
        );
    }
    if let Some((mean, worst)) = answer.drawdown {
        let ends = if sampled { "<td colspan=\"2\"></td>" } else { "" };
        let _ = writeln!(
            out,
            "<tr><td>Worst drop from a peak, average</td><td class=\"n\"><b>{}</b></td>{ends}</tr>\n\
             <tr><td>Worst drop in 95 % of sessions, at most</td><td class=\"n\"><b>{}</b></td>{ends}</tr>",
            escaped(&money(mean)),
            escaped(&short_money(worst))
        );
    }
    out.push_str("</tbody></table></div>\n");
    panel("Figures", if sampled { "sampled" } else { "exact" }, &out)
}

fn table_of_quantiles(answer: &Answer) -> String {
    let all = quantiles(answer);
    let mut out = String::from("<div class=\"scroll\"><table class=\"quantiles\"><thead><tr>");
    all.iter().for_each(|figure| {
        let _ = write!(out, "<th class=\"n\">{}</th>", escaped(&figure.name));
    });
    out.push_str("</tr></thead><tbody>\n<tr>");
    for (_, net) in &answer.quantiles {
        let _ = write!(out, "<td class=\"n\"><b>{}</b></td>", escaped(&short_money(*net)));
    }
    out.push_str("</tr>\n");
    if answer.is_sampled() {
        out.push_str("<tr>");
        for figure in &all {
            let (low, high) = figure.interval.map_or((0.0, 0.0), |interval| (interval.low, interval.high));
            let _ = write!(
                out,
                "<td class=\"n muted\">{} to {}</td>",
                escaped(&money(low).replace(".00", "")),
                escaped(&money(high).replace(".00", ""))
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    panel("Quantiles", "share of sessions that end with this or less", &out)
}

/// Shows the strategy file with its words highlighted.
fn strategy(setting: &Setting) -> String {
    let mut out = String::from("<ol class=\"code\">\n");
    let mut is_told = false;
    for line in setting.text.trim_end().lines() {
        let goes_on = line.starts_with(char::is_whitespace);
        is_told = if goes_on { is_told } else { keyword(line).is_some_and(|key| !key.is_clause) };
        // `about` and `from` can run over several lines.
        let shown = if goes_on && is_told { escaped(line) } else { marked(line) };
        let _ = writeln!(out, "<li>{shown}</li>");
    }
    out.push_str("</ol>\n");
    panel("Strategy", "", &out)
}

/// Highlights a line of a strategy: words that begin a clause in one color, words that state a fact in another, and orders.
fn marked(line: &str) -> String {
    let code = uncommented(line);
    let remark = &line[code.len()..];
    let mut out = match keyword(code) {
        Some(Keyword { span, is_clause }) => {
            let class = if is_clause { "when" } else { "fact" };
            let (before, after) = (&code[..span.start], escaped(&code[span.end..]));
            format!("{before}<i class=\"{class}\">{}</i>{after}", escaped(&code[span]))
        }
        None => {
            let order = code.trim_start();
            let space = &code[..code.len() - order.len()];
            if space.is_empty() || order.is_empty() {
                escaped(code)
            } else {
                format!("{space}<i class=\"say\">{}</i>", escaped(order))
            }
        }
    };
    if !remark.is_empty() {
        let _ = write!(out, "<i class=\"note\">{}</i>", escaped(remark));
    }
    if out.is_empty() { "&nbsp;".to_owned() } else { out }
}

fn wagers(answer: &Answer, setting: &Setting) -> String {
    if answer.by_wager.is_empty() {
        return String::new();
    }
    let most = answer.by_wager.iter().map(|(_, net, _)| net.abs()).fold(0.0, f64::max).max(1e-9);
    // A tooltip shows all digits of an exact answer.
    let told = |minor: f64| if answer.is_sampled() { String::new() } else { exact_money(minor) };
    let mut out = String::from(
        "<div class=\"scroll\"><table><thead><tr><th>Wager</th><th class=\"n\">Resolved</th><th class=\"n\">Edge</th><th class=\"n\">Net</th></tr></thead><tbody>\n",
    );
    for ((slug, net, resolved), (_, edge)) in answer.by_wager.iter().zip(answer.edges()) {
        let exact = setting.wager(slug).and_then(|played| played.edge.as_ref());
        let exact = exact.map_or(String::new(), |(fraction, percent)| {
            format!("<small title=\"exact edge per bet made\">{} = {}</small>", escaped(fraction), escaped(percent))
        });
        let edge = edge.map_or("–".to_owned(), |edge| percent(edge, 3));
        let _ = writeln!(
            out,
            "<tr><td>{}<span class=\"bar {}\" style=\"width:{:.1}%\"></span></td><td class=\"n\">{}</td><td class=\"n\">{edge}{exact}</td><td class=\"n\" title=\"{}\"><b>{}</b></td></tr>",
            escaped(setting.name(slug)),
            if *net < 0.0 { "lost" } else { "won" },
            (net.abs() / most * 100.0).clamp(0.0, 100.0),
            escaped(&money(*resolved)),
            escaped(&told(*net)),
            escaped(&money(*net))
        );
    }
    let (net, resolved) = answer.by_wager.iter().fold((0.0, 0.0), |(net, all), wager| (net + wager.1, all + wager.2));
    let part = match answer.seen < answer.sessions {
        true => format!(
            " From the first {} sessions, which the engine also played: the sum differs from the average result by chance.",
            count(answer.seen)
        ),
        false => String::new(),
    };
    let _ = writeln!(
        out,
        "<tr class=\"sum\"><td>All</td><td class=\"n\">{}</td><td class=\"n\"></td><td class=\"n\"><b>{}</b></td></tr>\n</tbody></table></div>\n\
         <p class=\"body muted\">Edge: the share lost of the money resolved in the session. Below it, if all such bets have the same edge, \
         the exact edge per bet made.{part}</p>",
        escaped(&money(resolved)),
        escaped(&money(net))
    );
    panel("Expected loss by wager", "per session", &out)
}

fn refusals(answer: &Answer) -> String {
    if answer.refusals.is_empty() {
        return String::new();
    }
    let mut out = String::from("<ul class=\"body\">\n");
    for refused in &answer.refusals {
        let cites: String = refused.refusal.cites().iter().map(|cite| cited(cite.as_str())).collect();
        let _ = writeln!(
            out,
            "<li><b>{}</b>: {} {cites}</li>",
            escaped(&refused.bet),
            escaped(&refused.refusal.sentence())
        );
    }
    out.push_str("</ul>\n");
    panel("Refused at this table", "each rule once", &out)
}

fn cited(cite: &str) -> String {
    format!("<span class=\"cite\">{}</span> ", escaped(cite))
}

fn house(answer: &Answer, setting: &Setting) -> String {
    let mut out = String::from("<dl>\n");
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
    };
    row("Book", &format!("{} ({})", setting.book_name, setting.book));
    row("Date", &setting.as_of);
    for (key, value) in &setting.house {
        row(key, value);
    }
    row("Method", &format!("{} form: {}", answer.form.word(), answer.why_form));
    if let Some(states) = answer.states {
        row("Positions", &count(u64::try_from(states).unwrap_or(u64::MAX)));
    }
    if let Some(rate) = answer.throws_per_second() {
        row("Rolls", &format!("{} at {} per second", rough(counted(answer.throws)), rough(rate)));
    }
    out.push_str("</dl>\n");
    panel("Table", "", &out)
}

fn law(setting: &Setting) -> String {
    if setting.wagers.iter().all(|played| played.cites.is_empty()) {
        return String::new();
    }
    let mut out = String::from("<dl class=\"law\">\n");
    for played in setting.wagers.iter().filter(|played| !played.cites.is_empty()) {
        let _ = write!(out, "<dt>{}</dt><dd>", escaped(&played.name));
        for same in played.cites.chunk_by(|(_, one), (_, other)| one == other) {
            let of = same.first().map_or("", |(_, of)| of);
            let cites: String = same.iter().map(|(cite, _)| cited(cite)).collect();
            let _ = write!(out, "<span class=\"pairing\">{} {cites}</span> ", escaped(of));
        }
        out.push_str("</dd>\n");
    }
    out.push_str("</dl>\n");
    panel("Law of the wagers played", &setting.as_of, &out)
}

fn footer(answer: &Answer, setting: &Setting) -> String {
    let mut out = String::from("<footer>\n<h2>What the figures mean</h2>\n<ul>\n");
    let sampled = answer.is_sampled().then_some(INTERVALS).into_iter().chain(answer.controlled.map(|_| LUCK));
    let rest = rest(answer);
    let notes = answer.notes.iter().map(String::as_str);
    for sentence in notes.chain(DEFINITIONS).chain(sampled).chain(rest.as_deref()) {
        let _ = writeln!(out, "<li>{}</li>", escaped(sentence));
    }
    let _ = writeln!(
        out,
        "</ul>\n<h2>Run it again</h2>\n<pre>{}</pre>\n<p class=\"muted\">Practice money. No strategy changes the house edge of a bet.</p>\n</footer>",
        escaped(&setting.command).replace("−$", "-$")
    );
    out
}

const STYLE: &str = include_str!("page.css");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::small;
    use crate::language::KEYS;
    use crate::report::tests::{played, setting};

    #[test]
    fn a_page_fetches_nothing_and_runs_nothing() {
        for answer in [small(), played("pass")] {
            let page = page(&answer, &setting(), None);
            let without_names = page.replace("http://www.w3.org/2000/svg", "");
            for word in ["<script", "http:", "https:", "url(h", "@import", "<link", "<img", "src="] {
                assert!(!without_names.contains(word), "{word}");
            }
            assert!(page.contains("prefers-color-scheme:dark"));
        }
    }

    #[test]
    fn every_mark_that_is_opened_is_closed() {
        let page = page(&played("press"), &setting(), None);
        for mark in [
            "section", "table", "tr", "td", "svg", "g", "ul", "ol", "li", "div", "dl", "dt", "dd", "span", "i", "b",
            "text",
        ] {
            let opened = page.matches(&format!("<{mark}>")).count() + page.matches(&format!("<{mark} ")).count();
            let closed = page.matches(&format!("</{mark}>")).count();
            assert_eq!(opened, closed, "{mark}");
        }
    }

    #[test]
    fn what_a_file_says_is_shown_and_never_obeyed() {
        let mut setting = setting();
        setting.strategy = "<script>alert(1)</script>".to_owned();
        setting.text = "when <b>coming out</b>\n    <i>pass</i> # \"quoted\" & <u>".to_owned();
        setting.command = "boxperson sim 'a<b'".to_owned();
        let page = page(&small(), &setting, None);
        for mark in ["<script", "<b>coming", "<u>", "<i>pass"] {
            assert!(!page.contains(mark), "{mark}");
        }
    }

    #[test]
    fn clauses_and_orders_are_set_apart() {
        assert_eq!(marked("when coming out"), "<i class=\"when\">when</i> coming out");
        assert_eq!(marked("    pass for unit"), "    <i class=\"say\">pass for unit</i>");
        assert_eq!(marked("unit 10"), "<i class=\"fact\">unit</i> 10");
        assert_eq!(marked(""), "&nbsp;");
        assert_eq!(marked("quit when net < 0"), "<i class=\"when\">quit when</i> net &lt; 0");
        assert_eq!(marked("at most 3 bets per shooter"), "<i class=\"fact\">at most</i> 3 bets per shooter");
        assert_eq!(
            marked("    otherwise if a#b: pass # c"),
            "    <i class=\"when\">otherwise if</i> a#b: pass <i class=\"note\"># c</i>"
        );
    }

    #[test]
    fn every_keyword_of_the_language_is_highlighted_and_no_other_word() {
        const INNER_KEYS: [&str; 3] = ["if", "otherwise", "otherwise if"];
        for key in KEYS {
            let shown = marked(&format!("{key} x"));
            assert!(shown.ends_with(&format!(">{key}</i> x")), "{shown}");
        }
        for key in INNER_KEYS {
            assert_eq!(marked(&format!("  {key} x")), format!("  <i class=\"when\">{key}</i> x"));
        }
        for word in ["bets", "list", "or", "at", "quit", "if"] {
            assert_eq!(marked(&format!("{word} x")), format!("{word} x"));
        }
        for word in KEYS.into_iter().filter(|key| !INNER_KEYS.contains(key)).chain(["bets", "list", "or"]) {
            assert_eq!(marked(&format!("  {word} x")), format!("  <i class=\"say\">{word} x</i>"));
        }
    }
}
