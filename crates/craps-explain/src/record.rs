//! Odds for other programs: one record for each wager, pay table and commission.

use crate::odds::{OddsAsk, OddsRow};
use craps_law::Days;
use craps_odds::figures::decimal;
use craps_odds::{Analysis, RBig, Solver, break_even, price};
use serde::Serialize;

/// The odds of one wager at one price. Fractions are exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Record))]
pub struct OddsRecord {
    /// Id of the book.
    pub book: String,
    /// Id of the wager. Odds have their number in it.
    pub wager: String,
    /// Name of the pay table in the law.
    pub pay_table: String,
    /// The commission: how much, of what and when. `none` if there is none.
    pub commission: String,
    /// Probability of a net win.
    pub p_win: Option<String>,
    /// Probability of a net loss.
    pub p_lose: Option<String>,
    /// Probability of a net result of zero.
    pub p_push: Option<String>,
    /// House edge per unit bet.
    pub edge: Option<String>,
    /// House edge per unit bet, not counting pushes.
    pub edge_resolved: Option<String>,
    /// House edge per roll on which the bet is on.
    pub edge_per_throw: Option<String>,
    /// Average number of rolls on which the bet is on.
    pub throws_mean: Option<String>,
    /// Variance of the net result per unit bet.
    pub variance: Option<String>,
    /// True if the price favors the player.
    pub favours_player: Option<bool>,
    /// Sections of the law that set the prices.
    pub cite: String,
    /// Name of the wager in the book.
    pub name: String,
    /// First day of the price. None if it has no start.
    pub from: Option<String>,
    /// First day on which the price no longer applies. None if it has no end.
    pub until: Option<String>,
    /// The stake, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stake: Option<String>,
    /// The multiple of odds behind the bet, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_odds: Option<String>,
    /// Probability per roll at which a raised price would make the game even. None for ordinary prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_even: Option<String>,
    /// Why there are no figures. None if there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// All net results with their probabilities.
    pub distribution: Vec<NetChance>,
}

/// A net result and its probability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = OddsOutcome))]
pub struct NetChance {
    /// Net result per unit bet. A `+` at the end means this much or more.
    pub net: String,
    /// Probability of this result.
    pub p: String,
}

/// Returns the probability per roll at which a raised price would make the game even.
fn even_at(solver: &mut Solver, row: &OddsRow<'_>) -> Option<RBig> {
    row.offering.modifier.as_ref()?;
    let standard = row
        .book
        .offerings(None)
        .into_iter()
        .find(|other| other.wager == row.offering.wager && other.modifier.is_none())?;
    break_even(&price(solver, &standard), row.result.as_ref().ok()?)
}

impl OddsRow<'_> {
    /// Returns the commission as text, `none` if there is none.
    #[must_use]
    pub fn commission(&self) -> String {
        self.offering.commission.map_or_else(|| "none".to_owned(), |commission| commission.to_string())
    }

    /// Converts the row to a record for other programs.
    #[must_use]
    pub fn record(&self, solver: &mut Solver, ask: &OddsAsk) -> OddsRecord {
        let OddsRow { book, offering, result } = self;
        let field = |of: fn(&Analysis) -> &RBig| result.as_ref().ok().map(|analysis| of(analysis).to_string());
        let Days { from, until } = offering.days;
        let on = ask.as_of.or(until.map(|_| book.sample_day)).filter(|day| offering.days.hold(Some(*day)));
        let name = book.wager(offering.wager).map(|law| law.name_on(on).to_owned()).unwrap_or_default();
        OddsRecord {
            book: book.id.clone(),
            wager: offering.name(),
            pay_table: offering.pay_table.clone(),
            commission: self.commission(),
            p_win: field(|a| &a.p_win),
            p_lose: field(|a| &a.p_lose),
            p_push: field(|a| &a.p_push),
            edge: field(|a| &a.edge),
            edge_resolved: field(|a| &a.edge_resolved),
            edge_per_throw: field(|a| &a.edge_per_throw),
            throws_mean: field(|a| &a.throws_mean),
            variance: field(|a| &a.variance),
            favours_player: result.as_ref().ok().map(Analysis::favours_player),
            cite: offering.cites.to_string(),
            name,
            from: from.map(|day| day.to_string()),
            until: until.map(|day| day.to_string()),
            stake: ask.stake.map(|staked| staked.amount.to_string()),
            with_odds: ask.with_odds.as_ref().map(ToString::to_string),
            break_even: even_at(solver, self).map(|chance| chance.to_string()),
            refused: result.as_ref().err().map(ToString::to_string),
            distribution: result.iter().flat_map(|analysis| &analysis.distribution).map(outcome).collect(),
        }
    }
}

fn outcome(outcome: &craps_odds::Outcome) -> NetChance {
    let more = if outcome.or_more { "+" } else { "" };
    NetChance { net: format!("{}{more}", outcome.net), p: outcome.p.to_string() }
}

const CSV_HEADER: &str = "book,wager,pay_table,commission,p_win,p_lose,p_push,edge,edge_resolved,edge_per_throw,throws_mean,variance,\
    favours_player,cite,edge_percent";

/// Writes rows as CSV, with a header line.
///
/// ```
/// use craps_explain::odds::{OddsAsk, priced};
/// use craps_explain::record::csv;
/// use craps_law::Library;
/// use craps_odds::Solver;
/// let ask = OddsAsk { wagers: vec!["hard-6".into()], books: vec!["nj".into()], ..OddsAsk::default() };
/// let (library, mut solver) = (Library::shipped(), Solver::default());
/// let rows = priced(&mut solver, &library, &ask)?.rows;
/// assert!(csv(&mut solver, &rows, &ask).lines().nth(1).unwrap().starts_with("nj,hard-6,standard,none,1/11,"));
/// # Ok::<(), craps_explain::odds::NotPriced>(())
/// ```
#[must_use]
pub fn csv(solver: &mut Solver, rows: &[OddsRow<'_>], ask: &OddsAsk) -> String {
    let mut text = format!("{CSV_HEADER}\n");
    for row in rows {
        let record = row.record(solver, ask);
        let edge =
            row.result.as_ref().map(|analysis| decimal(&(&analysis.edge * RBig::from(100u8)), 6)).unwrap_or_default();
        let favours = record.favours_player.map(|yes| yes.to_string()).unwrap_or_default();
        let fields = [
            record.book,
            record.wager,
            record.pay_table,
            record.commission,
            record.p_win.unwrap_or_default(),
            record.p_lose.unwrap_or_default(),
            record.p_push.unwrap_or_default(),
            record.edge.unwrap_or_default(),
            record.edge_resolved.unwrap_or_default(),
            record.edge_per_throw.unwrap_or_default(),
            record.throws_mean.unwrap_or_default(),
            record.variance.unwrap_or_default(),
            favours,
            record.cite,
            edge,
        ];
        text.push_str(&fields.map(|field| csv_field(&field)).join(","));
        text.push('\n');
    }
    text
}

/// Writes one CSV field, quoted if necessary.
///
/// ```
/// use craps_explain::record::csv_field;
/// assert_eq!((csv_field("7 to 6"), csv_field("a, b")), ("7 to 6".to_owned(), "\"a, b\"".to_owned()));
/// ```
#[must_use]
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
