//! Exports logs to a file that can be verified without the store. The file has one JSON object per line: first the store,
//! then signed heads, then rows, and at the end a count and a hash. A backup also has the private records.

use crate::archive::{ARCHIVE, Archives, Seal};
use crate::base::{COLUMNS, Columns, Tx, on};
use crate::chain::{Finding, Verified, Verifier};
use crate::error::StoreError;
use crate::heads::{HeadKey, PublicKey, SignedHead, signed_head};
use crate::row::{Row, hex};
use crate::store::Store;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, FromRow};
use std::collections::HashSet;
use std::io::{self, BufRead, Write};

const FORMAT: u32 = 1;

/// One line of an export or a backup.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub(crate) enum Line {
    /// First line: the store that the logs are from.
    Store(Origin),
    Head(SignedHead),
    Row(Row),
    /// A row that stands alone: the rows after it depend on it, but the rows before it are not in the file.
    Basis(Row),
    /// A record of a backup.
    Record(Record),
    /// Last line: the number of lines before it, and the hash of their bytes.
    End(End),
    /// The line after the last one of an archive.
    Seal(Seal),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Origin {
    pub(crate) format: u32,
    pub(crate) store: String,
    pub(crate) at: i64,
}

/// A record of another table in the database. NULL fields are left out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) of: String,
    pub(crate) fields: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    lines: u64,
    sha256: String,
}

/// Writes lines, and counts and hashes them for the last line.
pub(crate) struct Lines<'a, W: Write> {
    to: &'a mut W,
    /// Called after each line with the number of lines so far.
    written: &'a mut (dyn FnMut(u64) + Send),
    lines: u64,
    pub(crate) sha256: Sha256,
}

impl<'a, W: Write> Lines<'a, W> {
    pub(crate) fn begin(
        to: &'a mut W,
        written: &'a mut (dyn FnMut(u64) + Send),
        store: &str,
        at: i64,
    ) -> io::Result<Lines<'a, W>> {
        let mut lines = Lines { to, written, lines: 0, sha256: Sha256::new() };
        lines.write(&Line::Store(Origin { format: FORMAT, store: store.to_owned(), at }))?;
        Ok(lines)
    }

    pub(crate) fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.sha256.update(&text);
        self.lines += 1;
        self.to.write_all(&text)?;
        (self.written)(self.lines);
        Ok(())
    }

    pub(crate) fn end(mut self) -> io::Result<()> {
        self.write_end()?;
        self.flush()
    }

    pub(crate) fn write_end(&mut self) -> io::Result<()> {
        let end = End { lines: self.lines, sha256: hex(&self.sha256.clone().finalize()) };
        self.write(&Line::End(end))
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes the signed heads and rows of one log or of all logs. Returns the number of rows.
pub(crate) async fn write_logs<W: Write + Send>(
    tx: &mut Tx,
    store: &str,
    table: Option<&str>,
    lines: &mut Lines<'_, W>,
) -> Result<u64, StoreError> {
    // Rows say first which rows of other logs are in archives.
    let (one, rest) = match table {
        Some(_) => ("WHERE table_id = $1", "WHERE table_id = $1"),
        None => ("", "WHERE table_id <> $1"),
    };
    let heads = format!(
        "SELECT table_id, seq, hash, at, public_key, signature FROM heads {one} ORDER BY table_id, seq, public_key"
    );
    let rows = format!("SELECT {COLUMNS} FROM log {rest} ORDER BY table_id, seq");
    let archives = format!("SELECT {COLUMNS} FROM log WHERE table_id = $1 ORDER BY seq");
    let mut count = 0;
    on!(Tx, tx, tx => {
        let query = table.into_iter().fold(sqlx::query_as(AssertSqlSafe(heads)), |query, table| query.bind(table));
        let mut heads = query.fetch(&mut **tx);
        while let Some(kept) = heads.try_next().await? {
            lines.write(&Line::Head(signed_head(store, kept)?))?;
        }
        drop(heads);
        let moved: Vec<Columns> = sqlx::query_as(AssertSqlSafe(archives)).bind(ARCHIVE).fetch_all(&mut **tx).await?;
        let mut known = Archives::default();
        for row in moved {
            let row = Row::try_from(row)?;
            // What can't be read is found when the export is verified.
            let _ = known.take(&row);
            if table.is_none() {
                lines.write(&Line::Row(row))?;
                count += 1;
            }
        }
        if let Some(basis) = table.and_then(|table| known.of(table)) {
            lines.write(&Line::Basis(basis.row.clone()))?;
        }
        let query = sqlx::query(AssertSqlSafe(rows)).bind(table.unwrap_or(ARCHIVE));
        let mut rows = query.fetch(&mut **tx);
        while let Some(found) = rows.try_next().await? {
            lines.write(&Line::Row(Columns::from_row(&found)?.try_into()?))?;
            count += 1;
        }
    });
    Ok(count)
}

impl Store {
    /// Signs the heads of all logs. Then writes one log or all logs, with their signed heads, in a form that can be verified
    /// without the store.
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
    /// use craps_store::{HeadKey, read_export};
    /// let key = HeadKey::open_or_create(&HeadKey::beside(&file))?;
    /// let (mut text, mut rows) = (Vec::new(), 0);
    /// store.export(Some("north"), &key, 0, &mut text).await?;
    /// let verified = read_export(&*text, &[], Some(&key.public()), |_| rows += 1)?;
    /// assert_eq!((rows, verified.findings.len()), (3, 0));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn export<W: Write + Send>(
        &self,
        table: Option<&str>,
        key: &HeadKey,
        at: i64,
        to: &mut W,
    ) -> Result<(), StoreError> {
        self.sign_heads(key, at).await?;
        let mut tx = self.base().begin_read().await?;
        let mut written = |_| ();
        let mut lines = Lines::begin(to, &mut written, self.id(), at)?;
        write_logs(&mut tx, self.id(), table, &mut lines).await?;
        Ok(lines.end()?)
    }
}

/// Reads an export or a backup and verifies it against these signed heads and its own. Calls `each` with every readable
/// row.
pub fn read_export(
    from: impl BufRead,
    heads: &[SignedHead],
    trusted: Option<&PublicKey>,
    mut each: impl FnMut(&Row),
) -> io::Result<Verified> {
    let mut reader = Reader::new(from, heads, trusted);
    while let Some(line) = reader.next()? {
        if let Line::Row(row) | Line::Basis(row) = line {
            each(&row);
        }
    }
    Ok(reader.finish())
}

/// Reads lines and verifies them.
pub(crate) struct Reader<'a, R> {
    from: R,
    heads: &'a [SignedHead],
    trusted: Option<&'a PublicKey>,
    verifier: Verifier,
    /// Logs that have had rows.
    begun: HashSet<String>,
    lines: u64,
    sha256: Sha256,
    /// The hash of the lines before the last one, in hex.
    ended: Option<String>,
    seal: Option<Seal>,
}

impl<'a, R: BufRead> Reader<'a, R> {
    pub(crate) fn new(from: R, heads: &'a [SignedHead], trusted: Option<&'a PublicKey>) -> Self {
        let verifier = Verifier::new(None, trusted);
        let (begun, sha256) = (HashSet::new(), Sha256::new());
        Reader { from, heads, trusted, verifier, begun, lines: 0, sha256, ended: None, seal: None }
    }

    /// Returns the next readable line. A line that can't be read is reported as a problem.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        while self.from.read_until(b'\n', &mut text)? > 0 {
            let read = match serde_json::from_slice(&text) {
                Ok(line) => self.judge(&line).map(|()| line),
                Err(error) => Err(error.to_string()),
            };
            self.lines += 1;
            self.sha256.update(&text);
            match read {
                Ok(line) => return Ok(Some(line)),
                Err(why) => self.verifier.find(Finding::Unreadable { place: format!("line {}", self.lines), why }),
            }
            text.clear();
        }
        Ok(None)
    }

    fn judge(&mut self, line: &Line) -> Result<(), String> {
        match line {
            Line::Seal(seal) if self.ended.is_some() && self.seal.is_none() => {
                self.judge_seal(seal);
                self.seal = Some(seal.clone());
            }
            _ if self.ended.is_some() => return Err("there are lines after the last line".to_owned()),
            Line::Seal(_) => return Err("a seal comes before the last line".to_owned()),
            Line::Store(_) if self.lines > 0 => return Err("only the first line may name the store".to_owned()),
            Line::Store(origin) if origin.format != FORMAT => return Err(format!("expected format {FORMAT}")),
            Line::Store(origin) => {
                self.verifier = Verifier::new(Some(&origin.store), self.trusted);
                self.heads.iter().for_each(|head| self.verifier.head(head));
            }
            _ if self.lines == 0 => return Err("expected the line that names the store".to_owned()),
            Line::Head(head) if self.begun.contains(&head.table) => {
                return Err("a signed head comes after rows of its log".to_owned());
            }
            Line::Head(head) => self.verifier.head(head),
            Line::Row(row) => {
                if !self.begun.contains(&row.table) {
                    self.begun.insert(row.table.clone());
                }
                self.verifier.row(row);
            }
            Line::Basis(row) => self.verifier.basis(row),
            Line::Record(_) => {}
            Line::End(end) => {
                let sum = self.ended.insert(hex(&self.sha256.clone().finalize()));
                if end.lines != self.lines || end.sha256 != *sum {
                    let why = "its last line doesn't match the lines before it".to_owned();
                    self.verifier.find(Finding::Unfinished { why });
                }
            }
        }
        Ok(())
    }

    /// Checks that a seal is of this file.
    fn judge_seal(&mut self, seal: &Seal) {
        let is_right = self.verifier.seal_is_valid(seal, (&seal.table, seal.end.seq));
        let is_of_this = self.ended.as_ref() == Some(&seal.sha256) && self.verifier.reached(&seal.table) == seal.end;
        if is_right && !is_of_this {
            self.verifier.find(Finding::Unfinished { why: "its seal is of another file".to_owned() });
        }
    }

    /// Ends the verification and returns the result.
    pub(crate) fn finish(mut self) -> Verified {
        if self.ended.is_none() {
            self.verifier.find(Finding::Unfinished { why: "its last line is missing".to_owned() });
        }
        Verified { seal: self.seal, ..self.verifier.finish() }
    }
}

/// Reads signed heads, one per line, as [`Store::export_heads`] writes them.
pub fn read_heads(from: impl BufRead) -> Result<Vec<SignedHead>, StoreError> {
    let head = |(at, line): (usize, io::Result<String>)| {
        let wrong = |error| StoreError::Refused(format!("line {}: expected a signed head: {error}", at + 1));
        serde_json::from_str(&line?).map_err(wrong)
    };
    from.lines().enumerate().map(head).collect()
}
