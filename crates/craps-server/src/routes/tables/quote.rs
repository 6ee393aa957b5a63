//! What a stake would win, before it is made.

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::live::Live;
use crate::people::Principal;
use crate::routes::At;
use axum::Json;
use axum::extract::State;
use craps_explain::why::{units, worth};
use craps_law::WagerRules;
use craps_money::{Money, Stake};
use craps_odds::figures::decimal;
use craps_table::{Code, Refusal, SeatId, WouldWin};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which stake.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// The code of the bet, such as PL9.
    bet: String,
    /// The stake, in minor units.
    amount: i64,
    /// For this seat; without it your own.
    #[serde(default)]
    seat: Option<SeatId>,
}

/// What a stake would win. Amounts are in minor units.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Quote)]
pub(super) struct Quoted {
    /// The code of the bet.
    bet: String,
    /// What the book calls it.
    name: String,
    /// The stake.
    amount: i64,
    /// What it wins net of the stake and before commission; none where that depends on how it wins, or nothing can be paid.
    wins: Option<i64>,
    /// The price, in the book's words.
    pays: String,
    /// The payment, such as `25 × 7/5 = 35.00`; nothing where that depends on how it wins.
    sum: String,
    /// What rounding makes of it.
    rounding: String,
    /// Every way of winning.
    ways: Vec<Way>,
    /// Commission: with the bet, or taken from the win.
    commission: i64,
    /// Would it be taken now? What is on the rail is not asked.
    takes: bool,
    /// Why not.
    reason: Option<String>,
    /// By which sections: what forbids it, else where the price stands.
    cite: String,
    /// The nearest amounts up to this one and above it that would be taken and are paid to the last cent.
    better: Vec<u64>,
}

/// One way in which a bet wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuotedWay)]
struct Way {
    /// Which, such as `12` of a field bet.
    on: String,
    /// The price.
    pays: String,
    /// What it wins.
    wins: i64,
    /// The payment.
    sum: String,
    /// What rounding makes of it.
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

/// What a stake would win under the rules of the table, before it is made.
#[utoipa::path(
    get, path = "/tables/{table}/quote", tag = "tables", params(("table" = String, Path, description = "The table"), Asked),
    responses(
        (status = 200, description = "What it would win", body = Quoted),
        (status = 400, description = "Malformed", body = Problem),
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
    let stake = stake.ok_or_else(|| ApiError::bad_request("amount: expected minor units above zero, such as 2500"))?;
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
    // Nobody sits at seat 0, so nothing is taken there: whoever only looks is told what it would win.
    let quote = table.quote(seat.unwrap_or(0), slot, stake);
    let refused = match quote.terms {
        Err(_) if seat.is_none() => Some(Refusal::procedure(Code::NoSeat)),
        Err(refusal) => Some(refusal),
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
        cite: refused.as_ref().map_or(&rules.prizes.cites, Refusal::cites).to_string(),
        reason: refused.map(|refusal| refusal.sentence()),
        better: quote.exact.iter().map(|amount| amount.minor()).collect(),
        ways,
    })
}
