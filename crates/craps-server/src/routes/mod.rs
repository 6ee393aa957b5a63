//! What can be asked over HTTP, by subject. Who may ask what is said in [`crate::people::access`] alone.

mod books;
mod games;
mod history;
mod layouts;
mod odds;
mod page;
mod people;
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

/// Every route there is, but for the server's own.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    facts()
        .merge(layouts::routes())
        .merge(people::routes())
        .merge(history::routes())
        .merge(tables::routes())
        .merge(verify::routes())
        .merge(page::routes())
}

/// What follows from the books alone, games as text, and simulations.
pub(crate) fn facts() -> OpenApiRouter<Shared> {
    [odds::routes(), games::routes(), strategies::routes(), sims::routes()]
        .into_iter()
        .fold(books::routes(), OpenApiRouter::merge)
}

/// What all routes read, by the name that the document has for it.
#[cfg(test)]
pub(crate) fn bodies() -> Vec<crate::input::Reads> {
    [books::BODIES, games::BODIES, layouts::BODIES, people::BODIES, sims::BODIES, strategies::BODIES, tables::BODIES]
        .concat()
}

/// The parts of a path; what is wrong with them is said as everything else is.
pub(crate) struct At<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for At<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<At<T>, ApiError> {
        let Path(at) = Path::from_request_parts(parts, state)
            .await
            .map_err(|rejection| ApiError::bad_request(format!("the address: {}", rejection.body_text())))?;
        Ok(At(at))
    }
}
