//! A table's log as others see it, row by row.

use super::pit::Told;
use super::view::{
    BetView, Eye, LineMark, MarkerView, PhaseView, RaisedView, RollView, RulingView, marker, phase, results, ruling,
};
use super::{BetName, Deed, Entry, Live, Names, Raised, Roll};
use craps_table::{Bet, Event, Role, SeatId};
use craps_wagers::{Machine, Progress, WagerId};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// What happened, row by row: one row of a table's log for whoever reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RowView {
    /// Its number.
    pub seq: u64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The role of whoever acted.
    pub role: String,
    /// The seat of a player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// Who it was; private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// What was done.
    #[serde(flatten)]
    pub did: DidView,
    /// What is on the rails that it touched; private. Told with rows that are heard as they happen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rails: Vec<RailView>,
}

/// What is on a rail, in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RailView {
    /// Whose.
    pub seat: SeatId,
    /// How much.
    pub rail: i64,
}

/// What a row says was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "did", rename_all = "kebab-case")]
pub enum DidView {
    /// The table was opened.
    Opened {
        /// Its name.
        name: String,
    },
    /// An order was done.
    Ordered {
        /// What followed.
        happened: Vec<Happened>,
    },
    /// Orders of a seat since the last throw were taken back: the table is told anew after this.
    Undone {
        /// Whose they were.
        of: SeatId,
        /// Their rows.
        rows: Vec<u64>,
    },
    /// A new hand: the commitment to its secret.
    Committed {
        /// Its number.
        hand: u32,
        /// SHA-256 of the secret, in hex.
        commitment: String,
    },
    /// No more bets: this row's hash decides the dice with the secret.
    Closed {
        /// The number of the throw within its hand.
        throw: u32,
        /// The hash of this row.
        hash: String,
    },
    /// The dice.
    Thrown {
        /// The throw and what it decided.
        roll: Option<RollView>,
        /// Why, where the faces were in dispute and somebody named them.
        #[serde(skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// What else followed.
        happened: Vec<Happened>,
    },
    /// A hand is over: its secret.
    Revealed {
        /// Its number.
        hand: u32,
        /// The secret, in hex.
        secret: String,
    },
    /// The stickperson entered the dice.
    Entered {
        /// As entered; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        dice: Option<[u8; 2]>,
    },
    /// The boxperson saw other dice: nothing is settled until they are entered anew or decided on.
    Mismatched {
        /// As entered; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        entered: Option<[u8; 2]>,
        /// As seen; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        seen: Option<[u8; 2]>,
    },
    /// Somebody asks for a ruling that takes a second person.
    Proposed {
        /// Which; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        ruling: Option<RulingView>,
    },
    /// The second person turned it down.
    Rejected {
        /// The row of the proposal.
        row: u64,
    },
    /// The second person agreed.
    Approved {
        /// The row of the proposal.
        row: u64,
        /// What followed.
        happened: Vec<Happened>,
    },
    /// Something was said.
    Said {
        /// In these words.
        words: String,
    },
    /// A player said how they take the betting window.
    Paced {
        /// So many times as long they need.
        times: u8,
        /// They have bet what they want to before the next throw.
        ready: bool,
    },
    /// The table closed for good.
    TableClosed {
        /// For how many minutes nobody was there.
        empty: u32,
    },
}

/// One thing that happened. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Happened {
    /// Somebody sat down.
    Joined {
        /// Where.
        seat: SeatId,
        /// Who.
        name: String,
        /// Is it a program?
        bot: bool,
        /// With how much; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        money: Option<i64>,
    },
    /// Money came onto a rail.
    BoughtIn {
        /// Where.
        seat: SeatId,
        /// How much; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        money: Option<i64>,
    },
    /// Somebody left.
    Left {
        /// Where.
        seat: SeatId,
    },
    /// A bet stands so from now on.
    BetPlaced {
        /// Whose.
        seat: SeatId,
        /// As it stands.
        bet: BetView,
        /// What went down.
        staked: i64,
        /// Commission taken.
        commission: i64,
    },
    /// A bet came down, or some of it.
    TakenDown {
        /// Whose.
        seat: SeatId,
        /// Its code.
        bet: String,
        /// What is left.
        left: Option<BetView>,
        /// What went back to the rail.
        returned: i64,
        /// Commission given back.
        refunded: i64,
    },
    /// A bet was called or told, or took its progress along.
    BetChanged {
        /// Whose.
        seat: SeatId,
        /// As it stands.
        bet: BetView,
    },
    /// A word for what the staff did, and the number that goes with it.
    Procedure {
        /// `inspected`, `opened`, `closed`, `new-dice`, `hours`, `bets-closed` or `released`.
        act: String,
        /// Dice, or hours.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
        /// Why.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The dice were offered.
    DiceOffered {
        /// To whom.
        seat: SeatId,
    },
    /// The dice were not wanted.
    DiceDeclined {
        /// By whom.
        seat: SeatId,
    },
    /// Somebody has the dice.
    DiceTaken {
        /// Who; none is the dealer.
        seat: Option<SeatId>,
    },
    /// The dice were given up.
    DicePassed,
    /// A draw before the throw raised prices.
    Drawn {
        /// Wagers and their levels, from one.
        levels: Vec<(String, usize)>,
    },
    /// A side bet is closed until its hand is over.
    SideBetClosed {
        /// Which.
        wager: String,
    },
    /// The throw is over: where the game stands.
    PhaseSet {
        /// The phase.
        phase: PhaseView,
        /// The point, if one is on.
        point: Option<u8>,
        /// What the markers show.
        markers: Vec<MarkerView>,
    },
    /// The throw did not count.
    NoRoll {
        /// Why.
        reason: String,
        /// Who called it.
        caller: Option<String>,
    },
    /// The shooter was ordered to give up the dice.
    OrderedOff {
        /// By whom.
        by: String,
    },
    /// A dispute over the faces was decided.
    FacesNamed {
        /// By whom.
        by: String,
        /// Why.
        reason: String,
    },
    /// A ruling moved money.
    Ruled {
        /// By whom.
        by: String,
        /// Whose rail.
        seat: SeatId,
        /// How much; private.
        #[serde(skip_serializing_if = "Option::is_none")]
        amount: Option<i64>,
    },
}

/// Reads rows of one table's log.
#[derive(Debug, Clone)]
pub struct Reader {
    /// What the log calls bets.
    names: Names,
    /// What decides each wager, to read what its tracker shows.
    machines: Arc<BTreeMap<WagerId, Machine>>,
}

impl Reader {
    /// A reader for a table.
    #[must_use]
    pub fn new(live: &Live) -> Reader {
        let machines = live.table().rules().wagers.iter().map(|rules| (rules.wager, rules.machine)).collect();
        Reader { names: live.names().clone(), machines: Arc::new(machines) }
    }

    /// A row as somebody may see it.
    #[must_use]
    pub fn row(&self, told: &Told, eye: &Eye) -> RowView {
        let Told { row, entry, roll, rails, .. } = told;
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
            did: self.did(entry, &row.hash, row.seq, roll.as_deref(), eye, &sees),
            rails: rails
                .iter()
                .filter(|rail| sees(rail.seat))
                .map(|rail| RailView { seat: rail.seat, rail: rail.money.minor() })
                .collect(),
        }
    }

    /// Does a row hold anything for these eyes that not everybody sees?
    #[must_use]
    pub fn is_private_to(told: &Told, eye: &Eye) -> bool {
        let owns = told.rails.iter().any(|rail| eye.sees(rail.owner.as_deref()));
        eye.all || owns || eye.sees(told.entry.by.who.as_deref())
    }

    fn did(
        &self,
        entry: &Entry<BetName>,
        hash: &str,
        seq: u64,
        roll: Option<&Roll>,
        eye: &Eye,
        sees: &dyn Fn(SeatId) -> bool,
    ) -> DidView {
        let happened = |events: &[Event<BetName>]| {
            events.iter().filter_map(|event| self.happened(event, entry.by.bot, sees)).collect()
        };
        match &entry.did {
            Deed::Opened(opening) => DidView::Opened { name: opening.name.clone() },
            Deed::Ordered { events, .. } => DidView::Ordered { happened: happened(events) },
            Deed::Undone { seat, rows, .. } => DidView::Undone { of: *seat, rows: rows.clone() },
            Deed::Committed { hand, commitment } => DidView::Committed { hand: *hand, commitment: commitment.clone() },
            Deed::Closed { throw } => DidView::Closed { throw: *throw, hash: hash.to_owned() },
            Deed::Thrown { named, events, .. } => DidView::Thrown {
                roll: roll.map(|roll| self.roll(roll)),
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
            Deed::TableClosed { empty } => DidView::TableClosed { empty: *empty },
            Deed::Paced(pace) => DidView::Paced { times: pace.times, ready: pace.ready },
        }
    }

    fn bet(&self, name: &BetName, bet: &Bet) -> BetView {
        BetView::new(self.names.code_of(name), bet)
    }

    /// One event; none for what the throw itself tells.
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
                let shown =
                    |(wager, progress): &(WagerId, Progress)| marker(*wager, self.machines.get(wager)?, *progress);
                Happened::PhaseSet { phase, point, markers: trackers.iter().filter_map(shown).collect() }
            }
            Event::NoRoll { reason, caller } => {
                Happened::NoRoll { reason: reason.name().to_owned(), caller: caller.map(by) }
            }
            Event::OrderedOff { by: role } => Happened::OrderedOff { by: by(*role) },
            Event::FacesNamed { by: role, reason, .. } => {
                Happened::FacesNamed { by: by(*role), reason: reason.clone() }
            }
            Event::Ruled { by: role, seat, amount, .. } => {
                Happened::Ruled { by: by(*role), seat: *seat, amount: sees(*seat).then_some(amount.minor()) }
            }
            Event::Thrown { .. }
            | Event::Called { .. }
            | Event::Settled { .. }
            | Event::DecisionsOver { .. }
            | Event::SurveillanceTold => return None,
        })
    }

    /// A throw.
    #[must_use]
    pub fn roll(&self, roll: &Roll) -> RollView {
        let raised = |raised: &Raised| RaisedView {
            by: raised.by.clone(),
            name: raised.name.clone(),
            bets: raised.slots.iter().map(|slot| self.names.code(*slot).to_owned()).collect(),
            level: raised.level,
            pays: raised.pays.clone(),
            cite: raised.cites.to_string(),
        };
        RollView {
            roll: roll.number,
            seq: roll.row,
            dice: roll.faces,
            total: roll.faces[0] + roll.faces[1],
            mark: roll.mark.map(String::from),
            line: roll.mark.and_then(LineMark::of),
            shooter: roll.shooter.map(Into::into),
            call: roll.call.clone(),
            raised: roll.raised.iter().map(raised).collect(),
            results: results(|slot| self.names.code(slot), &roll.results),
        }
    }
}
