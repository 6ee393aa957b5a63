//! Measures what a server does with logs of different lengths.

use super::{TABLE, play};
use crate::http::Http;
use crate::{Base, Ground, Node, Setup, Trouble};
use craps_law::Library;
use craps_server::audit::{Audit, PART, Report, Trusted};
use craps_server::live::Seal;
use craps_server::live::pit::now;
use craps_store::{HeadFile, HeadKey, SealKey, Store};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Logs to measure, by their numbers of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes(pub Vec<u64>);

impl Sizes {
    /// Reads sizes such as `1k 100k 1M`. The error is the first word that isn't a size.
    ///
    /// # Errors
    /// When a word isn't a size.
    pub fn read<'a>(words: &[&'a str]) -> Result<Sizes, &'a str> {
        let size = |word: &&'a str| {
            let (digits, zeros) = match word.strip_suffix(['k', 'K']) {
                Some(digits) => (digits, 1_000),
                None => word.strip_suffix('M').map_or((*word, 1), |digits| (digits, 1_000_000)),
            };
            let rows: Option<u64> = digits.parse().ok().and_then(|count: u64| count.checked_mul(zeros));
            rows.filter(|rows| *rows >= 100).ok_or(*word)
        };
        words.iter().map(size).collect::<Result<_, _>>().map(Sizes)
    }
}

/// Measures and prints one name and figure per line. `program` is the program of this crate.
///
/// # Errors
/// When a log can't be written, a server doesn't start, or an audit finds something.
///
/// # Panics
/// Never: it needs no PostgreSQL.
pub async fn measure(sizes: &Sizes, program: &Path) -> Result<(), Trouble> {
    let library = Library::shipped();
    for rows in &sizes.0 {
        put("size", "rows", *rows);
        let ground = Ground::new(Base::Sqlite).await?;
        let figure = |name: &str, value: f64| put(&rows.to_string(), name, value);
        written(&library, &ground, *rows, &figure).await?;
        served(program, &ground, *rows, &figure).await?;
        let (library, db, rows) = (Library::shipped(), ground.db.clone(), *rows);
        tokio::task::spawn_blocking(move || audited(&library, &db, rows)).await.map_err(std::io::Error::from)??;
    }
    Ok(())
}

/// Plays the game and signs its end, as a server would have done.
async fn written(library: &Library, ground: &Ground, rows: u64, figure: &impl Fn(&str, f64)) -> Result<(), Trouble> {
    let store = Store::open(&ground.db).await?;
    let key = SealKey::open_or_create(&ground.seal())?;
    let seal = Seal::open(&store, key, false).await.map_err(|error| Trouble::Server(error.to_string()))?;
    let start = Instant::now();
    play(&store, library, &seal, rows).await?;
    figure("played", rows as f64 / start.elapsed().as_secs_f64());
    let key = HeadKey::open_or_create(&ground.key())?;
    HeadFile::of_key(&ground.key()).keep(&store.sign_heads(&key, now()).await?)?;
    store.close().await;
    let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |file| file.len());
    let file = PathBuf::from(ground.db.trim_start_matches("sqlite:"));
    figure("database", size(file) as f64);
    Ok(())
}

/// Starts a server twice. The first one makes what is missing, such as the card for the lobby. The second one is measured.
async fn served(program: &Path, ground: &Ground, rows: u64, figure: &impl Fn(&str, f64)) -> Result<(), Trouble> {
    let setup = Setup::new(program, ground);
    let first = Node::start(&setup).await?;
    let mut http = Http::to(first.addr, None).await?;
    http.ask("GET", "/tables", None).await?.done()?;
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    first.stop().await?;

    let start = Instant::now();
    let node = Node::start(&setup).await?;
    figure("start", milliseconds(start));
    figure("memory/start", memory(&node)?);
    let guest = Http::to(node.addr, None).await?.ask("POST", "/guests", None).await?.done()?;
    let mut http = Http::to(node.addr, guest.cookie).await?;
    let long = format!("/tables/{TABLE}");
    let far = rows / 25;
    let requests = [
        ("touch", long.clone()),
        ("lobby", "/tables".to_owned()),
        ("look", long.clone()),
        ("hands/beyond", format!("{long}/hands?after=1000000000")),
        ("hands/far", format!("{long}/hands?after={}&limit=10", far / 2)),
        ("rolls/far", format!("{long}/rolls?after={far}&limit=10")),
        ("rolls/beyond", format!("{long}/rolls?after=1000000000")),
        ("cgn", format!("{long}/cgn?hand={}", far / 4 + 1)),
    ];
    for (name, path) in requests {
        let start = Instant::now();
        http.ask("GET", &path, None).await?.done()?;
        figure(name, milliseconds(start));
        if name == "touch" {
            figure("memory/touch", memory(&node)?);
        }
    }
    figure("memory/end", memory(&node)?);
    node.stop().await
}

/// Audits the log with one thread and with all, and checks that both find the same: nothing.
fn audited(library: &Library, db: &str, rows: u64) -> Result<(), Trouble> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let store = runtime.block_on(Store::open_to_read(db))?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let audit = |threads: usize, since: Option<&Trusted>| -> Result<(Report, f64, f64), Trouble> {
        let audit = Audit { library, heads: &[], key: None, threads, part: PART, since, progress: None };
        let (start, worked) = (Instant::now(), processor_time()?);
        let report = audit.of(&store, runtime.handle()).map_err(|error| Trouble::Server(error.to_string()))?;
        Ok((report, start.elapsed().as_secs_f64(), processor_time()? - worked))
    };
    let (one, _, worked) = audit(1, None)?;
    let (all, took, _) = audit(threads, None)?;
    let (since, again, _) = audit(threads, Some(&one.trusted))?;
    for report in [&one, &all, &since] {
        if let Some(finding) = report.audited.findings.first() {
            return Err(Trouble::Server(format!("the audit found: {finding}")));
        }
        if let Some(finding) = report.verified.findings.first() {
            return Err(Trouble::Server(format!("the audit found: {finding}")));
        }
    }
    if one.audited != all.audited || one.verified != all.verified {
        return Err(Trouble::Server("one thread and several audit differently".to_owned()));
    }
    let name = rows.to_string();
    let rows = one.audited.rows as f64;
    put(&name, "audit/core", rows / worked);
    put(&name, "audit/threads", threads);
    put(&name, "audit/all", rows / took);
    put(&name, "audit/since", again * 1_000.0);
    put(&name, "memory/audit", status("self", "VmHWM")?);
    Ok(())
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

/// Returns the memory that a node has for itself, in bytes. Pages of the database that are mapped are not among it.
fn memory(node: &Node) -> Result<f64, Trouble> {
    let pid = node.process().ok_or_else(|| Trouble::Server("the node has ended".to_owned()))?;
    status(&pid.to_string(), "RssAnon")
}

fn status(process: &str, field: &str) -> Result<f64, Trouble> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kib.map(|kib| kib * 1024.0).ok_or_else(|| Trouble::Server(format!("the system doesn't say {field}")))
}

/// Returns the time that the cores have worked for this process, in seconds.
fn processor_time() -> Result<f64, Trouble> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or_default();
    // Linux counts in hundredths of a second.
    Ok((ticks(11) + ticks(12)) / 100.0)
}

#[expect(clippy::print_stdout, reason = "the figures are what the program is started for")]
fn put(place: &str, name: &str, value: impl std::fmt::Display) {
    println!("{place}/{name}\t{value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_wrong_ones_named() {
        assert_eq!(Sizes::read(&["1k", "100k", "1M", "500"]), Ok(Sizes(vec![1_000, 100_000, 1_000_000, 500])));
        for wrong in ["", "k", "1G", "-1k", "99", "1.5M"] {
            assert_eq!(Sizes::read(&["1k", wrong]), Err(wrong));
        }
    }
}
