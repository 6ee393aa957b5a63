//! HTTP handlers, one module per subject. [`crate::people::access`] decides who may call which route.

mod books;
mod games;
mod history;
mod layouts;
mod odds;
mod page;
mod people;
mod purse;
mod second_factor;
mod sims;
mod strategies;
mod tables;
mod verify;

pub(crate) use history::Ledgers;

use crate::app::Shared;
use crate::error::ApiError;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use utoipa_axum::router::OpenApiRouter;

/// All routes except those the server adds itself, such as `/health`.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    facts()
        .merge(layouts::routes())
        .merge(people::routes())
        .merge(purse::routes())
        .merge(second_factor::routes())
        .merge(history::routes())
        .merge(tables::routes())
        .merge(verify::routes())
        .merge(page::routes())
}

/// Routes that need no live table: books, odds, games as text, strategies and simulations.
pub(crate) fn facts() -> OpenApiRouter<Shared> {
    [odds::routes(), games::routes(), strategies::routes(), sims::routes()]
        .into_iter()
        .fold(books::routes(), OpenApiRouter::merge)
}

/// The request bodies of all routes, by their schema names in the OpenAPI document.
#[cfg(test)]
pub(crate) fn bodies() -> Vec<crate::input::Reads> {
    [
        books::BODIES,
        games::BODIES,
        layouts::BODIES,
        people::BODIES,
        purse::BODIES,
        second_factor::BODIES,
        sims::BODIES,
        strategies::BODIES,
        tables::BODIES,
    ]
    .concat()
}

/// Path parameters. A bad one is answered with an [`ApiError`] like any other error.
pub(crate) struct At<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for At<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<At<T>, ApiError> {
        let Path(at) = Path::from_request_parts(parts, state)
            .await
            .map_err(|rejection| ApiError::bad_request(format!("path: {}", rejection.body_text())))?;
        Ok(At(at))
    }
}
