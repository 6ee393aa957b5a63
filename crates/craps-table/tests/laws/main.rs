//! Laws that every game must obey, tested on random games. Each book gets the same number of games, spread over its sample houses.
//! `BOXPERSON_GAMES` sets the number of games per book and law; the default is a few. A failure names the house and the seed, which replay the
//! game.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod drive;
mod legal;
mod outcomes;
mod replay;
mod seats;
mod text;
