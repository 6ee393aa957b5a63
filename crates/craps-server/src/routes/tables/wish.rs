//! What can be asked of a table, over HTTP and over a stream alike: one body for each, and what it comes to.

use crate::app::App;
use crate::error::ApiError;
use crate::input::Key;
use crate::live::pit::{Ask, Told, Want};
use crate::live::rows::{Reader, RowView};
use crate::live::view::Eye;
use crate::live::{Deed, Live, SAID_MOST};
use crate::people::{Principal, Role};
use axum::http::StatusCode;
use craps_money::{Money, Stake};
use craps_notation::talk::{self, Order, Question, Verb};
use craps_table::{Actor, AfterWin, Called, Command, Manner, NewDice, NoRollReason, SeatId, SlotId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// How long a name at a table may be.
const NAME_MOST: usize = 32;
/// How many bets one order may hold.
const BETS_MOST: usize = 200;
/// How much may be said at once.
const WORDS_MOST: usize = 500;

/// Bodies that all begin alike: a key, and as whom.
macro_rules! body {
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// A key of your own: the same key asks for the same thing however often it arrives.
            #[serde(default)]
            pub(crate) id: Option<String>,
            /// As whom you act, where you could act as several.
            #[serde(default, rename = "as")]
            pub(crate) role: Option<Role>,
            $($(#[$field_about])* pub(crate) $field: $kind,)*
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
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BetOrder {
    /// Its code, such as `PL6`, or its name, such as `place-win-6`.
    bet: String,
    /// What to do with it.
    #[serde(default)]
    op: Op,
    /// How much, in minor units: added or taken down; nothing for a call. Without it `down` takes all of it.
    #[serde(default)]
    amount: Option<i64>,
    /// Made while the dice were in the air, confirmed by these; the staff's to say.
    #[serde(default)]
    late: Option<Vec<Role>>,
    /// Spoken, with so much cash, in minor units.
    #[serde(default)]
    cash: Option<i64>,
    /// A match-play coupon laid with it, in minor units.
    #[serde(default)]
    coupon: Option<i64>,
}

/// What to do with a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Op {
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
pub(crate) enum Act {
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
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Wish {
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

/// What came of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Answer {
    /// The rows that say so; none where there was nothing to do.
    rows: Vec<RowView>,
    /// It had been done before under this key.
    again: bool,
    /// What was understood, where it was said in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    understood: Option<String>,
    /// Where a question is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
}

impl Wish {
    /// Its route, by which the table of access knows it.
    pub(crate) fn route(&self) -> (&'static str, &'static str) {
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

    fn common(&self) -> (Option<&String>, Option<Role>) {
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
    pub(crate) fn id(&self) -> Option<&String> {
        self.common().0
    }
}

/// Asks it of a table.
///
/// # Errors
/// When it is malformed, refused, or cannot be done now.
pub(crate) async fn ask(
    app: &App,
    principal: &Principal,
    table: &str,
    wish: Wish,
    key: Key,
) -> Result<Answer, ApiError> {
    let key = key.or(wish.id().cloned())?;
    let done = match asked(app, principal, table, wish, key.clone()).await {
        Ok(Ok(ask)) => app.pit.ask(table, ask).await?,
        Ok(Err(answer)) => return Ok(answer),
        // What was done under this key before may not even be asked for any more.
        Err(error) => match key {
            Some(key) => app.pit.known(table, &principal.client(), &key).await?.ok_or(error)?,
            None => return Err(error),
        },
    };
    let eye = eye(principal, table);
    let rows = if done.again { whole(app, table, done.rows).await? } else { done.rows };
    let reader = reader(app, table).await?;
    Ok(Answer {
        rows: rows.iter().map(|told| reader.row(told, &eye)).collect(),
        again: done.again,
        understood: done.understood,
        see: None,
    })
}

/// A wish as a table takes it, or the answer where there is nothing to ask of the table.
async fn asked(
    app: &App,
    principal: &Principal,
    table: &str,
    wish: Wish,
    key: Option<String>,
) -> Result<Result<Ask, Answer>, ApiError> {
    let role = wish.common().1;
    let actor = match (&wish, role) {
        (Wish::Join(join), None | Some(Role::Player)) => Actor::player(seat_wanted(app, principal, table, join).await?),
        _ => match principal.actor_at(app, table, role).await {
            Ok(actor) if actor != Actor::shooter() => actor,
            // They may have sat down at another node.
            _ => {
                app.pit.catch_up(table).await?;
                principal.actor_at(app, table, role).await?
            }
        },
    };
    // What a player does at a table with a crew of people the staff writes down.
    let written = actor.role != craps_table::Role::Player;
    let (actor, want) = match wanted(app, principal, table, actor, wish).await? {
        Wanted::Ask(actor, want) => (actor, want),
        Wanted::Nothing { understood, see } => {
            return Ok(Err(Answer { rows: Vec::new(), again: false, understood: Some(understood), see }));
        }
    };
    // Whoever writes down somebody else's bets does not play.
    let room = if written { None } else { principal.room(app, table).await? };
    let (by, client) = (principal.by(actor), principal.client());
    Ok(Ok(Ask { by, client, key, want, room, written }))
}

/// Who is looking, at a table.
pub(crate) fn eye(principal: &Principal, table: &str) -> Eye {
    let all = principal.roles_at(table).into_iter().any(|role| role != Role::Player);
    Eye { who: principal.who.clone(), all, invitation: principal.invitation.clone() }
}

/// A reader of a table's rows.
pub(crate) async fn reader(app: &App, table: &str) -> Result<Reader, ApiError> {
    Ok(app.pit.fixed(table).await?.reader.clone())
}

/// What the machine did right after a row belongs to whoever asked for the row: a throw to the one who closed the bets.
async fn whole(app: &App, table: &str, rows: Vec<Arc<Told>>) -> Result<Vec<Arc<Told>>, ApiError> {
    let Some(last) = rows.last().filter(|told| matches!(told.entry.did, Deed::Closed { .. })) else { return Ok(rows) };
    let next = app.pit.rows(table, last.row.seq, 3).await?;
    let machine = next.into_iter().take_while(|told| {
        matches!(told.entry.did, Deed::Thrown { .. } | Deed::Revealed { .. } | Deed::Committed { .. })
    });
    let mut next: Vec<Told> = machine.collect();
    if let Some(thrown) = next.first_mut() {
        let row = thrown.row.seq;
        thrown.roll = app.pit.peek(table, move |live| live.roll_of(row).cloned()).await?;
    }
    Ok(rows.into_iter().chain(next.into_iter().map(Arc::new)).collect())
}

/// The seat that a newcomer wants.
async fn seat_wanted(app: &App, principal: &Principal, table: &str, join: &Join) -> Result<SeatId, ApiError> {
    let who = principal.known()?.to_owned();
    let wanted = join.seat;
    let (own, free) =
        app.pit.peek(table, move |live| (live.seat_of(&who), wanted.or_else(|| live.free_seat()))).await?;
    // Whoever asks again under the same key is told what came of it.
    if let (Some(own), None) = (own, &join.id) {
        return Err(ApiError::new(StatusCode::CONFLICT, "seated", format!("you sit at seat {own} already")));
    }
    own.or(free).ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "full", "every seat is taken"))
}

fn stake(field: &str, amount: i64) -> Result<Stake, ApiError> {
    Stake::new(Money::from_minor(amount)).ok_or_else(|| {
        unprocessable(format!("{field}: expected an amount above nothing in minor units, found {amount}"))
    })
}

fn unprocessable(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message)
}

enum Wanted {
    Ask(Actor, Want),
    /// There is nothing to ask of the table.
    Nothing {
        understood: String,
        see: Option<String>,
    },
}

impl From<(Actor, Want)> for Wanted {
    fn from((actor, want): (Actor, Want)) -> Wanted {
        Wanted::Ask(actor, want)
    }
}

/// The seat somebody acts for: a player for their own, the staff for the one they name.
fn acts_for(actor: Actor, named: Option<SeatId>) -> Result<SeatId, ApiError> {
    match (actor.seat, named) {
        (Some(own), Some(named)) if own != named => {
            Err(ApiError::forbidden(format!("you sit at seat {own} and cannot act for seat {named}")))
        }
        (Some(own), _) => Ok(own),
        (None, Some(named)) => Ok(named),
        // Whoever has no seat is told so by the table, or what they did under this key before they left.
        (None, None) if actor.role == craps_table::Role::Player => Ok(0),
        (None, None) => Err(unprocessable("seat: say for which seat you act")),
    }
}

async fn wanted(app: &App, principal: &Principal, table: &str, actor: Actor, wish: Wish) -> Result<Wanted, ApiError> {
    let order = |command: Command| Want::Order(vec![command]);
    let want = match wish {
        Wish::Join(join) => {
            if join.buy_in < 0 {
                return Err(unprocessable(format!(
                    "buy_in: expected nothing or more in minor units, found {}",
                    join.buy_in
                )));
            }
            let seat = match actor.seat {
                Some(seat) => seat,
                None => match join.seat {
                    Some(seat) => seat,
                    None => app
                        .pit
                        .peek(table, |live| live.free_seat())
                        .await?
                        .ok_or_else(|| unprocessable("every seat is taken"))?,
                },
            };
            let name = name(join.name.as_deref().unwrap_or(&principal.name))?;
            order(Command::Join { seat, name, money: Money::from_minor(join.buy_in) })
        }
        Wish::BuyIn(body) => {
            order(Command::BuyIn { seat: acts_for(actor, body.seat)?, money: stake("amount", body.amount)? })
        }
        Wish::Leave(body) => order(Command::Leave { seat: acts_for(actor, Some(body.seat))? }),
        Wish::Actions(body) => return actions(app, table, actor, body).await,
        Wish::Undo(body) => Want::Undo(acts_for(actor, body.seat)?),
        Wish::Redo(body) => Want::Redo(acts_for(actor, body.seat)?),
        Wish::Repeat(body) => Want::Repeat(acts_for(actor, body.seat)?),
        Wish::Clear(body) => Want::Clear(acts_for(actor, body.seat)?),
        Wish::Roll(_) => Want::Roll,
        Wish::PassDice(_) if actor.seat.is_none() => return Ok((Actor::shooter(), order(Command::PassDice)).into()),
        Wish::PassDice(_) => order(Command::PassDice),
        Wish::Say(body) => {
            let words = words(&body.words)?;
            app.desk.count_words(&principal.client())?;
            Want::Say(words)
        }
        Wish::Window(body) => Want::Pace(body.times, body.ready),
        Wish::Dice(body) => Want::Enter(body.dice),
        Wish::Confirm(body) => Want::Confirm(body.dice),
        Wish::Procedure(body) => return procedure(actor, body).map(Wanted::from),
        Wish::Ruling(body) => Want::Propose(Command::Rule {
            seat: body.seat,
            amount: Money::from_minor(body.amount),
            reason: reason(Some(&body.reason))?,
        }),
        Wish::Second(body) => Want::Second { row: body.row, agrees: body.agrees },
    };
    Ok((actor, want).into())
}

/// A name that games can be written with.
fn name(name: &str) -> Result<String, ApiError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = |c: char| c.is_alphanumeric() || " .'-_()".contains(c);
    if name.is_empty() || name.chars().count() > NAME_MOST || !name.chars().all(plain) {
        return Err(unprocessable(format!(
            "name: expected 1 to {NAME_MOST} letters, figures, blanks or any of . ' - _ ( )"
        )));
    }
    Ok(name)
}

/// What is said to everybody: text, and nothing that would show otherwise than it reads.
fn words(words: &str) -> Result<String, ApiError> {
    let words = words.trim();
    // Marks that turn the direction of writing around could pass one text for another.
    let turns = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !(1..=SAID_MOST).contains(&words.chars().count()) || words.chars().any(|c| c.is_control() || turns(c)) {
        return Err(unprocessable(format!("words: expected 1 to {SAID_MOST} characters of plain text on one line")));
    }
    Ok(words.to_owned())
}

fn reason(reason: Option<&str>) -> Result<String, ApiError> {
    let reason = reason.unwrap_or_default().trim();
    if reason.is_empty() || reason.len() > WORDS_MOST || reason.chars().any(|c| c.is_control() || c == '"') {
        return Err(unprocessable(format!(
            "reason: expected up to {WORDS_MOST} plain characters without quotation marks"
        )));
    }
    Ok(reason.to_owned())
}

async fn actions(app: &App, table: &str, actor: Actor, body: Actions) -> Result<Wanted, ApiError> {
    let seat = acts_for(actor, body.seat)?;
    match (body.say, body.bets.is_empty()) {
        (Some(words), true) => said(table, actor, seat, words),
        (None, false) if body.bets.len() > BETS_MOST => {
            Err(unprocessable(format!("bets: expected at most {BETS_MOST} at once")))
        }
        (None, false) => {
            if actor.seat.is_some() && body.bets.iter().any(|bet| bet.late.is_some()) {
                return Err(ApiError::forbidden("late: the staff says who confirmed a bet in flight"));
            }
            let fixed = app.pit.fixed(table).await?;
            let mut commands = Vec::new();
            for bet in &body.bets {
                let unknown = || unprocessable(format!("bet: this table has no bet `{}`", bet.bet));
                let slot = fixed.layout.named(&bet.bet).ok_or_else(unknown)?;
                let standing = match (bet.op, bet.amount) {
                    (Op::Down, None) => app.pit.peek(table, move |live| standing(live, seat, slot)).await?,
                    _ => None,
                };
                commands.push(bet.command(seat, slot, standing)?);
            }
            Ok((actor, Want::Order(commands)).into())
        }
        (Some(_), false) => Err(ApiError::bad_request("expected `bets` or `say`, found both")),
        (None, true) => Err(ApiError::bad_request("expected `bets` with one bet or more, or `say`")),
    }
}

fn standing(live: &Live, seat: SeatId, slot: SlotId) -> Option<Money> {
    Some(live.table().seat(seat)?.bets.get(slot)?.stake)
}

impl BetOrder {
    fn command(&self, seat: SeatId, slot: SlotId, standing: Option<Money>) -> Result<Command, ApiError> {
        let amount = |field: &str, amount: Option<i64>| amount.map(|amount| stake(field, amount)).transpose();
        let (given, cash, coupon) =
            (amount("amount", self.amount)?, amount("cash", self.cash)?, amount("coupon", self.coupon)?);
        let called = |called: Called| Command::Call { seat, slot, called };
        let told = |after_win: AfterWin| Command::Tell { seat, slot, after_win };
        let confirmed = |role: &Role| role.at_table();
        let late = self.late.as_ref().map(|late| late.iter().filter_map(confirmed).collect());
        let plain = late.is_none() && cash.is_none() && coupon.is_none();
        Ok(match (self.op, given) {
            (Op::Add, Some(amount)) => Command::Bet { seat, slot, amount, manner: Manner { late, cash, coupon } },
            (Op::Add, None) => return Err(unprocessable("amount: a bet needs one, in minor units")),
            _ if !plain => return Err(unprocessable("late, cash and coupon go with `add` only")),
            (Op::Down, amount) => {
                let all = || standing.and_then(Stake::new);
                let nothing = || unprocessable(format!("bet: no `{}` stands at seat {seat}", self.bet));
                Command::TakeDown { seat, slot, amount: amount.or_else(all).ok_or_else(nothing)? }
            }
            (_, Some(_)) => return Err(unprocessable("amount: a call has none")),
            (Op::On, None) => called(Called::On),
            (Op::Off, None) => called(Called::Off),
            (Op::Std, None) => called(Called::Standard),
            (Op::StayUp, None) => told(AfterWin::Up),
            (Op::ComeDown, None) => told(AfterWin::Down),
            (Op::Usual, None) => told(AfterWin::Usual),
        })
    }
}

/// What rail talk asks for: bets are the table's to understand, the rest is known by its words.
fn said(table: &str, actor: Actor, seat: SeatId, words: String) -> Result<Wanted, ApiError> {
    if words.chars().count() > WORDS_MOST {
        return Err(unprocessable(format!("say: expected at most {WORDS_MOST} characters")));
    }
    let heard = talk::hear(&words).map_err(ApiError::from)?;
    let [one] = &heard[..] else { return Ok((actor, Want::Talk(seat, words)).into()) };
    let nothing =
        |see: String| Wanted::Nothing { understood: words.clone(), see: Some(format!("/tables/{table}{see}")) };
    Ok(match &one.order {
        Order::Do(Verb::Roll) => (actor, Want::Roll).into(),
        Order::Do(Verb::Undo) => (actor, Want::Undo(seat)).into(),
        Order::Do(Verb::Redo) => (actor, Want::Redo(seat)).into(),
        Order::Do(Verb::Repeat) => (actor, Want::Repeat(seat)).into(),
        Order::Do(Verb::Clear) => (actor, Want::Clear(seat)).into(),
        Order::Do(Verb::History) => nothing("/rolls".to_owned()),
        Order::Do(Verb::Save) => nothing("/cgn".to_owned()),
        Order::Do(Verb::Help | Verb::Quit) => nothing(String::new()),
        Order::Ask(Question::WhatIf(_) | Question::Exposure) => nothing(format!("/outcomes?seat={seat}")),
        Order::Ask(Question::WhatCanIBet | Question::Legal | Question::Limits | Question::OddsOn(_)) => {
            nothing(format!("/legal?seat={seat}"))
        }
        Order::Ask(Question::Why(reference)) => match reference {
            Some(of) => nothing(format!("/why/{}/{}", of.roll, of.result.unwrap_or(1))),
            None => nothing("/rolls".to_owned()),
        },
        Order::Ask(_) => nothing(String::new()),
        _ => (actor, Want::Talk(seat, words)).into(),
    })
}

/// What the staff does: what a player does with the dice they write down as the player's.
fn procedure(actor: Actor, body: Procedure) -> Result<(Actor, Want), ApiError> {
    let needs = |field: &str, act: &str| unprocessable(format!("{field}: expected with {act}"));
    let seat = |act: &str| body.seat.ok_or_else(|| needs("seat", act));
    let dice = |act: &str| body.dice.ok_or_else(|| needs("dice", act));
    let command = match body.act {
        Act::Inspect => Command::Inspect { test_rolls: body.test_rolls.ok_or_else(|| needs("test_rolls", "inspect"))? },
        Act::OpenTable => Command::OpenTable { dice: dice("open-table")? },
        Act::CloseTable => Command::CloseTable,
        Act::NewDice => {
            let known: Vec<&str> = NewDice::ALL.iter().map(|reason| reason.name()).collect();
            let reason = body.reason.as_deref().and_then(NewDice::find);
            let reason =
                reason.ok_or_else(|| unprocessable(format!("reason: expected one of {}", known.join(", "))))?;
            Command::NewDice { reason, dice: dice("new-dice")? }
        }
        Act::NoteHours => Command::NoteHours { hours: body.hours.ok_or_else(|| needs("hours", "note-hours"))? },
        Act::OfferDice => Command::OfferDice { seat: seat("offer-dice")? },
        Act::DeclineDice => {
            let seat = seat("decline-dice")?;
            return Ok((Actor::player(seat), Want::Order(vec![Command::DeclineDice { seat }])));
        }
        Act::TakeDice => {
            let seat = seat("take-dice")?;
            let taken = Command::TakeDice { seat: Some(seat), decisions_only: body.decisions_only };
            return Ok((Actor::player(seat), Want::Order(vec![taken])));
        }
        Act::CloseBets => Command::CloseBets,
        Act::Release => return Ok((Actor::shooter(), Want::Order(vec![Command::Release]))),
        Act::OrderPass => Command::OrderPass,
        Act::NoRoll => {
            let known: Vec<&str> = NoRollReason::ALL.iter().map(|reason| reason.name()).collect();
            let reason = body.reason.as_deref().and_then(NoRollReason::find);
            let reason =
                reason.ok_or_else(|| unprocessable(format!("reason: expected one of {}", known.join(", "))))?;
            Command::NoRoll { reason, caller: reason.is_called().then_some(actor.role) }
        }
        Act::NameFaces => {
            let faces = body.faces.ok_or_else(|| needs("faces", "name-faces"))?;
            return Ok((actor, Want::Name(faces, reason(body.reason.as_deref())?)));
        }
    };
    Ok((actor, Want::Order(vec![command])))
}
