//! Limits that players set themselves: how much to lose and how long to play.
//!
//! Both are counted per visit. A visit begins with a bet and ends when no bet was made for [`PAUSE`], so leaving the table doesn't start a new one.
//! A lower limit applies at once, a higher one a day later.

use super::Principal;
use crate::app::App;
use crate::error::ApiError;
use crate::live::pit::now;
use craps_money::Money;
use craps_store::Limits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const MINUTE: i64 = 60_000;
/// A visit ends after this time without a bet, in milliseconds.
const PAUSE: i64 = 8 * 60 * MINUTE;
/// Delay before a higher limit applies, in milliseconds.
const DELAY: i64 = 24 * 60 * MINUTE;

/// A player's own limits. A field that is left out means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Asked {
    /// Maximum loss per visit, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<u32>,
    /// Maximum playing time per visit, in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
    /// Interval of time reminders, in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reminder: Option<u32>,
}

impl Asked {
    /// Returns the stricter of each limit. The reminder is not a limit and always comes from `other`.
    fn stricter(self, other: Asked) -> Asked {
        let least = |one: Option<u32>, other: Option<u32>| one.into_iter().chain(other).min();
        Asked {
            loss: least(self.loss, other.loss),
            minutes: least(self.minutes, other.minutes),
            reminder: other.reminder,
        }
    }

    /// Returns the time when the playing time of a visit is up. None without a time limit.
    fn time_up(self, since: i64) -> Option<i64> {
        self.minutes.map(|minutes| since + i64::from(minutes) * MINUTE)
    }

    fn is_time_up(self, since: i64, at: i64) -> bool {
        self.time_up(since).is_some_and(|up| at >= up)
    }
}

/// Limits as stored, with the current visit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Own {
    set: Asked,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coming: Option<Coming>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visit: Option<Visit>,
}

/// Limits that will apply later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Coming {
    /// The future limits.
    pub set: Asked,
    /// Time when they start to apply, in Unix milliseconds.
    pub from: i64,
}

/// A visit: play without a long break.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Visit {
    /// Time of the first bet.
    since: i64,
    /// Time of the last bet, to the minute.
    seen: i64,
    /// The player's balance at each table at their first bet there, in cents.
    stood: BTreeMap<String, i64>,
}

impl Visit {
    /// Notes a bet, at most once a minute. A player without room can't bet, so their tries don't extend the visit.
    fn note(&mut self, at: i64, room: Option<i64>) {
        if at - self.seen > MINUTE && room != Some(0) {
            self.seen = at;
        }
    }
}

/// A player's own limits and the state of the current visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct LimitsShown {
    /// Limits that apply now.
    pub set: Asked,
    /// Limits that will apply later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coming: Option<Coming>,
    /// Start of this visit, in Unix milliseconds. None without a visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<i64>,
    /// Length of this visit so far, in minutes.
    pub minutes: i64,
    /// Time when the playing time is up, in Unix milliseconds. None without a time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_up: Option<i64>,
    /// Time of the next reminder, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remind: Option<i64>,
    /// Loss of this visit if every bet on the felt were lost, in cents. 0 after a win.
    pub lost: i64,
}

impl Own {
    /// Parses stored limits. Returns None if they can't be parsed: they then don't apply, but stay in the store.
    pub(super) fn read(kept: Limits) -> Option<Own> {
        serde_json::from_str(&kept.body).ok()
    }

    /// Converts the limits for the store.
    pub(crate) fn kept(&self, account: &str, at: i64) -> Limits {
        let body = serde_json::to_string(self).unwrap_or_default();
        Limits { account: account.to_owned(), body, changed: at }
    }

    fn at(&self, at: i64) -> Asked {
        self.coming.filter(|coming| coming.from <= at).map_or(self.set, |coming| coming.set)
    }

    /// Returns the limits changed to `asked`: at once where that is stricter, otherwise in a day.
    pub(crate) fn with(&self, asked: Asked, at: i64) -> Own {
        let set = self.at(at).stricter(asked);
        let coming = (set != asked).then_some(Coming { set: asked, from: at + DELAY });
        Own { set, coming, visit: self.visit.clone() }
    }

    fn visit(&self, at: i64) -> Option<&Visit> {
        self.visit.as_ref().filter(|visit| at - visit.seen < PAUSE)
    }

    /// Returns the limits and the state of the visit for the player, with the loss of the visit.
    fn shown(&self, at: i64, lost: i64) -> LimitsShown {
        let (set, since) = (self.at(at), self.visit(at).map(|visit| visit.since));
        LimitsShown {
            set,
            coming: self.coming.filter(|coming| coming.from > at),
            since,
            minutes: since.map_or(0, |since| (at - since) / MINUTE),
            time_up: since.and_then(|since| set.time_up(since)),
            remind: since.zip(set.reminder).and_then(|(since, every)| next_reminder(since, every, at)),
            lost: lost.max(0),
        }
    }
}

/// Returns the time of the next reminder.
fn next_reminder(since: i64, every: u32, at: i64) -> Option<i64> {
    let every = Some(i64::from(every) * MINUTE).filter(|every| *every > 0)?;
    Some(since + ((at - since).max(0) / every + 1) * every)
}

/// Returns the loss of a visit at its tables if every bet on the felt were lost.
async fn lost(app: &App, who: &str, visit: &Visit) -> Result<i64, ApiError> {
    let mut lost = 0_i64;
    for (table, stood) in &visit.stood {
        let who = who.to_owned();
        let stands = app.pit.look(table, move |live| live.standing(&who)).await?;
        lost = lost.saturating_add(stood.saturating_sub(stands.at_worst.minor()));
    }
    Ok(lost)
}

/// Returns the id under which the limits of an account or a guest are stored.
pub(crate) fn record_of(who: &str) -> &str {
    who.strip_prefix("a:").unwrap_or(who)
}

impl Principal {
    /// Returns the maximum amount of the caller's next bets at a table. None if they have set no limit.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn room(&self, app: &App, table: &str) -> Result<Option<Money>, ApiError> {
        let (Some(_), Some(who)) = (&self.limits, &self.who) else { return Ok(None) };
        let account = record_of(who);
        // The limits are read again, because another request may have changed the visit in the meantime.
        let Some(own) = app.store().people().limits(account).await?.and_then(Own::read) else { return Ok(None) };
        let at = now();
        let set = own.at(at);
        let mut visit = own.visit(at).cloned().unwrap_or(Visit { since: at, seen: at, stood: BTreeMap::new() });
        if !visit.stood.contains_key(table) {
            let looked = who.clone();
            let stands = app.pit.look(table, move |live| live.standing(&looked)).await?;
            visit.stood.insert(table.to_owned(), stands.at_face.minor());
        }
        // When the time is up, the room is 0 instead of an error: the player can still take bets down and leave.
        let room = match set.loss {
            _ if set.is_time_up(visit.since, at) => Some(0),
            Some(most) => Some(i64::from(most).saturating_sub(lost(app, who, &visit).await?).max(0)),
            None => None,
        };
        visit.note(at, room);
        if own.visit.as_ref() != Some(&visit) {
            let own = Own { visit: Some(visit), ..own };
            app.store().people().set_limits(&own.kept(account, at)).await?;
        }
        Ok(room.map(Money::from_minor))
    }

    /// Has the caller set limits for themselves?
    pub(crate) fn has_limits(&self) -> bool {
        self.limits.is_some()
    }

    /// Returns the caller's limits and the state of their visit.
    pub(crate) async fn limits_shown(&self, app: &App) -> Result<LimitsShown, ApiError> {
        let (own, at) = (self.limits.clone().unwrap_or_default(), now());
        let lost = match (own.visit(at), &self.who) {
            (Some(visit), Some(who)) => lost(app, who, visit).await?,
            _ => 0,
        };
        Ok(own.shown(at, lost))
    }

    /// Returns the limits of an account or a guest changed to `asked`, ready for the store. The caller must have their turn: a bet may have changed the
    /// visit since the request came in.
    pub(crate) async fn limits_with(app: &App, who: &str, asked: Asked, at: i64) -> Result<Own, ApiError> {
        let own = app.store().people().limits(record_of(who)).await?.and_then(Own::read);
        Ok(own.unwrap_or_default().with(asked, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(loss: Option<u32>, minutes: Option<u32>) -> Asked {
        Asked { loss, minutes, reminder: None }
    }

    #[test]
    fn a_lower_limit_holds_at_once_and_a_higher_one_after_a_day() {
        let first = Own::default().with(asked(Some(500), None), 0);
        assert_eq!((first.at(0), first.coming), (asked(Some(500), None), None));

        let lower = first.with(asked(Some(300), Some(60)), 10);
        assert_eq!((lower.at(10), lower.coming), (asked(Some(300), Some(60)), None));

        let mixed = lower.with(asked(Some(900), Some(30)), 20);
        assert_eq!(mixed.at(20), asked(Some(300), Some(30)));
        assert_eq!(mixed.at(20 + DELAY - 1), asked(Some(300), Some(30)));
        assert_eq!(mixed.at(20 + DELAY), asked(Some(900), Some(30)));

        let none = lower.with(asked(None, None), 20);
        assert_eq!(none.at(20 + DELAY - 1), asked(Some(300), Some(60)), "removing a limit counts as raising it");
        assert_eq!(none.at(20 + DELAY), asked(None, None));

        let again = none.with(asked(Some(200), None), 30);
        assert_eq!(again.at(30), asked(Some(200), Some(60)), "a new request starts the delay again");
        assert_eq!(again.coming.map(|coming| coming.from), Some(30 + DELAY));
    }

    #[test]
    fn reminders_come_as_often_as_they_are_wanted() {
        let next = |minutes: i64| next_reminder(1_000, 30, 1_000 + minutes * MINUTE).map(|at| (at - 1_000) / MINUTE);
        assert_eq!([next(0), next(29), next(30), next(95)], [Some(30), Some(30), Some(60), Some(120)]);
        assert_eq!(next_reminder(0, 0, 5), None);
    }

    #[test]
    fn a_visit_is_over_when_no_bet_was_made_for_long() {
        let own = Own { visit: Some(Visit { since: 0, seen: 5 * MINUTE, ..Visit::default() }), ..Own::default() };
        assert!(own.visit(5 * MINUTE + PAUSE - 1).is_some());
        assert!(own.visit(5 * MINUTE + PAUSE).is_none());
    }

    #[test]
    fn the_playing_time_is_up_after_its_minutes() {
        let half_an_hour = asked(None, Some(30));
        assert_eq!(half_an_hour.time_up(7_000), Some(1_807_000));
        assert!(!half_an_hour.is_time_up(7_000, 1_806_999));
        assert!(half_an_hour.is_time_up(7_000, 1_807_000));
        assert!(half_an_hour.is_time_up(7_000, 9_000_000));
        assert!(asked(None, Some(0)).is_time_up(7_000, 7_000));
        assert_eq!(asked(Some(5), None).time_up(7_000), None);
        assert!(!asked(Some(5), None).is_time_up(7_000, i64::MAX));
    }

    #[test]
    fn a_bet_is_noted_once_a_minute_while_there_is_room() {
        let seen = |at: i64, room: Option<i64>| {
            let mut visit = Visit { since: 0, seen: 600_000, ..Visit::default() };
            visit.note(at, room);
            visit.seen
        };
        assert_eq!([seen(600_001, None), seen(660_000, None), seen(660_001, None)], [600_000, 600_000, 660_001]);
        assert_eq!(seen(720_000, Some(1)), 720_000);
        assert_eq!(seen(720_000, Some(0)), 600_000, "a player who can't bet doesn't extend the visit");
    }

    #[test]
    fn the_player_is_shown_the_limits_of_the_moment() {
        let set = Asked { loss: Some(500), minutes: Some(60), reminder: Some(30) };
        let wanted = Asked { loss: Some(900), ..set };
        let visit = Visit { since: 300_000, seen: 4_000_000, ..Visit::default() };
        let own = Own { visit: Some(visit), ..Own::default().with(set, 0).with(wanted, 1_000) };
        let shown = LimitsShown {
            set,
            coming: Some(Coming { set: wanted, from: 86_401_000 }),
            since: Some(300_000),
            minutes: 62,
            time_up: Some(3_900_000),
            remind: Some(5_700_000),
            lost: 125,
        };
        assert_eq!(own.shown(4_079_999, 125), shown);
        assert_eq!(own.shown(4_079_999, -125), LimitsShown { lost: 0, ..shown.clone() }, "a win is no loss");

        let later = LimitsShown { since: None, minutes: 0, time_up: None, remind: None, lost: 0, ..shown };
        assert_eq!(own.shown(86_400_999, 0), later.clone(), "the visit has ended");
        assert_eq!(own.shown(86_401_000, 0), LimitsShown { set: wanted, coming: None, ..later });
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let visit = Visit { since: 1, seen: 2, stood: BTreeMap::from([("north".to_owned(), -5)]) };
        let own = Own { visit: Some(visit), ..Own::default().with(asked(Some(5), None), 0).with(asked(None, None), 0) };
        assert_eq!(Own::read(own.kept("ann", 7)), Some(own));
    }
}
