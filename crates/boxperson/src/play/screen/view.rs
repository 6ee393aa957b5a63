//! Draws the screen and arranges its parts for the size of the terminal.

use super::ribbon::GRID;
use super::state::{Card, Hit, Mode, Screen};
use super::{felt, words};
use crate::play::answers::signed;
use crate::play::plain;
use craps_money::Money;
use craps_wagers::Phase;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

/// Smallest screen for the felt: columns and rows.
pub(crate) const LEAST: (u16, u16) = (60, 20);

/// Smallest screen with a column next to the felt.
const WIDE: (u16, u16) = (112, 30);

/// Label of the line to type on.
const SAY: &str = "say: ";

impl Screen<'_> {
    /// Draws the whole screen.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        self.hits.clear();
        let area = frame.area();
        if area.width < LEAST.0 || area.height < LEAST.1 {
            self.too_small(frame, area);
            return;
        }
        // The coach needs one more line.
        let coach = u16::from(self.rail.is_coached());
        let detail = match area.height {
            ..24 => 1,
            24..36 => 2 + coach,
            _ => 3 + coach,
        };
        let wide = area.width >= WIDE.0 && area.height >= WIDE.1;
        let ribbon = match area.height {
            _ if wide => 0,
            ..24 => 1,
            24..30 => 3,
            _ => 6,
        };
        let [header, table, ribbon, next, detail, keys, talk] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(1),
            Constraint::Length(ribbon),
            Constraint::Length(1),
            Constraint::Length(detail),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(area);
        self.header(frame, header);
        if wide {
            let column = (area.width / 3).clamp(GRID.0, 60);
            let [cloth, beside] = Layout::horizontal([Constraint::Min(1), Constraint::Length(column)]).areas(table);
            self.hits.extend(felt::draw(frame, cloth, self));
            self.beside(frame, beside);
        } else {
            self.hits.extend(felt::draw(frame, table, self));
            self.ribbon(frame, ribbon);
        }
        self.next_throw(frame, next);
        if self.mode == Mode::Talk && !self.line.text().trim().is_empty() {
            // While a player types, show what the line would do instead of the selected area.
            self.echo(frame, Rect { height: detail.height + keys.height, ..detail });
        } else {
            self.detail(frame, detail);
            self.keys(frame, keys);
        }
        self.talk(frame, talk);
        self.lay_card(frame, area);
    }

    /// Draws a screen that is too small for the felt: the state of the game, the last message and the line to type on.
    fn too_small(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let (width, height) = LEAST;
        let text = format!(
            "The felt needs {width} by {height}; this window has {} by {}. Make it larger, or press s and type: pass 10, roll, quit.",
            area.width, area.height
        );
        let said = self.notes.last().map(|note| note.text.clone()).unwrap_or_default();
        let lines = [plain::status(&self.rail), said, text];
        let [above, talk] = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(area);
        let text: Vec<Line<'_>> = lines.into_iter().filter(|line| !line.is_empty()).map(Line::from).collect();
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), above);
        self.talk(frame, talk);
    }

    // ---- above the felt ----

    fn header(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let table = self.rail.table();
        let mut right: Vec<(String, Style, Option<Hit>)> = Vec::new();
        let several = table.seats().count() > 1;
        for (seat, player) in table.seats() {
            let own = seat == self.rail.seat();
            let felt: i64 = player.bets.standing().map(|(_, bet)| bet.stake.minor()).sum();
            let felt = Money::from_minor(felt);
            let text = match (several, own) {
                (false, _) => format!("{}: {} in chips, {felt} on the felt", player.name, player.rail),
                (true, true) => format!(" {seat} {} {}+{felt} ", player.name, player.rail),
                (true, false) => format!(" {seat} {} {} ", words::fit(&player.name, 8), player.rail),
            };
            let style = if several && own { self.theme.focus } else { Style::new() };
            right.push((text, style, Some(Hit::Seat(seat))));
        }
        let puck = match table.phase() {
            Phase::Point(point) => (format!(" ON {point} "), self.theme.puck),
            Phase::ComeOut => (" OFF ".to_owned(), self.theme.key),
            Phase::ComeDecisionOnly => (" OFF, come bets only ".to_owned(), self.theme.key),
        };
        let roll = self.rail.session().next_roll();
        let shooter = if several { format!("  shooter {}", words::shooter(table)) } else { String::new() };
        let middle = format!("  roll {roll}{shooter}  ");
        let width = usize::from(area.width);
        let fixed = puck.0.chars().count() + middle.chars().count() + 2;
        // If not all players fit, the current player stays.
        while fixed + right.iter().map(|(text, ..)| text.chars().count()).sum::<usize>() > width && right.len() > 1 {
            let last = right.iter().rposition(|(_, style, _)| *style == Style::new()).unwrap_or(0);
            right.remove(last);
        }
        let used = fixed + right.iter().map(|(text, ..)| text.chars().count()).sum::<usize>();
        let name =
            format!("{} {}", table.rules().book.to_uppercase(), self.rail.session().tag("Table").unwrap_or_default());
        let name = words::fit(&name, width.saturating_sub(used + 1));
        let left = Line::from(vec![
            Span::styled(format!(" {name}  "), Style::new().add_modifier(Modifier::BOLD)),
            Span::styled(puck.0, puck.1),
            Span::raw(middle),
        ]);
        frame.render_widget(Paragraph::new(left), area);
        let total: usize = right.iter().map(|(text, ..)| text.chars().count()).sum();
        let mut x = area.right().saturating_sub(u16::try_from(total).unwrap_or(u16::MAX)).max(area.x);
        for (text, style, hit) in right {
            let wide = u16::try_from(text.chars().count()).unwrap_or(u16::MAX);
            let rect = Rect { x, width: wide, ..area }.intersection(area);
            frame.render_widget(Paragraph::new(Span::styled(text, style)), rect);
            self.hits.extend(hit.map(|hit| (rect, hit)));
            x = x.saturating_add(wide);
        }
    }

    // ---- below ----

    fn next_throw(&self, frame: &mut Frame<'_>, area: Rect) {
        let groups = words::exposure(self);
        let mut spans = vec![Span::raw(" next roll   ")];
        if groups.is_empty() {
            spans.push(Span::raw("nothing to win or lose"));
        }
        // Leave room for the number of groups that don't fit.
        let mut room = usize::from(area.width).saturating_sub(13 + "… 99 more".len());
        for (at, (names, net)) in groups.iter().enumerate() {
            let wide = names.chars().count() + signed(*net).chars().count() + 4;
            if wide > room {
                spans.push(Span::raw(format!("… {} more", groups.len() - at)));
                break;
            }
            room -= wide;
            spans.push(Span::raw(format!("{names} ")));
            spans.push(Span::styled(format!("{}   ", signed(*net)), self.money(*net)));
        }
        frame.render_widget(Paragraph::new(Line::from(spans)), area);
    }

    fn detail(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let (name, mut text) = words::place(self);
        if self.rail.is_coached() {
            let cost = self.cost(self.hand);
            // The name is already shown.
            let cost = cost.strip_prefix(&format!("{name}: ")).unwrap_or(&cost);
            text = format!("{text}. {cost}");
        }
        let width = usize::from(area.width).saturating_sub(1);
        let mut lines = wrapped(&format!(" {name}: {text}"), width);
        if lines.len() > usize::from(area.height) {
            lines.truncate(usize::from(area.height));
            if let Some(last) = lines.last_mut() {
                *last = words::fit(&format!("{last} …"), width);
            }
        }
        let mut lines: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
        if let Some(first) = lines.first_mut() {
            let text = first.to_string();
            let (name, rest) = text.split_at_checked(name.len() + 1).unwrap_or((&text, ""));
            *first = Line::from(vec![Span::styled(name.to_owned(), self.theme.key), Span::raw(rest.to_owned())]);
        }
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn keys(&self, frame: &mut Frame<'_>, area: Rect) {
        let mut spans = vec![Span::raw(" ")];
        let mut room = usize::from(area.width).saturating_sub(1);
        for (key, what) in words::keys(self) {
            let sign = if key.is_empty() { String::new() } else { format!("{key}: ") };
            let wide = sign.chars().count() + what.chars().count();
            if wide > room {
                break;
            }
            room = room.saturating_sub(wide + 3);
            spans.push(Span::styled(sign, self.theme.key));
            spans.push(Span::raw(format!("{what}   ")));
        }
        frame.render_widget(Paragraph::new(Line::from(spans)), area);
    }

    /// Shows what the typed line would do, or why it isn't understood.
    fn echo(&self, frame: &mut Frame<'_>, area: Rect) {
        let (sign, style, text) = match self.rail.preview(self.line.text()) {
            Ok(echo) => ("= ", self.theme.win, echo),
            Err(ask) => ("? ", self.theme.loss, ask.to_string()),
        };
        let mut lines = wrapped(&text, usize::from(area.width.saturating_sub(5)));
        // If the text is too long, keep its end: it belongs to what was typed last.
        let mut lines = lines.split_off(lines.len().saturating_sub(usize::from(area.height)));
        while lines.len() < usize::from(area.height) {
            lines.insert(0, String::new());
        }
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
        let lines: Vec<Line<'_>> = lines
            .into_iter()
            .enumerate()
            .map(|(at, line)| {
                let sign = if at == first { sign } else { "  " };
                Line::from(vec![Span::styled(format!("   {sign}"), style), Span::raw(line)])
            })
            .collect();
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn talk(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let typed = self.line.text();
        let talking = self.mode == Mode::Talk;
        let mut spans = vec![Span::styled(format!(" {SAY}"), if talking { self.theme.key } else { Style::new() })];
        match self.rail.preview(typed) {
            // Underline the words that aren't understood.
            Err(ask) if talking && !typed.trim().is_empty() => {
                let start = typed.len() - said_by_somebody(typed).len() + ask.span.start;
                let end = start + ask.span.len();
                let part = |range: std::ops::Range<usize>| typed.get(range).unwrap_or_default().to_owned();
                let pointed = self.theme.loss.add_modifier(Modifier::UNDERLINED);
                match (typed.get(start..end), end > start) {
                    (Some(word), true) => spans.extend([
                        Span::raw(part(0..start)),
                        Span::styled(word.to_owned(), pointed),
                        Span::raw(part(end..typed.len())),
                    ]),
                    _ => spans.push(Span::raw(typed.to_owned())),
                }
            }
            _ => spans.push(Span::raw(typed.to_owned())),
        }
        let lead = SAY.len() + 1;
        let cursor = lead + self.line.column();
        // Scroll a long line so that the cursor is visible.
        let over = (cursor + 1).saturating_sub(usize::from(area.width));
        let over = u16::try_from(over).unwrap_or(u16::MAX);
        frame.render_widget(Paragraph::new(Line::from(spans)).scroll((0, over)), area);
        if talking && self.card.is_none() && !area.is_empty() {
            let x = area.x.saturating_add(u16::try_from(cursor).unwrap_or(u16::MAX).saturating_sub(over));
            frame.set_cursor_position(Position::new(x.min(area.right().saturating_sub(1)), area.y));
        }
        self.hits.push((area, Hit::Talk));
    }

    /// Draws the open card over the table, if there is one.
    fn lay_card(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let Some(card) = &mut self.card else { return };
        let width = area.width.saturating_sub(4).min(84);
        let lines: Vec<String> =
            card.text.lines().flat_map(|line| wrapped(line, usize::from(width.saturating_sub(4)))).collect();
        let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
        let height = wanted.min(area.height.saturating_sub(1));
        let rect = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
        let most = wanted.saturating_sub(height);
        card.top = card.top.min(most);
        let foot = match (card.roll.is_some(), most > 0) {
            (true, _) => " Esc: back   arrows: other rolls, scroll ",
            (false, true) => " Esc: back   down: scroll ",
            (false, false) => " Esc: back ",
        };
        let Card { title, top, .. } = card;
        let block = Block::bordered()
            .title(Line::from(format!(" {title} ")).alignment(Alignment::Left))
            .title_bottom(Line::from(foot).alignment(Alignment::Right))
            .border_style(self.theme.key);
        let text: Vec<Line<'_>> = lines.iter().map(|line| Line::from(format!(" {line}"))).collect();
        frame.render_widget(Clear, rect);
        frame.render_widget(Paragraph::new(text).scroll((*top, 0)).block(block), rect);
    }
}

/// Returns a line without the seat number in front of it.
fn said_by_somebody(line: &str) -> &str {
    let named = line.split_once(':').filter(|(seat, _)| seat.trim().parse::<u8>().is_ok());
    named.map_or(line, |(_, rest)| rest.trim_start())
}

/// Wraps a text at `width`. Continuation lines are indented under the text after a label.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let indent = text.chars().take_while(|character| *character == ' ').count();
    let label = text.get(indent..).and_then(|rest| {
        let gap = rest.find("  ")?;
        Some(indent + gap + rest.get(gap..)?.chars().take_while(|character| *character == ' ').count())
    });
    let hang = " ".repeat(label.filter(|label| *label <= 16).unwrap_or(indent + 2).min(width / 2));
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_inclusive(' ') {
        let long = line.chars().count() + word.trim_end().chars().count() > width;
        if long && !line.trim().is_empty() {
            lines.push(std::mem::replace(&mut line, hang.clone()).trim_end().to_owned());
        }
        line.push_str(word);
    }
    lines.push(line.trim_end().to_owned());
    lines
}
