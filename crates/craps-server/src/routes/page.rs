//! The URLs of the browser app. Each returns the same page, which reads the URL to choose the screen, so links and reloading work.

use super::At;
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::people::{Principal, access};
use axum::extract::State;
use axum::http::header::{ACCEPT, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{Html, IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(home))
        .routes(routes!(felt))
        .routes(routes!(study))
        .routes(routes!(explorer))
        .routes(routes!(lab))
        .routes(routes!(library))
        .routes(routes!(book))
        .routes(routes!(section))
        .routes(routes!(profile))
        .routes(routes!(sign_in))
        .routes(routes!(asset))
}

/// Handlers for the screens of the app.
macro_rules! screens {
    ($($(#[$about:meta])* $name:ident: $path:literal $(, $param:literal)*;)*) => {$(
        $(#[$about])*
        #[utoipa::path(
            get, path = $path, tag = "page", params($(($param = String, Path, description = "Id of what the screen shows")),*),
            responses((status = 200, description = "The HTML page", body = String, content_type = "text/html"))
        )]
        async fn $name(
            State(app): State<Shared>,
            principal: Principal,
            asked: HeaderMap,
        ) -> Result<Response, ApiError> {
            screen(&app, &principal, &asked).await
        }
    )*};
}

screens! {
    /// Shows a table.
    felt: "/felt/{table}", "table";
    /// Shows the replay of a game.
    study: "/study";
    /// Shows the odds of all wagers.
    explorer: "/explorer";
    /// Shows the strategy lab.
    lab: "/lab";
    /// Shows the list of rule books.
    library: "/library";
    /// Shows a rule book.
    book: "/library/{book}", "book";
    /// Shows a section of a rule book.
    section: "/library/{book}/{section}", "book", "section";
    /// Shows the player's own profile.
    profile: "/profile";
    /// Shows the sign-in form.
    sign_in: "/sign-in";
}

/// Returns the app, or the plain page if the program was built without the app.
async fn screen(app: &Shared, principal: &Principal, asked: &HeaderMap) -> Result<Response, ApiError> {
    match app.page.index(asked) {
        Some(page) => Ok(page),
        None => plain(app, principal).await,
    }
}

/// Shows the lobby in a browser. Other clients get a plain page with the tables and an example of how to play.
#[utoipa::path(
    get, path = "/", tag = "page", responses((status = 200, description = "An HTML page", body = String, content_type = "text/html"))
)]
async fn home(State(app): State<Shared>, principal: Principal, asked: HeaderMap) -> Result<Response, ApiError> {
    let wanted = asked.get(ACCEPT).and_then(|wanted| wanted.to_str().ok()).unwrap_or_default();
    let mut response =
        if is_browser(wanted) { screen(&app, &principal, &asked).await? } else { plain(&app, &principal).await? };
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Returns true if the `Accept` header names HTML and prefers nothing over it, as browsers do.
fn is_browser(wanted: &str) -> bool {
    let weighed = |kind: &str| {
        let mut parts = kind.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        (name, parts.find_map(|part| part.strip_prefix("q=")).map_or(1_000, thousandths))
    };
    let kinds: Vec<(String, u32)> = wanted.split(',').map(weighed).collect();
    let html = kinds.iter().find(|(name, _)| name == "text/html").map_or(0, |(_, html)| *html);
    html > 0 && kinds.iter().all(|(_, weight)| *weight <= html)
}

/// Parses a weight from 0 to 1 with at most three decimals, in thousandths. Anything else is 0.
fn thousandths(weight: &str) -> u32 {
    match weight.split_once('.').unwrap_or((weight, "")) {
        ("1", _) => 1_000,
        ("0", digits) if digits.len() <= 3 => format!("{digits:0<3}").parse().unwrap_or(0),
        _ => 0,
    }
}

async fn plain(app: &Shared, principal: &Principal) -> Result<Response, ApiError> {
    let mut rows = String::new();
    for card in app.pit.cards().await?.iter().filter(|card| access::lists(principal, card)).take(200) {
        rows += &format!("<li><a href=\"/tables/{0}\">{0}</a></li>\n", escaped(card.table()));
    }
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Boxperson</title>\n<h1>Boxperson</h1>\n\
         <p>Craps tables run exactly as US states regulate them. These tables are open:</p>\n<ul>\n{rows}</ul>\n\
         <p>You can play with any HTTP client. <a href=\"/openapi.json\">/openapi.json</a> lists every request.</p>\n\
         <pre>\ncurl -c jar -X POST $HERE/guests\n\
         curl -b jar $HERE/tables/TABLE/seats -H 'Content-Type: application/json' -d '{{\"buy_in\": 50000}}'\n\
         curl -b jar $HERE/tables/TABLE/actions -H 'Content-Type: application/json' -d '{{\"say\": \"pass 10\"}}'\n\
         curl -b jar -X POST $HERE/tables/TABLE/roll\n</pre>\n</html>\n"
    );
    Ok(Html(page).into_response())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a file of the app: a script, a style sheet or a font.
#[utoipa::path(
    get, path = "/assets/{file}", tag = "page", params(("file" = String, Path, description = "Name of the file")),
    responses(
        (status = 200, description = "Contents of the file", content_type = "application/octet-stream", body = [u8]),
        (status = 304, description = "The client's copy is current"),
        (status = 404, description = "No such file", body = Problem),
    )
)]
async fn asset(State(app): State<Shared>, At(file): At<String>, asked: HeaderMap) -> Result<Response, ApiError> {
    app.page.asset(&file, &asked).ok_or_else(|| ApiError::not_found("No such file."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_known_by_what_it_wants_most() {
        for wanted in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
            "Text/HTML",
            "text/html; charset=utf-8; q=0.5, */*;q=0.25",
            "application/json;q=0.9, text/html;q=0.95",
        ] {
            assert!(is_browser(wanted), "{wanted}");
        }
        for wanted in
            ["", "*/*", "application/json", "application/json, text/html;q=0.9", "text/html;q=0", "text/html;q=x"]
        {
            assert!(!is_browser(wanted), "{wanted}");
        }
    }
}
