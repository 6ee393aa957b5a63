//! The role matrix: every kind of person calls every route of a real server. The expected results are written here by hand, independent of the
//! server's access table.

use crate::support::{Here, Shows};
use craps_server::live::DiceFrom;
use craps_server::live::pit::now;
use craps_server::openapi;
use craps_server::people::{Role, Scope, access};
use craps_table::Crew;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// Who may call a route: `x` is allowed, `.` gets 401 or 403.
///
/// The first columns are an anonymous caller, a guest, and an account without roles. Then come the roles at this table: player, dealer, stickperson,
/// boxperson, floorperson, surveillance, director, auditor, cashier, admin. Then the same roles at all tables. Players have no seat here, so routes that need
/// a seat reject them, too.
const MATRIX: &str = "
                                                    -ga pdsbfvrucm PDSBFVRUCM
    GET    /                                        xxx xxxxxxxxxx xxxxxxxxxx
    GET    /felt/{table}                            xxx xxxxxxxxxx xxxxxxxxxx
    GET    /study                                   xxx xxxxxxxxxx xxxxxxxxxx
    GET    /explorer                                xxx xxxxxxxxxx xxxxxxxxxx
    GET    /lab                                     xxx xxxxxxxxxx xxxxxxxxxx
    GET    /library                                 xxx xxxxxxxxxx xxxxxxxxxx
    GET    /library/{book}                          xxx xxxxxxxxxx xxxxxxxxxx
    GET    /library/{book}/{section}                xxx xxxxxxxxxx xxxxxxxxxx
    GET    /profile                                 xxx xxxxxxxxxx xxxxxxxxxx
    GET    /sign-in                                 xxx xxxxxxxxxx xxxxxxxxxx
    GET    /assets/{file}                           xxx xxxxxxxxxx xxxxxxxxxx
    GET    /health                                  xxx xxxxxxxxxx xxxxxxxxxx
    GET    /ready                                   xxx xxxxxxxxxx xxxxxxxxxx
    GET    /openapi.json                            xxx xxxxxxxxxx xxxxxxxxxx
    GET    /metrics                                 ... .......... .........x
    GET    /verify                                  xxx xxxxxxxxxx xxxxxxxxxx
    GET    /verify/page.js                          xxx xxxxxxxxxx xxxxxxxxxx
    GET    /verify/dice.js                          xxx xxxxxxxxxx xxxxxxxxxx
    GET    /verify/page.css                         xxx xxxxxxxxxx xxxxxxxxxx
    GET    /books                                   xxx xxxxxxxxxx xxxxxxxxxx
    GET    /books/{id}                              xxx xxxxxxxxxx xxxxxxxxxx
    GET    /books/{id}/sections/{section}           xxx xxxxxxxxxx xxxxxxxxxx
    GET    /books/{id}/wagers                       xxx xxxxxxxxxx xxxxxxxxxx
    GET    /books/{id}/diff/{other}                 xxx xxxxxxxxxx xxxxxxxxxx
    GET    /houses                                  xxx xxxxxxxxxx xxxxxxxxxx
    POST   /houses/check                            xxx xxxxxxxxxx xxxxxxxxxx
    POST   /layouts                                 xxx xxxxxxxxxx xxxxxxxxxx
    GET    /wagers                                  xxx xxxxxxxxxx xxxxxxxxxx
    GET    /wagers/{id}                             xxx xxxxxxxxxx xxxxxxxxxx
    GET    /odds                                    xxx xxxxxxxxxx xxxxxxxxxx
    POST   /check                                   xxx xxxxxxxxxx xxxxxxxxxx
    POST   /fill                                    xxx xxxxxxxxxx xxxxxxxxxx
    POST   /why                                     xxx xxxxxxxxxx xxxxxxxxxx
    POST   /replay                                  xxx xxxxxxxxxx xxxxxxxxxx
    POST   /position                                xxx xxxxxxxxxx xxxxxxxxxx
    POST   /felt                                    xxx xxxxxxxxxx xxxxxxxxxx
    POST   /talk                                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /strategies                              xxx xxxxxxxxxx xxxxxxxxxx
    GET    /strategies/{name}                       xxx xxxxxxxxxx xxxxxxxxxx
    POST   /strategies/check                        xxx xxxxxxxxxx xxxxxxxxxx
    POST   /strategies/preview                      xxx xxxxxxxxxx xxxxxxxxxx
    POST   /sim                                     xxx xxxxxxxxxx xxxxxxxxxx
    GET    /sim/{job}                               xxx xxxxxxxxxx xxxxxxxxxx
    DELETE /sim/{job}                               xxx xxxxxxxxxx xxxxxxxxxx
    GET    /sim/{job}/stream                        xxx xxxxxxxxxx xxxxxxxxxx
    GET    /sim/{job}/report.html                   xxx xxxxxxxxxx xxxxxxxxxx
    GET    /sim/{job}/report.svg                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /sim/{job}/report.csv                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables                                  xxx xxxxxxxxxx xxxxxxxxxx
    POST   /tables                                  .xx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}                          xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/stream                   xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/layout                   xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/legal                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/outcomes                 xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/quote                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/why/{roll}/{n}           xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/rolls                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/felt                     xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/hands                    xxx xxxxxxxxxx xxxxxxxxxx
    GET    /tables/{table}/cgn                      ... xxxxxxxx.x xxxxxxxx.x
    GET    /tables/{table}/log                      ... .xxxxxxx.x .xxxxxxx.x
    GET    /tables/{table}/rulings                  ... .xxxxxxx.x .xxxxxxx.x
    POST   /tables/{table}/seats                    ... xxxxx..... xxxxx.....
    DELETE /tables/{table}/seats/{seat}             ... .xxxx..... .xxxx.....
    POST   /tables/{table}/buy-in                   ... xxxxx..... xxxxx.....
    POST   /tables/{table}/actions                  ... xxxxx..... xxxxx.....
    POST   /tables/{table}/undo                     ... .xxxx..... .xxxx.....
    POST   /tables/{table}/redo                     ... .xxxx..... .xxxx.....
    POST   /tables/{table}/repeat                   ... .xxxx..... .xxxx.....
    POST   /tables/{table}/clear                    ... .xxxx..... .xxxx.....
    POST   /tables/{table}/roll                     ... .xxxx..... .xxxx.....
    POST   /tables/{table}/pass-dice                ... .xxxx..... .xxxx.....
    POST   /tables/{table}/say                      ... xxxxx..... xxxxx.....
    POST   /tables/{table}/window                   ... .......... ..........
    POST   /tables/{table}/seed                     ... x......... x.........
    POST   /tables/{table}/dice                     ... .xxxx..... .xxxx.....
    POST   /tables/{table}/dice/confirm             ... ...xx..... ...xx.....
    POST   /tables/{table}/procedure                ... .xxxx..... .xxxx.....
    POST   /tables/{table}/requests/{request}       ... xxxxx..... xxxxx.....
    POST   /tables/{table}/rulings                  ... ...xx..... ...xx.....
    POST   /tables/{table}/rulings/{row}            ... ...xx..... ...xx.....
    POST   /guests                                  xxx xxxxxxxxxx xxxxxxxxxx
    POST   /sign-in                                 xxx xxxxxxxxxx xxxxxxxxxx
    POST   /sign-out                                xxx xxxxxxxxxx xxxxxxxxxx
    GET    /me                                      xxx xxxxxxxxxx xxxxxxxxxx
    GET    /me/sessions                             ..x xxxxxxxxxx xxxxxxxxxx
    DELETE /me/sessions/{session}                   ..x xxxxxxxxxx xxxxxxxxxx
    POST   /me/password                             ..x xxxxxxxxxx xxxxxxxxxx
    GET    /me/second-factor                        ..x xxxxxxxxxx xxxxxxxxxx
    POST   /me/second-factor                        ..x xxxxxxxxxx xxxxxxxxxx
    DELETE /me/second-factor                        ..x xxxxxxxxxx xxxxxxxxxx
    POST   /me/second-factor/confirm                ..x xxxxxxxxxx xxxxxxxxxx
    POST   /me/second-factor/recovery-codes         ..x xxxxxxxxxx xxxxxxxxxx
    GET    /me/tokens                               ..x xxxxxxxxxx xxxxxxxxxx
    POST   /me/tokens                               ..x xxxxxxxxxx xxxxxxxxxx
    DELETE /me/tokens/{token}                       ..x xxxxxxxxxx xxxxxxxxxx
    GET    /me/history                              .xx xxxxxxxxxx xxxxxxxxxx
    GET    /me/limits                               .xx xxxxxxxxxx xxxxxxxxxx
    PUT    /me/limits                               .xx xxxxxxxxxx xxxxxxxxxx
    GET    /me/purse                                .xx xxxxxxxxxx xxxxxxxxxx
    GET    /accounts/{account}/purse                ... .......... .......xx.
    POST   /accounts/{account}/purse                ... .......... ........x.
    GET    /accounts                                ... .......... ........xx
    POST   /accounts                                ... .......... .........x
    PATCH  /accounts/{account}                      ... .......... .........x
    DELETE /accounts/{account}/second-factor        ... .......... .........x
    GET    /accounts/{account}/grants               ... .......... .........x
    POST   /accounts/{account}/grants               ... .......... .........x
    DELETE /accounts/{account}/grants/{grant}       ... .......... .........x
    GET    /trail                                   ... .......... .......x.x
";

/// A row of the matrix: a route and who may call it.
struct Row {
    method: &'static str,
    path: &'static str,
    allowed: Vec<bool>,
}

fn matrix() -> Vec<Row> {
    let row = |line: &'static str| {
        let mut words = line.split_whitespace();
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let allowed: Vec<bool> = words.flat_map(str::chars).map(|mark| mark == 'x').collect();
        assert_eq!(allowed.len(), 23, "{line}");
        Row { method, path, allowed }
    };
    MATRIX.lines().filter(|line| line.contains('/')).map(row).collect()
}

const TABLE: &str = "north";

/// Returns the URL path of a route with all parameters filled in.
fn address(path: &str, account: &str) -> String {
    let filled =
        path.replace("{table}", TABLE).replace("{account}", account).replace("{seat}", "1").replace("{row}", "1");
    let mut out = String::new();
    for part in filled.split('/').skip(1) {
        out += if part.starts_with('{') { "/1" } else { "/" };
        out += if part.starts_with('{') { "" } else { part };
    }
    if out.is_empty() { "/".to_owned() } else { out }
}

/// One kind of caller.
struct Somebody {
    name: String,
    /// Column of the matrix.
    column: usize,
    account: Option<String>,
    lasts: i64,
}

impl Somebody {
    async fn shows(&self, here: &Here) -> Shows {
        match &self.account {
            None => Shows::Nothing,
            Some(account) => here.session(account, self.lasts).await,
        }
    }
}

const HOUR: i64 = 3_600_000;

/// Creates all kinds of callers, including those with expired sessions, past shifts and closed accounts.
async fn everybody(here: &Here) -> Vec<Somebody> {
    let mut all = Vec::new();
    let mut add = |name: String, column: usize, account: Option<String>, lasts: i64| {
        all.push(Somebody { name, column, account, lasts });
    };
    let plain = here.account("plain").await;
    add("nobody".to_owned(), 0, None, HOUR);
    add("a guest".to_owned(), 1, Some("g:0123456789abcdef".to_owned()), HOUR);
    add("a guest whose session is over".to_owned(), 0, Some("g:0123456789abcdef".to_owned()), -1);
    add("an account".to_owned(), 2, Some(plain), HOUR);
    for (at, role) in Role::ALL.into_iter().enumerate() {
        let person = async |what: &str, table: Option<&str>, shift: (Option<i64>, Option<i64>)| {
            let account = here.account(&format!("{role} {what}")).await;
            here.grant_for(&account, role, table, shift).await;
            account
        };
        let always = (None, None);
        let past = (Some(now() - 2 * HOUR), Some(now() - HOUR));
        let coming = (Some(now() + HOUR), None);
        let in_shift = (Some(now() - HOUR), Some(now() + HOUR));
        add(format!("the {role} here"), 3 + at, Some(person("here", Some(TABLE), in_shift).await), HOUR);
        add(format!("the {role} everywhere"), 13 + at, Some(person("everywhere", None, always).await), HOUR);
        add(format!("the {role} of another table"), 2, Some(person("elsewhere", Some("south"), always).await), HOUR);
        add(format!("the {role} of the shift before"), 2, Some(person("before", None, past).await), HOUR);
        add(format!("the {role} of the shift to come"), 2, Some(person("to come", None, coming).await), HOUR);
        let all_tables = person("out of time", None, always).await;
        add(format!("the {role} whose session is over"), 0, Some(all_tables), -1);
        let closed = person("closed", None, always).await;
        here.app.store().people().set_disabled(&closed, true).await.unwrap();
        add(format!("the {role} whose account is closed"), 0, Some(closed), HOUR);
    }
    all
}

#[test]
fn the_matrix_and_the_access_table_have_the_routes_that_the_server_has() {
    let document = serde_json::to_value(openapi()).unwrap();
    let mut routes = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in
            methods.as_object().unwrap().keys().filter(|key| !["parameters", "summary"].contains(&key.as_str()))
        {
            routes.insert((method.to_uppercase(), path.clone()));
        }
    }
    let rows: Vec<(String, String)> =
        access::TABLE.iter().map(|row| (row.method.to_owned(), row.path.to_owned())).collect();
    let expected: Vec<(String, String)> =
        matrix().iter().map(|row| (row.method.to_owned(), row.path.to_owned())).collect();
    for (what, rows) in [("the access table", rows), ("the matrix", expected)] {
        let once: BTreeSet<(String, String)> = rows.iter().cloned().collect();
        assert_eq!(once.len(), rows.len(), "{what} has a row twice");
        let missing: Vec<_> = routes.difference(&once).collect();
        let idle: Vec<_> = once.difference(&routes).collect();
        assert!(missing.is_empty() && idle.is_empty(), "{what} lacks {missing:?} and has unknown routes {idle:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_gets_in_where_they_may_and_nowhere_else() {
    let here = Here::new().await;
    here.table(TABLE, false, Crew::Automatic, DiceFrom::Secret).await;
    here.table("south", false, Crew::Automatic, DiceFrom::Secret).await;
    let target = here.account("target").await;
    let everybody = everybody(&here).await;
    let mut known = Vec::new();
    for somebody in &everybody {
        known.push(somebody.shows(&here).await);
    }
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for row in matrix() {
        let path = address(row.path, &target);
        let body = (row.method != "GET" && row.method != "DELETE").then(|| json!({}));
        // Some routes end the caller's session.
        let ends = ["/sign-in", "/sign-out", "/guests", "/me/password"].contains(&row.path);
        for (somebody, known) in everybody.iter().zip(&known) {
            let shows = if ends { somebody.shows(&here).await } else { known.clone() };
            let reply = here.ask(row.method, &path, &shows, body.as_ref()).await;
            asked += 1;
            assert!(reply.status < 500, "{} {path} by {}: {} {}", row.method, somebody.name, reply.status, reply.body);
            let got_in = !matches!(reply.status, 401 | 403);
            if got_in != row.allowed[somebody.column] {
                wrong.push(format!("{} {path} by {}: {} {}", row.method, somebody.name, reply.status, reply.body));
            }
            // Only anonymous callers and guests are told to sign in (401). Others get 403.
            if reply.status == 401 {
                assert!(somebody.column < 2, "{} {path} by {}: {}", row.method, somebody.name, reply.body);
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    here.stop().await;
}

/// A program may only do what both its scopes and its account's roles allow.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_gets_in_where_a_scope_and_a_role_let_it() {
    let here = Here::new().await;
    here.table(TABLE, false, Crew::Automatic, DiceFrom::Secret).await;
    let everything = here.account("everything").await;
    for role in Role::ALL {
        here.grant(&everything, role, None).await;
    }
    let nothing = here.account("nothing").await;
    let expected: &[(&str, &str, &str)] = &[
        // watch play deal audit direct cash admin
        ("GET", "/tables/north", "xxxxxxx"),
        ("GET", "/me", "xxxxxxx"),
        ("GET", "/me/limits", "xx....."),
        ("GET", "/me/history", "xx....."),
        ("POST", "/tables", ".x....x"),
        ("POST", "/tables/north/actions", "..x...."),
        ("POST", "/tables/north/rulings", "..x...."),
        ("GET", "/tables/north/log", "..xxx.x"),
        ("GET", "/trail", "...x..x"),
        ("GET", "/accounts", ".....xx"),
        ("GET", "/me/purse", "xx....."),
        ("GET", "/me/tokens", "......."),
        ("POST", "/me/tokens", "......."),
        ("POST", "/me/password", "......."),
        ("GET", "/me/sessions", "......."),
        ("PUT", "/me/limits", "......."),
    ];
    for (method, path, marks) in expected {
        for (scope, mark) in Scope::ALL.into_iter().zip(marks.chars()) {
            let body = (*method != "GET").then(|| json!({}));
            let token = here.token(&everything, &[scope], None).await;
            let reply = here.ask(method, path, &token, body.as_ref()).await;
            let got_in = !matches!(reply.status, 401 | 403);
            assert_eq!(got_in, mark == 'x', "{method} {path} with {}: {} {}", scope.name(), reply.status, reply.body);
            // A scope without the role is not enough.
            let token = here.token(&nothing, &Scope::ALL, None).await;
            let reply = here.ask(method, path, &token, body.as_ref()).await;
            let open = ["/tables/north", "/me", "/me/limits", "/me/purse", "/me/history", "/tables"].contains(path)
                && *method != "PUT";
            assert_eq!(!matches!(reply.status, 401 | 403), open, "{method} {path}: {} {}", reply.status, reply.body);
        }
    }
    // An expired or invalid token is an error, even on public routes.
    let ended = here.token(&everything, &Scope::ALL, Some(now() - 1)).await;
    for token in [ended, Shows::Token("0".repeat(64)), Shows::Token("nonsense".to_owned())] {
        assert_eq!(here.get("/books", &token).await.status, 401);
    }
    here.stop().await;
}

/// Two players at one table can't act for each other, by request or on a stream.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_acts_from_another_seat() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    let ann = here.session("g:aaaa", HOUR).await;
    let bo = here.session("g:bbbb", HOUR).await;
    for (who, seat) in [(&ann, 1), (&bo, 2)] {
        let reply = here.post("/tables/open/seats", who, &json!({ "seat": seat, "buy_in": 50_000 })).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
    let bets = json!([{ "bet": "P", "amount": 1_000 }]);
    let placed = here.post("/tables/open/actions", &bo, &json!({ "bets": bets })).await;
    assert_eq!(placed.status, 200, "{}", placed.body);
    let head = || async { here.app.store().head("open").await.unwrap().seq };
    let before = head().await;

    let tries: Vec<(&str, &str, Value)> = vec![
        ("POST", "/tables/open/actions", json!({ "seat": 2, "bets": bets })),
        ("POST", "/tables/open/actions", json!({ "seat": 2, "say": "field 5" })),
        ("POST", "/tables/open/buy-in", json!({ "seat": 2, "amount": 1_000 })),
        ("POST", "/tables/open/undo", json!({ "seat": 2 })),
        ("POST", "/tables/open/redo", json!({ "seat": 2 })),
        ("POST", "/tables/open/repeat", json!({ "seat": 2 })),
        ("POST", "/tables/open/clear", json!({ "seat": 2 })),
        ("DELETE", "/tables/open/seats/2", Value::Null),
        // Claiming a role that the player doesn't have doesn't help.
        ("POST", "/tables/open/actions", json!({ "seat": 2, "as": "boxperson", "bets": bets })),
        ("POST", "/tables/open/seats", json!({ "seat": 2, "buy_in": 1_000 })),
        ("POST", "/tables/open/seats", json!({ "seat": 3, "buy_in": 1_000 })),
    ];
    let stranger = here.session("g:cccc", HOUR).await;
    for (method, path, body) in &tries {
        for (who, name) in [(&ann, "the other player"), (&stranger, "somebody who does not play")] {
            // A person without a seat may take a free one.
            if name.starts_with("somebody") && body["seat"] == 3 {
                continue;
            }
            let body = (!body.is_null()).then_some(body);
            let reply = here.ask(method, path, who, body).await;
            assert!((400..500).contains(&reply.status), "{method} {path} by {name}: {} {}", reply.status, reply.body);
        }
    }

    // The same on a stream.
    let wishes = [
        json!({ "do": "actions", "seat": 2, "bets": bets }),
        json!({ "do": "undo", "seat": 2 }),
        json!({ "do": "repeat", "seat": 2 }),
        json!({ "do": "clear", "seat": 2 }),
        json!({ "do": "leave", "seat": 2 }),
        json!({ "do": "buy-in", "seat": 2, "amount": 1_000 }),
        json!({ "do": "dice", "dice": [3, 4] }),
        json!({ "do": "confirm", "dice": [3, 4] }),
        json!({ "do": "ruling", "seat": 1, "amount": 1_000, "reason": "a gift" }),
        json!({ "do": "second", "row": 1, "agrees": true }),
        json!({ "do": "procedure", "act": "close-bets" }),
        json!({ "do": "reply", "request": 1, "agrees": false }),
    ];
    for (who, name) in
        [(&ann, "the other player"), (&stranger, "somebody who does not play"), (&Shows::Nothing, "nobody")]
    {
        for (wish, answer) in said(&here, who, "open", &wishes).await {
            assert!(answer.contains("\"code\""), "{wish} by {name}: {answer}");
        }
    }
    assert_eq!(head().await, before, "no command was carried out");

    let undone = here.post("/tables/open/undo", &bo, &json!({})).await;
    assert_eq!(undone.status, 200, "players can undo their own bets: {}", undone.body);
    here.stop().await;
}

/// All commands of a stream, each with its route. They are invalid, so that they change nothing when they are allowed.
const WISHES: &[(&str, &str, &str)] = &[
    ("join", r#"{ "do": "join", "buy_in": -1 }"#, "POST /tables/{table}/seats"),
    ("buy-in", r#"{ "do": "buy-in", "seat": 9, "amount": 0 }"#, "POST /tables/{table}/buy-in"),
    ("leave", r#"{ "do": "leave", "seat": 9 }"#, "DELETE /tables/{table}/seats/{seat}"),
    ("actions", r#"{ "do": "actions", "seat": 9, "bets": [] }"#, "POST /tables/{table}/actions"),
    ("undo", r#"{ "do": "undo", "seat": 9 }"#, "POST /tables/{table}/undo"),
    ("redo", r#"{ "do": "redo", "seat": 9 }"#, "POST /tables/{table}/redo"),
    ("repeat", r#"{ "do": "repeat", "seat": 9 }"#, "POST /tables/{table}/repeat"),
    ("clear", r#"{ "do": "clear", "seat": 9 }"#, "POST /tables/{table}/clear"),
    ("roll", r#"{ "do": "roll" }"#, "POST /tables/{table}/roll"),
    ("pass-dice", r#"{ "do": "pass-dice" }"#, "POST /tables/{table}/pass-dice"),
    ("seed", r#"{ "do": "seed", "seed": "" }"#, "POST /tables/{table}/seed"),
    ("say", r#"{ "do": "say", "words": "" }"#, "POST /tables/{table}/say"),
    ("window", r#"{ "do": "window", "ready": true }"#, "POST /tables/{table}/window"),
    ("dice", r#"{ "do": "dice", "dice": [9, 9] }"#, "POST /tables/{table}/dice"),
    ("confirm", r#"{ "do": "confirm", "dice": [9, 9] }"#, "POST /tables/{table}/dice/confirm"),
    ("procedure", r#"{ "do": "procedure", "act": "take-dice" }"#, "POST /tables/{table}/procedure"),
    ("reply", r#"{ "do": "reply", "request": 0, "agrees": true }"#, "POST /tables/{table}/requests/{request}"),
    ("ruling", r#"{ "do": "ruling", "seat": 9, "amount": 1, "reason": "x" }"#, "POST /tables/{table}/rulings"),
    ("second", r#"{ "do": "second", "row": 9, "agrees": true }"#, "POST /tables/{table}/rulings/{row}"),
];

/// A command on a stream is allowed or rejected like the request to its route, for all kinds of callers.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_lets_in_whom_requests_let_in() {
    let here = Here::new().await;
    here.table(TABLE, false, Crew::Automatic, DiceFrom::Secret).await;
    here.table("south", false, Crew::Automatic, DiceFrom::Secret).await;
    let wishes: Vec<Value> = WISHES.iter().map(|(_, wish, _)| serde_json::from_str(wish).unwrap()).collect();
    let matrix = matrix();
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for somebody in everybody(&here).await {
        let shows = somebody.shows(&here).await;
        for ((_, _, route), (wish, answer)) in WISHES.iter().zip(said(&here, &shows, TABLE, &wishes).await) {
            asked += 1;
            let row = matrix.iter().find(|row| format!("{} {}", row.method, row.path) == **route).unwrap();
            let got_in = !["\"forbidden\"", "\"sign-in\""].iter().any(|code| answer.contains(code));
            if got_in != row.allowed[somebody.column] {
                wrong.push(format!("{wish} by {}: {answer}", somebody.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(here.app.store().head(TABLE).await.unwrap().seq, 2, "nothing was done");
    here.stop().await;
}

/// The list above is complete: the error for an unknown command lists all commands.
#[tokio::test(flavor = "multi_thread")]
async fn the_list_has_every_wish_that_a_stream_takes() {
    let here = Here::new().await;
    here.table(TABLE, true, Crew::Automatic, DiceFrom::Secret).await;
    let (_, answer) = said(&here, &Shows::Nothing, TABLE, &[json!({ "do": "?" })]).await.remove(0);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let (_, known) = answer["message"].as_str().unwrap().split_once("expected one of ").unwrap();
    let known: BTreeSet<&str> = known.split('`').skip(1).step_by(2).collect();
    assert_eq!(known, WISHES.iter().map(|(name, ..)| *name).collect());
    here.stop().await;
}

/// Sends messages on a stream, each after the answer to the one before, and returns the answers.
async fn said(here: &Here, shows: &Shows, table: &str, wishes: &[Value]) -> Vec<(Value, String)> {
    let mut request = format!("ws://{}/tables/{table}/stream", here.addr).into_client_request().unwrap();
    if let Shows::Cookie(token) = shows {
        request.headers_mut().insert("cookie", format!("__Host-session={token}").parse().unwrap());
    }
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let mut answers = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let mut keyed = wish.clone();
        keyed["id"] = json!(format!("said-{at}"));
        socket.send(Message::text(keyed.to_string())).await.unwrap();
        loop {
            let message = socket.next().await.expect("the stream goes on").unwrap();
            if let Message::Text(text) = message
                && (text.contains(&format!("said-{at}")) || text.contains("\"error\""))
            {
                answers.push((wish.clone(), text.to_string()));
                break;
            }
        }
    }
    socket.close(None).await.unwrap();
    answers
}
