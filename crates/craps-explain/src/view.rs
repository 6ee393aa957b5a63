//! Bets, results and limits for other programs. Replays, live tables and positions share these types. Amounts are in cents.

use craps_notation::Explained;
use craps_table::{After, AfterWin, Bet, Called, SeatId, Shooter, SlotId, Table, Verdict};
use craps_wagers::{Machine, Phase, Progress, WagerId};
use serde::{Deserialize, Serialize};

/// The phase of the next roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PhaseView {
    /// A come-out roll. The puck is off.
    ComeOut,
    /// A point is on. The puck is on.
    Point,
    /// The dice only decide come bets.
    ComeDecisionsOnly,
}

/// Whether the player turned a bet on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CalledView {
    /// Neither. The bet works by default, as the book says.
    Standard,
    /// Turned on for the come-out roll.
    On,
    /// Turned off.
    Off,
}

/// What happens to a bet when it wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AfterWinView {
    /// The default for the wager.
    Usual,
    /// It stays up.
    Up,
    /// It comes down.
    Down,
}

/// The result of a roll for a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeView {
    /// It won.
    Won,
    /// It lost.
    Lost,
    /// Its stake went back to the player.
    Returned,
    /// Its stake was returned and bet again, so it stays up.
    Credited,
    /// It moved to its number.
    Moved,
}

/// The shooter: a player, or the dealer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShooterView {
    /// The shooter's seat. None means the dealer.
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

/// A bet on the felt. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetView {
    /// Code of the bet, such as `PL6`.
    pub bet: String,
    /// Amount on the bet.
    pub stake: i64,
    /// Value of the coupons on it.
    #[serde(skip_serializing_if = "is_zero")]
    pub coupon: i64,
    /// Commission that has been paid up front.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// Whether the player turned it on or off.
    pub called: CalledView,
    /// What happens to it when it wins.
    pub after_win: AfterWinView,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

impl BetView {
    /// Creates the view of a bet with this code.
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

/// What a roll did to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// Returns the meaning of the mark that follows the dice in a game.
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

/// The lit marks of a side bet's tracker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MarkerView {
    /// Id of the side bet.
    pub wager: String,
    /// Keys of the layout's markers that are lit.
    pub lit: Vec<String>,
}

/// The limits posted at the table. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LimitsView {
    /// Value of the lowest chip.
    pub chip: u64,
    /// Minimum line bet.
    pub min: Option<u64>,
    /// Maximum line bet. None if there is no maximum.
    pub max: Option<u64>,
    /// Maximum odds behind a line bet: pairs of a number and a multiple.
    pub odds: Vec<(u8, u32)>,
}

/// One result of a roll. `why/{roll}/{n}` explains it. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ResultView {
    /// Number of the result within the roll, from 1.
    pub n: usize,
    /// Seat of the bet.
    pub seat: SeatId,
    /// Code of the bet before the roll.
    pub bet: String,
    /// What happened to the bet.
    pub outcome: OutcomeView,
    /// Amount that was on the bet.
    pub stake: i64,
    /// Payout without the stake, before commission. Minus the stake for a lost bet.
    pub paid: i64,
    /// Commission taken from the win.
    pub commission: i64,
    /// The bet after the roll. None if it is down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands: Option<BetView>,
}

/// Returns the phase, and the point if one is on.
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

/// Returns the limits posted at a table.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// let limits = craps_explain::view::limits(session.table());
/// assert_eq!(limits.chip, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn limits(table: &Table) -> LimitsView {
    let rules = table.rules();
    let is_line = |wager: &&craps_law::WagerRules| wager.wager.wager().is_on_the_line();
    let line = rules.wagers.iter().filter(is_line).find_map(|wager| wager.limits);
    let odds = rules.wagers.iter().find_map(|wager| wager.odds.as_ref());
    LimitsView {
        chip: rules.rounding.chip.minor(),
        min: line.map(|line| line.min.minor()),
        max: line.and_then(|line| line.max).map(|max| max.minor()),
        odds: odds.iter().flat_map(|odds| odds.multiple.iter()).map(|(point, times)| (point.value(), times)).collect(),
    }
}

/// Returns the markers of all side bets that have a lit mark.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// assert!(craps_explain::view::markers(session.table()).is_empty(), "nothing was rolled yet");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn markers(table: &Table) -> Vec<MarkerView> {
    let shown = |(wager, progress)| marker(wager, &table.rules().wager(wager)?.machine, progress);
    table.trackers().filter_map(shown).collect()
}

/// Returns the marker of a side bet. None if no mark is lit.
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

/// Returns the marks that are lit for a bet.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("House", "offer=bonus"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
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

/// Returns the results of a roll in printing order. `code` returns the code of a slot.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
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
