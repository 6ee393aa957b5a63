//! Exact odds, the same as `boxperson odds` prints, with the texts that a page shows.

use super::books::day;
use crate::app::{App, Shared};
use crate::error::{ApiError, Problem};
use crate::facts::{Query, computed, marked};
use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use craps_explain::odds::{NotPriced, OddsAsk, Staked, chances, multiple, priced};
use craps_explain::record::csv;
use craps_explain::shown::ShownRecord;
use craps_money::{Money, Stake};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(odds)).layer(from_fn(marked))
}

/// The default for `chip`: $1, in cents.
const UNIT: i64 = 100;

/// Selects wagers and how to price them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OddsQuery {
    /// Wagers by id or by the first part of it, odds bets also by number, separated by commas. Without it, all wagers.
    wager: Option<String>,
    /// Ids of rule books, separated by commas. Without it, all books.
    book: Option<String>,
    /// Only rules in force on this day, such as 2023-10-01. Without it, all rules of all dates.
    as_of: Option<String>,
    /// Price a bet of this amount, in cents, with the rounding and commission of a table.
    stake: Option<i64>,
    /// Value of the lowest chip at the table, in cents. Only used with `stake`. The default is 100.
    chip: Option<i64>,
    /// Price line, come and put bets with these odds behind them: 2x, 3-4-5x.
    with_odds: Option<String>,
    /// Chances per roll that a raised payout is selected, level 1 first: 1/10,1/20.
    selected: Option<String>,
    /// Format of the response.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// Format of an odds response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// A JSON array of records.
    #[default]
    Json,
    /// Comma-separated values.
    Csv,
}

fn listed(text: Option<&str>) -> Vec<String> {
    let items = text.into_iter().flat_map(|text| text.split(',')).map(str::trim).filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

fn amount(name: &str, minor: i64) -> Result<Stake, ApiError> {
    let wrong = || ApiError::bad_request(format!("{name}: expected an amount above zero in cents, found {minor}"));
    Stake::new(Money::from_minor(minor)).ok_or_else(wrong)
}

/// The error for a query value that can't be parsed.
fn wrong(name: &str, error: &dyn std::error::Error) -> ApiError {
    ApiError::bad_request(format!("{name}: {error}"))
}

impl OddsQuery {
    fn ask(&self) -> Result<OddsAsk, ApiError> {
        let apart = |both: bool, words: &str| if both { Err(ApiError::bad_request(words)) } else { Ok(()) };
        apart(self.chip.is_some() && self.stake.is_none(), "chip: only works together with `stake`")?;
        apart(self.selected.is_some() && self.with_odds.is_some(), "selected: can't be combined with `with_odds`")?;
        apart(self.selected.is_some() && self.stake.is_some(), "selected: can't be combined with `stake`")?;
        let staked = |minor| -> Result<Staked, ApiError> {
            Ok(Staked { amount: amount("stake", minor)?, chip: amount("chip", self.chip.unwrap_or(UNIT))? })
        };
        Ok(OddsAsk {
            wagers: listed(self.wager.as_deref()),
            books: listed(self.book.as_deref()),
            as_of: day(self.as_of.as_deref())?,
            stake: self.stake.map(staked).transpose()?,
            with_odds: self
                .with_odds
                .as_deref()
                .map(multiple)
                .transpose()
                .map_err(|error| wrong("with_odds", &error))?,
            selected: self.selected.as_deref().map(chances).transpose().map_err(|error| wrong("selected", &error))?,
        })
    }
}

impl From<NotPriced> for ApiError {
    fn from(error: NotPriced) -> ApiError {
        let message = error.to_string();
        match error {
            NotPriced::Book(_) | NotPriced::Wager(_) => ApiError::not_found(message),
            NotPriced::NothingBehind(_) => ApiError::bad_request(message),
        }
    }
}

/// Returns the records of a request. Records of whole books are computed once and kept.
fn records(app: &App, ask: &OddsAsk) -> Result<Vec<Arc<Vec<ShownRecord>>>, ApiError> {
    let of = |ask: &OddsAsk| -> Result<Arc<Vec<ShownRecord>>, ApiError> {
        let mut solver = app.facts.solver();
        let rows = priced(&mut solver, app.library(), ask)?.rows;
        Ok(Arc::new(rows.iter().map(|row| row.shown_record(&mut solver, ask)).collect()))
    };
    if *ask != (OddsAsk { books: ask.books.clone(), ..OddsAsk::default() }) {
        return Ok(vec![of(ask)?]);
    }
    let all = || app.library().books.iter().map(|book| book.id.clone()).collect();
    let books: Vec<String> = if ask.books.is_empty() { all() } else { ask.books.clone() };
    let book = |id: &String| app.facts.odds(id, || of(&OddsAsk { books: vec![id.clone()], ..OddsAsk::default() }));
    books.iter().map(book).collect()
}

/// Returns exact odds: one record for each wager, pay table and commission.
#[utoipa::path(get, path = "/odds", tag = "odds", params(OddsQuery),
    responses((status = 200, description = "JSON records, or CSV with `format=csv`",
            content(([ShownRecord] = "application/json"), (String = "text/csv"))),
        (status = 400, body = Problem), (status = 404, body = Problem)))]
async fn odds(State(app): State<Shared>, Query(query): Query<OddsQuery>) -> Result<Response, ApiError> {
    let ask = query.ask()?;
    if query.format == Format::Csv {
        let text = computed(&app, move |app| {
            let mut solver = app.facts.solver();
            let rows = priced(&mut solver, app.library(), &ask)?.rows;
            Ok(csv(&mut solver, &rows, &ask))
        });
        return Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8")], text.await?).into_response());
    }
    let books = computed(&app, move |app| records(app, &ask)).await?;
    let records: Vec<&ShownRecord> = books.iter().flat_map(|book| book.iter()).collect();
    Ok(Json(records).into_response())
}
