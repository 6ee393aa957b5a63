//! What was asked about odds, and the answer as outside programs read it: one record for each wager, pay table and commission.

use crate::card::UnknownWager;
use crate::figures::decimal;
use crate::{Analysis, RBig, Refused, Solver, WithOdds, break_even, price, price_stake, with_odds};
use craps_law::{Day, Days, Library, Most, Multiple, NoSuchBook, Offering, RuleBook, Value};
use craps_money::{Rounding, RoundingRule, Stake, WholeDollars};
use craps_wagers::{Catalogue, Front, Mechanic, Wager, WagerId};
use serde::Serialize;
use std::collections::BTreeSet;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ask {
    /// Wagers by id (`place-win-6`), by stem (`place-win`), odds also by number (`pass-odds-4`); all when none is named.
    pub wagers: Vec<String>,
    /// Books by id; all when none is named.
    pub books: Vec<String>,
    /// Only what was in force on this day; everything the book ever held when there is none.
    pub as_of: Option<Day>,
    /// Price this stake as a table would pay and charge it.
    pub stake: Option<Staked>,
    /// Line, come and put bets with these odds behind them.
    pub with_odds: Option<Multiple>,
    /// Raised prices chosen with these chances per throw, level 1 first.
    pub selected: Option<Vec<RBig>>,
}

/// A real stake at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staked {
    /// How much is staked.
    pub amount: Stake,
    /// The lowest chip at the table.
    pub chip: Stake,
}

/// Why nothing was priced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPriced {
    /// There is no such book.
    #[error(transparent)]
    Book(#[from] NoSuchBook),
    /// There is no such wager.
    #[error(transparent)]
    Wager(#[from] UnknownWager),
    /// Odds were asked for behind a wager that has none.
    #[error("nothing stands behind `{0}`: odds are for line, come and put bets")]
    NothingBehind(String),
}

/// Reads a multiple: 2x, 3-4-5x or 4:3,5:4,6:5.
///
/// # Errors
/// When it is none.
pub fn multiple(text: &str) -> Result<Multiple, String> {
    text.strip_suffix(['x', 'X'])
        .unwrap_or(text)
        .parse()
        .map_err(|_| "expected a multiple such as 2x, 3-4-5x or 4:3,5:4,6:5".to_owned())
}

/// Reads chances per level, the first level first: 1/10,1/20.
///
/// # Errors
/// When they are none, or more than one together.
pub fn chances(text: &str) -> Result<Vec<RBig>, String> {
    let wrong = || "expected chances such as 1/10,1/20, together at most 1".to_owned();
    let one = |item: &str| {
        let (numerator, denominator) = item.trim().split_once('/').unwrap_or((item.trim(), "1"));
        let (numerator, denominator) =
            (numerator.parse::<u32>().ok()?, denominator.parse::<u32>().ok().filter(|d| *d > 0)?);
        Some(RBig::from(numerator) / RBig::from(denominator))
    };
    let all: Vec<RBig> = text.split(',').map(one).collect::<Option<_>>().ok_or_else(wrong)?;
    let sum = all.iter().fold(RBig::ZERO, |sum, chance| sum + chance);
    if sum <= RBig::ONE { Ok(all) } else { Err(wrong()) }
}

/// One line of the answer: what was priced, and what came of it.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// By which book.
    pub book: &'a RuleBook,
    /// What.
    pub offering: Offering,
    /// Its analysis, or why it cannot be had.
    pub result: Result<Analysis, String>,
}

/// Everything that was asked, priced.
#[derive(Debug)]
pub struct Priced<'a> {
    /// The lines, as the books list them.
    pub rows: Vec<Row<'a>>,
    /// What a reader should know besides.
    pub remarks: Vec<String>,
}

/// One record as outside programs read it. Fractions are exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Record {
    /// The book.
    pub book: String,
    /// The wager; odds with their number.
    pub wager: String,
    /// The law's name for the pay table.
    pub pay_table: String,
    /// When and of what a commission is taken.
    pub commission: String,
    /// The chance that it nets a win.
    pub p_win: Option<String>,
    /// That it nets a loss.
    pub p_lose: Option<String>,
    /// That it nets nothing.
    pub p_push: Option<String>,
    /// What the house keeps, per unit staked.
    pub edge: Option<String>,
    /// The same per bet that is no push.
    pub edge_resolved: Option<String>,
    /// The same per throw.
    pub edge_per_throw: Option<String>,
    /// The mean number of throws on which it works.
    pub throws_mean: Option<String>,
    /// The variance of the net result per unit staked.
    pub variance: Option<String>,
    /// Does it favour the player?
    pub favours_player: Option<bool>,
    /// Where the prices stand.
    pub cite: String,
    /// What the book calls it.
    pub name: String,
    /// The first day.
    pub from: Option<String>,
    /// The first day on which it no longer holds.
    pub until: Option<String>,
    /// The stake that was priced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stake: Option<String>,
    /// The odds behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_odds: Option<String>,
    /// The chance per throw at which a raised price makes an even game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_even: Option<String>,
    /// Why it has no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Every net result with its chance.
    pub distribution: Vec<Outcome>,
}

/// A net result and its chance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = OddsOutcome))]
pub struct Outcome {
    /// The net result per unit staked; `+` behind it says that or more.
    pub net: String,
    /// Its chance.
    pub p: String,
}

/// Prices everything that is asked.
///
/// # Errors
/// When a book or a wager is not there, or nothing stands behind a wager whose odds are asked for.
pub fn priced<'a>(solver: &mut Solver, library: &'a Library, ask: &Ask) -> Result<Priced<'a>, NotPriced> {
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
            remarks.push(format!(
                "{}: nothing in force on {day}; its first day is {} [{}]",
                book.id, first.from, first.cite
            ));
        }
        let chosen: Vec<&Offering> = offerings.iter().filter(|offering| is_asked(ask, offering)).collect();
        if !ask.wagers.is_empty() && !offerings.is_empty() {
            let on = ask.as_of.map(|day| format!(" on {day}")).unwrap_or_default();
            let named = ask.wagers.join(", ");
            let is_raised = |offering: &Offering| is_named_by(ask, offering) && offering.modifier.is_some();
            if chosen.is_empty() {
                remarks.push(format!("{}: no {named}{on} [{}]", book.id, book.listed.cites));
            } else if ask.selected.is_some() && !offerings.iter().any(is_raised) {
                remarks.push(format!("{}: no raised price of {named}{on}", book.id));
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
    Ok(Priced { rows, remarks })
}

/// Is the wager meant by a name: its slug, a stem of it, or odds with their number?
fn is_named(wager: &Wager, name: &str) -> bool {
    let stem = |slug: &str| {
        slug.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    };
    wager.slug == name || stem(wager.slug) || wager_with_number(wager, name).is_some()
}

/// The number of `pass-odds-4`.
fn wager_with_number<'a>(wager: &Wager, name: &'a str) -> Option<&'a str> {
    let number = name.strip_prefix(wager.slug)?.strip_prefix('-')?;
    (matches!(wager.mechanic, Mechanic::Behind(..)) && number.parse::<craps_dice::Point>().is_ok()).then_some(number)
}

fn is_asked(ask: &Ask, offering: &Offering) -> bool {
    let fits_odds = ask.with_odds.is_none() || behind(offering.wager).is_some();
    let fits_selection = ask.selected.is_none() || offering.modifier.is_none();
    is_named_by(ask, offering) && fits_odds && fits_selection
}

fn is_named_by(ask: &Ask, offering: &Offering) -> bool {
    let wager = offering.wager.wager();
    ask.wagers.is_empty()
        || ask.wagers.iter().any(|name| match wager_with_number(wager, name) {
            Some(_) => offering.name() == *name,
            None => is_named(wager, name),
        })
}

/// The odds wager that stands behind a line, come or put bet.
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
    ask: &Ask,
) -> Option<Row<'a>> {
    let row = |result| Some(Row { book, offering: offering.clone(), result });
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
            return row(Err(format!("{} chances for its {} levels", chances.len(), levels.len())));
        }
        let analysis = mix(solver, offering, &levels, chances);
        let mut offering = offering.clone();
        // What is raised rests on both prices, and holds while both do.
        for level in &levels {
            offering.days = offering.days.and(&level.days);
            let new: Vec<_> = level.cites.iter().filter(|cite| !offering.cites.0.contains(cite)).cloned().collect();
            offering.cites.0.extend(new);
        }
        offering.pay_table =
            format!("selected {}", chances.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        return Some(Row { book, offering, result: Ok(analysis) });
    }
    row(Ok(price(solver, offering)))
}

/// What to say of a multiple that no house of the book may allow; its price is shown all the same.
fn beyond_the_law(book: &RuleBook, offering: &Offering, ask: &Ask) -> Option<String> {
    let highest = ask.with_odds.as_ref()?.iter().map(|(_, times)| times).max()?;
    let law = book.wagers.get(&behind(offering.wager)?)?;
    let most = law.odds.as_ref()?.most.on(ask.as_of)?;
    match most.is {
        Most::Times(limit) if highest > limit => {
            Some(format!("{}: odds of at most {limit}x may be allowed, not {highest}x [{}]", book.id, most.cites))
        }
        _ => None,
    }
}

/// A refusal with the rule that makes it one.
fn cited(book: &RuleBook, refused: &Refused) -> String {
    let cites =
        book.choice_for("rounding").map_or_else(|| book.listed.cites.to_string(), |fact| fact.cites.to_string());
    format!("{refused} [{cites}]")
}

/// Why a wager with an amount rule of its own would not take the stake.
fn outside_its_amounts(book: &RuleBook, offering: &Offering, stake: Stake, ask: &Ask) -> Option<String> {
    let fact = book.wager(offering.wager)?.amount.on(ask.as_of)?;
    let (low, high) = fact.is.range?;
    let step = fact.is.step.and_then(|step| Stake::whole(step).ok());
    let inside = Stake::whole(low).is_ok_and(|low| low <= stake) && Stake::whole(high).is_ok_and(|high| stake <= high);
    let steps = step.is_none_or(|step| stake.is_multiple_of(step));
    let by = fact.is.step.map(|step| format!(" in steps of {step}")).unwrap_or_default();
    (!inside || !steps).then(|| format!("{stake} is not an amount it takes: {low} to {high}{by} [{}]", fact.cites))
}

/// The mixture of a wager's prices, each level with its chance.
fn mix(solver: &mut Solver, offering: &Offering, levels: &[Offering], chances: &[RBig]) -> Analysis {
    let rest = chances.iter().fold(RBig::ONE, |rest, chance| rest - chance);
    let mut parts = vec![(price(solver, offering), rest)];
    parts.extend(levels.iter().zip(chances).map(|(level, chance)| (price(solver, level), chance.clone())));
    Analysis::mixture(&parts)
}

/// How the book's tables round when the house leaves it open.
fn rounding(book: &RuleBook, chip: Stake, ask: &Ask) -> Rounding {
    let choice = book.choices.get("rounding").and_then(|dated| dated.on(ask.as_of));
    let rule = match choice.and_then(|fact| fact.is.value.as_ref()) {
        Some(Value::Rounding(rule)) => *rule,
        _ => RoundingRule::ExactOrRefuse,
    };
    Rounding { rule, whole_dollars: WholeDollars::Exact, chip }
}

/// The chance per throw at which a raised price makes an even game.
fn even_at(solver: &mut Solver, row: &Row<'_>) -> Option<RBig> {
    row.offering.modifier.as_ref()?;
    let standard = row
        .book
        .offerings(None)
        .into_iter()
        .find(|other| other.wager == row.offering.wager && other.modifier.is_none())?;
    break_even(&price(solver, &standard), row.result.as_ref().ok()?)
}

impl Row<'_> {
    /// The commission in words, `none` where there is none.
    #[must_use]
    pub fn commission(&self) -> String {
        self.offering.commission.map_or_else(|| "none".to_owned(), |commission| commission.to_string())
    }

    /// It as outside programs read it.
    #[must_use]
    pub fn record(&self, solver: &mut Solver, ask: &Ask) -> Record {
        let Row { book, offering, result } = self;
        let field = |of: fn(&Analysis) -> &RBig| result.as_ref().ok().map(|analysis| of(analysis).to_string());
        let Days { from, until } = offering.days;
        let on = ask.as_of.or(until.map(|_| book.sample_day)).filter(|day| offering.days.hold(Some(*day)));
        let name = book.wager(offering.wager).map(|law| law.name_on(on).to_owned()).unwrap_or_default();
        Record {
            book: book.id.clone(),
            wager: offering.name(),
            pay_table: offering.pay_table.clone(),
            commission: self.commission(),
            p_win: field(|a| &a.p_win),
            p_lose: field(|a| &a.p_lose),
            p_push: field(|a| &a.p_push),
            edge: field(|a| &a.edge),
            edge_resolved: field(|a| &a.edge_resolved),
            edge_per_throw: field(|a| &a.edge_per_throw),
            throws_mean: field(|a| &a.throws_mean),
            variance: field(|a| &a.variance),
            favours_player: result.as_ref().ok().map(Analysis::favours_player),
            cite: offering.cites.to_string(),
            name,
            from: from.map(|day| day.to_string()),
            until: until.map(|day| day.to_string()),
            stake: ask.stake.map(|staked| staked.amount.to_string()),
            with_odds: ask.with_odds.as_ref().map(ToString::to_string),
            break_even: even_at(solver, self).map(|chance| chance.to_string()),
            refused: result.as_ref().err().cloned(),
            distribution: result.iter().flat_map(|analysis| &analysis.distribution).map(outcome).collect(),
        }
    }
}

fn outcome(outcome: &crate::Outcome) -> Outcome {
    let more = if outcome.or_more { "+" } else { "" };
    Outcome { net: format!("{}{more}", outcome.net), p: outcome.p.to_string() }
}

const CSV_HEADER: &str = "book,wager,pay_table,commission,p_win,p_lose,p_push,edge,edge_resolved,edge_per_throw,throws_mean,variance,\
    favours_player,cite,edge_percent";

/// Records as comma-separated values, the first line their names.
#[must_use]
pub fn csv(solver: &mut Solver, rows: &[Row<'_>], ask: &Ask) -> String {
    let mut text = format!("{CSV_HEADER}\n");
    for row in rows {
        let record = row.record(solver, ask);
        let edge =
            row.result.as_ref().map(|analysis| decimal(&(&analysis.edge * RBig::from(100u8)), 6)).unwrap_or_default();
        let favours = record.favours_player.map(|yes| yes.to_string()).unwrap_or_default();
        let fields = [
            record.book,
            record.wager,
            record.pay_table,
            record.commission,
            record.p_win.unwrap_or_default(),
            record.p_lose.unwrap_or_default(),
            record.p_push.unwrap_or_default(),
            record.edge.unwrap_or_default(),
            record.edge_resolved.unwrap_or_default(),
            record.edge_per_throw.unwrap_or_default(),
            record.throws_mean.unwrap_or_default(),
            record.variance.unwrap_or_default(),
            favours,
            record.cite,
            edge,
        ];
        text.push_str(&fields.map(|field| csv_field(&field)).join(","));
        text.push('\n');
    }
    text
}

/// One field of a line of comma-separated values, quoted where it must be.
#[must_use]
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
