import { describe, expect, test } from "vitest";
import { next, Projector, tick, ticksOf, tickWords, type Reel, type Step, type StepResult } from "./reel";

function step(roll: number, more: Partial<Step>): Step {
  return {
    roll,
    line: roll,
    dice: [3, 4],
    before: { phase: "come-out" },
    after: { phase: "come-out" },
    call: "",
    ...more,
  };
}

function reel(steps: Step[]): Reel {
  return {
    titles: [""],
    game: 1,
    header: {
      rules: { book: "x", as_of: "2024-01-01", game: "craps", keys: {} },
      seats: [{ seat: 1, name: "A", rail: 50000 }],
      places: 16,
      limits: { chip: 100, odds: [] },
    },
    bets: { P: { name: "Pass" }, PO: { name: "Odds", behind: "P" } },
    steps,
    end: { line: { phase: "come-out", point: null }, felt: [{ seat: 1, bet: "P", stake: 0 }], seats: [] },
    differences: [],
  };
}

describe("a replayed game", () => {
  test("the felt before a roll is the sum of all changes up to it", () => {
    const steps = [
      step(1, { felt: [{ seat: 1, bet: "P", stake: 1000 }], rails: [{ seat: 1, before: 49000, after: 49000 }] }),
      step(2, {
        felt: [{ seat: 1, bet: "PO", stake: 5000, off: true }],
        before: { phase: "point", point: 6 },
        rails: [{ seat: 1, before: 44000, after: 51000 }],
      }),
      step(3, { felt: [{ seat: 1, bet: "PO", stake: 0 }], seats: [{ seat: 3, name: "B" }] }),
    ];
    const shown = new Projector(reel(steps));
    expect(shown.before(0).seats[0]?.bets.map((bet) => bet.bet)).toEqual(["P"]);
    const second = shown.before(1);
    expect(second.point).toBe(6);
    expect(second.seats[0]?.rail).toBe(44000);
    expect(second.seats[0]?.bets.find((bet) => bet.bet === "PO")).toMatchObject({
      stake: 5000,
      behind: "P",
      works: false,
    });
    const third = shown.before(2);
    expect(third.seats.map((seat) => seat.name)).toEqual(["A", "B"]);
    expect(third.seats[0]?.rail).toBe(51000);
    expect(third.seats[0]?.bets).toHaveLength(1);
    // After the last roll, only what is left at the end.
    expect(shown.before(3).seats[0]?.bets).toEqual([]);
  });

  test("a roll of a long game looks the same however it is reached", () => {
    const steps = Array.from({ length: 1000 }, (_, at) =>
      step(at + 1, { felt: [{ seat: 1, bet: at % 2 ? "P" : "PO", stake: at % 3 === 0 ? 0 : (at + 1) * 100 }] }),
    );
    const shown = new Projector(reel(steps));
    const wanted: Record<string, number> = {};
    steps.forEach((one, at) => {
      for (const { bet, stake } of one.felt ?? []) wanted[bet] = stake;
      const found = Object.fromEntries((shown.before(at).seats[0]?.bets ?? []).map((bet) => [bet.bet, bet.stake]));
      expect(found).toEqual(Object.fromEntries(Object.entries(wanted).filter(([, stake]) => stake > 0)));
    });
  });

  test("after the dice the felt shows their results, but not yet the next bets", () => {
    const won: StepResult = { n: 1, seat: 1, bet: "P", outcome: "won", stake: 1000, paid: 1000, commission: 0 };
    const moved: StepResult = {
      n: 2,
      seat: 1,
      bet: "C",
      outcome: "moved",
      stake: 500,
      paid: 0,
      commission: 0,
      stands: { bet: "C8", stake: 500, after_win: "usual", called: "standard" },
    };
    const shown = new Projector(
      reel([
        step(1, {
          felt: [
            { seat: 1, bet: "P", stake: 1000 },
            { seat: 1, bet: "C", stake: 500 },
            { seat: 1, bet: "PO", stake: 2000 },
          ],
          rails: [{ seat: 1, before: 46500, after: 48500 }],
          results: [won, moved],
          after: { phase: "point", point: 8 },
        }),
        step(2, { felt: [{ seat: 1, bet: "F", stake: 500 }], rails: [{ seat: 1, before: 48000, after: 48000 }] }),
      ]),
    );
    const after = shown.after(0);
    expect(after.point).toBe(8);
    expect(after.seats[0]?.rail).toBe(48500);
    expect(after.seats[0]?.bets.map((bet) => [bet.bet, bet.stake])).toEqual([
      ["PO", 2000],
      ["C8", 500],
    ]);
    // Reading doesn't change anything.
    expect(shown.before(0).seats[0]?.bets.map((bet) => bet.bet)).toEqual(["P", "C", "PO"]);
  });

  test("markers change after the dice, not before", () => {
    const shown = new Projector(
      reel([step(1, {}), step(2, { markers: [{ wager: "fire", lit: ["4"] }] }), step(3, {})]),
    );
    expect([0, 1, 2, 3].map((at) => shown.before(at).markers[0]?.lit ?? [])).toEqual([[], [], ["4"], ["4"]]);
  });

  test("in a long game a tick covers several rolls and keeps the most important one", () => {
    const steps = Array.from({ length: 1001 }, (_, at) =>
      step(at + 1, { line_mark: at === 1000 ? "seven-out" : at === 500 ? "point-set" : null }),
    );
    const ticks = ticksOf(steps, 100);
    expect(ticks).toHaveLength(100);
    expect([ticks[99], ticks.filter((one) => one === "point").length, ticks[0]]).toEqual(["out", 1, "plain"]);
    expect(ticksOf(steps.slice(0, 3), 100)).toEqual(["plain", "plain", "plain"]);
    expect(ticksOf([], 100)).toEqual([]);
    expect(tickWords(step(4, { dice: [5, 2], call: "seven out, line away", line_mark: "seven-out" }))).toBe(
      "roll 4, 5-2, seven out, line away, seven-out",
    );
  });

  test("ticks and the next of a kind", () => {
    const steps = [step(1, { line_mark: "point-set" }), step(2, {}), step(3, { line_mark: "seven-out" })];
    expect(steps.map(tick)).toEqual(["point", "plain", "out"]);
    expect(next(steps, 0, (one) => one.line_mark === "seven-out")).toBe(2);
    expect(next(steps, 2, () => true)).toBeNull();
  });
});
