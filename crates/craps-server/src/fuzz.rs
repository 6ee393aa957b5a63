//! Whatever is sent, every decoder answers it: a value, or an error that says why. `BOXPERSON_FUZZ_RUNS=1000000` runs each so often.

use crate::error::ApiError;
use crate::input::{Key, Reads};
use crate::people::session::shown;
use crate::people::{Peer, Settings, is_own_origin};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

fn runs() -> u64 {
    std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(2_000)
}

/// A small generator: the same run for the same seed, anywhere.
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

/// What a body's description offers: its fields, and words that mean something in it.
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

/// Text that is nearly right.
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
    assert!(missing.is_empty(), "these bodies are not tried: {missing:?}");

    for (at, (name, decode)) in decoders.into_iter().enumerate() {
        let mut hints = Hints::default();
        if let Some(schema) = schemas.get(name) {
            hints.gather(schema, &schemas, &mut BTreeSet::new());
        }
        let mut chance = Chance(u64::try_from(at).unwrap());
        let mut read = 0_u64;
        for run in 0..runs() {
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
                        "{name}, run {run}: read what is no JSON: {}",
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
        assert!(read < runs(), "{name} reads anything");
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
    for run in 0..runs() {
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
            let peer = Peer::of(settings, Some(direct), &uri, &headers);
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
}

/// So that no body is forgotten: what a route reads, by the name that the document has for it.
#[test]
fn a_decoder_that_is_asked_for_is_the_one_that_answers() {
    let all: Vec<Reads> = crate::routes::bodies();
    let sign_in = all.iter().find(|(name, _)| *name == "SignIn").unwrap().1;
    assert!(sign_in(br#"{"name": "Ann", "password": "x"}"#).is_ok());
    assert_eq!(sign_in(br#"{"name": "Ann"}"#).unwrap_err().status().as_u16(), 422);
}
