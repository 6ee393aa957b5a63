//! The store: every table's log, and the records of people, in SQLite or PostgreSQL under one contract.
//!
//! A log is rows 1, 2, 3 … of one table. Each row bears the hash of the row before, heads are signed, and whoever holds a
//! signed head can tell whether the log up to it is still the one that was signed. Rows are durable when
//! [`append`](Store::append) returns; nobody can append to a log they have not seen the end of.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let file = folder.path().join("tables.db");
//! # let url = file.to_str().unwrap();
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use craps_store::{AppendError, NewRow, Store};
//!
//! let store = Store::open(url).await?;
//! let row = |body: &str| NewRow { at: 0, client: "box".into(), key: None, body: body.into() };
//! store.append("north", 0, vec![row("{}")]).await.unwrap();
//!
//! // Whoever still believes the log to be empty is told where it ends.
//! let late = store.append("north", 0, vec![row("{}")]).await;
//! assert!(matches!(late, Err(AppendError::Conflict { head }) if head.seq == 1));
//! # store.close().await;
//! # Ok::<(), craps_store::StoreError>(()) }).unwrap();
//! ```
//!
//! It knows nothing of the game: what a row's body says is for others to read. It has no clock either; times are given.

mod append;
mod backup;
mod base;
mod chain;
mod error;
mod export;
mod heads;
mod people;
mod private;
mod row;
mod store;
mod stream;
#[cfg(feature = "testing")]
pub mod testing;

pub use backup::Backup;
pub use chain::{Finding, Verified, Verifier, verify_chain};
pub use error::{AppendError, PeopleError, StoreError};
pub use export::{read_export, read_heads};
pub use heads::{HeadKey, PublicKey, SignedHead};
pub use people::{Account, ApiToken, Grant, Limits, NewGrant, People, Session, new_id, new_token, token_hash};
pub use row::{Head, NewRow, Row, ZEROS};
pub use store::{Snapshot, Store, TRAIL, is_table};
pub use stream::{Moved, Subscription};
