//! Faults of the database, for the operator: every one is counted, and the log says what to do. Clients never see the database's own messages.

use craps_store::{Fault, FaultKind};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// While a fault lasts, the log repeats it only this often.
const AGAIN: Duration = Duration::from_secs(5);

/// Counts a fault and writes it to the log, at most once every few seconds for each kind.
pub(crate) fn report(fault: &Fault) {
    static LAST: Mutex<Option<HashMap<FaultKind, Instant>>> = Mutex::new(None);
    metrics::counter!("boxperson_store_faults_total", "kind" => fault.kind.name()).increment(1);
    let now = Instant::now();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let last = last.get_or_insert_default();
    if last.get(&fault.kind).is_some_and(|last| now.duration_since(*last) < AGAIN) {
        return;
    }
    last.insert(fault.kind, now);
    let (what, why, advice) = (fault.kind.what(), &fault.why, fault.kind.advice());
    tracing::error!(kind = fault.kind.name(), why, advice, "the log can't be used: {what}");
}
