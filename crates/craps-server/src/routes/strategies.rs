//! Strategies: lists the built-in ones, and checks and previews custom ones.

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

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    let facts = OpenApiRouter::new().routes(routes!(strategies)).routes(routes!(strategy)).layer(from_fn(marked));
    facts.merge(OpenApiRouter::new().routes(routes!(check)).routes(routes!(preview)))
}

/// Summary of a strategy.
#[derive(Debug, Serialize, ToSchema)]
struct StrategyLine {
    /// Id of the strategy, such as `molly`.
    strategy: &'static str,
    /// Full name of the strategy.
    name: String,
    /// Description of how it plays.
    about: String,
    /// Source of the strategy.
    from: String,
    /// Id of the rule book it needs. None if it works with any book.
    book: Option<String>,
}

/// A strategy with its text. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
struct StrategyPage {
    /// Summary of the strategy.
    #[serde(flatten)]
    line: StrategyLine,
    /// House keys the strategy needs.
    house: Option<String>,
    /// Buy-in of the player.
    buy_in: u64,
    /// Amount of one betting unit.
    unit: u64,
    /// Net result at which the player quits, usually a loss.
    stop: Option<i64>,
    /// Net win at which the player quits.
    goal: Option<i64>,
    /// Source text of the strategy.
    text: &'static str,
}

/// Parses a built-in strategy. It can't fail: a test parses all of them.
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

/// Lists the built-in strategies.
#[utoipa::path(get, path = "/strategies", tag = "lab", responses((status = 200, body = [StrategyLine])))]
async fn strategies() -> Result<Json<Vec<StrategyLine>>, ApiError> {
    Shipped::all().map(|shipped| Ok(line(&shipped, &read(&shipped)?))).collect::<Result<_, _>>().map(Json)
}

/// Returns a built-in strategy with its text.
#[utoipa::path(get, path = "/strategies/{name}", tag = "lab", params(("name" = String, Path, description = "Id of the strategy")),
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

/// A strategy to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToCheck {
    /// Source text of the strategy.
    text: String,
    /// Id of the rule book; the table offers everything it allows. Without it, the strategy's own book, or else the first book.
    book: Option<String>,
    /// Day whose rules apply, with `book`. Without it, the book's sample day.
    as_of: Option<String>,
    /// Check at the table of this house instead of by a book.
    house: Option<House>,
}

/// Result of checking a strategy.
#[derive(Debug, Serialize, ToSchema)]
struct StrategyCheck {
    /// All mistakes in the strategy. Empty if it can be played.
    mistakes: Vec<MistakeView>,
    /// Summary of the strategy, if it can be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<StrategySummary>,
}

/// A strategy with the rules of its table. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
struct StrategySummary {
    /// Full name of the strategy.
    name: String,
    /// Description of how it plays.
    about: String,
    /// Id of the rule book.
    book: String,
    /// Day whose rules apply.
    as_of: String,
    /// Buy-in of the player.
    buy_in: i64,
    /// Amount of one betting unit.
    unit: i64,
    /// Net result at which the player quits, usually a loss.
    stop: Option<i64>,
    /// Net win at which the player quits.
    goal: Option<i64>,
    /// Its variables, each with its initial value in hundredths.
    variables: Vec<(String, i64)>,
    /// True if it ever makes a line bet, which the player needs to shoot.
    shoots: bool,
}

fn checked(library: &Library, asked: &ToCheck) -> Result<StrategyCheck, ApiError> {
    let source = source(None, Some(&asked.text))?;
    let table = at(library, asked.book.as_deref(), asked.as_of.as_deref(), asked.house.as_ref())?;
    // The terms don't matter: nothing is played.
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

/// Checks a strategy. Returns every mistake with its place and a suggestion, or a summary if there is none.
#[utoipa::path(post, path = "/strategies/check", tag = "lab", request_body = ToCheck,
    responses((status = 200, body = StrategyCheck), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn check(State(app): State<Shared>, Body(asked): Body<ToCheck>) -> Result<Json<StrategyCheck>, ApiError> {
    computed(&app, move |app| checked(app.library(), &asked)).await.map(Json)
}

/// A strategy to preview.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToPreview {
    /// Id of a built-in strategy. Give either `strategy` or `text`.
    strategy: Option<String>,
    /// Source text of a custom strategy.
    text: Option<String>,
    /// Id of the rule book; the table offers everything it allows. Without it, the strategy's own book, or else the first book.
    book: Option<String>,
    /// Day whose rules apply, with `book`. Without it, the book's sample day.
    as_of: Option<String>,
    /// Play at the table of this house instead of by a book.
    house: Option<House>,
    /// Seed of the random dice.
    #[serde(default)]
    seed: u64,
    /// Maximum number of rolls.
    #[serde(default = "rolls")]
    #[schema(default = 20, minimum = 1, maximum = 50)]
    rolls: u32,
}

/// Maximum number of rolls in a preview.
const ROLLS_MOST: u32 = 50;

fn rolls() -> u32 {
    20
}

/// The first rolls of one session of a strategy.
#[derive(Debug, Serialize, ToSchema)]
struct Preview {
    /// The session as a game in the game notation.
    text: String,
    /// The session roll by roll, with the bets on the felt before each roll.
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

/// Shows the bets of a strategy before each of the first rolls of one session.
#[utoipa::path(post, path = "/strategies/preview", tag = "lab", request_body = ToPreview,
    responses((status = 200, body = Preview), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn preview(State(app): State<Shared>, Body(asked): Body<ToPreview>) -> Result<Json<Preview>, ApiError> {
    computed(&app, move |app| previewed(app.library(), &asked)).await.map(Json)
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("ToCheck", reads::<ToCheck>), ("ToPreview", reads::<ToPreview>)]
};
