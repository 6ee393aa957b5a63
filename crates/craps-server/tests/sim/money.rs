//! A second count of the money at a table: plain sums of what the events of its rows say. It shares no code with the table or the audit.

use craps_server::live::{BetName, Deed};
use craps_table::{After, Event, SeatId, Verdict};
use std::collections::BTreeMap;

/// Money of one table, in cents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sums {
    /// Brought by players, less what they took away.
    pub came_in: i64,
    /// Won by the bank.
    pub bank: i64,
    pub commission: i64,
    pub rails: BTreeMap<SeatId, i64>,
    pub felt: BTreeMap<SeatId, i64>,
}

impl Sums {
    fn event(&mut self, event: &Event<BetName>) {
        let rail = |sums: &mut Sums, seat: SeatId, by: i64| *sums.rails.entry(seat).or_default() += by;
        let felt = |sums: &mut Sums, seat: SeatId, by: i64| *sums.felt.entry(seat).or_default() += by;
        match event {
            Event::Joined { seat, money, .. } | Event::BoughtIn { seat, money } => {
                rail(self, *seat, money.minor());
                self.came_in += money.minor();
            }
            Event::Left { seat } => {
                self.came_in -= self.rails.remove(seat).unwrap_or_default();
                // Bets that a player leaves behind are the house's.
                self.bank += self.felt.remove(seat).unwrap_or_default();
            }
            Event::BetPlaced { seat, staked, commission, .. } => {
                rail(self, *seat, -staked.minor() - commission.minor());
                felt(self, *seat, staked.minor());
                self.commission += commission.minor();
            }
            Event::TakenDown { seat, returned, refunded, .. } => {
                rail(self, *seat, returned.minor() + refunded.minor());
                felt(self, *seat, -returned.minor());
                self.commission -= refunded.minor();
            }
            Event::Settled { seat, bet, verdict, after, .. } => {
                let stays = if let After::Stands(_, next) = after { next.stake.minor() } else { 0 };
                let off = bet.stake.minor() - stays;
                let (paid, fee, lost) = match verdict {
                    Verdict::Won { paid, commission, .. } => (paid.minor(), commission.minor(), 0),
                    Verdict::Credited { paid, .. } => (paid.minor(), 0, 0),
                    Verdict::Lost => (0, 0, off),
                    Verdict::Returned | Verdict::Moved { .. } => (0, 0, 0),
                };
                felt(self, *seat, -off);
                rail(self, *seat, off - lost + paid - fee);
                self.bank += lost - paid;
                self.commission += fee;
            }
            Event::Ruled { seat, amount, .. } => {
                rail(self, *seat, amount.minor());
                self.bank -= amount.minor();
            }
            _ => {}
        }
    }

    /// Does everything that came in lie somewhere?
    pub fn is_conserved(&self) -> bool {
        let lies: i64 = self.rails.values().chain(self.felt.values()).sum();
        self.came_in == lies + self.bank + self.commission
    }
}

/// The money of a table after each row.
#[derive(Debug, Default)]
pub struct Count {
    /// At the last roll.
    base: Sums,
    /// The orders since the last roll that stand, by row.
    since: Vec<(u64, Vec<Event<BetName>>)>,
    now: Sums,
    /// Orders came out differently because another was taken back. Then rows can't be taken back one by one any more, until the next roll.
    pub mixed: bool,
}

impl Count {
    pub fn sums(&self) -> &Sums {
        &self.now
    }

    /// Counts a row. Returns how much came in with it.
    pub fn row(&mut self, seq: u64, deed: &Deed<BetName>) -> i64 {
        let before = self.now.came_in;
        match deed {
            Deed::Undone { rows, same: true, .. } => self.since.retain(|(row, _)| !rows.contains(row)),
            Deed::Undone { events, .. } => {
                self.since = vec![(seq, events.clone())];
                self.mixed = true;
            }
            deed => self.since.push((seq, deed.events().to_vec())),
        }
        self.now = self.base.clone();
        for event in self.since.iter().flat_map(|(_, events)| events) {
            self.now.event(event);
        }
        if matches!(deed, Deed::Thrown { .. }) {
            self.base = self.now.clone();
            self.since.clear();
            self.mixed = false;
        }
        self.now.came_in - before
    }
}
