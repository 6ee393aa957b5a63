//! Read-only requests about a table: legal bets, outcomes, explanations, rolls, games, hands and the log.

use super::ask::{eye, reader};
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{Query, computed};
use crate::live::pit::Told;
use crate::live::view::{self, Eye, LegalView, RollView, RulingView};
use crate::live::{
    Chain, Deed, DiceFrom, Live, MARK, NotWritten, ROWS_MOST, Retirement, SeatSeed, Transcript, WitnessOf,
};
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
use craps_notation::talk::{self, Order, Question, Spoken, Thrown};
use craps_store::Before;
use craps_table::{SeatId, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// Maximum number of rolls, hands or rows in one response.
const LISTED_MOST: u32 = 1_000;
/// Number of rows read from the log in one batch.
const PAGE: u32 = 1_000;
/// Headers of a plain-text response.
const TEXT: [(HeaderName, &str); 1] = [(CONTENT_TYPE, "text/plain; charset=utf-8")];

/// Selects a seat.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct For {
    /// Number of the seat. Without it, your own seat.
    #[serde(default)]
    seat: Option<SeatId>,
}

/// Selects a seat and rolls.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// Number of the seat. Without it, your own seat.
    #[serde(default)]
    seat: Option<SeatId>,
    /// Rolls in rail talk, such as `seven` or `hard eight`. The summary then has only these.
    #[serde(default)]
    thrown: Option<String>,
}

/// Reads the rolls that a request names.
fn thrown(words: &str) -> Result<Thrown, ApiError> {
    let heard = talk::hear(&format!("what if {words}")).ok();
    match heard.as_deref() {
        Some([Spoken { order: Order::Ask(Question::WhatIf(thrown)), .. }]) => Ok(*thrown),
        _ => Err(ApiError::bad_request("thrown: expected a roll, such as `seven`, `hard eight` or `6-5`")),
    }
}

/// Returns what the rolls that a question names would win or lose for a seat: one line if it is the same for all of them.
fn exposed(table: &Table, seat: SeatId, thrown: Thrown) -> Vec<Exposed> {
    let nets: Vec<(Throw, i64)> = table
        .outcomes(seat)
        .into_iter()
        .filter(|outcome| thrown.covers(outcome.dice))
        .map(|outcome| (outcome.dice, outcome.net.minor()))
        .collect();
    match nets.first() {
        Some((_, first)) if nets.iter().all(|(_, net)| net == first) => {
            vec![Exposed { thrown: talk::thrown_name(thrown), net: *first }]
        }
        _ => nets.into_iter().map(|(dice, net)| Exposed { thrown: dice.to_string(), net }).collect(),
    }
}

/// Returns the seat named in the request, or else the caller's own seat.
fn seat(live: &Live, who: Option<&str>, named: Option<SeatId>) -> Result<SeatId, ApiError> {
    let own = || who.and_then(|who| live.seat_of(who));
    let seat =
        named.or_else(own).ok_or_else(|| ApiError::bad_request("seat: expected a seat number, such as ?seat=1"))?;
    let nobody = || ApiError::not_found(format!("Nobody sits at seat {seat}."));
    live.table().seat(seat).map(|_| seat).ok_or_else(nobody)
}

/// The bets a seat can make now.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LegalMoves {
    seat: SeatId,
    /// Number of the last log row at the time of the answer.
    seq: u64,
    /// All bets of the layout, each with the amounts it takes now or the reason why it takes none.
    legal: Vec<LegalView>,
}

/// Lists every bet of the layout: what the seat can bet now, or why it can't.
#[utoipa::path(
    get, path = "/tables/{table}/legal", tag = "tables", params(("table" = String, Path, description = "Id of the table"), For),
    responses(
        (status = 200, description = "All bets of the layout", body = LegalMoves),
        (status = 400, description = "No seat given, and you have none", body = Problem),
        (status = 404, description = "No such table, or nobody sits at the seat", body = Problem),
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

/// What each roll would win or lose for a seat. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Outcomes {
    seat: SeatId,
    /// Number of the last log row at the time of the answer.
    seq: u64,
    /// One cell for each of the 36 rolls, ordered by the first die, then the second.
    cells: Vec<OutcomeCell>,
    /// Summary of all rolls, or of those that the request names. Rolls with the same total and the same result are combined.
    exposure: Vec<Exposed>,
}

/// One of the 36 rolls.
#[derive(Debug, Serialize, ToSchema)]
struct OutcomeCell {
    dice: [u8; 2],
    /// Net result of all bets this roll decides, after commission.
    net: i64,
}

/// Rolls with the same result.
#[derive(Debug, Serialize, ToSchema)]
struct Exposed {
    /// Name of the rolls, such as `seven` or `hard 8`.
    thrown: String,
    /// Net result of all bets these rolls decide, after commission.
    net: i64,
}

/// Returns what each of the 36 rolls would win or lose for a seat.
#[utoipa::path(
    get, path = "/tables/{table}/outcomes", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Which),
    responses(
        (status = 200, description = "All 36 rolls", body = Outcomes),
        (status = 400, description = "No seat given, and you have none, or there are no such rolls", body = Problem),
        (status = 404, description = "No such table, or nobody sits at the seat", body = Problem),
    )
)]
pub(super) async fn outcomes(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
    Query(asked): Query<Which>,
) -> Result<Json<Outcomes>, ApiError> {
    let named = asked.thrown.as_deref().map(thrown).transpose()?;
    let outcomes = app.pit.look(&table, move |live| {
        let seat = seat(live, principal.who.as_deref(), asked.seat)?;
        let by_throw: BTreeMap<Throw, Money> =
            live.table().outcomes(seat).into_iter().map(|outcome| (outcome.dice, outcome.net)).collect();
        let cell = |dice: [u8; 2]| {
            let net = crate::live::faces(dice).and_then(|throw| by_throw.get(&throw)).map_or(0, |net| net.minor());
            OutcomeCell { dice, net }
        };
        let all = |(thrown, net): (String, Money)| Exposed { thrown, net: net.minor() };
        Ok(Outcomes {
            seat,
            seq: live.head().0,
            cells: (1..=6).flat_map(|one| (1..=6).map(move |other| [one, other])).map(cell).collect(),
            exposure: match named {
                Some(named) => exposed(live.table(), seat, named),
                None => live.table().exposure(seat).into_iter().map(all).collect(),
            },
        })
    });
    outcomes.await?.map(Json)
}

/// Explains a result of a roll: the law, the rule, the payout and the cost of the bet.
#[utoipa::path(
    get, path = "/tables/{table}/why/{roll}/{n}", tag = "tables",
    params(
        ("table" = String, Path, description = "Id of the table"),
        ("roll" = u32, Path, description = "Number of the roll"),
        ("n" = usize, Path, description = "Number of the result, starting at 1"),
    ),
    responses(
        (status = 200, description = "The explanation", body = WhyCard),
        (status = 404, description = "No such table, roll or result", body = Problem),
    )
)]
pub(super) async fn why(
    State(app): State<Shared>,
    At((table, roll, n)): At<(String, u32, usize)>,
) -> Result<Json<WhyCard>, ApiError> {
    let unknown = || ApiError::not_found(format!("There is no roll {roll}."));
    let before = u64::from(roll).checked_sub(1).ok_or_else(unknown)?;
    let (rolls, _) = app.pit.rolls_after(&table, before, 1).await?;
    let one = rolls.first().filter(|one| one.number == roll).ok_or_else(unknown)?;
    let count = one.results.len();
    let missing = || ApiError::not_found(format!("Roll {roll} has {count} results. There is no result {n}."));
    let one = n.checked_sub(1).and_then(|n| one.results.get(n)).cloned().ok_or_else(missing)?;
    let played = app.pit.look(&table, |live| live.table().clone()).await?;
    let card = computed(&app, move |app| {
        let (rules, layout) = (played.rules(), played.board());
        Ok(WhyCard::new(app.library(), &mut app.facts.solver(), (rules, layout), roll, &one))
    });
    card.await.map(Json)
}

/// Selects a page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Only items after this number.
    #[serde(default)]
    after: u64,
    /// Maximum number of items, 1 to 1000. The default is 1000.
    #[serde(default)]
    limit: Option<u32>,
}

impl Page {
    fn limit(&self) -> u32 {
        self.limit.unwrap_or(LISTED_MOST).clamp(1, LISTED_MOST)
    }
}

/// Rolls of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Rolls {
    /// Rolls in order, the oldest first.
    rolls: Vec<RollView>,
    /// True if there are more rolls. Ask again with `after` set to the number of the last one.
    more: bool,
}

/// Lists every roll that counted, with its results.
#[utoipa::path(
    get, path = "/tables/{table}/rolls", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Page),
    responses(
        (status = 200, description = "The rolls", body = Rolls),
        (status = 404, description = "No such table", body = Problem),
    )
)]
pub(super) async fn rolls(
    State(app): State<Shared>,
    At(table): At<String>,
    Query(page): Query<Page>,
) -> Result<Json<Rolls>, ApiError> {
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let reader = reader(&app, &table).await?;
    let (rolls, more) = app.pit.rolls_after(&table, page.after, limit).await?;
    Ok(Json(Rolls { rolls: rolls.iter().map(|roll| reader.roll(roll)).collect(), more }))
}

/// Selects a part of a game.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Part {
    /// Number of a hand. Without it, the whole game. If the hand started with bets on the felt, the text starts at an earlier hand that didn't.
    #[serde(default)]
    hand: Option<u32>,
}

/// Returns the game so far, or one hand of it, in the game notation.
///
/// The buy-ins of other players are hidden: the text shows just enough chips for their bets. Staff and auditors see the real buy-ins.
#[utoipa::path(
    get, path = "/tables/{table}/cgn", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Part),
    responses(
        (status = 200, description = "The game in the game notation", body = String, content_type = "text/plain"),
        (status = 403, description = "You may not read this game", body = Problem),
        (status = 404, description = "No such table or hand", body = Problem),
        (status = 409, description = "The log does not contain a lawful game", body = Problem),
        (status = 410, description = "This part of the game is in an archive", body = Problem),
        (status = 413, description = "The game is too long; ask for one hand", body = Problem),
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
        // The text could not start in the middle of the game, so write it from the beginning.
        Err(_) if hand.is_some() => {
            transcript = gathered(&app, &table, hand, false).await?;
            written(&app, transcript, &eye).await?
        }
        text => text,
    };
    let text = text.map_err(|error| ApiError::new(StatusCode::CONFLICT, "log", error.to_string()))?;
    Ok((TEXT, text).into_response())
}

/// Reads the log rows for a game or for one hand of it. A hand is read from the last saved state before it, or from an earlier one if the text can't
/// begin there.
async fn gathered(app: &Shared, table: &str, hand: Option<u32>, skips: bool) -> Result<Transcript, ApiError> {
    let (rows, now) = app.pit.look(table, |live| (live.head().0, live.hands().number)).await?;
    if hand.is_none() && rows > ROWS_MOST as u64 {
        return Err(too_long());
    }
    if hand.is_some_and(|hand| hand == 0 || hand > now) {
        return Err(ApiError::not_found(format!("There is no such hand yet. The table is on hand {now}.")));
    }
    let mut before = match hand {
        Some(hand) if skips => Before::Hand(u64::from(hand)),
        _ => Before::Row(0),
    };
    // Each try begins twice as far back, so that all of them together read no more than a few times what fits into a text.
    let mut back = 0;
    loop {
        let mut walk = app.pit.walk(table, before).await?;
        let (from, begins) = (walk.live().head().0, walk.live().hands().number);
        // A walk can begin later than it should only at the end of an archive.
        let is_late = match before {
            Before::Row(row) => from > row.max(1),
            _ => hand.is_some_and(|hand| hand < begins),
        };
        if is_late {
            let words = format!("This part of the game is in an archive. Ask for a hand after hand {begins}.");
            return Err(ApiError::new(StatusCode::GONE, "archived", words));
        }
        let mut transcript = Transcript::new(walk.live().clone(), hand, skips);
        while !transcript.is_over() {
            let (next, rows) = walk.next().await?;
            walk = next;
            if rows.is_empty() {
                break;
            }
            transcript = computed(app, move |_| Ok(fed(transcript, rows))).await?;
        }
        if transcript.is_too_long() {
            return Err(too_long());
        }
        if transcript.has_start() {
            return Ok(transcript);
        }
        before = Before::Row(from.saturating_sub(back));
        back = (2 * back).max(MARK);
    }
}

fn too_long() -> ApiError {
    let words = "This game is too long for one text. Ask for one hand, such as ?hand=1.";
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", words)
}

fn fed(mut transcript: Transcript, rows: impl IntoIterator<Item = Told>) -> Transcript {
    rows.into_iter().for_each(|told| transcript.row(told.row.seq, &told.row.hash, &told.entry));
    transcript
}

async fn written(app: &Shared, transcript: Transcript, eye: &Eye) -> Result<Result<String, NotWritten>, ApiError> {
    let eye = eye.clone();
    computed(app, move |app| Ok(transcript.text(app.library(), &eye))).await
}

/// Returns the position as a felt string. The chips of other players are left out.
#[utoipa::path(
    get, path = "/tables/{table}/felt", tag = "tables", params(("table" = String, Path, description = "Id of the table")),
    responses(
        (status = 200, description = "The position as a felt string", body = String, content_type = "text/plain"),
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

/// Returns the felt string with 0 chips for players whose chips the caller may not see.
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

/// Pending rulings.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Rulings {
    rulings: Vec<RulingView>,
}

/// Lists the rulings that need a second person's approval.
#[utoipa::path(
    get, path = "/tables/{table}/rulings", tag = "tables", params(("table" = String, Path, description = "Id of the table")),
    responses(
        (status = 200, description = "The pending rulings", body = Rulings),
        (status = 403, description = "You may not do this", body = Problem),
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

/// All data needed to verify the dice.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Hands {
    /// Hands in order, the oldest first.
    hands: Vec<HandDice>,
    /// True if there are more hands. Ask again with `after` set to the number of the last one.
    more: bool,
    /// The witness that takes part in the dice. None if the table has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<HandsWitness>,
    /// Description of how to compute a roll from the secret and the log.
    method: &'static str,
}

const METHOD: &str = "commitment = sha256(secret). The commitment of each hand is the secret of the hand before it in the same chain. For each roll, \
compute HMAC-SHA-256 with the secret as the key. The message is these lines, each with a line feed at its end: boxperson-dice-2; table ID; hand \
NUMBER; throw NUMBER; seed SEAT SEED for each seed; witness ANSWER at a table with a witness; block NUMBER, starting at 0. \
The answer is the Ed25519 signature of the witness, in hex, of these lines: boxperson-witness-dice; store ID; table ID; hand NUMBER; throw NUMBER; row \
HASH OF THE ROW THAT CLOSED BETTING. For a hand without a chain, the message is the text boxperson-throw, \
then the hash of the row that closed betting (64 characters), then the block number (4 bytes, big-endian). Read the result as 4-byte big-endian \
numbers. Skip numbers at or above the largest multiple of 36 that fits in 4 bytes; if all are skipped, continue with the \
next block. The first number left, modulo 36, equals 6 * (first die - 1) + (second die - 1).";

/// The witness of a table, and what its signatures cover besides the roll.
#[derive(Debug, Serialize, ToSchema)]
struct HandsWitness {
    /// Public key of the witness, in hex.
    key: String,
    /// Id of the store that has the table.
    store: String,
}

/// The dice of one hand.
#[derive(Debug, Default, Serialize, ToSchema)]
struct HandDice {
    hand: u32,
    /// Id of the table.
    table: String,
    /// SHA-256 of the secret, in hex.
    commitment: String,
    /// Place of the secret in its chain. None if the row hashes decide the dice, as in old hands.
    chain: Option<Chain>,
    /// Number of the log row with the commitment.
    committed_at: u64,
    /// Why the secret wasn't used any more during the hand. The same hand follows again with another secret.
    retired: Option<Retirement>,
    /// The secret, in hex. None until the hand is over.
    secret: Option<String>,
    /// Rolls of the hand, in order.
    throws: Vec<HandThrow>,
}

/// One roll of a hand.
#[derive(Debug, Default, Serialize, ToSchema)]
struct HandThrow {
    /// Number of the roll within the hand.
    throw: u32,
    /// Number of the log row that closed betting.
    closed_at: u64,
    /// Hash of that row.
    closed: String,
    /// The seeds that count for the roll, in the order of the seats.
    seeds: Vec<SeatSeed>,
    /// The answer of the witness, in hex. None before it, and at a table without a witness.
    witness: Option<String>,
    /// Number of the log row with the dice. None before the roll.
    thrown_at: Option<u64>,
    /// Faces of the dice. None before the roll.
    dice: Option<[u8; 2]>,
}

/// Returns the data to verify every roll: commitments, revealed secrets, and rolls with the log rows they depend on.
#[utoipa::path(
    get, path = "/tables/{table}/hands", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Page),
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
    let from = page.after.saturating_add(1);
    let mark = app.store().mark(&table, Before::Hand(from)).await?;
    let (mut hands, mut after) = (Vec::<HandDice>::new(), mark.map_or(0, |mark| mark.seq));
    // Hands are numbered one by one, so the hand that is being played tells whether there are any to read. Where people roll and nothing is drawn,
    // there are no secrets, however long the log is.
    let look = move |live: &Live| {
        let secrets = live.opening().dice == DiceFrom::Secret || !live.table().rules().modifiers.is_empty();
        (!secrets || u64::from(live.hands().number) < from, live.opening().witness.clone())
    };
    let (none, witness) = app.pit.look(&table, look).await?;
    let witness = witness.map(|WitnessOf { key, store }| HandsWitness { key: key.to_string(), store });
    if none {
        return Ok(Json(Hands { hands, more: false, witness, method: METHOD }));
    }
    'reading: loop {
        let rows = app.pit.rows(&table, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = last.row.seq;
        for told in rows {
            let row = told.row;
            match told.entry.did {
                // A hand whose secret was retired comes again, and stays on the same page.
                Deed::Committed { hand, .. }
                    if hands.len() > limit && hands.last().is_none_or(|last| last.hand < hand) =>
                {
                    break 'reading;
                }
                Deed::Committed { hand, commitment, chain } if u64::from(hand) > page.after => {
                    let (table, committed_at) = (table.clone(), row.seq);
                    hands.push(HandDice { hand, table, commitment, chain, committed_at, ..HandDice::default() });
                }
                Deed::Closed { throw, seeds } => {
                    let (closed_at, closed) = (row.seq, row.hash);
                    let closed = HandThrow { throw, closed_at, closed, seeds, ..HandThrow::default() };
                    if let Some(hand) = hands.last_mut() {
                        hand.throws.push(closed);
                    }
                }
                Deed::Witnessed { answer } => {
                    if let Some(throw) = hands.last_mut().and_then(|hand| hand.throws.last_mut()) {
                        throw.witness = Some(answer);
                    }
                }
                Deed::Thrown { faces, .. } => {
                    if let Some(throw) = hands.last_mut().and_then(|hand| hand.throws.last_mut()) {
                        (throw.thrown_at, throw.dice) = (Some(row.seq), Some(faces));
                    }
                }
                Deed::Revealed { hand, secret } => {
                    if let Some(known) = hands.last_mut().filter(|known| known.hand == hand) {
                        known.secret = Some(secret);
                    }
                }
                Deed::Retired { hand, why, secret } => {
                    if let Some(known) = hands.last_mut().filter(|known| known.hand == hand) {
                        (known.retired, known.secret) = (Some(why), secret);
                        // Bets that were closed are open again.
                        known.throws.retain(|throw| throw.dice.is_some());
                    }
                }
                _ => {}
            }
        }
    }
    let last = hands.get(limit.wrapping_sub(1)).map(|hand| hand.hand);
    let fits = hands.iter().position(|hand| last.is_some_and(|last| hand.hand > last)).unwrap_or(hands.len());
    let more = hands.len() > fits;
    hands.truncate(fits);
    Ok(Json(Hands { hands, more, witness, method: METHOD }))
}

/// Rows of a table's log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Log {
    /// Rows as they are stored, each with its own hash and the hash of the row before.
    rows: Vec<LogRow>,
    /// True if there are more rows. Ask again with `after` set to the number of the last one.
    more: bool,
}

/// A log row as it is stored. Its hash is the SHA-256 of its other fields.
#[derive(Debug, Serialize, ToSchema)]
struct LogRow {
    table: String,
    seq: u64,
    at: i64,
    client: String,
    key: Option<String>,
    prev: String,
    hash: String,
    /// Contents of the row, exactly as hashed.
    body: String,
}

/// Returns the rows of the log as they are stored.
#[utoipa::path(
    get, path = "/tables/{table}/log", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Page),
    responses(
        (status = 200, description = "The rows", body = Log),
        (status = 403, description = "You may not do this", body = Problem),
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
        return Err(ApiError::not_found(format!("There is no table `{table}`.")));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    let row = |row: craps_store::Row| {
        let craps_store::Row { table, seq, at, client, key, prev, hash, body } = row;
        LogRow { table, seq, at, client, key, prev, hash, body }
    };
    Ok(Json(Log { rows: rows.into_iter().take(limit).map(row).collect(), more }))
}
