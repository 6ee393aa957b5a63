//! Plays a game as written: what follows from the law is computed, and compared with what stands there.

use crate::game::{Act, Action, BetName, Dice, Game, Line, Op, Outcome, Place, Roll, Tag};
use craps_dice::{Throw, Total};
use craps_law::{Cites, HouseRules, Library, Problem, Source, TableRules};
use craps_money::Money;
use craps_table::{Actor, After, Bet, Command, Event, Manner, Refusal, Role, SeatId, Shooter, SlotId, Table, Verdict};
use craps_wagers::{Phase, Points};
use std::collections::BTreeMap;

/// How bets are named where games are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// By code.
    Codes,
    /// By slug.
    Slugs,
}

/// A place where the file says other than the law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where.
    pub place: Place,
    /// In which roll.
    pub roll: Option<u32>,
    /// What follows from the law.
    pub expected: String,
    /// What the file says.
    pub found: String,
    /// By which words.
    pub cites: Cites,
}

/// Something that was asked and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Where.
    pub place: Place,
    /// What.
    pub what: String,
    /// Why.
    pub refusal: Refusal,
}

/// One settlement, enough to explain it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// Whose.
    pub seat: SeatId,
    /// Its slot.
    pub slot: SlotId,
    /// The bet as it stood.
    pub bet: Bet,
    /// What became of it.
    pub verdict: Verdict,
    /// Where it is now.
    pub after: After,
    /// The phase before the throw.
    pub phase: Phase,
    /// The dice.
    pub dice: Throw,
}

/// What came of a game.
#[derive(Debug, Clone)]
pub struct Played {
    /// The game printed again with everything that follows from the law.
    pub filled: String,
    /// Where the file says otherwise.
    pub differences: Vec<Difference>,
    /// What was refused.
    pub refused: Vec<Refused>,
    /// Every settlement, by roll, in the order in which results are printed.
    pub settlements: BTreeMap<u32, Vec<Explained>>,
    /// The rules it was played by; none for a header without a game.
    pub rules: Option<TableRules>,
}

/// Why a game cannot be played.
#[derive(Debug, Clone, PartialEq)]
pub enum Unplayable {
    /// It is malformed.
    Malformed(Place, String),
    /// Its house is unlawful.
    Unlawful(Place, Vec<Problem>),
}

/// Reads a house file by name, for `[House "file:NAME.toml"]`.
pub type HouseFiles<'a> = &'a dyn Fn(&str) -> Result<Source, String>;

/// Plays every game of a file; each takes over the tags of the one before that it does not repeat.
///
/// # Errors
/// When a game cannot be played at all.
pub fn play(
    library: &Library,
    games: &[Game],
    names: Names,
    houses: HouseFiles<'_>,
) -> Result<Vec<Played>, Unplayable> {
    let mut tags: BTreeMap<String, Tag> = BTreeMap::new();
    let mut all = Vec::new();
    for game in games {
        if game.tags.first().is_some_and(|tag| tag.name == "CGN") {
            tags.clear();
        }
        tags.extend(game.tags.iter().map(|tag| (tag.name.clone(), tag.clone())));
        all.push(play_one(library, game, &tags, names, houses)?);
    }
    Ok(all)
}

fn play_one(
    library: &Library,
    game: &Game,
    tags: &BTreeMap<String, Tag>,
    names: Names,
    houses: HouseFiles<'_>,
) -> Result<Played, Unplayable> {
    let mut filled = String::new();
    for tag in &game.tags {
        filled.push_str(&format!("[{} \"{}\"]\n", tag.name, tag.text));
    }
    let header_only = !game.lines.iter().any(|line| !matches!(line, Line::Comment(_)));
    if header_only {
        filled.extend(game.lines.iter().filter_map(|line| match line {
            Line::Comment(text) => Some(format!("{{{text}}}\n")),
            _ => None,
        }));
        return Ok(Played {
            filled,
            differences: Vec::new(),
            refused: Vec::new(),
            settlements: BTreeMap::new(),
            rules: None,
        });
    }
    let table = open(library, game, tags, houses)?;
    let mut player = Player {
        table,
        names,
        filled,
        differences: Vec::new(),
        refused: Vec::new(),
        settlements: BTreeMap::new(),
        next_roll: 1,
        announced: None,
        pending: String::new(),
        draws: Vec::new(),
    };
    for line in &game.lines {
        player.line(line)?;
    }
    player.finish();
    let rules = player.table.rules().clone();
    Ok(Played {
        filled: player.filled,
        differences: player.differences,
        refused: player.refused,
        settlements: player.settlements,
        rules: Some(rules),
    })
}

/// Opens the table that the tags describe, its seats taken.
fn open(
    library: &Library,
    game: &Game,
    tags: &BTreeMap<String, Tag>,
    houses: HouseFiles<'_>,
) -> Result<Table, Unplayable> {
    let malformed = |place: Place, message: String| Unplayable::Malformed(place, message);
    let tag = |name: &str| tags.get(name).ok_or_else(|| malformed(game.place, format!("the tag {name} is missing")));
    let cgn = tag("CGN")?;
    if cgn.text != "1" {
        return Err(malformed(cgn.place, format!("expected [CGN \"1\"], found \"{}\"", cgn.text)));
    }
    let rules = tag("Rules")?;
    let words: Vec<&str> = rules.text.split_whitespace().collect();
    let [book, "as-of", day] = words[..] else {
        return Err(malformed(
            rules.place,
            format!("expected a book and a day such as \"pa as-of 2023-10-01\", found \"{}\"", rules.text),
        ));
    };
    let law = library.book(book).ok_or_else(|| {
        let known: Vec<&str> = library.books.iter().map(|book| book.id.as_str()).collect();
        malformed(rules.place, format!("no book is called `{book}`: expected one of {}", known.join(", ")))
    })?;
    let day = day.parse().map_err(|error: craps_law::NotADay| malformed(rules.place, error.to_string()))?;
    let mut house = HouseRules::plain(book, day);
    if let Some(tag) = tags.get("House") {
        if let Some(name) = tag.text.strip_prefix("file:") {
            let source = houses(name.trim()).map_err(|message| malformed(tag.place, message))?;
            house =
                HouseRules::parse_as_of(&source, Some(day)).map_err(|error| malformed(tag.place, error.to_string()))?;
            house.book = book.to_owned();
        } else {
            for pair in tag.text.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
                let (key, value) = pair
                    .split_once('=')
                    .ok_or_else(|| malformed(tag.place, format!("expected key=value, found `{pair}`")))?;
                house.set(key.trim(), value.trim()).map_err(|message| malformed(tag.place, message))?;
            }
        }
    }
    if let Some(tag) = tags.get("Game") {
        let game = craps_law::Game::find(&tag.text)
            .ok_or_else(|| malformed(tag.place, format!("no game is called `{}`", tag.text)))?;
        house.game = Some(game);
    }
    let admitted = law
        .admit(&house)
        .map_err(|problems| Unplayable::Unlawful(tags.get("House").unwrap_or(rules).place, problems))?;
    let mut table = Table::open(admitted)
        .map_err(|_| malformed(game.place, "this house offers more bets than a layout holds".to_owned()))?;
    let seats = tag("Seats")?;
    for entry in seats.text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let words: Vec<&str> = entry.split_whitespace().collect();
        let parsed = match words[..] {
            [seat, ref name @ .., money] => seat
                .parse::<SeatId>()
                .ok()
                .zip(money.parse::<Money>().ok())
                .map(|(seat, money)| (seat, name.join(" "), money)),
            _ => None,
        };
        let (seat, name, money) = parsed.ok_or_else(|| {
            malformed(
                seats.place,
                format!("expected a seat, a name and an amount such as \"1 Ann 500\", found \"{entry}\""),
            )
        })?;
        table
            .run(Actor::staff(Role::Box), &Command::Join { seat, name, money })
            .map_err(|refusal| malformed(seats.place, refusal.to_string()))?;
    }
    Ok(table)
}

/// A draw as written: where, what, in which words, and whether it is said to be refused.
type Draw = (Place, Vec<(craps_wagers::WagerId, usize)>, String, bool);

struct Player {
    table: Table,
    names: Names,
    filled: String,
    differences: Vec<Difference>,
    refused: Vec<Refused>,
    settlements: BTreeMap<u32, Vec<Explained>>,
    next_roll: u32,
    /// The shooter whose line was printed last.
    announced: Option<Shooter>,
    /// Procedure lines waiting for the roll they act before.
    pending: String,
    /// Draws waiting for that roll's actions.
    draws: Vec<Draw>,
}

impl Player {
    fn line(&mut self, line: &Line) -> Result<(), Unplayable> {
        match line {
            Line::Roll(roll) => self.roll(roll)?,
            Line::Shooter { place, seat, decisions_only, refused } => {
                self.shooter(*place, *seat, *decisions_only, *refused)
            }
            Line::End { place, rails } => self.end(*place, rails),
            Line::Open { place, bets } => self.open(*place, bets),
            Line::Procedure { place, text, act, refused } => self.procedure(*place, text, act, *refused),
            Line::Comment(text) => self.pending.push_str(&format!("{{{text}}}\n")),
        }
        Ok(())
    }

    /// Runs a command; notes a refusal, and a difference where the file says otherwise.
    fn attempt(
        &mut self,
        place: Place,
        what: &str,
        actor: Actor,
        command: &Command,
        said_refused: bool,
        asserted: bool,
    ) -> Option<Vec<Event>> {
        match self.table.run(actor, command) {
            Ok(events) => {
                if said_refused && asserted {
                    self.differ(place, "accepted", "!refused", &Cites::default());
                }
                Some(events)
            }
            Err(refusal) => {
                if !said_refused && asserted {
                    self.differ(place, &format!("{what}!refused ({})", refusal.message), what, &refusal.cites);
                }
                self.refused.push(Refused { place, what: what.to_owned(), refusal });
                None
            }
        }
    }

    fn differ(&mut self, place: Place, expected: &str, found: &str, cites: &Cites) {
        let roll = Some(self.next_roll);
        self.differences.push(Difference {
            place,
            roll,
            expected: expected.to_owned(),
            found: found.to_owned(),
            cites: cites.clone(),
        });
    }

    fn shooter(&mut self, place: Place, seat: Option<SeatId>, decisions_only: bool, refused: bool) {
        let same = self.table.shooter() == Some(seat.map_or(Shooter::Dealer, Shooter::Seat))
            && !decisions_only
            && self.table.phase() != Phase::ComeDecisionOnly;
        if same && !refused {
            return;
        }
        let who = seat.map_or("dealer".to_owned(), |seat| seat.to_string());
        let what = format!("# shooter {who}{}", if decisions_only { " decisions-only" } else { "" });
        let done = self.attempt(
            place,
            &what,
            Actor::staff(Role::Stick),
            &Command::TakeDice { seat, decisions_only },
            refused,
            true,
        );
        if done.is_none() {
            // Read back before whoever does get the dice is named.
            let pending = std::mem::take(&mut self.pending);
            self.filled.push_str(&format!("{pending}{what} !refused\n"));
        } else {
            // Named by the file: said where it stands, before the lines that wait for the roll.
            self.filled.push_str(&format!("{what}\n"));
            self.announced = Some(seat.map_or(Shooter::Dealer, Shooter::Seat));
        }
    }

    fn procedure(&mut self, place: Place, text: &str, act: &Act, refused: bool) {
        let staff = |role: Role| Actor::staff(role);
        let command = match act {
            Act::Draw(selection) => {
                let selection = selection.iter().map(|(wager, level)| (*wager, level - 1)).collect();
                self.draws.push((place, selection, text.to_owned(), refused));
                return;
            }
            Act::Join(seat, name, money) => {
                (staff(Role::Box), Command::Join { seat: *seat, name: name.clone(), money: *money })
            }
            Act::BuyIn(seat, money) => (Actor::player(*seat), Command::BuyIn { seat: *seat, money: *money }),
            Act::Leave(seat) => (Actor::player(*seat), Command::Leave { seat: *seat }),
            Act::PassDice => (staff(Role::Player), Command::PassDice),
            Act::OrderPass(role) => (staff(*role), Command::OrderPass),
            Act::NoRoll(role, reason) => (staff(*role), Command::NoRoll { reason: *reason, caller: Some(*role) }),
            Act::Rule(role, seat, amount, reason) => {
                (staff(*role), Command::Rule { seat: *seat, amount: *amount, reason: reason.clone() })
            }
            Act::Noted => {
                self.pending.push_str(&format!("{text}\n"));
                return;
            }
        };
        let done = self.attempt(place, text, command.0, &command.1, refused, true);
        let mark = if done.is_none() { "!refused" } else { "" };
        self.pending.push_str(&format!("{text}{mark}\n"));
        if matches!(act, Act::PassDice | Act::OrderPass(_)) && done.is_some() {
            self.announced = None;
        }
        if matches!(act, Act::PassDice | Act::OrderPass(_) | Act::Join(..) | Act::Leave(_)) {
            // Who is there and who gave up the dice is read back before the next shooter is named.
            let pending = std::mem::take(&mut self.pending);
            self.filled.push_str(&pending);
        }
    }

    fn roll(&mut self, roll: &Roll) -> Result<(), Unplayable> {
        if roll.number != self.next_roll {
            return Err(Unplayable::Malformed(
                roll.place,
                format!("expected roll {}, found {}", self.next_roll, roll.number),
            ));
        }
        let asserted = roll.results.is_some();
        let actions: Vec<String> = roll.actions.iter().map(|action| self.action(action, asserted)).collect();
        for (place, selection, text, refused) in std::mem::take(&mut self.draws) {
            let done =
                self.attempt(place, &text, Actor::staff(Role::Machine), &Command::Draw { selection }, refused, true);
            let mark = if done.is_none() { "!refused" } else { "" };
            self.pending.push_str(&format!("{text}{mark}\n"));
        }
        let phase = self.table.phase();
        let (dice_text, results) = match &roll.dice {
            Dice::NoRoll { reason, written, caller, refused } => {
                let caller_text = caller.map(|role| format!(",{}", role.name())).unwrap_or_default();
                let text = if *written { format!("NR({}{caller_text})", reason.name()) } else { "NR".to_owned() };
                let command = Command::NoRoll { reason: *reason, caller: *caller };
                let done = self.attempt(
                    roll.dice_place,
                    &text,
                    Actor::staff(caller.unwrap_or(Role::Stick)),
                    &command,
                    *refused,
                    asserted,
                );
                // Whoever threw is named only if the throw was one: a refused call leaves the dice where they were.
                self.announce_as(self.table.shooter());
                if asserted && roll.mark.is_some() {
                    self.differ(
                        roll.dice_place,
                        &text,
                        &format!("{text}{}", roll.mark.unwrap_or_default()),
                        &Cites::default(),
                    );
                }
                (if done.is_some() { text } else { format!("{text}!refused") }, Vec::new())
            }
            Dice::Thrown { dice, text, refused } => {
                let command = Command::Throw { dice: *dice };
                let before = self.table.shooter();
                match self.attempt(roll.dice_place, text, Actor::staff(Role::Stick), &command, *refused, asserted) {
                    None => {
                        self.announce_as(self.table.shooter());
                        (format!("{text}!refused"), Vec::new())
                    }
                    Some(events) => {
                        let taken = events.iter().find_map(|event| match event {
                            Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
                            _ => None,
                        });
                        self.announce_as(taken.or(before));
                        let mark = mark(phase, *dice, self.table.rules().points);
                        if asserted && roll.mark != mark {
                            let show =
                                |mark: Option<char>| format!("{text}{}", mark.map(String::from).unwrap_or_default());
                            self.differ(roll.dice_place, &show(mark), &show(roll.mark), &Cites::default());
                        }
                        let settled = self.explained(&events, phase, *dice);
                        if self.table.shooter().is_none() {
                            self.announced = None;
                        }
                        (format!("{text}{}", mark.map(String::from).unwrap_or_default()), settled)
                    }
                }
            }
        };
        if let Some(written) = &roll.results {
            self.compare(roll, written, &results);
        }
        let mut line = format!("{}.", roll.number);
        for action in &actions {
            line.push_str(&format!(" {action}"));
        }
        line.push_str(&format!(" | {dice_text} |"));
        for one in &results {
            line.push_str(&format!(" {}", self.result_text(one)));
        }
        for comment in &roll.comments {
            line.push_str(&format!(" {{{comment}}}"));
        }
        self.filled.push_str(&line);
        self.filled.push('\n');
        self.settlements.insert(roll.number, results);
        self.next_roll += 1;
        Ok(())
    }

    /// Prints who throws where a hand begins, then what waits for the roll.
    fn announce_as(&mut self, shooter: Option<Shooter>) {
        if let Some(shooter) = shooter.filter(|shooter| self.announced != Some(*shooter)) {
            let who = match shooter {
                Shooter::Seat(seat) => seat.to_string(),
                Shooter::Dealer => "dealer".to_owned(),
            };
            self.filled.push_str(&format!("# shooter {who}\n"));
            self.announced = Some(shooter);
        }
        let pending = std::mem::take(&mut self.pending);
        self.filled.push_str(&pending);
    }

    fn action(&mut self, action: &Action, asserted: bool) -> String {
        let seat = action.seat;
        let name = self.name(&action.bet);
        let head = format!("{seat}:{name}");
        let (op, written) = match action.op {
            Op::Add(amount, commission) => (format!("+{amount}"), commission),
            Op::Remove(amount, commission) => (format!("-{amount}"), commission),
            Op::Call(called) => (format!("!{}", call_word(called)), None),
            Op::Tell(after_win) => (format!("!{}", tell_word(after_win)), None),
        };
        let mut manner = String::new();
        if let Some(roles) = &action.late {
            manner.push_str(&format!("!late({})", roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(",")));
        }
        for (word, amount) in [("cash", action.cash), ("coupon", action.coupon)] {
            if let Some(amount) = amount {
                manner.push_str(&format!("!{word}({amount})"));
            }
        }
        let doubt = if action.doubtful { "?" } else { "" };
        let what = format!("{head}{op}{manner}");
        let events = match self.table.layout().find(action.bet.wager, action.bet.number) {
            Some(slot) => {
                let command = command(action, slot);
                let command = match (&command, &action.late) {
                    (Command::Bet { .. }, _) | (_, None) => command,
                    (_, Some(_)) => Command::InFlight { command: Box::new(command) },
                };
                self.attempt(action.place, &what, Actor::player(seat), &command, action.refused, asserted)
            }
            None => {
                let refusal = self.not_offered(&action.bet);
                if !action.refused && asserted {
                    self.differ(action.place, &format!("{what}!refused ({})", refusal.message), &what, &refusal.cites);
                }
                self.refused.push(Refused { place: action.place, what: what.clone(), refusal });
                None
            }
        };
        let Some(events) = events else { return format!("{what}!refused{doubt}") };
        let commission = events.iter().find_map(|event| match event {
            Event::BetPlaced { commission, .. } => Some(*commission),
            Event::TakenDown { refunded, .. } => Some(*refunded),
            _ => None,
        });
        let commission = commission.unwrap_or_default();
        if let Some(written) = written.filter(|written| *written != commission) {
            self.differ(
                action.place,
                &format!("{head}{op}v{commission}"),
                &format!("{head}{op}v{written}"),
                &Cites::default(),
            );
        }
        let charge = if commission == Money::ZERO { String::new() } else { format!("v{commission}") };
        format!("{head}{op}{charge}{manner}{doubt}")
    }

    fn not_offered(&self, bet: &BetName) -> Refusal {
        let rules = self.table.rules();
        let cites = rules.rules.get("bets.only_listed").map(|fact| fact.cites.clone()).unwrap_or_default();
        let message = if rules.wager(bet.wager).is_some() {
            "there is no such number at this table"
        } else {
            "this table does not offer it"
        };
        Refusal { message: message.to_owned(), cites }
    }

    /// The settlements of a throw in the order in which results are printed.
    fn explained(&self, events: &[Event], phase: Phase, dice: Throw) -> Vec<Explained> {
        let mut all: Vec<Explained> = events
            .iter()
            .filter_map(|event| match event {
                Event::Settled { seat, slot, bet, verdict, after } => Some(Explained {
                    seat: *seat,
                    slot: *slot,
                    bet: *bet,
                    verdict: *verdict,
                    after: *after,
                    phase,
                    dice,
                }),
                _ => None,
            })
            .collect();
        all.sort_by_key(|one| self.order(one.seat, one.slot));
        all
    }

    /// Seat, then the table of names, then number, odds right after their bet.
    fn order(&self, seat: SeatId, slot: SlotId) -> (SeatId, usize, bool) {
        let front = self.table.layout().slot(slot).front;
        (seat, front.unwrap_or(slot).index(), front.is_some())
    }

    fn slot_name(&self, slot: SlotId) -> &str {
        let place = self.table.layout().slot(slot);
        match self.names {
            Names::Codes => &place.code,
            Names::Slugs => &place.name,
        }
    }

    fn name(&self, bet: &BetName) -> String {
        let names = bet.wager.wager().names();
        let own = names.into_iter().find(|name| name.number == bet.number);
        own.map_or_else(|| bet.wager.to_string(), |name| if self.names == Names::Codes { name.code } else { name.slug })
    }

    fn result_text(&self, one: &Explained) -> String {
        format!("{}:{}{}", one.seat, self.slot_name(one.slot), outcome_text(&self.outcome(one)))
    }

    fn outcome(&self, one: &Explained) -> Outcome {
        match one.verdict {
            Verdict::Won { paid, commission, .. } => Outcome::Won(paid, commission),
            Verdict::Lost => Outcome::Lost(one.bet.stake),
            Verdict::Returned | Verdict::Credited { .. } => Outcome::Returned,
            Verdict::Moved { to } => self.table.layout().slot(to).number.map_or(Outcome::Returned, Outcome::Moved),
        }
    }

    /// The whole set of results, in any order, with their commissions.
    fn compare(&mut self, roll: &Roll, written: &[crate::game::WrittenResult], results: &[Explained]) {
        let mut open: Vec<&Explained> = results.iter().collect();
        let mut differences = Vec::new();
        for result in written {
            let slot = self.table.layout().find(result.bet.wager, result.bet.number);
            let at = open.iter().position(|one| one.seat == result.seat && Some(one.slot) == slot);
            let found = format!("{}:{}{}", result.seat, self.name(&result.bet), outcome_text(&result.outcome));
            match at.map(|at| open.remove(at)) {
                Some(one) if self.outcome(one) == result.outcome => {}
                Some(one) => differences.push((result.place, self.result_text(one), found, self.result_cites(one))),
                None => differences.push((result.place, "nothing".to_owned(), found, Cites::default())),
            }
        }
        for one in open {
            differences.push((roll.results_place, self.result_text(one), "nothing".to_owned(), self.result_cites(one)));
        }
        for (place, expected, found, cites) in differences {
            self.differ(place, &expected, &found, &cites);
        }
    }

    fn result_cites(&self, one: &Explained) -> Cites {
        self.table.layout().rules(self.table.rules(), one.slot).prizes.cites.clone()
    }

    fn end(&mut self, place: Place, rails: &[(SeatId, Money)]) {
        let now: Vec<(SeatId, Money)> = self.table.seats().map(|(seat, player)| (seat, player.rail)).collect();
        let text = |rails: &[(SeatId, Money)]| {
            rails.iter().map(|(seat, rail)| format!("{seat}:{rail}")).collect::<Vec<_>>().join(" ")
        };
        let mut written = rails.to_vec();
        written.sort_unstable();
        if written != now {
            self.differ(place, &format!("# end {}", text(&now)), &format!("# end {}", text(rails)), &Cites::default());
        }
    }

    fn standing(&self) -> Vec<(SeatId, SlotId, Money)> {
        let mut all: Vec<(SeatId, SlotId, Money)> = self
            .table
            .seats()
            .flat_map(|(seat, player)| {
                self.table
                    .layout()
                    .slots()
                    .filter_map(move |(slot, _)| player.bets.get(slot).map(|bet| (seat, slot, bet.stake)))
            })
            .collect();
        all.sort_by_key(|(seat, slot, _)| self.order(*seat, *slot));
        all
    }

    fn open_text(&self) -> String {
        self.standing()
            .iter()
            .map(|(seat, slot, stake)| format!("{seat}:{}+{stake}", self.slot_name(*slot)))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn open(&mut self, place: Place, bets: &[(SeatId, BetName, Money)]) {
        let text: Vec<String> =
            bets.iter().map(|(seat, bet, stake)| format!("{seat}:{}+{stake}", self.name(bet))).collect();
        let (mut written, mut now): (Vec<String>, Vec<String>) =
            (text.clone(), self.open_text().split_whitespace().map(str::to_owned).collect());
        written.sort_unstable();
        now.sort_unstable();
        if written != now {
            let expected = self.open_text();
            self.differ(place, &format!("# open {expected}"), &format!("# open {}", text.join(" ")), &Cites::default());
        }
    }

    fn finish(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.filled.push_str(&pending);
        let rails: Vec<String> = self.table.seats().map(|(seat, player)| format!("{seat}:{}", player.rail)).collect();
        self.filled.push_str(&format!("# end {}\n", rails.join(" ")));
        let open = self.open_text();
        if !open.is_empty() {
            self.filled.push_str(&format!("# open {open}\n"));
        }
    }
}

fn command(action: &Action, slot: SlotId) -> Command {
    let seat = action.seat;
    let manner = || Manner { late: action.late.clone(), cash: action.cash, coupon: action.coupon };
    match action.op {
        Op::Add(amount, _) => Command::Bet { seat, slot, amount, manner: manner() },
        Op::Remove(amount, _) => Command::TakeDown { seat, slot, amount },
        Op::Call(called) => Command::Call { seat, slot, called },
        Op::Tell(after_win) => Command::Tell { seat, slot, after_win },
    }
}

fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Won(paid, Money::ZERO) => format!("=w{paid}"),
        Outcome::Won(paid, commission) => format!("=w{paid}v{commission}"),
        Outcome::Lost(stake) => format!("=l{stake}"),
        Outcome::Returned => "=t".to_owned(),
        Outcome::Moved(number) => format!(">{number}"),
    }
}

fn call_word(called: craps_table::Called) -> &'static str {
    match called {
        craps_table::Called::On => "on",
        craps_table::Called::Off => "off",
        craps_table::Called::Standard => "std",
    }
}

fn tell_word(after_win: craps_table::AfterWin) -> &'static str {
    match after_win {
        craps_table::AfterWin::Up => "up",
        craps_table::AfterWin::Down => "down",
        craps_table::AfterWin::Usual => "std",
    }
}

/// The mark of a throw: what it did to the line.
fn mark(phase: Phase, dice: Throw, points: Points) -> Option<char> {
    match phase {
        Phase::ComeDecisionOnly => None,
        Phase::ComeOut if points.set_by(dice.total()).is_some() => Some('^'),
        Phase::ComeOut if matches!(dice.total(), Total::Seven | Total::Eleven) => Some('+'),
        Phase::ComeOut => Some('~'),
        Phase::Point(_) if phase.is_made_by(dice) => Some('*'),
        Phase::Point(_) if phase.is_lost_by(dice) => Some('%'),
        Phase::Point(_) => None,
    }
}
