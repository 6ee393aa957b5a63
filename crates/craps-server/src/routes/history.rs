//! A player's own history: every hand in which they had a bet, with the luck line. Players can't read each other's history.

use crate::app::Shared;
use crate::aside::aside;
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::live::Opening;
use crate::live::ledger::{HandPlayed, Ledger, Own, Sums};
use crate::live::pit::{NotDone, Told};
use crate::people::Principal;
use axum::Json;
use axum::extract::State;
use craps_odds::RBig;
use craps_store::Before;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum number of hands in one response.
const LISTED_MOST: usize = 1_000;
/// Number of hands in a response if the request has no `limit`.
const LISTED: usize = 100;
/// Number of log rows that are read at once.
const PAGE: u32 = 500;
/// How long a request waits for logs to be read. Reading goes on without it.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum number of tables whose values of bets are kept in memory.
const VALUES_MOST: usize = 200;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(history))
}

/// What people played at all tables, as far as their logs were read. One task reads on when somebody asks, for everybody who asks meanwhile. It stops
/// when everything is read.
#[derive(Default)]
pub(crate) struct Ledgers {
    tables: Mutex<BTreeMap<String, Arc<Mutex<Ledger>>>>,
    asked: Mutex<Asked>,
    done: watch::Sender<Done>,
}

#[derive(Default)]
struct Asked {
    /// How often somebody has asked.
    count: u64,
    /// A task is reading.
    reading: bool,
}

/// How many of those who asked have been served, and why the last ones were not.
#[derive(Default)]
struct Done {
    count: u64,
    failed: Option<NotDone>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ledgers {
    fn all(&self) -> Vec<(String, Arc<Mutex<Ledger>>)> {
        locked(&self.tables).iter().map(|(table, ledger)| (table.clone(), Arc::clone(ledger))).collect()
    }

    /// Counts one more who asks. Returns their number, and whether a task has to be started.
    fn ask(&self) -> (u64, bool) {
        let mut asked = locked(&self.asked);
        asked.count += 1;
        (asked.count, !std::mem::replace(&mut asked.reading, true))
    }

    /// Returns how many have asked, if more than `served` have. If not, the task ends.
    fn next(&self, served: u64) -> Option<u64> {
        let mut asked = locked(&self.asked);
        asked.reading = asked.count > served;
        asked.reading.then_some(asked.count)
    }
}

/// Reads the new rows of all logs, or waits until another request has them read, but not for long. Returns true if nothing is left to read.
async fn read_on(app: &Shared) -> Result<bool, ApiError> {
    let mut done = app.ledgers.done.subscribe();
    let (own, start) = app.ledgers.ask();
    if start {
        tokio::spawn(read_for_all(Arc::clone(app)));
    }
    let served = tokio::time::timeout(PATIENCE, done.wait_for(|done| done.count >= own)).await;
    match served {
        Ok(Ok(done)) => done.failed.clone().map_or(Ok(true), |error| Err(error.into())),
        Ok(Err(_)) | Err(_) => Ok(false),
    }
}

/// Reads the logs until everybody who asked is served.
async fn read_for_all(app: Shared) {
    let mut served = 0;
    while let Some(count) = app.ledgers.next(served) {
        let failed = read_all(&app).await.err();
        app.ledgers.done.send_replace(Done { count, failed });
        served = count;
    }
}

async fn read_all(app: &Shared) -> Result<(), NotDone> {
    for (table, head) in app.store().tables().await? {
        let ledger = Arc::clone(locked(&app.ledgers.tables).entry(table.clone()).or_default());
        let mut after = locked(&ledger).seq();
        while after < head.seq {
            let start = Instant::now();
            let mut rows = app.pit.rows(&table, after, PAGE).await?;
            // Rows that are missing are in an archive. The next page begins behind them.
            let whole = rows.iter().zip(after + 1..).take_while(|(told, seq)| told.row.seq == *seq).count();
            if whole == 0 && !rows.is_empty() {
                let walk = app.pit.walk(&table, Before::Row(after + 2)).await?;
                if walk.live().head().0 <= after {
                    break;
                }
                locked(&ledger).go_on_at(walk.live());
                after = walk.live().head().0;
                continue;
            }
            rows.truncate(whole);
            let Some(last) = rows.last() else { break };
            after = last.row.seq;
            let (own, ledger) = (Arc::clone(app), Arc::clone(&ledger));
            let read = aside(move || {
                let open = |first: &Told| own.pit.opened_by(first);
                locked(&ledger).read(open, &rows, own.facts.solving());
            });
            read.await.ok_or(NotDone::Closing)?;
            // A long log leaves at least half of a processor to the tables in play.
            if after < head.seq {
                tokio::time::sleep(start.elapsed()).await;
            }
        }
    }
    let all = app.ledgers.all();
    let with_values = all.iter().filter(|(_, ledger)| locked(ledger).has_values()).count();
    all.iter().take(with_values.saturating_sub(VALUES_MOST)).for_each(|(_, ledger)| locked(ledger).rest());
    Ok(())
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

fn listed(ledgers: &Ledgers, who: &str, asked: &Which, complete: bool) -> History {
    let of = |(table, ledger): (String, Arc<Mutex<Ledger>>)| {
        let ledger = locked(&ledger);
        Some((table, ledger.opening().cloned(), ledger.of(who)?.clone()))
    };
    let known: Vec<(String, Option<Opening>, Own)> = ledgers.all().into_iter().filter_map(of).collect();
    let mut all: Vec<(&str, Option<&Opening>, &HandPlayed)> = Vec::new();
    let (mut count, mut sum) = (0, Sums::default());
    for (table, opening, own) in &known {
        count += own.earlier;
        sum.add(&own.before);
        all.extend(own.hands.iter().map(|hand| (table.as_str(), opening.as_ref(), hand)));
    }
    all.sort_by_key(|(table, _, hand)| (hand.from, *table, hand.hand));
    let limit = asked.limit.unwrap_or(LISTED).clamp(1, LISTED_MOST);
    // The luck line starts with the sum of old hands that are no longer listed one by one.
    let first = count + 1;
    count += all.len();
    let end = asked.before.unwrap_or(usize::MAX).clamp(first, count + 1);
    let start = end.saturating_sub(limit).max(first);
    let mut hands = Vec::new();
    for (n, (table, opening, hand)) in (first..).zip(all) {
        sum.add(&hand.sums);
        if !(start..end).contains(&n) {
            continue;
        }
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
    let who = principal.known()?.to_owned();
    let complete = read_on(&app).await?;
    // A table whose log is being read is waited for, so this doesn't hold up requests.
    let listed = aside(move || listed(&app.ledgers, &who, &asked, complete)).await;
    listed.map(Json).ok_or_else(|| NotDone::Closing.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::App;
    use crate::live::pit::Pit;
    use crate::people::Settings;

    #[test]
    fn one_task_reads_for_all_who_ask() {
        let ledgers = Ledgers::default();
        assert_eq!((ledgers.ask(), ledgers.ask()), ((1, true), (2, false)));
        assert_eq!(ledgers.next(0), Some(2));
        assert_eq!(ledgers.ask(), (3, false));
        assert_eq!((ledgers.next(2), ledgers.next(3)), (Some(3), None));
        assert_eq!(ledgers.ask(), (4, true), "the task has ended");
    }

    /// While somebody else has long logs read, a request takes what is there.
    #[tokio::test]
    async fn a_request_does_not_wait_long_for_others() {
        let folder = tempfile::tempdir().unwrap();
        let store = craps_store::Store::open(folder.path().join("tables.db").to_str().unwrap()).await.unwrap();
        let pit = Pit::new(store, Arc::new(craps_law::Library::shipped()));
        let app = Arc::new(App::new(pit, Settings::default(), None));
        assert!(read_on(&app).await.unwrap());
        // A task that never ends.
        locked(&app.ledgers.asked).reading = true;
        tokio::time::pause();
        assert!(!read_on(&app).await.unwrap());
        app.ledgers.done.send_replace(Done { count: 3, failed: None });
        assert!(read_on(&app).await.unwrap());
        app.ledgers.done.send_replace(Done { count: 4, failed: Some(NotDone::Busy) });
        assert!(read_on(&app).await.is_err());
    }
}
