//! Figures for Prometheus: the list of them, and those that are measured when somebody asks.

use crate::app::App;
use crate::live::pit::Standing;
use craps_store::FaultKind;
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use metrics_process::Collector;
use std::sync::OnceLock;
use std::time::Duration;

/// How often samples are sorted into their buckets. Until then every sample takes memory.
const UPKEEP: Duration = Duration::from_secs(5);
/// Buckets of times, in seconds: from a step in memory to the longest answer.
const SECONDS: [f64; 14] =
    [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];
/// Buckets of counts: how much goes into one transaction.
const COUNTS: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// What kind of figure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// Times in seconds, in buckets.
    Times,
    /// Counts of things, in buckets.
    Counts,
}

/// A figure that the server exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// Name in Prometheus, such as `boxperson_tables`.
    pub name: &'static str,
    /// How it is counted.
    pub kind: Kind,
    /// Names of its labels. Each has a limited set of values.
    pub labels: &'static [&'static str],
    /// What it says.
    pub what: &'static str,
}

const fn figure(kind: Kind, name: &'static str, labels: &'static [&'static str], what: &'static str) -> Figure {
    Figure { name, kind, labels, what }
}

/// All figures of the server itself. The dashboard and the alerts in `deploy/` use these names.
pub const ALL: &[Figure] = &[
    figure(Kind::Times, "boxperson_answer_seconds", &["method", "route", "status"], "Time to answer a request"),
    figure(Kind::Counter, "boxperson_refused_total", &["code", "why"], "Requests and messages that were refused"),
    figure(Kind::Times, "boxperson_append_seconds", &[], "Time from handing rows to the store until they are durable"),
    figure(Kind::Counter, "boxperson_append_failures_total", &["kind"], "Appends that failed"),
    figure(Kind::Times, "boxperson_commit_seconds", &[], "Time of one transaction"),
    figure(Kind::Counts, "boxperson_commit_rows", &[], "Rows in one transaction"),
    figure(Kind::Counts, "boxperson_commit_appends", &[], "Appends in one transaction, at most 256"),
    figure(Kind::Counter, "boxperson_commit_retries_total", &[], "Transactions that were tried again"),
    figure(Kind::Gauge, "boxperson_store_queue", &[], "Appends that wait for the store"),
    figure(Kind::Counter, "boxperson_store_faults_total", &["kind"], "Faults of the database"),
    figure(Kind::Gauge, "boxperson_table_queue", &[], "Messages that wait in the inboxes of all tables"),
    figure(Kind::Gauge, "boxperson_table_queue_longest", &[], "Messages in the fullest inbox of a table, at most 256"),
    figure(Kind::Gauge, "boxperson_tables", &[], "Tables in memory"),
    figure(Kind::Gauge, "boxperson_tables_reading", &[], "Tables that are being read from their logs"),
    figure(Kind::Times, "boxperson_fold_seconds", &[], "Time to read a table from its log"),
    figure(Kind::Counter, "boxperson_folded_rows_total", &[], "Rows that were read to bring tables into memory"),
    figure(Kind::Counter, "boxperson_caught_up_rows_total", &[], "Rows of other nodes that were read"),
    figure(Kind::Counter, "boxperson_fold_failures_total", &[], "Tables that could not be read"),
    figure(Kind::Gauge, "boxperson_connections", &["state"], "Open connections: new, busy, idle or websocket"),
    figure(Kind::Counter, "boxperson_connections_refused_total", &[], "Connections above the limits"),
    figure(Kind::Counter, "boxperson_slow_readers_total", &[], "Connections closed because nobody read the answer"),
    figure(Kind::Gauge, "boxperson_streams", &[], "Open streams of tables"),
    figure(Kind::Gauge, "boxperson_disk_free_bytes", &[], "What the disk of the database has left; SQLite only"),
    figure(Kind::Gauge, "boxperson_database_bytes", &["part"], "Size of the database and of its write-ahead log"),
    figure(Kind::Gauge, "boxperson_signature_age_seconds", &[], "Time since the logs were last verified and signed"),
    figure(Kind::Times, "boxperson_signing_seconds", &[], "Time to verify the logs and sign them"),
    figure(Kind::Counter, "boxperson_signing_rows_total", &[], "Rows that were verified to sign them"),
    figure(Kind::Counter, "boxperson_signing_failures_total", &["kind"], "Signatures that could not be made"),
    figure(Kind::Gauge, "boxperson_trusted", &[], "1 while the logs are what was signed before, 0 when not"),
    figure(Kind::Counter, "boxperson_clock_jumps_total", &[], "Jumps of the machine's clock"),
    figure(Kind::Gauge, "boxperson_witness_age_seconds", &[], "How long a witness has been without the newest heads"),
    figure(
        Kind::Counter,
        "boxperson_witness_failures_total",
        &["of"],
        "Heads or dice that a witness did not answer for",
    ),
];

/// Builds the recorder of all figures. Histograms have fixed buckets, so that their size doesn't depend on how much is measured.
///
/// # Errors
/// When a histogram has no buckets.
pub fn recorder() -> Result<PrometheusRecorder, BuildError> {
    let with_buckets = |builder: PrometheusBuilder, figure: &Figure| {
        let buckets: &[f64] = match figure.kind {
            Kind::Times => &SECONDS,
            Kind::Counts => &COUNTS,
            Kind::Counter | Kind::Gauge => return Ok(builder),
        };
        builder.set_buckets_for_metric(Matcher::Full(figure.name.to_owned()), buckets)
    };
    Ok(ALL.iter().try_fold(PrometheusBuilder::new(), with_buckets)?.build_recorder())
}

/// Describes all figures to the recorder in use.
pub fn describe() {
    for Figure { name, kind, what, .. } in ALL {
        match kind {
            Kind::Counter => describe_counter!(*name, *what),
            Kind::Gauge => describe_gauge!(*name, *what),
            Kind::Times => describe_histogram!(*name, Unit::Seconds, *what),
            Kind::Counts => describe_histogram!(*name, *what),
        }
    }
    Collector::default().describe();
}

/// Returns the handle to the figures of this program. There is one recorder for the whole program.
pub(crate) fn of_program() -> Option<PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let install = || {
        let recorder = recorder().ok()?;
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).ok()?;
        describe();
        begin();
        Some(handle)
    };
    HANDLE.get_or_init(install).clone()
}

/// Starts the counters of rare events at 0. An alert about growth sees the first event only if there was a value before it.
fn begin() {
    let unlabeled = |figure: &&Figure| figure.kind == Kind::Counter && figure.labels.is_empty();
    ALL.iter().filter(unlabeled).for_each(|figure| metrics::counter!(figure.name).increment(0));
    for kind in FaultKind::ALL {
        metrics::counter!("boxperson_store_faults_total", "kind" => kind.name()).increment(0);
        metrics::counter!("boxperson_signing_failures_total", "kind" => kind.name()).increment(0);
    }
    for of in ["heads", "dice"] {
        metrics::counter!("boxperson_witness_failures_total", "of" => of).increment(0);
    }
    metrics::counter!("boxperson_signing_failures_total", "kind" => "log-changed").increment(0);
    metrics::counter!("boxperson_refused_total", "code" => "broken", "why" => "").increment(0);
}

/// Sorts samples into their buckets now and then. Runs until it is aborted.
pub(crate) async fn upkeep(handle: PrometheusHandle) {
    let mut often = tokio::time::interval(UPKEEP);
    loop {
        often.tick().await;
        handle.run_upkeep();
    }
}

#[allow(clippy::cast_precision_loss, reason = "Prometheus has only floating-point numbers; sizes stay far below 2^53")]
const fn bytes(count: u64) -> f64 {
    count as f64
}

fn counted(count: usize) -> f64 {
    bytes(u64::try_from(count).unwrap_or(u64::MAX))
}

/// Measures what nobody counts while it happens: queues, tables, disk, the age of the last signature, and the process.
pub(crate) async fn measure(app: &App) {
    let gauge = |name: &'static str, value: f64| metrics::gauge!(name).set(value);
    let Standing { tables, reading, queued, longest } = app.pit.standing();
    gauge("boxperson_tables", counted(tables));
    gauge("boxperson_tables_reading", counted(reading));
    gauge("boxperson_table_queue", counted(queued));
    gauge("boxperson_table_queue_longest", counted(longest));
    gauge("boxperson_store_queue", counted(app.store().waiting()));
    if let Some(age) = app.signature_age() {
        gauge("boxperson_signature_age_seconds", age.as_secs_f64());
    }
    // A database that gives no answer must not hold up all the other figures.
    match tokio::time::timeout(Duration::from_secs(1), app.store().room()).await {
        Ok(Ok(room)) => {
            metrics::gauge!("boxperson_database_bytes", "part" => "database").set(bytes(room.database));
            metrics::gauge!("boxperson_database_bytes", "part" => "wal").set(bytes(room.wal));
            if let Some(free) = room.free {
                gauge("boxperson_disk_free_bytes", bytes(free));
            }
        }
        Ok(Err(error)) => crate::faults::report(&error.fault()),
        Err(_) => tracing::warn!("the database did not say how large it is within a second"),
    }
    Collector::default().collect();
}
