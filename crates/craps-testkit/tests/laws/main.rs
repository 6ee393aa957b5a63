//! Laws that every game obeys, tried on random games. Each book in turn gets the same number of games, dealt out over its sample houses;
//! `BOXPERSON_GAMES` says how many games a book gets with each law, and without it they are a few. A failure names the house and the seed,
//! which make the game again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod drive;
mod legal;
mod outcomes;
mod replay;
mod seats;
mod text;
