//! The panel for bets without an area in the template: wagers added by other rulebooks, and panels without room on a shelf. It is along the
//! stick's side, below everything else, and the surface grows to make room for it.

use crate::lay::{Laying, written};
use crate::view::{Area, Band, Edge, End, Face, Fill, Ink, Marker, MarkerForm, Shape, Spot, Stack};
use craps_table::SlotId;
use craps_wagers::{Goal, WagerId};

/// Size of a cell.
const CELL: (i32, i32) = (176, 112);
const GAP: i32 = 8;
/// Maximum number of markers in a cell.
const MOST_MARKS: usize = 14;

/// A wager without an area. All its bets are in one cell, together with their odds.
struct Homeless {
    wager: WagerId,
    slots: Vec<SlotId>,
}

impl Laying<'_> {
    /// Gives a cell to every bet without an area. Does nothing if every bet has one.
    pub(crate) fn more(&mut self) {
        let homeless = self.homeless();
        if homeless.is_empty() {
            return;
        }
        let side = self.template.view.last().map(|view| view.rect);
        let (left, width) = side.map_or((0, self.layout.surface.w), |[x, _, w, _]| (x, w));
        // Keep out of the round corners of the table.
        let inset = self.layout.surface.r.max(2 * GAP);
        let columns = ((width - 2 * inset + GAP) / (CELL.0 + GAP)).max(1);
        let top = self.lowest(side).unwrap_or(self.layout.surface.h) + GAP;
        let cell_width = (width - 2 * inset - (columns - 1) * GAP) / columns;
        let mut bottom = top;
        for (at, one) in (0..).zip(&homeless) {
            let x = left + inset + at % columns * (cell_width + GAP);
            let y = top + at / columns * (CELL.1 + GAP);
            bottom = y + CELL.1 + GAP;
            self.cell(one, [x, y, cell_width, CELL.1]);
        }
        self.grow(bottom);
    }

    fn homeless(&self) -> Vec<Homeless> {
        let placed = |code: &str| self.layout.areas.iter().any(|area| area.codes().any(|known| known == code));
        let mut all: Vec<Homeless> = Vec::new();
        for (id, slot) in self.words.slots.slots().filter(|(_, slot)| !placed(&slot.code)) {
            // Odds are in the cell of their bet.
            let wager = slot.front.map_or(slot.wager, |front| self.words.slots.slot(front).wager);
            match all.iter_mut().find(|known| known.wager == wager) {
                Some(known) => known.slots.push(id),
                None => all.push(Homeless { wager, slots: vec![id] }),
            }
        }
        all
    }

    /// Returns the bottom of the lowest area in a part that is shown by itself.
    fn lowest(&self, part: Option<[i32; 4]>) -> Option<i32> {
        let [_, top, _, height] = part?;
        let bottoms = self.layout.areas.iter().map(|area| {
            let (_, y, _, h) = area.shape.bounds();
            y + h
        });
        Some(bottoms.filter(|bottom| (top..=top + height).contains(bottom)).max().unwrap_or(top))
    }

    fn cell(&mut self, one: &Homeless, [x, y, w, h]: [i32; 4]) {
        let Some(first) = one.slots.first() else { return };
        let (code, rules) = {
            let slots = self.words.slots;
            (slots.slot(*first).code.clone(), slots.rules(self.words.rules, *first))
        };
        let (name, cite, goal) = (rules.name.clone(), rules.offer.cites.to_string(), rules.machine.goal());
        let (middle, fit) = (x + w / 2, Some(w - 12));
        let pays = self.words.fill(&format!("{{pays:{code}}}"), "").unwrap_or_default();
        // The words that the book wants here, else the book's own name, if the book tells its wagers apart by their names.
        let rules = self.words.rules.wager(one.wager);
        let own = || rules.and_then(|rules| self.words.rules.own_name(rules));
        let name_of = || own().unwrap_or_else(|| one.wager.wager().name.to_owned()).to_uppercase();
        let label = rules.and_then(|rules| self.words.felt(rules)).unwrap_or_else(name_of);
        let texts = vec![
            written((middle, y + 20), label, Face::default(), 24, fit, Ink::default()),
            written((middle, y + 46), pays, Face::Tight, 20, fit, Ink::Gold),
        ];
        let codes = one.slots.iter().map(|slot| self.words.slots.slot(*slot).code.clone());
        let stacks = (0..).zip(codes).map(|(at, bet)| Stack { bet, dx: 0, dy: -6 * at }).collect();
        self.layout.areas.push(Area {
            id: format!("{}/{code}", End::Centre.name()),
            end: End::Centre,
            band: Band::Side,
            seat: None,
            bets: vec![code],
            name,
            cite,
            shape: Shape::Rect { x, y, w, h, r: [6; 4] },
            fill: Fill::Deep,
            edge: Edge::default(),
            texts,
            dice: Vec::new(),
            spots: self.in_rows([x, y, w, h]),
            stacks,
        });
        self.marks(one.wager, &goal, [x, y, w, h]);
    }

    /// Returns the spots for the chips of the stations in a cell, in the rows of the center.
    fn in_rows(&self, [x, y, w, h]: [i32; 4]) -> Vec<Spot> {
        let rows = &self.template.ring.centre;
        let share = |from: i32, length: i32, at: usize, of: usize| {
            let (at, of) = (i32::try_from(at).unwrap_or(0), i32::try_from(of).unwrap_or(1).max(1));
            from + length * (2 * at + 1) / (2 * of)
        };
        let mut spots = Vec::new();
        for (row, seats) in rows.iter().enumerate() {
            for (column, seat) in seats.iter().enumerate() {
                let at = (share(x, w, column, seats.len()), share(y + h / 4, h / 2, row, rows.len()));
                spots.push(Spot { seat: *seat, x: at.0, y: at.1 });
            }
        }
        spots.sort_by_key(|spot| spot.seat);
        spots
    }

    /// Adds small markers for what the bet collects along the bottom of its cell.
    fn marks(&mut self, wager: WagerId, goal: &Goal, [x, y, w, h]: [i32; 4]) {
        let keys: Vec<String> = match goal {
            Goal::Nothing => Vec::new(),
            Goal::Totals(totals) | Goal::Run(totals) => totals.iter().map(|total| total.to_string()).collect(),
            Goal::Rolls(rolls) => rolls.iter().map(|roll| roll.to_string()).collect(),
            Goal::Count(most) => (1..=*most).map(|count| count.to_string()).collect(),
        };
        if keys.len() > MOST_MARKS {
            return;
        }
        let count = i32::try_from(keys.len()).unwrap_or(1).max(1);
        let r = (w / (2 * count + 2)).min(11);
        for (at, key) in (0..).zip(keys) {
            self.layout.markers.push(Marker {
                wager: wager.to_string(),
                label: key.clone(),
                key,
                x: x + w * (2 * at + 1) / (2 * count),
                y: y + h - r - 5,
                r,
                form: MarkerForm::Lammer,
                faces: None,
                end: End::Centre,
            });
        }
    }

    /// Extends the surface down to `bottom`, and moves the people below it down as well.
    fn grow(&mut self, bottom: i32) {
        let (before, after) = (self.layout.surface.h, self.layout.surface.h.max(bottom + GAP));
        let beyond = |y: &mut i32| {
            if *y > before {
                *y += after - before;
            }
        };
        self.layout.stations.iter_mut().for_each(|station| beyond(&mut station.y));
        self.layout.crew.iter_mut().for_each(|crew| beyond(&mut crew.y));
        self.layout.surface.h = after;
    }
}
