//! Turns orders into commands at a table. Nothing is checked against the rules here: the table decides whether a bet is allowed, and for how much.

use super::order::{AskBack, Kind, Order, Question, Spoken, Verb, Which, Whose};
use super::rail::Rail;
use super::say::{about, phrase_of, say};
use craps_table::{Command, Manner, SeatId, SlotId, Table};

/// What an order means at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// What was understood: each command as talk.
    pub echo: String,
    /// The commands; empty for a question, or for a request that the table doesn't handle, such as "undo".
    pub commands: Vec<Command>,
    /// The bets that a question is about.
    pub about: Vec<SlotId>,
}

/// Returns what an order means at this table for this seat.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::talk::{hear, meant};
/// let meaning = meant(session.table(), 1, &hear("12 on the six")?[0])?;
/// assert_eq!((meaning.echo.as_str(), meaning.commands.len()), ("place six for 12", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the order could mean several things, or nothing at this table. The error suggests what to say instead.
pub fn meant(table: &Table, seat: SeatId, spoken: &Spoken) -> Result<Meaning, AskBack> {
    let order = &spoken.order;
    let again = about(order);
    let rail = Rail { table, seat, span: &spoken.span, again: &*again };
    let mut notes: Vec<String> = Vec::new();
    let commands = match order {
        Order::Bet { bets, amount, share, with, whose } => {
            if *whose != Whose::Mine || bets.is_empty() {
                return Err(rail.for_dealers(bets, *amount));
            }
            let manner = Manner { late: None, cash: with.cash, coupon: with.coupon };
            rail.bet(bets, *amount, *share, &manner, &mut notes)?
        }
        Order::Odds { behind, amount, share } => rail.odds(behind.as_ref(), *amount, *share)?,
        Order::TakeDown { bets, amount } => rail.take_down(bets, *amount)?,
        Order::Press { bets, by } => rail.press(bets, *by)?,
        Order::Regress { bets, to } => rail.regress(bets, *to)?,
        Order::Move { from, to } => rail.moved(from, to)?,
        Order::SameBet { bets } => {
            rail.each(bets, |rail, slot| rail.stands(slot).map(|_| None))?;
            Vec::new()
        }
        Order::Call { bets, called } => {
            let all = bets[..] == [Which::All(Kind::Everything)];
            let call = |rail: &Rail<'_>, slot| {
                let meant = !all || rail.can_be_off(slot);
                Ok(meant.then_some(Command::Call { seat: rail.seat, slot, called: *called }))
            };
            rail.each_that_may(bets, call)?
        }
        Order::Tell { bets, after_win } => {
            rail.each(bets, |rail, slot| Ok(Some(Command::Tell { seat: rail.seat, slot, after_win: *after_win })))?
        }
        Order::Ask(Question::OddsOn(bets)) => {
            let about = bets.iter().map(|which| rail.made(which)).collect::<Result<Vec<_>, _>>()?.concat();
            return Ok(Meaning { echo: phrase_of(order), commands: Vec::new(), about });
        }
        Order::Ask(_) => Vec::new(),
        Order::Do(verb) => act(seat, verb),
    };
    let said: Vec<String> = commands.iter().filter_map(|command| say(table, command)).collect();
    let said = if said.is_empty() { phrase_of(order) } else { said.join("; ") };
    notes.push(said);
    Ok(Meaning { echo: notes.join(": "), commands, about: Vec::new() })
}

/// Returns the commands of a verb. Verbs that the program handles, such as roll and undo, have none.
fn act(seat: SeatId, verb: &Verb) -> Vec<Command> {
    match verb {
        Verb::PassDice => vec![Command::PassDice],
        Verb::TakeDice { decisions_only } => {
            vec![Command::TakeDice { seat: Some(seat), decisions_only: *decisions_only }]
        }
        Verb::DeclineDice => vec![Command::DeclineDice { seat }],
        Verb::BuyIn(money) => vec![Command::BuyIn { seat, money: *money }],
        Verb::Leave => vec![Command::Leave { seat }],
        Verb::Roll
        | Verb::Undo
        | Verb::Redo
        | Verb::Repeat
        | Verb::Clear
        | Verb::Help
        | Verb::Save
        | Verb::Quit
        | Verb::History => Vec::new(),
    }
}
