//! The server: all routes behind one gate, and how it starts and stops.

use crate::app::{App, Shared};
use crate::clock::Jump;
use crate::config::Config;
use crate::error::ApiError;
use crate::live::pit::{OpenError, Pit, now};
use crate::live::{By, DiceFrom, Empty, NotSealed, Opening, Seal};
use crate::net::{Crowd, Net, Patience};
use crate::people::{count_stray, gate, only_tls, sweep};
use crate::routes;
use crate::tls::{Tls, reload_when_asked};
use crate::trust::{self, NotSigned, Signer};
use crate::witness::{DiceWitness, Keeper};
use crate::{faults, figures};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use craps_law::{HouseRules, Library};
use craps_notation::RulesTag;
use craps_store::{Finding, HeadKey, PublicKey, SERVER, SealKey, Store, StoreError};
use craps_table::Crew;
use metrics_exporter_prometheus::PrometheusHandle;
use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tower::util::MapRequestLayer;
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

/// What an operator should do when the log is not what was signed before.
const DISTRUSTED: &str = "Run `boxperson audit` and see \"The log was changed\" in docs/runbook.md.";
/// Maximum time for a response.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the server waits for open requests when it shuts down.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// Maximum number of connections from all addresses. The service file allows as many open files and some more.
pub(crate) const CONNECTIONS: usize = 16_384;
/// How often the clock is compared with the machine's.
const COMPARE: Duration = Duration::from_secs(1);
/// How often the server looks for idle players and empty tables.
const LOOK: Duration = Duration::from_secs(60);
/// How often the lobby's cards are kept.
const CARDS: Duration = Duration::from_secs(5);
/// Least time between two renewals of cards.
const RENEW: Duration = Duration::from_secs(60);
/// Content security policy of our pages. It allows only what is listed here, and nothing from another origin.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Why a server can't start.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The database can't be opened.
    #[error("{db}: {error}")]
    Store {
        /// The database: a file, or `postgres://…`.
        db: String,
        /// The error of the store.
        error: StoreError,
    },
    /// The server can't listen on the address.
    #[error("{addr}: {why}")]
    Address {
        /// The address from the settings.
        addr: SocketAddr,
        /// The reason, and what would work.
        why: String,
    },
    /// Another server uses the SQLite file.
    #[error("{}: {why}", db.display())]
    Locked {
        /// The file.
        db: PathBuf,
        /// The reason, and what would work.
        why: String,
    },
    /// There is no key to sign the logs with.
    #[error("the logs would not be signed: name a key file with --key, or say --unsigned to run without signatures")]
    Unsigned,
    /// There is no key to seal the secrets of the dice with.
    #[error(
        "the secrets of the dice would not be sealed: name a key file with --seal. All servers of one database need the same file, and it must not be in the database or its backups"
    )]
    Unsealed,
    /// The key that seals the secrets of the dice can't be used.
    #[error("{db}: {error}")]
    Seal {
        /// The database: a file, or `postgres://…`.
        db: String,
        /// The reason, and what would work.
        error: NotSealed,
    },
    /// The logs are not what was signed before.
    #[error("{db}: {}\nThe server doesn't start on such a log. {DISTRUSTED} To go on all the same, start with --despite REASON.", trust::listed(.findings))]
    Distrusted {
        /// The database: a file, or `postgres://…`.
        db: String,
        /// What was found.
        findings: Vec<Finding>,
    },
    /// The certificate or its key can't be used.
    #[error("{}: {why}", file.display())]
    Tls {
        /// The file.
        file: PathBuf,
        /// The reason, and what would work.
        why: String,
    },
    /// Traces can't be sent.
    #[error("otlp: {why}")]
    Traces {
        /// The reason.
        why: String,
    },
    /// A practice table can't be opened.
    #[error("practice table for the book `{book}`: {why}")]
    Practice {
        /// Id of the book.
        book: String,
        /// The reason.
        why: String,
    },
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Boxperson",
        description = "Craps exactly as the law says: tables, streams, odds, books. Amounts are integers in cents, fractions are strings."
    ),
    tags((name = "tables", description = "Live tables"), (name = "server", description = "The server itself"))
)]
struct Api;

/// Returns every route with its description.
fn all() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(health))
        .routes(routes!(ready))
        .routes(routes!(measured))
        .routes(routes!(document))
        .merge(routes::routes())
}

/// Returns the OpenAPI document of all routes.
#[must_use]
pub fn openapi() -> Document {
    let mut document = all().split_for_parts().1;
    // The gate checks who asks, and how often, before any route. So these errors can come from every route.
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
            responses.entry("4XX".to_owned()).or_insert_with(|| problem("Another error in the request").into());
            responses
                .entry("503".to_owned())
                .or_insert_with(|| problem("Not available now. Try again in a moment").into());
        }
    }
    document
}

/// Describes the parameter that the gate reads before the route does.
fn invitation() -> Parameter {
    ParameterBuilder::new()
        .name("invitation")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some("The invitation to a private table"))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
        .build()
}

/// Builds the router with all routes and layers.
pub fn router(app: Shared) -> Router {
    let (router, _) = all().split_for_parts();
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let id = HeaderName::from_static("x-request-id");
    // Don't compress these: lines must go out one by one, and fonts are compressed already.
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
        .layer(from_fn_with_state(Arc::clone(&app), only_tls))
        // The handlers log their own failures. Requests that are turned away under load shouldn't fill the log.
        .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(DefaultOnFailure::new().level(Level::DEBUG)))
        .layer(PropagateRequestIdLayer::new(id.clone()))
        .layer(SetRequestIdLayer::new(id.clone(), MakeRequestUuid))
        // Ids are the server's own. A client could choose one that misleads the reader of a log.
        .layer(MapRequestLayer::new(move |mut request: Request<axum::body::Body>| {
            request.headers_mut().remove(&id);
            request
        }))
        .with_state(app)
}

/// Logs method, path and id of a request. Query, headers and body are left out, because they could contain secrets.
fn span<B>(request: &Request<B>) -> tracing::Span {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", method = %request.method(), path = request.uri().path(), id)
}

async fn nothing(State(app): State<Shared>, request: axum::extract::Request) -> ApiError {
    let nothing = || ApiError::not_found("There is nothing at this address. /openapi.json lists all addresses.");
    count_stray(&app, &request).err().unwrap_or_else(nothing)
}

async fn another_method(State(app): State<Shared>, request: axum::extract::Request) -> ApiError {
    let another = || {
        ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "This address takes another method. /openapi.json says which.",
        )
    };
    count_stray(&app, &request).err().unwrap_or_else(another)
}

#[allow(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn broken(_: Box<dyn std::any::Any + Send + 'static>) -> Response {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "This is a bug in the server. Its log says more.")
        .into_response()
}

/// Measures how long responses take, by route and status.
async fn counted(request: axum::extract::Request, next: Next) -> Response {
    let route =
        request.extensions().get::<axum::extract::MatchedPath>().map_or("none", |path| path.as_str()).to_owned();
    let (method, start) = (known_method(request.method()), Instant::now());
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    let labels = [("method", method.to_owned()), ("route", route), ("status", status)];
    metrics::histogram!("boxperson_answer_seconds", &labels).record(start.elapsed());
    response
}

/// Returns the name of a method for metrics. A client can invent methods, so unknown ones share a name.
fn known_method(method: &Method) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// State of the server.
#[derive(serde::Serialize, utoipa::ToSchema)]
struct Health {
    /// Always `ok`.
    status: &'static str,
    /// What an operator should look at, although the server works.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Is the server running?
#[utoipa::path(get, path = "/health", tag = "server", responses((status = 200, description = "The server is running", body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", warnings: Vec::new() })
}

/// Is the server ready to handle requests?
#[utoipa::path(
    get, path = "/ready", tag = "server",
    responses((status = 200, description = "The server is ready", body = Health), (status = 503, description = "The server isn't ready", body = crate::Problem))
)]
async fn ready(State(app): State<Shared>) -> Result<Json<Health>, ApiError> {
    if *app.closing().borrow() {
        return Err(ApiError::later(
            StatusCode::SERVICE_UNAVAILABLE,
            "closing",
            "The server is shutting down. Try again in a moment.",
            5,
        ));
    }
    if let Some(why) = app.pit.distrusted() {
        let words = format!("The server has stopped all tables: {why}. {DISTRUSTED}");
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "distrusted", words));
    }
    app.proof().await?;
    Ok(Json(Health { status: "ok", warnings: app.pit.warnings().all() }))
}

/// Metrics, for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "server",
    responses((status = 200, description = "The metrics", body = String, content_type = "text/plain"))
)]
async fn measured(State(app): State<Shared>) -> Response {
    figures::measure(&app).await;
    let text = app.measured.as_ref().map(PrometheusHandle::render).unwrap_or_default();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// This OpenAPI document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "server",
    responses((status = 200, description = "All requests and their schemas", body = Object, content_type = "application/json"))
)]
async fn document() -> Json<Document> {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    Json(DOCUMENT.get_or_init(openapi).clone())
}

/// A server that is set up and listening, but doesn't answer yet.
pub struct Server {
    app: Shared,
    listener: TcpListener,
    addr: SocketAddr,
    signer: Option<Arc<Signer>>,
    sign_every: Duration,
    close_after: u32,
    practice: Practice,
    tls: Option<Arc<Tls>>,
    /// Keeps other servers away from a SQLite file.
    lock: Option<File>,
}

/// Listens on an address. Returns it with the port that the system chose, if it was to choose one.
pub(crate) async fn listen(addr: SocketAddr) -> Result<(TcpListener, SocketAddr), NotStarted> {
    let wrong = |error: std::io::Error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "the port is in use: stop the program that uses it, or choose another with --addr".to_owned()
            }
            std::io::ErrorKind::PermissionDenied => {
                "not permitted: choose a port of 1024 or above with --addr".to_owned()
            }
            std::io::ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
            _ => error.to_string(),
        };
        NotStarted::Address { addr, why }
    };
    let listener = TcpListener::bind(addr).await.map_err(wrong)?;
    let addr = listener.local_addr().map_err(wrong)?;
    Ok((listener, addr))
}

/// Makes sure that no other server uses this SQLite file. Two of them would not hear of each other's rows.
pub(crate) fn alone(database: &Path) -> Result<File, NotStarted> {
    let mut file = database.as_os_str().to_owned();
    file.push(".lock");
    let file = PathBuf::from(file);
    let wrong = |why: String| NotStarted::Locked { db: database.to_owned(), why };
    let lock = File::options().create(true).append(true).open(&file);
    let lock = lock.map_err(|error| wrong(format!("{}: {error}", file.display())))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            let why = "another server uses it: stop that server, or use PostgreSQL, which several servers can share";
            Err(wrong(why.to_owned()))
        }
        Err(TryLockError::Error(error)) => Err(wrong(format!("{}: {error}", file.display()))),
    }
}

impl Server {
    /// Opens the address and the database, and opens the practice tables that are missing.
    ///
    /// # Errors
    /// When the address, the database or a practice table can't be opened.
    pub async fn start(config: &Config, library: Arc<Library>) -> Result<Server, NotStarted> {
        let tls = config.tls.as_ref().map(Tls::open).transpose()?.map(Arc::new);
        let (listener, addr) = listen(config.addr).await?;
        let failed = |error: StoreError| NotStarted::Store { db: config.db.clone(), error };
        let store = Store::open(&config.db).await.map_err(failed)?;
        let lock = store.file().map(alone).transpose()?;
        let (signer, findings) = match config.key.clone().or_else(|| store.file().map(HeadKey::beside)) {
            Some(file) => {
                let trusted = trusted(&store, &file, &config.witness, config.despite.as_deref()).await;
                let (signer, findings) = trusted.map_err(|error| match error {
                    NotSigned::Store(error) => failed(error),
                    NotSigned::Findings(findings) => NotStarted::Distrusted { db: config.db.clone(), findings },
                })?;
                (Some(Arc::new(signer)), findings)
            }
            None if config.unsigned => (None, Vec::new()),
            None => return Err(NotStarted::Unsigned),
        };
        // The new epoch begins before the log is accepted. If the server stops in between, the next start finds the same log and refuses it again.
        let seal = sealed(&store, config, !findings.is_empty()).await?;
        if let (Some(signer), Some(reason), [_, ..]) = (&signer, &config.despite, findings.as_slice()) {
            tracing::warn!(findings = findings.len(), reason, "the log is accepted as it is");
            signer.accept(&store, &findings, reason, now()).await.map_err(failed)?;
        }
        note_set_back(&store).await;
        let mut pit = Pit::new(store, library).sealed(seal);
        if let Some(at) = &config.dice_witness {
            let file = config.key.clone().or_else(|| pit.store().file().map(HeadKey::beside));
            let key = HeadKey::open(&file.ok_or(NotStarted::Unsigned)?).map_err(failed)?;
            pit = pit.witnessed(DiceWitness::new(at.clone(), key));
        }
        let practice = practice(&pit, config.practice.as_deref()).await?;
        let app = Arc::new(App::new(pit, config.settings.clone(), figures::of_program()));
        let (sign_every, close_after) = (Duration::from_secs(config.sign_every), config.close_after);
        Ok(Server { app, listener, addr, signer, sign_every, close_after, practice, tls, lock })
    }

    /// Returns the address it listens on. If the settings say port 0, this has the actual port.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Returns the parts of the server.
    #[must_use]
    pub fn app(&self) -> &Shared {
        &self.app
    }

    /// Returns the public key that the logs are signed with. None if they aren't signed.
    #[must_use]
    pub fn public_key(&self) -> Option<PublicKey> {
        self.signer.as_ref().map(|signer| signer.public())
    }

    /// Returns the ids of the practice tables that were opened by this start.
    #[must_use]
    pub fn opened(&self) -> &[String] {
        &self.practice.opened
    }

    /// Returns the books that can't have a practice table, and why.
    #[must_use]
    pub fn without_practice(&self) -> &[(String, String)] {
        &self.practice.left
    }

    /// Answers requests until `stop` completes. Then it ends streams, finishes open requests, signs the heads and closes the store.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Server { app, listener, signer, sign_every, close_after, tls, lock, .. } = self;
        if signer.is_some() {
            // The logs were verified when the server started.
            app.note_signature();
        }
        let mut chores = chores(&app, signer.clone(), sign_every, close_after);
        if let Some(tls) = tls.clone() {
            chores.spawn(reload_when_asked(tls));
        }
        let settings = app.desk.settings();
        let crowd = Crowd {
            per_address: usize::try_from(settings.connections).unwrap_or(usize::MAX),
            total: CONNECTIONS,
            unlimited: settings.trusted_proxies.clone(),
        };
        let net = Net { listener, router: router(Arc::clone(&app)), crowd, patience: Patience::default(), tls };
        let told = Arc::clone(&app);
        let mut closing = app.closing();
        tokio::spawn(async move {
            stop.await;
            tracing::info!("closing");
            told.close();
        });
        let late = async {
            let _ = closing.wait_for(|closing| *closing).await;
            tokio::time::sleep(LAST_WORDS).await;
        };
        tokio::select! {
            () = net.serve(app.closing()) => {}
            () = late => {}
        }
        drop(chores);
        app.failures.written().await;
        if let Err(error) = app.pit.keep_cards(&mut HashMap::new()).await {
            tracing::warn!(%error, "the lobby's cards could not be kept");
        }
        app.pit.close().await;
        if let Some(signer) = signer {
            sign(&app, &signer).await;
        }
        app.store().close().await;
        drop(lock);
    }
}

/// Starts what the server does by itself, until the result is dropped.
pub(crate) fn chores(app: &Shared, signer: Option<Arc<Signer>>, sign_every: Duration, close_after: u32) -> JoinSet<()> {
    let mut chores = JoinSet::new();
    chores.spawn(read_trail(Arc::clone(app)));
    chores.spawn(sweep(Arc::clone(app)));
    chores.spawn(watch_clock(Arc::clone(app)));
    chores.spawn(keep_cards(Arc::clone(app)));
    chores.spawn(close_empty(Arc::clone(app), close_after));
    if let Some(handle) = app.measured.clone() {
        chores.spawn(figures::upkeep(handle));
    }
    if let Some(signer) = signer {
        chores.spawn(sign_often(Arc::clone(app), signer, sign_every));
    }
    chores
}

/// Opens the key that seals the secrets of the dice. A log that isn't what was signed before may be an old one, whose open secrets are known: they are
/// retired. A reason to go on is also a reason to take another key.
async fn sealed(store: &Store, config: &Config, differs: bool) -> Result<Seal, NotStarted> {
    let wrong = |error: NotSealed| NotStarted::Seal { db: config.db.clone(), error };
    let file = config.seal.clone().or_else(|| store.file().map(SealKey::beside)).ok_or(NotStarted::Unsealed)?;
    let key = SealKey::open_or_create(&file).map_err(|error| wrong(error.into()))?;
    match Seal::open(store, key.clone(), differs).await {
        Err(NotSealed::OtherKey) if config.despite.is_some() => {
            tracing::warn!(reason = config.despite, "the secrets of the dice are sealed with a new key");
            Seal::open(store, key, true).await.map_err(wrong)
        }
        sealed => sealed.map_err(wrong),
    }
}

/// Opens the key and compares the logs with what was signed before. With a reason to go on, it returns the findings, which the caller has to accept.
pub(crate) async fn trusted(
    store: &Store,
    key: &Path,
    keepers: &[Keeper],
    despite: Option<&str>,
) -> Result<(Signer, Vec<Finding>), NotSigned> {
    let signer = Signer::open(key, keepers)?;
    let findings = signer.verify(store).await?.findings;
    if findings.is_empty() || despite.is_some() { Ok((signer, findings)) } else { Err(NotSigned::Findings(findings)) }
}

async fn sign(app: &App, signer: &Signer) {
    let start = Instant::now();
    let signed = signer.sign(app.store(), app.pit.warnings(), app.pit.clock().now()).await;
    metrics::histogram!("boxperson_signing_seconds").record(start.elapsed());
    match signed {
        Ok(rows) => {
            app.note_signature();
            metrics::counter!("boxperson_signing_rows_total").increment(rows);
            tracing::debug!(rows, "heads signed");
        }
        Err(NotSigned::Store(error)) => {
            metrics::counter!("boxperson_signing_failures_total", "kind" => error.fault().kind.name()).increment(1);
            faults::report(&error.fault());
            tracing::error!(%error, "heads not signed");
        }
        Err(NotSigned::Findings(findings)) => {
            metrics::counter!("boxperson_signing_failures_total", "kind" => "log-changed").increment(1);
            let (why, advice) = (trust::listed(&findings), DISTRUSTED);
            tracing::error!(why, advice, "the log was changed outside of this server, which stops all tables");
            app.pit.distrust(why);
        }
    }
    metrics::gauge!("boxperson_trusted").set(if app.pit.distrusted().is_none() { 1.0 } else { 0.0 });
}

async fn sign_often(app: Shared, signer: Arc<Signer>, every: Duration) {
    let mut often = tokio::time::interval(every);
    often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        often.tick().await;
        sign(&app, &signer).await;
    }
}

/// Compares the clock with the machine's. A jump is a row in the server's own log. Runs until it is aborted.
async fn watch_clock(app: Shared) {
    let mut often = tokio::time::interval(COMPARE);
    loop {
        often.tick().await;
        if let Some(jump) = app.pit.clock().compare() {
            note_jump(app.store(), jump, app.pit.clock().now()).await;
        }
    }
}

/// Reads who has which rights, so that the first request of the staff doesn't have to.
async fn read_trail(app: Shared) {
    if let Err(error) = app.granted.read_ahead(&app.pit).await {
        tracing::debug!(%error, "the trail is read when it is needed");
    }
}

/// Notes a jump if the clock was set back while no server was running: the newest row is later than now.
async fn note_set_back(store: &Store) {
    // What reads the store next says why it can't be read.
    let (newest, at) = (store.newest().await.ok().flatten(), now());
    if let Some(jump) = newest.and_then(|newest| Jump::back(newest, at)) {
        note_jump(store, jump, at).await;
    }
}

/// Notes a jump of the clock in the server's own log.
async fn note_jump(store: &Store, jump: Jump, at: i64) {
    let advice = "Check the time service of this machine. Rows never go back in time.";
    tracing::error!(from = jump.from, to = jump.to, advice, "the clock of this machine jumped");
    metrics::counter!("boxperson_clock_jumps_total").increment(1);
    let body = serde_json::json!({ "did": "clock-jumped", "what": jump }).to_string();
    if let Err(error) = store.note(SERVER, at, "", &body).await {
        tracing::error!(%error, "the jump could not be written to the log");
    }
}

/// Keeps the cards of the lobby. Runs until it is aborted.
async fn keep_cards(app: Shared) {
    renew_cards(&app).await;
    let mut renewed = Instant::now();
    let (mut kept, mut often) = (HashMap::new(), tokio::time::interval(CARDS));
    often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        often.tick().await;
        // A table that can't be read is tried again now and then, not for every request.
        if app.pit.lacks_cards() && renewed.elapsed() > RENEW {
            renew_cards(&app).await;
            renewed = Instant::now();
        }
        if let Err(error) = app.pit.keep_cards(&mut kept).await {
            tracing::debug!(%error, "the lobby's cards could not be kept");
        }
    }
}

async fn renew_cards(app: &Shared) {
    if let Err(error) = app.pit.renew_cards().await {
        tracing::warn!(%error, "the lobby's cards could not be renewed");
    }
}

/// Frees the seats of idle players, and closes tables of players that have been empty for `minutes`. Runs until it is aborted.
async fn close_empty(app: Shared, minutes: u32) {
    let mut known = Empty::default();
    let mut often = tokio::time::interval(LOOK);
    often.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        often.tick().await;
        // Nothing is added to a log that was changed by others.
        if app.pit.distrusted().is_some() {
            continue;
        }
        app.pit.free_seats();
        app.pit.unload();
        match app.pit.close_empty(&mut known, minutes, app.pit.clock().now()).await {
            Ok(closed) => closed.iter().for_each(|table| app.forget_own(table)),
            Err(error) => tracing::warn!(%error, "empty tables could not be checked"),
        }
    }
}

/// The practice tables at the start of the server.
#[derive(Debug, Default)]
struct Practice {
    /// Ids of the tables that were opened.
    opened: Vec<String>,
    /// The books that can't have a practice table, and why.
    left: Vec<(String, String)>,
}

/// Opens a practice table for every book that has none. If a book can't have one, the others still open.
async fn practice(pit: &Pit, books: Option<&[String]>) -> Result<Practice, NotStarted> {
    let library = Arc::clone(pit.library());
    if let Some(unknown) = books.into_iter().flatten().find(|id| library.book(id).is_none()) {
        return Err(NotStarted::Practice { book: unknown.clone(), why: "there is no book with this id".to_owned() });
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
            tracing::warn!(book = book.id, why, "no practice table for this book");
            practice.left.push((book.id.clone(), why));
        };
        let house = match HouseRules::practice(book) {
            Ok(house) => house,
            Err(why) => {
                leave(why.to_string());
                continue;
            }
        };
        let opening = Opening {
            name: format!("Practice {}", book.id),
            rules: RulesTag::of(&house),
            house: house.tag(),
            game: None,
            crew: Crew::Automatic,
            dice: DiceFrom::Secret,
            practice: true,
            private: false,
            chat: false,
            window: None,
            asks: false,
            funded: true,
            witness: None,
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

/// Completes when the program is asked to stop, by Ctrl-C or a signal. Listens from the call on, not from the first poll: a signal that arrives while
/// a server starts counts.
///
/// # Panics
/// Outside of an asynchronous runtime.
pub fn asked_to_stop() -> impl Future<Output = ()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut listening = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
        std::future::poll_fn(move |context| {
            let came = listening.iter_mut().flatten().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
    }
    #[cfg(not(unix))]
    async {
        let _ = tokio::signal::ctrl_c().await;
    }
}
