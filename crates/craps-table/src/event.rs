use crate::bets::Bet;
use crate::command::{Command, NoRollReason, PassGround, Role, SeatId};
use crate::crew::NewDice;
use crate::hand::AfterDecisions;
use crate::requests::{Needs, RequestEnd};
use crate::settle::{After, Verdict};
use crate::slots::SlotId;
use craps_dice::{Throw, Total};
use craps_money::Money;
use craps_wagers::{Phase, Progress, WagerId};
use serde::{Deserialize, Serialize};

/// Something that happened at a table. Applying all events in order gives the state. `B` is how an event names bets: by slot at a table, or by code
/// in a stored record, because slot numbers differ between tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event<B = SlotId> {
    /// A player sat down.
    Joined {
        /// The seat they took.
        seat: SeatId,
        /// The player's name.
        name: String,
        /// The first buy-in.
        money: Money,
    },
    /// A player bought more chips.
    BoughtIn {
        /// The player's seat.
        seat: SeatId,
        /// Amount of the buy-in.
        money: Money,
    },
    /// A player left with their chips.
    Left {
        /// The seat that is free now.
        seat: SeatId,
    },
    /// A bet was made or raised. Money moved from the player's chips to the felt and to commission.
    BetPlaced {
        /// The player's seat.
        seat: SeatId,
        /// The bet that was made.
        slot: B,
        /// The whole bet, as it is now.
        bet: Bet,
        /// Amount that was added to the bet.
        staked: Money,
        /// Commission that was charged.
        commission: Money,
    },
    /// A bet came down, or a part of it.
    TakenDown {
        /// The player's seat.
        seat: SeatId,
        /// The bet that came down.
        slot: B,
        /// The rest of the bet. None if all of it came down.
        left: Option<Bet>,
        /// Amount that went back to the player.
        returned: Money,
        /// Commission that was refunded.
        refunded: Money,
    },
    /// A bet was turned on or off, or the player said what happens when it wins.
    Told {
        /// The player's seat.
        seat: SeatId,
        /// The bet that changed.
        slot: B,
        /// The whole bet, as it is now.
        bet: Bet,
    },
    /// The shaker passed its inspection.
    Inspected,
    /// The table opened with a set of dice.
    Opened {
        /// Number of dice in the set.
        dice: u8,
    },
    /// The table closed.
    Closed,
    /// A new set of dice replaced the old one.
    DiceChanged {
        /// Why the dice were replaced.
        reason: NewDice,
        /// Number of dice in the new set.
        dice: u8,
    },
    /// The staff logged hours of use for this set of dice.
    HoursNoted {
        /// Hours added to those logged before.
        hours: u32,
    },
    /// The dice were offered to a seat.
    DiceOffered {
        /// The seat that can take the dice.
        seat: SeatId,
    },
    /// A player declined the dice.
    DiceDeclined {
        /// The player's seat.
        seat: SeatId,
    },
    /// No more bets before the roll.
    BetsClosed,
    /// The shooter rolled the dice, or the shaker was started.
    Released,
    /// The total of the roll was called.
    Called {
        /// Total of both dice.
        total: Total,
    },
    /// A side bet was announced as closed for the rest of the hand.
    SideBetClosed {
        /// The side bet that closed.
        wager: WagerId,
    },
    /// Somebody took the dice.
    DiceTaken {
        /// The shooter's seat. None means the dealer.
        seat: Option<SeatId>,
        /// The phase in which they roll.
        phase: Phase,
    },
    /// The dice were given up.
    DicePassed,
    /// A draw raised the prices of some wagers for the next roll.
    Drawn {
        /// Wagers with the level drawn for each, counted from 0.
        selection: Vec<(WagerId, usize)>,
    },
    /// The dice came to rest.
    Thrown {
        /// The faces of the dice.
        dice: Throw,
    },
    /// A bet was decided, credited or moved.
    Settled {
        /// The player's seat.
        seat: SeatId,
        /// The slot of the bet before the roll.
        slot: B,
        /// The bet before the roll.
        bet: Bet,
        /// The result for the bet.
        verdict: Verdict<B>,
        /// Where the bet is now.
        after: After<B>,
    },
    /// A side bet that wasn't decided made progress.
    Advanced {
        /// The player's seat.
        seat: SeatId,
        /// The side bet.
        slot: B,
        /// The whole bet, as it is now.
        bet: Bet,
    },
    /// The roll is settled, and the next phase begins.
    PhaseSet {
        /// The phase of the next roll.
        phase: Phase,
        /// Each tracker with its progress.
        trackers: Vec<(WagerId, Progress)>,
    },
    /// Rolling for come decisions only ended before the dice decided all come bets.
    DecisionsOver {
        /// Who has the dice next.
        dice: AfterDecisions,
    },
    /// A bet below the minimum was settled. The player's later bets below it are returned when the dice decide them.
    UnderMinimumSettled {
        /// The player's seat.
        seat: SeatId,
    },
    /// Surveillance was notified that a side bet reached the count at which the book requires it.
    SurveillanceTold,
    /// The roll didn't count.
    NoRoll {
        /// Why it didn't count.
        reason: NoRollReason,
        /// The role that called it. None if nobody had to, or nobody was named.
        caller: Option<Role>,
    },
    /// The shooter was ordered to give up the dice.
    OrderedOff {
        /// The role that gave the order.
        by: Role,
        /// Why. None in logs from before grounds were kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground: Option<PassGround>,
    },
    /// The marks of side bets that nobody has up were removed, because a new shooter took the dice.
    TrackersCleared {
        /// The side bets.
        wagers: Vec<WagerId>,
    },
    /// A player asked for something that takes effect when the crew confirms it.
    Requested {
        /// Number of the request at this table, from 1.
        number: u32,
        /// The command that the player gave.
        command: Box<Command<B>>,
        /// Who must confirm it.
        needs: Needs,
    },
    /// A member of the crew confirmed a request.
    Confirmed {
        /// Number of the request.
        number: u32,
        /// The role that confirmed it.
        by: Role,
    },
    /// A request no longer waits.
    RequestEnded {
        /// Number of the request.
        number: u32,
        /// Whether it took effect.
        how: RequestEnd,
    },
    /// A dispute over the faces was decided. The `Thrown` event that follows has the same dice.
    FacesNamed {
        /// The role that decided.
        by: Role,
        /// The faces of the dice, as decided.
        dice: Throw,
        /// Explanation of the decision.
        reason: String,
    },
    /// A ruling gave chips to a player or took chips away. The events that it corrects stay in the log.
    Ruled {
        /// The role that ruled.
        by: Role,
        /// The player's seat.
        seat: SeatId,
        /// Amount the player got, or lost if it is negative.
        amount: Money,
        /// Explanation of the ruling.
        reason: String,
    },
}

/// A list of events in the order in which they happened.
pub type Events = Vec<Event>;

impl<B> Event<B> {
    /// Returns the seat whose chips the event changes or can change.
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
    /// Returns the slots that the event names.
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
