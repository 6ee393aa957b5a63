//! Games as text, and talk: checked, filled in, explained and understood, without a table that is kept.

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::computed;
use crate::games::{self, Check, Which};
use crate::house::{House, unlawful};
use crate::input::Body;
use crate::why::Card;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use craps_law::{Library, Source};
use craps_notation::talk::{self, AskBack};
use craps_notation::{HouseFiles, Names, Place, Played, Unplayable, set_up};
use craps_table::{Actor, Refusal, Role, SeatId, Table};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(check)).routes(routes!(fill)).routes(routes!(why)).routes(routes!(talk_at))
}

/// A game names its rules whole: there are no files here.
const NO_FILES: HouseFiles<'static> =
    &|name| Err(format!("no house file is read here: write the keys of {name} into the tag House"));

/// What games are called where a file would be named.
const NAME: &str = "game";

fn malformed(place: Place, message: &str) -> ApiError {
    let Place { line, column } = place;
    ApiError::new(StatusCode::BAD_REQUEST, "malformed", format!("line {line}, column {column}: {message}"))
}

fn played(library: &Library, text: &str, names: Names) -> Result<Vec<Played>, ApiError> {
    games::played(library, text, names, NO_FILES).map_err(|error| match error {
        Unplayable::Malformed(place, message) => malformed(place, &message),
        Unplayable::Unlawful(_, problems) => unlawful(&problems),
    })
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
    responses((status = 200, body = Check), (status = 400, body = Problem), (status = 422, body = Problem)))]
async fn check(State(app): State<Shared>, Body(games): Body<Games>) -> Result<Json<Check>, ApiError> {
    let source = Source { path: NAME.to_owned(), text: games.text };
    let checked = computed(&app, move |app| {
        games::check(app.library(), &source, NO_FILES).map_err(|(place, message)| malformed(place, &message))
    });
    Ok(Json(Check { differences: checked.await? }))
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
        message: refused.refusal.message.clone(),
        cite: refused.refusal.cites.to_string(),
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
}

fn first() -> usize {
    1
}

/// Why a roll came out as it did.
#[derive(Debug, Serialize, ToSchema)]
struct Cards {
    /// A card for each result; none where the roll decided nothing.
    cards: Vec<Card>,
}

/// Why a roll of a game came out as it did: the law, the rule, the sum.
#[utoipa::path(post, path = "/why", tag = "games", request_body = ToExplain,
    responses((status = 200, body = Cards), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn why(State(app): State<Shared>, Body(asked): Body<ToExplain>) -> Result<Json<Cards>, ApiError> {
    let which: Which = asked.roll.parse().map_err(ApiError::bad_request)?;
    let cards = computed(&app, move |app| {
        let games = played(app.library(), &asked.text, Names::Codes)?;
        let mut solver = app.facts.solver();
        games::cards(app.library(), &mut solver, &games, asked.game, which).map_err(ApiError::not_found)
    });
    Ok(Json(Cards { cards: cards.await? }))
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
    /// Why.
    message: String,
    /// By which words.
    cite: String,
}

impl From<Refusal> for RefusalView {
    fn from(refusal: Refusal) -> RefusalView {
        RefusalView { message: refusal.message, cite: refusal.cites.to_string() }
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

fn at_table(library: &Library, said: &Said) -> Result<(Table, SeatId), ApiError> {
    let house = said.house.rules(library)?;
    let book = library.named(&house.book).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
    let rules = book.admit(&house).map_err(|problems| unlawful(&problems))?;
    let mut table =
        Table::open(rules).map_err(|_| ApiError::bad_request("this house offers more bets than a layout holds"))?;
    let felt = said.felt.as_deref().unwrap_or(ALONE);
    let (_, events) = set_up(&table, felt).map_err(|error| {
        ApiError::new(
            StatusCode::BAD_REQUEST,
            "malformed",
            format!("felt, column {}: {}", error.place.column, error.message),
        )
    })?;
    events.iter().for_each(|event| table.apply(event));
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
        ("Said", reads::<Said>),
    ]
};
