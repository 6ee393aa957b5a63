//! The server benchmark: a crowd that sends its commands on a schedule, then a command after each answer, then ten times that load, then a command
//! after each answer again. And what idle tables take of memory.

#![allow(clippy::float_arithmetic, reason = "rates and their ratios")]

use crate::http::Http;
use crate::ledger::{Ledger, kept};
use crate::node::used;
use crate::press::Press;
use crate::{Base, Bot, Crowd, Ground, Manners, Node, Outcome, Sent, Setup, Trouble};
use craps_store::testing;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Maximum time for the last answers and the last rows.
const END_MOST: Duration = Duration::from_secs(120);
/// How long the rate after the overload is watched, at least.
const BACK_MOST: Duration = Duration::from_secs(2);
/// The server is back when it does this part of what it did before the overload.
const BACK: f64 = 0.8;
/// Number of practice tables that one guest can open.
const OPENS: usize = 10;
/// Factor between the normal load and the overload.
const TIMES: usize = 10;

/// Size of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of tables.
    pub tables: usize,
    /// Number of bots per table.
    pub seats: u8,
    /// Duration of each measurement.
    pub slice: Duration,
    /// Maximum number of commands the server processes at once.
    pub turns: u32,
    /// Commands per second of all bots together, when they send on a schedule.
    pub open: u32,
    /// Number of idle tables whose memory is measured.
    pub idle: usize,
}

impl Size {
    /// The full benchmark.
    pub const FULL: Size =
        Size { tables: 100, seats: 8, slice: Duration::from_secs(10), turns: 1_024, open: 1_000, idle: 1_000 };
    /// A short run with a smaller crowd and a proportionally smaller server limit.
    pub const QUICK: Size =
        Size { tables: 10, seats: 4, slice: Duration::from_secs(1), turns: 51, open: 100, idle: 20 };
}

/// Runs the benchmark and prints one name and figure per line.
///
/// # Errors
/// When a node does not start, or answers stop coming.
///
/// # Panics
/// If there is no PostgreSQL on this machine.
pub async fn bench(size: Size) -> Result<(), Trouble> {
    put("tables", size.tables);
    put("seats", size.seats);
    put("turns", size.turns);
    put("open", size.open);
    for base in Base::ALL {
        measure(base, size).await?;
    }
    idle(size.idle).await
}

/// A time interval.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: Instant,
    to: Instant,
}

impl Stretch {
    async fn of(time: Duration) -> Stretch {
        let from = Instant::now();
        sleep(time).await;
        Stretch { from, to: Instant::now() }
    }

    fn seconds(self) -> f64 {
        (self.to - self.from).as_secs_f64()
    }

    /// Returns the commands that were answered in this interval.
    fn answered(self, bots: &[Bot]) -> impl Iterator<Item = &Sent> {
        let within =
            move |sent: &&Sent| sent.outcome != Outcome::Open && (self.from..self.to).contains(&(sent.at + sent.took));
        bots.iter().flat_map(|bot| &bot.sent).filter(within)
    }

    /// Prints the commands carried out per second, the answers per second, and the median and 99th percentile of the answer times.
    fn tell(self, name: &str, bots: &[Bot]) {
        let mut took: Vec<Duration> = self.answered(bots).map(|sent| sent.took).collect();
        took.sort_unstable();
        put(&format!("{name}/rate"), self.done(bots) / self.seconds());
        put(&format!("{name}/answers"), count(took.len()) / self.seconds());
        percentiles(name, &took);
    }

    /// Prints the commands carried out per second and the answer times of all commands that were scheduled in this interval. An answer time begins
    /// when the command was to be sent.
    fn tell_scheduled(self, name: &str, bots: &[Bot]) {
        let scheduled = bots.iter().flat_map(|bot| &bot.sent).filter(|sent| (self.from..self.to).contains(&sent.at));
        let mut took: Vec<Duration> = scheduled.map(|sent| sent.took).collect();
        took.sort_unstable();
        put(&format!("{name}/scheduled"), count(took.len()) / self.seconds());
        put(&format!("{name}/rate"), self.done(bots) / self.seconds());
        percentiles(name, &took);
    }

    /// Counts the commands that were carried out in this interval.
    fn done(self, bots: &[Bot]) -> f64 {
        let done = |sent: &&Sent| matches!(&sent.outcome, Outcome::Done(rows) if !rows.is_empty());
        count(self.answered(bots).filter(done).count())
    }

    /// Returns the seconds from the beginning of this interval to the first second in which so many commands per second were carried out. None if
    /// there is no such second.
    fn seconds_until(self, rate: f64, bots: &[Bot]) -> Option<f64> {
        let starts = (0_u32..).map(|tenths| self.from + Duration::from_millis(100) * tenths);
        let seconds = starts.map(|from| Stretch { from, to: from + Duration::from_secs(1) });
        let found = seconds.take_while(|second| second.to <= self.to).find(|second| second.done(bots) >= rate);
        found.map(|second| (second.from - self.from).as_secs_f64())
    }
}

/// Prints the median and the 99th percentile of sorted answer times, in milliseconds.
fn percentiles(name: &str, took: &[Duration]) {
    for (percent, word) in [(50, "p50"), (99, "p99")] {
        let at = took.len().saturating_sub(1) * percent / 100;
        put(&format!("{name}/{word}"), took.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e3));
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

async fn measure(base: Base, Size { tables, seats, slice, turns, open, .. }: Size) -> Result<(), Trouble> {
    let name = base.name().to_lowercase();
    say(&format!("{}: committing single rows", base.name()));
    let bare = Ground::new(base).await?;
    let body = "{\"do\":\"bet\",\"events\":[]}".repeat(16);
    let commits = testing::bare_commits(&bare.db, &body, slice).await;
    put(&format!("{name}/bare"), f64::from(u32::try_from(commits).unwrap_or(u32::MAX)) / slice.as_secs_f64());

    let ground = Ground::new(base).await?;
    // The rate limit per client is the default.
    let setup = Setup { rate: 50, burst: 200, turns, ..Setup::new(&std::env::current_exe()?, &ground) };
    let node = Node::start(&setup).await?;
    let bots = tables * usize::from(seats);
    say(&format!("{}: {bots} bots take their seats at {tables} tables", base.name()));
    let eager = Manners { pause: Duration::ZERO, later: Duration::from_millis(200), every: None };
    let crowd = Crowd::come(vec![node.addr], tables, seats, eager, 6).await?;
    say(&format!("{}: {open} commands per second on a schedule", base.name()));
    let each = Duration::from_secs(1) * u32::try_from(bots).unwrap_or(u32::MAX) / open;
    crowd.behave(Manners { every: Some(each), ..eager });
    sleep(slice / 2).await;
    let scheduled = Stretch::of(slice).await;
    say(&format!("{}: a command after each answer", base.name()));
    crowd.behave(eager);
    sleep(slice / 2).await;
    let (node_used, bots_used) = (node.used(), used("self"));
    let before = Stretch::of(slice).await;
    let (node_used, bots_used) = (node.used() - node_used, used("self") - bots_used);
    say(&format!("{}: {TIMES} times the load", base.name()));
    let from = Instant::now();
    let press = Press::of(&crowd, node.addr, TIMES - 1, from + slice).await?;
    let pressed = Stretch { from, to: from + slice };
    say(&format!("{}: a command after each answer again", base.name()));
    let after = Stretch::of(slice.max(BACK_MOST)).await;

    say(&format!("{}: comparing the answers with the log", base.name()));
    crowd.settle(END_MOST).await?;
    let mut ledger = Ledger::default();
    let broken = ledger.hold(&ground.db, &crowd.acknowledged()).await?;
    let mut bots = crowd.leave(ledger.ends(), END_MOST).await?;
    node.stop().await?;
    scheduled.tell_scheduled(&format!("{name}/open"), &bots);
    before.tell(&name, &bots);
    let peak = before.done(&bots);
    put(&format!("{name}/cpu/server"), node_used.as_secs_f64() * 1e6 / peak);
    put(&format!("{name}/cpu/bots"), bots_used.as_secs_f64() * 1e6 / peak);
    after.tell(&format!("{name}/after"), &bots);
    put(&format!("{name}/press/done"), count(press.done()) / pressed.seconds());
    for (code, times) in press.later() {
        put(&format!("{name}/press/{code}"), times);
    }
    for code in ["busy", "store", "closing", "too-many-requests"] {
        let times: u64 = bots.iter().filter_map(|bot| bot.later.get(code)).sum();
        put(&format!("{name}/later/{code}"), times);
    }
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    for (reason, times) in bots.iter().flat_map(|bot| &bot.ends) {
        *ends.entry(reason).or_default() += times;
    }
    for (reason, times) in ends {
        say(&format!("{}: {times} streams ended: {reason}", base.name()));
    }
    press.into_journals(&mut bots);
    pressed.tell(&format!("{name}/press"), &bots);
    let back = Stretch { from: pressed.to, to: after.to }.seconds_until(peak / before.seconds() * BACK, &bots);
    put(&format!("{name}/back"), back.unwrap_or(f64::INFINITY));
    put(&format!("{name}/resumed"), bots.iter().map(|bot| bot.resumed).sum::<u64>());
    let mut kept = kept(&ground.db, &bots).await?;
    kept.broken.extend(broken);
    kept.broken.iter().take(20).for_each(|broken| say(&broken.to_string()));
    put(&format!("{name}/rows"), kept.rows);
    put(&format!("{name}/broken"), kept.broken.len());
    begin_again(&name, &setup, &ledger).await
}

/// Measures how long a server takes to start and to load its longest table.
async fn begin_again(name: &str, setup: &Setup, ledger: &Ledger) -> Result<(), Trouble> {
    let Some((table, rows)) = ledger.ends().into_iter().max_by_key(|(_, rows)| *rows) else { return Ok(()) };
    let start = Instant::now();
    let node = Node::start(setup).await?;
    put(&format!("{name}/start"), start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    Http::to(node.addr, None).await?.ask("GET", &format!("/tables/{table}"), None).await?.done()?;
    put(&format!("{name}/longest/rows"), rows);
    put(&format!("{name}/longest/read"), start.elapsed().as_secs_f64() * 1e3);
    node.stop().await
}

/// Measures how much memory a server needs for so many tables that nobody plays at. A server doesn't have more than 1,000 of guests, so the first
/// table, which also loads what all tables share, counts as one like the others.
async fn idle(tables: usize) -> Result<(), Trouble> {
    say(&format!("{tables} idle tables"));
    let ground = Ground::new(Base::Sqlite).await?;
    let node = Node::start(&Setup::new(&std::env::current_exe()?, &ground)).await?;
    let mut before = 0;
    let mut owner = Http::to(node.addr, None).await?;
    for table in 0..tables {
        if table % OPENS == 0 {
            let guest = Http::to(node.addr, None).await?.ask("POST", "/guests", None).await?.done()?;
            owner = Http::to(node.addr, guest.cookie).await?;
        }
        let name = format!("idle-{table:04}");
        let open = json!({ "table": name, "name": name, "house": { "book": crate::crowd::book() } });
        owner.ask("POST", "/tables", Some(&open)).await?.done()?;
        owner.ask("GET", &format!("/tables/{name}"), None).await?.done()?;
        if table == 0 {
            before = node.memory();
        }
    }
    put("idle/tables", tables);
    let others = f64::from(u32::try_from(node.memory().saturating_sub(before)).unwrap_or(u32::MAX)) / 1e3;
    put("idle/memory", others * tables as f64 / (tables.max(2) - 1) as f64);
    node.stop().await
}

#[expect(clippy::print_stdout, reason = "the figures are the output of the benchmark")]
fn put(name: &str, figure: impl std::fmt::Display) {
    println!("{name}\t{figure}");
}

#[expect(clippy::print_stderr, reason = "progress messages")]
fn say(text: &str) {
    eprintln!("bench-server: {text}");
}
