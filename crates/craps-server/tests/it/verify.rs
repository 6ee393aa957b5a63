//! The page that verifies the dice: its script, run in Node.js, computes the same rolls as the server.

use crate::house::House;
use craps_dice::Die;
use craps_server::live::{Cast, DiceFrom, SeatSeed, Secret, What};
use craps_table::Crew;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Evaluates a JavaScript expression with the page's script for each item of a document.
pub fn script(asked: &str, document: &Value) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/verify/dice.js");
    let program = format!(
        "import * as it from {file:?};\n\
         let text = ''; for await (const part of process.stdin) text += part;\n\
         const given = JSON.parse(text);\n\
         console.log(JSON.stringify(await Promise.all(given.map(async (one) => {asked}))));"
    );
    let node = Command::new("node")
        .args(["--input-type=module", "--eval", &program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut node = node.expect("Node.js is needed for this test: install the package nodejs");
    node.stdin.take().unwrap().write_all(document.to_string().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_page_derives_the_throws_that_the_server_derives() {
    let secret = |at: u64| {
        let mut bytes = [7; 32];
        bytes[..8].copy_from_slice(&at.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
        Secret::from_bytes(&bytes).unwrap()
    };
    let cases: Vec<Value> =
        (0..500).map(|at: u64| json!({ "secret": secret(at).hex(), "closed": format!("{:064x}", at * at) })).collect();
    let derived = script("[await it.commitment(one.secret), await it.dice(one.secret, one.closed)]", &json!(cases));
    for (at, found) in (0_u64..).zip(derived.as_array().unwrap()) {
        let dice = secret(at).throw(&format!("{:064x}", at * at)).dice().map(Die::pips);
        assert_eq!(*found, json!([secret(at).commitment(), dice]), "case {at}");
    }
    let seeds = |at: u64| {
        let of = |seat: u8| SeatSeed { seat, seed: format!("s!{}", at * u64::from(seat)) };
        (1..=u8::try_from(at % 4).unwrap()).map(of).collect::<Vec<_>>()
    };
    let throw = |at: u64| u32::try_from(at % 9 + 1).unwrap();
    let cases: Vec<Value> = (0..500)
        .map(|at: u64| json!({ "secret": secret(at).hex(), "hand": at, "throw": throw(at), "seeds": seeds(at) }))
        .collect();
    let derived = script("await it.cast(one.secret, \"north\", one.hand, one.throw, one.seeds)", &json!(cases));
    for (at, found) in (0_u64..).zip(derived.as_array().unwrap()) {
        let (seeds, what) = (seeds(at), What::Throw(throw(at)));
        let cast = Cast { table: "north", hand: u32::try_from(at).unwrap(), what, seeds: &seeds, witness: None };
        assert_eq!(*found, json!(secret(at).cast(&cast).dice().map(Die::pips)), "case {at}");
    }
    let read = script("it.bytes(one)?.length ?? null", &json!(["", "0", "0A", "0a", "zz", "00ff", 5, null]));
    assert_eq!(read, json!([null, null, null, 1, null, 2, null, null]));
}

#[tokio::test]
async fn the_page_verifies_hands_as_they_were_played_and_finds_what_was_changed() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let ann = house.guest().await;
    ann.sits("Ann", 1).await;
    while ann.sees("/tables/t/hands").await["hands"].as_array().unwrap().len() < 3 {
        let _ = ann.post("/tables/t/actions", json!({ "say": "pass 5" })).await;
        ann.does("/tables/t/roll", json!({ "seed": "lucky" })).await;
    }
    let hands = ann.sees("/tables/t/hands").await["hands"].clone();
    let played = script("await it.verified(one)", &hands);
    for hand in [0, 1] {
        assert_eq!(played[hand]["kept"], true);
        let throws = played[hand]["throws"].as_array().unwrap();
        assert_eq!(throws.len(), hands[hand]["throws"].as_array().unwrap().len());
        assert!(
            throws.iter().all(|throw| throw["follows"] == true && throw["found"] == throw["expected"]),
            "{throws:?}"
        );
    }
    assert_eq!((&played[2]["kept"], &played[2]["secret"]), (&Value::Null, &Value::Null), "still being played");

    let mut other_dice = hands[0].clone();
    let dice = &mut other_dice["throws"][0]["dice"];
    *dice = if *dice == json!([6, 6]) { json!([1, 1]) } else { json!([6, 6]) };
    let mut other_secret = hands[0].clone();
    other_secret["secret"] = hands[1]["secret"].clone();
    let mut other_seed = hands[0].clone();
    for throw in other_seed["throws"].as_array_mut().unwrap() {
        throw["seeds"][0]["seed"] = json!(throw["dice"].to_string());
    }
    let changed = script("await it.verified(one)", &json!([other_dice, other_secret, other_seed]));
    assert_eq!((&changed[0]["kept"], &changed[0]["throws"][0]["follows"]), (&json!(true), &json!(false)));
    assert_eq!(changed[1]["kept"], false);
    // A hand of one roll could have the same dice by chance. It is rare, and the roll of the second hand would have to do the same.
    let other: Vec<Value> = changed[2]["throws"].as_array().unwrap().clone();
    assert!(other.len() < 3 || other.iter().any(|throw| throw["follows"] == false), "{other:?}");
    // The secret of a hand is the commitment of the next one.
    let linked = "[(await it.verified(one[1], one[0])).kept, (await it.verified({ ...one[1], commitment: one[0].commitment }, one[0])).kept]";
    assert_eq!(script(linked, &json!([hands])), json!([[true, false]]));
    let refused =
        script("await it.verified(one).catch((error) => error.message)", &json!([{ "hand": 7, "secret": "x" }]));
    assert_eq!(refused, json!(["hand 7: the secret is not 64 hex digits"]));
}

#[tokio::test]
async fn the_page_comes_with_what_it_needs_and_nothing_from_elsewhere() {
    let house = House::open().await;
    let page = house.anybody().sees("/verify").await;
    let page = page.as_str().unwrap();
    assert!(
        !page.contains("<script>") && !page.contains(" style=") && !page.contains(" onclick"),
        "the page has no inline code"
    );
    for part in page.split('"').filter(|part| part.starts_with("/verify/")) {
        assert!(!house.anybody().sees(part).await.as_str().unwrap().is_empty(), "{part}");
    }
    let script = house.anybody().sees("/verify/page.js").await;
    assert!(script.as_str().unwrap().contains("from \"./dice.js\""));
    let all = ["/verify", "/verify/page.js", "/verify/dice.js", "/verify/page.css"];
    for path in all {
        let text = house.anybody().sees(path).await;
        assert!(!text.as_str().unwrap().contains("://"), "{path} links to no other site");
    }
}
