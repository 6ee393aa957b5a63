//! TLS that the server ends itself, with a certificate from files.

use crate::config::Certificate;
use crate::server::NotStarted;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate that can be replaced while the server runs.
pub(crate) struct Tls {
    files: Certificate,
    acceptor: RwLock<TlsAcceptor>,
}

impl Tls {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    /// When a file can't be read, isn't PEM, or the key doesn't belong to the certificate.
    pub(crate) fn open(files: &Certificate) -> Result<Tls, NotStarted> {
        Ok(Tls { files: files.clone(), acceptor: RwLock::new(acceptor(files)?) })
    }

    /// Returns what new connections use.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the files again. Open connections keep the certificate that they began with.
    ///
    /// # Errors
    /// As [`Tls::open`]. Then the old certificate stays in use.
    pub(crate) fn reload(&self) -> Result<(), NotStarted> {
        let new = acceptor(&self.files)?;
        *self.acceptor.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }
}

/// Reads the certificate again whenever the program gets a SIGHUP. It never returns.
pub(crate) async fn reload_when_asked(tls: Arc<Tls>) {
    #[cfg(not(unix))]
    drop(tls);
    #[cfg(unix)]
    if let Ok(mut asked) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()) {
        while asked.recv().await.is_some() {
            match tls.reload() {
                Ok(()) => tracing::info!("the certificate was read again"),
                Err(error) => tracing::error!(%error, "the old certificate stays in use"),
            }
        }
    }
    std::future::pending().await
}

fn acceptor(Certificate { cert, key }: &Certificate) -> Result<TlsAcceptor, NotStarted> {
    let wrong = |file: &Path, why: String| NotStarted::Tls { file: file.to_owned(), why };
    let unread = |error: pem::Error, expected: &str| match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => format!("expected {expected} as PEM, found none"),
        error => format!("expected {expected} as PEM: {error}"),
    };
    let certificates = CertificateDer::pem_file_iter(cert).and_then(|all| all.collect::<Result<Vec<_>, _>>());
    let certificates = certificates.map_err(|error| wrong(cert, unread(error, "certificates")))?;
    if certificates.is_empty() {
        return Err(wrong(cert, "expected certificates as PEM, found none".to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, unread(error, "a private key")))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(cert, error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|error| wrong(key, format!("the key doesn't fit the certificate in {}: {error}", cert.display())))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_wrong_with_a_certificate_is_said_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let made = |name: &str| {
            let pair = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
            (pair.cert.pem(), pair.signing_key.serialize_pem())
        };
        let ((cert, key), (_, other)) = (made("club.example"), made("club.example"));
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let (cert, key, other) = (file("cert", &cert), file("key", &key), file("other", &other));
        let (empty, nowhere) = (file("empty", ""), folder.path().join("nowhere"));
        let broken = file("broken", "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n");
        let refused = |cert: &Path, key: &Path| {
            let files = Certificate { cert: cert.to_owned(), key: key.to_owned() };
            Tls::open(&files).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(refused(&cert, &key), "");
        for (cert, key, words) in [
            (&nowhere, &key, ["nowhere: ", "No such file"]),
            (&cert, &nowhere, ["nowhere: ", "No such file"]),
            (&empty, &key, ["empty: ", "expected certificates as PEM, found none"]),
            (&key, &key, ["key: ", "expected certificates as PEM, found none"]),
            (&broken, &key, ["broken: ", "expected certificates as PEM: "]),
            (&cert, &cert, ["cert: ", "expected a private key as PEM, found none"]),
            (&cert, &other, ["other: ", "the key doesn't fit the certificate in "]),
        ] {
            let said = refused(cert, key);
            assert!(words.iter().all(|word| said.contains(word)), "{words:?}: {said}");
        }
        // A wrong file doesn't replace a certificate that works.
        let tls = Tls::open(&Certificate { cert: cert.clone(), key: key.clone() }).unwrap();
        fs::write(&key, "").unwrap();
        assert!(tls.reload().is_err());
        tls.acceptor();
    }
}
