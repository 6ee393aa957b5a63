//! Games as text, and talk: checked, filled in, explained and understood, without a table that is kept.

use crate::app::Shared;
use crate::error::{ApiError, Problem, Why};
use crate::facts::computed;
use crate::house::{House, malformed, unlawful, unplayable};
use crate::input::{Body, GameBody};
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
use craps_notation::{HouseFiles, Names, Played, set_up};
use craps_table::{Actor, Refusal, Role, SeatId, Table};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
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

/// A game names its rules whole: there are no files here.
pub(super) const NO_FILES: HouseFiles<'static> =
    &|name| Err(format!("no house file is read here: write the keys of {name} into the tag House"));

fn played(library: &Library, text: &str, names: Names) -> Result<Vec<Played>, ApiError> {
    games::played(library, text, names, NO_FILES).map_err(unplayable)
}

/// Games in the notation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Games {
    /// Their text.
    text: String,
}

/// Does every mark, refusal and result of games agree with the law? Every difference, each with its citation.
#[utoipa::path(post, path = "/check", tag = "games", request_body = Games,
    responses((status = 200, body = GameCheck), (status = 400, body = Problem), (status = 422, body = Problem)))]
async fn check(State(app): State<Shared>, Body(games): Body<Games>) -> Result<Json<GameCheck>, ApiError> {
    let source = Source { path: UNNAMED.to_owned(), text: games.text };
    let checked = computed(&app, move |app| {
        games::check(app.library(), &source, NO_FILES).map_err(|(place, message)| malformed(place, &message))
    });
    Ok(Json(GameCheck { differences: checked.await? }))
}

/// Games to be filled in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToFill {
    /// Their text.
    text: String,
    /// Name bets by slug instead of code.
    #[serde(default)]
    slugs: bool,
}

/// Games, filled in.
#[derive(Debug, Serialize, ToSchema)]
struct Filled {
    /// Their text with everything that follows from the law.
    text: String,
    /// What was asked in them and refused.
    refused: Vec<RefusedAct>,
}

/// Something that was refused.
#[derive(Debug, Serialize, ToSchema)]
struct RefusedAct {
    /// The line, the first is one.
    line: usize,
    /// The column in characters, the first is one.
    column: usize,
    /// What was asked.
    what: String,
    /// Why it was refused.
    message: String,
    /// By which words.
    cite: String,
}

/// Games again, with everything that follows from the law.
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

/// A result to be explained.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToExplain {
    /// Games in the notation.
    text: String,
    /// A roll, or one result of it: `3`, `3.2`.
    roll: String,
    /// Which game of the text, from one.
    #[serde(default = "first")]
    #[schema(default = 1, minimum = 1)]
    game: usize,
    /// The same dice and the same acts at the table of this house instead.
    other: Option<House>,
}

fn first() -> usize {
    1
}

/// Why a roll came out as it did.
#[derive(Debug, Serialize, ToSchema)]
struct Cards {
    /// A card for each result; none where the roll decided nothing.
    cards: Vec<WhyCard>,
}

/// Why a roll of a game came out as it did: the law, the rule, the sum. Takes up to 2 MiB.
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

/// A game to be played again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToReplay {
    /// Games in the notation.
    text: String,
    /// Which of them, from one.
    #[serde(default = "first")]
    #[schema(default = 1, minimum = 1)]
    game: usize,
    /// The same dice and the same acts at the table of this house, too: whatever comes out otherwise is told with each roll.
    other: Option<House>,
}

/// A game played again: every roll with what was done before it, what stood on the felt and what it decided, and where the text says other than
/// the law. Takes up to 2 MiB.
#[utoipa::path(post, path = "/replay", tag = "games", request_body = ToReplay,
    responses(
        (status = 200, body = Replay), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 413, body = Problem), (status = 422, body = Problem)))]
async fn replay(State(app): State<Shared>, GameBody { asked, .. }: GameBody<ToReplay>) -> Result<Response, ApiError> {
    let replay = computed(&app, move |app| {
        let other = asked.other.as_ref().map(|house| house.rules(app.library())).transpose()?;
        let game = GameOf { text: &asked.text, game: asked.game, houses: NO_FILES, other };
        written(&Replay::new(app.library(), game)?)
    });
    replay.await
}

/// A long answer, written where it keeps nobody waiting.
pub(super) fn written(answer: &impl Serialize) -> Result<Response, ApiError> {
    let broken = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "this is a mistake of ours");
    let text = serde_json::to_vec(answer).map_err(broken)?;
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

/// A roll of a game, whose felt is wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToFelt {
    /// Games in the notation.
    text: String,
    /// Which of them, from one.
    #[serde(default = "first")]
    #[schema(default = 1, minimum = 1)]
    game: usize,
    /// The roll, by its number.
    roll: u32,
}

/// A position in one line, and the house whose felt it is.
#[derive(Debug, Serialize, ToSchema)]
struct FeltLine {
    /// The felt string.
    felt: String,
    /// The house, as it may be asked for again.
    rules: RulesShown,
}

/// The felt string of a game before the dice of a roll. Takes up to 2 MiB.
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

/// A position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ToPosition {
    /// As a felt string.
    felt: String,
    /// At this house's table.
    house: House,
}

/// A position as a table shows it. Amounts are in minor units.
#[derive(Debug, Serialize, ToSchema)]
struct Position {
    /// The house.
    rules: RulesShown,
    /// The number of the next roll.
    next_roll: u32,
    /// Where the game stands.
    phase: PhaseView,
    /// The point, if one is on.
    point: Option<u8>,
    /// Who has the dice.
    shooter: Option<ShooterView>,
    /// Who would have them if they were thrown now.
    next_shooter: Option<ShooterView>,
    /// What is posted.
    limits: LimitsView,
    /// How many places there are.
    places: SeatId,
    /// Who is there.
    seats: Vec<SeatView>,
    /// What the markers of side bets show.
    markers: Vec<MarkerView>,
}

/// The position that a felt string describes, as a table shows it.
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

/// Something said at a rail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Said {
    /// At this house's table.
    house: House,
    /// In this position; an empty table without it, with one player who has a thousand.
    felt: Option<String>,
    /// By whoever sits here; the first seat without it.
    seat: Option<u8>,
    /// In these words.
    text: String,
}

/// What was understood, or what is asked back.
#[derive(Debug, Serialize, ToSchema)]
struct Understood {
    /// The orders that were understood, in the order in which they were said.
    orders: Vec<OrderView>,
    /// What is asked back about the first that was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<AskView>,
}

/// An order that was understood.
#[derive(Debug, Serialize, ToSchema)]
struct OrderView {
    /// The words.
    said: String,
    /// What they were understood as.
    echo: String,
    /// How many commands to the table that is; none for a question.
    commands: usize,
    /// Why the table would not take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<RefusalView>,
}

/// A refusal.
#[derive(Debug, Serialize, ToSchema)]
struct RefusalView {
    /// Why, in words.
    message: String,
    /// The sections, where the law refuses; else empty.
    cite: String,
    /// Why, as values.
    refusal: Why,
}

impl From<Refusal> for RefusalView {
    fn from(refusal: Refusal) -> RefusalView {
        RefusalView { message: refusal.sentence(), cite: refusal.cites().to_string(), refusal: Why::from(&refusal) }
    }
}

/// What is asked back.
#[derive(Debug, Serialize, ToSchema)]
struct AskView {
    /// The words that are asked about.
    word: String,
    /// Where they begin, in characters from one.
    column: usize,
    /// What is wrong, or what is asked.
    message: String,
    /// What could be said instead.
    suggestions: Vec<String>,
}

impl AskView {
    fn new(line: &str, ask: AskBack) -> AskView {
        let column = line.get(..ask.span.start).map_or(0, |before| before.chars().count()) + 1;
        AskView { word: ask.word, column, message: ask.message, suggestions: ask.suggestions }
    }
}

/// A player who has a thousand, where no position is given.
const ALONE: &str = "r1_out_s0_1.1000";

/// The table of a house in a position, and the number of its next roll.
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
        Some(seat) => Err(ApiError::bad_request(format!("nobody sits at {seat} in this position"))),
        None => Err(ApiError::bad_request("nobody sits at this table")),
    }
}

fn understood(library: &Library, said: &Said) -> Result<Understood, ApiError> {
    let (mut table, seat) = at_table(library, said)?;
    let mut orders = Vec::new();
    let asked = |orders, ask| Ok(Understood { orders, ask: Some(AskView::new(&said.text, ask)) });
    let spoken = match talk::hear(&said.text) {
        Ok(spoken) => spoken,
        Err(ask) => return asked(orders, ask),
    };
    for one in &spoken {
        let meaning = match talk::meant(&table, seat, one) {
            Ok(meaning) => meaning,
            Err(ask) => return asked(orders, ask),
        };
        // What follows is said in the belief that this has worked: it is tried on the table as it would then be.
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

/// Rail talk at a position: what is understood, and whether the table would take it. Nothing is done.
#[utoipa::path(post, path = "/talk", tag = "games", request_body = Said,
    responses((status = 200, body = Understood), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn talk_at(State(app): State<Shared>, Body(said): Body<Said>) -> Result<Json<Understood>, ApiError> {
    computed(&app, move |app| understood(app.library(), &said)).await.map(Json)
}

/// What these routes read.
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
