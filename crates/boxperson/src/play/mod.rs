//! `boxperson play`: a practice table in the terminal for one to eight players. The program is the crew.

pub(crate) mod answers;
mod coach;
mod dice;
mod file;
pub(crate) mod house;
mod plain;
pub(crate) mod rail;
mod screen;

use crate::failure::Failure;
use clap::ValueEnum;
use craps_law::{HouseRules, Library};
use craps_money::Money;
use craps_notation::{Calls, NoHouseFile, NotResumed, RulesTag, Session, Unplayable, no_house_files};
use dice::DiceSource;
use file::GameFile;
use rail::{Rail, Ways};
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson play`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Continue the last practice game
    #[arg(long, conflicts_with_all = ["file", "house", "players", "buy_in", "seed"])]
    resume: bool,
    /// Read and print lines instead of showing a screen; this is the default without a terminal
    #[arg(long)]
    plain: bool,
    /// How the stickperson calls the rolls
    #[arg(long, value_enum, default_value = "plain")]
    calls: CallsArg,
    /// Before a bet is made, show what it costs and the cheapest bet with the same action
    #[arg(long)]
    coach: bool,
}

/// Arguments that `play` and `bot` share: the table and the players.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// House file, or the id of a book for a table with everything it allows and limits of 5 and 5000 [default: the first book]
    #[arg(long, value_name = "HOUSE")]
    pub(crate) house: Option<String>,
    /// Name of a player; repeat it for up to eight players, in seat order
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// Buy-in of each player
    #[arg(long, value_name = "AMOUNT", default_value = "500")]
    buy_in: Money,
    /// Seed for the dice; the same seed gives the same rolls [default: random dice]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Keep the game in this file; if the file exists, continue its game
    #[arg(long, value_name = "GAME.cgn")]
    pub(crate) file: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  boxperson play                                     sit down at a practice table
  boxperson play --house nj --player Ann --player Bo two players under another book
  boxperson play --house houses/co-craps.toml --coach
  boxperson play --file tonight.cgn                  keep the game and continue it later
  printf 'pass 10\\nroll\\n' | boxperson play --plain --seed 7

Type `help` at the table to learn how to play a first hand.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CallsArg {
    /// Plain calls
    Plain,
    /// Traditional stick calls
    #[value(alias = "colourful")]
    Colorful,
    /// No calls
    Silent,
}

impl From<CallsArg> for Calls {
    fn from(calls: CallsArg) -> Calls {
        match calls {
            CallsArg::Plain => Calls::Plain,
            CallsArg::Colorful => Calls::Colorful,
            CallsArg::Silent => Calls::Silent,
        }
    }
}

/// Runs `play`.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let screen = terminal && !args.plain;
    let ways = Ways { calls: args.calls.into(), coach: args.coach, asks: std::io::stdin().is_terminal() };
    let usual = if args.resume || screen { GameFile::usual() } else { None };
    let rail = match usual {
        Some(file) if args.resume && !file.path().exists() => {
            let path = file.path().display();
            return Err(Failure::Usage(format!(
                "no game to continue: {path} doesn't exist; `boxperson play` starts a new game"
            )));
        }
        Some(file) if args.resume => Rail::new(library, resumed(library, &file)?, ways, Some(file)),
        usual => {
            let rail = sit_down(library, &args.game, ways, usual.clone())?;
            if let Some(last) = usual.filter(|_| args.game.file.is_none()) {
                last.set_aside()?;
            }
            rail
        }
    };
    rail.save()?;
    if screen { screen::run(rail) } else { plain::run(rail) }
}

/// Continues the game in `--file` if that file exists, or opens a new game. The game is kept in `--file`, or else in `usual`.
pub(crate) fn sit_down<'a>(
    library: &'a Library,
    args: &GameArgs,
    ways: Ways,
    usual: Option<GameFile>,
) -> Result<Rail<'a>, Failure> {
    let named = args.file.clone().map(GameFile::new);
    let session = match &named {
        Some(file) if file.path().exists() => resumed(library, file)?,
        _ => opened(library, args)?,
    };
    Ok(Rail::new(library, session, ways, named.or(usual)))
}

fn resumed(library: &Library, file: &GameFile) -> Result<Session, Failure> {
    let source = crate::library::read_text(file.path())?;
    let no_files = |name: &str| {
        let why = format!("to continue a game, its house must be written in full, not as file:{name}");
        Err(NoHouseFile(why))
    };
    let at = |place: craps_notation::Place, message: String| {
        Failure::Usage(format!("{}:{}:{}: {message}", source.path, place.line, place.column))
    };
    Session::resume(library, &source.text, &no_files).map_err(|error| match error {
        NotResumed::Malformed(error) => at(error.place, error.message),
        NotResumed::Unplayable(unplayable) => unplayed(&source.path, unplayable),
        NotResumed::Differs(place, expected, found) => at(place, format!("expected {expected}, found {found}")),
    })
}

fn unplayed(path: &str, unplayable: Unplayable) -> Failure {
    match unplayable {
        Unplayable::Malformed(place, message) => {
            Failure::Usage(format!("{path}:{}:{}: {message}", place.line, place.column))
        }
        Unplayable::Unlawful(_, problems) => {
            let problems: Vec<String> = problems.iter().map(|problem| format!("\n  {problem}")).collect();
            Failure::Usage(format!("{path}: this house is unlawful:{}", problems.concat()))
        }
    }
}

fn opened(library: &Library, args: &GameArgs) -> Result<Session, Failure> {
    let name = args.house.as_deref().unwrap_or_else(|| house::first(library));
    let house = house::named(library, name)?;
    let dice = args.seed.map_or(DiceSource::Random, DiceSource::Seed);
    open(library, name, &house, &seats(&args.players, args.buy_in)?, dice)
}

/// Opens a new game at the table of a house.
fn open(library: &Library, name: &str, house: &HouseRules, seats: &str, dice: DiceSource) -> Result<Session, Failure> {
    let rules = RulesTag::of(house).to_string();
    let (tag, dice) = (house.tag(), dice.tag());
    let table = house.name.clone().unwrap_or_else(|| "Practice".to_owned());
    let date = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let mut tags = vec![("Rules", rules.as_str())];
    if let Some(game) = house.game {
        tags.push(("Game", game.word()));
    }
    tags.extend([("House", tag.as_str()), ("Table", &table), ("Date", &date), ("Seats", seats), ("Dice", &dice)]);
    Session::open(library, &tags, &no_house_files).map_err(|error| unplayed(name, error))
}

/// Writes the `Seats` tag of a game: players get seats 1, 2, … in order.
fn seats(players: &[String], buy_in: Money) -> Result<String, Failure> {
    const MOST: usize = 8;
    if players.len() > MOST {
        return Err(Failure::Usage(format!("{} players: a practice table seats up to {MOST}", players.len())));
    }
    if buy_in <= Money::ZERO {
        return Err(Failure::Usage(format!("--buy-in {buy_in}: expected an amount above zero")));
    }
    if let Some(name) = players.iter().find(|name| name.trim().is_empty() || name.contains(['"', ';', '[', ']', '\n']))
    {
        return Err(Failure::Usage(format!(
            "--player {name:?}: expected a name without quotes, brackets or semicolons"
        )));
    }
    let names = if players.is_empty() { vec!["You"] } else { players.iter().map(|name| name.trim()).collect() };
    let seats = names.iter().enumerate().map(|(at, name)| format!("{} {name} {buy_in}", at + 1));
    Ok(seats.collect::<Vec<_>>().join("; "))
}

/// Returns arguments for a test game with two players under a book.
#[cfg(test)]
pub(crate) fn practice_args(book: &str, seed: u64) -> GameArgs {
    let players = ["Ann", "Bo"].map(str::to_owned).to_vec();
    GameArgs { house: Some(book.to_owned()), players, buy_in: Money::from_minor(100_000), seed: Some(seed), file: None }
}
