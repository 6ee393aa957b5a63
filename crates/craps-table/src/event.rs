use crate::bets::Bet;
use crate::command::{NoRollReason, Role, SeatId};
use crate::crew::NewDice;
use crate::hand::AfterDecisions;
use crate::settle::{After, Verdict};
use crate::slots::SlotId;
use craps_dice::{Throw, Total};
use craps_money::Money;
use craps_wagers::{Phase, Progress, WagerId};
use serde::{Deserialize, Serialize};

/// What happened. State is the fold of events. `B` is how it names bets: by their slots at a table, or by codes in a record that outlives the
/// table's numbering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event<B = SlotId> {
    /// A player sat down.
    Joined {
        /// Where.
        seat: SeatId,
        /// Who.
        name: String,
        /// With how much.
        money: Money,
    },
    /// Money came onto a rail.
    BoughtIn {
        /// Where.
        seat: SeatId,
        /// How much.
        money: Money,
    },
    /// A player left.
    Left {
        /// Where.
        seat: SeatId,
    },
    /// A bet stands so from now on; money went from the rail to the felt and to the commission.
    BetPlaced {
        /// Whose.
        seat: SeatId,
        /// Where.
        slot: B,
        /// The bet as it stands.
        bet: Bet,
        /// What went down.
        staked: Money,
        /// The commission taken.
        commission: Money,
    },
    /// So much of a bet came down.
    TakenDown {
        /// Whose.
        seat: SeatId,
        /// Where.
        slot: B,
        /// What is left, if anything.
        left: Option<Bet>,
        /// What went back to the rail.
        returned: Money,
        /// The commission given back.
        refunded: Money,
    },
    /// A bet was called, or told what to do when it wins.
    Told {
        /// Whose.
        seat: SeatId,
        /// Where.
        slot: B,
        /// The bet as it stands.
        bet: Bet,
    },
    /// The shaker was found in order.
    Inspected,
    /// The table is open with so many dice.
    Opened {
        /// How many.
        dice: u8,
    },
    /// The table is closed.
    Closed,
    /// There is a new set of dice.
    DiceChanged {
        /// Why.
        reason: NewDice,
        /// How many.
        dice: u8,
    },
    /// Hours have passed with this set of dice.
    HoursNoted {
        /// How many.
        hours: u32,
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
    /// No more bets are taken before the throw.
    BetsClosed,
    /// The dice left the hand.
    Released,
    /// The total was called.
    Called {
        /// The total.
        total: Total,
    },
    /// A side bet is announced as closed until its hand is over.
    SideBetClosed {
        /// Which.
        wager: WagerId,
    },
    /// Somebody has the dice.
    DiceTaken {
        /// Who; none is the dealer.
        seat: Option<SeatId>,
        /// The phase they throw in.
        phase: Phase,
    },
    /// The dice were given up.
    DicePassed,
    /// A draw gave levels to wagers for the next throw.
    Drawn {
        /// Wagers and levels.
        selection: Vec<(WagerId, usize)>,
    },
    /// The dice came to rest.
    Thrown {
        /// As they lie.
        dice: Throw,
    },
    /// A bet was decided, credited or moved.
    Settled {
        /// Whose.
        seat: SeatId,
        /// Where it stood.
        slot: B,
        /// The bet as it stood.
        bet: Bet,
        /// What became of it.
        verdict: Verdict<B>,
        /// Where it is now.
        after: After<B>,
    },
    /// A bet that goes on took its progress along.
    Advanced {
        /// Whose.
        seat: SeatId,
        /// Where.
        slot: B,
        /// The bet as it stands.
        bet: Bet,
    },
    /// The throw is over: the phase that follows.
    PhaseSet {
        /// The phase.
        phase: Phase,
        /// The progress of each tracker.
        trackers: Vec<(WagerId, Progress)>,
    },
    /// Rolling for come decisions only ended before the dice decided every come bet.
    DecisionsOver {
        /// What becomes of the dice.
        dice: AfterDecisions,
    },
    /// Surveillance was told of bets that have come so far that the book wants it told.
    SurveillanceTold,
    /// The throw did not count.
    NoRoll {
        /// Why.
        reason: NoRollReason,
        /// Who called it.
        caller: Option<Role>,
    },
    /// The shooter was ordered to give up the dice.
    OrderedOff {
        /// By whom.
        by: Role,
    },
    /// A dispute over the faces was decided: the dice that come to rest next are these.
    FacesNamed {
        /// By whom.
        by: Role,
        /// As they lie.
        dice: Throw,
        /// Why.
        reason: String,
    },
    /// A ruling moved money. What it puts right stays in the record.
    Ruled {
        /// By whom.
        by: Role,
        /// Whose rail.
        seat: SeatId,
        /// How much.
        amount: Money,
        /// Why.
        reason: String,
    },
}

/// Events, in order.
pub type Events = Vec<Event>;

impl<B> Event<B> {
    /// The seat whose rail it changes, or may change.
    #[must_use]
    pub const fn moves_money_of(&self) -> Option<SeatId> {
        match self {
            Event::Joined { seat, .. }
            | Event::BoughtIn { seat, .. }
            | Event::BetPlaced { seat, .. }
            | Event::TakenDown { seat, .. }
            | Event::Settled { seat, .. }
            | Event::Ruled { seat, .. } => Some(*seat),
            _ => None,
        }
    }
}

impl Event {
    /// The slots that it names.
    pub fn slots(&self) -> impl Iterator<Item = SlotId> {
        let all = match self {
            Event::BetPlaced { slot, .. }
            | Event::TakenDown { slot, .. }
            | Event::Told { slot, .. }
            | Event::Advanced { slot, .. } => [Some(*slot), None, None],
            Event::Settled { slot, verdict, after, .. } => {
                let moved = if let Verdict::Moved { to } = verdict { Some(*to) } else { None };
                let stands = if let After::Stands(to, _) = after { Some(*to) } else { None };
                [Some(*slot), moved, stands]
            }
            _ => [None; 3],
        };
        all.into_iter().flatten()
    }
}
