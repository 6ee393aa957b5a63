//! The server for live tables: many tables and players, a durable log, and access by role.

mod app;
mod aside;
pub mod audit;
mod clock;
pub mod config;
pub mod doctor;
mod error;
mod facts;
mod faults;
pub mod figures;
#[cfg(test)]
mod fuzz;
pub mod house;
mod input;
mod jobs;
pub mod live;
mod log;
mod net;
mod page;
pub mod people;
mod routes;
mod server;
mod sims;
#[cfg(feature = "testing")]
pub mod testing;
mod tls;
mod trust;
pub mod witness;

pub use app::{App, Shared};
pub use clock::{Clock, Jump};
pub use error::{ApiError, Problem};
pub use log::{Traces, begin_log};
pub use server::{NotStarted, Server, asked_to_stop, openapi, router};
