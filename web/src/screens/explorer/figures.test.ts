import { expect, test } from "vitest";
import {
  best,
  chance,
  edgeExactly,
  edgeInFull,
  edgeInPercent,
  edgeOfOutlay,
  inDecimals,
  netInWords,
  ofStake,
  reach,
  sumOf,
} from "./figures";

test("an edge for the player has a plus, a house edge doesn't", () => {
  expect(edgeInPercent("7/495")).toBe("1.414 %");
  expect(edgeInPercent("-1/30")).toBe("+3.333 %");
  expect(edgeExactly("-1/30")).toBe("+1/30");
  expect(edgeExactly("0")).toBe("0");
  expect(reach("17/100")).toBe(100);
  expect(reach("-17/200")).toBe(50);
  expect(reach("1")).toBe(100);
});

test("results are written as money if that is exact", () => {
  expect(netInWords("26/5")).toBe("+5.20");
  expect(netInWords("-1")).toBe("−1.00");
  expect(netInWords("7/6")).toBe("+7/6");
  expect(netInWords("-27/17")).toBe("−27/17");
  expect(netInWords("10+")).toBe("+10.00 or more");
  expect(
    best([
      { net: "-1", p: "1" },
      { net: "7/6", p: "1" },
      { net: "1", p: "1" },
    ]).map((one) => one.net),
  ).toEqual(["7/6", "1", "-1"]);
});

test("a short sum is written out", () => {
  expect(
    sumOf(
      [
        { net: "-1", p: "5/6" },
        { net: "26/5", p: "1/6" },
      ],
      "-1/30",
    ),
  ).toBe("1/6 × 26/5 − 5/6 = 1/30");
  expect(
    sumOf(
      [
        { net: "-1", p: "251/495" },
        { net: "1", p: "244/495" },
      ],
      "7/495",
    ),
  ).toBe("244/495 − 251/495 = −7/495");
  expect(
    sumOf(
      [
        { net: "-1", p: "949/1980" },
        { net: "0", p: "1/36" },
        { net: "1", p: "1/2" },
      ],
      "3/220",
    ),
  ).toBe("1/2 − 949/1980 = −3/220");
  expect(
    sumOf(
      [
        { net: "10+", p: "1/2" },
        { net: "-1", p: "1/2" },
      ],
      "1/9",
    ),
  ).toContain("= −1/9");
});

test("results and costs of a stake", () => {
  expect(ofStake("26/5", 500)).toBe("$26.00");
  expect(ofStake("-1", 1250)).toBe("−$12.50");
  expect(ofStake("7/495", 1000)).toBe("$0.1414");
});

test("long fractions are replaced by decimals", () => {
  expect(chance("1/6")).toBe("1/6 · 16.67 %");
  expect(chance(`${"1".repeat(30)}/${"2".repeat(30)}`)).toBe("50.00 %");
  expect(inDecimals("961/180")).toBe("961/180 = 5.339");
  expect(inDecimals("4")).toBe("4");
  expect(edgeInFull("-1/30")).toBe("+1/30 = +3.333 %");
});

test("an up-front commission adds to what the player puts down", () => {
  const upFront = [
    { net: "-21/20", p: "2/3" },
    { net: "39/20", p: "1/3" },
  ];
  expect(edgeOfOutlay(upFront, "1/20")).toBe("1/21");
  expect(
    edgeOfOutlay(
      [
        { net: "-1", p: "2/3" },
        { net: "39/20", p: "1/3" },
      ],
      "1/60",
    ),
  ).toBeNull();
});
