//! The page on which anybody can verify the dice. It fetches the hands of a table and recomputes every roll in the browser.

use crate::app::Shared;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(page)).routes(routes!(script)).routes(routes!(dice)).routes(routes!(style))
}

/// Handlers that return a built-in file unchanged.
macro_rules! files {
    ($($(#[$about:meta])* $name:ident: $path:literal, $kind:literal, $file:literal;)*) => {$(
        $(#[$about])*
        #[utoipa::path(
            get, path = $path, tag = "server",
            responses((status = 200, description = "Contents of the file", body = String, content_type = $kind))
        )]
        async fn $name() -> Response {
            let text = include_str!(concat!("../../assets/verify/", $file));
            ([(CONTENT_TYPE, concat!($kind, "; charset=utf-8"))], text).into_response()
        }
    )*};
}

files! {
    /// Returns the page that verifies the dice.
    page: "/verify", "text/html", "index.html";
    /// Returns the script of the page that verifies the dice.
    script: "/verify/page.js", "text/javascript", "page.js";
    /// Returns the script that computes a roll from a secret and the log.
    dice: "/verify/dice.js", "text/javascript", "dice.js";
    /// Returns the style sheet of the page that verifies the dice.
    style: "/verify/page.css", "text/css", "page.css";
}
