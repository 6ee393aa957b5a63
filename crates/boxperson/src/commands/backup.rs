//! `boxperson backup` and `boxperson restore`: the whole store to one file, and back.

use super::serve::{kept, of_database};
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::progress::Progress;
use craps_server::config::Given;
use craps_server::live::pit::now;
use craps_store::{Backup, Store};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `boxperson backup`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File to write; it must not exist yet
    file: PathBuf,
    /// Database: a SQLite file or a postgres:// address [default: the database that `serve` uses]
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
You don't have to stop the server. The backup is a snapshot of the whole store, and the file gets
its name only when it is complete. It contains password hashes, so only its owner can read it. It
does not contain the signing key and the sealing key: keep copies of those keys somewhere else.
`boxperson audit FILE` checks a backup like any export.

Examples:
  boxperson backup monday.backup                     the store that `serve` uses
  boxperson backup monday.backup --db tables.db      another store
  boxperson backup monday.backup --format json       {file, store, rows, records}";

/// Arguments of `boxperson restore`.
#[derive(Debug, clap::Args)]
#[command(after_help = RESTORE_EXAMPLES)]
pub(crate) struct RestoreArgs {
    /// Backup file
    file: PathBuf,
    /// Database to create: a new SQLite file or an empty postgres:// database [default: the database that `serve` uses]
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const RESTORE_EXAMPLES: &str = "\
The backup is checked first and restored completely or not at all. A store that isn't empty is never
changed. You can restore a SQLite backup into PostgreSQL and the other way around. Put the old
signing key and the old sealing key next to the new database file, or name them with `serve --key`
and `serve --seal`; otherwise `serve` makes new keys. Hands that were open get new secrets.

Examples:
  boxperson restore monday.backup --db tables.db
  boxperson restore monday.backup --db postgres://box@db/box";

/// Runs `backup`.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let db = kept(Given { db: args.db, ..Given::default() })?.db;
    let wrong = of_database(&db);
    let mut progress = Progress::new("lines");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open_to_read(&db).await.map_err(&wrong)?;
        let done = store.backup_with(&args.file, now(), |lines| progress.at(lines, None)).await.map_err(&wrong);
        store.close().await;
        progress.done();
        print(args.format, &args.file, store.id(), done?)
    })
}

/// Runs `restore`.
pub(crate) fn restore(args: RestoreArgs) -> Result<ExitCode, Failure> {
    let db = kept(Given { db: args.db, ..Given::default() })?.db;
    let mut progress = Progress::new("lines");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let put_back = |lines, of| progress.at(lines, Some(of));
        let restored = Store::restore_with(&db, &args.file, put_back).await.map_err(of_database(&db));
        progress.done();
        let (store, done) = restored?;
        store.close().await;
        print(args.format, &args.file, store.id(), done)
    })
}

fn print(format: Format, file: &Path, store: &str, Backup { rows, records }: Backup) -> Result<ExitCode, Failure> {
    let file = file.display();
    match format {
        Format::Json => {
            output::write_json(&json!({ "file": file.to_string(), "store": store, "rows": rows, "records": records }))
        }
        Format::Csv => output::write(&format!(
            "file,store,rows,records\n{},{store},{rows},{records}\n",
            output::csv_field(&file.to_string())
        )),
        Format::Table => output::write(&format!("{file}: store {store}, {rows} rows and {records} records\n")),
    }
}
