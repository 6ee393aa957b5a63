//! Verifies logs. It works on rows from an export too, without the database.

use crate::archive::{ARCHIVE, Archives, Basis, Seal};
use crate::heads::{PublicKey, SignedHead};
use crate::row::{Fields, Head, Row};
use serde::Serialize;
use sha2::Digest as _;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::mem::take;

/// A problem in a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say where the problem is")]
pub enum Finding {
    /// The data is not a valid row.
    Unreadable { place: String, why: String },
    /// Rows `from` to `to` are missing.
    Gap { table: String, from: u64, to: u64 },
    /// A row appears twice or out of order.
    Repeated { table: String, seq: u64 },
    /// The `prev` hash of a row is not the hash of the row before it.
    WrongPrev { table: String, seq: u64 },
    /// The hash of a row doesn't match its contents, so it was changed.
    WrongHash { table: String, seq: u64 },
    /// The same command is in the log twice.
    DuplicateKey { table: String, seq: u64, client: String, key: String },
    /// The signature of a signed head is invalid.
    BadSignature { table: String, seq: u64 },
    /// A head was signed with a key that is not the trusted one.
    OtherKey { table: String, seq: u64, public_key: PublicKey },
    /// A signed head belongs to another store.
    OtherStore { table: String, seq: u64, store: String },
    /// The log ends before a signed head.
    Truncated { table: String, signed: u64, end: u64 },
    /// A row is not the one that was signed.
    Rewritten { table: String, seq: u64 },
    /// The database says that a log ends at another row than it does.
    WrongEnd { table: String, said: u64, end: u64 },
    /// A witness doesn't accept this store.
    Witness { witness: String, why: String },
    /// The check of the database itself finds damage.
    Damaged { why: String },
    /// The file is incomplete.
    Unfinished { why: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Finding::*;
        match self {
            Unreadable { place, why } => write!(f, "{place}: unreadable: {why}"),
            Gap { table, from, to } if from == to => write!(f, "table {table}: row {from} is missing"),
            Gap { table, from, to } => write!(f, "table {table}: rows {from} to {to} are missing"),
            Repeated { table, seq } => write!(f, "table {table}, row {seq}: out of order or duplicated"),
            WrongPrev { table, seq } => write!(f, "table {table}, row {seq}: doesn't follow the row before it"),
            WrongHash { table, seq } => write!(f, "table {table}, row {seq}: was changed: its hash doesn't match"),
            DuplicateKey { table, seq, client, key } => {
                write!(f, "table {table}, row {seq}: the command {key:?} of {client:?} appears twice")
            }
            BadSignature { table, seq } => write!(f, "table {table}, head {seq}: the signature is invalid"),
            OtherKey { table, seq, public_key } => {
                write!(f, "table {table}, head {seq}: signed with {public_key}, which is not the trusted key")
            }
            OtherStore { table, seq, store } => {
                write!(f, "table {table}, head {seq}: signed for another store, {store}")
            }
            Truncated { table, signed, end } => {
                write!(f, "table {table}: ends at row {end}, but a head was signed at row {signed}")
            }
            Rewritten { table, seq } => write!(f, "table {table}, row {seq}: is not the row that was signed"),
            WrongEnd { table, said, end } => {
                write!(f, "table {table}: ends at row {end}, but the database says that it ends at row {said}")
            }
            Witness { witness, why } => write!(f, "the witness {witness} refuses: {why}"),
            Damaged { why } => write!(f, "the database is damaged: {why}"),
            Unfinished { why } => write!(f, "the file is incomplete: {why}"),
        }
    }
}

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Number of rows that were checked.
    pub rows: u64,
    /// Number of signed heads that are valid and match the rows.
    pub heads: u64,
    /// Number of rows that are not there because they are in archives.
    pub archived: u64,
    /// The seal, if an archive was verified.
    pub seal: Option<Seal>,
    /// Last row of each log, by table.
    pub ends: BTreeMap<String, Head>,
    /// All problems found.
    pub findings: Vec<Finding>,
}

/// Verifies logs row by row. The rows of one log must come in order.
#[derive(Debug, Clone)]
pub struct Verifier {
    store: Option<String>,
    trusted: Option<PublicKey>,
    /// Hashes of signed heads that are not reached yet, by table and row.
    signed: BTreeMap<(String, u64), Vec<String>>,
    /// Commands of the current log. Logs are read one after the other, so one set is enough.
    commands: (String, HashSet<Print>),
    /// Which rows are in archives. Rows of the log [`ARCHIVE`] say so, and come before the rows of tables.
    archives: Archives,
    verified: Verified,
}

/// What stands for a command: half of the hash of its client and its key. A long log has many.
type Print = [u8; 16];

fn print_of(client: &str, key: &str) -> Print {
    let mut fields = Fields::default();
    fields.text(client).text(key);
    let hash = fields.0.finalize();
    std::array::from_fn(|at| hash[at])
}

impl Verifier {
    /// Makes a verifier. If `store` and `trusted` are given, heads must belong to that store and be signed with that key.
    pub fn new(store: Option<&str>, trusted: Option<&PublicKey>) -> Verifier {
        Verifier {
            store: store.map(str::to_owned),
            trusted: trusted.cloned(),
            signed: BTreeMap::new(),
            commands: Default::default(),
            archives: Archives::default(),
            verified: Verified {
                rows: 0,
                heads: 0,
                archived: 0,
                seal: None,
                ends: BTreeMap::new(),
                findings: Vec::new(),
            },
        }
    }

    /// Continues a log from a head that was verified before. The rows up to it are not needed again.
    pub fn resume(&mut self, table: &str, head: Head) {
        self.verified.ends.insert(table.to_owned(), head);
    }

    /// Adds a signed head that the log must match. Heads must come before the rows of their log.
    pub fn head(&mut self, head: &SignedHead) {
        if self.is_valid(head) {
            self.signed.entry((head.table.clone(), head.seq)).or_default().push(head.hash.clone());
        }
    }

    /// Checks that a head was signed for this store, with the trusted key.
    pub(crate) fn is_valid(&mut self, head: &SignedHead) -> bool {
        self.is_signed(head.is_genuine(), &head.public_key, &head.store, (&head.table, head.seq))
    }

    /// Checks that an archive was sealed for this store, with the trusted key. `place` is the log and the row that say so.
    pub(crate) fn seal_is_valid(&mut self, seal: &Seal, place: (&str, u64)) -> bool {
        self.is_signed(seal.is_genuine(), &seal.public_key, &seal.store, place)
    }

    fn is_signed(&mut self, genuine: bool, key: &PublicKey, store: &str, (table, seq): (&str, u64)) -> bool {
        let table = table.to_owned();
        let wrong = if !genuine {
            Finding::BadSignature { table, seq }
        } else if self.trusted.as_ref().is_some_and(|trusted| trusted != key) {
            Finding::OtherKey { table, seq, public_key: key.clone() }
        } else if self.store.as_ref().is_some_and(|known| known != store) {
            Finding::OtherStore { table, seq, store: store.to_owned() }
        } else {
            return true;
        };
        self.find(wrong);
        false
    }

    /// Takes a row that stands alone: the rows after it depend on it, but the rows before it are not there.
    pub(crate) fn basis(&mut self, row: &Row) {
        if row.digest() != row.hash {
            self.find(Finding::WrongHash { table: row.table.clone(), seq: row.seq });
        }
        if row.table == ARCHIVE {
            self.archived(row);
        } else {
            self.resume(&row.table, row.head());
        }
    }

    /// Takes what a row of the log [`ARCHIVE`] says.
    fn archived(&mut self, row: &Row) {
        if let Err(why) = self.archives.take(row) {
            let place = format!("table {ARCHIVE}, row {}", row.seq);
            return self.find(Finding::Unreadable { place, why });
        }
        if let Some(Basis { seal, .. }) = Basis::of(row) {
            self.seal_is_valid(&seal, (ARCHIVE, row.seq));
        }
    }

    /// Returns the last row of a log that is in an archive.
    pub(crate) fn in_archive(&self, table: &str) -> Option<Head> {
        self.archives.of(table).map(|basis| basis.seal.end.clone())
    }

    /// Learns which rows are in archives from rows that were verified before, or are verified later.
    pub fn know_archives(&mut self, rows: &[Row]) {
        // A row that can't be read is found when it is verified.
        let _ = rows.iter().try_for_each(|row| self.archives.take(row));
    }

    /// Checks the next row.
    pub fn row(&mut self, row: &Row) {
        let Row { table, seq, .. } = row;
        let (table, seq) = (|| table.clone(), *seq);
        self.verified.rows += 1;
        let end = self.verified.ends.get(&row.table).cloned().unwrap_or_default();
        // The row numbers of a file can be anything.
        let next = end.seq.saturating_add(1);
        let moved = self.in_archive(&row.table).unwrap_or_default();
        if seq > next && seq - 1 <= moved.seq {
            self.verified.archived += seq - next;
            if seq - 1 == moved.seq && row.prev != moved.hash {
                self.find(Finding::WrongPrev { table: table(), seq });
            }
        } else if seq > next {
            self.find(Finding::Gap { table: table(), from: next, to: seq - 1 });
        } else if seq <= end.seq {
            self.find(Finding::Repeated { table: table(), seq });
        } else if row.prev != end.hash {
            self.find(Finding::WrongPrev { table: table(), seq });
        }
        if row.digest() != row.hash {
            self.find(Finding::WrongHash { table: table(), seq });
        }
        if seq == moved.seq && row.hash != moved.hash {
            self.find(Finding::Rewritten { table: table(), seq });
        }
        if let Some(key) = &row.key {
            if self.commands.0 != row.table {
                self.commands = (table(), HashSet::new());
            }
            if !self.commands.1.insert(print_of(&row.client, key)) {
                let (client, key) = (row.client.clone(), key.clone());
                self.find(Finding::DuplicateKey { table: table(), seq, client, key });
            }
        }
        for hash in self.signed.remove(&(table(), seq)).unwrap_or_default() {
            if hash == row.hash {
                self.verified.heads += 1;
            } else {
                self.find(Finding::Rewritten { table: table(), seq });
            }
        }
        if seq > end.seq {
            self.verified.ends.insert(table(), row.head());
        }
        if row.table == ARCHIVE {
            self.archived(row);
        }
    }

    /// Returns a verifier for a part of one log, after a row that was verified before. It has the signed heads of the log, but doesn't know the
    /// commands before the part.
    #[must_use]
    pub fn part(&self, table: &str, from: &Head) -> Verifier {
        let signed = self.signed.iter().filter(|((own, seq), _)| own == table && *seq > from.seq);
        let mut part = Verifier {
            signed: signed.map(|(place, hashes)| (place.clone(), hashes.clone())).collect(),
            archives: self.archives.only(table),
            ..Verifier::new(self.store.as_deref(), self.trusted.as_ref())
        };
        if from.seq > 0 {
            part.resume(table, from.clone());
        }
        part
    }

    /// Can [`Verifier::absorb`] take what a verifier of the next part of a log found? It can't if a command in that part came before. Then the part
    /// has to be verified again by this verifier.
    #[must_use]
    pub fn takes(&self, table: &str, part: &Verifier) -> bool {
        self.commands.0 != table || part.commands.1.is_disjoint(&self.commands.1)
    }

    /// Adds what a verifier of the next part of a log found.
    pub fn absorb(&mut self, table: &str, mut part: Verifier) {
        if self.commands.0 != table {
            self.commands = (table.to_owned(), HashSet::new());
        }
        self.commands.1.extend(take(&mut part.commands.1));
        let end = part.reached(table).seq;
        self.signed
            .retain(|(own, seq), _| own != table || *seq > end || part.signed.contains_key(&(own.clone(), *seq)));
        self.verified.rows += part.verified.rows;
        self.verified.heads += part.verified.heads;
        self.verified.archived += part.verified.archived;
        self.verified.findings.append(&mut part.verified.findings);
        self.verified.ends.append(&mut part.verified.ends);
    }

    /// Returns the end of a log as far as it was verified.
    #[must_use]
    pub fn reached(&self, table: &str) -> Head {
        self.verified.ends.get(table).cloned().unwrap_or_default()
    }

    /// Leaves out the signed heads of a log up to a row, because the rows up to it are not there to be compared. Returns how many.
    pub fn without_heads_to(&mut self, table: &str, seq: u64) -> usize {
        let before = self.signed.len();
        self.signed.retain(|(own, at), _| own != table || *at > seq);
        before - self.signed.len()
    }

    /// Compares the end of a log with what the database says. It comes after the rows of the log.
    pub fn end(&mut self, table: &str, said: &Head) {
        let end = self.verified.ends.get(table).cloned().unwrap_or_default();
        if end != *said {
            self.find(Finding::WrongEnd { table: table.to_owned(), said: said.seq, end: end.seq });
        }
    }

    /// Adds a problem.
    pub fn find(&mut self, finding: Finding) {
        self.verified.findings.push(finding);
    }

    /// Returns the problems found so far.
    pub fn findings(&self) -> &[Finding] {
        &self.verified.findings
    }

    /// Ends the verification and returns the result.
    pub fn finish(mut self) -> Verified {
        for (table, seq) in take(&mut self.signed).into_keys() {
            let end = self.verified.ends.get(&table).map_or(0, |end| end.seq);
            // A signed row that is missing in the middle is already reported as a gap.
            if seq > end {
                self.find(Finding::Truncated { table, signed: seq, end });
            }
        }
        self.verified
    }
}

/// Verifies rows against signed heads and returns all problems.
pub fn verify_chain(rows: &[Row], heads: &[SignedHead]) -> Vec<Finding> {
    let mut verifier = Verifier::new(None, None);
    heads.iter().for_each(|head| verifier.head(head));
    rows.iter().for_each(|row| verifier.row(row));
    verifier.finish().findings
}
