//! Simulations: start them, watch their progress, cancel them and read their results.

use super::At;
use crate::app::Shared;
use crate::error::{ApiError, Problem};
use crate::facts::computed;
use crate::input::Body;
use crate::jobs::{Job, Stage};
use crate::people::{Kind, Principal};
use crate::sims::{Finished, Order, Report};
use axum::Json;
use axum::body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde::Serialize;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How often a stream reports the progress of a job.
const OFTEN: Duration = Duration::from_millis(250);
/// How long the server waits for a client that reads a CSV report slowly.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(start))
        .routes(routes!(look, cancel))
        .routes(routes!(watch_it))
        .routes(routes!(page))
        .routes(routes!(picture))
        .routes(routes!(values))
}

/// A simulation and its progress.
#[derive(Debug, Serialize, ToSchema)]
struct JobView {
    /// Id of the job, for `/sim/{job}`.
    job: String,
    /// State of the job: `waiting`, `running`, `done`, `cancelled` or `failed`.
    state: &'static str,
    /// Sessions and rolls played so far.
    progress: Progress,
    /// The result, as `boxperson sim --format json` prints it. A canceled job has the result of the sessions it had played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    result: Option<Report>,
    /// Reason why the job failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Progress of a simulation.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulationProgress)]
struct Progress {
    /// Number of sessions played.
    sessions: u64,
    /// Number of sessions ordered.
    of: u64,
    /// Number of rolls.
    throws: u64,
}

impl JobView {
    fn new(job: &Job<Finished>) -> JobView {
        JobView::at(job, &job.stage())
    }

    fn at(job: &Job<Finished>, stage: &Stage<Finished>) -> JobView {
        let (sessions, throws) = job.progress();
        JobView {
            job: job.id.clone(),
            state: stage.word(),
            progress: Progress { sessions, of: job.sessions, throws },
            result: stage.result().map(|finished| finished.report()),
            problem: match stage {
                Stage::Failed(why) => Some(why.clone()),
                _ => None,
            },
        }
    }
}

/// Returns the owner of a job: a known client, or else a network address.
fn owner(principal: &Principal) -> String {
    match principal.kind {
        Kind::Anonymous => principal.peer.subscriber().to_string(),
        _ => principal.client(),
    }
}

/// Number of threads for a job: half the cores, rounded up.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| usize::from(cores).div_ceil(2))
}

/// Starts a simulation. It may have to wait for its turn. The response has the id of the job.
#[utoipa::path(post, path = "/sim", tag = "lab", request_body = Order,
    responses((status = 202, body = JobView), (status = 400, body = Problem), (status = 404, body = Problem), (status = 422, body = Problem),
        (status = 429, body = Problem), (status = 503, body = Problem)))]
async fn start(
    State(app): State<Shared>,
    principal: Principal,
    Body(order): Body<Order>,
) -> Result<Response, ApiError> {
    let simulation = computed(&app, move |app| order.prepared(app.library())).await?;
    let (owner, sessions) = (owner(&principal), simulation.sessions());
    let job = app.facts.jobs.start(&owner, sessions, move |job| simulation.run(job, threads()))?;
    let location = [(LOCATION, format!("/sim/{}", job.id))];
    Ok((StatusCode::ACCEPTED, location, Json(JobView::new(&job))).into_response())
}

/// Returns the progress of a simulation, and its result when it is done.
#[utoipa::path(get, path = "/sim/{job}", tag = "lab", params(("job" = String, Path, description = "Id of the job")),
    responses((status = 200, body = JobView), (status = 404, body = Problem)))]
async fn look(State(app): State<Shared>, At(job): At<String>) -> Result<Json<JobView>, ApiError> {
    Ok(Json(JobView::new(&*app.facts.jobs.find(&job)?)))
}

/// Cancels a simulation that is waiting or running. Only the client that started it can do that.
#[utoipa::path(delete, path = "/sim/{job}", tag = "lab", params(("job" = String, Path, description = "Id of the job")),
    responses((status = 200, body = JobView), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn cancel(
    State(app): State<Shared>,
    principal: Principal,
    At(job): At<String>,
) -> Result<Json<JobView>, ApiError> {
    let job = app.facts.jobs.find(&job)?;
    if job.owner != owner(&principal) {
        return Err(ApiError::forbidden("Only the client that started this simulation can cancel it."));
    }
    job.cancel();
    Ok(Json(JobView::new(&job)))
}

/// State of a progress stream: the progress sent last, and whether the stream is over.
struct Telling {
    job: Arc<Job<Finished>>,
    steps: watch::Receiver<Stage<Finished>>,
    told: Option<(u64, u64)>,
    over: bool,
}

/// Returns the next line of a stream. It waits until the job changes state or has made progress.
async fn next_line(mut telling: Telling) -> Option<(String, Telling)> {
    if telling.over {
        return None;
    }
    while let Some(told) = telling.told {
        let stepped = tokio::time::timeout(OFTEN, telling.steps.changed()).await.is_ok();
        if stepped || told != telling.job.progress() {
            break;
        }
    }
    let stage = telling.steps.borrow_and_update().clone();
    telling.told = Some(telling.job.progress());
    telling.over = stage.is_over();
    let line = serde_json::to_string(&JobView::at(&telling.job, &stage)).ok()?;
    Some((line + "\n", telling))
}

/// Streams the progress of a simulation as lines of JSON. The last line has the result.
#[utoipa::path(get, path = "/sim/{job}/stream", tag = "lab", params(("job" = String, Path, description = "Id of the job")),
    responses((status = 200, description = "JSON lines", body = JobView, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
async fn watch_it(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let job = app.facts.jobs.find(&job)?;
    let steps = job.steps();
    let lines = stream::unfold(Telling { job, steps, told: None, over: false }, next_line);
    let lines = futures_util::StreamExt::map(futures_util::StreamExt::fuse(lines), Ok::<String, Infallible>);
    let headers = [(CONTENT_TYPE, "application/x-ndjson"), (CACHE_CONTROL, "no-store")];
    Ok((headers, body::Body::from_stream(lines)).into_response())
}

/// Returns the result of a finished job.
fn finished(app: &Shared, job: &str) -> Result<Arc<Finished>, ApiError> {
    let stage = app.facts.jobs.find(job)?.stage();
    let words = match &stage {
        Stage::Failed(why) => why.clone(),
        Stage::Cancelled(_) => "The simulation was canceled before it started.".to_owned(),
        _ => "The simulation is still running or waiting.".to_owned(),
    };
    stage.result().cloned().ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "no-result", words))
}

/// Returns the result of a simulation as a self-contained HTML page with all charts and figures.
#[utoipa::path(get, path = "/sim/{job}/report.html", tag = "lab", params(("job" = String, Path, description = "Id of the job")),
    responses((status = 200, body = String, content_type = "text/html"), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn page(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let finished = finished(&app, &job)?;
    let page = computed(&app, move |_| Ok(finished.page())).await?;
    // The page has inline styles and no scripts.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, policy)], page).into_response())
}

/// Returns the charts of a simulation as one SVG image.
#[utoipa::path(get, path = "/sim/{job}/report.svg", tag = "lab", params(("job" = String, Path, description = "Id of the job")),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn picture(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let finished = finished(&app, &job)?;
    let picture = computed(&app, move |_| Ok(finished.picture())).await?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    Ok(([(CONTENT_TYPE, "image/svg+xml"), (CONTENT_SECURITY_POLICY, policy)], picture).into_response())
}

/// Returns a simulation as CSV: one line per session, or for an exact result one line per net result with its probability.
#[utoipa::path(get, path = "/sim/{job}/report.csv", tag = "lab", params(("job" = String, Path, description = "Id of the job")),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn values(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let finished = finished(&app, &job)?;
    let (send, mut receive) = mpsc::channel::<String>(4);
    let runtime = tokio::runtime::Handle::current();
    let whole = Arc::new(AtomicBool::new(true));
    let cut = Arc::clone(&whole);
    let work = async move {
        // Stop when the client has left or reads too slowly.
        let taken = move |piece| {
            let sent = runtime.block_on(tokio::time::timeout(PATIENCE, send.send(piece)));
            if sent.is_err() {
                cut.store(false, Ordering::Relaxed);
            }
            sent.is_ok_and(|sent| sent.is_ok())
        };
        computed(&app, move |_| {
            finished.lines(taken);
            Ok(())
        })
        .await
    };
    let work = tokio::spawn(work);
    let Some(first) = receive.recv().await else {
        let broken = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "This is a bug in the server.");
        // Nothing was sent: return the error if the work was refused.
        work.await.map_err(broken)??;
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let pieces = stream::unfold((Some(first), receive, whole), |(first, mut receive, whole)| async move {
        let piece = match first {
            Some(first) => Some(first),
            None => receive.recv().await,
        };
        match piece {
            Some(piece) => Some((Ok(piece), (None, receive, whole))),
            // End with an error, so that the client knows the report is incomplete.
            None if !whole.swap(true, Ordering::Relaxed) => {
                Some((Err(io::Error::from(io::ErrorKind::TimedOut)), (None, receive, whole)))
            }
            None => None,
        }
    });
    // Compression polls the stream once more after its end, so fuse it.
    let pieces = pieces.fuse();
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8")], body::Body::from_stream(pieces)).into_response())
}

/// The request bodies of these routes.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("SimulationOrder", reads::<Order>)]
};
