//! A strategy at its table: which text, which house, which plan, and what a reader should know of them. Whoever runs strategies comes through
//! here, so that the same words sit down at the same table.

use crate::answer::Answer;
use crate::engine::{Plan, Rules};
use crate::language::{Mistakes, Program, Script};
use crate::report::{self, NotWritten, Played, Setting, Told};
use crate::run::Request;
use crate::shipped::Shipped;
use craps_dice::Point;
use craps_law::{Cites, Day, HouseRules, Library, NoSuchBook, Problems, Source};
use craps_money::{Money, Stake};
use craps_odds::figures::{exact, percent};
use craps_odds::{RBig, Solver, price};
use craps_table::TooManySlots;
use craps_wagers::Catalogue;
use std::fmt;

/// At which table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// By a book, at a table that offers all it allows and what the strategy needs; no book is the strategy's own, else the first.
    Book {
        /// Its id.
        id: Option<String>,
        /// The day; none is the book's sample day.
        as_of: Option<Day>,
    },
    /// At the table of a house.
    House(HouseRules),
}

impl Default for At {
    /// By the strategy's own book, on its sample day.
    fn default() -> At {
        At::Book { id: None, as_of: None }
    }
}

/// What is said of a session; whatever is not said is the strategy's to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The most throws of a session.
    pub throws: u32,
    /// Stop at this net result, or at none.
    pub stop: Option<Option<Money>>,
    /// Be content with this net result, or with none.
    pub goal: Option<Option<Money>>,
    /// What the player brings.
    pub buy_in: Option<Stake>,
    /// What one unit is.
    pub unit: Option<Stake>,
}

impl Default for Terms {
    /// At most 100 throws, and everything else as the strategy says.
    fn default() -> Terms {
        Terms { throws: 100, stop: None, goal: None, buy_in: None, unit: None }
    }
}

/// Why a strategy could not sit down.
#[derive(Debug, Clone, PartialEq)]
pub enum Unseated {
    /// There is something wrong with its text, or it needs what the table does not have.
    Mistaken(Mistakes),
    /// There is no such book.
    NoBook(NoSuchBook),
    /// A stop that is none.
    Stop(Money),
    /// A goal that is none.
    Goal(Money),
    /// A house key that is none, or has no such value.
    Key(String),
    /// The house may not play so.
    Unlawful(Problems),
    /// There are more names for bets than a table holds.
    TooMany(TooManySlots),
}

impl fmt::Display for Unseated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unseated::Mistaken(mistakes) => mistakes.fmt(f),
            Unseated::NoBook(unknown) => unknown.fmt(f),
            Unseated::Stop(stop) => {
                let instead = if stop.minor() > 0 { format!(", such as -{stop}") } else { String::new() };
                write!(f, "stop {stop}: a stop is a net result below zero{instead}; the buy-in counts as zero")
            }
            Unseated::Goal(goal) => {
                write!(f, "goal {goal}: a goal is a net result above zero: with it the player has more than the buy-in")
            }
            Unseated::Key(wrong) => f.write_str(wrong),
            Unseated::Unlawful(problems) => write!(f, "the house is unlawful: {problems}"),
            Unseated::TooMany(slots) => slots.fmt(f),
        }
    }
}

impl std::error::Error for Unseated {}

/// A strategy that comes with the program and is not there, with the names that come closest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStrategy {
    /// What was asked for.
    pub name: String,
    /// The names that come closest, the nearest first; none where none is near.
    pub near: Vec<&'static str>,
}

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no strategy is called `{}`", self.name)?;
        if self.near.is_empty() { Ok(()) } else { write!(f, ": perhaps {}", self.near.join(", ")) }
    }
}

impl std::error::Error for UnknownStrategy {}

/// The strategy of that name that comes with the program.
///
/// ```
/// use craps_sim::seated::shipped;
/// assert_eq!(shipped("molly")?.name, "molly");
/// assert!(shipped("moly").unwrap_err().to_string().contains("perhaps molly"));
/// # Ok::<(), craps_sim::seated::UnknownStrategy>(())
/// ```
///
/// # Errors
/// When there is none.
pub fn shipped(name: &str) -> Result<Shipped, UnknownStrategy> {
    Shipped::find(name).ok_or_else(|| {
        let distance = |known: &str| match !name.is_empty() && (known.contains(name) || name.contains(known)) {
            true => 0,
            false => strsim::damerau_levenshtein(name, known),
        };
        let mut near: Vec<(usize, &str)> = Shipped::all().map(|one| (distance(one.name), one.name)).collect();
        near.sort();
        let reach = (name.chars().count() / 2).min(4);
        let near = near.into_iter().filter(|(far, _)| *far <= reach).map(|(_, name)| name).take(5).collect();
        UnknownStrategy { name: name.to_owned(), near }
    })
}

/// A strategy that has sat down.
#[derive(Debug)]
pub struct Seated {
    /// The rules of the table.
    pub rules: Rules,
    /// The strategy, at this table.
    pub program: Program,
    /// How long a session goes on.
    pub plan: Plan,
    /// The house.
    pub house: HouseRules,
    book_name: String,
    script: Script,
    text: String,
}

impl Seated {
    /// Sits a strategy down.
    ///
    /// ```
    /// use craps_law::{Library, Source};
    /// use craps_sim::seated::{At, Seated, Terms};
    /// let text = "strategy Mine\nbuy-in 100\nunit 5\nwhen coming out\n    pass line for unit\n";
    /// let source = Source { path: "mine.strategy".into(), text: text.into() };
    /// let at = At::Book { id: Some("co".into()), as_of: None };
    /// let seated = Seated::new(&Library::shipped(), &source, at, &Terms { throws: 50, ..Terms::default() })?;
    /// assert_eq!((seated.house.book.as_str(), seated.plan.buy_in, seated.plan.throws), ("co", 10_000, 50));
    /// # Ok::<(), craps_sim::seated::Unseated>(())
    /// ```
    ///
    /// # Errors
    /// When something is wrong with its text, the table or the terms.
    pub fn new(library: &Library, source: &Source, at: At, terms: &Terms) -> Result<Seated, Unseated> {
        let mut script = Script::read(&source.path, &source.text).map_err(Unseated::Mistaken)?;
        script.buy_in = terms.buy_in.unwrap_or(script.buy_in);
        script.unit = terms.unit.unwrap_or(script.unit);
        let plan = plan(&script, terms)?;
        let house = match at {
            At::House(house) => house,
            At::Book { id, as_of } => table(library, &script, id, as_of)?,
        };
        let book = library.named(&house.book).map_err(Unseated::NoBook)?;
        let admitted = book.admit(&house).map_err(Unseated::Unlawful)?;
        let rules = Rules::new(admitted).map_err(Unseated::TooMany)?;
        let program = script.at(rules.board(), rules.table()).map_err(Unseated::Mistaken)?;
        Ok(Seated { rules, program, plan, house, book_name: book.name.clone(), script, text: source.text.clone() })
    }

    /// Its sessions, ready to be run.
    #[must_use]
    pub fn request(&self) -> Request<'_, Program> {
        Request::new(&self.rules, &self.program).with_plan(self.plan)
    }

    /// The book and the day, as the header of a game has them.
    #[must_use]
    pub fn rules_tag(&self) -> String {
        format!("{} as-of {}", self.house.book, self.house.as_of)
    }

    /// One session as a game in the notation, with the dice of this seed.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_sim::seated::{At, Seated, Terms, shipped};
    /// # let library = Library::shipped();
    /// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
    /// let text = seated.session(&library, 7, 0)?;
    /// assert!(text.starts_with("[CGN \"1\"]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table sees something otherwise than the engine.
    pub fn session(&self, library: &Library, seed: u64, number: u64) -> Result<String, NotWritten> {
        let (rules, house) = (self.rules_tag(), self.house.tag());
        let dice = format!("seed {seed} session {number}");
        let mut tags = vec![("Rules", rules.as_str())];
        tags.extend(self.house.game.map(|game| ("Game", game.word())));
        tags.extend([("House", house.as_str()), ("Event", self.program.name()), ("Dice", &dice)]);
        report::game(library, &self.rules, &self.program, &Told { tags: &tags, seed, number, plan: &self.plan })
    }

    /// What a reader should know besides the figures; `command` gives the same answer again.
    #[must_use]
    pub fn setting(&self, answer: &Answer, command: String, pace: u32) -> Setting {
        Setting {
            strategy: self.script.name.clone(),
            about: self.script.about.clone(),
            from: self.script.from.clone(),
            text: self.text.clone(),
            book: self.house.book.clone(),
            book_name: self.book_name.clone(),
            as_of: self.house.as_of.to_string(),
            house: self.house.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            command,
            pace,
            wagers: self.played(answer),
        }
    }

    /// The wagers that were played, with their price and the law at this table.
    fn played(&self, answer: &Answer) -> Vec<Played> {
        let mut solver = Solver::default();
        answer.by_wager.iter().filter_map(|(slug, ..)| self.wager(&mut solver, slug)).collect()
    }

    fn wager(&self, solver: &mut Solver, slug: &str) -> Option<Played> {
        let table = self.rules.table();
        let rules = table.wager(Catalogue::current().find(slug)?)?;
        // Odds have a price for each number.
        let priced = |point: &Point| rules.prizes.is.iter().any(|(rank, _)| rank.index() == point.value());
        let numbers: Vec<Option<Point>> = match rules.odds.is_some() {
            true => Point::ALL.into_iter().filter(priced).map(Some).collect(),
            false => vec![None],
        };
        let mut edges: Vec<RBig> =
            numbers.into_iter().map(|number| price(solver, &table.offering(rules, number)).edge).collect();
        edges.dedup();
        let edge = match edges.as_slice() {
            [edge] => Some((exact(edge, 24), percent(edge, 3))),
            _ => None,
        };
        let mut cites = Vec::new();
        let mut cite = |of: &str, these: &Cites| {
            for cite in these.iter() {
                cites.push((cite.as_str().to_owned(), of.to_owned()));
            }
        };
        cite("offered", &rules.offer.cites);
        cite("paid", &rules.prizes.cites);
        cite("made", &rules.make.cites);
        cite("works", &rules.works.cites);
        rules.commission.iter().for_each(|fact| cite("commission", &fact.cites));
        Some(Played { slug: slug.to_owned(), name: rules.name.clone(), edge, cites })
    }
}

/// A table by a book that offers all it allows and what the strategy needs.
fn table(
    library: &Library,
    script: &Script,
    named: Option<String>,
    as_of: Option<Day>,
) -> Result<HouseRules, Unseated> {
    let first = || library.books.first().map(|book| book.id.clone()).unwrap_or_default();
    let id = named.or_else(|| script.book.clone()).unwrap_or_else(first);
    let book = library.named(&id).map_err(Unseated::NoBook)?;
    let mut house = HouseRules::under(book, as_of.unwrap_or(book.sample_day));
    house.set("offer", "all").map_err(Unseated::Key)?;
    let asked = script.house.iter().flat_map(|house| house.split(';')).filter_map(|setting| setting.split_once('='));
    let asked: Vec<(&str, &str)> = asked.map(|(key, value)| (key.trim(), value.trim())).collect();
    // Prices are raised by a draw only where a strategy is written for it.
    let draws = book.modifiers.iter().flat_map(|modifier| &modifier.offer.0).filter_map(|fact| fact.is.key.as_ref());
    for key in draws {
        let product = key.trim_end_matches(".offered");
        let is_asked = |(key, value): &(&str, &str)| *key == "offer" && value.split(',').any(|id| id.trim() == product);
        if !asked.iter().any(is_asked) {
            house.set(key, "no").map_err(Unseated::Key)?;
        }
    }
    // Everything else is offered already.
    for (key, value) in asked.into_iter().filter(|(key, _)| *key != "offer") {
        house.set(key, value).map_err(Unseated::Key)?;
    }
    Ok(house)
}

/// How long a session goes on: as it is said, else as the strategy says.
fn plan(script: &Script, terms: &Terms) -> Result<Plan, Unseated> {
    let (stop, goal) = (terms.stop.unwrap_or(script.stop), terms.goal.unwrap_or(script.goal));
    if let Some(stop) = stop.filter(|stop| stop.minor() >= 0) {
        return Err(Unseated::Stop(stop));
    }
    if let Some(goal) = goal.filter(|goal| goal.minor() <= 0) {
        return Err(Unseated::Goal(goal));
    }
    Ok(Plan {
        buy_in: script.buy_in.money().minor(),
        throws: terms.throws,
        stop: stop.map(Money::minor),
        goal: goal.map(Money::minor),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_that_is_not_there_has_near_names() {
        let told = shipped("moly").unwrap_err().to_string();
        assert!(told.starts_with("no strategy is called `moly`: perhaps molly"), "{told}");
        assert!(shipped("zzzzzzzzzzz").unwrap_err().near.is_empty());
        assert_eq!(shipped("molly").map(|shipped| shipped.name), Ok("molly"));
    }

    #[test]
    fn what_is_said_goes_before_what_the_strategy_says() {
        let library = Library::shipped();
        let text = "strategy Mine\nbuy-in 100\nunit 5\nstop -50\nwhen coming out\n    pass line for unit\n";
        let source = Source { path: "mine.strategy".to_owned(), text: text.to_owned() };
        let money = Money::from_minor;
        let own = Terms { throws: 10, stop: None, goal: None, buy_in: None, unit: None };
        let seated = |terms: &Terms| Seated::new(&library, &source, At::Book { id: None, as_of: None }, terms);
        let plan = seated(&own).unwrap().plan;
        assert_eq!((plan.buy_in, plan.stop, plan.goal), (10_000, Some(-5_000), None));
        let said = Terms { stop: Some(None), goal: Some(Some(money(700))), buy_in: "20".parse().ok(), ..own };
        let plan = seated(&said).unwrap().plan;
        assert_eq!((plan.buy_in, plan.stop, plan.goal), (2_000, None, Some(700)));
        let wrong = seated(&Terms { stop: Some(Some(money(100))), ..own }).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "stop 1: a stop is a net result below zero, such as -1; the buy-in counts as zero"
        );
        let wrong = seated(&Terms { goal: Some(Some(Money::ZERO)), ..own }).unwrap_err();
        assert!(wrong.to_string().starts_with("goal 0: a goal is a net result above zero"), "{wrong}");
        let nowhere = At::Book { id: Some("nowhere".to_owned()), as_of: None };
        assert!(matches!(Seated::new(&library, &source, nowhere, &own), Err(Unseated::NoBook(_))));
    }
}
