//! Overload: guests send many more commands than a server can take, over extra connections of their own.

use crate::bot::{Outcome, Sent, is_for_now};
use crate::crowd::{Crowd, Guest};
use crate::http::{Http, Reply};
use crate::line::Answer;
use crate::{Bot, Trouble};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Delay before a retry, if the server doesn't say.
const AGAIN: Duration = Duration::from_secs(1);

/// What one extra connection sent and heard.
struct Pressed {
    client: String,
    sent: Vec<Sent>,
    later: BTreeMap<String, u64>,
}

/// Everything that the extra connections sent.
#[derive(Default)]
pub(crate) struct Press(Vec<Pressed>);

impl Press {
    /// Lets every guest of the crowd send commands over `each` extra connections until `until`, and waits for the last answers.
    pub(crate) async fn of(crowd: &Crowd, node: SocketAddr, each: usize, until: Instant) -> Result<Press, Trouble> {
        let mut callers = JoinSet::new();
        for guest in &crowd.guests {
            for number in 0..each {
                callers.spawn(call(guest.clone(), node, number, until));
            }
        }
        let mut press = Press::default();
        while let Some(called) = callers.join_next().await {
            press.0.push(called.map_err(|error| Trouble::Server(error.to_string()))??);
        }
        Ok(press)
    }

    /// Counts the answers that asked to retry later, by code.
    pub(crate) fn later(&self) -> BTreeMap<String, u64> {
        let mut later = BTreeMap::new();
        for (code, count) in self.0.iter().flat_map(|pressed| &pressed.later) {
            *later.entry(code.clone()).or_default() += count;
        }
        later
    }

    /// Counts the commands that were carried out.
    pub(crate) fn done(&self) -> usize {
        let done = |sent: &&Sent| matches!(&sent.outcome, Outcome::Done(rows) if !rows.is_empty());
        self.0.iter().flat_map(|pressed| &pressed.sent).filter(done).count()
    }

    /// Adds the commands to the records of the bots that belong to the same guests.
    pub(crate) fn into_journals(self, bots: &mut [Bot]) {
        let mut by_client: HashMap<String, Vec<Sent>> = HashMap::new();
        for pressed in self.0 {
            by_client.entry(pressed.client).or_default().extend(pressed.sent);
        }
        for bot in bots {
            bot.sent.extend(by_client.remove(&bot.client).unwrap_or_default());
        }
    }
}

async fn call(guest: Guest, node: SocketAddr, number: usize, until: Instant) -> Result<Pressed, Trouble> {
    let Guest { client, cookie, table } = guest;
    let mut http = Http::to(node, Some(cookie)).await?;
    let mut pressed = Pressed { client, sent: Vec::new(), later: BTreeMap::new() };
    while Instant::now() < until {
        let key = format!("press-{number}-{}", pressed.sent.len());
        // Alternate betting and taking down. Bets alone would soon exceed the table maximum.
        let op = if pressed.sent.len().is_multiple_of(2) { "add" } else { "down" };
        let wish = json!({ "id": key, "bets": [{ "bet": "F", "op": op, "amount": 500 }] });
        let mut sent = Sent::new(key, wish, Instant::now());
        let outcome = loop {
            let reply = http.ask("POST", &format!("/tables/{table}/actions"), Some(&sent.wish)).await?;
            match outcome(&reply) {
                // What is still refused when the time is over isn't sent again.
                Outcome::Refused(code) if is_for_now(&code) && Instant::now() < until => {
                    *pressed.later.entry(code).or_default() += 1;
                    sleep(reply.again.map_or(AGAIN, Duration::from_secs)).await;
                }
                outcome => break outcome,
            }
        };
        sent.came(outcome);
        pressed.sent.push(sent);
    }
    Ok(pressed)
}

fn outcome(reply: &Reply) -> Outcome {
    let answer: Answer = serde_json::from_str(&reply.text).unwrap_or_default();
    match reply.status {
        200 => Outcome::Done(answer.numbers()),
        _ => Outcome::Refused(answer.code.unwrap_or_else(|| "none".to_owned())),
    }
}
