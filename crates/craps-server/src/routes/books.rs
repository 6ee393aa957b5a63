//! Rule books, houses and wagers: the same facts the command line shows.

use super::At;
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::{Query, computed, marked};
use crate::house::{self, House, Sample};
use crate::input::Body;
use axum::Json;
use axum::extract::State;
use axum::middleware::from_fn;
use craps_explain::house::{HouseCheck, check};
use craps_explain::shown::payouts;
use craps_explain::wager::{self as card, WagerCard};
use craps_law::view::{BookPage, BookView, DiffView, ReadingView, SectionView, Shown, UnderView, WagerView};
use craps_law::{Day, RuleBook};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    let facts = OpenApiRouter::new()
        .routes(routes!(books))
        .routes(routes!(book))
        .routes(routes!(section))
        .routes(routes!(book_wagers))
        .routes(routes!(diff))
        .routes(routes!(houses))
        .routes(routes!(wagers))
        .routes(routes!(wager))
        .layer(from_fn(marked));
    facts.merge(OpenApiRouter::new().routes(routes!(check_house)))
}

fn named<'a>(app: &'a Shared, id: &str) -> Result<&'a RuleBook, ApiError> {
    app.library().named(id).map_err(|unknown| ApiError::not_found(unknown.to_string()))
}

/// Parses the `as_of` day of a query.
pub(super) fn day(text: Option<&str>) -> Result<Option<Day>, ApiError> {
    let wrong = |error: craps_law::NotADay| ApiError::bad_request(format!("as_of: {error}"));
    text.map(str::parse).transpose().map_err(wrong)
}

/// A book in a list.
#[derive(Debug, Serialize, ToSchema)]
struct ListedBook {
    /// Short description of the book.
    #[serde(flatten)]
    book: BookView,
    /// How it sets payouts: `fixed`, `at least`, or both.
    payouts: String,
}

/// Lists all rule books, in the order in which a page shows them.
#[utoipa::path(get, path = "/books", tag = "law", responses((status = 200, body = [ListedBook])))]
async fn books(State(app): State<Shared>) -> Json<Vec<ListedBook>> {
    let listed = |book: &RuleBook| ListedBook { book: book.view(), payouts: payouts(book) };
    Json(app.library().in_order().into_iter().map(listed).collect())
}

/// Selects the day whose rules apply.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OnDay {
    /// Only rules in force on this day, such as 2023-10-01. Without it, all rules of all dates.
    as_of: Option<String>,
}

/// Returns a book: its sections with the rules based on them, its readings, its answers on procedure, and the days on which any of it changes.
#[utoipa::path(get, path = "/books/{id}", tag = "law", params(("id" = String, Path, description = "Id of the book"), OnDay),
    responses((status = 200, body = BookPage), (status = 400, body = Problem), (status = 404, body = Problem)))]
async fn book(
    State(app): State<Shared>,
    At(id): At<String>,
    Query(query): Query<OnDay>,
) -> Result<Json<BookPage>, ApiError> {
    Ok(Json(app.library().page(named(&app, &id)?, day(query.as_of.as_deref())?)))
}

/// A section with its facts and readings by paragraph, or a reading.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum SectionOrReading {
    /// A section or one of its paragraphs.
    Section(SectionPage),
    /// A reading.
    Reading(ReadingView),
}

/// A section with its facts and readings by paragraph.
#[derive(Debug, Serialize, ToSchema)]
struct SectionPage {
    /// The section.
    #[serde(flatten)]
    section: SectionView,
    /// The facts and readings by paragraph: first those of the section as a whole, then those of each of its parts.
    under: Vec<UnderView>,
    /// Full citation of what was asked for: the section, or one of its paragraphs. For a paragraph, only what is about it is listed.
    place: String,
}

impl From<Shown> for SectionOrReading {
    fn from(shown: Shown) -> SectionOrReading {
        match shown {
            Shown::Section(section) => SectionOrReading::Section(SectionPage {
                under: section.under.clone(),
                place: section.place.clone(),
                section,
            }),
            Shown::Reading(reading) => SectionOrReading::Reading(reading),
        }
    }
}

/// Returns a section, a part of one or a reading, with every rule based on it.
#[utoipa::path(get, path = "/books/{id}/sections/{section}", tag = "law",
    params(
        ("id" = String, Path, description = "Id of the book"),
        ("section" = String, Path, description = "Number of a section, or id of a reading such as A-54"), OnDay),
    responses((status = 200, body = SectionOrReading), (status = 400, body = Problem), (status = 404, body = Problem)))]
async fn section(
    State(app): State<Shared>,
    At((id, section)): At<(String, String)>,
    Query(query): Query<OnDay>,
) -> Result<Json<SectionOrReading>, ApiError> {
    let shown = named(&app, &id)?.show(&section, day(query.as_of.as_deref())?);
    shown.map(|shown| Json(shown.into())).map_err(|unknown| ApiError::not_found(unknown.to_string()))
}

/// Lists the wagers of a book, each with everything the book says about it.
#[utoipa::path(get, path = "/books/{id}/wagers", tag = "law", params(("id" = String, Path, description = "Id of the book")),
    responses((status = 200, body = [WagerView]), (status = 404, body = Problem)))]
async fn book_wagers(State(app): State<Shared>, At(id): At<String>) -> Result<Json<Vec<WagerView>>, ApiError> {
    Ok(Json(named(&app, &id)?.wagers_view()))
}

/// Selects the days of the two books to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OnDays {
    /// Day of the first book. Without it, all its rules of all dates.
    as_of: Option<String>,
    /// Day of the second book. Without it, the same day as the first.
    other_as_of: Option<String>,
}

/// Lists every fact in which two books differ, or one book on two days, with both citations.
#[utoipa::path(get, path = "/books/{id}/diff/{other}", tag = "law",
    params(("id" = String, Path, description = "Id of the first book"), ("other" = String, Path, description = "Id of the second book"), OnDays),
    responses((status = 200, body = DiffView), (status = 400, body = Problem), (status = 404, body = Problem)))]
async fn diff(
    State(app): State<Shared>,
    At((id, other)): At<(String, String)>,
    Query(query): Query<OnDays>,
) -> Result<Json<DiffView>, ApiError> {
    let on = day(query.as_of.as_deref())?;
    let wrong = |error: craps_law::NotADay| ApiError::bad_request(format!("other_as_of: {error}"));
    let other_on = query.other_as_of.as_deref().map(str::parse).transpose().map_err(wrong)?.or(on);
    Ok(Json(app.library().diff((named(&app, &id)?, on), (named(&app, &other)?, other_on))))
}

/// Lists sample houses to start from.
#[utoipa::path(get, path = "/houses", tag = "law", responses((status = 200, body = [Sample])))]
async fn houses(State(app): State<Shared>) -> Json<Vec<Sample>> {
    Json(house::samples(app.library()))
}

/// Checks whether a house is lawful. Returns all its problems at once, each with its citation.
#[utoipa::path(post, path = "/houses/check", tag = "law", request_body = House,
    responses((status = 200, body = HouseCheck), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem)))]
async fn check_house(State(app): State<Shared>, Body(house): Body<House>) -> Result<Json<HouseCheck>, ApiError> {
    let checked = computed(&app, move |app| {
        let library = app.library();
        let house = house.rules(library)?;
        let book = library.named(&house.book).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
        Ok(check(&mut app.facts.solver(), book, &house))
    });
    checked.await.map(Json)
}

/// Summary of a wager.
#[derive(Debug, Serialize, ToSchema)]
struct WagerLine {
    /// Id of the wager, such as `place-win-6`.
    wager: &'static str,
    /// Codes of its bets in game files, such as `PL6`.
    codes: Vec<String>,
    /// Name of the family the wager belongs to.
    family: &'static str,
    /// Title of a list of the family's wagers, such as `Hardways`.
    family_title: &'static str,
    /// Number or dice in its name, such as `6` or `1-3`. Empty if it has none.
    number: &'static str,
    /// True if players can bet odds behind the wager.
    takes_odds: bool,
    /// What the wager is, when it wins, and what to watch out for.
    about: String,
    /// Ids of the books that have the wager now or had it in the past.
    books: Vec<String>,
}

/// Lists all wagers.
#[utoipa::path(get, path = "/wagers", tag = "law", responses((status = 200, body = [WagerLine])))]
async fn wagers(State(app): State<Shared>) -> Json<Vec<WagerLine>> {
    let line = |wager: &'static craps_wagers::Wager| WagerLine {
        wager: wager.slug,
        codes: wager.names().into_iter().map(|name| name.code).collect(),
        family: wager.family.name(),
        family_title: wager.family.title(),
        number: wager.number_text,
        takes_odds: craps_explain::odds::takes_odds(wager),
        about: wager.about.to_owned(),
        books: app
            .library()
            .books
            .iter()
            .filter(|book| card::has(book, wager, None))
            .map(|book| book.id.clone())
            .collect(),
    };
    Json(craps_wagers::Catalogue::current().all().map(|id| line(id.wager())).collect())
}

/// Returns the card of a wager: what it is, what every book says about it, and its exact cost.
#[utoipa::path(get, path = "/wagers/{id}", tag = "law", params(("id" = String, Path, description = "Id or code of the wager"), OnDay),
    responses((status = 200, body = WagerCard), (status = 400, body = Problem), (status = 404, body = Problem)))]
async fn wager(
    State(app): State<Shared>,
    At(id): At<String>,
    Query(query): Query<OnDay>,
) -> Result<Json<WagerCard>, ApiError> {
    let wager = card::find(&id).map_err(|unknown| ApiError::not_found(unknown.to_string()))?;
    let day = day(query.as_of.as_deref())?;
    computed(&app, move |app| Ok(WagerCard::new(app.library(), &mut app.facts.solver(), wager, day))).await.map(Json)
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("House", reads::<House>)]
};
