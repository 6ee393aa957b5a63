//! The program as its users see it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod cli;
mod data;
mod games;
mod houses;
mod play;
mod sim;
mod support;
mod vectors;
