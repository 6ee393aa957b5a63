//! What a table is asked, and what its writer answers.

use super::funds::NotFunded;
use super::pit::Told;
use super::wish::{Keyed, Wish};
use super::{By, HostCode, NotOpened, Refused};
use crate::faults;
use craps_money::Money;
use craps_notation::talk::AskBack;
use craps_store::{Fault, StoreError};
use craps_table::Refusal;
use std::sync::Arc;

/// A request to a table: who asks for what, and under which key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Who asks, and in which role.
    pub by: By,
    /// Owner of the key: an account, a guest or a token.
    pub client: String,
    /// Idempotency key. A request with the same client and key is done only once.
    pub key: Option<Keyed>,
    /// The request itself.
    pub wish: Wish,
    /// The most that its bets can put down, if the player has set a limit for themselves.
    pub room: Option<Money>,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// The rows that were stored. Empty if there was nothing to do.
    pub rows: Vec<Arc<Told>>,
    /// The request had been done before under this key.
    pub again: bool,
    /// How the words were understood, for a request in words.
    pub understood: Option<String>,
}

impl Done {
    pub(super) fn new(rows: Vec<Arc<Told>>) -> Done {
        Done { rows, again: false, understood: None }
    }
}

/// Why a request was not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotDone {
    /// The table or a rule of the server refuses it.
    #[error("{0}")]
    Refused(Refused),
    /// The words were not understood.
    #[error("{}", .0.message)]
    Asked(AskBack),
    /// The queue is full: try again later.
    #[error("Too many requests for this table at once. Try again in a moment.")]
    Busy,
    /// There is no such table.
    #[error("There is no table `{0}`.")]
    NoTable(String),
    /// The log can't be written or read now. Nothing was stored. It is safe to ask again under the same key.
    #[error("Nothing was done, because the log can't be used now: {}. Try again in a moment.", .0.kind.what())]
    Store(Fault),
    /// The database gave no answer, so nobody knows whether it was stored. Asking again under the same key finds out.
    #[error("It isn't known whether this was done: {}. Send it again with the same key to find out.", .0.kind.what())]
    Unsure(Fault),
    /// The key was used before, for another request.
    #[error("The key {0:?} was used before, for another request. Use a new key for every request.")]
    OtherRequest(String),
    /// The new row can't be written, for example because it is too long.
    #[error("This can't be written to the table's log: {0}")]
    Unwritable(String),
    /// Bets are closed, and the witness of the dice can't be reached or doesn't answer.
    #[error(
        "Bets are closed, and the roll waits for the witness of this table: {0}. It goes on by itself when the witness answers."
    )]
    Witness(String),
    /// The log of the table is long, and it isn't read to its end yet.
    #[error("The table is being read from its log. Try again in a moment.")]
    Reading,
    /// The table is stopped because its money no longer adds up, or its log can't be read.
    #[error("This table is stopped: {0}")]
    Stopped(String),
    /// A player can act only from their own seat.
    #[error("You can act only from your own seat. If you have none, take a seat first.")]
    NoSeat,
    /// The person may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// The request lacks a value, or has one that doesn't work.
    #[error("{0}")]
    Invalid(String),
    /// Chips or coupons that the request needs have no source.
    #[error("{0}")]
    NotFunded(#[from] NotFunded),
    /// The fields of the request don't fit together.
    #[error("{0}")]
    Malformed(String),
    /// The request exceeds a limit that the player set for themselves.
    #[error("Your own limit leaves ${0} for bets.")]
    OwnLimit(Money),
    /// The server is shutting down.
    #[error("The server is shutting down. Try again in a moment.")]
    Closing,
}

impl From<Refused> for NotDone {
    fn from(refused: Refused) -> NotDone {
        NotDone::Refused(refused)
    }
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> NotDone {
        NotDone::Refused(refusal.into())
    }
}

impl From<HostCode> for NotDone {
    fn from(code: HostCode) -> NotDone {
        NotDone::Refused(code.into())
    }
}

impl From<AskBack> for NotDone {
    fn from(ask: AskBack) -> NotDone {
        NotDone::Asked(ask)
    }
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> NotDone {
        let fault = error.fault();
        faults::report(&fault);
        match error {
            StoreError::Changed { seq, .. } => NotDone::Stopped(format!("row {seq} of its log was changed")),
            _ => NotDone::Store(fault),
        }
    }
}

/// Why a table was not opened.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OpenError {
    /// The rules can't be read, or they are unlawful.
    #[error(transparent)]
    Rules(#[from] NotOpened),
    /// A table with this id exists.
    #[error("There is already a table `{0}`.")]
    Taken(String),
    /// The log can't be written now.
    #[error("The log can't be used now: {}. Try again in a moment.", .0.kind.what())]
    Store(Fault),
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> OpenError {
        let fault = error.fault();
        faults::report(&fault);
        OpenError::Store(fault)
    }
}
