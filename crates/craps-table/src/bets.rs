use crate::layout::Layout;
use crate::slots::{SlotId, Slots};
use craps_money::Money;
use craps_wagers::Progress;

/// What a player has called a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    /// Has a point been set since it was made?
    pub point_set: bool,
}

/// All bets of one seat.
#[derive(Debug, Clone)]
pub struct SeatBets {
    bets: [Bet; 128],
    standing: Slots,
    /// Bets that were called on or off; what is said here of a slot without a bet means nothing.
    pub(crate) called_on: Slots,
    pub(crate) called_off: Slots,
}

impl Default for SeatBets {
    fn default() -> SeatBets {
        SeatBets { bets: [Bet::default(); 128], standing: Slots::NONE, called_on: Slots::NONE, called_off: Slots::NONE }
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
        self.called_on.remove(slot);
        self.called_off.remove(slot);
        match bet.called {
            Called::Standard => {}
            Called::On => self.called_on.insert(slot),
            Called::Off => self.called_off.insert(slot),
        }
        self.bets[slot.index()] = bet;
    }

    /// Makes a bet or adds to it, so much having been paid on it as commission altogether.
    #[inline]
    pub fn add(&mut self, slot: SlotId, amount: Money, commission: Money) {
        if self.standing.contains(slot) {
            let bet = &mut self.bets[slot.index()];
            bet.stake = bet.stake.plus(amount).unwrap_or(bet.stake);
            bet.commission = commission;
        } else {
            self.put(slot, Bet { stake: amount, commission, ..Bet::default() });
        }
    }

    /// The bet in a slot in which one stands.
    #[inline]
    pub(crate) fn at(&self, slot: SlotId) -> &Bet {
        &self.bets[slot.index()]
    }

    /// Clears a slot.
    #[inline]
    pub(crate) fn clear(&mut self, slot: SlotId) {
        self.standing.remove(slot);
    }

    /// Takes the bet out of a slot.
    #[inline]
    pub fn take(&mut self, slot: SlotId) -> Option<Bet> {
        let bet = self.get(slot).copied();
        self.standing.remove(slot);
        bet
    }

    /// The slots in which a bet stands.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> Slots {
        self.standing
    }

    /// A point was set: it ends every call, and bets that stand remember it.
    pub fn point_set(&mut self) {
        for slot in self.standing.iter() {
            let bet = &mut self.bets[slot.index()];
            bet.called = Called::Standard;
            bet.point_set = true;
        }
        (self.called_on, self.called_off) = (Slots::NONE, Slots::NONE);
    }

    /// A throw was made: bets that gather remember it.
    pub fn thrown(&mut self, layout: &Layout) {
        for slot in self.standing.and(layout.gathering).iter() {
            self.bets[slot.index()].thrown = true;
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
