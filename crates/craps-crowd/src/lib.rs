//! A crowd of bots that play at many live tables over the network. For tests and benchmarks only: they prove that nothing is lost when servers or
//! connections are killed, and measure how much load a server takes.
//!
//! A [`Node`] is a server in its own process, which can be killed without warning. A [`Bot`] plays over a WebSocket, records what it sent and what it
//! heard, and repeats commands that got no answer. A [`Crowd`] is many bots. After the crowd has left, the [`ledger`] compares what every bot heard
//! with the log.
//!
//! Bots know only what the protocol tells them. Of the game itself they only know how to count their chips.

pub mod bench;
mod bot;
mod crowd;
mod ground;
mod http;
pub mod ledger;
mod line;
pub mod long;
mod node;
mod play;
mod press;
pub mod siege;
pub mod soak;
mod view;

pub use bot::{Bot, Outcome, Sent};
pub use crowd::{Crowd, Manners};
pub use ground::{Base, Ground};
pub use ledger::{Broken, Kept};
pub use node::{Node, Setup, serve_node};

/// The crowd could not do its work. This says nothing about the tables.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// An error of the operating system.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// An error of the database.
    #[error(transparent)]
    Store(#[from] craps_store::StoreError),
    /// A server gave an answer that the crowd can't continue with.
    #[error("{0}")]
    Server(String),
}
