//! Every decoder answers any input with a value, or with an error that says why. `BOXPERSON_FUZZ_RUNS=1000000` sets the number of runs of each; the
//! cheapest decoders run ten times as often, and whole requests a tenth as often.

use crate::app::App;
use crate::config::{Config, Given};
use crate::error::ApiError;
use crate::input::{Key, Reads};
use crate::live::pit::Pit;
use crate::live::view::{self, Eye};
use crate::live::{BetName, By, Deed, DiceFrom, Entry, Live, Opening, Secret};
use crate::people::session::shown;
use crate::people::{Peer, Settings, is_own_origin};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use craps_law::{HouseRules, Library};
use craps_notation::RulesTag;
use craps_store::{NewRow, Store};
use craps_table::{Actor, Command, Crew, Manner};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tower::ServiceExt as _;

/// What one run of a decoder costs, compared with the others.
#[derive(Clone, Copy)]
enum Cost {
    /// A few microseconds.
    Cheap,
    Usual,
    /// A whole request.
    Dear,
}

fn runs(cost: Cost) -> u64 {
    let runs = std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(2_000);
    match cost {
        Cost::Cheap => runs * 10,
        Cost::Usual => runs,
        Cost::Dear => runs / 10,
    }
}

/// Prints how many runs there were, and how many a second.
fn tell(name: &str, runs: u64, since: Instant) {
    let milliseconds = since.elapsed().as_millis().max(1);
    println!(
        "server-fuzz: {name}: {runs} runs in {} s, {} a second",
        milliseconds / 1_000,
        u128::from(runs) * 1_000 / milliseconds
    );
}

/// A small random generator: the same seed gives the same run everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(count.max(1)).unwrap()).unwrap()
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Hints from the schema of a body: its fields, and the values of its enums.
#[derive(Default)]
struct Hints {
    fields: Vec<String>,
    words: Vec<String>,
}

impl Hints {
    fn gather(&mut self, schema: &Value, all: &Map<String, Value>, seen: &mut BTreeSet<String>) {
        match schema {
            Value::Object(object) => {
                if let Some(name) = object.get("$ref").and_then(Value::as_str).and_then(|at| at.rsplit('/').next())
                    && seen.insert(name.to_owned())
                    && let Some(schema) = all.get(name)
                {
                    self.gather(schema, all, seen);
                }
                if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                    self.fields.extend(properties.keys().cloned());
                }
                if let Some(words) = object.get("enum").and_then(Value::as_array) {
                    self.words.extend(words.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                object.values().for_each(|schema| self.gather(schema, all, seen));
            }
            Value::Array(list) => list.iter().for_each(|schema| self.gather(schema, all, seen)),
            _ => {}
        }
    }

    fn value(&self, chance: &mut Chance, depth: usize) -> Value {
        let numbers = [0, 1, -1, 5, 6, 7, 1_000, 50_000, i64::MAX, i64::MIN, i64::from(u32::MAX) + 1];
        match chance.below(if depth > 4 { 7 } else { 12 }) {
            0 => Value::Null,
            1 => json!(chance.below(2) == 0),
            2 | 3 => json!(numbers[chance.below(numbers.len())]),
            4 => json!(f64::from_bits(chance.next())),
            5 if !self.words.is_empty() => json!(self.words[chance.below(self.words.len())]),
            5 | 6 => {
                json!(chance.of(&["", "P", "pass 10", "north", "\u{0}", "é\u{202e}", "1/2", "2024-01-01", "\"", "a b"]))
            }
            7 | 8 => Value::Array((0..chance.below(4)).map(|_| self.value(chance, depth + 1)).collect()),
            _ => self.object(chance, depth + 1),
        }
    }

    fn object(&self, chance: &mut Chance, depth: usize) -> Value {
        let mut object = Map::new();
        for _ in 0..chance.below(6) {
            let field = match self.fields.is_empty() || chance.below(12) == 0 {
                true => "unknown".to_owned(),
                false => self.fields[chance.below(self.fields.len())].clone(),
            };
            object.insert(field, self.value(chance, depth));
        }
        Value::Object(object)
    }
}

/// Damages a text a little.
fn spoiled(chance: &mut Chance, text: &mut Vec<u8>) {
    let bits: [&[u8]; 22] = [
        b"NaN",
        b"1e999",
        b"-0",
        b"1.5",
        b"99999999999999999999999",
        b"\\ud800",
        b"\\u0000",
        b"\xff",
        b"\xc3\x28",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b",",
        b":",
        b"null",
        b"\0",
        b" ",
        b"\"a\":1,\"a\":2",
        b"//",
        b"-",
    ];
    for _ in 0..chance.below(4) {
        let at = chance.below(text.len() + 1);
        match chance.below(5) {
            0 => drop(text.splice(at..at, chance.of(&bits).iter().copied())),
            1 if at < text.len() => drop(text.remove(at)),
            2 if at < text.len() => text[at] ^= 1 << chance.below(8),
            3 => {
                let from = chance.below(at + 1);
                let copy = text[from..at].to_vec();
                drop(text.splice(at..at, copy));
            }
            _ => {
                let deep = chance.below(200);
                drop(text.splice(at..at, b"[".repeat(deep)));
            }
        }
    }
}

fn documented() -> (Map<String, Value>, BTreeSet<String>) {
    let document = serde_json::to_value(crate::openapi()).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap().clone();
    let mut bodies = BTreeSet::new();
    for methods in document["paths"].as_object().unwrap().values() {
        for route in methods.as_object().unwrap().values() {
            let body = route["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
            bodies.extend(body.and_then(|name| name.rsplit('/').next()).map(str::to_owned));
        }
    }
    (schemas, bodies)
}

#[test]
fn every_body_is_read_or_refused() {
    let (schemas, bodies) = documented();
    type Decoder = fn(&[u8]) -> Result<(), ApiError>;
    let decoders: BTreeMap<&str, Decoder> = crate::routes::bodies().into_iter().collect();
    let known: BTreeSet<String> = decoders.keys().map(|name| (*name).to_owned()).collect();
    let missing: Vec<&String> = bodies.difference(&known).collect();
    assert!(missing.is_empty(), "these bodies are not tested: {missing:?}");

    for (at, (name, decode)) in decoders.into_iter().enumerate() {
        let mut hints = Hints::default();
        if let Some(schema) = schemas.get(name) {
            hints.gather(schema, &schemas, &mut BTreeSet::new());
        }
        let mut chance = Chance(u64::try_from(at).unwrap());
        let (mut read, runs, since) = (0_u64, runs(Cost::Usual), Instant::now());
        for run in 0..runs {
            let mut text = hints.object(&mut chance, 0).to_string().into_bytes();
            if chance.below(3) > 0 {
                spoiled(&mut chance, &mut text);
            }
            match decode(&text) {
                Ok(()) => {
                    read += 1;
                    let plain: Result<Value, _> = serde_json::from_slice(&text);
                    assert!(
                        plain.is_ok(),
                        "{name}, run {run}: accepted invalid JSON: {}",
                        String::from_utf8_lossy(&text)
                    );
                }
                Err(error) => {
                    let (status, message) = (error.status().as_u16(), &error.problem().message);
                    assert!(matches!(status, 400 | 413 | 422), "{name}, run {run}: {status}");
                    assert!(!message.is_empty() && message.len() < 4_096, "{name}, run {run}: {message}");
                }
            }
        }
        tell(name, runs, since);
        assert!(read < runs, "{name} accepts anything");
    }
}

#[test]
fn every_header_is_read_or_refused() {
    let mut chance = Chance(7);
    let token = "0123456789abcdef".repeat(4);
    let seeds: [String; 8] = [
        format!("__Host-session={token}"),
        format!("a=b; __Host-session={token}; c"),
        format!("Bearer {token}"),
        "127.0.0.1, ::1, 10.0.0.1".to_owned(),
        "https, http".to_owned(),
        "http://[::1]:8080".to_owned(),
        "localhost:8080".to_owned(),
        "k-1".to_owned(),
    ];
    let name = |name: &'static str| HeaderName::from_static(name);
    let names = [COOKIE, AUTHORIZATION, HOST, ORIGIN, name("x-forwarded-for"), name("x-forwarded-proto")];
    let settings = Settings { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..Settings::default() };
    let direct = SocketAddr::from(([127, 0, 0, 1], 1));
    let uri = Uri::from_static("/me");
    let (runs, since) = (runs(Cost::Cheap), Instant::now());
    for run in 0..runs {
        let mut headers = HeaderMap::new();
        for _ in 0..1 + chance.below(4) {
            let mut value = seeds[chance.below(seeds.len())].clone().into_bytes();
            spoiled(&mut chance, &mut value);
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                headers.append(names[chance.below(names.len())].clone(), value);
            }
        }
        if let Err(error) = shown(&headers) {
            assert_eq!(error.status().as_u16(), 401, "run {run}");
        }
        for settings in [&settings, &Settings::default()] {
            let peer = Peer::of(settings, Some(direct), false, &uri, &headers);
            let _ = (peer.subscriber(), is_own_origin(settings, &uri, &headers));
        }
        let mut key = seeds[chance.below(seeds.len())].clone().into_bytes();
        spoiled(&mut chance, &mut key);
        let key = String::from_utf8_lossy(&key).into_owned();
        match Key(None).or(Some(key.clone())) {
            Ok(read) => assert!(read.as_ref() == Some(&key) && key.len() <= crate::input::KEY_MOST, "run {run}"),
            Err(error) => assert_eq!(error.status().as_u16(), 422, "run {run}"),
        }
    }
    tell("headers", runs, since);
}

/// Returns the rows of a small game, as in its log.
fn rows(library: &Library) -> (Live, Vec<Entry<BetName>>) {
    let house = HouseRules::practice(&library.books[0]).unwrap();
    let opening = Opening {
        name: "Test".to_owned(),
        rules: RulesTag::of(&house),
        house: house.tag(),
        game: None,
        crew: Crew::Automatic,
        dice: DiceFrom::Secret,
        practice: true,
        private: false,
        chat: true,
        window: None,
        asks: false,
        funded: true,
        witness: None,
        slots: Vec::new(),
    };
    let secret = Secret::from_bytes(&[7; 32]).unwrap();
    let first = Live::plan(library, opening).unwrap();
    let mut live = Live::open(library, &first, "first").unwrap();
    let opened = live.clone();
    let mut entries = vec![opened.names().logged(&first)];
    let mut add = |live: &mut Live, by: By, did: Deed| {
        let entry = Entry::new(by, did);
        let row = entries.len() as u64 + 1;
        live.apply(row, &format!("row {row}"), &entry);
        entries.push(live.names().logged(&entry));
    };
    let ann = || By::person("a:ann", Actor::player(1));
    add(&mut live, By::machine(), Deed::Committed { hand: 1, commitment: secret.commitment(), chain: None });
    let join = Command::Join { seat: 1, name: "Ann".to_owned(), money: "500".parse().unwrap() };
    let joined = live.order(Actor::player(1), &[join]).unwrap();
    add(&mut live, ann(), joined);
    for _ in 0..6 {
        for (code, amount) in [("P", "10"), ("F", "5"), ("PL6", "12"), ("C", "5")] {
            let slot = live.table().board().named(code).unwrap();
            let bet = Command::Bet { seat: 1, slot, amount: amount.parse().unwrap(), manner: Manner::default() };
            if let Ok(ordered) = live.order(Actor::player(1), &[bet]) {
                add(&mut live, ann(), ordered);
            }
        }
        if let Ok(Some(undone)) = live.undo(1) {
            add(&mut live, ann(), undone);
        }
        let closed = live.close(None).unwrap();
        add(&mut live, ann(), closed);
        let thrown = live.derived("t", &secret).unwrap().unwrap();
        add(&mut live, By::machine(), thrown);
    }
    add(&mut live, By::machine(), Deed::Revealed { hand: 1, secret: secret.hex() });
    add(&mut live, By::machine(), Deed::Entered { faces: [6, 6] });
    add(&mut live, By::machine(), Deed::Mismatched { entered: [6, 6], seen: [6, 5] });
    let ruling = Command::Rule { seat: 1, amount: "5".parse().unwrap(), reason: "short paid".to_owned() };
    add(&mut live, By::machine(), Deed::Proposed { ruling });
    add(&mut live, By::machine(), Deed::Approved { row: 3, events: Vec::new() });
    (opened, entries)
}

/// Any text is either rejected as a row, or can be applied and shown: a damaged log doesn't stop the server.
#[test]
fn every_row_of_a_log_is_folded_or_refused() {
    let library = Library::shipped();
    let (opened, entries) = rows(&library);
    let texts: Vec<Vec<u8>> = entries.iter().map(|entry| serde_json::to_vec(entry).unwrap()).collect();
    // Tables at different moments of the game.
    let mut tables = vec![opened];
    for (at, entry) in entries.iter().enumerate().skip(1) {
        let mut next = tables.last().unwrap().clone();
        next.apply(at as u64 + 1, "hash", &next.names().read(entry).unwrap());
        tables.push(next);
    }
    let mut chance = Chance(11);
    let (mut read, runs, since) = (0_u64, runs(Cost::Usual), Instant::now());
    for _ in 0..runs {
        let mut text = texts[chance.below(texts.len())].clone();
        // Change a number, or damage the row.
        match chance.below(3) {
            0 => spoiled(&mut chance, &mut text),
            _ => {
                let digits: Vec<usize> = (0..text.len()).filter(|at| text[*at].is_ascii_digit()).collect();
                let at = digits[chance.below(digits.len())];
                let other = chance.of::<[u8]>(&[b"9", b"0", b"255", b"-1", b"9223372036854775807", b"4294967296"]);
                drop(text.splice(at..=at, other.iter().copied()));
            }
        }
        let Ok(entry) = serde_json::from_slice::<Entry<BetName>>(&text) else { continue };
        read += 1;
        let mut table = tables[chance.below(tables.len())].clone();
        let Ok(entry) = table.names().read(&entry) else { continue };
        table.apply(99, "hash", &entry);
        let _ = (table.rails(&entry.did), view::table("t", &table, &Eye { all: true, ..Eye::default() }));
    }
    tell("rows of a log", runs, since);
    assert!(read > runs / 20, "{read} of {runs} were rows");
}

/// Requests with anything in every part of the address.
#[tokio::test]
async fn every_address_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("t.db").to_str().unwrap()).await.unwrap();
    let library = Arc::new(Library::shipped());
    let (_, entries) = rows(&library);
    let new = |entry: &Entry<BetName>| NewRow {
        at: 0,
        client: String::new(),
        key: None,
        body: serde_json::to_string(entry).unwrap(),
    };
    store.append("north", 0, entries.iter().map(new).collect()).await.unwrap();
    let settings = Settings { rate: u32::MAX, burst: u32::MAX, ..Settings::default() };
    let router = crate::router(Arc::new(App::new(Pit::new(store, library), settings, None)));
    let document = serde_json::to_value(crate::openapi()).unwrap();
    let paths: Vec<&String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, methods)| !methods["get"].is_null())
        .map(|(path, _)| path)
        .collect();
    let mut chance = Chance(13);
    let parts = [
        "north",
        "1",
        "0",
        "-1",
        "255",
        "18446744073709551616",
        "pa",
        "zz",
        "%",
        "%ff",
        "%00",
        "%2e%2e",
        "..",
        "é",
        "a b",
        "@people",
        "fire",
        "",
    ];
    let names = ["seat", "from", "after", "limit", "wagers", "book", "as_of", "stake", "stages", "x", "", "as"];
    let (mut found, direct) = (0_u64, SocketAddr::from(([127, 0, 0, 1], 1)));
    let (runs, since) = (runs(Cost::Dear), Instant::now());
    for _ in 0..runs {
        let path = chance.of(&paths.iter().map(|path| path.as_str()).collect::<Vec<_>>());
        let mut address: Vec<String> = Vec::new();
        for part in path.split('/').skip(1) {
            address.push(if part.starts_with('{') { chance.of(&parts).to_owned() } else { part.to_owned() });
        }
        let mut address = format!("/{}", address.join("/")).into_bytes();
        for at in 0..chance.below(3) {
            address.extend(if at == 0 { b"?" } else { b"&" });
            address.extend(format!("{}={}", chance.of(&names), chance.of(&parts)).bytes());
        }
        if chance.below(4) == 0 {
            spoiled(&mut chance, &mut address);
        }
        let Ok(uri) = Uri::try_from(address) else { continue };
        let mut request = axum::http::Request::builder()
            .uri(uri.clone())
            .header(HOST, "localhost")
            .body(axum::body::Body::empty())
            .unwrap();
        request.extensions_mut().insert(axum::extract::ConnectInfo(direct));
        let status = router.clone().oneshot(request).await.unwrap().status();
        assert!(!status.is_server_error() || status.as_u16() == 503 && uri.path() == "/ready", "{uri}: {status}");
        found += u64::from(status.is_success());
    }
    tell("addresses", runs, since);
    assert!(found > runs / 10, "{found} of {runs} were answered");
}

#[test]
fn every_file_of_settings_is_read_or_refused() {
    let text = "addr = \"127.0.0.1:0\"\nrate = 7\nlog = \"json\"\npractice = [\"one\"]\ntrusted_proxies = [\"::1\"]\n";
    let mut chance = Chance(17);
    let (runs, since) = (runs(Cost::Cheap), Instant::now());
    for run in 0..runs {
        let mut bytes = text.as_bytes().to_vec();
        spoiled(&mut chance, &mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match Given::read("b.toml", &text) {
            Ok(given) => drop(Config::new(given, Path::new("d"))),
            Err(error) => assert!(error.to_string().starts_with("b.toml: "), "run {run}: {error}"),
        }
    }
    tell("settings", runs, since);
}

/// Each body is tested with the decoder of its own name in the OpenAPI document.
#[test]
fn a_decoder_that_is_asked_for_is_the_one_that_answers() {
    let all: Vec<Reads> = crate::routes::bodies();
    let sign_in = all.iter().find(|(name, _)| *name == "SignIn").unwrap().1;
    assert!(sign_in(br#"{"name": "Ann", "password": "x"}"#).is_ok());
    assert_eq!(sign_in(br#"{"name": "Ann"}"#).unwrap_err().status().as_u16(), 422);
}
