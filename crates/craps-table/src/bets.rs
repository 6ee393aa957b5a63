use crate::layout::{Layout, SlotId, Slots};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatBets {
    bets: [Bet; 128],
    active: u128,
    pub(crate) called_on: u128,
    pub(crate) called_off: u128,
}

impl Default for SeatBets {
    fn default() -> SeatBets {
        SeatBets { bets: [Bet::default(); 128], active: 0, called_on: 0, called_off: 0 }
    }
}

impl SeatBets {
    /// The bet in a slot, if there is one.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: SlotId) -> Option<&Bet> {
        (self.active & slot.bit() != 0).then(|| &self.bets[slot.index()])
    }

    /// Puts a bet into a slot. Nothing is judged here: whether it may be made is for [`crate::Table::terms`] to say.
    #[inline]
    pub fn put(&mut self, slot: SlotId, bet: Bet) {
        self.active |= slot.bit();
        self.called_on &= !slot.bit();
        self.called_off &= !slot.bit();
        match bet.called {
            Called::Standard => {}
            Called::On => self.called_on |= slot.bit(),
            Called::Off => self.called_off |= slot.bit(),
        }
        self.bets[slot.index()] = bet;
    }

    /// Takes the bet out of a slot.
    #[inline]
    pub fn take(&mut self, slot: SlotId) -> Option<Bet> {
        let bet = self.get(slot).copied();
        self.active &= !slot.bit();
        self.called_on &= !slot.bit();
        self.called_off &= !slot.bit();
        bet
    }

    pub(crate) fn active(&self) -> u128 {
        self.active
    }

    /// The slots in which a bet stands.
    #[must_use]
    #[inline]
    pub fn slots(&self) -> Slots {
        Slots(self.active)
    }

    /// A point was set: it ends every call, and bets that stand remember it.
    pub fn point_set(&mut self) {
        for slot in SlotId::each(self.active) {
            let bet = &mut self.bets[slot.index()];
            bet.called = Called::Standard;
            bet.point_set = true;
        }
        self.called_on = 0;
        self.called_off = 0;
    }

    /// A throw was made: bets that gather remember it.
    pub fn thrown(&mut self, layout: &Layout) {
        for slot in SlotId::each(self.active & layout.gathering) {
            self.bets[slot.index()].thrown = true;
        }
    }

    /// The bets that stand, in the order of the layout.
    pub fn standing(&self) -> impl Iterator<Item = (SlotId, &Bet)> {
        SlotId::each(self.active).map(|slot| (slot, &self.bets[slot.index()]))
    }

    /// Is there no bet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.active == 0
    }
}
