//! Simulations over HTTP: turns a request into a strategy at a table, and runs it with the same code as the command line.

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

/// Maximum number of rolls in one simulation.
const MOST_WORK: u64 = 1_000_000_000;
/// Maximum number of rolls in one session: about a year of nonstop play.
const MOST_THROWS: u32 = 1_000_000;
/// A duel plays three rounds: each strategy by itself, and both side by side.
const ROUNDS_OF_A_DUEL: u64 = 3;
/// Random seeds are below this, so that they are short enough to type.
const SEEDS: u64 = 1_000_000_000;

/// A simulation to run.
#[derive(Debug, Clone, PartialEq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SimulationOrder)]
pub(crate) struct Order {
    /// Name of a strategy that comes with the program. Give this or `text`.
    strategy: Option<String>,
    /// Text of your own strategy.
    text: Option<String>,
    /// Id of a book. The table offers everything that it allows. The default is the strategy's own book, or else the first book.
    book: Option<String>,
    /// With `book`: the day of the law. The default is the book's sample day.
    as_of: Option<String>,
    /// A house to play at, instead of `book`.
    house: Option<House>,
    /// How many sessions to play.
    #[serde(default = "sessions")]
    #[schema(default = 10_000, minimum = 1)]
    sessions: u64,
    /// Maximum number of rolls in a session.
    #[serde(default = "throws")]
    #[schema(default = 100, minimum = 1, maximum = 1_000_000)]
    throws: u32,
    /// Stop at this net result, below zero, in cents. Null means no stop. The default is the strategy's own stop.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<i64>)]
    stop: Option<Option<i64>>,
    /// Stop at this net result, above zero, in cents. Null means no goal. The default is the strategy's own goal.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<i64>)]
    goal: Option<Option<i64>>,
    /// Buy-in of the player, in cents.
    buy_in: Option<i64>,
    /// Value of one unit, in cents.
    unit: Option<i64>,
    /// Seed of the dice. The default is a random seed.
    seed: Option<u64>,
    /// How to compute the answer.
    #[serde(default)]
    form: Form,
    /// Should a refused bet end the run with an error?
    #[serde(default)]
    strict: bool,
    /// Rolls per hour, for the loss per hour.
    #[schema(minimum = 1, maximum = 100_000)]
    pace: Option<u32>,
    /// Another way of playing, to compare on the same dice.
    versus: Option<Other>,
}

/// The other side of a duel. Fields that are left out are as on the first side.
#[derive(Debug, Clone, PartialEq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SimulationVersus)]
pub(crate) struct Other {
    /// Name of a strategy that comes with the program. Give this or `text`.
    strategy: Option<String>,
    /// Text of your own strategy.
    text: Option<String>,
    /// Id of a book.
    book: Option<String>,
    /// A house to play at.
    house: Option<House>,
}

/// How to compute an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = SimulationForm)]
pub(crate) enum Form {
    /// The best form that is possible.
    #[default]
    Auto,
    /// Played roll by roll at a table.
    Engine,
    /// Played on a precomputed table of positions.
    Tabulated,
    /// Solved exactly on that table.
    Exact,
}

impl Form {
    /// Maps the form to the simulator's choice. `Exact` becomes `Auto`, which solves only what is cheap enough: a solve can't be stopped.
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

/// Tells null from a missing field.
fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<i64>>, D::Error> {
    Option::<i64>::deserialize(deserializer).map(Some)
}

/// A mistake in a strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = StrategyMistake)]
pub(crate) struct MistakeView {
    /// Line of the mistake, from 1.
    pub(crate) line: usize,
    /// Column of the mistake in characters, from 1.
    pub(crate) column: usize,
    /// Length of the mistake in characters.
    pub(crate) width: usize,
    /// Message that says what is wrong.
    pub(crate) message: String,
    /// What could be there instead, the likeliest first.
    pub(crate) suggestions: Vec<String>,
}

impl From<&Mistake> for MistakeView {
    fn from(mistake: &Mistake) -> MistakeView {
        let Mistake { line, column, width, message, suggestions, .. } = mistake.clone();
        MistakeView { line, column, width, message, suggestions }
    }
}

/// Returns the source of a strategy that is given by name or as text.
pub(crate) fn source(strategy: Option<&str>, text: Option<&str>) -> Result<Source, ApiError> {
    match (strategy, text) {
        (Some(name), None) => {
            let shipped = shipped(name)
                .map_err(|unknown| ApiError::not_found(format!("{unknown}; `GET /strategies` lists them")))?;
            Ok(Source { path: shipped.source(), text: shipped.text.to_owned() })
        }
        (None, Some(text)) => Ok(Source { path: "own.strategy".to_owned(), text: text.to_owned() }),
        _ => Err(ApiError::bad_request("expected either `strategy`, the name of one, or `text`")),
    }
}

/// Returns the table that a strategy plays at.
pub(crate) fn at(
    library: &Library,
    book: Option<&str>,
    as_of: Option<&str>,
    house: Option<&House>,
) -> Result<At, ApiError> {
    match (house, book, as_of) {
        (Some(house), None, None) => Ok(At::House(house.rules(library)?)),
        (Some(_), ..) => Err(ApiError::bad_request(
            "A house names its own book and day: give `house`, or `book` and `as_of`, not both.",
        )),
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

/// A simulation that is ready to run.
pub(crate) struct Simulation {
    one: Side,
    other: Option<Side>,
    sessions: u64,
    seed: u64,
    form: Form,
    strict: bool,
    pace: u32,
}

/// A strategy at its table, and the command line that gives the same answer.
struct Side {
    seated: Seated,
    command: String,
}

/// The result of a simulation.
pub(crate) struct Finished {
    one: Side,
    other: Option<(Side, Answer, Setting)>,
    answer: Answer,
    setting: Setting,
    /// Difference between the two sides on the same dice.
    apart: Option<Difference>,
}

/// An answer in the same form as on the command line.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Report {
    /// The answer for one strategy.
    Alone(Box<View>),
    /// The answer for two strategies on the same dice.
    Duel(Box<DuelView>),
}

fn stake(name: &str, minor: Option<i64>) -> Result<Option<Stake>, ApiError> {
    let above = |minor| Stake::new(Money::from_minor(minor));
    let wrong = |minor| ApiError::bad_request(format!("{name}: expected an amount above zero in cents, found {minor}"));
    minor.map(|minor| above(minor).ok_or_else(|| wrong(minor))).transpose()
}

impl Order {
    /// Prepares the simulation: seats the strategies at their tables.
    ///
    /// # Errors
    /// When a field is wrong, or the simulation is too large.
    pub(crate) fn prepared(&self, library: &Library) -> Result<Simulation, ApiError> {
        if self.throws == 0 || self.throws > MOST_THROWS || self.sessions == 0 {
            return Err(ApiError::bad_request(format!(
                "expected sessions above zero and rolls (`throws`) from 1 to {MOST_THROWS}, found {} and {}",
                self.sessions, self.throws
            )));
        }
        let rounds = if self.versus.is_some() { ROUNDS_OF_A_DUEL } else { 1 };
        let work = self.sessions.checked_mul(u64::from(self.throws)).and_then(|work| work.checked_mul(rounds));
        if work.is_none_or(|work| work > MOST_WORK) {
            let words = format!(
                "sessions times rolls can be at most {MOST_WORK} here, and a duel counts three times; the command line has no such limit"
            );
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "too-much", words));
        }
        let pace = self.pace.unwrap_or(craps_sim::answer::PACE);
        if !(1..=100_000).contains(&pace) {
            return Err(ApiError::bad_request(format!(
                "pace: expected from 1 up to 100000 rolls per hour, found {pace}"
            )));
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

    /// Returns the command line that gives the same answer. Your own text and house are files there.
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

/// Draws a random seed.
fn drawn() -> Result<u64, ApiError> {
    let mut bytes = [0u8; 8];
    let none = |_| {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "no-randomness",
            "The system has no random numbers. Give a `seed`.",
        )
    };
    getrandom::fill(&mut bytes).map_err(none)?;
    Ok(u64::from_le_bytes(bytes) % SEEDS)
}

impl Simulation {
    /// Returns how many sessions will be played in total.
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

    /// Runs the simulation, watched by its job.
    ///
    /// # Errors
    /// When the wanted form isn't possible, or a bet is refused and `strict` is set.
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

    /// Returns the answer for programs.
    pub(crate) fn report(&self) -> Report {
        match self.versus() {
            Some(versus) => Report::Duel(Box::new(report::duel_view(&versus))),
            None => Report::Alone(Box::new(report::view(&self.answer, &self.setting))),
        }
    }

    /// Returns an HTML page with all charts and figures.
    pub(crate) fn page(&self) -> String {
        report::page(&self.answer, &self.setting, self.versus().as_ref())
    }

    /// Returns the charts as one SVG image.
    pub(crate) fn picture(&self) -> String {
        report::picture(&self.answer, &self.setting)
    }

    /// Sends CSV lines, some at a time: every session of the first side, or the distribution of an exact answer. The sessions are played again,
    /// because each depends only on the seed and its number. Ends when `send` returns false.
    pub(crate) fn lines(self: &Arc<Self>, mut send: impl FnMut(String) -> bool) {
        /// How many bytes are sent at once.
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
