//! The rules of one table, as the engine needs them.

use crate::dice::WAYS;
use craps_dice::{Point, Throw, Total};
use craps_law::{TableRules, Window};
use craps_money::Money;
use craps_table::{Event, Layout, Slot, SlotId, Slots, Table, TooManySlots};
use craps_wagers::{Family, Phase, Points, WagerId};
use std::sync::Arc;

/// Phases as rows.
pub(super) const ROWS: usize = 12;

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
    /// Is the shaker given up after any seven?
    pub(super) any_seven: bool,
    pub(super) trackers: Vec<WagerId>,
    pub(super) briefs: Vec<Brief>,
    pub(super) turns: [[Turn; 36]; ROWS],
}

/// What a throw does to the moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) next: Phase,
    pub(super) total: Total,
    /// A point is set by it, made by it, lost by it.
    pub(super) sets: bool,
    pub(super) made: bool,
    pub(super) out: bool,
}

impl Turn {
    fn new(phase: Phase, throw: Throw, points: Points) -> Turn {
        let next = phase.after(throw, points);
        Turn {
            next,
            total: throw.total(),
            sets: matches!((phase, next), (Phase::ComeOut, Phase::Point(_))),
            made: phase.is_made_by(throw),
            out: phase.is_lost_by(throw),
        }
    }

    fn all(points: Points) -> [[Turn; 36]; ROWS] {
        let rows = [Phase::ComeOut, Phase::ComeDecisionOnly];
        let mut rows = rows.into_iter().chain(Point::ALL.map(Phase::Point));
        std::array::from_fn(|_| {
            let phase = rows.next().unwrap_or(Phase::ComeOut);
            WAYS.map(|throw| Turn::new(phase, throw, points))
        })
    }
}

/// The seat of the player at the table that is asked.
pub(super) const SEAT: u8 = 1;
/// More than any bet: whether the rail covers a bet is the engine's to say.
const RICH: i64 = 100_000_000_000_000;

impl Rules {
    /// Takes up the rules of a table.
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
        let any_seven = table.is_given_up_on_any_seven();
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
        let brief = |slot: &Slot| Brief {
            front: slot.front,
            tracker: slot.tracker.and_then(|wager| trackers.iter().position(|known| *known == wager)),
            particular: is_particular(slot),
        };
        let briefs = layout.slots().map(|(_, slot)| brief(slot)).collect();
        let turns = Turn::all(table.rules().points);
        Ok(Rules { table, layout, line, shoots, come, dont_come, any_seven, trackers, briefs, turns })
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
#[inline]
pub(super) fn row(phase: Phase) -> usize {
    match phase {
        Phase::ComeOut => 0,
        Phase::ComeDecisionOnly => 1,
        Phase::Point(point) => 2 + point.index(),
    }
}

/// What the engine needs of a slot at hand: the bet that odds stand behind, and the tracker its window reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brief {
    pub(super) front: Option<SlotId>,
    pub(super) tracker: Option<usize>,
    /// Does its window read more than the phase, or does it need a line bet?
    pub(super) particular: bool,
}
