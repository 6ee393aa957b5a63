//! `boxperson audit`: checks that a store or an export is unchanged since its heads were signed, and that every row follows the law.

use super::serve::of_database;
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::progress::Progress;
use craps_law::Library;
use craps_server::audit::{Audit, Audited, Auditor, NotAudited, PART, Report, Trusted};
use craps_server::witness::read_heads_from;
use craps_store::{PublicKey, SignedHead, Store, Verified, read_export, read_heads};
use serde_json::json;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

/// Arguments of `boxperson audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Database (a SQLite file or a postgres:// address), export, backup or archive; - reads an export from standard input
    #[arg(value_name = "DB|FILE")]
    what: String,
    /// Signed heads that were exported earlier, or the address of a witness that has them; they show whether a log was cut off or rewritten since then
    #[arg(long, value_name = "FILE|URL")]
    heads: Option<String>,
    /// Public key that the heads must be signed with, in hex
    #[arg(long, value_name = "KEY")]
    key: Option<PublicKey>,
    /// Write down where this audit ended, if it found nothing; keep the file where nobody who can change the database can change it
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Begin where an earlier audit ended: the file that its --keep wrote
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    /// Number of threads that audit a database [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Checks everything and lists every finding: the database's own check, the hash chain, the signatures of heads, every command
decided again, every roll settled again and derived again from its revealed secret, every cent, and
the text of every game. An audit only reads.

With --since, rows that an earlier audit found to be right are not looked at again. The logs must still have the rows
with which it ended. Commands since then are not compared with the commands before.

Examples:
  boxperson audit boxperson.db                               a store, even while a server uses it
  boxperson audit boxperson.db --heads heads-monday.jsonl    compare with heads saved on Monday
  boxperson audit boxperson.db --keep monday.audit           write down where it ended
  boxperson audit boxperson.db --since monday.audit          only what came since then
  boxperson audit boxperson.db --heads http://witness:8090   compare with what a witness has
  boxperson audit table-7.jsonl --format json                an exported file, without the database
  boxperson audit table-7-2026.archive                       hands that were moved to an archive

Exit codes: 0 no findings, 1 findings, 2 bad usage or input.";

/// Runs `audit`.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let heads = match &args.heads {
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => of_witness(args, url)?,
        Some(path) => read_heads(open(Path::new(path))?).map_err(|error| Failure::Usage(format!("{path}: {error}")))?,
        None => Vec::new(),
    };
    let is_store = is_store(&args.what)?;
    if let (false, Some(_)) = (is_store, args.keep.as_ref().or(args.since.as_ref())) {
        return Err(Failure::Usage("--keep and --since work with a database, not with a file".to_owned()));
    }
    let (verified, audited) = match is_store {
        true => {
            let Report { verified, audited, trusted, .. } = of_store(library, args, &heads)?;
            if let Some(path) =
                args.keep.as_ref().filter(|_| verified.findings.is_empty() && audited.findings.is_empty())
            {
                keep(path, &trusted)?;
            }
            (verified, audited)
        }
        false => {
            let mut auditor = Auditor::new(library);
            let verified = match args.what.as_str() {
                "-" => read_export(std::io::stdin().lock(), &heads, args.key.as_ref(), |row| auditor.row(row))?,
                file => read_export(open(Path::new(file))?, &heads, args.key.as_ref(), |row| auditor.row(row))?,
            };
            verified.seal.iter().for_each(|seal| auditor.sealed(seal));
            (verified, auditor.finish())
        }
    };
    print(args, &verified, &audited)?;
    let clean = verified.findings.is_empty() && audited.findings.is_empty();
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Writes the file that the next audit can begin with. It gets its name when it is complete.
fn keep(path: &Path, trusted: &Trusted) -> Result<(), Failure> {
    let wrong = |error| Failure::File { path: path.display().to_string(), error };
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    let written = || {
        let file = File::create(&draft)?;
        trusted.write(BufWriter::new(&file))?;
        file.sync_all()?;
        std::fs::rename(&draft, path)
    };
    written().map_err(wrong)
}

/// Returns the heads that a witness has of the audited store. A witness may have those of many.
fn of_witness(args: &Args, url: &str) -> Result<Vec<SignedHead>, Failure> {
    let wrong = |error| Failure::Usage(format!("{url}: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let heads = runtime.block_on(read_heads_from(url)).map_err(wrong)?;
    let Some(store) = store_of(args)? else { return Ok(heads) };
    let own: Vec<SignedHead> = heads.into_iter().filter(|head| head.store == store).collect();
    match own.is_empty() {
        true => Err(Failure::Usage(format!("{url}: the witness has no heads of this store, {store}"))),
        false => Ok(own),
    }
}

/// Returns the id of the audited store. None for standard input, which can be read only once.
fn store_of(args: &Args) -> Result<Option<String>, Failure> {
    if args.what == "-" {
        return Ok(None);
    }
    if !is_store(&args.what)? {
        let first = open(Path::new(&args.what))?.lines().next().transpose()?.unwrap_or_default();
        let first: serde_json::Value = serde_json::from_str(&first).unwrap_or_default();
        return Ok(first["store"].as_str().map(str::to_owned));
    }
    let wrong = of_database(&args.what);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open_to_read(&args.what).await.map_err(&wrong)?;
        let id = store.id().to_owned();
        store.close().await;
        Ok(Some(id))
    })
}

fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    let wrong = |error| Failure::File { path: path.display().to_string(), error };
    File::open(path).map(BufReader::new).map_err(wrong)
}

/// Returns true for a database: an address, or a file that begins with the SQLite header.
fn is_store(what: &str) -> Result<bool, Failure> {
    if what == "-" {
        return Ok(false);
    }
    if what.contains("://") || what.starts_with("sqlite:") {
        return Ok(true);
    }
    let mut first = [0; 15];
    let read = open(Path::new(what))?.read(&mut first)?;
    Ok(&first[..read] == b"SQLite format 3")
}

fn of_store(library: &Library, args: &Args, heads: &[SignedHead]) -> Result<Report, Failure> {
    let wrong = of_database(&args.what);
    let since = match &args.since {
        Some(path) => {
            let read = Trusted::read(open(path)?);
            Some(read.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?)
        }
        None => None,
    };
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(cores, NonZero::get);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let store = runtime.block_on(Store::open_to_read(&args.what)).map_err(&wrong)?;
    let progress = Mutex::new(Progress::new("rows"));
    let shown = |rows: u64, of: u64| {
        // If another thread shows the progress now, this one doesn't wait.
        if let Ok(mut progress) = progress.try_lock() {
            progress.at(rows - rows % 1_000, Some(of));
        }
    };
    let (key, since) = (args.key.as_ref(), since.as_ref());
    let audit = Audit { library, heads, key, threads, part: PART, since, progress: Some(&shown) };
    // The database checks its own files meanwhile.
    let (report, damage) = std::thread::scope(|scope| {
        let check = scope.spawn(|| runtime.block_on(store.check_integrity()));
        (audit.of(&store, runtime.handle()), check.join())
    });
    progress.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).done();
    runtime.block_on(store.close());
    let mut report = report.map_err(|error| match error {
        NotAudited::Store(error) => wrong(error),
        NotAudited::Trusted(error) => Failure::Usage(format!("--since: {error}")),
    })?;
    let stopped = |_| Failure::Usage("the check of the database broke off".to_owned());
    report.verified.findings.extend(damage.map_err(stopped)?.map_err(&wrong)?);
    Ok(report)
}

fn print(args: &Args, verified: &Verified, audited: &Audited) -> Result<ExitCode, Failure> {
    if args.format == Format::Json {
        let chain = verified.findings.iter().map(|finding| json!(finding));
        let findings: Vec<serde_json::Value> =
            chain.chain(audited.findings.iter().map(|finding| json!(finding))).collect();
        return output::write_json(&json!({
            "clean": verified.findings.is_empty() && audited.findings.is_empty(),
            "tables": audited.tables,
            "rows": verified.rows,
            "heads": verified.heads,
            "throws": audited.throws,
            "derived": audited.derived,
            "states": audited.states,
            "unproven": audited.unproven,
            "not_looked_at": audited.trusted,
            "archived": audited.archived,
            "totals": audited.totals,
            "findings": findings,
        }));
    }
    let mut text = String::new();
    for finding in &verified.findings {
        text.push_str(&format!("{finding}\n"));
    }
    for finding in &audited.findings {
        text.push_str(&format!("{finding}\n"));
    }
    let count = verified.findings.len() + audited.findings.len();
    let end = match count {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    };
    text.push_str(&format!(
        "{} tables, {} rows, {} signed heads; {} rolls settled again, {} derived again from revealed secrets: {end}\n",
        audited.tables, verified.rows, verified.heads, audited.throws, audited.derived
    ));
    if audited.unproven > 0 {
        text.push_str(&format!("{} rolls can't be derived again: their secrets were retired\n", audited.unproven));
    }
    if audited.trusted > 0 {
        text.push_str(&format!("{} rows were not looked at: an earlier audit did\n", audited.trusted));
    }
    if audited.archived > 0 {
        text.push_str(&format!("{} rows are in archives: audit those files, too\n", audited.archived));
    }
    if let Some(seal) = &verified.seal {
        let (from, to) = (seal.after + 1, seal.end.seq);
        text.push_str(&format!("rows {from} to {to} of {}, sealed by {}\n", seal.table, seal.public_key));
    }
    output::write(&text)
}
