//! Tests of the server as its clients meet it, in one program: each would link the whole server again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod audit;
mod dice;
mod facts;
mod house;
mod input;
mod layouts;
mod openapi;
mod people;
mod pit;
mod roles;
mod streams;
mod support;
mod tables;
mod verify;
