//! The server: all routes behind one gate, its start and its end.

use crate::app::{App, Shared};
use crate::config::{Config, LogFormat};
use crate::error::ApiError;
use crate::live::pit::{OpenError, Pit, now};
use crate::live::{By, DiceFrom, Empty, Opening};
use crate::people::{gate, line, sweep};
use crate::routes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Request, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use craps_law::{HouseRules, Library};
use craps_store::{HeadKey, Store, StoreError};
use craps_table::Crew;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultOnFailure, TraceLayer};
use tracing::Level;
use utoipa::OpenApi;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, OpenApi as Document, Ref, RefOr, Required, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long those who are still being answered are waited for when the server closes.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How often it is looked which private tables are empty.
const LOOK: Duration = Duration::from_secs(60);
/// What a page from here may do: nothing that is not named, and nothing that is not from here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The database.
    #[error("{db}: {error}")]
    Store {
        /// Which.
        db: String,
        /// What is wrong.
        error: StoreError,
    },
    /// The address.
    #[error("{addr}: {why}")]
    Address {
        /// Which.
        addr: SocketAddr,
        /// What is wrong.
        why: String,
    },
    /// A practice table that cannot be opened.
    #[error("the practice table of the book `{book}`: {why}")]
    Practice {
        /// The book.
        book: String,
        /// What is wrong.
        why: String,
    },
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Boxperson",
        description = "Craps done as the law says: tables, streams, odds, books. Amounts are integers in minor units, fractions are texts."
    ),
    tags((name = "tables", description = "The live table"), (name = "server", description = "The server itself"))
)]
struct Api;

/// Every route with its description.
fn all() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(health))
        .routes(routes!(ready))
        .routes(routes!(measured))
        .routes(routes!(document))
        .merge(routes::routes())
}

/// The document that describes every route.
#[must_use]
pub fn openapi() -> Document {
    let mut document = all().split_for_parts().1;
    // Who asks is looked at before what is asked, and so is how often: that can go wrong anywhere.
    let problem = |description: &str| {
        let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        ResponseBuilder::new().description(description).content("application/json", body).build()
    };
    for (path, item) in &mut document.paths.paths {
        let about_table = path.starts_with("/tables/{table}");
        let methods = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for operation in methods.into_iter().filter_map(Option::as_mut) {
            if about_table {
                operation.parameters.get_or_insert_default().push(RefOr::T(invitation()));
            }
            let responses = &mut operation.responses.responses;
            responses.entry("4XX".to_owned()).or_insert_with(|| problem("What else is wrong with it").into());
            responses.entry("503".to_owned()).or_insert_with(|| problem("Not now: ask again in a moment").into());
        }
    }
    document
}

/// The gate takes it before the route reads its query.
fn invitation() -> Parameter {
    ParameterBuilder::new()
        .name("invitation")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("The invitation to a private table"))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
        .build()
}

/// Everything that is served.
pub fn router(app: Shared) -> Router {
    let (router, _) = all().split_for_parts();
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let id = HeaderName::from_static("x-request-id");
    // Lines go out one by one, and fonts are as small as they get.
    let lines = NotForContentType::const_new("application/x-ndjson");
    let fonts = NotForContentType::const_new("font/");
    router
        .route_layer(from_fn_with_state(Arc::clone(&app), gate))
        .fallback(nothing)
        .method_not_allowed_fallback(another_method)
        .layer(from_fn(counted))
        .layer(DefaultBodyLimit::max(crate::input::BODY_MOST))
        .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, PATIENCE))
        .layer(CatchPanicLayer::custom(broken))
        .layer(CompressionLayer::new().compress_when(DefaultPredicate::new().and(lines).and(fonts)))
        .layer(header(CONTENT_SECURITY_POLICY, POLICY))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(X_FRAME_OPTIONS, "DENY"))
        .layer(header(REFERRER_POLICY, "no-referrer"))
        .layer(header(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
        .layer(header(HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .layer(header(CACHE_CONTROL, "no-store"))
        // What fails says so itself where it does; whoever is turned away when there is too much to do is not to fill the log, too.
        .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(DefaultOnFailure::new().level(Level::DEBUG)))
        .layer(PropagateRequestIdLayer::new(id.clone()))
        .layer(SetRequestIdLayer::new(id, MakeRequestUuid))
        .layer(from_fn_with_state(Arc::clone(&app), line))
        .with_state(app)
}

/// Of a request the log tells method, path and id: not its query, headers or body, in which secrets could be.
fn span<B>(request: &Request<B>) -> tracing::Span {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", method = %request.method(), path = request.uri().path(), id)
}

async fn nothing() -> ApiError {
    ApiError::not_found("there is nothing at this address: /openapi.json lists what there is")
}

async fn another_method() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method",
        "this address takes another method: /openapi.json says which",
    )
}

#[allow(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn broken(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "this is a mistake of ours; the log has more")
        .into_response()
}

/// Counts answers by route and status, and how long they take.
async fn counted(request: axum::extract::Request, next: Next) -> Response {
    let route =
        request.extensions().get::<axum::extract::MatchedPath>().map_or("none", |path| path.as_str()).to_owned();
    let (method, start) = (request.method().to_string(), Instant::now());
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    let labels = [("method", method), ("route", route), ("status", status)];
    metrics::histogram!("boxperson_answer_seconds", &labels).record(start.elapsed());
    response
}

/// Where what is measured can be read; one for the whole program.
fn recorder() -> Option<PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE.get_or_init(|| PrometheusBuilder::new().install_recorder().ok()).clone()
}

/// Is the server there?
#[derive(serde::Serialize, utoipa::ToSchema)]
struct Health {
    /// `ok`.
    status: &'static str,
}

/// Is the server there?
#[utoipa::path(get, path = "/health", tag = "server", responses((status = 200, description = "It is", body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Can the server do its work?
#[utoipa::path(
    get, path = "/ready", tag = "server",
    responses((status = 200, description = "It can", body = Health), (status = 503, description = "Not now", body = crate::Problem))
)]
async fn ready(State(app): State<Shared>) -> Result<Json<Health>, ApiError> {
    if *app.closing().borrow() {
        return Err(ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "closing", "the server is closing", 5));
    }
    app.store()
        .ping()
        .await
        .map_err(|_| ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "store", "the log is out of reach", 1))?;
    Ok(Json(Health { status: "ok" }))
}

/// What is measured, for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "server",
    responses((status = 200, description = "Figures", body = String, content_type = "text/plain"))
)]
async fn measured(State(app): State<Shared>) -> Response {
    let text = app.measured.as_ref().map(PrometheusHandle::render).unwrap_or_default();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// This document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "server",
    responses((status = 200, description = "What can be asked", body = Object, content_type = "application/json"))
)]
async fn document() -> Json<Document> {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    Json(DOCUMENT.get_or_init(openapi).clone())
}

/// A server that is set up and listens, and has not begun to answer.
pub struct Server {
    app: Shared,
    listener: TcpListener,
    addr: SocketAddr,
    key: Option<Arc<HeadKey>>,
    sign_every: Duration,
    close_after: u32,
    practice: Practice,
}

impl Server {
    /// Opens the database, the practice tables that are missing, and the address.
    ///
    /// # Errors
    /// When one of them cannot be had.
    pub async fn start(config: &Config, library: Arc<Library>) -> Result<Server, NotStarted> {
        let addr = config.addr;
        let unlistened = |error: std::io::Error| {
            let why = match error.kind() {
                std::io::ErrorKind::AddrInUse => {
                    "the port is in use: stop what has it, or choose another with --addr".to_owned()
                }
                std::io::ErrorKind::PermissionDenied => {
                    "not permitted: choose a port from 1024 up with --addr".to_owned()
                }
                std::io::ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
                _ => error.to_string(),
            };
            NotStarted::Address { addr, why }
        };
        let listener = TcpListener::bind(addr).await.map_err(unlistened)?;
        let addr = listener.local_addr().map_err(unlistened)?;
        let failed = |error: StoreError| NotStarted::Store { db: config.db.clone(), error };
        let store = Store::open(&config.db).await.map_err(failed)?;
        let key_file = config.key.clone().or_else(|| store.file().map(HeadKey::beside));
        let key = key_file.map(|file| HeadKey::open_or_create(&file)).transpose().map_err(failed)?.map(Arc::new);
        let pit = Pit::new(store, library);
        let practice = practice(&pit, config.practice.as_deref()).await?;
        let app = Arc::new(App::new(pit, config.settings.clone(), recorder()));
        let (sign_every, close_after) = (Duration::from_secs(config.sign_every), config.close_after);
        Ok(Server { app, listener, addr, key, sign_every, close_after, practice })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Its parts.
    #[must_use]
    pub fn app(&self) -> &Shared {
        &self.app
    }

    /// The practice tables that were opened with this start.
    #[must_use]
    pub fn opened(&self) -> &[String] {
        &self.practice.opened
    }

    /// The books under which no practice table can be opened, and why not.
    #[must_use]
    pub fn without_practice(&self) -> &[(String, String)] {
        &self.practice.left
    }

    /// Answers until it is told to stop; then ends streams, finishes what is under way, signs the heads and closes the store.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let Server { app, listener, key, sign_every, close_after, .. } = self;
        let sweeping = tokio::spawn(sweep(Arc::clone(&app)));
        let clearing = tokio::spawn(close_empty(Arc::clone(&app), close_after));
        let signing = key.clone().map(|key| tokio::spawn(sign_often(Arc::clone(&app), key, sign_every)));
        let service = router(Arc::clone(&app)).into_make_service_with_connect_info::<SocketAddr>();
        let told = Arc::clone(&app);
        let mut closing = app.closing();
        let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
            stop.await;
            tracing::info!("closing");
            told.close();
        });
        let late = async {
            let _ = closing.wait_for(|closing| *closing).await;
            tokio::time::sleep(LAST_WORDS).await;
        };
        let served = tokio::select! {
            served = serving => served,
            () = late => Ok(()),
        };
        sweeping.abort();
        clearing.abort();
        if let Some(signing) = signing {
            signing.abort();
        }
        app.pit.close().await;
        if let Some(key) = key {
            sign(&app, &key).await;
        }
        app.store().close().await;
        served
    }
}

async fn sign(app: &App, key: &HeadKey) {
    match app.store().sign_heads(key, now()).await {
        Ok(heads) => tracing::debug!(heads = heads.len(), "heads signed"),
        Err(error) => tracing::error!(%error, "heads not signed"),
    }
}

async fn sign_often(app: Shared, key: Arc<HeadKey>, every: Duration) {
    let mut often = tokio::time::interval(every);
    often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        often.tick().await;
        sign(&app, &key).await;
    }
}

/// Closes private tables that have been empty for so many minutes, for as long as it is let run.
async fn close_empty(app: Shared, minutes: u32) {
    let mut known = Empty::default();
    let mut often = tokio::time::interval(LOOK);
    often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        often.tick().await;
        match app.pit.close_empty(&mut known, minutes, now()).await {
            Ok(closed) => closed.iter().for_each(|table| app.forget_own(table)),
            Err(error) => tracing::warn!(%error, "empty tables are not looked at"),
        }
    }
}

/// The practice tables of a start.
#[derive(Debug, Default)]
struct Practice {
    /// Those that were opened.
    opened: Vec<String>,
    /// The books under which none can be opened, and why not.
    left: Vec<(String, String)>,
}

/// Opens a practice table for every book that has none. A book under which none can be opened costs only its own table.
async fn practice(pit: &Pit, books: Option<&[String]>) -> Result<Practice, NotStarted> {
    let library = Arc::clone(pit.library());
    if let Some(unknown) = books.into_iter().flatten().find(|id| library.book(id).is_none()) {
        return Err(NotStarted::Practice { book: unknown.clone(), why: "there is no such book".to_owned() });
    }
    let mut practice = Practice::default();
    for book in library.books.iter().filter(|book| books.is_none_or(|books| books.contains(&book.id))) {
        let failed = |why: String| NotStarted::Practice { book: book.id.clone(), why };
        let table = format!("practice-{}", book.id);
        let known = pit.store().head(&table).await.map_err(|error| failed(error.to_string()))?;
        if known.seq > 0 {
            continue;
        }
        let mut leave = |why: String| {
            tracing::warn!(book = book.id, why, "no practice table under this book");
            practice.left.push((book.id.clone(), why));
        };
        let house = match HouseRules::practice(book) {
            Ok(house) => house,
            Err(why) => {
                leave(why);
                continue;
            }
        };
        let opening = Opening {
            name: format!("Practice {}", book.id),
            rules: format!("{} as-of {}", house.book, house.as_of),
            house: house.tag(),
            game: None,
            crew: Crew::Automatic,
            dice: DiceFrom::Secret,
            practice: true,
            private: false,
            chat: false,
            window: None,
            slots: Vec::new(),
        };
        match pit.open(&table, opening, By::machine(), now()).await {
            Ok(()) => practice.opened.push(table),
            // Another node was faster.
            Err(OpenError::Taken(_)) => {}
            Err(OpenError::Rules(why)) => leave(why.to_string()),
            Err(error @ OpenError::Store(_)) => return Err(failed(error.to_string())),
        }
    }
    Ok(practice)
}

/// Begins to write the log to standard error; what is written is asked for by `BOXPERSON_TRACE`, as in `info,craps_server=debug`.
pub fn begin_log(format: LogFormat) {
    let filter =
        std::env::var("BOXPERSON_TRACE").ok().and_then(|text| tracing_subscriber::EnvFilter::try_new(text).ok());
    let filter = filter.unwrap_or_else(|| tracing_subscriber::EnvFilter::new("warn,craps_server=info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A log that has begun goes on.
    let _ = match format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().try_init(),
    };
}

/// Comes when the program is asked to stop.
pub async fn asked_to_stop() {
    let interrupted = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
