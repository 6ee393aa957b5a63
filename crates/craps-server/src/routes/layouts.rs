//! Layouts: where everything is on the felt, drawn to scale, with the names and payouts of the table's rules.

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
use craps_law::{RuleBook, TableRules};
use craps_layout::{End, Layout, Sign, Template};
use craps_odds::Solver;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    // A table's rules never change, so neither does its layout.
    let of_tables = OpenApiRouter::new().routes(routes!(table)).layer(from_fn(marked));
    of_tables.merge(OpenApiRouter::new().routes(routes!(layout)))
}

/// Builds the layout for these rules, with the house edge of every bet.
fn laid(
    book: &RuleBook,
    rules: &TableRules,
    narrow: bool,
    sign: &Sign<'_>,
    solver: &mut Solver,
) -> Result<Layout, ApiError> {
    // A custom book may offer a bet that no built-in template has a spot for.
    let no_place = |words: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no-layout", words);
    let template = if narrow { Template::narrow(rules) } else { Template::of(rules) };
    let template = template.map_err(|error| no_place(error.to_string()))?;
    let layout = Layout::new(&template, book, rules, sign).map_err(|error| no_place(error.to_string()))?;
    Ok(layout.priced(rules, solver))
}

/// A request for the layout of a house.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LayoutOf {
    /// The house: a sample, the text of a house file, or a book with keys.
    house: House,
    /// Set it for a narrow screen: which end of the table to show. Without it, the whole table.
    #[serde(default)]
    narrow: Option<Narrow>,
}

/// The end of the table to show on a narrow screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Narrow {
    /// The end to the boxperson's left, which has the first seats.
    Right,
    /// The end to the boxperson's right. A table with only one end shows that end.
    Left,
}

/// Whether to use the narrow template, and which end to show.
const fn shown(narrow: Option<Narrow>) -> (bool, End) {
    match narrow {
        Some(Narrow::Left) => (true, End::Left),
        Some(Narrow::Right) => (true, End::Right),
        None => (false, End::Right),
    }
}

/// Options for a table's layout.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Set it for a narrow screen: which end of the table to show. Without it, the whole table.
    #[serde(default)]
    #[param(inline)]
    narrow: Option<Narrow>,
}

/// Returns the layout of a house.
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
        laid(book, &rules, narrow, &Sign { end, ..Sign::default() }, &mut app.facts.solver())
    });
    laid.await.map(Json)
}

/// Returns the layout of a table.
#[utoipa::path(
    get, path = "/tables/{table}/layout", tag = "tables", params(("table" = String, Path, description = "Id of the table"), Wanted),
    responses(
        (status = 200, description = "The layout", body = Layout),
        (status = 404, description = "No such table", body = Problem),
        (status = 422, description = "No layout template has a spot for every bet this table offers", body = Problem),
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
        let book = app.library().named(&rules.book).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
        laid(book, &rules, narrow, &Sign { table: Some(&name), crew, end }, &mut app.facts.solver())
    });
    laid.await.map(Json)
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("LayoutOf", reads::<LayoutOf>)]
};
