//! Simulations as they are ordered over HTTP: what is asked becomes a strategy at its table, run by the same code as the command line's.

use crate::error::ApiError;
use crate::house::{House, unlawful};
use crate::jobs::Job;
use axum::http::StatusCode;
use craps_law::{Library, Source};
use craps_money::{Money, Stake};
use craps_sim::language::{Mistake, Program};
use craps_sim::report::{self, DuelView, Setting, Versus, View};
use craps_sim::seated::{At, Seated, Terms, Unseated, shipped};
use craps_sim::{Answer, Choice, Difference, Duel, Engine, NotRun, Request};
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

/// The most throws that a simulation may play altogether.
const MOST_WORK: u64 = 1_000_000_000;
/// The most throws of a session: a year at a table, day and night.
const MOST_THROWS: u32 = 1_000_000;
/// A duel plays both by themselves, and both once more side by side.
const ROUNDS_OF_A_DUEL: u64 = 3;
/// Seeds that are drawn are short enough to be typed again.
const SEEDS: u64 = 1_000_000_000;

/// What is to be played.
#[derive(Debug, Clone, PartialEq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SimulationOrder)]
pub(crate) struct Order {
    /// A strategy that comes with the program, by name; or `text`.
    strategy: Option<String>,
    /// A strategy of one's own.
    text: Option<String>,
    /// By this book, at a table that offers all it allows; without it the strategy's own book, else the first.
    book: Option<String>,
    /// With a book: the day; without it the book's sample day.
    as_of: Option<String>,
    /// At the table of this house instead.
    house: Option<House>,
    /// How many sessions.
    #[serde(default = "sessions")]
    #[schema(default = 10_000, minimum = 1)]
    sessions: u64,
    /// The most throws of a session.
    #[serde(default = "throws")]
    #[schema(default = 100, minimum = 1, maximum = 1_000_000)]
    throws: u32,
    /// Stop at this net result, below zero, in minor units; null is none; not given is the strategy's.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<i64>)]
    stop: Option<Option<i64>>,
    /// Be content with this net result, above zero, in minor units; null is none; not given is the strategy's.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<i64>)]
    goal: Option<Option<i64>>,
    /// What the player brings, in minor units.
    buy_in: Option<i64>,
    /// What one unit is, in minor units.
    unit: Option<i64>,
    /// The seed of the dice; without it one is drawn.
    seed: Option<u64>,
    /// How to get the answer.
    #[serde(default)]
    form: Form,
    /// Does a refused bet end it?
    #[serde(default)]
    strict: bool,
    /// Throws per hour, for the loss per hour.
    #[schema(minimum = 1, maximum = 100_000)]
    pace: Option<u32>,
    /// Another way of playing on the same dice.
    versus: Option<Other>,
}

/// The other side of a duel: whatever is not said is as on the first side.
#[derive(Debug, Clone, PartialEq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SimulationVersus)]
pub(crate) struct Other {
    /// A strategy that comes with the program, by name; or `text`.
    strategy: Option<String>,
    /// A strategy of one's own.
    text: Option<String>,
    /// By this book.
    book: Option<String>,
    /// At the table of this house.
    house: Option<House>,
}

/// How an answer is got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = SimulationForm)]
pub(crate) enum Form {
    /// The best that there is.
    #[default]
    Auto,
    /// Throw by throw.
    Engine,
    /// On a table of positions.
    Tabulated,
    /// Solved on that table.
    Exact,
}

impl Form {
    /// Where an exact answer is asked for, what is worth solving is: others have turns too, and such a run cannot be stopped.
    fn choice(self) -> Choice {
        match self {
            Form::Auto | Form::Exact => Choice::Auto,
            Form::Engine => Choice::Engine,
            Form::Tabulated => Choice::Tabulated,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Form::Auto => "auto",
            Form::Engine => "engine",
            Form::Tabulated => "tabulated",
            Form::Exact => "exact",
        }
    }
}

fn sessions() -> u64 {
    10_000
}

fn throws() -> u32 {
    100
}

/// Null is something that was said.
fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<i64>>, D::Error> {
    Option::<i64>::deserialize(deserializer).map(Some)
}

/// A mistake in a strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = StrategyMistake)]
pub(crate) struct MistakeView {
    /// The line, the first is one.
    pub(crate) line: usize,
    /// The column in characters, the first is one.
    pub(crate) column: usize,
    /// How many characters it is about.
    pub(crate) width: usize,
    /// What is wrong.
    pub(crate) message: String,
    /// What could stand there instead, the likeliest first.
    pub(crate) suggestions: Vec<String>,
}

impl From<&Mistake> for MistakeView {
    fn from(mistake: &Mistake) -> MistakeView {
        let Mistake { line, column, width, message, suggestions, .. } = mistake.clone();
        MistakeView { line, column, width, message, suggestions }
    }
}

/// The text of a strategy that is named or written out.
pub(crate) fn source(strategy: Option<&str>, text: Option<&str>) -> Result<Source, ApiError> {
    match (strategy, text) {
        (Some(name), None) => {
            let shipped = shipped(name)
                .map_err(|unknown| ApiError::not_found(format!("{unknown}; `GET /strategies` lists them")))?;
            Ok(Source { path: shipped.source(), text: shipped.text.to_owned() })
        }
        (None, Some(text)) => Ok(Source { path: "own.strategy".to_owned(), text: text.to_owned() }),
        _ => Err(ApiError::bad_request("a strategy is one of: `strategy`, the name of one, or `text`")),
    }
}

/// At which table a strategy sits down.
pub(crate) fn at(
    library: &Library,
    book: Option<&str>,
    as_of: Option<&str>,
    house: Option<&House>,
) -> Result<At, ApiError> {
    match (house, book, as_of) {
        (Some(house), None, None) => Ok(At::House(house.rules(library)?)),
        (Some(_), ..) => {
            Err(ApiError::bad_request("a house names its book and day: give `house`, or `book` and `as_of`"))
        }
        (None, book, as_of) => {
            let day = as_of.map(str::parse).transpose();
            let as_of = day.map_err(|error: craps_law::NotADay| ApiError::bad_request(format!("as_of: {error}")))?;
            Ok(At::Book { id: book.map(str::to_owned), as_of })
        }
    }
}

impl From<Unseated> for ApiError {
    fn from(unseated: Unseated) -> ApiError {
        match &unseated {
            Unseated::NoBook(unknown) => ApiError::not_found(unknown.to_string()),
            Unseated::Unlawful(problems) => unlawful(problems),
            Unseated::Mistaken(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "mistaken", unseated.to_string()),
            Unseated::Stop(_) | Unseated::Goal(_) | Unseated::Key(_) | Unseated::TooMany(_) => {
                ApiError::bad_request(unseated.to_string())
            }
        }
    }
}

/// A simulation, ready to be run.
pub(crate) struct Simulation {
    one: Side,
    other: Option<Side>,
    sessions: u64,
    seed: u64,
    form: Form,
    strict: bool,
    pace: u32,
}

/// A strategy at its table, and the command that gives the same answer again.
struct Side {
    seated: Seated,
    command: String,
}

/// What came of one.
pub(crate) struct Finished {
    one: Side,
    other: Option<(Side, Answer, Setting)>,
    answer: Answer,
    setting: Setting,
    /// What two on the same dice differ by.
    apart: Option<Difference>,
}

/// An answer as the command line gives it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Report {
    /// Of one strategy.
    Alone(Box<View>),
    /// Of two.
    Duel(Box<DuelView>),
}

fn stake(name: &str, minor: Option<i64>) -> Result<Option<Stake>, ApiError> {
    let above = |minor| Stake::new(Money::from_minor(minor));
    let wrong =
        |minor| ApiError::bad_request(format!("{name}: expected an amount above zero in minor units, found {minor}"));
    minor.map(|minor| above(minor).ok_or_else(|| wrong(minor))).transpose()
}

impl Order {
    /// Sits everybody down.
    ///
    /// # Errors
    /// When something is wrong with what is asked, or it is too much.
    pub(crate) fn prepared(&self, library: &Library) -> Result<Simulation, ApiError> {
        if self.throws == 0 || self.throws > MOST_THROWS || self.sessions == 0 {
            return Err(ApiError::bad_request(format!(
                "expected sessions above zero and throws from 1 to {MOST_THROWS}, found {} and {}",
                self.sessions, self.throws
            )));
        }
        let rounds = if self.versus.is_some() { ROUNDS_OF_A_DUEL } else { 1 };
        let work = self.sessions.checked_mul(u64::from(self.throws)).and_then(|work| work.checked_mul(rounds));
        if work.is_none_or(|work| work > MOST_WORK) {
            let words = format!(
                "sessions times throws may be {MOST_WORK} here, a duel counted thrice; the command line knows no such bound"
            );
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "too-much", words));
        }
        let pace = self.pace.unwrap_or(craps_sim::answer::PACE);
        if !(1..=100_000).contains(&pace) {
            return Err(ApiError::bad_request(format!("pace: expected throws per hour, 100000 at most, found {pace}")));
        }
        let money = |limit: Option<Option<i64>>| limit.map(|limit| limit.map(Money::from_minor));
        let terms = Terms {
            throws: self.throws,
            stop: money(self.stop),
            goal: money(self.goal),
            buy_in: stake("buy_in", self.buy_in)?,
            unit: stake("unit", self.unit)?,
        };
        let seed = match self.seed {
            Some(seed) => seed,
            None => drawn()?,
        };
        let own = source(self.strategy.as_deref(), self.text.as_deref())?;
        let table = at(library, self.book.as_deref(), self.as_of.as_deref(), self.house.as_ref())?;
        let seated = Seated::new(library, &own, table, &terms)?;
        let named = if self.house.is_some() { None } else { Some(&seated) };
        let command = self.command(self.strategy.as_deref(), named, &terms, seed);
        let one = Side { seated, command };
        let other = match &self.versus {
            None => None,
            Some(other) => {
                let is_other = other.strategy.is_some() || other.text.is_some();
                let name = if is_other { other.strategy.as_deref() } else { self.strategy.as_deref() };
                let text = if is_other { source(name, other.text.as_deref())? } else { own };
                let house = other.house.as_ref().or(self.house.as_ref().filter(|_| other.book.is_none()));
                let book = other.book.as_deref().or((house.is_none()).then_some(one.seated.house.book.as_str()));
                let day = self.as_of.as_deref().filter(|_| house.is_none());
                let seated = Seated::new(library, &text, at(library, book, day, house)?, &terms)?;
                let named = if house.is_some() { None } else { Some(&seated) };
                let command = self.command(name, named, &terms, seed);
                Some(Side { seated, command })
            }
        };
        Ok(Simulation { one, other, sessions: self.sessions, seed, form: self.form, strict: self.strict, pace })
    }

    /// The command that gives the same answer again. A text of one's own, and a house, are files there.
    fn command(&self, strategy: Option<&str>, by_book: Option<&Seated>, terms: &Terms, seed: u64) -> String {
        let mut words = vec![format!("boxperson sim {}", strategy.unwrap_or("own.strategy"))];
        words.push(by_book.map_or_else(
            || "--house house.toml".to_owned(),
            |seated| format!("--book {} --as-of {}", seated.house.book, seated.house.as_of),
        ));
        words.push(format!("--sessions {} --throws {}", self.sessions, self.throws));
        for (flag, limit) in [("--stop", terms.stop), ("--goal", terms.goal)] {
            let limit = limit.map(|limit| limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string()));
            words.extend(limit.map(|limit| format!("{flag} {limit}")));
        }
        for (flag, amount) in [("--buy-in", terms.buy_in), ("--unit", terms.unit)] {
            words.extend(amount.map(|amount| format!("{flag} {amount}")));
        }
        if self.form != Form::Auto {
            words.push(format!("--form {}", self.form.word()));
        }
        words.push(format!("--seed {seed}"));
        words.join(" ")
    }
}

/// A seed by chance.
fn drawn() -> Result<u64, ApiError> {
    let mut bytes = [0u8; 8];
    let none = |_| {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "no-randomness", "the system has no randomness: name a seed")
    };
    getrandom::fill(&mut bytes).map_err(none)?;
    Ok(u64::from_le_bytes(bytes) % SEEDS)
}

impl Simulation {
    /// The sessions that will have been played.
    pub(crate) fn sessions(&self) -> u64 {
        if self.other.is_some() { self.sessions.saturating_mul(ROUNDS_OF_A_DUEL) } else { self.sessions }
    }

    fn request<'a>(&self, side: &'a Side, threads: usize) -> Request<'a, Program> {
        Request {
            rules: &side.seated.rules,
            strategy: &side.seated.program,
            plan: side.seated.plan,
            sessions: self.sessions,
            seed: self.seed,
            threads,
            choice: self.form.choice(),
            strict: self.strict,
        }
    }

    /// Runs it, watched by its job.
    ///
    /// # Errors
    /// When the form that is wanted cannot be had, or the house refuses and that is not to be.
    pub(crate) fn run(self, job: &Job<Finished>, threads: usize) -> Result<Finished, String> {
        let words = |error: NotRun| error.to_string();
        let as_asked = |answer: &Answer| match (self.form, answer.is_sampled()) {
            (Form::Exact, true) => Err(format!("no exact answer: {}", answer.why_form)),
            _ => Ok(()),
        };
        let setting = |side: &Side, answer: &Answer| side.seated.setting(answer, side.command.clone(), self.pace);
        let Some(other) = &self.other else {
            let answer = craps_sim::run(&self.request(&self.one, threads), job).map_err(words)?;
            as_asked(&answer)?;
            let setting = setting(&self.one, &answer);
            return Ok(Finished { one: self.one, other: None, answer, setting, apart: None });
        };
        let duel =
            craps_sim::duel(&self.request(&self.one, threads), &self.request(other, threads), job).map_err(words)?;
        let Duel { one, other: answer, difference } = duel;
        as_asked(&one).and(as_asked(&answer))?;
        let (first, second) = (setting(&self.one, &one), setting(other, &answer));
        Ok(Finished {
            other: self.other.map(|other| (other, answer, second)),
            one: self.one,
            answer: one,
            setting: first,
            apart: Some(difference),
        })
    }
}

impl Finished {
    fn versus(&self) -> Option<Versus<'_>> {
        let (_, answer, setting) = self.other.as_ref()?;
        let (one, other) = ((&self.answer, &self.setting), (answer, setting));
        Some(Versus { one, other, difference: self.apart? })
    }

    /// The answer for programs.
    pub(crate) fn report(&self) -> Report {
        match self.versus() {
            Some(versus) => Report::Duel(Box::new(report::duel_view(&versus))),
            None => Report::Alone(Box::new(report::view(&self.answer, &self.setting))),
        }
    }

    /// A page with all charts and figures.
    pub(crate) fn page(&self) -> String {
        report::page(&self.answer, &self.setting, self.versus().as_ref())
    }

    /// The charts as one drawing.
    pub(crate) fn picture(&self) -> String {
        report::picture(&self.answer, &self.setting)
    }

    /// Lines of values, some at a time: every session of the first side, or the distribution of an exact answer. Sessions are played again: each
    /// hangs on the seed and its number alone. Ends when `send` no longer takes any.
    pub(crate) fn lines(self: &Arc<Self>, mut send: impl FnMut(String) -> bool) {
        /// How much is sent at once.
        const PIECE: usize = 16 * 1024;
        if !self.answer.is_sampled() {
            send(report::distribution(&self.answer));
            return;
        }
        let mut piece = report::session_header().to_owned();
        let mut engine = Engine::new(&self.one.seated.rules, &self.one.seated.program);
        for number in 0..self.answer.sessions {
            let outcome = engine.session(self.answer.seed, number, &self.answer.plan);
            piece.push_str(&report::session_line(number, &outcome));
            if piece.len() >= PIECE && !send(std::mem::take(&mut piece)) {
                return;
            }
        }
        send(piece);
    }
}
