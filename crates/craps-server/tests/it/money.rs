//! Money has a source: at tables that are not for practice, chips and coupons come from the staff or from the purse of an account.

use crate::house::LIBRARY;
use crate::support::{Here, Reply, Shows};
use craps_law::HouseRules;
use craps_money::Money;
use craps_notation::RulesTag;
use craps_server::audit::{Audited, Auditor, Finding, Sides, Wrong};
use craps_server::live::pit::now;
use craps_server::live::purse::{self, Moved};
use craps_server::live::{By, DiceFrom, Empty, Opening, PRACTICE_MOST};
use craps_server::people::Role;
use craps_store::Row;
use craps_table::{Actor, Crew};
use serde_json::{Value, json};
use std::sync::Arc;

const HOUR: i64 = 3_600_000;

/// A server with live tables under a book that takes coupons, a player and a cashier.
struct Evening {
    here: Here,
    pam: Shows,
    account: String,
    cashier: Shows,
}

impl Evening {
    async fn new(tables: &[(&str, Crew)]) -> Evening {
        let here = Here::new().await;
        let house = HouseRules::practice(LIBRARY.book("nj").unwrap()).unwrap();
        for (table, crew) in tables {
            let dice = if *crew == Crew::People { DiceFrom::People } else { DiceFrom::Secret };
            let opening = Opening {
                name: (*table).to_owned(),
                rules: RulesTag::of(&house),
                house: house.tag(),
                game: None,
                crew: *crew,
                dice,
                practice: false,
                private: false,
                chat: false,
                window: None,
                asks: false,
                funded: true,
                witness: None,
                slots: Vec::new(),
            };
            here.app.pit.open(table, opening, By::machine(), now()).await.unwrap();
        }
        let (account, cash) = (here.account("Pam").await, here.account("Cass").await);
        here.grant(&account, Role::Player, None).await;
        here.grant(&cash, Role::Cashier, None).await;
        let (pam, cashier) = (here.session(&account, HOUR).await, here.session(&cash, HOUR).await);
        Evening { here, pam, account, cashier }
    }

    async fn at(&self, what: &str, body: Value) -> Reply {
        self.here.post(&format!("/tables/live/{what}"), &self.pam, &body).await
    }

    async fn fund(&self, body: Value) -> Reply {
        self.here.post(&format!("/accounts/{}/purse", self.account), &self.cashier, &body).await
    }

    async fn purse(&self) -> Value {
        self.here.get("/me/purse", &self.pam).await.json()
    }

    /// Returns all rows of the store, purses included.
    async fn rows(&self) -> Vec<Row> {
        let store = self.here.app.store();
        let mut rows = Vec::new();
        for (table, _) in store.tables().await.unwrap() {
            rows.extend(store.load(&table, 0, u32::MAX).await.unwrap());
        }
        for log in [format!("@purse:a:{}", self.account), "@house".to_owned(), "@promotions".to_owned()] {
            rows.extend(store.load(&log, 0, u32::MAX).await.unwrap());
        }
        rows
    }

    async fn audited(&self) -> Audited {
        audit(&self.rows().await)
    }
}

fn audit(rows: &[Row]) -> Audited {
    let mut auditor = Auditor::new(&LIBRARY);
    rows.iter().for_each(|row| auditor.row(row));
    auditor.finish()
}

fn refused(reply: &Reply) -> String {
    assert_eq!((reply.status, reply.code().as_str()), (422, "no-funds"), "{}", reply.body);
    reply.json()["message"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_come_from_the_purse_and_go_back_to_it() {
    let evening = Evening::new(&[("live", Crew::Automatic)]).await;
    for amount in [1, 1_000_000_000_000_i64] {
        let words = refused(&evening.at("seats", json!({ "buy_in": amount })).await);
        assert!(words.starts_with("There is only $0 in this account."), "{words}");
    }
    assert_eq!(evening.fund(json!({ "chips": 50_000, "note": "cash" })).await.status, 200);
    refused(&evening.at("seats", json!({ "buy_in": 50_001 })).await);
    assert_eq!(evening.at("seats", json!({ "buy_in": 30_000 })).await.status, 200);
    assert_eq!(evening.purse().await["chips"], json!(20_000));
    refused(&evening.at("buy-in", json!({ "amount": 20_001 })).await);
    assert_eq!(evening.at("buy-in", json!({ "amount": 5_000 })).await.status, 200);
    // Spoken cash is money too.
    let cash = json!({ "bets": [{ "bet": "F", "amount": 500, "cash": 15_001 }] });
    refused(&evening.at("actions", cash).await);
    let cash = json!({ "bets": [{ "bet": "F", "amount": 500, "cash": 15_000 }] });
    assert_eq!(evening.at("actions", cash).await.status, 200);
    assert_eq!(evening.purse().await["chips"], json!(0));
    // Taking the order back gives the money back.
    assert_eq!(evening.at("undo", json!({})).await.status, 200);
    assert_eq!(evening.purse().await["chips"], json!(15_000));
    let seen = evening.here.get("/tables/live", &evening.pam).await.json();
    assert_eq!(seen["seats"][0]["brought"], json!(35_000), "the cash that came with the bet went back");
    let left = evening.here.ask("DELETE", "/tables/live/seats/1", &evening.pam, None).await;
    assert_eq!(left.status, 200, "{}", left.body);
    let purse = evening.purse().await;
    assert_eq!(purse["chips"], json!(50_000));
    let moved: Vec<i64> =
        purse["movements"].as_array().unwrap().iter().map(|moved| moved["chips"].as_i64().unwrap()).collect();
    assert_eq!(moved, [35_000, 15_000, -15_000, -5_000, -30_000, 50_000]);
    // The cashier buys the chips back, and no more than there are.
    refused(&evening.fund(json!({ "chips": -50_001, "note": "cash" })).await);
    assert_eq!(evening.fund(json!({ "chips": -50_000, "note": "cash" })).await.status, 200);
    assert_eq!(evening.audited().await.findings, []);
    evening.here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coupon_is_the_cashiers_to_give_and_is_used_once() {
    let evening = Evening::new(&[("live", Crew::Automatic)]).await;
    evening.fund(json!({ "chips": 500_000, "note": "cash" })).await;
    assert_eq!(evening.at("seats", json!({ "buy_in": 500_000 })).await.status, 200);
    let bet = |coupon: i64| json!({ "bets": [{ "bet": "P", "amount": 5_000, "coupon": coupon }] });
    assert!(refused(&evening.at("actions", bet(2_500)).await).starts_with("There is no coupon of $25"));
    assert_eq!(evening.fund(json!({ "coupon": 2_500, "note": "birthday" })).await.status, 200);
    refused(&evening.at("actions", bet(5_000)).await);
    assert_eq!(evening.at("actions", bet(2_500)).await.status, 200);
    assert_eq!(evening.purse().await["coupons"], json!([]));
    assert_eq!(evening.at("undo", json!({})).await.status, 200);
    assert_eq!(evening.purse().await["coupons"], json!([{ "value": 2_500, "count": 1 }]));
    assert_eq!(evening.at("redo", json!({})).await.status, 200);
    // A second coupon doesn't go on the same bet.
    evening.fund(json!({ "coupon": 2_500, "note": "again" })).await;
    assert!(refused(&evening.at("actions", bet(2_500)).await).contains("a coupon on this bet already"));
    // The bet is decided, and the coupon is gone.
    for _ in 0..200 {
        let _ = evening.at("actions", json!({ "bets": [{ "bet": "P", "amount": 1_000 }] })).await;
        evening.at("roll", json!({})).await;
    }
    assert_eq!(evening.purse().await["coupons"], json!([{ "value": 2_500, "count": 1 }]));
    evening.fund(json!({ "coupon": -2_500, "note": "expired" })).await;
    refused(&evening.fund(json!({ "coupon": -2_500, "note": "expired" })).await);
    assert_eq!(evening.audited().await.findings, []);
    evening.here.stop().await;
}

/// The simulation found it: each node has its own clock, and a purse has one log.
#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_purse_never_goes_back() {
    let evening = Evening::new(&[("live", Crew::Automatic)]).await;
    let (store, who) = (evening.here.app.store(), format!("a:{}", evening.account));
    let ahead = now() + HOUR;
    let cash = |chips| Moved::Cash { chips: Money::from_minor(chips), note: "cash".to_owned() };
    purse::change(store, &who, "a:cashier", &cash(50_000), None, ahead).await.unwrap();
    purse::change(store, &who, "a:cashier", &cash(1_000), None, ahead - 5_000).await.unwrap();
    assert_eq!(evening.at("seats", json!({ "buy_in": 30_000 })).await.status, 200);
    let rows = store.load(&format!("@purse:{who}"), 0, 10).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.at).collect::<Vec<_>>(), [ahead; 3]);
    evening.here.stop().await;
}

/// However many requests arrive at once, and at however many tables, a purse gives each chip once.
#[tokio::test(flavor = "multi_thread")]
async fn no_chip_is_bought_twice() {
    let tables: Vec<String> = (0..6).map(|number| format!("t{number}")).collect();
    let open: Vec<(&str, Crew)> = tables.iter().map(|table| (table.as_str(), Crew::Automatic)).collect();
    let evening = Arc::new(Evening::new(&open).await);
    evening.fund(json!({ "chips": 100_000, "note": "cash" })).await;
    let mut tasks = tokio::task::JoinSet::new();
    for table in tables.clone() {
        let evening = Arc::clone(&evening);
        tasks.spawn(async move {
            let mut bought = 0;
            let seats = format!("/tables/{table}/seats");
            if evening.here.post(&seats, &evening.pam, &json!({ "buy_in": 7_000 })).await.status == 200 {
                bought += 7_000;
            }
            for _ in 0..5 {
                let more = format!("/tables/{table}/buy-in");
                if evening.here.post(&more, &evening.pam, &json!({ "amount": 7_000 })).await.status == 200 {
                    bought += 7_000;
                }
            }
            bought
        });
    }
    let bought: i64 = tasks.join_all().await.iter().sum();
    assert_eq!(bought, 98_000, "14 times 70.00");
    assert_eq!(evening.purse().await["chips"], json!(2_000));
    assert_eq!(evening.audited().await.findings, []);
    Arc::into_inner(evening).unwrap().here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_staff_hands_out_chips_at_its_table() {
    let evening = Evening::new(&[("live", Crew::People)]).await;
    let dee = evening.here.account("Dee").await;
    for role in [Role::Dealer, Role::Boxperson] {
        evening.here.grant(&dee, role, None).await;
    }
    let dealer = evening.here.session(&dee, HOUR).await;
    let open = json!({ "act": "open-table", "dice": 5, "as": "boxperson" });
    let opened = evening.here.post("/tables/live/procedure", &dealer, &open).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    // She sits down with no chips and asks for some. The dealer takes the cash.
    assert_eq!(evening.at("seats", json!({ "buy_in": 20_000 })).await.status, 200);
    let sold = json!({ "agrees": true, "as": "dealer" });
    let sold = evening.here.post("/tables/live/requests/1", &dealer, &sold).await;
    assert_eq!(sold.status, 200, "{}", sold.body);
    assert_eq!(evening.purse().await["chips"], json!(0));
    // A player whom the dealer seats has chips from the dealer.
    let seats = json!({ "as": "dealer", "seat": 2, "name": "Cy", "buy_in": 30_000 });
    assert_eq!(evening.here.post("/tables/live/seats", &dealer, &seats).await.status, 200);
    let rows = evening.rows().await;
    let funds: Vec<Value> =
        rows.iter().filter_map(|row| serde_json::from_str::<Value>(&row.body).unwrap().get("funds").cloned()).collect();
    assert_eq!(funds.iter().map(|funds| &funds["from"]).collect::<Vec<_>>(), ["staff", "staff"]);
    assert_eq!(audit(&rows).findings, []);
    evening.here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_a_cashier_changes_a_purse_and_no_cashier_their_own() {
    let evening = Evening::new(&[]).await;
    let admin = evening.here.account("Ada").await;
    evening.here.grant(&admin, Role::Admin, None).await;
    let admin = evening.here.session(&admin, HOUR).await;
    let (path, body) = (format!("/accounts/{}/purse", evening.account), json!({ "chips": 100, "note": "x" }));
    for who in [&evening.pam, &admin] {
        assert_eq!(evening.here.post(&path, who, &body).await.status, 403);
    }
    let cashiers = evening.here.get("/accounts", &evening.cashier).await.json();
    let own = cashiers.as_array().unwrap().iter().find(|account| account["name"] == "Cass").unwrap();
    let own = format!("/accounts/{}/purse", own["id"].as_str().unwrap());
    assert_eq!(evening.here.post(&own, &evening.cashier, &body).await.status, 403);
    for wrong in [
        json!({ "note": "x" }),
        json!({ "chips": 1, "coupon": 1, "note": "x" }),
        json!({ "chips": 0, "note": "x" }),
        json!({ "chips": 1, "note": " " }),
        json!({ "chips": 1_000_000_001, "note": "x" }),
        json!({ "chips": i64::MIN, "note": "x" }),
    ] {
        let reply = evening.fund(wrong.clone()).await;
        assert!([400, 422].contains(&reply.status), "{wrong}: {}", reply.body);
    }
    assert_eq!(evening.purse().await["chips"], json!(0));
    evening.here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_chips_have_a_limit() {
    let evening = Evening::new(&[]).await;
    evening.here.table("live", true, Crew::Automatic, DiceFrom::Secret).await;
    let most = PRACTICE_MOST.minor();
    assert!(refused(&evening.at("seats", json!({ "buy_in": most + 1 })).await).contains("practice chips"));
    assert_eq!(evening.at("seats", json!({ "buy_in": most - 5_000 })).await.status, 200);
    refused(&evening.at("buy-in", json!({ "amount": 5_001 })).await);
    assert_eq!(evening.at("buy-in", json!({ "amount": 5_000 })).await.status, 200);
    assert_eq!(evening.audited().await.findings, []);
    evening.here.stop().await;
}

/// Every change of a source, of an amount or of a purse is found by the audit.
#[tokio::test(flavor = "multi_thread")]
async fn money_from_elsewhere_is_found() {
    let evening = Evening::new(&[("live", Crew::Automatic)]).await;
    evening.fund(json!({ "chips": 50_000, "note": "cash" })).await;
    evening.fund(json!({ "coupon": 2_500, "note": "gift" })).await;
    evening.at("seats", json!({ "buy_in": 30_000 })).await;
    evening.at("actions", json!({ "bets": [{ "bet": "P", "amount": 5_000, "coupon": 2_500 }] })).await;
    let rows = evening.rows().await;
    assert_eq!(audit(&rows).findings, []);
    let forged = |from: &str, to: &str| -> Vec<Row> {
        let forge = |row: &Row| Row { body: row.body.replace(from, to), ..row.clone() };
        let forged: Vec<Row> = rows.iter().map(forge).collect();
        assert_ne!(forged, rows, "{from}");
        forged
    };
    for (from, to) in [
        (r#""funds":{"seat":1,"from":{"purse":"#, r#""funds":{"seat":1,"from":"staff","x":{"purse":"#),
        (r#""chips":30000"#, r#""chips":20000"#),
        (r#""chips":-30000"#, r#""chips":-20000"#),
        (r#""left":{"chips":20000"#, r#""left":{"chips":90000"#),
        (r#""coupons":[2500]"#, r#""coupons":[]"#),
        (r#""used":[2500]"#, r#""used":[]"#),
        (r#""row":3"#, r#""row":7"#),
    ] {
        assert!(!audit(&forged(from, to)).findings.is_empty(), "{from} became {to}");
    }
    // Rows of a purse or of a table that are left out.
    for gone in 0..rows.len() {
        let less: Vec<Row> =
            rows.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, row)| row.clone()).collect();
        let moves = rows[gone].body.contains("\"funds\"") || rows[gone].body.contains("\"table\":\"live\"");
        if moves {
            let found = audit(&less).findings;
            assert!(!found.is_empty(), "without {}", rows[gone].body);
        }
    }
    let none = |row: &Row| {
        let mut body: Value = serde_json::from_str(&row.body).unwrap();
        if let Some(fields) = body.as_object_mut() {
            fields.remove("funds");
        }
        Row { body: body.to_string(), ..row.clone() }
    };
    let found = audit(&rows.iter().map(none).collect::<Vec<_>>()).findings;
    assert!(found.iter().any(|finding| matches!(finding.what, Wrong::NoSource { .. })), "{found:?}");
    evening.here.stop().await;
}

/// What goes out belongs to the player, also if the staff makes it go out.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_staff_takes_from_a_rail_goes_to_the_purse() {
    let evening = Evening::new(&[("live", Crew::Automatic)]).await;
    let dee = evening.here.account("Dee").await;
    evening.here.grant(&dee, Role::Dealer, None).await;
    let dealer = evening.here.session(&dee, HOUR).await;
    evening.fund(json!({ "chips": 50_000, "note": "cash" })).await;
    evening.fund(json!({ "coupon": 2_500, "note": "gift" })).await;
    let bet = json!({ "bets": [{ "bet": "P", "amount": 5_000, "coupon": 2_500 }] });
    let coupons = json!([{ "value": 2_500, "count": 1 }]);
    // The dealer undoes the order with the coupon.
    assert_eq!(evening.at("seats", json!({ "buy_in": 30_000 })).await.status, 200);
    assert_eq!(evening.at("actions", bet.clone()).await.status, 200);
    let undo = evening.here.post("/tables/live/undo", &dealer, &json!({ "as": "dealer", "seat": 1 })).await;
    assert_eq!(undo.status, 200, "{}", undo.body);
    assert_eq!(evening.purse().await["coupons"], coupons);
    // The dealer takes the bet down.
    assert_eq!(evening.at("actions", bet).await.status, 200);
    let down = json!({ "as": "dealer", "seat": 1, "bets": [{ "bet": "P", "op": "down" }] });
    let down = evening.here.post("/tables/live/actions", &dealer, &down).await;
    assert_eq!(down.status, 200, "{}", down.body);
    assert_eq!(evening.purse().await["coupons"], coupons);
    // The dealer sends the player away.
    let left = evening.here.ask("DELETE", "/tables/live/seats/1?as=dealer", &dealer, None).await;
    assert_eq!(left.status, 200, "{}", left.body);
    let purse = evening.purse().await;
    assert_eq!((&purse["chips"], &purse["coupons"]), (&json!(50_000), &coupons));
    assert_eq!(evening.audited().await.findings, []);
    evening.here.stop().await;
}

/// A cashier who doesn't know whether a sale was stored sends it again with the same key.
#[tokio::test(flavor = "multi_thread")]
async fn a_sale_with_a_key_is_made_once() {
    let evening = Evening::new(&[]).await;
    let sale = json!({ "id": "s1", "chips": 50_000, "note": "cash" });
    let first = evening.fund(sale.clone()).await;
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(evening.fund(json!({ "id": "s2", "chips": -50_000, "note": "cash" })).await.status, 200);
    // The answers are those of the first time, also when the purse has nothing left.
    assert_eq!(evening.fund(sale).await.json(), first.json());
    assert_eq!(evening.fund(json!({ "id": "s2", "chips": -50_000, "note": "cash" })).await.status, 200);
    assert_eq!(evening.purse().await["chips"], json!(0));
    // In the header it is the same key. Another sale needs another one.
    let path = format!("/accounts/{}/purse", evening.account);
    for (body, status) in
        [(json!({ "chips": 50_000, "note": "cash" }), 200), (json!({ "chips": 1, "note": "cash" }), 422)]
    {
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "s1")];
        let text = body.to_string();
        let reply = evening.here.send("POST", &path, &evening.cashier, &headers, text.as_bytes()).await;
        assert_eq!(reply.status, status, "{}", reply.body);
        assert_eq!(status == 422, reply.json()["code"] == "key-used", "{}", reply.body);
    }
    // Many at once are one.
    let evening = Arc::new(evening);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let evening = Arc::clone(&evening);
        tasks.spawn(async move { evening.fund(json!({ "id": "s3", "coupon": 500, "note": "gift" })).await.status });
    }
    assert_eq!(tasks.join_all().await, [200; 20]);
    assert_eq!(evening.purse().await["coupons"], json!([{ "value": 500, "count": 1 }]));
    assert_eq!(evening.audited().await.findings, []);
    Arc::into_inner(evening).unwrap().here.stop().await;
}

/// Every movement has two sides: over the house, the promotions, the purses and the tables, nothing is left.
#[tokio::test(flavor = "multi_thread")]
async fn all_accounts_together_are_zero() {
    let evening = Evening::new(&[("live", Crew::Automatic), ("dealt", Crew::People)]).await;
    let dee = evening.here.account("Dee").await;
    for role in [Role::Dealer, Role::Boxperson] {
        evening.here.grant(&dee, role, None).await;
    }
    let dealer = evening.here.session(&dee, HOUR).await;
    evening.fund(json!({ "chips": 50_000, "note": "cash" })).await;
    evening.fund(json!({ "chips": -5_000, "note": "cash" })).await;
    evening.fund(json!({ "coupon": 2_500, "note": "gift" })).await;
    evening.fund(json!({ "coupon": 1_000, "note": "gift" })).await;
    evening.fund(json!({ "coupon": -1_000, "note": "expired" })).await;
    evening.at("seats", json!({ "buy_in": 30_000 })).await;
    evening.at("actions", json!({ "bets": [{ "bet": "P", "amount": 5_000, "coupon": 2_500 }] })).await;
    evening.at("roll", json!({})).await;
    let open = json!({ "act": "open-table", "dice": 5, "as": "boxperson" });
    assert_eq!(evening.here.post("/tables/dealt/procedure", &dealer, &open).await.status, 200);
    let seats = json!({ "as": "dealer", "seat": 2, "name": "Cy", "buy_in": 7_000 });
    assert_eq!(evening.here.post("/tables/dealt/seats", &dealer, &seats).await.status, 200);
    let rows = evening.rows().await;
    let audited = audit(&rows);
    assert_eq!(audited.findings, []);
    let sides = |cashiers, staff, purses, tables| Sides { cashiers, staff, purses, tables };
    assert_eq!(audited.totals.chips, sides(-45_000, -7_000, 15_000, 37_000));
    assert_eq!(audited.totals.coupons, sides(-2_500, 0, 0, 2_500));
    assert_eq!((audited.totals.chips.sum(), audited.totals.coupons.sum()), (0, 0));
    // A row of the house or of the promotions that is missing or changed is found.
    for log in ["@house", "@promotions"] {
        let of_log: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].table == log).collect();
        assert!(of_log.len() >= 2, "{log}");
        for gone in of_log {
            let less: Vec<Row> =
                rows.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, row)| row.clone()).collect();
            assert!(!audit(&less).findings.is_empty(), "without {}", rows[gone].body);
        }
    }
    for (log, from, to) in [
        ("@house", r#""out":{"chips":45000"#, r#""out":{"chips":50000"#),
        ("@house", r#""cash":{"chips":50000"#, r#""cash":{"chips":60000"#),
        ("@house", r#""row":1"#, r#""row":2"#),
        ("@promotions", r#""value":2500"#, r#""value":2600"#),
    ] {
        let forge = |row: &Row| match row.table == log {
            true => Row { body: row.body.replace(from, to), ..row.clone() },
            false => row.clone(),
        };
        let forged: Vec<Row> = rows.iter().map(forge).collect();
        assert_ne!(forged, rows, "{from}");
        assert!(!audit(&forged).findings.is_empty(), "{from} became {to}");
    }
    // Without any purse, the tables claim what nobody has.
    let trail = evening.here.app.store().load(craps_store::TRAIL, 0, 1).await.unwrap();
    let none: Vec<Row> = rows.iter().filter(|row| !row.table.starts_with('@')).cloned().chain(trail).collect();
    assert!(audit(&none).findings.iter().any(|finding| matches!(finding.what, Wrong::NoSource { .. })));
    evening.here.stop().await;
}

/// A row of a purse pays for one row of one table.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_of_a_purse_is_used_once() {
    let evening = Evening::new(&[("also", Crew::Automatic), ("live", Crew::Automatic)]).await;
    evening.fund(json!({ "chips": 60_000, "note": "cash" })).await;
    evening.at("seats", json!({ "buy_in": 30_000 })).await;
    let also = evening.here.post("/tables/also/seats", &evening.pam, &json!({ "buy_in": 30_000 })).await;
    assert_eq!(also.status, 200, "{}", also.body);
    let rows = evening.rows().await;
    assert_eq!(audit(&rows).findings, []);
    // The other table claims the row of the first one, and its own row isn't there.
    let forge = |row: &Row| match row.table == "also" {
        true => Row { body: row.body.replace(r#","row":3"#, r#","row":2"#), ..row.clone() },
        false => row.clone(),
    };
    let forged: Vec<Row> =
        rows.iter().filter(|row| !(row.table.starts_with("@purse") && row.seq == 3)).map(forge).collect();
    assert_eq!(forged.len() + 1, rows.len());
    let found = audit(&forged).findings;
    let twice = |finding: &Finding| matches!(&finding.what, Wrong::NoSource { why } if why.starts_with("used twice"));
    assert!(found.iter().any(twice), "{found:?}");
    evening.here.stop().await;
}

/// A table doesn't close over the chips in its rails.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_with_chips_in_its_rails_stays_open() {
    let evening = Evening::new(&[]).await;
    let house = HouseRules::practice(LIBRARY.book("nj").unwrap()).unwrap();
    let opening = Opening {
        name: "live".to_owned(),
        rules: RulesTag::of(&house),
        house: house.tag(),
        game: None,
        crew: Crew::Automatic,
        dice: DiceFrom::Secret,
        practice: false,
        private: true,
        chat: false,
        window: None,
        asks: false,
        funded: true,
        witness: None,
        slots: Vec::new(),
    };
    let owner = By::person(format!("a:{}", evening.account), Actor::staff(craps_table::Role::Floor));
    let pit = &evening.here.app.pit;
    pit.open("live", opening, owner, now()).await.unwrap();
    evening.fund(json!({ "chips": 50_000, "note": "cash" })).await;
    assert_eq!(evening.at("seats", json!({ "buy_in": 30_000 })).await.status, 200);
    let (mut known, at, none) = (Empty::default(), now(), Vec::<String>::new());
    for hours in 0..3 {
        assert_eq!(pit.close_empty(&mut known, 60, at + hours * HOUR).await.unwrap(), none, "after {hours} hours");
    }
    assert_eq!(evening.here.ask("DELETE", "/tables/live/seats/1", &evening.pam, None).await.status, 200);
    assert_eq!(evening.purse().await["chips"], json!(50_000));
    pit.close_empty(&mut known, 60, at + 3 * HOUR).await.unwrap();
    assert_eq!(pit.close_empty(&mut known, 60, at + 5 * HOUR).await.unwrap(), ["live"]);
    assert_eq!(evening.audited().await.findings, []);
    evening.here.stop().await;
}
