//! The rows of a log and their hashes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The `prev` hash of the first row.
pub const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A row to append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRow {
    /// Time in milliseconds since 1970.
    pub at: i64,
    /// Client that sent the command.
    pub client: String,
    /// The client's key for its command. A client can use a key once per table.
    pub key: Option<String>,
    /// What happened, as text. The store doesn't read it.
    pub body: String,
}

/// A row in the log of a table. Hashes are kept as text exactly as read, so even a change of case shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name of the table.
    pub table: String,
    /// Number of the row, counted from 1.
    pub seq: u64,
    /// Time in milliseconds since 1970.
    pub at: i64,
    /// Client that sent the command.
    pub client: String,
    /// The client's key for its command.
    pub key: Option<String>,
    /// Hash of the row before.
    pub prev: String,
    /// Hash of this row.
    pub hash: String,
    /// What happened, as text.
    pub body: String,
}

/// The end of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Number of the last row, or 0 for an empty log.
    pub seq: u64,
    /// Hash of the last row.
    pub hash: String,
}

impl Default for Head {
    fn default() -> Head {
        Head { seq: 0, hash: ZEROS.to_owned() }
    }
}

impl Row {
    /// Makes the row that follows a head.
    pub fn follow(table: &str, head: &Head, new: NewRow) -> Row {
        let NewRow { at, client, key, body } = new;
        let (table, prev) = (table.to_owned(), head.hash.clone());
        let mut row = Row { table, seq: head.seq + 1, at, client, key, prev, hash: String::new(), body };
        row.hash = row.digest();
        row
    }

    /// Computes the hash of the other fields.
    pub fn digest(&self) -> String {
        let mut digest = Fields::default();
        digest.text(&self.table).number(&self.seq).number(&self.at).text(&self.client);
        digest.maybe(self.key.as_deref()).text(&self.prev).text(&self.body);
        hex(&digest.0.finalize())
    }

    /// Returns the head of a log that ends with this row.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash.clone() }
    }
}

/// A hash over fields. Each field is its length in four bytes (big-endian) and its text; numbers are in decimal. Two fields
/// can't be confused with one, and a missing field differs from an empty one.
#[derive(Default)]
pub(crate) struct Fields(pub(crate) Sha256);

impl Fields {
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.0.update(length(text.len()).to_be_bytes());
        self.0.update(text);
        self
    }

    pub(crate) fn number(&mut self, number: &impl ToString) -> &mut Self {
        self.text(&number.to_string())
    }

    fn maybe(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => {
                self.0.update(u32::MAX.to_be_bytes());
                self
            }
        }
    }
}

/// Returns the length of a field as it is hashed. Texts too long for four bytes all use the same length; the texts themselves
/// still differ. The largest number marks a missing field.
fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX - 1)
}

/// Encodes bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Decodes lower-case hex.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let new = NewRow { at: 1_700_000_000_000, client: "c".into(), key: Some("k".into()), body: "{}".into() };
        Row::follow("north", &Head::default(), new)
    }

    /// Old logs must always verify. The expected hash was computed with another program.
    #[test]
    fn the_hash_is_the_sum_over_fields_with_their_lengths() {
        let text = [
            "\0\0\0\x05north",
            "\0\0\0\x011",
            "\0\0\0\x0d1700000000000",
            "\0\0\0\x01c",
            "\0\0\0\x01k",
            "\0\0\0\x40",
            ZEROS,
            "\0\0\0\x02{}",
        ];
        assert_eq!(row().hash, hex(&Sha256::digest(text.concat())));
        assert_eq!(row().hash, "b3ed3cc3af8e663b8b77ef96b7de038d89c7b2829cde6444cc8ecccc9c09d6c5");
    }

    #[test]
    fn a_missing_key_is_not_an_empty_one_and_no_field_runs_into_the_next() {
        let mut none = row();
        none.key = None;
        let mut empty = row();
        empty.key = Some(String::new());
        assert_ne!(none.digest(), empty.digest());

        let mut moved = row();
        moved.client = "ck".into();
        moved.key = Some(String::new());
        assert_ne!(moved.digest(), row().digest());
    }

    #[test]
    fn no_text_has_the_length_that_marks_a_missing_field() {
        assert_eq!([0, 1, 0xffff_fffe].map(length), [0, 1, u32::MAX - 1]);
        assert_eq!(length(usize::MAX), u32::MAX - 1);
    }

    #[test]
    fn hex_goes_there_and_back_and_takes_no_capitals() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(unhex(&hex(&bytes)), Some(bytes));
        for wrong in ["0", "0A", "g0", "ä"] {
            assert_eq!(unhex(wrong), None, "{wrong}");
        }
    }
}
