//! Figures for Prometheus: each moves when what it counts happens, and the dashboard and the alerts name only figures that exist.

use crate::house::{House, LIBRARY, Place, ask, opening, wish};
use craps_server::config::{Config, Given};
use craps_server::figures::{self, ALL};
use craps_server::live::pit::{Pit, Told, now};
use craps_server::live::{By, Deed, DiceFrom, MARK};
use craps_server::people::Settings;
use craps_server::testing::catch_up;
use craps_server::{App, Server, router};
use craps_store::{Before, NewRow, Store};
use craps_table::Crew;
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Runs a test with a recorder of its own. Everything that the test counts happens on this thread.
fn measured<T: Future<Output = ()>>(test: impl FnOnce(PrometheusHandle) -> T) {
    let recorder = figures::recorder().unwrap();
    let handle = recorder.handle();
    metrics::with_local_recorder(&recorder, || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(test(handle));
    });
}

/// Adds up the samples of a figure that have all these labels.
fn sum(text: &str, name: &str, labels: &[&str]) -> f64 {
    let is_of = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']));
    let lines = text.lines().filter(is_of).filter(|line| labels.iter().all(|label| line.contains(label)));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
}

fn row(key: &str) -> NewRow {
    NewRow { at: 0, client: "box".into(), key: Some(key.into()), body: key.into() }
}

async fn connect(place: &Place) -> SqliteConnection {
    SqliteConnection::connect(&place.db).await.unwrap()
}

#[test]
fn appends_their_batches_and_their_failures_are_counted() {
    measured(|handle| async move {
        let place = Place::new();
        let store = Store::open(&place.db).await.unwrap();
        store.append("north", 0, vec![row("1"), row("2")]).await.unwrap();
        store.append("north", 9, vec![row("3")]).await.unwrap_err();
        store.append("north", 2, vec![row("2")]).await.unwrap_err();
        let text = handle.render();
        let of = |name: &str| sum(&text, name, &[]);
        assert_eq!((of("boxperson_append_seconds_count"), of("boxperson_commit_seconds_count")), (3.0, 3.0));
        assert_eq!((of("boxperson_commit_rows_sum"), of("boxperson_commit_appends_sum")), (2.0, 1.0));
        for (kind, count) in [("conflict", 1.0), ("duplicate", 1.0), ("refused", 0.0)] {
            let label = format!("kind=\"{kind}\"");
            assert_eq!(sum(&text, "boxperson_append_failures_total", &[&label]), count, "{kind}\n{text}");
        }

        // While another program holds the database, appends wait. Then they go into one transaction.
        let mut other = connect(&place).await;
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        let append = |table: &'static str| {
            let store = store.clone();
            tokio::spawn(async move { store.append(table, 0, vec![row("1")]).await.unwrap() })
        };
        let first = append("south");
        tokio::time::sleep(Duration::from_millis(100)).await;
        let rest = ["east", "west", "up"].map(append);
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(store.waiting(), 3);
        sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
        first.await.unwrap();
        for one in rest {
            one.await.unwrap();
        }
        assert_eq!((store.waiting(), sum(&handle.render(), "boxperson_commit_appends_count", &[])), (0, 3.0));

        // A database that fails.
        sqlx::raw_sql("DROP TABLE ends").execute(&mut other).await.unwrap();
        store.append("down", 0, vec![row("1")]).await.unwrap_err();
        assert_eq!(sum(&handle.render(), "boxperson_append_failures_total", &["kind=\"refused\""]), 1.0);
        store.close().await;
    });
}

/// Many who append at the same time share commits, without anything that holds the database up.
#[test]
fn appends_at_the_same_time_share_commits() {
    const WRITERS: usize = 16;
    const ROUNDS: u64 = 10;
    measured(|handle| async move {
        let place = Place::new();
        let store = Store::open(&place.db).await.unwrap();
        for round in 0..ROUNDS {
            let appends = (0..WRITERS).map(|table| {
                let (store, key) = (store.clone(), round.to_string());
                async move { store.append(&format!("table-{table}"), round, vec![row(&key)]).await.unwrap() }
            });
            futures_util::future::join_all(appends).await;
        }
        let text = handle.render();
        let of = |name: &str| sum(&text, name, &[]);
        let (appends, commits) = (of("boxperson_commit_appends_sum"), of("boxperson_commit_appends_count"));
        assert_eq!(appends, (WRITERS as u64 * ROUNDS) as f64);
        assert!(commits * 4.0 <= appends, "{commits} commits for {appends} appends");
        store.close().await;
    });
}

#[test]
fn a_scrape_has_the_queues_the_tables_the_disk_and_what_was_refused() {
    measured(|handle| async move {
        figures::describe();
        let place = Place::new();
        let pit = place.pit().await;
        pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
        pit.open("damaged", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
        let app = Arc::new(App::new(pit, Settings::default(), Some(handle)));
        let house = House { place, router: router(Arc::clone(&app)), app };
        let admin = house.staff("Ada", &["admin"]).await;
        let scrape = async || admin.sees("/metrics").await.as_str().unwrap().to_owned();
        let before = scrape().await;
        assert_eq!(sum(&before, "boxperson_tables", &[]), 0.0);
        assert!(before.contains("# HELP boxperson_tables Tables in memory"), "{before}");

        let guest = house.guest().await;
        guest.does("/tables/t/seats", json!({ "buy_in": 50_000 })).await;
        let bet = json!({ "bets": [{ "bet": "P", "amount": 100 }] });
        assert_eq!(guest.post("/tables/t/actions", bet).await.0, 422);
        assert_eq!(guest.get("/tables/nowhere").await.0, 404);
        // A table whose log can't be read.
        let mut other = connect(&house.place).await;
        sqlx::raw_sql("UPDATE log SET body = 'x' WHERE table_id = 'damaged'").execute(&mut other).await.unwrap();
        assert!(guest.get("/tables/damaged").await.0 >= 400);
        // Requests wait in the table's inbox while the database is held.
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        let shown = guest.clone();
        let bet = async move { drop(shown.post("/tables/t/actions", json!({ "say": "pass 10" })).await) };
        let mut asks = vec![tokio::spawn(bet)];
        tokio::time::sleep(Duration::from_millis(200)).await;
        asks.extend((0..5).map(|_| {
            let shown = guest.clone();
            tokio::spawn(async move { drop(shown.get("/tables/t/felt").await) })
        }));
        tokio::time::sleep(Duration::from_millis(300)).await;
        let held = scrape().await;
        sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
        for ask in asks {
            ask.await.unwrap();
        }
        let of = |name: &str, labels: &[&str]| sum(&held, name, labels);
        assert_eq!(of("boxperson_tables", &[]), 1.0, "{held}");
        assert!(of("boxperson_table_queue", &[]) >= 1.0 && of("boxperson_table_queue_longest", &[]) >= 1.0, "{held}");
        assert!(
            of("boxperson_fold_seconds_count", &[]) >= 1.0 && of("boxperson_folded_rows_total", &[]) >= 1.0,
            "{held}"
        );
        assert!(of("boxperson_fold_failures_total", &[]) >= 1.0, "{held}");
        assert!(of("boxperson_refused_total", &["code=\"refused\"", "why=\"below-minimum\""]) >= 1.0, "{held}");
        assert!(of("boxperson_refused_total", &["code=\"not-found\""]) >= 1.0, "{held}");
        assert!(of("boxperson_database_bytes", &["part=\"database\""]) > 0.0, "{held}");
        assert!(of("boxperson_database_bytes", &["part=\"wal\""]) > 0.0, "{held}");
        assert!(of("boxperson_disk_free_bytes", &[]) > 0.0, "{held}");
        assert!(of("process_resident_memory_bytes", &[]) > 0.0 && of("process_max_fds", &[]) > 0.0, "{held}");
        assert!(of("boxperson_answer_seconds_bucket", &["le=\"+Inf\""]) > 0.0, "histograms have buckets: {held}");
    });
}

#[test]
fn signing_and_its_failures_are_counted() {
    measured(|handle| async move {
        let place = Place::new();
        let given = Given {
            addr: Some("127.0.0.1:0".to_owned()),
            db: Some(place.db.clone()),
            practice: Some(vec!["pa".to_owned()]),
            sign_every: Some(1),
            ..Given::default()
        };
        let config = Config::new(given, place.folder.path()).unwrap();
        let server = Server::start(&config, Arc::clone(&LIBRARY)).await.unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
        let until = async |name: &str, least: f64| {
            while sum(&handle.render(), name, &[]) < least {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        until("boxperson_signing_seconds_count", 2.0).await;
        let text = handle.render();
        assert!(sum(&text, "boxperson_signing_rows_total", &[]) >= 2.0, "{text}");
        assert_eq!(sum(&text, "boxperson_trusted", &[]), 1.0);
        let mut other = connect(&place).await;
        sqlx::raw_sql("UPDATE log SET hash = 'x' WHERE table_id = 'practice-pa' AND seq = 2")
            .execute(&mut other)
            .await
            .unwrap();
        until("boxperson_signing_failures_total", 1.0).await;
        let text = handle.render();
        assert!(sum(&text, "boxperson_signing_failures_total", &["kind=\"log-changed\""]) >= 1.0, "{text}");
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(sum(&handle.render(), "boxperson_trusted", &[]), 0.0);
        stop.send(()).unwrap();
        running.await.unwrap();
    });
}

fn deployed(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../").join(file)).unwrap()
}

/// Returns the names of figures in a text, without the endings that Prometheus adds to histograms.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = words.filter(|word| word.starts_with("boxperson_") || word.starts_with("process_"));
    let whole = |word: &str| {
        let short = ["_bucket", "_sum", "_count"].iter().find_map(|ending| word.strip_suffix(ending));
        short.filter(|short| ALL.iter().any(|figure| figure.name == *short)).unwrap_or(word).to_owned()
    };
    ours.map(whole).collect()
}

/// Figures of the process.
const OTHERS: [&str; 4] =
    ["process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds", "process_max_fds"];

#[test]
fn the_dashboard_and_the_alerts_name_only_figures_that_exist() {
    let dashboard: Value = serde_json::from_str(&deployed("deploy/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let queries: Vec<&str> = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().into_iter().flatten())
        .map(|target| target["expr"].as_str().unwrap())
        .collect();
    let alerts = deployed("deploy/alerts.yml");
    let rules: String = alerts.lines().filter(|line| line.trim_start().starts_with("expr:")).collect();
    let (shown, watched) = (names(&queries.join("\n")), names(&rules));
    let exists = |name: &&String| OTHERS.contains(&name.as_str()) || ALL.iter().any(|figure| figure.name == **name);
    let unknown: Vec<&String> = shown.iter().chain(&watched).filter(|name| !exists(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let unseen: Vec<&str> = ALL.iter().map(|figure| figure.name).filter(|name| !shown.contains(*name)).collect();
    assert!(unseen.is_empty(), "not in the dashboard: {unseen:?}");

    // A panel has a place of its own and says what it shows.
    let ids: BTreeSet<i64> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        assert!(panel["description"].as_str().unwrap().ends_with('.'), "{}", panel["title"]);
        let place = &panel["gridPos"];
        assert!(place["x"].as_i64().unwrap() + place["w"].as_i64().unwrap() <= 24, "{}", panel["title"]);
    }

    // The runbook explains every alert and every figure.
    let runbook = deployed("docs/runbook.md");
    for alert in alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        assert!(runbook.contains(alert), "docs/runbook.md doesn't say what to do about {alert}");
    }
    for figure in ALL {
        assert!(runbook.contains(figure.name), "docs/runbook.md doesn't explain {}", figure.name);
    }
}

/// A node that only listens reads what another node writes once. The other node writes the digests of states, and this one leaves them to it.
#[test]
fn a_node_that_only_listens_reads_each_row_once() {
    measured(|handle| async move {
        let place = Place::new();
        let (writes, listens) = (place.pit().await, place.pit().await);
        writes.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
        writes.ask("t", ask("ann", 1, wish::join("ann", 50_000))).await.unwrap();
        let seq = async |pit: &Pit| pit.look("t", |live| live.head().0).await.unwrap();
        let first = seq(&listens).await;
        for number in 0..2 * MARK {
            writes.ask("t", ask("ann", 1, wish::say(&format!("{number}")))).await.unwrap();
            if number % 10 == 0 {
                catch_up(&listens, "t").await.unwrap();
                // After a request it writes the digests that are due.
                seq(&listens).await;
            }
        }
        let last = seq(&writes).await;
        catch_up(&listens, "t").await.unwrap();
        assert_eq!(seq(&listens).await, last);
        let read = sum(&handle.render(), "boxperson_caught_up_rows_total", &[]);
        assert!(read <= (last - first + 2) as f64, "{read} rows for {}", last - first);
        let rows = writes.rows("t", 0, 10_000).await.unwrap();
        let marked = |told: &&Told| matches!(told.entry.did, Deed::Marked { .. });
        assert_eq!(rows.iter().filter(marked).count() as u64, last / MARK);
        for mark in 1..=last / MARK {
            let kept = writes.store().mark("t", Before::Row(mark * MARK + 1)).await.unwrap().unwrap();
            assert_eq!(kept.seq, mark * MARK, "both nodes leave it confirmed");
        }
    });
}
