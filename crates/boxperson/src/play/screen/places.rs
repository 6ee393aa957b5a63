//! The betting areas of a felt, taken from the table's rules: which areas there are, their labels, and which is next to which.
//!
//! The order from top to bottom is: number boxes, come and field, the line, then the center bets. It is the same at every screen size, so
//! the arrow keys always move the same way.

use craps_dice::Point;
use craps_table::{SeatId, Slot, SlotId, Table};
use craps_wagers::{Family, Front, Lies, Mechanic, Side};

/// One betting area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Bet that this area is for.
    pub(crate) slot: SlotId,
    /// Text on the felt, such as "PASS LINE".
    pub(crate) label: String,
}

/// Areas that are drawn together under one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// Label of the group, such as "HOP". Can be empty.
    pub(crate) label: String,
    /// Areas from left to right.
    pub(crate) spots: Vec<Spot>,
}

/// One kind of bet on the box numbers, such as all place bets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Strip {
    /// Name of the kind, in lower case.
    pub(crate) label: String,
    /// Bet on each box number. None if it has no area now, such as a come bet that hasn't moved there.
    pub(crate) cells: Vec<Option<SlotId>>,
    key: Kind,
}

/// All betting areas of a felt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// Numbers with a box.
    pub(crate) points: Vec<Point>,
    /// Kinds of bets on the boxes, from top to bottom.
    pub(crate) strips: Vec<Strip>,
    /// Number of strips if all kinds of bets have an area, including come bets on numbers.
    pub(crate) most_strips: usize,
    /// Come, don't come, field and the big numbers.
    pub(crate) come: Vec<Group>,
    /// Line bets with their odds.
    pub(crate) line: Vec<Group>,
    /// Hardways, one-roll bets, hops and side bets.
    pub(crate) center: Vec<Group>,
}

/// Direction of an arrow key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Toward the boxes.
    Up,
    /// Toward the center bets.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Returns the text on an area.
fn label(slot: &Slot) -> String {
    match slot.wager.wager().family {
        Family::Odds => "odds".to_owned(),
        _ => slot.wager.wager().label.to_owned(),
    }
}

fn lies(slot: &Slot) -> Lies {
    slot.wager.wager().lies
}

/// Returns the number that a bet is on.
pub(crate) fn number(slot: &Slot) -> Option<Point> {
    slot.number.or(slot.wager.wager().number)
}

/// Kind of bet on the box numbers, in the order of a felt from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    DontCome,
    DontComeOdds,
    Lay,
    PlaceLose,
    Come,
    ComeOdds,
    Put,
    PutOdds,
    Buy,
    PlaceWin,
}

/// Strips to show first if not all of them fit.
const FIRST: [Kind; 6] = [Kind::PlaceWin, Kind::Come, Kind::Buy, Kind::Lay, Kind::Put, Kind::PlaceLose];

fn strip_of(slot: &Slot) -> Option<Kind> {
    let wager = slot.wager.wager();
    match (wager.family, wager.side(), wager.mechanic) {
        (Family::PlaceWin, ..) => Some(Kind::PlaceWin),
        (Family::PlaceLose, ..) => Some(Kind::PlaceLose),
        (Family::Buy, ..) => Some(Kind::Buy),
        (Family::Lay, ..) => Some(Kind::Lay),
        (Family::Put, ..) => Some(Kind::Put),
        _ if slot.number.is_none() => None,
        (Family::Line, Some(Side::Right), _) => Some(Kind::Come),
        (Family::Line, Some(Side::Wrong), _) => Some(Kind::DontCome),
        (Family::Odds, _, Mechanic::Behind(_, Front::Number(_))) => Some(Kind::PutOdds),
        (Family::Odds, Some(Side::Right), _) => Some(Kind::ComeOdds),
        (Family::Odds, Some(Side::Wrong), _) => Some(Kind::DontComeOdds),
        _ => None,
    }
}

/// Returns true if a bet has an area now. A come bet on a number, and its odds, have one only while they are up or can be made.
fn is_there(table: &Table, seat: SeatId, id: SlotId, slot: &Slot) -> bool {
    if slot.number.is_none() {
        return true;
    }
    table.seats().any(|(_, seat)| seat.bets.get(id).is_some()) || table.terms(seat, id, None).is_ok()
}

impl Places {
    /// Finds all areas of a table for a seat.
    pub(crate) fn of(table: &Table, seat: SeatId) -> Places {
        let layout = table.board();
        let slots: Vec<(SlotId, &Slot)> =
            layout.slots().filter(|(id, slot)| is_there(table, seat, *id, slot)).collect();
        let mut points: Vec<Point> =
            layout.slots().filter(|(_, slot)| strip_of(slot).is_some()).filter_map(|(_, slot)| number(slot)).collect();
        points.sort();
        points.dedup();
        let mut every: Vec<Kind> = layout.slots().filter_map(|(_, slot)| strip_of(slot)).collect();
        every.sort_unstable();
        every.dedup();
        let cell = |key: Kind, point: Point| {
            let mut on = slots.iter().filter(|(_, slot)| strip_of(slot) == Some(key) && number(slot) == Some(point));
            on.next().map(|(id, _)| *id)
        };
        let strip = |key: &Kind| {
            let named = layout.slots().find(|(_, slot)| strip_of(slot) == Some(*key));
            Strip {
                label: named.map(|(_, slot)| slot.wager.wager().label.to_lowercase()).unwrap_or_default(),
                cells: points.iter().map(|point| cell(*key, *point)).collect(),
                key: *key,
            }
        };
        let strips: Vec<Strip> =
            every.iter().map(strip).filter(|strip| strip.cells.iter().any(Option::is_some)).collect();
        let spots = |keep: &dyn Fn(&Slot) -> bool| -> Vec<Spot> {
            let kept = slots.iter().filter(|(_, slot)| keep(slot));
            kept.map(|(id, slot)| Spot { slot: *id, label: label(slot) }).collect()
        };
        let of = |family: Family| {
            spots(&|slot| slot.wager.wager().family == family && (family == Family::Big || lies(slot) == Lies::Center))
        };
        let group = |label: &str, spots: Vec<Spot>| Group { label: label.to_owned(), spots };
        let travels = |slot: &Slot| slot.wager.wager().travels();
        let flat = |slot: &Slot| slot.wager.wager().family == Family::Line && slot.number.is_none();
        let alone = |spot: Spot| Group { label: String::new(), spots: vec![spot] };
        let mut come: Vec<Group> = spots(&|slot| flat(slot) && travels(slot)).into_iter().rev().map(alone).collect();
        let center = |slot: &Slot| slot.wager.wager().family.lies() == Lies::Center;
        come.extend(spots(&|slot| center(slot) && lies(slot) == Lies::End).into_iter().map(alone));
        come.push(group("BIG", of(Family::Big)));
        let line = spots(&|slot| flat(slot) && !travels(slot)).into_iter().map(|spot| {
            let odds = layout.slot(spot.slot).odds.map(|slot| Spot { slot, label: "odds".to_owned() });
            Group { label: String::new(), spots: std::iter::once(spot).chain(odds).collect() }
        });
        // Hardways and one-roll bets share two rows of equal length.
        let mut near: Vec<Spot> = of(Family::Hardway).into_iter().chain(of(Family::OneThrow)).collect();
        let nearest = near.split_off(near.len().div_ceil(2));
        // A strip has one cell per number. A second bet of the same kind on a number goes here.
        let in_strip = |id: &SlotId| strips.iter().any(|strip| strip.cells.contains(&Some(*id)));
        let more = slots.iter().filter(|(id, slot)| strip_of(slot).is_some() && !in_strip(id));
        let more = more.map(|(id, slot)| Spot { slot: *id, label: slot.wager.wager().name.to_owned() }).collect();
        let center = vec![
            group("HARD", near),
            group("", nearest),
            group("HOP", of(Family::Hop)),
            group("SIDE", of(Family::Shooter)),
            group("MORE", more),
        ];
        let some = |groups: Vec<Group>| groups.into_iter().filter(|group| !group.spots.is_empty()).collect();
        let most_strips = every.len();
        Places { points, strips, most_strips, come: some(come), line: some(line.collect()), center: some(center) }
    }

    /// Returns the areas row by row, each with its horizontal position in thousandths of the width.
    fn rows(&self) -> Vec<Vec<(usize, SlotId)>> {
        let across = |at: usize, of: usize| (2 * at + 1) * 500 / of.max(1);
        let strips = self.strips.iter().map(|strip| {
            let cells = strip.cells.iter().enumerate();
            cells.filter_map(|(at, cell)| Some((across(at, self.points.len()), (*cell)?))).collect()
        });
        let spread = |slots: Vec<SlotId>| {
            let of = slots.len();
            slots.into_iter().enumerate().map(|(at, slot)| (across(at, of), slot)).collect()
        };
        let in_row = |groups: &[Group]| groups.iter().flat_map(|group| &group.spots).map(|spot| spot.slot).collect();
        let rows = [in_row(&self.come), in_row(&self.line)].into_iter();
        let center = self.center.iter().map(|group| in_row(std::slice::from_ref(group)));
        strips.chain(rows.chain(center).map(spread)).filter(|row: &Vec<_>| !row.is_empty()).collect()
    }

    /// Returns true if the bet has an area now.
    pub(crate) fn has(&self, slot: SlotId) -> bool {
        self.rows().iter().flatten().any(|(_, known)| *known == slot)
    }

    /// Returns the area that is selected at the start: the pass line.
    pub(crate) fn first(&self) -> Option<SlotId> {
        let line = self.line.first().and_then(|group| group.spots.first()).map(|spot| spot.slot);
        line.or_else(|| self.rows().first().and_then(|row| row.first()).map(|(_, slot)| *slot))
    }

    /// Returns the area next to this one, or this one at the edge. `across` keeps the column while moving up and down.
    pub(crate) fn beside(&self, slot: SlotId, way: Way, across: &mut Option<usize>) -> SlotId {
        let rows = self.rows();
        let found = rows
            .iter()
            .enumerate()
            .find_map(|(row, places)| Some((row, places.iter().position(|(_, known)| *known == slot)?)));
        let Some((row, at)) = found else { return self.first().unwrap_or(slot) };
        let here = rows.get(row).and_then(|places| places.get(at)).map_or(0, |(x, _)| *x);
        let place = |row: usize, at: usize| rows.get(row).and_then(|places| places.get(at)).map(|(_, slot)| *slot);
        let next = match way {
            Way::Left | Way::Right => {
                *across = None;
                let at = if way == Way::Left { at.checked_sub(1) } else { at.checked_add(1) };
                at.and_then(|at| place(row, at))
            }
            Way::Up | Way::Down => {
                let row = if way == Way::Up { row.checked_sub(1) } else { row.checked_add(1) };
                let wanted = *across.get_or_insert(here);
                row.and_then(|row| rows.get(row))
                    .and_then(|places| places.iter().min_by_key(|(x, _)| x.abs_diff(wanted)).map(|(_, slot)| *slot))
            }
        };
        next.unwrap_or(slot)
    }

    /// Finds areas by the letters of a code: the code itself, its beginning, or its letters in order (`p6` for `PL6`).
    pub(crate) fn coded(&self, table: &Table, typed: &str) -> Vec<SlotId> {
        let typed = typed.to_uppercase();
        let code = |slot: &SlotId| table.board().slot(*slot).code.to_uppercase();
        let all: Vec<SlotId> = self.rows().into_iter().flatten().map(|(_, slot)| slot).collect();
        let mut all: Vec<SlotId> = all.into_iter().filter(|slot| within(&typed, &code(slot))).collect();
        all.sort_by_key(|slot| (code(slot) != typed, !code(slot).starts_with(&typed), *slot));
        all
    }

    /// Picks the strips to show if there is room for `room` of them: the selected one, those with chips, then the usual ones.
    pub(crate) fn shown(&self, room: usize, hand: SlotId, has_chips: impl Fn(SlotId) -> bool) -> Vec<&Strip> {
        let rank = |strip: &&Strip| {
            let mut cells = strip.cells.iter().flatten();
            let held = cells.clone().any(|slot| *slot == hand);
            let chips = cells.any(|slot| has_chips(*slot));
            let usual = FIRST.iter().position(|key| *key == strip.key).unwrap_or(FIRST.len());
            (!held, !chips, usual)
        };
        let mut best: Vec<&Strip> = self.strips.iter().collect();
        best.sort_by_key(rank);
        best.truncate(room);
        self.strips.iter().filter(|strip| best.iter().any(|kept| kept.key == strip.key)).collect()
    }
}

/// Returns true if the code contains these letters in this order, beginning with its first letter.
fn within(letters: &str, code: &str) -> bool {
    let mut rest = code.chars();
    code.starts_with(|first| letters.starts_with(first))
        && letters.chars().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::super::tests::rail;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_bet_that_could_ever_be_open_has_its_place_and_the_arrows_reach_it() {
        for house in super::super::tests::houses() {
            let rail = rail(&house, &[]);
            let (table, places) = (rail.table(), Places::of(rail.table(), 1));
            let seen: BTreeSet<SlotId> = places.rows().into_iter().flatten().map(|(_, slot)| slot).collect();
            for (id, slot) in table.board().slots() {
                assert_eq!(seen.contains(&id), slot.number.is_none(), "{house}: {}", slot.name);
            }
            let (mut reached, mut open) = (BTreeSet::new(), vec![places.first().unwrap()]);
            while let Some(slot) = open.pop() {
                if reached.insert(slot) {
                    let ways = [Way::Up, Way::Down, Way::Left, Way::Right];
                    open.extend(ways.map(|way| places.beside(slot, way, &mut None)));
                }
            }
            assert_eq!(reached, seen, "{house}");
        }
    }

    #[test]
    fn codes_are_found_whole_begun_or_by_their_letters() {
        let rail = rail("pa", &[]);
        let places = Places::of(rail.table(), 1);
        let found = |typed: &str| {
            places.coded(rail.table(), typed).first().map(|slot| rail.table().board().slot(*slot).name.clone())
        };
        assert_eq!(found("f").as_deref(), Some("field"));
        assert_eq!(found("p6").as_deref(), Some("place-win-6"));
        assert_eq!(found("h8").as_deref(), Some("hard-8"));
        assert_eq!(found("fi").as_deref(), Some("fire"));
        assert_eq!(found("zz"), None);
    }
}
