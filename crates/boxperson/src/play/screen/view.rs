//! One picture of the screen: what goes where at which size.

use super::state::{Card, Hit, Kind, Mode, Note, Screen};
use super::{dice, felt, words};
use crate::play::answers::signed;
use crate::play::plain;
use craps_dice::{Die, Throw};
use craps_money::Money;
use craps_wagers::Phase;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

/// The smallest screen that holds a table.
pub(crate) const LEAST: (u16, u16) = (60, 20);

/// From this size on there is a column beside the felt.
const WIDE: (u16, u16) = (112, 30);

/// The grid of 36 throws: a head and six columns.
const GRID: (u16, u16) = (38, 8);

/// What stands before the talk line.
const SAY: &str = "say: ";

impl Screen<'_> {
    /// Draws everything.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        self.hits.clear();
        let area = frame.area();
        if area.width < LEAST.0 || area.height < LEAST.1 {
            self.too_small(frame, area);
            return;
        }
        let detail = if area.height < 24 { 1 } else if area.height < 36 { 2 } else { 3 };
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
            let [cloth, beside] =
                Layout::horizontal([Constraint::Min(1), Constraint::Length(column)]).areas(table);
            self.hits.extend(felt::draw(frame, cloth, self));
            self.beside(frame, beside);
        } else {
            self.hits.extend(felt::draw(frame, table, self));
            self.ribbon(frame, ribbon);
        }
        self.next_throw(frame, next);
        self.detail(frame, detail);
        self.foot(frame, keys, talk);
        self.lay_card(frame, area);
    }

    /// Too small for a table, never too small to play: where the game stands, what was last said, and the line one talks on.
    fn too_small(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let (width, height) = LEAST;
        let text = format!(
            "A table needs {width} by {height}; here are {} by {}. Make this window larger, or talk: s, then pass 10, roll, quit.",
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
                (false, _) => format!("{} {} on the rail, {felt} on the felt", player.name, player.rail),
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
        // Whose turn it is comes first where not all players fit.
        while fixed + right.iter().map(|(text, ..)| text.chars().count()).sum::<usize>() > width && right.len() > 1 {
            let last = right.iter().rposition(|(_, style, _)| *style == Style::new()).unwrap_or(0);
            right.remove(last);
        }
        let used = fixed + right.iter().map(|(text, ..)| text.chars().count()).sum::<usize>();
        let name = format!("{} {}", table.rules().book.to_uppercase(), self.rail.session().tag("Table").unwrap_or_default());
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

    // ---- beside or below the felt ----

    fn beside(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        let [dice, call, grid, notes] = Layout::vertical([
            Constraint::Length(3),
            Constraint::Length(2),
            Constraint::Length(GRID.1 + 1),
            Constraint::Min(0),
        ])
        .areas(area);
        self.dice(frame, dice);
        let text = self.net_of_last();
        frame.render_widget(Paragraph::new(text), Rect { x: dice.x + 13, width: dice.width.saturating_sub(13), ..dice });
        frame.render_widget(Paragraph::new(self.last_call()).style(self.theme.key).wrap(Wrap { trim: true }), call);
        self.grid(frame, grid);
        self.notes(frame, notes);
    }

    fn ribbon(&mut self, frame: &mut Frame<'_>, area: Rect) {
        if area.height < 3 {
            self.notes(frame, area);
            return;
        }
        let [dice, notes] = Layout::horizontal([Constraint::Length(13), Constraint::Min(1)]).areas(area);
        self.dice(frame, Rect { x: dice.x + 1, width: dice.width - 1, ..dice });
        self.notes(frame, notes);
    }

    /// The dice as they lie; before the first throw they are with the shooter.
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

    fn last_call(&self) -> String {
        let last = self.notes.iter().rev().find(|note| note.kind == Kind::Call);
        last.map(|note| note.text.clone()).unwrap_or_default()
    }

    /// What the last throw brought the player.
    fn net_of_last(&self) -> Vec<Line<'static>> {
        let Some(rolled) = self.rail.thrown().last() else { return Vec::new() };
        let own = rolled.results.iter().filter(|one| one.seat == self.rail.seat());
        let net: i64 = own.map(|one| self.rail.result(rolled.number, 0, one).net.minor()).sum();
        let net = Money::from_minor(net);
        let total = Line::from(format!("{} = {}", rolled.dice, rolled.dice.total()));
        vec![total, Line::from(Span::styled(format!("{} this throw", signed(net)), self.money(net)))]
    }

    fn money(&self, net: Money) -> Style {
        match net.cmp(&Money::ZERO) {
            std::cmp::Ordering::Greater => self.theme.win,
            std::cmp::Ordering::Less => self.theme.loss,
            std::cmp::Ordering::Equal => self.theme.quiet,
        }
    }

    /// The net of each of the 36 throws.
    fn grid(&self, frame: &mut Frame<'_>, area: Rect) {
        let outcomes = self.rail.table().outcomes(self.rail.seat());
        let net = |throw: Throw| {
            outcomes.iter().find(|outcome| outcome.dice == throw).map_or(Money::ZERO, |outcome| outcome.net)
        };
        let head: String = Die::ALL.iter().map(|die| format!("{:>6}", die.pips())).collect();
        let mut lines = vec![Line::from("all 36 throws, your net"), Line::from(format!(" {head}"))];
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

    /// What was said and done, the latest last.
    fn notes(&mut self, frame: &mut Frame<'_>, area: Rect) {
        if area.is_empty() {
            return;
        }
        let style = |kind: Kind| match kind {
            Kind::Won => self.theme.win,
            Kind::Lost | Kind::Refused => self.theme.loss,
            Kind::Call | Kind::Question => self.theme.key,
            Kind::Done | Kind::Even | Kind::Said => self.theme.quiet,
        };
        let width = usize::from(area.width.max(1));
        let height = usize::from(area.height);
        let until = self.notes.len().saturating_sub(self.back);
        let mut lines: Vec<(String, Style, Option<(u32, usize)>)> = Vec::new();
        for note in self.notes.iter().take(until).rev() {
            let wrapped = wrapped(&note_text(note), width);
            for text in wrapped.into_iter().rev() {
                lines.push((text, style(note.kind), note.reference));
            }
            if lines.len() >= height {
                break;
            }
        }
        lines.truncate(height);
        lines.reverse();
        if self.back > 0 && height > 1 {
            lines.pop();
            lines.push((format!("… {} more below: PgDn", self.back), self.theme.quiet, None));
        }
        for (row, (text, style, reference)) in (0u16..).zip(lines) {
            let rect = Rect { y: area.y + row, height: 1, ..area };
            frame.render_widget(Paragraph::new(Span::styled(text, style)), rect);
            self.hits.extend(reference.map(|(roll, result)| (rect, Hit::Result(roll, result))));
        }
    }

    // ---- below ----

    fn next_throw(&self, frame: &mut Frame<'_>, area: Rect) {
        let groups = words::exposure(self);
        let mut spans = vec![Span::raw(" next throw  ")];
        if groups.is_empty() {
            spans.push(Span::raw("would change nothing: no bet of yours is up"));
        }
        let mut room = usize::from(area.width).saturating_sub(15);
        for (at, (names, net)) in groups.iter().enumerate() {
            let wide = names.chars().count() + signed(*net).chars().count() + 4;
            if wide > room {
                spans.push(Span::raw(format!("… {} more: say exposure", groups.len() - at)));
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
            text = format!("{text}. {cost}");
        }
        let line = Line::from(vec![Span::styled(format!(" {name}"), self.theme.key), Span::raw(format!(": {text}"))]);
        frame.render_widget(Paragraph::new(line).wrap(Wrap { trim: false }), area);
    }

    fn foot(&mut self, frame: &mut Frame<'_>, keys: Rect, talk: Rect) {
        let echo = (self.mode == Mode::Talk && !self.line.text().trim().is_empty()).then(|| self.echo());
        let line = echo.unwrap_or_else(|| {
            let mut spans = vec![Span::raw(" ")];
            let mut room = usize::from(keys.width).saturating_sub(1);
            for (key, what) in words::keys(self) {
                let wide = key.chars().count() + what.chars().count() + 4;
                if wide > room + 3 {
                    break;
                }
                room = room.saturating_sub(wide);
                let sign = if key.is_empty() { String::new() } else { format!("{key}: ") };
                spans.push(Span::styled(sign, self.theme.key));
                spans.push(Span::raw(format!("{what}   ")));
            }
            Line::from(spans)
        });
        frame.render_widget(Paragraph::new(line), keys);
        self.talk(frame, talk);
    }

    /// What the line would mean, or what is not understood in it.
    fn echo(&self) -> Line<'static> {
        match self.rail.preview(self.line.text()) {
            Ok(echo) => Line::from(vec![
                Span::styled("  = ", self.theme.win),
                Span::raw(echo),
            ]),
            Err(ask) => Line::from(vec![Span::styled("  ? ", self.theme.loss), Span::raw(ask.to_string())]),
        }
    }

    fn talk(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let typed = self.line.text();
        let talking = self.mode == Mode::Talk;
        let mut spans = vec![Span::styled(format!(" {SAY}"), if talking { self.theme.key } else { Style::new() })];
        match self.rail.preview(typed) {
            // The words that are not understood are pointed at where they stand.
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
        // A long line is moved so that the cursor is seen.
        let over = (cursor + 1).saturating_sub(usize::from(area.width));
        let over = u16::try_from(over).unwrap_or(u16::MAX);
        frame.render_widget(Paragraph::new(Line::from(spans)).scroll((0, over)), area);
        if talking && self.card.is_none() && !area.is_empty() {
            let x = area.x.saturating_add(u16::try_from(cursor).unwrap_or(u16::MAX).saturating_sub(over));
            frame.set_cursor_position(Position::new(x.min(area.right().saturating_sub(1)), area.y));
        }
        self.hits.push((area, Hit::Talk));
    }

    /// The card over the table, if there is one.
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
            (true, _) => " Esc: back   left, right: other throws   up, down: read on ",
            (false, true) => " Esc: back   down: read on ",
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

fn note_text(note: &Note) -> String {
    match note.kind {
        Kind::Call => note.text.clone(),
        _ => format!("  {}", note.text),
    }
}

/// What is said in a line once it is known who says it.
fn said_by_somebody(line: &str) -> &str {
    let named = line.split_once(':').filter(|(seat, _)| seat.trim().parse::<u8>().is_ok());
    named.map_or(line, |(_, rest)| rest.trim_start())
}

/// A text in lines of a width; what goes on is indented as it began.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let indent = text.chars().take_while(|character| *character == ' ').count();
    let hang = " ".repeat((indent + 2).min(width / 2));
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
