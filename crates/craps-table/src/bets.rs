use crate::layout::Layout;
use crate::slots::{SlotId, Slots};
use craps_money::Money;
use craps_wagers::Progress;
use serde::{Deserialize, Serialize};

/// What a player has called a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Called {
    /// Nothing: it works as the book has it.
    #[default]
    Standard,
    /// On.
    On,
    /// Off.
    Off,
}

/// What a player wants done with a bet that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterWin {
    /// What is usual for such a bet.
    #[default]
    Usual,
    /// Leave it up.
    Up,
    /// Take it down.
    Down,
}

/// One player's chips on one wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bet {
    /// What is at risk.
    pub stake: Money,
    /// A match-play coupon that rides on it.
    pub coupon: Money,
    /// Commission paid with it.
    pub commission: Money,
    /// What it has gathered; only side bets gather anything beyond their slot.
    pub progress: Progress,
    /// What it was called.
    pub called: Called,
    /// What becomes of it when it wins.
    pub after_win: AfterWin,
    /// Has there been a throw since it was made?
    pub thrown: bool,
    /// Has a point been set since it was made? Told only of bets that could be taken down until then.
    pub point_set: bool,
}

impl Bet {
    /// Is there nothing to say of it but what is at stake?
    #[inline]
    fn is_plain(&self) -> bool {
        *self == Bet { stake: self.stake, ..Bet::default() }
    }
}

/// All bets of one seat. Where none stands, the place is wiped: the stake is nothing, and nothing else is said.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Vec<(SlotId, Bet)>", into = "Vec<(SlotId, Bet)>")]
pub struct SeatBets {
    bets: [Bet; 128],
    standing: Slots,
    /// Bets of which there is more to say than what is at stake: few, and the others are made and cleared with one stroke.
    marked: Slots,
    /// Bets that were called on or off.
    pub(crate) called_on: Slots,
    pub(crate) called_off: Slots,
}

impl Default for SeatBets {
    fn default() -> SeatBets {
        SeatBets {
            bets: [Bet::default(); 128],
            standing: Slots::NONE,
            marked: Slots::NONE,
            called_on: Slots::NONE,
            called_off: Slots::NONE,
        }
    }
}

/// Only bets that stand count: what a slot held before is forgotten without being wiped.
impl PartialEq for SeatBets {
    fn eq(&self, other: &SeatBets) -> bool {
        self.standing == other.standing && self.standing().eq(other.standing())
    }
}

impl Eq for SeatBets {}

impl std::hash::Hash for SeatBets {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.standing.hash(state);
        self.standing().for_each(|(_, bet)| bet.hash(state));
    }
}

impl From<Vec<(SlotId, Bet)>> for SeatBets {
    fn from(standing: Vec<(SlotId, Bet)>) -> SeatBets {
        let mut bets = SeatBets::default();
        standing.into_iter().for_each(|(slot, bet)| bets.put(slot, bet));
        bets
    }
}

impl From<SeatBets> for Vec<(SlotId, Bet)> {
    fn from(bets: SeatBets) -> Vec<(SlotId, Bet)> {
        bets.standing().map(|(slot, bet)| (slot, *bet)).collect()
    }
}

impl SeatBets {
    /// The bet in a slot, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: SlotId) -> Option<&Bet> {
        self.standing.contains(slot).then(|| &self.bets[slot.index()])
    }

    /// Puts a bet into a slot. Nothing is judged here: whether it may be made is for [`crate::Table::terms`] to say.
    #[inline]
    pub fn put(&mut self, slot: SlotId, bet: Bet) {
        self.standing.insert(slot);
        if bet.is_plain() && !self.marked.contains(slot) {
            self.bets[slot.index()].stake = bet.stake;
        } else {
            self.mark(slot, bet);
        }
    }

    /// Puts a bet into a slot of which there is more to say.
    #[inline(never)]
    fn mark(&mut self, slot: SlotId, bet: Bet) {
        self.wipe(slot);
        self.bets[slot.index()] = bet;
        if !bet.is_plain() {
            self.marked.insert(slot);
        }
        match bet.called {
            Called::Standard => {}
            Called::On => self.called_on.insert(slot),
            Called::Off => self.called_off.insert(slot),
        }
    }

    /// Forgets what there was to say of a bet.
    #[inline(never)]
    fn wipe(&mut self, slot: SlotId) {
        self.bets[slot.index()] = Bet::default();
        self.marked.remove(slot);
        self.called_on.remove(slot);
        self.called_off.remove(slot);
    }

    /// Makes a bet or adds to it, so much having been paid on it as commission altogether.
    #[inline]
    pub fn add(&mut self, slot: SlotId, amount: Money, commission: Money) {
        let bet = *self.at(slot);
        let stake = bet.stake.plus(amount).unwrap_or(bet.stake);
        self.put(slot, Bet { stake, commission, ..bet });
    }

    /// Makes a bet in a slot in which none stands, without commission.
    #[inline]
    pub fn make(&mut self, slot: SlotId, stake: Money) {
        self.standing.insert(slot);
        self.bets[slot.index()].stake = stake;
    }

    /// The bet in a slot in which one stands.
    #[inline]
    pub(crate) fn at(&self, slot: SlotId) -> &Bet {
        &self.bets[slot.index()]
    }

    /// What stands in a slot; nothing where no bet does.
    #[must_use]
    #[inline]
    pub fn stake(&self, slot: SlotId) -> Money {
        self.at(slot).stake
    }

    /// Is there more to say of any bet than what is at stake?
    #[must_use]
    #[inline]
    pub fn are_marked(&self) -> bool {
        !self.marked.is_empty()
    }

    /// Is there more to say of the bet in a slot than what is at stake?
    #[inline]
    pub(crate) fn is_marked(&self, slot: SlotId) -> bool {
        self.marked.contains(slot)
    }

    /// These bets no longer stand: each of them is then lifted, shifted or put there again.
    #[inline]
    pub(crate) fn no_longer(&mut self, slots: Slots) {
        self.standing = self.standing.without(slots);
    }

    /// The same of one bet.
    #[inline]
    pub(crate) fn not_there(&mut self, slot: SlotId) {
        self.standing.remove(slot);
    }

    /// Lifts the chips of a bet that no longer stands.
    #[inline]
    pub(crate) fn lift(&mut self, slot: SlotId) {
        self.bets[slot.index()].stake = Money::ZERO;
        if self.marked.contains(slot) {
            self.wipe(slot);
        }
    }

    /// Clears a slot.
    #[inline]
    fn clear(&mut self, slot: SlotId) {
        self.not_there(slot);
        self.lift(slot);
    }

    /// Moves a bet that no longer stands in one slot to another.
    #[inline]
    pub(crate) fn shift(&mut self, from: SlotId, to: SlotId) {
        if self.marked.contains(from) || self.marked.contains(to) {
            self.mark(to, *self.at(from));
        } else {
            self.bets[to.index()].stake = self.stake(from);
        }
        self.standing.insert(to);
        self.lift(from);
    }

    /// Clears every slot.
    pub fn clear_all(&mut self) {
        for slot in self.standing.iter() {
            self.clear(slot);
        }
    }

    /// Takes the bet out of a slot.
    #[inline]
    pub fn take(&mut self, slot: SlotId) -> Option<Bet> {
        let bet = self.get(slot).copied();
        self.clear(slot);
        bet
    }

    /// The slots in which a bet stands.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> Slots {
        self.standing
    }

    /// A point was set: it ends every call, and bets that could be taken down until then remember it.
    #[inline]
    pub fn point_set(&mut self, layout: &Layout) {
        let minding = self.standing.and(self.called_on.or(self.called_off).or(layout.until_first_point));
        for slot in minding.iter() {
            let point_set = layout.until_first_point.contains(slot);
            self.mark(slot, Bet { called: Called::Standard, point_set, ..*self.at(slot) });
        }
    }

    /// A throw was made: bets that gather remember it.
    pub fn thrown(&mut self, layout: &Layout) {
        for slot in self.standing.and(layout.gathering).iter() {
            self.mark(slot, Bet { thrown: true, ..*self.at(slot) });
        }
    }

    /// The bets that stand, in the order of the layout.
    pub fn standing(&self) -> impl Iterator<Item = (SlotId, &Bet)> {
        self.standing.iter().map(|slot| (slot, &self.bets[slot.index()]))
    }

    /// Is there no bet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }
}
