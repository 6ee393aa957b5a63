//! Simulations: ordered, watched, cancelled and read.

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
use futures_util::stream;
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

/// How often a stream says how far a job has come.
const OFTEN: Duration = Duration::from_millis(250);
/// How long whoever reads lines of values may keep us waiting.
const PATIENCE: Duration = Duration::from_secs(20);

/// The routes.
pub(crate) fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(start))
        .routes(routes!(look, cancel))
        .routes(routes!(watch_it))
        .routes(routes!(page))
        .routes(routes!(picture))
        .routes(routes!(values))
}

/// A simulation and how far it has come.
#[derive(Debug, Serialize, ToSchema)]
struct JobView {
    /// What it is asked for by.
    job: String,
    /// Where it is: waiting, running, done, cancelled or failed.
    state: &'static str,
    /// How far it has come.
    progress: Progress,
    /// The answer, as `boxperson sim --format json` gives it; of a cancelled one what it had by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    result: Option<Report>,
    /// Why nothing came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// How far a simulation has come.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimulationProgress)]
struct Progress {
    /// Sessions that were played.
    sessions: u64,
    /// Of so many.
    of: u64,
    /// Throws that were thrown.
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

/// Whose a job is: a client that we know, or else whoever is at an address.
fn owner(principal: &Principal) -> String {
    match principal.kind {
        Kind::Anonymous => principal.peer.subscriber().to_string(),
        _ => principal.client(),
    }
}

/// How many threads a job may have: its share of the machine.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| usize::from(cores).div_ceil(2))
}

/// Orders a simulation. It is run when its turn has come; the answer to this says by which name to ask for it.
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

/// How far a simulation has come, and its answer when it is done.
#[utoipa::path(get, path = "/sim/{job}", tag = "lab", params(("job" = String, Path, description = "The job")),
    responses((status = 200, body = JobView), (status = 404, body = Problem)))]
async fn look(State(app): State<Shared>, At(job): At<String>) -> Result<Json<JobView>, ApiError> {
    Ok(Json(JobView::new(&*app.facts.jobs.find(&job)?)))
}

/// Cancels a simulation that runs or waits; what is over stays as it is. Only whoever ordered it may.
#[utoipa::path(delete, path = "/sim/{job}", tag = "lab", params(("job" = String, Path, description = "The job")),
    responses((status = 200, body = JobView), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn cancel(
    State(app): State<Shared>,
    principal: Principal,
    At(job): At<String>,
) -> Result<Json<JobView>, ApiError> {
    let job = app.facts.jobs.find(&job)?;
    if job.owner != owner(&principal) {
        return Err(ApiError::forbidden("only whoever ordered a simulation may cancel it"));
    }
    job.cancel();
    Ok(Json(JobView::new(&job)))
}

/// A stream about a job: what was told last, and whether that was the last.
struct Telling {
    job: Arc<Job<Finished>>,
    steps: watch::Receiver<Stage<Finished>>,
    told: Option<(u64, u64)>,
    over: bool,
}

/// The next line of a stream. It is due when the job takes a step, or after a while in which it came farther.
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

/// How far a simulation has come, as lines of JSON until it is over; the last has its answer.
#[utoipa::path(get, path = "/sim/{job}/stream", tag = "lab", params(("job" = String, Path, description = "The job")),
    responses((status = 200, description = "Lines of JSON", body = JobView, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
async fn watch_it(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let job = app.facts.jobs.find(&job)?;
    let steps = job.steps();
    let lines = stream::unfold(Telling { job, steps, told: None, over: false }, next_line);
    let lines = futures_util::StreamExt::map(lines, Ok::<String, Infallible>);
    let headers = [(CONTENT_TYPE, "application/x-ndjson"), (CACHE_CONTROL, "no-store")];
    Ok((headers, body::Body::from_stream(lines)).into_response())
}

/// What came of a job that is over.
fn finished(app: &Shared, job: &str) -> Result<Arc<Finished>, ApiError> {
    let stage = app.facts.jobs.find(job)?.stage();
    let words = match &stage {
        Stage::Failed(why) => why.clone(),
        Stage::Cancelled(_) => "it was cancelled before it began".to_owned(),
        _ => "it is not over yet".to_owned(),
    };
    stage.result().cloned().ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "no-result", words))
}

/// A simulation's answer as a page with all charts and figures, complete in itself.
#[utoipa::path(get, path = "/sim/{job}/report.html", tag = "lab", params(("job" = String, Path, description = "The job")),
    responses((status = 200, body = String, content_type = "text/html"), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn page(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let finished = finished(&app, &job)?;
    let page = computed(&app, move |_| Ok(finished.page())).await?;
    // It has a style of its own, and nothing else that acts.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, policy)], page).into_response())
}

/// A simulation's charts as one drawing.
#[utoipa::path(get, path = "/sim/{job}/report.svg", tag = "lab", params(("job" = String, Path, description = "The job")),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn picture(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let finished = finished(&app, &job)?;
    let picture = computed(&app, move |_| Ok(finished.picture())).await?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    Ok(([(CONTENT_TYPE, "image/svg+xml"), (CONTENT_SECURITY_POLICY, policy)], picture).into_response())
}

/// Every session of a simulation as a line; of an exact answer every net result with its probability.
#[utoipa::path(get, path = "/sim/{job}/report.csv", tag = "lab", params(("job" = String, Path, description = "The job")),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn values(State(app): State<Shared>, At(job): At<String>) -> Result<Response, ApiError> {
    let finished = finished(&app, &job)?;
    let (send, mut receive) = mpsc::channel::<String>(4);
    let runtime = tokio::runtime::Handle::current();
    let whole = Arc::new(AtomicBool::new(true));
    let cut = Arc::clone(&whole);
    let work = async move {
        // Whoever has left, or reads too slowly, gets no more.
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
        let broken = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "this is a mistake of ours");
        // Nothing came because there was no turn for it.
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
            // What breaks off must not look as if it were all.
            None if !whole.swap(true, Ordering::Relaxed) => {
                Some((Err(io::Error::from(io::ErrorKind::TimedOut)), (None, receive, whole)))
            }
            None => None,
        }
    });
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8")], body::Body::from_stream(pieces)).into_response())
}

/// What these routes read.
#[cfg(test)]
pub(crate) const BODIES: &[crate::input::Reads] = {
    use crate::input::reads;
    &[("SimulationOrder", reads::<Order>)]
};
