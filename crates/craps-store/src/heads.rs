//! Signed heads. A signed head proves what the log was up to its row.

use crate::base::{Tx, number, on, place};
use crate::error::StoreError;
use crate::private;
use crate::row::{Fields, Head, hex, unhex};
use crate::store::Store;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The public half of a key that signs heads: 32 bytes in hex.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PublicKey(String);

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PublicKey {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<PublicKey, StoreError> {
        let key = PublicKey(text.to_owned());
        let refused =
            || StoreError::Refused(format!("{text:?} is not a public key: expected 64 lower-case hex digits"));
        key.verifying().map(|_| key.clone()).ok_or_else(refused)
    }
}

impl PublicKey {
    /// Returns true when the signature, in hex, is valid for this message.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &str) -> bool {
        let verify = || {
            let signature = Signature::from_bytes(&unhex(signature)?.try_into().ok()?);
            self.verifying()?.verify_strict(message, &signature).ok()
        };
        verify().is_some()
    }

    fn verifying(&self) -> Option<VerifyingKey> {
        VerifyingKey::from_bytes(&unhex(&self.0)?.try_into().ok()?).ok()
    }
}

/// The Ed25519 key that signs heads. It is in a file that only its owner can read.
pub struct HeadKey(SigningKey);

impl fmt::Debug for HeadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HeadKey({})", self.public())
    }
}

impl HeadKey {
    /// Returns the path of the key for a database file: the same path with `.key` added.
    pub fn beside(database: &Path) -> PathBuf {
        private::beside(database, ".key")
    }

    /// Reads the key, or makes a new one if the file doesn't exist.
    pub fn open_or_create(file: &Path) -> Result<HeadKey, StoreError> {
        private::key_or_new(file).map(|seed| HeadKey(SigningKey::from_bytes(&seed)))
    }

    /// Reads the key.
    pub fn open(file: &Path) -> Result<HeadKey, StoreError> {
        private::key(file).map(|seed| HeadKey(SigningKey::from_bytes(&seed)))
    }

    /// Returns the public half of the key.
    pub fn public(&self) -> PublicKey {
        PublicKey(hex(self.0.verifying_key().as_bytes()))
    }

    /// Signs a message.
    pub(crate) fn signed(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }

    /// Signs the head of a log.
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
    /// use craps_store::HeadKey;
    /// let key = HeadKey::open_or_create(&HeadKey::beside(&file))?;
    /// let signed = key.sign(store.id(), "north", &store.head("north").await?, 0);
    /// assert!(signed.is_genuine() && signed.public_key == key.public());
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub fn sign(&self, store: &str, table: &str, head: &crate::Head, at: i64) -> SignedHead {
        let (store, table, hash) = (store.to_owned(), table.to_owned(), head.hash.clone());
        let (public_key, signature) = (self.public(), String::new());
        let mut signed = SignedHead { store, table, seq: head.seq, hash, at, public_key, signature };
        signed.signature = hex(&self.signed(&signed.message()));
        signed
    }
}

/// The signed head of a log at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedHead {
    /// Id of the store that has the log.
    pub store: String,
    /// Name of the table.
    pub table: String,
    /// Number of the last row.
    pub seq: u64,
    /// Hash of the last row.
    pub hash: String,
    /// Time of the signature, in milliseconds since 1970.
    pub at: i64,
    /// Public key of the signer.
    pub public_key: PublicKey,
    /// Signature of all fields above except the key, in hex.
    pub signature: String,
}

impl SignedHead {
    /// Returns the signed message: a hash of a fixed label and the fields.
    fn message(&self) -> Vec<u8> {
        let mut fields = Fields::default();
        fields.text("boxperson head").text(&self.store).text(&self.table).number(&self.seq).text(&self.hash);
        fields.number(&self.at);
        fields.0.finalize().to_vec()
    }

    /// Returns true when the signature is valid for the public key.
    pub fn is_genuine(&self) -> bool {
        self.public_key.has_signed(&self.message(), &self.signature)
    }
}

impl Store {
    /// Signs the current heads of all logs. The signed heads are also kept in the database, so that later changes to the log
    /// show. Copies that others keep also reveal changes by the owner of the key.
    pub async fn sign_heads(&self, key: &HeadKey, at: i64) -> Result<Vec<SignedHead>, StoreError> {
        self.sign_ends(key, self.logs().await?, at).await
    }

    /// Signs these ends of logs, as a verification found them. The database keeps the signed heads, and the ones before them.
    pub async fn sign_ends(
        &self,
        key: &HeadKey,
        ends: impl IntoIterator<Item = (String, Head)>,
        at: i64,
    ) -> Result<Vec<SignedHead>, StoreError> {
        let ends = ends.into_iter().filter(|(_, head)| head.seq > 0);
        let signed: Vec<_> = ends.map(|(table, head)| key.sign(self.id(), &table, &head, at)).collect();
        let mut tx = self.base().begin_write(std::iter::empty()).await?;
        for head in &signed {
            keep_head(&mut tx, head).await?;
            forget_heads(&mut tx, head).await?;
        }
        tx.commit().await?;
        Ok(signed)
    }

    /// Returns the signed heads in the database.
    pub async fn signed_heads(&self) -> Result<Vec<SignedHead>, StoreError> {
        let sql = "SELECT table_id, seq, hash, at, public_key, signature FROM heads ORDER BY table_id, seq, public_key";
        let found: Vec<Kept> = on!(Pool, &self.base().read, pool => sqlx::query_as(sql).fetch_all(pool).await?);
        found.into_iter().map(|kept| Ok(signed_head(self.id(), kept)?)).collect()
    }

    /// Signs the heads of all logs and writes them, one JSON object per line.
    pub async fn export_heads<W: Write + Send>(&self, key: &HeadKey, at: i64, to: &mut W) -> Result<(), StoreError> {
        for head in self.sign_heads(key, at).await? {
            serde_json::to_writer(&mut *to, &head).map_err(io::Error::from)?;
            to.write_all(b"\n")?;
        }
        Ok(to.flush()?)
    }
}

pub(crate) type Kept = (String, i64, String, i64, String, String);

pub(crate) fn signed_head(store: &str, kept: Kept) -> Result<SignedHead, sqlx::Error> {
    let (table, seq, hash, at, public_key, signature) = kept;
    let public_key = PublicKey(public_key);
    Ok(SignedHead { store: store.to_owned(), table, seq: place(seq)?, hash, at, public_key, signature })
}

/// Deletes older heads of the same log and key, all but the one just before this head. The last one covers everything before it.
async fn forget_heads(tx: &mut Tx, head: &SignedHead) -> Result<(), sqlx::Error> {
    let sql = "DELETE FROM heads WHERE table_id = $1 AND public_key = $2 AND seq < \
               (SELECT max(seq) FROM heads WHERE table_id = $1 AND public_key = $2 AND seq < $3)";
    on!(Tx, tx, tx => {
        sqlx::query(sql).bind(&head.table).bind(&head.public_key.0).bind(number(head.seq)).execute(&mut **tx).await?;
    });
    Ok(())
}

pub(crate) async fn keep_head(tx: &mut Tx, head: &SignedHead) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO heads (table_id, seq, hash, at, public_key, signature) VALUES ($1, $2, $3, $4, $5, $6) \
               ON CONFLICT DO NOTHING";
    on!(Tx, tx, tx => {
        let query = sqlx::query(sql).bind(&head.table).bind(number(head.seq)).bind(&head.hash).bind(head.at);
        query.bind(&head.public_key.0).bind(&head.signature).execute(&mut **tx).await?;
    });
    Ok(())
}
