import { expect, test } from "vitest";
import type { Area, Layout } from "../../felt/layout";
import { crop, everStood, line, richest } from "./preview";

const felt = (...bets: string[]) => ({
  seats: [{ seat: 1, name: "Player", bets: bets.map((bet) => ({ bet, stake: 100 })) }],
});

const area = (id: string, end: Area["end"], x: number, w: number): Area => ({
  id,
  end,
  band: "line",
  seat: null,
  bets: [id],
  name: id,
  cite: "",
  shape: { kind: "rect", x, y: 100, w, h: 400, r: [0, 0, 0, 0] },
  fill: "felt",
  edge: "line",
  texts: [],
  dice: [],
  spots: [],
  stacks: [],
});
const layout = {
  surface: { w: 2560, h: 1340, r: 240 },
  ends: ["right", "left"],
  stations: [{ seat: 1, x: 0, y: 0, end: "right", side: "right" }],
  areas: [area("P", "right", 1600, 900), area("P", "left", 60, 900), area("H8", "centre", 1000, 550)],
} as unknown as Layout;

test("each roll shows the point or the come-out", () => {
  expect(line({ before: { phase: "come-out" } })).toBe("coming out");
  expect(line({ before: { phase: "point", point: 6 } })).toBe("the point is 6");
});

test("the preview starts at the first felt with the most bets", () => {
  expect(richest([felt("P"), felt("P", "PO", "C"), felt(), felt("P", "C", "F")])).toBe(1);
  expect(richest([])).toBe(0);
});

test("only the player's end is shown if there are no bets in the center", () => {
  expect(crop(layout, 1, ["P"])).toEqual({ x: 1552, y: 70, w: 996, h: 460 });
  expect(crop(layout, 1, ["P", "H8"])).toEqual({ x: 952, y: 70, w: 1596, h: 460 });
});

test("every bet of the session counts for the picture", () => {
  expect([...everStood([felt("P"), felt("P", "H8"), felt()])]).toEqual(["P", "H8"]);
});
