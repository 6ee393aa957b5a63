//! For simulations: the core of a server, without a socket, on a store and a clock that the simulation made.

use crate::app::{App, Shared};
use crate::clock::Clock;
use crate::live::Seal;
use crate::live::pit::{NotDone, Pit};
use crate::people::Settings;
use crate::server::{chores, trusted};
use craps_law::Library;
use craps_store::{SealKey, Store};
use std::cell::Cell;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

thread_local! {
    static SIMULATED: Cell<bool> = const { Cell::new(false) };
}

tokio::task_local! {
    static CLOCK: Arc<Clock>;
}

/// Says whether this thread simulates a server. Then nothing runs on other threads.
pub fn simulate(yes: bool) {
    SIMULATED.set(yes);
}

pub(crate) fn is_simulated() -> bool {
    SIMULATED.get()
}

/// Runs a request by the clock of one server, in place of the clock of this program.
pub async fn by_clock<T>(clock: Arc<Clock>, request: impl Future<Output = T>) -> T {
    CLOCK.scope(clock, request).await
}

/// Returns the time of the server that handles this request.
pub(crate) fn now() -> Option<i64> {
    CLOCK.try_with(|clock| clock.now()).ok()
}

/// The core of a server: everything but its socket.
pub struct Core {
    /// The parts of the server.
    pub app: Shared,
    /// What it does by itself. It stops when this is dropped.
    pub chores: JoinSet<()>,
}

/// Starts the core of a server as the server itself does: it compares the logs with what was signed before, and opens the seal of the dice.
///
/// # Errors
/// Why the server would not start.
pub async fn start(
    store: Store,
    library: Arc<Library>,
    clock: Arc<Clock>,
    (key, seal): (&Path, SealKey),
    settings: Settings,
) -> Result<Core, String> {
    let (signer, _) = trusted(&store, key, &[], None).await.map_err(|error| error.to_string())?;
    let seal = Seal::open(&store, seal, false).await.map_err(|error| error.to_string())?;
    let pit = Pit::new(store, library).timed(clock).sealed(seal);
    let app = Arc::new(App::new(pit, settings, None));
    let chores = chores(&app, Some(Arc::new(signer)), Duration::from_secs(10), 60);
    Ok(Core { app, chores })
}

/// Reads what other nodes have stored at a table, without waiting for a report.
///
/// # Errors
/// When there is no such table, or it can't be read.
pub async fn catch_up(pit: &Pit, table: &str) -> Result<(), NotDone> {
    pit.catch_up(table).await
}
