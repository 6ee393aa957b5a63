//! The screen of a practice table: a felt to put chips on and a line to talk on, for the same game.
//!
//! Nothing about the game is decided here. Keys become commands or talk and go to the [`Rail`]; what is drawn is asked of
//! the table each time.

mod chips;
mod dice;
mod felt;
mod help;
mod input;
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
use input::Input;
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::execute;
use state::Screen;
use std::io::Write as _;
use std::process::ExitCode;
use theme::{Depth, Theme};

/// Gives the terminal back as it was, however the game ends. A panic restores it before it prints.
struct Borrowed;

impl Drop for Borrowed {
    fn drop(&mut self) {
        let _ = execute!(std::io::stdout(), DisableMouseCapture, DisableBracketedPaste);
        // A terminal that is gone cannot be given back, and nobody is there to be told.
        let _ = ratatui::try_restore();
    }
}

/// Plays on the screen until somebody quits, the terminal is closed, or a signal tells the game to stop.
pub(crate) fn run(rail: Rail<'_>) -> Result<ExitCode, Failure> {
    let theme = Theme::new(Depth::of(|name| std::env::var_os(name)));
    let mut screen = Screen::new(rail, theme)?;
    // Signals are heeded before the terminal changes, so that one which comes early leaves it as it was.
    let input = Input::open()?;
    let ended = match play(&mut screen, &input) {
        // Nothing can be drawn on a terminal that is gone; that is the end of the game and no failure.
        Err(Failure::Output(_)) if input.is_over() => Ok(()),
        ended => ended,
    };
    screen.rail.save()?;
    if let Some(path) = screen.rail.kept() {
        // There may be nobody left to read it.
        let _ = writeln!(std::io::stdout(), "The game is kept in {}", path.display());
    }
    ended.map(|()| ExitCode::SUCCESS)
}

fn play(screen: &mut Screen<'_>, input: &Input) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init()?;
    let _borrowed = Borrowed;
    // A terminal without a mouse is a table without one.
    let _ = execute!(std::io::stdout(), EnableMouseCapture, EnableBracketedPaste);
    while !screen.is_over {
        terminal.draw(|frame| screen.draw(frame))?;
        let Some(event) = input.next()? else { break };
        screen.event(&event)?;
    }
    Ok(())
}
