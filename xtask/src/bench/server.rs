//! `cargo xtask bench-server`: how many commands the live table handles, and what happens under overload.

use super::figures::Figures;
use super::report::{Report, Row, Section, grouped};
use super::show;
use crate::{capture, needed, say};

/// What `cargo xtask bench-server --help` prints.
pub(crate) const HELP: &str = "\
cargo xtask bench-server [--quick]

Measures in one run on this machine, with server and bots on the same cores, for SQLite and for PostgreSQL: how many single-row
commits per second the bare database does; how long answers take when 100 tables of 8 bots together send 1,000 commands per second
on a schedule over WebSockets; how many commands per second they do when each bot sends a command after each answer; the same while
every bot has ten commands in progress; and how soon they do as much as before when that is over. An answer on the schedule is
measured from the time when its command was to be sent. Every acknowledged command is looked up in the log, every row that a bot was
sent is compared with the log, and the log is audited. At last, how much memory 1,000 idle tables take.

  --quick    10 tables of 4 bots, 100 commands per second, one second per measurement, 20 idle tables

Bots share an address, so the limit of guests per address is off. The other limits are the defaults: a client can send 50 commands
per second and 200 at once, and the server handles 1,024 commands of all clients at the same time (51 with --quick). A missed time
target is no failure, because machines differ and are shared. A broken promise is a failure (exit code 1).";

/// Factor by which rate and median time may be worse after the overload than before it.
const RECOVERED: f64 = 1.25;
/// What the server has to do, as a multiple of the single-row commits of the bare database.
const BARE: f64 = 3.0;
/// The longest 99th percentile of the answer times on the schedule, in milliseconds.
const SCHEDULED: f64 = 50.0;
/// The part of its work that the server has to do under ten times the load.
const PRESSED: f64 = 0.7;
/// The most seconds until the server does as much as before the overload.
const BACK: f64 = 5.0;
/// The most memory for the idle tables, in MB.
const IDLE: f64 = 100.0;

/// Measures and prints.
pub(crate) fn bench(is_quick: bool) -> bool {
    let postgres = needed("postgresql", "sh", &["-c", crate::HAS_POSTGRES], "the server is also measured on it");
    say("xtask: measuring the server; this takes two or three minutes after the release build");
    // Every command in progress has its own connection, so allow many open files.
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
        let title =
            format!("{name}, {tables} tables of {seats} bots at a server that handles {turns} commands at once");
        Section { title, rows: rows(figures, base), note: "" }
    };
    let tables = figures.text("idle/tables").unwrap_or("?");
    let memory = at_most(plain(figures, "memory", "idle/memory", "MB"), figures.number("idle/memory"), IDLE, "MB");
    let idle = Section { title: format!("{tables} idle tables"), rows: vec![memory], note: "" };
    Report(BASES.iter().map(section).chain([idle]).collect())
}

fn plain(figures: &Figures, what: &str, figure: &str, unit: &str) -> Row {
    let mut row = Row::new(what);
    row.measured = figures.number(figure).map(|figure| format!("{} {unit}", grouped(figure))).unwrap_or_default();
    row
}

/// Holds a figure against a maximum.
fn at_most(mut row: Row, figure: Option<f64>, most: f64, unit: &str) -> Row {
    row.wanted = format!("<= {most:.0} {unit}");
    row.holds = figure.map(|figure| figure <= most);
    row
}

fn rows(figures: &Figures, base: &str) -> Vec<Row> {
    let number = |name: &str| figures.number(&format!("{base}/{name}"));
    let ratio = |of: &str, to: &str| figures.ratio(&format!("{base}/{of}"), &format!("{base}/{to}"));
    let plain = |what: &str, figure: &str, unit: &str| plain(figures, what, &format!("{base}/{figure}"), unit);
    // Compares a figure with another one; the target is a minimum or a maximum ratio.
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
    let commands = plain("commands done and stored", "rate", "/s");
    let mut refused = Row::new("  refused for the moment, by code");
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
    let mut broken = plain("broken promises in all of the above", "broken", "");
    broken.beside = number("rows").map(|rows| format!("in {} rows", grouped(rows))).unwrap_or_default();
    broken.wanted = "0".to_owned();
    broken.holds = number("broken").map(|broken| broken == 0.0);
    let mut read = plain("time to load the longest table", "longest/read", "ms");
    read.beside = number("longest/rows").map(|rows| format!("{} rows", grouped(rows))).unwrap_or_default();
    vec![
        plain("single-row commits of the bare database", "bare", "/s"),
        plain("commands on a schedule", "open/scheduled", "/s"),
        plain("  done and stored", "open/rate", "/s"),
        plain("  answer time, median", "open/p50", "ms"),
        at_most(plain("  answer time, 99th percentile", "open/p99", "ms"), number("open/p99"), SCHEDULED, "ms"),
        beside(commands, ratio("rate", "bare"), "bare", Some(BARE), None),
        plain("  answer time, median", "p50", "ms"),
        plain("  answer time, 99th percentile", "p99", "ms"),
        plain("  CPU time of the server for each", "cpu/server", "us"),
        plain("  CPU time of the bots for each", "cpu/bots", "us"),
        beside(
            plain("ten times as many commands in progress: done", "press/rate", "/s"),
            ratio("press/rate", "rate"),
            before,
            Some(PRESSED),
            None,
        ),
        refused,
        plain("  answer time, median", "press/p50", "ms"),
        plain("  answer time, 99th percentile", "press/p99", "ms"),
        at_most(plain("afterwards: back after", "back", "s"), number("back"), BACK, "s"),
        beside(
            plain("  commands", "after/rate", "/s"),
            ratio("after/rate", "rate"),
            before,
            Some(1.0 / RECOVERED),
            None,
        ),
        beside(
            plain("  answer time, median", "after/p50", "ms"),
            ratio("after/p50", "p50"),
            before,
            None,
            Some(RECOVERED),
        ),
        beside(
            plain("  answer time, 99th percentile", "after/p99", "ms"),
            ratio("after/p99", "p99"),
            before,
            None,
            Some(2.0),
        ),
        broken,
        plain("start of the server", "start", "ms"),
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
        assert_eq!(
            found("commands done and stored"),
            Some(("2,500 /s", Some(false))),
            "2.5 times the bare rate is too little"
        );
        assert_eq!(found("  refused for the moment, by code"), Some(("12,346 busy", Some(true))));
        assert_eq!(found("  commands"), Some(("1,500 /s", Some(false))));
        assert_eq!(found("broken promises in all of the above"), Some(("2 ", Some(false))));
        assert_eq!(found("start of the server"), Some(("", None)));
        let nothing = report(&Figures::default()).to_string();
        assert!(nothing.contains("not measured") && nothing.ends_with("Targets: 0 met, 0 missed."), "{nothing}");
    }
}
