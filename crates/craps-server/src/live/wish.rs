//! Requests to a table: one body per request, the same over HTTP and over a stream. The table's writer decides them.

use super::fair::hex;
use crate::people::Role;
use craps_table::SeatId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// An idempotency key and the request that it was sent with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    /// The key.
    pub key: String,
    /// Digest of the request. Empty if it only asks what was done under the key.
    pub asked: String,
}

/// Defines a body. Every body begins with a key and a role.
macro_rules! body {
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Your idempotency key. A request with the same key is done only once, however often it arrives.
            #[serde(default)]
            pub id: Option<String>,
            /// The role you act in, if you have several.
            #[serde(default, rename = "as")]
            pub role: Option<Role>,
            $($(#[$field_about])* pub $field: $kind,)*
        }
    };
}

body! {
    /// Take a seat. Amounts are in cents.
    Join {
        /// Number of the seat. None means any free seat.
        #[serde(default)]
        seat: Option<SeatId>,
        /// Name to play under. None means your own name.
        #[serde(default)]
        name: Option<String>,
        /// Buy-in.
        buy_in: i64,
    }
}
body! {
    /// Buy chips.
    BuyIn {
        /// The player's seat, if the staff asks. A player needn't give it.
        #[serde(default)]
        seat: Option<SeatId>,
        /// Amount in cents.
        amount: i64,
    }
}
body! {
    /// Leave with the chips in the rail.
    Leave {
        /// Seat to leave.
        seat: SeatId,
    }
}
body! {
    /// An order: bets by code, or words as you would say them at the table. Either all of it is done or none.
    Actions {
        /// The player's seat, if the staff asks. A player needn't give it.
        #[serde(default)]
        seat: Option<SeatId>,
        /// Bets by code. Leave it out if you use `say`.
        #[serde(default)]
        bets: Vec<BetOrder>,
        /// Rail talk, such as `12 on the six; odds 50`.
        #[serde(default)]
        say: Option<String>,
    }
}
body! {
    /// A request without more fields.
    Plain {
        /// The player's seat, if the staff asks. A player needn't give it.
        #[serde(default)]
        seat: Option<SeatId>,
    }
}
body! {
    /// Roll the machine's dice.
    RollDice {
        /// The player's seat, if the staff asks. A player needn't give it.
        #[serde(default)]
        seat: Option<SeatId>,
        /// A new seed for your seat. It counts for this roll, and until you change it.
        #[serde(default)]
        seed: Option<String>,
    }
}
body! {
    /// Set the seed of your seat. It counts for the dice from the next roll on.
    Seed {
        /// 1 to 64 letters, digits and signs of ASCII, without spaces.
        seed: String,
    }
}
body! {
    /// A chat message to everyone at the table, if it was opened with chat.
    Say {
        /// Text of the message: up to 200 characters of plain text on one line.
        words: String,
    }
}
body! {
    /// How much time you need in the betting window, and whether you are ready. A field that is left out stays as it was.
    Window {
        /// How many times the normal time you need: 1, 2 or 4.
        #[serde(default)]
        times: Option<u8>,
        /// You have made your bets for the next roll.
        #[serde(default)]
        ready: Option<bool>,
    }
}
body! {
    /// What the dice show.
    Dice {
        /// Both faces, the first die first.
        dice: [u8; 2],
    }
}
body! {
    /// An act of the staff.
    Procedure {
        /// Which act.
        act: Act,
        /// Seat for offer-dice, decline-dice and take-dice.
        #[serde(default)]
        seat: Option<SeatId>,
        /// Number of dice for open-table and new-dice.
        #[serde(default)]
        dice: Option<u8>,
        /// What the dice show, for name-faces.
        #[serde(default)]
        faces: Option<[u8; 2]>,
        /// Seat that rolls instead, for nominate.
        #[serde(default)]
        shooter: Option<SeatId>,
        /// Reason for no-roll, new-dice, name-faces and order-pass.
        #[serde(default)]
        reason: Option<String>,
        /// Number of test rolls for inspect.
        #[serde(default)]
        test_rolls: Option<u32>,
        /// Hours that the dice have been in use, for note-hours.
        #[serde(default)]
        hours: Option<u32>,
        /// For take-dice: roll only to decide the come bets that are left.
        #[serde(default)]
        decisions_only: bool,
    }
}
body! {
    /// A ruling that moves a player's money. It waits for a second person.
    Ruling {
        /// Seat of the player whose chips it moves.
        seat: SeatId,
        /// Amount in cents. Negative takes chips away.
        amount: i64,
        /// Reason for the ruling.
        reason: String,
    }
}
body! {
    /// The second person's decision.
    Word {
        /// True to approve, false to reject.
        agrees: bool,
    }
}
body! {
    /// The second person's decision on a ruling.
    Second {
        /// Number of the row that asks for the ruling.
        row: u64,
        /// True to approve, false to reject.
        agrees: bool,
    }
}

body! {
    /// The answer to a player's request that waits for the crew.
    Reply {
        /// Number of the request.
        request: u32,
        /// True to confirm it, false to turn it down or to take it back.
        agrees: bool,
    }
}

/// One bet of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BetOrder {
    /// Code of the bet, such as `PL6`, or its name, such as `place-win-6`.
    pub bet: String,
    /// What to do with the bet.
    #[serde(default)]
    pub op: Op,
    /// Amount to add or take down, in cents. `down` without an amount takes down the whole bet; `on`, `off` and the others take none.
    #[serde(default)]
    pub amount: Option<i64>,
    /// The bet was made while the dice were in the air, and these roles confirmed it. Only the staff can say so.
    #[serde(default)]
    pub late: Option<Vec<Role>>,
    /// The bet was called out with this much cash, in cents.
    #[serde(default)]
    pub cash: Option<i64>,
    /// Value of a match-play coupon with the bet, in cents.
    #[serde(default)]
    pub coupon: Option<i64>,
}

/// What to do with a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Make the bet, or add to it.
    #[default]
    Add,
    /// Take the bet down, or part of it.
    Down,
    /// Turn the bet on.
    On,
    /// Turn the bet off.
    Off,
    /// Undo `on` or `off`: back to the book's default.
    Std,
    /// Leave the bet up when it wins.
    StayUp,
    /// Take the bet down when it wins.
    ComeDown,
    /// Do what is usual when the bet wins.
    Usual,
}

/// An act of the staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Inspect and test the shaker.
    Inspect,
    /// Open the table with its dice.
    OpenTable,
    /// Close the table.
    CloseTable,
    /// Bring a new set of dice.
    NewDice,
    /// Record how many hours the dice have been in use.
    NoteHours,
    /// Offer the dice to a seat.
    OfferDice,
    /// Record that a seat declines the dice.
    DeclineDice,
    /// Record that a seat takes the dice.
    TakeDice,
    /// Call "no more bets".
    CloseBets,
    /// Record that the dice left the shooter's hand.
    Release,
    /// Order the shooter to give up the dice: `reason` is `delay`, `invalid-rolls` or `breach`, as the book lists them.
    OrderPass,
    /// Record that the player who is offered the dice names another shooter.
    Nominate,
    /// Record that a player takes down all bets after a power failure.
    Withdraw,
    /// The roll doesn't count.
    NoRoll,
    /// Decide what the dice show after a dispute.
    NameFaces,
}

/// A request to a table, as a stream takes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Wish {
    /// Take a seat.
    Join(Join),
    /// Buy chips.
    BuyIn(BuyIn),
    /// Leave the table.
    Leave(Leave),
    /// Make an order.
    Actions(Actions),
    /// Take back your last order since the last roll.
    Undo(Plain),
    /// Do again what you took back last.
    Redo(Plain),
    /// Make your last bets again.
    Repeat(Plain),
    /// Take back all your orders since the last roll.
    Clear(Plain),
    /// Roll the machine's dice.
    Roll(RollDice),
    /// Pass the dice on.
    PassDice(Plain),
    /// Set the seed of your seat.
    Seed(Seed),
    /// Send a chat message.
    Say(Say),
    /// Say how much time you need, or that you are ready.
    Window(Window),
    /// Enter the dice.
    Dice(Dice),
    /// Confirm the dice, as a second person.
    Confirm(Dice),
    /// Record an act of the staff.
    Procedure(Procedure),
    /// Confirm a player's request, or turn it down.
    Reply(Reply),
    /// Ask for a ruling.
    Ruling(Ruling),
    /// Approve or reject a ruling.
    Second(Second),
}

impl Wish {
    /// Returns the method and path of the request, which decide who may make it.
    #[must_use]
    pub fn route(&self) -> (&'static str, &'static str) {
        match self {
            Wish::Join(_) => ("POST", "/tables/{table}/seats"),
            Wish::BuyIn(_) => ("POST", "/tables/{table}/buy-in"),
            Wish::Leave(_) => ("DELETE", "/tables/{table}/seats/{seat}"),
            Wish::Actions(_) => ("POST", "/tables/{table}/actions"),
            Wish::Undo(_) => ("POST", "/tables/{table}/undo"),
            Wish::Redo(_) => ("POST", "/tables/{table}/redo"),
            Wish::Repeat(_) => ("POST", "/tables/{table}/repeat"),
            Wish::Clear(_) => ("POST", "/tables/{table}/clear"),
            Wish::Roll(_) => ("POST", "/tables/{table}/roll"),
            Wish::PassDice(_) => ("POST", "/tables/{table}/pass-dice"),
            Wish::Seed(_) => ("POST", "/tables/{table}/seed"),
            Wish::Say(_) => ("POST", "/tables/{table}/say"),
            Wish::Window(_) => ("POST", "/tables/{table}/window"),
            Wish::Dice(_) => ("POST", "/tables/{table}/dice"),
            Wish::Confirm(_) => ("POST", "/tables/{table}/dice/confirm"),
            Wish::Procedure(_) => ("POST", "/tables/{table}/procedure"),
            Wish::Reply(_) => ("POST", "/tables/{table}/requests/{request}"),
            Wish::Ruling(_) => ("POST", "/tables/{table}/rulings"),
            Wish::Second(_) => ("POST", "/tables/{table}/rulings/{row}"),
        }
    }

    /// Returns the key and the role that came with the request.
    #[must_use]
    pub fn common(&self) -> (Option<&String>, Option<Role>) {
        macro_rules! of {
            ($($variant:ident),*) => {
                match self { $(Wish::$variant(body) => (body.id.as_ref(), body.role),)* }
            };
        }
        of!(
            Join, BuyIn, Leave, Actions, Undo, Redo, Repeat, Clear, Roll, PassDice, Seed, Say, Window, Dice, Confirm,
            Procedure, Reply, Ruling, Second
        )
    }

    /// Returns the key that came with the request.
    #[must_use]
    pub fn id(&self) -> Option<&String> {
        self.common().0
    }

    /// Returns the request's key together with its digest. An order without bets and words asks only for the result of its key.
    #[must_use]
    pub fn keyed(&self, key: String) -> Keyed {
        let only_asks = matches!(self, Wish::Actions(order) if order.bets.is_empty() && order.say.is_none());
        Keyed { key, asked: if only_asks { String::new() } else { self.digest() } }
    }

    /// Returns a digest of everything that the request asks for. The key isn't part of it, and neither is a field without a value, so that a field
    /// that a later version adds changes nothing.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut asked = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = asked.as_object_mut() {
            fields.remove("id");
        }
        plain(&mut asked);
        hex(&Sha256::digest(asked.to_string())[..16])
    }

    /// Can the request put chips on the layout? Taking back an order that took a bet down can.
    #[must_use]
    pub const fn puts_down(&self) -> bool {
        matches!(self, Wish::Actions(_) | Wish::Undo(_) | Wish::Redo(_) | Wish::Repeat(_) | Wish::Clear(_))
    }

    /// Returns the seat that the request names.
    #[must_use]
    pub fn seat(&self) -> Option<SeatId> {
        match self {
            Wish::Join(body) => body.seat,
            Wish::BuyIn(body) => body.seat,
            Wish::Leave(body) => Some(body.seat),
            Wish::Actions(body) => body.seat,
            Wish::Undo(body) | Wish::Redo(body) | Wish::Repeat(body) | Wish::Clear(body) => body.seat,
            _ => None,
        }
    }
}

/// Removes all fields without a value.
fn plain(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(plain);
            fields.retain(|_, value| {
                !matches!(value, Value::Null | Value::Bool(false)) && *value != Value::Array(Vec::new())
            });
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_digest_is_of_what_is_asked_and_not_of_its_key() {
        let digest = |body: Value| serde_json::from_value::<Wish>(body).unwrap().digest();
        let bet = digest(json!({ "do": "actions", "id": "k1", "bets": [{ "bet": "F", "amount": 500 }] }));
        assert_eq!(bet.len(), 32);
        let same = json!({ "bets": [{ "amount": 500, "bet": "F", "op": "add", "cash": null }], "do": "actions", "seat": null });
        assert_eq!(digest(same), bet);
        for other in [
            json!({ "do": "actions", "bets": [{ "bet": "F", "amount": 501 }] }),
            json!({ "do": "actions", "bets": [{ "bet": "F", "amount": 500 }, { "bet": "F", "amount": 500 }] }),
            json!({ "do": "actions", "bets": [{ "bet": "F", "amount": 500 }], "seat": 1 }),
            json!({ "do": "undo" }),
            json!({ "do": "redo" }),
        ] {
            assert_ne!(digest(other.clone()), bet, "{other}");
        }
        assert_ne!(digest(json!({ "do": "undo" })), digest(json!({ "do": "redo" })));
        assert_ne!(
            digest(json!({ "do": "reply", "request": 1, "agrees": true })),
            digest(json!({ "do": "reply", "request": 1, "agrees": false }))
        );
    }
}
