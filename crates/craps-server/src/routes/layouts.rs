//! Layouts: where everything lies on a felt, to scale, with the words and prices of its rules.

use super::At;
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{computed, marked};
use crate::house::{House, unlawful};
use crate::input::Body;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use craps_law::TableRules;
use craps_layout::{Layout, Sign, Template};
use craps_odds::Solver;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    // A table's rules never change, so neither does its layout.
    let of_tables = OpenApiRouter::new().routes(routes!(table)).layer(from_fn(marked));
    of_tables.merge(OpenApiRouter::new().routes(routes!(layout)))
}

/// The layout of a table by these rules, with what every bet costs.
fn laid(rules: &TableRules, sign: &Sign<'_>, solver: &mut Solver) -> Result<Layout, ApiError> {
    // Books may be brought along that offer what no shipped template has a place for.
    let no_place = |words: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no-layout", words);
    let template = Template::of(rules).map_err(|error| no_place(error.to_string()))?;
    let layout = Layout::new(&template, rules, sign).map_err(|error| no_place(error.to_string()))?;
    Ok(layout.priced(rules, solver))
}

/// Whose layout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LayoutOf {
    /// The house: a sample, a file's text, or a book with its keys.
    house: House,
}

/// The layout of a house.
#[utoipa::path(post, path = "/layouts", tag = "law", request_body = LayoutOf,
    responses((status = 200, body = Layout), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn layout(State(app): State<Shared>, Body(LayoutOf { house }): Body<LayoutOf>) -> Result<Json<Layout>, ApiError> {
    let laid = computed(&app, move |app| {
        let library = app.library();
        let house = house.rules(library)?;
        let book = library.named(&house.book).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
        let rules = book.admit(&house).map_err(|problems| unlawful(&problems))?;
        laid(&rules, &Sign::default(), &mut app.facts.solver())
    });
    laid.await.map(Json)
}

/// The layout of a table.
#[utoipa::path(
    get, path = "/tables/{table}/layout", tag = "tables", params(("table" = String, Path, description = "The table")),
    responses(
        (status = 200, description = "The layout", body = Layout),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "No template has a place for everything it offers", body = Problem),
    )
)]
async fn table(State(app): State<Shared>, At(table): At<String>) -> Result<Json<Layout>, ApiError> {
    let of = app.pit.look(&table, |live| {
        let played = live.table();
        (played.rules().clone(), live.opening().name.clone(), played.crew())
    });
    let (rules, name, crew) = of.await?;
    let laid = computed(&app, move |app| laid(&rules, &Sign { table: Some(&name), crew }, &mut app.facts.solver()));
    laid.await.map(Json)
}

/// What these routes read.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("LayoutOf", reads::<LayoutOf>)]
};
