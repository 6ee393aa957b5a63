//! The caller of a request and their rights.

use super::limits::Own;
use super::peer::Peer;
use super::session::{Proven, Ticket};
use super::{Role, Scope, SecondFactor, is_practice, session};
use crate::app::{App, Shared};
use crate::clock::moment;
use crate::error::ApiError;
use crate::live::By;
use crate::live::pit::now;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use craps_store::Grant;
use craps_table::Actor;
use std::time::{Duration, Instant};

/// How long a stream may use what it knows about its client before it checks again. Revoked rights end well within a second.
const KNOWN_FOR: Duration = Duration::from_millis(400);

/// How long after the sign-in an account can change rights, accounts and tokens, in milliseconds.
const FRESH: i64 = 15 * 60_000;

/// Code of the error for a role that only a second factor is missing for.
pub(super) const NEEDS_FACTOR: &str = "second-factor";

/// How a caller identified themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// No session and no token.
    Anonymous,
    /// By a guest session, which belongs to one browser.
    Guest,
    /// By a session started with name and password.
    Account,
    /// By the token of an account: a program.
    Token,
}

/// The credential of a request. Holds no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// No credential.
    None,
    /// The session cookie.
    Session(Ticket),
    /// Hash of the bearer token.
    Token(String),
}

/// The caller of a request.
#[derive(Debug, Clone)]
pub struct Principal {
    /// `a:` and an account id, or `g:` and a guest id. None for anonymous callers. A program has the id of its account.
    pub who: Option<String>,
    /// Name that other players see.
    pub name: String,
    /// How the caller identified themselves.
    pub kind: Kind,
    /// Address and security of the connection.
    pub peer: Peer,
    credential: Credential,
    /// Owner of the idempotency keys. A program has its own keys, apart from its account.
    client: String,
    grants: Vec<Held>,
    scopes: Vec<Scope>,
    pub(super) limits: Option<Own>,
    /// Invitation to a private table from the query of the URL.
    pub(crate) invitation: Option<String>,
    /// Time of the sign-in. None for programs, and for those who didn't sign in.
    signed_in: Option<i64>,
    /// Time when the caller showed the account's second factor in this session.
    factor: Option<i64>,
    /// True if the staff of this server needs a second factor and this session was opened without one.
    unproven: bool,
    looked: Instant,
}

/// A role that was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    role: Role,
    table: Option<String>,
    from: Option<i64>,
    until: Option<i64>,
}

impl Held {
    /// Converts a stored grant. Returns None for a role that no longer exists.
    fn of(grant: Grant) -> Option<Held> {
        let Grant { role, table, from, until, .. } = grant;
        Some(Held { role: Role::find(&role)?, table, from, until })
    }

    fn at(&self, table: &str) -> bool {
        self.table.as_deref().is_none_or(|at| at == table)
    }

    fn holds(&self, at: i64) -> bool {
        self.from.is_none_or(|from| from <= at) && is_before(at, self.until)
    }
}

/// Returns true before the end of something. Without an end, it is always true.
fn is_before(at: i64, end: Option<i64>) -> bool {
    end.is_none_or(|end| at < end)
}

impl Principal {
    pub(super) fn anonymous(peer: Peer) -> Principal {
        Principal {
            who: None,
            name: "anonymous".to_owned(),
            kind: Kind::Anonymous,
            peer,
            credential: Credential::None,
            client: String::new(),
            grants: Vec::new(),
            scopes: Vec::new(),
            limits: None,
            invitation: None,
            signed_in: None,
            factor: None,
            unproven: false,
            looked: moment(),
        }
    }

    /// Returns the caller with these headers. An expired cookie gives an anonymous caller; an expired token is an error.
    ///
    /// # Errors
    /// When the token is unknown or expired, or the store can't be reached.
    pub(super) async fn of(app: &App, peer: Peer, headers: &HeaderMap) -> Result<Principal, ApiError> {
        Principal::by_credential(app, peer, session::shown(headers)?).await
    }

    async fn by_credential(app: &App, peer: Peer, credential: Credential) -> Result<Principal, ApiError> {
        let anonymous = Principal::anonymous(peer);
        let people = app.store().people();
        let (mut signed_in, mut factor, mut limits) = (None, None, None);
        let (account, token) = match &credential {
            Credential::None => return Ok(anonymous),
            Credential::Session(shown) => match session::holding(app, shown).await? {
                None => return Ok(anonymous),
                Some((session, own)) => {
                    (signed_in, factor, limits) = (Some(session.created), session.factor, own);
                    (session.account, None)
                }
            },
            Credential::Token(hash) => {
                let token = people.token(hash).await?;
                let holds = token.filter(|token| is_before(now(), token.expires));
                let unknown = || ApiError::unauthorized("This token is unknown or has expired.");
                let token = holds.ok_or_else(unknown)?;
                if !app.granted.has_token(&app.pit, &token).await? {
                    let advice = "Somebody may have changed the database. Compare the tokens with the trail.";
                    tracing::error!(token = token.id, advice, "a token that the trail doesn't have is refused");
                    return Err(unknown());
                }
                (token.account.clone(), Some(token))
            }
        };
        if let Some(guest) = account.strip_prefix(session::GUEST) {
            let name = format!("Guest {}", guest.get(..6).unwrap_or(guest));
            let (who, client, scopes) = (Some(account.clone()), account.clone(), vec![Scope::Watch, Scope::Play]);
            let (kind, limits) = (Kind::Guest, limits.and_then(Own::read));
            return Ok(Principal { who, name, kind, credential, client, scopes, limits, ..anonymous });
        }
        let Some(account) = people.account(&account).await?.filter(|account| !account.disabled) else {
            return match token {
                Some(_) => Err(ApiError::unauthorized("The account of this token is closed.")),
                None => Ok(anonymous),
            };
        };
        let who = format!("a:{}", account.id);
        let (kind, name, client, scopes) = match &token {
            None => (Kind::Account, account.name, who.clone(), Scope::ALL.to_vec()),
            Some(token) => (Kind::Token, account.name, format!("t:{}", token.id), Scope::listed(&token.scopes)),
        };
        let grants = app.granted.those(&app.pit, people.grants(&account.id).await?).await?;
        let grants = grants.into_iter().filter_map(Held::of).collect();
        let limits = if token.is_some() { people.limits(&account.id).await? } else { limits };
        let limits = limits.and_then(Own::read);
        let (who, looked) = (Some(who), anonymous.looked);
        let required = app.desk.settings().second_factor == SecondFactor::Staff;
        let unproven = required && kind == Kind::Account && factor.is_none();
        Ok(Principal {
            who,
            name,
            kind,
            peer,
            credential,
            client,
            grants,
            scopes,
            limits,
            invitation: None,
            signed_in,
            factor,
            unproven,
            looked,
        })
    }

    /// Returns the caller's id, such as `a:` and an account id.
    ///
    /// # Errors
    /// When the caller is anonymous.
    pub fn known(&self) -> Result<&str, ApiError> {
        let how = "Sign in, or become a guest with `POST /guests`.";
        self.who.as_deref().ok_or_else(|| ApiError::unauthorized(format!("You are not signed in. {how}")))
    }

    /// Returns the id of the account, if the caller signed in with name and password.
    ///
    /// # Errors
    /// When the caller is anonymous, a guest or a program.
    pub fn account(&self) -> Result<&str, ApiError> {
        match (self.kind, self.who.as_deref().and_then(|who| who.strip_prefix("a:"))) {
            (Kind::Account, Some(account)) => Ok(account),
            (Kind::Token, _) => Err(ApiError::forbidden("A token isn't enough. Sign in with name and password.")),
            _ => Err(ApiError::unauthorized("Sign in first.")),
        }
    }

    /// Checks that an account has signed in not long ago. Programs don't sign in; they have what their token allows.
    ///
    /// # Errors
    /// When the sign-in was too long ago.
    pub(super) fn is_fresh(&self) -> Result<(), ApiError> {
        let old = |at: i64| now() - at > FRESH;
        match self.signed_in.filter(|at| self.kind == Kind::Account && old(*at)) {
            Some(_) => {
                let words = "You signed in a while ago. Sign in again to change rights, accounts or tokens.";
                Err(ApiError::new(StatusCode::UNAUTHORIZED, "sign-in-again", words))
            }
            None => Ok(()),
        }
    }

    /// Returns the time when the caller showed the account's second factor in this session.
    #[must_use]
    pub(crate) fn factor(&self) -> Option<i64> {
        self.factor
    }

    /// Returns when the caller showed who they are, for a session that goes on from this one.
    pub(crate) fn proven(&self) -> Proven {
        Proven { signed_in: self.signed_in.unwrap_or_else(now), factor: self.factor }
    }

    /// Returns the roles that the caller can't use in this session, because it was opened without a second factor.
    pub(crate) fn locked(&self) -> impl Iterator<Item = (Role, Option<&str>)> {
        let locked = self.in_force().filter(|held| self.unproven && held.role.is_staff());
        locked.map(|held| (held.role, held.table.as_deref()))
    }

    /// Returns the error for a role that only a second factor is missing for, or else this error.
    pub(crate) fn unless_locked(&self, is_it: impl Fn(Role, Option<&str>) -> bool, error: ApiError) -> ApiError {
        let locked = self.locked().find(|(role, table)| is_it(*role, *table));
        locked.map_or(error, |(role, _)| needs_factor(&format!("Your role `{role}`")))
    }

    /// Checks that the caller may make a token with these scopes. A token can do what its account's roles allow for as long as it lasts, so members of
    /// the staff need a second factor for it, and so does everybody whose token could be used for staff.
    ///
    /// # Errors
    /// When it needs a second factor.
    pub(crate) fn may_make_token(&self, scopes: &[Scope]) -> Result<(), ApiError> {
        let is_staff = self.grants.iter().any(|held| held.role.is_staff());
        let for_staff = scopes.iter().any(|scope| !matches!(scope, Scope::Watch | Scope::Play));
        match self.unproven && (is_staff || for_staff) {
            true => Err(needs_factor("A token of the staff")),
            false => Ok(()),
        }
    }

    /// Returns the caller's credential.
    #[must_use]
    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }

    /// Loads the caller again with another credential.
    pub(crate) async fn with(&self, app: &App, credential: Credential) -> Result<Principal, ApiError> {
        Principal::by_credential(app, self.peer, credential).await
    }

    /// Returns true for a program. Others see it labeled as one.
    #[must_use]
    pub fn is_bot(&self) -> bool {
        self.kind == Kind::Token
    }

    /// Returns the owner of the idempotency keys: the account, the guest or the token.
    #[must_use]
    pub fn client(&self) -> String {
        self.client.clone()
    }

    /// Returns the author of a log row, acting as `actor`.
    #[must_use]
    pub fn by(&self, actor: Actor) -> By {
        By { who: self.who.clone(), actor, bot: self.is_bot() }
    }

    /// Returns true if the caller has this scope. An account has all scopes.
    #[must_use]
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Returns true if the caller has this role at this table now.
    #[must_use]
    pub fn holds(&self, role: Role, table: &str) -> bool {
        self.holding().any(|held| held.role == role && held.at(table))
    }

    /// Returns true if the caller has this role at all tables now.
    #[must_use]
    pub fn holds_everywhere(&self, role: Role) -> bool {
        self.holding().any(|held| held.role == role && held.table.is_none())
    }

    /// Returns the caller's current roles, each with its table. None means all tables.
    pub fn roles(&self) -> impl Iterator<Item = (Role, Option<&str>)> {
        self.holding().map(|held| (held.role, held.table.as_deref()))
    }

    /// Returns the caller's current roles at this table.
    #[must_use]
    pub fn roles_at(&self, table: &str) -> Vec<Role> {
        Role::ALL.into_iter().filter(|role| self.holds(*role, table)).collect()
    }

    fn holding(&self) -> impl Iterator<Item = &Held> {
        self.in_force().filter(|held| self.has(held.role.scope()) && !(self.unproven && held.role.is_staff()))
    }

    /// Returns the current roles of the account, regardless of the token's scopes.
    fn in_force(&self) -> impl Iterator<Item = &Held> {
        let at = now();
        self.grants.iter().filter(move |held| held.holds(at))
    }

    /// Checks that the caller may play at this table. At a practice table anybody may; elsewhere only people with the role `player`.
    ///
    /// # Errors
    /// When the caller may not play.
    pub fn may_play(&self, table: &str, practice: bool) -> Result<(), ApiError> {
        self.known()?;
        if !self.has(Scope::Play) {
            return Err(ApiError::forbidden("This token can't play. It needs the scope `play`."));
        }
        if practice {
            return Ok(());
        }
        if let Some(role) = self.works_at(table) {
            return Err(ApiError::forbidden(format!("You are {role} at this table, so you can't play here.")));
        }
        match self.holds(Role::Player, table) {
            true => Ok(()),
            false if self.kind == Kind::Guest => {
                Err(ApiError::forbidden("Guests can only play at practice tables. Sign in to play here."))
            }
            false => Err(ApiError::forbidden("You don't have the role `player` at this table.")),
        }
    }

    /// Returns the role in which the caller's account works at a table now. The scopes of a token make no difference.
    #[must_use]
    pub fn works_at(&self, table: &str) -> Option<Role> {
        self.in_force().find(|held| Role::CREW.contains(&held.role) && held.at(table)).map(|held| held.role)
    }

    /// Returns the caller as an actor at a table: in the wanted role, or else as the player at their seat, or else in their only role.
    ///
    /// # Errors
    /// When the caller has no role at the table, not the wanted one, or several to choose from.
    pub async fn actor_at(&self, app: &App, table: &str, wanted: Option<Role>) -> Result<Actor, ApiError> {
        let who = self.known()?;
        let plays = wanted.is_none_or(|role| role == Role::Player) && self.has(Scope::Play);
        if plays && let Some(seat) = app.pit.seat_of(table, who).await? {
            return Ok(Actor::player(seat));
        }
        let held = self.roles_at(table).into_iter().filter(|role| *role != Role::Player);
        let held: Vec<Role> = held.filter(|role| wanted.is_none_or(|wanted| wanted == *role)).collect();
        let acting: Vec<craps_table::Role> = held.iter().filter_map(|role| role.at_table()).collect();
        // Nobody deals a game in which they have chips. Those who act as players have been returned above.
        let fixed = app.pit.fixed(table).await?;
        if !(acting.is_empty() || fixed.is_play())
            && let Some(seat) = app.pit.seat_of(table, who).await?
        {
            let words = format!("You play at seat {seat} of this table. Leave the seat before you work here.");
            return Err(ApiError::forbidden(words));
        }
        match (acting.as_slice(), wanted) {
            ([role], _) => Ok(Actor::staff(*role)),
            // A player who has left may retry a command. The table then finds its key, or refuses because they have no seat.
            ([], None | Some(Role::Player)) => {
                self.may_play(table, is_practice(app, table).await?)?;
                Ok(Actor::shooter())
            }
            ([], Some(role)) => {
                let without = ApiError::forbidden(format!("You don't have the role `{role}` at this table now."));
                let here = |locked: Role, at: Option<&str>| locked == role && at.is_none_or(|at| at == table);
                Err(self.unless_locked(here, without))
            }
            (_, _) => {
                let names: Vec<&str> = held.iter().map(|role| role.name()).collect();
                Err(ApiError::bad_request(format!(
                    "as: you have several roles here; choose one of {}",
                    names.join(", ")
                )))
            }
        }
    }

    /// Returns true if the caller must be loaded again. An anonymous caller has no rights that could be revoked.
    fn is_stale(&self, at: Instant) -> bool {
        self.credential != Credential::None && at.duration_since(self.looked) >= KNOWN_FOR
    }

    /// Loads the caller of a stream again, so that revoked rights end within a second.
    ///
    /// # Errors
    /// When the session or token is no longer valid.
    pub async fn recheck(&mut self, app: &App) -> Result<(), ApiError> {
        if !self.is_stale(moment()) {
            return Ok(());
        }
        let again = Principal::by_credential(app, self.peer, self.credential.clone()).await?;
        if again.who != self.who {
            return Err(ApiError::unauthorized("Your session has ended. Sign in again."));
        }
        *self = Principal { invitation: self.invitation.take(), ..again };
        Ok(())
    }
}

fn needs_factor(what: &str) -> ApiError {
    let words = format!(
        "{what} needs a second factor here. Set one up in your profile (`POST /me/second-factor`), then sign in with it."
    );
    ApiError::new(StatusCode::FORBIDDEN, NEEDS_FACTOR, words)
}

impl FromRequestParts<Shared> for Principal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Principal, ApiError> {
        let missing = || {
            ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "no-gate",
                "This is a bug in the server: the request was not checked.",
            )
        };
        parts.extensions.get::<Principal>().cloned().ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn anonymous() -> Principal {
        Principal::anonymous(Peer { address: IpAddr::from([192, 0, 2, 1]), secure: true, local: false })
    }

    #[test]
    fn a_role_holds_from_the_start_of_a_shift_to_its_end() {
        let held = |from, until| Held { role: Role::Dealer, table: Some("north".to_owned()), from, until };
        let shift = held(Some(10), Some(20));
        assert_eq!([9, 10, 19, 20].map(|at| shift.holds(at)), [false, true, true, false]);
        assert_eq!([9, 10].map(|at| held(Some(10), None).holds(at)), [false, true]);
        assert_eq!([19, 20].map(|at| held(None, Some(20)).holds(at)), [true, false]);
        assert!(held(None, None).holds(i64::MAX));
        assert_eq!(["north", "south"].map(|table| shift.at(table)), [true, false]);
        assert!(Held { table: None, ..shift }.at("south"), "at all tables");
    }

    #[test]
    fn a_caller_with_a_credential_is_loaded_again_after_a_while() {
        let nobody = anonymous();
        let ann = Principal {
            credential: Credential::Session(Ticket { hash: "ab".to_owned(), mark: String::new() }),
            ..nobody.clone()
        };
        let at = |millis: u64| ann.looked + Duration::from_millis(millis);
        assert_eq!([0, 399, 400, 9_000].map(|millis| ann.is_stale(at(millis))), [false, false, true, true]);
        assert!(!nobody.is_stale(at(9_000)));
    }

    #[test]
    fn a_refusal_to_play_says_what_is_missing() {
        let refused = |kind: Kind, scopes: Vec<Scope>, held: Option<Role>| {
            let grants = held.map(|role| Held { role, table: None, from: None, until: None }).into_iter().collect();
            let caller = Principal { who: Some("a:1".to_owned()), kind, scopes, grants, ..anonymous() };
            let said = |practice| caller.may_play("north", practice).err().map(|error| error.problem().message.clone());
            (said(true), said(false))
        };
        let text = |text: &str| Some(text.to_owned());
        let play = || vec![Scope::Play];
        let guests = "Guests can only play at practice tables. Sign in to play here.";
        assert_eq!(refused(Kind::Guest, play(), None), (None, text(guests)));
        let player = "You don't have the role `player` at this table.";
        assert_eq!(refused(Kind::Account, play(), None), (None, text(player)));
        assert_eq!(refused(Kind::Account, play(), Some(Role::Player)), (None, None));
        let works = "You are dealer at this table, so you can't play here.";
        assert_eq!(refused(Kind::Account, play(), Some(Role::Dealer)), (None, text(works)));
        let scope = text("This token can't play. It needs the scope `play`.");
        assert_eq!(refused(Kind::Token, vec![Scope::Watch], Some(Role::Player)), (scope.clone(), scope));
    }

    #[test]
    fn only_somebody_who_gave_a_password_acts_as_an_account() {
        let account = |kind: Kind, who: Option<&str>| {
            let caller = Principal { kind, who: who.map(str::to_owned), ..anonymous() };
            caller.account().map(str::to_owned).map_err(|error| error.status().as_u16())
        };
        assert_eq!(account(Kind::Account, Some("a:12")), Ok("12".to_owned()));
        assert_eq!(account(Kind::Token, Some("a:12")), Err(403));
        assert_eq!(account(Kind::Guest, Some("g:12")), Err(401));
        assert_eq!(account(Kind::Anonymous, None), Err(401));
    }

    #[test]
    fn only_a_program_is_a_bot() {
        let bot = |kind: Kind| Principal { kind, ..anonymous() }.by(Actor::shooter()).bot;
        assert_eq!([Kind::Anonymous, Kind::Guest, Kind::Account, Kind::Token].map(bot), [false, false, false, true]);
    }
}
