//! Compares what a book answers to a topic with the facts that the program acts on: the facts of its wagers, and how its wagers are decided.

use crate::fact::{Dated, Fact, Rule, RuleBook, WagerLaw};
use crate::raw::{Answer, Plays, SameAs, Topic};
use crate::words::Mark;
use crate::{Days, Most};
use craps_money::{Base, Timing};
use craps_wagers::Dial;
use std::collections::BTreeSet;

/// The values of one fact of a wager, with the days on which they hold.
type Held = Vec<(Days, Vec<String>)>;

impl RuleBook {
    /// Checks that every answer agrees with what the program acts on, and that every topic says what the program does with it.
    pub(crate) fn answers_agree(&self, messages: &mut Vec<String>) {
        for (name, dated) in &self.rules {
            let Some(topic) = self.topics.get(name) else { continue };
            for rule in &dated.0 {
                self.agrees(topic, rule, messages);
            }
        }
    }

    fn agrees(&self, topic: &Topic, rule: &Fact<Rule>, messages: &mut Vec<String>) {
        let answer = &rule.is.answer;
        if let Some(only) = topic.always.as_ref().filter(|only| *only != answer) {
            messages.push(format!(
                "{} is {answer} [{}], but the program can only do this: {only}; answer that, or leave the topic out",
                topic.name, rule.cites
            ));
        }
        for same in &topic.same_as {
            self.restates(topic, same, rule, messages);
        }
        for play in topic.plays.iter().filter(|play| keys(answer).contains(&play.word)) {
            self.shows(topic, play, rule, messages);
        }
    }

    fn restates(&self, topic: &Topic, same: &SameAs, rule: &Fact<Rule>, messages: &mut Vec<String>) {
        for law in self.wagers.values().filter(|law| same.names(law.wager.wager().slug)) {
            let Some(held) = held(self, law, &same.fact) else {
                messages.push(format!("topic {}: wagers have no fact `{}`", topic.name, same.fact));
                return;
            };
            for (_, values) in held.iter().filter(|(days, _)| days.overlap(&rule.days)) {
                if !same.agree(&rule.is.answer, values) {
                    messages.push(format!(
                        "{} is {} [{}], but {} has {} = {}; one of the two is wrong",
                        topic.name,
                        rule.is.answer,
                        rule.cites,
                        law.wager,
                        same.fact,
                        values.join(", ")
                    ));
                }
            }
        }
    }

    fn shows(&self, topic: &Topic, play: &Plays, rule: &Fact<Rule>, messages: &mut Vec<String>) {
        let law = self.wagers.values().find(|law| law.wager.wager().slug == play.wager);
        // A book that has withdrawn the wager has nothing to show.
        let Some(law) = law else { return };
        let told = law.wager.wager().tell(self.dials(law), &play.rolls);
        if told.as_ref().ok() != Some(&play.ends) {
            let told = told.unwrap_or_else(|error| error.to_string());
            messages.push(format!(
                "{} is {} [{}], so {} on {} should be {}, but it is {told}",
                topic.name, rule.is.answer, rule.cites, play.wager, play.rolls, play.ends
            ));
        }
    }
}

impl SameAs {
    /// Is the wager one of those that the topic is about?
    fn names(&self, slug: &str) -> bool {
        self.of.iter().any(|name| match name.strip_suffix('*') {
            Some(stem) => slug.starts_with(stem),
            None => name == slug,
        })
    }

    /// Do the values of a fact agree with an answer?
    fn agree(&self, answer: &Answer, values: &[String]) -> bool {
        let said = match &self.has {
            Some(word) => vec![if keys(answer).contains(word) { "yes".to_owned() } else { "no".to_owned() }],
            None => keys(answer),
        };
        let found: BTreeSet<String> = values.iter().map(|value| plain(value)).collect();
        if self.is.is_empty() {
            return said.iter().map(|word| plain(word)).collect::<BTreeSet<_>>() == found;
        }
        let allowed: BTreeSet<String> =
            said.iter().filter_map(|word| self.is.get(word)).flat_map(|all| &all.0).map(|value| plain(value)).collect();
        found.is_subset(&allowed)
    }
}

/// Returns the words of an answer.
fn keys(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::YesNo(yes) => vec![if *yes { "yes" } else { "no" }.to_owned()],
        Answer::Count(count) => vec![count.to_string()],
        Answer::Word(word) => vec![word.clone()],
        Answer::Words(words) => words.clone(),
    }
}

/// Returns a value in one spelling: `not_taken` and `not-taken` are the same, and so are `5%` and `5`.
fn plain(value: &str) -> String {
    value.trim_end_matches('%').replace(['_', ' '], "-")
}

/// Returns the values of a fact of a wager. None if wagers have no such fact.
fn held(book: &RuleBook, law: &WagerLaw, fact: &str) -> Option<Held> {
    fn each<T>(dated: &Dated<T>, value: impl Fn(&T) -> Vec<String>) -> Held {
        dated.0.iter().map(|fact| (fact.days, value(&fact.is))).collect()
    }
    let one = |text: &str| vec![text.to_owned()];
    let yes = |yes: bool| vec![if yes { "yes" } else { "no" }.to_owned()];
    Some(match fact {
        "offer" => each(&law.offer, |is| one(is.standing.word())),
        "offer.games" => each(&law.offer, |is| {
            let all = || book.games.iter().map(|fact| fact.is).collect();
            let mut games = is.games.clone().unwrap_or_else(all);
            games.extend(is.also.iter().map(|(game, _)| *game));
            games.iter().map(|game| game.word().to_owned()).collect()
        }),
        "offer.key" => each(&law.offer, |is| is.key.iter().cloned().collect()),
        "make" => each(&law.make, |is| one(is.window.word())),
        "make.fresh" => each(&law.make, |is| yes(is.fresh)),
        "make.with" => each(&law.make, |is| is.with.iter().map(|with| with.word().to_owned()).collect()),
        "raise" => each(&law.raise, |is| one(is.word())),
        "lower" => each(&law.lower, |is| one(is.word())),
        "works.come_out" => each(&law.works, |is| one(is.come_out.word())),
        "works.call" => each(&law.works, |is| one(is.call.word())),
        "price" => each(&law.price, |is| one(is.word())),
        "settled" => each(&law.settled, |is| one(is.word())),
        "area" => each(&law.area, |is| one(is.area.word())),
        "units" => each(&law.units, |is| one(&is.to_string())),
        "amount" => each(&law.amount, |is| match is.range {
            Some((low, high)) => vec![format!("{low}..{high}")],
            None => one("house"),
        }),
        "amount.step" => each(&law.amount, |is| is.step.iter().map(ToString::to_string).collect()),
        "commission.timing" => {
            let timing = |timing: Timing| if timing == Timing::OnWin { "on_win" } else { "up_front" }.to_owned();
            // The ways to charge are alternatives, so all of one day are one value.
            let all: Vec<String> = law.commission.0.iter().map(|fact| timing(fact.is.timing)).collect();
            law.commission.0.iter().map(|fact| (fact.days, all.clone())).collect()
        }
        "commission.base" => each(&law.commission, |is| one(if is.base == Base::Win { "win" } else { "stake" })),
        "commission.most" => each(&law.commission, |is| one(&is.rate.to_string())),
        _ => return odds_or_dial(law, fact),
    })
}

fn odds_or_dial(law: &WagerLaw, fact: &str) -> Option<Held> {
    if let Some(name) = fact.strip_prefix("dials.") {
        let fact = law.dials.get(&Dial::find(name).ok()?);
        return Some(fact.into_iter().map(|fact| (fact.days, vec![fact.is.clone()])).collect());
    }
    fn each<T>(dated: &Dated<T>, value: impl Fn(&T) -> String) -> Held {
        dated.0.iter().map(|fact| (fact.days, vec![value(&fact.is)])).collect()
    }
    let Some(odds) = &law.odds else { return fact.starts_with("odds.").then(Vec::new) };
    Some(match fact {
        "odds.least" => each(&odds.least, ToString::to_string),
        "odds.most" => each(&odds.most, |is| match is {
            Most::HousePolicy => "house_policy".to_owned(),
            most => most.to_string(),
        }),
        "odds.cap" => each(&odds.cap, |is| is.word().to_owned()),
        "odds.excess" => each(&odds.excess, |is| is.word().to_owned()),
        "odds.table_max" => each(&odds.table_max, |is| is.word().to_owned()),
        _ => return None,
    })
}

impl Topic {
    /// Returns what is wrong with the topic itself: a mark without what belongs to it.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut need = |holds: bool, what: &str| {
            if !holds {
                wrong.push(format!("topic `{}`: {what}", self.name));
            }
        };
        let acts = self.mark == Mark::Acts;
        need(
            acts || self.same_as.is_empty() && self.plays.is_empty() && self.always.is_none(),
            "`same_as`, `plays` and `always` belong to mark = \"acts\"",
        );
        need((self.mark == Mark::Paper) == self.paper.is_some(), "mark = \"paper\" and `paper = \"…\"` go together");
        need(self.mark == Mark::Recorded || self.why.is_none(), "`why` belongs to mark = \"recorded\"");
        need(self.always.is_some() == self.by.is_some(), "`always` and `by = \"file: function\"` go together");
        let known = |word: &String| match self.kind {
            crate::TopicKind::Word | crate::TopicKind::Words => self.words.contains(word),
            crate::TopicKind::YesNo => ["yes", "no"].contains(&word.as_str()),
            crate::TopicKind::Count | crate::TopicKind::Text => true,
        };
        for same in &self.same_as {
            let words = same.is.keys().filter(|word| same.has.is_none() && !known(word));
            for word in words.chain(same.has.iter().filter(|word| !known(word))) {
                need(false, &format!("`same_as` names the unknown word `{word}`"));
            }
        }
        for play in self.plays.iter().filter(|play| !known(&play.word)) {
            need(false, &format!("`plays` names the unknown word `{}`", play.word));
        }
        wrong
    }
}
