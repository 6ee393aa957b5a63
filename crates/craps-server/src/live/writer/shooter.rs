//! Who rolls at a table that nobody deals: the shooter, the next player if the shooter lets the others wait, and whose seat is freed.

use super::super::decide::rolled_seed;
use super::super::pit::{Ask, NotDone};
use super::super::wish::{RollDice, Wish};
use super::super::{By, Deed, HostCode, Refused, SeatSeed};
use super::{Decided, Writer, entries};
use crate::clock::ticks;
use craps_money::{Money, Stake};
use craps_table::{Actor, Command, Crew, PassGround, Role, SeatId, Shooter, SlotId, Table};

impl Writer {
    /// Decides a roll: closes the bets, or passes the dice on if the shooter keeps everyone waiting.
    pub(super) fn close_bets(&self, ask: &Ask) -> Result<Decided, NotDone> {
        let own = match &ask.wish {
            Wish::Roll(body) => rolled_seed(ask.by.actor, body)?,
            _ => None,
        };
        match self.closes(ask, own.as_ref()) {
            Ok(closed) => {
                if ask.by.actor.role == Role::Player {
                    self.live.may_throw_at(ticks())?;
                }
                Ok(Decided::of(&ask.by, Some(closed)))
            }
            Err(refused) => {
                let asks = ask.by.actor.seat.ok_or_else(|| refused.clone())?;
                let (by, deed) = self.passed_on(asks, refused)?;
                Ok(Decided::of(&by, Some(deed)))
            }
        }
    }

    /// Passes the dice on if the crew is a machine and the shooter, or the next shooter, keeps everyone waiting. If the shooter has the dice, it
    /// orders a pass in the first staff role that the book allows; if not, it takes silence as declining them. The player then asks to roll again.
    fn passed_on(&self, asks: SeatId, refused: Refused) -> Result<(By, Deed), Refused> {
        let table = self.live.table();
        let taken = table.shooter();
        let command = match taken.or_else(|| table.implied_shooter()) {
            Some(Shooter::Seat(seat)) if table.crew() == Crew::Automatic && self.waits_for(seat) => match taken {
                Some(_) => Command::OrderOff { ground: PassGround::Delay },
                None => Command::TakeDice { seat: Some(asks), decisions_only: false },
            },
            _ => return Err(refused),
        };
        let order = |role: &Role| {
            let by = By { actor: Actor::staff(*role), ..By::machine() };
            Some((by.clone(), self.live.order(by.actor, std::slice::from_ref(&command)).ok()?))
        };
        [Role::Machine, Role::Box, Role::Stick, Role::Dealer, Role::Floor].iter().find_map(order).ok_or(refused)
    }

    /// Has this seat kept the others waiting too long?
    fn waits_for(&self, seat: SeatId) -> bool {
        let now = ticks();
        let (shooter, since) = self.shooting;
        // A shooter who waits for the betting window isn't keeping anyone waiting.
        let open = self.live.window_at(now).is_some_and(|window| window.left > 0);
        !open && shooter == Some(Shooter::Seat(seat)) && now - since >= self.pit.waits().shooter
    }

    /// Starts the shooter's time when somebody else has the dice or is next to have them.
    pub(super) fn watch_shooter(&mut self) {
        let shooter = self.live.table().shooter().or_else(|| self.live.table().implied_shooter());
        if self.shooting.0 != shooter {
            self.shooting = (shooter, ticks());
        }
    }

    /// Takes away the seats of players who have done nothing for long. At a full table others are waiting, so they have less time. Their bets come
    /// down first. If some must stay up and nobody has rolled for as long, the machine rolls, so that the bets are decided.
    pub(super) async fn free_seats(&mut self) {
        let (now, opening) = (ticks(), self.live.opening());
        if !opening.practice || opening.crew != Crew::Automatic || self.ready().await.is_err() {
            return;
        }
        let waits = self.pit.waits();
        let most = if self.live.free_seat().is_none() { waits.seat_at_full } else { waits.seat };
        let seats: Vec<SeatId> = self.live.ownership().seats().keys().copied().collect();
        let mut stuck = false;
        for seat in seats {
            if self.stale {
                return;
            }
            // A server that has just started knows of nobody. Their time starts now.
            if now - *self.acted.entry(seat).or_insert(now) < most {
                continue;
            }
            let (commands, leaves) = self.leaving(seat);
            stuck |= !leaves;
            let by = By { actor: Actor::player(seat), ..By::machine() };
            // A shooter who leaves ends the hand.
            if !commands.is_empty()
                && let Ok(left) = self.live.order(by.actor, &commands)
                && let Ok(decided) = self.with_reveal(Decided::of(&by, Some(left))).await
                && self.add(entries(decided), "", None).is_ok()
            {
                let _ = self.store_rows().await;
            }
        }
        if stuck && !self.stale && now - self.rolled_by_people >= most {
            let plain = RollDice { id: None, role: None, seat: None, seed: None };
            let (by, wish) = (By::machine(), Wish::Roll(plain));
            // A table at which nobody may roll now is tried again next time.
            let _ = self.rolled(&Ask { by, client: String::new(), key: None, wish, room: None }).await;
        }
    }

    /// Returns what takes a player from the table: every bet down that may come down, and the seat, unless a bet or the player has to stay. Also
    /// returns whether the player leaves by that.
    fn leaving(&self, seat: SeatId) -> (Vec<Command>, bool) {
        let (mut table, mut commands) = (self.live.table().clone(), Vec::new());
        let standing = |table: &Table| -> Vec<(SlotId, Money)> {
            let bets = table.seat(seat).map(|seat| seat.bets.standing().map(|(slot, bet)| (slot, bet.stake)).collect());
            bets.unwrap_or_default()
        };
        // Some bets can come down only after others, such as a line bet after its odds.
        loop {
            let before = commands.len();
            for (slot, stake) in standing(&table) {
                let Some(amount) = Stake::new(stake) else { continue };
                let down = Command::TakeDown { seat, slot, amount };
                let mut after = table.clone();
                if after.run(Actor::player(seat), &down).is_ok() {
                    table = after;
                    commands.push(down);
                }
            }
            if commands.len() == before {
                break;
            }
        }
        // Some houses want a player who has bet to stay until the roll.
        let leave = Command::Leave { seat };
        let leaves = table.run(Actor::player(seat), &leave).is_ok();
        if leaves {
            commands.push(leave);
        }
        (commands, leaves)
    }

    /// Closes the bets. The shooter can do this, or any player if there is no shooter, or the staff.
    fn closes(&self, ask: &Ask, own: Option<&SeatSeed>) -> Result<Deed, Refused> {
        let table = self.live.table();
        let shooter = table.shooter().or_else(|| table.implied_shooter());
        let may = match (ask.by.actor.role, shooter) {
            (Role::Player, Some(Shooter::Seat(seat))) => {
                table.crew() == Crew::Automatic && ask.by.actor.seat == Some(seat)
            }
            (Role::Player, _) => table.crew() == Crew::Automatic && ask.by.actor.seat.is_some(),
            (role, _) => matches!(role, Role::Dealer | Role::Stick | Role::Box | Role::Floor | Role::Machine),
        };
        if may {
            return self.live.close(own);
        }
        Err(match shooter {
            Some(Shooter::Seat(seat)) => HostCode::NotShooter { seat },
            _ => HostCode::StaffRolls,
        }
        .into())
    }
}
