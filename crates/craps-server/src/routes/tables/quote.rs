//! Quotes: what a bet would win, before it is made.

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::live::{Live, Refused};
use crate::people::Principal;
use crate::routes::At;
use axum::Json;
use axum::extract::State;
use craps_explain::why::{units, worth};
use craps_law::WagerRules;
use craps_money::{Money, Stake};
use craps_odds::figures::decimal;
use craps_table::{SeatId, WouldWin};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The bet to quote.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// Code of the bet, such as PL9.
    bet: String,
    /// Amount of the bet, in cents.
    amount: i64,
    /// Number of the seat. Without it, your own seat.
    #[serde(default)]
    seat: Option<SeatId>,
}

/// What a bet would win. Amounts are in cents.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Quote)]
pub(super) struct Quoted {
    /// Code of the bet.
    bet: String,
    /// Name of the bet in the rule book.
    name: String,
    /// Amount of the bet.
    amount: i64,
    /// Win in addition to the bet itself, before commission. None if it depends on how the bet wins, or if nothing can be paid.
    wins: Option<i64>,
    /// Payout odds, as the book writes them.
    pays: String,
    /// Calculation of the win, such as `25 × 7/5 = 35.00`. Empty if it depends on how the bet wins.
    sum: String,
    /// Effect of rounding: `none`, or the rounded win.
    rounding: String,
    /// All ways the bet can win.
    ways: Vec<Way>,
    /// Commission, whether it is charged with the bet or taken from the win.
    commission: i64,
    /// True if the table would accept the bet now. It doesn't check the player's chips.
    takes: bool,
    /// Reason why the table would refuse the bet.
    reason: Option<String>,
    /// Sections of the law that forbid the bet, or else that set its payout.
    cite: String,
    /// The nearest amounts at or below this one and above it that the table would accept and pay without rounding.
    better: Vec<u64>,
}

/// One way a bet can win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuotedWay)]
struct Way {
    /// What wins, such as `12` for a field bet.
    on: String,
    /// Payout odds.
    pays: String,
    /// Win in addition to the bet itself, before commission.
    wins: i64,
    /// Calculation of the win, such as `25 × 7/5 = 35.00`.
    sum: String,
    /// Effect of rounding: `none`, or the rounded win.
    rounding: String,
    /// Commission taken from the win.
    commission: i64,
}

impl Way {
    fn new(rules: &WagerRules, stake: Stake, would: &WouldWin) -> Way {
        let (win, per) = would.prize.net();
        let exactly = decimal(&worth(stake.money(), would.prize), 2);
        let paid = decimal(&units(would.paid), 2);
        Way {
            on: rules.wager.wager().ranks.name(would.rank),
            pays: would.prize.to_string(),
            wins: would.paid.minor(),
            sum: format!("{stake} × {win}/{per} = {exactly}"),
            rounding: if exactly == paid { "none".to_owned() } else { format!("rounded up to {paid}") },
            commission: would.commission.minor(),
        }
    }
}

/// Returns what a bet would win under the rules of the table, before it is made.
#[utoipa::path(
    get, path = "/tables/{table}/quote", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Asked),
    responses(
        (status = 200, description = "The quote", body = Quoted),
        (status = 400, description = "The request is malformed", body = Problem),
        (status = 404, description = "No such table or bet", body = Problem),
    )
)]
pub(super) async fn quote(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
    Query(asked): Query<Asked>,
) -> Result<Json<Quoted>, ApiError> {
    let stake = Stake::new(Money::from_minor(asked.amount));
    let stake = stake.ok_or_else(|| ApiError::bad_request("amount: expected cents above zero, such as 2500"))?;
    let quoted = app.pit.look(&table, move |live| {
        let own = || principal.who.as_deref().and_then(|who| live.seat_of(who));
        quoted(live, asked.seat.or_else(own), &asked.bet, stake)
    });
    quoted.await?.map(Json)
}

fn quoted(live: &Live, seat: Option<SeatId>, bet: &str, stake: Stake) -> Result<Quoted, ApiError> {
    let table = live.table();
    let unknown = || ApiError::not_found(format!("bet: no bet at this table has the code `{bet}`"));
    let slot = table.board().named(bet).ok_or_else(unknown)?;
    let rules = table.board().rules(table.rules(), slot);
    let quote = table.quote(seat, slot, stake);
    let refused = match quote.terms {
        Err(refusal) => Some(refusal.into()),
        Ok(_) if !live.is_open() => Some(live.late()),
        Ok(_) => None,
    };
    let ways: Vec<Way> = quote.wins.iter().map(|would| Way::new(rules, stake, would)).collect();
    let only = match &ways[..] {
        [first, others @ ..] if others.iter().all(|way| (way.wins, &way.pays) == (first.wins, &first.pays)) => {
            Some(first)
        }
        _ => None,
    };
    let charged = ways.iter().map(|way| way.commission).max().unwrap_or_default();
    Ok(Quoted {
        bet: table.board().slot(slot).code.clone(),
        name: rules.name.clone(),
        amount: stake.money().minor(),
        wins: only.map(|way| way.wins),
        pays: craps_layout::pays(table.rules(), table.board(), slot),
        sum: only.map_or_else(String::new, |way| way.sum.clone()),
        rounding: only.map_or_else(String::new, |way| way.rounding.clone()),
        commission: quote.commission.minor() + charged,
        takes: refused.is_none(),
        cite: refused.as_ref().map_or(&rules.prizes.cites, Refused::cites).to_string(),
        reason: refused.map(|refused| refused.sentence()),
        better: quote.exact.iter().map(|amount| amount.minor()).collect(),
        ways,
    })
}
