//! Reports of answers: a terminal summary, a drawing, a page, CSV and JSON.
//!
//! Everything here is text made from an [`Answer`] and its [`Setting`]. This module computes no results.
//!
//! `figures` lists the figures and formats numbers, `bins` groups results, `draw` makes lines and axes, `charts` the charts, `text` the terminal
//! summary, `page` the self-contained page, `values` the CSV lines, `game` a session in the notation, and `view` the JSON document.

mod bins;
mod charts;
mod draw;
mod figures;
mod game;
mod page;
mod text;
mod values;
mod view;

pub use charts::picture;
pub use game::{NotWritten, Told, game};
pub use page::page;
pub use text::{summary, versus};
pub use values::{distribution, session_header, session_line};
pub use view::{DuelView, View, duel_view, view};

use crate::answer::Answer;
use crate::run::Difference;

/// What an answer is about: everything a report shows besides the figures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Setting {
    /// Name of the strategy.
    pub strategy: String,
    /// How it is played, from the strategy file.
    pub about: String,
    /// Where it comes from, from the strategy file.
    pub from: String,
    /// Text of the strategy file.
    pub text: String,
    /// Id of the book, such as "nj".
    pub book: String,
    /// Full name of the book.
    pub book_name: String,
    /// Date of the rules.
    pub as_of: String,
    /// The house's settings: key and value.
    pub house: Vec<(String, String)>,
    /// Command that gives the same answer again.
    pub command: String,
    /// Rolls per hour.
    pub pace: u32,
    /// The wagers that were played.
    pub wagers: Vec<Played>,
}

/// A wager that was played: its name, edge and citations at this table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Played {
    /// Slug of the wager, such as "place-win-6".
    pub slug: String,
    /// Legal name of the wager.
    pub name: String,
    /// Exact edge per bet made, as a fraction and as a percentage. None if the edge isn't the same for all such bets.
    pub edge: Option<(String, String)>,
    /// Citations: the section, and the topic it is cited for.
    pub cites: Vec<(String, String)>,
}

impl Setting {
    fn wager(&self, slug: &str) -> Option<&Played> {
        self.wagers.iter().find(|played| played.slug == slug)
    }

    /// Returns the name of a wager, or its slug if the name isn't known.
    fn name<'a>(&'a self, slug: &'a str) -> &'a str {
        self.wager(slug).map_or(slug, |played| &played.name)
    }
}

/// Two strategies on the same dice, or one strategy at two tables, as reports need them.
#[derive(Debug, Clone, Copy)]
pub struct Versus<'a> {
    /// Results and setting of the first.
    pub one: (&'a Answer, &'a Setting),
    /// Results and setting of the second.
    pub other: (&'a Answer, &'a Setting),
    /// The first minus the second.
    pub difference: Difference,
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::float_arithmetic, reason = "statistics")]

    use super::*;
    use crate::answer::{Form, counted, real};
    use crate::engine::{End, Engine, Plan, Reads, Rules, Seat, Strategy};
    use craps_law::{HouseRules, Library};
    use craps_table::SlotId;
    use craps_wagers::Phase;
    use std::collections::BTreeMap;

    /// The pass line with maximum odds, in code.
    struct Line {
        pass: SlotId,
        odds: SlotId,
    }

    impl Strategy for Line {
        type Memory = ();

        fn reads(&self) -> Reads {
            Reads::default()
        }

        fn play(&self, (): &mut (), seat: &mut Seat<'_>) {
            if seat.phase() == Phase::ComeOut && seat.stake(self.pass) == 0 {
                seat.bet(self.pass, 1_000);
            } else if seat.phase() != Phase::ComeOut && seat.stake(self.odds) == 0 {
                let most = seat.most(self.odds).unwrap_or_default();
                seat.bet(self.odds, most);
            }
        }
    }

    /// Plays a few sessions of the line and counts the results the slow way. The name `press` adds a stop and a goal.
    pub(crate) fn played(name: &str) -> Answer {
        const SESSIONS: u64 = 400;
        let library = Library::shipped();
        let book = library.book("nj").unwrap();
        let rules = Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap();
        let line = Line { pass: rules.board().named("pass").unwrap(), odds: rules.board().named("pass-odds").unwrap() };
        let limits = (name == "press").then_some(30_000);
        let whole = Plan { buy_in: 100_000, throws: 100, stop: limits.map(|limit| -limit), goal: limits };
        let mut engine = Engine::new(&rules, &line);
        let sessions: Vec<_> = (0..SESSIONS).map(|number| engine.session(7, number, &whole)).collect();
        let part = 1.0 / counted(SESSIONS);
        let share = |keep: &dyn Fn(&crate::engine::SessionOutcome) -> bool| {
            counted(u64::try_from(sessions.iter().filter(|outcome| keep(outcome)).count()).unwrap()) * part
        };
        let (mut nets, mut lengths) = (BTreeMap::new(), BTreeMap::new());
        for outcome in &sessions {
            *nets.entry(outcome.net).or_insert(0.0) += part;
            *lengths.entry(outcome.throws).or_insert(0.0) += part;
        }
        let mean = nets.iter().map(|(net, share)| real(*net) * share).sum::<f64>();
        let square = nets.iter().map(|(net, share)| (real(*net) - mean).powi(2) * share).sum::<f64>();
        let bands = |nets: &mut Vec<i64>| {
            nets.sort_unstable();
            [20, 100, 200, 300, 380].map(|at| nets[at])
        };
        let (mut fan, mut ruin) = (Vec::new(), Vec::new());
        for throws in (0..=100).step_by(5) {
            let short = Plan { throws, ..whole };
            let all: Vec<_> = (0..SESSIONS).map(|number| engine.session(7, number, &short)).collect();
            fan.push((throws, bands(&mut all.iter().map(|outcome| outcome.net).collect())));
            let ended = |end: End| {
                counted(u64::try_from(all.iter().filter(|outcome| outcome.end == end).count()).unwrap()) * part
            };
            ruin.push((throws, ended(End::Stop) + ended(End::Broke), ended(End::Goal)));
        }
        let mut answer = Answer {
            form: Form::Engine,
            why_form: "asked for".to_owned(),
            plan: whole,
            seed: 7,
            sessions: SESSIONS,
            asked: SESSIONS,
            partial: false,
            throws: sessions.iter().map(|outcome| u64::from(outcome.throws)).sum(),
            seconds: 0.01,
            playing: 0.01,
            states: None,
            mean,
            controlled: None,
            sd: square.sqrt(),
            p_behind: share(&|outcome| outcome.net < 0),
            p_ahead: share(&|outcome| outcome.net > 0),
            p_double: share(&|outcome| outcome.net >= 100_000),
            p_stop: share(&|outcome| outcome.end == End::Stop),
            p_goal: share(&|outcome| outcome.end == End::Goal),
            p_broke: share(&|outcome| outcome.end == End::Broke),
            throws_mean: lengths.iter().map(|(throws, share)| f64::from(*throws) * share).sum(),
            quantiles: Vec::new(),
            nets: nets.into_iter().collect(),
            followed: SESSIONS,
            fan,
            path: Vec::new(),
            ruin,
            lengths: lengths.into_iter().collect(),
            seen: SESSIONS,
            drawdown: Some((30_000.0, 70_000)),
            seen_intervals: Vec::new(),
            by_wager: vec![("pass".to_owned(), mean, 30_000.0), ("pass-odds".to_owned(), 0.0, 80_000.0)],
            refusals: Vec::new(),
            notes: Vec::new(),
        };
        answer.quantiles =
            [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99].map(|at| (at, answer.quantile(at).unwrap())).to_vec();
        answer
    }

    pub(crate) fn setting() -> Setting {
        Setting {
            strategy: "Pass line with the most odds".to_owned(),
            about: "One bet on the line, and odds behind it.".to_owned(),
            from: "The way most tables are played.".to_owned(),
            text: "strategy Pass line\nbuy-in 1000\nunit 10\n\nwhen coming out\n    pass line for unit\n".to_owned(),
            book: "nj".to_owned(),
            book_name: "A book".to_owned(),
            as_of: "2024-01-01".to_owned(),
            house: vec![("limits.min".to_owned(), "5".to_owned())],
            command: "boxperson sim pass --book nj --sessions 400 --throws 100 --seed 7".to_owned(),
            pace: 100,
            wagers: vec![Played {
                slug: "pass".to_owned(),
                name: "Pass line".to_owned(),
                edge: Some(("7/495".to_owned(), "1.414 %".to_owned())),
                cites: vec![("S 1(a)".to_owned(), "price".to_owned())],
            }],
        }
    }

    #[test]
    fn pictures_stand_by_themselves() {
        for name in ["pass", "press"] {
            let (answer, setting) = (played(name), setting());
            let picture = picture(&answer, &setting);
            assert!(picture.starts_with("<svg xmlns=") && picture.trim_end().ends_with("</svg>"));
            assert_eq!(picture.matches("<style>").count(), 1);
            for broken in ["NaN", "inf\""] {
                assert!(!picture.contains(broken) && !page(&answer, &setting, None).contains(broken), "{broken}");
            }
            // Set REPORTS to a folder to look at them.
            if let Some(folder) = std::env::var_os("REPORTS") {
                let folder = std::path::PathBuf::from(folder);
                std::fs::write(folder.join(format!("{name}.svg")), &picture).unwrap();
                std::fs::write(folder.join(format!("{name}.html")), page(&answer, &setting, None)).unwrap();
                std::fs::write(folder.join(format!("{name}.txt")), summary(&answer, &setting)).unwrap();
            }
        }
    }

    #[test]
    fn an_answer_with_nothing_in_it_is_drawn_all_the_same() {
        let empty = Answer {
            sessions: 0,
            sd: 0.0,
            nets: Vec::new(),
            fan: Vec::new(),
            ruin: Vec::new(),
            lengths: Vec::new(),
            by_wager: Vec::new(),
            quantiles: Vec::new(),
            throws_mean: 0.0,
            partial: true,
            ..crate::answer::tests::small()
        };
        let setting = setting();
        for text in [picture(&empty, &setting), page(&empty, &setting, None), summary(&empty, &setting)] {
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
