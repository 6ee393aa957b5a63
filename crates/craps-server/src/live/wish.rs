//! What somebody wishes of a table: one body for each request, the same over HTTP and over a stream. The writer of the table decides it.

use crate::people::Role;
use craps_table::SeatId;
use serde::Deserialize;
use utoipa::ToSchema;

/// Bodies that all begin alike: a key, and as whom.
macro_rules! body {
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// A key of your own: the same key asks for the same thing however often it arrives.
            #[serde(default)]
            pub id: Option<String>,
            /// As whom you act, where you could act as several.
            #[serde(default, rename = "as")]
            pub role: Option<Role>,
            $($(#[$field_about])* pub $field: $kind,)*
        }
    };
}

body! {
    /// Sit down. Amounts are in minor units.
    Join {
        /// Where; none is any free seat.
        #[serde(default)]
        seat: Option<SeatId>,
        /// Under which name; none is the one you have.
        #[serde(default)]
        name: Option<String>,
        /// With how much.
        buy_in: i64,
    }
}
body! {
    /// Buy chips.
    BuyIn {
        /// Where, for the staff; a player has one seat.
        #[serde(default)]
        seat: Option<SeatId>,
        /// How much, in minor units.
        amount: i64,
    }
}
body! {
    /// Leave with what is on the rail.
    Leave {
        /// Where.
        seat: SeatId,
    }
}
body! {
    /// An order: bets by code, or what you would say at the rail. All of it is done, or none.
    Actions {
        /// For which seat, for the staff; a player has one.
        #[serde(default)]
        seat: Option<SeatId>,
        /// Bets by code.
        #[serde(default)]
        bets: Vec<BetOrder>,
        /// Rail talk, such as `12 on the six; odds 50`.
        #[serde(default)]
        say: Option<String>,
    }
}
body! {
    /// Something that needs no more said.
    Plain {
        /// For which seat, for the staff; a player has one.
        #[serde(default)]
        seat: Option<SeatId>,
    }
}
body! {
    /// Something for everybody at the table to hear, where it was opened with chat.
    Say {
        /// In these words: up to 200 characters of plain text on one line.
        words: String,
    }
}
body! {
    /// How you take the betting window: what is left out stays.
    Window {
        /// So many times as long as others you need: 1, 2 or 4.
        #[serde(default)]
        times: Option<u8>,
        /// You have bet what you want to before the next throw.
        #[serde(default)]
        ready: Option<bool>,
    }
}
body! {
    /// How the dice lie.
    Dice {
        /// Both faces, the first die first.
        dice: [u8; 2],
    }
}
body! {
    /// What the staff does.
    Procedure {
        /// What.
        act: Act,
        /// For which seat: offered, declined, taken.
        #[serde(default)]
        seat: Option<SeatId>,
        /// How many dice: open-table, new-dice.
        #[serde(default)]
        dice: Option<u8>,
        /// How the dice lie: name-faces.
        #[serde(default)]
        faces: Option<[u8; 2]>,
        /// Why: no-roll, new-dice, name-faces.
        #[serde(default)]
        reason: Option<String>,
        /// Trial rolls: inspect.
        #[serde(default)]
        test_rolls: Option<u32>,
        /// Hours: note-hours.
        #[serde(default)]
        hours: Option<u32>,
        /// Only to decide come bets that are left: take-dice.
        #[serde(default)]
        decisions_only: bool,
    }
}
body! {
    /// A ruling on somebody's money: it waits for a second person.
    Ruling {
        /// Whose rail.
        seat: SeatId,
        /// How much, in minor units; less than nothing takes away.
        amount: i64,
        /// Why.
        reason: String,
    }
}
body! {
    /// The second person's word.
    Word {
        /// Yes or no.
        agrees: bool,
    }
}
body! {
    /// The second person's word on a ruling.
    Second {
        /// The row that asks for it.
        row: u64,
        /// Yes or no.
        agrees: bool,
    }
}

/// One bet of an order.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BetOrder {
    /// Its code, such as `PL6`, or its name, such as `place-win-6`.
    pub bet: String,
    /// What to do with it.
    #[serde(default)]
    pub op: Op,
    /// How much, in minor units: added or taken down; nothing for a call. Without it `down` takes all of it.
    #[serde(default)]
    pub amount: Option<i64>,
    /// Made while the dice were in the air, confirmed by these; the staff's to say.
    #[serde(default)]
    pub late: Option<Vec<Role>>,
    /// Spoken, with so much cash, in minor units.
    #[serde(default)]
    pub cash: Option<i64>,
    /// A match-play coupon laid with it, in minor units.
    #[serde(default)]
    pub coupon: Option<i64>,
}

/// What to do with a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Make it, or add to it.
    #[default]
    Add,
    /// Take it down, or so much of it.
    Down,
    /// Call it on.
    On,
    /// Call it off.
    Off,
    /// Withdraw the call.
    Std,
    /// Leave it up when it wins.
    StayUp,
    /// Take it down when it wins.
    ComeDown,
    /// Do what is usual when it wins.
    Usual,
}

/// What the staff does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Inspect the shaker and try it.
    Inspect,
    /// Open the table with its dice.
    OpenTable,
    /// Close the table.
    CloseTable,
    /// Bring a new set of dice.
    NewDice,
    /// Note the hours of the dice.
    NoteHours,
    /// Offer the dice to a seat.
    OfferDice,
    /// Write down that a seat does not want them.
    DeclineDice,
    /// Write down that a seat takes them.
    TakeDice,
    /// No more bets.
    CloseBets,
    /// Write down that the dice leave the shooter's hand.
    Release,
    /// Order the shooter to give up the dice.
    OrderPass,
    /// The throw does not count.
    NoRoll,
    /// The faces were in dispute: say how the dice lie.
    NameFaces,
}

/// What is asked of a table, as a stream takes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Wish {
    /// Sit down.
    Join(Join),
    /// Buy chips.
    BuyIn(BuyIn),
    /// Leave.
    Leave(Leave),
    /// An order.
    Actions(Actions),
    /// Take back the last order since the last throw.
    Undo(Plain),
    /// Do again what was taken back last.
    Redo(Plain),
    /// Make the last bets again.
    Repeat(Plain),
    /// Take back every order since the last throw.
    Clear(Plain),
    /// Throw the machine's dice.
    Roll(Plain),
    /// Pass the dice on.
    PassDice(Plain),
    /// Say something to everybody.
    Say(Say),
    /// Say how you take the betting window.
    Window(Window),
    /// Enter the dice.
    Dice(Dice),
    /// Say what the dice show, as a second person.
    Confirm(Dice),
    /// What the staff does.
    Procedure(Procedure),
    /// Ask for a ruling.
    Ruling(Ruling),
    /// Decide on a ruling.
    Second(Second),
}

impl Wish {
    /// Its route, by which the table of access knows it.
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
            Wish::Say(_) => ("POST", "/tables/{table}/say"),
            Wish::Window(_) => ("POST", "/tables/{table}/window"),
            Wish::Dice(_) => ("POST", "/tables/{table}/dice"),
            Wish::Confirm(_) => ("POST", "/tables/{table}/dice/confirm"),
            Wish::Procedure(_) => ("POST", "/tables/{table}/procedure"),
            Wish::Ruling(_) => ("POST", "/tables/{table}/rulings"),
            Wish::Second(_) => ("POST", "/tables/{table}/rulings/{row}"),
        }
    }

    /// The key it came with, and as whom it is wished.
    #[must_use]
    pub fn common(&self) -> (Option<&String>, Option<Role>) {
        macro_rules! of {
            ($($variant:ident),*) => {
                match self { $(Wish::$variant(body) => (body.id.as_ref(), body.role),)* }
            };
        }
        of!(
            Join, BuyIn, Leave, Actions, Undo, Redo, Repeat, Clear, Roll, PassDice, Say, Window, Dice, Confirm,
            Procedure, Ruling, Second
        )
    }

    /// The key it came with.
    #[must_use]
    pub fn id(&self) -> Option<&String> {
        self.common().0
    }

    /// The seat that it names.
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
