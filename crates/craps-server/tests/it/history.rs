//! A player's own history over HTTP: who can read it, its pages, and its sums.

use crate::house::{Client, House};
use craps_server::live::DiceFrom;
use craps_table::Crew;
use serde_json::{Value, json};

/// Rolls until the hand is over, with a pass line bet whenever one can be made.
async fn hand(who: &Client, table: &str) {
    loop {
        let _ = who.post(&format!("/tables/{table}/actions"), json!({ "say": "pass 10" })).await;
        let rolled = who.does(&format!("/tables/{table}/roll"), json!({})).await;
        if rolled["rows"].as_array().unwrap().iter().any(|row| row["roll"]["mark"] == "%") {
            return;
        }
    }
}

fn sum(hands: &[Value], field: &str) -> i64 {
    hands.iter().map(|hand| hand[field].as_i64().unwrap()).sum()
}

#[tokio::test]
async fn everybody_reads_their_own_hands_and_nobody_elses() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    ann.does("/tables", json!({ "table": "mine", "name": "Mine", "house": { "book": "nj" } })).await;
    ann.sits("Ann", 1).await;
    ann.does("/tables/mine/seats", json!({ "name": "Ann", "buy_in": 90_000 })).await;
    for table in ["t", "mine", "t", "mine", "mine"] {
        hand(&ann, table).await;
    }
    let history = ann.sees("/me/history").await;
    assert_eq!((&history["count"], &history["complete"], &history["more"]), (&json!(5), &json!(true), &json!(false)));
    let hands = history["hands"].as_array().unwrap();
    let told: Vec<(&str, u64, &str)> = hands
        .iter()
        .map(|hand| (hand["table"].as_str().unwrap(), hand["hand"].as_u64().unwrap(), hand["book"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("mine", 3, "nj"), ("mine", 2, "nj"), ("t", 2, "pa"), ("mine", 1, "nj"), ("t", 1, "pa")]);
    assert_eq!((&hands[0]["n"], &hands[4]["n"], &hands[0]["practice"]), (&json!(5), &json!(1), &json!(true)));
    assert!(hands[0]["from"].as_i64().unwrap() >= hands[1]["until"].as_i64().unwrap());

    // The net result equals the change of chips, and each line bet has an expected cost of 7/495.
    let rail = async |table: &str| ann.sees(&format!("/tables/{table}")).await["seats"][0]["rail"].as_i64().unwrap();
    assert_eq!(sum(hands, "net"), rail("t").await + rail("mine").await - 140_000);
    let bets = sum(hands, "staked") / 1_000;
    let shared = |bets: i64| {
        let whole = bets * 1_400;
        let divisor = (1..=99).rev().find(|divisor| whole % divisor == 0 && 99 % divisor == 0).unwrap();
        if divisor == 99 { format!("-{}", whole / 99) } else { format!("-{}/{}", whole / divisor, 99 / divisor) }
    };
    assert_eq!(history["total"]["expected"], shared(bets).as_str(), "{bets} bets");
    let rounded = history["total"]["expected_rounded"].as_i64().unwrap();
    assert!((rounded * 99 + bets * 1_400).abs() * 2 <= 99, "{rounded}");
    // The luck line adds up, starting with the oldest hand.
    let mut net = 0;
    for hand in hands.iter().rev() {
        net += hand["net"].as_i64().unwrap();
        assert_eq!(hand["sum"]["net"], net);
    }
    assert_eq!(hands[0]["sum"], history["total"]);

    // Replay one hand.
    let text = ann.sees("/tables/mine/cgn?hand=3").await;
    let replay = ann.does("/replay", json!({ "text": text })).await;
    assert_eq!(replay["end"]["seats"][0]["net"], hands[0]["net"]);
    assert_eq!(replay["steps"].as_array().unwrap().len() as u64, hands[0]["rolls"].as_u64().unwrap());

    // Other people don't see it.
    assert_eq!(bo.sees("/me/history").await["hands"], json!([]));
    assert_eq!(house.staff("Audrey", &["auditor", "admin"]).await.sees("/me/history").await["count"], 0);
    assert_eq!(house.anybody().get("/me/history").await.0, 401);

    // Read it page by page.
    let page = ann.sees("/me/history?limit=2").await;
    assert_eq!((page["hands"].as_array().unwrap().as_slice(), &page["more"]), (&hands[..2], &json!(true)));
    let page = ann.sees("/me/history?limit=2&before=4").await;
    assert_eq!((page["hands"].as_array().unwrap().as_slice(), &page["more"]), (&hands[2..4], &json!(true)));
    let page = ann.sees("/me/history?before=2").await;
    assert_eq!((page["hands"].as_array().unwrap().as_slice(), &page["more"]), (&hands[4..], &json!(false)));
    assert_eq!(ann.sees("/me/history?before=1").await["hands"], json!([]));
    assert_eq!(ann.sees("/me/history?before=99").await["hands"], history["hands"]);
    for query in ["before=-1", "limit=x", "who=g:1", "limit="] {
        assert_eq!(ann.get(&format!("/me/history?{query}")).await.0, 400, "{query}");
    }

    // New hands are added.
    hand(&ann, "t").await;
    let more = ann.sees("/me/history").await;
    assert_eq!((&more["count"], &more["hands"][0]["hand"]), (&json!(6), &json!(3)));
    assert_eq!(more["hands"].as_array().unwrap()[1..], hands[..]);
}

/// Bets belong to the player who sat there at the time, also after somebody else has taken the seat.
#[tokio::test]
async fn a_seat_belongs_to_the_person_in_it() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    ann.sits("Ann", 1).await;
    hand(&ann, "t").await;
    assert_eq!(ann.delete("/tables/t/seats/1").await.0, 200);
    bo.sits("Bo", 1).await;
    hand(&bo, "t").await;
    hand(&bo, "t").await;
    let numbers = async |who: &Client| -> Vec<u64> {
        who.sees("/me/history").await["hands"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hand| hand["hand"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(numbers(&ann).await, [1]);
    assert_eq!(numbers(&bo).await, [3, 2]);
    ann.sits("Ann", 2).await;
    let _ = ann.post("/tables/t/actions", json!({ "say": "pass 10" })).await;
    assert_eq!(numbers(&ann).await, [1], "a bet counts once the dice are rolled");
    // Now she is the shooter.
    hand(&ann, "t").await;
    assert_eq!(numbers(&ann).await, [4, 1]);
}
