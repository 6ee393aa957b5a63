//! Ways of playing: simulated by the table's own settle, tabulated, and solved exactly.
//!
//! One truth in three forms. The [`engine`] plays a strategy throw by throw with the code that settles real games; a table of its states is
//! that engine walked once and looked up ever after; the exact answer is the same table with chances instead of dice.

pub mod answer;
pub mod control;
pub mod dice;
pub mod engine;
pub mod exact;
pub mod in_code;
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
