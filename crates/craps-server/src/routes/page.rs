//! The addresses of the browser table. Each answers the same page, which shows what its address says: so links work, and reloading does.

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

/// The routes.
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

/// Screens of the page.
macro_rules! screens {
    ($($(#[$about:meta])* $name:ident: $path:literal $(, $param:literal)*;)*) => {$(
        $(#[$about])*
        #[utoipa::path(
            get, path = $path, tag = "page", params($(($param = String, Path, description = "What it shows")),*),
            responses((status = 200, description = "The page", body = String, content_type = "text/html"))
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
    /// A table.
    felt: "/felt/{table}", "table";
    /// Games, played again.
    study: "/study";
    /// The odds of everything.
    explorer: "/explorer";
    /// The strategy lab.
    lab: "/lab";
    /// The books.
    library: "/library";
    /// A book.
    book: "/library/{book}", "book";
    /// A section of a book.
    section: "/library/{book}/{section}", "book", "section";
    /// Oneself.
    profile: "/profile";
    /// Signing in.
    sign_in: "/sign-in";
}

/// The page; the plain one where the program was built without it.
async fn screen(app: &Shared, principal: &Principal, asked: &HeaderMap) -> Result<Response, ApiError> {
    match app.page.index(asked) {
        Some(page) => Ok(page),
        None => plain(app, principal).await,
    }
}

/// The lobby for a browser; for whoever else asks a plain page: the tables, and how to play.
#[utoipa::path(
    get, path = "/", tag = "page", responses((status = 200, description = "A page", body = String, content_type = "text/html"))
)]
async fn home(State(app): State<Shared>, principal: Principal, asked: HeaderMap) -> Result<Response, ApiError> {
    let wanted = asked.get(ACCEPT).and_then(|wanted| wanted.to_str().ok()).unwrap_or_default();
    let mut response =
        if is_browser(wanted) { screen(&app, &principal, &asked).await? } else { plain(&app, &principal).await? };
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// A browser names HTML among what it wants, and nothing that it wants more.
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

/// A weight from 0 to 1 with at most three digits behind the point; what is none weighs nothing.
fn thousandths(weight: &str) -> u32 {
    match weight.split_once('.').unwrap_or((weight, "")) {
        ("1", _) => 1_000,
        ("0", digits) if digits.len() <= 3 => format!("{digits:0<3}").parse().unwrap_or(0),
        _ => 0,
    }
}

async fn plain(app: &Shared, principal: &Principal) -> Result<Response, ApiError> {
    let (mut rows, mut count) = (String::new(), 0);
    for (id, head) in app.store().tables().await?.into_iter().filter(|(id, _)| !app.pit.has_closed(id)) {
        if count < 200 && access::visible(app, principal, &id).await.is_ok() {
            rows += &format!("<li><a href=\"/tables/{0}\">{0}</a>, {1} rows</li>\n", escaped(&id), head.seq);
            count += 1;
        }
    }
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Boxperson</title>\n<h1>Boxperson</h1>\n<p>Craps done as the law says. These tables are open:</p>\n<ul>\n{rows}</ul>\n\
         <p>Play with any HTTP client; <a href=\"/openapi.json\">/openapi.json</a> lists everything that can be asked.</p>\n\
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

/// A file of the page: a script, a style, a font.
#[utoipa::path(
    get, path = "/assets/{file}", tag = "page", params(("file" = String, Path, description = "Its name")),
    responses(
        (status = 200, description = "The file", content_type = "application/octet-stream", body = [u8]),
        (status = 304, description = "Whoever asks has it"),
        (status = 404, description = "No such file", body = Problem),
    )
)]
async fn asset(State(app): State<Shared>, At(file): At<String>, asked: HeaderMap) -> Result<Response, ApiError> {
    app.page.asset(&file, &asked).ok_or_else(|| ApiError::not_found("the page has no such file"))
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
