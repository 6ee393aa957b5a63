//! Tables: the lobby, opening a table, and all commands to a table.

mod ask;
mod look;
mod quote;
mod stream;

use crate::app::{OwnTable, Shared};
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::house::{House, unlawful};
use crate::input::{Body, Key};
use crate::live::pit::now;
use crate::live::view::{self, CrewView, LobbyView, TableView};
use crate::live::wish::{
    Actions, BuyIn, Dice, Join, Leave, Plain, Procedure, Reply, RollDice, Ruling, Say, Second, Seed, Window, Wish, Word,
};
use crate::live::{Card, DiceFrom, Opening, WINDOW};
use crate::people::{Principal, Role, access};
use crate::routes::At;
use ask::{Answer, ask, eye};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use craps_law::{HouseRules, RuleBook};
use craps_notation::RulesTag;
use craps_table::{Actor, SeatId};
use serde::{Deserialize, Serialize};
use std::sync::PoisonError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of tables in one response of the lobby.
const LISTED_MOST: usize = 200;
/// Maximum number of open tables. Above it, only admins can open more.
const PRACTICE_MOST: usize = 1_000;
/// Maximum length of a table's name and of its id.
const NAME_MOST: usize = 64;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(lobby, open))
        .routes(routes!(table))
        .routes(routes!(join))
        .routes(routes!(leave))
        .routes(routes!(buy_in))
        .routes(routes!(actions))
        .routes(routes!(undo))
        .routes(routes!(redo))
        .routes(routes!(repeat))
        .routes(routes!(clear))
        .routes(routes!(roll))
        .routes(routes!(pass_dice))
        .routes(routes!(say))
        .routes(routes!(window))
        .routes(routes!(seed))
        .routes(routes!(dice))
        .routes(routes!(confirm))
        .routes(routes!(procedure))
        .routes(routes!(ruling, look::rulings))
        .routes(routes!(second))
        .routes(routes!(reply))
        .routes(routes!(look::legal))
        .routes(routes!(look::outcomes))
        .routes(routes!(quote::quote))
        .routes(routes!(look::why))
        .routes(routes!(look::rolls))
        .routes(routes!(look::cgn))
        .routes(routes!(look::felt))
        .routes(routes!(look::hands))
        .routes(routes!(look::log))
        .routes(routes!(stream::stream))
}

/// Selects tables of the lobby.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Listed {
    /// Only tables whose id sorts after this one.
    #[serde(default)]
    after: Option<String>,
    /// Maximum number of tables, 1 to 200. The default is 200.
    #[serde(default)]
    limit: Option<usize>,
}

/// The open tables.
#[derive(Debug, Serialize, ToSchema)]
struct Lobby {
    /// Tables, sorted by id.
    tables: Vec<LobbyView>,
    /// True if there are more tables. Ask again with `after` set to the last id.
    more: bool,
}

/// Lists the open tables you can see. Private tables are only listed for people who have access to them.
#[utoipa::path(
    get, path = "/tables", tag = "tables", params(Listed),
    responses((status = 200, description = "The open tables", body = Lobby))
)]
async fn lobby(
    State(app): State<Shared>,
    principal: Principal,
    Query(listed): Query<Listed>,
) -> Result<Json<Lobby>, ApiError> {
    let limit = listed.limit.unwrap_or(LISTED_MOST).clamp(1, LISTED_MOST);
    let is_after = |card: &std::sync::Arc<Card>| listed.after.as_deref().is_none_or(|after| card.table() > after);
    // A table that can't be read is left out. A request for that table returns the reason.
    let cards = app.pit.cards().await?.into_iter().filter(|card| is_after(card) && access::lists(&principal, card));
    let mut tables: Vec<LobbyView> =
        cards.take(limit.saturating_add(1)).map(|card| card.seen_by(principal.who.as_deref())).collect();
    let more = tables.len() > limit;
    tables.truncate(limit);
    Ok(Json(Lobby { tables, more }))
}

/// A table to open.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Open {
    /// Id of the table: lowercase letters, digits and hyphens. Without it, the server chooses one.
    #[serde(default)]
    table: Option<String>,
    /// Name of the table, for people.
    name: String,
    /// The house rules: a sample, the text of a house file, or a book with keys.
    house: House,
    /// Whether people or the server deal the game.
    #[serde(default)]
    crew: CrewView,
    /// Source of the dice.
    #[serde(default = "secret")]
    dice: DiceFrom,
    /// True lets guests play without an account. Only admins can open other tables.
    #[serde(default = "yes")]
    practice: bool,
    /// True makes it visible only to you and people with the invitation. A private table closes permanently after it has been empty for a while.
    #[serde(default)]
    private: bool,
    /// True turns on chat.
    #[serde(default)]
    chat: bool,
    /// Seconds for betting before the shooter may roll again, 5 to 300. Without it, the shooter can roll at any time.
    #[serde(default)]
    #[schema(minimum = 5, maximum = 300)]
    window: Option<u16>,
}

const fn secret() -> DiceFrom {
    DiceFrom::Secret
}

const fn yes() -> bool {
    true
}

/// Opens a table.
#[utoipa::path(
    post, path = "/tables", tag = "tables", request_body = Open,
    responses(
        (status = 200, description = "You opened the same practice table before and nobody else sits there; it is returned again", body = TableView),
        (status = 201, description = "The new table", body = TableView),
        (status = 400, description = "The request is malformed", body = Problem),
        (status = 401, description = "Not signed in and not a guest", body = Problem),
        (status = 403, description = "Only an admin can open such a table", body = Problem),
        (status = 409, description = "The id is taken", body = Problem),
        (status = 422, description = "The house is unlawful, or a field is invalid", body = Problem),
        (status = 429, description = "Too many tables", body = Problem),
    )
)]
async fn open(
    State(app): State<Shared>,
    principal: Principal,
    Body(body): Body<Open>,
) -> Result<(StatusCode, Json<TableView>), ApiError> {
    principal.known()?;
    let admin = principal.holds_everywhere(Role::Admin);
    let plain = body.practice && body.crew == CrewView::Automatic && body.dice == DiceFrom::Secret;
    if !admin && !plain {
        let without = ApiError::forbidden(
            "Only an admin can open such a table. You can open practice tables with an automatic crew and dice from a secret.",
        );
        return Err(principal.unless_locked(|role, at| role == Role::Admin && at.is_none(), without));
    }
    let named = body.table.is_some();
    // Otherwise "taken" would reveal that a private table with this id exists.
    if named && body.private {
        let words = "table: leave out the id of a private table; the server chooses one that nobody can guess";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", words));
    }
    let table = match body.table {
        Some(id) => id_of(id)?,
        None => format!("t-{}", craps_store::new_id()?.get(..12).unwrap_or_default()),
    };
    let name = body.name.trim().to_owned();
    if name.is_empty()
        || name.chars().count() > NAME_MOST
        || name.chars().any(|c| c.is_control() || "\"[]{}".contains(c))
    {
        let words = format!("name: expected 1 to {NAME_MOST} characters without quotation marks and brackets");
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", words));
    }
    if body.window.is_some_and(|seconds| !WINDOW.contains(&seconds) || body.crew == CrewView::People) {
        let (least, most) = (WINDOW.start(), WINDOW.end());
        let words = format!("window: expected {least} to {most} seconds, at a table with an automatic crew");
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", words));
    }
    let house = body.house.rules(app.library())?;
    let book = app.library().book(&house.book).ok_or_else(|| ApiError::not_found("There is no such book."))?;
    book.admit(&house).map_err(|problems| unlawful(&problems))?;
    if !body.practice {
        lawful_here(&app, book, &name, &house).await?;
    }
    let opening = Opening {
        name,
        rules: RulesTag::of(&house),
        house: house.tag(),
        game: house.game.map(|game| game.word().to_owned()),
        crew: body.crew.into(),
        dice: body.dice,
        practice: body.practice,
        private: body.private,
        chat: body.chat,
        window: body.window,
        asks: body.crew == CrewView::People,
        funded: true,
        witness: None,
        slots: Vec::new(),
    };
    if !admin
        && !named
        && let Some(view) = again(&app, &principal, &opening).await
    {
        return Ok((StatusCode::OK, Json(view)));
    }
    let from = principal.peer.subscriber();
    let counted = match admin {
        true => None,
        false => Some((app.opened.one_more(&principal.client())?, app.opened_from.one_more(&from)?)),
    };
    if !admin && app.store().tables().await?.len().saturating_sub(app.pit.closed_tables()) >= PRACTICE_MOST {
        let words = "There are too many tables already. Play at an open one.";
        return Err(ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many", words, 3_600));
    }
    let role = if admin { craps_table::Role::Floor } else { craps_table::Role::Player };
    app.pit.open(&table, opening, principal.by(Actor::staff(role)), now()).await?;
    if let Some((by_client, by_address)) = counted {
        by_client.keep();
        by_address.keep();
        let mut own = app.own_tables.lock().unwrap_or_else(PoisonError::into_inner);
        own.entry(principal.client()).or_default().push(OwnTable { id: table.clone(), from });
    }
    let eye = eye(&principal, &table);
    let id = table.clone();
    let view = app.pit.look(&table, move |live| view::table(&id, live, &eye)).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Checks a house that is not for practice: nothing that its book demands is missing, and what must be the same throughout a casino is the same at
/// all open tables of this server.
async fn lawful_here(app: &Shared, book: &RuleBook, name: &str, house: &HouseRules) -> Result<(), ApiError> {
    let problems = book.judge(house).problems;
    if !problems.is_empty() {
        return Err(unlawful(&problems));
    }
    let cards = app.pit.all_cards().await?;
    let others = cards.iter().filter_map(|card| card.house()).filter(|opening| opening.rules.book == house.book);
    let open = others.filter_map(|other| Some((other.name.as_str(), other.house_rules(book).ok()?)));
    let open: Vec<(&str, HouseRules)> = open.collect();
    let casino: Vec<(&str, &HouseRules)> =
        open.iter().map(|(name, house)| (*name, house)).chain([(name, house)]).collect();
    let problems = book.uniform(&casino);
    if problems.is_empty() { Ok(()) } else { Err(unlawful(&problems)) }
}

/// Returns a table that the caller opened earlier with the same settings and where nobody else sits, so that daily practice needs only one table.
async fn again(app: &Shared, principal: &Principal, wanted: &Opening) -> Option<TableView> {
    let own = app.own_tables.lock().unwrap_or_else(PoisonError::into_inner).get(&principal.client()).cloned();
    for OwnTable { id, .. } in own.into_iter().flatten() {
        let (eye, wanted, name) = (eye(principal, &id), wanted.clone(), id.clone());
        let look = app.pit.look(&id, move |live| {
            let same = Opening { witness: None, slots: Vec::new(), ..live.opening().clone() } == wanted;
            let alone = live.table().seats().all(|(seat, _)| live.owner(seat) == eye.who.as_deref());
            (same && alone && !live.is_over()).then(|| view::table(&name, live, &eye))
        });
        if let Ok(Some(view)) = look.await {
            return Some(view);
        }
    }
    None
}

fn id_of(id: String) -> Result<String, ApiError> {
    let fits = (1..=NAME_MOST).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if fits {
        Ok(id)
    } else {
        Err(ApiError::bad_request("table: expected at least one and at most 64 lowercase letters, digits and hyphens"))
    }
}

/// Returns the current state of a table.
#[utoipa::path(
    get, path = "/tables/{table}", tag = "tables", params(("table" = String, Path, description = "Id of the table")),
    responses(
        (status = 200, description = "Current state of the table", body = TableView),
        (status = 404, description = "No such table", body = Problem),
    )
)]
async fn table(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
) -> Result<Json<TableView>, ApiError> {
    let eye = eye(&principal, &table);
    let id = table.clone();
    Ok(Json(app.pit.look(&table, move |live| view::table(&id, live, &eye)).await?))
}

/// Query of the request to leave a seat.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct As {
    /// Role to act in, if you have more than one at this table.
    #[serde(default, rename = "as")]
    role: Option<Role>,
}

/// Leaves the table with the chips in the rail.
#[utoipa::path(
    delete, path = "/tables/{table}/seats/{seat}", tag = "tables",
    params(("table" = String, Path, description = "Id of the table"), ("seat" = u8, Path, description = "Number of the seat"), As),
    responses(
        (status = 200, description = "The command was carried out", body = Answer),
        (status = 403, description = "You may not do this", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "The table refuses; the reason cites the law where the law forbids it", body = Problem),
    )
)]
async fn leave(
    State(app): State<Shared>,
    principal: Principal,
    At((table, seat)): At<(String, SeatId)>,
    Query(As { role }): Query<As>,
    key: Key,
) -> Result<Json<Answer>, ApiError> {
    ask(&app, &principal, &table, Wish::Leave(Leave { id: None, role, seat }), key).await.map(Json)
}

/// Approves or rejects a ruling, as the second person.
#[utoipa::path(
    post, path = "/tables/{table}/rulings/{row}", tag = "tables",
    params(("table" = String, Path, description = "Id of the table"), ("row" = u64, Path, description = "Number of the log row with the ruling")),
    request_body = Word,
    responses(
        (status = 200, description = "The command was carried out", body = Answer),
        (status = 403, description = "You may not do this", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "The table refuses; the reason cites the law where the law forbids it", body = Problem),
    )
)]
async fn second(
    State(app): State<Shared>,
    principal: Principal,
    At((table, row)): At<(String, u64)>,
    key: Key,
    Body(Word { id, role, agrees }): Body<Word>,
) -> Result<Json<Answer>, ApiError> {
    ask(&app, &principal, &table, Wish::Second(Second { id, role, row, agrees }), key).await.map(Json)
}

/// Confirms a player's request that waits for the crew, or turns it down. A player can take back their own request.
#[utoipa::path(
    post, path = "/tables/{table}/requests/{request}", tag = "tables",
    params(("table" = String, Path, description = "Id of the table"), ("request" = u32, Path, description = "Number of the request")),
    request_body = Word,
    responses(
        (status = 200, description = "The command was carried out", body = Answer),
        (status = 403, description = "You may not do this", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "The table refuses; the reason cites the law where the law forbids it", body = Problem),
    )
)]
async fn reply(
    State(app): State<Shared>,
    principal: Principal,
    At((table, request)): At<(String, u32)>,
    key: Key,
    Body(Word { id, role, agrees }): Body<Word>,
) -> Result<Json<Answer>, ApiError> {
    ask(&app, &principal, &table, Wish::Reply(Reply { id, role, request, agrees }), key).await.map(Json)
}

/// Handlers that send a request body to a table as a command.
macro_rules! asks {
    ($($(#[$about:meta])* $name:ident: $path:literal, $body:ident as $wish:ident;)*) => {$(
        $(#[$about])*
        #[utoipa::path(
            post, path = $path, tag = "tables", params(("table" = String, Path, description = "Id of the table")),
            request_body = $body,
            responses(
                (status = 200, description = "The command was carried out", body = Answer),
                (status = 400, description = "The request is malformed", body = Problem),
                (status = 401, description = "Not signed in and not a guest", body = Problem),
                (status = 403, description = "You may not do this", body = Problem),
                (status = 404, description = "No such table", body = Problem),
                (status = 422, description = "The table refuses; the reason cites the law where the law forbids it", body = Problem),
                (status = 429, description = "Too many requests", body = Problem),
                (status = 503, description = "The server is busy; retry with the same key", body = Problem),
            )
        )]
        async fn $name(
            State(app): State<Shared>,
            principal: Principal,
            At(table): At<String>,
            key: Key,
            Body(body): Body<$body>,
        ) -> Result<Json<Answer>, ApiError> {
            ask(&app, &principal, &table, Wish::$wish(body), key).await.map(Json)
        }
    )*};
}

asks! {
    /// Takes a seat.
    join: "/tables/{table}/seats", Join as Join;
    /// Buys chips.
    buy_in: "/tables/{table}/buy-in", BuyIn as BuyIn;
    /// Makes or changes bets, given by code or as rail talk. Either all of them are accepted or none.
    actions: "/tables/{table}/actions", Actions as Actions;
    /// Undoes your last order since the last roll.
    undo: "/tables/{table}/undo", Plain as Undo;
    /// Repeats the order you undid last.
    redo: "/tables/{table}/redo", Plain as Redo;
    /// Makes the same bets as last time.
    repeat: "/tables/{table}/repeat", Plain as Repeat;
    /// Undoes all your orders since the last roll.
    clear: "/tables/{table}/clear", Plain as Clear;
    /// Closes betting and rolls the server's dice.
    roll: "/tables/{table}/roll", RollDice as Roll;
    /// Passes the dice to the next shooter.
    pass_dice: "/tables/{table}/pass-dice", Plain as PassDice;
    /// Sets your seed. Together with the secret of the hand, the seeds of all players decide the dice.
    seed: "/tables/{table}/seed", Seed as Seed;
    /// Sends a chat message to everybody at the table, if chat is on.
    say: "/tables/{table}/say", Say as Say;
    /// Sets your options for the betting window, if the table has one: extra time, or ready to roll.
    window: "/tables/{table}/window", Window as Window;
    /// Enters the faces of the dice.
    dice: "/tables/{table}/dice", Dice as Dice;
    /// Enters the faces of the dice as the second person. The roll counts if both agree; otherwise nothing is settled.
    confirm: "/tables/{table}/dice/confirm", Dice as Confirm;
    /// Records an act of the staff, such as offering the dice or calling no roll.
    procedure: "/tables/{table}/procedure", Procedure as Procedure;
    /// Proposes a ruling on a player's money. A second person must approve it.
    ruling: "/tables/{table}/rulings", Ruling as Ruling;
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[
        ("Open", reads::<Open>),
        ("Word", reads::<Word>),
        ("Join", reads::<Join>),
        ("BuyIn", reads::<BuyIn>),
        ("Leave", reads::<Leave>),
        ("Actions", reads::<Actions>),
        ("Plain", reads::<Plain>),
        ("RollDice", reads::<RollDice>),
        ("Seed", reads::<Seed>),
        ("Say", reads::<Say>),
        ("Window", reads::<Window>),
        ("Dice", reads::<Dice>),
        ("Procedure", reads::<Procedure>),
        ("Ruling", reads::<Ruling>),
        ("Second", reads::<Second>),
        ("Reply", reads::<Reply>),
        ("Wish", reads::<Wish>),
    ]
};
