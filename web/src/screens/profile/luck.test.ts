import { expect, test } from "vitest";
import { inUnits, luckLine } from "./luck";

const hand = (n: number, net: number, expected: string, sum: [number, string, number]) => ({
  n,
  net,
  expected,
  sum: { staked: 1000, net: sum[0], expected: sum[1], expected_rounded: sum[2] },
});

test("the line goes from the oldest hand to the newest, with the server's totals", () => {
  expect(
    luckLine([
      hand(3, 500, "-100/7", [500, "-400/7", -57]),
      hand(2, -1000, "-200/7", [0, "-300/7", -43]),
      hand(1, 1000, "-100/7", [1000, "-100/7", -14]),
    ]),
  ).toEqual([
    { hands: 0, actual: 0, expected: 0, exact: "0" },
    { hands: 1, actual: 1000, expected: -14, exact: "-100/7" },
    { hands: 2, actual: 0, expected: -43, exact: "-300/7" },
    { hands: 3, actual: 500, expected: -57, exact: "-400/7" },
  ]);
  expect(luckLine([])).toHaveLength(1);
});

test("if earlier hands aren't listed, the line starts at their total", () => {
  expect(luckLine([hand(41, -500, "-1/3", [1500, "-20", -20])])[0]).toEqual({
    hands: 40,
    actual: 2000,
    expected: -20,
    exact: "-59/3",
  });
});

test("an exact expectation is written in dollars", () => {
  expect([inUnits("-130450/33"), inUnits("0"), inUnits("-1400"), inUnits("50")]).toEqual([
    "−$2609/66",
    "$0",
    "−$14",
    "$1/2",
  ]);
});
