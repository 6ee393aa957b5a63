//! Keys from the terminal, and the end of the input when the terminal closes or a signal arrives.
//!
//! A separate thread reads the terminal, because the read never returns on a closed terminal and a signal doesn't wake it. The
//! game waits for events from that thread, checks now and then whether the terminal still exists, and can end without the
//! thread.

use crate::failure::Failure;
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal::disable_raw_mode;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Time to wait for a key before checking whether the game must end.
const LOOK: Duration = Duration::from_millis(200);

/// Time after a signal until the process exits anyway. Without it, a terminal that accepts no output would block the exit.
const GRACE: Duration = Duration::from_secs(2);

/// Events of the terminal, and whether the game must end.
pub(super) struct Input {
    events: Receiver<io::Result<Event>>,
    told: Arc<AtomicBool>,
}

impl Input {
    /// Starts to read the terminal and to handle SIGTERM and SIGHUP.
    pub(super) fn open() -> Result<Input, Failure> {
        let told = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGTERM, SIGHUP])?;
        let heard = Arc::clone(&told);
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                heard.store(true, Ordering::Relaxed);
                thread::sleep(GRACE);
                // The game is saved after every order, so nothing is lost here.
                let _ = disable_raw_mode();
                std::process::exit(128 + signal);
            }
        })?;
        // No buffer: the reader waits until its event is taken, so it doesn't read ahead.
        let (send, events) = sync_channel(0);
        thread::Builder::new().name("keys".to_owned()).spawn(move || {
            loop {
                let event = event::read();
                let failed = event.is_err();
                if send.send(event).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Input { events, told })
    }

    /// Returns the next event, or None if the terminal is gone or a signal told the game to stop.
    pub(super) fn next(&self) -> Result<Option<Event>, Failure> {
        loop {
            if self.is_over() {
                return Ok(None);
            }
            match self.events.recv_timeout(LOOK) {
                Ok(event) => return Ok(Some(event?)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Returns true if the game must end: a signal arrived or the terminal is gone.
    pub(super) fn is_over(&self) -> bool {
        self.told.load(Ordering::Relaxed) || is_hung_up()
    }
}

/// Returns true if the other end of the terminal is closed.
fn is_hung_up() -> bool {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    // If a signal interrupts the poll, the next check finds out.
    poll(&mut terminal, Some(&Timespec::default())).is_ok() && terminal[0].revents().intersects(gone)
}
