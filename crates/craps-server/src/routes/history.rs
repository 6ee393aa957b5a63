//! A player's own history: every hand in which they had a bet, with the luck line. Players can't read each other's history.

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{Query, computed};
use crate::live::ledger::{HandPlayed, Ledger, Sums};
use crate::people::Principal;
use axum::Json;
use axum::extract::State;
use craps_odds::RBig;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tokio::sync::Mutex;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of hands in one response.
const LISTED_MOST: usize = 1_000;
/// Number of hands in a response if the request has no `limit`.
const LISTED: usize = 100;
/// Maximum number of log rows read for one request, and in one batch.
const ROWS_MOST: u32 = 100_000;
const PAGE: u32 = 1_000;
/// Maximum number of tables whose reading state is kept in memory.
const READING_MOST: usize = 200;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(history))
}

/// Everything read so far from the log of each table.
#[derive(Default)]
pub(crate) struct Ledgers(Mutex<BTreeMap<String, Ledger>>);

/// Reads the new rows of all logs. Returns true if nothing is left to read.
async fn read_on(app: &Shared, ledgers: &mut BTreeMap<String, Ledger>) -> Result<bool, ApiError> {
    let (mut left, mut grown) = (ROWS_MOST, BTreeSet::new());
    for (table, head) in app.store().tables().await? {
        // The ledger goes back into the map when it is done. If the request is dropped before that, the log is read again.
        let mut ledger = ledgers.remove(&table).unwrap_or_default();
        while ledger.seq() < head.seq && left > 0 {
            let rows = app.pit.rows(&table, ledger.resume(), PAGE.min(left)).await?;
            if rows.is_empty() {
                break;
            }
            left = left.saturating_sub(u32::try_from(rows.len()).unwrap_or(PAGE));
            grown.insert(table.clone());
            ledger = computed(app, move |app| {
                ledger.read(app.library(), &rows, app.facts.solving());
                Ok(ledger)
            })
            .await?;
        }
        ledgers.insert(table, ledger);
    }
    let open = ledgers.values().filter(|ledger| ledger.is_reading()).count();
    let idle = ledgers.iter_mut().filter(|(table, ledger)| ledger.is_reading() && !grown.contains(*table));
    idle.take(open.saturating_sub(READING_MOST)).for_each(|(_, ledger)| ledger.rest());
    Ok(left > 0)
}

/// Selects hands.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only hands before this number (`n`).
    before: Option<usize>,
    /// Maximum number of hands, 1 to 1000. The default is 100.
    limit: Option<usize>,
}

/// A player's own hands, the newest first. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
struct History {
    /// The requested hands, the newest first.
    hands: Vec<HandLine>,
    /// True if there are older hands. Ask again with `before` set to the number of the last one.
    more: bool,
    /// True if all logs have been read. If false, there was too much to read in one request: ask again for the rest.
    complete: bool,
    /// Total number of hands.
    count: usize,
    /// Sum over all hands.
    total: Luck,
}

/// A hand in which the player had a bet.
#[derive(Debug, Serialize, ToSchema)]
struct HandLine {
    /// Number of the hand in the player's history, starting at 1.
    n: usize,
    /// Id of the table.
    table: String,
    /// Name of the table.
    name: String,
    /// Id of the table's rule book.
    book: String,
    /// True at a practice table.
    practice: bool,
    /// Number of the hand at its table, as in `/tables/{table}/cgn?hand=`.
    hand: u32,
    /// Time of the first roll on which the player had a bet, in Unix milliseconds.
    from: i64,
    /// Time of the last such roll, in Unix milliseconds.
    until: i64,
    /// Number of rolls on which the player had a bet.
    rolls: u32,
    /// Result of this hand.
    #[serde(flatten)]
    luck: Luck,
    /// Sum of all hands up to this one: a point of the luck line.
    sum: Luck,
}

/// Actual and expected result, in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct Luck {
    /// Amount bet. A bet that wins and stays up counts again; a bet taken down undecided doesn't count.
    staked: i64,
    /// Net result after commission.
    net: i64,
    /// Expected net result of these bets, as an exact fraction.
    expected: String,
    /// Expected net result, rounded to a cent.
    expected_rounded: i64,
}

impl From<&Sums> for Luck {
    fn from(sums: &Sums) -> Luck {
        let rounded = rounded(&sums.expected);
        Luck { staked: sums.staked, net: sums.net, expected: sums.expected.to_string(), expected_rounded: rounded }
    }
}

/// Rounds to the nearest integer, halves away from zero.
fn rounded(value: &RBig) -> i64 {
    craps_odds::figures::decimal(value, 0).parse().unwrap_or(0)
}

fn listed(ledgers: &BTreeMap<String, Ledger>, who: &str, asked: &Which, complete: bool) -> History {
    let mut all: Vec<(&str, &Ledger, &HandPlayed)> = Vec::new();
    let (mut count, mut sum) = (0, Sums::default());
    for (table, ledger) in ledgers {
        let Some(own) = ledger.of(who) else { continue };
        count += own.earlier;
        sum.add(&own.before);
        all.extend(own.hands.iter().map(|hand| (table.as_str(), ledger, hand)));
    }
    all.sort_by_key(|(table, _, hand)| (hand.from, *table, hand.hand));
    let limit = asked.limit.unwrap_or(LISTED).clamp(1, LISTED_MOST);
    // The luck line starts with the sum of old hands that are no longer listed one by one.
    let first = count + 1;
    count += all.len();
    let end = asked.before.unwrap_or(usize::MAX).clamp(first, count + 1);
    let start = end.saturating_sub(limit).max(first);
    let mut hands = Vec::new();
    for (n, (table, ledger, hand)) in (first..).zip(all) {
        sum.add(&hand.sums);
        if !(start..end).contains(&n) {
            continue;
        }
        let opening = ledger.opening();
        hands.push(HandLine {
            n,
            table: table.to_owned(),
            name: opening.map(|opening| opening.name.clone()).unwrap_or_default(),
            book: opening.map(|opening| opening.rules.book.clone()).unwrap_or_default(),
            practice: opening.is_some_and(|opening| opening.practice),
            hand: hand.hand,
            from: hand.from,
            until: hand.until,
            rolls: hand.rolls,
            luck: Luck::from(&hand.sums),
            sum: Luck::from(&sum),
        });
    }
    hands.reverse();
    History { hands, more: start > first, complete, count, total: Luck::from(&sum) }
}

/// Lists your hands, the newest first, with the amount bet, the result and the expected result.
#[utoipa::path(get, path = "/me/history", tag = "people", params(Which), responses(
    (status = 200, description = "Your hands", body = History),
    (status = 400, description = "The request is malformed", body = Problem),
    (status = 401, description = "Not signed in and not a guest", body = Problem)))]
async fn history(
    State(app): State<Shared>,
    principal: Principal,
    Query(asked): Query<Which>,
) -> Result<Json<History>, ApiError> {
    let who = principal.known()?;
    let mut ledgers = app.ledgers.0.lock().await;
    let complete = read_on(&app, &mut ledgers).await?;
    Ok(Json(listed(&ledgers, who, &asked, complete)))
}
