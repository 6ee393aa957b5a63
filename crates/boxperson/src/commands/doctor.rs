//! `boxperson doctor`: checks a deployment and says what to do.

use super::serve;
use crate::failure::Failure;
use crate::output::{self, Format};
use craps_server::doctor::{Check, Options, State, examine};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
// The flags of `serve` are a group of the same name.
#[group(skip)]
pub(crate) struct Args {
    /// Also prove that the database takes a durable write; everything else only reads
    #[arg(long)]
    write: bool,
    /// Leave out the check that reads the whole database
    #[arg(long)]
    quick: bool,
    /// Folder of the backups; no key may be in it
    #[arg(long, value_name = "DIR")]
    copies: Option<PathBuf>,
    /// Warn if the disk of the database has less room than this, in MiB [default: 1024]
    #[arg(long, value_name = "MIB")]
    room: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    server: serve::Args,
}

const EXAMPLES: &str = "\
Give it the flags and the environment of the server. It checks what the server would find, and some things that the
server can't know. It can run while the server runs.

Examples:
  boxperson doctor                                        the server that `serve` would start
  boxperson doctor --config /etc/boxperson.toml           settings from a file
  boxperson doctor --write --copies /var/backups          also a durable write, and the folder of the backups
  boxperson doctor --format json                          {clean, checks: [{name, state, found, todo}]}

Exit codes: 0 nothing to do, 1 warnings or failures, 2 bad usage.";

/// Runs `doctor`.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let options = Options {
        write: args.write,
        quick: args.quick,
        copies: args.copies,
        room: args.room.map_or(craps_server::doctor::ROOM, |mib| mib.saturating_mul(1 << 20)),
    };
    let checks: Vec<Check> = match serve::settings(args.server) {
        Ok(config) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let read = Check::ok("settings", "they are readable and valid");
            std::iter::once(read).chain(runtime.block_on(examine(&config, &options))).collect()
        }
        Err(failure) => {
            vec![Check::failed(
                "settings",
                failure.to_string(),
                "Correct it, and run the doctor again. docs/server.md lists all settings.",
            )]
        }
    };
    print(args.format, &checks)?;
    Ok(if checks.iter().any(Check::is_finding) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn print(format: Format, checks: &[Check]) -> Result<ExitCode, Failure> {
    match format {
        Format::Json => {
            let clean = !checks.iter().any(Check::is_finding);
            output::write_json(&json!({ "clean": clean, "checks": checks }))
        }
        Format::Csv => {
            let line = |check: &Check| {
                let todo = check.todo.clone().unwrap_or_default();
                let cells = [check.name, word(check.state), &check.found, &todo];
                format!("{}\n", cells.map(output::csv_field).join(","))
            };
            output::write(&format!("name,state,found,todo\n{}", checks.iter().map(line).collect::<String>()))
        }
        Format::Table => output::write(&checks.iter().map(text).collect::<String>()),
    }
}

const fn word(state: State) -> &'static str {
    match state {
        State::Ok => "ok",
        State::Warning => "warning",
        State::Failed => "failed",
        State::Skipped => "skipped",
    }
}

fn text(check: &Check) -> String {
    let todo = check.todo.iter().map(|todo| format!("{:26}{todo}\n", ""));
    format!("{:<9}{:<16} {}\n{}", word(check.state), check.name, check.found, todo.collect::<String>())
}
