import { expect, test } from "vitest";
import { apart, between, bounds, line, moved, nearest, scale, ticks } from "./plot";

test("ticks are round and within", () => {
  expect(ticks(0, 2110, 5)).toEqual([0, 500, 1000, 1500, 2000]);
  expect(ticks(-0.12, 0.31, 4)).toEqual([0, 0.2]);
  expect(ticks(0, 180, 6)).toEqual([0, 50, 100, 150]);
  expect(ticks(5, 5, 4)).toContain(5);
});

test("bounds hold everything between whole steps", () => {
  expect(bounds(-130, 2110, 5)).toEqual([-500, 2500]);
  expect(bounds(0, 2000, 4)).toEqual([0, 2000]);
});

test("places follow values, also where there is only one", () => {
  const x = scale(0, 10, 100, 200);
  expect([x(0), x(5), x(10)]).toEqual([100, 150, 200]);
  expect(Number.isFinite(scale(3, 3, 0, 10)(3))).toBe(true);
});

test("lines and areas", () => {
  expect(line([[0, 1], [2.345, 3]])).toBe("M0 1L2.3 3");
  expect(line([])).toBe("");
  expect(between([[0, 0], [1, 0]], [[0, 5], [1, 6]])).toBe("M0 0L1 0L1 6L0 5Z");
});

test("names are moved apart and stay within", () => {
  expect(apart([10, 12, 50], 16, 0, 100)).toEqual([10, 26, 50]);
  expect(apart([90, 95, 99], 16, 0, 100)).toEqual([68, 84, 100]);
});

test("a cursor goes to the nearest place and moves by keys", () => {
  expect(nearest([0, 30, 60], 44)).toBe(1);
  expect(nearest([], 3)).toBe(0);
  expect(moved("ArrowRight", 3, 5)).toBe(4);
  expect(moved("ArrowRight", 4, 5)).toBe(4);
  expect(moved("Home", 3, 5)).toBe(0);
  expect(moved("End", 3, 50)).toBe(49);
  expect(moved("PageDown", 3, 50)).toBe(0);
  expect(moved("a", 3, 5)).toBeNull();
  expect(moved("toString", 3, 5)).toBeNull();
});
