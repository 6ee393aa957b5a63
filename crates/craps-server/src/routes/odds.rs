//! Exact odds, as the command line gives them.

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
use craps_explain::record::{OddsRecord, csv};
use craps_money::{Money, Stake};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(odds)).layer(from_fn(marked))
}

/// One unit of money, in minor units: the chip where none is named.
const UNIT: i64 = 100;

/// What is asked.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OddsQuery {
    /// Wagers by id or stem, odds also by number, with commas between them; all without it.
    wager: Option<String>,
    /// Books, with commas between them; all without it.
    book: Option<String>,
    /// Only what was in force on this day, such as 2023-10-01; everything the books ever held without it.
    as_of: Option<String>,
    /// Price this stake, in minor units, as a table would pay and charge it.
    stake: Option<i64>,
    /// The lowest chip at the table, in minor units, for a stake.
    chip: Option<i64>,
    /// Line, come and put bets with these odds behind them: 2x, 3-4-5x.
    with_odds: Option<String>,
    /// Raised prices chosen with these chances per throw, level 1 first: 1/10,1/20.
    selected: Option<String>,
    /// As what it is answered.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// As what odds are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// Records.
    #[default]
    Json,
    /// Lines of values.
    Csv,
}

fn listed(text: Option<&str>) -> Vec<String> {
    let items = text.into_iter().flat_map(|text| text.split(',')).map(str::trim).filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

fn amount(name: &str, minor: i64) -> Result<Stake, ApiError> {
    let wrong =
        || ApiError::bad_request(format!("{name}: expected an amount above zero in minor units, found {minor}"));
    Stake::new(Money::from_minor(minor)).ok_or_else(wrong)
}

/// A value of the query that cannot be read.
fn wrong(name: &str, error: &dyn std::error::Error) -> ApiError {
    ApiError::bad_request(format!("{name}: {error}"))
}

impl OddsQuery {
    fn ask(&self) -> Result<OddsAsk, ApiError> {
        let apart = |both: bool, words: &str| if both { Err(ApiError::bad_request(words)) } else { Ok(()) };
        apart(self.chip.is_some() && self.stake.is_none(), "chip: the lowest chip matters only to a stake")?;
        apart(self.selected.is_some() && self.with_odds.is_some(), "selected and with_odds are not priced together")?;
        apart(self.selected.is_some() && self.stake.is_some(), "selected and stake are not priced together")?;
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

/// The records of an ask; those of whole books are worked out once.
fn records(app: &App, ask: &OddsAsk) -> Result<Vec<Arc<Vec<OddsRecord>>>, ApiError> {
    let of = |ask: &OddsAsk| -> Result<Arc<Vec<OddsRecord>>, ApiError> {
        let mut solver = app.facts.solver();
        let rows = priced(&mut solver, app.library(), ask)?.rows;
        Ok(Arc::new(rows.iter().map(|row| row.record(&mut solver, ask)).collect()))
    };
    if *ask != (OddsAsk { books: ask.books.clone(), ..OddsAsk::default() }) {
        return Ok(vec![of(ask)?]);
    }
    let all = || app.library().books.iter().map(|book| book.id.clone()).collect();
    let books: Vec<String> = if ask.books.is_empty() { all() } else { ask.books.clone() };
    let book = |id: &String| app.facts.odds(id, || of(&OddsAsk { books: vec![id.clone()], ..OddsAsk::default() }));
    books.iter().map(book).collect()
}

/// Exact odds: one record for each wager, pay table and commission.
#[utoipa::path(get, path = "/odds", tag = "odds", params(OddsQuery),
    responses((status = 200, description = "Records, or lines of values with `format=csv`",
            content(([OddsRecord] = "application/json"), (String = "text/csv"))),
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
    let records: Vec<&OddsRecord> = books.iter().flat_map(|book| book.iter()).collect();
    Ok(Json(records).into_response())
}
