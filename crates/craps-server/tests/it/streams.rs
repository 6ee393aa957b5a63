//! Streams over WebSocket and as JSON lines: how they start and resume, commands over the socket, and when the server ends them.

use crate::house::{Client, House, LIBRARY, Place};
use craps_server::Server;
use craps_server::config::{Config, Given};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// A running server, with a house that uses the same app without a socket.
struct Running {
    house: House,
    addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: tokio::task::JoinHandle<()>,
}

impl Running {
    async fn start() -> Running {
        Running::over(Place::new()).await
    }

    async fn over(place: Place) -> Running {
        let given = Given {
            addr: Some("127.0.0.1:0".to_owned()),
            db: Some(place.db.clone()),
            practice: Some(vec!["pa".to_owned()]),
            rate: Some(100_000),
            burst: Some(100_000),
            guests: Some(100_000),
            ..Given::default()
        };
        let config = Config::new(given, place.folder.path()).unwrap();
        let server = Server::start(&config, Arc::clone(&LIBRARY)).await.unwrap();
        let (addr, app) = (server.addr(), Arc::clone(server.app()));
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            server.run(async move { drop(stopped.await) }).await;
        });
        let house = House { place, router: craps_server::router(Arc::clone(&app)), app };
        Running { house, addr, stop: Some(stop), ended }
    }

    async fn socket(&self, who: &Client, query: &str) -> Result<Socket, Error> {
        self.socket_from(who, query, None).await
    }

    async fn socket_from(&self, who: &Client, query: &str, origin: Option<&str>) -> Result<Socket, Error> {
        let url = format!("ws://{}/tables/practice-pa/stream{query}", self.addr);
        let mut request = url.into_client_request()?;
        for (name, value) in who
            .known
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .chain(origin.map(|origin| ("origin", origin)))
        {
            let name: tokio_tungstenite::tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(self.addr).await?;
        client_async(request, stream).await.map(|(socket, _)| Socket { socket, waiting: Vec::new() })
    }
}

struct Socket {
    socket: WebSocketStream<TcpStream>,
    waiting: Vec<Value>,
}

impl Socket {
    /// Waits for the next line from the socket.
    async fn any(&mut self) -> Value {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await;
            match message.expect("a line arrives in time") {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(text.as_str()).unwrap(),
                Some(Ok(Message::Close(frame))) => {
                    return json!({ "kind": "close", "code": frame.map(|frame| u16::from(frame.code)) });
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return json!({ "kind": "gone" }),
            }
        }
    }

    /// Waits for the next row of this kind.
    async fn row(&mut self, did: &str) -> Value {
        loop {
            let line = self.next().await;
            if line["did"] == did {
                return line;
            }
        }
    }

    async fn next(&mut self) -> Value {
        if self.waiting.is_empty() { self.any().await } else { self.waiting.remove(0) }
    }

    /// Sends a command and returns its answer. Other lines that arrive before it are kept.
    async fn asks(&mut self, wish: Value) -> Value {
        self.socket.send(Message::text(wish.to_string())).await.unwrap();
        loop {
            let line = self.any().await;
            match line["kind"].as_str() {
                Some("answer" | "error") => return line,
                _ => self.waiting.push(line),
            }
        }
    }
}

async fn sit(running: &Running, who: &Client, name: &str) {
    running.house.app.pit.look("practice-pa", |_| ()).await.unwrap();
    who.does("/tables/practice-pa/seats", json!({ "name": name, "buy_in": 50_000 })).await;
}

#[tokio::test]
async fn a_hand_is_played_over_a_socket() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    let mut socket = running.socket(&ann, "").await.unwrap();
    let first = socket.next().await;
    assert_eq!((&first["kind"], &first["table"], &first["seq"]), (&json!("table"), &json!("practice-pa"), &json!(2)));
    let sat = socket.asks(json!({ "do": "join", "id": "a", "name": "Ann", "buy_in": 50_000 })).await;
    assert_eq!((&sat["kind"], &sat["id"]), (&json!("answer"), &json!("a")), "{sat}");
    let bet = socket.asks(json!({ "do": "actions", "id": "b", "say": "pass 10" })).await;
    assert_eq!(bet["understood"], "pass line for 10");
    let again = socket.asks(json!({ "do": "actions", "id": "b", "say": "pass 10" })).await;
    assert_eq!(again["again"], true);
    let rolled = socket.asks(json!({ "do": "roll", "id": "c" })).await;
    assert_eq!(rolled["rows"][1]["did"], "thrown");
    // The rows of commands over the socket also arrive as lines, in order and once each.
    let mut told = Vec::new();
    while told.len() < 4 {
        let row = socket.next().await;
        assert_eq!(row["kind"], "row", "{row}");
        told.push(row["seq"].as_u64().unwrap());
    }
    assert_eq!(told, [3, 4, 5, 6]);
    // A wrong command gets an error with its key, and the stream continues.
    let refused = socket.asks(json!({ "do": "actions", "id": "d", "bets": [{ "bet": "PL6", "amount": 700 }] })).await;
    assert_eq!((&refused["kind"], &refused["id"], &refused["code"]), (&json!("error"), &json!("d"), &json!("refused")));
    assert!(refused["cite"].as_str().is_some());
    for wrong in [
        json!({ "do": "dance" }),
        json!([]),
        json!({ "do": "roll", "hard": true }),
        json!({ "do": "dice", "dice": [1, 1] }),
    ] {
        assert_eq!(socket.asks(wrong.clone()).await["kind"], "error", "{wrong}");
    }
    let undone = socket.asks(json!({ "do": "actions", "say": "field 5" })).await;
    assert_eq!(undone["kind"], "answer");
    socket.asks(json!({ "do": "undo" })).await;
    let undone = socket.row("undone").await;
    let table = ann.sees("/tables/practice-pa").await;
    let codes =
        |bets: &Value| -> Vec<Value> { bets.as_array().unwrap().iter().map(|bet| bet["bet"].clone()).collect() };
    assert_eq!(codes(&undone["bets"]), codes(&table["seats"][0]["bets"]), "the row has the bets that are left");
    assert!(!codes(&undone["bets"]).contains(&json!("F")));
    // Nothing else changed, so the next line is the next row.
    socket.asks(json!({ "do": "actions", "say": "field 5" })).await;
    let next = socket.next().await;
    assert_eq!((&next["kind"], &next["did"]), (&json!("row"), &json!("ordered")));
}

/// If an undo changes more than the bets of its seat, the stream sends the whole table.
#[tokio::test]
async fn an_undo_that_changes_the_shooter_is_followed_by_the_table() {
    let running = Running::start().await;
    let (ann, bo) = (running.house.guest().await, running.house.guest().await);
    sit(&running, &ann, "Ann").await;
    sit(&running, &bo, "Bo").await;
    let mut socket = running.socket(&ann, "").await.unwrap();
    let bo_shoots = bo.does("/tables/practice-pa/actions", json!({ "say": "pass 10" })).await;
    assert_eq!(bo_shoots["rows"][0]["did"], "ordered");
    assert_eq!(ann.sees("/tables/practice-pa").await["next_shooter"]["seat"], 2);
    bo.does("/tables/practice-pa/undo", json!({})).await;
    let undone = socket.row("undone").await;
    assert_eq!(undone["bets"], Value::Null);
    let table = socket.next().await;
    assert_eq!((&table["kind"], &table["seq"]), (&json!("table"), &undone["seq"]));
    // The log says the same to those who resume.
    let before = undone["seq"].as_u64().unwrap() - 1;
    let mut again = running.socket(&ann, &format!("?from={before}")).await.unwrap();
    assert_eq!(again.next().await["bets"], Value::Null);

    ann.does("/tables/practice-pa/actions", json!({ "say": "pass 10" })).await;
    ann.does("/tables/practice-pa/actions", json!({ "say": "field 5" })).await;
    ann.does("/tables/practice-pa/undo", json!({})).await;
    let undone = socket.row("undone").await;
    assert_eq!((undone["bets"].as_array().unwrap().len(), &undone["bets"][0]["bet"]), (1, &json!("P")));
    let before = undone["seq"].as_u64().unwrap() - 1;
    let mut again = running.socket(&ann, &format!("?from={before}")).await.unwrap();
    assert_eq!(again.next().await["bets"], undone["bets"]);
}

#[tokio::test]
async fn a_stream_resumes_without_gap_or_double() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    sit(&running, &ann, "Ann").await;
    let mut socket = running.socket(&running.house.anybody(), "?from=0").await.unwrap();
    let play = {
        let ann = ann.clone();
        tokio::spawn(async move {
            for _ in 0..60 {
                let _ = ann.post("/tables/practice-pa/actions", json!({ "say": "pass 5" })).await;
                ann.does("/tables/practice-pa/roll", json!({})).await;
            }
        })
    };
    // Halfway the reader disconnects. Later it resumes.
    let mut rows = Vec::new();
    while rows.len() < 50 {
        let line = socket.next().await;
        if line["kind"] == "row" {
            rows.push(line);
        }
    }
    drop(socket);
    let last = rows.last().unwrap()["seq"].as_u64().unwrap();
    play.await.unwrap();
    let head = ann.sees("/tables/practice-pa").await["seq"].as_u64().unwrap();
    let mut socket = running.socket(&running.house.anybody(), &format!("?from={last}")).await.unwrap();
    let table = loop {
        let line = socket.next().await;
        match line["kind"].as_str() {
            Some("row") => rows.push(line),
            _ => break line,
        }
    };
    assert_eq!((&table["kind"], &table["seq"]), (&json!("table"), &json!(head)));
    let seqs: Vec<u64> = rows.iter().map(|row| row["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=head).collect::<Vec<_>>());
    // Rolls have the same numbers, live or from the log.
    let rolls: Vec<u64> = rows.iter().filter_map(|row| row["roll"]["roll"].as_u64()).collect();
    assert_eq!(rolls, (1..=60).collect::<Vec<_>>());
    assert!(running.socket(&ann, &format!("?from={}", head + 1)).await.is_err());
    assert!(running.socket(&ann, "?from=x").await.is_err());
}

/// The rows are read from the log while messages arrive without a pause.
#[tokio::test]
async fn a_client_that_never_stops_sending_gets_its_rows() {
    const COMMANDS: u64 = 200;
    let running = Running::start().await;
    let ann = running.house.guest().await;
    sit(&running, &ann, "Ann").await;
    for _ in 0..20 {
        let _ = ann.post("/tables/practice-pa/actions", json!({ "say": "pass 5" })).await;
        ann.does("/tables/practice-pa/roll", json!({})).await;
    }
    let head = ann.sees("/tables/practice-pa").await["seq"].as_u64().unwrap();
    let mut socket = running.socket(&ann, "?from=1").await.unwrap();
    for number in 0..COMMANDS {
        let wish = json!({ "do": "ready", "id": format!("r{number}") });
        socket.socket.send(Message::text(wish.to_string())).await.unwrap();
    }
    let (mut answers, mut rows) = (0, Vec::new());
    while rows.last() != Some(&head) {
        let line = socket.any().await;
        match line["kind"].as_str().unwrap() {
            "row" => rows.push(line["seq"].as_u64().unwrap()),
            "answer" | "error" => answers += 1,
            "alive" => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(rows, (2..=head).collect::<Vec<_>>());
    assert!(answers < COMMANDS / 2, "the rows came after {answers} answers");
}

#[tokio::test]
async fn spectators_hear_no_rail_and_may_do_nothing() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    let (mut own, mut other) =
        (running.socket(&ann, "").await.unwrap(), running.socket(&running.house.anybody(), "").await.unwrap());
    let auditor = running.house.staff("Audrey", &["auditor"]).await;
    let mut sees = running.socket(&auditor, "").await.unwrap();
    for socket in [&mut own, &mut other, &mut sees] {
        assert_eq!(socket.next().await["kind"], "table");
    }
    sit(&running, &ann, "Ann").await;
    ann.does("/tables/practice-pa/actions", json!({ "say": "pass 10" })).await;
    let (mine, watched, audited) = (own.next().await, other.next().await, sees.next().await);
    assert_eq!((&mine["happened"][0]["money"], &mine["rails"][0]["rail"]), (&json!(50_000), &json!(50_000)));
    assert_eq!(watched["happened"][0], json!({ "what": "joined", "seat": 1, "name": "Ann", "bot": false }));
    assert_eq!(watched.get("rails"), None);
    assert_eq!(watched.get("who"), None);
    assert_eq!(audited["happened"][0]["money"], 50_000);
    assert!(audited["who"].as_str().is_some());
    let (mine, watched) = (own.next().await, other.next().await);
    assert_eq!(mine["rails"], json!([{ "seat": 1, "rail": 49_000 }]));
    assert_eq!(watched["happened"], mine["happened"], "everybody sees the bets");
    assert_eq!(watched.get("rails"), None);
    for wish in [
        json!({ "do": "roll" }),
        json!({ "do": "actions", "seat": 1, "say": "field 5" }),
        json!({ "do": "join", "buy_in": 1 }),
    ] {
        assert_eq!(other.asks(wish).await["code"], "sign-in");
    }
    // Reading the whole log later shows no more.
    let mut late = running.socket(&running.house.anybody(), "?from=0").await.unwrap();
    for _ in 0..4 {
        let text = late.next().await.to_string();
        assert!(!text.contains("49000") && !text.contains("50000"), "{text}");
    }
}

/// Sends a request over a new connection and returns the lines of the response.
async fn lines(addr: SocketAddr, path: &str) -> tokio::io::Lines<BufReader<TcpStream>> {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {addr}\r\nAccept: application/x-ndjson\r\nAccept-Encoding: gzip\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    BufReader::new(stream).lines()
}

async fn next_json(lines: &mut tokio::io::Lines<BufReader<TcpStream>>) -> Value {
    loop {
        let line = tokio::time::timeout(Duration::from_secs(60), lines.next_line()).await.unwrap().unwrap().unwrap();
        if line.starts_with('{') {
            return serde_json::from_str(&line).unwrap();
        }
        assert!(!line.starts_with("content-encoding"), "{line}");
    }
}

#[tokio::test]
async fn the_same_comes_as_lines() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    sit(&running, &ann, "Ann").await;
    let mut lines = lines(running.addr, "/tables/practice-pa/stream?from=1").await;
    assert_eq!(next_json(&mut lines).await["did"], "committed");
    assert_eq!(next_json(&mut lines).await["did"], "ordered");
    assert_eq!(next_json(&mut lines).await["kind"], "table");
    ann.does("/tables/practice-pa/actions", json!({ "say": "pass 10" })).await;
    assert_eq!(next_json(&mut lines).await["happened"][0]["what"], "bet-placed");
    let (status, problem) = running.house.anybody().get("/tables/practice-pa/stream").await;
    assert_eq!((status, &problem["code"]), (406, &json!("stream")));
}

#[tokio::test]
async fn a_request_that_would_wait_too_long_is_refused_at_once() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    let mut socket = running.socket(&ann, "").await.unwrap();
    sit(&running, &ann, "Ann").await;
    let turns: Vec<_> = std::iter::from_fn(|| running.house.app.desk.turn().ok()).take(100_000).collect();
    assert!(turns.len() < 100_000, "the number of turns is limited");
    let bet = json!({ "do": "actions", "id": "k", "say": "pass 10" });
    let refused = socket.asks(bet.clone()).await;
    assert_eq!((&refused["kind"], &refused["id"], &refused["code"]), (&json!("error"), &json!("k"), &json!("busy")));
    let (status, problem) = ann.post("/tables/practice-pa/roll", json!({})).await;
    assert_eq!((status, &problem["code"]), (503, &json!("busy")));
    assert_eq!(ann.sees("/health").await, json!({ "status": "ok" }));
    drop(turns);
    let done = socket.asks(bet).await;
    assert_eq!(
        (&done["kind"], &done["again"]),
        (&json!("answer"), &json!(false)),
        "the rejected command was not carried out"
    );
}

#[tokio::test]
async fn pages_of_others_and_too_many_streams_are_turned_away() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    let own = format!("http://{}", running.addr);
    assert!(running.socket_from(&ann, "", Some(&own)).await.is_ok());
    for origin in ["http://evil.example", "null"] {
        let Err(Error::Http(response)) = running.socket_from(&ann, "", Some(origin)).await else { panic!("{origin}") };
        assert_eq!(response.status().as_u16(), 403, "{origin}");
    }
    let mut open = Vec::new();
    let refused = loop {
        match running.socket(&ann, "").await {
            Ok(socket) => open.push(socket),
            Err(Error::Http(response)) => break response.status().as_u16(),
            Err(error) => panic!("{error}"),
        }
        assert!(open.len() < 100);
    };
    assert_eq!(refused, 429);
    // Another guest can still open a stream. After closing one, she can, too.
    assert!(running.socket(&running.house.guest().await, "").await.is_ok());
    open.pop().unwrap().socket.close(None).await.unwrap();
    let mut tries = 0;
    while running.socket(&ann, "").await.is_err() {
        tries += 1;
        assert!(tries < 100);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The server drops a client that doesn't read, and the table goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_is_dropped_with_a_reason() {
    let running = Running::start().await;
    let ann = running.house.guest().await;
    sit(&running, &ann, "Ann").await;
    let mut slow = running.socket(&running.house.anybody(), "").await.unwrap();
    assert_eq!(slow.next().await["kind"], "table");
    // More data than a socket buffers, and more rows than a listener may lag behind.
    let did: craps_server::live::Deed = craps_server::live::Deed::Said { words: "x".repeat(32_000) };
    let body = serde_json::to_string(&craps_server::live::Entry::new(craps_server::live::By::machine(), did)).unwrap();
    let store = running.house.app.store();
    for _ in 0..20 {
        let head = store.head("practice-pa").await.unwrap().seq;
        let row = craps_store::NewRow { at: 0, client: String::new(), key: None, body: body.clone() };
        store.append("practice-pa", head, vec![row; 100]).await.unwrap();
        // The next request makes the table read and send the new rows.
        running.house.app.pit.look("practice-pa", |_| ()).await.unwrap();
    }
    let mut last = 3;
    let end = loop {
        let line = slow.next().await;
        match line["kind"].as_str() {
            Some("row") => {
                assert_eq!(line["seq"].as_u64().unwrap(), last + 1, "no gap before the end");
                last += 1;
            }
            _ => break line,
        }
    };
    // A client that doesn't read the close frame either just loses the connection.
    assert!(end == json!({ "kind": "close", "code": 1013 }) || end == json!({ "kind": "gone" }), "{end}");
    assert!(last < 2_003, "not everything was read");
    ann.sees("/tables/practice-pa").await;
}

#[tokio::test]
async fn a_server_that_closes_says_so_and_another_goes_on_where_it_stopped() {
    let mut running = Running::start().await;
    let ann = running.house.guest().await;
    sit(&running, &ann, "Ann").await;
    ann.does("/tables/practice-pa/actions", json!({ "say": "pass 10" })).await;
    let before = ann.sees("/tables/practice-pa").await;
    let mut socket = running.socket(&ann, "").await.unwrap();
    assert_eq!(socket.next().await["kind"], "table");
    running.stop.take().unwrap().send(()).unwrap();
    assert_eq!(socket.next().await, json!({ "kind": "close", "code": 1001 }));
    drop(socket);
    running.ended.await.unwrap();
    let store = craps_store::Store::open(&running.house.place.db).await.unwrap();
    let heads = store.signed_heads().await.unwrap();
    assert!(heads.iter().any(|head| head.table == "practice-pa" && head.seq == 4 && head.is_genuine()), "{heads:?}");
    store.close().await;
    let House { place, .. } = running.house;
    let running = Running::over(place).await;
    let ann = Client { router: running.house.router.clone(), ..ann };
    assert_eq!(ann.sees("/tables/practice-pa").await, before, "the same guest, the same table");
    ann.does("/tables/practice-pa/roll", json!({})).await;
}

#[tokio::test]
async fn the_rest_of_the_server_answers() {
    let running = Running::start().await;
    let anybody = running.house.anybody();
    assert_eq!(anybody.sees("/health").await, json!({ "status": "ok" }));
    assert_eq!(anybody.sees("/ready").await, json!({ "status": "ok" }));
    assert!(anybody.sees("/").await.as_str().unwrap().contains("practice-pa"));
    assert_eq!(anybody.sees("/openapi.json").await["info"]["title"], "Boxperson");
    assert_eq!(anybody.get("/metrics").await.0, 401);
    let admin = running.house.staff("Ada", &["admin"]).await;
    let figures = admin.sees("/metrics").await;
    assert!(figures.as_str().unwrap().contains("boxperson_answer_seconds"), "{figures}");
    let (status, problem) = anybody.get("/nowhere").await;
    assert_eq!((status, &problem["code"]), (404, &json!("not-found")));
    // Security headers.
    let mut stream = TcpStream::connect(running.addr).await.unwrap();
    let request = format!("GET /health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", running.addr);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut headers = Vec::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        headers.push(line.to_lowercase());
    }
    for wanted in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "x-request-id: ",
    ] {
        assert!(headers.iter().any(|line| line.starts_with(wanted)), "{wanted}: {headers:?}");
    }
}
