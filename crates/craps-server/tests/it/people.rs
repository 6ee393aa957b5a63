//! Sign-in and sign-out, revoked rights, own limits and rate limits, on a real server.

use crate::support::{Here, Reply, Shows};
use craps_server::live::DiceFrom;
use craps_server::live::pit::now;
use craps_server::people::records::{Records, hashed};
use craps_server::people::{Role, Scope, access, sweep};
use craps_store::{ApiToken, NewGrant, Session, new_token, token_hash};
use craps_table::{Actor, Crew};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};
use std::sync::Arc;
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

const PASSWORD: &str = "correct horse battery";
const HOUR: i64 = 3_600_000;

async fn with_password(here: &Here, name: &str) -> String {
    let hash = hashed(name, PASSWORD).unwrap();
    Records::new(here.app.store(), "test").add_account(name, &hash).await.unwrap().id
}

async fn sign_in(here: &Here, shows: &Shows, name: &str, password: &str) -> Reply {
    here.post("/sign-in", shows, &json!({ "name": name, "password": password })).await
}

async fn kind(here: &Here, shows: &Shows) -> String {
    here.get("/me", shows).await.json()["kind"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_gives_a_new_cookie_and_ends_the_old_one() {
    let here = Here::new().await;
    with_password(&here, "Ann").await;

    let guest = here.post("/guests", &Shows::Nothing, &json!({})).await;
    assert_eq!(guest.status, 201, "{}", guest.body);
    let cookie = guest.header("set-cookie").unwrap();
    assert!(cookie.contains("; Max-Age=604800;"), "a guest is known for at most a week: {cookie}");
    let who = guest.json()["who"].as_str().unwrap().to_owned();
    assert_eq!(guest.json()["name"], json!(format!("Guest {}", &who[2..8])), "{who}");
    let guest = Shows::Cookie(guest.cookie());
    assert_eq!(kind(&here, &guest).await, "guest");
    assert_eq!(here.post("/guests", &guest, &json!({})).await.status, 409, "already a guest");

    let wrong = sign_in(&here, &guest, "Ann", "correct horse batterx").await;
    let unknown = sign_in(&here, &guest, "Nobody", PASSWORD).await;
    assert_eq!((wrong.status, unknown.status), (401, 401));
    assert_eq!(wrong.body, unknown.body, "the answer doesn't reveal which names exist");
    assert_eq!(kind(&here, &guest).await, "guest", "still a guest");

    let right = sign_in(&here, &guest, "ANN", PASSWORD).await;
    assert_eq!(right.status, 201, "{}", right.body);
    let cookie = right.header("set-cookie").unwrap();
    for word in ["__Host-session=", "Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=43200"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    let ann = Shows::Cookie(right.cookie());
    assert_eq!((kind(&here, &ann).await.as_str(), kind(&here, &guest).await.as_str()), ("account", "anonymous"));
    assert_eq!(right.json()["name"], "Ann");

    // The store contains no token in the clear.
    let Shows::Cookie(token) = &ann else { unreachable!() };
    assert!(here.app.store().people().session(token).await.unwrap().is_none());
    assert!(here.app.store().people().session(&token_hash(&token[..32])).await.unwrap().is_some());
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_signs_in_where_others_can_read_along() {
    let here = Here::with(|given| given.trusted_proxies = Some(vec!["127.0.0.1".parse().unwrap()])).await;
    with_password(&here, "Ann").await;
    let body = json!({ "name": "Ann", "password": PASSWORD }).to_string();
    let proto =
        |proto| [("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", proto), ("Content-Type", "application/json")];
    let plain = here.send("POST", "/sign-in", &Shows::Nothing, &proto("http"), body.as_bytes()).await;
    assert_eq!((plain.status, plain.code().as_str()), (403, "plain-http"), "{}", plain.body);
    assert!(plain.header("set-cookie").is_none() && plain.body.contains("https"), "{}", plain.body);
    let named = [("Host", "club.example"), ("X-Forwarded-For", "192.0.2.7"), ("X-Forwarded-Proto", "http")];
    let guest = here.send("POST", "/guests", &Shows::Nothing, &named, b"").await;
    assert_eq!((guest.status, guest.code().as_str()), (403, "plain-http"), "{}", guest.body);
    let guest = here.send("POST", "/guests", &Shows::Nothing, &named[1..], b"").await;
    assert_eq!(guest.status, 201, "a browser keeps the cookie of its own machine: {}", guest.body);
    let tls = here.send("POST", "/sign-in", &Shows::Nothing, &proto("https"), body.as_bytes()).await;
    assert_eq!(tls.status, 201, "{}", tls.body);
    here.stop().await;

    // The server doesn't believe an untrusted proxy.
    let here = Here::new().await;
    let carried = here.send("POST", "/sign-in", &Shows::Nothing, &proto("https"), body.as_bytes()).await;
    assert_eq!((carried.status, carried.code().as_str()), (403, "plain-http"), "{}", carried.body);
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_slow() {
    let here = Here::new().await;
    with_password(&here, "Ann").await;
    with_password(&here, "Bo").await;
    for _ in 0..10 {
        assert_eq!(sign_in(&here, &Shows::Nothing, "Ann", "wrong").await.status, 401);
    }
    let more = sign_in(&here, &Shows::Nothing, "ann", PASSWORD).await;
    assert_eq!(more.status, 429, "even the right one waits: {}", more.body);
    assert!(more.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
    assert_eq!(sign_in(&here, &Shows::Nothing, "Bo", PASSWORD).await.status, 201, "other accounts are not affected");
    // The address has its own limit over all names.
    let mut last = 0;
    for name in 0..40 {
        last = sign_in(&here, &Shows::Nothing, &format!("name {name}"), "wrong").await.status;
    }
    assert_eq!(last, 429);
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_is_gone_with_the_next_request() {
    let here = Here::new().await;
    let id = with_password(&here, "Ann").await;
    let session = async || Shows::Cookie(sign_in(&here, &Shows::Nothing, "Ann", PASSWORD).await.cookie());

    let (one, two) = (session().await, session().await);
    let out = here.post("/sign-out", &one, &json!({})).await;
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"), "{:?}", out.headers);
    assert_eq!((kind(&here, &one).await.as_str(), kind(&here, &two).await.as_str()), ("anonymous", "account"));

    let three = session().await;
    let sessions = here.get("/me/sessions", &three).await.json();
    assert_eq!(sessions.as_array().unwrap().len(), 2);
    let other = sessions.as_array().unwrap().iter().find(|session| session["current"] == false).unwrap();
    let ended = here.ask("DELETE", &format!("/me/sessions/{}", other["id"].as_str().unwrap()), &three, None).await;
    assert_eq!((ended.status, kind(&here, &two).await.as_str()), (200, "anonymous"));

    let four = session().await;
    let wrong =
        here.post("/me/password", &four, &json!({ "current": "wrong", "new": "another one that is long" })).await;
    assert_eq!(wrong.status, 403, "{}", wrong.body);
    let short = here.post("/me/password", &four, &json!({ "current": PASSWORD, "new": "short" })).await;
    assert_eq!(short.status, 422, "{}", short.body);
    let changed =
        here.post("/me/password", &four, &json!({ "current": PASSWORD, "new": "another one that is long" })).await;
    assert_eq!(changed.status, 201, "{}", changed.body);
    let five = Shows::Cookie(changed.cookie());
    for (shows, expected) in [(&three, "anonymous"), (&four, "anonymous"), (&five, "account")] {
        assert_eq!(kind(&here, shows).await, expected);
    }
    assert_eq!(sign_in(&here, &Shows::Nothing, "Ann", PASSWORD).await.status, 401, "the old password is invalid");

    let six = here.session(&id, HOUR).await;
    here.post("/sign-out", &five, &json!({ "everywhere": true })).await;
    assert_eq!(kind(&here, &six).await, "anonymous");

    // The same for roles, tokens and accounts.
    let seven = here.session(&id, HOUR).await;
    here.grant(&id, Role::Admin, None).await;
    assert_eq!(here.get("/accounts", &seven).await.status, 200);
    let grants = here.get(&format!("/accounts/{id}/grants"), &seven).await.json();
    let grant = grants[0]["id"].as_str().unwrap().to_owned();
    let made = here.post("/me/tokens", &seven, &json!({ "label": "bot", "scopes": ["admin"], "days": 1 })).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let token = Shows::Token(made.json()["token"].as_str().unwrap().to_owned());
    assert_eq!((kind(&here, &token).await.as_str(), here.get("/accounts", &token).await.status), ("token", 200));
    assert_eq!(here.ask("DELETE", &format!("/accounts/{id}/grants/{grant}"), &token, None).await.status, 200);
    assert_eq!((here.get("/accounts", &seven).await.status, here.get("/accounts", &token).await.status), (403, 403));
    let listed = here.get("/me/tokens", &seven).await;
    assert!(listed.json()[0].get("token").is_none(), "a token is shown once: {}", listed.body);
    let path = format!("/me/tokens/{}", made.json()["id"].as_str().unwrap());
    assert_eq!(here.ask("DELETE", &path, &seven, None).await.status, 200);
    assert_eq!(here.get("/me", &token).await.status, 401);
    let token = here.token(&id, &[Scope::Watch], None).await;
    here.app.store().people().set_disabled(&id, true).await.unwrap();
    assert_eq!((kind(&here, &seven).await.as_str(), here.get("/me", &token).await.status), ("anonymous", 401));
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_session_does() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    let id = here.account("Ann").await;
    let shows = here.session(&id, HOUR).await;
    let Shows::Cookie(token) = &shows else { unreachable!() };
    let mut request = format!("ws://{}/tables/open/stream", here.addr).into_client_request().unwrap();
    request.headers_mut().insert("cookie", format!("__Host-session={token}").parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    socket.next().await.unwrap().unwrap();
    here.post("/sign-out", &shows, &json!({})).await;
    // The stream sends nothing more about the table and closes.
    let mut last = String::new();
    while let Some(Ok(message)) = socket.next().await {
        last = message.to_string();
    }
    assert!(last.contains("sign-in") || last.contains("session"), "{last}");
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_lasts_longer_when_it_is_used_but_not_for_ever() {
    let here = Here::new().await;
    let id = here.account("Ann").await;
    let begun = async |ago: i64, seen: i64| {
        let (at, token) = (now(), String::new());
        let (created, seen) = (at - ago, at - seen);
        let session = Session { token, account: id.clone(), created, seen, expires: at + 60_000, factor: None };
        let shows = here.begun(session.clone()).await;
        assert_eq!(kind(&here, &shows).await, "account");
        let Shows::Cookie(cookie) = shows else { unreachable!() };
        let hash = token_hash(&cookie[..32]);
        (Session { token: hash.clone(), ..session }, here.app.store().people().session(&hash).await.unwrap().unwrap())
    };
    let (_, used) = begun(2 * HOUR, 10 * 60_000).await;
    assert!(used.expires > now() + 50 * 60_000, "an hour from its last use: {used:?}");
    let (old, used) = begun(12 * HOUR - 60_000, 10 * 60_000).await;
    assert_eq!(used.expires, old.created + 12 * HOUR, "at most twelve hours in total");
    let (fresh, used) = begun(2 * HOUR, 1_000).await;
    assert_eq!(used, fresh, "not every request is written to the store");
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_sessions_are_deleted() {
    let here = Here::new().await;
    let (old, new) = (here.session("g:aaaa", -1).await, here.session("g:bbbb", HOUR).await);
    let (Shows::Cookie(old), Shows::Cookie(new)) = (old, new) else { unreachable!() };
    let kept =
        async |token: &str| here.app.store().people().session(&token_hash(&token[..32])).await.unwrap().is_some();
    let sweeping = tokio::spawn(sweep(Arc::clone(&here.app)));
    let deleted = async {
        while kept(&old).await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), deleted).await.expect("the session is deleted at once");
    assert!(kept(&new).await, "a valid session stays");
    assert!(!sweeping.is_finished(), "it goes on");
    sweeping.abort();
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_bets_past_the_limits_they_set_themselves() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    here.table("other", true, Crew::Automatic, DiceFrom::Secret).await;
    let id = here.account("Ann").await;
    let ann = here.session(&id, HOUR).await;
    let sits = async |table: &str| {
        let reply = here.post(&format!("/tables/{table}/seats"), &ann, &json!({ "buy_in": 100_000 })).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply
    };
    let bets = async |table: &str, amount: i64| {
        let body = json!({ "bets": [{ "bet": "P", "amount": amount }] });
        here.post(&format!("/tables/{table}/actions"), &ann, &body).await
    };
    let limited = |reply: &Reply| (reply.status, reply.json()["code"].as_str().unwrap_or_default().to_owned());
    let own = (403, "own-limit".to_owned());
    sits("open").await;
    sits("other").await;
    assert_eq!(bets("open", 1_000).await.status, 200, "no limit yet");

    let set = here.ask("PUT", "/me/limits", &ann, Some(&json!({ "loss": 5_000, "reminder": 30 }))).await;
    assert_eq!((set.status, &set.json()["set"]["loss"]), (200, &json!(5_000)), "{}", set.body);
    assert_eq!(set.json()["remind"], Value::Null, "no visit yet");
    assert_eq!(bets("open", 3_000).await.status, 200);
    let shown = here.get("/me/limits", &ann).await.json();
    let since = shown["since"].as_i64().unwrap();
    assert_eq!((&shown["minutes"], &shown["time_up"]), (&json!(0), &Value::Null), "{shown}");
    assert_eq!((&shown["remind"], &shown["lost"]), (&json!(since + HOUR / 2), &json!(4_000)), "{shown}");
    assert_eq!(limited(&bets("open", 3_000).await), own, "10 + 30 on the felt plus 30 is more than 50");
    assert_eq!(limited(&bets("other", 3_000).await), own, "at any table");
    let said = here.post("/tables/open/actions", &ann, &json!({ "say": "pass 30" })).await;
    assert_eq!(limited(&said), own, "as rail talk, too: {}", said.body);
    assert_eq!(bets("other", 1_000).await.status, 200, "10 are left");
    assert_eq!(limited(&bets("other", 1_000).await), own);

    // A bet taken down can be bet again. Leaving the table doesn't start a new visit.
    let down = here.post("/tables/other/undo", &ann, &json!({})).await;
    assert_eq!(down.status, 200, "{}", down.body);
    assert_eq!(bets("other", 1_000).await.status, 200);
    here.post("/tables/other/undo", &ann, &json!({})).await;
    let left = here.ask("DELETE", "/tables/other/seats/1", &ann, None).await;
    assert_eq!(left.status, 200, "{}", left.body);
    sits("other").await;
    assert_eq!(limited(&bets("other", 3_000).await), own);

    // A higher limit applies after a day, a lower one at once.
    let raised = here.ask("PUT", "/me/limits", &ann, Some(&json!({ "loss": 50_000 }))).await.json();
    assert_eq!((&raised["set"]["loss"], &raised["coming"]["set"]["loss"]), (&json!(5_000), &json!(50_000)));
    assert_eq!(limited(&bets("other", 3_000).await), own);
    here.ask("PUT", "/me/limits", &ann, Some(&json!({ "loss": 1_000 }))).await;
    assert_eq!(limited(&bets("other", 1_000).await), own);

    // The time is up.
    here.ask("PUT", "/me/limits", &ann, Some(&json!({ "loss": 1_000, "minutes": 0 }))).await;
    assert_eq!(limited(&bets("open", 1_000).await), own);
    let off = here.post("/tables/open/undo", &ann, &json!({})).await;
    assert_eq!(off.status, 200, "undo always works: {}", off.body);
    let shown = here.get("/me/limits", &ann).await.json();
    assert!(shown["since"].as_i64().unwrap() <= now(), "{shown}");
    assert_eq!(shown["time_up"], shown["since"], "the limit was 0 minutes");
    for not in [json!({ "loss": -1 }), json!({ "loss": 1.5 }), json!({ "los": 1 }), json!({ "minutes": "5" })] {
        assert_eq!(here.ask("PUT", "/me/limits", &ann, Some(&not)).await.status, 422, "{not}");
    }
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_bets_when_their_time_is_up() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    for (name, minutes, expected) in [("Ann", 0, 403), ("Bo", 30, 200)] {
        let who = here.session(&here.account(name).await, HOUR).await;
        let set = here.ask("PUT", "/me/limits", &who, Some(&json!({ "minutes": minutes }))).await;
        assert_eq!((set.status, &set.json()["set"]), (200, &json!({ "minutes": minutes })), "{}", set.body);
        let sits = here.post("/tables/open/seats", &who, &json!({ "buy_in": 100_000 })).await;
        assert_eq!(sits.status, 200, "{}", sits.body);
        let bet = json!({ "bets": [{ "bet": "P", "amount": 1_000 }] });
        let reply = here.post("/tables/open/actions", &who, &bet).await;
        assert_eq!(reply.status, expected, "{name}: {}", reply.body);
        assert_eq!(reply.code(), if expected == 403 { "own-limit" } else { "" }, "{name}: {}", reply.body);
        let shown = here.get("/me/limits", &who).await.json();
        let since = shown["since"].as_i64().unwrap();
        assert_eq!(shown["time_up"], json!(since + minutes * 60_000), "{shown}");
    }
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_address_has_its_own_limit_for_callers_without_a_name() {
    let here = Here::with(|given| {
        given.trusted_proxies = Some(vec!["127.0.0.1".parse().unwrap()]);
        (given.rate, given.burst) = (Some(1), Some(2));
    })
    .await;
    let asks = async |address: &str| {
        here.send("GET", "/me", &Shows::Nothing, &[("X-Forwarded-For", address)], b"").await.status
    };
    let mut asked = 0;
    while asks("192.0.2.7").await == 200 {
        asked += 1;
        assert!(asked < 50, "there is a limit");
    }
    assert!(asked >= 2, "{asked}");
    assert_eq!(asks("192.0.2.8").await, 200);
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_asks_too_often_is_told_when_to_ask_again() {
    let here = Here::with(|given| (given.rate, given.burst, given.guests) = (Some(1), Some(5), Some(1))).await;
    let ann = here.session("g:aaaa", HOUR).await;
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(here.get("/me", &ann).await.status);
    }
    assert_eq!(statuses[..5], [200; 5]);
    let reply = here.get("/me", &ann).await;
    assert_eq!((reply.status, reply.code().as_str()), (429, "too-many-requests"), "{statuses:?}");
    assert_eq!(reply.header("retry-after"), Some("1"));
    let bo = here.session("g:bbbb", HOUR).await;
    assert_eq!(here.get("/me", &bo).await.status, 200, "each client has its own limit");
    assert_eq!(here.post("/guests", &Shows::Nothing, &json!({})).await.status, 201);
    assert_eq!(here.post("/guests", &Shows::Nothing, &json!({})).await.status, 429, "one guest per minute here");
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_others_and_bodies_that_will_not_do_are_turned_away() {
    let here = Here::new().await;
    let nobody = Shows::Nothing;
    let foreign = ("Origin", "https://evil.example");
    let reply = here.send("POST", "/guests", &nobody, &[foreign], b"").await;
    assert_eq!((reply.status, reply.code().as_str()), (403, "origin"));
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    let upgrade = [
        foreign,
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let reply = here.send("GET", "/tables/open/stream", &nobody, &upgrade, b"").await;
    assert_eq!((reply.status, reply.code().as_str()), (403, "origin"));
    let own = format!("http://{}", here.addr);
    assert_eq!(here.send("POST", "/guests", &nobody, &[("Origin", &own)], b"").await.status, 201);

    let json = ("Content-Type", "application/json");
    type Case<'a> = (&'a [(&'a str, &'a str)], Vec<u8>, u16);
    let cases: [Case<'_>; 8] = [
        (&[json], b"{\"name\": \"a\", \"name\": \"b\", \"password\": \"c\"}".to_vec(), 400),
        (&[json], b"{\"name\": \"a\", \"password\": \"c\", \"x\": 1}".to_vec(), 422),
        (&[json], b"{\"name\": 1, \"password\": \"c\"}".to_vec(), 422),
        (&[json], [b"[".repeat(40), b"]".repeat(40)].concat(), 400),
        (&[json], b" ".repeat(70_000), 413),
        (&[json], b"\xff\xfe".to_vec(), 400),
        (&[], b"name=a&password=b".to_vec(), 415),
        (&[("Content-Type", "text/plain")], b"{}".to_vec(), 415),
    ];
    for (headers, body, expected) in cases {
        let reply = here.send("POST", "/sign-in", &nobody, headers, &body).await;
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        assert_eq!(reply.status, expected, "{shown}: {}", reply.body);
        assert!(reply.json()["message"].as_str().is_some_and(|message| !message.is_empty()), "{shown}");
    }
    assert_eq!(here.ask("PUT", "/sign-in", &nobody, None).await.status, 405);
    assert_eq!(here.get("/nowhere", &nobody).await.status, 404);
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_keeps_the_records_and_every_change_is_noted() {
    let here = Here::new().await;
    here.table("north", false, Crew::Automatic, DiceFrom::Secret).await;
    let admin = here.account("Ann").await;
    here.grant(&admin, Role::Admin, None).await;
    let ann = here.session(&admin, HOUR).await;

    let made = here.post("/accounts", &ann, &json!({ "name": "Bo", "password": "a first password" })).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let bo = made.json()["id"].as_str().unwrap().to_owned();
    assert!(made.json().get("password").is_none());
    let twice = here.post("/accounts", &ann, &json!({ "name": "bo", "password": "a first password" })).await;
    assert_eq!((twice.status, twice.code().as_str()), (409, "taken"), "{}", twice.body);
    for (name, password) in
        [("", "a first password"), ("Cy", "short"), ("Guest 1", "a first password"), ("a\"b", "a first password")]
    {
        let reply = here.post("/accounts", &ann, &json!({ "name": name, "password": password })).await;
        assert_eq!(reply.status, 422, "{name}: {}", reply.body);
    }
    let grants = format!("/accounts/{bo}/grants");
    let given = here.post(&grants, &ann, &json!({ "role": "boxperson", "table": "north" })).await;
    assert_eq!(given.status, 201, "{}", given.body);
    for (not, status) in [
        (json!({ "role": "boss" }), 422),
        (json!({ "role": "dealer", "table": "nowhere" }), 404),
        (json!({ "role": "dealer", "table": "@people" }), 404),
        (json!({ "role": "dealer", "from": 5, "until": 5 }), 422),
    ] {
        let reply = here.post(&grants, &ann, &not).await;
        assert_eq!(reply.status, status, "{not}: {}", reply.body);
    }
    assert_eq!(sign_in(&here, &Shows::Nothing, "Bo", "a first password").await.status, 201);
    let closed =
        here.ask("PATCH", &format!("/accounts/{bo}"), &ann, Some(&json!({ "disabled": true, "name": "Bob" }))).await;
    assert_eq!((&closed.json()["disabled"], &closed.json()["name"]), (&json!(true), &json!("Bob")), "{}", closed.body);
    assert_eq!(sign_in(&here, &Shows::Nothing, "Bob", "a first password").await.status, 401);
    let taken = here.ask("PATCH", &format!("/accounts/{bo}"), &ann, Some(&json!({ "name": "ann" }))).await;
    assert_eq!((taken.status, taken.code().as_str()), (409, "taken"), "{}", taken.body);
    assert_eq!(taken.json()["message"], "An account named `ann` already exists.");
    let own = here.ask("PATCH", &format!("/accounts/{bo}"), &ann, Some(&json!({ "name": "BOB" }))).await;
    assert_eq!((own.status, &own.json()["name"]), (200, &json!("BOB")), "{}", own.body);
    assert_eq!(here.post("/accounts/nobody/grants", &ann, &json!({ "role": "dealer" })).await.status, 404);

    let trail = here.get("/trail", &ann).await.json();
    let did: Vec<(&str, &str)> = trail
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["by"].as_str().unwrap(), row["did"]["did"].as_str().unwrap()))
        .collect();
    let (a, b) = (format!("a:{admin}"), format!("a:{bo}"));
    let expected = [
        ("test", "add-account"),
        ("test", "grant"),
        (a.as_str(), "add-account"),
        (&a, "grant"),
        (&b, "sign-in"),
        (&a, "rename"),
        (&a, "disable"),
        ("", "sign-in-failed"),
        (&a, "rename"),
    ];
    assert_eq!(did, expected, "{trail}");
    assert!(!trail.to_string().contains("argon2") && !trail.to_string().contains("password\":"), "{trail}");
    let next = here.get("/trail?after=6", &ann).await.json();
    assert_eq!(next.as_array().map(Vec::len), Some(3));

    // The trail is a log, but not of a table.
    let auditor = here.account("Cy").await;
    here.grant(&auditor, Role::Auditor, None).await;
    let cy = here.session(&auditor, HOUR).await;
    assert_eq!(here.get("/tables/north/log", &cy).await.status, 200);
    for path in ["/tables/@people/log", "/tables/%40people/log", "/tables/@people", "/tables/@people/stream"] {
        assert_eq!(here.get(path, &cy).await.status, 404, "{path}");
    }
    here.stop().await;
}

/// A retry returns the old result, even after the player has left.
#[tokio::test(flavor = "multi_thread")]
async fn leaving_twice_under_one_key_is_leaving_once() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    let ann = here.session("g:aaaa", HOUR).await;
    here.post("/tables/open/seats", &ann, &json!({ "seat": 1, "buy_in": 1_000 })).await;
    let leaves =
        async |key: &str| here.send("DELETE", "/tables/open/seats/1", &ann, &[("Idempotency-Key", key)], b"").await;
    let (first, again, anew) = (leaves("k1").await, leaves("k1").await, leaves("k2").await);
    assert_eq!(
        (first.status, again.status, anew.status),
        (200, 200, 403),
        "{} {} {}",
        first.body,
        again.body,
        anew.body
    );
    let seq = |reply: &Reply| -> Value { reply.json()["rows"][0]["seq"].clone() };
    assert_eq!(seq(&first), seq(&again));
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_with_several_roles_acts_in_the_one_they_name() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo) = (here.account("Ann").await, here.account("Bo").await);
    for account in [&ann, &bo] {
        here.grant(account, Role::Dealer, Some("open")).await;
        here.grant(account, Role::Boxperson, Some("open")).await;
    }
    let (ann, bo) = (here.session(&ann, HOUR).await, here.session(&bo, HOUR).await);
    let sits = here.post("/tables/open/seats", &ann, &json!({ "seat": 1, "buy_in": 1_000 })).await;
    assert_eq!(sits.status, 200, "{}", sits.body);
    let acts = async |who: &Shows, role: Option<&str>| {
        let reply = here.post("/tables/open/say", who, &json!({ "words": "hello", "as": role })).await;
        if reply.status != 200 {
            return Err((reply.status, reply.json()["message"].as_str().unwrap().to_owned()));
        }
        Ok(here.app.pit.rows("open", 0, 100).await.unwrap().last().unwrap().entry.by.actor)
    };
    let boxperson = Actor::staff(craps_table::Role::Box);
    assert_eq!(acts(&ann, None).await, Ok(Actor::player(1)), "a player acts from their seat");
    assert_eq!(acts(&ann, Some("player")).await, Ok(Actor::player(1)));
    assert_eq!(acts(&ann, Some("boxperson")).await, Ok(boxperson));
    assert_eq!(acts(&bo, Some("boxperson")).await, Ok(boxperson));
    let several = "as: you have several roles here; choose one of dealer, boxperson";
    assert_eq!(acts(&bo, None).await, Err((400, several.to_owned())));
    let other = "You don't have the role `floorperson` at this table now.";
    assert_eq!(acts(&bo, Some("floorperson")).await, Err((403, other.to_owned())));
    here.stop().await;
}

/// The crew of a table can't play at it, and nobody who plays at it can deal it.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_plays_a_game_that_they_deal() {
    let here = Here::new().await;
    here.table("live", false, Crew::Automatic, DiceFrom::Secret).await;
    here.table("dealt", true, Crew::People, DiceFrom::People).await;
    let (dee, pam) = (here.account("Dee").await, here.account("Pam").await);
    for table in ["live", "dealt"] {
        here.grant(&dee, Role::Dealer, Some(table)).await;
        here.grant(&dee, Role::Stickperson, Some(table)).await;
        here.grant(&pam, Role::Player, Some(table)).await;
    }
    let (dealer, player) = (here.session(&dee, HOUR).await, here.session(&pam, HOUR).await);
    for table in ["live", "dealt"] {
        let seats = format!("/tables/{table}/seats");
        for body in [json!({ "as": "player", "buy_in": 0 }), json!({ "as": "player", "seat": 2, "buy_in": 50_000 })] {
            let sits = here.post(&seats, &dealer, &body).await;
            assert_eq!(sits.status, 403, "{table}: {}", sits.body);
            assert!(sits.body.contains("so you can't play here"), "{}", sits.body);
        }
        // Who doesn't say so means to seat a player, and has to name one and a role.
        let seated = here.post(&seats, &dealer, &json!({ "as": "dealer", "seat": 2, "name": "Cy", "buy_in": 0 })).await;
        assert_eq!(seated.status, 200, "{table}: {}", seated.body);
        let nobody = here.app.pit.look(table, |live| live.owner(2).map(str::to_owned)).await.unwrap();
        assert_eq!(nobody, None);

        // A player who gets a role of the crew has to leave the seat before working.
        let sits = here.post(&seats, &player, &json!({ "seat": 1, "buy_in": 0 })).await;
        assert_eq!(sits.status, 200, "{table}: {}", sits.body);
        here.grant(&pam, Role::Boxperson, Some(table)).await;
        let works =
            here.post(&format!("/tables/{table}/say"), &player, &json!({ "words": "hi", "as": "boxperson" })).await;
        assert_eq!(works.status, 403, "{table}: {}", works.body);
        assert!(works.body.contains("Leave the seat"), "{}", works.body);
        let bets = json!({ "bets": [{ "bet": "P", "amount": 500 }] });
        assert_eq!(here.post(&format!("/tables/{table}/actions"), &player, &bets).await.status, 403);
        let leaves = here.ask("DELETE", &format!("{seats}/1?as=player"), &player, None).await;
        assert_eq!(leaves.status, 200, "{table}: {}", leaves.body);
    }
    here.stop().await;
}

/// However many bets arrive at once, and at however many tables, they stay within the limit. Guests can set limits, too.
#[tokio::test(flavor = "multi_thread")]
async fn bets_that_arrive_at_once_stay_within_the_own_limit() {
    let here = Arc::new(Here::new().await);
    for table in ["one", "two"] {
        here.table(table, true, Crew::Automatic, DiceFrom::Secret).await;
    }
    let ann = here.account("Ann").await;
    let account = here.session(&ann, HOUR).await;
    let guest = Shows::Cookie(here.post("/guests", &Shows::Nothing, &json!({})).await.cookie());
    for who in [account, guest] {
        let set = here.ask("PUT", "/me/limits", &who, Some(&json!({ "loss": 10_000 }))).await;
        assert_eq!(set.status, 200, "{}", set.body);
        for table in ["one", "two"] {
            let sits = here.post(&format!("/tables/{table}/seats"), &who, &json!({ "buy_in": 100_000 })).await;
            assert_eq!(sits.status, 200, "{}", sits.body);
        }
        let mut bets = tokio::task::JoinSet::new();
        for number in 0..24 {
            let (here, who) = (Arc::clone(&here), who.clone());
            bets.spawn(async move {
                let table = ["one", "two"][number % 2];
                let bet = json!({ "bets": [{ "bet": "F", "amount": 1_500 }] });
                here.post(&format!("/tables/{table}/actions"), &who, &bet).await.status
            });
        }
        let statuses = bets.join_all().await;
        let taken = statuses.iter().filter(|status| **status == 200).count();
        assert_eq!(taken, 6, "6 bets of 15.00 are within 100.00: {statuses:?}");
        assert!(statuses.iter().all(|status| [200, 403].contains(status)), "{statuses:?}");
    }
    Arc::into_inner(here).unwrap().stop().await;
}

/// Taking back an order that took a bet down puts chips down, and so it counts like a bet.
#[tokio::test(flavor = "multi_thread")]
async fn taking_back_does_not_pass_the_own_limit() {
    let here = Here::new().await;
    for table in ["one", "two"] {
        here.table(table, true, Crew::Automatic, DiceFrom::Secret).await;
    }
    let who = Shows::Cookie(here.post("/guests", &Shows::Nothing, &json!({})).await.cookie());
    assert_eq!(here.ask("PUT", "/me/limits", &who, Some(&json!({ "loss": 10_000 }))).await.status, 200);
    for table in ["one", "two"] {
        let sits = here.post(&format!("/tables/{table}/seats"), &who, &json!({ "buy_in": 100_000 })).await;
        assert_eq!(sits.status, 200, "{}", sits.body);
    }
    let order = async |table: &str, op: &str| {
        let bet = match op {
            "add" => json!({ "bets": [{ "bet": "F", "amount": 10_000 }] }),
            op => json!({ "bets": [{ "bet": "F", "op": op }] }),
        };
        here.post(&format!("/tables/{table}/actions"), &who, &bet).await
    };
    let take = async |table: &str, what: &str| here.post(&format!("/tables/{table}/{what}"), &who, &json!({})).await;
    assert_eq!(order("one", "add").await.status, 200);
    assert_eq!(order("one", "down").await.status, 200);
    // Within the limit, the bet comes back.
    assert_eq!(take("one", "undo").await.status, 200);
    assert_eq!(order("one", "down").await.status, 200);
    assert_eq!(order("two", "add").await.status, 200);
    let back = take("one", "undo").await;
    assert_eq!((back.status, back.code()), (403, "own-limit".to_owned()), "{}", back.body);
    // Taking back a bet is always possible.
    assert_eq!(take("two", "undo").await.status, 200);
    assert_eq!(take("one", "undo").await.status, 200);
    here.stop().await;
}

/// The seats and tables of one address are limited, however many guests it sends.
#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_take_every_seat_and_table() {
    let here = Here::new().await;
    for number in 0..3 {
        here.table(&format!("open-{number}"), true, Crew::Automatic, DiceFrom::Secret).await;
    }
    let guest = async || Shows::Cookie(here.post("/guests", &Shows::Nothing, &json!({})).await.cookie());
    let (mut seats, mut last) = (Vec::new(), 0);
    for number in 0..40 {
        let (who, table) = (guest().await, format!("open-{}", number % 3));
        let reply = here.post(&format!("/tables/{table}/seats"), &who, &json!({ "buy_in": 0 })).await;
        last = reply.status;
        if last == 200 {
            seats.push((who, table, reply.json()["rows"][0]["seat"].clone()));
        }
    }
    assert_eq!((seats.len(), last), (24, 429));
    // A seat that is given back can be taken again.
    let (who, table, seat) = &seats[5];
    assert_eq!(here.ask("DELETE", &format!("/tables/{table}/seats/{seat}"), who, None).await.status, 200);
    let next = guest().await;
    let again = here.post(&format!("/tables/{table}/seats"), &next, &json!({ "buy_in": 0 })).await;
    assert_eq!(again.status, 200, "{}", again.body);

    let mut opened = 0;
    for _ in 0..6 {
        let who = guest().await;
        for number in 0..10 {
            let house = json!({ "name": format!("T{number}"), "house": { "book": "pa" }, "private": true, "chat": number % 2 == 0 });
            opened += u32::from(here.post("/tables", &who, &house).await.status == 201);
        }
    }
    assert_eq!(opened, 30);
    here.stop().await;
}

/// Roles and tokens that were written into the database by other means have no effect.
#[tokio::test(flavor = "multi_thread")]
async fn rights_that_the_trail_does_not_have_do_not_count() {
    let here = Here::new().await;
    let (eve, ada) = (here.account("Eve").await, here.account("Ada").await);
    here.grant(&ada, Role::Admin, None).await;
    let (evil, admin) = (here.session(&eve, HOUR).await, here.session(&ada, HOUR).await);
    let people = here.app.store().people();
    let status = async |who: &Shows| here.get("/accounts", who).await.status;
    assert_eq!((status(&evil).await, status(&admin).await), (403, 200));
    let grant = NewGrant { account: eve.clone(), role: "admin".to_owned(), table: None, from: None, until: None };
    people.grant(&grant).await.unwrap();
    assert_eq!(status(&evil).await, 403, "nobody granted it");

    // A role that was granted and revoked, and then put back.
    here.grant(&eve, Role::Admin, None).await;
    assert_eq!(status(&evil).await, 200);
    for held in people.grants(&eve).await.unwrap() {
        let revoked = Records::new(here.app.store(), "test").revoke(&eve, &held.id).await;
        assert!(revoked.is_ok() || people.grants(&eve).await.unwrap().is_empty());
    }
    assert_eq!(status(&evil).await, 403);
    people.grant(&grant).await.unwrap();
    assert_eq!(status(&evil).await, 403, "it was revoked");

    // A token that nobody made.
    let token = new_token().unwrap();
    let forged = ApiToken {
        id: "forged".to_owned(),
        token: token_hash(&token),
        account: ada.clone(),
        scopes: "admin".to_owned(),
        label: "x".to_owned(),
        created: now(),
        expires: None,
    };
    people.add_token(&forged).await.unwrap();
    assert_eq!(status(&Shows::Token(token)).await, 401);
    assert_eq!(status(&here.token(&ada, &[Scope::Admin], None).await).await, 200);
    here.stop().await;
}

/// A session that was left open isn't enough to change rights.
#[tokio::test(flavor = "multi_thread")]
async fn rights_are_changed_only_by_people_who_signed_in_not_long_ago() {
    let here = Here::new().await;
    let ada = here.account("Ada").await;
    here.grant(&ada, Role::Admin, None).await;
    let session = async |age: i64| {
        let (at, token, account) = (now(), String::new(), ada.clone());
        let created = at - age;
        here.begun(Session { token, account, created, seen: at, expires: at + HOUR, factor: None }).await
    };
    let (fresh, old) = (session(14 * 60_000).await, session(16 * 60_000).await);
    let grant = json!({ "role": "dealer" });
    let token = json!({ "label": "bot", "scopes": ["watch"] });
    for (path, body) in [(format!("/accounts/{ada}/grants"), grant), ("/me/tokens".to_owned(), token)] {
        let refused = here.post(&path, &old, &body).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "sign-in-again"), "{path}");
        assert_eq!(here.post(&path, &fresh, &body).await.status, 201, "{path}");
    }
    assert_eq!(here.get("/accounts", &old).await.status, 200, "reading is no change");

    here.grant(&ada, Role::Cashier, None).await;
    let bo = here.account("Bo").await;
    let rows: Vec<_> = access::TABLE.iter().filter(|row| row.fresh).collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let path = row.path.replace("{account}", &bo).replace("{grant}", "x");
        let refused = here.ask(row.method, &path, &old, Some(&json!({}))).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "sign-in-again"), "{} {path}", row.method);
        let passed = here.ask(row.method, &path, &fresh, Some(&json!({ "unknown": 1 }))).await;
        assert_ne!(passed.code(), "sign-in-again", "{} {path}: {}", row.method, passed.body);
    }
    here.stop().await;
}

/// Wrong passwords are in the trail, and those of others don't keep the owner out.
#[tokio::test(flavor = "multi_thread")]
async fn failed_sign_ins_are_in_the_trail() {
    let here = Here::new().await;
    let ann = with_password(&here, "Ann").await;
    let wrong = here.post("/sign-in", &Shows::Nothing, &json!({ "name": "ann", "password": "wrong" })).await;
    assert_eq!(wrong.status, 401);
    here.post("/sign-in", &Shows::Nothing, &json!({ "name": "my secret passphrase", "password": "x" })).await;
    let failed = failed_sign_ins(&here, 1).await;
    assert!(failed.len() == 1 && failed[0].contains(&ann) && failed[0].contains("127.0.0.1"), "{failed:?}");
    // Somebody who found an open browser guesses the password, too.
    let shows = here.session(&ann, HOUR).await;
    let guess = json!({ "current": "a guess", "new": "another one that is long" });
    assert_eq!(here.post("/me/password", &shows, &guess).await.status, 403);
    let failed = failed_sign_ins(&here, 2).await;
    assert!(failed.len() == 2 && failed[1].contains("\"wrong\":\"current-password\""), "{failed:?}");
    let trail = here.app.store().load(craps_store::TRAIL, 0, 100).await.unwrap();
    for kept in ["passphrase", "a guess"] {
        assert!(
            !trail.iter().any(|row| row.body.contains(kept)),
            "a password isn't kept, also if it is typed as a name"
        );
    }
    here.stop().await;
}

/// Waits until the trail has so many failed sign-ins, and returns them.
async fn failed_sign_ins(here: &Here, count: usize) -> Vec<String> {
    let there = async {
        loop {
            let trail = here.app.store().load(craps_store::TRAIL, 0, 100).await.unwrap();
            let failed = trail.into_iter().map(|row| row.body).filter(|body| body.contains("sign-in-failed"));
            let failed: Vec<String> = failed.collect();
            if failed.len() >= count {
                return failed;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), there).await.unwrap()
}

/// A wrong password is answered in the same way for a name that exists, also when the trail can't be written.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_fails_does_not_show_which_names_exist() {
    let here = Here::new().await;
    with_password(&here, "Ann").await;
    let mut other = SqliteConnection::connect(here.app.store().file().unwrap().to_str().unwrap()).await.unwrap();
    let broken = "CREATE TRIGGER broken BEFORE INSERT ON log BEGIN SELECT raise(abort, 'no'); END";
    sqlx::raw_sql(broken).execute(&mut other).await.unwrap();
    let mut replies = Vec::new();
    for name in ["Ann", "Nobody"] {
        let reply = sign_in(&here, &Shows::Nothing, name, "wrong").await;
        replies.push((reply.status, reply.body));
    }
    assert_eq!((replies[0].0, &replies[0]), (401, &replies[1]));
    sqlx::raw_sql("DROP TRIGGER broken").execute(&mut other).await.unwrap();
    // Another program holds the database locked: the answer doesn't wait for the trail.
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert_eq!(sign_in(&here, &Shows::Nothing, "Ann", "wrong").await.status, 401);
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    assert!(failed_sign_ins(&here, 1).await[0].contains("Ann"));
    here.stop().await;
}

/// Somebody who can write to the database can't make a session that counts.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_that_this_server_did_not_begin_do_not_count() {
    let here = Here::new().await;
    let (ann, ada, at) = (here.account("Ann").await, here.account("Ada").await, now());
    let own = Session { token: String::new(), account: ann, created: at, seen: at, expires: at + HOUR, factor: None };
    for change in [
        |session: &mut Session, ada: &str| session.account = ada.to_owned(),
        |session: &mut Session, _: &str| session.created += 60_000,
        |session: &mut Session, _: &str| session.token = token_hash(&"0".repeat(32)),
    ] {
        let shows = here.begun(own.clone()).await;
        assert_eq!(kind(&here, &shows).await, "account");
        let Shows::Cookie(cookie) = &shows else { unreachable!() };
        let people = here.app.store().people();
        let begun = people.session(&token_hash(&cookie[..32])).await.unwrap().unwrap();
        let mut forged = begun.clone();
        change(&mut forged, &ada);
        people.end_session(&begun.token).await.unwrap();
        people.add_session(&forged).await.unwrap();
        assert_eq!(kind(&here, &shows).await, "anonymous", "{forged:?}");
        let zeros = Shows::Cookie(format!("{}{}", "0".repeat(32), &cookie[32..]));
        assert_eq!(kind(&here, &zeros).await, "anonymous", "{forged:?}");
        // What was there before counts again.
        people.end_session(&forged.token).await.unwrap();
        people.add_session(&begun).await.unwrap();
        assert_eq!(kind(&here, &shows).await, "account");
    }

    // A second factor can be taken away from a session, but not added or changed.
    let me = async |shows: &Shows| here.get("/me", shows).await.json()["second_factor"].clone();
    for (begun, kept, counts) in [(Some(at), at, true), (Some(at), at + 1, false), (None, at, false)] {
        let shows = here.begun(Session { factor: begun, ..own.clone() }).await;
        let Shows::Cookie(cookie) = &shows else { unreachable!() };
        let people = here.app.store().people();
        let session = people.session(&token_hash(&cookie[..32])).await.unwrap().unwrap();
        people.end_session(&session.token).await.unwrap();
        people.add_session(&Session { factor: Some(kept), ..session.clone() }).await.unwrap();
        assert_eq!(me(&shows).await, json!(counts), "{begun:?} {kept}");
        people.end_session(&session.token).await.unwrap();
        people.add_session(&Session { factor: None, ..session }).await.unwrap();
        assert_eq!((kind(&here, &shows).await.as_str(), me(&shows).await), ("account", json!(false)));
    }
    here.stop().await;
}

/// Wrong passwords from elsewhere don't keep the owner of an account out, however many there are.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_locks_the_owner_of_an_account_out() {
    let here = Here::with(|given| given.trusted_proxies = Some(vec!["127.0.0.1".parse().unwrap()])).await;
    with_password(&here, "Ann").await;
    let tries = async |address: &str, password: &str| {
        let body = json!({ "name": "Ann", "password": password }).to_string();
        let json = ("Content-Type", "application/json");
        let carried = [json, ("X-Forwarded-For", address), ("X-Forwarded-Proto", "https")];
        here.send("POST", "/sign-in", &Shows::Nothing, &carried, body.as_bytes()).await.status
    };
    let mut wrong = 0;
    while tries("192.0.2.1", "wrong").await == 401 {
        wrong += 1;
        assert!(wrong < 100, "one address can guess on and on");
    }
    assert!(wrong >= 10, "{wrong}");
    for last in 3..8 {
        assert_eq!(tries(&format!("192.0.2.{last}"), "wrong").await, 401);
    }
    assert_eq!(tries("192.0.2.2", PASSWORD).await, 201);
    here.stop().await;
}

/// A password that is easy to guess is refused wherever one is set.
#[tokio::test(flavor = "multi_thread")]
async fn common_passwords_are_refused_everywhere() {
    let here = Here::new().await;
    let ada = with_password(&here, "Ada").await;
    here.grant(&ada, Role::Admin, None).await;
    let admin = here.session(&ada, HOUR).await;
    for common in ["password1234", "123456789012", "qwertyuiop12", "boxperson1234"] {
        let added = here.post("/accounts", &admin, &json!({ "name": "Bo", "password": common })).await;
        let changed =
            here.ask("PATCH", &format!("/accounts/{ada}"), &admin, Some(&json!({ "password": common }))).await;
        let own = here.post("/me/password", &admin, &json!({ "current": PASSWORD, "new": common })).await;
        for refused in [added, changed, own] {
            assert_eq!((refused.status, refused.code().as_str()), (422, "unfit"), "{common}: {}", refused.body);
            assert!(refused.body.contains("easy to guess"), "{}", refused.body);
        }
    }
    // The name that an account gets at the same time counts, too.
    let named = json!({ "name": "Ferdinand Magellan", "password": "ferdinand magellan" });
    assert_eq!(here.ask("PATCH", &format!("/accounts/{ada}"), &admin, Some(&named)).await.status, 422);
    assert_eq!(sign_in(&here, &Shows::Nothing, "Ada", PASSWORD).await.status, 201, "nothing was changed");
    here.stop().await;
}

/// People who ask for any seat at the same moment get different ones.
#[tokio::test(flavor = "multi_thread")]
async fn many_who_want_any_seat_at_once_all_sit_down() {
    let here = Arc::new(Here::new().await);
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    for _ in 0..5 {
        let mut joins = tokio::task::JoinSet::new();
        for number in 0..8 {
            let here = Arc::clone(&here);
            joins.spawn(async move {
                let who = here.session(&format!("g:{number:04}"), HOUR).await;
                let reply = here.post("/tables/open/seats", &who, &json!({ "buy_in": 1_000 })).await;
                assert_eq!(reply.status, 200, "{}", reply.body);
                (who, reply.json()["rows"][0]["seat"].as_u64().unwrap())
            });
        }
        let sat = joins.join_all().await;
        let mut seats: Vec<u64> = sat.iter().map(|(_, seat)| *seat).collect();
        seats.sort_unstable();
        assert_eq!(seats, [1, 2, 3, 4, 5, 6, 7, 8]);
        for (who, seat) in sat {
            assert_eq!(here.ask("DELETE", &format!("/tables/open/seats/{seat}"), &who, None).await.status, 200);
        }
    }
    Arc::into_inner(here).unwrap().stop().await;
}
