//! One's own history: every hand that one had a bet in, with the luck line. Nobody reads another's.

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

/// How many hands are listed at once.
const LISTED_MOST: usize = 1_000;
/// How many where nobody says.
const LISTED: usize = 100;
/// How many rows of logs are read for one request, and how many at once.
const ROWS_MOST: u32 = 100_000;
const PAGE: u32 = 1_000;
/// How many tables are kept open to be read on.
const READING_MOST: usize = 200;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(history))
}

/// What was read of every table's log.
#[derive(Default)]
pub(crate) struct Ledgers(Mutex<BTreeMap<String, Ledger>>);

/// Reads what is new in all logs. Says whether that was all.
async fn read_on(app: &Shared, ledgers: &mut BTreeMap<String, Ledger>) -> Result<bool, ApiError> {
    let (mut left, mut grown) = (ROWS_MOST, BTreeSet::new());
    for (table, head) in app.store().tables().await? {
        // What is under way is put back when it is done: whoever gives up in between has it read again.
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

/// Which hands.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those before this one, by its number.
    before: Option<usize>,
    /// How many at most.
    limit: Option<usize>,
}

/// One's own hands, the newest first. Amounts are in minor units.
#[derive(Debug, Serialize, ToSchema)]
struct History {
    /// The hands.
    hands: Vec<HandLine>,
    /// There are more: ask again with `before`, the number of the last.
    more: bool,
    /// All logs have been read. Where not, there was too much to read at once: ask again for the rest.
    complete: bool,
    /// How many hands there were.
    count: usize,
    /// What they come to.
    total: Luck,
}

/// A hand that one had a bet in.
#[derive(Debug, Serialize, ToSchema)]
struct HandLine {
    /// Its number among one's own, the first is one.
    n: usize,
    /// The table.
    table: String,
    /// Its name.
    name: String,
    /// The book.
    book: String,
    /// Was it for practice money?
    practice: bool,
    /// The number of the hand at the table: `/tables/{table}/cgn?hand=` has it.
    hand: u32,
    /// The first throw for which one had bet, in unix milliseconds.
    from: i64,
    /// The last.
    until: i64,
    /// How many throws one had a bet on the felt for.
    rolls: u32,
    /// What came of it.
    #[serde(flatten)]
    luck: Luck,
    /// What all hands up to this one come to: the luck line.
    sum: Luck,
}

/// What came, and what was to be expected, in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct Luck {
    /// What was bet, each win that stayed up counted again, less what came down undecided.
    staked: i64,
    /// The net result.
    net: i64,
    /// What was to be expected of these bets: an exact fraction.
    expected: String,
    /// The same, rounded.
    expected_rounded: i64,
}

impl From<&Sums> for Luck {
    fn from(sums: &Sums) -> Luck {
        let rounded = rounded(&sums.expected);
        Luck { staked: sums.staked, net: sums.net, expected: sums.expected.to_string(), expected_rounded: rounded }
    }
}

/// To the nearest, halves away from zero.
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
    // The luck line begins with what is no longer told apart.
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
            book: opening.and_then(|opening| opening.rules.split(' ').next()).unwrap_or_default().to_owned(),
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

/// Every hand that one had a bet in, the newest first: what was staked, what came of it, and what was to be expected.
#[utoipa::path(get, path = "/me/history", tag = "people", params(Which), responses(
    (status = 200, description = "One's own hands", body = History),
    (status = 400, description = "Malformed", body = Problem),
    (status = 401, description = "Nobody knows who is asking", body = Problem)))]
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
