//! Layouts and quotes: a layout shows exactly what the table offers, and a quote equals the payout.

use crate::house::House;
use craps_law::{HouseRules, Library};
use craps_layout::{Layout, Sign, Template};
use craps_odds::Solver;
use craps_server::live::DiceFrom;
use craps_table::Crew;
use serde_json::{Value, json};

fn codes(layout: &Value) -> Vec<String> {
    let areas = layout["areas"].as_array().unwrap();
    let stacks = areas.iter().flat_map(|area| area["stacks"].as_array().unwrap());
    stacks.map(|stack| stack["bet"].as_str().unwrap().to_owned()).collect()
}

fn texts(layout: &Value) -> String {
    let areas = layout["areas"].as_array().unwrap().iter().flat_map(|area| area["texts"].as_array().unwrap());
    let marks = layout["marks"].as_array().unwrap().iter();
    let all = areas.chain(marks).filter_map(|text| text["text"].as_str());
    all.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_table_is_drawn_with_everything_that_may_be_bet_at_it() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, anybody) = (house.guest().await, house.anybody());
    ann.sits("Ann", 1).await;
    let layout = anybody.sees("/tables/t/layout").await;
    assert_eq!((&layout["template"], &layout["surface"]["w"]), (&json!("ten-foot"), &json!(2560)));
    let drawn = codes(&layout);
    for legal in ann.sees("/tables/t/legal").await["legal"].as_array().unwrap() {
        let bet = legal["bet"].as_str().unwrap();
        assert!(drawn.iter().any(|code| code == bet), "{bet}");
        assert_eq!(layout["prices"][bet]["name"], legal["name"]);
    }
    let table = ann.sees("/tables/t").await;
    assert!(texts(&layout).contains(&table["name"].as_str().unwrap().to_uppercase()), "{}", texts(&layout));
    assert!(texts(&layout).contains("NO CALL BETS"));
    assert!(layout["crew"][0]["text"].as_str().unwrap().contains("AUTOMATIC"));
    assert_eq!(layout["prices"]["P"]["edge"], "7/495");
    let narrow = anybody.sees("/tables/t/layout?narrow=right").await;
    assert_eq!((&narrow["template"], &narrow["views"][0]["band"]), (&json!("narrow"), &json!("boxes")));
    let (status, problem) = anybody.get("/tables/t/layout?narrow=up").await;
    assert_eq!(status, 400, "{problem}");
    let (status, problem) = anybody.get("/tables/nowhere/layout").await;
    assert_eq!(status, 404, "{problem}");
}

#[tokio::test]
async fn a_house_is_drawn_as_its_rules_have_it_and_an_unlawful_one_is_not() {
    let house = House::open().await;
    let anybody = house.anybody();
    let library = Library::shipped();
    for source in HouseRules::samples() {
        let name = source.path.trim_end_matches(".toml");
        let drawn = anybody.does("/layouts", json!({ "house": { "sample": name } })).await;
        let read = library.house(&source, None).unwrap();
        let book = library.book(&read.book).unwrap();
        let rules = book.admit(&read).unwrap();
        let template = Template::of(&rules).unwrap();
        let layout =
            Layout::new(&template, book, &rules, &Sign::default()).unwrap().priced(&rules, &mut Solver::default());
        assert_eq!(drawn, serde_json::to_value(layout).unwrap(), "{name}");
    }
    let narrow = anybody.does("/layouts", json!({ "house": { "sample": "nj-craps" }, "narrow": "left" })).await;
    assert_eq!((&narrow["template"], &narrow["ends"]), (&json!("narrow"), &json!(["left"])));
    let keys = json!({ "book": "nj", "keys": { "higher_odds": "hard-6:11 to 1" } });
    let drawn = anybody.does("/layouts", json!({ "house": keys })).await;
    assert!(texts(&drawn).contains("HARD 6 · 11 TO 1"));
    let unlawful = json!({ "house": { "book": "pa", "keys": { "odds.k": 20 } } });
    let (status, problem) = anybody.post("/layouts", unlawful).await;
    assert_eq!((status, &problem["code"]), (422, &json!("unlawful")));
    assert!(problem["message"].as_str().unwrap().contains("PA 623a.6(e)"), "{problem}");
    for (body, status, words) in [
        (json!({}), 422, "missing field `house`"),
        (json!({ "house": {} }), 400, "expected one of `sample`"),
        (json!({ "house": { "sample": "nowhere" } }), 404, "There is no sample house"),
        (json!({ "house": { "toml": "book = 3" } }), 400, "house:1:8"),
        (json!({ "house": { "book": "pa" }, "colour": 1 }), 422, "unknown field `colour`"),
    ] {
        let (found, problem) = anybody.post("/layouts", body.clone()).await;
        assert!(problem["message"].as_str().unwrap().contains(words), "{body}: {problem}");
        assert_eq!(found, status, "{body}: {problem}");
    }
}

#[tokio::test]
async fn a_quote_says_what_a_stake_would_win_and_whether_it_is_taken() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, anybody) = (house.guest().await, house.anybody());
    ann.sits("Ann", 1).await;
    let quote = ann.sees("/tables/t/quote?bet=PL9&amount=2500").await;
    assert_eq!(
        (&quote["wins"], &quote["pays"], &quote["sum"], &quote["rounding"], &quote["takes"], &quote["reason"]),
        (&json!(3500), &json!("7 to 5"), &json!("25 × 7/5 = 35.00"), &json!("none"), &json!(true), &Value::Null)
    );
    assert!(quote["cite"].as_str().unwrap().starts_with("PA 623a.5(a)"), "{quote}");
    let six = ann.sees("/tables/t/quote?bet=PL6&amount=1000").await;
    assert_eq!((&six["wins"], &six["takes"], &six["better"]), (&Value::Null, &json!(false), &json!([600, 1200])));
    assert!(six["reason"].as_str().unwrap().contains("can't be paid evenly. Bet $"), "{six}");
    let field = ann.sees("/tables/t/quote?bet=F&amount=500").await;
    assert_eq!((&field["wins"], &field["pays"]), (&Value::Null, &json!("2 to 1 on 2 and 12, else 1 to 1")));
    let twelve = field["ways"].as_array().unwrap().iter().find(|way| way["on"] == "12").unwrap();
    assert_eq!((&twelve["wins"], &twelve["sum"]), (&json!(1000), &json!("5 × 2/1 = 10.00")));
    let come = ann.sees("/tables/t/quote?bet=C&amount=1000").await;
    assert_eq!((&come["wins"], &come["takes"]), (&json!(1000), &json!(false)));
    assert!(come["reason"].as_str().unwrap().contains("while a point is on"), "{come}");
    // A caller without a seat gets the win, and a refusal because they have no seat.
    let seen = anybody.sees("/tables/t/quote?bet=PL9&amount=2500").await;
    assert_eq!((&seen["wins"], &seen["takes"]), (&json!(3500), &json!(false)));
    assert_eq!(seen["reason"], "Take a seat first.");
    assert_eq!(seen["cite"], "", "no law says who has a seat here");
    assert_eq!(anybody.sees("/tables/t/quote?bet=PL9&amount=2500&seat=1").await["takes"], true);
    for (query, status, words) in [
        ("bet=PL9", 400, "missing field `amount`"),
        ("bet=PL9&amount=0", 400, "above zero"),
        ("bet=PL9&amount=-5", 400, "above zero"),
        ("bet=PL9&amount=x", 400, "amount"),
        ("bet=QQ&amount=500", 404, "no bet at this table has the code `QQ`"),
        ("bet=PL9&amount=500&colour=1", 400, "unknown field"),
    ] {
        let (found, problem) = ann.get(&format!("/tables/t/quote?{query}")).await;
        assert_eq!(found, status, "{query}: {problem}");
        assert!(problem["message"].as_str().unwrap().contains(words), "{query}: {problem}");
    }
}

#[tokio::test]
async fn a_payout_that_is_rounded_up_says_so() {
    let house = House::open().await;
    let ann = house.guest().await;
    ann.does("/tables", json!({ "table": "t", "name": "Up", "house": { "sample": "co-craps" } })).await;
    ann.sits("Ann", 1).await;
    let six = ann.sees("/tables/t/quote?bet=PL6&amount=1000").await;
    assert_eq!((&six["sum"], &six["rounding"]), (&json!("10 × 7/6 = 11.67"), &json!("rounded up to 12.00")));
    assert_eq!((&six["wins"], &six["takes"], &six["better"]), (&json!(1200), &json!(true), &json!([600, 1200])));
    let lay = ann.sees("/tables/t/quote?bet=LY4&amount=4000").await;
    assert_eq!((&lay["wins"], &lay["commission"]), (&json!(2000), &json!(100)));
}
