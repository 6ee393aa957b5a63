//! Compares what bots heard with the log.

use crate::bot::{Bot, Outcome};
use crate::line::Line;
use crate::view::View;
use crate::{Trouble, crowd::Acknowledged};
use craps_law::Library;
use craps_server::audit::Auditor;
use craps_server::live::Live;
use craps_server::live::pit::told;
use craps_server::live::rows::Reader;
use craps_server::live::view::{Eye, table};
use craps_store::{Head, Row, Store};
use std::collections::{BTreeMap, HashMap};

/// A broken promise of the server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages explain each field")]
pub enum Broken {
    #[error("table {table}, seat {seat}: received row {found} after row {after}")]
    Gap { table: String, seat: u8, after: u64, found: u64 },
    #[error("table {table}, seat {seat}, row {seq}: {how}")]
    View { table: String, seat: u8, seq: u64, how: String },
    #[error("table {table}: can't parse a line: {why}")]
    Unreadable { table: String, why: String },
    #[error("table {table}, seat {seat}: could not resume after row {after}: {why}")]
    NotResumed { table: String, seat: u8, after: u64, why: String },
    #[error("table {table}: {client} was told that {key} is row {row}, but the log has {found:?}")]
    Lost { table: String, client: String, key: String, row: u64, found: Option<u64> },
    #[error("table {table}: {key} of {client} was carried out twice, in row {first} and row {second}")]
    Doubled { table: String, client: String, key: String, first: u64, second: u64 },
    #[error("table {table}: {key} of {client} was refused ({code}) but is in row {row}")]
    Refused { table: String, client: String, key: String, code: String, row: u64 },
    #[error("table {table}: {key} of {client} was never answered")]
    Unanswered { table: String, client: String, key: String },
    #[error("table {table}, row {row}: the crowd never sent {key} of {client}")]
    Unasked { table: String, client: String, key: String, row: u64 },
    #[error("table {table}, row {row}: what seat {seat} received differs from the log")]
    ToldOtherwise { table: String, seat: u8, row: u64 },
    #[error("table {table}: the log ends at row {end}, but seat {seat} only heard up to row {heard}")]
    NotHeard { table: String, seat: u8, end: u64, heard: u64 },
    #[error("table {table}, row {row}: doesn't follow the row before, or was changed")]
    Chain { table: String, row: u64 },
    #[error("audit: {0}")]
    Audit(String),
}

/// Result of the check after the crowd has left.
#[derive(Debug, Default)]
pub struct Kept {
    /// Number of tables.
    pub tables: u64,
    /// Number of log rows.
    pub rows: u64,
    /// Number of rolls settled again by the audit.
    pub throws: u64,
    /// Number of acknowledged commands that made rows.
    pub acknowledged: u64,
    /// Number of commands that were refused and not retried.
    pub refused: u64,
    /// All broken promises.
    pub broken: Vec<Broken>,
}

/// The complete log of one table.
struct Log {
    live: Live,
    reader: Reader,
    /// Digest of the public version of each row.
    digests: Vec<u64>,
    keys: HashMap<(String, String), u64>,
}

impl Log {
    fn take(&mut self, row: &Row) {
        let Some(mut told) = told(row.clone()) else { return };
        let Ok(entry) = self.live.names().read(&told.entry) else { return };
        self.live.apply(row.seq, &row.hash, &entry);
        told.roll = self.live.roll_of(row.seq).cloned();
        told.left = self.live.left_by(row.seq, &entry.did);
        self.digests.push(read(&self.reader.row(&told, &Eye::default())).digest());
    }
}

/// Converts a server view to a line as bots parse it.
fn read(told: &impl serde::Serialize) -> Line {
    serde_json::to_value(told).and_then(serde_json::from_value).unwrap_or_default()
}

/// Checks everything: the hash chain, the signed heads, the audit of every row, every answer and every row that a bot received, and its view of its
/// seat. Call it after the bots have heard the whole log.
///
/// # Errors
/// When the store can't be read.
pub async fn kept(db: &str, bots: &[Bot]) -> Result<Kept, Trouble> {
    let library = Library::shipped();
    let mut auditor = Auditor::new(&library);
    let (mut logs, mut broken) = (BTreeMap::<String, Log>::new(), Vec::new());
    let store = Store::open_existing(db).await?;
    let verified = store.verify_with(&[], None, |row| {
        auditor.row(row);
        match logs.get_mut(&row.table) {
            Some(log) => log.take(row),
            None => {
                let live = told(row.clone()).and_then(|told| Live::open(&library, &told.entry, &row.hash).ok());
                // The audit skips logs that belong to no table and reports broken ones.
                logs.extend(live.map(|live| {
                    let reader = Reader::new(&live);
                    (row.table.clone(), Log { live, reader, digests: vec![0], keys: HashMap::new() })
                }));
            }
        }
        if let (Some(key), Some(log)) = (&row.key, logs.get_mut(&row.table))
            && let Some(first) = log.keys.insert((row.client.clone(), key.clone()), row.seq)
        {
            let (table, client, key) = (row.table.clone(), row.client.clone(), key.clone());
            broken.push(Broken::Doubled { table, client, key, first, second: row.seq });
        }
    });
    let verified = verified.await;
    store.close().await;
    let (verified, audited) = (verified?, auditor.finish());
    broken.extend(verified.findings.iter().map(|finding| Broken::Audit(finding.to_string())));
    broken.extend(audited.findings.iter().map(|finding| Broken::Audit(finding.to_string())));
    let mut kept =
        Kept { tables: audited.tables, rows: verified.rows, throws: audited.throws, broken, ..Kept::default() };
    for bot in bots {
        kept.broken.extend(bot.broken.iter().cloned());
        if let Some(log) = logs.get_mut(bot.table()) {
            kept.hold_answers(bot, log);
            kept.hold_rows(bot, log);
        }
    }
    for (table, log) in logs {
        let unasked = |((client, key), row)| Broken::Unasked { table: table.clone(), client, key, row };
        kept.broken.extend(log.keys.into_iter().map(unasked));
    }
    Ok(kept)
}

impl Kept {
    /// Counts what went wrong with acknowledged commands: those that are lost, those that were done twice, and those that are in another row than
    /// their sender was told.
    #[must_use]
    pub fn faults(&self) -> [usize; 3] {
        let count = |is: fn(&Broken) -> bool| self.broken.iter().filter(|broken| is(broken)).count();
        [
            count(|broken| matches!(broken, Broken::Lost { found: None, .. })),
            count(|broken| matches!(broken, Broken::Doubled { .. })),
            count(|broken| matches!(broken, Broken::Lost { found: Some(_), .. })),
        ]
    }

    /// Checks that every acknowledged command is in the row that its sender was told, and that no refused command has a row.
    fn hold_answers(&mut self, bot: &Bot, log: &mut Log) {
        for sent in &bot.sent {
            let found = log.keys.remove(&(bot.client.clone(), sent.key.clone()));
            let (table, client, key) = (bot.table().to_owned(), bot.client.clone(), sent.key.clone());
            match &sent.outcome {
                Outcome::Done(rows) => {
                    self.acknowledged += u64::from(!rows.is_empty());
                    match (rows.first(), found) {
                        (row, found) if row.copied() == found => {}
                        (row, found) => {
                            let row = row.copied().unwrap_or_default();
                            self.broken.push(Broken::Lost { table, client, key, row, found });
                        }
                    }
                }
                Outcome::Refused(code) => {
                    self.refused += 1;
                    if let Some(row) = found {
                        self.broken.push(Broken::Refused { table, client, key, code: code.clone(), row });
                    }
                }
                Outcome::Open => self.broken.push(Broken::Unanswered { table, client, key }),
            }
        }
    }

    /// Checks that every row that a bot received equals the log, up to its end, and that the bot's view equals a fresh replay.
    fn hold_rows(&mut self, bot: &Bot, log: &Log) {
        let (view, end) = (&bot.view, log.live.head().0);
        let (table, seat) = (view.table.clone(), view.seat);
        let from = usize::try_from(view.before).unwrap_or(usize::MAX);
        let logged = log.digests.get(from..).unwrap_or_default();
        if let Some(at) = view.heard.iter().zip(logged).position(|(heard, logged)| heard != logged) {
            let row = view.before + 1 + at as u64;
            self.broken.push(Broken::ToldOtherwise { table: table.clone(), seat, row });
        }
        if view.last() != end {
            self.broken.push(Broken::NotHeard { table, seat, end, heard: view.last() });
            return;
        }
        let eye = Eye { who: Some(bot.client.clone()), all: false, invitation: None };
        let replayed = View::told(&table, seat, &read(&crate::ledger::table(&table, &log.live, &eye)));
        let differs = view.differs(&replayed);
        self.broken.extend(differs.map(|how| Broken::View { table, seat, seq: end, how }));
    }
}

/// Keys of all commands in the logs so far. It is updated from time to time while the crowd plays.
#[derive(Debug, Default)]
pub struct Ledger {
    heads: BTreeMap<String, Head>,
    keys: HashMap<(String, String, String), u64>,
}

impl Ledger {
    /// Reads the new rows and compares the acknowledgments of the crowd with them.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn hold(&mut self, db: &str, told: &[Acknowledged]) -> Result<Vec<Broken>, Trouble> {
        let store = Store::open_existing(db).await?;
        let mut broken = Vec::new();
        for (table, end) in store.tables().await? {
            let head = self.heads.entry(table.clone()).or_default();
            while head.seq < end.seq {
                for row in store.load(&table, head.seq, 1_000).await? {
                    if row.seq != head.seq + 1 || row.prev != head.hash || row.digest() != row.hash {
                        broken.push(Broken::Chain { table: table.clone(), row: row.seq });
                    }
                    *head = row.head();
                    let Some(key) = row.key else { continue };
                    let command = (table.clone(), row.client.clone(), key.clone());
                    if let Some(first) = self.keys.insert(command, row.seq) {
                        let (table, client) = (table.clone(), row.client);
                        broken.push(Broken::Doubled { table, client, key, first, second: row.seq });
                    }
                }
            }
        }
        store.close().await;
        for Acknowledged { table, client, key, row, .. } in told {
            let found = self.keys.get(&(table.clone(), client.clone(), key.clone())).copied();
            if found != Some(*row) {
                let (table, client, key) = (table.clone(), client.clone(), key.clone());
                broken.push(Broken::Lost { table, client, key, row: *row, found });
            }
        }
        Ok(broken)
    }

    /// Returns the number of the last row of each table.
    #[must_use]
    pub fn ends(&self) -> HashMap<String, u64> {
        self.heads.iter().map(|(table, head)| (table.clone(), head.seq)).collect()
    }
}
