//! Checks that a book can be played: opens a practice table for each of its games, makes every bet, and compares what the table pays and charges
//! with the odds records.

use craps_dice::{Throw, Total};
use craps_law::{Game, HouseRules, NotSet, Offering, Prize, Problems, RuleBook, TableRules};
use craps_money::{Money, Stake, Timing};
use craps_table::{Actor, Code, Command, Manner, Quote, Refusal, Role, SeatId, SlotId, Table, Verb};
use craps_wagers::{Family, Phase, Rank};
use std::fmt;

/// A reason why a book can't be played as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unplayable {
    /// No practice table can be opened.
    NoTable {
        /// Description of the problem.
        message: String,
    },
    /// Something doesn't work at practice tables.
    AtTable {
        /// The games at which the problem shows.
        games: Vec<Game>,
        /// What the problem is about: a bet or a topic.
        about: String,
        /// Description of the problem.
        message: String,
    },
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayable::NoTable { message } => write!(f, "no practice table: {message}"),
            Unplayable::AtTable { games, about, message } => {
                let games: Vec<&str> = games.iter().map(|game| game.word()).collect();
                write!(f, "not playable at {}: {about}: {message}", games.join(", "))
            }
        }
    }
}

/// The seat of the player who makes the bets.
const SEAT: SeatId = 1;

/// The player's chips. They pay for any bet that a book can ask for.
const CHIPS: Money = Money::from_minor(1_000_000_000);

/// Returns every reason why the book can't be played. The list is empty for a book that can.
///
/// For each game of the book, a practice table is opened and a player makes the bet of every slot. A bet that the table refuses in every phase is
/// a problem, and so is a bet that the table pays or charges differently from the odds record.
///
/// ```
/// use craps_law::Library;
/// let mut sources = Library::shipped_sources();
/// assert!(craps_explain::playable(Library::load(&sources)?.named("nj")?).is_empty());
/// // In this book, nobody may bet.
/// let procedure = sources.iter_mut().find(|source| source.path == "nj/procedure.toml").ok_or("no such file")?;
/// let from = "topic = \"may.bet\"\nis    = [\"player\", \"dealer\"]";
/// procedure.text = procedure.text.replace(from, "topic = \"may.bet\"\nis    = [\"nobody\"]");
/// let problems = craps_explain::playable(Library::load(&sources)?.named("nj")?);
/// let expected = "not playable at craps, mini-craps: may.bet: nobody may bet; answer this topic";
/// assert_eq!(problems[0].to_string(), expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn playable(book: &RuleBook) -> Vec<Unplayable> {
    let mut all: Vec<Unplayable> = Vec::new();
    for problem in book.games.iter().flat_map(|game| at_game(book, game.is)) {
        let Unplayable::AtTable { games: new, about, message } = &problem else {
            if !all.contains(&problem) {
                all.push(problem);
            }
            continue;
        };
        let same = all.iter_mut().find_map(|known| match known {
            Unplayable::AtTable { games, about: of, message: text } if of == about && text == message => Some(games),
            _ => None,
        });
        match same {
            Some(games) => games.extend(new),
            None => all.push(problem),
        }
    }
    all
}

/// Returns the rules of the book's practice table for a game.
///
/// ```
/// use craps_law::{Game, Library};
/// let library = Library::shipped();
/// let rules = craps_explain::playable::practice(library.named("nj")?, Game::MiniCraps)?;
/// assert_eq!((rules.book.as_str(), rules.game), ("nj", Game::MiniCraps));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the book has no lawful practice table for the game. The error lists every problem.
pub fn practice(book: &RuleBook, game: Game) -> Result<TableRules, NoPractice> {
    let mut house = HouseRules::practice(book)?;
    house.game = Some(game);
    Ok(book.admit(&house)?)
}

/// The error for a book without a lawful practice table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPractice {
    /// The book's own limits are not valid values.
    #[error(transparent)]
    Limits(#[from] NotSet),
    /// The practice house isn't lawful.
    #[error(transparent)]
    Unlawful(#[from] Problems),
}

fn at_game(book: &RuleBook, game: Game) -> Vec<Unplayable> {
    match practice(book, game) {
        Ok(rules) => {
            let offerings = book.offerings(Some(rules.as_of));
            at_table(rules, &offerings)
        }
        Err(NoPractice::Limits(error)) => vec![Unplayable::NoTable { message: error.to_string() }],
        Err(NoPractice::Unlawful(problems)) => {
            problems.iter().map(|problem| Unplayable::NoTable { message: problem.to_string() }).collect()
        }
    }
}

/// Plays every bet of one table. `offerings` are the prices of the odds records.
fn at_table(rules: TableRules, offerings: &[Offering]) -> Vec<Unplayable> {
    let table = match Table::open(rules) {
        Ok(table) => table,
        Err(error) => return vec![Unplayable::NoTable { message: error.to_string() }],
    };
    let mut trial = Trial { problems: Vec::new(), offerings };
    trial.run(table);
    trial.problems
}

/// The trial of one table.
struct Trial<'a> {
    problems: Vec<Unplayable>,
    offerings: &'a [Offering],
}

impl Trial<'_> {
    fn problem(&mut self, table: &Table, about: &str, message: String) {
        let games = vec![table.rules().game];
        self.problems.push(Unplayable::AtTable { games, about: about.to_owned(), message });
    }

    fn run(&mut self, mut table: Table) {
        let join = Command::Join { seat: SEAT, name: "Ann".to_owned(), money: CHIPS };
        if let Err(refusal) = table.run(Actor::staff(Role::Machine), &join) {
            return self.problem(&table, "may.join", format!("a player can't join: {refusal}"));
        }
        let Some(player) = self.needed_verbs(&table) else { return };
        let positions = self.positions(&table, player);
        let mut taken = Vec::new();
        for (slot, place) in table.board().slots() {
            let moved = place.number.is_some() && place.wager.wager().family == Family::Line;
            if moved {
                let is_up = |table: &&Table| table.seat(SEAT).is_some_and(|seat| seat.bets.get(slot).is_some());
                match positions.iter().find(is_up) {
                    Some(at) => self.compare(at, slot),
                    None if taken.contains(&place.wager) => {
                        self.problem(&table, &place.name, "no roll moves a bet to this number".to_owned());
                    }
                    // The bet can't be made at all, which is a problem by itself.
                    None => {}
                }
                continue;
            }
            match made_somewhere(&positions, player, slot) {
                Ok(at) => {
                    taken.push(place.wager);
                    self.compare(&at, slot);
                }
                Err(refusals) => {
                    let message = format!("the table never takes this bet: {}", refusals.join(" / "));
                    self.problem(&table, &place.name, message);
                }
            }
        }
    }

    /// Checks that the book says who may do what players do all the time. Returns who bets: the player, or staff for the player. None if nobody may.
    fn needed_verbs(&mut self, table: &Table) -> Option<Actor> {
        let (slot, _) = table.board().slots().next()?;
        let one = table.rules().rounding.chip;
        let called = craps_table::Called::Off;
        let needed = [
            Command::Bet { seat: SEAT, slot, amount: one, manner: Manner::default() },
            Command::TakeDown { seat: SEAT, slot, amount: one },
            Command::Call { seat: SEAT, slot, called },
            Command::BuyIn { seat: SEAT, money: one },
            Command::Leave { seat: SEAT },
        ];
        let people = || std::iter::once(Actor::player(SEAT)).chain(Role::ALL.into_iter().map(Actor::staff));
        let by = |command: &Command| people().find(|actor| table.entitled(*actor, command).is_ok());
        for command in needed.iter().filter(|command| by(command).is_none()) {
            let verb = command.verb();
            let message = format!("nobody may {}; answer this topic", what(verb));
            self.problem(table, &format!("may.{}", verb.name()), message);
        }
        by(&needed[0])
    }

    /// Plays to a position for each kind of bet: before any roll, with line bets up, with each point on, and with come bets on each number.
    fn positions(&mut self, table: &Table, player: Actor) -> Vec<Table> {
        let line: Vec<SlotId> = table.board().line().iter().collect();
        let come: Vec<SlotId> =
            table.board().slots().filter(|(_, slot)| slot.wager.wager().travels()).map(|(id, _)| id).collect();
        let with = |table: &Table, slots: &[SlotId]| {
            slots.iter().fold(table.clone(), |table, slot| make(&table, player, *slot).unwrap_or(table))
        };
        let lined = with(table, &line);
        let numbers = table.rules().points.all();
        let mut at_points = Vec::new();
        for number in numbers {
            match roll(&lined, number.total()) {
                Ok(next) => at_points.push(next),
                Err(refusal) => {
                    self.problem(table, "roll", format!("the dice can't be rolled: {refusal}"));
                    break;
                }
            }
        }
        let mut with_come = Vec::new();
        for (at, number) in numbers.iter().enumerate() {
            // A come bet moves to a number that isn't the point.
            let Some(other) = at_points.get((at + 1) % numbers.len()) else { break };
            with_come.extend(roll(&with(other, &come), number.total()));
        }
        [table.clone(), lined].into_iter().chain(at_points).chain(with_come).collect()
    }

    /// Compares what the table pays and charges for a bet with the odds records: for the smallest bet, and for a larger one.
    fn compare(&mut self, table: &Table, slot: SlotId) {
        let place = table.board().slot(slot);
        let rules = table.board().rules(table.rules(), slot);
        let point = match table.phase() {
            Phase::Point(point) => Some(point),
            _ => None,
        };
        let number = place.number.or(point).filter(|_| rules.odds.is_some());
        let asked = table.rules().offering(rules, number);
        let own = |one: &&Offering| {
            (one.wager, one.number, &one.pay_table) == (asked.wager, asked.number, &asked.pay_table)
                && one.modifier.is_none()
        };
        let records: Vec<&Offering> = self.offerings.iter().filter(own).collect();
        if records.is_empty() {
            let message = format!("the odds records have no price `{}`", asked.pay_table);
            return self.problem(table, &place.name, message);
        }
        if records.iter().all(|record| record.machine != asked.machine) {
            return self.problem(
                table,
                &place.name,
                "the table decides this bet by other dials than its odds record".to_owned(),
            );
        }
        let standing = table.seat(SEAT).and_then(|seat| seat.bets.get(slot));
        let Some(up) = standing.and_then(|bet| Stake::new(bet.stake)) else { return };
        for stake in [Some(up), up.times(60)].into_iter().flatten() {
            let played = Figures::quoted(&table.quote(Some(SEAT), slot, stake));
            let recorded: Vec<Figures> =
                records.iter().filter_map(|record| Figures::recorded(table, record, stake)).collect();
            if let (Some(first), false) = (recorded.first(), recorded.contains(&played)) {
                let message = format!("a bet of {stake} {played} at the table, but {first} by the odds record");
                return self.problem(table, &place.name, message);
            }
        }
    }
}

/// What a stake wins and costs.
#[derive(Debug, PartialEq, Eq)]
struct Figures {
    /// The payout and the commission of each rank that wins.
    wins: Vec<(Rank, Money, Money)>,
    /// Commission due up front.
    up_front: Money,
}

impl Figures {
    /// The figures that the table quotes.
    fn quoted(quote: &Quote) -> Figures {
        let wins = quote.wins.iter().map(|win| (win.rank, win.paid, win.commission)).collect();
        Figures { wins, up_front: quote.commission }
    }

    /// The figures at the price of an odds record. None if the price can't pay this stake.
    fn recorded(table: &Table, record: &Offering, stake: Stake) -> Option<Figures> {
        let rounding = &table.rules().rounding;
        let due = |timing: Timing, win: Money| match &record.commission {
            Some(commission) if commission.timing == timing => commission.due(stake, win, rounding.chip),
            _ => Money::ZERO,
        };
        let own = |rank: Rank| record.number.is_none_or(|number| number.value() == rank.index());
        let win = |(rank, prize): (Rank, Prize)| {
            let paid = prize.settle(stake, rounding).ok()?;
            Some((rank, paid, due(Timing::OnWin, paid)))
        };
        let wins = record.prizes.iter().filter(|(rank, _)| own(*rank)).map(win).collect::<Option<Vec<_>>>()?;
        let usual = record.prizes.of(Rank::WIN).and_then(|prize| prize.settle(stake, rounding).ok());
        Some(Figures { wins, up_front: due(Timing::UpFront, usual.unwrap_or_default()) })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wins: Vec<String> = self.wins.iter().map(|(_, paid, _)| paid.to_string()).collect();
        write!(f, "wins {}", if wins.is_empty() { "nothing".to_owned() } else { wins.join(", ") })?;
        let on_win = self.wins.iter().map(|(.., commission)| *commission).max().unwrap_or_default();
        write!(f, " with a commission of {} now and {on_win} on a win", self.up_front)
    }
}

/// Returns the words for a verb in the sentence "nobody may …".
fn what(verb: Verb) -> &'static str {
    match verb {
        Verb::Bet => "bet",
        Verb::TakeDown => "take down a bet",
        Verb::Call => "turn a bet on or off",
        Verb::BuyIn => "buy chips",
        Verb::Leave => "leave the table",
        other => other.name(),
    }
}

/// Makes the smallest bet in a slot. Odds get the bet in front of them first.
fn make(table: &Table, player: Actor, slot: SlotId) -> Result<Table, Refusal> {
    let terms = match table.terms(SEAT, slot, None) {
        Err(Refusal { code: Code::NoFrontBet { .. }, .. }) if let Some(front) = table.board().slot(slot).front => {
            return make(&make(table, player, front)?, player, slot);
        }
        terms => terms?,
    };
    let step = terms.multiple.minor();
    let least = u64::try_from(terms.min.minor()).unwrap_or_default().div_ceil(step).max(1);
    let amount = terms.multiple.times(least).unwrap_or(terms.multiple);
    let mut next = table.clone();
    next.run(player, &Command::Bet { seat: SEAT, slot, amount, manner: Manner::default() })?;
    Ok(next)
}

/// Makes a bet in the first position that takes it. If none does, returns what the table said, each sentence once.
fn made_somewhere(positions: &[Table], player: Actor, slot: SlotId) -> Result<Table, Vec<String>> {
    let mut refusals: Vec<String> = Vec::new();
    for position in positions {
        match make(position, player, slot) {
            Ok(table) => return Ok(table),
            Err(refusal) => {
                let said = refusal.to_string();
                if !refusals.contains(&said) {
                    refusals.push(said);
                }
            }
        }
    }
    Err(refusals)
}

/// Rolls this total.
fn roll(table: &Table, total: Total) -> Result<Table, Refusal> {
    let mut next = table.clone();
    if let Some(dice) = Throw::ALL.into_iter().find(|dice| dice.total() == total) {
        next.run(Actor::staff(Role::Machine), &Command::Throw { dice })?;
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use craps_law::Library;

    fn said(problems: &[Unplayable]) -> Vec<String> {
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_book_can_be_played() {
        for book in &Library::shipped().books {
            assert_eq!(said(&playable(book)), Vec::<String>::new(), "{}", book.id);
        }
    }

    #[test]
    fn a_table_that_pays_otherwise_than_its_odds_record_is_found_out() {
        let library = Library::shipped();
        let book = library.book("md").unwrap();
        let offerings = book.offerings(Some(book.sample_day));
        let rules = practice(book, Game::Craps).unwrap();
        assert_eq!(said(&at_table(rules.clone(), &offerings)), Vec::<String>::new());
        let named = |rules: &TableRules, name: &str| {
            rules.wagers.iter().position(|wager| wager.wager.wager().slug == name).unwrap()
        };
        let (five, six, buy) = (named(&rules, "place-win-5"), named(&rules, "place-win-6"), named(&rules, "buy-4"));
        let mut dearer = rules.clone();
        dearer.wagers[six].prizes = dearer.wagers[five].prizes.clone();
        let problems = said(&at_table(dearer, &offerings));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("not playable at craps: place-win-6: a bet of "), "{problems:?}");
        let mut free = rules.clone();
        free.wagers[buy].commission = None;
        let problems = said(&at_table(free, &offerings));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("buy-4: a bet of") && problems[0].contains("by the odds record"), "{problems:?}");
        let mut other = rules.clone();
        other.wagers[six].pay_table = Some("elsewhere".to_owned());
        let problems = said(&at_table(other, &offerings));
        assert_eq!(problems, ["not playable at craps: place-win-6: the odds records have no price `elsewhere`"]);
    }
}
