//! What a server and a witness sign for each other. A witness is a program of somebody else: it keeps signed heads, and it takes part in the dice.

use crate::heads::{HeadKey, PublicKey, SignedHead};
use crate::row::{Fields, hex};
use crate::store::is_table;
use serde::{Deserialize, Serialize};
use sha2::Digest;

/// Maximum length of the name of a table in a question, in bytes.
const NAME_MOST: usize = 100;

/// A roll that a witness takes part in: its place, and the row that closed its bets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Id of the store.
    pub store: String,
    /// Name of the table.
    pub table: String,
    /// Number of the hand.
    pub hand: u32,
    /// Number of the roll within the hand, from 1.
    pub throw: u32,
    /// Hash of the row that closed the bets.
    pub row: String,
}

impl Lock {
    /// Returns true when the texts are what they say and can't be mistaken for other lines.
    pub fn is_plain(&self) -> bool {
        let is_hex =
            |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let graphic = self.table.bytes().all(|byte| byte.is_ascii_graphic());
        let named = (1..=NAME_MOST).contains(&self.table.len()) && graphic && is_table(&self.table);
        named && is_hex(&self.store, 32) && is_hex(&self.row, 64)
    }

    /// Returns the text that is signed. `purpose` keeps questions and answers apart.
    fn text(&self, purpose: &str) -> String {
        let Lock { store, table, hand, throw, row } = self;
        format!("boxperson-witness-{purpose}\nstore {store}\ntable {table}\nhand {hand}\nthrow {throw}\nrow {row}\n")
    }
}

/// A question to a witness, signed by the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The roll.
    pub lock: Lock,
    /// Public key of the server.
    pub public_key: PublicKey,
    /// Signature of the server, in hex.
    pub signature: String,
}

impl Question {
    /// Returns true when the signature is valid for the public key.
    pub fn is_genuine(&self) -> bool {
        self.public_key.has_signed(self.lock.text("question").as_bytes(), &self.signature)
    }
}

/// What a witness says when it has taken heads: that it has them, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// Time of the receipt, in milliseconds since 1970.
    pub at: i64,
    /// Public key of the witness.
    pub public_key: PublicKey,
    /// Signature of the time and the heads, in hex.
    pub signature: String,
}

impl Receipt {
    fn message(heads: &[SignedHead], at: i64) -> Vec<u8> {
        let mut fields = Fields::default();
        fields.text("boxperson receipt").number(&at).number(&heads.len());
        for head in heads {
            fields.text(&head.store).text(&head.table).number(&head.seq).text(&head.hash);
        }
        fields.0.finalize().to_vec()
    }

    /// Returns true when this witness has signed that it has these heads.
    pub fn is_for(&self, heads: &[SignedHead], witness: &PublicKey) -> bool {
        self.public_key == *witness && witness.has_signed(&Receipt::message(heads, self.at), &self.signature)
    }
}

impl HeadKey {
    /// Asks a witness to take part in a roll.
    pub fn ask(&self, lock: Lock) -> Question {
        let signature = hex(&self.signed(lock.text("question").as_bytes()));
        Question { lock, public_key: self.public(), signature }
    }

    /// Answers as a witness: the signature of the place of a roll and of the row that closed its bets. It is always the same for the same roll and row.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// use craps_store::{HeadKey, Lock};
    /// let key = HeadKey::open_or_create(&folder.path().join("witness.key"))?;
    /// let lock = Lock { store: "0f".repeat(16), table: "north".into(), hand: 7, throw: 1, row: "ab".repeat(32) };
    /// let answer = key.answer(&lock);
    /// assert!(key.public().has_answered(&lock, &answer));
    /// assert!(!key.public().has_answered(&Lock { throw: 2, ..lock }, &answer));
    /// # Ok::<(), craps_store::StoreError>(())
    /// ```
    pub fn answer(&self, lock: &Lock) -> String {
        hex(&self.signed(lock.text("dice").as_bytes()))
    }

    /// Confirms as a witness that it has these heads.
    pub fn receipt(&self, heads: &[SignedHead], at: i64) -> Receipt {
        Receipt { at, public_key: self.public(), signature: hex(&self.signed(&Receipt::message(heads, at))) }
    }
}

impl PublicKey {
    /// Is this the answer of the witness with this key?
    pub fn has_answered(&self, lock: &Lock, answer: &str) -> bool {
        self.has_signed(lock.text("dice").as_bytes(), answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Head;

    fn lock() -> Lock {
        Lock { store: "0f".repeat(16), table: "north".into(), hand: 7, throw: 2, row: "ab".repeat(32) }
    }

    fn key(name: &str) -> HeadKey {
        let folder = tempfile::tempdir().unwrap();
        HeadKey::open_or_create(&folder.path().join(name)).unwrap()
    }

    #[test]
    fn a_question_is_no_answer_and_covers_everything() {
        let (server, witness) = (key("a"), key("b"));
        let question = server.ask(lock());
        assert!(question.is_genuine());
        assert!(
            !server.public().has_answered(&lock(), &question.signature),
            "a server can't pass its question off as an answer"
        );
        let answer = witness.answer(&lock());
        assert_eq!(answer, witness.answer(&lock()));
        for other in [
            Lock { store: "1f".repeat(16), ..lock() },
            Lock { table: "south".into(), ..lock() },
            Lock { hand: 8, ..lock() },
            Lock { throw: 3, ..lock() },
            Lock { row: "cd".repeat(32), ..lock() },
        ] {
            assert!(!witness.public().has_answered(&other, &answer), "{other:?}");
            assert!(!Question { lock: other, ..question.clone() }.is_genuine());
        }
        assert!(!server.public().has_answered(&lock(), &answer));
        for wrong in ["", "00", &answer[2..], &answer.to_uppercase()] {
            assert!(!witness.public().has_answered(&lock(), wrong), "{wrong}");
        }
    }

    #[test]
    fn names_that_look_like_other_lines_are_not_plain() {
        assert!(lock().is_plain());
        for table in ["", "a b", "a\nhand 3", "@people", "n\u{f6}", &"x".repeat(101)] {
            assert!(!Lock { table: table.into(), ..lock() }.is_plain(), "{table:?}");
        }
        assert!(!Lock { store: "S".into(), ..lock() }.is_plain() && !Lock { row: "ab".into(), ..lock() }.is_plain());
    }

    #[test]
    fn a_receipt_is_for_its_heads_only() {
        let (server, witness) = (key("a"), key("b"));
        let head = |seq: u64| server.sign("s", "north", &Head { seq, hash: "ab".repeat(32) }, 5);
        let receipt = witness.receipt(&[head(1), head(2)], 9);
        assert!(receipt.is_for(&[head(1), head(2)], &witness.public()));
        assert!(
            !receipt.is_for(&[head(1)], &witness.public()) && !receipt.is_for(&[head(1), head(2)], &server.public())
        );
        assert!(!Receipt { at: 10, ..receipt }.is_for(&[head(1), head(2)], &witness.public()));
    }
}
