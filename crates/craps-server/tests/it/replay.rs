//! Replays over HTTP: the example hand of the notation, the same dice under another law, positions, and games of live tables.

use crate::house::{Client, House, LIBRARY};
use axum::body::{Body, to_bytes};
use axum::http::Request;
use craps_notation::{Names, play, read};
use craps_server::live::DiceFrom;
use craps_table::Crew;
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// A hand that uses most of the notation.
const HAND: &str = r#"[CGN "1"]
[Rules "pa as-of 2023-10-01"]
[House "odds.k=3-4-5; limits.min=5; limits.max=5000; chip=1"]
[Table "Practice 7"]  [Date "2026-11-15T19:04:00Z"]  [Unit "USD 1"]
[Seats "1 Ann 500; 3 Bo 300"]
[Dice "rng commit=9f2c41d0"]
# shooter 1
1. 1:P+10 3:DP+10               | 4-2^ |
2. 1:PO+50 1:C+10 3:DPO+60      | 5-3  | 1:C>8
3. 1:C8O+50 1:PL5+10 1:H8+5?    | 3-2  | 1:PL5=w14
{before the fourth}
4. 1:F+5                        | 4-4  | 1:C8=w10 1:C8O=w60 1:H8=w45 1:F=l5
5. 3:H6+5                       | 3-3* | 1:P=w10 1:PO=w60 3:DP=l10 3:DPO=l60 3:H6=w45
6. 1:P+10 1:H8-5 3:H6-5         | 6-1+ | 1:P=w10                {place 5 is off}
7. 1:P+10 3:DP+10               | 5-4^ |
8. 1:PO+40                      | 5-2% | 1:P=l10 1:PO=l40 1:PL5=l10 3:DP=w10
# end 1:644 3:285
"#;

async fn replayed(text: &str) -> Value {
    let house = House::open().await;
    house.anybody().does("/replay", json!({ "text": text })).await
}

/// Applies the changes of all steps and returns the bets before each roll, as `seat:bet` and amount.
fn felts(replay: &Value) -> Vec<Vec<(String, i64)>> {
    let mut felt = std::collections::BTreeMap::new();
    let mut all = Vec::new();
    for step in replay["steps"].as_array().unwrap() {
        for change in step["felt"].as_array().into_iter().flatten() {
            let key = format!("{}:{}", change["seat"], change["bet"].as_str().unwrap());
            match change["stake"].as_i64().unwrap() {
                0 => assert!(felt.remove(&key).is_some(), "{key} was not there"),
                stake => drop(felt.insert(key, stake)),
            }
        }
        all.push(felt.clone().into_iter().collect());
    }
    all
}

#[tokio::test]
async fn a_game_is_told_roll_by_roll() {
    let replay = replayed(HAND).await;
    assert_eq!((&replay["titles"], &replay["game"]), (&json!([""]), &json!(1)));
    let header = &replay["header"];
    assert_eq!(header["rules"]["book"], "pa");
    assert_eq!(header["rules"]["keys"]["odds.k"], "3-4-5");
    assert_eq!((&header["table"], &header["unit"]), (&json!("Practice 7"), &json!("USD 1")));
    assert_eq!(header["seats"][1], json!({ "seat": 3, "name": "Bo", "rail": 30_000 }));
    assert_eq!(replay["differences"], json!([]));

    let steps = replay["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 8);
    let first = &steps[0];
    assert_eq!(
        (&first["roll"], &first["line"], &first["dice"], &first["mark"]),
        (&json!(1), &json!(8), &json!([4, 2]), &json!("^"))
    );
    assert_eq!(
        (&first["before"]["phase"], &first["after"]),
        (&json!("come-out"), &json!({ "phase": "point", "point": 6 }))
    );
    assert_eq!((&first["call"], &first["shooter"]["seat"]), (&json!("point is six, easy"), &json!(1)));
    let acts: Vec<(&str, &str)> = first["acts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| (act["code"].as_str().unwrap(), act["words"].as_str().unwrap()))
        .collect();
    assert_eq!(
        acts,
        [("# shooter 1", "take the dice"), ("1:P+10", "pass line for 10"), ("3:DP+10", "don't pass for 10")]
    );
    assert_eq!(
        first["rails"],
        json!([{ "seat": 1, "before": 49_000, "after": 49_000 }, { "seat": 3, "before": 29_000, "after": 29_000 }])
    );

    assert_eq!((&steps[2]["acts"][2]["doubtful"], &steps[2]["acts"][1]["doubtful"]), (&json!(true), &Value::Null));
    let fourth = &steps[3];
    assert_eq!(fourth["notes"], json!(["before the fourth"]));
    let result =
        |at: usize| (&fourth["results"][at]["bet"], &fourth["results"][at]["outcome"], &fourth["results"][at]["paid"]);
    assert_eq!(result(1), (&json!("C8O"), &json!("won"), &json!(6_000)));
    assert_eq!(result(3), (&json!("F"), &json!("lost"), &json!(-500)));
    assert_eq!(
        fourth["rails"],
        json!([{ "seat": 1, "before": 37_400, "after": 54_900 }]),
        "and seat 3 has what it had"
    );
    assert_eq!(replay["bets"]["C8O"]["behind"], "C8");
    assert_eq!((&replay["bets"]["C8O"]["number"], &replay["bets"]["F"]["number"]), (&json!(8), &Value::Null));

    // The position before roll 4 equals the felt string of the example.
    let before: Vec<(String, i64)> = [
        ("1:C8", 1_000),
        ("1:C8O", 5_000),
        ("1:F", 500),
        ("1:H8", 500),
        ("1:P", 1_000),
        ("1:PL5", 1_000),
        ("1:PO", 5_000),
        ("3:DP", 1_000),
        ("3:DPO", 6_000),
    ]
    .map(|(bet, stake)| (bet.to_owned(), stake))
    .to_vec();
    assert_eq!(felts(&replay)[3], before);
    // Place bets and hardways are off on the come-out roll, and the steps say so.
    let off: Vec<&Value> = steps[5]["felt"].as_array().unwrap().iter().filter(|change| change["off"] == true).collect();
    assert_eq!(off.iter().map(|change| change["bet"].as_str().unwrap()).collect::<Vec<_>>(), ["PL5"]);

    let end = &replay["end"];
    assert_eq!(end["line"], json!({ "phase": "come-out", "point": null }));
    assert_eq!(
        end["seats"],
        json!([{ "seat": 1, "rail": 64_400, "felt": 0, "net": 14_400 }, { "seat": 3, "rail": 28_500, "felt": 0, "net": -1_500 }])
    );
    assert!(end["felt"].as_array().unwrap().iter().all(|change| change["stake"] == 0), "{end}");
}

/// The changes of all steps add up to the bets at the table, for every example game of every book.
#[tokio::test]
async fn what_is_told_of_every_worked_game_adds_up() {
    let house = House::open().await;
    let (mut games, mut rolls) = (0, 0);
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks"));
    for book in std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path().join("vectors")) {
        for file in std::fs::read_dir(book).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            if text.contains("file:") {
                continue;
            }
            let played = play(&LIBRARY, &read(&text).unwrap(), Names::Codes, &craps_notation::no_house_files).unwrap();
            let played: Vec<_> = played.iter().filter(|game| game.rules.is_some()).collect();
            for (at, game) in played.iter().enumerate() {
                let replay = house.anybody().does("/replay", json!({ "text": text, "game": at + 1 })).await;
                let place = format!("{} {at}", file.display());
                assert_eq!(replay["titles"].as_array().unwrap().len(), played.len(), "{place}");
                assert_eq!(replay["differences"], json!([]), "{place}");
                let seats = replay["end"]["seats"].as_array().unwrap();
                let rail = |seat: &Value| {
                    let minor = seat["rail"].as_i64().unwrap();
                    let cents = if minor % 100 == 0 { String::new() } else { format!(".{:02}", minor % 100) };
                    format!("{}:{}{cents}", seat["seat"], minor / 100)
                };
                let end = game.filled.lines().find(|line| line.starts_with("# end")).unwrap();
                for written in end.split_whitespace().skip(2) {
                    assert!(seats.iter().any(|seat| rail(seat) == written), "{place}: {written} in {seats:?}");
                }
                let steps = replay["steps"].as_array().unwrap();
                for (step, results) in steps.iter().zip(game.settlements.values()) {
                    assert_eq!(step["results"].as_array().map_or(0, Vec::len), results.len(), "{place} {step}");
                }
                // The chips after each step follow from the step before.
                let mut known: std::collections::BTreeMap<u64, i64> = std::collections::BTreeMap::new();
                for step in steps {
                    for rail in step["rails"].as_array().into_iter().flatten() {
                        known.insert(rail["seat"].as_u64().unwrap(), rail["after"].as_i64().unwrap());
                    }
                }
                felts(&replay);
                games += 1;
                rolls += steps.len();
            }
        }
    }
    assert!(games > 100 && rolls > 500, "{games} games, {rolls} rolls");
}

#[tokio::test]
async fn refused_acts_and_throws_that_do_not_count_are_told_with_their_words() {
    let text = "[CGN \"1\"] [Rules \"nj as-of 2024-01-01\"] [Seats \"1 Ann 500\"]\n\
                1. 1:P+10 1:PL6+7!refused | 4-2^ |\n2. | NR(improper,box) |\n@seat 2 join Cy 200\n3. 2:DP+10!refused | 5-1 | 1:P=w11\n";
    let replay = replayed(text).await;
    let steps = replay["steps"].as_array().unwrap();
    let refused = &steps[0]["acts"][1];
    assert_eq!(
        (&refused["code"], refused["refused"]["cite"].as_str().unwrap().contains("NJ")),
        (&json!("1:PL6+7"), true)
    );
    assert_eq!(
        (&steps[1]["dice"], &steps[1]["no_roll"], &steps[1]["call"]),
        (&Value::Null, &json!("improper"), &json!("no roll: improper"))
    );
    assert_eq!(steps[2]["seats"], json!([{ "seat": 2, "name": "Cy" }]));
    assert_eq!(steps[2]["acts"][0]["words"], "Cy sits down with 200");
    // The text is wrong in two places.
    let found: Vec<(&Value, &Value)> =
        replay["differences"].as_array().unwrap().iter().map(|one| (&one["line"], &one["column"])).collect();
    assert_eq!(found, [(&json!(5), &json!(22)), (&json!(5), &json!(28))], "{}", replay["differences"]);
}

#[tokio::test]
async fn the_same_dice_come_out_otherwise_under_another_law() {
    let house = House::open().await;
    let other = json!({ "book": "co", "as_of": "2021-06-01" });
    let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [House \"odds.k=3-4-5\"] [Seats \"1 Ann 500\"]\n\
                1. 1:P+10 1:PL6+7!refused | 4-2 |\n2. 1:A7+5 1:PL5+10 | 3-2 |\n3. 1:PL8+6 | 5-2 |\n";
    let replay = house.anybody().does("/replay", json!({ "text": text, "other": other })).await;
    let steps = replay["steps"].as_array().unwrap();
    // Colorado accepts an amount that can't be paid exactly and rounds up.
    let act = &steps[0]["other"]["differences"][0];
    assert_eq!(
        (&act["act"], &act["here"]["is"], &act["there"]["is"]),
        (&json!("1:PL6+7"), &json!("refused"), &json!("done")),
        "{act}"
    );
    assert!(act["here"]["cite"].as_str().unwrap().starts_with("PA"), "{act}");
    let lost = steps[2]["other"]["differences"].as_array().unwrap();
    let six = lost.iter().find(|one| one["bet"] == "PL6").unwrap();
    assert_eq!(
        (&six["here"]["is"], &six["there"]),
        (
            &json!("refused"),
            &json!({
                "is": "decided", "outcome": "lost", "stake": 700, "paid": -700, "commission": 0, "cite": six["there"]["cite"],
            })
        ),
        "{six}"
    );
    assert!(six["there"]["cite"].as_str().unwrap().starts_with("CO"), "{six}");
    assert_eq!((&replay["other"]["rules"]["book"], &replay["other"]["rolls"]), (&json!("co"), &json!(2)));
    let nets = (&replay["end"]["seats"][0]["net"], &replay["other"]["seats"][0]["net"]);
    let (here, there) = (nets.0.as_i64().unwrap(), nets.1.as_i64().unwrap());
    assert_eq!(here - there, 700, "{nets:?}");

    // Crapless craps has no don't bets and every number can be the point, so even the line comes out differently.
    let text = "[CGN \"1\"] [Rules \"co as-of 2021-06-01\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 | 6-5 |\n2. 1:DP+10 1:P+10 | 4-2 |\n3. | 5-1 |\n";
    let replay = house.anybody().does("/replay", json!({ "text": text, "other": { "book": "co-crapless" } })).await;
    let steps = replay["steps"].as_array().unwrap();
    assert_eq!(steps[0]["other"]["line"], json!({ "phase": "point", "point": 11 }), "{}", steps[0]);
    assert_eq!(steps[0]["other"]["differences"][0]["there"]["is"], "stands");
    assert!(steps[1]["other"]["differences"].as_array().unwrap().iter().any(|one| one["there"]["is"] == "refused"));

    // The same law gives the same results.
    let same = house
        .anybody()
        .does("/replay", json!({ "text": HAND, "other": { "book": "pa", "as_of": "2023-10-01" } }))
        .await;
    assert_eq!(same["other"]["rolls"], 0);
    assert_eq!(same["other"]["seats"], same["end"]["seats"]);
}

#[tokio::test]
async fn what_cannot_be_played_again_is_said_with_its_place() {
    let house = House::open().await;
    let anybody = house.anybody();
    let asks = [
        (json!({ "text": "" }), 400, "line 1, column 1"),
        (json!({ "text": HAND.replace("4-4  |", "4-9  |") }), 400, "line 12, column 35"),
        (json!({ "text": HAND.replace("5. 3:H6+5", "9. 3:H6+5") }), 400, "line 13, column 1: expected roll 5, found 9"),
        (json!({ "text": HAND.replace("pa as-of", "zz as-of") }), 400, "line 2, column 1"),
        (json!({ "text": HAND.replace("odds.k=3-4-5", "odds.k=100") }), 422, "odds.k"),
        (json!({ "text": HAND.replace("odds.k=3-4-5", "odds.kk=100") }), 400, "line 3, column 1"),
        (
            json!({ "text": HAND.replace("[House \"", "[House \"file:x.toml") }),
            400,
            "the server doesn't read house files",
        ),
        (json!({ "text": HAND, "game": 2 }), 404, "there is no game 2 (number of games: 1)"),
        (json!({ "text": HAND, "game": 0 }), 404, "no game 0"),
        (json!({ "text": HAND, "other": { "book": "zz" } }), 404, "zz"),
        (json!({ "text": HAND, "other": { "book": "pa", "keys": { "odds.k": 100 } } }), 422, "odds.k"),
        (json!({ "text": HAND, "other": { "sample": "none" } }), 404, "none"),
        (json!({ "text": HAND, "others": 1 }), 422, "others"),
        (json!({}), 422, "text"),
        (
            json!({ "text": format!("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 A 9\"]\n{}", (1..=20_001).map(|roll| format!("{roll}. | NR\n")).collect::<String>()) }),
            413,
            "20001",
        ),
    ];
    for (body, status, words) in asks {
        let (found, problem) = anybody.post("/replay", body).await;
        assert_eq!(found, status, "{words}: {problem}");
        assert!(problem["message"].as_str().unwrap().contains(words), "{words}: {problem}");
    }
    let long = json!({ "text": "x".repeat(2 * 1024 * 1024) });
    assert_eq!(anybody.post("/replay", long.clone()).await.0, 413);
    assert_eq!(anybody.post("/why", long).await.0, 413);
    // Other bodies keep the smaller size limit.
    assert_eq!(anybody.post("/check", json!({ "text": "x".repeat(65 * 1024) })).await.0, 413);
}

/// `/why` accepts the same games as `/replay`, under either law.
#[tokio::test]
async fn every_result_of_a_replay_is_explained() {
    let house = House::open().await;
    let anybody = house.anybody();
    let replay = replayed(HAND).await;
    for step in replay["steps"].as_array().unwrap() {
        for result in step["results"].as_array().into_iter().flatten() {
            let roll = format!("{}.{}", step["roll"], result["n"]);
            let cards = anybody.does("/why", json!({ "text": HAND, "roll": roll })).await;
            let card = &cards["cards"][0];
            assert_eq!((&card["seat"], &card["bet"]), (&result["seat"], &result["bet"]));
            assert!(card["cite"].as_str().unwrap().starts_with("PA"), "{card}");
        }
    }
    let there = anybody.does("/why", json!({ "text": HAND, "roll": "3.1", "other": { "book": "co" } })).await;
    assert!(there["cards"][0]["cite"].as_str().unwrap().starts_with("CO"), "{there}");
    for (body, status) in [
        (json!({ "text": HAND, "roll": "9" }), 404),
        (json!({ "text": HAND, "roll": "3.2" }), 404),
        (json!({ "text": HAND, "roll": "3", "game": 2 }), 404),
        (json!({ "text": HAND, "roll": "three" }), 400),
    ] {
        assert_eq!(anybody.post("/why", body.clone()).await.0, status, "{body}");
    }
}

#[tokio::test]
async fn a_felt_string_is_a_position() {
    let house = House::open().await;
    let anybody = house.anybody();
    let felt = "f2_r4_pt6_s1_1.379.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5_3.230.DP~10.DPO~60";
    let at = json!({ "book": "pa", "keys": { "odds.k": "3-4-5" } });
    let position = anybody.does("/position", json!({ "felt": felt, "house": at })).await;
    assert_eq!(
        (&position["next_roll"], &position["phase"], &position["point"]),
        (&json!(4), &json!("point"), &json!(6))
    );
    assert_eq!((&position["shooter"]["seat"], &position["seats"][0]["rail"]), (&json!(1), &json!(37_900)));
    let codes: Vec<&str> =
        position["seats"][0]["bets"].as_array().unwrap().iter().map(|bet| bet["bet"].as_str().unwrap()).collect();
    assert_eq!(codes, ["P", "PO", "C8", "C8O", "PL5", "H8"]);
    assert_eq!(position["seats"][0]["bets"][3]["behind"], "C8");
    // The felt string before a roll includes the bets for that roll.
    let before = |roll: u32| json!({ "text": HAND, "roll": roll });
    let line = anybody.does("/felt", before(4)).await;
    assert_eq!(line["felt"], "f2_r4_pt6_s1_1.374.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5.F~5_3.230.DP~10.DPO~60");
    let again = anybody.does(
        "/position",
        json!({ "felt": line["felt"], "house": {
        "book": line["rules"]["book"], "as_of": line["rules"]["as_of"], "keys": line["rules"]["keys"] } }),
    );
    assert_eq!(again.await["seats"][0]["rail"], 37_400);
    let (status, problem) = anybody.post("/felt", before(9)).await;
    assert_eq!((status, &problem["message"]), (404, &json!("there is no roll 9")));
    let side = json!({ "book": "pa", "keys": { "offer": "fire" } });
    let markers = anybody.does("/position", json!({ "felt": "f2_r9_out_s1_1.5.FIRE~5_FIRE.4x9", "house": side })).await;
    assert_eq!(markers["markers"], json!([{ "wager": "fire", "lit": ["4", "9"] }]));
    for (felt, words) in [
        ("", "felt, column 1"),
        ("f2_r4_pt7_s1_1.379", "felt, column 7"),
        ("f2_r4_pt6_s1_1.379.XX~10", "felt, column 20: this table has no bet `XX`"),
        ("f2_r4_pt6_s1_1.379.PL6~7", "felt, column 20"),
    ] {
        let (status, problem) = anybody.post("/position", json!({ "felt": felt, "house": at })).await;
        assert_eq!(status, 400, "{problem}");
        assert!(problem["message"].as_str().unwrap().starts_with(words), "{problem}");
    }
    let unlawful = json!({ "book": "pa", "keys": { "odds.k": 100 } });
    assert_eq!(anybody.post("/position", json!({ "felt": felt, "house": unlawful })).await.0, 422);
}

/// Returns the dice of a roll in sorted order.
fn dice(roll: &Value) -> Vec<u64> {
    let mut dice: Vec<u64> = roll["dice"].as_array().unwrap().iter().map(|die| die.as_u64().unwrap()).collect();
    dice.sort_unstable();
    dice
}

/// Plays random commands with a seed: people join, leave, bet, undo and roll.
async fn played(people: &[Client], seed: u64, turns: usize) {
    let mut state = seed;
    let mut chance = move |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % count
    };
    let words = [
        "pass 10",
        "don't pass 5",
        "12 on the six",
        "place the five for 10",
        "field 5",
        "odds 10",
        "come 5",
        "hard eight 5",
        "take down my six",
        "take down my five",
        "lay the four 40",
        "take down the lay",
        "buy the four 20",
        "all small 5",
        "fire 5",
        "yo 5",
        "don't come 5",
        "place bets off",
        "place bets on",
    ];
    for turn in 0..turns {
        let at = chance(people.len());
        let who = &people[at];
        match chance(12) {
            0 => drop(who.post("/tables/t/seats", json!({ "name": format!("P{at}"), "buy_in": 20_000 })).await),
            1 => {
                // A player who leaves takes down all bets that can come down.
                let view = who.sees("/tables/t").await;
                let own = view["seats"].as_array().unwrap().iter().find(|seat| seat["own"] == true).cloned();
                if let Some(own) = own {
                    for bet in own["bets"].as_array().unwrap() {
                        let down = json!([{ "bet": bet["bet"], "amount": bet["stake"], "op": "down" }]);
                        let _ = who.post("/tables/t/actions", json!({ "bets": down })).await;
                    }
                    let _ = who.delete(&format!("/tables/t/seats/{}", own["seat"])).await;
                }
            }
            2 => drop(who.post("/tables/t/buy-in", json!({ "amount": 5_000 })).await),
            3 => drop(who.post("/tables/t/undo", json!({})).await),
            4 => drop(who.post("/tables/t/redo", json!({})).await),
            5 => drop(who.post("/tables/t/clear", json!({})).await),
            6 => drop(who.post("/tables/t/pass-dice", json!({})).await),
            _ => {
                let said = words[chance(words.len())];
                let _ = who.post("/tables/t/actions", json!({ "say": said })).await;
            }
        }
        if turn % 4 == 3 {
            for thrower in people {
                if thrower.post("/tables/t/roll", json!({})).await.0 == 200 {
                    break;
                }
            }
        }
    }
}

/// The game of a live table replays without differences, whole and hand by hand, and hides the buy-ins of other players.
#[tokio::test]
async fn the_game_of_a_live_table_is_played_again() {
    for seed in 1..=6 {
        let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
        let people = [house.guest().await, house.guest().await, house.guest().await];
        for (at, somebody) in people.iter().enumerate() {
            somebody.does("/tables/t/seats", json!({ "name": format!("P{at}"), "buy_in": 77_700 + 100 * at })).await;
        }
        played(&people, seed, 400).await;
        let auditor = house.staff("Audrey", &["auditor"]).await;
        let rolls = auditor.sees("/tables/t/rolls").await;
        let rolls = rolls["rolls"].as_array().unwrap();
        let view = auditor.sees("/tables/t").await;
        for reader in [&auditor, &people[0], &house.guest().await] {
            let text = reader.sees("/tables/t/cgn").await;
            let replay = reader.does("/replay", json!({ "text": text })).await;
            assert_eq!(replay["differences"], json!([]), "seed {seed}");
            let steps: Vec<&Value> =
                replay["steps"].as_array().unwrap().iter().filter(|step| !step["dice"].is_null()).collect();
            assert_eq!(steps.len(), rolls.len());
            for (step, roll) in steps.iter().zip(rolls) {
                assert_eq!(dice(step), dice(roll));
                assert_eq!(
                    step.get("results").unwrap_or(&json!([])),
                    &roll["results"],
                    "seed {seed}: the same results"
                );
                assert_eq!(step["call"], roll["call"]);
            }
        }
        // The auditor sees the chips of all players; players only see their own.
        let ends = |text: &Value| -> Vec<String> {
            let line = text.as_str().unwrap().lines().find(|line| line.starts_with("# end")).unwrap().to_owned();
            line.split_whitespace().skip(2).map(str::to_owned).collect()
        };
        let all = ends(&auditor.sees("/tables/t/cgn").await);
        for seat in view["seats"].as_array().unwrap() {
            let rail = seat["rail"].as_i64().unwrap();
            let written =
                if rail % 100 == 0 { format!("{}", rail / 100) } else { format!("{}.{:02}", rail / 100, rail % 100) };
            let written = format!("{}:{written}", seat["seat"]);
            // Acts since the last roll are in a comment. In that case the end line has the chips before them.
            let pending = auditor.sees("/tables/t/cgn").await.as_str().unwrap().contains("not yet rolled");
            assert!(pending || all.contains(&written), "seed {seed}: {written} in {all:?}");
        }
        for (at, reader) in people.iter().enumerate() {
            let text = reader.sees("/tables/t/cgn").await;
            let text = text.as_str().unwrap();
            for (other, _) in people.iter().enumerate() {
                let brought = format!("join P{other} {}", 777 + other);
                assert_eq!(text.contains(&brought), other == at, "seed {seed}: {at} reads of {other}");
            }
            assert!(text.contains("buy-ins of other players are hidden"));
        }

        // Replay hand by hand.
        let hands = auditor.sees("/tables/t/hands").await;
        let hands = hands["hands"].as_array().unwrap();
        assert!(hands.len() > 2, "seed {seed}: {} hands", hands.len());
        for hand in hands {
            for reader in [&auditor, &people[1]] {
                let (status, text) = reader.get(&format!("/tables/t/cgn?hand={}", hand["hand"])).await;
                assert_eq!(status, 200, "seed {seed} hand {}: {text}", hand["hand"]);
                let throws: Vec<Vec<u64>> = hand["throws"].as_array().unwrap().iter().map(dice).collect();
                let replay = reader.does("/replay", json!({ "text": text })).await;
                assert_eq!(replay["differences"], json!([]), "seed {seed}: {text}");
                let told: Vec<Vec<u64>> = replay["steps"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|step| !step["dice"].is_null())
                    .map(dice)
                    .collect();
                assert!(told.ends_with(&throws), "seed {seed} hand {}: {told:?} {throws:?}", hand["hand"]);
                let event = replay["header"]["event"].as_str().unwrap();
                let from =
                    event.split("from roll ").nth(1).map_or(1, |from| from.split(' ').next().unwrap().parse().unwrap());
                assert_eq!(told.len() - (from - 1), throws.len(), "seed {seed}: {event}");
            }
        }
        let (status, problem) = auditor.get(&format!("/tables/t/cgn?hand={}", hands.len() + 1)).await;
        assert_eq!(status, 404, "{problem}");
        assert_eq!(auditor.get("/tables/t/cgn?hand=0").await.0, 404);
        assert_eq!(auditor.get("/tables/t/cgn?hand=x").await.0, 400);
    }
}

/// A game of 2,000 rolls without a bet. Its replay is sent in several pieces.
fn long_game() -> String {
    let rolls: String = (1..=2_000).map(|roll| format!("{roll}. | 4-2 |\n")).collect();
    format!("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 A 9\"]\n{rolls}")
}

/// Each whole game takes memory while it is handled, so only a few are handled at once.
#[tokio::test]
async fn many_games_at_once_are_turned_away() {
    let house = House::open().await;
    let text = long_game();
    let replays = (0..32).map(|_| {
        let (anybody, body) = (house.anybody(), json!({ "text": text }));
        async move { anybody.post("/replay", body).await }
    });
    let answers = futures_util::future::join_all(replays).await;
    let busy = answers.iter().filter(|(status, answer)| *status == 503 && answer["code"] == "busy").count();
    let done = answers.len() - busy;
    assert!((4..=16).contains(&done), "{done} of 32 were handled");
    // Afterward there is room again.
    assert!(house.anybody().post("/replay", json!({ "text": text })).await.0 != 503);
}

#[tokio::test]
async fn a_long_replay_arrives_whole_when_it_is_compressed() {
    let house = House::open().await;
    let body = json!({ "text": long_game() });
    let request = Request::post("/replay").header("content-type", "application/json").header("accept-encoding", "gzip");
    let answer = house.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    assert_eq!((answer.status().as_u16(), &answer.headers()["content-encoding"]), (200, &"gzip".parse().unwrap()));
    let zipped = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    // The last four bytes are the length of the text.
    let length = u32::from_le_bytes(zipped[zipped.len() - 4..].try_into().unwrap());
    let plain = house.anybody().does("/replay", body).await;
    assert_eq!(length as usize, plain.to_string().len());
}
