//! Who is asking, and what they may do.

use super::limits::Own;
use super::peer::Peer;
use super::{Role, Scope, is_practice, session};
use crate::app::{App, Shared};
use crate::error::ApiError;
use crate::live::By;
use crate::live::pit::now;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use craps_store::Grant;
use craps_table::Actor;
use std::time::{Duration, Instant};

/// How old what we know of somebody may be on a connection that stays: whatever is taken from them is gone well within a second.
const KNOWN_FOR: Duration = Duration::from_millis(400);

/// How somebody is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Not at all.
    Anonymous,
    /// As whoever has this browser.
    Guest,
    /// By name and password.
    Account,
    /// As a program, by the token of an account.
    Token,
}

/// What a request shows to be known by. Only hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    None,
    /// A session's cookie.
    Session(String),
    /// A bearer's token.
    Token(String),
}

/// Whoever is asking.
#[derive(Debug, Clone)]
pub struct Principal {
    /// `a:` and an account, or `g:` and a guest; nobody we know has none. A program is who its account is.
    pub who: Option<String>,
    /// The name that others see.
    pub name: String,
    /// How they are known.
    pub kind: Kind,
    /// Where they ask from.
    pub peer: Peer,
    credential: Credential,
    /// Whose keys are theirs: a program has its own.
    client: String,
    grants: Vec<Held>,
    scopes: Vec<Scope>,
    pub(super) limits: Option<Own>,
    /// The invitation to a private table that came with the address.
    pub(crate) invitation: Option<String>,
    looked: Instant,
}

/// A role somebody has.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    role: Role,
    table: Option<String>,
    from: Option<i64>,
    until: Option<i64>,
}

impl Held {
    /// A role that nobody knows any more gives nothing.
    fn of(grant: Grant) -> Option<Held> {
        let Grant { role, table, from, until, .. } = grant;
        Some(Held { role: Role::find(&role)?, table, from, until })
    }

    fn at(&self, table: &str) -> bool {
        self.table.as_deref().is_none_or(|at| at == table)
    }

    fn holds(&self, at: i64) -> bool {
        self.from.is_none_or(|from| from <= at) && self.until.is_none_or(|until| at < until)
    }
}

impl Principal {
    fn anonymous(peer: Peer) -> Principal {
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
            looked: Instant::now(),
        }
    }

    /// Whoever shows these headers. A cookie that no longer holds is nobody's; a token that no longer holds is an error.
    ///
    /// # Errors
    /// When a token is shown that is none, or the store is out of reach.
    pub(super) async fn of(app: &App, peer: Peer, headers: &HeaderMap) -> Result<Principal, ApiError> {
        Principal::by_credential(app, peer, session::shown(headers)?).await
    }

    async fn by_credential(app: &App, peer: Peer, credential: Credential) -> Result<Principal, ApiError> {
        let looked = Instant::now();
        let people = app.store().people();
        let (account, token) = match &credential {
            Credential::None => return Ok(Principal::anonymous(peer)),
            Credential::Session(hash) => match session::holding(&app.sessions, app.store(), hash).await? {
                None => return Ok(Principal::anonymous(peer)),
                Some(session) => (session.account, None),
            },
            Credential::Token(hash) => {
                let token = people.token(hash).await?;
                let holds = token.filter(|token| token.expires.is_none_or(|until| now() < until));
                let token = holds.ok_or_else(|| ApiError::unauthorized("this token is none, or has ended"))?;
                (token.account.clone(), Some(token))
            }
        };
        if let Some(guest) = account.strip_prefix(session::GUEST) {
            let name = format!("Guest {}", guest.get(..6).unwrap_or(guest));
            let (who, client, scopes) = (Some(account.clone()), account.clone(), vec![Scope::Watch, Scope::Play]);
            let kind = Kind::Guest;
            return Ok(Principal { who, name, kind, credential, client, scopes, looked, ..Principal::anonymous(peer) });
        }
        let Some(account) = people.account(&account).await?.filter(|account| !account.disabled) else {
            return match token {
                Some(_) => Err(ApiError::unauthorized("the account of this token is closed")),
                None => Ok(Principal::anonymous(peer)),
            };
        };
        let who = format!("a:{}", account.id);
        let (kind, name, client, scopes) = match &token {
            None => (Kind::Account, account.name, who.clone(), Scope::ALL.to_vec()),
            Some(token) => (Kind::Token, account.name, format!("t:{}", token.id), Scope::listed(&token.scopes)),
        };
        let grants = people.grants(&account.id).await?.into_iter().filter_map(Held::of).collect();
        let limits = people.limits(&account.id).await?.and_then(Own::read);
        let who = Some(who);
        Ok(Principal { who, name, kind, peer, credential, client, grants, scopes, limits, invitation: None, looked })
    }

    /// Who they are.
    ///
    /// # Errors
    /// When nobody knows.
    pub fn known(&self) -> Result<&str, ApiError> {
        let how = "sign in, or become a guest with `POST /guests`";
        self.who.as_deref().ok_or_else(|| ApiError::unauthorized(format!("nobody knows who is asking: {how}")))
    }

    /// The account they signed in to, by name and password and not by token.
    ///
    /// # Errors
    /// When they did not.
    pub fn account(&self) -> Result<&str, ApiError> {
        match (self.kind, self.who.as_deref().and_then(|who| who.strip_prefix("a:"))) {
            (Kind::Account, Some(account)) => Ok(account),
            (Kind::Token, _) => Err(ApiError::forbidden("a token is not enough: sign in with name and password")),
            _ => Err(ApiError::unauthorized("sign in first")),
        }
    }

    /// What they are known by.
    #[must_use]
    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }

    /// The same, known by something else from now on.
    pub(crate) async fn with(&self, app: &App, credential: Credential) -> Result<Principal, ApiError> {
        Principal::by_credential(app, self.peer, credential).await
    }

    /// Is it a program? It is labelled as one.
    #[must_use]
    pub fn is_bot(&self) -> bool {
        self.kind == Kind::Token
    }

    /// Whose keys of commands are theirs.
    #[must_use]
    pub fn client(&self) -> String {
        self.client.clone()
    }

    /// As the one who acts in a row.
    #[must_use]
    pub fn by(&self, actor: Actor) -> By {
        By { who: self.who.clone(), actor, bot: self.is_bot() }
    }

    /// May they do what takes this scope, as far as a token's scopes go?
    #[must_use]
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Do they have this role at this table, now?
    #[must_use]
    pub fn holds(&self, role: Role, table: &str) -> bool {
        self.holding().any(|held| held.role == role && held.at(table))
    }

    /// Do they have this role at every table, now?
    #[must_use]
    pub fn holds_everywhere(&self, role: Role) -> bool {
        self.holding().any(|held| held.role == role && held.table.is_none())
    }

    /// The roles they have now, and at which table; at all of them where it names none.
    pub fn roles(&self) -> impl Iterator<Item = (Role, Option<&str>)> {
        self.holding().map(|held| (held.role, held.table.as_deref()))
    }

    /// The roles they have at this table, now.
    #[must_use]
    pub fn roles_at(&self, table: &str) -> Vec<Role> {
        Role::ALL.into_iter().filter(|role| self.holds(*role, table)).collect()
    }

    fn holding(&self) -> impl Iterator<Item = &Held> {
        self.in_force().filter(|held| self.has(held.role.scope()))
    }

    /// The roles of their account now, whatever a token's scopes.
    fn in_force(&self) -> impl Iterator<Item = &Held> {
        let at = now();
        self.grants.iter().filter(move |held| held.holds(at))
    }

    /// May they play at this table, where anybody may (practice) or only those who have the role?
    ///
    /// # Errors
    /// When they may not.
    pub fn may_play(&self, table: &str, practice: bool) -> Result<(), ApiError> {
        self.known()?;
        if !self.has(Scope::Play) {
            return Err(ApiError::forbidden("this token is not for playing: it lacks the scope `play`"));
        }
        if practice {
            return Ok(());
        }
        // Nor by way of a token that is for playing only.
        let works = |held: &&Held| Role::CREW.contains(&held.role) && held.at(table);
        if let Some(held) = self.in_force().find(works) {
            return Err(ApiError::forbidden(format!("a {} of this table does not play at it", held.role)));
        }
        match self.holds(Role::Player, table) {
            true => Ok(()),
            false if self.kind == Kind::Guest => {
                Err(ApiError::forbidden("guests play at practice tables; sign in to play here"))
            }
            false => Err(ApiError::forbidden("you do not have the role `player` at this table")),
        }
    }

    /// As whom they act at a table: in the role they ask for; else as the player at their seat; else in the one role they have.
    ///
    /// # Errors
    /// When they have no part there, not the one they ask for, or several to choose from.
    pub async fn actor_at(&self, app: &App, table: &str, wanted: Option<Role>) -> Result<Actor, ApiError> {
        let who = self.known()?;
        let plays = wanted.is_none_or(|role| role == Role::Player) && self.has(Scope::Play);
        if plays && let Some(seat) = app.pit.seat_of(table, who).await? {
            return Ok(Actor::player(seat));
        }
        let held = self.roles_at(table).into_iter().filter(|role| *role != Role::Player);
        let held: Vec<Role> = held.filter(|role| wanted.is_none_or(|wanted| wanted == *role)).collect();
        let acting: Vec<craps_table::Role> = held.iter().filter_map(|role| role.at_table()).collect();
        match (acting.as_slice(), wanted) {
            ([role], _) => Ok(Actor::staff(*role)),
            // Whoever has left may ask again for what they did: the table knows the key, or that they have no seat.
            ([], None | Some(Role::Player)) => {
                self.may_play(table, is_practice(app, table).await?)?;
                Ok(Actor::shooter())
            }
            ([], Some(role)) => Err(ApiError::forbidden(format!("you are not {role} at this table now"))),
            (_, _) => {
                let names: Vec<&str> = held.iter().map(|role| role.name()).collect();
                Err(ApiError::bad_request(format!("say as whom you act: `as` is one of {}", names.join(", "))))
            }
        }
    }

    /// Looks again who this is, on a connection that stays: what was taken from them is gone within a second.
    ///
    /// # Errors
    /// When they are not known any more.
    pub async fn recheck(&mut self, app: &App) -> Result<(), ApiError> {
        if self.credential == Credential::None || self.looked.elapsed() < KNOWN_FOR {
            return Ok(());
        }
        let again = Principal::by_credential(app, self.peer, self.credential.clone()).await?;
        if again.who != self.who {
            return Err(ApiError::unauthorized("your session has ended: sign in again"));
        }
        *self = Principal { invitation: self.invitation.take(), ..again };
        Ok(())
    }
}

impl FromRequestParts<Shared> for Principal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Principal, ApiError> {
        let missing =
            || ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "no-gate", "the gate did not see this request");
        parts.extensions.get::<Principal>().cloned().ok_or_else(missing)
    }
}
