//! `boxperson export`: prints logs and signed heads for an audit elsewhere.

use super::serve::{kept, of_database};
use crate::failure::Failure;
use craps_server::config::Given;
use craps_server::live::pit::now;
use craps_store::{HeadKey, Store, StoreError};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Export only this table
    #[arg(long, conflicts_with = "heads")]
    table: Option<String>,
    /// Export only the signed heads: a small file that shows later whether a log was cut off or rewritten
    #[arg(long)]
    heads: bool,
    /// Database: a SQLite file or a postgres:// address [default: the database that `serve` uses]
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// File with the key that signs the log [default: next to the database]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Signs the end of every log and prints one JSON object per line. You don't have to stop the server.
An export contains no unrevealed secrets, and of the account records only the trail of changes.
`boxperson audit` reads it without the database.

Examples:
  boxperson export --heads > heads-monday.jsonl      keep it for a later `audit --heads`
  boxperson export --table north > north.jsonl       one table's log
  boxperson export > all.jsonl                       every log";

/// Runs `export`.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let config = kept(Given { db: args.db, key: args.key, ..Given::default() })?;
    let wrong = of_database(&config.db);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open_existing(&config.db).await.map_err(&wrong)?;
        let file = config.key.or_else(|| store.file().map(HeadKey::beside));
        let file = file.ok_or_else(|| Failure::Usage("give the file of the signing key with --key".to_owned()))?;
        let key = HeadKey::open(&file).map_err(&wrong)?;
        if let Some(table) = &args.table
            && store.head(table).await.map_err(&wrong)?.seq == 0
        {
            return Err(Failure::Usage(format!("there is no table `{table}`")));
        }
        let mut out = BufWriter::new(std::io::stdout());
        let done = match args.heads {
            true => store.export_heads(&key, now(), &mut out).await,
            false => store.export(args.table.as_deref(), &key, now(), &mut out).await,
        };
        done.map_err(|error| match error {
            // A reader that closed the pipe is no error.
            StoreError::Write(error) => Failure::Output(error),
            error => wrong(error),
        })?;
        out.flush()?;
        store.close().await;
        Ok(ExitCode::SUCCESS)
    })
}
