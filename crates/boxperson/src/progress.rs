//! A progress bar for long work on a database or a file.

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// Progress bar on standard error, shown only in a terminal.
pub(crate) struct Progress {
    what: &'static str,
    bar: ProgressBar,
    since: Instant,
}

/// The bar appears after this time, so that short runs show none.
const PATIENCE: Duration = Duration::from_millis(400);
/// Number of steps between two updates of the bar.
const STEP: u64 = 1_000;

impl Progress {
    /// Makes a bar that counts these things.
    pub(crate) fn new(what: &'static str) -> Progress {
        Progress { what, bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()), since: Instant::now() }
    }

    /// Shows how many are done.
    pub(crate) fn at(&mut self, done: u64, of: Option<u64>) {
        if !done.is_multiple_of(STEP) || self.since.elapsed() < PATIENCE || !std::io::stderr().is_terminal() {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            let form = if of.is_some() { "{bar:30} {percent:>3} %  {msg}  {eta} left" } else { "{spinner} {msg}" };
            if let Ok(style) = ProgressStyle::with_template(form) {
                self.bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
            }
            of.into_iter().for_each(|of| self.bar.set_length(of));
        }
        self.bar.set_message(format!("{} {}", HumanCount(done), self.what));
        self.bar.set_position(done);
    }

    /// Removes the bar.
    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}
