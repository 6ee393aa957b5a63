//! The second factor: setting one up, signing in with it, recovery codes, and servers that want one of their staff.

use crate::support::{Here, Reply, Shows};
use craps_server::live::DiceFrom;
use craps_server::live::pit::now;
use craps_server::people::records::{Records, hashed};
use craps_server::people::{Role, Scope, SecondFactor};
use craps_store::{Session, TRAIL, token_hash};
use craps_table::Crew;
use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use totp_rs::Totp;

const PASSWORD: &str = "correct horse battery";
const HOUR: i64 = 3_600_000;
/// How long a code lasts, in seconds.
const STEP: u64 = 30;

/// The authenticator app of a person. It gives each code once.
struct Device {
    codes: Totp,
    last: u64,
}

impl Device {
    fn of(issued: &Value) -> Device {
        let codes = Totp::from_url(issued["uri"].as_str().unwrap()).unwrap();
        assert_eq!(json!(codes.secret().to_base32()), issued["secret"]);
        Device { codes, last: 0 }
    }

    /// Returns the next code that the server takes, for at least five more seconds.
    async fn next(&mut self) -> String {
        loop {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
            let step = ((now + 5) / STEP - 1).max(self.last + 1);
            if step <= now / STEP + 1 {
                self.last = step;
                return self.codes.generate(step * STEP).to_string();
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Returns the code that it gave last.
    fn last(&self) -> String {
        self.codes.generate(self.last * STEP).to_string()
    }

    /// Returns a code that is wrong at any time near now.
    fn wrong(&self) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / STEP;
        let near: Vec<String> = (now - 2..now + 4).map(|step| self.codes.generate(step * STEP).to_string()).collect();
        (0..10).map(|digit| digit.to_string().repeat(6)).find(|code| !near.contains(code)).unwrap()
    }
}

struct Person {
    id: String,
    name: &'static str,
    shows: Shows,
    device: Device,
    recovery: Vec<String>,
}

async fn with_password(here: &Here, name: &str) -> String {
    let hash = hashed(name, PASSWORD).unwrap();
    Records::new(here.app.store(), "test").add_account(name, &hash).await.unwrap().id
}

async fn sign_in(here: &Here, name: &str, code: Option<&str>) -> Reply {
    sign_in_from(here, name, code, "").await
}

/// Signs in through a proxy that names another address.
async fn sign_in_from(here: &Here, name: &str, code: Option<&str>, address: &str) -> Reply {
    let mut body = json!({ "name": name, "password": PASSWORD });
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    let json = ("Content-Type", "application/json");
    let carried = [json, ("X-Forwarded-For", address), ("X-Forwarded-Proto", "https")];
    let headers = if address.is_empty() { &carried[..1] } else { &carried[..] };
    here.send("POST", "/sign-in", &Shows::Nothing, headers, body.to_string().as_bytes()).await
}

fn of(reply: &Reply) -> (u16, String) {
    (reply.status, reply.code())
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// Adds an account with a second factor.
async fn enrolled(here: &Here, name: &'static str) -> Person {
    let id = with_password(here, name).await;
    let shows = here.session(&id, HOUR).await;
    let issued = here.post("/me/second-factor", &shows, &json!({})).await;
    assert_eq!(issued.status, 201, "{}", issued.body);
    let mut device = Device::of(&issued.json());
    let code = device.next().await;
    let confirmed = here.post("/me/second-factor/confirm", &shows, &json!({ "code": code })).await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.body);
    let recovery = confirmed.json()["recovery_codes"].as_array().unwrap().clone();
    let recovery = recovery.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    Person { id, name, shows: Shows::Cookie(confirmed.cookie()), device, recovery }
}

/// Returns what the trail has about second factors and sign-ins, without what came before row `after`.
async fn trail(here: &Here, after: u64) -> Vec<(String, Value)> {
    let rows = here.app.store().load(TRAIL, after, 500).await.unwrap();
    let did = |row: craps_store::Row| {
        let body: Value = serde_json::from_str(&row.body).unwrap();
        (body["did"].as_str().unwrap().to_owned(), body["what"].clone())
    };
    rows.into_iter().map(did).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_factor_counts_when_a_code_confirms_it_and_then_it_is_asked_for() {
    let here = Here::new().await;
    let id = with_password(&here, "Ann").await;
    let (shows, elsewhere) = (here.session(&id, HOUR).await, here.session(&id, HOUR).await);
    let none = here.get("/me/second-factor", &shows).await.json();
    assert_eq!(none, json!({ "on": false, "recovery_codes": 0, "required_for_staff": false }));
    let nothing = here.post("/me/second-factor/confirm", &shows, &json!({ "code": "123456" })).await;
    assert_eq!(of(&nothing), is(409, "no-secret"));

    let replaced = Device::of(&here.post("/me/second-factor", &shows, &json!({})).await.json());
    let issued = here.post("/me/second-factor", &shows, &json!({})).await.json();
    let (mut device, mut replaced) = (Device::of(&issued), replaced);
    assert!(issued["uri"].as_str().unwrap().starts_with("otpauth://totp/Boxperson:Ann?secret="), "{issued}");
    assert!(issued["qr"].as_str().unwrap().contains("<svg"), "{issued}");
    // The database has nothing that a code could be computed from.
    let kept = format!("{:?}", here.app.store().people().factor(&id).await.unwrap().unwrap());
    let hex: String = device.codes.secret().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!kept.contains(&hex) && !kept.contains(issued["secret"].as_str().unwrap()), "{kept}");

    let confirm = async |code: &str| here.post("/me/second-factor/confirm", &shows, &json!({ "code": code })).await;
    for wrong in [replaced.next().await, device.wrong(), "12345".to_owned(), String::new()] {
        assert_eq!(of(&confirm(&wrong).await), is(401, "wrong-code"), "{wrong}");
    }
    let noted = trail(&here, 0).await;
    let failed = |(did, what): &&(String, Value)| did == "sign-in-failed" && what["wrong"] == "new-second-factor";
    assert_eq!(noted.iter().filter(failed).count(), 4, "{noted:?}");
    assert_eq!(sign_in(&here, "Ann", None).await.status, 201, "it doesn't count yet");
    assert_eq!(here.get("/me/second-factor", &shows).await.json()["on"], json!(false));
    let confirmed = confirm(&device.next().await).await;
    assert_eq!(confirmed.status, 201, "{}", confirmed.body);
    assert_eq!(confirmed.json()["recovery_codes"].as_array().map(Vec::len), Some(10));

    // Sessions that were opened without it have ended.
    let me = async |shows: &Shows| here.get("/me", shows).await.json();
    assert_eq!((&me(&shows).await["kind"], &me(&elsewhere).await["kind"]), (&json!("anonymous"), &json!("anonymous")));
    let shows = Shows::Cookie(confirmed.cookie());
    assert_eq!((&me(&shows).await["kind"], &me(&shows).await["second_factor"]), (&json!("account"), &json!(true)));
    let view = here.get("/me/second-factor", &shows).await.json();
    assert_eq!((&view["on"], &view["recovery_codes"]), (&json!(true), &json!(10)), "{view}");
    assert_eq!(of(&here.post("/me/second-factor", &shows, &json!({})).await), is(409, "taken"));

    let before = here.app.store().head(TRAIL).await.unwrap().seq;
    assert_eq!(of(&sign_in(&here, "Ann", None).await), is(401, "code-needed"));
    let used = device.last();
    assert_eq!(of(&sign_in(&here, "Ann", Some(&used)).await), is(401, "wrong-code"), "the code was used to confirm");
    let code = device.next().await;
    let right = sign_in(&here, "Ann", Some(&format!(" {} {} ", &code[..3], &code[3..]))).await;
    assert_eq!((right.status, &right.json()["second_factor"]), (201, &json!(true)), "{}", right.body);
    assert_eq!(of(&sign_in(&here, "Ann", Some(&code)).await), is(401, "wrong-code"), "a code works once");
    assert_eq!(of(&sign_in(&here, "Ann", Some(&device.wrong())).await), is(401, "wrong-code"));
    let noted: Vec<(String, Value)> = trail(&here, before).await;
    let failed = |(did, what): &&(String, Value)| did == "sign-in-failed" && what["wrong"] == "second-factor";
    assert_eq!(noted.iter().filter(failed).count(), 3, "{noted:?}");
    let signed_in = noted.iter().find(|(did, _)| did == "sign-in").unwrap();
    assert_eq!(signed_in.1["second_factor"], json!("code"));

    // A new password keeps the second factor of the session.
    let body = json!({ "current": PASSWORD, "new": "another one that is long" });
    let changed = here.post("/me/password", &Shows::Cookie(right.cookie()), &body).await;
    assert_eq!((changed.status, &changed.json()["second_factor"]), (201, &json!(true)), "{}", changed.body);
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_works_once() {
    let here = Here::new().await;
    let ann = enrolled(&here, "Ann").await;
    let before = here.app.store().head(TRAIL).await.unwrap().seq;
    let shouted = ann.recovery[0].to_uppercase().replace('-', " ");
    assert_eq!(sign_in(&here, ann.name, Some(&shouted)).await.status, 201);
    for wrong in [&ann.recovery[0], "aaaa-aaaa-aaaa-aaaa", ""] {
        assert_eq!(of(&sign_in(&here, ann.name, Some(wrong)).await), is(401, "wrong-code"), "{wrong}");
    }
    assert_eq!(here.get("/me/second-factor", &ann.shows).await.json()["recovery_codes"], json!(9));
    let noted = trail(&here, before).await;
    let names: Vec<&str> = noted.iter().map(|(did, _)| did.as_str()).collect();
    assert_eq!(names[..2], ["use-recovery-code", "sign-in"], "{noted:?}");
    assert_eq!((&noted[0].1["left"], &noted[1].1["second_factor"]), (&json!(9), &json!("recovery-code")));
    assert!(!format!("{noted:?}").contains(&token_hash(&ann.recovery[0].replace('-', ""))), "{noted:?}");

    let renewed = here.post("/me/second-factor/recovery-codes", &ann.shows, &json!({})).await;
    assert_eq!(renewed.status, 201, "{}", renewed.body);
    let new = renewed.json()["recovery_codes"][0].as_str().unwrap().to_owned();
    assert_eq!(of(&sign_in(&here, ann.name, Some(&ann.recovery[1])).await), is(401, "wrong-code"), "it was replaced");
    assert_eq!(sign_in(&here, ann.name, Some(&new)).await.status, 201);
    here.stop().await;
}

/// A code has a million values. Nobody can try them, from one address or from many, and the owner still gets in.
#[tokio::test(flavor = "multi_thread")]
async fn codes_cannot_be_tried_out() {
    let here = Here::with(|given| given.trusted_proxies = Some(vec!["127.0.0.1".parse().unwrap()])).await;
    let ann = enrolled_behind_proxy(&here).await;
    let wrong = ann.device.wrong();
    let from =
        async |code: Option<&str>, last: usize| sign_in_from(&here, ann.name, code, &format!("192.0.2.{last}")).await;
    for _ in 0..15 {
        assert_eq!(of(&from(None, 1).await), is(401, "code-needed"), "asking for the code is no wrong try");
    }
    // However slowly this runs, some try is one too many.
    let mut tries = 0;
    while from(Some(&wrong), 1).await.status == 401 {
        tries += 1;
        assert!(tries < 100, "one address can try on and on");
    }
    assert!(tries >= 10, "{tries}");
    let (mut limited, mut last) = (from(Some(&wrong), 2).await, 2);
    while limited.status == 401 {
        last += 1;
        assert!(last < 100, "many addresses can try on and on");
        limited = from(Some(&wrong), last).await;
    }
    assert_eq!(of(&limited), is(429, "too-many-requests"));
    assert!(limited.body.contains("recovery code"), "{}", limited.body);
    assert_eq!(from(Some(&ann.recovery[0]), 200).await.status, 201, "the owner gets in");
    here.stop().await;
}

/// Adds an account with a second factor to a server that trusts the proxy of the tests.
async fn enrolled_behind_proxy(here: &Here) -> Person {
    let id = with_password(here, "Ann").await;
    let Shows::Cookie(token) = here.session(&id, HOUR).await else { unreachable!() };
    let shows = Shows::Cookie(token);
    let ask = async |path: &str, body: Value| {
        let json = ("Content-Type", "application/json");
        let https = [json, ("X-Forwarded-For", "192.0.2.99"), ("X-Forwarded-Proto", "https")];
        here.send("POST", path, &shows, &https, body.to_string().as_bytes()).await
    };
    let mut device = Device::of(&ask("/me/second-factor", json!({})).await.json());
    let code = device.next().await;
    let confirmed = ask("/me/second-factor/confirm", json!({ "code": code })).await;
    let recovery = confirmed.json()["recovery_codes"].as_array().unwrap().clone();
    let recovery = recovery.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    Person { id, name: "Ann", shows: Shows::Cookie(confirmed.cookie()), device, recovery }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_factor_is_removed_by_its_owner_and_by_an_admin() {
    let here = Here::new().await;
    let (ann, bo) = (enrolled(&here, "Ann").await, enrolled(&here, "Bo").await);
    let session = async |age: i64, factor: Option<i64>| {
        let (at, token, account) = (now(), String::new(), ann.id.clone());
        let created = at - age;
        here.begun(Session { token, account, created, seen: at, expires: at + HOUR, factor }).await
    };
    let remove = async |shows: &Shows| here.ask("DELETE", "/me/second-factor", shows, None).await;
    let (old, without) = (session(16 * 60_000, Some(1)).await, session(0, None).await);
    for shows in [&old, &without] {
        assert_eq!(of(&remove(shows).await), is(401, "sign-in-again"));
        let renewed = here.post("/me/second-factor/recovery-codes", shows, &json!({})).await;
        assert_eq!(of(&renewed), is(401, "sign-in-again"));
    }
    // A new password is no new sign-in, because nobody has to show the second factor for it.
    let body = json!({ "current": PASSWORD, "new": "another one that is long" });
    let changed = here.post("/me/password", &old, &body).await;
    assert_eq!(changed.status, 201, "{}", changed.body);
    assert_eq!(of(&remove(&Shows::Cookie(changed.cookie())).await), is(401, "sign-in-again"));
    let back = json!({ "current": "another one that is long", "new": PASSWORD });
    assert_eq!(here.post("/me/password", &Shows::Cookie(changed.cookie()), &back).await.status, 201);
    let ann = Person { shows: session(0, Some(1)).await, ..ann };

    let before = here.app.store().head(TRAIL).await.unwrap().seq;
    assert_eq!(remove(&ann.shows).await.status, 200);
    assert_eq!(remove(&ann.shows).await.status, 404);
    assert_eq!(here.get("/me", &ann.shows).await.json()["second_factor"], json!(false), "the session goes on without");
    assert_eq!(sign_in(&here, "Ann", None).await.status, 201);

    let admin = here.account("Ada").await;
    here.grant(&admin, Role::Admin, None).await;
    let admin = here.session(&admin, HOUR).await;
    let has_one = async || {
        let all = here.get("/accounts", &admin).await.json();
        all.as_array().unwrap().iter().find(|account| account["name"] == "Bo").unwrap()["second_factor"].clone()
    };
    assert_eq!(has_one().await, json!(true));
    let path = format!("/accounts/{}/second-factor", bo.id);
    assert_eq!(here.ask("DELETE", &path, &ann.shows, None).await.status, 403, "not by somebody else");
    assert_eq!(here.ask("DELETE", &path, &admin, None).await.status, 200);
    assert_eq!(has_one().await, json!(false));
    assert_eq!(here.get("/me", &bo.shows).await.json()["kind"], json!("anonymous"), "who has the device is signed out");
    assert_eq!(sign_in(&here, "Bo", None).await.status, 201);
    let noted = trail(&here, before).await;
    let removed: Vec<&Value> =
        noted.iter().filter(|(did, _)| did == "remove-second-factor").map(|(_, what)| &what["name"]).collect();
    assert_eq!(removed, ["Ann", "Bo"], "{noted:?}");
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_works_only_with_a_second_factor_where_the_server_wants_one() {
    let here = Here::with(|given| given.second_factor = Some(SecondFactor::Staff)).await;
    here.table("live", false, Crew::People, DiceFrom::People).await;
    let (ada, dee, pam) = (here.account("Ada").await, here.account("Dee").await, here.account("Pam").await);
    here.grant(&ada, Role::Admin, None).await;
    here.grant(&dee, Role::Boxperson, Some("live")).await;
    here.grant(&pam, Role::Player, None).await;
    let (admin, dealer, player) =
        (here.session(&ada, HOUR).await, here.session(&dee, HOUR).await, here.session(&pam, HOUR).await);
    let bot = here.token(&dee, &[Scope::Deal], None).await;
    let needed = is(403, "second-factor");
    let open = json!({ "name": "T", "house": { "book": "pa" }, "practice": false });
    let act = json!({ "act": "open-table", "dice": 5 });
    let acts = async |shows: &Shows| here.post("/tables/live/procedure", shows, &act).await;
    assert_eq!(of(&here.get("/accounts", &admin).await), needed);
    assert_eq!(of(&here.get("/metrics", &admin).await), needed);
    assert_eq!(of(&here.post("/tables", &admin, &open).await), needed);
    assert_eq!(of(&here.get("/tables/live/log", &dealer).await), needed);
    assert_eq!(of(&acts(&dealer).await), needed);
    let says = json!({ "words": "hello", "as": "boxperson" });
    let refused = here.post("/tables/live/say", &dealer, &says).await;
    assert_eq!(of(&refused), needed);
    for word in ["`boxperson`", "POST /me/second-factor", "sign in"] {
        assert!(refused.body.contains(word), "{word}: {}", refused.body);
    }
    let sits = here.post("/tables/live/seats", &dealer, &json!({ "as": "player", "buy_in": 0 })).await;
    assert_eq!(sits.status, 403, "those who work here still can't play here: {}", sits.body);
    let me = here.get("/me", &dealer).await.json();
    assert_eq!(me["locked"], json!([{ "role": "boxperson", "table": "live" }]), "{me}");
    assert_eq!(me["roles"], json!([]), "{me}");

    // A token would get around it.
    let token = async |shows: &Shows, scope: &str| {
        here.post("/me/tokens", shows, &json!({ "label": "bot", "scopes": [scope] })).await
    };
    for (shows, scope) in [(&dealer, "watch"), (&dealer, "deal"), (&player, "deal"), (&player, "admin")] {
        assert_eq!(of(&token(shows, scope).await), needed, "{scope}");
    }
    assert_eq!(token(&player, "play").await.status, 201, "players need none");
    assert_eq!(here.get("/me", &player).await.json()["roles"][0]["role"], json!("player"));
    let moved = acts(&bot).await;
    assert_eq!(moved.status, 200, "a program with a token goes on: {}", moved.body);

    let issued = here.post("/me/second-factor", &dealer, &json!({})).await.json();
    let code = Device::of(&issued).next().await;
    let confirmed = here.post("/me/second-factor/confirm", &dealer, &json!({ "code": code })).await;
    let dealer = Shows::Cookie(confirmed.cookie());
    assert_eq!(here.get("/tables/live/log", &dealer).await.status, 200);
    assert_eq!(here.get("/me", &dealer).await.json()["roles"], json!([{ "role": "boxperson", "table": "live" }]));
    assert_eq!(here.post("/tables/live/say", &dealer, &says).await.status, 200);
    assert_eq!(token(&dealer, "deal").await.status, 201);
    assert_eq!(of(&here.get("/accounts", &admin).await), needed, "each needs their own");
    // Without it, the session can't do more than before.
    assert_eq!(here.ask("DELETE", "/me/second-factor", &dealer, None).await.status, 200);
    assert_eq!(of(&here.get("/tables/live/log", &dealer).await), needed);
    here.stop().await;
}

/// With another sealing key the codes are lost. A recovery code still lets the owner in.
#[tokio::test(flavor = "multi_thread")]
async fn codes_of_another_sealing_key_are_told_from_wrong_ones() {
    let here = Here::new().await;
    let mut ann = enrolled(&here, "Ann").await;
    let file = here.app.store().file().unwrap().to_str().unwrap().to_owned();
    let mut database = SqliteConnection::connect(&file).await.unwrap();
    sqlx::query("UPDATE factors SET seal = 'another'").execute(&mut database).await.unwrap();
    database.close().await.unwrap();
    let lost = sign_in(&here, ann.name, Some(&ann.device.next().await)).await;
    assert_eq!(of(&lost), is(409, "second-factor-lost"));
    assert!(lost.body.contains("recovery code") && lost.body.contains("admin"), "{}", lost.body);
    assert_eq!(sign_in(&here, ann.name, Some(&ann.recovery[0])).await.status, 201);
    here.stop().await;
}
