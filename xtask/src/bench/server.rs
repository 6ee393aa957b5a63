//! `cargo xtask bench-server`: what the live table takes, and what becomes of those it cannot take.

use super::figures::Figures;
use super::report::{Report, Row, Section, grouped};
use super::show;
use crate::{capture, needed, say};

/// What `cargo xtask bench-server --help` prints.
pub(crate) const HELP: &str = "\
cargo xtask bench-server [--quick]

Prints, measured in one run on this machine with server and bots on the same cores, for SQLite and for PostgreSQL: how often the bare database
commits one row in a second; how many commands a second 100 tables of 8 bots have done over WebSockets, each waiting for its answer before
it asks for more, and how long answers take; the same while every bot has ten commands under way; and the same again afterwards. Every command
that was acknowledged is looked for in the log, every row that was told is held against it, and the log is audited.

  --quick    10 tables of 4 bots, a second each

Bots share an address, so guests from one address are not limited; all else is as it usually is: one client may send 50 commands a second and 200
at once, and 1,024 of all clients are being answered at once (51 with --quick). A time that misses what is wanted fails nothing, as machines differ and are shared; a promise that is broken does (exit 1).";

/// How much slower than before things may be once the crowd is small again.
const RECOVERED: f64 = 1.25;

/// Measures and prints.
pub(crate) fn bench(is_quick: bool) -> bool {
    let postgres = needed("postgresql", "sh", &["-c", crate::HAS_POSTGRES], "the server is measured on it too");
    say("xtask: the server: two or three minutes, and building it in release before that");
    // Every command under way has a connection of its own.
    let run = "ulimit -n 20000 2>/dev/null || ulimit -n \"$(ulimit -Hn)\"; \
               exec cargo run --release --quiet --package craps-crowd -- bench";
    let run = if is_quick { format!("{run} quick") } else { run.to_owned() };
    let text = capture("benchmark of the server", "sh", &["-c", &run], &[]);
    let Some(text) = text.filter(|_| postgres) else { return false };
    let figures = Figures::read(&text);
    show(&report(&figures).to_string());
    BASES.iter().all(|(base, _)| figures.number(&format!("{base}/broken")) == Some(0.0))
}

const BASES: [(&str, &str); 2] = [("sqlite", "SQLite"), ("postgresql", "PostgreSQL")];

fn report(figures: &Figures) -> Report {
    let section = |(base, name): &(&str, &str)| {
        let [tables, seats, turns] = ["tables", "seats", "turns"].map(|figure| figures.text(figure).unwrap_or("?"));
        let title = format!("{name}, {tables} tables of {seats} bots at a server that answers {turns} at once");
        Section { title, rows: rows(figures, base), note: "" }
    };
    Report(BASES.iter().map(section).collect())
}

fn rows(figures: &Figures, base: &str) -> Vec<Row> {
    let number = |name: &str| figures.number(&format!("{base}/{name}"));
    let ratio = |of: &str, to: &str| figures.ratio(&format!("{base}/{of}"), &format!("{base}/{to}"));
    let plain = |what: &str, figure: &str, unit: &str| {
        let mut row = Row::new(what);
        row.measured = number(figure).map(|figure| format!("{} {unit}", grouped(figure))).unwrap_or_default();
        row
    };
    // A figure beside another of which it is to be so many times at least, or at most.
    let beside = |mut row: Row, ratio: Option<f64>, of: &str, least: Option<f64>, most: Option<f64>| {
        row.beside = ratio.map(|ratio| format!("{ratio:.2} x {of}")).unwrap_or_default();
        row.wanted = least
            .map(|least| format!(">= {least:.2} x"))
            .or(most.map(|most| format!("<= {most:.2} x")))
            .unwrap_or_default();
        row.holds =
            ratio.map(|ratio| least.is_none_or(|least| ratio >= least) && most.is_none_or(|most| ratio <= most));
        row
    };
    let before = "before";
    let commands = plain("commands, done and durable", "rate", "/s");
    let mut refused = Row::new("  refused for now, by code");
    refused.wanted = "> 0".to_owned();
    let codes = ["busy", "too-many-requests", "store", "closing"].map(|code| {
        let count = |place: &str| number(&format!("{place}/{code}")).unwrap_or(0.0);
        (code, count("press") + count("later"))
    });
    let counted = codes.iter().filter(|(_, count)| *count > 0.0);
    refused.measured =
        counted.map(|(code, count)| format!("{} {code}", grouped(*count))).collect::<Vec<_>>().join(", ");
    if number("press/rate").is_some() {
        refused.holds = Some(codes.iter().any(|(_, count)| *count > 0.0));
    }
    let mut broken = plain("promises broken, of all of the above", "broken", "");
    broken.beside = number("rows").map(|rows| format!("in {} rows", grouped(rows))).unwrap_or_default();
    broken.wanted = "0".to_owned();
    broken.holds = number("broken").map(|broken| broken == 0.0);
    let mut read = plain("longest table, read when asked for", "longest/read", "ms");
    read.beside = number("longest/rows").map(|rows| format!("{} rows", grouped(rows))).unwrap_or_default();
    vec![
        plain("one row a commit, bare database", "bare", "/s"),
        beside(commands, ratio("rate", "bare"), "bare", Some(1.0), None),
        plain("  answers, half of them within", "p50", "ms"),
        plain("  answers, 99 of 100 within", "p99", "ms"),
        plain("ten times as many commands under way: done", "press/rate", "/s"),
        refused,
        plain("  answers, half of them within", "press/p50", "ms"),
        plain("  answers, 99 of 100 within", "press/p99", "ms"),
        beside(
            plain("afterwards: commands", "after/rate", "/s"),
            ratio("after/rate", "rate"),
            before,
            Some(1.0 / RECOVERED),
            None,
        ),
        beside(
            plain("  answers, half of them within", "after/p50", "ms"),
            ratio("after/p50", "p50"),
            before,
            None,
            Some(RECOVERED),
        ),
        beside(
            plain("  answers, 99 of 100 within", "after/p99", "ms"),
            ratio("after/p99", "p99"),
            before,
            None,
            Some(2.0),
        ),
        broken,
        plain("start", "start", "ms"),
        read,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_held_against_what_is_wanted() {
        let text = "tables\t100\nseats\t8\nsqlite/bare\t1000\nsqlite/rate\t2500\nsqlite/p50\t300\nsqlite/p99\t600\n\
                    sqlite/press/rate\t2600\nsqlite/press/busy\t12345\nsqlite/later/busy\t1\nsqlite/after/rate\t1500\n\
                    sqlite/after/p50\t310\nsqlite/rows\t1000\nsqlite/broken\t2\n";
        let rows = rows(&Figures::read(text), "sqlite");
        let found = |what: &str| rows.iter().find(|row| row.what == what).map(|row| (row.measured.as_str(), row.holds));
        assert_eq!(found("commands, done and durable"), Some(("2,500 /s", Some(true))));
        assert_eq!(found("  refused for now, by code"), Some(("12,346 busy", Some(true))));
        assert_eq!(found("afterwards: commands"), Some(("1,500 /s", Some(false))));
        assert_eq!(found("promises broken, of all of the above"), Some(("2 ", Some(false))));
        assert_eq!(found("start"), Some(("", None)));
        let nothing = report(&Figures::default()).to_string();
        assert!(nothing.contains("not measured") && nothing.ends_with("0 hold and 0 are missed."), "{nothing}");
    }
}
