//! Trust in the logs: a store is compared with what was signed before, and only what came since then is verified row by row.
//!
//! The heads that count are kept in a file outside the database. Someone who can change the database can't change them, and can't make the server
//! sign a log that was shortened or rewritten.

use crate::base::{Pool, on};
use crate::chain::{Finding, Verified, Verifier};
use crate::error::StoreError;
use crate::export::read_heads;
use crate::heads::{Kept, PublicKey, SignedHead, signed_head};
use crate::people::new_id;
use crate::private;
use crate::row::{Head, Row};
use crate::store::Store;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Number of rows that are read at a time.
const PAGE: u32 = 2_000;

/// A step to a file. In a simulation it can fail.
fn may_fail(writes: bool) -> io::Result<()> {
    #[cfg(feature = "testing")]
    let fault = crate::testing::file_fault(writes);
    #[cfg(not(feature = "testing"))]
    let fault = None::<io::Error>.filter(|_| writes);
    fault.map_or(Ok(()), Err)
}

/// The file in which a server keeps the last signed head of every log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadFile(PathBuf);

impl HeadFile {
    /// Returns the file that belongs to a key: the same path with `.heads` added.
    #[must_use]
    pub fn of_key(key: &Path) -> HeadFile {
        HeadFile(private::beside(key, ".heads"))
    }

    /// Returns the file at this path.
    #[must_use]
    pub fn at(file: &Path) -> HeadFile {
        HeadFile(file.to_owned())
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reads the heads. A file that doesn't exist yet has none.
    pub fn read(&self) -> Result<Vec<SignedHead>, StoreError> {
        match may_fail(false).and_then(|()| File::open(&self.0)) {
            Ok(file) => read_heads(BufReader::new(file)).map_err(|error| match error {
                StoreError::Refused(why) => StoreError::file(&self.0)(io::Error::new(io::ErrorKind::InvalidData, why)),
                error => error,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(StoreError::file(&self.0)(error)),
        }
    }

    /// Forgets all heads.
    pub fn forget(&self) -> Result<(), StoreError> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::file(&self.0)(error)),
            _ => Ok(()),
        }
    }

    /// Renames the file, so that new heads begin and the old ones are still there. Returns the new name, or None if there is no file.
    pub fn set_aside(&self, at: i64) -> Result<Option<PathBuf>, StoreError> {
        let aside = private::beside(&self.0, &format!(".until-{at}"));
        match fs::rename(&self.0, &aside) {
            Ok(()) => Ok(Some(aside)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::file(&self.0)(error)),
        }
    }

    /// Replaces the heads of these logs and keeps those of all others. A killed process leaves the old file or the new one.
    pub fn keep(&self, heads: &[SignedHead]) -> Result<(), StoreError> {
        let mut all: BTreeMap<String, SignedHead> = BTreeMap::new();
        for head in self.read()?.into_iter().chain(heads.iter().cloned()) {
            // Another server with the same key may have signed later rows in the meantime.
            if all.get(&head.table).is_none_or(|known| known.seq <= head.seq) {
                all.insert(head.table.clone(), head);
            }
        }
        let draft = private::beside(&self.0, &format!(".{}", new_id()?));
        let write = || {
            may_fail(true)?;
            let mut file = io::BufWriter::new(private::create(&draft)?);
            for head in all.values() {
                serde_json::to_writer(&mut file, head)?;
                file.write_all(b"\n")?;
            }
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            may_fail(true)?;
            fs::rename(&draft, &self.0)
        };
        let written = write();
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written.map_err(StoreError::file(&self.0))
    }
}

impl Store {
    /// Compares the logs with the heads that were signed with this key before, those in the database and `kept` ones, and verifies the rows since
    /// then. The time it takes depends on how much was written since the last signature, not on the length of the logs.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{HeadKey, NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let key = HeadKey::open_or_create(&HeadKey::beside(&file))?;
    /// let kept = store.sign_heads(&key, 0).await?;
    /// store.append("north", 3, vec![row("4")]).await?;
    /// let verified = store.verify_since(&kept, &key.public()).await?;
    /// assert_eq!((verified.rows, verified.findings.len()), (1, 0));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn verify_since(&self, kept: &[SignedHead], trusted: &PublicKey) -> Result<Verified, StoreError> {
        let mut verifier = Verifier::new(Some(self.id()), Some(trusted));
        verifier.know_archives(&self.archive_log().await?);
        // Two heads may disagree about a row. Both count.
        let mut marks: BTreeMap<String, BTreeSet<(u64, String)>> = BTreeMap::new();
        let stored = self.last_heads().await?;
        // Heads of another key say nothing where this key has signed later. Keys can be replaced.
        let (own, other): (Vec<&SignedHead>, Vec<&SignedHead>) =
            stored.iter().chain(kept).partition(|head| head.public_key == *trusted);
        let later = |head: &SignedHead| own.iter().any(|own| own.table == head.table && own.seq >= head.seq);
        for head in own.iter().copied().chain(other.into_iter().filter(|head| !later(head))) {
            if verifier.is_valid(head) {
                marks.entry(head.table.clone()).or_default().insert((head.seq, head.hash.clone()));
            }
        }
        let ends: BTreeMap<String, Head> = self.logs().await?.into_iter().collect();
        for table in marks.keys().filter(|table| !ends.contains_key(*table)) {
            let signed = marks[table].last().map_or(0, |(seq, _)| *seq);
            verifier.find(Finding::Truncated { table: table.clone(), signed, end: 0 });
        }
        for (table, end) in &ends {
            let mut from = Head::default();
            for (seq, hash) in marks.get(table).into_iter().flatten() {
                match self.row_at(table, *seq).await? {
                    Some(row) if row.hash == *hash && row.digest() == *hash => {
                        from = Head { seq: *seq, hash: hash.clone() }
                    }
                    Some(_) => verifier.find(Finding::Rewritten { table: table.clone(), seq: *seq }),
                    // The rows up to a later one are in an archive that this key has sealed.
                    None if verifier.in_archive(table).is_some_and(|end| end.seq > *seq || end.hash == *hash) => {
                        from = verifier.in_archive(table).unwrap_or_default();
                    }
                    None => {
                        verifier.find(Finding::Truncated { table: table.clone(), signed: *seq, end: end.seq });
                    }
                }
            }
            verifier.resume(table, from.clone());
            self.verify_from(table, from.seq, end, &mut verifier).await?;
        }
        Ok(verifier.finish())
    }

    /// Verifies the rows of a log after one of them, and where the log ends.
    async fn verify_from(
        &self,
        table: &str,
        mut after: u64,
        end: &Head,
        verifier: &mut Verifier,
    ) -> Result<(), StoreError> {
        while after < end.seq {
            let rows = self.load_as_is(table, after, PAGE).await?;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            // Rows that came in the meantime are verified next time.
            rows.iter().filter(|row| row.seq <= end.seq).for_each(|row| verifier.row(row));
        }
        verifier.end(table, end);
        Ok(())
    }

    async fn row_at(&self, table: &str, seq: u64) -> Result<Option<Row>, StoreError> {
        Ok(self.load_as_is(table, seq.saturating_sub(1), 1).await?.into_iter().next().filter(|row| row.seq == seq))
    }

    /// Returns the last signed head of each log and key in the database.
    async fn last_heads(&self) -> Result<Vec<SignedHead>, StoreError> {
        let sql = "SELECT heads.table_id, heads.seq, hash, at, heads.public_key, signature FROM heads JOIN \
                   (SELECT table_id AS t, public_key AS k, max(seq) AS last FROM heads GROUP BY table_id, public_key) AS newest \
                   ON heads.table_id = t AND heads.public_key = k AND heads.seq = last";
        let found: Vec<Kept> = on!(Pool, &self.base().read, pool => sqlx::query_as(sql).fetch_all(pool).await?);
        found.into_iter().map(|kept| Ok(signed_head(self.id(), kept)?)).collect()
    }

    /// Forgets all signed heads in the database, when an operator accepts the logs as they are.
    pub async fn forget_heads(&self) -> Result<(), StoreError> {
        on!(Pool, &self.base().write, pool => { sqlx::query("DELETE FROM heads").execute(pool).await?; });
        Ok(())
    }

    /// Runs the check that the database has for its own files. PostgreSQL has no such check for a client.
    pub async fn check_integrity(&self) -> Result<Vec<Finding>, StoreError> {
        let found: Vec<(String,)> = match &self.base().read {
            Pool::Sqlite(pool) => sqlx::query_as("PRAGMA integrity_check").fetch_all(pool).await?,
            Pool::Postgres(_) => Vec::new(),
        };
        Ok(found.into_iter().filter(|(line,)| line != "ok").map(|(why,)| Finding::Damaged { why }).collect())
    }
}
