//! The layout of one table: a slot for every name a bet can have, and what every throw does to it, expanded once from `step()`.

use crate::slots::{SlotId, Slots};
use crate::till::ByHeart;
use craps_dice::{Point, Throw};
use craps_law::{Lower, Prize, TableRules, WagerRules};
use craps_wagers::{Family, Front, Mechanic, Phase, Progress, Rank, Ranks, Step, WagerId};
use std::fmt;

/// What a slot is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The wager.
    pub wager: WagerId,
    /// The number a moved come bet or an odds bet stands on.
    pub number: Option<Point>,
    /// The long name of a bet here.
    pub name: String,
    /// The short name of a bet here.
    pub code: String,
    /// Where the wager's rules are.
    rules: usize,
    /// The slot of the odds behind it.
    pub odds: Option<SlotId>,
    /// The slot of the bet that odds stand behind.
    pub front: Option<SlotId>,
    /// The wager whose tracker its window reads.
    pub tracker: Option<WagerId>,
}

/// What a throw does to a slot whose bet has no progress beyond its slot. One byte, so that all that a throw does to the slots that are bet most
/// is in one line of a processor's cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Effect(u8);

impl Effect {
    pub(crate) const STAND: Effect = Effect(0);
    pub(crate) const LOST: Effect = Effect(1);
    pub(crate) const PUSHED: Effect = Effect(2);
    /// The bet's own progress decides: it is stepped.
    pub(crate) const STEPPED: Effect = Effect(3);
    /// From here on it is won, and after that it goes to a number.
    const WON: u8 = 4;
    const MOVED: u8 = 128;

    /// Won: by the win in this place among the slot's wins, if there is room to say so.
    fn won(place: usize) -> Option<Effect> {
        let byte = u8::try_from(place).ok()?.checked_add(Effect::WON)?;
        (byte < Effect::MOVED).then_some(Effect(byte))
    }

    fn moved(to: SlotId) -> Effect {
        Effect(Effect::MOVED | to.0)
    }

    /// Is it won, and if so by which of the slot's wins?
    #[inline]
    pub(crate) const fn win(self) -> Option<u8> {
        let place = self.0.wrapping_sub(Effect::WON);
        if place < Effect::MOVED - Effect::WON { Some(place) } else { None }
    }

    /// Does it go to a number, and if so where?
    #[inline]
    pub(crate) const fn goes_to(self) -> Option<SlotId> {
        if self.0 >= Effect::MOVED { Some(SlotId(self.0 & !Effect::MOVED)) } else { None }
    }
}

/// A throw in a phase, and what it does. What a simulated throw needs first stands first, in one line of a processor's cache with the slots
/// that are bet most.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Turn {
    /// The slots whose bets it can decide, and those whose bets go to a number.
    pub(crate) decides: Slots,
    pub(crate) moves: Slots,
    pub(crate) phase: Phase,
    pub(crate) throw: Throw,
    /// Is there no point after it?
    pub(crate) no_point_next: bool,
    /// To each slot, what becomes of it.
    pub(crate) effects: [Effect; 128],
}

/// One way of one slot to win.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Win {
    pub(crate) rank: Rank,
    /// What the book gives for it; nothing means that it loses.
    pub(crate) prize: Option<Prize>,
    pub(crate) by_heart: ByHeart,
    /// Is the bet just paid its prize, whatever the stake: no push, no commission, no parts to set against each other?
    pub(crate) plain: bool,
    /// What becomes of a bet in the slot that wins.
    pub(crate) standing: Standing,
}

/// What becomes of a bet in a slot that wins, as far as the slot decides it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Standing {
    /// Does it stay up unless it was told otherwise?
    pub(crate) stays_up: bool,
    /// Is there commission to think of?
    pub(crate) commission: bool,
    /// Can parts of it win and the whole still come out even?
    pub(crate) of_parts: bool,
    /// Where it is made again while a point is on, and while none is; none where it cannot be.
    pub(crate) again: [Option<SlotId>; 2],
}

/// Phases as rows: come-out, decisions only, and the ten points.
fn row(phase: Phase) -> usize {
    match phase {
        Phase::ComeOut => 0,
        Phase::ComeDecisionOnly => 1,
        Phase::Point(point) => 2 + point.index(),
    }
}

fn phases() -> impl Iterator<Item = Phase> {
    [Phase::ComeOut, Phase::ComeDecisionOnly].into_iter().chain(Point::ALL.map(Phase::Point))
}

/// Every slot of a table with its effects, and for each phase and throw the slots that can change.
#[derive(Debug, Clone)]
pub struct Layout {
    slots: Vec<Slot>,
    /// Phase by phase, the 21 throws of each.
    turns: Vec<Turn>,
    /// The wins of all slots, and where those of each begin.
    wins: Vec<Win>,
    first_wins: [u16; 128],
    /// Slots that are off on a come-out without a call.
    pub(crate) off_on_come_out: Slots,
    /// Those, and odds: they follow the bet in front of them.
    pub(crate) held_on_come_out: Slots,
    /// The come and don't come bets that have a number.
    pub(crate) moved: Slots,
    /// Slots whose bets gather something from throw to throw.
    pub(crate) gathering: Slots,
    /// Slots whose bets can be taken down only until a point is set.
    pub(crate) until_first_point: Slots,
}

/// A table with more names for bets than a layout can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManySlots;

impl fmt::Display for TooManySlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the house offers more bets than a table holds: at most 128 places for bets")
    }
}

impl std::error::Error for TooManySlots {}

impl Layout {
    /// Lays out a table.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_table::{Actor, Command, Manner, Role, Table};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// # let mut table = Table::open(rules)?;
    /// # let join = Command::Join { seat: 1, name: "Ann".into(), money: "500".parse()? };
    /// # table.run(Actor::staff(Role::Box), &join)?;
    /// use craps_table::Layout;
    /// let layout = Layout::new(table.rules())?;
    /// let slot = layout.named("PL6").unwrap();
    /// assert_eq!((layout.slot(slot).name.as_str(), layout.slot(slot).code.as_str()), ("place-win-6", "PL6"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are more names for bets than 128.
    pub fn new(rules: &TableRules) -> Result<Layout, TooManySlots> {
        let mut slots: Vec<Slot> = Vec::new();
        for (at, wager) in rules.wagers.iter().enumerate() {
            let numbers = |point: Point| rules.points.all().contains(&point);
            for name in wager.wager.wager().names() {
                let priced = |point: Point| {
                    wager
                        .wager
                        .wager()
                        .ranks
                        .find(&point.to_string())
                        .is_some_and(|rank| wager.prizes.is.of(rank).is_some())
                };
                let is_odds = wager.wager.wager().family == Family::Odds;
                if name.number.is_some_and(|point| !numbers(point) || (is_odds && !priced(point))) {
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
                    tracker: None,
                });
            }
        }
        if slots.len() > 128 {
            return Err(TooManySlots);
        }
        let ids: Vec<SlotId> = (0u8..).map(SlotId).take(slots.len()).collect();
        link(&mut slots, &ids, rules);
        let mut layout = Layout {
            turns: phases().flat_map(|phase| Throw::ALL.map(|throw| Turn::empty(phase, throw, rules))).collect(),
            wins: Vec::new(),
            first_wins: [0; 128],
            off_on_come_out: Slots::NONE,
            held_on_come_out: Slots::NONE,
            moved: Slots::NONE,
            gathering: Slots::NONE,
            until_first_point: Slots::NONE,
            slots,
        };
        for id in ids {
            let slot = &layout.slots[id.index()];
            let wager = &rules.wagers[slot.rules];
            if wager.works.is.come_out == craps_law::OnOff::Off {
                layout.off_on_come_out.insert(id);
                layout.held_on_come_out.insert(id);
            }
            if slot.front.is_some() {
                layout.held_on_come_out.insert(id);
            }
            if wager.lower.is == Lower::UntilFirstPoint {
                layout.until_first_point.insert(id);
            }
            if matches!(wager.machine.mechanic, Mechanic::Line(_)) && slot.number.is_some() {
                layout.moved.insert(id);
            }
            // A layout has 128 slots, and a wager some dozen ranks at most.
            layout.first_wins[id.index()] = u16::try_from(layout.wins.len()).unwrap_or_default();
            for phase in phases() {
                for throw in Throw::ALL {
                    let effect = match layout.effect(&layout.slots[id.index()], wager, phase, throw) {
                        Found::Effect(effect) => effect,
                        Found::Won(rank) => layout.win(id, rank, rules),
                    };
                    let turn = &mut layout.turns[Turn::place(phase, throw)];
                    turn.effects[id.index()] = effect;
                    if effect.goes_to().is_some() {
                        turn.moves.insert(id);
                    } else if effect != Effect::STAND {
                        turn.decides.insert(id);
                    }
                    if effect == Effect::STEPPED {
                        layout.gathering.insert(id);
                    }
                }
            }
        }
        Ok(layout)
    }

    /// The effect of winning by a rank: one of the wins of the slot, whose effects are being found.
    fn win(&mut self, slot: SlotId, rank: Rank, rules: &TableRules) -> Effect {
        let first = usize::from(self.first_wins[slot.index()]);
        let known = self.wins[first..].iter().position(|win| win.rank == rank);
        let at = known.unwrap_or_else(|| {
            self.wins.push(self.win_by(slot, rank, rules));
            self.wins.len() - 1 - first
        });
        Effect::won(at).unwrap_or(Effect::STEPPED)
    }

    /// What winning by a rank means in a slot.
    pub(crate) fn win_by(&self, slot: SlotId, rank: Rank, rules: &TableRules) -> Win {
        let wager = self.rules(rules, slot);
        let prize = wager.prizes.is.of(rank);
        let by_heart = ByHeart::new(prize.unwrap_or(Prize::Push), &rules.rounding);
        let standing = self.after_a_win(slot, wager);
        let pays = prize.is_some_and(|prize| prize != Prize::Push);
        let plain = pays && !standing.commission && !standing.of_parts;
        Win { rank, prize, by_heart, plain, standing }
    }

    fn after_a_win(&self, id: SlotId, wager: &WagerRules) -> Standing {
        let slot = self.slot(id);
        let again = match slot.wager.wager().family {
            // A come bet is made again in the come area, while a point is still on; a line bet before one is.
            Family::Line if travels(slot) => [self.find(slot.wager, None), None],
            Family::Line => [None, Some(id)],
            Family::Odds | Family::Shooter => [None, None],
            _ => [Some(id), Some(id)],
        };
        Standing {
            stays_up: wager.stays_up,
            commission: wager.commission.is_some(),
            of_parts: slot.wager.wager().ranks == Ranks::OfParts,
            again,
        }
    }

    fn effect(&self, slot: &Slot, wager: &WagerRules, phase: Phase, throw: Throw) -> Found {
        let machine = &wager.machine;
        let progress = match (machine.mechanic, slot.number, phase) {
            // A pass bet stands on the table's point; a come bet on its slot's number.
            (Mechanic::Line(_), None, Phase::Point(point)) if !travels(slot) => machine.on(point),
            (Mechanic::Line(_), Some(number), _) => machine.on(number),
            (Mechanic::Line(_), None, _) => Progress::FRESH,
            (Mechanic::Behind(..), Some(number), _) => machine.on(number),
            // Odds behind the line have no number in their name: theirs is the point.
            (Mechanic::Behind(..), None, Phase::Point(point)) => machine.on(point),
            (Mechanic::Behind(..), None, _) => return Found::Effect(Effect::STAND),
            (Mechanic::Race { .. } | Mechanic::OneThrow(_) | Mechanic::Composite(_), ..) => Progress::FRESH,
            _ => return Found::Effect(Effect::STEPPED),
        };
        let effect = match machine.step(progress, phase, throw) {
            Step::Stand(next) if travels(slot) && slot.number.is_none() => {
                let to = machine.number(next).and_then(|number| self.find(slot.wager, Some(number)));
                to.map_or(Effect::STAND, Effect::moved)
            }
            Step::Stand(_) | Step::Credited(..) => Effect::STAND,
            Step::Won(rank) => return Found::Won(rank),
            Step::Lost => Effect::LOST,
            Step::Pushed => Effect::PUSHED,
        };
        Found::Effect(effect)
    }

    #[inline]
    pub(crate) fn win_at(&self, slot: SlotId, place: u8) -> &Win {
        &self.wins[usize::from(self.first_wins[slot.index()]) + usize::from(place)]
    }

    /// What a throw does in a phase.
    #[must_use]
    #[inline]
    pub fn turn(&self, phase: Phase, throw: Throw) -> &Turn {
        self.turn_at(Turn::place(phase, throw))
    }

    /// The turn in a place, which [`Turn::place`] gave.
    #[must_use]
    #[inline]
    pub fn turn_at(&self, place: usize) -> &Turn {
        &self.turns[place]
    }

    /// The pass and don't pass bets: line bets that stay where they are.
    #[must_use]
    pub fn line(&self) -> Slots {
        let line = |slot: &Slot| slot.wager.wager().family == Family::Line && !travels(slot);
        self.slots().filter(|(_, slot)| line(slot)).map(|(id, _)| id).collect()
    }

    /// The slots whose bets gather something from throw to throw.
    #[must_use]
    pub fn gathering(&self) -> Slots {
        self.gathering
    }

    /// The slots whose bets can be taken down only until a point is set.
    #[must_use]
    pub fn until_first_point(&self) -> Slots {
        self.until_first_point
    }

    /// Those of the slots behind whose bets odds may stand.
    #[must_use]
    pub fn fronts(&self, of: Slots) -> Fronts {
        let mut fronts: Vec<(u32, Slots)> = Vec::new();
        for front in of.iter() {
            // Odds print after the bet in front of them.
            let Some(distance) = self.slot(front).odds.and_then(|odds| odds.0.checked_sub(front.0)) else { continue };
            match fronts.iter_mut().find(|(known, _)| *known == u32::from(distance)) {
                Some((_, fronts)) => fronts.insert(front),
                None => fronts.push((u32::from(distance), Slots::from_iter([front]))),
            }
        }
        let mut fronts = fronts.into_iter();
        Fronts { first: fronts.next().unwrap_or_default(), others: fronts.collect() }
    }

    /// All slots with their places, in printing order.
    pub fn slots(&self) -> impl Iterator<Item = (SlotId, &Slot)> {
        (0u8..).map(SlotId).zip(&self.slots)
    }

    /// One slot.
    #[must_use]
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// The slot of a wager on a number.
    #[must_use]
    pub fn find(&self, wager: WagerId, number: Option<Point>) -> Option<SlotId> {
        self.slots().find(|(_, slot)| slot.wager == wager && slot.number == number).map(|(id, _)| id)
    }

    /// The slot of that name or code.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<SlotId> {
        self.slots().find(|(_, slot)| slot.name == name || slot.code == name).map(|(id, _)| id)
    }

    /// The rules of a slot's wager.
    #[must_use]
    pub fn rules<'a>(&self, rules: &'a TableRules, id: SlotId) -> &'a WagerRules {
        &rules.wagers[self.slots[id.index()].rules]
    }
}

impl Turn {
    /// Its place among all turns of a layout.
    #[must_use]
    #[inline]
    pub fn place(phase: Phase, throw: Throw) -> usize {
        row(phase) * Throw::ALL.len() + throw.index()
    }

    /// The slots whose bets it can change.
    #[must_use]
    #[inline]
    pub fn changes(&self) -> Slots {
        self.decides.or(self.moves)
    }

    /// Before it is known what becomes of any slot.
    fn empty(phase: Phase, throw: Throw, rules: &TableRules) -> Turn {
        Turn {
            phase,
            throw,
            decides: Slots::NONE,
            moves: Slots::NONE,
            no_point_next: !matches!(phase.after(throw, rules.points), Phase::Point(_)),
            effects: [Effect::STAND; 128],
        }
    }
}

/// Bets behind which odds may stand: how far behind, and which bets those are. Odds on all numbers of a kind are equally far behind, so there
/// is seldom more than the first.
#[derive(Debug, Clone)]
pub struct Fronts {
    first: (u32, Slots),
    others: Vec<(u32, Slots)>,
}

impl Fronts {
    /// Those that stand without odds, where these bets stand.
    #[must_use]
    #[inline]
    pub fn bare(&self, standing: Slots) -> Slots {
        let bare = |(distance, fronts): &(u32, Slots)| standing.and(*fronts).without(standing.ahead(*distance));
        self.others.iter().map(bare).fold(bare(&self.first), Slots::or)
    }
}

/// What a step comes to while the layout is made: an effect, or a rank that is yet to become one of the wins.
enum Found {
    Effect(Effect),
    Won(Rank),
}

/// Does a bet of this slot's wager go to a number of its own?
fn travels(slot: &Slot) -> bool {
    slot.wager.wager().code.contains('#')
}

/// Ties odds to the bets in front of them, and side bets to the tracker of their product.
fn link(slots: &mut [Slot], ids: &[SlotId], rules: &TableRules) {
    let mut pairs = Vec::new();
    for (id, slot) in ids.iter().zip(slots.iter()) {
        let Mechanic::Behind(_, front) = slot.wager.wager().mechanic else { continue };
        let in_front = |other: &&Slot| match front {
            Front::Line(slug) => other.wager.wager().slug == slug && other.number == slot.number,
            Front::Number(stem) => {
                let number = slot.number.map(|number| format!("{stem}-{number}"));
                Some(other.wager.wager().slug) == number.as_deref()
            }
        };
        if let Some(at) = slots.iter().position(|other| in_front(&other)) {
            pairs.push((*id, ids[at]));
        }
    }
    for (odds, front) in pairs {
        slots[odds.index()].front = Some(front);
        slots[front.index()].odds = Some(odds);
    }
    for slot in slots.iter_mut().filter(|slot| slot.wager.wager().family == Family::Shooter) {
        let key = &rules.wagers[slot.rules].offer.is.key;
        // One set of markers serves a product: that of the bet which needs the most.
        slot.tracker = rules.wagers.iter().rev().find(|wager| wager.offer.is.key == *key).map(|wager| wager.wager);
    }
}
