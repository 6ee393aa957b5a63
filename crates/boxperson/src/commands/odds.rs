//! `boxperson odds`: exact odds of every wager, pay table and commission.

use super::unknown_wager;
use crate::failure::Failure;
use crate::output::{self, Format};
use clap::ValueEnum;
use craps_explain::odds::{NotPriced, OddsAsk, OddsRow, PricedOdds, Staked, chances, multiple, priced};
use craps_explain::record::csv;
use craps_law::{Day, Library, Multiple, Offering};
use craps_money::Stake;
use craps_odds::figures::{decimal, exact_or_digits, percent};
use craps_odds::{Analysis, RBig, Solver};
use std::process::ExitCode;

/// Arguments of `boxperson odds`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Wagers by id (`place-win-6`) or by id without the number (`place-win`); odds also with a number (`pass-odds-4`) [default: all]
    #[arg(value_name = "WAGER")]
    wagers: Vec<String>,
    /// Book to show; can be repeated [default: all]
    #[arg(long, value_name = "BOOK")]
    book: Vec<String>,
    /// Only rules in force on this day, such as 2023-10-01 [default: all rules the book ever had]
    #[arg(long, value_name = "DATE")]
    as_of: Option<Day>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Order of the rows
    #[arg(long, value_enum, default_value = "book")]
    sort: Sort,
    /// Which edge the table shows
    #[arg(long, value_enum, default_value = "made")]
    per: Per,
    /// Compute the odds of a bet of this amount, with the payout rounding and commission of the table
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    stake: Option<Stake>,
    /// Lowest chip at the table, for --stake
    #[arg(long, value_name = "AMOUNT", default_value = "1", requires = "stake")]
    chip: Stake,
    /// Compute line, come and put bets with these odds behind them: 2x, 3-4-5x, 4:3,5:4,…
    #[arg(long, value_name = "MULTIPLE", value_parser = multiple, conflicts_with = "selected")]
    with_odds: Option<Multiple>,
    /// Chances per roll that a draw raises the price, level 1 first: 1/10,1/20
    #[arg(long, value_name = "CHANCES", value_parser = |text: &str| chances(text).map(Chances), conflicts_with = "stake")]
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

The edge is the average loss as a share of the bet: per bet made (pushes counted), per bet resolved
(pushes left out), or per roll on which the bet works. Commission is paid on top of the bet. A wager
that favors the player is marked \"player\".";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Order of the book
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
    /// Per roll on which the bet works
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
            Per::Made => "per bet made (share of the bet, pushes counted)",
            Per::Resolved => "per bet resolved (pushes left out)",
            Per::Throw => "per roll on which the bet works",
        }
    }
}

/// Chances per level. A type of its own, because clap would read a `Vec` as a repeated argument.
#[derive(Debug, Clone)]
struct Chances(Vec<RBig>);

/// Runs the command.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let ask = OddsAsk {
        wagers: args.wagers.clone(),
        books: args.book.clone(),
        as_of: args.as_of,
        stake: args.stake.map(|amount| Staked { amount, chip: args.chip }),
        with_odds: args.with_odds.clone(),
        selected: args.selected.clone().map(|Chances(chances)| chances),
    };
    let mut solver = Solver::default();
    let PricedOdds { mut rows, remarks } = priced(&mut solver, library, &ask).map_err(|error| match error {
        NotPriced::Wager(unknown) => unknown_wager(&unknown),
        NotPriced::NothingBehind(name) => {
            Failure::Usage(format!("`{name}` takes no odds: --with-odds is for line, come and put bets"))
        }
        NotPriced::Book(unknown) => Failure::Usage(unknown.to_string()),
    })?;
    remarks.iter().for_each(|remark| output::remark(remark));
    if args.sort == Sort::Edge {
        rows.sort_by(|a, b| {
            let edge = |row: &OddsRow<'_>| row.result.as_ref().ok().map(|analysis| args.per.of(analysis).clone());
            edge(a).is_none().cmp(&edge(b).is_none()).then_with(|| edge(a).cmp(&edge(b)))
        });
    }
    match args.format {
        Format::Json => output::write_json(&rows.iter().map(|row| row.record(&mut solver, &ask)).collect::<Vec<_>>()),
        Format::Csv => output::write(&csv(&mut solver, &rows, &ask)),
        Format::Table => output::write(&table(&rows, args)),
    }
}

fn table(rows: &[OddsRow<'_>], args: &Args) -> String {
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
        header.extend(["wins", "pushes", "edge", "rolls"]);
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
        return "No bets to price.\n".to_owned();
    }
    let mut notes = format!("Edge {}", args.per.words());
    match (&args.with_odds, args.stake) {
        (Some(_), _) => notes.push_str("; the bet is the flat bet plus the average odds behind it."),
        (None, Some(stake)) => notes.push_str(&format!("; a bet of {stake}, lowest chip {}.", args.chip)),
        (None, None) => notes.push_str("; commission is paid on top of the bet."),
    }
    if rows.iter().any(|row| row.result.as_ref().is_ok_and(Analysis::favours_player)) {
        notes.push_str(" \"player\" marks a wager that favors the player.");
    }
    text + &output::wrap(&notes, "", usize::from(output::WIDTH))
}

/// Describes the pay table and the commission of an offering. Few wagers have both.
fn terms(offering: &Offering) -> String {
    let commission = offering.commission.as_ref().map(output::commission).unwrap_or_default();
    let both = [output::pay_table(&offering.pay_table), commission];
    both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

fn line(row: &OddsRow<'_>, args: &Args, with_book: bool) -> Vec<String> {
    let mut cells = vec![row.offering.name(), terms(&row.offering)];
    if with_book {
        cells.insert(0, row.book.id.clone());
    }
    match &row.result {
        Err(_) => cells.extend(["refused".to_owned(), String::new(), String::new(), String::new()]),
        Ok(analysis) => {
            let show = |value: &RBig| if args.exact { exact_or_digits(value, 24) } else { percent(value, 3) };
            let edge = args.per.of(analysis);
            let edge = if analysis.favours_player() { format!("player {}", show(&-edge.clone())) } else { show(edge) };
            let throws =
                if args.exact { exact_or_digits(&analysis.throws_mean, 16) } else { decimal(&analysis.throws_mean, 2) };
            let pushes = if analysis.p_push == RBig::ZERO { String::new() } else { show(&analysis.p_push) };
            cells.extend([show(&analysis.p_win), pushes, edge, throws]);
        }
    }
    cells
}

fn distributions(rows: &[OddsRow<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        let Ok(analysis) = &row.result else { continue };
        text.push_str(&format!("{} {} {}\n", row.offering.name(), row.offering.pay_table, row.commission()));
        let line = |outcome: &craps_odds::Outcome| {
            let more = if outcome.or_more { " or more" } else { "" };
            vec![
                format!("{}{more}", exact_or_digits(&outcome.net, 24)),
                percent(&outcome.p, 6),
                exact_or_digits(&outcome.p, 50),
            ]
        };
        text.push_str(&output::table(
            &["net per unit", "probability", "exact"],
            &[0, 1],
            analysis.distribution.iter().map(line).collect(),
        ));
    }
    text
}
