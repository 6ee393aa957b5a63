//! Private tables: who can see one, what everybody else gets, and when it closes.

use crate::house::{Client, House, LIBRARY, opening};
use crate::support::{Here, Shows};
use craps_server::audit::{Auditor, Wrong};
use craps_server::live::pit::now;
use craps_server::live::{By, Deed, DiceFrom, Empty};
use craps_server::people::access;
use craps_table::Crew;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

const MINUTE: i64 = 60_000;

/// Opens a private table. Returns its id and its invitation.
async fn opened(owner: &Client) -> (String, String) {
    let view = owner.does("/tables", json!({ "name": "Mine", "house": { "book": "pa" }, "private": true })).await;
    let text = |key: &str| view[key].as_str().unwrap().to_owned();
    assert_eq!((&view["private"], &view["closed"]), (&json!(true), &json!(false)));
    (text("table"), text("invitation"))
}

/// Returns the ids of the tables in a client's lobby.
async fn lobby(who: &Client) -> Vec<String> {
    let lobby = who.sees("/tables").await;
    lobby["tables"].as_array().unwrap().iter().map(|table| table["table"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn to_a_stranger_a_private_table_does_not_exist_whatever_they_ask() {
    let house = House::open().await;
    let ann = house.guest().await;
    let (table, _) = opened(&ann).await;
    let dealer = house.staff("Dee", &["dealer", "player", "director"]).await;
    for stranger in [house.anybody(), house.guest().await, dealer] {
        for row in access::TABLE.iter().filter(|row| row.path.starts_with("/tables/{table}")) {
            let path = |id: &str| {
                let path = row.path.replace("{table}", id).replace("{roll}", "1").replace("{n}", "1");
                let path = path.replace("{seat}", "1").replace("{row}", "1");
                // Send a valid query, so that it isn't the reason for the error.
                if row.path.ends_with("/quote") { path + "?bet=P&amount=1000" } else { path }
            };
            let asked = async |id: &str| match row.method {
                "GET" => stranger.get(&path(id)).await,
                "POST" => stranger.post(&path(id), json!({})).await,
                "DELETE" => stranger.delete(&path(id)).await,
                other => panic!("{other}"),
            };
            let (status, problem) = asked(&table).await;
            assert_eq!(status, 404, "{} {}: {problem}", row.method, row.path);
            // The answer is exactly the same as for a table that doesn't exist.
            let (none, other) = asked("t-000000000000").await;
            let same = other.to_string().replace("t-000000000000", &table);
            assert_eq!((status, problem.to_string()), (none, same), "{} {}", row.method, row.path);
        }
        assert!(lobby(&stranger).await.is_empty());
        let (_, page) = stranger.get("/").await;
        assert!(!page.to_string().contains(&table), "{page}");
    }
    assert_eq!(lobby(&ann).await, [table]);
}

#[tokio::test]
async fn the_owner_people_with_the_invitation_and_those_who_watch_over_all_open_it() {
    let house = House::open().await;
    let (ann, bo, cy) = (house.guest().await, house.guest().await, house.guest().await);
    let (table, invitation) = opened(&ann).await;
    let here = format!("/tables/{table}");
    assert_eq!(ann.sees(&here).await["invitation"], json!(invitation));

    // With the link, anybody can watch, and a guest can take a seat.
    let link = format!("{here}?invitation={invitation}");
    assert_eq!(house.anybody().sees(&link).await["invitation"], json!(invitation));
    let rolls = format!("{here}/rolls?after=0&invitation={invitation}&limit=3");
    assert_eq!(bo.sees(&rolls).await["rolls"], json!([]));
    bo.does(&format!("{here}/seats?invitation={invitation}"), json!({ "buy_in": 50_000 })).await;
    // People who sit or have sat there need no link.
    assert!(bo.sees(&here).await.get("invitation").is_none(), "only people who have the invitation see it");
    assert_eq!(lobby(&bo).await, std::slice::from_ref(&table));
    let (status, _) = bo.delete(&format!("{here}/seats/1")).await;
    assert_eq!(status, 200);
    bo.sees(&format!("{here}/rolls")).await;

    let mut wrong = invitation.clone().into_bytes();
    wrong[5] = if wrong[5] == b'0' { b'1' } else { b'0' };
    let wrong = String::from_utf8(wrong).unwrap();
    for wrong in ["", "00", &invitation[..30], &wrong, &"0".repeat(32)] {
        assert_eq!(cy.get(&format!("{here}?invitation={wrong}")).await.0, 404, "{wrong}");
    }
    // The invitation doesn't work for another table.
    let (other, _) = opened(&cy).await;
    assert_eq!(bo.get(&format!("/tables/{other}?invitation={invitation}")).await.0, 404);

    for role in ["auditor", "surveillance", "admin"] {
        let watch = house.staff(role, &[role]).await;
        assert!(watch.sees(&here).await.get("invitation").is_none(), "{role}");
        assert!(lobby(&watch).await.contains(&table), "{role}");
    }
    let auditor = house.staff("Aud", &["auditor"]).await;
    let log = auditor.sees(&format!("{here}/log")).await.to_string();
    assert!(log.contains("private") && !log.contains(&invitation), "the log doesn't contain the invitation");
}

#[tokio::test]
async fn tables_that_are_not_private_are_there_for_everybody() {
    let house = House::open().await;
    let ann = house.guest().await;
    let view = ann.does("/tables", json!({ "name": "Ours", "house": { "book": "pa" } })).await;
    assert_eq!((&view["private"], view.get("invitation")), (&json!(false), None));
    let id = view["table"].as_str().unwrap();
    assert_eq!(lobby(&house.anybody()).await, [id]);
    house.anybody().sees(&format!("/tables/{id}?invitation=whatever")).await;
    // An id chosen by the owner would tell strangers that it is taken.
    let body = json!({ "table": "mine", "name": "Mine", "house": { "book": "pa" }, "private": true });
    let (status, problem) = ann.post("/tables", body).await;
    assert_eq!((status, &problem["code"]), (422, &json!("invalid")));
}

#[tokio::test]
async fn the_lobby_lists_as_many_as_are_asked_for_of_those_that_are_there() {
    let house = House::open().await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    for _ in 0..3 {
        opened(&house.guest().await).await;
    }
    for name in ["a", "z"] {
        ann.does("/tables", json!({ "table": name, "name": name, "house": { "book": "pa" } })).await;
    }
    let first = bo.sees("/tables?limit=1").await;
    assert_eq!((&first["tables"][0]["table"], &first["more"]), (&json!("a"), &json!(true)));
    let second = bo.sees("/tables?limit=1&after=a").await;
    assert_eq!((&second["tables"][0]["table"], &second["more"]), (&json!("z"), &json!(false)));
}

#[tokio::test]
async fn an_empty_private_table_closes_and_its_log_stays() {
    let house = House::open().await;
    let (ann, stranger) = (house.guest().await, house.guest().await);
    let (table, invitation) = opened(&ann).await;
    house.app.pit.open("public", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    let here = format!("/tables/{table}");
    ann.does(&format!("{here}/seats"), json!({ "buy_in": 50_000 })).await;
    ann.does(&format!("{here}/actions"), json!({ "say": "pass 10" })).await;
    ann.does(&format!("{here}/roll"), json!({})).await;

    let (mut known, pit, at) = (Empty::default(), &house.app.pit, now());
    let none: [String; 0] = [];
    assert_eq!(pit.close_empty(&mut known, 60, at).await.unwrap(), none);
    assert_eq!(pit.close_empty(&mut known, 60, at + 59 * MINUTE).await.unwrap(), none);
    // Commands and open streams keep the table open.
    ann.does(&format!("{here}/actions"), json!({ "say": "field 5" })).await;
    assert_eq!(pit.close_empty(&mut known, 60, at + 61 * MINUTE).await.unwrap(), none);
    let listens = pit.listen_from(&table, |live| live.head().0).await.unwrap();
    assert_eq!(pit.close_empty(&mut known, 60, at + 130 * MINUTE).await.unwrap(), none);
    drop(listens);
    assert_eq!(pit.close_empty(&mut known, 60, at + 189 * MINUTE).await.unwrap(), none);
    assert_eq!(pit.close_empty(&mut known, 60, at + 190 * MINUTE).await.unwrap(), std::slice::from_ref(&table));
    // A table closes only once, and the server's own tables never close.
    assert_eq!(pit.close_empty(&mut known, 60, at + 900 * MINUTE).await.unwrap(), none);
    assert_eq!(pit.close_empty(&mut Empty::default(), 0, at + 999 * MINUTE).await.unwrap(), none);

    // The closing is a normal row, and the dice of the last hand can be verified.
    let rows = pit.rows(&table, 0, 1_000).await.unwrap();
    let closed = rows.iter().position(|told| told.entry.did == Deed::TableClosed { empty: 60 }).unwrap();
    assert!(matches!(rows[closed + 1].entry.did, Deed::Revealed { hand: 1, .. }), "{:?}", rows[closed + 1].entry);
    assert_eq!(closed + 2, rows.len());
    let mut auditor = Auditor::new(&LIBRARY);
    pit.store().load(&table, 0, 1_000).await.unwrap().iter().for_each(|row| auditor.row(row));
    let audited = auditor.finish();
    assert_eq!((audited.findings, audited.throws, audited.derived), (vec![], 1, 1));

    // It is not in the lobby. Its players can read it, but nobody can play there.
    assert_eq!(lobby(&ann).await, ["public"]);
    let view = ann.sees(&here).await;
    assert_eq!((&view["closed"], &view["open"]), (&json!(true), &json!(false)));
    assert_eq!(ann.sees(&format!("{here}/hands")).await["hands"][0]["throws"].as_array().unwrap().len(), 1);
    assert!(ann.sees(&format!("{here}/cgn")).await.to_string().contains("Table"), "the game can still be read");
    assert_eq!(ann.sees("/me/history").await["count"], 1);
    assert_eq!(stranger.get(&here).await.0, 404);
    for (path, body) in [
        ("actions", json!({ "say": "field 5" })),
        ("roll", json!({})),
        ("undo", json!({})),
        ("seats", json!({ "buy_in": 100 })),
        ("window", json!({ "ready": true })),
    ] {
        let who = if path == "seats" { &stranger } else { &ann };
        let (status, problem) = who.post(&format!("{here}/{path}?invitation={invitation}"), body).await;
        assert_eq!((status, &problem["code"]), (422, &json!("refused")), "{path}: {problem}");
        assert!(problem["message"].as_str().unwrap().contains("has closed"), "{path}: {problem}");
    }
    assert_eq!(pit.rows(&table, 0, 1_000).await.unwrap().len(), rows.len(), "no row was added");
}

#[tokio::test]
async fn a_row_after_the_closing_is_found_by_the_audit() {
    let house = House::open().await;
    let ann = house.guest().await;
    let (table, _) = opened(&ann).await;
    ann.does(&format!("/tables/{table}/seats"), json!({ "buy_in": 50_000 })).await;
    let said = ann.does(&format!("/tables/{table}/actions"), json!({ "say": "pass 10" })).await;
    let pit = &house.app.pit;
    let mut known = Empty::default();
    pit.close_empty(&mut known, 1, 0).await.unwrap();
    assert_eq!(pit.close_empty(&mut known, 1, MINUTE).await.unwrap(), std::slice::from_ref(&table));
    let mut rows = pit.store().load(&table, 0, 1_000).await.unwrap();
    let order = rows[usize::try_from(said["rows"][0]["seq"].as_u64().unwrap()).unwrap() - 1].clone();
    let (at, client, key, body) = (order.at, order.client, None, order.body);
    let last = rows.last().unwrap().head();
    rows.push(craps_store::Row::follow(&table, &last, craps_store::NewRow { at, client, key, body }));
    let mut auditor = Auditor::new(&LIBRARY);
    rows.iter().for_each(|row| auditor.row(row));
    let found = auditor.finish().findings;
    assert!(matches!(&found[0].what, Wrong::Unlawful { why, .. } if why.contains("has closed")), "{found:#?}");
    assert!(found.iter().all(|finding| finding.row == rows.len() as u64), "{found:#?}");
}

#[tokio::test]
async fn somebody_whose_table_closed_may_open_another() {
    let house = House::open().await;
    let ann = house.guest().await;
    let open = |chat: bool, name: usize| json!({ "name": format!("Mine {name}"), "house": { "book": "pa" }, "private": true, "chat": chat });
    for name in 0..10 {
        ann.does("/tables", open(false, name)).await;
    }
    assert_eq!(ann.post("/tables", open(true, 0)).await.0, 429);
    let mut known = Empty::default();
    house.app.pit.close_empty(&mut known, 1, 0).await.unwrap();
    for table in house.app.pit.close_empty(&mut known, 1, MINUTE).await.unwrap() {
        house.app.forget_own(&table);
    }
    let view = ann.does("/tables", open(false, 0)).await;
    assert_eq!(view["closed"], json!(false), "a closed table is not returned again");
}

/// Over a real connection: a stream needs the invitation, too.
#[tokio::test]
async fn a_stream_takes_the_invitation_too() {
    let here = Here::new().await;
    let shows = here.session("g:0123456789abcdef", 3_600_000).await;
    let body = json!({ "name": "Mine", "house": { "book": "pa" }, "private": true });
    let view: Value = here.post("/tables", &shows, &body).await.json();
    let (table, invitation) = (view["table"].as_str().unwrap(), view["invitation"].as_str().unwrap());
    let lines = [("Accept", "application/x-ndjson")];
    let stream = async |query: &str, shows: &Shows| {
        here.send("GET", &format!("/tables/{table}/stream{query}"), shows, &lines, b"").await.status
    };
    let nobody = Shows::Nothing;
    assert_eq!(stream("", &nobody).await, 404);
    assert_eq!(stream("?from=1", &nobody).await, 404);
    assert_eq!(stream("", &shows).await, 200);
    assert_eq!(stream(&format!("?from=1&invitation={invitation}"), &nobody).await, 200);

    // It holds for the whole stream: the server loads the client again after a while.
    let Shows::Cookie(token) = here.session("g:fedcba9876543210", 3_600_000).await else { unreachable!() };
    let url = format!("ws://{}/tables/{table}/stream?invitation={invitation}", here.addr);
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("cookie", format!("__Host-session={token}").parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    socket.send(Message::text(json!({ "do": "join", "id": "k", "buy_in": 50_000 }).to_string())).await.unwrap();
    let answer = loop {
        let line: Value = serde_json::from_str(socket.next().await.unwrap().unwrap().to_text().unwrap()).unwrap();
        if line["id"] == "k" {
            break line;
        }
    };
    assert_eq!(answer["kind"], "answer", "{answer}");
    here.stop().await;
}

/// A public table that a player opened closes too when nobody uses it, so that they don't add up.
#[tokio::test]
async fn an_empty_table_of_a_player_closes() {
    let house = House::open().await;
    let ann = house.guest().await;
    ann.does("/tables", json!({ "table": "ours", "name": "Ours", "house": { "book": "pa" } })).await;
    house.app.pit.open("own", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    let (mut known, pit, at) = (Empty::default(), &house.app.pit, now());
    assert!(pit.close_empty(&mut known, 60, at).await.unwrap().is_empty());
    assert_eq!(pit.close_empty(&mut known, 60, at + 60 * MINUTE).await.unwrap(), ["ours"]);
    assert_eq!(ann.post("/tables/ours/seats", json!({ "buy_in": 1_000 })).await.0, 422);
    let lobby = ann.sees("/tables").await;
    assert_eq!(lobby["tables"].as_array().unwrap().iter().map(|table| &table["table"]).collect::<Vec<_>>(), ["own"]);
}
