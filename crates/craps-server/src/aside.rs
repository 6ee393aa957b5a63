//! Work that takes long.

/// Runs work on a thread that may be busy for long. None if it panics. In a simulation, which has one thread, it runs at once.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    #[cfg(feature = "testing")]
    if crate::testing::is_simulated() {
        return Some(work());
    }
    tokio::task::spawn_blocking(work).await.ok()
}
