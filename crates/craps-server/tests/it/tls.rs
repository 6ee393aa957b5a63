//! The server behind its own certificate and behind a proxy, over real connections.

use crate::support::{Here, Shows};
use craps_server::people::records::{Records, hashed};
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

const HSTS: &str = "strict-transport-security: max-age=31536000";
const NAME: &str = "club.example";

/// Writes a new certificate and its key, and returns the certificate.
fn certificate(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()]).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    made.cert.der().clone()
}

async fn connect(addr: SocketAddr, root: &CertificateDer<'static>) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(root.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
    let stream = TcpStream::connect(addr).await?;
    let name = ServerName::try_from(NAME).unwrap();
    TlsConnector::from(Arc::new(config.with_no_client_auth())).connect(name, stream).await
}

/// Sends a request and returns the whole answer in lower case.
async fn ask(stream: &mut TlsStream<TcpStream>, request: &str, host: &str, body: &str) -> String {
    let length = body.len();
    let head = format!(
        "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all((head + body).as_bytes()).await.unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read).await;
    String::from_utf8_lossy(&read).to_lowercase()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_certificate_speaks_tls_and_only_tls() {
    let folder = tempfile::tempdir().unwrap();
    let (root, other) = (certificate(folder.path()), certificate(tempfile::tempdir().unwrap().path()));
    let here = Here::with(|given| {
        given.tls_cert = Some(folder.path().join("cert.pem"));
        given.tls_key = Some(folder.path().join("key.pem"));
    })
    .await;
    let hash = hashed("Ann", "correct horse battery").unwrap();
    Records::new(here.app.store(), "test").add_account("Ann", &hash).await.unwrap();
    let sign_in = json!({ "name": "Ann", "password": "correct horse battery" }).to_string();
    for (request, host, body, status, hsts) in [
        ("POST /sign-in", NAME, sign_in.as_str(), "201", true),
        ("GET /health", NAME, "", "200", true),
        // Every answer says it, also that of an error.
        ("GET /nowhere", NAME, "", "404", true),
        ("GET /accounts", NAME, "", "401", true),
        ("PUT /health", NAME, "", "405", true),
        ("GET /", NAME, "", "200", true),
        // Other programs on this machine may speak plain HTTP.
        ("GET /health", "localhost:8080", "", "200", false),
    ] {
        let mut stream = connect(here.addr, &root).await.unwrap();
        let answer = ask(&mut stream, request, host, body).await;
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{request}: {answer}");
        assert_eq!(answer.contains(HSTS), hsts, "{request} {host}: {answer}");
    }
    let untrusted = connect(here.addr, &other).await.unwrap_err();
    assert!(untrusted.to_string().contains("invalid peer certificate"), "{untrusted}");
    // Plain HTTP gets no answer.
    let mut plain = TcpStream::connect(here.addr).await.unwrap();
    plain.write_all(b"GET /health HTTP/1.1\r\nHost: club.example\r\n\r\n").await.unwrap();
    let mut read = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), plain.read_to_end(&mut read)).await.unwrap();
    assert!(!read.starts_with(b"HTTP"), "{read:?}");
    here.stop().await;
}

/// A certificate that was renewed is used for new connections after a SIGHUP, and open connections go on.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_certificate_is_used_after_a_sighup() {
    // Without this, a signal that comes before the server listens would end the tests.
    let _listening = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).unwrap();
    let hang_up = || {
        let id = std::process::id().to_string();
        assert!(std::process::Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    };
    let folder = tempfile::tempdir().unwrap();
    let old = certificate(folder.path());
    let here = Here::with(|given| {
        given.tls_cert = Some(folder.path().join("cert.pem"));
        given.tls_key = Some(folder.path().join("key.pem"));
    })
    .await;
    let mut open = connect(here.addr, &old).await.unwrap();
    // Files that don't fit together leave the old certificate in use.
    std::fs::write(folder.path().join("cert.pem"), "").unwrap();
    hang_up();
    tokio::time::sleep(Duration::from_millis(200)).await;
    connect(here.addr, &old).await.unwrap();

    let new = certificate(folder.path());
    let renewed = async {
        while connect(here.addr, &new).await.is_err() {
            hang_up();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), renewed).await.unwrap();
    assert!(connect(here.addr, &old).await.is_err());
    assert!(ask(&mut open, "GET /health", NAME, "").await.starts_with("http/1.1 200"));
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_trusted_proxy_is_believed_that_it_speaks_tls() {
    let proxied = [("Host", NAME), ("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", "https")];
    let plain = [("Host", NAME), ("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", "http")];
    let trusting = Here::with(|given| given.trusted_proxies = Some(vec!["127.0.0.1".parse().unwrap()])).await;
    let doubting = Here::new().await;
    for (here, headers, expected) in
        [(&trusting, &proxied, true), (&trusting, &plain, false), (&doubting, &proxied, false)]
    {
        for path in ["/health", "/nowhere"] {
            let reply = here.send("GET", path, &Shows::Nothing, headers, b"").await;
            assert_eq!(reply.header("strict-transport-security").is_some(), expected, "{path} {headers:?}");
        }
    }
    trusting.stop().await;
    doubting.stop().await;
}
