//! The people in a simulation. Each sends commands as long as the play lasts: players, guests, a cashier, an admin, a dealer, and one who cheats.

use crate::network::{Call, Person, Reply};
use crate::promises::Promise;
use crate::world::{Cast, World};
use axum::http::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The most that Pat wants to lose, in cents.
const LIMIT: i64 = 5_000;

/// Bets with amounts that fit them, in cents.
const BETS: &[(&str, &[i64])] = &[
    ("P", &[500, 1_000, 2_500]),
    ("DP", &[500, 1_000]),
    ("C", &[1_000]),
    ("F", &[500, 700]),
    ("PO", &[1_000]),
    ("PL6", &[1_200, 600]),
    ("PL8", &[1_200]),
    ("BY4", &[2_000, 4_000]),
    ("LY10", &[4_000]),
    ("H8", &[500]),
];

/// Gives the players chips, and sets Pat's limit.
pub async fn fund(world: &Arc<World>, cast: &Cast) {
    for player in [&cast.pam, &cast.pat] {
        for chips in [150_000, 50_000] {
            world.send(&deposit(cast, player, json!({ "chips": chips, "note": "cash" }), chips)).await;
        }
        world.send(&deposit(cast, player, json!({ "coupon": 2_500, "note": "birthday" }), 0)).await;
    }
    let limit = json!({ "loss": LIMIT });
    let set = world.send(&Call::new(&cast.pat, Method::PUT, "/me/limits".to_owned(), Some(limit))).await;
    if set.is_some_and(|reply| reply.is_done()) {
        world.promises().limits.insert(cast.pat.who.clone(), LIMIT);
    }
}

fn deposit(cast: &Cast, player: &Person, body: Value, chips: i64) -> Call {
    let account = player.who.trim_start_matches("a:");
    let call = Call::new(&cast.cass, Method::POST, format!("/accounts/{account}/purse"), Some(body));
    Call { cash: Some((player.who.clone(), chips)), ..call }
}

/// Lets everybody begin.
pub fn start(world: &Arc<World>, cast: &Cast) -> JoinSet<()> {
    let mut people = JoinSet::new();
    for (person, table) in [(&cast.pam, "live"), (&cast.pat, "live"), (&cast.gus, "practice"), (&cast.gia, "practice")]
    {
        people.spawn(play(Arc::clone(world), person.clone(), table));
    }
    people.spawn(cashier(Arc::clone(world), cast.cass.clone(), cast.pam.clone()));
    people.spawn(admin(Arc::clone(world), cast.ada.clone(), cast.dee.clone()));
    people.spawn(dealer(Arc::clone(world), cast.dee.clone()));
    people.spawn(cheat(Arc::clone(world), cast.mal.clone(), cast.pam.clone(), cast.dot.clone()));
    people
}

async fn think(world: &World) {
    let most = if world.chance.one_in(6) { 5_000 } else { 700 };
    sleep(Duration::from_millis(world.chance.between(5, most))).await;
}

/// Draws a few bets.
fn bets(world: &World) -> Value {
    let one = |_| {
        let (code, amounts) = *world.chance.pick(BETS);
        match world.chance.below(12) {
            0 => json!({ "bet": code, "op": "down" }),
            1 => json!({ "bet": code, "op": "off" }),
            2 => json!({ "bet": code, "amount": amounts[0], "cash": 5_000 }),
            3 => json!({ "bet": code, "amount": 2_500, "coupon": 2_500 }),
            _ => json!({ "bet": code, "amount": world.chance.pick(amounts) }),
        }
    };
    json!({ "bets": (0..=world.chance.below(3)).map(one).collect::<Vec<_>>() })
}

/// Plays at a table.
async fn play(world: Arc<World>, person: Person, table: &'static str) {
    let mut last: Option<Call> = None;
    for number in 0..world.chance.between(8, 20) {
        think(&world).await;
        let key = format!("{}{number}", person.name);
        let call = |what: &str, body: Value| Call::to_table(&person, table, what, body, key.clone());
        // Some keys are used twice: for the same request, or for another one.
        if let Some(last) = last.clone().filter(|_| world.chance.one_in(10)) {
            let again = match world.chance.one_in(2) {
                true => last,
                false => Call {
                    body: Some(json!({ "bets": [{ "bet": "F", "amount": 12_300 }] })),
                    is_other: true,
                    never: Some(Promise::KeyIsOfOneRequest),
                    ..last
                },
            };
            world.insist(&again).await;
            continue;
        }
        let call = match world.chance.below(20) {
            _ if number == 0 => call("seats", json!({ "buy_in": 60_000 })),
            0 => call("seats", json!({ "buy_in": 20_000 })),
            1 => call("buy-in", json!({ "amount": 10_000 })),
            2 => call("undo", json!({})),
            3 => call("redo", json!({})),
            4 => call("repeat", json!({})),
            5 => call("clear", json!({})),
            6 => call("seed", json!({ "seed": format!("seed-{number}") })),
            7 => call("say", json!({ "words": "good luck" })),
            8 => call("pass-dice", json!({})),
            9 if world.chance.one_in(3) => call(&format!("seats/{}", world.chance.between(1, 3)), Value::Null),
            10 => call("actions", json!({ "bets": [{ "bet": "P", "amount": 1_000 }] })),
            11..14 => call("roll", json!({})),
            14 => call("roll", json!({ "seed": format!("mine-{number}") })),
            _ => call("actions", bets(&world)),
        };
        let reply = world.insist(&call).await;
        let is_order =
            call.path.ends_with("/actions") && reply.as_ref().is_some_and(|reply| reply.body["rows"][0].is_object());
        if is_order {
            last = Some(call);
        }
    }
}

/// Sells chips and buys them back. A cashier who gets no answer looks before they try again.
async fn cashier(world: Arc<World>, cass: Person, player: Person) {
    let account = player.who.trim_start_matches("a:").to_owned();
    for _ in 0..world.chance.between(2, 8) {
        sleep(Duration::from_millis(world.chance.between(500, 8_000))).await;
        let chips = *world.chance.pick(&[10_000, 25_000, -5_000, -400_000]);
        let body = json!({ "chips": chips, "note": "cash" });
        let call = Call::new(&cass, Method::POST, format!("/accounts/{account}/purse"), Some(body));
        let call = Call { cash: Some((player.who.clone(), chips)), ..call };
        if world.send(&call).await.is_none() {
            world.insist(&Call::get(&cass, &format!("/accounts/{account}/purse"))).await;
        }
    }
}

/// Takes the dealer's role away and gives it back.
async fn admin(world: Arc<World>, ada: Person, dee: Person) {
    let account = dee.who.trim_start_matches("a:").to_owned();
    let grants = format!("/accounts/{account}/grants");
    for _ in 0..world.chance.between(1, 5) {
        sleep(Duration::from_millis(world.chance.between(1_000, 9_000))).await;
        let held = world.insist(&Call::get(&ada, &grants)).await;
        let held = held.map(|reply| reply.body).unwrap_or_default();
        let roles: Vec<&Value> =
            held.as_array().into_iter().flatten().filter(|grant| grant["role"] == "dealer").collect();
        if roles.is_empty() {
            world.promises().revoked.remove(&account);
            let body = json!({ "role": "dealer", "table": "crew" });
            world.send(&Call::new(&ada, Method::POST, grants.clone(), Some(body))).await;
            continue;
        }
        let mut gone = true;
        for grant in roles {
            let path = format!("{grants}/{}", grant["id"].as_str().unwrap_or_default());
            let reply = world.insist(&Call::new(&ada, Method::DELETE, path, None)).await;
            // Once it was revoked, a second try doesn't find it.
            gone &= reply.is_some_and(|reply| reply.is_done() || reply.status == 404);
        }
        if gone {
            let now = world.history.millis();
            world.promises().revoked.insert(account.clone(), now);
        }
    }
}

/// Works at the crew's table while the role lasts.
async fn dealer(world: Arc<World>, dee: Person) {
    let account = dee.who.trim_start_matches("a:").to_owned();
    for number in 0..world.chance.between(4, 10) {
        sleep(Duration::from_millis(world.chance.between(300, 4_000))).await;
        let key = format!("Dee{number}");
        let words = json!({ "words": "place your bets", "as": "dealer" });
        let call = Call::to_table(&dee, "crew", "say", words, key);
        world.insist(&Call { by_right_of: Some(account.clone()), ..call }).await;
    }
}

/// Tries to get what nobody may have.
async fn cheat(world: Arc<World>, mal: Person, pam: Person, dot: Person) {
    let account = mal.who.trim_start_matches("a:").to_owned();
    let own: [(&str, Value); 9] = [
        ("seats", json!({ "buy_in": 1 })),
        ("seats", json!({ "buy_in": 1_000_000_000_000_i64 })),
        ("buy-in", json!({ "amount": 500_000 })),
        ("buy-in", json!({ "seat": 1, "amount": 500 })),
        ("actions", json!({ "bets": [{ "bet": "P", "amount": 2_500, "coupon": 2_500 }] })),
        ("actions", json!({ "seat": 1, "bets": [{ "bet": "F", "amount": 500 }] })),
        ("undo", json!({ "seat": 1 })),
        ("roll", json!({ "as": "dealer" })),
        ("say", json!({ "words": "x", "as": "boxperson" })),
    ];
    for number in 0..world.chance.between(4, 10) {
        think(&world).await;
        let key = format!("Mal{number}");
        let never = |call: Call, promise: Promise| Call { never: Some(promise), ..call };
        let call = match world.chance.below(7) {
            0 => {
                let body = json!({ "chips": 100_000, "note": "mine" });
                let call = Call::new(&mal, Method::POST, format!("/accounts/{account}/purse"), Some(body));
                never(call, Promise::MoneyHasASource)
            }
            1 => {
                let body = json!({ "role": "boxperson" });
                let call = Call::new(&mal, Method::POST, format!("/accounts/{account}/grants"), Some(body));
                never(call, Promise::NobodyActsForOthers)
            }
            2 => never(
                Call::to_table(&mal, "live", &format!("seats/{}", world.chance.between(1, 3)), Value::Null, key),
                Promise::NobodyActsForOthers,
            ),
            // Dot deals at this table.
            3 => never(
                Call::to_table(&dot, "crew", "seats", json!({ "as": "player", "buy_in": 1 }), key),
                Promise::NobodyActsForOthers,
            ),
            // Keys belong to the client who uses them.
            4 => {
                let number = world.chance.below(20);
                let body = json!({ "bets": [{ "bet": "F", "amount": 500 }] });
                let call = Call::to_table(&mal, "live", "actions", body, format!("{}{number}", pam.name));
                never(call, Promise::NobodyActsForOthers)
            }
            _ => {
                let (what, body) = world.chance.pick(&own);
                let promise =
                    if body["bets"].is_null() { Promise::MoneyHasASource } else { Promise::NobodyActsForOthers };
                never(Call::to_table(&mal, "live", what, body.clone(), key), promise)
            }
        };
        let reply = world.send(&call).await;
        world.history.note(&format!("Mal gets {:?}", reply.map(|reply: Reply| reply.status)));
    }
}
