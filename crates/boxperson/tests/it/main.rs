//! Tests that run the program as a user does.

#![allow(clippy::unwrap_used, reason = "a test that can't go on should stop where it is")]

mod admin;
mod archive;
mod backup;
mod cli;
mod costs;
mod data;
mod doctor;
mod games;
mod houses;
mod new_book;
mod play;
mod serve;
mod sim;
mod strangers;
mod support;
mod terminal;
#[cfg(feature = "otel")]
mod traces;
mod wagers;
mod witness;
