//! A crowd of bots at many live tables, over the network: what proves that nothing is lost, whoever is killed, and how much a server takes.
//! For tests and benchmarks only.
//!
//! A [`Node`] is a server in a process of its own, which can be killed as hard as the system lets one. A [`Bot`] plays over a WebSocket,
//! remembers what it asked and what it was told, and asks again whatever was not answered. A [`Crowd`] is many of them. When the crowd has
//! left, the [`ledger`] holds what every bot was told against the log.
//!
//! Bots know nothing but what the protocol tells them: of the game they know how to count their chips.

pub mod bench;
mod bot;
mod crowd;
mod ground;
mod http;
pub mod ledger;
mod line;
mod node;
mod press;
pub mod siege;
mod view;

pub use bot::{Bot, Outcome, Sent};
pub use crowd::{Crowd, Manners};
pub use ground::{Base, Ground};
pub use ledger::{Broken, Kept};
pub use node::{Node, Setup, serve_node};

/// The crowd itself could not do its work; nothing is said about the tables.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The system.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// The database.
    #[error(transparent)]
    Store(#[from] craps_store::StoreError),
    /// A server said something that cannot be gone on with.
    #[error("{0}")]
    Server(String),
}
