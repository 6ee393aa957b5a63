//! Signing in and out, what is one's own, and the records of people.

use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::input::Body;
use crate::live::pit::now;
use crate::people::records::{Records, hashed, shown};
use crate::people::{Asked, Credential, Kind, LimitsShown, Principal, Role, Scope, password, session};
use crate::routes::At;
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use craps_store::{Account, ApiToken, Grant, TRAIL};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const DAY: i64 = 24 * 60 * 60 * 1_000;
/// How long a token lasts where nobody says.
const TOKEN_DAYS: u16 = 90;
/// The longest a token lasts.
const TOKEN_DAYS_MOST: u16 = 366;
/// The most tokens of an account.
const TOKENS_MOST: usize = 50;
/// The most rows of the trail at once.
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

type WithCookie<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

/// Who is asking, as they are told.
#[derive(Debug, Serialize, ToSchema)]
struct Me {
    /// `anonymous`, `guest`, `account` or `token`.
    kind: Kind,
    /// What tables and logs call them.
    #[serde(skip_serializing_if = "Option::is_none")]
    who: Option<String>,
    /// The name that others see.
    name: String,
    /// The roles they have now.
    roles: Vec<Held>,
    /// What they may do, as far as scopes go.
    scopes: Vec<Scope>,
}

/// A role somebody has.
#[derive(Debug, Serialize, ToSchema)]
struct Held {
    /// The role.
    role: Role,
    /// At which table; at all of them where it names none.
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
            scopes: Scope::ALL.into_iter().filter(|scope| principal.has(*scope)).collect(),
        }
    }
}

/// Nothing but that it was done.
#[derive(Debug, Serialize, ToSchema)]
struct Done {
    /// Yes.
    done: bool,
}

const DONE: Json<Done> = Json(Done { done: true });

/// Nothing secret goes where others could read it on its way.
fn secure(principal: &Principal) -> Result<(), ApiError> {
    if principal.peer.secure { Ok(()) } else { Err(readable()) }
}

fn readable() -> ApiError {
    let words = "this connection can be read on its way: sign in over https, or from the machine the server runs on";
    ApiError::new(StatusCode::FORBIDDEN, "plain-http", words)
}

/// Who the next request will be known as.
async fn known_by(app: &Shared, principal: &Principal, account: &str) -> Result<WithCookie<Me>, ApiError> {
    // The old token is worth nothing from now on, whoever may have seen it.
    if let Credential::Session(old) = principal.credential() {
        app.store().people().end_session(old).await?;
    }
    let (cookie, session) = session::begin(app.store(), account).await?;
    let principal = principal.with(app, Credential::Session(session)).await?;
    Ok((StatusCode::CREATED, [(SET_COOKIE, cookie)], Json(Me::of(&principal))))
}

/// Become a guest: practice tables are open to guests, without a name or a password.
#[utoipa::path(post, path = "/guests", tag = "people", responses(
    (status = 201, description = "A cookie by which this guest is known", body = Me),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn become_guest(State(app): State<Shared>, principal: Principal) -> Result<WithCookie<Me>, ApiError> {
    // A guest has no secret but the cookie, and browsers keep it nowhere else.
    if !principal.peer.secure && !principal.peer.local {
        return Err(readable());
    }
    if principal.kind != Kind::Anonymous {
        return Err(ApiError::new(StatusCode::CONFLICT, "known", format!("you are known as {}", principal.name)));
    }
    app.desk.count_guest(principal.peer)?;
    known_by(&app, &principal, &session::new_guest()?).await
}

/// A name and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SignIn {
    /// The name, in capitals or not.
    name: String,
    /// The password.
    password: String,
}

/// Sign in by name and password.
#[utoipa::path(post, path = "/sign-in", tag = "people", request_body = SignIn, responses(
    (status = 201, description = "A cookie by which the account is known", body = Me),
    (status = 401, description = "No such name with that password", body = Problem),
    (status = 403, description = "The connection can be read on its way", body = Problem),
    (status = 429, description = "Tried too often", body = Problem)))]
async fn sign_in(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<SignIn>,
) -> Result<WithCookie<Me>, ApiError> {
    secure(&principal)?;
    app.desk.count_try(&asked.name, principal.peer)?;
    // What cannot be a name or a password is answered like one that is not right.
    let account = match asked.name.contains('\0') || asked.name.len() > 4 * crate::people::records::NAME_MOST {
        true => None,
        false => app.store().people().account_named(&asked.name).await?,
    };
    let kept = account.as_ref().map(|account| account.password.clone());
    let right = match asked.password.len() > password::MOST {
        true => false,
        false => app.desk.with_password(move || password::is(&asked.password, kept.as_deref())).await?,
    };
    let Some(account) = account.filter(|account| right && !account.disabled) else {
        tracing::info!(address = %principal.peer.address, "a sign-in that was not right");
        return Err(ApiError::unauthorized("no such name with that password"));
    };
    app.desk.forgive_tries(&asked.name, principal.peer);
    Records::new(app.store(), &format!("a:{}", account.id)).signed_in(&account).await?;
    known_by(&app, &principal, &account.id).await
}

/// How to sign out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct SignOut {
    /// Everywhere, or only here?
    everywhere: bool,
}

/// Sign out, here or everywhere. Tokens of programs stay.
#[utoipa::path(post, path = "/sign-out", tag = "people", request_body = SignOut, responses(
    (status = 200, description = "The session is over", body = Done),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn sign_out(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<SignOut>,
) -> Result<WithCookie<Done>, ApiError> {
    if let (Credential::Session(session), Some(who)) = (principal.credential(), &principal.who) {
        let records = Records::new(app.store(), who);
        match (principal.kind, principal.account()) {
            (Kind::Account, Ok(account)) if asked.everywhere => records.end_sessions(account).await?,
            (Kind::Account, Ok(account)) => records.end_session(account, session).await?,
            // A guest has nothing that would be noted.
            _ => drop(app.store().people().end_session(session).await?),
        }
    }
    Ok((StatusCode::OK, [(SET_COOKIE, session::no_cookie())], DONE))
}

/// Who is asking.
#[utoipa::path(get, path = "/me", tag = "people", responses(
    (status = 200, description = "Who the server takes you for", body = Me)))]
async fn me(principal: Principal) -> Json<Me> {
    Json(Me::of(&principal))
}

/// A session of one's own.
#[derive(Debug, Serialize, ToSchema)]
struct SessionView {
    /// To end it by.
    id: String,
    /// Since when, in unix milliseconds.
    created: i64,
    /// Last seen.
    seen: i64,
    /// Until when, unless it is used.
    expires: i64,
    /// Is it this one?
    current: bool,
}

/// The sessions of one's account.
#[utoipa::path(get, path = "/me/sessions", tag = "people", responses(
    (status = 200, description = "Those that hold", body = Vec<SessionView>),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn sessions(State(app): State<Shared>, principal: Principal) -> Result<Json<Vec<SessionView>>, ApiError> {
    let sessions = app.store().people().sessions_of(principal.account()?).await?;
    let holding = sessions.into_iter().filter(|session| session.expires > now());
    let view = |session: craps_store::Session| SessionView {
        id: shown(&session.token).to_owned(),
        created: session.created,
        seen: session.seen,
        expires: session.expires,
        current: *principal.credential() == Credential::Session(session.token),
    };
    Ok(Json(holding.map(view).collect()))
}

/// End a session of one's account.
#[utoipa::path(delete, path = "/me/sessions/{session}", tag = "people",
    params(("session" = String, Path, description = "As `GET /me/sessions` names it")),
    responses((status = 200, description = "It is over", body = Done), (status = "4XX", description = "Not done", body = Problem)))]
async fn end_session(
    State(app): State<Shared>,
    principal: Principal,
    At(session): At<String>,
) -> Result<Json<Done>, ApiError> {
    let account = principal.account()?;
    let sessions = app.store().people().sessions_of(account).await?;
    let found = sessions.iter().find(|held| shown(&held.token) == session);
    let found = found.ok_or_else(|| ApiError::not_found("you have no such session"))?;
    Records::new(app.store(), principal.known()?).end_session(account, &found.token).await?;
    Ok(DONE)
}

/// An old password and a new one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    /// The password so far.
    current: String,
    /// The password from now on.
    new: String,
}

/// Change the password. All other sessions end, and this one goes on under a new cookie.
#[utoipa::path(post, path = "/me/password", tag = "people", request_body = NewPassword, responses(
    (status = 201, description = "Changed", body = Me),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn change_password(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<NewPassword>,
) -> Result<WithCookie<Me>, ApiError> {
    secure(&principal)?;
    let account = own(&app, &principal).await?;
    // Whoever found a browser open may not guess here either.
    app.desk.count_try(&account.name, principal.peer)?;
    let (name, kept) = (account.name.clone(), account.password.clone());
    let hash = app.desk.with_password(move || {
        let right = asked.current.len() <= password::MOST && password::is(&asked.current, Some(&kept));
        right.then(|| hashed(&name, &asked.new))
    });
    let hash = hash.await?.ok_or_else(|| ApiError::forbidden("that is not your password so far"))??;
    app.desk.forgive_tries(&account.name, principal.peer);
    Records::new(app.store(), principal.known()?).set_password(&account.id, &hash).await?;
    known_by(&app, &principal, &account.id).await
}

async fn own(app: &Shared, principal: &Principal) -> Result<Account, ApiError> {
    Ok(Records::new(app.store(), principal.known()?).account(principal.account()?).await?)
}

/// A token of one's own.
#[derive(Debug, Serialize, ToSchema)]
struct TokenView {
    /// To take it back by.
    id: String,
    /// What its owner calls it.
    label: String,
    /// What a program may do with it.
    scopes: Vec<Scope>,
    /// Since when, in unix milliseconds.
    created: i64,
    /// Until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
    /// The token itself: shown once, when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl From<ApiToken> for TokenView {
    fn from(token: ApiToken) -> TokenView {
        let ApiToken { id, label, scopes, created, expires, .. } = token;
        TokenView { id, label, scopes: Scope::listed(&scopes), created, expires, token: None }
    }
}

/// The tokens of one's account.
#[utoipa::path(get, path = "/me/tokens", tag = "people", responses(
    (status = 200, description = "All of them, without the tokens themselves", body = Vec<TokenView>),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn tokens(State(app): State<Shared>, principal: Principal) -> Result<Json<Vec<TokenView>>, ApiError> {
    let tokens = app.store().people().tokens_of(principal.account()?).await?;
    Ok(Json(tokens.into_iter().map(TokenView::from).collect()))
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewToken {
    /// What to call it.
    label: String,
    /// What a program may do with it; never more than the account.
    scopes: Vec<Scope>,
    /// For how many days.
    #[serde(default)]
    days: Option<u16>,
}

/// Make a token for a program. It acts for the account and is labelled as a program.
#[utoipa::path(post, path = "/me/tokens", tag = "people", request_body = NewToken, responses(
    (status = 201, description = "The token, shown this once", body = TokenView),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn add_token(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<NewToken>,
) -> Result<(StatusCode, Json<TokenView>), ApiError> {
    secure(&principal)?;
    let (account, days) = (principal.account()?, asked.days.unwrap_or(TOKEN_DAYS));
    let unfit = |words: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", words);
    if days == 0 || days > TOKEN_DAYS_MOST {
        return Err(unfit(format!("`days` is 1 to {TOKEN_DAYS_MOST}")));
    }
    if app.store().people().tokens_of(account).await?.len() >= TOKENS_MOST {
        return Err(unfit(format!("an account has at most {TOKENS_MOST} tokens: take one back first")));
    }
    let until = now() + i64::from(days) * DAY;
    let records = Records::new(app.store(), principal.known()?);
    let (kept, token) = records.add_token(account, &asked.label, &asked.scopes, Some(until)).await?;
    Ok((StatusCode::CREATED, Json(TokenView { token: Some(token), ..kept.into() })))
}

/// Take a token back.
#[utoipa::path(delete, path = "/me/tokens/{token}", tag = "people",
    params(("token" = String, Path, description = "As `GET /me/tokens` names it")),
    responses((status = 200, description = "It is worth nothing now", body = Done), (status = "4XX", description = "Not done", body = Problem)))]
async fn revoke_token(
    State(app): State<Shared>,
    principal: Principal,
    At(token): At<String>,
) -> Result<Json<Done>, ApiError> {
    Records::new(app.store(), principal.known()?).revoke_token(principal.account()?, &token).await?;
    Ok(DONE)
}

/// The limits that one has set oneself, and where this visit stands.
#[utoipa::path(get, path = "/me/limits", tag = "people", responses(
    (status = 200, description = "What holds and what will", body = LimitsShown),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn limits(State(app): State<Shared>, principal: Principal) -> Result<Json<LimitsShown>, ApiError> {
    principal.limits_shown(&app).await.map(Json)
}

/// Set oneself limits. A lower one holds at once, a higher one after a day; what is not named is not limited.
#[utoipa::path(put, path = "/me/limits", tag = "people", request_body = Asked, responses(
    (status = 200, description = "What holds and what will", body = LimitsShown),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn set_limits(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<Asked>,
) -> Result<Json<LimitsShown>, ApiError> {
    let (account, at) = (principal.account()?, now());
    let own = principal.limits_with(asked, at);
    Records::new(app.store(), principal.known()?).set_limits(&own.kept(account, at), &asked).await?;
    principal.with(&app, principal.credential().clone()).await?.limits_shown(&app).await.map(Json)
}

/// An account, for those who keep them.
#[derive(Debug, Serialize, ToSchema)]
struct AccountView {
    /// What it is called in the log, without the `a:`.
    id: String,
    /// The name.
    name: String,
    /// Is it closed?
    disabled: bool,
    /// Since when, in unix milliseconds.
    created: i64,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> AccountView {
        let Account { id, name, disabled, created, .. } = account;
        AccountView { id, name, disabled, created }
    }
}

/// All accounts.
#[utoipa::path(get, path = "/accounts", tag = "people", responses(
    (status = 200, description = "By name", body = Vec<AccountView>),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn accounts(State(app): State<Shared>) -> Result<Json<Vec<AccountView>>, ApiError> {
    Ok(Json(app.store().people().accounts().await?.into_iter().map(AccountView::from).collect()))
}

/// An account to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAccount {
    /// The name.
    name: String,
    /// A first password, to be changed by whoever gets the account.
    password: String,
}

/// Make an account. It has no role until it is given one.
#[utoipa::path(post, path = "/accounts", tag = "people", request_body = NewAccount, responses(
    (status = 201, description = "The account", body = AccountView),
    (status = "4XX", description = "Not done", body = Problem)))]
async fn add_account(
    State(app): State<Shared>,
    principal: Principal,
    Body(asked): Body<NewAccount>,
) -> Result<(StatusCode, Json<AccountView>), ApiError> {
    secure(&principal)?;
    let name = asked.name.clone();
    let hash = app.desk.with_password(move || hashed(&name, &asked.password)).await??;
    let account = Records::new(app.store(), principal.known()?).add_account(&asked.name, &hash).await?;
    Ok((StatusCode::CREATED, Json(account.into())))
}

/// What is to change of an account; what is not named stays.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct AccountChange {
    /// Another name.
    name: Option<String>,
    /// Closed, or open again.
    disabled: Option<bool>,
    /// Another password; it ends all sessions.
    password: Option<String>,
}

/// Change an account. Closing it ends its sessions and tokens at once.
#[utoipa::path(patch, path = "/accounts/{account}", tag = "people", request_body = AccountChange,
    params(("account" = String, Path, description = "Its id")),
    responses((status = 200, description = "The account", body = AccountView), (status = "4XX", description = "Not done", body = Problem)))]
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
    Ok(Json(records.account(&id).await?.into()))
}

/// A role that an account has.
#[derive(Debug, Serialize, ToSchema)]
struct GrantView {
    /// To take it back by.
    id: String,
    /// The role.
    role: String,
    /// At which table; at all of them where it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    /// From when on, in unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<i64>,
    /// Until when: the first moment it no longer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
}

impl From<Grant> for GrantView {
    fn from(grant: Grant) -> GrantView {
        let Grant { id, role, table, from, until, .. } = grant;
        GrantView { id, role, table, from, until }
    }
}

/// The roles of an account, those of past and coming shifts too.
#[utoipa::path(get, path = "/accounts/{account}/grants", tag = "people",
    params(("account" = String, Path, description = "Its id")),
    responses((status = 200, description = "All of them", body = Vec<GrantView>), (status = "4XX", description = "Not done", body = Problem)))]
async fn grants(
    State(app): State<Shared>,
    principal: Principal,
    At(id): At<String>,
) -> Result<Json<Vec<GrantView>>, ApiError> {
    Records::new(app.store(), principal.known()?).account(&id).await?;
    Ok(Json(app.store().people().grants(&id).await?.into_iter().map(GrantView::from).collect()))
}

/// A role to be given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewGrant {
    /// The role.
    role: Role,
    /// At which table; at all of them where it names none.
    #[serde(default)]
    table: Option<String>,
    /// When the shift begins, in unix milliseconds.
    #[serde(default)]
    from: Option<i64>,
    /// When it ends.
    #[serde(default)]
    until: Option<i64>,
}

/// Give a role to an account, at a table or at all of them, always or for a shift.
#[utoipa::path(post, path = "/accounts/{account}/grants", tag = "people", request_body = NewGrant,
    params(("account" = String, Path, description = "Its id")),
    responses((status = 201, description = "The grant", body = GrantView), (status = "4XX", description = "Not done", body = Problem)))]
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

/// Take a role back.
#[utoipa::path(delete, path = "/accounts/{account}/grants/{grant}", tag = "people",
    params(("account" = String, Path, description = "Its id"), ("grant" = String, Path, description = "As the list of grants names it")),
    responses((status = 200, description = "It holds no more", body = Done), (status = "4XX", description = "Not done", body = Problem)))]
async fn revoke_grant(
    State(app): State<Shared>,
    principal: Principal,
    At((account, grant)): At<(String, String)>,
) -> Result<Json<Done>, ApiError> {
    Records::new(app.store(), principal.known()?).revoke(&account, &grant).await?;
    Ok(DONE)
}

/// Where to read on in the trail.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
struct TrailFrom {
    /// The row after which to read.
    after: u64,
}

/// A row of the trail: who changed what of people's records.
#[derive(Debug, Serialize, ToSchema)]
struct TrailRow {
    /// Its number.
    seq: u64,
    /// When, in unix milliseconds.
    at: i64,
    /// Who.
    by: String,
    /// What was done to whom.
    #[schema(value_type = Object)]
    did: serde_json::Value,
    /// Its hash, which seals all rows before it.
    hash: String,
}

/// Who changed what of people's records, row by row.
#[utoipa::path(get, path = "/trail", tag = "people", params(TrailFrom), responses(
    (status = 200, description = "The next rows", body = Vec<TrailRow>),
    (status = "4XX", description = "Not done", body = Problem)))]
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

/// What these routes read.
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
