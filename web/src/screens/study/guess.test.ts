import { describe, expect, test } from "vitest";
import { decidedFor, netOf, readGuess, score, sumOf } from "./guess";
import type { Step, StepResult } from "./reel";

const result = (
  n: number,
  seat: number,
  paid: number,
  commission = 0,
  outcome: StepResult["outcome"] = paid < 0 ? "lost" : "won",
): StepResult => ({ n, seat, bet: "P", outcome, stake: 1000, paid, commission });
const step = (roll: number, results: StepResult[]): Step => ({
  roll,
  line: roll,
  before: { phase: "point" },
  after: { phase: "point" },
  call: "",
  results,
});

describe("a guess", () => {
  test("is read with its sign", () => {
    expect(["14", "+14", "-10", "−$10", "– 2.50", "1,200", "-0"].map(readGuess)).toEqual([
      1400, 1400, -1000, -1000, -250, 120000, 0,
    ]);
    expect(["", "-", "ten", "1.2.3", "--4"].map(readGuess)).toEqual([null, null, null, null, null]);
  });

  test("is compared with the seat's own results, after commission and without bets that only moved", () => {
    const four = step(4, [
      result(1, 1, 1000),
      result(2, 1, 6000, 300),
      result(3, 3, -500),
      result(4, 1, 0, 0, "moved"),
      result(5, 1, -500),
    ]);
    const own = decidedFor(four, 1);
    expect(own.map((one) => one.n)).toEqual([1, 2, 5]);
    expect(netOf(own)).toBe(6200);
    expect(sumOf(own)).toBe("+10 +57 −5 = +62");
    expect(sumOf(decidedFor(four, 3))).toBe("−5");
    expect(sumOf([])).toBe("0");
    expect(score([four, step(5, [result(1, 1, 700)]), step(6, [])], 1, { 4: 6200, 5: 1, 6: Number.NaN })).toEqual({
      right: 1,
      of: 2,
    });
  });
});
