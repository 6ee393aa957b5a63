//! Asks what somebody wishes of a table, and says what came of it: by request and on a stream alike.

use crate::app::App;
use crate::error::ApiError;
use crate::input::Key;
use crate::live::Deed;
use crate::live::pit::{Ask, Told};
use crate::live::rows::{Reader, RowView};
use crate::live::view::Eye;
use crate::live::wish::{Actions, Join, Plain, Wish};
use crate::people::{Principal, Role};
use axum::http::StatusCode;
use craps_notation::talk::{self, Order, Question, Verb};
use craps_table::{Actor, SeatId};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

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
    wish.is_sound()?;
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
    let wish = match wish {
        Wish::Join(join) => Wish::Join(Join { name: join.name.or_else(|| Some(principal.name.clone())), ..join }),
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
    // Somebody of the staff who writes down another's bets does not play.
    let plays = actor.role == craps_table::Role::Player;
    let room = if plays { principal.room(app, table).await? } else { None };
    Ok(Ok(Ask { by: principal.by(actor), client: principal.client(), key, wish, room }))
}

/// What rail talk wishes: bets are the table's to understand, other orders are known by their words, and questions are answered elsewhere.
fn said(table: &str, seat: Option<SeatId>, words: String, plain: Plain) -> Result<Result<Wish, Answer>, ApiError> {
    let heard = talk::hear(&words)?;
    let bets = |words: String, Plain { id, role, seat }: Plain| {
        Ok(Ok(Wish::Actions(Actions { id, role, seat, bets: Vec::new(), say: Some(words) })))
    };
    let [one] = &heard[..] else { return bets(words, plain) };
    let own = seat.map(|seat| format!("?seat={seat}")).unwrap_or_default();
    let see = match &one.order {
        Order::Do(Verb::Roll) => return Ok(Ok(Wish::Roll(plain))),
        Order::Do(Verb::Undo) => return Ok(Ok(Wish::Undo(plain))),
        Order::Do(Verb::Redo) => return Ok(Ok(Wish::Redo(plain))),
        Order::Do(Verb::Repeat) => return Ok(Ok(Wish::Repeat(plain))),
        Order::Do(Verb::Clear) => return Ok(Ok(Wish::Clear(plain))),
        Order::Do(Verb::History) => "/rolls".to_owned(),
        Order::Do(Verb::Save) => "/cgn".to_owned(),
        Order::Do(Verb::Help | Verb::Quit) => String::new(),
        Order::Ask(Question::WhatIf(_) | Question::Exposure) => format!("/outcomes{own}"),
        Order::Ask(Question::WhatCanIBet | Question::Legal | Question::Limits | Question::OddsOn(_)) => {
            format!("/legal{own}")
        }
        Order::Ask(Question::Why(Some(of))) => format!("/why/{}/{}", of.roll, of.result.unwrap_or(1)),
        Order::Ask(Question::Why(None)) => "/rolls".to_owned(),
        Order::Ask(_) => String::new(),
        _ => return bets(words, plain),
    };
    let see = Some(format!("/tables/{table}{see}"));
    Ok(Err(Answer { rows: Vec::new(), again: false, understood: Some(words), see }))
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
