//! Finds the bets of one house that a strategy names.

use super::script::{Act, Names, Script, Statement};
use craps_dice::Point;
use craps_law::{Cap, OddsRules, Prize, TableRules};
use craps_money::{Money, RoundingRule, Stake};
use craps_notation::BetName;
use craps_notation::talk::{Kind, Spread, Which, bet_name, in_one};
use craps_table::{Board, SlotId};
use craps_wagers::{Catalogue, Family, WagerId};

/// A name that doesn't work at this house, and what it has instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotHere {
    pub(super) message: String,
    pub(super) instead: Vec<String>,
}

impl NotHere {
    fn new(message: impl Into<String>) -> NotHere {
        NotHere { message: message.into(), instead: Vec::new() }
    }
}

type Found<T> = Result<T, NotHere>;

/// The board and the rules, and all bets that the strategy can have on the felt.
pub(super) struct House<'a> {
    pub(super) board: &'a Board,
    pub(super) rules: &'a TableRules,
    pub(super) held: Vec<SlotId>,
}

impl<'a> House<'a> {
    pub(super) fn new(board: &'a Board, rules: &'a TableRules, script: &Script) -> House<'a> {
        let mut house = House { board, rules, held: Vec::new() };
        let mut orders = Vec::new();
        gather(&script.body, &mut orders);
        for act in &orders {
            let made = match act {
                Act::Bet { bets, .. } => bets.iter().filter_map(|which| house.made(which).ok()).flatten().collect(),
                Act::Move { from, to } => house.moved_to(from, to).into_iter().collect(),
                _ => Vec::new(),
            };
            house.hold(made);
        }
        for act in &orders {
            if let Act::Odds { behind, .. } = act {
                let odds = house.behind(behind.as_ref()).unwrap_or_default();
                house.hold(odds);
            }
        }
        house
    }

    fn hold(&mut self, slots: Vec<SlotId>) {
        for slot in slots {
            if !self.held.contains(&slot) {
                self.held.push(slot);
            }
            // A come bet can move to its number.
            let place = self.board.slot(slot);
            if place.number.is_none() && place.wager.wager().is_named_by_number() {
                let moved = self.board.slots().filter(|(_, other)| other.wager == place.wager).map(|(id, _)| id);
                for id in moved {
                    if !self.held.contains(&id) {
                        self.held.push(id);
                    }
                }
            }
        }
    }

    pub(super) fn name(&self, slot: SlotId) -> String {
        let place = self.board.slot(slot);
        bet_name(&BetName { wager: place.wager, number: place.number })
    }

    fn family(&self, slot: SlotId) -> Family {
        self.board.slot(slot).wager.wager().family
    }

    /// Returns the number a bet is on.
    pub(super) fn point_of(&self, slot: SlotId) -> Option<Point> {
        let place = self.board.slot(slot);
        place.number.or(place.wager.wager().number)
    }

    // ---- bets that are made ----

    /// Returns the slots of bets to be made.
    pub(super) fn made(&self, which: &Which) -> Found<Vec<SlotId>> {
        match which {
            Which::Named(bet) => Ok(vec![self.slot(bet)?]),
            Which::Number(point) => Ok(vec![self.number(*point)?]),
            Which::Spread { how, spread } => {
                spread.numbers().iter().map(|point| self.on(how.unwrap_or(Family::PlaceWin), *point)).collect()
            }
            Which::Combo(combo) => combo.parts.iter().map(|wager| self.plain(*wager)).collect(),
            Which::All(_) | Which::Odds(_) | Which::It => Err(NotHere::new("Say which bet to make")),
        }
    }

    fn slot(&self, bet: &BetName) -> Found<SlotId> {
        self.board.find(bet.wager, bet.number).ok_or_else(|| self.not_offered(bet))
    }

    fn plain(&self, wager: WagerId) -> Found<SlotId> {
        self.slot(&BetName { wager, number: None })
    }

    fn on(&self, family: Family, point: Point) -> Found<SlotId> {
        let none = || NotHere::new(format!("There is no {} bet on {point}", family.name()));
        self.plain(Catalogue::current().on_number(family, point).ok_or_else(none)?)
    }

    /// Returns the bet for a number by itself: the place bet. 2, 3, 11 and 12 mean the one-roll bet, unless this table also places them.
    fn number(&self, point: Point) -> Found<SlotId> {
        let placed = self.on(Family::PlaceWin, point);
        let Some(prop) = in_one(point) else { return placed };
        match (placed, self.plain(prop)) {
            (Ok(placed), Ok(prop)) => Err(NotHere {
                message: format!("Place the {point}, or bet it for the next roll?"),
                instead: vec![self.name(placed), self.name(prop)],
            }),
            (Ok(placed), Err(_)) => Ok(placed),
            (Err(_), prop) => prop,
        }
    }

    /// Returns the error for a bet that isn't offered, with other bets on the same number, or else bets with similar names.
    fn not_offered(&self, bet: &BetName) -> NotHere {
        let near = self.board.near(bet.wager);
        let message = format!("This house doesn't offer {}", bet_name(bet));
        NotHere { message, instead: near.into_iter().take(3).map(|slot| self.name(slot)).collect() }
    }

    // ---- bets that stand ----

    /// Returns the slots of the named bets among those that the strategy makes.
    pub(super) fn standing(&self, which: &Which) -> Found<Vec<SlotId>> {
        let held =
            |keep: &dyn Fn(SlotId) -> bool| self.held.iter().copied().filter(|slot| keep(*slot)).collect::<Vec<_>>();
        let found = match which {
            Which::Named(bet) => {
                let slot = self.slot(bet)?;
                held(&|held| held == slot)
            }
            Which::Number(point) => self.on_number(*point)?,
            Which::Spread { how, spread } => held(&|slot| self.is_spread(slot, *how, *spread)),
            Which::Combo(combo) => held(&|slot| combo.parts.contains(&self.board.slot(slot).wager)),
            Which::All(kind) => held(&|slot| kind.covers(self.board.slot(slot).wager.wager())),
            Which::Odds(None) => held(&|slot| self.family(slot) == Family::Odds),
            Which::Odds(Some(behind)) => {
                let odds = self.behind(Some(behind))?;
                held(&|slot| odds.contains(&slot))
            }
            Which::It => {
                return Err(NotHere::new("`it` means a bet in the condition, and there is none here"));
            }
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let mut own: Vec<String> = Vec::new();
        for slot in self.held.iter().filter(|slot| self.board.slot(**slot).number.is_none()) {
            own.push(self.name(*slot));
        }
        own.truncate(3);
        let message = match which {
            Which::Named(bet) => format!("This strategy never bets {}", bet_name(bet)),
            Which::Number(point) => format!("This strategy never bets on the {point}"),
            _ => "This strategy never makes such a bet".to_owned(),
        };
        Err(NotHere { message, instead: own })
    }

    fn is_spread(&self, slot: SlotId, how: Option<Family>, spread: Spread) -> bool {
        let family = self.family(slot);
        let meant = how.map_or(matches!(family, Family::PlaceWin | Family::Buy), |how| how == family);
        meant && self.point_of(slot).is_some_and(|point| spread.numbers().contains(&point))
    }

    /// Returns the bets that a number by itself means: the place or buy bet on it, or else the only bet on it.
    fn on_number(&self, point: Point) -> Found<Vec<SlotId>> {
        let on = |slot: &SlotId| self.point_of(*slot) == Some(point) && self.family(*slot) != Family::Odds;
        let on: Vec<SlotId> = self.held.iter().copied().filter(on).collect();
        let is_placed = |slot: &SlotId| Kind::Numbers.covers(self.board.slot(*slot).wager.wager());
        let placed: Vec<SlotId> = on.iter().copied().filter(is_placed).collect();
        match (&placed[..], &on[..]) {
            ([one], _) | ([], [one]) => Ok(vec![*one]),
            ([], []) => Ok(Vec::new()),
            _ => Err(NotHere {
                message: format!("Which bet on the {point}?"),
                instead: on.iter().take(3).map(|slot| self.name(*slot)).collect(),
            }),
        }
    }

    pub(super) fn of(&self, names: &Names) -> Found<Vec<SlotId>> {
        self.standing(&names.which)
    }

    /// Returns the slot that a bet moves to. A number by itself means the same kind of bet as the one that moves.
    pub(super) fn moved_to(&self, from: &Which, to: &Which) -> Found<SlotId> {
        let family = |which: &Which| match which {
            Which::Named(bet) => Some(bet.wager.wager().family),
            _ => None,
        };
        let slots = match to {
            Which::Number(point) => {
                let held = self.standing(from).ok().and_then(|slots| slots.first().map(|slot| self.family(*slot)));
                let buys = held.or_else(|| family(from)) == Some(Family::Buy);
                vec![self.on(if buys { Family::Buy } else { Family::PlaceWin }, *point)?]
            }
            to => self.made(to)?,
        };
        match slots[..] {
            [one] => Ok(one),
            _ => Err(NotHere::new("A bet can only move to one place")),
        }
    }

    // ---- odds ----

    /// Returns the odds slots behind the named bets. Without a name, those behind the line bets, or else behind any bet that takes odds.
    pub(super) fn behind(&self, behind: Option<&Which>) -> Found<Vec<SlotId>> {
        let odds_of = |fronts: &[SlotId]| -> Vec<SlotId> {
            fronts.iter().filter_map(|front| self.board.slot(*front).odds).collect()
        };
        let is_line = |slot: &SlotId| Kind::Line.covers(self.board.slot(*slot).wager.wager());
        let found = match behind {
            None => {
                let line: Vec<SlotId> = self.held.iter().copied().filter(is_line).collect();
                if line.is_empty() { odds_of(&self.held) } else { odds_of(&line) }
            }
            Some(Which::Named(bet)) if bet.wager.wager().family == Family::Odds => vec![self.slot(bet)?],
            // Odds on a number go behind the strategy's bet on that number.
            Some(Which::Number(point)) => {
                let on: Vec<SlotId> =
                    self.held.iter().copied().filter(|slot| self.point_of(*slot) == Some(*point)).collect();
                odds_of(&on)
            }
            Some(which) => odds_of(&self.standing(which)?),
        };
        if found.is_empty() {
            return Err(NotHere::new("This strategy has no bet there that takes odds"));
        }
        Ok(found)
    }

    /// Returns the terms of odds on a number.
    pub(super) fn odds_on(&self, odds: SlotId, number: Point) -> Option<OddsOn<'a>> {
        let rules = self.board.rules(self.rules, odds);
        let rank = rules.wager.wager().ranks.find(&number.to_string())?;
        let Some(Prize::Paid(price)) = rules.prizes.is.of(rank) else { return None };
        let terms = rules.odds.as_ref()?;
        let front = self.board.slot(odds).front?;
        let house = self.board.rules(self.rules, front).limits.and_then(|limits| limits.max);
        Some(OddsOn { terms, number, price, rules: self.rules, table_max: house })
    }
}

/// The terms of odds on one number.
pub(super) struct OddsOn<'a> {
    terms: &'a OddsRules,
    number: Point,
    price: craps_money::Odds,
    rules: &'a TableRules,
    table_max: Option<Stake>,
}

impl OddsOn<'_> {
    /// Returns the maximum odds behind a flat bet.
    pub(super) fn most(&self, flat: i64) -> Option<i64> {
        let flat = Stake::new(Money::from_minor(flat))?;
        let rounding = &self.rules.rounding;
        self.terms.most_at_table(flat, self.number, self.price, rounding, self.table_max).map(Money::minor)
    }

    /// Returns a multiple of the flat bet as the book counts it, by the stake or by the win: a fraction, and the step that the amount has to be a
    /// multiple of.
    pub(super) fn times(&self, times: u32) -> (i64, i64, i64) {
        let (win, per) = self.price.net();
        let (top, bottom) = match self.terms.cap.is {
            Cap::Stake => (i64::from(times), 1),
            Cap::Win => (i64::from(times) * i64::from(per), i64::from(win.max(1))),
        };
        let chip = i64::try_from(self.rules.rounding.chip.minor()).unwrap_or(1);
        let exact = self.rules.rounding.rule == RoundingRule::ExactOrRefuse;
        (top, bottom, if exact { chip.saturating_mul(i64::from(per)) } else { chip })
    }
}

/// Collects every order of a strategy.
fn gather<'a>(body: &'a [Statement], all: &mut Vec<&'a Act>) {
    for statement in body {
        match statement {
            Statement::If(branches) => branches.iter().for_each(|branch| gather(&branch.body, all)),
            Statement::Order(order) => all.push(&order.act),
            Statement::Set(..) | Statement::Quit => {}
        }
    }
}
