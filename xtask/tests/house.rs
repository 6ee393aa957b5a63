//! House checks: rules that all files of this repository follow, as ordinary tests.
//!
//! Each check reads the whole repository and reports all offenses at once, one `file:line: what` per line. Next to each check is a
//! test that gives it a text with offenses.

#[path = "house/documents.rs"]
mod documents;
#[path = "house/doors.rs"]
mod doors;
#[path = "house/examples.rs"]
mod examples;
#[path = "house/habits.rs"]
mod habits;
#[path = "house/lexer.rs"]
mod lexer;
#[path = "house/release.rs"]
mod release;
#[path = "house/repository.rs"]
mod repository;
#[path = "house/shipped.rs"]
mod shipped;
#[path = "house/wagers.rs"]
mod wagers;
#[path = "house/words_of_law.rs"]
mod words_of_law;
