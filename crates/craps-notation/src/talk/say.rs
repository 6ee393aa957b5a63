//! Turns commands into talk, and writes the echo of an order.

use super::lexicon as lex;
use super::order::{Amount, Cut, OddsAmount, Order, Question, Raise, Thrown, Verb, Which};
use super::words::spell;
use crate::game::BetName;
use craps_dice::Point;
use craps_table::{AfterWin, Called, Command, SlotId, Table};
use craps_wagers::{Catalogue, Family};

/// Returns a player's command as talk that parses back to exactly that command. None for commands that players don't give.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::{action, talk::say};
/// let (_, bet) = action(session.table(), "1:H8+5").unwrap();
/// assert_eq!(say(session.table(), &bet).as_deref(), Some("hard eight for 5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn say(table: &Table, command: &Command) -> Option<String> {
    let name = |slot: &SlotId| standing_name(table, *slot);
    Some(match command {
        Command::Bet { slot, amount, manner, .. } if manner.late.is_none() => {
            let cash = manner.cash.map(|cash| format!(" with {cash} cash")).unwrap_or_default();
            let coupon = manner.coupon.map(|coupon| format!(" with a {coupon} coupon")).unwrap_or_default();
            format!("{} for {amount}{cash}{coupon}", slot_name(table, *slot))
        }
        Command::TakeDown { seat, slot, amount } => {
            let stands = table.seat(*seat).and_then(|seat| seat.bets.get(*slot)).map(|bet| bet.stake);
            if stands == Some(amount.money()) {
                format!("take down {}", name(slot))
            } else {
                format!("take {amount} off {}", name(slot))
            }
        }
        Command::Call { slot, called, .. } => match called {
            Called::On => format!("call {} on", name(slot)),
            Called::Off => format!("call {} off", name(slot)),
            Called::Standard => format!("call {} as usual", name(slot)),
        },
        Command::Tell { slot, after_win, .. } => match after_win {
            AfterWin::Up => format!("leave {} up", name(slot)),
            AfterWin::Down => format!("{} down when it wins", name(slot)),
            AfterWin::Usual => format!("{} as usual when it wins", name(slot)),
        },
        Command::BuyIn { money, .. } => format!("buy in for {money}"),
        Command::Leave { .. } => "leave the table".to_owned(),
        Command::PassDice => "pass the dice".to_owned(),
        Command::TakeDice { seat: Some(_), decisions_only } => taken(*decisions_only).to_owned(),
        Command::DeclineDice { .. } => "decline the dice".to_owned(),
        _ => return None,
    })
}

fn taken(decisions_only: bool) -> &'static str {
    if decisions_only { "take the dice for the come bets only" } else { "take the dice" }
}

/// Returns the name of a bet in a slot.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::talk::slot_name;
/// let slot = session.table().board().named("place-win-6").unwrap();
/// assert_eq!(slot_name(session.table(), slot), "place six");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn slot_name(table: &Table, slot: SlotId) -> String {
    let place = table.board().slot(slot);
    bet_name(&BetName { wager: place.wager, number: place.number })
}

/// Returns the name of a bet that is up: "come eight" instead of "come on eight", because only a bet that is up has a number.
pub(super) fn standing_name(table: &Table, slot: SlotId) -> String {
    let place = table.board().slot(slot);
    let name = slot_name(table, slot);
    if place.wager.wager().family == Family::Line { name.replace(" on ", " ") } else { name }
}

/// Returns the full name of a bet.
///
/// ```
/// use craps_notation::{BetName, talk::bet_name};
/// use craps_wagers::Wager;
/// let wager = craps_wagers::Catalogue::built_in().find("come").unwrap();
/// let number = craps_dice::Point::from_value(8);
/// assert_eq!(bet_name(&BetName { wager, number }), "come on eight");
/// ```
#[must_use]
pub fn bet_name(bet: &BetName) -> String {
    let wager = bet.wager.wager();
    let number = bet.number.or(wager.number).map(number_name);
    match (wager.spoken, wager.stems, number) {
        (Some(spoken), _, number) => spoken.replace("{number}", number.unwrap_or_default()),
        (None, [stem, ..], Some(number)) => format!("{stem} {number}"),
        _ => wager.phrases.first().copied().unwrap_or(wager.slug).to_owned(),
    }
}

/// Returns the word for a number.
pub(super) fn number_name(point: Point) -> &'static str {
    spell(point.value())
}

/// Returns the name of the bets that an order is about.
pub(super) fn which_name(which: &Which) -> String {
    match which {
        Which::Named(bet) => bet_name(bet),
        Which::Number(point) => format!("the {}", number_name(*point)),
        Which::Spread { how: None, spread } => spread.name().to_owned(),
        Which::Spread { how: Some(family), spread } => {
            let name = bet_stem(*family);
            format!("{name} {}", spread.name())
        }
        Which::Combo(combo) => combo.name.to_owned(),
        Which::All(kind) => {
            lex::KINDS.iter().find(|(_, known)| known == kind).map_or("bets", |(name, _)| name).to_owned()
        }
        Which::Odds(None) => "odds".to_owned(),
        Which::Odds(Some(behind)) => format!("odds on {}", which_name(behind)),
        Which::It => "it".to_owned(),
    }
}

/// Returns the word before the number in a family's bets, such as "place".
fn bet_stem(family: Family) -> &'static str {
    let mut of_family = Catalogue::current().all().filter(|id| id.wager().family == family);
    of_family.find_map(|id| id.wager().stems.first().copied()).unwrap_or(family.name())
}

/// Joins several names with "and".
pub(super) fn names(bets: &[Which]) -> String {
    bets.iter().map(which_name).collect::<Vec<_>>().join(" and ")
}

/// Returns an amount in words for talk.
pub(super) fn amount_name(amount: Amount) -> String {
    match amount {
        Amount::Exactly(stake) => stake.to_string(),
        Amount::Least => "the minimum".to_owned(),
        Amount::Most => "the maximum".to_owned(),
    }
}

/// Returns a question or a request in talk.
pub(super) fn phrase_of(order: &Order) -> String {
    let first = |known: Option<&'static str>| known.unwrap_or("help").to_owned();
    match order {
        Order::Ask(Question::WhatIf(thrown)) => format!("what if {}", thrown_name(*thrown)),
        Order::Ask(Question::Why(None)) => "why".to_owned(),
        Order::Ask(Question::Why(Some(of))) => {
            let result = of.result.map(|result| format!(".{result}")).unwrap_or_default();
            format!("why {}{result}", of.roll)
        }
        Order::Ask(Question::OddsOn(bets)) => format!("odds on {}", names(bets)),
        Order::Ask(question) => {
            first(lex::QUESTIONS.iter().find(|(_, known)| known == question).map(|(phrase, _)| *phrase))
        }
        Order::Do(Verb::TakeDice { decisions_only }) => taken(*decisions_only).to_owned(),
        Order::Do(Verb::BuyIn(money)) => format!("buy in for {money}"),
        Order::Do(verb) => first(lex::VERBS.iter().find(|(_, known)| known == verb).map(|(phrase, _)| *phrase)),
        Order::SameBet { bets } if bets.is_empty() => "same bet".to_owned(),
        Order::SameBet { bets } => format!("same bet on {}", names(bets)),
        _ => String::new(),
    }
}

/// Returns the name of the rolls that a question asks about, such as `hard eight`. `what if` before it makes the question again.
///
/// ```
/// use craps_notation::talk::{Order, Question, hear, thrown_name};
/// let heard = hear("? hard 8").unwrap();
/// let Order::Ask(Question::WhatIf(thrown)) = &heard[0].order else { panic!() };
/// assert_eq!(thrown_name(*thrown), "hard eight");
/// ```
#[must_use]
pub fn thrown_name(thrown: Thrown) -> String {
    match thrown {
        Thrown::Total(total) => spell(total.value()).to_owned(),
        Thrown::Hard(hard) => format!("hard {}", number_name(hard.point())),
        Thrown::Easy(hard) => format!("easy {}", number_name(hard.point())),
        Thrown::Dice(dice) => dice.to_string(),
        Thrown::Craps => "any craps".to_owned(),
    }
}

/// Returns a function that writes the same order for another bet's name.
pub(super) fn about(order: &Order) -> Box<dyn Fn(&str) -> String> {
    match order {
        Order::Bet { amount, .. } => {
            let amount = amount_name(*amount);
            Box::new(move |name| format!("{name} for {amount}"))
        }
        Order::Odds { amount, .. } => {
            let amount = match amount {
                OddsAmount::Of(Amount::Most) => "max".to_owned(),
                OddsAmount::Of(amount) => amount_name(*amount),
                OddsAmount::Times(times) => format!("{times}x"),
                OddsAmount::ByNumber([a, b, c]) => format!("{a}-{b}-{c}"),
            };
            Box::new(move |name| format!("{amount} odds on {name}"))
        }
        Order::TakeDown { amount: Some(amount), .. } => {
            let amount = amount_name(*amount);
            Box::new(move |name| format!("take {amount} off {name}"))
        }
        Order::TakeDown { .. } => Box::new(|name| format!("take down {name}")),
        Order::Press { by: Raise::Half, .. } => Box::new(|name| format!("half press {name}")),
        Order::Press { by, .. } => {
            let by = match by {
                Raise::By(stake) => format!(" by {stake}"),
                Raise::To(amount) => format!(" to {}", amount_name(*amount)),
                Raise::Units(units) => format!(" by {units} units"),
                Raise::Double | Raise::Half => String::new(),
            };
            Box::new(move |name| format!("press {name}{by}"))
        }
        Order::Regress { to: Cut::To(amount), .. } => {
            let amount = amount_name(*amount);
            Box::new(move |name| format!("regress {name} to {amount}"))
        }
        Order::Regress { .. } => Box::new(|name| format!("regress {name}")),
        Order::Move { to, .. } => {
            let to = which_name(to);
            Box::new(move |name| format!("move {name} to {to}"))
        }
        Order::Call { called, .. } => {
            let called = match called {
                Called::On => "on",
                Called::Off => "off",
                Called::Standard => "as usual",
            };
            Box::new(move |name| format!("call {name} {called}"))
        }
        Order::Tell { after_win, .. } => {
            let when = match after_win {
                AfterWin::Up => "stays up",
                AfterWin::Down => "down when it wins",
                AfterWin::Usual => "as usual when it wins",
            };
            Box::new(move |name| format!("{name} {when}"))
        }
        Order::SameBet { .. } => Box::new(|name| format!("same bet on {name}")),
        Order::Ask(_) | Order::Do(_) => Box::new(|name| format!("odds on {name}")),
    }
}
