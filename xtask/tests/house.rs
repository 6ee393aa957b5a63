//! House checks: what every file of this repository keeps to, as ordinary tests.
//!
//! Each check reads the whole repository and reports all offences at once, one `file:line: what` a line; beside it stands a test
//! that feeds it a text that offends.

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
#[path = "house/repository.rs"]
mod repository;
#[path = "house/shipped.rs"]
mod shipped;
#[path = "house/wagers.rs"]
mod wagers;
#[path = "house/words_of_law.rs"]
mod words_of_law;
