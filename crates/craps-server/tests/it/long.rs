//! Long logs: tables are read from saved states whose digests are in the log, and rolls, hands and games are found from them.

use crate::house::{House, LIBRARY, Place, ask, opening, wish};
use craps_server::audit::{Auditor, Wrong};
use craps_server::live::pit::{NotDone, Pit, Waits, fold, now};
use craps_server::live::{By, Deed, DiceFrom, MARK};
use craps_server::{App, router};
use craps_store::{Before, Store};
use craps_table::Crew;
use futures_util::StreamExt as _;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Opens table `t` and plays until its log has more than `rows` rows. One player bets, talks and rolls.
pub async fn played(pit: &Pit, rows: u64) {
    pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    pit.ask("t", ask("ann", 1, wish::join("ann", 100_000))).await.unwrap();
    while pit.look("t", |live| live.head().0).await.unwrap() <= rows {
        // Some bets are refused, depending on the roll before.
        for words in ["pass 5", "field 5", "12 on the six", "come 5"] {
            let _ = pit.ask("t", ask("ann", 1, wish::talk(words))).await;
        }
        let _ = pit.ask("t", ask("ann", 1, wish::buy_in(5_000))).await;
        pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    }
}

/// Returns the state of table `t` as text.
async fn state(pit: &Pit) -> String {
    pit.look("t", |live| live.mark().unwrap().0.body).await.unwrap()
}

pub async fn run(place: &Place, sql: &str) {
    let file = place.db.strip_prefix("sqlite:").unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&pool).await.unwrap();
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_read_from_its_last_saved_state_as_from_its_whole_log() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, 2 * MARK + 300).await;
    let whole = fold(pit.store(), &LIBRARY, "t").await.unwrap();
    assert_eq!(state(&pit).await, whole.mark().unwrap().0.body);
    let mark = pit.store().mark("t", Before::End).await.unwrap().unwrap();
    assert_eq!(mark.seq, 2 * MARK);
    let row = pit.rows("t", mark.confirmed.unwrap() - 1, 1).await.unwrap().remove(0);
    assert!(matches!(row.entry.did, Deed::Marked { row, .. } if row == 2 * MARK), "{row:?}");
    pit.close().await;

    // Another server reads the same state, and only the rows since the saved one: the first thousand can be unreadable.
    run(&place, "UPDATE log SET body = '?' WHERE table_id = 't' AND seq BETWEEN 2 AND 900").await;
    let other = place.pit().await;
    assert_eq!(state(&other).await, whole.mark().unwrap().0.body);
    // After a roll that decided her line bet, she needs another one.
    let _ = other.ask("t", ask("ann", 1, wish::talk("pass 5"))).await;
    other.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    assert!(fold(other.store(), &LIBRARY, "t").await.is_err(), "the whole log can't be read any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_state_that_does_not_fit_its_digest_is_not_used() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, 2 * MARK + 10).await;
    let right = state(&pit).await;
    pit.close().await;
    run(&place, "UPDATE marks SET body = replace(body, '\"came_in\":', '\"came_in\":1') WHERE seq = 2000").await;
    let other = place.pit().await;
    assert_eq!(state(&other).await, right);
    other.close().await;
    // All states are wrong: the table is read from the beginning.
    run(&place, "UPDATE marks SET body = '{}'").await;
    let other = place.pit().await;
    assert_eq!(state(&other).await, right);
    other.close().await;
    // Without any state as well, and then the states are there again.
    run(&place, "DELETE FROM marks").await;
    let other = place.pit().await;
    assert_eq!(state(&other).await, right);
    assert_eq!(other.store().mark("t", Before::End).await.unwrap().unwrap().seq, 2 * MARK);
    assert_eq!(other.store().mark("t", Before::Row(MARK + 1)).await.unwrap().unwrap().seq, MARK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_was_changed_stops_its_table() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, MARK + 50).await;
    pit.close().await;
    run(&place, "UPDATE log SET at = at + 1 WHERE table_id = 't' AND seq = 1020").await;
    let other = place.pit().await;
    let error = other.look("t", |live| live.head().0).await.unwrap_err();
    assert!(matches!(&error, NotDone::Stopped(why) if why.contains("row 1020")), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_from_before_there_were_digests_gets_them_when_it_is_read() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, MARK - 1).await;
    pit.close().await;
    let store = Store::open(&place.db).await.unwrap();
    let rows = store.load("t", 0, 2_000).await.unwrap();
    let marked = rows.iter().filter(|row| row.body.contains("marked")).count();
    assert!(rows.len() < 1_020 && marked <= 1, "{} rows, {marked} marked", rows.len());
    store.close().await;
    run(&place, "DELETE FROM marks; DELETE FROM log WHERE seq > 1000; UPDATE ends SET seq = 1000, hash = (SELECT hash FROM log WHERE table_id = 't' AND seq = 1000) WHERE table_id = 't'").await;
    let other = place.pit().await;
    other.look("t", |_| ()).await.unwrap();
    let mut tries = 0;
    while other.store().mark("t", Before::End).await.unwrap().is_none() {
        tries += 1;
        assert!(tries < 200, "the state is never saved");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rolls_hands_and_games_of_long_ago_are_found_from_saved_states() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, 2 * MARK + 10).await;
    let app = |pit: Pit| Arc::new(App::new(pit, craps_server::people::Settings::default(), None));
    let house = |pit: Pit| {
        let app = app(pit);
        House { place: Place::new(), router: router(Arc::clone(&app)), app }
    };
    let first = house(pit.clone());
    let guest = first.guest().await;
    let all = guest.sees("/tables/t/rolls").await;
    let rolls = all["rolls"].as_array().unwrap().clone();
    assert!(rolls.len() > 100, "{}", rolls.len());
    let hands = guest.sees("/tables/t/hands").await["hands"].as_array().unwrap().clone();
    let last = hands.len();
    assert!(last > 10, "{last}");
    pit.close().await;

    let other = house(place.pit().await);
    let guest = other.guest().await;
    for after in [0, 1, 50, 99, rolls.len() - 1, rolls.len(), rolls.len() + 5] {
        let page = guest.sees(&format!("/tables/t/rolls?after={after}&limit=3")).await;
        let expected: Vec<Value> = rolls.iter().skip(after).take(3).cloned().collect();
        assert_eq!(page["rolls"], Value::Array(expected), "after {after}");
        assert_eq!(page["more"], rolls.len() > after + 3, "after {after}");
    }
    for after in [0, 1, last / 2, last - 1, last, 1_000_000_000] {
        let page = guest.sees(&format!("/tables/t/hands?after={after}&limit=2")).await;
        let expected: Vec<Value> = hands.iter().skip(after).take(2).cloned().collect();
        assert_eq!(page["hands"], Value::Array(expected), "after {after}");
    }
    // The text of a hand is the same, wherever reading begins.
    let (whole, late) =
        (guest.get("/tables/t/cgn").await, guest.get(&format!("/tables/t/cgn?hand={}", last - 1)).await);
    assert_eq!((whole.0, late.0), (200, 200), "{late:?}");
    assert_eq!(guest.get(&format!("/tables/t/cgn?hand={}", last + 5)).await.0, 404);
    let results = rolls[20]["results"].as_array().unwrap().len();
    assert_eq!(guest.get("/tables/t/why/21/1").await.0, if results > 0 { 200 } else { 404 });
    assert_eq!(guest.get("/tables/t/why/100000/1").await.0, 404);
}

/// Where people roll there are no secrets, so there is nothing to look for in the log.
#[tokio::test(flavor = "multi_thread")]
async fn hands_of_a_table_without_secrets_are_not_looked_for() {
    let place = Place::new();
    let pit = place.pit().await;
    pit.open("t", opening(Crew::People, DiceFrom::People), By::machine(), now()).await.unwrap();
    let committed =
        |hand: u32| Deed::<craps_server::live::BetName>::Committed { hand, commitment: String::new(), chain: None };
    let entry = craps_server::live::Entry::new(By::machine(), committed(1));
    let (body, table) = (serde_json::to_string(&entry).unwrap(), "t");
    let row = craps_store::NewRow { at: now(), client: String::new(), key: None, body };
    pit.look(table, |_| ()).await.unwrap();
    pit.store().append(table, 1, vec![row]).await.unwrap();
    let app = Arc::new(App::new(pit, craps_server::people::Settings::default(), None));
    let house = House { place: Place::new(), router: router(Arc::clone(&app)), app };
    // Were the log read, it would have a hand.
    assert_eq!(house.guest().await.sees("/tables/t/hands").await["hands"], Value::Array(Vec::new()));
}

/// The number of the hand that is played tells that there are none so late, so the log isn't read.
#[tokio::test(flavor = "multi_thread")]
async fn hands_that_were_not_played_yet_are_not_looked_for() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, 50).await;
    let late =
        Deed::<craps_server::live::BetName>::Committed { hand: 2_000_000_000, commitment: String::new(), chain: None };
    let body = serde_json::to_string(&craps_server::live::Entry::new(By::machine(), late)).unwrap();
    let row = craps_store::NewRow { at: now(), client: String::new(), key: None, body };
    let head = pit.store().head("t").await.unwrap().seq;
    pit.store().append("t", head, vec![row]).await.unwrap();
    let app = Arc::new(App::new(pit, craps_server::people::Settings::default(), None));
    let house = House { place: Place::new(), router: router(Arc::clone(&app)), app };
    // Were the log read, it would have this hand.
    let guest = house.guest().await;
    assert_eq!(guest.sees("/tables/t/hands?after=1000000000").await["hands"], Value::Array(Vec::new()));
    let all = guest.sees("/tables/t/hands?limit=1000").await;
    assert!(all["hands"].as_array().unwrap().iter().any(|hand| hand["hand"] == 2_000_000_000_u32), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_computes_every_digest_again() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, MARK + 10).await;
    let rows = pit.store().load("t", 0, 10_000).await.unwrap();
    let audited = |change: bool| {
        let mut auditor = Auditor::new(&LIBRARY);
        for row in &rows {
            let mut row = row.clone();
            if change && row.body.contains("\"marked\"") {
                let state = row.body.find("\"state\":\"").unwrap() + 9;
                let other = if row.body[state..].starts_with('0') { "1" } else { "0" };
                row.body.replace_range(state..=state, other);
            }
            auditor.row(&row);
        }
        auditor.finish()
    };
    let right = audited(false);
    assert_eq!((right.findings.len(), right.states), (0, 1), "{:?}", right.findings);
    let wrong = audited(true);
    assert!(matches!(wrong.findings[0].what, Wrong::NotTheState { after: MARK }), "{:?}", wrong.findings);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_reads_cards_and_idle_tables_leave_memory() {
    let place = Place::new();
    let pit = place.pit().await.waiting(Waits { unload: -1, ..Waits::default() });
    for table in ["a", "b", "c"] {
        pit.open(table, opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    }
    pit.ask("b", ask("ann", 1, wish::join("ann", 5_000))).await.unwrap();
    pit.renew_cards().await.unwrap();
    pit.keep_cards(&mut HashMap::new()).await.unwrap();
    pit.unload();
    // A seat keeps its table in memory.
    let app = Arc::new(App::new(pit.clone(), craps_server::people::Settings::default(), None));
    let house = House { place: Place::new(), router: router(Arc::clone(&app)), app };
    // Were the lobby to read the tables, it would notice that their logs are gone.
    run(&place, "UPDATE log SET body = '?' WHERE table_id IN ('a', 'c')").await;
    let lobby = house.anybody().sees("/tables").await;
    let seen: Vec<(&str, u64)> = lobby["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| (table["table"].as_str().unwrap(), table["players"].as_u64().unwrap()))
        .collect();
    assert_eq!(seen, [("a", 0), ("b", 1), ("c", 0)]);
    assert!(pit.look("a", |_| ()).await.is_err());
    pit.look("b", |_| ()).await.unwrap();
}

/// Clients that read slowly hold nothing that others need to read the log.
#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_of_a_long_log_keep_nobody_from_reading() {
    let place = Place::new();
    let pit = place.pit().await;
    played(&pit, 2 * MARK + 10).await;
    pit.open("other", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    let app = Arc::new(App::new(pit, craps_server::people::Settings::default(), None));
    let house = House { place, router: router(Arc::clone(&app)), app };
    let mut readers = Vec::new();
    for _ in 0..5 {
        // Each reads one line of the log and then nothing more.
        let mut lines = house.anybody().lines("/tables/t/stream?from=1").await;
        let line = tokio::time::timeout(Duration::from_secs(30), lines.next()).await;
        line.expect("a reader gets a line while others are slow").unwrap().unwrap();
        readers.push(lines);
    }
    let guest = house.guest().await;
    for path in ["/tables/other", "/tables/t/rolls?after=0&limit=1", "/tables/t/cgn?hand=1"] {
        let seen = tokio::time::timeout(Duration::from_secs(30), guest.get(path)).await;
        assert_eq!(seen.expect("slow readers hold up nobody").0, 200, "{path}");
    }
    // They can still read on to the end.
    let mut lines = readers.remove(0);
    let mut last = Value::Null;
    while last["kind"] != "table" {
        let line = tokio::time::timeout(Duration::from_secs(30), lines.next()).await.unwrap().unwrap().unwrap();
        last = serde_json::from_slice(&line).unwrap();
    }
    assert!(last["seq"].as_u64().unwrap() > 2 * MARK, "{last}");
}

/// A house on a pit, with its own address space.
fn house_on(place: Place, pit: Pit) -> House {
    let app = Arc::new(App::new(pit, craps_server::people::Settings::default(), None));
    House { place, router: router(Arc::clone(&app)), app }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_waits_for_no_table() {
    let place = Place::new();
    let pit = place.pit().await;
    pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    pit.ask("t", ask("ann", 1, wish::join("ann", 5_000))).await.unwrap();
    let house = house_on(place, pit.clone());
    let (release, released) = std::sync::mpsc::channel::<()>();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let busy = tokio::spawn(async move {
        let look = move |_: &craps_server::live::Live| {
            begun.send(()).unwrap();
            let _ = released.recv();
        };
        pit.look("t", look).await.unwrap();
    });
    begins.await.unwrap();
    // The table is busy now.
    let lobby = tokio::time::timeout(Duration::from_secs(30), house.anybody().sees("/tables")).await;
    release.send(()).unwrap();
    busy.await.unwrap();
    let lobby = lobby.expect("the lobby doesn't ask the table");
    assert_eq!((&lobby["tables"][0]["table"], &lobby["tables"][0]["players"]), (&"t".into(), &1.into()), "{lobby}");
    let seen = async || house.anybody().sees("/tables").await["tables"][0].clone();
    house.app.pit.ask("t", ask("bo", 2, wish::join("bo", 5_000))).await.unwrap();
    assert_eq!(seen().await["players"], 2);
    house.app.pit.ask("t", ask("ann", 1, wish::talk("pass 5"))).await.unwrap();
    house.app.pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    assert_eq!(seen().await["throws"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_without_a_card_is_not_read_by_the_lobby() {
    let place = Place::new();
    let pit = place.pit().await;
    for table in ["a", "b"] {
        pit.open(table, opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    }
    pit.close().await;
    let house = house_on(place, Pit::new(pit.store().clone(), Arc::clone(&LIBRARY)));
    let lobby = async || house.anybody().sees("/tables").await["tables"].as_array().unwrap().len();
    assert_eq!(lobby().await, 2, "a new table has a card at once");
    run(&house.place, "DELETE FROM cards WHERE table_id = 'a'; UPDATE cards SET body = '{}'").await;
    assert_eq!(lobby().await, 0);
    house.app.pit.renew_cards().await.unwrap();
    assert_eq!(lobby().await, 2);
}
