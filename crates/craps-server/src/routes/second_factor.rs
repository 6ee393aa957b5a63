//! The second factor of an account: setting one up, new recovery codes, removing it.

use crate::app::Shared;
use crate::clock;
use crate::error::{ApiError, Problem};
use crate::input::Body;
use crate::live::pit::now;
use crate::people::factor::{Codes, confirmed, new_recovery_codes, qr, recovery_hash, wrong_code};
use crate::people::records::Records;
use crate::people::session::Proven;
use crate::people::{Principal, SecondFactor};
use crate::routes::At;
use crate::routes::people::{DONE, Done, WithCookie, new_session, own, secure};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use craps_store::{Factor, new_id};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(second_factor, issue, remove))
        .routes(routes!(confirm))
        .routes(routes!(renew))
        .routes(routes!(reset))
}

/// The second factor of the caller's account.
#[derive(Debug, Serialize, ToSchema)]
struct SecondFactorView {
    /// True if the account has one that counts.
    on: bool,
    /// Since when, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<i64>,
    /// How many recovery codes are left.
    recovery_codes: usize,
    /// True if the staff of this server needs one.
    required_for_staff: bool,
}

/// Returns whether your account has a second factor.
#[utoipa::path(get, path = "/me/second-factor", tag = "people", responses(
    (status = 200, description = "The second factor, without its secret", body = SecondFactorView),
    (status = "4XX", description = "Error", body = Problem)))]
async fn second_factor(State(app): State<Shared>, principal: Principal) -> Result<Json<SecondFactorView>, ApiError> {
    let factor = confirmed(&app, principal.account()?).await?;
    Ok(Json(SecondFactorView {
        on: factor.is_some(),
        since: factor.as_ref().and_then(|factor| factor.confirmed),
        recovery_codes: factor.map_or(0, |factor| factor.recovery.len()),
        required_for_staff: app.desk.settings().second_factor == SecondFactor::Staff,
    }))
}

/// A new secret for an authenticator app. It counts when a code confirms it.
#[derive(Debug, Serialize, ToSchema)]
struct NewSecret {
    /// The secret, to type into the app.
    secret: String,
    /// The same as an address that the app opens.
    uri: String,
    /// The address as a QR code, as SVG.
    qr: String,
}

/// Issues the secret of a new second factor. It is only shown this once, and it counts when a code confirms it.
#[utoipa::path(post, path = "/me/second-factor", tag = "people", responses(
    (status = 201, description = "The secret", body = NewSecret),
    (status = 409, description = "The account has a second factor", body = Problem),
    (status = "4XX", description = "Error", body = Problem)))]
async fn issue(State(app): State<Shared>, principal: Principal) -> Result<(StatusCode, Json<NewSecret>), ApiError> {
    secure(&principal)?;
    let (account, seal) = (own(&app, &principal).await?, app.pit.seal().await?);
    let factor = Factor {
        account: account.id.clone(),
        nonce: new_id()?,
        seal: seal.fingerprint(),
        created: now(),
        confirmed: None,
        step: 0,
        recovery: Vec::new(),
    };
    let codes = Codes::of(seal, &account, &factor.nonce)?;
    let uri = codes.uri()?;
    let issued = NewSecret { secret: codes.secret(), qr: qr(&uri)?, uri };
    Records::new(app.store(), principal.known()?).issue_factor(&factor).await?;
    Ok((StatusCode::CREATED, Json(issued)))
}

/// A code that confirms a secret.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Confirmation {
    /// Six digits, as the authenticator app shows them now.
    code: String,
}

/// Codes that work once each, in place of a code of the authenticator app.
#[derive(Debug, Serialize, ToSchema)]
struct RecoveryCodes {
    /// The codes. They are only shown this once.
    recovery_codes: Vec<String>,
}

/// Confirms the secret of a second factor with a code. All other sessions end, and this one continues with a new cookie.
#[utoipa::path(post, path = "/me/second-factor/confirm", tag = "people", request_body = Confirmation, responses(
    (status = 201, description = "The second factor counts from now on. These are its recovery codes", body = RecoveryCodes),
    (status = 401, description = "Wrong code", body = Problem),
    (status = "4XX", description = "Error", body = Problem)))]
async fn confirm(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<Confirmation>,
) -> Result<WithCookie<RecoveryCodes>, ApiError> {
    secure(&principal)?;
    let account = own(&app, &principal).await?;
    app.desk.count_try(&account.name, principal.peer)?;
    let seal = app.pit.seal().await?;
    let factor = app.store().people().factor(&account.id).await?;
    // A secret that was made with another key can't be checked any more.
    let factor = factor.filter(|factor| factor.confirmed.is_none() && factor.seal == seal.fingerprint());
    let factor = factor.ok_or_else(|| {
        let words = "There is no secret to confirm. Ask for one with `POST /me/second-factor`.";
        ApiError::new(StatusCode::CONFLICT, "no-secret", words)
    })?;
    let records = Records::new(app.store(), principal.known()?);
    let Some(step) = Codes::of(seal, &account, &factor.nonce)?.step(&asked.code, clock::machine()) else {
        records.failed_sign_in(&account, principal.peer.address, "new-second-factor").await?;
        return Err(wrong_code());
    };
    app.desk.forgive_tries(&account.name, principal.peer);
    let recovery_codes = new_recovery_codes()?;
    let hashes: Vec<String> = recovery_codes.iter().map(|code| recovery_hash(code)).collect();
    records.set_factor(&factor, step, &hashes).await?;
    let (cookie, _) = new_session(&app, &principal, &account.id, Proven::now(Some(now()))).await?;
    Ok((StatusCode::CREATED, [(SET_COOKIE, cookie)], Json(RecoveryCodes { recovery_codes })))
}

/// Returns the second factor of the caller, who showed it in this session.
async fn shown(app: &Shared, principal: &Principal) -> Result<Factor, ApiError> {
    let factor = confirmed(app, principal.account()?).await?;
    let factor = factor.ok_or_else(|| ApiError::not_found("Your account has no second factor."))?;
    match principal.factor() {
        Some(_) => Ok(factor),
        None => {
            let words = "This session was opened without the second factor. Sign in again with its code.";
            Err(ApiError::new(StatusCode::UNAUTHORIZED, "sign-in-again", words))
        }
    }
}

/// Makes new recovery codes. The old ones don't work any more.
#[utoipa::path(post, path = "/me/second-factor/recovery-codes", tag = "people", responses(
    (status = 201, description = "The new recovery codes", body = RecoveryCodes),
    (status = "4XX", description = "Error", body = Problem)))]
async fn renew(State(app): State<Shared>, principal: Principal) -> Result<(StatusCode, Json<RecoveryCodes>), ApiError> {
    secure(&principal)?;
    let factor = shown(&app, &principal).await?;
    let recovery_codes = new_recovery_codes()?;
    let hashes: Vec<String> = recovery_codes.iter().map(|code| recovery_hash(code)).collect();
    Records::new(app.store(), principal.known()?).set_recovery(&factor, &hashes).await?;
    Ok((StatusCode::CREATED, Json(RecoveryCodes { recovery_codes })))
}

/// Removes your second factor.
#[utoipa::path(delete, path = "/me/second-factor", tag = "people", responses(
    (status = 200, description = "The second factor is removed", body = Done),
    (status = "4XX", description = "Error", body = Problem)))]
async fn remove(State(app): State<Shared>, principal: Principal) -> Result<Json<Done>, ApiError> {
    let factor = shown(&app, &principal).await?;
    Records::new(app.store(), principal.known()?).remove_factor(&factor.account).await?;
    Ok(DONE)
}

/// Removes the second factor of an account, for somebody who lost it. All its sessions end.
#[utoipa::path(delete, path = "/accounts/{account}/second-factor", tag = "people",
    params(("account" = String, Path, description = "Id of the account")),
    responses((status = 200, description = "The second factor is removed", body = Done), (status = "4XX", description = "Error", body = Problem)))]
async fn reset(
    State(app): State<Shared>,
    principal: Principal,
    At(account): At<String>,
) -> Result<Json<Done>, ApiError> {
    let records = Records::new(app.store(), principal.known()?);
    records.remove_factor(&account).await?;
    records.end_sessions(&account).await?;
    Ok(DONE)
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = &[("Confirmation", crate::input::reads::<Confirmation>)];
