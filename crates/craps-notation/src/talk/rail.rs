//! Finds the bets that an order is about: bets of the layout, and bets that the seat has up.

use super::order::{AskBack, AskKind, Combo, Kind, Spread, Which, in_one};
use super::say::{bet_name, number_name, slot_name, standing_name, which_name};
use crate::game::BetName;
use craps_dice::Point;
use craps_money::{Money, Stake};
use craps_table::{Bet, SeatId, SlotId, Table};
use craps_wagers::{Catalogue, Family, WagerId};
use std::ops::Range;

pub(super) type Meant<T> = Result<T, AskBack>;

/// One seat at the table, and the order its player gave.
pub(super) struct Rail<'a> {
    pub(super) table: &'a Table,
    pub(super) seat: SeatId,
    pub(super) span: &'a Range<usize>,
    /// Writes the same order for another bet's name.
    pub(super) again: &'a dyn Fn(&str) -> String,
}

impl Rail<'_> {
    pub(super) fn ask(&self, word: impl Into<String>, message: impl Into<String>, suggestions: Vec<String>) -> AskBack {
        let suggestions = if suggestions.is_empty() { vec!["what can I bet".to_owned()] } else { suggestions };
        AskBack {
            kind: AskKind::Unclear,
            span: self.span.clone(),
            word: word.into(),
            message: message.into(),
            suggestions,
        }
    }

    pub(super) fn stake(&self, minor: i64) -> Meant<Stake> {
        Stake::new(Money::from_minor(minor)).ok_or_else(|| self.ask("", "That comes to 0", Vec::new()))
    }

    pub(super) fn slot(&self, bet: &BetName) -> Meant<SlotId> {
        self.table.board().find(bet.wager, bet.number).ok_or_else(|| self.not_offered(bet))
    }

    fn plain(&self, wager: WagerId) -> Meant<SlotId> {
        self.slot(&BetName { wager, number: None })
    }

    /// Builds the answer for a bet that this table doesn't have. Suggests other bets on the same number, or bets with a similar name.
    pub(super) fn not_offered(&self, bet: &BetName) -> AskBack {
        let near = self.table.board().near(bet.wager);
        let suggestions = near.into_iter().take(3).map(|slot| (self.again)(&slot_name(self.table, slot))).collect();
        let name = bet_name(bet);
        self.ask(name.clone(), format!("This table doesn't offer {name}"), suggestions)
    }

    fn bets(&self) -> impl Iterator<Item = (SlotId, &Bet)> {
        let seat = self.table.seat(self.seat);
        self.table.board().slots().filter_map(move |(slot, _)| Some((slot, seat?.bets.get(slot)?)))
    }

    pub(super) fn bet_on(&self, slot: SlotId) -> Option<&Bet> {
        self.table.seat(self.seat)?.bets.get(slot)
    }

    pub(super) fn stands(&self, slot: SlotId) -> Meant<&Bet> {
        self.bet_on(slot).ok_or_else(|| self.nothing_there(&slot_name(self.table, slot)))
    }

    pub(super) fn nothing_there(&self, name: &str) -> AskBack {
        self.which_one(name, format!("You have no bet on {name}"), &self.mine())
    }

    /// Returns every bet of the seat. Line and come bets come last, because little can be done with them.
    pub(super) fn mine(&self) -> Vec<SlotId> {
        let mut mine = self.filtered(|_, _| true);
        mine.sort_by_key(|slot| self.family(*slot) == Family::Line);
        mine
    }

    pub(super) fn which_one(&self, word: &str, message: String, slots: &[SlotId]) -> AskBack {
        let suggestions = slots.iter().take(6).map(|slot| (self.again)(&standing_name(self.table, *slot))).collect();
        self.ask(word, message, suggestions)
    }

    /// Returns the slots of bets to make.
    pub(super) fn made(&self, which: &Which) -> Meant<Vec<SlotId>> {
        match which {
            Which::Named(bet) => Ok(vec![self.slot(bet)?]),
            Which::Number(point) => Ok(vec![self.number(*point)?]),
            Which::Spread { how, spread } => spread.numbers().iter().map(|point| self.placed(*how, *point)).collect(),
            Which::Combo(combo) => combo.parts.iter().map(|wager| self.plain(*wager)).collect(),
            Which::All(_) | Which::Odds(_) | Which::It => self.standing(which),
        }
    }

    /// Returns the slot for a number alone: a place bet, or a one-roll bet on 2, 3, 11 and 12. Asks if this table has both.
    fn number(&self, point: Point) -> Meant<SlotId> {
        let placed = self.placed(None, point);
        let Some(prop) = in_one(point) else { return placed };
        match (placed, self.plain(prop)) {
            (Ok(placed), Ok(prop)) => {
                let name = number_name(point);
                Err(self.which_one(name, format!("Place the {name}, or bet it for one roll?"), &[placed, prop]))
            }
            (Ok(placed), Err(_)) => Ok(placed),
            (Err(_), prop) => prop,
        }
    }

    pub(super) fn placed(&self, how: Option<Family>, point: Point) -> Meant<SlotId> {
        let family = how.unwrap_or(Family::PlaceWin);
        let wager = Catalogue::current().on_number(family, point);
        let none = || self.ask("", format!("There is no {} bet on {}", family.name(), number_name(point)), Vec::new());
        self.plain(wager.ok_or_else(none)?)
    }

    /// Returns the slots of bets that should be up already. A bet given by its full name is returned even if it isn't up. The table then refuses the
    /// order.
    pub(super) fn standing(&self, which: &Which) -> Meant<Vec<SlotId>> {
        let found: Vec<SlotId> = match which {
            Which::Named(bet) => vec![self.slot(bet)?],
            Which::Number(point) => vec![self.on_number(*point)?],
            Which::Spread { how, spread } => self.filtered(|rail, slot| rail.is_spread(slot, *how, *spread)),
            Which::Combo(Combo { parts, .. }) => {
                self.filtered(|rail, slot| parts.contains(&rail.table.board().slot(slot).wager))
            }
            Which::All(kind) => self.filtered(|rail, slot| rail.is_kind(slot, *kind)),
            Which::Odds(None) => self.filtered(|rail, slot| rail.family(slot) == Family::Odds),
            Which::Odds(Some(behind)) => self.behind(Some(behind))?,
            Which::It => {
                let all = self.mine();
                match all[..] {
                    [one] => vec![one],
                    [] => Vec::new(),
                    _ => return Err(self.which_one("it", "Which bet?".to_owned(), &all)),
                }
            }
        };
        match which {
            _ if !found.is_empty() => Ok(found),
            Which::All(_) | Which::Odds(_) | Which::It => {
                let name = if matches!(which, Which::All(Kind::Everything) | Which::It) {
                    "bets".to_owned()
                } else {
                    which_name(which)
                };
                Err(self.which_one(&name, format!("You have no {name} up"), &self.mine()))
            }
            _ => Err(self.nothing_there(&which_name(which))),
        }
    }

    pub(super) fn filtered(&self, keep: impl Fn(&Self, SlotId) -> bool) -> Vec<SlotId> {
        self.bets().map(|(slot, _)| slot).filter(|slot| keep(self, *slot)).collect()
    }

    pub(super) fn family(&self, slot: SlotId) -> Family {
        self.table.board().slot(slot).wager.wager().family
    }

    fn is_spread(&self, slot: SlotId, how: Option<Family>, spread: Spread) -> bool {
        let family = self.family(slot);
        let meant = how.map_or(matches!(family, Family::PlaceWin | Family::Buy), |how| how == family);
        meant && self.point_of(slot).is_some_and(|point| spread.numbers().contains(&point))
    }

    pub(super) fn is_kind(&self, slot: SlotId, kind: Kind) -> bool {
        kind.covers(self.table.board().slot(slot).wager.wager())
    }

    /// Returns true for the kinds of bets that players turn on and off.
    pub(super) fn can_be_off(&self, slot: SlotId) -> bool {
        !matches!(self.family(slot), Family::Line | Family::OneThrow | Family::Hop | Family::Shooter)
    }

    /// Returns the number that a bet is on.
    pub(super) fn point_of(&self, slot: SlotId) -> Option<Point> {
        let place = self.table.board().slot(slot);
        place.number.or(place.wager.wager().number)
    }

    /// Returns the bet that a player means by a number: the place or buy bet on it, or else the only bet on it.
    fn on_number(&self, point: Point) -> Meant<SlotId> {
        let on = self.filtered(|rail, slot| rail.point_of(slot) == Some(point) && rail.family(slot) != Family::Odds);
        let placed: Vec<SlotId> = on.iter().copied().filter(|slot| self.is_kind(*slot, Kind::Numbers)).collect();
        match (&placed[..], &on[..]) {
            ([one], _) | ([], [one]) => Ok(*one),
            ([], []) => Err(self.nothing_there(&format!("the {}", number_name(point)))),
            _ => Err(self.which_one(number_name(point), format!("Which bet on the {}?", number_name(point)), &on)),
        }
    }
}
