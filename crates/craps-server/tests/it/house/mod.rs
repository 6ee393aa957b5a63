//! Shared code for tests of tables: a server without a socket and its clients, and a pit without a server.

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use axum::response::Response;
use craps_law::{HouseRules, Library};
use craps_notation::RulesTag;
use craps_server::live::pit::{Ask, Pit, now};
use craps_server::live::wish::Wish;
use craps_server::live::{By, DiceFrom, Opening};
use craps_server::people::records::Records;
use craps_server::people::{Role, Scope, Settings};
use craps_server::{App, Shared, router};
use craps_store::Store;
use craps_table::{Actor, Crew, SeatId};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(Library::shipped()));

/// Returns the settings of a practice table.
pub fn opening(crew: Crew, dice: DiceFrom) -> Opening {
    let house = HouseRules::practice(LIBRARY.book("pa").unwrap()).unwrap();
    Opening {
        name: "Test".to_owned(),
        rules: RulesTag::of(&house),
        house: house.tag(),
        game: None,
        crew,
        dice,
        practice: true,
        private: false,
        chat: true,
        window: None,
        asks: false,
        funded: true,
        witness: None,
        slots: Vec::new(),
    }
}

pub struct Place {
    pub folder: TempDir,
    pub db: String,
}

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let db = format!("sqlite:{}", folder.path().join("test.db").display());
        Place { folder, db }
    }

    /// Opens a pit on this database file.
    pub async fn pit(&self) -> Pit {
        Pit::new(Store::open(&self.db).await.unwrap(), Arc::clone(&LIBRARY))
    }
}

pub fn ask(who: &str, seat: SeatId, wish: Wish) -> Ask {
    let by = By::person(who, Actor::player(seat));
    Ask { by, client: who.to_owned(), key: None, wish, room: None }
}

/// A server without a socket, with its own database file.
pub struct House {
    pub place: Place,
    pub app: Shared,
    pub router: Router,
}

impl House {
    pub async fn open() -> House {
        let place = Place::new();
        let pit = place.pit().await;
        let settings = Settings {
            rate: 100_000,
            burst: 100_000,
            guests: 100_000,
            seats: 1_000,
            tables: 1_000,
            ..Settings::default()
        };
        let app = Arc::new(App::new(pit, settings, None));
        House { place, router: router(Arc::clone(&app)), app }
    }

    /// Opens a house with a practice table `t`.
    pub async fn with_table(crew: Crew, dice: DiceFrom) -> House {
        let house = House::open().await;
        house.app.pit.open("t", opening(crew, dice), By::machine(), now()).await.unwrap();
        house
    }

    pub fn anybody(&self) -> Client {
        Client { router: self.router.clone(), known: None }
    }

    pub async fn guest(&self) -> Client {
        let mut client = self.anybody();
        let (status, _, cookie) = client.whole(Method::POST, "/guests", None).await;
        assert!(status < 300, "{status}");
        let cookie = cookie.unwrap();
        client.known = Some(("cookie".to_owned(), cookie.split(';').next().unwrap().to_owned()));
        client
    }

    /// Creates an account with these roles at all tables, and a client that uses its token.
    pub async fn staff(&self, name: &str, roles: &[&str]) -> Client {
        let records = Records::new(self.app.store(), "test");
        let account = records.add_account(name, "no password").await.unwrap().id;
        for role in roles {
            records.grant(&account, Role::find(role).unwrap(), None, (None, None)).await.unwrap();
        }
        let (_, token) = records.add_token(&account, name, &Scope::ALL, None).await.unwrap();
        Client { router: self.router.clone(), known: Some(("authorization".to_owned(), format!("Bearer {token}"))) }
    }
}

/// A client of the server.
#[derive(Clone)]
pub struct Client {
    pub router: Router,
    pub known: Option<(String, String)>,
}

impl Client {
    async fn whole(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value, Option<String>) {
        let response = self.send(method, path, body, &[]).await;
        let status = response.status().as_u16();
        let cookie = response.headers().get("set-cookie").map(|cookie| cookie.to_str().unwrap().to_owned());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)), cookie)
    }

    /// Begins to read a table as lines. Each item of the stream is a line.
    pub async fn lines(&self, path: &str) -> BodyDataStream {
        let response = self.send(Method::GET, path, None, &[("accept", "application/x-ndjson")]).await;
        assert_eq!(response.status(), 200, "{path}");
        response.into_body().into_data_stream()
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:1");
        if let Some((name, value)) = &self.known {
            request = request.header(name, value);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = match body {
            Some(body) => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let mut request = request.body(body).unwrap();
        let from: std::net::SocketAddr = "127.0.0.1:9".parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(from));
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let (status, body, _) = self.whole(Method::GET, path, None).await;
        (status, body)
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, body, _) = self.whole(Method::POST, path, Some(body)).await;
        (status, body)
    }

    pub async fn delete(&self, path: &str) -> (u16, Value) {
        let (status, body, _) = self.whole(Method::DELETE, path, None).await;
        (status, body)
    }

    /// Sends a POST request that must succeed.
    pub async fn does(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(path, body.clone()).await;
        assert!(status < 300, "{path} {body}: {status} {answer}");
        answer
    }

    /// Sends a GET request that must succeed.
    pub async fn sees(&self, path: &str) -> Value {
        let (status, answer) = self.get(path).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub async fn sits(&self, name: &str, seat: u8) {
        self.does("/tables/t/seats", json!({ "name": name, "seat": seat, "buy_in": 50_000 })).await;
    }

    pub async fn says(&self, words: &str) -> Value {
        self.does("/tables/t/actions", json!({ "say": words })).await
    }
}

/// Commands as clients send them.
pub mod wish {
    use craps_server::live::wish::Wish;
    use serde_json::{Value, json};

    /// Parses a command.
    pub fn of(body: Value) -> Wish {
        serde_json::from_value(body.clone()).unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    /// Returns a command without parameters.
    pub fn plain(what: &str) -> Wish {
        of(json!({ "do": what }))
    }

    pub fn join(name: &str, buy_in: i64) -> Wish {
        of(json!({ "do": "join", "name": name, "buy_in": buy_in }))
    }

    pub fn buy_in(amount: i64) -> Wish {
        of(json!({ "do": "buy-in", "amount": amount }))
    }

    pub fn talk(words: &str) -> Wish {
        of(json!({ "do": "actions", "say": words }))
    }

    pub fn say(words: &str) -> Wish {
        of(json!({ "do": "say", "words": words }))
    }
}
