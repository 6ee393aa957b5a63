//! Checks whether a house is lawful under its book, and whether its prices favor the player.

use craps_law::{Casino, Cites, HouseRules, Library, Notice, Problem, RuleBook, TableRules, WagerRules};
use craps_odds::figures::percent;
use craps_odds::{Solver, price};
use craps_wagers::Mechanic;
use serde::Serialize;

/// The result of checking a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HouseCheck {
    /// True if there are no problems.
    pub lawful: bool,
    /// Id of the book.
    pub book: String,
    /// Day whose law applies.
    pub as_of: String,
    /// Everything that isn't lawful.
    pub problems: Vec<Remark>,
    /// Lawful things that the house should know.
    pub notices: Vec<Remark>,
}

/// A problem or notice about a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Remark {
    /// The house key or wager that it is about.
    pub path: String,
    /// The text for the user.
    pub message: String,
    /// Sections of the law that say so.
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

/// Checks a house against its book.
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
    let judgement = book.judge(house);
    let favours = judgement.table.as_ref().map(|rules| favoring(solver, rules)).unwrap_or_default();
    let problems: Vec<Remark> = judgement.problems.iter().map(Remark::from).collect();
    let notices = judgement.notices.iter().chain(&favours).map(Remark::from).collect();
    HouseCheck { lawful: problems.is_empty(), book: book.id.clone(), as_of: house.as_of.to_string(), problems, notices }
}

/// The result of checking all houses of a casino.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CasinoCheck {
    /// True if there are no problems in any house and between them.
    pub lawful: bool,
    /// Name of the casino.
    pub casino: Option<String>,
    /// The result of each house.
    pub houses: Vec<CasinoHouse>,
    /// What must be the same at all tables and is not.
    pub problems: Vec<Remark>,
}

/// The result of checking one house of a casino.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CasinoHouse {
    /// Path or name of the house in the casino's file.
    pub house: String,
    /// Its own result.
    #[serde(flatten)]
    pub check: HouseCheck,
}

/// Checks every house of a casino, and what must be the same in all of them under one book.
///
/// ```
/// use craps_explain::house::check_casino;
/// use craps_law::{Library, Source};
/// use craps_odds::Solver;
/// let library = Library::shipped();
/// let text = "[casino]\nbook = 'nj'\nas_of = 2024-01-01\n[[house]]\nname = 'One'\n[[house]]\nname = 'Two'\nkeys = { higher_odds = 'hard-6:10 to 1' }\n";
/// let casino = library.casino(&Source { path: "casino.toml".into(), text: text.into() }, &[], None)?;
/// let check = check_casino(&mut Solver::default(), &library, &casino);
/// assert!(!check.lawful && check.houses.iter().all(|house| house.check.lawful));
/// assert_eq!((check.problems.len(), check.problems[0].path.as_str()), (1, "higher_odds"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn check_casino(solver: &mut Solver, library: &Library, casino: &Casino) -> CasinoCheck {
    let mut houses = Vec::new();
    let mut problems = Vec::new();
    for book in &library.books {
        let of_book = casino.houses.iter().filter(|(_, house)| house.book == book.id);
        let named: Vec<(&str, &HouseRules)> = of_book.map(|(name, house)| (name.as_str(), house)).collect();
        problems.extend(book.uniform(&named).iter().map(Remark::from));
    }
    for (name, house) in &casino.houses {
        if let Some(book) = library.book(&house.book) {
            houses.push(CasinoHouse { house: name.clone(), check: check(solver, book, house) });
        }
    }
    let lawful = problems.is_empty() && houses.iter().all(|house| house.check.lawful);
    CasinoCheck { lawful, casino: casino.name.clone(), houses, problems }
}

/// Returns a notice for each price that favors the player. These are lawful if the text lists them, but the house should know.
fn favoring(solver: &mut Solver, rules: &TableRules) -> Vec<Notice> {
    let mut notices = Vec::new();
    // Odds are skipped: they pay true odds, and without a number they are never decided.
    let decided = |wager: &&WagerRules| !matches!(wager.machine.mechanic, Mechanic::Behind(..));
    for wager in rules.wagers.iter().filter(decided) {
        let analysis = price(solver, &rules.offering(wager, None));
        if analysis.favours_player() {
            let edge = percent(&-analysis.edge, 3);
            let message = format!("{} favors the player by {edge} at these prices", wager.name);
            notices.push(Notice { path: wager.wager.to_string(), message, cites: wager.prizes.cites.clone() });
        }
    }
    notices
}
