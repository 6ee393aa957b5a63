//! The Why? card: law, rule, sum and cost of one settlement, wherever it is asked for.

use crate::figures::{decimal, exact, percent};
use crate::output;
use craps_dice::Point;
use craps_law::{Library, Prize, TableRules, WagerRules};
use craps_notation::Explained;
use craps_odds::{RBig, Solver, price};
use craps_table::{After, AfterWin, Layout, Verdict};
use craps_wagers::Phase;

/// The Why? card of one settlement.
pub(crate) fn card(library: &Library, rules: &TableRules, layout: &Layout, roll: u32, one: &Explained) -> String {
    let wager = layout.rules(rules, one.slot);
    let slot = layout.slot(one.slot);
    let number = slot.number.map(|number| format!(" {number}")).unwrap_or_default();
    let verdict = match one.verdict {
        Verdict::Won { paid, .. } => format!("won {paid}"),
        Verdict::Lost => format!("lost {}", one.bet.stake),
        Verdict::Returned => "stake returned".to_owned(),
        Verdict::Credited { paid, .. } => format!("credited {paid}, stays"),
        Verdict::Moved { to } => {
            format!("moved to {}", layout.slot(to).number.map_or_else(String::new, |number| number.to_string()))
        }
    };
    let mut text = format!("Why?  seat {}: {}{number}, {}, {verdict}\n", one.seat, wager.name, one.bet.stake);
    let mut row = |label: &str, value: String| text.push_str(&output::labelled(label, 9, &value));
    let cites = if matches!(one.verdict, Verdict::Won { .. } | Verdict::Credited { .. }) {
        &wager.prizes.cites
    } else {
        &wager.offer.cites
    };
    let book = library.book(&rules.book);
    let title =
        cites.iter().find_map(|cite| book?.resolve(cite)).map(|section| section.title.clone()).unwrap_or_default();
    row("law", format!("{cites}: {title} (as of {})", rules.as_of));
    let phase = match one.phase {
        Phase::ComeOut => "on a come-out".to_owned(),
        Phase::ComeDecisionOnly => "on a throw for come decisions only".to_owned(),
        Phase::Point(point) => format!("the point was {point}"),
    };
    row(
        "rule",
        format!("{}; {phase}; dice {} = {} [{}]", rank_text(wager, one), one.dice, one.dice.total(), wager.works.cites),
    );
    if let Verdict::Won { prize, paid, commission, .. } = one.verdict {
        let (win, per) = prize.net();
        let staked = one.bet.stake.plus(one.bet.coupon).unwrap_or(one.bet.stake);
        let coupon =
            if one.bet.coupon.minor() == 0 { String::new() } else { format!(" and a coupon of {}", one.bet.coupon) };
        let charge = if commission.minor() == 0 { "none".to_owned() } else { commission.to_string() };
        let exactly = RBig::from(staked.minor()) * RBig::from(win) / RBig::from(per) / RBig::from(100u8);
        let rounded = exactly != RBig::from(paid.minor()) / RBig::from(100u8);
        let sum = if rounded {
            format!("{}, rounded up to {paid}", decimal(&exactly, 4))
        } else {
            format!("{paid}, rounding none")
        };
        row("sum", format!("{}{coupon} x {win}/{per} = {sum}, commission {charge}", one.bet.stake));
    }
    let stays = match (one.after, one.bet.after_win) {
        (After::Stands(..), AfterWin::Up) => "yes, as told",
        (After::Stands(..), _) => "yes",
        (After::Down, AfterWin::Down) => "no, as told",
        (After::Down, _) => "no",
    };
    row("stays up", format!("{stays}; roll {roll}"));
    let number = match (slot.number, one.phase) {
        (None, Phase::Point(point)) => Some(point),
        (number, _) => number,
    };
    row("cost", cost(rules, wager, number));
    text
}

fn rank_text(wager: &craps_law::WagerRules, one: &Explained) -> String {
    match one.verdict {
        Verdict::Won { rank, prize, .. } => {
            let name = wager.wager.wager().ranks.name(rank);
            let prize = match prize {
                Prize::Part { units, of, odds } => format!("{units} of {of} parts paid {odds}, the rest lost"),
                other => format!("pays {other}"),
            };
            if name == "win" { prize } else { format!("{name}: {prize}") }
        }
        Verdict::Credited { rank, .. } => {
            format!("{}: gives the stake back and goes on", wager.wager.wager().ranks.name(rank))
        }
        Verdict::Lost => "loses".to_owned(),
        Verdict::Returned => "void, even, or off when its bet was decided".to_owned(),
        Verdict::Moved { .. } => "found its number".to_owned(),
    }
}

/// What a bet costs at this table: odds are asked for on the number they stand on.
pub(crate) fn cost(rules: &TableRules, wager: &WagerRules, number: Option<Point>) -> String {
    let analysis = price(&mut Solver::default(), &rules.offering(wager, number));
    let edge = exact(&analysis.edge_resolved, 24);
    let shown = if edge.ends_with("digits") { String::new() } else { format!("{edge} = ") };
    format!(
        "edge {shown}{} per bet resolved; it wins {} of the time",
        percent(&analysis.edge_resolved, 3),
        percent(&analysis.p_win, 3)
    )
}
