//! Random games: mostly lawful bets on everything a table offers, fair dice from a seed, and sometimes something unusual.

use craps_dice::{Die, Throw};
use craps_law::Game;
use craps_money::{Money, Stake};
use craps_table::{Actor, AfterWin, Called, Command, Manner, NoRollReason, Role, SeatId, Shooter, SlotId, Table};
use craps_wagers::{Family, Phase, WagerId};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// The part of a round that comes next: procedure lines first, then actions, then the draw, then the roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Seating(u32),
    Procedure(u32),
    Actions(u32),
    Draw,
    Throw,
}

/// Generates the next command of a game from a seed and the current table.
#[derive(Debug, Clone)]
pub struct Generator {
    rng: ChaCha8Rng,
    part: Part,
    /// Number of rolls when the previous round began, and number of rounds since then without a roll.
    stuck: (u32, u32),
    names: u32,
}

impl Generator {
    /// Starts a game. The seed determines everything that follows.
    #[must_use]
    pub fn new(seed: u64) -> Generator {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let seats = rng.random_range(1..=4);
        Generator { rng, part: Part::Seating(seats), stuck: (0, 0), names: 0 }
    }

    /// Returns true if the game is stuck because nobody can roll anymore.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.stuck.1 > 12
    }

    /// Returns a random number from the same seed.
    pub fn number(&mut self, range: Range<u64>) -> u64 {
        self.rng.random_range(range)
    }

    fn one_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.rng.random_range(0..all.len())]) }
    }

    /// Returns the next command and the actor who gives it.
    pub fn next(&mut self, table: &Table) -> (Actor, Command) {
        loop {
            match self.part {
                Part::Seating(0) => self.part = Part::Procedure(1),
                Part::Seating(left) => {
                    self.part = Part::Seating(left - 1);
                    if let Some(join) = self.join(table) {
                        return join;
                    }
                }
                Part::Procedure(0) => {
                    let most = if self.one_in(4) { 9 } else { 5 };
                    self.part = Part::Actions(self.rng.random_range(0..most));
                }
                Part::Procedure(left) => {
                    self.part = Part::Procedure(left - 1);
                    if let Some(command) = self.procedure(table) {
                        return command;
                    }
                }
                Part::Actions(0) => {
                    self.part = Part::Draw;
                    if let Some(command) = self.line_bet_if_needed(table) {
                        return command;
                    }
                }
                Part::Actions(left) => {
                    self.part = Part::Actions(left - 1);
                    if let Some(command) = self.action(table) {
                        return command;
                    }
                }
                Part::Draw => {
                    self.part = Part::Throw;
                    if let Some(draw) = self.draw(table) {
                        return draw;
                    }
                }
                Part::Throw => {
                    let rounds = if table.throws() == self.stuck.0 { self.stuck.1 + 1 } else { 0 };
                    self.stuck = (table.throws(), rounds);
                    self.part = Part::Procedure(2);
                    return self.throw(table);
                }
            }
        }
    }

    fn seats(table: &Table) -> Vec<SeatId> {
        table.seats().map(|(seat, _)| seat).collect()
    }

    fn join(&mut self, table: &Table) -> Option<(Actor, Command)> {
        let most = if table.rules().game == Game::MiniCraps { 9 } else { 16 };
        let seat = self.rng.random_range(1..=most);
        if table.seat(seat).is_some() && !self.one_in(20) {
            return None;
        }
        self.names += 1;
        let money = if self.one_in(5) { self.rng.random_range(0..300) } else { self.rng.random_range(2_000..60_000) };
        let money = Money::from_minor(money * 100);
        Some((Actor::staff(Role::Box), Command::Join { seat, name: format!("P{}", self.names), money }))
    }

    fn procedure(&mut self, table: &Table) -> Option<(Actor, Command)> {
        let seats = Self::seats(table);
        // A player who runs low on chips sometimes buys in; the shooter always does.
        let shooter = match table.shooter() {
            Some(Shooter::Seat(seat)) => Some(seat),
            _ => None,
        };
        let poor = seats.iter().copied().find(|seat| {
            table.seat(*seat).is_some_and(|placed| placed.rail < Money::from_minor(200_000))
                && (Some(*seat) == shooter || self.one_in(6))
        });
        if let Some(seat) = poor {
            let money = Stake::whole(self.rng.random_range(3_000..40_000)).ok()?;
            return Some((Actor::player(seat), Command::BuyIn { seat, money }));
        }
        if seats.is_empty() || (seats.len() < 5 && self.one_in(40)) {
            return self.join(table);
        }
        let come_bets = seats.iter().any(|seat| {
            Self::standing(table, *seat).iter().any(|slot| {
                let place = table.board().slot(*slot);
                place.number.is_some() && place.wager.wager().family == Family::Line
            })
        });
        let any_line_bet = seats.iter().any(|seat| Self::has_line_bet(table, *seat));
        if table.phase() == Phase::ComeOut && come_bets && !any_line_bet && self.one_in(2) {
            let seat = shooter.or_else(|| self.pick(&seats));
            return Some((Actor::staff(Role::Stick), Command::TakeDice { seat, decisions_only: true }));
        }
        let seat = self.pick(&seats)?;
        match self.rng.random_range(0..200) {
            0..4 => Some((Actor::player(seat), Command::Leave { seat })),
            4..6 => Some((Actor::shooter(), Command::PassDice)),
            6..9 => {
                // The shooter already has the dice and need not take them.
                let seat = if self.one_in(8) { None } else { Some(seat).filter(|seat| shooter != Some(*seat)) };
                if seat.is_none() && shooter.is_some() && !self.one_in(8) {
                    return None;
                }
                Some((Actor::staff(Role::Stick), Command::TakeDice { seat, decisions_only: self.one_in(6) }))
            }
            9 => {
                let amount = Money::from_minor(self.rng.random_range(-2_000..5_000));
                let rule = Command::Rule { seat, amount, reason: "miscount".to_owned() };
                Some((Actor::staff(Role::Box), rule))
            }
            _ => None,
        }
    }

    fn standing(table: &Table, seat: SeatId) -> Vec<SlotId> {
        let Some(placed) = table.seat(seat) else { return Vec::new() };
        if placed.bets.is_empty() {
            return Vec::new();
        }
        table.board().slots().filter(|(slot, _)| placed.bets.get(*slot).is_some()).map(|(slot, _)| slot).collect()
    }

    fn has_line_bet(table: &Table, seat: SeatId) -> bool {
        let Some(placed) = table.seat(seat) else { return false };
        ["pass", "dont-pass"]
            .iter()
            .any(|name| table.board().named(name).is_some_and(|slot| placed.bets.get(slot).is_some()))
    }

    /// Returns a line bet for the shooter if the come-out roll isn't possible without one.
    fn line_bet_if_needed(&mut self, table: &Table) -> Option<(Actor, Command)> {
        if table.phase() != Phase::ComeOut || self.one_in(40) {
            return None;
        }
        let seats = Self::seats(table);
        let seat = match table.shooter() {
            Some(Shooter::Seat(seat)) if Self::has_line_bet(table, seat) => return None,
            Some(Shooter::Seat(seat)) => seat,
            Some(Shooter::Dealer) => return None,
            None if seats.iter().any(|seat| Self::has_line_bet(table, *seat)) => return None,
            None => self.pick(&seats)?,
        };
        let name = if self.one_in(3) { "dont-pass" } else { "pass" };
        let slot = table.board().named(name).or_else(|| table.board().named("pass"))?;
        self.lawful(table, seat, slot)
    }

    fn action(&mut self, table: &Table) -> Option<(Actor, Command)> {
        let seats = Self::seats(table);
        let seat = self.pick(&seats)?;
        let on_felt = Self::standing(table, seat);
        let all = u8::try_from(table.board().slots().count()).unwrap_or(u8::MAX);
        match self.rng.random_range(0..100) {
            0..78 => self.some_bet(table, seat),
            78..84 => {
                let slot = self.pick(&on_felt)?;
                let stake = table.seat(seat)?.bets.get(slot)?.stake;
                let amount = match self.rng.random_range(0..4) {
                    0 | 1 => stake,
                    2 => Money::from_minor(stake.minor() / 2),
                    _ => Money::from_minor(self.rng.random_range(1..=stake.minor() / 25 + 4) * 25),
                };
                let amount = Stake::new(amount)?;
                Some((Actor::player(seat), Command::TakeDown { seat, slot, amount }))
            }
            84..92 => {
                let slot = self.pick(&on_felt)?;
                let called = self.pick(&[Called::On, Called::On, Called::Off, Called::Standard])?;
                Some((Actor::player(seat), Command::Call { seat, slot, called }))
            }
            92..97 => {
                let slot = self.pick(&on_felt)?;
                // Up and down are withdrawn together with a call, because the notation has one word for both.
                let after_win = self.pick(&[AfterWin::Up, AfterWin::Up, AfterWin::Down])?;
                Some((Actor::player(seat), Command::Tell { seat, slot, after_win }))
            }
            _ => {
                // A random command, mostly refused.
                let at = usize::from(self.rng.random_range(0..all));
                let slot = table.board().slots().nth(at)?.0;
                let amount = Stake::new(Money::from_minor(self.rng.random_range(1..20_000)))?;
                let command = if self.one_in(2) {
                    Command::Bet { seat, slot, amount, manner: self.manner(amount, None) }
                } else {
                    Command::TakeDown { seat, slot, amount }
                };
                Some((Actor::player(seat), command))
            }
        }
    }

    /// Returns a bet from a random group of wagers. The size of a group doesn't affect its chance.
    fn some_bet(&mut self, table: &Table, seat: SeatId) -> Option<(Actor, Command)> {
        let groups: [&[Family]; 5] = [
            &[Family::Line],
            &[Family::Odds],
            &[Family::PlaceWin, Family::PlaceLose, Family::Buy, Family::Lay, Family::Big, Family::Put, Family::Hardway],
            &[Family::OneThrow, Family::Hop],
            &[Family::Shooter],
        ];
        for _ in 0..8 {
            let group = groups[self.pick(&[0, 0, 1, 1, 2, 2, 2, 3, 3, 4])?];
            let slots: Vec<SlotId> = table
                .board()
                .slots()
                .filter(|(_, slot)| group.contains(&slot.wager.wager().family))
                .map(|(slot, _)| slot)
                .collect();
            let Some(slot) = self.pick(&slots) else { continue };
            if table.terms(seat, slot, None).is_ok() || self.one_in(30) {
                return self.lawful(table, seat, slot);
            }
        }
        None
    }

    /// Returns a bet with an amount that the terms allow, or rarely another amount.
    fn lawful(&mut self, table: &Table, seat: SeatId, slot: SlotId) -> Option<(Actor, Command)> {
        let rail = table.seat(seat)?.rail.minor();
        let Ok(terms) = table.terms(seat, slot, None) else {
            let amount = Stake::new(Money::from_minor(self.rng.random_range(1..100) * 500))?;
            return Some((Actor::player(seat), Command::Bet { seat, slot, amount, manner: Manner::default() }));
        };
        let multiple = i64::try_from(terms.multiple.minor()).ok()?;
        let standing = terms.standing.minor();
        let least = (standing + 1).max(terms.min.minor()).div_euclid(multiple) * multiple;
        let least = if least <= standing || least < terms.min.minor() { least + multiple } else { least };
        let most = terms.max.map_or(i64::MAX, Money::minor).min(standing + rail) / multiple * multiple;
        let total = match self.rng.random_range(0..20) {
            0 => standing + self.rng.random_range(1..20_000),
            1..4 => most.min(least + 500 * multiple),
            4..8 if most > least => {
                let steps = ((most - least) / multiple).min(400);
                least + self.rng.random_range(0..=steps) * multiple
            }
            _ => least + self.rng.random_range(0..4) * multiple,
        };
        let total = if total > most && !self.one_in(10) { least.min(most) } else { total };
        let amount = Stake::new(Money::from_minor(total - standing))?;
        let coupon = (total / multiple > 0).then_some((multiple, total));
        let manner = self.manner(amount, coupon);
        Some((Actor::player(seat), Command::Bet { seat, slot, amount, manner }))
    }

    /// Returns how a bet is made: rarely late, spoken or with a coupon. `coupon` is the multiple and the total of the bet.
    fn manner(&mut self, amount: Stake, coupon: Option<(i64, i64)>) -> Manner {
        let mut manner = Manner::default();
        match self.rng.random_range(0..40) {
            0 => {
                let all = [Role::Dealer, Role::Box, Role::Floor];
                let count = self.rng.random_range(1..=3);
                manner.late = Some(all[..count].to_vec());
            }
            1 => manner.cash = Some(amount),
            2 => {
                if let Some((multiple, total)) = coupon {
                    // Mostly a coupon that pays exactly together with its bet.
                    let minor = if self.one_in(3) {
                        self.rng.random_range(1..=total / 25 + 1) * 25
                    } else {
                        self.rng.random_range(1..=total / multiple).min(4) * multiple
                    };
                    manner.coupon = Stake::new(Money::from_minor(minor));
                }
            }
            _ => {}
        }
        manner
    }

    fn draw(&mut self, table: &Table) -> Option<(Actor, Command)> {
        if table.rules().modifiers.is_empty() && !self.one_in(200) {
            return None;
        }
        if self.one_in(3) {
            return None;
        }
        let eligible: Vec<WagerId> = table
            .rules()
            .modifiers
            .iter()
            .flat_map(|modifier| &modifier.lines)
            .flat_map(|line| line.is.wagers.iter().copied())
            .collect();
        let mut selection: Vec<(WagerId, usize)> = Vec::new();
        for _ in 0..self.rng.random_range(0..14) {
            let level = self.rng.random_range(0..2);
            if let Some(wager) = self.pick(&eligible)
                && !selection.iter().any(|(known, _)| *known == wager)
            {
                selection.push((wager, level));
            }
        }
        (!selection.is_empty()).then_some((Actor::staff(Role::Machine), Command::Draw { selection }))
    }

    fn throw(&mut self, table: &Table) -> (Actor, Command) {
        if self.one_in(30) {
            let automated = table.rules().game == Game::Automated;
            let reason = if automated && !self.one_in(4) {
                NoRollReason::NotFlat
            } else {
                NoRollReason::ALL[self.rng.random_range(0..NoRollReason::ALL.len())]
            };
            let callers = [Role::Box, Role::Stick, Role::Dealer, Role::Floor];
            let caller =
                (table.is_called(reason) == Some(true)).then(|| callers[self.rng.random_range(0..callers.len())]);
            return (Actor::staff(caller.unwrap_or(Role::Stick)), Command::NoRoll { reason, caller });
        }
        (Actor::staff(Role::Stick), Command::Throw { dice: self.dice() })
    }

    /// Rolls two fair dice.
    pub fn dice(&mut self) -> Throw {
        let mut die = || Die::from_pips(self.rng.random_range(1..=6)).unwrap_or(Die::One);
        Throw::new(die(), die())
    }
}
