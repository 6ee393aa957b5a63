//! Is a house lawful, and what should it know? The book judges it; whether its prices favour the player is worked out.

use craps_law::{Cites, HouseRules, Notice, Problem, RuleBook, TableRules, WagerRules};
use craps_odds::figures::percent;
use craps_odds::{Solver, price};
use craps_wagers::Mechanic;
use serde::Serialize;

/// The verdict on a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HouseCheck {
    /// May it play so?
    pub lawful: bool,
    /// By this book.
    pub book: String,
    /// On this day.
    pub as_of: String,
    /// Everything that is not lawful.
    pub problems: Vec<Remark>,
    /// What is lawful and good to know.
    pub notices: Vec<Remark>,
}

/// Something to say of a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Remark {
    /// The house key, or the wager.
    pub path: String,
    /// What is to be said.
    pub message: String,
    /// By which words.
    pub cite: String,
}

impl Remark {
    fn new(path: &str, message: &str, cites: &Cites) -> Remark {
        Remark { path: path.to_owned(), message: message.to_owned(), cite: cites.to_string() }
    }
}

impl From<&Problem> for Remark {
    fn from(problem: &Problem) -> Remark {
        Remark::new(&problem.path, &problem.message, &problem.cites)
    }
}

impl From<&Notice> for Remark {
    fn from(notice: &Notice) -> Remark {
        Remark::new(&notice.path, &notice.message, &notice.cites)
    }
}

/// Judges a house by its book.
///
/// ```
/// use craps_explain::house::check;
/// use craps_law::{HouseRules, Library, Source};
/// use craps_odds::Solver;
/// let library = Library::shipped();
/// let text = "book = 'pa'\nas_of = 2023-10-01\n[house]\nodds.k = 20\n";
/// let house = HouseRules::parse(&Source { path: "house.toml".into(), text: text.into() })?;
/// let verdict = check(&mut Solver::default(), library.named("pa")?, &house);
/// assert!(!verdict.lawful);
/// assert_eq!(verdict.problems[0].path, "odds.k");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn check(solver: &mut Solver, book: &RuleBook, house: &HouseRules) -> HouseCheck {
    let (problems, notices) = match book.admit(house) {
        Ok(rules) => {
            let favours = favouring(solver, &rules);
            (Vec::new(), rules.notices.iter().chain(&favours).map(Remark::from).collect())
        }
        Err(problems) => (problems.iter().map(Remark::from).collect(), Vec::new()),
    };
    HouseCheck { lawful: problems.is_empty(), book: book.id.clone(), as_of: house.as_of.to_string(), problems, notices }
}

/// Prices that favour the player are lawful where the text lists them, and the house should know.
fn favouring(solver: &mut Solver, rules: &TableRules) -> Vec<Notice> {
    let mut notices = Vec::new();
    // Odds pay what they are worth, on each number by itself: without a number they are never decided.
    let decided = |wager: &&WagerRules| !matches!(wager.machine.mechanic, Mechanic::Behind(..));
    for wager in rules.wagers.iter().filter(decided) {
        let analysis = price(solver, &rules.offering(wager, None));
        if analysis.favours_player() {
            let edge = percent(&-analysis.edge, 3);
            let message = format!("{} favours the player by {edge} at these prices", wager.name);
            notices.push(Notice { path: wager.wager.to_string(), message, cites: wager.prizes.cites.clone() });
        }
    }
    notices
}
