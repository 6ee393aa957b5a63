//! Handlers that check, fill in, explain and replay games as text, and parse rail talk. None of them needs a live table.

use crate::app::{App, Shared};
use crate::error::{ApiError, Problem, Why};
use crate::facts::computed;
use crate::house::{House, malformed, unlawful, unplayable};
use crate::input::{Body, GameBody};
use crate::live::Refused;
use crate::live::view::{self, LimitsView, MarkerView, PhaseView, SeatView, ShooterView};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use craps_explain::WhyCard;
use craps_explain::games::{self, GameCheck, GameOf, RollNumber, SettledRoll, UNNAMED};
use craps_explain::replay::{Replay, RulesShown, felt_before};
use craps_law::{HouseRules, Library, Source};
use craps_notation::talk::{self, AskBack};
use craps_notation::{HouseFiles, Names, NoHouseFile, Played, set_up};
use craps_table::{Actor, Refusal, Role, SeatId, Table};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(check))
        .routes(routes!(fill))
        .routes(routes!(why))
        .routes(routes!(replay))
        .routes(routes!(position))
        .routes(routes!(felt))
        .routes(routes!(talk_at))
}

/// Rejects references to house files: a game sent to the server must contain all its rules.
pub(super) const NO_FILES: HouseFiles<'static> = &|name| {
    let why = format!("the server doesn't read house files; write the keys of {name} into the House tag");
    Err(NoHouseFile(why))
};

fn played(library: &Library, text: &str, names: Names) -> Result<Vec<Played>, ApiError> {
    games::played(library, text, names, NO_FILES).map_err(unplayable)
}

/// Games to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Games {
    /// Text of one or more games in the game notation.
    text: String,
}

/// Checks that every mark, refusal and result in games agrees with the law. Returns each difference with its citation.
#[utoipa::path(post, path = "/check", tag = "games", request_body = Games,
    responses((status = 200, body = GameCheck), (status = 400, body = Problem), (status = 422, body = Problem)))]
async fn check(State(app): State<Shared>, Body(games): Body<Games>) -> Result<Json<GameCheck>, ApiError> {
    let source = Source { path: UNNAMED.to_owned(), text: games.text };
    let checked = computed(&app, move |app| {
        games::check(app.library(), &source, NO_FILES).map_err(|(place, message)| malformed(place, &message))
    });
    Ok(Json(GameCheck { differences: checked.await? }))
}

/// Games to fill in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToFill {
    /// Text of one or more games in the game notation.
    text: String,
    /// Name bets by wager id instead of code.
    #[serde(default)]
    slugs: bool,
}

/// Games with marks and results filled in.
#[derive(Debug, Serialize, ToSchema)]
struct Filled {
    /// Text of the games with every mark and result that follows from the law.
    text: String,
    /// Acts in the games that the table refuses.
    refused: Vec<RefusedAct>,
}

/// An act that the table refused.
#[derive(Debug, Serialize, ToSchema)]
struct RefusedAct {
    /// Line in the text, starting at 1.
    line: usize,
    /// Column in characters, starting at 1.
    column: usize,
    /// The act as written in the text.
    what: String,
    /// Reason for the refusal, as a sentence.
    message: String,
    /// Sections of the law that forbid it.
    cite: String,
}

/// Returns games with every mark and result that follows from the law filled in.
#[utoipa::path(post, path = "/fill", tag = "games", request_body = ToFill,
    responses((status = 200, body = Filled), (status = 400, body = Problem), (status = 422, body = Problem)))]
async fn fill(State(app): State<Shared>, Body(asked): Body<ToFill>) -> Result<Json<Filled>, ApiError> {
    let names = if asked.slugs { Names::Slugs } else { Names::Codes };
    let games = computed(&app, move |app| played(app.library(), &asked.text, names)).await?;
    let refused = |refused: &craps_notation::Refused| RefusedAct {
        line: refused.place.line,
        column: refused.place.column,
        what: refused.what.clone(),
        message: refused.refusal.sentence(),
        cite: refused.refusal.cites().to_string(),
    };
    Ok(Json(Filled {
        text: games.iter().map(|game| game.filled.as_str()).collect(),
        refused: games.iter().flat_map(|game| &game.refused).map(refused).collect(),
    }))
}

/// A roll or result to explain.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToExplain {
    /// Text of one or more games in the game notation.
    text: String,
    /// Number of a roll, such as `3`, or of one result of it, such as `3.2`.
    roll: String,
    /// Number of the game in the text, starting at 1.
    #[serde(default = "first")]
    #[schema(default = 1, minimum = 1)]
    game: usize,
    /// Replay the same dice and the same acts at this house instead.
    other: Option<House>,
}

fn first() -> usize {
    1
}

/// The explanations of a roll.
#[derive(Debug, Serialize, ToSchema)]
struct Cards {
    /// One card for each result. Empty if the roll decided nothing.
    cards: Vec<WhyCard>,
}

/// Explains the results of a roll: the law, the rule and the payout. The body may have up to 2 MiB.
#[utoipa::path(post, path = "/why", tag = "games", request_body = ToExplain,
    responses((status = 200, body = Cards), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn why(State(app): State<Shared>, GameBody { asked, .. }: GameBody<ToExplain>) -> Result<Json<Cards>, ApiError> {
    let wrong = |error: games::NotARoll| ApiError::bad_request(error.to_string());
    let which: RollNumber = asked.roll.parse().map_err(wrong)?;
    let cards = computed(&app, move |app| {
        let other = asked.other.as_ref().map(|house| house.rules(app.library())).transpose()?;
        let game = GameOf { text: &asked.text, game: asked.game, houses: NO_FILES, other };
        let settled = SettledRoll::new(app.library(), game, which)?;
        Ok(settled.cards(app.library(), &mut app.facts.solver()))
    });
    Ok(Json(Cards { cards: cards.await? }))
}

/// A game to replay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToReplay {
    /// Text of one or more games in the game notation.
    text: String,
    /// Number of the game in the text, starting at 1.
    #[serde(default = "first")]
    #[schema(default = 1, minimum = 1)]
    game: usize,
    /// Also replay the same dice and the same acts at this house. Each roll then lists what comes out differently there.
    other: Option<House>,
}

/// Replays a game. The body may have up to 2 MiB.
///
/// Returns every roll with the acts before it, the bets on the felt and what the roll decided, and every place where the text differs from the law.
#[utoipa::path(post, path = "/replay", tag = "games", request_body = ToReplay,
    responses(
        (status = 200, body = Replay), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 413, body = Problem), (status = 422, body = Problem)))]
async fn replay(State(app): State<Shared>, GameBody { asked, .. }: GameBody<ToReplay>) -> Result<Response, ApiError> {
    let replay = computed(&app, move |app| {
        let other = asked.other.as_ref().map(|house| house.rules(app.library())).transpose()?;
        let game = GameOf { text: &asked.text, game: asked.game, houses: NO_FILES, other };
        written(app, &Replay::new(app.library(), game)?)
    });
    replay.await
}

/// Serializes a long response. Call it on a worker thread, so that other requests don't wait.
pub(super) fn written(app: &App, answer: &impl Serialize) -> Result<Response, ApiError> {
    let broken = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "This is a bug in the server.");
    let text = serde_json::to_vec(answer).map_err(broken)?;
    Ok(([(CONTENT_TYPE, "application/json")], app.facts.answer(text)?).into_response())
}

/// Selects a roll of a game.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToFelt {
    /// Text of one or more games in the game notation.
    text: String,
    /// Number of the game in the text, starting at 1.
    #[serde(default = "first")]
    #[schema(default = 1, minimum = 1)]
    game: usize,
    /// Number of the roll.
    roll: u32,
}

/// A felt string and the house it belongs to.
#[derive(Debug, Serialize, ToSchema)]
struct FeltLine {
    /// The position as a felt string.
    felt: String,
    /// The house, in the form that other requests accept.
    rules: RulesShown,
}

/// Returns the felt string of a game just before a roll. The body may have up to 2 MiB.
#[utoipa::path(post, path = "/felt", tag = "games", request_body = ToFelt,
    responses(
        (status = 200, body = FeltLine), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 413, body = Problem), (status = 422, body = Problem)))]
async fn felt(State(app): State<Shared>, GameBody { asked, .. }: GameBody<ToFelt>) -> Result<Json<FeltLine>, ApiError> {
    let found = computed(&app, move |app| {
        let game = GameOf { text: &asked.text, game: asked.game, houses: NO_FILES, other: None };
        Ok(felt_before(app.library(), &game, asked.roll)?)
    });
    found.await.map(|(felt, rules)| Json(FeltLine { felt, rules }))
}

/// A felt string to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToPosition {
    /// The position as a felt string, as in `r1_out_s0_1.1000`.
    felt: String,
    /// The house whose table the position is at.
    house: House,
}

/// A position in the form a live table uses. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
struct Position {
    /// The house and its rules.
    rules: RulesShown,
    /// Number of the next roll.
    next_roll: u32,
    /// Phase of the game: come-out roll or point.
    phase: PhaseView,
    /// The point number, if a point is on.
    point: Option<u8>,
    /// The shooter. None if nobody has the dice.
    shooter: Option<ShooterView>,
    /// The player who would shoot if the dice were rolled now.
    next_shooter: Option<ShooterView>,
    /// The posted limits.
    limits: LimitsView,
    /// Number of seats at the table.
    places: SeatId,
    /// The occupied seats.
    seats: Vec<SeatView>,
    /// Progress markers of side bets.
    markers: Vec<MarkerView>,
}

/// Reads a felt string and returns the position.
#[utoipa::path(post, path = "/position", tag = "games", request_body = ToPosition,
    responses((status = 200, body = Position), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn position(State(app): State<Shared>, Body(asked): Body<ToPosition>) -> Result<Json<Position>, ApiError> {
    let position = computed(&app, move |app| {
        let house = asked.house.rules(app.library())?;
        let (next_roll, table) = table_at(app.library(), &house, &asked.felt)?;
        let (phase, point) = view::phase(table.phase());
        Ok(Position {
            rules: RulesShown::new(&house, &table),
            next_roll,
            phase,
            point,
            shooter: table.shooter().map(Into::into),
            next_shooter: table.shooter().or_else(|| table.implied_shooter()).map(Into::into),
            limits: view::limits(&table),
            places: table.places(),
            seats: table.seats().map(|(seat, _)| view::placed(&table, seat, true)).collect(),
            markers: view::markers(&table),
        })
    });
    position.await.map(Json)
}

/// Rail talk to parse.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Said {
    /// The house whose table the player is at.
    house: House,
    /// The position as a felt string. Without it, one player with $1,000 at an empty table.
    felt: Option<String>,
    /// Seat of the player who talks. Without it, the first occupied seat.
    seat: Option<u8>,
    /// The words, such as `12 on the six`.
    text: String,
}

/// Result of parsing rail talk.
#[derive(Debug, Serialize, ToSchema)]
struct Understood {
    /// The orders that were understood, in the order they were said.
    orders: Vec<OrderView>,
    /// A question about the first order that was not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<AskView>,
}

/// An order that was understood.
#[derive(Debug, Serialize, ToSchema)]
struct OrderView {
    /// The player's words for this order.
    said: String,
    /// The order as the dealer would repeat it.
    echo: String,
    /// Number of commands to the table. 0 for a question.
    commands: usize,
    /// Set if the table would refuse the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<RefusalView>,
}

/// Reason why the table would refuse an order.
#[derive(Debug, Serialize, ToSchema)]
struct RefusalView {
    /// The reason as a sentence.
    message: String,
    /// Sections of the law that forbid the order. Empty if the law doesn't.
    cite: String,
    /// The reason as values for programs.
    refusal: Why,
}

impl From<Refusal> for RefusalView {
    fn from(refusal: Refusal) -> RefusalView {
        let refused = Refused::from(refusal);
        RefusalView { message: refused.sentence(), cite: refused.cites().to_string(), refusal: Why::from(&refused) }
    }
}

/// A question about words that were not understood.
#[derive(Debug, Serialize, ToSchema)]
struct AskView {
    /// The words in question.
    word: String,
    /// Column where the words begin, in characters, starting at 1.
    column: usize,
    /// What is wrong, or the question to the player.
    message: String,
    /// What the player could say instead.
    suggestions: Vec<String>,
}

impl AskView {
    fn new(line: &str, ask: AskBack) -> AskView {
        let column = line.get(..ask.span.start).map_or(0, |before| before.chars().count()) + 1;
        AskView { word: ask.word, column, message: ask.message, suggestions: ask.suggestions }
    }
}

/// The default position: one player with $1,000.
const ALONE: &str = "r1_out_s0_1.1000";

/// Sets up a house's table in a position. Also returns the number of the next roll.
fn table_at(library: &Library, house: &HouseRules, felt: &str) -> Result<(u32, Table), ApiError> {
    let book = library.named(&house.book).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
    let rules = book.admit(house).map_err(|problems| unlawful(&problems))?;
    let mut table = Table::open(rules).map_err(|error| ApiError::bad_request(error.to_string()))?;
    let wrong = |error: craps_notation::Malformed| {
        let words = format!("felt, column {}: {}", error.place.column, error.message);
        ApiError::new(StatusCode::BAD_REQUEST, "malformed", words)
    };
    let (next_roll, events) = set_up(&table, felt).map_err(wrong)?;
    events.iter().for_each(|event| table.apply(event));
    Ok((next_roll, table))
}

fn at_table(library: &Library, said: &Said) -> Result<(Table, SeatId), ApiError> {
    let (_, table) = table_at(library, &said.house.rules(library)?, said.felt.as_deref().unwrap_or(ALONE))?;
    let taken: Vec<SeatId> = table.seats().map(|(seat, _)| seat).collect();
    match said.seat.or(taken.first().copied()) {
        Some(seat) if taken.contains(&seat) => Ok((table, seat)),
        Some(seat) => Err(ApiError::bad_request(format!("seat: nobody sits at {seat} in this position"))),
        None => Err(ApiError::bad_request("felt: expected at least one player, found none")),
    }
}

fn understood(library: &Library, said: &Said) -> Result<Understood, ApiError> {
    let (mut table, seat) = at_table(library, said)?;
    let mut orders = Vec::new();
    let asked = |orders, ask| Ok(Understood { orders, ask: Some(AskView::new(&said.text, ask)) });
    let spoken = match talk::hear_at(&table, &said.text) {
        Ok(spoken) => spoken,
        Err(ask) => return asked(orders, ask),
    };
    for one in &spoken {
        let meaning = match talk::meant(&table, seat, one) {
            Ok(meaning) => meaning,
            Err(ask) => return asked(orders, ask),
        };
        // The player assumes that this order worked, so try the next one on the table as it is after this one.
        let mut next = table.clone();
        let actor = Actor { role: Role::Player, seat: Some(seat) };
        let refused = meaning.commands.iter().try_for_each(|command| next.run(actor, command).map(|_| ())).err();
        if refused.is_none() {
            table = next;
        }
        orders.push(OrderView {
            said: said.text.get(one.span.clone()).unwrap_or_default().to_owned(),
            echo: meaning.echo,
            commands: meaning.commands.len(),
            refused: refused.map(RefusalView::from),
        });
    }
    Ok(Understood { orders, ask: None })
}

/// Parses rail talk at a position and checks whether the table would accept the orders. It makes no bets.
#[utoipa::path(post, path = "/talk", tag = "games", request_body = Said,
    responses((status = 200, body = Understood), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn talk_at(State(app): State<Shared>, Body(said): Body<Said>) -> Result<Json<Understood>, ApiError> {
    computed(&app, move |app| understood(app.library(), &said)).await.map(Json)
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[
        ("Games", reads::<Games>),
        ("ToFill", reads::<ToFill>),
        ("ToExplain", reads::<ToExplain>),
        ("ToReplay", reads::<ToReplay>),
        ("ToPosition", reads::<ToPosition>),
        ("ToFelt", reads::<ToFelt>),
        ("Said", reads::<Said>),
    ]
};
