//! A page on which anybody verifies the dice: it asks for the hands of a table and does the sums itself.

use crate::app::Shared;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(page)).routes(routes!(script)).routes(routes!(dice)).routes(routes!(style))
}

/// Files that are as they are.
macro_rules! files {
    ($($(#[$about:meta])* $name:ident: $path:literal, $kind:literal, $file:literal;)*) => {$(
        $(#[$about])*
        #[utoipa::path(
            get, path = $path, tag = "server",
            responses((status = 200, description = "The file", body = String, content_type = $kind))
        )]
        async fn $name() -> Response {
            let text = include_str!(concat!("../../assets/verify/", $file));
            ([(CONTENT_TYPE, concat!($kind, "; charset=utf-8"))], text).into_response()
        }
    )*};
}

files! {
    /// The page that verifies the dice.
    page: "/verify", "text/html", "index.html";
    /// What it does.
    script: "/verify/page.js", "text/javascript", "page.js";
    /// How a throw follows from a secret and the log.
    dice: "/verify/dice.js", "text/javascript", "dice.js";
    /// How it looks.
    style: "/verify/page.css", "text/css", "page.css";
}
