//! Permissions: the book names the roles that are allowed to use each verb. This is checked before anything else.

use super::Actor;
use crate::command::{Command, NoRollReason, Role, Verb};
use crate::crew::Crew;
use crate::hand::Shooter;
use crate::refusal::{Code, Refusal};
use crate::requests::Needs;
use crate::table::Table;
use craps_law::{Answer, Game, TableRules, Who};

/// The people that a table's rules allow to use each verb, in the order of [`Verb::ALL`].
#[derive(Debug)]
pub(crate) struct Grants(Vec<Vec<Who>>);

impl Grants {
    pub(crate) fn new(rules: &TableRules) -> Grants {
        let of = |verb: Verb| {
            let named: Vec<Who> = match rules.rules.get(&verb_topic(rules, verb)).map(|fact| &fact.is.answer) {
                // The house chooses the callers from those that the book allows.
                Some(_) if verb == Verb::NoRoll => rules.callers.clone(),
                Some(Answer::Words(words)) => words.iter().filter_map(|word| Who::find(word)).collect(),
                _ => usual(verb, rules.game),
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

/// Returns the name of a topic for this kind of table: `bets.in_flight_mini` at mini-craps if the book answers that, else `bets.in_flight`.
pub(super) fn own_topic(rules: &TableRules, general: &str) -> String {
    let kind = match rules.game {
        Game::MiniCraps => "mini",
        Game::Electronic => "electronic",
        Game::Hybrid => "hybrid",
        Game::Craps | Game::Automated => return general.to_owned(),
    };
    let own = format!("{general}_{kind}");
    if rules.rules.contains_key(&own) { own } else { general.to_owned() }
}

/// Returns the topic that says who may use a verb at this kind of table.
fn verb_topic(rules: &TableRules, verb: Verb) -> String {
    own_topic(rules, &format!("may.{}", verb.name()))
}

/// Returns who does what at a table whose book doesn't say. It is our choice: what crews do everywhere. A machine works an electronic table.
fn usual(verb: Verb, game: Game) -> Vec<Who> {
    use Who::{Box, Dealer, Floor, Machine, Player, Shooter, Stick};
    let crew: &[Who] = match verb {
        Verb::Join | Verb::Leave => &[Player, Dealer, Box, Floor],
        Verb::BuyIn => &[Player, Dealer, Box],
        Verb::Bet | Verb::TakeDown | Verb::Call | Verb::Tell => &[Player, Dealer],
        Verb::TakeDice | Verb::DeclineDice | Verb::Nominate => &[Player],
        Verb::Release | Verb::PassDice => &[Shooter],
        Verb::OpenTable | Verb::CloseTable => &[Box, Floor],
        Verb::Inspect => &[Floor],
        Verb::NewDice | Verb::NoteHours => &[Stick, Box, Floor],
        Verb::OfferDice | Verb::CloseBets | Verb::Throw | Verb::VoidRoll => &[Stick, Dealer, Box],
        Verb::Draw => &[Machine],
        Verb::NoRoll | Verb::Dispute | Verb::OrderPass => &[Box, Floor],
        Verb::Rule => &[Box, Floor],
        Verb::Answer => &[Dealer, Stick, Box, Floor],
    };
    let machine = (game == Game::Electronic).then_some(Machine);
    crew.iter().copied().chain(machine).collect()
}

/// The reasons that void a roll without a call where the book doesn't list any. For all others, somebody must call no roll.
const VOID: [NoRollReason; 6] = [
    NoRollReason::OffTable,
    NoRollReason::Stacked,
    NoRollReason::Cocked,
    NoRollReason::NotFlat,
    NoRollReason::Malfunction,
    NoRollReason::PowerFailure,
];

impl Verb {
    /// Does the verb only record what happened at the table: who joined, who has the dice, what they show?
    const fn reports(self) -> bool {
        matches!(
            self,
            Verb::Join
                | Verb::TakeDice
                | Verb::DeclineDice
                | Verb::Nominate
                | Verb::Release
                | Verb::Throw
                | Verb::VoidRoll
        )
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
        // Each request names the people who answer it.
        let for_house =
            matches!(command, Command::TakeDice { seat: None, .. }) && self.house_roller() == Some(actor.role);
        if verb == Verb::Answer || for_house || (self.crew == Crew::Automatic && works_by_itself(actor.role, verb)) {
            return Ok(());
        }
        let judges = self.judges(command);
        let named = judges.as_ref().map_or_else(|| self.grants().of(verb), |(_, judges)| judges);
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
        let topic = judges.map_or_else(|| verb_topic(self.rules(), verb), |(topic, _)| topic);
        Err(self.refuse(code, &topic))
    }

    /// Returns the topic and the people who alone may void a roll for this reason, if the book names some: those who find it improper, or who judge a
    /// cocked die.
    fn judges(&self, command: &Command) -> Option<(String, Vec<Who>)> {
        let Command::NoRoll { reason, .. } = command else { return None };
        let topic = match reason {
            NoRollReason::Improper => "invalid.improper_judged_by",
            NoRollReason::Cocked => "invalid.cocked_judged_by",
            _ => return None,
        };
        let topic = own_topic(self.rules(), topic);
        let stick = self.rules().stickperson;
        // The house can narrow them together with the other callers.
        let callers = self.grants().of(self.verb_of(command));
        let may = |who: &Who| callers.contains(who) || callers.contains(&Who::Employee);
        let named: Vec<Who> = self.who(&topic).into_iter().filter(|who| stick || *who != Who::Stick).collect();
        let is_named = !named.is_empty();
        is_named.then(|| (topic, named.into_iter().filter(may).collect()))
    }

    /// Returns the people that a book's answer names.
    pub(super) fn who(&self, topic: &str) -> Vec<Who> {
        self.words(topic).iter().filter_map(|word| Who::find(word)).collect()
    }

    /// Returns the staff roles that may use a verb, as far as each is one role.
    pub(super) fn staff_for(&self, verb: Verb) -> Vec<Role> {
        let mut roles: Vec<Role> = self.grants().of(verb).iter().filter_map(|who| Role::of(*who)).collect();
        roles.dedup();
        roles
    }

    /// Does somebody have to call "no roll" for this reason? None if this book doesn't void rolls for it.
    #[must_use]
    pub fn is_called(&self, reason: NoRollReason) -> Option<bool> {
        let listed = |topic: &str| self.words(topic).contains(&reason.word());
        let silent = |topic: &str| !self.rules().rules.contains_key(topic);
        let answers = |topic: &str, word: &str| self.word(topic) == Some(word);
        match reason {
            NoRollReason::Dispute => return Some(false),
            NoRollReason::Cocked if answers("invalid.cocked_two_faces", "void_and_rethrown") => return Some(false),
            // A book that says what follows a power failure knows this reason.
            NoRollReason::PowerFailure if !silent("irregularities.power_failure_before_outcome") => return Some(false),
            NoRollReason::Malfunction if answers("shaker.malfunction", "round_void") => return Some(false),
            _ => {}
        }
        if silent("invalid.automatic") && silent("invalid.called_for") {
            let for_shaker = matches!(reason, NoRollReason::NotFlat | NoRollReason::Malfunction);
            return (self.is_automated() || !for_shaker).then(|| !VOID.contains(&reason));
        }
        if listed("invalid.automatic") { Some(false) } else { listed("invalid.called_for").then_some(true) }
    }

    /// Returns the verb of a command at this table. Whether a roll is void by itself or must be called is the book's answer.
    fn verb_of(&self, command: &Command) -> Verb {
        match command {
            Command::NoRoll { reason, .. }
                if command.verb() == Verb::NoRoll && self.is_called(*reason) != Some(true) =>
            {
                Verb::VoidRoll
            }
            _ => command.verb(),
        }
    }

    /// Returns the actor and verb to check. A no-roll belongs to the person who called it. With a crew of people, that is the person who gives the
    /// command. With an automatic crew, it is the caller named in the command, and a reason that needs no caller counts as a report by the machine.
    fn judged(&self, actor: Actor, command: &Command) -> Result<(Actor, Verb), Refusal> {
        let (verb, machine) = (self.verb_of(command), Actor::staff(Role::Machine));
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
                return Err(self.refuse(code, &verb_topic(self.rules(), verb)));
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
                (Role::Player, _) => false,
                // Somebody of the crew rolls for the house.
                (role, shooter) => {
                    shooter == Some(Shooter::Dealer) && role == self.house_roller().unwrap_or(Role::Dealer)
                }
            },
            Who::Dealer | Who::Stick | Who::Box | Who::Floor | Who::PitSupervisor | Who::Machine => {
                Role::of(who).is_some_and(|needed| actor.role == needed || self.acts_for(actor.role, needed))
            }
            Who::Employee => {
                matches!(actor.role, Role::Dealer | Role::Stick | Role::Box | Role::Floor | Role::Employee)
            }
        }
    }

    /// Returns who must confirm a bet made while the dice are in the air. None if such bets aren't taken.
    pub(super) fn late_needs(&self) -> Option<Needs> {
        let by = || self.who(&own_topic(self.rules(), "bets.in_flight_by")).into_iter().filter_map(Role::of).collect();
        match self.word(&own_topic(self.rules(), "bets.in_flight")) {
            Some("all") => Some(Needs { by: by(), all: true }),
            Some("any") => Some(Needs::any(by())),
            _ => None,
        }
    }

    /// Checks that the roles which must confirm a late bet have done so.
    pub(super) fn confirmed(&self, confirmed: &[Role]) -> Result<(), Refusal> {
        let refused = |code| Err(self.refuse(code, &own_topic(self.rules(), "bets.in_flight")));
        match self.late_needs() {
            _ if self.bets_close_at_rest() => Ok(()),
            None => refused(Code::NoMoreBets),
            Some(needs) if needs.are_met(confirmed) => Ok(()),
            Some(needs) => refused(Code::NotConfirmed { needs }),
        }
    }

    /// Can a role do the work of another one because it is above it? Only where the book says so.
    pub(super) fn acts_for(&self, role: Role, lower: Role) -> bool {
        const fn height(role: Role) -> u8 {
            match role {
                Role::Dealer | Role::Stick => 1,
                Role::Box => 2,
                Role::Floor => 3,
                _ => 0,
            }
        }
        let may = self.rules().rules.get("roles.higher_position_may_act").map(|fact| &fact.is.answer);
        may == Some(&Answer::YesNo(true)) && height(lower) > 0 && height(role) > height(lower)
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
