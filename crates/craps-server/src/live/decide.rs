//! Decides requests: the one place that turns a request into the content of new rows.

use super::orders::run;
use super::pit::NotDone;
use super::seeds;
use super::wish::{Act, Actions, BetOrder, Join, Op, Procedure, RollDice, Wish};
use super::{By, Deed, Live, Pace, SAID_MOST, SeatSeed};
use craps_money::{Money, Stake};
use craps_notation::talk::{self, AskBack, AskKind, Order};
use craps_table::{Actor, AfterWin, Called, Command, Manner, NewDice, NoRollReason, PassGround, Role, SeatId, Shooter};

/// Maximum length of a player's name, in characters.
const NAME_MOST: usize = 32;
/// Maximum number of bets in one order.
const BETS_MOST: usize = 200;
/// Maximum length of rail talk, or of a reason, in one request.
const WORDS_MOST: usize = 500;

/// The decision on a request. `deeds` is empty if there is nothing to do.
#[derive(Debug)]
pub(super) struct Decided {
    /// Who does it. When the staff records what a player does with the dice, this is the player.
    pub(super) by: By,
    /// The content of the new rows.
    pub(super) deeds: Vec<Deed>,
    /// How the words were understood, for a request in words.
    pub(super) understood: Option<String>,
}

impl Decided {
    pub(super) fn of(by: &By, deed: Option<Deed>) -> Decided {
        Decided { by: by.clone(), deeds: deed.into_iter().collect(), understood: None }
    }
}

/// Decides a request at the table as it stands.
pub(super) fn decide(live: &Live, by: &By, wish: &Wish) -> Result<Decided, NotDone> {
    let actor = by.actor;
    let seat = || seat_for(actor, wish.seat());
    let order = |commands: Vec<Command>| ordered(live, by, actor, commands);
    let done = |deed: Deed| Ok(Decided::of(by, Some(deed)));
    match wish {
        Wish::Join(join) => order(vec![joining(live, actor, join)?]),
        Wish::BuyIn(body) => order(vec![Command::BuyIn { seat: seat()?, money: stake("amount", body.amount)? }]),
        Wish::Leave(_) => order(vec![Command::Leave { seat: seat()? }]),
        Wish::Actions(Actions { say: Some(words), bets, .. }) if bets.is_empty() => {
            let (echo, commands) = heard(live, actor, seat()?, words)?;
            Ok(Decided { understood: Some(echo), ..order(commands)? })
        }
        Wish::Actions(body) => order(betting(live, actor, seat()?, body)?),
        Wish::Undo(_) => Ok(Decided::of(by, live.undo(seat()?)?)),
        Wish::Clear(_) => Ok(Decided::of(by, live.clear(seat()?)?)),
        Wish::Redo(_) => order(live.redo(seat()?)),
        Wish::Repeat(_) => order(live.repeat(seat()?)),
        Wish::Roll(body) => done(live.close(rolled_seed(actor, body)?.as_ref())?),
        Wish::PassDice(_) if actor.seat.is_none() => ordered(live, by, Actor::shooter(), vec![Command::PassDice]),
        Wish::PassDice(_) => order(vec![Command::PassDice]),
        Wish::Seed(body) => done(live.take_seed(actor.seat.ok_or(NotDone::NoSeat)?, &body.seed)?),
        Wish::Say(body) => done(live.say(&words(&body.words)?)?),
        Wish::Window(body) => {
            let was = live.pace(actor.seat.ok_or(NotDone::NoSeat)?);
            let pace = Pace { times: body.times.unwrap_or(was.times), ready: body.ready.unwrap_or(was.ready) };
            Ok(Decided::of(by, Some(live.take_pace(pace)?).filter(|_| pace != was)))
        }
        Wish::Dice(body) => done(live.enter(actor, body.dice)?),
        Wish::Confirm(body) => done(live.confirm(by.who.as_deref(), body.dice)?),
        Wish::Procedure(body) => procedure(live, by, body),
        Wish::Reply(body) => {
            let answer = vec![Command::Answer { request: body.request, agrees: body.agrees }];
            let decided = order(answer.clone())?;
            live.is_another_person(by, &answer)?;
            Ok(decided)
        }
        Wish::Ruling(body) => {
            let (amount, reason) = (Money::from_minor(body.amount), reason(Some(&body.reason))?);
            done(live.propose(actor, Command::Rule { seat: body.seat, amount, reason })?)
        }
        Wish::Second(body) => done(live.second(by, body.row, body.agrees)?),
    }
}

/// Decides commands in someone's name: all of them or none.
fn ordered(live: &Live, by: &By, actor: Actor, commands: Vec<Command>) -> Result<Decided, NotDone> {
    let deed = if commands.is_empty() { None } else { Some(live.order(actor, &commands)?) };
    Ok(Decided::of(&By { actor, ..by.clone() }, deed))
}

/// Returns the seat that someone acts for: a player's own seat, or the seat that the staff names.
fn seat_for(actor: Actor, named: Option<SeatId>) -> Result<SeatId, NotDone> {
    match (actor.seat, named) {
        (Some(own), Some(named)) if own != named => {
            Err(NotDone::Forbidden(format!("You sit at seat {own} and can't act for seat {named}.")))
        }
        (Some(own), _) => Ok(own),
        (None, Some(named)) => Ok(named),
        (None, None) if actor.role == Role::Player => Err(NotDone::NoSeat),
        (None, None) => Err(invalid("seat: name the seat that you act for")),
    }
}

/// Returns the seed that a player sends with a roll.
pub(super) fn rolled_seed(actor: Actor, body: &RollDice) -> Result<Option<SeatSeed>, NotDone> {
    match (&body.seed, actor.seat) {
        (None, _) => Ok(None),
        (Some(seed), Some(seat)) => Ok(Some(SeatSeed { seat, seed: seed.clone() })),
        (Some(_), None) => Err(NotDone::NoSeat),
    }
}

fn invalid(message: impl Into<String>) -> NotDone {
    NotDone::Invalid(message.into())
}

fn joining(live: &Live, actor: Actor, join: &Join) -> Result<Command, NotDone> {
    if join.buy_in < 0 {
        return Err(invalid(format!("buy_in: expected zero or more cents, found {}", join.buy_in)));
    }
    let seat = actor.seat.or(join.seat).or_else(|| live.free_seat()).ok_or_else(|| invalid("Every seat is taken."))?;
    let name = name(join.name.as_deref().unwrap_or_default())?;
    Ok(Command::Join { seat, name, money: Money::from_minor(join.buy_in) })
}

fn betting(live: &Live, actor: Actor, seat: SeatId, body: &Actions) -> Result<Vec<Command>, NotDone> {
    body.is_one()?;
    if actor.seat.is_some() && body.bets.iter().any(|bet| bet.late.is_some()) {
        return Err(NotDone::Forbidden("late: only the staff can say who confirmed a bet in flight".to_owned()));
    }
    body.bets.iter().map(|bet| bet.command(live, seat)).collect()
}

impl Wish {
    /// Checks what doesn't depend on the table or on who asks.
    ///
    /// # Errors
    /// When the request could not be done at any table.
    pub(crate) fn is_sound(&self) -> Result<(), NotDone> {
        match self {
            Wish::Actions(body) => body.is_one(),
            Wish::BuyIn(body) => stake("amount", body.amount).map(|_| ()),
            Wish::Say(body) => words(&body.words).map(|_| ()),
            Wish::Seed(body) => Ok(seeds::readable(&body.seed)?),
            Wish::Reply(body) if body.request == 0 => {
                Err(invalid("request: expected the number of a request, from 1, found 0"))
            }
            _ => Ok(()),
        }
    }
}

impl Actions {
    /// Checks that it is an order: bets or words, not both, and not too many.
    fn is_one(&self) -> Result<(), NotDone> {
        match (&self.say, self.bets.len()) {
            (Some(words), 0) if words.chars().count() > WORDS_MOST => {
                Err(invalid(format!("say: expected at most {WORDS_MOST} characters")))
            }
            (Some(_), 0) | (None, 1..=BETS_MOST) => Ok(()),
            (Some(_), _) => Err(NotDone::Malformed("expected `bets` or `say`, found both".to_owned())),
            (None, 0) => Err(NotDone::Malformed("expected `bets` with at least one bet, or `say`".to_owned())),
            (None, _) => Err(invalid(format!("bets: expected at most {BETS_MOST} at once"))),
        }
    }
}

impl BetOrder {
    /// Returns the command for this bet at a table.
    fn command(&self, live: &Live, seat: SeatId) -> Result<Command, NotDone> {
        let layout = live.table().board();
        let slot =
            layout.named(&self.bet).ok_or_else(|| invalid(format!("bet: this table has no bet `{}`", self.bet)))?;
        let standing = live.table().seat(seat).and_then(|seat| seat.bets.get(slot)).map(|bet| bet.stake);
        let amount = |field: &str, amount: Option<i64>| amount.map(|amount| stake(field, amount)).transpose();
        let (given, cash, coupon) =
            (amount("amount", self.amount)?, amount("cash", self.cash)?, amount("coupon", self.coupon)?);
        let called = |called: Called| Command::Call { seat, slot, called };
        let told = |after_win: AfterWin| Command::Tell { seat, slot, after_win };
        let confirmed = |role: &crate::people::Role| role.at_table();
        let late = self.late.as_ref().map(|late| late.iter().filter_map(confirmed).collect());
        let plain = late.is_none() && cash.is_none() && coupon.is_none();
        Ok(match (self.op, given) {
            (Op::Add, Some(amount)) => Command::Bet { seat, slot, amount, manner: Manner { late, cash, coupon } },
            (Op::Add, None) => return Err(invalid("amount: a bet needs an amount, in cents")),
            _ if !plain => return Err(invalid("`late`, `cash` and `coupon` work only with `add`")),
            (Op::Down, amount) => {
                let all = || standing.and_then(Stake::new);
                let nothing = || invalid(format!("bet: there is no `{}` bet at seat {seat} to take down", self.bet));
                Command::TakeDown { seat, slot, amount: amount.or_else(all).ok_or_else(nothing)? }
            }
            (_, Some(_)) => return Err(invalid("amount: only `add` and `down` take an amount")),
            (Op::On, None) => called(Called::On),
            (Op::Off, None) => called(Called::Off),
            (Op::Std, None) => called(Called::Standard),
            (Op::StayUp, None) => told(AfterWin::Up),
            (Op::ComeDown, None) => told(AfterWin::Down),
            (Op::Usual, None) => told(AfterWin::Usual),
        })
    }
}

/// Turns what someone says into one order: how it was understood, and the commands. Each part is read as if the parts before it were already done.
fn heard(live: &Live, actor: Actor, seat: SeatId, words: &str) -> Result<(String, Vec<Command>), NotDone> {
    let mut table = live.table().clone();
    let (mut echo, mut commands) = (Vec::new(), Vec::new());
    for spoken in talk::hear_at(&table, words)? {
        let meaning = talk::meant(&table, seat, &spoken)?;
        if meaning.commands.is_empty() && !matches!(spoken.order, Order::SameBet { .. } | Order::Call { .. }) {
            let message = format!("`{}` can't go together with bets. Say it by itself.", meaning.echo);
            let word = words.get(spoken.span.clone()).unwrap_or_default().to_owned();
            let (kind, span, suggestions) = (AskKind::Unclear, spoken.span, Vec::new());
            return Err(NotDone::Asked(AskBack { kind, span, word, message, suggestions }));
        }
        run(&mut table, actor, &meaning.commands)?;
        echo.push(meaning.echo);
        commands.extend(meaning.commands);
    }
    Ok((echo.join("; "), commands))
}

fn stake(field: &str, amount: i64) -> Result<Stake, NotDone> {
    Stake::new(Money::from_minor(amount))
        .ok_or_else(|| invalid(format!("{field}: expected an amount above zero in cents, found {amount}")))
}

/// Checks a name: only characters that can be written in a game.
fn name(name: &str) -> Result<String, NotDone> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = |c: char| c.is_alphanumeric() || " .'-_()".contains(c);
    if name.is_empty() || name.chars().count() > NAME_MOST || !name.chars().all(plain) {
        return Err(invalid(format!("name: expected 1 to {NAME_MOST} letters, digits, spaces or any of . ' - _ ( )")));
    }
    Ok(name)
}

/// Checks a chat message: plain text that displays as it reads.
fn words(words: &str) -> Result<String, NotDone> {
    let words = words.trim();
    // Marks that change the direction of writing could make one text look like another.
    let turns = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !(1..=SAID_MOST).contains(&words.chars().count()) || words.chars().any(|c| c.is_control() || turns(c)) {
        return Err(invalid(format!("words: expected 1 to {SAID_MOST} characters of plain text on one line")));
    }
    Ok(words.to_owned())
}

fn reason(reason: Option<&str>) -> Result<String, NotDone> {
    let reason = reason.unwrap_or_default().trim();
    if reason.is_empty()
        || reason.len() > WORDS_MOST
        || reason.chars().any(|c| c.is_control() || matches!(c, '"' | '{' | '}'))
    {
        return Err(invalid(format!(
            "reason: expected 1 to {WORDS_MOST} plain characters without quotation marks or braces"
        )));
    }
    Ok(reason.to_owned())
}

/// Decides an act of the staff. What a player does with the dice is recorded as done by the player.
fn procedure(live: &Live, by: &By, body: &Procedure) -> Result<Decided, NotDone> {
    let actor = by.actor;
    let needs = |field: &str, act: &str| invalid(format!("{field}: `{act}` needs this field"));
    let seat = |act: &str| body.seat.ok_or_else(|| needs("seat", act));
    let dice = |act: &str| body.dice.ok_or_else(|| needs("dice", act));
    let command = match body.act {
        Act::Inspect => Command::Inspect { test_rolls: body.test_rolls.ok_or_else(|| needs("test_rolls", "inspect"))? },
        Act::OpenTable => Command::OpenTable { dice: dice("open-table")? },
        Act::CloseTable => Command::CloseTable,
        Act::NewDice => {
            let known: Vec<&str> = NewDice::ALL.iter().map(|reason| reason.name()).collect();
            let reason = body.reason.as_deref().and_then(NewDice::find);
            let reason = reason.ok_or_else(|| invalid(format!("reason: expected one of {}", known.join(", "))))?;
            Command::NewDice { reason, dice: dice("new-dice")? }
        }
        Act::NoteHours => Command::NoteHours { hours: body.hours.ok_or_else(|| needs("hours", "note-hours"))? },
        Act::OfferDice => Command::OfferDice { seat: seat("offer-dice")? },
        Act::DeclineDice => {
            let seat = seat("decline-dice")?;
            return ordered(live, by, Actor::player(seat), vec![Command::DeclineDice { seat }]);
        }
        // Without a seat, somebody of the crew rolls for the house.
        Act::TakeDice if body.seat.is_none() && live.table().house_roller().is_some() => {
            Command::TakeDice { seat: None, decisions_only: false }
        }
        Act::TakeDice => {
            let seat = seat("take-dice")?;
            let taken = Command::TakeDice { seat: Some(seat), decisions_only: body.decisions_only };
            return ordered(live, by, Actor::player(seat), vec![taken]);
        }
        Act::CloseBets => Command::CloseBets,
        Act::Release if live.table().shooter() == Some(Shooter::Dealer) => Command::Release,
        Act::Release => return ordered(live, by, Actor::shooter(), vec![Command::Release]),
        Act::OrderPass => {
            let known = live.table().pass_grounds();
            let ground = body.reason.as_deref().and_then(PassGround::find).filter(|ground| known.contains(ground));
            // Without a ground the table refuses it and cites the book.
            ground.map_or(Command::OrderPass, |ground| Command::OrderOff { ground })
        }
        Act::Nominate => {
            let shooter = body.shooter.ok_or_else(|| needs("shooter", "nominate"))?;
            let seat = seat("nominate")?;
            return ordered(live, by, Actor::player(seat), vec![Command::Nominate { seat, shooter }]);
        }
        Act::Withdraw => {
            let seat = seat("withdraw")?;
            return ordered(live, by, Actor::player(seat), vec![Command::Withdraw { seat }]);
        }
        Act::NoRoll => {
            let known: Vec<&str> = NoRollReason::ALL.iter().map(|reason| reason.name()).collect();
            let reason = body.reason.as_deref().and_then(NoRollReason::find);
            let reason = reason.ok_or_else(|| invalid(format!("reason: expected one of {}", known.join(", "))))?;
            let called = live.table().is_called(reason) == Some(true);
            Command::NoRoll { reason, caller: called.then_some(actor.role) }
        }
        Act::NameFaces => {
            let faces = body.faces.ok_or_else(|| needs("faces", "name-faces"))?;
            let deed = live.name(actor, faces, &reason(body.reason.as_deref())?)?;
            return Ok(Decided::of(by, Some(deed)));
        }
    };
    ordered(live, by, actor, vec![command])
}
