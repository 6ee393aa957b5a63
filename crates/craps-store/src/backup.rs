//! Backup and restore of the whole store in one file. A backup of SQLite can be restored into PostgreSQL and the other way around.

use crate::append::{insert, set_ends};
use crate::base::{Access, Base, Tx, on, placeholders};
use crate::chain::Finding;
use crate::error::StoreError;
use crate::export::{Line, Lines, Reader, Record, write_logs};
use crate::heads::keep_head;
use crate::private::{beside, create};
use crate::row::Row;
use crate::store::Store;
use futures_util::TryStreamExt;
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, Column, Row as _};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

/// Tables in a backup besides logs and signed heads. Accounts come before the tables that refer to them. States and cards are not
/// included, because they can be made again.
const RECORDS: &[&str] = &["accounts", "grants", "factors", "tokens", "limits", "secrets"];
/// A session may end after the backup, so none may come back with a restore.
const SESSIONS: &str = "sessions";
/// The secrets that a backup contains. A secret of the dice may become public after the backup, so none may come back with a restore.
const SECRETS: &str = "WHERE hand = 0 AND table_id NOT LIKE '@%'";
/// Number of rows that a restore inserts at a time.
const GO: usize = 1000;

/// The size of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    /// Number of rows in all logs.
    pub rows: u64,
    /// Number of records of people, and secrets of invitations.
    pub records: u64,
}

impl Store {
    /// Writes a consistent copy of the whole store to a new file that only its owner can read. Others can keep using the store.
    /// The file gets its name only when it is complete.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let (copy, other) = (folder.path().join("backup"), folder.path().join("restored.db"));
    /// assert_eq!(store.backup(&copy, 0).await?.rows, 3);
    /// let (restored, _) = Store::restore(other.to_str().unwrap(), &copy).await?;
    /// assert_eq!(restored.load("north", 0, 10).await?, store.load("north", 0, 10).await?);
    /// # restored.close().await;
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn backup(&self, to: &Path, at: i64) -> Result<Backup, StoreError> {
        self.backup_with(to, at, |_| ()).await
    }

    /// Does the same as `backup`, and calls `written` after each line with the number of lines so far.
    pub async fn backup_with(
        &self,
        to: &Path,
        at: i64,
        mut written: impl FnMut(u64) + Send,
    ) -> Result<Backup, StoreError> {
        let part = &*beside(to, ".part");
        if to.exists() {
            let there = "the file already exists, and a backup never overwrites a file";
            return Err(StoreError::file(to)(io::Error::new(io::ErrorKind::AlreadyExists, there)));
        }
        // Removes the rest of an interrupted backup.
        let made = fs::remove_file(part).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        let made = made.and_then(|()| create(part)).map_err(StoreError::file(part))?;
        let mut file = BufWriter::new(made);

        let mut tx = self.base().begin_read().await?;
        let mut lines = Lines::begin(&mut file, &mut written, self.id(), at)?;
        let rows = write_logs(&mut tx, self.id(), None, &mut lines).await?;
        let mut records = 0;
        for of in RECORDS {
            records += write_records(&mut tx, of, &mut lines).await?;
        }
        lines.end()?;
        let synced = file.into_inner().map_err(|error| error.into_error()).and_then(|file| file.sync_all());
        synced.and_then(|()| fs::rename(part, to)).map_err(StoreError::file(to))?;
        Ok(Backup { rows, records })
    }

    /// Restores a backup into a new store, completely or not at all. The backup is verified first. A store that is not empty
    /// is left as it is.
    pub async fn restore(url: &str, from: &Path) -> Result<(Store, Backup), StoreError> {
        Store::restore_with(url, from, |_, _| ()).await
    }

    /// Does the same as `restore`, and calls `put_back` after each line with the number of lines done and the total.
    pub async fn restore_with(
        url: &str,
        from: &Path,
        mut put_back: impl FnMut(u64, u64),
    ) -> Result<(Store, Backup), StoreError> {
        let open = || Ok::<_, StoreError>(BufReader::new(File::open(from).map_err(StoreError::file(from))?));
        let unsound = |findings: Vec<Finding>| StoreError::Unsound { file: from.to_owned(), findings };
        let mut reader = Reader::new(open()?, &[], None);
        let mut lines = 0;
        while reader.next().map_err(StoreError::file(from))?.is_some() {
            lines += 1;
        }
        let findings = reader.finish().findings;
        if !findings.is_empty() {
            return Err(unsound(findings));
        }

        let base = Base::open(url, Access::Create).await?;
        let mut tx = base.begin_write(std::iter::empty()).await?;
        for of in RECORDS.iter().chain(&[SESSIONS, "log"]) {
            let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {of} LIMIT 1) AS found");
            let some: i64 = on!(Tx, &mut tx, tx => sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut **tx).await?);
            if some > 0 {
                return Err(StoreError::NotEmpty);
            }
        }
        let mut done = Backup { rows: 0, records: 0 };
        let (mut rows, mut reader) = (Vec::new(), Reader::new(open()?, &[], None));
        let mut line_number = 0;
        while let Some(line) = reader.next().map_err(StoreError::file(from))? {
            match line {
                Line::Row(row) => rows.push(row),
                Line::Store(origin) => {
                    // The new store gets the id of the old one, so that its signed heads stay valid.
                    let named =
                        "INSERT INTO store (one, id) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET id = excluded.id";
                    on!(Tx, &mut tx, tx => { sqlx::query(named).bind(origin.store).execute(&mut **tx).await?; });
                }
                Line::Head(head) => keep_head(&mut tx, &head).await?,
                // Older versions wrote sessions and the secrets of hands to backups.
                Line::Record(Record { of, .. }) if of == SESSIONS => {}
                Line::Record(Record { of, fields })
                    if of == "secrets" && fields.get("hand").and_then(Value::as_i64) != Some(0) => {}
                Line::Record(Record { of, fields }) => {
                    put_record(&mut tx, &of, &fields).await?;
                    done.records += 1;
                }
                Line::Basis(_) | Line::Seal(_) => {
                    let why = "it has only a part of a log. The rows of an archive are put back with `boxperson archive --put-back`";
                    return Err(StoreError::Refused(format!("{}: {why}", from.display())));
                }
                Line::End(_) => {}
            }
            if rows.len() == GO {
                done.rows += put_rows(&mut tx, &mut rows).await?;
            }
            line_number += 1;
            put_back(line_number, lines);
        }
        done.rows += put_rows(&mut tx, &mut rows).await?;
        // The file was read twice. Check that the second reading verifies too.
        let findings = reader.finish().findings;
        if !findings.is_empty() {
            return Err(unsound(findings));
        }
        tx.commit().await?;
        Ok((Store::on(base).await?, done))
    }
}

async fn put_rows(tx: &mut Tx, rows: &mut Vec<Row>) -> Result<u64, StoreError> {
    insert(tx, rows).await?;
    let ends: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.table.as_str(), row)).collect();
    set_ends(tx, &ends.into_values().collect::<Vec<_>>()).await?;
    let count = rows.len() as u64;
    rows.clear();
    Ok(count)
}

async fn write_records<W: Write + Send>(tx: &mut Tx, of: &str, lines: &mut Lines<'_, W>) -> Result<u64, StoreError> {
    let sql = format!("SELECT * FROM {of} {}", if of == "secrets" { SECRETS } else { "" });
    let mut count = 0;
    on!(Tx, tx, tx => {
        let mut found = sqlx::query(AssertSqlSafe(sql)).fetch(&mut **tx);
        while let Some(row) = found.try_next().await? {
            let mut fields = Map::new();
            for column in row.columns() {
                let (at, name) = (column.ordinal(), column.name());
                // A column is text or a number. NULL values are left out.
                let value = row.try_get(at).map(|text: Option<String>| text.map(Value::from));
                let value = value.or_else(|_| row.try_get(at).map(|number: Option<i64>| number.map(Value::from)))?;
                fields.extend(value.map(|value| (name.to_owned(), value)));
            }
            lines.write(&Line::Record(Record { of: of.to_owned(), fields }))?;
            count += 1;
        }
    });
    Ok(count)
}

async fn put_record(tx: &mut Tx, of: &str, fields: &Map<String, Value>) -> Result<(), StoreError> {
    let columns: Vec<&str> = fields.keys().map(String::as_str).collect();
    let plain = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    // These names become part of the SQL statement, so they must be plain names.
    if !RECORDS.contains(&of) || !columns.iter().all(plain) {
        return Err(StoreError::Refused(format!("{of:?} with the fields {columns:?} is not a valid record")));
    }
    let sql = format!("INSERT INTO {of} ({}) VALUES {}", columns.join(", "), placeholders(1, columns.len()));
    on!(Tx, tx, tx => {
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (name, value) in fields {
            query = match (value.as_str(), value.as_i64()) {
                (Some(text), _) => query.bind(text),
                (None, Some(number)) => query.bind(number),
                (None, None) => {
                    let why = format!("the field {name:?} of a record of {of:?} must be text or a whole number");
                    return Err(StoreError::Refused(why));
                }
            };
        }
        query.execute(&mut **tx).await?;
    });
    Ok(())
}
