//! Arithmetic straight from the words of a price (`docs/rules.md`, Prices). Amounts are in the smallest unit of money.

use craps_law::TableRules;
use craps_money::{Base, Commission, RoundingRule, WholeDollars};

/// A price as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// The stake goes back.
    Push,
    /// So much is won for so much staked, the stake not counted.
    Net(i64, i64),
}

impl Price {
    /// Reads "7 to 6" (won besides the stake), "30 for 1" (the stake included) or "push".
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

/// How a house pays out: its lowest chip and its rule for what does not come out in chips.
#[derive(Debug, Clone, Copy)]
pub struct Cashier {
    /// The lowest chip.
    pub chip: i64,
    up: bool,
    whole_dollars_stand: bool,
}

impl Cashier {
    /// The cashier of a table.
    #[must_use]
    pub fn of(rules: &TableRules) -> Cashier {
        Cashier {
            chip: i64::try_from(rules.rounding.chip.minor()).unwrap_or(i64::MAX),
            up: rules.rounding.rule == RoundingRule::Up,
            whole_dollars_stand: rules.rounding.whole_dollars == WholeDollars::Exact,
        }
    }

    /// What a stake wins besides itself; none where it cannot be paid and nothing may be rounded.
    #[must_use]
    pub fn win(&self, stake: i64, price: Price) -> Option<i64> {
        let Price::Net(win, per) = price else { return Some(0) };
        let (exact, rest) = (stake * win / per, stake * win % per);
        if rest == 0 && exact % self.chip == 0 {
            return Some(exact);
        }
        if !self.up {
            return None;
        }
        // CO 30-2306(4): only what is no whole-dollar amount is rounded, up to the lowest chip.
        if rest == 0 && exact % 100 == 0 && self.whole_dollars_stand {
            return Some(exact);
        }
        let mut paid = exact / self.chip * self.chip;
        while paid * per < stake * win {
            paid += self.chip;
        }
        Some(paid)
    }

    /// The stakes that pay exactly are multiples of this.
    #[must_use]
    pub fn exact_step(&self, price: Price) -> i64 {
        match price {
            Price::Push => self.chip,
            Price::Net(win, per) => self.chip * per / common(win, per),
        }
    }

    /// Commission: the rate on its base, rounded down to the chip.
    #[must_use]
    pub fn commission(&self, commission: &Commission, stake: i64, win: i64) -> i64 {
        let base = if commission.base == Base::Stake { stake } else { win };
        let (rate, whole) = commission.rate.fraction();
        base * i64::from(rate) / i64::from(whole) / self.chip * self.chip
    }
}

/// The most that may stand behind a flat bet, before a house maximum.
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
    // On the win: stake x win / per may not pass times x flat.
    let (cap, of) = if on_win { (times * flat * per, win) } else { (times * flat, 1) };
    let down = |step: i64| cap / (of * step) * step;
    Some(if to_pay_exactly {
        if down(step) * of == cap { down(step) } else { down(step) + step }
    } else if cashier.up {
        down(cashier.chip)
    } else {
        down(step)
    })
}
