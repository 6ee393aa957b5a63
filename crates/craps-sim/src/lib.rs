#![doc = include_str!("../README.md")]

pub mod answer;
pub mod control;
pub mod dice;
pub mod engine;
pub mod exact;
pub mod language;
pub mod lookup;
pub mod report;
pub mod run;
pub mod seated;
pub mod shipped;
pub mod tabulate;

pub use answer::{Answer, Form, Interval, Refused};
pub use control::Controlled;
pub use engine::{Counter, End, Engine, Plan, Reads, Rules, Seat, SessionOutcome, Strategy};
pub use run::{Choice, Difference, Duel, NotRun, Request, Unwatched, Watch, duel, run};
