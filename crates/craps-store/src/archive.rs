//! Archives: old rows of a table's log that were moved from the database to a sealed file.
//!
//! The first row of a log, which opens the table, always stays. Each move is a row of the log [`ARCHIVE`] with the seal of the file and with the state
//! of the table after the last row that was moved. So the rest of the log can be verified, audited and played on without the file. The file is an
//! export with a seal: it verifies and audits by itself, and its rows can be put back.

use crate::append::insert;
use crate::base::{COLUMNS, Columns, number, on, place};
use crate::chain::{Finding, Verified, Verifier};
use crate::error::{AppendError, StoreError};
use crate::export::{Line, Lines, Reader};
use crate::heads::{HeadKey, PublicKey};
use crate::private::{beside, create};
use crate::row::{Fields, Head, Row, hex};
use crate::store::{BODY_MOST, Store};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

/// Name of the log that says which rows were moved to archives.
pub const ARCHIVE: &str = "@archive";

/// Number of rows that are read, deleted or put back at a time.
const GO: u32 = 2_000;

/// The seal of an archive: what the key of the store says about rows that were moved to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// Id of the store.
    pub store: String,
    /// Name of the table.
    pub table: String,
    /// Number of the row before the first one in the file. 0 if the file begins with the first row of the log.
    pub after: u64,
    /// The last row in the file.
    pub end: Head,
    /// SHA-256 of the lines of the file before its last two, in hex.
    pub sha256: String,
    /// SHA-256 of the state after the last row, in hex.
    pub state: String,
    /// Time of the seal, in milliseconds since 1970.
    pub at: i64,
    /// Public key of the signer.
    pub public_key: PublicKey,
    /// Signature of all fields above except the key, in hex.
    pub signature: String,
}

impl Seal {
    fn message(&self) -> Vec<u8> {
        let mut fields = Fields::default();
        fields.text("boxperson archive").text(&self.store).text(&self.table).number(&self.after);
        fields.number(&self.end.seq).text(&self.end.hash).text(&self.sha256).text(&self.state).number(&self.at);
        fields.0.finalize().to_vec()
    }

    fn sign(self, key: &HeadKey) -> Seal {
        let mut seal = Seal { public_key: key.public(), ..self };
        seal.signature = hex(&key.signed(&seal.message()));
        seal
    }

    /// Returns true when the signature is valid for the public key.
    #[must_use]
    pub fn is_genuine(&self) -> bool {
        self.public_key.has_signed(&self.message(), &self.signature)
    }

    /// Returns true when this is the state that was sealed.
    #[must_use]
    pub fn has_state(&self, state: &str) -> bool {
        self.state == sum(state)
    }
}

/// Returns the SHA-256 of a text, in hex.
fn sum(text: &str) -> String {
    hex(&Sha256::digest(text))
}

/// What a row of the log [`ARCHIVE`] says. Its client is the name of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "kebab-case", deny_unknown_fields)]
enum Deed {
    /// Rows were moved to a file.
    Archived { seal: Seal, state: String },
    /// The rows of the last archive were put back.
    PutBack { sha256: String },
}

/// What the rest of a log is based on after rows were moved to an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    /// The row of the log [`ARCHIVE`] that says so.
    pub row: Row,
    /// The seal of the archive.
    pub seal: Seal,
    /// The state of the table after the last row of the archive. The store doesn't read it.
    pub state: String,
}

impl Basis {
    /// Reads a row of the log [`ARCHIVE`]. None if it isn't about rows that were moved to a file.
    #[must_use]
    pub fn of(row: &Row) -> Option<Basis> {
        match serde_json::from_str(&row.body).ok()? {
            Deed::Archived { seal, state } if seal.has_state(&state) => Some(Basis { row: row.clone(), seal, state }),
            _ => None,
        }
    }
}

/// The archives that count, by table: those that weren't put back.
#[derive(Debug, Clone, Default)]
pub struct Archives {
    by_table: BTreeMap<String, Vec<Basis>>,
    /// The last row that was taken.
    taken: u64,
}

impl Archives {
    /// Takes the next row of the log, unless it was taken before.
    ///
    /// # Errors
    /// Says what is wrong with the row.
    pub fn take(&mut self, row: &Row) -> Result<(), String> {
        let wrong = |why: &str| Err(why.to_owned());
        if row.seq <= self.taken {
            return Ok(());
        }
        match serde_json::from_str(&row.body) {
            Err(error) => return Err(error.to_string()),
            Ok(Deed::Archived { seal, .. }) if seal.table != row.client => {
                return wrong("the archive is of another table");
            }
            Ok(Deed::Archived { .. }) => match Basis::of(row) {
                Some(basis) => self.by_table.entry(row.client.clone()).or_default().push(basis),
                None => return wrong("the state isn't the one that was sealed"),
            },
            Ok(Deed::PutBack { sha256 }) => match self.by_table.get_mut(&row.client) {
                Some(all) if all.last().is_some_and(|last| last.seal.sha256 == sha256) => drop(all.pop()),
                _ => return wrong("rows of another archive were put back"),
            },
        }
        self.taken = row.seq;
        Ok(())
    }

    /// Returns what the rest of a table's log is based on.
    #[must_use]
    pub fn of(&self, table: &str) -> Option<&Basis> {
        self.by_table.get(table)?.last()
    }

    /// Returns all archives, those of each table in their order.
    pub fn all(&self) -> impl Iterator<Item = &Basis> {
        self.by_table.values().flatten()
    }

    /// Returns a copy that knows only one table.
    pub(crate) fn only(&self, table: &str) -> Archives {
        let own = self.by_table.get_key_value(table).map(|(table, all)| (table.clone(), all.clone()));
        Archives { by_table: own.into_iter().collect(), taken: self.taken }
    }
}

/// The rows of a table that are to be moved to a file.
#[derive(Debug, Clone, Copy)]
pub struct ToArchive<'a> {
    /// Name of the table.
    pub table: &'a str,
    /// The last row.
    pub end: &'a Head,
    /// The state after that row, as text.
    pub state: &'a str,
}

impl Store {
    /// Returns the rows of the log that says which rows were moved to archives.
    pub async fn archive_log(&self) -> Result<Vec<Row>, StoreError> {
        let mut rows: Vec<Row> = Vec::new();
        loop {
            let more = self.load_as_is(ARCHIVE, rows.last().map_or(0, |row| row.seq), GO).await?;
            if more.is_empty() {
                return Ok(rows);
            }
            rows.extend(more);
        }
    }

    /// Returns what the rest of a table's log is based on. None if all its rows are in the database.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let db = folder.path().join("tables.db");
    /// # let url = db.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{HeadKey, NewRow, Store, ToArchive, read_export};
    /// # let store = Store::open(url).await?;
    /// # let key = HeadKey::open_or_create(&HeadKey::beside(&db))?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// let rows = store.append("north", 0, vec![row("1"), row("2"), row("3"), row("4")]).await?;
    /// let (file, end) = (folder.path().join("north.archive"), rows[2].head());
    /// let old = ToArchive { table: "north", end: &end, state: "the state after row 3" };
    /// let seal = store.write_archive(&file, old, &key, 0, |_| ()).await?;
    /// store.archive(&seal, old.state, 0).await?;
    /// assert_eq!(store.load("north", 0, 10).await?.iter().map(|row| row.seq).collect::<Vec<_>>(), [1, 4]);
    /// assert_eq!(store.basis("north").await?.unwrap().state, "the state after row 3");
    /// assert!(store.verify(&[], Some(&key.public())).await?.findings.is_empty());
    /// // The file verifies by itself, and its rows can be put back.
    /// let verified = read_export(std::io::BufReader::new(std::fs::File::open(&file)?), &[], Some(&key.public()), |_| ())?;
    /// assert_eq!((verified.findings.len(), verified.rows, verified.seal), (0, 3, Some(seal)));
    /// store.put_back(&file, Some(&key.public()), 0, |_| ()).await?;
    /// assert_eq!(store.load("north", 0, 10).await?, rows);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn basis(&self, table: &str) -> Result<Option<Basis>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM log WHERE table_id = $1 AND client = $2 ORDER BY seq");
        let found: Vec<Columns> = on!(Pool, &self.base().read, pool => {
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(ARCHIVE).bind(table).fetch_all(pool).await?
        });
        let mut archives = Archives::default();
        for row in found {
            let row = Row::try_from(row)?;
            let changed = || StoreError::Changed { table: ARCHIVE.to_owned(), seq: row.seq };
            let is_right = row.digest() == row.hash && archives.take(&row).is_ok();
            if !is_right || archives.of(table).is_some_and(|basis| !basis.seal.is_genuine()) {
                return Err(changed());
            }
        }
        Ok(archives.of(table).cloned())
    }

    /// Writes old rows of a table to a new file and seals it. The file gets its name only when it is complete and on the disk. The rows are still in
    /// the database, too. `written` is called after each line with the number of lines so far.
    pub async fn write_archive(
        &self,
        to: &Path,
        ToArchive { table, end, state }: ToArchive<'_>,
        key: &HeadKey,
        at: i64,
        mut written: impl FnMut(u64) + Send,
    ) -> Result<Seal, StoreError> {
        if to.exists() {
            let there = "the file already exists, and an archive never overwrites a file";
            return Err(StoreError::file(to)(io::Error::new(io::ErrorKind::AlreadyExists, there)));
        }
        if state.len() > BODY_MOST / 2 {
            return Err(StoreError::Refused(format!(
                "the state of {table} is too long to be kept in a row of the log"
            )));
        }
        let basis = self.basis(table).await?;
        let after = basis.as_ref().map_or(0, |basis| basis.seal.end.seq);
        let part = &*beside(to, ".part");
        // Removes the rest of an interrupted archive.
        let made = fs::remove_file(part).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        let mut file = BufWriter::new(made.and_then(|()| create(part)).map_err(StoreError::file(part))?);
        let mut verifier = Verifier::new(Some(self.id()), None);
        let mut lines = Lines::begin(&mut file, &mut written, self.id(), at)?;
        lines.write(&Line::Head(key.sign(self.id(), table, end, at)))?;
        if let Some(basis) = &basis {
            let first = self.load(table, 0, 1).await?;
            for row in first.into_iter().chain([basis.row.clone()]).rev() {
                verifier.basis(&row);
                lines.write(&Line::Basis(row))?;
            }
        }
        let mut reached = after;
        while reached < end.seq {
            let mut rows = self.load(table, reached, GO).await?;
            rows.retain(|row| row.seq <= end.seq);
            let Some(last) = rows.last() else { break };
            reached = last.seq;
            for row in rows {
                verifier.row(&row);
                lines.write(&Line::Row(row))?;
            }
        }
        let found = verifier.reached(table);
        if let (Some(finding), _) | (None, Some(finding)) = (
            verifier.findings().first().cloned(),
            (found != *end).then(|| Finding::Rewritten { table: table.to_owned(), seq: end.seq }),
        ) {
            let _ = fs::remove_file(part);
            return Err(StoreError::Unsound { file: to.to_owned(), findings: vec![finding] });
        }
        let seal = Seal {
            store: self.id().to_owned(),
            table: table.to_owned(),
            after,
            end: end.clone(),
            sha256: lines.sum(),
            state: sum(state),
            at,
            public_key: key.public(),
            signature: String::new(),
        };
        let seal = seal.sign(key);
        lines.seal(seal.clone())?;
        let synced = file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        synced.and_then(|()| fs::rename(part, to)).map_err(StoreError::file(to))?;
        Ok(seal)
    }

    /// Notes that rows of a table are in an archive, and removes them from the database. If this is interrupted, [`Store::clear_archived`] removes the
    /// rest.
    pub async fn archive(&self, seal: &Seal, state: &str, at: i64) -> Result<u64, AppendError> {
        let deed = Deed::Archived { seal: seal.clone(), state: state.to_owned() };
        self.note_archive(at, &seal.table, &deed).await?;
        self.clear_archived(&seal.table).await.map_err(|error| AppendError::NotStored(error.fault()))
    }

    async fn note_archive(&self, at: i64, table: &str, deed: &Deed) -> Result<(), AppendError> {
        // Names, numbers and texts always serialize.
        let body = serde_json::to_string(deed).unwrap_or_default();
        self.note(ARCHIVE, at, table, &body).await.map(drop)
    }

    /// Removes the rows of a table that are in an archive, and the saved states before its end. Returns how many rows it removed.
    pub async fn clear_archived(&self, table: &str) -> Result<u64, StoreError> {
        let Some(basis) = self.basis(table).await? else { return Ok(0) };
        let end = basis.seal.end.seq;
        let sql = "DELETE FROM marks WHERE table_id = $1 AND seq <= $2";
        on!(Pool, &self.base().write, pool => {
            sqlx::query(sql).bind(table).bind(number(end)).execute(pool).await?;
        });
        let mut removed = 0;
        // In steps, so that the tables that are played don't wait long.
        loop {
            let first = "SELECT min(seq) FROM log WHERE table_id = $1 AND seq > 1";
            let first: Option<i64> = on!(Pool, &self.base().read, pool => {
                sqlx::query_scalar(first).bind(table).fetch_one(pool).await?
            });
            let Some(first) = first.map(place).transpose()?.filter(|first| *first <= end) else { return Ok(removed) };
            let until = first.saturating_add(u64::from(GO)).min(end);
            let sql = "DELETE FROM log WHERE table_id = $1 AND seq > 1 AND seq <= $2";
            let mut tx = self.base().begin_write(std::iter::once(table)).await?;
            removed += on!(Tx, &mut tx, tx => {
                sqlx::query(sql).bind(table).bind(number(until)).execute(&mut **tx).await?.rows_affected()
            });
            tx.commit().await?;
        }
    }

    /// Puts the rows of the last archive of a table back into the database. The file is verified first, and the rows are put back completely or not at
    /// all. Returns the seal of the archive.
    pub async fn put_back(
        &self,
        from: &Path,
        trusted: Option<&PublicKey>,
        at: i64,
        mut put_back: impl FnMut(u64) + Send,
    ) -> Result<Seal, StoreError> {
        let open = || File::open(from).map(BufReader::new).map_err(StoreError::file(from));
        let mut reader = Reader::new(open()?, &[], trusted);
        while reader.next().map_err(StoreError::file(from))?.is_some() {}
        let Verified { findings, seal, .. } = reader.finish();
        if !findings.is_empty() {
            return Err(StoreError::Unsound { file: from.to_owned(), findings });
        }
        let refused = |why: String| StoreError::Refused(format!("{}: {why}", from.display()));
        let Some(seal) = seal else { return Err(refused("it is not an archive: it has no seal".to_owned())) };
        match self.basis(&seal.table).await? {
            Some(basis) if basis.seal == seal => {}
            Some(basis) => {
                let why = format!(
                    "it is not the last archive of the table {}, which has rows {} to {}",
                    seal.table,
                    basis.seal.after + 1,
                    basis.seal.end.seq
                );
                return Err(refused(why));
            }
            None => return Err(refused(format!("no rows of the table {} are in an archive", seal.table))),
        }
        // An interrupted move may have left some rows.
        self.clear_archived(&seal.table).await?;
        let mut tx = self.base().begin_write(std::iter::once(seal.table.as_str())).await?;
        let (mut rows, mut done): (Vec<Row>, u64) = (Vec::new(), 0);
        let mut reader = Reader::new(open()?, &[], trusted);
        while let Some(line) = reader.next().map_err(StoreError::file(from))? {
            let Line::Row(row) = line else { continue };
            // The first row never left.
            rows.extend(Some(row).filter(|row| row.seq > 1));
            if rows.len() >= GO as usize {
                insert(&mut tx, &rows).await?;
                done += rows.drain(..).count() as u64;
                put_back(done);
            }
        }
        insert(&mut tx, &rows).await?;
        put_back(done + rows.len() as u64);
        // The file was read twice. Check that the second reading verifies too.
        let Verified { findings, seal: second, .. } = reader.finish();
        if !findings.is_empty() || second.as_ref() != Some(&seal) {
            return Err(StoreError::Unsound { file: from.to_owned(), findings });
        }
        tx.commit().await?;
        let deed = Deed::PutBack { sha256: seal.sha256.clone() };
        self.note_archive(at, &seal.table, &deed).await.map_err(|error| StoreError::Refused(error.to_string()))?;
        Ok(seal)
    }
}

impl<W: Write> Lines<'_, W> {
    /// Returns the hash of the lines so far, in hex.
    fn sum(&self) -> String {
        hex(&self.sha256.clone().finalize())
    }

    /// Writes the last line of an export, and then the seal.
    fn seal(mut self, seal: Seal) -> io::Result<()> {
        self.write_end()?;
        self.write(&Line::Seal(seal))?;
        self.flush()
    }
}
