//! A table as others see it: whole, and row by row. What is private is told to those entitled and left out for everybody else: what is on a
//! rail, and so what was bought in, is its owner's, the staff's and the auditors' business.

use super::pit::now;
use super::rows::Reader;
use super::{DiceFrom, Live, Window};
use craps_law::Cites;
use craps_money::Money;
use craps_table::{Bet, Command, Crew, Legal, SeatId, SlotId, Stage, Table, Terms};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use craps_explain::view::{
    AfterWinView, BetView, CalledView, LimitsView, MarkerView, OutcomeView, PhaseView, ResultView, ShooterView,
    gathered, limits, marker, markers, phase, results,
};

/// Who is looking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Eye {
    /// Who it is, if anybody knows.
    pub who: Option<String>,
    /// Do they see what is private at this table?
    pub all: bool,
    /// The invitation that they show.
    pub invitation: Option<String>,
}

impl Eye {
    /// May they see what is this owner's?
    #[must_use]
    pub fn sees(&self, owner: Option<&str>) -> bool {
        self.all || owner.is_some() && owner == self.who.as_deref()
    }
}

/// Who does what the staff does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CrewView {
    /// The machine.
    #[default]
    Automatic,
    /// People, each from a console.
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

/// Where the procedure stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StageView {
    /// No dice are at the table.
    Closed,
    /// The shaker has been tried.
    Inspected,
    /// The dice are on offer.
    Offering,
    /// Bets may be made.
    Betting,
    /// No more bets.
    BetsClosed,
    /// The dice have left the hand.
    InFlight,
}

/// A bet where it stands on the layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StandingView {
    /// The bet.
    #[serde(flatten)]
    pub bet: BetView,
    /// What it has gathered: the marks that are lit for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gathered: Vec<String>,
    /// What the book calls it.
    pub name: String,
    /// The number it stands on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// The bet that these odds stand behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
    /// Would the next throw decide it if it came to that?
    pub works: bool,
}

/// Somebody at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    /// Where.
    pub seat: SeatId,
    /// Who.
    pub name: String,
    /// Is it a program?
    pub bot: bool,
    /// Is it whoever is looking?
    pub own: bool,
    /// Chips on the rail; private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rail: Option<i64>,
    /// What was brought to the table, less what was taken away; private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brought: Option<i64>,
    /// Chips on the felt.
    pub bets: Vec<StandingView>,
}

/// A hand with dice from a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HandView {
    /// Its number at this table.
    pub hand: u32,
    /// SHA-256 of its secret, in hex.
    pub commitment: String,
    /// How many throws it has had.
    pub throws: u32,
}

/// Dice that the stickperson entered and nobody has confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct EnteredView {
    /// As entered; private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<[u8; 2]>,
}

/// A ruling that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulingView {
    /// The row that asks for it.
    pub row: u64,
    /// Whose rail.
    pub seat: SeatId,
    /// How much, in minor units; less than nothing takes away.
    pub amount: i64,
    /// Why.
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

/// A throw that counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RollView {
    /// Its number at this table.
    pub roll: u32,
    /// The row that has it.
    pub seq: u64,
    /// Both dice, the first die first.
    pub dice: [u8; 2],
    /// Their total.
    pub total: u8,
    /// What the throw did to the line: `^` point set, `*` point made, `%` seven-out, `+` come-out winner, `~` come-out craps.
    pub mark: Option<String>,
    /// The same in words.
    pub line: Option<LineMark>,
    /// Who threw.
    pub shooter: Option<ShooterView>,
    /// The stick's call.
    pub call: String,
    /// The wagers whose prices a draw raised for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<RaisedView>,
    /// What it decided, in the order in which results are printed.
    pub results: Vec<ResultView>,
}

/// What a throw did to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LineMark {
    /// The point is set.
    PointSet,
    /// The point is made.
    PointMade,
    /// The shooter sevened out.
    SevenOut,
    /// The come-out roll wins.
    ComeOutWins,
    /// The come-out roll is craps.
    ComeOutCraps,
}

impl LineMark {
    /// What the mark behind the dice of a game means.
    #[must_use]
    pub const fn of(mark: char) -> Option<LineMark> {
        Some(match mark {
            '^' => LineMark::PointSet,
            '*' => LineMark::PointMade,
            '%' => LineMark::SevenOut,
            '+' => LineMark::ComeOutWins,
            '~' => LineMark::ComeOutCraps,
            _ => return None,
        })
    }
}

/// A wager whose price was raised for a throw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RaisedView {
    /// By what.
    pub by: String,
    /// What the book calls it.
    pub name: String,
    /// Its bets, by their codes.
    pub bets: Vec<String>,
    /// The level, from one.
    pub level: usize,
    /// What it pays instead.
    pub pays: String,
    /// By which words.
    pub cite: String,
}

/// A table as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TableView {
    /// Its id.
    pub table: String,
    /// Its name.
    pub name: String,
    /// The number of the last row of its log.
    pub seq: u64,
    /// The hash of that row.
    pub head: String,
    /// The book.
    pub book: String,
    /// The day whose law holds.
    pub as_of: String,
    /// The game.
    pub game: String,
    /// The house rules.
    pub house: String,
    /// May anybody play here without an account? Then the money is practice money.
    pub practice: bool,
    /// Is it there only for the person who opened it and people with the invitation?
    pub private: bool,
    /// The invitation of a private table, for its owner and people who have it: `/felt/{table}?invitation=…` lets others in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Has the table closed for good? It can still be read.
    pub closed: bool,
    /// May people talk to each other here?
    pub chat: bool,
    /// The betting window, where bets stay open by the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowView>,
    /// Who does what the staff does.
    pub crew: CrewView,
    /// Where the dice come from.
    pub dice: DiceFrom,
    /// Where the game stands.
    pub phase: PhaseView,
    /// The point, if one is on.
    pub point: Option<u8>,
    /// Where the procedure stands.
    pub stage: StageView,
    /// The seat that the dice are offered to.
    pub offered_to: Option<SeatId>,
    /// Who has the dice.
    pub shooter: Option<ShooterView>,
    /// Who would have them if they were thrown now.
    pub next_shooter: Option<ShooterView>,
    /// May bets be made, as far as the dice go?
    pub open: bool,
    /// May you have the dice rolled from your seat? Whose turn it is, and whether bets are still open, is said when you do.
    pub can_roll: bool,
    /// How many rolls there have been.
    pub rolled: u32,
    /// The number of the next roll.
    pub next_roll: u32,
    /// How long there has been no seven; none right after one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_seven: Option<NoSevenView>,
    /// What is posted.
    pub limits: LimitsView,
    /// How many places there are.
    pub places: SeatId,
    /// Who is there.
    pub seats: Vec<SeatView>,
    /// What the markers of side bets show.
    pub markers: Vec<MarkerView>,
    /// The hand, where dice come from a secret.
    pub hand: Option<HandView>,
    /// Dice that wait for the boxperson.
    pub entered: Option<EnteredView>,
    /// Rulings that wait for a second person; private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rulings: Option<Vec<RulingView>>,
    /// The last throws, the latest last.
    pub rolls: Vec<RollView>,
}

/// Rolls in a row without a seven, counted over the whole game of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoSevenView {
    /// How many.
    pub rolls: usize,
    /// The chance of that, as a fraction; none where it has too many digits to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<String>,
}

impl NoSevenView {
    /// From the totals, the latest first.
    fn of(latest_first: impl Iterator<Item = u8>) -> Option<NoSevenView> {
        let rolls = latest_first.take_while(|total| *total != SEVEN).count();
        let power = |base: u64| u32::try_from(rolls).ok().and_then(|rolls| base.checked_pow(rolls));
        let chance = power(5).zip(power(6)).map(|(top, bottom)| format!("{top}/{bottom}"));
        (rolls > 0).then_some(NoSevenView { rolls, chance })
    }
}

/// Six of the 36 throws of two dice come to this total.
const SEVEN: u8 = 7;

/// The betting window of a table, as somebody sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WindowView {
    /// How long it is, in seconds, where nobody needs longer.
    pub seconds: u16,
    /// So many times as long it is for those who sit here.
    pub times: u8,
    /// For how many milliseconds from now nobody throws.
    pub left: i64,
    /// How many are not ready, but for whoever has the dice.
    pub waiting_for: usize,
    /// So many times as long as others you need; none where you have no seat.
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

/// How many of the last throws a table shows.
const SHOWN: usize = 20;

/// A table as somebody sees it.
#[must_use]
pub fn table(id: &str, live: &Live, eye: &Eye) -> TableView {
    let (played, opening, (seq, head)) = (live.table(), live.opening(), live.head());
    let rules = played.rules();
    let (stage, offered_to) = stage(played.stage());
    let (phase, point) = phase(played.phase());
    let reader = Reader::new(live);
    let rolls = live.rolls();
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
        practice: opening.practice,
        private: opening.private,
        invitation: live
            .private()
            .filter(|private| private.lets_in(eye.who.as_deref(), eye.invitation.as_deref()))
            .map(|private| private.invitation()),
        closed: live.is_over(),
        chat: opening.chat,
        window: live.window_at(now()).map(|window| WindowView::new(live, window, eye)),
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
        rolled: u32::try_from(rolls.len()).unwrap_or(u32::MAX),
        next_roll: next_roll(live),
        no_seven: NoSevenView::of(rolls.iter().rev().map(|roll| roll.faces.iter().sum())),
        limits: limits(played),
        places: played.places(),
        seats: played.seats().map(|(seat, _)| self::seat(live, seat, eye)).collect(),
        markers: markers(played),
        hand: live.hand().map(|hand| HandView {
            hand: hand.number,
            commitment: hand.commitment.clone(),
            throws: hand.throws,
        }),
        entered: live.entered().map(|entered| EnteredView { dice: eye.all.then_some(entered.faces) }),
        rulings: eye.all.then(rulings),
        rolls: rolls[rolls.len().saturating_sub(SHOWN)..].iter().map(|roll| reader.roll(roll)).collect(),
    }
}

/// The number of the next roll.
#[must_use]
pub fn next_roll(live: &Live) -> u32 {
    live.rolls().last().map_or(1, |roll| roll.number.saturating_add(1))
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
        own: owner.is_some() && owner == eye.who.as_deref(),
        brought: owner.filter(|_| eye.sees(owner)).and_then(|who| live.brought_by(who)).map(Money::minor),
        ..placed(live.table(), id, eye.sees(owner))
    }
}

/// A seat of any table, with what is on its rail or without.
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
        bets: placed.into_iter().flat_map(|seat| seat.bets.standing()).map(standing).collect(),
    }
}

/// A table in the lobby.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LobbyView {
    /// Its id.
    pub table: String,
    /// Its name.
    pub name: String,
    /// The book.
    pub book: String,
    /// The day whose law holds.
    pub as_of: String,
    /// The game.
    pub game: String,
    /// May anybody play here without an account?
    pub practice: bool,
    /// Is it there only for you and people with the invitation?
    pub private: bool,
    /// Who does what the staff does.
    pub crew: CrewView,
    /// Where the dice come from.
    pub dice: DiceFrom,
    /// The point, if one is on.
    pub point: Option<u8>,
    /// How many play.
    pub players: usize,
    /// How many places there are.
    pub places: SeatId,
    /// What is posted.
    pub limits: LimitsView,
    /// How many throws there have been.
    pub throws: u32,
    /// For how many seconds bets stay open after a throw, where they do by the clock.
    pub window: Option<u16>,
    /// Your seat there.
    pub seat: Option<SeatId>,
}

/// A table as the lobby has it.
#[must_use]
pub fn lobby(id: &str, live: &Live, who: Option<&str>) -> LobbyView {
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
        seat: who.and_then(|who| live.seat_of(who)),
    }
}

/// Whether a bet may be made or added to now. Amounts are in minor units and mean the whole bet, with what stands already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LegalView {
    /// Its code.
    pub bet: String,
    /// What the book calls it.
    pub name: String,
    /// May it be made or added to?
    pub open: bool,
    /// The least it may come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The most it may come to; none is no maximum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// It comes in multiples of this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// What stands already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<i64>,
    /// The least that can be added now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<i64>,
    /// The most that can be added now with the chips on the rail, commission aside; less than `least` where they are too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
    /// Why it is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it cannot come down again once it is made; ask before it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<String>,
    /// By which sections.
    pub cite: String,
}

/// The least and the most that can be added to a bet with so many chips: then the whole of it is within its terms.
fn addable(terms: &Terms, rail: i64) -> (i64, i64) {
    let step = i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX).max(1);
    let standing = terms.standing.minor();
    let least = terms.min.minor().max(standing.saturating_add(1));
    let least = least.div_euclid(step).saturating_add(i64::from(least.rem_euclid(step) > 0)).saturating_mul(step);
    let most = terms.max.map_or(i64::MAX, Money::minor).min(standing.saturating_add(rail));
    (least - standing, (most.div_euclid(step) * step - standing).max(0))
}

/// Every bet with its terms or the reason why it is closed, for a seat.
#[must_use]
pub fn legal(live: &Live, seat: SeatId) -> Vec<LegalView> {
    let table = live.table();
    let closed = live.late();
    let rail = table.seat(seat).map_or(0, |seat| seat.rail.minor());
    let view = |legal: Legal| {
        let place = table.board().slot(legal.slot);
        let (terms, refusal) = match legal.terms {
            Ok(_) if !live.is_open() => (None, Some(closed.clone())),
            Ok(terms) => (Some(terms), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let cites: &Cites = match (&terms, &refusal) {
            (Some(terms), _) => &terms.cites,
            (None, Some(refusal)) => refusal.cites(),
            (None, None) => closed.cites(),
        };
        LegalView {
            bet: place.code.clone(),
            name: table.board().rules(table.rules(), legal.slot).name.clone(),
            open: terms.is_some(),
            min: terms.as_ref().map(|terms| terms.min.minor()),
            max: terms.as_ref().and_then(|terms| terms.max).map(Money::minor),
            step: terms.as_ref().map(|terms| terms.multiple.minor()),
            standing: terms.as_ref().map(|terms| terms.standing.minor()),
            least: terms.as_ref().map(|terms| addable(terms, rail).0),
            most: terms.as_ref().map(|terms| addable(terms, rail).1),
            locked: terms.as_ref().and_then(|_| craps_notation::lock(table, legal.slot)).map(|lock| lock.sentence()),
            cite: cites.to_string(),
            reason: refusal.map(|refusal| refusal.sentence()),
        }
    };
    table.legal(seat).into_iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::NoSevenView;

    #[test]
    fn rolls_without_a_seven_are_counted_back_to_the_last_one() {
        let of = |totals: &[u8]| NoSevenView::of(totals.iter().rev().copied()).map(|view| (view.rolls, view.chance));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[4, 6, 7]), None);
        assert_eq!(of(&[4, 7, 6, 11]), Some((2, Some("25/36".to_owned()))));
        assert_eq!(of(&[8; 30]), Some((30, None)));
    }
}
