//! Purses: the chips and coupons of accounts that are not at a table.

use crate::app::{App, Shared};
use crate::error::{ApiError, Problem};
use crate::input::{Body, Key};
use crate::live::pit::now;
use crate::live::purse::{self, Moved, Purse, PurseRow, log_of};
use crate::people::Principal;
use crate::people::records::Records;
use crate::routes::At;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use craps_money::Money;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many of the last movements a purse shows.
const SHOWN: u64 = 50;
/// Maximum length of a note, in characters.
const NOTE_MOST: usize = 200;
/// The most that a cashier moves at once, in cents: $10,000,000.
const MOST: i64 = 1_000_000_000;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(own)).routes(routes!(of_account, change))
}

/// What is in a purse. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
struct PurseView {
    /// Value of the chips.
    chips: i64,
    /// Match-play coupons.
    coupons: Vec<CouponView>,
    /// The last movements, the newest first.
    movements: Vec<MovementView>,
}

/// Coupons of one value.
#[derive(Debug, Serialize, ToSchema)]
struct CouponView {
    /// Value of each coupon.
    value: i64,
    /// How many there are.
    count: u32,
}

/// A movement into a purse or out of it.
#[derive(Debug, Serialize, ToSchema)]
struct MovementView {
    /// Number of the row in the purse's log.
    row: u64,
    /// Time in Unix milliseconds.
    at: i64,
    /// Value of the chips that came. With a minus they went.
    chips: i64,
    /// Values of the coupons that came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coupons: Vec<i64>,
    /// Values of the coupons that went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coupons_used: Vec<i64>,
    /// The table, if it was a movement to or from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    /// Number of the row in the table's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    table_row: Option<u64>,
    /// What the cashier wrote about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Value of the chips after it.
    left: i64,
}

impl MovementView {
    fn of(row: &craps_store::Row) -> Option<MovementView> {
        let PurseRow { did, left, .. } = serde_json::from_str(&row.body).ok()?;
        let minor = |values: &[Money]| values.iter().map(|value| value.minor()).collect::<Vec<_>>();
        let mut view = MovementView {
            row: row.seq,
            at: row.at,
            chips: 0,
            coupons: Vec::new(),
            coupons_used: Vec::new(),
            table: None,
            table_row: None,
            note: None,
            left: left.chips.minor(),
        };
        match did {
            Moved::Cash { chips, note } => (view.chips, view.note) = (chips.minor(), Some(note)),
            Moved::Coupon { value, back, note } => {
                let values = if back { &mut view.coupons_used } else { &mut view.coupons };
                values.push(value.minor());
                view.note = Some(note);
            }
            Moved::Table { table, row, chips, used, back } => {
                (view.chips, view.table, view.table_row) = (chips.minor(), Some(table), Some(row));
                (view.coupons, view.coupons_used) = (minor(&back), minor(&used));
            }
        }
        Some(view)
    }
}

async fn view(app: &App, who: &str) -> Result<PurseView, ApiError> {
    view_after(app, who, purse::kept(app.store(), who).await?).await
}

/// Shows a purse as it was after a row of its log.
async fn view_after(app: &App, who: &str, (seq, left): (u64, Purse)) -> Result<PurseView, ApiError> {
    let Purse { chips, coupons } = left;
    let rows = app
        .store()
        .load(&log_of(who), seq.saturating_sub(SHOWN), u32::try_from(SHOWN.min(seq)).unwrap_or(u32::MAX))
        .await?;
    Ok(PurseView {
        chips: chips.minor(),
        coupons: coupons.into_iter().map(|(value, count)| CouponView { value: value.minor(), count }).collect(),
        movements: rows.iter().rev().filter_map(MovementView::of).collect(),
    })
}

/// Returns what is in your purse. Guests have none.
#[utoipa::path(get, path = "/me/purse", tag = "people", responses(
    (status = 200, description = "Your purse", body = PurseView),
    (status = "4XX", description = "Error", body = Problem)))]
async fn own(State(app): State<Shared>, principal: Principal) -> Result<Json<PurseView>, ApiError> {
    view(&app, principal.known()?).await.map(Json)
}

/// Returns what is in the purse of an account.
#[utoipa::path(get, path = "/accounts/{account}/purse", tag = "people",
    params(("account" = String, Path, description = "Id of the account")), responses(
    (status = 200, description = "The purse", body = PurseView),
    (status = "4XX", description = "Error", body = Problem)))]
async fn of_account(State(app): State<Shared>, At(account): At<String>) -> Result<Json<PurseView>, ApiError> {
    let account = Records::new(app.store(), "").account(&account).await?;
    view(&app, &format!("a:{}", account.id)).await.map(Json)
}

/// What a cashier moves: chips or a coupon.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Change {
    /// Your idempotency key. A request with the same key is done only once, however often it arrives.
    #[serde(default)]
    id: Option<String>,
    /// Value of the chips that the account gets, in cents. With a minus the cashier buys them back.
    #[serde(default)]
    chips: Option<i64>,
    /// Value of a match-play coupon that the account gets, in cents. With a minus the cashier takes one of that value back.
    #[serde(default)]
    coupon: Option<i64>,
    /// What it is for, such as `cash` or `birthday`.
    note: String,
}

/// Sells chips to an account or buys them back, or hands out a coupon or takes one back. With a key (`id` or `Idempotency-Key`) it is done only once.
#[utoipa::path(post, path = "/accounts/{account}/purse", tag = "people", request_body = Change,
    params(("account" = String, Path, description = "Id of the account")), responses(
    (status = 200, description = "The purse after that", body = PurseView),
    (status = 422, description = "There isn't that much in the purse, the key was used for another request, or a field is invalid", body = Problem),
    (status = "4XX", description = "Error", body = Problem)))]
async fn change(
    State(app): State<Shared>,
    principal: Principal,
    At(account): At<String>,
    key: Key,
    Body(asked): Body<Change>,
) -> Result<Json<PurseView>, ApiError> {
    let account = Records::new(app.store(), "").account(&account).await?;
    let (by, who) = (principal.known()?, format!("a:{}", account.id));
    if by == who {
        return Err(ApiError::forbidden("A cashier can't change their own purse."));
    }
    let key = key.or(asked.id.clone())?;
    let moved = moved(asked)?;
    let keyed = key.map(|key| moved.keyed(key));
    let after = purse::change(app.store(), &who, by, &moved, keyed.as_ref(), now()).await?;
    view_after(&app, &who, after).await.map(Json)
}

fn moved(Change { chips, coupon, note, .. }: Change) -> Result<Moved, ApiError> {
    let invalid = |words: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", words);
    let note = note.trim().to_owned();
    if !(1..=NOTE_MOST).contains(&note.chars().count()) || note.chars().any(char::is_control) {
        return Err(invalid(format!("note: expected 1 to {NOTE_MOST} characters on one line")));
    }
    let amount = |name: &str, minor: i64| match minor {
        0 => Err(invalid(format!("{name}: expected an amount in cents, found 0"))),
        minor if minor.saturating_abs() > MOST => {
            Err(invalid(format!("{name}: expected at most {MOST} cents at once")))
        }
        minor => Ok(minor),
    };
    match (chips, coupon) {
        (Some(chips), None) => Ok(Moved::Cash { chips: Money::from_minor(amount("chips", chips)?), note }),
        (None, Some(coupon)) => {
            let coupon = amount("coupon", coupon)?;
            Ok(Moved::Coupon { value: Money::from_minor(coupon.abs()), back: coupon < 0, note })
        }
        _ => Err(ApiError::bad_request("expected `chips` or `coupon`, and not both")),
    }
}

/// The request bodies of these routes, for tests that try them all.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = &[("Change", crate::input::reads::<Change>)];
