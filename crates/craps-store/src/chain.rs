//! Is a log whole? Everything that is wrong with it, found without the database it came from.

use crate::heads::{PublicKey, SignedHead};
use crate::row::{Head, Row};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// Something is wrong with a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say where")]
pub enum Finding {
    /// What stands there is no row.
    Unreadable { place: String, why: String },
    /// Rows are missing.
    Gap { table: String, from: u64, to: u64 },
    /// A row that the log is past already: there twice, or out of order.
    Repeated { table: String, seq: u64 },
    /// A row that does not follow the one before.
    WrongPrev { table: String, seq: u64 },
    /// A row that was changed.
    WrongHash { table: String, seq: u64 },
    /// A command that was done twice.
    DuplicateKey { table: String, seq: u64, client: String, key: String },
    /// A signed head that nobody with that key signed.
    BadSignature { table: String, seq: u64 },
    /// A signed head under a key that is not the one trusted.
    OtherKey { table: String, seq: u64, public_key: PublicKey },
    /// A signed head of another store.
    OtherStore { table: String, seq: u64, store: String },
    /// A log that ends before a signed head.
    Truncated { table: String, signed: u64, end: u64 },
    /// A log that is not the one signed.
    Rewritten { table: String, seq: u64 },
    /// A file that does not end as it should.
    Unfinished { why: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Finding::*;
        match self {
            Unreadable { place, why } => write!(f, "{place}: unreadable: {why}"),
            Gap { table, from, to } if from == to => write!(f, "table {table}: row {from} is missing"),
            Gap { table, from, to } => write!(f, "table {table}: rows {from} to {to} are missing"),
            Repeated { table, seq } => write!(f, "table {table}, row {seq}: out of order, or there twice"),
            WrongPrev { table, seq } => write!(f, "table {table}, row {seq}: does not follow the row before"),
            WrongHash { table, seq } => write!(f, "table {table}, row {seq}: was changed, its hash is another"),
            DuplicateKey { table, seq, client, key } => {
                write!(f, "table {table}, row {seq}: the command {key:?} of {client:?} was there before")
            }
            BadSignature { table, seq } => write!(f, "table {table}, head {seq}: the signature is not genuine"),
            OtherKey { table, seq, public_key } => {
                write!(f, "table {table}, head {seq}: signed with {public_key}, which is not the key trusted")
            }
            OtherStore { table, seq, store } => write!(f, "table {table}, head {seq}: signed for the store {store}"),
            Truncated { table, signed, end } => {
                write!(f, "table {table}: ends at row {end}, but a head was signed at row {signed}")
            }
            Rewritten { table, seq } => write!(f, "table {table}, row {seq}: not the row whose hash was signed"),
            Unfinished { why } => write!(f, "the file is not whole: {why}"),
        }
    }
}

/// What was looked at, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// How many rows.
    pub rows: u64,
    /// How many signed heads, genuine and in agreement with the rows.
    pub heads: u64,
    /// Where each log ends.
    pub ends: BTreeMap<String, Head>,
    /// Everything that is wrong.
    pub findings: Vec<Finding>,
}

/// Reads logs row by row and finds what is wrong with them. The rows of one log come in order; what is out of order is
/// a finding.
#[derive(Debug, Clone)]
pub struct Verifier {
    store: Option<String>,
    trusted: Option<PublicKey>,
    /// Signed heads not yet reached, by table and row.
    signed: BTreeMap<(String, u64), Vec<String>>,
    /// The commands of the log last read. Logs are read one after the other, so one set will do.
    commands: (String, HashSet<(String, String)>),
    verified: Verified,
}

impl Verifier {
    /// Knows nothing yet. Heads must be of this store and signed with this key, where they are given.
    pub fn new(store: Option<&str>, trusted: Option<&PublicKey>) -> Verifier {
        Verifier {
            store: store.map(str::to_owned),
            trusted: trusted.cloned(),
            signed: BTreeMap::new(),
            commands: Default::default(),
            verified: Verified { rows: 0, heads: 0, ends: BTreeMap::new(), findings: Vec::new() },
        }
    }

    /// Goes on from a head that was verified before: the rows up to there are not read again.
    pub fn resume(&mut self, table: &str, head: Head) {
        self.verified.ends.insert(table.to_owned(), head);
    }

    /// The log must agree with this head. Heads come before the rows of their log.
    pub fn head(&mut self, head: &SignedHead) {
        let (table, seq) = (head.table.clone(), head.seq);
        if !head.is_genuine() {
            return self.find(Finding::BadSignature { table, seq });
        }
        if self.trusted.as_ref().is_some_and(|trusted| *trusted != head.public_key) {
            return self.find(Finding::OtherKey { table, seq, public_key: head.public_key.clone() });
        }
        if self.store.as_ref().is_some_and(|store| *store != head.store) {
            return self.find(Finding::OtherStore { table, seq, store: head.store.clone() });
        }
        self.signed.entry((table, seq)).or_default().push(head.hash.clone());
    }

    /// The next row.
    pub fn row(&mut self, row: &Row) {
        let Row { table, seq, .. } = row;
        let (table, seq) = (|| table.clone(), *seq);
        self.verified.rows += 1;
        let end = self.verified.ends.get(&row.table).cloned().unwrap_or_default();
        if seq > end.seq + 1 {
            self.find(Finding::Gap { table: table(), from: end.seq + 1, to: seq - 1 });
        } else if seq <= end.seq {
            self.find(Finding::Repeated { table: table(), seq });
        } else if row.prev != end.hash {
            self.find(Finding::WrongPrev { table: table(), seq });
        }
        if row.digest() != row.hash {
            self.find(Finding::WrongHash { table: table(), seq });
        }
        if let Some(key) = &row.key {
            if self.commands.0 != row.table {
                self.commands = (table(), HashSet::new());
            }
            if !self.commands.1.insert((row.client.clone(), key.clone())) {
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
    }

    /// Something else that is wrong.
    pub(crate) fn find(&mut self, finding: Finding) {
        self.verified.findings.push(finding);
    }

    /// What has been found so far.
    pub fn findings(&self) -> &[Finding] {
        &self.verified.findings
    }

    /// That was all.
    pub fn finish(mut self) -> Verified {
        for (table, seq) in std::mem::take(&mut self.signed).into_keys() {
            let end = self.verified.ends.get(&table).map_or(0, |end| end.seq);
            // A signed row that is missing further up is part of a gap, and said so there.
            if seq > end {
                self.find(Finding::Truncated { table, signed: seq, end });
            }
        }
        self.verified
    }
}

/// Everything that is wrong with these rows, held against heads that were signed.
pub fn verify_chain(rows: &[Row], heads: &[SignedHead]) -> Vec<Finding> {
    let mut verifier = Verifier::new(None, None);
    heads.iter().for_each(|head| verifier.head(head));
    rows.iter().for_each(|row| verifier.row(row));
    verifier.finish().findings
}
