//! Converts between the two ways to name bets. A table names bets by slot number, which depends on what it offers. Stored records name bets by code,
//! which never changes.

use crate::command::Command;
use crate::event::Event;
use crate::settle::{After, Verdict};

impl<B> Command<B> {
    /// Converts the name of the bet in a command with `name`.
    ///
    /// # Errors
    /// When `name` fails.
    pub fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Command<C>, E> {
        Ok(match self {
            Command::Join { seat, name, money } => Command::Join { seat, name, money },
            Command::BuyIn { seat, money } => Command::BuyIn { seat, money },
            Command::Leave { seat } => Command::Leave { seat },
            Command::Bet { seat, slot, amount, manner } => Command::Bet { seat, slot: name(slot)?, amount, manner },
            Command::InFlight { command } => Command::InFlight { command: Box::new(command.named(name)?) },
            Command::TakeDown { seat, slot, amount } => Command::TakeDown { seat, slot: name(slot)?, amount },
            Command::Call { seat, slot, called } => Command::Call { seat, slot: name(slot)?, called },
            Command::Tell { seat, slot, after_win } => Command::Tell { seat, slot: name(slot)?, after_win },
            Command::TakeDice { seat, decisions_only } => Command::TakeDice { seat, decisions_only },
            Command::Inspect { test_rolls } => Command::Inspect { test_rolls },
            Command::OpenTable { dice } => Command::OpenTable { dice },
            Command::CloseTable => Command::CloseTable,
            Command::NewDice { reason, dice } => Command::NewDice { reason, dice },
            Command::NoteHours { hours } => Command::NoteHours { hours },
            Command::OfferDice { seat } => Command::OfferDice { seat },
            Command::DeclineDice { seat } => Command::DeclineDice { seat },
            Command::CloseBets => Command::CloseBets,
            Command::Release => Command::Release,
            Command::OrderPass => Command::OrderPass,
            Command::OrderOff { ground } => Command::OrderOff { ground },
            Command::Nominate { seat, shooter } => Command::Nominate { seat, shooter },
            Command::Answer { request, agrees } => Command::Answer { request, agrees },
            Command::PassDice => Command::PassDice,
            Command::Draw { selection } => Command::Draw { selection },
            Command::Withdraw { seat } => Command::Withdraw { seat },
            Command::Throw { dice } => Command::Throw { dice },
            Command::NoRoll { reason, caller } => Command::NoRoll { reason, caller },
            Command::NameFaces { dice, reason } => Command::NameFaces { dice, reason },
            Command::Rule { seat, amount, reason } => Command::Rule { seat, amount, reason },
        })
    }
}

impl<B> Event<B> {
    /// Converts the names of the bets in an event with `name`.
    ///
    /// # Errors
    /// When `name` fails.
    pub fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Event<C>, E> {
        Ok(match self {
            Event::Joined { seat, name, money } => Event::Joined { seat, name, money },
            Event::BoughtIn { seat, money } => Event::BoughtIn { seat, money },
            Event::Left { seat } => Event::Left { seat },
            Event::BetPlaced { seat, slot, bet, staked, commission } => {
                Event::BetPlaced { seat, slot: name(slot)?, bet, staked, commission }
            }
            Event::TakenDown { seat, slot, left, returned, refunded } => {
                Event::TakenDown { seat, slot: name(slot)?, left, returned, refunded }
            }
            Event::Told { seat, slot, bet } => Event::Told { seat, slot: name(slot)?, bet },
            Event::Inspected => Event::Inspected,
            Event::Opened { dice } => Event::Opened { dice },
            Event::Closed => Event::Closed,
            Event::DiceChanged { reason, dice } => Event::DiceChanged { reason, dice },
            Event::HoursNoted { hours } => Event::HoursNoted { hours },
            Event::DiceOffered { seat } => Event::DiceOffered { seat },
            Event::DiceDeclined { seat } => Event::DiceDeclined { seat },
            Event::BetsClosed => Event::BetsClosed,
            Event::Released => Event::Released,
            Event::Called { total } => Event::Called { total },
            Event::SideBetClosed { wager } => Event::SideBetClosed { wager },
            Event::DiceTaken { seat, phase } => Event::DiceTaken { seat, phase },
            Event::DicePassed => Event::DicePassed,
            Event::Drawn { selection } => Event::Drawn { selection },
            Event::Thrown { dice } => Event::Thrown { dice },
            Event::Settled { seat, slot, bet, verdict, after } => Event::Settled {
                seat,
                slot: name(slot)?,
                bet,
                verdict: verdict.named(name)?,
                after: after.named(name)?,
            },
            Event::Advanced { seat, slot, bet } => Event::Advanced { seat, slot: name(slot)?, bet },
            Event::DecisionsOver { dice } => Event::DecisionsOver { dice },
            Event::PhaseSet { phase, trackers } => Event::PhaseSet { phase, trackers },
            Event::UnderMinimumSettled { seat } => Event::UnderMinimumSettled { seat },
            Event::SurveillanceTold => Event::SurveillanceTold,
            Event::NoRoll { reason, caller } => Event::NoRoll { reason, caller },
            Event::OrderedOff { by, ground } => Event::OrderedOff { by, ground },
            Event::TrackersCleared { wagers } => Event::TrackersCleared { wagers },
            Event::Requested { number, command, needs } => {
                Event::Requested { number, command: Box::new(command.named(name)?), needs }
            }
            Event::Confirmed { number, by } => Event::Confirmed { number, by },
            Event::RequestEnded { number, how } => Event::RequestEnded { number, how },
            Event::FacesNamed { by, dice, reason } => Event::FacesNamed { by, dice, reason },
            Event::Ruled { by, seat, amount, reason } => Event::Ruled { by, seat, amount, reason },
        })
    }
}

impl<B> Verdict<B> {
    fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Verdict<C>, E> {
        Ok(match self {
            Verdict::Won { rank, prize, paid, commission } => Verdict::Won { rank, prize, paid, commission },
            Verdict::Lost => Verdict::Lost,
            Verdict::Returned => Verdict::Returned,
            Verdict::Credited { rank, paid } => Verdict::Credited { rank, paid },
            Verdict::Moved { to } => Verdict::Moved { to: name(to)? },
        })
    }
}

impl<B> After<B> {
    fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<After<C>, E> {
        Ok(match self {
            After::Down => After::Down,
            After::Stands(slot, bet) => After::Stands(name(slot)?, bet),
        })
    }
}
