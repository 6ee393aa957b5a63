//! Tables: the lobby, opening one, and everything that is asked of one.

mod ask;
mod look;
mod quote;
mod stream;

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::house::{House, unlawful};
use crate::input::{Body, Key};
use crate::live::pit::now;
use crate::live::view::{self, CrewView, LobbyView, TableView};
use crate::live::wish::{Actions, BuyIn, Dice, Join, Leave, Plain, Procedure, Ruling, Say, Second, Window, Wish, Word};
use crate::live::{DiceFrom, Live, Opening, WINDOW};
use crate::people::{Principal, Role, access};
use crate::routes::At;
use ask::{Answer, ask, eye};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use craps_table::{Actor, SeatId};
use serde::{Deserialize, Serialize};
use std::sync::PoisonError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many tables the lobby lists at once.
const LISTED_MOST: usize = 200;
/// How many practice tables there may be before guests open no more.
const PRACTICE_MOST: usize = 1_000;
/// How long a table's name may be.
const NAME_MOST: usize = 64;

/// The routes.
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
        .routes(routes!(dice))
        .routes(routes!(confirm))
        .routes(routes!(procedure))
        .routes(routes!(ruling, look::rulings))
        .routes(routes!(second))
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

/// Which tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Listed {
    /// Only those after this one, by id.
    #[serde(default)]
    after: Option<String>,
    /// How many at most.
    #[serde(default)]
    limit: Option<usize>,
}

/// The lobby.
#[derive(Debug, Serialize, ToSchema)]
struct Lobby {
    /// Tables, by id.
    tables: Vec<LobbyView>,
    /// There are more: ask again with `after`.
    more: bool,
}

/// Every table that is there for you: private tables are there for their owners and people with the invitation.
#[utoipa::path(
    get, path = "/tables", tag = "tables", params(Listed),
    responses((status = 200, description = "The tables", body = Lobby))
)]
async fn lobby(
    State(app): State<Shared>,
    principal: Principal,
    Query(listed): Query<Listed>,
) -> Result<Json<Lobby>, ApiError> {
    let limit = listed.limit.unwrap_or(LISTED_MOST).clamp(1, LISTED_MOST);
    let all = app.store().tables().await?;
    let after = |name: &str| listed.after.as_deref().is_none_or(|after| name > after);
    let (mut tables, mut more) = (Vec::new(), false);
    for (id, _) in all.into_iter().filter(|(id, _)| after(id) && !app.pit.has_closed(id)) {
        if access::visible(&app, &principal, &id).await.is_err() {
            continue;
        }
        if tables.len() == limit {
            more = true;
            break;
        }
        let (name, who) = (id.clone(), principal.who.clone());
        let look = move |live: &Live| (!live.is_over()).then(|| view::lobby(&name, live, who.as_deref()));
        // A table that cannot be read is not in the lobby; whoever asks for it by name is told why.
        match app.pit.look(&id, look).await {
            Ok(table) => tables.extend(table),
            Err(error) => tracing::warn!(table = id, %error, "not in the lobby"),
        }
    }
    Ok(Json(Lobby { tables, more }))
}

/// A table to be opened.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Open {
    /// Its id: small letters, figures and hyphens; none is one of our choice.
    #[serde(default)]
    table: Option<String>,
    /// Its name.
    name: String,
    /// The house it plays by: a sample, a file's text, or a book with its keys.
    house: House,
    /// Who does what the staff does.
    #[serde(default)]
    crew: CrewView,
    /// Where the dice come from.
    #[serde(default = "secret")]
    dice: DiceFrom,
    /// May anybody play here without an account? Whoever is no admin opens practice tables only.
    #[serde(default = "yes")]
    practice: bool,
    /// Is it there only for you and people with the invitation? Then it closes for good after it has been empty for a while.
    #[serde(default)]
    private: bool,
    /// May people talk to each other at it?
    #[serde(default)]
    chat: bool,
    /// For how many seconds bets stay open after a throw, 5 to 300, before whoever has the dice throws again; none is as long as they wait.
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
        (status = 200, description = "It had been opened before, and nobody else sits there", body = TableView),
        (status = 201, description = "It is open", body = TableView),
        (status = 400, description = "Malformed", body = Problem),
        (status = 401, description = "Nobody knows who is asking", body = Problem),
        (status = 403, description = "Not theirs to open", body = Problem),
        (status = 409, description = "There is one of that id", body = Problem),
        (status = 422, description = "The house is unlawful", body = Problem),
        (status = 429, description = "Too many", body = Problem),
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
        return Err(ApiError::forbidden(
            "an admin opens such a table; practice tables with an automatic crew and dice from a secret anybody may open",
        ));
    }
    let named = body.table.is_some();
    // A name that is taken would tell that there is such a table.
    if named && body.private {
        let words = "table: the id of a private table is chosen here, so that nobody guesses it";
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
        let words = format!("window: expected seconds from {least} to {most}, at a table without a crew of people");
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", words));
    }
    let house = body.house.rules(app.library())?;
    let book = app.library().book(&house.book).ok_or_else(|| ApiError::not_found("there is no such book"))?;
    book.admit(&house).map_err(|problems| unlawful(&problems))?;
    let opening = Opening {
        name,
        rules: format!("{} as-of {}", house.book, house.as_of),
        house: house.tag(),
        game: house.game.map(|game| game.word().to_owned()),
        crew: body.crew.into(),
        dice: body.dice,
        practice: body.practice,
        private: body.private,
        chat: body.chat,
        window: body.window,
        slots: Vec::new(),
    };
    if !admin
        && !named
        && let Some(view) = again(&app, &principal, &opening).await
    {
        return Ok((StatusCode::OK, Json(view)));
    }
    let counted = if admin { None } else { Some(app.opened.one_more(&principal.client())?) };
    if !admin && app.store().tables().await?.len().saturating_sub(app.pit.closed_tables()) >= PRACTICE_MOST {
        let words = "there are too many tables already: play at one that is open";
        return Err(ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many", words, 3_600));
    }
    let role = if admin { craps_table::Role::Floor } else { craps_table::Role::Player };
    app.pit.open(&table, opening, principal.by(Actor::staff(role)), now()).await?;
    if let Some(counted) = counted {
        counted.keep();
        let mut own = app.own_tables.lock().unwrap_or_else(PoisonError::into_inner);
        own.entry(principal.client()).or_default().push(table.clone());
    }
    let eye = eye(&principal, &table);
    let id = table.clone();
    let view = app.pit.look(&table, move |live| view::table(&id, live, &eye)).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// The same practice table again, where whoever asks has opened it and nobody else sits there: whoever practises every day needs one table.
async fn again(app: &Shared, principal: &Principal, wanted: &Opening) -> Option<TableView> {
    let own = app.own_tables.lock().unwrap_or_else(PoisonError::into_inner).get(&principal.client()).cloned();
    for id in own.into_iter().flatten() {
        let (eye, wanted, name) = (eye(principal, &id), wanted.clone(), id.clone());
        let look = app.pit.look(&id, move |live| {
            let same = Opening { slots: Vec::new(), ..live.opening().clone() } == wanted;
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
        Err(ApiError::bad_request("table: expected small letters, figures and hyphens, at most 64"))
    }
}

/// A table as it stands.
#[utoipa::path(
    get, path = "/tables/{table}", tag = "tables", params(("table" = String, Path, description = "The table")),
    responses(
        (status = 200, description = "The table", body = TableView),
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

/// Leaves a seat: its query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct As {
    /// As whom, where you could act as several.
    #[serde(default, rename = "as")]
    role: Option<Role>,
}

/// Leaves with what is on the rail.
#[utoipa::path(
    delete, path = "/tables/{table}/seats/{seat}", tag = "tables",
    params(("table" = String, Path, description = "The table"), ("seat" = u8, Path, description = "The seat"), As),
    responses(
        (status = 200, description = "Done", body = Answer),
        (status = 403, description = "Not theirs", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "Refused, with the sections that forbid it", body = Problem),
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

/// A second person's word on a ruling.
#[utoipa::path(
    post, path = "/tables/{table}/rulings/{row}", tag = "tables",
    params(("table" = String, Path, description = "The table"), ("row" = u64, Path, description = "The row that asks for it")),
    request_body = Word,
    responses(
        (status = 200, description = "Done", body = Answer),
        (status = 403, description = "Not theirs", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "Refused, with the sections that forbid it", body = Problem),
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

/// Routes that take a body and ask it of a table.
macro_rules! asks {
    ($($(#[$about:meta])* $name:ident: $path:literal, $body:ident as $wish:ident;)*) => {$(
        $(#[$about])*
        #[utoipa::path(
            post, path = $path, tag = "tables", params(("table" = String, Path, description = "The table")),
            request_body = $body,
            responses(
                (status = 200, description = "Done", body = Answer),
                (status = 400, description = "Malformed", body = Problem),
                (status = 401, description = "Nobody knows who is asking", body = Problem),
                (status = 403, description = "Not theirs", body = Problem),
                (status = 404, description = "No such table", body = Problem),
                (status = 422, description = "Refused, with the sections that forbid it", body = Problem),
                (status = 429, description = "Too often", body = Problem),
                (status = 503, description = "Not now: ask again under the same key", body = Problem),
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
    /// Sits down.
    join: "/tables/{table}/seats", Join as Join;
    /// Buys chips.
    buy_in: "/tables/{table}/buy-in", BuyIn as BuyIn;
    /// An order: bets by code, or what you would say at the rail. All of it is done, or none.
    actions: "/tables/{table}/actions", Actions as Actions;
    /// Takes back your last order since the last throw.
    undo: "/tables/{table}/undo", Plain as Undo;
    /// Does again what you took back last.
    redo: "/tables/{table}/redo", Plain as Redo;
    /// Makes your last bets again.
    repeat: "/tables/{table}/repeat", Plain as Repeat;
    /// Takes back all your orders since the last throw.
    clear: "/tables/{table}/clear", Plain as Clear;
    /// Closes the bets and throws the machine's dice.
    roll: "/tables/{table}/roll", Plain as Roll;
    /// Passes the dice on.
    pass_dice: "/tables/{table}/pass-dice", Plain as PassDice;
    /// Says something to everybody at the table, where it was opened with chat.
    say: "/tables/{table}/say", Say as Say;
    /// Says how you take the betting window, where the table has one.
    window: "/tables/{table}/window", Window as Window;
    /// Enters how the dice lie.
    dice: "/tables/{table}/dice", Dice as Dice;
    /// Says how the dice lie, as a second person: then they count, or nothing is settled.
    confirm: "/tables/{table}/dice/confirm", Dice as Confirm;
    /// What the staff does.
    procedure: "/tables/{table}/procedure", Procedure as Procedure;
    /// Asks for a ruling on somebody's money: it waits for a second person.
    ruling: "/tables/{table}/rulings", Ruling as Ruling;
}

/// What these routes read.
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
        ("Say", reads::<Say>),
        ("Window", reads::<Window>),
        ("Dice", reads::<Dice>),
        ("Procedure", reads::<Procedure>),
        ("Ruling", reads::<Ruling>),
        ("Second", reads::<Second>),
        ("Wish", reads::<Wish>),
    ]
};
