//! Layouts: where everything lies on a felt, to scale, with the words and prices of its rules.

use super::At;
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{Query, computed, marked};
use crate::house::{House, unlawful};
use crate::input::Body;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use craps_law::TableRules;
use craps_layout::{End, Layout, Sign, Template};
use craps_odds::Solver;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    // A table's rules never change, so neither does its layout.
    let of_tables = OpenApiRouter::new().routes(routes!(table)).layer(from_fn(marked));
    of_tables.merge(OpenApiRouter::new().routes(routes!(layout)))
}

/// The layout of a table by these rules, with what every bet costs.
fn laid(rules: &TableRules, narrow: bool, sign: &Sign<'_>, solver: &mut Solver) -> Result<Layout, ApiError> {
    // Books may be brought along that offer what no shipped template has a place for.
    let no_place = |words: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no-layout", words);
    let template = if narrow { Template::narrow(rules) } else { Template::of(rules) };
    let template = template.map_err(|error| no_place(error.to_string()))?;
    let layout = Layout::new(&template, rules, sign).map_err(|error| no_place(error.to_string()))?;
    Ok(layout.priced(rules, solver))
}

/// Whose layout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LayoutOf {
    /// The house: a sample, a file's text, or a book with its keys.
    house: House,
    /// For a narrow window, with this end of the table.
    #[serde(default)]
    narrow: Option<Narrow>,
}

/// The end that a narrow window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Narrow {
    /// To the boxperson's left: the first stations.
    Right,
    /// To the boxperson's right; the right one where the table has one end only.
    Left,
}

/// As a narrow window shows it, or as it lies.
const fn shown(narrow: Option<Narrow>) -> (bool, End) {
    match narrow {
        Some(Narrow::Left) => (true, End::Left),
        Some(Narrow::Right) => (true, End::Right),
        None => (false, End::Right),
    }
}

/// How a layout is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// For a narrow window, with this end of the table.
    #[serde(default)]
    #[param(inline)]
    narrow: Option<Narrow>,
}

/// The layout of a house.
#[utoipa::path(post, path = "/layouts", tag = "law", request_body = LayoutOf,
    responses((status = 200, body = Layout), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn layout(
    State(app): State<Shared>,
    Body(LayoutOf { house, narrow }): Body<LayoutOf>,
) -> Result<Json<Layout>, ApiError> {
    let laid = computed(&app, move |app| {
        let library = app.library();
        let house = house.rules(library)?;
        let book = library.named(&house.book).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
        let rules = book.admit(&house).map_err(|problems| unlawful(&problems))?;
        let (narrow, end) = shown(narrow);
        laid(&rules, narrow, &Sign { end, ..Sign::default() }, &mut app.facts.solver())
    });
    laid.await.map(Json)
}

/// The layout of a table.
#[utoipa::path(
    get, path = "/tables/{table}/layout", tag = "tables", params(("table" = String, Path, description = "The table"), Wanted),
    responses(
        (status = 200, description = "The layout", body = Layout),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "No template has a place for everything it offers", body = Problem),
    )
)]
async fn table(
    State(app): State<Shared>,
    At(table): At<String>,
    Query(Wanted { narrow }): Query<Wanted>,
) -> Result<Json<Layout>, ApiError> {
    let of = app.pit.look(&table, |live| {
        let played = live.table();
        (played.rules().clone(), live.opening().name.clone(), played.crew())
    });
    let (rules, name, crew) = of.await?;
    let (narrow, end) = shown(narrow);
    let laid = computed(&app, move |app| {
        laid(&rules, narrow, &Sign { table: Some(&name), crew, end }, &mut app.facts.solver())
    });
    laid.await.map(Json)
}

/// What these routes read.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("LayoutOf", reads::<LayoutOf>)]
};
