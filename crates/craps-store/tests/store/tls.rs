//! Tests of PostgreSQL over TLS, on a server of their own.

use craps_store::testing::{Pem, PrivatePostgres, postgres_with_tls};
use craps_store::{NewRow, Store, StoreError};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use sqlx::{Connection, PgConnection};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A server with a certificate for 127.0.0.1, and the files of two roots: the one that signed it, and another.
struct Grounds {
    server: PrivatePostgres,
    root: PathBuf,
    other: PathBuf,
    _folder: tempfile::TempDir,
}

fn issuer() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

impl Grounds {
    fn new() -> Grounds {
        let (root, other) = (issuer(), issuer());
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &root).unwrap().pem();
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, issuer: &CertifiedIssuer<'_, KeyPair>| {
            let path = folder.path().join(name);
            fs::write(&path, issuer.pem()).unwrap();
            path
        };
        let (root, other) = (file("root.pem", &root), file("other.pem", &other));
        let server = postgres_with_tls(Pem { certificate: &certificate, key: &key.serialize_pem() });
        Grounds { server, root, other, _folder: folder }
    }

    fn url(&self, query: &str) -> String {
        format!("{}?{query}", self.server.url("postgres"))
    }

    /// Waits until all connections of a store are encrypted, or until none is, as the server sees it. Those of a closed store take a moment to end.
    async fn are_encrypted(&self, expected: bool) {
        let mut connection = PgConnection::connect(&self.url("sslmode=disable")).await.unwrap();
        let sql = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'boxperson'";
        let mut found = Vec::new();
        for _ in 0..400 {
            found = sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
            if found.len() >= 2 && found.iter().all(|is: &bool| *is == expected) {
                return connection.close().await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("expected {expected}, found {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_reached_over_tls_and_only_where_the_certificate_is_right() {
    let grounds = Grounds::new();
    let (root, other) = (grounds.root.display(), grounds.other.display());
    let row = || NewRow { at: 0, client: "box".into(), key: None, body: "{}".into() };
    // Without a word about it, TLS is used where the server has it.
    for (rows, query) in [
        (0, format!("sslmode=verify-full&sslrootcert={root}")),
        (1, format!("sslmode=verify-ca&sslrootcert={root}")),
        (2, "sslmode=require".to_owned()),
        (3, "application_name=x".to_owned()),
    ] {
        let store = Store::open(&grounds.url(&query)).await.unwrap();
        store.append("north", rows, vec![row()]).await.unwrap();
        assert_eq!(store.load("north", rows, 10).await.unwrap().len(), 1, "the readers are connected, too");
        grounds.are_encrypted(true).await;
        store.close().await;
    }
    let store = Store::open(&grounds.url("sslmode=disable")).await.unwrap();
    store.head("north").await.unwrap();
    store.load("north", 0, 1).await.unwrap();
    grounds.are_encrypted(false).await;
    store.close().await;

    // Somebody else's certificate, and the right certificate at another name.
    let elsewhere = |url: String| url.replace("127.0.0.1", "localhost");
    for (url, words) in [
        (grounds.url(&format!("sslmode=verify-full&sslrootcert={other}")), "invalid peer certificate"),
        (grounds.url(&format!("sslmode=verify-ca&sslrootcert={other}")), "invalid peer certificate"),
        (grounds.url("sslmode=verify-full"), "UnknownIssuer"),
        (elsewhere(grounds.url(&format!("sslmode=verify-full&sslrootcert={root}"))), "not valid for name"),
        (grounds.url("sslmode=verify-full&sslrootcert=/nowhere.pem"), "No such file"),
        (grounds.url(&format!("sslrootcert={root}")), "counts only with sslmode=verify-full"),
    ] {
        let refused = Store::open(&url).await.unwrap_err();
        assert!(refused.to_string().contains(words), "{url}: {refused}");
    }
    let store = Store::open(&elsewhere(grounds.url(&format!("sslmode=verify-ca&sslrootcert={root}")))).await.unwrap();
    store.close().await;
}

/// A server without TLS isn't used by those who ask for it.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_who_asks_for_tls_is_connected_without_it() {
    let url = craps_store::testing::postgres_database().await;
    for mode in ["require", "verify-ca", "verify-full"] {
        let refused = Store::open(&format!("{url}?sslmode={mode}")).await.unwrap_err();
        assert!(matches!(refused, StoreError::Database(sqlx::Error::Tls(_))), "{mode}: {refused}");
    }
    Store::open(&url).await.unwrap().close().await;
}
