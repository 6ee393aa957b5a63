//! The audit of a whole store, by several threads.
//!
//! Logs are independent of each other. A long log is audited in parts: each part but the first begins with a saved state, reads on to the next place
//! between two hands, and is judged from there. Nothing about a saved state is trusted. The audit of the part before must arrive at the same place
//! with the same state; if it doesn't, the part is judged again from where the part before arrived. So the result is the same as that of one
//! thread, finding by finding.

use super::docket::{Approach, Docket, Place};
use super::kept::Known;
use super::{Audited, Auditor, NotKept, Trusted};
use crate::live::purse::owner_of;
use crate::live::{BetName, Entry, Live, MARK};
use craps_law::Library;
use craps_store::{
    Archives, Before, Extent, Finding, Found, Head, PublicKey, Row, SignedHead, Store, StoreError, Verified, Verifier,
    is_table,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use tokio::runtime::Handle;

/// Number of rows that are read at once.
const PAGE: u32 = 1_000;
/// How many finished parts for each thread can wait for the parts before them.
const AHEAD: usize = 4;

/// How a store is audited.
pub struct Audit<'a> {
    /// The books.
    pub library: &'a Library,
    /// Signed heads that the logs must match, besides those in the database.
    pub heads: &'a [SignedHead],
    /// The key that heads must be signed with.
    pub key: Option<&'a PublicKey>,
    /// Number of threads.
    pub threads: usize,
    /// Number of rows in a part of a long log, normally [`super::PART`]. It must be a multiple of the distance between two saved states.
    pub part: u64,
    /// What an earlier audit found to be right. Rows before that are not looked at.
    pub since: Option<&'a Trusted>,
    /// Is called now and then with the number of rows that were read, and of all rows.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
}

/// The result of an audit.
#[derive(Debug)]
pub struct Report {
    /// What the check of the rows and of the hash chain found.
    pub verified: Verified,
    /// What was decided again.
    pub audited: Audited,
    /// From where the next audit can begin.
    pub trusted: Trusted,
    /// How many parts of long logs were audited again, because the part before didn't arrive where they began.
    pub again: u64,
}

/// Why a store was not audited.
#[derive(Debug, thiserror::Error)]
pub enum NotAudited {
    /// It can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The trusted point can't be used.
    #[error(transparent)]
    Trusted(#[from] NotKept),
}

/// A part of a log. `None` is the beginning; a number is the row whose saved state it begins with, or a later one.
struct Job {
    log: usize,
    part: Option<u64>,
}

/// A part of a log that was audited.
struct Piece<'l> {
    /// Where it began. None for the beginning of the log.
    began: Option<Place>,
    verifier: Verifier,
    auditor: Auditor<'l>,
    /// The log has ended.
    ended: bool,
}

/// What the threads share.
struct Shared<'a> {
    audit: &'a Audit<'a>,
    store: &'a Store,
    runtime: &'a Handle,
    archives: &'a Archives,
    /// The states at the ends of archives, by table.
    bases: &'a BTreeMap<String, Known>,
    logs: &'a [Extent],
    jobs: &'a [Job],
    /// The verifier with all signed heads and without rows.
    heads: &'a Verifier,
    next: AtomicUsize,
    done: Mutex<Finished<'a>>,
    changed: Condvar,
    stop: AtomicBool,
    read: AtomicU64,
    all: u64,
}

#[derive(Default)]
struct Finished<'l> {
    /// Pieces by their jobs. None if a piece can't be audited by itself.
    pieces: BTreeMap<usize, Result<Option<Box<Piece<'l>>>, StoreError>>,
    /// How many jobs were taken over.
    taken: usize,
}

impl<'a> Audit<'a> {
    /// Audits a store. Call it on a thread that may block, with the runtime that the store was opened on.
    ///
    /// # Errors
    /// When the store can't be read, or the trusted point is about another store.
    pub fn of(&self, store: &Store, runtime: &Handle) -> Result<Report, NotAudited> {
        if let Some(since) = self.since.filter(|since| since.store != store.id()) {
            let (expected, found) = (store.id().to_owned(), since.store.clone());
            return Err(NotKept::OtherStore { expected, found }.into());
        }
        let (logs, signed, moved) = runtime.block_on(async {
            Ok::<_, StoreError>((store.extents().await?, store.signed_heads().await?, store.archive_log().await?))
        })?;
        let mut heads = Verifier::new(Some(store.id()), self.key);
        heads.know_archives(&moved);
        self.heads.iter().chain(&signed).for_each(|head| heads.head(head));
        let mut archives = Archives::default();
        // A row that can't be read is found when it is verified.
        let _ = moved.iter().try_for_each(|row| archives.take(row));
        let last = |extent: &Extent| archives.of(&extent.table).and_then(|basis| Known::read(&basis.state));
        let bases: BTreeMap<String, Known> =
            logs.iter().filter_map(|extent| Some((extent.table.clone(), last(extent)?))).collect();
        let from = |extent: &Extent| self.known(&bases, &extent.table).map_or(0, |known| known.from.seq);
        let jobs: Vec<Job> =
            logs.iter().enumerate().flat_map(|(log, extent)| self.parts(log, extent, from(extent))).collect();
        let shared = Shared {
            audit: self,
            store,
            runtime,
            archives: &archives,
            bases: &bases,
            logs: &logs,
            jobs: &jobs,
            heads: &heads,
            next: AtomicUsize::new(0),
            done: Mutex::default(),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
            read: AtomicU64::new(0),
            all: logs.iter().map(|extent| extent.last.saturating_sub(from(extent))).sum(),
        };
        // This thread takes the parts over, and helps while it waits.
        let joined = thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| shared.work());
            }
            let joined = shared.join();
            shared.stop.store(true, Ordering::Release);
            shared.changed.notify_all();
            joined
        });
        Ok(joined?)
    }

    /// Returns where the audit of a log begins: where an earlier audit ended, or at the end of the archive, if that is later.
    fn known<'k>(&'k self, bases: &'k BTreeMap<String, Known>, log: &str) -> Option<&'k Known> {
        let (since, basis) = (self.since.and_then(|since| since.logs.get(log)), bases.get(log));
        since.filter(|since| basis.is_none_or(|basis| since.from.seq >= basis.from.seq)).or(basis)
    }

    /// Splits a log after a row. With one thread, there is nothing to gain.
    fn parts(&self, log: usize, extent: &Extent, from: u64) -> Vec<Job> {
        let mut jobs = vec![Job { log, part: None }];
        if self.threads > 1 && is_table(&extent.table) {
            // The last part has to be long enough to be worth it.
            let parts = (from / self.part + 1)..=(extent.last.saturating_sub(self.part / 2) / self.part);
            jobs.extend(parts.map(|part| Job { log, part: Some(part * self.part) }));
        }
        jobs
    }
}

impl<'a> Shared<'a> {
    fn known(&self, log: &str) -> Option<&Known> {
        self.audit.known(self.bases, log)
    }

    fn done(&self) -> MutexGuard<'_, Finished<'a>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn page(&self, table: &str, after: Option<u64>) -> Result<Vec<Found>, StoreError> {
        self.runtime.block_on(self.store.page(table, after, PAGE))
    }

    fn row(&self, table: &str, seq: u64) -> Result<Option<Row>, StoreError> {
        let found = self.runtime.block_on(self.store.load_as_is(table, seq.saturating_sub(1), 1))?;
        Ok(found.into_iter().next().filter(|row| row.seq == seq))
    }

    fn count(&self, rows: u64) {
        let read = self.read.fetch_add(rows, Ordering::Relaxed) + rows;
        if let Some(progress) = self.audit.progress {
            progress(read.min(self.all), self.all);
        }
    }

    /// Audits one part after the other until none is left.
    fn work(&self) {
        loop {
            let job = self.next.fetch_add(1, Ordering::Relaxed);
            if job >= self.jobs.len() || self.stop.load(Ordering::Acquire) {
                return;
            }
            let mut done = self.done();
            while job > done.taken + AHEAD * self.audit.threads && !self.stop.load(Ordering::Acquire) {
                done = self.changed.wait(done).unwrap_or_else(PoisonError::into_inner);
            }
            drop(done);
            let piece = self.piece(&self.jobs[job]);
            self.done().pieces.insert(job, piece.map(|piece| piece.map(Box::new)));
            self.changed.notify_all();
        }
    }

    /// Audits a part by itself. None if that isn't possible.
    fn piece(&self, job: &Job) -> Result<Option<Piece<'a>>, StoreError> {
        let Extent { table, last, .. } = &self.logs[job.log];
        let Some(part) = job.part else {
            // The one who takes the parts over goes on from what was trusted.
            if self.known(table).is_some() {
                return Ok(None);
            }
            let (mut verifier, mut auditor) =
                (self.heads.part(table, &Head::default()), Auditor::in_parts(self.audit.library, self.audit.part));
            let ended = self.run(job.log, None, &mut verifier, &mut auditor)?;
            return Ok(Some(Piece { began: None, verifier, auditor, ended }));
        };
        let Some((approach, place)) = self.approach(table, part, *last)? else { return Ok(None) };
        let (seq, hash) = place.live.head();
        let from = Head { seq, hash: hash.to_owned() };
        let Ok(docket) = Docket::after(self.audit.library, table, approach, place.clone()) else { return Ok(None) };
        let mut auditor = Auditor::in_parts(self.audit.library, self.audit.part);
        auditor.tables.insert(table.clone(), docket.in_parts(self.audit.part));
        let mut verifier = self.heads.part(table, &from);
        let ended = self.run(job.log, Some(seq), &mut verifier, &mut auditor)?;
        Ok(Some(Piece { began: Some(place), verifier, auditor, ended }))
    }

    /// Reads on from the last saved state before a part to the first place between two hands in it. The state is from before the part, so that the
    /// secret of the last hand is known.
    fn approach(&self, table: &str, part: u64, last: u64) -> Result<Option<(Approach, Place)>, StoreError> {
        let before = Before::Row(part - MARK + 1);
        let mark = self.runtime.block_on(self.store.mark(table, before))?;
        let Some(mark) = mark.filter(|mark| mark.seq + self.audit.part > part) else { return Ok(None) };
        let first = self.row(table, 1)?;
        let opened = first.and_then(|first| {
            let entry = serde_json::from_str::<Entry<BetName>>(&first.body).ok()?;
            Live::open(self.audit.library, &entry, &first.hash).ok()?.with_state(&mark.body)
        });
        let Some(live) = opened.filter(|live| live.head().0 == mark.seq) else { return Ok(None) };
        let (mut approach, mut seq) = (Approach::new(live), mark.seq);
        while seq < last {
            let page = self.page(table, Some(seq))?;
            if page.is_empty() {
                break;
            }
            for (_, row) in page {
                let Ok(row) = row else { return Ok(None) };
                let Ok(entry) = serde_json::from_str(&row.body) else { return Ok(None) };
                seq = row.seq;
                if !approach.row(&row, entry) {
                    return Ok(None);
                }
                if seq >= part
                    && let Some(place) = approach.place()
                {
                    return Ok(Some((approach, place)));
                }
            }
        }
        Ok(None)
    }

    /// Audits rows of a log after one of them, until the text of the game is begun anew or the log ends. Returns true if it has ended.
    fn run(
        &self,
        log: usize,
        mut after: Option<u64>,
        verifier: &mut Verifier,
        auditor: &mut Auditor<'_>,
    ) -> Result<bool, StoreError> {
        let Extent { table, last, .. } = &self.logs[log];
        let begun = |auditor: &Auditor<'_>| auditor.tables.get(table).map(Docket::begun);
        let from = begun(auditor).unwrap_or(1);
        while after.is_none_or(|after| after < *last) && !self.stop.load(Ordering::Acquire) {
            let page = self.page(table, after)?;
            let (mut read, mut ended) = (0, page.is_empty());
            for (number, row) in page {
                match row {
                    // Rows that came since then are audited next time.
                    Ok(row) if row.seq > *last => {
                        self.count(read);
                        return Ok(true);
                    }
                    Ok(row) => {
                        verifier.row(&row);
                        auditor.row(&row);
                        (after, read) = (Some(row.seq), read + 1);
                        if begun(auditor).is_some_and(|begun| begun > from) {
                            self.count(read);
                            return Ok(row.seq >= *last);
                        }
                    }
                    Err(unreadable) => {
                        verifier.find(unreadable);
                        // A row without a number comes after all others.
                        ended |= number.is_none();
                        after = number.or(after);
                    }
                }
            }
            self.count(read);
            if ended {
                break;
            }
        }
        Ok(true)
    }

    /// Takes the parts over, in order.
    fn join(&self) -> Result<Report, StoreError> {
        let (mut verifier, mut auditor) = (self.heads.clone(), Auditor::in_parts(self.audit.library, self.audit.part));
        auditor.archives = self.archives.clone();
        let mut trusted = Trusted { store: self.store.id().to_owned(), logs: BTreeMap::new() };
        let (mut job, mut again) = (0, 0);
        for (log, extent) in self.logs.iter().enumerate() {
            let first = self.row(&extent.table, 1)?;
            let mut after = self.begin(extent, first.as_ref(), &mut verifier, &mut auditor)?;
            let mut ended = match self.take_job(job, true)? {
                Some(piece) => {
                    verifier.absorb(&extent.table, piece.verifier);
                    auditor.absorb(piece.auditor);
                    after = Some(verifier.reached(&extent.table).seq);
                    piece.ended
                }
                None => self.step(log, &mut after, &mut verifier, &mut auditor)?,
            };
            job += 1;
            while self.jobs.get(job).is_some_and(|job| job.log == log) {
                let piece = self.take_job(job, !ended)?;
                job += 1;
                let Some(Piece { began: Some(began), verifier: checked, auditor: judged, ended: last }) =
                    piece.map(|piece| *piece)
                else {
                    continue;
                };
                // Long hands can pass over the beginning of a part.
                while !ended && after.is_some_and(|after| after < began.row()) {
                    ended = self.step(log, &mut after, &mut verifier, &mut auditor)?;
                }
                if ended || after != Some(began.row()) {
                    continue;
                }
                if verifier.takes(&extent.table, &checked) && auditor.goes_on(&extent.table, judged, &began) {
                    verifier.absorb(&extent.table, checked);
                    (after, ended) = (Some(verifier.reached(&extent.table).seq), last);
                } else {
                    again += 1;
                    ended = self.step(log, &mut after, &mut verifier, &mut auditor)?;
                }
            }
            while !ended {
                ended = self.step(log, &mut after, &mut verifier, &mut auditor)?;
            }
            verifier.end(&extent.table, &extent.said.clone().unwrap_or_default());
            let end = verifier.reached(&extent.table);
            let known = match owner_of(&extent.table).map(|who| auditor.purses.get(who)) {
                Some(purse) => purse.map(|(_, purse)| Known::of_purse(end, purse.clone())),
                None if is_table(&extent.table) => {
                    let opened = first.map(|first| first.hash).unwrap_or_default();
                    auditor.tables.get(&extent.table).and_then(|docket| Known::of_table(end, &opened, docket))
                }
                None => Some(Known::plain(end)),
            };
            trusted.logs.extend(known.map(|known| (extent.table.clone(), known)));
        }
        // Logs that are gone were trusted too.
        for (table, known) in self.audit.since.into_iter().flat_map(|since| &since.logs) {
            if !self.logs.iter().any(|extent| extent.table == *table) {
                verifier.find(Finding::Truncated { table: table.clone(), signed: known.end.seq, end: 0 });
            }
        }
        Ok(Report { verified: verifier.finish(), audited: auditor.finish(), trusted, again })
    }

    /// Waits for the result of a job, and works on others in the meantime. None if the part has to be audited by the caller.
    fn take_job(&self, job: usize, wanted: bool) -> Result<Option<Box<Piece<'a>>>, StoreError> {
        // A part after the end of a log isn't needed.
        if !wanted {
            let mut done = self.done();
            done.taken = done.taken.max(job + 1);
            done.pieces.remove(&job);
            drop(done);
            self.changed.notify_all();
            return Ok(None);
        }
        loop {
            let mut done = self.done();
            if let Some(piece) = done.pieces.remove(&job) {
                done.taken = job + 1;
                drop(done);
                self.changed.notify_all();
                return piece;
            }
            let next = self.next.load(Ordering::Relaxed);
            if next < self.jobs.len() && next <= done.taken + AHEAD * self.audit.threads {
                drop(done);
                self.one();
                continue;
            }
            drop(self.changed.wait(done).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Audits one part.
    fn one(&self) {
        let job = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(of) = self.jobs.get(job) {
            let piece = self.piece(of);
            self.done().pieces.insert(job, piece.map(|piece| piece.map(Box::new)));
            self.changed.notify_all();
        }
    }

    /// Begins with a log: at its beginning, or where an earlier audit ended. Returns the row before.
    fn begin(
        &self,
        extent: &Extent,
        first: Option<&Row>,
        verifier: &mut Verifier,
        auditor: &mut Auditor<'a>,
    ) -> Result<Option<u64>, StoreError> {
        let table = &extent.table;
        let Some(known) = self.known(table) else { return Ok(None) };
        let moved = self.archives.of(table).map(|basis| &basis.seal.end);
        for head in [&known.from, &known.end] {
            let (table, seq) = (table.clone(), head.seq);
            match self.row(&table, seq)? {
                Some(row) if row.hash == head.hash => continue,
                // The last row of the archive has this hash, or a later row was compared with it.
                None if moved.is_some_and(|end| end.seq > seq || end == head) => continue,
                Some(_) => verifier.find(Finding::Rewritten { table, seq }),
                None => verifier.find(Finding::Truncated { table, signed: seq, end: extent.last }),
            }
            // What was trusted isn't there any more, so everything is looked at.
            return Ok(None);
        }
        if is_table(table) {
            let Some(docket) = first.and_then(|first| known.docket(self.audit.library, first)) else { return Ok(None) };
            auditor.tables.insert(table.clone(), docket.in_parts(self.audit.part));
        } else if let (Some(who), Some(purse)) = (owner_of(table), &known.purse) {
            auditor.purses.insert(who.to_owned(), (known.from.seq, purse.clone()));
            auditor.known.insert(who.to_owned(), known.from.seq);
        }
        verifier.resume(table, known.from.clone());
        verifier.without_heads_to(table, known.from.seq);
        match moved {
            Some(end) if *end == known.from => auditor.audited.archived += end.seq - 1,
            _ => auditor.audited.trusted += known.from.seq,
        }
        Ok(Some(known.from.seq))
    }

    /// Audits the next part of a log by the one who takes the parts over.
    fn step(
        &self,
        log: usize,
        after: &mut Option<u64>,
        verifier: &mut Verifier,
        auditor: &mut Auditor<'a>,
    ) -> Result<bool, StoreError> {
        let ended = self.run(log, *after, verifier, auditor)?;
        *after = Some(verifier.reached(&self.logs[log].table).seq);
        Ok(ended)
    }
}
