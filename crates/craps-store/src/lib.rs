#![doc = include_str!("../README.md")]

mod append;
mod archive;
mod backup;
mod base;
mod chain;
mod chance;
mod disk;
mod error;
mod export;
mod factors;
mod fault;
mod find;
mod heads;
mod marks;
mod people;
mod private;
mod room;
mod row;
mod seal;
mod store;
mod stream;
#[cfg(feature = "testing")]
pub mod testing;
mod trust;
mod witness;

pub use append::Part;
pub use archive::{ARCHIVE, Archives, Basis, Seal, ToArchive};
pub use backup::Backup;
pub use chain::{Finding, Verified, Verifier, verify_chain};
pub use chance::random;
pub use disk::{Disk, Fate, Step};
pub use error::{AppendError, PeopleError, StoreError};
pub use export::{read_export, read_heads};
pub use factors::Factor;
pub use fault::{Fault, FaultKind};
pub use heads::{HeadKey, PublicKey, SignedHead};
pub use marks::{Before, Mark};
pub use people::{Account, ApiToken, Grant, Limits, NewGrant, People, Session, new_id, new_token, token_hash};
pub use private::is_open_to_others;
pub use room::Room;
pub use row::{Head, NewRow, Row, ZEROS};
pub use seal::SealKey;
pub use store::{BODY_MOST, Extent, Found, SERVER, Store, TRAIL, is_table};
pub use stream::{Moved, Subscription};
pub use trust::HeadFile;
pub use witness::{Lock, Question, Receipt};
