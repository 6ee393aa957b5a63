//! Tests of the server from a client's side. They are one program, because every test program links the whole server again.

#![allow(clippy::unwrap_used, reason = "a test that can't continue should stop there")]

mod archive;
mod audit;
mod crew;
mod dice;
mod facts;
mod fair;
mod faults;
mod figures;
mod flips;
mod history;
mod house;
mod input;
mod layouts;
mod long;
mod money;
mod net;
mod old;
mod openapi;
mod page;
mod people;
mod pit;
mod private;
mod races;
mod replay;
mod roles;
mod second_factor;
mod streams;
mod support;
mod tables;
mod tls;
mod trust;
mod verify;
mod witness;
