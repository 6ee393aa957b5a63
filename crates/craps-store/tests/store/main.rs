//! The contract of the store, held by both databases: every test under `sqlite::` has its twin under `postgres::`.

#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[macro_use]
mod support;
mod backup;
mod commit;
mod heads;
mod log;
mod people;
mod stream;
mod tamper;
