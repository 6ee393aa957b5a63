import { describe, expect, test } from "vitest";
import { asText, differs, told, withLimitsOf } from "./laws";
import type { Step } from "./reel";

describe("comparing two laws", () => {
  test("every kind of side has a text, with its section if there is one", () => {
    expect(told({ is: "decided", outcome: "won", stake: 1000, paid: 1400, commission: 50, cite: "X 1" })).toEqual({
      words: "won on $10, $0.50 commission",
      net: 1350,
      cite: "X 1",
    });
    expect(asText(told({ is: "decided", outcome: "lost", stake: 500, paid: -500, commission: 0, cite: "X 2" }))).toBe(
      "−$5, lost on $5",
    );
    expect(told({ is: "refused", message: "not offered here", cite: "X 3" })).toEqual({
      words: "refused: not offered here",
      net: null,
      cite: "X 3",
    });
    expect(
      [
        told({ is: "stands" }),
        told({ is: "absent" }),
        told({ is: "done", commission: 0 }),
        told({ is: "done", commission: -100 }),
      ].map((one) => one.words),
    ).toEqual(["stays up", "no such bet", "done", "done, $1 commission returned"]);
  });

  test("the other house gets all limits of this game, or none", () => {
    const other = { chip: "5", "limits.min": "15", "limits.line.min": "25", "odds.k": "10" };
    expect(withLimitsOf(other, { chip: "1", "limits.min": "5", "odds.k": "3-4-5" })).toEqual({
      "odds.k": "10",
      chip: "1",
      "limits.min": "5",
    });
    expect(withLimitsOf(other, { "odds.k": "2" })).toBe(other);
  });

  test("a roll differs if its bets or its line differ, or if it is refused", () => {
    const step: Step = { roll: 1, line: 1, before: { phase: "point" }, after: { phase: "point" }, call: "" };
    expect(differs(step)).toBe(false);
    expect(differs({ ...step, other: { differences: [] } })).toBe(false);
    expect(differs({ ...step, other: { differences: [], line: { phase: "point", point: 4 } } })).toBe(true);
    expect(differs({ ...step, other: { differences: [], refused: { message: "", cite: "" } } })).toBe(true);
  });
});
