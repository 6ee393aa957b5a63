//! Tests of the server as its clients meet it, in one program: each would link the whole server again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod audit;
mod dice;
mod facts;
mod history;
mod house;
mod input;
mod layouts;
mod old;
mod openapi;
mod page;
mod people;
mod pit;
mod private;
mod replay;
mod roles;
mod streams;
mod support;
mod tables;
mod verify;
