//! `cargo xtask bench-logs`: what a server and an audit do with logs of different lengths.

use super::figures::Figures;
use super::report::{Report, Row, Section, grouped};
use super::show;
use crate::{capture, say};

/// What `cargo xtask bench-logs --help` prints.
pub(crate) const HELP: &str = "\
cargo xtask bench-logs [--quick] [SIZE…]

Plays a game at one table until its log has 1k, 100k, 1M and 10M rows, or the given numbers of rows. The code of the live table
decides every row; only the way to the database is shorter. Then measures, for each log: the start of a server, the first request
for the table, the lobby, hands and rolls and a game of long ago, the memory that the server has for itself after the start and
after the first request, the size of the database, and the audit: rows per second of one core, of all cores, and the time that an
audit takes that begins where one ended. The figures of each log are compared with those of the shortest one in the same run.

  --quick    1k and 50k rows

10 million rows need about 9 GB of disk in the folder for temporary files, and half an hour. A missed target is no failure, because
machines differ and are shared. A finding of the audit is a failure (exit code 1).";

/// Sizes that are measured if none are named.
const USUAL: [&str; 4] = ["1k", "100k", "1M", "10M"];
const QUICK: [&str; 2] = ["1k", "50k"];
/// How much longer anything may take with a long log than with the shortest one. Below some milliseconds there is only noise.
const SAME: f64 = 3.0;
const NOISE: f64 = 20.0;
/// How much more memory a server may have with a long log.
const MEMORY: f64 = 1.5;
/// Rows that one core should audit in a second.
const AUDIT: f64 = 20_000.0;

/// Reads the words after `bench-logs`. The error is the first unknown word.
pub(crate) fn read(words: &[String]) -> Result<Vec<String>, &str> {
    let own = |sizes: &[&str]| sizes.iter().map(ToString::to_string).collect();
    let is_size = |word: &str| word.trim_end_matches(['k', 'K', 'M']).parse::<u64>().is_ok();
    match words {
        [] => Ok(own(&USUAL)),
        [word] if word == "--quick" => Ok(own(&QUICK)),
        words => match words.iter().find(|word| !is_size(word)) {
            Some(unknown) => Err(unknown),
            None => Ok(words.to_vec()),
        },
    }
}

/// Measures and prints.
pub(crate) fn bench(sizes: &[String]) -> bool {
    say("xtask: playing long games and measuring; this takes minutes after the release build");
    let run = ["run", "--release", "--quiet", "--package", "craps-crowd", "--", "logs"];
    let words: Vec<&str> = run.into_iter().chain(sizes.iter().map(String::as_str)).collect();
    let Some(text) = capture("benchmark of long logs", "cargo", &words, &[]) else { return false };
    show(&report(&Figures::read(&text)).to_string());
    true
}

fn report(figures: &Figures) -> Report {
    let sizes: Vec<&str> = figures.texts("size/rows").collect();
    let first = sizes.first().copied().unwrap_or_default();
    let section = |size: &&str| {
        let count = size.parse().map_or_else(|_| (*size).to_owned(), grouped);
        Section { title: format!("A log of {count} rows"), rows: rows(figures, size, first), note: "" }
    };
    Report(sizes.iter().map(section).collect())
}

fn rows(figures: &Figures, size: &str, first: &str) -> Vec<Row> {
    let number = |name: &str| figures.number(&format!("{size}/{name}"));
    let ratio = |name: &str| figures.ratio(&format!("{size}/{name}"), &format!("{first}/{name}"));
    let plain = |what: &str, name: &str, unit: &str, divisor: f64| {
        let mut row = Row::new(what);
        row.measured = number(name).map(|figure| format!("{} {unit}", grouped(figure / divisor))).unwrap_or_default();
        row
    };
    let beside = |row: Row, name: &str, most: f64, noise: f64| {
        let ratio = ratio(name).filter(|_| size != first);
        Row {
            beside: ratio.map(|ratio| format!("{ratio:.2} x shortest")).unwrap_or_default(),
            wanted: ratio.map(|_| format!("<= {most:.2} x")).unwrap_or_default(),
            holds: ratio.map(|ratio| ratio <= most || number(name).is_some_and(|figure| figure <= noise)),
            ..row
        }
    };
    let time = |what: &str, name: &str| beside(plain(what, name, "ms", 1.0), name, SAME, NOISE);
    let memory = |what: &str, name: &str| beside(plain(what, name, "MB", 1e6), name, MEMORY, 0.0);
    let mut audit = plain("audit, one core", "audit/core", "rows/s", 1.0);
    audit.wanted = format!(">= {}", grouped(AUDIT));
    audit.holds = number("audit/core").map(|rate| rate >= AUDIT);
    let mut all = plain("audit, all cores", "audit/all", "rows/s", 1.0);
    all.beside = number("audit/threads").map(|threads| format!("{threads} threads")).unwrap_or_default();
    vec![
        time("start of the server", "start"),
        time("first request for the table", "touch"),
        time("lobby", "lobby"),
        time("table, again", "look"),
        time("hands, from one of long ago", "hands/far"),
        time("hands after the billionth", "hands/beyond"),
        time("rolls, from one of long ago", "rolls/far"),
        time("rolls after the billionth", "rolls/beyond"),
        time("a game of long ago", "cgn"),
        memory("memory after the start", "memory/start"),
        memory("  after the first request", "memory/touch"),
        memory("  after all of them", "memory/end"),
        audit,
        all,
        plain("audit from where one ended", "audit/since", "ms", 1.0),
        plain("memory of the audit", "memory/audit", "MB", 1e6),
        plain("size of the database", "database", "MB", 1e6),
        plain("rows played", "played", "rows/s", 1.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_unknown_words_named() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            read(&words).map_err(str::to_owned)
        };
        assert_eq!(read(&[]).unwrap_or_default(), USUAL);
        assert_eq!(read(&["--quick"]).unwrap_or_default(), QUICK);
        assert_eq!(read(&["2k", "3M"]).unwrap_or_default(), ["2k", "3M"]);
        assert_eq!(read(&["2k", "--fast"]), Err("--fast".to_owned()));
    }

    #[test]
    fn long_logs_are_held_against_the_shortest() {
        let text = "size/rows\t1000\nsize/rows\t1000000\n1000/start\t50\n1000000/start\t120\n1000/touch\t10\n\
                    1000000/touch\t400\n1000/lobby\t1\n1000000/lobby\t9\n1000000/audit/core\t25000\n\
                    1000/memory/start\t10000000\n1000000/memory/start\t20000000\n";
        let figures = Figures::read(text);
        let rows = rows(&figures, "1000000", "1000");
        let found = |what: &str| rows.iter().find(|row| row.what == what).map(|row| (row.measured.as_str(), row.holds));
        assert_eq!(found("start of the server"), Some(("120 ms", Some(true))));
        assert_eq!(found("first request for the table"), Some(("400 ms", Some(false))));
        assert_eq!(found("lobby"), Some(("9 ms", Some(true))), "nine times a millisecond is noise");
        assert_eq!(found("memory after the start"), Some(("20 MB", Some(false))));
        assert_eq!(found("audit, one core"), Some(("25,000 rows/s", Some(true))));
        let text = report(&figures).to_string();
        assert!(text.contains("A log of 1,000,000 rows") && text.contains("A log of 1,000 rows"), "{text}");
    }
}
