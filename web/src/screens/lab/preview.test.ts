import { expect, test } from "vitest";
import { felts, line, type Step } from "./preview";

const step = (roll: number, ...bets: [string, number][]): Step => ({ roll, dice: [4, 2], call: "six", before: { phase: "come-out" }, felt: bets.map(([bet, stake]) => ({ seat: 1, bet, stake })) });

test("the felt before each throw is what all changes so far add up to", () => {
  const found = felts([step(1, ["P", 1000]), step(2, ["PO", 5000]), { ...step(3), felt: undefined }, step(4, ["P", 0], ["PO", 0], ["C8", 1000])]);
  expect(found.map((felt) => felt.map((bet) => `${bet.bet} ${bet.stake}`))).toEqual([["P 1000"], ["P 1000", "PO 5000"], ["P 1000", "PO 5000"], ["C8 1000"]]);
});

test("a bet that changes keeps its place", () => {
  expect(felts([step(1, ["P", 1000], ["F", 500]), step(2, ["P", 2000])])[1]?.map((bet) => bet.bet)).toEqual(["P", "F"]);
});

test("where the line stands is said with each throw", () => {
  expect(line(step(1))).toBe("coming out");
  expect(line({ ...step(2), before: { phase: "point", point: 6 } })).toBe("the point is 6");
});
