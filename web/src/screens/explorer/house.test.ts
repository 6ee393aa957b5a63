import { expect, test } from "vitest";
import type { Record as Odds, WagerLine } from "../../api/openapi";
import type { Price } from "../../felt/layout";
import { codeOf, compared } from "./house";
import type { Line, Row } from "./rows";

const wager = (id: string, codes: string[]): WagerLine => ({
  wager: id,
  codes,
  family: "",
  family_title: "",
  takes_odds: false,
  about: "",
  books: [],
});
const wagers = new Map(
  [
    wager("any-seven", ["A7"]),
    wager("come-odds", ["C4O", "C10O"]),
    wager("pass-odds", ["PO"]),
    wager("buy-4", ["BY4"]),
  ].map((one) => [one.wager, one]),
);
const line = (edge: string): Line => ({
  record: {
    book: "md",
    wager: "",
    pay_table: "standard",
    commission: "none",
    cite: "",
    name: "",
    distribution: [],
    edge,
  } as Odds,
  wager: wager("x", []),
  pays: null,
  short: "",
  readings: [],
  small: false,
});
const row = (id: string): Row => ({
  id,
  family: "",
  title: "",
  wagers: [id],
  name: "",
  on: "",
  fee: "",
  cells: new Map(),
  words: "",
});
const price = (bet: string, edge: string | null): Price => ({
  bet,
  name: bet,
  pays: "",
  edge,
  edge_resolved: edge,
  edge_per_throw: edge,
  favours_player: null,
  cite: "",
});

test("a wager is found by its code", () => {
  expect(codeOf("any-seven", wagers)).toBe("A7");
  expect(codeOf("come-odds-10", wagers)).toBe("C10O");
  expect(codeOf("pass-odds-4", wagers)).toBe("PO");
  expect(codeOf("nothing", wagers)).toBeNull();
});

test("a house's price is compared with the law's", () => {
  const offered = (bet: string, edge: string | null) => ({ prices: { [bet]: price(bet, edge) } });
  const seven = (edge: string | null) =>
    compared(row("any-seven"), [line("1/6"), line("-1/30")], [], offered("A7", edge), wagers)?.against;
  expect(seven("1/6")).toBe("same");
  expect(seven("-1/30")).toBe("better");
  expect(seven("1/12")).toBe("better");
  expect(seven("1/5")).toBe("worse");
  expect(seven(null)).toBeNull();
  expect(compared(row("any-seven"), [line("1/6")], [], { prices: {} }, wagers)).toBeNull();
});

test("a price with commission appears in the row with the same timing", () => {
  const offered = { prices: { BY4: price("BY4", "1/60") } };
  expect(compared(row("buy-4"), [line("1/20")], [line("1/60")], offered, wagers)).toBeNull();
  expect(compared(row("buy-4"), [line("1/60")], [line("1/20")], offered, wagers)?.against).toBe("same");
});
