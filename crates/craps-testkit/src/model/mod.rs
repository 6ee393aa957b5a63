//! The reference model: a plain, slow computation of what every bet is owed on every roll, written from the specification.
//!
//! It takes over the bets that the table accepted, and predicts what each roll does to each of them and to everyone's chips. It
//! uses none of the engine's decisions: no step function, no layout effects, no payout, commission or odds arithmetic.

mod fate;
mod pay;

use craps_law::{Answer, Call, Cap, Excess, OnOff, TableMax, TableRules};
use craps_money::{Commission, Timing};
use craps_table::{AfterWin, Bet, Board, Called, Command, Event, SeatId, SlotId};
use craps_wagers::{ComeOutSeven, Count, EndingSeven, Points, SixthPoint};
use fate::{Fate, components, fate};
pub use pay::{Cashier, Price, odds_cap};
use std::collections::{BTreeMap, BTreeSet};

/// The phase of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The next roll is a come-out roll.
    ComeOut,
    /// This point is on.
    Point(u8),
    /// The dice are rolled only to decide come bets.
    Decisions,
}

impl Phase {
    /// Converts the engine's phase.
    #[must_use]
    pub fn of(phase: craps_wagers::Phase) -> Phase {
        match phase {
            craps_wagers::Phase::ComeOut => Phase::ComeOut,
            craps_wagers::Phase::Point(point) => Phase::Point(point.value()),
            craps_wagers::Phase::ComeDecisionOnly => Phase::Decisions,
        }
    }
}

/// The progress of a side bet since it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gathered {
    Nothing,
    Numbers(BTreeSet<u8>),
    Count(u32),
    Throws(Option<u32>),
    Combinations(BTreeSet<(u8, u8)>),
    Run(Option<(u8, BTreeSet<u8>)>),
}

impl Gathered {
    fn fresh(wager: &str) -> Gathered {
        match wager {
            "fire" => Gathered::Numbers(BTreeSet::new()),
            "sharp-shooter" | "ride-the-line" => Gathered::Count(0),
            "hot-shooter-jackpot" => Gathered::Throws(None),
            "hot-roller" => Gathered::Combinations(BTreeSet::new()),
            "lucky-shooter" => Gathered::Run(None),
            _ if wager.starts_with("bonus-") || wager.starts_with("dice-ology-") => Gathered::Numbers(BTreeSet::new()),
            _ => Gathered::Nothing,
        }
    }
}

/// The readings of the rules that change when a wager wins.
#[derive(Debug, Clone, Copy)]
struct Readings {
    crapless: bool,
    /// True for each total that is barred.
    bar: [bool; 13],
    fire_ends_on_sixth: bool,
    fire_ends_on_any_seven: bool,
    hot_roller_come_out_seven: &'static str,
    hot_shooter_counts_come_out: bool,
    hot_shooter_counts_seven_out: bool,
}

/// The limits on an odds bet.
#[derive(Debug, Clone)]
struct OddsCap {
    times: BTreeMap<u8, i64>,
    on_win: bool,
    to_pay_exactly: bool,
    house: Option<i64>,
    /// May the bet exceed the table maximum as far as exact payment needs?
    beyond: bool,
}

/// A place for a bet, with the choices of the book and the house for it.
#[derive(Debug, Clone)]
struct Spot {
    name: String,
    wager: &'static str,
    number: Option<u8>,
    prices: Vec<(String, Price)>,
    on_at_come_out: bool,
    /// Does a call of "off" also count while a point is on?
    off_any_time: bool,
    /// Posted minimum and maximum. For odds, the maximum of the bet in front of them if it applies.
    min: Option<i64>,
    max: Option<i64>,
    /// Is commission refunded when the bet comes down?
    refund: bool,
    stays_up: bool,
    broken_down: bool,
    commission: Option<Commission>,
    readings: Readings,
    odds: Option<OddsCap>,
}

impl Spot {
    fn price(&self, rank: &str) -> Option<Price> {
        self.prices.iter().find(|(name, _)| name == rank).map(|(_, price)| *price)
    }

    /// Returns the price of the highest count in the pay table up to this one.
    fn price_of_count(&self, count: u32) -> Option<Price> {
        let counts = self.prices.iter().filter_map(|(name, price)| Some((name.parse::<u32>().ok()?, *price)));
        counts.filter(|(from, _)| *from <= count).max_by_key(|(from, _)| *from).map(|(_, price)| price)
    }

    fn is_odds(&self) -> bool {
        self.odds.is_some()
    }

    fn is_side(&self) -> bool {
        Gathered::fresh(self.wager) != Gathered::Nothing
    }
}

/// A bet in the model.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Standing {
    stake: i64,
    coupon: i64,
    /// Commission paid and not refunded, in cents.
    commission: i64,
    called: Called,
    told: AfterWin,
    gathered: Gathered,
}

/// How a roll decided one bet. Amounts are in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The bet won.
    Won {
        /// Win without the stake, before commission.
        paid: i64,
        /// Commission taken from the win, for this bet and for the one left up.
        commission: i64,
    },
    /// The bet lost its stake.
    Lost,
    /// The stake went back to the player.
    Returned,
    /// This amount was credited, and the bet stays up.
    Credited(i64),
    /// Moved to this spot.
    Moved(usize),
    /// The bet won but can't be paid. The table should not have taken it.
    Unpayable,
}

/// Does the bet stay up when it wins, by its player's word or else by the house's habit?
fn stays_up(bet: &Standing, place: &Spot) -> bool {
    match bet.told {
        AfterWin::Up => true,
        AfterWin::Down => false,
        AfterWin::Usual => place.stays_up,
    }
}

/// One settlement: how the bet was decided, and the bet that is up afterward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// How the bet was decided.
    pub outcome: Outcome,
    /// Spot and stake of the bet that is up now; None if it came down.
    pub stands: Option<(usize, i64)>,
}

/// All settlements of a roll, by seat and spot.
pub type Settlements = BTreeMap<(SeatId, usize), Settlement>;

/// Come bets that won and were told to stay up: seat and spot where each is made again, with its stake and commission.
pub type MadeAgain = BTreeMap<(SeatId, usize), (i64, i64)>;

#[derive(Debug, Clone, Default)]
struct Player {
    rail: i64,
    bets: BTreeMap<usize, Standing>,
    /// Was a bet below the minimum settled?
    was_below: bool,
}

/// The reference model of one table.
#[derive(Debug, Clone)]
pub struct Model {
    spots: Vec<Spot>,
    cashier: Cashier,
    crapless: bool,
    /// Are bets above the maximum settled up to it?
    over: bool,
    /// Is a player's first bet below the minimum settled, and are later ones returned?
    under: bool,
    /// Does the stickperson roll when no player takes the dice?
    house_rolls: bool,
    /// Does the house have the dice?
    is_house: bool,
    phase: Phase,
    players: BTreeMap<SeatId, Player>,
    drawn: Vec<(&'static str, usize)>,
}

fn minor(money: craps_money::Money) -> i64 {
    money.minor()
}

/// Returns the words that the book answers to a topic.
fn words(rules: &TableRules, topic: &str) -> Vec<String> {
    match rules.rules.get(topic).map(|fact| &fact.is.answer) {
        Some(Answer::Word(word)) => vec![word.clone()],
        Some(Answer::Words(words)) => words.clone(),
        _ => Vec::new(),
    }
}

fn stake_of(stake: craps_money::Stake) -> i64 {
    minor(stake.money())
}

impl Model {
    /// Returns the model of an empty table. From the board it takes only the slots and the rules behind them.
    #[must_use]
    pub fn new(rules: &TableRules, layout: &Board) -> Model {
        let spots = layout.slots().map(|(id, slot)| {
            let own = layout.rules(rules, id);
            let dials = own.machine.dials;
            let wager = slot.wager.wager();
            let prices = own
                .prizes
                .is
                .iter()
                .filter_map(|(rank, prize)| Some((wager.ranks.name(rank), Price::read(&prize.to_string())?)));
            let front = slot.front.map(|front| layout.rules(rules, front));
            let odds = own.odds.as_ref().map(|odds| {
                let house = front.and_then(|front| front.limits).and_then(|limits| limits.max).map(stake_of);
                OddsCap {
                    times: odds.multiple.iter().map(|(point, times)| (point.value(), i64::from(times))).collect(),
                    on_win: odds.cap.is == Cap::Win,
                    to_pay_exactly: odds.excess.is == Excess::ToPayExactly,
                    house: house.filter(|_| odds.table_max.is != TableMax::Exempt),
                    beyond: odds.table_max.is == TableMax::ExceptExcess,
                }
            });
            let most = match &odds {
                Some(odds) => odds.house,
                None => own.limits.and_then(|limits| limits.max).map(stake_of),
            };
            let refunded_for = words(rules, "commission.refunded_for");
            let family = wager.slug.split('-').next().unwrap_or_default();
            Spot {
                name: slot.name.clone(),
                off_any_time: own.works.is.call == Call::Both,
                min: own.limits.map(|limits| stake_of(limits.min)).filter(|_| odds.is_none()),
                max: most,
                refund: rules.refund && (refunded_for.is_empty() || refunded_for.iter().any(|word| word == family)),
                wager: wager.slug,
                number: slot.number.map(|number| number.value()),
                prices: prices.collect(),
                on_at_come_out: own.works.is.come_out == OnOff::On,
                stays_up: own.stays_up,
                broken_down: own.broken_down,
                commission: own.commission.as_ref().map(|fact| fact.is),
                readings: Readings {
                    crapless: rules.points == Points::AllButSeven,
                    bar: std::array::from_fn(|total| {
                        dials.bar.totals().iter().any(|barred| usize::from(barred.value()) == total)
                    }),
                    fire_ends_on_sixth: dials.ends_on_sixth == SixthPoint::Ends,
                    fire_ends_on_any_seven: dials.ends_on_seven == EndingSeven::Any,
                    hot_roller_come_out_seven: match dials.come_out_seven {
                        ComeOutSeven::Settles => "settles",
                        ComeOutSeven::Loses => "loses",
                        ComeOutSeven::Ignored => "ignored",
                    },
                    hot_shooter_counts_come_out: dials.count_come_out == Count::In,
                    hot_shooter_counts_seven_out: dials.count_seven_out == Count::In,
                },
                odds,
            }
        });
        Model {
            spots: spots.collect(),
            cashier: Cashier::of(rules),
            crapless: rules.points == Points::AllButSeven,
            over: words(rules, "limits.over") == ["settled_up_to_maximum"],
            under: words(rules, "limits.under") == ["settled_once_then_returned"],
            house_rolls: words(rules, "offer.nobody_accepts") == ["stickperson_throws"],
            is_house: false,
            phase: Phase::ComeOut,
            players: BTreeMap::new(),
            drawn: Vec::new(),
        }
    }

    /// Returns the phase of the game.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the name of a spot, such as `come-8`.
    #[must_use]
    pub fn name(&self, spot: usize) -> &str {
        &self.spots[spot].name
    }

    /// Returns the slug of the wager in a spot.
    #[must_use]
    pub fn wager(&self, spot: usize) -> &'static str {
        self.spots[spot].wager
    }

    /// Returns each seat and its chips in the rail, in cents.
    pub fn rails(&self) -> impl Iterator<Item = (SeatId, i64)> {
        self.players.iter().map(|(seat, player)| (*seat, player.rail))
    }

    fn spot_named(&self, name: &str) -> Option<usize> {
        self.spots.iter().position(|spot| spot.name == name)
    }

    fn bet(&self, seat: SeatId, spot: usize) -> Option<&Standing> {
        self.players.get(&seat)?.bets.get(&spot)
    }

    /// Describes how a bet of the table differs from the same bet in the model. None if they agree.
    #[must_use]
    pub fn differs(&self, seat: SeatId, slot: SlotId, bet: Option<&Bet>) -> Option<String> {
        let known = self.bet(seat, slot.index());
        let theirs =
            bet.map(|bet| (minor(bet.stake), minor(bet.coupon), minor(bet.commission), bet.called, bet.after_win));
        let ours = known.map(|bet| (bet.stake, bet.coupon, bet.commission, bet.called, bet.told));
        let name = &self.spots[slot.index()].name;
        (ours != theirs).then(|| {
            format!("seat {seat} {name}: model {ours:?}, table {theirs:?} (stake, coupon, commission, call, told)")
        })
    }

    /// Returns the spot of the bet that odds are behind.
    fn front(&self, spot: usize) -> Option<usize> {
        let spot = &self.spots[spot];
        if spot.is_odds() { self.spot_named(&spot.name.replace("-odds", "")) } else { None }
    }

    /// Returns the maximum odds behind the bet that is up now. None if there is no bet to take odds on.
    #[must_use]
    pub fn odds_most(&self, seat: SeatId, spot: usize) -> Option<i64> {
        let flat = self.bet(seat, self.front(spot)?)?.stake;
        let most = self.odds_behind(spot, flat)?;
        let cap = self.spots[spot].odds.as_ref()?;
        let step = self.cashier.exact_step(self.odds_price(spot)?);
        let limit = |house: i64| if cap.beyond { (house + step - 1) / step * step } else { house };
        // Odds above the maximum are taken where they are settled up to it.
        Some(cap.house.filter(|_| !self.over).map_or(most, |house| most.min(limit(house))))
    }

    fn odds_behind(&self, spot: usize, flat: i64) -> Option<i64> {
        let cap = self.spots[spot].odds.as_ref()?;
        let (number, price) = (self.odds_number(spot)?, self.odds_price(spot)?);
        odds_cap(&self.cashier, flat, *cap.times.get(&number)?, price, cap.on_win, cap.to_pay_exactly)
    }

    /// Returns the number that an odds bet is on.
    fn odds_number(&self, spot: usize) -> Option<u8> {
        match (self.spots[spot].number, self.phase) {
            (Some(number), _) | (None, Phase::Point(number)) => Some(number),
            _ => None,
        }
    }

    /// Returns the price of an odds bet on its number.
    fn odds_price(&self, spot: usize) -> Option<Price> {
        self.spots[spot].price(&self.odds_number(spot)?.to_string())
    }

    /// Returns the commission due up front on a whole bet. The base "win" is what the bet would pay.
    fn up_front(&self, spot: usize, stake: i64) -> i64 {
        let place = &self.spots[spot];
        let Some(commission) = place.commission.filter(|commission| commission.timing == Timing::UpFront) else {
            return 0;
        };
        let win = place.price("win").and_then(|price| self.cashier.win(stake, price)).unwrap_or(0);
        self.cashier.commission(&commission, stake, win)
    }

    /// Returns true if every price of a spot can be paid for this stake.
    fn is_payable(&self, spot: usize, stake: i64) -> bool {
        let place = &self.spots[spot];
        let parts = components(place.wager);
        if !parts.is_empty() {
            let units: i64 = parts.iter().map(|(_, units)| units).sum();
            return stake % (units * self.cashier.chip) == 0
                && parts.iter().all(|(part, own)| {
                    let price = self.spot_named(part).and_then(|spot| self.spots[spot].price("win"));
                    price.is_some_and(|price| self.cashier.win(stake / units * own, price).is_some())
                });
        }
        let number = match (place.is_odds(), place.number, self.phase) {
            (true, Some(number), _) | (true, None, Phase::Point(number)) => Some(number.to_string()),
            _ => None,
        };
        stake % self.cashier.chip == 0
            && place
                .prices
                .iter()
                .filter(|(rank, _)| number.as_ref().is_none_or(|number| number == rank))
                .all(|(_, price)| self.cashier.win(stake, *price).is_some())
    }

    /// Applies the events of a command, except for the results of a roll.
    ///
    /// # Errors
    /// When money did not move as the model expects.
    pub fn note(&mut self, command: &Command, events: &[Event]) -> Result<(), String> {
        let mut expected = match command {
            Command::TakeDown { seat, slot, amount } => self.taken_down(*seat, slot.index(), stake_of(*amount)),
            _ => Vec::new(),
        };
        for event in events {
            match event {
                Event::Joined { seat, money, .. } => {
                    self.players.insert(*seat, Player { rail: minor(*money), bets: BTreeMap::new(), was_below: false });
                }
                Event::BoughtIn { seat, money } | Event::Ruled { seat, amount: money, .. } => {
                    self.pay(*seat, minor(*money));
                }
                Event::Left { seat } => {
                    self.players.remove(seat);
                }
                // Bets that a roll makes again, and what it returns of them, are predicted, not copied from the table.
                Event::BetPlaced { .. } | Event::TakenDown { .. } if matches!(command, Command::Throw { .. }) => {}
                Event::BetPlaced { seat, slot, bet, staked, commission } => {
                    self.placed(*seat, slot.index(), bet, minor(*staked), minor(*commission))?;
                }
                Event::TakenDown { seat, slot, left, returned, refunded } => {
                    let found =
                        (slot.index(), left.map_or(0, |left| minor(left.stake)), minor(*returned), minor(*refunded));
                    if expected.is_empty() || expected.remove(0) != found {
                        return Err(format!(
                            "taking down {command:?}: unexpected {found:?} (spot, left, returned, refunded)"
                        ));
                    }
                    self.pay(*seat, minor(*returned) + minor(*refunded));
                    self.lower(*seat, slot.index(), minor(*returned), minor(*refunded));
                }
                Event::Told { seat, slot, bet } => {
                    if let Some(known) =
                        self.players.get_mut(seat).and_then(|player| player.bets.get_mut(&slot.index()))
                    {
                        (known.called, known.told) = (bet.called, bet.after_win);
                    }
                }
                Event::DiceTaken { seat, phase } => {
                    self.phase = Phase::of(*phase);
                    self.is_house = self.house_rolls && seat.is_none();
                }
                Event::Drawn { selection } => {
                    self.drawn = selection.iter().map(|(wager, level)| (wager.wager().slug, *level)).collect();
                }
                _ => {}
            }
        }
        // Rolls for come decisions end when no come bet is left.
        let comes_down = matches!(command, Command::TakeDown { .. });
        if self.phase == Phase::Decisions && comes_down && !self.is_house && !self.come_bets_left() {
            self.phase = Phase::ComeOut;
        }
        if expected.is_empty() { Ok(()) } else { Err(format!("{command:?} should also cause {expected:?}")) }
    }

    fn pay(&mut self, seat: SeatId, amount: i64) {
        if let Some(player) = self.players.get_mut(&seat) {
            player.rail += amount;
        }
    }

    /// Returns what happens when this amount of a bet comes down: the bet itself, then odds that are too large for what is left.
    fn taken_down(&self, seat: SeatId, spot: usize, amount: i64) -> Vec<(usize, i64, i64, i64)> {
        let Some(bet) = self.bet(seat, spot) else { return Vec::new() };
        let left = bet.stake - amount;
        let refunded = if self.spots[spot].refund { bet.commission - self.up_front(spot, left) } else { 0 };
        let mut all = vec![(spot, left, amount, refunded)];
        let behind = (0..self.spots.len()).find(|odds| self.front(*odds) == Some(spot));
        if let Some((odds, standing)) = behind.and_then(|odds| Some((odds, self.bet(seat, odds)?.stake))) {
            let most = if left == 0 { 0 } else { self.odds_behind(odds, left).unwrap_or(0) };
            if standing > most {
                all.push((odds, most, standing - most, 0));
            }
        }
        all
    }

    fn lower(&mut self, seat: SeatId, spot: usize, returned: i64, refunded: i64) {
        let Some(player) = self.players.get_mut(&seat) else { return };
        let Some(bet) = player.bets.get_mut(&spot) else { return };
        bet.stake -= returned;
        bet.commission -= refunded;
        if bet.stake == 0 {
            player.bets.remove(&spot);
        }
    }

    fn placed(&mut self, seat: SeatId, spot: usize, bet: &Bet, staked: i64, taken: i64) -> Result<(), String> {
        let known = self.bet(seat, spot).cloned();
        let before = known.unwrap_or_else(|| Standing {
            stake: 0,
            coupon: 0,
            commission: 0,
            called: Called::Standard,
            told: AfterWin::Usual,
            gathered: Gathered::fresh(self.spots[spot].wager),
        });
        let stake = before.stake + staked;
        let name = self.spots[spot].name.clone();
        if !self.is_payable(spot, stake) {
            return Err(format!("{name}+{stake} was taken but can't be paid"));
        }
        if self.spots[spot].is_odds() && self.odds_most(seat, spot).is_none_or(|most| stake > most) {
            return Err(format!("{name}+{stake} is more than {:?}", self.odds_most(seat, spot)));
        }
        // Commission due on the whole bet, minus what was already paid.
        let commission = (self.up_front(spot, stake) - before.commission).max(0);
        if commission != taken {
            return Err(format!("{name}+{stake}: commission {commission}, table {taken}"));
        }
        self.pay(seat, -(staked + commission));
        let now = Standing { stake, coupon: minor(bet.coupon), commission: before.commission + commission, ..before };
        if let Some(player) = self.players.get_mut(&seat) {
            player.bets.insert(spot, now);
        }
        if self.phase == Phase::Decisions && matches!(self.spots[spot].wager, "pass" | "dont-pass") {
            self.is_house = false;
            self.phase = Phase::ComeOut;
        }
        Ok(())
    }

    /// Returns true if a bet is on for the next roll.
    fn is_on(&self, spot: usize, bet: &Standing) -> bool {
        match (self.phase, bet.called) {
            (Phase::Point(_), Called::Off) if self.spots[spot].off_any_time => false,
            (Phase::Point(_), _) | (_, Called::On) => true,
            (_, Called::Off) => false,
            (_, Called::Standard) => self.spots[spot].on_at_come_out,
        }
    }

    /// Applies a roll to every bet and everyone's chips. Every bet is decided by the state before the roll.
    pub fn throw(&mut self, dice: (u8, u8)) -> (Settlements, MadeAgain) {
        let total = dice.0 + dice.1;
        let after = self.phase_after(total);
        let (mut settlements, mut again, mut moves) = (Settlements::new(), MadeAgain::new(), Vec::new());
        let mut below = Vec::new();
        for (seat, player) in &self.players {
            for (spot, bet) in &player.bets {
                let most = self.most_settled(*spot).unwrap_or(i64::MAX).min(bet.stake);
                let cut = Standing { stake: most, ..bet.clone() };
                let (mut settlement, mut next) = self.settle(player, *spot, &cut, dice, after);
                match (&mut settlement, &mut next) {
                    // A bet that isn't decided stays whole.
                    (None, Some((_, next))) => next.stake = bet.stake,
                    (Some(Settlement { outcome: Outcome::Moved(_), stands: Some((_, stake)) }), Some((_, next))) => {
                        (*stake, next.stake) = (bet.stake, bet.stake);
                    }
                    _ => {}
                }
                let is_below = self.under && self.spots[*spot].min.is_some_and(|min| cut.stake < min);
                let outcome = settlement.map(|settlement| settlement.outcome);
                if is_below && matches!(outcome, Some(Outcome::Won { .. } | Outcome::Lost)) {
                    // Such a bet is settled once. Later ones go back to the player.
                    if player.was_below {
                        settlement = Some(Settlement { outcome: Outcome::Returned, stands: None });
                        next = None;
                    } else {
                        below.push(*seat);
                    }
                }
                if let Some(settlement) = settlement {
                    settlements.insert((*seat, *spot), settlement);
                }
                moves.push((*seat, *spot, most, settlement, next));
            }
        }
        // All decided bets leave the felt before any bet is put somewhere. What is above the maximum goes back to the player.
        for (seat, spot, most, settlement, _) in &moves {
            let Some(player) = self.players.get_mut(seat) else { continue };
            let whole = player.bets.remove(spot).map_or(0, |bet| bet.stake);
            let stays = settlement.and_then(|settlement| settlement.stands).map_or(0, |(_, stake)| stake);
            player.rail += match settlement.map(|settlement| settlement.outcome) {
                Some(Outcome::Won { paid, commission }) => paid - commission + whole - stays,
                Some(Outcome::Returned) => whole,
                Some(Outcome::Credited(paid)) => paid,
                Some(Outcome::Lost) => whole - most,
                _ => 0,
            };
        }
        for (seat, _, _, settlement, next) in moves {
            if let (Some(player), Some((to, bet))) = (self.players.get_mut(&seat), next) {
                // The bet won, was paid and came down, but is to stay up: it is made again.
                if settlement.is_some_and(|settlement| settlement.stands.is_none()) {
                    player.rail -= bet.stake + bet.commission;
                    again.insert((seat, to), (bet.stake, bet.commission));
                }
                player.bets.insert(to, bet);
            }
        }
        for seat in below {
            self.players.entry(seat).and_modify(|player| player.was_below = true);
        }
        // Setting a point cancels every on and off call.
        if self.phase == Phase::ComeOut && after != Phase::ComeOut {
            for bet in self.players.values_mut().flat_map(|player| player.bets.values_mut()) {
                bet.called = Called::Standard;
            }
        }
        self.phase = self.phase_with(after, total);
        self.is_house &= self.phase != Phase::ComeOut;
        self.drawn.clear();
        (settlements, again)
    }

    /// Returns the phase after a roll, now that its bets are settled. The house rolls on while it can decide a bet, and sets no point.
    fn phase_with(&self, after: Phase, total: u8) -> Phase {
        // A player with a line bet can roll, so nothing is left for the house.
        let line = |spot: &usize| matches!(self.spots[*spot].wager, "pass" | "dont-pass");
        let can_shoot = self.players.values().any(|player| player.bets.keys().any(line));
        let left = |player: &Player| {
            !can_shoot && player.bets.iter().any(|(spot, bet)| match bet.called {
                Called::On => true,
                Called::Off => false,
                Called::Standard => self.spots[*spot].on_at_come_out,
            } && self.front(*spot).is_none())
        };
        let made = self.phase == Phase::Point(total);
        match after {
            Phase::Decisions if self.is_house && !self.players.values().any(left) => Phase::ComeOut,
            Phase::Decisions if !self.is_house && !self.come_bets_left() => Phase::ComeOut,
            Phase::ComeOut if self.is_house && made && self.players.values().any(left) => Phase::Decisions,
            after => after,
        }
    }

    /// Returns how much of a bet is paid or collected at most, where bets above the maximum are taken: an amount that can be paid.
    fn most_settled(&self, spot: usize) -> Option<i64> {
        let max = self.spots[spot].max.filter(|_| self.over)?;
        let chip = self.cashier.chip;
        let fits = |stake: &i64| self.is_payable(spot, *stake);
        Some((0..=max / chip).rev().map(|chips| chips * chip).find(fits).unwrap_or(0))
    }

    fn come_bets_left(&self) -> bool {
        self.players.values().flat_map(|player| player.bets.keys()).any(|spot| {
            let spot = &self.spots[*spot];
            spot.number.is_some() && matches!(spot.wager, "come" | "dont-come")
        })
    }

    fn phase_after(&self, total: u8) -> Phase {
        match self.phase {
            Phase::ComeOut if total == 7 => Phase::ComeOut,
            Phase::ComeOut if self.crapless || matches!(total, 4..=6 | 8..=10) => Phase::Point(total),
            Phase::ComeOut => Phase::ComeOut,
            Phase::Point(point) if total == point || total == 7 => Phase::ComeOut,
            same => same,
        }
    }

    /// Decides one bet on a roll. Returns its settlement if it was decided, and the bet that is up afterward.
    fn settle(
        &self,
        player: &Player,
        spot: usize,
        bet: &Standing,
        dice: (u8, u8),
        after: Phase,
    ) -> (Option<Settlement>, Option<(usize, Standing)>) {
        let place = &self.spots[spot];
        let mut next = bet.clone();
        let stand = |next: Standing| (None, Some((spot, next)));
        let gone = |outcome: Outcome| (Some(Settlement { outcome, stands: None }), None);
        // Odds follow their bet: they are decided only when it is, and are returned if they are off then.
        if let Some(front) = self.front(spot) {
            let flat_on = player.bets.get(&front).is_some_and(|flat| self.is_on(front, flat));
            if !flat_on {
                return stand(next);
            }
        }
        if !self.is_on(spot, bet) {
            let decided = place.is_odds()
                && fate(place.wager, place.number, &mut next.gathered, self.phase, dice, &place.readings)
                    != Fate::Stand;
            return if decided { gone(Outcome::Returned) } else { stand(bet.clone()) };
        }
        // Odds behind a put bet can be made again when the put bet is.
        let can_stay = match self.front(spot) {
            Some(front) if place.wager == "put-odds" => {
                player.bets.get(&front).is_some_and(|put| stays_up(put, &self.spots[front]))
            }
            _ => !place.is_odds() && !place.is_side(),
        };
        let price = match fate(place.wager, place.number, &mut next.gathered, self.phase, dice, &place.readings) {
            Fate::Stand => return stand(next),
            Fate::Lose | Fate::Part(None) => return gone(Outcome::Lost),
            Fate::Push => return gone(Outcome::Returned),
            Fate::Move(number) => {
                let Some(to) = self.spot_named(&format!("{}-{number}", place.wager)) else { return stand(next) };
                let settlement = Settlement { outcome: Outcome::Moved(to), stands: Some((to, bet.stake)) };
                return (Some(settlement), Some((to, next)));
            }
            Fate::Credit => {
                let paid = place.price("natural").and_then(|price| self.cashier.win(bet.stake, price)).unwrap_or(0);
                let settlement = Settlement { outcome: Outcome::Credited(paid), stands: Some((spot, bet.stake)) };
                return (Some(settlement), Some((spot, next)));
            }
            Fate::Part(Some(part)) => {
                let paid = self.composite(place, part, bet.stake + bet.coupon, dice.0 + dice.1);
                return self.won(spot, bet, paid, true, can_stay.then_some(after));
            }
            Fate::Win(rank) => place.price(rank),
            Fate::Count(count) => place.price_of_count(count),
        };
        match price {
            None => gone(Outcome::Lost),
            Some(Price::Push) => gone(Outcome::Returned),
            Some(price) => {
                let price = self.raised(place.wager).map_or(price, |to_one| Price::Net(to_one, 1));
                self.won(spot, bet, self.cashier.win(bet.stake + bet.coupon, price), false, can_stay.then_some(after))
            }
        }
    }

    /// Settles a win. `after` is the phase in which the bet could be made again, if it could be made again at all.
    fn won(
        &self,
        spot: usize,
        bet: &Standing,
        paid: Option<i64>,
        composite: bool,
        after: Option<Phase>,
    ) -> (Option<Settlement>, Option<(usize, Standing)>) {
        let place = &self.spots[spot];
        let Some(paid) = paid else { return (Some(Settlement { outcome: Outcome::Unpayable, stands: None }), None) };
        if composite && paid == 0 {
            return (Some(Settlement { outcome: Outcome::Returned, stands: None }), None);
        }
        let on_win = place.commission.filter(|commission| commission.timing == Timing::OnWin);
        let taken = on_win.map_or(0, |commission| self.cashier.commission(&commission, bet.stake, paid));
        let up = after.is_some() && stays_up(bet, place);
        // A winning bet that stays up is a new bet, so it must be a bet that could be made now.
        let point_on = matches!(after, Some(Phase::Point(_)));
        let to = match place.wager {
            "pass" | "dont-pass" if point_on => None,
            "come" | "dont-come" if !point_on => None,
            "come" | "dont-come" => self.spot_named(place.wager),
            _ => Some(spot),
        };
        let Some(to) = to.filter(|_| up) else {
            return (Some(Settlement { outcome: Outcome::Won { paid, commission: taken }, stands: None }), None);
        };
        let again = self.up_front(spot, bet.stake);
        let made = Standing {
            stake: bet.stake,
            coupon: 0,
            commission: again,
            called: Called::Standard,
            told: bet.told,
            gathered: Gathered::fresh(place.wager),
        };
        // The bet stays where it is. A come bet goes back from its number to the come area, as a separate bet.
        let (commission, stands) = if to == spot { (taken + again, Some((to, bet.stake))) } else { (taken, None) };
        (Some(Settlement { outcome: Outcome::Won { paid, commission }, stands }), Some((to, made)))
    }

    fn level(&self, wager: &str) -> Option<usize> {
        self.drawn.iter().find(|(drawn, _)| *drawn == wager).map(|(_, level)| *level)
    }

    /// Returns the "to one" price that a drawn wager is raised to.
    fn raised(&self, wager: &str) -> Option<i64> {
        let levels = match wager {
            "any-craps" | "hard-4" | "hard-10" => [10, 14],
            "any-seven" => [6, 8],
            "eleven" => [22, 30],
            "hard-6" | "hard-8" => [13, 18],
            "hop-2-2" | "hop-3-3" | "hop-4-4" | "hop-5-5" => [45, 60],
            _ if wager.starts_with("hop-") => [22, 30],
            _ => return None,
        };
        Some(levels[self.level(wager)?])
    }

    /// Returns the "to one" price of the winning quarter of a drawn horn.
    fn raised_in_horn(&self, total: u8) -> Option<i64> {
        let levels = if matches!(total, 2 | 12) { [45, 60] } else { [22, 30] };
        Some(levels[self.level("horn")?])
    }

    /// Returns the net win of a combined bet: one component won, the others lost, and each is paid on its own. With a draw, A-30
    /// and A-32 apply.
    fn composite(&self, place: &Spot, part: &str, stake: i64, total: u8) -> Option<i64> {
        let parts = components(place.wager);
        let units: i64 = parts.iter().map(|(_, units)| units).sum();
        let own: i64 = parts.iter().filter(|(name, _)| *name == part).map(|(_, units)| units).sum();
        let unit = stake / units;
        let lost = stake - unit * own;
        let base = self.spots[self.spot_named(part)?].price("win")?;
        let raised = |to_one: Option<i64>| to_one.map_or(base, |to_one| Price::Net(to_one, 1));
        if place.wager == "c-and-e"
            && let Some(level) = self.level("c-and-e")
        {
            let levels = if total == 11 { [10, 14] } else { [4, 6] };
            return self.cashier.win(stake, Price::Net(levels[level], 1));
        }
        if place.wager == "horn" {
            return Some(self.cashier.win(unit, raised(self.raised_in_horn(total)))? - lost);
        }
        if !place.broken_down {
            return Some(self.cashier.win(unit * own, base)? - lost);
        }
        // Broken down: a separate horn bet, and one unit on the high number or on any seven.
        if part == "any-seven" {
            return Some(self.cashier.win(unit, raised(self.raised("any-seven")))? - lost);
        }
        let in_horn = self.cashier.win(unit, raised(self.raised_in_horn(total)))?;
        let beside = if own == 2 { self.cashier.win(unit, raised(self.raised(part)))? } else { 0 };
        Some(in_horn + beside - lost)
    }
}
