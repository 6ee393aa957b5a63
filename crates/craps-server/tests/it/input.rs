//! Malformed numbers, duplicate keys and deep nesting: the server rejects every body whose amounts are not plain integers.

use crate::support::{Here, Shows};
use craps_server::live::DiceFrom;
use craps_server::people::Role;
use craps_table::Crew;

/// Values that are not valid amounts.
const WRONG: &[&str] = &[
    "-99999999999999999999999",
    "99999999999999999999999",
    "9223372036854775808",
    "1e400",
    "-1e400",
    "1.5",
    "5.0",
    "1e2",
    "0x10",
    "010",
    "+5",
    "NaN",
    "Infinity",
    "-Infinity",
    "\"5\"",
    "true",
    "[5]",
    "{}",
    "{\"amount\": 5}",
    "",
    "5 5",
];

/// Integers that are too high or too low for an amount.
const TOO_FAR: &[&str] = &["-1", "-500", "9223372036854775807", "-9223372036854775808"];

/// All bodies with an amount. `#` marks the place of the amount.
const BODIES: &[(&str, &str, &str)] = &[
    ("POST", "/tables/t/seats", r##"{"seat": 5, "buy_in": #}"##),
    ("POST", "/tables/t/buy-in", r##"{"amount": #}"##),
    ("POST", "/tables/t/actions", r##"{"bets": [{"bet": "F", "amount": #}]}"##),
    ("POST", "/tables/t/actions", r##"{"bets": [{"bet": "P", "op": "down", "amount": #}]}"##),
    ("POST", "/tables/t/actions", r##"{"bets": [{"bet": "F", "amount": 500, "cash": #}]}"##),
    ("POST", "/tables/t/actions", r##"{"bets": [{"bet": "F", "amount": 500, "coupon": #}]}"##),
    ("POST", "/tables/t/rulings", r##"{"seat": 1, "reason": "why", "amount": #}"##),
    ("PUT", "/me/limits", r##"{"loss": #}"##),
    ("PUT", "/me/limits", r##"{"minutes": #}"##),
];

async fn refused(here: &Here, who: &Shows, method: &str, path: &str, body: &str) {
    let kind = [("Content-Type", "application/json")];
    let reply = here.send(method, path, who, &kind, body.as_bytes()).await;
    assert!((400..500).contains(&reply.status), "{method} {path} {body}: {} {}", reply.status, reply.body);
    assert!(!reply.json()["message"].as_str().unwrap().is_empty(), "{body}: {}", reply.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn amounts_are_integers_in_their_place() {
    let here = Here::new().await;
    here.table("t", true, Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bea) = (here.account("Ann").await, here.account("Bea").await);
    here.grant(&bea, Role::Boxperson, None).await;
    let (ann, bea) = (here.session(&ann, 3_600_000).await, here.session(&bea, 3_600_000).await);
    for (path, body) in [
        ("seats", serde_json::json!({ "seat": 1, "buy_in": 100_000 })),
        ("actions", serde_json::json!({ "bets": [{ "bet": "P", "amount": 1_000 }] })),
    ] {
        let reply = here.post(&format!("/tables/t/{path}"), &ann, &body).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
    let head = here.app.store().head("t").await.unwrap();
    for (method, path, form) in BODIES {
        // A player who has a seat would get that error first, so use a new guest for `seats`.
        let who = match *path {
            "/tables/t/rulings" => bea.clone(),
            "/tables/t/seats" => here.session("g:0123456789abcdef", 3_600_000).await,
            _ => ann.clone(),
        };
        for wrong in WRONG {
            refused(&here, &who, method, path, &form.replace('#', wrong)).await;
        }
        // A ruling may be negative, but not more than the player has.
        for far in TOO_FAR.iter().skip(if path.ends_with("rulings") { 2 } else { 0 }) {
            refused(&here, &who, method, path, &form.replace('#', far)).await;
        }
        // Duplicate keys and deeply nested values.
        let key = form.split('#').next().unwrap().rsplit('"').nth(1).unwrap();
        refused(&here, &who, method, path, &form.replace('#', &format!("500, \"{key}\": 500"))).await;
        for depth in [1, 40, 1_000, 30_000] {
            let deep = format!("{}500{}", "[".repeat(depth), "]".repeat(depth));
            refused(&here, &who, method, path, &form.replace('#', &deep)).await;
            refused(&here, &who, method, path, &form.replace('#', &"{\"a\":".repeat(depth.min(9_000)))).await;
        }
        refused(&here, &who, method, path, &form.replace('#', &"5".repeat(70_000))).await;
        refused(&here, &who, method, path, &form.replace('#', "500, \"unknown\": 1")).await;
    }
    assert_eq!(here.app.store().head("t").await.unwrap(), head, "no command was carried out");
    here.stop().await;
}

/// Numbers of dice, rows and seats have small types.
#[tokio::test(flavor = "multi_thread")]
async fn small_numbers_are_small() {
    let here = Here::new().await;
    here.table("t", true, Crew::People, DiceFrom::People).await;
    let bea = here.account("Bea").await;
    here.grant(&bea, Role::Boxperson, None).await;
    let bea = here.session(&bea, 3_600_000).await;
    for wrong in WRONG.iter().chain(&["-1", "256", "4294967296"]) {
        for (path, form) in [
            ("dice", r##"{"dice": [#, 2]}"##),
            ("dice/confirm", r##"{"dice": [2, #]}"##),
            ("procedure", r##"{"act": "open-table", "dice": #}"##),
            ("procedure", r##"{"act": "offer-dice", "seat": #}"##),
            ("undo", r##"{"seat": #}"##),
            ("rulings/#", r##"{"agrees": true}"##),
            ("requests/#", r##"{"agrees": true}"##),
        ] {
            let path = format!("/tables/t/{}", path.replace('#', &wrong.replace([' ', '"', '{', '}', '[', ']'], "_")));
            refused(&here, &bea, "POST", &path, &form.replace('#', wrong)).await;
        }
    }
    here.stop().await;
}
