//! `boxperson audit`: checks that a store or an export is unchanged since its heads were signed, and that every row follows the law.

use super::serve::of_database;
use crate::failure::Failure;
use crate::output::{self, Format};
use craps_law::Library;
use craps_server::audit::{Audited, Auditor};
use craps_server::witness::read_heads_from;
use craps_store::{PublicKey, SignedHead, Store, Verified, read_export, read_heads};
use serde_json::json;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::ExitCode;

/// Arguments of `boxperson audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Database (a SQLite file or a postgres:// address), export or backup; - reads an export from standard input
    #[arg(value_name = "DB|FILE")]
    what: String,
    /// Signed heads that were exported earlier, or the address of a witness that has them; they show whether a log was cut off or rewritten since then
    #[arg(long, value_name = "FILE|URL")]
    heads: Option<String>,
    /// Public key that the heads must be signed with, in hex
    #[arg(long, value_name = "KEY")]
    key: Option<PublicKey>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Checks everything and lists every finding: the database's own check, the hash chain, the signatures of heads, every command
decided again, every roll settled again and derived again from its revealed secret, every cent, and
the text of every game. An audit only reads.

Examples:
  boxperson audit boxperson.db                               a store, even while a server uses it
  boxperson audit boxperson.db --heads heads-monday.jsonl    compare with heads saved on Monday
  boxperson audit boxperson.db --heads http://witness:8090   compare with what a witness has
  boxperson audit table-7.jsonl --format json                an exported file, without the database

Exit codes: 0 no findings, 1 findings, 2 bad usage or input.";

/// Runs `audit`.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let heads = match &args.heads {
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => of_witness(args, url)?,
        Some(path) => read_heads(open(Path::new(path))?).map_err(|error| Failure::Usage(format!("{path}: {error}")))?,
        None => Vec::new(),
    };
    let mut auditor = Auditor::new(library);
    let verified = match is_store(&args.what)? {
        true => verified(&args.what, &heads, args.key.as_ref(), &mut auditor)?,
        false if args.what == "-" => {
            read_export(std::io::stdin().lock(), &heads, args.key.as_ref(), |row| auditor.row(row))?
        }
        false => read_export(open(Path::new(&args.what))?, &heads, args.key.as_ref(), |row| auditor.row(row))?,
    };
    let audited = auditor.finish();
    print(args, &verified, &audited)?;
    let clean = verified.findings.is_empty() && audited.findings.is_empty();
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
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

fn verified(
    url: &str,
    heads: &[SignedHead],
    key: Option<&PublicKey>,
    auditor: &mut Auditor<'_>,
) -> Result<Verified, Failure> {
    let wrong = of_database(url);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open_to_read(url).await.map_err(&wrong)?;
        let verified = async {
            let mut verified = store.verify_with(heads, key, |row| auditor.row(row)).await?;
            verified.findings.extend(store.check_integrity().await?);
            Ok(verified)
        };
        let verified = verified.await.map_err(&wrong);
        store.close().await;
        verified
    })
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
    output::write(&text)
}
