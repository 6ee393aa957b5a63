//! Works out odds: which bet they go behind, and how much.

use super::order::{Amount, Kind, OddsAmount, Share, Which};
use super::rail::{Meant, Rail};
use super::say::{number_name, slot_name, which_name};
use craps_dice::Point;
use craps_law::{Cap, Prize};
use craps_money::{Money, Stake};
use craps_table::{Command, Manner, SlotId};
use craps_wagers::{Family, Phase};

impl Rail<'_> {
    pub(super) fn odds(&self, behind: Option<&Which>, amount: OddsAmount, share: Share) -> Meant<Vec<Command>> {
        let slots = self.behind(behind)?;
        let several = slots.len() > 1 && share != Share::Each && matches!(amount, OddsAmount::Of(Amount::Exactly(_)));
        if several || (behind.is_none() && slots.len() > 1) {
            let fronts: Vec<SlotId> = slots.iter().filter_map(|slot| self.table.board().slot(*slot).front).collect();
            return Err(self.which_one("odds", "Odds on which bet?".to_owned(), &fronts));
        }
        let command = |slot: &SlotId| {
            let amount = self.odds_amount(*slot, amount)?;
            Ok(Command::Bet { seat: self.seat, slot: *slot, amount, manner: Manner::default() })
        };
        slots.iter().map(command).collect()
    }

    /// Returns the odds slots behind the named bet. If no bet is named, those behind the line bets, or behind other bets if there is no line bet.
    pub(super) fn behind(&self, behind: Option<&Which>) -> Meant<Vec<SlotId>> {
        let layout = self.table.board();
        let odds_of =
            |fronts: Vec<SlotId>| fronts.into_iter().filter_map(|front| layout.slot(front).odds).collect::<Vec<_>>();
        let found = match behind {
            None => {
                let line = odds_of(self.filtered(|rail, slot| rail.is_kind(slot, Kind::Line)));
                let others = odds_of(
                    self.filtered(|rail, slot| layout.slot(slot).odds.is_some() && !rail.is_kind(slot, Kind::Line)),
                );
                match (line.is_empty(), others.is_empty()) {
                    (false, _) => line,
                    (true, false) => others,
                    // There is no bet to go behind. Let the table refuse it and cite the rule.
                    (true, true) => layout
                        .slots()
                        .find(|(_, place)| place.front.is_some_and(|front| self.is_kind(front, Kind::Line)))
                        .map(|(odds, _)| odds)
                        .into_iter()
                        .collect(),
                }
            }
            // At a table without put bets, `put odds on the six` means: take odds on the six.
            Some(Which::Named(bet)) if bet.wager.wager().family == Family::Put && self.slot(bet).is_err() => {
                let number = bet.wager.wager().number.map(Which::Number);
                return number.map_or_else(|| Err(self.not_offered(bet)), |number| self.behind(Some(&number)));
            }
            Some(Which::Named(bet)) => {
                let slot = self.slot(bet)?;
                if self.family(slot) == Family::Odds {
                    vec![slot]
                } else {
                    layout.slot(slot).odds.into_iter().collect()
                }
            }
            Some(Which::Number(point)) => {
                let is_on = |rail: &Self, slot: SlotId| {
                    let line = rail.is_kind(slot, Kind::Line) && rail.table.phase() == Phase::Point(*point);
                    line || rail.point_of(slot) == Some(*point)
                };
                let found = odds_of(self.filtered(is_on));
                if found.len() > 1 {
                    let fronts: Vec<SlotId> = found.iter().filter_map(|slot| layout.slot(*slot).front).collect();
                    return Err(self.which_one(number_name(*point), "Odds on which bet?".to_owned(), &fronts));
                }
                found
            }
            Some(which) => odds_of(self.standing(which)?),
        };
        if found.is_empty() {
            let name = behind.map(which_name).unwrap_or_default();
            let fronts = self.filtered(|_, slot| layout.slot(slot).odds.is_some());
            return Err(self.which_one(&name, format!("You have no bet on {name} that takes odds"), &fronts));
        }
        Ok(found)
    }

    fn odds_amount(&self, slot: SlotId, amount: OddsAmount) -> Meant<Stake> {
        let times = match amount {
            OddsAmount::Of(amount) => return self.amount(slot, amount),
            OddsAmount::Times(times) => times,
            OddsAmount::ByNumber([outer, middle, inner]) => match self.odds_number(slot) {
                Some(Point::Four | Point::Ten) => outer,
                Some(Point::Five | Point::Nine) => middle,
                Some(Point::Six | Point::Eight) => inner,
                _ => {
                    return Err(self.ask("odds", "Those odds are for 4, 5, 6, 8, 9 and 10", vec![(self.again)("it")]));
                }
            },
        };
        let layout = self.table.board();
        let rules = layout.rules(self.table.rules(), slot);
        let name = slot_name(self.table, slot);
        let front = layout.slot(slot).front.ok_or_else(|| self.nothing_there(&name))?;
        let flat = i128::from(self.stands(front)?.stake.minor());
        let rank = self.odds_number(slot).and_then(|number| rules.wager.wager().ranks.find(&number.to_string()));
        let price = rank.and_then(|rank| rules.prizes.is.of(rank));
        let (Some(Prize::Paid(price)), Some(odds)) = (price, &rules.odds) else {
            return Err(self.ask(name.clone(), format!("There is no point yet for {name}"), Vec::new()));
        };
        // The book limits odds as a multiple of the stake or of the win.
        let (win, per) = price.net();
        let (total, rest) = match odds.cap.is {
            Cap::Stake => (flat * i128::from(times), 0),
            Cap::Win => {
                let won = flat * i128::from(times) * i128::from(per);
                (won / i128::from(win.max(1)), won % i128::from(win.max(1)))
            }
        };
        let standing = self.bet_on(slot).map_or(0, |bet| i128::from(bet.stake.minor()));
        let more = i64::try_from(total - standing)
            .ok()
            .filter(|_| rest == 0)
            .and_then(|minor| Stake::new(Money::from_minor(minor)));
        more.ok_or_else(|| {
            self.ask(
                name.clone(),
                format!("{times} times odds is not a whole amount, or not more than you already have on {name}"),
                Vec::new(),
            )
        })
    }

    /// Returns the number that odds are on: the number of their slot, or the point.
    fn odds_number(&self, slot: SlotId) -> Option<Point> {
        match (self.table.board().slot(slot).number, self.table.phase()) {
            (Some(number), _) => Some(number),
            (None, Phase::Point(point)) => Some(point),
            _ => None,
        }
    }
}
