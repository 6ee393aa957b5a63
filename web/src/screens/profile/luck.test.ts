import { expect, test } from "vitest";
import { luckLine, type Hand } from "./luck";

const hand = (number: number, net: number, expected_rounded: number): Hand => ({ table: "practice-pa", book: "pa", n: number, hand: number, until: number, rolls: 5, staked: 1000, net, expected: "-7/495", expected_rounded });

test("the line begins at nothing and adds up from the oldest hand on", () => {
  expect(luckLine([hand(3, 500, -14), hand(2, -1000, -28), hand(1, 1000, -14)])).toEqual([
    { hands: 0, actual: 0, expected: 0 },
    { hands: 1, actual: 1000, expected: -14 },
    { hands: 2, actual: 0, expected: -42 },
    { hands: 3, actual: 500, expected: -56 },
  ]);
  expect(luckLine([])).toHaveLength(1);
});
