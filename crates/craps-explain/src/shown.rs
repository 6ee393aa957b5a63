//! Odds for a page: each record together with the texts that a page shows, so that a page never has to read the texts of a record.

use crate::odds::{OddsAsk, OddsRow};
use crate::record::OddsRecord;
use craps_law::{PriceLatitude, Prize, RuleBook};
use craps_money::{Base, Commission, Timing};
use craps_odds::{RBig, Solver};
use serde::Serialize;
use std::collections::BTreeSet;

/// A record with the texts that a page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShownRecord {
    /// The record.
    #[serde(flatten)]
    pub record: OddsRecord,
    /// What a page shows of it.
    pub shown: ShownOdds,
}

/// What a page shows of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShownOdds {
    /// Id of the wager, without the number of an odds bet.
    pub wager: String,
    /// Number that an odds bet is on. None for other bets.
    pub number: Option<u8>,
    /// Code of the bet in the prices of a layout, such as `PL6`.
    pub code: String,
    /// Payout as the book writes it. None if the book writes none for the bet itself, as for the horn, which is paid by its parts.
    pub pays: Option<String>,
    /// Payout in a few words: `7 to 6`, or the highest of several: `≤ 30 to 1`.
    pub short: String,
    /// Name of the pay table in the law. None if it has none.
    pub table: Option<String>,
    /// True if a feature such as a draw before the roll raises the payout.
    pub raised: bool,
    /// The commission. None if there is none.
    pub commission: Option<ShownCommission>,
    /// True if the law sets only the lowest payout, so that a house can pay more.
    pub at_least: bool,
    /// Ids of the readings that the price depends on.
    pub readings: Vec<String>,
    /// Why there are no figures. None if there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<ShownRefusal>,
}

/// A commission in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShownCommission {
    /// The rate, such as `5%`.
    pub rate: String,
    /// When it is taken: `up front` or `on a win`.
    pub when: String,
    /// All of it: `5% of the stake, up front`.
    pub words: String,
}

/// Why there are no figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShownRefusal {
    /// The reason.
    pub words: String,
    /// Sections of the law that it comes from. None if it doesn't come from the law.
    pub cite: Option<String>,
}

impl From<Commission> for ShownCommission {
    fn from(commission: Commission) -> ShownCommission {
        let base = match commission.base {
            Base::Stake => "stake",
            Base::Win => "win",
        };
        let when = match commission.timing {
            Timing::UpFront => "up front",
            Timing::OnWin => "on a win",
        };
        let rate = commission.rate.to_string();
        ShownCommission { words: format!("{rate} of the {base}, {when}"), rate, when: when.to_owned() }
    }
}

impl OddsRow<'_> {
    /// Converts the row to a record with the texts that a page shows.
    #[must_use]
    pub fn shown_record(&self, solver: &mut Solver, ask: &OddsAsk) -> ShownRecord {
        ShownRecord { record: self.record(solver, ask), shown: self.shown(ask) }
    }

    fn shown(&self, ask: &OddsAsk) -> ShownOdds {
        let OddsRow { book, offering, result } = self;
        // Figures for chosen chances mix several payouts, so there is no payout to show.
        let pays = offering.pays().filter(|_| ask.selected.is_none());
        let short = match &pays {
            Some(pays) => {
                Prize::in_short(offering.own_prizes().map(|(_, prize)| prize)).unwrap_or_else(|| pays.clone())
            }
            None => self.settled().unwrap_or_else(|| self.wins()),
        };
        let names = offering.wager.wager().names();
        let code = names.iter().find(|name| name.number == offering.number).or(names.first());
        let law = book.wager(offering.wager);
        let mut latitude = law.into_iter().flat_map(|law| &law.price.0);
        ShownOdds {
            wager: offering.wager.to_string(),
            number: offering.number.map(|number| number.value()),
            code: code.map(|name| name.code.clone()).unwrap_or_default(),
            pays,
            short,
            table: offering.table().map(str::to_owned),
            raised: offering.modifier.is_some(),
            commission: offering.commission.map(ShownCommission::from),
            at_least: latitude.any(|fact| fact.is == PriceLatitude::AtLeast && fact.days.overlap(&offering.days)),
            readings: book.readings_of(offering),
            refused: result.as_ref().err().map(|refused| ShownRefusal {
                words: refused.words.clone(),
                cite: refused.cites.as_ref().map(ToString::to_string),
            }),
        }
    }

    /// Returns how a composite is settled. `None` for other wagers and for other pay tables than the standard one.
    fn settled(&self) -> Option<String> {
        let OddsRow { book, offering, .. } = self;
        let facts = &book.wager(offering.wager).filter(|_| offering.table().is_none())?.settled.0;
        let fact = facts.iter().find(|fact| fact.days.overlap(&offering.days))?;
        Some(fact.is.in_words())
    }

    /// Returns what one unit wins, or the most that it can win. Empty if there are no figures.
    fn wins(&self) -> String {
        let outcomes = self.result.iter().flat_map(|analysis| &analysis.distribution);
        let wins: Vec<_> = outcomes.filter(|outcome| outcome.net > RBig::ZERO).collect();
        let Some(top) = wins.last() else { return String::new() };
        let most = if wins.len() > 1 { "≤ " } else { "" };
        format!("wins {most}{}{}", top.net, if top.or_more { "+" } else { "" })
    }
}

/// Returns how a book sets its payouts: `fixed`, `at least`, or both.
///
/// ```
/// let library = craps_law::Library::shipped();
/// assert_eq!(craps_explain::shown::payouts(library.named("md")?), "fixed");
/// assert_eq!(craps_explain::shown::payouts(library.named("nj")?), "at least, or fixed");
/// # Ok::<(), craps_law::NoSuchBook>(())
/// ```
#[must_use]
pub fn payouts(book: &RuleBook) -> String {
    let facts = book.wagers.values().flat_map(|law| &law.price.0);
    let kinds: BTreeSet<String> = facts.map(|fact| fact.is.in_words()).collect();
    kinds.into_iter().collect::<Vec<_>>().join(", or ")
}
