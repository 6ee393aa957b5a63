//! The Why? card: the law, the cause, the sum and the cost of one settled bet.

use crate::cause::Cause;
use craps_dice::Point;
use craps_law::{Library, Prize, TableRules, WagerRules};
use craps_money::Money;
use craps_notation::Explained;
use craps_odds::figures::{decimal, exact, percent};
use craps_odds::{RBig, Solver, price};
use craps_table::{After, AfterWin, Board, Verdict};
use craps_wagers::Phase;
use serde::{Serialize, Serializer};
use std::fmt;

/// Explains the result of one bet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WhyCard {
    /// Seat of the bet.
    pub seat: u8,
    /// Code of the bet, such as `PL6`.
    pub bet: String,
    /// The bet and its result, in one line.
    pub what: String,
    /// Sections of the law behind the result.
    pub cite: String,
    /// Title of the first of them.
    pub title: String,
    /// The day of the law.
    pub as_of: String,
    /// The one cause of the result.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub cause: Cause,
    /// What it pays, the phase, the dice, and the sections that say when the bet is on.
    pub rule: String,
    /// The payment, step by step. None if the bet didn't win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<String>,
    /// Whether the bet stays up for the next roll.
    pub stays_up: String,
    /// The house edge and the chance to win of such a bet.
    pub cost: String,
}

impl WhyCard {
    /// Builds the card of one result of a roll.
    #[must_use]
    pub fn new(
        library: &Library,
        solver: &mut Solver,
        (rules, layout): (&TableRules, &Board),
        roll: u32,
        one: &Explained,
    ) -> WhyCard {
        let wager = layout.rules(rules, one.slot);
        let slot = layout.slot(one.slot);
        let number = slot.number.map(|number| format!(" {number}")).unwrap_or_default();
        let book = library.book(&rules.book);
        let cause = Cause::new(wager, layout, one);
        let cites = cause.cites(book, wager, &one.verdict);
        let section = cites.iter().find_map(|cite| book?.resolve(cite));
        let title = section.map(|section| section.title.as_str()).unwrap_or_default();
        let phase = match one.phase {
            Phase::ComeOut => "on a come-out roll".to_owned(),
            Phase::ComeDecisionOnly => "on a roll for come decisions only".to_owned(),
            Phase::Point(point) => format!("the point was {point}"),
        };
        let (pays, dice) = (pays(wager, one).map(|pays| format!("{pays}; ")).unwrap_or_default(), one.dice);
        let stays = match (one.after, one.bet.after_win) {
            (After::Stands(..), AfterWin::Up) => "yes, as the player asked",
            (After::Stands(..), _) => "yes",
            (After::Down, AfterWin::Down) => "no, as the player asked",
            (After::Down, _) => "no",
        };
        let on = match (slot.number, one.phase) {
            (None, Phase::Point(point)) => Some(point),
            (number, _) => number,
        };
        WhyCard {
            seat: one.seat,
            bet: slot.code.clone(),
            what: format!("seat {}: {}{number}, {}, {}", one.seat, wager.name, one.bet.stake, verdict(layout, one)),
            cite: cites.to_string(),
            title: title.to_owned(),
            as_of: rules.as_of.to_string(),
            cause,
            rule: format!("{pays}{phase}; dice {dice} = {} [{}]", dice.total(), wager.works.cites),
            sum: sum(one),
            stays_up: format!("{stays}; roll {roll}"),
            cost: cost(solver, rules, wager, on),
        }
    }

    /// Returns the lines of the card after the first, each as a label and a text.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, String)> {
        let rows = [
            ("law", Some(format!("{}: {} (as of {})", self.cite, self.title, self.as_of))),
            ("rule", Some(format!("{}; {}", self.cause, self.rule))),
            ("sum", self.sum.clone()),
            ("stays up", Some(self.stays_up.clone())),
            ("cost", Some(self.cost.clone())),
        ];
        rows.into_iter().filter_map(|(label, text)| Some((label, text?)))
    }
}

impl fmt::Display for WhyCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Why?  {}", self.what)?;
        self.rows().try_for_each(|(label, text)| writeln!(f, "  {label:<9}{text}"))
    }
}

/// Describes the result of a bet.
fn verdict(layout: &Board, one: &Explained) -> String {
    match one.verdict {
        Verdict::Won { paid, .. } => format!("won {paid}"),
        Verdict::Lost => format!("lost {}", one.bet.stake),
        Verdict::Returned => "stake returned".to_owned(),
        Verdict::Credited { paid, .. } => format!("credited {paid}, stays"),
        Verdict::Moved { to } => {
            format!("moved to {}", layout.slot(to).number.map_or_else(String::new, |number| number.to_string()))
        }
    }
}

/// Writes the cause of a result as text.
fn as_text<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(cause)
}

/// Describes what the result pays. None if the bet didn't win.
fn pays(wager: &WagerRules, one: &Explained) -> Option<String> {
    let Verdict::Won { rank, prize, .. } = one.verdict else { return None };
    let name = wager.wager.wager().ranks.name(rank);
    let prize = match prize {
        Prize::Part { units, of, odds } => format!("{units} of {of} parts paid {odds}, the rest lost"),
        other => format!("pays {other}"),
    };
    Some(if name == "win" { prize } else { format!("{name}: {prize}") })
}

/// Converts an amount to dollars.
///
/// ```
/// use craps_explain::why::units;
/// assert_eq!(units(craps_money::Money::from_minor(250)).to_string(), "5/2");
/// ```
#[must_use]
pub fn units(amount: Money) -> RBig {
    RBig::from(amount.minor()) / RBig::from(100u8)
}

/// Returns what a stake wins at a prize before rounding, in dollars.
///
/// ```
/// use craps_explain::why::worth;
/// use craps_law::Prize;
/// assert_eq!(worth("10".parse()?, Prize::Paid("7 to 6".parse()?)).to_string(), "35/3");
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[must_use]
pub fn worth(stake: Money, prize: Prize) -> RBig {
    let (win, per) = prize.net();
    units(stake) * RBig::from(win) / RBig::from(per)
}

/// Describes the payment of a bet that won.
fn sum(one: &Explained) -> Option<String> {
    let Verdict::Won { prize, paid, commission, .. } = one.verdict else { return None };
    let (win, per) = prize.net();
    let staked = one.bet.stake.plus(one.bet.coupon).unwrap_or(one.bet.stake);
    let coupon =
        if one.bet.coupon.minor() == 0 { String::new() } else { format!(" and a coupon of {}", one.bet.coupon) };
    let charge = if commission.minor() == 0 { "none".to_owned() } else { commission.to_string() };
    let exactly = worth(staked, prize);
    let sum = if exactly == units(paid) {
        format!("{paid}, rounding: none")
    } else {
        format!("{}, rounded up to {paid}", decimal(&exactly, 4))
    };
    Some(format!("{}{coupon} x {win}/{per} = {sum}, commission: {charge}", one.bet.stake))
}

/// Describes what a bet costs at this table. `number` is the number of odds, None for bets without a number.
///
/// ```
/// use craps_explain::why::cost;
/// use craps_law::{HouseRules, Library};
/// use craps_odds::Solver;
/// let library = Library::shipped();
/// let book = library.named("nj")?;
/// let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
/// let pass = &rules.wagers[0];
/// let words = cost(&mut Solver::default(), &rules, pass, None);
/// assert_eq!(words, "edge 7/495 = 1.414 % per bet resolved; it wins 49.293 % of the time");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cost(solver: &mut Solver, rules: &TableRules, wager: &WagerRules, number: Option<Point>) -> String {
    let analysis = price(solver, &rules.offering(wager, number));
    let shown = exact(&analysis.edge_resolved, 24).map_or(String::new(), |edge| format!("{edge} = "));
    format!(
        "edge {shown}{} per bet resolved; it wins {} of the time",
        percent(&analysis.edge_resolved, 3),
        percent(&analysis.p_win, 3)
    )
}
