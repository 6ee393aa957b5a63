//! `boxperson odds`: the exact odds of every wager, pay table and commission.

use super::{books, unknown_wager};
use crate::failure::Failure;
use crate::figures::{decimal, exact, percent};
use crate::output::{self, Format};
use clap::ValueEnum;
use craps_law::{Day, Days, Library, Most, Multiple, Offering, RuleBook};
use craps_money::{Rounding, RoundingRule, Stake, WholeDollars};
use craps_odds::{Analysis, RBig, Solver, WithOdds, break_even, price, price_stake, with_odds};
use craps_wagers::{Front, Mechanic, Wager};
use serde::Serialize;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Arguments of `boxperson odds`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Wagers by id (`place-win-6`), by stem (`place-win`), odds also by number (`pass-odds-4`); all when none is named
    #[arg(value_name = "WAGER")]
    wagers: Vec<String>,
    /// A book, or several; all when none is named
    #[arg(long, value_name = "BOOK")]
    book: Vec<String>,
    /// Only what was in force on this day, such as 2023-10-01; everything the book ever held when not given
    #[arg(long, value_name = "DATE")]
    as_of: Option<Day>,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// In which order to print
    #[arg(long, value_enum, default_value = "book")]
    sort: Sort,
    /// Which edge the table shows
    #[arg(long, value_enum, default_value = "made")]
    per: Per,
    /// Price this stake as the table would pay and charge it, rounding included
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    stake: Option<Stake>,
    /// The lowest chip at the table, for --stake
    #[arg(long, value_name = "AMOUNT", default_value = "1", requires = "stake")]
    chip: Stake,
    /// Line, come and put bets with these odds behind them: 2x, 3-4-5x, 4:3,5:4,…
    #[arg(long, value_name = "MULTIPLE", value_parser = multiple, conflicts_with = "selected")]
    with_odds: Option<Multiple>,
    /// Raised prices chosen with these chances per throw, level 1 first: 1/10,1/20
    #[arg(long, value_name = "CHANCES", value_parser = chances, conflicts_with = "stake")]
    selected: Option<Chances>,
    /// Show fractions instead of percentages
    #[arg(long)]
    exact: bool,
    /// Show every net result of a wager with its probability
    #[arg(long)]
    distribution: bool,
}

const EXAMPLES: &str = "\
Examples:
  boxperson odds --book pa --sort edge              the cheapest bets first
  boxperson odds buy lay --book co --exact          both commissions, as fractions
  boxperson odds pass dont-pass --with-odds 3-4-5x  the line with odds behind it
  boxperson odds place-win-6 --book co --stake 7    Colorado rounds the payout up
  boxperson odds any-seven --book pa --selected 1/10,1/20
  boxperson odds --format json | jq '.[] | select(.favours_player)'

Edges: per bet made (of each unit staked, pushes counted), per bet resolved (pushes left out),
per throw on which the bet works. Commission comes on top of the stake. A wager that favours the
player is marked \"player\".";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// As the book lists them
    Book,
    /// By edge, cheapest first
    Edge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Per {
    /// Per bet made
    Made,
    /// Per bet resolved, pushes left out
    Resolved,
    /// Per throw
    Throw,
}

impl Per {
    fn of(self, analysis: &Analysis) -> &RBig {
        match self {
            Per::Made => &analysis.edge,
            Per::Resolved => &analysis.edge_resolved,
            Per::Throw => &analysis.edge_per_throw,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Per::Made => "per bet made (of each unit staked, pushes counted)",
            Per::Resolved => "per bet resolved (pushes left out)",
            Per::Throw => "per throw on which the bet works",
        }
    }
}

fn multiple(text: &str) -> Result<Multiple, String> {
    text.strip_suffix(['x', 'X'])
        .unwrap_or(text)
        .parse()
        .map_err(|_| "expected a multiple such as 2x, 3-4-5x or 4:3,5:4,6:5".to_owned())
}

/// Chances per level.
#[derive(Debug, Clone)]
struct Chances(Vec<RBig>);

fn chances(text: &str) -> Result<Chances, String> {
    let wrong = || "expected chances such as 1/10,1/20, together at most 1".to_owned();
    let one = |item: &str| {
        let (numerator, denominator) = item.trim().split_once('/').unwrap_or((item.trim(), "1"));
        let (numerator, denominator) =
            (numerator.parse::<u32>().ok()?, denominator.parse::<u32>().ok().filter(|d| *d > 0)?);
        Some(RBig::from(numerator) / RBig::from(denominator))
    };
    let all: Vec<RBig> = text.split(',').map(one).collect::<Option<_>>().ok_or_else(wrong)?;
    let sum = all.iter().fold(RBig::ZERO, |sum, chance| sum + chance);
    if sum <= RBig::ONE { Ok(Chances(all)) } else { Err(wrong()) }
}

/// One line of the result: what was priced, and what came of it.
struct Row<'a> {
    book: &'a RuleBook,
    offering: Offering,
    result: Result<Analysis, String>,
}

/// One record as outside programs read it.
#[derive(Serialize)]
struct Record {
    book: String,
    wager: String,
    pay_table: String,
    commission: String,
    p_win: Option<String>,
    p_lose: Option<String>,
    p_push: Option<String>,
    edge: Option<String>,
    edge_resolved: Option<String>,
    edge_per_throw: Option<String>,
    throws_mean: Option<String>,
    variance: Option<String>,
    favours_player: Option<bool>,
    cite: String,
    name: String,
    from: Option<String>,
    until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stake: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_odds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    break_even: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    distribution: Vec<Outcome>,
}

#[derive(Serialize)]
struct Outcome {
    net: String,
    p: String,
}

/// Runs the command.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let books = books(library, &args.book)?;
    for name in &args.wagers {
        if !craps_wagers::CATALOGUE.iter().any(|wager| is_named(wager, name)) {
            return Err(unknown_wager(name));
        }
        let has_odds = |wager: &&Wager| is_named(wager, name) && behind(wager).is_some();
        if args.with_odds.is_some() && !craps_wagers::CATALOGUE.iter().any(|wager| has_odds(&wager)) {
            return Err(Failure::Usage(format!(
                "nothing stands behind `{name}`: --with-odds is for line, come and put bets"
            )));
        }
    }
    let mut solver = Solver::default();
    let mut rows = Vec::new();
    for book in books {
        let offerings = book.offerings(args.as_of);
        if offerings.is_empty()
            && let (Some(day), Some(first)) = (args.as_of, &book.in_force)
        {
            output::remark(&format!(
                "{}: nothing in force on {day}; its first day is {} [{}]",
                book.id, first.from, first.cite
            ));
        }
        let chosen: Vec<&Offering> = offerings.iter().filter(|offering| is_asked(args, offering)).collect();
        if !args.wagers.is_empty() && !offerings.is_empty() {
            let on = args.as_of.map(|day| format!(" on {day}")).unwrap_or_default();
            let named = args.wagers.join(", ");
            let is_raised = |offering: &Offering| is_named_by(args, offering) && offering.modifier.is_some();
            if chosen.is_empty() {
                output::remark(&format!("{}: no {named}{on} [{}]", book.id, book.listed.cites));
            } else if args.selected.is_some() && !offerings.iter().any(is_raised) {
                output::remark(&format!("{}: no raised price of {named}{on}", book.id));
            }
        }
        let mut told = BTreeSet::new();
        for offering in chosen {
            if let Some(remark) = beyond_the_law(book, offering, args)
                && told.insert(remark.clone())
            {
                output::remark(&remark);
            }
            rows.extend(price_row(&mut solver, book, offering, &offerings, args));
        }
    }
    if args.sort == Sort::Edge {
        rows.sort_by(|a, b| {
            let edge = |row: &Row<'_>| row.result.as_ref().ok().map(|analysis| args.per.of(analysis).clone());
            edge(a).is_none().cmp(&edge(b).is_none()).then_with(|| edge(a).cmp(&edge(b)))
        });
    }
    match args.format {
        Format::Json => output::write_json(&rows.iter().map(|row| record(&mut solver, row, args)).collect::<Vec<_>>()),
        Format::Csv => output::write(&csv(&mut solver, &rows, args)),
        Format::Table => output::write(&table(&rows, args)),
    }
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

fn is_asked(args: &Args, offering: &Offering) -> bool {
    let fits_odds = args.with_odds.is_none() || behind(offering.wager.wager()).is_some();
    let fits_selection = args.selected.is_none() || offering.modifier.is_none();
    is_named_by(args, offering) && fits_odds && fits_selection
}

fn is_named_by(args: &Args, offering: &Offering) -> bool {
    let wager = offering.wager.wager();
    args.wagers.is_empty()
        || args.wagers.iter().any(|name| match wager_with_number(wager, name) {
            Some(_) => offering.name() == *name,
            None => is_named(wager, name),
        })
}

/// The odds wager that stands behind a line, come or put bet.
fn behind(front: &Wager) -> Option<&'static Wager> {
    let slug = front.slug;
    craps_wagers::CATALOGUE.iter().find(|wager| match wager.mechanic {
        Mechanic::Behind(_, Front::Line(front)) => front == slug,
        Mechanic::Behind(_, Front::Number(stem)) => {
            slug.strip_prefix(stem).is_some_and(|rest| rest.starts_with('-') && rest[1..].parse::<u8>().is_ok())
        }
        _ => false,
    })
}

fn price_row<'a>(
    solver: &mut Solver,
    book: &'a RuleBook,
    offering: &Offering,
    all: &[Offering],
    args: &Args,
) -> Option<Row<'a>> {
    let rounding = rounding(book, args);
    let row = |result| Some(Row { book, offering: offering.clone(), result });
    if let Some(multiple) = &args.with_odds {
        let behind = behind(offering.wager.wager())?;
        let law = book.wagers.values().find(|law| law.wager.wager().slug == behind.slug)?;
        let odds = all.iter().find(|odds| odds.wager == law.wager)?;
        let rules = book.odds_rules(law, multiple.clone(), args.as_of)?;
        let real = args.stake.map(|stake| (stake, &rounding));
        let pair = WithOdds { rules: &rules, prizes: &odds.prizes };
        return row(with_odds(solver, offering, &pair, real).map_err(|refused| cited(book, &refused)));
    }
    if let Some(stake) = args.stake {
        if let Some(refused) = outside_its_amounts(book, offering, stake, args) {
            return row(Err(refused));
        }
        return row(price_stake(solver, offering, stake, &rounding).map_err(|refused| cited(book, &refused)));
    }
    if let Some(Chances(chances)) = &args.selected {
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
fn beyond_the_law(book: &RuleBook, offering: &Offering, args: &Args) -> Option<String> {
    let highest = args.with_odds.as_ref()?.iter().map(|(_, times)| times).max()?;
    let slug = behind(offering.wager.wager())?.slug;
    let law = book.wagers.values().find(|law| law.wager.wager().slug == slug)?;
    let most = law.odds.as_ref()?.most.on(args.as_of)?;
    match most.is {
        Most::Times(limit) if highest > limit => {
            Some(format!("{}: odds of at most {limit}x may be allowed, not {highest}x [{}]", book.id, most.cites))
        }
        _ => None,
    }
}

/// A refusal with the rule that makes it one.
fn cited(book: &RuleBook, refused: &craps_odds::Refused) -> String {
    let cites =
        book.choice_for("rounding").map_or_else(|| book.listed.cites.to_string(), |fact| fact.cites.to_string());
    format!("{refused} [{cites}]")
}

/// Why a wager with an amount rule of its own would not take the stake.
fn outside_its_amounts(book: &RuleBook, offering: &Offering, stake: Stake, args: &Args) -> Option<String> {
    let fact = book.wager(offering.wager)?.amount.on(args.as_of)?;
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
fn rounding(book: &RuleBook, args: &Args) -> Rounding {
    let default =
        book.choices.get("rounding").and_then(|dated| dated.on(args.as_of)).map(|fact| fact.is.default.as_str());
    let rule = if default == Some("up") { RoundingRule::Up } else { RoundingRule::ExactOrRefuse };
    Rounding { rule, whole_dollars: WholeDollars::Exact, chip: args.chip }
}

fn commission(offering: &Offering) -> String {
    offering.commission.map_or_else(|| "none".to_owned(), |commission| commission.to_string())
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

fn record(solver: &mut Solver, row: &Row<'_>, args: &Args) -> Record {
    let Row { book, offering, result } = row;
    let field = |of: fn(&Analysis) -> &RBig| result.as_ref().ok().map(|analysis| of(analysis).to_string());
    let Days { from, until } = offering.days;
    let on = args.as_of.or(until.map(|_| book.sample_day)).filter(|day| offering.days.hold(Some(*day)));
    let name = book.wager(offering.wager).map(|law| law.name_on(on).to_owned()).unwrap_or_default();
    Record {
        book: book.id.clone(),
        wager: offering.name(),
        pay_table: offering.pay_table.clone(),
        commission: commission(offering),
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
        stake: args.stake.map(|stake| stake.to_string()),
        with_odds: args.with_odds.as_ref().map(ToString::to_string),
        break_even: even_at(solver, row).map(|chance| chance.to_string()),
        refused: result.as_ref().err().cloned(),
        distribution: result.iter().flat_map(|analysis| &analysis.distribution).map(outcome).collect(),
    }
}

fn outcome(outcome: &craps_odds::Outcome) -> Outcome {
    let more = if outcome.or_more { "+" } else { "" };
    Outcome { net: format!("{}{more}", outcome.net), p: outcome.p.to_string() }
}

const CSV_HEADER: &str = "book,wager,pay_table,commission,p_win,p_lose,p_push,edge,edge_resolved,edge_per_throw,throws_mean,variance,\
    favours_player,cite,edge_percent";

fn csv(solver: &mut Solver, rows: &[Row<'_>], args: &Args) -> String {
    let mut text = format!("{CSV_HEADER}\n");
    for row in rows {
        let record = record(solver, row, args);
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
        text.push_str(&fields.map(|field| output::csv_field(&field)).join(","));
        text.push('\n');
    }
    text
}

fn table(rows: &[Row<'_>], args: &Args) -> String {
    let mut text = String::new();
    let single_book = rows.iter().all(|row| row.book.id == rows[0].book.id);
    let with_book = args.sort == Sort::Edge && !single_book;
    let mut at = 0;
    while at < rows.len() {
        let book = rows[at].book;
        let end = if with_book {
            rows.len()
        } else {
            rows[at..].iter().position(|row| row.book.id != book.id).map_or(rows.len(), |n| at + n)
        };
        if !with_book {
            text.push_str(&output::wrap(
                &format!("{} ({}), {}", book.name, book.id, book.text),
                "",
                usize::from(output::WIDTH),
            ));
        }
        let mut header = vec!["wager", "terms"];
        if with_book {
            header.insert(0, "book");
        }
        let numbers = header.len();
        header.extend(["wins", "pushes", "edge", "throws"]);
        let lines = rows[at..end].iter().map(|row| line(row, args, with_book)).collect();
        text.push_str(&output::table(&header, &[numbers, numbers + 1, numbers + 2, numbers + 3], lines));
        for row in &rows[at..end] {
            if let Err(refused) = &row.result {
                text.push_str(&output::wrap(
                    &format!("{}: {refused}", row.offering.name()),
                    "  ",
                    usize::from(output::WIDTH),
                ));
            }
        }
        if args.distribution {
            text.push_str(&distributions(&rows[at..end]));
        }
        text.push('\n');
        at = end;
    }
    if rows.is_empty() {
        return "nothing to price\n".to_owned();
    }
    let mut notes = format!("Edge {}", args.per.words());
    match (&args.with_odds, args.stake) {
        (Some(_), _) => notes.push_str("; unit: flat bet plus expected odds."),
        (None, Some(stake)) => notes.push_str(&format!("; a stake of {stake} in chips of {}.", args.chip)),
        (None, None) => notes.push_str("; commission comes on top of the stake."),
    }
    if rows.iter().any(|row| row.result.as_ref().is_ok_and(Analysis::favours_player)) {
        notes.push_str(" \"player\" marks a wager that favours the player.");
    }
    text + &output::wrap(&notes, "", usize::from(output::WIDTH))
}

/// The pay table and the commission; hardly a wager has both.
fn terms(offering: &Offering) -> String {
    let commission = offering.commission.as_ref().map(output::commission).unwrap_or_default();
    let both = [output::pay_table(&offering.pay_table), commission];
    both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

fn line(row: &Row<'_>, args: &Args, with_book: bool) -> Vec<String> {
    let mut cells = vec![row.offering.name(), terms(&row.offering)];
    if with_book {
        cells.insert(0, row.book.id.clone());
    }
    match &row.result {
        Err(_) => cells.extend(["refused".to_owned(), String::new(), String::new(), String::new()]),
        Ok(analysis) => {
            let show = |value: &RBig| if args.exact { exact(value, 24) } else { percent(value, 3) };
            let edge = args.per.of(analysis);
            let edge = if analysis.favours_player() { format!("player {}", show(&-edge.clone())) } else { show(edge) };
            let throws = if args.exact { exact(&analysis.throws_mean, 16) } else { decimal(&analysis.throws_mean, 2) };
            let pushes = if analysis.p_push == RBig::ZERO { String::new() } else { show(&analysis.p_push) };
            cells.extend([show(&analysis.p_win), pushes, edge, throws]);
        }
    }
    cells
}

fn distributions(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        let Ok(analysis) = &row.result else { continue };
        text.push_str(&format!("{} {} {}\n", row.offering.name(), row.offering.pay_table, commission(&row.offering)));
        let line = |outcome: &craps_odds::Outcome| {
            let more = if outcome.or_more { " or more" } else { "" };
            vec![format!("{}{more}", exact(&outcome.net, 24)), percent(&outcome.p, 6), exact(&outcome.p, 50)]
        };
        text.push_str(&output::table(
            &["net per unit", "probability", "exactly"],
            &[0, 1],
            analysis.distribution.iter().map(line).collect(),
        ));
    }
    text
}
