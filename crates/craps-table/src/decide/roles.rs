//! Permissions: the book names the roles that are allowed to use each verb. This is checked before anything else.

use super::Actor;
use crate::command::{Command, NoRollReason, Role, Verb};
use crate::crew::Crew;
use crate::hand::Shooter;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use craps_law::{Answer, Game, TableRules, Who};

/// The people that a table's rules allow to use each verb, in the order of [`Verb::ALL`].
#[derive(Debug)]
pub(crate) struct Grants(Vec<Vec<Who>>);

impl Grants {
    pub(crate) fn new(rules: &TableRules) -> Grants {
        let of = |verb: Verb| {
            let named: Vec<Who> = match rules.rules.get(&topic(rules, verb)).map(|fact| &fact.is.answer) {
                // The house chooses the callers from those that the book allows.
                Some(_) if verb == Verb::NoRoll => rules.callers.clone(),
                Some(Answer::Words(words)) => words.iter().filter_map(|word| Who::find(word)).collect(),
                _ => Vec::new(),
            };
            named.into_iter().filter(|who| rules.stickperson || *who != Who::Stick).collect()
        };
        Grants(Verb::ALL.into_iter().map(of).collect())
    }

    fn of(&self, verb: Verb) -> &[Who] {
        let at = Verb::ALL.iter().position(|known| *known == verb);
        at.and_then(|at| self.0.get(at)).map_or(&[], Vec::as_slice)
    }
}

/// Returns the topic for a verb: the one for this kind of table if the book has it, else the general one.
fn topic(rules: &TableRules, verb: Verb) -> String {
    let general = format!("may.{}", verb.name());
    let kind = match rules.game {
        Game::MiniCraps => "mini",
        Game::Electronic => "electronic",
        Game::Hybrid => "hybrid",
        Game::Craps | Game::Automated => return general,
    };
    let own = format!("{general}_{kind}");
    if rules.rules.contains_key(&own) { own } else { general }
}

impl Verb {
    /// Does the verb only record what happened at the table: who joined, who has the dice, what they show?
    const fn reports(self) -> bool {
        matches!(self, Verb::Join | Verb::TakeDice | Verb::DeclineDice | Verb::Release | Verb::Throw | Verb::VoidRoll)
    }

    /// Is the verb ordinary work of the crew that needs no judgment?
    const fn is_ordinary(self) -> bool {
        self.reports()
            || matches!(
                self,
                Verb::OpenTable
                    | Verb::CloseTable
                    | Verb::Inspect
                    | Verb::NewDice
                    | Verb::NoteHours
                    | Verb::OfferDice
                    | Verb::CloseBets
            )
    }
}

impl Table {
    /// Checks that the actor's role and seat allow this command.
    ///
    /// # Errors
    /// When the book allows only others. The refusal names them and cites the book.
    pub fn entitled(&self, actor: Actor, command: &Command) -> Result<(), Refusal> {
        let (actor, verb) = self.judged(actor, command)?;
        if self.crew == Crew::Automatic && works_by_itself(actor.role, verb) {
            return Ok(());
        }
        let named = self.grants().of(verb);
        if named.iter().any(|who| self.is_meant(*who, actor, command)) {
            return Ok(());
        }
        let code = match (actor.role, actor.seat) {
            // Which seat a player has is this program's record, not the law's.
            (Role::Player, Some(own)) if named.contains(&Who::Player) => {
                return Err(Refusal::procedure(Code::NotYourSeat { own, seat: command.seat() }));
            }
            (Role::Player, None) if named.contains(&Who::Player) => return Err(Refusal::procedure(Code::NoSeat)),
            (Role::Player, Some(seat)) if named.contains(&Who::Shooter) => Code::NotShooter { seat },
            (role, _) => Code::NotAllowedRole { role, verb, may: named.to_vec() },
        };
        Err(self.refuse(code, &topic(self.rules(), verb)))
    }

    /// Returns the actor and verb to check. A no-roll belongs to the person who called it. With a crew of people, that is the person who gives the
    /// command. With an automatic crew, it is the caller named in the command, and a reason that needs no caller counts as a report by the machine.
    fn judged(&self, actor: Actor, command: &Command) -> Result<(Actor, Verb), Refusal> {
        let (verb, machine) = (command.verb(), Actor::staff(Role::Machine));
        let Command::NoRoll { reason, caller } = command else { return Ok((actor, verb)) };
        // Players can't report a call by somebody else.
        let of_record =
            actor.seat.is_none() && (works_by_itself(actor.role, Verb::VoidRoll) || *caller == Some(actor.role));
        let crew = if of_record { self.crew } else { Crew::People };
        Ok(match (crew, caller) {
            (Crew::Automatic, None) if *reason == NoRollReason::Dispute => (machine, Verb::VoidRoll),
            (Crew::Automatic, _) if verb == Verb::VoidRoll => (machine, verb),
            (Crew::Automatic, None) => {
                let code = Code::NoCaller { verb, may: self.grants().of(verb).to_vec() };
                return Err(self.refuse(code, &topic(self.rules(), verb)));
            }
            (Crew::Automatic, Some(caller)) => (Actor::staff(*caller), verb),
            (Crew::People, Some(caller)) if *caller != actor.role => {
                return Err(Refusal::procedure(Code::NotTheirCall { role: actor.role, caller: *caller }));
            }
            (Crew::People, _) => (actor, verb),
        })
    }

    fn is_meant(&self, who: Who, actor: Actor, command: &Command) -> bool {
        match who {
            Who::Player => actor.role == Role::Player && actor.seat.is_some() && actor.seat == command.seat(),
            Who::Shooter => match (actor.role, self.shooter()) {
                // A player without a seat number acts as the shooter.
                (Role::Player, Some(Shooter::Seat(seat))) => actor.seat.is_none_or(|own| own == seat),
                (Role::Player, None) => actor.seat.is_none(),
                (Role::Dealer, shooter) => shooter == Some(Shooter::Dealer),
                _ => false,
            },
            Who::Dealer => actor.role == Role::Dealer,
            Who::Stick => actor.role == Role::Stick,
            Who::Box => actor.role == Role::Box,
            // A pit supervisor counts as a floorperson: both supervise several tables.
            Who::Floor | Who::PitSupervisor => actor.role == Role::Floor,
            Who::Machine => actor.role == Role::Machine,
            Who::Employee => {
                matches!(actor.role, Role::Dealer | Role::Stick | Role::Box | Role::Floor | Role::Employee)
            }
        }
    }

    /// Checks that the roles which must confirm a late bet have done so.
    pub(super) fn confirmed(&self, confirmed: &[Role]) -> Result<(), Refusal> {
        let topic = if self.rules().game == Game::MiniCraps { "bets.in_flight_mini" } else { "bets.in_flight" };
        let has = |role: Role| confirmed.contains(&role);
        let (enough, needed) = match self.word(topic) {
            Some("dealer_and_boxperson") => (has(Role::Dealer) && has(Role::Box), Some("the dealer and the boxperson")),
            Some("dealer_or_boxperson") => (has(Role::Dealer) || has(Role::Box), Some("the dealer or the boxperson")),
            Some("dealer_and_floorperson") => {
                (has(Role::Dealer) && has(Role::Floor), Some("the dealer and the floorperson"))
            }
            _ => (false, None),
        };
        let code = || needed.map_or(Code::NoMoreBets, |by| Code::NotConfirmed { by });
        if enough { Ok(()) } else { Err(self.refuse(code(), topic)) }
    }

    /// Checks that a ruling has a reason.
    pub(super) fn has_reason(reason: &str) -> Result<(), Refusal> {
        if reason.trim().is_empty() { Err(Refusal::procedure(Code::NoReason)) } else { Ok(()) }
    }
}

/// Is the verb allowed at a table with an automatic crew, no matter what the book says? The machine can do all ordinary work. Any member of the
/// staff can report, because the record doesn't say which of them spoke.
const fn works_by_itself(role: Role, verb: Verb) -> bool {
    match role {
        Role::Machine => verb.is_ordinary(),
        Role::Dealer | Role::Stick | Role::Box | Role::Floor => verb.reports(),
        Role::Player | Role::Employee | Role::Surveillance | Role::Director | Role::Auditor => false,
    }
}
