//! The simulated network: requests arrive late, twice, in another order, or never, and so do answers.

use crate::promises::Promise;
use crate::world::{Up, World};
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use craps_server::testing::by_clock;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

/// How long a client waits for an answer before it asks again.
const PATIENCE: Duration = Duration::from_secs(8);

/// Somebody with a session.
#[derive(Debug, Clone)]
pub struct Person {
    pub name: &'static str,
    /// `a:` or `g:`, and an id. It owns the keys too.
    pub who: String,
    pub cookie: String,
}

/// A request of a person.
#[derive(Debug, Clone)]
pub struct Call {
    pub person: Person,
    pub method: Method,
    pub path: String,
    pub body: Option<Value>,
    pub key: Option<String>,
    /// Table of a command, or empty.
    pub table: String,
    /// The key was used for another request before.
    pub is_other: bool,
    /// It must never succeed, by this promise.
    pub never: Option<Promise>,
    /// Account whose role it needs, if the role can be revoked.
    pub by_right_of: Option<String>,
    /// Account of a purse and chips that a cashier moves.
    pub cash: Option<(String, i64)>,
    /// When it was sent.
    pub sent: i64,
}

impl Call {
    pub fn get(person: &Person, path: &str) -> Call {
        Call::new(person, Method::GET, path.to_owned(), None)
    }

    pub fn new(person: &Person, method: Method, path: String, body: Option<Value>) -> Call {
        Call {
            person: person.clone(),
            method,
            path,
            body,
            key: None,
            table: String::new(),
            is_other: false,
            never: None,
            by_right_of: None,
            cash: None,
            sent: 0,
        }
    }

    /// Makes a command to a table, under a key.
    pub fn to_table(person: &Person, table: &str, what: &str, body: Value, key: String) -> Call {
        let path = format!("/tables/{table}/{what}");
        let method = if what.starts_with("seats/") { Method::DELETE } else { Method::POST };
        let body = (method == Method::POST).then_some(body);
        Call { key: Some(key), table: table.to_owned(), ..Call::new(person, method, path, body) }
    }

    /// Returns the command that it is: table, client and key.
    pub fn command(&self) -> Option<(String, String, String)> {
        Some((self.table.clone(), self.person.who.clone(), self.key.clone()?))
    }

    pub fn words(&self) -> String {
        let body = self.body.as_ref().map(Value::to_string).unwrap_or_default();
        let key = self.key.as_deref().unwrap_or("-");
        format!("{} {} {} {body} [{key}]", self.person.name, self.method, self.path)
    }
}

/// The answer of a node.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub text: String,
    pub body: Value,
}

impl Reply {
    pub fn is_done(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Does it say for certain what became of the request?
    pub fn is_definite(&self) -> bool {
        self.status < 500 && self.status != 429
    }
}

impl Up {
    /// Handles a request as a connection of the server would.
    async fn answers(&self, call: &Call) -> Reply {
        let mut request = Request::builder().method(call.method.clone()).uri(&call.path).header("host", "127.0.0.1:1");
        request = request.header("cookie", format!("__Host-session={}", call.person.cookie));
        if let Some(key) = &call.key {
            request = request.header("idempotency-key", key);
        }
        let body = match &call.body {
            Some(body) => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let mut request = request.body(body).unwrap();
        let from: SocketAddr = "127.0.0.1:9".parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(from));
        let router = self.router.clone();
        let answer = async {
            let response = router.oneshot(request).await.unwrap();
            (response.status().as_u16(), to_bytes(response.into_body(), usize::MAX).await.unwrap())
        };
        let (status, bytes) = by_clock(Arc::clone(&self.clock), answer).await;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Reply { status, body: serde_json::from_str(&text).unwrap_or_default(), text }
    }
}

impl World {
    /// Carries one copy of a request to a node, and its answer back.
    async fn carry(self: Arc<Self>, call: Call, node: usize, back: mpsc::UnboundedSender<Reply>) {
        let calm = self.is_calm();
        let delay = match self.chance.below(20) {
            _ if calm => 1,
            0 => self.chance.between(100, 3_000),
            _ => self.chance.between(1, 25),
        };
        sleep(Duration::from_millis(delay)).await;
        if !calm && self.chance.one_in(40) {
            return self.history.note(&format!("lost on the way: {}", call.words()));
        }
        let Some(up) = self.nodes[node].up() else { return };
        self.promises().arrived(&call);
        self.history.note(&format!("to {}: {}", up.name, call.words()));
        let killed = std::pin::pin!(up.disk.died());
        let reply = std::pin::pin!(up.answers(&call));
        let reply = match futures_util::future::select(killed, reply).await {
            futures_util::future::Either::Left(_) => return self.promises().unanswered(&call),
            futures_util::future::Either::Right((reply, _)) => reply,
        };
        let short: String = reply.text.chars().take(160).collect();
        self.history.note(&format!(
            "{} answers {} [{}]: {} {short}",
            up.name,
            call.person.name,
            call.key.as_deref().unwrap_or("-"),
            reply.status
        ));
        let checked = self.promises().answered(&call, &reply);
        self.judge(checked);
        if !calm && self.chance.one_in(25) {
            return self.history.note("the answer is lost");
        }
        sleep(Duration::from_millis(self.chance.between(1, 25))).await;
        // The client may have gone.
        let _ = back.send(reply);
    }

    /// Sends a request once, or twice if the network says so. None if no answer comes.
    pub async fn send(self: &Arc<Self>, call: &Call) -> Option<Reply> {
        let (back, mut answers) = mpsc::unbounded_channel();
        let call = Call { sent: self.history.millis(), ..call.clone() };
        let twice = call.key.is_some() && !self.is_calm() && self.chance.one_in(12);
        for _ in 0..if twice { 2 } else { 1 } {
            let node = usize::try_from(self.chance.below(self.nodes.len() as u64)).unwrap_or_default();
            tokio::spawn(Arc::clone(self).carry(call.clone(), node, back.clone()));
        }
        drop(back);
        timeout(PATIENCE, answers.recv()).await.ok().flatten()
    }

    /// Sends a command again and again, until there is a definite answer or the client gives up.
    pub async fn insist(self: &Arc<Self>, call: &Call) -> Option<Reply> {
        for _ in 0..6 {
            let reply = self.send(call).await;
            if let Some(reply) = reply.filter(Reply::is_definite) {
                return Some(reply);
            }
            sleep(Duration::from_millis(self.chance.between(50, 1_500))).await;
        }
        None
    }
}
