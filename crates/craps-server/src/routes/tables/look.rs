//! What can be seen of a table besides the table itself.

use super::ask::{eye, reader};
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{Query, computed};
use crate::live::pit::Told;
use crate::live::rows::Reader;
use crate::live::view::{self, Eye, LegalView, RollView, RulingView};
use crate::live::{Deed, Live, NotWritten, Transcript};
use crate::people::Principal;
use crate::routes::At;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use craps_dice::Throw;
use craps_explain::WhyCard;
use craps_money::Money;
use craps_notation::felt_string;
use craps_table::SeatId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// How many throws or rows are listed at once.
const LISTED_MOST: u32 = 1_000;
/// How many rows are read from the log at once.
const PAGE: u32 = 1_000;
/// Plain text, for games.
const TEXT: [(HeaderName, &str); 1] = [(CONTENT_TYPE, "text/plain; charset=utf-8")];

/// Which seat.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct For {
    /// The seat; without it your own.
    #[serde(default)]
    seat: Option<SeatId>,
}

/// The seat that is meant: the one named, or one's own.
fn seat(live: &Live, who: Option<&str>, named: Option<SeatId>) -> Result<SeatId, ApiError> {
    let own = || who.and_then(|who| live.seat_of(who));
    let seat = named.or_else(own).ok_or_else(|| ApiError::bad_request("seat: expected, such as ?seat=1"))?;
    let nobody = || ApiError::not_found(format!("nobody is at seat {seat}"));
    live.table().seat(seat).map(|_| seat).ok_or_else(nobody)
}

/// What a seat may bet.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LegalMoves {
    seat: SeatId,
    /// The row after which this holds.
    seq: u64,
    /// Every bet of the layout.
    legal: Vec<LegalView>,
}

/// What a seat may bet now, and why not where it may not.
#[utoipa::path(
    get, path = "/tables/{table}/legal", tag = "tables", params(("table" = String, Path, description = "The table"), For),
    responses(
        (status = 200, description = "Every bet", body = LegalMoves),
        (status = 400, description = "No seat", body = Problem),
        (status = 404, description = "No such table, or nobody there", body = Problem),
    )
)]
pub(super) async fn legal(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
    Query(For { seat: named }): Query<For>,
) -> Result<Json<LegalMoves>, ApiError> {
    let moves = app.pit.look(&table, move |live| {
        let seat = seat(live, principal.who.as_deref(), named)?;
        Ok(LegalMoves { seat, seq: live.head().0, legal: view::legal(live, seat) })
    });
    moves.await?.map(Json)
}

/// What each throw would bring a seat. Amounts are in minor units.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Outcomes {
    seat: SeatId,
    /// The row after which this holds.
    seq: u64,
    /// Thirty-six cells: one die, then the other.
    cells: Vec<OutcomeCell>,
    /// The same in few words: throws of one total together where they bring the same.
    exposure: Vec<Exposed>,
}

/// One throw.
#[derive(Debug, Serialize, ToSchema)]
struct OutcomeCell {
    dice: [u8; 2],
    /// The net result of all bets it decides, commission taken off.
    net: i64,
}

/// Throws that bring the same.
#[derive(Debug, Serialize, ToSchema)]
struct Exposed {
    /// Which, such as `seven` or `hard 8`.
    thrown: String,
    /// The net result.
    net: i64,
}

/// What each of the thirty-six throws would bring a seat.
#[utoipa::path(
    get, path = "/tables/{table}/outcomes", tag = "tables", params(("table" = String, Path, description = "The table"), For),
    responses(
        (status = 200, description = "Every throw", body = Outcomes),
        (status = 400, description = "No seat", body = Problem),
        (status = 404, description = "No such table, or nobody there", body = Problem),
    )
)]
pub(super) async fn outcomes(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
    Query(For { seat: named }): Query<For>,
) -> Result<Json<Outcomes>, ApiError> {
    let outcomes = app.pit.look(&table, move |live| {
        let seat = seat(live, principal.who.as_deref(), named)?;
        let by_throw: BTreeMap<Throw, Money> =
            live.table().outcomes(seat).into_iter().map(|outcome| (outcome.dice, outcome.net)).collect();
        let cell = |dice: [u8; 2]| {
            let net = crate::live::faces(dice).and_then(|throw| by_throw.get(&throw)).map_or(0, |net| net.minor());
            OutcomeCell { dice, net }
        };
        let exposed = |(thrown, net): (String, Money)| Exposed { thrown, net: net.minor() };
        Ok(Outcomes {
            seat,
            seq: live.head().0,
            cells: (1..=6).flat_map(|one| (1..=6).map(move |other| [one, other])).map(cell).collect(),
            exposure: live.table().exposure(seat).into_iter().map(exposed).collect(),
        })
    });
    outcomes.await?.map(Json)
}

/// Why a result of a throw came out as it did: law, rule, sum, cost.
#[utoipa::path(
    get, path = "/tables/{table}/why/{roll}/{n}", tag = "tables",
    params(
        ("table" = String, Path, description = "The table"),
        ("roll" = u32, Path, description = "The throw"),
        ("n" = usize, Path, description = "The result, from one"),
    ),
    responses(
        (status = 200, description = "The card", body = WhyCard),
        (status = 404, description = "No such table, throw or result", body = Problem),
    )
)]
pub(super) async fn why(
    State(app): State<Shared>,
    At((table, roll, n)): At<(String, u32, usize)>,
) -> Result<Json<WhyCard>, ApiError> {
    let found = app.pit.look(&table, move |live| {
        let at = usize::try_from(roll).ok().and_then(|roll| roll.checked_sub(1));
        let one =
            at.and_then(|at| live.rolls().get(at)).ok_or_else(|| ApiError::not_found(format!("no roll {roll}")))?;
        let result = n.checked_sub(1).and_then(|n| one.results.get(n));
        let count = one.results.len();
        let missing = || ApiError::not_found(format!("roll {roll} has {count} results, and no result {n}"));
        Ok::<_, ApiError>((result.cloned().ok_or_else(missing)?, live.table().clone()))
    });
    let (one, played) = found.await??;
    let card = computed(&app, move |app| {
        let (rules, layout) = (played.rules(), played.board());
        Ok(WhyCard::new(app.library(), &mut app.facts.solver(), (rules, layout), roll, &one))
    });
    card.await.map(Json)
}

/// Which of many.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Only those after this number.
    #[serde(default)]
    after: u64,
    /// How many at most.
    #[serde(default)]
    limit: Option<u32>,
}

impl Page {
    fn limit(&self) -> u32 {
        self.limit.unwrap_or(LISTED_MOST).clamp(1, LISTED_MOST)
    }
}

/// Throws.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Rolls {
    /// In order.
    rolls: Vec<RollView>,
    /// There are more: ask again with `after`.
    more: bool,
}

/// Every throw that counted, with what it decided.
#[utoipa::path(
    get, path = "/tables/{table}/rolls", tag = "tables", params(("table" = String, Path, description = "The table"), Page),
    responses(
        (status = 200, description = "The throws", body = Rolls),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(super) async fn rolls(
    State(app): State<Shared>,
    At(table): At<String>,
    Query(page): Query<Page>,
) -> Result<Json<Rolls>, ApiError> {
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let rolls = app.pit.look(&table, move |live| {
        let reader = Reader::new(live);
        let mut after = live.rolls().iter().filter(|roll| u64::from(roll.number) > page.after);
        let rolls = after.by_ref().take(limit).map(|roll| reader.roll(roll)).collect();
        Rolls { rolls, more: after.next().is_some() }
    });
    Ok(Json(rolls.await?))
}

/// Which part of a game.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Part {
    /// One hand, by its number; without it the whole game. A hand that did not begin with an empty felt is told from one before it that did.
    #[serde(default)]
    hand: Option<u32>,
}

/// The game so far in the notation, or one hand of it. Others than oneself have brought what their bets took; the staff and auditors see what
/// they did bring.
#[utoipa::path(
    get, path = "/tables/{table}/cgn", tag = "tables", params(("table" = String, Path, description = "The table"), Part),
    responses(
        (status = 200, description = "The game", body = String, content_type = "text/plain"),
        (status = 403, description = "Not for them", body = Problem),
        (status = 404, description = "No such table or hand", body = Problem),
        (status = 409, description = "The log does not tell a game that the law allows", body = Problem),
        (status = 413, description = "The game is too long to be written whole", body = Problem),
    )
)]
pub(super) async fn cgn(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
    Query(Part { hand }): Query<Part>,
) -> Result<Response, ApiError> {
    let eye = eye(&principal, &table);
    let mut transcript = gathered(&app, &table, hand, true).await?;
    let text = match written(&app, transcript, &eye).await? {
        // What could not begin in the middle is told from the beginning.
        Err(_) if hand.is_some() => {
            transcript = gathered(&app, &table, hand, false).await?;
            written(&app, transcript, &eye).await?
        }
        text => text,
    };
    let text = text.map_err(|error| ApiError::new(StatusCode::CONFLICT, "log", error.to_string()))?;
    Ok((TEXT, text).into_response())
}

/// Everything that a game, or a hand of it, is written from.
async fn gathered(app: &Shared, table: &str, hand: Option<u32>, skips: bool) -> Result<Transcript, ApiError> {
    let broken = |error: String| ApiError::new(StatusCode::CONFLICT, "log", error);
    let (mut transcript, mut after) = (None, 0);
    loop {
        let rows = app.pit.rows(table, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = last.row.seq;
        transcript = Some(
            computed(app, move |app| {
                let mut rows = rows.into_iter();
                let mut transcript = match (transcript, rows.next()) {
                    (Some(transcript), first) => fed(transcript, first),
                    (None, Some(first)) => {
                        let opened = Live::open(app.library(), &first.entry, &first.row.hash);
                        Transcript::new(opened.map_err(|error| broken(error.to_string()))?, hand, skips)
                    }
                    (None, None) => return Err(broken("the log is empty".to_owned())),
                };
                transcript = fed(transcript, rows);
                Ok(transcript)
            })
            .await?,
        );
        if transcript.as_ref().is_some_and(Transcript::is_over) {
            break;
        }
    }
    let transcript = transcript.ok_or_else(|| ApiError::not_found(format!("there is no table `{table}`")))?;
    if transcript.is_too_long() {
        let words = "this game is too long to be written whole: ask for a hand of it, such as ?hand=1";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", words));
    }
    match transcript.is_missing() {
        Some(now) => Err(ApiError::not_found(format!("there is no such hand yet: hand {now} is being played"))),
        None => Ok(transcript),
    }
}

fn fed(mut transcript: Transcript, rows: impl IntoIterator<Item = Told>) -> Transcript {
    rows.into_iter().for_each(|told| transcript.row(told.row.seq, &told.row.hash, &told.entry));
    transcript
}

async fn written(app: &Shared, transcript: Transcript, eye: &Eye) -> Result<Result<String, NotWritten>, ApiError> {
    let eye = eye.clone();
    computed(app, move |app| Ok(transcript.text(app.library(), &eye))).await
}

/// The position in one line; what is on the rails of others is left out.
#[utoipa::path(
    get, path = "/tables/{table}/felt", tag = "tables", params(("table" = String, Path, description = "The table")),
    responses(
        (status = 200, description = "The felt string", body = String, content_type = "text/plain"),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(super) async fn felt(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
) -> Result<Response, ApiError> {
    let eye = eye(&principal, &table);
    let text = app.pit.look(&table, move |live| hidden(live, &eye)).await?;
    Ok((TEXT, text).into_response())
}

/// The felt string with nothing on the rails that are not for these eyes.
fn hidden(live: &Live, eye: &Eye) -> String {
    let text = felt_string(live.table(), view::next_roll(live));
    let part = |part: &str| {
        let mut words = part.splitn(3, '.');
        let seat = words.next().and_then(|seat| seat.parse::<SeatId>().ok());
        match (seat, words.next(), words.next()) {
            (Some(seat), Some(_), bets) if !eye.sees(live.owner(seat)) => {
                format!("{seat}.0{}", bets.map(|bets| format!(".{bets}")).unwrap_or_default())
            }
            _ => part.to_owned(),
        }
    };
    text.split('_').map(part).collect::<Vec<_>>().join("_")
}

/// Rulings that wait.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Rulings {
    rulings: Vec<RulingView>,
}

/// Rulings that wait for a second person.
#[utoipa::path(
    get, path = "/tables/{table}/rulings", tag = "tables", params(("table" = String, Path, description = "The table")),
    responses(
        (status = 200, description = "Those that wait", body = Rulings),
        (status = 403, description = "Not theirs", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(super) async fn rulings(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
) -> Result<Json<Rulings>, ApiError> {
    let (eye, id) = (eye(&principal, &table), table.clone());
    let view = app.pit.look(&table, move |live| view::table(&id, live, &eye)).await?;
    Ok(Json(Rulings { rulings: view.rulings.unwrap_or_default() }))
}

/// Everything that is needed to verify the dice.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Hands {
    /// In order.
    hands: Vec<HandDice>,
    /// There are more: ask again with `after`, the number of the last hand.
    more: bool,
    /// How a throw follows from a secret and a row.
    method: &'static str,
}

const METHOD: &str = "commitment = sha256(secret). For each throw, blocks of HMAC-SHA-256 under the secret of the text boxperson-throw, the hash \
of the row that closed the bets (as 64 characters), and the number of the block from 0 (four bytes, the highest first) give numbers of four bytes \
(the highest first); a number from the highest multiple of 36 up is passed over; the first that is not, modulo 36, is six times the first die less \
one, plus the second die less one.";

/// A hand's dice.
#[derive(Debug, Default, Serialize, ToSchema)]
struct HandDice {
    hand: u32,
    /// SHA-256 of the secret, in hex.
    commitment: String,
    /// The row that committed to it.
    committed_at: u64,
    /// The secret, in hex; none while the hand is played.
    secret: Option<String>,
    /// Its throws, in order.
    throws: Vec<HandThrow>,
}

/// A throw of a hand.
#[derive(Debug, Default, Serialize, ToSchema)]
struct HandThrow {
    /// The number of the throw within its hand.
    throw: u32,
    /// The row that closed the bets.
    closed_at: u64,
    /// The hash of that row.
    closed: String,
    /// The row that has the dice; none while they are not thrown.
    thrown_at: Option<u64>,
    /// The dice.
    dice: Option<[u8; 2]>,
}

/// Commitments, secrets that are revealed, and throws with the rows they follow from: whoever has these can verify every throw.
#[utoipa::path(
    get, path = "/tables/{table}/hands", tag = "tables", params(("table" = String, Path, description = "The table"), Page),
    responses(
        (status = 200, description = "The hands", body = Hands),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(super) async fn hands(
    State(app): State<Shared>,
    At(table): At<String>,
    Query(page): Query<Page>,
) -> Result<Json<Hands>, ApiError> {
    reader(&app, &table).await?;
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let (mut hands, mut after) = (Vec::<HandDice>::new(), 0);
    'reading: loop {
        let rows = app.pit.rows(&table, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = last.row.seq;
        for told in rows {
            let row = told.row;
            match told.entry.did {
                Deed::Committed { hand, .. } if hands.len() > limit && u64::from(hand) > page.after => break 'reading,
                Deed::Committed { hand, commitment } if u64::from(hand) > page.after => {
                    hands.push(HandDice { hand, commitment, committed_at: row.seq, ..HandDice::default() });
                }
                Deed::Closed { throw } => {
                    let closed = HandThrow { throw, closed_at: row.seq, closed: row.hash, ..HandThrow::default() };
                    if let Some(hand) = hands.last_mut() {
                        hand.throws.push(closed);
                    }
                }
                Deed::Thrown { faces, .. } => {
                    if let Some(throw) = hands.last_mut().and_then(|hand| hand.throws.last_mut()) {
                        (throw.thrown_at, throw.dice) = (Some(row.seq), Some(faces));
                    }
                }
                Deed::Revealed { hand, secret } => {
                    hands
                        .iter_mut()
                        .filter(|known| known.hand == hand)
                        .for_each(|hand| hand.secret = Some(secret.clone()));
                }
                _ => {}
            }
        }
    }
    let more = hands.len() > limit;
    hands.truncate(limit);
    Ok(Json(Hands { hands, more, method: METHOD }))
}

/// The log, for auditors.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Log {
    /// Rows as they are stored, each with its hash and that of the row before.
    rows: Vec<LogRow>,
    /// There are more: ask again with `after`.
    more: bool,
}

/// A row as it is stored: its hash is SHA-256 of its other fields.
#[derive(Debug, Serialize, ToSchema)]
struct LogRow {
    table: String,
    seq: u64,
    at: i64,
    client: String,
    key: Option<String>,
    prev: String,
    hash: String,
    /// What it says, as text: the hash is of exactly this.
    body: String,
}

/// The rows of the log as they are stored.
#[utoipa::path(
    get, path = "/tables/{table}/log", tag = "tables", params(("table" = String, Path, description = "The table"), Page),
    responses(
        (status = 200, description = "Rows", body = Log),
        (status = 403, description = "Not theirs", body = Problem),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(super) async fn log(
    State(app): State<Shared>,
    At(table): At<String>,
    Query(page): Query<Page>,
) -> Result<Json<Log>, ApiError> {
    let limit = page.limit();
    let rows = app.store().load(&table, page.after, limit + 1).await?;
    if rows.is_empty() && page.after == 0 {
        return Err(ApiError::not_found(format!("there is no table `{table}`")));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    let row = |row: craps_store::Row| {
        let craps_store::Row { table, seq, at, client, key, prev, hash, body } = row;
        LogRow { table, seq, at, client, key, prev, hash, body }
    };
    Ok(Json(Log { rows: rows.into_iter().take(limit).map(row).collect(), more }))
}
