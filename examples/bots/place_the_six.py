#!/usr/bin/env python3
"""A small bot: bets the pass line, takes full odds, places the six, and leaves after 40 rolls.

    python3 examples/bots/place_the_six.py boxperson --house nj --seed 7

The first argument is the program. All other arguments go to `boxperson bot`. At the end the bot prints the game, which you can
pipe to `boxperson check -`.
"""
import json
import subprocess
import sys

THROWS = 40


class Table:
    """A table at the other end of a pipe: send one line, get one line back."""

    def __init__(self, program, options):
        self.process = subprocess.Popen(
            [program, "bot", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def has(felt, code):
    return any(bet["code"] == code for bet in felt["seats"][0]["bets"])


def is_open(table, code):
    return any(bet["open"] for bet in table.say("legal")["legal"] if bet["code"] == code)


def main():
    table = Table(sys.argv[1], sys.argv[2:])
    for _ in range(THROWS):
        felt = table.say("felt")
        if not has(felt, "P") and is_open(table, "P"):
            table.say("act pass 10")
        if felt["point"] is not None:
            if not has(felt, "PO"):
                table.say("act max odds")
            if felt["point"] != 6 and not has(felt, "PL6"):
                table.say("act 12 on the six")
        if not table.say("dice")["ok"]:
            break  # out of chips, or no one can roll
    sys.stdout.write(table.say("game")["cgn"])
    table.say("quit")


if __name__ == "__main__":
    main()
