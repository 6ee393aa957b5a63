//! Draws the felt: boxes with the puck, come and field, the line, the center bets, and everyone's chips.

use super::places::{Group, Places, Spot, Strip};
use super::state::{Hit, Screen};
use super::{markers, words};
use crate::play::answers;
use craps_dice::Point;
use craps_money::Money;
use craps_table::{Called, SeatId, SlotId};
use craps_wagers::{Family, Phase};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

/// Number of strips on the smallest felt, where everything else has one line each.
const LEAST_STRIPS: u16 = 2;

/// Signs of an area where a bet can be made, and of one where it can't.
const OPEN: &str = "·";
const CLOSED: &str = "×";

/// Draws the felt and returns its click targets.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) -> Vec<(Rect, Hit)> {
    let mut felt = Felt { frame, screen, places: screen.places(), area, hits: Vec::new() };
    felt.cloth();
    let plan = felt.plan();
    let mut y = felt.boxes(area.y, plan.strips);
    let (come, line, center) = (felt.places.come.clone(), felt.places.line.clone(), felt.places.center.clone());
    y = felt.row(y, plan.row, &come);
    y = felt.row(y, plan.row, &line);
    match plan.cells {
        Some(more) => {
            for group in &center {
                y = felt.cells(y, group, more);
            }
        }
        None => y = felt.lines(y, &center),
    }
    felt.edges(y);
    felt.hits
}

/// How the height is divided.
struct Plan {
    strips: u16,
    row: u16,
    /// Extra lines per center area if center bets are drawn as areas; None if they are drawn as lines.
    cells: Option<u16>,
}

struct Felt<'f, 'b, 's> {
    frame: &'f mut Frame<'b>,
    screen: &'s Screen<'s>,
    places: Places,
    area: Rect,
    hits: Vec<(Rect, Hit)>,
}

impl Felt<'_, '_, '_> {
    fn cloth(&mut self) {
        self.frame.render_widget(Clear, self.area);
        self.frame.buffer_mut().set_style(self.area, self.screen.theme.felt);
    }

    /// Divides the height. The smallest felt has one line for everything; more room gives the center bets areas, and then more lines
    /// to everything.
    fn plan(&self) -> Plan {
        let strips = u16::try_from(self.places.strips.len()).unwrap_or(u16::MAX);
        let most = u16::try_from(self.places.most_strips).unwrap_or(u16::MAX);
        let lines = u16::try_from(self.places.center.len()).unwrap_or(u16::MAX);
        // Borders, the numbers, and both rows.
        let frame = |row: u16| 5 + 2 * row;
        let cells = |more: u16| self.places.center.iter().map(|group| cell_lines(group) + more + 1).sum::<u16>();
        let room = |used: u16| self.area.height.saturating_sub(used);
        // The plan doesn't depend on the bets on the felt, so areas don't move during play.
        for (row, more, least) in
            [(5, 5, most), (4, 4, most), (4, 3, most), (3, 2, most), (3, 1, most), (2, 1, most), (2, 0, most.min(6))]
        {
            let room = room(frame(row) + cells(more));
            if room >= least {
                return Plan { strips: room.min(most + 2), row, cells: Some(more) };
            }
        }
        let row = if room(frame(2) + lines + 1) >= most { 2 } else { 1 };
        let room = room(frame(row) + lines + 1).max(LEAST_STRIPS).min(most.max(strips));
        Plan { strips: room, row, cells: None }
    }

    /// Draws a frame that shares its lines with its neighbors.
    fn frame_around(&mut self, rect: Rect) -> Rect {
        let rect = rect.intersection(self.area);
        let block = Block::bordered().border_style(self.screen.theme.line).merge_borders(MergeStrategy::Exact);
        let inner = block.inner(rect);
        self.frame.render_widget(block, rect);
        inner
    }

    fn text(&mut self, rect: Rect, line: Line<'_>, alignment: Alignment) {
        let rect = rect.intersection(self.area);
        self.frame.render_widget(Paragraph::new(line).alignment(alignment), rect);
    }

    /// Divides the width by weight into parts that share their borders. Returns the left edge and width of each.
    fn cuts(&self, from: u16, weights: &[u16]) -> Vec<(u16, u16)> {
        let width = u32::from(self.area.right().saturating_sub(from).saturating_sub(1));
        let sum: u32 = weights.iter().map(|weight| u32::from(*weight)).sum::<u32>().max(1);
        let edge = |before: u32| from.saturating_add(u16::try_from(width * before / sum).unwrap_or(u16::MAX));
        let mut before = 0;
        weights
            .iter()
            .map(|weight| {
                let left = edge(before);
                before += u32::from(*weight);
                (left, edge(before).saturating_sub(left) + 1)
            })
            .collect()
    }

    // ---- the boxes ----

    fn boxes(&mut self, y: u16, room: u16) -> u16 {
        let chips = |slot: SlotId| self.screen.rail.table().seats().any(|(_, seat)| seat.bets.get(slot).is_some());
        let shown: Vec<Strip> =
            self.places.shown(usize::from(room), self.screen.hand, chips).into_iter().cloned().collect();
        let points = self.places.points.clone();
        let height = room + 3;
        // The strips are at the bottom of the boxes.
        let first = 1 + room.saturating_sub(u16::try_from(shown.len()).unwrap_or(room));
        let beside = if self.area.width >= 76 { 12 } else { 9 };
        let rect = Rect::new(self.area.x, y, beside + 1, height);
        let inner = self.frame_around(rect);
        let puck = match self.screen.rail.table().phase() {
            Phase::Point(_) => Span::raw(""),
            _ => Span::styled(" OFF ", self.screen.theme.faint),
        };
        self.text(Rect { height: 1, ..inner }, Line::from(vec![puck]), Alignment::Center);
        for (row, strip) in (first..).zip(&shown) {
            let held = strip.cells.contains(&Some(self.screen.hand));
            let style = if held { self.screen.theme.name } else { self.screen.theme.felt };
            let label = words::fit(&strip.label, usize::from(inner.width).saturating_sub(1));
            let rect = Rect { y: inner.y + row, height: 1, ..inner };
            self.text(rect, Line::from(Span::styled(format!("{label} "), style)), Alignment::Right);
        }
        let cuts = self.cuts(self.area.x + beside, &vec![1; points.len()]);
        for ((at, point), (x, width)) in points.iter().enumerate().zip(cuts) {
            let inner = self.frame_around(Rect::new(x, y, width, height));
            self.number(Rect { height: 1, ..inner }, *point);
            for (row, strip) in (first..).zip(&shown) {
                let rect = Rect { y: inner.y + row, height: 1, ..inner };
                if let Some(slot) = strip.cells.get(at).copied().flatten() {
                    let line = self.chips(slot, usize::from(rect.width));
                    if slot == self.screen.hand {
                        self.frame.buffer_mut().set_style(rect, self.screen.theme.focus);
                    }
                    self.text(rect, line, Alignment::Center);
                    self.hits.push((rect, Hit::Place(slot)));
                }
            }
        }
        y.saturating_add(height - 1)
    }

    fn number(&mut self, rect: Rect, point: Point) {
        let word = match point {
            Point::Six if rect.width > 6 => "SIX".to_owned(),
            Point::Nine if rect.width > 6 => "NINE".to_owned(),
            _ => point.to_string(),
        };
        let mut spans = vec![Span::styled(word, self.screen.theme.name)];
        if self.screen.rail.table().phase() == Phase::Point(point) {
            let puck = if rect.width > 8 { " ON " } else { "ON" };
            if rect.width > 4 {
                spans.push(Span::raw(" "));
            }
            spans.push(Span::styled(puck, self.screen.theme.puck));
        }
        self.text(rect, Line::from(spans), Alignment::Center);
    }

    // ---- rows of areas ----

    fn row(&mut self, y: u16, lines: u16, groups: &[Group]) -> u16 {
        if groups.is_empty() {
            return y;
        }
        let label = |group: &Group| {
            let spots: usize = group.spots.iter().map(|spot| spot.label.chars().count() + 6).sum();
            u16::try_from(group.label.len() + spots).unwrap_or(u16::MAX)
        };
        let weights: Vec<u16> = groups.iter().map(label).collect();
        for (group, (x, width)) in groups.iter().zip(self.cuts(self.area.x, &weights)) {
            let inner = self.frame_around(Rect::new(x, y, width, lines + 2));
            let first = Rect { height: 1, ..inner };
            self.spots(first, group, 1);
            if let (true, Some(spot)) = (lines > 1, group.spots.first()) {
                let pays =
                    words::fit(&answers::pays(self.screen.rail.table(), spot.slot), usize::from(inner.width) - 1);
                let line = Line::from(Span::styled(format!(" {pays}"), self.screen.theme.faint));
                self.text(Rect { y: inner.y + 1, height: 1, ..inner }, line, Alignment::Left);
            }
        }
        y.saturating_add(lines + 1)
    }

    fn lines(&mut self, y: u16, groups: &[Group]) -> u16 {
        let height = u16::try_from(groups.len()).unwrap_or(u16::MAX);
        let inner = self.frame_around(Rect::new(self.area.x, y, self.area.width, height + 2));
        for (row, group) in (0u16..).zip(groups) {
            self.spots(Rect { y: inner.y + row, height: 1, ..inner }, group, 2);
        }
        y.saturating_add(height + 1)
    }

    /// Draws the areas of a group in one line. If not all fit, it prefers the selected one and those with chips.
    fn spots(&mut self, rect: Rect, group: &Group, gap: usize) {
        if rect.is_empty() {
            return;
        }
        let bare = group.label == "HOP";
        let room = usize::from(rect.width).saturating_sub(1);
        let label = if group.label.is_empty() { String::new() } else { format!("{} ", group.label) };
        let mut used = label.chars().count();
        let texts: Vec<Line<'static>> = group.spots.iter().map(|spot| self.spot(spot, room, bare)).collect();
        let wide: usize = texts.iter().map(|text| text.width() + gap).sum();
        let gap = if used + wide > room + gap { 1 } else { gap };
        let matters = |spot: &Spot| {
            let seats = self.screen.rail.table().seats();
            spot.slot == self.screen.hand || seats.into_iter().any(|(_, seat)| seat.bets.get(spot.slot).is_some())
        };
        let mut kept = vec![false; texts.len()];
        for first in [true, false] {
            for (at, text) in texts.iter().enumerate() {
                let width = text.width() + gap;
                let wanted = group.spots.get(at).is_some_and(&matters) == first;
                if wanted && used + width <= room + gap {
                    used += width;
                    if let Some(kept) = kept.get_mut(at) {
                        *kept = true;
                    }
                }
            }
        }
        let name = Line::from(Span::styled(format!(" {label}"), self.screen.theme.name));
        let mut x = rect.x.saturating_add(u16::try_from(name.width()).unwrap_or(u16::MAX));
        self.text(rect, name, Alignment::Left);
        for ((text, spot), _) in texts.into_iter().zip(&group.spots).zip(&kept).filter(|(_, kept)| **kept) {
            let width = u16::try_from(text.width()).unwrap_or(u16::MAX);
            let place = Rect { x, width, ..rect }.intersection(rect);
            if spot.slot == self.screen.hand {
                self.frame.buffer_mut().set_style(place, self.screen.theme.focus);
            }
            self.text(place, text, Alignment::Left);
            self.hits.push((place, Hit::Place(spot.slot)));
            x = x.saturating_add(width).saturating_add(u16::try_from(gap).unwrap_or_default());
        }
        if kept.contains(&false) {
            let end = Rect { x: rect.right().saturating_sub(1), width: 1, ..rect };
            self.text(end, Line::from(Span::styled("…", self.screen.theme.faint)), Alignment::Left);
        }
    }

    /// Returns the name and chips of an area. If `bare`, an open area without chips shows only its name.
    fn spot(&self, spot: &Spot, room: usize, bare: bool) -> Line<'static> {
        let name = if spot.slot == self.screen.hand { self.screen.theme.focus } else { self.screen.theme.name };
        let mut spans = vec![Span::styled(spot.label.clone(), name)];
        let chips = self.chips(spot.slot, room.saturating_sub(spot.label.chars().count() + 1));
        if bare && chips.spans.iter().all(|span| span.content == OPEN) {
            return Line::from(spans);
        }
        // An amount right after a number needs a colon between them.
        let numbered = spot.label.ends_with(|last: char| last.is_ascii_digit());
        let gap = if numbered && self.screen.own(spot.slot).is_some() { ": " } else { " " };
        spans.push(Span::styled(gap, if spot.slot == self.screen.hand { name } else { self.screen.theme.felt }));
        spans.extend(chips.spans);
        let marks = markers::of(self.screen.rail.table(), self.screen.rail.seat(), spot.slot);
        if !marks.is_empty() {
            spans.push(Span::styled(format!(" ({marks})"), self.screen.theme.own));
        }
        Line::from(spans)
    }

    // ---- the center, area by area ----

    fn cells(&mut self, y: u16, group: &Group, more: u16) -> u16 {
        let lines = cell_lines(group) + more;
        let weight = |spot: &Spot| match self.family(spot.slot) {
            Family::Hop => 6,
            Family::Shooter => u16::try_from(spot.label.len()).unwrap_or(u16::MAX).max(7),
            _ => 8,
        };
        let weights: Vec<u16> = group.spots.iter().map(weight).collect();
        for (spot, (x, width)) in group.spots.iter().zip(self.cuts(self.area.x, &weights)) {
            let inner = self.frame_around(Rect::new(x, y, width, lines + 2));
            self.cell(inner, spot);
        }
        y.saturating_add(lines + 1)
    }

    /// Draws a center area: name, chips, markers and price, as far as they fit.
    fn cell(&mut self, inner: Rect, spot: &Spot) {
        let (theme, table) = (&self.screen.theme, self.screen.rail.table());
        let held = spot.slot == self.screen.hand;
        if held {
            self.frame.buffer_mut().set_style(inner, theme.focus);
        }
        let room = usize::from(inner.width);
        let label = match self.family(spot.slot) {
            Family::Hardway if room > 6 => format!("HARD {}", spot.label),
            Family::Hardway => format!("H{}", spot.label),
            Family::Shooter => spot.label.to_uppercase(),
            _ => spot.label.clone(),
        };
        let name = if held { theme.focus } else { theme.name };
        let quiet = self.quiet(spot.slot);
        let mut texts = vec![Line::from(Span::styled(words::fit(&label, room), name)), self.chips(spot.slot, room)];
        let pays = Some(answers::pays(table, spot.slot)).filter(|pays| pays.chars().count() <= room);
        let marks = Some(markers::of(table, self.screen.rail.seat(), spot.slot)).filter(|marks| !marks.is_empty());
        let marks = marks.map(|marks| words::fit(&marks, room));
        texts.extend(marks.into_iter().chain(pays).map(|text| Line::from(Span::styled(text, quiet))));
        for (row, text) in (0..inner.height).zip(texts) {
            self.text(Rect { y: inner.y + row, height: 1, ..inner }, text, Alignment::Center);
        }
        self.hits.push((inner, Hit::Place(spot.slot)));
    }

    fn family(&self, slot: SlotId) -> Family {
        self.screen.rail.table().board().slot(slot).wager.wager().family
    }

    fn quiet(&self, slot: SlotId) -> Style {
        if slot == self.screen.hand { self.screen.theme.focus } else { self.screen.theme.faint }
    }

    // ---- chips ----

    /// Returns everyone's chips on an area: the player's own first, others with their seat number. Without chips it returns the sign for
    /// open or closed.
    fn chips(&self, slot: SlotId, room: usize) -> Line<'static> {
        let theme = &self.screen.theme;
        let (table, seat) = (self.screen.rail.table(), self.screen.rail.seat());
        let on_hand = |style: Style| if slot == self.screen.hand { theme.focus } else { style };
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut used = 0;
        if let Some(bet) = self.screen.own(slot) {
            let amount = words::fit(&bet.stake.to_string(), room);
            used += amount.chars().count();
            spans.push(Span::styled(amount, on_hand(theme.own)));
            let lammer = if !table.works(seat, slot) {
                "off"
            } else if bet.called == Called::On {
                "on"
            } else {
                ""
            };
            if !lammer.is_empty() {
                let long = used + lammer.len() < room;
                let text = if long { format!(" {lammer}") } else { lammer.chars().take(1).collect() };
                used += text.chars().count();
                spans.push(Span::styled(text, on_hand(theme.faint)));
            }
        }
        let others: Vec<(SeatId, Money)> = table
            .seats()
            .filter(|(other, _)| *other != seat)
            .filter_map(|(other, placed)| Some((other, placed.bets.get(slot)?.stake)))
            .collect();
        for (at, (other, stake)) in others.iter().enumerate() {
            let text = format!("{}{other}:{stake}", if used > 0 { " " } else { "" });
            if used + text.chars().count() > room {
                let left = format!("+{}", others.len() - at);
                if used + left.len() <= room {
                    spans.push(Span::styled(left, on_hand(theme.faint)));
                }
                break;
            }
            used += text.chars().count();
            spans.push(Span::styled(text, on_hand(theme.faint)));
        }
        if used == 0 {
            let open = table.terms(seat, slot, None).is_ok();
            spans.push(Span::styled(
                if open { OPEN } else { CLOSED },
                on_hand(if open { theme.felt } else { theme.faint }),
            ));
        }
        Line::from(spans)
    }

    // ---- the edges ----

    /// Draws the limits on the top edge, and the chips and the latest rolls on the bottom edge.
    fn edges(&mut self, y: u16) {
        let theme = &self.screen.theme;
        let table = self.screen.rail.table();
        let posted = format!(" {} ", answers::posted(table));
        let posted = words::fit(&posted, usize::from(self.area.width.saturating_sub(4)));
        let top = Rect::new(self.area.x + 2, self.area.y, self.area.width.saturating_sub(4), 1);
        let line = Line::from(Span::styled(posted, theme.felt));
        self.text(top, line, Alignment::Left);
        let near = Rect { y, ..top };
        let mut x = near.x;
        let mut put = |felt: &mut Self, text: String, style: Style, hit: Option<Hit>| {
            let width = u16::try_from(text.chars().count()).unwrap_or(u16::MAX);
            let rect = Rect::new(x, y, width, 1).intersection(near);
            felt.text(rect, Line::from(Span::styled(text, style)), Alignment::Left);
            felt.hits.extend(hit.map(|hit| (rect, hit)));
            x = x.saturating_add(width);
        };
        put(self, " chips".to_owned(), theme.felt, None);
        for (at, chip) in self.screen.chips.iter().enumerate() {
            let held = at == self.screen.chip;
            let text = if held { format!("[{chip}]") } else { format!(" {chip} ") };
            let style = if held { theme.own } else { theme.felt };
            put(self, text, style, Some(Hit::Chip(at)));
        }
        let left = usize::from(near.right().saturating_sub(x)).saturating_sub(4);
        let thrown = words::last_throws(self.screen.rail.thrown(), left);
        if !thrown.is_empty() {
            let line = Line::from(Span::styled(format!(" {thrown} "), theme.felt));
            self.text(near, line, Alignment::Right);
        }
    }
}

/// Returns the number of lines that a center area needs: name, chips, and price or progress.
fn cell_lines(group: &Group) -> u16 {
    if group.label == "HOP" { 2 } else { 3 }
}
