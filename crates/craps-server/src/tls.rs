//! TLS that the server ends itself, with a certificate from files.

use crate::config::Certificate;
use crate::server::NotStarted;
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Reads the certificate and its key.
///
/// # Errors
/// When a file can't be read, isn't PEM, or the key doesn't belong to the certificate.
pub(crate) fn acceptor(Certificate { cert, key }: &Certificate) -> Result<TlsAcceptor, NotStarted> {
    let wrong = |file: &Path, why: String| NotStarted::Tls { file: file.to_owned(), why };
    let certificates = CertificateDer::pem_file_iter(cert).and_then(|all| all.collect::<Result<Vec<_>, _>>());
    let certificates = certificates.map_err(|error| wrong(cert, format!("expected certificates as PEM: {error}")))?;
    if certificates.is_empty() {
        return Err(wrong(cert, "expected certificates as PEM, found none".to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(key);
    let secret = secret.map_err(|error| wrong(key, format!("expected a private key as PEM: {error}")))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(cert, error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|error| wrong(key, format!("the key doesn't fit the certificate: {error}")))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
