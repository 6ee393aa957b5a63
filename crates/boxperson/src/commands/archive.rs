//! `boxperson archive`: moves old hands of a table to a sealed file, and back.

use super::serve::{kept, of_database};
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::progress::Progress;
use craps_law::Library;
use craps_server::audit::archive::{NotOld, old};
use craps_server::config::Given;
use craps_server::live::pit::now;
use craps_store::{Archives, HeadKey, Seal, Store, StoreError, ToArchive};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Arguments of `boxperson archive`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Table whose old hands are moved; without it, the archives are listed
    #[arg(requires = "file")]
    table: Option<String>,
    /// File to write; it must not exist yet
    file: Option<PathBuf>,
    /// Move only rows that are at least so many days old
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    older_than: u32,
    /// Put the rows of the last archive of a table back into the database
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    put_back: Option<PathBuf>,
    /// Database: a SQLite file or a postgres:// address [default: the database that `serve` uses]
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// File with the key that signs the log; it seals the archive [default: next to the database]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
You don't have to stop the server. The rows are audited first; if there is a finding, nothing is
moved. Only whole hands are moved, and the row that opens the table stays. The file is complete and
on the disk before any row leaves the database. Keep copies of it: it is the only place of these rows.
`boxperson audit FILE` audits it without the database, and `boxperson audit DB` audits the rest.

The server shows no rolls, hands and games that are in an archive, and a command whose row is in one
can be done again under the same key. So don't move rows that clients may still ask for.

Examples:
  boxperson archive practice-pa pa-2026.archive                    rows that are 30 days old, or older
  boxperson archive live-7 live-7.archive --older-than 365         a year
  boxperson archive                                                what is where
  boxperson archive --put-back pa-2026.archive                     the rows are in the database again";

/// Runs `archive`.
pub(crate) fn run(library: &Library, args: Args) -> Result<ExitCode, Failure> {
    let Args { table, file, older_than, put_back, db, key, format } = args;
    let config = kept(Given { db, key, ..Given::default() })?;
    let wrong = of_database(&config.db);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (Some(table), Some(file)) = (table, file) else {
            let Some(file) = put_back else {
                let store = Store::open_to_read(&config.db).await.map_err(&wrong)?;
                let listed = list(&store, format).await;
                store.close().await;
                return listed.map_err(|error| error.of(&wrong));
            };
            let store = Store::open_existing(&config.db).await.map_err(&wrong)?;
            let key = open_key(&config.key, &store)?.map_err(&wrong)?;
            let mut progress = Progress::new("rows");
            let done = store.put_back(&file, Some(&key.public()), now(), |rows| progress.at(rows, None)).await;
            progress.done();
            store.close().await;
            return print(format, "put back", &file, &done.map_err(&wrong)?);
        };
        let store = Store::open_existing(&config.db).await.map_err(&wrong)?;
        let key = open_key(&config.key, &store)?.map_err(&wrong)?;
        let before = now().saturating_sub(i64::from(older_than).saturating_mul(DAY));
        let moved = out(&store, library, &key, &table, &file, before).await;
        store.close().await;
        print(format, "moved", &file, &moved.map_err(|error| error.of(&wrong))?)
    })
}

/// Why an archive was not made.
enum NotMade {
    Store(StoreError),
    Failure(Failure),
}

impl From<StoreError> for NotMade {
    fn from(error: StoreError) -> NotMade {
        NotMade::Store(error)
    }
}

impl NotMade {
    /// Adds the name of the database.
    fn of(self, wrong: &impl Fn(StoreError) -> Failure) -> Failure {
        match self {
            NotMade::Store(error) => wrong(error),
            NotMade::Failure(failure) => failure,
        }
    }
}

fn open_key(named: &Option<PathBuf>, store: &Store) -> Result<Result<HeadKey, StoreError>, Failure> {
    let file = named.clone().or_else(|| store.file().map(HeadKey::beside));
    let file = file.ok_or_else(|| Failure::Usage("give the file of the signing key with --key".to_owned()))?;
    Ok(HeadKey::open(&file))
}

/// Moves the rows that are old enough.
async fn out(
    store: &Store,
    library: &Library,
    key: &HeadKey,
    table: &str,
    file: &Path,
    before: i64,
) -> Result<Seal, NotMade> {
    if file.exists() {
        let there = "the file already exists, and an archive never overwrites a file";
        return Err(NotMade::Failure(Failure::Usage(format!("{}: {there}", file.display()))));
    }
    // The rest of a move that was interrupted.
    store.clear_archived(table).await?;
    let mut progress = Progress::new("rows audited");
    let found = old(store, library, &key.public(), table, before, |rows| progress.at(rows, None)).await;
    progress.done();
    let found = found.map_err(|error| match error {
        NotOld::Store(error) => NotMade::Store(error),
        error => NotMade::Failure(Failure::Usage(error.to_string())),
    })?;
    let mut progress = Progress::new("lines written");
    let rows = ToArchive { table, end: &found.end, state: &found.state };
    let seal = store.write_archive(file, rows, key, now(), |lines| progress.at(lines, None)).await;
    progress.done();
    let seal = seal?;
    let moved = store.archive(&seal, &found.state, now()).await;
    moved.map_err(|error| NotMade::Failure(Failure::Usage(format!("{}: {error}", file.display()))))?;
    Ok(seal)
}

fn print(format: Format, done: &str, file: &Path, seal: &Seal) -> Result<ExitCode, Failure> {
    let (from, to, file) = (first_of(seal), seal.end.seq, file.display());
    match format {
        Format::Json => output::write_json(&json!({ "file": file.to_string(), "done": done, "seal": seal })),
        Format::Csv => {
            let file = output::csv_field(&file.to_string());
            output::write(&format!("file,table,from,to,sha256\n{file},{},{from},{to},{}\n", seal.table, seal.sha256))
        }
        Format::Table => {
            let (table, rows) = (&seal.table, to + 1 - from);
            output::write(&format!("{file}: {rows} rows of {table} {done}, {from} to {to}; SHA-256 {}\n", seal.sha256))
        }
    }
}

/// Returns the number of the first row that left the database. The row that opens the table stays.
fn first_of(seal: &Seal) -> u64 {
    (seal.after + 1).max(2)
}

/// Lists the archives of all tables.
async fn list(store: &Store, format: Format) -> Result<ExitCode, NotMade> {
    let mut archives = Archives::default();
    for row in store.archive_log().await? {
        let unreadable = |why| NotMade::Failure(Failure::Usage(format!("row {} of the archive log: {why}", row.seq)));
        archives.take(&row).map_err(unreadable)?;
    }
    let seals: Vec<&Seal> = archives.all().map(|basis| &basis.seal).collect();
    let line = |seal: &&Seal| (seal.table.clone(), first_of(seal), seal.end.seq, seal.sha256.clone());
    let written = match format {
        Format::Json => output::write_json(&json!({ "archives": seals })),
        Format::Csv => {
            let lines = seals.iter().map(line).map(|(table, from, to, sum)| format!("{table},{from},{to},{sum}\n"));
            output::write(&format!("table,from,to,sha256\n{}", lines.collect::<String>()))
        }
        Format::Table if seals.is_empty() => output::write("no rows are in archives\n"),
        Format::Table => {
            let lines = seals
                .iter()
                .map(line)
                .map(|(table, from, to, sum)| format!("{table}: rows {from} to {to}, SHA-256 {sum}\n"));
            output::write(&lines.collect::<String>())
        }
    };
    written.map_err(NotMade::Failure)
}
