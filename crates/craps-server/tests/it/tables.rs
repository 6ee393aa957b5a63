//! Tables over HTTP: a whole hand, who sees what, refusals with their sections, dice entered by people, and rulings.

use crate::house::{Client, House, opening};
use craps_server::live::DiceFrom;
use craps_table::Crew;
use serde_json::{Value, json};

#[tokio::test]
async fn a_table_with_a_clock_says_how_long_bets_are_open() {
    let house = House::open().await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    let open = |window: u32| json!({ "table": "t", "name": "Timed", "house": { "book": "pa" }, "window": window });
    let (status, problem) = ann.post("/tables", open(3)).await;
    assert_eq!((status, &problem["code"]), (422, &json!("invalid")));
    assert!(problem["message"].as_str().unwrap().starts_with("window: expected 5 to 300 seconds"), "{problem}");
    ann.does("/tables", open(90)).await;
    ann.sits("Ann", 3).await;
    bo.sits("Bo", 4).await;
    ann.does("/tables/t/window", json!({ "times": 2 })).await;
    bo.does("/tables/t/window", json!({ "ready": true })).await;
    let window = ann.sees("/tables/t").await["window"].clone();
    assert_eq!((&window["seconds"], &window["times"], &window["own"]), (&json!(90), &json!(2), &json!(2)));
    assert_eq!(bo.sees("/tables/t").await["window"]["ready"], true);
    let (status, _) = house.guest().await.post("/tables/t/window", json!({ "ready": true })).await;
    assert_eq!(status, 403);
}

#[tokio::test]
async fn a_draw_that_raises_prices_is_told_with_its_throw() {
    let house = House::open().await;
    let ann = house.guest().await;
    ann.does("/tables", json!({ "table": "t", "name": "Power", "house": { "sample": "pa-craps" } })).await;
    ann.sits("Ann", 3).await;
    for _ in 0..40 {
        let _ = ann.post("/tables/t/actions", json!({ "say": "pass 15" })).await;
        ann.does("/tables/t/roll", json!({})).await;
        let view = ann.sees("/tables/t").await;
        let last = view["rolls"].as_array().unwrap().last().unwrap().clone();
        let Some(raised) = last["raised"].get(0) else { continue };
        assert_eq!(raised["by"], "Power Odds");
        assert!(raised["cite"].as_str().unwrap().starts_with("PA 623b.5"), "{raised}");
        assert!(raised["pays"].as_str().unwrap().contains(" to 1"), "{raised}");
        let layout = ann.sees("/tables/t/layout").await;
        let bet = raised["bets"][0].as_str().unwrap();
        assert_eq!(layout["prices"][bet]["name"], raised["name"]);
        return;
    }
    panic!("no payout was raised in forty rolls");
}

#[tokio::test]
async fn a_player_who_practices_again_has_the_same_table() {
    let house = House::open().await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    let open = |name: &str| json!({ "name": name, "house": { "book": "nj" } });
    let table = |view: Value| view["table"].as_str().unwrap().to_owned();
    let first = table(ann.does("/tables", open("Mine")).await);
    ann.does(&format!("/tables/{first}/seats"), json!({ "seat": 3, "buy_in": 50_000 })).await;
    // While she is alone there or has left, she gets the same table.
    assert_eq!(table(ann.does("/tables", open("Mine")).await), first);
    let (status, left) = ann.delete(&format!("/tables/{first}/seats/3")).await;
    assert_eq!(status, 200, "{left}");
    assert_eq!(table(ann.does("/tables", open("Mine")).await), first);
    // With another name or house, for another guest, or with somebody else there, a new table opens.
    assert_ne!(table(ann.does("/tables", open("Other")).await), first);
    assert_ne!(table(bo.does("/tables", open("Mine")).await), first);
    bo.does(&format!("/tables/{first}/seats"), json!({ "buy_in": 50_000 })).await;
    assert_ne!(table(ann.does("/tables", open("Mine")).await), first);
}

#[tokio::test]
async fn a_guest_plays_a_whole_hand() {
    let house = House::open().await;
    let ann = house.guest().await;
    let body = json!({ "table": "t", "name": "Ann's", "house": { "book": "nj", "keys": { "limits.min": 5 } } });
    let opened = ann.does("/tables", body).await;
    assert_eq!((&opened["book"], &opened["phase"], &opened["seq"]), (&json!("nj"), &json!("come-out"), &json!(2)));
    assert_eq!(opened["hand"]["commitment"].as_str().unwrap().len(), 64);
    let lobby = ann.sees("/tables").await;
    assert_eq!((&lobby["tables"][0]["table"], &lobby["tables"][0]["players"]), (&json!("t"), &json!(0)));

    assert_eq!(lobby["tables"][0]["seat"], Value::Null);

    ann.sits("Ann", 3).await;
    assert_eq!(ann.sees("/tables").await["tables"][0]["seat"], 3);
    assert_eq!(house.guest().await.sees("/tables").await["tables"][0]["seat"], Value::Null);
    let answer = ann.says("pass 10").await;
    let brought = |of: &Value| of["seats"][0]["brought"].clone();
    assert_eq!(brought(&ann.sees("/tables/t").await), 50_000);
    assert_eq!(brought(&house.guest().await.sees("/tables/t").await), Value::Null);
    assert_eq!(answer["understood"], "pass line for 10");
    assert_eq!(answer["rows"][0]["happened"][0]["bet"]["bet"], "P");
    assert_eq!(answer["rows"][0]["rails"], json!([{ "seat": 3, "rail": 49_000 }]));
    let mut throws = 0;
    loop {
        throws += 1;
        assert!(throws < 500, "the hand must end");
        let _ = ann.post("/tables/t/actions", json!({ "bets": [{ "bet": "P", "amount": 1_000 }] })).await;
        let rolled = ann.does("/tables/t/roll", json!({})).await;
        let kinds: Vec<&str> =
            rolled["rows"].as_array().unwrap().iter().map(|row| row["did"].as_str().unwrap()).collect();
        assert_eq!(kinds[..2], ["closed", "thrown"]);
        let roll = &rolled["rows"][1]["roll"];
        assert_eq!(roll["roll"], throws);
        assert!(!roll["call"].as_str().unwrap().is_empty());
        if kinds.len() == 4 {
            assert_eq!(kinds[2..], ["revealed", "committed"]);
            assert_eq!(roll["mark"], "%");
            break;
        }
    }
    let rolls = ann.sees("/tables/t/rolls").await;
    assert_eq!(rolls["rolls"].as_array().unwrap().len(), throws);
    let last = &rolls["rolls"][throws - 1];
    let card = ann.sees(&format!("/tables/t/why/{}/1", last["roll"])).await;
    assert!(card["cite"].as_str().unwrap().contains("NJ"), "{card}");
    let hands = ann.sees("/tables/t/hands").await;
    assert_eq!(hands["hands"][0]["throws"].as_array().unwrap().len(), throws);
    assert_eq!(hands["hands"][0]["secret"].as_str().unwrap().len(), 64);
    assert_eq!(hands["hands"][1]["secret"], Value::Null);
    let game = ann.sees("/tables/t/cgn").await;
    assert!(game.as_str().unwrap().contains("@seat 3 join Ann 500"), "{game}");
    let (status, _) = ann.delete("/tables/t/seats/3").await;
    assert_eq!(status, 200);
    assert_eq!(ann.sees("/tables/t").await["seats"], json!([]));
}

#[tokio::test]
async fn what_is_on_a_rail_is_its_owners_and_the_staffs_business() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo, anybody) = (house.guest().await, house.guest().await, house.anybody());
    let auditor = house.staff("Audrey", &["auditor"]).await;
    ann.sits("Ann", 1).await;
    bo.sits("Bo", 2).await;
    ann.says("pass 10").await;
    let rails = |seen: &Value| [seen["seats"][0]["rail"].as_i64(), seen["seats"][1]["rail"].as_i64()];
    assert_eq!(rails(&ann.sees("/tables/t").await), [Some(49_000), None]);
    assert_eq!(rails(&bo.sees("/tables/t").await), [None, Some(50_000)]);
    assert_eq!(rails(&anybody.sees("/tables/t").await), [None, None]);
    assert_eq!(rails(&auditor.sees("/tables/t").await), [Some(49_000), Some(50_000)]);
    let felt = |text: Value| text.as_str().unwrap().to_owned();
    assert_eq!(felt(anybody.sees("/tables/t/felt").await), "f2_r1_out_s0_1.0.P~10_2.0");
    assert_eq!(felt(ann.sees("/tables/t/felt").await), "f2_r1_out_s0_1.490.P~10_2.0");
    assert_eq!(felt(auditor.sees("/tables/t/felt").await), "f2_r1_out_s0_1.490.P~10_2.500");
    // The log contains everything. The game only shows what the reader may know.
    assert_eq!(anybody.get("/tables/t/log").await.0, 401);
    assert_eq!(ann.get("/tables/t/log").await.0, 403);
    let log = auditor.sees("/tables/t/log").await;
    assert!(log["rows"][2]["body"].as_str().unwrap().contains("Ann"), "{log}");
    assert_eq!(log["rows"][2]["prev"], log["rows"][1]["hash"]);
    assert_eq!(anybody.get("/tables/t/cgn").await.0, 401);
    let joined = async |reader: &Client| {
        let game = reader.sees("/tables/t/cgn").await;
        let game = game.as_str().unwrap().to_owned();
        ["Ann", "Bo"].map(|name| game.contains(&format!("join {name} 500")))
    };
    assert_eq!(joined(&auditor).await, [true, true]);
    assert_eq!(joined(&ann).await, [true, false]);
    assert_eq!(joined(&house.guest().await).await, [false, false]);
}

#[tokio::test]
async fn nobody_acts_for_another() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo, anybody) = (house.guest().await, house.guest().await, house.anybody());
    ann.sits("Ann", 1).await;
    assert_eq!(anybody.post("/tables/t/seats", json!({ "buy_in": 100 })).await.0, 401);
    assert_eq!(bo.post("/tables/t/actions", json!({ "say": "pass 10" })).await.0, 403);
    bo.sits("Bo", 2).await;
    let (status, problem) = bo.post("/tables/t/actions", json!({ "seat": 1, "say": "pass 10" })).await;
    assert_eq!(status, 403, "{problem}");
    assert_eq!(bo.delete("/tables/t/seats/1").await.0, 403);
    for path in ["dice", "dice/confirm", "procedure", "rulings", "rulings/3"] {
        let body = match path {
            "procedure" => json!({ "act": "release" }),
            "rulings" => json!({ "seat": 2, "amount": 1, "reason": "why not" }),
            "rulings/3" => json!({ "agrees": true }),
            _ => json!({ "dice": [6, 6] }),
        };
        let (status, problem) = bo.post(&format!("/tables/t/{path}"), body).await;
        assert_eq!(status, 403, "{path}: {problem}");
    }
    // A player can only have one seat.
    let (status, problem) = ann.post("/tables/t/seats", json!({ "buy_in": 100 })).await;
    assert_eq!((status, &problem["code"]), (409, &json!("seated")));
}

#[tokio::test]
async fn a_refusal_says_by_which_section_and_what_would_do() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    ann.sits("Ann", 1).await;
    let (status, problem) = ann.post("/tables/t/actions", json!({ "bets": [{ "bet": "PL6", "amount": 700 }] })).await;
    assert_eq!((status, &problem["code"]), (422, &json!("refused")), "{problem}");
    assert!(problem["cite"].as_str().unwrap().starts_with("PA "), "{problem}");
    assert_eq!(problem["message"], "$7 on Place 6 can't be paid evenly. Bet $6 or $12.");
    let why = &problem["refusal"];
    assert_eq!((&why["ground"], &why["code"], &why["cite"]), (&json!("law"), &json!("not-payable"), &problem["cite"]));
    let twelve = json!({ "text": "Bet $12", "bet": "PL6", "amount": 1_200, "op": "bet", "say": "PL6 12" });
    assert_eq!(why["instead"][1], twelve, "{problem}");
    // An order is carried out as a whole or not at all.
    let both = json!({ "bets": [{ "bet": "F", "amount": 500 }, { "bet": "C8", "amount": 500 }] });
    assert_eq!(ann.post("/tables/t/actions", both).await.0, 422);
    assert_eq!(ann.sees("/tables/t").await["seats"][0]["bets"], json!([]));
    // The server asks about words it doesn't understand.
    let (status, problem) = ann.post("/tables/t/actions", json!({ "say": "12 on the sixx" })).await;
    assert_eq!((status, &problem["code"]), (422, &json!("ask-back")));
    assert_eq!(problem["suggestions"], json!(["12 on the six"]));
    let see = ann.says("what if seven").await;
    assert_eq!(see["see"], "/tables/t/outcomes?seat=1&thrown=seven");
    assert_eq!(ann.says("? hard 8").await["see"], "/tables/t/outcomes?seat=1&thrown=hard+eight");
    assert_eq!(ann.says("? exposure").await["see"], "/tables/t/outcomes?seat=1");
    for (body, words) in [
        (json!({ "bets": [{ "bet": "PL6", "amount": -600 }] }), "amount"),
        (json!({ "bets": [{ "bet": "PL6", "amount": 0 }] }), "amount"),
        (json!({ "bets": [{ "bet": "PL6", "amount": 6.5 }] }), "amount"),
        (json!({ "bets": [{ "bet": "PL6" }] }), "amount"),
        (json!({ "bets": [{ "bet": "NO", "amount": 5 }] }), "`NO`"),
        (json!({ "bets": [{ "bet": "F", "amount": 500, "late": ["dealer"] }] }), "late"),
        (json!({ "bets": [{ "bet": "F", "op": "on", "amount": 500 }] }), "amount"),
        (json!({ "bets": [{ "bet": "F", "op": "down" }] }), "take down"),
        (json!({ "bets": [], "say": null }), "bets"),
        (json!({ "bets": [{ "bet": "F", "amount": 500 }], "say": "yo 5" }), "both"),
        (json!({ "bests": [] }), "bests"),
    ] {
        let (status, problem) = ann.post("/tables/t/actions", body.clone()).await;
        assert!((400..500).contains(&status), "{body}: {status}");
        assert!(problem["message"].as_str().unwrap().contains(words), "{body}: {problem}");
    }
}

#[tokio::test]
async fn legal_moves_and_outcomes_agree_with_the_table() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    ann.sits("Ann", 1).await;
    ann.says("pass 10; field 5").await;
    let legal = ann.sees("/tables/t/legal").await;
    let of = |code: &str| legal["legal"].as_array().unwrap().iter().find(|one| one["bet"] == code).unwrap().clone();
    assert_eq!((&of("PL6")["open"], &of("PL6")["step"]), (&json!(true), &json!(600)));
    assert_eq!(of("PO")["open"], false);
    assert!(!of("PO")["cite"].as_str().unwrap().is_empty());
    // A closed bet says why: ground, code and what the table would accept instead.
    let refusal = &of("C")["refusal"];
    assert_eq!((&refusal["ground"], &refusal["code"]), (&json!("law"), &json!("window-closed")), "{refusal}");
    assert_eq!((&refusal["cite"], &refusal["instead"][0]["op"]), (&of("C")["cite"], &json!("wait")), "{refusal}");
    assert_eq!((&of("PL6")["refusal"], &of("PL6")["reason"]), (&json!(null), &json!(null)));
    assert_eq!(ann.sees("/tables/t").await["keys"]["limits.min"], "5");
    assert!(of("FIRE")["locked"].as_str().unwrap().contains("stays up until it wins or loses"), "{}", of("FIRE"));
    let outcomes = ann.sees("/tables/t/outcomes?seat=1").await;
    let cells = outcomes["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 36);
    let net = |dice: [u8; 2]| cells.iter().find(|cell| cell["dice"] == json!(dice)).unwrap()["net"].as_i64().unwrap();
    assert_eq!((net([3, 4]), net([4, 3]), net([5, 6])), (500, 500, 1_500));
    assert_eq!(net([2, 1]), -500, "the line loses, the field wins");
    assert!(outcomes["exposure"].as_array().unwrap().contains(&json!({ "thrown": "seven", "net": 500 })));
    // A question about some rolls gets only these. Rolls with different results are told one by one.
    let asked = async |thrown: &str| ann.sees(&format!("/tables/t/outcomes?seat=1&thrown={thrown}")).await;
    assert_eq!(asked("seven").await["exposure"], json!([{ "thrown": "seven", "net": 500 }]));
    assert_eq!(asked("hard+eight").await["exposure"], json!([{ "thrown": "hard eight", "net": -500 }]));
    ann.says("hop 2-2 5").await;
    let four = json!([{ "thrown": "1-3", "net": 0 }, { "thrown": "2-2", "net": 15_500 }]);
    assert_eq!(asked("4").await["exposure"], four);
    let (status, problem) = ann.get("/tables/t/outcomes?seat=1&thrown=fourteen").await;
    assert_eq!((status, &problem["code"]), (400, &json!("bad-request")), "{problem}");
    assert_eq!(house.anybody().get("/tables/t/legal").await.0, 400);
    assert_eq!(house.anybody().get("/tables/t/legal?seat=9").await.0, 404);
}

/// Dice rolled by people: the stickperson enters them, the boxperson confirms. If they differ, nothing is settled.
#[tokio::test]
async fn two_people_read_the_dice() {
    let house = House::with_table(Crew::People, DiceFrom::People).await;
    let stick = house.staff("Stan", &["stickperson"]).await;
    let boxperson = house.staff("Bea", &["boxperson"]).await;
    let dealer = house.staff("Dee", &["dealer"]).await;
    let ann = house.guest().await;
    let act = |who: &crate::house::Client, body: Value| {
        let who = who.clone();
        async move { who.does("/tables/t/procedure", body).await }
    };
    act(&boxperson, json!({ "act": "open-table", "dice": 5 })).await;
    // The dealer enters and undoes bets for a player without a device.
    dealer.does("/tables/t/seats", json!({ "as": "dealer", "seat": 2, "name": "Cy", "buy_in": 20_000 })).await;
    dealer.does("/tables/t/actions", json!({ "seat": 2, "bets": [{ "bet": "DP", "amount": 1_000 }] })).await;
    dealer.does("/tables/t/actions", json!({ "seat": 2, "say": "field 5" })).await;
    dealer.does("/tables/t/undo", json!({ "seat": 2 })).await;
    ann.sits("Ann", 1).await;
    dealer.does("/tables/t/requests/1", json!({ "agrees": true })).await;
    // The dice are offered to Ann, although only Cy has a line bet so far.
    act(&stick, json!({ "act": "offer-dice", "seat": 1 })).await;
    act(&stick, json!({ "act": "take-dice", "seat": 1 })).await;
    ann.says("pass 10").await;
    let (status, problem) = ann.post("/tables/t/roll", json!({})).await;
    assert_eq!(status, 422, "{problem}");
    let (status, problem) = stick.post("/tables/t/dice", json!({ "dice": [4, 2] })).await;
    assert_eq!(status, 422, "the dice are not released yet: {problem}");
    act(&stick, json!({ "act": "release" })).await;
    stick.does("/tables/t/dice", json!({ "dice": [4, 2] })).await;
    let (status, problem) = ann.post("/tables/t/actions", json!({ "say": "field 5" })).await;
    assert_eq!(status, 422);
    assert!(problem["message"].as_str().unwrap().contains("in the air"), "{problem}");
    assert!(!problem["cite"].as_str().unwrap().is_empty());
    // The person who entered the dice can't confirm them, and only the crew sees them before that.
    assert_eq!(stick.post("/tables/t/dice/confirm", json!({ "dice": [4, 2] })).await.0, 403);
    assert_eq!(ann.sees("/tables/t").await["entered"], json!({}));
    assert_eq!(boxperson.sees("/tables/t").await["entered"], json!({ "dice": [4, 2] }));
    let differs = boxperson.does("/tables/t/dice/confirm", json!({ "dice": [4, 3] })).await;
    assert_eq!(differs["rows"][0]["did"], "mismatched");
    assert_eq!(ann.sees("/tables/t").await["next_roll"], 1, "nothing is settled");
    assert_eq!(ann.post("/tables/t/actions", json!({ "say": "field 5" })).await.0, 422, "the roll is still open");
    assert_eq!(boxperson.post("/tables/t/dice/confirm", json!({ "dice": [4, 3] })).await.0, 422);
    stick.does("/tables/t/dice", json!({ "dice": [3, 4] })).await;
    let counted = boxperson.does("/tables/t/dice/confirm", json!({ "dice": [4, 3] })).await;
    assert_eq!(counted["rows"][0]["roll"]["total"], 7);
    let seen = boxperson.sees("/tables/t").await;
    assert_eq!((&seen["seats"][0]["rail"], &seen["seats"][1]["rail"]), (&json!(51_000), &json!(19_000)));
    assert_eq!(stick.post("/tables/t/dice", json!({ "dice": [7, 1] })).await.0, 422);

    // A no roll.
    ann.says("pass 10").await;
    act(&stick, json!({ "act": "release" })).await;
    act(&boxperson, json!({ "act": "no-roll", "reason": "end-missed" })).await;
    assert_eq!(ann.sees("/tables/t").await["next_roll"], 2);

    // A ruling needs two people.
    let ruling = boxperson.does("/tables/t/rulings", json!({ "seat": 1, "amount": 500, "reason": "short paid" })).await;
    let row = ruling["rows"][0]["seq"].as_u64().unwrap();
    let (status, problem) = boxperson.post(&format!("/tables/t/rulings/{row}"), json!({ "agrees": true })).await;
    assert_eq!(status, 422, "{problem}");
    let floor = house.staff("Flo", &["floorperson"]).await;
    assert_eq!(floor.sees("/tables/t/rulings").await["rulings"][0]["amount"], 500);
    let before = boxperson.sees("/tables/t").await["seats"][0]["rail"].as_i64().unwrap();
    floor.does(&format!("/tables/t/rulings/{row}"), json!({ "agrees": true })).await;
    let after = boxperson.sees("/tables/t").await["seats"][0]["rail"].as_i64().unwrap();
    assert_eq!(after - before, 500);
    let game = boxperson.sees("/tables/t/cgn").await;
    assert!(game.as_str().unwrap().contains("@box rule 1:+5 \"short paid\""), "{game}");
    assert!(game.as_str().unwrap().contains("NR(end-missed,box)"), "{game}");
}

#[tokio::test]
async fn a_key_asks_for_the_same_thing_however_often() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    let sit = json!({ "id": "sit", "name": "Ann", "buy_in": 50_000 });
    let first = ann.does("/tables/t/seats", sit.clone()).await;
    let again = ann.does("/tables/t/seats", sit).await;
    assert_eq!((&first["again"], &again["again"]), (&json!(false), &json!(true)));
    assert_eq!(first["rows"][0]["seq"], again["rows"][0]["seq"]);
    for _ in 0..3 {
        ann.does("/tables/t/actions", json!({ "id": "bet", "say": "pass 10" })).await;
    }
    assert_eq!(ann.sees("/tables/t").await["seats"][0]["bets"][0]["stake"], 1_000);
    let rolled = ann.does("/tables/t/roll", json!({ "id": "roll" })).await;
    let again = ann.does("/tables/t/roll", json!({ "id": "roll" })).await;
    assert_eq!(rolled["rows"][1]["roll"]["dice"], again["rows"][1]["roll"]["dice"], "{again}");
    assert_eq!(again["again"], true);
    assert_eq!(ann.sees("/tables/t/rolls").await["rolls"].as_array().unwrap().len(), 1);
    for id in ["", &"x".repeat(65), "a\u{7}b"] {
        assert!((400..500).contains(&ann.post("/tables/t/roll", json!({ "id": id })).await.0), "{id:?}");
    }
}

/// A retry returns the old result, even if the command is impossible by now.
#[tokio::test]
async fn a_key_is_known_when_its_command_could_not_be_asked_any_more() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    ann.sits("Ann", 1).await;
    ann.says("12 on the six").await;
    let down = json!({ "id": "k", "bets": [{ "bet": "PL6", "op": "down" }] });
    let first = ann.does("/tables/t/actions", down.clone()).await;
    let again = ann.does("/tables/t/actions", down).await;
    assert_eq!((&first["again"], &again["again"]), (&json!(false), &json!(true)));
    assert_eq!(first["rows"][0]["seq"], again["rows"][0]["seq"]);
    let anew = json!({ "id": "other", "bets": [{ "bet": "PL6", "op": "down" }] });
    assert_eq!(ann.post("/tables/t/actions", anew).await.0, 422);
}

#[tokio::test]
async fn tables_are_opened_by_those_who_may_and_not_without_end() {
    let house = House::open().await;
    let (ann, admin) = (house.guest().await, house.staff("Ada", &["admin"]).await);
    let table = |id: &str, more: Value| {
        let mut body = json!({ "table": id, "name": "T", "house": { "book": "nj" } });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    assert_eq!(house.anybody().post("/tables", table("a", json!({}))).await.0, 401);
    assert_eq!(ann.post("/tables", table("a", json!({ "practice": false }))).await.0, 403);
    assert_eq!(ann.post("/tables", table("a", json!({ "crew": "people" }))).await.0, 403);
    assert_eq!(
        admin.post("/tables", table("a", json!({ "practice": false, "crew": "people", "dice": "people" }))).await.0,
        201
    );
    assert_eq!(admin.post("/tables", table("a", json!({}))).await.0, 409);
    // Guests can only play at practice tables.
    assert_eq!(ann.post("/tables/a/seats", json!({ "buy_in": 100 })).await.0, 403);
    let (status, problem) =
        ann.post("/tables", table("b", json!({ "house": { "book": "pa", "keys": { "vig.rate": "6%" } } }))).await;
    assert_eq!((status, &problem["code"]), (422, &json!("unlawful")), "{problem}");
    for (id, house) in [
        ("B b", json!({ "book": "pa" })),
        ("b", json!({ "book": "zz" })),
        ("b", json!({})),
        ("@people", json!({ "book": "pa" })),
    ] {
        let (status, problem) = ann.post("/tables", table(id, json!({ "house": house }))).await;
        assert!((400..500).contains(&status), "{problem}");
    }
    let mut opened = 0;
    while ann.post("/tables", table(&format!("n{opened}"), json!({}))).await.0 == 201 {
        opened += 1;
        assert!(opened < 100);
    }
    assert_eq!(opened, 10);
    assert_eq!(house.anybody().get("/tables/none").await.0, 404);
    assert_eq!(house.anybody().get("/tables/@people").await.0, 404);
}

#[tokio::test]
async fn people_talk_where_the_table_was_opened_for_it() {
    let house = House::open().await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    let open = |chat: Value| json!({ "table": if chat == true { "t" } else { "quiet" }, "name": "T", "house": { "book": "pa" }, "chat": chat });
    assert_eq!(ann.does("/tables", open(json!(true))).await["chat"], true);
    ann.sits("Ann", 1).await;
    let said = ann.does("/tables/t/say", json!({ "id": "s1", "words": "  nice roll \u{2764} " })).await;
    assert_eq!((&said["rows"][0]["did"], &said["rows"][0]["words"]), (&json!("said"), &json!("nice roll \u{2764}")));
    assert_eq!((&said["rows"][0]["seat"], &said["rows"][0]["who"]), (&json!(1), &Value::Null));
    let again = json!({ "id": "s1", "words": "  nice roll \u{2764} " });
    assert_eq!(ann.does("/tables/t/say", again).await["again"], true);
    // Only people at the table can chat, and only plain text.
    assert_eq!(bo.post("/tables/t/say", json!({ "words": "hello" })).await.0, 403);
    assert_eq!(house.anybody().post("/tables/t/say", json!({ "words": "hello" })).await.0, 401);
    for words in ["", "  ", "two\nlines", "\u{202e}backwards", "a\u{0}", &"x".repeat(201)] {
        let (status, problem) = ann.post("/tables/t/say", json!({ "words": words })).await;
        assert_eq!((status, &problem["code"]), (422, &json!("invalid")), "{words:?}");
    }
    // Chat has a rate limit.
    let mut often = 0;
    while ann.post("/tables/t/say", json!({ "words": "seven!" })).await.0 == 200 {
        often += 1;
        assert!(often < 20);
    }
    assert_eq!(ann.post("/tables/t/say", json!({ "words": "seven!" })).await.0, 429);
    assert!(often >= 2, "{often}");
    ann.says("pass 10").await;
    // Chat is not part of the game.
    assert!(!ann.sees("/tables/t/cgn").await.as_str().unwrap().contains("seven!"));

    // Chat is off by default.
    let opened = bo.does("/tables", open(json!(false))).await;
    assert_eq!(opened["chat"], false);
    bo.does("/tables/quiet/seats", json!({ "buy_in": 100 })).await;
    let (status, problem) = bo.post("/tables/quiet/say", json!({ "words": "hello" })).await;
    assert_eq!((status, &problem["code"]), (422, &json!("refused")), "{problem}");
    let head = bo.sees("/tables/quiet").await["seq"].clone();
    assert_eq!(head, 3);
}

/// The table accepts the minimum and the maximum that `legal` lists, and refuses one cent less than the minimum.
#[tokio::test]
async fn the_least_and_the_most_that_can_be_added_are_taken() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    assert_eq!(house.anybody().sees("/tables/t").await["can_roll"], false);
    ann.sits("Ann", 1).await;
    let view = ann.sees("/tables/t").await;
    assert_eq!((&view["can_roll"], &view["rolled"]), (&json!(true), &json!(0)));
    let legal = ann.sees("/tables/t/legal").await;
    let mut open = 0;
    for terms in legal["legal"].as_array().unwrap().iter().filter(|terms| terms["open"] == true) {
        let (bet, amount) = (terms["bet"].as_str().unwrap(), |key: &str| terms[key].as_i64().unwrap());
        let (least, most) = (amount("least"), amount("most"));
        assert!(least <= most && most <= 50_000, "{terms}");
        let takes = async |amount: i64| {
            let quote = ann.sees(&format!("/tables/t/quote?bet={bet}&amount={amount}")).await;
            quote["takes"].as_bool().unwrap()
        };
        assert!(takes(least).await && takes(most).await, "{terms}");
        assert!(!takes(least - 1).await, "{terms}");
        open += 1;
    }
    assert!(open > 10, "{open}");
    ann.does("/tables/t/actions", json!({ "bets": [{ "bet": "P", "amount": 1_000 }] })).await;
    let legal = ann.sees("/tables/t/legal").await;
    let pass = legal["legal"].as_array().unwrap().iter().find(|terms| terms["bet"] == "P").unwrap();
    assert_eq!(pass["standing"], 1_000);
    assert!(pass["least"].as_i64().unwrap() < 1_000, "the minimum to add is less than the minimum bet: {pass}");
    let rolled = ann.does("/tables/t/roll", json!({})).await;
    let roll = rolled["rows"].as_array().unwrap().iter().find_map(|row| row.get("roll")).unwrap();
    let line = match roll["mark"].as_str().unwrap() {
        "^" => "point-set",
        "+" => "come-out-wins",
        "~" => "come-out-craps",
        other => panic!("{other}"),
    };
    assert_eq!(roll["line"], line);
    assert_eq!(ann.sees("/tables/t").await["rolled"], 1);
}

/// A key belongs to one request. Another request under it is refused, in every order of arrival.
#[tokio::test]
async fn a_key_that_was_used_for_another_request_is_refused() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    ann.post("/tables/t/seats", json!({ "id": "sit", "buy_in": 100_000 })).await;
    let bet = |amount: i64| json!({ "id": "k", "bets": [{ "bet": "P", "amount": amount }] });
    assert_eq!(ann.post("/tables/t/actions", bet(1_000)).await.0, 200);
    let (status, again) = ann.post("/tables/t/actions", bet(1_000)).await;
    assert_eq!((status, &again["again"]), (200, &json!(true)));
    for (path, other) in [
        ("actions", bet(1_500)),
        ("actions", json!({ "id": "k", "say": "pass 10" })),
        ("undo", json!({ "id": "k" })),
        ("roll", json!({ "id": "k" })),
        ("seats", json!({ "id": "k", "buy_in": 100_000 })),
    ] {
        let (status, problem) = ann.post(&format!("/tables/t/{path}"), other).await;
        assert_eq!((status, &problem["code"]), (422, &json!("key-used")), "{path}: {problem}");
    }
    // An order without bets asks for the result of the key and does nothing.
    let (status, asked) = ann.post("/tables/t/actions", json!({ "id": "k" })).await;
    assert_eq!((status, &asked["rows"]), (200, &again["rows"]));
    assert_eq!(ann.post("/tables/t/actions", json!({ "id": "never-used" })).await.0, 400);
    // Both at the same time: one is done, the other is refused.
    let (one, other) = tokio::join!(
        ann.post("/tables/t/actions", json!({ "id": "race", "bets": [{ "bet": "F", "amount": 500 }] })),
        ann.post("/tables/t/actions", json!({ "id": "race", "bets": [{ "bet": "F", "amount": 1_000 }] }))
    );
    let mut statuses = [one.0, other.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422], "{one:?} {other:?}");
}

/// Taking back and doing again writes short rows, however much is on the felt, and one player can't fill the log between two rolls.
#[tokio::test]
async fn undoing_does_not_write_the_table_again_and_has_an_end() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    ann.post("/tables/t/seats", json!({ "buy_in": 9_000_000 })).await;
    let bo = house.guest().await;
    bo.post("/tables/t/seats", json!({ "buy_in": 9_000_000 })).await;
    let many: Vec<Value> =
        (0..200).map(|n| json!({ "bet": "F", "op": if n % 2 == 0 { "add" } else { "down" }, "amount": 500 })).collect();
    for who in [&ann, &bo] {
        for _ in 0..5 {
            let (status, answer) = who.post("/tables/t/actions", json!({ "bets": many })).await;
            assert_eq!(status, 200, "{answer}");
        }
    }
    let before = house.app.store().head("t").await.unwrap().seq;
    let mut refused = Value::Null;
    for _ in 0..600 {
        let (status, answer) = ann.post("/tables/t/actions", json!({ "bets": [{ "bet": "F", "amount": 500 }] })).await;
        let (undo, _) = ann.post("/tables/t/undo", json!({})).await;
        if status != 200 {
            assert_eq!(undo, 422, "taking back counts too");
            refused = answer;
            break;
        }
    }
    assert_eq!(refused["refusal"]["code"], json!("too-many-orders"), "{refused}");
    let rows = house.app.store().load("t", before, u32::MAX).await.unwrap();
    assert!(rows.len() > 100 && rows.iter().all(|row| row.body.len() < 1_000), "{}", rows.len());
    // The table is what the log says, and she can still leave.
    let felt = async |pit: &craps_server::live::pit::Pit| {
        pit.look("t", |live| format!("{:?}", live.table().state())).await.unwrap()
    };
    let again = house.place.pit().await;
    assert_eq!(felt(&again).await, felt(&house.app.pit).await);
    assert_eq!(bo.post("/tables/t/actions", json!({ "bets": [{ "bet": "F", "amount": 500 }] })).await.0, 200);
    let mut auditor = craps_server::audit::Auditor::new(&crate::house::LIBRARY);
    house.app.store().load("t", 0, u32::MAX).await.unwrap().iter().for_each(|row| auditor.row(row));
    assert_eq!(auditor.finish().findings, []);
}

/// A player who has done too much burdens neither the next person at the seat nor the table.
#[tokio::test]
async fn who_has_done_too_much_closes_the_table_to_nobody() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo, cy) = (house.guest().await, house.guest().await, house.guest().await);
    let sits = |who: Client, seat: u8| async move {
        let (status, answer) = who.post("/tables/t/seats", json!({ "seat": seat, "buy_in": 50_000 })).await;
        assert_eq!(status, 200, "{answer}");
    };
    let many: Vec<Value> =
        (0..200).map(|n| json!({ "bet": "F", "op": if n % 2 == 0 { "add" } else { "down" }, "amount": 500 })).collect();
    let bet = json!({ "bets": [{ "bet": "F", "amount": 500 }] });
    let code =
        |(status, answer): (u16, Value)| (status, answer["refusal"]["code"].as_str().unwrap_or_default().to_owned());
    sits(bo.clone(), 2).await;
    sits(ann.clone(), 1).await;
    let mut orders = 0;
    let refused = loop {
        let (status, answer) = ann.post("/tables/t/actions", json!({ "bets": many })).await;
        if status != 200 {
            break code((status, answer));
        }
        orders += 1;
        assert!(orders < 100);
    };
    let too_many = (422, "too-many-orders".to_owned());
    assert_eq!((orders, &refused), (25, &too_many));
    // She can leave and come back, and has still done too much. The next player at her seat hasn't.
    assert_eq!(ann.delete("/tables/t/seats/1").await.0, 200);
    sits(ann.clone(), 1).await;
    assert_eq!(code(ann.post("/tables/t/actions", bet.clone()).await), too_many);
    assert_eq!(ann.delete("/tables/t/seats/1").await.0, 200);
    sits(cy.clone(), 1).await;
    assert_eq!(cy.post("/tables/t/actions", bet.clone()).await.0, 200);
    // Another server counts the same.
    let again = house.place.pit().await;
    let mark = |pit: craps_server::live::pit::Pit| async move {
        pit.look("t", |live| live.mark().unwrap().0.body).await.unwrap()
    };
    assert_eq!(mark(again).await, mark(house.app.pit.clone()).await);
    // When nobody is there any more, it is forgotten.
    assert_eq!(cy.post("/tables/t/undo", json!({})).await.0, 200);
    for (who, seat) in [(&bo, 2), (&cy, 1)] {
        assert_eq!(who.delete(&format!("/tables/t/seats/{seat}")).await.0, 200);
    }
    sits(ann.clone(), 1).await;
    assert_eq!(ann.post("/tables/t/actions", bet).await.0, 200);
    let mut auditor = craps_server::audit::Auditor::new(&crate::house::LIBRARY);
    house.app.store().load("t", 0, u32::MAX).await.unwrap().iter().for_each(|row| auditor.row(row));
    assert_eq!(auditor.finish().findings, []);
}

/// Orders that nobody rolls after don't pile up in memory or in saved states.
#[tokio::test]
async fn orders_without_a_roll_do_not_pile_up() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let many: Vec<Value> =
        (0..200).map(|n| json!({ "bet": "F", "op": if n % 2 == 0 { "add" } else { "down" }, "amount": 500 })).collect();
    let ann = house.guest().await;
    let mut sizes = Vec::new();
    for _ in 0..11 {
        ann.does("/tables/t/seats", json!({ "seat": 1, "buy_in": 50_000 })).await;
        for _ in 0..25 {
            ann.does("/tables/t/actions", json!({ "bets": many })).await;
        }
        assert_eq!(ann.delete("/tables/t/seats/1").await.0, 200);
        sizes.push(house.app.pit.look("t", |live| live.mark().unwrap().0.body.len()).await.unwrap());
    }
    assert!(sizes.last().unwrap() * 2 < *sizes.iter().max().unwrap(), "{sizes:?}");
}

/// To say again and again that one is ready, or not, writes rows like any order.
#[tokio::test]
async fn being_ready_counts_as_an_order() {
    let house = House::open().await;
    let timed = craps_server::live::Opening { window: Some(60), ..opening(Crew::Automatic, DiceFrom::Secret) };
    house.app.pit.open("t", timed, craps_server::live::By::machine(), craps_server::live::pit::now()).await.unwrap();
    let ann = house.guest().await;
    ann.sits("Ann", 1).await;
    let mut done = 0;
    let refused = loop {
        let (status, answer) = ann.post("/tables/t/window", json!({ "ready": done % 2 == 0 })).await;
        if status != 200 {
            break answer;
        }
        done += 1;
        assert!(done <= 600);
    };
    assert_eq!((done, &refused["refusal"]["code"]), (499, &json!("too-many-orders")), "{refused}");
}

/// Guests of one address who sit down at the same moment have no more seats than one after the other.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_gets_its_share_of_seats_also_at_once() {
    let place = crate::house::Place::new();
    let pit = place.pit().await;
    for table in 0..8 {
        let opening = opening(Crew::Automatic, DiceFrom::Secret);
        let (by, at) = (craps_server::live::By::machine(), craps_server::live::pit::now());
        pit.open(&format!("t{table}"), opening, by, at).await.unwrap();
    }
    let settings = craps_server::people::Settings {
        rate: 100_000,
        burst: 100_000,
        guests: 100_000,
        seats: 5,
        ..craps_server::people::Settings::default()
    };
    let app = std::sync::Arc::new(craps_server::App::new(pit, settings, None));
    let house = House { place, router: craps_server::router(std::sync::Arc::clone(&app)), app };
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..40 {
        let guest = house.guest().await;
        let path = format!("/tables/t{}/seats", number % 8);
        tasks.spawn(async move { guest.post(&path, json!({ "buy_in": 10_000 })).await.0 });
    }
    let mut statuses = tasks.join_all().await;
    statuses.sort_unstable();
    assert_eq!((&statuses[..5], &statuses[5..]), (&[200; 5][..], &[429; 35][..]));
    let mut seats = 0;
    for table in 0..8 {
        seats += house.app.pit.look(&format!("t{table}"), |live| live.table().seats().count()).await.unwrap();
    }
    assert_eq!(seats, 5);
}

/// People who sit down at the same moment and want any seat get one each.
#[tokio::test(flavor = "multi_thread")]
async fn everybody_who_wants_any_seat_gets_one() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let places = house.app.pit.look("t", |live| live.table().places()).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..places {
        let guest = house.guest().await;
        tasks.spawn(async move { guest.post("/tables/t/seats", json!({ "buy_in": 10_000 })).await });
    }
    for (status, answer) in tasks.join_all().await {
        assert_eq!(status, 200, "{answer}");
    }
    assert_eq!(house.app.pit.look("t", |live| live.table().seats().count()).await.unwrap(), usize::from(places));
}
