//! Access control: one row for every route. A route without a row is denied.
//!
//! A row says who may call the route. The table checks the rest: the rule book says which role may give a command, players act from their own seat
//! only, and a second person must be a different person.

use super::principal::NEEDS_FACTOR;
use super::{Principal, Role, Scope, is_practice};
use crate::app::App;
use crate::error::ApiError;
use crate::live::Card;
use crate::live::pit::NotDone;
use axum::http::{Method, StatusCode};

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Anybody, including anonymous callers.
    Public,
    /// Anybody who can see the table. A private table can be seen by its owner, people with the invitation, people who have sat there, people with
    /// a role at that table, and the oversight roles. For everybody else it does not exist.
    Visible,
    /// Guests, accounts, and programs with one of these scopes.
    Known(&'static [Scope]),
    /// Guests, and accounts signed in with name and password. No programs.
    Person,
    /// Accounts signed in with name and password. No programs.
    Account,
    /// People who may play at the table, for their own seat, and these roles of its staff, if they can see the table.
    PlayerOr(&'static [Role]),
    /// These roles at the table, if they can see it.
    Staff(&'static [Role]),
    /// These roles, if they have them at all tables.
    Everywhere(&'static [Role]),
}

/// A row of [`TABLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// HTTP method, in capitals.
    pub method: &'static str,
    /// Path pattern of the router, such as `/tables/{table}`.
    pub path: &'static str,
    /// Who may call the route.
    pub rule: Rule,
    /// Must the caller have signed in not long ago?
    pub fresh: bool,
    /// Is the route closed when the server has found that its log was changed by others?
    pub writes: bool,
}

/// A row of a route. All methods but GET write.
const fn row(method: &'static str, path: &'static str, rule: Rule) -> Row {
    Row { method, path, rule, fresh: false, writes: !matches!(method.as_bytes(), b"GET") }
}

/// A row of a route that changes rights. A session that somebody left open isn't enough for it.
const fn fresh(method: &'static str, path: &'static str, rule: Rule) -> Row {
    Row { method, path, rule, fresh: true, writes: true }
}

/// A row of a route that is always open: it only computes, or it ends a session.
const fn always(method: &'static str, path: &'static str, rule: Rule) -> Row {
    Row { method, path, rule, fresh: false, writes: false }
}

use Role::{Admin, Auditor, Boxperson, Cashier, Dealer, Director, Floorperson, Stickperson, Surveillance};
use Rule::{Account, Everywhere, Known, Person, PlayerOr, Public, Staff, Visible};

/// Roles that work at a table.
const CREW: &[Role] = &[Dealer, Stickperson, Boxperson, Floorperson];
/// Roles that supervise a table.
const SUPERVISORS: &[Role] = &[Boxperson, Floorperson];
/// Roles that may see the chips of all players.
const READERS: &[Role] = &[Dealer, Stickperson, Boxperson, Floorperson, Surveillance, Director, Auditor, Admin];

/// Roles that can see every table, private or not.
const OVERSIGHT: &[Role] = &[Surveillance, Auditor, Admin];

/// Name of the path parameter with the table's id.
pub const TABLE_PARAM: &str = "table";

/// The access rule of every route.
pub const TABLE: &[Row] = &[
    // The browser app, and the server itself.
    row("GET", "/", Public),
    row("GET", "/felt/{table}", Public),
    row("GET", "/study", Public),
    row("GET", "/explorer", Public),
    row("GET", "/lab", Public),
    row("GET", "/library", Public),
    row("GET", "/library/{book}", Public),
    row("GET", "/library/{book}/{section}", Public),
    row("GET", "/profile", Public),
    row("GET", "/sign-in", Public),
    row("GET", "/assets/{file}", Public),
    row("GET", "/health", Public),
    row("GET", "/ready", Public),
    row("GET", "/openapi.json", Public),
    row("GET", "/metrics", Everywhere(&[Admin])),
    row("GET", "/verify", Public),
    row("GET", "/verify/page.js", Public),
    row("GET", "/verify/dice.js", Public),
    row("GET", "/verify/page.css", Public),
    // Books, odds and computations. Only the client that started a simulation can cancel it.
    row("GET", "/books", Public),
    row("GET", "/books/{id}", Public),
    row("GET", "/books/{id}/sections/{section}", Public),
    row("GET", "/books/{id}/wagers", Public),
    row("GET", "/books/{id}/diff/{other}", Public),
    row("GET", "/houses", Public),
    always("POST", "/houses/check", Public),
    always("POST", "/layouts", Public),
    row("GET", "/wagers", Public),
    row("GET", "/wagers/{id}", Public),
    row("GET", "/odds", Public),
    always("POST", "/check", Public),
    always("POST", "/fill", Public),
    always("POST", "/why", Public),
    always("POST", "/replay", Public),
    always("POST", "/position", Public),
    always("POST", "/felt", Public),
    always("POST", "/talk", Public),
    row("GET", "/strategies", Public),
    row("GET", "/strategies/{name}", Public),
    always("POST", "/strategies/check", Public),
    always("POST", "/strategies/preview", Public),
    always("POST", "/sim", Public),
    row("GET", "/sim/{job}", Public),
    always("DELETE", "/sim/{job}", Public),
    row("GET", "/sim/{job}/stream", Public),
    row("GET", "/sim/{job}/report.html", Public),
    row("GET", "/sim/{job}/report.svg", Public),
    row("GET", "/sim/{job}/report.csv", Public),
    // Reading tables. Only the owner of a seat and the staff see its chips. The lobby lists the tables that the caller can see.
    row("GET", "/tables", Public),
    row("GET", "/tables/{table}", Visible),
    row("GET", "/tables/{table}/stream", Visible),
    row("GET", "/tables/{table}/layout", Visible),
    row("GET", "/tables/{table}/legal", Visible),
    row("GET", "/tables/{table}/outcomes", Visible),
    row("GET", "/tables/{table}/quote", Visible),
    row("GET", "/tables/{table}/why/{roll}/{n}", Visible),
    row("GET", "/tables/{table}/rolls", Visible),
    row("GET", "/tables/{table}/felt", Visible),
    row("GET", "/tables/{table}/hands", Visible),
    row("GET", "/tables/{table}/cgn", PlayerOr(READERS)),
    row("GET", "/tables/{table}/log", Staff(READERS)),
    row("GET", "/tables/{table}/rulings", Staff(READERS)),
    // Guests and accounts can open practice tables. Only an admin can open others.
    row("POST", "/tables", Known(&[Scope::Play, Scope::Admin])),
    // Playing, and entering the acts of players.
    row("POST", "/tables/{table}/seats", PlayerOr(CREW)),
    row("DELETE", "/tables/{table}/seats/{seat}", PlayerOr(CREW)),
    row("POST", "/tables/{table}/buy-in", PlayerOr(CREW)),
    row("POST", "/tables/{table}/actions", PlayerOr(CREW)),
    row("POST", "/tables/{table}/undo", PlayerOr(CREW)),
    row("POST", "/tables/{table}/redo", PlayerOr(CREW)),
    row("POST", "/tables/{table}/repeat", PlayerOr(CREW)),
    row("POST", "/tables/{table}/clear", PlayerOr(CREW)),
    row("POST", "/tables/{table}/roll", PlayerOr(CREW)),
    row("POST", "/tables/{table}/pass-dice", PlayerOr(CREW)),
    row("POST", "/tables/{table}/say", PlayerOr(CREW)),
    row("POST", "/tables/{table}/window", PlayerOr(&[])),
    row("POST", "/tables/{table}/seed", PlayerOr(&[])),
    // Dealing and supervising.
    row("POST", "/tables/{table}/dice", Staff(CREW)),
    row("POST", "/tables/{table}/dice/confirm", Staff(SUPERVISORS)),
    row("POST", "/tables/{table}/procedure", Staff(CREW)),
    row("POST", "/tables/{table}/requests/{request}", PlayerOr(CREW)),
    row("POST", "/tables/{table}/rulings", Staff(SUPERVISORS)),
    row("POST", "/tables/{table}/rulings/{row}", Staff(SUPERVISORS)),
    // Accounts, sessions, tokens and roles.
    row("POST", "/guests", Public),
    row("POST", "/sign-in", Public),
    always("POST", "/sign-out", Public),
    row("GET", "/me", Public),
    row("GET", "/me/sessions", Account),
    row("DELETE", "/me/sessions/{session}", Account),
    row("POST", "/me/password", Account),
    row("GET", "/me/second-factor", Account),
    fresh("POST", "/me/second-factor", Account),
    fresh("DELETE", "/me/second-factor", Account),
    fresh("POST", "/me/second-factor/confirm", Account),
    fresh("POST", "/me/second-factor/recovery-codes", Account),
    row("GET", "/me/tokens", Account),
    fresh("POST", "/me/tokens", Account),
    row("DELETE", "/me/tokens/{token}", Account),
    row("GET", "/me/history", Known(&[Scope::Watch, Scope::Play])),
    row("GET", "/me/limits", Known(&[Scope::Watch, Scope::Play])),
    row("PUT", "/me/limits", Person),
    row("GET", "/me/purse", Known(&[Scope::Watch, Scope::Play])),
    // Chips and coupons of accounts. Admins give rights and cashiers give money, so that nobody gives both.
    row("GET", "/accounts/{account}/purse", Everywhere(&[Cashier, Auditor])),
    fresh("POST", "/accounts/{account}/purse", Everywhere(&[Cashier])),
    row("GET", "/accounts", Everywhere(&[Admin, Cashier])),
    fresh("POST", "/accounts", Everywhere(&[Admin])),
    fresh("PATCH", "/accounts/{account}", Everywhere(&[Admin])),
    fresh("DELETE", "/accounts/{account}/second-factor", Everywhere(&[Admin])),
    row("GET", "/accounts/{account}/grants", Everywhere(&[Admin])),
    fresh("POST", "/accounts/{account}/grants", Everywhere(&[Admin])),
    fresh("DELETE", "/accounts/{account}/grants/{grant}", Everywhere(&[Admin])),
    row("GET", "/trail", Everywhere(&[Admin, Auditor])),
];

/// Returns the row of a request, given the path pattern of its route.
pub(super) fn of(method: &Method, path: &str) -> Option<&'static Row> {
    // HEAD has the same rule as GET.
    let method = if *method == Method::HEAD { "GET" } else { method.as_str() };
    TABLE.iter().find(|row| row.path == path && row.method == method)
}

/// Checks that the caller may use a route of this table. Commands on a stream use it, since they are not requests of their own.
///
/// # Errors
/// When the caller may not use the route, or it has no row.
pub(crate) async fn allowed(
    app: &App,
    principal: &Principal,
    method: &str,
    path: &str,
    table: &str,
) -> Result<(), ApiError> {
    let row = TABLE.iter().find(|row| row.path == path && row.method == method);
    let row = row.ok_or_else(|| ApiError::forbidden("Nobody may call this route."))?;
    admit(app, principal, row, Some(table)).await
}

/// Checks that the caller may use the route of this row, at this table if the route is about one.
pub(super) async fn admit(app: &App, principal: &Principal, row: &Row, table: Option<&str>) -> Result<(), ApiError> {
    if row.writes && app.pit.distrusted().is_some() {
        let words =
            "The server takes no changes, because its log was changed by others. An operator has to look at it.";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "distrusted", words));
    }
    check(app, principal, row.rule, table).await?;
    if row.fresh { principal.is_fresh() } else { Ok(()) }
}

/// Checks an access rule for the caller, at this table if the route is about one.
async fn check(app: &App, principal: &Principal, rule: Rule, table: Option<&str>) -> Result<(), ApiError> {
    if matches!(rule, Visible | PlayerOr(_) | Staff(_)) {
        visible(app, principal, table.ok_or_else(no_table)?).await?;
    }
    match rule {
        Public | Visible => Ok(()),
        Known(scopes) => {
            principal.known()?;
            let has = scopes.iter().any(|scope| principal.has(*scope));
            let names = || scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join("` or `");
            if has { Ok(()) } else { Err(ApiError::forbidden(format!("This token needs the scope `{}`.", names()))) }
        }
        Person if principal.is_bot() => Err(ApiError::forbidden("A program can't do this.")),
        Person => principal.known().map(|_| ()),
        Account => principal.account().map(|_| ()),
        PlayerOr(roles) => match holds(principal, roles, table) {
            Ok(()) => Ok(()),
            Err(error) => {
                let plays = may_play(app, principal, table).await;
                plays.map_err(|other| if error.problem().code == NEEDS_FACTOR { error } else { other })
            }
        },
        Staff(roles) => holds(principal, roles, table),
        Everywhere(roles) => {
            principal.known()?;
            let holds = roles.iter().any(|role| principal.holds_everywhere(*role));
            if holds {
                Ok(())
            } else {
                let without =
                    ApiError::forbidden(format!("This needs one of these roles at all tables: {}", named(roles)));
                Err(principal.unless_locked(|role, at| roles.contains(&role) && at.is_none(), without))
            }
        }
    }
}

/// Checks that the caller can see this table. If not, the error is the same as for a table that does not exist.
///
/// # Errors
/// When the caller can't see the table, or there is none.
pub(crate) async fn visible(app: &App, principal: &Principal, table: &str) -> Result<(), ApiError> {
    let fixed = match app.pit.fixed(table).await {
        Ok(fixed) => fixed,
        Err(error @ NotDone::NoTable(_)) => return Err(error.into()),
        // The handler reports what is wrong with the table.
        Err(_) => return Ok(()),
    };
    let Some(private) = &fixed.private else { return Ok(()) };
    let who = principal.who.as_deref();
    if private.lets_in(who, principal.invitation.as_deref()) || sees_private(principal, table) {
        return Ok(());
    }
    match who {
        Some(who) if app.pit.has_sat(table, who).await? => Ok(()),
        _ => Err(NotDone::NoTable(table.to_owned()).into()),
    }
}

/// Does the lobby list this table for the caller?
pub(crate) fn lists(principal: &Principal, card: &Card) -> bool {
    card.shows_to(principal.who.as_deref()) || sees_private(principal, card.table())
}

/// Does the caller watch over private tables, or work at this one?
fn sees_private(principal: &Principal, table: &str) -> bool {
    let watches = OVERSIGHT.iter().any(|role| principal.holds(*role, table));
    watches || principal.roles().any(|(_, at)| at == Some(table))
}

async fn may_play(app: &App, principal: &Principal, table: Option<&str>) -> Result<(), ApiError> {
    principal.known()?;
    let table = table.ok_or_else(no_table)?;
    principal.may_play(table, is_practice(app, table).await?)
}

fn holds(principal: &Principal, roles: &[Role], table: Option<&str>) -> Result<(), ApiError> {
    principal.known()?;
    let table = table.ok_or_else(no_table)?;
    let holds = roles.iter().any(|role| principal.holds(*role, table));
    if holds {
        Ok(())
    } else {
        let without = ApiError::forbidden(format!("This needs one of these roles at this table: {}", named(roles)));
        let here = |role: Role, at: Option<&str>| roles.contains(&role) && at.is_none_or(|at| at == table);
        Err(principal.unless_locked(here, without))
    }
}

fn no_table() -> ApiError {
    ApiError::not_found("There is no such table.")
}

fn named(roles: &[Role]) -> String {
    let names: Vec<String> = roles.iter().map(|role| format!("`{role}`")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_listed_by_their_names() {
        assert_eq!(named(SUPERVISORS), "`boxperson`, `floorperson`");
        assert_eq!(named(&[Admin]), "`admin`");
    }

    #[test]
    fn what_has_no_row_nobody_may() {
        assert!(of(&Method::GET, "/tables/{table}/log").is_some());
        assert_eq!(of(&Method::HEAD, "/tables/{table}/log"), of(&Method::GET, "/tables/{table}/log"));
        for (method, path) in [
            (Method::POST, "/tables/{table}/log"),
            (Method::GET, "/tables/north/log"),
            (Method::GET, "/tables/{table}/secrets"),
            (Method::OPTIONS, "/tables"),
        ] {
            assert_eq!(of(&method, path), None, "{method} {path}");
        }
    }

    #[test]
    fn rules_about_a_table_are_of_paths_that_name_one() {
        for row in TABLE {
            let names_one = row.path.split('/').any(|part| part == format!("{{{TABLE_PARAM}}}"));
            let about_one = matches!(row.rule, Visible | PlayerOr(_) | Staff(_));
            assert!(names_one || !about_one, "{} {}", row.method, row.path);
            // The page of a table is the same for everybody and contains no data of the table.
            let is_page = row.path.starts_with("/felt/");
            assert!(!names_one || about_one || is_page, "{} {} shows private tables", row.method, row.path);
        }
    }
}
