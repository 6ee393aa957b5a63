//! A strategy at its table: the text, the house, the plan, and what reports say about them. All programs that run strategies use this module, so
//! that the same request always leads to the same table.

use crate::answer::Answer;
use crate::engine::{Plan, Rules};
use crate::language::{Mistakes, Program, Script};
use crate::report::{self, NotWritten, Played, Setting, Told};
use crate::run::Request;
use crate::shipped::Shipped;
use craps_dice::Point;
use craps_law::{Cites, Day, HouseRules, Library, NoSuchBook, NotSet, Problems, Product, Source};
use craps_money::{Money, Stake};
use craps_notation::RulesTag;
use craps_odds::figures::{exact_or_digits, percent};
use craps_odds::{RBig, Solver, price};
use craps_table::TooManySlots;
use craps_wagers::Catalogue;
use std::fmt;

/// The table that a strategy is played at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// A table under a book that offers everything the book allows and the strategy needs.
    Book {
        /// Id of the book, such as "nj". None means the strategy's own book, or the first book in the library.
        id: Option<String>,
        /// Date of the rules. None means the book's sample day.
        as_of: Option<Day>,
    },
    /// The table of a given house.
    House(HouseRules),
}

impl Default for At {
    /// Returns the strategy's own book on its sample day.
    fn default() -> At {
        At::Book { id: None, as_of: None }
    }
}

/// Settings of a session. A field that is None takes its value from the strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Maximum number of rolls in a session.
    pub throws: u32,
    /// Net result to stop at. `Some(None)` plays without a stop.
    pub stop: Option<Option<Money>>,
    /// Net result to reach. `Some(None)` plays without a goal.
    pub goal: Option<Option<Money>>,
    /// Chips that the player starts with.
    pub buy_in: Option<Stake>,
    /// Value of one unit.
    pub unit: Option<Stake>,
}

impl Default for Terms {
    /// At most 100 rolls, and everything else from the strategy.
    fn default() -> Terms {
        Terms { throws: 100, stop: None, goal: None, buy_in: None, unit: None }
    }
}

/// Why a strategy can't be played at a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Unseated {
    /// The text has mistakes, or the strategy needs something that the table doesn't have.
    Mistaken(Mistakes),
    /// The library has no such book.
    NoBook(NoSuchBook),
    /// The stop isn't below zero.
    Stop(Money),
    /// The goal isn't above zero.
    Goal(Money),
    /// A house key is unknown, or its value isn't allowed.
    Key(NotSet),
    /// The book doesn't allow these house rules.
    Unlawful(Problems),
    /// The table would need more betting slots than it can hold.
    TooMany(TooManySlots),
}

impl fmt::Display for Unseated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unseated::Mistaken(mistakes) => mistakes.fmt(f),
            Unseated::NoBook(unknown) => unknown.fmt(f),
            Unseated::Stop(stop) => {
                let instead = if stop.minor() > 0 { format!(", such as -{stop}") } else { String::new() };
                write!(
                    f,
                    "stop {stop}: a stop must be below zero{instead}; it is a net result, and the buy-in counts as zero"
                )
            }
            Unseated::Goal(goal) => {
                write!(f, "goal {goal}: a goal must be above zero; it is a net result, and the buy-in counts as zero")
            }
            Unseated::Key(wrong) => wrong.fmt(f),
            Unseated::Unlawful(problems) => write!(f, "the book doesn't allow these house rules: {problems}"),
            Unseated::TooMany(slots) => slots.fmt(f),
        }
    }
}

impl std::error::Error for Unseated {}

/// No shipped strategy has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStrategy {
    /// Name that was asked for.
    pub name: String,
    /// Similar names, the nearest first. Empty if none is similar.
    pub near: Vec<&'static str>,
}

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown strategy `{}`", self.name)?;
        if self.near.is_empty() { Ok(()) } else { write!(f, " (did you mean {}?)", self.near.join(" or ")) }
    }
}

impl std::error::Error for UnknownStrategy {}

/// Finds the shipped strategy with this name.
///
/// ```
/// use craps_sim::seated::shipped;
/// assert_eq!(shipped("molly")?.name, "molly");
/// assert!(shipped("moly").unwrap_err().to_string().contains("did you mean molly"));
/// # Ok::<(), craps_sim::seated::UnknownStrategy>(())
/// ```
///
/// # Errors
/// When there is no such strategy. The error lists similar names.
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

/// A strategy at its table, ready to play.
#[derive(Debug)]
pub struct Seated {
    /// Rules of the table, as the engine uses them.
    pub rules: Rules,
    /// The strategy compiled for this table.
    pub program: Program,
    /// Buy-in, maximum number of rolls, stop and goal of each session.
    pub plan: Plan,
    /// House rules of the table.
    pub house: HouseRules,
    book_name: String,
    script: Script,
    text: String,
}

impl Seated {
    /// Puts a strategy at a table.
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
    /// When the text has mistakes, or the table or the terms don't work.
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

    /// Returns a request that runs its sessions.
    #[must_use]
    pub fn request(&self) -> Request<'_, Program> {
        Request::new(&self.rules, &self.program).with_plan(self.plan)
    }

    /// Returns the book and date as a game's header writes them, such as "nj as-of 2024-01-01".
    #[must_use]
    pub fn rules_tag(&self) -> String {
        RulesTag::of(&self.house).to_string()
    }

    /// Plays one session with the dice of this seed, and returns it as a game in the notation.
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
    /// When the table disagrees with the engine.
    pub fn session(&self, library: &Library, seed: u64, number: u64) -> Result<String, NotWritten> {
        let (rules, house) = (self.rules_tag(), self.house.tag());
        let dice = format!("seed {seed} session {number}");
        let mut tags = vec![("Rules", rules.as_str())];
        tags.extend(self.house.game.map(|game| ("Game", game.word())));
        tags.extend([("House", house.as_str()), ("Event", self.program.name()), ("Dice", &dice)]);
        report::game(library, &self.rules, &self.program, &Told { tags: &tags, seed, number, plan: &self.plan })
    }

    /// Returns what a report shows besides the figures. `command` is the command line that gives the same answer again.
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

    /// Returns the wagers that were played, with their house edge and citations at this table.
    fn played(&self, answer: &Answer) -> Vec<Played> {
        let mut solver = Solver::default();
        answer.by_wager.iter().filter_map(|(slug, ..)| self.wager(&mut solver, slug)).collect()
    }

    fn wager(&self, solver: &mut Solver, slug: &str) -> Option<Played> {
        let table = self.rules.table();
        let rules = table.wager(Catalogue::current().find(slug)?)?;
        // Odds can have a different edge on each number.
        let priced = |point: &Point| rules.prizes.is.iter().any(|(rank, _)| rank.index() == point.value());
        let numbers: Vec<Option<Point>> = match rules.odds.is_some() {
            true => Point::ALL.into_iter().filter(priced).map(Some).collect(),
            false => vec![None],
        };
        let mut edges: Vec<RBig> =
            numbers.into_iter().map(|number| price(solver, &table.offering(rules, number)).edge).collect();
        edges.dedup();
        let edge = match edges.as_slice() {
            [edge] => Some((exact_or_digits(edge, 24), percent(edge, 3))),
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

/// Returns a table under a book that offers everything the book allows and the strategy needs.
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
    // Features that raise payouts at random are offered only if the strategy asks for them.
    let draws = book.modifiers.iter().flat_map(|modifier| &modifier.offer.0).filter_map(|fact| fact.is.key.as_ref());
    for key in draws {
        let product = Product::offered_by(key).map_or(key.as_str(), Product::name);
        let is_asked = |(key, value): &(&str, &str)| *key == "offer" && value.split(',').any(|id| id.trim() == product);
        if !asked.iter().any(is_asked) {
            house.set(key, "no").map_err(Unseated::Key)?;
        }
    }
    // `offer` is skipped: everything else is offered already.
    for (key, value) in asked.into_iter().filter(|(key, _)| *key != "offer") {
        house.set(key, value).map_err(Unseated::Key)?;
    }
    Ok(house)
}

/// Returns the plan of a session: each setting from the terms, or else from the strategy.
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
        assert!(told.starts_with("unknown strategy `moly` (did you mean molly"), "{told}");
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
            "stop 1: a stop must be below zero, such as -1; it is a net result, and the buy-in counts as zero"
        );
        let wrong = seated(&Terms { goal: Some(Some(Money::ZERO)), ..own }).unwrap_err();
        assert!(wrong.to_string().starts_with("goal 0: a goal must be above zero"), "{wrong}");
        let nowhere = At::Book { id: Some("nowhere".to_owned()), as_of: None };
        assert!(matches!(Seated::new(&library, &source, nowhere, &own), Err(Unseated::NoBook(_))));
    }
}
