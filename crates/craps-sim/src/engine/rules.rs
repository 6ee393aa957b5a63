//! The rules of one table, as the engine needs them.

use crate::dice::WAYS;
use craps_dice::{Point, Throw, Total};
use craps_law::{TableRules, Window};
use craps_money::Money;
use craps_table::{Event, Layout, Slot, SlotId, Slots, Table, TooManySlots};
use craps_wagers::{Family, Phase, WagerId};
use std::sync::Arc;

/// A phase by its number, so that what hangs on it is looked up without being worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Row(u8);

/// How many numbers there are for phases.
pub(super) const ROWS: usize = 16;

/// The phases by their numbers; the last numbers are nobody's.
const PHASES: [Phase; ROWS] = {
    let mut phases = [Phase::ComeDecisionOnly; ROWS];
    phases[0] = Phase::ComeOut;
    let mut at = 0;
    while at < Point::ALL.len() {
        phases[1 + at] = Phase::Point(Point::ALL[at]);
        at += 1;
    }
    phases
};

impl Row {
    pub(super) const COME_OUT: Row = Row(0);

    fn of(phase: Phase) -> Row {
        (0..).map(Row).zip(PHASES).find(|(_, known)| *known == phase).map_or(Row::COME_OUT, |(row, _)| row)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0) % ROWS
    }

    #[inline]
    pub(super) fn phase(self) -> Phase {
        PHASES[self.index()]
    }
}

/// The rules of one table, as the engine needs them.
#[derive(Debug)]
pub struct Rules {
    pub(super) table: Table,
    pub(super) layout: Arc<Layout>,
    /// The line bets, and those with which one may shoot.
    pub(super) line: Slots,
    pub(super) shoots: Slots,
    pub(super) come: Slots,
    pub(super) dont_come: Slots,
    pub(super) trackers: Vec<WagerId>,
    /// Are there bets that gather something from throw to throw?
    pub(super) gathers: bool,
    pub(super) briefs: [Brief; 128],
    /// The bet that odds in a slot stand behind; itself where a bet stands behind nothing: then nothing more is read by reading it.
    pub(super) fronts: [SlotId; 128],
    turns: [[Turn; WAY_ROOM]; ROWS],
}

/// What is true of the hand so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Hand(u8);

impl Hand {
    pub(super) const NEW: Hand = Hand(0);
    /// The shooter has thrown a come-out.
    pub(super) const CAME_OUT: Hand = Hand(1);
    /// A point has been set since somebody last sevened out.
    pub(super) const POINT_SET: Hand = Hand(2);

    #[inline]
    pub(super) fn has(self, mark: Hand) -> bool {
        self.0 & mark.0 != 0
    }

    #[inline]
    pub(super) fn without(self, mark: Hand) -> Hand {
        Hand(self.0 & !mark.0)
    }

    #[inline]
    pub(super) fn after(self, turn: &Turn) -> Hand {
        Hand(self.0 & turn.keeps.0 | turn.marks.0)
    }
}

/// Room for the 36 ways: a power of two, so that every place with so many bits is there.
const WAY_ROOM: usize = 64;

/// What a throw does to the moment, in as few bytes as it takes: all of them are at hand in a processor's nearest cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// The bets it can change, and its place in the layout, which says how.
    pub(super) changes: Slots,
    pub(super) place: u16,
    pub(super) next: Row,
    pub(super) total: Total,
    /// What is true of the hand after it: what stays so, and what becomes so.
    keeps: Hand,
    marks: Hand,
    /// A point is set by it, and there are bets that remember that; a point is set, made, lost by it.
    pub(super) is_minded: bool,
    pub(super) sets: bool,
    pub(super) made: bool,
    pub(super) out: bool,
    /// Are the dice given up after it? With a shaker that may be after any seven.
    pub(super) given_up: bool,
}

impl Turn {
    fn new(table: &Table, phase: Phase, throw: Throw) -> Turn {
        let next = phase.after(throw, table.rules().points);
        let out = phase.is_lost_by(throw);
        let sets = matches!((phase, next), (Phase::ComeOut, Phase::Point(_)));
        let came_out = if phase == Phase::ComeOut { Hand::CAME_OUT } else { Hand::NEW };
        let point_set = if sets { Hand::POINT_SET } else { Hand::NEW };
        Turn {
            changes: table.layout().turn(phase, throw).changes(),
            // Twelve phases of 21 throws.
            place: u16::try_from(craps_table::Turn::place(phase, throw)).unwrap_or_default(),
            next: Row::of(next),
            total: throw.total(),
            keeps: if out { Hand::CAME_OUT } else { Hand(u8::MAX) },
            marks: Hand(came_out.0 | point_set.0),
            is_minded: sets && !table.layout().until_first_point().is_empty(),
            sets,
            made: phase.is_made_by(throw),
            out,
            given_up: out || (table.is_given_up_on_any_seven() && throw.total() == Total::Seven),
        }
    }

    fn all(table: &Table) -> [[Turn; WAY_ROOM]; ROWS] {
        PHASES.map(|phase| std::array::from_fn(|way| Turn::new(table, phase, WAYS[way % WAYS.len()])))
    }
}

/// The seat of the player at the table that is asked.
pub(super) const SEAT: u8 = 1;
/// More than any bet: whether the rail covers a bet is the engine's to say.
const RICH: i64 = 100_000_000_000_000;

impl Rules {
    /// Takes up the rules of a table.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// use craps_sim::Rules;
    /// let library = Library::shipped();
    /// let book = library.named("nj")?;
    /// let rules = Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day))?)?;
    /// assert!(rules.layout().named("pass").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When they make more names for bets than a layout holds.
    pub fn new(rules: TableRules) -> Result<Rules, TooManySlots> {
        let mut table = Table::open(rules)?;
        table.apply(&Event::Joined { seat: SEAT, name: "player".to_owned(), money: Money::from_minor(RICH) });
        let layout = Arc::new(table.layout().clone());
        let of = |keep: &dyn Fn(&Slot) -> bool| -> Slots {
            layout.slots().filter(|(_, slot)| keep(slot)).map(|(id, _)| id).collect()
        };
        let (line, shoots) = (layout.line(), table.shoots_with());
        let named =
            |name: &str| of(&|slot| slot.wager.wager().slug == name && slot.wager.wager().family == Family::Line);
        let mut trackers: Vec<WagerId> = layout.slots().filter_map(|(_, slot)| slot.tracker).collect();
        trackers.dedup();
        let (come, dont_come) = (named("come"), named("dont-come"));
        let is_particular = |slot: &Slot| {
            table.rules().wager(slot.wager).is_none_or(|rules| {
                let make = &rules.make.is;
                let plain = matches!(
                    make.window,
                    Window::AnyTime | Window::BehindPoint | Window::BeforeComeOut | Window::PointOn
                );
                !plain || make.fresh || make.with.is_some()
            })
        };
        let mut fronts = SlotId::ALL;
        let mut briefs = [Brief { tracker: None, particular: false }; 128];
        for (id, slot) in layout.slots() {
            fronts[id.index()] = slot.front.unwrap_or(id);
            briefs[id.index()] = Brief {
                tracker: slot
                    .tracker
                    .and_then(|wager| (0..).zip(&trackers).find(|(_, known)| **known == wager))
                    .map(|(at, _)| at),
                particular: is_particular(slot),
            };
        }
        let turns = Turn::all(&table);
        let gathers = !layout.gathering().is_empty();
        Ok(Rules { table, layout, line, shoots, come, dont_come, trackers, gathers, briefs, fronts, turns })
    }

    /// What one of the 36 ways does to the moment.
    #[inline]
    pub(super) fn turn(&self, row: Row, way: usize) -> &Turn {
        &self.turns[row.index()][way % WAY_ROOM]
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The rules of the table.
    #[must_use]
    pub fn table(&self) -> &TableRules {
        self.table.rules()
    }
}

/// What the engine needs of a slot at hand to know when a bet may be made: the tracker its window reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brief {
    pub(super) tracker: Option<u8>,
    /// Does its window read more than the phase, or does it need a line bet?
    pub(super) particular: bool,
}
