//! Handles keys and the mouse. Everything that changes the game goes through the same code as rail talk.

use super::help;
use super::places::Way;
use super::state::{Hit, Kind, Mode, Screen};
use crate::failure::Failure;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

impl Screen<'_> {
    /// Handles an event of the terminal.
    pub(crate) fn event(&mut self, event: &Event) -> Result<(), Failure> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Paste(text) => {
                self.mode = Mode::Talk;
                text.lines().next().unwrap_or_default().chars().for_each(|character| self.line.put(character));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Handles a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Result<(), Failure> {
        let control = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('c') if control => return self.say("quit"),
            KeyCode::Char('u') if control => {
                self.line.clear();
                return Ok(());
            }
            KeyCode::Char(_) if control => return Ok(()),
            KeyCode::F(1) => {
                self.help();
                return Ok(());
            }
            KeyCode::PageUp | KeyCode::PageDown if self.card.is_none() => {
                self.scroll(key.code == KeyCode::PageUp);
                return Ok(());
            }
            _ => {}
        }
        if self.card.is_some() {
            return self.card_key(key.code);
        }
        match self.mode.clone() {
            Mode::Talk => self.talk_key(key.code),
            Mode::Jump(typed) => self.jump_key(&typed, key.code),
            Mode::Felt => self.felt_key(key.code),
        }
    }

    fn help(&mut self) {
        let chip = self.in_hand().map(|chip| chip.to_string()).unwrap_or_default();
        self.card = Some(help::card(self.rail.table(), &chip));
    }

    fn scroll(&mut self, back: bool) {
        self.back =
            if back { (self.back + 3).min(self.notes.len().saturating_sub(1)) } else { self.back.saturating_sub(3) };
    }

    fn card_key(&mut self, code: KeyCode) -> Result<(), Failure> {
        let Some(card) = &mut self.card else { return Ok(()) };
        match (code, card.roll) {
            (KeyCode::Up, _) => card.top = card.top.saturating_sub(1),
            (KeyCode::Down, _) => card.top = card.top.saturating_add(1),
            (KeyCode::PageUp, _) => card.top = card.top.saturating_sub(10),
            (KeyCode::PageDown, _) => card.top = card.top.saturating_add(10),
            (KeyCode::Left, Some(roll)) if roll > 1 => return self.why(roll - 1, None),
            (KeyCode::Right, Some(roll)) if self.last_roll().is_some_and(|last| roll < last) => {
                return self.why(roll + 1, None);
            }
            _ => self.card = None,
        }
        Ok(())
    }

    fn talk_key(&mut self, code: KeyCode) -> Result<(), Failure> {
        match code {
            KeyCode::Esc => {
                self.line.clear();
                self.mode = Mode::Felt;
            }
            KeyCode::Enter => return self.say_the_line(),
            // A line never begins with a space, so here Space rolls the dice.
            KeyCode::Char(' ') if self.line.is_empty() => return self.say("roll"),
            KeyCode::Tab if self.line.is_empty() => self.next_player(),
            KeyCode::Char(character) => self.line.put(character),
            KeyCode::Backspace => self.line.rub_out(),
            KeyCode::Delete => self.line.delete(),
            KeyCode::Left => self.line.left(),
            KeyCode::Right => self.line.right(),
            KeyCode::Home => self.line.home(),
            KeyCode::End => self.line.end(),
            KeyCode::Up => self.line.older(),
            KeyCode::Down => self.line.newer(),
            _ => {}
        }
        Ok(())
    }

    /// Handles the typed line. A line that isn't understood stays, so that the player can correct it.
    fn say_the_line(&mut self) -> Result<(), Failure> {
        let line = self.line.text().to_owned();
        if line.trim().is_empty() {
            return Ok(());
        }
        if matches!(line.trim(), "?" | "help") {
            self.line.say();
            self.help();
            return Ok(());
        }
        let replies = self.rail.hear(&line)?;
        if !replies.iter().any(|reply| matches!(reply, crate::play::rail::Reply::Asked { .. })) {
            self.line.say();
        }
        self.take(replies);
        Ok(())
    }

    fn jump_key(&mut self, typed: &str, code: KeyCode) -> Result<(), Failure> {
        self.mode = Mode::Felt;
        match code {
            KeyCode::Char(character) if character.is_ascii_alphanumeric() => {
                let longer = format!("{typed}{character}");
                let found = self.places().coded(self.rail.table(), &longer);
                match found.first() {
                    Some(first) => self.go(*first),
                    // The code was complete, so this is a key again: `g f 2` goes to the field and picks a chip.
                    None if !typed.is_empty() => return self.letter(character),
                    None => self.note(Kind::Refused, format!("no code here begins with {character}")),
                }
                if found.len() > 1 {
                    self.mode = Mode::Jump(longer);
                }
                Ok(())
            }
            // A space ends the code and doesn't roll the dice: the player may have meant it as part of the code.
            KeyCode::Esc | KeyCode::Char(' ') => Ok(()),
            code => self.felt_key(code),
        }
    }

    fn go(&mut self, slot: craps_table::SlotId) {
        self.hand = slot;
        self.across = None;
        self.offer = None;
    }

    fn felt_key(&mut self, code: KeyCode) -> Result<(), Failure> {
        if self.rail.is_waiting() {
            match code {
                KeyCode::Char('y' | 'Y') | KeyCode::Enter => return self.say("yes"),
                // Any other key answers no.
                _ => self.say("no")?,
            }
            if matches!(code, KeyCode::Char('n' | 'N') | KeyCode::Esc) {
                return Ok(());
            }
        }
        match code {
            KeyCode::Up => self.step(Way::Up),
            KeyCode::Down => self.step(Way::Down),
            KeyCode::Left => self.step(Way::Left),
            KeyCode::Right => self.step(Way::Right),
            KeyCode::Enter => return self.add(),
            KeyCode::Delete | KeyCode::Backspace => return self.take_down(),
            KeyCode::Tab => self.next_player(),
            KeyCode::Esc => self.offer = None,
            KeyCode::Char(character) => return self.letter(character),
            _ => {}
        }
        Ok(())
    }

    fn step(&mut self, way: Way) {
        self.hand = self.places().beside(self.hand, way, &mut self.across);
        self.offer = None;
    }

    /// Handles a letter: a key, or the start of a typed line if the key does nothing now.
    fn letter(&mut self, character: char) -> Result<(), Failure> {
        let stands = self.own(self.hand).is_some();
        match character {
            ' ' => self.say("roll"),
            '1'..='6' => {
                self.choose(usize::try_from(u32::from(character) - u32::from('1')).unwrap_or_default());
                Ok(())
            }
            '-' => self.reduce(),
            '+' | '=' => self.add(),
            '?' => {
                self.help();
                Ok(())
            }
            's' | ':' | '/' => {
                self.mode = Mode::Talk;
                Ok(())
            }
            'g' => {
                self.mode = Mode::Jump(String::new());
                Ok(())
            }
            'm' => self.most(),
            'p' if stands => self.press(1),
            'h' if stands => self.press(2),
            'o' if stands => self.call(),
            'O' if stands => self.say("all off"),
            'u' if self.may_undo() => self.say("undo"),
            'U' => self.say("redo"),
            'r' if !self.rail.session().repeated(self.rail.seat()).is_empty() => self.say("repeat"),
            'c' if self.may_undo() => self.say("clear"),
            'w' if self.last_roll().is_some() => self.why(self.last_roll().unwrap_or_default(), None),
            'q' => self.say("quit"),
            other => {
                if other.is_alphanumeric() {
                    self.mode = Mode::Talk;
                    self.line.put(other);
                }
                Ok(())
            }
        }
    }

    fn choose(&mut self, chip: usize) {
        match self.chips.get(chip) {
            Some(_) => self.chip = chip,
            None => self.note(Kind::Refused, format!("this table has {} kinds of chips", self.chips.len())),
        }
        self.offer = None;
    }

    // ---- the mouse ----

    fn mouse(&mut self, mouse: MouseEvent) -> Result<(), Failure> {
        match mouse.kind {
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                let up = mouse.kind == MouseEventKind::ScrollUp;
                match &mut self.card {
                    Some(card) if up => card.top = card.top.saturating_sub(3),
                    Some(card) => card.top = card.top.saturating_add(3),
                    None => self.scroll(up),
                }
                Ok(())
            }
            MouseEventKind::Down(button) => self.click(button, Position::new(mouse.column, mouse.row)),
            _ => Ok(()),
        }
    }

    fn click(&mut self, button: MouseButton, at: Position) -> Result<(), Failure> {
        if self.card.take().is_some() {
            return Ok(());
        }
        let Some(hit) = self.hits.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, hit)| *hit) else {
            return Ok(());
        };
        if hit != Hit::Talk {
            self.mode = Mode::Felt;
        }
        let right = button == MouseButton::Right;
        match hit {
            // The first click selects the area, the second bets.
            Hit::Place(slot) if slot != self.hand => {
                self.go(slot);
                if right { self.felt_key(KeyCode::Char('-')) } else { Ok(()) }
            }
            Hit::Place(_) if right => self.felt_key(KeyCode::Char('-')),
            Hit::Place(_) => self.felt_key(KeyCode::Enter),
            Hit::Chip(chip) => {
                self.choose(chip);
                Ok(())
            }
            Hit::Result(roll, result) => self.why(roll, Some(result)),
            Hit::Dice => self.felt_key(KeyCode::Char(' ')),
            Hit::Talk => {
                self.mode = Mode::Talk;
                Ok(())
            }
            Hit::Seat(seat) => {
                self.rail.speak_for(seat);
                Ok(())
            }
        }
    }
}
