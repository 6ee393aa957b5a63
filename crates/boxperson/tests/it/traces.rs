//! `boxperson serve` with the feature `otel`: a collector gets the spans of a request, from the address to the commit.

use crate::support::root;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A span: its trace, its parent and its name.
#[derive(Debug, Clone)]
struct Span {
    trace: Vec<u8>,
    parent: Vec<u8>,
    name: String,
}

/// Listens as a collector does, and passes on the bodies that it gets.
fn collector() -> (String, mpsc::Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (bodies, received) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let bodies = bodies.clone();
            std::thread::spawn(move || {
                while let Some(body) = posted(&stream) {
                    let _ = bodies.send(body);
                }
            });
        }
    });
    (address, received)
}

/// Reads one request to the path for traces and answers it.
fn posted(mut stream: &TcpStream) -> Option<Vec<u8>> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut line) = (0, String::new());
    reader.read_line(&mut line).ok()?;
    assert!(line.is_empty() || line.starts_with("POST /v1/traces "), "{line}");
    while !line.trim().is_empty() {
        line.clear();
        reader.read_line(&mut line).ok()?;
        if let Some((name, value)) =
            line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        {
            length = value.trim().parse().unwrap_or_else(|_| panic!("{name}: {value}"));
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").ok()?;
    Some(body).filter(|body| !body.is_empty())
}

/// Reads the fields of a message in the Protobuf encoding: number and bytes. Numbers are left out.
fn fields(mut bytes: &[u8]) -> Vec<(u64, &[u8])> {
    fn number(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        while let Some((first, rest)) = bytes.split_first() {
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            shift += 7;
            if first & 0x80 == 0 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = number(&mut bytes);
        let length = match tag & 7 {
            0 => {
                number(&mut bytes);
                continue;
            }
            1 => 8,
            5 => 4,
            _ => usize::try_from(number(&mut bytes)).unwrap(),
        };
        let (field, rest) = bytes.split_at(length);
        bytes = rest;
        found.push((tag >> 3, field));
    }
    found
}

/// Returns the fields with this number.
fn inside(bytes: &[u8], number: u64) -> impl Iterator<Item = &[u8]> {
    fields(bytes).into_iter().filter(move |(tag, _)| *tag == number).map(|(_, field)| field)
}

/// Returns the spans of an export request, by their ids.
fn spans(body: &[u8]) -> BTreeMap<Vec<u8>, Span> {
    let all = inside(body, 1).flat_map(|resource| inside(resource, 2)).flat_map(|scope| inside(scope, 2));
    let span = |bytes: &[u8]| {
        let field = |number| inside(bytes, number).next().unwrap_or_default().to_vec();
        let name = String::from_utf8(field(5)).unwrap();
        (field(2), Span { trace: field(1), parent: field(4), name })
    };
    all.map(span).collect()
}

#[test]
fn a_collector_gets_the_spans_of_a_request() {
    let home = tempfile::tempdir().unwrap();
    let (collector, received) = collector();
    let mut server = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(["serve", "--addr", "127.0.0.1:0", "--practice", "pa"])
        .current_dir(root())
        .env("XDG_DATA_HOME", home.path())
        .env_remove("BOXPERSON_DB")
        .env("BOXPERSON_OTLP", &collector)
        .env("OTEL_BSP_SCHEDULE_DELAY", "200")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut address = String::new();
    for line in lines {
        address = line.split("http://").nth(1).filter(|_| address.is_empty()).map_or(address, str::to_owned);
        if line.contains("Ctrl-C") {
            break;
        }
    }
    let ask = |cookie: &str, path: &str, body: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let length = body.len();
        write!(stream, "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let guest = ask("", "/guests", "{}");
    let cookie =
        guest.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap().split(';').next().unwrap().to_owned();
    assert!(ask(&cookie, "/tables/practice-pa/seats", "{\"buy_in\": 50000}").starts_with("HTTP/1.1 2"));
    assert!(ask(&cookie, "/tables/practice-pa/actions", "{\"say\": \"pass 10\"}").starts_with("HTTP/1.1 2"));
    let stopped = Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap();
    assert!(stopped.success() && server.wait().unwrap().success());

    let mut all = BTreeMap::new();
    while let Ok(body) = received.recv_timeout(Duration::from_secs(1)) {
        all.extend(spans(&body));
    }
    // From the commit back to the request, each is the child of the one before, in the same trace.
    let chain = |commit: &Span| {
        let (mut names, mut at) = (vec![commit.name.clone()], commit.clone());
        while let Some(parent) = all.get(&at.parent) {
            assert_eq!(parent.trace, at.trace);
            names.insert(0, parent.name.clone());
            at = parent.clone();
        }
        names.join(" > ")
    };
    let chains: Vec<String> = all.values().map(chain).collect();
    for wanted in ["request > ask > append > commit", "request > ask > decide"] {
        assert!(chains.iter().any(|chain| chain == wanted), "{wanted}: {chains:#?}");
    }
}
