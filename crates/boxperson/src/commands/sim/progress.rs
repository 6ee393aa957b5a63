//! Progress bar of a run on standard error, shown only in a terminal. Ctrl-C ends the run with the result so far.

#![allow(clippy::float_arithmetic, reason = "a rate")]

use crate::failure::Failure;
use craps_sim::Watch;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::SIGINT;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Shows the progress of a run and stops it on Ctrl-C.
pub(super) struct Progress {
    bar: ProgressBar,
    shown: AtomicBool,
    throws: AtomicU64,
    since: Instant,
    stop: Arc<AtomicBool>,
}

/// The bar appears after this time, so that short runs show none.
const PATIENCE: Duration = Duration::from_millis(400);
const TEMPLATE: &str = "{bar:30} {percent:>3} %  {human_pos} of {human_len} sessions  {msg}  {eta} left";

impl Progress {
    /// Starts to watch a run of this many sessions.
    pub(super) fn new(sessions: u64) -> Result<Progress, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        // A second Ctrl-C ends the program at once.
        signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(SIGINT, Arc::clone(&stop))?;
        let bar = ProgressBar::with_draw_target(Some(sessions), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        }
        let shown = AtomicBool::new(!std::io::stderr().is_terminal());
        Ok(Progress { bar, shown, throws: AtomicU64::new(0), since: Instant::now(), stop })
    }

    /// Removes the bar and resets the stop flag for the next step.
    pub(super) fn done(&self) {
        self.bar.finish_and_clear();
        self.stop.store(false, Ordering::Relaxed);
    }
}

impl Watch for Progress {
    fn advanced(&self, sessions: u64, throws: u64) {
        let throws = self.throws.fetch_add(throws, Ordering::Relaxed) + throws;
        self.bar.inc(sessions);
        let past = self.since.elapsed();
        if past < PATIENCE {
            return;
        }
        if !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if !self.bar.is_hidden() {
            // Milliseconds, because whole seconds would make the first rates far off.
            let rate = u128::from(throws) * 1_000 / past.as_millis().max(1);
            self.bar.set_message(format!("{} rolls/s", HumanCount(u64::try_from(rate).unwrap_or(u64::MAX))));
        }
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
