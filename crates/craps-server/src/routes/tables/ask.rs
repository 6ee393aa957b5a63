//! Sends a command to a table and builds the answer. Both plain requests and streams use it.

use crate::app::App;
use crate::error::ApiError;
use crate::input::Key;
use crate::live::Deed;
use crate::live::pit::{Ask, Told};
use crate::live::rows::{Reader, RowView};
use crate::live::view::{Eye, RequestView, requests};
use crate::live::wish::{Actions, Join, Keyed, Plain, RollDice, Wish};
use crate::people::{Principal, Role};
use axum::http::StatusCode;
use craps_notation::talk::{self, Order, Question, Verb};
use craps_table::{Actor, Event, SeatId};
use serde::Serialize;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use utoipa::ToSchema;

/// Result of a command.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Answer {
    /// Log rows that the command made. Empty if there was nothing to do.
    rows: Vec<RowView>,
    /// What the command asked for that waits for the crew now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<RequestView>,
    /// True if the command had been carried out before under the same key.
    again: bool,
    /// The order as it was understood, if it was given as rail talk.
    #[serde(skip_serializing_if = "Option::is_none")]
    understood: Option<String>,
    /// URL path that answers the question, if the rail talk was a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    see: Option<String>,
}

/// Sends a command to a table.
///
/// # Errors
/// When the command is malformed, refused, or can't be carried out now.
pub(crate) async fn ask(
    app: &App,
    principal: &Principal,
    table: &str,
    wish: Wish,
    key: Key,
) -> Result<Answer, ApiError> {
    let key = key.or(wish.id().cloned())?.map(|key| wish.keyed(key));
    // What a bet leaves of the player's own limit is known when it is done. Until then their other bets wait.
    let _turn = match (&principal.who, principal.has_limits() && wish.puts_down()) {
        (Some(who), true) => Some(app.limited.turn(who).await),
        _ => None,
    };
    let joins = matches!(wish, Wish::Join(_));
    // Whether an address has another seat left is known when its last new player sits. Until then its next one waits.
    let _seat = match joins && app.pit.fixed(table).await?.is_public() {
        true => Some(app.sitting.turn(&principal.peer.subscriber().to_string()).await),
        false => None,
    };
    let done = match asked(app, principal, table, wish, key.clone()).await {
        Ok(Ok(ask)) => app.pit.ask(table, ask).await?,
        Ok(Err(answer)) => return Ok(answer),
        // The same command may have succeeded before under this key, even if it is not allowed any more.
        Err(error) => match key {
            Some(key) => app.pit.known(table, &principal.client(), key).await?.ok_or(error)?,
            None => return Err(error),
        },
    };
    if joins {
        sat(app, principal, table, &done.rows).await?;
    }
    let eye = eye(principal, table);
    let rows = if done.again { whole(app, table, done.rows).await? } else { done.rows };
    let reader = reader(app, table).await?;
    let asked: Vec<u32> = rows.iter().flat_map(|told| told.entry.did.events()).filter_map(number_asked).collect();
    let waiting = match asked.is_empty() {
        true => Vec::new(),
        false => {
            let eye = eye.clone();
            let all = app.pit.look(table, move |live| requests(live, &eye)).await?;
            all.into_iter().filter(|request| asked.contains(&request.request)).collect()
        }
    };
    Ok(Answer {
        waiting,
        rows: rows.iter().map(|told| reader.row(told, &eye)).collect(),
        again: done.again,
        understood: done.understood,
        see: None,
    })
}

/// Returns the number of a request that an event makes.
fn number_asked<B>(event: &Event<B>) -> Option<u32> {
    match event {
        Event::Requested { number, .. } => Some(*number),
        _ => None,
    }
}

/// Turns a request into a command for the table, or into an answer if the table isn't needed.
async fn asked(
    app: &App,
    principal: &Principal,
    table: &str,
    wish: Wish,
    key: Option<Keyed>,
) -> Result<Result<Ask, Answer>, ApiError> {
    wish.is_sound()?;
    let role = wish.common().1;
    let actor = match (&wish, role) {
        // The crew of a table seats players. At other tables they sit down themselves.
        (Wish::Join(join), None | Some(Role::Player))
            if role.is_some() || !seats_others(app, principal, table).await? =>
        {
            Actor::player(seat_wanted(app, principal, table, join).await?)
        }
        _ => match principal.actor_at(app, table, role).await {
            Ok(actor) if actor != Actor::shooter() => actor,
            // The player may have taken a seat through another node.
            _ => {
                app.pit.catch_up(table).await?;
                principal.actor_at(app, table, role).await?
            }
        },
    };
    // The gate lets the crew pass. As players they need the right to play like anybody else. Everybody can leave.
    if actor.role == craps_table::Role::Player && !matches!(wish, Wish::Leave(_)) {
        let fixed = app.pit.fixed(table).await?;
        principal.may_play(table, fixed.practice && !seats_others(app, principal, table).await?)?;
    }
    let wish = match wish {
        Wish::Join(join) if actor.role == craps_table::Role::Player => {
            Wish::Join(Join { name: join.name.or_else(|| Some(principal.name.clone())), ..join })
        }
        Wish::Say(body) => {
            app.desk.count_words(&principal.client())?;
            Wish::Say(body)
        }
        Wish::Actions(Actions { id, role, seat, bets, say: Some(words) }) if bets.is_empty() => {
            match said(table, actor.seat.or(seat), words, Plain { id, role, seat })? {
                Ok(wish) => wish,
                Err(answer) => return Ok(Err(answer)),
            }
        }
        wish => wish,
    };
    // A player's own limits don't apply to staff who enter bets for others.
    let plays = actor.role == craps_table::Role::Player;
    let room = if plays && wish.puts_down() { principal.room(app, table).await? } else { None };
    Ok(Ok(Ask { by: principal.by(actor), client: principal.client(), key, wish, room }))
}

/// Turns rail talk into a request. The table itself parses bets. Questions get the path of the route that answers them.
fn said(table: &str, seat: Option<SeatId>, words: String, plain: Plain) -> Result<Result<Wish, Answer>, ApiError> {
    let bets = |words: String, Plain { id, role, seat }: Plain| {
        Ok(Ok(Wish::Actions(Actions { id, role, seat, bets: Vec::new(), say: Some(words) })))
    };
    let heard = match talk::hear(&words) {
        Ok(heard) => heard,
        // The words of a player may be a name that only the table's book has. The table knows it, or asks back.
        Err(_) if seat.is_some() => return bets(words, plain),
        Err(ask) => return Err(ask.into()),
    };
    let [one] = &heard[..] else { return bets(words, plain) };
    let own = seat.map(|seat| format!("?seat={seat}")).unwrap_or_default();
    let see = match &one.order {
        Order::Do(Verb::Roll) => {
            return Ok(Ok(Wish::Roll(RollDice { id: plain.id, role: plain.role, seat: plain.seat, seed: None })));
        }
        Order::Do(Verb::Undo) => return Ok(Ok(Wish::Undo(plain))),
        Order::Do(Verb::Redo) => return Ok(Ok(Wish::Redo(plain))),
        Order::Do(Verb::Repeat) => return Ok(Ok(Wish::Repeat(plain))),
        Order::Do(Verb::Clear) => return Ok(Ok(Wish::Clear(plain))),
        Order::Do(Verb::History) => "/rolls".to_owned(),
        Order::Do(Verb::Save) => "/cgn".to_owned(),
        Order::Do(Verb::Help | Verb::Quit) => String::new(),
        Order::Ask(Question::WhatIf(thrown)) => {
            let and = if own.is_empty() { '?' } else { '&' };
            format!("/outcomes{own}{and}thrown={}", talk::thrown_name(*thrown).replace(' ', "+"))
        }
        Order::Ask(Question::Exposure) => format!("/outcomes{own}"),
        Order::Ask(Question::WhatCanIBet | Question::Legal | Question::Limits | Question::OddsOn(_)) => {
            format!("/legal{own}")
        }
        Order::Ask(Question::Why(Some(of))) => format!("/why/{}/{}", of.roll, of.result.unwrap_or(1)),
        Order::Ask(Question::Why(None)) => "/rolls".to_owned(),
        Order::Ask(_) => String::new(),
        _ => return bets(words, plain),
    };
    let see = Some(format!("/tables/{table}{see}"));
    Ok(Err(Answer { rows: Vec::new(), waiting: Vec::new(), again: false, understood: Some(words), see }))
}

/// Returns what the caller may see at a table.
pub(crate) fn eye(principal: &Principal, table: &str) -> Eye {
    let all = principal.roles_at(table).into_iter().any(|role| role != Role::Player);
    Eye { who: principal.who.clone(), all, invitation: principal.invitation.clone() }
}

/// Returns the reader that turns the table's log rows into views.
pub(crate) async fn reader(app: &App, table: &str) -> Result<Reader, ApiError> {
    Ok(app.pit.fixed(table).await?.reader.clone())
}

/// Adds the rows that the server made right after these rows, such as the roll after betting closed, so that the answer is complete.
async fn whole(app: &App, table: &str, rows: Vec<Arc<Told>>) -> Result<Vec<Arc<Told>>, ApiError> {
    let Some(last) = rows.last().filter(|told| matches!(told.entry.did, Deed::Closed { .. })) else { return Ok(rows) };
    let next = app.pit.rows(table, last.row.seq, 5).await?;
    let machine = next.into_iter().take_while(|told| {
        matches!(
            told.entry.did,
            Deed::Witnessed { .. }
                | Deed::Drawn { .. }
                | Deed::Thrown { .. }
                | Deed::Revealed { .. }
                | Deed::Committed { .. }
        )
    });
    let mut next: Vec<Told> = machine.collect();
    if let Some(thrown) = next.iter_mut().find(|told| matches!(told.entry.did, Deed::Thrown { .. })) {
        let row = thrown.row.seq;
        thrown.roll = app.pit.roll_at(table, row).await?;
    }
    Ok(rows.into_iter().chain(next.into_iter().map(Arc::new)).collect())
}

/// Does the caller work at this table, so that they can't play at it?
async fn seats_others(app: &App, principal: &Principal, table: &str) -> Result<bool, ApiError> {
    Ok(principal.works_at(table).is_some() && !app.pit.fixed(table).await?.is_play())
}

/// Checks that the address of a new player hasn't too many seats of public practice tables already.
async fn has_seats_left(app: &App, principal: &Principal, table: &str) -> Result<(), ApiError> {
    if !app.pit.fixed(table).await?.is_public() {
        return Ok(());
    }
    let from = principal.peer.subscriber();
    let known: Vec<((String, SeatId), (String, IpAddr))> = {
        let sat = app.sat_from.lock().unwrap_or_else(PoisonError::into_inner);
        sat.iter().filter(|(_, (_, address))| *address == from).map(|(at, of)| (at.clone(), of.clone())).collect()
    };
    let mut taken = 0;
    for ((table, seat), (who, address)) in known {
        if app.pit.seat_of(&table, &who).await.is_ok_and(|own| own == Some(seat)) {
            taken += 1;
        } else {
            // They have left. Somebody else may have taken the seat in the meantime.
            let mut sat = app.sat_from.lock().unwrap_or_else(PoisonError::into_inner);
            sat.retain(|at, of| *at != (table.clone(), seat) || *of != (who.clone(), address));
        }
    }
    if taken >= app.desk.settings().seats {
        let words =
            format!("There are already {taken} players from your address at practice tables. Open a private table.");
        return Err(ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many", words, 60));
    }
    Ok(())
}

/// Remembers from which address a new player came.
async fn sat(app: &App, principal: &Principal, table: &str, rows: &[Arc<Told>]) -> Result<(), ApiError> {
    let Some(who) = principal.who.clone().filter(|_| !rows.is_empty()) else { return Ok(()) };
    if app.pit.fixed(table).await?.is_public()
        && let Some(seat) = app.pit.seat_of(table, &who).await?
    {
        let from = principal.peer.subscriber();
        let mut sat = app.sat_from.lock().unwrap_or_else(PoisonError::into_inner);
        sat.insert((table.to_owned(), seat), (who, from));
    }
    Ok(())
}

/// Returns the seat for a new player: the one asked for, or any free seat.
async fn seat_wanted(app: &App, principal: &Principal, table: &str, join: &Join) -> Result<SeatId, ApiError> {
    let who = principal.known()?.to_owned();
    has_seats_left(app, principal, table).await?;
    let wanted = join.seat;
    let (own, free) =
        app.pit.peek(table, move |live| (live.seat_of(&who), wanted.or_else(|| live.free_seat()))).await?;
    // With a key, the request may be a retry. Then the answer is the result of the first one.
    if let (Some(own), None) = (own, &join.id) {
        return Err(ApiError::new(StatusCode::CONFLICT, "seated", format!("You already sit at seat {own}.")));
    }
    own.or(free).ok_or_else(|| ApiError::new(StatusCode::CONFLICT, "full", "Every seat is taken."))
}
