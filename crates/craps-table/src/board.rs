//! The board of a table: one slot for each bet that can be made, with its properties.

use crate::fast::{Effects, Fronts, SeatBets};
use crate::slots::{MOST_SLOTS, NARROW, SlotId, Slots};
use crate::trackers::{gathers, governing_tracker};
use craps_dice::Point;
use craps_law::{Call, Lower, OnOff, TableRules, WagerRules};
use craps_wagers::{Family, Front, Mechanic, Phase, WagerId};
use std::fmt;

/// One bet that can be made at a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The wager of the bet.
    pub wager: WagerId,
    /// The number of a come bet that has moved, or of odds on a number. None for other bets.
    pub number: Option<Point>,
    /// The long name of the bet, such as `place-win-6`.
    pub name: String,
    /// The code of the bet, such as `PL6`.
    pub code: String,
    /// Index of the wager's rules in the rules of the table.
    rules: usize,
    /// The slot of the odds behind the bet.
    pub odds: Option<SlotId>,
    /// For odds: the slot of the bet in front of them.
    pub front: Option<SlotId>,
    /// The wager whose tracker controls the betting window of this bet.
    pub tracker: Option<WagerId>,
}

impl Slot {
    /// Does the bet move to a number, as come and don't come bets do?
    pub(crate) fn travels(&self) -> bool {
        self.wager.wager().travels()
    }
}

/// All slots of a table, and what each roll does to them.
#[derive(Debug, Clone)]
pub struct Board {
    slots: Vec<Slot>,
    /// The pass and don't pass bets.
    line: Slots,
    /// Bets that are off on a come-out roll unless the player turns them on.
    off_on_come_out: Slots,
    /// Bets that the player can turn off on any roll.
    off_any_time: Slots,
    /// Come and don't come bets on a number.
    moved: Slots,
    /// Bets that keep progress from roll to roll.
    gathering: Slots,
    /// Bets that can be taken down only until a point is set.
    until_first_point: Slots,
    pub(crate) effects: Effects,
}

/// Whether a bet works on the next roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Working {
    /// The bet is on.
    On,
    /// The bet itself is off.
    Off,
    /// These are odds, and the bet in front of them is off.
    FrontOff,
}

/// Error: a table has more bets than fit on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManySlots {
    /// Number of bets that the table would have.
    pub names: usize,
}

impl fmt::Display for TooManySlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooManySlots { names } = self;
        write!(f, "this table has {names} bets, but only {MOST_SLOTS} fit: offer fewer wagers")
    }
}

impl std::error::Error for TooManySlots {}

impl Board {
    /// Builds the board of a table under these rules.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// use craps_table::Board;
    /// let board = Board::new(&rules)?;
    /// let slot = board.named("PL6").unwrap();
    /// assert_eq!((board.slot(slot).name.as_str(), board.slot(slot).code.as_str()), ("place-win-6", "PL6"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are more bets than fit.
    pub fn new(rules: &TableRules) -> Result<Board, TooManySlots> {
        let mut slots: Vec<Slot> = Vec::new();
        for (at, wager) in rules.wagers.iter().enumerate() {
            let tracker = governing_tracker(rules, wager);
            for name in wager.wager.wager().names() {
                if name.number.is_some_and(|number| !has_number(rules, wager, number)) {
                    continue;
                }
                slots.push(Slot {
                    wager: wager.wager,
                    number: name.number,
                    name: name.slug,
                    code: name.code,
                    rules: at,
                    odds: None,
                    front: None,
                    tracker,
                });
            }
        }
        if slots.len() > MOST_SLOTS {
            return Err(TooManySlots { names: slots.len() });
        }
        link(&mut slots);
        let mut board = Board {
            slots,
            line: Slots::NONE,
            off_on_come_out: Slots::NONE,
            off_any_time: Slots::NONE,
            moved: Slots::NONE,
            gathering: Slots::NONE,
            until_first_point: Slots::NONE,
            effects: Effects::none(),
        };
        let those = |is: &dyn Fn(&Slot, &WagerRules) -> bool| -> Slots {
            board.slots().filter(|(_, slot)| is(slot, &rules.wagers[slot.rules])).map(|(id, _)| id).collect()
        };
        let line = those(&|slot, _| slot.wager.wager().is_on_the_line());
        let off_on_come_out = those(&|_, wager| wager.works.is.come_out == OnOff::Off);
        let off_any_time = those(&|_, wager| wager.works.is.call == Call::Both);
        let moved =
            those(&|slot, wager| matches!(wager.machine.mechanic, Mechanic::Line { .. }) && slot.number.is_some());
        let gathering = those(&|_, wager| gathers(&wager.machine));
        let until_first_point = those(&|_, wager| wager.lower.is == Lower::UntilFirstPoint);
        (board.line, board.off_on_come_out, board.moved) = (line, off_on_come_out, moved);
        (board.gathering, board.until_first_point, board.off_any_time) = (gathering, until_first_point, off_any_time);
        board.effects = Effects::new(&board, rules);
        Ok(board)
    }

    /// Returns the pass and don't pass bets.
    #[must_use]
    pub fn line(&self) -> Slots {
        self.line
    }

    /// Returns the come and don't come bets on a number.
    #[must_use]
    pub fn moved(&self) -> Slots {
        self.moved
    }

    /// Returns the bets that keep progress from roll to roll.
    #[must_use]
    #[inline]
    pub fn gathering(&self) -> Slots {
        self.gathering
    }

    /// Returns the bets that can be taken down only until a point is set.
    #[must_use]
    #[inline]
    pub fn until_first_point(&self) -> Slots {
        self.until_first_point
    }

    /// Returns the bets that the player can turn off on any roll.
    #[inline]
    pub(crate) fn off_any_time(&self) -> Slots {
        self.off_any_time
    }

    /// Returns the bets that are off on a come-out roll unless the player turns them on.
    pub(crate) fn off_on_come_out(&self) -> Slots {
        self.off_on_come_out
    }

    /// Returns the slots that are off on the next roll, given a seat's bets. While a point is on, only bets are off that can be turned off on any roll.
    pub(crate) fn off(&self, phase: Phase, bets: &SeatBets) -> Slots {
        match phase {
            Phase::Point(_) => bets.called_off().and(self.off_any_time),
            Phase::ComeOut | Phase::ComeDecisionOnly => {
                self.off_on_come_out.without(bets.called_on()).or(bets.called_off())
            }
        }
    }

    /// Returns whether the bet in a slot is on, given the slots that are off.
    pub(crate) fn working(&self, slot: SlotId, off: Slots) -> Working {
        match self.slot(slot).front {
            Some(front) if off.contains(front) => Working::FrontOff,
            _ if off.contains(slot) => Working::Off,
            _ => Working::On,
        }
    }

    /// Returns the slots of `of` that can have odds behind them.
    #[must_use]
    pub fn fronts(&self, of: Slots) -> Fronts {
        Fronts::new(of.iter().filter_map(|front| Some((front, self.slot(front).odds?))))
    }

    /// Iterates over all slots with their ids, in printing order.
    pub fn slots(&self) -> impl Iterator<Item = (SlotId, &Slot)> {
        SlotId::ALL.into_iter().zip(&self.slots)
    }

    /// Returns the number of slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Are there more slots than [most tables](crate::NARROW) have?
    #[must_use]
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.slots.len() > NARROW
    }

    /// Does the board have no slots?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns a slot by its id.
    #[must_use]
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// Finds the slot of a wager on a number. `number` is None for a bet without a number in [`Slot::number`].
    #[must_use]
    pub fn find(&self, wager: WagerId, number: Option<Point>) -> Option<SlotId> {
        self.slots().find(|(_, slot)| slot.wager == wager && slot.number == number).map(|(id, _)| id)
    }

    /// Finds a slot by the name or code of its bet.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<SlotId> {
        self.slots().find(|(_, slot)| slot.name == name || slot.code == name).map(|(id, _)| id)
    }

    /// Returns the bets that are nearest to a wager which this table doesn't have, nearest first: other bets on the same number, or else bets of the
    /// same family, ordered by how alike their names are.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// use craps_table::Board;
    /// let board = Board::new(&rules)?;
    /// let near = board.near(craps_wagers::Catalogue::built_in().find("put-6").unwrap());
    /// assert_eq!(board.slot(near[0]).name, "place-win-6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn near(&self, wager: WagerId) -> Vec<SlotId> {
        let ways = [Family::PlaceWin, Family::Buy, Family::Lay, Family::PlaceLose, Family::Hardway];
        let wager = wager.wager();
        let offered = || self.slots().filter(|(_, slot)| slot.number.is_none());
        let same_number = ways.into_iter().filter(|_| !wager.number_text.is_empty()).flat_map(|family| {
            offered().filter(move |(_, slot)| {
                let other = slot.wager.wager();
                other.family == family && other.number_text == wager.number_text
            })
        });
        let near: Vec<SlotId> = same_number.map(|(id, _)| id).collect();
        if !near.is_empty() {
            return near;
        }
        let mut alike: Vec<(usize, SlotId)> = offered()
            .filter(|(_, slot)| slot.wager.wager().family == wager.family)
            .map(|(id, slot)| (strsim::damerau_levenshtein(wager.slug, &slot.name), id))
            .collect();
        alike.sort();
        alike.into_iter().map(|(_, id)| id).collect()
    }

    /// Returns the rules of a slot's wager.
    #[must_use]
    pub fn rules<'a>(&self, rules: &'a TableRules, id: SlotId) -> &'a WagerRules {
        &rules.wagers[self.slots[id.index()].rules]
    }
}

/// Can this wager be on this number at this table? Odds also need a price for the number.
fn has_number(rules: &TableRules, wager: &WagerRules, number: Point) -> bool {
    let known = wager.wager.wager();
    let is_priced = || known.ranks.find(&number.to_string()).is_some_and(|rank| wager.prizes.is.of(rank).is_some());
    rules.points.all().contains(&number) && (known.family != Family::Odds || is_priced())
}

/// Links odds to the bets in front of them.
fn link(slots: &mut [Slot]) {
    let mut pairs = Vec::new();
    for (odds, slot) in slots.iter().enumerate() {
        let Mechanic::Behind(_, front) = slot.wager.wager().mechanic else { continue };
        let in_front = |other: &Slot| match front {
            Front::Line(front) => other.wager == front && other.number == slot.number,
            Front::Number(fronts) => fronts.contains(&other.wager) && other.wager.wager().number == slot.number,
        };
        if let Some(front) = slots.iter().position(in_front) {
            pairs.push((odds, front));
        }
    }
    for (odds, front) in pairs {
        slots[odds].front = Some(SlotId::ALL[front]);
        slots[front].odds = Some(SlotId::ALL[odds]);
    }
}
