//! Shared code for tests of a real server: starts one on this machine, creates accounts, and sends requests.

use craps_law::{HouseRules, Library};
use craps_notation::RulesTag;
use craps_server::config::{Config, Given};
use craps_server::live::pit::now;
use craps_server::live::{By, DiceFrom, Opening};
use craps_server::people::{Role, Scope, records::Records};
use craps_server::{Server, Shared};
use craps_store::{Session, new_id, token_hash};
use craps_table::Crew;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server with its own database.
pub struct Here {
    pub addr: SocketAddr,
    pub app: Shared,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

/// Creates a session of which everything but the token is given. Returns the cookie.
pub async fn begun(app: &Shared, session: Session) -> String {
    let token = new_id().unwrap();
    let session = Session { token: token_hash(&token), ..session };
    app.store().people().add_session(&session).await.unwrap();
    format!("{token}{}", app.pit.seal().await.unwrap().mark(&session))
}

/// The credential of a request.
#[derive(Debug, Clone)]
pub enum Shows {
    Nothing,
    Cookie(String),
    Token(String),
}

/// The response to a request.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the token of the session cookie.
    pub fn cookie(&self) -> String {
        let cookie = self.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {} {}", self.status, self.body));
        cookie.split(';').next().unwrap().split_once('=').unwrap().1.to_owned()
    }
}

impl Here {
    pub async fn new() -> Here {
        Here::with(|_| {}).await
    }

    /// Starts a server with changed settings.
    pub async fn with(set: impl FnOnce(&mut Given)) -> Here {
        let folder = tempfile::tempdir().unwrap();
        let mut given = Given {
            addr: Some("127.0.0.1:0".to_owned()),
            db: Some(folder.path().join("tables.db").to_str().unwrap().to_owned()),
            practice: Some(Vec::new()),
            rate: Some(1_000_000),
            burst: Some(1_000_000),
            guests: Some(1_000_000),
            ..Given::default()
        };
        set(&mut given);
        let config = Config::new(given, folder.path()).unwrap();
        let server = Server::start(&config, Arc::new(Library::shipped())).await.unwrap();
        let (addr, app) = (server.addr(), Arc::clone(server.app()));
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Here { addr, app, stop: Some(stop), running, _folder: folder }
    }

    pub async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.running.await.unwrap();
    }

    /// Opens a table with the rules of the first book.
    pub async fn table(&self, id: &str, practice: bool, crew: Crew, dice: DiceFrom) {
        let house = HouseRules::practice(&self.app.library().books[0]).unwrap();
        let opening = Opening {
            name: format!("Table {id}"),
            rules: RulesTag::of(&house),
            house: house.tag(),
            game: None,
            crew,
            dice,
            practice,
            private: false,
            chat: true,
            window: None,
            asks: false,
            funded: true,
            witness: None,
            slots: Vec::new(),
        };
        self.app.pit.open(id, opening, By::machine(), now()).await.unwrap();
    }

    /// Creates an account without a usable password.
    pub async fn account(&self, name: &str) -> String {
        Records::new(self.app.store(), "test").add_account(name, "no hash").await.unwrap().id
    }

    pub async fn grant(&self, account: &str, role: Role, table: Option<&str>) {
        self.grant_for(account, role, table, (None, None)).await;
    }

    pub async fn grant_for(&self, account: &str, role: Role, table: Option<&str>, shift: (Option<i64>, Option<i64>)) {
        Records::new(self.app.store(), "test").grant(account, role, table, shift).await.unwrap();
    }

    /// Creates a session for an account, valid for `lasts` milliseconds.
    pub async fn session(&self, account: &str, lasts: i64) -> Shows {
        let at = now();
        let (account, expires) = (account.to_owned(), at + lasts);
        self.begun(Session { token: String::new(), account, created: at, seen: at, expires, factor: None }).await
    }

    /// Creates a session of which everything but the token is given.
    pub async fn begun(&self, session: Session) -> Shows {
        Shows::Cookie(begun(&self.app, session).await)
    }

    pub async fn token(&self, account: &str, scopes: &[Scope], expires: Option<i64>) -> Shows {
        let records = Records::new(self.app.store(), "test");
        Shows::Token(records.add_token(account, "strategy", scopes, expires).await.unwrap().1)
    }

    pub async fn get(&self, path: &str, shows: &Shows) -> Reply {
        self.ask("GET", path, shows, None).await
    }

    pub async fn post(&self, path: &str, shows: &Shows, body: &Value) -> Reply {
        self.ask("POST", path, shows, Some(body)).await
    }

    pub async fn ask(&self, method: &str, path: &str, shows: &Shows, body: Option<&Value>) -> Reply {
        let body = body.map(ToString::to_string).unwrap_or_default();
        let kind: &[(&str, &str)] = if body.is_empty() { &[] } else { &[("Content-Type", "application/json")] };
        self.send(method, path, shows, kind, body.as_bytes()).await
    }

    /// Sends a request over a new connection. Reads only the head of a stream.
    pub async fn send(&self, method: &str, path: &str, shows: &Shows, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: {}\r\n", self.addr);
        }
        match shows {
            Shows::Nothing => {}
            Shows::Cookie(token) => head += &format!("Cookie: __Host-session={token}\r\n"),
            Shows::Token(token) => head += &format!("Authorization: Bearer {token}\r\n"),
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        stream.write_all(&[head.as_bytes(), b"\r\n", body].concat()).await.unwrap();
        let mut read = Vec::new();
        let end = loop {
            let mut part = [0; 16_384];
            let count = stream.read(&mut part).await.unwrap();
            assert!(count > 0, "{method} {path}: the response ended too early");
            read.extend_from_slice(&part[..count]);
            if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let head = String::from_utf8(read[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let split = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        let headers: Vec<(String, String)> = lines.filter_map(split).collect();
        let mut body = read.split_off(end);
        // Read the whole body if it has a length. A stream has none.
        let length =
            headers.iter().find(|(name, _)| name == "content-length").map(|(_, length)| length.parse::<usize>());
        if length.is_some() {
            stream.read_to_end(&mut body).await.unwrap();
        }
        Reply { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
    }
}

/// Sends a request without a credential and returns the whole answer as text.
pub async fn get(addr: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    stream.read_to_end(&mut read).await.unwrap();
    String::from_utf8_lossy(&read).into_owned()
}
