//! The server for live tables: many tables and players, a durable log, and access by role.

mod app;
pub mod audit;
mod clock;
pub mod config;
mod error;
mod facts;
mod faults;
#[cfg(test)]
mod fuzz;
pub mod house;
mod input;
mod jobs;
pub mod live;
mod net;
mod page;
pub mod people;
mod routes;
mod server;
mod sims;
mod tls;
mod trust;
pub mod witness;

pub use app::{App, Shared};
pub use clock::{Clock, Jump};
pub use error::{ApiError, Problem};
pub use server::{NotStarted, Server, asked_to_stop, begin_log, openapi, router};
