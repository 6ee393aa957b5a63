//! The program as its users see it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod admin;
mod backup;
mod cli;
mod costs;
mod data;
mod games;
mod houses;
mod play;
mod serve;
mod sim;
mod strangers;
mod support;
mod terminal;
mod wagers;
