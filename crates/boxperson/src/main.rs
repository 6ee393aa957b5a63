//! `boxperson`: the command-line program.
//!
//! Exit codes: 0 success, 1 findings, 2 bad usage or bad input. Results go to standard output, everything else to standard error.

mod bot;
mod commands;
mod failure;
mod library;
mod output;
mod play;
mod progress;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Craps tables run exactly as US states regulate them: exact odds, rule books with citations, checks of house rules.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    /// Folder of rule books to add to the built-in ones; a book with the same name replaces the built-in one
    #[arg(long, global = true, value_name = "DIR")]
    rulebooks: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  boxperson odds                              the exact edge of every wager in every book
  boxperson odds place-win-6 --stake 7        what a $7 bet costs, rounding included
  boxperson wager fire                        one wager, all books side by side
  boxperson law diff pa nj                    every difference between two books
  boxperson law check houses/pa-craps.toml    is this house lawful?
  boxperson sim molly --book pa               what a strategy wins and costs
  boxperson serve                             run tables over HTTP and WebSocket

`boxperson law list` lists the books. Exit codes: 0 success, 1 findings, 2 bad usage or input.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Show exact odds, computed from the same code that settles bets
    Odds(commands::odds::Args),
    /// Show one wager: rules, prices and odds, all books side by side
    Wager(commands::wager::Args),
    /// List, show and compare rule books, and check house rules against them
    Law(commands::law::Args),
    /// Draw a table layout to scale
    Layout(commands::layout::Args),
    /// Check game files: does every mark, refusal and result follow the law?
    Check(commands::game::CheckArgs),
    /// Print a game with every mark, refusal and result filled in
    Fill(commands::game::FillArgs),
    /// Explain a result: the law, the rule and the arithmetic
    Why(commands::game::WhyArgs),
    /// Solve or simulate a strategy: what it wins and costs
    Sim(commands::sim::Args),
    /// Play at a practice table, with keys, plain words or a pipe
    Play(play::Args),
    /// Run a table for a program on standard input and output
    Bot(bot::Args),
    /// Audit a store or an export: every hash, signature, command, roll, secret and cent
    Audit(commands::audit::Args),
    /// Run tables over HTTP and WebSocket
    Serve(commands::serve::Args),
    /// Check a deployment: settings, database, keys, log, disk, clock, certificate
    Doctor(commands::doctor::Args),
    /// Keep the signed heads of other servers, and take part in their dice
    Witness(commands::witness::Args),
    /// Back up the whole store to a file, even while a server uses it
    Backup(commands::backup::Args),
    /// Create a new store from a backup
    Restore(commands::backup::RestoreArgs),
    /// Print logs, or their signed heads, for an audit elsewhere
    Export(commands::export::Args),
    /// Move old hands of a table to a sealed file that audits by itself, and back
    Archive(commands::archive::Args),
    /// Manage accounts, roles and tokens
    Admin(commands::admin::Args),
    /// Print a shell completion script
    Completions {
        /// Shell to print the script for
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
        Command::Archive(args) => commands::archive::run(&library()?, args),
        Command::Audit(args) => commands::audit::run(&library()?, &args),
        Command::Serve(args) => {
            let (library, left_out) = library::load_readable(cli.rulebooks.as_deref())?;
            // A book that can't be read is reported and left out; the server runs with the others.
            if let Some(failure) = left_out {
                let _ = failure.report();
            }
            commands::serve::run(library, args)
        }
        Command::Doctor(args) => commands::doctor::run(args),
        Command::Witness(args) => commands::witness::run(args),
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
