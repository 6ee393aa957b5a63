//! Sign-in and sign-out, the caller's own settings, and account administration.

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::input::Body;
use crate::live::pit::now;
use crate::people::records::{Records, hashed, shown};
use crate::people::session::{Proven, Ticket};
use crate::people::{
    Asked, Credential, Kind, LimitsShown, Principal, Role, Scope, factor, password, record_of, session,
};
use crate::routes::At;
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use craps_store::{Account, ApiToken, Grant, TRAIL};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Default lifetime of a token, in days.
const TOKEN_DAYS: u16 = 90;
/// Longest lifetime of a token, in days.
const TOKEN_DAYS_MOST: u16 = 366;
/// Maximum number of tokens per account.
const TOKENS_MOST: usize = 50;
/// Maximum number of trail rows in one response.
const TRAIL_MOST: u32 = 500;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(become_guest))
        .routes(routes!(sign_in))
        .routes(routes!(sign_out))
        .routes(routes!(me))
        .routes(routes!(sessions))
        .routes(routes!(end_session))
        .routes(routes!(change_password))
        .routes(routes!(tokens, add_token))
        .routes(routes!(revoke_token))
        .routes(routes!(limits, set_limits))
        .routes(routes!(accounts, add_account))
        .routes(routes!(change_account))
        .routes(routes!(grants, grant))
        .routes(routes!(revoke_grant))
        .routes(routes!(trail))
}

pub(super) type WithCookie<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

/// The caller as the server knows them.
#[derive(Debug, Serialize, ToSchema)]
struct Me {
    /// `anonymous`, `guest`, `account` or `token`.
    kind: Kind,
    /// Id in tables and logs, such as `a:` and an account id. None for anonymous callers.
    #[serde(skip_serializing_if = "Option::is_none")]
    who: Option<String>,
    /// Name that other players see.
    name: String,
    /// Roles that apply now.
    roles: Vec<Held>,
    /// Roles that the caller can't use in this session, because this server wants a second factor for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locked: Vec<Held>,
    /// Scopes of the caller.
    scopes: Vec<Scope>,
    /// True if the caller showed the account's second factor in this session.
    second_factor: bool,
}

/// A role the caller has.
#[derive(Debug, Serialize, ToSchema)]
struct Held {
    /// Name of the role.
    role: Role,
    /// Id of the table where the role applies. None means all tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
}

impl Me {
    fn of(principal: &Principal) -> Me {
        let held = |(role, table): (Role, Option<&str>)| Held { role, table: table.map(str::to_owned) };
        Me {
            kind: principal.kind,
            who: principal.who.clone(),
            name: principal.name.clone(),
            roles: principal.roles().map(held).collect(),
            locked: principal.locked().map(held).collect(),
            scopes: Scope::ALL.into_iter().filter(|scope| principal.has(*scope)).collect(),
            second_factor: principal.factor().is_some(),
        }
    }
}

/// Response to a request that returns no data.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Done {
    /// Always true.
    done: bool,
}

pub(super) const DONE: Json<Done> = Json(Done { done: true });

/// Rejects callers on an unencrypted connection, where others could read secrets.
pub(super) fn secure(principal: &Principal) -> Result<(), ApiError> {
    if principal.peer.secure { Ok(()) } else { Err(readable()) }
}

fn readable() -> ApiError {
    let words = "This connection isn't encrypted. Use https, or connect from the machine the server runs on.";
    ApiError::new(StatusCode::FORBIDDEN, "plain-http", words)
}

/// Starts a session for an account or guest, and returns its cookie.
async fn known_by(
    app: &Shared,
    principal: &Principal,
    account: &str,
    proven: Proven,
) -> Result<WithCookie<Me>, ApiError> {
    let (cookie, session) = new_session(app, principal, account, proven).await?;
    let principal = principal.with(app, Credential::Session(session)).await?;
    Ok((StatusCode::CREATED, [(SET_COOKIE, cookie)], Json(Me::of(&principal))))
}

/// Starts a session instead of the one that the caller has. Returns the cookie, and what it shows.
pub(super) async fn new_session(
    app: &Shared,
    principal: &Principal,
    account: &str,
    proven: Proven,
) -> Result<(HeaderValue, Ticket), ApiError> {
    // End the old session, so that its token is useless to anyone who may have seen it.
    if let Credential::Session(old) = principal.credential() {
        app.store().people().end_session(&old.hash).await?;
    }
    session::begin(app, account, proven).await
}

/// Makes the caller a guest. Guests can play at practice tables without a name or a password.
#[utoipa::path(post, path = "/guests", tag = "people", responses(
    (status = 201, description = "The guest. The response sets the session cookie", body = Me),
    (status = "4XX", description = "Error", body = Problem)))]
async fn become_guest(State(app): State<Shared>, principal: Principal) -> Result<WithCookie<Me>, ApiError> {
    // A guest's only secret is the cookie, and browsers only keep it on secure or local connections.
    if !principal.peer.secure && !principal.peer.local {
        return Err(readable());
    }
    if principal.kind != Kind::Anonymous {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "known",
            format!("You are already signed in as {}.", principal.name),
        ));
    }
    app.desk.count_guest(principal.peer)?;
    known_by(&app, &principal, &session::new_guest()?, Proven::now(None)).await
}

/// Credentials to sign in with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SignIn {
    /// Name of the account. Case doesn't matter.
    name: String,
    /// Password of the account.
    password: String,
    /// Code of the second factor, or a recovery code. Only needed if the account has a second factor: without it the answer is `code-needed`.
    #[serde(default)]
    code: Option<String>,
}

/// Signs in with a name and a password, and a code if the account has a second factor.
#[utoipa::path(post, path = "/sign-in", tag = "people", request_body = SignIn, responses(
    (status = 201, description = "The account. The response sets the session cookie", body = Me),
    (status = 401, description = "Wrong name, password or code, or the code is missing", body = Problem),
    (status = 403, description = "The connection isn't encrypted", body = Problem),
    (status = 429, description = "Too many attempts", body = Problem)))]
async fn sign_in(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<SignIn>,
) -> Result<WithCookie<Me>, ApiError> {
    secure(&principal)?;
    app.desk.count_try(&asked.name, principal.peer)?;
    // An impossible name or password gets the same answer as a wrong one.
    let account = match asked.name.contains('\0') || asked.name.len() > 4 * crate::people::records::NAME_MOST {
        true => None,
        false => app.store().people().account_named(&asked.name).await?,
    };
    let known = account.clone();
    let kept = account.as_ref().map(|account| account.password.clone());
    let right = match asked.password.len() > password::MOST {
        true => false,
        false => app.desk.with_password(move || password::is(&asked.password, kept.as_deref())).await?,
    };
    let Some(account) = account.filter(|account| right && !account.disabled) else {
        tracing::info!(address = %principal.peer.address, "failed sign-in");
        if let Some(account) = known {
            let wrong = if right { "closed" } else { "password" };
            app.failures.note(app.store(), account, principal.peer.address, wrong);
        }
        return Err(ApiError::unauthorized("Wrong name or password."));
    };
    let proof = match (factor::confirmed(&app, &account.id).await?, asked.code) {
        (None, _) => None,
        (Some(_), None) => {
            app.desk.give_back_try(&asked.name, principal.peer);
            let words = "This account has a second factor. Send its code, or a recovery code, as `code`.";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "code-needed", words));
        }
        (Some(factor), Some(code)) => Some(factor::show(&app, principal.peer, &account, &factor, &code).await?),
    };
    app.desk.forgive_tries(&asked.name, principal.peer);
    let shown = proof.map(factor::Proof::name);
    Records::new(app.store(), &format!("a:{}", account.id)).signed_in(&account, shown).await?;
    known_by(&app, &principal, &account.id, Proven::now(proof.map(|_| now()))).await
}

/// Options for signing out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct SignOut {
    /// True to end all sessions of the account, not only this one.
    everywhere: bool,
}

/// Signs out, here or everywhere. Tokens of programs stay valid.
#[utoipa::path(post, path = "/sign-out", tag = "people", request_body = SignOut, responses(
    (status = 200, description = "Signed out", body = Done),
    (status = "4XX", description = "Error", body = Problem)))]
async fn sign_out(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<SignOut>,
) -> Result<WithCookie<Done>, ApiError> {
    if let (Credential::Session(session), Some(who)) = (principal.credential(), &principal.who) {
        let records = Records::new(app.store(), who);
        match (principal.kind, principal.account()) {
            (Kind::Account, Ok(account)) if asked.everywhere => records.end_sessions(account).await?,
            (Kind::Account, Ok(account)) => records.end_session(account, &session.hash).await?,
            // Guests are not in the trail.
            _ => drop(app.store().people().end_session(&session.hash).await?),
        }
    }
    Ok((StatusCode::OK, [(SET_COOKIE, session::no_cookie())], DONE))
}

/// Returns who the caller is.
#[utoipa::path(get, path = "/me", tag = "people", responses(
    (status = 200, description = "The caller as the server knows them", body = Me)))]
async fn me(principal: Principal) -> Json<Me> {
    Json(Me::of(&principal))
}

/// A session of the caller's account.
#[derive(Debug, Serialize, ToSchema)]
struct SessionView {
    /// Id of the session, for `DELETE /me/sessions/{session}`.
    id: String,
    /// Time of sign-in, in Unix milliseconds.
    created: i64,
    /// Time of last use, in Unix milliseconds.
    seen: i64,
    /// Time when it expires if it isn't used, in Unix milliseconds.
    expires: i64,
    /// True for the session of this request.
    current: bool,
}

/// Lists the sessions of your account.
#[utoipa::path(get, path = "/me/sessions", tag = "people", responses(
    (status = 200, description = "Sessions that have not expired", body = Vec<SessionView>),
    (status = "4XX", description = "Error", body = Problem)))]
async fn sessions(State(app): State<Shared>, principal: Principal) -> Result<Json<Vec<SessionView>>, ApiError> {
    let sessions = app.store().people().sessions_of(principal.account()?).await?;
    let holding = sessions.into_iter().filter(|session| session.expires > now());
    let view = |session: craps_store::Session| SessionView {
        id: shown(&session.token).to_owned(),
        created: session.created,
        seen: session.seen,
        expires: session.expires,
        current: matches!(principal.credential(), Credential::Session(own) if own.hash == session.token),
    };
    Ok(Json(holding.map(view).collect()))
}

/// Ends a session of your account.
#[utoipa::path(delete, path = "/me/sessions/{session}", tag = "people",
    params(("session" = String, Path, description = "Id of the session, from `GET /me/sessions`")),
    responses((status = 200, description = "The session has ended", body = Done), (status = "4XX", description = "Error", body = Problem)))]
async fn end_session(
    State(app): State<Shared>,
    principal: Principal,
    At(session): At<String>,
) -> Result<Json<Done>, ApiError> {
    let account = principal.account()?;
    let sessions = app.store().people().sessions_of(account).await?;
    let found = sessions.iter().find(|held| shown(&held.token) == session);
    let found = found.ok_or_else(|| ApiError::not_found("You have no such session."))?;
    Records::new(app.store(), principal.known()?).end_session(account, &found.token).await?;
    Ok(DONE)
}

/// The current and the new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    /// Current password.
    current: String,
    /// New password.
    new: String,
}

/// Changes your password. All other sessions end, and this one continues with a new cookie.
#[utoipa::path(post, path = "/me/password", tag = "people", request_body = NewPassword, responses(
    (status = 201, description = "Password changed", body = Me),
    (status = "4XX", description = "Error", body = Problem)))]
async fn change_password(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<NewPassword>,
) -> Result<WithCookie<Me>, ApiError> {
    secure(&principal)?;
    let account = own(&app, &principal).await?;
    // Limit guesses here too: somebody may have found an open browser.
    app.desk.count_try(&account.name, principal.peer)?;
    let (name, kept) = (account.name.clone(), account.password.clone());
    let hash = app.desk.with_password(move || {
        let right = asked.current.len() <= password::MOST && password::is(&asked.current, Some(&kept));
        right.then(|| hashed(&name, &asked.new))
    });
    let records = Records::new(app.store(), principal.known()?);
    let Some(hash) = hash.await? else {
        records.failed_sign_in(&account, principal.peer.address, "current-password").await?;
        return Err(ApiError::forbidden("That isn't your current password."));
    };
    let hash = hash?;
    app.desk.forgive_tries(&account.name, principal.peer);
    records.set_password(&account.id, &hash).await?;
    // This is no new sign-in: the second factor wasn't asked for.
    known_by(&app, &principal, &account.id, principal.proven()).await
}

/// Returns the caller's account.
pub(super) async fn own(app: &Shared, principal: &Principal) -> Result<Account, ApiError> {
    Ok(Records::new(app.store(), principal.known()?).account(principal.account()?).await?)
}

/// A token of the caller's account.
#[derive(Debug, Serialize, ToSchema)]
struct TokenView {
    /// Id of the token, for `DELETE /me/tokens/{token}`.
    id: String,
    /// Label the owner gave it.
    label: String,
    /// What a program may do with the token.
    scopes: Vec<Scope>,
    /// Time of creation, in Unix milliseconds.
    created: i64,
    /// Time when it expires, in Unix milliseconds. None means never.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
    /// The token itself. Only present when it is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl From<ApiToken> for TokenView {
    fn from(token: ApiToken) -> TokenView {
        let ApiToken { id, label, scopes, created, expires, .. } = token;
        TokenView { id, label, scopes: Scope::listed(&scopes), created, expires, token: None }
    }
}

/// Lists the tokens of your account.
#[utoipa::path(get, path = "/me/tokens", tag = "people", responses(
    (status = 200, description = "All tokens, without their secret values", body = Vec<TokenView>),
    (status = "4XX", description = "Error", body = Problem)))]
async fn tokens(State(app): State<Shared>, principal: Principal) -> Result<Json<Vec<TokenView>>, ApiError> {
    let tokens = app.store().people().tokens_of(principal.account()?).await?;
    Ok(Json(tokens.into_iter().map(TokenView::from).collect()))
}

/// A token to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    /// Label for the owner to recognize it by.
    label: String,
    /// What a program may do with the token. It can never do more than the account can.
    scopes: Vec<Scope>,
    /// Lifetime in days, 1 to 366. The default is 90.
    #[serde(default)]
    days: Option<u16>,
}

/// Creates a token for a program. The program acts for the account and is labeled as a program.
#[utoipa::path(post, path = "/me/tokens", tag = "people", request_body = NewToken, responses(
    (status = 201, description = "The token. Its secret value is only shown this once", body = TokenView),
    (status = "4XX", description = "Error", body = Problem)))]
async fn add_token(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<NewToken>,
) -> Result<(StatusCode, Json<TokenView>), ApiError> {
    secure(&principal)?;
    principal.may_make_token(&asked.scopes)?;
    let (account, days) = (principal.account()?, asked.days.unwrap_or(TOKEN_DAYS));
    let unfit = |words: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", words);
    if days == 0 || days > TOKEN_DAYS_MOST {
        return Err(unfit(format!("days: expected 1 to {TOKEN_DAYS_MOST}, found {days}")));
    }
    if app.store().people().tokens_of(account).await?.len() >= TOKENS_MOST {
        return Err(unfit(format!("Your account already has {TOKENS_MOST} tokens. Revoke one first.")));
    }
    let until = now() + i64::from(days) * DAY;
    let records = Records::new(app.store(), principal.known()?);
    let (kept, token) = records.add_token(account, &asked.label, &asked.scopes, Some(until)).await?;
    Ok((StatusCode::CREATED, Json(TokenView { token: Some(token), ..kept.into() })))
}

/// Revokes a token of your account.
#[utoipa::path(delete, path = "/me/tokens/{token}", tag = "people",
    params(("token" = String, Path, description = "Id of the token, from `GET /me/tokens`")),
    responses((status = 200, description = "The token is revoked", body = Done), (status = "4XX", description = "Error", body = Problem)))]
async fn revoke_token(
    State(app): State<Shared>,
    principal: Principal,
    At(token): At<String>,
) -> Result<Json<Done>, ApiError> {
    Records::new(app.store(), principal.known()?).revoke_token(principal.account()?, &token).await?;
    Ok(DONE)
}

/// Returns the limits you have set yourself, and the time and losses of this visit.
#[utoipa::path(get, path = "/me/limits", tag = "people", responses(
    (status = 200, description = "Current and upcoming limits", body = LimitsShown),
    (status = "4XX", description = "Error", body = Problem)))]
async fn limits(State(app): State<Shared>, principal: Principal) -> Result<Json<LimitsShown>, ApiError> {
    principal.limits_shown(&app).await.map(Json)
}

/// Sets your own limits. A lower limit applies at once, a higher one after a day. A limit you leave out is removed.
#[utoipa::path(put, path = "/me/limits", tag = "people", request_body = Asked, responses(
    (status = 200, description = "Current and upcoming limits", body = LimitsShown),
    (status = "4XX", description = "Error", body = Problem)))]
async fn set_limits(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<Asked>,
) -> Result<Json<LimitsShown>, ApiError> {
    let (who, at) = (principal.known()?, now());
    let _turn = app.limited.turn(who).await;
    let kept = Principal::limits_with(&app, who, asked, at).await?.kept(record_of(who), at);
    match principal.kind {
        // Guests are not in the trail.
        Kind::Guest => app.store().people().set_limits(&kept).await?,
        _ => Records::new(app.store(), who).set_limits(&kept, &asked).await?,
    }
    principal.with(&app, principal.credential().clone()).await?.limits_shown(&app).await.map(Json)
}

/// An account, for admins.
#[derive(Debug, Serialize, ToSchema)]
struct AccountView {
    /// Id of the account. Logs write it with `a:` in front.
    id: String,
    /// Name to sign in with.
    name: String,
    /// True if the account is closed.
    disabled: bool,
    /// Time of creation, in Unix milliseconds.
    created: i64,
    /// True if the account has a second factor.
    second_factor: bool,
}

impl AccountView {
    fn of(account: Account, second_factor: bool) -> AccountView {
        let Account { id, name, disabled, created, .. } = account;
        AccountView { id, name, disabled, created, second_factor }
    }
}

/// Lists all accounts.
#[utoipa::path(get, path = "/accounts", tag = "people", responses(
    (status = 200, description = "All accounts, sorted by name", body = Vec<AccountView>),
    (status = "4XX", description = "Error", body = Problem)))]
async fn accounts(State(app): State<Shared>) -> Result<Json<Vec<AccountView>>, ApiError> {
    let people = app.store().people();
    let with: HashSet<String> = people.factors().await?.into_iter().map(|factor| factor.account).collect();
    let view = |account: Account| {
        let second_factor = with.contains(&account.id);
        AccountView::of(account, second_factor)
    };
    Ok(Json(people.accounts().await?.into_iter().map(view).collect()))
}

/// An account to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAccount {
    /// Name to sign in with.
    name: String,
    /// First password. The owner of the account should change it.
    password: String,
}

/// Creates an account. It has no roles until they are granted.
#[utoipa::path(post, path = "/accounts", tag = "people", request_body = NewAccount, responses(
    (status = 201, description = "The account", body = AccountView),
    (status = "4XX", description = "Error", body = Problem)))]
async fn add_account(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<NewAccount>,
) -> Result<(StatusCode, Json<AccountView>), ApiError> {
    secure(&principal)?;
    let name = asked.name.clone();
    let hash = app.desk.with_password(move || hashed(&name, &asked.password)).await??;
    let account = Records::new(app.store(), principal.known()?).add_account(&asked.name, &hash).await?;
    Ok((StatusCode::CREATED, Json(AccountView::of(account, false))))
}

/// Changes to an account. Fields that are left out stay as they are.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct AccountChange {
    /// New name.
    name: Option<String>,
    /// True closes the account, false opens it again.
    disabled: Option<bool>,
    /// New password. Setting it ends all sessions of the account.
    password: Option<String>,
}

/// Changes an account. Closing it ends its sessions and tokens at once.
#[utoipa::path(patch, path = "/accounts/{account}", tag = "people", request_body = AccountChange,
    params(("account" = String, Path, description = "Id of the account")),
    responses((status = 200, description = "The account", body = AccountView), (status = "4XX", description = "Error", body = Problem)))]
async fn change_account(
    State(app): State<Shared>,
    principal: Principal,
    At(id): At<String>,
    Body(asked): Body<AccountChange>,
) -> Result<Json<AccountView>, ApiError> {
    let records = Records::new(app.store(), principal.known()?);
    let account = records.account(&id).await?;
    if let Some(new) = asked.password {
        secure(&principal)?;
        let name = asked.name.clone().unwrap_or(account.name);
        let hash = app.desk.with_password(move || hashed(&name, &new)).await??;
        records.set_password(&id, &hash).await?;
    }
    if let Some(name) = asked.name {
        records.rename(&id, &name).await?;
    }
    if let Some(disabled) = asked.disabled {
        records.set_disabled(&id, disabled).await?;
    }
    let second_factor = factor::confirmed(&app, &id).await?.is_some();
    Ok(Json(AccountView::of(records.account(&id).await?, second_factor)))
}

/// A role that an account has.
#[derive(Debug, Serialize, ToSchema)]
struct GrantView {
    /// Id of the grant, for `DELETE /accounts/{account}/grants/{grant}`.
    id: String,
    /// Name of the role.
    role: String,
    /// Id of the table where the role applies. None means all tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    /// Start of the shift, in Unix milliseconds. None means no start.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<i64>,
    /// End of the shift, in Unix milliseconds: the first moment when the role no longer applies. None means no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}

impl From<Grant> for GrantView {
    fn from(grant: Grant) -> GrantView {
        let Grant { id, role, table, from, until, .. } = grant;
        GrantView { id, role, table, from, until }
    }
}

/// Lists the roles of an account, including those of past and future shifts.
#[utoipa::path(get, path = "/accounts/{account}/grants", tag = "people",
    params(("account" = String, Path, description = "Id of the account")),
    responses((status = 200, description = "All grants", body = Vec<GrantView>), (status = "4XX", description = "Error", body = Problem)))]
async fn grants(
    State(app): State<Shared>,
    principal: Principal,
    At(id): At<String>,
) -> Result<Json<Vec<GrantView>>, ApiError> {
    Records::new(app.store(), principal.known()?).account(&id).await?;
    Ok(Json(app.store().people().grants(&id).await?.into_iter().map(GrantView::from).collect()))
}

/// A role to grant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewGrant {
    /// Name of the role.
    role: Role,
    /// Id of the table where the role applies. None means all tables.
    #[serde(default)]
    table: Option<String>,
    /// Start of the shift, in Unix milliseconds. None means it applies at once.
    #[serde(default)]
    from: Option<i64>,
    /// End of the shift, in Unix milliseconds. None means no end.
    #[serde(default)]
    until: Option<i64>,
}

/// Grants a role to an account, at one table or at all tables, with or without a shift.
#[utoipa::path(post, path = "/accounts/{account}/grants", tag = "people", request_body = NewGrant,
    params(("account" = String, Path, description = "Id of the account")),
    responses((status = 201, description = "The new grant", body = GrantView), (status = "4XX", description = "Error", body = Problem)))]
async fn grant(
    State(app): State<Shared>,
    principal: Principal,
    At(id): At<String>,
    Body(asked): Body<NewGrant>,
) -> Result<(StatusCode, Json<GrantView>), ApiError> {
    let records = Records::new(app.store(), principal.known()?);
    let shift = (asked.from, asked.until);
    let grant = records.grant(&id, asked.role, asked.table.as_deref(), shift).await?;
    Ok((StatusCode::CREATED, Json(grant.into())))
}

/// Revokes a role of an account.
#[utoipa::path(delete, path = "/accounts/{account}/grants/{grant}", tag = "people",
    params(("account" = String, Path, description = "Id of the account"), ("grant" = String, Path, description = "Id of the grant")),
    responses((status = 200, description = "The role is revoked", body = Done), (status = "4XX", description = "Error", body = Problem)))]
async fn revoke_grant(
    State(app): State<Shared>,
    principal: Principal,
    At((account, grant)): At<(String, String)>,
) -> Result<Json<Done>, ApiError> {
    Records::new(app.store(), principal.known()?).revoke(&account, &grant).await?;
    Ok(DONE)
}

/// Selects rows of the trail.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
struct TrailFrom {
    /// Only rows after this number.
    after: u64,
}

/// A row of the trail: one change to an account, role, token, session or limit.
#[derive(Debug, Serialize, ToSchema)]
struct TrailRow {
    /// Number of the row.
    seq: u64,
    /// Time of the change, in Unix milliseconds.
    at: i64,
    /// Id of the person who made the change.
    by: String,
    /// The change and what it applies to.
    #[schema(value_type = Object)]
    did: serde_json::Value,
    /// Hash of the row, which covers all rows before it.
    hash: String,
}

/// Returns the trail: who changed which records of people, row by row.
#[utoipa::path(get, path = "/trail", tag = "people", params(TrailFrom), responses(
    (status = 200, description = "Up to 500 rows", body = Vec<TrailRow>),
    (status = "4XX", description = "Error", body = Problem)))]
async fn trail(State(app): State<Shared>, Query(from): Query<TrailFrom>) -> Result<Json<Vec<TrailRow>>, ApiError> {
    let rows = app.store().load(TRAIL, from.after, TRAIL_MOST).await?;
    let row = |row: craps_store::Row| TrailRow {
        seq: row.seq,
        at: row.at,
        by: row.client,
        did: serde_json::from_str(&row.body).unwrap_or_default(),
        hash: row.hash,
    };
    Ok(Json(rows.into_iter().map(row).collect()))
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[
        ("SignIn", reads::<SignIn>),
        ("SignOut", reads::<SignOut>),
        ("NewPassword", reads::<NewPassword>),
        ("NewToken", reads::<NewToken>),
        ("Asked", reads::<Asked>),
        ("NewAccount", reads::<NewAccount>),
        ("AccountChange", reads::<AccountChange>),
        ("NewGrant", reads::<NewGrant>),
    ]
};
