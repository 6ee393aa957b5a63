//! The threads of the tables. Decisions take time of the processor, so they don't run where requests are received and answers are sent.

use std::future::Future;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// Maximum number of threads. The database limits how much can be decided.
const THREADS: usize = 2;

/// Threads for the writers of tables. They stop when this is dropped, wherever that is. A writer must not own it.
pub(super) struct Threads(Option<Runtime>);

impl Threads {
    /// Starts the threads. None in a simulation, in a program with a single thread, and if the system has no more threads.
    pub(super) fn start() -> Option<Arc<Threads>> {
        #[cfg(feature = "testing")]
        if crate::testing::is_simulated() {
            return None;
        }
        if Handle::try_current().ok()?.runtime_flavor() == RuntimeFlavor::CurrentThread {
            return None;
        }
        let count = available_parallelism().map_or(1, |cores| cores.get().min(THREADS));
        let runtime = Builder::new_multi_thread().worker_threads(count).thread_name("tables").enable_all().build();
        Some(Arc::new(Threads(Some(runtime.ok()?))))
    }

    /// Runs a writer on these threads.
    pub(super) fn spawn(&self, writer: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0 {
            runtime.spawn(writer);
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
