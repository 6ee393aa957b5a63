//! The felt: boxes with the puck, come and field, the line, the centre, and everybody's chips on them.

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

/// The least height of a felt with this many rows in its centre: two strips, and everything else in one line each.
const LEAST_STRIPS: u16 = 2;

/// Draws the felt and says what lies where.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) -> Vec<(Rect, Hit)> {
    let mut felt = Felt { frame, screen, places: screen.places(), area, hits: Vec::new() };
    felt.cloth();
    let plan = felt.plan();
    let mut y = felt.boxes(area.y, plan.strips);
    let (come, line, centre) = (felt.places.come.clone(), felt.places.line.clone(), felt.places.centre.clone());
    y = felt.row(y, plan.row, &come);
    y = felt.row(y, plan.row, &line);
    if plan.cells {
        for group in &centre {
            y = felt.cells(y, group);
        }
    } else {
        y = felt.lines(y, &centre);
    }
    felt.edges(y);
    felt.hits
}

/// How the height is shared out.
struct Plan {
    strips: usize,
    row: u16,
    cells: bool,
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

    fn plan(&self) -> Plan {
        let strips = u16::try_from(self.places.strips.len()).unwrap_or(u16::MAX);
        let lines = u16::try_from(self.places.centre.len()).unwrap_or(u16::MAX);
        // Borders, the numbers, and one line for each of the two rows.
        let frame = |row: u16| 5 + 2 * row;
        let cells: u16 = self.places.centre.iter().map(|group| self.cells_height(group)).sum();
        if self.area.height >= frame(2) + strips.min(4) + cells {
            let room = self.area.height - frame(2) - cells;
            return Plan { strips: usize::from(room), row: 2, cells: true };
        }
        let room = self.area.height.saturating_sub(frame(1) + lines + 1);
        let row = if room > strips + 1 { 2 } else { 1 };
        let room = self.area.height.saturating_sub(frame(row) + lines + 1).max(LEAST_STRIPS);
        Plan { strips: usize::from(room), row, cells: false }
    }

    /// A frame that shares its lines with its neighbours.
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

    /// Cuts a width into so many parts that share their borders; gives their edges.
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

    fn boxes(&mut self, y: u16, room: usize) -> u16 {
        let chips = |slot: SlotId| self.screen.rail.table().seats().any(|(_, seat)| seat.bets.get(slot).is_some());
        let shown: Vec<Strip> =
            self.places.shown(room, self.screen.hand, chips).into_iter().cloned().collect();
        let points = self.places.points.clone();
        let height = u16::try_from(shown.len()).unwrap_or(u16::MAX).saturating_add(3);
        let beside = if self.area.width >= 76 { 12 } else { 9 };
        let rect = Rect::new(self.area.x, y, beside + 1, height);
        let inner = self.frame_around(rect);
        let puck = match self.screen.rail.table().phase() {
            Phase::Point(_) => Span::raw(""),
            _ => Span::styled(" OFF ", self.screen.theme.faint),
        };
        self.text(Rect { height: 1, ..inner }, Line::from(vec![puck]), Alignment::Center);
        for (row, strip) in (1u16..).zip(&shown) {
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
            for (row, strip) in (1u16..).zip(&shown) {
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
                let pays = words::fit(&answers::pays(self.screen.rail.table(), spot.slot), usize::from(inner.width) - 1);
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

    /// The places of a group in one line. Where not all fit, those with chips and the one under the hand do.
    fn spots(&mut self, rect: Rect, group: &Group, gap: usize) {
        if rect.is_empty() {
            return;
        }
        let room = usize::from(rect.width).saturating_sub(1);
        let label = if group.label.is_empty() { String::new() } else { format!("{} ", group.label) };
        let mut used = label.chars().count();
        let texts: Vec<Line<'static>> = group.spots.iter().map(|spot| self.spot(spot, room)).collect();
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

    /// One place with its name and chips.
    fn spot(&self, spot: &Spot, room: usize) -> Line<'static> {
        let name = if spot.slot == self.screen.hand { self.screen.theme.focus } else { self.screen.theme.name };
        let mut spans = vec![Span::styled(spot.label.clone(), name)];
        let chips = self.chips(spot.slot, room.saturating_sub(spot.label.chars().count() + 1));
        spans.push(Span::styled(" ", if spot.slot == self.screen.hand { name } else { self.screen.theme.felt }));
        spans.extend(chips.spans);
        let marks = markers::of(self.screen.rail.table(), self.screen.rail.seat(), spot.slot);
        if !marks.is_empty() {
            spans.push(Span::styled(format!(" ({marks})"), self.screen.theme.own));
        }
        Line::from(spans)
    }

    // ---- the centre, area by area ----

    fn per_row(&self, group: &Group) -> usize {
        let widest = group.spots.iter().map(|spot| spot.label.chars().count()).max().unwrap_or(1);
        let least = match self.family(group) {
            Some(Family::Hop) => 9,
            _ => (widest + 7).max(11),
        };
        let most = (usize::from(self.area.width) - 1) / least;
        // Full rows, and the last as full as the others.
        let rows = group.spots.len().div_ceil(most.max(1)).max(1);
        group.spots.len().div_ceil(rows)
    }

    fn family(&self, group: &Group) -> Option<Family> {
        let first = group.spots.first()?;
        Some(self.screen.rail.table().layout().slot(first.slot).wager.wager().family)
    }

    fn cell_lines(&self, group: &Group) -> u16 {
        match self.family(group) {
            Some(Family::Hop) => 1,
            Some(Family::Shooter) => 3,
            _ => 2,
        }
    }

    fn cells_height(&self, group: &Group) -> u16 {
        let rows = group.spots.len().div_ceil(self.per_row(group).max(1));
        u16::try_from(rows).unwrap_or(u16::MAX).saturating_mul(self.cell_lines(group) + 1)
    }

    fn cells(&mut self, mut y: u16, group: &Group) -> u16 {
        let (per_row, lines, family) = (self.per_row(group), self.cell_lines(group), self.family(group));
        for row in group.spots.chunks(per_row.max(1)) {
            for (spot, (x, width)) in row.iter().zip(self.cuts(self.area.x, &vec![1; row.len()])) {
                let inner = self.frame_around(Rect::new(x, y, width, lines + 2));
                if spot.slot == self.screen.hand {
                    self.frame.buffer_mut().set_style(inner, self.screen.theme.focus);
                }
                let label = match family {
                    Some(Family::Hardway) => format!("HARD {}", spot.label),
                    Some(Family::Shooter) => spot.label.to_uppercase(),
                    _ => spot.label.clone(),
                };
                let style = if spot.slot == self.screen.hand { self.screen.theme.focus } else { self.screen.theme.name };
                let room = usize::from(inner.width);
                let mut spans = vec![Span::styled(format!("{label} "), style)];
                spans.extend(self.chips(spot.slot, room.saturating_sub(label.chars().count() + 1)).spans);
                self.text(Rect { height: 1, ..inner }, Line::from(spans), Alignment::Center);
                let pays = answers::pays(self.screen.rail.table(), spot.slot);
                if lines > 1 && pays.chars().count() <= room {
                    let line = Line::from(Span::styled(pays, self.quiet(spot.slot)));
                    self.text(Rect { y: inner.y + 1, height: 1, ..inner }, line, Alignment::Center);
                }
                if lines > 2 {
                    let marks = markers::of(self.screen.rail.table(), self.screen.rail.seat(), spot.slot);
                    let line = Line::from(Span::styled(words::fit(&marks, room), self.quiet(spot.slot)));
                    self.text(Rect { y: inner.y + 2, height: 1, ..inner }, line, Alignment::Center);
                }
                self.hits.push((inner, Hit::Place(spot.slot)));
            }
            y = y.saturating_add(lines + 1);
        }
        y
    }

    fn quiet(&self, slot: SlotId) -> Style {
        if slot == self.screen.hand { self.screen.theme.focus } else { self.screen.theme.faint }
    }

    // ---- chips ----

    /// Everybody's chips on a place: one's own first, others with their seat; a dot where a bet could be made, a cross where not.
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
            let lammer = if !answers::works(table, seat, slot) {
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
            spans.push(Span::styled(if open { "·" } else { "×" }, on_hand(if open { theme.felt } else { theme.faint })));
        }
        Line::from(spans)
    }

    // ---- what is printed on the edges ----

    /// The limits on the far edge, the chips and the last throws on the near one.
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
