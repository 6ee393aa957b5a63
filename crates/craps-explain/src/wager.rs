//! The card of a wager: what it is, what each book says about it, and what it costs exactly.

use craps_law::{Aspect, Day, Library, Offering, RuleBook};
use craps_odds::figures::{decimal, percent};
use craps_odds::{Analysis, Solver, break_even, price};
use craps_wagers::{Catalogue, Wager, WagerId};
use serde::Serialize;
use std::collections::BTreeMap;

/// The error for a name that no wager has. It lists the closest names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no wager matches `{name}`{}", perhaps(.near))]
pub struct UnknownWager {
    /// Name that was asked for.
    pub name: String,
    /// Ids of the closest wagers, the closest first. Empty if none is close.
    pub near: Vec<&'static str>,
}

fn perhaps(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!(": did you mean {}?", near.join(", ")) }
}

impl UnknownWager {
    pub(crate) fn new(name: &str) -> UnknownWager {
        let distance = |slug: &str| {
            if !name.is_empty() && slug.contains(name) { 0 } else { strsim::damerau_levenshtein(name, slug) }
        };
        let mut near: Vec<(usize, &str)> =
            Catalogue::current().all().map(|id| (distance(id.wager().slug), id.wager().slug)).collect();
        near.sort_by_key(|(far, _)| *far);
        // In a short name, most letters must be right.
        let reach = (name.chars().count() / 3).min(3);
        let near = near.into_iter().filter(|(far, _)| *far <= reach).map(|(_, slug)| slug).take(6).collect();
        UnknownWager { name: name.to_owned(), near }
    }
}

/// Finds a wager by its id or code, or by the name of one of its bets, such as `come-6`.
///
/// ```
/// use craps_explain::wager::find;
/// assert_eq!(find("PL6")?.slug, "place-win-6");
/// assert_eq!(find("pas").unwrap_err().near[0], "pass");
/// # Ok::<(), craps_explain::wager::UnknownWager>(())
/// ```
///
/// # Errors
/// When there is no such wager.
pub fn find(name: &str) -> Result<&'static Wager, UnknownWager> {
    let catalogue = Catalogue::current();
    let found = catalogue.find(name).or_else(|| catalogue.bet(name).map(|(wager, _)| wager));
    found.map(WagerId::wager).ok_or_else(|| UnknownWager::new(name))
}

/// The card of a wager, for one day or for the whole history of the books.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerCard {
    /// Id of the wager, such as `place-win-6`.
    pub wager: String,
    /// What players call it, such as `Place 6`.
    pub name: String,
    /// The number or dice in its name, such as `6`. Empty if it has none.
    pub number: String,
    /// What the felt calls it.
    pub label: String,
    /// What players say for it. `…` stands for a number.
    pub say: Vec<String>,
    /// Codes of its bets in game files, such as `PL6`.
    pub codes: Vec<String>,
    /// Description: what it is, when it wins, and what to watch out for.
    pub about: String,
    /// Rolls, each with its result for the bet.
    pub examples: Vec<WagerExample>,
    /// Ids of the books that have the wager, in column order.
    pub books: Vec<String>,
    /// Rows of facts. Each is one aspect with a cell per book.
    pub facts: Vec<WagerFact>,
    /// What the wager costs in each book.
    pub odds: Vec<WagerOdds>,
    /// How unclear rules about the wager are read.
    pub readings: Vec<ReadingNote>,
    /// Ids of the books that don't have the wager.
    #[serde(skip)]
    pub absent: Vec<String>,
}

/// An example: rolls and their result for the bet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerExample {
    /// The rolls, in order.
    pub throws: String,
    /// The result for the bet.
    pub outcome: String,
}

/// What each book says about one aspect of a wager.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerFact {
    /// The aspect, such as `make` or `price`.
    pub aspect: String,
    /// The cell of each book, by book id.
    pub by_book: BTreeMap<String, WagerCell>,
}

/// What one book says about one aspect.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerCell {
    /// The rule in short form.
    pub value: String,
    /// Sections of the law that say so.
    pub cite: String,
}

/// One price of a wager, and what the wager costs at that price.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerOdds {
    /// Id of the wager. Odds have their number in it.
    pub wager: String,
    /// Id of the book.
    pub book: String,
    /// Name of the pay table in the law.
    pub pay_table: String,
    /// The commission: how much, of what and when. `none` if there is none.
    pub commission: String,
    /// The prizes.
    pub pays: String,
    /// House edge per unit bet, as an exact fraction.
    pub edge: String,
    /// House edge in percent.
    pub edge_percent: String,
    /// Probability of a win, as an exact fraction.
    pub p_win: String,
    /// Average number of rolls on which the bet is on, as an exact fraction.
    pub throws_mean: String,
    /// True if the price favors the player.
    pub favours_player: bool,
    /// Probability of a win, in percent.
    #[serde(skip)]
    pub wins_shown: String,
    /// Average number of rolls, as a decimal.
    #[serde(skip)]
    pub throws_shown: String,
    /// Probability per roll at which a raised price would make the game even. None for ordinary prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_even: Option<String>,
    /// Days on which the price applies.
    pub days: String,
    /// Sections of the law that set the prices.
    pub cite: String,
}

/// A reading of an unclear rule that the facts depend on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReadingNote {
    /// Id of the reading, such as `A-43`.
    pub id: String,
    /// The question that the law leaves open.
    pub asks: String,
    /// The answer that is used.
    pub taken: String,
    /// Ids of the books that are read this way.
    pub books: Vec<String>,
}

/// Aspects that a card shows first, in this order. Then come the prices, then all others in book order.
const ASPECTS: &[Aspect] =
    &[Aspect::Name, Aspect::Offer, Aspect::Make, Aspect::Raise, Aspect::Lower, Aspect::ComeOut, Aspect::Price];

impl WagerCard {
    /// Builds the card for one day, or for the whole history of the books if `on` is None.
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
        let mut facts: Vec<(Aspect, WagerFact)> = Vec::new();
        let mut readings: BTreeMap<(String, String), ReadingNote> = BTreeMap::new();
        for book in &books {
            for line in book.lines(on).into_iter().filter(|line| line.subject == wager.slug) {
                let days =
                    if line.days == craps_law::Days::ALWAYS { String::new() } else { format!(" ({})", line.days) };
                let cell = WagerCell { value: format!("{}{days}", line.value), cite: line.cites.to_string() };
                let entry = match facts.iter_mut().find(|(aspect, _)| *aspect == line.aspect) {
                    Some((_, fact)) => fact,
                    None => {
                        facts.push((line.aspect.clone(), empty(&line.aspect)));
                        let last = facts.len() - 1;
                        &mut facts[last].1
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
                        // Books with the same reading share a note.
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
                let fact = match facts.iter_mut().find(|(aspect, _)| *aspect == Aspect::Name) {
                    Some((_, fact)) => fact,
                    None => {
                        facts.insert(0, (Aspect::Name, empty(&Aspect::Name)));
                        &mut facts[0].1
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
        facts.sort_by_key(|(aspect, _)| {
            let later = if matches!(aspect, Aspect::Pays(_)) { ASPECTS.len() } else { ASPECTS.len() + 1 };
            ASPECTS.iter().position(|first| first == aspect).unwrap_or(later)
        });
        let odds = books.iter().flat_map(|book| odds_of(book, solver, wager, on)).collect();
        let example = |(throws, outcome): &(&str, &str)| WagerExample {
            throws: (*throws).to_owned(),
            outcome: told_by(&books, wager, throws, outcome),
        };
        WagerCard {
            wager: wager.slug.to_owned(),
            name: wager.name.to_owned(),
            number: wager.number_text.to_owned(),
            label: wager.label.to_owned(),
            say: said(wager),
            codes: wager.names().into_iter().map(|name| name.code).collect(),
            about: wager.about.to_owned(),
            examples: wager.examples.iter().map(example).collect(),
            books: books.iter().map(|book| book.id.clone()).collect(),
            facts: facts.into_iter().map(|(_, fact)| fact).collect(),
            odds,
            readings: readings.into_values().collect(),
            absent: absent.iter().map(|book| book.id.clone()).collect(),
        }
    }
}

fn empty(aspect: &Aspect) -> WagerFact {
    WagerFact { aspect: aspect.to_string(), by_book: BTreeMap::new() }
}

/// Returns the result of an example under the rules of these books. Books whose rules give another result than the usual one are named with theirs.
fn told_by(books: &[&RuleBook], wager: &Wager, throws: &str, usual: &str) -> String {
    let mut others: Vec<(String, Vec<&str>)> = Vec::new();
    for book in books {
        let Some(law) = book.wagers.values().find(|law| law.wager.wager().slug == wager.slug) else { continue };
        let Ok(told) = wager.tell(book.dials(law), throws) else { continue };
        if told == usual {
            continue;
        }
        match others.iter_mut().find(|(known, _)| *known == told) {
            Some((_, ids)) => ids.push(&book.id),
            None => others.push((told, vec![&book.id])),
        }
    }
    let usually = outcome_in_words(wager, usual);
    let other = |(told, ids): &(String, Vec<&str>)| format!("{} in {}", outcome_in_words(wager, told), ids.join(", "));
    let others: Vec<String> = others.iter().map(other).collect();
    if others.is_empty() { usually } else { format!("{usually}; {}", others.join("; ")) }
}

/// Lists what players say for a wager. `…` stands for a number.
///
/// ```
/// use craps_explain::wager::{find, said};
/// assert!(said(find("place-win-6")?).contains(&"place 6".to_owned()));
/// assert!(said(find("come")?).contains(&"come on …".to_owned()));
/// # Ok::<(), craps_explain::wager::UnknownWager>(())
/// ```
#[must_use]
pub fn said(wager: &Wager) -> Vec<String> {
    let number = if wager.number_text.is_empty() { "…" } else { wager.number_text };
    let printed = wager.spoken.map(|spoken| spoken.replace("{number}", number));
    let plain = printed.into_iter().chain(wager.phrases.iter().map(|phrase| (*phrase).to_owned()));
    let stems = wager.stems.iter().chain(wager.standing_stems).map(|stem| format!("{stem} {number}"));
    let odds = wager.odds_words.iter().map(|word| format!("{word} odds"));
    plain.chain(stems).chain(odds).collect()
}

/// Does the book have the wager on this day? If `on` is None: did it ever?
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

/// Replaces `part 2` of a composite with the id of that part.
fn outcome_in_words(wager: &Wager, outcome: &str) -> String {
    match (wager.mechanic, outcome.strip_prefix("part ").and_then(|at| at.parse::<usize>().ok())) {
        (craps_wagers::Mechanic::Composite(parts), Some(at)) => {
            parts.get(at - 1).map_or("", |part| part.wager.wager().slug).to_owned()
        }
        _ => outcome.to_owned(),
    }
}
