//! Works out the amounts of bets: splits, presses, regressions, moves and bets taken down.

use super::order::{Amount, AskBack, Cut, Raise, Share, Which};
use super::rail::{Meant, Rail};
use super::say::{amount_name, names, slot_name, which_name};
use craps_law::{Prize, WagerRules};
use craps_money::{Money, Stake};
use craps_table::{Actor, Command, Events, Manner, SlotId};
use craps_wagers::{Family, Phase, Rank};

impl Rail<'_> {
    pub(super) fn bet(
        &self,
        bets: &[Which],
        amount: Amount,
        share: Share,
        manner: &Manner,
        notes: &mut Vec<String>,
    ) -> Meant<Vec<Command>> {
        let mut slots = bets.iter().map(|which| self.made(which)).collect::<Meant<Vec<_>>>()?.concat();
        let command =
            |slot: SlotId, amount: Stake| Command::Bet { seat: self.seat, slot, amount, manner: manner.clone() };
        if let [Which::Combo(combo)] = bets {
            notes.push(format!("{} is split into {} bets", combo.name, slots.len()));
        }
        if let [slot] = slots[..] {
            return Ok(vec![command(slot, self.amount(slot, amount)?)]);
        }
        if let [Which::Spread { .. }] = bets
            && let Some(without) = self.without_point(&slots, amount, share)
        {
            slots = without;
            notes.push(format!("{} without the point", names(bets)));
        }
        let one_name = bets.len() == 1;
        match (amount, share) {
            (Amount::Exactly(total), Share::Together) => self.shared(bets, &slots, total)?,
            (Amount::Exactly(total), Share::Unsaid) if one_name => self.shared(bets, &slots, total)?,
            (Amount::Exactly(total), Share::Unsaid) => {
                let suggestions = [("each", Share::Each), ("together", Share::Together)]
                    .map(|(word, _)| format!("{total} {word} on {}", names(bets)));
                return Err(self.ask(
                    names(bets),
                    format!("{total} on each, or {total} for all of them together?"),
                    suggestions.to_vec(),
                ));
            }
            _ => slots.iter().map(|slot| Ok((*slot, self.amount(*slot, amount)?))).collect::<Meant<Vec<_>>>()?,
        }
        .into_iter()
        .map(|(slot, stake)| Ok(command(slot, stake)))
        .collect()
    }

    /// Returns the numbers without the point if a dealer would leave it out: when the amount is for each number, or when it splits evenly over the
    /// others.
    fn without_point(&self, slots: &[SlotId], amount: Amount, share: Share) -> Option<Vec<SlotId>> {
        let others = self.but_the_point(slots)?;
        let fits = match (amount, share) {
            (Amount::Exactly(total), Share::Unsaid | Share::Together) => {
                total.minor().is_multiple_of(self.parts(&others).1)
            }
            _ => true,
        };
        fits.then_some(others)
    }

    fn but_the_point(&self, slots: &[SlotId]) -> Option<Vec<SlotId>> {
        let Phase::Point(point) = self.table.phase() else { return None };
        let others: Vec<SlotId> = slots.iter().copied().filter(|slot| self.point_of(*slot) != Some(point)).collect();
        (others.len() < slots.len() && !others.is_empty()).then_some(others)
    }

    /// Returns the parts in which dealers split an amount, in cents, and their sum. If all are place bets, a part is one dealer's unit on the
    /// number; otherwise it is one chip.
    fn parts(&self, slots: &[SlotId]) -> (Vec<u64>, u64) {
        let by_number = slots.iter().all(|slot| self.family(*slot) == Family::PlaceWin);
        let chip = self.table.rules().rounding.chip.minor();
        let parts: Vec<u64> = slots.iter().map(|slot| if by_number { chip * self.unit(*slot) } else { chip }).collect();
        let sum = parts.iter().sum::<u64>().max(1);
        (parts, sum)
    }

    fn unit(&self, slot: SlotId) -> u64 {
        dealers_unit(self.table.board().rules(self.table.rules(), slot))
    }

    fn shared(&self, bets: &[Which], slots: &[SlotId], total: Stake) -> Meant<Vec<(SlotId, Stake)>> {
        let (parts, sum) = self.parts(slots);
        let times = total.minor() / sum;
        if times > 0 && total.minor().is_multiple_of(sum) {
            let each = |part: &u64| part.checked_mul(times).and_then(|minor| i64::try_from(minor).ok());
            let stakes = parts.iter().map(|part| self.stake(each(part).unwrap_or_default()));
            return slots.iter().copied().zip(stakes).map(|(slot, stake)| Ok((slot, stake?))).collect();
        }
        let spread = matches!(bets, [Which::Spread { .. }]);
        let without = if spread { self.but_the_point(slots) } else { None };
        let sums = [Some(slots.to_vec()), without].into_iter().flatten().map(|slots| self.parts(&slots).1);
        let around =
            sums.flat_map(|sum| [total.minor() / sum, total.minor() / sum + 1].map(|times| sum.checked_mul(times)));
        let whole: Vec<Money> =
            around.flatten().filter_map(|minor| i64::try_from(minor).ok()).map(Money::from_minor).collect();
        let below = whole.iter().filter(|sum| **sum > Money::ZERO && **sum < total.money()).max();
        let near: Vec<Money> =
            below.into_iter().chain(whole.iter().filter(|sum| **sum > total.money()).min()).copied().collect();
        let named = |amount: &Money| match bets {
            [one] => format!("{} for {amount}", which_name(one)),
            _ => format!("{amount} together on {}", names(bets)),
        };
        let would: Vec<String> = near.iter().map(ToString::to_string).collect();
        let message = format!("{total} can't be split over {} bets. Bet {} instead", slots.len(), would.join(" or "));
        Err(self.ask(total.to_string(), message, near.iter().map(named).collect()))
    }

    pub(super) fn for_dealers(&self, bets: &[Which], amount: Amount) -> AskBack {
        let own = if bets.is_empty() { Vec::new() } else { vec![(self.again)(&names(bets))] };
        let message = match bets {
            [] => "You can't bet for the dealers here".to_owned(),
            _ => format!("You can't bet for the dealers here. You can bet {} for yourself", amount_name(amount)),
        };
        self.ask(if bets.is_empty() { "for the dealers".to_owned() } else { names(bets) }, message, own)
    }

    /// Returns the amount to add to the bet in a slot.
    pub(super) fn amount(&self, slot: SlotId, amount: Amount) -> Meant<Stake> {
        if let Amount::Exactly(stake) = amount {
            return Ok(stake);
        }
        let (total, name) = (self.target(slot, amount)?, slot_name(self.table, slot));
        let standing = self.bet_on(slot).map_or(Money::ZERO, |bet| bet.stake);
        total.minus(standing).and_then(Stake::new).ok_or_else(|| {
            let message = format!("You already have {standing} on {name}, and {} is {total}", amount_name(amount));
            self.ask(name.clone(), message, Vec::new())
        })
    }

    /// Returns the total that the bet in a slot should reach.
    fn target(&self, slot: SlotId, amount: Amount) -> Meant<Money> {
        if let Amount::Exactly(stake) = amount {
            return Ok(stake.money());
        }
        let name = slot_name(self.table, slot);
        let refused = |refusal: craps_table::Refusal| self.ask(name.clone(), refusal.to_string(), Vec::new());
        let terms = self.table.terms(self.seat, slot, None).map_err(refused)?;
        let multiple = i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX);
        let total = match amount {
            Amount::Most => terms.max.map(|max| max.minor() / multiple * multiple),
            _ => terms.min.minor().checked_add(multiple - 1).map(|minor| minor / multiple * multiple),
        };
        total.map(Money::from_minor).ok_or_else(|| {
            let message = format!("There is no maximum on {name} here. How much?");
            self.ask(name.clone(), message, vec![format!("{name} for 100")])
        })
    }

    /// Makes a command for each bet that the order is about.
    pub(super) fn each(
        &self,
        bets: &[Which],
        command: impl Fn(&Self, SlotId) -> Meant<Option<Command>>,
    ) -> Meant<Vec<Command>> {
        let slots = bets.iter().map(|which| self.standing(which)).collect::<Meant<Vec<_>>>()?.concat();
        slots.into_iter().filter_map(|slot| command(self, slot).transpose()).collect()
    }

    /// Like [`Rail::each`], but for a group of bets such as "the hardways" it keeps only the commands that the table accepts. If it accepts none,
    /// all are kept.
    pub(super) fn each_that_may(
        &self,
        bets: &[Which],
        command: impl Fn(&Self, SlotId) -> Meant<Option<Command>>,
    ) -> Meant<Vec<Command>> {
        let all = self.each(bets, command)?;
        if !bets
            .iter()
            .all(|which| matches!(which, Which::All(_) | Which::Spread { .. } | Which::Combo(_) | Which::Odds(None)))
        {
            return Ok(all);
        }
        let may = |command: &&Command| self.table.decide(Actor::player(self.seat), command, &mut Events::new()).is_ok();
        let lawful: Vec<Command> = all.iter().filter(may).cloned().collect();
        Ok(if lawful.is_empty() { all } else { lawful })
    }

    pub(super) fn take_down(&self, bets: &[Which], amount: Option<Amount>) -> Meant<Vec<Command>> {
        let command = |rail: &Self, slot: SlotId| {
            let amount = match amount {
                Some(Amount::Exactly(stake)) => stake,
                Some(Amount::Least | Amount::Most) => return Err(rail.no_change(slot)),
                None => rail.stake(rail.stands(slot)?.stake.minor())?,
            };
            Ok(Some(Command::TakeDown { seat: rail.seat, slot, amount }))
        };
        let mut commands = self.each_that_may(bets, command)?;
        // Odds come down with their bet, so they need no command of their own.
        let front = |slot: SlotId| self.table.board().slot(slot).front;
        let down: Vec<SlotId> = commands.iter().filter_map(taken_from).collect();
        if amount.is_none() {
            commands.retain(|command| taken_from(command).and_then(front).is_none_or(|front| !down.contains(&front)));
        }
        Ok(commands)
    }

    pub(super) fn press(&self, bets: &[Which], by: Raise) -> Meant<Vec<Command>> {
        self.each(bets, |rail, slot| {
            let stake = rail.stands(slot)?.stake.minor();
            let more = match by {
                Raise::Double => stake,
                Raise::Half if stake % 2 == 0 => stake / 2,
                Raise::Half => 0,
                Raise::By(more) => return Ok(Some(rail.more(slot, more))),
                Raise::To(amount) => rail.target(slot, amount)?.minor().saturating_sub(stake),
                Raise::Units(units) => {
                    let unit = rail.unit(slot).checked_mul(rail.table.rules().rounding.chip.minor());
                    unit.and_then(|unit| unit.checked_mul(u64::from(units)))
                        .and_then(|minor| i64::try_from(minor).ok())
                        .unwrap_or_default()
                }
            };
            let more = Stake::new(Money::from_minor(more)).ok_or_else(|| rail.no_change(slot))?;
            Ok(Some(rail.more(slot, more)))
        })
    }

    fn more(&self, slot: SlotId, amount: Stake) -> Command {
        Command::Bet { seat: self.seat, slot, amount, manner: Manner::default() }
    }

    pub(super) fn regress(&self, bets: &[Which], to: Cut) -> Meant<Vec<Command>> {
        self.each(bets, |rail, slot| {
            let stake = rail.stands(slot)?.stake.minor();
            let less = match to {
                Cut::Half if stake % 2 == 0 => stake / 2,
                Cut::Half => 0,
                Cut::To(amount) => stake.saturating_sub(rail.target(slot, amount)?.minor()),
            };
            let amount = Stake::new(Money::from_minor(less)).ok_or_else(|| rail.no_change(slot))?;
            Ok(Some(Command::TakeDown { seat: rail.seat, slot, amount }))
        })
    }

    fn no_change(&self, slot: SlotId) -> AskBack {
        let name = slot_name(self.table, slot);
        let stands = self.bet_on(slot).map_or(Money::ZERO, |bet| bet.stake);
        let suggestions = vec![format!("press {name}"), format!("take down {name}")];
        self.ask(name.clone(), format!("You have {stands} on {name}. That doesn't change it"), suggestions)
    }

    pub(super) fn moved(&self, from: &Which, to: &Which) -> Meant<Vec<Command>> {
        let from = self.standing(from)?;
        let [from] = from[..] else { return Err(self.which_one("", "Move one bet at a time".to_owned(), &from)) };
        let amount = self.stake(self.stands(from)?.stake.minor())?;
        let to = match to {
            Which::Number(point) => {
                vec![self.placed(Some(self.family(from)).filter(|family| *family == Family::Buy), *point)?]
            }
            to => self.made(to)?,
        };
        let [to] = to[..] else { return Err(self.which_one("", "A bet can move to only one place".to_owned(), &to)) };
        Ok(vec![Command::TakeDown { seat: self.seat, slot: from, amount }, self.more(to, amount)])
    }
}

/// Returns one unit on a number as dealers count it, in chips: the smallest number of chips from five up that pays exactly.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::talk::dealers_unit;
/// let unit = |name: &str| {
///     let slot = session.table().board().named(name).unwrap();
///     dealers_unit(session.table().board().rules(session.table().rules(), slot))
/// };
/// assert_eq!((unit("place-win-5"), unit("place-win-6")), (5, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn dealers_unit(rules: &WagerRules) -> u64 {
    let per = match rules.prizes.is.of(Rank::WIN) {
        Some(Prize::Paid(odds)) => u64::from(odds.net().1).max(1),
        _ => 1,
    };
    per * 5u64.div_ceil(per)
}

fn taken_from(command: &Command) -> Option<SlotId> {
    match command {
        Command::TakeDown { slot, .. } => Some(*slot),
        _ => None,
    }
}
