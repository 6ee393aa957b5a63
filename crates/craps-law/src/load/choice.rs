//! Reads what a book lets the house choose: the records of `house.toml`.

use crate::fact::{Against, Allow, Choice, Condition, Demanded, Needs, Total};
use crate::house::{Bound, Keys, Kind, stated_kind};
use crate::raw::{self, RawAllow, RawDemanded, RawOption, RawTotal, RawWith, Topic, TopicKind};
use craps_wagers::Family;
use std::collections::BTreeMap;

/// Parses what a record lets the house choose.
pub(super) fn choice(keys: &Keys, topics: &BTreeMap<String, Topic>, raw: &RawOption) -> Result<Choice, String> {
    let key = &raw.key;
    let of_key = |message: String| format!("`{key}`: {message}");
    let stated = stated_kind(raw, topics);
    let unknown = || format!("`{key}` is not a house key: give it a `kind` or a `topic` to make it one");
    let kind = keys.chosen(key).ok_or_else(unknown)?;
    if let Some(stated) = &stated
        && kind.clone().joined(stated.clone()).is_none()
        && !matches!((&kind, stated), (Kind::Count(_), Kind::Count(_)))
    {
        let message = format!("its values are {}, so it can't take {}", kind.expected(), stated.expected());
        return Err(of_key(message));
    }
    let answered = match &raw.topic {
        Some(name) => Some(
            topics
                .get(name)
                .ok_or_else(|| of_key(format!("unknown topic `{name}`: topics are defined in topics/*.toml")))?,
        ),
        None => None,
    };
    let read = |text: &String| kind.read(text).map(|setting| setting.written(text)).map_err(of_key);
    let bound = |text: &String| Bound::read(&kind, text).map_err(of_key);
    let only = |fits: bool, allow: Allow, word: &str| {
        if fits {
            Ok(allow)
        } else {
            Err(of_key(format!("`allow` can't be \"{word}\": its values are {}", kind.expected())))
        }
    };
    let topic = |against: Against| {
        let topic = answered.ok_or_else(|| of_key("`allow` follows a topic, so `topic` must name it".to_owned()))?;
        let fits = match (against, topic.kind, &kind) {
            (Against::AllOf, TopicKind::Words, Kind::Words(_)) => true,
            (Against::AtLeast | Against::Fits, TopicKind::Count, kind) => {
                matches!(kind, Kind::Count(_) | Kind::Length | Kind::Money | Kind::Amount)
            }
            (Against::Fits, TopicKind::YesNo, Kind::YesNo) => true,
            (Against::Fits, TopicKind::Word | TopicKind::Words, Kind::Words(_) | Kind::Text) => true,
            _ => false,
        };
        if fits {
            Ok(Allow::Topic(against))
        } else {
            Err(of_key(format!("`{}` has another kind of answer than the values of the key", topic.name)))
        }
    };
    let allow = match &raw.allow {
        RawAllow::Any if stated.is_some() && matches!(kind, Kind::Words(_)) => {
            return Err(of_key("`allow` can't be \"any\": say which words are lawful".to_owned()));
        }
        RawAllow::Any => Allow::Any,
        RawAllow::ListedTables => {
            only(matches!(kind, Kind::Table | Kind::Price), Allow::ListedTables, "listed_tables")?
        }
        RawAllow::Odds => only(matches!(kind, Kind::Multiple(_)), Allow::Odds, "odds")?,
        RawAllow::Prices => only(kind == Kind::Prices, Allow::Prices, "prices")?,
        RawAllow::Fixed(text) => Allow::Fixed(read(text)?),
        RawAllow::OneOf(texts) => Allow::OneOf(texts.iter().map(read).collect::<Result<_, _>>()?),
        RawAllow::AllOf(words) if *words == [TOPIC] => topic(Against::AllOf)?,
        RawAllow::AllOf(words) => only(matches!(kind, Kind::Words(_)), Allow::AllOf(words.clone()), "all_of")?,
        RawAllow::AtLeast(text) if text == TOPIC => topic(Against::AtLeast)?,
        RawAllow::AtLeast(text) => Allow::AtLeast(bound(text)?),
        RawAllow::AtMost(text) => Allow::AtMost(bound(text)?),
        RawAllow::Between(low, high) => Allow::Between(bound(low)?, bound(high)?),
        RawAllow::Topic => topic(Against::Fits)?,
    };
    if raw.default.is_empty() && stated.is_none() {
        return Err(of_key("`default` is missing".to_owned()));
    }
    let follows = raw.default.is_empty() || kind.follows().contains(&raw.default.as_str());
    let value = if follows { None } else { Some(read(&raw.default)?.value().clone()) };
    let need = |raw: &raw::RawNeeds| {
        let read_as = |is: &String| keys.read(&raw.key, is).map(|setting| setting.written(is));
        let is = raw.is.as_ref().map(read_as).transpose().map_err(|error| error.to_string())?;
        Ok(Needs { when: read(&raw.when)?, key: raw.key.clone(), is })
    };
    let family = |name: &String| {
        let known = Family::ALL.into_iter().find(|family| family.name() == name);
        known.ok_or_else(|| {
            of_key(format!("`binds` takes {}, found `{name}`", Family::ALL.map(Family::name).join(", ")))
        })
    };
    let condition = |raw: &RawWith| {
        let of = |name: &String, fits: fn(&Kind) -> bool, what: &str| match keys.find(name) {
            Some(known) if fits(&known.kind) => Ok(name.clone()),
            _ => Err(of_key(format!("`with`: `{name}` is not a house key with {what}"))),
        };
        match raw {
            RawWith::Above { key, above } => {
                Ok(Condition::Above(of(key, |kind| matches!(kind, Kind::Count(_)), "a count")?, *above))
            }
            RawWith::Key(name) => match name.strip_suffix('*') {
                Some(stem) if keys.iter().any(|key| key.name.starts_with(stem)) => {
                    Ok(Condition::Group(stem.to_owned()))
                }
                Some(_) => Err(of_key(format!("`with`: no house key begins as `{name}` does"))),
                None => Ok(Condition::Yes(of(name, |kind| *kind == Kind::YesNo, "yes or no")?)),
            },
        }
    };
    Ok(Choice {
        key: key.clone(),
        allow,
        default: raw.default.clone(),
        value,
        needs: raw.needs.iter().map(need).collect::<Result<_, String>>()?,
        filing: raw.filing.clone(),
        others: raw.others,
        binds: raw.binds.iter().map(family).collect::<Result<_, _>>()?,
        uniform: raw.uniform.clone(),
        note: raw.note.clone(),
        topic: raw.topic.clone(),
        demanded: match &raw.demanded {
            None | Some(RawDemanded::Always(false)) => Demanded::No,
            Some(RawDemanded::Always(true)) => Demanded::Always,
            Some(RawDemanded::With(with)) => Demanded::With(condition(with)?),
        },
        with: raw.with.as_ref().map(condition).transpose()?,
        games: raw.games.clone(),
        approved_by: raw.approved_by.clone(),
    })
}

/// Word in `allow` for a bound that is the answer to the option's topic.
const TOPIC: &str = "topic";

/// Parses a limit on several amounts together.
pub(super) fn total(keys: &Keys, topics: &BTreeMap<String, Topic>, raw: &RawTotal) -> Result<Total, String> {
    let of = |name: &String, fits: fn(&Kind) -> bool, what: &str| match keys.find(name) {
        Some(known) if fits(&known.kind) => Ok(name.clone()),
        _ => Err(format!("total: `{name}` is not a house key with {what}")),
    };
    let term = |term: &raw::RawTerm| {
        let key = of(&term.key, |kind| matches!(kind, Kind::Money | Kind::Amount), "an amount")?;
        let count = |name: &String| of(name, |kind| matches!(kind, Kind::Count(_)), "a count");
        Ok((key, term.more.iter().map(count).collect::<Result<Vec<_>, String>>()?))
    };
    if topics.get(&raw.topic).is_none_or(|topic| topic.kind != TopicKind::Count) {
        return Err(format!("total: `{}` is not a topic that is answered by a number", raw.topic));
    }
    Ok(Total {
        path: raw.path.clone(),
        of: raw.of.iter().map(term).collect::<Result<_, String>>()?,
        topic: raw.topic.clone(),
        note: raw.note.clone(),
    })
}
