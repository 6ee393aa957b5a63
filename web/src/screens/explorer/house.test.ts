import { expect, test } from "vitest";
import type { ShownRecord as Odds } from "../../api/openapi";
import type { Price } from "../../felt/layout";
import { compared } from "./house";
import type { Line, Row } from "./rows";

const line = (edge: string) => ({ record: { edge } as Odds }) as Line;
const row = (code: string): Row => ({
  id: code,
  family: "",
  title: "",
  wagers: [code],
  numbers: [],
  code,
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
  short: "",
  edge,
  edge_resolved: edge,
  edge_per_throw: edge,
  favours_player: null,
  cite: "",
});

test("a house's price is compared with the law's", () => {
  const offered = (bet: string, edge: string | null) => ({ prices: { [bet]: price(bet, edge) } });
  const seven = (edge: string | null) =>
    compared(row("A7"), [line("1/6"), line("-1/30")], [], offered("A7", edge))?.against;
  expect(seven("1/6")).toBe("same");
  expect(seven("-1/30")).toBe("better");
  expect(seven("1/12")).toBe("better");
  expect(seven("1/5")).toBe("worse");
  expect(seven(null)).toBeNull();
  expect(compared(row("A7"), [line("1/6")], [], { prices: {} })).toBeNull();
});

test("a price with commission appears in the row with the same timing", () => {
  const offered = { prices: { BY4: price("BY4", "1/60") } };
  expect(compared(row("BY4"), [line("1/20")], [line("1/60")], offered)).toBeNull();
  expect(compared(row("BY4"), [line("1/60")], [line("1/20")], offered)?.against).toBe("same");
});
