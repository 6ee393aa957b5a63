//! The simulator's figures, each compared with its target.

use super::figures::Figures;
use super::instructions::{COUNTED, Record, figure};
use std::fmt;
use std::fmt::Write as _;

/// A way to play a strategy, measured in rolls per second. `wanted` is the target and `aim` a later goal, both as multiples of R.
struct Form {
    figure: &'static str,
    what: &'static str,
    wanted: Option<f64>,
    aim: Option<f64>,
}

const fn form(figure: &'static str, what: &'static str, wanted: Option<f64>, aim: Option<f64>) -> Form {
    Form { figure, what, wanted, aim }
}

const R: &str = "rate/r";
const FORMS: &[Form] = &[
    form(R, "R: SmallRng, random_range(0..36)", None, None),
    form("rate/engine/pass/code", "engine, pass, in code", Some(1.0 / 15.0), Some(1.0 / 7.0)),
    form("rate/engine/pass/file", "engine, pass, from its file", None, None),
    form("rate/engine/molly/code", "engine, molly, in code", Some(1.0 / 25.0), Some(1.0 / 12.0)),
    form("rate/engine/molly/file", "engine, molly, from its file", Some(1.0 / 50.0), Some(1.0 / 30.0)),
    form("rate/tabulated/pass", "tabulated, pass", Some(2.0), None),
    form("rate/tabulated/molly", "tabulated, molly", Some(2.0), None),
    form("rate/tabulated/press", "tabulated, press, stop and goal", Some(1.7), None),
];

/// An exact answer: its target time in milliseconds, and figures that other programs found.
struct Answer {
    name: &'static str,
    throws: &'static str,
    below: f64,
    figures: &'static [(&'static str, &'static str, &'static str)],
}

const ANSWERS: &[Answer] = &[
    Answer {
        name: "pass",
        throws: "100 rolls",
        below: 5.0,
        figures: &[("mean", "mean", "-2.917785"), ("sd", "sd", "266.263"), ("behind", "P(behind)", "0.501705342")],
    },
    Answer {
        name: "molly",
        throws: "100 rolls",
        below: 50.0,
        figures: &[("mean", "mean", "-6.936634"), ("sd", "sd", "474.564"), ("behind", "P(behind)", "0.506176342")],
    },
    Answer {
        name: "press",
        throws: "at most 500 rolls",
        below: 300.0,
        figures: &[
            ("mean", "mean", "-33.309336"),
            ("goal", "P(goal)", "0.327918650"),
            ("stop", "P(stop)", "0.394571984"),
            ("throws", "mean rolls", "320.0461"),
        ],
    },
];

const DEFINITIONS: &str = "  pass    10 on the pass line before every come-out roll, with full odds once a point is on
  molly   the same, and while a point is on a come bet of 10 whenever fewer than two come bets are up, each with full odds
          once it has moved to its number; come odds are off on the come-out roll
  press   12 each on the 6 and 8 once a point is on; the first win on each is collected, each of the next four adds 12 to the
          bet, up to 60; another player shoots; stop at -300, goal at +300
  Odds are 3-4-5x, the player never runs out of chips, and open bets at the end count at face value.";

/// Target for how much faster than crapssim a form is.
struct Lead {
    figure: &'static str,
    what: &'static str,
    peer: &'static str,
    wanted: f64,
}

const LEADS: &[Lead] = &[
    Lead { figure: "rate/engine/pass/code", what: "engine, pass, in code", peer: "pass", wanted: 500.0 },
    Lead { figure: "rate/engine/pass/file", what: "engine, pass, from its file", peer: "pass", wanted: 500.0 },
    Lead { figure: "rate/engine/molly/code", what: "engine, molly, in code", peer: "molly", wanted: 1_000.0 },
    Lead { figure: "rate/engine/molly/file", what: "engine, molly, from its file", peer: "molly", wanted: 1_000.0 },
    Lead { figure: "rate/tabulated/pass", what: "tabulated, pass", peer: "pass", wanted: 20_000.0 },
    Lead { figure: "rate/tabulated/molly", what: "tabulated, molly", peer: "molly", wanted: 20_000.0 },
];

/// Target speed-up of two threads over one.
const SECOND_THREAD: f64 = 1.9;

/// One line of the report: label, measured value, comparison, target, and whether the target is met.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) what: String,
    pub(super) measured: String,
    pub(super) beside: String,
    pub(super) wanted: String,
    pub(super) holds: Option<bool>,
}

impl Row {
    pub(super) fn new(what: impl Into<String>) -> Row {
        Row { what: what.into(), ..Row::default() }
    }

    /// Returns the cells as text. A missing value is shown as "not measured".
    fn cells(&self) -> [&str; 5] {
        let verdict = match self.holds {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        let measured = if self.measured.is_empty() { "not measured" } else { &self.measured };
        [&self.what, measured, &self.beside, &self.wanted, verdict]
    }
}

/// Rows under one title, with an optional note below.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
    pub(super) note: &'static str,
}

/// The whole report.
#[derive(Debug)]
pub(super) struct Report(pub(super) Vec<Section>);

impl Report {
    /// Compares figures with their targets.
    pub(super) fn new(figures: &Figures, record: &Record) -> Report {
        let table = figures.text("table").unwrap_or("?");
        let mut sections = vec![
            Section {
                title: "Rolls per second on one core, and as a share or multiple of R".to_owned(),
                rows: FORMS.iter().map(|form| rate(figures, form)).collect(),
                note: "",
            },
            Section {
                title: format!("Exact answers at {table}: time to walk all positions + time to compute the chances"),
                rows: ANSWERS.iter().flat_map(|answer| exact(figures, answer)).collect(),
                note: DEFINITIONS,
            },
            Section {
                title: "The same sessions of molly on two threads compared with one".to_owned(),
                rows: ["engine", "tabulated"].iter().map(|form| threads(figures, form)).collect(),
                note: "",
            },
        ];
        if let Some(version) = figures.text("version/crapssim") {
            sections.push(Section {
                title: format!("Compared with crapssim {version} on the same strategies, rolls per CPU-second"),
                rows: ["pass", "molly"]
                    .iter()
                    .flat_map(|name| peer(figures, name))
                    .chain(LEADS.iter().map(|lead| leads(figures, lead)))
                    .collect(),
                note: "",
            });
        }
        sections.push(Section {
            title: "Instructions per roll of the engine, compared with the record".to_owned(),
            rows: COUNTED.iter().map(|name| instructions(figures, record, name)).collect(),
            note: "",
        });
        Report(sections)
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.0.iter().flat_map(|section| &section.rows)
    }

    /// Returns all figures and judged rows as JSON, for programs.
    pub(super) fn json(&self, figures: &Figures) -> String {
        let numbers: Vec<String> = figures.numbers().map(|(name, value)| format!("    {name:?}: {value:?}")).collect();
        let rows = self.0.iter().flat_map(|section| section.rows.iter().map(|row| (section.title.as_str(), row)));
        let judged = |(title, row): (&str, &Row)| {
            let (Row { measured, beside, wanted, .. }, what, holds) = (row, row.what.trim(), row.holds?);
            Some(format!(
                "    {{\"section\": {title:?}, \"what\": {what:?}, \"measured\": {measured:?}, \"beside\": {beside:?}, \
                 \"wanted\": {wanted:?}, \"holds\": {holds}}}"
            ))
        };
        let wanted: Vec<String> = rows.filter_map(judged).collect();
        format!(
            "{{\n  \"figures\": {{\n{}\n  }},\n  \"wanted\": [\n{}\n  ]\n}}\n",
            numbers.join(",\n"),
            wanted.join(",\n")
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = |cell: usize| self.rows().map(|row| row.cells()[cell].chars().count()).max().unwrap_or(0);
        let (first, second, third, fourth) = (wide(0), wide(1), wide(2), wide(3));
        for section in &self.0 {
            writeln!(f, "\n{}", section.title)?;
            for row in &section.rows {
                let [what, measured, beside, wanted, verdict] = row.cells();
                let line =
                    format!("  {what:<first$}  {measured:>second$}  {beside:>third$}  {wanted:<fourth$}  {verdict}");
                writeln!(f, "{}", line.trim_end())?;
            }
            if !section.note.is_empty() {
                writeln!(f, "{}", section.note)?;
            }
        }
        let count = |wanted: bool| self.rows().filter(|row| row.holds == Some(wanted)).count();
        write!(f, "\nTargets: {} met, {} missed.", count(true), count(false))
    }
}

/// Writes a multiple of R: R/15, 0.9 R or 2 R.
fn of_r(ratio: f64) -> String {
    let (before, figure, after) = if ratio < 0.5 { ("R/", 1.0 / ratio, "") } else { ("", ratio, " R") };
    let text = format!("{figure:.2}");
    format!("{before}{}{after}", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Writes a rounded number with thousands separators: 20,000.
pub(super) fn grouped(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let apart = |(at, digit): (usize, char)| {
        let comma = (at > 0 && (digits.len() - at).is_multiple_of(3)).then_some(',');
        comma.into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(apart).collect()
}

fn rate(figures: &Figures, form: &Form) -> Row {
    let mut row = Row::new(form.what);
    if let Some(rate) = figures.number(form.figure) {
        row.measured = format!("{:.1} M/s", rate / 1e6);
    }
    if let Some(ratio) = figures.ratio(form.figure, R).filter(|_| form.figure != R) {
        row.beside = of_r(ratio);
        row.holds = form.wanted.map(|wanted| ratio >= wanted);
    }
    if let Some(wanted) = form.wanted {
        row.wanted = format!(">= {}", of_r(wanted));
        let _ = form.aim.map(|aim| write!(row.wanted, ", aim {}", of_r(aim)));
    }
    row
}

fn exact(figures: &Figures, answer: &Answer) -> Vec<Row> {
    let number = |figure: &str| figures.number(&format!("exact/{}/{figure}", answer.name));
    let mut time = Row::new(format!("{}, {}", answer.name, answer.throws));
    time.wanted = format!("< {} ms", answer.below);
    if let (Some(walk), Some(carry)) = (number("walk"), number("carry")) {
        let (walk, carry) = (walk * 1e3, carry * 1e3);
        time.measured = format!("{:.2} ms", walk + carry);
        time.beside = format!("{walk:.2} + {carry:.2}");
        time.holds = Some(walk + carry < answer.below);
    }
    let figure = |(figure, name, wanted): &(&str, &str, &str)| {
        let mut row = Row::new(format!("  {}, {name}", answer.name));
        (*wanted).clone_into(&mut row.wanted);
        if let Some(found) = number(figure) {
            let places = wanted.split_once('.').map_or(0, |(_, places)| places.len());
            row.measured = format!("{found:.places$}");
            row.holds = Some(row.measured == *wanted);
        }
        row
    };
    std::iter::once(time).chain(answer.figures.iter().map(figure)).collect()
}

fn threads(figures: &Figures, form: &str) -> Row {
    let mut row = Row::new(form);
    row.wanted = format!(">= {SECOND_THREAD} x");
    let number = |threads: u8| figures.number(&format!("threads/{form}/{threads}"));
    if let (Some(one), Some(two)) = (number(1), number(2)) {
        row.measured = format!("{:.2} x", one / two);
        row.beside = format!("{one:.2} s, {two:.2} s");
        row.holds = Some(one / two >= SECOND_THREAD);
    }
    row
}

/// Returns crapssim's rate, and whether its net result on the same dice equals ours.
fn peer(figures: &Figures, name: &str) -> [Row; 2] {
    let mut rate = Row::new(format!("crapssim, {name}"));
    if let Some(throws) = figures.number(&format!("rate/crapssim/{name}")) {
        rate.measured = format!("{} /s", grouped(throws));
    }
    let mut net = Row::new(format!("  net result on the same dice, {name}"));
    let money = |figure: String| figures.number(&figure).map(|minor| format!("{:+.2}", minor / 100.0));
    let (theirs, ours) = (money(format!("net/crapssim/{name}")), money(format!("net/{name}")));
    net.holds = theirs.is_some().then_some(theirs == ours);
    (net.measured, net.wanted) = (theirs.unwrap_or_default(), ours.unwrap_or_default());
    [rate, net]
}

fn leads(figures: &Figures, lead: &Lead) -> Row {
    let mut row = Row::new(lead.what);
    if let Some(ratio) = figures.ratio(lead.figure, &format!("rate/crapssim/{}", lead.peer)) {
        row.measured = format!("{} x", grouped(ratio));
        row.holds = Some(ratio >= lead.wanted);
    }
    row.wanted = format!(">= {} x", grouped(lead.wanted));
    row
}

fn instructions(figures: &Figures, record: &Record, name: &str) -> Row {
    let mut row = Row::new(name);
    let counted = figures.number(&figure(name));
    if let Some(count) = counted {
        row.measured = format!("{count:.1}");
    }
    if let Some(recorded) = record.of(name) {
        row.beside = format!("{recorded:.1} recorded");
        row.wanted = "at most 5 % above".to_owned();
        row.holds = counted.map(|count| record.allows(name, count));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row<'a>(report: &'a Report, what: &str) -> &'a Row {
        report.rows().find(|row| row.what == what).unwrap_or_else(|| panic!("no row {what}"))
    }

    fn report(text: &str) -> Report {
        Report::new(&Figures::read(text), &Record::default())
    }

    #[test]
    fn shares_and_multiples_of_r_read_as_people_write_them() {
        let shown = [1.0 / 15.0, 1.0 / 26.27, 1.0 / 40.0, 0.9, 1.0, 1.7, 10.0].map(of_r);
        assert_eq!(shown, ["R/15", "R/26.27", "R/40", "0.9 R", "1 R", "1.7 R", "10 R"]);
        assert_eq!([7.4, 999.6, 20_000.0, 1_234_567.0].map(grouped), ["7", "1,000", "20,000", "1,234,567"]);
    }

    #[test]
    fn a_rate_holds_or_misses_by_its_ratio_to_r() {
        let judged = |engine: f64| {
            let report = report(&format!("rate/r\t1e9\nrate/engine/pass/code\t{engine}\n"));
            let row = row(&report, "engine, pass, in code");
            (row.beside.clone(), row.holds)
        };
        assert_eq!(judged(1e8), ("R/10".to_owned(), Some(true)));
        assert_eq!(judged(5e7), ("R/20".to_owned(), Some(false)));
    }

    #[test]
    fn an_exact_answer_is_judged_by_its_time_and_by_every_place_of_its_figures() {
        let report = report(
            "exact/pass/walk\t0.001\nexact/pass/carry\t0.0035\nexact/pass/mean\t-2.9177853917\nexact/pass/sd\t266.2639\n",
        );
        assert_eq!(row(&report, "pass, 100 rolls").holds, Some(true));
        assert_eq!(row(&report, "  pass, mean").holds, Some(true));
        assert_eq!(
            (row(&report, "  pass, sd").holds, row(&report, "  pass, sd").measured.as_str()),
            (Some(false), "266.264")
        );
        let behind = row(&report, "  pass, P(behind)");
        assert_eq!((behind.holds, behind.cells()[1]), (None, "not measured"));
    }

    #[test]
    fn two_threads_are_held_against_one() {
        let report = report(
            "threads/engine/1\t3.0\nthreads/engine/2\t1.5\nthreads/tabulated/1\t1.0\nthreads/tabulated/2\t0.6\n",
        );
        assert_eq!((row(&report, "engine").holds, row(&report, "tabulated").holds), (Some(true), Some(false)));
    }

    #[test]
    fn peers_are_told_where_they_were_measured() {
        let without = report("rate/r\t1e9\n").to_string();
        assert!(!without.contains("crapssim"), "{without}");
        let report = report(
            "rate/engine/pass/code\t3e7\nversion/crapssim\t0.0.1\nrate/crapssim/pass\t1e5\nnet/crapssim/pass\t7000\nnet/pass\t7000\nnet/crapssim/molly\t1\nnet/molly\t2\n",
        );
        let lead = report.rows().filter(|row| row.what == "engine, pass, in code").nth(1);
        assert_eq!(lead.map(|row| (row.measured.as_str(), row.holds)), Some(("300 x", Some(false))));
        assert_eq!(row(&report, "  net result on the same dice, pass").holds, Some(true));
        assert_eq!(row(&report, "  net result on the same dice, molly").holds, Some(false));
    }

    #[test]
    fn rows_are_aligned_and_counted_and_written_for_programs() {
        let figures = Figures::read("rate/r\t1e9\nrate/engine/pass/code\t1e8\nrate/tabulated/pass\t1.5e9\n");
        let report = Report::new(&figures, &Record::default());
        let text = report.to_string();
        let ends: Vec<usize> = text.lines().filter_map(|line| line.find(" M/s")).collect();
        assert!(ends.len() == 3 && ends.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
        assert!(text.ends_with("Targets: 1 met, 1 missed."), "{text}");
        let json = report.json(&figures);
        assert!(json.contains("\"rate/r\": 1000000000.0,"), "{json}");
        assert!(json.contains("\"beside\": \"1.5 R\", \"wanted\": \">= 2 R\", \"holds\": false"), "{json}");
    }
}
