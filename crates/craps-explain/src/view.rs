//! Bets, results and limits in the form that programs read: what a replay, a live table and a position all tell alike. Amounts are in minor
//! units.

use craps_notation::Explained;
use craps_table::{After, AfterWin, Bet, Called, SeatId, Shooter, SlotId, Table, Verdict};
use craps_wagers::{Machine, Phase, Progress, WagerId};
use serde::Serialize;

/// Where the game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PhaseView {
    /// The next throw comes out: the puck is off.
    ComeOut,
    /// A point is on.
    Point,
    /// The dice decide come bets only.
    ComeDecisionsOnly,
}

/// What was called of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CalledView {
    /// Nothing: it works as the book has it.
    Standard,
    /// On.
    On,
    /// Off.
    Off,
}

/// What becomes of a bet that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AfterWinView {
    /// What is usual.
    Usual,
    /// It stays up.
    Up,
    /// It comes down.
    Down,
}

/// What became of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeView {
    /// It won.
    Won,
    /// It lost.
    Lost,
    /// Its stake went back to the rail.
    Returned,
    /// Its stake was credited, and it goes on.
    Credited,
    /// It went to its number.
    Moved,
}

/// Who throws: a seat, or the dealer where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShooterView {
    /// The seat; none is the dealer.
    pub seat: Option<SeatId>,
}

impl From<Shooter> for ShooterView {
    fn from(shooter: Shooter) -> ShooterView {
        match shooter {
            Shooter::Seat(seat) => ShooterView { seat: Some(seat) },
            Shooter::Dealer => ShooterView { seat: None },
        }
    }
}

/// A bet on the felt. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetView {
    /// Its code, such as `PL6`.
    pub bet: String,
    /// What is at risk.
    pub stake: i64,
    /// A coupon that rides on it.
    #[serde(skip_serializing_if = "is_zero")]
    pub coupon: i64,
    /// Commission paid with it.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// What it was called.
    pub called: CalledView,
    /// What becomes of it when it wins.
    pub after_win: AfterWinView,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

impl BetView {
    /// A bet under its code.
    #[must_use]
    pub fn new(code: &str, bet: &Bet) -> BetView {
        BetView {
            bet: code.to_owned(),
            stake: bet.stake.minor(),
            coupon: bet.coupon.minor(),
            commission: bet.commission.minor(),
            called: match bet.called {
                Called::Standard => CalledView::Standard,
                Called::On => CalledView::On,
                Called::Off => CalledView::Off,
            },
            after_win: match bet.after_win {
                AfterWin::Usual => AfterWinView::Usual,
                AfterWin::Up => AfterWinView::Up,
                AfterWin::Down => AfterWinView::Down,
            },
        }
    }
}

/// What the tracker of a side bet shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MarkerView {
    /// The side bet.
    pub wager: String,
    /// The marks that are lit: the keys of the layout's markers.
    pub lit: Vec<String>,
}

/// What is posted at the table. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LimitsView {
    /// The lowest chip.
    pub chip: u64,
    /// The least of a line bet.
    pub min: Option<u64>,
    /// The most of a line bet; none is no maximum.
    pub max: Option<u64>,
    /// The most odds behind it: number and multiple.
    pub odds: Vec<(u8, u32)>,
}

/// One result of a throw: `why/{roll}/{n}` explains it. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ResultView {
    /// Its number within the roll, from one.
    pub n: usize,
    /// Whose bet.
    pub seat: SeatId,
    /// Its code as the dice found it.
    pub bet: String,
    /// What became of it.
    pub outcome: OutcomeView,
    /// What was at risk.
    pub stake: i64,
    /// What it was paid, net of the stake and before commission.
    pub paid: i64,
    /// Commission taken from the win.
    pub commission: i64,
    /// The bet as it stands now; none if it is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands: Option<BetView>,
}

/// The phase of the game, and the point where one is on.
///
/// ```
/// use craps_explain::view::{PhaseView, phase};
/// use craps_wagers::Phase;
/// assert_eq!(phase(Phase::Point(craps_dice::Point::Six)), (PhaseView::Point, Some(6)));
/// ```
#[must_use]
pub fn phase(phase: Phase) -> (PhaseView, Option<u8>) {
    match phase {
        Phase::ComeOut => (PhaseView::ComeOut, None),
        Phase::ComeDecisionOnly => (PhaseView::ComeDecisionsOnly, None),
        Phase::Point(point) => (PhaseView::Point, Some(point.value())),
    }
}

/// What is posted at a table.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// let limits = craps_explain::view::limits(session.table());
/// assert_eq!(limits.chip, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn limits(table: &Table) -> LimitsView {
    let rules = table.rules();
    let line = rules.wagers.iter().find_map(|wager| wager.limits);
    let odds = rules.wagers.iter().find_map(|wager| wager.odds.as_ref());
    LimitsView {
        chip: rules.rounding.chip.minor(),
        min: line.map(|line| line.min.minor()),
        max: line.and_then(|line| line.max).map(|max| max.minor()),
        odds: odds.iter().flat_map(|odds| odds.multiple.iter()).map(|(point, times)| (point.value(), times)).collect(),
    }
}

/// The markers of the side bets that have gathered something.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// assert!(craps_explain::view::markers(session.table()).is_empty(), "nothing was rolled yet");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn markers(table: &Table) -> Vec<MarkerView> {
    let shown = |(wager, progress)| marker(wager, &table.rules().wager(wager)?.machine, progress);
    table.trackers().filter_map(shown).collect()
}

/// The marker of one side bet; none before it has gathered anything.
///
/// ```
/// use craps_explain::view::marker;
/// use craps_wagers::{Catalogue, Dials, Progress};
/// let fire = Catalogue::built_in().find("fire").unwrap();
/// let machine = fire.wager().machine(Dials::default());
/// assert!(marker(fire, &machine, Progress::FRESH).is_none());
/// let shown = marker(fire, &machine, machine.read("4x9")?).unwrap();
/// assert_eq!(shown.lit, ["4", "9"]);
/// # Ok::<(), craps_wagers::NotGathered>(())
/// ```
#[must_use]
pub fn marker(wager: WagerId, machine: &Machine, progress: Progress) -> Option<MarkerView> {
    let lit = machine.gathered(progress).marks();
    (!lit.is_empty()).then(|| MarkerView { wager: wager.to_string(), lit })
}

/// What a bet has gathered: the marks that are lit for it.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("House", "offer=bonus"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// use craps_explain::view::gathered;
/// use craps_notation::action;
/// for bet in ["1:P+10", "1:SM+5"] {
///     let (_, bet) = action(session.table(), bet).unwrap();
///     session.command(&bet)?;
/// }
/// session.throw("2-2".parse()?)?;
/// let small = session.table().board().named("SM").unwrap();
/// let bet = session.table().seat(1).unwrap().bets.get(small).unwrap();
/// assert_eq!(gathered(session.table(), small, bet), ["4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn gathered(table: &Table, slot: SlotId, bet: &Bet) -> Vec<String> {
    table.board().rules(table.rules(), slot).machine.gathered(bet.progress).marks()
}

/// The results of a throw, in the order in which they are printed. `code` gives the code of a bet.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// use craps_explain::view::{OutcomeView, results};
/// use craps_notation::action;
/// let (_, bet) = action(session.table(), "1:P+10").unwrap();
/// session.command(&bet)?;
/// let rolled = session.throw("5-6".parse()?)?;
/// let layout = session.table().board();
/// let views = results(|slot| &layout.slot(slot).code, &rolled.results);
/// assert_eq!((views[0].outcome, views[0].paid), (OutcomeView::Won, 1_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn results<'a>(code: impl Fn(SlotId) -> &'a str, all: &[Explained]) -> Vec<ResultView> {
    let result = |(at, one): (usize, &Explained)| {
        let (outcome, paid, commission) = match one.verdict {
            Verdict::Won { paid, commission, .. } => (OutcomeView::Won, paid.minor(), commission.minor()),
            Verdict::Lost => (OutcomeView::Lost, -one.bet.stake.minor(), 0),
            Verdict::Returned => (OutcomeView::Returned, 0, 0),
            Verdict::Credited { paid, .. } => (OutcomeView::Credited, paid.minor(), 0),
            Verdict::Moved { .. } => (OutcomeView::Moved, 0, 0),
        };
        ResultView {
            n: at + 1,
            seat: one.seat,
            bet: code(one.slot).to_owned(),
            outcome,
            stake: one.bet.stake.minor(),
            paid,
            commission,
            stands: match one.after {
                After::Down => None,
                After::Stands(slot, bet) => Some(BetView::new(code(slot), &bet)),
            },
        }
    };
    all.iter().enumerate().map(result).collect()
}
