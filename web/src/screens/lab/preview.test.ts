import { expect, test } from "vitest";
import { felts, type Step } from "./preview";

const step = (roll: number, ...bets: [string, number][]): Step => ({ roll, dice: [4, 2], call: "six", bets: bets.map(([bet, amount]) => ({ bet, name: bet, amount })) });

test("the felt before each throw is what all changes so far add up to", () => {
  const found = felts([step(1, ["P", 1000]), step(2, ["PO", 5000]), step(3), step(4, ["P", 0], ["PO", 0], ["C8", 1000])]);
  expect(found.map((felt) => felt.map((bet) => `${bet.bet} ${bet.amount}`))).toEqual([["P 1000"], ["P 1000", "PO 5000"], ["P 1000", "PO 5000"], ["C8 1000"]]);
});

test("a bet that changes keeps its place", () => {
  expect(felts([step(1, ["P", 1000], ["F", 500]), step(2, ["P", 2000])])[1]?.map((bet) => bet.bet)).toEqual(["P", "F"]);
});
