"""How fast crapssim plays the strategies that the lab is measured by, and what it makes of given dice.

Usage: crapssim_rate.py DICE, a file of throws such as `14 34 56`. A line of the answer is a name, a tab and a figure: throws per
CPU-second, and the net result of those throws in cents with open bets at face value.
"""

import sys
import time
from importlib.metadata import version

from crapssim.bet import Come
from crapssim.strategy.odds import ComeOddsMultiplier, PassLineOddsMultiplier
from crapssim.strategy.single_bet import BetPassLine
from crapssim.strategy.tools import AggregateStrategy, CountStrategy
from crapssim.table import Table

UNIT = 10
RICH = 1_000_000_000
SLICES = 40
THROWS = 1_000

# Odds are 3-4-5x where nothing is said, and off on the come-out.
PASS = (BetPassLine(UNIT), PassLineOddsMultiplier())
STRATEGIES = {
    "pass": PASS,
    "molly": (*PASS, CountStrategy(Come, 2, Come(UNIT)), ComeOddsMultiplier()),
}


def seated(parts, seed=None):
    """A table with one player, who is never short."""
    table = Table(seed=seed)
    return table, table.add_player(bankroll=RICH, strategy=AggregateStrategy(*parts))


def rate(parts):
    """Throws per CPU-second: the best of several slices."""
    best = 0.0
    for seed in range(SLICES):
        table, _ = seated(parts, seed)
        start = time.process_time()
        table.run(THROWS, verbose=False)
        best = max(best, table.dice.n_rolls / (time.process_time() - start))
    return best


def net(parts, dice):
    """What these throws come to."""
    table, player = seated(parts)
    table.fixed_run(dice)
    return round((player.total_player_cash - RICH) * 100)


def main():
    """Prints every figure."""
    with open(sys.argv[1], encoding="ascii") as file:
        dice = [(int(throw[0]), int(throw[1])) for throw in file.read().split()]
    print("version/crapssim", version("crapssim"), sep="\t")
    for name, parts in STRATEGIES.items():
        print(f"rate/crapssim/{name}", rate(parts), sep="\t")
        print(f"net/crapssim/{name}", net(parts, dice), sep="\t")


if __name__ == "__main__":
    main()
