import { expect, test } from "vitest";
import { apart, axis, between, line, moved, nearest, scale, ticks } from "./plot";

test("ticks are round numbers within the range", () => {
  expect(ticks(0, 2110, 5)).toEqual([0, 500, 1000, 1500, 2000]);
  expect(ticks(-0.12, 0.31, 4)).toEqual([0, 0.2]);
  expect(ticks(0, 180, 6)).toEqual([0, 50, 100, 150]);
  expect(ticks(5, 5, 4)).toContain(5);
});

test("an axis runs from tick to tick and includes all values", () => {
  expect(axis([-130, 2110], 5)).toEqual({ low: -500, high: 2500, ticks: [-500, 0, 500, 1000, 1500, 2000, 2500] });
  expect(axis([0, 2000], 4)).toEqual({ low: 0, high: 2000, ticks: [0, 500, 1000, 1500, 2000] });
  expect(axis([7], 4).high).toBeGreaterThan(axis([7], 4).low);
  expect(axis([], 4).ticks.length).toBeGreaterThan(1);
  expect(
    axis(
      Array.from({ length: 300_000 }, (_, at) => at),
      5,
    ).high,
  ).toBe(300_000);
});

test("a scale maps values to positions, even for a single value", () => {
  const x = scale(0, 10, 100, 200);
  expect([x(0), x(5), x(10)]).toEqual([100, 150, 200]);
  expect(Number.isFinite(scale(3, 3, 0, 10)(3))).toBe(true);
});

test("lines and areas", () => {
  expect(
    line([
      [0, 1],
      [2.345, 3],
    ]),
  ).toBe("M0 1L2.3 3");
  expect(line([])).toBe("");
  expect(
    between(
      [
        [0, 0],
        [1, 0],
      ],
      [
        [0, 5],
        [1, 6],
      ],
    ),
  ).toBe("M0 0L1 0L1 6L0 5Z");
});

test("labels are moved apart and stay within the range", () => {
  expect(apart([10, 12, 50], 16, 0, 100)).toEqual([10, 26, 50]);
  expect(apart([90, 95, 99], 16, 0, 100)).toEqual([68, 84, 100]);
});

test("a cursor goes to the nearest value and moves by keys", () => {
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
