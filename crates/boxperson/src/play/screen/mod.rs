//! The screen of a practice table: a felt to put chips on and a line to talk on, for the same game.
//!
//! Nothing about the game is decided here. Keys become commands or talk and go to the [`Rail`]; what is drawn is asked of
//! the table each time.

mod chips;
mod dice;
mod felt;
mod help;
mod keys;
mod line;
mod markers;
mod places;
mod ribbon;
mod state;
#[cfg(test)]
mod tests;
mod theme;
mod view;
mod words;

use super::rail::Rail;
use crate::failure::Failure;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use signal_hook::consts::{SIGHUP, SIGTERM};
use state::Screen;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use theme::{Depth, Theme};

/// How long to wait for a key before looking whether somebody told the game to stop.
const LOOK: Duration = Duration::from_millis(200);

/// Gives the terminal back as it was, however the game ends. A panic restores it before it prints.
struct Borrowed;

impl Drop for Borrowed {
    fn drop(&mut self) {
        let _ = execute!(std::io::stdout(), DisableMouseCapture, DisableBracketedPaste);
        ratatui::restore();
    }
}

/// Plays on the screen until somebody quits.
pub(crate) fn run(rail: Rail<'_>) -> Result<ExitCode, Failure> {
    let theme = Theme::new(Depth::of(|name| std::env::var_os(name)));
    let mut screen = Screen::new(rail, theme)?;
    let ended = play(&mut screen);
    // The game is kept after every order, so that there is only to say where.
    if let Some(path) = screen.rail.kept() {
        writeln!(std::io::stdout(), "The game is kept in {}", path.display())?;
    }
    ended.map(|()| ExitCode::SUCCESS)
}

fn play(screen: &mut Screen<'_>) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init()?;
    let _borrowed = Borrowed;
    // A terminal without a mouse is a table without one.
    let _ = execute!(std::io::stdout(), EnableMouseCapture, EnableBracketedPaste);
    // Whoever is told to stop gives the terminal back first.
    let told = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&told))?;
    }
    while !screen.is_over && !told.load(Ordering::Relaxed) {
        terminal.draw(|frame| screen.draw(frame))?;
        while !told.load(Ordering::Relaxed) {
            if event::poll(LOOK)? {
                screen.event(&event::read()?)?;
                break;
            }
        }
    }
    Ok(())
}
