//! The rules of one table, in the form the engine uses.

use crate::dice::WAYS;
use craps_dice::Total;
use craps_law::TableRules;
use craps_money::Money;
use craps_table::fast::HandRolls;
use craps_table::{
    Board, Event, Hand, MOST_SLOTS, SeatId, Shooter, Slot, SlotId, Slots, Table, TooManySlots, Trackers,
};
use craps_wagers::{Side, WagerId};
use std::sync::Arc;

/// The rules of one table, in the form the engine uses.
#[derive(Debug)]
pub struct Rules {
    pub(super) table: Table,
    pub(super) board: Arc<Board>,
    /// Line bets. `shoots` holds the ones that a player can shoot with.
    pub(super) line: Slots,
    pub(super) shoots: Slots,
    pub(super) come: Slots,
    pub(super) dont_come: Slots,
    /// The trackers that betting windows read, in their initial state.
    pub(super) trackers: Trackers,
    /// True if some bets collect numbers from roll to roll.
    pub(super) gathers: bool,
    pub(super) is_wide: bool,
    pub(super) briefs: [Brief; MOST_SLOTS],
    /// The bet in front of the odds in each slot. For bets that aren't odds it is the slot itself, so that reading it needs no branch.
    pub(super) fronts: [SlotId; MOST_SLOTS],
    pub(super) rolls: HandRolls,
    takers: [Shooter; 12],
}

/// The seat of the player.
pub(crate) const PLAYER: SeatId = 1;
/// The seat of the stand-in, who rolls when the player has no line bet. The stand-in can always shoot.
pub(crate) const STAND_IN: SeatId = 2;
/// More than any bet needs. The engine itself checks whether the player's chips cover a bet.
const RICH: i64 = 100_000_000_000_000;

impl Rules {
    /// Prepares the rules of a table for the engine.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// use craps_sim::Rules;
    /// let library = Library::shipped();
    /// let book = library.named("nj")?;
    /// let rules = Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day))?)?;
    /// assert!(rules.board().named("pass").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table would need more betting slots than a board holds.
    pub fn new(rules: TableRules) -> Result<Rules, TooManySlots> {
        let mut table = Table::open(rules)?;
        table.apply(&Event::Joined { seat: PLAYER, name: "player".to_owned(), money: Money::from_minor(RICH) });
        let board = table.shared_board();
        let of = |keep: &dyn Fn(&Slot) -> bool| -> Slots {
            board.slots().filter(|(_, slot)| keep(slot)).map(|(id, _)| id).collect()
        };
        let (line, shoots) = (board.line(), table.shoots_with());
        let moving = |side: Side| of(&|slot| slot.wager.wager().travels() && slot.wager.wager().side() == Some(side));
        let (come, dont_come) = (moving(Side::Right), moving(Side::Wrong));
        let is_particular = |id: SlotId| {
            let make = &board.rules(table.rules(), id).make.is;
            !Hand::allows_by_phase(make) || make.with.is_some()
        };
        let mut fronts = SlotId::ALL;
        let mut briefs = [Brief { tracker: None, particular: false }; MOST_SLOTS];
        for (id, slot) in board.slots() {
            fronts[id.index()] = slot.front.unwrap_or(id);
            briefs[id.index()] = Brief { tracker: slot.tracker, particular: is_particular(id) };
        }
        let rolls = HandRolls::new(&board, table.rules(), table.is_given_up_on_any_seven(), &WAYS);
        let trackers = Trackers::governing(&board);
        let gathers = !board.gathering().is_empty();
        let takers = takers(table.is_automated());
        let is_wide = board.is_wide();
        Ok(Rules {
            table,
            board,
            line,
            shoots,
            come,
            dont_come,
            trackers,
            gathers,
            is_wide,
            briefs,
            fronts,
            rolls,
            takers,
        })
    }

    /// Returns who takes free dice before a come-out roll. `stand_in`: the stand-in sits at the table. `may`: the player can shoot.
    #[inline]
    pub(super) fn taker(&self, last: Option<Shooter>, stand_in: bool, may: bool) -> Shooter {
        self.takers[taker_place(last, stand_in, may)]
    }

    /// Returns the board, which lists the betting slots of the table.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules that the table was opened with.
    #[must_use]
    pub fn table(&self) -> &TableRules {
        self.table.rules()
    }
}

fn taker_place(last: Option<Shooter>, stand_in: bool, may: bool) -> usize {
    let last = match last {
        None => 0,
        Some(Shooter::Seat(PLAYER)) => 1,
        Some(_) => 2,
    };
    last * 4 + usize::from(stand_in) * 2 + usize::from(may)
}

/// Computes the table's own rotation once: who takes the dice after a seven, or at the start.
fn takers(has_shaker: bool) -> [Shooter; 12] {
    let mut takers = [Shooter::Seat(STAND_IN); 12];
    for last in [None, Some(Shooter::Seat(PLAYER)), Some(Shooter::Seat(STAND_IN))] {
        for (stand_in, may) in [(false, false), (false, true), (true, false), (true, true)] {
            let hand = Hand { last_shooter: last, previous: last.map(|_| Total::Seven), ..Hand::NEW };
            takers[taker_place(last, stand_in, may)] = rotated(hand, has_shaker, stand_in, may);
        }
    }
    takers
}

/// Returns who rolls next by the table's own rotation. If the player is alone and can't shoot, the stand-in joins. The dealer, who operates a
/// shaker that no one else can use, counts as the stand-in.
fn rotated(hand: Hand, has_shaker: bool, stand_in: bool, may: bool) -> Shooter {
    let seats = if stand_in || !may { &[PLAYER, STAND_IN][..] } else { &[PLAYER] };
    match hand.next_shooter(seats, has_shaker, |seat| seat == STAND_IN || may) {
        Some(Shooter::Seat(seat)) => Shooter::Seat(seat),
        Some(Shooter::Dealer) | None => Shooter::Seat(STAND_IN),
    }
}

/// What the engine needs to know about a slot to tell when a bet can be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brief {
    /// The wager whose tracker the betting window reads.
    pub(super) tracker: Option<WagerId>,
    /// True if the betting window reads more than the phase, or if the bet needs a line bet.
    pub(super) particular: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The previous total doesn't matter: a player who can't shoot any more gives up the dice in the same way.
    #[test]
    fn dice_are_taken_as_the_table_would_have_them_taken() {
        for has_shaker in [false, true] {
            let takers = takers(has_shaker);
            for last in [None, Some(Shooter::Seat(PLAYER)), Some(Shooter::Seat(STAND_IN))] {
                for (stand_in, may) in [(false, false), (false, true), (true, false), (true, true)] {
                    for previous in Total::ALL {
                        let hand = Hand { last_shooter: last, previous: last.map(|_| previous), ..Hand::NEW };
                        let kept = last == Some(Shooter::Seat(STAND_IN)) && !stand_in;
                        let taker = rotated(hand, has_shaker, stand_in, may);
                        // The stand-in can only have had the dice if it sits at the table.
                        assert!(kept || takers[taker_place(last, stand_in, may)] == taker, "{hand:?} {stand_in} {may}");
                    }
                }
            }
        }
        let takers = takers(false);
        let after = |last, stand_in, may| takers[taker_place(last, stand_in, may)];
        let (player, stand_in) = (Shooter::Seat(PLAYER), Shooter::Seat(STAND_IN));
        assert_eq!((after(None, false, true), after(None, false, false)), (player, stand_in));
        assert_eq!((after(Some(player), false, true), after(Some(player), true, true)), (player, stand_in));
        assert_eq!((after(Some(stand_in), true, true), after(Some(stand_in), true, false)), (player, stand_in));
    }
}
