//! The last roll and its results: the dice, the call, the grid of 36 rolls, and the messages.

use super::state::{Hit, Kind, Note, Screen};
use super::view::wrapped;
use super::{dice, words};
use crate::play::answers::signed;
use craps_dice::{Die, Throw};
use craps_money::Money;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// Size of the grid of 36 rolls: a label and six columns, a heading and seven lines.
pub(super) const GRID: (u16, u16) = (38, 8);

impl Screen<'_> {
    /// Draws the column next to the felt.
    pub(super) fn beside(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        let [dice, call, grid, notes] = Layout::vertical([
            Constraint::Length(3),
            Constraint::Length(2),
            Constraint::Length(GRID.1 + 1),
            Constraint::Min(0),
        ])
        .areas(area);
        self.dice(frame, dice);
        if let Some((rolled, net)) = self.rail.thrown().last().zip(self.net_of_last()) {
            let text = vec![Line::from(format!("{} = {}", rolled.dice, rolled.dice.total())), Line::from(net)];
            let beside = Rect { x: dice.x + 13, width: dice.width.saturating_sub(13), ..dice };
            frame.render_widget(Paragraph::new(text), beside);
        }
        let said = Paragraph::new(self.last_call().unwrap_or_default()).style(self.theme.key);
        frame.render_widget(said.wrap(Wrap { trim: true }), call);
        self.grid(frame, grid);
        self.notes(frame, notes);
    }

    /// Draws the lines below the felt.
    pub(super) fn ribbon(&mut self, frame: &mut Frame<'_>, area: Rect) {
        if area.height < 3 {
            let text = words::fit(&format!(" {}", self.latest()), usize::from(area.width));
            let kind = self.notes.last().map_or(Kind::Said, |note| note.kind);
            frame.render_widget(Paragraph::new(Span::styled(text, self.style_of(kind))), area);
            return;
        }
        let [dice, notes] = Layout::horizontal([Constraint::Length(13), Constraint::Min(1)]).areas(area);
        self.dice(frame, Rect { x: dice.x + 1, width: dice.width - 1, ..dice });
        let Some((call, net)) = self.last_call().zip(self.net_of_last()) else {
            self.notes(frame, notes);
            return;
        };
        // The roll stays visible, even if it has many results.
        let [first, notes] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(notes);
        let spans = vec![Span::styled(format!("{call}   "), self.theme.key), net];
        frame.render_widget(Paragraph::new(Line::from(spans)), first);
        let at = self.notes.iter().rposition(|note| note.kind == Kind::Call);
        let taken = at.map(|at| (at, self.notes.remove(at)));
        self.notes(frame, notes);
        if let Some((at, note)) = taken {
            self.notes.insert(at, note);
        }
    }

    /// Returns the latest message in one line: for a roll, with all its results.
    fn latest(&self) -> String {
        let results = self.notes.iter().rev().take_while(|note| note.reference.is_some()).count();
        let from = self.notes.len().saturating_sub(results + 1);
        let notes = self.notes.iter().skip(from).map(|note| note.text.as_str());
        notes.collect::<Vec<_>>().join("; ")
    }

    fn style_of(&self, kind: Kind) -> Style {
        match kind {
            Kind::Won => self.theme.win,
            Kind::Lost | Kind::Refused => self.theme.loss,
            Kind::Call | Kind::Question => self.theme.key,
            Kind::Done | Kind::Even | Kind::Said => self.theme.quiet,
        }
    }

    /// Draws the dice of the last roll. They are blank before the first roll.
    fn dice(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let rolled = self.rail.thrown().last();
        let faces = rolled.map_or([Die::One, Die::One], |rolled| [rolled.dice.high(), rolled.dice.low()]);
        for (at, die) in (0u16..).zip(faces) {
            let rect = Rect { x: area.x + at * 6, width: 5, height: 3, ..area }.intersection(area);
            let lines: Vec<Line<'_>> = match rolled {
                Some(_) => dice::face(die).into_iter().map(Line::from).collect(),
                None => vec![Line::from("     "); 3],
            };
            frame.render_widget(Paragraph::new(lines).style(self.theme.die), rect);
        }
        self.hits.push((Rect { width: area.width.min(11), ..area }, Hit::Dice));
    }

    fn last_call(&self) -> Option<String> {
        self.notes.iter().rev().find(|note| note.kind == Kind::Call).map(|note| note.text.clone())
    }

    /// Returns the net result of the last roll for the current player.
    fn net_of_last(&self) -> Option<Span<'static>> {
        let rolled = self.rail.thrown().last()?;
        let own = rolled.results.iter().filter(|one| one.seat == self.rail.seat());
        let net: i64 = own.map(|one| self.rail.result(rolled.number, 0, one).net.minor()).sum();
        let net = Money::from_minor(net);
        Some(Span::styled(format!("{} this roll", signed(net)), self.money(net)))
    }

    /// Returns the style of a win or a loss.
    pub(super) fn money(&self, net: Money) -> Style {
        match net.cmp(&Money::ZERO) {
            std::cmp::Ordering::Greater => self.theme.win,
            std::cmp::Ordering::Less => self.theme.loss,
            std::cmp::Ordering::Equal => self.theme.quiet,
        }
    }

    /// Draws the net result of each of the 36 rolls.
    fn grid(&self, frame: &mut Frame<'_>, area: Rect) {
        let outcomes = self.rail.table().outcomes(self.rail.seat());
        let net = |throw: Throw| {
            outcomes.iter().find(|outcome| outcome.dice == throw).map_or(Money::ZERO, |outcome| outcome.net)
        };
        let head: String = Die::ALL.iter().map(|die| format!("{:>6}", die.pips())).collect();
        let mut lines = vec![Line::from("all 36 rolls, your net"), Line::from(format!(" {head}"))];
        for one in Die::ALL {
            let cell = |other: Die| {
                let net = net(Throw::new(one, other));
                let text = if net == Money::ZERO { "·".to_owned() } else { words::fit(&signed(net), 6) };
                Span::styled(format!("{text:>6}"), self.money(net))
            };
            let mut spans = vec![Span::raw(one.pips().to_string())];
            spans.extend(Die::ALL.map(cell));
            lines.push(Line::from(spans));
        }
        frame.render_widget(Paragraph::new(lines), area);
    }

    /// Draws the messages, the latest at the bottom.
    fn notes(&mut self, frame: &mut Frame<'_>, area: Rect) {
        if area.is_empty() {
            return;
        }
        let width = usize::from(area.width.max(1));
        let height = usize::from(area.height);
        let until = self.notes.len().saturating_sub(self.back);
        let mut rows: Vec<Vec<Note>> = Vec::new();
        for note in self.notes.iter().take(until) {
            // Results of one roll share a line if they fit.
            let wide = note.text.chars().count() + 3;
            match rows.last_mut() {
                Some(row) if note.reference.is_some() && row_width(row) + wide <= width && joins(row, note) => {
                    row.push(Note { text: format!("   {}", note.text), ..note.clone() });
                }
                _ => {
                    let parts = wrapped(&note_text(note), width).into_iter();
                    rows.extend(parts.map(|text| vec![Note { text, ..note.clone() }]));
                }
            }
        }
        let mut rows = rows.split_off(rows.len().saturating_sub(height));
        if self.back > 0 && height > 1 {
            rows.pop();
            let text = format!("… {} more below: PgDn", self.back);
            rows.push(vec![Note { kind: Kind::Said, text, reference: None }]);
        }
        for (y, row) in (area.y..).zip(rows) {
            let mut x = area.x;
            for note in row {
                let wide = u16::try_from(note.text.chars().count()).unwrap_or(u16::MAX);
                let rect = Rect { x, y, width: wide, height: 1 }.intersection(area);
                frame.render_widget(Paragraph::new(Span::styled(note.text, self.style_of(note.kind))), rect);
                self.hits.extend(note.reference.map(|(roll, result)| (rect, Hit::Result(roll, result))));
                x = x.saturating_add(wide);
            }
        }
    }
}

fn row_width(row: &[Note]) -> usize {
    row.iter().map(|note| note.text.chars().count()).sum()
}

/// Returns true if the message belongs to the same roll as the row.
fn joins(row: &[Note], note: &Note) -> bool {
    row.last().and_then(|last| last.reference).zip(note.reference).is_some_and(|((one, _), (other, _))| one == other)
}

fn note_text(note: &Note) -> String {
    match note.kind {
        Kind::Call => note.text.clone(),
        _ => format!("  {}", note.text),
    }
}
