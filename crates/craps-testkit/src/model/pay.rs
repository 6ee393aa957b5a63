//! Payout arithmetic, written directly from the text of a price (`docs/rules.md`, Prices). Amounts are in cents.

use craps_law::TableRules;
use craps_money::{Base, Commission, RoundingRule, WholeDollars};

/// The price of a bet: what it pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// The stake is returned.
    Push,
    /// The win for a stake, without the stake: `Net(7, 6)` pays $7 for $6.
    Net(i64, i64),
}

impl Price {
    /// Reads "7 to 6" (without the stake), "30 for 1" (including the stake) or "push".
    #[must_use]
    pub fn read(text: &str) -> Option<Price> {
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["push"] => Some(Price::Push),
            [win, "to", per] => Some(Price::Net(win.parse().ok()?, per.parse().ok()?)),
            [win, "for", per] => {
                let (win, per): (i64, i64) = (win.parse().ok()?, per.parse().ok()?);
                Some(Price::Net(win - per, per))
            }
            _ => None,
        }
    }
}

fn common(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { common(b, a % b) }
}

/// How a house pays: its lowest chip, and its rule for amounts that can't be paid exactly in chips.
#[derive(Debug, Clone, Copy)]
pub struct Cashier {
    /// Value of the lowest chip, in cents.
    pub chip: i64,
    rule: RoundingRule,
    whole_dollars_stand: bool,
}

impl Cashier {
    /// Returns the cashier for a table's rules.
    #[must_use]
    pub fn of(rules: &TableRules) -> Cashier {
        Cashier {
            chip: i64::try_from(rules.rounding.chip.minor()).unwrap_or(i64::MAX),
            rule: rules.rounding.rule,
            whole_dollars_stand: rules.rounding.whole_dollars == WholeDollars::Exact,
        }
    }

    /// Returns what a stake wins, without the stake. None if it can't be paid exactly and rounding is not allowed.
    #[must_use]
    pub fn win(&self, stake: i64, price: Price) -> Option<i64> {
        let Price::Net(win, per) = price else { return Some(0) };
        let (exact, rest) = (stake * win / per, stake * win % per);
        if rest == 0 && exact % self.chip == 0 {
            return Some(exact);
        }
        match self.rule {
            RoundingRule::ExactOrRefuse => return None,
            RoundingRule::Down => return Some(exact / self.chip * self.chip),
            RoundingRule::Up => {}
        }
        // CO 30-2306(4): only an amount that is not in whole dollars is rounded, up to the lowest chip.
        if rest == 0 && exact % 100 == 0 && self.whole_dollars_stand {
            return Some(exact);
        }
        let mut paid = exact / self.chip * self.chip;
        while paid * per < stake * win {
            paid += self.chip;
        }
        Some(paid)
    }

    /// Returns the smallest stake that pays exactly. All others are multiples of it.
    #[must_use]
    pub fn exact_step(&self, price: Price) -> i64 {
        match price {
            Price::Push => self.chip,
            Price::Net(win, per) => self.chip * per / common(win, per),
        }
    }

    /// Returns the commission: the rate times its base, rounded down to the chip.
    #[must_use]
    pub fn commission(&self, commission: &Commission, stake: i64, win: i64) -> i64 {
        let base = if commission.base == Base::Stake { stake } else { win };
        let (rate, whole) = commission.rate.fraction();
        let base = commission.each.map_or(base, |each| {
            let each = i64::try_from(each.minor()).unwrap_or(i64::MAX);
            base / each * each
        });
        (base * i64::from(rate) / i64::from(whole) / self.chip * self.chip).max(commission.least.minor())
    }
}

/// Returns the maximum odds behind a flat bet, before a house maximum.
#[must_use]
pub fn odds_cap(
    cashier: &Cashier,
    flat: i64,
    times: i64,
    price: Price,
    on_win: bool,
    to_pay_exactly: bool,
) -> Option<i64> {
    let Price::Net(win, per) = price else { return None };
    let step = cashier.exact_step(price);
    // If the win is limited: stake x win / per must not exceed times x flat.
    let (cap, of) = if on_win { (times * flat * per, win) } else { (times * flat, 1) };
    let down = |step: i64| cap / (of * step) * step;
    Some(if to_pay_exactly {
        if down(step) * of == cap { down(step) } else { down(step) + step }
    } else if cashier.rule != RoundingRule::ExactOrRefuse {
        down(cashier.chip)
    } else {
        down(step)
    })
}
