//! Computes what wagers cost in each book: by pay table, for a real stake, with odds behind them, or with raised prices.

use crate::wager::UnknownWager;
use craps_law::{Cites, Day, Library, Multiple, NoSuchBook, Offering, RuleBook, Value};
use craps_money::{Rounding, RoundingRule, Stake, WholeDollars};
use craps_odds::{Analysis, RBig, Refused, Solver, WithOdds, price, price_stake, with_odds};
use craps_wagers::{Catalogue, Front, Mechanic, Wager, WagerId};
use std::collections::BTreeSet;

/// A request for odds. The default asks for every wager of every book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OddsAsk {
    /// Wagers by id (`place-win-6`) or by stem (`place-win`), and odds also by number (`pass-odds-4`). Empty means all.
    pub wagers: Vec<String>,
    /// Books by id. Empty means all.
    pub books: Vec<String>,
    /// Only what was in force on this day. None means the whole history of the books.
    pub as_of: Option<Day>,
    /// Compute for this stake, with the payouts and commission of a real table.
    pub stake: Option<Staked>,
    /// Compute line, come and put bets with these odds behind them.
    pub with_odds: Option<Multiple>,
    /// Probabilities per roll that a draw raises the price, level 1 first.
    pub selected: Option<Vec<RBig>>,
}

/// A real stake at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staked {
    /// Amount of the bet.
    pub amount: Stake,
    /// Value of the lowest chip at the table.
    pub chip: Stake,
}

/// The error for a request that can't be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPriced {
    /// There is no such book.
    #[error(transparent)]
    Book(#[from] NoSuchBook),
    /// There is no such wager.
    #[error(transparent)]
    Wager(#[from] UnknownWager),
    /// The wager doesn't take odds.
    #[error("`{0}` takes no odds: only line, come and put bets do")]
    NothingBehind(String),
}

/// The error for a text that isn't a multiple of odds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a multiple such as 2x, 3-4-5x or 4:3,5:4,6:5")]
pub struct NotAMultiple;

/// Reads a multiple of odds: `2x`, `3-4-5x` or `4:3,5:4,6:5`.
///
/// ```
/// use craps_explain::odds::multiple;
/// assert_eq!(multiple("3-4-5x").unwrap(), multiple("4:3,5:4,6:5,8:5,9:4,10:3").unwrap());
/// assert!(multiple("lots").is_err());
/// ```
///
/// # Errors
/// When the text isn't a multiple.
pub fn multiple(text: &str) -> Result<Multiple, NotAMultiple> {
    text.strip_suffix(['x', 'X']).unwrap_or(text).parse().map_err(|_| NotAMultiple)
}

/// The error for a text that isn't a list of chances, or for chances that add up to more than 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected chances such as 1/10,1/20, together at most 1")]
pub struct NotChances;

/// Reads the chances of the levels, the first level first: `1/10,1/20`.
///
/// ```
/// use craps_explain::odds::chances;
/// assert_eq!(chances("1/10,1/20").unwrap()[1].to_string(), "1/20");
/// assert_eq!(chances("2").unwrap_err().to_string(), "expected chances such as 1/10,1/20, together at most 1");
/// ```
///
/// # Errors
/// When the text isn't a list of chances, or they add up to more than 1.
pub fn chances(text: &str) -> Result<Vec<RBig>, NotChances> {
    let one = |item: &str| {
        let (numerator, denominator) = item.trim().split_once('/').unwrap_or((item.trim(), "1"));
        let (numerator, denominator) =
            (numerator.parse::<u32>().ok()?, denominator.parse::<u32>().ok().filter(|d| *d > 0)?);
        Some(RBig::from(numerator) / RBig::from(denominator))
    };
    let all: Vec<RBig> = text.split(',').map(one).collect::<Option<_>>().ok_or(NotChances)?;
    let sum = all.iter().fold(RBig::ZERO, |sum, chance| sum + chance);
    if sum <= RBig::ONE { Ok(all) } else { Err(NotChances) }
}

/// One row of the answer: an offering with its result.
#[derive(Debug, Clone)]
pub struct OddsRow<'a> {
    /// The book that offers it.
    pub book: &'a RuleBook,
    /// The wager at one price.
    pub offering: Offering,
    /// The figures, or why there are none.
    pub result: Result<Analysis, NoFigures>,
}

/// Why a row has no figures.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}{}", .cites.as_ref().map(|cites| format!(" [{cites}]")).unwrap_or_default())]
pub struct NoFigures {
    /// The reason.
    pub words: String,
    /// Sections of the law that it comes from, if it comes from the law.
    pub cites: Option<Cites>,
}

/// The answer to a request for odds.
#[derive(Debug)]
pub struct PricedOdds<'a> {
    /// The rows, in the order of the books.
    pub rows: Vec<OddsRow<'a>>,
    /// Notes for the reader.
    pub remarks: Vec<String>,
}

/// Answers a request for odds.
///
/// ```
/// use craps_explain::odds::{OddsAsk, multiple, priced};
/// use craps_law::Library;
/// use craps_odds::Solver;
/// let ask = OddsAsk { wagers: vec!["pass".into()], books: vec!["nj".into()], ..OddsAsk::default() };
/// let (library, mut solver) = (Library::shipped(), Solver::default());
/// let answer = priced(&mut solver, &library, &ask)?;
/// assert_eq!(answer.rows[0].record(&mut solver, &ask).edge.as_deref(), Some("7/495"));
/// let with_odds = OddsAsk { with_odds: Some(multiple("2x")?), ..ask };
/// let answer = priced(&mut solver, &library, &with_odds)?;
/// assert_eq!(answer.rows[0].record(&mut solver, &with_odds).edge.as_deref(), Some("1/165"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a book or a wager doesn't exist, or `with_odds` is set for a wager that takes no odds.
pub fn priced<'a>(solver: &mut Solver, library: &'a Library, ask: &OddsAsk) -> Result<PricedOdds<'a>, NotPriced> {
    let books: Vec<&RuleBook> = if ask.books.is_empty() {
        library.books.iter().collect()
    } else {
        ask.books.iter().map(|id| library.named(id)).collect::<Result<_, _>>()?
    };
    for name in &ask.wagers {
        let mut meant = Catalogue::current().all().filter(|id| is_named(id.wager(), name)).peekable();
        if meant.peek().is_none() {
            return Err(UnknownWager::new(name).into());
        }
        if ask.with_odds.is_some() && !meant.any(|wager| behind(wager).is_some()) {
            return Err(NotPriced::NothingBehind(name.clone()));
        }
    }
    let (mut rows, mut remarks) = (Vec::new(), Vec::new());
    for book in books {
        let offerings = book.offerings(ask.as_of);
        if offerings.is_empty()
            && let (Some(day), Some(first)) = (ask.as_of, &book.in_force)
        {
            remarks.push(format!("{}: not in force on {day}; it starts on {} [{}]", book.id, first.from, first.cite));
        }
        let chosen: Vec<&Offering> = offerings.iter().filter(|offering| is_asked(ask, offering)).collect();
        if !ask.wagers.is_empty() && !offerings.is_empty() {
            let on = ask.as_of.map(|day| format!(" on {day}")).unwrap_or_default();
            let named = ask.wagers.join(", ");
            let is_raised = |offering: &Offering| is_named_by(ask, offering) && offering.modifier.is_some();
            if chosen.is_empty() {
                remarks.push(format!("{}: doesn't offer {named}{on} [{}]", book.id, book.listed.cites));
            } else if ask.selected.is_some() && !offerings.iter().any(is_raised) {
                remarks.push(format!("{}: no raised price for {named}{on}", book.id));
            }
        }
        let mut told = BTreeSet::new();
        for offering in chosen {
            if let Some(remark) = beyond_the_law(book, offering, ask)
                && told.insert(remark.clone())
            {
                remarks.push(remark);
            }
            rows.extend(price_row(solver, book, offering, &offerings, ask));
        }
    }
    Ok(PricedOdds { rows, remarks })
}

/// Does the name match the wager: by its slug, by a stem of the slug, or as odds with a number?
fn is_named(wager: &Wager, name: &str) -> bool {
    let stem = |slug: &str| {
        slug.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    };
    wager.slug == name || stem(wager.slug) || wager_with_number(wager, name).is_some()
}

/// Returns the number in a name such as `pass-odds-4`.
fn wager_with_number<'a>(wager: &Wager, name: &'a str) -> Option<&'a str> {
    let number = name.strip_prefix(wager.slug)?.strip_prefix('-')?;
    (matches!(wager.mechanic, Mechanic::Behind(..)) && number.parse::<craps_dice::Point>().is_ok()).then_some(number)
}

fn is_asked(ask: &OddsAsk, offering: &Offering) -> bool {
    let fits_odds = ask.with_odds.is_none() || behind(offering.wager).is_some();
    let fits_selection = ask.selected.is_none() || offering.modifier.is_none();
    is_named_by(ask, offering) && fits_odds && fits_selection
}

fn is_named_by(ask: &OddsAsk, offering: &Offering) -> bool {
    let wager = offering.wager.wager();
    ask.wagers.is_empty()
        || ask.wagers.iter().any(|name| match wager_with_number(wager, name) {
            Some(_) => offering.name() == *name,
            None => is_named(wager, name),
        })
}

/// Returns true if players can bet odds behind the wager.
///
/// ```
/// use craps_explain::{odds::takes_odds, wager::find};
/// assert!(takes_odds(find("pass")?) && !takes_odds(find("field")?));
/// # Ok::<(), craps_explain::wager::UnknownWager>(())
/// ```
#[must_use]
pub fn takes_odds(wager: &Wager) -> bool {
    Catalogue::current().find(wager.slug).and_then(behind).is_some()
}

/// Returns the odds wager of a line, come or put bet.
fn behind(front: WagerId) -> Option<WagerId> {
    Catalogue::current().all().find(|id| match id.wager().mechanic {
        Mechanic::Behind(_, Front::Line(known)) => known == front,
        Mechanic::Behind(_, Front::Number(known)) => known.contains(&front),
        _ => false,
    })
}

fn price_row<'a>(
    solver: &mut Solver,
    book: &'a RuleBook,
    offering: &Offering,
    all: &[Offering],
    ask: &OddsAsk,
) -> Option<OddsRow<'a>> {
    let row = |result| Some(OddsRow { book, offering: offering.clone(), result });
    if let Some(multiple) = &ask.with_odds {
        let behind = behind(offering.wager)?;
        let law = book.wagers.get(&behind)?;
        let odds = all.iter().find(|odds| odds.wager == law.wager)?;
        let rules = book.odds_rules(law, multiple.clone(), ask.as_of)?;
        let real = ask.stake.map(|staked| (staked.amount, rounding(book, staked.chip, ask)));
        let real = real.as_ref().map(|(stake, rounding)| (*stake, rounding));
        let pair = WithOdds { rules: &rules, prizes: &odds.prizes };
        return row(with_odds(solver, offering, &pair, real).map_err(|refused| cited(book, &refused)));
    }
    if let Some(Staked { amount: stake, chip }) = ask.stake {
        if let Some(refused) = outside_its_amounts(book, offering, stake, ask) {
            return row(Err(refused));
        }
        let rounding = rounding(book, chip, ask);
        return row(price_stake(solver, offering, stake, &rounding).map_err(|refused| cited(book, &refused)));
    }
    if let Some(chances) = &ask.selected {
        let levels: Vec<Offering> =
            all.iter().filter(|other| other.wager == offering.wager && other.modifier.is_some()).cloned().collect();
        if levels.is_empty() {
            return None;
        }
        if chances.len() > levels.len() {
            let words = format!("{} chances given, but the wager has only {} levels", chances.len(), levels.len());
            return row(Err(NoFigures { words, cites: None }));
        }
        let analysis = mix(solver, offering, &levels, chances);
        let mut offering = offering.clone();
        // The result depends on the base price and the raised ones, so it needs the citations of all and the days on which all apply.
        for level in &levels {
            offering.days = offering.days.and(&level.days);
            let new: Vec<_> = level.cites.iter().filter(|cite| !offering.cites.0.contains(cite)).cloned().collect();
            offering.cites.0.extend(new);
        }
        offering.pay_table =
            format!("selected {}", chances.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        return Some(OddsRow { book, offering, result: Ok(analysis) });
    }
    row(Ok(price(solver, offering)))
}

/// Returns a note if the multiple is more than the law allows. The figures are shown anyway.
fn beyond_the_law(book: &RuleBook, offering: &Offering, ask: &OddsAsk) -> Option<String> {
    let law = book.wagers.get(&behind(offering.wager)?)?;
    let most = law.odds.as_ref()?.most.on(ask.as_of)?;
    let over =
        ask.with_odds.as_ref()?.iter().filter(|(number, times)| most.is.on(*number).is_some_and(|most| *times > most));
    let (number, times) = over.max_by_key(|(_, times)| *times)?;
    let limit = most.is.on(number)?;
    Some(format!("{}: the law allows odds of at most {limit}x, not {times}x [{}]", book.id, most.cites))
}

/// Adds the citation to a refusal.
fn cited(book: &RuleBook, refused: &Refused) -> NoFigures {
    let cites = book.choice_for("rounding").map_or(&book.listed.cites, |fact| &fact.cites);
    NoFigures { words: refused.to_string(), cites: Some(cites.clone()) }
}

/// Returns why a wager with its own amount rule wouldn't take the stake.
fn outside_its_amounts(book: &RuleBook, offering: &Offering, stake: Stake, ask: &OddsAsk) -> Option<NoFigures> {
    let fact = book.wager(offering.wager)?.amount.on(ask.as_of)?;
    let (low, high) = fact.is.range?;
    let step = fact.is.step.and_then(|step| Stake::whole(step).ok());
    let inside = Stake::whole(low).is_ok_and(|low| low <= stake) && Stake::whole(high).is_ok_and(|high| stake <= high);
    let steps = step.is_none_or(|step| stake.is_multiple_of(step));
    let by = fact.is.step.map(|step| format!(" in steps of {step}")).unwrap_or_default();
    (!inside || !steps).then(|| NoFigures {
        words: format!("{stake} is not allowed: bet {low} to {high}{by}"),
        cites: Some(fact.cites.clone()),
    })
}

/// Combines the prices of a wager, each level weighted with its chance.
fn mix(solver: &mut Solver, offering: &Offering, levels: &[Offering], chances: &[RBig]) -> Analysis {
    let rest = chances.iter().fold(RBig::ONE, |rest, chance| rest - chance);
    let mut parts = vec![(price(solver, offering), rest)];
    parts.extend(levels.iter().zip(chances).map(|(level, chance)| (price(solver, level), chance.clone())));
    Analysis::mixture(&parts)
}

/// Returns how tables of the book round by default.
fn rounding(book: &RuleBook, chip: Stake, ask: &OddsAsk) -> Rounding {
    let default = |key: &str| book.choices.get(key)?.on(ask.as_of)?.is.value.as_ref();
    let rule = match default("rounding") {
        Some(Value::Rounding(rule)) => *rule,
        _ => RoundingRule::ExactOrRefuse,
    };
    // As at a table: without a record for whole dollars, they are rounded too.
    let whole_dollars = match default("round_whole_dollars").and_then(Value::yes) {
        Some(false) => WholeDollars::Exact,
        _ => WholeDollars::Rounded,
    };
    Rounding { rule, whole_dollars, chip }
}
