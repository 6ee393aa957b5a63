//! A table as a client sees it, as a whole and row by row. Private values are left out for people who may not see them: only the player, the staff
//! and the auditors see the chips in a rail and the buy-ins.

use super::rows::Reader;
use super::{Chain, DiceFrom, Live, Refused, Window};
use crate::clock::ticks;
use crate::error::Why;
use craps_law::Cites;
use craps_money::Money;
use craps_table::{Bet, Command, Crew, Legal, Manner, SeatId, SlotId, Stage, Table, Terms};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

pub use craps_explain::view::{
    AfterWinView, BetView, CalledView, LimitsView, LineMark, MarkerView, OutcomeView, PhaseView, ResultView,
    ShooterView, gathered, limits, marker, markers, phase, results,
};

/// Who is looking at a table, and what they may see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Eye {
    /// Id of the account or guest. None if not signed in.
    pub who: Option<String>,
    /// Do they see everything that is private at this table?
    pub all: bool,
    /// The invitation that came with the request.
    pub invitation: Option<String>,
}

impl Eye {
    /// Can they see what belongs to this owner?
    #[must_use]
    pub fn sees(&self, owner: Option<&str>) -> bool {
        self.all || owner.is_some() && owner == self.who.as_deref()
    }
}

/// Who does the work of the staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CrewView {
    /// A machine.
    #[default]
    Automatic,
    /// People, each at a console.
    People,
}

impl From<Crew> for CrewView {
    fn from(crew: Crew) -> CrewView {
        match crew {
            Crew::Automatic => CrewView::Automatic,
            Crew::People => CrewView::People,
        }
    }
}

impl From<CrewView> for Crew {
    fn from(crew: CrewView) -> Crew {
        match crew {
            CrewView::Automatic => Crew::Automatic,
            CrewView::People => Crew::People,
        }
    }
}

/// Stage of the table's procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StageView {
    /// There are no dice at the table.
    Closed,
    /// The shaker has been inspected and tested.
    Inspected,
    /// The dice are being offered to a shooter.
    Offering,
    /// Bets can be made.
    Betting,
    /// No more bets.
    BetsClosed,
    /// The dice have left the shooter's hand.
    InFlight,
}

/// A bet on the layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StandingView {
    /// Code, amount and state of the bet.
    #[serde(flatten)]
    pub bet: BetView,
    /// Progress of a side bet: the marks that are lit for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gathered: Vec<String>,
    /// Name of the wager in the book.
    pub name: String,
    /// The number that the bet is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// For odds: code of the bet that they are behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
    /// Is the bet working on the next roll?
    pub works: bool,
}

/// A player at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    /// Number of the seat, from 1.
    pub seat: SeatId,
    /// Name of the player.
    pub name: String,
    /// Is the player a program?
    pub bot: bool,
    /// Is this your seat?
    pub own: bool,
    /// Chips in the rail, in cents. Private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rail: Option<i64>,
    /// Total buy-in less what was taken away, in cents. Private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brought: Option<i64>,
    /// The player's seed, which counts for the dice. None if the player has set none since the chain of secrets began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Bets on the layout.
    pub bets: Vec<StandingView>,
}

/// A hand whose dice come from a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HandView {
    /// Number of the hand at this table, from 1.
    pub hand: u32,
    /// SHA-256 of its secret, in hex.
    pub commitment: String,
    /// Place of its secret in a chain. Old hands have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain: Option<Chain>,
    /// How many rolls the hand has had.
    pub throws: u32,
}

/// The witness that takes part in the dice of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WitnessView {
    /// Public key of the witness, in hex.
    pub key: String,
    /// Bets are closed, and the roll waits for the witness. It goes on by itself when the witness answers.
    pub waits: bool,
}

/// Dice that the stickperson has entered and the boxperson hasn't confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EnteredView {
    /// The faces as entered. Private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<[u8; 2]>,
}

/// A ruling that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulingView {
    /// Number of the row that asks for it.
    pub row: u64,
    /// Seat of the player whose chips it moves.
    pub seat: SeatId,
    /// Amount in cents. Negative takes chips away.
    pub amount: i64,
    /// Reason that was given.
    pub reason: String,
}

pub(super) fn ruling<B>(row: u64, command: &Command<B>) -> Option<RulingView> {
    match command {
        Command::Rule { seat, amount, reason } => {
            Some(RulingView { row, seat: *seat, amount: amount.minor(), reason: reason.clone() })
        }
        _ => None,
    }
}

/// A roll that counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RollView {
    /// Number of the roll at this table, from 1.
    pub roll: u32,
    /// Number of its row.
    pub seq: u64,
    /// Both faces, the first die first.
    pub dice: [u8; 2],
    /// Total of the two dice.
    pub total: u8,
    /// What the roll did to the line: `^` point set, `*` point made, `%` seven-out, `+` come-out winner, `~` come-out craps.
    pub mark: Option<String>,
    /// The same as a word.
    pub line: Option<LineMark>,
    /// Who rolled.
    pub shooter: Option<ShooterView>,
    /// What the stickperson calls.
    pub call: String,
    /// What a colorful stickperson calls: the same with a traditional nickname, where the roll has one.
    pub colorful: String,
    /// The wagers whose prices a draw raised for this roll.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<RaisedView>,
    /// The bets that it decided, in the order in which results are printed.
    pub results: Vec<ResultView>,
}

/// A wager whose price was raised for one roll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RaisedView {
    /// Name of the feature that raised it, such as `Power Odds`.
    pub by: String,
    /// Name of the wager in the book.
    pub name: String,
    /// Codes of its bets.
    pub bets: Vec<String>,
    /// Level of the raise, from 1.
    pub level: usize,
    /// The raised price, such as `5 to 1`.
    pub pays: String,
    /// The sections that allow it.
    pub cite: String,
}

/// A table as it stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableView {
    /// Id of the table, as in its address.
    pub table: String,
    /// Name of the table.
    pub name: String,
    /// Number of the last row of its log.
    pub seq: u64,
    /// Hash of that row.
    pub head: String,
    /// Id of the rule book, such as `pa`.
    pub book: String,
    /// The day of the law, such as `2023-10-01`.
    pub as_of: String,
    /// The game, such as `craps`.
    pub game: String,
    /// The house rules, as in the header of a game.
    pub house: String,
    /// The same house rules: keys with their values.
    pub keys: BTreeMap<String, String>,
    /// Can people play here without an account? Then the money is practice money.
    pub practice: bool,
    /// Is the table open only to the person who opened it and to people with the invitation?
    pub private: bool,
    /// The invitation to a private table, for its owner and for people who have it. `/felt/{table}?invitation=…` lets others in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Has the table closed permanently? It can still be read.
    pub closed: bool,
    /// Can people chat here?
    pub chat: bool,
    /// The betting window. None if the table has no betting clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowView>,
    /// Who does the work of the staff.
    pub crew: CrewView,
    /// Where the dice come from.
    pub dice: DiceFrom,
    /// Phase of the game.
    pub phase: PhaseView,
    /// The point, if one is on.
    pub point: Option<u8>,
    /// Stage of the table's procedure.
    pub stage: StageView,
    /// The seat that the dice are being offered to.
    pub offered_to: Option<SeatId>,
    /// Who has the dice.
    pub shooter: Option<ShooterView>,
    /// Who would have the dice if they were rolled now.
    pub next_shooter: Option<ShooterView>,
    /// Are bets open?
    pub open: bool,
    /// Can you start a roll from your seat? The roll itself can still be refused: when it isn't your turn, or while bets are open.
    pub can_roll: bool,
    /// How many rolls there have been.
    pub rolled: u32,
    /// Number of the next roll.
    pub next_roll: u32,
    /// How many rolls there have been since the last seven. None right after a seven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_seven: Option<NoSevenView>,
    /// The posted limits.
    pub limits: LimitsView,
    /// How many seats the table has.
    pub places: SeatId,
    /// The players at the table.
    pub seats: Vec<SeatView>,
    /// Markers of the side bets.
    pub markers: Vec<MarkerView>,
    /// The hand, if the dice come from a secret.
    pub hand: Option<HandView>,
    /// The witness that takes part in the dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessView>,
    /// Dice that wait for the boxperson to confirm them.
    pub entered: Option<EnteredView>,
    /// Rulings that wait for a second person. Private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rulings: Option<Vec<RulingView>>,
    /// What players asked for that waits for the crew.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<RequestView>,
    /// The wagers whose prices a draw has raised for the next roll.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<RaisedView>,
    /// The last 20 rolls, the latest last.
    pub rolls: Vec<RollView>,
}

/// Something that a player asked for and that waits for the crew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RequestView {
    /// Number of the request. `POST /tables/{table}/requests/{request}` answers it.
    pub request: u32,
    /// The player's seat.
    pub seat: Option<SeatId>,
    /// What the player asks for, in words. What a player buys in for is private.
    pub words: String,
    /// Roles that confirm it.
    pub by: Vec<String>,
    /// Must each of them confirm it? If not, one is enough.
    pub all: bool,
    /// Roles that have confirmed it.
    pub confirmed: Vec<String>,
    /// The sections that make it wait. Empty if that is this program's own procedure.
    pub cite: String,
}

/// Returns what waits for the crew, as `eye` may see it.
pub(crate) fn requests(live: &Live, eye: &Eye) -> Vec<RequestView> {
    let table = live.table();
    let names = |roles: &[craps_table::Role]| roles.iter().map(|role| role.name().to_owned()).collect();
    let words = |command: &Command| match command {
        Command::BuyIn { seat, .. } if !eye.sees(live.owner(*seat)) => "buys chips".to_owned(),
        Command::Nominate { shooter, .. } => format!("seat {shooter} is to roll the dice"),
        // A bet in flight is spoken like any other. How much cash came with it is private.
        Command::Bet { seat, slot, amount, manner } => {
            let cash = manner.cash.filter(|_| eye.sees(live.owner(*seat)));
            let manner = Manner { late: None, cash, ..manner.clone() };
            let spoken = Command::Bet { seat: *seat, slot: *slot, amount: *amount, manner };
            craps_notation::talk::say(table, &spoken).unwrap_or_default()
        }
        command => craps_notation::talk::say(table, command).unwrap_or_default(),
    };
    let view = |request: &craps_table::Request| RequestView {
        request: request.number,
        seat: request.command.seat(),
        words: words(&request.command),
        by: names(&request.needs.by),
        all: request.needs.all,
        confirmed: names(&request.confirmed),
        cite: table.waits_by(&request.command).to_string(),
    };
    table.requests().iter().map(view).collect()
}

/// Rolls in a row without a seven, over the whole life of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoSevenView {
    /// Number of rolls.
    pub rolls: usize,
    /// Probability of that many rolls without a seven, as a fraction. None if the fraction has too many digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<String>,
}

impl NoSevenView {
    /// Makes the view for so many rolls since the last seven.
    fn of(rolls: u32) -> Option<NoSevenView> {
        let power = |base: u64| base.checked_pow(rolls);
        let chance = power(5).zip(power(6)).map(|(top, bottom)| format!("{top}/{bottom}"));
        (rolls > 0).then_some(NoSevenView { rolls: usize::try_from(rolls).unwrap_or(usize::MAX), chance })
    }
}

/// The betting window of a table, as one person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WindowView {
    /// Normal length in seconds.
    pub seconds: u16,
    /// The window is this many times as long for the players who are seated now.
    pub times: u8,
    /// Milliseconds until the dice can be rolled.
    pub left: i64,
    /// How many players aren't ready, not counting the shooter.
    pub waiting_for: usize,
    /// How many times the normal time you need. None if you have no seat.
    pub own: Option<u8>,
    /// Have you said that you are ready?
    pub ready: bool,
}

impl WindowView {
    fn new(live: &Live, window: Window, eye: &Eye) -> WindowView {
        let own = eye.who.as_deref().and_then(|who| live.seat_of(who)).map(|seat| live.pace(seat));
        WindowView {
            seconds: window.seconds,
            times: window.times,
            left: window.left,
            waiting_for: window.waiting_for.len(),
            own: own.map(|pace| pace.times),
            ready: own.is_some_and(|pace| pace.ready),
        }
    }
}

/// How many of the last rolls a table shows.
const SHOWN: usize = 20;

/// Returns the table as `eye` may see it.
#[must_use]
pub fn table(id: &str, live: &Live, eye: &Eye) -> TableView {
    let (played, opening, (seq, head)) = (live.table(), live.opening(), live.head());
    let rules = played.rules();
    let (stage, offered_to) = stage(played.stage());
    let (phase, point) = phase(played.phase());
    let reader = Reader::new(live);
    let rolls = live.recent();
    let rulings = || live.proposals().iter().filter_map(|(row, (_, command))| ruling(*row, command)).collect();
    TableView {
        table: id.to_owned(),
        name: opening.name.clone(),
        seq,
        head: head.to_owned(),
        book: rules.book.clone(),
        as_of: rules.as_of.to_string(),
        game: rules.game.word().to_owned(),
        house: opening.house.clone(),
        keys: craps_notation::house_keys(&opening.house)
            .filter_map(Result::ok)
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect(),
        practice: opening.practice,
        private: opening.private,
        invitation: live
            .private()
            .filter(|private| private.lets_in(eye.who.as_deref(), eye.invitation.as_deref()))
            .map(|private| private.invitation()),
        closed: live.is_over(),
        chat: opening.chat,
        window: live.window_at(ticks()).map(|window| WindowView::new(live, window, eye)),
        crew: played.crew().into(),
        dice: opening.dice,
        phase,
        point,
        stage,
        offered_to,
        shooter: played.shooter().map(Into::into),
        next_shooter: played.shooter().or_else(|| played.implied_shooter()).map(Into::into),
        open: live.is_open() && !matches!(played.stage(), Stage::BetsClosed | Stage::InFlight),
        can_roll: live.can_roll(eye.who.as_deref()),
        rolled: live.rolled(),
        next_roll: next_roll(live),
        no_seven: NoSevenView::of(live.without_seven()),
        limits: limits(played),
        places: played.places(),
        seats: played.seats().map(|(seat, _)| self::seat(live, seat, eye)).collect(),
        markers: markers(played),
        hand: live.hand().map(|hand| HandView {
            hand: hand.number,
            commitment: hand.commitment.clone(),
            chain: hand.chain.clone(),
            throws: hand.throws,
        }),
        witness: opening
            .witness
            .as_ref()
            .map(|witness| WitnessView { key: witness.key.to_string(), waits: live.waits_for_witness() }),
        entered: live.entered().map(|entered| EnteredView { dice: eye.all.then_some(entered.faces) }),
        rulings: eye.all.then(rulings),
        requests: requests(live, eye),
        raised: live.raised().iter().map(|raised| reader.raised(raised)).collect(),
        rolls: rolls.iter().skip(rolls.len().saturating_sub(SHOWN)).map(|roll| reader.roll(roll)).collect(),
    }
}

/// Returns the number of the next roll.
#[must_use]
pub fn next_roll(live: &Live) -> u32 {
    live.rolled().saturating_add(1)
}

fn stage(stage: Stage) -> (StageView, Option<SeatId>) {
    match stage {
        Stage::Closed => (StageView::Closed, None),
        Stage::Inspected => (StageView::Inspected, None),
        Stage::Offering(seat) => (StageView::Offering, seat),
        Stage::Betting => (StageView::Betting, None),
        Stage::BetsClosed => (StageView::BetsClosed, None),
        Stage::InFlight => (StageView::InFlight, None),
    }
}

fn seat(live: &Live, id: SeatId, eye: &Eye) -> SeatView {
    let owner = live.owner(id);
    SeatView {
        bot: live.is_bot(id),
        seed: live.seed(id).map(str::to_owned),
        own: owner.is_some() && owner == eye.who.as_deref(),
        brought: owner.filter(|_| eye.sees(owner)).and_then(|who| live.brought_by(who)).map(Money::minor),
        ..placed(live.table(), id, eye.sees(owner))
    }
}

/// Builds the view of a seat at any table, with or without the chips in its rail.
pub(crate) fn placed(table: &Table, id: SeatId, rail: bool) -> SeatView {
    let layout = table.board();
    let placed = table.seat(id);
    let standing = |(slot, bet): (SlotId, &Bet)| {
        let place = layout.slot(slot);
        StandingView {
            bet: BetView::new(&place.code, bet),
            gathered: gathered(table, slot, bet),
            name: layout.rules(table.rules(), slot).name.clone(),
            number: place.number.map(|number| number.value()),
            behind: place.front.map(|front| layout.slot(front).code.clone()),
            works: table.works(id, slot),
        }
    };
    SeatView {
        seat: id,
        name: placed.map(|seat| seat.name.clone()).unwrap_or_default(),
        bot: false,
        own: false,
        rail: placed.filter(|_| rail).map(|seat| seat.rail.minor()),
        brought: None,
        seed: None,
        bets: placed.into_iter().flat_map(|seat| seat.bets.standing()).map(standing).collect(),
    }
}

/// A table in the lobby.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LobbyView {
    /// Id of the table, as in its address.
    pub table: String,
    /// Name of the table.
    pub name: String,
    /// Id of the rule book, such as `pa`.
    pub book: String,
    /// The day of the law, such as `2023-10-01`.
    pub as_of: String,
    /// The game, such as `craps`.
    pub game: String,
    /// Can people play here without an account?
    pub practice: bool,
    /// Is the table open only to you and to people with the invitation?
    pub private: bool,
    /// Who does the work of the staff.
    pub crew: CrewView,
    /// Where the dice come from.
    pub dice: DiceFrom,
    /// The point, if one is on.
    pub point: Option<u8>,
    /// How many players are seated.
    pub players: usize,
    /// How many seats the table has.
    pub places: SeatId,
    /// The posted limits.
    pub limits: LimitsView,
    /// How many rolls there have been.
    pub throws: u32,
    /// Length of the betting window after a roll, in seconds. None if the table has no betting clock.
    pub window: Option<u16>,
    /// Your seat there, if you have one.
    pub seat: Option<SeatId>,
}

/// Returns a table as the lobby lists it for a stranger.
#[must_use]
pub fn lobby(id: &str, live: &Live) -> LobbyView {
    let (table, opening) = (live.table(), live.opening());
    let rules = table.rules();
    LobbyView {
        table: id.to_owned(),
        name: opening.name.clone(),
        book: rules.book.clone(),
        as_of: rules.as_of.to_string(),
        game: rules.game.word().to_owned(),
        practice: opening.practice,
        private: opening.private,
        crew: table.crew().into(),
        dice: opening.dice,
        point: phase(table.phase()).1,
        players: table.seats().count(),
        places: table.places(),
        limits: limits(table),
        throws: table.throws(),
        window: opening.window,
        seat: None,
    }
}

/// Whether a bet can be made or added to now. Amounts are in cents and mean the whole bet, including what is on it already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LegalView {
    /// Code of the bet, such as `PL6`.
    pub bet: String,
    /// Name of the wager in the book.
    pub name: String,
    /// Can the bet be made or added to?
    pub open: bool,
    /// Lowest amount of the bet, a whole number of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// Highest amount of the bet, a whole number of steps. None if there is no maximum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// The bet must be a multiple of this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// Amount that is on the bet already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<i64>,
    /// The least that can be added now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<i64>,
    /// The most that can be added now with the chips in the rail, not counting commission. Less than `least` if the chips don't suffice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
    /// Why the bet is closed, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the bet is closed, as values, with what the table would accept instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Why>,
    /// Why the bet can't be taken down once it is made. Ask the player before making it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<String>,
    /// The sections behind the terms or the reason.
    pub cite: String,
}

/// The amounts that a bet takes now, in cents. All of them keep the whole bet at a whole number of steps.
struct Amounts {
    /// The lowest and the highest amount of the whole bet.
    min: i64,
    max: Option<i64>,
    /// The least and the most that can be added.
    least: i64,
    most: i64,
}

impl Amounts {
    /// Returns the amounts for a player with `rail` chips.
    fn new(terms: &Terms, rail: i64) -> Amounts {
        let step = i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX).max(1);
        let up = |cents: i64| {
            cents.div_euclid(step).saturating_add(i64::from(cents.rem_euclid(step) > 0)).saturating_mul(step)
        };
        let down = |cents: i64| cents.div_euclid(step) * step;
        let standing = terms.standing.minor();
        let most = terms.max.map_or(i64::MAX, Money::minor).min(standing.saturating_add(rail));
        Amounts {
            min: up(terms.min.minor()).max(step),
            max: terms.max.map(|max| down(max.minor())),
            least: up(terms.min.minor().max(standing.saturating_add(1))) - standing,
            most: (down(most) - standing).max(0),
        }
    }
}

/// Returns every bet for a seat, with its terms or the reason why it is closed.
#[must_use]
pub fn legal(live: &Live, seat: SeatId) -> Vec<LegalView> {
    let table = live.table();
    let closed = live.late();
    let rail = table.seat(seat).map_or(0, |seat| seat.rail.minor());
    let view = |legal: Legal| {
        let place = table.board().slot(legal.slot);
        let (terms, refused): (_, Option<Refused>) = match legal.terms {
            Ok(_) if !live.is_open() => (None, Some(closed.clone())),
            Ok(terms) => (Some(terms), None),
            Err(refusal) => (None, Some(refusal.into())),
        };
        let cites: &Cites = match (&terms, &refused) {
            (Some(terms), _) => &terms.cites,
            (None, Some(refused)) => refused.cites(),
            (None, None) => closed.cites(),
        };
        let amounts = terms.as_ref().map(|terms| Amounts::new(terms, rail));
        LegalView {
            bet: place.code.clone(),
            name: table.board().rules(table.rules(), legal.slot).name.clone(),
            open: terms.is_some(),
            min: amounts.as_ref().map(|amounts| amounts.min),
            max: amounts.as_ref().and_then(|amounts| amounts.max),
            step: terms.as_ref().map(|terms| terms.multiple.minor()),
            standing: terms.as_ref().map(|terms| terms.standing.minor()),
            least: amounts.as_ref().map(|amounts| amounts.least),
            most: amounts.as_ref().map(|amounts| amounts.most),
            locked: terms.as_ref().and_then(|_| craps_notation::lock(table, legal.slot)).map(|lock| lock.sentence()),
            cite: cites.to_string(),
            refusal: refused.as_ref().map(Why::from),
            reason: refused.map(|refused| refused.sentence()),
        }
    };
    table.legal(seat).into_iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::{Amounts, NoSevenView};
    use craps_law::Cites;
    use craps_money::{Money, Stake};
    use craps_table::{Ground, Terms};

    #[test]
    fn amounts_are_whole_numbers_of_steps() {
        let of = |(min, max, step): (i64, Option<i64>, i64), standing: i64, rail: i64| {
            let money = Money::from_minor;
            let multiple = Stake::new(money(step)).unwrap();
            let (min_by, max_by) = (Ground::Procedure, Ground::Procedure);
            let terms = Terms {
                min: money(min),
                max: max.map(money),
                multiple,
                standing: money(standing),
                cites: Cites(Vec::new()),
                min_by,
                max_by,
            };
            let amounts = Amounts::new(&terms, rail);
            (amounts.min, amounts.max, amounts.least, amounts.most)
        };
        let place = (1_000, Some(50_000), 600);
        assert_eq!(of(place, 0, 100_000), (1_200, Some(49_800), 1_200, 49_800));
        assert_eq!(of(place, 600, 100_000), (1_200, Some(49_800), 600, 49_200));
        assert_eq!(of(place, 1_200, 1_000), (1_200, Some(49_800), 600, 600));
        assert_eq!(of((1_500, None, 100), 1_500, 250), (1_500, None, 100, 200));
    }

    #[test]
    fn rolls_without_a_seven_have_their_chance() {
        let of = |rolls: u32| NoSevenView::of(rolls).map(|view| (view.rolls, view.chance));
        assert_eq!(of(0), None);
        assert_eq!(of(2), Some((2, Some("25/36".to_owned()))));
        assert_eq!(of(30), Some((30, None)));
    }
}
