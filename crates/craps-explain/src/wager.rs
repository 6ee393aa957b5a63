//! The card of one wager: what it is, what every book says of it side by side, and what it costs exactly.

use craps_law::{Day, Library, Offering, RuleBook};
use craps_odds::figures::{decimal, percent};
use craps_odds::{Analysis, Solver, break_even, price};
use craps_wagers::{Catalogue, Wager, WagerId};
use serde::Serialize;
use std::collections::BTreeMap;

/// A wager that nobody knows, with the names that come closest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no wager is called `{name}`{}", perhaps(.near))]
pub struct UnknownWager {
    /// What was asked for.
    pub name: String,
    /// The ids that come closest, the nearest first; none where none is near.
    pub near: Vec<&'static str>,
}

fn perhaps(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!(": perhaps {}", near.join(", ")) }
}

impl UnknownWager {
    pub(crate) fn new(name: &str) -> UnknownWager {
        let distance = |slug: &str| {
            if !name.is_empty() && slug.contains(name) { 0 } else { strsim::damerau_levenshtein(name, slug) }
        };
        let mut near: Vec<(usize, &str)> =
            Catalogue::current().all().map(|id| (distance(id.wager().slug), id.wager().slug)).collect();
        near.sort_by_key(|(far, _)| *far);
        // Of a short name most letters must be right.
        let reach = (name.chars().count() / 3).min(3);
        let near = near.into_iter().filter(|(far, _)| *far <= reach).map(|(_, slug)| slug).take(6).collect();
        UnknownWager { name: name.to_owned(), near }
    }
}

/// The wager of that id or code; odds and moved come bets also by the name a bet has.
///
/// ```
/// use craps_explain::wager::find;
/// assert_eq!(find("PL6")?.slug, "place-win-6");
/// assert_eq!(find("pas").unwrap_err().near[0], "pass");
/// # Ok::<(), craps_explain::wager::UnknownWager>(())
/// ```
///
/// # Errors
/// When there is none.
pub fn find(name: &str) -> Result<&'static Wager, UnknownWager> {
    let catalogue = Catalogue::current();
    let found = catalogue.find(name).or_else(|| catalogue.bet(name).map(|(wager, _)| wager));
    found.map(WagerId::wager).ok_or_else(|| UnknownWager::new(name))
}

/// The card of one wager, of one day or of everything the books ever held.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerCard {
    /// Its id.
    pub wager: String,
    /// The codes of its bets in games.
    pub codes: Vec<String>,
    /// What it is, when it wins, and its traps.
    pub about: String,
    /// Throws and what becomes of the bet.
    pub examples: Vec<WagerExample>,
    /// Books that have the wager, in the order of the columns.
    pub books: Vec<String>,
    /// Rows of facts: aspect, then one cell for each book.
    pub facts: Vec<WagerFact>,
    /// What it costs, book by book.
    pub odds: Vec<WagerOdds>,
    /// How unclear points are read.
    pub readings: Vec<ReadingNote>,
    /// Books that do not have it.
    #[serde(skip)]
    pub absent: Vec<String>,
}

/// Throws, and what becomes of the bet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerExample {
    /// The throws.
    pub throws: String,
    /// What becomes of the bet.
    pub outcome: String,
}

/// One aspect, book by book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerFact {
    /// Which aspect.
    pub aspect: String,
    /// What each book says.
    pub by_book: BTreeMap<String, WagerCell>,
}

/// What a book says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerCell {
    /// What it is.
    pub value: String,
    /// By which words.
    pub cite: String,
}

/// One price of the wager, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerOdds {
    /// The wager; odds with their number.
    pub wager: String,
    /// The book.
    pub book: String,
    /// The law's name for the pay table.
    pub pay_table: String,
    /// When and of what a commission is taken.
    pub commission: String,
    /// What it pays.
    pub pays: String,
    /// What the house keeps of each unit staked, exactly.
    pub edge: String,
    /// The same in percent.
    pub edge_percent: String,
    /// The chance that it wins.
    pub p_win: String,
    /// The mean number of throws.
    pub throws_mean: String,
    /// Does it favour the player?
    pub favours_player: bool,
    /// The chance that it wins, in percent.
    #[serde(skip)]
    pub wins_shown: String,
    /// The mean number of throws, in decimals.
    #[serde(skip)]
    pub throws_shown: String,
    /// The chance per throw at which a raised price makes an even game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_even: Option<String>,
    /// On which days.
    pub days: String,
    /// Where the prices stand.
    pub cite: String,
}

/// A reading that the facts rest on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReadingNote {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub asks: String,
    /// How it is read.
    pub taken: String,
    /// By which books.
    pub books: Vec<String>,
}

/// The aspects a card shows first, in this order; then the prices, then others as the books list them.
const ASPECTS: &[&str] = &["name", "offer", "make", "raise", "lower", "come-out", "price"];

impl WagerCard {
    /// Puts the card together, of one day or of everything the books ever held.
    ///
    /// ```
    /// use craps_explain::{WagerCard, wager::find};
    /// use craps_law::Library;
    /// use craps_odds::Solver;
    /// let card = WagerCard::new(&Library::shipped(), &mut Solver::default(), find("field")?, None);
    /// assert!(card.books.contains(&"pa".to_owned()));
    /// assert!(card.odds.iter().any(|odds| odds.edge == "1/18"), "double on 2 and on 12");
    /// # Ok::<(), craps_explain::wager::UnknownWager>(())
    /// ```
    #[must_use]
    pub fn new(library: &Library, solver: &mut Solver, wager: &'static Wager, on: Option<Day>) -> WagerCard {
        let (books, absent): (Vec<&RuleBook>, Vec<&RuleBook>) =
            library.books.iter().partition(|book| has(book, wager, on));
        let mut facts: Vec<WagerFact> = Vec::new();
        let mut readings: BTreeMap<(String, String), ReadingNote> = BTreeMap::new();
        for book in &books {
            for line in book.lines(on).into_iter().filter(|line| line.subject == wager.slug) {
                let days =
                    if line.days == craps_law::Days::ALWAYS { String::new() } else { format!(" ({})", line.days) };
                let cell = WagerCell { value: format!("{}{days}", line.value), cite: line.cites.to_string() };
                let entry = match facts.iter_mut().find(|fact| fact.aspect == line.aspect) {
                    Some(fact) => fact,
                    None => {
                        facts.push(WagerFact { aspect: line.aspect.clone(), by_book: BTreeMap::new() });
                        let last = facts.len() - 1;
                        &mut facts[last]
                    }
                };
                let known = entry.by_book.entry(book.id.clone()).or_default();
                if known.value.is_empty() {
                    *known = cell;
                } else {
                    known.value.push_str(&format!("; {}", cell.value));
                    known.cite.push_str(&format!(", {}", cell.cite));
                }
                for id in line.readings {
                    if let Some(reading) = book.readings.get(&id) {
                        let (asks, taken) = (reading.asks.clone(), reading.taken.clone());
                        // Books that read the point alike share a note.
                        let note = readings.entry((id.clone(), taken.clone())).or_insert(ReadingNote {
                            id,
                            asks,
                            taken,
                            books: Vec::new(),
                        });
                        if !note.books.contains(&book.id) {
                            note.books.push(book.id.clone());
                        }
                    }
                }
            }
            if let Some(law) = book.wagers.values().find(|law| law.wager.wager().slug == wager.slug) {
                let offer = law.offer.0.first().map(|fact| fact.cites.to_string()).unwrap_or_default();
                let fact = match facts.iter_mut().find(|fact| fact.aspect == "name") {
                    Some(fact) => fact,
                    None => {
                        facts.insert(0, WagerFact { aspect: "name".to_owned(), by_book: BTreeMap::new() });
                        &mut facts[0]
                    }
                };
                let cell = fact.by_book.entry(book.id.clone()).or_default();
                let renamed = std::mem::take(&mut cell.value);
                cell.value = match (on, renamed.is_empty()) {
                    (None, false) => format!("{}; {renamed}", law.name),
                    _ => law.name_on(on).to_owned(),
                };
                if cell.cite.is_empty() {
                    cell.cite = offer;
                }
            }
        }
        facts.sort_by_key(|fact| {
            let later = if fact.aspect.starts_with("pays") { ASPECTS.len() } else { ASPECTS.len() + 1 };
            ASPECTS.iter().position(|aspect| *aspect == fact.aspect).unwrap_or(later)
        });
        let odds = books.iter().flat_map(|book| odds_of(book, solver, wager, on)).collect();
        let example = |(throws, outcome): &(&str, &str)| WagerExample {
            throws: (*throws).to_owned(),
            outcome: outcome_in_words(wager, outcome),
        };
        WagerCard {
            wager: wager.slug.to_owned(),
            codes: wager.names().into_iter().map(|name| name.code).collect(),
            about: wager.about.to_owned(),
            examples: wager.examples.iter().map(example).collect(),
            books: books.iter().map(|book| book.id.clone()).collect(),
            facts,
            odds,
            readings: readings.into_values().collect(),
            absent: absent.iter().map(|book| book.id.clone()).collect(),
        }
    }
}

/// Does the book have the wager on the day, or did it ever?
///
/// ```
/// use craps_explain::wager::{find, has};
/// let library = craps_law::Library::shipped();
/// assert!(has(library.named("pa")?, find("fire")?, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn has(book: &RuleBook, wager: &Wager, on: Option<Day>) -> bool {
    let begun = book.in_force.as_ref().is_none_or(|first| on.is_none_or(|on| first.from <= on));
    let mut laws = book.wagers.values().filter(|law| law.wager.wager().slug == wager.slug);
    begun && laws.any(|law| law.offer.0.iter().any(|offer| offer.days.hold(on)))
}

fn odds_of(book: &RuleBook, solver: &mut Solver, wager: &Wager, on: Option<Day>) -> Vec<WagerOdds> {
    let offerings: Vec<Offering> =
        book.offerings(on).into_iter().filter(|offering| offering.wager.wager().slug == wager.slug).collect();
    let priced: Vec<Analysis> = offerings.iter().map(|offering| price(solver, offering)).collect();
    let base = priced.first().cloned();
    let row = |(offering, analysis): (&Offering, &Analysis)| WagerOdds {
        wager: offering.name(),
        book: book.id.clone(),
        pay_table: offering.pay_table.clone(),
        commission: offering.commission.map_or_else(|| "none".to_owned(), |commission| commission.to_string()),
        pays: pays(offering),
        edge: analysis.edge.to_string(),
        edge_percent: percent(&analysis.edge, 4),
        p_win: analysis.p_win.to_string(),
        throws_mean: analysis.throws_mean.to_string(),
        favours_player: analysis.favours_player(),
        wins_shown: percent(&analysis.p_win, 3),
        throws_shown: decimal(&analysis.throws_mean, 2),
        break_even: offering
            .modifier
            .as_ref()
            .and(base.as_ref())
            .and_then(|base| break_even(base, analysis))
            .map(|chance| chance.to_string()),
        days: offering.days.to_string(),
        cite: offering.cites.to_string(),
    };
    offerings.iter().zip(&priced).map(row).collect()
}

fn pays(offering: &Offering) -> String {
    let ranks = offering.wager.wager().ranks;
    let own = |rank: craps_wagers::Rank| offering.number.is_none_or(|number| rank.index() == number.value());
    let name = |rank| match (ranks.name(rank), offering.number) {
        (_, Some(_)) => String::new(),
        (name, None) if name == "win" => String::new(),
        (name, None) => format!("{}: ", outcome_in_words(offering.wager.wager(), &name)),
    };
    offering
        .prizes
        .iter()
        .filter(|(rank, _)| own(*rank))
        .map(|(rank, prize)| format!("{}{prize}", name(rank)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// A composite's rank is the part that won: its slug says more than its place.
fn outcome_in_words(wager: &Wager, outcome: &str) -> String {
    match (wager.mechanic, outcome.strip_prefix("part ").and_then(|at| at.parse::<usize>().ok())) {
        (craps_wagers::Mechanic::Composite(parts), Some(at)) => {
            parts.get(at - 1).map_or("", |part| part.wager.wager().slug).to_owned()
        }
        _ => outcome.to_owned(),
    }
}
