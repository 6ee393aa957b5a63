//! What comes from the terminal: keys while there is a player, and the news that there is none any more.
//!
//! The terminal is read in a thread of its own. Its reader never comes back from a terminal that was closed, and a signal
//! does not wake it. The game waits for the thread's events instead, looks now and then whether the terminal is still
//! there, and ends without the thread.

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

/// How long to wait for a key before looking whether the game must end.
const LOOK: Duration = Duration::from_millis(200);

/// How long a game that was told to stop has to give the terminal back. A terminal that takes no output would hold it forever.
const GRACE: Duration = Duration::from_secs(2);

/// The keys, and whether there is anybody left to press them.
pub(super) struct Input {
    events: Receiver<io::Result<Event>>,
    told: Arc<AtomicBool>,
}

impl Input {
    /// Begins to read the terminal and to heed signals.
    pub(super) fn open() -> Result<Input, Failure> {
        let told = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGTERM, SIGHUP])?;
        let heard = Arc::clone(&told);
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                heard.store(true, Ordering::Relaxed);
                thread::sleep(GRACE);
                // The game is kept after every order, so nothing is lost here.
                let _ = disable_raw_mode();
                std::process::exit(128 + signal);
            }
        })?;
        // The reader waits until its event was taken: it does not gather keys that nobody will hear.
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

    /// The next event, or none when the terminal is gone or a signal told the game to stop.
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

    /// Must the game end, because it was told to or because nobody is there any more?
    pub(super) fn is_over(&self) -> bool {
        self.told.load(Ordering::Relaxed) || is_hung_up()
    }
}

/// Has the other end of the terminal been closed?
fn is_hung_up() -> bool {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    // A poll that a signal interrupts says nothing; the next look does.
    poll(&mut terminal, Some(&Timespec::default())).is_ok() && terminal[0].revents().intersects(gone)
}
