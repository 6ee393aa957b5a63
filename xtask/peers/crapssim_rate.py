"""Measures how fast crapssim plays the benchmark strategies, and its net result on given dice.

Usage: crapssim_rate.py DICE. DICE is a file of rolls such as `14 34 56`. Each output line is a name, a tab and a figure: rolls per
CPU-second, or the net result of those rolls in cents with open bets at face value.
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

# By default odds are 3-4-5x, and off on the come-out roll.
PASS = (BetPassLine(UNIT), PassLineOddsMultiplier())
STRATEGIES = {
    "pass": PASS,
    "molly": (*PASS, CountStrategy(Come, 2, Come(UNIT)), ComeOddsMultiplier()),
}


def seated(parts, seed=None):
    """Returns a table with one player, who never runs out of chips."""
    table = Table(seed=seed)
    return table, table.add_player(bankroll=RICH, strategy=AggregateStrategy(*parts))


def rate(parts):
    """Returns rolls per CPU-second: the best of several slices."""
    best = 0.0
    for seed in range(SLICES):
        table, _ = seated(parts, seed)
        start = time.process_time()
        table.run(THROWS, verbose=False)
        best = max(best, table.dice.n_rolls / (time.process_time() - start))
    return best


def net(parts, dice):
    """Returns the net result of these rolls, in cents."""
    table, player = seated(parts)
    table.fixed_run(dice)
    return round((player.total_player_cash - RICH) * 100)


def main():
    """Prints all figures."""
    with open(sys.argv[1], encoding="ascii") as file:
        dice = [(int(throw[0]), int(throw[1])) for throw in file.read().split()]
    print("version/crapssim", version("crapssim"), sep="\t")
    for name, parts in STRATEGIES.items():
        print(f"rate/crapssim/{name}", rate(parts), sep="\t")
        print(f"net/crapssim/{name}", net(parts, dice), sep="\t")


if __name__ == "__main__":
    main()
