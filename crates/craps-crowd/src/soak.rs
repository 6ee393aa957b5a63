//! A soak: a server takes an open load for a long time. Its memory stays what it was, and it breaks no promise.

use crate::crowd::Acknowledged;
use crate::ledger::{Kept, Ledger, kept};
use crate::{Base, Crowd, Ground, Manners, Node, Setup, Trouble};
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::{MissedTickBehavior, interval};

/// Maximum time for the last answers and the last rows.
const END_MOST: Duration = Duration::from_secs(300);
/// The part of a soak in which memory may still grow: caches fill up, and tables get their first rows.
const WARM_PERCENT: usize = 33;
/// The least number of measurements that say something about memory.
const LEAST: usize = 12;
/// How much memory may grow in an hour, in MiB. At 500 commands a second these are less than 40 bytes for each.
const GROWTH_MOST: i128 = 64;
/// How many more files may be open than after the warm-up.
const FILES_MOST: u64 = 16;

/// Plan of a soak.
#[derive(Debug, Clone, Copy)]
pub struct Soak {
    /// Number of tables.
    pub tables: usize,
    /// Number of bots per table.
    pub seats: u8,
    /// Commands that all bots together send in a second, whether or not those before are answered.
    pub rate: u32,
    /// Duration of the load.
    pub time: Duration,
    /// Time between two measurements.
    pub every: Duration,
    /// Seed of all random choices.
    pub seed: u64,
}

/// What the server used, and how fast it answered since the measurement before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Seconds since the start.
    pub second: u64,
    /// Commands that were acknowledged since the measurement before.
    pub acknowledged: usize,
    /// Median time to the answer.
    pub p50: Duration,
    /// The time that 99 of 100 answers took at most.
    pub p99: Duration,
    /// Memory of the server that no file backs, in KiB.
    pub memory: u64,
    /// All memory of the server that is resident, with the mapped part of the database, in KiB.
    pub resident: u64,
    /// Number of files and connections that the server has open.
    pub files: u64,
    /// Size of the database with its WAL, in bytes.
    pub database: u64,
}

/// Result of a soak.
#[derive(Debug)]
pub struct Soaked {
    /// The measurements, in order.
    pub measured: Vec<Measured>,
    /// Result of the comparison with the log.
    pub kept: Kept,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured { second, acknowledged, p50, p99, memory, resident, files, database } = self;
        let [memory, resident, database] = [memory / 1024, resident / 1024, database >> 20];
        write!(
            f,
            "{second:>6} {acknowledged:>8} {:>6}.{:03} {:>6}.{:03} {memory:>8} {resident:>8} {files:>6} {database:>8}",
            p50.as_millis(),
            p50.subsec_micros() % 1_000,
            p99.as_millis(),
            p99.subsec_micros() % 1_000,
        )
    }
}

impl Measured {
    /// The names of the columns.
    pub const HEADINGS: &str = "second acknowledged  p50 ms     p99 ms   memory resident  files database (MiB)";

    fn of(told: &[Acknowledged], second: u64, node: &Node, db: &Path) -> Result<Measured, Trouble> {
        let mut took: Vec<Duration> = told.iter().map(|told| told.took).collect();
        took.sort_unstable();
        let part = |percent| took.get(took.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default();
        let process = node.process().ok_or_else(|| Trouble::Server("the node has ended".to_owned()))?;
        let status = fs::read_to_string(format!("/proc/{process}/status"))?;
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or_default()
        };
        let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
        Ok(Measured {
            second,
            acknowledged: told.len(),
            p50: part(50),
            p99: part(99),
            memory: kib("RssAnon:"),
            resident: kib("VmRSS:"),
            files: fs::read_dir(format!("/proc/{process}/fd"))?.count() as u64,
            database: size(db) + size(&db.with_extension("db-wal")),
        })
    }
}

impl Soaked {
    /// The measurements after the warm-up, which is the first third.
    fn steady(&self) -> &[Measured] {
        self.measured.get(self.measured.len() * WARM_PERCENT / 100..).unwrap_or_default()
    }

    /// By how much memory grew after the warm-up, in MiB an hour: the slope of the line that fits the measurements best. `None` if there are too few
    /// measurements to say.
    #[must_use]
    pub fn growth(&self) -> Option<i128> {
        let steady = self.steady();
        (steady.len() >= LEAST).then(|| slope(steady.iter().map(|one| (one.second.into(), one.memory.into()))) / 1024)
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn wrong(&self) -> Vec<String> {
        let mut wrong: Vec<String> = self.kept.broken.iter().take(20).map(ToString::to_string).collect();
        if let Some(growth) = self.growth().filter(|growth| *growth > GROWTH_MOST) {
            wrong.push(format!("memory grows by {growth} MiB an hour; {GROWTH_MOST} are allowed"));
        }
        let files = self.steady().first().zip(self.steady().last()).map(|(first, last)| (first.files, last.files));
        if let Some((first, last)) = files.filter(|(first, last)| *last > first + FILES_MOST) {
            wrong.push(format!("{last} files are open; {first} were open after the warm-up"));
        }
        wrong
    }
}

impl fmt::Display for Soaked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, doubled, misplaced] = self.kept.faults();
        let Kept { rows, throws, acknowledged, refused, broken, .. } = &self.kept;
        write!(
            f,
            "{acknowledged} commands acknowledged, {lost} lost, {doubled} doubled, {misplaced} misplaced; {refused} refused, {rows} rows, \
             {throws} rolls; broken promises: {}; ",
            broken.len()
        )?;
        match self.growth() {
            Some(growth) => {
                write!(f, "after the warm-up memory grew by {growth} MiB an hour ({GROWTH_MOST} are allowed)")
            }
            None => write!(f, "too short to judge memory"),
        }
    }
}

/// Returns the slope of the line with the least squares through points of seconds and amounts, as an amount an hour.
fn slope(points: impl Iterator<Item = (i128, i128)>) -> i128 {
    let [mut n, mut x, mut y, mut xx, mut xy] = [0; 5];
    for (second, amount) in points {
        (n, x, y, xx, xy) = (n + 1, x + second, y + amount, xx + second * second, xy + second * amount);
    }
    (3_600 * (n * xy - x * y)).checked_div(n * xx - x * x).unwrap_or_default()
}

impl Soak {
    /// Loads a server on SQLite and measures it. Calls `each` with every measurement as it is made.
    ///
    /// # Errors
    /// When the node doesn't start or ends, or answers stop coming.
    pub async fn run(&self, program: &Path, mut each: impl FnMut(&Measured)) -> Result<Soaked, Trouble> {
        let ground = Ground::new(Base::Sqlite).await?;
        let setup = Setup::new(program, &ground);
        let node = Node::start(&setup).await?;
        let bots = u32::try_from(self.tables).unwrap_or(u32::MAX).saturating_mul(self.seats.into());
        let pace = Duration::from_secs(1) * bots / self.rate.max(1);
        let manners = Manners { pause: Duration::ZERO, later: Duration::from_millis(50), every: Some(pace) };
        let crowd = Crowd::come(vec![node.addr], self.tables, self.seats, manners, self.seed).await?;

        let db = Path::new(ground.db.trim_start_matches("sqlite:"));
        let (start, mut ledger) = (Instant::now(), Ledger::default());
        let (mut measured, mut broken) = (Vec::new(), Vec::new());
        let mut ticks = interval(self.every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick comes at once.
        ticks.tick().await;
        while start.elapsed() < self.time {
            ticks.tick().await;
            let told = crowd.acknowledged();
            let one = Measured::of(&told, start.elapsed().as_secs(), &node, db)?;
            each(&one);
            measured.push(one);
            broken.extend(ledger.hold(&ground.db, &told).await?);
        }
        crowd.settle(END_MOST).await?;
        broken.extend(ledger.hold(&ground.db, &crowd.acknowledged()).await?);
        let bots = crowd.leave(ledger.ends(), END_MOST).await?;
        node.stop().await?;
        let mut kept = kept(&ground.db, &bots).await?;
        kept.broken.extend(broken);
        Ok(Soaked { measured, kept })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soaked(memory: impl Fn(u64) -> u64, files: impl Fn(u64) -> u64) -> Soaked {
        let one = |minute: u64| Measured {
            second: minute * 60,
            acknowledged: 30_000,
            p50: Duration::ZERO,
            p99: Duration::ZERO,
            memory: memory(minute),
            resident: 0,
            files: files(minute),
            database: 0,
        };
        Soaked { measured: (1..=60).map(one).collect(), kept: Kept::default() }
    }

    #[test]
    fn memory_that_grows_steadily_is_wrong_and_a_warm_up_is_not() {
        let jumps = |minute: u64| 200_000 + minute % 7 * 3_000;
        let steady = soaked(jumps, |_| 300);
        assert!(steady.growth().is_some_and(|growth| growth.abs() < 10), "{:?}", steady.growth());
        assert_eq!(steady.wrong(), Vec::<String>::new());
        // It grows in the first twenty minutes only.
        let warm = soaked(|minute| jumps(minute) + minute.min(20) * 10_000, |minute| 100 + minute.min(20));
        assert_eq!(warm.wrong(), Vec::<String>::new());
        // Two MiB a minute are 120 an hour.
        let grows = soaked(|minute| jumps(minute) + minute * 2_048, |_| 300);
        assert!(grows.growth().is_some_and(|growth| (110..130).contains(&growth)), "{:?}", grows.growth());
        assert_eq!(grows.wrong().len(), 1);
        let leaks = soaked(jumps, |minute| 300 + minute);
        assert_eq!(leaks.wrong(), ["360 files are open; 320 were open after the warm-up"]);
    }

    #[test]
    fn a_short_soak_says_nothing_about_memory() {
        let mut short = soaked(|minute| minute * 1_000_000, |_| 300);
        short.measured.truncate(5);
        assert_eq!(short.growth(), None);
        assert_eq!(slope([(0, 0), (3_600, 10)].into_iter()), 10);
        assert_eq!(slope([(7, 3)].into_iter()), 0);
    }
}
