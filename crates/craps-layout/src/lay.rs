//! Builds a layout: takes a template and keeps what the rules of the table offer.

use crate::path::Path;
use crate::template::{self, At, Form, Group, Template};
use crate::view::{
    Anchor, Area, Band, CrewPlace, Dice, End, Face, Fill, Ink, Layout, Mark, Marker, PuckPlace, Shape, Side, Spot,
    Stack, Station, Text, View,
};
use crate::words::{self, Words};
use craps_dice::{Throw, Total};
use craps_law::{Answer, Cites, Game, RuleBook, TableRules};
use craps_table::{Board, Crew, TooManySlots};
use craps_wagers::{Bar, Mechanic};
use std::collections::HashMap;
use std::fmt;
use toml::Spanned;

/// What a layout shows about its table besides the rules.
#[derive(Debug, Clone, Copy)]
pub struct Sign<'a> {
    /// Name of the table, printed on the felt if set.
    pub table: Option<&'a str>,
    /// Whether the crew is automatic or human.
    pub crew: Crew,
    /// The end that a narrow layout shows.
    pub end: End,
}

impl Default for Sign<'_> {
    fn default() -> Self {
        Sign { table: None, crew: Crew::Automatic, end: End::Right }
    }
}

/// Why a layout can't be built for a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlace {
    /// The rules offer more bets than a table can have.
    TooManyBets(TooManySlots),
    /// The book doesn't allow a table as long as the one that the template describes.
    TooLong {
        /// Name of the template.
        template: String,
        /// Length of its playing surface, in millimeters.
        surface: i32,
        /// Width of wall and rail at each end, in millimeters.
        rail: i32,
        /// Longest table that the book allows, in inches.
        most: i64,
        /// Sections of the law that say so.
        cites: Cites,
    },
}

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPlace::TooManyBets(error) => error.fmt(f),
            NoPlace::TooLong { template, surface, rail, most, cites } => write!(
                f,
                "{template}: the table is {} mm long ({surface} mm of playing surface, and {rail} mm of wall and rail at each end), but \
                 it may be at most {most} inches ({} mm) long: shorten `surface` [{cites}]",
                outside(*surface, *rail),
                most.saturating_mul(INCH.0) / INCH.1,
            ),
        }
    }
}

impl std::error::Error for NoPlace {}

/// Millimeters per inch, as a fraction: 127/5.
const INCH: (i64, i64) = (127, 5);

/// Returns the length of a whole table, in millimeters.
fn outside(surface: i32, rail: i32) -> i64 {
    i64::from(surface) + 2 * i64::from(rail)
}

/// Checks that the book allows a table of this length. The books limit the length of the table, not of its felt, so wall and rail count. A
/// template for a narrow window is not a real table and has no length.
fn short_enough(template: &Template, rules: &TableRules) -> Result<(), NoPlace> {
    let topic = match rules.game {
        Game::MiniCraps => "table.length_mini",
        _ => "table.length_craps",
    };
    let Some(fact) = rules.rules.get(topic).filter(|_| !template.narrow) else { return Ok(()) };
    let Answer::Count(most) = fact.is.answer else { return Ok(()) };
    let (surface, rail) = (template.surface.w, template.rail);
    if outside(surface, rail) * INCH.1 <= most.saturating_mul(INCH.0) {
        return Ok(());
    }
    Err(NoPlace::TooLong { template: template.name.clone(), surface, rail, most, cites: fact.cites.clone() })
}

impl Layout {
    /// Builds the layout of a table from the rules that its book and its house make. Bets without an area in the template get a panel of their own.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// use craps_layout::{Layout, Sign, Template};
    /// let layout = Layout::new(&Template::of(&rules)?, book, &rules, &Sign::default())?;
    /// assert!(layout.areas.iter().any(|area| area.codes().any(|code| code == "PL6")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the rules offer more bets than a table can have, or the book doesn't allow a table as long as this one.
    pub fn new(template: &Template, book: &RuleBook, rules: &TableRules, sign: &Sign<'_>) -> Result<Layout, NoPlace> {
        short_enough(template, rules)?;
        let slots = Board::new(rules).map_err(NoPlace::TooManyBets)?;
        let words = Words { book, rules, slots: &slots, table: sign.table };
        // A table with one end always shows that end.
        let end = template.ends.iter().copied().find(|end| *end == sign.end).unwrap_or(End::Right);
        let shown = if template.narrow { vec![end] } else { template.ends.clone() };
        let layout = Layout::empty(template, shown, &words);
        let mut laying = Laying { template, shelved: HashMap::new(), layout, words };
        laying.shelve();
        laying.around(sign);
        for (at, group) in template.group.iter().enumerate() {
            laying.group(at, group);
        }
        laying.perimeter();
        laying.more();
        let mut layout = laying.layout;
        layout.views = template.view.iter().map(|view| layout.part(view, template.surface.h)).collect();
        Ok(layout)
    }

    fn empty(template: &Template, ends: Vec<End>, words: &Words<'_>) -> Layout {
        Layout {
            template: template.name.clone(),
            name: words::name(words.rules).to_owned(),
            surface: template.surface,
            ends,
            views: Vec::new(),
            stations: Vec::new(),
            crew: Vec::new(),
            pucks: Vec::new(),
            areas: Vec::new(),
            marks: Vec::new(),
            markers: Vec::new(),
            prices: crate::price::plain(words),
        }
    }

    /// Returns a part of the layout, no higher than its contents.
    fn part(&self, view: &template::View, ends: i32) -> View {
        let [x, y, w, h] = view.rect;
        // If the surface has grown, the last part shows the added space.
        let h = if y + h >= ends { self.surface.h - y } else { h };
        let areas = self.areas.iter().map(|area| {
            let (_, top, _, h) = area.shape.bounds();
            (top, top + h)
        });
        let marks = self.marks.iter().filter_map(|mark| match mark {
            Mark::Frame { y, h, .. } => Some((*y, y + h)),
            Mark::Text(text) => Some((text.y - text.size, text.y)),
            Mark::Rule { .. } | Mark::Dice(_) => None,
        });
        let inside = areas.chain(marks).filter(|(top, bottom)| *top >= y && *bottom <= y + h);
        let lowest = inside.map(|(_, bottom)| bottom - y + MARGIN).max().unwrap_or(0);
        View { band: view.band, x, y, w, h: lowest.min(h) }
    }
}

/// Space below the lowest item of a part.
const MARGIN: i32 = 12;

impl Area {
    /// Returns the codes of all bets whose chips can be here.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_layout::{Layout, Sign, Template};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// # let layout = Layout::new(&Template::of(&rules)?, book, &rules, &Sign::default())?;
    /// let field = layout.areas.iter().find(|area| area.bets == ["F"]).unwrap();
    /// assert_eq!(field.codes().collect::<Vec<_>>(), ["F"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.stacks.iter().map(|stack| stack.bet.as_str())
    }
}

pub(crate) struct Laying<'a> {
    pub(crate) template: &'a Template,
    pub(crate) words: Words<'a>,
    /// Position and shelf of each panel, by the index of its group.
    shelved: HashMap<usize, (At, &'a str)>,
    pub(crate) layout: Layout,
}

/// One placement of a group.
struct Place {
    end: End,
    /// The value of `{n}`.
    n: String,
    origin: At,
    /// The length of the surface if the placement is mirrored; None otherwise.
    mirror: Option<i32>,
}

impl Place {
    fn put(&self, [x, y]: At) -> At {
        let (x, y) = (self.origin[0] + x, self.origin[1] + y);
        [self.mirror.map_or(x, |length| length - x), y]
    }

    /// Returns a box at its final position.
    fn put_box(&self, [x, y, w, h]: [i32; 4]) -> [i32; 4] {
        let [from, y] = self.put([x, y]);
        [if self.mirror.is_some() { from - w } else { from }, y, w, h]
    }

    /// Returns the final position of something that may have its own position on the left end, and whether it is mirrored.
    fn put_or(&self, at: At, left: Option<i32>) -> (At, bool) {
        match (self.mirror, left) {
            (Some(_), Some(left)) => ([left, self.origin[1] + at[1]], false),
            (mirror, _) => (self.put(at), mirror.is_some()),
        }
    }

    fn fill(&self, text: &Spanned<String>) -> String {
        text.as_ref().replace("{n}", &self.n)
    }
}

impl<'a> Laying<'a> {
    fn holds(&self, condition: &Spanned<String>, n: &str) -> bool {
        match condition.as_ref().split_once(':') {
            Some(("shelf", shelf)) => self.shelved.values().any(|(_, name)| *name == shelf),
            Some(("wall", code)) => self.words.on_wall(&code.replace("{n}", n)),
            Some((_, panel)) => self.shelved.keys().any(|at| self.template.group[*at].name == panel),
            None => self.words.holds(&condition.as_ref().replace("{n}", n)),
        }
    }

    fn is_there(&self, when: &[Spanned<String>], unless: &[Spanned<String>], n: &str) -> bool {
        (when.is_empty() || when.iter().any(|one| self.holds(one, n))) && !unless.iter().any(|one| self.holds(one, n))
    }

    /// Puts every panel that is drawn on the first shelf with room for it.
    fn shelve(&mut self) {
        let mut taken: Vec<i32> = vec![0; self.template.shelf.len()];
        for (at, group) in self.template.group.iter().enumerate() {
            let Some(height) = group.panel else { continue };
            if !self.is_there(&group.when, &group.unless, "") {
                continue;
            }
            let mut shelves = self.template.shelf.iter().zip(&mut taken);
            let Some((shelf, taken)) = shelves.find(|(shelf, taken)| **taken + height <= shelf.h) else {
                continue;
            };
            self.shelved.insert(at, ([shelf.at[0], shelf.at[1] + *taken], &shelf.name));
            *taken += height + shelf.gap;
        }
    }

    /// Returns the seat number at an end. The file numbers the seats of the right end; the left end mirrors them.
    fn seat(&self, seat: u8, end: End) -> u8 {
        let all = self.template.station.len() * self.template.ends.len();
        match end {
            End::Left => u8::try_from(all + 1).unwrap_or(u8::MAX).saturating_sub(seat),
            End::Right | End::Centre => seat,
        }
    }

    /// Returns the ends where something is drawn, each with the surface length if it is mirrored there.
    fn ends(&self, end: End) -> Vec<(End, Option<i32>)> {
        match end {
            End::Centre => vec![(End::Centre, None)],
            End::Left | End::Right => {
                let mirror = |end: End| (end == End::Left && !self.template.narrow).then_some(self.template.surface.w);
                self.layout.ends.iter().map(|end| (*end, mirror(*end))).collect()
            }
        }
    }

    /// Places the stations and the crew.
    fn around(&mut self, sign: &Sign<'_>) {
        for (end, mirror) in self.ends(End::Right) {
            let place = Place { end, n: String::new(), origin: [0, 0], mirror };
            for station in &self.template.station {
                let [x, y] = place.put(station.at);
                let side = match (station.side, end) {
                    (Side::Right, End::Left) => Side::Left,
                    (Side::Left, End::Left) => Side::Right,
                    (side, _) => side,
                };
                self.layout.stations.push(Station { seat: self.seat(station.seat, end), x, y, end, side });
            }
        }
        self.layout.stations.sort_by_key(|station| station.seat);
        let automatic = if sign.crew == Crew::Automatic { " · AUTOMATIC" } else { "" };
        for crew in &self.template.crew {
            if !self.is_there(&crew.when, &[], "") {
                continue;
            }
            let [x, y] = crew.at;
            let text = crew.text.replace("{automatic}", automatic);
            self.layout.crew.push(CrewPlace { who: crew.who, x, y, text });
        }
    }

    fn group(&mut self, at: usize, group: &Group) {
        let shelf = match (group.panel, self.shelved.get(&at)) {
            (Some(_), None) => return,
            (_, shelf) => shelf.map_or([0, 0], |(place, _)| *place),
        };
        for (end, mirror) in self.ends(group.end) {
            let moved = group.left.filter(|_| mirror.is_some());
            for (step, n) in (0..).zip(self.template.each(group)) {
                if !self.is_there(&group.when, &group.unless, &n) {
                    continue;
                }
                let x = moved.unwrap_or(group.at[0]) + shelf[0] + step * group.step[0];
                let y = group.at[1] + shelf[1] + step * group.step[1];
                let n = match n.parse() {
                    Ok(seat) if group.stations => self.seat(seat, end).to_string(),
                    _ => n,
                };
                let mirror = if moved.is_some() { None } else { mirror };
                self.items(group, &Place { end, n, origin: [x, y], mirror });
            }
        }
    }

    fn items(&mut self, group: &Group, place: &Place) {
        match &group.share {
            Some(share) => self.share(group, share, place),
            None => {
                for area in &group.area {
                    let own = group.stations.then(|| place.n.parse().ok()).flatten();
                    let Some(shape) = shape(area, place) else { continue };
                    self.area(area, shape, own, place, None);
                }
            }
        }
        for frame in &group.frame {
            let [x, y, w, h] = place.put_box(frame.rect);
            self.layout.marks.push(Mark::Frame { x, y, w, h, r: frame.r, fill: frame.fill, edge: frame.edge });
        }
        for rule in &group.rule {
            let ([x1, y1], [x2, y2]) = (place.put(rule.from), place.put(rule.to));
            self.layout.marks.push(Mark::Rule { x1, y1, x2, y2, ink: rule.ink });
        }
        let texts: Vec<Text> = group.text.iter().flat_map(|text| self.text(text, place)).collect();
        self.layout.marks.extend(texts.into_iter().map(Mark::Text));
        let dice: Vec<Dice> = group.dice.iter().filter_map(|dice| self.dice(dice, place)).collect();
        self.layout.marks.extend(dice.into_iter().map(Mark::Dice));
        for marker in &group.marker {
            self.markers(marker, place);
        }
        let puck = |number: u8, at: At| {
            let [x, y] = place.put(at);
            PuckPlace { number, end: place.end, x, y }
        };
        self.layout.pucks.extend(group.puck.and_then(|at| Some(puck(place.n.parse().ok()?, at))));
        self.layout.pucks.extend(group.off.map(|at| puck(0, at)));
    }

    /// Places cells side by side. Only cells with bets are drawn, and they fill the space.
    fn share(&mut self, group: &Group, share: &template::Share, place: &Place) {
        let there: Vec<&template::Area> = group.area.iter().filter(|area| !self.laid(area, place).is_empty()).collect();
        let whole: i32 = there.iter().map(|area| i32::from(area.wide)).sum();
        let mut before = 0;
        for area in there {
            let after = before + i32::from(area.wide);
            let (from, to) = (share.w * before / whole, share.w * after / whole);
            let [x, y, w, h] = place.put_box([from, 0, to - from, share.h]);
            let shape = Shape::Rect { x, y, w, h, r: area.r };
            let cell = Place { origin: [x + w / 2, y], mirror: None, n: place.n.clone(), end: place.end };
            self.area(area, shape, None, &cell, Some(w));
            before = after;
        }
    }

    /// Returns the bets that are made in an area: its own bets, and bets that the house breaks down to it.
    fn laid(&self, area: &template::Area, place: &Place) -> Vec<&'a str> {
        let of = |all: &[Spanned<String>], broken: bool| {
            let codes = all.iter().flat_map(|code| self.words.codes(&place.fill(code))).collect::<Vec<_>>();
            let fits = |code: &&str| self.words.bet(code).is_some_and(|(_, rules)| rules.broken_down == broken);
            codes.into_iter().filter(fits).collect::<Vec<_>>()
        };
        [of(&area.bets, false), of(&area.broken, true)].concat()
    }

    fn area(&mut self, area: &template::Area, shape: Shape, seat: Option<u8>, place: &Place, cell: Option<i32>) {
        let bets = self.laid(area, place);
        let comes = area.comes.iter().flat_map(|code| self.words.codes(&place.fill(code)));
        let codes: Vec<&str> = bets.iter().copied().chain(comes).collect();
        let Some((_, rules)) = codes.first().and_then(|code| self.words.bet(code)) else { return };
        let shift = |code: &str| {
            let found = area.shift.iter().find(|(key, _)| key.replace("{n}", &place.n) == code);
            let [dx, dy] = found.map_or([0, 0], |(_, shift)| *shift);
            // A stack nearer to the player stays nearer on the other end.
            let dx = if place.end == End::Left { -dx } else { dx };
            Stack { bet: code.to_owned(), dx, dy }
        };
        let narrow = |text: &template::Text| {
            let fit = cell.map(|width| width - 12);
            template::Text { fit: [text.fit, fit].into_iter().flatten().min(), ..text.clone() }
        };
        let texts: Vec<Text> = area.text.iter().flat_map(|text| self.text(&narrow(text), place)).collect();
        let dice = area.dice.iter().filter_map(|dice| self.dice(dice, place)).collect();
        let spots = self.spots(area, &shape, seat, place);
        if let Some(drawn) = area.ring.as_ref().and_then(|ring| ring.drawn.as_ref()) {
            let numbered: Vec<Mark> = spots.iter().flat_map(|spot| numbered(spot, drawn)).collect();
            self.layout.marks.extend(numbered);
        }
        let id = area.id.replace("{n}", &place.n);
        self.layout.areas.push(Area {
            id: format!("{}/{id}", place.end.name()),
            end: place.end,
            band: area.band,
            seat,
            bets: bets.into_iter().map(str::to_owned).collect(),
            name: rules.name.clone(),
            cite: rules.offer.cites.to_string(),
            shape,
            fill: area.fill,
            edge: area.edge,
            texts,
            dice,
            spots,
            stacks: codes.into_iter().map(shift).collect(),
        });
    }

    /// Returns the spots for the chips of the stations in an area.
    fn spots(&self, area: &template::Area, shape: &Shape, seat: Option<u8>, place: &Place) -> Vec<Spot> {
        let (left, top, w, h) = shape.bounds();
        if let Some(seat) = seat {
            return vec![Spot { seat, x: left + w / 2, y: top + h / 2 }];
        }
        let mut spots = Vec::new();
        for (station, at) in self.template.station.iter().zip(&area.spots) {
            let seat = self.seat(station.seat, place.end);
            let [x, y] = place.put(*at);
            // An area that is moved and not mirrored still has its spots mirrored, because they follow the stations.
            let moved = place.end == End::Left && place.mirror.is_none();
            spots.push(Spot { seat, x: if moved { 2 * left + w - x } else { x }, y });
        }
        if let Some(ring) = &area.ring {
            let rows = self.template.ring.of(ring, place.end);
            let between = |from: i32, to: i32, at: usize, of: usize| {
                let (at, of) = (i32::try_from(at).unwrap_or(0), i32::try_from(of).unwrap_or(1));
                if of > 1 { from + (to - from) * at / (of - 1) } else { (from + to) / 2 }
            };
            for (row, seats) in rows.iter().enumerate() {
                let y = between(top + ring.top, top + h - ring.bottom, row, rows.len());
                for (column, seat) in seats.iter().enumerate() {
                    let x = between(left + ring.side, left + w - ring.side, column, seats.len());
                    let x = if place.end == End::Left { 2 * left + w - x } else { x };
                    spots.push(Spot { seat: self.seat(*seat, place.end), x, y });
                }
            }
        }
        spots.sort_by_key(|spot| spot.seat);
        spots
    }

    /// Returns the lines of a text, sized to fit. A text may be broken into several lines.
    fn text(&self, text: &template::Text, place: &Place) -> Vec<Text> {
        if !self.is_there(&text.when, &text.unless, &place.n) {
            return Vec::new();
        }
        let label = self.template.words.get(&place.n).unwrap_or(&place.n);
        let Some(words) = self.words.fill(&place.fill(&text.text), label).filter(|words| !words.is_empty()) else {
            return Vec::new();
        };
        let ([x, y], mirrored) = place.put_or(text.at, text.left);
        let turn = if mirrored { -text.turn } else { text.turn };
        let anchor = match (text.anchor, mirrored && turn == 0) {
            (Anchor::Start, true) => Anchor::End,
            (Anchor::End, true) => Anchor::Start,
            (anchor, _) => anchor,
        };
        let face = text.face;
        // A slightly smaller text is better than a broken one.
        let small = face.fitted(&words, text.size, text.spread, text.fit) * 4 < text.size * 3;
        let lines = if small && text.lines > 1 { broken(&words) } else { vec![words] };
        let sizes = lines.iter().map(|line| face.fitted(line, text.size, text.spread, text.fit));
        let size = sizes.min().unwrap_or(text.size);
        let ink = if text.gold.contains(&place.n) { Ink::Gold } else { text.ink };
        let half = face.capitals(size) / 2;
        let pitch = size * 9 / 8;
        let above = pitch * (i32::try_from(lines.len()).unwrap_or(1) - 1) / 2;
        let line = |(at, text_of): (i32, String)| {
            let down = half - above + at * pitch;
            let (x, y) = match turn {
                90 => (x - down, y),
                -90 => (x + down, y),
                _ => (x, y + down),
            };
            Text { x, y, text: text_of, size, face, ink, anchor, turn, fit: text.fit, spread: text.spread }
        };
        (0..).zip(lines).map(line).collect()
    }

    fn dice(&self, dice: &template::Dice, place: &Place) -> Option<Dice> {
        let faces = match (&dice.bar, dice.faces) {
            (Some(bet), _) => {
                let (_, rules) = self.words.bet(&place.fill(bet))?;
                barred(rules.machine.dials.bar).filter(|_| matches!(rules.machine.mechanic, Mechanic::Line { .. }))?
            }
            (None, faces) => faces?,
        };
        let ([x, y], mirrored) = place.put_or(dice.at, dice.left);
        Some(Dice { x, y, size: dice.size, faces, turn: if mirrored { -dice.turn } else { dice.turn } })
    }

    fn markers(&mut self, marker: &template::Marker, place: &Place) {
        let code = place.fill(&marker.code);
        let (Some(tracker), Some((_, rules))) = (self.words.tracker(&code), self.words.bet(&code)) else { return };
        let blank = |at: At| {
            let [x, y] = place.put(at);
            Marker {
                wager: tracker.wager.to_string(),
                key: String::new(),
                x,
                y,
                r: marker.r,
                form: marker.form,
                label: String::new(),
                faces: None,
                end: place.end,
            }
        };
        let goal = tracker.machine.goal();
        let total = |number: &str| number.replace("{n}", &place.n).parse::<Total>().ok();
        let [x, y] = marker.at;
        let mut markers = Vec::new();
        for (at, number) in (0..).zip(&marker.numbers) {
            let Some(key) = total(number).map(|total| total.to_string()) else { continue };
            if goal.has_mark(&key) {
                let put = blank([x + at * marker.step[0], y + at * marker.step[1]]);
                markers.push(Marker { label: key.clone(), key, ..put });
            }
        }
        if let Some(total) = marker.pairs.as_deref().and_then(total) {
            let pairs: Vec<Throw> = Throw::ALL.into_iter().filter(|throw| throw.total() == total).collect();
            let last = i32::try_from(pairs.len()).unwrap_or(1) - 1;
            for (at, throw) in (0..).zip(pairs) {
                let put = blank([x + (2 * at - last) * marker.step[0] / 2, y]);
                let faces = Some([throw.low().pips(), throw.high().pips()]);
                let key = throw.to_string();
                if goal.has_mark(&key) {
                    markers.push(Marker { label: key.clone(), key, faces, ..put });
                }
            }
        }
        let mut prices = Vec::new();
        for (at, count) in (0..).zip(&marker.counts) {
            let middle = [x + at * marker.step[0], y + at * marker.step[1]];
            markers.push(Marker { key: count.to_string(), label: count.to_string(), ..blank(middle) });
            if let (Some(pays), Some(price)) = (&marker.pays, words::level(&rules.prizes.is, *count)) {
                let [x, y] = place.put([middle[0] + pays.at[0], middle[1] + pays.at[1]]);
                prices.push(Mark::Text(written((x, y), price, Face::Tight, pays.size, Some(pays.fit), Ink::Gold)));
            }
        }
        self.layout.markers.extend(markers);
        self.layout.marks.extend(prices);
    }

    /// Places the side bet spots in front of each station. The bets on offer fill the places in order.
    fn perimeter(&mut self) {
        let Some(all) = &self.template.perimeter else { return };
        let offered: Vec<&template::PerimeterBet> =
            all.bet.iter().filter(|bet| self.words.bet(bet.code.as_ref()).is_some()).collect();
        for (end, mirror) in self.ends(End::Right) {
            let place = Place { end, n: String::new(), origin: [0, 0], mirror };
            for station in &all.place {
                let seat = self.seat(station.seat, end);
                for (bet, at) in offered.iter().zip(&station.at) {
                    let Some((slot, rules)) = self.words.bet(bet.code.as_ref()) else { continue };
                    let [x, y] = place.put(*at);
                    let r = all.r;
                    let shape = match bet.form {
                        Form::Circle => Shape::Circle { cx: x, cy: y, r },
                        Form::Square => Shape::Rect { x: x - r, y: y - r, w: 2 * r, h: 2 * r, r: [r / 4; 4] },
                    };
                    self.layout.areas.push(Area {
                        id: format!("{}/{}.{seat}", end.name(), slot.code),
                        end,
                        band: Band::Side,
                        seat: Some(seat),
                        bets: vec![slot.code.clone()],
                        name: rules.name.clone(),
                        cite: rules.offer.cites.to_string(),
                        shape,
                        fill: Fill::Deep,
                        edge: bet.edge,
                        texts: vec![written((x, y), seat.to_string(), Face::Tight, all.size, None, bet.ink)],
                        dice: Vec::new(),
                        spots: vec![Spot { seat, x, y }],
                        stacks: vec![Stack { bet: slot.code.clone(), dx: 0, dy: 0 }],
                    });
                }
            }
        }
    }
}

/// Returns a text centered at a point.
pub(crate) fn written((x, y): (i32, i32), text: String, face: Face, size: i32, fit: Option<i32>, ink: Ink) -> Text {
    let size = face.fitted(&text, size, 0, fit);
    let y = y + face.capitals(size) / 2;
    Text { x, y, text, size, face, ink, anchor: Anchor::Middle, turn: 0, fit, spread: 0 }
}

/// Returns the marks of a spot that is drawn with the number of its station.
fn numbered(spot: &Spot, drawn: &template::Drawn) -> [Mark; 2] {
    let r = drawn.r;
    let corner = match drawn.form {
        Form::Circle => r,
        Form::Square => r / 4,
    };
    let (x, y) = (spot.x - r, spot.y - r);
    [
        Mark::Frame { x, y, w: 2 * r, h: 2 * r, r: corner, fill: Fill::None, edge: drawn.edge },
        Mark::Text(written((spot.x, spot.y), spot.seat.to_string(), Face::Tight, drawn.size, None, drawn.ink)),
    ]
}

fn shape(area: &template::Area, place: &Place) -> Option<Shape> {
    let mirrored = place.mirror.is_some();
    if let Some(rect) = area.rect {
        let [x, y, w, h] = place.put_box(rect);
        let [upper_left, upper_right, lower_right, lower_left] = area.r;
        let r = if mirrored { [upper_right, upper_left, lower_left, lower_right] } else { area.r };
        return Some(Shape::Rect { x, y, w, h, r });
    }
    if let Some([cx, cy, r]) = area.circle {
        let [cx, cy] = place.put([cx, cy]);
        return Some(Shape::Circle { cx, cy, r });
    }
    let path = Path::read(area.path.as_ref()?.as_ref()).ok()?;
    let put = |x: i32, y: i32| {
        let [x, y] = place.put([x, y]);
        (x, y)
    };
    let path = path.put(put, mirrored);
    let (x, y, w, h) = path.bounds();
    Some(Shape::Path { d: path.to_string(), x, y, w, h })
}

/// Breaks a text into two lines of about the same length: at a ` · ` if there is one, otherwise at a space.
fn broken(text: &str) -> Vec<String> {
    let middle = text.len() / 2;
    let nearest = |gap: &str| {
        let at = text.match_indices(gap).map(|(at, _)| at).min_by_key(|at| (at + gap.len() / 2).abs_diff(middle))?;
        Some(vec![text[..at].to_owned(), text[at + gap.len()..].to_owned()])
    };
    nearest(" · ").or_else(|| nearest(" ")).unwrap_or_else(|| vec![text.to_owned()])
}

/// Returns dice that show the barred total; the highest if there are several.
fn barred(bar: Bar) -> Option<[u8; 2]> {
    bar.totals().iter().last().and_then(words::made).map(|throw| [throw.low().pips(), throw.high().pips()])
}
