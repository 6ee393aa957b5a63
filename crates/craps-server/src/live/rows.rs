//! The rows of a table's log, as clients see them.

use super::pit::Told;
use super::view::{
    BetView, Eye, LineMark, MarkerView, PhaseView, RaisedView, RollView, RulingView, marker, phase, results, ruling,
};
use super::{BetName, Chain, Deed, Live, Names, Raised, Retirement, Roll, SeatSeed};
use craps_law::TableRules;
use craps_table::{Bet, Event, Role, SeatId};
use craps_wagers::{Progress, WagerId};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// One row of a table's log, as the reader may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RowView {
    /// Number of the row.
    pub seq: u64,
    /// Time of the row, in milliseconds since 1970.
    pub at: i64,
    /// Role of the person or machine that acted.
    pub role: String,
    /// Seat of the player who acted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// Account or guest who acted. Private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// What was done, and what followed.
    #[serde(flatten)]
    pub did: DidView,
    /// Chips in the rails that the row touched. Private. Only in rows that you hear as they happen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rails: Vec<RailView>,
}

/// Chips in a player's rail, in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RailView {
    /// The player's seat.
    pub seat: SeatId,
    /// Amount of the chips.
    pub rail: i64,
}

/// What a row says was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "did", rename_all = "kebab-case")]
pub enum DidView {
    /// The table was opened.
    Opened {
        /// Name of the table.
        name: String,
    },
    /// An order was done.
    Ordered {
        /// What followed, in order.
        happened: Vec<Happened>,
    },
    /// Orders of a seat since the last roll were taken back.
    Undone {
        /// The seat whose orders they were.
        of: SeatId,
        /// Numbers of the rows that were taken back.
        rows: Vec<u64>,
        /// All bets that the seat has now. If they are missing, more than that changed, and the stream sends the whole table after this row.
        #[serde(skip_serializing_if = "Option::is_none")]
        bets: Option<Vec<BetView>>,
    },
    /// A new hand began: the commitment to its secret.
    Committed {
        /// Number of the hand at this table, from 1.
        hand: u32,
        /// SHA-256 of the secret, in hex.
        commitment: String,
        /// Place of the secret in its chain. Old hands have none.
        #[serde(skip_serializing_if = "Option::is_none")]
        chain: Option<Chain>,
    },
    /// The secret of the open hand isn't used any more. The next row commits to another one for the same hand, and bets are open again.
    Retired {
        /// Number of the hand at this table, from 1.
        hand: u32,
        /// Why it isn't used.
        why: Retirement,
        /// The secret, in hex. None if nobody knows it any more.
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<String>,
    },
    /// A player set the seed of their seat.
    Seeded {
        /// The player's seat.
        of: SeatId,
        /// The seed.
        seed: String,
    },
    /// No more bets. The seeds and the secret decide the dice.
    Closed {
        /// Number of the roll within its hand, from 1.
        throw: u32,
        /// The seeds that count for the roll, in the order of the seats.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        seeds: Vec<SeatSeed>,
        /// Hash of this row.
        hash: String,
    },
    /// The witness answered. Its answer is part of the dice.
    Witnessed {
        /// Signature of the row that closed the bets, in hex.
        answer: String,
    },
    /// A draw raised prices for the next roll.
    Drawn {
        /// What followed, in order.
        happened: Vec<Happened>,
    },
    /// A roll.
    Thrown {
        /// The dice and the bets that they decided.
        roll: Option<RollView>,
        /// The reason, if the faces were in dispute and someone in charge named them.
        #[serde(skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// What else followed, in order.
        happened: Vec<Happened>,
    },
    /// A hand ended: its secret is revealed.
    Revealed {
        /// Number of the hand at this table, from 1.
        hand: u32,
        /// The secret, in hex.
        secret: String,
    },
    /// The stickperson entered the dice.
    Entered {
        /// The faces as entered. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        dice: Option<[u8; 2]>,
    },
    /// The boxperson saw different dice than the stickperson. Nothing is settled until the dice are entered again or named.
    Mismatched {
        /// The faces that the stickperson entered. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        entered: Option<[u8; 2]>,
        /// The faces that the boxperson saw. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        seen: Option<[u8; 2]>,
    },
    /// Someone asked for a ruling. It waits for a second person.
    Proposed {
        /// The ruling. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        ruling: Option<RulingView>,
    },
    /// A second person rejected a ruling.
    Rejected {
        /// Row of the proposal.
        row: u64,
    },
    /// A second person approved a ruling.
    Approved {
        /// Row of the proposal.
        row: u64,
        /// What followed, in order.
        happened: Vec<Happened>,
    },
    /// A chat message.
    Said {
        /// Text of the message.
        words: String,
    },
    /// A player changed how much time they need, or said that they are ready.
    Paced {
        /// How many times the normal time they need.
        times: u8,
        /// They have made their bets for the next roll.
        ready: bool,
    },
    /// The server saved the state of the table. The digest proves later that it was this state.
    Marked {
        /// Number of the row after which it was saved.
        row: u64,
        /// SHA-256 of the state, in hex.
        state: String,
    },
    /// The table closed permanently.
    TableClosed {
        /// How many minutes it had been empty.
        empty: u32,
    },
}

/// One thing that happened. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Happened {
    /// A player took a seat.
    Joined {
        /// Number of the seat.
        seat: SeatId,
        /// Name of the player.
        name: String,
        /// Is the player a program?
        bot: bool,
        /// Buy-in. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        money: Option<i64>,
    },
    /// A player bought chips.
    BoughtIn {
        /// The player's seat.
        seat: SeatId,
        /// Amount. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        money: Option<i64>,
    },
    /// A player left.
    Left {
        /// The player's seat.
        seat: SeatId,
    },
    /// A bet was made or added to.
    BetPlaced {
        /// The player's seat.
        seat: SeatId,
        /// The bet as it is now.
        bet: BetView,
        /// Amount that was added.
        staked: i64,
        /// Commission that was charged.
        commission: i64,
    },
    /// A bet was taken down, or part of it.
    TakenDown {
        /// The player's seat.
        seat: SeatId,
        /// Code of the bet.
        bet: String,
        /// The part that is still up, if any.
        left: Option<BetView>,
        /// Amount that went back to the rail.
        returned: i64,
        /// Commission that was refunded.
        refunded: i64,
    },
    /// A bet was turned on or off, got an instruction for after a win, or its progress changed.
    BetChanged {
        /// The player's seat.
        seat: SeatId,
        /// The bet as it is now.
        bet: BetView,
    },
    /// An act of the staff, with the number that goes with it.
    Procedure {
        /// `inspected`, `opened`, `closed`, `new-dice`, `hours`, `bets-closed` or `released`.
        act: String,
        /// Number of dice, or of hours.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
        /// Reason for new dice.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The dice were offered to a seat.
    DiceOffered {
        /// The seat.
        seat: SeatId,
    },
    /// A seat declined the dice.
    DiceDeclined {
        /// The seat.
        seat: SeatId,
    },
    /// Someone took the dice.
    DiceTaken {
        /// Seat of the shooter. None for the dealer.
        seat: Option<SeatId>,
    },
    /// The shooter gave up the dice.
    DicePassed,
    /// A draw before the roll raised prices.
    Drawn {
        /// Wagers and their levels, from 1.
        levels: Vec<(String, usize)>,
    },
    /// A side bet is closed until its hand is over.
    SideBetClosed {
        /// Slug of the wager.
        wager: String,
    },
    /// The roll is over: the new phase of the game.
    PhaseSet {
        /// Phase of the game.
        phase: PhaseView,
        /// The point, if one is on.
        point: Option<u8>,
        /// Markers of the side bets.
        markers: Vec<MarkerView>,
    },
    /// The roll didn't count.
    NoRoll {
        /// Name of the reason.
        reason: String,
        /// Role that called it.
        caller: Option<String>,
    },
    /// The shooter was ordered to give up the dice.
    OrderedOff {
        /// Role that gave the order.
        by: String,
        /// Why: `delay`, `invalid-rolls` or `breach`.
        #[serde(skip_serializing_if = "Option::is_none")]
        ground: Option<String>,
    },
    /// The marks of side bets that nobody has up were removed for a new shooter.
    MarksRemoved {
        /// Slugs of the wagers.
        wagers: Vec<String>,
    },
    /// A player asked for something that waits for the crew.
    Requested {
        /// Number of the request.
        request: u32,
        /// The player's seat.
        seat: Option<SeatId>,
        /// Roles that confirm it.
        by: Vec<String>,
        /// Must each of them confirm it? If not, one is enough.
        all: bool,
    },
    /// A member of the crew confirmed a request.
    Confirmed {
        /// Number of the request.
        request: u32,
        /// Role that confirmed it.
        by: String,
    },
    /// A request no longer waits.
    RequestEnded {
        /// Number of the request.
        request: u32,
        /// `done`, `turned-down`, `taken-back`, `too-late` or `left`.
        how: String,
    },
    /// Surveillance was told that a side bet reached the count at which the book requires it.
    SurveillanceTold,
    /// A dispute over what the dice show was decided.
    FacesNamed {
        /// Role that decided.
        by: String,
        /// Reason that was given.
        reason: String,
    },
    /// A ruling moved money.
    Ruled {
        /// Role that asked for the ruling.
        by: String,
        /// Seat of the player whose chips it moved.
        seat: SeatId,
        /// Amount. Negative if chips were taken away. Private.
        #[serde(skip_serializing_if = "Option::is_none")]
        amount: Option<i64>,
    },
}

/// Turns the rows of one table's log into views.
#[derive(Debug, Clone)]
pub struct Reader {
    /// Names of the bets in the log.
    names: Names,
    /// The rules have the state machine of each wager, to read its tracker.
    rules: Arc<TableRules>,
}

impl Reader {
    /// Creates a reader for a table.
    #[must_use]
    pub fn new(live: &Live) -> Reader {
        Reader { names: live.names().clone(), rules: live.table().shared_rules() }
    }

    /// Returns a row as `eye` may see it.
    #[must_use]
    pub fn row(&self, told: &Told, eye: &Eye) -> RowView {
        let Told { row, entry, rails, .. } = told;
        let by = &entry.by;
        let sees = |seat: SeatId| {
            let owner = rails.iter().find(|rail| rail.seat == seat).and_then(|rail| rail.owner.as_deref());
            eye.sees(owner) || by.actor.seat == Some(seat) && eye.sees(by.who.as_deref())
        };
        RowView {
            seq: row.seq,
            at: row.at,
            role: by.actor.role.name().to_owned(),
            seat: by.actor.seat,
            who: by.who.clone().filter(|_| eye.all),
            did: self.did(told, eye, &sees),
            rails: rails
                .iter()
                .filter(|rail| sees(rail.seat))
                .map(|rail| RailView { seat: rail.seat, rail: rail.money.minor() })
                .collect(),
        }
    }

    /// Does the row contain anything that `eye` sees and others don't?
    #[must_use]
    pub fn is_private_to(told: &Told, eye: &Eye) -> bool {
        let owns = told.rails.iter().any(|rail| eye.sees(rail.owner.as_deref()));
        eye.all || owns || eye.sees(told.entry.by.who.as_deref())
    }

    fn did(&self, told: &Told, eye: &Eye, sees: &dyn Fn(SeatId) -> bool) -> DidView {
        let Told { row, entry, roll, left, .. } = told;
        let (hash, seq) = (&row.hash, row.seq);
        let happened = |events: &[Event<BetName>]| {
            events.iter().filter_map(|event| self.happened(event, entry.by.bot, sees)).collect()
        };
        match &entry.did {
            Deed::Opened(opening) => DidView::Opened { name: opening.name.clone() },
            Deed::Ordered { events, .. } => DidView::Ordered { happened: happened(events) },
            Deed::Undone { seat, rows, .. } => DidView::Undone { of: *seat, rows: rows.clone(), bets: left.clone() },
            Deed::Committed { hand, commitment, chain } => {
                DidView::Committed { hand: *hand, commitment: commitment.clone(), chain: chain.clone() }
            }
            Deed::Retired { hand, why, secret } => DidView::Retired { hand: *hand, why: *why, secret: secret.clone() },
            Deed::Seeded { seat, seed } => DidView::Seeded { of: *seat, seed: seed.clone() },
            Deed::Drawn { events, .. } => DidView::Drawn { happened: happened(events) },
            Deed::Closed { throw, seeds } => {
                DidView::Closed { throw: *throw, seeds: seeds.clone(), hash: hash.clone() }
            }
            Deed::Witnessed { answer } => DidView::Witnessed { answer: answer.clone() },
            Deed::Thrown { named, events, .. } => DidView::Thrown {
                roll: roll.as_deref().map(|roll| self.roll(roll)),
                named: named.clone(),
                happened: happened(events),
            },
            Deed::Revealed { hand, secret } => DidView::Revealed { hand: *hand, secret: secret.clone() },
            Deed::Entered { faces } => DidView::Entered { dice: eye.all.then_some(*faces) },
            Deed::Mismatched { entered, seen } => {
                DidView::Mismatched { entered: eye.all.then_some(*entered), seen: eye.all.then_some(*seen) }
            }
            Deed::Proposed { ruling: command } => {
                DidView::Proposed { ruling: ruling(seq, command).filter(|_| eye.all) }
            }
            Deed::Rejected { row } => DidView::Rejected { row: *row },
            Deed::Approved { row, events } => DidView::Approved { row: *row, happened: happened(events) },
            Deed::Said { words } => DidView::Said { words: words.clone() },
            Deed::Marked { row, digested } => DidView::Marked { row: *row, state: digested.state.clone() },
            Deed::TableClosed { empty } => DidView::TableClosed { empty: *empty },
            Deed::Paced(pace) => DidView::Paced { times: pace.times, ready: pace.ready },
        }
    }

    fn bet(&self, name: &BetName, bet: &Bet) -> BetView {
        BetView::new(self.names.code_of(name), bet)
    }

    /// Returns the view of one event. None for events that the roll itself shows.
    fn happened(&self, event: &Event<BetName>, bot: bool, sees: &dyn Fn(SeatId) -> bool) -> Option<Happened> {
        let by = |role: Role| role.name().to_owned();
        let procedure = |act: &str, count: Option<u32>, reason: Option<&str>| Happened::Procedure {
            act: act.to_owned(),
            count,
            reason: reason.map(str::to_owned),
        };
        Some(match event {
            Event::Joined { seat, name, money } => {
                Happened::Joined { seat: *seat, name: name.clone(), bot, money: sees(*seat).then_some(money.minor()) }
            }
            Event::BoughtIn { seat, money } => {
                Happened::BoughtIn { seat: *seat, money: sees(*seat).then_some(money.minor()) }
            }
            Event::Left { seat } => Happened::Left { seat: *seat },
            Event::BetPlaced { seat, slot, bet, staked, commission } => Happened::BetPlaced {
                seat: *seat,
                bet: self.bet(slot, bet),
                staked: staked.minor(),
                commission: commission.minor(),
            },
            Event::TakenDown { seat, slot, left, returned, refunded } => Happened::TakenDown {
                seat: *seat,
                bet: self.names.code_of(slot).to_owned(),
                left: left.map(|left| self.bet(slot, &left)),
                returned: returned.minor(),
                refunded: refunded.minor(),
            },
            Event::Told { seat, slot, bet } | Event::Advanced { seat, slot, bet } => {
                Happened::BetChanged { seat: *seat, bet: self.bet(slot, bet) }
            }
            Event::Inspected => procedure("inspected", None, None),
            Event::Opened { dice } => procedure("opened", Some(u32::from(*dice)), None),
            Event::Closed => procedure("closed", None, None),
            Event::DiceChanged { reason, dice } => procedure("new-dice", Some(u32::from(*dice)), Some(reason.name())),
            Event::HoursNoted { hours } => procedure("hours", Some(*hours), None),
            Event::BetsClosed => procedure("bets-closed", None, None),
            Event::Released => procedure("released", None, None),
            Event::DiceOffered { seat } => Happened::DiceOffered { seat: *seat },
            Event::DiceDeclined { seat } => Happened::DiceDeclined { seat: *seat },
            Event::DiceTaken { seat, .. } => Happened::DiceTaken { seat: *seat },
            Event::DicePassed => Happened::DicePassed,
            Event::Drawn { selection } => Happened::Drawn {
                levels: selection.iter().map(|(wager, level)| (wager.to_string(), level + 1)).collect(),
            },
            Event::SideBetClosed { wager } => Happened::SideBetClosed { wager: wager.to_string() },
            Event::PhaseSet { phase: next, trackers } => {
                let (phase, point) = phase(*next);
                let shown = |(wager, progress): &(WagerId, Progress)| {
                    marker(*wager, &self.rules.wagers.iter().find(|rules| rules.wager == *wager)?.machine, *progress)
                };
                Happened::PhaseSet { phase, point, markers: trackers.iter().filter_map(shown).collect() }
            }
            Event::NoRoll { reason, caller } => {
                Happened::NoRoll { reason: reason.name().to_owned(), caller: caller.map(by) }
            }
            Event::OrderedOff { by: role, ground } => {
                Happened::OrderedOff { by: by(*role), ground: ground.map(|ground| ground.name().to_owned()) }
            }
            Event::TrackersCleared { wagers } => {
                Happened::MarksRemoved { wagers: wagers.iter().map(ToString::to_string).collect() }
            }
            Event::Requested { number, command, needs } => Happened::Requested {
                request: *number,
                seat: command.seat(),
                by: needs.by.iter().copied().map(by).collect(),
                all: needs.all,
            },
            Event::Confirmed { number, by: role } => Happened::Confirmed { request: *number, by: by(*role) },
            Event::RequestEnded { number, how } => {
                Happened::RequestEnded { request: *number, how: how.name().to_owned() }
            }
            Event::SurveillanceTold => Happened::SurveillanceTold,
            Event::FacesNamed { by: role, reason, .. } => {
                Happened::FacesNamed { by: by(*role), reason: reason.clone() }
            }
            Event::Ruled { by: role, seat, amount, .. } => {
                Happened::Ruled { by: by(*role), seat: *seat, amount: sees(*seat).then_some(amount.minor()) }
            }
            Event::Thrown { .. }
            | Event::Called { .. }
            | Event::Settled { .. }
            | Event::UnderMinimumSettled { .. }
            | Event::DecisionsOver { .. } => return None,
        })
    }

    /// Returns the view of a wager whose price a draw raised.
    #[must_use]
    pub fn raised(&self, raised: &Raised) -> RaisedView {
        RaisedView {
            by: raised.by.clone(),
            name: raised.name.clone(),
            bets: raised.slots.iter().map(|slot| self.names.code(*slot).to_owned()).collect(),
            level: raised.level,
            pays: raised.pays.clone(),
            cite: raised.cites.to_string(),
        }
    }

    /// Returns the view of a roll.
    #[must_use]
    pub fn roll(&self, roll: &Roll) -> RollView {
        RollView {
            roll: roll.number,
            seq: roll.row,
            dice: roll.faces,
            total: roll.faces[0] + roll.faces[1],
            mark: roll.mark.map(String::from),
            line: roll.mark.and_then(LineMark::of),
            shooter: roll.shooter.map(Into::into),
            call: roll.call.clone(),
            colorful: roll.colorful.clone(),
            raised: roll.raised.iter().map(|raised| self.raised(raised)).collect(),
            results: results(|slot| self.names.code(slot), &roll.results),
        }
    }
}
