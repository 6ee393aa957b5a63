//! Three common strategies written in Rust, for benchmarks and to compare the strategy language with.

#![allow(dead_code, reason = "not every test or benchmark plays all of them")]

use craps_sim::{Reads, Seat, Strategy};
use craps_table::fast::Fronts;
use craps_table::{Board, MOST_SLOTS, SlotId, Slots};

/// The pass line with maximum odds.
#[derive(Debug, Clone)]
pub struct PassOdds {
    pass: SlotId,
    odds: SlotId,
    unit: i64,
}

impl PassOdds {
    /// Bets `unit` on the line, in minor units. Returns None if the table doesn't offer these bets.
    #[must_use]
    pub fn new(board: &Board, unit: i64) -> Option<PassOdds> {
        Some(PassOdds { pass: board.named("pass")?, odds: board.named("pass-odds")?, unit })
    }

    /// Makes the line bet on a come-out roll.
    #[inline]
    fn come_out(&self, seat: &mut Seat<'_>) {
        if seat.stake(self.pass) == 0 {
            seat.bet(self.pass, self.unit);
        }
    }

    /// Takes maximum odds while a point is on.
    #[inline]
    fn point_on(&self, seat: &mut Seat<'_>) {
        if seat.stake(self.pass) > 0 && seat.stake(self.odds) == 0 {
            seat.bet_most(self.odds);
        }
    }
}

impl Strategy for PassOdds {
    type Memory = ();

    fn reads(&self) -> Reads {
        Reads::default()
    }

    #[inline]
    fn play(&self, _: &mut (), seat: &mut Seat<'_>) {
        if seat.is_come_out() { self.come_out(seat) } else { self.point_on(seat) }
    }
}

/// Three-point molly: the pass line with maximum odds, plus a come bet while a point is on and fewer than two are up. Each come bet gets maximum
/// odds once it has its number.
#[derive(Debug, Clone)]
pub struct Molly {
    line: PassOdds,
    come: SlotId,
    /// All come bets. `numbers` are the ones that have moved to a number, and `odds` is the odds slot behind each.
    bets: Slots,
    numbers: Fronts,
    odds: [SlotId; MOST_SLOTS],
}

impl Molly {
    /// Bets `unit` on each bet, in minor units. Returns None if the table doesn't offer these bets.
    #[must_use]
    pub fn new(board: &Board, unit: i64) -> Option<Molly> {
        let come = board.named("come")?;
        let is_come = |id: &SlotId| board.slot(*id).wager == board.slot(come).wager;
        let bets: Slots = board.slots().map(|(id, _)| id).filter(is_come).collect();
        let numbers = board.fronts(bets.without(Slots::from_iter([come])));
        let mut odds = SlotId::ALL;
        for (id, slot) in board.slots() {
            odds[id.index()] = slot.odds.unwrap_or(id);
        }
        Some(Molly { line: PassOdds::new(board, unit)?, come, bets, numbers, odds })
    }
}

impl Strategy for Molly {
    type Memory = ();

    fn reads(&self) -> Reads {
        Reads::default()
    }

    #[inline]
    fn play(&self, _: &mut (), seat: &mut Seat<'_>) {
        if seat.is_come_out() {
            self.line.come_out(seat);
        } else {
            self.line.point_on(seat);
            if seat.standing().and(self.bets).fewer_than(2) {
                seat.bet(self.come, self.line.unit);
            }
        }
        for group in self.numbers.groups() {
            for flat in group.bare(seat.standing_ref()) {
                seat.bet_most(self.odds[flat.index()]);
            }
        }
    }
}

/// Places the 6 and 8 once a point is on. The first win of each is kept; each of the next four adds a unit, up to five units.
#[derive(Debug, Clone)]
pub struct Press {
    numbers: [SlotId; 2],
    unit: i64,
}

impl Press {
    /// How many wins press a bet.
    const PRESSES: u8 = 4;

    /// Bets `unit` on each number, in minor units. Returns None if the table doesn't offer these bets.
    #[must_use]
    pub fn new(board: &Board, unit: i64) -> Option<Press> {
        Some(Press { numbers: [board.named("place-win-6")?, board.named("place-win-8")?], unit })
    }
}

impl Strategy for Press {
    /// How often each number has won since it was placed.
    type Memory = [u8; 2];

    fn reads(&self) -> Reads {
        Reads { last_throw: true, ..Reads::default() }
    }

    #[inline]
    fn play(&self, wins: &mut [u8; 2], seat: &mut Seat<'_>) {
        for (slot, wins) in self.numbers.iter().zip(wins) {
            if seat.lost(*slot) {
                *wins = 0;
            }
            if seat.won(*slot) && *wins <= Press::PRESSES {
                *wins += 1;
                if *wins > 1 {
                    seat.bet(*slot, self.unit);
                }
            }
            if !seat.is_come_out() && seat.stake(*slot) == 0 {
                seat.bet(*slot, self.unit);
            }
        }
    }
}
