//! For tests: a private PostgreSQL server, which runs on loopback in a temporary folder and stops with the process that started it; and what a
//! simulation puts in place of the disk, of chance, and of the notifications between nodes.

use crate::base::{Access, Base, Pool, on};
use crate::disk::Disk;
use crate::error::StoreError;
use crate::store::Store;
use crate::stream::Moved;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::cell::RefCell;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// User that runs the server when the tests run as root, because PostgreSQL doesn't run as root.
const USER: &str = "postgres";
const START_MOST: Duration = Duration::from_secs(60);

/// A running server. A keeper shell reads from a pipe of this process. When the process ends for any reason, the shell stops
/// the server and removes the folder.
#[derive(Debug)]
pub struct PrivatePostgres {
    port: u16,
    _keeper: Child,
}

/// Returns the server of this process. The first call starts it.
///
/// # Panics
/// If PostgreSQL is not installed or doesn't start.
pub fn postgres() -> &'static PrivatePostgres {
    static SERVER: OnceLock<PrivatePostgres> = OnceLock::new();
    SERVER.get_or_init(|| start(None).unwrap_or_else(|why| panic!("{why}")))
}

/// A certificate and its private key, as PEM.
#[derive(Debug, Clone, Copy)]
pub struct Pem<'a> {
    /// The certificate.
    pub certificate: &'a str,
    /// Its private key.
    pub key: &'a str,
}

/// Starts another server, which speaks TLS with this certificate.
///
/// # Panics
/// As [`postgres`].
pub fn postgres_with_tls(pem: Pem<'_>) -> PrivatePostgres {
    start(Some(pem)).unwrap_or_else(|why| panic!("{why}"))
}

/// Makes a new empty database on the server of this process and returns its URL.
///
/// # Panics
/// As [`postgres`].
pub async fn postgres_database() -> String {
    let server = postgres();
    let name = format!("t{}", crate::new_id().unwrap_or_else(|error| panic!("{error}")));
    server.execute(&format!("CREATE DATABASE {name}")).await;
    server.url(&name)
}

impl PrivatePostgres {
    /// Returns the URL of one of its databases.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    /// Runs SQL as the owner of the server.
    ///
    /// # Panics
    /// If the SQL fails.
    pub async fn execute(&self, sql: &str) {
        let run = async {
            let mut connection = PgConnection::connect(&self.url("postgres")).await?;
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
            connection.close().await
        };
        run.await.unwrap_or_else(|error: sqlx::Error| panic!("{sql}: {error}"));
    }

    /// Terminates all connections to a database, even busy ones.
    ///
    /// # Panics
    /// If the SQL fails.
    pub async fn kill_connections(&self, url: &str) {
        let database = url.rsplit('/').next().unwrap_or_default();
        let sql = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'");
        self.execute(&sql).await;
    }
}

/// Finds the folder of PostgreSQL's programs: the newest version in Debian's folder, or else on the `PATH`.
fn programs() -> Result<PathBuf, String> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = debian
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, folder)| folder.join("initdb").exists())
        .collect();
    versions.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = || std::env::split_paths(&path).find(|folder| folder.join("initdb").exists());
    let found = versions.pop().map(|(_, folder)| folder).or_else(on_path);
    found.ok_or_else(|| "this test needs PostgreSQL: install the package postgresql (initdb is missing)".to_owned())
}

fn output(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Makes a shell command that doesn't run as root.
fn shell(script: &str, is_root: bool) -> Command {
    let mut command = Command::new(if is_root { "su" } else { "sh" });
    if is_root {
        command.args([USER, "-s", "/bin/sh"]);
    }
    command.args(["-c", script]);
    command
}

/// Writes a file that only the user of the server can read.
fn write(file: &str, text: &str, is_root: bool) -> Result<(), String> {
    let mut writer = shell(&format!("umask 077; cat > {file}"), is_root);
    let mut writer = writer.stdin(Stdio::piped()).spawn().map_err(|error| format!("{file}: {error}"))?;
    let written = writer.stdin.take().map(|mut input| input.write_all(text.as_bytes()));
    let ended = writer.wait();
    match (written, ended) {
        (Some(Ok(())), Ok(status)) if status.success() => Ok(()),
        (written, ended) => Err(format!("{file}: {written:?} {ended:?}")),
    }
}

fn start(tls: Option<Pem<'_>>) -> Result<PrivatePostgres, String> {
    let bin = programs()?;
    let is_root = output(Command::new("id").arg("-u"))? == "0";
    // Made by the user that will own it.
    let folder = output(&mut shell("mktemp -d", is_root))?;
    let initdb = format!("{}/initdb -D {folder}/data -A trust -U {USER} -E UTF8 --locale=C --no-sync", bin.display());
    output(&mut shell(&initdb, is_root))?;
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).map_err(|e| e.to_string())?.port();
    let mut more = String::new();
    if let Some(Pem { certificate, key }) = tls {
        let files = [format!("{folder}/server.crt"), format!("{folder}/server.key")];
        write(&files[0], certificate, is_root)?;
        write(&files[1], key, is_root)?;
        more = format!("-c ssl=on -c ssl_cert_file={} -c ssl_key_file={}", files[0], files[1]);
    }
    let script = keeper(&bin, &folder, port, &more);
    let mut keeper = shell(&script, is_root);
    let keeper = keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let server = PrivatePostgres { port, _keeper: keeper.map_err(|error| format!("su or sh: {error}"))? };
    let ready = format!("{}/pg_isready -q -h 127.0.0.1 -p {port}", bin.display());
    let since = Instant::now();
    while output(&mut shell(&ready, false)).is_err() {
        if since.elapsed() > START_MOST {
            let log = fs::read_to_string(Path::new(&folder).join("log")).unwrap_or_default();
            return Err(format!("PostgreSQL did not start on port {port}: {log}"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(server)
}

/// Returns a script that runs the server until its input ends, then removes the folder.
fn keeper(bin: &Path, folder: &str, port: u16, more: &str) -> String {
    let bin = bin.display();
    format!(
        "trap '' INT HUP TERM; \
         {bin}/postgres -D {folder}/data -p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200 {more} \
         >{folder}/log 2>&1 & \
         server=$!; read -r _; kill -QUIT $server; wait $server; rm -rf {folder}"
    )
}

/// Lets the writing connection of a SQLite store find the disk full, until the store opens another connection.
///
/// # Panics
/// If the store is not in SQLite, or the SQL fails.
pub async fn fill_disk(store: &Store) {
    let Pool::Sqlite(pool) = &store.base().write else { panic!("only SQLite has a limit of its own") };
    // One page more than there are now.
    sqlx::query("PRAGMA max_page_count = 1").execute(pool).await.unwrap_or_else(|error| panic!("{error}"));
}

/// Opens a SQLite store that goes through a disk, which is asked before every step after the opening.
pub async fn open_on(url: &str, disk: Arc<dyn Disk>) -> Result<Store, StoreError> {
    let mut opened = None;
    disk.run(pin!(async { opened = Some(Base::open(url, Access::Create).await) }));
    let mut base = opened.unwrap_or_else(|| unreachable!("a disk runs work to its end"))?;
    for pool in [&mut base.write, &mut base.read] {
        on!(Pool, pool, pool => pool.set_disk(Arc::clone(&disk)));
    }
    Store::on(base).await
}

/// Passes a notification of another node on to the subscribers of a store.
pub fn tell(store: &Store, moved: Moved) {
    store.tell(moved);
}

/// Gives random bytes.
type Source = Box<dyn FnMut(&mut [u8])>;

thread_local! {
    static SOURCE: RefCell<Option<Source>> = const { RefCell::new(None) };
}

/// Takes all random numbers of this thread from a source, or from the system again.
pub fn draw_from(source: Option<Source>) {
    SOURCE.set(source);
}

/// Fills bytes from the source of this thread. False if there is none.
pub(crate) fn drawn(bytes: &mut [u8]) -> bool {
    SOURCE.with_borrow_mut(|source| match source {
        Some(source) => {
            source(bytes);
            true
        }
        None => false,
    })
}

/// Says how a step to a file fails, if it does. True means that the step writes.
type FileFaults = Box<dyn FnMut(bool) -> Option<std::io::Error>>;

thread_local! {
    static FILE_FAULTS: RefCell<Option<FileFaults>> = const { RefCell::new(None) };
}

/// Has steps to files of signed heads fail on this thread, or no longer.
pub fn fail_files(faults: Option<FileFaults>) {
    FILE_FAULTS.set(faults);
}

/// Returns how a step to a file fails.
pub(crate) fn file_fault(writes: bool) -> Option<std::io::Error> {
    FILE_FAULTS.with_borrow_mut(|faults| faults.as_mut().and_then(|faults| faults(writes)))
}

/// Counts how many single-row commits the bare database does in this time, with one connection and the same durability as a
/// store.
///
/// # Panics
/// If the database can't be opened or is not empty.
pub async fn bare_commits(url: &str, body: &str, time: Duration) -> u64 {
    let base = Base::connect(url, Access::Create).await.unwrap_or_else(|error| panic!("{error}"));
    let failed = |error: sqlx::Error| -> u64 { panic!("{error}") };
    on!(Pool, &base.write, pool => {
        let make = "CREATE TABLE bare (seq BIGINT PRIMARY KEY, body TEXT NOT NULL)";
        sqlx::query(make).execute(pool).await.unwrap_or_else(|error| panic!("{error}"));
        let (since, mut count) = (Instant::now(), 0_u32);
        while since.elapsed() < time {
            let insert = sqlx::query("INSERT INTO bare (seq, body) VALUES ($1, $2)");
            let done = insert.bind(i64::from(count)).bind(body).execute(pool).await;
            count += u32::try_from(done.map_or_else(failed, |done| done.rows_affected())).unwrap_or(0);
        }
        count.into()
    })
}

/// What happens to the next commit on its way to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The commit and its answer both arrive.
    Pass,
    /// The commit arrives, but the connection is cut before the answer.
    LoseAnswer,
    /// The connection is cut before the commit arrives.
    LoseCommit,
    /// The answer is lost, and the server can't be reached after that.
    LoseServer,
    /// All connections are cut, and no new one is accepted.
    Lost,
}

/// A proxy to PostgreSQL that can cut the connection at the worst moment.
#[derive(Debug)]
pub struct Wire {
    url: String,
    fate: watch::Sender<Fate>,
    cuts: Arc<AtomicU64>,
}

impl Wire {
    /// Starts a proxy to the database at this URL.
    ///
    /// # Panics
    /// If the URL has no host, or no port is free.
    pub async fn to(url: &str) -> Wire {
        let (user, rest) = url.rsplit_once('@').unwrap_or_else(|| panic!("{url} has no host"));
        let (address, database) = rest.split_once('/').unwrap_or_else(|| panic!("{url} has no database"));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap_or_else(|error| panic!("{error}"));
        let here = listener.local_addr().unwrap_or_else(|error| panic!("{error}"));
        let (fate, cuts) = (watch::Sender::new(Fate::Pass), Arc::new(AtomicU64::new(0)));
        let wire = Wire { url: format!("{user}@{here}/{database}"), fate, cuts };
        let (address, fate, cuts) = (address.to_owned(), wire.fate.clone(), wire.cuts.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if *fate.borrow() == Fate::Lost {
                    continue;
                }
                if let Ok(server) = TcpStream::connect(&address).await {
                    tokio::spawn(carry(client, server, fate.clone(), cuts.clone()));
                }
            }
        });
        wire
    }

    /// Returns the URL of the database through this proxy.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sets what happens to the next commit only.
    pub fn next(&self, fate: Fate) {
        self.fate.send_replace(fate);
    }

    /// Returns how many times the connection was cut.
    pub fn cuts(&self) -> u64 {
        self.cuts.load(Ordering::SeqCst)
    }
}

/// Copies bytes both ways until the connection ends or is cut.
async fn carry(mut client: TcpStream, mut server: TcpStream, fate: watch::Sender<Fate>, cuts: Arc<AtomicU64>) {
    let mut watch = fate.subscribe();
    let (mut asked, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            () = async { drop(watch.wait_for(|fate| *fate == Fate::Lost).await) } => return,
            read = client.read(&mut asked) => {
                let Ok(count @ 1..) = read else { return };
                // The message that ends a transaction: Q, its length, its text.
                let commits = asked[..count].windows(7).any(|bytes| bytes == b"COMMIT\0");
                let now = *fate.borrow();
                if commits && now != Fate::Pass {
                    cuts.fetch_add(1, Ordering::SeqCst);
                    fate.send_replace(if now == Fate::LoseServer { Fate::Lost } else { Fate::Pass });
                    if now != Fate::LoseCommit {
                        // It doesn't matter if this write fails.
                        let _ = server.write_all(&asked[..count]).await;
                    }
                    return;
                }
                if server.write_all(&asked[..count]).await.is_err() { return }
            }
            read = server.read(&mut answered) => {
                let Ok(count @ 1..) = read else { return };
                if client.write_all(&answered[..count]).await.is_err() { return }
            }
        }
    }
}
