//! Tests of the store. Every test runs on both databases: once under `sqlite::` and once under `postgres::`.

#![allow(clippy::unwrap_used, reason = "a test stops at the first error")]

#[macro_use]
mod support;
mod archive;
mod backup;
mod commit;
mod factors;
mod heads;
mod log;
mod people;
mod stream;
mod tamper;
mod tls;
mod torn;
mod trust;
