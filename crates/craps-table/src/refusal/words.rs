//! The sentences of all refusals.

use super::{Code, ComeRolls, Ground, Instead, Locked, Opens, Refusal};
use crate::requests::Needs;
use craps_law::Who;
use craps_money::{Money, Stake};
use std::fmt;

/// Shows an amount in dollars, such as `$12.50` or `-$5`.
struct Dollars(Money);

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.minor() < 0 {
            true => write!(f, "-${}", self.0.to_string().trim_start_matches('-')),
            false => write!(f, "${}", self.0),
        }
    }
}

impl From<Stake> for Dollars {
    fn from(stake: Stake) -> Dollars {
        Dollars(stake.money())
    }
}

/// Returns the title of a person that a book names, for use in a sentence.
const fn title(who: Who) -> &'static str {
    use crate::command::Role;
    match who {
        Who::Player => "the player",
        Who::Shooter => "the shooter",
        Who::Dealer => Role::Dealer.title(),
        Who::Stick => Role::Stick.title(),
        Who::Box => Role::Box.title(),
        Who::Floor => Role::Floor.title(),
        Who::Machine => Role::Machine.title(),
        Who::PitSupervisor => "the pit supervisor",
        Who::Employee => "any licensed employee",
    }
}

fn those(may: &[Who]) -> String {
    let titles: Vec<&str> = may.iter().map(|who| title(*who)).collect();
    if titles.is_empty() { "nobody here".to_owned() } else { titles.join(" or ") }
}

/// Returns the text with an uppercase first letter.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns the text with a lowercase first letter.
fn small(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

impl Opens {
    /// Returns the end of the sentence "You can bet Come only …".
    const fn when(self) -> &'static str {
        match self {
            Opens::ComeOut => "before a come-out roll",
            Opens::PointOn => "while a point is on",
            Opens::NewShooter => "before a new shooter's first come-out roll",
            Opens::AfterSeven => "before a come-out roll that follows a seven",
            Opens::NewShooterOrAfterSeven => "before a new shooter's first come-out roll or one that follows a seven",
            Opens::NothingRecorded => "before anything has counted toward it",
            Opens::ComeOutNothingRecorded => "before a come-out roll when nothing has counted toward it yet",
            Opens::UntilPoint => "before the first natural or point",
            Opens::FirstRoll => "before the shooter's first roll",
            Opens::NothingCounted => "before anything has counted toward it",
            Opens::MarkersOff => "while its markers are off",
            Opens::OrdinaryRolls => "when the dice aren't rolled for come bets only",
        }
    }

    /// Returns the advice to wait for that moment.
    const fn wait(self) -> &'static str {
        match self {
            Opens::ComeOut => "Wait for the next come-out roll",
            Opens::PointOn => "Wait for a point",
            Opens::AfterSeven | Opens::NewShooterOrAfterSeven => "Wait for a seven",
            Opens::OrdinaryRolls => "Wait until the come bets are decided",
            _ => "Wait for the next shooter",
        }
    }
}

impl Instead {
    /// Returns the text of a button for the alternative: `Bet $12`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Instead::Bet { amount, adds: true, .. } => format!("Add {}", Dollars::from(*amount)),
            Instead::Bet { amount, .. } => format!("Bet {}", Dollars::from(*amount)),
            Instead::TakeDown { all: true, .. } => "Take it down".to_owned(),
            Instead::TakeDown { amount, .. } => format!("Take {} down", Dollars::from(*amount)),
            Instead::Wait(opens) => opens.wait().to_owned(),
        }
    }

    /// Returns the alternative in rail talk: `PL6 12`. None for waiting.
    #[must_use]
    pub fn say(&self) -> Option<String> {
        match self {
            Instead::Bet { bet, amount, .. } => Some(format!("{} {amount}", bet.code())),
            Instead::TakeDown { bet, all: true, .. } => Some(format!("{} down", bet.code())),
            Instead::TakeDown { bet, amount, .. } => Some(format!("down {amount} {}", bet.code())),
            Instead::Wait(_) => None,
        }
    }
}

impl Refusal {
    /// Returns the reason as a sentence, followed by advice for some codes.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_table::{Actor, Command, Manner, Role, Table};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// # let mut table = Table::open(rules)?;
    /// # let join = Command::Join { seat: 1, name: "Ann".into(), money: "500".parse()? };
    /// # table.run(Actor::staff(Role::Box), &join)?;
    /// let slot = table.board().named("place-win-6").unwrap();
    /// let bet = Command::Bet { seat: 1, slot, amount: "13".parse()?, manner: Manner::default() };
    /// let refusal = table.run(Actor::player(1), &bet).unwrap_err();
    /// assert_eq!(refusal.code.name(), "not-payable");
    /// assert_eq!(refusal.sentence(), "$13 on Place 6 can't be paid evenly. Bet $12 or $18.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sentence(&self) -> String {
        let why = self.why();
        let commands: Vec<&Instead> = self.instead.iter().filter(|one| one.command().is_some()).collect();
        let advice = match (&self.code, &commands[..]) {
            (Code::NoTurnOff { .. } | Code::NoTurnOn { .. }, [_, ..]) => "You can take it down.".to_owned(),
            (Code::NotPayable { .. } | Code::NotInSteps { .. } | Code::NotEnoughChips { .. }, [first, rest @ ..]) => {
                let or = |one: &&Instead| match (one, first) {
                    (Instead::Bet { amount, .. }, Instead::Bet { .. }) => format!(" or {}", Dollars::from(*amount)),
                    (other, _) => format!(" or {}", small(&other.text())),
                };
                format!("{}{}.", first.text(), rest.iter().map(or).collect::<String>())
            }
            _ => String::new(),
        };
        if advice.is_empty() { why } else { format!("{why} {advice}") }
    }

    fn why(&self) -> String {
        // True if the limit applies to the whole table, not to a group of bets.
        let of_table = |end: &str| matches!(&self.ground, Ground::House { key } if *key == format!("limits.{end}"));
        match &self.code {
            Code::BelowMinimum { min, .. } if of_table("min") => format!("Table minimum is {}.", Dollars(*min)),
            Code::BelowMinimum { bet, min } => format!("Minimum on {bet} is {}.", Dollars(*min)),
            Code::AboveMaximum { max, .. } if of_table("max") => format!("Table maximum is {}.", Dollars(*max)),
            Code::AboveMaximum { bet, max } => format!("Maximum on {bet} is {} now.", Dollars(*max)),
            Code::NotPayable { bet, amount } => format!("{} on {bet} can't be paid evenly.", Dollars::from(*amount)),
            Code::NotInSteps { bet, step, .. } => format!("{bet} bets go in steps of {}.", Dollars::from(*step)),
            Code::NotEnoughChips { needed, chips } => {
                format!("That takes {}. You have {} in chips.", Dollars(*needed), Dollars(*chips))
            }
            Code::TooMuchMoney => "That's more money than this table can handle.".to_owned(),
            Code::NegativeMoney => "Nobody can have less than $0 in chips.".to_owned(),
            Code::NotOffered { wager } => format!("This table doesn't offer {}.", wager.wager().name),
            Code::NoOddsOnNumber { bet } => format!("This table doesn't take {bet} on this number."),
            Code::WindowClosed { bet, opens } => format!("You can bet {bet} only {}.", opens.when()),
            Code::NoPoint => "Odds need a point first.".to_owned(),
            Code::NoFrontBet { bet, front: Some(front) } => format!("{bet} needs a {front} bet first."),
            Code::NoFrontBet { bet, front: None } => format!("{bet} needs a bet to go behind."),
            Code::NeedsLineBet { bet } => format!("{bet} needs a pass or don't pass bet first."),
            Code::NoRaise { bet, moved: true } => format!("{bet} can't be raised once it has its number."),
            Code::NoRaise { bet, .. } => format!("{bet} can't be raised."),
            Code::DrawStands => "The draw stands. Bets can't change until a roll counts.".to_owned(),
            Code::NoMoreBets => "No more bets for this roll.".to_owned(),
            Code::DiceInAir => "The dice are in the air.".to_owned(),
            Code::NoChangeInAir => {
                "You can't take bets down or turn them on or off once the dice are rolled.".to_owned()
            }
            Code::NotInAir { bet } => format!("You can't bet {bet} once the dice are rolled."),
            Code::NotConfirmed { needs } => format!("A late bet needs {} to confirm it.", needs.in_words()),
            Code::NoSuchRequest { request } => format!("No request {request} is waiting."),
            Code::ConfirmedAlready { role, missing } => {
                let missing = Needs { by: missing.clone(), all: true };
                format!("{} has confirmed it. It waits for {}.", capital(role.title()), missing.in_words())
            }
            Code::NotTheirRequest { role, needs } => {
                format!("{} can't confirm this; {} can.", capital(role.title()), needs.in_words())
            }
            Code::StaySeated => "Stay seated until the roll you bet on is over.".to_owned(),
            Code::DrawFirst => "The draw comes first. Make it before the dice are rolled.".to_owned(),
            Code::NoPassGround { known } => {
                let known: Vec<&str> = known.iter().map(|ground| ground.name()).collect();
                format!("Say why the shooter must give up the dice: {}.", known.join(", "))
            }
            Code::NoPowerFailure => "You can take down everything at once only after a power failure.".to_owned(),
            Code::NoNominee => "The player who is offered the dice rolls them, or declines them.".to_owned(),
            Code::TableNotOpen => "The table isn't open yet.".to_owned(),
            Code::ComeDecisionsOnly => {
                "This roll only decides come bets. Bet the line before the next roll.".to_owned()
            }
            Code::NotBySpeech { bet } => format!("You can't bet {bet} verbally. Put the chips down."),
            Code::NoCoupons => "This table doesn't take coupons.".to_owned(),
            Code::CouponNotHere { bet } => format!("Coupons go on pass and don't pass bets, not on {bet}."),
            Code::CouponAboveBet { coupons } => {
                format!("{0} in coupons needs a bet of at least {0}.", Dollars(*coupons))
            }
            Code::NoSuchBet { bet } => format!("You have no {bet} bet."),
            Code::Locked { bet, since } => match since {
                Locked::Made => format!("{bet} stays up until it wins or loses."),
                Locked::PointSet => format!("{bet} stays up once its point is set."),
                Locked::FirstPoint => format!("{bet} stays up: a point has been set since you made it."),
                Locked::FirstRoll => format!("{bet} stays up: the dice have been rolled since you made it."),
            },
            Code::MoreThanStands { bet, standing } => format!("Only {} is on {bet}.", Dollars(*standing)),
            Code::NoTurnOn { bet } => format!("{bet} can't be turned on for a come-out roll."),
            Code::NoTurnOff { bet } if matches!(self.ground, Ground::Law(_)) => format!("{bet} can't be turned off."),
            Code::NoTurnOff { .. } => "This table doesn't let you turn bets off.".to_owned(),
            Code::NotAllowedRole { role, verb, may } => {
                format!("{} can't {}; {} can.", capital(role.title()), verb.phrase(), those(may))
            }
            Code::NotYourSeat { own, seat: Some(seat) } => format!("Seat {own} can't act for seat {seat}."),
            Code::NotYourSeat { own, seat: None } => format!("Seat {own} can't act for the dealer."),
            Code::NoSeat => "Take a seat first.".to_owned(),
            Code::NotShooter { seat } => format!("Seat {seat} doesn't have the dice."),
            Code::NoCaller { verb, may } => format!("Say who called it: {} can {}.", those(may), verb.phrase()),
            Code::NotTheirCall { role, caller } => {
                format!("{} can't call it for {}.", capital(role.title()), caller.title())
            }
            Code::CrewOnly => "The crew does that automatically.".to_owned(),
            Code::NoReason => "Give a reason.".to_owned(),
            Code::NobodyAtSeat { seat } => format!("Nobody is at seat {seat}."),
            Code::NoSuchSeat { last } => format!("The seats are 1 to {last}."),
            Code::SeatTaken { seat } => format!("Seat {seat} is taken."),
            Code::BetsStand => {
                "Bets are still up. Take them down where you can, or wait until they are decided.".to_owned()
            }
            Code::NoBetToShoot { pass_only: true } => "Make a pass bet to shoot.".to_owned(),
            Code::NoBetToShoot { .. } => "Make a pass or don't pass bet to shoot.".to_owned(),
            Code::CannotShoot { seat } => format!("Seat {seat} has no line bet and can't make one now."),
            Code::NotNext { next: Some(next) } => format!("The dice go around in order. Seat {next} is next."),
            Code::NotNext { next: None } => "Nobody is at the table.".to_owned(),
            Code::DiceNotOffered { seat: Some(seat) } => format!("The dice aren't being offered to seat {seat}."),
            Code::DiceNotOffered { seat: None } => "The dice aren't being offered now.".to_owned(),
            Code::NobodyHasDice => "Nobody has the dice.".to_owned(),
            Code::NothingLeft => "No bet is left for the house to roll for.".to_owned(),
            Code::DealerDoesNotRoll => "The dealer doesn't roll at this table.".to_owned(),
            Code::RolledSeven => "The player who rolled a seven gives up the shaker.".to_owned(),
            Code::NoComeRolls { why } => match why {
                ComeRolls::PointOn => "A point is on, so this is an ordinary roll.",
                ComeRolls::NotHere => "This game has no rolls for come bets only.",
                ComeRolls::LineBet => "Somebody has a line bet, so this is an ordinary roll.",
                ComeRolls::NotLastShooter => "Only the player who rolled last can roll without a line bet.",
                ComeRolls::NotOffered => "Offer the dice to everybody else first.",
                ComeRolls::NoneLeft => "No come or don't come bet is left to decide.",
            }
            .to_owned(),
            Code::NotReleased => "The dice haven't been rolled yet.".to_owned(),
            Code::NotTimeToRoll => "It's not time to roll yet.".to_owned(),
            Code::OldDice => "These dice have reached their time limit. Bring in a new set first.".to_owned(),
            Code::WrongDiceCount { size, exactly: true } => format!("A set must have exactly {size} dice."),
            Code::WrongDiceCount { size, .. } => format!("A set must have at least {size} dice."),
            Code::NoReasonForNewDice => "The rule book doesn't list that reason for new dice.".to_owned(),
            Code::NoShaker => "This table has no shaker.".to_owned(),
            Code::InspectFirst => "Inspect the shaker first.".to_owned(),
            Code::MoreTestRolls { needed: 1 } => "The shaker needs a test roll.".to_owned(),
            Code::MoreTestRolls { needed } => format!("The shaker needs at least {needed} test rolls."),
            Code::AlreadyOpen => "The table is already open.".to_owned(),
            Code::BetsCloseOnRoll => "Bets close when the dice are rolled.".to_owned(),
            Code::NoBettingNow => "There is no betting to close.".to_owned(),
            Code::NoDraw => "This table has no draw.".to_owned(),
            Code::NoSuchLevel { wager, level } => format!("{} has no level {level}.", wager.wager().name),
            Code::VoidOnly => "A disputed roll can only be voided.".to_owned(),
            Code::NoSuchNoRoll { reason } => format!("This game doesn't void rolls for \"{}\".", reason.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_a_dollar_sign_after_the_minus() {
        let shown = |minor: i64| Dollars(Money::from_minor(minor)).to_string();
        assert_eq!([shown(1_250), shown(0), shown(-500), shown(-1)], ["$12.50", "$0", "-$5", "-$0.01"]);
    }

    #[test]
    fn the_first_letter_changes_and_the_rest_stays() {
        assert_eq!((small("Take $5 down"), capital("the Box")), ("take $5 down".to_owned(), "The Box".to_owned()));
        assert_eq!((small(""), capital("")), (String::new(), String::new()));
    }

    #[test]
    fn the_advice_to_wait_names_the_moment() {
        for (opens, text) in [
            (Opens::ComeOut, "Wait for the next come-out roll"),
            (Opens::PointOn, "Wait for a point"),
            (Opens::AfterSeven, "Wait for a seven"),
            (Opens::NewShooterOrAfterSeven, "Wait for a seven"),
            (Opens::OrdinaryRolls, "Wait until the come bets are decided"),
            (Opens::NewShooter, "Wait for the next shooter"),
        ] {
            let wait = Instead::Wait(opens);
            assert_eq!((wait.text().as_str(), wait.op(), wait.bet(), wait.amount()), (text, "wait", None, None));
        }
    }
}
