//! Reads what clients send, strictly. Errors say where the mistake is.
//!
//! A body is JSON of at most 64 KiB (games can be longer), not nested deeply, without duplicate keys. Request types reject unknown fields. Amounts
//! are integers: a number with a decimal point or an exponent is rejected.

use crate::app::Shared;
use crate::error::ApiError;
use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt::{self, Write as _};
use tokio::sync::OwnedSemaphorePermit;

/// Maximum length of a body or a message, in bytes.
pub const BODY_MOST: usize = 64 * 1024;
/// Maximum length of a body that contains a whole game, in bytes.
pub const GAME_MOST: usize = 2 * 1024 * 1024;
/// Routes that take whole games.
pub(crate) const GAMES: [&str; 3] = ["/why", "/replay", "/felt"];
/// Maximum nesting depth of a body.
pub const DEPTH_MOST: usize = 32;
/// Maximum length of an idempotency key, in bytes.
pub const KEY_MOST: usize = 64;
/// How much of the input an error repeats, in characters.
const REPEATED_MOST: usize = 250;

/// A JSON body. An empty body counts as an empty object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Body<T>, ApiError> {
        read(request, BODY_MOST).await.map(Body)
    }
}

/// A JSON body with a whole game in it. Only a limited number are handled at once, because each takes memory.
pub(crate) struct GameBody<T> {
    /// The parsed body.
    pub(crate) asked: T,
    _place: OwnedSemaphorePermit,
}

impl<T: DeserializeOwned> FromRequest<Shared> for GameBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Shared) -> Result<GameBody<T>, ApiError> {
        let place = app.facts.game_place()?;
        Ok(GameBody { asked: read(request, GAME_MOST).await?, _place: place })
    }
}

/// Reads a body of at most `most` bytes.
async fn read<T: DeserializeOwned>(request: Request, most: usize) -> Result<T, ApiError> {
    let is_json = is_json(request.headers());
    let bytes = to_bytes(request.into_body(), most).await.map_err(|_| too_large(most))?;
    if bytes.is_empty() {
        return decode(b"{}");
    }
    if !is_json {
        let words = "The body must be JSON with the header `Content-Type: application/json`.";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", words));
    }
    decode_within(&bytes, most)
}

pub(crate) fn too_large(most: usize) -> ApiError {
    let words = format!("The body must be complete and have at most {most} bytes.");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", words)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Decodes a value from JSON, strictly.
///
/// # Errors
/// When it is too long (413), not JSON, too deep or has a duplicate key (400), or doesn't fit the type (422, with the path of the field).
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    decode_within(bytes, BODY_MOST)
}

fn decode_within<T: DeserializeOwned>(bytes: &[u8], most: usize) -> Result<T, ApiError> {
    if bytes.len() > most {
        return Err(too_large(most));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { depth: 0, path: String::new() }
        .deserialize(&mut json)
        .and_then(|value| json.end().map(|()| value))
        .map_err(|error| ApiError::bad_request(format!("Invalid JSON: {}", shortened(&error.to_string()))))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let (path, what) = (error.path().to_string(), shortened(&error.inner().to_string()));
        let message = if path == "." { what } else { format!("`{}`: {what}", shortened(&path)) };
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-field", message)
    })
}

/// Name of a body type and its decoder, for tests that try them all.
#[cfg(test)]
pub(crate) type Reads = (&'static str, fn(&[u8]) -> Result<(), ApiError>);

#[cfg(test)]
pub(crate) fn reads<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), ApiError> {
    decode::<T>(bytes).map(drop)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(REPEATED_MOST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

/// Decodes any JSON, but rejects duplicate keys and deep nesting.
struct Strict {
    depth: usize,
    path: String,
}

impl Strict {
    fn within<E: serde::de::Error>(&self, step: impl fmt::Display) -> Result<Strict, E> {
        if self.depth + 1 > DEPTH_MOST {
            return Err(E::custom(format!("nested more than {DEPTH_MOST} levels deep")));
        }
        let mut path = self.path.clone();
        // Writing to a string can't fail.
        let _ = write!(path, "{step}");
        Ok(Strict { depth: self.depth + 1, path })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not a valid number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.within(format_args!("[{}]", list.len()))?)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let dot = if self.path.is_empty() { "" } else { "." };
        while let Some(key) = pairs.next_key::<String>()? {
            let within = self.within(format_args!("{dot}{key}"))?;
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("`{}` appears twice", within.path)));
            }
            let value = pairs.next_value_seed(within)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// The idempotency key from the header `Idempotency-Key`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Key(pub Option<String>);

impl Key {
    /// Returns the key from the header or from the body.
    ///
    /// # Errors
    /// When the two differ, or the key isn't valid.
    pub fn or(self, body: Option<String>) -> Result<Option<String>, ApiError> {
        let key = match (self.0, body) {
            (Some(header), Some(body)) if header != body => {
                return Err(ApiError::bad_request("`Idempotency-Key` and `id` differ. Send only one of them."));
            }
            (header, body) => header.or(body),
        };
        key.map(checked).transpose()
    }
}

fn checked(key: String) -> Result<String, ApiError> {
    let fits = !key.is_empty() && key.len() <= KEY_MOST && key.bytes().all(|byte| byte.is_ascii_graphic());
    let words = || format!("The key must have 1 to {KEY_MOST} ASCII characters and no spaces.");
    if fits { Ok(key) } else { Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-key", words())) }
}

impl<S: Send + Sync> FromRequestParts<S> for Key {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Key, ApiError> {
        let Some(key) = parts.headers.get("idempotency-key") else { return Ok(Key(None)) };
        // A header that isn't text becomes an empty key, which is rejected.
        checked(key.to_str().unwrap_or_default().to_owned()).map(|key| Key(Some(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wish {
        bets: Vec<Bet>,
        #[serde(default)]
        note: Option<String>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Bet {
        amount: i64,
    }

    fn said(text: &str) -> (u16, String) {
        let error = decode::<Wish>(text.as_bytes()).unwrap_err();
        (error.status().as_u16(), error.problem().message.clone())
    }

    #[test]
    fn what_fits_is_read() {
        let wish = decode::<Wish>(br#" {"bets": [{"amount": 1200}], "note": "a\u00e9"} "#).unwrap();
        assert_eq!(wish, Wish { bets: vec![Bet { amount: 1200 }], note: Some("aé".to_owned()) });
    }

    #[test]
    fn a_field_that_will_not_do_is_named() {
        for (text, path) in [
            (r#"{"bets": [{"amount": 1200.5}]}"#, "`bets[0].amount`"),
            (r#"{"bets": [{"amount": 1e3}]}"#, "`bets[0].amount`"),
            (r#"{"bets": [{"amount": 5}, {"amount": "5"}]}"#, "`bets[1].amount`"),
            (r#"{"bets": [{"amount": 9223372036854775808}]}"#, "`bets[0].amount`"),
            (r#"{"bets": [{"amount": 99999999999999999999999}]}"#, "`bets[0].amount`"),
            (r#"{"bets": [{"amount": 5, "amonut": 5}]}"#, "`bets[0].amonut`"),
            (r#"{"bets": [{}]}"#, "`bets[0]`"),
            (r#"{"bets": [], "note": 5}"#, "`note`"),
            (r#"[]"#, "invalid"),
        ] {
            let (status, message) = said(text);
            assert_eq!(status, 422, "{text}: {message}");
            assert!(message.contains(path), "{text}: {message}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        for text in [
            "",
            "{",
            r#"{"bets": [NaN]}"#,
            r#"{"bets": [1e999]}"#,
            "{} {}",
            "{'bets': []}",
            "{\"note\": \"\u{1}\"}",
            "nul",
        ] {
            let (status, message) = said(text);
            assert_eq!(status, 400, "{text}: {message}");
            assert!(message.contains("line 1 column"), "{text}: {message}");
        }
        assert_eq!(decode::<Wish>(b"{\"note\": \"\xff\"}").unwrap_err().status().as_u16(), 400);
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused() {
        let (status, message) = said(r#"{"bets": [{"amount": 5, "amount": 7}]}"#);
        assert_eq!(status, 400);
        assert!(message.contains("`bets[0].amount` appears twice"), "{message}");
        // Also if the same key is written with an escape.
        assert!(said(r#"{"note": "a", "n\u006fte": "b", "bets": []}"#).1.contains("`note` appears twice"));
    }

    #[test]
    fn deep_and_long_bodies_are_refused() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(said(&deep(DEPTH_MOST)).0, 422, "not too deep, but not a wish");
        for depth in [DEPTH_MOST + 1, 100, 30_000] {
            let (status, message) = said(&deep(depth));
            assert_eq!((status, message.contains("deep")), (400, true), "{depth}: {message}");
        }
        assert_eq!(said(&" ".repeat(BODY_MOST + 1)).0, 413);
    }

    #[test]
    fn errors_do_not_repeat_a_whole_body() {
        let (_, message) = said(&format!(r#"{{"{}": 1}}"#, "x".repeat(10_000)));
        assert!(message.len() < 3 * REPEATED_MOST, "{}", message.len());
    }

    #[test]
    fn keys_agree_and_are_short() {
        let key = |text: &str| Key(Some(text.to_owned()));
        assert_eq!(Key(None).or(None), Ok(None));
        assert_eq!(key("a1").or(None), Ok(Some("a1".to_owned())));
        assert_eq!(key("a1").or(Some("a1".to_owned())), Ok(Some("a1".to_owned())));
        assert!(key("a1").or(Some("a2".to_owned())).is_err());
        for not in [String::new(), "a b".to_owned(), "é".to_owned(), "x".repeat(KEY_MOST + 1)] {
            assert!(Key(None).or(Some(not.clone())).is_err(), "{not:?}");
        }
    }
}
