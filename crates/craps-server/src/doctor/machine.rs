//! What the machine gives the server: its certificate and its open files.

use super::Check;
use crate::clock;
use crate::config::{Certificate, Config};
use crate::tls::Tls;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use x509_parser::parse_x509_certificate;

/// How many days before its end a certificate should be renewed.
const RENEW: i64 = 21;
const DAY: i64 = 24 * 60 * 60;
/// Open files that the server needs besides its connections.
const OTHER_FILES: u64 = 128;
/// What the service file allows.
const SERVICE: u64 = 20_000;

pub(super) fn certificate(certificate: &Certificate) -> Check {
    const NAME: &str = "certificate";
    let renew = "Renew the certificate, put it where `tls_cert` and `tls_key` point, and send the server a SIGHUP.";
    if let Err(error) = Tls::open(certificate) {
        return Check::failed(
            NAME,
            error.to_string(),
            "The server doesn't start with it. Put the right files in place.",
        );
    }
    match valid(certificate) {
        Err(why) => Check::failed(NAME, format!("{}: {why}", certificate.cert.display()), renew),
        Ok((from, until)) => {
            let now = clock::now() / 1_000;
            let days = (until - now).div_euclid(DAY);
            match days {
                _ if from > now => Check::failed(NAME, "it is not valid yet", "Check the clock of this machine."),
                _ if until <= now => Check::failed(NAME, format!("it expired {} days ago", -days), renew),
                ..RENEW => Check::warning(NAME, format!("it is valid for {days} more days"), renew),
                _ => Check::ok(NAME, format!("it is valid for {days} more days")),
            }
        }
    }
}

/// Returns from when until when all certificates of a file are valid, in Unix seconds.
fn valid(Certificate { cert, .. }: &Certificate) -> Result<(i64, i64), String> {
    let (mut from, mut until) = (i64::MIN, i64::MAX);
    for der in CertificateDer::pem_file_iter(cert).map_err(|error| error.to_string())? {
        let der = der.map_err(|error| error.to_string())?;
        let (_, parsed) = parse_x509_certificate(&der).map_err(|error| error.to_string())?;
        let validity = parsed.validity();
        from = from.max(validity.not_before.timestamp());
        until = until.min(validity.not_after.timestamp());
    }
    Ok((from, until))
}

#[cfg(unix)]
fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(unix))]
fn limit() -> Option<u64> {
    None
}

pub(super) fn open_files(config: &Config) -> Check {
    const NAME: &str = "open files";
    let needed = u64::from(config.settings.connections) + OTHER_FILES;
    match limit() {
        None => Check::ok(NAME, "no limit"),
        Some(limit) if limit < needed => Check::warning(
            NAME,
            format!("this shell allows {limit}, but the connections of one address alone can need {needed}"),
            format!(
                "Raise the limit where the server starts: LimitNOFILE={SERVICE} in its unit, or `ulimit -n {SERVICE}`."
            ),
        ),
        Some(limit) => Check::ok(NAME, format!("{limit} in this shell; the service file sets {SERVICE}")),
    }
}
