//! `boxperson sim`: what a strategy wins and costs at a table, solved exactly or simulated in many sessions.

mod files;
mod progress;
mod seated;

use crate::failure::Failure;
use crate::output;
use clap::ValueEnum;
use craps_law::{Day, Library};
use craps_money::{Money, Stake};
use craps_sim::language::Program;
use craps_sim::report::{self, Setting, Versus};
use craps_sim::seated::Seated;
use craps_sim::shipped::Shipped;
use craps_sim::{Answer, Choice, NotRun, Request};
use progress::Progress;
use seated::NotSeated;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson sim`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Name of a built-in strategy, or a strategy file; `-` reads standard input
    #[arg(required_unless_present = "list")]
    strategy: Option<String>,
    /// List the built-in strategies
    #[arg(long)]
    list: bool,
    /// Play under this book, at a table that offers all the bets it allows [default: the strategy's own book, or the first book]
    #[arg(long, conflicts_with = "house")]
    book: Option<String>,
    /// Play at the table of this house file
    #[arg(long, value_name = "HOUSE.toml")]
    house: Option<PathBuf>,
    /// Day of the rules, with --book [default: the book's sample day]
    #[arg(long, value_name = "DATE", conflicts_with = "house")]
    as_of: Option<Day>,
    /// Number of sessions, such as 10000 or 1e9
    #[arg(long, value_name = "N", default_value = "10000", value_parser = whole)]
    sessions: u64,
    /// Maximum number of rolls in a session
    #[arg(long, value_name = "T", default_value = "100", value_parser = throws)]
    throws: u32,
    /// Stop at this loss, as a net result such as -300, or none [default: from the strategy]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true, value_parser = limit)]
    stop: Option<Limit>,
    /// Stop at this win, as a net result such as 300, or none [default: from the strategy]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true, value_parser = limit)]
    goal: Option<Limit>,
    /// Buy-in of the player [default: from the strategy]
    #[arg(long, value_name = "AMOUNT", value_parser = above_zero)]
    buy_in: Option<Stake>,
    /// Value of one unit [default: from the strategy]
    #[arg(long, value_name = "AMOUNT", value_parser = above_zero)]
    unit: Option<Stake>,
    /// Seed of the dice; the same seed gives the same sessions on every machine [default: random, and printed]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How to compute the answer
    #[arg(long, value_enum, default_value = "auto")]
    form: FormArg,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Rolls per hour, for the loss per hour
    #[arg(long, value_name = "THROWS", default_value_t = craps_sim::answer::PACE, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pace: u32,
    /// End with exit code 1 if the house refuses a bet
    #[arg(long)]
    strict: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: FormatArg,
    /// Write an HTML page with all charts and figures
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Write the charts as one SVG drawing
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,
    /// Write one line per session, or for an exact answer every net result with its probability
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,
    /// Write this session as a game file; the first session is 0
    #[arg(long, value_name = "I", requires = "cgn")]
    session: Option<u64>,
    /// File for --session
    #[arg(long, value_name = "OUT.cgn", requires = "session")]
    cgn: Option<PathBuf>,
    /// Play another strategy on the same dice and compare
    #[arg(long, value_name = "STRATEGY")]
    versus: Option<String>,
    /// Play under another book on the same dice and compare
    #[arg(long, value_name = "BOOK")]
    versus_book: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  boxperson sim --list                                    the built-in strategies
  boxperson sim pass --book nj                            the exact answer, or else 10,000 sessions of 100 rolls
  boxperson sim press --book nj --throws 500 --form exact --buy-in 10000
  boxperson sim mine.strategy --house houses/co-craps.toml --sessions 1e6 --seed 7 --report mine.html
  boxperson sim molly --book pa --session 3 --cgn third.cgn --seed 7   and `boxperson check third.cgn`
  boxperson sim molly --book pa --versus pass             the same dice for both
  boxperson sim field --book pa --versus-book co --format json

Results are net of the buy-in; open bets count at face value. Ctrl-C stops and prints the result so
far. The exit code is 1 if the house is unlawful, or if it refuses a bet and --strict is given.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// The best available: exact, or else tabulated, or else the engine
    Auto,
    /// Simulate roll by roll with the code that settles real games
    Engine,
    /// Simulate on a table of all positions that the strategy can reach
    Tabulated,
    /// Solve that table exactly
    Exact,
}

impl From<FormArg> for Choice {
    fn from(form: FormArg) -> Choice {
        match form {
            FormArg::Auto => Choice::Auto,
            FormArg::Engine => Choice::Engine,
            FormArg::Tabulated => Choice::Tabulated,
            FormArg::Exact => Choice::Exact,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Readable summary
    Table,
    /// One JSON document
    Json,
}

/// A net result at which a session ends. None means there is no such limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit(Option<Money>);

fn limit(text: &str) -> Result<Limit, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let (below, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let money: Money = digits.parse().map_err(|_| "expected an amount such as -300 or 300, or none".to_owned())?;
    Ok(Limit(Some(if below { Money::from_minor(-money.minor()) } else { money })))
}

fn above_zero(text: &str) -> Result<Stake, String> {
    text.parse().map_err(|_| "expected an amount above zero, such as 500".to_owned())
}

/// Reads a whole number above zero, written as 10000, 10_000, 10,000 or 1e4.
fn whole(text: &str) -> Result<u64, String> {
    let wrong = || "expected a whole number above zero, such as 10000 or 1e9".to_owned();
    let plain = text.replace([',', '_'], "");
    let (digits, power) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let scale = power.parse().ok().and_then(|power| 10u64.checked_pow(power)).ok_or_else(wrong)?;
    let number = digits.parse::<u64>().ok().and_then(|digits| digits.checked_mul(scale)).ok_or_else(wrong)?;
    if number == 0 { Err(wrong()) } else { Ok(number) }
}

fn throws(text: &str) -> Result<u32, String> {
    /// About a year of play, day and night.
    const MOST: u32 = 1_000_000;
    let number = whole(text)?;
    u32::try_from(number)
        .ok()
        .filter(|throws| *throws <= MOST)
        .ok_or_else(|| format!("expected at most {MOST} rolls in a session"))
}

/// Runs the command.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let Some(strategy) = args.strategy.as_deref().filter(|_| !args.list) else {
        return list();
    };
    let seed = match args.seed {
        Some(seed) => seed,
        None => drawn()?,
    };
    let source = seated::text(strategy)?;
    let one = match seated::seated(library, &source, args.book.as_deref(), args) {
        Ok(one) => one,
        Err(not_seated) => return not_seated.end(),
    };
    if args.versus.is_none() && args.versus_book.is_none() {
        return alone(library, &one, seed, args);
    }
    let other = args.versus.as_deref().map_or(Ok(source), seated::text)?;
    let book = args.versus_book.as_deref().or(args.book.as_deref()).or(Some(one.house.book.as_str()));
    match seated::seated(library, &other, book, args) {
        Ok(other) => versus(library, &one, &other, seed, args),
        Err(not_seated) => not_seated.end(),
    }
}

/// Lists the built-in strategies, one per line.
fn list() -> Result<ExitCode, Failure> {
    let row = |shipped: Shipped| {
        let script =
            shipped.script().map_err(|mistakes| seated::mistaken(&mistakes, &shipped.source(), shipped.text))?;
        let first = script.about.split_inclusive(['.', ';']).next().unwrap_or_default();
        let book = script.book.map(|book| format!(" [{book}]")).unwrap_or_default();
        Ok(vec![shipped.name.to_owned(), format!("{}{book}", script.name), first.trim_end_matches(';').to_owned()])
    };
    let rows = Shipped::all().map(row).collect::<Result<Vec<_>, Failure>>()?;
    output::write(&output::table(&["name", "strategy", "how to play it"], &[], rows))
}

fn drawn() -> Result<u64, Failure> {
    use rand::TryRng as _;
    /// Keeps the seed short enough to type.
    const MOST: u64 = 1_000_000_000;
    let drawn = rand::rngs::SysRng.try_next_u64();
    drawn
        .map(|seed| seed % MOST)
        .map_err(|_| Failure::Usage("this system provides no random numbers: give a seed with --seed".to_owned()))
}

fn request<'a>(seated: &'a Seated, seed: u64, args: &Args) -> Request<'a, Program> {
    let threads = args.threads.map(usize::from).or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    Request {
        rules: &seated.rules,
        strategy: &seated.program,
        plan: seated.plan,
        sessions: args.sessions,
        seed,
        threads: threads.unwrap_or(1),
        choice: args.form.into(),
        strict: args.strict,
    }
}

/// Reports why a run failed: exit code 1 for a refused bet, an error for everything else.
fn not_run(error: &NotRun) -> Result<ExitCode, Failure> {
    match error {
        NotRun::Refused(refused) => {
            output::remark(&format!("--strict: the house refuses {refused}"));
            Ok(ExitCode::FAILURE)
        }
        other => Err(Failure::Usage(other.to_string())),
    }
}

fn alone(library: &Library, seated: &Seated, seed: u64, args: &Args) -> Result<ExitCode, Failure> {
    let progress = Progress::new(args.sessions)?;
    let answer = craps_sim::run(&request(seated, seed, args), &progress);
    progress.done();
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return not_run(&error),
    };
    let setting = seated.setting(&answer, seated::again(seed, args), args.pace);
    files::write(args, seated, &answer, &setting, None, &progress)?;
    files::write_session(library, args, seated, seed)?;
    match args.format {
        FormatArg::Json => output::write_json(&report::view(&answer, &setting)),
        FormatArg::Table => output::write(&report::summary(&answer, &setting)),
    }
}

fn versus(library: &Library, one: &Seated, other: &Seated, seed: u64, args: &Args) -> Result<ExitCode, Failure> {
    let progress = Progress::new(args.sessions.saturating_mul(3))?;
    let duel = craps_sim::duel(&request(one, seed, args), &request(other, seed, args), &progress);
    progress.done();
    let duel = match duel {
        Ok(duel) => duel,
        Err(error) => return not_run(&error),
    };
    let setting =
        |seated: &Seated, answer: &Answer| -> Setting { seated.setting(answer, seated::again(seed, args), args.pace) };
    let (first, second) = (setting(one, &duel.one), setting(other, &duel.other));
    let both = Versus { one: (&duel.one, &first), other: (&duel.other, &second), difference: duel.difference };
    files::write(args, one, &duel.one, &first, Some(&both), &progress)?;
    files::write_session(library, args, one, seed)?;
    match args.format {
        FormatArg::Json => output::write_json(&report::duel_view(&both)),
        FormatArg::Table => {
            output::write(&format!("{}\n{}", report::summary(&duel.one, &first), report::versus(&both)))
        }
    }
}

impl NotSeated {
    /// Ends the program: exit code 1 and a list of problems for an unlawful house, otherwise the error.
    fn end(self) -> Result<ExitCode, Failure> {
        match self {
            NotSeated::Failed(failure) => Err(failure),
            NotSeated::Unlawful(problems) => {
                output::remark("this house is unlawful:");
                problems.iter().for_each(|problem| output::remark(&format!("  {problem}")));
                Ok(ExitCode::FAILURE)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_written_in_several_ways() {
        for text in ["10000", "10,000", "10_000", "1e4", "10E3"] {
            assert_eq!(whole(text), Ok(10_000), "{text}");
        }
        for text in ["0", "-1", "1.5", "e4", "1e40", "", "ten"] {
            assert!(whole(text).is_err(), "{text}");
        }
        assert_eq!(whole("1e12"), Ok(1_000_000_000_000));
        assert!(throws("1e7").is_err());
    }

    #[test]
    fn limits_have_a_sign() {
        let money = |minor| Ok(Limit(Some(Money::from_minor(minor))));
        assert_eq!(limit("-300"), money(-30_000));
        assert_eq!(limit("+300"), money(30_000));
        assert_eq!(limit("12.50"), money(1_250));
        assert_eq!(limit("none"), Ok(Limit(None)));
        assert!(limit("--3").is_err() && limit("lots").is_err());
    }
}
