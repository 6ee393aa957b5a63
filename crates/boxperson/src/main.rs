//! `boxperson`: craps done as the law says, on the command line.
//!
//! Exit codes: 0 done, 1 a finding, 2 bad usage or bad input. Results go to standard output, everything else to standard error.

mod bot;
mod commands;
mod failure;
mod library;
mod output;
mod play;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

/// Craps done as the law says: exact odds, rule books with citations, house rules checked.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    /// A folder with rule books that replace or join the built-in ones
    #[arg(long, global = true, value_name = "DIR")]
    rulebooks: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  boxperson odds                              every wager of every book, by exact edge
  boxperson odds place-win-6 --stake 7        what a real stake costs, rounding included
  boxperson wager fire                        one wager, all books side by side
  boxperson law diff pa nj                    every fact in which two books differ
  boxperson law check houses/pa-craps.toml    is this house lawful?
  boxperson sim molly --book pa               what a way of playing comes to
  boxperson serve                             tables to play at, over HTTP and WebSocket

Books: `boxperson law list`. Exit codes: 0 done, 1 a finding, 2 bad usage or input.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Exact odds of wagers, from the code that settles them
    Odds(commands::odds::Args),
    /// The card of one wager, all books side by side
    Wager(commands::wager::Args),
    /// Rule books: list, show, compare, and check house rules against them
    Law(commands::law::Args),
    /// Draw the layout of a table to scale
    Layout(commands::layout::Args),
    /// Check games: does every mark, refusal and result agree with the law?
    Check(commands::game::CheckArgs),
    /// Print a game again with everything that follows from the law
    Fill(commands::game::FillArgs),
    /// Explain a result: the law, the rule, the sum
    Why(commands::game::WhyArgs),
    /// Play a strategy many times over, or solve it: what it wins and costs
    Sim(commands::sim::Args),
    /// Play at a practice table: talk, keys or a pipe
    Play(play::Args),
    /// A table on standard input and output, for programs
    Bot(bot::Args),
    /// Audit a store or an export: hashes, signatures, every command, throw, secret and cent
    Audit(commands::audit::Args),
    /// Serve tables over HTTP and WebSocket
    Serve(commands::serve::Args),
    /// Write the whole store to a file while it is in use
    Backup(commands::backup::Args),
    /// Make a new store of a backup
    Restore(commands::backup::RestoreArgs),
    /// Print logs, or their signed heads, for an audit elsewhere
    Export(commands::export::Args),
    /// The records of people: accounts, roles, tokens
    Admin(commands::admin::Args),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let library = || library::load(cli.rulebooks.as_deref());
    match cli.command {
        Command::Odds(args) => commands::odds::run(&library()?, &args),
        Command::Wager(args) => commands::wager::run(&library()?, &args),
        Command::Law(args) => commands::law::run(&library()?, args),
        Command::Layout(args) => commands::layout::run(&library()?, &args),
        Command::Check(args) => commands::game::check(&library()?, &args),
        Command::Fill(args) => commands::game::fill(&library()?, &args),
        Command::Why(args) => commands::game::why(&library()?, &args),
        Command::Sim(args) => commands::sim::run(&library()?, &args),
        Command::Play(args) => play::run(&library()?, &args),
        Command::Bot(args) => bot::run(&library()?, &args),
        Command::Audit(args) => commands::audit::run(&library()?, &args),
        Command::Serve(args) => {
            let (library, left_out) = library::load_readable(cli.rulebooks.as_deref())?;
            // A book that cannot be read is left out and reported; the others are served.
            if let Some(failure) = left_out {
                let _ = failure.report();
            }
            commands::serve::run(library, args)
        }
        Command::Backup(args) => commands::backup::run(args),
        Command::Restore(args) => commands::backup::restore(args),
        Command::Export(args) => commands::export::run(args),
        Command::Admin(args) => commands::admin::run(args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut <Cli as clap::CommandFactory>::command(), "boxperson", &mut script);
            output::write(&String::from_utf8_lossy(&script))
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(<Cli as clap::CommandFactory>::command()).render(&mut page)?;
            output::write(&String::from_utf8_lossy(&page))
        }
    }
}
