//! What a server says to a witness over HTTP. Every answer that counts is signed, so TLS only hides what is said.

use super::Answer;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{Method, Request, StatusCode, Uri};
use craps_store::{PublicKey, Question, Receipt, SignedHead, read_heads};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// How long a witness may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum size of an answer, in bytes: the heads of many logs.
const ANSWER_MOST: usize = 256 << 20;
/// How many heads are sent at once.
pub(super) const HEADS: usize = 1_000;

/// Why a witness didn't do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unheard {
    /// It can't be reached, or it isn't a witness.
    #[error("{0}")]
    Unreachable(String),
    /// It refuses: what it knows contradicts the request, or it doesn't know the key.
    #[error("it refuses: {0}")]
    Refused(String),
}

/// Is this the address of a server?
pub(super) fn is_address(url: &str) -> bool {
    url.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    })
}

/// Asks a witness to take part in a roll.
pub(super) async fn ask(url: &str, question: &Question) -> Result<Answer, Unheard> {
    parsed(&send(url, "/dice", Some(question)).await?)
}

/// Sends heads, at most [`HEADS`].
pub(super) async fn give(url: &str, heads: &[SignedHead]) -> Result<Receipt, Unheard> {
    parsed(&send(url, "/heads", Some(&heads)).await?)
}

/// Returns the last heads that a witness has of this store or of this key.
pub(super) async fn heads(url: &str, store: &str, key: &PublicKey) -> Result<Vec<SignedHead>, Unheard> {
    lines(&send::<()>(url, &format!("/heads?store={store}&key={key}"), None).await?)
}

/// Returns all heads that a witness at an address has. Everybody may read them.
///
/// # Errors
/// When it can't be reached, or doesn't answer with heads.
pub async fn read_heads_from(url: &str) -> Result<Vec<SignedHead>, Unheard> {
    let url = url.split('#').next().unwrap_or_default().trim_end_matches('/');
    lines(&send::<()>(url, "/heads", None).await?)
}

fn lines(bytes: &[u8]) -> Result<Vec<SignedHead>, Unheard> {
    read_heads(bytes).map_err(|error| Unheard::Unreachable(error.to_string()))
}

fn parsed<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, Unheard> {
    serde_json::from_slice(bytes)
        .map_err(|error| Unheard::Unreachable(format!("this isn't the answer of a witness: {error}")))
}

async fn send<T: Serialize>(url: &str, path: &str, body: Option<&T>) -> Result<Vec<u8>, Unheard> {
    let silent = |_| Unheard::Unreachable(format!("no answer within {} seconds", PATIENCE.as_secs()));
    let (status, bytes) = tokio::time::timeout(PATIENCE, asked(url, path, body)).await.map_err(silent)??;
    if status.is_success() {
        return Ok(bytes);
    }
    let problem: Option<Said> = serde_json::from_slice(&bytes).ok();
    match problem {
        Some(problem) if matches!(status, StatusCode::CONFLICT | StatusCode::FORBIDDEN) => {
            Err(Unheard::Refused(problem.message))
        }
        Some(problem) => Err(Unheard::Unreachable(format!("{status}: {}", problem.message))),
        None => Err(Unheard::Unreachable(format!("this isn't the answer of a witness: {status}"))),
    }
}

/// The part of an error that is passed on.
#[derive(serde::Deserialize)]
struct Said {
    message: String,
}

async fn asked<T: Serialize>(url: &str, path: &str, body: Option<&T>) -> Result<(StatusCode, Vec<u8>), Unheard> {
    let failed = |error: &dyn std::fmt::Display| Unheard::Unreachable(error.to_string());
    let uri: Uri = format!("{url}{path}").parse().map_err(|error| failed(&error))?;
    let (host, tls) = (uri.host().unwrap_or_default(), uri.scheme_str() == Some("https"));
    let port = uri.port_u16().unwrap_or(if tls { 443 } else { 80 });
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await.map_err(|error| failed(&error))?;
    let _ = stream.set_nodelay(true);
    let method = if body.is_some() { Method::POST } else { Method::GET };
    let body = body.map(serde_json::to_vec).transpose().map_err(|error| failed(&error))?.unwrap_or_default();
    let request = Request::builder()
        .method(method)
        .uri(uri.path_and_query().map_or(path, |path| path.as_str()))
        .header(HOST, uri.authority().map_or(host, |authority| authority.as_str()))
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .map_err(|error| failed(&error))?;
    if !tls {
        return exchange(stream, request).await;
    }
    let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(&error))?;
    let stream = connector()?.connect(name, stream).await.map_err(|error| failed(&error))?;
    exchange(stream, request).await
}

async fn exchange<S>(stream: S, request: Request<Body>) -> Result<(StatusCode, Vec<u8>), Unheard>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let failed = |error: hyper::Error| Unheard::Unreachable(error.to_string());
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    let connection = tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(failed)?;
    let (status, body) = (response.status(), Body::new(response.into_body()));
    let bytes = to_bytes(body, ANSWER_MOST).await.map_err(|error| Unheard::Unreachable(error.to_string()));
    connection.abort();
    Ok((status, bytes?.to_vec()))
}

/// Returns the TLS client, which trusts what the system trusts.
fn connector() -> Result<TlsConnector, Unheard> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(TlsConnector::from(Arc::clone(config)));
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Unheard::Unreachable(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::clone(CONFIG.get_or_init(|| Arc::new(config)))))
}
