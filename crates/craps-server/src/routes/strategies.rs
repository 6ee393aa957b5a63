//! Ways of playing: those that come with the program, and one's own checked.

use super::At;
use super::games::NO_FILES;
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{computed, marked};
use crate::house::House;
use crate::input::Body;
use crate::sims::{MistakeView, at, source};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use craps_explain::{GameOf, Replay};
use craps_law::Library;
use craps_sim::language::Script;
use craps_sim::report::NotWritten;
use craps_sim::seated::{Seated, Terms, Unseated, shipped};
use craps_sim::shipped::Shipped;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    let facts = OpenApiRouter::new().routes(routes!(strategies)).routes(routes!(strategy)).layer(from_fn(marked));
    facts.merge(OpenApiRouter::new().routes(routes!(check)).routes(routes!(preview)))
}

/// A strategy in a few words.
#[derive(Debug, Serialize, ToSchema)]
struct StrategyLine {
    /// What it is asked for by.
    strategy: &'static str,
    /// What it is called.
    name: String,
    /// How it is played.
    about: String,
    /// Where it comes from.
    from: String,
    /// The book it is written for, where it needs one.
    book: Option<String>,
}

/// A strategy whole. Amounts are in minor units.
#[derive(Debug, Serialize, ToSchema)]
struct StrategyPage {
    /// In a few words.
    #[serde(flatten)]
    line: StrategyLine,
    /// What it needs of the house.
    house: Option<String>,
    /// What the player brings.
    buy_in: u64,
    /// What one unit is.
    unit: u64,
    /// The net result at which the player stops.
    stop: Option<i64>,
    /// The net result with which the player is content.
    goal: Option<i64>,
    /// Its text.
    text: &'static str,
}

/// Shipped strategies are read without a mistake; a test of theirs holds them to it.
fn read(shipped: &Shipped) -> Result<Script, ApiError> {
    shipped.script().map_err(|mistakes| ApiError::from(Unseated::Mistaken(mistakes)))
}

fn line(shipped: &Shipped, script: &Script) -> StrategyLine {
    StrategyLine {
        strategy: shipped.name,
        name: script.name.clone(),
        about: script.about.clone(),
        from: script.from.clone(),
        book: script.book.clone(),
    }
}

/// The strategies that come with the program.
#[utoipa::path(get, path = "/strategies", tag = "lab", responses((status = 200, body = [StrategyLine])))]
async fn strategies() -> Result<Json<Vec<StrategyLine>>, ApiError> {
    Shipped::all().map(|shipped| Ok(line(&shipped, &read(&shipped)?))).collect::<Result<_, _>>().map(Json)
}

/// A strategy that comes with the program, with its text.
#[utoipa::path(get, path = "/strategies/{name}", tag = "lab", params(("name" = String, Path, description = "Its name")),
    responses((status = 200, body = StrategyPage), (status = 404, body = Problem)))]
async fn strategy(At(name): At<String>) -> Result<Json<StrategyPage>, ApiError> {
    let shipped = shipped(&name).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
    let script = read(&shipped)?;
    Ok(Json(StrategyPage {
        line: line(&shipped, &script),
        buy_in: script.buy_in.minor(),
        unit: script.unit.minor(),
        stop: script.stop.map(|stop| stop.minor()),
        goal: script.goal.map(|goal| goal.minor()),
        house: script.house,
        text: shipped.text,
    }))
}

/// A strategy to be checked at a table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToCheck {
    /// Its text.
    text: String,
    /// By this book, at a table that offers all it allows; without it the strategy's own book, else the first.
    book: Option<String>,
    /// With a book: the day; without it the book's sample day.
    as_of: Option<String>,
    /// At the table of this house instead.
    house: Option<House>,
}

/// What a check of a strategy says.
#[derive(Debug, Serialize, ToSchema)]
struct StrategyCheck {
    /// Everything that is wrong with it; nothing where it can be played.
    mistakes: Vec<MistakeView>,
    /// What it is, where it can be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<StrategySummary>,
}

/// A strategy at its table. Amounts are in minor units.
#[derive(Debug, Serialize, ToSchema)]
struct StrategySummary {
    /// What it is called.
    name: String,
    /// How it is played.
    about: String,
    /// The book.
    book: String,
    /// The day.
    as_of: String,
    /// What the player brings.
    buy_in: i64,
    /// What one unit is.
    unit: i64,
    /// The net result at which the player stops.
    stop: Option<i64>,
    /// The net result with which the player is content.
    goal: Option<i64>,
    /// What it remembers by name, with what each begins with in hundredths.
    variables: Vec<(String, i64)>,
    /// Does it ever bet the line, so that the player may throw?
    shoots: bool,
}

fn checked(library: &Library, asked: &ToCheck) -> Result<StrategyCheck, ApiError> {
    let source = source(None, Some(&asked.text))?;
    let table = at(library, asked.book.as_deref(), asked.as_of.as_deref(), asked.house.as_ref())?;
    // Any session will do: nothing is played.
    let terms = Terms { throws: 1, stop: None, goal: None, buy_in: None, unit: None };
    match Seated::new(library, &source, table, &terms) {
        Ok(seated) => {
            let program = &seated.program;
            let summary = StrategySummary {
                name: program.name().to_owned(),
                about: program.about().to_owned(),
                book: seated.house.book.clone(),
                as_of: seated.house.as_of.to_string(),
                buy_in: program.buy_in(),
                unit: program.unit(),
                stop: program.stop(),
                goal: program.goal(),
                variables: program.variables().to_vec(),
                shoots: program.shoots(),
            };
            Ok(StrategyCheck { mistakes: Vec::new(), summary: Some(summary) })
        }
        Err(Unseated::Mistaken(mistakes)) => {
            Ok(StrategyCheck { mistakes: mistakes.iter().map(MistakeView::from).collect(), summary: None })
        }
        Err(other) => Err(other.into()),
    }
}

/// Can this be played? Every mistake with its place and what could stand there instead, or what it is.
#[utoipa::path(post, path = "/strategies/check", tag = "lab", request_body = ToCheck,
    responses((status = 200, body = StrategyCheck), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn check(State(app): State<Shared>, Body(asked): Body<ToCheck>) -> Result<Json<StrategyCheck>, ApiError> {
    computed(&app, move |app| checked(app.library(), &asked)).await.map(Json)
}

/// A strategy to be looked at on a felt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToPreview {
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
    /// The seed of the dice.
    #[serde(default)]
    seed: u64,
    /// How many rolls at most.
    #[serde(default = "rolls")]
    #[schema(default = 20, minimum = 1, maximum = 50)]
    rolls: u32,
}

/// The most rolls of a preview.
const ROLLS_MOST: u32 = 50;

fn rolls() -> u32 {
    20
}

/// The beginning of one session of a strategy.
#[derive(Debug, Serialize, ToSchema)]
struct Preview {
    /// As a game in the notation.
    text: String,
    /// The same roll by roll, with what it has on the felt before each.
    replay: Replay,
}

fn previewed(library: &Library, asked: &ToPreview) -> Result<Preview, ApiError> {
    if !(1..=ROLLS_MOST).contains(&asked.rolls) {
        return Err(ApiError::bad_request(format!("rolls: expected 1 to {ROLLS_MOST}, found {}", asked.rolls)));
    }
    let source = source(asked.strategy.as_deref(), asked.text.as_deref())?;
    let table = at(library, asked.book.as_deref(), asked.as_of.as_deref(), asked.house.as_ref())?;
    let terms = Terms { throws: asked.rolls, stop: None, goal: None, buy_in: None, unit: None };
    let seated = Seated::new(library, &source, table, &terms)?;
    let broken = |error: NotWritten| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", error.to_string());
    let text = seated.session(library, asked.seed, 0).map_err(broken)?;
    let game = GameOf { text: &text, game: 1, houses: NO_FILES, other: None };
    let replay = Replay::new(library, game)?;
    Ok(Preview { text, replay })
}

/// What a strategy has on the felt before each of the first throws of one session.
#[utoipa::path(post, path = "/strategies/preview", tag = "lab", request_body = ToPreview,
    responses((status = 200, body = Preview), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn preview(State(app): State<Shared>, Body(asked): Body<ToPreview>) -> Result<Json<Preview>, ApiError> {
    computed(&app, move |app| previewed(app.library(), &asked)).await.map(Json)
}

/// What these routes read.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("ToCheck", reads::<ToCheck>), ("ToPreview", reads::<ToPreview>)]
};
