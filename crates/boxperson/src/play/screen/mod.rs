//! The screen of a practice table: a felt to bet on with keys or the mouse, and a line to type on.
//!
//! This module decides nothing about the game. It sends keys to the [`Rail`] as commands or rail talk, and draws what the table
//! says each time.

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

/// Restores the terminal when dropped, however the game ends. After a panic, the panic hook restores it before it prints.
struct Borrowed;

impl Drop for Borrowed {
    fn drop(&mut self) {
        let _ = execute!(std::io::stdout(), DisableMouseCapture, DisableBracketedPaste);
        // Ignore errors: a terminal that is gone can't be restored.
        let _ = ratatui::try_restore();
    }
}

/// Plays on the screen until a player quits, the terminal closes, or a signal stops the game.
pub(crate) fn run(rail: Rail<'_>) -> Result<ExitCode, Failure> {
    let theme = Theme::new(Depth::of(|name| std::env::var_os(name)));
    let mut screen = Screen::new(rail, theme)?;
    // Handle signals before changing the terminal, so that an early signal leaves it unchanged.
    let input = Input::open()?;
    let ended = match play(&mut screen, &input) {
        // Drawing fails on a terminal that is gone. That ends the game and is no error.
        Err(Failure::Output(_)) if input.is_over() => Ok(()),
        ended => ended,
    };
    screen.rail.save()?;
    if let Some(path) = screen.rail.kept() {
        // Ignore errors: the terminal may be gone.
        let _ = writeln!(std::io::stdout(), "The game is saved in {}", path.display());
    }
    ended.map(|()| ExitCode::SUCCESS)
}

fn play(screen: &mut Screen<'_>, input: &Input) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init()?;
    let _borrowed = Borrowed;
    // Ignore errors: some terminals have no mouse.
    let _ = execute!(std::io::stdout(), EnableMouseCapture, EnableBracketedPaste);
    while !screen.is_over {
        terminal.draw(|frame| screen.draw(frame))?;
        let Some(event) = input.next()? else { break };
        screen.event(&event)?;
    }
    Ok(())
}
